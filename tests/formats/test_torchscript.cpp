// TorchScript: archives and printed graphs become FX-like graphs; nothing of a file runs; damaged files give errors.
#include <QtTest>

#include <fstream>
#include <sstream>

#include "core/execution/verification.h"
#include "core/formats/reader.h"
#include "core/formats/torchscript/pickle.h"
#include "core/graph/print.h"
#include "core/graph/verify.h"
#include "core/passes/reinplace/session.h"
#include "tests/formats/sample_file.h"
#include "tests/formats/zip_file.h"
#include "tests/golden.h"

using namespace inspector;

namespace {

constexpr auto scripted = "torchscript/ts_script.pt";

/// Every graph, what its inputs are, and the notes.
std::string described(const Program& program) {
    std::string text;
    for (const ProgramGraph& graph : program.graphs) {
        text += "# " + graph.id + " (" + graph.kind + ")\n" + print_fx(graph.graph) + '\n';
        if (!graph.signature) continue;
        for (const InputSpec& input : graph.signature->inputs)
            if (!input.target.empty()) text += "#   " + input.placeholder + " is " + input.target + ", in " + input.record + '\n';
        for (const OutputSpec& output : graph.signature->outputs)
            if (!output.target.empty()) text += "#   " + output.value + " becomes " + output.target + '\n';
    }
    for (const std::string& note : program.notes) text += "note: " + note + '\n';
    return text;
}

std::string content_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

ReinplaceSession::Options sound() {
    ReinplaceSession::Options options;
    options.policy = "sound";
    return options;
}

/// Nodes that the policy `sound` puts in place in the root graph.
QStringList reinplaced(const Program& program) {
    const auto session = ReinplaceSession::start(program.graphs.front(), sound());
    if (!session) return {"not started"};
    (*session)->run_to_end();
    QStringList names;
    for (const Decision& decision : (*session)->decisions())
        if (decision.verdict == Verdict::reinplaced) names += QString::fromStdString((*session)->original().node(decision.node).name);
    return names;
}

} // namespace

class TestTorchScript : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void goldens_data();
    void goldens();
    void equalWhenRun_data();
    void equalWhenRun();
    void stateOfItsOwnIsNotRun();
    void evaluatedCodeIsRefused_data();
    void evaluatedCodeIsRefused();
    void branchesMayReturnWhatTheyAreGiven();
    void listsHoldWhatIsAppended();
    void storedValuesOutliveTheGraph();
    void cutTexts();
    void faultsOfTexts_data();
    void faultsOfTexts();
    void deepTexts();
    void cutArchives();
    void changedPickles();
    void changedCode();
    void codeThatDoesNotCompile();
    void foreignArchives();
    void deepCode();
    void repeatedCalls();
    void pickles_data();
    void pickles();

private:
    QTemporaryDir folder_;
    std::string path_ = folder_.filePath("module.pt").toStdString();

    /// ts_script.pt with one record's text changed.
    Result<Program> with_code(const std::string& record, const std::string& from, const std::string& to) {
        test::Records records = test::unzip(sample_path(scripted));
        std::string* text = test::record(records, record);
        if (!text) return fail({}, "no record");
        const auto at = text->find(from);
        if (at == text->npos) return fail({}, "no such text");
        text->replace(at, from.size(), to);
        if (!test::zip(path_, records)) return fail({}, "not written");
        return read_program(path_);
    }
};

void TestTorchScript::goldens_data() {
    QTest::addColumn<QString>("file");
    for (const char* file : {"ts_script.pt", "ts_script_frozen.pt", "ts_trace.pt", "traced.pt", "attributes.pt", "setstate.pt", "blocks.txt", "shapes.txt"})
        QTest::newRow(file) << file;
}

