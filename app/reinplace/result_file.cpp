#include "app/reinplace/result_file.h"

#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/reinplace/graph_choice.h"
#include "app/reinplace/open_program.h"
#include "core/formats/atomic_file.h"
#include "core/formats/dot/dot_text.h"
#include "core/formats/pt2/writer.h"
#include "core/formats/python/python_module.h"
#include "core/formats/svg/svg.h"
#include "core/graph/print.h"
#include "core/graph/utf8.h"

namespace inspector {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 12> formats_by_ending{{
    {".pt2", "pt2"}, {".py", "python"}, {".txt", "fx"}, {".fx", "fx"}, {".json", "json"}, {".dot", "dot"}, {".gv", "dot"}, {".svg", "svg"},
    {".html", "html"}, {".htm", "html"}, {".md", "markdown"}, {".sarif", "sarif"},
}};

/// Empty where the name has no known ending.
std::string format_of(const std::string& out) {
    std::string ending = std::filesystem::path(out).extension().string();
    for (char& c : ending)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (out.ends_with(".session.json")) return "session";
    for (const auto& [known, format] : formats_by_ending)
        if (ending == known) return std::string(format);
    return {};
}

bool is_same_file(const std::string& a, const std::string& b) {
    std::error_code missing;
    return std::filesystem::equivalent(a, b, missing);
}

} // namespace

Result<std::string> result_format(const std::string& format, const std::string& out, const std::string& source) {
    if (out.empty()) return fail("", "-o: the name of a file to write is expected");
    std::string chosen = format.empty() ? format_of(out) : format;
    if (chosen.empty()) return fail("", "the ending of " + out + " names no format that can be written; give one with --format");
    if (chosen == "pt2" && out == "-") return fail("", "a .pt2 goes to a file, not to standard output");
    if (is_same_file(source, out)) return fail("", out + " is the file to read; write to another");
    return chosen;
}

std::optional<ChosenGraph> open_graph(const std::string& file, const std::string& graph, const std::string& format,
                                      const InputTypes& inputs, Output& output) {
    const auto refuse = [&](const Error& error) {
        output.problem(one_line(error.message()), ExitStatus::bad_usage);
        return std::nullopt;
    };
    auto program = open_program(file, graph, false, output, inputs);
    if (!program) return std::nullopt;
    if (format == "pt2")
        if (std::string why = why_not_pt2(*program); !why.empty()) return refuse({file, {}, std::move(why)});
    const auto index = choose_graph(*program, graph);
    if (!index) return refuse(index.error());
    return ChosenGraph{std::move(*program), *index};
}

Result<std::string> graph_text(const std::string& format, const Program& program, std::size_t index,
                               const ReinplaceSession* session, Output& output) {
    const ProgramGraph& graph = program.graphs[index];
    if (format == "fx") return print_fx(graph.graph) + '\n';
    if (format == "python") return print_python_module(program, index, graph.graph, weights_path(program));
    const Picture picture = make_picture(graph, session);
    if (format == "dot") return print_dot(picture);
    Svg svg = print_svg(picture);
    if (!svg.note.empty()) output.message("drawn without Graphviz: " + svg.note);
    return std::move(svg.text);
}

Result<void> write_text(std::string text, const std::string& out, Output& output) {
    if (out != "-") return write_file_atomically(out, valid_utf8(std::move(text)));
    output.text(text);
    return {};
}

} // namespace inspector
