/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From an UNPACR to a job: the configuration and address counters that the instruction finds
 * determine what its unpacker does. Source: spec/unpack.md 5.1 to 5.6, 5.9, 7; isa UNPACR_Regular
 * 545c98a.
 */
#include "unpack/unpack.h"
#include "base/check.h"

#include "state/l1.h"
#include "state/order.h"

#include <string.h>

struct issue {
    struct tx_machine *m;
    const struct tx_op *op;
    const struct unpack_places *p;
    struct unpack_job *j;
    unsigned u;
    unsigned context;
    unsigned xy; /* thread whose X and Y counters apply */
    bool multi;
    bool said; /* a finding or a note was made */
    uint32_t descriptor[4];
    uint32_t x_dim, y_dim, z_dim, w_dim;
};

static uint32_t get(const struct issue *i, struct cfg_place at)
{
    order_field(i->m, i->op, at);
    return cfg_banked(&i->m->state, i->m->places, i->op->thread, at);
}

static uint32_t get_thread(const struct issue *i, struct cfg_place at)
{
    order_thread_field(i->m, i->op, at);
    return cfg_thread(&i->m->state, i->op->thread, at);
}

#define FINDING(i, ...) ((i)->said = true, machine_finding((i)->m, __VA_ARGS__))

/* Reports what is documented but used by no shipping kernel. */
static void unsupported(struct issue *i, const char *what)
{
    FINDING(i, TX_UNSUPPORTED, UNPACK_ID(E_UNPACK), i->op, 0,
            "UNPACR with %s: no shipping kernel does that, the specification is weak", what);
}

/* tt-llk's compressed matmuls do it, and pass on cards. */
static void doubt(struct issue *i, const char *what)
{
    i->said = true;
    machine_doubt(i->m, TX_UNSUPPORTED, EVIDENCE_E_UNPACK, i->op, what);
}

static void undefined(struct issue *i, const char *what)
{
    FINDING(i, TX_UNDEFINED_BEHAVIOR, UNPACK_ID(E_UNPACK), i->op, 0, "UNPACR with %s", what);
}

/* ---- fields of the word (2.1) ---- */

static void check_word_bits(struct issue *i)
{
    if (unit_field(i->op, FLD_BIT5) != 0) {
        FINDING(i, TX_MISSING_SPECIFICATION, UNPACK_ID(U19), i->op, 0,
                "UNPACR with bit 5 set (%s): it is ignored",
                machine_has(i->m, UNPACR_BCAST) ? "srcb_bcast" : "rareb_en");
    }
    if (unit_field(i->op, FLD_LAST) == 0) {
        i->said = true;
        machine_doubt(i->m, TX_UNSUPPORTED, EVIDENCE_U7, i->op,
                      "UNPACR with Last clear: it is ignored");
    }
    if (unit_field(i->op, FLD_SEARCH) != 0) {
        unsupported(i, "RowSearch");
    }
}

/* Determines the context, and the thread whose counters apply (5.1). */
static void choose_context(struct issue *i)
{
    const struct unpacker *unit = &i->m->state.units.unpack.unit[i->u];
    const uint32_t counters = unit_field(i->op, FLD_COUNTERS);
    const uint32_t number = unit_field(i->op, FLD_CONTEXT);
    i->multi = unit_field(i->op, FLD_MULTI) != 0;
    i->context = 0;
    i->xy = i->op->thread;
    if (!i->multi) {
        unsupported(i, "MultiContextMode clear");
        return;
    }
    const bool counted = unit_field(i->op, FLD_AUTO) != 0;
    i->context = counted ? unit->context[i->op->thread] : number;
    i->context = (i->context + get_thread(i, i->p->context_offset)) & 7u;
    if (counted) {
        unsupported(i, "UseContextCounter");
    } else if (number != 0) {
        doubt(i, "UNPACR with ContextNumber");
    }
    if (i->u == 1 && i->context >= 2) {
        undefined(i, "a context above 1 on unpacker 1: registers of that number are used");
    }
    if (counters == 3) {
        undefined(i, "ContextADC 3: counters of the own thread are used");
    } else {
        if (counters != 0) {
            doubt(i, "UNPACR with ContextADC");
        }
        if (counters != i->op->thread) {
            i->said = true;
            machine_note(i->m, EVIDENCE_U8);
            i->xy = machine_rule(i->m, RULE_UNPACK_XY) ? i->op->thread : counters;
        }
    }
}

