#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <set>
#include <sstream>

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/view_as_complex.h>
#include <ATen/ops/view_as_real.h>

#include "core/graph/count_text.h"
#include "core/libtorch/entries.h"
#include "core/libtorch/execution/interpreter.h"
#include "core/libtorch/execution/torch_values.h"
#include "core/libtorch/kernel_messages.h"

namespace inspector {
namespace {

using c10::IValue;
using Kind = Difference::Kind;

/// One call of the graph: what it returned and what became of its inputs.
struct Call {
    Result<RunOutcome> outcome;
    std::vector<IValue> inputs;
};

std::string list_text(at::IntArrayRef numbers) {
    std::string text = "[";
    for (std::size_t i = 0; i < numbers.size(); ++i) text += (i ? ", " : "") + std::to_string(numbers[i]);
    return text + "]";
}

std::string element_text(const at::Tensor& tensor, std::int64_t flat) {
    std::ostringstream text;
    text.precision(9);
    const at::Scalar value = tensor.flatten()[flat].item();
    if (value.isBoolean()) text << (value.toBool() ? "True" : "False");
    else if (value.isIntegral(false)) text << value.toLong();
    else if (value.isComplex()) text << value.toComplexDouble();
    else text << value.toDouble();
    return text.str();
}

at::Tensor materialized(const at::Tensor& tensor) { return tensor.resolve_conj().resolve_neg().contiguous(); }

/// Every NaN as one: its sign and payload depend on how a loop is vectorised. Contiguous, like `tensor`.
at::Tensor with_one_nan(const at::Tensor& tensor) {
    if (tensor.is_complex()) return at::view_as_complex(with_one_nan(at::view_as_real(tensor)));
    const auto type = tensor.scalar_type();
    if (type != at::kHalf && type != at::kBFloat16 && type != at::kFloat && type != at::kDouble) return tensor;
    return tensor.masked_fill(tensor.isnan(), std::numeric_limits<double>::quiet_NaN());
}

/// First element that is further off than `tolerance`; a number that is none is like another such.
std::optional<std::int64_t> first_beyond(const at::Tensor& a, const at::Tensor& b, const Tolerance& tolerance) {
    const bool is_complex = a.is_complex();
    const at::Tensor x = a.to(is_complex ? at::kComplexDouble : at::kDouble), y = b.to(x.scalar_type());
    const at::Tensor is_near = x.isclose(y, tolerance.relative, tolerance.absolute, true).flatten();
    if (is_near.all().item().toBool()) return std::nullopt;
    return is_near.logical_not().to(at::kInt).argmax().item().toLong();
}

/// First element that differs; nullopt when none does. Same type and sizes.
std::optional<std::int64_t> first_difference(const at::Tensor& a, const at::Tensor& b, const Tolerance& tolerance) {
    at::Tensor before = materialized(a), after = materialized(b);
    const auto size = static_cast<std::size_t>(before.element_size());
    const auto bytes = [](const at::Tensor& tensor) { return static_cast<const char*>(tensor.const_data_ptr()); };
    if (before.numel() == 0 || std::memcmp(bytes(before), bytes(after), before.nbytes()) == 0) return std::nullopt;
    const bool is_exact = tolerance.relative == 0 && tolerance.absolute == 0;
    if (!is_exact && (before.is_floating_point() || before.is_complex())) return first_beyond(before, after, tolerance);
    before = with_one_nan(before);
    after = with_one_nan(after);
    const char *x = bytes(before), *y = bytes(after);
    for (std::int64_t i = 0; i < before.numel(); ++i, x += size, y += size)
        if (std::memcmp(x, y, size) != 0) return i;
    return std::nullopt;
}

std::vector<std::size_t> outputs_of_nan(const std::vector<IValue>& outputs) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (!outputs[i].isTensor() || !outputs[i].toTensor().defined()) continue;
        const at::Tensor& output = outputs[i].toTensor();
        const bool has_nan = output.layout() == c10::kStrided && (output.is_floating_point() || output.is_complex()) &&
                             output.element_size() > 1 && output.numel() > 0;
        if (has_nan && output.isnan().all().item().toBool()) found.push_back(i);
    }
    return found;
}

