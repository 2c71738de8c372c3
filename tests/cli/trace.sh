#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix trace: the table cell by cell, JSON, Chrome, Konata, limits, what is refused.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"

# A row without its time and its Issue column, blanks squeezed: row FILE T
row() {
    grep -E "^ *$2 \|" "$1" | awk -F'|' '{ for (i = 2; i <= 6; i++) { gsub(/^ +| +$/, "", $i);
        printf "%s%s", $i, i < 6 ? "|" : "\n" } }'
}

# One cycle stalled: the result of the MAD is not there yet.
cat >"$work/stall.s" <<'EOS'
sfpload L0,0,3,3
sfpmad L1,L0,L0,L9,0
sfpadd L2,L1,L10,0
sfpnop
sfpstore L2,0,3,3
EOS
"$TENSIX" trace "$work/stall.s" --arch bh >"$work/t"
same "load" "L0=dst 0 fp32||||" "$(row "$work/t" 0)"
same "MAD" "||mad L1=L0*L0+L9||" "$(row "$work/t" 1)"
same "second cycle" "||' mad L1||" "$(row "$work/t" 2)"
check "stall, its cause and its producer" grep -Eq \
    '^ +2 .*\| stall: add L2=L1\+L10 waits: L1 written by SFPMAD at t=1 \(word 1\)$' "$work/t"
same "after the stall" "||add L2=L1+L10||" "$(row "$work/t" 3)"
same "store" "||||dst 0=L2 fp32" "$(row "$work/t" 5)"
same "end" "# 6 cycles, 5 instructions issued, 1 cycles stalled" "$(tail -1 "$work/t")"
"$TENSIX" trace "$work/stall.s" --arch wh >"$work/t"
same "Wormhole does not wait" "||add L2=L1+L10; ' mad L1||" "$(row "$work/t" 2)"
check "and is told so" grep -q '^ *! Hazard' "$work/t"

# A load whose lanes are all off has its address; SFPLOADI has none. What L7 names is read: of the
# registers L1 and L2 it names L2, which belongs to the second datum.
cat >"$work/reads.s" <<'EOS'
sfploadi L7,2,4
sfpload L1,0,3,3
sfpload L2,2,3,3
sfpload L3,4,3,3
sfpmad L4,L1,L1,L9,4
sfpnop
sfpencc 3,10
sfpsetcc L9,0,2
sfpload L5,8,3,3
EOS
"$TENSIX" trace "$work/reads.s" --arch bh --json >"$work/t"
same "json: addresses and datums" "- 0:1 2:2 4:3 -:2 -:0 -:0 -:0 8:4" "$(python3 -c '
import json, sys
lines = [e for e in map(json.loads, sys.stdin) if e["ev"] == "issue"]
print("-" if "address" not in lines[0] else "address",
      *("%s:%d" % (e.get("address", "-"), e["datum"]) for e in lines[1:]))' <"$work/t")"
