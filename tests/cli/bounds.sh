#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every output that gives a number of cycles says where it is only a lower bound, and why; what is
# exact is not called so.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
cd "$work"
tiles=$TX_SOURCE/examples/tiles
npy x.npy f4 "(32, 32)" "[i / 8 for i in range(1024)]"
python3 - <<'PY'
import struct
def image(name, *words):
    open(name, "wb").write(struct.pack("<%dI" % len(words), *words))
EBREAK = 0x00100073
image("plain.bin", 0x00000013, EBREAK)
for chip, sw in (("bh", 0x04B52023), ("wh", 0x02B52423)):  # a request at NOC_CMD_CTRL
    image(f"noc-{chip}.bin", 0xFFB20537, 0x00100593, sw, *[0x13] * 8, EBREAK)
# LOADIND by GPR 4 into GPR 5, a word
image("scalar.bin", (0x49000000 | 1 << 22 | 5 << 6 | 4) << 2 & 0xFFFFFFFF | 1, EBREAK)
PY

# at_least and at_least_because of the JSON in a file, or of its last line, or of an object within
bounds() {
    python3 -c '
import json, sys
text = open(sys.argv[1]).read()
try:
    o = json.loads(text)
except ValueError:
    o = json.loads(text.splitlines()[-1])
for key in sys.argv[2:]:
    o = o[key]
print(o["at_least"], *o["at_least_because"])' "$@"
}

for chip in bh wh; do
    "$TENSIX" tile run --arch $chip --elf t0=plain.bin >text
    check "$chip: a core alone is exact" grep -q '^cycles  *[0-9]*$' text
    same "$chip: and says no more" "" "$(grep 'at least' text || true)"
    "$TENSIX" tile run --arch $chip --elf t0=plain.bin --json >json
    same "$chip: as JSON" "False" "$(bounds json)"
    "$TENSIX" tile run --arch $chip --elf t0=plain.bin --elf t1=plain.bin --json >json
    same "$chip: two cores have one L1" "True l1" "$(bounds json)"
    "$TENSIX" tile run --arch $chip --elf t0=noc-$chip.bin --json >json
    same "$chip: a request over the NoC" "True noc l1" "$(bounds json)"
    [ $chip = bh ] || continue # the words are the same
    "$TENSIX" tile run --arch $chip --elf t0=noc-$chip.bin >text
    check "$chip: in words" grep -q '^cycles *at least [0-9]*$' text
    check "$chip: with the reasons" grep -q \
        '^at least *because requests over the NoC take no time; users of L1 never wait' text
    "$TENSIX" tile run --arch $chip --elf t0=noc-$chip.bin --profile >text
    check "$chip: a profile" grep -q '^profile *at least [0-9]* cycles' text
    check "$chip: its advice" grep -q '^change first .* of at least [0-9]* cycles' text
    same "$chip: and the runs again" "" "$(grep -A3 '^run again' text | grep 'of the path' |
        grep -v 'at least [0-9]* of the path.*in no time at least' || true)"
    check "$chip: of which there are some" grep -q '^run again' text
    "$TENSIX" tile run --arch $chip --elf t0=noc-$chip.bin --profile --json >json
    same "$chip: a profile as JSON" "True noc l1" "$(bounds json profile)"
    same "$chip: its runs again" "[True]" "$(python3 -c "
