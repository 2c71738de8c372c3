#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix chip: programs on a grid of tiles against numpy, on both chips, timed and untimed, with any
# number of threads; what is wrong with a program is told with its member; who waits in a hang.
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
import numpy as np
rng = np.random.default_rng(1)
for name in "ab": # sums of quarters are exact in BF16
    np.save(name + ".npy", (rng.integers(-64, 64, size=(256, 512)) / 4).astype(np.float32))
np.save("words.npy", rng.integers(0, 2**32, size=(8, 64), dtype=np.uint32))
PY
run_() { # run_ NAME OPTIONS
    "$TENSIX" chip run "$1.json" "${@:2}"
}
sum_() { # sum_: of a.npy and b.npy
    python3 -c 'import numpy as np
a, b, s = (np.load(n + ".npy") for n in ("a", "b", "sum"))
assert s.dtype == np.float32 and np.array_equal(a + b, s)'
}
wait_() { # a kernel that waits for a semaphore that nobody sets
    cat >wait.cpp <<'CPP'
#include <tensix/kernel/dataflow.h>
void kernel_main(void)
{
    noc_semaphore_wait(reinterpret_cast<volatile uint32_t *>(get_semaphore(0)), 1);
}
CPP
    echo '{"schema": 1, "chip": {"product": "'"$1"'", "grid": [2, 1]},
        "semaphores": [{"name": "s"}], "kernels": [{"source": "wait.cpp",
        "processor": "data_movement_0", "tiles": "1,0"}]}' >wait.json
}

for chip in p150 n150; do
    rm -f sum.npy
    check "$chip vecadd over 64 tiles" run_ vecadd --product "$chip" --strict --threads 3
    check "$chip vecadd: no finding" grep -q '64 tiles.*, 0 findings' "$work/last.out"
    check "$chip vecadd: as numpy" sum_
    rm -f sum.npy
    check "$chip vecadd: untimed" run_ vecadd --product "$chip" --untimed --json
    check "$chip vecadd: as numpy untimed" sum_
    rm -f sums.npy
    check "$chip pipeline" run_ pipeline --product "$chip" --strict
    check "$chip pipeline: as numpy" python3 -c 'import numpy as np
got = np.load("sums.npy"); assert got.dtype == np.uint32
assert np.array_equal(got, np.load("words.npy") + np.uint32(1 + 2 + 3 + 4 + 5 + 6))'
    run_ vecadd --product "$chip" --debug --tile 3,1 --json -c 'break elwadd' -c c -c rc \
        -c c -c stepi >out
    check "$chip debugger at a tile: an instruction of its math thread" python3 -c '
import json
_, first, begin, again, step = map(json.loads, open("out"))
assert first["stop"] == "breakpoint" and begin["stop"] == "begin" and begin["cycle"] == 0
assert any(n["thread"] == 1 and n["text"].startswith("ttelwadd") for n in first["next"])
assert again == {**first, "command": again["command"]} and step["cycle"] > first["cycle"]'
    rm -f sum.npy
    run_ vecadd --product "$chip" --json >plain.json
    rm -f sum.npy
    if [ "$chip" = p150 ] || whole; then
        check "$chip trace of a tile" run_ vecadd --product "$chip" --trace lines.jsonl --tile 3,1 \
            --json
        cp "$work/check.out" traced.json
        check "$chip trace: the run is as without" python3 -c '
import json
plain, traced = (json.load(open(name + ".json")) for name in ("plain", "traced"))
assert plain == traced'
        check "$chip trace: and goes on to its end" sum_
        check "$chip trace: its page" run_ vecadd --product "$chip" --trace page.html --tile 3,1 \
            --cycles 4000:4300
        check "$chip trace: each word once, in order, and what cores do in each cycle" python3 -c '
