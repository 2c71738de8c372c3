#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# fuzz.sh [NAME ...]: every entry point of tests/fuzz for FUZZ_SECONDS (60), with libFuzzer and the
# sanitizers where clang has them, else with the stand-alone driver. What is found stays in
# build-fuzz/found, the corpus in build-fuzz/corpus. FUZZ_BUILD names another directory; with
# FUZZ_BUILT the programs there are taken as they are. FUZZ_RUNS ends a target of libFuzzer after
# that many inputs, too.
set -euo pipefail
cd "$(dirname "$0")/.."
for name in "$@"; do
    if [ ! -f "tests/fuzz/fuzz_$name.c" ]; then
        echo "fuzz: there is no tests/fuzz/fuzz_$name.c" >&2
        exit 2
    fi
done
seconds=${FUZZ_SECONDS:-60}
dir=${FUZZ_BUILD:-build-fuzz}

args="-DTENSIX_SANITIZE=asan+ubsan -DBUILD_TESTING=ON ${CMAKE_ARGS:-}"
if ! scripts/clang_fuzzes.sh; then
    dir+=-plain
else
    args+=" -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DTENSIX_FUZZ=ON"
fi
if [ -z "${FUZZ_BUILT:-}" ]; then
    scripts/deps.sh test
    targets=(fuzz)
    [ $# -eq 0 ] || targets=("${@/#/fuzz-fuzz_}")
    BUILD=$dir CMAKE_ARGS=$args scripts/build.sh "${targets[@]}"
fi
dir=$(cd "$dir" && pwd)
root=$PWD
mkdir -p "$dir/found"

status=0
for program in "$dir"/tests/fuzz/fuzz_*; do
    name=${program##*/fuzz_}
    if [ ! -f "$program" ] || { [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; }; then
        continue
    fi
    echo "== $name"
    seeds=()
    if [ -d "$root/tests/fuzz/seeds/$name" ]; then
        seeds=("$root/tests/fuzz/seeds/$name")
    fi
    mkdir -p "$dir/corpus/$name"
    cd "$dir/found"
    if grep -q '^TENSIX_FUZZ:BOOL=ON' "$dir/CMakeCache.txt"; then
        "$program" -max_total_time="$seconds" -runs="${FUZZ_RUNS:--1}" -print_final_stats=1 \
            -artifact_prefix="$name-" "$dir/corpus/$name" "${seeds[@]}" \
            2>"$dir/$name.log" || status=1
        tail -n 12 "$dir/$name.log"
    else
        "$program" -n 1000000000 -s "$(date +%s)" -t "$seconds" "${seeds[@]}" || status=1
    fi
done
if [ "$status" -ne 0 ]; then
    echo "inputs that failed are in $dir/found"
fi
exit $status
