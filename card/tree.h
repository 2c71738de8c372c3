/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The folder that stands for /dev/tenstorrent and the files around it: made by the command, or by
 * the library where it is loaded by hand, and removed when whoever made it ends, by whatever way.
 */
#ifndef TENSIX_CARD_TREE_H
#define TENSIX_CARD_TREE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CARD_CHIPS = 8, CARD_LOCKS = 64, CARD_PROCESSES = 64, CARD_TEXT = 1024 };

/* What a card is like. */
struct card_options {
    char product[32];     /* p150a, p100a, n150 ... */
    char door[CARD_TEXT]; /* a shared library with the libttsim ABI, or "" */
    unsigned chips;
    bool strict, deterministic, report, profile, timed;
    bool events; /* with profile: requests over the NoC are kept */
    bool live;   /* the command's: lines about what goes on, also where there is no terminal */
};
void card_options_default(struct card_options *options);
/* Returns false where there is no such product. */
bool card_product(const char *name, struct card_options *options);
bool card_is_wormhole(const struct card_options *options);
/* Returns the name that tx_chip_settings_default knows for the product. */
const char *card_settings_name(const struct card_options *options);

/* What a process tells of its chips. */
struct card_counts {
    uint64_t cycles, active, findings, instructions, noc, dram; /* the last two in bytes */
};

/* The file "state" of the folder, mapped by every process. */
struct card_shared {
    uint32_t magic;
    pthread_mutex_t lock; /* robust: who holds it may be killed */
    struct card_holder {
        int32_t pid;
        uint32_t object;
        uint64_t start; /* of the process, in ticks: numbers of processes come again */
    } locks[CARD_CHIPS][CARD_LOCKS];
    struct card_process {
        _Atomic int32_t pid; /* 0: free */
        int32_t reserved;
        _Atomic uint64_t cycles, active, findings, instructions, noc, dram, requests, moved;
    } process[CARD_PROCESSES];
};

/*
 * Makes the folder; its path goes to "root". A process of its own removes it when "keep", the end
 * of a pipe that is returned, is closed: at the latest when the caller is gone. -1: errno says why.
 */
int tree_make(const struct card_options *options, char *root, size_t size);
/* Reads the options of a folder and maps its state. */
struct card_shared *tree_open(const char *root, struct card_options *options);
/* Time at which a process started, or 0 if there is none. */
uint64_t tree_process_start(int32_t pid);

#endif
