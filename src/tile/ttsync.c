/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Auto TTSync of Blackhole: a T core's load or store of configuration, GPRs or TDMA-RISC waits for
 * words that the core pushed before it, while those are in the queues of its thread. The other way
 * needs nothing: stores leave in program order, and a push is one. Unpackers count as readers of
 * the whole configuration (as without EnSubdividedCfgForUnpacr), which may hold an access longer
 * than hardware does. Source: isa AutoTTSync (jasondavies dbbde1a); spec/tile.md 6.4.
 */
#include "front/front.h"
#include "scalar/unit.h"
#include "state/cfg.h"
#include "tile/tile.h"

/* Resources: three parts of each of two banks, GPRs, TDMA-RISC. */
enum { PARTS = 7, REST_PART = 4, BANK_PARTS = 3, ALL_CONFIG = 63 };
enum { USES_GPRS = 64, USES_TDMA = 128 };
enum { TRACK_CONFIG = 1 << 0, TRACK_GPRS = 1 << 2, TRACK_TDMA = 1 << 3 };

struct uses {
    uint8_t known, reads, writes; /* of bank 0, where it is configuration */
};

static const struct uses table[256] = {
#define GPRS USES_GPRS
#define TDMA USES_TDMA
#define CONFIG PARTS
#define REST REST_PART
#define TTSYNC(mnemonic, reads, writes) [TX_INSN_##mnemonic] = {1, reads, writes},
#include "isa/ttsync.def"
};

/* What the core reaches, of what its thread tracks. */
static uint32_t reached(const struct tx_tensix *t, unsigned thread, const struct riscv_access *a)
{
    const uint32_t tracks = t->m->state.thread_config[thread][TILE_TTSYNC_WORD];
    const uint32_t bank = 4u * t->m->places->words;
    const uint32_t offset = a->address - REGION_BASE_CONFIG;
    switch (a->region) {
    case REGION_GPRS_T:
        return (tracks & TRACK_GPRS) != 0 ? (uint32_t)USES_GPRS : 0u;
    case REGION_TDMA_BH:
        return (tracks & TRACK_TDMA) != 0 ? (uint32_t)USES_TDMA : 0u;
    case REGION_CONFIG:
        if ((tracks & TRACK_CONFIG) == 0) {
            return 0;
        }
        return offset < 2 * bank && offset % bank / 4 < t->m->places->global
                   ? (uint32_t)PARTS << BANK_PARTS * (offset / bank)
                   : (uint32_t)ALL_CONFIG;
    default:
        return 0;
    }
}

/* What a word uses that matters to a load (what it writes) or to a store. */
static uint32_t used(const struct tx_tensix *t, unsigned thread, uint32_t word, bool write)
{
    const struct uses *row = &table[(unsigned)tx_insn_id_of(t->m->arch, word) & 0xFFu];
    const unsigned shift = BANK_PARTS * cfg_bank(&t->m->state, t->m->places, thread);
    const uint32_t reads = row->known != 0 ? row->reads : (uint32_t)REST_PART;
    const uint32_t writes = row->writes;
    const uint32_t both = write ? reads | writes : writes;
    return (both & (uint32_t)PARTS) << shift | (both & ~(uint32_t)PARTS);
}

/* Words that have passed the gate and have not written yet: as if they stood before it still. */
static bool under_way(const struct tx_machine *m, unsigned thread)
{
    const struct units *u = &m->state.units;
    return u->config_writes != 0 || (u->scalar.live != 0 && u->scalar.op.thread == thread) ||
           condition_busy(m, thread, TX_CONDITION_CONFIG) ||
           condition_busy(m, thread, TX_CONDITION_MEMORY);
}

bool tile_ttsync_holds(const struct tx_tensix *t, unsigned thread, const struct riscv_access *a,
                       bool write)
{
    const struct front *f = &t->m->state.front;
    const uint32_t resources = reached(t, thread, a);
    if (resources == 0) {
        return false;
    }
    if (f->mop[thread].active != 0 || f->mop[thread].waiting != 0 ||
        f->replay[thread].emitting != 0 || under_way(t->m, thread)) {
        return true; /* an expansion uses everything */
    }
    for (unsigned k = 0; k < TX_QUEUE_COUNT; k++) {
        const struct queue *q = &f->queue[thread][k];
        for (unsigned i = 0; i < q->count; i++) {
            const unsigned place = (q->head + i) % QUEUE_WORDS;
            const bool expanded = (q->counted >> place & 1u) == 0;
            if (expanded || (used(t, thread, q->word[place], write) & resources) != 0) {
                return true;
            }
        }
    }
    return false;
}
