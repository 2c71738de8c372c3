/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of hex words as 'tensix asm' writes them and as people have them. */
#ifndef LAB_KERNEL_WORDS_H
#define LAB_KERNEL_WORDS_H

#include "kernel/load.h"

/* Whether each line is a word of eight hex digits, a comment or nothing, and one is a word. */
bool words_only(const char *text, size_t length);

/*
 * Reads the first line that 'tensix asm' writes, such as "# blackhole, rotated (.ttinsn)", which
 * says what the words are; *arch and *rotated are what the caller was told, and stay so where there
 * is no such line. TXL_CONTINUE, or TXL_INPUT where one contradicts the other.
 */
int words_head(struct txl_error *err, const struct txl_where *at, const char *text, size_t length,
               enum tx_arch *arch, bool *rotated);

#endif
