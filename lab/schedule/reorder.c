/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows that no SFPLOADMACRO can start, or that are too long for a search: their instructions stay
 * what they are, in the registers that they have, and only their order changes. The words of a tile
 * are a block that is repeated at other addresses, or one block. Counters are left out, as
 * addresses are immediates then; constants that the block loads go into registers that the kernel
 * leaves alone, those first that save most words; the rest is placed as a list, the longest chain
 * first.
 *
 * An instruction that sets flags is passed by nothing. Loads and stores of one address keep their
 * order, and where a load takes another format than the store before it, their distance, too.
 */
#include "schedule/reader.h"

#include <stdlib.h>
#include <string.h>

#include <tensix/facts.h>

#include "base/memory.h"
#include "flow/operands.h"
#include "kernel/write.h"

enum {
    STEPS = 2048,   /* of a block at most */
    CONSTANTS = 32, /* that a block loads */
    FIELDS = 3,     /* operands that can name a constant: VA, VB and VC */
    FLAGS = 16,     /* behind L0 to L15: what flags say */
    RESOURCES = 17, /* what an instruction reads and writes, but for Dst */
    TEXT = 160,
};

static const enum tx_fld field_of[FIELDS] = {TX_FLD_VA, TX_FLD_VB, TX_FLD_VC};

struct item {
    uint32_t step; /* of the graph */
    const struct tx_row *row;
    uint32_t word;
    uint32_t reads, writes; /* bit n: Ln; bit FLAGS: flags */
    uint32_t keeps;         /* of what it writes: registers of which it may keep a part */
    int constant[FIELDS];   /* number of the constant that an operand is, or SCHED_NONE */
    bool access, gone, placed;
    unsigned height, waits; /* cycles of the longest chain behind it; edges to it that are open */
    int time;               /* its cycle, or the first one that edges leave */
    int first_edge;         /* from it, or SCHED_NONE */
};

struct constant {
    uint32_t bits;
    int reg;        /* where it will stand, or SCHED_NONE */
    int own;        /* a register that the tile sets to nothing else, or SCHED_NONE */
    unsigned words; /* SFPLOADI in the block */
};

struct edge {
    uint16_t from, to;
    unsigned cycles;
    int next; /* edge from the same instruction, or SCHED_NONE */
};

struct block {
    struct reader *r;
    struct item *item;
    uint32_t start; /* the first step of the first block */
    unsigned items, blocks;
    int offset[SCHED_ROWS]; /* of the addresses of each block from those of the first one */
    struct constant constant[CONSTANTS];
    unsigned constants;
    struct edge *edge;
    size_t edges, room;
    unsigned *order;
    unsigned placed, cycles;
};

/* ---- which words are a block ---- */

static bool is_access(const struct txl_step *s)
{
    return s->row->insn == TX_INSN_SFPLOAD || s->unit == TX_UNIT_STORE;
}

static uint32_t plain_word(const struct reader *r, const struct txl_step *s)
{
    if (!is_access(s)) {
        return s->word;
    }
    const uint32_t word = tx_row_put(s->row, TX_FLD_IMM, s->word, 0);
    return r->moves ? tx_row_put(s->row, TX_FLD_AMOD, word, SCHED_STILL) : word;
}

/* Whether the steps repeat after so many, all addresses of a block moved by one number. */
static bool repeats(struct block *b, uint32_t steps, uint32_t period)
{
    const struct reader *r = b->r;
    if (steps % period != 0 || steps / period > SCHED_ROWS || period > STEPS) {
        return false;
    }
    bool known = false;
    for (uint32_t i = 0; i < steps; i++) {
        const struct txl_step *s = txl_graph_step(r->graph, b->start + i);
        const struct txl_step *first = txl_graph_step(r->graph, b->start + i % period);
        const int apart = (int)read_address(r, s) - (int)read_address(r, first);
        int *offset = &b->offset[i / period];
        if (i % period == 0) {
            known = false;
            *offset = 0;
        }
        if (plain_word(r, s) != plain_word(r, first) ||
            (is_access(s) && known && apart != *offset)) {
            return false;
        }
        if (is_access(s)) {
            *offset = apart;
            known = true;
        }
    }
    b->items = period;
    b->blocks = steps / period;
    return true;
}

