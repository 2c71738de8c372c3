#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix chip run --races: the examples are silent; what is taken out of their kernels is reported
# (a sample; all of it: make campaign ONLY=chip-mutants); a request beyond its buffer is out of
# bounds; known findings, SARIF, JUnit, JSON; a run that does not end; a program in Python.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
quick_cores
if ! command -v riscv64-unknown-elf-gcc >/dev/null; then
    echo "skipped: no riscv64-unknown-elf-gcc (make deps)"
    exit 77
fi
cd "$work"
if [ "${TX_SANITIZE:-off}" = off ]; then # Python is built without
    for program in p150,pipeline.json n150,vecadd.json p150,matmul.py n150,halo.py; do
        check "${program#*,}" python3 "$TX_SOURCE/scripts/chip_mutants.py" --tensix "$TENSIX" \
            --product "${program%,*}" --only "${program#*,}" --sample 3
    done
fi

cp "$TX_SOURCE"/examples/chip/pipeline.* .
python3 - <<'END'
import struct
head = "{'descr': '<u4', 'fortran_order': False, 'shape': (8, 64), }"
head += " " * (117 - len(head)) + "\n"
data = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode()
open("words.npy", "wb").write(data + struct.pack("<512I", *range(512)))
END
places() { # places KIND FILE: the lines of its sites, in order
    sed -n "s/^$1: //p" "$2"
}
raced() { # raced NAME [OPTION ...]: the program with what is in NAME.cpp
    local name=$1
    shift
    sed "s/pipeline.cpp/$name.cpp/" pipeline.json >run.json
    status=0
    "$TENSIX" chip run --races "$@" run.json >"$name.out" 2>"$name.err" || status=$?
}
for chip in p150 n150; do
    raced pipeline --product $chip
    same "the original on $chip" "0 findings, level contract" "$(tail -n 1 pipeline.out)"
    same "its status" 0 "$status"
    # What a read brings is used before it comes.
    sed '0,/noc_async_read_barrier();/s///' pipeline.cpp >early.cpp
    raced early --product $chip
    use=$(grep -n 'words\[i\] = words' early.cpp | sed 's/:.*//')
    read=$(grep -n 'noc_async_read_page' early.cpp | sed 's/:.*//')
    same "no barrier on $chip" "early.cpp:$read and early.cpp:$use" \
        "$(places read-before-arrival early.out | head -n 1)"
    same "its status" 1 "$status"
    # A delay with which its result differs, and differs again when that is replayed; the original's
    # does not.
    raced early --product $chip --witness --budget 8
    sed -n 's/^    witness \(.*\): .*/\1/p' early.out | head -n 1 >early.delay
    check "a delay is found on $chip" test -s early.delay
    sed -i 's/"save": "[a-z]*.npy"/"save": "plain.npy"/' run.json
    "$TENSIX" chip run --product $chip run.json >plain.out
    sed -i 's/"save": "[a-z]*.npy"/"save": "late.npy"/' run.json
    "$TENSIX" chip run --product $chip --delays early.delay run.json >late.out
    check "it changes the result on $chip" test "$(cmp -l plain.npy late.npy 2>&1 | wc -l)" -gt 0
    sed 's/early.cpp/pipeline.cpp/; s/late.npy/right.npy/' run.json >right.json
    "$TENSIX" chip run --product $chip --delays early.delay right.json >right.out
    sed 's/right.npy/same.npy/' right.json >same.json
    "$TENSIX" chip run --product $chip same.json >same.out
    check "and that of the original is safe on $chip" cmp right.npy same.npy
    # Pages beyond the buffer, and L1 that belongs to nobody.
    sed 's/read_page(n, source/read_page(n + 64, source/' pipeline.cpp >beyond.cpp
    raced beyond --product $chip
    check "a page too far on $chip" grep -q "^out-of-bounds: beyond.cpp:$read\$" beyond.out
    sed 's/tx_noc_addr_of(x + 1, y, page)/tx_noc_addr_of(x + 1, y, page + 0x20000)/' pipeline.cpp \
        >astray.cpp
    raced astray --product $chip
    write=$(grep -n 'page + 0x20000' astray.cpp | sed 's/:.*//')
    check "a write to what nobody has on $chip" \
        grep -q "^out-of-bounds: astray.cpp:$write\$" astray.out
    # Nobody gives the page back.
    sed '/noc_semaphore_inc(tx_noc_addr_of(x - 1/d' pipeline.cpp >stuck.cpp
    raced stuck --product $chip
    check "who waits on $chip" grep -q '^    who waits:$' stuck.out
    check "and its deadlock" grep -q '^deadlock: stuck.cpp:' stuck.out
    check "and the run's own words" grep -q 'deadlock after' stuck.err
    same "its status" 1 "$status"
