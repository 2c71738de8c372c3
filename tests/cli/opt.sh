#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix opt: shorter kernels that equal what was given, the kernel itself where nothing is shorter,
# and headers that give the words of the kernel file.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
macro=$TX_SOURCE/examples/kernels/macro
style=$TX_SOURCE/examples/llk_style
cd "$work"

# A field of --json, indented.
field() { sed -n "s/^  \"$2\": \(.*[^,]\),*\$/\1/p" "$1"; }

# What ships by hand: shorter in some, no longer in the others. NAME CHIP BEFORE AFTER DOMAIN
for case in 'max_fp32 bh 99 67 bf16xbf16' 'mul_u16 bh 99 98 fp32xfp32xfp32' \
    'exp_clamped bh 106 103 bf16' 'u32_to_u16_wh wh 68 68 fp32xfp32' \
    'recip_7bit bh 34 34 bf16' 'where bh 97 97 bf16xbf16xbf16'; do
    read -r name chip before after domain <<<"$case"
    "$TENSIX" opt "$macro/$name.s" --arch "$chip" --sample 4096 -o "$name.s" --header "$name.h" \
        --json >o.json
    same "$name" "$before $after" "$(field o.json cycles_before) $(field o.json cycles)"
    check "$name: equal" "$TENSIX" compare "$macro/$name.s" "$name.s" --arch "$chip" \
        --domain "$domain" --sample 20000
    # The header, recorded, gives the words of the kernel file.
    printf '#include "%s.h"\nvoid init() { ckernel::sfpu::_init_%s_(); }\n' "$name" "$name" >h.cpp
    printf 'void tile() { ckernel::sfpu::_calculate_%s_(); }\n' "$name" >>h.cpp
    "$TENSIX" record h.cpp --arch "$chip" --init init --tile tile --dst fp32 -I "$work" -o h.s
    "$TENSIX" asm h.s -o h.hex
    "$TENSIX" asm "$name.s" -o s.hex
    check "$name: its header has the words" cmp h.hex s.hex
done
"$TENSIX" opt "$macro/recip_bf16.s" --arch bh --json >o.json
check "a row that stores 16-bit data for itself" \
    grep -q '"kept": "what is found, a row every 3 cycles.*103 cycles a tile' o.json
"$TENSIX" expand "$macro/recip_bf16.s" --arch bh -o line.s >out
"$TENSIX" opt line.s --arch bh >out
check "and its line, as short as by hand" grep -q '^cycles  *103 a tile, 320 before$' out
check "through Dst" grep -q '^through Dst  *2 values of a row$' out
"$TENSIX" opt line.s --arch bh --json >o.json
check "JSON says so" grep -q '"through_dst": 2' o.json
"$TENSIX" opt "$macro/where.s" --arch bh --json >o.json
check "predicated rows, which take as long by hand" \
    grep -q '"kept": "what is found, a row every 3 cycles' o.json
"$TENSIX" opt "$macro/recip_7bit.s" --arch bh --sample 4096 --json >o.json
check "what is found is not shorter" grep -q '"kept": "what is found, a row every 1 cycles' o.json
same "nothing is below a row each cycle, which is found" 1 "$(field o.json bound)"

# C++ through a pipe, on both chips.
for chip in bh wh; do
    "$TENSIX" record "$style/relu.cpp" --arch "$chip" --tile kernel -o relu.s
    "$TENSIX" opt - --arch "$chip" -o fast.s --json <relu.s >o.json
    same "a recorded kernel on $chip" "66 null" "$(field o.json cycles) $(field o.json kept)"
    check "is shorter" test "$(field o.json cycles_before)" -gt 150
    check "and equal" "$TENSIX" compare relu.s fast.s --arch "$chip" --domain fp32 --sample 20000
done
"$TENSIX" opt relu.s --arch wh --sample 4096 >out
check "the report says what is proved" grep -q '^proof  *identical to the kernel as given on' out

# Rows that are too long for a search: their instructions in another order, and the header has
# the words.
for chip in bh wh; do
    "$TENSIX" record "$style/sigmoid.cpp" --arch "$chip" --tile kernel -o long.s
    "$TENSIX" opt long.s --sample 4096 --time 2 -o fast.s --header fast.h --json >o.json
    same "long rows on $chip" "1504 null true" \
        "$(field o.json cycles) $(field o.json kept) $(field o.json reordered)"
    check "are shorter" test "$(field o.json cycles_before)" -gt 1800
    check "and equal" "$TENSIX" compare long.s fast.s --domain fp32 --sample 20000
    printf '#include "fast.h"\nvoid init() { ckernel::sfpu::_init_long_(); }\n' >h.cpp
    printf 'void tile() { ckernel::sfpu::_calculate_long_(); }\n' >>h.cpp
    "$TENSIX" record h.cpp --arch "$chip" --init init --tile tile --dst fp32 -I "$work" -o h.s
    "$TENSIX" asm h.s -o h.hex
    "$TENSIX" asm fast.s -o s.hex
    check "its header has the words" cmp h.hex s.hex
done

# Values that move between lanes stay in their registers.
printf '.dst fp32\n.tile\nI = 0\n.rept 32\nsfpload L0,I,3,3\nsfpmad L1,L0,L0,L10,0\n' >lanes.s
printf 'sfpnop\nsfploadi L2,0x4000,0\nsfpmad L1,L1,L2,L10,0\nsfpnop\nsfpshft2 L0,L1,0,3\n' >>lanes.s
printf 'sfpnop\nsfpstore L0,I,3,3\nI = I + 2\n.endr\n' >>lanes.s
"$TENSIX" opt lanes.s --arch bh --sample 4096 -o fast.s --json >o.json
same "rows that move values between lanes" "256 true" \
    "$(field o.json cycles) $(field o.json reordered)"

refuses "no kernel" 2 'no kernel given' "$TENSIX" opt
printf '.arch bh\n.tile\n.word 0x8f000001\n' >odd.s
refuses "a word without a macro" 1 'no header: the word 8f000001 has no TTI_ macro' \
    "$TENSIX" opt odd.s --header odd.h
finish
