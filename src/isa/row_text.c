/* SPDX-License-Identifier: Apache-2.0 */
/* What a behaviour reads and writes, in words. */
#include "isa/row.h"

#include <string.h>

/* Bits with one meaning; operands and fixed registers are put by the functions below. */
static const struct {
    uint64_t bit;
    const char *text;
} words[] = {
    {SET_VAX, "VA or L7 and L[L7]"},
    {SET_VDX, "VD or L[L7]"},
    {SET_L7X, "L7 with mode bit 3"},
    {SET_L0CFG, "L0 unless immediate"},
    {SET_LUT32, "L0 to L6, or all where it is indirect"},
    {SET_IDX, "index registers"},
    {SET_DST, "Dst"},
    {SET_RWC, "RWCs"},
    {SET_CFG, "configuration"},
    {SET_FLAGS, "lane flags"},
    {SET_LF, "lane flags"},
    {SET_LF8, "lane flags where VD < 8"},
    {SET_USE, "UseLaneFlags"},
    {SET_STACK, "flag stack"},
    {SET_PRNG, "random generator"},
    {SET_LATCH, "shift latch"},
    {SET_MACRO, "scheduled instructions"},
    {SET_G_OPA, "GPR of operand A"},
    {SET_G_OPB, "GPR of operand B"},
    {SET_G_RES, "GPR of the result"},
    {SET_G_GPR, "GPRs"},
    {SET_G_DATA, "GPRs of the data"},
    {SET_G_ADDR, "GPR of the address"},
    {SET_G_OFFSET, "half GPR of the offset"},
    {SET_MEMORY, "L1"},
    {SET_MMIO, "memory-mapped registers"},
    {SET_SRC, "SrcA or SrcB"},
    {SET_ADC, "address counters"},
    {SET_PACKER, "packer state"},
    {SET_SEMAPHORES, "semaphores"},
    {SET_MUTEX, "mutex"},
    {SET_BUSY, "what units are busy with"},
    {SET_EXPANDER, "expander"},
    {SET_SRCA, "SrcA"},
    {SET_SRCB, "SrcB"},
    {SET_BANKS, "owners of the Src banks"},
};

struct writer {
    char *p;
    size_t room;
    bool any, full;
};

static void put(struct writer *w, const char *text)
{
    const char *before = w->any ? ", " : "";
    const size_t length = strlen(before) + strlen(text);
    w->any = true;
    if (length >= w->room) {
        w->full = true;
        return;
    }
    memcpy(w->p, before, strlen(before));
    memcpy(w->p + strlen(before), text, strlen(text) + 1);
    w->p += length;
    w->room -= length;
}

/* VB and VC that the encoding implies are other operands; belief is about encoded fields. */
static void put_operands(struct writer *w, const struct isa_row *row, uint64_t set, bool belief)
{
    uint64_t named = set & (SET_VA | SET_VB | SET_VC | SET_VD);
    if ((named & SET_VB) != 0 && row->implied == IMPLIED_VB_VD && !belief) {
        named = (named & ~SET_VB) | SET_VD;
    }
    if ((named & SET_VC) != 0 && row->implied == IMPLIED_VC_VD) {
        named = (named & ~SET_VC) | SET_VD;
    }
    if ((named & SET_VA) != 0) {
        put(w, "VA");
    }
    if ((named & SET_VB) != 0) {
        const bool field = isa_layout(row, FLD_VB).width != 0;
        put(w, row->implied == IMPLIED_VB_IMM ? "L[imm & 15]" : field ? "VB" : "bits 15:12");
    }
    if ((named & SET_VC) != 0) {
        put(w, isa_layout(row, FLD_VC).width != 0 ? "VC" : "bits 11:8");
    }
    /* VDX says VD, too */
    if ((named & SET_VD) != 0 && (set & SET_VDX) == 0) {
        put(w, "VD");
    }
}

static void put_registers(struct writer *w, uint64_t set)
{
    for (unsigned i = 0; i < 17; i++) {
        if ((set & SET_LREG(i)) != 0) {
            put(w, (char[]){'L', (char)(i < 10 ? '0' + i : '1'),
                            (char)(i < 10 ? '\0' : '0' + i - 10), '\0'});
        }
    }
}

enum tx_status tx_row_text(const struct tx_row *row, enum tx_row_set which, char *text, size_t size)
{
    struct writer w = {text, size, false, false};
    if (row == NULL || text == NULL || size == 0) {
        return TX_EINVAL;
    }
    const struct isa_row *whole = (const struct isa_row *)(const void *)row; /* its first member */
    const uint64_t set = which == TX_ROW_READS    ? whole->reads
                         : which == TX_ROW_WRITES ? whole->writes
                                                  : whole->belief;
    put_operands(&w, whole, set, which == TX_ROW_BELIEF && row->belief != NULL);
    put_registers(&w, set);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if ((set & words[i].bit) != 0) {
            put(&w, words[i].text);
        }
    }
    if (!w.any) {
        put(&w, "nothing");
    }
    return w.full ? TX_EINVAL : TX_OK;
}
