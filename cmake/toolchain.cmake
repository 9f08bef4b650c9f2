# Compiler cache, fast linker, warnings and sanitizers: what every target of ours is built with.

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
    add_link_options(-fuse-ld=mold)
endif()

# Linked by every target of ours; foreign headers come in as SYSTEM includes and stay silent.
add_library(inspector_options INTERFACE)
target_compile_options(inspector_options INTERFACE -Wall -Wextra -Wconversion -Wshadow -Wnon-virtual-dtor)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 warns of an overlap inside "text" + std::string that cannot be (GCC bug 105651).
    target_compile_options(inspector_options INTERFACE -Wno-restrict)
endif()
target_include_directories(inspector_options INTERFACE ${PROJECT_SOURCE_DIR})

if(INSPECTOR_SANITIZE)
    add_compile_options(-fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
    add_link_options(-fsanitize=address,undefined)
endif()
