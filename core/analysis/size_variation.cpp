#include "core/analysis/size_variation.h"

#include <algorithm>
#include <optional>

#include "core/analysis/symbol_values.h"

namespace inspector {
namespace {

using Numbers = std::vector<std::int64_t>;

struct Free {
    std::string name;
    Numbers sizes;
};

std::string with_constant(std::string text, std::int64_t constant) {
    if (constant == 0) return text;
    return text + (constant < 0 ? " - " : " + ") + std::to_string(constant < 0 ? -constant : constant);
}

/// factor·x + constant = y at every place; nullopt: no whole numbers do.
std::optional<std::pair<std::int64_t, std::int64_t>> line_through(const Numbers& x, const Numbers& y) {
    std::size_t other = 1;
    while (other < x.size() && x[other] == x[0]) ++other;
    if (other == x.size() || (y[other] - y[0]) % (x[other] - x[0]) != 0) return std::nullopt;
    const std::int64_t factor = (y[other] - y[0]) / (x[other] - x[0]), constant = y[0] - factor * x[0];
    for (std::size_t i = 0; i < x.size(); ++i)
        if (factor * x[i] + constant != y[i]) return std::nullopt;
    return std::pair(factor, constant);
}

std::string product_text(std::int64_t factor, const std::string& name) {
    if (factor == 1) return name;
    return factor == -1 ? "-" + name : std::to_string(factor) + "*" + name;
}

/// The simplest relation first: multiples, then what has a constant, then divisions and products.
std::optional<std::string> relation(const std::vector<Free>& free, const Numbers& sizes) {
    for (const bool with_constants : {false, true}) {
        for (const Free& one : free) {
            const auto line = line_through(one.sizes, sizes);
            if (line && line->first != 0 && (line->second == 0 || (with_constants && std::abs(line->first) <= 1024)))
                return with_constant(product_text(line->first, one.name), line->second);
        }
        if (with_constants) break;
        for (const Free& one : free) {
            for (std::int64_t divisor = 2; divisor <= 16; ++divisor) {
                Numbers quotients;
                for (const std::int64_t size : one.sizes) quotients.push_back(size / divisor);
                if (quotients == sizes) return one.name + "//" + std::to_string(divisor);
            }
        }
        for (std::size_t i = 0; i < free.size(); ++i) {
            for (std::size_t j = i; j < free.size(); ++j) {
                Numbers products, sums;
                for (std::size_t k = 0; k < sizes.size(); ++k) {
                    std::int64_t product = 0;
                    if (__builtin_mul_overflow(free[i].sizes[k], free[j].sizes[k], &product)) product = -1;
                    products.push_back(product);
                    sums.push_back(free[i].sizes[k] + free[j].sizes[k]);
                }
                const auto line = line_through(products, sizes);
                if (line && line->second == 0 && line->first != 0)
                    return product_text(line->first, free[i].name + "*" + free[j].name);
                if (i != j && sums == sizes) return free[i].name + " + " + free[j].name;
            }
        }
    }
    return std::nullopt;
}

class Comparer {
public:
    explicit Comparer(const std::vector<const ProgramGraph*>& graphs) : graphs_(graphs) {
        for (const ProgramGraph* graph : graphs_) values_.push_back(SymbolValues::of(*graph));
    }

    SizeVariation compare() {
        const Graph& first = graphs_.front()->graph;
        for (const NodeId id : first) look_at(first.node(id));
        for (std::size_t i = 1; i < graphs_.size(); ++i)
            for (const NodeId id : graphs_[i]->graph)
                if (const std::string& name = graphs_[i]->graph.node(id).name;
                    first.find(name) == no_node && std::ranges::find(found_.missing, name) == found_.missing.end())
                    found_.missing.push_back(name);
        return std::move(found_);
    }

private:
    void look_at(const Node& node) {
        std::vector<Numbers> sizes; // by dimension
        for (std::size_t i = 0; i < graphs_.size(); ++i) {
            const Graph& graph = graphs_[i]->graph;
            const NodeId other = graph.find(node.name);
            if (other == no_node) {
                found_.missing.push_back(node.name);
                return;
            }
            if (graph.node(other).target != node.target) {
                found_.changed.push_back(node.name);
                return;
            }
            const auto* meta = std::get_if<TensorMeta>(&graph.node(other).meta);
            const auto numbers = meta ? values_[i].values(meta->sizes) : std::nullopt;
            if (!numbers && i == 0) return;
            if (i == 0) sizes.resize(numbers->size());
            if (!numbers || numbers->size() != sizes.size()) {
                found_.missing.push_back(node.name);
                return;
            }
            for (std::size_t d = 0; d < sizes.size(); ++d) sizes[d].push_back((*numbers)[d]);
        }
        const bool is_input = node.opcode == Opcode::placeholder;
        for (std::size_t d = 0; d < sizes.size(); ++d) {
            if (std::ranges::all_of(sizes[d], [&](std::int64_t size) { return size == sizes[d].front(); })) continue;
            VaryingSize varying{node.name, d, sizes[d], {}, false};
            if (auto text = relation(free_, sizes[d])) {
                varying.expression = std::move(*text);
            } else {
                varying.is_free = true;
                varying.expression = "d" + std::to_string(free_.size());
                free_.push_back({varying.expression, sizes[d]});
            }
            (is_input ? found_.inputs : found_.values).push_back(std::move(varying));
        }
    }

    const std::vector<const ProgramGraph*>& graphs_;
    std::vector<SymbolValues> values_;
    std::vector<Free> free_;
    SizeVariation found_;
};

} // namespace

SizeVariation compare_sizes(const std::vector<const ProgramGraph*>& graphs) { return Comparer(graphs).compare(); }

} // namespace inspector
