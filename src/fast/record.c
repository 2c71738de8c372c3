/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records what the reference engine executes in one run of .tile. What depends on data or differs
 * between lanes cannot be replayed by the fast engine: then reason says what it was.
 */
#include "fast/record.h"

#include "pipe/exec.h"
#include "state/dst.h"

#include <stdlib.h>

static bool uniform(uint32_t lanes)
{
    return lanes == 0 || lanes == 0xFFFFFFFFu;
}

static bool is_indirect(const struct tx_op *op)
{
    const struct isa_row *row = isa_row((enum isa_row_id)op->row);
    return tx_indirect_va(row->text.reads, op->mode) || tx_indirect_vd(row->text.writes, op->mode);
}

/* Returns why the fast engine cannot replay this execution, or NULL. */
static const char *refuses(const struct tx_machine *m, const struct tx_op *op, uint32_t allowed,
                           const struct effect *e)
{
    const struct tx_state *s = &m->state;
    const unsigned insn = isa_row((enum isa_row_id)op->row)->insn;
    if (e->template_mask != 0) {
        return "an instruction of .tile becomes a macro template";
    }
    if (machine_rule(m, RULE_BACKDOOR_LANES) && exec_open_lanes(m, op) != 0) {
        return "by rule backdoor-lanes=enabled data decide what becomes a macro template";
    }
    if (!machine_has(m, SWAP_HOLDS_ALL) && machine_rule(m, RULE_SWAP_STALL) && is_indirect(op)) {
        return "by rule swap-stall=overlap data, the register L7 names, decide when it runs";
    }
    if (insn == INSN_SFPCONFIG &&
        (e->config_kind != EFFECT_CONSTANT || e->config_mask != 0xFFFFFFFFu || s->use_flags != 0)) {
        return "SFPCONFIG in .tile changes more than a constant in all lanes";
    }
    if (!uniform(allowed)) {
        return "an instruction is dropped in some lanes only";
    }
    if (!uniform(s->use_flags)) {
        return "predication is switched on in some lanes only";
    }
    if (op->row == ROWID_SFPMOV_SPECIAL && op->vc != 9) {
        return "SFPMOV reads configuration";
    }
    for (unsigned lane = 1; lane < 32; lane++) {
        if (s->stack_ctr[lane] != s->stack_ctr[0] || s->stack_ctr[0] > 8) {
            return "the flag stack is used beyond its contract";
        }
    }
    return NULL;
}

/* Returns a new record, or NULL without memory. */
static struct fast_record *record_add(struct fast_recording *r)
{
    if (r->failed) {
        return NULL;
    }
    if (r->count == r->room) {
        const size_t room = r->room == 0 ? 1024 : 2 * r->room;
        struct fast_record *larger = realloc(r->list, room * sizeof *larger);
        if (larger == NULL) {
            r->failed = true;
            return NULL;
        }
        r->list = larger;
        r->room = room;
    }
    return &r->list[r->count++];
}

void fast_record_change(void *user, const struct tx_machine *m, enum machine_change change,
                        uint32_t value)
{
    struct fast_recording *r = user;
    struct fast_record *to = NULL;
    if (change == CHANGE_HOST) {
        r->reason = r->reason == NULL ? "the host writes state meanwhile" : r->reason;
    } else if (change == CHANGE_UNIT) {
        r->reason = r->reason == NULL ? "another unit writes Dst in .tile" : r->reason;
    } else if (change == CHANGE_PACK) {
        r->reason = r->reason == NULL ? "a packer writes L1 in .tile" : r->reason;
    }
    if (r->reason == NULL) {
        to = record_add(r);
    }
    if (to != NULL) {
        *to = (struct fast_record){.cycle = m->state.cycle, .seeds = true, .seed = value};
    }
}

void fast_record(void *user, const struct tx_machine *m, const struct tx_op *op, uint32_t allowed,
                 const struct effect *e, uint32_t lanes)
{
    struct fast_recording *r = user;
    const struct tx_state *s = &m->state;
    (void)lanes;
    if (r->reason != NULL) {
        return;
    }
    r->reason = refuses(m, op, allowed, e);
    struct fast_record *to = r->reason == NULL ? record_add(r) : NULL;
    if (to == NULL) {
        return;
    }
    const unsigned top = (s->stack_ctr[0] - 1u) & 7u;
    const uint32_t use_after = (s->use_flags & ~e->use_mask) | (e->use & e->use_mask);
    *to = (struct fast_record){.op = *op,
                               .cycle = s->cycle,
                               .address = e->address,
                               .mode = e->mode,
                               .depth = s->stack_ctr[0],
                               .use = s->use_flags != 0,
                               .use_after = use_after != 0,
                               .top_use = s->stack_use[top] != 0,
                               .odd = (e->address & 2u) != 0,
                               .runs = allowed != 0 && exec_guard(m, op) != 0};
    const struct dst_view view = dst_view(s, m->places, op->thread);
    to->remap = view.remap;
    to->swizzle = view.swizzle;
    to->high = view.high;
    if (!uniform(use_after) || (s->stack_ctr[0] != 0 && !uniform(s->stack_use[top]))) {
        r->reason = "predication is switched on in some lanes only";
    }
}
