#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix run --shadow, tensix sweep --blame: every figure once more, every event, and who is guilty.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -uo pipefail
. "$(dirname "$0")/lib.bash"
here=$TX_SOURCE/tests/cli
examples=$TX_SOURCE/examples
sweep=("$TENSIX" sweep --no-progress --traces 0)

# figures NAME FUNCTION KERNEL ARRAY [CHIP]
figures() {
    local each=()
    for i in $(seq 0 41 1023); do
        each+=(--element "$i")
    done
    "$TENSIX" run "$3" --arch "${5:-bh}" --in "$4" --shadow --reference "$2" --json "${each[@]}" \
        >"$work/f.json"
    check "$1" python3 "$here/shadow_check.py" "$2" "$3" "$work/f.json"
}

npy "$work/large.npy" f4 '(1024,)' '[(1 + random.random()) * 2.0 ** (100 + i % 26)
    for i in range(1024)]'
npy "$work/any.npy" f4 '(1024,)' '[(0.5 + random.random()) * (-1) ** i * 2.0 ** (i % 120 - 60)
    for i in range(1024)]'
npy "$work/narrow.npy" f4 '(1024,)' '[i / 10 - 50 for i in range(1024)]'
figures "1/x, refined by a sum" recip "$examples/blame/recip_additive.s" "$work/large.npy"
figures "1/x, small x" recip "$examples/blame/recip_additive.s" "$work/any.npy"
figures "1/x of the examples" recip "$examples/kernels/reciprocal.s" "$work/any.npy"
figures "exp" exp "$examples/kernels/exp.s" "$work/narrow.npy"
figures "exp on Wormhole" exp "$examples/kernels/exp.s" "$work/narrow.npy" wh

# Errors in words: three decimals of what --json gives, of at most six digits.
words=(run "$examples/kernels/exp.s" --arch bh --in "$work/narrow.npy" --shadow --reference exp
    --element 777)
"$TENSIX" "${words[@]}" >"$work/words.txt"
"$TENSIX" "${words[@]}" --json >"$work/words.json"
check "errors in words" python3 -c "
import json, re
one, = json.load(open('$work/words.json'))['elements']
text = open('$work/words.txt').read()
found = re.search(r'^error +(\S+) ULP, of which (\S+) ULP', text, re.M).groups()
guilty = re.search(r'^guilty .*: (\S+) ULP', text, re.M).group(1)
want = one['error_ulp'], one['method_ulp'], one['guilty']['share_ulp']
assert [*found, guilty] == ['%.3f' % x for x in want], (found, guilty, want)
assert all(1e-3 < abs(x) < 99 for x in want), want"

# The public case: every input from 2^119 on that loses its refinement does so in one instruction.
"${sweep[@]}" "$examples/blame/recip_additive.s" --domain fp32:6.6461400e35:8.5e37 --stride 65537 \
    --worst 100 --blame --json >"$work/b.json"
check "the flushed product is guilty" python3 -c "
import json
r = json.load(open('$work/b.json'))
line = [n for n, l in enumerate(open('$examples/blame/recip_additive.s'), 1)
        if 'is flushed here' in l][0]
for one in r['accuracy']['worst']:
    g = one['blame']['guilty']
    assert g['instruction'] == 'sfpmad L3,L5,L3,L3,0' and g['line'] == line, g
    assert g['word'] % 9 == 7, g
    assert 'product flushed' in g['events'], g
    assert abs(abs(g['share_ulp']) - one['ulp']) <= 2, one
assert len(r['accuracy']['worst']) == 100"
"${sweep[@]}" "$examples/blame/recip_additive.s" --domain fp32:6.6461400e35:8.5e37 --stride 65537 \
    --worst 1 --blame >"$work/b.txt"
check "and the text says so" grep -qE \
    '^guilty +sfpmad L3,L5,L3,L3,0, word [0-9]+ of .tile, line [0-9]+: .* ULP; product flushed' \
    "$work/b.txt"
# The largest error on a card (tt-metal #55797): 90,174 ULP. It is that of 0x7e050000.
printf '0x7e050000\n' >"$work/card.txt"
"${sweep[@]}" "$examples/blame/recip_additive.s" --domain "$work/card.txt" --json >"$work/c.json"
check "the figure of the card" python3 -c "
import json; assert json.load(open('$work/c.json'))['accuracy']['max_ulp'] == 90174"
"${sweep[@]}" "$examples/blame/recip_factor.s" --domain fp32 --stride 32771 --json >"$work/r.json"
check "the repaired form" python3 -c "
import json
r = json.load(open('$work/r.json'))
assert r['accuracy']['max_ulp'] <= 2 and r['accuracy']['max_ulp_unrounded'] < 1.8, r['accuracy']
assert r['accuracy']['mismatched'] == 0"
same "the repaired form at 2^126" "1.1754944e-38 -1.1754944e-38 " "$(
    printf '0x7e800000\n0xfe800000\n' >"$work/edge.txt"
    "${sweep[@]}" "$examples/blame/recip_factor.s" --domain "$work/edge.txt" \
        --points "$work/e.csv" >/dev/null
    awk -F, 'NR > 1 { printf "%s ", $2 }' "$work/e.csv")"
