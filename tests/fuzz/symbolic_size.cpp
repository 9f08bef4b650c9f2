// Sizes in sympy's two forms: each line, and each field between tabs, is one in either form.
#include <algorithm>
#include <optional>

#include "core/graph/symbolic_size.h"
#include "core/graph/symbolic_size_srepr.h"
#include "tests/fuzz/target.h"

namespace {

using inspector::SymbolicSize;

void use(const inspector::Result<SymbolicSize>& size) {
    if (!size) return fuzz::require(!size.error().reason.empty(), "an error has a reason");
    fuzz::require(!size->to_string().empty(), "a size can be printed");
    fuzz::require(*size == *size, "a size is itself");
    (void)size->evaluate([](std::string_view symbol) { return std::optional<std::int64_t>(symbol.size()); });
    (void)size->symbols();
    if (size->expression()) (void)inspector::srepr(*size->expression(), [](const std::string& name) { return name; });
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    for (std::string_view rest = fuzz::as_text(data, size); !rest.empty();) {
        const std::string_view field = rest.substr(0, rest.find_first_of("\t\n"));
        rest.remove_prefix(std::min(rest.size(), field.size() + 1));
        use(SymbolicSize::parse(field));
        use(SymbolicSize::parse_srepr(field, std::nullopt));
    }
    return 0;
}
