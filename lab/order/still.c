/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether cores wait for each other for ever although a host is there, which could always act:
 * nothing has happened on the chip for a while, and what a core waits for has to come from cores
 * that wait themselves, and not, through any number of them, from the host.
 *
 * Firmware waits for a launch, and kernels of a dispatcher for commands: what such a wait ended by
 * before, or who wrote its word last, leads to the host. A kernel is a program that was loaded
 * while its core ran. What the host stored to its words before it began is no answer, as a host
 * that looks again and again does not come with one.
 */
#include <stdlib.h>

#include "order/order.h"

enum node { NOT_LIVE, WAITS, OTHER };
enum { NODES = ORDER_TILES * ORDER_CORES, NOBODY = NODES + 1, LOOKS = 64 };

struct still {
    uint8_t node[NODES];
    bool kernel[NODES];
    uint32_t gives[NODES]; /* number of a core, ORDER_HOST, or NOBODY */
    bool goes_on[NODES];
    bool busy; /* a core does something else than to wait, and may give whatever others lack */
};

bool order_is_kernel(const struct txl_order *o, const struct order_core *core, uint32_t pc)
{
    uint32_t cycle = 0;
    return pc >= tx_l1_size(o->arch) ||
           (order_shadow_writer(o, core->number / ORDER_CORES, pc, &cycle) &&
            (int32_t)(cycle - core->began) > 0);
}

/* Who has changed a word last that was not the core itself, since a cycle; or NOBODY. */
static uint32_t last_change(const struct order_word *w, const struct order_core *core,
                            const uint32_t *since)
{
    for (uint32_t i = w != NULL ? w->count : 0; i-- != 0;) {
        const struct order_event *e = &w->change[i].e;
        if (since != NULL && (int32_t)(e->cycle - *since) <= 0) {
            return NOBODY;
        }
        if (e->core != core->number || e->type == ORDER_HOSTED) {
            return e->type == ORDER_HOSTED ? ORDER_HOST : e->core;
        }
    }
    return NOBODY;
}

void order_still_asks(struct txl_order *o, struct order_core *core, uint32_t pc, uint64_t key,
                      uint32_t value)
{
    const unsigned i = pc / 4 % ORDER_GIVERS;
    if (core->giver[i].pc != pc) {
        core->giver[i].pc = pc;
        core->giver[i].from = NOBODY;
    } else if (core->giver[i].key == key && core->giver[i].value == value) {
        return; /* a loop may ask for two words in turn */
    }
    core->giver[i].key = key;
    core->giver[i].value = value;
    o->moves++;
}

void order_still_left(struct txl_order *o, struct order_core *core, const struct order_word *w)
{
    const uint32_t pc = core->wait.pc;
    core->giver[pc / 4 % ORDER_GIVERS].from = last_change(w, core, NULL);
    if (!order_is_kernel(o, core, pc)) {
        core->begun = (uint32_t)o->cycle;
    }
}

static uint32_t giver(struct txl_order *o, const struct order_core *core, bool kernel)
{
    const struct order_word *w = order_word_of(o, core->wait.key);
    if (!kernel) {
        const uint32_t last = last_change(w, core, NULL);
        return last == NOBODY ? ORDER_HOST : last;
    }
    const uint32_t last = last_change(w, core, &core->begun);
    const unsigned i = core->wait.pc / 4 % ORDER_GIVERS;
    if (last != NOBODY) {
        return last;
    }
    if (core->giver[i].pc == core->wait.pc && core->giver[i].from != NOBODY) {
        return core->giver[i].from;
    }
    /* What was there before anybody waited is the host's, too; a register is not. */
    const bool word = (core->wait.key << 2 & UINT32_MAX) < ORDER_MMIO;
    const uint32_t ever = last_change(w, core, NULL);
    const bool hosts = ever == ORDER_HOST || (ever == NOBODY && word);
    return hosts && o->looks < LOOKS ? ORDER_HOST : NOBODY;
}

static bool polls(const struct txl_order *o, const struct order_core *core)
{
    enum { LATELY = 4096 };
    return core->polled != 0 && o->now - core->polled < LATELY;
}

