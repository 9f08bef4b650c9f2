#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

#include <ATen/ops/full.h>
#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/frontend/parser.h>
#include <torch/csrc/jit/frontend/tree_views.h>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/serialization/import_source.h>

#include "core/formats/torchscript/big_stack.h"
#include "core/formats/torchscript/source_depth.h"
#include "core/libtorch/entries.h"

namespace inspector {
namespace torchscript {
namespace {

namespace jit = torch::jit;

constexpr std::size_t stack_bytes = std::size_t(1) << 30;
/// What the stack holds for: the compiler takes less than 5 kB for each level.
constexpr std::size_t most_nesting = 200'000;

/// Of a message of LibTorch's. Types are named with an address, which is another one each time.
std::string first_line(std::string_view text) {
    while (text.starts_with('\n')) text.remove_prefix(1);
    std::string line(text.substr(0, text.find('\n')));
    for (auto at = line.find(" (of Python compilation unit at: 0x"); at != line.npos; at = line.find(" (of Python", at))
        line.erase(at, line.find(')', at) + 1 - at);
    while (line.ends_with(':')) line.pop_back();
    return line;
}

// --- nothing that is evaluated ---------------------------------------------------------------------------------------

bool is_name(const jit::TreeRef& tree, std::string_view name) { return tree->kind() == jit::TK_VAR && jit::Var(tree).name().name() == name; }

bool is_literal(const jit::TreeRef& tree) {
    switch (tree->kind()) {
    case jit::TK_CONST:
    case jit::TK_STRINGLITERAL:
    case jit::TK_TRUE:
    case jit::TK_FALSE:
    case jit::TK_NONE: return true;
    case jit::TK_VAR: return is_name(tree, "inf") || is_name(tree, "nan");
    case jit::TK_LIST_LITERAL:
    case jit::TK_TUPLE_LITERAL:
    case jit::TK_DICT_LITERAL:
    case jit::TK_LIST:
    case jit::TK_UNARY_MINUS: return std::ranges::all_of(tree->trees(), is_literal);
    case '.': return is_name(jit::Select(tree).value().tree(), "CONSTANTS");
    case jit::TK_APPLY: {
        const jit::Apply call(tree);
        const jit::TreeRef callee = call.callee().tree();
        if (call.attributes().size() != 0) return false;
        const bool is_device = callee->kind() == '.' && is_name(jit::Select(callee).value().tree(), "torch") && jit::Select(callee).selector().name() == "device";
        const bool is_annotation = is_name(callee, "annotate") && call.inputs().size() == 2;
        if (!is_device && !is_annotation && !is_name(callee, "float") && !is_name(callee, "int")) return false;
        std::size_t place = 0;
        for (const auto& input : call.inputs())
            if ((place++ > 0 || !is_annotation) && !is_literal(input.tree())) return false;
        return true;
    }
    default: return false;
    }
}

/// The compiler runs these expressions; throws where one is more than a literal.
void refuse_evaluated(const jit::TreeRef& tree) {
    const auto check = [](const jit::TreeRef& value, std::string_view what) {
        if (is_literal(value)) return;
        throw Error{{}, value->range().file_line_col() ? std::get<0>(*value->range().file_line_col()) + ", line " + std::to_string(std::get<1>(*value->range().file_line_col())) : "code",
                    "the " + std::string(what) + " is no literal: compiling it would run it, so the file is refused"};
    };
    if (tree->kind() == jit::TK_PARAM) {
        const auto value = jit::Param(tree).defaultValue();
        if (value.present()) check(value.get().tree(), "default value of " + jit::Param(tree).ident().name());
    } else if (tree->kind() == jit::TK_CLASS_DEF) {
        for (const auto& statement : jit::ClassDef(tree).body())
            if (statement.kind() == jit::TK_ASSIGN) {
                const auto value = jit::Assign(statement).rhs();
                if (value.present()) check(value.get().tree(), "value of an attribute");
            }
    }
    for (const jit::TreeRef& inner : tree->trees()) refuse_evaluated(inner);
}

// --- graphs ----------------------------------------------------------------------------------------------------------

std::string printed(const c10::Type& type) {
    std::ostringstream text;
    text << type;
    return text.str();
}

std::optional<Argument> argument(const c10::IValue& value) {
    if (value.isNone()) return Argument(None{});
    if (value.isBool()) return Argument(value.toBool());
    if (value.isInt()) return Argument(value.toInt());
    if (value.isDouble()) return Argument(value.toDouble());
    if (value.isComplexDouble()) return Argument(std::complex<double>(value.toComplexDouble().real(), value.toComplexDouble().imag()));
    if (value.isString()) return Argument(value.toStringRef());
    if (value.isDevice()) return Argument(DeviceName{value.toDevice().str()});
    ArgumentList list;
    const auto add = [&](const c10::IValue& item) {
        auto inner = argument(item);
        if (inner) list.items.push_back(std::move(*inner));
        return inner.has_value();
    };
    if (value.isTuple()) {
        list.kind = ArgumentList::Kind::tuple;
        for (const c10::IValue& item : value.toTupleRef().elements()) if (!add(item)) return std::nullopt;
        return Argument(std::move(list));
    }
    if (value.isList()) {
        for (const c10::IValue& item : value.toListRef()) if (!add(item)) return std::nullopt;
        return Argument(std::move(list));
    }
    return std::nullopt;
}

class GraphCopier {
public:
    /// `called` is told of every function the graph calls.
    GraphCopier(const ReadOptions& options, std::function<void(jit::Function&)> called) : options_(options), called_(std::move(called)) {}

