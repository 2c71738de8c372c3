/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words that somebody waits for: their values in the order in which they came, and what each writer
 * knew (S1, S2). A wait learns from the changes up to the first value that lets it go on, counted
 * from the changes that its core has taken before or overwritten itself.
 */
#include <stdlib.h>
#include <string.h>

#include "order/order.h"

static uint64_t key_of(uint32_t memory, uint64_t address)
{
    return (uint64_t)(memory + 1) << 40 | address >> 2;
}

struct order_word *order_word_of(struct txl_order *o, uint64_t key)
{
    const uint32_t number = hash_find(&o->word_of, &key, sizeof key);
    return number != 0 ? o->words[number - 1] : NULL;
}

struct order_word *order_word_at(struct txl_order *o, uint32_t memory, uint64_t address, bool make)
{
    const uint64_t key = key_of(memory, address);
    struct order_word *w = order_word_of(o, key);
    if (w != NULL || !make || !LIST_ONE(o->words, o->word_count, o->word_room, o->failed)) {
        return w;
    }
    uint32_t *number = hash_at(&o->word_of, &key, sizeof key);
    w = calloc(1, sizeof *w);
    if (number == NULL || w == NULL) {
        free(w);
        o->failed = true;
        return NULL;
    }
    w->key = key;
    (void)order_peek(o, memory, address & ~(uint64_t)3, &w->first);
    w->base = order_shadow_last(o, memory, address & ~(uint64_t)3);
    o->words[o->word_count++] = w;
    *number = (uint32_t)o->word_count;
    return w;
}

static void drop_oldest(struct order_word *w)
{
    enum { AT_ONCE = ORDER_CHANGES / 4 };
    for (unsigned i = 0; i < AT_ONCE; i++) {
        order_vec_learn(&w->base, w->change[i].v);
        order_vec_unref(w->change[i].v);
    }
    w->first = w->change[AT_ONCE - 1].value;
    memmove(w->change, w->change + AT_ONCE, (w->count - AT_ONCE) * sizeof *w->change);
    w->count -= AT_ONCE;
    w->dropped += AT_ONCE;
}

static struct order_reader *reader_of(struct order_word *w, uint32_t core)
{
    unsigned i = 0;
    while (i + 1 < ORDER_READERS && w->reader[i].taken != 0 && w->reader[i].core != core) {
        i++;
    }
    if (w->reader[i].core != core) {
        w->reader[i] = (struct order_reader){.core = core};
    }
    return &w->reader[i];
}

/* K7: a change that comes beside an exact wait that has ended. */
static void overshoots(struct txl_order *o, const struct order_exact *x,
                       const struct order_change *c)
{
    const struct order_core *core = o->core[x->core];
    if (c->e.type == ORDER_STORE && c->e.core == x->core) {
        return;
    }
    if (((c->value ^ c->before) & x->mask) == 0 && c->e.type != ORDER_ATOMIC) {
        return; /* it concerns other bytes of the word */
    }
    if (order_vec_get(c->v, core->actor) >= x->at ||
        (c->e.type != ORDER_ATOMIC && ((c->value ^ x->value) & x->mask) == 0)) {
        return;
    }
    const size_t before = o->founds;
    order_find(o, TXL_ORDER_OVERSHOOT, (uint32_t[]){x->site, c->e.site}, 2,
               "a further change of the word may come between the value that is waited for and "
               "the load that looks for exactly this value");
    if (o->founds > before) {
        o->found[before].ref[0] =
            (struct order_ref){.step = ORDER_STANDS, .core = x->core, .number = x->cycle};
        o->found[before].ref[1] = order_ref_of(o, &c->e, x->core / ORDER_CORES);
    }
}

void order_word_change(struct txl_order *o, struct order_word *w, const struct order_event *e,
                       struct order_vec *v, uint32_t value)
{
    if (w->count == ORDER_CHANGES) {
        drop_oldest(w);
    }
    if (w->count == w->room) {
        const uint32_t room = w->room == 0 ? 4 : 2 * w->room;
        struct order_change *more = realloc(w->change, room * sizeof *more);
        if (more == NULL) {
            o->failed = true;
            return;
        }
        w->change = more;
        w->room = room;
    }
    const uint32_t before = w->count != 0 ? w->change[w->count - 1].value : w->first;
    w->change[w->count++] =
        (struct order_change){.e = *e, .v = order_vec_ref(v), .value = value, .before = before};
    w->atomic = w->atomic || e->type == ORDER_ATOMIC;
    if (e->type == ORDER_STORE && e->core < ORDER_HOST) {
        reader_of(w, e->core)->taken = w->dropped + w->count;
    }
    for (unsigned i = 0; i < w->exacts; i++) {
        overshoots(o, &w->exact[i], &w->change[w->count - 1]);
    }
}

