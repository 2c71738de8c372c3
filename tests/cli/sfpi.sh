#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix record of SFPI's style: what is refused and how, and everything under sanitizers.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
style=$TX_SOURCE/examples/llk_style
listings=$TX_SOURCE/tests/data/llk_style

if ! command -v "${CXX:=c++}" >/dev/null; then
    echo "no C++ compiler"
    exit 77
fi
: "${CC:=cc}"
export CC CXX

# options NAME: what the head of the example says to give.
options() {
    sed -n "s,^//  *tensix record $1 --arch .. \(.*\) -o .*,\1,p" "$style/$1"
}

cd "$work"

# ---- kernels, and mistakes ----
cat >sfpi_bad.cpp <<'EOS'
#include "ckernel.h"
#include "ckernel_sfpu_load_config.h"
#include "ckernel_sfpu_polyval.h"
#include "lltt.h"
#include "sfpi.h"
using namespace sfpi;
void mad() { dst_reg[0] = dst_reg[0] * dst_reg[1] + dst_reg[2]; }
void too_many()
{
    vFloat v[9];
    for (int i = 0; i < 9; i++) {
        v[i] = dst_reg[i];
    }
    for (int i = 0; i < 9; i++) {
        dst_reg[i] = v[i];
    }
}
void too_deep(int depth)
{
    vFloat x = dst_reg[0];
    v_if (x > float(depth)) {
        if (depth > 1) {
            too_deep(depth - 1);
        }
    }
    v_endif;
}
void unset()
{
    vFloat x;
    vFloat y = dst_reg[0];
    y = x + y;
}
void range() { dst_reg[512] = 1.0f; }
void taken()
{
    ckernel::sfpu::_sfpu_load_imm32_(0, 0x3f800001);
    vConstFloatPrgm0 = 0.5f;
}
void template_after()
{
    vConstFloatPrgm0 = 0.5f;
    TTI_SFPSHFT2(0, 0, 12, 6);
}
void table_init() { ckernel::sfpu::_sfpu_load_imm32_(5, 0x3fc00000); }
void table()
{
    vFloat kept = l_reg[LRegs::LReg5];
    vFloat x = dst_reg[0];
    dst_reg[0] = ckernel::sfpu::PolynomialEvaluator::eval(x, 0.0f, kept);
    dst_reg++;
}
void table_later()
{
    vFloat kept = l_reg[LRegs::LReg0];
    dst_reg[0] = kept;
    tx_record_settle(tx_recorder_current);
    dst_reg[1] = -vFloat(dst_reg[2]);
}
void replayed()
{
    ckernel::load_replay_buf<ckernel::Exec>(0, 3, [] {
        vFloat x = dst_reg[0];
        dst_reg[0] = -x;
    });
    lltt::replay(0, 3);
}
#ifdef ALONE
void alone() { v_and(vFloat(dst_reg[0]) > 0.0f); }
#endif
EOS
# One compilation for each chip: a list records every kernel that it can, and says what is wrong
# with the others. One chip each: record.sfpi and record.sfpi_random have both.
cat >bh.txt <<'EOS'
table --init table_init --tile table
replayed --tile replayed
too_deep --tile too_deep(9)
unset --tile unset
taken --tile taken
EOS
cat >wh.txt <<'EOS'
mad --tile mad
deep --tile too_deep(8)
later --tile table_later
template --tile template_after
too_many --tile too_many
range --tile range
EOS
for arch in bh wh; do
    got=0
    "$TENSIX" record sfpi_bad.cpp --arch $arch --list $arch.txt -o $arch >out 2>$arch.err || got=$?
    same "$arch: some are refused" 2 $got
done
same "bh: the others are there" "replayed.s table.s" "$(cd bh && echo *)"
same "wh: the others are there" "deep.s later.s mad.s template.s" "$(cd wh && echo *)"
same "each refusal is one line" "3 bh.err 2 wh.err" \
    "$(wc -l bh.err wh.err | head -2 | xargs)"
refused() { # NAME ARCH PATTERN
    check "$1" grep -q -- "$3" "$2.err"
}
check "a product and a sum" grep -q sfpmad wh/mad.s
check "--fuse none" bash -c "'$TENSIX' record sfpi_bad.cpp --arch bh --tile mad --fuse none \
    >none.s && grep -q sfpmul none.s && grep -q sfpadd none.s && ! grep -q sfpmad none.s"
check "eight levels of v_if" grep -q sfppushc wh/deep.s
refused "nine levels of v_if" bh \
    '^tensix: bh.txt:3: too_deep: sfpi_bad.cpp:21: v_if is nested deeper than the 8 entries'
refused "nine values" wh 'too_many: sfpi_bad.cpp:12: more values are live here than L0 to L7 hold'
check "a register that .init has loaded is kept" bash -c \
    "! grep -A99 '^.tile' bh/table.s | grep 'L5' | grep -v 'sfpm[au][dl].*,L5'"
check "also by what is settled later" grep -q 'sfpmov L1,L1,1' wh/later.s
check "SFPI in a replay buffer" grep -q replay bh/replayed.s
check "a template of SFPLOADMACRO does not read L0" grep -q 'sfpshft2' wh/template.s
refused "a variable without a value" bh \
    'unset: sfpi_bad.cpp:32: a variable is read before it has a value'
refused "no such row of Dst" wh 'range: sfpi_bad.cpp:34: dst_reg\[512\]: there are rows 0 to 511'
refused "L0 is needed and taken" bh \
    'taken: sfpi_bad.cpp:38: L0 is needed here and holds something else'
refuses "a condition of no v_if" 2 'sfpi_bad.cpp:69: .*sfpi_lanes' \
    "$TENSIX" record sfpi_bad.cpp --arch bh --tile alone -D ALONE
refuses "no such way to fuse" 2 "--fuse: 'some' is none of mad, none" \
    "$TENSIX" record sfpi_bad.cpp --arch bh --tile mad --fuse some

# ---- under the sanitizers: the headers, and what they record ----
cat >"$work/sanitized" <<'EOS'
#!/bin/sh
case " $* " in *' -std=gnu17 '*) compiler=$CC ;; *) compiler=$CXX ;; esac
exec $compiler -O0 -fsanitize=address,undefined -fno-sanitize-recover=all "$@"
EOS
chmod +x "$work/sanitized"
echo 'int main() { return 0; }' >"$work/empty.cpp"
if "$work/sanitized" "$work/empty.cpp" -o "$work/none" 2>/dev/null; then
    for source in where.c sigmoid.cpp; do
        # shellcheck disable=SC2046 # several words
        check "$source under ASan and UBSan" \
            "$TENSIX" record "$style/$source" --arch wh $(options $source) \
            --compiler "$work/sanitized" -o "$work/sanitized.s"
        "$TENSIX" asm "$work/sanitized.s" -o "$work/sanitized.hex"
        check "its words are the listing's" cmp "$work/sanitized.hex" \
            "$listings/${source%.*}-wh.hex"
    done
fi
finish
