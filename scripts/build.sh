#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Configures and builds: build.sh [TARGET ...]. BUILD names the directory, CMAKE_ARGS adds options.
# Silent when all goes well, the whole log when it does not.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${BUILD:-build}

scripts/deps.sh build
# make takes a seventh of the time for itself.
if command -v ninja >/dev/null; then
    export CMAKE_GENERATOR=${CMAKE_GENERATOR:-Ninja}
fi
mkdir -p "$build"
log=$build/build.log
targets=()
if [ $# -gt 0 ]; then
    targets=(--target "$@")
fi
# shellcheck disable=SC2086 # CMAKE_ARGS are words
if ! { cmake -S . -B "$build" ${CMAKE_ARGS:-} &&
    cmake --build "$build" -j "$(nproc)" "${targets[@]}"; } >"$log" 2>&1; then
    grep -vE "^\[ *[0-9]+(%|/[0-9]+)\]|^-- " "$log" >&2
    echo "build failed, see above or $log" >&2
    exit 1
fi
# A warning is never lost in the log.
grep -A4 -E 'CMake Warning|warning:' "$log" >&2 || true
echo "built in $build ($(sed -n 's/^CMAKE_BUILD_TYPE:[A-Z]*=//p' "$build/CMakeCache.txt"))"