/* ---- descriptor and formats (5.2) ---- */

static void read_descriptor(struct issue *i)
{
    struct unpack_job *j = i->j;
    const struct unpack_places *p = i->p;
    const uint32_t *d = i->descriptor;
    for (unsigned k = 0; k < 4; k++) {
        const struct cfg_place word = {(uint16_t)(p->descriptor.word + k), 0, 32};
        i->descriptor[k] = get(i, word);
    }
    j->compressed = (i->multi ? get(i, p->uncompressed[i->context]) : d[0] >> 4 & 1u) == 0;
    i->x_dim = i->multi && i->u == 0 ? get(i, p->x_dim[i->context & 3u]) : d[0] >> 16;
    i->y_dim = d[1] & 0xFFu;
    i->z_dim = (d[1] >> 16 & 0xFFu) != 0 ? d[1] >> 16 & 0xFFu : 1;
    i->w_dim = (d[2] & 0xFFu) != 0 ? d[2] & 0xFFu : 1;
    j->in = d[0] & 15u;
    j->out_format = (uint8_t)get(i, p->out);
    if (i->multi && get(i, p->override_formats) != 0) {
        unsupported(i, "Ovrd_data_format");
        j->in = (uint8_t)get(i, p->in_of[i->context]);
        j->out_format = (uint8_t)get(i, p->out_of[i->context]);
    }
    j->e4m3 = (uint8_t)get(i, p->e4m3);
    j->format = j->out_format;
    j->is_unsigned = (uint8_t)get(i, p->is_unsigned);
    j->force_exponent = (uint8_t)get(i, p->force_exponent);
    j->exponent = (uint8_t)get(i, p->shared_exponent);
    j->all_zero = unit_field(i->op, FLD_ZERO) != 0;
    if (j->compressed) {
        unsupported(i, "compressed data");
    }
}

/* Returns BlobsYStart of the context: eight entries of four bits. */
static uint32_t blobs(const struct issue *i)
{
    if (i->multi && i->u == 0) {
        return get(i, i->p->blobs[i->context >> 1 & 1u]);
    }
    return i->descriptor[2] >> 16 | i->descriptor[3] << 16;
}

/* ---- where the data are (5.3, 5.4) ---- */

static uint32_t align16(uint32_t x)
{
    return (x + 15u) & ~15u;
}

/* Computes the addresses of the sections: row starts, exponents and data follow each other. */
static void find_sections(struct issue *i)
{
    struct unpack_job *j = i->j;
    const struct unpack_places *p = i->p;
    uint32_t at = get(i, p->base[i->context]) + get(i, p->offset[i->context & 3u]);
    at = (at + 1 + (i->descriptor[3] >> 24)) * 16;
    const uint32_t blobs_per_plane = i->descriptor[0] >> 8 & 7u;
    const uint32_t data = i->x_dim * i->y_dim * i->z_dim * i->w_dim;
    if (j->compressed) {
        const uint32_t rows =
            (blobs_per_plane != 0 ? blobs_per_plane : i->y_dim) * i->z_dim * i->w_dim;
        j->row_starts = at;
        at += align16(2 * (rows + 1));
    }
    j->exponents = at;
    if (unpack_is_block(j->in) && j->force_exponent == 0) {
        const bool plain = (i->descriptor[0] >> 5 & 1u) == 0;
        if (!plain) {
            unsupported(i, "NoBFPExpSection");
        }
        if (unpack_bits(j->in) == 8 || plain) {
            at += align16((data + 15u) / 16u);
        }
    }
    j->data = at;
    j->limit = get(i, p->limit) * 16;
    j->fifo = get(i, p->fifo) * 16;
    if (j->fifo != 0) {
        FINDING(i, TX_UNSUPPORTED, UNPACK_ID(U26), i->op, 0,
                "UNPACR with a FIFO: no shipping kernel has one");
    }
}

