/* SPDX-License-Identifier: Apache-2.0 */
/* A program as the assembler fills it in; tensix/asm.h says what each of it is to a caller. */
#ifndef TX_ASM_PROGRAM_H
#define TX_ASM_PROGRAM_H

#include <tensix/asm.h>

struct tx_program {
    enum tx_arch arch;      /* from .arch or the options */
    enum tx_dst_format dst; /* from .dst; TX_DST_FORMAT_UNSET where absent */
    enum tx_start start;    /* from .start; TX_START_UNSET where absent: as at reset */
    enum tx_dst_format out; /* from .out: as what the result is read; TX_DST_FORMAT_UNSET: as dst */
    unsigned inputs;        /* from .inputs; default 1: input i stands in Dst tile i */
    unsigned output;        /* from .output: Dst tile of the result, default 0 */
    unsigned fpu_first, fpu_rows; /* from .fpu: Dst rows the Matrix Unit wrote just before .tile */
    char reference[32];           /* from .reference: what it computes, or "" */
    char title[96];               /* from .title, or "" */
    struct {
        uint32_t *words;
        uint32_t *lines;  /* source line of each word */
        uint8_t *files;   /* the file that line belongs to: 0 the text itself, else source[n - 1] */
        uint8_t *threads; /* .thread of each word; TX_THREADS: of the thread that runs the kernel */
        size_t count;
    } section[TX_SECTIONS]; /* words outside .init and .tile are in TX_SECTION_TILE */
    char source[TX_SOURCE_FILES][TX_SOURCE_NAME]; /* from .file, "" where not given */
    bool threaded;                      /* some word has a .thread: three threads run at once */
    uint32_t mop[TX_THREADS + 1][9];    /* from .mop: MopCfg by thread, the last as for threads */
    uint16_t mop_given[TX_THREADS + 1]; /* bit per word that was stated */
    struct {
        char name[64];
        uint32_t value;
    } config[32]; /* from .config NAME, VALUE */
    unsigned config_count;
    struct tx_free_constant free[TX_FREE_MOST]; /* from .free, in order */
    unsigned free_count;
};

#endif