import json
events = list(map(json.loads, open("lines.jsonl")))
issued = [e["t"] for e in events if e["ev"] == "issue" and e.get("thread") == 1]
products = [e for e in events if e["ev"] == "issue" and e["op"] == "ELWADD"]
times = [e["t"] for e in events if e["ev"] == "core"]
assert issued == sorted(issued) and times == sorted(times)
# The debugger has found the first one above.
first = json.loads(open("out").read().splitlines()[1])
assert products[0]["t"] == first["cycle"], (products[0], first)
assert {e["core"] for e in events if e["ev"] == "core"} == {"b", "t0", "t1", "t2", "nc"}
assert any("vecadd_read.cpp" in e.get("source", "") for e in events)
page = open("page.html").read()
assert "<html" in page and "vecadd_read.cpp" in page'
    fi
    run_ vecadd --product "$chip" >text
    check "$chip: a bound in words" grep -q '^.*at least [0-9]* cycles' text
    check "$chip: why" grep -q '^at least *because times of unpackers' text
    same "$chip: requests take time" "" "$(grep 'over the NoC' text || true)"
    cp plain.json json
    same "$chip: a bound as JSON" "True unpack pack l1" "$(python3 -c 'import json
o = json.load(open("json")); print(o["at_least"], *o["at_least_because"])')"
    printf '# slow\nnoc.hop = 9.2\n' >times
    run_ vecadd --product "$chip" --noc-params times --json >slow
    check "$chip: another time of a hop" python3 -c 'import json
a, b = (json.load(open(n)) for n in ("json", "slow"))
ends = [(o["cycles"], o["instructions"]) for o in (a, b)] # the cores poll another number of times
assert ends[0] != ends[1], ends'
    refuses "$chip: no such time, as there is none" 2 'a run without time has none' \
        "$TENSIX" chip run vecadd.json --product "$chip" --untimed --noc-params times
    echo "noc.hop=90" >times
    refuses "$chip: out of range" 2 'times:1: not a number of cycles in the range' \
        "$TENSIX" chip run vecadd.json --product "$chip" --noc-params times
    wait_ "$chip"
    check "$chip: a hang is exit 1" bash -c "'$TENSIX' chip run wait.json 2>err; test \$? = 1"
    check "$chip: and says who waits where for what" grep -q \
        '^  tile 1,0 core b .*wait\.cpp:4 .* semaphore s, which is 0 .* the kernel that sets' err
    same "$chip: a line, and a table of one row" 3 "$(wc -l <err)"
    # Without its reader the compute kernel waits in all three cores, two of them for the units.
    python3 -c 'import json
p = json.load(open("vecadd.json")); del p["kernels"][0]; p["chip"]["grid"] = [1, 1]
json.dump(p, open("hang.json", "w"))'
    check "$chip: a hang of units is a deadlock" bash -c "timeout 600 '$TENSIX' chip run hang.json \
        --product $chip 2>err; test \$? = 1 && \
        grep -q 'core t0 .*circular buffer 0.*  cb_push_back of circular buffer 0$' err"
done

# A core that counts in memory for long, while nothing else moves, is at work.
cat >spin.cpp <<'CPP'
#include <tensix/kernel/dataflow.h>
void kernel_main(void)
{
    for (volatile uint32_t count = 0; count < 12000; count = count + 1) {}
    volatile uint32_t *const word = reinterpret_cast<volatile uint32_t *>(get_semaphore(0));
    while (*word < 9000) {
        *word = *word + 1;
    }
}
CPP
echo '{"schema": 1, "chip": {"grid": [1, 1]}, "semaphores": [{"name": "s"}],
    "kernels": [{"source": "spin.cpp", "processor": "data_movement_1"}]}' >spin.json
check "a long loop is no deadlock" "$TENSIX" chip run spin.json
check "a long loop is no deadlock, untimed" "$TENSIX" chip run spin.json --untimed
# A kernel that ends just before the run looks whether anything moves has ended.
cat >late.cpp <<'CPP'
#include <tensix/kernel/dataflow.h>
void kernel_main(void)
{
    volatile uint32_t *const clock = reinterpret_cast<volatile uint32_t *>(0xFFB121F0);
    while (*clock < get_arg_val<uint32_t>(0)) {}
}
CPP
for cycles in 31600 64400; do
    echo '{"schema": 1, "chip": {"grid": [1, 1]}, "kernels": [{"source": "late.cpp",
        "processor": "data_movement_0", "args": ['$cycles']}]}' >late.json
    check "the end of $cycles cycles is no deadlock" "$TENSIX" chip run late.json
done

