#include "ui/graph_view/layout_request.h"

#include <QMetaObject>

#include "ui/graph_view/dot_layout.h"
#include "ui/graph_view/layered_layout.h"

namespace inspector {

LayoutRequest::LayoutRequest(QObject* parent) : QObject(parent), dotProgram_(QStringLiteral("dot")) {
    workers_.setMaxThreadCount(1);
    dotTimeout_.setSingleShot(true);
    dotTimeout_.setTimerType(Qt::PreciseTimer);
    constexpr int oneSecond = 1000;
    dotTimeout_.setInterval(oneSecond);
    connect(&dotTimeout_, &QTimer::timeout, this, [this] {
        killDot();
        finish();
    });
}

LayoutRequest::~LayoutRequest() {
    if (job_) job_->cancelled = true;
    workers_.waitForDone();
    killDot();
}

void LayoutRequest::start(LayoutInput input, LayoutOptions options) {
    if (job_) job_->cancelled = true;
    killDot();
    const auto job = std::make_shared<Job>();
    job_ = job;
    job->input = std::move(input);
    job->options = std::move(options);
    job->options.cancelled = &job->cancelled;
    job->options.progress = [this, weak = std::weak_ptr(job)](int percent) {
        QMetaObject::invokeMethod(this, [this, weak, percent] {
            if (job_ == weak.lock() && stage_ == Stage::ours) Q_EMIT progressChanged(percent);
        });
    };
    stage_ = Stage::ours;
    Q_EMIT started();
    const bool asksDot = job->input.boxes.size() <= mostBoxesForDot && !dotProgram_.isEmpty();
    workers_.start([this, job, asksDot] {
        job->layout = layered_layout(job->input, job->options);
        if (asksDot && !job->cancelled) {
            job->rows = assign_rows(job->input, job->options);
            job->dotSource = dotSource(job->input, job->rows, job->options);
        }
        QMetaObject::invokeMethod(this, [this, job] {
            if (job_ != job || job->cancelled) return;
            Q_EMIT layoutReady(job->layout, false);
            if (job_ != job) return; // a new request came of it
            if (job->dotSource.isEmpty()) finish();
            else startDot();
        });
    });
}

void LayoutRequest::startDot() {
    stage_ = Stage::dot;
    Q_EMIT progressChanged(-1);
    dot_ = std::make_unique<QProcess>();
    connect(dot_.get(), &QProcess::finished, this, &LayoutRequest::dotFinished);
    connect(dot_.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) dotFinished(); // no dot here: our layout stays
    });
    dotTimeout_.start();
    dot_->start(dotProgram_, {QStringLiteral("-Tplain")});
    dot_->write(job_->dotSource);
    dot_->closeWriteChannel();
}

void LayoutRequest::dotFinished() {
    if (!dot_) return;
    const bool isFine = dot_->exitStatus() == QProcess::NormalExit && dot_->exitCode() == 0;
    const QByteArray answer = isFine ? dot_->readAllStandardOutput() : QByteArray();
    killDot();
    const std::shared_ptr<Job> job = job_;
    if (!answer.isEmpty()) {
        // An answer that cannot be read is as good as none: our layout is there.
        const Result<GraphLayout> layout = readDotAnswer(answer, job->input, job->rows, job->options);
        if (layout && layout->right <= widestFromDot * job->layout.right) Q_EMIT layoutReady(*layout, true);
    }
    if (job_ == job) finish();
}

void LayoutRequest::killDot() {
    dotTimeout_.stop();
    if (!dot_) return;
    QProcess* const process = dot_.release();
    process->disconnect();
    if (process->state() != QProcess::NotRunning) {
        process->kill();
        process->waitForFinished(100);
    }
    process->deleteLater(); // we may be inside one of its signals
}

void LayoutRequest::cancel() {
    if (stage_ == Stage::idle) return;
    job_->cancelled = true;
    killDot();
    finish();
}

void LayoutRequest::finish() {
    stage_ = Stage::idle;
    job_.reset();
    Q_EMIT finished();
}

} // namespace inspector