static bool find_block(struct block *b)
{
    uint32_t steps = (uint32_t)txl_graph_steps(b->r->graph), period = 1;
    /* what stands in front of the rows is among the words around them */
    while (b->start < steps &&
           txl_graph_step(b->r->graph, b->start)->row->insn == TX_INSN_SFPENCC) {
        b->start++;
    }
    steps -= b->start;
    while (period <= steps && !repeats(b, steps, period)) {
        period++;
    }
    return period <= steps ||
           sched_refuse(b->r->why, "a tile has more than %d instructions, and no rows", STEPS);
}

/* ---- what each instruction touches ---- */

/* Whether the operand is the destination, because the word has no field for it. */
static bool is_tied(const struct tx_row *row, unsigned operand)
{
    return (field_of[operand] == TX_FLD_VB && row->implied == TX_IMPLIED_VB_VD) ||
           (field_of[operand] == TX_FLD_VC && row->implied == TX_IMPLIED_VC_VD);
}

static void note_constants(struct block *b, struct item *item)
{
    const struct tx_operands *o = txl_graph_operands(b->r->graph, item->step);
    const unsigned reg[FIELDS] = {o->va, o->vb, o->vc};
    const uint64_t set[FIELDS] = {TX_SET(VA), TX_SET(VB), TX_SET(VC)};
    for (unsigned k = 0; k < FIELDS; k++) {
        uint32_t bits = 0;
        item->constant[k] = SCHED_NONE;
        if ((item->row->reads & set[k]) == 0 || (item->row->writes & set[k]) != 0 ||
            (flow_fixed(item->row->reads) >> reg[k] & 1U) != 0 || is_tied(item->row, k) ||
            !read_is_constant(b->r, txl_graph_read(b->r->graph, item->step, reg[k]), &bits)) {
            continue;
        }
        unsigned at = 0;
        while (at < b->constants && b->constant[at].bits != bits) {
            at++;
        }
        if (at < CONSTANTS) {
            b->constant[at].bits = bits;
            b->constants += at == b->constants;
            item->constant[k] = (int)at;
        }
    }
}

static bool note_item(struct block *b, uint32_t at)
{
    struct reader *r = b->r;
    const uint32_t step = b->start + at;
    const struct txl_step *s = txl_graph_step(r->graph, step);
    const struct tx_operands *o = txl_graph_operands(r->graph, step);
    struct item *item = &b->item[at];
    const bool indirect =
        tx_indirect_va(s->row->reads, o->mode) || tx_indirect_vd(s->row->writes, o->mode);
    const bool flags = flow_writes_flags(s->row, o);
    *item = (struct item){.step = step,
                          .row = s->row,
                          .word = plain_word(r, s),
                          .access = is_access(s),
                          .first_edge = SCHED_NONE,
                          .reads = s->reads | flow_lregs(s->row->reads, o, 0) | 1U << FLAGS,
                          .writes = s->writes | flow_lregs(s->row->writes, o, 0)};
    if (indirect) {
        return sched_refuse(r->why, "%s names registers by L7", s->row->mnemonic);
    }
    if (tx_row_draws(s->row, o->rounding)) {
        return sched_refuse(r->why, "%s draws a random word, and which one depends on the order",
                            s->row->mnemonic);
    }
    item->writes |= flags ? 1U << FLAGS : 0;
    item->keeps =
        read_masked(r, step) || (s->row->reads & TX_SET(VD)) != 0 || flow_spares_vd(s->row, o)
            ? item->writes
            : 0;
    item->reads &= (1U << RESOURCES) - 1;
    item->writes &= 0xFFU | 1U << FLAGS;
    note_constants(b, item);
    return !item->access || read_no_alias(r, s);
}

/* ---- constants ---- */

/* Registers that neither .init nor the tile names. */
static uint32_t unused(const struct block *b)
{
    uint32_t used = b->r->written | read_configured(b->r->body->program);
    for (unsigned i = 0; i < b->items; i++) {
        used |= b->item[i].reads | b->item[i].writes;
    }
    return ~used & 0x70FFU;
}

