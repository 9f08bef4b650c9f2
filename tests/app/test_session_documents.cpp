// Session documents on the command line: they are decided as their session was left.
#include <QTemporaryDir>
#include <QtTest>

#include "command_line.h"

using namespace inspector;

class TestSessionDocuments : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void explainSaysWhatWasDecided();
    void optionsAddToTheDocument();
    void aPolicyDecidesAnew();
    void everyCommandTakesOne();
    void lacksItsWeights();
    void madeFromStandardInput();
    void refusesWhatDoesNotFit();

private:
    QString path(const char* name) const { return folder_->filePath(QString::fromUtf8(name)); }
    QByteArray explained(const QStringList& arguments) const {
        const CommandResult result = reinplace(QStringList{"explain"} + arguments);
        QByteArray text = result.out;
        return text.replace(document_.toUtf8(), "FILE").replace(data(chain).toUtf8(), "FILE");
    }

    static constexpr const char* chain = "reference/basic-chain/before.py.txt";
    std::unique_ptr<QTemporaryDir> folder_;
    QString document_;
};

void TestSessionDocuments::init() {
    folder_ = std::make_unique<QTemporaryDir>();
    document_ = path("chain.session.json");
    const CommandResult written =
        reinplace({"rewrite", data(chain), "-o", document_, "--policy", "torch-fx", "--skip", "1", "--force", "0"});
    QCOMPARE(written.err, QByteArray("reinplace: --force 0 does nothing to %clone; kept: there is no operator aten.clone_\n"));
    QCOMPARE(written.status, 0);
}

void TestSessionDocuments::explainSaysWhatWasDecided() {
    QCOMPARE(explained({document_}), explained({data(chain), "--policy", "torch-fx", "--skip", "1", "--force", "0"}));
    QVERIFY(explained({document_}) != explained({data(chain), "--policy", "torch-fx"}));
    const CommandResult json = reinplace({"explain", "--json", document_});
    QCOMPARE(json.objects().first()["policy"].toString(), QStringLiteral("torch-fx"));
    QCOMPARE(json.objects().first()["graph"].toString(), QStringLiteral("root"));
    QFile file(document_);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(reinplace({"explain", "-"}, file.readAll()).out.replace("-, graph", "FILE, graph"), explained({document_}));
}

void TestSessionDocuments::optionsAddToTheDocument() {
    QCOMPARE(explained({document_, "--skip", "2"}),
             explained({data(chain), "--policy", "torch-fx", "--skip", "1,2", "--force", "0"}));
}

void TestSessionDocuments::aPolicyDecidesAnew() {
    QCOMPARE(explained({document_, "--policy", "sound"}), explained({data(chain), "--policy", "sound"}));
}

void TestSessionDocuments::everyCommandTakesOne() {
    QVERIFY(reinplace({"list", document_}).out.contains("session_document"));
    QCOMPARE(reinplace({"verify", document_}).status, 0);
    QCOMPARE(reinplace({"compare", document_}).status, 0);
    const CommandResult fx = reinplace({"rewrite", document_, "-o", "-", "--format", "fx"});
    QCOMPARE(fx.out, reinplace({"rewrite", data(chain), "-o", "-", "--format", "fx", "--policy", "torch-fx", "--skip", "1",
                                "--force", "0"}).out);
    // A document of a document is the same.
    const CommandResult again = reinplace({"rewrite", document_, "-o", "-", "--format", "session"});
    QCOMPARE(again.out, contents(document_));
    QCOMPARE(reinplace({"rewrite", document_, "-o", document_}).status, 2);
    QCOMPARE(reinplace({"rewrite", data(chain), "-o", path("none.session.json"), "--policy", "none"}).status, 2);
    QCOMPARE(reinplace({"rewrite", document_, "-o", path("out.pt2")}).status, 2);
}

void TestSessionDocuments::lacksItsWeights() {
    const QString model = path("model.pt2");
    QVERIFY(QFile::copy(data("pt2/inputs-training.pt2"), model));
    const QString document = path("model.session.json");
    QCOMPARE(reinplace({"rewrite", model, "-o", document}).status, 0);
    QCOMPARE(reinplace({"rewrite", document, "-o", path("out.pt2")}).status, 0);
    QVERIFY(QFile::remove(model));
    const CommandResult explained = reinplace({"explain", document});
    QCOMPARE(explained.status, 0);
    QVERIFY2(explained.err.contains("the weights are lacking: " + model.toUtf8() + ": there is no such file"), explained.err.constData());
    const CommandResult written = reinplace({"rewrite", document, "-o", path("out2.pt2")});
    QCOMPARE(written.status, 2);
    QVERIFY2(written.err.contains("the .pt2 it was made from is not at hand: " + model.toUtf8()), written.err.constData());
    QVERIFY(!QFile::exists(path("out2.pt2")));
}

/// What standard input was kept in is gone with the process.
void TestSessionDocuments::madeFromStandardInput() {
    const QString document = path("piped.session.json");
    QCOMPARE(reinplace({"rewrite", "-", "-o", document}, contents(data("pt2/inputs-training.pt2"))).status, 0);
    QVERIFY(!contents(document).contains("/proc/"));
    const CommandResult explained = reinplace({"explain", document});
    QCOMPARE(explained.status, 0);
    QVERIFY2(explained.err.contains("the weights are lacking: the session was made from standard input"), explained.err);
}

void TestSessionDocuments::refusesWhatDoesNotFit() {
    QByteArray text = contents(document_);
    text.replace("\"choices\":{\"", "\"choices\":{\"no such ");
    QFile file(path("bad.session.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
    file.close();
    const CommandResult result = reinplace({"explain", file.fileName()});
    QVERIFY(result.status != 0);
    QVERIFY2(result.err.contains("session, choices: no decision is made on a node \"no such "), result.err.constData());
}

QTEST_APPLESS_MAIN(TestSessionDocuments)
#include "test_session_documents.moc"
