#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix sweep: its figures computed once more, any number of threads and parts, resumption, errors.
set -uo pipefail
. "$(dirname "$0")/lib.bash"
here=$TX_SOURCE/tests/cli
kernels=$TX_SOURCE/examples/kernels
sweep=("$TENSIX" sweep --no-progress)

# figures NAME FUNCTION PRECISION LEAST KERNEL OPTIONS...: one line of the CSV for each input.
figures() {
    local name=$1 function=$2 precision=$3 least=$4
    shift 4
    "${sweep[@]}" "$@" --worst 100 --traces 0 --points "$work/f.csv" --json >"$work/f.json"
    check "$name" python3 "$here/sweep_check.py" "$function" "$precision" "$least" \
        "$work/f.csv" "$work/f.json"
}

cat >"$work/flip.s" <<'EOS'
.title "x with its lowest BF16 bit flipped: every second neighbour is on the wrong side"
.reference identity
.dst bf16
.init
.loadi L4, 0x10000
.tile
A = 0
.rept 32
    sfpload L0,A,2,3
    sfpxor L0,L4
    sfpstore L0,A,2,3
A = A + 2
.endr
EOS
# Fractions in Python take their time, so each has one or two thousand inputs.
figures "exp, a thirty-seventh of bf16" exp 24 -126 "$kernels/exp.s" --arch bh --stride 37
figures "exp, 1300 sampled of fp32" exp 24 -126 "$kernels/exp.s" --arch wh \
    --domain fp32 --sample 1300
figures "exp, -88 to 88" exp 24 -126 "$kernels/exp.s" --arch bh --domain=-88:88 --stride 1800001
figures "1/x, 1300 sampled of fp32" recip 24 -126 "$kernels/reciprocal.s" \
    --domain fp32 --sample 1300
figures "1/x with 7 bits" recip 24 -126 "$kernels/macro/recip_7bit.s" \
    --reference recip --stride 37
figures "sqrt, tf32 strided" sqrt 24 -126 "$kernels/sqrt.s" --arch bh --domain tf32 --stride 307
figures "square to bf16" square 8 -126 "$work/square-bf16.s" --arch wh --stride 29
# The largest errors that FP32 can have: percentiles do not stop short of them.
figures "errors beyond 2^64" exp 24 -126 "$work/square.s" --arch bh --reference exp --stride 37
check "errors beyond 2^64: percentiles" python3 -c "
import json
r = json.load(open('$work/f.json'))
p = r['percentiles']
assert 1e30 < p['p90'] <= p['p99.99'] <= r['accuracy']['max_ulp'], p"
figures "flipped bits: monotony" identity 8 -126 "$work/flip.s" --arch bh \
    --domain=bf16:0.00000095367431640625:1048576
check "flipped bits: breaks" python3 -c "
import json
r = json.load(open('$work/f.json'))
assert 2550 < r['monotony_breaks'] < 2570, r['monotony_breaks']"

# The same for any number of threads, in shards, and after an interruption.
# all NAME OPTIONS...: text, CSV, YAML of a sweep into $work/NAME.*
all() {
    local name=$1
    shift
    "${sweep[@]}" "$@" --blame --points "$work/$name.csv" --yaml "$work/$name.yaml" \
        ${plot:+--plot "$work/$name.svg"} >"$work/$name.txt"
}
# alike NAME A B
alike() {
    local part
    for part in txt csv yaml ${plot:+svg}; do
        check "$1: $part" cmp "$work/$2.$part" "$work/$3.$part"
    done
}
plot=
if command -v gnuplot >/dev/null; then
    plot=yes
fi
input=("$kernels/tanh.s" --arch bh --domain fp32 --stride 50021)
all one "${input[@]}" --jobs 1
all five "${input[@]}" --jobs 5
alike "1 and 5 threads" one five
for i in 1 2 3 4 5 6 7; do
    check "shard $i/7" "${sweep[@]}" "${input[@]}" --shard $i/7 --resume "$work/part.$i"
