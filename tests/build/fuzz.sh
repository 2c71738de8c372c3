#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# clang: its warnings over the whole tree, and two fuzz targets with ASan and libFuzzer, which run
# for a second each on their seeds (clang.py says what is compiled). make fuzz and make campaign
# build everything so, run all targets, longer, and have UBSan.
# $TX_SOURCE_DIR, $TX_BINARY_DIR and $CMAKE as ctest sets them.
set -euo pipefail

if ! command -v clang >/dev/null; then
    echo "no clang here: scripts/deps.sh all installs it" >&2
    exit 77 # skipped
fi
if [ "${TX_SANITIZE:-off}" != off ] || [ "${TX_TYPE:-}" = Debug ]; then
    echo "this is another kind of build already"
    exit 77
fi
cd "$TX_SOURCE_DIR"
build=$TX_BINARY_DIR/fuzz
# Nobody steps through this one.
{ "$CMAKE" -S . -B "$build" -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ \
    -DTENSIX_FUZZ=ON -DTENSIX_SANITIZE=asan -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 \
    -DBUILD_TESTING=ON &&
    "$CMAKE" --build "$build" --target generated &&
    python3 tests/build/clang.py "$build" &&
    FUZZ_SECONDS=1 FUZZ_BUILD=$build FUZZ_BUILT=1 scripts/fuzz.sh asm npy; } \
    >"$build.log" 2>&1 || { cat "$build.log" && exit 1; }
grep '^clang: ' "$build.log"
for name in asm npy; do
    # However slow the machine, every seed was read.
    seeds=("tests/fuzz/seeds/$name"/*)
    units=$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$name.log")
    echo "$name: ${units:-none} inputs"
    [ "${units:-0}" -gt ${#seeds[@]} ]
done
