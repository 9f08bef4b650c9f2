// The whole window with settings and files of its own, for tests that drive it.
#pragma once

#include <memory>

#include <QSettings>
#include <QTemporaryDir>

#include "tests/window/opened_document.h"
#include "ui/main_window/main_window.h"

namespace inspector {

/// A test's init() makes the window and its cleanup() drops it, so that nothing of one test is left to the next.
class WindowFixture : public QObject {
protected:
    /// Shown and active.
    void makeWindow(QSize size = QSize(1280, 800)) {
        folder_ = std::make_unique<QTemporaryDir>();
        settings_ = std::make_unique<QSettings>(folder_->filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
        window_ = std::make_unique<MainWindow>(settings_.get());
        window_->resize(size);
        window_->show();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
    }
    void dropWindow() {
        window_.reset();
        settings_.reset();
        folder_.reset();
    }

    [[nodiscard]] Document& document() const { return window_->document(); }
    [[nodiscard]] QAction* action(const char* id) const { return window_->actions()[QString::fromUtf8(id)]; }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(window_.get(), key, modifiers); }
    /// A file of the test's folder that holds `text`: its path.
    [[nodiscard]] QString write(const QString& name, const QByteArray& text) const {
        QFile file(folder_->filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) qFatal("cannot write");
        return file.fileName();
    }
    /// Empty where there is no such file in the folder.
    [[nodiscard]] QByteArray content(const QString& name) const {
        QFile file(folder_->filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<QSettings> settings_;
    std::unique_ptr<MainWindow> window_;
};

} // namespace inspector
