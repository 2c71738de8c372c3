/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What configuration says of a packer. All of it is read when the instruction starts (10.2). What
 * nobody describes is refused by name; what no kernel uses is reported. A setup is kept and reused
 * while nothing that it depends on has changed.
 */
#include "pack/pack.h"
#include "base/check.h"
#include "state/order.h"

#include <string.h>

static uint32_t word_of(const struct pack *x, struct cfg_place first)
{
    first.lsb = 0;
    first.width = 32;
    return pack_banked(x, first);
}

/* ---- refusals ---- */

static bool refuse(const struct pack *x, enum tx_category category, const char *what)
{
    machine_stop(x->m, category, PACK_ID(E_PACK), x->op, "%s: %s", x->name, what);
    return false;
}

/* Returns whether the packer compresses, for which no algorithm is published (5.8). */
static bool compresses(const struct pack *x, unsigned section)
{
    CHECK(section < PACKERS, "a packer's section of configuration is one of four");
    const struct pack_section *c = &x->p->section[section];
    if (machine_has(x->look, PACK_COMPRESSES_ALL) &&
        pack_banked(x, x->p->all_no_compress_ovrd) != 0) {
        return (pack_banked(x, x->p->all_no_compress) >> section & 1u) == 0;
    }
    return pack_banked(x, c->no_compress) == 0;
}

/* Stops the machine and returns true if the configuration asks for what cannot be modelled. */
static bool refused(const struct pack *x, unsigned section)
{
    const struct pack_section *c = &x->p->section[section];
    if (compresses(x, section)) {
        return !refuse(x, TX_UNSUPPORTED,
                       "compression (Disable_zero_compress is 0) has no published algorithm");
    }
    if (pack_banked(x, c->no_assembler) != 0) {
        return !refuse(x, TX_MISSING_SPECIFICATION,
                       "Dis_shared_exp_assembler: nothing says what the packer writes then");
    }
    if (pack_banked(x, c->read_mode) != 0) {
        return !refuse(x, TX_MISSING_SPECIFICATION, "Read_mode is not described");
    }
    if (pack_banked(x, c->by_plane) != 0) {
        return !refuse(x, TX_MISSING_SPECIFICATION, "Force_pack_per_max_xy_plane is not described");
    }
    if (pack_banked(x, c->start_select) != 0) {
        return !refuse(x, TX_MISSING_SPECIFICATION, "pack_start_intf_pos is not described");
    }
    if (pack_banked(x, c->per_plane) != 0) {
        return !refuse(x, TX_UNSUPPORTED, "pack_per_xy_plane, tiles that end by themselves");
    }
    if (pack_banked(x, x->p->packer_stochastic) != 0 ||
        pack_banked(x, x->p->gasket_stochastic) != 0) {
        return !refuse(x, TX_UNSUPPORTED, "the generator of stochastic rounding is not described");
    }
    if (!machine_has(x->look, PACK_FROM_L1) && pack_banked(x, c->from_l1) != 0) {
        return !refuse(x, TX_MISSING_SPECIFICATION, "L1 as source is described for Wormhole only");
    }
    return false;
}

/* ---- formats ---- */

static uint8_t intermediate_of(const struct pack *x)
{
    return (uint8_t)(pack_banked(x, x->p->dstacc_override) != 0 ? pack_banked(x, x->p->dstacc_val)
                                                                : pack_banked(x, x->p->dstacc));
}

/*
 * Returns the shift of integers (5.1): one value, or the byte of a table that the tile's z selects.
 */
static uint8_t shift_of(const struct pack *x, unsigned section, unsigned packer)
{
    const struct pack_places *p = x->p;
    struct cfg_place at = p->descale_value;
    if (pack_banked(x, p->descale) == 0) {
        return 0;
    }
    if (pack_banked(x, p->descale_mode) == 0) {
        return pack_banked(x, at) & 31u;
    }
    const uint32_t z =
        x->s->units.pack.unit[packer].tile_z + pack_banked(x, p->section[section].z_offset);
    at.word = (uint16_t)(at.word + ((z & 63u) >> 2));
    return pack_banked(x, at) >> 8 * (z & 3u) & 31u;
}

static bool reject_route(const struct pack *x, const struct pack_codes *c, enum pack_answer answer,
                         const char *reason)
{
    static const enum tx_category categories[] = {[PACK_UNDEFINED] = TX_UNDEFINED_BEHAVIOR,
                                                  [PACK_UNSUPPORTED] = TX_UNSUPPORTED,
                                                  [PACK_MISSING] = TX_MISSING_SPECIFICATION};
    machine_stop(x->m, categories[answer], PACK_ID(E_PACK), x->op,
                 "%s, formats %u, %u to %u of %u-bit Dst: %s", x->name, (unsigned)c->intermediate,
                 (unsigned)c->in, (unsigned)c->out, c->wide ? 32u : 16u, reason);
    return false;
}

