#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The user's CMAKE_C_FLAGS_RELEASE reach the compiler as they are; without any the build has ours,
# with assertions; and a tree of an older version keeps what it was compiled with.
# $TX_SOURCE_DIR and $CMAKE as ctest sets them.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
configure() { # OPTIONS...: line becomes the words that a source of the library is compiled with
    "$CMAKE" -S "$TX_SOURCE_DIR" -B "$work/build" -DTENSIX_CLI=OFF "$@" >"$work/log" 2>&1 ||
        { cat "$work/log" && exit 1; }
    line=$(grep '"command": .*src/base/names\.c"' "$work/build/compile_commands.json")
}
has() { # NAME WORD
    grep -q -e " $2 " <<<"$line" || { echo "$1: no $2 in $line" && exit 1; }
}
lacks() { # NAME PATTERN
    ! grep -qE -e " $2 " <<<"$line" || { echo "$1: $2 in $line" && exit 1; }
}

configure
has "no flags given" -O2
lacks "no flags given" '(-O3|-DNDEBUG)'
# As CMake fills them in before an older version sets them to its own without asking.
"$CMAKE" -DCMAKE_C_FLAGS_RELEASE="-O3 -DNDEBUG" -UTENSIX_RELEASE_FLAGS "$work/build" \
    >"$work/log" 2>&1
grep -q '^CMAKE_C_FLAGS_RELEASE:STRING=-O2$' "$work/build/CMakeCache.txt"
configure -DCMAKE_C_FLAGS_RELEASE="-O1 -DOF_THE_USER"
has "flags given" -O1
has "flags given" -DOF_THE_USER
lacks "flags given" -O2
configure
has "configured again" -DOF_THE_USER
rm -r "$work/build"
configure -DCMAKE_C_FLAGS_RELEASE="-O3 -DNDEBUG"
has "CMake's own, but given" -DNDEBUG
echo "CMAKE_C_FLAGS_RELEASE is the user's"
