/* SPDX-License-Identifier: Apache-2.0 */
/* What counters of a network interface tell a core (2.3 of spec/order-chip.md). */
#include <tensix/facts.h>

#include "order/order.h"

/* ---- counters ---- */

enum {
    ATOMIC_RESP = 0,
    WR_ACK = 1,
    RD_RESP = 2,
    NONPOSTED_SENT = 10,
    POSTED_SENT = 11,
    OUTSTANDING = 16,
    OUTGOING = 32,
    OUTGOING_END = 48
};

/* Which requests are still under way of those that a counter tells of. */
static uint32_t out_of(const struct order_niu *n, unsigned counter)
{
    switch (counter) {
    case ATOMIC_RESP:
        return n->out_atomics;
    case WR_ACK:
        return n->out_acked;
    case RD_RESP:
        return n->out_reads;
    case NONPOSTED_SENT:
    case POSTED_SENT:
        return n->out_sent[counter - NONPOSTED_SENT];
    default:
        return counter >= OUTGOING ? n->out_source[counter - OUTGOING]
                                   : n->out_id[counter - OUTSTANDING];
    }
}

static void learn(struct order_core *core, const struct order_pair *list, unsigned first,
                  unsigned count)
{
    for (unsigned i = first; i < first + count; i++) {
        order_vec_learn_one(&core->known, list[i].actor, list[i].at);
    }
}

/* The counter has proven that all its requests are over. */
static void proven(struct txl_order *o, struct order_core *core, struct order_niu *n, unsigned noc,
                   unsigned counter)
{
    switch (counter) {
    case ATOMIC_RESP:
        learn(core, &n->atomics, 0, 1);
        order_vec_learn(&core->known, n->behind[1]);
        break;
    case WR_ACK:
        learn(core, n->acked, 0, ORDER_IDS);
        order_vec_learn(&core->known, n->behind[0]);
        n->had_many = false;
        break;
    case RD_RESP:
        learn(core, n->reads, 0, ORDER_IDS);
        break;
    case NONPOSTED_SENT:
    case POSTED_SENT:
        for (unsigned i = 0; i < ORDER_IDS && counter == POSTED_SENT; i++) {
            core->open[noc][ORDER_POSTED][i].serial = 0;
        }
        if (!o->documented) { /* I-SENT */
            learn(core, n->sent[counter - NONPOSTED_SENT], 0, ORDER_IDS);
        }
        break;
    default:
        if (counter >= OUTGOING) {
            learn(core, n->sent[0], counter - OUTGOING, 1);
            learn(core, n->sent[1], counter - OUTGOING, 1);
        } else {
            learn(core, n->reads, counter - OUTSTANDING, 1);
            learn(core, n->acked, counter - OUTSTANDING, 1);
            core->issued[noc][counter - OUTSTANDING] = 0;
        }
        break;
    }
}

/*
 * I-SENT where a core waits for fewer than all that it has sent, as for those of a block that it
 * has left: the sources of so many have been read as the loop would not have ended without.
 */
static void proven_some(struct txl_order *o, struct order_core *core, const struct order_niu *n,
                        const struct order_code *code, unsigned kind, struct order_guess now)
{
    uint32_t more = 0; /* than the loop needs */
    while (more < ORDER_LATE) {
        const struct order_guess less = {now.address, now.value - more - 1};
        if (order_code_exit(o, core, code, &less, 1, NULL) != ORDER_LEAVES) {
            break;
        }
        more++;
    }
    const uint32_t sent = n->issued[kind] - n->out_sent[kind] - more;
    for (uint32_t i = 0; i < ORDER_LATE && i < n->lates[kind] && more < ORDER_LATE; i++) {
        if ((int32_t)(n->late[kind][i].packets - sent) <= 0) {
            order_vec_learn_one(&core->known, n->late[kind][i].source.actor,
                                n->late[kind][i].source.at);
        }
    }
}

static bool is_proof(unsigned counter)
{
    return counter <= RD_RESP || counter == NONPOSTED_SENT || counter == POSTED_SENT ||
           (counter >= OUTSTANDING && counter < OUTGOING_END);
}

static uint32_t command_offset(const struct txl_order *o, uint32_t offset, unsigned *initiator)
{
    const uint32_t step_of = tx_arch_fact(o->arch, TX_FACT_NOC_STEP);
    *initiator = offset / step_of;
    return offset % step_of == tx_arch_fact(o->arch, TX_FACT_NIU_CMD) ? 1 : 0;
}

/* K16: the number of answers is not what a barrier waits for. */
static void mismatch(struct txl_order *o, const struct order_niu *n, const struct order_core *core,
                     unsigned counter)
{
    const uint32_t site = counter == WR_ACK && n->had_many ? n->many_site
                          : n->last_site != 0              ? n->last_site
                                                           : core->wait.site;
    order_find(o, TXL_ORDER_COUNTER_MISMATCH, (uint32_t[]){site, core->wait.site}, 2,
               "the answers of all requests do not make the counter what the barrier waits for");
}