static bool choose_route(const struct pack *x, unsigned section, struct pack_setup *setup)
{
    const struct pack_places *p = x->p;
    const struct pack_codes codes = {
        .arch = x->look->arch,
        .intermediate = setup->intermediate,
        .in = setup->in,
        .out = setup->out,
        .wide = setup->wide,
        .raw = pack_banked(x, p->raw) != 0,
        .round10 = pack_banked(x, p->round10) != 0,
        .is_unsigned = pack_banked(x, p->is_unsigned) != 0,
        .e4m3 = pack_banked(x, p->section[section].e4m3) != 0,
        .shift = shift_of(x, section, machine_has(x->look, PACK_CONTEXTS) ? 0 : section)};
    const char *reason;
    const enum pack_answer answer = setup->from_l1
                                        ? pack_route_l1(&codes, &setup->route, &reason)
                                        : pack_route_codes(&codes, &setup->route, &reason);
    if (answer > PACK_OTHER) {
        return reject_route(x, &codes, answer, reason);
    }
    setup->other = answer == PACK_OTHER;
    return true;
}

/* ---- the rest ---- */

static void read_masks(const struct pack *x, unsigned section, struct pack_setup *setup)
{
    const struct pack_places *p = x->p;
    setup->mask_low = pack_banked(x, p->edge_mode) != 0;
    setup->face_enable = pack_banked(x, p->face_enable) != 0;
    const unsigned shift = 2 * section;
    setup->face_select = pack_banked(x, p->face_select) >> shift & 3u;
    setup->row_select = pack_banked(x, p->row_select) >> shift & 3u;
    for (unsigned i = 0; i < PACK_SECTIONS; i++) {
        setup->edge_mask[i] = (uint16_t)pack_banked(x, p->section[i].edge_mask);
        setup->row_set[i] = word_of(x, p->section[i].row_set);
    }
    setup->face_set = word_of(x, p->section[setup->face_select].face_set);
    const uint32_t sets = setup->face_enable ? setup->row_set[0] | setup->row_set[1] |
                                                   setup->row_set[2] | setup->row_set[3]
                                             : setup->row_set[setup->row_select];
    setup->mask_used =
        setup->edge_mask[0] != 0xFFFFu ||
        (sets != 0 && (setup->edge_mask[1] & setup->edge_mask[2] & setup->edge_mask[3]) != 0xFFFFu);
}

static void read_output(const struct pack *x, unsigned section, struct pack_setup *setup)
{
    CHECK(section < PACKERS, "an output section is one of four");
    const struct pack_section *c = &x->p->section[section];
    setup->exp_size = pack_banked(x, c->exp_size);
    setup->dest_addr = pack_banked(x, c->dest_addr);
    setup->limit = pack_banked(x, c->limit);
    setup->fifo = pack_banked(x, c->fifo);
    setup->sub_header = pack_banked(x, c->sub_header) != 0;
    setup->add_offset = pack_banked(x, c->add_offset) != 0;
    setup->add_header = pack_banked(x, c->add_header) != 0;
    setup->out_fifo = pack_banked(x, c->out_fifo) != 0;
    setup->accumulate = pack_banked(x, c->accumulate) != 0;
    setup->auto_context = (uint8_t)pack_banked(x, c->auto_context);
}

/*
 * Returns whether L1 accumulation exists for the output format (5.9); otherwise stops the machine.
 */
static bool accumulates(const struct pack *x, const struct pack_setup *setup)
{
    switch (setup->out) {
    case TX_FORMAT_FP32:
    case TX_FORMAT_TF32:
    case TX_FORMAT_FP16:
    case TX_FORMAT_BF16:
    case TX_FORMAT_INT32:
        return true;
    default:
        machine_stop(x->m, TX_UNSUPPORTED, PACK_ID(E_PACK), x->op, "%s: Pack_L1_Acc with %s in L1",
                     x->name, tx_format_name((enum tx_format)setup->out));
        return false;
    }
}

static bool relu_fits(const struct pack *x, const struct pack_setup *setup)
{
    const uint8_t relu = setup->limits.relu;
    if (relu == TX_RELU_NONE || setup->from_l1) {
        return true;
    }
    if (setup->route.relu_bits == 8 && !setup->route.relu_integer) {
        return refuse(x, TX_MISSING_SPECIFICATION, "ReLU of FP8 is not described");
    }
    if (setup->route.relu_integer && relu > TX_RELU_ZERO) {
        return refuse(x, TX_UNDEFINED_BEHAVIOR, "ReLU of integers has no threshold");
    }
    return true;
}

