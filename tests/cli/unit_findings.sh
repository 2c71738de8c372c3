#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What goes wrong between threads and units, each by a program on both chips: the finding is there,
# says what, and stops strict mode with status 1 and no output file; the program as it should be has
# none.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
tiles=$TX_SOURCE/examples/tiles
cd "$work"
cp "$tiles/tile.inc" .
npy x.npy f4 "(32, 32)" "[float(i % 7 - 3) for i in range(1024)]"
inputs=(--l1 0x10000=x.npy:bf16 --l1 0x18000=x.npy:bf16)

# finds NAME PROGRAM FINDING TEXT [OPTION...]: on both chips, in silicon and in strict mode.
finds() {
    local name=$1 program=$2 finding=$3 text=$4 chip got
    shift 4
    for chip in bh wh; do
        got=0
        "$TENSIX" run "$program" --arch $chip "$@" >out 2>err || got=$?
        same "$name on $chip: it goes on" "0 " "$got $(cat err)"
        check "$name on $chip: $finding" grep -qF "[$finding]" out
        check "$name on $chip: what" grep -qF -- "$text" out
        got=0
        "$TENSIX" run "$program" --arch $chip --strict "$@" \
            --l1-out 0x2000:bf16:32x32=no.npy >out 2>err || got=$?
        same "$name on $chip: strict status, lines" "1 1" "$got $(wc -l <err)"
        check "$name on $chip: no file" test ! -e no.npy
        rm -f no.npy
    done
}
# clean NAME PROGRAM: neither chip has anything to say.
clean() {
    local chip
    for chip in bh wh; do
        "$TENSIX" run "$2" --arch $chip "${inputs[@]}" >out 2>&1 || true
        check "$1 on $chip: nothing" grep -q '^findings *none$' out
    done
}
# edit PROGRAM SCRIPT: a program of examples/tiles, changed.
edit() {
    sed "$2" "$tiles/$1.s" >"$1-$3.s"
    if cmp -s "$tiles/$1.s" "$1-$3.s"; then
        not_ok "$1-$3.s: nothing was changed"
    fi
}

# A bank that is not its own: read by the form that does not wait, and written.
edit datacopy '/^face = 0/i\    ttmovdbga2d 0, 0, 0, 0, 0' unowned
finds "reading a bank" datacopy-unowned.s E-SRCBANK \
    "MOVDBGA2D reads a bank of SrcA that the Matrix Unit does not own" "${inputs[@]}"
edit datacopy '/^face = 0/i\    ttmovd2b 0, 0, 0, 0, 0' written
finds "writing a bank" datacopy-written.s E-SRCBANK \
    "MOVD2B writes a bank of SrcB that the Matrix Unit does not own" "${inputs[@]}"

# A bank in use is given once more.
cat >again.s <<'EOS'
.thread unpack
.tile
    ttsetdvalid 1
    ttsetdvalid 1
    ttsetdvalid 1
EOS
finds "a bank in use" again.s M19 "SETDVALID of a bank of SrcA that the Matrix Unit has already" \
    "${inputs[@]}"

# Rows that the packer reads: by a move, by many products at once, by zeroing.
for chip in bh wh; do # at one distance or another
    told=0
    for nops in 0 1 2 3 4 5 6 7 8; do
        sed "/unpack_begin/,/^.thread math/s/^.thread math/    unpack_b 0\n    unpack_a 0\n&/
/dst_full/a\\.rept $nops\n    ttnop\n.endr\n    ttmvmul 0, 0, 0, 0" "$tiles/matmul.s" >late.s
        "$TENSIX" run late.s --arch $chip "${inputs[@]}" >out
        told=$((told + $(grep -c 'MVMUL writes rows of Dst that a packer is reading' out || true)))
    done
    check "rows that are packed, products on $chip: $told" test $told -ge 1 -a $told -le 8
done
edit datacopy '/dst_full/a\.rept 7\n    ttnop\n.endr\n    clear_dst' zeroed
finds "rows that are packed, zeroed" datacopy-zeroed.s E-PACK-DST \
    "ZEROACC writes rows of Dst that a packer is reading" "${inputs[@]}"

# L1: never written, beyond the end, misaligned.
finds "L1 that nobody wrote" "$tiles/datacopy.s" E-L1INIT "" --l1 0x18000=x.npy:bf16
edit datacopy 's/a_from 0x10000/a_from 0x17fff0/' beyond
finds "beyond L1" datacopy-beyond.s E-L1 "" "${inputs[@]}"
edit transpose '/^    unpack_begin/a\    ttsetadcxx 1, 255, 3' odd
finds "a misaligned face" transpose-odd.s E-UNPACK \
    "Tileize_mode or Haloize_mode and an address that is no multiple of 16 bytes" "${inputs[@]}"

# Configuration under a packer at work, and right before who reads it.
edit datacopy '/pack_tile/a\    ttrmwcib0 255, 1, BLACKHOLE ? 70 : 58' config
finds "configuration of a packer" datacopy-config.s E-PACK-CONFIG \
    "is changed while a packer works with it" "${inputs[@]}"
edit datacopy '0,/    unpack_a/s//    ttwrcfg 60, 0, BLACKHOLE ? 76 : 64\n    unpack_a/
/a_from/a\    ttsetdmareg 0, 0xFFF, 0, 120\n    ttsetdmareg 0, 0, 0, 121' soon
finds "configuration too soon" datacopy-soon.s E-CFGSOON \
    "UNPACR right behind the write of configuration word" "${inputs[@]}"

# A STALLWAIT that is missing: Matrix Unit to Vector Unit, there and back, behind a move.
edit matmul_relu 's/ttstallwait p_stall::STALL_SFPU.*/sfpload L0, 56, 2, 3/' unwaited
finds "no wait for products" matmul_relu-unwaited.s E-FPU "" "${inputs[@]}"
edit add 's/^    ttelwadd 3, 0,/    sfpstore L9, 16 * face + 8, 2, 3\n    ttelwadd 3, 1,/' stored
finds "no wait for stores" add-stored.s E-STOREDST \
    "ELWADD reads rows of Dst that SFPSTORE has written less than four cycles before" "${inputs[@]}"

clean "datacopy" "$tiles/datacopy.s"
clean "matmul" "$tiles/matmul.s"
clean "matmul_relu" "$tiles/matmul_relu.s"
finish
