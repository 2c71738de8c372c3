#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The fast engine on 64-bit Arm: the library built by the cross compiler, its NEON level compared
# with the reference engine and with the model of the multiply-add under qemu. $TX_SOURCE_DIR,
# $TX_BINARY_DIR and $CMAKE as ctest sets them. neon.sh PROGRAM ARGUMENT... runs one program of
# tests/engines instead.
set -euo pipefail

for tool in aarch64-linux-gnu-gcc qemu-aarch64; do
    if ! command -v "$tool" >/dev/null; then
        echo "no $tool here: scripts/deps.sh test installs it" >&2
        exit 77 # skipped
    fi
done
# A test runs for seconds under qemu and is built for longer; a campaign is the other way round.
if [ $# -eq 0 ]; then
    build=$TX_BINARY_DIR/aarch64
    type=MinSizeRel
else
    build=$TX_BINARY_DIR/aarch64-release
    type=Release
fi
log=$build/configure.log
mkdir -p "$build"
"$CMAKE" -S "$TX_SOURCE_DIR" -B "$build" -DCMAKE_BUILD_TYPE=$type -DCMAKE_C_FLAGS_MINSIZEREL=-O0 \
    -DTENSIX_CLI=OFF \
    -DBUILD_TESTING=OFF -DCMAKE_TOOLCHAIN_FILE="$TX_SOURCE_DIR/cmake/aarch64.cmake" >"$log" 2>&1 ||
    { cat "$log" && exit 1; }
"$CMAKE" --build "$build" --target tensix_inside >"$log" 2>&1 ||
    { cat "$log" && exit 1; }

program() { # NAME OPTION...: from tests/engines/NAME.c
    aarch64-linux-gnu-gcc -std=c17 -O2 -ffp-contract=off -static -I"$TX_SOURCE_DIR/tests/cross" \
        -I"$TX_SOURCE_DIR/include" -I"$TX_SOURCE_DIR/src" -I"$TX_SOURCE_DIR" \
        -DTX_SOURCE_DIR="\"$TX_SOURCE_DIR\"" "${@:2}" "$TX_SOURCE_DIR/tests/engines/$1.c" \
        "$build/libtensix_inside.a" -lm -o "$build/$1"
}
if [ $# -ne 0 ]; then
    program "$1"
    qemu-aarch64 "$build/$1" "${@:2}"
    exit
fi
# The level that is in plain C is tested where qemu is not needed.
program test_fast -DTILES=4 # one of each kind of numbers, and one
program campaign_fast
qemu-aarch64 "$build/test_fast" neon
for arch in bh wh; do
    qemu-aarch64 "$build/campaign_fast" "$arch" 1200000 neon
done
