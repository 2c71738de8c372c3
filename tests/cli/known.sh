#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Rows of SrcA and SrcB that nobody has unpacked, or that an earlier tile has left: a finding where
# a result that depends on them leaves Dst, with the row's origin, and nowhere else.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
cd "$work"
cp "$TX_SOURCE/examples/tiles/tile.inc" .
npy x.npy f4 "(32, 32)" "[1 + i / 1024 for i in range(1024)]"

# program NAME UNPACK MATH: a kernel of three threads from L1 to L1; both texts are its .tile parts
program() {
    cat >"$1.s" <<END
.include "tile.inc"
.thread unpack
.init
    a_from 0x10000
    b_zeros
.tile
    unpack_begin
$2
.thread math
.init
    operands
.tile
$3
    dst_full p_stall::MATH | p_stall::WAIT_SFPU
.thread pack
.init
    l1_to 0x20000
.tile
    pack_begin
    pack_tile
    pack_end
END
}
findings() { # CHIP NAME [OPTION...]
    local chip=$1 name=$2
    shift 2
    "$TENSIX" run "$name.s" --arch "$chip" --l1 0x10000=x.npy:bf16 "$@" 2>&1 |
        grep '^finding' || true
}
four() { for _ in 1 2 3 4; do printf '%s\n' "$@"; done; }
moves="    copy_face 0
    copy_face 16
    copy_face 32
    copy_face 48"
few="    ttsetadcxx 1, 239, 0"
all="    ttsetadcxx 1, 255, 0"

program whole "$(four '    unpack_a' '    zero_b')" "$moves"
program never "$few
$(four '    unpack_a' '    zero_b')" "$moves"
program left "    unpack_a
    zero_b
    unpack_a
    zero_b
    unpack_a
    zero_b
$few
    unpack_a
    zero_b" "$moves"
program cleared "$few
$(four '    ttunpacr_nop_clear' '    unpack_a' '    zero_b')" "$moves"
# A row less is multiplied by the zeros of SrcB.
program zeros "$few
$(four '    unpack_a' '    zero_b')" "$(for f in 0 16 32 48; do
    printf '    ttelwmul 0, 0, 0, 0, %d\n    ttelwmul 3, 0, 0, 1, %d\n' "$f" $((f + 8))
done)"
# Modifier 0 goes on by eight rows, 1 back to the first; products add to what is there.
sed -i 's/^    operands$/&\n    .setcfg ADDR_MOD_AB_SEC0_SrcAIncr, 8\
    .setcfg ADDR_MOD_AB_SEC1_SrcAClear, 1/' zeros.s
sed -i 's/^    ttelwmul 0, 0, 0, 0, 0$/    clear_dst\n&/' zeros.s
# The Vector Unit takes the last rows of a face and gives them back.
program vector "$few
$(four '    unpack_a' '    zero_b')" "$moves
    ttstallwait p_stall::STALL_SFPU, p_stall::MATH
    sfpload L0, 12, 2, 3
    sfpload L1, 14, 2, 3
    sfpmad L0, L0, L10, L10, 0
    sfpnop
    sfpstore L0, 12, 2, 3"
for chip in bh wh; do
    clear='TTI_UNPACR_NOP(p_unpacr_nop::UNP0, 0, 0, 0, 0, 0, 0, p_unpacr_nop::CLR_SRC_0,
        p_unpacr_nop::CLR_SRC)'
    [ $chip = bh ] || clear='TTI_UNPACR_NOP(p_unpacr_nop::UNP0, p_unpacr_nop::UNP_ZEROSRC)'
    sed "s/ttunpacr_nop_clear/$(tr -d '\n' <<<"$clear")/" cleared.s >cleared-$chip.s
    same "$chip: none" "findings        none" "$(findings $chip whole)"
    check "$chip: a row that nobody has written" grep -q \
        'E-SRC.*PACR packs .* Dst row 15 .* row 15 of SrcA, bank 0, which nobody has written' \
        <(findings $chip never)
    check "$chip: a row that is left" grep -q \
        'E-SRC.*Dst row 63 .* row 15 .* bank 1, .* left from hand-over 1 .* hand-over 2 has' \
        <(findings $chip left)
    same "$chip: of that alone" 1 "$(findings $chip left | wc -l)"
    same "$chip: a bank that was cleared" "findings        none" "$(findings $chip cleared-$chip)"
    same "$chip: times zero" "findings        none" "$(findings $chip zeros)"
    check "$chip: through the Vector Unit" grep -q 'E-SRC.*Dst row 15 ' <(findings $chip vector)
    check "$chip: strict" grep -q 'which nobody has written.*E-SRC' \
        <("$TENSIX" run never.s --arch $chip --strict --l1 0x10000=x.npy:bf16 2>&1 || true)
done
check "rows and stores left out of the examples" \
    python3 "$TX_SOURCE/tests/tiles/mutants.py" "$TENSIX" "$TX_SOURCE/examples"
finish
