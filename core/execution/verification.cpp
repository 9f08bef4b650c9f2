#include "core/execution/verification.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "core/analysis/symbol_values.h"
#include "core/analysis/symbolic_region.h"

namespace inspector {
namespace {

using Sizes = std::map<std::string, std::int64_t>;

struct Trial {
    Sizes sizes;
    bool whole_numbers = false;  ///< RunOptions::whole_numbers
    std::uint64_t next_seed = 0; ///< above the one asked for: other inputs are made up where the graph takes none so far
};

/// Sizes to try: none (the sample sizes) first; then every symbol at its smallest and next to that, where views of both
/// ends of a dimension meet, and one above its sample.
std::vector<Sizes> sizes_to_try(const ProgramGraph& source, const RunOptions& options) {
    std::vector<Sizes> all{options.sizes};
    const std::set<std::string> symbols = input_symbols(source.graph);
    if (!options.sizes.empty() || symbols.empty()) return all;
    Sizes smallest, next, larger;
    for (const std::string& symbol : symbols) {
        const auto range = std::ranges::find(source.ranges, symbol, &SymbolRange::symbol);
        const bool has_range = range != source.ranges.end();
        const std::int64_t low = std::max<std::int64_t>(has_range ? range->minimum.value_or(1) : 1, 1);
        const std::int64_t high = has_range ? range->maximum.value_or(INT64_MAX) : INT64_MAX;
        const auto hint = source.hints.find(symbol);
        smallest[symbol] = low;
        next[symbol] = std::min(high, low + 2);
        larger[symbol] = std::min(high, (hint == source.hints.end() ? low : hint->second) + 1);
    }
    for (Sizes* sizes : {&smallest, &next, &larger})
        if (std::ranges::find(all, *sizes) == all.end()) all.push_back(std::move(*sizes));
    return all;
}

/// On both sides of every condition that a refusal depends on.
std::vector<Sizes> sides_of_conditions(const ReinplaceSession& session, const ProgramGraph& source) {
    constexpr std::size_t most_conditions = 6;
    std::vector<Sizes> all;
    std::set<std::string> seen;
    const SizeOrder order = size_order(source);
    for (const Decision& decision : session.decisions()) {
        if (!decision.condition || seen.size() == most_conditions || !seen.insert(decision.condition->text).second)
            continue;
        for (const bool side : {true, false})
            if (auto sizes = order.example(decision.condition->all, side);
                sizes && std::ranges::find(all, *sizes) == all.end())
                all.push_back(std::move(*sizes));
    }
    return all;
}

/// "s0=2, s1=3", "whole numbers", "seed 4", or nothing.
std::string trial_text(const Trial& trial, std::uint64_t seed) {
    std::string text;
    for (const auto& [symbol, size] : trial.sizes) text += (text.empty() ? "" : ", ") + symbol + "=" + std::to_string(size);
    const auto add = [&](const std::string& words) { text += (text.empty() ? "" : ", ") + words; };
    if (trial.whole_numbers) add("whole numbers");
    if (trial.next_seed != 0) add("seed " + std::to_string(seed + trial.next_seed));
    return text;
}

class Verifier {
public:
    Verifier(const Program& program, std::size_t graph, const ReinplaceSession::Options& choices,
             const RunOptions& options)
        : program_(program), graph_(graph), choices_(choices), options_(options) {
        options_.donated = choices.donated;
    }

    Verification run() {
        const ProgramGraph& source = program_.graphs[graph_];
        bool compared = false, is_made_up = false; // the inputs, or some of them
        std::vector<Sizes> sizes_tried = sizes_to_try(source, options_);
        const bool has_symbols = options_.sizes.empty() && SymbolValues::of(source).is_symbolic();
        if (has_symbols) {
            const auto session = ReinplaceSession::start(source, choices_);
            if (!session) return error(session.error());
            (*session)->run_to_end();
            for (Sizes& sizes : sides_of_conditions(**session, source))
                if (std::ranges::find(sizes_tried, sizes) == sizes_tried.end()) sizes_tried.push_back(std::move(sizes));
        }
        std::vector<Trial> trials;
        for (Sizes& sizes : sizes_tried) trials.push_back({std::move(sizes)});
        trials.push_back({trials.front().sizes, true});
        constexpr std::uint64_t further_seeds = 7;
        for (std::uint64_t seed = 1; seed <= further_seeds; ++seed) trials.push_back({trials.front().sizes, false, seed});
        std::optional<Error> first_error;
        for (const Trial& trial : trials) {
            if (trial.next_seed != 0 && compared) break;
            if ((trial.whole_numbers || trial.next_seed != 0) && !is_made_up) continue; // the file's are the same again
            RunOptions options = options_;
            options.sizes = trial.sizes;
            options.whole_numbers = trial.whole_numbers;
            options.seed += trial.next_seed;
            const auto inputs = RunInputs::make(program_, graph_, options);
            if (!inputs) {
                if (compared) continue; // a further size that cannot be made; the sample sizes were tried
                return error(inputs.error());
            }
            if (!compared) result_.notes = inputs->notes();
            is_made_up = !inputs->notes().empty();
            const std::string given = trial_text(trial, options_.seed);
            begin("Running before and after" + (given.empty() ? "" : " with " + given));
            const auto comparison = compare(choices_, *inputs, options);
            if (!comparison) return error(comparison.error());
            if (comparison->cannot_run) {
                // Once something was compared, the program itself does not take these sizes.
                if (!compared && !first_error)
                    first_error = Error{{},
                                        comparison->cannot_run->place,
                                        std::string("the graph does not run as it is") + (is_made_up ? ", on inputs that are made up: " : ": ") +
                                            comparison->cannot_run->reason + (inputs->misfit().empty() ? "" : "; " + inputs->misfit())};
                continue;
            }
            if (!compared) note_what_says_little(*comparison, is_made_up);
            compared = true;
            if (!given.empty()) result_.notes.push_back("tried with " + given);
            const bool fails = comparison->difference && comparison->difference->kind == Difference::Kind::fails_to_run;
            result_.peak_before = std::max(result_.peak_before.value_or(0), comparison->peak_before);
            if (fails) result_.peak_after.reset();
            else result_.peak_after = std::max(result_.peak_after.value_or(0), comparison->peak_after);
            if (result_.compared.empty()) result_.compared = compared_in(*comparison);
            if (!comparison->difference) continue;
            result_.answer = Verification::Answer::different;
            result_.difference = comparison->difference;
            result_.compared.clear();
            result_.detail = comparison->difference->sentence;
            if (!given.empty()) result_.detail += " (with " + given + ")";
            find_cause(*inputs, options);
            return std::move(result_);
        }
        if (!compared && first_error) return error(*first_error);
        result_.answer = Verification::Answer::equal;
        result_.detail = std::string("values, strides, storage sharing and mutations of inputs are equal") +
                         (choices_.donated.empty() ? " in two calls" : "; donated inputs are not compared") + caveat_;
        return std::move(result_);
    }

private:
    Verification error(const Error& error) {
        result_.answer = Verification::Answer::error;
        result_.detail = error.message();
        return std::move(result_);
    }

