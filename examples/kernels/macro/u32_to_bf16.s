# SPDX-License-Identifier: Apache-2.0
# Uint32 to BF16, nearest, by SFPLOADMACRO, on Blackhole and Wormhole.
#
# Method    fp32 of the low 31 bits, plus 2^31 or 0 picked by L7 = v >> 31.
# Schedule  One row of 32 elements; the next one starts 3 cycles later. * is scheduled by a macro.
#           cycle  load          Simple        MAD           Round         Store
#               0  sfploadmacro
#               1                                            sfpshft2
#               2                sfpsetsgn
#               3                sfpcast*
#               4                              sfpmad*
#               6                                            sfpstochrnd*
#               7                                                          sfpstore*
# Cycles    3 per row, 101 per tile.
.title     "uint32 to BF16, nearest"
.dst       uint32
.out       bf16
.config    ALU_ACC_CTRL_SFPU_Fp32_enabled, 0   # the stores of mode 0 mean BF16
.config    ALU_FORMAT_SPEC_REG1_SrcB, 5
.init
.template  t0, sfpcast VD, L0, 0
.template  t1, sfpmad VD, L0, L10, L0, 4
.template  t2, sfpstochrnd VD, L0, L0, 0, 1, 0
.sequence  0, simple=t0@2 mad=t1@3 round=t2@5>L16 store@6<L16
.misc      mod0=0 instructions=simple
.loadi L0, 0
.loadi L1, float(2147483648)
.loadi L5, -31
    sfpnop
.tile
I = 0
.rept 16
    sfploadmacro 0, L2, I, 4, 3
    sfpshft2     L7, L5, 2, 5
    sfpsetsgn    L2, L2, 0, 1
    sfploadmacro 0, L3, I + 2, 4, 3
    sfpshft2     L7, L5, 3, 5
    sfpsetsgn    L3, L3, 0, 1
    I = I + 4
.endr
    sfpnop
    sfpnop
    sfpnop
    sfpnop
    sfpnop