refused() { # refused TEXT JSON: the program is refused with that message
    echo "$2" >bad.json
    refuses "$1" 2 "bad.json: $1" "$TENSIX" chip run bad.json
}
kernel='"source": "wait.cpp", "processor": "data_movement_0"'
refused 'schema: is not 1' '{"schema": 2}'
refused "there is no member 'kernel'; did you mean 'kernels'" '{"schema": 1, "kernel": []}'
refused 'has no kernels' '{"schema": 1, "kernels": []}'
refused 'kernels\[0\]: wants either source or elf' '{"schema": 1, "kernels": [{}]}'
refused 'kernels\[0\].source: .* leads out of' \
    '{"schema": 1, "kernels": [{"source": "../secret.cpp"}]}'
refused 'kernels\[0\].source: .* leads out of' \
    '{"schema": 1, "kernels": [{"source": "/etc/passwd"}]}'
refused 'kernels\[0\].tiles: .* no range of tiles' \
    '{"schema": 1, "kernels": [{'"$kernel"', "tiles": "0,0-99,1"}]}'
refused 'kernels\[0\].args\[1\]: there is no buffer' \
    '{"schema": 1, "kernels": [{'"$kernel"', "args": [1, {"buffer": "a"}]}]}'
refused 'kernels\[1\]: tile 0,0 has two kernels' \
    '{"schema": 1, "kernels": [{'"$kernel"'}, {'"$kernel"'}]}'
refused 'kernels\[1\]: both data movement kernels' '{"schema": 1, "kernels": [{'"$kernel"'},
    {"source": "wait.cpp", "processor": "data_movement_1", "noc": 0}]}'
refused 'buffers\[0\]: wants bytes' '{"schema": 1, "buffers": [{"name": "a"}]}'
refused 'buffers\[0\].shape: has something' \
    '{"schema": 1, "buffers": [{"name": "a", "format": "bf16", "shape": [0]}]}'
refused 'circular_buffers\[1\]: a tile has two' '{"schema": 1, "circular_buffers": [
    {"index": 1, "pages": 1, "page": 32}, {"index": [0, 1], "pages": 1, "page": 32}]}'
refused 'semaphores\[1\]: there is a semaphore' \
    '{"schema": 1, "semaphores": [{"name": "s"}, {"name": "s"}]}'
echo '{"schema": 1,' >bad.json
refuses "broken JSON" 2 'bad.json:2' "$TENSIX" chip run bad.json
echo '#error no' >bad.cpp
echo '{"schema": 1, "kernels": [{"source": "bad.cpp", "processor": "compute"}]}' >bad.json
refuses "a kernel that does not compile" 2 'bad.cpp:1' "$TENSIX" chip run bad.json
same "nothing is left in the scratch folder" 0 "$(find "$TMPDIR" -type f | wc -l)"
refuses "a tile that is not there" 2 'there is no tile 9,9' \
    "$TENSIX" chip run wait.json --debug --tile 9,9 -c info
refuses "a debugger without time" 2 'needs cycles' "$TENSIX" chip run wait.json --debug --untimed
refuses "two debuggers" 2 'exclude each other' "$TENSIX" chip run wait.json --debug --gdb 1
refuses "cycles of no trace" 2 'is for --trace' "$TENSIX" chip run wait.json --cycles 1:2
refuses "a trace of no tile" 2 'no tile 7,7' "$TENSIX" chip run wait.json --trace x --tile 7,7
same "no trace of a tile that is not there" 0 "$(find . -name x | wc -l)"
"$TENSIX" chip run wait.json --trace hang.jsonl --tile 1,0 2>err || true
check "a trace of a tile that hangs, up to its end" grep -q '"ev": "end"' hang.jsonl
refuses "commands for no debugger" 2 'are for --debug' "$TENSIX" chip run wait.json -c info
refuses "a debugger for a script" 2 'for PROGRAM.json' "$TENSIX" chip run halo.py --debug
check "map draws harvested columns" bash -c "'$TENSIX' chip map --product p100 | grep -q 'xT6 '"
check "map is JSON" bash -c "'$TENSIX' chip map --product n300 --json | python3 -c '
import json, sys
m = json.load(sys.stdin)
assert m[\"grid\"] == [10, 12] and m[\"tensix\"] == [8, 8]
assert sum(t[\"kind\"] == \"Tensix\" and t[\"answers\"] for t in m[\"tiles\"]) == 64'"
finish
