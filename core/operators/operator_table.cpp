#include "core/operators/operator_table.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <mutex>
#include <span>
#include <unordered_map>
#include <utility>

#include "core/operators/dispatcher_schemas.h"
#include "core/operators/parse_schema.h"
#include "core/operators/schema_list.h"

namespace inspector {

namespace {

/// One line of the list, parsed when somebody asks for it.
struct Entry {
    std::string_view schema;
    std::string_view tags;
    std::string_view computation;
    std::atomic<const Operator*> parsed = nullptr;
};

std::string_view name_of(std::string_view schema) { return schema.substr(0, schema.find_first_of(".(")); }

std::string_view overload_of(std::string_view schema) {
    const auto end = schema.find('(');
    const auto dot = schema.find('.');
    return dot < end ? schema.substr(dot + 1, end - dot - 1) : std::string_view{};
}

std::vector<std::string> split_words(std::string_view words) {
    std::vector<std::string> out;
    while (!words.empty()) {
        const auto comma = std::min(words.find(','), words.size());
        out.emplace_back(words.substr(0, comma));
        words.remove_prefix(std::min(comma + 1, words.size()));
    }
    return out;
}

void take_computation(std::string_view words, Operator& op) {
    for (const std::string& word : split_words(words)) {
        if (word == "composite") op.is_composite = true;
        else if (word == "decomposition") op.has_decomposition = true;
        else if (word == "meta") op.meta = MetaForm::kernel;
        else if (word == "meta_composite") op.meta = MetaForm::composite;
        else if (word == "meta_python") op.meta = MetaForm::python;
    }
}

/// "torch.ops.aten.add.Tensor" → {"aten::add", "Tensor"}; an empty name where the target has another form.
std::pair<std::string, std::string_view> split_target(std::string_view target) {
    constexpr std::string_view prefix = "torch.ops.";
    if (target.starts_with(prefix)) target.remove_prefix(prefix.size());
    const auto last = target.rfind('.');
    if (last == std::string_view::npos || last == 0) return {};
    const auto middle = target.rfind('.', last - 1);
    if (middle == std::string_view::npos || middle == 0) return {};
    std::string_view overload = target.substr(last + 1);
    if (overload == "default") overload = {};
    return {std::string(target.substr(0, middle)) + "::" + std::string(target.substr(middle + 1, last - middle - 1)),
            overload};
}

} // namespace

struct OperatorTable::Index {
    std::deque<Entry> entries;
    std::unordered_map<std::string_view, std::pair<std::size_t, std::size_t>> by_name; ///< first entry, one past the last

    std::mutex mutex; ///< guards what follows, and parsing
    std::deque<Operator> operators;
    std::unordered_map<std::string, std::vector<const Operator*>> from_dispatcher;

    explicit Index(std::string_view list) {
        by_name.reserve(4096);
        while (!list.empty()) {
            const auto end = std::min(list.find('\n'), list.size());
            const std::string_view line = list.substr(0, end);
            list.remove_prefix(std::min(end + 1, list.size()));
            const auto tab = line.find('\t');
            const auto second = line.find('\t', tab + 1);
            if (second == std::string_view::npos) continue;
            Entry& entry = entries.emplace_back();
            entry.schema = line.substr(0, tab);
            entry.tags = line.substr(tab + 1, second - tab - 1);
            entry.computation = line.substr(second + 1);
            const std::size_t index = entries.size() - 1;
            by_name.try_emplace(name_of(entry.schema), index, index).first->second.second = index + 1;
        }
    }

    const Operator* parse(Entry& entry) {
        if (const Operator* done = entry.parsed.load(std::memory_order_acquire)) return done;
        const std::lock_guard lock(mutex);
        if (const Operator* done = entry.parsed.load(std::memory_order_relaxed)) return done;
        auto op = parse_schema(entry.schema);
        if (!op) return nullptr;
        op->tags = split_words(entry.tags);
        take_computation(entry.computation, *op);
        const Operator* kept = &operators.emplace_back(std::move(*op));
        entry.parsed.store(kept, std::memory_order_release);
        return kept;
    }

    std::vector<const Operator*> listed(std::string_view name) {
        std::vector<const Operator*> out;
        const auto found = by_name.find(name);
        if (found == by_name.end()) return out;
        for (std::size_t i = found->second.first; i < found->second.second; ++i)
            if (const Operator* op = parse(entries[i])) out.push_back(op);
        return out;
    }

