#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every n-th allocation fails, once: the command says so in one line, with status 2 and nothing
# else, or it does without and its output is the undisturbed one. TX_MEMORY=all: each n.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
if [[ ${CFLAGS:-} == *sanitize* ]] || ldd "$TENSIX" | grep -q 'lib[at]san'; then
    echo "skipped: the sanitizer has the allocator"
    exit 0
fi
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/allocations.bash"
TENSIX=$(realpath "$TENSIX")
cd "$work"

cat >k.s <<'EOS'
.arch blackhole
.dst fp32
.tile
    sfpload L0, 0, 3, 3
    sfpmul L1, L0, L0, 0
    sfpstore L1, 0, 3, 3
EOS
npy x.npy f4 "(64,)" "[i / 8 for i in range(64)]"

walk lint lint k.s
walk asm asm k.s
printf '.include "k.s"\n' >included.s
MOST=40 walk "asm with a file included" asm included.s
walk eval eval --arch bh sfpmul L1,L0,L0,0 L0=2.0
walk run run k.s --in x.npy --out y.npy --engine reference
walk "run, fast" run k.s --in x.npy --out y.npy --engine fast --reference exp
walk trace trace k.s
PARTLY=1 MOST=60 walk debug debug k.s --in x.npy -c 'watch L1[3]' -c c -c 'break sfpstore' -c rc \
    -c 'goto end' -c 'why dst[0][0]' -c 'pipeline 4' -c regs -c info
walk "debug --json" debug k.s --json -c 'goto end'
MOST=60 walk "run --profile" run k.s --profile
walk "run --profile --json" run k.s --profile --json
walk "run --profile, into a file" run k.s --profile=out.csv
walk sweep sweep k.s --domain bf16 --reference exp --jobs 1 --csv out.csv --engine fast
walk "lint --json" lint --json k.s
walk "eval --json" eval --json --arch bh sfpmul L1,L0,L0,0 L0=2.0
walk "explain --json" explain --json sfpmul
walk "run --json" run --json k.s --in x.npy --out y.npy --engine reference
MOST=5 walk "isa --json" isa --json

# Memory that stays short: what is printed is whole, or refused, and never an answer.
short() { # LIMITS COMMAND...
    local limit status wrong=0 refused=0 limits=$1
    shift
    "$TENSIX" "$@" >whole
    for limit in $limits; do
        status=0
        (ulimit -v "$limit" && exec "$TENSIX" "$@") >now 2>err || status=$?
        if [ $status = 1 ] || { [ $status = 0 ] && ! cmp -s whole now; }; then
            wrong=$((wrong + 1))
        elif [ $status = 2 ] && grep -q 'out of memory' now err; then
            refused=$((refused + 1))
        fi
    done
    same "short memory: $1: texts cut off, other answers" 0 $wrong
    check "short memory: $1: refused" test $refused -gt 0
}
short "$(seq 9000 800 21000)" isa --json
short "$(seq 9000 60 14000)" expand "$TX_SOURCE/examples/kernels/macro/exp_clamped.s" --arch bh
finish