done
all parts merge "$work"/part.[1-7]
alike "7 shards" one parts
refuses "a part missing" 2 'parts are missing: [0-9]+ of 85864' \
    "${sweep[@]}" merge "$work"/part.[1-6]
refuses "a part twice" 2 'part.3: this part is there twice' \
    "${sweep[@]}" merge "$work"/part.[1-7] "$work/part.3"
refuses "a part of another sweep" 2 'the state of another sweep' \
    "${sweep[@]}" "$kernels/exp.s" --arch bh --resume "$work/part.1"
head -c $(($(stat -c %s "$work/part.1") / 2)) "$work/part.1" >"$work/cut"
refuses "a damaged part" 2 'damaged' "${sweep[@]}" merge "$work/cut"
check "stochastic rounding: 1 and 3 threads" bash -c "
    for j in 1 3; do
        '$TENSIX' sweep '$kernels/fp32_to_bf16_stochastic.s' --arch bh --domain fp32 \
            --stride 65521 --reference identity --jobs \$j --points '$work/s'\$j \
            >'$work/t'\$j || exit 1
    done
    cmp '$work/s1' '$work/s3' && cmp '$work/t1' '$work/t3'"

# Slow where it is wanted, so that there is a half to be killed at; it tells when it is under way.
cat >"$work/slow.py" <<'EOP'
import math, os, time
calls = 0
def reference(x):
    global calls
    calls += 1
    if calls % 1024 == 0 and os.environ.get("SLOW"):
        time.sleep(0.1)
        if calls == 6144:
            open(os.environ["SLOW"], "w").close()
    return math.tanh(x)
EOP
long=("$kernels/tanh.s" --arch bh --domain bf16 --jobs 2 --reference "$work/slow.py")
all whole "${long[@]}"
rm -f "$work/state"
exists() { # FILE: waits for it
    for _ in $(seq 1200); do
        [ ! -e "$1" ] || break
        sleep 0.05
    done
}
SLOW=$work/way "${sweep[@]}" "${long[@]}" --resume "$work/state" >/dev/null 2>&1 &
child=$!
exists "$work/state"
kill -KILL $child
wait $child 2>/dev/null
done_part=$("${sweep[@]}" merge "$work/state" --reference "$work/slow.py" 2>&1 >/dev/null |
    grep -oE '[0-9]+ of 65536')
check "killed on the way: ${done_part:-nothing}" test -n "$done_part"
all resumed "${long[@]}" --resume "$work/state"
alike "killed and resumed" whole resumed
all again "${long[@]}" --resume "$work/state" --jobs 1
alike "resumed when it was done" whole again

echo before >"$work/int.yaml"
SLOW=$work/way2 "${sweep[@]}" "${long[@]}" --resume "$work/state2" --points "$work/int.csv" \
    --html "$work/int.html" \
    --yaml "$work/int.yaml" ${plot:+--plot "$work/int.svg"} >"$work/int.txt" 2>"$work/int.err" &
child=$!
exists "$work/way2"
kill -INT $child
got=0
wait $child || got=$?
same "interrupted: exit status" 1 $got
same "interrupted: one line" 1 "$(wc -l <"$work/int.err")"
check "interrupted: it says so" \
    grep -q 'interrupted after [0-9]* of 65536 inputs; no budget was written; --resume' \
    "$work/int.err"
covered='only [0-9]+ \([0-9.]+%\) of all 65536 of bf16'
check "interrupted: what is done" grep -Eq "^inputs +$covered, compared" "$work/int.txt"
same "interrupted: no row of a budget" before "$(cat "$work/int.yaml")"
check "interrupted: the CSV says so" bash -c "head -1 '$work/int.csv' | grep -Eq '^# $covered\$'"
check "interrupted: the page says so" grep -Eq \
    '"inputs": *"only [^"]*", *"whole": *false.*"interrupted": *true' "$work/int.html"
