// A JSON text as nlohmann's tree, with questions that say where the document has another form than expected.
//
// Inside formats/session_document such a document is reported by throwing Malformed; read_session_document turns it
// into an Error whose place is a JSON pointer (RFC 6901).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/formats/reader.h"
#include "core/graph/result.h"

namespace inspector::session_document {

using Json = nlohmann::ordered_json;

struct Malformed {
    const Json* where = nullptr;
    std::string reason;
};

/// Errors have "line N, column M" as their place: what is no JSON, is nested deeper than the limit, or holds more
/// values than a graph of the largest size needs.
[[nodiscard]] Result<Json> parse_document(std::string_view text, const ReadLimits& limits);
/// "/graphs/0/nodes/5/args/1"; "/" for the document itself.
[[nodiscard]] std::string pointer_to(const Json& document, const Json* value);

// These throw Malformed where the value is of another kind.
[[nodiscard]] const Json& member(const Json& object, const char* key);
/// nullptr where there is none, or it is null.
[[nodiscard]] const Json* find(const Json& object, const char* key);
[[nodiscard]] const Json& object(const Json& value);
[[nodiscard]] const Json& list(const Json& value);
[[nodiscard]] const std::string& text(const Json& value);
[[nodiscard]] std::int64_t integer(const Json& value);
[[nodiscard]] std::uint32_t count(const Json& value); ///< from 0
[[nodiscard]] bool boolean(const Json& value);
/// The member's text; empty where there is none.
[[nodiscard]] std::string text_or_empty(const Json& object, const char* key);
/// The one member of a one-member object.
[[nodiscard]] std::pair<const std::string&, const Json&> alternative(const Json& value);

/// As one line; ill-formed UTF-8 as U+FFFD.
[[nodiscard]] std::string print_line(const Json& json);
/// Adds the member unless the text is empty.
void put_text(Json& object, const char* key, const std::string& text);

} // namespace inspector::session_document
