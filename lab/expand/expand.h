/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "expand": rewrites kernels with SFPLOADMACRO as straight-line code. It may use base and
 * flow.
 *
 * The run of a tile is taken apart into values (flow/graph.h): every write of an LReg makes a new
 * one, and every read refers to the one it saw. The instructions are put in the order of their
 * cycles, with stores behind loads and flag writers last within a cycle. Then they only need
 * registers for their values.
 */
#ifndef LAB_EXPAND_H
#define LAB_EXPAND_H

#include <tensix-lab/expand.h>

#include "base/error.h"
#include "flow/graph.h"

enum { EXPAND_REGS = 8, EXPAND_L16 = 16, NO_VALUE = -1, EXPAND_INPUTS = 16 };

struct xop {
    uint32_t word;  /* for a scheduled one the template's word */
    uint32_t found; /* the word as it ran; `word` may have been rewritten */
    uint32_t step;  /* step in the graph, or TXL_NO_VALUE */
    struct tx_operands o;
    const struct tx_row *row;
    uint64_t number, cycle; /* cycle: relative to the start of the tile */
    uint8_t unit;
    bool scheduled, launch, verbatim, flags;
    bool merge;      /* lanes may be disabled and keep the destination's old value */
    int32_t address; /* address of loads and stores as the machine resolved it; -1: unknown */
    uint32_t rwc;    /* RWC_Dst at the start of its cycle */
    uint32_t pinned; /* registers that it reads by their number; bit n: Ln */
    uint32_t writes; /* registers that it writes by their number, besides VD */
    uint32_t latency;
    int tied; /* value that the destination must hold before, or NO_VALUE */
    /* Value that enabled lanes must hold before, or NO_VALUE: tied holds for all lanes. */
    int under;
    int va, vb, vc, vd_in, out, out2; /* the values of its operands and results */
    int pins[EXPAND_REGS];            /* values that it reads by the number of the register */
    int made[EXPAND_REGS];            /* values that it writes by the number of the register */
    uint32_t line;
};

struct value {
    uint8_t home; /* the register that it had in the kernel: 0..7, or 16 */
    int reg;      /* the register that holds it; -1: none yet */
    bool pinned;
    long last; /* index of the op that reads it last; -1: none */
};

struct expand {
    const struct tx_program *program;
    struct tx_kernel_options options;
    tx_machine *machine;
    bool on, begun;
    /* The machine's cycle at the tile's first event, which is cycle 0 for tensix trace. */
    uint64_t base;
    struct xop *ops;
    size_t count, room;
    txl_graph *graph;
    struct value *values; /* by their number in the graph */
    bool data_flags;
    uint32_t math_offset, final_rwc;
    uint64_t launches;
    uint32_t *out;
    size_t out_count, out_room;
    struct txl_error failure; /* why there is no straight-line form */
};

/* expand_trace.c: runs a tile and fills in ops. */
enum tx_status expand_trace(struct expand *x);
/* expand_values.c: puts the ops in order and finds their values and who reads them. */
bool expand_values(struct expand *x);
/* expand_alloc.c: assigns registers and writes the words. */
bool expand_alloc(struct expand *x);
/*
 * expand_known.c: returns why an instruction with these register sets cannot be rewritten, or NULL.
 * row says which fields its word has.
 */
const char *expand_unknown(const struct tx_row *row, uint64_t reads, uint64_t writes,
                           enum tx_implied implied);
/* expand_text.c: writes the result as a kernel file. */
void expand_text(FILE *out, const struct expand *x);
/*
 * expand_prove.c: compares both forms. Returns TXL_OK, TXL_NEGATIVE with the reason in x, or
 * TXL_INPUT or TXL_CANCELLED with err.
 */
int expand_prove(struct txl_error *err, struct expand *x, const struct tx_program *straight,
                 const struct txl_expand_options *how);

/* Records the reason unless there is one already. Returns false. */
bool expand_fail(struct expand *x, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool expand_no_memory(struct expand *x);
/*
 * Whether the source of the op is a part of its immediate, while another instruction does the same
 * from any register.
 */
bool expand_free_source(const struct expand *x, const struct xop *op);

#endif
