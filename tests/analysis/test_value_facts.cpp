// What propagation knows: storages, offsets, view chains, numbers for symbols, and the limits of all that.
#include <QtTest>

#include "core/analysis/value_facts.h"
#include "core/formats/reader.h"

using namespace inspector;

namespace {

/// A graph in print_readable's form, with its facts.
struct Known {
    ProgramGraph graph;
    GraphFacts facts;

    explicit Known(const std::string& arguments, const std::string& body)
        : graph(read(arguments, body)), facts(GraphFacts::run(graph)) {}
    explicit Known(ProgramGraph read) : graph(std::move(read)), facts(GraphFacts::run(graph)) {}

    static ProgramGraph read(const std::string& arguments, const std::string& body) {
        auto program = read_fx_text("class f(torch.nn.Module):\n    def forward(self, " + arguments + "):\n" + body);
        return program ? program->graphs.front() : ProgramGraph{};
    }
    NodeId node(const std::string& name) const { return graph.graph.find(name); }
    const ValueFacts& of(const std::string& name) const { return facts.of(node(name)); }
    const TensorLayout* tensor(const std::string& name) const { return facts.tensor(node(name)); }
    bool share(const std::string& a, const std::string& b) const {
        return of(a).storages == of(b).storages && !of(a).storages.empty();
    }
};

const char* const matrix = "x: \"f32[4, 4][4, 1]cpu\"";

} // namespace

class TestValueFacts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void viewsShareAndShift();
    void operatorsMakeStorages();
    void unannotatedAliases();
    void copiedViews();
    void listsAndTheirItems();
    void scattersKeepTheOffset();
    void shapesTheTextLeavesOut();
    void unknownStaysUnknown();
    void constantsOfTheModule();
    void symbolsTakeHints();
    void symbolsWithoutHints();
    void numbersBetweenTensors();
};

void TestValueFacts::viewsShareAndShift() {
    const Known known(matrix, R"(
        clone: "f32[4, 4][4, 1]cpu" = torch.ops.aten.clone.default(x)
        slice_1: "f32[2, 4][4, 1]cpu" = torch.ops.aten.slice.Tensor(clone, 0, 1, 3)
        select: "f32[2][4]cpu" = torch.ops.aten.select.int(slice_1, 1, -1)
        add_: "f32[2][4]cpu" = torch.ops.aten.add_.Tensor(select, 1)
        return add_
)");
    QVERIFY(!known.share("x", "clone"));
    QVERIFY(known.share("clone", "slice_1"));
    QVERIFY(known.share("clone", "select"));
    QVERIFY(known.share("clone", "add_"));
    QCOMPARE(known.tensor("slice_1")->storage_offset, 4);
    QCOMPARE(known.tensor("select")->storage_offset, 7);
    QCOMPARE(known.of("slice_1").view_of, known.node("clone"));
    QCOMPARE(known.of("select").view_of, known.node("slice_1"));
    QCOMPARE(known.of("add_").view_of, no_node);
    QCOMPARE(known.of("select").source, MetaSource::file);
    QCOMPARE(known.facts.storages(known.graph.graph.output()), known.of("clone").storages);
}

void TestValueFacts::operatorsMakeStorages() {
    const Known known(matrix, R"(
        add: "f32[4, 4][4, 1]cpu" = torch.ops.aten.add.Tensor(x, 1)
        neg: "f32[4, 4][4, 1]cpu" = torch.ops.aten.neg.default(add)
        detach: "f32[4, 4][4, 1]cpu" = torch.ops.aten.detach.default(neg)
        return (detach,)
)");
    QCOMPARE(known.of("x").storages, std::vector<StorageId>{1});
    QCOMPARE(known.of("add").storages, std::vector<StorageId>{2});
    QCOMPARE(known.of("neg").storages, std::vector<StorageId>{3});
    QVERIFY(known.share("neg", "detach"));
    QCOMPARE(known.facts.storage_limit(), 4U);
}

void TestValueFacts::unannotatedAliases() {
    const Known known(matrix, R"(
        add: "f32[4, 4][4, 1]cpu" = torch.ops.aten.add.Tensor(x, 1)
        _unsafe_view: "f32[16][1]cpu" = torch.ops.aten._unsafe_view.default(add, [16])
        conj_physical: "f32[16][1]cpu" = torch.ops.aten.conj_physical.default(_unsafe_view)
        native_dropout = torch.ops.aten.native_dropout.default(add, 0.5, False)
        getitem: "f32[4, 4][4, 1]cpu" = native_dropout[0]
        getitem_1: "b8[4, 4][4, 1]cpu" = native_dropout[1]
        native_dropout_1 = torch.ops.aten.native_dropout.default(add, 0.5, True)
        getitem_2: "f32[4, 4][4, 1]cpu" = native_dropout_1[0]
        return (getitem, getitem_1, getitem_2, conj_physical)
)");
    QVERIFY(known.share("add", "_unsafe_view"));
    QVERIFY(known.share("add", "conj_physical"));
    QVERIFY(known.share("add", "getitem"));
    QVERIFY(!known.share("add", "getitem_1"));
    QVERIFY(!known.share("add", "getitem_2"));
    QCOMPARE(known.of("_unsafe_view").view_of, no_node); // says nothing, so it is no view to upstream
    QCOMPARE(known.of("native_dropout").storages.size(), 2U);
}

