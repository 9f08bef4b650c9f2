#include "core/operators/schema_list.h"

// SCHEMA_LIST_FILE is the file's path, given by CMake, which also rebuilds this source when the file changes.
__asm__(".section .rodata\n"
        ".global inspector_schema_list_begin\n"
        ".global inspector_schema_list_end\n"
        "inspector_schema_list_begin:\n"
        ".incbin \"" SCHEMA_LIST_FILE "\"\n"
        "inspector_schema_list_end:\n"
        ".byte 0\n"
        ".previous\n");

extern "C" const char inspector_schema_list_begin[];
extern "C" const char inspector_schema_list_end[];

namespace inspector {

std::string_view schema_list() {
    return {inspector_schema_list_begin,
            static_cast<std::size_t>(inspector_schema_list_end - inspector_schema_list_begin)};
}

} // namespace inspector
