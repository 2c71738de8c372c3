/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blackhole's interrupt controller for the cores B and NC: 32 software interrupts. An interrupt is
 * raised by storing a word other than 0 to its register and is over when the register is read.
 * Hardware interrupts are never raised here. Source: isa PIC (jasondavies 136c7b2); spec/tile.md
 * 3.1.
 */
#include "tile/tile.h"

enum {
    PIC_BASE = REGION_BASE_PIC,
    ENABLE = PIC_ENABLE_B, /* word offsets, here of B; those of NC are CORE_STEP further on */
    ENABLE_HARD = 1,
    NUMBER = 2,
    CORE_STEP = PIC_ENABLE_NC,
    SOFT = 6,
    HARD = 38,
    SOFT_PC = 42,
    SOFT_COUNT = 32
};

static enum riscv_answer pic_load(struct tx_tensix *t, unsigned who, struct riscv_access *a)
{
    const uint32_t word = (a->address - PIC_BASE) / 4;
    (void)who;
    a->value = t->s.pic[word];
    if (word >= SOFT && word < HARD && !t->looking) {
        t->s.pic[word] = 0;
    }
    return RISCV_DONE;
}

static enum riscv_answer pic_store(struct tx_tensix *t, unsigned who, const struct riscv_access *a)
{
    const uint32_t word = (a->address - PIC_BASE) / 4;
    if (word == NUMBER || word == NUMBER + CORE_STEP || (word >= HARD && word < SOFT_PC)) {
        tile_finding(t, who, TX_UNDEFINED_BEHAVIOR, EVIDENCE_TILE_READONLY,
                     "a store to %08x of the interrupt controller, which can only be read; dropped",
                     (unsigned)a->address);
        return RISCV_DONE;
    }
    if ((word == ENABLE_HARD || word == ENABLE_HARD + CORE_STEP) && a->value != 0) {
        tile_finding(t, who, TX_UNSUPPORTED, EVIDENCE_TILE_PART,
                     "interrupts of hardware are not modelled: none is ever raised");
    }
    t->s.pic[word] = a->value;
    return RISCV_DONE;
}

const struct tile_page tile_pic = {pic_load, pic_store};

/*
 * Returns the next interrupt that is raised and enabled, in turn after the last one served, or
 * SOFT_COUNT if there is none.
 */
static unsigned next(const struct tx_tensix *t, uint32_t enabled, unsigned last)
{
    for (unsigned i = 1; i <= SOFT_COUNT; i++) {
        const unsigned n = (last + i) % SOFT_COUNT;
        if ((enabled >> n & 1u) != 0 && t->s.pic[SOFT + n] != 0) {
            return n;
        }
    }
    return SOFT_COUNT;
}

/*
 * Makes B and NC enter the handler of a raised interrupt, between two instructions. The latency of
 * hardware is not known.
 */
void tile_interrupt(struct tx_tensix *t)
{
    for (unsigned i = 0; i < 2; i++) {
        struct riscv *core = &t->core[i == 0 ? RISCV_B : RISCV_NC];
        const uint32_t *pic = t->s.pic + CORE_STEP * i;
        if (pic[ENABLE] == 0 || core->s.phase != RISCV_RUNS || core->s.handling != 0) {
            continue;
        }
        const unsigned n = next(t, pic[ENABLE], pic[NUMBER]);
        if (n < SOFT_COUNT) {
            t->s.pic[CORE_STEP * i + NUMBER] = n;
            riscv_interrupt(core, t->s.pic[SOFT_PC + n]);
        }
    }
}
