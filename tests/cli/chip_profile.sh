#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# chip run --profile: the path across tiles, savings that runs with --pace confirm, every form; a
# figure that contains a bound says so in each of them.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
quick_cores
cd "$work"
if ! command -v riscv64-unknown-elf-g++ >/dev/null; then
    echo "skipped: no riscv64-unknown-elf-g++ (make deps)"
    exit 77
fi
mkdir -p scratch
export TMPDIR=$work/scratch
cp -r "$TX_SOURCE/examples/chip" "$TX_SOURCE/examples/llk_style" .
cd chip
python3 - <<'PY'
import struct
for name in "ab":
    head = b"{'descr': '<f4', 'fortran_order': False, 'shape': (256, 512), }"
    head += b" " * (-(len(head) + 11) % 64) + b"\n"
    with open(name + ".npy", "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head)
        out.write(struct.pack("<f", 0.25) * (256 * 512))
PY
run() { "$TENSIX" "$@"; }
profiled_to() { profiled "${@:2}" >"$1"; }
profiled() { "$TENSIX" chip run vecadd.json --grid 2x2 --product "$1" --profile="p.$2" "${@:3}"; }

check "what is named is what saves most, and as much as is printed" \
    python3 "$TX_SOURCE/tests/cli/constructed_chip.py" "$TENSIX" "$TX_SOURCE/examples"

for chip in p150 n150; do
    check "$chip: text" profiled_to text "$chip" txt
    check "$chip: a bound in words" grep -q '^profile  *at least [0-9]* cycles' p.txt
    check "$chip: every figure of the repeated runs says so" \
        python3 -c 'import re
lines = [l for l in open("p.txt") if re.search(r"[0-9] (cycles|of the path|saved)", l)]
assert lines and all("at least" in l for l in lines), lines'
    check "$chip: what the busiest reaches" grep -q '^roofline .*noc [0-9.]* %, dram' text
    check "$chip: tiles" grep -q '^1,1 ' text
    check "$chip: links" grep -q '^NoC 0, ' text
    "$TENSIX" chip run vecadd.json --grid 2x2 --product "$chip" --profile --json >whole.json
    "$TENSIX" chip run vecadd.json --grid 2x2 --product "$chip" --json >plain.json
    check "$chip: a run without it ends in the cycle of its path" python3 -c 'import json
a, b = (json.load(open(name + ".json"))["cycles"] for name in ("plain", "whole"))
assert a == b, (a, b)'
    check "$chip: JSON says so, its path and lanes sum to the run" python3 -c 'import json
whole = json.load(open("whole.json")); p = whole["profile"]
assert p["at_least"] and p["at_least_because"] and all(a["at_least"] for a in p["again"])
assert p["path"][0]["from"] == 0 and p["path"][-1]["to"] == p["cycles"] == whole["cycles"]
assert all(a["to"] == b["from"] for a, b in zip(p["path"], p["path"][1:]))
assert all(sum(l[k] for k in ("works", "waits", "idle")) == p["cycles"] for l in p["lanes"])
assert {"noc", "dram"} <= {s["bound"] for s in p["path"]}, "the path goes through requests"
assert len(p["tiles"]) == 4 and 0 < p["roofline"]["dram"] < 1 and 0 < p["roofline"]["noc"] < 1
assert p["requests"] == 24 and p["dram_bytes"] == 24 * 2048'
    if [ "$chip" = n150 ]; then
        continue
    fi
    check "$chip: page" profiled "$chip" html
    check "$chip: the page says so" grep -q '"atLeast":1' p.html
    check "$chip: tracks" profiled "$chip" json
    check "$chip: tracks are JSON" python3 -c \
        'import json; json.load(open("p.json"))["traceEvents"]'
    check "$chip: events of the NoC" profiled "$chip" noc.json
    check "$chip: as tt-npe reads them" python3 -c 'import json
events = json.load(open("p.noc.json"))
assert len(events) == 24
order = [(e["sy"], e["sx"], e["proc"], e["timestamp"]) for e in events]
assert order == sorted(order)
for e in events:
    assert e["type"] in ("READ", "WRITE_") and e["num_bytes"] == 2048
    assert e["noc"] in ("NOC_0", "NOC_1")
    assert {"run_host_id", "op_name", "src_device_id", "dx", "dy", "vc"} <= set(e)
assert {e["proc"] for e in events} == {"BRISC", "NCRISC"}'
    check "$chip: a row of operations" profiled "$chip" ops.csv
    check "$chip: as tt-perf-report reads it" python3 -c 'import csv
(row,) = csv.DictReader(open("p.ops.csv"))
assert row["CORE COUNT"] == "4" and float(row["DEVICE KERNEL DURATION [ns]"]) > 1000
assert "at least" in row["ATTRIBUTES"] and None not in row and None not in row.values()'
    check "$chip: the device log" profiled "$chip" device.csv
    check "$chip: as the profiler of tt-metal reads it" python3 -c 'import csv
lines = open("p.device.csv").read().splitlines()
assert lines[0].startswith("ARCH: ") and "CHIP_FREQ[MHz]: " in lines[0]
rows = list(csv.reader(lines[1:]))
assert all(len(r) == 15 for r in rows) and len(rows) == 1 + 4 * 5 * 2
assert {r[11] for r in rows[1:]} == {"ZONE_START", "ZONE_END"}'
done
python3 - <<'PY'
import struct
head = b"{'descr': '<u4', 'fortran_order': False, 'shape': (8, 64), }"
head += b" " * (-(len(head) + 11) % 64) + b"\n"
with open("words.npy", "wb") as out:
    out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + bytes(2048))
PY
check "stages with one kernel work as long; some sleep while they wait" python3 -c 'import json
import subprocess, sys
for chip in ("p150", "n150"):
    text = subprocess.run([sys.argv[1], "chip", "run", "pipeline.json", "--product", chip,
                           "--profile", "--json"], check=True, capture_output=True).stdout
    lanes = {l["lane"]: l for l in json.loads(text)["profile"]["lanes"]}
    stages = [lanes["%u,0 core b" % x] for x in (1, 2, 3, 4)]
    results = [sum(p["cycles"] for p in l["parts"] if p["text"] == "a result") for l in stages]
    works = [l["works"] for l in stages]
    assert max(works) - min(works) < 16 and max(results) - min(results) < 16, (works, results)' \
    "$TENSIX"
echo '{"schema": 1, "chip": {"product": "p150", "grid": [3, 2]}, "kernels": [{
    "source": "one.cpp", "processor": "data_movement_0", "tiles": "1,1"}]}' >one.json
printf '#include <tensix/kernel/dataflow.h>\nvoid kernel_main(void) {}\n' >one.cpp
for chip in p150 n150; do
    "$TENSIX" chip run one.json --product "$chip" --profile --json >one.out
    check "$chip: of six tiles the one with a kernel" python3 -c 'import json
p = json.load(open("one.out"))["profile"]
assert [t["tile"] for t in p["tiles"]] == [[1, 1]], p["tiles"]
assert {l["lane"] for l in p["lanes"]} == {"1,1 core b"}, p["lanes"]'
done
refuses "without time" 2 "it needs time" run chip run vecadd.json --profile --untimed
refuses "an unknown part" 2 "'disk=none' is not UNIT=PACE" \
    run chip run vecadd.json --pace disk=none
refuses "a script" 2 "--profile is for PROGRAM.json" \
    run chip run halo.py --profile
finish
