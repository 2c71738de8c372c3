/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long packers are busy, and hazards meanwhile. Instructions pass their gate once the packers
 * that they name accept them; a packer reads the data of one after the other. Source: isa/pack.def;
 * isa PACR f7fda21, Dst 093af91; tt-llk cpack_common.h for when L1_Dest_addr is taken; spec/pack.md
 * 10.
 */
#include "isa/chip.h"
#include "base/check.h"
#include "pack/place.h"

#include "state/dst.h"

struct facts {
#define PACK_TIME(name, ...) unsigned name;
#include "isa/pack.def"
};

/* Constants to the compiler in a function that is made for each column. */
TX_INLINE struct facts facts_of(bool second)
{
    static const struct facts wh = {
#define PACK_TIME(name, wormhole, bh, kind, evidence) wormhole,
#include "isa/pack.def"
    };
    static const struct facts bh = {
#define PACK_TIME(name, wormhole, bh, kind, evidence) bh,
#include "isa/pack.def"
    };
    return second ? bh : wh;
}

/* ---- entering ---- */

enum {
#define PACK_TIME(name, wh, bh, kind, evidence) name##_fits = 1 / ((wh) != 0 && (bh) != 0),
#include "isa/pack.def"
};

/*
 * Returns whether the job reads rows that the Matrix Unit or SFPSTORE wrote less than four cycles
 * before.
 */
static bool dst_pending(const struct pack_job *j)
{
    const struct dst_view view = {j->setup->remap, j->setup->swizzle, j->x->s->dst16_high != 0};
    const uint64_t *block = j->x->s->units.matrix.dst_block;
    const uint64_t *stored = j->x->s->units.matrix.stored;
    const uint64_t now = j->x->s->cycle;
    struct pack_segment segments[PACK_SEGMENTS];
    uint32_t done = 0;
    for (unsigned n; (n = pack_input_segments(j, &done, segments)) != 0;) {
        for (unsigned i = 0; i < n; i++) {
            const unsigned at = dst_row(segments[i].row, j->setup->wide, &view);
            const unsigned low = (at + (j->setup->wide ? 8u : 0)) % TX_DST_ROWS;
            if (block[at / 8] > now || block[low / 8] > now || stored[at / 8] > now ||
                stored[low / 8] > now) {
                return true;
            }
        }
    }
    return false;
}

void pack_rows(const struct pack_job *j, uint64_t rows[TX_DST_ROWS / 64])
{
    const struct dst_view view = {j->setup->remap, j->setup->swizzle, j->x->s->dst16_high != 0};
    struct pack_segment segments[PACK_SEGMENTS];
    uint32_t done = 0;
    for (unsigned n; (n = pack_input_segments(j, &done, segments)) != 0;) {
        for (unsigned i = 0; i < n; i++) {
            const unsigned at = dst_row(segments[i].row, j->setup->wide, &view) % TX_DST_ROWS;
            const unsigned low = (at + (j->setup->wide ? 8u : 0)) % TX_DST_ROWS;
            rows[at / 64] |= UINT64_C(1) << at % 64;
            rows[low / 64] |= UINT64_C(1) << low % 64;
        }
    }
}

/* Returns what holds the instruction because of the rows of Dst that this packer would read. */
static enum tx_hold hold_rows(const struct pack *x, unsigned packer)
{
    CHECK(packer < PACKERS, "rows are held by one of four packers");
    struct pack_setup setup;
    struct pack_job j;
    if (x->flush || x->zero) {
        return TX_HOLD_NONE;
    }
    const struct pack_setup *known = pack_setup_known(x, pack_section(x, packer));
    if (known == NULL) {
        pack_setup_look(x, pack_section(x, packer), &setup);
        known = &setup;
    }
    if (known->from_l1) {
        return TX_HOLD_NONE;
    }
    pack_job_open(&j, x, packer, known);
    return dst_pending(&j) ? TX_HOLD_DST : TX_HOLD_NONE;
}

/*
 * Returns the packers that an instruction occupies. PACR_SETREG occupies Blackhole's only packer,
 * but all four of Wormhole (7).
 */
static unsigned packers_of(const struct tx_machine *m, const struct tx_op *op)
{
    if (unit_insn(op) == INSN_PACR) {
        return pack_packers(m, op);
    }
    return (1u << machine_number(m, PACKERS)) - 1;
}

