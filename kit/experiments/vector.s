# SPDX-License-Identifier: Apache-2.0
# Experiments about the Vector Unit: small programs whose result tells readings of the documents
# apart. Each begins with lines "#@ key value" that kit_data.py reads: question (its name), text,
# about (entries of docs/evidence.md), rule (the emulator's switch and its values, the default
# first), chips (else both), by (replay: the words come one a cycle, from the replay buffer),
# first (asked before all others), data (the numbers in Dst: floats, bits or draws), load (address
# and words of L1 that are part of the answer), clock (the answer is the time of so many replays).
# The program is for thread 1; Dst holds the question's input before and is the answer behind.

#@ question prng-result
#@ text Is the first draw after seeding the seeded state, or its successor?
#@ about O-1 R5
#@ rule prng-result=old|new
#@ seed 0x12345678
.tile
sfpmov L0,L9,8
sfpstore L0,0,4,3
sfpmov L0,L9,8
sfpstore L0,2,4,3

#@ question backdoor-lanes
#@ text Is writing a template through VD 12 limited to enabled lanes?
#@ about O-5 R1
#@ rule backdoor-lanes=all|enabled
.init
sfpmov L12,L0,1
.loadi L0, 0x00000004
sfpconfig 4,0,0
.loadi L0, 0
sfpconfig 8,0,0
sfpencc 3,10
.tile
sfpload L1,0,3,3
sfpsetcc L1,0,0
sfpabs L12,L0,1
sfpencc 3,10
sfploadmacro 0,L2,0,3,3
sfpnop
sfpnop
sfpstore L2,16,3,3

#@ question backdoor-rwc
#@ text Does a load that is captured as a template still move its address counter?
#@ about O-6 B-2
#@ rule backdoor-rwc=apply|skip
.init
.setcfg ADDR_MOD_DST_SEC0_DestIncr, 8
.tile
sfpencc 1,10
sfpload L12,0,3,0
sfpencc 3,10
sfpload L0,0,3,3
sfpstore L0,4,3,3

#@ question swap-stall
#@ text Does Wormhole hold whatever follows SFPSWAP for a cycle?
#@ about O-7
#@ rule swap-stall=always|overlap
#@ chips wh
#@ by replay
.init
sfpmad L13,L0,L0,L10,0
.loadi L0, 0x00000500
sfpconfig 4,0,0
sfpconfig 8,0x0,1
sfpnop
.loadi L0, float(3.0)
sfpload L2,2,3,3
.tile
sfploadmacro 0,L1,0,3,3
sfpswap L4,L5,0
sfpmov L2,L1,0
sfpstore L2,16,3,3

#@ question swap-tie
#@ text Do equal negative values count as out of order?
#@ about R6
#@ rule swap-tie=sign|strict
.init
sfpconfig 15,6,1
.tile
sfpload L0,0,3,3
sfpmov L1,L0,0
.loadi L4, 11
.loadi L5, 22
sfpswap L0,L1,1
sfpnop
sfpstore L4,16,4,3
sfpstore L5,18,4,3

#@ question early-read
#@ text What does a read return that comes one cycle before a product arrives, where nothing holds it?
#@ about R10 E-HAZ B-8
#@ rule early-read=old|new
#@ by replay
.tile
sfpload L0,0,3,3
sfpmov L1,L0,1
sfpmad L1,L0,L0,L10,0
sfpshft2 L0,L0,0,0
sfpnop
sfpstore L0,16,3,3
sfpstore L1,18,3,3

#@ question store-fp32
#@ text Does an FP32 store keep denormals?
#@ about R12
#@ rule store-fp32=flush|keep
#@ data bits
.tile
.loadi L0, 0x00000001
sfpstore L0,16,3,3
.loadi L0, 0x807FFFFF
sfpstore L0,18,3,3
sfpload L0,0,4,3
sfpstore L0,20,3,3

#@ question reset-flags
#@ text Are the lane flags off or on behind a reset of the unit?
#@ about R4 O-14 B-1
#@ rule reset-flags=false|true
#@ first yes
.tile
sfpload L0,0,4,3
sfpencc 0,1
sfpsetcc L0,0,0
sfpmov L0,L10,0
sfpencc 3,10
sfpstore L0,16,4,3

#@ question shift-latch
#@ text When does the latch behind SHFLSHR1 change?
#@ about O-10
#@ rule shift-latch=executed|vd12
#@ chips wh
.init
sfpconfig 15,2,1
.tile
sfpload L0,0,3,3
sfpload L1,2,3,3
sfpshft2 L2,L0,0,3
sfpnop
sfpshft2 L12,L1,0,3
sfpnop
sfpshft2 L3,L0,0,4
sfpnop
sfpstore L3,16,3,3
sfpshft2 L2,L0,0,3
sfpnop
sfpshft2 L13,L1,0,3
sfpnop
sfpshft2 L3,L0,0,4
sfpnop
sfpstore L3,18,3,3

#@ question lut16-zero
#@ text Does a 16-bit table entry with exponent 31 keep its sign when it counts as zero?
#@ about O-17
#@ rule lut16-zero=signed|positive
.tile
.loadi L0, 0xFC00FC00
.loadi L1, 0xFC00FC00
.loadi L2, 0xFC00FC00
.loadi L4, 0xFC00FC00
.loadi L5, 0xFC00FC00
.loadi L6, 0xFC00FC00
sfpload L3,0,3,3
sfplutfp32 L7,2
sfpnop
sfpstore L7,16,3,3
sfpload L3,2,3,3
sfplutfp32 L7,2
sfpnop
sfpstore L7,18,3,3

