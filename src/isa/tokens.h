/* SPDX-License-Identifier: Apache-2.0 */
/* Abbreviations that isa.def uses, for the files that expand it. To be included last. */
#ifndef TX_ISA_TOKENS_H
#define TX_ISA_TOKENS_H

#include "isa/chip.h"

#define WH CHIPS_WH
#define BH CHIPS_BH
#define BOTH (WH | BH)
#define ANY 0xFFFFu

#define L0 TX_SET(L0)
#define L1 TX_SET(L1)
#define L2 TX_SET(L2)
#define L3 TX_SET(L3)
#define L4 TX_SET(L4)
#define L5 TX_SET(L5)
#define L6 TX_SET(L6)
#define L7 TX_SET(L7)
#define L0_3 SET_L0_3
#define L0_7 SET_L0_7
#define VA TX_SET(VA)
#define VB TX_SET(VB)
#define VC TX_SET(VC)
#define VD TX_SET(VD)
#define VAX TX_SET(VAX)
#define L7X TX_SET(L7X)
#define VDX TX_SET(VDX)
#define LUT32 TX_SET(LUT32)
#define IDX TX_SET(IDX)
#define SAME SET_SAME
#define DST TX_SET(DST)
#define RWC TX_SET(RWC)
#define CFG TX_SET(CFG)
#define FLAGS TX_SET(FLAGS)
#define STACK TX_SET(STACK)
#define LF TX_SET(LF)
#define LF8 TX_SET(LF8)
#define USE TX_SET(USE)
#define PRNG TX_SET(PRNG)
#define LATCH TX_SET(LATCH)
#define MACRO TX_SET(MACRO)
#define L0CFG TX_SET(L0CFG)
#define G_OPA TX_SET(G_OPA)
#define G_OPB TX_SET(G_OPB)
#define G_RES TX_SET(G_RES)
#define G_GPR TX_SET(G_GPR)
#define G_DATA TX_SET(G_DATA)
#define G_ADDR TX_SET(G_ADDR)
#define G_OFFSET TX_SET(G_OFFSET)
#define MEMORY TX_SET(MEMORY)
#define MMIO TX_SET(MMIO)
#define SRC TX_SET(SRC)
#define ADC TX_SET(ADC)
#define PACKER TX_SET(PACKER)
#define SEMAPHORES TX_SET(SEMAPHORES)
#define MUTEX TX_SET(MUTEX)
#define BUSY TX_SET(BUSY)
#define EXPANDER TX_SET(EXPANDER)
#define SRCA TX_SET(SRCA)
#define SRCB TX_SET(SRCB)
#define BANKS TX_SET(BANKS)

#endif
