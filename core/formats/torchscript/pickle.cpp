#include "core/formats/torchscript/pickle.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <unordered_map>
#include <utility>

namespace inspector::torchscript {
namespace {

/// Values of one pickle: far more than a module has.
constexpr std::size_t most_values = 20'000'000;
/// A name that stands in the pickle once can be recalled for every value: bytes of all that is copied so.
constexpr std::size_t most_copied = std::size_t(256) << 20;
constexpr std::size_t most_dimensions = 64; // what torch's tensors have

constexpr std::array<std::pair<std::string_view, DType>, 19> storages{{
    {"torch.FloatStorage", DType::f32},         {"torch.DoubleStorage", DType::f64},      {"torch.HalfStorage", DType::f16},
    {"torch.BFloat16Storage", DType::bf16},     {"torch.LongStorage", DType::i64},        {"torch.IntStorage", DType::i32},
    {"torch.ShortStorage", DType::i16},         {"torch.CharStorage", DType::i8},         {"torch.ByteStorage", DType::u8},
    {"torch.BoolStorage", DType::b8},           {"torch.ComplexFloatStorage", DType::c64}, {"torch.ComplexDoubleStorage", DType::c128},
    {"torch.ComplexHalfStorage", DType::c32},   {"torch.QInt8Storage", DType::qint8},     {"torch.QUInt8Storage", DType::quint8},
    {"torch.QInt32Storage", DType::qint32},     {"torch.UInt16Storage", DType::u16},      {"torch.UInt32Storage", DType::u32},
    {"torch.UInt64Storage", DType::u64},
}};

/// One storage that a pickle refers to, while it is read.
struct Storage { DType dtype = DType::f32; std::string key, device; std::int64_t size = 0; };

class Reader {
public:
    explicit Reader(std::string_view bytes) : bytes_(bytes) {}

    Pickle read() {
        while (true) {
            if (at_ >= bytes_.size()) fault("the pickle is cut off");
            const auto opcode = static_cast<unsigned char>(bytes_[at_++]);
            if (opcode == '.') break;
            step(opcode);
        }
        pickle_.root = pop();
        return std::move(pickle_);
    }

private:
    [[noreturn]] void fault(std::string reason) const { throw Error{{}, "byte " + std::to_string(at_), std::move(reason)}; }

    // --- bytes -------------------------------------------------------------------------------------------------------

    std::string_view take(std::size_t count) {
        if (count > bytes_.size() - at_) fault("the pickle is cut off");
        const std::string_view taken = bytes_.substr(at_, count);
        at_ += count;
        return taken;
    }
    template <typename Integer> Integer number() {
        Integer value = 0;
        const std::string_view taken = take(sizeof value);
        for (std::size_t i = sizeof value; i-- > 0;)
            value = static_cast<Integer>((static_cast<std::uint64_t>(value) << 8) | static_cast<unsigned char>(taken[i]));
        return value;
    }
    std::string_view line() {
        const auto end = bytes_.find('\n', at_);
        if (end == bytes_.npos) fault("the pickle is cut off");
        const std::string_view text = bytes_.substr(at_, end - at_);
        at_ = end + 1;
        return text;
    }

    // --- the stack ---------------------------------------------------------------------------------------------------

    void push(PickleId id) { stack_.push_back(id); }
    PickleId make(PickleValue value) {
        if (pickle_.values.size() >= most_values) fault("the pickle has more than " + std::to_string(most_values) + " values");
        pickle_.values.push_back(std::move(value));
        return PickleId(static_cast<std::uint32_t>(pickle_.values.size() - 1));
    }
    void add(PickleValue value) { push(make(std::move(value))); }
    PickleId pop() {
        if (stack_.empty() || (!marks_.empty() && stack_.size() == marks_.back())) fault("takes a value that is not there");
        const PickleId id = stack_.back();
        stack_.pop_back();
        return id;
    }
    PickleId last() const {
        if (stack_.empty()) fault("takes a value that is not there");
        return stack_.back();
    }
    std::vector<PickleId> since_mark() {
        if (marks_.empty() || marks_.back() > stack_.size()) fault("takes a mark that is not there");
        const auto start = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
        std::vector<PickleId> items(start, stack_.end());
        stack_.erase(start, stack_.end());
        marks_.pop_back();
        return items;
    }
    /// Counts what is copied from one value into another.
    const std::string& copied(const std::string& text) {
        copied_ += text.size();
        if (copied_ > most_copied) fault("names that are recalled take more than " + std::to_string(most_copied) + " bytes");
        return text;
    }
    PickleValue& value(PickleId id) { return pickle_.values[static_cast<std::uint32_t>(id)]; }
    template <typename Kind> Kind& as(PickleId id, std::string_view what) {
        Kind* found = std::get_if<Kind>(&value(id));
        if (!found) fault("takes something for " + std::string(what) + " that is none");
        return *found;
    }

