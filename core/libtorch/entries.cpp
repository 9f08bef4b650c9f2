#include "core/libtorch/entries.h"

using namespace inspector;

extern "C" const LibTorch* reinplace_libtorch() {
    static constexpr LibTorch table{
        .dispatcher_overloads = &entries::dispatcher_overloads,
        .trace_composite = &entries::trace_composite,
        .make_meta_backend = &entries::make_meta_backend,
        .has_meta_kernel = &entries::has_meta_kernel,
        .has_own_meta_kernel = &entries::has_own_meta_kernel,
        .make_run_inputs = &entries::make_run_inputs,
        .compare_by_running = &entries::compare_by_running,
        .compare_programs = &entries::compare_programs,
        .import_code = &entries::import_code,
        .write_archive = &entries::write_archive,
    };
    return &table;
}
