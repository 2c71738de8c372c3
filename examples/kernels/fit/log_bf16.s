# SPDX-License-Identifier: Apache-2.0
# Natural logarithm for BF16 in Dst, on Blackhole: tensix fit --form poly:3, its constants fitted.
#
# Method    x = m 2^e with m from sqrt(1/2) to sqrt 2: an addition to the bits carries into
#           the exponent where m would be above. f = m - 1; its logarithm is f times a
#           polynomial of degree 2, and e log 2 is added.
# Accuracy  max 1 ULP of BF16, mean 0.0017, over all inputs.
# Cycles    27 per row of 32 elements, 1 rows at a time; Horner's form of polynomials.
.arch      blackhole
.title     "log by poly:3"
.dst       bf16
.reference log
carry = 0x004afb0d
.free c0 = float(1.001631) in fp32
.free c1 = float(-0.5157553) in fp32
.free c2 = float(0.30243397) in fp32
log2 = float(0.6931472)
.init
    sfpencc     3, 10
.loadi L0, carry
    sfpconfig   11, 0, 0
.loadi L0, c0
    sfpconfig   13, 0, 0
.loadi L0, c1
    sfpconfig   14, 0, 0
.loadi L0, log2
    sfpconfig   12, 0, 0
.loadi L7, c2
.tile
ROW = 0
.rept 32
    sfpload     L0, ROW, 0, 3
    sfpmov      L1, L0, 0
    sfpiadd     L1, L11, 0, 4
    sfpsetman   L2, L1, 0, 1
    sfpiadd     L2, L0, 0, 6
    sfpiadd     L2, L10, 0, 4
    sfpaddi     L2, bf16(-1.0), 0
    sfpexexp    L1, L1, 1
    sfpcast     L1, L1, 0
    sfpaddi     L1, bf16(-127.0), 0
    sfpmad      L3, L7, L2, L14, 0
    sfpmul      L1, L1, L12, 0
    sfpmad      L3, L3, L2, L13, 0
    sfpexexp    L4, L0, 1
    sfpmad      L1, L3, L2, L1, 0
    sfpmul      L2, L0, L10, 0
    sfpstochrnd L1, L1, L1, 0, 1, 0
    sfpiadd     L4, L4, -255, 9
    sfpmov      L1, L0, 0
    sfpencc     3, 10
    sfpsetcc    L2, 0, 6
    sfploadi    L1, bf16(-inf), 0
    sfpencc     3, 10
    sfpsetcc    L2, 0, 0
    sfploadi    L1, 0x7fc0, 0
    sfpencc     3, 10
    sfpstore    L1, ROW, 0, 3
    ROW = ROW + 2
.endr
