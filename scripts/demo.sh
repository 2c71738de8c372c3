#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# From a fresh machine to a result: dependencies, build, then the reciprocal kernel over a file of
# tiles on Blackhole and on Wormhole, against the correctly rounded 1/x.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${BUILD:-build}

scripts/build.sh tensix-cli
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

run() { # architecture kernel
    local command=("$build/tensix" run "$2" --arch "$1" --in examples/data/tiles.npy
                   --out "$out/$1.npy" --reference recip)
    printf '\n$ %s\n' "${command[*]}"
    "${command[@]}"
    [ -s "$out/$1.npy" ]
}
run bh examples/kernels/reciprocal.s
run wh examples/kernels/reciprocal_wh.s
printf '\nThe command is %s; make install PREFIX=~/.local puts it into the path.\n' "$build/tensix"