check "interrupted: the plot says so" test -z "$plot" -o -n \
    "$(grep -E "$covered" "$work/int.svg" 2>/dev/null)"
SLOW=$work/way3 "${sweep[@]}" "${long[@]}" --json >"$work/int.json" 2>"$work/int.err" &
child=$!
exists "$work/way3"
kill -INT $child
got=0
wait $child || got=$?
same "interrupted, JSON: exit status" 1 $got
check "interrupted, JSON: one object that says so" python3 -c "
import json
r = json.load(open('$work/int.json'))
done = r['accuracy']['compared']
assert r['interrupted'] and not r['whole'] and 0 < done < r['wanted'] == 65536, r['inputs']
assert r['inputs'].startswith(f'only {done} ('), r['inputs']"
all finished "${long[@]}" --resume "$work/state2"
alike "interrupted and resumed" whole finished

# Only the first row of the tile is worked on: the worst input is elsewhere.
printf '.tile\nsfpload L0, 0, 3, 3\nsfpmul L0, L0, L0, 0\nsfpnop\n' >"$work/row.s"
echo 'sfpstore L0, 0, 3, 3' >>"$work/row.s"
"${sweep[@]}" "$work/row.s" --arch bh --reference exp --sample 2000 >"$work/row.txt"
same "a trace of nothing" "trace of worst input 0: no instruction reads it and writes its result" \
    "$(tail -n 1 "$work/row.txt")"
refuses "a parameter of a function without any" 2 'exp takes at most 0 parameters after its name' \
    "${sweep[@]}" "$work/row.s" --arch bh --reference exp:1 --sample 2000

if command -v mpirun >/dev/null; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    mpirun --oversubscribe -n 3 "${sweep[@]}" "${input[@]}" --blame \
        >"$work/mpi.txt" 2>"$work/mpi.err"
    check "3 MPI ranks" cmp "$work/one.txt" "$work/mpi.txt"
fi

# Domains.
printf '# numbers\n1\n0x3fc00000\n-2.5\n\ninf\n' >"$work/list.txt"
"${sweep[@]}" "$work/square.s" --arch bh --domain "$work/list.txt" --points "$work/l.csv" >/dev/null
same "a list of numbers" "1 1|1.5 2.25|-2.5 6.25|inf inf|" \
    "$(awk -F, 'NR > 1 { printf "%s %s|", $1, $2 }' "$work/l.csv")"
npy "$work/list.npy" f4 '(3,)' '[2, 3, 0.5]'
"${sweep[@]}" "$work/square.s" --arch bh --domain "$work/list.npy" --points "$work/l.csv" >/dev/null
same "an array" "2 4|3 9|0.5 0.25|" "$(awk -F, 'NR > 1 { printf "%s %s|", $1, $2 }' "$work/l.csv")"
"${sweep[@]}" "$work/square.s" --arch bh --domain bf16:1:1.03 --points "$work/l.csv" >/dev/null
same "a range of bf16" "1|1.0078125|1.015625|1.0234375|" \
    "$(awk -F, 'NR > 1 { printf "%s|", $1 }' "$work/l.csv")"
"${sweep[@]}" "$kernels/macro/max_fp32.s" --arch bh --domain bf16xbf16 --stride 65537 \
    --reference max --points "$work/p.csv" ${plot:+--plot "$work/p.png"} >"$work/p.txt"
same "pairs: header" "x0,x1,y" "$(head -1 "$work/p.csv" | cut -d, -f1-3)"
check "pairs: the larger one" python3 -c "
import csv
n = 0
for l in csv.DictReader(open('$work/p.csv')):
    a, b, y = (float(l[k]) for k in ('x0', 'x1', 'y'))
    if a == a and b == b and abs(a) > 1e-30 and abs(b) > 1e-30:
        assert y == max(a, b), l
        n += 1
assert n > 30000, n"
check "pairs: matrix of special values" grep -q '^special values  x0 down' "$work/p.txt"

