// Comparing made text with a file under tests/data.
#pragma once

#include <algorithm>
#include <string>

#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QString>
#include <QtTest>

namespace inspector {

/// Lines that differ, "-" expected and "+" actual, with two lines around them.
inline QByteArray line_difference(const QByteArray& expected, const QByteArray& actual) {
    const QList<QByteArray> before = expected.split('\n');
    const QList<QByteArray> after = actual.split('\n');
    qsizetype start = 0;
    while (start < std::min(before.size(), after.size()) && before[start] == after[start]) ++start;
    qsizetype end = 0;
    while (end < std::min(before.size(), after.size()) - start &&
           before[before.size() - 1 - end] == after[after.size() - 1 - end])
        ++end;
    QByteArray text = "line " + QByteArray::number(start + 1) + ":\n";
    const auto add = [&text](const QList<QByteArray>& lines, qsizetype from, qsizetype to, const char* mark) {
        constexpr qsizetype most_lines = 40;
        for (qsizetype i = std::max<qsizetype>(from, 0); i < std::min({to, lines.size(), from + most_lines}); ++i)
            text += mark + lines[i] + '\n';
    };
    add(before, start - 2, start, " ");
    add(before, start, before.size() - end, "-");
    add(after, start, after.size() - end, "+");
    add(before, before.size() - end, before.size() - end + 2, " ");
    return text;
}

/// Empty when `actual` is what tests/data/NAME holds. Else the difference; `actual` is kept as golden/NAME.actual in the
/// folder the test runs in, to look at or to copy over the golden file when the new text is right.
inline QByteArray golden_difference(const QString& name, const std::string& actual) {
    QFile golden(QStringLiteral(TEST_DATA "/") + name);
    const QByteArray expected = golden.open(QIODevice::ReadOnly) ? golden.readAll() : QByteArray("(there is no such file)\n");
    const QByteArray text = QByteArray::fromStdString(actual);
    if (text == expected) return {};
    QFile kept(QStringLiteral("golden/") + name + QStringLiteral(".actual"));
    QDir().mkpath(QFileInfo(kept).path());
    if (kept.open(QIODevice::WriteOnly)) kept.write(text);
    return "differs from tests/data/" + name.toUtf8() + "; see " + QFileInfo(kept).absoluteFilePath().toUtf8() + '\n' +
           line_difference(expected, text);
}

#define COMPARE_GOLDEN(name, actual)                                                                                   \
    do {                                                                                                               \
        const QByteArray difference = inspector::golden_difference(QStringLiteral(name), actual);                      \
        QVERIFY2(difference.isEmpty(), difference.constData());                                                        \
    } while (false)

} // namespace inspector