static uint32_t counter(const struct issue *i, unsigned thread, unsigned channel,
                        unsigned dimension)
{
    CHECK(thread < TX_THREADS && channel < 2 && dimension < ADC_DIMENSIONS,
          "an unpacker reads one of its thread's counters");
    order_read(i->m, i->op, TX_SHARED_ADC, i->u + 3 * thread, 1, 1u << (8 * channel + dimension));
    return i->m->state.adc[thread][i->u].ch[channel][dimension].live;
}

/* Returns end - begin. If the end is before the begin, the count is 0 or, by rule, modulo 2^18. */
static uint32_t count_of(struct issue *i, uint32_t begin, uint32_t end)
{
    const bool search = unit_field(i->op, FLD_SEARCH) != 0;
    if (end < begin || (end == begin && !search)) {
        FINDING(i, TX_UNDEFINED_BEHAVIOR, UNPACK_ID(U6), i->op, 0, "UNPACR from X %u to X %u",
                (unsigned)begin, (unsigned)end - 1u);
    }
    if (end >= begin) {
        return end - begin;
    }
    return machine_rule(i->m, RULE_UNPACK_COUNT) ? (end - begin) & 0x3FFFFu : 0;
}

static void find_data(struct issue *i)
{
    struct unpack_job *j = i->j;
    const uint32_t plane = (counter(i, i->op->thread, 0, ADC_W) & 0xFFu) * i->z_dim +
                           (counter(i, i->op->thread, 0, ADC_Z) & 0xFFu);
    const uint32_t per_plane = i->descriptor[0] >> 8 & 7u;
    uint32_t x = counter(i, i->xy, 0, ADC_X);
    uint32_t y = counter(i, i->xy, 0, ADC_Y);
    uint32_t end = counter(i, i->xy, 1, ADC_X) + 1;
    if (unit_field(i->op, FLD_SEARCH) != 0) {
        if (per_plane != 0) {
            const uint32_t next = (x & 7u) + 1;
            end = next == per_plane ? i->x_dim & 0x1F0u
                                    : (next < 8 ? blobs(i) >> 4 * next & 15u : 0) << 4;
            x = (blobs(i) >> 4 * (y & 7u) & 15u) << 4;
            y = 0;
        } else {
            x = 0;
            end--;
        }
    }
    j->first = (plane * i->y_dim + y) * i->x_dim + x;
    j->count = count_of(i, x, end);
}

/* Compressed data (6.1). What is in L1 is read only in the data phase. */
static void find_compressed(struct issue *i)
{
    struct unpack_job *j = i->j;
    const uint32_t per_plane = i->descriptor[0] >> 8 & 7u;
    const bool search = unit_field(i->op, FLD_SEARCH) != 0;
    const uint32_t rows = search && per_plane != 0 ? per_plane : i->y_dim;
    const uint32_t plane = (counter(i, i->op->thread, 0, ADC_W) & 0xFFu) * i->z_dim +
                           (counter(i, i->op->thread, 0, ADC_Z) & 0xFFu);
    const uint32_t x = counter(i, i->xy, 0, ADC_X);
    const uint32_t y = counter(i, i->xy, 0, ADC_Y) & 0xFFu;
    const uint32_t end = counter(i, i->xy, 1, ADC_X);
    j->row_starts += 2 * plane * rows;
    j->row_first = (uint16_t)y;
    j->drop = 0;
    if (search) {
        j->row_end = (uint16_t)((x & 0xFFu) + 1);
    } else if (x == 0 && end + 1 == i->x_dim) {
        j->row_end = (uint16_t)(y + 1);
    } else {
        j->row_end = 0;
        j->drop = x;
        j->count = count_of(i, x, end + 1);
    }
}

/* ---- where the cells go (5.5, 5.6) ---- */

