# SPDX-License-Identifier: Apache-2.0
# The Scalar Unit alone: thread 0 goes through sixteen words in L1 and leaves four results: their sum,
# their exclusive or rotated to the left by four after each word, how many are above a limit, and the
# sum of the products of their lower and upper 16 bits. What loads deliver comes later: a STALLWAIT on
# THCON stands between LOADIND and the use. FLUSHDMA at the end waits, without a block, until the
# stores are out. Registers have 32 bits, an address register counts units of 16 bytes, and the offset
# register is half of one and counts bytes. Both chips.
#
#     tensix run examples/tiles/scalar.s --arch bh --l1 0x10000=x.npy:uint32:rows \
#         --l1-out 0x10100:uint32:4:rows=y.npy
.title "Sums, counts and a checksum on the Scalar Unit"
LIMIT = 0x80000000

.thread unpack
.macro set_gpr gpr, value               # both halves
    ttsetdmareg (\value) >> 14 & 3, (\value) & 0x3FFF, 0, 2 * (\gpr)
    ttsetdmareg (\value) >> 30 & 3, (\value) >> 16 & 0x3FFF, 0, 2 * (\gpr) + 1
.endm
# A result, first operand, second operand: a register, or with K behind the name six bits.
.macro add r, a, b
    ttadddmareg 0, \r, \b, \a
.endm
.macro multiply r, a, b                 # 16 bits by 16 bits
    ttmuldmareg 0, \r, \b, \a
.endm
.macro exclusive_or r, a, b
    ttbitwopdmareg 0, 2, \r, \b, \a
.endm
.macro shift_left_k r, a, n
    ttshiftdmareg 1, 0, \r, \n, \a
.endm
.macro shift_right_k r, a, n
    ttshiftdmareg 1, 1, \r, \n, \a
.endm
.macro above r, a, b
    ttcmpdmareg 0, 0, \r, \b, \a
.endm
SUM = 4                                 # four in a row, so that one STOREIND takes them all
CHECK = 5
COUNT = 6
PRODUCTS = 7
WORD = 8
T = 9
U = 10
BOUND = 11
FROM = 12                               # address / 16
TO = 13
OFFSET = 14                             # its lower half is the offset, half register 28
.tile
    set_gpr SUM, 0
    set_gpr CHECK, 0
    set_gpr COUNT, 0
    set_gpr PRODUCTS, 0
    set_gpr BOUND, LIMIT
    set_gpr FROM, 0x10000 / 16
    set_gpr TO, 0x10100 / 16
    set_gpr OFFSET, 0
.rept 16
    ttloadind 1, 2 * OFFSET, 2, WORD, FROM      # 32 bits; the offset moves on by four bytes
    ttstallwait p_stall::STALL_THCON, p_stall::THCON
    add SUM, SUM, WORD
    shift_left_k T, CHECK, 4            # a rotation: there is no instruction for it
    shift_right_k U, CHECK, 28
    add T, T, U
    exclusive_or CHECK, T, WORD
    above T, WORD, BOUND                # 1 or 0, compared without signs
    add COUNT, COUNT, T
    shift_right_k U, WORD, 16
    multiply T, WORD, U
    add PRODUCTS, PRODUCTS, T
.endr
    ttsubdmareg 1, OFFSET, 32, OFFSET   # back to 0, in two steps: a constant has six bits
    ttsubdmareg 1, OFFSET, 32, OFFSET
    ttstoreind 1, 0, 0, 2 * OFFSET, 0, SUM, TO  # 16 bytes: SUM to PRODUCTS
    ttflushdma 1
