#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix trace --elf: the cores of a tile in every form, by function and line of the source.
# shellcheck disable=SC1091,SC2154,SC2119 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
quick_cores
cd "$work"
python3 "$TX_SOURCE/tests/cli/tile_elf.py" .
if "$TENSIX" tile run --arch bh --elf t0=t0.elf 2>&1 | grep -q 'without libelf'; then
    echo "skipped: built without libelf"
    exit 77
fi
both="--elf t0=t0.elf --elf t1=t1.elf"

for chip in bh wh; do
    # shellcheck disable=SC2086 # words
    "$TENSIX" trace --arch $chip $both --json >lines
    check "$chip: what each core does, in order" python3 - lines <<'EOS'
import json, sys
events = [json.loads(line) for line in open(sys.argv[1])]
cores = [e for e in events if e["ev"] == "core"]
ran = [(e["core"], e["pc"]) for e in cores if e["state"] == "runs"]
t0 = [pc for core, pc in ran if core == "t0"]
# lui, li, sw; the ebreak pauses the core behind it
assert t0 == ["0x00006000", "0x00006004", "0x00006008", "0x0000600c"], t0
assert [e["state"] for e in cores if e["core"] == "t0"][-1] == "paused"
t1 = [pc for core, pc in ran if core == "t1"]
loop = [pc for pc in t1 if pc == "0x0000a008"]
assert len(loop) >= 2 and t1[-4:] == ["0x0000a008", "0x0000a00c", "0x0000a010", "0x0000a014"], t1
first = next(e for e in cores if e["core"] == "t1" and e["pc"] == "0x0000a008")
assert first["function"] == "wait_and_add+0x8" and first["text"].startswith("beq a1"), first
waits = {e["wait"] for e in cores if e["core"] == "t1" and e["state"] == "waits"}
assert "a result" in waits, waits
assert all(a["t"] <= b["t"] for a, b in zip(cores, cores[1:]))
EOS
    # shellcheck disable=SC2086 # words
    cycles=$("$TENSIX" tile run --arch $chip $both --json |
        python3 -c 'import json, sys; print(json.load(sys.stdin)["cycles"])')
    check "$chip: ends as tile run does, which looks every 16 cycles" python3 -c "
import json
end = json.loads(open('lines').readlines()[-1])['cycles']
assert $cycles - 16 < end <= $cycles, (end, $cycles)"
done
# Two words with 0 to 8 nops of the core between them: a cycle without an event is a row of its own,
# or counted by the row after it: rows and counts reach from 0 to the end without a hole.
cat >table.py <<'EOS'
import re, struct, subprocess, sys

push = lambda word: (word << 2 | word >> 30) & 0xFFFFFFFF
counts = set()
for nops in range(9):
    words = [push(0x8F000000)] + [0x13] * nops + [push(0x8F000000), 0x00100073]
    open("gap.bin", "wb").write(struct.pack("<%dI" % len(words), *words))
    text = subprocess.run([sys.argv[1], "trace", "--arch", sys.argv[2], "--elf", "t0=gap.bin"],
                          check=True, capture_output=True, text=True).stdout
    at = 0
    for line in text.splitlines():
        row = re.match(r" *(\d+) \|", line)
        idle = re.match(r" *\.\.\. \| (\d+) idle cycles$", line)
        if row:
            assert int(row.group(1)) == at, (nops, line, at)
            at += 1
        elif idle:
            at += int(idle.group(1))
            counts.add(int(idle.group(1)))
    end = int(re.search(r"# (\d+) cycles", text).group(1))
    assert at == end, (nops, at, end)
assert min(counts) == 4, counts
EOS
for chip in bh wh; do
    check "$chip: the table has every cycle" python3 table.py "$TENSIX" $chip
done
# shellcheck disable=SC2086 # words
"$TENSIX" trace --arch bh $both --html page.html --chrome chrome.json --out table
check "the table tells where a core goes" grep -q 'core t1 at 0000a000 in wait_and_add$' table
check "once, as it stays in its function" test "$(grep -c '^ *core t1 ' table)" -eq 1
check "the page has lanes of T0 and T1" grep -q '"cores":6,' page.html
check "and what they do" grep -Eq '^\["U",[0-9]+,[0-9]+,3,2,.*"wait_and_add".*"lw a1, 0' page.html
check "chrome: tracks, slices" python3 - chrome.json <<'EOS'
import json, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
track = {e["args"]["name"]: e["tid"] for e in events if e["name"] == "thread_name"}
assert {"Core t0", "Core t1"} <= set(track) and "Core b" not in track, track
slices = [e for e in events if e["ph"] == "X" and e["tid"] == track["Core t1"]]
assert slices[0]["ts"] == 0 and {e["cat"] for e in slices} == {"work", "wait"}
assert all(a["ts"] + a["dur"] == b["ts"] for a, b in zip(slices, slices[1:])), "gaps"
assert any(e["name"].endswith("waits: a result") for e in slices)
EOS
check "some cycles" test "$("$TENSIX" trace --arch bh --elf t1=t1.elf --poke 0x20000=1 \
    --cycles 5:6 --json | grep -c '"ev": "core"')" -le 2