std::string position_text(const at::Tensor& tensor, std::int64_t flat) {
    std::vector<std::int64_t> index(static_cast<std::size_t>(tensor.dim()));
    for (std::size_t i = index.size(); i-- > 0;) {
        const std::int64_t size = tensor.size(static_cast<std::int64_t>(i));
        index[i] = flat % size;
        flat /= size;
    }
    return list_text(index);
}

enum class Strides : std::uint8_t { none, above_size_1, all };

bool same_strides(const at::Tensor& a, const at::Tensor& b, Strides compared) {
    if (compared == Strides::all) return a.strides() == b.strides();
    for (std::int64_t i = 0; i < a.dim() && compared == Strides::above_size_1 && a.numel() > 0; ++i)
        if (a.size(i) > 1 && a.stride(i) != b.stride(i)) return false;
    return true;
}

/// Compares one value in both runs.
std::optional<Difference> compare_value(const std::string& what, std::size_t position, const IValue& before, const IValue& after,
                                        Kind value_kind, Strides strides, const Tolerance& tolerance) {
    const auto differs = [&](Kind kind, const std::string& verb, const std::string& old, const std::string& now,
                             const std::string& element = {}) {
        const std::string words = element.empty() ? " " + verb : " differs: element " + element + " " + verb;
        return Difference{kind, position, 1, what + words + " " + old + " before and " + now + " after", what, element, old, now};
    };
    const auto text = [](const IValue& value) {
        std::ostringstream words;
        words << value;
        return words.str();
    };
    if (before.isTensor() != after.isTensor() || before.isNone() != after.isNone())
        return differs(Kind::output_type, "is", "a " + before.tagKind(), "a " + after.tagKind());
    if (!before.isTensor()) {
        if (before.isNone() || before == after) return std::nullopt;
        return differs(value_kind, "is", text(before), text(after));
    }
    const at::Tensor &a = before.toTensor(), &b = after.toTensor();
    if (a.defined() != b.defined())
        return differs(Kind::output_type, "is", a.defined() ? "defined" : "undefined", b.defined() ? "defined" : "undefined");
    if (!a.defined() || a.layout() != c10::kStrided) return std::nullopt;
    if (a.scalar_type() != b.scalar_type())
        return differs(Kind::output_type, "is", c10::toString(a.scalar_type()), c10::toString(b.scalar_type()));
    if (a.sizes() != b.sizes()) return differs(Kind::output_type, "has sizes", list_text(a.sizes()), list_text(b.sizes()));
    if (const auto flat = first_difference(a, b, tolerance))
        return differs(value_kind, "is", element_text(a, *flat), element_text(b, *flat), position_text(a, *flat));
    if (!same_strides(a, b, strides))
        return differs(Kind::output_strides, "has strides", list_text(a.strides()), list_text(b.strides()));
    return std::nullopt;
}

const c10::StorageImpl* storage_of(const IValue& value) {
    if (!value.isTensor() || !value.toTensor().defined() || !value.toTensor().has_storage()) return nullptr;
    return value.toTensor().numel() == 0 ? nullptr : value.toTensor().storage().unsafeGetStorageImpl();
}

class Comparer {
public:
    /// `rewritten` is a form of rewritten_program.graphs[index].
    Comparer(const Program& program, std::size_t index, const Program& rewritten_program, const Graph& rewritten,
             const RunInputs& inputs, const RunOptions& options, Strides strides)
        : program_(program), index_(index), rewritten_program_(rewritten_program), rewritten_(rewritten), inputs_(inputs),
          options_(options), strides_(strides) {
        options_.sizes = inputs.state().sizes;
        const ProgramGraph& source = program.graphs[index];
        written_back_ = outputs_written_back(source);
        written_back_after_ = outputs_written_back(rewritten_program.graphs[index]);
        for (const auto& [output, input] : written_back_)
            if (!is_written_back(written_back_after_, input)) written_differently_.insert(input);
        for (const auto& [output, input] : written_back_after_)
            if (!is_written_back(written_back_, input)) written_differently_.insert(input);
        for (const NodeId id : source.graph.placeholders()) input_names_.push_back(source.graph.node(id).name);
        for (const auto& [name, value] : inputs.state().attributes) input_names_.push_back(name);
    }

