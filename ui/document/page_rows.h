// A table of two columns on a page: titles in the muted colour, and what they are about.
#pragma once

#include <QColor>
#include <QString>

namespace inspector {

class PageRows {
public:
    explicit PageRows(const QColor& muted) : muted_(muted.name()) {}
    /// Nothing where `html` is empty.
    void add(const QString& title, const QString& html);
    /// The same of a text, in the fixed-width font.
    void addText(const QString& title, const QString& text);
    [[nodiscard]] QString html() const;

private:
    QString muted_;
    QString rows_;
};

} // namespace inspector
