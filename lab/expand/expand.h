/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "expand": kernels with SFPLOADMACRO as straight-line code. It may use base and flow.
 *
 * The run of a tile is taken apart into values (flow/graph.h): every write of an LReg makes a new
 * one, every read names the one it saw. In the order of the cycles, with stores behind loads and
 * flag writers last within one, the instructions then only need registers for their values.
 */
#ifndef LAB_EXPAND_H
#define LAB_EXPAND_H

#include <tensix-lab/expand.h>

#include "base/error.h"
#include "flow/graph.h"

enum { EXPAND_REGS = 8, EXPAND_L16 = 16, NO_VALUE = -1, EXPAND_MESSAGE = 200, EXPAND_INPUTS = 16 };

struct xop {
    uint32_t word;  /* a template's for scheduled ones */
    uint32_t found; /* the same as it ran; word may have been turned */
    uint32_t step;  /* in the graph, or TXL_NO_VALUE */
    struct tx_operands o;
    const struct tx_row *row;
    uint64_t number, cycle; /* cycle of the tile */
    uint8_t unit;
    bool scheduled, launch, verbatim, flags;
    bool merge;      /* some lanes may keep the old value of the destination */
    int32_t address; /* of loads and stores: resolved, -1: unknown */
    uint32_t rwc;    /* RWC_Dst at the start of its cycle */
    uint32_t pinned; /* registers it reads by their number */
    uint32_t writes; /* registers it writes by their number, VD aside */
    uint32_t latency;
    int tied;  /* value that the destination starts from, or NO_VALUE */
    int under; /* value that it must have in enabled lanes, or NO_VALUE: tied in all */
    int va, vb, vc, vd_in, out, out2; /* values */
    int pins[EXPAND_REGS];            /* values that it reads by the register's number */
    int made[EXPAND_REGS];            /* values that it writes so */
    uint32_t line;
};

struct value {
    uint8_t home; /* 0..7, or 16 */
    int reg;      /* where it lives, -1: nowhere yet */
    bool pinned;
    long last; /* index of its last reader, -1: none */
};

struct expand {
    const struct tx_program *program;
    struct tx_kernel_options options;
    tx_machine *machine;
    bool on, begun;
    uint64_t base; /* machine's cycle of the tile's first event, cycle 0 of tensix trace */
    struct xop *ops;
    size_t count, room;
    txl_graph *graph;
    struct value *values; /* by their number in the graph */
    bool data_flags;
    uint32_t math_offset, final_rwc;
    uint64_t launches;
    uint32_t *out;
    size_t out_count, out_room;
    char message[EXPAND_MESSAGE]; /* why it cannot be done; "" */
    bool memory;                  /* for want of memory */
};

/* expand_trace.c: runs a tile and fills ops. */
enum tx_status expand_trace(struct expand *x);
/* expand_values.c: order, values, who reads them. */
bool expand_values(struct expand *x);
/* expand_alloc.c: registers and words. */
bool expand_alloc(struct expand *x);
/*
 * expand_known.c: why an instruction with these sets cannot be rewritten, or NULL. row tells the
 * fields of its word.
 */
const char *expand_unknown(const struct tx_row *row, uint64_t reads, uint64_t writes,
                           enum tx_implied implied);
/* expand_text.c: a kernel file. */
void expand_text(FILE *out, const struct expand *x);
/* expand_prove.c: TXL_OK, TXL_NEGATIVE with the reason in x, or with err TXL_INPUT, TXL_CANCELLED.
 */
int expand_prove(struct txl_error *err, struct expand *x, const struct tx_program *straight,
                 const struct txl_expand_options *how);

/* Notes the first reason; false. */
bool expand_fail(struct expand *x, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool expand_no_memory(struct expand *x);
/* Its source is a part of its immediate, and there is an instruction that takes any register. */
bool expand_free_source(const struct expand *x, const struct xop *op);

#endif
