#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/front.py: the front of two forms, told anew from the numbers, a form that there is not,
# and the choice by error and by cycles.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
cd "$work"
front() {
    python3 "$TX_SOURCE/scripts/front.py" "$TENSIX" cbrt --domain bf16:1:8 --time 1 --opt 1 "$@"
}

front --forms 'poly:1 poly:2 rational:2,2' --error 0.8 >out
same "two of the three forms exist" 2 "$(grep -c '^| `' out)"
# shellcheck disable=SC2016 # backticks of the table
check "bold is what nothing beats" \
    awk -F'|' '/^\| `/ {bold[++n] = $4 ~ /\*/; gsub(/[*` ]/, ""); c[n] = $4; e[n] = $5}
        END {for (i = 1; i <= n; i++) {beaten = 0
                for (k = 1; k <= n; k++)
                    beaten += c[k] <= c[i] && e[k] <= e[i] && (c[k] < c[i] || e[k] < e[i])
                wrong += bold[i] == (beaten != 0)}
            exit wrong || n != 2}' out
check "an error asks for the exact one" grep -q '^poly:2: ' out
status=0
front --forms poly:1 --cycles 100 >out || status=$?
same "no kernel is so short" "1 none" "$status $(tail -n 1 out)"
refuses "no form" 1 'cbrt has none of these forms' front --forms rational:2,2
finish