enum tx_hold unit_pack_hold(const struct tx_machine *m, const struct tx_op *op)
{
    const struct packers *k = &m->state.units.pack;
    struct pack x;
    if (unit_insn(op) != INSN_PACR) {
        return k->until > m->state.cycle && op->row != ROWID_PACR_SETREG_DATA ? TX_HOLD_UNIT
                                                                              : TX_HOLD_NONE;
    }
    const unsigned packers = pack_packers(m, op);
    for (unsigned i = 0; packers >> i != 0; i++) {
        if (bits_has(packers, i) && k->unit[i].end[k->unit[i].next] > m->state.cycle) {
            return TX_HOLD_UNIT;
        }
    }
    if (m->state.units.matrix.until <= m->state.cycle &&
        m->state.units.matrix.stored_until <= m->state.cycle) {
        return TX_HOLD_NONE;
    }
    pack_open(&x, m, NULL, op);
    enum tx_hold hold = TX_HOLD_NONE;
    for (unsigned i = 0; i < PACKERS && hold == TX_HOLD_NONE; i++) {
        hold = bits_has(packers, i) ? hold_rows(&x, i) : hold;
    }
    return hold;
}

/*
 * Makes the packers busy in the cycle in which the instruction passes its gate, whatever it turns
 * out to do.
 */