"${sweep[@]}" "$examples/blame/recip_additive.s" --domain "$work/edge.txt" --worst 1 --blame \
    >"$work/b.txt"
check "an approximation that gives nothing" bash -c \
    "grep -q '^guilty  *the method' '$work/b.txt' &&
     grep -q '^on the way  *sfparecip .*result flushed' '$work/b.txt'"

# Errors that need an exponent: 2^70 where the reference is 0, whose unit is 2^-149.
npy "$work/far.npy" f4 '(1,)' '[-2.0 ** 35]'
printf '%s\n' -34359738368 >"$work/far.txt"
"$TENSIX" run "$work/square.s" --arch bh --in "$work/far.npy" --shadow --reference exp \
    --element 0 >"$work/far.run"
"${sweep[@]}" "$work/square.s" --arch bh --domain "$work/far.txt" --reference exp --worst 1 \
    --blame >"$work/far.sweep"
for form in run sweep; do
    check "an error of 2^219, $form" python3 -c "
import re
text = open('$work/far.$form').read()
errors = [*re.findall(r'^error +(\S+) ULP', text, re.M),
          *re.findall(r'of which (\S+) ULP by the method', text),
          *re.findall(r'max error +\S+ ULP; (\S+) from', text)]
assert len(errors) == (2 if '$form' == 'run' else 3), text
for e in errors:
    digits = e.split('e')[0].lstrip('-').replace('.', '')
    assert len(digits) <= 6 and abs(float(e) / 2.0 ** 219 - 1) < 1e-5, e"
done

# Scheduled instructions: the same account as of the kernel written out.
macro=$examples/kernels/macro/recip_fp32.s
"$TENSIX" expand "$macro" -o "$work/plain.s" >/dev/null
printf '%s\n' 0x7c851cde 0x7d850008 0x3f9d0000 0x7ac00001 >"$work/four.txt"
for k in "$macro" "$work/plain.s"; do
    "${sweep[@]}" "$k" --domain "$work/four.txt" --reference recip --blame --json \
        >"$work/$(basename "$k").json"
done
check "SFPLOADMACRO and expanded" python3 -c "
import json
a, b = ([(o['inputs'], o['blame']) for o in json.load(open(p))['accuracy']['worst']]
        for p in ('$work/recip_fp32.s.json', '$work/plain.s.json'))
assert len(a) == len(b) >= 2
for (x, p), (y, q) in zip(a, b):
    assert x == y and p['error_ulp'] == q['error_ulp'] and p['exact'] == q['exact'], (p, q)
    for key in ('share_ulp', 'own_ulp', 'ulp', 'result', 'events'):
        assert p['guilty'][key] == q['guilty'][key], (key, p['guilty'], q['guilty'])
    shares = [[s['share_ulp'] for s in z['steps'] if s['share_ulp'] != 0] for z in (p, q)]
    assert shares[0] == shares[1], shares
assert a[0][1]['guilty']['scheduled'] and not b[0][1]['guilty']['scheduled']
assert 'product flushed' in a[0][1]['guilty']['events']"

# events NAME DST X INSTRUCTION EXPECTED BODY: what is told of the first such instruction; x in L0.
events() {
    local mode=3 name=$1 dst=$2 x=$3 instruction=$4 expected=$5
    [ "$dst" != bf16 ] || mode=2
    [ "$dst" != fp16 ] || mode=1
    printf '.dst %s\n.tile\n    sfpload L0,0,%s,7\n%b\n    sfpstore L1,0,%s,7\n' \
        "$dst" $mode "$6" $mode >"$work/e.s"
    npy "$work/e.npy" f4 '(1,)' "[$x]"
    "$TENSIX" run "$work/e.s" --arch "${7:-bh}" --in "$work/e.npy" --shadow --json --element 0 \
        >"$work/e.json" 2>&1
    same "$name" "$expected" "$(python3 -c "
import json
for s in json.load(open('$work/e.json'))['elements'][0]['steps']:
    if s['instruction'].startswith('$instruction '):
        print(';'.join(s['events']), s.get('bits_cancelled', ''), s.get('bits_cut', ''), sep=',')
        break")"
}
one='    sfploadi L2,0x3f80,0\n'
events "nothing" fp32 1.5 sfpmad ,, "$one    sfpmad L1,L0,L0,L2,0\n    sfpnop"
events "a denormal operand" fp32 1e-39 sfpmad 'operand flushed,,' \
    "$one    sfpmad L1,L0,L2,L2,0\n    sfpnop"