static void read_strides(const struct pack *x, struct pack_setup *setup)
{
    const struct pack_places *p = x->p;
    setup->from = (struct pack_strides){pack_banked(x, p->base), pack_banked(x, p->x_stride) & 15u,
                                        pack_banked(x, p->y_stride), pack_banked(x, p->z_stride),
                                        pack_banked(x, p->w_stride)};
    setup->to =
        (struct pack_strides){pack_banked(x, p->out_base), 0, pack_banked(x, p->out_y_stride),
                              pack_banked(x, p->out_z_stride), pack_banked(x, p->out_w_stride)};
    setup->remap = pack_banked(x, x->look->places->remap) != 0;
    setup->swizzle = pack_banked(x, x->look->places->swizzle) != 0;
}

void pack_setup_look(const struct pack *x, unsigned section, struct pack_setup *setup)
{
    const struct pack_section *c = &x->p->section[section];
    memset(setup, 0, sizeof *setup);
    setup->in = (uint8_t)pack_banked(x, c->in_format);
    setup->wide = pack_banked(x, x->p->wide) != 0;
    setup->from_l1 = section == 0 && pack_banked(x, c->from_l1) != 0 && !x->flush && !x->zero;
    setup->auto_select = pack_banked(x, c->auto_select) != 0;
    setup->reads_per_plane = (uint8_t)pack_banked(x, c->reads_per_plane);
    setup->dst_offset = (uint16_t)pack_banked(x, c->dst_offset);
    read_strides(x, setup);
}

/* Returns the threads with Enable_acc_stats, a bit each. */
static uint8_t statistics_of(const struct pack *x)
{
    const struct cfg_place at = x->p->statistics;
    const uint16_t(*words)[128] = x->s->thread_config;
    uint8_t set = 0;
    if (((words[0][at.word] | words[1][at.word] | words[2][at.word]) >> at.lsb & 1u) == 0) {
        return 0;
    }
    for (unsigned t = 0; t < TX_THREADS; t++) {
        set |= (uint8_t)((cfg_thread(x->s, t, x->p->statistics) != 0) << t);
    }
    return set;
}

static bool is_chain(const struct chain *chain, unsigned conversion)
{
    return chain->steps == 1 && chain->step[0] == conversion;
}

/*
 * Returns the one conversion that does all the work for whole rows of 16-bit Dst: the data keep
 * their width and pass at most an early conversion. NONE if any other stage has work to do.
 */
static enum words_pack flat_of(const struct pack_setup *setup)
{
    const struct pack_route *r = &setup->route;
    const bool raw = r->early.steps == 0;
    const bool stages = setup->from_l1 || setup->mask_used || setup->limits.relu != TX_RELU_NONE ||
                        r->inner.steps != 0 || r->late.steps != 0 || r->shift != 0 ||
                        setup->threshold || setup->statistics || setup->ds_mask != 0 ||
                        setup->block || setup->wide || setup->out_bits != 16;
    if (stages) {
        return WORDS_PACK_NONE;
    }
    if (r->dst == TX_FORMAT_BF16 && r->exponent_bits == 8 && r->exponent_lsb == 7) {
        return raw                                       ? WORDS_PACK_BF16_RAW
               : is_chain(&r->early, TX_PACK_EARLY_BF16) ? WORDS_PACK_BF16
                                                         : WORDS_PACK_NONE;
    }
    if (r->dst == TX_FORMAT_FP16 && r->exponent_bits == 5 && r->exponent_lsb == 10) {
        return raw                                       ? WORDS_PACK_FP16_RAW
               : is_chain(&r->early, TX_PACK_EARLY_FP16) ? WORDS_PACK_FP16
                                                         : WORDS_PACK_NONE;
    }
    return WORDS_PACK_NONE;
}