# Integers.
cat >"$work/three.s" <<'EOS'
.title "x + 3"
.dst int32-sm
.tile
A = 0
.rept 32
    sfpload  L0,A,12,3
    sfpcast  L0,L0,3
    sfpiadd  L0,L0,3,5
    sfpcast  L0,L0,3
    sfpstore L0,A,12,3
A = A + 2
.endr
EOS
printf 'def reference(x):\n    return x + 3\n' >"$work/three.py"
printf 'def reference(x):\n    return x + 3.5\n' >"$work/more.py"
"${sweep[@]}" "$work/three.s" --arch bh --reference "$work/three.py" --points "$work/i.csv" \
    ${plot:+--plot "$work/i.svg"} >"$work/i.txt"
check "all of int16" grep -q '^exact           65536 of 65536' "$work/i.txt"
check "and in order" python3 -c "
import csv
rows = list(csv.DictReader(open('$work/i.csv')))
assert [int(r['x']) for r in rows] == list(range(-32768, 32768))
assert all(int(r['y']) == int(r['x']) + 3 and r['outcome'] == 'exact' for r in rows)"
"${sweep[@]}" "$work/three.s" --arch bh --domain int16:5:7,-3:-2,6:9 \
    --reference "$work/three.py" --points "$work/i.csv" >"$work/u.txt"
same "a union of ranges, in order" "-3 -2 5 6 7 8 9 " \
    "$(awk -F, 'NR > 1 { printf "%s ", $1 }' "$work/i.csv")"
ranges=-1.0000095367431640625:-1,2:2.0000095367431640625,1:1.0000095367431640625
"${sweep[@]}" "$kernels/reciprocal.s" --arch bh --domain "fp32:$ranges" --stride 3 \
    --reference recip --points "$work/i.csv" --json >"$work/u.json"
check "a union of ranges: FP32 with a stride, and no break of monotony at the pole" python3 -c "
import csv, json, struct
bits = lambda x: struct.unpack('<I', struct.pack('<f', x))[0]
down = [0x80000000 | b for b in range(bits(1 + 2**-17 * 1.25), bits(1.0) - 1, -1)]
up = [b for a in (1.0, 2.0) for b in range(bits(a), bits(a + 2**-17 * 1.25) + 1)]
want = (down + up)[::3]
got = [bits(float(r['x'])) for r in csv.DictReader(open('$work/i.csv'))]
assert got == want, (len(got), len(want))
assert json.load(open('$work/u.json'))['monotony_breaks'] == 0"
refuses "a range that is none" 2 "'2' is not LOW:HIGH" \
    "$TENSIX" sweep "$work/three.s" --arch bh --domain int16:5:7,2
check "largest numbers" grep -qE \
    '^ +x +2147483647 7fffffff  expected +2147483647 7fffffff .* inexact' "$work/i.txt"
"${sweep[@]}" "$work/three.s" --arch bh --domain int32 --sample 5000 --reference "$work/more.py" \
    --json >"$work/i.json"
check "one off, half of the time: to even" python3 -c "
import json
r = json.load(open('$work/i.json'))
one, exact = r['bands']['<=1'], r['bands']['0']
assert one + exact == 5000 and 2300 < exact < 2700 and r['accuracy']['max_ulp'] == 1, r['bands']"
# The domain is what Dst has: -2^31 and 2^32 - 1 are in it where they are.
printf '.dst %s\n.tile\nA = 0\n.rept 32\n    sfpload L0,A,4,3\n    sfpstore L0,A,4,3\n
    A = A + 2\n.endr\n' int32 >"$work/same.s"
