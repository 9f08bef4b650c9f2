#include <algorithm>
#include <optional>
#include <set>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/round.h>
#include <ATen/ops/view_as_complex.h>
#include <ATen/ops/view_as_real.h>
#include <torch/csrc/jit/serialization/pickle.h>

#include "core/analysis/fitting_sizes.h"
#include "core/analysis/symbol_values.h"
#include "core/analysis/symbolic_region.h"
#include "core/analysis/tensor_extent.h"
#include "core/formats/pt2/archive.h"
#include "core/formats/pt2/model_record.h"
#include "core/graph/print.h"
#include "core/graph/stored_tensor.h"
#include "core/libtorch/entries.h"
#include "core/libtorch/execution/torch_values.h"
#include "core/libtorch/kernel_messages.h"
#include "core/libtorch/operators/boxing.h"

namespace inspector {
namespace {

using c10::IValue;

/// Sizes of a tensor with every symbol replaced.
struct Extent {
    std::vector<std::int64_t> sizes, strides;
    std::int64_t offset = 0;
    std::int64_t elements = 0; ///< from the start of the storage to the last cell
};

class InputMaker {
public:
    InputMaker(const Program& program, std::size_t index, const RunOptions& options)
        : program_(program), source_(program.graphs[index]), options_(options),
          generator_(at::detail::createCPUGenerator(options.seed)) {}

    Result<RunInputs> make() {
        choose_sizes();
        if (options_.sizes.empty()) read_sample_inputs();
        std::size_t user_input = 0;
        const std::vector<NodeId> placeholders = source_.graph.placeholders();
        for (const NodeId id : placeholders) {
            auto value = placeholder(id, user_input);
            if (!value) return tl::unexpected(std::move(value.error()));
            state_.placeholders.push_back(std::move(*value));
        }
        for (const ProgramGraph& graph : program_.graphs)
            for (const NodeId id : graph.graph)
                if (graph.graph.node(id).opcode == Opcode::get_attr)
                    if (auto made = attribute(graph.graph.node(id)); !made)
                        return tl::unexpected(std::move(made.error()));
        return RunInputs(std::make_shared<const RunInputs::State>(std::move(state_)), std::move(notes_), std::move(misfit_));
    }

private:
    // --- symbols -----------------------------------------------------------------------------------------------------

    void choose_sizes() {
        const std::set<std::string> symbols = input_symbols(source_.graph);
        SymbolValueMap given;
        for (const std::string& symbol : symbols) {
            const auto asked = options_.sizes.find(symbol);
            const auto hint = source_.hints.find(symbol);
            if (asked != options_.sizes.end()) given[symbol] = asked->second;
            else if (hint != source_.hints.end()) given[symbol] = hint->second;
        }
        if (!options_.sizes.empty()) settle_hints(symbols, given);
        const FittingSizes chosen = choose_fitting_sizes(source_, symbols, given);
        for (const auto& [symbol, size] : chosen.values) {
            state_.sizes[symbol] = size;
            if (!given.contains(symbol))
                notes_.push_back(symbol + ": the file gives no sample size, " + std::to_string(size) +
                                       " is used");
        }
        if (chosen.unfulfilled.empty()) return;
        const SizeOrder order = size_order(source_);
        std::string list;
        for (const SizeFact& fact : chosen.unfulfilled)
            list += (list.empty() ? "" : ", ") + order.text(fact.condition) + " (%" +
                    source_.graph.node(fact.node).name + ")";
        misfit_ = "no sizes were found that fit " + list;
        notes_.push_back(misfit_);
    }

    /// Where some sizes are asked for, samples of the others that do not fit them are given up.
    void settle_hints(const std::set<std::string>& symbols, SymbolValueMap& given) const {
        if (choose_fitting_sizes(source_, symbols, given).unfulfilled.empty()) return;
        std::erase_if(given, [&](const auto& size) { return !options_.sizes.contains(size.first); });
    }

    std::optional<std::int64_t> evaluate(const SymbolicSize& size) const {
        return size.evaluate([&](std::string_view symbol) -> std::optional<std::int64_t> {
            const auto known = state_.sizes.find(std::string(symbol));
            return known == state_.sizes.end() ? std::nullopt : std::optional(known->second);
        });
    }

