// A recorded call of an operator on fake tensors: one JSON object a line, written by tests/data/operators/make_meta_cases.py.
//
//     {"op": "aten.add.Tensor", "a": [{"T": ["float32", [2, 3], [3, 1], 0, 1]}, 2], "k": {}, "r": {"T": […]}}
//
// A tensor is dtype, sizes, strides, offset, storage (numbered within the case, so that a result's number tells whether
// it aliases an argument) and, where set, flags "c" conjugated, "n" negated.
#pragma once

#include <algorithm>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "core/operators/infer.h"
#include "core/operators/operator_table.h"

namespace inspector {

inline Argument constant_of(const nlohmann::json& j) {
    if (j.is_null()) return None{};
    if (j.is_boolean()) return j.get<bool>();
    if (j.is_number_integer()) return j.get<std::int64_t>();
    if (j.is_number()) return j.get<double>();
    if (j.is_string()) return j.get<std::string>();
    if (j.contains("f")) return std::stod(j["f"].get<std::string>());
    if (j.contains("c")) return std::complex<double>(j["c"][0].get<double>(), j["c"][1].get<double>());
    if (j.contains("dtype")) return dtype_from_torch_name(j["dtype"].get<std::string>()).value();
    if (j.contains("device")) return DeviceName{j["device"].get<std::string>()};
    if (j.contains("layout")) return Layout::strided; // nothing else is recorded
    const std::string format = j.at("memory_format").get<std::string>();
    if (format == "channels_last") return MemoryFormat::channels_last;
    if (format == "channels_last_3d") return MemoryFormat::channels_last_3d;
    return format == "contiguous_format" ? MemoryFormat::contiguous : MemoryFormat::preserve;
}

/// `storages` maps the case's numbers to the executor's ids.
inline MetaValue meta_of(const nlohmann::json& j, std::map<int, StorageId>& storages, MetaExecutor& executor) {
    if (j.is_array()) {
        MetaList list;
        for (const auto& item : j) list.push_back(meta_of(item, storages, executor));
        return {list};
    }
    if (!j.is_object() || !j.contains("T")) return {constant_of(j)};
    const auto& t = j["T"];
    StorageId& storage = storages[t[4].get<int>()];
    if (storage == 0) storage = executor.new_storage();
    const std::string flags = t.size() > 5 ? t[5].get<std::string>() : std::string();
    return {TensorLayout{dtype_from_torch_name(t[0].get<std::string>()).value(), t[1].get<std::vector<std::int64_t>>(),
                         t[2].get<std::vector<std::int64_t>>(), t[3].get<std::int64_t>(), "cpu", storage,
                         flags.find('c') != std::string::npos, flags.find('n') != std::string::npos}};
}

/// As the cases write it; storages by the case's numbers, which `storages` learns for new ones in order of appearance.
inline nlohmann::json json_of(const MetaValue& value, std::map<StorageId, int>& storages) {
    if (const auto* layout = std::get_if<TensorLayout>(&value.value)) {
        const int next = static_cast<int>(storages.size()) + 1;
        const int number = storages.try_emplace(layout->storage, next).first->second;
        nlohmann::json t{torch_name(layout->dtype), layout->sizes, layout->strides, layout->storage_offset, number};
        const std::string flags = std::string(layout->conjugated ? "c" : "") + (layout->negated ? "n" : "");
        if (!flags.empty()) t.push_back(flags);
        return {{"T", t}};
    }
    if (const auto* list = std::get_if<MetaList>(&value.value)) {
        auto out = nlohmann::json::array();
        for (const MetaValue& item : *list) out.push_back(json_of(item, storages));
        return out;
    }
    if (const auto* constant = std::get_if<Argument>(&value.value)) {
        if (const auto* number = constant->as<std::int64_t>()) return *number;
        if (const auto* number = constant->as<double>()) return *number;
        if (const auto* flag = constant->as<bool>()) return *flag;
        if (const auto* text = constant->as<std::string>()) return *text;
        if (const auto* items = constant->as<ArgumentList>()) {
            auto out = nlohmann::json::array();
            for (const Argument& item : items->items) out.push_back(json_of({item}, storages));
            return out;
        }
    }
    return nullptr;
}

/// Strides that place no cell say nothing: those of dimensions of size 1, and all of a tensor without cells.
inline nlohmann::json without_idle_strides(nlohmann::json j) {
    if (j.is_array())
        for (auto& item : j) item = without_idle_strides(item);
    if (!j.is_object() || !j.contains("T")) return j;
    auto& sizes = j["T"][1];
    auto& strides = j["T"][2];
    const bool is_empty = std::find(sizes.begin(), sizes.end(), 0) != sizes.end();
    for (std::size_t i = 0; i < sizes.size(); ++i)
        if (is_empty || sizes[i] == 1) strides[i] = 0;
    return j;
}

struct Difference {
    bool refused = false; ///< the executor answered with an error
    std::string found;    ///< its result or error; empty when it gives what was recorded
};

inline Difference difference(const nlohmann::json& recorded) {
    const std::string target = recorded["op"].get<std::string>();
    const Operator* op = OperatorTable::instance().find(target);
    if (!op) return {true, "unknown operator"};
    MetaExecutor executor;
    std::map<int, StorageId> storages;
    std::vector<MetaValue> args;
    std::vector<std::pair<std::string, MetaValue>> kwargs;
    for (const auto& argument : recorded["a"]) args.push_back(meta_of(argument, storages, executor));
    for (const auto& [name, argument] : recorded["k"].items())
        kwargs.emplace_back(name, meta_of(argument, storages, executor));

    const auto result = executor.run(*op, args, kwargs);
    if (!result) return {true, result.error().message()};
    std::map<StorageId, int> numbers;
    for (const auto& [number, id] : storages) numbers[id] = number;
    const auto got = json_of(*result, numbers);
    if (without_idle_strides(got) == without_idle_strides(recorded["r"])) return {};
    return {false, got.dump()};
}

} // namespace inspector
