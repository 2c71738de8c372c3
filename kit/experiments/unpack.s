# SPDX-License-Identifier: Apache-2.0
# Experiments about the unpackers; vector.s says how they are written. Data are zero by ZeroWrite2,
# so that L1 is not asked, unless it is about what L1 gives.

.macro bf16_zeros address=64
    .setcfg THCON_SEC0_REG0_TileDescriptor, 5
    .setcfg THCON_SEC0_REG2_Out_data_format, 5
    .setcfg THCON_SEC0_REG2_Throttle_mode, 2
    .setcfg THCON_SEC0_REG2_Disable_zero_compress_cntx0, 1
    .setcfg THCON_SEC0_REG5_Dest_cntx0_address, \address
.endm
.macro to_dst
    .setcfg THCON_SEC0_REG2_Unpack_if_sel_cntx0, 1
.endm
# UNPACR of unpacker 0 by the counters of thread "own", zeros, perhaps with a hand-over.
.macro zeros own=1, give=0
    TTI_UNPACR(0, 0, 0, 0, \own, 1, \give, 0, 1, 0, 0, 0, 1)
.endm

#@ question unpack-burst
#@ text Does the part of a burst of rows beyond its sixteen rows reach SrcA?
#@ about U2
#@ rule unpack-burst=burst|datum
.init
bf16_zeros 176
.setcfg SRCA_SET_SetOvrdWithAddr, 1
.if BLACKHOLE
.setcfg DISABLE_IMPLIED_SRCA_FMT_Base, 1
.setcfg DISABLE_IMPLIED_SRCB_FMT_Base, 1
.endif
.tile
ttmovd2a 0,16,0,2,0
ttsetadcxx 1,255,0
zeros 1, 1
ttmova2d 0,16,0,2,32

#@ question unpack-dstrow
#@ text Which bits does the row lose when Dst is unpacked to with SRCA_SET_SetOvrdWithAddr?
#@ about U5
#@ rule unpack-dstrow=3cf|15
.init
bf16_zeros 1088
to_dst
.setcfg SRCA_SET_SetOvrdWithAddr, 1
.tile
ttsetadcxx 1,15,0
zeros

#@ question unpack-count
#@ text What is moved where the end of the data lies before their begin?
#@ about U6
#@ rule unpack-count=none|wrap
.init
bf16_zeros
to_dst
.tile
ttsetadcxx 1,0,16
zeros
ttnop
ttsetadcxx 1,15,0
zeros

#@ question unpack-xy
#@ text From which thread do X and Y come: the one that ContextADC names, or the own?
#@ about U8
#@ rule unpack-xy=context|own
.init
bf16_zeros
to_dst
.tile
ttsetadcxx 1,15,0
zeros 0

#@ question unpack-clear-give
#@ text Does a clear with bit 6 hand the bank over as well?
#@ about U11
#@ rule unpack-clear-give=both|clear
#@ chips wh
.tile
TTI_UNPACR_NOP(0, 0x41)
TTI_UNPACR_NOP(0, 0x15)
ttnop
ttnop
ttnop
ttnop
ttmovdbga2d 0,0,0,2,16

#@ question unpack-upsample
#@ text How many cells does upsampling by rate 2 add to a datum?
#@ about U13
#@ rule unpack-upsample=model|prose
.init
bf16_zeros
to_dst
.setcfg THCON_SEC0_REG2_Upsample_rate, 2
.setcfg THCON_SEC0_REG2_Upsample_and_interleave, 1
.tile
ttsetadcxx 1,15,0
zeros

#@ question unpack-queue
#@ text How many instructions go into an unpacker behind one that fetches?
#@ about U25
#@ rule unpack-queue=2|8
#@ by replay
.init
to_dst
.setcfg THCON_SEC0_REG5_Dest_cntx0_address, 64
.setcfg THCON_SEC0_REG2_Disable_zero_compress_cntx0, 1
ttsetadcxx 1,255,0
.tile
zeros
zeros
zeros
sfpload L0,0,3,3
sfpstore L0,32,3,3

#@ question unpack-wide
#@ text Does the unpacker fetch 64 or 128 bytes a cycle?
#@ about E-UNPACKTIME
#@ rule unpack-wide=64|128
#@ chips bh
#@ by replay
.init
to_dst
.setcfg THCON_SEC0_REG5_Dest_cntx0_address, 64
.setcfg THCON_SEC0_REG2_Disable_zero_compress_cntx0, 1
ttsetadcxx 1,255,0
.tile
zeros
.rept 11
ttnop
.endr
sfpload L0,0,3,3
sfpstore L0,32,3,3
