#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# campaign_python.sh: the tests of python/ on a library with ASan and UBSan, the runtimes preloaded.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=${BUILD:-build}-asan
cmake -S . -B "$dir" -DTENSIX_SANITIZE=asan+ubsan -DCMAKE_BUILD_TYPE=RelWithDebInfo >/dev/null
cmake --build "$dir" -j "${JOBS:-2}" --target tensix_shared tensix-cli >/dev/null
compiler=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$dir/CMakeCache.txt")
TX_PRELOAD=$("$compiler" -print-file-name=libasan.so)
export TX_PRELOAD
BUILD=$dir scripts/test_python.sh
