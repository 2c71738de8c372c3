#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix schedule: from the straight line alone the distance of rows that shipping kernels have, or
# a smaller one, with the word for what is proved; refusals say why. The long ones of
# tests/schedule are a campaign's (scripts/campaign.sh schedule).
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
bodies=$TX_SOURCE/tests/schedule
cd "$work"

# A field of the report: of --json, indented.
field() { sed -n "s/^  \"$2\": \([^,]*\),*\$/\1/p" "$1"; }

while IFS=$'\t' read -r name chips hand; do
    case $name in '#'* | mul_i32 | mul_u16_wh | recip_fp32) continue ;; esac
    # One chip of two, by turns, saves half of the time; the campaign runs both.
    chip=${chips%,*}
    [ $((hand % 2)) -eq 0 ] || chip=${chips#*,}
    "$TENSIX" schedule "$bodies/$name.s" --arch "$chip" -o s.s --json >s.json 2>&1 || true
    check "$name on $chip: no more than by hand" test "$(field s.json ii)" -le "$hand"
    same "$name: and optimal" true "$(field s.json optimal)"
    check "$name: by macros" grep -q 'sfploadmacro' s.s
done <"$bodies/hand.tsv"

# Placing one after another does not come to these, clauses do; mul_i32 by hand takes 8.
for case in 'mul_i32 bh 7' 'mul_u16_wh wh 12'; do
    read -r name chip ii <<<"$case"
    "$TENSIX" schedule "$bodies/$name.s" --arch "$chip" --ii "$ii" -o s.s --json >s.json
    same "$name" "$ii" "$(field s.json ii)"
    check "$name: equal" "$TENSIX" compare "$bodies/$name.s" s.s --arch "$chip" \
        --domain bf16xbf16 --sample 20000
done

"$TENSIX" schedule "$bodies/max_fp32.s" --arch bh -o s.s >out
same "one cycle less than by hand" "II              2 cycles a row, optimal" "$(head -1 out)"
check "which is equal" "$TENSIX" compare "$bodies/max_fp32.s" s.s --arch bh \
    --domain bf16xbf16 --sample 20000
check "a pause does no harm" bash -c "'$TENSIX' run s.s --arch bh --gaps all=0..1 |
    grep -q 'no pattern changes the result'"
"$TENSIX" schedule "$bodies/max_fp32.s" --arch wh --ii 4 --json >s.json
same "II as asked for" "4 false" "$(field s.json ii) $(field s.json optimal)"
refuses "an II below the bound" 1 'bound is 2: issue slots' \
    "$TENSIX" schedule "$bodies/max_fp32.s" --arch bh --ii 1
refuses "nothing to schedule with" 1 'no schedule: every placement was refuted' \
    "$TENSIX" schedule "$bodies/u16_to_bf16.s" --arch bh --ii 1 --reserve t3
refuses "no sequence left" 1 'no schedule: every placement was refuted' \
    "$TENSIX" schedule "$bodies/signbit_i32.s" --arch bh --ii 1 --reserve L0,s3
# max(x, 0) times a constant: SFPSWAP names L9, which keeps its value, so reading it is no hazard.
cat >relu.s <<'END'
.dst fp32
.init
.loadi L1, float(1.5)
.tile
I = 0
.rept 32
    sfpload     L0, I, 3, 0
    sfpswap     L0, L9, 9
    sfpmul      L0, L0, L1, 0
    sfpnop
    sfpstore    L0, I, 3, 0
    I = I + 2
.endr
END
for chip in bh wh; do
    "$TENSIX" schedule relu.s --arch "$chip" --sample 4096 --json >s.json || true
    same "a constant register on $chip" "2 true" "$(field s.json ii) $(field s.json optimal)"
done
cat >chain.s <<'END'
.dst fp32
.init
.loadi L4, float(0.5)
.tile
I = 0
.rept 32
    sfpload     L0, I, 3, 3
    sfpstochrnd L0, L4, L0, 0, 1, 0
    sfpmad      L0, L11, L0, L12, 0
    sfpnop
    sfpswap     L0, L9, 9
    sfpnop
    sfpstore    L0, I, 3, 3
    I = I + 2
.endr
END
"$TENSIX" schedule chain.s --arch bh -o s.s --json >s.json
same "a value goes through L16 and Dst" "2 1 true" \
    "$(field s.json ii) $(field s.json through_dst) $(field s.json optimal)"
check "and comes back as it was" "$TENSIX" compare chain.s s.s --arch bh --domain fp32 \
    --sample 20000
"$TENSIX" schedule chain.s --arch bh --reserve dst --json >s.json
same "Dst is for results" "3 0 true" \
    "$(field s.json ii) $(field s.json through_dst) $(field s.json optimal)"
printf '.dst fp32\n.init\n.loadi L5, float(1.0)\n.tile\nI=0\n.rept 4\nsfpnot L0, L5\n' >fill.s
printf 'sfpstore L0, I, 3, 3\nI=I+2\n.endr\n' >>fill.s
"$TENSIX" schedule fill.s --arch bh --json >s.json
same "rows that load nothing" "1 true" "$(field s.json ii) $(field s.json optimal)"
refuses "what can be reserved" 2 'L0..L7, t0..t3, s0..s3 and dst' \
    "$TENSIX" schedule "$bodies/signbit_i32.s" --arch bh --reserve L8
refuses "no kernel" 2 'no kernel given' "$TENSIX" schedule

# A body of two rows, LINES...: why it is refused.
body() {
    {
        printf '.dst fp32\n.inputs 1\n.init\n.tile\nI = 0\n.rept 4\n'
        printf '%s\n' "$@"
        printf 'I = I + 2\n.endr\n'
    } >body.s
}
no() { # NAME PATTERN LINES...
    body "${@:3}"
    refuses "$1" 1 "$2" "$TENSIX" schedule body.s --arch bh
}
load='sfpload L0, I, 3, 3'
store='sfpstore L0, I, 3, 3'
store_negative='sfpstore L9, I, 3, 3'
no "two stores" 'more than one store' "$load" "$store" \
    'sfpabs L0, L0, 1' 'sfpstore L0, I + 64, 3, 3'
no "nothing stored" 'nothing is stored' "$load" 'sfpabs L0, L0, 1'
no "lanes" 'moves values between lanes' "$load" 'sfpshft2 L0, L0, 0, 3' sfpnop "$store"
no "transposed" 'moves values between lanes' "$load" 'sfptransp' "$store"
no "flags that stay" 'flags that SFPSETCC sets stay' 'sfpencc 3, 10' "$load" 'sfpsetcc L0, 0, 0' \
    'sfpnot L0, L0' "$store"
no "predication that ends" 'SFPENCC in .tile changes' 'sfpencc 3, 10' "$load" 'sfpencc 2, 10' \
    "$store"
no "a stack of others" 'SFPPOPC takes what rows' 'sfpencc 3, 10' "$load" 'sfppopc 0' "$store"
no "random" 'random word' "$load" 'sfpstochrnd L0, L0, L0, 0, 1, 1' "$store"
no "from row to row" 'hands none to the next' "$load" \
    'sfpiadd L1, L0, 0, 4' 'sfpstore L1, I, 3, 3'
no "through Dst" 'through Dst' "$load" "$store" "$load" 'sfpstore L0, I + 64, 3, 3'
no "constants by lane" 'set constants that differ by lane' "$load" 'sfploadi L1, 0x4049, 8' \
    'sfpmad L0, L1, L0, L10, 0' sfpnop "$store"
no "an alias" 'address 512 of Dst, which has 512 rows of 32 bits' 'sfpload L0, I + 512, 3, 3' \
    'sfpabs L0, L0, 1' "$store"
no "other units" 'only vector instructions' "$load" 'ttzeroacc 3,1,0,1,0' "$store"

# What a recording has in its rows, and a schedule has in .init or not at all.
row() { # NAME II PATTERN LINES...: scheduled, equal, and the text has PATTERN
    body "${@:4}"
    "$TENSIX" schedule body.s --arch bh -o s.s --json >s.json 2>&1 || true
    same "$1" "$2 true" "$(field s.json ii) $(field s.json optimal)"
    check "$1: as it should be written" grep -q "$3" s.s
    check "$1: equal" "$TENSIX" compare body.s s.s --arch bh --domain fp32 --sample 20000
}
row "constants in a row, in two parts" 1 'L0, 0x40490fdb' "$load" 'sfploadi L1, 0x4049, 8' \
    'sfploadi L1, 0x0fdb, 10' 'sfpmad L0, L1, L0, L10, 0' sfpnop "$store"
{
    printf '.dst fp32\n.init\n.loadi L0, float(0.5)\nsfpconfig 14, 0, 0\n.tile\nI = 0\n.rept 4\n'
    printf '%s\n' "$load" 'sfploadi L1, 0x3e80, 0' 'sfpmad L0, L1, L0, L10, 0' sfpnop "$store"
    printf 'I = I + 2\n.endr\n'
} >set.s
"$TENSIX" schedule set.s --arch bh -o s.s --json >s.json
same "a constant beside one that .init sets" "1 true" "$(field s.json ii) $(field s.json optimal)"
row "a constant that there is" 1 'sfpmad VD,L10,L0,L8,0' "$load" 'sfploadi L1, 0x3f56, 8' \
    'sfploadi L1, 0x594b, 10' 'sfploadi L2, 0x3f80, 0' 'sfpmad L0, L2, L0, L1, 0' sfpnop "$store"
row "more constants than L12 to L14" 5 'L6, 0x3e800000' "$load" 'sfploadi L1, 0x3e80, 0' \
    'sfpmad L0, L1, L0, L10, 0' sfpnop 'sfploadi L1, 0x3f00, 0' 'sfpmad L0, L1, L0, L10, 0' sfpnop \
    'sfploadi L1, 0x3f10, 0' 'sfpmad L0, L1, L0, L10, 0' sfpnop 'sfploadi L1, 0x3f20, 0' \
    'sfpmad L0, L1, L0, L10, 0' sfpnop 'sfploadi L1, 0x3f30, 0' 'sfpmad L0, L1, L0, L10, 0' \
    sfpnop "$store"
row "work done twice" 1 'sfpiadd' "$load" 'sfpmov L1, L0, 0' 'sfpiadd L1, L11, 0, 4' \
    'sfpiadd L0, L11, 0, 4' 'sfpmov L0, L1, 0' "$store"
row "counters that move" 1 'sfploadmacro 0, L0, I + 0, 3, 3' 'sfpload L0, 0, 3, 3' \
    'sfpabs L0, L0, 1' 'sfpstore L0, 0, 3, 3' 'ttincrwc 0, 2, 0, 0'
row "a pass before it, through Dst" 2 sfpmad "$load" 'sfpmul L0, L0, L11, 0' sfpnop "$store" \
    'sfpload L1, I, 3, 3' 'sfpmad L0, L1, L0, L10, 0' sfpnop "$store"
# Predicated rows: flags, what runs under them, and what must not come in between.
masked() { # NAME II PATTERN LINES...: found and equal; what lies between bound and II stays open
    body 'sfpencc 3, 10' "${@:4}"
    "$TENSIX" schedule body.s --arch bh -o s.s --json >s.json 2>&1 || true
    same "$1" "$2" "$(field s.json ii)"
    check "$1: as it should be written" grep -q "$3" s.s
    check "$1: equal" "$TENSIX" compare body.s s.s --arch bh --domain fp32 --sample 20000
}
masked "a masked instruction" 3 'sfpsetcc' "$load" 'sfpsetcc L0, 0, 0' 'sfpnot L0, L0' \
    'sfpencc 3, 10' "$store"
masked "a masked store" 3 'sfpencc' "$load" 'sfpsetcc L0, 0, 4' "$store_negative" 'sfpencc 3, 10'
masked "a masked constant" 3 'sfploadi' "$load" 'sfpsetcc L0, 0, 0' 'sfploadi L0, 0x3f80, 0' \
    'sfpencc 3, 10' "$store"
masked "both halves of a masked constant" 2 '0x3f801234' "$load" 'sfpsetcc L0, 0, 0' \
    'sfploadi L1, 0x3f80, 8' 'sfploadi L1, 0x1234, 10' 'sfpmad L0, L0, L1, L10, 0' sfpnop \
    'sfpencc 3, 10' "$store"
masked "an entry of the stack within another" 7 'sfpencc' "$load" 'sfploadi L1, 0, 0' 'sfppushc 0' \
    'sfppushc 0' 'sfpsetcc L0, 0, 6' 'sfploadi L1, 1, 2' 'sfppopc 0' 'sfpsetcc L1, 0, 2' \
    'sfpnot L0, L0' 'sfppopc 0' "$store"
body 'sfpencc 3, 10' "$load" 'sfpsetcc L0, 0, 0' "$store_negative" 'sfpstore L10, I + 64, 3, 3' \
    'sfpencc 3, 10'
refuses "two masked stores under the same flags" 1 'more than one store' \
    "$TENSIX" schedule body.s --arch bh
# The stack, the other branch, and a register of which both branches leave nothing.
body 'sfpencc 3, 10' "$load" 'sfppushc 0' 'sfpsetcc L0, 0, 0' 'sfpmul L1, L0, L0, 0' sfpnop \
    sfpcompc 'sfpmad L1, L0, L10, L10, 0' sfpnop 'sfppopc 0' 'sfpstore L1, I, 3, 3'
for chip in bh wh; do
    "$TENSIX" schedule body.s --arch "$chip" -o s.s --json >s.json
    check "two branches on $chip: shorter" \
        test "$(field s.json cycles)" -lt "$(field s.json straight_cycles)"
    check "two branches on $chip: equal" "$TENSIX" compare body.s s.s --arch "$chip" \
        --domain fp32 --sample 20000
done

# Words around the rows, as the vendor's entry points have them, stay; those between rows go.
cat >around.s <<'END'
.dst fp32
.start vendor
.init
    sfpconfig 15, 0, 1
    sfpmad L12, L0, L0, L0, 0
    ttsetc16 54, 2
.tile
    ttsetc16 1, 0
    ttstallwait 256, 16
.rept 4
    sfpload L0, 0, 0, 7
    sfpexexp L1, L0, 1
    sfpiadd L0, L1, 0, 4
    sfpstore L0, 0, 0, 7
    ttincrwc 0, 2, 0, 0
.endr
    ttsetrwc 0, 0, 0, 0, 0, 4
    ttsetc16 54, 0
END
"$TENSIX" schedule around.s --arch bh -o s.s --json >s.json
same "words around rows" "2 true" "$(field s.json ii) $(field s.json optimal)"
same "they stay where they are" "ttsetc16 ttstallwait ttsetc16" \
    "$(sed -n '/^\.tile/,$p' s.s | grep -o 'tt[a-z0-9]*' | tr '\n' ' ' | sed 's/ $//')"
check "and the kernel is equal" \
    "$TENSIX" compare around.s s.s --arch bh --domain fp32 --sample 20000
check "a template that nobody uses any more is left out" bash -c '! grep -q "sfpmad" s.s'
sed 's/ttincrwc 0, 2, 0, 0/ttsetc16 1, 0\n&/' around.s >between.s
refuses "configuration between rows" 1 'SETC16 between rows' \
    "$TENSIX" schedule between.s --arch bh
printf '.dst fp32\n.tile\nI=0\n.rept 8\nsfploadi L0,0x3dfc,8\nsfploadi L0,0xd6ea,10\n' >fill.s
printf 'sfpstore L0, I, 3, 3\nI = I + 2\n.endr\n' >>fill.s
"$TENSIX" schedule fill.s --arch wh -o s.s --json >s.json
same "a constant that is stored, from a register that stores can name" "1 true L7" \
    "$(field s.json ii) $(field s.json optimal) $(grep -o 'L7' s.s | head -1)"
printf '.dst fp32\n.output 1\n.tile\nI=0\n.rept 32\n%s\nsfpabs L0,L0,1\n' "$load" >out.s
printf 'sfpstore L0, I + 64, 3, 3\nI = I + 2\n.endr\n' >>out.s
"$TENSIX" schedule out.s --arch bh -o s.s --json >s.json
same "a result that goes where no input is" "2 true" "$(field s.json ii) $(field s.json optimal)"
"$TENSIX" schedule relu.s --arch bh --sample 4096 --json >s.json
same "the straight line takes the stalls of SFPSWAP, too" 192 "$(field s.json straight_cycles)"

# Two faces of four, as VectorMode::C takes them: addresses that are on no line are all written out.
{
    printf '.dst fp32\n.tile\n'
    for at in 0 2 4 6 32 34 36 38; do
        printf 'sfpload L0, %s, 3, 3\nsfpabs L0, L0, 1\nsfpstore L0, %s, 3, 3\n' "$at" "$at"
    done
} >faces.s
"$TENSIX" schedule faces.s --arch wh -o s.s --json >s.json
same "faces of a tile" "1 true 10" \
    "$(field s.json ii) $(field s.json optimal) $(field s.json cycles)"
check "and nothing else of it" "$TENSIX" compare faces.s s.s --arch wh --domain fp32 --sample 20000
no "halves" 'two stores make one datum' "$load" 'sfpabs L0, L0, 1' "$store" \
    'sfpnot L1, L0' 'sfpstore L1, I, 14, 3'

# Shipping macro kernels, written out and scheduled anew: at most what they take by hand, a row and
# a tile.
while IFS=$'\t' read -r name chip ii hand tile; do
    # two that are written out as recip_fp32_replayed is, but for the order
    case $name in '#'* | recip_fp32 | recip_fp32_l16) continue ;; esac
    "$TENSIX" expand "$TX_SOURCE/examples/kernels/macro/$name.s" --arch "$chip" -o e.s >/dev/null
    "$TENSIX" schedule e.s --arch "$chip" --ii "$ii" --sample 4096 --json -o s.s >s.json || true
    same "expanded $name" "$ii yes yes" "$(field s.json ii) $([ "$ii" -le "$hand" ] && echo yes) \
$([ "$(field s.json cycles)" -le "$tile" ] && echo yes)"
    [ "$name" != recip_bf16 ] || {
        mv s.s passing.s
        mv e.s line.s
        # UINT16 and LO16 are one here.
        sed 's/^\( *sfpload L[0-7],[0-9]*\),6,3/\1,9,3/' line.s >low.s
    }