events "a product below the range" fp32 '2.0 ** -60' sfpmad 'product flushed,,' \
    "    sfploadi L2,0x1dc0,0\n    sfploadi L3,0x0080,0\n    sfpmad L1,L0,L2,L3,0\n    sfpnop"
events "one that is just in it" fp32 '2.0 ** -60' sfpmad ',,' \
    "    sfploadi L2,0x1e40,0\n    sfploadi L3,0x0080,0\n    sfpmad L1,L0,L2,L3,0\n    sfpnop"
events "a result below the range" fp32 1e-20 sfpmul 'result flushed,,' \
    "    sfpmul L1,L0,L0,0\n    sfpnop"
events "half way" fp32 '2.0 ** -24' sfpadd 'tie,,' "$one    sfpadd L1,L0,L2,0\n    sfpnop"
events "not quite half way" fp32 '2.0 ** -24 + 2.0 ** -40' sfpadd ',,' \
    "$one    sfpadd L1,L0,L2,0\n    sfpnop"
events "nine bits go" fp32 '1 + 2.0 ** -9' sfpmad 'cancellation,9,' \
    "$one    sfpmad L1,L0,L2,L2,2\n    sfpnop"
events "seven are not told" fp32 '1 + 2.0 ** -7' sfpmad ',,' \
    "$one    sfpmad L1,L0,L2,L2,2\n    sfpnop"
events "all go" fp32 3.25 sfpmad 'cancellation,,' "$one    sfpmad L1,L0,L2,L0,2\n    sfpnop"
events "beyond the range" fp32 1e30 sfpmul 'overflow,,' "    sfpmul L1,L0,L0,0\n    sfpnop"
events "Inf - Inf" fp32 math.inf sfpmad 'NaN,,' "$one    sfpmad L1,L0,L2,L0,2\n    sfpnop"
events "an integer that stops" fp32 300 sfpstochrnd 'saturated,,' \
    "    sfpstochrnd L1,L0,L0,0,3,0"
events "one that does not" fp32 100 sfpstochrnd ',,' "    sfpstochrnd L1,L0,L0,0,3,0"
events "at random" fp32 1.2345 sfpstochrnd 'random,,' "    sfpstochrnd L1,L0,L0,0,1,1"
events "rounded by a constant" fp32 2.7 sfpadd 'rounded by a constant,,' \
    "    sfploadi L2,0x4b40,0\n    sfpadd L1,L0,L2,0\n    sfpnop"
events "a constant that does not round" fp32 2.7 sfpadd ',,' \
    "    sfploadi L2,0x4200,0\n    sfpadd L1,L0,L2,0\n    sfpnop"
events "cut by a BF16 store" bf16 1.5 sfpstore 'low bits cut,,10' \
    "    sfploadi L2,0x3f81,0\n    sfpmul L1,L0,L2,0\n    sfpnop\n    sfpmul L1,L1,L1,0\n    sfpnop"
events "an FP16 store that stops" fp16 60000 sfpstore 'saturated,,' \
    "    sfpmul L1,L0,L0,0\n    sfpnop"
# x^2 - 1 = 2^-11 + 2^-22 + 2^-24 + 2^-34 + 2^-46, of whose product 2^-26 is the last bit kept.
events "away from IEEE" fp32 '1 + 2.0 ** -12 + 2.0 ** -23' sfpmad 'cancellation;not IEEE,11,' \
    "$one    sfpmad L1,L0,L0,L2,2\n    sfpnop"

# The way through Dst, registers and lanes.
cat >"$work/way.s" <<'EOS'
.dst fp32
.tile
    sfpload L0,0,3,7
    sfpmul  L1,L0,L0,0
    sfpnop
    sfpstore L1,64,3,7
    sfpload L2,64,3,7
    sfpmov  L3,L2,1
    sfpshft2 L4,L3,L3,3
    sfpnop
    sfpabs  L5,L4,1
    sfpdivp2 L6,L5,3,1
    sfpstore L6,0,3,7
EOS
npy "$work/way.npy" f4 '(1024,)' '[1 + i / 1024 for i in range(1024)]'
"$TENSIX" run "$work/way.s" --arch bh --in "$work/way.npy" --shadow --json \
    --element 2 >"$work/w.json"
