#include "core/passes/decompose/call.h"

#include <algorithm>
#include <charconv>

#include "core/graph/symbolic_arithmetic.h"
#include "core/operators/operator_table.h"

namespace inspector::decomposition {
namespace {

const TensorMeta no_tensor_meta{};

bool is_half(DType dtype) { return dtype == DType::f16 || dtype == DType::bf16; }

std::string_view name_of(std::string_view target) { return target.substr(0, target.find('.')); }

} // namespace

// --- Tensor ----------------------------------------------------------------------------------------------------------

const TensorMeta& Tensor::meta() const {
    if (!is_defined()) return no_tensor_meta;
    const auto* meta = std::get_if<TensorMeta>(&call_->graph().node(node_).meta);
    if (meta) return *meta;
    call_->trouble("the shape of %" + call_->graph().node(node_).name + " is not known");
    return no_tensor_meta;
}

DType Tensor::dtype() const { return meta().dtype; }
std::string Tensor::device() const { return meta().device.value_or("cpu"); }
std::int64_t Tensor::rank() const { return static_cast<std::int64_t>(meta().sizes.size()); }
std::vector<SymbolicSize> Tensor::sizes() const { return meta().sizes; }

std::optional<std::int64_t> Tensor::constant_size(std::int64_t dim) const {
    if (dim < 0) dim += rank();
    if (dim < 0 || dim >= rank()) return std::nullopt;
    return meta().sizes[static_cast<std::size_t>(dim)].constant();
}

Argument Tensor::size(std::int64_t dim) const { return is_defined() ? call_->size_of(*this, dim) : Argument(); }

std::vector<Argument> Tensor::shape() const {
    std::vector<Argument> all;
    for (std::int64_t i = 0; i < rank(); ++i) all.push_back(size(i));
    return all;
}

Tensor Tensor::to(DType wanted) const { return is_defined() ? call_->cast(*this, wanted) : *this; }

// --- sizes -----------------------------------------------------------------------------------------------------------

void SizeNodes::visit(const Graph& graph, NodeId node) {
    const auto* scalar = std::get_if<ScalarMeta>(&graph.node(node).meta);
    if (!scalar || scalar->kind != ScalarMeta::Kind::integer || scalar->value.is_constant()) return;
    if (find(graph, scalar->value, node) == no_node) nodes_.insert_or_assign(scalar->value.to_string(), node);
}

NodeId SizeNodes::find(const Graph& graph, const SymbolicSize& size, NodeId position) const {
    const auto found = nodes_.find(size.to_string());
    if (found == nodes_.end() || !graph.contains(found->second) || !graph.is_before(found->second, position)) return no_node;
    // An undone node's id may be another's now.
    const auto* scalar = std::get_if<ScalarMeta>(&graph.node(found->second).meta);
    return scalar && scalar->value == size ? found->second : no_node;
}

std::vector<NodeId> SizeNodes::all(const Graph& graph, NodeId position) const {
    std::vector<NodeId> held;
    for (const auto& [text, node] : nodes_) {
        if (!graph.contains(node) || !graph.is_before(node, position)) continue;
        const auto* scalar = std::get_if<ScalarMeta>(&graph.node(node).meta);
        if (scalar && scalar->value.to_string() == text) held.push_back(node);
    }
    return held;
}

std::optional<SymbolicSize> Call::size_value(const Argument& size) const {
    if (const auto* number = size.as<std::int64_t>()) return SymbolicSize(*number);
    if (const auto* symbol = size.as<SymbolicSize>()) return *symbol;
    if (size.node() == no_node) return std::nullopt;
    const auto* scalar = std::get_if<ScalarMeta>(&graph_.node(size.node()).meta);
    return scalar ? std::optional(scalar->value) : std::nullopt;
}

Argument Call::size_of(const Tensor& x, std::int64_t dim) {
    const std::vector<SymbolicSize> sizes = x.sizes();
    if (dim < 0) dim += x.rank();
    if (dim < 0 || dim >= x.rank()) {
        trouble("a dimension is out of range");
        return std::int64_t{0};
    }
    const SymbolicSize& size = sizes[static_cast<std::size_t>(dim)];
    if (size.is_constant()) return *size.constant();
    if (const NodeId known = sizes_.find(graph_, size, node_); known != no_node) return NodeReference{known};
    return insert("sym_size_int", "torch.ops.aten.sym_size.int", {x, dim}, {}, ScalarMeta{ScalarMeta::Kind::integer, size});
}

Argument Call::arithmetic(const char* function, const Argument& a, const Argument& b, std::optional<SymbolicSize> value) {
    if (!value) {
        trouble("a size cannot be written as an expression");
        return std::int64_t{0};
    }
    if (value->is_constant()) return *value->constant();
    if (const NodeId known = sizes_.find(graph_, *value, node_); known != no_node) return NodeReference{known};
    return insert(function, std::string("operator.") + function, {a, b}, {}, ScalarMeta{ScalarMeta::Kind::integer, std::move(*value)});
}

Argument Call::times(const Argument& a, const Argument& b) {
    const auto x = size_value(a), y = size_value(b);
    return arithmetic("mul", a, b, x && y ? inspector::product(*x, *y) : std::nullopt);
}

Argument Call::plus(const Argument& a, const Argument& b) {
    const auto x = size_value(a), y = size_value(b);
    return arithmetic("add", a, b, x && y ? inspector::sum(*x, *y) : std::nullopt);
}

Argument Call::product_of(const std::vector<Argument>& sizes) {
    Argument all = std::int64_t{1};
    for (const Argument& size : sizes) all = times(all, size);
    return all;
}

Argument Call::hold(const SymbolicSize& size) {
    if (size.is_constant()) return *size.constant();
    if (const NodeId known = sizes_.find(graph_, size, node_); known != no_node) return NodeReference{known};
    const auto wanted = metadata_.samples().numbers(size);
    std::vector<Argument> held;
    for (const NodeId node : sizes_.all(graph_, node_)) held.emplace_back(NodeReference{node});
    for (const NodeId operand : graph_.inputs(node_)) {
        const auto* tensor = std::get_if<TensorMeta>(&graph_.node(operand).meta);
        for (std::size_t i = 0; tensor && i < tensor->sizes.size(); ++i) {
            if (tensor->sizes[i].is_constant()) continue;
            if (tensor->sizes[i] == size) return size_of({*this, operand}, static_cast<std::int64_t>(i));
            if (sizes_.find(graph_, tensor->sizes[i], node_) == no_node) held.push_back(size_of({*this, operand}, static_cast<std::int64_t>(i)));
        }
    }
    const auto numbers = [&](const Argument& one) { return metadata_.samples().numbers(size_value(one).value_or(SymbolicSize())); };
    for (const Argument& one : held) {
        const auto x = numbers(one);
        if (!wanted || !x) continue;
        if (const auto line = line_through(*x, *wanted)) {
            const Argument scaled = line->first == 1 ? one : times(one, line->first);
            return line->second == 0 ? scaled : plus(scaled, line->second);
        }
        for (const Argument& other : held) {
            const auto y = numbers(other);
            bool is_product = y.has_value(), is_sum = y.has_value();
            for (std::size_t i = 0; y && i < x->size(); ++i) {
                is_product &= (*x)[i] * (*y)[i] == (*wanted)[i];
                is_sum &= (*x)[i] + (*y)[i] == (*wanted)[i];
            }
            if (is_product) return times(one, other);
            if (is_sum) return plus(one, other);
        }
    }
    trouble("no node holds the size " + size.to_string());
    return std::int64_t{0};
}

// --- what is given ---------------------------------------------------------------------------------------------------

Call::Call(Graph& graph, ResultMeta& metadata, NodeId node, const Operator& op, SizeNodes& sizes)
    : graph_(graph), metadata_(metadata), node_(node), op_(op), sizes_(sizes) {}

Argument Call::argument(std::string_view name) const {
    const Node& node = graph_.node(node_);
    for (const auto& [key, value] : node.kwargs)
        if (key == name) return value;
    for (std::size_t i = 0; i < op_.arguments.size(); ++i) {
        if (op_.arguments[i].name != name) continue;
        if (i < node.args.size()) return node.args[i];
        return op_.arguments[i].default_text ? parse_default(*op_.arguments[i].default_text) : Argument();
    }
    return {};
}

std::vector<Argument> Call::arguments() const {
    std::vector<Argument> all;
    for (const SchemaArgument& each : op_.arguments) all.push_back(argument(each.name));
    return all;
}

bool Call::is_given(std::string_view name) const { return !argument(name).as<None>(); }

Tensor Call::tensor(std::string_view name) {
    const Argument given = argument(name);
    if (given.as<None>()) return {};
    if (given.node() != no_node && std::holds_alternative<TensorMeta>(graph_.node(given.node()).meta)) return {*this, given.node()};
    if (given.node() != no_node) {
        trouble("the shape of %" + graph_.node(given.node()).name + " is not known");
        return {};
    }
    const TensorMeta& like = result();
    // As torch types a number that stands for a tensor.
    const DType real = is_floating_point(like.dtype) ? like.dtype : DType::f32;
    const DType dtype = given.as<bool>() ? DType::b8 : given.as<std::int64_t>() ? DType::i64 : real;
    return add("full.default", {list(std::vector<Argument>{}), given},
               {{"dtype", dtype}, {"device", DeviceName{like.device.value_or("cpu")}}});
}

std::vector<Tensor> Call::tensors(std::string_view name) {
    std::vector<Tensor> all;
    for (const Argument& item : items(name)) {
        if (item.node() == no_node || !std::holds_alternative<TensorMeta>(graph_.node(item.node()).meta)) {
            trouble("what is in the list " + std::string(name) + " is not known");
            return {};
        }
        all.emplace_back(*this, item.node());
    }
    return all;
}

Tensor Call::compute(std::string_view name, bool as_result) {
    const Tensor x = tensor(name);
    if (!x.is_defined()) return x;
    const DType wanted = as_result ? result().dtype : x.dtype();
    return x.to(is_half(wanted) ? DType::f32 : wanted);
}

std::int64_t Call::integer(std::string_view name) {
    const Argument given = argument(name);
    if (const auto* number = given.as<std::int64_t>()) return *number;
    if (const auto* flag = given.as<bool>()) return *flag ? 1 : 0;
    if (const auto size = size_value(given); size && size->is_constant()) return *size->constant();
    trouble("its argument " + std::string(name) + " is no constant number");
    return 0;
}

double Call::number(std::string_view name) {
    const Argument given = argument(name);
    if (const auto* number = given.as<double>()) return *number;
    return static_cast<double>(integer(name));
}

bool Call::flag(std::string_view name) {
    const Argument given = argument(name);
    if (const auto* flag = given.as<bool>()) return *flag;
    return integer(name) != 0;
}

std::string Call::text(std::string_view name) {
    const Argument given = argument(name);
    if (const auto* text = given.as<std::string>()) return *text;
    if (!given.as<None>()) trouble("its argument " + std::string(name) + " is no text");
    return {};
}

std::optional<DType> Call::dtype(std::string_view name) {
    const Argument given = argument(name);
    const auto* dtype = given.as<DType>();
    return dtype ? std::optional(*dtype) : std::nullopt;
}

std::vector<Argument> Call::items(std::string_view name) {
    const Argument given = argument(name);
    if (given.as<None>()) return {};
    if (const auto* all = given.as<ArgumentList>()) return all->items;
    return {given};
}

std::vector<std::int64_t> Call::integers(std::string_view name) {
    std::vector<std::int64_t> all;
    for (const Argument& item : items(name)) {
        const auto size = size_value(item);
        if (!size || !size->is_constant()) {
            trouble("its argument " + std::string(name) + " holds no constant numbers");
            return {};
        }
        all.push_back(*size->constant());
    }
    return all;
}

std::int64_t Call::dim(std::string_view name, std::int64_t rank) {
    std::int64_t dim = integer(name);
    if (dim < 0) dim += std::max<std::int64_t>(rank, 1);
    if (dim < 0 || dim >= std::max<std::int64_t>(rank, 1)) trouble("dimension " + std::to_string(dim) + " is out of range");
    return has_trouble() ? 0 : dim;
}

std::vector<std::int64_t> Call::dims(std::string_view name, std::int64_t rank) {
    std::vector<std::int64_t> all = integers(name);
    for (std::int64_t& dim : all) {
        if (dim < 0) dim += std::max<std::int64_t>(rank, 1);
        if (dim < 0 || dim >= std::max<std::int64_t>(rank, 1)) trouble("dimension " + std::to_string(dim) + " is out of range");
    }
    if (has_trouble()) return {};
    if (all.empty())
        for (std::int64_t i = 0; i < rank; ++i) all.push_back(i);
    return all;
}

const TensorMeta& Call::result(std::size_t index) {
    const ValueMeta& meta = graph_.node(node_).meta;
    if (const auto* tensor = std::get_if<TensorMeta>(&meta); tensor && index == 0) return *tensor;
    const auto* all = std::get_if<ListMeta>(&meta);
    if (all && index < all->items.size() && all->items[index]) return *all->items[index];
    trouble("the shape of its result is not known");
    return no_tensor_meta;
}

bool Call::is_used(std::size_t index) const {
    for (const NodeId user : graph_.users(node_)) {
        const Node& node = graph_.node(user);
        const bool is_item = node.target == "operator.getitem" || node.target == "_operator.getitem";
        const auto* place = is_item && node.args.size() > 1 ? node.args[1].as<std::int64_t>() : nullptr;
        if (!place || *place < 0 || (*place == static_cast<std::int64_t>(index) && graph_.has_users(user))) return true;
    }
    return false;
}

// --- what is added ---------------------------------------------------------------------------------------------------

Tensor Call::insert(std::string_view candidate, std::string target, std::vector<Argument> args,
                    std::vector<NamedArgument> kwargs, ValueMeta meta) {
    if (has_trouble()) return {};
    Node node;
    node.name = graph_.fresh_name(candidate);
    node.target = std::move(target);
    node.args = std::move(args);
    node.kwargs = std::move(kwargs);
    node.meta = std::move(meta);
    node.origin = graph_.node(node_).origin;
    node.origin.created_by_pass = true;
    const NodeId id = graph_.insert_before(node_, std::move(node));
    added_.push_back(id);
    sizes_.visit(graph_, id);
    return {*this, id};
}

Tensor Call::add(std::string_view target, std::vector<Argument> args, std::vector<NamedArgument> kwargs) {
    if (has_trouble()) return {};
    const std::string full = "torch.ops.aten." + std::string(target);
    const Operator* op = OperatorTable::instance().find(full);
    if (!op) {
        trouble("there is no operator aten." + std::string(target));
        return {};
    }
    // A rule may pass arguments in the schema's order; what is keyword-only there has its name in the graph.
    const auto positional = static_cast<std::size_t>(std::ranges::count_if(op->arguments, [](const auto& each) { return !each.keyword_only; }));
    for (std::size_t i = positional; i < args.size() && i < op->arguments.size(); ++i)
        kwargs.emplace_back(op->arguments[i].name, std::move(args[i]));
    args.resize(std::min(args.size(), positional));
    auto meta = metadata_.infer(graph_, *op, args, kwargs);
    if (!meta) {
        trouble("aten." + std::string(target) + ": " + meta.error().reason);
        return {};
    }
    const Node& source = graph_.node(node_);
    if (auto* made = std::get_if<TensorMeta>(&*meta); made && (is_floating_point(made->dtype) || is_complex(made->dtype)))
        if (const auto* like = std::get_if<TensorMeta>(&source.meta)) made->requires_grad = like->requires_grad;
    return insert(name_of(target), full, std::move(args), std::move(kwargs), std::move(*meta));
}

Tensor Call::item(const Tensor& list, std::size_t index) {
    if (has_trouble() || !list.is_defined()) return {};
    const auto* all = std::get_if<ListMeta>(&graph_.node(list.node()).meta);
    if (!all || index >= all->items.size() || !all->items[index]) {
        trouble("%" + graph_.node(list.node()).name + " has no result " + std::to_string(index));
        return {};
    }
    return insert("getitem", "operator.getitem", {list, static_cast<std::int64_t>(index)}, {}, *all->items[index]);
}

Tensor Call::cast(const Tensor& x, DType dtype) {
    if (!x.is_defined() || x.dtype() == dtype) return x;
    return add("_to_copy.default", {x}, {{"dtype", dtype}});
}

Tensor Call::full(std::vector<Argument> sizes, Argument value, DType dtype, const Tensor& like) {
    return add("full.default", {list(std::move(sizes)), std::move(value)}, {{"dtype", dtype}, {"device", DeviceName{like.device()}}});
}

Argument Call::list_of(const std::vector<std::int64_t>& items) { return list(items); }

Tensor Call::reshape(const Tensor& x, std::vector<Argument> sizes) {
    if (has_trouble() || !x.is_defined()) return {};
    static const Operator* view = OperatorTable::instance().find("aten.view.default");
    const std::vector<Argument> args{x, list(std::move(sizes))};
    if (view && metadata_.infer(graph_, *view, args, {})) return add("view.default", args, {});
    return add("view.default", {contiguous(x), args[1]}, {});
}

Tensor Call::transpose(const Tensor& x, std::int64_t a, std::int64_t b) {
    const std::int64_t rank = x.rank();
    if (a < 0) a += rank;
    if (b < 0) b += rank;
    if (a < 0 || b < 0 || a >= rank || b >= rank) {
        if (rank != 0) trouble("a dimension is out of range");
        return rank == 0 && !has_trouble() ? (*this)("alias.default", x) : Tensor();
    }
    std::vector<std::int64_t> order(static_cast<std::size_t>(rank));
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int64_t>(i);
    std::swap(order[static_cast<std::size_t>(a)], order[static_cast<std::size_t>(b)]);
    return permute(x, order);
}

Tensor Call::expand(const Tensor& x, std::vector<Argument> sizes) {
    if (has_trouble() || !x.is_defined()) return {};
    bool is_same = sizes.size() == x.sizes().size();
    for (std::size_t i = 0; is_same && i < sizes.size(); ++i) is_same = size_value(sizes[i]) == x.sizes()[i];
    return is_same ? x : add("expand.default", {x, list(std::move(sizes))}, {});
}

Tensor Call::sum(const Tensor& x, const std::vector<std::int64_t>& dims, bool keep) {
    return keep ? (*this)("sum.dim_IntList", x, list(dims), true) : (*this)("sum.dim_IntList", x, list(dims));
}

Tensor Call::arange(Argument end, DType dtype, const Tensor& like) {
    return add("arange.start_step", {std::int64_t{0}, std::move(end)}, {{"dtype", dtype}, {"device", DeviceName{like.device()}}});
}

Tensor Call::contiguous(const Tensor& x) { return add("clone.default", {x}, {{"memory_format", MemoryFormat::contiguous}}); }

bool Call::lies_as(const Tensor& x, MemoryFormat format) {
    static const Operator* clone = OperatorTable::instance().find("aten.clone.default");
    if (!x.is_defined() || !clone) return false;
    const auto copy = metadata_.infer(graph_, *clone, {x}, {{"memory_format", format}});
    const auto* made = copy ? std::get_if<TensorMeta>(&*copy) : nullptr;
    const auto* meta = std::get_if<TensorMeta>(&graph_.node(x.node()).meta);
    return made && meta && made->strides == meta->strides;
}

std::vector<NamedArgument> Call::factory_options() {
    std::vector<NamedArgument> options;
    const TensorMeta& like = result();
    if (has_trouble()) return options;
    options.emplace_back("dtype", like.dtype);
    if (is_given("layout")) options.emplace_back("layout", argument("layout"));
    options.emplace_back("device", is_given("device") ? argument("device") : Argument(DeviceName{like.device.value_or("cpu")}));
    if (is_given("pin_memory")) options.emplace_back("pin_memory", argument("pin_memory"));
    return options;
}

// --- the end ---------------------------------------------------------------------------------------------------------

Values Call::give(const Tensor& value) {
    if (!has_trouble() && std::holds_alternative<TensorMeta>(graph_.node(node_).meta)) return {{value.to(result().dtype)}};
    return {{value}};
}

Values Call::give_all(std::vector<Tensor> values) {
    Values all;
    for (std::size_t i = 0; i < values.size(); ++i)
        all.items.push_back(values[i].is_defined() && !has_trouble() ? values[i].to(result(i).dtype) : values[i]);
    return all;
}

Values Call::decline(std::string why) {
    trouble(std::move(why));
    return {};
}

Argument list(std::vector<Argument> items) { return ArgumentList{ArgumentList::Kind::list, std::move(items)}; }

Argument list(const std::vector<std::int64_t>& items) {
    return ArgumentList{ArgumentList::Kind::list, {items.begin(), items.end()}};
}

Argument list(const std::vector<Tensor>& items) { return ArgumentList{ArgumentList::Kind::list, {items.begin(), items.end()}}; }

Argument parse_default(std::string_view text) {
    if (text == "None") return None{};
    if (text == "True") return true;
    if (text == "False") return false;
    if (text.starts_with('"')) return std::string(text.substr(1, text.size() - 2));
    if (text.starts_with('[')) {
        std::vector<Argument> items;
        text = text.substr(1, text.size() - 2);
        while (!text.empty()) {
            const auto end = std::min(text.find(','), text.size());
            const auto start = std::min(text.find_first_not_of(' '), end);
            if (start < end) items.push_back(parse_default(text.substr(start, end - start)));
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        return list(std::move(items));
    }
    std::int64_t integer = 0;
    if (const auto read = std::from_chars(text.data(), text.data() + text.size(), integer);
        read.ec == std::errc() && read.ptr == text.data() + text.size())
        return integer;
    double number = 0;
    if (const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
        read.ec == std::errc() && read.ptr == text.data() + text.size())
        return number;
    return OpaqueText{std::string(text)};
}

// --- arithmetic ------------------------------------------------------------------------------------------------------

namespace {

Tensor binary(const char* target, const Tensor& a, const Argument& b) {
    return a.is_defined() ? a.call().add(target, {a, b}, {}) : a;
}

} // namespace

Tensor operator+(const Tensor& a, const Tensor& b) { return binary("add.Tensor", a, b); }
Tensor operator-(const Tensor& a, const Tensor& b) { return binary("sub.Tensor", a, b); }
Tensor operator*(const Tensor& a, const Tensor& b) { return binary("mul.Tensor", a, b); }
Tensor operator/(const Tensor& a, const Tensor& b) { return binary("div.Tensor", a, b); }
Tensor operator-(const Tensor& a) { return a.is_defined() ? a.call()("neg.default", a) : a; }
Tensor operator+(const Tensor& a, const Argument& b) { return binary("add.Scalar", a, b); }
Tensor operator-(const Tensor& a, const Argument& b) { return binary("sub.Scalar", a, b); }
Tensor operator*(const Tensor& a, const Argument& b) { return binary("mul.Scalar", a, b); }
Tensor operator/(const Tensor& a, const Argument& b) { return binary("div.Scalar", a, b); }
Tensor operator-(const Argument& number, const Tensor& a) { return -a + number; }
Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b) {
    return condition.is_defined() ? condition.call()("where.self", condition, a, b) : condition;
}

} // namespace inspector::decomposition
