# Libraries from the system: LibTorch (core/ only), Qt 6 (ui/, app/, tests/), nlohmann-json, tl::expected, libzip, CLI11 (app/).

find_package(nlohmann_json 3.11 REQUIRED)
find_package(tl-expected REQUIRED)
find_package(CLI11 2.1 REQUIRED)
find_package(Qt6 6.4 REQUIRED COMPONENTS Core Gui Widgets Svg SvgWidgets Test Concurrent)
qt_standard_project_setup()

list(APPEND CMAKE_MODULE_PATH ${PROJECT_SOURCE_DIR}/cmake)
find_package(LibTorch 2.6 REQUIRED)
message(STATUS "LibTorch ${LibTorch_VERSION}: ${LibTorch_CPU_LIBRARY}")

# libzip's own CMake files demand its command line tools, which Debian packs apart.
find_path(LIBZIP_INCLUDE_DIR zip.h REQUIRED)
find_library(LIBZIP_LIBRARY zip REQUIRED)
mark_as_advanced(LIBZIP_INCLUDE_DIR LIBZIP_LIBRARY)
add_library(LibZip::LibZip INTERFACE IMPORTED)
target_include_directories(LibZip::LibZip SYSTEM INTERFACE ${LIBZIP_INCLUDE_DIR})
target_link_libraries(LibZip::LibZip INTERFACE ${LIBZIP_LIBRARY})
