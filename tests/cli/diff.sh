#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix diff: distances counted by hand or by enumeration of the format's values.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
cd "$work"
diff_() { "$TENSIX" diff "$@"; }
# exits NAME STATUS COMMAND...: that status; the output is in ./out
exits() {
    local name=$1 status=$2 got=0
    shift 2
    "$@" >out 2>&1 || got=$?
    same "$name: exit" "$status" "$got"
}
field() { python3 -c "import json; j = json.load(open('out')); print(j$1)"; }

# FP32: neighbours, across zero, zeros, infinity, NaN.
npy a.npy u4 "(8,)" "[0x3f800000, 0x3f800000, 0, 0x00000001, 0x7f7fffff, 0x7fc00000, 0x7fc00000, 5]"
npy b.npy u4 "(8,)" "[0x3f800000, 0x3f800003, 0x80000000, 0x80000001, 0x7f800000, 0x7fc00001, 0, 5]"
exits "patterns of FP32" 1 diff_ a.npy:float32 b.npy:float32 --json
same "same" 2 "$(field "['same']")"
same "other bits: -0 and NaN" 2 "$(field "['other_bits']")"
same "different" 3 "$(field "['differ']")"
same "largest" 3 "$(field "['max_ulp']")"
same "mismatched" 1 "$(field "['mismatched']")"
same "the first" "[1] 3f800000 3f800003 3" \
    "$(field "['first'][0]['index'], *(j['first'][0][k] for k in ('a_bits', 'b_bits', 'ulp'))")"
same "the worst is the mismatch" "6 None" "$(field "['worst'][0]['element'], j['worst'][0]['ulp']")"
same "one unit each" "2 1" "$(field "['worst'][2]['ulp'], j['worst'][3]['ulp']")"
exits "--max-ulp takes no mismatch" 1 diff_ a.npy:float32 b.npy:float32 --max-ulp 1000000
sed 's/x/x/' a.npy >c.npy
exits "the same file" 0 diff_ a.npy c.npy
check "integers by default" grep -q '^unit  *1$' out

# BF16 and FP16, FP8: the distance is the number of steps in the sorted list of values.
python3 - <<'PY'
import json, random, struct
random.seed(3)
def save(name, descr, code, values):
    h = "{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }" % (descr, len(values))
    h = h.encode()
    h += b" " * (-(10 + len(h) + 1) % 64) + b"\n"
    open(name, "wb").write(b"\x93NUMPY\1\0" + struct.pack("<H", len(h)) + h
                           + struct.pack("<%d%s" % (len(values), code), *values))
expect = {}
for name, bits, top in (("bf16", 16, 0x7F80), ("float16", 16, 0x7FFF), ("fp8_e5m2", 8, 0x7F),
                        ("fp8_e4m3", 8, 0x7F)):
    # All finite values (BF16: with infinity) in their order; both zeros are one.
    line = [-p for p in range(top, 0, -1)] + list(range(top + 1))
    rank = {(p if p >= 0 else (1 << bits - 1) - p): i for i, p in enumerate(line)}
    rank[1 << bits - 1] = rank[0]
    a = [random.choice(list(rank)) for _ in range(500)]
    b = [random.choice(list(rank)) for _ in range(500)]
    size, code = ("<u2", "H") if bits == 16 else ("|u1", "B")
    save(name + "-a.npy", size, code, a)
    save(name + "-b.npy", size, code, b)
    steps = [abs(rank[x] - rank[y]) for x, y in zip(a, b)]
    expect[name] = [max(steps), sum(steps) / 500]
json.dump(expect, open("expect.json", "w"))
PY
for format in bf16 float16 fp8_e5m2 fp8_e4m3; do
    exits "$format" 1 diff_ $format-a.npy $format-b.npy --format $format --json
    same "$format, largest and mean" \
        "$(python3 -c "import json; print(json.load(open('expect.json'))['$format'])")" \
        "[$(field "['max_ulp'], j['mean_ulp']" | tr -s ' ' | sed 's/ /, /')]"
done

# Tiles: two groups by hand. E = 127: 40 is 1, 41 is 1 + 1/64, two steps of BF16's 1/128.
python3 - <<'PY'
def tile(name, exponent, data):
    open(name, "wb").write(bytes([exponent]) + bytes(15) + bytes(data + [0] * (16 - len(data))))
tile("t1", 127, [0x40, 0x40, 0x80, 0x7F])
tile("t2", 127, [0x40, 0x41, 0x00, 0xFF])
tile("t3", 128, [0x20, 0x20, 0x80])
PY
exits "tiles" 1 diff_ t1 t2 --format bfp8_b --tile 1x16 --json
same "tiles, unit" float16_b "$(field "['unit']")"
same "tiles, first" "[0, 0, 1] 7f:40 7f:41 2" \
    "$(field "['first'][0]['index'], *(j['first'][0][k] for k in ('a_bits', 'b_bits', 'ulp'))")"
# 80 is -Inf to the unpacker: FF80 is 7F80 steps from 0; 7F and FF are 3FFE and BFFE.
same "tiles, the others" "[32640, 32764]" "$(field "['first'][1]['ulp'], [j['first'][2]['ulp']]" |
    sed 's/ \[/, /; s/^/[/')"
exits "the same numbers with another exponent" 1 diff_ t1:bfp8_b t3:bfp8_b --tile 1x16 --json
same "all but one, zeros too" "15 1" "$(field "['other_bits'], j['differ']" | tr -d '(),')"
npy n.npy f4 "(1, 16)" "[1.0, 1.015625] + [0.0] * 14"
exits "an array against tiles" 1 diff_ n.npy t2 --format bfp8_b --tile 1x16 --json
same "array against tiles, the same numbers" 15 "$(field "['same'] + j['other_bits']")"
npy w.npy f4 "(2, 40)" "[float(i) for i in range(80)]" # four tiles of one row, 32 and 8 wide
"$TENSIX" convert --route host --tile 1x32 w.npy w:float32 >out
same "tiles of one row" 512 "$(stat -c %s w)"
exits "an array against tiles of one row" 0 diff_ w.npy w:float32 --tile 1x32
npy m.npy f4 "(1, 16)" "[1.0, 1.0156251] + [0.0] * 14"
exits "numbers that BF16 does not hold" 0 diff_ n.npy m.npy --format bf16 --max-ulp 0
check "are counted" grep -q 'rounded first 1, which float16_b does not hold' out
exits "and are not the same" 1 diff_ n.npy m.npy --format bf16
exits "in FP32" 1 diff_ n.npy m.npy --max-ulp 0
npy i.npy i4 "(3,)" "[-2**31, 5, 7]"
npy j.npy i4 "(3,)" "[2**31 - 1, 5, 8]"
exits "integers" 1 diff_ i.npy j.npy --max-ulp 4294967294 --json
same "integers, distance" 4294967295 "$(field "['max_ulp']")"
exits "integers, that far is the same" 0 diff_ i.npy j.npy --max-ulp 4294967295

refuses "other shapes" 2 'have different shapes' diff_ n.npy i.npy
refuses "integers in ULPs of a float format" 2 'i\.npy holds int32, which is not compared' \
    diff_ i.npy j.npy --format bf16
refuses "one file" 2 'two files' diff_ i.npy
refuses "three files" 2 'at most 2 files' diff_ i.npy j.npy n.npy
refuses "short tiles" 2 'no whole number of float16_b tiles' diff_ t1:bf16 t2:bf16
refuses "unlike formats" 2 'in whose ULPs' diff_ t1:bfp8_b t2:bf16 --tile 1x16
finish
