/* SPDX-License-Identifier: Apache-2.0 */
/* Finds which word of a program an issued word is, by following its threads. */
#ifndef LAB_KERNEL_FOLLOW_H
#define LAB_KERNEL_FOLLOW_H

#include <tensix/tensix.h>

struct follow {
    const struct tx_program *program;
    unsigned section;
    size_t next[TX_THREADS + 1]; /* for each thread the word of the section that is issued next */
};

/* Tells whether a word expands into others and is not itself issued. */
bool follow_expands(enum tx_arch arch, uint32_t word);
/* Returns the state at the beginning of a section. */
struct follow follow_section(const struct tx_program *program, unsigned section);
/*
 * Returns the index in the section of an issued word, or SIZE_MAX when it came from an expander.
 * go: the thread continues behind the word; otherwise the word only waits.
 */
size_t follow_word(struct follow *follow, unsigned thread, uint32_t word, bool go);

#endif
