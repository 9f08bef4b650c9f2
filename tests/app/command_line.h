// Running build/bin/reinplace as a person does.
#pragma once

#include <QByteArray>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QList>
#include <QProcess>
#include <QStringList>
#include <QtTest>

namespace inspector {

struct CommandResult {
    int status = -1;      ///< exit status; -1 where it crashed or did not end
    QByteArray out;
    QByteArray err;

    /// The lines of `out`, each a JSON object; an empty object where one is not.
    [[nodiscard]] QList<QJsonObject> objects() const {
        QList<QJsonObject> found;
        for (const QByteArray& line : out.split('\n'))
            if (!line.isEmpty()) found << QJsonDocument::fromJson(line).object();
        return found;
    }
};

inline CommandResult run_program(const QString& program, const QStringList& arguments, const QByteArray& input = {},
                                 const QProcessEnvironment& environment = QProcessEnvironment::systemEnvironment()) {
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(program, arguments);
    process.write(input);
    process.closeWriteChannel();
    CommandResult result;
    const bool ended = process.waitForFinished(120'000) && process.exitStatus() == QProcess::NormalExit;
    if (ended) result.status = process.exitCode();
    result.out = process.readAllStandardOutput();
    result.err = process.readAllStandardError();
    return result;
}

inline CommandResult reinplace(const QStringList& arguments, const QByteArray& input = {}) {
    return run_program(QStringLiteral(REINPLACE_PROGRAM), arguments, input);
}

/// tests/data/NAME.
inline QString data(const QString& name) { return QStringLiteral(TEST_DATA "/") + name; }

inline QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(unreadable)");
}

} // namespace inspector