ends() { # DST DOMAIN: how many, the first and the last input, and whether all are exact
    "${sweep[@]}" "$work/same.s" --arch bh --dst "$1" --domain "$2" --stride 1073741823 \
        --reference identity --points "$work/e.csv" --json >"$work/e.json"
    python3 - "$work" <<'EOP'
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1] + "/e.csv")))
print(len(rows), rows[0]["x"], rows[-1]["x"], all(r["x"] == r["y"] for r in rows))
EOP
}
same "int32 begins at -2^31" "5 -2147483648 2147483644 True" "$(ends int32 int32)"
same "int32-sm has none" "5 -2147483647 2147483645 True" "$(ends int32-sm int32)"
same "uint32 ends where it does" "5 0 4294967292 True" "$(ends uint32 uint32)"
same "a range of it" "1 4294967295 4294967295 True" "$(ends uint32 4294967295:4294967295)"
same "int32 in an unsigned Dst" "2 0 1073741823 True" "$(ends uint32 int32:0:2000000000)"
"${sweep[@]}" "$work/same.s" --arch bh --dst int32 --domain int8 --reference identity >"$work/i.txt"
check "int8 in 32 bits has -128" grep -q '^exact           256 of 256' "$work/i.txt"
printf '%s\n' -7 0x10 100 >"$work/i.list"
"${sweep[@]}" "$work/three.s" --arch bh --domain "$work/i.list" --reference "$work/three.py" \
    --points "$work/l.csv" >/dev/null
same "a list of integers" "-7 -4|16 19|100 103|" \
    "$(awk -F, 'NR > 1 { printf "%s %s|", $1, $2 }' "$work/l.csv")"
npy "$work/i.npy" i4 '(2,)' '[5, -6]'
"${sweep[@]}" "$work/three.s" --arch bh --domain "$work/i.npy" --reference "$work/three.py" \
    --points "$work/l.csv" >/dev/null
same "an array of integers" "5 8|-6 -3|" \
    "$(awk -F, 'NR > 1 { printf "%s %s|", $1, $2 }' "$work/l.csv")"
"${sweep[@]}" "$kernels/macro/square_u16.s" --arch bh --domain uint16 --reference square \
    --points "$work/l.csv" >/dev/null
check "squares modulo 2^16" python3 -c "
import csv
for r in csv.DictReader(open('$work/l.csv')):
    x, y, want = (int(r[k]) for k in ('x', 'y', 'y_ref'))
    assert y == x * x & 0xffff and want == min(x * x, 65535), r
    assert float(r['ulp_error']) == abs(y - want), r"
"${sweep[@]}" "$kernels/macro/max_i32.s" --arch wh --domain int16:0:32767xint8:0:127 \
    --stride 1009 --reference max >"$work/i.txt"
check "pairs of integers" grep -q '^exact           4157 of 4157' "$work/i.txt"
refuses "integers for floats" 2 'works on floats, int16 are not' \
    "${sweep[@]}" "$kernels/exp.s" --arch bh --domain int16
refuses "floats for integers" 2 'works on integers, bf16 are not' \
    "${sweep[@]}" "$work/three.s" --arch bh --domain bf16 --reference "$work/three.py"
refuses "an array of floats for integers" 2 'needs integers, at least one; there is float32' \
    "${sweep[@]}" "$work/three.s" --arch bh --domain "$work/list.npy" --reference identity
refuses "no budget for integers" 2 'the accuracy budget has no rows for Dst format int32' \
    "${sweep[@]}" "$work/three.s" --arch bh --reference identity --yaml "$work/y.npy"

# Results of another format than inputs: .out of the kernel, --out-dst, and neither of them.
sed 's/^\.out .*//' "$kernels/fp32_to_int32.s" >"$work/unsaid.s"
sed 's/^\.out .*//' "$kernels/int32_to_fp32.s" >"$work/unsaid2.s"
printf '%s\n' 1.5 -1.5 2.9e9 -1e30 0x1p31 0 123456789 >"$work/to.list"
for engine in fast reference compiled; do
    "${sweep[@]}" "$kernels/fp32_to_int32.s" --arch bh --domain "$work/to.list" --engine $engine \
        --points "$work/to.csv" >/dev/null
    same "to integers, $engine" \
        "1.5 1|-1.5 -1|2.9e+09 2147483647|-1e+30 -2147483647|2.1474836e+09 2147483647|0 0|$(
        )123456792 123456792|" \
        "$(awk -F, 'NR > 1 { printf "%s %s|", $1, $2 }' "$work/to.csv")"
    "${sweep[@]}" "$kernels/fp32_to_int32.s" --arch wh --engine $engine --json >"$work/to.json"
    check "to integers, all of bf16, $engine" python3 -c "
