/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds schedules with SFPLOADMACRO: from a kernel that computes row after row in a straight line,
 * templates, sequences, delays, registers and the order of issue with which a row starts every II
 * cycles, for the smallest II. What is found is proved on the machine: its cycles, that it has no
 * findings, and that it computes what the straight line does.
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

/* Zero is the default of all fields but size. */
struct txl_schedule_options {
    size_t size;            /* sizeof(struct txl_schedule_options) */
    const char *name;       /* of the kernel, in front of messages; NULL: none */
    enum tx_dst_format dst; /* of the inputs; TX_DST_FORMAT_UNSET: the kernel's .dst */
    enum tx_dst_format out; /* of the output; TX_DST_FORMAT_UNSET: the kernel's .out, else dst */
    unsigned ii;            /* this one and no other; 0: the smallest */
    unsigned templates;     /* the first so many of the four templates are somebody else's */
    unsigned sequences;     /* likewise */
    uint32_t registers;     /* LRegs that are not to be used, bit n: Ln, of L0..L7 */
    uint64_t seconds;       /* for the search; 0: no limit */
    uint64_t nodes;         /* steps of the search for one II at most; 0: no limit */
    const char *domain;     /* of the proof, as for sweeps; NULL: bf16, or pairs of it */
    uint64_t sample;        /* inputs drawn from it; 0: all of bf16, 65536 pairs */
    txl_progress progress;  /* counts steps of the search, of an unknown total (0), then inputs */
    void *user;             /* of progress */
};

/*
 * TXL_OK: *out is a schedule, proved, which the caller closes. TXL_NEGATIVE: there is none, and
 * *err says why: rows that cannot be scheduled, an II that is too small, nothing found in time.
 * TXL_INPUT: options or domain refused, no memory. Where progress cancels the search with a
 * schedule in hand that one is the result; without, and in the proof, it is TXL_CANCELLED.
 */
TXL_API int txl_schedule_find(struct txl_error *err, const struct tx_program *program,
                              const struct txl_schedule_options *options, txl_schedule **out);
TXL_API void txl_schedule_close(txl_schedule *schedule); /* NULL: nothing */

/* The caller fills in size; texts live as long as the schedule. */
struct txl_schedule_result {
    size_t size;
    unsigned ii;           /* cycles from row to row */
    unsigned bound;        /* that no schedule undercuts */
    const char *bound_why; /* "cycles of the Simple sub-unit" */
    bool optimal;          /* ii is the bound, or every smaller one was refuted */
    bool cut;              /* the search ended by time, steps or cancel: a smaller II may exist */
    unsigned rows;         /* of a tile */
    unsigned issues;       /* of a row */
    unsigned phases;       /* rows until registers come again */
    unsigned templates, sequences;
    uint64_t cycles, straight; /* of a tile, and of the kernel as it was */
    uint64_t nodes;            /* steps of the search */
    uint64_t refuted;          /* of them those that refuted the smaller II */
    uint64_t compared;         /* inputs of the proof */
    double seconds;            /* of the search */
};
TXL_API void txl_schedule_result(const txl_schedule *schedule, struct txl_schedule_result *result);
/* The kernel as text for the assembler, with a zero behind it. Lives as long as the schedule. */
TXL_API const char *txl_schedule_text(const txl_schedule *schedule);
/* For people: what was found, and one row as a table of cycles; free() it. NULL without memory. */
TXL_API char *txl_schedule_report(const txl_schedule *schedule);
/* NULL: err says why. */
TXL_API txl_json *txl_schedule_json(struct txl_error *err, const txl_schedule *schedule);

#ifdef __cplusplus
}
#endif

#endif
