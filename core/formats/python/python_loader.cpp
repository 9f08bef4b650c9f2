#include "core/formats/python/python_loader.h"

#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "core/formats/python/python_literal.h"

namespace inspector {
namespace {

bool is_lifted(const InputSpec& spec) {
    switch (spec.kind) {
    case InputSpec::Kind::parameter:
    case InputSpec::Kind::buffer:
    case InputSpec::Kind::tensor_constant:
    case InputSpec::Kind::custom_object: return true;
    case InputSpec::Kind::user_input:
    case InputSpec::Kind::constant:
    case InputSpec::Kind::token: break;
    }
    return false;
}

std::optional<std::string> tuple_of(const std::vector<SymbolicSize>& sizes) {
    std::string text;
    for (const SymbolicSize& size : sizes) {
        const auto value = size.constant();
        if (!value) return std::nullopt;
        text += std::to_string(*value) + ", ";
    }
    if (sizes.size() != 1 && !text.empty()) text.resize(text.size() - 2);
    else if (sizes.size() == 1) text.resize(text.size() - 1);
    return '(' + text + ')';
}

/// `("data/weights/weight_0", torch.float32, (2, 3), (3, 1), 0, "cpu")`; nullopt where raw bytes do not make the tensor.
std::optional<std::string> table_row(const StoredTensor& tensor) {
    const TensorMeta& meta = tensor.meta;
    if (tensor.is_pickled || meta.layout != Layout::strided || !meta.strides) return std::nullopt;
    const auto sizes = tuple_of(meta.sizes);
    const auto strides = tuple_of(*meta.strides);
    const auto offset = meta.storage_offset.value_or(SymbolicSize(0)).constant();
    if (!sizes || !strides || !offset) return std::nullopt;
    return '(' + python_string(tensor.record) + ", torch." + std::string(torch_name(meta.dtype)) + ", " + *sizes + ", " +
           *strides + ", " + std::to_string(*offset) + ", " + python_string(meta.device.value_or("cpu")) + ')';
}

constexpr std::string_view load_body = R"(    storages = {}
    tensors = []
    with zipfile.ZipFile(path) as archive:
        entries = {entry.partition("/")[2]: entry for entry in archive.namelist()}
        for record, dtype, size, stride, offset, device in lifted_tensors:
            if (record, device) not in storages:
                data = bytearray(archive.read(entries[record]))
                flat = torch.frombuffer(data, dtype=torch.uint8) if data else torch.empty(0, dtype=torch.uint8)
                storages[record, device] = flat.to(device).untyped_storage()
            tensor = torch.empty(0, dtype=dtype, device=device)
            tensors.append(tensor.set_(storages[record, device], offset, size, stride))
    return tensors
)";

} // namespace

PythonLoader make_python_loader(const Program& program, const ProgramGraph& graph, const std::string& weights_path) {
    if (!graph.signature) return {};
    std::map<std::pair<std::string_view, std::string_view>, const StoredTensor*> by_name;
    for (const StoredTensor& tensor : program.tensors) {
        by_name.try_emplace({tensor.name, tensor.record}, &tensor);
        by_name.try_emplace({tensor.name, ""}, &tensor);
    }

    std::string rows;
    std::string unreadable;
    for (const InputSpec& spec : graph.signature->inputs) {
        if (!is_lifted(spec)) continue;
        const auto tensor = by_name.find({spec.target, spec.record});
        const auto row = tensor == by_name.end() ? std::nullopt : table_row(*tensor->second);
        if (row) rows += "    " + *row + ",  # " + python_comment(spec.target) + '\n';
        else unreadable += (unreadable.empty() ? "" : ", ") + spec.target;
    }
    const std::string head = "\n\ndef load(path=" + python_string(weights_path) + "):\n"
        "    \"\"\"Lifted parameters, buffers and constants in the order of forward's parameters: forward(*load(), *inputs).\"\"\"\n";
    if (!unreadable.empty())
        return {{}, head + "    raise NotImplementedError(" +
                        python_string("the file keeps these in a form that is not read here: " + unreadable) + ")\n"};
    if (rows.empty()) return {{}, head + "    return []\n"};
    return {"import zipfile\n",
            "\n\n# record, dtype, size, stride, offset, device\nlifted_tensors = [\n" + rows + "]\n" + head + std::string(load_body)};
}

} // namespace inspector
