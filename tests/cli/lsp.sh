#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The language server in a scripted session: every message that it claims to know, and broken ones.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"

python3 "$TX_SOURCE/tests/cli/lsp.py" "$TENSIX" "$work" >"$work/checks" 2>"$work/err" || true
while IFS=$'\t' read -r name want got; do
    if [ "$name" != end ]; then
        same "$name" "$want" "$got"
    fi
done <"$work/checks"
same "the session got through" end "$(tail -n 1 "$work/checks")$(tail -n 3 "$work/err")"
refuses "a chip that is none" 2 'gs: not modelled' "$TENSIX" lsp --arch gs
finish
