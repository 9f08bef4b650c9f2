#include "ui/decompose/made_code.h"

#include <algorithm>

#include <QEvent>
#include <QTextBlock>

#include "ui/appearance/theme.h"

namespace inspector {

MadeCode::MadeCode(QWidget* parent) : QPlainTextEdit(parent) {
    setReadOnly(true);
    setUndoRedoEnabled(false);
    setFrameShape(QFrame::NoFrame);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setFont(codeFont());
}

void MadeCode::setLines(const std::vector<ReadableLine>& lines) {
    lineOf_.clear();
    marked_.clear();
    QString text;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].node != no_node) lineOf_.insert(index_of(lines[i].node), static_cast<int>(i));
        text += QString::fromStdString(lines[i].text) + QLatin1Char('\n');
    }
    setPlainText(text);
    showMarks();
}

void MadeCode::mark(const std::vector<NodeId>& nodes) {
    marked_.clear();
    for (const NodeId node : nodes)
        if (const auto line = lineOf_.constFind(index_of(node)); line != lineOf_.constEnd()) marked_.push_back(*line);
    std::ranges::sort(marked_);
    showMarks();
    if (marked_.empty()) return;
    setTextCursor(QTextCursor(document()->findBlockByNumber(marked_.front())));
    centerCursor();
}

void MadeCode::showMarks() {
    QList<QTextEdit::ExtraSelection> selections;
    for (const int line : marked_) {
        QTextEdit::ExtraSelection selection;
        selection.cursor = QTextCursor(document()->findBlockByNumber(line));
        selection.format.setBackground(themeColours(palette()).evidence);
        selection.format.setProperty(QTextFormat::FullWidthSelection, true);
        selections << selection;
    }
    setExtraSelections(selections);
}

void MadeCode::changeEvent(QEvent* event) {
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) showMarks();
}

} // namespace inspector
