#include "ui/document/same_file.h"

#include <QFileInfo>

namespace inspector {

bool isSameFile(const QString& a, const QString& b) {
    const QFileInfo first(a), second(b);
    return first.exists() && second.exists() && first == second; // Qt takes any two that do not exist for equal
}

bool isReadFrom(const Program& program, const QString& path) {
    return isSameFile(path, QString::fromStdString(program.path)) ||
           (program.archive && isSameFile(path, QString::fromStdString(program.archive->path)));
}

} // namespace inspector
