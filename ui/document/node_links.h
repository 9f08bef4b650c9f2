// Names of nodes as links in rich text, and back.
#pragma once

#include <optional>

#include <QString>
#include <QUrl>

#include "core/passes/reinplace/explain.h"

namespace inspector {

class Document;

/// "<a href="node:12">%add</a>"; "(none)" for no_node.
[[nodiscard]] QString nodeLink(const Document& document, NodeId node);
/// The sentence with its nodes as links.
[[nodiscard]] QString sentenceHtml(const Sentence& sentence);
/// FX text with every "%name" of a node of `graph` as a link.
[[nodiscard]] QString fxHtml(const Graph& graph, const QString& text);
/// The node a link of these names; nullopt for other links.
[[nodiscard]] std::optional<NodeId> nodeOfLink(const QUrl& link);

} // namespace inspector