void order_noc_counter(struct txl_order *o, struct order_core *core, unsigned noc, uint32_t offset,
                       uint32_t value, uint32_t pc)
{
    const uint32_t tile = core->number / ORDER_CORES;
    struct order_niu *n = order_niu_of(o, tile, noc);
    const uint32_t address = order_niu_at(o, noc) + offset;
    unsigned initiator;
    if (n == NULL) {
        return;
    }
    if (command_offset(o, offset, &initiator) != 0 && initiator < 4) {
        if ((value & 1u) == 0 && n->initiator[initiator].core == core->number) {
            n->initiator[initiator].unseen = false;
        }
        core->wait.on = false;
        return;
    }
    const uint32_t counters = tx_arch_fact(o->arch, TX_FACT_NOC_COUNTERS);
    const unsigned counter = (offset - counters) / 4;
    if (offset < counters || offset >= tx_arch_fact(o->arch, TX_FACT_NOC_COUNTERS_END) ||
        !is_proof(counter)) {
        core->wait.on = false;
        return;
    }
    const struct order_code *code = order_code_at(o, core, pc);
    const uint64_t key = (uint64_t)(tile + 1) << 40 | address >> 2;
    if (!code->waits && counter == WR_ACK) { /* a kernel begins to count from here */
        order_vec_unref(core->start);
        core->start = order_vec_ref(core->known);
    }
    if (!code->waits || (core->wait.on && core->wait.key == key && core->wait.value == value &&
                         core->wait.pc == pc)) {
        return;
    }
    const bool narrow = counter >= OUTSTANDING;
    const struct order_guess now = {address, value};
    const struct order_guess less = {address, narrow ? value + 1 : value - 1};
    const bool leaves = order_code_exit(o, core, code, &now, 1, NULL) == ORDER_LEAVES;
    core->wait.on = !leaves;
    core->wait.pc = pc;
    core->wait.site = order_site(o, core, pc);
    core->wait.key = key;
    core->wait.value = value;
    if (counter == WR_ACK && n->had_many && !n->shared) {
        const struct order_guess whole = {address, value + n->out_acked};
        if (order_code_exit(o, core, code, &whole, 1, NULL) == ORDER_STAYS) {
            mismatch(o, n, core, counter);
            proven(o, core, n, noc, counter); /* it counts as having waited for its own */
            return;
        }
    }
    /* K16 is reported where two count; each then counts as having waited for its own. */
    const bool over = out_of(n, counter) == 0 || (n->shared && counter == WR_ACK);
    if (leaves && over && order_code_exit(o, core, code, &less, 1, NULL) != ORDER_LEAVES) {
        proven(o, core, n, noc, counter);
    } else if (leaves && !o->documented && (counter == NONPOSTED_SENT || counter == POSTED_SENT)) {
        proven_some(o, core, n, code, counter - NONPOSTED_SENT, now);
    }
}

/* K20 */
void order_noc_field(struct txl_order *o, struct order_core *core, unsigned noc, uint32_t offset,
                     uint32_t pc)
{
    enum { FIELDS_END = 0x48 };
    enum { TWO = 2 };
    struct order_niu *n = order_niu_of(o, core->number / ORDER_CORES, noc);
    unsigned initiator;
    const bool command = command_offset(o, offset, &initiator) != 0;
    const uint32_t step_of = tx_arch_fact(o->arch, TX_FACT_NOC_STEP);
    if (n != NULL && !command && initiator < 4 && offset % step_of < FIELDS_END) {
        const uint32_t last = n->initiator[initiator].filler;
        const struct order_core *before = last != 0 ? o->core[last - 1] : NULL;
        const bool other =
            before != NULL && before != core &&
            order_vec_get(core->known, before->actor) < n->initiator[initiator].filled;
        n->initiator[initiator].mixed = other ? TWO : n->initiator[initiator].mixed;
        n->initiator[initiator].filler = core->number + 1;
        n->initiator[initiator].filled = core->at;
    }
    if (n == NULL || command || initiator >= 4 || offset % step_of >= FIELDS_END ||
        !n->initiator[initiator].unseen || n->initiator[initiator].core != core->number) {
        return;
    }
    const struct order_view view = order_core_view(core);
    const struct order_event e = {
        .known = {n->initiator[initiator].read, n->initiator[initiator].done}};
    if (!order_knows(&view, &e)) {
        order_find_one(o, TXL_ORDER_INITIATOR_BUSY, order_site(o, core, pc),
                       "nothing tells that the initiator has taken the request before");
    }
    n->initiator[initiator].unseen = false;
}

/* K12 */
void order_noc_exit(struct txl_order *o, struct order_core *core)
{
    for (unsigned noc = 0; noc < 2; noc++) {
        uint32_t site = ORDER_NONE;
        for (unsigned class = 0; class < 4; class ++) {
            for (unsigned id = 0; id < ORDER_IDS; id++) {
                const uint32_t serial = core->open[noc][class][id].serial;
                const bool open =
                    serial > order_vec_get(core->known, core->open[noc][class][id].actor);
                site = open ? core->open_site[noc][class] : site;
                core->open[noc][class][id].serial = 0;
            }
        }
        if (site != ORDER_NONE) {
            order_find_one(o, TXL_ORDER_IN_FLIGHT_AT_EXIT, site,
                           "the kernel ends while the request may be under way");
        }
    }
}

/* K16: a barrier whose number of acknowledgements cannot come. */
bool order_noc_mismatch(struct txl_order *o, const struct order_core *core)
{
    const uint32_t tile = core->number / ORDER_CORES;
    const uint32_t address = (uint32_t)(core->wait.key << 2 & UINT32_MAX);
    const uint32_t first = order_niu_at(o, 0);
    const uint32_t step = order_niu_at(o, 1) - first;
    const uint32_t counters = tx_arch_fact(o->arch, TX_FACT_NOC_COUNTERS);
    const uint32_t offset = (address - first) % step;
    const unsigned counter = (offset - counters) / 4;
    if (!core->wait.on || address - first >= 2 * step || offset < counters ||
        offset >= tx_arch_fact(o->arch, TX_FACT_NOC_COUNTERS_END)) {
        return false;
    }
    struct order_niu *n = order_niu_of(o, tile, (address - first) / step);
    if (n == NULL || out_of(n, counter) != 0 || n->shared || n->lost) {
        return n != NULL && (n->shared || n->lost);
    }
    mismatch(o, n, core, counter);
    return true;
}
