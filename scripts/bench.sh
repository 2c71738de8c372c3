#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bench.sh [NAME ...]: builds and runs bench/bench_*.c and bench_*.sh one after another, and says on
# what machine.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${BUILD:-build}

scripts/build.sh bench tensix-cli
echo "$(date -u +%F) $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1)," \
    "$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt") $(cc -dumpversion)"
export BUILD=$build
for program in "$build"/bench/bench_* bench/bench_*.sh; do
    name=${program##*/bench_}
    name=${name%.sh}
    if [ -x "$program" ] && { [ $# -eq 0 ] || [[ " $* " == *" $name "* ]]; }; then
        echo "== $name"
        "$program"
    fi
done