    ScriptGraph copy(const jit::Graph& graph) {
        graph_.body = block(*graph.block());
        return std::move(graph_);
    }

private:
    ValueIndex define(const jit::Value& value) {
        if (graph_.values.size() >= options_.limits.nodes) throw Error{{}, {}, "a function has more than " + std::to_string(options_.limits.nodes) + " values"};
        const auto index = static_cast<ValueIndex>(graph_.values.size());
        graph_.values.push_back({value.debugName(), printed(*value.type())});
        indices_.emplace(&value, index);
        return index;
    }

    ScriptBlock block(const jit::Block& source) {
        ScriptBlock result;
        for (const jit::Value* input : source.inputs()) result.inputs.push_back(define(*input));
        for (const jit::Node* node : source.nodes()) result.nodes.push_back(copy(*node));
        for (const jit::Value* output : source.outputs()) result.outputs.push_back(indices_.at(output));
        return result;
    }

    ScriptNode copy(const jit::Node& source) {
        ScriptNode node;
        node.kind = source.kind().toQualString();
        for (const jit::Value* input : source.inputs()) node.inputs.push_back(indices_.at(input));
        for (const jit::Block* inner : source.blocks()) node.blocks.push_back(block(*inner));
        for (const jit::Value* output : source.outputs()) node.outputs.push_back(define(*output));
        if (source.hasAttribute(c10::attr::name) && source.kindOf(c10::attr::name) == jit::AttributeKind::s) node.name = source.s(c10::attr::name);
        if (const auto place = source.sourceRange().file_line_col()) {
            const auto& [file, line, column] = *place;
            node.place = file + ":" + std::to_string(line) + ":" + std::to_string(column);
        }
        if (source.kind() == c10::prim::Constant) read_constant(source, node);
        else if (source.kind() == c10::prim::CallMethod) find_method(source, node);
        else if (const auto* schema = source.maybeSchema()) node.overload = schema->overload_name();
        return node;
    }

    void read_constant(const jit::Node& source, ScriptNode& node) {
        if (const auto function = source.output()->type()->cast<c10::FunctionType>()) {
            node.callee = function->function()->qualname().qualifiedName();
            return called_(*function->function());
        }
        const auto value = jit::toIValue(source.output());
        if (!value) return;
        // See constant_table.
        if (value->isTensor()) node.tensor = static_cast<std::size_t>(value->toTensor().item<std::int64_t>());
        else if (auto plain = argument(*value)) node.value = std::move(*plain);
        else node.value = OpaqueText{"a constant of type " + printed(*source.output()->type())};
    }

    void find_method(const jit::Node& source, ScriptNode& node) {
        const auto type = source.input(0)->type()->cast<c10::ClassType>();
        jit::Function* method = type ? type->findMethod(node.name) : nullptr;
        if (!method) return;
        node.callee = method->qualname().qualifiedName();
        called_(*method);
    }

    const ReadOptions& options_;
    std::function<void(jit::Function&)> called_;
    ScriptGraph graph_;
    std::unordered_map<const jit::Value*, ValueIndex> indices_;
};

/// A function that is not compiled yet holds what compiles it, and that holds its unit: after an error nothing would be
/// freed. So all functions end with this, and their graphs.
class CompiledUnit {
public:
    CompiledUnit() = default;
    ~CompiledUnit() { unit_->drop_all_functions(); }
    CompiledUnit(const CompiledUnit&) = delete;
    CompiledUnit& operator=(const CompiledUnit&) = delete;

    [[nodiscard]] const std::shared_ptr<jit::CompilationUnit>& get() const { return unit_; }

private:
    std::shared_ptr<jit::CompilationUnit> unit_ = std::make_shared<jit::CompilationUnit>();
};

// --- the archive -----------------------------------------------------------------------------------------------------

class Importer {
public:
    Importer(const pt2::Archive& archive, const ReadOptions& options, ScriptModule& module) : archive_(archive), options_(options), module_(module) {}

