/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data of a job: read from L1, converted, and written to SrcA, SrcB or Dst. Source:
 * spec/unpack.md 5.4 to 5.10, 6; isa UNPACR_Regular 545c98a.
 */
#include "fmt/words.h"
#include "base/check.h"
#include "state/dst.h"
#include "state/order.h"
#include "unpack/unpack.h"

#include <string.h>

enum { CHUNK = 512 };
enum { USUAL = 1024 }; /* cells of one instruction that are no more work than its cycles */

struct move {
    struct tx_machine *m;
    const struct unpack_job *j;
    struct unpack_reader reader;
    struct unpack_route route;
    uint32_t (*bank)[16]; /* the bank of SrcA or SrcB */
    struct src_known *known;
    struct dst_view view;
    unsigned u, bank_number, bits;
    uint32_t out;         /* place of the next cell, sixteen to a row */
    uint32_t first_row;   /* first row of the instruction, for bursts */
    enum words_src quick; /* the way of whole rows to cells in one pass, or NONE */
    bool wide;
    bool bursts; /* there are more cells than a row has */
    /* Rows of SrcA were dropped, or beyond 63, or beyond a set of 16. */
    bool lost, above, above_set;
    /* The position in the input. */
    uint64_t row;      /* address in bits of the present row of data */
    uint32_t in_row;   /* number of its data that have been read */
    uint32_t width;    /* data in a row; UINT32_MAX: all data are contiguous */
    uint64_t exponent; /* address of the next exponent, in sixteenths of a byte */
};

/* ---- in ---- */

static uint64_t wrap(const struct move *v, uint64_t at, unsigned unit)
{
    CHECK(unit != 0, "a FIFO wraps by whole units");
    return at > (uint64_t)v->j->limit * unit ? at - (uint64_t)v->j->fifo * unit : at;
}

static void start_input(struct move *v)
{
    const struct unpack_job *j = v->j;
    const bool narrow = !machine_has(v->m, UNPACK_ROWS_32) || v->bits <= 8;
    v->row = wrap(v, (uint64_t)j->data * 8 + (uint64_t)j->first * v->bits, 8);
    v->exponent = wrap(v, (uint64_t)j->exponents * 16 + j->first, 16);
    v->in_row = 0;
    v->width = j->strided == 0 && j->fifo == 0 ? UINT32_MAX : narrow ? 16 : 32;
}

static void read_data(struct move *v, uint32_t *words, uint32_t count)
{
    while (count != 0) {
        const uint32_t left = v->width - v->in_row;
        const uint32_t n = count < left ? count : left;
        unpack_read_data(&v->reader, v->row + (uint64_t)v->in_row * v->bits, v->bits, words, n);
        words += n;
        count -= n;
        v->in_row += n;
        if (v->in_row == v->width) {
            v->row +=
                v->j->strided != 0 ? (uint64_t)v->j->stride * 8 : (uint64_t)v->width * v->bits;
            v->row = wrap(v, v->row, 8);
            v->in_row = 0;
        }
    }
}

/* Returns the exponent of the next datum, as a compressed or block format stores it. */
static uint32_t next_exponent(struct move *v)
{
    const uint32_t e = unpack_read_byte(&v->reader, v->exponent / 16);
    v->exponent++;
    if (v->exponent % 256 == 0) {
        v->exponent = wrap(v, v->exponent, 16);
    }
    return e;
}

static void add_exponents(struct move *v, uint32_t *words, uint32_t count)
{
    if (!unpack_is_block(v->j->in)) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t e = v->j->force_exponent != 0 ? v->j->exponent : next_exponent(v);
        words[i] |= e << v->bits;
    }
}

/* ---- out ---- */

/*
 * Returns whether the row is lost. Bursts of SrcA rows are counted from the first row; a burst that
 * begins in a set of 16 rows loses what lies beyond the set (U2, tt-isa-documentation #52).
 */
static bool burst_loses(struct move *v, uint32_t row)
{
    if (!v->bursts || machine_rule(v->m, RULE_UNPACK_BURST)) {
        return false;
    }
    const uint32_t start = row - (row - v->first_row) % v->j->burst;
    const bool lost = row >> 4 != start >> 4;
    v->lost = v->lost || lost;
    return lost;
}