import json
print(sorted({t['at_least'] for t in json.load(open('json'))['profile']['again']}))")"
    "$TENSIX" tile run --arch $chip --elf t0=noc-$chip.bin --profile=p.html >text
    check "$chip: a profile as a page" grep -q '"atLeast":1' p.html
    "$TENSIX" tile run --arch $chip --elf t0=plain.bin --untimed --json >json
    same "$chip: without time" "True untimed" "$(bounds json)"
    "$TENSIX" tile run --arch $chip --elf t0=noc-$chip.bin --until 0x20000=1 >text 2>err || true
    check "$chip: an error" grep -q 'every core rests after at least [0-9]* cycles' err
    "$TENSIX" tile run --arch $chip --elf t0=plain.bin --until 0x20000=1 >text 2>err || true
    check "$chip: an exact error" grep -q 'every core rests after [0-9]* cycles' err
    "$TENSIX" trace --arch $chip --elf t0=noc-$chip.bin >text
    check "$chip: a trace of cores" grep -q '^# at least [0-9]* cycles' text
    "$TENSIX" trace --arch $chip --elf t0=noc-$chip.bin --json >json
    same "$chip: and as JSON" "True noc l1" "$(bounds json)"
    "$TENSIX" record --arch $chip --elf t0=noc-$chip.bin --elf t1=plain.bin -o recorded.s
    check "$chip: a recording" grep -q 'in a run of at least [0-9]* cycles' recorded.s

    l1=(--l1 0x10000=x.npy:bf16)
    units="True unpack pack l1"
    "$TENSIX" run "$tiles/datacopy.s" --arch $chip "${l1[@]}" >text
    check "$chip: run" grep -q '^at least *because times of unpackers are .*; times of packers' text
    "$TENSIX" run "$tiles/datacopy.s" --arch $chip "${l1[@]}" --json >json
    same "$chip: run as JSON" "$units" "$(bounds json)"
    "$TENSIX" run "$tiles/datacopy.s" --arch $chip "${l1[@]}" --cycles >text
    check "$chip: run --cycles" grep -q '^at least *because times of unpackers' text
    "$TENSIX" run "$tiles/datacopy.s" --arch $chip "${l1[@]}" --cycles --json >json
    same "$chip: run --cycles as JSON" "$units" "$(bounds json)"
    "$TENSIX" run "$tiles/datacopy.s" --arch $chip "${l1[@]}" --profile >text
    check "$chip: run --profile" grep -q '^at least *because times of unpackers' text
    "$TENSIX" trace "$tiles/datacopy.s" --arch $chip "${l1[@]}" --json >json
    same "$chip: trace" "$units" "$(bounds json)"
    "$TENSIX" trace "$tiles/datacopy.s" --arch $chip "${l1[@]}" --html page.html >text
    check "$chip: trace as a page" grep -q '"end":{"atLeast":1,' page.html
    "$TENSIX" debug "$tiles/datacopy.s" --arch $chip "${l1[@]}" --json -c "goto end" -c info >json
    same "$chip: debug" "$units" "$(bounds json)"
    "$TENSIX" debug "$tiles/datacopy.s" --arch $chip "${l1[@]}" -c "goto end" -c info >text
    check "$chip: debug in words" grep -q 'is done after at least [0-9]*' text
    check "$chip: debug, why" grep -q '^at least *because times of unpackers' text
    "$TENSIX" eval --arch $chip 'sfpmad L2,L0,L1,L9,0' L0=1.5 L1=2 --json >json
    same "$chip: eval" "False" "$(bounds json)"
    "$TENSIX" eval --arch $chip 'TT_LOADIND(1, 0, 0, 5, 4)' --l1 0=x.npy:bf16 --json >json
    same "$chip: the Scalar Unit alone in L1" "False" "$(bounds json)"
done

# gdb's monitor, without gdb
cat >gdb.py <<'PY'
import subprocess, sys
def packet(text):
    return b"$" + text.encode() + b"#%02x" % (sum(text.encode()) & 255)
tile = subprocess.Popen([sys.argv[1], "tile", "run", "--arch", "bh", "--elf", "t0=" + sys.argv[2],
                         "--gdb=-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                        stderr=subprocess.DEVNULL)
tile.stdin.write(packet("qSupported") + packet("QStartNoAckMode") + packet("vCont;c"))
tile.stdin.flush()
got = b""
while b"$T" not in got and b"$W" not in got:  # it goes on until it stops
    got += tile.stdout.read1()
got += tile.communicate(packet("qRcmd," + b"cycles".hex()) + packet("k"))[0]
text = b"".join(bytes.fromhex(p.split(b"#")[0][1:].decode()) for p in got.split(b"$")
                if p[:1] == b"O" and p[:2] != b"OK")
print(text.decode())
PY
python3 gdb.py "$TENSIX" noc-bh.bin >text
check "gdb's monitor" grep -q '^at least *because requests over the NoC' text
python3 gdb.py "$TENSIX" plain.bin >text
check "gdb's monitor answers" grep -q '^cycle [0-9]*; back to' text
same "gdb's monitor, exact" "" "$(grep 'at least' text || true)"
finish