static bool leaves(struct txl_order *o, const struct order_core *core,
                   const struct order_code *code, uint32_t address, uint32_t value)
{
    const struct order_guess guess = {address & ~3u, value};
    return order_code_exit(o, core, code, &guess, 1, NULL) == ORDER_LEAVES;
}

/*
 * So many changes have been made when a core loads a word: at least those that it has seen, and up
 * to the last plain write that comes before the load (S2).
 */
static uint32_t made_before(const struct order_word *w, const struct order_core *core,
                            uint32_t taken)
{
    const struct order_view view = order_core_view(core);
    for (uint32_t i = w->count; i-- != 0 && i + w->dropped >= taken;) {
        if (w->change[i].e.type != ORDER_ATOMIC && order_knows(&view, &w->change[i].e)) {
            return i + w->dropped + 1;
        }
    }
    return taken;
}

/*
 * Finds the first state that lets the wait end on the way that the core goes now: so many changes
 * have been made. A loop may have other ways out, for other messages in the word.
 */
static uint32_t enough(struct txl_order *o, const struct order_word *w,
                       const struct order_core *core, const struct order_code *code,
                       uint32_t address, uint32_t from)
{
    struct order_guess guess = {address & ~3u, core->wait.value};
    uint32_t way = 0;
    (void)order_code_exit(o, core, code, &guess, 1, &way);
    uint32_t n = from > w->dropped ? from - w->dropped : 0;
    for (; n < w->count; n++) {
        uint32_t to = 0;
        guess.value = n == 0 ? w->first : w->change[n - 1].value;
        if (order_code_exit(o, core, code, &guess, 1, &to) == ORDER_LEAVES && to == way) {
            break;
        }
    }
    return n + w->dropped;
}

/* What adds 1 to the number at the address. */
static uint32_t one(uint32_t address)
{
    return 1u << 8 * (address & 3u);
}

/*
 * Whether no other value of the byte that it loads would let the wait end, too, or of a word none
 * that is a little more: the wait of a reader of numbers that are even when they are whole is none
 * for one number.
 */
static bool only_value(struct txl_order *o, const struct order_core *core,
                       const struct order_code *code, uint32_t address, uint32_t value,
                       uint32_t mask)
{
    enum { NEAR = 4 };
    const unsigned shift = 8 * (address & 3u);
    for (uint32_t more = 2; more <= NEAR && mask != 0xFFu << shift; more++) {
        if (leaves(o, core, code, address, value + more * one(address))) {
            return false;
        }
    }
    if (mask != 0xFFu << shift) {
        return true;
    }
    for (uint32_t other = 0; other < 256; other++) {
        const uint32_t v = (value & ~mask) | other << shift;
        if (v != value && leaves(o, core, code, address, v)) {
            return false;
        }
    }
    return true;
}

/* K7 for the changes that had come when the wait ended, and those to come. */
static void exact_wait(struct txl_order *o, struct order_word *w, struct order_core *core,
                       uint32_t site, uint32_t value, uint32_t mask, uint32_t taken)
{
    const struct order_exact x = {core->number, core->at,          site, value, mask,
                                  taken,        (uint32_t)o->cycle};
    const struct order_view view = order_core_view(core);
    for (uint32_t i = taken - w->dropped; i < w->count; i++) {
        if (!order_knows(&view, &w->change[i].e)) {
            overshoots(o, &x, &w->change[i]);
        }
    }
    unsigned i = 0;
    if (w->exact == NULL) {
        w->exact = calloc(ORDER_EXACTS, sizeof *w->exact);
    }
    if (w->exact == NULL) {
        o->failed = true;
        return;
    }
    while (i < w->exacts && (w->exact[i].core != core->number || w->exact[i].site != site)) {
        i++;
    }
    if (i == ORDER_EXACTS) {
        memmove(w->exact, w->exact + 1, (ORDER_EXACTS - 1) * sizeof w->exact[0]);
        i = ORDER_EXACTS - 1;
        w->exacts = ORDER_EXACTS - 1;
    }
    w->exact[i] = x;
    w->exacts = i == w->exacts ? i + 1 : w->exacts;
}

