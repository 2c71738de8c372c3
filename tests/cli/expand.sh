#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix expand: every SFPLOADMACRO kernel has a straight-line form that agrees; refusals say why.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
kernels=$TX_SOURCE/examples/kernels/macro

special="[0.0, -0.0, 1e-40, 3e38, float('inf'), float('-inf'), float('nan'), 1.0, -1.0, 1e-38]"
npy "$work/float.npy" f4 "(3000,)" "[random.uniform(-9, 9) for _ in range(2990)] + $special"
npy "$work/int.npy" i4 "(3000,)" "[random.randint(-2**31, 2**31 - 1) for _ in range(2990)] + [
    0, 1, -1, 2**31 - 1, -2**31, 255, 65535, -65535, 2**24, -2**24]"
npy "$work/uint16.npy" u2 "(3000,)" "[random.randint(0, 65535) for _ in range(2997)] + [
    0, 1, 65535]"
npy "$work/uint.npy" u4 "(3000,)" "[random.randint(0, 2**32 - 1) for _ in range(2997)] + [
    0, 2**31, 2**32 - 1]"

# The two forms over the same array: agree NAME KERNEL ARCH
agree() {
    local name=$1 kernel=$2 arch=$3 dst inputs array=() file=float
    dst=$(sed -n 's/^\.dst *//p' "$kernel")
    inputs=$(sed -n 's/^\.inputs *//p' "$kernel")
    case $dst in int*) file=int ;; uint16*) file=uint16 ;; uint*) file=uint ;; esac
    for ((i = 0; i < ${inputs:-1}; i++)); do
        array+=(--in "$work/$file.npy")
    done
    array+=(--arch "$arch")
    "$TENSIX" run "$kernel" "${array[@]}" --out "$work/a.npy" >/dev/null 2>&1 || true
    "$TENSIX" run "$work/s.s" "${array[@]}" --out "$work/b.npy" >/dev/null 2>&1 || true
    check "$name: the same array" cmp "$work/a.npy" "$work/b.npy"
    rm -f "$work/a.npy" "$work/b.npy"
}

count=0
for kernel in "$kernels"/*.s; do
    for arch in bh wh; do
        own=$(sed -n 's/^\.arch *//p' "$kernel")
        if [ -n "$own" ] && [ "${own:0:1}" != "${arch:0:1}" ]; then
            continue
        fi
        name="$(basename "$kernel" .s) on $arch"
        check "$name" "$TENSIX" expand "$kernel" --arch "$arch" -o "$work/s.s" --tiles 16
        check "$name: no SFPLOADMACRO is left" bash -c \
            "test -s '$work/s.s' && ! grep -q sfploadmacro '$work/s.s'"
        # recip_bf16 reads 16-bit data back as soon as the original does.
        check "$name: no hazard" bash -c \
            "'$TENSIX' lint '$work/s.s' | grep ': hazard' | grep -vc '/s.s.*\[T-12\]' | grep -qx 0"
        agree "$name" "$kernel" "$arch"
        rm -f "$work/s.s"
        count=$((count + 1))
    done
done
same "kernels and chips" 52 "$count"
check "json" bash -c "'$TENSIX' expand '$kernels/where.s' --arch bh --json |
    python3 -c 'import json, sys; r = json.load(sys.stdin); assert r[\"equal\"] and r[\"text\"]'"

# macro TEMPLATE SEQUENCE INIT TILE: a kernel in which SFPLOADMACRO 0 schedules by this sequence.
macro() {
    printf '.arch blackhole\n.init\n    %s\n' "$1"
    printf '.loadi L0, 0x%s\n    sfpconfig 4,0,0\n    sfpconfig 8,0x103,1\n' "$2"
    printf '%s\n    sfpnop\n.tile\n%s\n    sfpnop\n    sfpnop\n    sfpnop\n    sfpnop\n' "$3" "$4"
}
# The vendor's clamped exp compares with L14, which stands where VD does; both readings of the mode.
for swap in 1 9 0; do
    what="SFPSWAP with a constant for VD, mode $swap"
    cat >"$work/clamp.s" <<EOS
.arch blackhole
.init
.loadi L0, 0xc0b10000
    sfpconfig 14,0,0
.loadi L0, 0x920000e$swap
    sfpconfig 0,0,0
