#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The recorded vectors and the overruled ones; and that a wrong vector is told.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
. "$(dirname "$0")/lib.bash"
quick_kernels

data=$TX_SOURCE/tests/data
same "recorded vectors" "2307 passed, 0 failed" "$("$TENSIX" check "$data"/*.jsonl.gz | tail -1)"
same "overruled vectors" "12 passed, 0 failed" \
    "$("$TENSIX" check "$data/overruled.jsonl" | tail -1)"

# The fast engine on every level of this CPU; it leaves a few to the reference engine, and those in
# which the Matrix Unit writes Dst or packers read it, and says so.
"$TENSIX" check --engine fast "$data"/*.jsonl.gz "$data/overruled.jsonl" >"$work/fast"
same "the fast engine" "2319 passed, 0 failed" "$(tail -1 "$work/fast")"
left=$(sed -n 's/^left to the reference engine: \([0-9]*\), .*/\1/p' "$work/fast")
same "the fast engine: left" "12 497 461 4" "$(tr "\n" " " <<<"$left" | sed "s, $,,")"

# Compiled: the same result, the same few left. Each step is a compilation, so make test has every
# eighty-fourth vector, and make campaign ONLY=vectors has all.
zcat "$data"/*.jsonl.gz | cat - "$data/overruled.jsonl" |
    awk -v part="${VECTORS_PART:-84}" 'NR % part == 0' >"$work/some.jsonl"
"$TENSIX" check --engine fast "$work/some.jsonl" >"$work/fast"
"$TENSIX" check --engine compiled "$work/some.jsonl" >"$work/compiled"
check "compiled: vectors" grep -Eq '^[1-9][0-9]{1,3} passed, 0 failed' "$work/compiled"
check "compiled" cmp "$work/fast" <(grep -v '^compiled: ' "$work/compiled")
check "compiled: how many" grep -Eq '^compiled: [1-9][0-9]* steps, on [1-9] level' "$work/compiled"

# More immediates than become constants, in modes that set flags as well.
{
    echo ".arch bh"
    for ((i = 0; i < 24; i++)); do
        echo "sfploadi L$((i % 8)), $((i * 1031)), 2"
        echo "sfpiadd L$(((i + 3) % 8)), L$((i % 8)), $((i * 31 - 900)), $((i % 2 * 8 + 1))"
        echo "sfpshft L$(((i + 3) % 8)), L0, $((i % 31 - 15)), 1"
    done
} >"$work/immediates.s"
"$TENSIX" check --record "$work/immediates.s" --out "$work/immediates.jsonl"
"$TENSIX" check --engine compiled "$work/immediates.jsonl" >"$work/out" || cat "$work/out"
check "many immediates" grep -q '^1 passed, 0 failed' "$work/out"

# What is compiled is what is compared: another shift in the source, and that vector fails.
cat >"$work/wrong" <<EOS
#!/bin/sh
for last; do :; done
sed -i 's/x << (amount & 31u)/x << (amount \& 30u)/' "\$last"
exec $CC "\$@"
EOS
chmod +x "$work/wrong"
got=0
CC=$work/wrong "$TENSIX" check --engine compiled "$work/immediates.jsonl" >"$work/out" || got=$?
same "a wrong compiler: exit code" 1 "$got"
check "a wrong compiler: the register" grep -q ': lreg [0-7] lane' "$work/out"
check "a wrong compiler: the count" grep -q '^0 passed, 1 failed' "$work/out"

# One digit of one expected lane changed in every vector that has final registers: all must fail.
python3 - "$data/wormhole-sample.jsonl.gz" >"$work/wrong.jsonl" <<'PY'
import gzip, json, sys
for line in gzip.open(sys.argv[1], "rt"):
    v = json.loads(line)
    lanes = v["final"]["lreg"]["5"]
    digit = "%x" % (int(lanes[24], 16) ^ 1)
    v["final"]["lreg"]["5"] = lanes[:24] + digit + lanes[25:]
    print(json.dumps(v))
PY
got=0
"$TENSIX" check "$work/wrong.jsonl" >"$work/out" || got=$?
same "wrong vectors: exit code" 1 "$got"
same "wrong vectors: count" "0 passed, 345 failed" "$(tail -1 "$work/out")"
same "wrong vectors: register and lane named" 345 "$(grep -c 'lreg 5 lane 3' "$work/out")"

# What a zero byte stands in front of is not lost, and a check of nothing is none.
(head -n 1 "$work/wrong.jsonl"; printf '\0\n'; head -n 2 "$work/wrong.jsonl") >"$work/zero.jsonl"
same "behind a zero byte" "0 passed, 4 failed" "$("$TENSIX" check "$work/zero.jsonl" | tail -1)"
printf '\n \n' >"$work/blank.jsonl"
refuses "a file without vectors" 2 'blank.jsonl: there is no vector in it' \
    "$TENSIX" check "$work/blank.jsonl"
printf '# Title\n\ntext\n{"x": 1}\n' >"$work/text.md"
refuses "a text" 2 'text.md:1: this is no file of vectors: its first line is not a JSON object' \
    "$TENSIX" check "$work/text.md"
refuses "a device without end" 2 'longer than 64 MiB' "$TENSIX" check /dev/zero
finish
