/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The packers: rows of Dst, or L1, through conversions to L1. An instruction takes effect as a
 * whole in the cycle in which it passes its gate; time.c accounts for the time that it takes. The
 * numbers in the comments are sections of spec/pack.md, P1, P2, ... are its rulings.
 *
 *   pacr.c    one instruction: which packers, whose counters, in which order
 *   setup.c   what configuration says of a packer, refusals
 *   input.c   where data come from: rows of Dst, L1, nowhere
 *   data.c    what becomes of them: masks, ReLU, statistics, thresholds, conversions
 *   rows.c    the same for whole rows, many at a time
 *   output.c  where they go: streams of sixteen bytes, accumulation
 *   side.c    what others can ask: sideband data, registers, PACR_SETREG
 *   time.c    how long packers are busy, and hazards meanwhile
 */
#ifndef TX_PACK_PACK_H
#define TX_PACK_PACK_H

#include "fmt/route.h"
#include "fmt/words.h"
#include "pack/places.h"
#include "scalar/unit.h"
#include "state/cfg.h"

enum { PACK_CHUNK = 1024, PACK_SEGMENTS = PACK_CHUNK / 16 };

/* Base of an address, and by how much one step of each counter moves it. */
struct pack_strides {
    uint32_t base, x, y, z, w;
};

/* The configuration of one packer, on Blackhole of one context; see setup.c. */
struct pack_setup {
    struct pack_route route;
    struct pack_limits limits;
    uint8_t in, out; /* In_data_format, Out_data_format */
    uint8_t intermediate;
    uint8_t out_bits;
    bool block; /* the output has shared exponents */
    bool wide, threshold, accumulate, from_l1, statistics;
    bool mask_used, face_enable, mask_low; /* edge masks; mask_low: to minus infinity, not 0 */
    uint8_t reads_per_plane, face_select, row_select, z_offset;
    bool transposed, auto_select;
    bool other; /* intermediate and In_data_format differ (P6) */
    uint16_t edge_mask[PACK_SECTIONS];
    uint32_t row_set[PACK_SECTIONS], face_set; /* sixteen fields of two bits */
    uint16_t ds_mask;                          /* 0: all data stay */
    uint16_t dst_offset;
    uint32_t exp_size, dest_addr, limit, fifo, l1_source;
    uint8_t sub_header, add_offset, add_header, out_fifo, auto_context;
    struct pack_strides from, to; /* in Dst, in L1 */
    bool remap, swizzle;
    bool quiet; /* check() in setup.c has nothing to report */
    /* Whole rows can go through the stages many at a time (rows.c). */
    bool bulk;
    /* The conversion that replaces all stages for whole rows; NONE if more has to be done. */
    enum words_pack flat;
};

/* One instruction with its operands decoded. */
struct pack {
    struct tx_machine *m; /* NULL while state is only looked at */
    const struct tx_machine *look;
    const struct tx_op *op;
    const struct tx_state *s;
    const struct pack_places *p;
    const char *name;
    uint8_t thread;
    uint8_t packers; /* a set; Blackhole: 1 */
    uint8_t rows;    /* Blackhole: set of read interfaces */
    uint8_t context; /* Blackhole: number of the section */
    uint8_t pad;     /* RowPadZero in effect: 0 none, 1 each row, 2 the whole output */
    bool flush, last, zero, zero_special, strided;
    /* Only fields that kernels use are set; the operands then follow from the word alone. */
    bool plain;
};

/* One packer's part of an instruction. */
struct pack_job {
    const struct pack *x;
    const struct pack_setup *setup;
    struct packer *k; /* NULL while state is only looked at */
    const struct adc *adc;
    unsigned counters; /* the thread whose counters apply */
    unsigned index;    /* of the packer */
    unsigned start;    /* first datum in Dst: 16 * row + column */
    unsigned rows;     /* Blackhole: number of rows */
    uint8_t row[4];    /* distance of each from the first */
    uint32_t count;    /* data: per row on Blackhole, else of the instruction */
    uint32_t units;    /* units of sixteen bytes written so far */
    unsigned planes;   /* xy planes that ended */
    /*
     * Whole rows of Dst, valid and known, that rows.c can pack in one go and of which
     * pack_input_check has nothing to report; flat_rows is 0 if the job is not that simple.
     */
    unsigned flat_first, flat_rows;
};

