#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# campaign_check.sh [faults|suite|random]: the build that checks itself (cmake --preset check) stops
# at faults planted in short ways, runs the whole suite, and runs random programs of every kind
# (RANDOM_WORDS of each, 10^7 unless given). Without a word all three, one after another.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$(realpath -m "${BUILD:-build}")/check
source=$root/source

build() { # FOLDER TARGET...
    local folder=$1
    shift
    cmake --build "$folder" -j "${JOBS:-2}" --target "$@" >"$folder/build.log" 2>&1 || {
        tail -20 "$folder/build.log"
        exit 1
    }
}

# plant FILE OLD NEW TEST TEXT: with OLD replaced by NEW, TEST ends with "check: ... TEXT".
caught=0
plant() {
    cp "$1" "$source/$1"
    python3 - "$source/$1" "$2" "$3" <<'END'
import sys
path, old, new = sys.argv[1:]
text = open(path, encoding="utf-8").read()
assert text.count(old) >= 1, "%s: nothing to replace" % path
open(path, "w", encoding="utf-8").write(text.replace(old, new, 1))
END
    build "$root/faults" "${4/\//-}"
    local said
    said=$("$root/faults/tests/$4" 2>&1 >/dev/null | grep '^check: ' || true)
    cp "$1" "$source/$1"
    if [[ $said != *"$5"* ]]; then
        echo "not caught: $1, $2: ${said:-nothing said}"
        exit 1
    fi
    echo "caught: $1: $said"
    caught=$((caught + 1))
}

faults() {
    rm -rf "$source"
    mkdir -p "$source" "$root/faults"
    git ls-files -z | xargs -0 cp --parents -t "$source"
    cmake --preset check -S "$source" -B "$root/faults" -DBUILD_TESTING=ON >/dev/null
    plant src/front/straight.c "    m->counters.stall_cycles++;" "" front/test_straight straight
    plant src/front/skip.c "next - 2 - now;" "next - 1 - now;" front/test_skip skip
    plant src/front/fetch.c "next - 2 - now < most ? next - 2 - now" \
        "next - 1 - now < most ? next - 1 - now" front/test_fetch fetch
    plant src/riscv/run.c "op->word != word || op->pc != pc ||" "op->pc != pc ||" tile/test_ahead \
        "a decoded instruction is the word that memory holds"
    plant src/front/gate.c "if (op->row != ROWID_NOP) {" "if (op->row == ROWID_NOP) {" \
        tile/test_turns quick
    plant src/pack/setup.c "memo->is_flat && memo->stamp == m->config_stamp &&" \
        "memo->is_flat &&" front/test_flat straight
    plant src/tile/doze.c "    m->state.cycle += cycles;" "" chip/test_run \
        "a coprocessor that has slept is what it would be had it been awake"
    plant src/riscv/beat.c "    s->instret += times * beat->instret;" "" chip/test_run \
        "a core that has slept is where it would be had it been awake"
    plant src/fmt/codec.c "host ? fused->host_bf16 : fused->pack_bf16" \
        "host ? fused->pack_bf16 : fused->host_bf16" fmt/test_fused \
        "a tile encoded in one pass is the one encoded step by step"
    grep -qw avx2 /proc/cpuinfo && plant src/matrix/bulk_scalar.c "(wide ? now >> 16 : now)" \
        "(wide ? now >> 15 : now + 1)" matrix/test_order "every level of the CPU"
    echo "$caught faults caught"
}

suite() {
    build "$root/all" all
    (cd "$root/all" && ctest -j "${JOBS:-2}" --timeout 7200 --output-on-failure \
        -E '^(build|python)\.')
}

# Random programs: vector and threads, units, tiles, chips, unpackers and packers, words of cores.
programs() {
    local n=${RANDOM_WORDS:-10000000} arch at=$root/all/tests
    build "$root/all" campaigns
    for arch in bh wh; do
        "$at/engines/campaign_threads" $arch "$n" 1
        "$at/engines/campaign_threads" $arch "$n" 1 l1
        "$at/engines/campaign_flow" $arch "$n" 1
        "$at/engines/campaign_macro" $arch "$n" 1
        "$at/matrix/campaign_matrix" $arch "$n" 1 all
        "$at/unpack/campaign_unpack" $arch random "$n" 1
        "$at/pack/campaign_pack" $arch "$((n / 100))" 1
        "$at/tile/campaign_cores" $arch "$n"
        "$at/riscv/campaign_words" $arch "$n"
        "$at/lab/campaign_chip" $arch "$((n / 10000))"
    done
}

[ "${1:-faults}" != faults ] || faults
[ "${1:-}" != faults ] || exit 0
cmake --preset check -B "$root/all" -DBUILD_TESTING=ON >/dev/null
[ "${1:-suite}" != suite ] || suite
[ "${1:-random}" != random ] || programs
echo "the check build: no difference, no assertion"