static void find_target(struct issue *i)
{
    struct unpack_job *j = i->j;
    const struct unpack_places *p = i->p;
    const unsigned t = i->op->thread;
    const uint32_t y = get(i, p->y_stride);
    const uint32_t z = get(i, p->z_stride);
    const uint32_t w = get(i, p->w_stride);
    uint32_t out = get(i, p->address_base) + counter(i, t, 1, ADC_Y) * y +
                   counter(i, t, 1, ADC_Z) * z + counter(i, t, 1, ADC_W) * w;
    const unsigned shift = unpack_is_wide(j->out_format)      ? 2
                           : unpack_bits(j->out_format) == 16 ? 1
                                                              : 0;
    if ((out & ((1u << shift) - 1u)) != 0) {
        undefined(i, "an output address that is no multiple of the datum");
    }
    out >>= shift;
    j->to_dst = i->u == 0 && get(i, i->multi ? p->to_dst_of[i->context] : p->to_dst) != 0;
    if (i->multi && i->u == 0) {
        const uint32_t dest = get(i, p->dest[i->context & 3u]);
        out = j->to_dst || get(i, p->add_dest) != 0 ? out + dest : dest;
    }
    j->out = out;
    j->remap = (uint8_t)(j->to_dst ? get(i, i->m->places->remap) : 0);
    j->swizzle = (uint8_t)(j->to_dst ? get(i, i->m->places->swizzle) : 0);
    j->override = i->u == 0 && get_thread(i, p->src_override) != 0;
    j->transpose = get(i, p->transpose) != 0;
    j->strided = get(i, p->tileize) != 0;
    if (j->strided) {
        j->stride = get(i, p->shift[0]) << 4 | get(i, p->shift[1]) << 8 | get(i, p->shift[2]) << 12;
    } else if (i->u == 0) {
        j->column_shift = (uint8_t)get(i, p->shift[i->context & 3u]);
    }
    j->zeros = (uint8_t)((1u << get(i, p->upsample)) - 1u);
    if (machine_rule(i->m, RULE_UNPACK_UPSAMPLE) && j->zeros != 0) {
        j->zeros = (uint8_t)(1u << (get(i, p->upsample) - 1u));
    }
    j->interleave = (uint8_t)get(i, p->interleave);
}

/* ---- combinations ---- */

static void check_target(struct issue *i)
{
    struct unpack_job *j = i->j;
    if (j->transpose && i->u == 1) {
        FINDING(i, TX_NON_CONTRACTUAL_BEHAVIOR, UNPACK_ID(E_UNPACK), i->op, 0,
                "UNPACR with Haloize_mode on unpacker 1: it is ignored");
        j->transpose = 0;
    }
    if (j->to_dst && (j->transpose | j->column_shift) != 0) {
        undefined(i, "Haloize_mode or Shift_amount on the way to Dst: they are ignored");
        j->transpose = j->column_shift = 0;
    }
    if (j->to_dst && j->override != 0) {
        FINDING(i, TX_UNDEFINED_BEHAVIOR, UNPACK_ID(U5), i->op, 0,
                "UNPACR to Dst with SRCA_SET_SetOvrdWithAddr set");
    }
    if (j->column_shift != 0) {
        unsupported(i, "Shift_amount without Tileize_mode");
    }
    if (j->zeros != 0) {
        FINDING(i, TX_UNSUPPORTED, UNPACK_ID(U13), i->op, 0,
                "UNPACR with upsampling, %u more cells for each datum", j->zeros);
    }
    if (j->strided != 0 && (j->zeros | j->compressed) != 0) {
        undefined(i, "Tileize_mode together with upsampling or compressed data");
    }
    const uint64_t start = (uint64_t)j->data * 8 + (uint64_t)j->first * unpack_bits(j->in);
    if (!j->compressed && (j->strided | j->transpose) != 0 && start % 128 != 0) {
        undefined(i, "Tileize_mode or Haloize_mode and an address that is no multiple of 16 bytes");
    }
}

