// Sentences whose names are links: plain words and node names in turn.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/graph.h"

namespace inspector {

/// A piece of a sentence: plain words, or a node's name that a reader can turn into a link.
struct TextSpan {
    std::string text;
    NodeId node = no_node;
};
using Sentence = std::vector<TextSpan>;
[[nodiscard]] std::string plain_text(const Sentence& sentence);

/// Builds a sentence piece by piece: `words << "kept: " << node << " reads it"`. Nodes are named as in `graph`.
class SentenceWriter {
public:
    explicit SentenceWriter(const Graph& graph) : graph_(graph) {}

    SentenceWriter& operator<<(std::string_view words);
    SentenceWriter& operator<<(const char* words) { return *this << std::string_view(words); }
    SentenceWriter& operator<<(const std::string& words) { return *this << std::string_view(words); }
    SentenceWriter& operator<<(NodeId node); ///< "%name"; the output is named "the output"
    SentenceWriter& operator<<(const Sentence& part);
    [[nodiscard]] Sentence take() { return std::move(sentence_); }

private:
    const Graph& graph_;
    Sentence sentence_;
};

} // namespace inspector
