#include "core/formats/torchscript/archived_state.h"

#include <algorithm>
#include <utility>

#include "core/formats/reader_notes.h"
#include "core/formats/torchscript/pickle.h"

namespace inspector::torchscript {
namespace {

/// Attributes in all: modules that share one another can have very many paths.
constexpr std::size_t most_attributes = 1'000'000;
/// Bytes of their paths and texts: a long name can stand in very many of them.
constexpr std::size_t most_text = std::size_t(256) << 20;

Result<Pickle> unpickle(const pt2::Archive& archive, const std::string& record, std::uint64_t limit) {
    const auto bytes = archive.read(record, limit);
    if (!bytes) return tl::unexpected(bytes.error());
    auto pickle = read_pickle(*bytes);
    if (!pickle) pickle.error().place = record + ", " + pickle.error().place;
    return pickle;
}

StoredTensor stored(const std::string& name, const PickledTensor& tensor, const std::string& folder) {
    StoredTensor result;
    result.name = name;
    result.record = folder + tensor.storage;
    result.is_parameter = tensor.meta.requires_grad.value_or(false);
    result.meta = tensor.meta;
    return result;
}

class StateReader {
public:
    StateReader(const Pickle& pickle, std::uint32_t depth, Program& program, ModuleState& state)
        : pickle_(pickle), most_(depth), program_(program), state_(state) {}

    Result<void> object(const std::string& path, const PickledObject& object) {
        if (++depth_ > most_) return fail("data.pkl", "modules are nested deeper than " + std::to_string(most_));
        if ((text_ += path.size() + object.class_name.size()) > most_text)
            return fail("data.pkl", "the paths and texts of the attributes take more than " + std::to_string(most_text) + " bytes");
        state_.objects[path] = object.class_name;
        const auto* attributes = object.state ? std::get_if<PickledDict>(&pickle_[*object.state]) : nullptr;
        if (!attributes) {
            add_note(program_, (path.empty() ? "the module" : path) + " keeps its state by __setstate__ of " + object.class_name +
                                   ", which is not run: its attributes are not known");
            --depth_;
            return {};
        }
        for (const auto& [key, value] : attributes->items) {
            const auto* name = std::get_if<std::string>(&pickle_[key]);
            if (!name) return fail("data.pkl", "an attribute of " + object.class_name + " has no name");
            if (++count_ > most_attributes) return fail("data.pkl", "there are more than " + std::to_string(most_attributes) + " attributes");
            if (auto done = attribute(path.empty() ? *name : path + "." + *name, value); !done) return done;
        }
        --depth_;
        return {};
    }

private:
    Result<void> attribute(const std::string& path, PickleId id) {
        const PickleValue& value = pickle_[id];
        if ((text_ += path.size()) > most_text)
            return fail("data.pkl", "the paths and texts of the attributes take more than " + std::to_string(most_text) + " bytes");
        if (const auto* inner = std::get_if<PickledObject>(&value)) return object(path, *inner);
        if (const auto* tensor = std::get_if<PickledTensor>(&value)) state_.tensors[path] = stored(path, *tensor, "data/");
        else if (auto plain = argument(id, 0)) state_.plain[path] = std::move(*plain);
        return {};
    }

    std::optional<Argument> argument(PickleId id, std::uint32_t depth) {
        const PickleValue& value = pickle_[id];
        if (std::holds_alternative<std::monostate>(value)) return Argument(None{});
        if (const auto* flag = std::get_if<bool>(&value)) return Argument(*flag);
        if (const auto* integer = std::get_if<std::int64_t>(&value)) return Argument(*integer);
        if (const auto* real = std::get_if<double>(&value)) return Argument(*real);
        if (const auto* text = std::get_if<std::string>(&value)) {
            if ((text_ += text->size()) > most_text) return std::nullopt;
            return Argument(*text);
        }
        const auto* list = std::get_if<PickledList>(&value);
        if (!list || depth > most_ || (converted_ += list->items.size()) > most_attributes) return std::nullopt;
        ArgumentList result;
        result.kind = list->is_tuple ? ArgumentList::Kind::tuple : ArgumentList::Kind::list;
        for (const PickleId item : list->items) {
            auto inner = argument(item, depth + 1);
            if (!inner) return std::nullopt;
            result.items.push_back(std::move(*inner));
        }
        return Argument(std::move(result));
    }