static void check_formats(struct issue *i)
{
    const struct unpack_job *j = i->j;
    /* tt-llk's own list of pairs has these (cunpack_common.h of ttnn 0.81.1). */
    const bool shipped =
        (j->in == FORMAT_BFP4 || j->in == FORMAT_BFP2) && j->out_format == FORMAT_BFP8;
    if (!unpack_pair_legal(j) && (j->all_zero != 0 || (shipped && j->to_dst == 0))) {
        i->said = true;
        machine_doubt(i->m, TX_UNDEFINED_BEHAVIOR,
                      j->all_zero != 0 ? EVIDENCE_U10 : EVIDENCE_E_UNPACKFMT, i->op,
                      "UNPACR with formats that do not go together");
    } else if (!unpack_pair_legal(j)) {
        FINDING(i, TX_UNDEFINED_BEHAVIOR, UNPACK_ID(E_UNPACKFMT), i->op, 0,
                "UNPACR from format %u in L1 to format %u in %s", j->in, j->out_format,
                j->to_dst   ? "Dst"
                : i->u == 1 ? "SrcB"
                            : "SrcA");
    }
    for (unsigned k = 0; k < UNPACK_UNEXPLAINED; k++) {
        if (get(i, i->p->unexplained[k]) != 0) {
            FINDING(i, TX_MISSING_SPECIFICATION, UNPACK_ID(U26), i->op, 0,
                    "UNPACR while configuration word %u has a field that only has a name: "
                    "it is not read",
                    i->p->unexplained[k].word);
            return;
        }
    }
}

/* ---- afterwards (5.9) ---- */

static void issue_add(struct tx_machine *m, struct adc *adc, unsigned channel, unsigned dimension,
                      uint32_t value)
{
    CHECK(channel < 2 && dimension < ADC_DIMENSIONS,
          "an unpacker counts on in one of its counters");
    uint32_t *live = &adc->ch[channel][dimension].live;
    *live = (*live + value) & adc_mask(m->arch, dimension);
}

/* Tells the listener which counters the instruction changes. */
static void tell_counted(const struct issue *i, unsigned thread)
{
    CHECK(thread < TX_THREADS, "counters that an unpacker moves are a thread's");
    const uint32_t moved = (unit_field(i->op, FLD_CH0Y) != 0 ? 0x2u : 0) |
                           (unit_field(i->op, FLD_CH0Z) != 0 ? 0x4u : 0) |
                           (unit_field(i->op, FLD_CH1Y) != 0 ? 0x200u : 0) |
                           (unit_field(i->op, FLD_CH1Z) != 0 ? 0x400u : 0);
    if (moved != 0) {
        order_write(i->m, i->op, TX_SHARED_ADC, i->u + 3 * thread, 1, moved);
    }
}

static void count_up(const struct issue *i)
{
    for (unsigned t = 0; t < TX_THREADS; t++) {
        if (t == i->op->thread || t == i->xy) {
            struct adc *adc = &i->m->state.adc[t][i->u];
            tell_counted(i, t);
            issue_add(i->m, adc, 0, ADC_Y, unit_field(i->op, FLD_CH0Y));
            issue_add(i->m, adc, 0, ADC_Z, unit_field(i->op, FLD_CH0Z));
            issue_add(i->m, adc, 1, ADC_Y, unit_field(i->op, FLD_CH1Y));
            issue_add(i->m, adc, 1, ADC_Z, unit_field(i->op, FLD_CH1Z));
        }
    }
}

static void next_context(const struct issue *i, unsigned context)
{
    const unsigned count = 1u << get(i, i->p->context_count);
    i->m->state.units.unpack.unit[i->u].context[i->op->thread] =
        (uint8_t)(context + 1 >= count ? 0 : (context + 1) & 7u);
}

/* ---- the instruction ---- */

static void build(struct issue *i)
{
    struct unpack_job *j = i->j;
    check_word_bits(i);
    choose_context(i);
    read_descriptor(i);
    find_sections(i);
    if (j->compressed) {
        find_compressed(i);
    } else {
        find_data(i);
    }
    find_target(i);
    check_target(i);
    check_formats(i);
    unpack_set_rate(i->m, i->u, j);
    j->src_base = (uint8_t)(get_thread(i, i->p->src_base) * 16);
    j->give = unit_field(i->op, FLD_GIVE) != 0;
    j->context = i->multi ? (uint8_t)(i->context + 1) : 0;
    j->update = get(i, i->p->set_update) != 0;
    if (j->update != 0 && j->give == 0) {
        unsupported(i, "Unpack_Src_Reg_Set_Upd");
    }
}