check "address of a load without lanes" grep -q '"L5=dst 8 fp32"' "$work/t"
"$TENSIX" trace "$work/reads.s" --arch bh --html "$work/reads.html" >/dev/null
same "page: SFPMAD reads L1, L2, L7 and L9" "$((1 << 1 | 1 << 2 | 1 << 7 | 1 << 9))" \
    "$(sed -nE 's/^\["I",.*"sfpmad[^"]*","f{8}",([0-9]+),.*/\1/p' "$work/reads.html" | sort -u)"

# The interlock takes the VB field of SFPSTOCHRND for an operand; after SFPSWAP everything waits.
cat >"$work/held.s" <<'EOS'
sfpmul L0,L1,L1,0
sfpstochrnd L3,L0,L2,0,1,0
sfpswap L0,L1,1
sfpmov L4,L3,0
EOS
"$TENSIX" trace "$work/held.s" --arch bh >"$work/t"
check "false dependency" grep -q \
    'waits: false dependency on L0 of SFPMUL at t=0 (word 0)$' "$work/t"
check "second cycle" grep -q 'waits: SFPSWAP at t=3 (word 2) is in its second cycle$' "$work/t"
"$TENSIX" trace "$work/held.s" --arch bh --json >"$work/t"
same "json: producers" "SFPMUL 0 0 [0] True, SFPSWAP 2 3 [] False" "$(python3 -c '
import json, sys
print(", ".join("%s %d %d %s %s" % (e["producer"]["op"], e["producer"]["id"], e["producer"]["t"],
      e["lregs"], e["false_dependency"]) for e in map(json.loads, sys.stdin)
      if e["ev"] == "stall"))' <"$work/t")"

# Load at 0, cast at 1 into L16, store of it at 2; one launch each cycle.
cat >"$work/macro.s" <<'EOS'
.arch blackhole
.init
    sfpcast L12,L0,0
.loadi L0, 0x4b000044
    sfpconfig 4,0,0
    sfpconfig 8,0x103,1
    sfpnop
.tile
    sfploadmacro 0,L0,0,6,3
    sfploadmacro 0,L1,2,6,3
    sfpnop
    sfpnop
EOS
if "$TENSIX" trace "$work/macro.s" >"$work/t" 2>"$work/err"; then
    same "launch" "[L0] lm0 L0=dst 0 lo16||||" "$(row "$work/t" 0)"
    same "scheduled" "[L1] lm0 L1=dst 2 lo16|[L0] cast L16=fp32 L0|||" "$(row "$work/t" 1)"
    same "scheduled store" "nop|[L1] cast L16=fp32 L1|||[L0] dst 0=L16 fp32" "$(row "$work/t" 2)"
    same "drain" "nop||||[L1] dst 2=L16 fp32" "$(row "$work/t" 3)"
    "$TENSIX" trace "$work/macro.s" --init >"$work/u"
    # The hexadecimal configuration by name; the words are those of the file above.
    check "sequence" grep -qF \
        'sequence 0, simple=t0@0>L16 store@1<L16' "$work/u"
    check "template" grep -qF 'template t0, sfpcast VD,L0,0' "$work/u"
    check "misc" grep -qF 'misc mod0=3 instructions=simple' "$work/u"
    check "--init" grep -q '^\.init' "$work/u"
    check "--init, then the tile" grep -q '^\.tile 0' "$work/u"
else
    not_ok "macro kernel" "$(cat "$work/err")"
fi

# Mod0 0 is the format that the configuration says, also of what a macro stores.
printf '%s\n' '.arch bh' .init '.template t0, sfpmov VD,L0,0' '.sequence 0, simple=t0@0 store@1' \
    .misc sfpnop .tile 'sfploadmacro 0,L0,0,0,3' 'sfpload L1,2,0,3' sfpnop 'sfpstore L1,4,0,3' \
    >"$work/mode.s"
for format in fp32 bf16 fp16; do
    "$TENSIX" trace "$work/mode.s" --dst $format >"$work/t"
    same "mode 0 of a macro, $format" "[L0] lm0 L0=dst 0 $format||||" "$(row "$work/t" 0)"
    same "mode 0 of a load, $format" "L1=dst 2 $format" "$(row "$work/t" 1 | cut -d'|' -f1)"
    same "mode 0 of a store, $format" "dst 4=L1 $format" "$(row "$work/t" 3 | cut -d'|' -f5)"
done

# SFPSWAP occupies two cycles.
printf 'sfpload L0,0,3,3\nsfpswap L0,L1,1\nsfpmov L2,L0,0\nsfpnop\n' >"$work/swap.s"
"$TENSIX" trace "$work/swap.s" --arch bh >"$work/t"
same "swap" 1 "$(row "$work/t" 1 | grep -c '^|swap ')"
same "its second cycle" 1 "$(row "$work/t" 2 | grep -c "^|' swap ")"

"$TENSIX" trace "$work/macro.s" --cycles 1:2 >"$work/t"
same "--cycles" 2 "$(grep -Ec '^ +[0-9]+ \|' "$work/t")"
npy "$work/x.npy" f4 "(2, 1024)" "[1.5 if i < 1024 else 2.5 for i in range(2048)]"
"$TENSIX" trace "$work/stall.s" --arch bh --in "$work/x.npy" --regs L0,L2 --dst 0-1 >"$work/t"
check "--regs" grep -q '^ *L0  = 3fc00000 1.5 in all lanes' "$work/t"
check "--regs, computed" grep -q '^ *L2  = 40500000 3.25 in all lanes' "$work/t"
same "--dst" 2 "$(grep -c '^ *Dst [01] = 5080 407f' "$work/t")"
check "--tile" bash -c "'$TENSIX' trace '$work/stall.s' --arch bh --in '$work/x.npy' --tile 1 \
    --regs L0 | grep -q 'L0  = 40200000 2.5 in all lanes'"
"$TENSIX" trace "$work/stall.s" --arch bh --tiles 3 >"$work/t"
same "--tiles" 3 "$(grep -c '^\.tile' "$work/t")"
"$TENSIX" trace "$work/stall.s" --arch bh --seed 7 --regs all >"$work/a"
"$TENSIX" trace "$work/stall.s" --arch bh --seed 7 --regs all >"$work/b"
check "deterministic" cmp "$work/a" "$work/b"
same "no colours in a pipe" 0 "$(grep -c $'\033' "$work/a")"
if script -qec true /dev/null >/dev/null 2>&1; then
    command="TERM=xterm $TENSIX trace $work/stall.s --arch bh"
    check "colours on a terminal" bash -c \
        "script -qec '$command' /dev/null | grep -q $'\033'"
    # In one cell: what starts has its datum's colour, what goes on that of its own.
    printf 'sfpload L0,0,3,3\nsfpload L1,2,3,3\nsfpmad L2,L0,L0,L9,0\nsfpmad L3,L1,L1,L9,0\n' \
        >"$work/two.s"
    same "a colour a datum" "36 33 36" "$(script -qec \
        "TERM=xterm $TENSIX trace $work/two.s --arch bh" /dev/null | grep -E '^ +[23] ' |
        cut -d'|' -f4 | grep -oE $'\033\\[3[0-9]m' | tr -dc '0-9\n' | paste -sd ' ')"
    same "NO_COLOR" 0 "$(script -qec "NO_COLOR=1 $command" /dev/null | grep -c $'\033')"