check "files out of L1" "$TENSIX" trace --arch bh --elf t0=t0.bin --chrome c.json \
    --l1-out 0x20000:uint32:1:rows=out.bin
same "files out of L1: 42" 42 "$(od -An -tu4 out.bin | xargs)"

refuses "a deadlock" 1 'deadlock after .* core t1 +0000a014 no_post.0x14' \
    "$TENSIX" trace --arch bh --elf t1=dead.elf --chrome never.json
check "a deadlock: no file" test ! -e never.json
refuses "too long for a page" 2 'a page has at most 1000000 cycles' \
    "$TENSIX" trace --arch bh --elf t1=t1.elf --max-cycles 1000100 --html never.html
refuses "an option of kernels" 2 "--seed: is a kernel's" \
    "$TENSIX" trace --arch bh --elf t1=t1.elf --seed 3
refuses "a kernel besides" 2 "a.s: is a kernel's" "$TENSIX" trace a.s --arch bh --elf t1=t1.elf
refuses "no chip" 2 'which chip' "$TENSIX" trace --elf t1=t1.elf

if command -v riscv64-unknown-elf-gcc >/dev/null && pkg-config --exists libdw; then
    cat >lines.c <<'END'
static inline __attribute__((always_inline)) void store(unsigned at, unsigned value) {
    *(volatile unsigned *)at = value;
}
void _start(void) {
    store(0x20000, 1);

    store(0x20004, 2);
    __asm__ volatile("ebreak");
}
END
    riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -O2 -g -nostdlib -nostartfiles \
        -Wl,-Ttext=0x6000 -o lines.elf lines.c
    "$TENSIX" trace --arch wh --elf t0=lines.elf --json >lines

    # Lines of what is pushed, in a page: calls inlined into one another, words that Blackhole
    # pushes at once, and words that are recorded and played.
    cat >nest.c <<'END'
#define PUSH(word) __asm__ volatile(".word %0" ::"i"((word) << 2 | (word) >> 30))
static inline __attribute__((always_inline)) void nop(void) { PUSH(0x8f000000u); }
static inline __attribute__((always_inline)) void two(void) {
    nop();
    nop();
}
void _start(void) {
    PUSH(0x04000023u);
    two();
    PUSH(0x04000020u);
    nop();
    __asm__ volatile("ebreak");
}
END
    riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -O2 -g -nostdlib -nostartfiles \
        -Wl,-Ttext=0x6000 -o nest.elf nest.c
    for chip in bh wh; do
        "$TENSIX" trace --arch $chip --elf t0=nest.elf --html nest.html
        check "$chip: a page's lines of pushed words" python3 - nest.html <<'EOS'
import json, re, sys
page = open(sys.argv[1]).read()
data = json.loads(re.search(r"id='data'>\n(.*?)</script>", page, re.S).group(1))
calls = [[line for file, line in data["places"][e[23] - 1]][:-1]
         for e in data["events"] if e[0] == "I" and e[2] == 0 and e[13] == "sfpnop"]
assert calls == [[9, 4], [9, 5], [9, 4], [9, 5], [11]], calls
[source] = data["source"]
assert source["name"].endswith("nest.c") and [4, "    nop();"] in source["lines"], source
stood = [line for e in data["events"] if e[0] == "U" and e[3] == 3 and len(e) > 13
         for file, line in data["places"][e[13] - 1]]
assert 12 in stood or 13 in stood, stood # ebreak
EOS
        mv nest.c away.c
        "$TENSIX" trace --arch $chip --elf t0=nest.elf --html nest.html
        mv away.c nest.c
        check "$chip: where the source is not there" grep -q '\[9,"sfpnop (+1)"\]' nest.html
    done
    cat >names.cpp <<'END'
namespace a { void b(int n) { while (n > 0) {} } }
extern "C" void _start() { a::b(1); }
END
    riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -O0 -nostdlib -nostartfiles \
        -Wl,-Ttext=0x6000,-e_start -o names.elf names.cpp
    "$TENSIX" tile run --arch bh --elf t0=names.elf --max-cycles 500 >text 2>&1 || true
    check "names of C++ without what only compilers read" grep -q ' a::b+0x' text
    same "inlined: the line, and where from" "lines.c:2 from lines.c:5 lines.c:2 from lines.c:7" \
        "$(grep '"text": "sw' lines | grep '"runs"' | sed 's/.*"source": "//; s/".*//' | xargs)"
fi
finish
