/* SPDX-License-Identifier: Apache-2.0 */
/* Which word of a program an issued one is, as its threads go along it. */
#ifndef LAB_KERNEL_FOLLOW_H
#define LAB_KERNEL_FOLLOW_H

#include <tensix/tensix.h>

struct follow {
    const struct tx_program *program;
    unsigned section;
    size_t next[TX_THREADS + 1]; /* per thread: the word of the section that is issued next */
};

/* From the beginning of a section. */
struct follow follow_section(const struct tx_program *program, unsigned section);
/*
 * The index of an issued word in the section; SIZE_MAX: it came out of an expander. go: the thread
 * goes on behind it; otherwise the word only waits.
 */
size_t follow_word(struct follow *follow, unsigned thread, uint32_t word, bool go);

#endif
