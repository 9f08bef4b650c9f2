// Names of nodes as links in rich text, and back.
#pragma once

#include <optional>
#include <vector>

#include <QString>
#include <QUrl>

#include "core/passes/reinplace/explain.h"

namespace inspector {

class Document;

/// "<a href="node:12">%add</a>"; "(none)" for no_node.
[[nodiscard]] QString nodeLink(const Document& document, NodeId node);
/// "%add, %mul" as links, in the fixed-width font; of a great many the first 200 and how many more. `none` where there is none.
[[nodiscard]] QString nodeLinks(const Document& document, const std::vector<NodeId>& nodes, const QString& none);
/// The sentence with its nodes as links. Those in `numbered` get their place in it in front, as the canvas shows it: "① %mul".
[[nodiscard]] QString sentenceHtml(const Sentence& sentence, const std::vector<NodeId>& numbered = {});
/// FX text with every "%name" of a node of `graph` as a link. A line of more than 4,000 characters is cut, as are names of
/// more than 200 here and below; how much is lacking is said.
[[nodiscard]] QString fxHtml(const Graph& graph, const QString& text);
/// "%mul = aten.mul.Tensor(%x, 2)": a node whose inputs are in `graph` as a call, with its inputs as links.
[[nodiscard]] QString callHtml(const Graph& graph, const Node& node);
/// `html` in the fixed-width font.
[[nodiscard]] QString codeHtml(const QString& html);
/// The node a link of these names; nullopt for other links.
[[nodiscard]] std::optional<NodeId> nodeOfLink(const QUrl& link);

} // namespace inspector