/* Tells the listener which rows of the bank are written. */
static void tell_src(const struct move *v, unsigned row, unsigned rows)
{
    order_tell(v->m, TX_ORDER_READ, &v->j->op, TX_SHARED_BANK, v->u, 1, 1);
    order_tell(v->m, TX_ORDER_WRITE, &v->j->op, TX_SHARED_SRC,
               row + 64 * v->bank_number + 128 * v->u, rows, 0xFFFFu);
}

/*
 * Writes cells of one row from a column on; row counts from 0 after the four rows that are dropped.
 */
static void write_srca(struct move *v, uint32_t row, unsigned column, const uint32_t *cells,
                       unsigned count)
{
    CHECK(column < 16 && column + count <= 16, "cells for SrcA fit a row");
    const struct unpack_job *j = v->j;
    const unsigned shift = j->column_shift;
    const unsigned cut = column < shift ? shift - column : 0;
    if (cut >= count) {
        return;
    }
    cells += cut;
    count -= cut;
    column += cut - shift;
    if (j->override == 0) {
        v->above_set = v->above_set || row >= 16;
        row += v->m->state.units.unpack.unit[v->u].src_row[j->op.thread];
    } else {
        v->above = v->above || row >= 64;
    }
    if (burst_loses(v, row)) {
        return;
    }
    row &= 63u;
    if (order_wanted(v->m)) {
        tell_src(v, j->transpose != 0 ? row & 0x30u : row, j->transpose != 0 ? 16 : 1);
    }
    if (j->transpose != 0) {
        for (unsigned k = 0; k < count; k++) {
            v->bank[(row & 0x30u) | (column + k)][row & 15u] = cells[k];
            known_written(v->known, (row & 0x30u) | (column + k), 1u << (row & 15u), 0);
        }
        v->m->state.units.unpack.srca_unknown[v->bank_number] &=
            ~(UINT64_C(0xFFFF) << (row & 0x30u));
        return;
    }
    memcpy(&v->bank[row][column], cells, count * sizeof *cells);
    known_written(v->known, row, bits_mask(count) << column, 0);
    v->m->state.units.unpack.srca_unknown[v->bank_number] &= ~(UINT64_C(1) << row);
}

static void write_srcb(struct move *v, uint32_t row, unsigned column, const uint32_t *cells,
                       unsigned count)
{
    CHECK(column < 16 && column + count <= 16, "cells for SrcB fit a row");
    row += v->m->state.units.unpack.unit[1].src_row[v->j->op.thread];
    v->above = v->above || row >= TX_SRC_ROWS;
    if (order_wanted(v->m)) {
        tell_src(v, row % TX_SRC_ROWS, 1);
    }
    memcpy(&v->bank[row % TX_SRC_ROWS][column], cells, count * sizeof *cells);
    known_written(v->known, row, bits_mask(count) << column, 0);
}

static void write_dst(struct move *v, uint32_t row, unsigned column, const uint32_t *cells,
                      unsigned count)
{
    CHECK(column < 16 && column + count <= 16, "cells for Dst fit a row");
    uint32_t line[16] = {0};
    const uint32_t mask = v->j->override == 0                      ? 0x3FFu
                          : machine_rule(v->m, RULE_UNPACK_DSTROW) ? 15u
                                                                   : 0x3CFu;
    row &= mask;
    memcpy(line + column, cells, count * sizeof *cells);
    machine_changed(v->m, CHANGE_UNIT, row);
    const unsigned at = dst_row(row, v->wide, &v->view);
    unit_pack_row(v->m, &v->j->op, at, v->wide);
    dst_store_row(v->m, &v->j->op, at, v->wide, line, bits_mask(count) << column);
}

static void write_run(struct move *v, const uint32_t *cells, unsigned count)
{
    CHECK(count <= 16, "cells are written a row at a time");
    const uint32_t row = v->out / 16;
    const unsigned column = v->out % 16;
    if (v->j->to_dst != 0) {
        write_dst(v, row - 4, column, cells, count);
    } else if (v->u == 1) {
        write_srcb(v, row, column, cells, count);
    } else if (row >= 4) {
        write_srca(v, row - 4, column, cells, count);
    }
    v->out += count;
}

static void write_cells(struct move *v, const uint32_t *cells, uint32_t count)
{
    while (count != 0) {
        const unsigned room = 16 - v->out % 16;
        const unsigned n = count < room ? count : room;
        write_run(v, cells, n);
        cells += n;
        count -= n;
    }
}

