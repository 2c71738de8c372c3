#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# clang: its warnings over the whole tree, and make fuzz for a thousand inputs a target, but at most
# a second, on their seeds: all targets in one program with libFuzzer, and with ASan in all that
# reads files, texts and messages.
# make fuzz itself and make campaign have a program for each target, instrument the engines as well,
# and have UBSan. $TX_SOURCE_DIR, $TX_BINARY_DIR and $CMAKE as ctest sets them.
set -euo pipefail

if [ "${TX_SANITIZE:-off}" != off ] || [ "${TX_TYPE:-}" = Debug ]; then
    echo "this is another kind of build already"
    exit 77
fi
cd "$TX_SOURCE_DIR"
scripts/clang_fuzzes.sh || exit 77 # skipped, and fuzz.* run with the driver of their own
build=$TX_BINARY_DIR/fuzz
targets=(tests/fuzz/fuzz_*.c)
targets=("${targets[@]##*/fuzz_}")
targets=("${targets[@]%.c}")
# Nobody steps through this one.
{ "$CMAKE" -S . -B "$build" -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ \
    -DTENSIX_FUZZ=ON -DTENSIX_SANITIZE=asan -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 \
    -DBUILD_TESTING=ON -DTENSIX_FUZZ_REST="$TX_BINARY_DIR" &&
    "$CMAKE" --build "$build" --target generated &&
    python3 tests/build/clang.py "$build" &&
    "$CMAKE" --build "$build" --target fuzz_all &&
    for name in "${targets[@]}"; do ln -sf all/fuzz_all "$build/tests/fuzz/fuzz_$name"; done &&
    FUZZ_SECONDS=1 FUZZ_RUNS=1000 FUZZ_BUILD=$build FUZZ_BUILT=1 scripts/fuzz.sh; } \
    >"$build.log" 2>&1 || { cat "$build.log" && exit 1; }
grep '^clang: ' "$build.log"
[ "${#targets[@]}" -ge 18 ]
for name in "${targets[@]}"; do
    # However slow the machine, every seed was read.
    seeds=("tests/fuzz/seeds/$name"/*)
    units=$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$name.log")
    echo "$name: ${units:-none} inputs"
    [ "${units:-0}" -gt ${#seeds[@]} ]
done