    const Pickle& pickle_;
    std::uint32_t most_, depth_ = 0;
    std::size_t count_ = 0, converted_ = 0, text_ = 0;
    Program& program_;
    ModuleState& state_;
};

/// What a traced size is multiplied with is a tensor of one number: sizes of later tensors depend on it.
std::optional<std::int64_t> number_in(const pt2::Archive& archive, const StoredTensor& tensor) {
    constexpr std::size_t bytes = sizeof(std::int64_t);
    if (tensor.is_pickled || tensor.meta.dtype != DType::i64 || !tensor.meta.sizes.empty()) return std::nullopt;
    if (tensor.meta.storage_offset != SymbolicSize(0) || archive.size(tensor.record) != bytes) return std::nullopt;
    const auto content = archive.read(tensor.record, bytes);
    if (!content) return std::nullopt;
    std::uint64_t value = 0;
    for (std::size_t i = bytes; i-- > 0;) value = (value << 8) | static_cast<unsigned char>((*content)[i]);
    return static_cast<std::int64_t>(value);
}

/// {"forward": [inputs of the last trace]}; anything else is passed over.
void read_traced_inputs(const Pickle& pickle, ModuleState& state) {
    const auto* methods = std::get_if<PickledDict>(&pickle.top());
    if (!methods) return;
    for (const auto& [key, value] : methods->items) {
        const auto* name = std::get_if<std::string>(&pickle[key]);
        const auto* inputs = std::get_if<PickledList>(&pickle[value]);
        if (!name || *name != "forward" || !inputs) continue;
        for (const PickleId input : inputs->items)
            if (const auto* tensor = std::get_if<PickledTensor>(&pickle[input])) state.traced_inputs.push_back(tensor->meta);
    }
}

} // namespace

Result<ModuleState> read_state(const pt2::Archive& archive, std::uint32_t depth, std::uint64_t limit, Program& program) {
    ModuleState state;
    const auto data = unpickle(archive, "data.pkl", limit);
    if (!data) return tl::unexpected(data.error());
    const auto* module = std::get_if<PickledObject>(&data->top());
    if (!module) return fail("data.pkl", "holds no module");
    if (auto done = StateReader(*data, depth, program, state).object("", *module); !done) return tl::unexpected(done.error());

    const auto constants = unpickle(archive, "constants.pkl", limit);
    if (!constants) return tl::unexpected(constants.error());
    if (const auto* list = std::get_if<PickledList>(&constants->top()))
        for (const PickleId item : list->items) {
            const std::string name = "CONSTANTS.c" + std::to_string(state.constants.size());
            if (const auto* tensor = std::get_if<PickledTensor>(&(*constants)[item])) state.constants.push_back(stored(name, *tensor, "constants/"));
            else {
                StoredTensor other;
                other.name = name;
                other.is_pickled = true;
                state.constants.push_back(std::move(other));
            }
        }
    for (std::size_t i = 0; i < state.constants.size(); ++i)
        if (const auto number = number_in(archive, state.constants[i])) state.constant_numbers[i] = *number;
    for (const StoredTensor& tensor : state.constants)
        if (!tensor.is_pickled && !archive.contains(tensor.record)) return fail(tensor.record, "is missing in the archive");
    for (const auto& [path, tensor] : state.tensors)
        if (!archive.contains(tensor.record)) return fail(tensor.record, "is missing in the archive");

    if (archive.contains("traced_inputs.pkl"))
        if (const auto traced = unpickle(archive, "traced_inputs.pkl", limit)) read_traced_inputs(*traced, state);
    return state;
}

} // namespace inspector::torchscript
