#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The witness of a race, found by tensix race, shows the race wherever it is replayed: tensix race,
# chip run, the door, a card. And tensix card --races names the test that a finding was made in.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
quick_cores
cd "$work"
cc=riscv64-unknown-elf-gcc
if ! command -v $cc >/dev/null; then
    echo "skipped: no $cc (make deps)"
    exit 77
fi
elf() { # elf PROGRAM FIX: for Blackhole
    # shellcheck disable=SC2086 # none or one word
    $cc -march=rv32im -mabi=ilp32 -Os -g -ffreestanding -ffunction-sections -fno-ipa-icf \
        -DBLACKHOLE=1 $2 -c "$TX_SOURCE/tests/order/cases.c" -o cases.o
    $cc -march=rv32im -mabi=ilp32 -nostdlib -Wl,--no-warn-rwx-segments -Wl,--gc-sections \
        -Wl,-Ttext=0x5000 -Wl,-e,"$1" cases.o -o "$1$2.elf"
}
elf slow_reader ""
elf reader -DFIX
run=(--arch bh --fill 1,2:0x20000:16=1 --fill 2,2:0x24000:16=2 1,2/b=slow_reader.elf)
"$TENSIX" race --witness "${run[@]}" >shown || test $? = 1
# 16 words of 2 are read over 16 words of 1; where the data come late, the old ones are summed.
differs="L1 3c000 of (1,2) ends as 00000010, not 00000020"
sed -n "s/^    witness \(.*>ack+[0-9]*\): $differs\$/\1/p" shown >late.txt
same "tensix race finds a witness" 1 "$(wc -l <late.txt)"
"$TENSIX" race --delays late.txt "${run[@]}" >again || test $? = 1
check "tensix race replays it" grep -q "^with these delays: $differs" again

host=$TX_SOURCE/tests/cli/order_host.py
if [ "${TX_SANITIZE:-off}" = off ]; then # Python is built without
    door=$(dirname "$TENSIX")/ttsim/bh/libtensix-ttsim-bh.so
    same "the door as it is" 32 "$(python3 "$host" door "$door" slow_reader.elf)"
    same "the door replays it" 16 \
        "$(TENSIX_DELAYS=$PWD/late.txt python3 "$host" door "$door" slow_reader.elf)"
fi
if [ -e "$(dirname "$TENSIX")/libtensix-card.so" ] && [ "${TX_SANITIZE:-off}" = off ]; then
    card=("$TENSIX" card --arch bh)
    same "a card as it is" 32 "$("${card[@]}" -- python3 "$host" card slow_reader.elf)"
    same "a card replays it" 16 \
        "$("${card[@]}" --delays late.txt -- python3 "$host" card slow_reader.elf)"
    same "a card without times has none to delay" 32 \
        "$("${card[@]}" --untimed --delays late.txt -- python3 "$host" card slow_reader.elf 2>said)"
    check "and says so" grep -q 'TENSIX_DELAYS: .* no delay of this chip' said
    if python3 -c 'import pytest' 2>/dev/null; then
        export TENSIX_ELF_PATH=$PWD TENSIX_TEST_ELVES=$PWD/reader-DFIX.elf:$PWD/slow_reader.elf
        cp "$host" test_host.py
        sed -i "s|Path(__file__).resolve().parents\[2\]|Path('$TX_SOURCE')|" test_host.py
        status=0
        "${card[@]}" --races -- python3 -m pytest -q -p no:cacheprovider test_host.py >races \
            2>&1 || status=$?
        same "tensix card --races fails" 1 "$status"
        check "both tests have passed" grep -q '^2 passed' races
        use=$(grep -n '// slow_reader use$' "$TX_SOURCE/tests/order/cases.c" | sed 's/:.*//')
        check "its finding has the line" grep -q "^read-before-arrival: .* cases.c:$use\$" races
        check "and the test's name" grep -q '^    test   .*test_host.py::test_second$' races
        same "and is the only one" 1 "$(grep -c '^    why ' races)"
        for turn in 1 0; do # the file of known findings is written, then read
            status=0
            "${card[@]}" --races --known known --sarif c.sarif --junit c$turn.xml --report c.json \
                --json -- python3 -m pytest -q -p no:cacheprovider test_host.py >said 2>&1 ||
                status=$?
            same "--known, turn $turn" $turn "$status"
        done
        cat >look.py <<'END'
import json
import xml.etree.ElementTree as xml
result, = json.load(open("c.sarif"))["runs"][0]["results"]
assert "found in test_host.py::test_second" in result["message"]["text"], result
assert [xml.parse(f"c{turn}.xml").getroot().get("failures") for turn in (1, 0)] == ["1", "0"]
said = json.loads(open("said").read().splitlines()[-1])
for races in said["races"], json.load(open("c.json"))["races"]:
    found, = races["findings"]
    assert found["kind"] == "read-before-arrival" and found["known"], found
END
        check "SARIF, JUnit, JSON and the report" python3 look.py
        status=0
        "${card[@]}" --races --known none -- true 2>said || status=$?
        same "a program without a card" 0 "$status"
        check "is told" grep -q 'no chip was opened' said
    fi
fi

# tensix chip run: the same in the kernels' own library.
cat >late.cpp <<'END'
#include <tensix/kernel/dataflow.h>

void kernel_main(void)
{
    const InterleavedAddrGen<true> in = {get_arg_val<uint32_t>(0), get_tile_size(0)};
    const InterleavedAddrGen<true> out = {get_arg_val<uint32_t>(1), get_tile_size(1)};
    cb_reserve_back(0, 1);
    cb_reserve_back(1, 1);
    noc_async_read_page(0, in, get_write_ptr(0));
    for (unsigned i = 0; i < 500; i++) {
        __asm__ volatile("");
    }
    volatile uint32_t *from = (volatile uint32_t *)get_write_ptr(0);
    volatile uint32_t *to = (volatile uint32_t *)get_write_ptr(1);
    to[0] = from[0];
    noc_async_read_barrier();
    noc_async_write_page(0, out, get_write_ptr(1));
    noc_async_write_barrier();
}
END
cat >late.json <<'END'
{
  "schema": 1,
  "chip": {"product": "p150", "grid": [1, 1]},
  "buffers": [
    {"name": "in", "file": "in.npy", "format": "uint32"},
    {"name": "out", "shape": [32, 32], "format": "uint32", "save": "out.npy"}
  ],
  "circular_buffers": [
    {"name": "in", "index": 0, "pages": 1, "page": 4096},
    {"name": "out", "index": 1, "pages": 1, "page": 4096}
  ],
  "kernels": [
    {"source": "late.cpp", "processor": "data_movement_0",
     "args": [{"buffer": "in"}, {"buffer": "out"}]}
  ]
}
END
first() { # of the words of an .npy file
    python3 -c 'import sys; d = open(sys.argv[1], "rb").read()
print(int.from_bytes(d[len(d) - 4096:][:4], "little"))' "$1"
}
python3 - <<'END'
import struct
head = "{'descr': '<u4', 'fortran_order': False, 'shape': (32, 32), }"
head += " " * (117 - len(head)) + "\n"
data = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode()
open("in.npy", "wb").write(data + struct.pack("<1024I", *[7] * 1024))
END
check "chip run as it is" "$TENSIX" chip run late.json
same "its result" 7 "$(first out.npy)"
# An answer that comes after several turns of the run is no deadlock.
echo '1,2/n0/1>ack+300000' >late.txt
check "chip run with the delay" "$TENSIX" chip run late.json --delays late.txt
same "shows the race" 0 "$(first out.npy)"
finish
