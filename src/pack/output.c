/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where data go: start addresses, and streams that are written to L1 sixteen bytes at a time.
 * Source: isa Packers/OutputAddressGenerator 40bb825, L1; ttsim 1.10.0; spec/pack.md 5.9, 6.
 */
#include "pack/place.h"
#include "base/check.h"

#include "fmt/l1_accumulate.h"
#include "state/l1.h"

#include <string.h>

/* ---- addresses (6.1, 6.2), in units of sixteen bytes ---- */

static uint32_t offset_units(const struct pack_job *j)
{
    const struct pack *x = j->x;
    const uint32_t yzw = pack_output_offset(j);
    if (!machine_has(x->look, PACK_OFFSET_BYTES)) {
        /* Already in units of sixteen bytes; only steps of sixteen of them count. */
        return yzw & ~15u;
    }
    if (machine_rule(x->look, RULE_PACK_YZW)) {
        return yzw >> 4;
    }
    if (yzw > 0x3FFFFu) {
        machine_finding(x->m, TX_NON_CONTRACTUAL_BEHAVIOR, PACK_ID(P15), x->op, 0,
                        "%s: the offset %x in L1 loses what 18 bits do not hold", x->name,
                        (unsigned)yzw);
    }
    return (yzw & 0x3FFFFu) >> 4;
}

static uint32_t start_units(const struct pack_job *j)
{
    const struct pack *x = j->x;
    const struct pack_setup *p = j->setup;
    const struct pack_section *first = &x->p->section[0];
    uint32_t base = p->dest_addr + (p->sub_header != 0 ? 0u : 1u);
    if (j->index != 0) {
        const uint32_t base0 =
            pack_banked(x, first->dest_addr) + (pack_banked(x, first->sub_header) != 0 ? 0u : 1u);
        base += base0 >> 31 != 0 ? base0 : 0;
    }
    base += offset_units(j);
    base += p->add_offset != 0 ? j->k->address_offset : 0u;
    return base > 2 * p->limit + 1 ? base - 2 * p->fifo : base;
}

static void open_stream(struct pack_job *j, enum pack_stream_id id, uint32_t units)
{
    CHECK(id < PACK_STREAMS, "a packer writes row starts, exponents or data");
    struct pack_stream *s = &j->k->stream[id];
    if (s->open == 0) {
        s->address = units << 4 & (PACK_ADDRESSES - 1u);
        s->open = 1;
    }
}

bool pack_output_start(struct pack_job *j)
{
    if (pack_streams_open(j)) {
        return false;
    }
    uint32_t units = start_units(j);
    if (pack_has_exponents(j)) {
        open_stream(j, PACK_EXPONENTS, units);
        units += j->setup->exp_size;
    }
    open_stream(j, PACK_DATA, units);
    return true;
}

/* ---- L1 ---- */

/*
 * Adds what L1 held to the data (5.9). Bytes at the end that are no whole datum stay as they are.
 */
static void accumulate(const struct pack_setup *p, const uint8_t *old, uint8_t *bytes,
                       uint32_t count)
{
    for (uint32_t i = 0; i + p->out_bits / 8u <= count; i += p->out_bits / 8u) {
        if (p->out_bits == 16) {
            const uint32_t a = (uint32_t)old[i] | (uint32_t)old[i + 1] << 8;
            const uint32_t b = (uint32_t)bytes[i] | (uint32_t)bytes[i + 1] << 8;
            const uint32_t sum =
                p->out == TX_FORMAT_BF16 ? l1_accumulate_bf16(a, b) : l1_accumulate_fp16(a, b);
            bytes[i] = (uint8_t)sum;
            bytes[i + 1] = (uint8_t)(sum >> 8);
            continue;
        }
        uint32_t a = 0;
        uint32_t b = 0;
        for (unsigned k = 0; k < 4; k++) {
            a |= (uint32_t)old[i + k] << 8 * k;
            b |= (uint32_t)bytes[i + k] << 8 * k;
        }
        const uint32_t sum =
            p->out == TX_FORMAT_INT32 ? l1_accumulate_int32(a, b) : l1_accumulate_fp32(a, b);
        for (unsigned k = 0; k < 4; k++) {
            bytes[i + k] = (uint8_t)(sum >> 8 * k);
        }
    }
}