/* What one SFPLOADI makes of a register, with those before it: the constant, or SCHED_NONE. */
static int made_by(const struct block *b, const struct item *item)
{
    uint32_t bits = 0;
    const unsigned reg = txl_graph_operands(b->r->graph, item->step)->vd;
    if (item->row->insn != TX_INSN_SFPLOADI ||
        !read_is_constant(b->r, txl_graph_wrote(b->r->graph, item->step, reg), &bits)) {
        return SCHED_NONE;
    }
    for (unsigned i = 0; i < b->constants; i++) {
        if (b->constant[i].bits == bits) {
            return (int)i;
        }
    }
    return SCHED_NONE;
}

/* The words that a constant costs, and a register that is set to nothing else. */
static void count_words(struct block *b)
{
    enum { UNSET = -1, SEVERAL = -2 };
    const txl_graph *g = b->r->graph;
    int only[8];
    uint32_t last[8]; /* the step that loads a register next */
    for (unsigned i = 0; i < 8; i++) {
        only[i] = UNSET;
        last[i] = TXL_NO_VALUE;
    }
    for (unsigned i = b->items; i-- > 0;) {
        const struct item *item = &b->item[i];
        const int made = made_by(b, item);
        for (uint32_t regs = item->writes & 0xFFU; regs != 0; regs &= regs - 1) {
            const unsigned reg = (unsigned)__builtin_ctz(regs);
            const bool half =
                made == SCHED_NONE && last[reg] != TXL_NO_VALUE &&
                txl_graph_read(g, last[reg], reg) == txl_graph_wrote(g, item->step, reg);
            const int makes = half ? only[reg] : made;
            only[reg] =
                makes != SCHED_NONE && (only[reg] == UNSET || only[reg] == makes) ? makes : SEVERAL;
            last[reg] = made != SCHED_NONE ? item->step : (uint32_t)TXL_NO_VALUE;
            if (made != SCHED_NONE) {
                b->constant[made].own = (int)reg;
                b->constant[made].words += (item->row->reads & TX_SET(VD)) != 0 ? 2 : 1;
            }
        }
    }
    for (unsigned i = 0; i < b->constants; i++) {
        struct constant *c = &b->constant[i];
        c->own = c->words != 0 && only[c->own] == (int)i ? c->own : SCHED_NONE;
    }
}

/* Gives registers to constants, those that save most words first. */
static void choose_constants(struct block *b)
{
    uint32_t open = unused(b);
    count_words(b);
    for (unsigned i = 0; i < b->constants; i++) {
        struct constant *c = &b->constant[i];
        c->reg = read_standing(b->r, c->bits);
        c->reg = c->reg == SCHED_NONE ? c->own : c->reg;
    }
    while (open != 0) {
        struct constant *best = NULL;
        for (unsigned i = 0; i < b->constants; i++) {
            struct constant *c = &b->constant[i];
            if (c->reg == SCHED_NONE && c->words != 0 && (best == NULL || c->words > best->words)) {
                best = c;
            }
        }
        if (best == NULL) {
            break;
        }
        best->reg = 31 - __builtin_clz(open);
        open &= ~(1U << best->reg);
    }
}

static void replace_operands(struct block *b)
{
    for (unsigned i = 0; i < b->items; i++) {
        struct item *item = &b->item[i];
        const struct tx_operands *o = txl_graph_operands(b->r->graph, item->step);
        struct tx_operands now = *o;
        uint8_t *reg[FIELDS] = {&now.va, &now.vb, &now.vc};
        bool other = false;
        for (unsigned k = 0; k < FIELDS; k++) {
            const int at = item->constant[k];
            if (at != SCHED_NONE && b->constant[at].reg != SCHED_NONE) {
                *reg[k] = (uint8_t)b->constant[at].reg;
                item->word = tx_row_put(item->row, field_of[k], item->word, *reg[k]);
                other = true;
            }
        }
        if (other) {
            item->reads = flow_lregs(item->row->reads, &now, 0) | 1U << FLAGS;
            item->reads |= item->keeps & 0xFFFFU;
        }
    }
}