    void add_tuple(std::size_t count) {
        PickledList list;
        list.is_tuple = true;
        list.items.resize(count);
        for (std::size_t i = count; i-- > 0;) list.items[i] = pop();
        add(std::move(list));
    }

    // --- opcodes -----------------------------------------------------------------------------------------------------

    void step(unsigned char opcode) {
        switch (opcode) {
        case 0x80: take(1); return;                                                   // PROTO
        case 0x95: take(8); return;                                                   // FRAME
        case 'N': return add(std::monostate{});
        case 0x88: return add(true);
        case 0x89: return add(false);
        case 'K': return add(std::int64_t(number<std::uint8_t>()));                   // BININT1
        case 'M': return add(std::int64_t(number<std::uint16_t>()));                  // BININT2
        case 'J': return add(std::int64_t(static_cast<std::int32_t>(number<std::uint32_t>()))); // BININT
        case 0x8A: return add_long();
        case 'G': return add_float();
        case 'X': return add(std::string(take(number<std::uint32_t>())));             // BINUNICODE
        case 0x8C: return add(std::string(take(number<std::uint8_t>())));             // SHORT_BINUNICODE
        case ']': return add(PickledList{});
        case '}': return add(PickledDict{});
        case ')': return add_tuple(0);
        case 0x85: return add_tuple(1);
        case 0x86: return add_tuple(2);
        case 0x87: return add_tuple(3);
        case '(': marks_.push_back(stack_.size()); return;
        case 't': { PickledList tuple; tuple.items = since_mark(); tuple.is_tuple = true; return add(std::move(tuple)); }
        case 'l': { PickledList list; list.items = since_mark(); return add(std::move(list)); }
        case 'a': { const PickleId item = pop(); as<PickledList>(last(), "a list").items.push_back(item); return; }
        case 'e': {
            const std::vector<PickleId> items = since_mark();
            auto& list = as<PickledList>(last(), "a list").items;
            list.insert(list.end(), items.begin(), items.end());
            return;
        }
        case 's': { const PickleId item = pop(), key = pop(); set_items(last(), {key, item}); return; }
        case 'u': { const std::vector<PickleId> items = since_mark(); set_items(last(), items); return; }
        case 'c': { const std::string_view module = line(), name = line(); return add(PickledGlobal{std::string(module) + "." + std::string(name)}); }
        case 'q': memo_[number<std::uint8_t>()] = last(); return;                     // BINPUT
        case 'r': memo_[number<std::uint32_t>()] = last(); return;                    // LONG_BINPUT
        case 0x94: memo_[static_cast<std::uint32_t>(memo_.size())] = last(); return;  // MEMOIZE
        case 'h': return recall(number<std::uint8_t>());
        case 'j': return recall(number<std::uint32_t>());
        case '0': (void)pop(); return;
        case 0x81: { (void)pop(); const PickleId type = pop(); return add(PickledObject{copied(as<PickledGlobal>(type, "a class").name), std::nullopt}); }
        case 'b': return build();
        case 'R': return reduce();
        case 'Q': return persistent();
        default: fault("the opcode " + std::to_string(opcode) + " is none that a TorchScript archive has");
        }
    }

    void recall(std::uint32_t place) {
        const auto known = memo_.find(place);
        if (known == memo_.end()) fault("recalls a value that was not kept");
        push(known->second);
    }

    void add_long() {
        const std::size_t count = number<std::uint8_t>();
        if (count > 8) fault("an integer has more than 64 bits");
        const std::string_view digits = take(count);
        std::uint64_t bits = count > 0 && (digits.back() & 0x80) ? ~std::uint64_t(0) : 0;
        for (std::size_t i = count; i-- > 0;) bits = (bits << 8) | static_cast<unsigned char>(digits[i]);
        add(static_cast<std::int64_t>(bits));
    }

    void add_float() {
        std::uint64_t bits = 0;
        for (const char byte : take(8)) bits = (bits << 8) | static_cast<unsigned char>(byte);
        add(std::bit_cast<double>(bits));
    }

    void set_items(PickleId target, const std::vector<PickleId>& items) {
        if (items.size() % 2 != 0) fault("a key has no value");
        PickledDict* dict = std::get_if<PickledDict>(&value(target));
        if (!dict) {
            if (std::get_if<PickledUnknown>(&value(target))) return;
            fault("takes something for a dictionary that is none");
        }
        for (std::size_t i = 0; i < items.size(); i += 2) dict->items.emplace_back(items[i], items[i + 1]);
    }

    void build() {
        const PickleId state = pop();
        if (auto* object = std::get_if<PickledObject>(&value(last()))) object->state = state;
        else if (!std::get_if<PickledUnknown>(&value(last()))) fault("gives a state to what has none");
    }

