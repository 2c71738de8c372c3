#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The start state: .start, --start, what the commands say of it; conditions without predication.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
cd "$work"

# |x| as tt-llk writes it, which counts on the vendor's start: SFPENCC 0, 0 only restores.
body='.tile
    sfpload L0,0,3,3
    sfpsetcc L0,0,0
    sfpmov L0,L0,1
    sfpencc 0,0
    sfpstore L0,0,3,3'
printf '.arch wh\n%s\n' "$body" >plain.s
printf '.arch wh\n.start vendor\n%s\n' "$body" >vendor.s
npy x.npy f4 "(1024,)" "[-1.0, -1.0, 2.0, 2.0] * 256"

first() { python3 -c "import struct, sys
print(*struct.unpack('<4f', open('$1', 'rb').read()[-4096:][:16]))"; }

for engine in reference fast; do
    "$TENSIX" run plain.s --in x.npy --out p.npy --engine $engine >plain.txt
    same "$engine: predication off negates all" "1.0 -1.0 -2.0 2.0" "$(first p.npy)"
    check "$engine: and says so" grep -q '\[E-CC\] x1: SFPSETCC while predication is off' plain.txt
    "$TENSIX" run vendor.s --in x.npy --out v.npy --engine $engine >vendor.txt
    same "$engine: the vendor's start" "1.0 -1.0 2.0 2.0" "$(first v.npy)"
    check "$engine: clean" grep -qx 'findings        none' vendor.txt
done
check "run says which start it was" grep -q '^kernel .*, Dst fp32, start vendor$' vendor.txt
check "--start takes the place of the kernel's" bash -c \
    "'$TENSIX' run plain.s --in x.npy --start vendor | grep -qx 'findings        none' &&
     '$TENSIX' run vendor.s --in x.npy --start reset | grep -q E-CC"
check "JSON has it" bash -c "'$TENSIX' run vendor.s --in x.npy --json | python3 -c '
import json, sys
assert json.load(sys.stdin)[\"start\"] == \"vendor\"'"
check "strict stops" bash -c "! '$TENSIX' run plain.s --in x.npy --strict 2>&1"
check "sweep" bash -c "'$TENSIX' sweep plain.s --reference abs --domain bf16:1:2 | grep -q E-CC"
check "lint" bash -c "'$TENSIX' lint plain.s | grep -q E-CC; ! '$TENSIX' lint vendor.s | grep E-CC"
check "compare: both sides" bash -c "'$TENSIX' compare plain.s vendor.s --start vendor |
    grep -qx identical"
check "and each its own" bash -c "! '$TENSIX' compare plain.s vendor.s | grep -qx identical"
sed 's/^\.title/.start vendor\n&/' "$TX_SOURCE/examples/kernels/macro/signbit_fp32.s" >macro.s
check "expand keeps it" bash -c "'$TENSIX' expand macro.s --arch wh | grep -qx '.start vendor'"
check "asm tells it" bash -c "'$TENSIX' asm vendor.s --json | grep -q '\"start\": \"vendor\"'"

printf '.arch wh\n.start firmware\n' >bad.s
refuses "no such start" 2 "bad.s:2:8: there is no start state 'firmware' \(reset vendor\)" \
    "$TENSIX" run bad.s --in x.npy
refuses "nor on the command line" 2 "start is vendor or reset, not 'x'" "$TENSIX" run plain.s \
    --in x.npy --start x

# ---- record ----
if command -v "${CXX:=c++}" >/dev/null; then
    cat >k.cpp <<'EOS'
#include <tensix/ckernel_ops.h>
using namespace ckernel;
void kernel()
{
    for (int row = 0; row < 2; row++) {
        TTI_SFPLOAD(p_sfpu::LREG0, InstrModLoadStore::FP32, ADDR_MOD_3, 0);
        TTI_SFPSETCC(0, p_sfpu::LREG0, 0, 0);
        TTI_SFPMOV(0, p_sfpu::LREG0, p_sfpu::LREG0, 1);
        TTI_SFPENCC(0, 0, 0, 0);
        TTI_SFPSTORE(p_sfpu::LREG0, InstrModLoadStore::FP32, ADDR_MOD_2, 0);
    }
}
void init() { addr_mod_t{.dest = {.incr = 2}}.set(ADDR_MOD_6); }
EOS
    check "a recorded kernel begins as on the card" "$TENSIX" record k.cpp --arch wh --init init \
        --tile kernel -o k.s
    check "it is in the file" grep -qx '.start vendor' k.s
    "$TENSIX" run k.s --in x.npy --out k.npy >k.txt
    # ADDR_MOD_2 is 6 under ADDR_MOD_SET_Base, so both parities of columns are done.
    same "ADDR_MOD_SET_Base is set" "1.0 1.0 2.0 2.0" "$(first k.npy)"
    check "no finding" grep -qx 'findings        none' k.txt
    check "--start reset" bash -c "'$TENSIX' record k.cpp --arch wh --tile kernel --start reset |
        grep -qx '.start reset'"
fi
finish
