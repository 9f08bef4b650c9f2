#include "core/passes/reinplace/range_effect.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "core/analysis/symbol_values.h"
#include "core/passes/reinplace/session.h"

namespace inspector {
namespace {

std::unique_ptr<ReinplaceSession> decided(const ProgramGraph& program) {
    auto session = ReinplaceSession::start(program, {.policy = "sound", .first = {}, .choices = {}, .donated = {}});
    if (!session) return nullptr; // cannot happen: the policy is known, and nothing is donated
    (*session)->run_to_end();
    return std::move(*session);
}

std::string_view outcome(const Decision& decision) {
    switch (decision.verdict) {
    case Verdict::reinplaced:
    case Verdict::scatter_to_copy: return "in place";
    case Verdict::deleted: return "deleted";
    default: return "kept";
    }
}

bool read_number(std::string_view text, std::optional<std::int64_t>& number) {
    if (text.empty()) return true;
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    number = value;
    return problem == std::errc{} && end == text.data() + text.size();
}

} // namespace

Result<SymbolRange> parse_limits(const std::string& symbol, const std::string& limits) {
    constexpr std::string_view space = " \t";
    const auto first = limits.find_first_not_of(space), last = limits.find_last_not_of(space);
    const std::string_view text =
        first == std::string::npos ? std::string_view() : std::string_view(limits).substr(first, last - first + 1);
    SymbolRange range{.symbol = symbol, .minimum = {}, .maximum = {}};
    const auto dots = text.find("..");
    bool is_range = !text.empty();
    if (dots == std::string_view::npos) {
        is_range = is_range && read_number(text, range.minimum);
        range.maximum = range.minimum;
    } else {
        is_range = is_range && read_number(text.substr(0, dots), range.minimum) &&
                   read_number(text.substr(dots + 2), range.maximum);
    }
    if (!is_range)
        return fail(limits, "a range is written LOW..HIGH, as 2..64, where one of the numbers may be left out");
    if (range.minimum && range.maximum && *range.minimum > *range.maximum)
        return fail(limits, "no number is in this range");
    return range;
}

Result<SymbolRange> parse_range(const std::string& text) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        return fail(text, "a range is written NAME=LOW..HIGH, as s0=2..64, where one of the numbers may be left out");
    auto range = parse_limits(text.substr(0, equals), text.substr(equals + 1));
    if (!range) return fail(text, std::move(range.error().reason));
    return range;
}

std::string why_not_range(const SymbolFacts& symbol, const SymbolRange& range) {
    const bool is_size =
        symbol.origin.kind == SymbolOrigin::Kind::input_dimension || symbol.origin.kind == SymbolOrigin::Kind::derived;
    const auto is_negative = [](const std::optional<std::int64_t>& limit) { return limit && *limit < 0; };
    if (is_size && (is_negative(range.minimum) || is_negative(range.maximum))) return "a size is not negative";
    if (!symbol.divisor || !range.minimum || !range.maximum) return {};
    const std::int64_t divisor = *symbol.divisor, rest = *range.maximum % divisor;
    const std::int64_t below = rest < 0 ? rest + divisor : rest; // the largest multiple that is not above is so far away
    if (*range.maximum < std::numeric_limits<std::int64_t>::min() + below || *range.maximum - below < *range.minimum)
        return symbol.name + " is divisible by " + std::to_string(divisor) + ", and no number of this range is";
    return {};
}

void set_ranges(ProgramGraph& program, const std::vector<SymbolRange>& ranges) {
    const SymbolValues samples = SymbolValues::of(program);
    for (const SymbolRange& range : ranges) {
        const auto symbol = SymbolicSize::parse(range.symbol);
        if (const auto sample = symbol ? samples.value(*symbol) : std::nullopt) {
            std::int64_t inside = std::max(*sample, range.minimum.value_or(*sample));
            inside = std::min(inside, range.maximum.value_or(inside));
            if (inside != *sample) program.hints[range.symbol] = inside; // numbers shown are possible ones
        }
        std::erase_if(program.ranges, [&](const SymbolRange& known) { return known.symbol == range.symbol; });
        program.ranges.push_back(range);
    }
}

std::vector<RangeEffect> range_effects(const ProgramGraph& program, const std::vector<SymbolRange>& ranges) {
    ProgramGraph other = program;
    set_ranges(other, ranges);
    const auto before = decided(program), after = decided(other);
    std::vector<RangeEffect> effects;
    if (!before || !after) return effects;
    for (std::size_t i = 0; i < before->decisions().size(); ++i) {
        const Decision &old = before->decisions()[i], &now = after->decisions()[i];
        const std::string condition = old.condition ? old.condition->text : now.condition ? now.condition->text : "";
        if (outcome(old) != outcome(now))
            effects.push_back({old.node, std::string(outcome(old)), std::string(outcome(now)), condition});
    }
    return effects;
}

std::vector<Decision> conditional_refusals(const ProgramGraph& program) {
    std::vector<Decision> found;
    if (const auto session = decided(program))
        for (const Decision& decision : session->decisions())
            if (decision.condition) found.push_back(decision);
    return found;
}

} // namespace inspector
