#include "core/formats/trace_log/trace_records.h"

#include <algorithm>
#include <optional>

#include <nlohmann/json.hpp>

#include "core/formats/fx_text/source_text.h"
#include "core/formats/md5.h"
#include "core/formats/trace_log/record_json.h"

namespace inspector::trace_log {
namespace {

using fx_text::is_digit;
using Json = nlohmann::ordered_json;
constexpr std::size_t npos = std::string_view::npos;

/// Whether `text` begins as `pattern`, in which '0' is any digit.
bool begins_like(std::string_view text, std::string_view pattern) {
    return text.size() >= pattern.size() &&
           std::equal(pattern.begin(), pattern.end(), text.begin(),
                      [](char wanted, char c) { return wanted == '0' ? is_digit(c) : wanted == c; });
}

std::size_t digits(std::string_view text, std::size_t position) {
    std::size_t end = position;
    while (end < text.size() && is_digit(text[end])) ++end;
    return end - position;
}

/// "V1129 11:30:02.583000 16750 "; its length, 0 where the line begins otherwise.
std::size_t stamp_length(std::string_view line) {
    constexpr std::string_view time = "0000 00:00:00.";
    if (line.empty() || std::string_view("VDIWEC").find(line.front()) == npos || !begins_like(line.substr(1), time)) return 0;
    std::size_t end = 1 + time.size();
    for (int number = 0; number < 2; ++number) { // microseconds, process
        const std::size_t length = digits(line, end);
        if (length == 0 || end + length >= line.size() || line[end + length] != ' ') return 0;
        end += length + 1;
    }
    return end;
}

/// Where the JSON of a header begins: behind "torch/_dynamo/output_graph.py:2841] ".
std::optional<std::size_t> json_start(std::string_view line, std::size_t stamp) {
    for (std::size_t end = line.find("] {", stamp); end != npos; end = line.find("] {", end + 1)) {
        std::size_t number = end;
        while (number > stamp && is_digit(line[number - 1])) --number;
        if (number < end && number > stamp && line[number - 1] == ':') return end + 2;
    }
    return std::nullopt;
}

/// The first key of an object, which is the record's kind; empty where the text does not begin with one.
std::string_view first_key(std::string_view json) {
    constexpr std::string_view begin = "{\"";
    if (!json.starts_with(begin)) return {};
    const std::size_t end = json.find('"', begin.size());
    return end == npos ? std::string_view{} : json.substr(begin.size(), end - begin.size());
}

bool is_about_graphs(std::string_view name) { return name.find("graph") != npos; }

std::optional<std::int64_t> number(const Json& record, const char* key) {
    const auto found = record.find(key);
    if (found == record.end() || !found->is_number_integer()) return std::nullopt;
    return found->get<std::int64_t>();
}

std::string string(const Json& object, const char* key) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Source: CompileId.__str__ and CompileContext of torch/_guards.py.
std::string compile_id(const Json& record) {
    const auto frame = number(record, "frame_id");
    const auto autograd = number(record, "compiled_autograd_id");
    std::string text = autograd ? "!" + std::to_string(*autograd) : "";
    if (frame) {
        if (autograd) text += '/';
        text += std::to_string(*frame) + '/' + std::to_string(number(record, "frame_compile_id").value_or(0));
    }
    const std::int64_t attempt = number(record, "attempt").value_or(0);
    if (attempt > 0 && !text.empty()) text += '_' + std::to_string(attempt);
    return text;
}

class RecordScanner {
public:
    RecordScanner(std::string_view bytes, const ReadOptions& options, const std::function<void(TraceRecord)>& found,
                  const std::function<void(std::string)>& problem)
        : bytes_(bytes), options_(options), found_(found), problem_(problem) {}