    Result<Comparison> run() {
        Comparison comparison;
        State before{program_, program_.graphs[index_].graph, inputs_}, after{rewritten_program_, rewritten_, inputs_};
        // A donated input is used up by the first call.
        const int calls = options_.donated.empty() ? 2 : 1;
        for (int call = 1; call <= calls; ++call) {
            auto a = run_once(before);
            if (!a && a.error().refused) return tl::unexpected(a.error().error);
            if (!a && call == 1) {
                comparison.cannot_run = a.error().error;
                return comparison;
            }
            auto b = run_once(after);
            if (!b && b.error().refused) return tl::unexpected(b.error().error);
            if (a) comparison.peak_before = std::max(comparison.peak_before, a->peak_bytes);
            if (b) comparison.peak_after = std::max(comparison.peak_after, b->peak_bytes);
            if (!a && !b) break;
            if (a.has_value() != b.has_value()) {
                const std::string words = a ? b.error().error.message() : "only the original fails: " + a.error().error.message();
                comparison.difference = Difference{.kind = Kind::fails_to_run, .call = call, .sentence = "the graph no longer runs: " + words};
                return comparison;
            }
            if (!written_differently_.empty()) {
                keep_returned(*a, written_back_);
                keep_returned(*b, written_back_after_);
            }
            comparison.calls = call;
            comparison.outputs = a->outputs.size();
            comparison.outputs_of_nan = outputs_of_nan(a->outputs);
            comparison.inputs = input_names_.size() - options_.donated.size();
            comparison.difference = compare(*a, before.inputs(), *b, after.inputs());
            if (comparison.difference) {
                comparison.difference->call = call;
                if (call == 2) comparison.difference->sentence += " (seen when the graph is called again)";
                return comparison;
            }
        }
        return comparison;
    }

private:
    struct State {
        State(const Program& p, const Graph& g, const RunInputs& inputs) : program(p), graph(g) {
            std::vector<IValue> all = inputs.state().placeholders;
            for (const auto& [name, value] : inputs.state().attributes) all.push_back(value);
            all = copy_with_storages(all);
            values.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(inputs.state().placeholders.size()));
            std::size_t next = values.size();
            for (const auto& [name, value] : inputs.state().attributes) attributes[name] = all[next++];
        }
        /// Placeholders' values, then attributes': all that a caller can see written.
        std::vector<IValue> inputs() const {
            std::vector<IValue> all = values;
            for (const auto& [name, value] : attributes) all.push_back(value);
            return all;
        }