/* Writes data, each followed by its upsampling zeros (6.2). */
static void write_data(struct move *v, const uint32_t *cells, uint32_t count)
{
    const uint32_t step = v->j->zeros + 1u;
    if (step == 1) {
        write_cells(v, cells, count);
        return;
    }
    uint32_t spread[CHUNK] = {0};
    while (count != 0 && v->j->interleave == 0) {
        const uint32_t n = count < CHUNK / step ? count : CHUNK / step;
        for (uint32_t i = 0; i < n; i++) {
            spread[step * i] = cells[i];
        }
        write_cells(v, spread, step * n);
        cells += n;
        count -= n;
    }
    for (uint32_t i = 0; i < count; i++) {
        write_run(v, &cells[i], 1);
        v->out += v->j->zeros;
    }
}

/* ---- whole jobs ---- */

/*
 * Returns the first of the rows if the job writes whole consecutive rows of SrcA or SrcB, of which
 * none is lost, wraps around or causes a finding; otherwise NULL.
 */
static uint32_t *whole_rows(struct move *v)
{
    const struct unpack_job *j = v->j;
    const uint32_t rows = j->count / 16;
    uint32_t row = j->out / 16;
    uint32_t end = TX_SRC_ROWS;
    if (j->to_dst != 0 || (j->zeros | j->column_shift | j->transpose) != 0 ||
        (j->out | j->count) % 16 != 0 || (v->u == 0 && row < 4)) {
        return NULL;
    }
    row -= v->u == 0 ? 4 : 0;
    if (v->u == 1 || j->override == 0) {
        const uint32_t base = v->m->state.units.unpack.unit[v->u].src_row[j->op.thread];
        end = v->u == 1 ? end : base + 16;
        row += base;
    }
    end = end < TX_SRC_ROWS ? end : TX_SRC_ROWS;
    if (rows > end || row > end - rows ||
        (v->u == 0 && v->bursts && (16 % j->burst != 0 || row % j->burst != 0))) {
        return NULL;
    }
    if (v->u == 0 && rows != 0) {
        v->m->state.units.unpack.srca_unknown[v->bank_number] &=
            ~(UINT64_MAX >> (64 - rows) << row);
    }
    if (order_wanted(v->m) && rows != 0) {
        tell_src(v, row, rows);
    }
    if (rows != 0) {
        known_rows_written(v->known, row, rows);
    }
    return v->bank[row];
}

/*
 * Returns the memory of the exponents of "count" data from the next one on, or one for all of them
 * in "forced"; NULL if they are not whole bytes of plain memory.
 */
static const uint8_t *exponents_of(struct move *v, uint32_t count, uint8_t forced[CHUNK / 16])
{
    if (v->j->force_exponent != 0) {
        memset(forced, v->j->exponent, CHUNK / 16);
        return forced;
    }
    if (v->exponent % 16 != 0 || v->j->fifo != 0) {
        return NULL;
    }
    return unpack_read_rows(&v->reader, v->exponent / 2, count / 16, 0, 1);
}

/* Copies rows that are "stride" bytes apart behind one another, and returns them. */
static const uint8_t *join_rows(const uint8_t *rows, uint32_t size, uint32_t stride, uint32_t count,
                                uint8_t *joined)
{
    for (uint32_t i = 0; i < count && size == 32; i++) { /* most often; its size is known here */
        memcpy(joined + 32 * i, rows + (size_t)i * stride, 32);
    }
    for (uint32_t i = 0; i < count && size != 32; i++) {
        memcpy(joined + (size_t)i * size, rows + (size_t)i * stride, size);
    }
    return joined;
}

/*
 * Reads and converts the next n data, a multiple of 16, in one pass. Returns false, having read
 * nothing, where they are not whole rows of plain memory that somebody has written.
 */
