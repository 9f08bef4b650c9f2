#include "core/formats/python/python_literal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "core/formats/python/python_target.h"
#include "core/graph/utf8.h"
#include "core/graph/python_repr.h"

namespace inspector {
namespace {

constexpr std::array<std::string_view, 35> keywords{
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",  "class", "continue", "def",
    "del",   "elif",     "else",  "except", "finally", "for", "from",   "global",   "if",     "import", "in",      "is",
    "lambda", "nonlocal", "not",  "or",     "pass", "raise",  "return", "try",      "while",  "with",  "yield",
};

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

void append_escaped(std::string& out, char32_t value) {
    std::array<char, 12> buffer{};
    const auto code = static_cast<unsigned>(value);
    const char* format = code < 0x100 ? "\\x%02x" : code < 0x10000 ? "\\u%04x" : "\\U%08x";
    std::snprintf(buffer.data(), buffer.size(), format, code);
    out += buffer.data();
}

std::string ascii(std::string_view text, bool escape_quotes) {
    std::string out;
    for (std::size_t position = 0; position < text.size();) {
        const CodePoint point = decode_utf8(text, position);
        position += point.bytes;
        if (point.value == '\n') out += "\\n";
        else if (point.value < 0x20 || point.value >= 0x7F) append_escaped(out, point.value);
        else {
            if (escape_quotes && (point.value == '"' || point.value == '\\')) out += '\\';
            out += static_cast<char>(point.value);
        }
    }
    return out;
}

std::string_view python_name(Layout layout) {
    switch (layout) {
    case Layout::strided: return "torch.strided";
    case Layout::sparse_coo: return "torch.sparse_coo";
    case Layout::sparse_csr: return "torch.sparse_csr";
    case Layout::sparse_csc: return "torch.sparse_csc";
    case Layout::sparse_bsr: return "torch.sparse_bsr";
    case Layout::sparse_bsc: return "torch.sparse_bsc";
    case Layout::mkldnn: return "torch._mkldnn";
    case Layout::jagged: return "torch.jagged";
    }
    return "torch.strided";
}

std::string_view python_name(MemoryFormat format) {
    switch (format) {
    case MemoryFormat::contiguous: return "torch.contiguous_format";
    case MemoryFormat::channels_last: return "torch.channels_last";
    case MemoryFormat::channels_last_3d: return "torch.channels_last_3d";
    case MemoryFormat::preserve: return "torch.preserve_format";
    }
    return "torch.contiguous_format";
}

} // namespace

std::string python_string(std::string_view text) { return '"' + ascii(text, true) + '"'; }

std::string python_comment(std::string_view text) { return ascii(text, false); }

std::string python_float(double value) {
    if (std::isnan(value)) return "float(\"nan\")";
    if (std::isinf(value)) return value > 0 ? "float(\"inf\")" : "float(\"-inf\")";
    return python_repr(value);
}

bool is_python_identifier(std::string_view name) {
    return !name.empty() && is_letter(name.front()) &&
           std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

bool is_python_keyword(std::string_view name) {
    return std::find(keywords.begin(), keywords.end(), name) != keywords.end();
}

std::string python_identifier(std::string_view name) {
    std::string identifier;
    if (name.empty() || is_digit(name.front())) identifier += '_';
    for (const char c : name) identifier += is_letter(c) || is_digit(c) ? c : '_';
    if (is_python_keyword(identifier) || identifier == "__debug__") identifier += '_';
    return identifier;
}

Result<std::string> python_constant(const Argument& argument) {
    struct Writer {
        Result<std::string> operator()(const None&) const { return "None"; }
        Result<std::string> operator()(bool value) const { return value ? "True" : "False"; }
        Result<std::string> operator()(std::int64_t value) const { return std::to_string(value); }
        Result<std::string> operator()(double value) const { return python_float(value); }
        Result<std::string> operator()(const std::complex<double>& value) const {
            return "complex(" + python_float(value.real()) + ", " + python_float(value.imag()) + ")";
        }
        Result<std::string> operator()(const std::string& value) const { return python_string(value); }
        Result<std::string> operator()(DType value) const { return "torch." + std::string(torch_name(value)); }
        Result<std::string> operator()(const DeviceName& value) const {
            return "torch.device(" + python_string(value.text) + ")";
        }
        Result<std::string> operator()(Layout value) const { return std::string(python_name(value)); }
        Result<std::string> operator()(MemoryFormat value) const { return std::string(python_name(value)); }
        Result<std::string> operator()(const SymbolicSize& value) const {
            if (const auto constant = value.constant()) return std::to_string(*constant);
            return fail({}, "the symbolic size " + value.to_string() + " is no value of the graph");
        }
        Result<std::string> operator()(const OpaqueText& value) const {
            if (value.text == "..." || value.text == "Ellipsis") return "...";
            if (auto target = python_function(value.text)) return *target;
            if (auto target = python_operator(value.text)) return *target;
            return fail({}, "the argument " + one_line(value.text) + " has no form in Python that this program knows");
        }
        Result<std::string> operator()(const NodeReference&) const { return fail({}, "a reference is no constant"); }
        Result<std::string> operator()(const ArgumentList&) const { return fail({}, "a list is no constant"); }
        Result<std::string> operator()(const ArgumentDict&) const { return fail({}, "a dictionary is no constant"); }
    };
    return std::visit(Writer{}, argument.value);
}

} // namespace inspector
