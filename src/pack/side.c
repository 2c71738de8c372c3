/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the rest of the machine can ask of the packers: sizes of tiles, histograms, the registers
 * that TDMA-RISC has of them, and PACR_SETREG. Source: isa TDMA-RISC 29e53cf, SETDMAREG_Special
 * 492ccd0, PACR_SETREG f7fda21, CLREXPHIST; tt-llk assembly.yaml 36b092e; spec/pack.md 7, 8.
 */
#include "pack/pack.h"
#include "base/check.h"

#include "isa/chip.h"

#include <string.h>

/*
 * Addresses: the packers' first register, the megabyte with the pages of registers, and the end of
 * the pages.
 */
enum {
    FIRST_REGISTER = REGION_BASE_TDMA,
    REGISTER_SPACE = FIRST_REGISTER & ~0xFFFFFu,
    REGISTER_END = REGION_END_OVERLAY
};

static unsigned packer_count(const struct tx_machine *m)
{
    return machine_number(m, PACKERS);
}

void pack_side_last(struct pack_job *j)
{
    struct packer *k = j->k;
    uint16_t *sum = &k->acc_size[j->x->thread];
    k->last_size = k->units;
    k->last_thread = j->x->thread;
    k->units = 0;
    *sum = (uint16_t)(*sum + k->last_size + (j->setup->add_header != 0 ? 1u : 0u));
    if (j->setup->out_fifo != 0 && k->fifo_count < PACK_FIFO) {
        k->fifo[k->fifo_count++] = (struct pack_tile){k->last_size, k->zero_flags};
    }
}

void unit_clrexphist(struct tx_machine *m, const struct tx_op *op)
{
    (void)op;
    for (unsigned i = 0; i < PACKERS; i++) {
        struct packer *k = &m->state.units.pack.unit[i];
        memset(k->histogram, 0, sizeof k->histogram);
        k->max_exponent = 0;
    }
}

static void reset_sizes(struct packer *k)
{
    memset(k->acc_size, 0, sizeof k->acc_size);
}

static uint32_t last_size(const struct packer *k, unsigned thread)
{
    CHECK(thread < TX_THREADS, "the size of the last tile is kept by thread");
    return k->last_thread == thread ? k->last_size : 0;
}

/* ---- SETDMAREG ---- */

static void tile_header(const struct pack *x, unsigned i, uint32_t v[4])
{
    CHECK(i < PACKERS, "a tile header is one packer's");
    const struct packer *k = &x->s->units.pack.unit[i];
    const struct pack_section *c = &x->p->section[i];
    const bool ovrd = pack_banked(x, x->p->all_no_compress_ovrd) != 0;
    const uint32_t none =
        ovrd ? pack_banked(x, x->p->all_no_compress) >> i & 1u : pack_banked(x, c->no_compress);
    v[0] = (last_size(k, x->thread) + 1u) & 0xFFFFu;
    v[1] = pack_banked(x, c->out_format) << 16 | none << 20;
    v[2] = k->zero_flags;
}

void unit_pack_source(struct tx_machine *m, const struct tx_op *op, uint32_t v[4])
{
    struct packer *k = m->state.units.pack.unit;
    const uint32_t source = unit_field(op, FLD_SOURCE);
    const uint32_t which = unit_field(op, FLD_MASK);
    const unsigned count = packer_count(m);
    struct pack x;
    pack_open(&x, m, m, op);
    memset(v, 0, 4 * sizeof *v);
    for (unsigned i = 0; i < count; i++) {
        switch (source) {
        case 0:
            v[i] = (uint32_t)k[i].acc_size[op->thread] << 16 | last_size(&k[i], op->thread);
            break;
        case 1:
            v[i] = k[i].zero_flags;
            break;
        case 8:
            v[0] |= (k[i].zero_flags & 1u) << i;
            if ((which >> i & 1u) != 0) {
                reset_sizes(&k[i]);
            }
            break;
        default:
            break;
        }
    }
    if (source >= 2 && source <= 5 && source - 2 < count) {
        tile_header(&x, source - 2, v);
    } else if ((source == 6 || source == 7) && (which & 3u) < count) {
        const uint8_t *bins = &k[which & 3u].histogram[(source - 6) * 16];
        for (unsigned i = 0; i < 16; i++) {
            v[i / 4] |= (uint32_t)bins[i] << 8 * (i % 4);
        }
    } else if (source == 9) {
        v[0] = k[0].max_exponent;
    }
}

/* ---- registers ---- */