static bool move_quick(struct move *v, uint32_t *cells, uint32_t n)
{
    const bool block = unpack_is_block(v->j->in);
    const uint32_t width = v->width == UINT32_MAX ? n : v->width;
    const uint32_t rows = n / width;
    uint8_t forced[CHUNK / 16];
    if (n % 16 != 0 || n % width != 0 || (v->width != UINT32_MAX && v->in_row != 0) ||
        (v->j->fifo != 0 && v->width != UINT32_MAX)) {
        return false;
    }
    const uint64_t at = v->row + (v->width == UINT32_MAX ? (uint64_t)v->in_row * v->bits : 0);
    const uint8_t *exponents = block ? exponents_of(v, n, forced) : NULL;
    const uint8_t *memory =
        !block || exponents != NULL
            ? unpack_read_rows(&v->reader, at, width * v->bits / 8, v->j->stride, rows)
            : NULL;
    if (memory == NULL) {
        return false;
    }
    uint8_t joined[4 * CHUNK];
    if (rows != 1) {
        memory = join_rows(memory, width * v->bits / 8, v->j->stride, rows, joined);
    }
    words_level()->src(v->quick, memory, exponents, n, cells);
    v->exponent += block && v->j->force_exponent == 0 ? n : 0;
    if (v->width == UINT32_MAX) {
        v->in_row += n;
    } else {
        v->row += (uint64_t)v->j->stride * 8 * rows;
    }
    return true;
}

/* Reads and converts the next n data step by step. */
static void move_slowly(struct move *v, uint32_t *cells, uint32_t n)
{
    read_data(v, cells, n);
    add_exponents(v, cells, n);
    unpack_convert(&v->route, machine_has(v->m, ARITHMETIC_BH), cells, n);
}

#if defined(TX_CHECK)
/* Both ways, which have to give the same cells and to stop at the same place. */
static bool move_both(struct move *v, uint32_t *cells, uint32_t n)
{
    uint32_t slow[CHUNK];
    struct move other = *v;
    if (!move_quick(v, cells, n)) {
        return false;
    }
    move_slowly(&other, slow, n);
    CHECK(memcmp(cells, slow, n * sizeof *cells) == 0,
          "data are unpacked in one pass as they are step by step");
    CHECK(v->row == other.row && v->in_row == other.in_row && v->exponent == other.exponent,
          "a pass over data ends where the steps end");
    return true;
}
#define move_quick move_both
#endif

/* Reads the next n data into cells. */
static void move_some(struct move *v, uint32_t *cells, uint32_t n)
{
    if (v->quick == WORDS_SRC_NONE || !move_quick(v, cells, n)) {
        move_slowly(v, cells, n);
    }
}

/* ---- Dst, eight rows at a time ---- */

/*
 * Returns whether the next data fill eight rows of Dst, which lie one behind the other, and nobody
 * watches single rows.
 */
static bool block_of_dst(const struct move *v, uint32_t left, unsigned *at)
{
    const struct unpack_job *j = v->j;
    const uint32_t row = v->out / 16 - 4;
    if (j->to_dst == 0 || j->override != 0 || (j->zeros | j->interleave) != 0 || left < 128 ||
        v->out % 16 != 0 || row % 8 != 0 || row >= 0x400u || v->view.remap || v->view.swizzle ||
        v->view.high || v->m->on_change != NULL || v->m->settings.sink.event != NULL ||
        v->m->state.units.pack.reading > v->m->state.cycle || order_wanted(v->m)) {
        return false;
    }
    *at = dst_row(row, v->wide, &v->view);
    return *at + (v->wide ? 16 : 8) <= TX_DST_ROWS;
}

/* Notes that the eight rows have been written. */
static void stored_block(struct move *v, unsigned at)
{
    struct tx_state *s = &v->m->state;
    unsigned rows[8];
    for (unsigned i = 0; i < 8; i++) {
        rows[i] = at + i;
        s->dst_tainted[at + i] = dst_valid(s, at + i) ? s->dst_tainted[at + i] : 0;
    }
    dst_stored_rows(v->m, &v->j->op, rows, 8, 1, v->wide);
    v->out += 128;
}

static void write_block(struct move *v, unsigned at, const uint32_t *cells)
{
    uint16_t lost[128];
    uint16_t *const high = v->m->state.dst[at];
    words_level()->split(cells, 128, v->wide ? high : lost, v->wide ? high + 128 : high);
    stored_block(v, at);
}

/*
 * Moves n data of 32 bits, which stay as they are, to blocks of Dst in one pass. Returns false,
 * having moved nothing, where they are not contiguous or a block is not whole.
 */
