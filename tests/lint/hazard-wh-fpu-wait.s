# SPDX-License-Identifier: Apache-2.0
# Planted, in the line that says so: E-FPU
# The condition is Blackhole's number of the Matrix Unit; Wormhole's is 7.
.arch wormhole_b0
.dst fp32
.fpu 0, 64
.tile
    ttstallwait 0x100, 0x10
    sfpload     L0, 0, 3, 3    # planted
    sfpabs      L0, L0, 1
    sfpstore    L0, 0, 3, 3
