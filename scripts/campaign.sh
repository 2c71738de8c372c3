#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The long runs. campaign.sh [NAME ...] runs all lines of the table, or the named ones, one after
# another. A line that succeeded leaves build/campaign/NAME.done and is not run again unless
# FORCE=1, so an interrupted campaign goes on where it stopped. NAME.log holds the whole output; the
# result is its last line. Commands run at the project's root, with $BUILD and $JOBS set.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

# NAME | COMMAND
table() {
    cat <<'END'
fma-bh | "$BUILD"/tests/num/campaign_fma bh 1000000000
fma-wh | "$BUILD"/tests/num/campaign_fma wh 1000000000
unary | "$BUILD"/tests/num/campaign_unary "$BUILD"/campaign/unary.state
oracle-bh | "$BUILD"/tests/engines/campaign_oracle bh 10000000
oracle-wh | "$BUILD"/tests/engines/campaign_oracle wh 10000000
words-bh | "$BUILD"/tests/isa/campaign_words bh "$BUILD"/campaign/words-bh.state
words-wh | "$BUILD"/tests/isa/campaign_words wh "$BUILD"/campaign/words-wh.state
text-bh | "$BUILD"/tests/asm/campaign_text bh 100000000 1
text-wh | "$BUILD"/tests/asm/campaign_text wh 100000000 1
exec-bh | scripts/campaign_asan.sh campaign_exec bh 100000000
exec-wh | scripts/campaign_asan.sh campaign_exec wh 100000000
fast-bh | "$BUILD"/tests/engines/campaign_fast bh 1000000000
fast-wh | "$BUILD"/tests/engines/campaign_fast wh 1000000000
flow-bh | "$BUILD"/tests/engines/campaign_flow bh 1000000000 1 2000
flow-wh | "$BUILD"/tests/engines/campaign_flow wh 1000000000 1 2000
rules | "$BUILD"/tests/engines/test_rules all
card | scripts/campaign_card.sh
races | python3 tests/race/closure.py "$BUILD"/tensix 1 20000
chip-mutants | python3 scripts/chip_mutants.py --tensix "$BUILD"/tensix
order-mutants | nice python3 scripts/order_mutants.py --tensix "$BUILD"/tensix
mutants | nice python3 scripts/mutants.py
profile | python3 tests/cli/constructed.py "$BUILD"/tensix examples/tiles/tile.inc all
profile-chip | python3 tests/cli/constructed_chip.py "$BUILD"/tensix examples 0 of 1
gate | "$BUILD"/tests/lab/campaign_gate
mutants-tiles | python3 tests/tiles/mutants.py "$BUILD"/tensix examples --all
check | scripts/campaign_check.sh
kit | scripts/campaign_kit.sh
equal-all | scripts/campaign_equal.sh bh all
equal-bf16-bh | scripts/campaign_equal.sh bh bf16
equal-bf16-wh | scripts/campaign_equal.sh wh bf16
equal-some-bh | scripts/campaign_equal.sh bh some
equal-some-wh | scripts/campaign_equal.sh wh some
compiled | scripts/campaign_compiled.sh
vectors | VECTORS_PART=1 TENSIX="$BUILD"/tensix TX_SOURCE_DIR=$PWD bash tests/cli/vectors.sh
forms | FORMS_PART=1 TENSIX="$BUILD"/tensix TX_SOURCE_DIR=$PWD bash tests/cli/trace_forms.sh
report | TENSIX="$BUILD"/tensix TX_SOURCE_DIR=$PWD REPORT_COUNT=100000 bash tests/cli/report.sh
chip-points-bh | "$BUILD"/tests/lab/campaign_chip bh 300 1
chip-points-wh | "$BUILD"/tests/lab/campaign_chip wh 300 1
chip-vectors-bh | scripts/campaign_chip.sh bh 10000 1
chip-vectors-wh | scripts/campaign_chip.sh wh 10000 1
niu-bh | scripts/campaign_asan.sh chip/campaign_niu bh 5000000 1
niu-wh | scripts/campaign_asan.sh chip/campaign_niu wh 5000000 1
neon-bh | scripts/campaign_neon.sh campaign_fast bh 1000000000 neon
neon-wh | scripts/campaign_neon.sh campaign_fast wh 1000000000 neon
macro-bh | scripts/campaign_asan.sh campaign_macro bh 5000000 1
macro-wh | scripts/campaign_asan.sh campaign_macro wh 5000000 1
macro-kernels | "$BUILD"/tests/pipe/test_macro_kernels 10000
schedule | python3 scripts/schedule_table.py "$BUILD"/tensix && "$BUILD"/tests/lab/test_schedule 300
predicated | "$BUILD"/tests/lab/test_predicated 300
functions | python3 scripts/functions_table.py "$BUILD"/tensix --check
bounds | python3 scripts/bound.py "$BUILD"/tensix
opt-rows | scripts/campaign_opt.sh 1 50
fmt-unpack | "$BUILD"/tests/fmt/campaign_convert dst. unpack. movd2x. sfpload. sfpstore. window.
fmt-pack | "$BUILD"/tests/fmt/campaign_convert pack.
pack | "$BUILD"/tests/pack/test_pack 2000000 1
pack-pairs-bh | "$BUILD"/tests/pack/campaign_pack bh 1000000 1
pack-pairs-wh | "$BUILD"/tests/pack/campaign_pack wh 1000000 1
pack-wide-bh | "$BUILD"/tests/pack/campaign_pack bh 100000000 1 wide
pack-wide-wh | "$BUILD"/tests/pack/campaign_pack wh 100000000 1 wide
fmt-host | "$BUILD"/tests/fmt/campaign_convert host.
fmt-bf16 | "$BUILD"/tests/fmt/campaign_groups bf16
fmt-groups | "$BUILD"/tests/fmt/campaign_groups groups 100000000
fmt-accumulate | "$BUILD"/tests/fmt/campaign_groups accumulate
matrix-products-bh | "$BUILD"/tests/matrix/campaign_matrix bh 1000000000 1 products
matrix-products-wh | "$BUILD"/tests/matrix/campaign_matrix wh 1000000000 1 products
matrix-multiply-bh | "$BUILD"/tests/matrix/campaign_matrix bh 1000000000 1 multiply
matrix-multiply-wh | "$BUILD"/tests/matrix/campaign_matrix wh 1000000000 1 multiply
matrix-add-bh | "$BUILD"/tests/matrix/campaign_matrix bh 1000000000 1 add
matrix-add-wh | "$BUILD"/tests/matrix/campaign_matrix wh 1000000000 1 add
matrix-pool-bh | "$BUILD"/tests/matrix/campaign_matrix bh 200000000 1 pool
matrix-pool-wh | "$BUILD"/tests/matrix/campaign_matrix wh 200000000 1 pool
matrix-all-bh | "$BUILD"/tests/matrix/campaign_matrix bh 200000000 1 all
unpack-random-bh | "$BUILD"/tests/unpack/campaign_unpack bh random 1000000 1
unpack-random-wh | "$BUILD"/tests/unpack/campaign_unpack wh random 1000000 1
unpack-pairs-bh | "$BUILD"/tests/unpack/campaign_unpack bh pairs 100000000 1
unpack-pairs-wh | "$BUILD"/tests/unpack/campaign_unpack wh pairs 100000000 1
matrix-all-wh | "$BUILD"/tests/matrix/campaign_matrix wh 200000000 1 all
threads-bh | scripts/campaign_asan.sh campaign_threads bh 100000000 1
threads-wh | scripts/campaign_asan.sh campaign_threads wh 100000000 1
units-bh | scripts/campaign_asan.sh campaign_threads bh 100000000 1 l1
units-wh | scripts/campaign_asan.sh campaign_threads wh 100000000 1 l1
expand-bh | "$BUILD"/tests/front/campaign_expand bh 1000000 1
expand-wh | "$BUILD"/tests/front/campaign_expand wh 1000000 1
dmareg-bh | "$BUILD"/tests/scalar/campaign_dmareg bh 10000000 1
dmareg-wh | "$BUILD"/tests/scalar/campaign_dmareg wh 10000000 1
riscv-bh | "$BUILD"/tests/riscv/campaign_qemu bh 100000000
riscv-wh | "$BUILD"/tests/riscv/campaign_qemu wh 100000000
riscv-code-bh | "$BUILD"/tests/riscv/campaign_translate bh 100000000
riscv-code-wh | "$BUILD"/tests/riscv/campaign_translate wh 100000000
riscv-extensions | "$BUILD"/tests/riscv/campaign_extensions 10000000
riscv-words-bh | scripts/campaign_asan.sh riscv/campaign_words bh 100000000
riscv-words-wh | scripts/campaign_asan.sh riscv/campaign_words wh 100000000
riscv-tile-bh | scripts/campaign_asan.sh tile/campaign_cores bh 100000000
riscv-tile-wh | scripts/campaign_asan.sh tile/campaign_cores wh 100000000
python-asan | scripts/campaign_python.sh
memory | env TX_MEMORY=all TX_SOURCE="$PWD" TENSIX="$BUILD"/tensix bash tests/cli/memory.sh
fuzz-tensor | scripts/campaign_fuzz.sh tensor 10000000
fuzz-npz | scripts/campaign_fuzz.sh npz 10000000
fuzz-npy | scripts/campaign_fuzz.sh npy 10000000
fuzz-budget | scripts/campaign_fuzz.sh budget 10000000
fuzz-json | scripts/campaign_fuzz.sh json 10000000
fuzz-asm | scripts/campaign_fuzz.sh asm 10000000
fuzz-words | scripts/campaign_fuzz.sh words 10000000
fuzz-vectors | scripts/campaign_fuzz.sh vectors 10000000
fuzz-formats | scripts/campaign_fuzz.sh formats 10000000
fuzz-elf | scripts/campaign_fuzz.sh elf 10000000
fuzz-gdb | scripts/campaign_fuzz.sh gdb 10000000
fuzz-lsp | scripts/campaign_fuzz.sh lsp 10000000
fuzz-debug | scripts/campaign_fuzz.sh debug 10000000
fuzz-state | scripts/campaign_fuzz.sh state 10000000
fuzz-fit | scripts/campaign_fuzz.sh fit 10000000
fuzz-dis | scripts/campaign_fuzz.sh dis 10000000
fuzz-reports | scripts/campaign_fuzz.sh reports 10000000
fuzz-options | scripts/campaign_fuzz.sh options 10000000
fuzz-unpack | scripts/campaign_fuzz.sh unpack 10000000
fuzz-tile | scripts/campaign_fuzz.sh tile 10000000
work | "$BUILD"/tests/security/campaign_work
whole | TX_WHOLE=1 scripts/test.sh
kinds | scripts/test.sh -L kinds
readme | scripts/walk_readme.sh --quick
presets | scripts/campaign_presets.sh
END
}

