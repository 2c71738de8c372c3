# SPDX-License-Identifier: Apache-2.0
# A program for any core: the product of two words of L1, then a mark that it is done, then a loop.
# At 0x21000: two factors, the product, the mark. Each core has its own 16 bytes there, by CORE.
    .section .init, "ax"
    .globl _start
_start:
    lui  a0, 0x21
    addi a0, a0, 16 * CORE
    lw   a1, 0(a0)
    lw   a2, 4(a0)
    mul  a3, a1, a2
    sw   a3, 8(a0)
    li   a4, 0xFF
    sw   a4, 12(a0)
1:  j    1b