fi

"$TENSIX" trace "$work/macro.s" --json --chrome "$work/c.json" >"$work/t.jsonl"
python3 - "$work" >"$work/py" <<'PY'
import json, sys
work = sys.argv[1]
lines = [json.loads(x) for x in open(work + "/t.jsonl")]
kinds = [x["ev"] for x in lines]
print("first", lines[0]["ev"], lines[0]["schema"], lines[0]["unit"], lines[0]["arch"])
print("kinds", sorted(set(kinds)))
ex = [x for x in lines if x["ev"] == "execute"]
print("execute", [(x["t"], x["unit"], x["vd"], x["launch"], x["datum"]) for x in ex])
ids = {x["id"] for x in lines if x["ev"] == "issue"}
print("ids", all(x["id"] in ids for x in ex))
writes = [x for x in lines if x["ev"] == "lreg" and x["index"] == 16]
print("L16", [(x["t"], x["scheduled"], len(x["values"])) for x in writes])
print("order", all(a.get("t", 0) <= b.get("t", 0) for a, b in zip(lines[:-1], lines[1:-1])))
chrome = json.load(open(work + "/c.json"))["traceEvents"]
names = {e["tid"]: e["args"]["name"] for e in chrome if e["name"] == "thread_name"}
print("tracks", sorted(names.values()))
slices = [e for e in chrome if e["ph"] == "X"]
print("slices", sorted((e["ts"], names[e["tid"]], e["dur"]) for e in slices)[:3])
PY
line() {
    sed -n "s/^$1 //p" "$work/py"
}
same "json: the first line" "trace 1 cycle blackhole" "$(line first)"
# The finding is E-VIEW: 16-bit loads of FP32 data.
same "json: kinds" "['dst', 'end', 'execute', 'finding', 'issue', 'lreg', 'section', 'trace']" \
    "$(line kinds)"
same "json: scheduled ones" \
    "[(1, 'Simple', 16, 0, 1), (2, 'Simple', 16, 1, 2), \
(2, 'Store', 16, 0, 1), (3, 'Store', 16, 1, 2)]" \
    "$(line execute)"
same "json: id of the launch" True "$(line ids)"
same "json: values" "[(1, True, 256), (2, True, 256)]" "$(line L16)"
same "json: order" True "$(line order)"
same "chrome: tracks" \
    "['T1 Load', 'T1 MAD', 'T1 Round', 'T1 Simple', 'T1 Store', 'T1 issue']" "$(line tracks)"
