#include "core/passes/reinplace/inductor/buffers.h"

#include <unordered_map>

// BUFFER_LIST_FILE is the file's path, given by CMake, which also rebuilds this source when the file changes.
__asm__(".section .rodata\n"
        ".global inspector_buffer_list_begin\n"
        ".global inspector_buffer_list_end\n"
        "inspector_buffer_list_begin:\n"
        ".incbin \"" BUFFER_LIST_FILE "\"\n"
        "inspector_buffer_list_end:\n"
        ".byte 0\n"
        ".previous\n");

extern "C" const char inspector_buffer_list_begin[];
extern "C" const char inspector_buffer_list_end[];

namespace inspector {
namespace {

struct Buffers {
    bool result = false;
    bool inputs = false;
};

/// Looked up, never walked. Lines of "target<TAB>result,inputs".
const std::unordered_map<std::string_view, Buffers>& by_target() {
    static const auto known = [] {
        std::unordered_map<std::string_view, Buffers> buffers;
        std::string_view text(inspector_buffer_list_begin,
                              static_cast<std::size_t>(inspector_buffer_list_end - inspector_buffer_list_begin));
        for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
            const std::string_view line = text.substr(0, end);
            const std::size_t tab = line.find('\t');
            const std::string_view words = line.substr(tab + 1);
            buffers[line.substr(0, tab)] = {words.find("result") != words.npos, words.find("inputs") != words.npos};
            text.remove_prefix(end + 1);
        }
        // A higher-order operator, which has no overload to list.
        buffers["auto_functionalized"] = {true, true};
        return buffers;
    }();
    return known;
}

} // namespace

bool result_is_buffer(std::string_view target) {
    const auto found = by_target().find(target);
    return found != by_target().end() && found->second.result;
}

bool reads_buffers(std::string_view target) {
    const auto found = by_target().find(target);
    return found != by_target().end() && found->second.inputs;
}

} // namespace inspector
