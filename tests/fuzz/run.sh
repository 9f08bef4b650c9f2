#!/usr/bin/env bash
# tests/fuzz/run.sh SECONDS [TARGET…]: runs targets of the preset "fuzz", each for so long, from the seeds in tests/data.
# What it finds is left in build/fuzz/found/TARGET; minimised and given a name, it belongs in tests/data/fuzz/TARGET.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
data=$root/tests/data
build=$root/build/fuzz
seconds=${1:?seconds for each target}
shift
targets=("$@")
[ $# = 0 ] && targets=(fx_text log_folder operator_schema pickle pt2 script_archive script_text session_document symbolic_size trace_log)
# LibTorch is not instrumented: what it does to a container that our code made looks wrong to ASan.
export ASAN_OPTIONS=detect_container_overflow=0:alloc_dealloc_mismatch=0 UBSAN_OPTIONS=print_stacktrace=1

# seeds TARGET FOLDER: copies its seeds there.
seeds() {
    case $1 in
    fx_text) cp "$data"/fx_text/*.{txt,log} "$2" ;;
    log_folder) cp "$data"/fx_text/*.log "$data"/trace_log/*.log "$2" ;;
    operator_schema) split -l 20 "$root/resources/schemas/torch-2.13.txt" "$2/schemas-" ;;
    pt2) cp "$data"/pt2/*.pt2 "$2" ;;
    script_archive) cp "$data"/torchscript/*.pt "$2" ;;
    script_text) cp "$data"/torchscript/*.txt "$2" ;;
    symbolic_size) split -l 10 "$data/graph/sizes.tsv" "$2/sizes-" ;;
    trace_log) cp "$data"/trace_log/*.log "$2" ;;
    esac
    cp "$data/fuzz/$1"/* "$2" 2>/dev/null
}

for target in "${targets[@]}"; do
    work=$build/found/$target
    mkdir -p "$work/corpus" "$work/seeds"
    seeds "$target" "$work/seeds"
    dictionary=$root/tests/fuzz/dictionaries/$target.dict
    # The first find ends the run.
    "$build/bin/fuzz_$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3000 -max_len=65536 \
        -print_funcs=0 -print_final_stats=1 -dict="$dictionary" -artifact_prefix="$work/" \
        "$work/corpus" "$work/seeds" >"$work/log" 2>&1
    grep "cov: " "$work/log" | tail -n 1 | sed "s/^/$target: /"
done