/* ---- jobs remembered from one instruction to the next ---- */

/*
 * A job depends on the word, its thread, its counters, the words of the bank and three of the
 * thread's own words. All of these are compared, the words only if configuration may have been
 * written: a job is reused only if it would be the same, and only if it gave no finding or note. A
 * machine with a sink computes each job anew; tests/front/test_skip.c compares the two.
 */
enum { KEPT = 4, THREAD_WORDS = 3 };
struct job_memo {
    bool known;
    uint8_t thread;
    uint32_t word;
    uint64_t stamp; /* under which the words were last compared */
    uint16_t own[THREAD_WORDS];
    struct adc adc;
    uint32_t words[256];
    struct unpack_job job;
};

struct unpack_memo {
    struct job_memo kept[KEPT];
};

size_t unit_unpack_memory(void)
{
    return sizeof(struct unpack_memo);
}

static struct job_memo *memo_of(const struct issue *i)
{
    return &i->m->unpack_memo->kept[2 * i->u + (i->op->word >> 15 & 1u)];
}

static const uint32_t *words_of(const struct issue *i)
{
    return i->m->state.config[cfg_bank(&i->m->state, i->m->places, i->op->thread)];
}

static void own_words(const struct issue *i, uint16_t own[THREAD_WORDS])
{
    const uint16_t *words = i->m->state.thread_config[i->op->thread];
    own[0] = words[i->p->context_offset.word];
    own[1] = words[i->p->src_override.word];
    own[2] = words[i->p->src_base.word];
}

static bool same_words(const struct issue *i, const struct job_memo *memo)
{
    uint16_t own[THREAD_WORDS];
    own_words(i, own);
    return memcmp(own, memo->own, sizeof own) == 0 &&
           memcmp(words_of(i), memo->words, i->m->places->words * sizeof memo->words[0]) == 0;
}

static bool remembered(const struct issue *i)
{
    struct job_memo *memo = memo_of(i);
    if (!memo->known || memo->word != i->op->word || memo->thread != i->op->thread ||
        order_wanted(i->m) || i->m->settings.sink.event != NULL) {
        return false;
    }
    if (memcmp(&i->m->state.adc[i->op->thread][i->u], &memo->adc, sizeof memo->adc) != 0 ||
        (memo->stamp != i->m->config_stamp && !same_words(i, memo))) {
        return false;
    }
    memo->stamp = i->m->config_stamp;
    const struct unpack_job now = *i->j;
    *i->j = memo->job;
    i->j->op = now.op;
    i->j->since = now.since;
    i->j->passed = now.passed;
    i->j->ready = now.ready;
    return true;
}

static void remember(const struct issue *i)
{
    struct job_memo *memo = memo_of(i);
    memo->known = !i->said && i->multi && i->xy == i->op->thread;
    if (memo->known) {
        memo->thread = i->op->thread;
        memo->word = i->op->word;
        memo->stamp = i->m->config_stamp;
        own_words(i, memo->own);
        memo->adc = i->m->state.adc[i->op->thread][i->u];
        memcpy(memo->words, words_of(i), i->m->places->words * sizeof memo->words[0]);
        memo->job = *i->j;
    }
}

/* Configuration is read in the second cycle, when a word that is just being written is there. */
void unit_unpacr(struct tx_machine *m, const struct tx_op *op)
{
    struct unpack *unpack = &m->state.units.unpack;
    unpack->entering = *op;
    unpack->enters = 1;
    unpack->jobs++;
}

