/* SPDX-License-Identifier: Apache-2.0 */
/* Records what happens in a tick from the machine's events. */
#include "base/json.h"
#include "debug/debug.h"
#include "kernel/follow.h"

#include <string.h>

#include <tensix/kernel_debug.h>

/* ---- which word of the program was issued. With one thread it is the n-th of the section ---- */

size_t place_of_number(const struct txl_debug *d, unsigned section, uint64_t n, uint32_t word)
{
    if (n >= d->issued_count[section]) {
        return NO_PLACE;
    }
    const struct feed_word *w = &d->feed.words[d->issued[section][n]];
    if (w->site == FEED_NOWHERE || w->word != word || d->feed.sites[w->site].section != section) {
        return NO_PLACE; /* or a replayed word that another section has recorded */
    }
    return d->feed.sites[w->site].offset;
}

/*
 * With several threads: finds the thread's next word that equals the one issued. Where that is not
 * the next unexpanded word, the instruction came from an expander.
 */
static size_t place_by_word(struct txl_debug *d, const struct tx_event *event)
{
    const unsigned section = debug_section(d);
    const uint32_t *words = tx_program_words(d->program, section);
    const uint8_t *owners = tx_program_threads(d->program, section);
    const size_t count = tx_program_count(d->program, section);
    const unsigned own = d->run->job.options.thread;
    for (size_t i = d->now.next[event->thread]; i < count; i++) {
        if ((owners[i] == TX_THREADS ? own : owners[i]) != event->thread) {
            continue;
        }
        if (words[i] == event->word) {
            d->now.next[event->thread] = i + 1;
            return i;
        }
        if (!follow_expands(d->arch, words[i])) {
            break;
        }
    }
    return NO_PLACE;
}

/*
 * For REPLAY and MOP, which are not instructions of their own: uses the word that the thread
 * presents now.
 */
static size_t place_by_front(const struct txl_debug *d, const struct tx_event *event)
{
    size_t place = NO_PLACE;
    const unsigned section = debug_section(d);
    const bool there = tx_kernel_next(d->kernel, event->thread, &place);
    return there && tx_program_words(d->program, section)[place] == event->word ? place : NO_PLACE;
}

static size_t facts_place_of(struct txl_debug *d, const struct tx_event *event)
{
    if (d->program == NULL || event->thread >= TX_THREADS || event->kind != TX_EVENT_ISSUE) {
        return NO_PLACE;
    }
    if (d->issued[0] == NULL) {
        return place_by_word(d, event);
    }
    if (follow_expands(d->arch, event->word)) {
        return place_by_front(d, event);
    }
    return event->number >= d->now.issued
               ? place_of_number(d, debug_section(d), event->number - d->now.issued, event->word)
               : NO_PLACE;
}

/* ---- events ---- */

static void issued(struct txl_debug *d, const struct tx_event *event)
{
    struct facts *f = &d->facts;
    const size_t place = facts_place_of(d, event);
    if (event->kind == TX_EVENT_ISSUE && event->thread < TX_THREADS) {
        d->now.last[event->thread] = place;
    }
    if (f->issues == FACT_ISSUES) {
        return;
    }
    f->issue[f->issues++] = (struct fact_issue){.row = event->row,
                                                .number = event->number,
                                                .place = place,
                                                .word = event->word,
                                                .thread = event->thread,
                                                .unit = event->unit,
                                                .scheduled = event->kind == TX_EVENT_EXECUTE};
}

static void computed(struct txl_debug *d, const struct tx_event *event)
{
    struct facts *f = &d->facts;
    if (event->unit == TX_UNIT_STORE) {
        f->store[f->stores++ % FACT_STORES] =
            (struct fact_store){event->number, event->lanes, event->scheduled != 0};
    }
}

/* Returns the columns of a Dst row that an instruction has written. */
static uint32_t columns_of(const struct facts *f, const struct tx_event *event)
{
    uint32_t columns = 0;
    if (event->kind != TX_EVENT_WRITE_DST || event->unit != TX_UNIT_STORE) {
        return event->lanes;
    }
    for (unsigned i = 0; i < FACT_STORES; i++) {
        const struct fact_store *s = &f->store[i];
        for (unsigned lane = 0; lane < TX_LANES && s->number == event->number &&
                                s->scheduled == (event->scheduled != 0);
             lane++) {
            const struct tx_dst_place at = tx_dst_place(event->address, lane);
            /* A 32-bit row lies in two halves. */
            const unsigned wide = (at.row & ~7u) << 1 | (at.row & 7u);
            const bool here = at.row == event->index || wide == (event->index & ~8u);
            columns |= here ? (s->lanes >> lane & 1u) << at.column : 0;
        }
    }
    return columns;
}