    /// Each stride is the product of the sizes behind it.
    static bool is_product_of_sizes(const Extent& extent) {
        std::int64_t expected = 1;
        for (std::size_t i = extent.sizes.size(); i-- > 0;)
            if (extent.strides[i] != expected || __builtin_mul_overflow(expected, extent.sizes[i], &expected)) return false;
        return true;
    }

    Result<Extent> extent(const TensorMeta& meta) const {
        Extent extent;
        for (const SymbolicSize& size : meta.sizes) {
            const auto value = evaluate(size);
            if (!value || *value < 0) return fail("", "the size " + size.to_string() + " is not known");
            extent.sizes.push_back(*value);
        }
        if (meta.strides) {
            for (const SymbolicSize& stride : *meta.strides) {
                const auto value = evaluate(stride);
                if (!value || *value < 0) return fail("", "the stride " + stride.to_string() + " is not known");
                extent.strides.push_back(*value);
            }
            // A file writes s1 for the stride above a dimension of size s1; torch sets 1 where that is 0.
            if (std::ranges::find(extent.sizes, 0) != extent.sizes.end() && is_product_of_sizes(extent))
                extent.strides = contiguous_strides(extent.sizes);
        } else {
            extent.strides.assign(extent.sizes.size(), 1);
            for (std::size_t i = extent.sizes.size(); i-- > 1;)
                if (__builtin_mul_overflow(extent.strides[i], std::max<std::int64_t>(extent.sizes[i], 1),
                                           &extent.strides[i - 1]))
                    return fail("", "the tensor is too large");
        }
        if (meta.storage_offset) {
            const auto value = evaluate(*meta.storage_offset);
            if (!value || *value < 0) return fail("", "the storage offset is not known");
            extent.offset = *value;
        }
        std::int64_t last = extent.offset + 1;
        for (std::size_t i = 0; i < extent.sizes.size(); ++i) {
            std::int64_t step = 0;
            if (extent.sizes[i] > 0 && (__builtin_mul_overflow(extent.sizes[i] - 1, extent.strides[i], &step) ||
                                        __builtin_add_overflow(last, step, &last)))
                return fail("", "the tensor is too large");
        }
        extent.elements = last;
        return extent;
    }

    /// Counts `bytes` against the limit.
    Result<void> reserve(std::int64_t bytes) {
        if (bytes > options_.memory_limit - reserved_)
            return fail("", "the inputs need more than the memory limit of " + std::to_string(options_.memory_limit) +
                                " bytes");
        reserved_ += bytes;
        return {};
    }

    // --- made-up values ----------------------------------------------------------------------------------------------

    Result<IValue> make_tensor(const TensorMeta& meta, std::int64_t integer_bound) {
        const auto type = scalar_type(meta.dtype);
        if (!type || c10::isQIntType(*type))
            return fail("", "no values can be made of type " + std::string(torch_name(meta.dtype)));
        auto shape = extent(meta);
        if (!shape) return tl::unexpected(std::move(shape.error()));
        std::int64_t bytes = 0;
        if (__builtin_mul_overflow(shape->elements, element_size(meta.dtype) + 4, &bytes))
            return fail("", "the tensor is too large");
        if (auto fits = reserve(bytes); !fits) return tl::unexpected(std::move(fits.error()));

        const auto options = at::TensorOptions().dtype(*type);
        at::Tensor cells;
        if (*type == c10::kBool)
            cells = at::randint(2, {shape->elements}, generator_, at::TensorOptions().dtype(c10::kLong)).to(c10::kBool);
        else if (c10::isIntegralType(*type, false))
            cells = at::randint(integer_bound, {shape->elements}, generator_, at::TensorOptions().dtype(c10::kLong))
                        .to(*type);
        else if (c10::isComplexType(*type))
            cells = at::randn({shape->elements}, generator_, at::TensorOptions().dtype(c10::kComplexFloat)).to(*type);
        else cells = at::randn({shape->elements}, generator_, at::TensorOptions().dtype(c10::kFloat)).to(*type);
        if (options_.whole_numbers && c10::isFloatingType(*type)) cells = at::round(cells.to(c10::kFloat)).to(*type);
        if (options_.whole_numbers && c10::isComplexType(*type))
            cells = at::view_as_complex(at::round(at::view_as_real(cells.to(c10::kComplexFloat)))).to(*type);
        at::Tensor tensor = at::empty({0}, options);
        tensor.set_(cells.storage(), shape->offset, shape->sizes, shape->strides);
        return IValue(tensor);
    }

