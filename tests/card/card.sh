#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix card: a program that opens the card as tt-umd does, on both chips; its exit status; what is
# left behind after each kind of end. $CARD_PROGRAMS has
# that program, $CARD_LIBRARY is the library.
# shellcheck disable=SC1091,SC2154,SC2016 # lib.bash sets them; the command expands them
set -eu
. "$(dirname "$0")/../cli/lib.bash"

# Waits until a folder is gone, at most a minute.
gone() {
    for _ in $(seq 1200); do
        [ -e "$1" ] || return 0
        sleep 0.05
    done
    return 1
}

for arch in bh wh; do
    check "opened as tt-umd does, $arch" "$TENSIX" card --arch "$arch" -- "$CARD_PROGRAMS/card_open"
done
check "without time" "$TENSIX" card --untimed -- "$CARD_PROGRAMS/card_open"
check "fixed steps" "$TENSIX" card --deterministic -- "$CARD_PROGRAMS/card_open"
check "without options" "$TENSIX" card sh -c 'test -c /dev/tenstorrent/0'
check "two cards" "$TENSIX" card --chips 2 -- sh -c 'test -c /dev/tenstorrent/1'
same "a folder tells the node's type" "0 False" "$("$TENSIX" card -- python3 -c 'import os
e = next(os.scandir("/dev/tenstorrent"))
print(e.name, e.is_file(follow_symlinks=False))')"
same "the card's name below its PCI device" "tenstorrent!1" \
    "$("$TENSIX" card --chips 2 -- ls /sys/bus/pci/devices/0000:ab:00.0/tenstorrent)"
check "by hand" env "LD_PRELOAD=$CARD_LIBRARY" "$CARD_PROGRAMS/card_open"
check "another library behind it" "$TENSIX" card --door "$CARD_DOOR" -- "$CARD_PROGRAMS/card_open"

# Every width and instruction, 8 threads, windows that are turned, fork and exec, faults of its own.
check "torture" "$TENSIX" card -- "$CARD_PROGRAMS/card_torture" 500

# Whatever lock a thread of the parent holds at the fork, a child gets on.
check "children that map, beside threads that do" "$TENSIX" card -- "$CARD_PROGRAMS/card_fork" 25

# Instructions become jumps after so many faults, or never: the same happens. More: make campaign.
for faults in 5 off; do
    check "accesses one after the other, $faults" env TENSIX_CARD_TRACE=1 \
        "TENSIX_CARD_PATCH=$faults" "$TENSIX" card -- "$CARD_PROGRAMS/card_patch"
    patched=$(sed -n 's/.* requests, \([0-9]*\) of them by.*/\1/p' "$work/check.out" | tail -1)
    case $faults in
    off) same "off is off" 0 "$patched" ;;
    *) check "most of them do not fault" [ "$patched" -gt 10000 ] ;;
    esac
done
check "torture of patched instructions" env TENSIX_CARD_PATCH=1 \
    "$TENSIX" card -- "$CARD_PROGRAMS/card_torture" 500

status() {
    local got=0
    "$TENSIX" card -- sh -c "$1" >"$work/out" 2>&1 || got=$?
    echo "$got"
}
same "exit status" 7 "$(status 'exit 7')"
same "killed by a signal" 137 "$(status 'kill -9 $$')"
same "no such command" 127 "$(
    got=0
    "$TENSIX" card -- /nonexistent 2>/dev/null || got=$?
    echo "$got"
)"
refuses "no command" 2 "no command" "$TENSIX" card
refuses "no --" 2 "put --" "$TENSIX" card --strict true
refuses "no such product" 2 "n150" "$TENSIX" card --product x9 -- true
refuses "product and chip" 2 "another chip" "$TENSIX" card --arch wh --product p150a -- true
refuses "no such library" 2 "door" "$TENSIX" card --door "$work/none.so" -- true
same "no card for others" "no" "$([ -e /dev/tenstorrent/0 ] && echo yes || echo no)"