export BUILD=${BUILD:-build} JOBS=${JOBS:-$(nproc)}
results=$BUILD/campaign
export TENSIX_CACHE=$results/cache # of compiled kernels
machine="$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1), $JOBS jobs"
commit=$(git describe --always --dirty --abbrev=7 --exclude='*' 2>/dev/null || echo unknown)

row() { # name: prints the command
    table | sed -n "s/^$1 *| *//p"
}

run_line() { # name command
    local done=$results/$1.done log=$results/$1.log
    if [ -e "$done" ] && [ "${FORCE:-0}" != 1 ]; then
        echo "== $1: done before"
        sed 's/^/   /' "$done"
        return 0
    fi
    rm -f "$done"
    local date started=$SECONDS status result
    date=$(date -u '+%F %T UTC')
    echo "== $1"
    bash -c "$2" >"$log" 2>&1
    status=$?
    result=$(grep -v '^[[:space:]]*$' "$log" | tail -n 1)
    result=${result:-no output, exit status $status}
    {
        echo "date: $date"
        echo "commit: $commit"
        echo "machine: $machine"
        echo "command: $2"
        echo "result: $result"
        echo "seconds: $((SECONDS - started))"
    } >"$results/$1.part"
    sed 's/^/   /' "$results/$1.part"
    if [ "$status" -ne 0 ]; then
        rm -f "$results/$1.part"
        echo "   FAILED with exit status $status, see $log"
        return 1
    fi
    mv "$results/$1.part" "$done"
}

names=("$@")
if [ $# -eq 0 ]; then
    mapfile -t names < <(table | sed 's/ *|.*//')
fi
for name in "${names[@]}"; do
    if [ -z "$(row "$name")" ]; then
        echo "campaign: no line named $name; there are:" "$(table | sed 's/ *|.*//' | xargs)" >&2
        exit 2
    fi
done

scripts/deps.sh test || exit 1
CMAKE_ARGS="-DBUILD_TESTING=ON ${CMAKE_ARGS:-}" scripts/build.sh all campaigns || exit 1
mkdir -p "$results"
failed=0
for name in "${names[@]}"; do
    run_line "$name" "$(row "$name")" || failed=$((failed + 1))
done
echo "$((${#names[@]} - failed)) lines good, $failed failed"
[ "$failed" -eq 0 ]