    /// Integers below this are in range for whatever indexes with the input: the smallest dimension of any tensor that
    /// an operator reads beside it, also behind views and casts.
    std::int64_t integer_bound(NodeId id, int depth = 0) const {
        std::int64_t bound = 10;
        if (depth == 4) return bound;
        for (const NodeId user : source_.graph.users(id)) {
            for (const NodeId input : source_.graph.inputs(user)) {
                if (input == id) continue;
                if (const auto* tensor = std::get_if<TensorMeta>(&source_.graph.node(input).meta))
                    for (const SymbolicSize& size : tensor->sizes)
                        bound = std::min(bound, std::max<std::int64_t>(evaluate(size).value_or(1), 1));
            }
            const auto* result = std::get_if<TensorMeta>(&source_.graph.node(user).meta);
            if (result && !is_floating_point(result->dtype) && !is_complex(result->dtype))
                bound = std::min(bound, integer_bound(user, depth + 1));
        }
        return bound;
    }

    // --- values of the file ------------------------------------------------------------------------------------------

    const pt2::Archive* archive() {
        const bool is_at_hand = program_.archive && program_.archive->is_at_hand;
        if (!archive_ && is_at_hand && !archive_failed_) {
            if (auto opened = pt2::Archive::open(program_.archive->path)) archive_.emplace(std::move(*opened));
            else archive_failed_ = true;
        }
        return archive_ ? &*archive_ : nullptr;
    }

    void read_sample_inputs() {
        const pt2::Archive* file = archive();
        if (!file) return;
        const auto models = pt2::find_models(*file);
        if (!models) return;
        const std::string record = "data/sample_inputs/" + pt2::model_of_graph(*models, source_.id).name + ".pt";
        if (!file->contains(record)) return;
        const auto bytes = file->read(record, static_cast<std::uint64_t>(options_.memory_limit));
        if (!bytes) return;
        try {
            const IValue saved = torch::jit::pickle_load({bytes->begin(), bytes->end()});
            flatten(saved);
        } catch (const std::exception&) {
            samples_.clear();
            notes_.push_back("the file's sample inputs are no plain tensors and numbers; inputs are made up");
        }
    }

    void flatten(const IValue& value) {
        if (value.isTuple()) for (const IValue& item : value.toTupleRef().elements()) flatten(item);
        else if (value.isList()) for (const IValue& item : value.toListRef()) flatten(item);
        else if (value.isGenericDict()) for (const auto& entry : value.toGenericDict()) flatten(entry.value());
        else samples_.push_back(value);
    }

    const StoredTensor* stored(const std::string& name) const {
        const auto found = std::ranges::find(program_.tensors, name, &StoredTensor::name);
        return found == program_.tensors.end() || found->is_pickled ? nullptr : &*found;
    }

    /// nullopt: the file does not have it after all.
    std::optional<Result<IValue>> load(const StoredTensor& tensor) {
        const pt2::Archive* file = archive();
        const auto type = scalar_type(tensor.meta.dtype);
        const auto bytes = file ? file->size(tensor.record) : std::nullopt;
        if (!bytes || !type) return std::nullopt;
        auto shape = extent(tensor.meta);
        if (!shape) return Result<IValue>(tl::unexpected(std::move(shape.error())));
        auto [place, is_new] = storages_.try_emplace(tensor.record);
        if (is_new) {
            if (*bytes > INT64_MAX / 2) return Result<IValue>(fail(tensor.record, "the record's length is absurd"));
            if (auto fits = reserve(static_cast<std::int64_t>(*bytes)); !fits)
                return Result<IValue>(tl::unexpected(std::move(fits.error())));
            at::Tensor cells = at::empty({static_cast<std::int64_t>(*bytes)}, at::TensorOptions().dtype(c10::kByte));
            const std::span target(static_cast<std::byte*>(cells.mutable_data_ptr()), static_cast<std::size_t>(*bytes));
            if (auto read = file->read_into(tensor.record, target); !read)
                return Result<IValue>(tl::unexpected(std::move(read.error())));
            place->second = cells.storage();
        }
        if (static_cast<std::int64_t>(place->second.nbytes()) / element_size(tensor.meta.dtype) < shape->elements &&
            std::ranges::find(shape->sizes, 0) == shape->sizes.end())
            return Result<IValue>(fail(tensor.record, "it is shorter than the tensor " + tensor.name));
        at::Tensor view = at::empty({0}, at::TensorOptions().dtype(*type));
        view.set_(place->second, shape->offset, shape->sizes, shape->strides);
        return Result<IValue>(IValue(view));
    }

