#include "core/formats/reproduction/reproduction.h"

#include <algorithm>

#include "core/formats/python/python_literal.h"
#include "core/formats/python/python_module.h"
#include "core/formats/reader.h"
#include "core/formats/reproduction/example_inputs.h"
#include "core/formats/reproduction/slice.h"
#include "core/passes/reinplace/explain.h"

namespace inspector {
namespace {

constexpr int most_attempts = 400;

class Search {
public:
    Search(const Program& program, std::size_t graph, const ReinplaceSession& session, std::uint32_t index)
        : program_(program), source_(program.graphs[graph]), index_(graph), session_(session),
          original_(session.original()), decision_(session.complete(index)), comment_(comment()),
          numbers_(original_.id_limit(), session.decision_nodes().size()) {
        for (std::uint32_t number = 0; number < session.decision_nodes().size(); ++number)
            numbers_[index_of(session.decision_nodes()[number])] = number;
    }

    Result<Reproduction> run() {
        for (Slice& start : starts()) {
            auto made = attempt(start);
            if (!made) continue;
            best_ = std::move(*made);
            slice_ = std::move(start);
            return_the_node();
            shrink();
            return std::move(best_);
        }
        if (!failure_.reason.empty()) return tl::unexpected(failure_);
        return fail('%' + original_.node(decision_.node).name,
                    "the graph alone does not give this decision: it rests on what Python text does not say");
    }

private:
    /// Of a list, and of what nothing is known of, no input can be made.
    [[nodiscard]] bool can_be_input(NodeId id) const {
        const Node& node = original_.node(id);
        return session_.facts().tensor(id) || std::holds_alternative<ScalarMeta>(node.meta) || node.opcode == Opcode::placeholder;
    }

    [[nodiscard]] Slice slice_of(std::vector<bool> kept) const {
        for (NodeId id = original_.last(); id != no_node; id = original_.previous(id))
            if (kept[index_of(id)])
                for (const NodeId input : original_.inputs(id))
                    if (!can_be_input(input)) keep(kept, input);
        Slice slice{std::move(kept), {}};
        if (original_.output() != no_node)
            for (const NodeId id : original_.inputs(original_.output()))
                if (slice.kept[index_of(id)]) slice.returned.push_back(id);
        return slice;
    }

    void keep(std::vector<bool>& kept, NodeId id) const {
        const Opcode opcode = original_.node(id).opcode;
        if (opcode != Opcode::placeholder && opcode != Opcode::output) kept[index_of(id)] = true;
    }

    /// Values that lie on one storage with the inputs of kept nodes, up to where it is made.
    void add_storage_roots(std::vector<bool>& kept) const {
        for (NodeId id = original_.last(); id != no_node; id = original_.previous(id)) {
            if (!kept[index_of(id)]) continue;
            for (const NodeId input : original_.inputs(id))
                if (session_.storages().of(input) || original_.node(input).opcode != Opcode::placeholder) keep_alias(kept, id, input);
        }
    }

    void keep_alias(std::vector<bool>& kept, NodeId user, NodeId input) const {
        const bool is_near = user == decision_.node || is_witness(user);
        const bool is_view = session_.storages().of(input) && session_.storages().of(input) == session_.storages().of(user);
        if (is_near || is_view || !session_.storages().of(input)) keep(kept, input);
    }

    [[nodiscard]] bool is_witness(NodeId id) const {
        return std::ranges::find(decision_.witnesses, id, &Witness::node) != decision_.witnesses.end();
    }

    /// Sets to begin with, from the smallest that may do to the whole graph.
    [[nodiscard]] std::vector<Slice> starts() const {
        std::vector<Slice> found;
        std::vector<bool> kept(original_.id_limit());
        keep(kept, decision_.node);
        found.push_back(slice_of(kept)); // the operator alone
        for (const Witness& witness : decision_.witnesses) keep(kept, witness.node);
        add_storage_roots(kept);
        found.push_back(slice_of(kept)); // with what its answer rests on
        for (const NodeId id : original_)
            if (kept[index_of(id)])
                for (const NodeId user : original_.users(id)) keep(kept, user);
        for (NodeId id = original_.last(); id != no_node; id = original_.previous(id))
            if (kept[index_of(id)])
                for (const NodeId input : original_.inputs(id)) keep(kept, input);
        found.push_back(slice_of(kept)); // with all that is computed from
        for (const NodeId id : original_) keep(kept, id);
        found.push_back(slice_of(kept)); // everything
        return found;
    }

    [[nodiscard]] ReinplaceSession::Options options_for(const Graph& graph, const ReinplaceSession& run) const {
        ReinplaceSession::Options options;
        options.policy = session_.options().policy;
        for (std::uint32_t i = 0; i < run.decision_nodes().size(); ++i) {
            const NodeId before = original_.find(graph.node(run.decision_nodes()[i]).name);
            const auto number = static_cast<std::uint32_t>(before == no_node ? session_.decision_nodes().size()
                                                                             : numbers_[index_of(before)]);
            const Choice choice = session_.choice(number);
            if (choice != Choice::policy) options.choices[i] = choice;
            else if (session_.options().first && number >= *session_.options().first) options.choices[i] = Choice::skip;
        }
        for (const std::string& name : session_.options().donated)
            if (graph.find(name) != no_node) options.donated.push_back(name);
        return options;
    }

