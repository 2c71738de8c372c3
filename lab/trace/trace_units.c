/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unpackers, packers and the banks of SrcA and SrcB, cycle by cycle: which instruction each unit
 * executes, what it waits for, and who owns each bank. The machine reports beginnings and ends;
 * this file fills in the cycles between.
 */
#include "trace/trace_model.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { MOP_WORDS = 9 };

static void look(struct trace_meta *meta, uint32_t word)
{
    const struct tx_insn *insn = tx_insn_of(meta->arch, word);
    const unsigned unit = insn != NULL ? insn->unit : TX_UNIT_NONE;
    meta->units = meta->units || unit == TX_UNIT_UNPACK || unit == TX_UNIT_PACK;
    meta->vector = meta->vector || (unit >= TX_UNIT_LOAD && unit <= TX_UNIT_STORE);
}

void trace_choose_lanes(struct trace_meta *meta)
{
    for (unsigned section = 0; section < 2; section++) {
        const uint32_t *words = tx_program_words(meta->program, section);
        for (size_t i = 0; i < tx_program_count(meta->program, section); i++) {
            look(meta, words[i]);
        }
    }
    for (unsigned thread = 0; thread <= TX_THREADS; thread++) {
        for (unsigned i = 0; i < MOP_WORDS; i++) {
            if ((tx_program_mop_given(meta->program, thread) >> i & 1u) != 0) {
                look(meta, tx_program_mop(meta->program, thread)[i]);
            }
        }
    }
    meta->vector = meta->vector || !meta->units;
}

static void lower(char *text, size_t size, const char *mnemonic)
{
    size_t n = 0;
    for (; mnemonic[n] != '\0' && n + 1 < size; n++) {
        text[n] = (char)tolower((unsigned char)mnemonic[n]);
    }
    text[n] = '\0';
}

const char *trace_lane(enum trace_lane lane, unsigned index, char text[TRACE_LANE_TEXT])
{
    switch (lane) {
    case TRACE_LANE_UNPACK:
        snprintf(text, TRACE_LANE_TEXT, "Unpack %u", index & 1u);
        break;
    case TRACE_LANE_PACK:
        snprintf(text, TRACE_LANE_TEXT, "Pack %u", index & 3u);
        break;
    case TRACE_LANE_BANK:
        snprintf(text, TRACE_LANE_TEXT, "Src%c %u", index < TRACE_SRC_BANKS ? 'A' : 'B',
                 index % TRACE_SRC_BANKS);
        break;
    case TRACE_LANE_CORE:
        snprintf(text, TRACE_LANE_TEXT, "Core %s", tx_core_name((enum tx_core)index));
        break;
    }
    return text;
}

const char *trace_owner(unsigned owner)
{
    return owner != 0 ? "math" : "unpack";
}

/* ---- spans, for output forms that draw them ---- */

/*
 * Passes the part of a span, up to before cycle t, that lies in the range of cycles shown to all
 * forms.
 */
void trace_put_span(struct collect *trace, struct trace_span *span, uint64_t t)
{
    const uint64_t end = t < trace->meta.last + 1 ? t : trace->meta.last + 1;
    if (span->from < trace->meta.first) {
        span->from = trace->meta.first;
    }
    span->to = end;
    for (unsigned i = 0; span->from < end && i < trace->out_count; i++) {
        if (trace->outs[i].span != NULL) {
            trace->outs[i].span(&trace->outs[i], span);
        }
    }
}

/* Writes the span of a job, unless another job is before it, which occupies the lane. */
static void put_job_span(struct collect *trace, const struct trace_job *job, uint64_t t)
{
    if (job->behind) {
        return;
    }
    struct trace_span span = {.lane =
                                  job->unit == TX_UNIT_PACK ? TRACE_LANE_PACK : TRACE_LANE_UNPACK,
                              .index = job->index,
                              .thread = job->thread,
                              .phase = job->phase,
                              .word = job->word,
                              .number = job->number,
                              .issued = job->issued,
                              .from = job->since,
                              .at_least = job->at_least,
                              .row = job->row};
    snprintf(span.text, sizeof span.text, "%s", job->text);
    snprintf(span.cause, sizeof span.cause, "%s", job->cause);
    trace_put_span(trace, &span, t);
}

