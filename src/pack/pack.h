/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The packers: rows of Dst, or L1, through conversions to L1. An instruction takes effect as a
 * whole in the cycle in which it passes its gate, what it occupies afterwards is time.c's. The
 * numbers in the comments are sections of spec/pack.md.
 *
 *   pacr.c    one instruction: which packers, whose counters, in which order
 *   setup.c   what configuration says of a packer, refusals
 *   input.c   where data come from: rows of Dst, L1, nowhere
 *   data.c    what becomes of them: masks, ReLU, statistics, thresholds, conversions
 *   output.c  where they go: streams of sixteen bytes, accumulation
 *   side.c    what others can ask: sideband data, registers, PACR_SETREG
 */
#ifndef TX_PACK_PACK_H
#define TX_PACK_PACK_H

#include "fmt/route.h"
#include "fmt/words.h"
#include "pack/places.h"
#include "scalar/unit.h"
#include "state/cfg.h"

enum { PACK_CHUNK = 1024, PACK_SEGMENTS = PACK_CHUNK / 16 };

/* An address: base, and what each counter adds. */
struct pack_strides {
    uint32_t base, x, y, z, w;
};

/* What configuration says of one packer, or context; see setup.c. */
struct pack_setup {
    struct pack_route route;
    struct pack_limits limits;
    uint8_t in, out; /* In_data_format, Out_data_format */
    uint8_t intermediate;
    uint8_t out_bits;
    bool block; /* the output has shared exponents */
    bool wide, threshold, accumulate, from_l1, statistics;
    bool mask_used, face_enable, mask_low; /* edge masks; they put -Inf */
    uint8_t reads_per_plane, face_select, row_select, z_offset;
    bool transposed, auto_select;
    bool other; /* intermediate and In_data_format do not agree */
    uint16_t edge_mask[PACK_SECTIONS];
    uint32_t row_set[PACK_SECTIONS], face_set; /* sixteen pairs of bits */
    uint16_t ds_mask;                          /* 0: all data stay */
    uint16_t dst_offset;
    uint32_t exp_size, dest_addr, limit, fifo, l1_source;
    uint8_t sub_header, add_offset, add_header, out_fifo, auto_context;
    struct pack_strides from, to; /* in Dst, in L1 */
    bool remap, swizzle;
    bool quiet;           /* pack_setup_check has nothing to say */
    enum words_pack flat; /* the whole of its stages, where whole rows have no need of others */
};

/* One instruction, its operands resolved. */
struct pack {
    struct tx_machine *m; /* NULL for who only looks */
    const struct tx_machine *look;
    const struct tx_op *op;
    const struct tx_state *s;
    const struct pack_places *p;
    const char *name;
    uint8_t thread, mode; /* ADDR_MOD_PACK_SEC */
    uint8_t packers;      /* set; Blackhole: 1 */
    uint8_t rows;         /* Blackhole: set of read interfaces */
    uint8_t context;      /* Blackhole: which section */
    uint8_t pad;          /* RowPadZero in effect: 0, 1 each row, 2 the whole */
    bool flush, last, zero, zero_special, strided;
    bool plain; /* no field is used that no kernel uses, none depends on state */
};

/* One packer's part of it. */
struct pack_job {
    const struct pack *x;
    const struct pack_setup *setup;
    struct packer *k; /* NULL for who only looks */
    const struct adc *adc;
    unsigned counters; /* whose they are: thread */
    unsigned index;    /* of the packer */
    unsigned section;  /* of its configuration */
    unsigned start;    /* Dst datum: row and column */
    unsigned rows;     /* Blackhole: number of rows */
    uint8_t row[4];    /* distance of each from the first */
    uint32_t count;    /* data of a row on Blackhole, else of the instruction */
    uint32_t units;    /* of sixteen bytes that it has written */
    unsigned planes;   /* xy planes that it has ended */
    /* Whole rows of Dst one behind the other, valid and known, which a flat way takes, and of which
     * pack_input_check has nothing to say; 0: not so simple. */
    unsigned flat_first, flat_rows;
};

/* Data from one row of Dst. */
struct pack_segment {
    uint16_t row; /* of the view */
    uint8_t column, count;
    uint8_t tile_row_add; /* Blackhole: which interface it came through */
};

static inline uint32_t pack_banked(const struct pack *x, struct cfg_place at)
{
    return cfg_banked(x->s, x->look->places, x->thread, at);
}

#define PACK_ID(name) evidence_get(EVIDENCE_##name)->id

/* Operands; m NULL where nothing is to happen. */
void pack_open(struct pack *x, const struct tx_machine *look, struct tx_machine *m,
               const struct tx_op *op);
/* The same of a plain word, where it was the last one kept. */
bool pack_word_known(struct pack *x, const struct tx_machine *look, const struct tx_op *op);
void pack_word_keep(const struct pack *x);
/* Packers of a PACR: a set. */
unsigned pack_packers(const struct tx_machine *m, const struct tx_op *op);
/* Section of the configuration that a packer uses. */
static inline unsigned pack_section(const struct pack *x, unsigned packer)
{
    return machine_is_bh(x->look) ? x->context : packer;
}
void pack_job_open(struct pack_job *j, const struct pack *x, unsigned packer,
                   const struct pack_setup *setup);

/* As much as the rows that are read depend on. */
void pack_setup_look(const struct pack *x, unsigned section, struct pack_setup *setup);
/*
 * All of it, and findings: what no kernel uses, and what lies outside the contract. Valid until the
 * next call for the section. NULL: the machine has stopped.
 */
const struct pack_setup *pack_setup_take(const struct pack *x, unsigned section);
/* The same setup where it has been taken before, else NULL. */
const struct pack_setup *pack_setup_known(const struct pack *x, unsigned section);

/* 4.1 to 4.3: whose counters; the first datum and the rows. */
unsigned pack_counters(const struct pack *x, unsigned section);
void pack_input_start(struct pack_job *j);
void pack_input_check(const struct pack_job *j);
/* Physical rows of Dst that it reads, a bit each. */
void pack_rows(const struct pack_job *j, uint64_t rows[TX_DST_ROWS / 64]);
/* Sets flat_first and flat_rows of a job whose setup has a flat way. */
void pack_input_flat(struct pack_job *j);
/* The next rows, up to the size of a chunk, from datum *done on; 0: no more. */
unsigned pack_input_segments(const struct pack_job *j, uint32_t *done,
                             struct pack_segment segments[PACK_SEGMENTS]);
void pack_input_read(const struct pack_job *j, const struct pack_segment *segments, unsigned count,
                     uint32_t *words);
void pack_input_from_l1(const struct pack_job *j, uint32_t first, uint32_t *words, uint32_t count);

/* 5: the data, from where they are to the streams. */
void pack_data(struct pack_job *j);
/* The open block and the streams end here (6.4). */
void pack_close(struct pack_job *j);

/* 6. */
uint32_t pack_output_offset(const struct pack_job *j);
/* Does it take new addresses? */
bool pack_output_start(struct pack_job *j);
void pack_output(struct pack_job *j, enum pack_stream_id id, const uint8_t *bytes, uint32_t count);
void pack_output_flush(struct pack_job *j, enum pack_stream_id id);
void pack_output_tail(struct pack_job *j);

/* 8: a tile has ended. */
void pack_side_last(struct pack_job *j);

/* 10: the packer is busy with it. opened: with new addresses. */
void pack_time_enter(struct pack_job *j, bool opened);

#endif
