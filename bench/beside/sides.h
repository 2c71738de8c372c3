/* SPDX-License-Identifier: Apache-2.0 */
/* A machine and another simulator's tile: the same state on both, and what differs afterwards. */
#ifndef BENCH_SIDES_H
#define BENCH_SIDES_H

#include "beside.h"

#include <tensix/machine.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A register file as both sides know it. */
struct side_file {
    const char *name;
    enum tx_file file;
    unsigned entries, values;
    bool skips_zero; /* the other tile begins with zeros and refuses some registers */
};

static const struct side_file side_files[] = {
    {"L", TX_FILE_LREG, 16, 32, false},
    {"lane flags", TX_FILE_LANE_FLAGS, 1, 1, false},
    {"use of lane flags", TX_FILE_USE_LANE_FLAGS, 1, 1, false},
    {"flag stack", TX_FILE_FLAG_STACK, 8, 2, false},
    {"stack depth", TX_FILE_STACK_DEPTH, 1, 32, false},
    {"PRNG", TX_FILE_PRNG, 1, 32, false},
    {"LaneConfig", TX_FILE_LANE_CONFIG, 1, 8, false},
    {"template", TX_FILE_MACRO_TEMPLATE, 4, 32, false},
    {"sequence", TX_FILE_MACRO_SEQUENCE, 4, 32, false},
    {"Misc", TX_FILE_MACRO_MISC, 1, 32, false},
    {"Dst", TX_FILE_DST, 1024, 16, false},
    {"valid flag of Dst", TX_FILE_DST_VALID, 1024, 1, false},
    {"RWC of thread", TX_FILE_RWC, TX_THREADS, TX_RWC_COUNT, false},
    {"configuration", TX_FILE_CONFIG, 512, 1, true},
    {"thread configuration", TX_FILE_THREAD_CONFIG, 128 * TX_THREADS, 1, true},
    {"GPR", TX_FILE_GPR, 64 * TX_THREADS, 1, false},
    {"semaphore", TX_FILE_SEMAPHORE, 8, 2, false},
    {"mutex", TX_FILE_MUTEX, 8, 1, false},
    {"banks of Src", TX_FILE_SRC_BANK, 2, 4, false},
    {"Src", TX_FILE_SRC, 256, 16, false},
    {"formats of Src", TX_FILE_SRC_FORMAT, 2, 2, false},
    {"ADC", TX_FILE_ADC, 3 * TX_THREADS, TX_ADC_VALUES, false},
};
enum { SIDE_FILES = sizeof side_files / sizeof *side_files };

#define SIDE(file) (UINT64_C(1) << (file))

static inline bool side_get(const tx_machine *m, const struct side_file *f, unsigned index,
                            uint32_t *v)
{
    return tx_read(m, f->file, index, v, f->values) == TX_OK;
}

/* The state of the machine in these files is then that of the other tile, as far as it has them. */
static inline void sides_copy(const tx_machine *m, const struct beside *other, uint64_t files)
{
    uint32_t v[32];
    for (unsigned i = 0; i < SIDE_FILES; i++) {
        const struct side_file *f = &side_files[i];
        for (unsigned k = 0; (files & SIDE(f->file)) != 0 && k < f->entries; k++) {
            if (side_get(m, f, k, v) && (!f->skips_zero || v[0] != 0)) {
                (void)other->put(f->file, k, v);
            }
        }
    }
}

/* Where two sides differ. */
struct side_place {
    const struct side_file *file; /* NULL: L1 */
    unsigned index, value;
    uint32_t here, there;
};

/* In files of "subset" it is no difference that the other tile has fewer bits set. */
static inline bool sides_differ(const tx_machine *m, const struct beside *other, uint64_t files,
                                uint64_t subset, struct side_place *place)
{
    uint32_t v[32] = {0};
    uint32_t w[32] = {0};
    for (unsigned i = 0; i < SIDE_FILES; i++) {
        const struct side_file *f = &side_files[i];
        for (unsigned k = 0; (files & SIDE(f->file)) != 0 && k < f->entries; k++) {
            if (!side_get(m, f, k, v) || !other->get(f->file, k, w)) {
                continue; /* only one of them has it */
            }
            for (unsigned n = 0; memcmp(v, w, f->values * sizeof *v) != 0 && n < f->values; n++) {
                if (v[n] != w[n] && ((subset & SIDE(f->file)) == 0 || (w[n] & ~v[n]) != 0)) {
                    *place = (struct side_place){f, k, n, v[n], w[n]};
                    return true;
                }
            }
        }
    }
    return false;
}

/* In words. */
static inline const char *side_place_text(const struct side_place *p, char text[120])
{
    if (p->file == NULL) {
        snprintf(text, 120, "L1 at %x: %02x, there %02x", p->index, p->here, p->there);
    } else if (p->file->file == TX_FILE_SRC) {
        snprintf(text, 120, "Src%c bank %u row %u column %u: %05x, there %05x",
                 p->index < 128 ? 'A' : 'B', p->index / 64 % 2, p->index % 64, p->value, p->here,
                 p->there);
    } else {
        snprintf(text, 120, "%s %u, value %u: %x, there %x", p->file->name, p->index, p->value,
                 p->here, p->there);
    }
    return text;
}

#endif