static void put_bank_span(struct collect *trace, unsigned src, unsigned bank, uint64_t t)
{
    const struct trace_banks *b = &trace->now.banks[src];
    struct trace_span span = {.lane = TRACE_LANE_BANK,
                              .index = (uint8_t)(src * TRACE_SRC_BANKS + bank),
                              .phase = b->owner[bank] != 0 ? TRACE_WORKS : TRACE_WAITS,
                              .number = trace->given[src][bank].number,
                              .thread = trace->given[src][bank].thread,
                              .from = trace->given[src][bank].since};
    snprintf(span.text, sizeof span.text, "%s", trace_owner(b->owner[bank]));
    if (trace->given[src][bank].row != NULL) {
        char name[40];
        lower(name, sizeof name, trace->given[src][bank].row->mnemonic);
        snprintf(span.cause, sizeof span.cause, "given by %s (word %llu)", name,
                 (unsigned long long)span.number);
    }
    trace_put_span(trace, &span, t);
}

/* ---- banks ---- */

static struct trace_banks read_banks(const tx_machine *machine, unsigned src)
{
    uint32_t v[4] = {0};
    (void)tx_read(machine, TX_FILE_SRC_BANK, src, v, 4);
    return (struct trace_banks){(uint8_t)v[0], (uint8_t)v[1], {(uint8_t)v[2], (uint8_t)v[3]}};
}

/*
 * Handles a change of bank ownership. A change by an unpacker takes effect at the beginning of the
 * current cycle, others at its end.
 */
static void turned(struct collect *trace, const struct tx_event *event)
{
    const unsigned src = event->index & 1u;
    struct trace_cycle *c = &trace->now;
    const uint64_t from = c->t + (event->unit == TX_UNIT_UNPACK ? 0 : 1);
    struct trace_banks *b = &c->banks[src];
    for (unsigned bank = 0; bank < TRACE_SRC_BANKS; bank++) {
        if (b->owner[bank] != event->values[2 + bank]) {
            put_bank_span(trace, src, bank, from);
            b->owner[bank] = (uint8_t)event->values[2 + bank];
            trace->given[src][bank] =
                (struct trace_given){event->number, from, event->thread, event->row};
        }
    }
    b->matrix = (uint8_t)event->values[0];
    b->unpack = (uint8_t)event->values[1];
    if (from == c->t) {
        trace->earlier[src] = *b;
    }
    if (LIST_ONE(c->turns, c->turn_count, c->turn_room, trace->failed)) {
        c->turns[c->turn_count++] =
            (struct trace_turn){(uint8_t)src, event->thread, event->number, event->row, *b};
    }
}

/* ---- instructions in unpackers and packers ---- */

static struct trace_job *find_job(struct collect *trace, const struct tx_event *event)
{
    for (size_t i = 0; i < trace->job_count; i++) {
        struct trace_job *job = &trace->jobs[i];
        if (job->unit == event->unit && job->index == event->index &&
            job->number == event->number && !job->over) {
            return job;
        }
    }
    return NULL;
}

static struct trace_job *add_job(struct collect *trace, const struct tx_event *event)
{
    if (!LIST_ONE(trace->jobs, trace->job_count, trace->job_room, trace->failed)) {
        return NULL;
    }
    struct trace_job *job = &trace->jobs[trace->job_count++];
    *job = (struct trace_job){.unit = event->unit,
                              .index = (uint8_t)event->index,
                              .thread = event->thread,
                              .word = event->word,
                              .number = event->number,
                              .issued = trace->now.t,
                              .came = trace->now.t,
                              .since = trace->now.t,
                              .phase = TRACE_ENTERS,
                              .bank = event->mode,
                              .row = event->row};
    lower(job->text, sizeof job->text, event->row != NULL ? event->row->mnemonic : "?");
    return job;
}