import json
r = json.load(open('$work/to.json'))
assert r['dst'] == 'fp32' and r['out_dst'] == 'int32-sm', r
o = {k: v for k, v in r['outcomes'].items() if v}
assert o == {'exact': 65536 - 254, 'undefined': 254}, o  # BF16 has 254 NaNs"
done
"${sweep[@]}" "$kernels/int32_to_fp32.s" --arch wh --domain int32 --sample 20000 >"$work/from"
check "from integers" grep -q '^exact           20000 of 20000' "$work/from"
"${sweep[@]}" "$work/unsaid2.s" --arch wh --domain int32 --sample 20000 --out-dst fp32 \
    >"$work/from2"
same "--out-dst" "$(sed 1d "$work/from")" "$(sed 1d "$work/from2")"
refuses "integers stored, and nothing said" 2 '--out-dst: .* takes floats and stores integers' \
    "${sweep[@]}" "$work/unsaid.s" --arch bh
refuses "floats stored, and nothing said" 2 '--out-dst: .* takes integers and stores floats' \
    "${sweep[@]}" "$work/unsaid2.s" --arch bh
"${sweep[@]}" "$work/unsaid.s" --arch bh --out-dst fp32 >"$work/bits"
check "bits, where they are asked for" grep -q 'Dst fp32$' "$work/bits"
refuses "a format that is none" 2 "out-dst: 'int33' is none of" \
    "${sweep[@]}" "$kernels/exp.s" --arch bh --out-dst int33
refuses "no budget for integers that come out" 2 'no rows for Dst format int32' \
    "${sweep[@]}" "$kernels/fp32_to_int32.s" --arch bh --yaml "$work/y.npy"
check "compare: one kernel in two forms" "$TENSIX" compare "$kernels/fp32_to_int32.s" \
    "$work/unsaid.s" --arch bh --out-dst int32-sm --no-progress
refuses "compare: integers and floats" 2 \
    '--out-dst: results of .* are int32-sm, those of .* are fp32' \
    "$TENSIX" compare "$kernels/fp32_to_int32.s" "$work/unsaid.s" --arch bh --no-progress

# References.
printf 'import math\ndef reference(x):\n    return math.sqrt(x) if x >= 0 else math.nan\n' \
    >"$work/root.py"
"${sweep[@]}" "$kernels/sqrt.s" --arch bh --reference sqrt | sed 's/sqrt$/R/' >"$work/r1"
"${sweep[@]}" "$kernels/sqrt.s" --arch bh --reference "$work/root.py" |
    sed "s|$work/root.py\$|R|" >"$work/r2"
check "a Python reference" cmp "$work/r1" "$work/r2"
printf 'def reference(x):\n    return 1 / x\n' >"$work/raise.py"
refuses "a reference that raises" 1 'raise.py: reference\(.*\) raises ZeroDivisionError' \
    "${sweep[@]}" "$kernels/reciprocal.s" --domain 0:1 --stride 99999989 \
    --reference "$work/raise.py" --points "$work/y.npy"
printf 'def reference(x:\n' >"$work/syntax.py"
refuses "a reference that is no Python" 1 'syntax.py: SyntaxError' \
    "${sweep[@]}" "$kernels/exp.s" --arch bh --reference "$work/syntax.py"
