#include "core/graph/name_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace inspector {
namespace {

// Python 3.11's keywords and builtins, and the names every FX module imports. Sorted.
constexpr std::array<std::string_view, 196> reserved_names{
    "ArithmeticError", "AssertionError", "AttributeError", "BaseException", "BaseExceptionGroup",
    "BlockingIOError", "BrokenPipeError", "BufferError", "BytesWarning", "ChildProcessError",
    "ConnectionAbortedError", "ConnectionError", "ConnectionRefusedError", "ConnectionResetError",
    "DeprecationWarning", "EOFError", "Ellipsis", "EncodingWarning", "EnvironmentError", "Exception",
    "ExceptionGroup", "False", "FileExistsError", "FileNotFoundError", "FloatingPointError", "FutureWarning",
    "GeneratorExit", "IOError", "ImportError", "ImportWarning", "IndentationError", "IndexError",
    "InterruptedError", "IsADirectoryError", "KeyError", "KeyboardInterrupt", "LookupError", "MemoryError",
    "ModuleNotFoundError", "NameError", "None", "NoneType", "NotADirectoryError", "NotImplemented",
    "NotImplementedError", "OSError", "OverflowError", "PendingDeprecationWarning", "PermissionError",
    "ProcessLookupError", "RecursionError", "ReferenceError", "ResourceWarning", "RuntimeError", "RuntimeWarning",
    "StopAsyncIteration", "StopIteration", "SyntaxError", "SyntaxWarning", "SystemError", "SystemExit", "TabError",
    "TimeoutError", "True", "TypeError", "UnboundLocalError", "UnicodeDecodeError", "UnicodeEncodeError",
    "UnicodeError", "UnicodeTranslateError", "UnicodeWarning", "UserWarning", "ValueError", "Warning",
    "ZeroDivisionError", "__build_class__", "__debug__", "__doc__", "__import__", "__loader__", "__name__",
    "__package__", "__spec__", "abs", "aiter", "all", "and", "anext", "any", "as", "ascii", "assert", "async",
    "await", "bin", "bool", "break", "breakpoint", "bytearray", "bytes", "callable", "chr", "class", "classmethod",
    "compile", "complex", "continue", "copyright", "credits", "def", "del", "delattr", "device", "dict", "dir",
    "divmod", "elif", "else", "enumerate", "eval", "except", "exec", "exit", "filter", "finally", "float", "for",
    "format", "from", "frozenset", "fx_pytree", "getattr", "global", "globals", "hasattr", "hash", "help", "hex",
    "id", "if", "import", "in", "inf", "input", "int", "is", "isinstance", "issubclass", "iter", "lambda", "len",
    "license", "list", "locals", "map", "max", "memoryview", "min", "nan", "next", "nonlocal", "not", "object",
    "oct", "open", "or", "ord", "pass", "pow", "print", "property", "pytree", "quit", "raise", "range", "repr",
    "return", "reversed", "round", "set", "setattr", "slice", "sorted", "staticmethod", "str", "sum", "super",
    "torch", "try", "tuple", "type", "vars", "while", "with", "yield", "zip",
};

bool is_reserved(std::string_view name) { return std::ranges::binary_search(reserved_names, name); }

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_character(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// "add_12" is base "add" and number 12; "add" and "_12" have no number.
struct NumberedName {
    std::string_view base;
    std::optional<std::uint64_t> number;
};

NumberedName split_number(std::string_view name) {
    std::size_t digits = name.size();
    while (digits > 0 && is_digit(name[digits - 1])) --digits;
    if (digits == name.size() || digits < 2 || name[digits - 1] != '_') return {name, std::nullopt};
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(name.data() + digits, name.data() + name.size(), number);
    // A number that leaves no room to count on belongs to the name.
    if (error != std::errc{} || number > std::uint64_t{1} << 62U) return {name, std::nullopt};
    return {name.substr(0, digits - 1), number};
}

std::string to_identifier(std::string_view candidate) {
    std::string name;
    name.reserve(candidate.size() + 1);
    bool in_illegal_run = false;
    for (const char c : candidate) {
        if (is_name_character(c)) name += c;
        else if (!in_illegal_run) name += '_';
        in_illegal_run = !is_name_character(c);
    }
    if (name.empty()) return "_unnamed";
    if (is_digit(name.front())) name.insert(name.begin(), '_');
    return name;
}

} // namespace

std::size_t NameTable::slot_of(std::string_view text, std::uint32_t hash) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    for (; slots_[at].entry != 0; at = (at + 1) & mask)
        if (slots_[at].hash == hash && names_[slots_[at].entry - 1].text == text) break;
    return at;
}