    Result<void> scan() {
        const std::size_t all = bytes_.size();
        std::string_view rest = bytes_;
        while (!rest.empty()) {
            const std::size_t end = rest.find('\n');
            const std::string_view line = rest.substr(0, end);
            rest.remove_prefix(end == npos ? rest.size() : end + 1);
            ++line_;
            if (line.starts_with('\t')) add_payload(line.substr(1));
            else if (const std::size_t stamp = stamp_length(line)) begin_record(line, stamp);
            else pass_over();
            if (line_ % 4096 == 0) {
                if (options_.cancelled && options_.cancelled->load(std::memory_order_relaxed))
                    return fail({}, "reading was cancelled");
                if (options_.progress) options_.progress(static_cast<int>((all - rest.size()) * 100 / all));
            }
        }
        finish();
        return {};
    }

private:
    void tell(std::uint32_t line, const std::string& reason) { problem_("line " + std::to_string(line) + ": " + reason); }

    void begin_record(std::string_view line, std::size_t stamp) {
        finish();
        has_returns_ = line.ends_with('\r');
        if (has_returns_) line.remove_suffix(1);
        const auto start = json_start(line, stamp);
        if (!start) return tell(line_, "this record's header is damaged; the record is left out");
        std::string_view json = line.substr(*start);
        const std::string_view kind = first_key(json);
        if (!kind.empty() && kind != "artifact" && !is_about_graphs(kind)) {
            if (!json.ends_with('}')) tell(line_, "the record's JSON is cut short; the record is left out");
            return;
        }
        const auto record = parse_record_json(json, options_.limits.depth);
        if (!record) {
            tell(line_, record.error().place + " of its JSON: " + record.error().reason + "; the record is left out");
            return;
        }
        TraceRecord made;
        made.line = line_;
        made.kind = record->begin().key();
        made.name = string(record->begin().value(), "name");
        if (made.kind == "artifact") made.kind = made.name;
        made.compile_id = compile_id(*record);
        if (!is_about_graphs(made.kind) && made.kind != "torch_version") return;
        sum_ = string(*record, "has_payload");
        payload_lines_ = 0;
        record_ = std::move(made);
    }

    void add_payload(std::string_view line) {
        is_foreign_ = false;
        if (!record_) return;
        if (has_returns_ && line.ends_with('\r')) line.remove_suffix(1);
        if (payload_lines_++ > 0) record_->payload += '\n';
        record_->payload += line;
    }

    /// Lines that a run of which is told once.
    void pass_over() {
        if (!std::exchange(is_foreign_, true)) tell(line_, "this is neither a record nor a payload, and is passed over");
    }

    void finish() {
        is_foreign_ = false;
        if (!record_) return;
        if (!sum_.empty()) {
            if (const std::string sum = md5(record_->payload); sum != sum_)
                tell(record_->line, "the payload of " + record_->kind + " is not the one that was logged: its MD5 sum is " +
                                        sum + ", the record says " + sum_);
        }
        found_(std::move(*record_));
        record_.reset();
    }

    std::string_view bytes_;
    const ReadOptions& options_;
    const std::function<void(TraceRecord)>& found_;
    const std::function<void(std::string)>& problem_;
    std::uint32_t line_ = 0;
    std::optional<TraceRecord> record_; ///< that takes payload lines
    std::string sum_;
    std::size_t payload_lines_ = 0;
    bool has_returns_ = false; ///< line ends of Windows
    bool is_foreign_ = false;  ///< the line before belonged to no record
};

} // namespace

bool is_trace_log(std::string_view bytes) {
    // A log may be the end of a longer one, and a program may have written something before it.
    constexpr std::size_t enough = 1 << 20;
    std::string_view rest = bytes.substr(0, enough);
    while (!rest.empty()) {
        const std::size_t end = rest.find('\n');
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(end == npos ? rest.size() : end + 1);
        const std::size_t stamp = stamp_length(line);
        const auto start = stamp > 0 ? json_start(line, stamp) : std::nullopt;
        if (start && !first_key(line.substr(*start)).empty()) return true;
    }
    return false;
}

Result<void> for_each_record(std::string_view bytes, const ReadOptions& options,
                             const std::function<void(TraceRecord)>& found,
                             const std::function<void(std::string)>& problem) {
    return RecordScanner(bytes, options, found, problem).scan();
}

} // namespace inspector::trace_log
