/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the instructions of the Matrix Unit have in common: formats, Src cells, Dst rows, the order
 * of their last steps. An instruction takes effect as a whole in the cycle in which it passes its
 * gate; hold.c records what it holds up afterwards. Source: spec/matrix-unit.md; the comments give
 * its section numbers, M1, M2, ... are its rulings.
 */
#ifndef TX_MATRIX_MATRIX_H
#define TX_MATRIX_MATRIX_H

#include "fmt/src_cell.h"
#include "matrix/exact.h"
#include "num/dst_cell.h"
#include "scalar/unit.h"
#include "state/dst.h"

#include <string.h>

enum { SRC_A, SRC_B };

/* Families of effective formats (5.2); integers use the cells of one of them. */
enum matrix_style { STYLE_BF16, STYLE_FP16, STYLE_TF32, STYLE_INT8 };

/* One instruction with its configuration read. */
struct matrix {
    struct tx_machine *m;
    const struct tx_op *op;
    struct tx_state *s;
    const struct cfg_places *p;
    const uint32_t *config; /* the thread's bank */
    struct rwc *rwc;
    struct dst_view view;
    uint8_t thread, phase;
    uint8_t format[2];      /* of SrcA, SrcB: DataFormat codes */
    uint8_t style;          /* enum matrix_style, from SrcA's format alone */
    uint8_t fp32, int8;     /* ALU_ACC_CTRL */
    uint8_t force;          /* FP16A_FORCE */
    uint8_t zero_flag_off;  /* Zero_Flag_disabled_src */
    uint8_t wide;           /* 32-bit view of Dst */
    uint32_t (*src[2])[16]; /* the bank that the unit uses, by row */
    struct src_known *known[2];
    uint16_t old_taint[8]; /* tainted columns of the rows that matrix_check_rows has seen */
};

/* Whose implied formats an instruction uses on Blackhole (5.1). */
enum matrix_implied {
    IMPLIED_EACH,
    IMPLIED_ONLY_A,
    IMPLIED_ALL_FROM_B,
    IMPLIED_ALL_BY_B, /* SrcB's switch decides for SrcA, too */
    IMPLIED_ONLY_B,
    IMPLIED_NONE
};

void matrix_open(struct matrix *x, struct tx_machine *m, const struct tx_op *op,
                 enum matrix_implied implied);
/*
 * The last steps of most instructions: matrix_give hands over the banks that the instruction gives
 * away (3.4), then matrix_count applies the address modifier to the counters (3.3).
 */
void matrix_give(struct matrix *x);
void matrix_count(struct matrix *x);
static inline void matrix_finish(struct matrix *x)
{
    matrix_give(x);
    matrix_count(x);
}
/*
 * Hands a bank back to its unpacker unless keep_owner, and turns to the other one unless keep_bank.
 */
void matrix_flip(struct tx_machine *m, const struct tx_op *op, unsigned src, bool keep_owner,
                 bool keep_bank);

/* Returns the row of Dst that an immediate selects: ten bits, the specification's drow. */
unsigned matrix_dst_row(const struct matrix *x, uint32_t imm);
/* Returns the physical row of a row of the view; of 32-bit cells, of their high halves. */
static inline unsigned matrix_physical(const struct matrix *x, unsigned row, bool wide)
{
    return wide || x->view.high ? dst_adj32(row & 1023u, x->view.remap, x->view.swizzle)
                                : dst_adj16(row & 1023u, x->view.remap);
}

/* The same for consecutive rows; at[] receives the physical rows. */
static inline void matrix_places(const struct matrix *x, unsigned row, unsigned rows, bool wide,
                                 unsigned at[])
{
    for (unsigned i = 0; i < rows; i++) {
        at[i] = matrix_physical(x, row + i, wide);
    }
}

/* Returns a cell, as stored, of a row of the view, or "none" if the row is invalid. */
static inline uint32_t matrix_load(const struct matrix *x, unsigned row, unsigned column, bool wide,
                                   uint32_t none)
{
    const unsigned at = matrix_physical(x, row, wide);
    if (!dst_valid(x->s, at)) {
        return none;
    }
    return wide ? (uint32_t)x->s->dst[at][column] << 16 | x->s->dst[at + 8][column]
                : x->s->dst[at][column];
}

/* Writes stored cells to the columns of a row and makes it valid. */
void matrix_store_row(struct matrix *x, unsigned row, bool wide, const uint32_t cells[16],
                      uint32_t columns);

/*
 * Checks rows that the instruction reads; at: from matrix_places. Cells that nobody has defined are
 * a finding, once for an instruction, as are rows that SFPSTORE has written too lately.
 */
void matrix_check_rows(struct matrix *x, const unsigned at[], unsigned rows, bool wide);
/* taint.c: cells that depend on bad cells of Src (state/known.h). */
/*
 * Returns whether an instruction that reads these rows of SrcA and SrcB may have a tainted result:
 * some of their cells are bad, or of what matrix_check_rows has seen.
 */
bool matrix_may_taint(const struct matrix *x, uint64_t rows_a, uint64_t rows_b);
/* Taints columns of a physical row that was written, because of bad cells of these rows of Src. */
void matrix_taint(struct matrix *x, unsigned at, bool wide, uint32_t columns, uint64_t rows_a,
                  uint64_t rows_b);
/* Returns the columns of a row whose cells count as a number other than zero. */
uint32_t matrix_nonzero(const struct matrix *x, unsigned src, unsigned row);

/*
 * Records rows of Dst that the instruction writes, for loads of the Vector Unit that come too soon.
 */
void matrix_wrote(struct matrix *x, unsigned row, unsigned rows);
/* The same for arithmetic, which also keeps readers of the rows waiting for four cycles. */
void matrix_occupies(struct matrix *x, unsigned row, unsigned rows, bool wide, const unsigned at[]);

/* Keeps a copy of the rows of the view that a MOVx2D is about to write (early.c). */
void matrix_keep(struct matrix *x, unsigned row, unsigned rows, bool wide);

/* DataFormat codes with eight exponent bits in a Src cell: 0 4 5 6 7 8 9 15. */
static inline bool matrix_exponent8(unsigned format)
{
    return (0x83F1u >> (format & 15u) & 1u) != 0;
}

/*
 * Records rows of SrcA that an instruction reads or writes; SHIFTXA works on the rows of the
 * latest. Rows that an unpack to Dst went over are unpredictable until they are written (U9).
 */
void matrix_reads_srca(struct matrix *x, unsigned row, unsigned rows);
void matrix_writes_srca(struct matrix *x, unsigned row, unsigned rows);

/* Returns a cell as it leaves a register; on Wormhole, its own format cuts it (5.3, M1). */
uint32_t matrix_truncate(const struct matrix *x, unsigned src, uint32_t cell);

/* Reports settings that kernels do not use and texts do not explain. */
void matrix_check_settings(struct matrix *x);

#endif
