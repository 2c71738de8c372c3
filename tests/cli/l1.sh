#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --l1 and --l1-out of run, eval and trace: layouts against a second statement, and wrong use.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
second="python3 $TX_SOURCE/tests/cli/formats.py"
cd "$work"

# Arrays as Python lists: shape, numbers.
cat >arrays.py <<'PY'
import ast, struct
def load(path):
    data = open(path, "rb").read()
    size = struct.unpack("<H", data[8:10])[0]
    head = ast.literal_eval(data[10:10 + size].decode())
    code = {"<f4": "f", "<i4": "i", "<u2": "H"}[head["descr"]]
    body = data[10 + size:]
    count = len(body) // struct.calcsize(code)
    return head["shape"], list(struct.unpack("<%d%s" % (count, code), body))
PY
cat >nothing.s <<'EOS'
.arch bh
.tile
    ttnop
EOS
cat >copy.s <<'EOS'
.arch bh
.thread unpack                      # 16 bytes from 0x10000 to 0x20000
    ttsetdmareg 0, 0x1000, 0, 2
    ttsetdmareg 0, 0, 0, 3
    ttsetdmareg 0, 0x2000, 0, 4
    ttsetdmareg 0, 0, 0, 5
    ttsetdmareg 0, 0, 0, 6
    ttloadind 0, 6, 0, 8, 1
    ttflushdma 1
    ttstoreind 1, 0, 0, 6, 0, 8, 2
    ttsempost 4
.thread math
    ttsemwait 511, 4, 1
    ttnop
EOS

# Numbers that every format of 16 bits holds, in tiles as another program makes them.
npy x.npy f4 "(2, 70, 40)" "[(i % 251) - 125.0 for i in range(5600)]"
for format in float32 float16_b bfp8_b; do
    $second pack $format x.npy want.tile
    "$TENSIX" run nothing.s --l1 0x1000=x.npy:$format --l1-out 0x1000:$format:2,70,40=got.tile >out
    check "$format: numbers into tiles" cmp want.tile got.tile
    "$TENSIX" run nothing.s --l1 0x40=want.tile:$format --l1-out 0x40:$format:2,70,40=got.npy >out
    check "$format: tiles into numbers" python3 -c "
from arrays import load
got, want = load('got.npy'), load('x.npy')
assert got[0] == want[0] and len(got[1]) == len(want[1])
worst = max(abs(a - b) for a, b in zip(got[1], want[1]))
assert worst <= ($([ $format = bfp8_b ] && echo 1 || echo 0))"
done
npy i.npy i4 "(3, 5)" "[i - 7 for i in range(15)]"
"$TENSIX" run nothing.s --l1 0=i.npy:int32:rows --l1 0x100=i.npy:int32:rows:sm \
    --l1-out 0:int32:3,5:rows=two.bin --l1-out 0x100:int32:15:rows=sm.bin --json >out
"$TENSIX" run nothing.s --l1 0x100=sm.bin --l1-out 0x100:int32:15:rows:sm=back.npy >out2
check "rows of integers" python3 -c "
import json, struct
from arrays import load
i = load('i.npy')[1]
assert open('two.bin', 'rb').read() == struct.pack('<15i', *i)
magnitude = [0x80000000 - x if x < 0 else x for x in i]
assert open('sm.bin', 'rb').read() == struct.pack('<15I', *magnitude)
assert load('back.npy') == ((15,), i)
l1 = json.load(open('out'))['l1']
assert [x['bytes'] for x in l1['in']] == [60, 60] and l1['out'][0]['layout'] == 'rows'"
npy p.npy u2 "(4, 4)" "[0x3F80 + i for i in range(16)]"
"$TENSIX" run nothing.s --l1 0=p.npy:bf16:rows --l1-out 0:uint16:16:rows=p.bin >out
check "patterns of a format" python3 -c "
import struct
from arrays import load
assert open('p.bin', 'rb').read() == struct.pack('<16H', *load('p.npy')[1])"

# A program of two threads moves bytes; the report says what lies where.
printf '0123456789abcdef' >b.bin
"$TENSIX" run copy.s --l1 0x10000=b.bin --l1-out 0x20000:uint8:16:rows=c.bin >out
check "16 bytes moved" cmp b.bin c.bin
check "the report" grep -q '^L1 0x10000 *b.bin: 16 bytes$' out
check "no finding" grep -q '^findings *none$' out
"$TENSIX" trace copy.s --l1 0x10000=b.bin --l1-out 0x20000:uint8:16:rows=t.bin >out
check "trace too" cmp b.bin t.bin
check "trace: the load" grep -q 'T0 ttloadind' out
"$TENSIX" eval --arch bh 'ttloadind 1,4,0,8,1; ttflushdma 1; ttstoreind 1,0,1,6,0,8,3' GPR1=1 \
    GPR3=2 --l1 0x10=b.bin --l1-out 0x20:uint8:4:rows=e.bin >out
check "eval: the register" grep -q '^GPR 8 of T1 .* -> 33323130$' out
check "eval: the bytes" grep -q '^L1 000020 *0* -> 303132330*$' out
same "eval: the file" "0123" "$(cat e.bin)"
"$TENSIX" eval --arch wh 'ttloadind 1,4,0,8,1' --l1-out 0:uint8:4:rows=e.bin >out
check "bytes that nobody wrote" grep -q 'UnpredictableValue \[E-L1INIT\]' out

