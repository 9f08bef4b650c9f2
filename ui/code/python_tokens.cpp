#include "ui/code/python_tokens.h"

#include <algorithm>
#include <array>

namespace inspector {
namespace {

bool isIdentifier(QChar c) { return c.isLetterOrNumber() || c == QLatin1Char('_'); }

bool isKeyword(QStringView word) {
    constexpr std::array<QStringView, 8> keywords{u"class", u"def",  u"return", u"self",
                                                  u"None",  u"True", u"False",  u"lambda"};
    return std::ranges::find(keywords, word) != keywords.end();
}

} // namespace

std::vector<PythonToken> pythonTokens(QStringView line) {
    std::vector<PythonToken> tokens;
    const auto add = [&tokens](qsizetype start, qsizetype end, PythonToken::Kind kind) {
        if (end <= start) return;
        if (!tokens.empty() && tokens.back().kind == kind) tokens.back().length = end - tokens.back().start;
        else tokens.push_back({start, end - start, kind});
    };
    qsizetype i = 0;
    bool is_first_word = true;
    while (i < line.size()) {
        const QChar c = line[i];
        if (c == QLatin1Char('#') || line.mid(i).startsWith(u";  ")) {
            add(i, line.size(), PythonToken::Kind::comment);
            break;
        }
        const qsizetype start = i;
        if (c == QLatin1Char('"') || c == QLatin1Char('\'')) {
            i = line.indexOf(c, i + 1);
            i = i < 0 ? line.size() : i + 1;
            const bool is_annotation = start >= 2 && line.mid(start - 2, 2) == u": ";
            add(start, i, is_annotation ? PythonToken::Kind::annotation : PythonToken::Kind::literal);
        } else if (c.isDigit()) {
            while (i < line.size() && (isIdentifier(line[i]) || line[i] == QLatin1Char('.'))) ++i;
            add(start, i, PythonToken::Kind::literal);
        } else if (isIdentifier(c)) {
            while (i < line.size() && isIdentifier(line[i])) ++i;
            const bool is_keyword = isKeyword(line.mid(start, i - start));
            const PythonToken::Kind other = is_first_word ? PythonToken::Kind::name : PythonToken::Kind::plain;
            add(start, i, is_keyword ? PythonToken::Kind::keyword : other);
            is_first_word = false;
        } else {
            ++i;
            add(start, i, PythonToken::Kind::plain);
        }
    }
    return tokens;
}

QStringView identifierAt(QStringView line, qsizetype position) {
    if (position < 0 || position >= line.size() || !isIdentifier(line[position])) return {};
    qsizetype start = position;
    qsizetype end = position;
    while (start > 0 && isIdentifier(line[start - 1])) --start;
    while (end < line.size() && isIdentifier(line[end])) ++end;
    return line.mid(start, end - start);
}

} // namespace inspector
