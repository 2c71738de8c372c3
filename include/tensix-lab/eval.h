/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A few instructions from reset, and every register that they change.
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
    const char *text;                   /* the instructions, a line each or parted by ';' */
    const struct tx_settings *settings; /* mode, rules, limits, watch; NULL: the defaults */
    const unsigned *thread;             /* that issues, 0 to 2; NULL: 1 */
    /*
     * NAME=VALUE: L0 to L16, LaneFlags, UseLaneFlags, PRNG (a seed), GPR0 to GPR63, Dst0 to Dst1023
     * (rows as stored) or a configuration field by the vendor's name. Values: 1.5 or f:1.5 (FP32),
     * 0x3fc00000 (the pattern), i:-5, u:5, sm:-5; a list with commas goes over the lanes and round
     * again.
     */
    const char *const *sets;
    unsigned set_count;
    const char *const *l1_in, *const *l1_out; /* as in struct txl_run_options */
    unsigned l1_in_count, l1_out_count;
    const char *scratch; /* folder for arrays out of and into an .npz; NULL: /tmp */
};

/*
 * Assembles, sets and runs. TXL_OK: *eval is the caller's, for txl_eval_close; else it is NULL:
 * TXL_INPUT, or TXL_NEGATIVE where the machine stopped. Files of l1_out are written only where all
 * went well.
 */
TXL_API int txl_eval_open(struct txl_error *err, const struct txl_eval_options *options,
                          txl_eval **eval);
TXL_API void txl_eval_close(txl_eval *eval); /* NULL is allowed */
/* The machine as it is afterwards: counters, any register. */
TXL_API const tx_machine *txl_eval_machine(const txl_eval *eval);

/* An entry of a register file, or a configuration field, that is another than before. */
struct txl_eval_change {
    enum tx_file file; /* TX_FILE_COUNT: a configuration field, index is that of isa.h */
    const char *name;  /* "L", "GPR", "Dst row"; the field's */
    const char *unit;  /* of the values: "lane"; NULL where there is one */
    unsigned index;    /* in the file; where threads have their own, in the thread's */
    unsigned thread;   /* TX_THREADS: no thread's own */
    bool alone;        /* the file has one entry */
    unsigned width;    /* values */
    const uint32_t *before, *after;
};
/* In the order of printing; NULL past the end. */
TXL_API const struct txl_eval_change *txl_eval_change(const txl_eval *eval, size_t index);

/* 16 bytes of L1 that are others than the files put there, where there were files. */
struct txl_l1_change {
    uint32_t address;
    char before[33], after[33]; /* hex, low address first */
};
TXL_API const struct txl_l1_change *txl_eval_l1_change(const txl_eval *eval, size_t index);
TXL_API const struct txl_run_finding *txl_eval_finding(const txl_eval *eval, size_t index);
TXL_API uint64_t txl_eval_findings_dropped(const txl_eval *eval);
TXL_API const struct txl_run_note *txl_eval_note(const txl_eval *eval, size_t index);
/*
 * All of it for people; free() it, NULL without memory. lanes: of LRegs, one lane or one of the two
 * below. evidence: with the notes.
 */
enum { TXL_EVAL_CHANGED = -1, TXL_EVAL_ALL = -2 };
TXL_API char *txl_eval_text(const txl_eval *eval, int lanes, bool evidence);
/* All of it as JSON for free(), see docs/cli.md; NULL without memory. */
TXL_API char *txl_eval_json(const txl_eval *eval);

#ifdef __cplusplus
}
#endif

#endif
