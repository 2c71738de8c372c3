/* SPDX-License-Identifier: Apache-2.0 */
/* A program as the assembler builds it. tensix/asm.h documents its parts for callers. */
#ifndef TX_ASM_PROGRAM_H
#define TX_ASM_PROGRAM_H

#include <tensix/asm.h>

struct tx_program {
    enum tx_arch arch;      /* from .arch or the options */
    enum tx_dst_format dst; /* from .dst, or TX_DST_FORMAT_UNSET */
    enum tx_start start;    /* from .start; TX_START_UNSET, if absent, means as at reset */
    /* From .out: format in which the result is read; TX_DST_FORMAT_UNSET means as dst. */
    enum tx_dst_format out;
    unsigned inputs; /* from .inputs, default 1; input i is in tile i of Dst */
    unsigned output; /* from .output: tile of Dst that holds the result, default 0 */
    /* From .fpu: rows of Dst that the Matrix Unit wrote just before .tile. */
    unsigned fpu_first, fpu_rows;
    char reference[32]; /* from .reference: what the kernel computes, or "" */
    bool carry;         /* .carry: tiles leave state for the next one on purpose */
    char title[96];     /* from .title, or "" */
    struct {
        uint32_t *words;
        uint32_t *lines;  /* source line of each word */
        uint8_t *files;   /* file of that line; 0: the text itself, else source[n - 1] */
        uint8_t *threads; /* .thread of each word; TX_THREADS: the thread that runs the kernel */
        size_t count;
    } section[TX_SECTIONS]; /* words outside .init and .tile belong to TX_SECTION_TILE */
    char source[TX_SOURCE_FILES][TX_SOURCE_NAME]; /* from .file, "" if not given */
    bool threaded; /* a word has a .thread: three threads run at once */
    /* From .mop: MopCfg per thread; the last is for programs without .thread. */
    uint32_t mop[TX_THREADS + 1][9];
    uint16_t mop_given[TX_THREADS + 1]; /* bit per word that was given */
    struct {
        char name[64];
        uint32_t value;
    } config[32]; /* from .config NAME, VALUE */
    unsigned config_count;
    struct tx_free_constant free[TX_FREE_MOST]; /* from .free, in order */
    unsigned free_count;
};

#endif