# Wrong use: one line, status 2, and no file.
# wrong MESSAGE ARGUMENT...
wrong() {
    local message=$1 got=0
    shift
    "$TENSIX" run copy.s "$@" >out 2>err || got=$?
    same "$*: status" 2 "$got"
    same "$*: lines" 1 "$(wc -l <err)"
    check "$*: message" grep -qF -- "$message" err
    check "$*: no file" test ! -e no.npy
}
wrong "is not a multiple of 16 bytes" --l1 0x10001=b.bin
wrong "22400 bytes from 0x17fff0 on reach beyond L1, which ends at 0x180000" \
    --l1 0x17fff0=x.npy:float32:rows --l1-out 0:bf16:1=no.npy
wrong "is not ADDRESS=FILE" --l1 b.bin
wrong "b.bin and 8192=x.npy overlap in L1" --l1 0x2010=b.bin --l1 8192=x.npy
wrong "No such file" --l1 0=missing.npy
wrong "16 bytes are no whole number of bfp8_b tiles 32x32 (1088 each)" --l1 0=b.bin:bfp8_b
wrong "dtype float32 does not go with int32, which takes integers" --l1 0=x.npy:int32
wrong "no format 'bf61'" --l1 0=x.npy:bf61
wrong "--l1: files in L1 and an array exclude each other" --l1 0=b.bin --in x.npy --out no.npy
wrong "overlap in L1" --l1-out 0:bf16:64x64=no.npy --l1-out 0x10:bf16:1=other.npy
wrong "no.npy is written twice" --l1-out 0:bf16:1=no.npy --l1-out 0x1000:bf16:1=no.npy
wrong "bfp8_b has tiles only, no rows" --l1-out 0:bfp8_b:4x4:rows=no.npy
wrong "is not ADDRESS:FORMAT:SHAPE=FILE" --l1-out 0:bf16=no.npy
wrong "the array is empty" --l1-out 0:bf16:0x3=no.npy

# trace and eval refuse the same.
refused() {
    local message=$1 got
    shift
    for command in "trace copy.s" "eval --arch bh ttnop"; do
        got=0
        # shellcheck disable=SC2086 # the words of the command
        "$TENSIX" $command "$@" >out 2>err || got=$?
        same "$command $*: status, lines" "2 1" "$got $(wc -l <err)"
        check "$command $*: message" grep -qF -- "$message" err
        check "$command $*: no file" test ! -e no.npy
    done
}
refused "reach beyond L1, which ends at 0x180000" --l1 0x17fff0=x.npy:float32:rows \
    --l1-out 0:bf16:1=no.npy
refused "reach beyond L1, which ends at 0x180000" --l1-out 0x17fff0:bf16:32x32=no.npy
refused "16 bytes are no whole number of bfp8_b tiles 32x32 (1088 each)" --l1 0=b.bin:bfp8_b \
    --l1-out 0:bf16:1=no.npy
refused "no format 'bf61'" --l1 0=x.npy:bf61 --l1-out 0:bf16:1=no.npy
refused "overlap in L1" --l1-out 0:bf16:64x64=no.npy --l1-out 0x10:bf16:1=other.npy

# A thread that is missing: the other one waits for ever.
sed '/^.thread unpack/,/ttsempost/d' copy.s >half.s
got=0
"$TENSIX" run half.s --l1 0x10000=b.bin --l1-out 0x20000:uint8:16:rows=no.npy >out 2>err || got=$?
same "a deadlock: status" 1 "$got"
check "a deadlock: who waits for what" \
    grep -q '^  T1 .*since cycle .*  semaphore 2 .*  SEMPOST of semaphore 2$' err
check "a deadlock: no file" test ! -e no.npy
got=0
"$TENSIX" trace half.s --l1 0x10000=b.bin --l1-out 0x20000:uint8:16:rows=no.npy --html no.html \
    --chrome no.json >out 2>err || got=$?
same "a deadlock in trace: status, a line and a table of one row" "1 3" "$got $(wc -l <err)"
check "a deadlock in trace: no file" test ! -e no.npy -a ! -e no.html -a ! -e no.json
# Two threads that wait for each other.
cat >both.s <<'EOS'
.thread unpack
    ttsemwait 511, 4, 1
    ttsempost 8
.thread math
    ttsemwait 511, 8, 1
    ttsempost 4
EOS
for chip in bh wh; do
    got=0
    "$TENSIX" run both.s --arch $chip --l1-out 0:uint8:16:rows=no.npy >out 2>err || got=$?
    same "each waits for the other on $chip: status, lines" "1 4" "$got $(wc -l <err)"
    check "each waits for the other on $chip: T0" grep -q '^  T0 .*  SEMPOST of semaphore 2$' err
    check "each waits for the other on $chip: T1" grep -q '^  T1 .*  SEMPOST of semaphore 3$' err
    check "each waits for the other on $chip: no file" test ! -e no.npy
done
for name in 0 unpack 1 math 2 pack; do
    printf '.arch bh\n.thread %s\n ttsetadcxx 1,255,0\n' $name >named.s
    "$TENSIX" asm named.s --json >"named-$name.json"
done
check "thread unpack" cmp named-unpack.json named-0.json
check "thread math" cmp named-math.json named-1.json
check "thread pack" cmp named-pack.json named-2.json
check "three different ones" test "$(sort -u named-[012].json | wc -l)" -gt \
    "$(sort -u named-0.json | wc -l)"
printf '.arch bh\n.thread pick\n ttnop\n' >named.s
got=0
"$TENSIX" run named.s --l1 0=b.bin --l1-out 0:uint8:16:rows=no.npy >out 2>err || got=$?
same "a thread that is none: status, lines" "2 1" "$got $(wc -l <err)"
check "a thread that is none: no file" test ! -e no.npy
got=0
"$TENSIX" run nothing.s --thread pick >out 2>err || got=$?
same "no such thread" "2 tensix run: --thread: 'pick' is none of 0, 1, 2, unpack, math, pack" \
    "$got $(cat err)"
finish