void TestValueFacts::copiedViews() {
    const Known known(matrix, R"(
        t: "f32[4, 4][1, 4]cpu" = torch.ops.aten.t.default(x)
        reshape: "f32[16][1]cpu" = torch.ops.aten.reshape.default(t, [16])
        reshape_1: "f32[16][1]cpu" = torch.ops.aten.reshape.default(x, [16])
        contiguous: "f32[4, 4][4, 1]cpu" = torch.ops.aten.contiguous.default(x)
        return (reshape, reshape_1, contiguous)
)");
    QVERIFY(known.of("reshape").is_copied_view);
    QVERIFY(!known.share("x", "reshape"));
    QVERIFY(!known.of("reshape_1").is_copied_view);
    QVERIFY(known.share("x", "reshape_1"));
    QVERIFY(known.share("x", "contiguous"));
    QCOMPARE(known.of("contiguous").view_of, known.node("x"));
}

void TestValueFacts::listsAndTheirItems() {
    const Known known(matrix, R"(
        split = torch.ops.aten.split.Tensor(x, 3)
        getitem: "f32[3, 4][4, 1]cpu" = split[0]
        getitem_1: "f32[1, 4][4, 1]cpu" = split[1]
        var_mean = torch.ops.aten.var_mean.correction(x, [1], correction = 0)
        getitem_2: "f32[4][1]cpu" = var_mean[1]
        return (getitem, getitem_1, getitem_2)
)");
    QVERIFY(known.of("split").is_list);
    QCOMPARE(known.of("split").items.size(), 2U);
    QVERIFY(known.share("x", "split"));
    QVERIFY(known.share("x", "getitem_1"));
    QCOMPARE(known.tensor("getitem_1")->storage_offset, 12);
    QCOMPARE(known.of("getitem_1").view_of, known.node("x"));
    // The variance is taken by nobody and lies somewhere all the same.
    QCOMPARE(known.of("var_mean").items.size(), 2U);
    QCOMPARE(known.of("var_mean").storages.size(), 2U);
    QVERIFY(!known.share("x", "getitem_2"));
    QCOMPARE(known.of("getitem_2").view_of, no_node);
}

void TestValueFacts::scattersKeepTheOffset() {
    const Known known(matrix, R"(
        clone: "f32[4, 4][4, 1]cpu" = torch.ops.aten.clone.default(x)
        slice_1: "f32[3, 4][4, 1]cpu" = torch.ops.aten.slice.Tensor(clone, 0, 1, 4)
        select: "f32[4][1]cpu" = torch.ops.aten.select.int(clone, 0, 0)
        select_scatter: "f32[3, 4][4, 1]cpu" = torch.ops.aten.select_scatter.default(slice_1, select, 0, 0)
        return select_scatter
)");
    QVERIFY(!known.share("slice_1", "select_scatter"));
    QCOMPARE(known.tensor("select_scatter")->storage_offset, 4);
}

void TestValueFacts::shapesTheTextLeavesOut() {
    const Known known("x: \"f32[4, 4]\"", R"(
        t = torch.ops.aten.t.default(x)
        mm: "f32[4, 4]" = torch.ops.aten.mm.default(x, t)
        select = torch.ops.aten.select.int(mm, 1, 2)
        return select
)");
    QCOMPARE(known.of("t").source, MetaSource::propagated);
    QCOMPARE(known.tensor("t")->strides, (std::vector<std::int64_t>{1, 4}));
    QCOMPARE(known.of("mm").source, MetaSource::file);
    QCOMPARE(known.tensor("mm")->strides, (std::vector<std::int64_t>{4, 1}));
    QCOMPARE(known.tensor("select")->storage_offset, 2);
    QVERIFY(known.share("mm", "select"));
}

