/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "kernel": kernel files: reading and assembling them, the places of their words, and kernels
 * recorded from C++. It may use base, flow, reference, engine and data.
 */
#ifndef LAB_KERNEL_LOAD_H
#define LAB_KERNEL_LOAD_H

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"

struct txl_load {
    enum tx_arch arch; /* TX_ARCH_NONE: the text must say it */
    bool hex, ttinsn;
    bool threads;        /* a program with .thread is welcome */
    bool empty;          /* so is one without any instruction */
    enum tx_start start; /* TX_START_UNSET: what the text says */
};

/* Reads and assembles; TXL_CONTINUE or TXL_INPUT. A name that ends in .hex is a hex list. */
int txl_load_program(struct txl_error *err, const char *path, const struct txl_load *how,
                     struct tx_program **out);
/*
 * The same, words checked, for up to three files: several are the programs of threads 0, 1, 2.
 */
struct txl_files {
    const char *path[TX_THREADS];
    unsigned count;
};
int txl_load_kernel(struct txl_error *err, const struct txl_files *files,
                    const struct txl_load *how, struct tx_program **out);
/* Why the machine does not go on: the waits of all threads, one after another. */
const char *txl_stuck_text(const tx_machine *machine, enum tx_status status, char *text,
                           size_t size);
/* File and line of a word: those of .loc, else path and the line of the text (0: not known). */
struct txl_where txl_where_word(const char *path, const struct tx_program *program,
                                unsigned section, size_t index);
/*
 * "relu.cpp:12" of a word that the machine names: text, or NULL where no .loc or more than one
 * place has such a word. program may be NULL.
 */
const char *txl_source_of(const struct tx_program *program, uint32_t word, char text[256]);
/* Refuses words that the program's chip does not have, naming file and line. */
int txl_check_words(struct txl_error *err, const char *path, const struct tx_program *program);

/* "int32 (two's complement)", "fp32". */
const char *txl_dst_text(enum tx_dst_format format, char text[80]);
/*
 * The state that its kernel begins in; behind the name of a Dst format: ", start vendor", or
 * nothing for the state at power on.
 */
const char *txl_start_name(const struct tx_program *program);
const char *txl_start_text(const struct tx_program *program);
/* dst and out as the kernel will have them, where the command line has left them open. */
void txl_formats(const struct tx_program *program, struct tx_kernel_options *options);
const char *txl_unit_name(unsigned unit);

#endif
