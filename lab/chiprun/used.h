/* SPDX-License-Identifier: Apache-2.0 */
/* Launches on a chip that somebody else drives: what is watched, and what is run again. */
#ifndef LAB_CHIPRUN_USED_H
#define LAB_CHIPRUN_USED_H

#include "chiprun/profiled.h"

#include <tensix-lab/card.h>

struct used_write {
    uint64_t cycle; /* of the chip */
    uint64_t offset;
    uint32_t at, size; /* in the bytes of all */
    unsigned bar;
};

/* The chip and its host as a launch begins, and what the host wrote since. */
struct used_before {
    void *chip, *host; /* NULL: nothing is kept */
    size_t chip_size, host_size;
    struct used_write *write;
    size_t writes, room;
    uint8_t *bytes;
    size_t byte_count, byte_room;
    bool failed;
};

/* A launch that runs. */
struct used_now {
    struct chiprun_profile *record; /* NULL: this place is free */
    unsigned number, running;       /* tiles */
    uint64_t kernels;
    uint32_t go[CHIPRUN_TILES];    /* by part; 0 has been seen to end */
    uint64_t begun[CHIPRUN_TILES]; /* cycles of the launch */
    uint64_t ended[CHIPRUN_TILES];
    uint64_t memory;       /* of its tiles at its end */
    bool cut;              /* it is watched no more, though it runs on */
    const char *not_again; /* why it is not run again */
    struct used_before before;
};

enum { USED_GO = 0x80, USED_GO_BYTE = 3 /* of the word that lets a tile go */ };

/* used_again.c */
bool used_keep(const struct txl_card_host *host, struct used_before *before);
void used_note(struct used_before *before, uint64_t cycle, unsigned bar, uint64_t offset,
               const void *bytes, size_t size);
void used_forget(struct used_before *before);
uint64_t used_memory(const struct used_now *now, const tx_chip *chip);
/* Runs a launch whose record is complete again. TXL_CONTINUE, or an error. */
int used_again(struct txl_error *err, const struct txl_card_host *host, struct used_now *now);

#endif
