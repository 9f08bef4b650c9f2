// What is known of every node's result after propagation: layouts with concrete numbers, storages, view chains.
//
//     %clone ── storage 3 ◄── %select (view_of %clone, offset 8) ◄── %add_ (same storage)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/program.h"
#include "core/operators/infer.h"

namespace inspector {

/// Where the layout of a node's result comes from.
enum class MetaSource : std::uint8_t { file, propagated, unknown };

/// One node's result: a tensor, a list of tensors, a number, or nothing.
struct ValueFacts {
    MetaSource source = MetaSource::unknown;
    bool is_void = false;                              ///< the op returned nothing
    bool is_list = false;
    bool is_copied_view = false;                       ///< annotated as a view (reshape, contiguous, to), but had to copy
    bool is_sparse = false;                            ///< some tensor of it has no strides (sparse, mkldnn, jagged)
    /// A tensor result: exactly one. A list's items; nullopt where an item is None, a number, or its layout is unknown.
    std::vector<std::optional<TensorLayout>> items;
    /// Storages of the result, each once, in order of items. Known from the schema even where a layout is not. For the
    /// output node: the storages of all it returns.
    std::vector<StorageId> storages;
    std::optional<Argument> number;                    ///< the value of a result that is a number
    NodeId view_of = no_node;                          ///< self of the view op (through getitem for multi views)
    std::string unknown_reason;                        ///< why `source` is unknown
};

/// Result of propagation; immutable. Node ids are those of the graph it was made from.
/// Symbolic sizes take the file's hints; symbols without a hint get an assumed size, listed in `assumed`.
///
/// Layouts are the file's where it has them; storage offsets it leaves out, and layouts it leaves out, come from running
/// the operators' meta kernels. Whether a result shares an argument's storage is what the kernel did; where there is no
/// kernel, what the schema says. Strides that nobody knows are taken to be contiguous.
class GraphFacts {
public:
    /// Whose word counts on what shares memory: kernels', or that of the fake tensors by which torch's passes decide
    /// (traced_alias of aliasing_operators.h).
    enum class Aliasing : std::uint8_t { of_kernels, of_fake_tensors };
    /// Never fails: what cannot be known is unknown, with the reason.
    [[nodiscard]] static GraphFacts run(const ProgramGraph& graph, Aliasing aliasing = Aliasing::of_kernels);

    [[nodiscard]] const ValueFacts& of(NodeId id) const { return facts_[index_of(id)]; }
    [[nodiscard]] bool is_known(NodeId id) const { return of(id).source != MetaSource::unknown; }
    /// The single tensor of a node's result; nullptr for lists, numbers, unknown.
    [[nodiscard]] const TensorLayout* tensor(NodeId id) const {
        const ValueFacts& facts = of(id);
        return !facts.is_list && facts.items.size() == 1 && facts.items.front() ? &*facts.items.front() : nullptr;
    }
    [[nodiscard]] const std::vector<StorageId>& storages(NodeId id) const { return of(id).storages; }
    [[nodiscard]] std::size_t size() const { return facts_.size(); }
    /// Storage ids are below; they count up in program order of first appearance, from 1.
    [[nodiscard]] StorageId storage_limit() const { return storage_limit_; }
    /// Symbols whose size was assumed because the file gives no hint.
    [[nodiscard]] const std::vector<std::pair<std::string, std::int64_t>>& assumed() const { return assumed_; }
    [[nodiscard]] bool is_symbolic() const { return symbolic_; }

private:
    friend class FactsBuilder;
    std::vector<ValueFacts> facts_;
    StorageId storage_limit_ = 1;
    std::vector<std::pair<std::string, std::int64_t>> assumed_;
    bool symbolic_ = false;
};

} // namespace inspector
