#include "core/analysis/size_facts.h"

#include <algorithm>
#include <array>

#include "core/graph/size_polynomial.h"
#include "core/graph/symbolic_arithmetic.h"
#include "core/operators/operator_table.h"

namespace inspector {
namespace {

using Kind = SizeExpression::Kind;
using Source = SizeFact::Source;
using Sizes = std::vector<SymbolicSize>;

constexpr std::array views{std::string_view("aten::_unsafe_view"), std::string_view("aten::reshape"),
                           std::string_view("aten::view")};

class Collector {
public:
    explicit Collector(const Graph& graph) : graph_(graph) {}

    std::vector<SizeFact> collect() {
        for (const NodeId id : graph_) {
            node_ = id;
            const Node& node = graph_.node(id);
            const Operator* op =
                node.opcode == Opcode::call_function ? OperatorTable::instance().find(node.target) : nullptr;
            if (op) look_at(*op, node);
        }
        return std::move(facts_);
    }

private:
    [[nodiscard]] const Sizes* sizes(NodeId id) const {
        if (id == no_node || !graph_.contains(id)) return nullptr;
        const auto* meta = std::get_if<TensorMeta>(&graph_.node(id).meta);
        return meta ? &meta->sizes : nullptr;
    }
    [[nodiscard]] const Sizes* operand(const Node& node, std::size_t place) const {
        return place < node.args.size() ? sizes(node.args[place].node()) : nullptr;
    }

    void look_at(const Operator& op, const Node& node) {
        if (op.name == "aten::_assert_scalar" && !node.args.empty()) assertion(node.args[0].node());
        else if (std::ranges::binary_search(views, std::string_view(op.name))) view(operand(node, 0), sizes(node_));
        else if (op.name == "aten::mm" || op.name == "aten::bmm" || op.name == "aten::matmul")
            product(operand(node, 0), operand(node, 1));
        else if (op.name == "aten::addmm" || op.name == "aten::baddbmm") product(operand(node, 1), operand(node, 2));
        else if (op.name == "aten::linear") linear(operand(node, 0), operand(node, 1));
        else if (op.name == "aten::cat") cat(node);
        else if (op.has_tag("pointwise")) elementwise();
    }

    void assertion(NodeId claim) {
        const auto* scalar = claim == no_node ? nullptr : std::get_if<ScalarMeta>(&graph_.node(claim).meta);
        if (scalar && scalar->value.expression()) claim_holds(*scalar->value.expression());
    }

    void claim_holds(const SizeExpression& claim) {
        if (claim.kind == Kind::logical_and) {
            for (const auto& part : claim.operands) claim_holds(*part);
            return;
        }
        if (claim.operands.size() != 2) return;
        const auto left = size_of(claim.operands[0]), right = size_of(claim.operands[1]);
        if (!left || !right) return;
        using enum SizeRelation;
        switch (claim.kind) {
        case Kind::equal: return add({*left, equal, *right}, Source::assertion);
        case Kind::not_equal: return add({*left, not_equal, *right}, Source::assertion);
        case Kind::less: return add({*left, less, *right}, Source::assertion);
        case Kind::less_equal: return add({*left, at_most, *right}, Source::assertion);
        case Kind::greater: return add({*right, less, *left}, Source::assertion);
        case Kind::greater_equal: return add({*right, at_most, *left}, Source::assertion);
        default: return;
        }
    }

    static std::optional<SymbolicSize> size_of(const std::shared_ptr<const SizeExpression>& expression) {
        if (expression->kind == Kind::integer) return expression->integer;
        const auto one = SymbolicSize(expression, "", std::nullopt);
        return inspector::product(one, 1); // prints it
    }

    void elementwise() {
        const Sizes* result = sizes(node_);
        for (const NodeId input : graph_.inputs(node_)) {
            const Sizes* given = sizes(input);
            if (!result || !given) continue;
            for (std::size_t i = 0; i < std::min(result->size(), given->size()); ++i) {
                const SymbolicSize& own = (*given)[given->size() - 1 - i];
                if (own.constant() != 1) same(own, (*result)[result->size() - 1 - i], Source::elementwise);
            }
        }
    }