# The program's output is its own; nothing of ours is in it.
same "what COMMAND gets is its own" "1
2" "$("$TENSIX" card -- echo "1
2")"
same "output" "hello" "$("$TENSIX" card -- echo hello 2>&1)"
check "json" python3 -c 'import json,subprocess,sys
d = json.loads(subprocess.run([sys.argv[1], "card", "--json", "--", "true"], check=True,
                              capture_output=True).stdout)
assert d["schema"] == 1 and d["status"] == 0 and d["findings"] == []' "$TENSIX"

# The report: what was launched, by name; what moved; what was found.
mkdir "$work/kernels"
"$TENSIX" card --report "$work/a.json" --profile --live -- "$CARD_PROGRAMS/card_report" \
    "$work/kernels" >"$work/out" 2>"$work/err"
same "a report does not disturb the output" "done" "$(cat "$work/out")"
check "the report's data" python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
assert d["status"] == 0 and d["lost"] == 0 and "card_report" in d["command"], d["command"]
s, = d["sessions"]
a, = s["launches"]  # code that no file has is not named
assert a["kernels"] == ["hello_card"] and a["tiles"] == 2 and a["id"] == 7 and not a["running"], a
assert 0 <= a["first"] < a["last"] <= s["cycles"]
tile, = (t for t in s["tiles"] if (t["kind"], t["x"], t["y"]) == ("Tensix", 1, 2))
assert tile["noc"] == 4096 and s["dram"] == 4096, (tile["noc"], s["dram"])
assert s["noc"] == sum(t["noc"] for t in s["tiles"])  # that of the PCIe tile is by the host
assert len(s["tiles"]) == 17 * 12 and s["samples"], len(s["tiles"])
found = [f for t in s["tiles"] for f in t.get("findings", [])]
assert [f["rule"] for f in found] == ["E-L1INIT"], found
assert "elf" not in found[0] and "source" not in found[0], found
# Two tiles, one after the other; core b of the second one polls a word, all other cores are held.
p, = s["profile"]
assert (p["kernels"], p["launches"], p["tiles"]) == (["hello_card"], 1, 2), p
lane, = p["lanes"]
assert lane["lane"] == "core b" and lane["works"] + lane["waits"] + lane["idle"] == p["tile_cycles"]
assert p["cycles"] <= p["tile_cycles"] and 5000 <= lane["waits"] <= p["cycles"], p
wait = lane["for"][0]
assert wait["text"] == "a change of the word at 00050000" and wait["cycles"] > lane["waits"] * .99
assert all("profile" not in launch for launch in s["launches"])' "$work/a.json"
check "the profile for people" grep -q \
    "core b .* works, .* % waits for a change of the word at 00050000" "$work/err"
check "the finding is told at the end" grep -q "(1, 2), cycle .*E-L1INIT" "$work/err"
check "with what it means on a card, and what to change" \
    grep -q "E-L1INIT.*; on a card: these bytes hold .*; change: write the bytes" "$work/err"
check "the live lines" grep -Eq "cycles, .* tiles at work, NoC 0.[0-9] MB, DRAM 0.0 MB" \
    "$work/err"
if command -v riscv64-unknown-elf-gcc >/dev/null; then
    # The program of core B of card_report, at another address than there.
    printf '.globl _start\n_start:\n  lui a1, 0x40\n\n  lw a0, 0(a1)\n1: j 1b\n' \
        >"$work/unset.S"
    (cd "$work" && riscv64-unknown-elf-gcc -g -nostdlib -march=rv32i -mabi=ilp32 \
        -Wl,-Ttext=0x8000 -o unset.elf unset.S)
    "$TENSIX" card --report "$work/source.json" -- "$CARD_PROGRAMS/card_report" \
        "$work/kernels" "$work/unset.elf" >"$work/out" 2>"$work/err"
    same "the line of a finding" "$work/unset.elf 32772 unset.S:5" "$(python3 -c 'import json, sys
s, = json.load(open(sys.argv[1]))["sessions"]
f, = (f for t in s["tiles"] for f in t.get("findings", []))
print(f["elf"], f["address"], f["source"])' "$work/source.json")"
fi
got=0
"$TENSIX" card --report "$work/b.html" --strict -- "$CARD_PROGRAMS/card_report" "$work/kernels" \
    >"$work/out" 2>"$work/err" || got=$?
same "strict ends the program with status 1" "1 " "$got $(cat "$work/out")"
check "strict says so" grep -q "stopped at the first finding" "$work/err"
same "strict without a finding" "done" \
    "$("$TENSIX" card --strict -- "$CARD_PROGRAMS/card_report" "$work/kernels" held 2>&1)"
check "the page has the report of a program that strict has ended" \
    grep -q '"fault":"core b at 00000004, lw a0' "$work/b.html"
check "the page is one file" python3 -c 'import re, sys
t = open(sys.argv[1]).read()
assert not re.search(r"(src|href)=|https?://(?!www.w3.org/2000/svg)|@import|url\(", t)' \
    "$work/b.html"
"$TENSIX" card --report "$work/resets.json" -- python3 -c 'import fcntl, struct
device = open("/dev/tenstorrent/0", "r+b", buffering=0)
for _ in range(2):
    fcntl.ioctl(device, 0xFA06, bytearray(struct.pack("<IIII", 8, 2, 0, 0)))'
same "a report for the time before each reset, and after" 3 \
    "$(python3 -c 'import json, sys
print(len(json.load(open(sys.argv[1]))["sessions"]))' "$work/resets.json")"
# A launch whose time is known: a loop of two instructions, 2000 times, then 4096 bytes of DRAM, on
# two tiles. What is said of it holds whatever else its 15 instructions take.
"$TENSIX" card --report "$work/c.json" --profile="$work/c.ops.csv" -- "$CARD_PROGRAMS/card_launch" \
    "$work/kernels" >"$work/out" 2>"$work/err"
same "the launch has done its work" "4092 4092" "$(xargs <"$work/out")"
check "the launch, its path and what is saved" python3 -c 'import json, sys
s, = json.load(open(sys.argv[1]))["sessions"]
launch, = s["launches"]
p, = s["profile"]
op = p["op"]
cycles = op["cycles"]
assert 4000 < cycles < 6000 and launch["op"]["cycles"] == p["cycles"] == cycles, cycles
assert launch["first"] + cycles <= launch["last"]
assert op["bound"] == "delivery" and sum(step["cycles"] for step in op["path"]) == cycles, op
first = op["path"][0]
assert 4000 < first["cycles"] < 4100 and first["text"] == "instructions", first
assert sum(step["cycles"] for step in op["path"] if step["bound"] in ("noc", "dram")) > 300
again = op["again"][0]  # half of 4000, and 15 of 16, are saved
assert again["unit"] == "delivery" and not again["stuck"] and not again["differs"], again
assert 1900 < cycles - again["half"] < 2100 and 3700 < cycles - again["none"] < 3900, again
assert [t["tile"] for t in op["tiles"]] == [[1, 2], [2, 2]], op["tiles"]
assert all(0.6 < t["cores"] < 1 and t["matrix"] == 0 for t in op["tiles"]), op["tiles"]
assert (op["requests"], op["dram_bytes"]) == (2, 8192)
links = {(l["x"], l["y"], l["direction"]): l["flits"] for l in op["links"] if l["noc"] == 0}
assert links[1, 2, "out"] == 1 + 4096 / 64 and links[1, 2, "in"] == 1, links
assert op["processors"]["brisc"] in range(4000, cycles) and op["processors"]["ncrisc"] == 0
assert op["at_least"] and op["at_least_because"] and again["at_least"] and p["at_least"]' \
    "$work/c.json"
check "a bound in words, on every line that has one" python3 -c 'import sys
lines = open(sys.argv[1]).read().split("  kernels\n")[1].splitlines()
lines = [line for line in lines if not line.startswith("    core")]
assert len(lines) > 6 and all("at least" in line for line in lines), lines' "$work/err"
check "the table of operations" python3 -c 'import csv, json, sys
row, = csv.DictReader(open(sys.argv[1]))
op = json.load(open(sys.argv[2]))["sessions"][0]["profile"][0]["op"]
assert row["OP CODE"] == "counts" and row["CORE COUNT"] == "2", row
assert abs(float(row["DEVICE FW DURATION [ns]"]) - op["cycles"] / 1.35) < 1
assert "at least" in row["ATTRIBUTES"] and None not in row and None not in row.values()' \
    "$work/c.ops.csv" "$work/c.json"
"$TENSIX" card --profile="$work/c.noc.json" -- "$CARD_PROGRAMS/card_launch" "$work/kernels" \
    >"$work/out" 2>"$work/err"
check "events of the NoC" python3 -c 'import json, sys
events = json.load(open(sys.argv[1]))
assert [(e["type"], e["sx"], e["sy"], e["num_bytes"], e["op_name"], e["run_host_id"], e["proc"])
        for e in events] == [("READ", x, 2, 4096, "counts", 1, "BRISC") for x in (1, 2)], events' \
    "$work/c.noc.json"
"$TENSIX" card --profile --report "$work/d.json" -- "$CARD_PROGRAMS/card_launch" "$work/kernels" \
    late >"$work/out" 2>"$work/err"
check "what the host wrote meanwhile is written again" python3 -c 'import json, sys
op = json.load(open(sys.argv[1]))["sessions"][0]["profile"][0]["op"]
assert op["again"] and not any(t["stuck"] for t in op["again"]), op["again"]
assert all(abs(t["none"] - op["cycles"]) < 100 for t in op["again"]), op["again"]' "$work/d.json"
"$TENSIX" card --profile="$work/e.ops.csv" --report "$work/e.json" -- \
    "$CARD_PROGRAMS/card_launch" "$work/kernels" never ends >"$work/out" 2>"$work/err"
check "a launch that has not ended is not run again" python3 -c 'import json, sys
p, = json.load(open(sys.argv[1]))["sessions"][0]["profile"]
assert p["cut"] and p["op"]["cycles"] > 6000 and p["op"]["again"] == []
assert p["op"]["again_not"] == "it was not watched to its end", p["op"]["again_not"]' "$work/e.json"
same "and has no row in the table of operations" 1 "$(wc -l <"$work/e.ops.csv")"
refuses "a profile without time" 2 "untimed" "$TENSIX" card --profile --untimed -- true
refuses "a report of another kind" 2 "html or .json" "$TENSIX" card --report x.txt -- true

# Locks of tt-umd in shared memory are the session's.
check "shared memory of the host's libraries is the session's" "$TENSIX" card -- \
    python3 -c 'import ctypes, os
lib = ctypes.CDLL(None)
assert lib.shm_open(b"/TT_UMD_LOCK.card_test", os.O_RDWR | os.O_CREAT, 0o600) >= 0
assert os.path.exists("/dev/shm/TT_UMD_LOCK.card_test")'
same "and goes with it" "no" "$([ -e /dev/shm/TT_UMD_LOCK.card_test ] && echo yes || echo no)"

# Whatever ends, the folder goes: the program, the command, both at once.
folder=$("$TENSIX" card -- sh -c 'echo $TENSIX_CARD')
check "nothing left after the end" gone "$folder"
"$TENSIX" card -- sh -c 'echo $TENSIX_CARD; exec sleep 60' >"$work/folder" &
command=$!
while ! [ -s "$work/folder" ]; do sleep 0.05; done
folder=$(cat "$work/folder")
check "the folder is there meanwhile" test -e "$folder/state"
kill -9 "$command"
wait "$command" 2>/dev/null || true
check "nothing left after a kill of the command" gone "$folder"
folder=$(env "LD_PRELOAD=$CARD_LIBRARY" sh -c 'test -c /dev/tenstorrent/0; echo $TENSIX_CARD')
check "nothing left by hand" gone "${folder:-/nonexistent}"

# Also after the process that keeps it was killed: by the next one, where it is old.
: >"$work/folder"
"$TENSIX" card -- sh -c 'echo $TENSIX_CARD; exec sleep 60' >"$work/folder" &
command=$!
while ! [ -s "$work/folder" ]; do sleep 0.05; done
folder=$(cat "$work/folder")
for fd in /proc/[0-9]*/fd/1; do
    if [ "$(readlink "$fd")" = "$folder" ]; then
        keeper=${fd#/proc/}
        kill -9 "${keeper%%/*}"
    fi
done
kill -9 "$command"
wait "$command" 2>/dev/null || true
"$TENSIX" card -- true
check "a folder without its keeper stays a minute" test -e "$folder/state"
touch -d "2 minutes ago" "$folder"
"$TENSIX" card -- true
check "and then goes" gone "$folder"

# Killed at random: the program while it does everything, its shell, the command, at once, at start.
check "killed at any time" python3 "$(dirname "$0")/card_killed.py" "$TENSIX" \
    "$CARD_PROGRAMS/card_kill" 8

# Killed in the middle of its accesses, by threads that are everywhere.
for time in 0.3; do
    : >"$work/folder"
    "$TENSIX" card -- sh -c 'echo $TENSIX_CARD $$; exec "$1" 100000' - \
        "$CARD_PROGRAMS/card_torture" >"$work/folder" 2>/dev/null &
    command=$!
    while ! [ -s "$work/folder" ]; do sleep 0.05; done
    read -r folder program <"$work/folder"
    sleep "$time"
    kill -9 "$program"
    got=0
    wait "$command" || got=$?
    same "status of a program that is killed, $time" 137 "$got"
    check "nothing left of it, $time" gone "$folder"
done

# Nothing but files and the chip's thread: no socket, no other program.
same "no socket" "" "$("$TENSIX" card -- python3 -c 'import os
fd = os.open("/dev/tenstorrent/0", os.O_RDWR)
for other in os.listdir("/proc/self/fd"):
    at = "/proc/self/fd/" + other
    if int(other) > 2 and os.path.islink(at) and os.readlink(at).startswith("socket:"):
        print(os.readlink(at))' 2>&1)"
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    cp "$(command -v cat)" "$work/suid"
    chmod 4755 "$work/suid"
    chmod 755 "$work"
    nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
    if nobody test -x "$TENSIX" && nobody "$work/suid" /dev/null; then
        same "a user without rights has a card" "0" \
            "$(cd / && nobody "$TENSIX" card -- ls /dev/tenstorrent)"
        check "a set-uid program has none" sh -c '! "$@" 2>/dev/null' - setpriv --reuid=65534 \
            --regid=65534 --clear-groups "$TENSIX" card -- "$work/suid" \
            /sys/bus/pci/devices/0000:aa:00.0/device
    fi
fi

# A path that leads out of the folder leads to nothing that the program could not open anyway.
same "no way out" "$(cat /etc/hostname 2>/dev/null || true)" \
    "$("$TENSIX" card -- cat /etc/hostname 2>/dev/null || true)"
check "the folder is the user's alone" sh -c \
    '[ "$("$1" card -- sh -c "stat -c %a \$TENSIX_CARD")" = 700 ]' - "$TENSIX"
finish