printf 'x = 1\n' >"$work/none.py"
refuses "a file without reference" 1 'none.py: there is no function reference' \
    "${sweep[@]}" "$kernels/exp.s" --arch bh --reference "$work/none.py"
cc=${CC:-cc}
if [ "${TX_SANITIZE:-off}" = off ] && command -v "$cc" >/dev/null; then
    printf 'double tensix_reference(const double *x) { return x[0] * x[0]; }\n' >"$work/sq.c"
    printf 'double tensix_reference(const double *x) { return *(double *)(x[0] > 2 ? 8L : 0); }\n' \
        >"$work/bad.c"
    "$cc" -shared -fPIC -o "$work/sq.so" "$work/sq.c"
    "$cc" -O0 -shared -fPIC -o "$work/bad.so" "$work/bad.c"
    "${sweep[@]}" "$work/square.s" --arch bh --reference "$work/sq.so" >"$work/out"
    check "a reference in a library" grep -q 'exact           65536 of 65536' "$work/out"
    printf '#include <stdlib.h>\ndouble tensix_reference(const double *x)\n{\n' >"$work/end.c"
    printf '    if (x[0] > 2) {\n        exit(0);\n    }\n    return x[0];\n}\n' >>"$work/end.c"
    "$cc" -shared -fPIC -o "$work/end.so" "$work/end.c"
    refuses "a reference that ends" 1 'end.so: the reference ended' \
        "${sweep[@]}" "$work/square.s" --arch bh --reference "$work/end.so" --points "$work/y.npy"
    refuses "a reference that crashes" 1 'bad.so: the reference crashed: Segmentation fault' \
        "${sweep[@]}" "$work/square.s" --arch bh --reference "$work/bad.so"
fi

# Errors.
refuses "no such function" 2 "no function 'exq'; did you mean 'exp'" \
    "${sweep[@]}" "$kernels/exp.s" --arch bh --reference exq
refuses "operands of the domain" 2 '--domain: .* takes 1 input, bf16xbf16 has 2' \
    "${sweep[@]}" "$kernels/exp.s" --arch bh --domain bf16xbf16
refuses "operands of the reference" 2 'add has 2 inputs, the kernel 1' \
    "${sweep[@]}" "$kernels/exp.s" --arch bh --reference add
refuses "too many inputs" 2 'more than 2\^32 inputs: a sample or a stride' \
    "${sweep[@]}" "$kernels/macro/max_fp32.s" --arch bh --domain fp32xfp32 --reference max
refuses "a domain that is none" 2 "'fp23' is none of" \
    "${sweep[@]}" "$kernels/exp.s" --arch bh --domain fp23
refuses "a bad line" 2 'bad.txt:2: not a number' bash -c \
    "printf '1\nx\n' >'$work/bad.txt'
    '$TENSIX' sweep '$kernels/exp.s' --arch bh --domain '$work/bad.txt'"
refuses "an unwritable report" 2 'No such file or directory' \
    "${sweep[@]}" "$kernels/exp.s" --arch bh --points "$work/none/y.csv"
refuses "a full disk" 2 'No space left on device' \
    "${sweep[@]}" "$kernels/exp.s" --arch bh --points /dev/full
for part in --yaml --plot; do
    end=$([ $part != --plot ] || echo .svg)
    [ $part != --plot ] || [ -n "$plot" ] || continue
    refuses "an unwritable $part" 2 'No such file or directory' \
        "${sweep[@]}" "$kernels/exp.s" --arch bh $part "$work/none/y$end"
done
for part in --yaml --csv --points; do
    refuses "$part to standard output" 2 "'-' is no name of a file" \
        "${sweep[@]}" "$kernels/exp.s" --arch bh $part -
done
refuses "a YAML that finds no room" 2 'No space left on device' \
    "${sweep[@]}" "$kernels/exp.s" --arch bh --yaml /dev/full
refuses "a CSV that finds no room" 2 'y.npy: File too large' bash -c \
    "ulimit -f 100; exec '$TENSIX' sweep '$kernels/exp.s' --arch bh --points '$work/y.npy'"
