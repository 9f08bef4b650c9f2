// A JSON document as a tree that keeps what the document says: members in their order, numbers beyond int64 and
// floats as their text. What nlohmann's own tree cannot keep and a .pt2 needs; its parser does the reading.
//
// Inside formats/pt2 a document that does not have the expected form is reported by throwing Malformed; read_pt2 and
// write_pt2 turn it into an Error.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace inspector::pt2 {

/// What is wrong with a document, and where in it; places are joined from the outside in ("models/model.json, node 7").
struct Malformed {
    std::string place;
    std::string reason;

    Malformed(std::string what_place, std::string what_reason)
        : place(std::move(what_place)), reason(std::move(what_reason)) {}
    explicit Malformed(std::string what_reason) : reason(std::move(what_reason)) {}
    void within(std::string_view outer);
};

struct Json;
struct JsonMember;

/// A number that is no int64, with the text the document has for it: "0.5", "1e-05", "18446744073709551615".
struct JsonNumber {
    double value = 0;
    std::string text;
};

struct Json {
    using Array = std::vector<Json>;
    using Object = std::vector<JsonMember>;
    /// monostate: null.
    std::variant<std::monostate, bool, std::int64_t, JsonNumber, std::string, Array, Object> value;

    [[nodiscard]] bool is_null() const { return std::holds_alternative<std::monostate>(value); }
    /// The member's value; nullptr where there is none or it is null. Of two with one key the last counts, as in
    /// Python.
    [[nodiscard]] Json* find(std::string_view key);

    // These throw Malformed where the value is of another kind.
    [[nodiscard]] Json& at(std::string_view key);
    [[nodiscard]] Object& members();
    [[nodiscard]] Array& items();
    [[nodiscard]] std::string& text();
    [[nodiscard]] std::int64_t integer() const;
    [[nodiscard]] bool boolean() const;
    /// Also takes integers and the strings "Infinity", "-Infinity", "NaN".
    [[nodiscard]] double real() const;

    /// A union of the schema: the one member of a one-member object.
    [[nodiscard]] JsonMember& alternative();
};

struct JsonMember {
    std::string key;
    Json value;
};

struct JsonLimits {
    std::uint32_t depth = 200;
    std::uint64_t values = 50'000'000; ///< about 4 GB of tree; a million nodes
    const std::atomic<bool>* cancelled = nullptr;
};

/// Throws Malformed for text that is no JSON, is nested deeper or holds more values than the limits say.
[[nodiscard]] Json parse_json(std::string_view text, const JsonLimits& limits);
/// As Python's json.dumps writes it: what Python wrote and nobody changed comes out byte for byte.
[[nodiscard]] std::string format_json(const Json& json);

} // namespace inspector::pt2