static void set_scalers(struct packers *p, unsigned first, uint32_t values)
{
    for (unsigned i = first; i < first + 3 && i < 4; i++, values >>= 9) {
        p->set_scaler[i] = values & 0x1FFu;
    }
}

static void set_bases(struct packers *p, uint32_t value)
{
    p->set_base_raw = value;
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t middle = value >> 10 * i & 0x3FFu;
        const uint32_t high = value >> (20 + 2 * i) & 3u;
        p->set_base[i] = high << 18 | middle << 2;
    }
}

static bool write_common(struct packers *p, uint32_t offset, uint32_t value)
{
    switch (offset) {
    case 0x028:
        p->set_clock = value & 0x01FF007Fu;
        set_scalers(p, 3, value >> 16);
        return true;
    case 0x038:
        set_bases(p, value);
        return true;
    case 0x03C:
    case 0x13C:
        set_scalers(p, 0, value);
        return true;
    default:
        return false;
    }
}

static uint32_t status(const struct tx_machine *m)
{
    const struct packers *p = &m->state.units.pack;
    uint32_t value = p->set_base_raw << 8;
    for (unsigned i = 0; i < packer_count(m); i++) {
        value |= (p->unit[i].fifo_count == 0 ? 1u : 0u) << 2 * i;
        value |= (p->unit[i].fifo_count == PACK_FIFO ? 2u : 0u) << 2 * i;
    }
    return value;
}

static uint32_t scalers(const struct tx_machine *m)
{
    const struct packers *p = &m->state.units.pack;
    uint32_t value = 0;
    for (unsigned i = 0; i < 3; i++) {
        value |= (uint32_t)p->set_scaler[i] << 9 * i;
    }
    for (unsigned i = 0; i < packer_count(m); i++) {
        value |= (unit_pack_busy(m, 2, i) ? 1u : 0u) << (27 + i);
    }
    return value;
}

static uint32_t pop(struct tx_machine *m, const struct tx_op *op, struct packer *k, bool take)
{
    const uint32_t value = take ? k->fifo[0].flags : k->fifo[0].size;
    if (k->fifo_count == 0) {
        machine_finding(m, TX_UNDEFINED_BEHAVIOR, PACK_ID(E_PACK), op, 0,
                        "a packer's list of tiles is empty: zero is read");
        return 0;
    }
    if (take) {
        memmove(k->fifo, k->fifo + 1, sizeof k->fifo - sizeof k->fifo[0]);
        k->fifo_count--;
    }
    return value;
}

static void reset_some(struct packers *p, uint32_t value)
{
    for (unsigned i = 0; i < PACKERS; i++) {
        if ((value >> (16 + i) & 1u) != 0) {
            reset_sizes(&p->unit[i]);
            p->unit[i].address_offset = (uint16_t)value;
        }
    }
}

/*
 * Accesses a register of one packer: each has 0x100 bytes, and in them each thread 0x40. Returns
 * false if there is no such register.
 */
static bool of_packer(struct tx_machine *m, const struct tx_op *op, uint32_t offset,
                      struct tx_access *a)
{
    struct packers *p = &m->state.units.pack;
    struct packer *k = &p->unit[offset >> 8 & 3u];
    const unsigned thread = offset >> 6 & 3u;
    switch (offset & 0x3Fu) {
    case 0x18:
        if (!a->write && thread < TX_THREADS) {
            a->data[0] = last_size(k, thread);
        }
        return thread < TX_THREADS;
    case 0x1C:
        if (a->write) {
            reset_some(p, a->data[0]);
        } else if (thread < TX_THREADS) {
            a->data[0] = k->acc_size[thread];
        }
        return thread < TX_THREADS;
    case 0x20:
        a->data[0] = a->write ? a->data[0] : k->zero_flags;
        return thread == 0;
    case 0x30:
    case 0x34:
        if (thread == 0 && (!a->write || (offset & 4u) != 0)) {
            a->data[0] = pop(m, op, k, (offset & 4u) != 0);
        }
        return thread == 0;
    default:
        return false;
    }
}

bool unit_pack_register(struct tx_machine *m, const struct tx_op *op, struct tx_access *a)
{
    const uint32_t offset = a->address - FIRST_REGISTER;
    if (a->size != 4 || offset >= packer_count(m) * 0x100u) {
        return false;
    }
    if (a->write && write_common(&m->state.units.pack, offset, a->data[0])) {
        return true;
    }
    if (!a->write && (offset == 0x38 || offset == 0x3C || offset == 0x28)) {
        a->data[0] = offset == 0x38   ? status(m)
                     : offset == 0x3C ? scalers(m)
                                      : m->state.units.pack.set_clock;
        return true;
    }
    return of_packer(m, op, offset, a);
}

