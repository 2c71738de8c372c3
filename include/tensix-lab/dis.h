/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Disassembles instruction words given as hex, in files or in ELF files (docs/cli.md, "tensix
 * dis").
 */
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
    enum tx_arch arch;       /* TX_ARCH_NONE: what the files state */
    enum tx_dis_style style; /* form of the text */
    bool ttinsn;             /* words are rotated as in a RISC-V instruction stream */
    bool words;              /* text: append each line's word as a # comment */
    /* text of ELF files: show the core's own instructions too, with addresses */
    bool riscv;
    char reserved[5]; /* zero */
};

/*
 * Each item is one of: a word of up to 8 hex digits with or without 0x; the name of a file of such
 * words, in which # begins a comment and the assembler's header states chip and form; a RISC-V ELF
 * file; or "-", standard input. Where a file has the name of a word, the file is taken. The text
 * form gives a line for each word, the JSON form one array with an object for each. The caller
 * frees *text. Both return TXL_OK or TXL_INPUT.
 */
TXL_API int txl_dis_text(struct txl_error *err, const char *const *items, size_t count,
                         const struct txl_dis_options *options, char **text);
TXL_API int txl_dis_json(struct txl_error *err, const char *const *items, size_t count,
                         const struct txl_dis_options *options, char **text);

#ifdef __cplusplus
}
#endif

#endif
