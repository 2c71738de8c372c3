/* SPDX-License-Identifier: Apache-2.0 */
/* Which LRegs an instruction's register fields name. */
#ifndef LAB_FLOW_OPERANDS_H
#define LAB_FLOW_OPERANDS_H

#include <tensix/isa.h>
#include <tensix/machine.h>

/* Of VA to VD in a set of a row; VAX counts as VA, whatever L7 names. Bit n: Ln. */
static inline uint32_t flow_named(uint64_t set, const struct tx_operands *o)
{
    uint32_t lregs = 0;
    lregs |= (set & (TX_SET(VA) | TX_SET(VAX))) != 0 ? UINT32_C(1) << o->va : 0;
    lregs |= (set & TX_SET(VB)) != 0 ? UINT32_C(1) << o->vb : 0;
    lregs |= (set & TX_SET(VC)) != 0 ? UINT32_C(1) << o->vc : 0;
    lregs |= (set & TX_SET(VD)) != 0 ? UINT32_C(1) << o->vd : 0;
    return lregs;
}

/* L0..L7 that every instruction of a row touches, as SFPLUT reads L0..L3. Bit n: Ln. */
static inline uint32_t flow_fixed(uint64_t set)
{
    return (uint32_t)(set & 0xFF);
}

#endif