/* ---- PACR_SETREG ---- */

static uint32_t setreg_address(const struct pack *x)
{
    const struct packers *p = &x->s->units.pack;
    const uint32_t stream = unit_field(x->op, FLD_STREAM);
    const uint32_t select = unit_field(x->op, FLD_INDEX);
    if (!machine_has(x->look, SETREG_CONFIGURED)) {
        return REGISTER_SPACE + p->set_base[select] + (stream << 12);
    }
    const uint32_t base = pack_banked(x, x->p->reg_address[select >> 1]) >> 12 * (select & 1u);
    return REGISTER_SPACE + ((base >> 10 & 3u) << 18) + (stream << 12) + ((base & 0x3FFu) << 2);
}

static uint32_t setreg_value(const struct pack *x)
{
    const struct packers *p = &x->s->units.pack;
    const uint32_t value = unit_field(x->op, FLD_IMM);
    const uint32_t format = pack_banked(x, x->p->section[0].out_format);
    return machine_has(x->look, SETREG_CONFIGURED)
               ? p->set_value
               : value + ((value * p->set_scaler[format & 3u] & 0x1FFFFu) << 12);
}

/* Writes out what the streams hold after the late conversion; an open block stays open (7). */
static void flush_streams(const struct pack *x)
{
    for (unsigned i = 0; i < packer_count(x->look); i++) {
        struct pack_setup setup;
        struct pack_job j;
        memset(&setup, 0, sizeof setup);
        pack_setup_look(x, pack_section(x, i), &setup);
        setup.accumulate = pack_banked(x, x->p->section[i].accumulate) != 0;
        setup.out = (uint8_t)pack_banked(x, x->p->section[i].out_format);
        setup.out_bits = 32;
        pack_job_open(&j, x, i, &setup);
        pack_output_flush(&j, PACK_EXPONENTS);
        pack_output_flush(&j, PACK_DATA);
        for (unsigned s = 0; s < PACK_STREAMS; s++) {
            j.k->stream[s].open = 0; /* P17: the next PACR takes new addresses */
        }
    }
}

void unit_pacr_setreg(struct tx_machine *m, const struct tx_op *op)
{
    struct pack x;
    pack_open(&x, m, m, op);
    x.name = "PACR_SETREG";
    machine_finding(m, TX_UNSUPPORTED, PACK_ID(P17), op, 0, "PACR_SETREG has no known use");
    if (m->faulted || unit_field(op, FLD_FLUSH) == 0) {
        return;
    }
    machine_changed(m, CHANGE_PACK, 0);
    flush_streams(&x);
    struct tx_access a = {.address = setreg_address(&x), .size = 4, .write = true};
    a.data[0] = setreg_value(&x);
    if (a.address < FIRST_REGISTER) {
        machine_finding(m, TX_UNDEFINED_BEHAVIOR, PACK_ID(E_PACK), op, 0,
                        "PACR_SETREG to %08x, below the first register", (unsigned)a.address);
    } else if (a.address < REGISTER_END) {
        (void)memory_register(m, op, &a);
    }
}

void unit_pacr_setreg_data(struct tx_machine *m, const struct tx_op *op)
{
    uint32_t *value = &m->state.units.pack.set_value;
    machine_finding(m, TX_UNSUPPORTED, PACK_ID(P17), op, 0, "PACR_SETREG has no known use");
    *value = bits_set(*value, unit_field(op, FLD_LO) != 0 ? 16 : 0, 16, op->imm);
}

/* ---- state from outside ---- */

void unit_pack_make_safe(struct tx_state *s)
{
    for (unsigned i = 0; i < PACKERS; i++) {
        struct packer *k = &s->units.pack.unit[i];
        for (unsigned n = 0; n < PACK_STREAMS; n++) {
            struct pack_stream *stream = &k->stream[n];
            stream->address &= 0x1FFFF0u;
            stream->count &= 15u;
            stream->written = stream->written <= stream->count ? stream->written : stream->count;
        }
        k->group_count &= 15u;
        if (tx_format_info((enum tx_format)k->group_format) == NULL ||
            !tx_format_info((enum tx_format)k->group_format)->block) {
            k->group_count = 0;
        }
        k->tile_x &= 15u;
        k->fifo_count = k->fifo_count <= PACK_FIFO ? k->fifo_count : PACK_FIFO;
        k->next &= PACK_DEPTH_MAX - 1u;
    }
}
