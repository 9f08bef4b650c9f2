// Files under tests/data, as text.
#pragma once

#include <QFile>
#include <QString>

#include <string>

inline std::string sample_path(const QString& name) { return (QStringLiteral(TEST_DATA "/") + name).toStdString(); }

/// Empty where the file cannot be read.
inline std::string sample_text(const QString& name) {
    QFile file(QString::fromStdString(sample_path(name)));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return file.readAll().toStdString();
}