    /// Of inputs that are made up, and of outputs that would be equal whatever became of them.
    void note_what_says_little(const Comparison& comparison, bool is_made_up) {
        if (is_made_up) caveat_ = ", on inputs that are made up, whole numbers among them";
        if (comparison.outputs_of_nan.empty()) return;
        std::string outputs;
        for (const std::size_t output : comparison.outputs_of_nan) outputs += (outputs.empty() ? "" : ", ") + std::to_string(output);
        const bool is_one = comparison.outputs_of_nan.size() == 1;
        caveat_ += (is_one ? "; output " : "; outputs ") + outputs + (is_one ? " is" : " are") + " nothing but NaN, which proves little";
        result_.notes.push_back((is_one ? "output " : "outputs ") + outputs + ": nothing but NaN");
    }

    void begin(const std::string& stage) const {
        if (options_.stage) options_.stage(stage);
    }

    [[nodiscard]] std::vector<std::string> compared_in(const Comparison& comparison) const {
        const auto count = [](std::size_t number, const std::string& noun) {
            return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
        };
        std::vector<std::string> items{
            "types, sizes and values of " + count(comparison.outputs, "output") + ", bit for bit",
            "what became of " + count(comparison.inputs, "input") +
                (choices_.donated.empty() ? "" : "; donated ones are not compared"),
            "strides of outputs and inputs", "which outputs share storage with each other and with inputs"};
        if (comparison.calls > 1) items.emplace_back("all of it again in a second call");
        return items;
    }

    Result<Comparison> compare(const ReinplaceSession::Options& choices, const RunInputs& inputs,
                               const RunOptions& options) {
        auto session = ReinplaceSession::start(program_.graphs[graph_], choices);
        if (!session) return tl::unexpected(std::move(session.error()));
        (*session)->run_to_end();
        return compare_by_running(program_, graph_, (*session)->graph(), inputs, options);
    }

    /// Equal with the first `low` decisions, different with the first `high`: ends when they are neighbours.
    void find_cause(const RunInputs& inputs, const RunOptions& options) {
        auto session = ReinplaceSession::start(program_.graphs[graph_], choices_);
        if (!session) return;
        const std::vector<NodeId>& nodes = (*session)->decision_nodes();
        std::uint32_t low = 0, high = static_cast<std::uint32_t>(nodes.size());
        if (choices_.first) high = std::min(high, *choices_.first);
        while (high - low > 1) {
            const std::uint32_t middle = low + (high - low) / 2;
            begin("Searching the decision among " + std::to_string(high - low));
            ReinplaceSession::Options fewer = choices_;
            fewer.first = middle;
            // A forced decision beyond the first ones is left out too.
            std::erase_if(fewer.choices, [&](const auto& choice) { return choice.first >= middle; });
            const auto comparison = compare(fewer, inputs, options);
            if (!comparison) return;
            (comparison->difference ? high : low) = middle;
        }
        if (high == 0) return;
        result_.decision = high - 1;
        result_.node = nodes[high - 1];
        result_.detail += "; decision " + std::to_string(high - 1) + " (%" +
                          program_.graphs[graph_].graph.node(result_.node).name + ") brings it in";
    }

    const Program& program_;
    std::size_t graph_;
    const ReinplaceSession::Options& choices_;
    RunOptions options_;
    std::string caveat_; ///< of the sentence that says equal
    Verification result_;
};

} // namespace

std::string_view text_id(Verification::Answer answer) {
    constexpr std::array ids{"equal", "different", "error"};
    return ids[static_cast<std::size_t>(answer)];
}

Verification verify_rewrite(const Program& program, std::size_t graph, const ReinplaceSession::Options& choices,
                            const RunOptions& options) {
    return Verifier(program, graph, choices, options).run();
}

} // namespace inspector
