# LibTorch for the CPU, from a wheel, an unpacked LibTorch or a distribution's package.
#
# torch's own TorchConfig.cmake is not used: in a CUDA build it demands the CUDA toolkit, which this project never
# needs, since it links libtorch_cpu alone.
#
#   LibTorch::LibTorch   imported target; its headers are SYSTEM headers
#   LibTorch_VERSION
#
# Looked for in INSPECTOR_LIBTORCH, then CMAKE_PREFIX_PATH, $LIBTORCH and the system.

set(INSPECTOR_LIBTORCH "" CACHE PATH "Folder that holds LibTorch's include/ and lib/")

find_file(LibTorch_CONFIG TorchConfigVersion.cmake
    HINTS ${INSPECTOR_LIBTORCH} $ENV{LIBTORCH}
    PATH_SUFFIXES share/cmake/Torch cmake/Torch lib/cmake/Torch lib/${CMAKE_LIBRARY_ARCHITECTURE}/cmake/Torch)
find_path(LibTorch_INCLUDE_DIR torch/csrc/api/include/torch/version.h
    HINTS ${INSPECTOR_LIBTORCH}/include $ENV{LIBTORCH}/include)
find_library(LibTorch_CPU_LIBRARY torch_cpu HINTS ${INSPECTOR_LIBTORCH}/lib $ENV{LIBTORCH}/lib)
find_library(LibTorch_C10_LIBRARY c10 HINTS ${INSPECTOR_LIBTORCH}/lib $ENV{LIBTORCH}/lib)

if(LibTorch_CONFIG)
    file(STRINGS ${LibTorch_CONFIG} _version REGEX "PACKAGE_VERSION \"[0-9.]+")
    list(GET _version 0 _version)
    string(REGEX REPLACE ".*\"([0-9.]+).*" "\\1" LibTorch_VERSION "${_version}")

    # Wheels say which std::string they were built with; libraries of another kind do not link.
    get_filename_component(_config_dir ${LibTorch_CONFIG} DIRECTORY)
    file(STRINGS ${_config_dir}/TorchConfig.cmake _abi REGEX "_GLIBCXX_USE_CXX11_ABI=[01]")
    string(REGEX MATCH "_GLIBCXX_USE_CXX11_ABI=[01]" LibTorch_ABI "${_abi}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibTorch
    REQUIRED_VARS LibTorch_CPU_LIBRARY LibTorch_C10_LIBRARY LibTorch_INCLUDE_DIR LibTorch_CONFIG
    VERSION_VAR LibTorch_VERSION)

if(LibTorch_FOUND AND NOT TARGET LibTorch::LibTorch)
    if(LibTorch_ABI STREQUAL "_GLIBCXX_USE_CXX11_ABI=0")
        message(FATAL_ERROR "The LibTorch in ${LibTorch_CPU_LIBRARY} was built with the old C++ ABI; take one built "
            "with _GLIBCXX_USE_CXX11_ABI=1 (torch 2.7 or newer, or the 'cxx11 ABI' download).")
    endif()
    add_library(LibTorch::LibTorch INTERFACE IMPORTED)
    target_include_directories(LibTorch::LibTorch SYSTEM INTERFACE
        ${LibTorch_INCLUDE_DIR} ${LibTorch_INCLUDE_DIR}/torch/csrc/api/include)
    # Registering kernels and reading archives refer to symbols of both libraries.
    target_link_libraries(LibTorch::LibTorch INTERFACE ${LibTorch_CPU_LIBRARY} ${LibTorch_C10_LIBRARY})
endif()
mark_as_advanced(LibTorch_CONFIG LibTorch_INCLUDE_DIR LibTorch_CPU_LIBRARY LibTorch_C10_LIBRARY)
