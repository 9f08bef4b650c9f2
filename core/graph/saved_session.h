// What a document keeps of somebody's work on a graph, by names and text ids: it outlives the program that wrote it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/symbolic_size.h"

namespace inspector {

struct SavedChoice {
    std::string node;
    std::string choice;  ///< "accept", "skip", "force"
    friend bool operator==(const SavedChoice&, const SavedChoice&) = default;
};

/// A decision as it was made when the document was saved.
struct SavedDecision {
    std::string node;
    std::string verdict, check, reason;  ///< text ids of passes/reinplace/decision.h
    friend bool operator==(const SavedDecision&, const SavedDecision&) = default;
};

/// What the file says of symbolic sizes, of a graph that the document has with other ranges: those that were asked for.
struct FileRanges {
    std::vector<SymbolRange> ranges;
    std::map<std::string, std::int64_t> hints;
    friend bool operator==(const FileRanges&, const FileRanges&) = default;
};

struct SavedSession {
    std::size_t graph = 0;                 ///< index in the program
    std::string policy;
    std::optional<std::uint32_t> first;    ///< only the first N decisions follow the policy
    std::vector<std::string> donated;      ///< inputs the caller gives up
    std::vector<SavedChoice> choices;      ///< in order of decision
    std::uint32_t position = 0;            ///< decisions made
    std::uint32_t checks = 0;              ///< checks asked of the current node
    std::optional<FileRanges> file_ranges; ///< nullopt: the graph's are the file's
    std::string selected;                  ///< a node's name; empty for none
    std::vector<SavedDecision> decisions;  ///< those made, in order
    std::string origin;                    ///< the file the graph was read from, as it was given; a title for a pasted text
    std::string origin_format;             ///< its Program::format
    std::string document;                  ///< of an autosave: the document that was open; empty for none
    friend bool operator==(const SavedSession&, const SavedSession&) = default;
};

} // namespace inspector