/* K4: the loop could have seen an old line for ever, in which it has no fence on its way. */
static void stale(struct txl_order *o, const struct order_word *w, const struct order_core *core,
                  const struct order_code *code, uint32_t address, uint32_t site)
{
    if (code->drops || !order_caches(o, core)) {
        return;
    }
    for (uint32_t i = w->count; i-- != 0;) {
        const struct order_guess old = {address & ~3u, w->change[i].before};
        if (w->change[i].e.core != core->number &&
            order_code_exit(o, core, code, &old, 1, NULL) == ORDER_STAYS) {
            order_find(o, TXL_ORDER_STALE_CACHE, (uint32_t[]){site, w->change[i].e.site}, 2,
                       "the loop has no fence: the core's data cache may answer it for ever with "
                       "the old line");
            return;
        }
    }
}

/* The bytes of a word that a load takes. */
static uint32_t loaded_bytes(const struct txl_order *o, const struct order_core *core, uint32_t pc,
                             uint32_t address)
{
    struct tx_core_decoded d;
    (void)order_fetch(o, core->number, pc, &d);
    const uint32_t mask = d.size >= 4 || d.size == 0 ? UINT32_MAX : (1u << 8 * d.size) - 1u;
    return mask << 8 * (address & 3u);
}

void order_word_taken(struct txl_order *o, struct order_word *w, struct order_core *core,
                      uint32_t pc, uint32_t address)
{
    const struct order_code *code = order_code_at(o, core, pc);
    const uint32_t site = order_site(o, core, pc);
    struct order_reader *reader = reader_of(w, core->number);
    const uint32_t needed =
        code->keeps ? w->dropped + w->count
                    : enough(o, w, core, code, address, made_before(w, core, reader->taken));
    w->waited = true;
    order_vec_learn(&core->known, w->base);
    uint32_t i = reader->learned > w->dropped ? reader->learned - w->dropped : 0;
    for (; i < needed - w->dropped && i < w->count; i++) {
        order_vec_learn(&core->known, w->change[i].v);
    }
    reader->learned = i + w->dropped;
    reader->taken = needed > reader->taken ? needed : reader->taken;
    const uint32_t n = needed - w->dropped;
    const uint32_t value = n == 0 || n > w->count ? w->first : w->change[n - 1].value;
    if (address < ORDER_MMIO && leaves(o, core, code, address, value) &&
        !leaves(o, core, code, address, value + one(address))) {
        const uint32_t mask = loaded_bytes(o, core, pc, address);
        if (only_value(o, core, code, address, value, mask)) {
            exact_wait(o, w, core, site, value, mask, needed);
        }
    }
    if (address < ORDER_MMIO) {
        stale(o, w, core, code, address, site);
    }
}

void order_word_seen(const struct order_word *w, struct order_vec **v)
{
    order_vec_learn(v, w->base);
    for (uint32_t i = 0; i < w->count; i++) {
        order_vec_learn(v, w->change[i].v);
    }
}

/* K7: the value that a core waits for has come and gone, or was jumped over. */
void order_word_hung(struct txl_order *o, struct order_core *core)
{
    enum { MOST_STEP = 64 };
    const uint32_t memory = (uint32_t)(core->wait.key >> 40) - 1;
    const uint32_t address = (uint32_t)(core->wait.key << 2 & UINT32_MAX);
    struct order_word *w = order_word_at(o, memory, address, true);
    const struct order_code *code = order_code_at(o, core, core->wait.pc);
    if (w == NULL) {
        return;
    }
    w->waited = true;
    const uint32_t taken = reader_of(w, core->number)->taken;
    uint32_t before = w->first;
    bool was = false;
    for (uint32_t i = 0; i < w->count; i++) {
        const struct order_change *c = &w->change[i];
        const uint32_t old = before;
        before = c->value;
        if (i + w->dropped + 1 <= taken) {
            continue;
        }
        const bool exact = was && !leaves(o, core, code, address, old + 1);
        const bool now = leaves(o, core, code, address, c->value);
        bool jumped = false;
        for (uint32_t v = old + 1; c->e.type == ORDER_ATOMIC && v - old < MOST_STEP &&
                                   v - old < c->value - old && !jumped && !was;
             v++) {
            jumped = leaves(o, core, code, address, v);
        }
        if (jumped || (exact && !now && !(c->e.type == ORDER_STORE && c->e.core == core->number))) {
            order_find(o, TXL_ORDER_OVERSHOOT, (uint32_t[]){core->wait.site, c->e.site}, 2,
                       "the word went past the value that is waited for");
        }
        was = now;
    }
}

void order_word_close(struct txl_order *o)
{
    for (size_t i = 0; i < o->word_count; i++) {
        struct order_word *w = o->words[i];
        for (uint32_t k = 0; k < w->count; k++) {
            order_vec_unref(w->change[k].v);
        }
        order_vec_unref(w->base);
        free(w->change);
        free(w->exact);
        free(w);
    }
    hash_free(&o->word_of);
    free(o->words);
}
