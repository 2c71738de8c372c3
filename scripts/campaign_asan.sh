#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# campaign_asan.sh PROGRAM ARGS...: builds tests/engines/PROGRAM with ASan and UBSan, and runs it.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=${BUILD:-build}-asan
program=$1
shift
cmake -S . -B "$dir" -DTENSIX_SANITIZE=asan+ubsan -DCMAKE_BUILD_TYPE=RelWithDebInfo >/dev/null
cmake --build "$dir" -j "${JOBS:-2}" --target "engines-$program" >/dev/null
exec "$dir/tests/engines/$program" "$@"
