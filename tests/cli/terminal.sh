#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What stands on a terminal: the progress of a long run keeps to one line, however narrow it is.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"

if ! script -qec true /dev/null >/dev/null 2>&1; then
    ok "no script(1) here: not tested"
    finish
    exit
fi
# The check build, which goes each way twice, takes some eighty times as long.
stride=384
! checks_itself || stride=38400
# columns N: the longest that a carriage return writes over, and whether there was a bar
columns() {
    script -qec "stty cols $1; TERM=xterm '$TENSIX' sweep '$TX_SOURCE/examples/kernels/exp.s' \
        --arch bh --domain fp32 --stride $stride --engine reference --jobs 1" /dev/null |
        tr '\r' '\n' | sed 's/\x1b\[K//g' | grep '%  .*inputs/s' | awk -v columns="$1" '
        { most = length > most ? length : most; bar += /^\[/ }
        END { print (NR > 0), (most < columns), (bar > 0) }'
}
# The run lasts a few updates of the line on a quick machine. However slow it is and short its
# numbers, there is no room for a bar of five.
same "24 columns: the text alone" "1 1 0" "$(columns 24)"
same "40 columns: the line does not wrap" "1 1" "$(columns 40 | cut -d' ' -f-2)"
same "60 columns: a shorter bar" "1 1 1" "$(columns 60)"
finish
