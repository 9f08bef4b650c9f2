#!/usr/bin/env bash
# tests/fuzz/run.sh SECONDS [TARGET…]: runs targets of the preset "fuzz", each for so many seconds on a processor, from the
# seeds in tests/data.
# What it finds is left in build/fuzz/found/TARGET; minimised and given a name, it belongs in tests/data/fuzz/TARGET.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
data=$root/tests/data
build=$root/build/fuzz
seconds=${1:?seconds for each target}
shift
targets=("$@")
[ $# = 0 ] && targets=(fx_text log_folder operator_schema pickle pt2 script_archive script_text session_document
    symbolic_size trace_log)
export UBSAN_OPTIONS=print_stacktrace=1

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

# processor_seconds PID: time on a processor so far; nothing once it has ended.
processor_seconds() { ps -o cputimes= -p "$1"; }

for target in "${targets[@]}"; do
    work=$build/found/$target
    mkdir -p "$work/corpus" "$work/seeds"
    seeds "$target" "$work/seeds"
    before=$(find "$work/corpus" -type f | wc -l)
    # The first find ends the run, and so does an input that takes seconds.
    "$build/bin/fuzz_$target" -timeout=10 -report_slow_units=2 -rss_limit_mb=3000 -max_len=65536 -print_funcs=0 \
        -print_final_stats=1 -dict="$root/tests/fuzz/dictionaries/$target.dict" -artifact_prefix="$work/" \
        "$work/corpus" "$work/seeds" >"$work/log" 2>&1 &
    fuzzer=$!
    used=0
    # USR1 asks libFuzzer to end. Time on a processor is what counts, however busy the machine is.
    while now=$(processor_seconds "$fuzzer"); do
        used=$now
        ((used >= seconds)) && kill -USR1 "$fuzzer"
        sleep 1
    done
    wait "$fuzzer" && outcome="no find" || outcome="ended early: see $work/log"
    statistic() { sed -n "s/^stat::$1: *//p" "$work/log"; }
    edges=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$work/log" | tail -n 1)
    after=$(find "$work/corpus" -type f | wc -l)
    echo "$target: $((used)) s, $(statistic number_of_executed_units) runs, $edges edges, corpus $before to $after," \
        "$(statistic peak_rss_mb) MB, $outcome"
done
