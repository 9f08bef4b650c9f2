// Schemas of operators: one a line, tags behind a tab.
#include <algorithm>

#include "core/operators/parse_schema.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    for (std::string_view rest = fuzz::as_text(data, size); !rest.empty();) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        const auto schema = inspector::parse_schema(line.substr(0, line.find('\t')));
        if (!schema) fuzz::require(!schema.error().reason.empty(), "an error has a reason");
        else for (const auto& argument : schema->arguments) (void)inspector::comparable_type(argument.type);
    }
    return 0;
}
