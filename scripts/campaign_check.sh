#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# campaign_check.sh [faults]: the build that checks itself (cmake --preset check) runs the tests of
# the engines, and stops at faults planted in short ways. With "faults" the latter alone.
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
echo "$caught faults caught"
[ "${1:-}" != faults ] || exit 0

cmake --preset check -B "$root/all" -DBUILD_TESTING=ON >/dev/null
build "$root/all" all
(cd "$root/all" && ctest -j "${JOBS:-2}" --timeout 3600 -R \
    '^(api|front|insn|pack|unpack|matrix|riscv|scalar|tile|pipe|engines.units|kernels)\.')
