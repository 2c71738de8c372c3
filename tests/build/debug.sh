#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A build to step through: library and command as the preset debug makes them, whose warnings differ
# from those of a release. $TX_SOURCE_DIR, $TX_BINARY_DIR and $CMAKE as ctest sets them.
set -euo pipefail

if [ "${TX_SANITIZE:-off}" != off ] || [ "${TX_TYPE:-}" = Debug ]; then
    echo "this is another kind of build already"
    exit 77
fi
build=$TX_BINARY_DIR/debug
log=$build.log
{ "$CMAKE" -S "$TX_SOURCE_DIR" -B "$build" -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_C_FLAGS_DEBUG=-O0 -DBUILD_TESTING=OFF &&
    "$CMAKE" --build "$build" --target tensix-cli; } >"$log" 2>&1 || { cat "$log" && exit 1; }
"$build/tensix" eval --arch bh 'sfploadi L0, 0x3f80, 0' | grep -q 'L0 .*1'
echo "built, and it runs"
