// Running one operator on metadata only: what shape, strides, offset and storage would its result have?
// Torch-free header; the implementation calls the operator's Meta kernel.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/graph/argument.h"
#include "core/graph/result.h"
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

/// An argument or result with node references replaced by what they stand for.
struct MetaValue;
using MetaList = std::vector<MetaValue>;
struct MetaValue {
    /// Argument: a constant. monostate: None / nothing returned.
    std::variant<std::monostate, TensorLayout, MetaList, Argument> value;
};

/// Runs operators on metadata. Owns one meta storage per StorageId it has seen; results that alias an argument get
/// that argument's id, others a fresh one from `next_storage`.
class MetaExecutor {
public:
    MetaExecutor();
    ~MetaExecutor();
    MetaExecutor(const MetaExecutor&) = delete;
    MetaExecutor& operator=(const MetaExecutor&) = delete;

    [[nodiscard]] StorageId new_storage();
    /// Result of `op`; an error where no Meta kernel exists, or the kernel refuses the arguments (its words).
    /// Missing trailing arguments take the schema's defaults. Numbers given for a Tensor become 0-dim tensors.
    [[nodiscard]] Result<MetaValue> run(const Operator& op, const std::vector<MetaValue>& args,
                                        const std::vector<std::pair<std::string, MetaValue>>& kwargs);
    /// Whether run() has a chance: the dispatcher, or this program, has a Meta kernel for `op`.
    [[nodiscard]] static bool has_kernel(const Operator& op);

private:
    struct State;
    State* state_;
};

} // namespace inspector