        const Program& program;
        const Graph& graph;
        std::vector<IValue> values;
        std::map<std::string, IValue> attributes;
    };

    /// By place: the input each such output is copied into.
    using WrittenBack = std::map<std::size_t, std::size_t>;

    static WrittenBack outputs_written_back(const ProgramGraph& source) {
        WrittenBack found;
        if (source.signature)
            for (std::size_t i = 0; i < source.signature->outputs.size(); ++i)
                if (const auto input = mutated_input(source, source.signature->outputs[i])) found[i] = *input;
        return found;
    }

    static bool is_written_back(const WrittenBack& all, std::size_t input) {
        return std::ranges::any_of(all, [&](const auto& entry) { return entry.second == input; });
    }

    static void keep_returned(RunOutcome& outcome, const WrittenBack& written_back) {
        std::vector<IValue> returned;
        for (std::size_t i = 0; i < outcome.outputs.size(); ++i)
            if (!written_back.contains(i)) returned.push_back(outcome.outputs[i]);
        outcome.outputs = std::move(returned);
    }

    /// Outputs the signature copies into inputs are not returned to the caller.
    [[nodiscard]] bool is_returned(std::size_t output) const {
        return !written_differently_.empty() || !written_back_.contains(output);
    }

    tl::expected<RunOutcome, RunFailure> run_once(State& state) {
        return run_graph(state.program, index_, state.graph, state.values, state.attributes, options_);
    }

    std::optional<Difference> compare(const RunOutcome& a, const std::vector<IValue>& inputs_a, const RunOutcome& b,
                                      const std::vector<IValue>& inputs_b) const {
        if (a.outputs.size() != b.outputs.size())
            return Difference{.kind = Kind::output_count,
                              .sentence = count_text(a.outputs.size(), "output") + " before and " +
                                          std::to_string(b.outputs.size()) + " after"};
        for (std::size_t i = 0; i < a.outputs.size(); ++i)
            if (auto difference = compare_value("output " + std::to_string(i), i, a.outputs[i], b.outputs[i], Kind::output_value,
                                                is_returned(i) ? strides_ : Strides::none, options_.tolerance))
                return difference;
        for (std::size_t i = 0; i < inputs_a.size(); ++i) {
            if (is_donated(i)) continue;
            if (auto difference = compare_value("input " + input_names_[i], i, inputs_a[i], inputs_b[i], Kind::input_value, strides_,
                                               options_.tolerance))
                return difference;
        }
        return compare_sharing(a.outputs, inputs_a, b.outputs, inputs_b);
    }

    [[nodiscard]] bool is_donated(std::size_t input) const {
        return std::ranges::find(options_.donated, input_names_[input]) != options_.donated.end();
    }

    /// Returned values that share storage in one run and not in the other.
    std::optional<Difference> compare_sharing(const std::vector<IValue>& outputs_a, const std::vector<IValue>& inputs_a,
                                              const std::vector<IValue>& outputs_b, const std::vector<IValue>& inputs_b) const {
        const auto shared_with = [](const IValue& x, const IValue& y) { return storage_of(x) && storage_of(x) == storage_of(y); };
        const auto report = [](std::size_t i, const std::string& other, bool newly) {
            const std::string output = "output " + std::to_string(i);
            const std::string shared = "shares with " + other, apart = "does not share with " + other;
            return Difference{Kind::output_aliasing, i, 1, output + (newly ? " now shares" : " no longer shares") + " storage with " + other,
                              output, {}, newly ? apart : shared, newly ? shared : apart};
        };
        for (std::size_t i = 0; i < outputs_a.size(); ++i) {
            if (!is_returned(i)) continue;
            for (std::size_t j = 0; j < i; ++j) {
                if (!is_returned(j)) continue;
                const bool before = shared_with(outputs_a[i], outputs_a[j]), after = shared_with(outputs_b[i], outputs_b[j]);
                if (before != after) return report(i, "output " + std::to_string(j), after);
            }
            for (std::size_t j = 0; j < inputs_a.size(); ++j) {
                if (is_donated(j) || written_differently_.contains(j)) continue;
                const bool before = shared_with(outputs_a[i], inputs_a[j]), after = shared_with(outputs_b[i], inputs_b[j]);
                if (before != after) return report(i, "input " + input_names_[j], after);
            }
        }
        return std::nullopt;
    }

    const Program& program_;
    std::size_t index_;
    const Program& rewritten_program_;
    const Graph& rewritten_;
    const RunInputs& inputs_;
    RunOptions options_;
    Strides strides_;
    WrittenBack written_back_;
    WrittenBack written_back_after_;
    std::set<std::size_t> written_differently_; ///< inputs written back from an output in one program only
    std::vector<std::string> input_names_;
};

Result<Comparison> compare_forms(const Program& before, std::size_t index, const Program& after, const Graph& rewritten,
                                 const RunInputs& inputs, const RunOptions& options, Strides strides) {
    try {
        return Comparer(before, index, after, rewritten, inputs, options, strides).run();
    } catch (const std::exception& error) {
        return fail("", first_line(error.what()));
    }
}

} // namespace

Result<Comparison> entries::compare_by_running(const Program& program, std::size_t index, const Graph& rewritten,
                                               const RunInputs& inputs, const RunOptions& options) {
    return compare_forms(program, index, program, rewritten, inputs, options, Strides::all);
}

Result<Comparison> entries::compare_programs(const Program& before, const Program& after, std::size_t index,
                                             const RunInputs& inputs, const RunOptions& options) {
    return compare_forms(before, index, after, after.graphs[index].graph, inputs, options, Strides::above_size_1);
}

} // namespace inspector
