# Libraries from the system: LibTorch (core/ only), Qt 6 (ui/, app/, tests/), nlohmann-json, tl::expected.

find_package(nlohmann_json 3.11 REQUIRED)
find_package(tl-expected REQUIRED)
find_package(Qt6 6.4 REQUIRED COMPONENTS Core Gui Widgets Svg SvgWidgets Test Concurrent)
qt_standard_project_setup()

find_package(Torch 2.6 REQUIRED)
# Only the sources that include torch headers get its flags and (SYSTEM) include folders: see core/CMakeLists.txt.