/*
 * Writes part of a stream to L1. The first "data" bytes are data, the rest is padding, which is
 * never added to anything (P14). What lies beyond L1 is dropped, with a finding.
 */
static void write_l1(struct pack_job *j, enum pack_stream_id id, uint32_t address,
                     const uint8_t *bytes, uint32_t count, uint32_t data)
{
    struct tx_machine *m = j->x->m;
    const bool adds = id == PACK_DATA && j->setup->accumulate;
    const uint32_t end = l1_size(m->arch);
    const uint32_t inside = address >= end ? 0 : count < end - address ? count : end - address;
    uint8_t sum[4 * PACK_CHUNK + 16];
    if (inside == count && !adds) {
        (void)l1_write(m, j->x->op, address, bytes, count);
        return;
    }
    if (inside < count) {
        (void)l1_write(m, j->x->op, address + inside, bytes + inside, count - inside);
    }
    if (inside == 0) {
        return;
    }
    if (adds) {
        uint8_t old[sizeof sum];
        if (!l1_read(m, j->x->op, address, old, inside)) {
            return;
        }
        memcpy(sum, bytes, inside);
        accumulate(j->setup, old, sum, data < inside ? data : inside);
        bytes = sum;
    }
    (void)l1_write(m, j->x->op, address, bytes, inside);
}

void pack_output(struct pack_job *j, enum pack_stream_id id, const uint8_t *bytes, uint32_t count)
{
    CHECK(id < PACK_STREAMS, "what a packer writes is one of its streams");
    struct pack_stream *s = &j->k->stream[id];
    if (s->count == 0 && count % 16 == 0 && count <= PACK_ADDRESSES - s->address) {
        write_l1(j, id, s->address, bytes, count, count);
        pack_advance(j, s, count);
        return;
    }
    while (count != 0) {
        if (s->count == 0 && count >= 16) {
            const uint32_t to_end = PACK_ADDRESSES - s->address;
            const uint32_t whole = (count & ~15u) < to_end ? count & ~15u : to_end;
            write_l1(j, id, s->address, bytes, whole, whole);
            pack_advance(j, s, whole);
            bytes += whole;
            count -= whole;
            continue;
        }
        const uint32_t room = 16u - s->count;
        const uint32_t step = count < room ? count : room;
        memcpy(s->bytes + s->count, bytes, step);
        s->count = (uint8_t)(s->count + step);
        bytes += step;
        count -= step;
        if (s->count == 16) {
            write_l1(j, id, s->address + s->written, s->bytes + s->written, 16u - s->written,
                     16u - s->written);
            pack_advance(j, s, 16);
        }
    }
}

void pack_output_flush(struct pack_job *j, enum pack_stream_id id)
{
    struct pack_stream *s = &j->k->stream[id];
    if (s->count != 0) {
        memset(s->bytes + s->count, 0, 16u - s->count);
        write_l1(j, id, s->address + s->written, s->bytes + s->written, 16u - s->written,
                 (uint32_t)(s->count - s->written));
        pack_advance(j, s, 16);
    }
}

/*
 * Writes bytes that have not yet filled a unit of sixteen, under the rule pack-tail=at-once (P16).
 */
void pack_output_tail(struct pack_job *j)
{
    for (unsigned id = 0; id < PACK_STREAMS; id++) {
        struct pack_stream *s = &j->k->stream[id];
        if (s->count > s->written) {
            write_l1(j, (enum pack_stream_id)id, s->address + s->written, s->bytes + s->written,
                     (uint32_t)(s->count - s->written), (uint32_t)(s->count - s->written));
            s->written = s->count;
        }
    }
}
