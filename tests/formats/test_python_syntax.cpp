// What the writer's golden modules are to Python: that they parse, and define and import nothing that a name sneaked in.
#include <QDir>
#include <QProcess>
#include <QtTest>

class TestPythonSyntax : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void goldenModulesParse_data();
    void goldenModulesParse();
};

void TestPythonSyntax::goldenModulesParse_data() {
    QTest::addColumn<QString>("functions");
    QTest::addColumn<QString>("imports");
    QTest::newRow("arguments.py") << "forward" << "operator torch";
    QTest::newRow("hostile.py") << "forward" << "torch";
    QTest::newRow("nested.py") << "forward true_graph_0 false_graph_0" << "torch";
    QTest::newRow("weights.py") << "forward load" << "torch zipfile";
    QCOMPARE(QDir(TEST_DATA "/formats").entryList({"*.py"}).size(), 4);
}

void TestPythonSyntax::goldenModulesParse() {
    QFETCH(QString, functions);
    QFETCH(QString, imports);
    const QString script = "import ast, sys\n"
                           "module = ast.parse(open(sys.argv[1], 'rb').read())\n"
                           "print(*[n.name for n in module.body if isinstance(n, ast.FunctionDef)])\n"
                           "imports = [n for n in ast.walk(module) if isinstance(n, (ast.Import, ast.ImportFrom))]\n"
                           "print(*sorted(a.name for n in imports for a in n.names))\n";
    QProcess python;
    python.start(PYTHON, {"-c", script, QStringLiteral(TEST_DATA "/formats/") + QTest::currentDataTag()});
    QVERIFY(python.waitForFinished());
    QVERIFY2(python.exitCode() == 0, python.readAllStandardError());
    QCOMPARE(QString::fromUtf8(python.readAllStandardOutput()), functions + '\n' + imports + '\n');
}

QTEST_APPLESS_MAIN(TestPythonSyntax)
#include "test_python_syntax.moc"