done <"$bodies/expanded.tsv"

# recip_bf16 takes 16-bit data back from Dst in another format, as it does by hand: with T-12 alone.
check "recip_bf16 through Dst" "$TENSIX" compare \
    "$TX_SOURCE/examples/kernels/macro/recip_bf16.s" passing.s --arch bh --domain bf16
"$TENSIX" lint passing.s --arch bh >out || true
check "and with its findings" grep -q '64 hazards, 0 other' out
same "and no others" "" "$(grep 'hazard \[' out | grep -v T-12)"
check "the machine's own store names L0" grep -q 'store.vd@' passing.s

# Without Dst a row comes every 4 cycles and has no such finding. Where the order of the bits below
# the sign matters, nothing stands for the load, and rows go through Dst at any distance.
"$TENSIX" schedule line.s --arch bh --reserve dst -o recip.s --json >s.json
same "recip_bf16 without Dst, rows" 4 "$(field s.json ii)"
check "recip_bf16 without Dst" "$TENSIX" compare \
    "$TX_SOURCE/examples/kernels/macro/recip_bf16.s" recip.s --arch bh --domain bf16
check "and without its findings" "$TENSIX" lint recip.s --arch bh
"$TENSIX" schedule low.s --arch bh --ii 4 --json >s.json
same "by LO16" 4 "$(field s.json ii)"
again='sfpload L0, I, 2, 3\nsfpstore L0, I, 2, 3\nsfpload L1, I, 6, 3\nsfpabs L1, L1, 0\n'
{
    printf '.dst bf16\n.tile\nI = 0\n.rept 8\n%b' "$again"
    printf 'sfpstore L1, I, 6, 3\nI = I + 2\n.endr\n'
} >bits.s
refuses "the bits of BF16 as a number" 1 'not proven .T-12.' "$TENSIX" schedule bits.s --arch bh
{
    printf '.dst bf16\n.tile\nI = 0\n.rept 8\n%bsfpshft L1, L1, 16, 1\n' "$again"
    printf 'sfpstore L1, I, 2, 3\nI = I + 2\n.endr\n'
} >bits.s
"$TENSIX" schedule bits.s --arch bh -o s.s --json >s.json
same "through Dst" "2 1" "$(field s.json ii) $(field s.json through_dst)"
check "and equal" "$TENSIX" compare bits.s s.s --arch bh --domain bf16
refuses "unless Dst is reserved" 1 'not proven .T-12.' \
    "$TENSIX" schedule bits.s --arch bh --reserve dst