    void product(const Sizes* left, const Sizes* right) {
        if (!left || !right || left->empty() || right->size() < 2) return;
        same(left->back(), (*right)[right->size() - 2], Source::product);
        if (left->size() == 3 && right->size() == 3) same((*left)[0], (*right)[0], Source::product);
    }

    void linear(const Sizes* input, const Sizes* weight) {
        if (input && weight && !input->empty() && !weight->empty())
            same(input->back(), weight->back(), Source::product);
    }

    void view(const Sizes* before, const Sizes* after) {
        if (!before || !after) return;
        const auto count = [](const Sizes& sizes) {
            std::optional<SymbolicSize> all = SymbolicSize(1);
            for (const SymbolicSize& size : sizes) all = all ? inspector::product(*all, size) : std::nullopt;
            return all;
        };
        const auto a = count(*before), b = count(*after);
        if (a && b) same(*a, *b, Source::view);
    }

    void cat(const Node& node) {
        const Sizes* result = sizes(node_);
        const auto* list = node.args.empty() ? nullptr : node.args[0].as<ArgumentList>();
        const auto* dim = node.args.size() > 1 ? node.args[1].as<std::int64_t>() : nullptr;
        if (!result || !list) return;
        const auto rank = static_cast<std::int64_t>(result->size());
        const std::int64_t along = !dim ? 0 : *dim < 0 ? *dim + rank : *dim;
        for (const Argument& item : list->items) {
            const Sizes* given = sizes(item.node());
            if (!given || given->size() != result->size()) continue;
            for (std::int64_t i = 0; i < rank; ++i)
                if (i != along)
                    same((*given)[static_cast<std::size_t>(i)], (*result)[static_cast<std::size_t>(i)], Source::cat);
        }
    }

    void same(const SymbolicSize& a, const SymbolicSize& b, Source source) {
        if (!(a == b)) add({a, SizeRelation::equal, b}, source);
    }

    void add(SizeCondition condition, Source source) {
        if (condition.left.is_constant() && condition.right.is_constant()) return;
        const auto a = SizePolynomial::of(condition.left), b = SizePolynomial::of(condition.right);
        if (a && b && condition.relation == SizeRelation::equal && a->minus(*b).is_zero()) return;
        if (std::ranges::find(facts_, condition, &SizeFact::condition) != facts_.end()) return;
        facts_.push_back({std::move(condition), node_, source});
    }

    const Graph& graph_;
    NodeId node_ = no_node;
    std::vector<SizeFact> facts_;
};

} // namespace

std::string_view text_id(Source source) {
    switch (source) {
    case Source::assertion: return "assertion";
    case Source::elementwise: return "elementwise";
    case Source::product: return "product";
    case Source::view: return "view";
    case Source::cat: break;
    }
    return "cat";
}

std::vector<SizeFact> size_facts(const Graph& graph) { return Collector(graph).collect(); }

std::optional<std::pair<std::string, std::int64_t>> divisibility(const SizeCondition& condition) {
    if (condition.relation != SizeRelation::equal) return std::nullopt;
    const auto left = SizePolynomial::of(condition.left), right = SizePolynomial::of(condition.right);
    if (!left || !right) return std::nullopt;
    const SizePolynomial difference = left->minus(*right);
    std::shared_ptr<const SizeAtom> floor;
    for (const auto& atom : difference.atoms()) {
        if (atom->kind != SizeAtom::Kind::floor) continue;
        if (floor) return std::nullopt;
        floor = atom;
    }
    if (!floor || difference.degree(*floor) != 1) return std::nullopt;
    const auto& numerator = floor->operands[0];
    const auto atoms = numerator.atoms();
    const bool is_symbol = atoms.size() == 1 && atoms[0]->kind == SizeAtom::Kind::symbol &&
                           numerator.minus(SizePolynomial(atoms[0])).is_zero();
    // It vanishes exactly where divisor·(symbol // divisor) is the symbol.
    if (!is_symbol || !difference.substituted(*floor, numerator, floor->divisor).is_zero()) return std::nullopt;
    return std::pair(atoms[0]->text, floor->divisor);
}

} // namespace inspector
