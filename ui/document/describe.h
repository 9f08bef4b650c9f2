// Words for people: sizes, layouts, checks, node names. The same in every panel.
#pragma once

#include <QString>

#include "core/passes/reinplace/comparison.h"
#include "ui/palette/verdict_style.h"

namespace inspector {

class Document;

/// "1.5 KiB": binary units, at most one decimal.
[[nodiscard]] QString bytesText(std::int64_t bytes);
/// "f32[2, s13, 16]", "Sym(s13)", "2 tensors": what a node's value is; empty where nothing is known.
[[nodiscard]] QString valueText(const Document& document, NodeId node);
/// Bytes of the elements a layout counts, each once: not the extent it covers. "huge" where they overflow.
[[nodiscard]] QString elementBytesText(const TensorLayout& layout);
/// "[4, 8]"
[[nodiscard]] QString numbersText(const std::vector<std::int64_t>& numbers);
/// "Metadata", "Input alias": a check as a title.
[[nodiscard]] QString checkTitle(CheckId check);
/// "unsound", "timid", "otherwise": how a policy's decision stands beside sound's.
[[nodiscard]] QString judgementText(Judgement judgement);
/// "torch-fx unsound, inductor timid": what other policies decide otherwise than sound at `node`; empty where nothing.
[[nodiscard]] QString differencesText(const Document& document, NodeId node);
/// "%add", or "(none)"; of a name beyond 200 characters the beginning.
[[nodiscard]] QString nodeText(const Document& document, NodeId node);
/// "aten.add.Tensor", "operator.getitem", "placeholder": the node's operation without "torch.ops.".
[[nodiscard]] QString operationText(const Node& node);
/// What is shown of the decision on `node`; none where none is made on it.
[[nodiscard]] VerdictMark verdictMark(const Document& document, NodeId node);
/// What `node` is and what was decided, on a few lines: for tool tips. Rich text.
[[nodiscard]] QString nodeToolTip(const Document& document, NodeId node);
/// A tool tip that shows `text` as it stands. Qt takes one that looks like markup for markup, and names in files may.
[[nodiscard]] QString literalToolTip(const QString& text);

} // namespace inspector
