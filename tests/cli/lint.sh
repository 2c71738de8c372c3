#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix lint: tests/lint/hazard-*.s hold one planted hazard each, tests/lint/clean-*.s none.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
programs=$TX_SOURCE/tests/lint

for f in "$programs"/clean-*.s; do
    name=$(basename "$f" .s)
    status=0
    "$TENSIX" lint "$f" >"$work/out" 2>"$work/err" || status=$?
    same "$name: clean" 0 "$status"
    same "$name: one summary" 1 "$(grep -c '0 hazards, 0 other findings, 0 superf' "$work/out")"
done
for f in "$programs"/hazard-*.s; do
    name=$(basename "$f" .s)
    rule=$(sed -n 's/^# Planted.*: \([A-Z0-9-]*\)$/\1/p' "$f")
    line=$(grep -n '# planted' "$f" | cut -d: -f1)
    status=0
    "$TENSIX" lint "$f" >"$work/out" 2>"$work/err" || status=$?
    same "$name: status" 1 "$status"
    check "$name: the line and the rule" grep -q "s:$line: hazard \[$rule\]" "$work/out"
    same "$name: nothing else" 1 \
        "$(grep -c '1 hazards, 0 other findings, 0 superfluous' "$work/out")"
    same "$name: once" 1 "$(grep -c ': hazard ' "$work/out")"
done
# What needs nobody else runs, and what waits for ever is counted; the rest of the words is judged.
kernel() { # CHIP LINE...
    printf '.arch %s\n.dst fp32\n.tile\n' "$1"
    shift
    printf '    %s\n' "$@"
}
kernel blackhole 'ttmop 1, 3, 0' >"$work/mop.s"
check "MOP without .mop is what a run finds" grep -q 'mop.s:4: UndefinedBehavior \[E-NOINSN\]' \
    <("$TENSIX" lint "$work/mop.s")
kernel blackhole 'ttmvmul 0, 0, 0, 0' 'sfpmov L0, L1, 0' 'ttmop 1, 3, 0' >"$work/waits.s"
check "MVMUL without its banks is left out" grep -q '1 words of other units skipped' \
    <("$TENSIX" lint "$work/waits.s")
check "and what follows is judged" grep -q 'waits.s:6: .*E-NOINSN' \
    <("$TENSIX" lint "$work/waits.s")
check "what run finds in random words lint finds too" env LC_ALL=C \
    python3 "$(dirname "$0")/../lint/like_run.py" "$TENSIX" "$work" "${LINT_COUNT:-10}"
# The result is stored as BF16 and read as FP32.
kernel bh 'sfpload L0, 0, 3, 3' 'sfpstore L0, 0, 2, 3' >"$work/view.s"
check "a result that is read in another view than it was stored in" grep -q \
    'view.s: NonContractualBehavior .E-VIEW. bh: the result is read as 32-bit data' \
    <("$TENSIX" lint "$work/view.s")
sed 's/^.dst fp32/.dst bf16/; s/3, 3$/2, 3/' "$work/view.s" >"$work/seen.s"
check "and none where it is read as it was stored" grep -q '0 hazards, 0 other' \
    <("$TENSIX" lint "$work/seen.s")
# STOREIND has no bit 21; it needs memory, so that only its cycle passes.
printf '.arch bh\n.tile\nsfpnop\n.word 0x6666b440\n' >"$work/memory.s"
check "how a word is written that needs memory" grep -q \
    'memory.s:4: UndefinedBehavior .E-UNUSED. bh: STOREIND: .*cycle 1)' \
    <("$TENSIX" lint "$work/memory.s")
# What scheduled instructions read too early, or write together: each engine and strict mode say so.
printf '\x93NUMPY\x01\x00v\x00%-117s\n' \
    "{'descr': '<f4', 'fortran_order': False, 'shape': (1024,), }" >"$work/x.npy"
