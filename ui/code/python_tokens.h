// Splits a line of print_readable into what gets a colour of its own.
#pragma once

#include <vector>

#include <QStringView>

namespace inspector {

struct PythonToken {
    enum class Kind { plain, name, keyword, literal, annotation, comment };
    qsizetype start = 0;
    qsizetype length = 0;
    Kind kind = Kind::plain;
};

/// Tokens cover the line without gaps. The tail that only frees values (";  a = b = None") is a comment.
[[nodiscard]] std::vector<PythonToken> pythonTokens(QStringView line);

/// The identifier at `position`, empty where there is none.
[[nodiscard]] QStringView identifierAt(QStringView line, qsizetype position);

} // namespace inspector
