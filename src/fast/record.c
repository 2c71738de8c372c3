/* SPDX-License-Identifier: Apache-2.0 */
#include "fast/record.h"

#include "pipe/exec.h"
#include "state/dst.h"

#include <stdlib.h>

static bool uniform(uint32_t lanes)
{
    return lanes == 0 || lanes == 0xFFFFFFFFu;
}

static const char *refuses(const struct tx_machine *m, const struct tx_op *op, uint32_t allowed,
                           const struct effect *e)
{
    const struct tx_state *s = &m->state;
    const unsigned insn = isa_row((enum isa_row_id)op->row)->insn;
    if (e->template_mask != 0) {
        return "an instruction of .tile becomes a macro template";
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
    if (r->count == r->room) {
        const size_t room = r->room == 0 ? 1024 : 2 * r->room;
        struct fast_record *larger = realloc(r->list, room * sizeof *larger);
        r->reason = larger == NULL ? "no memory" : r->reason;
        r->list = larger == NULL ? r->list : larger;
        r->room = larger == NULL ? r->room : room;
    }
    if (r->reason != NULL) {
        return;
    }
    const unsigned top = (s->stack_ctr[0] - 1u) & 7u;
    const uint32_t use_after = (s->use_flags & ~e->use_mask) | (e->use & e->use_mask);
    struct fast_record *to = &r->list[r->count++];
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
    if (!uniform(use_after) || (s->stack_ctr[0] != 0 && !uniform(s->stack_use[top]))) {
        r->reason = "predication is switched on in some lanes only";
    }
}