static void written(struct txl_debug *d, const struct tx_event *event)
{
    struct facts *f = &d->facts;
    if (f->writes == FACT_WRITES) {
        return;
    }
    f->write[f->writes++] = (struct fact_write){.number = event->number,
                                                .start = event->start,
                                                .word = event->word,
                                                .lanes = columns_of(f, event),
                                                .index = event->index,
                                                .kind = (uint8_t)event->kind,
                                                .thread = event->thread,
                                                .unit = event->unit,
                                                .scheduled = event->scheduled != 0};
}

static void stalled(struct txl_debug *d, const struct tx_event *event)
{
    struct facts *f = &d->facts;
    if (f->stalls < FACT_STALLS) {
        f->stall[f->stalls++] =
            (struct fact_stall){.cause = event->text, .word = event->word, .thread = event->thread};
    }
}

void facts_listen(void *debug, const struct tx_event *event)
{
    struct txl_debug *d = debug;
    if (d->also.event != NULL) {
        d->also.event(d->also.user, event);
    }
    switch (event->kind) {
    case TX_EVENT_ISSUE:
    case TX_EVENT_EXECUTE:
        issued(d, event);
        break;
    case TX_EVENT_STALL:
        stalled(d, event);
        break;
    case TX_EVENT_WRITE_LREG:
    case TX_EVENT_WRITE_DST:
    case TX_EVENT_WRITE_FLAGS:
        written(d, event);
        break;
    case TX_EVENT_FINDING:
    case TX_EVENT_FAULT:
        d->facts.findings++;
        d->facts.finding = *event->finding;
        break;
    case TX_EVENT_COMPUTE:
        computed(d, event);
        break;
    case TX_EVENT_PHASE_START:
    case TX_EVENT_PHASE_END:
    case TX_EVENT_PACK:
    case TX_EVENT_PHASE_WAIT:
    case TX_EVENT_BANK:
        break;
    }
}

void facts_begin(struct txl_debug *d)
{
    struct facts *f = &d->facts;
    f->tick = d->now.tick;
    f->cycle = debug_cycle(d);
    f->began = false;
    f->issues = f->writes = f->stalls = f->findings = 0;
    memcpy(f->last, d->now.last, sizeof f->last);
    if (d->tile != NULL) {
        tx_tensix_glance(d->tile, f->before);
    }
}

void facts_end(struct txl_debug *d)
{
    if (d->tile != NULL) {
        tx_tensix_glance(d->tile, d->facts.after);
    }
}

/* ---- in words ---- */

const char *issue_text(const struct txl_debug *d, const struct fact_issue *issue, char *text,
                       size_t size)
{
    char dis[128];
    char place[300] = "";
    const char *file = NULL;
    const unsigned line = debug_line(d, debug_section(d), issue->place, &file);
    (void)tx_disassemble(d->arch, issue->word, TX_DIS_NORMAL, dis, sizeof dis);
    if (line != 0) {
        snprintf(place, sizeof place, "%s:%u: ", txl_basename(file != NULL ? file : ""), line);
        txl_mask_controls(place);
    }
    snprintf(text, size, "%s%s%s", place, dis, issue->scheduled ? " (scheduled)" : "");
    return text;
}

txl_json *issue_json(const struct txl_debug *d, const struct fact_issue *issue)
{
    char dis[128];
    const char *file = NULL;
    txl_json *o = txl_json_object();
    (void)tx_disassemble(d->arch, issue->word, TX_DIS_NORMAL, dis, sizeof dis);
    txl_json_set_int(o, "thread", issue->thread);
    txl_json_set_word(o, "word", issue->word);
    txl_json_set_text(o, "text", dis);
    JSON_MEMBERS(o, issue, number, scheduled);
    if (issue->place != NO_PLACE) {
        txl_json_set_int(o, "place", issue->place);
        const unsigned line = debug_line(d, debug_section(d), issue->place, &file);
        txl_json_set_text(o, "file", file);
        txl_json_set_int(o, "line", line);
    }
    return o;
}
