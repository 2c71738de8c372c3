/* SPDX-License-Identifier: Apache-2.0 */
/* The short words of isa.def, for the files that expand it. Include last. */
#ifndef TX_ISA_TOKENS_H
#define TX_ISA_TOKENS_H

#define WH (1u << TX_WORMHOLE)
#define BH (1u << TX_BLACKHOLE)
#define BOTH (WH | BH)
#define ANY 0xFFFFu

#define L0 SET_LREG(0)
#define L1 SET_LREG(1)
#define L2 SET_LREG(2)
#define L3 SET_LREG(3)
#define L4 SET_LREG(4)
#define L5 SET_LREG(5)
#define L6 SET_LREG(6)
#define L7 SET_LREG(7)
#define L0_3 SET_L0_3
#define L0_7 SET_L0_7
#define VA SET_VA
#define VB SET_VB
#define VC SET_VC
#define VD SET_VD
#define VAX SET_VAX
#define L7X SET_L7X
#define VDX SET_VDX
#define LUT32 SET_LUT32
#define IDX SET_IDX
#define SAME SET_SAME
#define DST SET_DST
#define RWC SET_RWC
#define CFG SET_CFG
#define FLAGS SET_FLAGS
#define STACK SET_STACK
#define LF SET_LF
#define LF8 SET_LF8
#define USE SET_USE
#define PRNG SET_PRNG
#define LATCH SET_LATCH
#define MACRO SET_MACRO
#define L0CFG SET_L0CFG
#define G_OPA SET_G_OPA
#define G_OPB SET_G_OPB
#define G_RES SET_G_RES
#define G_GPR SET_G_GPR
#define G_DATA SET_G_DATA
#define G_ADDR SET_G_ADDR
#define G_OFFSET SET_G_OFFSET
#define MEMORY SET_MEMORY
#define MMIO SET_MMIO
#define SRC SET_SRC
#define ADC SET_ADC
#define PACKER SET_PACKER
#define SEMAPHORES SET_SEMAPHORES
#define MUTEX SET_MUTEX
#define BUSY SET_BUSY
#define EXPANDER SET_EXPANDER
#define SRCA SET_SRCA
#define SRCB SET_SRCB
#define BANKS SET_BANKS

#endif
