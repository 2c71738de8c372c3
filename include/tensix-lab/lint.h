/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs programs on random data and tells what is wrong with them: timing hazards, everything else
 * that the machine finds, missing and superfluous SFPNOPs.
 *
 * A kernel runs .init and one tile; bare words and the Tensix words of each function of an ELF file
 * run straight, from registers and Dst full of random values. One txl_lint takes any number of
 * programs; each of them, on each chip that is asked for, gives one result (an ELF file: one for
 * each of its functions).
 */
#ifndef TENSIX_LAB_LINT_H
#define TENSIX_LAB_LINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tensix-lab/base.h>
#include <tensix/formats.h>
#include <tensix/kernel.h>
#include <tensix/machine.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct txl_lint txl_lint;

/* Zero is the default of all fields but size. */
struct txl_lint_options {
    size_t size;            /* sizeof(struct txl_lint_options) */
    enum tx_arch arch;      /* TX_ARCH_NONE: what the file says, else both */
    bool both;              /* chips, whatever the file says; files only */
    bool hex;               /* files are lists of hex words, as those named .hex are */
    bool ttinsn;            /* hex words are rotated as in a RISC-V instruction stream */
    enum tx_start start;    /* TX_START_UNSET: the kernel's .start */
    enum tx_dst_format dst; /* of the inputs; TX_DST_FORMAT_UNSET: the kernel's .dst, else fp32 */
    uint64_t max_cycles;    /* ends a program that is not through by then; 0: 2,000,000 */
    txl_progress progress;  /* counts cycles of all runs; total is 0: not known before */
    void *user;             /* of progress */
};

/* A word of the program that was looked at. Does not grow. */
struct txl_lint_place {
    bool known;         /* else the program as a whole, and all that follows is 0 */
    unsigned section;   /* TX_SECTION_*; of functions: TX_SECTION_TILE */
    uint32_t word;      /* the word itself */
    uint32_t offset;    /* words from the start of the section, or bytes from the function's */
    uint32_t line;      /* of the source; 0: not known */
    const char *source; /* file that .loc names, or NULL: the program's own */
};

/* Something the machine found, once for each word where it did. */
struct txl_lint_finding {
    const struct tx_finding *finding; /* category (TX_HAZARD: a timing hazard), rule, message */
    struct txl_lint_place place;
    struct txl_lint_place producer; /* known: the hazard is between this word and the other one */
    uint64_t producer_cycle;
    uint64_t cycle;      /* of the last occurrence; finding->cycle has the first one */
    uint64_t count;      /* occurrences in the run */
    bool sfpnop_missing; /* an SFPNOP in front of the place ends it */
    bool repeated;       /* the same sentence as an earlier one, of another word */
    uint32_t more;       /* later ones that are repetitions of this one */
};

/* An SFPNOP without which the program ends in the same state with the same findings. */
struct txl_lint_nop {
    struct txl_lint_place place;
    uint64_t cycles;  /* that one run is shorter without it; 0: it costs nothing, a note only */
    const char *rule; /* evidence, as in tx_finding */
    const char *text; /* why it is not needed */
    bool repeated;
    uint32_t more;
};

/* A program or function on one chip. All of it lives as long as its txl_lint. */
struct txl_lint_result {
    const char *file;
    const char *function; /* of an ELF file, or NULL */
    enum tx_arch arch;
    bool complete;       /* the program went through; else it did not within max_cycles */
    size_t hazards;      /* findings of category TX_HAZARD */
    size_t others;       /* other findings */
    size_t superfluous;  /* SFPNOPs that cost cycles */
    uint64_t cycles;     /* of the run */
    uint64_t skipped;    /* words of units that need other threads: only their cycle passed */
    uint64_t unrecorded; /* replayed words that a function does not record itself: left out */
    size_t finding_count, nop_count;
};

/* TXL_OK, or TXL_INPUT: options->size is 0 or too large, or no memory. *out is NULL then. */
TXL_API int txl_lint_open(struct txl_error *err, const struct txl_lint_options *options,
                          txl_lint **out);
TXL_API void txl_lint_close(txl_lint *lint); /* NULL: nothing */

/*
 * Each adds the results of one program. TXL_OK whatever is found; TXL_INPUT: the input is refused,
 * it has more words than can be run, or there is no memory; TXL_CANCELLED: progress said so, and
 * lint is of no more use than to be read and closed. Nothing is added then.
 */
/* A kernel, a list of hex words, or an ELF file of RISC-V with Tensix words. "-": stdin. */
TXL_API int txl_lint_file(struct txl_error *err, txl_lint *lint, const char *path);
/* A program that the caller has assembled and keeps as long as lint. name: as files are named. */
TXL_API int txl_lint_program(struct txl_error *err, txl_lint *lint, const char *name,
                             const struct tx_program *program);

/* Bare words, as of a list of hex words; they and the name need not stay. */
TXL_API int txl_lint_words(struct txl_error *err, txl_lint *lint, const char *name,
                           enum tx_arch arch, const uint32_t *words, size_t count);

TXL_API size_t txl_lint_results(const txl_lint *lint);
/* NULL past the end. Stays where it is until the next program is added. */
TXL_API const struct txl_lint_result *txl_lint_result(const txl_lint *lint, size_t index);
/* Of a result that txl_lint_result gave, in the order of the program; NULL past the end. */
TXL_API const struct txl_lint_finding *txl_lint_finding(const struct txl_lint_result *result,
                                                        size_t index);
TXL_API const struct txl_lint_nop *txl_lint_nop(const struct txl_lint_result *result, size_t index);
/* Whether there is a finding, a superfluous SFPNOP or a program that was not through. */
TXL_API bool txl_lint_found(const txl_lint *lint);

/* One result, as 'tensix lint' prints it. free() it; NULL: memory. */
TXL_API char *txl_lint_text(const struct txl_lint_result *result);
/* {"found": ..., "results": [...]}, as 'tensix lint --json' prints it. free() it; NULL: memory. */
TXL_API char *txl_lint_json(const txl_lint *lint);

#ifdef __cplusplus
}
#endif

#endif
