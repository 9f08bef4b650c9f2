#include "core/passes/reinplace/sentence.h"

namespace inspector {

std::string plain_text(const Sentence& sentence) {
    std::string text;
    for (const TextSpan& span : sentence) text += span.text;
    return text;
}

SentenceWriter& SentenceWriter::operator<<(std::string_view words) {
    if (!sentence_.empty() && sentence_.back().node == no_node) sentence_.back().text += words;
    else sentence_.push_back({std::string(words), no_node});
    return *this;
}

SentenceWriter& SentenceWriter::operator<<(NodeId node) {
    if (node == no_node) return *this << "nothing";
    const Node& named = graph_.node(node);
    sentence_.push_back({named.opcode == Opcode::output ? "the output" : "%" + named.name, node});
    return *this;
}

SentenceWriter& SentenceWriter::operator<<(const Sentence& part) {
    for (const TextSpan& span : part) {
        if (span.node == no_node) *this << span.text;
        else sentence_.push_back(span);
    }
    return *this;
}

} // namespace inspector
