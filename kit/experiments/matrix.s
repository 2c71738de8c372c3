# SPDX-License-Identifier: Apache-2.0
# Experiments about the Matrix Unit; vector.s says how they are written.

#@ question src-truncate
#@ text Which bits of a cell of SrcB does the Matrix Unit drop on the way out?
#@ about M1
#@ rule src-truncate=isa|both
#@ chips bh
.init
.setcfg ALU_FORMAT_SPEC_REG0_SrcA, 4
.setcfg ALU_FORMAT_SPEC_REG1_SrcB, 5
.setcfg ALU_ACC_CTRL_Fp32_enabled, 1
.setcfg DISABLE_IMPLIED_SRCA_FMT_Base, 1
.setcfg DISABLE_IMPLIED_SRCB_FMT_Base, 1
.tile
ttsetdvalid 3
ttmovd2b 0,0,0,2,0
ttmovb2a 0,0,2,0
ttmova2d 0,0,0,2,16

#@ question mov-low-valid
#@ text Which row does a move to the low half of 32-bit Dst make valid?
#@ about M2
#@ rule mov-low-valid=both|high
.tile
.if BLACKHOLE
ttzeroacc 0,0,0,0,8
.else
ttzeroacc 0,0,8
.endif
ttsetdvalid 3
ttmova2d 1,0,0,0,8
ttnop
ttnop
ttnop
ttnop
sfpload L0,8,2,3
sfpstore L0,32,2,3

#@ question mov-fp32
#@ text Does a move of BF16 data go to 32-bit Dst as TF32, or by its format?
#@ about M3
#@ rule mov-fp32=tf32|format
#@ chips bh
.init
.setcfg ALU_ACC_CTRL_Fp32_enabled, 1
.setcfg ALU_FORMAT_SPEC_REG0_SrcA, 5
.setcfg DISABLE_IMPLIED_SRCA_FMT_Base, 1
.setcfg DISABLE_IMPLIED_SRCB_FMT_Base, 1
.tile
ttsetdvalid 3
ttmovd2a 0,0,0,2,0
ttmova2d 0,0,0,2,8

#@ question movd2b-format
#@ text Which switch keeps MOVD2B from the implied format: that of SrcA, or of SrcB?
#@ about M4
#@ rule movd2b-format=srca|srcb
#@ chips bh
.init
.setcfg DISABLE_IMPLIED_SRCA_FMT_Base, 1
.setcfg ALU_FORMAT_SPEC_REG0_SrcA, 1
.tile
ttsetdvalid 3
ttmovd2b 0,0,0,2,0
ttmovb2d 0,0,0,4,16

#@ question implied-unowned
#@ text Which implied format has a bank that the Matrix Unit does not own?
#@ about M6
#@ rule implied-unowned=dest-fmt|recorded
#@ chips bh
.init
.setcfg SFPU_DEST_FMT_Base, 1
.tile
ttmovd2a 0,0,0,2,0
ttsetdvalid 3
ttmova2d 0,0,0,2,16

#@ question zero-flag-math
#@ text What becomes of a factor with exponent 0 under Zero_Flag_disabled_src?
#@ about M7
#@ rule zero-flag-math=keep|flush
.init
.setcfg ALU_ACC_CTRL_Zero_Flag_disabled_src, 1
.tile
sfploadi L1,0x5500,2
sfpstore L1,0,6,3
sfpstore L1,2,6,3
sfpstore L1,4,6,3
sfpstore L1,6,6,3
sfploadi L1,0x00C0,2
sfpstore L1,8,6,3
sfpstore L1,10,6,3
sfpstore L1,12,6,3
sfpstore L1,14,6,3
ttstallwait 0x40,0x4000
ttnop
ttnop
ttnop
ttmovd2b 0,0,0,2,0
ttmovd2b 0,4,0,2,4
ttmovd2a 0,0,0,2,8
ttmovd2a 0,4,0,2,12
ttsetdvalid 3
.if BLACKHOLE
ttzeroacc 3,0,0,0,0
.else
ttzeroacc 3,0,0
.endif
ttelwmul 0,0,0,0,0

#@ question elw-phase
#@ text Does a fidelity phase divide the sum of ELWADD?
#@ about M9
#@ rule elw-phase=divide|ignore
.init
.setcfg FIDELITY_BASE_Phase, 1
.tile
ttmovd2b 0,0,0,2,0
ttmovd2a 0,0,0,2,8
ttsetdvalid 3
ttelwadd 0,0,0,0,16

#@ question movd2x-low
#@ text What does a move from the low half of 32-bit Dst bring into SrcB as TF32?
#@ about M12
#@ rule movd2x-low=half|zeros
#@ chips bh
.init
.setcfg ALU_ACC_CTRL_Fp32_enabled, 1
.setcfg ALU_FORMAT_SPEC_REG0_SrcA, 4
.setcfg DISABLE_IMPLIED_SRCA_FMT_Base, 1
.setcfg DISABLE_IMPLIED_SRCB_FMT_Base, 1
.tile
ttmovd2b 1,0,0,2,0
ttsetdvalid 3
ttmovb2d 0,0,0,4,16

#@ question matrix-dst-rows
#@ text Do the address switches of DEST_ACCESS_CFG apply to the Matrix Unit?
#@ about M17
#@ rule matrix-dst-rows=adjusted|plain
#@ chips bh
.init
.setcfg DEST_ACCESS_CFG_remap_addrs, 1
.setcfg DISABLE_IMPLIED_SRCA_FMT_Base, 1
.setcfg DISABLE_IMPLIED_SRCB_FMT_Base, 1
.tile
ttsetdvalid 3
ttmova2d 0,0,0,2,8

#@ question matrix-bits
#@ text Does bit 4 of SETRWC's mask set the stack pointer?
#@ about M20
#@ rule matrix-bits=used|ignored
#@ chips bh
.tile
ttsetrwc 0,0,0,0,2,16
sfpload L0,0,3,3
ttsetrwc 0,0,0,0,0,16
sfpstore L0,4,3,3