#@ question stoch-compare
#@ text Is the random number shifted to the width of the discarded bits, or are these shifted to it?
#@ about E-SR-3
#@ rule stoch-compare=isa|shifted
#@ seed 0x0BADF00D
.tile
.rept 5
sfpmov L0,L9,8
sfpshft L0,L0,8,1
sfpshft L0,L0,-19,1
sfpsetexp L0,L0,127,1
sfpstochrnd L2,L0,L0,0,0,1
sfpstore L2,0,3,3
sfpmov L0,L9,8
sfpshft L0,L0,8,1
sfpshft L0,L0,-19,1
sfpsetexp L0,L0,127,1
sfpstochrnd L2,L0,L0,0,0,1
sfpstore L2,2,3,3
.endr

#@ question dest-regw
#@ text Does DEST_REGW_BASE_Base take part in Dst addresses?
#@ about O-19 B-4 E-BASE
#@ rule dest-regw=add|absent
.tile
sfpload L0,0,3,3
.setcfg DEST_REGW_BASE_Base, 8
sfpstore L0,4,3,3
.setcfg DEST_REGW_BASE_Base, 0

#@ question sfpu-dest-fmt
#@ text Does SFPU_DEST_FMT override the format that mode 0 resolves to?
#@ about B-9
#@ rule sfpu-dest-fmt=isa|absent
#@ chips bh
.tile
ttsetc16 4,3
sfpload L0,0,0,3
sfpstore L0,16,4,3

#@ question macro-delay
#@ text Whose counters does one outstanding operation of the instruction kind hold up?
#@ about T-7 R14
#@ rule macro-delay=isa|per-unit|frozen
#@ by replay
.init
sfpmov L12,L0,1
sfpmad L13,L0,L0,L10,0
.loadi L0, 0x2B002514
sfpconfig 4,0,0
sfpconfig 8,0x103,1
sfpnop
.loadi L0, float(3.0)
sfpmov L2,L9,0
.tile
sfploadmacro 0,L1,0,3,3
ttnop
ttnop
sfpnop
ttnop
ttnop
sfpnop
ttnop
sfpmov L2,L1,0
ttnop
ttnop
sfpnop
sfpnop
sfpnop
sfpnop
sfpstore L2,16,3,3
sfpstore L1,18,3,3

#@ question macro-forget
#@ text Does a sequence byte that schedules nothing make an outstanding instruction be forgotten?
#@ about E-FORGET
#@ rule macro-forget=scheduled|always
#@ by replay
.init
sfpmov L12,L0,1
.loadi L0, 0x0000000C
sfpconfig 4,0,0
.loadi L0, 0x00000000
sfpconfig 5,0,0
sfpconfig 8,0x003,1
sfpnop
.tile
sfploadmacro 0,L1,0,3,3
sfploadmacro 1,L2,2,3,3
sfpnop
sfpnop
sfpstore L1,16,3,3

#@ question early-read-iadd
#@ text Does SFPIADD that reads a product through VD one cycle early get the old value?
#@ about R10
#@ rule early-read=old|new
#@ by replay
.tile
sfpload L0,0,3,3
sfpload L1,2,4,3
sfpload L2,4,4,3
sfpmad L1,L0,L0,L10,0
sfpiadd L1,L2,0,4
sfpnop
sfpstore L1,16,4,3

#@ question early-read-shft
#@ text Does SFPSHFT that shifts a product one cycle early shift the old value?
#@ about R10
#@ rule early-read=old|new
#@ by replay
.tile
sfpload L0,0,3,3
sfpload L1,2,4,3
.loadi L2, 3
sfpmad L1,L0,L0,L10,0
sfpshft L1,L2,0,0
sfpnop
sfpstore L1,16,4,3

#@ question early-read-config
#@ text Does SFPCONFIG that takes a product from L0 one cycle early take the old value?
#@ about R10
#@ rule early-read=old|new
#@ by replay
.tile
sfpload L0,0,3,3
sfpload L1,2,3,3
sfpmad L0,L1,L1,L10,0
sfpconfig 12,0,0
sfpnop
sfpmov L2,L12,0
sfpstore L2,16,4,3

#@ question early-read-swap
#@ text Does SFPSWAP one cycle behind a product compare the old value?
#@ about R10 B-8
#@ rule early-read=old|new
#@ by replay
.tile
sfpload L0,0,3,3
sfpload L1,2,3,3
sfpload L2,4,3,3
sfpmad L1,L0,L0,L10,0
sfpswap L2,L1,1
sfpnop
sfpnop
sfpstore L1,16,4,3
sfpstore L2,18,4,3

#@ question early-read-rotate
#@ text Does SFPSHFT2 mode 3 one cycle behind a product rotate the old value?
#@ about R10
#@ rule early-read=old|new
#@ by replay
.tile
sfpload L0,0,3,3
sfpload L1,2,3,3
sfpmad L1,L0,L0,L10,0
sfpshft2 L2,L1,0,3
sfpnop
sfpnop
sfpstore L2,16,4,3

#@ question early-read-count
#@ text Does SFPSHFT2 mode 5 one cycle behind a product take the old shift count from VB?
#@ about R10
#@ rule early-read=old|new
#@ by replay
.tile
sfpload L0,0,3,3
sfpload L1,2,4,3
sfpload L2,4,4,3
sfpmad L1,L0,L0,L10,0
TTI_SFPSHFT2(0x001, 2, 3, 5)
sfpnop
sfpstore L3,16,4,3

#@ question early-read-mov
#@ text On Wormhole nothing holds SFPMOV behind a product: does it get the old value?
#@ about R10 O-9
#@ rule early-read=old|new
#@ chips wh
#@ by replay
.tile
sfpload L0,0,3,3
sfpload L1,2,3,3
sfpmad L1,L0,L0,L10,0
sfpmov L2,L1,0
sfpnop
sfpstore L2,16,4,3