printf '.dst fp32\n.tile\nsfploadmacro 0, L0, 0, 3, 3\nsfpnop\nsfpstore L0, 0, 3, 3\n' >body.s
refuses "SFPLOADMACRO in it" 1 'tensix expand' "$TENSIX" schedule body.s --arch bh

# Rows recorded from C++.
cat >rows.cpp <<'END'
#include <tensix/ckernel_ops.h>
void rows()
{
    for (unsigned i = 0; i < 64; i += 2) {
        TT_SFPLOAD(0, 3, 3, i);
        TT_SFPLOAD(1, 3, 3, i + 64);
        TTI_SFPSWAP(0, 1, 0, 9);
        TTI_SFPNOP;
        TT_SFPSTORE(0, 0, 3, i);
    }
}
END
"$TENSIX" record rows.cpp --arch bh --tile rows --dst fp32 --inputs 2 -o rows.s
"$TENSIX" schedule rows.s --arch bh -o s.s --json >s.json
same "recorded rows" "2 true" "$(field s.json ii) $(field s.json optimal)"
check "equal to the recording" "$TENSIX" compare rows.s s.s --arch bh --domain bf16xbf16 \
    --sample 20000

# What is found by then, and that it is not all.
"$TENSIX" schedule "$bodies/mul_i32.s" --arch bh --time 1 --ii 14 --json >s.json 2>err || true
check "a limit of time" bash -c "test -s s.json || grep -q 'not all are refuted' err"
env --default-signal=INT "$TENSIX" schedule "$bodies/mul_u16_wh.s" --arch wh >out 2>err &
child=$!
soon worked $child || true
kill -INT $child || true
got=0
wait $child || got=$?
check "Ctrl-C: the best so far, or interrupted" bash -c \
    "{ [ $got -eq 130 ] && grep -qx 'tensix: interrupted' err; } ||
     { [ $got -eq 0 ] && grep -q 'cut short' out; }"
# More constants than registers: those that one SFPLOADI makes are loaded in the rows.
{
    printf '.dst fp32\n.tile\nI = 0\n.rept 32\nsfpload L0,I,3,3\nsfploadi L1,bf16(0.5),0\n'
    for c in 0.25 0.75 1.25 1.5 1.75 2.5 3.5 4.5 5.5 6.5 7.5; do
        printf 'sfploadi L2,bf16(%s),0\nsfpmad L1,L1,L0,L2,0\nsfpnop\n' "$c"
    done
    printf 'sfpstore L1,I,3,3\nI = I + 2\n.endr\n'
} >many.s
for chip in bh wh; do
    "$TENSIX" schedule many.s --arch "$chip" --ii 26 --sample 4096 -o fast.s --json >o.json
    same "constants beyond registers on $chip" '  "straight_cycles": 1152,' \
        "$(grep straight_cycles o.json)"
    check "are no reason to stay" test "$(sed -n 's/^  "cycles": \(.*\),$/\1/p' o.json)" -lt 850
    check "and equal" "$TENSIX" compare many.s fast.s --arch "$chip" --domain fp32 --sample 20000
done

finish