/*
 * Leaves out loads of constants that nothing reads any more, the block following itself, and what
 * only waits.
 */
static void drop_loads(struct block *b)
{
    uint32_t live = 0;
    for (bool again = true; again;) {
        const uint32_t before = live;
        again = false;
        for (unsigned i = b->items; i-- > 0;) {
            struct item *item = &b->item[i];
            const uint32_t made = item->writes & 0xFFU;
            item->gone = item->row->insn == TX_INSN_SFPNOP ||
                         (item->row->insn == TX_INSN_SFPLOADI && (live & made) == 0);
            if (!item->gone) {
                live = (live & ~(made & ~item->keeps)) | item->reads;
            }
        }
        again = live != before;
    }
    for (unsigned i = 0; i < b->constants; i++) {
        const struct constant *c = &b->constant[i];
        for (unsigned k = 0; k < b->items && c->reg != SCHED_NONE; k++) {
            struct item *item = &b->item[k];
            const bool own = c->reg < 8 && (item->writes >> c->reg & 1U) != 0;
            item->gone = item->gone || (own && item->row->insn == TX_INSN_SFPLOADI);
        }
    }
}

/* ---- the order ---- */

static bool add_edge(struct block *b, unsigned from, unsigned to, unsigned cycles)
{
    if (!LIST_ONE(b->edge, b->edges, b->room, b->r->why->memory)) {
        return false;
    }
    b->edge[b->edges] =
        (struct edge){(uint16_t)from, (uint16_t)to, cycles, b->item[from].first_edge};
    b->item[from].first_edge = (int)b->edges++;
    b->item[to].waits++;
    return true;
}

/* Cycles from one access of Dst to a later one of the same address, 0: they may change places. */
static unsigned between(const struct block *b, const struct item *first, const struct item *then)
{
    const struct txl_step *a = txl_graph_step(b->r->graph, first->step);
    const struct txl_step *c = txl_graph_step(b->r->graph, then->step);
    const bool stores = a->unit == TX_UNIT_STORE || c->unit == TX_UNIT_STORE;
    if (!first->access || !then->access || !stores ||
        read_address(b->r, a) != read_address(b->r, c)) {
        return 0;
    }
    return a->unit == TX_UNIT_STORE && !b->r->body->wide ? (unsigned)(c->cycle - a->cycle) : 1;
}

/* Cycles from one instruction to a later one that touches what it touches; 0: none are needed. */
static unsigned needs(const struct block *b, const struct item *first, const struct item *then)
{
    unsigned cycles = between(b, first, then);
    const unsigned late = first->row->latency;
    if ((first->writes & then->reads) != 0) {
        cycles = cycles < late ? late : cycles;
    }
    if ((first->writes & then->writes) != 0) {
        const unsigned apart = late >= then->row->latency ? late - then->row->latency + 1U : 1U;
        cycles = cycles < apart ? apart : cycles;
    }
    if ((first->reads & then->writes) != 0 && cycles == 0) {
        cycles = 1;
    }
    return cycles;
}

static bool link_all(struct block *b)
{
    for (unsigned to = 0; to < b->items; to++) {
        const struct item *item = &b->item[to];
        bool passed = false;
        for (unsigned from = to; !item->gone && !passed && from-- > 0;) {
            const unsigned cycles = b->item[from].gone ? 0 : needs(b, &b->item[from], item);
            if (cycles != 0 && !add_edge(b, from, to, cycles)) {
                return false;
            }
            /* what stands before an instruction that nothing passes need not be looked at */
            passed = cycles != 0 && (b->item[from].writes >> FLAGS & 1U) != 0 && !item->access;
        }
    }
    for (size_t i = b->edges; i-- > 0;) {
        const struct edge *e = &b->edge[i];
        const unsigned height = b->item[e->to].height + e->cycles;
        struct item *from = &b->item[e->from];
        from->height = from->height < height ? height : from->height;
    }
    return true;
}