    // --- what torch's functions would make -----------------------------------------------------------------------------

    void reduce() {
        const PickleId args = pop();
        const PickleId function = pop();
        const std::string name = copied(as<PickledGlobal>(function, "a function").name);
        const std::vector<PickleId>& given = as<PickledList>(args, "arguments").items; // until a value is added
        if (name == "torch._utils._rebuild_tensor_v2" || name == "torch._utils._rebuild_tensor") return rebuild_tensor(given);
        // These return what they are given.
        if ((name == "torch._utils._rebuild_parameter" || name == "torch.jit._pickle.restore_type_tag") && !given.empty()) return push(given[0]);
        if (name.starts_with("torch.jit._pickle.build_") && !given.empty() && name != "torch.jit._pickle.build_tensor_from_id") return push(given[0]);
        if (name == "collections.OrderedDict") return add(PickledDict{});
        add(PickledUnknown{name});
    }

    void persistent() {
        const PickleId id = pop();
        const std::vector<PickleId>& parts = as<PickledList>(id, "a storage").items; // until a value is added
        if (parts.size() < 5) fault("takes something for a storage that is none");
        const std::string& type = as<PickledGlobal>(parts[1], "a storage's type").name;
        const auto known = std::ranges::find(storages, std::string_view(type), &std::pair<std::string_view, DType>::first);
        if (known == storages.end()) fault("a storage has the unknown type " + type);
        Storage storage{known->second, copied(as<std::string>(parts[2], "a record's name")), copied(as<std::string>(parts[3], "a device")),
                        as<std::int64_t>(parts[4], "a storage's size")};
        if (storage.size < 0) fault("a storage has a negative size");
        add(PickledUnknown{"storage"});
        storages_.insert_or_assign(static_cast<std::uint32_t>(stack_.back()), std::move(storage));
    }

    std::vector<SymbolicSize> sizes(PickleId id) {
        std::vector<SymbolicSize> result;
        const std::vector<PickleId>& items = as<PickledList>(id, "a tensor's sizes").items;
        if (items.size() > most_dimensions) fault("a tensor has more than " + std::to_string(most_dimensions) + " dimensions");
        for (const PickleId item : items) {
            const std::int64_t size = as<std::int64_t>(item, "a size");
            if (size < 0) fault("a tensor has a negative size or stride");
            result.emplace_back(size);
        }
        return result;
    }

    /// (storage, offset, sizes, strides, requires_grad, hooks)
    void rebuild_tensor(const std::vector<PickleId>& args) {
        if (args.size() < 4) fault("takes something for a tensor that is none");
        const auto found = storages_.find(static_cast<std::uint32_t>(args[0]));
        if (found == storages_.end()) fault("takes something for a storage that is none");
        const Storage& storage = found->second;
        PickledTensor tensor;
        tensor.storage = copied(storage.key);
        tensor.storage_size = storage.size;
        tensor.meta.dtype = storage.dtype;
        tensor.meta.device = copied(storage.device);
        const std::int64_t offset = as<std::int64_t>(args[1], "an offset");
        tensor.meta.storage_offset = offset;
        tensor.meta.sizes = sizes(args[2]);
        tensor.meta.strides = sizes(args[3]);
        if (args.size() > 4) tensor.meta.requires_grad = std::get_if<bool>(&value(args[4])) && std::get<bool>(value(args[4]));
        if (offset < 0 || tensor.meta.sizes.size() != tensor.meta.strides->size()) fault("a tensor's sizes, strides and offset do not fit");
        if (!fits(tensor.meta, offset, storage.size)) fault("a tensor reaches beyond its storage of " + std::to_string(storage.size) + " elements");
        add(std::move(tensor));
    }

    static bool fits(const TensorMeta& meta, std::int64_t offset, std::int64_t size) {
        std::int64_t last = offset;
        for (std::size_t i = 0; i < meta.sizes.size(); ++i) {
            const std::int64_t count = *meta.sizes[i].constant();
            std::int64_t step = 0;
            if (count == 0) return true;
            if (__builtin_mul_overflow(count - 1, *(*meta.strides)[i].constant(), &step) || __builtin_add_overflow(last, step, &last)) return false;
        }
        return last < size;
    }

    std::string_view bytes_;
    std::size_t at_ = 0, copied_ = 0;
    Pickle pickle_;
    std::vector<PickleId> stack_;
    std::vector<std::size_t> marks_;
    std::unordered_map<std::uint32_t, PickleId> memo_;
    std::unordered_map<std::uint32_t, Storage> storages_; ///< by value
};

} // namespace

Result<Pickle> read_pickle(std::string_view bytes) {
    try {
        return Reader(bytes).read();
    } catch (Error& error) {
        return tl::unexpected(std::move(error));
    }
}

} // namespace inspector::torchscript
