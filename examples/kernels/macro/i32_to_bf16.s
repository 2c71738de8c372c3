# SPDX-License-Identifier: Apache-2.0
# Int32 to BF16, nearest, by SFPLOADMACRO, on Blackhole and Wormhole.
#
# Method    t = fp32(|v|) with the sign of v. |-2^31| is the sign-magnitude number -0: L7 = |v| >>
#           31 picks the addend -2^31 or 0.
# Schedule  One row of 32 elements; the next one starts 4 cycles later. * is scheduled by a macro.
#           cycle  load          Simple        MAD           Round         Store
#               0  sfploadmacro
#               1                sfpabs
#               2                                            sfpshft2
#               3                sfpcast
#               4                sfpsetsgn*
#               5                              sfpmad*
#               7                                            sfpstochrnd*
#               8                                                          sfpstore*
# Cycles    4 per row, 133 per tile.
.title     "int32 to BF16, nearest"
.dst       int32
.out       bf16
.config    ALU_ACC_CTRL_SFPU_Fp32_enabled, 0   # the stores of mode 0 mean BF16
.config    ALU_FORMAT_SPEC_REG1_SrcB, 5
.init
.template  t0, sfpsetsgn VD, L4, 0, 0
.template  t1, sfpmad VD, L0, L10, L0, 4
.template  t2, sfpstochrnd VD, L0, L0, 0, 1, 0
.sequence  0, simple=t0.vb@3 mad=t1@4 round=t2@6>L16 store@7<L16
.misc      mod0=0 instructions=simple
.loadi L0, 0
.loadi L1, float(-2147483648)
.loadi L5, -31
    sfpnop
.tile
I = 0
.rept 16
    sfploadmacro 0, L2, I, 4, 3
    sfpabs       L4, L2, 0
    sfpshft2     L7, L5, 4, 5
    sfpcast      L4, L4, 0
    sfploadmacro 0, L3, I + 2, 4, 3
    sfpabs       L4, L3, 0
    sfpshft2     L7, L5, 4, 5
    sfpcast      L4, L4, 0
    I = I + 4
.endr
    sfpnop
    sfpnop
    sfpnop
    sfpnop
    sfpnop