/* SFPSWAP and its like occupy their sub-unit for two cycles and hold what follows. */
static int occupies(const struct tx_row *row)
{
    return row->unit == TX_UNIT_SIMPLE && row->latency == 2 ? 2 : 1;
}

/* Whether Blackhole's interlock would hold an instruction directly behind another one. */
static bool is_held(const struct block *b, const struct item *last, const struct item *item)
{
    if (last == NULL || last->row->latency != 2 ||
        tx_arch_fact(b->r->body->arch, TX_FACT_INTERLOCK) == 0) {
        return false;
    }
    const struct tx_operands o = {.va = (uint8_t)tx_row_field(item->row, TX_FLD_VA, item->word),
                                  .vb = (uint8_t)tx_row_field(item->row, TX_FLD_VB, item->word),
                                  .vc = (uint8_t)tx_row_field(item->row, TX_FLD_VC, item->word),
                                  .vd = (uint8_t)tx_row_field(item->row, TX_FLD_VD, item->word),
                                  .mode = (uint8_t)tx_row_field(item->row, TX_FLD_MOD, item->word)};
    return (flow_lregs(item->row->belief, &o, 0xFF) & last->writes & 0xFFU) != 0;
}

static void reorder_place(struct block *b, struct item *item, int now)
{
    item->placed = true;
    item->time = now;
    b->order[b->placed++] = (unsigned)(item - b->item);
    for (int i = item->first_edge; i != SCHED_NONE; i = b->edge[i].next) {
        struct item *to = &b->item[b->edge[i].to];
        const int from = now + (int)b->edge[i].cycles;
        to->time = to->time < from ? from : to->time;
        to->waits--;
    }
}

static void place_all(struct block *b)
{
    unsigned left = 0;
    const struct item *last = NULL;
    int now = 0, end = 0;
    for (unsigned i = 0; i < b->items; i++) {
        left += !b->item[i].gone;
    }
    while (b->placed < left) {
        struct item *best = NULL;
        for (unsigned i = 0; i < b->items; i++) {
            struct item *item = &b->item[i];
            const bool ready = !item->gone && !item->placed && item->waits == 0 &&
                               item->time <= now && !is_held(b, last, item);
            best = ready && (best == NULL || item->height > best->height) ? item : best;
        }
        last = best;
        if (best != NULL) {
            reorder_place(b, best, now);
            end = now + best->row->latency > end ? now + best->row->latency : end;
        }
        now += best != NULL ? occupies(best->row) : 1;
    }
    b->cycles = (unsigned)(now > end ? now : end);
}

/* ---- the text ---- */

static void put_word(FILE *out, enum tx_arch arch, uint32_t word)
{
    char text[TEXT];
    (void)tx_disassemble(arch, word, TX_DIS_NORMAL, text, sizeof text);
    fprintf(out, "    %s\n", text);
}

static void put_item(FILE *out, const struct block *b, const struct item *item, const char *base,
                     int offset)
{
    const enum tx_arch arch = b->r->body->arch;
    if (!item->access) {
        put_word(out, arch, item->word);
        return;
    }
    const int at = read_address(b->r, txl_graph_step(b->r->graph, item->step)) + offset;
    fprintf(out, "    %s L%u, %s%d, %u, %u\n",
            item->row->insn == TX_INSN_SFPLOAD ? "sfpload" : "sfpstore",
            tx_row_field(item->row, TX_FLD_VD, item->word), base, at,
            tx_row_field(item->row, TX_FLD_MOD, item->word),
            tx_row_field(item->row, TX_FLD_AMOD, item->word));
}

static void put_block(FILE *out, const struct block *b, const char *base, int offset)
{
    int now = 0;
    for (unsigned i = 0; now < (int)b->cycles; now++) {
        const struct item *item = i < b->placed ? &b->item[b->order[i]] : NULL;
        if (item != NULL && item->time == now) {
            put_item(out, b, item, base, offset);
            i++;
        } else {
            fputs("    sfpnop\n", out);
        }
    }
}