static void still_look(struct txl_order *o, struct still *s, uint32_t i)
{
    const struct order_core *core = o->core[i];
    struct tx_core_state state;
    if (core == NULL || !core->live || i % ORDER_CORES >= TX_CORES ||
        tx_tensix_core(o->tile[i / ORDER_CORES].tile, (enum tx_core)(i % ORDER_CORES), &state) !=
            TX_OK ||
        state.phase == TX_CORE_PAUSED || state.phase == TX_CORE_HELD || state.rests) {
        return;
    }
    if (core->wait.on) {
        s->node[i] = WAITS;
        s->kernel[i] = order_is_kernel(o, core, core->wait.pc);
        s->gives[i] = giver(o, core, s->kernel[i]);
    } else if (state.instructions == core->executed && !polls(o, core)) {
        s->node[i] = WAITS;
        s->kernel[i] = order_is_kernel(o, core, state.pc);
        s->gives[i] = NOBODY;
    } else {
        s->node[i] = OTHER;
        s->goes_on[i] = true;
        s->busy = s->busy || !polls(o, core); /* firmware asks for several words in turn */
    }
}

/* Who can still get what it waits for. */
static void go_on(struct still *s)
{
    bool more = true;
    while (more) {
        more = false;
        for (uint32_t i = 0; i < NODES; i++) {
            const uint32_t from = s->gives[i];
            if (s->node[i] == WAITS && !s->goes_on[i] &&
                (from == ORDER_HOST || (from < NODES && s->goes_on[from]))) {
                s->goes_on[i] = true;
                more = true;
            }
        }
    }
}

/* What is done on the chip but waiting. */
static uint64_t work_of(const struct txl_order *o)
{
    uint64_t sum = o->moves;
    for (uint32_t i = 0; i < ORDER_TILES; i++) {
        if (o->tile[i].tile != NULL) {
            sum += tx_machine_counters(tx_tensix_machine(o->tile[i].tile)).instructions;
        }
    }
    return sum;
}

static void keep_executed(struct txl_order *o)
{
    for (uint32_t i = 0; i < NODES; i++) {
        struct tx_core_state state;
        if (o->core[i] != NULL && i % ORDER_CORES < TX_CORES &&
            tx_tensix_core(o->tile[i / ORDER_CORES].tile, (enum tx_core)(i % ORDER_CORES),
                           &state) == TX_OK) {
            o->core[i]->executed = state.instructions;
        }
    }
}

static bool is_told(const struct still *s, uint32_t i)
{
    return s->node[i] == WAITS && s->kernel[i] && !s->goes_on[i];
}

/* The report of these waits alone; the other findings come when the watch ends. */
static char *still_report(struct txl_order *o, const struct still *s, bool json)
{
    const size_t before = o->founds;
    uint32_t site[TXL_ORDER_SITES];
    unsigned sites = 0;
    bool *dropped = calloc(before + 1, sizeof *dropped);
    if (dropped == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < NODES; i++) {
        struct tx_core_state state;
        if (is_told(s, i) && tx_tensix_core(o->tile[i / ORDER_CORES].tile,
                                            (enum tx_core)(i % ORDER_CORES), &state) == TX_OK) {
            (void)order_site(o, o->core[i], state.pc); /* to be looked for, too */
        }
    }
    order_find_files(o);
    for (uint32_t i = 0; i < NODES; i++) {
        if (is_told(s, i)) {
            const uint32_t at = order_hang_row(o, o->core[i]);
            if (sites < TXL_ORDER_SITES) {
                site[sites++] = at;
            }
        }
    }
    for (size_t i = 0; i < before; i++) {
        dropped[i] = o->found[i].dropped;
        o->found[i].dropped = true;
    }
    order_find(o, TXL_ORDER_DEADLOCK, site, sites,
               "each waits for what only cores could give that wait, too; the host only looks");
    o->hung = true;
    char *text = json ? txl_order_json_text(o) : txl_order_text(o);
    o->hung = false;
    o->ended = false;
    o->wait_count = 0;
    for (size_t i = 0; i < o->founds; i++) {
        o->found[i].dropped = i < before ? dropped[i] : true;
    }
    free(dropped);
    return text;
}

char *txl_order_still(txl_order *o, bool json)
{
    enum { APART = 1 << 15 };
    const uint64_t now = tx_chip_cycles(o->chip);
    if (now - o->looked < APART) {
        return NULL;
    }
    const uint64_t work = work_of(o);
    o->looked = now;
    o->now = (uint32_t)now;
    if (work != o->work || tx_chip_under_way(o->chip)) {
        o->work = work;
        o->told_still = false;
        keep_executed(o);
        return NULL;
    }
    struct still *s = o->told_still ? NULL : calloc(1, sizeof *s);
    if (s == NULL) {
        return NULL; /* told already; or there is no memory, and another look follows */
    }
    for (uint32_t i = 0; i < NODES; i++) {
        still_look(o, s, i);
    }
    go_on(s);
    bool any = false;
    for (uint32_t i = 0; i < NODES; i++) {
        any = any || (is_told(s, i) && !s->busy);
    }
    o->told_still = any;
    char *text = any ? still_report(o, s, json) : NULL;
    free(s);
    return text;
}
