#include "core/operators/operator_schema.h"

#include <algorithm>

namespace inspector {

bool Operator::has_tag(std::string_view tag) const { return std::find(tags.begin(), tags.end(), tag) != tags.end(); }

std::string Operator::qualified_name() const { return overload.empty() ? name : name + "." + overload; }

std::string Operator::short_target() const {
    std::string target = name;
    if (const auto colons = target.find("::"); colons != std::string::npos) target.replace(colons, 2, ".");
    return target + "." + (overload.empty() ? "default" : overload);
}

} // namespace inspector