same "chrome: slices" "[(0, 'T1 Load', 1), (1, 'T1 Load', 1), (1, 'T1 Simple', 1)]" "$(line slices)"

# Speed and memory: 10000 instructions at once, then twenty times that.
{
    echo .arch blackhole
    echo ".rept 2500"
    printf 'sfpload L0,0,3,3\nsfpmad L1,L0,L0,L9,0\nsfpadd L2,L1,L10,0\nsfpstore L2,0,3,3\n'
    echo .endr
} >"$work/big.s"
python3 - "$TENSIX" "$work/big.s" "${TX_SANITIZE:-off}" >"$work/py" <<'PY'
import re, resource, subprocess, sys, time
def spent():
    of = resource.getrusage(resource.RUSAGE_CHILDREN)
    return of.ru_utime + of.ru_stime
def run(*more):
    start, most = spent(), 0
    process = subprocess.Popen([sys.argv[1], "trace", sys.argv[2], *more],
                               stdout=subprocess.DEVNULL)
    while process.poll() is None: # getrusage would tell of the process that forked
        found = re.search(r"VmHWM:\s+(\d+)", open("/proc/%d/status" % process.pid).read())
        most = int(found.group(1)) if found else most
        time.sleep(0.001)
    return process.returncode, spent() - start, most
one, many = run(), run("--tiles", "20")
slow = 1 if sys.argv[3] == "off" else 15
print(one[0] == many[0] == 0, one[1] < slow, many[2] < one[2] + 2048 * slow)
PY
same "10000 instructions within a second of the processor, memory does not grow" \
    "True True True" "$(cat "$work/py")"

# Inputs are FP32, .dst is what the kernel stores: cells that were never written are read, or not.
converts=$work/converts.s
sed 's/^\.dst .*/.dst bf16/' "$TX_SOURCE/examples/kernels/macro/fp32_to_bf16.s" >"$converts"
"$TENSIX" trace "$converts" --arch bh >"$work/t"
check "inputs in the format of .dst" grep -q 'never written' "$work/t"
"$TENSIX" trace "$converts" --arch bh --dst fp32 --dst 0 >"$work/t"
same "--dst FORMAT" 0 "$(grep -c 'never written' "$work/t")"
check "and --dst ROWS" grep -q '^ *Dst 0 = ' "$work/t"

y=$work/y.npy
refuses "Dst format" 2 "'fp31' is none of" "$TENSIX" trace "$converts" --arch bh --dst fp31
refuses "cycles" 2 "'5:2' is not A:B" "$TENSIX" trace "$work/stall.s" --arch bh --cycles 5:2
refuses "register" 2 "'L17' is no number from 0 to 16" \
    "$TENSIX" trace "$work/stall.s" --arch bh --regs L17
refuses "rows" 2 "5-3 is empty" "$TENSIX" trace "$work/stall.s" --arch bh --dst 5-3
refuses "tile" 2 'no tile 2' "$TENSIX" trace "$work/stall.s" --arch bh --in "$work/x.npy" --tile 2
refuses "dtype" 2 'int32 does not go with' bash -c ". '$TX_SOURCE/tests/cli/lib.bash' >/dev/null
    npy '$work/i.npy' i4 '(4,)' '[1,2,3,4]'
    exec '$TENSIX' trace '$work/stall.s' --arch bh --in '$work/i.npy'"
refuses "no kernel" 2 'no kernel given' "$TENSIX" trace
refuses "output directory" 2 'No such file' \
    "$TENSIX" trace "$work/stall.s" --arch bh --html "$work/nowhere/y.html"
printf 'sfpmad L4,L0,L0,L9,0\nsfppopc 0\n' >"$work/finding.s"
got=0
"$TENSIX" trace "$work/finding.s" --arch wh --strict --html "$y" >"$work/out" \
    2>"$work/err" || got=$?
same "strict stops" 1 "$got"
check "no half-written file" test ! -e "$y"
same "who asks for a file gets no table besides" "" "$(cat "$work/out")"
"$TENSIX" trace "$work/finding.s" --arch wh --strict >"$work/out" 2>"$work/err" || true
check "the table up to there" grep -q '! stopped' "$work/out"
finish
