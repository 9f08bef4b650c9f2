#include "core/formats/decisions/inductor_json.h"

#include <nlohmann/json.hpp>

namespace inspector {

nlohmann::ordered_json inductor_object(const InductorLog& log) {
    using Json = nlohmann::ordered_json;
    Json ops = Json::array();
    Json counters = Json::object();
    for (const LoggedReinplace& op : log.ops)
        ops.push_back({{"op", op.op},
                       {"node", op.node},
                       {"candidates", op.candidates},
                       {"reinplaced", op.reinplaced},
                       {"cloned", op.cloned},
                       {"missed", op.missed},
                       {"missed_bytes", op.missed_bytes}});
    for (const LoggedCounters& counted : log.counters)
        for (const auto& [name, number] : counted.counters) counters[name] = counters.value(name, std::int64_t{0}) + number;
    return {{"ops", std::move(ops)}, {"counters", std::move(counters)}};
}

} // namespace inspector
