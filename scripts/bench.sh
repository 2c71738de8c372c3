#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bench.sh [NAME ...] (card, engines, formats, races, tile, trace): tensix bench, bench/bench_*.c
# and bench_*.sh one after another, and on what machine. bench.sh --table writes the tables of
# tensix bench into bench/README.md, and with TTSIM the one beside the vendor's simulator, too, as
# bench_beside.sh prints it.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${BUILD:-build}
export BUILD=$build

if [ "${1:-}" = --table ]; then
    scripts/build.sh tensix-cli
    # Between the marks of each table stands what the command prints.
    python3 - "$build/tensix" bench/README.md <<'PY'
import os, re, subprocess, sys
tensix, path = sys.argv[1:]
kernels = """exp gelu sigmoid tanh log sqrt cumsum where relu macro/recip_fp32 macro/exp_unclamped
    macro/max_fp32 macro/i32_to_bf16""".split()
kernels = ["examples/kernels/%s.s" % kernel for kernel in kernels]
text = open(path, encoding="utf-8").read()
avx2 = ["--level", "avx2"]
for row in "mad/ add mul and iadd recip exp22 int20".split():
    avx2 += ["--row", row]
bench = [tensix, "bench", "--markdown"]
tables = [("rows", bench), ("avx2", bench + avx2), ("kernels", bench + ["--arch", "bh"] + kernels)]
if os.environ.get("TTSIM"):
    tables.append(("beside", ["scripts/bench_beside.sh"]))
for mark, command in tables:
    done = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8")
    if done.returncode != 0:
        sys.exit(done.returncode)
    text, count = re.subn(r"(?s)(<!-- %s -->\n).*?(<!-- end -->)" % mark,
                          lambda found: found[1] + done.stdout + found[2], text)
    if count != 1:
        sys.exit("%s: no place for the table '%s'" % (path, mark))
open(path, "w", encoding="utf-8").write(text)
PY
    exit
fi

wanted() { [ $# -eq 1 ] || [[ " ${*:2} " == *" $1 "* ]]; }
scripts/build.sh bench tensix-cli
echo "$(date -u +%F) $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1)," \
    "$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt") $(cc -dumpversion)"
if wanted engines "$@"; then
    echo "== engines"
    "$build/tensix" bench
fi
for program in "$build"/bench/bench_* bench/bench_*.sh; do
    name=${program##*/bench_}
    name=${name%.sh}
    if [ -x "$program" ] && wanted "$name" "$@"; then
        echo "== $name"
        "$program"
    fi
done