static bool move_blocks(struct move *v, uint32_t n)
{
    unsigned at;
    const uint64_t from = v->row + (uint64_t)v->in_row * v->bits;
    if (v->route.step[0] != TX_CONVERSION_COUNT || v->route.step[1] != TX_CELL_DST_32 ||
        n % 128 != 0 || v->width != UINT32_MAX || v->out / 16 - 4 > 0x400u - n / 16 ||
        !block_of_dst(v, n, &at)) {
        return false;
    }
    const uint8_t *memory = unpack_read_rows(&v->reader, from, 4 * n, 0, 1);
    if (memory == NULL) {
        return false;
    }
    for (uint32_t done = 0; done < n && block_of_dst(v, n - done, &at); done += 128) {
        uint16_t *const high = v->m->state.dst[at];
        words_level()->halves(memory + 4 * (size_t)done, 128, high, high + 128);
        stored_block(v, at);
    }
    v->in_row += n;
    return true;
}

static void move_plain(struct move *v)
{
    uint32_t words[CHUNK];
    uint32_t *cells = v->j->all_zero == 0 ? whole_rows(v) : NULL;
    start_input(v);
    v->quick = v->m->settings.sink.event == NULL && v->j->to_dst == 0 ? unpack_src_of(&v->route)
                                                                      : WORDS_SRC_NONE;
    for (uint32_t left = v->j->count; cells != NULL && left != 0 && !v->m->faulted;) {
        const uint32_t n = left < CHUNK ? left : CHUNK;
        move_some(v, cells, n);
        cells += n;
        left -= n;
    }
    if (cells != NULL) {
        return;
    }
    if (v->j->all_zero != 0) {
        memset(words, 0, sizeof words);
    }
    for (uint32_t left = v->j->count; left != 0 && !v->m->faulted;) {
        const uint32_t n = left < CHUNK ? left : CHUNK;
        if (v->j->all_zero == 0 && move_blocks(v, n)) {
            left -= n;
            continue;
        }
        if (v->j->all_zero == 0) {
            move_some(v, words, n);
        }
        for (uint32_t done = 0; done < n;) {
            unsigned at;
            if (block_of_dst(v, n - done, &at)) {
                write_block(v, at, words + done);
                done += 128;
            } else {
                write_data(v, words + done, n - done);
                done = n;
            }
        }
        left -= n;
    }
}

void unpack_read_row_starts(struct tx_machine *m, struct unpack_job *j)
{
    struct unpack_reader r;
    unpack_reader_open(&r, m, &j->op);
    j->first = unpack_read_bits(&r, ((uint64_t)j->row_starts + 2u * j->row_first) * 8, 16);
    if (j->row_end != 0) {
        const uint32_t end =
            unpack_read_bits(&r, ((uint64_t)j->row_starts + 2u * j->row_end) * 8, 16);
        if (end < j->first) {
            machine_finding(m, TX_UNDEFINED_BEHAVIOR, UNPACK_ID(U6), &j->op, 0,
                            "UNPACR of compressed data whose row ends before it starts");
        }
        j->count = end < j->first ? 0 : end - j->first;
    }
}

/*
 * Moves compressed data: groups of 32 data, then 32 counts of zeros of four bits each; each datum
 * is followed by as many zero cells (6.1). count: the data, or, if no end is known, the cells to
 * write.
 */
static void move_compressed(struct move *v)
{
    const struct unpack_job *j = v->j;
    const bool arithmetic_bh = machine_has(v->m, ARITHMETIC_BH);
    const uint32_t group = 32 * v->bits + 128;
    uint32_t data = j->row_end != 0 ? j->count : UINT32_MAX;
    uint32_t cells = j->row_end != 0 ? UINT32_MAX : j->count;
    uint32_t drop = j->drop;
    v->exponent = wrap(v, (uint64_t)j->exponents * 16 + j->first, 16);
    uint64_t at = (uint64_t)j->data * 8 + (uint64_t)(j->first / 32) * group;
    uint64_t zeros_at = wrap(v, at + 32 * v->bits + j->first % 32 * 4, 8);
    at = wrap(v, at + (uint64_t)(j->first % 32) * v->bits, 8);
    for (uint32_t i = 1; data != 0 && cells != 0 && !v->m->faulted; i++, data--) {
        uint32_t word = unpack_read_bits(&v->reader, at, v->bits);
        uint32_t zeros = unpack_read_bits(&v->reader, zeros_at, 4);
        at += v->bits;
        at = i % 16 == 0 ? wrap(v, at, 8) : at;
        zeros_at += 4;
        add_exponents(v, &word, 1);
        if (zeros_at % 128 == 0) {
            at += 128;
            zeros_at = wrap(v, zeros_at + 32 * v->bits, 8);
        }
        unpack_convert(&v->route, arithmetic_bh, &word, 1);
        if (j->all_zero != 0) {
            word = zeros = 0;
        }
        machine_work(v->m, i % 64 == 0 ? 64 : 0);
        const uint32_t run[16] = {word};
        const uint32_t dropped = drop < zeros + 1 ? drop : zeros + 1;
        const uint32_t left = zeros + 1 - dropped;
        const uint32_t n = left < cells ? left : cells;
        write_data(v, run + dropped, n);
        drop -= dropped;
        cells -= n;
    }
}

