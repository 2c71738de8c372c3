#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# campaign_compiled.sh: the example kernels on both chips, compiled and interpreted: the same file
# for all BF16 patterns and 4194304 random words, further inputs random. Each is compiled anew. The
# last line has the result.
set -euo pipefail
cd "$(dirname "$0")/.."
tensix=${BUILD:-build}/tensix
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TENSIX_CACHE=$work/cache

python3 - "$work" <<'PY'
import array, random, struct, sys
random.seed(6)
size = 65536 + (1 << 22)
for k in range(3):
    words = array.array("I", random.randbytes(4 * size))
    if k == 0:
        words[:65536] = array.array("I", (x << 16 for x in range(65536)))
    for name, dtype in (("f", "<f4"), ("i", "<i4")):
        head = "{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }" % (dtype, size)
        head = head.encode() + b" " * (-(10 + len(head) + 1) % 64) + b"\n"
        with open("%s/%s%d.npy" % (sys.argv[1], name, k), "wb") as f:
            f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head)
            f.write(words.tobytes())
PY

equal=0 beyond=0 failed=0
for kernel in examples/kernels/*.s examples/kernels/macro/*.s; do
    kind=f
    ! grep -q '^ *\.dst *int' "$kernel" || kind=i
    count=$(sed -n 's/^ *\.inputs *//p' "$kernel")
    in=()
    for ((k = 0; k < ${count:-1}; k++)); do in+=(--in "$work/$kind$k.npy"); done
    chips=$(sed -n 's/^ *\.arch *//p' "$kernel")
    for chip in ${chips:-bh wh}; do
        name="$kernel on $chip"
        if ! "$tensix" run "$kernel" --arch "$chip" "${in[@]}" --out "$work/compiled.npy" \
            --engine compiled >"$work/log" 2>&1; then
            if grep -q LaneConfig "$work/log"; then
                beyond=$((beyond + 1))
            else
                failed=$((failed + 1))
            fi
            cat "$work/log"
            continue
        fi
        "$tensix" run "$kernel" --arch "$chip" "${in[@]}" --out "$work/fast.npy" --engine fast \
            >"$work/log" 2>&1 || cat "$work/log"
        if cmp "$work/fast.npy" "$work/compiled.npy"; then
            echo "$name: equal"
            equal=$((equal + 1))
        else
            failed=$((failed + 1))
        fi
        rm -f "$work/fast.npy" "$work/compiled.npy"
    done
done
echo "$equal equal, $beyond that are not compiled, $failed failed"
[ "$failed" -eq 0 ]
