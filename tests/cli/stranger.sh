#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A function that nobody has told the emulator of, given as a formula only: a kernel for it is
# checked on both chips, against the formula itself, in three commands.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
cd "$work"

# smoothstep: t^2 (3 - 2 t), where t is x clamped to [0, 1].
cat >step.py <<'EOS'
def reference(x):
    t = min(max(x, 0), 1)
    return t * t * (3 - 2 * t)
EOS
cat >step.s <<'EOS'
.title  "smoothstep"
.dst    fp32
.tile
.loadi  L4, float(3.0)
.loadi  L5, float(-2.0)
ROW = 0
.rept 32
    sfpload  L0, ROW, 0, 3
    sfpmov   L1, L9, 0             # 0 below, 1 above
    sfpswap  L1, L0, 1             # L1 = min, L0 = max
    sfpnop
    sfpmov   L2, L10, 0
    sfpswap  L0, L2, 1             # L0 = min(1, max(0, x))
    sfpnop
    sfpmad   L3, L0, L5, L4, 0     # 3 - 2 t
    sfpnop
    sfpmul   L3, L0, L3, 0         # not t^2 first, which small t would lose
    sfpnop
    sfpmul   L0, L0, L3, 0
    sfpnop
    sfpstore L0, ROW, 0, 3
    ROW = ROW + 2
.endr
EOS
cat >commands <<'EOS'
tensix lint step.s --arch both
tensix sweep step.s --arch bh,wh --reference step.py --domain bf16:-4:4 --max-ulp 2
tensix sweep step.s --arch bh,wh --reference step.py --domain -1:2 --sample 100000 --max-ulp 2
EOS
check "at most three commands" test "$(wc -l <commands)" -le 3
PATH=$(dirname "$TENSIX"):$PATH
while read -r line; do
    got=0
    eval "$line" >out 2>&1 </dev/null || got=$?
    same "$line" 0 "$got"
    [ "$got" = 0 ] || head -n 5 out
done <commands

# A kernel that is not the formula does not pass, on either chip.
sed 's/float(3.0)/float(3.001)/' step.s >wrong.s
for chip in bh wh; do
    got=0
    tensix sweep wrong.s --arch $chip --reference step.py --domain bf16:-4:4 --max-ulp 2 \
        >out 2>&1 || got=$?
    same "another constant, $chip" 1 "$got"
done
# Nor does one that forgets Wormhole's latency.
sed '/sfpmad/{n;d}' step.s >early.s
got=0
tensix lint early.s --arch both >out 2>&1 || got=$?
same "a hazard of Wormhole" 1 "$got"
check "where it is" grep -q 'early.s:16: hazard \[E-HAZ\] wh' out
finish
