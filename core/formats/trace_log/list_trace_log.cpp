#include "core/formats/trace_log/list_trace_log.h"

#include <nlohmann/json.hpp>

#include "core/formats/fx_text/source_text.h"
#include "core/formats/reader_notes.h"
#include "core/formats/text_encoding.h"
#include "core/formats/trace_log/trace_records.h"
#include "core/formats/unique_ids.h"
#include "core/graph/utf8.h"

namespace inspector::trace_log {
namespace {

bool is_fx_text(std::string_view payload) {
    return payload.find("(torch.nn.Module):") != std::string_view::npos && payload.find("def forward(") != std::string_view::npos;
}

/// Letters a person can type, of a name that can be anything.
std::string word(std::string_view name) {
    constexpr std::size_t longest = 100;
    std::string word;
    for (const char c : name.substr(0, longest))
        word += c > 0 && (fx_text::is_identifier_part(c) || c == '.') ? c : '_';
    return word.empty() ? "graph" : word;
}

std::string torch_version(const std::string& payload) {
    const auto json = nlohmann::json::parse(payload, nullptr, false);
    const auto version = json.is_object() ? json.find("pytorch_version") : json.end();
    return version != json.end() && version->is_string() ? version->get<std::string>() : std::string();
}

class Lister {
public:
    explicit Lister(const ReadOptions& options) : options_(options) { program_.format = "trace_log"; }

    Result<Program> list(std::string_view bytes) {
        const auto note = [this](std::string problem) { add_note(program_, std::move(problem)); };
        if (auto done = for_each_record(bytes, options_, [this](TraceRecord record) { add(std::move(record)); }, note); !done)
            return tl::unexpected(done.error());
        if (text_bytes_ > options_.limits.text_bytes)
            return fail({}, "the texts of its graphs are longer than " + std::to_string(options_.limits.text_bytes) + " bytes");
        if (graphs_ > options_.limits.graphs)
            return fail({}, "it holds more than " + std::to_string(options_.limits.graphs) + " graphs");
        return std::move(program_);
    }

private:
    void add(TraceRecord record) {
        if (record.kind == "torch_version") {
            if (program_.torch_version.empty()) program_.torch_version = torch_version(record.payload);
            return;
        }
        if (!is_fx_text(record.payload)) {
            if (record.kind.ends_with("_graph") || record.kind == "graph_dump")
                add_note(program_, "line " + std::to_string(record.line) + ": " + record.kind + " holds no FX graph");
            return;
        }
        text_bytes_ += record.payload.size();
        ++graphs_;
        if (text_bytes_ > options_.limits.text_bytes || graphs_ > options_.limits.graphs) return;
        auto text = std::make_shared<LoggedText>();
        text->line = record.line + 1;
        text->cut = 1;
        text->text = valid_text(record);
        ProgramGraph graph;
        graph.kind = valid_utf8(std::move(record.kind));
        graph.compile_id = record.compile_id;
        graph.title = graph.kind;
        const std::string name = word(record.name.empty() ? graph.kind : record.name);
        graph.id = ids_.unique(graph.compile_id.empty() ? name : graph.compile_id + "/" + name);
        graph.text = std::move(text);
        graph.is_read = false;
        program_.graphs.push_back(std::move(graph));
    }

    std::string valid_text(const TraceRecord& record) {
        if (const auto fault = first_text_fault(record.payload))
            add_note(program_, "line " + std::to_string(record.line + 1 + fault->line) + ": " + fault->what +
                                   " in the payload of " + record.kind + ", shown as U+FFFD");
        return without_text_faults(record.payload);
    }

    const ReadOptions& options_;
    Program program_;
    UniqueIds ids_;
    std::uint64_t text_bytes_ = 0;
    std::uint64_t graphs_ = 0;
};

} // namespace

Result<Program> list_trace_log(std::string_view bytes, const ReadOptions& options) { return Lister(options).list(bytes); }

} // namespace inspector::trace_log