static void put_init(FILE *out, const struct block *b)
{
    const struct tx_program *p = b->r->body->program;
    const enum tx_arch arch = b->r->body->arch;
    fputs(".init\n", out);
    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned i = 0; i < b->constants; i++) {
            const struct constant *c = &b->constant[i];
            const bool made = c->reg != SCHED_NONE && c->reg != read_standing(b->r, c->bits);
            if (made && pass == 0 && c->reg >= 8) { /* through L0, which what follows sets again */
                fprintf(out, ".loadi     L0, 0x%08x\n    sfpconfig %d,0,0\n", c->bits, c->reg);
            } else if (made && pass == 1 && c->reg < 8) {
                fprintf(out, ".loadi     L%d, 0x%08x\n", c->reg, c->bits);
            }
        }
        for (size_t i = 0; pass == 0 && i < tx_program_count(p, TX_SECTION_INIT); i++) {
            put_word(out, arch, tx_program_words(p, TX_SECTION_INIT)[i]);
        }
    }
    fputs("    sfpnop\n", out);
}

static void put_tile(FILE *out, const struct block *b)
{
    const struct sched_body *body = b->r->body;
    const int stride = b->blocks > 1 ? b->offset[1] : 0;
    bool stepped = b->blocks > 1;
    for (unsigned i = 0; i < b->blocks; i++) {
        stepped = stepped && b->offset[i] == (int)i * stride;
    }
    fputs(".tile\n", out);
    for (unsigned i = 0; i < body->leads; i++) {
        put_word(out, body->arch, body->lead[i]);
    }
    if (stepped) {
        fprintf(out, "I = 0\n.rept %u\n", b->blocks);
        put_block(out, b, "I + ", 0);
        fprintf(out, "    I = I + %d\n.endr\n", stride);
    }
    for (unsigned i = 0; !stepped && i < b->blocks; i++) {
        put_block(out, b, "", b->offset[i]);
    }
    for (unsigned i = 0; i < body->tails; i++) {
        put_word(out, body->arch, body->tail[i]);
    }
}

static bool reorder_work(struct block *b)
{
    struct reader *r = b->r;
    const size_t steps = txl_graph_steps(r->graph) + 1;
    r->step = calloc(steps, sizeof *r->step);
    b->item = calloc(STEPS, sizeof *b->item);
    b->order = calloc(STEPS, sizeof *b->order);
    if (r->step == NULL || b->item == NULL || b->order == NULL) {
        r->why->memory = true;
        return false;
    }
    for (size_t i = 0; i < steps; i++) {
        r->step[i].op = SCHED_NONE;
    }
    read_moves(r);
    if (!read_flags(r) || !find_block(b)) {
        return false;
    }
    bool stores = false;
    for (uint32_t i = 0; i < b->items; i++) {
        if (!note_item(b, i)) {
            return false;
        }
        stores = stores || b->item[i].row->unit == TX_UNIT_STORE;
    }
    if (!stores) {
        return sched_refuse(r->why, "nothing is stored");
    }
    choose_constants(b);
    replace_operands(b);
    drop_loads(b);
    if (!link_all(b)) {
        return false;
    }
    place_all(b);
    return true;
}

bool sched_reorder(FILE *out, const struct tx_program *program,
                   const struct tx_kernel_options *options, struct sched_reordered *made,
                   struct sched_why *why)
{
    struct sched_body *body = calloc(1, sizeof *body);
    struct block b = {.items = 0};
    why->memory = body == NULL;
    if (body == NULL) {
        return false;
    }
    struct reader reader = {.body = body, .why = why, .options = *options};
    body->program = program;
    body->arch = tx_program_arch(program);
    b.r = &reader;
    const bool good = read_run(&reader, program) && reorder_work(&b);
    if (good) {
        fputs("# Written by tensix opt: the instructions as they were, in another order.\n", out);
        kernel_write_head(out, program);
        put_init(out, &b);
        put_tile(out, &b);
        *made = (struct sched_reordered){.blocks = b.blocks,
                                         .cycles = (uint64_t)b.blocks * b.cycles,
                                         .around = body->around + body->tails + 8};
    }
    txl_graph_close(reader.graph);
    free(reader.step);
    free(b.item);
    free(b.order);
    free(b.edge);
    free(body);
    return good;
}
