/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Executes a few instructions from reset and reports every register that they change.
 *
 *     const char *set[] = {"L0=1.5", "L1=2"};
 *     struct txl_eval_options how = {.size = sizeof how, .arch = TX_BLACKHOLE,
 *                                    .text = "sfpmad L2,L0,L1,L9,0", .sets = set, .set_count = 2};
 *     txl_eval *eval;
 *     if (txl_eval_open(&err, &how, &eval) == TXL_OK) {
 *         const struct txl_eval_change *change = txl_eval_change(eval, 0);
 *     }
 *     txl_eval_close(eval);
 */
#ifndef TENSIX_LAB_EVAL_H
#define TENSIX_LAB_EVAL_H

#include <tensix-lab/run.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct txl_eval txl_eval;

struct txl_eval_options {
    size_t size;                        /* of this struct */
    enum tx_arch arch;                  /* must be given */
    const char *text;                   /* the instructions, one per line or separated by ';' */
    const struct tx_settings *settings; /* mode, rules, limits, watch; NULL: the defaults */
    const unsigned *thread;             /* the thread that issues them, 0 to 2; NULL: 1 */
    /*
     * Initial values as NAME=VALUE. NAME: L0 to L16, LaneFlags, UseLaneFlags, PRNG (a seed), GPR0
     * to GPR63, Dst0 to Dst1023 (rows as stored) or a configuration field by the vendor's name.
     * VALUE: 1.5 or f:1.5 (FP32), 0x3fc00000 (the bit pattern), i:-5, u:5, sm:-5 (sign and
     * magnitude); a list with commas is repeated over the lanes.
     */
    const char *const *sets;
    unsigned set_count;
    const char *const *l1_in, *const *l1_out; /* as in struct txl_run_options */
    unsigned l1_in_count, l1_out_count;
    const char *scratch; /* folder for members of .npz files; NULL: /tmp */
};

/*
 * Assembles the text, sets the initial values and executes. Returns TXL_OK with *eval, which the
 * caller closes with txl_eval_close; otherwise *eval is NULL and the result is TXL_INPUT, or
 * TXL_NEGATIVE where the machine stopped. The files of l1_out are written only on success.
 */
TXL_API int txl_eval_open(struct txl_error *err, const struct txl_eval_options *options,
                          txl_eval **eval);
TXL_API void txl_eval_close(txl_eval *eval); /* NULL is allowed */
/* Returns the machine in its final state, for counters and any register. */
TXL_API const tx_machine *txl_eval_machine(const txl_eval *eval);

/* An entry of a register file, or a configuration field, whose value has changed. */
struct txl_eval_change {
    enum tx_file file; /* TX_FILE_COUNT: a configuration field, and index is its number in isa.h */
    const char *name;  /* "L", "GPR", "Dst row"; or the configuration field's name */
    const char *unit;  /* what one value belongs to, such as "lane"; NULL for a single value */
    unsigned index;    /* entry in the file, or in the thread's part of it */
    unsigned thread;   /* whose entry it is; TX_THREADS: shared by all threads */
    bool alone;        /* the file has only one entry */
    unsigned width;    /* number of values */
    const uint32_t *before, *after;
};
/* Changes in the order in which they are printed; NULL past the end. */
TXL_API const struct txl_eval_change *txl_eval_change(const txl_eval *eval, size_t index);

/*
 * 16 bytes of L1 that differ from what the input files put there; only where there were such files.
 */
struct txl_l1_change {
    uint32_t address;
    char before[33], after[33]; /* hex, low address first */
};
TXL_API const struct txl_l1_change *txl_eval_l1_change(const txl_eval *eval, size_t index);
TXL_API const struct txl_run_finding *txl_eval_finding(const txl_eval *eval, size_t index);
TXL_API uint64_t txl_eval_findings_dropped(const txl_eval *eval);
TXL_API const struct txl_run_note *txl_eval_note(const txl_eval *eval, size_t index);
/*
 * Returns the whole result for people, which the caller frees; NULL without memory. lanes selects
 * which lanes of LRegs are shown: one lane, or one of the two constants below. evidence adds the
 * notes.
 */
enum { TXL_EVAL_CHANGED = -1, TXL_EVAL_ALL = -2 };
TXL_API char *txl_eval_text(const txl_eval *eval, int lanes, bool evidence);
/* Returns the result as JSON (docs/cli.md), which the caller frees; NULL without memory. */
TXL_API char *txl_eval_json(const txl_eval *eval);

#ifdef __cplusplus
}
#endif

#endif
