#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What costs time without need, and what bench says of memory. Nothing here is measured against a
# clock: that is bench/README.md's.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"

if [ "${TX_SANITIZE:-off}" != off ]; then
    echo "a sanitized build is not for measuring"
    exit 77
fi

# ---- starting ----

LD_DEBUG=files "$TENSIX" eval --arch bh 'sfpmov L0,L1,0' >"$work/eval" 2>"$work/files"
refused() { ! grep -E "$1" "$work/files"; }
check "the loader tells what it does" grep -q 'libc\.so' "$work/files"
check "eval loads no library that only others need" refused 'lib(zip|flint|ntl|crypto|stdc)'
# ---- what bench says of memory ----

"$TENSIX" bench --quick --json --row exp22 --row reference/exp22 --row mad/mixed >"$work/rows.json"
cat >"$work/streamed.py" <<'EOS'
import json
import sys

rows = {r["name"]: r for r in json.load(open(sys.argv[1]))["rows"]}
assert rows["exp22"]["streamed"] > 0
assert "streamed" not in rows["reference/exp22"] and "streamed" not in rows["mad/mixed"]
EOS
check "kernels have a rate through memory" python3 "$work/streamed.py" "$work/rows.json"

finish