    bool fits(const IValue& sample, const TensorMeta& meta) const {
        if (!sample.isTensor() || sample.toTensor().layout() != c10::kStrided) return false;
        const auto shape = extent(meta);
        return shape && sample.toTensor().sizes() == shape->sizes &&
               dtype_of(sample.toTensor().scalar_type()) == meta.dtype;
    }

    // --- one value ---------------------------------------------------------------------------------------------------

    Result<IValue> placeholder(NodeId id, std::size_t& user_input) {
        const Node& node = source_.graph.node(id);
        const InputSpec* spec = nullptr;
        if (source_.signature) {
            const auto found = std::ranges::find(source_.signature->inputs, node.name, &InputSpec::placeholder);
            if (found != source_.signature->inputs.end()) spec = &*found;
        }
        if (spec && !spec->target.empty())
            if (const StoredTensor* tensor = find_stored(program_, *spec); tensor && !tensor->is_pickled)
                if (auto value = load(*tensor)) return *value;

        const bool is_user_input = !spec || spec->kind == InputSpec::Kind::user_input;
        const std::size_t sample = is_user_input ? user_input++ : samples_.size();
        if (const auto* scalar = std::get_if<ScalarMeta>(&node.meta)) {
            const auto value = evaluate(scalar->value);
            if (!value) return fail("%" + node.name, "the number " + scalar->value.to_string() + " is not known");
            return scalar->kind == ScalarMeta::Kind::floating ? IValue(static_cast<double>(*value)) : IValue(*value);
        }
        const auto* meta = std::get_if<TensorMeta>(&node.meta);
        if (!meta) {
            if (sample < samples_.size()) return samples_[sample];
            if (!source_.graph.has_users(id)) return IValue();
            return fail("%" + node.name, "its shape is not known, so no value can be made for it");
        }
        if (sample < samples_.size() && fits(samples_[sample], *meta)) return samples_[sample];
        auto made = make_tensor(*meta, integer_bound(id));
        if (!made) {
            if (made.error().place.empty()) made.error().place = "%" + node.name;
            return made;
        }
        notes_.push_back(node.name + ": made up, " + annotation(node.meta, {}));
        return made;
    }

    Result<void> attribute(const Node& node) {
        if (state_.attributes.contains(node.target)) return {};
        if (const StoredTensor* tensor = stored(node.target)) {
            if (auto value = load(*tensor)) {
                if (!*value) return tl::unexpected(std::move(value->error()));
                state_.attributes[node.target] = std::move(**value);
                return {};
            }
        }
        if (const auto* meta = std::get_if<TensorMeta>(&node.meta)) {
            auto made = make_tensor(*meta, 2);
            if (!made) return fail("%" + node.name, made.error().reason);
            state_.attributes[node.target] = std::move(*made);
            notes_.push_back(node.target + ": made up, " + annotation(node.meta, {}));
        }
        return {};
    }

    const Program& program_;
    const ProgramGraph& source_;
    const RunOptions& options_;
    at::Generator generator_;
    RunInputs::State state_;
    std::vector<std::string> notes_;
    std::string misfit_;
    std::int64_t reserved_ = 0;
    std::optional<pt2::Archive> archive_;
    bool archive_failed_ = false;
    std::map<std::string, c10::Storage> storages_; ///< by record: tensors of one record share it
    std::vector<IValue> samples_;                   ///< leaves of (args, kwargs)
};

} // namespace

Result<RunInputs> entries::make_run_inputs(const Program& program, std::size_t graph, const RunOptions& options) {
    try {
        return InputMaker(program, graph, options).make();
    } catch (const std::exception& error) {
        return fail("inputs", first_line(error.what()));
    }
}

} // namespace inspector
