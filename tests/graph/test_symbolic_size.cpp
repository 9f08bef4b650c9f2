#include <QtTest>

#include <map>
#include <random>

#include "core/graph/symbolic_size.h"

using namespace inspector;

namespace {

std::optional<std::int64_t> value_of(std::string_view name) {
    static const std::map<std::string, std::int64_t, std::less<>> values{{"s0", 5},   {"s1", 7}, {"s13", 12}, {"s27", 31},
                                                                         {"s77", 64}, {"s2", 3}, {"u0", -4},  {"u12", 9}};
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
}

SymbolicSize parsed(const char* text) {
    auto size = SymbolicSize::parse(text);
    if (!size) qFatal("%s: %s", text, size.error().message().c_str());
    return *size;
}

struct Recorded {
    QString srepr, str, value;
};

/// See tests/data/graph/record_sizes.py.
QList<Recorded> recorded() {
    QFile file(TEST_DATA "/graph/sizes.tsv");
    QList<Recorded> lines;
    if (!file.open(QIODevice::ReadOnly)) return lines;
    for (const QByteArray& line : file.readAll().split('\n')) {
        const QStringList parts = QString::fromUtf8(line).split('\t');
        if (parts.size() == 3) lines.append({parts[0], parts[1], parts[2]});
    }
    return lines;
}

} // namespace

class TestSymbolicSize : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sreprPrintsAsSympyDoes();
    void strIsKeptAndMeansTheSame();
    void constants();
    void hints();
    void evaluation_data();
    void evaluation();
    void symbols();
    void equalityIsOfThePrintedForm();
    void brokenTextIsRefused_data();
    void brokenTextIsRefused();
    void deepNestingIsRefused();
    void mutatedTextNeverCrashes();
};

void TestSymbolicSize::sreprPrintsAsSympyDoes() {
    const QList<Recorded> lines = recorded();
    QCOMPARE(lines.size(), 500);
    for (const Recorded& line : lines) {
        const auto size = SymbolicSize::parse_srepr(line.srepr.toStdString(), 1);
        QVERIFY2(size, qPrintable(line.srepr));
        QCOMPARE(QString::fromStdString(size->to_string()), line.str);
    }
}

void TestSymbolicSize::strIsKeptAndMeansTheSame() {
    int evaluated = 0;
    for (const Recorded& line : recorded()) {
        const auto size = SymbolicSize::parse(line.str.toStdString());
        QVERIFY2(size, qPrintable(line.str));
        QCOMPARE(QString::fromStdString(size->to_string()), line.str);
        const auto value = size->evaluate(value_of);
        if (!value) continue; // a function of floats
        QCOMPARE(QString::number(*value) + " = " + line.str, line.value + " = " + line.str);
        ++evaluated;
    }
    QVERIFY2(evaluated > 350, qPrintable(QString::number(evaluated)));
}

void TestSymbolicSize::constants() {
    QCOMPARE(parsed(" 12 ").constant(), 12);
    QCOMPARE(parsed("-3").constant(), -3);
    QCOMPARE(parsed("9223372036854775807").constant(), 9223372036854775807);
    QCOMPARE(parsed("-9223372036854775808").to_string(), std::string("-9223372036854775808"));
    QVERIFY(parsed("7") == SymbolicSize(7));
    QVERIFY(parsed("9223372036854775808").constant() == std::nullopt);
    QCOMPARE(parsed("9223372036854775808").to_string(), std::string("9223372036854775808"));
    QCOMPARE(parsed("True").to_string(), std::string("True"));
    QCOMPARE(SymbolicSize::parse_srepr("Integer(-5)", std::nullopt)->constant(), -5);
    QCOMPARE(SymbolicSize::parse_srepr("true", std::nullopt)->to_string(), std::string("True"));
}

void TestSymbolicSize::hints() {
    const auto size = SymbolicSize::parse_srepr("Mul(Integer(2), Symbol('s77', positive=True, integer=True))", 8);
    QCOMPARE(size->to_string(), std::string("2*s77"));
    QCOMPARE(size->hint(), 8);
    QCOMPARE(size->constant(), std::nullopt);
    QCOMPARE(parsed("s0").hint(), std::nullopt);
    QCOMPARE(SymbolicSize(4).hint(), 4);
    // Files of older versions hold the str form.
    QCOMPARE(SymbolicSize::parse_srepr("2*s77", 8)->hint(), 8);
}

