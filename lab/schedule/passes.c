/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows that take 16-bit data back from Dst in another format, as the kernel does: a half of a
 * constant, or a number of BF16 as a whole number. They have a store for each of these data, and
 * loads that keep a part. Where the machine has such a datum ready for the load is in doubt (T-12),
 * so that such rows are right where the kernel is: it has that finding, too.
 */
#include "schedule/reader.h"

uint16_t read_turn(const struct reader *r, uint32_t step)
{
    const unsigned place = txl_graph_step(r->graph, step)->address & 1022U;
    uint16_t turn = 0;
    for (uint32_t i = 0; i < step; i++) {
        const struct txl_step *s = txl_graph_step(r->graph, i);
        if (s->unit == TX_UNIT_STORE && (s->address & 1022U) == place) {
            turn++;
        }
    }
    return turn;
}

int read_pass(struct reader *r, uint32_t load)
{
    const uint32_t store = r->step[load].from;
    const struct txl_step *s = txl_graph_step(r->graph, store);
    struct sched_body *b = r->body;
    if (r->step[store].op != SCHED_NONE) {
        return r->step[store].op;
    }
    if (!r->step[store].dead || s->lanes != UINT32_MAX || !read_own(r, store)) {
        (void)sched_refuse(r->why, "what a load takes in another format is a result, or a part");
        return SCHED_NONE;
    }
    const int value = read_operand(r, store, txl_graph_operands(r->graph, store)->vd);
    if (value == SCHED_NONE) {
        return SCHED_NONE;
    }
    struct sched_op op = read_store(r, store, value);
    const struct sched_value *v = &b->value[value];
    if (read_address(r, s) != b->address || op.form[0].word != b->store ||
        (v->kind == SCHED_CONSTANT && v->reg >= 12) || b->ops == SCHED_OPS - 1) {
        (void)sched_refuse(r->why, "what a load takes in another format is stored elsewhere, or in "
                                   "another format than the result");
        return SCHED_NONE;
    }
    b->value[value].stored = true;
    op.turn = read_turn(r, store);
    r->op_step[b->ops] = store;
    b->op[b->ops] = op;
    return r->step[store].op = (int)b->ops++;
}

void sched_name(struct sched_body *body)
{
    const unsigned taken = body->constants | 1U; /* L0 is what a scheduled store can name */
    const unsigned free = 0x7FU & ~taken;
    if ((taken >> 7 & 1U) == 0 && free != 0 && body->hoisted_count < SCHED_HOISTED) {
        body->named = (uint8_t)__builtin_ctz(free);
        body->constants |= 0x80;
        body->hoisted[body->hoisted_count++] = (struct sched_hoisted){body->named, 7};
    }
}
