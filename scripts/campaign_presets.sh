#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# campaign_presets.sh: every preset of CMakePresets.json builds, with gcc and with clang.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$(realpath "${BUILD:-build}")/presets
presets=$(cmake --list-presets | sed -n 's/^ *"\(.*\)"$/\1/p')
built=0
for pair in gcc:g++ clang:clang++; do
    compiler=${pair%:*} cxx=${pair#*:}
    command -v "$compiler" >/dev/null || continue
    for preset in $presets; do
        echo "== $preset, $compiler"
        CC=$compiler CXX=$cxx cmake --preset "$preset" -B "$root/$preset-$compiler" \
            -DBUILD_TESTING=ON >/dev/null
        cmake --build "$root/$preset-$compiler" -j "${JOBS:-2}" >/dev/null
        built=$((built + 1))
    done
done
echo "$built builds"
[ "$built" -gt 0 ]
