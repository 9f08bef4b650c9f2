// Gets layouts off the UI thread: ours at once, then dot's where the graph is small enough for it.
#pragma once

#include <atomic>
#include <memory>

#include <QObject>
#include <QProcess>
#include <QThreadPool>
#include <QTimer>

#include "ui/graph_view/row_assignment.h"

namespace inspector {

class LayoutRequest : public QObject {
    Q_OBJECT
public:
    explicit LayoutRequest(QObject* parent = nullptr);
    ~LayoutRequest() override;

    /// A new request supersedes what is still running: its results are dropped, its process is killed.
    void start(LayoutInput input, LayoutOptions options);
    /// Ends the work; the layout got last stays.
    void cancel();
    [[nodiscard]] bool isRunning() const { return stage_ != Stage::idle; }

    /// Graphs with more boxes keep our layout.
    static constexpr std::size_t mostBoxesForDot = 1500;
    /// Where dot's layout is wider than ours by more than this factor, ours stays: dot lets long graphs drift sideways.
    static constexpr float widestFromDot = 1.5F;
    /// Empty: dot is not asked. Default: "dot" as found in PATH.
    void setDotProgram(const QString& program) { dotProgram_ = program; }
    /// In milliseconds; then it is killed and our layout stays.
    void setDotTimeLimit(int limit) { dotTimeout_.setInterval(limit); }

Q_SIGNALS:
    void started();
    /// Where every box is. Comes once with our layout, and perhaps a second time with dot's.
    void layoutReady(const inspector::GraphLayout& layout, bool isFromDot);
    /// `percent` of our layout, -1 while dot works, whose progress nobody knows.
    void progressChanged(int percent);
    /// Nothing more will come of this request.
    void finished();

private:
    enum class Stage : std::uint8_t { idle, ours, dot };
    /// Shared with the worker, which may outlive the wish to have its result.
    struct Job {
        LayoutInput input;
        LayoutOptions options;
        RowAssignment rows;
        GraphLayout layout;              ///< ours
        QByteArray dotSource;
        std::atomic<bool> cancelled{false};
    };

    void startDot();
    void dotFinished();
    void killDot();
    void finish();

    QThreadPool workers_;
    std::shared_ptr<Job> job_;
    std::unique_ptr<QProcess> dot_;
    QTimer dotTimeout_;
    QString dotProgram_;
    Stage stage_ = Stage::idle;
};

} // namespace inspector
