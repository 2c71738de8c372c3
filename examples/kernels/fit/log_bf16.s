# SPDX-License-Identifier: Apache-2.0
# log(x), to base e for BF16 in Dst, on Blackhole and Wormhole: tensix fit --form poly:4 --objective unrounded.
#
# Method    x = m 2^e with m from sqrt(1/2) to sqrt 2: an addition to the bits carries into the
#           exponent where m would be above. f = m - 1; its logarithm is f times a polynomial of
#           degree 3, and e log 2 is added.
# Accuracy  0.511 ULP of BF16 from the unrounded function at most, over all inputs.
# Cycles    27 per row of 32 elements, 1 row at a time; Horner's form of polynomials.
.title     "log by poly:4"
.dst       bf16
.reference log
carry = 0x004afb0d
.free c0 = float(0.99974358) in fp32
.free c1 = float(-0.50020766) in fp32
.free c2 = float(0.3561525) in fp32
.free c3 = float(-0.2440851) in fp32
log2 = float(0.6931472)
end = float(-3.3895314e+38)
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
.loadi L6, c2
.loadi L5, c3
.loadi L7, end
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
    sfpmad      L3, L5, L2, L6, 0
    sfpcast     L1, L1, 0
    sfpaddi     L1, bf16(-127.0), 0
    sfpmad      L3, L3, L2, L14, 0
    sfpmul      L1, L1, L12, 0
    sfpmad      L3, L3, L2, L13, 0
    sfpadd      L4, L0, L7, 0
    sfpmad      L1, L3, L2, L1, 0
    sfpmul      L0, L0, L10, 0
    sfpstochrnd L1, L1, L1, 0, 1, 0
    sfpswap     L1, L4, 9
    sfpsetcc    L0, 0, 6
    sfploadi    L1, bf16(-inf), 0
    sfpencc     3, 10
    sfpsetcc    L0, 0, 0
    sfploadi    L1, 0x7fc0, 0
    sfpencc     3, 10
    sfpstore    L1, ROW, 0, 3
    ROW = ROW + 2
.endr