    void import() {
        const auto version = archive_.read(archive_.contains(".data/version") ? ".data/version" : "version", 64);
        if (!version) throw version.error();
        // Constants are told apart by a number: their elements are not needed, and not read.
        std::vector<c10::IValue> constant_table;
        for (std::size_t i = 0; i < module_.state.constants.size(); ++i)
            constant_table.emplace_back(at::full({1}, static_cast<std::int64_t>(i), c10::kLong));
        const CompiledUnit unit;
        jit::SourceImporter importer(unit.get(), &constant_table, [&](const std::string& name) { return source(name); },
                                     static_cast<std::size_t>(std::strtoul(version->c_str(), nullptr, 10)));
        std::set<std::string> classes;
        for (const auto& [path, name] : module_.state.objects) classes.insert(name);
        std::map<std::string, c10::ClassTypePtr> types;
        for (const std::string& name : classes)
            if (const auto type = importer.loadType(c10::QualifiedName(name))->cast<c10::ClassType>()) types.emplace(name, type);
        for (auto& [path, tensor] : module_.state.tensors) name_parameter(path, tensor, types);

        const auto root = types.find(module_.state.objects.at(""));
        if (root == types.end()) throw Error{{}, {}, "there is no code of the module's class " + module_.state.objects.at("")};
        for (jit::Function* method : root->second->methods()) {
            const std::string& name = method->name();
            if (!method->isGraphFunction() || name == "__setstate__" || name == "__getstate__") continue;
            enqueue(*method);
            module_.methods.push_back({name == "forward" ? "root" : name, method->qualname().qualifiedName()});
        }
        std::ranges::stable_partition(module_.methods, [](const ScriptMethod& method) { return method.id == "root"; });
        if (module_.methods.empty()) throw Error{{}, {}, "the module has no method"};
        // Methods of submodules that are reached through an interface.
        for (const auto& [name, type] : types)
            for (jit::Function* method : type->methods())
                if (method->isGraphFunction() && method->name() != "__setstate__" && method->name() != "__getstate__") enqueue(*method);
        while (!queue_.empty()) {
            jit::Function* next = queue_.back();
            queue_.pop_back();
            if (!next->isGraphFunction()) continue;
            if (options_.cancelled && *options_.cancelled) throw Error{{}, {}, "reading was cancelled"};
            GraphCopier copier(options_, [&](jit::Function& called) { enqueue(called); });
            ScriptGraph graph = copier.copy(*jit::toGraphFunction(*next).graph());
            module_.functions.emplace(next->qualname().qualifiedName(), std::move(graph));
        }
    }

private:
    void enqueue(jit::Function& function) {
        if (known_.insert(function.qualname().qualifiedName()).second) queue_.push_back(&function);
    }

    static void check_names(const std::string& record, const std::string& text) {
        if (text.find('\0') != text.npos) throw Error{{}, record, "has a zero byte"};
    }

    std::shared_ptr<jit::Source> source(const std::string& qualifier) {
        std::string record = "code/" + qualifier + ".py";
        std::replace(record.begin() + 5, record.end() - 3, '.', '/');
        if (!archive_.contains(record)) return nullptr;
        const auto text = archive_.read(record, options_.limits.text_bytes);
        if (!text) throw text.error();
        check_names(record, *text);
        const auto nesting = measure_nesting(*text, options_.limits.depth);
        if (!nesting) throw Error{{}, record + ", " + nesting.error().place, nesting.error().reason};
        if ((nesting_ += *nesting) > most_nesting) throw Error{{}, record, "the code nests deeper than " + std::to_string(most_nesting) + " in all"};
        auto code = std::make_shared<jit::Source>(*text, record, 1);
        jit::Parser parser(code);
        while (parser.lexer().cur().kind != jit::TK_EOF) {
            const int kind = parser.lexer().cur().kind;
            if (kind == jit::TK_CLASS_DEF) refuse_evaluated(parser.parseClass());
            else if (kind == jit::TK_DEF) refuse_evaluated(parser.parseFunction(/*is_method=*/false));
            else parser.lexer().next();
        }
        return code;
    }

    void name_parameter(const std::string& path, StoredTensor& tensor, const std::map<std::string, c10::ClassTypePtr>& types) const {
        const auto dot = path.rfind('.');
        const auto owner = module_.state.objects.find(dot == path.npos ? "" : path.substr(0, dot));
        if (owner == module_.state.objects.end()) return;
        const auto type = types.find(owner->second);
        if (type == types.end()) return;
        const auto slot = type->second->findAttributeSlot(dot == path.npos ? path : path.substr(dot + 1));
        if (slot) tensor.is_parameter = type->second->is_parameter(*slot);
    }

    const pt2::Archive& archive_;
    const ReadOptions& options_;
    ScriptModule& module_;
    std::set<std::string> known_;
    std::vector<jit::Function*> queue_;
    std::size_t nesting_ = 0;
};

} // namespace
} // namespace torchscript

Result<void> entries::import_code(const pt2::Archive& archive, const ReadOptions& options,
                                  torchscript::ScriptModule& module) {
    using namespace torchscript;
    Result<void> result;
    const bool ran = run_on_stack(stack_bytes, [&] {
        try {
            Importer(archive, options, module).import();
        } catch (Error& error) {
            result = tl::unexpected(std::move(error));
        } catch (const jit::ErrorReport& error) {
            result = fail("code", first_line(error.what()));
        } catch (const c10::Error& error) {
            result = fail("code", first_line(error.msg()));
        } catch (const std::bad_alloc&) {
            result = fail({}, "there is not enough memory to read it");
        } catch (const std::exception& error) {
            result = fail("code", first_line(error.what()));
        }
    });
    if (!ran) return fail({}, "there is not enough memory to compile its code");
    return result;
}

} // namespace inspector