const NameTable::Name* NameTable::find(std::string_view text) const {
    const std::uint32_t entry = slots_[slot_of(text, hash_of(text))].entry;
    return entry == 0 ? nullptr : &names_[entry - 1];
}

NameTable::Name* NameTable::find(std::string_view text) { return const_cast<Name*>(std::as_const(*this).find(text)); }

void NameTable::grow() {
    const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots_.size() * 2));
    const std::size_t mask = slots_.size() - 1;
    std::vector<std::uint32_t> hashes(names_.size());
    for (const Slot& slot : old)
        if (slot.entry != 0) hashes[slot.entry - 1] = slot.hash;
    // In the order of names_, so that the last name stands at the end of its probe sequence.
    for (std::uint32_t i = 0; i < names_.size(); ++i) {
        std::size_t at = hashes[i] & mask;
        while (slots_[at].entry != 0) at = (at + 1) & mask;
        slots_[at] = {i + 1, hashes[i]};
    }
}

NodeId NameTable::owner(std::string_view name) const {
    const Name* found = find(name);
    return found ? found->owner : no_node;
}

NameTable::Taken NameTable::take(const std::string& name, NodeId id) {
    Taken taken;
    const std::uint32_t hash = hash_of(name);
    if (Slot& slot = slots_[slot_of(name, hash)]; slot.entry != 0) {
        NodeId& owner = names_[slot.entry - 1].owner;
        taken.was_known = true;
        taken.previous_owner = owner;
        if (owner == no_node) owner = id;
    } else {
        names_.push_back({name, id});
        slot = {static_cast<std::uint32_t>(names_.size()), hash};
        if (names_.size() * 2 > slots_.size()) grow();
    }
    if (const NumberedName parts = split_number(name); parts.number) {
        const auto [count, is_first] = counts_.try_emplace(std::string(parts.base), *parts.number);
        if (!is_first) {
            taken.previous_count = count->second;
            count->second = *parts.number;
        }
        taken.counted = true;
    }
    return taken;
}

void NameTable::take_back(const std::string& name, const Taken& taken) {
    Slot& slot = slots_[slot_of(name, hash_of(name))];
    if (taken.was_known) {
        names_[slot.entry - 1].owner = taken.previous_owner;
    } else {
        slot = {};
        names_.pop_back();
    }
    if (!taken.counted) return;
    const auto count = counts_.find(split_number(name).base);
    if (taken.previous_count) count->second = *taken.previous_count;
    else counts_.erase(count);
}

void NameTable::release(const std::string& name, NodeId id) {
    if (Name* found = find(name); found && found->owner == id) found->owner = no_node;
}

void NameTable::restore(const std::string& name, NodeId id) {
    if (Name* found = find(name); found && found->owner == no_node) found->owner = id;
}

std::string NameTable::fresh(std::string_view candidate) const {
    std::string name = to_identifier(candidate);
    const NumberedName parts = split_number(name);
    const std::string base(parts.base);
    std::uint64_t number = parts.number.value_or(0);
    if (!parts.number || find(name)) {
        const auto count = counts_.find(base);
        number = count == counts_.end() ? 0 : count->second;
        if (is_reserved(name)) name = base + "_" + std::to_string(++number);
    }
    while (find(name)) name = base + "_" + std::to_string(++number);
    return name;
}

} // namespace inspector