void TestTorchScript::goldens() {
    QFETCH(QString, file);
    const auto program = read_program(sample_path("torchscript/" + file));
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    QCOMPARE(program->format, "torchscript");
    for (const ProgramGraph& graph : program->graphs) {
        const std::vector<Error> faults = verify(graph.graph);
        QVERIFY2(faults.empty(), faults.empty() ? "" : faults.front().message().c_str());
    }
    const QByteArray difference = golden_difference("torchscript/" + file + ".golden", described(*program));
    QVERIFY2(difference.isEmpty(), difference.constData());
}

void TestTorchScript::equalWhenRun_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QStringList>("expected");
    QTest::newRow("traced") << "ts_trace.pt" << QStringList{"relu", "h", "relu_1", "h0"};
    QTest::newRow("traced, with computed sizes") << "traced.pt" << QStringList{"h_1", "z"};
    QTest::newRow("text with shapes") << "shapes.txt" << QStringList{"relu", "add"};
}

void TestTorchScript::equalWhenRun() {
    QFETCH(QString, file);
    QFETCH(QStringList, expected);
    const auto program = read_program(sample_path("torchscript/" + file));
    QVERIFY(program);
    QCOMPARE(reinplaced(*program), expected);
    const Verification verification = verify_rewrite(*program, 0, sound(), {});
    QVERIFY2(verification.answer == Verification::Answer::equal, verification.detail.c_str());
}

void TestTorchScript::stateOfItsOwnIsNotRun() {
    const auto program = read_program(sample_path("torchscript/setstate.pt"));
    QVERIFY(program);
    QVERIFY(program->notes.front().find("__setstate__ of __torch__.S, which is not run") != std::string::npos);
}

void TestTorchScript::evaluatedCodeIsRefused_data() {
    QTest::addColumn<QString>("record");
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::newRow("default value") << "code/__torch__.py" << "n: int=2" << "n: int=torch.manual_seed(3)";
    QTest::newRow("arithmetic in a default value") << "code/__torch__.py" << "n: int=2" << "n: int=2 ** 60";
    QTest::newRow("list of calls") << "code/__torch__.py" << "n: int=2" << "n: List[int]=[1, torch.initial_seed()]";
    QTest::newRow("attribute of a class") << "code/__torch__/torch/nn/modules/linear.py" << "Final[int] = 8" << "Final[int] = torch.initial_seed()";
    QTest::newRow("function") << "code/__torch__/torch/nn/functional.py" << "weight: Optional[Tensor]=None" << "weight: Optional[Tensor]=torch.ones([3])";
}

void TestTorchScript::evaluatedCodeIsRefused() {
    QFETCH(QString, record);
    QFETCH(QString, from);
    QFETCH(QString, to);
    const auto program = with_code(record.toStdString(), from.toStdString(), to.toStdString());
    QVERIFY(!program);
    QVERIFY2(program.error().reason.find("is no literal: compiling it would run it") != std::string::npos, program.error().message().c_str());
    QCOMPARE(program.error().file, path_);
    QVERIFY(QString::fromStdString(program.error().place).startsWith(record));
}

void TestTorchScript::branchesMayReturnWhatTheyAreGiven() {
    const auto program = read_text(R"(graph(%c : bool, %x.1 : Float(4, strides=[1], requires_grad=0, device=cpu)):
  %one : int = prim::Constant[value=1]()
  %a : Float(4, strides=[1], requires_grad=0, device=cpu) = aten::neg(%x.1)
  %b : Tensor = prim::If(%c)
    block0():
      -> (%a)
    block1():
      %n : Tensor = aten::neg(%a)
      -> (%n)
  %d : Float(4, strides=[1], requires_grad=0, device=cpu) = aten::exp(%a)
  %e : Float(4, strides=[1], requires_grad=0, device=cpu) = aten::exp(%d)
  %f : Tensor = aten::add(%e, %b, %one)
  return (%f)
)");
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    // exp(a) would change b, which the branch may have made of a.
    QCOMPARE(reinplaced(*program), QStringList{"e"});
}

