#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# explain .sequence and .misc name every bit field of their words, as JSON and as text. The fields:
# isa SFPLOADMACRO (a981f40), "Sequence" and "Misc".
set -euo pipefail

check() { # NAME FIELDS: "lsb width" of each, in order
    local name=$1 want=$2 got
    got=$("$TENSIX" explain "$name" --json | python3 -c '
import json, sys
print(",".join("%d %d" % (f["lsb"], f["width"]) for f in json.load(sys.stdin)["fields"]))')
    [ "$got" = "$want" ] || { echo "explain $name --json: fields $got, not $want"; exit 1; }
    got=$("$TENSIX" explain "$name")
    for word in "${@:3}"; do
        [[ $got == *"$word"* ]] || { echo "explain $name does not say $word"; exit 1; }
    done
}

check .sequence "0 3,3 3,6 1,7 1" "template" "1 + delay" L16 VB
check .misc "0 4,4 4,8 4" mod0= load_mod0= instructions=