head -c 4096 /dev/zero >>"$work/x.npy"
for f in "$programs"/hazard-*-macro-read-*.s "$programs"/hazard-*-macro-two-*.s; do
    name=$(basename "$f" .s)
    rule=$(sed -n 's/^# Planted.*: \([A-Z0-9-]*\)$/\1/p' "$f")
    for engine in reference fast $(case $name in *-two-*) echo compiled ;; esac); do
        check "$name: run, $engine" bash -c "'$TENSIX' run '$f' --in '$work/x.npy' \
            --engine $engine | grep '^finding' | grep -q 'Hazard .$rule. x1'"
    done
    refuses "$name: run, strict" 1 "Hazard: .*\[$rule\]" \
        "$TENSIX" run "$f" --in "$work/x.npy" --strict
done
same "91 programs" 91 "$(find "$programs" -name '*.s' | wc -l)"

f=$programs/hazard-wh-mad-read.s
check "advice: an SFPNOP is missing" bash -c "'$TENSIX' lint '$f' | grep -q 'SFPNOP in front'"
check "json" bash -c "'$TENSIX' lint --json '$f' | python3 -c 'import json, sys
r = json.load(sys.stdin); f = r[\"results\"][0][\"findings\"]
assert r[\"found\"] and len(f) == 1 and f[0][\"rule\"] == \"E-HAZ\" and f[0][\"sfpnop_missing\"]
assert f[0][\"producer\"][\"line\"] + 1 == f[0][\"place\"][\"line\"]'"
printf '.dst fp32\nsfpload L0,0,3,3\nsfpnop\nsfpabs L1,L0,1\nsfpstore L1,0,3,3\n' >"$work/nop.s"
check "superfluous on both chips" bash -c \
    "'$TENSIX' lint '$work/nop.s' --arch both | grep -c ':3: superfluous SFPNOP' | grep -qx 2"
printf '.dst fp32\nsfpload L0,0,3,3\nsfpswap L0,L9,1\nsfpnop\nsfpstore L0,0,3,3\n' >"$work/swap.s"
check "an SFPNOP after SFPSWAP costs nothing on Blackhole" bash -c \
    "'$TENSIX' lint '$work/swap.s' --arch bh | grep -q ':4: note: SFPNOP costs nothing \[O-7\]'"
check "and no hazard" "$TENSIX" lint "$work/swap.s" --arch bh
printf '84010120\n7d000230\n' >"$work/two.hex"
check "hex" bash -c "'$TENSIX' lint '$work/two.hex' --arch wh | grep -q 'word 1: hazard .E-HAZ'"
# A word of the Matrix Unit (MVMUL, MOVA2D) in front of a load: which rows it writes nobody knows.
printf '26000000\n%s\n' 70030000 >"$work/fpu.hex"
check "words of the Matrix Unit" bash -c \
    "'$TENSIX' lint '$work/fpu.hex' --arch bh | grep -q 'word 1: hazard .E-FPU'"
printf '12000000\n02000000\n02000000\n02000000\n%s\n' 70030000 >"$work/fpu.hex"
check "three instructions later" "$TENSIX" lint "$work/fpu.hex" --arch bh
refuses "hex needs a chip" 2 'give --arch' "$TENSIX" lint "$work/two.hex"
refuses "no file" 2 'No such file' "$TENSIX" lint "$work/absent.s" --arch wh
refuses "no argument" 2 'no file given' "$TENSIX" lint
# Two examples are not clean on purpose: recip_bf16 reads 16-bit data back sooner than is proven,
# recip_fp32_replayed loads the row before the first, as the form that shipped does.
for k in "$TX_SOURCE"/examples/kernels/*.s "$TX_SOURCE"/examples/kernels/macro/*.s; do
    case $(basename "$k") in
    recip_bf16.s)
        "$TENSIX" lint "$k" >"$work/out" || true
        check "recip_bf16: T-12" grep -q '64 hazards, 0 other findings' "$work/out"
        same "recip_bf16: and nothing else" "" "$(grep 'hazard \[' "$work/out" | grep -v T-12)"
        ;;
    recip_fp32_replayed.s)
        "$TENSIX" lint "$k" >"$work/out" || true
        check "recip_fp32_replayed: the row before" \
            grep -q '0 hazards, 1 other findings' "$work/out"
        ;;
    *) check "example $(basename "$k")" "$TENSIX" lint "$k" ;;
    esac
done

# An ELF file, made by hand: one section, one function, the arch attribute.
# SECTION and TEXT: where and how it names its chip instead.
elf() { # FILE ITEM...: instructions of the core in hex, and Tensix words with a t in front
    python3 - "$@" <<'PY'
import os, struct, sys
rot = lambda w: ((w << 2) | (w >> 30)) & 0xffffffff
text = b"".join(struct.pack("<I", rot(int(i[1:], 16)) if i[0] == "t" else int(i, 16))
                for i in sys.argv[2:])
attr = os.environ.get("TEXT", "Arv32i2p1_m2p0_xtttensixwh1p0").encode().replace(b"|", b"\0") + b"\0"
section = os.environ.get("SECTION", ".riscv.attributes").encode().ljust(17, b"\0")
strtab = b"\0calculate\0"
sym = struct.pack("<IIIBBH", 0, 0, 0, 0, 0, 0) + struct.pack("<IIIBBH", 1, 0, len(text), 0x12, 0, 1)
names = b"\0.text\0" + section + b"\0.symtab\0.strtab\0.shstrtab\0"
parts, offset = [text, attr, sym, strtab, names], 52
heads = [struct.pack("<10I", *([0] * 10))]
kinds = [(1, 1, 6, 0, 0, 4, 0), (7, 0x70000003, 0, 0, 0, 1, 0), (25, 2, 0, 4, 1, 4, 16),
         (33, 3, 0, 0, 0, 1, 0), (41, 3, 0, 0, 0, 1, 0)]
body = b""
for (name, kind, flags, link, info, align, entry), data in zip(kinds, parts):
    body += b"\0" * (-len(body) % 4)
    heads.append(struct.pack("<10I", name, kind, flags, 0, 52 + len(body), len(data), link, info,
                             align, entry))
    body += data
body += b"\0" * (-len(body) % 4)
ident = b"\x7fELF\x01\x01\x01" + b"\0" * 9
head = ident + struct.pack("<HHIIIIIHHHHHH", 1, 243, 1, 0, 0, 52 + len(body), 0, 52, 0, 0, 40, 6, 5)
open(sys.argv[1], "wb").write(head + body + b"".join(heads))
PY
}
elf "$work/k.elf" 13 t84010120 t7d000230 t8f000000
"$TENSIX" lint "$work/k.elf" >"$work/out" 2>"$work/err" || true
if grep -q 'without libelf' "$work/err"; then
    ok "ELF: skipped, built without libelf"
else
    same "ELF: dis" "# calculate" "$("$TENSIX" dis "$work/k.elf" | head -1)"
    "$TENSIX" dis "$work/k.elf" >"$work/elf.s"
    same "ELF: dis, and asm takes it back" "84010120 7d000230 8f000000" \
        "$("$TENSIX" asm --arch wh "$work/elf.s" | grep -v '^#' | paste -sd' ')"
    check "ELF: function and offset" grep -q 'k.elf: calculate+0x8: hazard \[E-HAZ\] wh' "$work/out"
    # What may come between two words of a function, and what other functions did, is not known.
    elf "$work/pushed.elf" 13 t84010120 00b52023 t7d000230
    check "ELF: the core may push a word between" "$TENSIX" lint "$work/pushed.elf"
    # It is recorded as well: three words, of which the second is not in the file, twice.
    elf "$work/again.elf" 13 t04000033 t84010120 00b52023 t7d000230 t8f000000 t04000030
    check "ELF: and records it" "$TENSIX" lint "$work/again.elf"
    elf "$work/again.elf" 13 t04000033 t84010120 00b12023 t7d000230 t8f000000 t04000030
    status=0
    "$TENSIX" lint "$work/again.elf" >"$work/out" || status=$?
    same "ELF: a recording with nothing between" "1 1" \
        "$status $(grep -c 'E-HAZ.*; 2 times' "$work/out")"
    elf "$work/called.elf" 13 t84010120 008000ef t7d000230
    check "ELF: a call between" "$TENSIX" lint "$work/called.elf"
    elf "$work/stack.elf" 13 t84010120 00b12023 00052583 t7d000230
    status=0
    "$TENSIX" lint "$work/stack.elf" >"$work/out" || status=$?
    same "ELF: a store to the stack pushes nothing" "1 1" "$status $(grep -c E-HAZ "$work/out")"
    elf "$work/parts.elf" t7b000000 t42000081
    check "ELF: no configuration, predication as the vendor starts" \
        "$TENSIX" lint "$work/parts.elf"
    status=0
    "$TENSIX" lint --start=reset "$work/parts.elf" >"$work/out" || status=$?
    same "ELF: --start" "1 1" "$status $(grep -c 'E-CC' "$work/out")"
    # B's own program says its chip in the compiler's line of .debug_str only.
    gcc='GNU C++17 15.1.0 -mcpu=tt-'
    for chip in bh/wh wh/bh; do
        SECTION=.debug_str TEXT="x|${gcc}${chip%/*} -mtune=rvtt-b1|y" elf "$work/b.elf" t84010120
        same "ELF: dis, ${chip%/*} by the compiler's line" "# calculate" \
            "$("$TENSIX" dis "$work/b.elf" | head -1)"
        refuses "ELF: the compiler's line is of the other chip, $chip" 2 \
            'the file is of [a-z_0]*, --arch is ' \
            "$TENSIX" dis --arch "${chip#*/}" "$work/b.elf"
    done
    for text in 'echo GNU -mcpu=tt-bh' 'GNU C++17 -mcpu=tt-qsr' 'GNU C++17 -mcpu=tt-b'; do
        SECTION=.debug_str TEXT=$text elf "$work/b.elf" t84010120
        refuses "ELF: $text names no chip" 2 'does not name its chip' "$TENSIX" dis "$work/b.elf"
    done
    refuses "ELF of no chip" 2 'readable ELF' bash -c \
        "head -c 40 '$work/k.elf' >'$work/cut.elf'; exec '$TENSIX' lint '$work/cut.elf'"
fi
# What replays do wrong, as running the words finds it: nothing recorded, too much recorded.
printf 'ttreplay 0,4,0,0\nsfpnop\n' >"$work/replay.s"
"$TENSIX" lint "$work/replay.s" --arch wh >"$work/out" || true
check "a replay of nothing" grep -q ':1: UndefinedBehavior \[E-NOINSN\] wh' "$work/out"
printf '.rept 4\nsfpabs L1,L1,0\n.endr\nttreplay 0,40,1,1\n.rept 40\nsfpabs L1,L1,0\n.endr\n' \
    >"$work/replay.s"
"$TENSIX" lint "$work/replay.s" --arch bh >"$work/out" || true
check "a recording of 40" grep -q ':4: UndefinedBehavior \[E-REPLAY\] bh: REPLAY of 40' "$work/out"
check "and nothing else" grep -q ' 0 hazards, 1 other findings, 0 superfluous' "$work/out"
# One fact, whatever the number of passes; both kinds of SFPNOP.
printf '.dst fp32\n.rept 300\nsfpload L0,0,3,3\nsfpnop\nsfpmad L1,L0,L10,L9,0\nsfpabs L2,L1,0\n.endr
sfpnop\n' >"$work/passes.s"
"$TENSIX" lint "$work/passes.s" --arch wh >"$work/out" || true
same "one line a fact" "1 2" "$(grep -c ':6: hazard \[E-HAZ\]' "$work/out") $(
    grep -c 'superfluous SFPNOP \[' "$work/out")"
check "hazards counted" grep -q '; the same at 299 more words): an SFPNOP in front' "$work/out"
check "SFPNOPs counted" grep -q ':4: superfluous.*1 cycles less; the same at 299 more' "$work/out"
check "all of them" grep -q ': 300 hazards, 0 other findings, 301 superfluous SFPNOPs$' "$work/out"
check "all in JSON" bash -c "'$TENSIX' lint --json '$work/passes.s' --arch wh |
    python3 -c 'import json, sys
r = json.load(sys.stdin)[\"results\"][0]
assert len(r[\"findings\"]) == 300 and len(r[\"nops\"]) == 301 and r[\"complete\"]'"
# Long programs take time in proportion: a quarter of a second of processor for 16,000 words, where
# 8,000 took 76 once.
printf '.rept 4000\nsfpmad L1,L1,L10,L9,0\nsfpabs L2,L1,0\nsfpnop\nsfpnop\n.endr\n' >"$work/long.s"
check "16,000 words" bash -c "ulimit -t 2; '$TENSIX' lint '$work/long.s' --arch wh >'$work/out'
    grep -q ': 4000 hazards, 0 other findings, [1-9][0-9]* superfluous' '$work/out'"
# MOPs of two million words each end at the budget, and that is no clean bill.
n=0x02000000
printf '.arch bh\n.mop 0, 1, 1, %s, %s, %s, 0x8f000000, 0x8f000000, %s, %s\n' $n $n $n $n $n \
    >"$work/mop.s"
printf '.rept 1000\nttmop 1,15,0xffff\n.endr\n' >>"$work/mop.s"
status=0
"$TENSIX" lint "$work/mop.s" --max-cycles 5000 >"$work/out" || status=$?
same "ended by the budget: status" 1 $status
check "and told" grep -q '; not ended after 5000 cycles, the rest was not looked at' "$work/out"
check "in JSON too" bash -c "'$TENSIX' lint '$work/mop.s' --max-cycles 5000 --json |
    python3 -c 'import json, sys
r = json.load(sys.stdin); assert r[\"found\"] and not r[\"results\"][0][\"complete\"]'"
# Running and tracing it ends likewise, as an error in every form of output.
refuses "run: ended by the budget" 1 'not ended within max_cycles cycles' \
    "$TENSIX" run "$work/mop.s" --in "$work/x.npy" --max-cycles 5000
status=0
"$TENSIX" trace "$work/mop.s" --max-cycles 5000 >/dev/null 2>"$work/err" || status=$?
same "trace: ended by the budget: status" 1 $status
check "and told" grep -q 'not ended within max_cycles cycles' "$work/err"
check "run: ended by the budget, JSON" bash -c "'$TENSIX' run '$work/mop.s' \
    --in '$work/x.npy' --json --max-cycles 5000 | python3 -c 'import json, sys
assert \"not ended within max_cycles\" in json.load(sys.stdin)[\"error\"][\"message\"]'"
refuses "eval: ended by the budget" 1 'not ended within max_cycles cycles' \
    "$TENSIX" eval --arch bh --max-cycles 3 'sfpnop; sfpnop; sfpnop; sfpnop; sfpnop'
# The same about several words, hazards aside, is one line.
printf 'sfpload L0,64,3,3\nsfpload L1,66,3,3\nsfpload L2,68,3,3\nsfpnop\n' >"$work/alike.s"
"$TENSIX" lint "$work/alike.s" --arch bh >"$work/out" || true
same "alike findings: one line" 1 "$(grep -c 'never written' "$work/out")"
check "and how many" grep -q 'cycle 0; the same at 2 more words)$' "$work/out"
check "all are counted" grep -q ': 0 hazards, 3 other findings' "$work/out"
finish