refuses "a state that is a device" 2 'not a regular file' \
    "${sweep[@]}" "$kernels/exp.s" --arch bh --resume /dev/full
for form in "" --json; do
    got=0
    "${sweep[@]}" "$kernels/exp.s" --arch bh $form >/dev/full 2>"$work/err" || got=$?
    same "a full standard output $form" "2 tensix sweep: standard output could not be written" \
        "$got $(cat "$work/err")"
done
refuses "a state that finds no room" 2 'y.npy: File too large' bash -c \
    "ulimit -f 100; exec '$TENSIX' sweep '$kernels/exp.s' --arch bh --resume '$work/y.npy'"
refuses "a shard without a file" 2 '--shard needs --resume' \
    "${sweep[@]}" "$kernels/exp.s" --arch bh --shard 1/2
refuses "a shard that is none" 2 "'8/7' is not I/N" \
    "${sweep[@]}" "$kernels/exp.s" --arch bh --shard 8/7 --resume "$work/x"
mkdir "$work/empty"
refuses "no gnuplot" 2 '--plot: pictures need gnuplot' env PATH="$work/empty" \
    "$TENSIX" sweep "$kernels/exp.s" --arch bh --plot "$work/y.npy.svg"

# Files.
"${sweep[@]}" "$kernels/exp.s" --arch bh --yaml "$work/e.yaml" >/dev/null
check "the row of the budget" grep -qE \
    '^  - \{in: Float16_b, out: Float32, dest: "Yes", arch: BLACKHOLE, max_ulp: 2, meas'\
'ured: 1, run: [-0-9]{10}\}' \
    "$work/e.yaml"
# A part of a format promises nothing about the rest: measured, but not by a run over all of it.
"${sweep[@]}" "$kernels/tanh.s" --arch bh --domain bf16:0:0.0001 --yaml "$work/c.yaml" >/dev/null
check "the row of a part of the domain" grep -qE 'sampled: [-0-9]{10}\}' "$work/c.yaml"
if [ -n "$plot" ]; then
    "${sweep[@]}" "$kernels/exp.s" --arch bh --plot "$work/e.svg" --plot "$work/e.png" >/dev/null
    check "the plot is SVG" python3 -c "
import xml.dom.minidom as m; assert m.parse('$work/e.svg').documentElement.tagName == 'svg'"
    same "its ticks are round numbers" "-1e+30 -1e-30 0 1e-30 1 1e+30" "$(python3 -c "
import re
texts = re.findall(r'<text>([^<]*)</text>', open('$work/e.svg').read())
at = texts.index('-1e+30')
print(*[t for t in texts[at:at + 15] if re.fullmatch(r'-?1e[+-]30|0|1', t)])")"
    same "the plot is PNG" 89504e47 "$(head -c 4 "$work/e.png" | od -An -tx1 | tr -d ' ')"
    same "the map of pairs is PNG" 89504e47 "$(head -c 4 "$work/p.png" | od -An -tx1 | tr -d ' ')"
fi
check "a trace of the worst input" bash -c \
    "'$TENSIX' sweep '$kernels/exp.s' --arch bh | grep -qE '^ +[0-9]+  L0 .* sfpload L0,0,0,3'"
# Where the time went: on stderr only, all parts above zero.
"${sweep[@]}" "$kernels/exp.s" --arch bh --domain=-4:4 --stride 101 >"$work/untimed"
"${sweep[@]}" "$kernels/exp.s" --arch bh --domain=-4:4 --stride 101 --time >"$work/timed" \
    2>"$work/time"
same "timed: the report" "$(cat "$work/untimed")" "$(cat "$work/timed")"
check "timed" grep -qE '^time: kernel [0-9.]+ s, reference [0-9.]+ s, judging [0-9.]+ s of '\
'[0-9]+ threads?; [0-9.]+ s in all$' "$work/time"
finish