void unpack_enter(struct tx_machine *m, const struct tx_op *op)
{
    const unsigned u = unpack_unit(op);
    struct unpack_job job = {.op = *op,
                             .since = m->state.cycle - 1,
                             .passed = m->state.units.gate[op->thread].passed - 1,
                             .ready = m->state.cycle + 1,
                             .kind = UNPACK_DATA,
                             .wait = UNPACK_WAIT_OWN};
    struct issue i = {.m = m, .op = op, .p = unpack_places(m->arch, u), .j = &job, .u = u};
    if (unit_field(op, FLD_STEP) != 0) {
        unsupported(&i, "CfgContextCntInc");
        next_context(&i, m->state.units.unpack.unit[u].context[op->thread]);
        return;
    }
    if (remembered(&i)) {
        i.xy = op->thread;
        count_up(&i);
        unpack_queue(m, u, &job);
        return;
    }
    build(&i);
    if (job.strided != 0 && unpack_bits(job.in) < 8 && !m->faulted) {
        machine_stop(m, TX_MISSING_SPECIFICATION, UNPACK_ID(U27), op,
                     "UNPACR with Tileize_mode and data of %u bits", unpack_bits(job.in));
    }
    if (m->faulted) {
        return;
    }
    remember(&i);
    if (i.multi && unit_field(op, FLD_AUTO) != 0) {
        next_context(&i, i.context);
    }
    count_up(&i);
    unpack_queue(m, u, &job);
}

/* Row starts are not cached here, so that there is nothing to flush. */
void unit_unpacr_flush(struct tx_machine *m, const struct tx_op *op)
{
    if (unit_field(op, FLD_STEP) != 0) {
        machine_finding(m, TX_MISSING_SPECIFICATION, UNPACK_ID(E_UNPACK), op, 0,
                        "UNPACR with SearchCacheFlush and CfgContextCntInc: the first is done");
    }
}

/* Reacts to SETC16 of UNPACK_MISC_CFG: a counter whose reset bit is written is cleared (U22). */
void unit_unpack_configured(struct tx_machine *m, const struct tx_op *op, uint32_t word,
                            uint32_t value)
{
    for (unsigned u = 0; u < UNPACKERS; u++) {
        const struct unpack_places *p = unpack_places(m->arch, u);
        if (word == p->count_reset.word && (value >> p->count_reset.lsb & 1u) != 0) {
            machine_note(m, EVIDENCE_U22);
            m->state.units.unpack.unit[u].context[op->thread] = 0;
        }
        if (word == p->count_increment.word && (value >> p->count_increment.lsb & 1u) != 0) {
            machine_finding(m, TX_MISSING_SPECIFICATION, UNPACK_ID(U23), op, 0,
                            "UNPACK_MISC_CFG_CfgContextCntInc_%u set: it does nothing here", u);
        }
    }
}

/* Returns the bits of a word that the UNPACR of a waiting job has read. */
static uint32_t read_by(const struct unpack_places *p, const struct unpack_job *j, unsigned word)
{
    return unpack_places_mask(p, word) |
           (j->context == 0 ? 0 : unpack_places_context_mask(p, j->context - 1u, word));
}

/* Reports a write to configuration that a waiting UNPACR has read: its job keeps the old value. */
void unit_unpack_config(struct tx_machine *m, const struct tx_op *op, unsigned bank, unsigned word,
                        uint32_t value)
{
    CHECK(bank < 2 && word < 256, "unpackers are told of a word of a bank");
    for (unsigned u = 0; u < UNPACKERS && word < m->places->words; u++) {
        const struct unpack_places *p = unpack_places(m->arch, u);
        const struct unpacker *unit = &m->state.units.unpack.unit[u];
        const uint32_t changed = m->state.config[bank][word] ^ value;
        for (unsigned k = unit->running; k < unit->count; k++) {
            const struct unpack_job *j = &unit->job[(unit->head + k) % UNPACK_JOBS];
            if (j->kind == UNPACK_DATA && (changed & read_by(p, j, word)) != 0 &&
                (word >= m->places->global ||
                 cfg_bank(&m->state, m->places, j->op.thread) == bank)) {
                machine_doubt(m, TX_HAZARD, EVIDENCE_E_UNPACKCFG, op,
                              "configuration is changed before an UNPACR that reads it has begun; "
                              "it goes by what it was");
                break;
            }
        }
    }
}
