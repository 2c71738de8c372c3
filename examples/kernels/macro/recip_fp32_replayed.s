# SPDX-License-Identifier: Apache-2.0
# 1/x for FP32, result through L16, by SFPLOADMACRO and REPLAY, on Blackhole.
#
# Method    That of recip_fp32_l16.s, in the form that shipped: rows are replayed, so a RISC-V that
#           falls behind can leave idle cycles between replays only. Everywhere but at one place
#           they do no harm: a pause behind the first SFPNOP of the tail lets the last result but
#           one land in L16 before the last approximation has left it. 'tensix run --gaps' finds
#           it. The row before the first does not exist: its two macros read Dst row 1020 and
#           store nothing.
# Schedule  One row of 32 elements; the next one starts 5 cycles later. * is scheduled by a macro.
#           cycle  load          Simple        MAD           Round         Store
#               0  sfploadmacro
#               1                sfparecip*
#               2  sfploadmacro
#               3                sfparecip*    sfpmad
#               5                              sfpmad*                     sfpstore*
#               6  sfploadmacro
#               7                              sfpmad*                     sfpstore*
#               9  sfploadmacro  sfpswap*
#              11                              sfpmad*
#              13                                                          sfpstore*
# Idle      Unused sub-units have 0x38 in the sequence: select 0 with delay 7. Delay 0 would make
#           what is due in the next cycle be forgotten.
# Cycles    5 per row, 169 per tile.
.arch      blackhole
.title     "1/x for FP32, result through L16, replayed"
.dst       fp32
.config    ADDR_MOD_DST_SEC2_DestIncr, 2    # address modifier 2: on to the next row
.init
    ttreplay    0, 6, 0, 1
    sfploadmacro 0, L3, 0, 3, 3
    sfploadmacro 2, L1, 1022, 3, 3          # of the row before
    sfploadmacro 1, L0, 0, 3, 3
    sfpmad       L0, L0, L3, L10, 1
    sfploadmacro 3, L2, 1022, 3, 2          # of the row before
    sfploadmacro 3, L2, 1022, 3, 3
.template  t0, sfparecip VD, L0, 0
.template  t1, sfpmad VD, L0, L0, L0, 0
.template  t2, sfpmad VD, L1, L0, L2, 0
.template  t3, sfpswap VD, L10, 1
.sequence  0, simple=t0@0 mad=none@7 round=none@7 store@6<L16
.sequence  1, simple=t0@0>L16 mad=t1@2 round=none@7 store@2
.sequence  2, simple=t3.vb@2 mad=t2@0 round=none@7 store=none@7
.sequence  3, simple=none@7 mad=t2.vb@1>L16 round=none@7 store@3<L16
.misc      mod0=0 load_mod0=all instructions=all
    sfpnop
.tile
    ttreplay     0, 4, 0, 0
    sfpload      L7, 0, 3, 2                 # on to the next row
.rept 31
    ttreplay     0, 5, 0, 0
.endr
    sfpnop
    ttreplay     1, 1, 0, 0
    sfpnop
    ttreplay     3, 2, 0, 0
    sfpnop
    sfpnop
    sfpnop
    sfpnop