    std::vector<const Operator*> registered(std::string_view name) {
        const std::lock_guard lock(mutex);
        const std::string key(name);
        if (const auto known = from_dispatcher.find(key); known != from_dispatcher.end()) return known->second;
        std::vector<const Operator*> found;
        for (Operator& op : dispatcher_overloads(name)) found.push_back(&operators.emplace_back(std::move(op)));
        // A miss is not remembered: a library loaded later may register the name.
        if (!found.empty()) from_dispatcher.emplace(key, found);
        return found;
    }
};

OperatorTable::OperatorTable() : index_(new Index(schema_list())) {}
OperatorTable::~OperatorTable() { delete index_; }

const OperatorTable& OperatorTable::instance() {
    static const OperatorTable table;
    return table;
}

const Operator* OperatorTable::find(std::string_view target) const {
    const auto [name, overload] = split_target(target);
    if (name.empty()) return nullptr;
    if (const auto listed = index_->by_name.find(name); listed != index_->by_name.end()) {
        for (std::size_t i = listed->second.first; i < listed->second.second; ++i)
            if (overload_of(index_->entries[i].schema) == overload) return index_->parse(index_->entries[i]);
    }
    for (const Operator* op : index_->registered(name))
        if (op->overload == overload) return op;
    return nullptr;
}

std::vector<const Operator*> OperatorTable::overloads(std::string_view qualified_name) const {
    auto listed = index_->listed(qualified_name);
    return listed.empty() ? index_->registered(qualified_name) : listed;
}

std::vector<const Operator*> OperatorTable::all() const {
    std::vector<const Operator*> out;
    for (Entry& entry : index_->entries)
        if (const Operator* op = index_->parse(entry)) out.push_back(op);
    return out;
}

namespace {

bool same_argument_types(std::span<const SchemaArgument> a, std::span<const SchemaArgument> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const SchemaArgument& x, const SchemaArgument& y) {
        return comparable_type(x.type) == comparable_type(y.type);
    });
}

} // namespace

InplaceSearch OperatorTable::find_inplace(const Operator& op) const {
    if (op.view != ViewKind::none) return {};
    InplaceSearch search;
    const std::string name = op.name + "_";
    for (const Operator* candidate : op.registered_here ? overloads(name) : index_->listed(name)) {
        const auto& arguments = candidate->arguments;
        const bool writes_first = !arguments.empty() && arguments[0].alias && arguments[0].alias->is_write;
        const bool writes_only_first = writes_first && std::none_of(arguments.begin() + 1, arguments.end(),
                                                                    [](const auto& a) { return a.alias.has_value(); });
        if (!writes_only_first) return {nullptr, true};
        if (!same_argument_types(op.arguments, arguments)) continue;
        if (search.variant) return {nullptr, true};
        search.variant = candidate;
    }
    return search;
}

const Operator* OperatorTable::out_variant(const Operator& op) const {
    for (const Operator* candidate : op.registered_here ? overloads(op.name) : index_->listed(op.name)) {
        const auto& arguments = candidate->arguments;
        const auto is_out = [](const SchemaArgument& a) { return a.keyword_only && a.alias && a.alias->is_write; };
        const auto outs = std::find_if(arguments.begin(), arguments.end(), is_out);
        if (outs == arguments.end() || !std::all_of(outs, arguments.end(), is_out)) continue;
        const auto others = std::span(arguments).first(static_cast<std::size_t>(outs - arguments.begin()));
        if (same_argument_types(op.arguments, others)) return candidate;
    }
    return nullptr;
}

const Operator* OperatorTable::functional_variant(const Operator& op) const {
    const auto is_written = [](const SchemaArgument& a) { return a.alias && a.alias->is_write; };
    const auto is_out = [&](const SchemaArgument& a) { return a.keyword_only && is_written(a); };
    const auto& arguments = op.arguments;
    const auto outs = std::ranges::find_if(arguments, is_out);
    const bool writes_out = outs != arguments.end() && std::all_of(outs, arguments.end(), is_out) &&
                            std::none_of(arguments.begin(), outs, is_written);
    const auto kept = writes_out ? std::span(arguments).first(static_cast<std::size_t>(outs - arguments.begin()))
                                 : std::span(arguments);
    const auto written = std::ranges::count_if(arguments, is_written);
    const auto fresh = std::ranges::count_if(op.returns, [&](const SchemaArgument& result) { return !is_written(result); });

    std::vector<std::string> names;
    const bool is_in_place = op.name.ends_with('_') && !op.name.ends_with("__");
    const auto python_name = op.name.find("::__i"); // __ior__ is the in-place form of __or__
    if (writes_out) names = {op.name};
    else if (python_name != std::string::npos) names = {op.name.substr(0, python_name + 4) + op.name.substr(python_name + 5)};
    else if (is_in_place) names = {op.name.substr(0, op.name.size() - 1), op.name.substr(0, op.name.size() - 1) + "_functional"};
    else names = {op.name + "_functional", op.name};
    for (const std::string& name : names) {
        for (const Operator* candidate : op.registered_here ? overloads(name) : index_->listed(name)) {
            if (candidate->is_mutable || !same_argument_types(kept, candidate->arguments)) continue;
            if (std::ssize(candidate->returns) == fresh + written) return candidate;
        }
    }
    return nullptr;
}

const Operator* OperatorTable::view_of_scatter(const Operator& scatter) const {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 4> views{{
        {"aten::diagonal_scatter", "aten.diagonal.default"},
        {"aten::select_scatter", "aten.select.int"},
        {"aten::slice_scatter", "aten.slice.Tensor"},
        {"aten::as_strided_scatter", "aten.as_strided.default"},
    }};
    if (!scatter.overload.empty()) return nullptr; // the .out forms are no inverse of a view
    for (const auto& [name, view] : views)
        if (scatter.name == name) return find(view);
    return nullptr;
}

} // namespace inspector
