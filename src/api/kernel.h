/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel as the engines see it. */
#ifndef TX_API_KERNEL_H
#define TX_API_KERNEL_H

#include <tensix/formats.h>
#include <tensix/kernel.h>

#include "state/machine.h"

struct tx_kernel {
    tx_machine *machine;
    const struct tx_program *program;
    struct tx_kernel_options options;
    struct tx_state start; /* after .init */
    uint32_t *words;       /* a threaded program's, by section and thread */
    struct tx_stream streams[TX_SECTIONS][TX_THREADS];
    bool started;
};

enum tx_format kernel_format(enum tx_dst_format format);
/* Physical Dst row of a row of a tile, under the state's address switches as thread 0 sees them. */
unsigned kernel_row(const tx_machine *m, const struct tx_state *s, unsigned tile, unsigned row,
                    enum tx_dst_format format);

#endif
