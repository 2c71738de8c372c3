/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The unpackers. An instruction reads configuration and counters in its second cycle and becomes a
 * job. The job waits for its bank, behind the gate, and its cells are written at the end of its
 * data phase. Source: spec/unpack.md, whose sections the comments give as numbers; isa
 * UNPACR_Regular 545c98a.
 */
#ifndef TX_UNPACK_UNPACK_H
#define TX_UNPACK_UNPACK_H

#include "fmt/words.h"
#include "scalar/unit.h"
#include "state/cfg.h"
#include "unpack/places.h"

/* DataFormat codes as the unpackers interpret them. */
enum unpack_format {
    FORMAT_FP32 = 0,
    FORMAT_FP16 = 1,
    FORMAT_BFP8A = 2,
    FORMAT_BFP4A = 3,
    FORMAT_TF32 = 4,
    FORMAT_BF16 = 5,
    FORMAT_BFP8 = 6,
    FORMAT_BFP4 = 7,
    FORMAT_INT32 = 8,
    FORMAT_INT16 = 9,
    FORMAT_FP8 = 10,
    FORMAT_BFP2A = 11,
    FORMAT_INT8 = 14,
    FORMAT_BFP2 = 15
};

/*
 * Returns the bits of a datum in L1, without its exponent; 8 for the two codes that are not
 * assigned.
 */
static inline unsigned unpack_bits(unsigned format)
{
    static const uint8_t bits[16] = {32, 16, 8, 4, 32, 16, 8, 4, 32, 16, 8, 2, 8, 8, 8, 2};
    return bits[format & 15u];
}

static inline bool unpack_is_block(unsigned format)
{
    return (0x88CCu >> (format & 15u) & 1u) != 0; /* formats 2 3 6 7 11 15 */
}

/*
 * Returns whether the format is FP32, TF32 or INT32: four bytes in an address, and 32-bit cells in
 * Dst.
 */
static inline bool unpack_is_wide(unsigned format)
{
    return (0x0111u >> (format & 15u) & 1u) != 0;
}

/* ---- conversions (9; formats-and-scalar-unit.md C.5) ---- */

enum { UNPACK_STEPS = 2 };
struct unpack_route {
    uint8_t step[UNPACK_STEPS]; /* enum tx_conversion; TX_CONVERSION_COUNT: no conversion */
    uint8_t high;               /* 16-bit cells go to the upper half of 32-bit ones */
    bool none;                  /* the format is not assigned: cells become zero */
};
/* Returns the conversions of a job, from a datum in L1 to a cell. */
struct unpack_route unpack_route_of(const struct unpack_job *j, bool is_unsigned);
/*
 * Returns the way to cells of SrcA and SrcB that does in one pass what the conversions do one after
 * the other; NONE: there is none.
 */
enum words_src unpack_src_of(const struct unpack_route *route);
/* Returns whether the conversion from format "in" to "out_format" is defined. */
bool unpack_pair_legal(const struct unpack_job *j);
/* Converts words in place, data to cells. */
void unpack_convert(const struct unpack_route *route, bool blackhole, uint32_t *words,
                    size_t count);

/* ---- what a job does ---- */

/* Reads, converts and writes all data of a job. */
void unpack_move(struct tx_machine *m, const struct unpack_job *j, unsigned u);
/* Reads first datum and count of a compressed job from the row starts in L1 (6.1). */
void unpack_read_row_starts(struct tx_machine *m, struct unpack_job *j);
/* Ends a job: moves its data, and hands the bank to the Matrix Unit (5.9, 8). */
void unpack_finish(struct tx_machine *m, struct unpack_job *j, unsigned u);
/* Sets all cells of a bank to the same value (8.1). */
void unpack_fill(struct tx_machine *m, const struct unpack_job *j, unsigned u);

/* ---- reading L1; a reader remembers the 16 bytes that were read last ---- */

struct unpack_reader {
    struct tx_machine *m;
    const struct tx_op *op;
    uint64_t line; /* address of the bytes; UINT64_MAX: none were read */
    uint8_t bytes[16];
    bool beyond; /* something beyond L1 was read */
};
/* Prepares a reader; op is the instruction that findings name. */
void unpack_reader_open(struct unpack_reader *r, struct tx_machine *m, const struct tx_op *op);
uint32_t unpack_read_byte(struct unpack_reader *r, uint64_t address);
/* Reads up to 32 bits at an address in bits. */
uint32_t unpack_read_bits(struct unpack_reader *r, uint64_t at, unsigned bits);
/*
 * Returns the bytes of "count" data, a multiple of 16, in memory and counts them as read. Returns
 * NULL, having read nothing, if they are not whole bytes of plain memory.
 */
const uint8_t *unpack_read_memory(struct unpack_reader *r, uint64_t at, unsigned bits,
                                  size_t count);
/*
 * Returns rows of "size" bytes that are "stride" bytes apart, all of them in plain memory that has
 * been written, and counts them as read; NULL, having read nothing, if they are not.
 */
const uint8_t *unpack_read_rows(struct unpack_reader *r, uint64_t at, uint32_t size,
                                uint32_t stride, uint32_t rows);
/* Reads "count" consecutive data at an address in bits. */
void unpack_read_data(struct unpack_reader *r, uint64_t at, unsigned bits, uint32_t *words,
                      size_t count);

/* ---- time ---- */

/* Executes an UNPACR's second cycle: it becomes a job. */
void unpack_enter(struct tx_machine *m, const struct tx_op *op);
/* Puts a job behind the others of its unpacker. */
void unpack_queue(struct tx_machine *m, unsigned u, const struct unpack_job *j);
/* Sets the bytes per cycle, if no other unpacker fetches, and the rows of a burst. */
void unpack_set_rate(const struct tx_machine *m, unsigned u, struct unpack_job *j);

static inline unsigned unpack_unit(const struct tx_op *op)
{
    return (unsigned)unit_field(op, FLD_UNPACKER);
}

#define UNPACK_ID(name) evidence_get(EVIDENCE_##name)->id

#endif