    /// The module for `slice`, if it is decided alike when it is read.
    std::optional<Reproduction> attempt(const Slice& slice) {
        ++attempts_;
        Graph graph = graph_of(original_, session_.facts(), slice);
        const std::string& name = original_.node(decision_.node).name;
        auto text = print(graph);
        if (!text) {
            failure_ = text.error();
            return std::nullopt;
        }
        const auto read = read_text(*text);
        if (!read) return std::nullopt;
        const auto found = std::ranges::find_if(read->graphs, [&](const ProgramGraph& each) {
            return each.graph.find(name) != no_node && each.graph.size() == graph.size();
        });
        if (found == read->graphs.end()) return std::nullopt;
        const auto unchosen = ReinplaceSession::start(*found, {.policy = session_.options().policy, .first = {}, .choices = {}, .donated = {}});
        if (!unchosen) return std::nullopt;
        const ReinplaceSession::Options options = options_for(found->graph, **unchosen);
        const auto session = ReinplaceSession::start(*found, options);
        if (!session) return std::nullopt;
        (*session)->run_to_end();
        for (const Decision& made : (*session)->decisions())
            if (made.node == found->graph.find(name) && is_alike(made))
                return Reproduction{std::move(*text), name, graph.size(), options};
        return std::nullopt;
    }

    [[nodiscard]] bool is_alike(const Decision& made) const {
        return made.verdict == decision_.verdict && made.check == decision_.check && made.reason == decision_.reason;
    }

    [[nodiscard]] Result<std::string> print(const Graph& graph) const {
        Program program;
        program.path = program_.path;
        program.graphs.push_back({});
        program.graphs.front().id = "forward";
        add_nested(program, index_, 0);
        const PythonModuleOptions options{.annotate = true, .comment = comment_, .ending = print_example_call(graph, source_.hints)};
        return print_python_module(program, 0, graph, "", options);
    }

    [[nodiscard]] std::string comment() const {
        return "# %" + python_comment(original_.node(decision_.node).name) + ", " + python_comment(decision_.target) +
               ", under policy " + session_.options().policy + ": " +
               python_comment(plain_text(explain(session_, decision_))) + '\n' + "# From " + python_string(program_.path) +
               ", as small as it could be made.\n";
    }

    void add_nested(Program& program, std::size_t from, std::size_t to) const {
        for (std::size_t i = 0; i < program_.graphs.size(); ++i) {
            if (program_.graphs[i].parent != from) continue;
            program.graphs.push_back(program_.graphs[i]);
            program.graphs.back().parent = to;
            add_nested(program, i, program.graphs.size() - 1);
        }
    }

    [[nodiscard]] bool names_nested(NodeId id) const {
        const Node& node = original_.node(id);
        return node.opcode == Opcode::get_attr && std::ranges::any_of(program_.graphs, [&](const ProgramGraph& each) {
            return each.parent == index_ && each.attribute == node.target;
        });
    }

    /// Who runs it wants to see what it gives.
    void return_the_node() {
        if (std::ranges::find(slice_.returned, decision_.node) != slice_.returned.end()) return;
        Slice larger = slice_;
        larger.returned.push_back(decision_.node);
        accept(std::move(larger));
    }

    /// Takes away what can go: large pieces first, then single nodes, then what is returned.
    void shrink() {
        for (bool changed = true; changed && attempts_ < most_attempts;) {
            changed = false;
            std::vector<NodeId> candidates;
            for (const NodeId id : original_)
                if (slice_.kept[index_of(id)] && id != decision_.node && !names_nested(id)) candidates.push_back(id);
            for (std::size_t size = std::max<std::size_t>(1, candidates.size() / 2);; size /= 2) {
                for (std::size_t end = candidates.size(); end > 0; end -= std::min(size, end)) {
                    const std::size_t begin = end - std::min(size, end);
                    changed |= try_without({candidates.begin() + static_cast<std::ptrdiff_t>(begin),
                                            candidates.begin() + static_cast<std::ptrdiff_t>(end)});
                }
                std::erase_if(candidates, [this](NodeId id) { return !slice_.kept[index_of(id)]; });
                if (size <= 1) break;
            }
            for (std::size_t i = slice_.returned.size(); i-- > 0;) {
                if (slice_.returned[i] == decision_.node) continue;
                Slice smaller = slice_;
                smaller.returned.erase(smaller.returned.begin() + static_cast<std::ptrdiff_t>(i));
                changed |= accept(std::move(smaller));
            }
        }
    }

    bool try_without(const std::vector<NodeId>& nodes) {
        Slice smaller = slice_;
        for (const NodeId id : nodes) smaller.kept[index_of(id)] = false;
        std::erase_if(smaller.returned, [&](NodeId id) { return !smaller.kept[index_of(id)]; });
        for (const NodeId id : nodes) {
            const bool is_needed = std::ranges::any_of(original_.users(id), [&](NodeId user) { return smaller.kept[index_of(user)]; });
            if (is_needed && !can_be_input(id)) return false;
        }
        return accept(std::move(smaller));
    }

    bool accept(Slice smaller) {
        if (attempts_ >= most_attempts) return false;
        auto made = attempt(smaller);
        if (!made) return false;
        best_ = std::move(*made);
        slice_ = std::move(smaller);
        return true;
    }

    const Program& program_;
    const ProgramGraph& source_;
    std::size_t index_;
    const ReinplaceSession& session_;
    const Graph& original_;
    Decision decision_;
    std::string comment_;                ///< the module's first lines, the same for each attempt
    std::vector<std::size_t> numbers_;   ///< of decisions, by node; how many there are where none is made
    Slice slice_;
    Reproduction best_;
    Error failure_;
    int attempts_ = 0;
};

} // namespace

Result<Reproduction> reproduce(const Program& program, std::size_t graph, const ReinplaceSession& session, std::uint32_t index) {
    auto made = Search(program, graph, session, index).run();
    if (made) return made;
    Error error = made.error();
    error.file = program.path;
    return tl::unexpected(std::move(error));
}

} // namespace inspector
