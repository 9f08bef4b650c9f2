#include "core/formats/fx_text/exported_program_text.h"

#include <array>
#include <charconv>

namespace inspector::fx_text {
namespace {

constexpr std::size_t npos = std::string_view::npos;
constexpr std::string_view signature_mark = "Graph signature:";
constexpr std::string_view ranges_mark = "Range constraints:";

using In = InputSpec::Kind;
using Out = OutputSpec::Kind;
constexpr std::array input_kinds{
    std::pair{std::string_view("USER_INPUT"), In::user_input},
    std::pair{std::string_view("PARAMETER"), In::parameter},
    std::pair{std::string_view("BUFFER"), In::buffer},
    std::pair{std::string_view("CONSTANT_TENSOR"), In::tensor_constant},
    std::pair{std::string_view("CUSTOM_OBJ"), In::custom_object},
    std::pair{std::string_view("TOKEN"), In::token},
};
constexpr std::array output_kinds{
    std::pair{std::string_view("USER_OUTPUT"), Out::user_output},
    std::pair{std::string_view("LOSS_OUTPUT"), Out::loss_output},
    std::pair{std::string_view("BUFFER_MUTATION"), Out::buffer_mutation},
    std::pair{std::string_view("PARAMETER_MUTATION"), Out::parameter_mutation},
    std::pair{std::string_view("USER_INPUT_MUTATION"), Out::user_input_mutation},
    std::pair{std::string_view("GRADIENT_TO_PARAMETER"), Out::gradient_to_parameter},
    std::pair{std::string_view("GRADIENT_TO_USER_INPUT"), Out::gradient_to_user_input},
    std::pair{std::string_view("TOKEN"), Out::token},
};

template <typename Kinds> auto kind_named(const Kinds& kinds, std::string_view name) {
    using Kind = std::remove_cvref_t<decltype(kinds[0].second)>;
    for (const auto& [text, kind] : kinds)
        if (text == name) return std::optional<Kind>(kind);
    return std::optional<Kind>();
}

/// A line "name: KIND target='…' persistent=True", taken apart.
struct SpecLine {
    std::string_view name;
    std::string_view kind;
    std::string_view target;
    std::string_view persistent;
};

std::optional<SpecLine> parse_spec(std::string_view line) {
    const std::size_t colon = line.find(": ");
    if (colon == npos) return std::nullopt;
    SpecLine spec;
    spec.name = line.substr(0, colon);
    std::string_view rest = line.substr(colon + 2);
    spec.kind = rest.substr(0, rest.find(' '));
    constexpr std::string_view target_mark = " target='";
    if (const std::size_t begin = rest.find(target_mark); begin != npos) {
        const std::size_t end = rest.rfind('\'');
        if (end < begin + target_mark.size()) return std::nullopt;
        spec.target = rest.substr(begin + target_mark.size(), end - begin - target_mark.size());
        rest.remove_prefix(end + 1);
    }
    constexpr std::string_view persistent_mark = " persistent=";
    if (const std::size_t begin = rest.find(persistent_mark); begin != npos)
        spec.persistent = rest.substr(begin + persistent_mark.size());
    return spec;
}

/// An end of a range; infinite ones are nullopt.
Result<std::optional<std::int64_t>> parse_bound(std::string_view text) {
    if (text.ends_with("oo")) return std::optional<std::int64_t>();
    std::int64_t value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (!text.empty() && status == std::errc{} && end == text.data() + text.size())
        return std::optional<std::int64_t>(value);
    return fail({}, "\"" + std::string(text) + "\" is no end of a range");
}

} // namespace

bool is_signature_start(std::string_view line) { return trimmed(line).starts_with(signature_mark); }
bool is_range_constraints(std::string_view line) { return trimmed(line).starts_with(ranges_mark); }

Result<Signature> parse_signature(const SourceText& source, std::size_t& line) {
    Signature signature;
    bool is_output = false;
    for (++line; line < source.lines().size(); ++line) {
        const std::string_view text = trimmed(source.line_text(line));
        if (text.empty() || text == "# inputs") continue;
        if (text == "# outputs") {
            is_output = true;
            continue;
        }
        const auto refuse = [&](std::string reason) {
            return tl::unexpected(source.error(source.lines()[line].offset, std::move(reason)));
        };
        if (is_range_constraints(text) || indentation(source.line_text(line)) == 0) break;
        const auto spec = parse_spec(text); // a constant output has no name: ": USER_OUTPUT"
        if (!spec) return refuse("\"" + std::string(text.substr(0, 80)) + "\" is no line of a signature");
        const auto input = kind_named(input_kinds, spec->kind);
        const auto output = kind_named(output_kinds, spec->kind);
        if (is_output && output) {
            signature.outputs.push_back({*output, std::string(spec->name), std::string(spec->target)});
        } else if (!is_output && input) {
            InputSpec& added = signature.inputs.emplace_back();
            added.kind = *input;
            added.placeholder = spec->name;
            added.target = spec->target;
            if (!spec->persistent.empty()) added.persistent = spec->persistent == "True";
        } else {
            return refuse("\"" + std::string(spec->kind) + "\" is no kind of " + (is_output ? "output" : "input"));
        }
    }
    return signature;
}

Result<std::vector<SymbolRange>> parse_range_constraints(const SourceText& source, std::size_t line) {
    const std::string_view whole = trimmed(source.line_text(line));
    std::string_view text = trimmed(whole.substr(ranges_mark.size()));
    const auto refuse = [&](std::string reason) {
        return tl::unexpected(source.error(source.lines()[line].offset, "range constraints: " + std::move(reason)));
    };
    if (!text.starts_with('{') || !text.ends_with('}')) return refuse("{symbol: VR[minimum, maximum], …} is expected");
    text = text.substr(1, text.size() - 2);
    std::vector<SymbolRange> ranges;
    while (!(text = trimmed(text)).empty()) {
        constexpr std::string_view range_mark = ": VR[";
        const std::size_t mark = text.find(range_mark);
        const std::size_t end = mark == npos ? npos : text.find(']', mark);
        const std::size_t comma = mark == npos ? npos : text.find(',', mark);
        if (end == npos || comma == npos || comma > end) return refuse("{symbol: VR[minimum, maximum], …} is expected");
        const std::size_t begin = mark + range_mark.size();
        auto minimum = parse_bound(trimmed(text.substr(begin, comma - begin)));
        auto maximum = parse_bound(trimmed(text.substr(comma + 1, end - comma - 1)));
        if (!minimum) return refuse(minimum.error().reason);
        if (!maximum) return refuse(maximum.error().reason);
        ranges.push_back({std::string(text.substr(0, mark)), *minimum, *maximum});
        text.remove_prefix(end + 1);
        if (text.starts_with(',')) text.remove_prefix(1);
    }
    return ranges;
}

} // namespace inspector::fx_text
