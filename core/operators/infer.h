// Running one operator on metadata only: what shape, strides, offset and storage would its result have?
// Torch-free header; core/libtorch calls the operator's Meta kernel, LibTorch's own or one of its meta_kernels/.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/graph/argument.h"
#include "core/graph/result.h"
#include "core/graph/tensor_meta.h"
#include "core/operators/operator_schema.h"

namespace inspector {

/// Names a storage. Two tensors share memory exactly when their ids are equal. 0 is no storage.
using StorageId = std::uint32_t;

/// A tensor by its layout. Counts elements.
struct TensorLayout {
    DType dtype = DType::f32;
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> strides;
    std::int64_t storage_offset = 0;
    std::string device = "cpu"; ///< kept beside the computation: kernels run on the meta device
    StorageId storage = 0;
    bool conjugated = false;
    bool negated = false;
    friend bool operator==(const TensorLayout&, const TensorLayout&) = default;
};

/// The layout as metadata of a node, with plain numbers.
[[nodiscard]] TensorMeta tensor_meta(const TensorLayout& layout);

/// An argument or result with node references replaced by what they stand for.
struct MetaValue;
using MetaList = std::vector<MetaValue>;
struct MetaValue {
    /// Argument: a constant. monostate: None / nothing returned.
    std::variant<std::monostate, TensorLayout, MetaList, Argument> value;
};

/// Runs operators on metadata. Results that alias an argument get that argument's storage id — by the storage the kernel
/// put them on, whatever the schema says —, others a fresh one. Storages have no end: as with fake tensors, as_strided
/// is never out of bounds.
///
/// Operators that return several values give a MetaList of them; those that return a list, a MetaList of its items.
/// In-place operators return self with the layout it has afterwards (squeeze_ and others tagged inplace_view change
/// it), out= operators their out argument. One executor serves one thread.
class MetaExecutor {
public:
    MetaExecutor();
    ~MetaExecutor();
    MetaExecutor(const MetaExecutor&) = delete;
    MetaExecutor& operator=(const MetaExecutor&) = delete;

    /// An id that no layout seen so far has, and no later new one will have.
    [[nodiscard]] StorageId new_storage();

    /// Result of `op`; an error where no Meta kernel exists, the kernel refuses the arguments (its words), or the
    /// result depends on data. Missing arguments take the schema's defaults. Numbers given for a Tensor become 0-dim
    /// tensors. The result's device is the `device` argument's, else the tensor arguments' common one (0-dim CPU tensors
    /// give way), as fake tensors find it.
    [[nodiscard]] Result<MetaValue> run(const Operator& op, const std::vector<MetaValue>& args,
                                        const std::vector<std::pair<std::string, MetaValue>>& kwargs);
    /// Whether run() has a chance: the dispatcher, or this program, has a kernel for `op` that works on metadata.
    [[nodiscard]] static bool has_kernel(const Operator& op);

    /// Does run()'s work in core/libtorch.
    class Backend {
    public:
        virtual ~Backend() = default;
        [[nodiscard]] virtual Result<MetaValue> run(const Operator& op, const std::vector<MetaValue>& args,
                                                    const std::vector<std::pair<std::string, MetaValue>>& kwargs) = 0;
    };

private:
    StorageId next_ = 1;               ///< of storages; the backend takes from it too
    std::unique_ptr<Backend> backend_; ///< null until the first run()
};

/// Whether this program has a Meta kernel of its own for `op`, used where LibTorch has none.
[[nodiscard]] bool has_own_meta_kernel(const Operator& op);

} // namespace inspector