void TestSymbolicSize::evaluation_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("value"); // "-": none
    const auto row = [](const char* text, const char* value) { QTest::newRow(text) << text << value; };
    row("s0 - s1", "-2");
    row("u0//3", "-2");
    row("u0 % 3", "2");
    row("-s0**2", "-25");
    row("2**s2", "8");
    row("(s1 + 1)/2", "4");
    row("s0/2 + 1/2", "3");
    row("s0/2", "-");
    row("floor(s0/2)", "2");
    row("ceiling(s0/2)", "3");
    row("Max(1, u0, s2)", "3");
    row("Min(s0 - 9, u0)", "-4");
    row("Eq(s0, 5) & ~(s1 < 3)", "1");
    row("u0 >= 0 or s0 != 5", "0");
    row("not u0 == -4", "0");
    row("s0//(s1 - 7)", "-");
    row("9223372036854775807 + s0", "-");
    row("3037000500*3037000500*s0", "-");
    row("s99", "-");
    row("ToFloat(s0)", "-");
    row("s77**1000000000000", "-");
    row("1**9223372036854775807", "1");
}

void TestSymbolicSize::evaluation() {
    QFETCH(QString, text);
    const auto value = parsed(qPrintable(text)).evaluate(value_of);
    QTEST(value ? QString::number(*value) : "-", "value");
}

void TestSymbolicSize::symbols() {
    QCOMPARE(parsed("s27*Max(s1, FloatPow(ToFloat(s27), 0.5))").symbols(), (std::vector<std::string>{"s1", "s27"}));
    QVERIFY(SymbolicSize(3).symbols().empty());
}

void TestSymbolicSize::equalityIsOfThePrintedForm() {
    QVERIFY(parsed("2*s0") == parsed("2*s0"));
    QVERIFY(!(parsed("2*s0") == parsed("s0*2")));
    QVERIFY(!(parsed("s0") == SymbolicSize(0)));
}

void TestSymbolicSize::brokenTextIsRefused_data() {
    QTest::addColumn<QString>("text");
    for (const char* text : {"", "s0 +", "(s0", "s0)", "Max(1 s0)", "Max(", "s0 s1", "*s0", "s0 ++ ", "a b", "[s0]",
                             "s0 ** ", "Symbol('s0'", "Mul(Integer(2), )", "Integer(x)", "Float('x')", "Symbol('a', b)"})
        QTest::newRow(text) << text;
}

void TestSymbolicSize::brokenTextIsRefused() {
    QFETCH(QString, text);
    const auto size = SymbolicSize::parse(text.toStdString());
    const bool is_srepr = text.contains('\'') || text.contains("Integer");
    if (!is_srepr) QVERIFY(!size && !size.error().reason.empty());
    QVERIFY(!SymbolicSize::parse_srepr(text.toStdString(), 1));
}

void TestSymbolicSize::deepNestingIsRefused() {
    const auto nested = [](std::string_view open, std::string_view close, int depth) {
        std::string text;
        for (int i = 0; i < depth; ++i) text += open;
        text += "s0";
        for (int i = 0; i < depth; ++i) text += close;
        return text;
    };
    QVERIFY(SymbolicSize::parse(nested("Max(1, ", ")", 150)));
    for (const auto& [open, close] : {std::pair{"(", ")"}, {"Max(1, ", ")"}, {"-", ""}, {"not ", ""}, {"2**", ""},
                                      {"", "//2"}, {"", "^2"}, {"~(", ")"}}) {
        const auto size = SymbolicSize::parse(nested(open, close, 100000));
        QVERIFY(!size);
        QCOMPARE(size.error().reason, std::string("nested too deeply"));
    }
    QVERIFY(!SymbolicSize::parse_srepr(nested("Max(Integer(1), ", ")", 100000) + "'", 1));
    // Long but flat is fine.
    QVERIFY(SymbolicSize::parse(nested("s1 + ", "*2", 20000)));
}

void TestSymbolicSize::mutatedTextNeverCrashes() {
    std::mt19937 random(5);
    const std::string alphabet = "()s01 +-*/%<>=,'&|~.MaxIntegerSymbolnot_\n\xC3";
    const auto pick = [&](std::size_t count) { return random() % count; };
    int accepted = 0;
    for (const Recorded& line : recorded()) {
        for (int round = 0; round < 40; ++round) {
            std::string text = (round % 2 == 0 ? line.srepr : line.str).toStdString();
            for (std::size_t edits = 1 + pick(4); edits > 0 && !text.empty(); --edits) {
                const std::size_t at = pick(text.size());
                if (pick(3) == 0) text.erase(at, 1 + pick(5));
                else if (pick(2) == 0) text.insert(at, 1, alphabet[pick(alphabet.size())]);
                else text[at] = alphabet[pick(alphabet.size())];
            }
            for (const auto& size : {SymbolicSize::parse(text), SymbolicSize::parse_srepr(text, 3)}) {
                if (!size) continue;
                ++accepted;
                static_cast<void>(size->evaluate(value_of));
                // What was accepted is text that is accepted again.
                const auto again = SymbolicSize::parse(size->to_string());
                QVERIFY2(again && *again == *size, text.c_str());
            }
        }
    }
    QVERIFY(accepted > 1000);
}

QTEST_APPLESS_MAIN(TestSymbolicSize)
#include "test_symbolic_size.moc"