static void report(const struct move *v)
{
    const struct tx_op *op = &v->j->op;
    if (v->reader.beyond) {
        machine_finding(v->m, TX_UNDEFINED_BEHAVIOR, UNPACK_ID(E_L1), op, 0,
                        "UNPACR reads beyond L1, where zeros were taken");
    }
    /* Kernels that pass on cards need that they wrap; Wormhole's only with AllDatumsAreZero. */
    if (v->above && (machine_has(v->m, SRC_ROWS_WRAP) || v->j->all_zero != 0)) {
        machine_doubt(v->m, TX_UNDEFINED_BEHAVIOR, v->u == 1 ? EVIDENCE_U3 : EVIDENCE_U2, op,
                      "UNPACR to rows of Src beyond 63: they wrap");
    } else if (v->above) {
        machine_finding(v->m, TX_UNDEFINED_BEHAVIOR, v->u == 1 ? UNPACK_ID(U3) : UNPACK_ID(U2), op,
                        0, "UNPACR to rows of Src beyond 63: they wrap");
    }
    if (v->lost) {
        machine_finding(v->m, TX_UNSUPPORTED, UNPACK_ID(U2), op, 0,
                        "UNPACR with a burst of %u rows that leaves its sixteen rows of SrcA: the "
                        "rest of it is lost",
                        v->j->burst);
    }
    if (v->above_set) {
        machine_finding(v->m, TX_UNDEFINED_BEHAVIOR, UNPACK_ID(U4), op, 0,
                        "UNPACR without SRCA_SET_SetOvrdWithAddr to rows of SrcA beyond 15");
    }
}

void unpack_move(struct tx_machine *m, const struct unpack_job *j, unsigned u)
{
    CHECK(u < UNPACKERS, "data are moved by one of two unpackers");
    CHECK(j->op.thread < TX_THREADS, "data are moved for a thread");
    struct units *units = &m->state.units;
    const struct unpack_places *p = unpack_places(m->arch, u);
    const bool is_unsigned = cfg_banked(&m->state, m->places, j->op.thread, p->is_unsigned) != 0;
    struct move v = {.m = m, .j = j, .u = u, .bits = unpack_bits(j->in), .out = j->out};
    v.bank_number = units->unpack_bank[u];
    v.bank = m->state.src[u][v.bank_number];
    v.known = &m->state.src_known[u][v.bank_number];
    v.route = unpack_route_of(j, is_unsigned);
    v.wide = unpack_is_wide(j->out_format);
    v.view = (struct dst_view){j->remap != 0, j->swizzle != 0, m->state.dst16_high != 0};
    v.bursts = (uint64_t)j->count * (1u + j->zeros) > 16;
    v.first_row = (j->out / 16 > 4 ? j->out / 16 : 4) - 4;
    if (j->override == 0) {
        v.first_row += units->unpack.unit[u].src_row[j->op.thread];
    }
    if (j->in == FORMAT_INT8 && is_unsigned != (j->is_unsigned != 0)) {
        machine_finding(m, TX_UNDEFINED_BEHAVIOR, UNPACK_ID(E_UNPACKCFG), &j->op, 0,
                        "the sign of 8-bit integers was changed while UNPACR was under way");
    }
    unpack_reader_open(&v.reader, m, &j->op);
    machine_work(m, j->count * (1u + j->zeros) / (USUAL + 1) * (USUAL / 16));
    if (j->to_dst != 0) {
        units->unpack.srca_unknown[v.bank_number] = UINT64_MAX;
    }
    if (j->compressed != 0) {
        move_compressed(&v);
    } else {
        move_plain(&v);
    }
    report(&v);
}
