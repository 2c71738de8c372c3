#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tiles on a processor that keeps the high byte first: the same bytes in L1. s390x, under qemu.
# $TX_SOURCE_DIR and $TX_BINARY_DIR as ctest sets them.
set -euo pipefail

for tool in s390x-linux-gnu-gcc qemu-s390x; do
    if ! command -v "$tool" >/dev/null; then
        echo "no $tool here: scripts/deps.sh test installs it" >&2
        exit 77 # skipped
    fi
done
build=$TX_BINARY_DIR/s390x
mkdir -p "$build"
cd "$build"
flags=(-std=c17 -O1 -ffunction-sections -I"$TX_SOURCE_DIR/tests/cross" -I"$TX_SOURCE_DIR/tests"
    -I"$TX_SOURCE_DIR/tests/oracle" -I"$TX_SOURCE_DIR/include" -I"$TX_SOURCE_DIR/src"
    -I"$TX_SOURCE_DIR")
rm -f ./*.o
s390x-linux-gnu-gcc "${flags[@]}" -c "$TX_SOURCE_DIR/tests/oracle/second_dst.c" \
    "$TX_SOURCE_DIR/src/api/machine_formats.c" "$TX_SOURCE_DIR"/src/fmt/*.c \
    "$TX_SOURCE_DIR"/src/base/*.c
for test in test_bytes test_routes; do
    s390x-linux-gnu-gcc "${flags[@]}" -static -Wl,--gc-sections "$TX_SOURCE_DIR/tests/fmt/$test.c" \
        ./*.o -o $test
    qemu-s390x ./$test
done
