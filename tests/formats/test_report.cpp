#include <QtTest>

#include <nlohmann/json.hpp>

#include "core/formats/reader.h"
#include "core/formats/report/report.h"

using namespace inspector;

namespace {

Program open(const std::string& path) {
    auto program = read_program(path);
    if (!program) qFatal("%s", program.error().message().c_str());
    return std::move(*program);
}

Report report_of(const Program& program, const std::string& file) {
    auto session = ReinplaceSession::start(program.graphs[0], {.policy = "sound", .first = {}, .choices = {}, .donated = {}});
    (*session)->run_to_end();
    return make_report(file, program.graphs[0], **session);
}

Report llama() { return report_of(open(TEST_DATA "/reference/model-llama-core/before.pt2"), "llama.pt2"); }

qsizetype count(const std::string& text, const char* part) { return QByteArray::fromStdString(text).count(part); }

} // namespace

class TestReport : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void missesComeMostBytesFirst();
    void everyPolicyHasItsTotals();
    void htmlHoldsEveryNodeAndLinksOnlyWithin();
    void textOfAFileStandsLiterally();
    void sarifNamesTheSourceLine();
    void aGraphWithoutMissesSaysSo();
};

void TestReport::missesComeMostBytesFirst() {
    const Report report = llama();
    QCOMPARE(report.rows.size(), std::size_t(311));
    QVERIFY(report.misses.size() > 10);
    for (std::size_t i = 1; i < report.misses.size(); ++i) {
        const ReportRow &before = report.rows[report.misses[i - 1]], &row = report.rows[report.misses[i]];
        QVERIFY(before.bytes > row.bytes || (before.bytes == row.bytes && before.number < row.number));
    }
    QCOMPARE(report.rows[report.misses[0]].name, std::string("sigmoid"));
    QCOMPARE(plain_text(report.rows[report.misses[0]].reason), std::string("kept: %mul_13 reads %view_22 after this node"));
    QVERIFY(report.rows[report.misses[0]].source_file.ends_with("activations.py"));
    QCOMPARE(report.rows[report.misses[0]].source_line, 103);
}

void TestReport::everyPolicyHasItsTotals() {
    const Report report = llama();
    QCOMPARE(report.policies.size(), policies().size());
    QCOMPARE(report.policies[0].policy, std::string("sound"));
    const auto upstream = std::ranges::find(report.policies, "torch-fx", &PolicyTotals::policy);
    QVERIFY(upstream != report.policies.end());
    QCOMPARE(upstream->summary.reinplaced, std::size_t(45));
    QVERIFY(upstream->differences > 0);
    const std::string text = print_markdown(report, 3);
    QVERIFY(text.find("| sound | 48 | 53.6 KiB |") != std::string::npos);
    QCOMPARE(count(text, "\n- **%"), 3);
    QVERIFY(text.ends_with("- and " + std::to_string(report.misses.size() - 3) + " more\n"));
}

void TestReport::htmlHoldsEveryNodeAndLinksOnlyWithin() {
    const Report report = llama();
    const std::string page = print_html(report);
    QCOMPARE(count(page, "<li id=n"), 311);
    QCOMPARE(count(page, "href="), count(page, "href=#n"));
    QCOMPARE(count(page, "src="), 0);
    QCOMPARE(count(page, "<script"), 0);
    for (const ReportRow& row : report.rows)
        QVERIFY2(page.find("<li id=n" + std::to_string(row.number) + (row.verdict == "missed" ? " class=M>" : "")) != std::string::npos, row.name.c_str());
    // A node is numbered as --force takes it, others are not.
    for (const ReportRow& row : report.rows) {
        const std::size_t place = page.find("<li id=n" + std::to_string(row.number));
        const std::string number = "<i>" + (row.decision ? std::to_string(*row.decision) : std::string()) + "</i>";
        QVERIFY2(page.substr(page.find("<i>", place)).starts_with(number), row.name.c_str());
    }
}

void TestReport::textOfAFileStandsLiterally() {
    const Program program = open(TEST_DATA "/reference/model-llama-core/before.pt2");
    const Report report = report_of(program, "<script>alert('&')</script>\x01.pt2");
    const std::string page = print_html(report);
    QCOMPARE(count(page, "<script"), 0);
    QVERIFY(page.find("&lt;script&gt;alert('&amp;')&lt;/script&gt;\xEF\xBF\xBD.pt2") != std::string::npos);
    QVERIFY(print_markdown(report).starts_with("# \\<script\\>alert\\('\\&'\\)\\</script\\> .pt2\n"));
}

void TestReport::sarifNamesTheSourceLine() {
    const Report report = llama();
    const auto log = nlohmann::json::parse(print_sarif(report));
    QCOMPARE(log["version"].get<std::string>(), std::string("2.1.0"));
    const auto& run = log["runs"][0];
    QCOMPARE(run["results"].size(), report.misses.size());
    const auto& first = run["results"][0];
    QCOMPARE(first["ruleId"].get<std::string>(), std::string("later_use"));
    QCOMPARE(first["locations"][0]["physicalLocation"]["region"]["startLine"].get<int>(), 103);
    QCOMPARE(first["locations"][0]["logicalLocations"][0]["name"].get<std::string>(), std::string("%sigmoid"));
    for (const auto& result : run["results"])
        QVERIFY(std::ranges::any_of(run["tool"]["driver"]["rules"], [&](const auto& rule) { return rule["id"] == result["ruleId"]; }));
}

void TestReport::aGraphWithoutMissesSaysSo() {
    const auto program = read_fx_text("def forward(self, x: \"f32[4][1]cpu\"):\n    c: \"f32[4][1]cpu\" = torch.ops.aten.clone.default(x)\n"
                                      "    n: \"f32[4][1]cpu\" = torch.ops.aten.neg.default(c)\n    return (n,)\n");
    QVERIFY(program.has_value());
    const Report report = report_of(*program, "small.txt");
    QVERIFY(report.misses.empty());
    QVERIFY(print_html(report).find("None: every op") != std::string::npos);
    QVERIFY(print_html(report).find("aten.neg.default(%c) → aten.neg_.default") != std::string::npos);
}

QTEST_APPLESS_MAIN(TestReport)
#include "test_report.moc"