/* What ADDR_MOD_PACK does to Y and Z of one channel behind the data (4.8). */
struct pack_step {
    uint32_t y, z;           /* added */
    uint32_t y_mask, z_mask; /* bits of the counters that stay; 0: the counter is cleared */
    bool y_cr;
};

/* What is known of a word that has run before; see pack_flat_known. */
struct pack_flat {
    struct pack x;
    struct tx_op op; /* as decoded when the word was kept */
    struct pack_step step[2];
    struct pack_job job[PACKERS]; /* all but what counters decide */
};

/* Consecutive data from one row of Dst. */
struct pack_segment {
    uint16_t row; /* before dst_row() maps it */
    uint8_t column, count;
    uint8_t tile_row_add; /* Blackhole: position of its interface among the selected ones */
};

static inline uint32_t pack_banked(const struct pack *x, struct cfg_place at)
{
    return cfg_banked(x->s, x->look->places, x->thread, at);
}

#define PACK_ID(name) evidence_get(EVIDENCE_##name)->id

/*
 * Decodes an instruction's operands. look: the state to read; m: the same machine, or NULL while
 * nothing may change.
 */
void pack_open(struct pack *x, const struct tx_machine *look, struct tx_machine *m,
               const struct tx_op *op);
/* Fetches the operands of a plain word if it is among those kept; otherwise returns false. */
bool pack_word_known(struct pack *x, const struct tx_machine *look, const struct tx_op *op);
void pack_word_keep(const struct pack *x);
/*
 * Returns what is known of a word whose packers all have a flat conversion and setups without
 * findings: everything but what counters decide. NULL: nothing is known, or configuration has been
 * written since.
 */
struct pack_flat *pack_flat_known(struct tx_machine *m, uint32_t word, unsigned thread);
/* Keeps that of a word that has just run, if it is such a word. */
void pack_flat_keep(const struct pack *x, const struct pack_job jobs[PACKERS]);
/* Returns the packers that a PACR selects, a bit each. */
unsigned pack_packers(const struct tx_machine *m, const struct tx_op *op);
/* Returns the section of the configuration that a packer uses. */
static inline unsigned pack_section(const struct pack *x, unsigned packer)
{
    return machine_has(x->look, PACK_CONTEXTS) ? x->context : packer;
}
/* Prepares a packer's part of an instruction: counters, first datum, count and rows. */
void pack_job_open(struct pack_job *j, const struct pack *x, unsigned packer,
                   const struct pack_setup *setup);

/* Reads only what the choice of the rows to be read depends on. */
void pack_setup_look(const struct pack *x, unsigned section, struct pack_setup *setup);
/*
 * Returns the whole setup and reports what no kernel uses and what lies outside the contract. The
 * result is valid until the next call for the section; NULL: the machine has stopped.
 */
const struct pack_setup *pack_setup_take(const struct pack *x, unsigned section);
/* Returns the same setup if it is kept from an earlier instruction and still valid, else NULL. */
const struct pack_setup *pack_setup_known(const struct pack *x, unsigned section);

/*
 * pack_counters returns the thread whose counters apply (4.1), pack_input_start sets a job's first
 * datum, count and rows (4.2, 4.3), pack_input_check reports what is undefined about them.
 */
unsigned pack_counters(const struct pack *x, unsigned section);
void pack_input_start(struct pack_job *j);
void pack_input_check(const struct pack_job *j);
/* Adds the physical rows of Dst that the job reads to a set, a bit each. */
void pack_rows(const struct pack_job *j, uint64_t rows[TX_DST_ROWS / 64]);
/* Returns whether whole rows of the job can go through the stages many at a time. With a sink none
 * can, since the stages report more. */
bool pack_input_may_be_flat(const struct pack_job *j);
/*
 * Finds the next pieces of rows, at most a chunk, from *done on, and advances *done: a count of
 * data on Wormhole, of rows on Blackhole. Returns their number; 0: no more.
 */