void unit_pack_mark(struct tx_machine *m, const struct tx_op *op)
{
    const unsigned packers = packers_of(m, op);
    for (unsigned i = 0; packers >> i != 0; i++) {
        uint64_t *until = &m->state.units.pack.unit[i].until[op->thread];
        if ((packers >> i & 1u) != 0 && *until <= m->state.cycle) {
            *until = m->state.cycle + 1;
        }
    }
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Returns the cycles for which the packer takes no other instruction's data. */
TX_INLINE unsigned cost(const struct pack_job *j, const struct facts f)
{
    const unsigned bytes = j->setup->wide ? 4 : 2;
    const uint32_t read = (j->count * bytes + f.READ_BYTES - 1) / f.READ_BYTES;
    const uint32_t units = j->units * (j->setup->accumulate ? f.ADD_CYCLES : 1u);
    const uint32_t written = (units + f.WRITES - 1) / f.WRITES;
    const uint32_t most = read > written ? read : written;
    return most != 0 ? most : 1;
}

static void note_rows(const struct pack_job *j, uint64_t end)
{
    struct packers *p = &j->x->m->state.units.pack;
    const struct dst_view view = {j->setup->remap, j->setup->swizzle, j->x->s->dst16_high != 0};
    struct pack_segment segments[PACK_SEGMENTS];
    uint32_t done = 0;
    p->reading = later(p->reading, end);
    for (unsigned n; (n = pack_input_segments(j, &done, segments)) != 0;) {
        for (unsigned i = 0; i < n; i++) {
            const unsigned at = dst_row(segments[i].row, j->setup->wide, &view);
            p->dst_read[at / 8] = later(p->dst_read[at / 8], end);
            if (j->setup->wide) {
                p->dst_read[(at + 8) / 8] = later(p->dst_read[(at + 8) / 8], end);
            }
        }
    }
}

/* Returns when all that a packer has taken is in L1, which a flush waits for. */
static uint64_t drained(const struct packer *k)
{
    uint64_t last = 0;
    for (unsigned t = 0; t < TX_THREADS; t++) {
        last = later(last, k->until[t]);
    }
    return last;
}

TX_INLINE uint64_t enter(struct pack_job *j, const struct facts f)
{
    struct packer *k = j->k;
    struct packers *p = &j->x->m->state.units.pack;
    const uint64_t before = k->end[(k->next + f.DEPTH - 1) % f.DEPTH];
    const uint64_t free = later(j->x->s->cycle + 1, before);
    const uint64_t start = j->x->flush ? later(free, drained(k)) : free;
    const uint64_t end = start + cost(j, f);
    machine_note(j->x->m, EVIDENCE_E_PACK_TIME);
    j->x->m->bounds |= TX_BOUND_PACK;
    machine_uses_l1(j->x->m, L1_PACK);
    k->end[k->next] = end;
    k->next = (uint8_t)((k->next + 1u) % f.DEPTH);
    k->until[j->x->thread] = later(k->until[j->x->thread], end + f.LATENCY);
    p->until = later(p->until, end + f.LATENCY);
    if (j->flat_rows != 0 && pack_rows_plain(j)) {
        const unsigned halves = j->setup->wide ? 2 : 1; /* low halves are the next eight rows */
        const unsigned last = (j->flat_first + j->flat_rows - 1) / 8 * halves + halves - 1;
        p->reading = later(p->reading, end);
        for (unsigned block = j->flat_first / 8 * halves; block <= last; block++) {
            p->dst_read[block] = later(p->dst_read[block], end);
        }
    } else if (!j->x->zero && !j->setup->from_l1 && !j->x->flush) {
        note_rows(j, end);
    }
    return start;
}

void pack_time_enter(struct pack_job *j)
{
    const uint64_t start = chip_column(j->x->look->arch) == CHIP_COLUMN_BH
                               ? enter(j, facts_of(true))
                               : enter(j, facts_of(false));
    if (j->x->m->settings.sink.event != NULL) {
        const struct isa_row *row = isa_row((enum isa_row_id)j->x->op->row);
        const struct tx_event event = {.size = sizeof event,
                                       .kind = TX_EVENT_PACK,
                                       .thread = j->x->thread,
                                       .unit = j->x->op->unit,
                                       .index = (uint16_t)j->index,
                                       .cycle = j->x->s->cycle,
                                       .start = start,
                                       .lanes = chip_column(j->x->look->arch) == CHIP_COLUMN_BH
                                                    ? cost(j, facts_of(true))
                                                    : cost(j, facts_of(false)),
                                       .number = j->x->op->number,
                                       .word = j->x->op->word,
                                       .row = &row->text};
        machine_event(j->x->m, &event);
    }
}

bool unit_pack_busy(const struct tx_machine *m, unsigned thread, unsigned packer)
{
    CHECK(thread < TX_THREADS, "a packer is asked for on behalf of a thread");
    return m->state.units.pack.unit[packer].until[thread] > m->state.cycle;
}

/* ---- meanwhile ---- */

/*
 * Reports a hazard if a packer still reads the row. wide: 32-bit data, whose low halves are eight
 * rows further.
 */
void unit_pack_overwritten(struct tx_machine *m, const struct tx_op *op, unsigned row, bool wide)
{
    CHECK(row < TX_DST_ROWS, "what is overwritten while packers read is a row of Dst");
    const uint64_t *read = m->state.units.pack.dst_read;
    if (read[row % TX_DST_ROWS / 8] > m->state.cycle ||
        (wide && read[(row + 8) % TX_DST_ROWS / 8] > m->state.cycle)) {
        machine_finding(m, TX_HAZARD, PACK_ID(E_PACK_DST), op, 0,
                        "%s writes rows of Dst that a packer is reading",
                        isa_row((enum isa_row_id)op->row)->text.mnemonic);
    }
}

void unit_pack_config(struct tx_machine *m, const struct tx_op *op, unsigned bank, unsigned word,
                      uint32_t value)
{
    CHECK(bank < 2 && word < 256, "packers are told of a word of a bank");
    const struct packers *k = &m->state.units.pack;
    const struct pack_places *p = pack_places(m->arch);
    if (k->until <= m->state.cycle || word >= m->places->words) {
        return;
    }
    /* The offset in Dst is taken with the counters, which go on with each PACR as well. */
    const uint32_t read_later = pack_places_mask(p, word) & ~pack_places_row(p, word);
    if (pack_places_address(p, word)) {
        return; /* Each PACR takes it when it starts; that it may not have is what --races says. */
    }
    if (((m->state.config[bank][word] ^ value) & read_later) == 0) {
        return;
    }
    machine_finding(m, TX_HAZARD, PACK_ID(E_PACK_CONFIG), op, 0,
                    "configuration word %u is changed while a packer works with it", word);
}

/* RSTDMA: nothing says what becomes of data under way. Here they have arrived. */
void unit_rstdma(struct tx_machine *m, const struct tx_op *op)
{
    struct packers *k = &m->state.units.pack;
    machine_finding(m, TX_MISSING_SPECIFICATION, PACK_ID(E_PACK), op, 0,
                    "RSTDMA stops the packers; which data under way are lost is not described, "
                    "none are here");
    for (unsigned i = 0; i < PACKERS; i++) {
        for (unsigned n = 0; n < PACK_DEPTH_MAX; n++) {
            k->unit[i].end[n] = 0;
        }
        for (unsigned t = 0; t < TX_THREADS; t++) {
            k->unit[i].until[t] = 0;
        }
    }
    k->until = k->reading = 0;
    for (unsigned i = 0; i < TX_DST_ROWS / 8; i++) {
        k->dst_read[i] = 0;
    }
}
