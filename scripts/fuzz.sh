#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# fuzz.sh [NAME ...]: every entry point of tests/fuzz for FUZZ_SECONDS (60), with libFuzzer and the
# sanitizers where clang exists, else with the stand-alone driver. What is found stays in
# build-fuzz/found, the corpus in build-fuzz/corpus. FUZZ_BUILD names another directory, FUZZ_TYPE
# another build type than Release.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${FUZZ_SECONDS:-60}
dir=${FUZZ_BUILD:-build-fuzz}

args="-DTENSIX_SANITIZE=asan+ubsan -DBUILD_TESTING=ON -DCMAKE_BUILD_TYPE=${FUZZ_TYPE:-Release}"
if ! command -v clang >/dev/null; then
    dir+=-plain
else
    args+=" -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DTENSIX_FUZZ=ON"
fi
scripts/deps.sh test
BUILD=$dir CMAKE_ARGS=$args scripts/build.sh fuzz
dir=$(cd "$dir" && pwd)
root=$PWD
mkdir -p "$dir/found"

status=0
ran=0
for program in "$dir"/tests/fuzz/fuzz_*; do
    name=${program##*/fuzz_}
    if [ ! -f "$program" ] || { [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; }; then
        continue
    fi
    echo "== $name"
    ran=$((ran + 1))
    seeds=()
    if [ -d "$root/tests/fuzz/seeds/$name" ]; then
        seeds=("$root/tests/fuzz/seeds/$name")
    fi
    mkdir -p "$dir/corpus/$name"
    cd "$dir/found"
    if grep -q '^TENSIX_FUZZ:BOOL=ON' "$dir/CMakeCache.txt"; then
        "$program" -max_total_time="$seconds" -print_final_stats=1 -artifact_prefix="$name-" \
            "$dir/corpus/$name" "${seeds[@]}" 2>"$dir/$name.log" || status=1
        tail -n 12 "$dir/$name.log"
    else
        "$program" -n 1000000000 -s "$(date +%s)" -t "$seconds" "${seeds[@]}" || status=1
    fi
done
if [ "$ran" -eq 0 ]; then
    echo "no fuzz program of that name"
    exit 2
fi
if [ "$status" -ne 0 ]; then
    echo "inputs that failed are in $dir/found"
fi
exit $status
