/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who waits for what when a run does not end (section 6 of spec/order-chip.md): words, counters of
 * the NoC, pages of circular buffers, letters, gates of the coprocessor; and who could have given
 * it.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "order/order.h"

/* What is said of a core that waits; the chip is asked while it is there. */
struct told {
    char text[sizeof((struct txl_order_wait *)0)->gives];
};

static void waits_say(struct told *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void waits_say(struct told *w, const char *format, ...)
{
    const size_t used = strlen(w->text);
    va_list list;
    va_start(list, format);
    (void)vsnprintf(w->text + used, sizeof w->text - used, format, list);
    va_end(list);
}

/* A core of a tile by its name, and whether it could still do something. */
static void say_core(const struct txl_order *o, struct told *w, uint32_t number)
{
    const struct order_core *core = o->core[number];
    struct tx_core_state state;
    const uint32_t tile = number / ORDER_CORES;
    waits_say(w, "(%u,%u) %s", tile % o->width, tile / o->width,
              tx_core_name((enum tx_core)(number % ORDER_CORES)));
    if (core == NULL ||
        tx_tensix_core(o->tile[tile].tile, (enum tx_core)(number % ORDER_CORES), &state) != TX_OK) {
        waits_say(w, ", which has not run,");
    } else if (state.phase == TX_CORE_PAUSED) {
        waits_say(w, ", which has ended,");
    }
}

/* ---- letters ---- */

static bool is_letter(const struct txl_order *o, uint32_t address)
{
    return address >= tx_arch_fact(o->arch, TX_FACT_AT_MAILBOX) &&
           address < tx_arch_fact(o->arch, TX_FACT_END_MAILBOX);
}

static void letter(const struct txl_order *o, const struct order_core *core, struct told *w)
{
    enum { STEP = 0x1000 };
    struct tx_core_decoded d;
    struct tx_core_state state;
    const enum tx_core self = (enum tx_core)(core->number % ORDER_CORES);
    const uint32_t first = core->number / ORDER_CORES * ORDER_CORES;
    const uint32_t other =
        first + (core->end_address - tx_arch_fact(o->arch, TX_FACT_AT_MAILBOX)) / STEP;
    const bool loads =
        tx_tensix_core(o->tile[core->number / ORDER_CORES].tile, self, &state) == TX_OK &&
        order_fetch(o, core->number, state.pc, &d) && d.kind == TX_CORE_KIND_LOAD;
    say_core(o, w, other);
    waits_say(w, loads ? " has to send one" : " has to take one, as the mailbox is full");
}

/* What else holds a core, and letters of it that nobody has taken. */
static void other(const struct txl_order *o, const struct order_core *core, struct told *w)
{
    const uint32_t tile = core->number / ORDER_CORES;
    const unsigned self = core->number % ORDER_CORES;
    char text[256];
    if (!tx_tensix_wait_text(o->tile[tile].tile, (enum tx_core)self, text, sizeof text)) {
        return;
    }
    waits_say(w, "%s", text);
    for (unsigned to = 0; to < ORDER_CORES; to++) {
        const unsigned letters = o->letters[(size_t)core->number * ORDER_CORES + to].count;
        if (letters != 0) {
            waits_say(w, "; ");
            say_core(o, w, tile * ORDER_CORES + to);
            waits_say(w, " has %u letter%s to take", letters, letters == 1 ? "" : "s");
        }
    }
}

/* ---- pages ---- */

static const struct order_buffer *buffer_of(const struct txl_order *o, uint32_t tile,
                                            uint32_t address)
{
    const struct order_buffer *b = o->buffer_of[tile];
    while (b != NULL && b->received != address && b->acked != address) {
        b = b->next;
    }
    return b;
}

/* A stream's counters as tt-metal uses them, of a circular buffer that nobody has named. */
static void counts(struct txl_order *o, const struct order_core *core, uint32_t address,
                   struct told *w)
{
    const uint32_t offset = order_is_stream(o, address) ? address - o->stream_first : 0;
    const uint32_t in = offset % o->stream_bytes;
    const bool room = in == tx_arch_fact(o->arch, TX_FACT_STREAM_DEST_START);
    const struct order_word *word = order_word_of(o, core->wait.key);
    const struct order_change *last =
        word != NULL && word->count != 0 ? &word->change[word->count - 1] : NULL;
    if (offset == 0 || (!room && in != tx_arch_fact(o->arch, TX_FACT_STREAM_DEST_SIZE))) {
        return;
    }
    waits_say(w, "circular buffer %u has to have pages %s, and has had %u; ",
              offset / o->stream_bytes, room ? "popped" : "pushed", core->wait.value);
    if (last == NULL || last->value == 0 || last->e.core >= ORDER_HOST) {
        waits_say(w, "nobody has %s any", room ? "popped" : "pushed");
        return;
    }
    struct txl_order_site site;
    order_place(o, last->e.site, &site);
    say_core(o, w, last->e.core);
    waits_say(w, " did so last%s%s", site.file[0] != '\0' ? " at " : "", site.file);
    if (site.file[0] != '\0') {
        waits_say(w, ":%u", site.line);
    }
}

static void pages(struct txl_order *o, const struct order_core *core, struct told *w)
{
    const uint32_t address = (uint32_t)(core->wait.key << 2 & UINT32_MAX);
    const struct order_buffer *b = buffer_of(o, core->number / ORDER_CORES, address);
    if (b == NULL) {
        counts(o, core, address, w);
        return;
    }
    const bool room = order_buffer_wants_room(o, core, b);
    const uint32_t other = room ? b->consumer : b->producer;
    const uint32_t times = room ? b->popped : b->pushed;
    waits_say(w, "circular buffer %u has %u of %u pages; ", b->id, b->pushed - b->popped, b->pages);
    if (other == ORDER_NONE) {
        waits_say(w, "nobody has ever %s", room ? "popped" : "pushed");
        return;
    }
    say_core(o, w, other);
    waits_say(w, " has to %s, and has %u time%s", room ? "pop" : "push", times,
              times == 1 ? "" : "s");
}

/* ---- gates ---- */

/* What holds the thread of the coprocessor that a core feeds. Returns false: nothing does. */
static bool gate(const struct txl_order *o, const struct order_core *core, struct told *w)
{
    const unsigned self = core->number % ORDER_CORES;
    char text[256];
    if (self < TX_CORE_T0 || self > TX_CORE_T2 ||
        !tx_wait_text(tx_tensix_machine(o->tile[core->number / ORDER_CORES].tile),
                      self - TX_CORE_T0, text, sizeof text)) {
        return false;
    }
    waits_say(w, "%s", text);
    return true;
}

void order_wait_tell(struct txl_order *o, struct order_core *core)
{
    struct told w = {.text = ""};
    if (core->wait.on) {
        pages(o, core, &w);
    } else if (is_letter(o, core->end_address)) {
        letter(o, core, &w);
    } else if (gate(o, core, &w)) {
        core->gated = true;
    } else {
        other(o, core, &w);
    }
    free(core->gives);
    core->gives = w.text[0] != '\0' ? strdup(w.text) : NULL;
}

/* ---- the row of a core ---- */

static void polled(struct txl_order *o, const struct order_core *core, struct txl_order_wait *w)
{
    const struct order_word *word = order_word_of(o, core->wait.key);
    order_place(o, core->wait.site, &w->site);
    w->address = (uint32_t)(core->wait.key << 2 & UINT32_MAX);
    w->value = core->wait.value;
    w->memory_x = core->number / ORDER_CORES % o->width;
    w->memory_y = core->number / ORDER_CORES / o->width;
    w->has_needs = core->has_needs;
    w->needs = core->needs;
    w->what = w->address < ORDER_MMIO           ? "word"
              : !order_is_stream(o, w->address) ? "counter"
                                                : "pages";
    if (word != NULL && word->count != 0) {
        w->changes = word->dropped + word->count;
        order_place(o, word->change[word->count - 1].e.site, &w->last);
    }
}

const struct txl_order_wait *txl_order_wait_at(txl_order *o, size_t index)
{
    if (o->is_read) {
        return index < o->read_waits ? &o->read_wait[index] : NULL;
    }
    if (index >= o->wait_count) {
        return NULL;
    }
    const struct order_core *core = o->core[o->waits[index]];
    struct txl_order_wait *w = &o->wait;
    *w = (struct txl_order_wait){.what = "other"};
    snprintf(w->gives, sizeof w->gives, "%s", core->gives != NULL ? core->gives : "");
    if (core->wait.on) {
        polled(o, core, w);
        return w;
    }
    order_place(o, core->end_site, &w->site);
    w->address = core->end_address;
    if (is_letter(o, w->address)) {
        w->what = "letter";
    } else if (core->gated) {
        w->what = "gate";
    }
    return w;
}
