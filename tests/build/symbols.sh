#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the libraries show to the linker is what cmake/lib*.symbols lists and what their headers
# declare, in the shared and in the static form. $TX_SOURCE_DIR and $TX_BINARY_DIR as ctest sets
# them. symbols.sh --write BUILD writes the lists as that build has them.
set -euo pipefail

export LC_ALL=C
if [ "${1:-}" = --write ]; then
    TX_SOURCE_DIR=$(realpath "$(dirname "$0")/../..") TX_BINARY_DIR=$2
elif [ "${TX_SANITIZE:-off}" != off ]; then
    echo "sanitizers have symbols of their own"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

status=0
compare() { # LIST FOUND WHAT
    if ! diff "$1" "$2" >"$work/diff"; then
        echo "$3 differs from ${1#"$TX_SOURCE_DIR"/} (< listed, > found):"
        cat "$work/diff"
        status=1
    fi
}
# LIBRARY MACRO HEADERS
library() {
    local list=$TX_SOURCE_DIR/cmake/lib$1.symbols
    cat "${@:3}" | grep -v '^#' | tr '\n' ' ' |
        grep -oE "\b$2 [^;(]*\b\w+\(" | sed 's/($//; s/.*\W//' | sort >"$work/headers"
    if [ "$write" != "" ]; then
        cp "$work/headers" "$list"
    fi
    [ -s "$list" ] || { echo "$list is empty" && status=1; }
    compare "$list" "$work/headers" "headers"
    if [ ! -e "$TX_BINARY_DIR/lib$1.so" ]; then
        return # libtensix-lab while it is not whole, cmake/lab.cmake
    fi
    nm -D --defined-only "$TX_BINARY_DIR/lib$1.so" |
        awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort >"$work/shared"
    nm -g --defined-only "$TX_BINARY_DIR/lib$1.a" |
        awk 'NF == 3 { print $3 }' | sort >"$work/static"
    compare "$list" "$work/shared" "lib$1.so"
    compare "$list" "$work/static" "lib$1.a"
}
write=${1:-}
include=$TX_SOURCE_DIR/include
library tensix TX_API "$include"/tensix/*.h "$include"/tensix-internal/fast_*.h
library tensix-lab TXL_API "$include"/tensix-lab/*.h "$include"/tensix-internal/bench.h
if [ $status -ne 0 ]; then
    echo "meant to differ: bash tests/build/symbols.sh --write BUILD, and commit the list"
    exit 1
fi
echo "the symbols are those of the lists"