check "exact through store, load, move, rotation, sign, scale" python3 -c "
import json
from fractions import Fraction
one = json.load(open('$work/w.json'))['elements'][0]
x = 1 + Fraction(0, 1024)                      # the lane on the left has element 0
names = [s['instruction'].split()[0] for s in one['steps']]
assert names == ['sfpload', 'sfpmul', 'sfpstore', 'sfpload', 'sfpmov', 'sfpshft2', 'sfpabs',
                 'sfpdivp2', 'sfpstore'], names
assert Fraction(one['exact']) == x * x * 8, one['exact']
assert one['steps'][4]['exact'] == '-1' and one['error_ulp'] == 0"

# An exponent that is added is a signed number of eight bits: 254 is -2.
sed 's/sfpdivp2 L6,L5,3,1/sfpdivp2 L6,L5,254,1/' "$work/way.s" >"$work/quarter.s"
"$TENSIX" run "$work/quarter.s" --arch bh --in "$work/way.npy" --shadow --json \
    --element 2 >"$work/w.json"
same "exact through a negative scale" 0.25 "$(python3 -c "
import json
print(json.load(open('$work/w.json'))['elements'][0]['exact'])")"

# Lanes that are off keep what they had, on the way as in the emulator.
cat >"$work/off.s" <<'EOS'
.dst fp32
.init
    sfpencc 3,10
.tile
    sfpload L0,0,3,7
    sfpmul  L1,L0,L0,0
    sfpsetcc L0,0,0
    sfpmul  L1,L1,L0,0
    sfpencc 3,10
    sfpstore L1,0,3,7
EOS
npy "$work/off.npy" f4 '(1024,)' '[(-1) ** (i // 2) * 1.1 for i in range(1024)]'
for i in 0 2; do
    "$TENSIX" run "$work/off.s" --arch bh --in "$work/off.npy" --shadow --json --element $i \
        >"$work/off$i.json"
done
check "predication" python3 -c "
import json
a, b = ([s['instruction'] for s in json.load(open(p))['elements'][0]['steps']]
        for p in ('$work/off0.json', '$work/off2.json'))
assert len(a) == 3 and len(b) == 4 and b[2] == 'sfpmul L1,L1,L0,0', (a, b)"

# Kernels that only choose have no error, whichever way the values take; what errs by more than
# half a unit says why.
for k in relu where macro/max_fp32 macro/max_scalar macro/where macro/where_distinct sqrt log \
    sigmoid cumsum tanh; do
    arrays=()
    for i in $(seq "$(sed -n 's/^\.inputs *//p' "$examples/kernels/$k.s" | grep . || echo 1)"); do
        arrays+=(--in "$examples/data/$([ "$i" = 2 ] && echo narrow || echo tiles).npy")
    done
    for arch in bh wh; do
        "$TENSIX" run "$examples/kernels/$k.s" --arch $arch "${arrays[@]}" --layout flat --shadow \
            --worst 40 --json >"$work/k.json"
        check "$k on $arch" python3 -c "
import json
choose = '$k'.split('/')[-1].split('_')[0] in ('relu', 'where', 'max')
for one in json.load(open('$work/k.json'))['elements']:
    assert one['stored'] and (not choose or one['error_ulp'] == 0), one
    for s in one['steps']:
        assert 'word' in s and 'line' in s, s
        assert s['own_ulp'] != 'special' and (abs(s['own_ulp']) <= 0.5 or s['events']), s"
    done
done

# What is chosen.
"$TENSIX" run "$examples/blame/recip_additive.s" --in "$work/large.npy" --shadow --worst 3 \
    --reference recip --json >"$work/w.json"
"$TENSIX" run "$examples/blame/recip_additive.s" --in "$work/large.npy" --reference recip --json \
    >"$work/a.json"
check "the worst of the tile" python3 -c "
import json
w = json.load(open('$work/w.json'))['elements']
a = json.load(open('$work/a.json'))['accuracy']['worst']
assert [o['element'] for o in w] == [o['element'] for o in a[:3]], (w, a)"
refuses "an element that is none" 2 'the array has 1024' "$TENSIX" run "$work/way.s" --arch bh \
    --in "$work/way.npy" --shadow --element 1024
refuses "a tile that is none" 2 'the array has 1' "$TENSIX" run "$work/way.s" --arch bh \
    --in "$work/way.npy" --shadow --tile 1
refuses "shadow and output" 2 '--shadow and --out exclude each other' "$TENSIX" run "$work/way.s" \
    --arch bh --in "$work/way.npy" --shadow --out "$work/y.npy"
refuses "an element without a shadow" 2 '--element is for --shadow' "$TENSIX" run "$work/way.s" \
    --arch bh --in "$work/way.npy" --element 1
"$TENSIX" run "$work/off.s" --arch bh --in "$work/off.npy" --shadow --element 512 >"$work/none.txt"
check "nothing stored" grep -q '^nothing was stored there' "$work/none.txt"
finish