void TestTorchScript::listsHoldWhatIsAppended() {
    const auto program = read_text(R"(graph(%x.1 : Float(4, strides=[1], requires_grad=0, device=cpu)):
  %dim : int = prim::Constant[value=0]()
  %list : Tensor[] = prim::ListConstruct()
  %a : Float(4, strides=[1], requires_grad=0, device=cpu) = aten::neg(%x.1)
  %l : Tensor[] = aten::append(%list, %a)
  %d : Float(4, strides=[1], requires_grad=0, device=cpu) = aten::exp(%a)
  %e : Float(4, strides=[1], requires_grad=0, device=cpu) = aten::exp(%d)
  %all : Tensor = aten::cat(%list, %dim)
  return (%all, %e)
)");
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    QCOMPARE(reinplaced(*program), QStringList{"e"});
}

void TestTorchScript::storedValuesOutliveTheGraph() {
    const auto program = read_text(R"(graph(%self : __torch__.M, %x.1 : Float(4, strides=[1], requires_grad=0, device=cpu)):
  %a : Float(4, strides=[1], requires_grad=0, device=cpu) = aten::neg(%x.1)
   = prim::SetAttr[name="state"](%self, %a)
  %d : Float(4, strides=[1], requires_grad=0, device=cpu) = aten::exp(%a)
  return (%d)
)");
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    QCOMPARE(reinplaced(*program), QStringList());
    QCOMPARE(program->graphs.front().signature->outputs.front().target, "state");
}

void TestTorchScript::cutTexts() {
    const std::string whole = sample_text("torchscript/blocks.txt");
    const auto end = whole.rfind(')');
    for (std::size_t size = whole.find('%') + 1; size < end; ++size) {
        const auto program = read_text(whole.substr(0, size));
        QVERIFY2(!program, std::to_string(size).c_str());
        QVERIFY(!program.error().reason.empty());
        QVERIFY(program.error().place.starts_with("line "));
    }
    QVERIFY(read_text(whole.substr(0, end + 1)));
}

void TestTorchScript::faultsOfTexts_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("reason");
    QTest::newRow("undefined") << "  %2 : Tensor = aten::neg(%1)\n  return (%2)\n" << "line 2, column 27" << "%1 is used where nothing defines it";
    QTest::newRow("defined twice") << "  %x : Tensor = aten::neg(%x)\n  return (%x)\n" << "line 2, column 3" << "%x is defined twice";
    QTest::newRow("a block's value outside") << "  %c : bool = prim::Constant[value=1]()\n   = prim::If(%c)\n    block0():\n      %i : Tensor = aten::neg(%x)\n      -> ()\n"
                                                "    block1():\n      -> ()\n  return (%i)\n"
                                             << "line 9, column 11" << "%i is used where nothing defines it";
    QTest::newRow("no type") << "  %2 = aten::neg(%x)\n  return (%2)\n" << "line 2, column 6" << "expected ':'";
    QTest::newRow("no operator") << "  %2 : Tensor = (%x)\n  return (%2)\n" << "line 2, column 17" << "expected an operator's name";
    QTest::newRow("no return") << "  %2 : Tensor = aten::neg(%x)\n" << "line 3, column 1" << "expected 'return', but the text ends";
    QTest::newRow("items of a tuple") << "  %2 : (Tensor, Tensor) = prim::TupleConstruct(%x, %x)\n  %3 : Tensor = prim::TupleUnpack(%2)\n  return (%3)\n"
                                      << "line 3" << "2 values are unpacked into 1";
}

void TestTorchScript::faultsOfTexts() {
    QFETCH(QString, body);
    QFETCH(QString, place);
    QFETCH(QString, reason);
    const auto program = read_text("graph(%x : Tensor):\n" + body.toStdString());
    QVERIFY(!program);
    QCOMPARE(QString::fromStdString(program.error().place), place);
    QCOMPARE(QString::fromStdString(program.error().reason), reason);
}

