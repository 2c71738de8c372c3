/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs programs on random data and reports what is wrong with them: timing hazards, all other
 * findings of the machine, and missing and superfluous SFPNOPs.
 *
 * A kernel runs .init and one tile. Bare words, and the Tensix words of each function of an ELF
 * file, run straight through, starting with random values in registers and Dst. One txl_lint takes
 * any number of programs; each gives one result for every chip that it is checked on (an ELF file:
 * one for each of its functions).
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

/* All fields but size may be zero, which means their default. */
struct txl_lint_options {
    size_t size;            /* sizeof(struct txl_lint_options) */
    enum tx_arch arch;      /* TX_ARCH_NONE: as the file states, else both chips */
    bool both;              /* check on both chips, whatever the file states; files only */
    bool hex;               /* files list hex words; implied by a name that ends in .hex */
    bool ttinsn;            /* hex words are rotated as in a RISC-V instruction stream */
    enum tx_start start;    /* TX_START_UNSET: the kernel's .start */
    enum tx_dst_format dst; /* of the inputs; TX_DST_FORMAT_UNSET: the kernel's .dst, else fp32 */
    uint64_t max_cycles;    /* limit for programs that do not end; 0: 2,000,000 */
    txl_progress progress;  /* counts cycles of all runs; total is 0, as it is not known */
    void *user;             /* of progress */
};

/* The word of the program that an entry is about. Does not grow. */
struct txl_lint_place {
    bool known;       /* else the entry is about the whole program, and all other fields are 0 */
    unsigned section; /* TX_SECTION_*; in functions of ELF files: TX_SECTION_TILE */
    uint32_t word;    /* the word itself */
    /* Words from the start of the section; in ELF files bytes from the start of the function. */
    uint32_t offset;
    uint32_t line;      /* of the source; 0: not known */
    const char *source; /* file named by .loc, or NULL: the program's own */
};

/* A finding of the machine, reported once for each word that caused it. */
struct txl_lint_finding {
    const struct tx_finding *finding; /* category (TX_HAZARD: a timing hazard), rule, message */
    struct txl_lint_place place;
    /* if known: the hazard is between this earlier word and place */
    struct txl_lint_place producer;
    uint64_t producer_cycle;
    uint64_t cycle;      /* of the last occurrence; finding->cycle is the first */
    uint64_t count;      /* occurrences in the run */
    bool sfpnop_missing; /* an SFPNOP in front of place would remove it */
    bool repeated;       /* an earlier finding, of another word, has the same text */
    uint32_t more;       /* number of later findings that repeat this text */
};

/* An SFPNOP that can be removed: the program then ends in the same state with the same findings. */
struct txl_lint_nop {
    struct txl_lint_place place;
    uint64_t cycles;  /* cycles per run that removing it saves; 0: none, so this is only a note */
    const char *rule; /* evidence, as in tx_finding */
    const char *text; /* why it is not needed */
    bool repeated;
    uint32_t more;
};

/* A program or function on one chip. Everything in it lives as long as its txl_lint. */
struct txl_lint_result {
    const char *file;
    const char *function; /* of an ELF file, or NULL */
    enum tx_arch arch;
    bool complete;      /* the program ended within max_cycles */
    size_t hazards;     /* findings of category TX_HAZARD */
    size_t others;      /* other findings */
    size_t superfluous; /* SFPNOPs whose removal saves cycles */
    uint64_t cycles;    /* of the run */
    /* words for units that need other threads: counted as one cycle, not executed */
    uint64_t skipped;
    /* REPLAY words whose recording is not in the same function: not executed */
    uint64_t unrecorded;
    size_t finding_count, nop_count;
};

/*
 * Creates a txl_lint without results. Returns TXL_OK, or TXL_INPUT, with *out NULL, where
 * options->size is 0 or too large or memory is short.
 */
TXL_API int txl_lint_open(struct txl_error *err, const struct txl_lint_options *options,
                          txl_lint **out);
TXL_API void txl_lint_close(txl_lint *lint); /* NULL: nothing */

/*
 * The following functions each add the results of one program. They return TXL_OK whatever is
 * found; TXL_INPUT where the input is refused, has too many words to run, or memory is short; and
 * TXL_CANCELLED where progress returned false, after which lint can only be read and closed. Unless
 * TXL_OK is returned, no results are added.
 */
/*
 * Takes a kernel, a list of hex words, or a RISC-V ELF file with Tensix words. "-": standard input.
 */
TXL_API int txl_lint_file(struct txl_error *err, txl_lint *lint, const char *path);
/*
 * Takes an assembled program, which must stay valid as long as lint. name is used like a file's
 * name.
 */
TXL_API int txl_lint_program(struct txl_error *err, txl_lint *lint, const char *name,
                             const struct tx_program *program);

/* Takes bare words, as a list of hex words has them; words and name are copied. */
TXL_API int txl_lint_words(struct txl_error *err, txl_lint *lint, const char *name,
                           enum tx_arch arch, const uint32_t *words, size_t count);

TXL_API size_t txl_lint_results(const txl_lint *lint);
/* NULL past the end. The pointer is valid until the next program is added. */
TXL_API const struct txl_lint_result *txl_lint_result(const txl_lint *lint, size_t index);
/* Entries of one result in the order of the program; NULL past the end. */
TXL_API const struct txl_lint_finding *txl_lint_finding(const struct txl_lint_result *result,
                                                        size_t index);
TXL_API const struct txl_lint_nop *txl_lint_nop(const struct txl_lint_result *result, size_t index);
/* Tells whether any result has a finding, a superfluous SFPNOP or a program that did not end. */
TXL_API bool txl_lint_found(const txl_lint *lint);

/* Returns one result as 'tensix lint' prints it. The caller frees it; NULL without memory. */
TXL_API char *txl_lint_text(const struct txl_lint_result *result);
/*
 * Returns {"found": ..., "results": [...]} as 'tensix lint --json' prints it. The caller frees it;
 * NULL without memory.
 */
TXL_API char *txl_lint_json(const txl_lint *lint);

#ifdef __cplusplus
}
#endif

#endif
