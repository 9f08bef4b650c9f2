#include "ui/main_window/examples.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

namespace inspector {
namespace {

const QTemporaryDir& folder() {
    static const QTemporaryDir made;
    return made;
}

} // namespace

const std::vector<Example>& examples() {
    static const std::vector<Example> all{
        {QCoreApplication::translate("Examples", "Teaching graph"),
         QCoreApplication::translate("Examples", "17 operations in which every kind of verdict occurs"),
         QStringLiteral(":/examples/teaching.py.txt")},
        {QCoreApplication::translate("Examples", "Transformer layer"),
         QCoreApplication::translate("Examples", "A decoder layer with rotary embedding and a key/value cache, Core ATen"),
         QStringLiteral(":/examples/transformer-layer.pt2")},
    };
    return all;
}

QString exampleFile(const Example& example) {
    if (!folder().isValid()) return {};
    const QString path = folder().filePath(QFileInfo(example.resource).fileName());
    if (!QFile::exists(path) && !QFile::copy(example.resource, path)) return {};
    return path;
}

bool isExampleFile(const QString& path) { return folder().isValid() && QFileInfo(path).absolutePath() == folder().path(); }

} // namespace inspector