/* Returns the job that the unit does before this one. */
const struct trace_job *trace_before(const struct trace_job *jobs, const struct trace_job *job)
{
    for (const struct trace_job *other = jobs; other != job; other++) {
        if (other->unit == job->unit && other->index == job->index && !other->over) {
            return other;
        }
    }
    return NULL;
}

static void set_phase(struct collect *trace, struct trace_job *job, enum trace_phase phase,
                      const char *cause)
{
    const bool behind = trace_before(trace->jobs, job) != NULL;
    const bool same = job->phase == phase && strcmp(job->cause, cause) == 0;
    job->changed = !same || trace->now.t == job->came;
    if (same && behind == job->behind) {
        return;
    }
    put_job_span(trace, job, trace->now.t);
    job->phase = phase;
    job->behind = behind;
    job->since = trace->now.t;
    snprintf(job->cause, sizeof job->cause, "%s", cause);
}

/* Handles PHASE events. An instruction that arrived before the first traced cycle is added now. */
static void phase(struct collect *trace, const struct tx_event *event)
{
    struct trace_job *job = find_job(trace, event);
    if (job == NULL) {
        job = add_job(trace, event);
    }
    if (job == NULL) {
        return;
    }
    if (event->kind == TX_EVENT_PHASE_WAIT) {
        /* The cycle in which it passed its gate. */
        job->issued = event->start > trace->base ? event->start - trace->base : 0;
        return;
    }
    if (event->kind == TX_EVENT_PHASE_START) {
        job->begun = true;
        job->start = trace->now.t;
    }
    job->at_least = event->row != NULL && event->row->insn == TX_INSN_UNPACR;
    job->over = event->kind == TX_EVENT_PHASE_END;
}

static void packs(struct collect *trace, const struct tx_event *event)
{
    struct trace_job *job = add_job(trace, event);
    if (job != NULL) {
        job->start = event->start - trace->base;
        job->end = job->start + event->lanes;
        job->drain = event->mode;
        job->at_least = true;
    }
}

/*
 * Determines what an unpacker's instruction waits for, from the owners at the beginning of the
 * cycle.
 */
static void waits(struct collect *trace, struct trace_job *job)
{
    char cause[TRACE_CAUSE] = "";
    const struct trace_job *first = trace_before(trace->jobs, job);
    const unsigned src = job->index & 1u;
    const struct trace_banks *b = &trace->earlier[src];
    const unsigned bank = job->bank == TX_PHASE_BANK_MATRIX ? b->matrix : b->unpack;
    if (first != NULL) {
        snprintf(cause, sizeof cause, "%s before it (word %llu)", first->text,
                 (unsigned long long)first->number);
    } else if (job->bank != TX_PHASE_BANK_NONE && b->owner[bank] != 0) {
        snprintf(cause, sizeof cause, "bank %u of Src%c, which math has", bank,
                 src == 0 ? 'A' : 'B');
    }
    set_phase(trace, job, cause[0] != '\0' ? TRACE_WAITS : TRACE_ENTERS, cause);
}

static void trace_units_follow(struct collect *trace, struct trace_job *job)
{
    job->over = job->over || (job->unit == TX_UNIT_PACK && trace->now.t >= job->end);
    if (job->over) {
        set_phase(trace, job, TRACE_ENDED, "");
    } else if (job->unit == TX_UNIT_UNPACK && job->begun) {
        set_phase(trace, job, TRACE_WORKS, "");
    } else if (job->unit == TX_UNIT_UNPACK) {
        waits(trace, job);
    } else if (trace->now.t >= job->start) {
        set_phase(trace, job, TRACE_WORKS, "");
    } else {
        char cause[TRACE_CAUSE] = "";
        const struct trace_job *first = trace_before(trace->jobs, job);
        if (first != NULL && trace->now.t > job->issued) {
            snprintf(cause, sizeof cause, "%s before it (word %llu)", first->text,
                     (unsigned long long)first->number);
        }
        set_phase(trace, job, cause[0] != '\0' ? TRACE_WAITS : TRACE_ENTERS, cause);
    }
}

/* ---- stalls at the gates ---- */

