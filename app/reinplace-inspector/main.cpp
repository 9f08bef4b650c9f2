// The window's program: reinplace-inspector [FILE]
#include <algorithm>
#include <memory>

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QFileInfo>
#include <QIcon>
#include <QSettings>
#include <QStandardPaths>
#include <QStyleFactory>
#include <QTemporaryDir>
#include <QTextStream>
#include <QThreadPool>

#include "core/libtorch/library.h"
#include "first_picture.h"
#include "ui/main_window/examples.h"
#include "ui/main_window/main_window.h"

using namespace inspector;

namespace {

int fail(const QString& message, int status) {
    QTextStream(stderr) << "reinplace-inspector: " << message << '\n';
    return status;
}

/// Empty where there is none of that name.
QString exampleFile(const QString& name) {
    const auto example = std::ranges::find_if(examples(), [&](const Example& each) { return QFileInfo(each.resource).baseName() == name; });
    return example == examples().end() ? QString() : exampleFile(*example);
}

} // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("reinplace-inspector"));
    QCoreApplication::setOrganizationName(QStringLiteral("reinplace-inspector"));
    QCoreApplication::setApplicationVersion(QStringLiteral(INSPECTOR_VERSION));
    QGuiApplication::setApplicationDisplayName(QStringLiteral("Reinplace Inspector"));
    QGuiApplication::setDesktopFileName(QStringLiteral("reinplace-inspector"));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/reinplace-inspector.svg")));
    // One style everywhere: the palettes are made and tested for it.
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));

    QCommandLineParser options;
    options.setApplicationDescription(
        QStringLiteral("Shows which operations of a PyTorch graph can be done in place, and why the others cannot."));
    options.addHelpOption();
    options.addVersionOption();
    const QCommandLineOption fresh(QStringLiteral("fresh-settings"),
                                   QStringLiteral("Start as for the first time; remember nothing."));
    const QCommandLineOption time(QStringLiteral("time-first-picture"),
                                  QStringLiteral("Tell how long FILE took until it was drawn, and end."));
    const QCommandLineOption example(QStringLiteral("example"), QStringLiteral("Open a graph that comes with the program: teaching or transformer-layer."),
                                     QStringLiteral("NAME"));
    options.addOptions({fresh, time, example});
    options.addPositionalArgument(QStringLiteral("FILE"), QStringLiteral("A .pt2, FX text, a log with graphs, a folder of logs or a session document."),
                                  QStringLiteral("[FILE]"));
    options.process(application);

    // Every graph needs it; meanwhile the window is made and the file read.
    QThreadPool::globalInstance()->start([] { static_cast<void>(libtorch()); });

    const QTemporaryDir folder;
    const auto settings = options.isSet(fresh)
        ? std::make_unique<QSettings>(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat)
        : std::make_unique<QSettings>();
    const QString data = options.isSet(fresh) ? folder.path() : QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    MainWindow window(settings.get(), QDir(data).filePath(QStringLiteral("sessions")));
    window.show();
    QStringList files = options.positionalArguments();
    if (options.isSet(example)) {
        if (!files.isEmpty()) return fail(QStringLiteral("--example needs no FILE"), 2);
        files << exampleFile(options.value(example));
        if (files.constFirst().isEmpty()) return fail(QStringLiteral("there is no example '%1'").arg(options.value(example)), 2);
    }
    if (options.isSet(time)) {
        if (files.isEmpty()) return fail(QStringLiteral("--time-first-picture needs a FILE"), 2);
        QObject::connect(&window.document(), &Document::openFailed, &application,
                         [](const QString& message) { QCoreApplication::exit(fail(message, 3)); });
        new FirstPicture(window.canvas(), [](double milliseconds) {
            QTextStream(stdout) << "first picture after " << qRound(milliseconds) << " ms\n";
            QCoreApplication::quit();
        });
    }
    if (!files.isEmpty()) window.openFile(files.constFirst() == QLatin1String("-") ? files.constFirst() : QDir::cleanPath(files.constFirst()));
    return QApplication::exec();
}
