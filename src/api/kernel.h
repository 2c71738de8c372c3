/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel in execution, as the engines share it. */
#ifndef TX_API_KERNEL_H
#define TX_API_KERNEL_H

#include <tensix/formats.h>
#include <tensix/kernel.h>

#include "front/span.h"
#include "state/machine.h"

/* A section that is executed cycle by cycle. */
struct kernel_walk {
    bool inside;
    unsigned section;
    size_t next[TX_THREADS]; /* number of words of each thread that have been presented and taken */
    uint64_t cycles;
    struct span span;
};

struct tx_kernel {
    tx_machine *machine;
    const struct tx_program *program;
    struct tx_kernel_options options;
    struct tx_state start; /* the state after .init */
    uint32_t *words;       /* the words of a threaded program, by section and thread */
    struct tx_stream streams[TX_SECTIONS][TX_THREADS];
    bool started;
    struct kernel_walk walk;
};

/*
 * Prepares and completes a section: before the first word of .init, after the last word of .init,
 * and after the last word of .tile.
 */
void kernel_init_begin(struct tx_kernel *k);
enum tx_status kernel_init_end(struct tx_kernel *k, enum tx_status status);
enum tx_status kernel_tile_end(struct tx_kernel *k, enum tx_status status);

/*
 * Returns the physical row of Dst for a row of a tile, with the address switches of the state as
 * thread 0 sees them.
 */
unsigned kernel_row(const tx_machine *m, const struct tx_state *s, unsigned tile, unsigned row,
                    enum tx_dst_format format);

#endif
