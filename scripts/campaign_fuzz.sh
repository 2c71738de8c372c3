#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# campaign_fuzz.sh NAME COUNT: tests/fuzz/fuzz_NAME on COUNT inputs, with libFuzzer, ASan and UBSan
# (clang), small pieces on purpose (TX_STRESS). What fails stays in found of the build directory.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=${BUILD:-build}-fuzz
name=$1
count=$2
CC=clang CXX=clang++ cmake -S . -B "$dir" -DTENSIX_SANITIZE=asan+ubsan -DTENSIX_FUZZ=ON \
    -DTENSIX_STRESS=ON -DBUILD_TESTING=ON -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build "$dir" -j "${JOBS:-2}" --target "fuzz-fuzz_$name" >/dev/null
mkdir -p "$dir/found" "$dir/corpus/$name"
"$dir/tests/fuzz/fuzz_$name" -runs="$count" -seed=1 -print_final_stats=1 \
    -artifact_prefix="$dir/found/$name-" "$dir/corpus/$name" "tests/fuzz/seeds/$name" 2>&1 |
    tee /dev/stderr |
    awk '/number_of_executed_units/ { n = $2 } END { print n " inputs, no report" }'
