#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# campaign_fuzz.sh NAME COUNT [SEED]: tests/fuzz/fuzz_NAME on COUNT inputs of at most FUZZ_LENGTH
# (512) bytes, with libFuzzer, ASan and UBSan (clang), small pieces on purpose (TX_STRESS). What
# fails stays in found of the build directory.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=${BUILD:-build}-fuzz
name=$1
count=$2
CC=clang CXX=clang++ cmake -S . -B "$dir" -DTENSIX_SANITIZE=asan+ubsan -DTENSIX_FUZZ=ON \
    -DTENSIX_STRESS=ON -DBUILD_TESTING=ON -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build "$dir" -j "${JOBS:-2}" --target "fuzz-fuzz_$name" >/dev/null
mkdir -p "$dir/found" "$dir/corpus/$name"
seeds=()
[ ! -d "tests/fuzz/seeds/$name" ] || seeds=("tests/fuzz/seeds/$name")
# Freed memory comes back soon and is not given back to the system; whole stacks of allocations are
# there again when the input that failed is run alone.
asan=quarantine_size_mb=1:malloc_context_size=2:allocator_release_to_os_interval_ms=-1
asan+=:max_malloc_fill_size=0
export ASAN_OPTIONS=${ASAN_OPTIONS:-$asan}
"$dir/tests/fuzz/fuzz_$name" -runs="$count" -seed="${3:-1}" -max_len="${FUZZ_LENGTH:-512}" \
    -entropic=0 -use_cmp=0 -reload=0 -reduce_inputs=0 -print_final_stats=1 \
    -artifact_prefix="$dir/found/$name-" \
    "$dir/corpus/$name" "${seeds[@]}" 2>&1 |
    tee /dev/stderr |
    awk '/number_of_executed_units/ { n = $2 } END { print n " inputs, no report" }'