void TestValueFacts::unknownStaysUnknown() {
    const Known known("x", R"(
        view = torch.ops.aten.view.default(x, [16])
        add = torch.ops.aten.add.Tensor(view, 1)
        frob = torch.ops.nobody.knows.default(add)
        return frob
)");
    QVERIFY(!known.facts.is_known(known.node("x")));
    QVERIFY(!known.of("x").unknown_reason.empty());
    QVERIFY(!known.tensor("add"));
    QVERIFY(known.of("add").unknown_reason.find("%view") != std::string::npos);
    // Storages are known from the schemas.
    QVERIFY(known.share("x", "view"));
    QVERIFY(!known.share("view", "add"));
    QCOMPARE(known.of("view").view_of, known.node("x"));
    QVERIFY(!known.share("add", "frob"));
}

void TestValueFacts::constantsOfTheModule() {
    const Known known(matrix, R"(
        _tensor_constant0 = self._tensor_constant0
        lift_fresh_copy: "f32[4][1]cpu" = torch.ops.aten.lift_fresh_copy.default(_tensor_constant0)
        _assert_tensor_metadata = torch.ops.aten._assert_tensor_metadata.default(x, None, None, torch.float32)
        return lift_fresh_copy
)");
    QCOMPARE(known.tensor("_tensor_constant0")->sizes, std::vector<std::int64_t>{4});
    QVERIFY(!known.share("_tensor_constant0", "lift_fresh_copy"));
    QVERIFY(known.of("_assert_tensor_metadata").is_void);
    QVERIFY(known.of("_assert_tensor_metadata").storages.empty());
}

void TestValueFacts::symbolsTakeHints() {
    const auto program = read_program(TEST_DATA "/pt2/dynamic.pt2");
    QVERIFY(program);
    const Known known(program->graphs.front());
    QVERIFY(known.facts.is_symbolic());
    for (const NodeId id : known.graph.graph) {
        const auto* meta = std::get_if<TensorMeta>(&known.graph.graph.node(id).meta);
        if (!meta || !known.facts.tensor(id)) continue;
        for (std::size_t i = 0; i < meta->sizes.size(); ++i)
            if (const auto hint = meta->sizes[i].hint()) QCOMPARE(known.facts.tensor(id)->sizes[i], *hint);
    }
}

void TestValueFacts::symbolsWithoutHints() {
    const Known known("x: \"f32[s0, s1][s1, 1]cpu\"", R"(
        slice_1: "f32[s0 - 1, s1][s1, 1]cpu" = torch.ops.aten.slice.Tensor(x, 0, 1)
        return slice_1
)");
    QVERIFY(known.facts.is_symbolic());
    QCOMPARE(known.facts.assumed().size(), 2U);
    const auto [s0, size0] = known.facts.assumed()[0];
    const auto [s1, size1] = known.facts.assumed()[1];
    QCOMPARE(s0, "s0");
    QVERIFY(size0 > 1 && size1 > 1 && size0 != size1);
    QCOMPARE(known.tensor("x")->sizes, (std::vector<std::int64_t>{size0, size1}));
    QCOMPARE(known.tensor("slice_1")->sizes, (std::vector<std::int64_t>{size0 - 1, size1}));
    QCOMPARE(known.tensor("slice_1")->storage_offset, size1);

    // Inside the range, where the file gives one.
    ProgramGraph narrow = known.graph;
    narrow.ranges = {{"s0", 3, 5}, {"s1", 1, 1}};
    const GraphFacts facts = GraphFacts::run(narrow);
    QVERIFY(facts.assumed()[0].second >= 3 && facts.assumed()[0].second <= 5);
    QCOMPARE(facts.assumed()[1].second, 1);
    narrow.ranges = {{"s0", std::int64_t{1} << 40, std::nullopt}, {"s1", std::nullopt, std::int64_t{3}}};
    const GraphFacts wide = GraphFacts::run(narrow);
    QCOMPARE(wide.assumed()[0].second, std::int64_t{1} << 40);
    QCOMPARE(wide.assumed()[1].second, 2);
}

void TestValueFacts::numbersBetweenTensors() {
    const Known known(matrix, R"(
        sym_size_int = torch.ops.aten.sym_size.int(x, 0)
        mul = sym_size_int * 4
        floordiv = mul // 3
        view: "f32[16][1]cpu" = torch.ops.aten.view.default(x, [mul])
        return view
)");
    const auto number = [&](const char* name) {
        const auto& value = known.of(name).number;
        return value && value->as<std::int64_t>() ? *value->as<std::int64_t>() : -1;
    };
    QCOMPARE(number("sym_size_int"), 4);
    QCOMPARE(number("mul"), 16);
    QCOMPARE(number("floordiv"), 5);
    QVERIFY(known.share("x", "view"));
}

QTEST_APPLESS_MAIN(TestValueFacts)
#include "test_value_facts.moc"
