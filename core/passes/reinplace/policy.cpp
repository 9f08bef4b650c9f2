#include "core/passes/reinplace/policy.h"

#include <algorithm>

namespace inspector {
namespace {

const std::vector<const Policy*>& all() {
    static const std::vector<const Policy*> known{&sound_policy(), &torch_fx_policy(), &inductor_policy()};
    return known;
}

} // namespace

const Policy* find_policy(std::string_view id) {
    const auto found = std::ranges::find_if(all(), [&](const Policy* policy) { return policy->info.id == id; });
    return found != all().end() ? *found : nullptr;
}

const std::vector<PolicyInfo>& policies() {
    static const std::vector<PolicyInfo> infos = [] {
        std::vector<PolicyInfo> out;
        for (const Policy* policy : all()) out.push_back(policy->info);
        return out;
    }();
    return infos;
}

} // namespace inspector