static bool make(const struct pack *x, unsigned section, struct pack_setup *setup)
{
    const struct pack_places *p = x->p;
    const struct pack_section *c = &p->section[section];
    pack_setup_look(x, section, setup);
    if (refused(x, section)) {
        return false;
    }
    setup->intermediate = intermediate_of(x);
    setup->out = (uint8_t)pack_banked(x, c->out_format);
    setup->l1_source = pack_banked(x, c->l1_source);
    if (!choose_route(x, section, setup)) {
        return false;
    }
    const struct tx_format_info *out = tx_format_info((enum tx_format)setup->out);
    setup->out_bits = out->bits;
    setup->block = out->block;
    setup->limits.relu = pack_banked(x, p->relu) & 3u;
    setup->limits.relu_threshold = (uint16_t)pack_banked(x, p->relu_threshold);
    setup->limits.exponent = (uint8_t)pack_banked(x, c->threshold);
    setup->limits.keep_rest = machine_rule(x->look, RULE_PACK_THRESHOLD);
    setup->threshold = pack_banked(x, c->threshold_en) != 0;
    setup->statistics = statistics_of(x) != 0;
    setup->transposed = pack_banked(x, c->transposed) != 0;
    setup->ds_mask = (uint16_t)pack_banked(x, c->ds_mask);
    setup->z_offset = (uint8_t)pack_banked(x, c->z_offset);
    read_masks(x, section, setup);
    read_output(x, section, setup);
    setup->flat = flat_of(setup);
    setup->bulk = !setup->from_l1 && !setup->statistics && setup->ds_mask == 0;
    return relu_fits(x, setup) && (!setup->accumulate || accumulates(x, setup));
}

/* ---- findings ---- */

/* These report a finding if their condition is met, and return the condition. */
static bool unused(const struct pack *x, bool used, const char *what)
{
    if (used) {
        machine_finding(x->m, TX_UNSUPPORTED, PACK_ID(E_PACK), x->op, 0,
                        "%s with %s, which no shipping kernel uses", x->name, what);
    }
    return used;
}

static bool undefined(const struct pack *x, bool met, const char *rule, const char *what)
{
    if (met) {
        machine_finding(x->m, TX_UNDEFINED_BEHAVIOR, rule, x->op, 0, "%s: %s", x->name, what);
    }
    return met;
}

static bool check_formats(const struct pack *x, const struct pack_setup *setup)
{
    const uint8_t relu = setup->limits.relu;
    const bool other = setup->other && !setup->from_l1;
    bool any = other;
    if (other) {
        machine_finding(x->m, TX_UNDEFINED_BEHAVIOR, PACK_ID(P6), x->op, 0,
                        "%s: the intermediate format %u is not In_data_format %u; the data pass as "
                        "they are",
                        x->name, (unsigned)setup->intermediate, (unsigned)setup->in);
    }
    any |= undefined(
        x, relu > TX_RELU_ZERO && (setup->limits.relu_threshold & 0x8000u) != 0 && !setup->from_l1,
        PACK_ID(E_PACK), "the ReLU threshold is negative");
    any |= undefined(x, setup->threshold && setup->in == TX_FORMAT_BFP2A, PACK_ID(E_PACK),
                     "the exponent threshold of BFP2a does not work");
    any |= undefined(x, setup->mask_used && setup->mask_low && setup->route.relu_integer,
                     PACK_ID(P8), "edge masks put minus infinity into integers; zero is taken");
    return any;
}

static bool check(const struct pack *x, unsigned section, const struct pack_setup *setup)
{
    const struct pack_section *c = &x->p->section[section];
    bool any = unused(x, setup->sub_header != 0, "Sub_l1_tile_header_size");
    any |= unused(x, setup->add_offset != 0, "Add_l1_dest_addr_offset");
    any |= unused(x, setup->out_fifo != 0, "Enable_out_fifo");
    any |= unused(x, setup->auto_select, "Auto_set_last_pacr_intf_sel");
    any |= unused(x, pack_banked(x, c->concat_mask) != 0, "a PACK_CONCAT_MASK");
    any |= unused(x, setup->ds_mask != 0 || pack_banked(x, c->ds_rate) != 0, "downsampling");
    any |= unused(x, setup->from_l1, "L1 as source");
    any |= unused(x, setup->route.shift != 0, "INT_DESCALE");
    any |= unused(x, setup->transposed, "pack_yz_transposed");
    any |= check_formats(x, setup);
    return any;
}

/* ---- kept from one instruction to the next ---- */

/*
 * A setup depends on the words of the bank, on the threads' Enable_acc_stats and on two bits of the
 * instruction. Unless no configuration has been written since, all of these are compared: a setup
 * is reused only if it would be the same. With INT_DESCALE it may also depend on the tile's z and
 * is not kept.
 */
struct setup_memo {
    bool known;
    bool moves_nothing; /* Flush or ZeroWrite was set */
    uint8_t statistics;
    uint8_t thread; /* which asked last, under this stamp */
    uint64_t stamp;
    uint32_t words[256];
    struct pack_setup setup;
};

/*
 * The decoded operands of a plain word, which follow from the word and its thread alone; and, while
 * no configuration is written, what else is known before counters are read.
 */
