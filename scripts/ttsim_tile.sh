#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ttsim_tile.sh TTSIM CHIP LIBRARY: makes a library of the vendor's simulator's tile, which
# bench/beside and tests/cosim load. TTSIM is a checkout of tenstorrent/ttsim in which
# "cd src && python3 ../make.py _out/release_bh/libttsim.so _out/release_wh/libttsim.so" has run;
# CHIP is bh or wh.
set -euo pipefail
cd "$(dirname "$0")/.."
objects=${1:-}/src/_out/release_${2:-}
if [ $# -ne 3 ] || [ ! -e "$objects/tensix.o" ]; then
    sed -n '3,6s/^# //p' "$0" >&2
    exit 2
fi
version=$([ "$2" = wh ] && echo 0 || echo 1)
# The other objects are as its own rules make them; errors are reported by ours.
${CXX:-c++} -std=c++20 -O2 -fPIC -fvisibility=hidden -fno-exceptions -fno-rtti \
    -shared -Wl,-Bsymbolic "-DTT_ARCH_VERSION=$version" -DNUM_CHIPS=1 -DNUM_MMIO_CHIPS=1 \
    -I"$1/src" -I"$1/src/_out" -I"$1/src/_out/$2" -Ibench/beside -Iinclude \
    bench/beside/ttsim.cpp "$objects"/{fma,rv32,sim,tensix,tile,libttsim}.o -o "$3"
