#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What users wait for, in processor time, and where it can be, beside loops that run in turns with
# it, so that other work on the machine does not decide. The bounds leave room for half as fast.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"

if [ "${TX_SANITIZE:-off}" != off ]; then
    echo "a sanitized build is not for measuring"
    exit 77
fi

# ---- the reference engine, beside a multiply-add in integers, lane by lane ----

"$TENSIX" bench --engine reference --quick --json --row mad/mixed --row and --row iadd \
    --row stochrnd >"$work/bench.json"
cat >"$work/least.py" <<'EOS'
import json
import sys

name, least = sys.argv[2], float(sys.argv[3])
row = next(r for r in json.load(open(sys.argv[1]))["rows"] if r["name"] == name)
sys.exit(None if row["of_scalar"] >= least else "%.2f of scalar" % row["of_scalar"])
EOS
while read -r row least; do
    check "reference engine, $row" python3 "$work/least.py" "$work/bench.json" "$row" "$least"
done <<'EOS'
mad/mixed 0.6
mad/mixed/wh 0.6
and 1.9
iadd 1.7
stochrnd 1.0
stochrnd/nearest 1.0
EOS

# ---- arrays through a kernel ----

# Seconds of the processor that a command takes are below a limit.
cat >"$work/within.py" <<'EOS'
import resource
import subprocess
import sys

subprocess.run(sys.argv[2:], check=True, stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
seconds = used.ru_utime + used.ru_stime
sys.exit(None if seconds < float(sys.argv[1]) else "%.2f s" % seconds)
EOS
npy "$work/x.npy" f4 "(1024, 1024)" "[i * 9e-6 - 5 for i in range(1 << 20)]"
check "a named reference decides a million elements in batches" python3 "$work/within.py" 0.4 \
    "$TENSIX" run --arch bh "$TX_SOURCE/examples/kernels/exp.s" --in "$work/x.npy" --reference exp

# ---- starting ----

LD_DEBUG=files "$TENSIX" eval --arch bh 'sfpmov L0,L1,0' >"$work/eval" 2>"$work/files"
refused() { ! grep -E "$1" "$work/files"; }
check "the loader tells what it does" grep -q 'libc\.so' "$work/files"
check "eval loads no library that only others need" refused 'lib(zip|flint|ntl|crypto|stdc)'
cat >"$work/starts.py" <<'EOS'
import resource
import subprocess
import sys


def used(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for _ in range(20):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


least = min(used(["/bin/true"]) for _ in range(3))
seconds = min(used(sys.argv[1:]) for _ in range(3))
sys.exit(None if seconds < 6 * least + 0.02 else "%.4f s, true takes %.4f s" % (seconds, least))
EOS
check "eval starts in some times what true takes" python3 "$work/starts.py" "$TENSIX" eval \
    --arch bh 'sfpmov L0,L1,0'

# ---- what bench says of memory ----

"$TENSIX" bench --quick --json --row exp22 --row reference/exp22 --row mad/mixed >"$work/rows.json"
cat >"$work/streamed.py" <<'EOS'
import json
import sys

rows = {r["name"]: r for r in json.load(open(sys.argv[1]))["rows"]}
rate, streamed = rows["exp22"]["rate"], rows["exp22"]["streamed"]
assert 0.1 * rate < streamed < 1.5 * rate, (rate, streamed)
assert "streamed" not in rows["reference/exp22"] and "streamed" not in rows["mad/mixed"]
EOS
check "kernels have a rate through memory" python3 "$work/streamed.py" "$work/rows.json"

finish