.loadi L0, 0x13000004
    sfpconfig 4,0,0
    sfpconfig 8,0x103,1
    sfpnop
.tile
A = 0
.rept 32
    sfploadmacro 0,L0,A,3,3
    sfpnop
    sfpnop
    sfpnop
A = A + 2
.endr
    sfpnop
    sfpnop
EOS
    check "$what" "$TENSIX" expand "$work/clamp.s" -o "$work/s.s"
    agree "$what" "$work/clamp.s" bh
    rm -f "$work/s.s"
done
sed 's/0x920000e0/0x920000e2/' "$work/clamp.s" >"$work/rows.s"
refuses "SFPSWAP by rows with a constant for VD" 1 \
    'no straight-line form: cycle 1: SFPSWAP has L14 for VD, and its mode 2 has no counterpart' \
    "$TENSIX" expand "$work/rows.s"
# SFPAND of L14 and the loaded value, into another register than L14.
sed 's/0x920000e0/0x7e0000e0/' "$work/clamp.s" >"$work/and.s"
refuses "SFPAND with a constant for VD" 1 \
    'no straight-line form: cycle 1: SFPAND works on L14 and writes L0, which no instruction' \
    "$TENSIX" expand "$work/and.s"
# L16 = L0 * L1 + L2, stored, while L0 to L7 are all still to be read.
macro 'sfpmad L13,L0,L1,L2,0' 53004500 '.loadi L1,1
.loadi L2,2
.loadi L3,3
.loadi L4,4
.loadi L5,5
.loadi L6,6
.loadi L7,7' '    sfploadmacro 0,L0,0,3,3
    sfpnop
    sfpnop
    sfpadd L0,L0,L1,0
    sfpnop
    sfpstore L0,2,3,3
    sfpstore L1,4,3,3
    sfpstore L2,6,3,3
    sfpstore L3,8,3,3
    sfpstore L4,10,3,3
    sfpstore L5,12,3,3
    sfpstore L6,14,3,3
    sfpstore L7,16,3,3' >"$work/full.s"
refuses "no register is free" 1 \
    'no straight-line form: cycle 1: no free LReg for what SFPMAD writes to L16: L0 to L7 all' \
    "$TENSIX" expand "$work/full.s" -o "$work/y.npy"
# The destination is named by L7, another register in each lane.
macro 'sfpmad L13,L0,L1,L2,8' 13000500 '    sfpmov L7,L15,0' \
    '    sfploadmacro 0,L0,0,3,3' >"$work/indirect.s"
refuses "L7 differs by lane" 1 \
    'cycle 1: SFPMAD names its destination through L7, which differs by lane' \
    "$TENSIX" expand "$work/indirect.s" -o "$work/y.npy"

# expands NAME: $work/NAME.s has a straight-line form with the pattern in it.
expands() {
    check "$1" "$TENSIX" expand "$work/$2.s" -o "$work/s.s"
    check "$1: how" grep -Eq "$3" "$work/s.s"
    agree "$1" "$work/$2.s" bh
    rm -f "$work/s.s"
}
# L16 = L1 + L2 in some lanes, the sum of before stays in the others: moved under the same flags.
macro 'sfpiadd L12,L2,0,4' 530000c4 '.loadi L2,5
    sfpencc 3,10' '    sfploadmacro 0,L0,0,4,3
    sfpnop
    sfpnop
    sfpnop
    sfpsetcc L0,0,0
    sfploadmacro 0,L1,2,4,3
    sfpnop
    sfpencc 3,10
    sfpnop' >"$work/merge.s"
expands "a scheduled instruction under flags" merge '^ *sfpmov L[0-7],L[0-7],0$'
# The store in the second cycle of the scheduled SFPSWAP sees L2 as it was.
macro 'sfpswap L12,L2,1' 00000084 '.loadi L2,float(2.5)' '    sfploadmacro 0,L0,0,3,3
    sfpnop
    sfpstore L2,2,3,3
    sfpstore L2,4,3,3' >"$work/swap.s"
expands "an operand of SFPSWAP read late" swap '^ *sfpmov L[0-7],L2,2$'

refuses "nothing to expand" 1 'no SFPLOADMACRO' "$TENSIX" expand "$work/square.s" --arch bh
refuses "no kernel" 2 'no kernel given' "$TENSIX" expand
finish
