#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What gcc says of lab and command in a build to step through, as the preset debug makes it: without
# optimization it knows less of values, and warns of other things than in a release. No assembler
# runs, nothing is linked. The library is compiled so by engines.neon; that every preset's whole
# build succeeds is shown by make campaign ONLY=presets.
# $TX_SOURCE_DIR, $TX_BINARY_DIR and $CMAKE as ctest sets them.
set -euo pipefail

if [ "${TX_SANITIZE:-off}" != off ] || [ "${TX_TYPE:-}" = Debug ]; then
    echo "this is another kind of build already"
    exit 77
fi
cd "$TX_SOURCE_DIR"
build=$TX_BINARY_DIR/debug
{ "$CMAKE" -S . -B "$build" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 \
    -DBUILD_TESTING=OFF &&
    "$CMAKE" --build "$build" --target generated &&
    python3 -B tests/build/debug.py "$build"; } >"$build.log" 2>&1 ||
    { cat "$build.log" && exit 1; }
tail -1 "$build.log"
