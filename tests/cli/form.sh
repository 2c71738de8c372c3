#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix fit --form: what it writes runs, lint has nothing to say of it, and the search goes on from
# it; a budget takes degrees away; what cannot be written is refused.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
cd "$work"

field() { sed -n "s/^ *\"$2\": \([^,]*\),*\$/\1/p" "$1" | head -1; }
fit() {
    "$TENSIX" fit --reference exp2 --domain bf16:-126:127.9 --restarts 1 --no-progress "$@"
}

fit --form poly:3 --arch bh --dst bf16 -o exp2.s >out
check "a report of the form" grep -q '^form  *poly:3 of exp2$' out
check "and of the search" grep -q '^after  *max 1 ULP' out
check "lint is content" "$TENSIX" lint exp2.s
"$TENSIX" sweep exp2.s --domain bf16:-126:127.9 --json >s.json
check "what it says it is" bash -c "grep -q 'cycles_per_tile\": 416' s.json"
same "free constants" 3 "$(grep -c '^\.free' exp2.s)"

fit --form poly:6 --arch wh --budget 450 --json >b.json
same "a budget" true "$(field b.json reduced)"
check "is kept" test "$(field b.json row_cycles | cut -d. -f1)" -le 14
refuses "too small a budget" 1 'more than the budget of 99' \
    "$TENSIX" fit --form poly:6 --reference exp2 --arch wh --budget 99
refuses "no table for it" 1 'neither odd' "$TENSIX" fit --form lut:6 --reference exp2 --arch wh
refuses "no such form" 2 'a form is poly:N' "$TENSIX" fit --form poly --reference exp2 --arch wh
refuses "for which chip" 2 'needs an --arch' "$TENSIX" fit --form poly:3 --reference exp2
refuses "of what" 2 '\-\-reference' "$TENSIX" fit --form poly:3 --arch bh
refuses "a kernel and a form" 2 'none can be given' "$TENSIX" fit --form poly:3 exp2.s
refuses "a budget for a kernel" 2 'goes with --form' "$TENSIX" fit exp2.s --budget 3

refuses "a merge of nothing" 2 'merge takes a kernel' "$TENSIX" fit merge exp2.s
refuses "a merge that searches" 2 'merge searches nothing' \
    "$TENSIX" fit merge exp2.s part --shard 1/2
refuses "a part of something else" 2 'not the state of this fit' \
    "$TENSIX" fit merge exp2.s b.json --domain bf16
for i in 1 2; do
    "$TENSIX" fit exp2.s --domain bf16:1:2 --shard $i/2 --resume part.$i --restarts 1 \
        >/dev/null 2>&1
done
check "parts merged" "$TENSIX" fit merge exp2.s part.1 part.2 --domain bf16:1:2 -o merged.s
check "are swept" grep -q "^after  *max" "$work/last.out"

# A reference from a file, as sweep has it: twice as large, so the free factor doubles.
cat >double.s <<'EOS'
.arch bh
.dst fp32
.free c = float(1.25) in fp32
.init
.loadi L6, c
.tile
I = 0
.rept 32
    sfpload  L0, I, 0, 3
    sfpmul   L1, L0, L6, 0
    sfpnop
    sfpstore L1, I, 0, 3
    I = I + 2
.endr
EOS
printf 'def reference(x):\n    return 2 * x\n' >double.py
check "a reference in Python" \
    "$TENSIX" fit double.s --domain fp32:-4:-3,1:2 --sample 3000 --reference double.py \
    --restarts 1 -o twice.s
check "is what it is fitted to" grep -q '^\.free c = float(2) in fp32' twice.s
sed 's/^\.arch/.reference double.py\n&/' double.s >named.s
refuses "a program that the kernel names" 2 'which only the caller may name' "$TENSIX" fit named.s
refuses "leaves out something else" 2 "'zero' is not flushed" \
    "$TENSIX" fit double.s --reference exp --without zero

"$TENSIX" fit --form lut:3 --reference tanh --arch wh -o tanh.s >out
check "a table is optimal" grep -q 'optimal: of 198147 pairs' out
check "lint is content with it" "$TENSIX" lint tanh.s
finish
