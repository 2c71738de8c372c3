/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds software-pipelined schedules with SFPLOADMACRO. From a kernel that computes rows one after
 * another in a straight line, it derives templates, sequences, delays, registers and an issue order
 * in which a new row starts every II (initiation interval) cycles, for the smallest possible II.
 * The result is verified on the machine: its cycles, the absence of findings, and that it computes
 * the same as the original.
 */
#ifndef TENSIX_LAB_SCHEDULE_H
#define TENSIX_LAB_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tensix-lab/base.h>
#include <tensix-lab/error.h>
#include <tensix-lab/json.h>
#include <tensix/formats.h>
#include <tensix/kernel.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct txl_schedule txl_schedule;

enum { TXL_SCHEDULE_MOST = 32 }; /* the largest II */

/* All fields but size may be zero, which means their default. */
struct txl_schedule_options {
    size_t size;            /* sizeof(struct txl_schedule_options) */
    const char *name;       /* name of the kernel, which begins messages; NULL: none */
    enum tx_dst_format dst; /* of the inputs; TX_DST_FORMAT_UNSET: the kernel's .dst */
    enum tx_dst_format out; /* of the output; TX_DST_FORMAT_UNSET: the kernel's .out, else dst */
    unsigned ii;            /* try only this II; 0: find the smallest */
    /* Number of templates, of the four, that are reserved for others, from 0 on. */
    unsigned templates;
    unsigned sequences; /* the same for sequences */
    uint32_t registers; /* LRegs that must not be used: bit n for Ln, of L0..L7 */
    uint64_t seconds;   /* time limit of the search; 0: none */
    uint64_t nodes;     /* limit of search steps for one II; 0: none */
    /* inputs of the verification, as for sweeps; NULL: bf16, or pairs of it */
    const char *domain;
    uint64_t sample;       /* number of inputs drawn from it; 0: all of bf16, or 65536 pairs */
    txl_progress progress; /* counts steps of the search, with total 0 for unknown; then inputs */
    void *user;            /* of progress */
    uint64_t keep_dst;     /* 1: store nothing but results, so no value goes through Dst; 0: may */
};

/*
 * Searches a schedule. Returns:
 * TXL_OK: *out is a verified schedule, which the caller closes.
 * TXL_NEGATIVE: none was found, and *err says why: the rows cannot be scheduled, the II is too
 * small, or a limit was reached.
 * TXL_INPUT: options or domain were refused, or no memory.
 * TXL_CANCELLED: progress cancelled the verification, or the search before any schedule was found.
 * If it cancels the search later, the best schedule so far is the result.
 */
TXL_API int txl_schedule_find(struct txl_error *err, const struct tx_program *program,
                              const struct txl_schedule_options *options, txl_schedule **out);
TXL_API void txl_schedule_close(txl_schedule *schedule); /* NULL: nothing */

/* The caller fills in size; texts live as long as the schedule. */
struct txl_schedule_result {
    size_t size;
    unsigned ii;           /* cycles from one row to the next */
    unsigned bound;        /* lower bound of II for any schedule */
    const char *bound_why; /* what gives this bound, as "cycles of the Simple sub-unit" */
    bool optimal;          /* ii is minimal: it equals bound, or every smaller one was refuted */
    /* the search ended at a limit or was cancelled: a smaller II may exist */
    bool cut;
    unsigned rows;   /* rows per tile */
    unsigned issues; /* instructions issued per row */
    unsigned phases; /* number of rows after which the register assignment repeats */
    unsigned templates, sequences;
    uint64_t cycles, straight; /* per tile: of the schedule, and of the original kernel */
    uint64_t nodes;            /* steps of the search */
    uint64_t refuted;          /* those steps that refuted smaller IIs */
    uint64_t compared;         /* inputs of the verification */
    double seconds;            /* duration of the search */
    uint64_t through_dst;      /* values that a row stores in Dst, and loads again */
};
TXL_API void txl_schedule_result(const txl_schedule *schedule, struct txl_schedule_result *result);
/* Returns the kernel as zero-terminated assembler text, which lives as long as the schedule. */
TXL_API const char *txl_schedule_text(const txl_schedule *schedule);
/*
 * Returns the result for people, with a table of one row's cycles; the caller frees it. NULL
 * without memory.
 */
TXL_API char *txl_schedule_report(const txl_schedule *schedule);
/* Returns the result as JSON; NULL: err says why. */
TXL_API txl_json *txl_schedule_json(struct txl_error *err, const txl_schedule *schedule);

#ifdef __cplusplus
}
#endif

#endif
