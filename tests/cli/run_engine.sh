#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix run --engine: the fast engine gives the file and the report of the reference engine, and
# what it cannot do is refused or left to that one.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
kernels=$TX_SOURCE/examples/kernels

# Random bits, special values and everyday values in turns, tile by tile.
python3 - "$work" <<'PY'
import random, struct, sys
random.seed(3)
special = [0, 1 << 31, 0x3F800000, 0x7F800000, 0xFF800000, 0x7FC00000, 1, 0x807FFFFF, 0x00800000,
           0x7F7FFFFF]
def word(kind):
    if kind == 0:
        return random.getrandbits(32)
    if kind == 1:
        return random.choice(special)
    return random.getrandbits(32) & 0x807FFFFF | (119 + random.getrandbits(4)) << 23
words = [word(i // 1024 % 3) for i in range(90 * 1024 + 77)]
for name, dtype in (("r", "<f4"), ("i", "<i4")):
    head = "{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }" % (dtype, len(words))
    head = head.encode() + b" " * (-(10 + len(head) + 1) % 64) + b"\n"
    with open("%s/%s.npy" % (sys.argv[1], name), "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head)
        f.write(struct.pack("<%dI" % len(words), *words))
PY

# without ENGINE FILE: a report but for engine, time and the name of the output.
without() {
    python3 -c '
import json, sys
report = json.load(open(sys.argv[1]))
if report["engine"] != sys.argv[2]:
    sys.exit("engine " + report["engine"])
for key in "engine", "seconds", "output":
    report.pop(key)
if any(note["count"] <= 0 for note in report["notes"]):
    sys.exit("a note with a count of nothing")
print(json.dumps(report, sort_keys=True))' "$2" "$1"
}

# equal NAME ARCH ENGINE OPTION...: both engines; auto must have chosen ENGINE.
equal() {
    local name=$1 arch=$2 engine=$3 inputs input=r in=()
    shift 3
    inputs=$(sed -n 's/^ *\.inputs *//p' "$kernels/$name.s")
    ! grep -q '^ *\.dst *int' "$kernels/$name.s" || input=i
    while [ ${#in[@]} -lt $((2 * ${inputs:-1})) ]; do in+=(--in "$work/$input.npy"); done
    for one in reference auto; do
        "$TENSIX" run "$kernels/$name.s" --arch "$arch" "${in[@]}" --out "$work/$one.npy" --json \
            --engine $one "$@" >"$work/$one.json" || true
    done
    check "$name on $arch $*: the file" cmp "$work/reference.npy" "$work/auto.npy"
    same "$name on $arch $*: the report" "$(without reference "$work/reference.json")" \
        "$(without "$engine" "$work/auto.json")"
}

for arch in bh wh; do
    equal exp $arch fast --reference exp
    equal gelu $arch fast --layout tiles
    equal where $arch fast
    equal relu $arch fast --threads 1
    equal topk $arch fast
    equal macro/exp_unclamped $arch fast # notes
    equal macro/max_fp32 $arch fast --threads 3
    equal exp $arch reference --carry
    equal exp $arch reference --gaps seed=1
    equal exp $arch fast --out-dst bf16
    equal exp $arch fast --out-dst int32
    equal exp $arch fast --dst bf16 --out-dst fp32
    equal fp32_to_int32 $arch fast
    equal exp $arch fast --seed 9
done
equal macro/i32_to_bf16 bh fast

"$TENSIX" run "$kernels/exp.s" --arch bh --in "$work/r.npy" --out "$work/text.npy" --engine fast \
    >"$work/fast.txt"
"$TENSIX" run "$kernels/exp.s" --arch bh --in "$work/r.npy" --out "$work/text.npy" \
    --engine reference >"$work/reference.txt"
check "the text is the same" cmp "$work/fast.txt" "$work/reference.txt"

run() { "$TENSIX" run "$kernels/$1.s" --arch bh --in "$work/r.npy" --out "$work/y.npy" "${@:2}"; }
for option in --carry --strict --evidence --gaps=seed=1; do
    refuses "fast with $option" 2 "the engine fast: .* needs the reference engine" \
        run exp --engine fast "$option"
done
printf '%s\n' '.arch blackhole' '.dst fp32' .tile 'sfpload L0, 0, 3, 3' 'sfpmov L1, L15, 8' \
    'sfpstore L1, 0, 3, 3' >"$work/beyond.s"
refuses "fast where the kernel is beyond it" 2 'beyond.s: the engine fast: SFPMOV' \
    "$TENSIX" run "$work/beyond.s" --in "$work/r.npy" --out "$work/y.npy" --engine fast
refuses "no such engine" 2 "--engine: 'quick' is none of auto, compiled, fast, reference" \
    run exp --engine quick
finish