/* Returns the job that occupies the unit which a stalled word needs; NULL: unknown. */
static const struct trace_job *in_the_way(const struct collect *trace, const struct tx_event *event)
{
    const unsigned unpacker = event->row == NULL || event->unit != TX_UNIT_UNPACK
                                  ? 0
                                  : tx_row_field(event->row, TX_FLD_UNPACKER, event->word);
    for (size_t i = 0; i < trace->job_count; i++) {
        const struct trace_job *job = &trace->jobs[i];
        if (job->unit == event->unit && (job->unit == TX_UNIT_PACK || job->index == unpacker) &&
            !job->over) {
            return job;
        }
    }
    return NULL;
}

void trace_units_held(const struct collect *trace, const struct tx_event *event,
                      char cause[TRACE_CAUSE])
{
    const struct tx_gate gate = tx_gate_read(trace->machine, event->thread);
    const char *why = event->text != NULL ? event->text : "held";
    const struct trace_job *job = gate.hold == TX_HOLD_UNIT ? in_the_way(trace, event) : NULL;
    char more[TRACE_CAUSE] = "";
    if (gate.hold == TX_HOLD_WAIT) {
        if (!tx_wait_reason(trace->machine, event->thread, more, sizeof more)) {
            snprintf(more, sizeof more, "met in this cycle");
        }
    } else if (gate.hold == TX_HOLD_DST && trace->dst_writer != UINT64_MAX) {
        snprintf(more, sizeof more, "by word %llu", (unsigned long long)trace->dst_writer);
    } else if (job != NULL && job->cause[0] != '\0') {
        snprintf(more, sizeof more, "%s (word %llu), which waits for %.70s", job->text,
                 (unsigned long long)job->number, job->cause);
    } else if (job != NULL) {
        snprintf(more, sizeof more, "%s (word %llu)", job->text, (unsigned long long)job->number);
    }
    snprintf(cause, TRACE_CAUSE, "%s%s%.100s", why, more[0] != '\0' ? ": " : "", more);
}

/* ---- called by trace_collect.c ---- */

void trace_units_section(struct collect *trace)
{
    for (unsigned src = 0; src < TRACE_SRCS; src++) {
        const struct trace_banks b = read_banks(trace->machine, src);
        trace->now.banks[src] = trace->earlier[src] = b;
    }
    trace->dst_writer = UINT64_MAX;
}

void trace_units_event(struct collect *trace, const struct tx_event *event)
{
    if (!trace->meta.units) {
        return;
    }
    if (event->kind == TX_EVENT_BANK) {
        turned(trace, event);
    } else if (event->kind == TX_EVENT_PACK) {
        packs(trace, event);
    } else {
        phase(trace, event);
    }
}

void trace_units_cycle(struct collect *trace)
{
    for (size_t i = 0; i < trace->job_count; i++) {
        trace_units_follow(trace, &trace->jobs[i]);
    }
    trace->now.jobs = trace->jobs;
    trace->now.job_count = trace->job_count;
}

void trace_units_next(struct collect *trace)
{
    size_t kept = 0;
    for (size_t i = 0; i < trace->job_count; i++) {
        if (!trace->jobs[i].over) {
            trace->jobs[kept++] = trace->jobs[i];
        }
    }
    trace->job_count = kept;
    memcpy(trace->earlier, trace->now.banks, sizeof trace->earlier);
}

/* Ends the jobs of unpackers, because no event will report their end; a packer's end is known. */
void trace_units_flush(struct collect *trace)
{
    for (size_t i = 0; i < trace->job_count; i++) {
        if (trace->jobs[i].unit == TX_UNIT_UNPACK) {
            put_job_span(trace, &trace->jobs[i], trace->now.t + 1);
            trace->jobs[i].over = true;
        }
    }
    trace_units_next(trace);
}

void trace_units_end(struct collect *trace)
{
    for (unsigned i = 0; trace->meta.units && i < TRACE_SRCS * TRACE_SRC_BANKS; i++) {
        put_bank_span(trace, i / TRACE_SRC_BANKS, i % TRACE_SRC_BANKS, trace->now.t + 1);
    }
}