void TestTorchScript::deepTexts() {
    std::string blocks = "graph(%x : Tensor, %c : bool):\n", type, unclosed = "graph(%x : ";
    for (int i = 0; i < 10'000; ++i) blocks += " = prim::If(%c)\nblock0():\n";
    const auto deep = read_text(blocks);
    QVERIFY(!deep);
    QCOMPARE(deep.error().reason, "blocks are nested deeper than 200");
    unclosed.append(100'000, '(');
    const auto brackets = read_text("graph(%y : Tensor,\n %z : " + unclosed);
    QVERIFY(!brackets);
    QCOMPARE(brackets.error().reason, "brackets are nested deeper than 200");
}

void TestTorchScript::cutArchives() {
    const std::string whole = content_of(sample_path(scripted));
    for (std::size_t size = 0; size < whole.size(); size += 97) {
        QVERIFY(test::write_anew(path_, std::string_view(whole).substr(0, size)));
        const auto program = read_program(path_);
        QVERIFY2(!program, std::to_string(size).c_str());
        QVERIFY(program.error().file == path_ && !program.error().reason.empty());
    }
}

void TestTorchScript::changedPickles() {
    for (const std::string record : {"data.pkl", "constants.pkl", "traced_inputs.pkl"}) {
        const test::Records whole = test::unzip(sample_path("torchscript/ts_trace.pt"));
        test::Records records = whole;
        std::string* bytes = test::record(records, record);
        QVERIFY(bytes);
        const std::string original = *bytes;
        for (std::size_t place = 0; place < original.size(); place += 3) {
            *bytes = original;
            (*bytes)[place] = static_cast<char>(~original[place]);
            QVERIFY(test::zip(path_, records));
            const auto program = read_program(path_);
            if (!program) QVERIFY(program.error().file == path_ && !program.error().reason.empty());
            else for (const ProgramGraph& graph : program->graphs) QVERIFY(verify(graph.graph).empty());
        }
    }
}

void TestTorchScript::changedCode() {
    const test::Records whole = test::unzip(sample_path(scripted));
    int refused = 0, read = 0;
    for (const std::string record : {"code/__torch__.py", "code/__torch__/torch/nn/functional.py", "code/__torch__/torch/nn/modules/linear.py"}) {
        test::Records records = whole;
        std::string* code = test::record(records, record);
        QVERIFY(code);
        const std::string original = *code;
        for (std::size_t place = 0; place < original.size(); ++place) {
            for (const std::string& instead : {std::string(), std::string("("), std::string(1, static_cast<char>(original[place] ^ 5))}) {
                *code = original;
                code->replace(place, 1, instead);
                QVERIFY(test::zip(path_, records));
                const auto program = read_program(path_);
                if (!program) QVERIFY(program.error().file == path_ && !program.error().reason.empty());
                else for (const ProgramGraph& graph : program->graphs) QVERIFY(verify(graph.graph).empty());
                ++(program ? read : refused);
            }
        }
    }
    QVERIFY(refused > 0 && read > 0);
}

void TestTorchScript::codeThatDoesNotCompile() {
    const auto program = read_program(sample_path("fuzz/script_archive/unknown-attribute.pt"));
    QVERIFY(!program);
    QCOMPARE(program.error().place, "code");
    QCOMPARE(program.error().reason, "'__torch__.C' object has no attribute or method 'CONSTANTS'. Did you forget to "
                                     "initialize an attribute in __init__()?");
}

void TestTorchScript::foreignArchives() {
    QVERIFY(test::zip(path_, {{"m/data.pkl", "\x80\x02N."}, {"m/constants.pkl", "\x80\x02)."}, {"m/version", "3\n"}}));
    const auto none = read_program(path_);
    QVERIFY(!none);
    QCOMPARE(none.error().message(), path_ + ": data.pkl: holds no module");
    QVERIFY(test::zip(path_, {{"m/data.pkl", "\x80\x02N."}, {"m/version", "3\n"}}));
    const auto saved = read_program(path_);
    QVERIFY(!saved);
    QCOMPARE(saved.error().reason, "is a file of torch.save, which holds no exported program");
}

void TestTorchScript::deepCode() {
    const std::string deep = "x" + std::string(100'000, '-') + "1";
    const auto chain = with_code("code/__torch__.py", "l = s.l", "y = " + deep);
    QVERIFY(!chain);
    QCOMPARE(chain.error().reason, "a statement has more than 2000 operators");
    const auto brackets = with_code("code/__torch__.py", "l = s.l", "y = " + std::string(10'000, '[') + std::string(10'000, ']'));
    QVERIFY(!brackets);
    QCOMPARE(brackets.error().reason, "brackets are nested deeper than 200");
    const auto operators = with_code("code/__torch__.py", "l = s.l", "l = s.l\n    y = 1" + [] {
        std::string sum;
        for (int i = 0; i < 1'900; ++i) sum += " - 1";
        return sum;
    }());
    QVERIFY2(operators, operators ? "" : operators.error().message().c_str());
    const auto endless = with_code("code/__torch__/torch/nn/modules/linear.py", "return torch.linear(input, weight, bias)", "return (self).forward(input, )");
    QVERIFY(!endless);
    QVERIFY(!endless.error().reason.empty());
}

void TestTorchScript::repeatedCalls() {
    // Each function calls the next one twice: 2^40 calls.
    std::string code = "def layer_norm(input: Tensor,\n    normalized_shape: List[int],\n    weight: Optional[Tensor]=None,\n"
                       "    bias: Optional[Tensor]=None,\n    eps: float=1.0000000000000001e-05) -> Tensor:\n"
                       "  return __torch__.torch.nn.functional.f0(input, )\n";
    for (int i = 0; i < 40; ++i) {
        const std::string next = "__torch__.torch.nn.functional.f" + std::to_string(i + 1);
        code += "def f" + std::to_string(i) + "(x: Tensor) -> Tensor:\n  return " + next + "(" + next + "(x, ), )\n";
    }
    code += "def f40(x: Tensor) -> Tensor:\n  return x\n";
    test::Records records = test::unzip(sample_path(scripted));
    *test::record(records, "code/__torch__/torch/nn/functional.py") = code;
    QVERIFY(test::zip(path_, records));
    ReadOptions options;
    options.limits.nodes = 10'000;
    const auto program = read_program(path_, options);
    QVERIFY(!program);
    QCOMPARE(program.error().reason, "there are more than 10000 calls");
}

void TestTorchScript::pickles_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("reason");
    QTest::newRow("empty") << QByteArray() << "the pickle is cut off";
    QTest::newRow("nothing on the stack") << QByteArray(".") << "takes a value that is not there";
    QTest::newRow("no mark") << QByteArray("Nt.") << "takes a mark that is not there";
    QTest::newRow("unknown opcode") << QByteArray("\x80\x02i.") << "the opcode 105 is none that a TorchScript archive has";
    QTest::newRow("a length that lies") << QByteArray("X\xFF\xFF\xFF\xFF" "abc") << "the pickle is cut off";
    QTest::newRow("never kept") << QByteArray("h\x07.") << "recalls a value that was not kept";
    QTest::newRow("called what is no function") << QByteArray("K\x01)R.") << "takes something for a function that is none";
}

void TestTorchScript::pickles() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, reason);
    const auto pickle = torchscript::read_pickle({bytes.constData(), static_cast<std::size_t>(bytes.size())});
    QVERIFY(!pickle);
    QCOMPARE(QString::fromStdString(pickle.error().reason), reason);
}

QTEST_GUILESS_MAIN(TestTorchScript)
#include "test_torchscript.moc"
