#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# clang builds library and command, with ASan and libFuzzer; two of the targets run for a second
# each on their seeds. make fuzz and make campaign have all targets, longer, and UBSan, which would
# double the time of this build.
# $TX_SOURCE_DIR and $TX_BINARY_DIR as ctest sets them.
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
# Nobody steps through this one.
CMAKE_ARGS="-DCMAKE_C_FLAGS_DEBUG=-O0 -DCMAKE_CXX_FLAGS_DEBUG=-O0" \
    FUZZ_SECONDS=1 FUZZ_TYPE=Debug FUZZ_SANITIZE=asan FUZZ_BUILD=$TX_BINARY_DIR/fuzz \
    scripts/fuzz.sh asm npy >"$TX_BINARY_DIR/fuzz.log" 2>&1 ||
    { cat "$TX_BINARY_DIR/fuzz.log" && exit 1; }
for name in asm npy; do
    # However slow the machine, every seed was read.
    seeds=("tests/fuzz/seeds/$name"/*)
    units=$(sed -n 's/^stat::number_of_executed_units: *//p' "$TX_BINARY_DIR/fuzz/$name.log")
    echo "$name: ${units:-none} inputs"
    [ "${units:-0}" -gt ${#seeds[@]} ]
done