enum { WORDS_LOG = 3, WORDS_KEPT = 1 << WORDS_LOG };
struct word_memo {
    uint32_t word;
    uint8_t thread;
    bool known;
    bool is_flat; /* the rest of "flat" is known, too, under the stamp */
    uint64_t stamp;
    struct pack_flat flat;
};

struct pack_memo {
    struct setup_memo section[PACK_SECTIONS];
    struct word_memo word[WORDS_KEPT];
};

size_t unit_pack_memory(void)
{
    return sizeof(struct pack_memo);
}

static struct word_memo *word_memo(const struct tx_machine *m, uint32_t word)
{
    return &m->pack_memo->word[word * 0x9E3779B1u >> (32 - WORDS_LOG)];
}

bool pack_word_known(struct pack *x, const struct tx_machine *look, const struct tx_op *op)
{
    const struct word_memo *memo = word_memo(look, op->word);
    if (!memo->known || memo->word != op->word || memo->thread != op->thread) {
        return false;
    }
    *x = memo->flat.x;
    return true;
}

void pack_word_keep(const struct pack *x)
{
    struct word_memo *memo = word_memo(x->m, x->op->word);
    memo->word = x->op->word;
    memo->thread = x->op->thread;
    memo->known = true;
    memo->is_flat = false;
    memo->flat.x = *x;
}

struct pack_flat *pack_flat_known(struct tx_machine *m, uint32_t word, unsigned thread)
{
    CHECK(thread < TX_THREADS, "a flat word is kept for a thread");
    struct word_memo *memo = word_memo(m, word);
    const bool known = memo->is_flat && memo->stamp == m->config_stamp && memo->word == word &&
                       memo->thread == thread && !order_wanted(m) && m->settings.sink.event == NULL;
    return known ? &memo->flat : NULL;
}

void pack_flat_keep(const struct pack *x, const struct pack_job jobs[PACKERS])
{
    struct word_memo *memo = word_memo(x->m, x->op->word);
    struct pack_flat *flat = &memo->flat;
    if (!x->plain || !memo->known || memo->word != x->op->word || memo->thread != x->op->thread) {
        return;
    }
    memo->is_flat = true;
    for (unsigned i = 0; i < PACKERS && memo->is_flat; i++) {
        if (bits_has(x->packers, i)) {
            const struct pack_setup *setup = pack_setup_known(x, pack_section(x, i));
            memo->is_flat = setup != NULL && setup->quiet && pack_input_may_be_flat(&jobs[i]);
            flat->job[i] = jobs[i];
            flat->job[i].x = &flat->x;
        }
    }
    flat->op = *x->op;
    pack_steps(x, flat->step);
    memo->stamp = x->m->config_stamp;
}

static const uint32_t *words_of(const struct pack *x)
{
    return x->s->config[cfg_bank(x->s, x->look->places, x->thread)];
}

const struct pack_setup *pack_setup_known(const struct pack *x, unsigned section)
{
    CHECK(section < PACKERS, "a setup is kept for one of four sections");
    struct setup_memo *memo = &x->look->pack_memo->section[section];
    if (!memo->known || memo->moves_nothing != (x->flush || x->zero)) {
        return NULL;
    }
    if (memo->stamp != x->look->config_stamp || memo->thread != x->thread) {
        const size_t size = x->look->places->words * sizeof memo->words[0];
        if (memo->statistics != statistics_of(x) || memcmp(memo->words, words_of(x), size) != 0) {
            return NULL;
        }
        memo->stamp = x->look->config_stamp;
        memo->thread = x->thread;
    }
    return &memo->setup;
}

const struct pack_setup *pack_setup_take(const struct pack *x, unsigned section)
{
    CHECK(section < PACKERS, "a setup is made for one of four sections");
    struct setup_memo *memo = &x->m->pack_memo->section[section];
    if (pack_setup_known(x, section) == NULL) {
        memo->known = false;
        for (unsigned i = 0; i < WORDS_KEPT; i++) {
            x->m->pack_memo->word[i].is_flat = false; /* may stand for this setup */
        }
        if (!make(x, section, &memo->setup)) {
            return NULL;
        }
        memo->setup.quiet = !check(x, section, &memo->setup);
        memo->moves_nothing = x->flush || x->zero;
        memo->statistics = statistics_of(x);
        memcpy(memo->words, words_of(x), x->look->places->words * sizeof memo->words[0]);
        memo->stamp = x->m->config_stamp;
        memo->thread = x->thread;
        memo->known = pack_banked(x, x->p->descale) == 0;
    } else if (!memo->setup.quiet) {
        (void)check(x, section, &memo->setup);
    }
    return &memo->setup;
}
