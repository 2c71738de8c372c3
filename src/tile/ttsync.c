/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Auto TTSync of Blackhole: a T core's load or store of configuration, GPRs or TDMA-RISC waits
 * while instructions that it pushed before and that use the same resource are in the queues of its
 * thread. The reverse needs no check: stores leave the core in program order, and a push is a
 * store. Unpackers count as readers of the whole configuration (as without
 * EnSubdividedCfgForUnpacr), which may hold an access longer than hardware does. Source: isa
 * AutoTTSync (jasondavies dbbde1a); spec/tile.md 6.4.
 */
#include "front/front.h"
#include "base/check.h"
#include "scalar/unit.h"
#include "state/cfg.h"
#include "tile/tile.h"

/* Sets of resources: three parts of each of two configuration banks, then GPRs and TDMA-RISC. */
enum { PARTS = 7, BANK_PARTS = 3, ALL_CONFIG = 63 };
enum { USES_GPRS = 64, USES_TDMA = 128 };
enum { TRACK_CONFIG = 1 << 0, TRACK_GPRS = 1 << 2, TRACK_TDMA = 1 << 3 };

/* Resources of an instruction class, encoded as RESOURCEDECL declares them. */
enum {
    READS_CONFIG = 1 << 0,
    WRITES_CONFIG = 1 << 1,
    PARTS_LSB = 2,
    REST = 1 << 4,
    ALL = PARTS << PARTS_LSB,
    READS_GPRS = 1 << 5,
    WRITES_GPRS = 1 << 6,
    READS_TDMA = 1 << 7,
    WRITES_TDMA = 1 << 8,
    EVERYTHING = DECLARED_RESOURCES
};

enum { CLASSES = 16, OTHERS = 15, MOPS = 13, REPLAYS = 14, NOTHING = 16 };

static const uint16_t resources_of[CLASSES] = {
#define TTSYNC(mnemonic, class)
#define TTSYNC_CLASS(class, resources) [class] = (resources),
#include "isa/ttsync.def"
};

/* Class of each instruction, plus one; 0: it has none and belongs to OTHERS. */
static const uint8_t classes[256] = {
#define TTSYNC(mnemonic, class) [TX_INSN_##mnemonic] = 1 + (class),
#define TTSYNC_CLASS(class, resources)
#include "isa/ttsync.def"
};

/* Returns the resources that the access uses and the thread has asked to be tracked. */
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

/*
 * Returns the resources used by a class of instructions that matter to an access: those it writes,
 * and for a store also those it reads.
 */
static uint32_t class_uses(const struct tx_tensix *t, unsigned thread, unsigned class, bool write)
{
    if (class >= CLASSES) {
        return 0;
    }
    const uint16_t declared = t->m->state.front.declared[thread][class];
    const uint32_t r = (declared & DECLARED) != 0 ? declared : resources_of[class];
    const unsigned shift = BANK_PARTS * cfg_bank(&t->m->state, t->m->places, thread);
    const uint32_t reads = write ? READS_CONFIG | READS_GPRS | READS_TDMA : 0;
    const uint32_t counts = r & (reads | WRITES_CONFIG | WRITES_GPRS | WRITES_TDMA);
    uint32_t used = 0;
    if ((counts & (READS_CONFIG | WRITES_CONFIG)) != 0) {
        used |= (r >> PARTS_LSB & PARTS) << shift;
    }
    used |= (counts & (READS_GPRS | WRITES_GPRS)) != 0 ? (uint32_t)USES_GPRS : 0u;
    return used | ((counts & (READS_TDMA | WRITES_TDMA)) != 0 ? (uint32_t)USES_TDMA : 0u);
}

static uint32_t used(const struct tx_tensix *t, unsigned thread, uint32_t word, bool write)
{
    const unsigned class = classes[(unsigned)tx_insn_id_of(t->m->arch, word) & 0xFFu];
    return class_uses(t, thread, class == 0 ? OTHERS : class - 1, write);
}

/*
 * Returns the resources of the words of an expansion. Which MOP or REPLAY they come from is not
 * known, so that both classes count.
 */
static uint32_t expanded_uses(const struct tx_tensix *t, unsigned thread, bool write)
{
    return class_uses(t, thread, MOPS, write) | class_uses(t, thread, REPLAYS, write);
}

/*
 * Returns whether instructions have passed the gate and may not have written yet; they count as
 * queued.
 */
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
    CHECK(thread < TX_THREADS, "TTSYNC holds accesses of a T core");
    const struct front *f = &t->m->state.front;
    const uint32_t resources = reached(t, thread, a);
    if (resources == 0) {
        return false;
    }
    const uint32_t expansion = expanded_uses(t, thread, write) & resources;
    const bool expands = f->mop[thread].active != 0 || f->mop[thread].waiting != 0 ||
                         f->replay[thread].emitting != 0;
    if ((expands && expansion != 0) || under_way(t->m, thread)) {
        return true;
    }
    for (unsigned k = 0; k < TX_QUEUE_COUNT; k++) {
        const struct queue *q = &f->queue[thread][k];
        for (unsigned i = 0; i < q->count; i++) {
            const unsigned place = (q->head + i) % QUEUE_WORDS;
            const bool expanded = (q->counted >> place & 1u) == 0;
            if (((expanded ? expansion : used(t, thread, q->word[place], write)) & resources) !=
                0) {
                return true;
            }
        }
    }
    return false;
}
