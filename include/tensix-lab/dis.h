/* SPDX-License-Identifier: Apache-2.0 */
/* Words out of files, ELF files and command lines, disassembled (docs/cli.md, "tensix dis"). */
#ifndef TENSIX_LAB_DIS_H
#define TENSIX_LAB_DIS_H

#include <stdbool.h>
#include <stddef.h>

#include <tensix-lab/error.h>
#include <tensix/asm.h>

#ifdef __cplusplus
extern "C" {
#endif

struct txl_dis_options {
    size_t size;             /* of this struct */
    enum tx_arch arch;       /* TX_ARCH_NONE: what the files say */
    enum tx_dis_style style; /* of the text */
    bool ttinsn;             /* words are rotated, as RISC-V has them */
    bool words;              /* text: each line with its word behind a # */
    bool riscv;              /* text of ELF files: the core's instructions too, by address */
    char reserved[5];        /* zero */
};

/*
 * items: words of up to 8 hex digits with or without 0x; names of files of such words, in which #
 * begins a comment and the head that the assembler writes says what they are; ELF files of RISC-V;
 * "-", which is standard input. A file goes before a word of the same name. A line for each word;
 * or an object for each, in one array. *text is for free(). TXL_OK or TXL_INPUT.
 */
TXL_API int txl_dis_text(struct txl_error *err, const char *const *items, size_t count,
                         const struct txl_dis_options *options, char **text);
TXL_API int txl_dis_json(struct txl_error *err, const char *const *items, size_t count,
                         const struct txl_dis_options *options, char **text);

#ifdef __cplusplus
}
#endif

#endif
