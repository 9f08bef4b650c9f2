// Enumerations by the names a document has for them.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "core/formats/session_document/json_document.h"

namespace inspector::session_document {

template <typename Enum, std::size_t size> using Names = std::array<std::pair<Enum, std::string_view>, size>;

template <typename Enum, std::size_t size> std::string_view name_of(const Names<Enum, size>& names, Enum value) {
    for (const auto& [each, name] : names)
        if (each == value) return name;
    return "";
}

/// Throws Malformed for a name that is not among them; `what` says of what kind it should be ("layout").
template <typename Enum, std::size_t size>
Enum value_of(const Names<Enum, size>& names, const Json& json, std::string_view what) {
    const std::string& wanted = text(json);
    for (const auto& [each, name] : names)
        if (name == wanted) return each;
    throw Malformed{&json, "no " + std::string(what) + " is named \"" + wanted + '"'};
}

} // namespace inspector::session_document
