#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# docs/silicon.md: the kernels of bench/silicon still take the cycles that the page says, which are
# those of cards as far as their words are known; the model knows no figure by its name.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
status=0
python3 "$TX_SOURCE/scripts/silicon.py" "$TENSIX" --check || status=$?
exit "$status"
