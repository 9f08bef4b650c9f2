// Opening files in a Document and waiting for the result, for tests.
#pragma once

#include <QSignalSpy>
#include <QtTest>

#include "ui/document/document.h"

namespace inspector {

/// The message of openFailed(), or empty when the file was opened.
inline QString openAndWait(Document& document, const QString& path) {
    QSignalSpy opened(&document, &Document::opened);
    QSignalSpy failed(&document, &Document::openFailed);
    document.open(path);
    const bool is_done = QTest::qWaitFor([&] { return opened.count() + failed.count() > 0; }, 30'000);
    if (!is_done) return QStringLiteral("neither opened nor refused within 30 s");
    return failed.isEmpty() ? QString() : failed.first().first().toString();
}

inline QString referenceFile(const QString& name) { return QStringLiteral(TEST_DATA "/reference/") + name; }
/// print_readable text of `length` additions in a chain, a1 to aN; every tenth has a second reader, the output.
inline QByteArray chainText(int length) {
    QByteArray text = "class G(torch.nn.Module):\n    def forward(self, a0: \"f32[4][1]cpu\"):\n";
    QByteArray returned = "        return (";
    for (int i = 1; i <= length; ++i) {
        const QByteArray number = QByteArray::number(i);
        text += "        a" + number + ": \"f32[4][1]cpu\" = torch.ops.aten.add.Tensor(a" + QByteArray::number(i - 1) + ", 1)\n";
        if (i % 10 == 0) returned += "a" + number + ", ";
    }
    return text + returned + ")\n";
}

inline QString exampleSource(const QString& name) { return QStringLiteral(EXAMPLES "/") + name; }

inline NodeId nodeNamed(const Document& document, const char* name) {
    const NodeId node = document.session()->original().find(name);
    return node != no_node ? node : document.graph()->find(name);
}

} // namespace inspector
