#include "tests/random_programs/random_symbolic_program.h"

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/symbolic_arithmetic.h"

namespace inspector {
namespace {

using Sizes = std::vector<SymbolicSize>;

SymbolicSize size(const char* text) { return SymbolicSize::parse(text).value(); }

class Writer {
public:
    Writer(std::uint64_t seed, int operations) : random_(seed), operations_(operations) {}

    Program write() {
        inputs();
        for (int i = 0; i < operations_; ++i) step();
        outputs();
        ProgramGraph graph;
        graph.id = "root";
        graph.kind = "pt2";
        graph.graph = std::move(graph_);
        graph.ranges = {{"s0", has_first_row_ ? 1 : 0, 9}, {"s1", 0, 9}};
        graph.hints = {{"s0", 2 + draw(4)}, {"s1", 2 + draw(4)}};
        Program program;
        program.path = "symbolic";
        program.format = "fx_text";
        program.graphs.push_back(std::move(graph));
        return program;
    }

private:
    struct Value {
        NodeId node = no_node;
        Sizes sizes, strides;
        SymbolicSize offset;
        [[nodiscard]] bool is_matrix(const Sizes& wanted) const { return sizes == wanted; }
    };

    int draw(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
    const SymbolicSize s0_ = size("s0"), s1_ = size("s1"), two_s1_ = size("2*s1");

    static Sizes contiguous(const Sizes& sizes) {
        Sizes strides(sizes.size(), SymbolicSize(1));
        for (std::size_t i = sizes.size(); i-- > 1;) strides[i - 1] = product(strides[i], sizes[i]).value();
        return strides;
    }

    std::size_t add(const std::string& target, std::vector<Argument> args, Sizes sizes, Sizes strides,
                    SymbolicSize offset, Opcode opcode = Opcode::call_function) {
        Node node;
        node.opcode = opcode;
        node.name = graph_.fresh_name(opcode == Opcode::placeholder ? target : "n");
        node.target = opcode == Opcode::placeholder ? target : "torch.ops.aten." + target;
        node.args = std::move(args);
        TensorMeta meta;
        meta.sizes = sizes;
        meta.strides = strides;
        meta.storage_offset = offset;
        meta.device = "cpu";
        node.meta = std::move(meta);
        values_.push_back({graph_.append(std::move(node)), std::move(sizes), std::move(strides), std::move(offset)});
        return values_.size() - 1;
    }
    std::size_t fresh(const std::string& target, std::vector<Argument> args, Sizes sizes) {
        Sizes strides = contiguous(sizes);
        return add(target, std::move(args), std::move(sizes), std::move(strides), 0);
    }

    void inputs() {
        for (const auto& [name, sizes] : std::vector<std::pair<std::string, Sizes>>{
                 {"x", {s0_, s1_}}, {"w", {s0_, two_s1_}}, {"row", {SymbolicSize(1), s1_}}, {"v", {s1_}}})
            add(name, {}, sizes, contiguous(sizes), 0, Opcode::placeholder);
        for (const auto& [name, place, dimension] : {std::tuple("sym_s0", 0, 0), {"sym_s1", 0, 1}}) {
            Node node;
            node.name = name;
            node.target = "torch.ops.aten.sym_size.int";
            node.args = {NodeReference{values_[static_cast<std::size_t>(place)].node}, std::int64_t{dimension}};
            node.meta = ScalarMeta{ScalarMeta::Kind::integer, dimension == 0 ? s0_ : s1_};
            (dimension == 0 ? sym_s0_ : sym_s1_) = graph_.append(std::move(node));
        }
        // Values of the graph's own to write into.
        for (std::size_t i = 0; i < 4; ++i) {
            const Value input = values_[i];
            fresh("clone.default", {NodeReference{input.node}}, input.sizes);
        }
    }

    const Value& any() {
        return values_[draw(3) == 0 ? static_cast<std::size_t>(draw(static_cast<int>(values_.size())))
                                    : values_.size() - 1 -
                                          static_cast<std::size_t>(
                                              draw(static_cast<int>(std::min<std::size_t>(values_.size() - 4, 5))))];
    }

    /// One of exactly these sizes; the first candidates are drawn from, so there is always one.
    Value of(const Sizes& sizes) {
        for (int i = 0; i < 20; ++i)
            if (const Value& value = any(); value.sizes == sizes) return value;
        std::vector<Value> all;
        for (const Value& value : values_)
            if (value.sizes == sizes) all.push_back(value);
        return all.empty() ? values_[fresh("clone.default", {NodeReference{values_[0].node}}, values_[0].sizes)]
                           : all[static_cast<std::size_t>(draw(static_cast<int>(all.size())))];
    }

    /// Of what an element-wise op makes of a value: its own strides where it is whole, else dense in the same order.
    static Sizes result_strides(const Value& value) {
        if (value.sizes.size() != 2) return contiguous(value.sizes);
        const bool is_transposed = value.strides[0].constant() == 1 && value.strides[1].constant() != 1;
        if (is_transposed) return {SymbolicSize(1), value.sizes[0]};
        return contiguous(value.sizes);
    }

    void elementwise() {
        const Value a = any();
        static constexpr const char* unary[] = {"relu.default", "neg.default", "sigmoid.default", "abs.default",
                                                "sin.default"};
        const bool is_expanded = !a.strides.empty() && a.strides[0].constant() == 0;
        if (draw(2) == 0 && !is_expanded) {
            add(unary[draw(5)], {NodeReference{a.node}}, a.sizes, result_strides(a), 0);
            return;
        }
        const Value b = of(a.sizes);
        const auto order = [](const Value& value) {
            return value.sizes.size() == 2 && value.strides[0].constant() == 1 && value.strides[1].constant() != 1;
        };
        if (order(a) != order(b) || is_expanded || (!b.strides.empty() && b.strides[0].constant() == 0)) return;
        static constexpr const char* binary[] = {"add.Tensor", "mul.Tensor", "sub.Tensor", "maximum.default"};
        add(binary[draw(4)], {NodeReference{a.node}, NodeReference{b.node}}, a.sizes, result_strides(a), 0);
    }

    void step() {
        const Sizes matrix{s0_, s1_}, wide{s0_, two_s1_}, row{SymbolicSize(1), s1_}, vector{s1_};
        switch (draw(14)) {
        case 0: { // a row, or a vector, and a matrix: at s0 = 1 they are as large
            const Value a = of(draw(2) == 0 ? row : vector), b = of(matrix);
            if (b.strides[1].constant() != 1 || b.strides[0].constant() == 0) return;
            const bool swapped = draw(2) == 0;
            fresh("mul.Tensor", {NodeReference{swapped ? b.node : a.node}, NodeReference{swapped ? a.node : b.node}},
                  matrix);
            return;
        }
        case 1:
        case 2: { // halves of a wide matrix
            const Value w = of(wide);
            const bool second = draw(2) == 0;
            if (w.strides[0].constant() == 0) return;
            const SymbolicSize offset = second ? sum(w.offset, product(s1_, w.strides[1]).value()).value() : w.offset;
            std::vector<Argument> args{NodeReference{w.node}, std::int64_t{1}, std::int64_t{0}, NodeReference{sym_s1_}};
            if (second)
                args = {NodeReference{w.node}, std::int64_t{1}, NodeReference{sym_s1_},
                        std::int64_t{9223372036854775807}};
            add("slice.Tensor", std::move(args), matrix, w.strides, offset);
            return;
        }
        case 3: { // the first row
            const Value m = of(matrix);
            has_first_row_ = true;
            add("slice.Tensor", {NodeReference{m.node}, std::int64_t{0}, std::int64_t{0}, std::int64_t{1}}, row,
                m.strides, m.offset);
            return;
        }
        case 4: {
            const Value m = of(draw(2) == 0 ? matrix : row);
            has_first_row_ |= m.sizes == matrix;
            add("select.int", {NodeReference{m.node}, std::int64_t{0}, std::int64_t{0}}, vector, {m.strides[1]},
                m.offset);
            return;
        }
        case 5: {
            const Value m = of(matrix);
            add("permute.default",
                {NodeReference{m.node}, ArgumentList{ArgumentList::Kind::list, {std::int64_t{1}, std::int64_t{0}}}},
                {s1_, s0_}, {m.strides[1], m.strides[0]}, m.offset);
            return;
        }
        case 6: {
            const Value r = of(row);
            add("expand.default",
                {NodeReference{r.node},
                 ArgumentList{ArgumentList::Kind::list, {NodeReference{sym_s0_}, NodeReference{sym_s1_}}}},
                matrix, {SymbolicSize(0), r.strides[1]}, r.offset);
            return;
        }
        case 7: {
            const Value a = of(matrix), b = of(matrix);
            if (a.strides[1].constant() != 1 || b.strides[1].constant() != 1) return;
            fresh("cat.default",
                  {ArgumentList{ArgumentList::Kind::list, {NodeReference{a.node}, NodeReference{b.node}}},
                   std::int64_t{1}},
                  wide);
            return;
        }
        case 8: { // writes one half
            const Value w = of(wide), m = of(matrix);
            if (w.strides != contiguous(wide)) return;
            std::vector<Argument> args{NodeReference{w.node}, NodeReference{m.node}, std::int64_t{1}, std::int64_t{0},
                                       NodeReference{sym_s1_}};
            if (draw(2) == 0)
                args = {NodeReference{w.node}, NodeReference{m.node}, std::int64_t{1}, NodeReference{sym_s1_},
                        std::int64_t{9223372036854775807}};
            fresh("slice_scatter.default", std::move(args), wide);
            return;
        }
        case 9: { // writes the first row
            const Value m = of(matrix), v = of(vector);
            if (m.strides != contiguous(matrix)) return;
            has_first_row_ = true;
            fresh("select_scatter.default",
                  {NodeReference{m.node}, NodeReference{v.node}, std::int64_t{0}, std::int64_t{0}}, matrix);
            return;
        }
        case 10: {
            const Value m = of(matrix);
            if (m.strides[1].constant() != 1 || m.strides[0].constant() == 0) return;
            fresh("sum.dim_IntList", {NodeReference{m.node}, ArgumentList{ArgumentList::Kind::list, {std::int64_t{0}}}},
                  vector);
            return;
        }
        default: return elementwise();
        }
    }

    void outputs() {
        ArgumentList results{ArgumentList::Kind::tuple, {}};
        const int count = 1 + draw(4);
        for (int i = 0; i < count; ++i) results.items.emplace_back(NodeReference{any().node});
        if (draw(3) == 0) {
            const Value m = of({s0_, s1_});
            if (m.node != values_[0].node)
                add("copy_.default", {NodeReference{values_[0].node}, NodeReference{m.node}}, values_[0].sizes,
                    values_[0].strides, 0);
        }
        Node output;
        output.opcode = Opcode::output;
        output.name = output.target = "output";
        output.args = {std::move(results)};
        graph_.append(std::move(output));
    }

    std::mt19937_64 random_;
    int operations_;
    Graph graph_;
    std::vector<Value> values_;
    bool has_first_row_ = false; ///< it is taken from a matrix, which then has one
    NodeId sym_s0_ = no_node, sym_s1_ = no_node;
};

} // namespace

Program random_symbolic_program(std::uint64_t seed, int operations) { return Writer(seed, operations).write(); }

} // namespace inspector