done
raced early --known known --sarif a.sarif --junit a.xml
same "a file of known findings is written" 1 "$status"
raced early --known known --junit b.xml --json
same "and read" 0 "$status"
raced stuck --json
cat >look.py <<'END'
import json
import xml.etree.ElementTree as xml
run = json.load(open("a.sarif"))["runs"][0]
rules = {r["ruleId"] for r in run["results"]}
assert "read-before-arrival" in rules, rules
assert xml.parse("a.xml").getroot().get("failures") == str(len(run["results"]))
assert xml.parse("b.xml").getroot().get("failures") == "0"
early = json.load(open("early.out"))
assert early["ended"] == "done" and all(f["known"] for f in early["races"]["findings"]), early
where = [f["where"] for f in early["races"]["findings"] if "where" in f]
assert {w["memory"] for w in where} == {"l1"} and all("tile" in w for w in where), early
stuck = json.load(open("stuck.out"))
assert stuck["ended"] == "deadlock" and stuck["races"]["stuck"] and stuck["races"]["waits"], stuck
END
check "SARIF, JUnit, JSON" python3 look.py
raced early --level documented
check "the other level" grep -q 'level documented$' early.out
# Allocations in L1 of all tiles, more of them than a table of fixed size would hold.
echo 'extern "C" void kernel_main() {}' >nothing.cpp
python3 - <<'END'
import json
program = {
    "schema": 1,
    "chip": {"product": "p150"},
    "buffers": [{"name": f"b{i}", "in": "l1", "bytes": 12800, "page": 64} for i in range(40)],
    "kernels": [{"source": "nothing.cpp", "processor": "data_movement_0", "tiles": "0,0"}],
}
json.dump(program, open("many.json", "w"))
END
status=0
"$TENSIX" chip run --races many.json >many.out || status=$?
same "5600 allocations" "0 findings, level contract" "$(tail -n 1 many.out)"

# A race is a place: the debugger and gdb go to it, from either side. There the core is about to use
# what has not been waited for.
sed 's/pipeline.cpp/early.cpp/' pipeline.json >run.json
debug=("$TENSIX" chip run --races --debug --tile 0,0)
"${debug[@]}" --command races --command 'goto race 1' --command 'goto begin' \
    --command 'break race 1' --command continue --command 'goto end' \
    --command reverse-continue run.json >debug.out || true
place="read-before-arrival: early.cpp:$read and early.cpp:$use"
cycle=$(sed -n "s/^1   cycle \([0-9]*\) *$place\$/\1/p" debug.out)
check "races lists it" test -n "$cycle"
same "goto, continue and reverse-continue end there" 3 \
    "$(grep -A 1 -E "^cycle $cycle(:.*race 1, .*)?\$" debug.out | grep -c "lw .*early.cpp:$use\$")"
"${debug[@]}" --json --command races --command 'break race' run.json >debug.json || true
check "as JSON" python3 -c '
import json
race, point = (json.loads(line) for line in open("debug.json"))
assert race["races"][0]["cycle"] == int("'"$cycle"'"), race
assert race["races"][0]["number"] == 1 and "early.cpp" in race["races"][0]["text"]
assert point["breakpoint"]["text"] == "race", point'
refuses "a race that is none" 2 "goto: there is no race '99'" \
    "${debug[@]}" --command 'goto race 99' run.json
refuses "a break there" 2 "break: '99' is no number" \
    "${debug[@]}" --command 'break race 99' run.json
raced pipeline --debug --command races --command 'break race'
check "where there is none" grep -q '^none, or none was looked for' pipeline.out
if command -v gdb-multiarch >/dev/null; then
    cat >session <<'END'
set confirm off
set pagination off
set remotetimeout 300
python
import os
gdb.execute("target remote | " + os.environ["RUN"] + " --gdb -")
end
monitor races
continue
info line *$pc
stepi
reverse-continue
info line *$pc
detach
END
    sed 's/pipeline.cpp/early.cpp/' pipeline.json >run.json
    RUN="$TENSIX chip run --races --tile 0,0 run.json" \
        gdb-multiarch -q -nx -batch -x session >gdb.out 2>&1 || true
    same "gdb has a list of races" 1 "$(grep -c "^1: cycle $cycle, $place\$" gdb.out)"
    same "and stops there, either way" 2 "$(grep -c "^cycle $cycle, race 1, $place\$" gdb.out)"
    same "at that line" 2 "$(grep -c "^Line $use of .*early.cpp" gdb.out)"
fi
for options in "--trace t.jsonl" --profile "--threads 2"; do
    # shellcheck disable=SC2086 # options are words
    raced early $options
    same "--races with $options" "2 1" "$status $(wc -l <early.err)"
done
status=0
"$TENSIX" chip run --known known run.json 2>err || status=$?
same "--known alone" "2 tensix chip run: --known is for --races" "$status $(cat err)"
finish
