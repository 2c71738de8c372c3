#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix trace --chrome and --konata: every line against the formats' descriptions, and all forms
# tell the same (trace_forms.py).
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"

# forms NAME KERNEL OPTION...: writes the three forms and compares them.
forms() {
    local name=$1
    shift
    if ! "$TENSIX" trace "$@" --json --chrome "$work/c.json" --konata "$work/k.log" \
        >"$work/lines" 2>"$work/err"; then
        not_ok "$name" "$(cat "$work/err")"
        return
    fi
    check "$name" python3 "$TX_SOURCE/tests/cli/trace_forms.py" \
        "$work/lines" "$work/c.json" "$work/k.log" ${part:+"$part"}
    cat "$work/check.out"
}

# Every third one; make campaign ONLY=forms has all.
number=0
for kernel in "$TX_SOURCE"/examples/kernels/*.s "$TX_SOURCE"/examples/kernels/macro/*.s; do
    number=$((number + 1))
    [ $((number % ${FORMS_PART:-3})) = 0 ] || continue
    arch=$(sed -n 's/^\.arch *//p' "$kernel")
    forms "${kernel##*/}" "$kernel" --arch "${arch:-bh}"
done

# Each cause of a stall, a false dependency, and other units between.
cat >"$work/stall.s" <<'EOS'
sfpload L0,0,3,3
sfpmad L1,L0,L0,L9,0
sfpadd L2,L1,L10,0
sfpmul L0,L1,L1,0
sfpstochrnd L3,L0,L2,0,1,0
sfpswap L0,L1,1
sfpmov L4,L3,0
ttincrwc 0,0,0,0
sfpshft2 L2,L1,0,3
sfpstore L2,0,3,3
sfpmul L0,L1,L1,0
EOS
forms "stalls" "$work/stall.s" --arch bh
same "four are held" "4 held," "$(grep -o '4 held,' "$work/check.out")"
forms "stalls on Wormhole" "$work/stall.s" --arch wh
part=part forms "a part" "$work/stall.s" --arch bh --cycles 4:9
forms "several tiles" "$work/stall.s" --arch bh --tiles 3

# A regular cast in the cycle of a scheduled one is dropped.
cat >"$work/drop.s" <<'EOS'
.arch blackhole
.init
    sfpcast L12,L0,0
.loadi L0, 0x00000044
    sfpconfig 4,0,0
    sfpconfig 8,0x100,1
    sfpnop
.tile
    sfploadmacro 0,L0,0,6,3
    sfpabs L1,L2,1
    sfpnop
EOS
forms "dropped" "$work/drop.s"
same "one is" 1 "$(grep -c '"dropped": true' "$work/lines")"
forms "with .init" "$work/drop.s" --init
# ---- less of it: --compact, compressed files, a warning before a disk is full ----
kernel=$TX_SOURCE/examples/kernels/reciprocal.s
"$TENSIX" trace "$kernel" --arch bh >"$work/full"
"$TENSIX" trace "$kernel" --arch bh --compact >"$work/short"
check "the short table has every word" python3 - "$work/full" "$work/short" <<'EOS'
import re
import sys

full = [l.rsplit("| ", 1)[1].strip() for l in open(sys.argv[1]) if re.match(r" *\d+ \|.*\| sfp", l)]
short = []
for line in open(sys.argv[2]):
    found = re.match(r"(\d+)(?:-(\d+))? \| (?:.*\| )?(sfp.*)", line)
    if found:
        short += [found[3].strip()] * (int(found[2] or found[1]) - int(found[1]) + 1)
assert len(full) > 400 and full == short, (len(full), len(short))
EOS
below() { [ "$(wc -c <"$1")" -lt $(($(wc -c <"$2") / $3)) ]; }
check "a third of the table at most" below "$work/short" "$work/full" 3
"$TENSIX" trace "$kernel" --arch bh --json >"$work/full.json"
"$TENSIX" trace "$kernel" --arch bh --json --compact --out "$work/short.json.gz" >"$work/nothing"
check "nothing on stdout with --out" test ! -s "$work/nothing"
check "runs are the values" python3 - "$work/full.json" "$work/short.json.gz" <<'EOS'
import gzip
import json
import sys

writes = {}
for line in open(sys.argv[1]):
    e = json.loads(line)
    if e["ev"] in ("lreg", "dst"):
        writes[e["ev"], e["t"], e["id"], e["index"]] = e["values"]
seen = 0
for line in gzip.open(sys.argv[2], "rt"):
    e = json.loads(line)
    if e["ev"] == "trace":
        assert e["schema"] == 2
    if e["ev"] in ("lreg", "dst"):
        words = [w.split("*") for w in e["runs"].split(" ")]
        values = "".join(w[0] * int(w[1] if len(w) > 1 else 1) for w in words)
        assert values == writes[e["ev"], e["t"], e["id"], e["index"]]
        seen += 1
assert seen == len(writes) > 400
EOS
check "a fifth of the lines at most, compressed" below "$work/short.json.gz" "$work/full.json" 5
"$TENSIX" trace "$kernel" --arch bh --chrome "$work/c.json" --konata "$work/k" >"$work/full"
"$TENSIX" trace "$kernel" --arch bh --chrome "$work/c.json.gz" --konata "$work/k.gz" >"$work/full"
for file in c.json k; do
    gzip -dc "$work/$file.gz" >"$work/unpacked"
    check "$file.gz holds $file" cmp "$work/$file" "$work/unpacked"
done
"$TENSIX" trace "$kernel" --arch bh --tiles 800 --json >/dev/null 2>"$work/told"
same "one line before a gigabyte" 1 "$(grep -c 'more than 256 MB so far' "$work/told")"
"$TENSIX" trace "$kernel" --arch bh --tiles 100 --json 2>"$work/told" >/dev/null
same "and none for less" 0 "$(wc -l <"$work/told")"

finish
