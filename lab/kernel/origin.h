/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds where a word at a thread's gate comes from. Words pass in the order in which they were
 * given to the thread, except for those that the Replay and MOP Expanders generate. Words of a MOP
 * have the MOP's place, replayed words that of their recording.
 */
#ifndef LAB_KERNEL_ORIGIN_H
#define LAB_KERNEL_ORIGIN_H

#include <tensix/tensix.h>

enum { ORIGIN_NONE = UINT32_MAX, ORIGIN_SLOTS = 32 };

/* State of a thread's expanders. Starts as zero, with mop = ORIGIN_NONE. */
struct origin_thread {
    uint32_t slot[ORIGIN_SLOTS],
        slot_word[ORIGIN_SLOTS]; /* contents of the replay buffer: place and word */
    unsigned play, left;         /* next slot to play, and how many remain */
    unsigned record, recording;  /* next one to record, and how many remain */
    uint32_t mop, *mop_words;    /* of the MOP being expanded: its place, and its words */
    size_t mop_count, mop_next, mop_room;
    uint32_t mop_mask; /* set by MOP_CFG */
};

struct origin {
    enum tx_arch arch;
    bool failed; /* out of memory: places are missing */
    /* Takes the next word given to a thread, and its place, a number chosen by the caller. Returns
     * false where there is none. */
    bool (*next)(void *user, unsigned thread, uint32_t *word, uint32_t *place);
    /* Reads the MopCfg that holds for the word which next took last. */
    void (*mop)(void *user, unsigned thread, uint32_t cfg[9]);
    void *user;
};

/* Returns the place of a word that has passed the gate, ORIGIN_NONE where it is unknown. */
uint32_t origin_of(struct origin *o, struct origin_thread *s, unsigned thread, uint32_t word);
/* Frees what the state holds; it may be used again as zero. */
void origin_free(struct origin_thread *s);

#endif