unsigned pack_input_segments(const struct pack_job *j, uint32_t *done,
                             struct pack_segment segments[PACK_SEGMENTS]);
void pack_input_read(const struct pack_job *j, const struct pack_segment *segments, unsigned count,
                     uint32_t *words);
/* Returns how cells of 16-bit Dst are to be read. */
enum words_cells pack_cells_of(const struct pack_setup *setup);
void pack_input_from_l1(const struct pack_job *j, uint32_t first, uint32_t *words, uint32_t count);

/* Reads what the instruction's ADDR_MOD_PACK does to the counters, by channel (4.8). */
void pack_steps(const struct pack *x, struct pack_step step[2]);

/* Moves all of a job's data from their source through all stages to the streams (5). */
void pack_data(struct pack_job *j);

/*
 * Advances the tile position by whole rows of data, and sets columns[] to what edge masks leave of
 * each (5.2).
 */
void pack_data_rows(struct pack_job *j, unsigned rows, uint16_t columns[]);
/* Returns minus infinity as the intermediate format has it at this stage, or 0 (P8). */
uint32_t pack_data_masked(const struct pack_setup *setup);
/* Counts the largest exponent of words between inner and late conversion (5.4). */
void pack_data_exponents(const struct pack_setup *setup, struct packer *k, const uint32_t *words,
                         uint32_t count);

/* Rows that follow one another in Dst, high halves of 32-bit data, and in L1. */
struct pack_part {
    uint16_t at, rows;
    uint32_t address;
};

/*
 * Whole rows of Dst, of one PACR or of some that follow one another. Counters, streams and time
 * advance with each PACR; the data are written to L1 at the end, since nobody reads L1 meanwhile.
 */
struct pack_late_data {
    struct packer *k;
    const struct pack_setup *setup;
    unsigned rows;      /* 0: all else is not set */
    uint32_t end;       /* of plain memory */
    uint32_t exponents; /* address of the sixteen bytes in which the first one lies */
    uint8_t filled;     /* bytes of these that were there before */
    bool uneven;        /* some PACR has not filled sixteen bytes with exponents */
    uint32_t from, to;  /* where data go, from the lowest to behind the highest */
    unsigned count;     /* of parts */
    struct pack_part part[PACK_SEGMENTS];
    uint16_t columns[PACK_SEGMENTS]; /* what edge masks leave of each row */
};
/* Adds the data of a job. Returns false if its streams cannot take them so; late may be empty then,
 * and the job has not begun. */
bool pack_rows_later(struct pack_job *j, struct pack_late_data *late);
/* Writes what has been added. */
void pack_rows_now(struct tx_machine *m, struct pack_late_data *late);
/* Ends the open block and the streams (6.4). */
void pack_close(struct pack_job *j);

/*
 * Returns what the counters of channel 1 add to the output address (6.1), as configured: without
 * the limits of the chip.
 */
uint32_t pack_output_offset(const struct pack_job *j);
/* Computes addresses for the streams that need one. Returns false if none does. */
bool pack_output_start(struct pack_job *j);
/*
 * Appends bytes to a stream, which goes to L1 in units of sixteen. pack_output_flush pads the last
 * unit with zeros and writes it, pack_output_tail writes the bytes that it has so far.
 */
void pack_output(struct pack_job *j, enum pack_stream_id id, const uint8_t *bytes, uint32_t count);
void pack_output_flush(struct pack_job *j, enum pack_stream_id id);
void pack_output_tail(struct pack_job *j);

/* Records the size of the tile that ends with this instruction (8). */
void pack_side_last(struct pack_job *j);

/* Makes the packer busy with the job (10). */
void pack_time_enter(struct pack_job *j);

/* Returns the columns that edge masks leave of a row of the tile. */
uint32_t pack_data_columns(const struct pack_job *j, unsigned tile_row);
/* Returns whether the position in the tile moves by data, not by rows. */
bool pack_data_by_datum(const struct pack *x);

#endif
