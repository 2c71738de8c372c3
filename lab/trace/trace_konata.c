/* SPDX-License-Identifier: Apache-2.0 */
/* Writes Kanata 0004, the log format of the pipeline viewer Konata. */
#include "trace/trace_model.h"

#include <stdlib.h>

enum { LIVE = 128 };

/* An instruction that is shown now. */
struct live {
    uint64_t id, number, start;
    uint8_t unit;
    bool scheduled, waiting;
    const char *stage;
    uint64_t seen, issued; /* cycles in which it was last shown, and in which it left its gate */
};

struct konata {
    struct live live[LIVE];
    unsigned count;
    uint64_t ids, retired;
};

static const char *stage(const struct trace_insn *insn, bool units)
{
    static const char *const first[] = {"Fr", "Ld", "Si", "Ma", "Ro", "St"};
    static const char *const second[] = {"Fr", "Ld", "Si2", "Ma2", "Ro2", "St"};
    if (insn->kind == TRACE_STALL) {
        return "Stall";
    }
    if (units && insn->unit == TX_UNIT_MATRIX) {
        return "Mx";
    }
    unsigned unit = insn->unit <= TX_UNIT_STORE ? insn->unit : 0;
    return insn->kind == TRACE_SECOND ? second[unit] : first[unit];
}

static void trace_konata_begin(struct trace_out *out, const struct trace_meta *meta)
{
    out->own = calloc(1, sizeof(struct konata));
    out->failed = out->own == NULL;
    fprintf(out->stream, "Kanata\t0004\nC=\t%llu\n", (unsigned long long)meta->first);
}

static void retire(struct trace_out *out, struct konata *k, unsigned index)
{
    struct live *l = &k->live[index];
    fprintf(out->stream, "E\t%llu\t0\t%s\nR\t%llu\t%llu\t0\n", (unsigned long long)l->id, l->stage,
            (unsigned long long)l->id, (unsigned long long)k->retired++);
    *l = k->live[--k->count];
}

static struct live *trace_konata_find(struct konata *k, const struct trace_insn *insn)
{
    for (unsigned i = 0; i < k->count; i++) {
        struct live *l = &k->live[i];
        if (l->number == insn->number && l->unit == insn->unit && l->scheduled == insn->scheduled &&
            (l->waiting || l->start == insn->start)) {
            return l;
        }
    }
    return NULL;
}

static void enter(struct trace_out *out, struct konata *k, const struct trace_insn *insn)
{
    char text[TRACE_TEXT + 40];
    if (k->count == LIVE) {
        retire(out, k, 0);
    }
    struct live *l = &k->live[k->count++];
    *l = (struct live){.id = k->ids++,
                       .number = insn->number,
                       .start = insn->start,
                       .unit = insn->unit,
                       .scheduled = insn->scheduled};
    unsigned long long id = l->id;
    fprintf(out->stream, "I\t%llu\t%llu\t%u\n", id, (unsigned long long)insn->number, insn->thread);
    fprintf(out->stream, "L\t%llu\t0\t%s\n", id, trace_label(insn, text, sizeof text));
    (void)tx_disassemble(out->meta->arch, insn->word, TX_DIS_NORMAL, text, sizeof text);
    fprintf(out->stream, "L\t%llu\t1\t%s\n", id, text);
    l->stage = NULL;
}

/*
 * Writes why an instruction is stalled, with an arrow from the instruction that stalls it if that
 * is shown.
 */
static void put_held(struct trace_out *out, const struct konata *k, const struct live *l,
                     const struct trace_insn *insn)
{
    fprintf(out->stream, "L\t%llu\t1\t; stall: %s\n", (unsigned long long)l->id, insn->cause);
    for (unsigned i = 0; insn->by.row != NULL && i < k->count; i++) {
        const struct live *p = &k->live[i];
        if (p->number == insn->by.number && p->start == insn->by.start && !p->scheduled && p != l) {
            fprintf(out->stream, "W\t%llu\t%llu\t0\n", (unsigned long long)l->id,
                    (unsigned long long)p->id);
        }
    }
}

static void change_stage(struct trace_out *out, struct live *l, const char *name)
{
    if (l->stage == name) {
        return;
    }
    if (l->stage != NULL) {
        fprintf(out->stream, "E\t%llu\t0\t%s\n", (unsigned long long)l->id, l->stage);
    }
    fprintf(out->stream, "S\t%llu\t0\t%s\n", (unsigned long long)l->id, name);
    l->stage = name;
}

static void put_stage(struct trace_out *out, struct konata *k, const struct trace_insn *insn,
                      uint64_t t)
{
    struct live *l = trace_konata_find(k, insn);
    if (l == NULL) {
        enter(out, k, insn);
        l = &k->live[k->count - 1];
    }
    change_stage(out, l, stage(insn, out->meta->units));
    if (insn->kind == TRACE_STALL) {
        put_held(out, k, l, insn);
    }
    l->waiting = insn->kind == TRACE_STALL;
    l->start = insn->start;
    l->issued = insn->kind == TRACE_ISSUE ? t : l->issued;
    l->seen = t;
}

/*
 * Writes what unpackers and packers do. A PACR for several packers works while any of them does; in
 * the cycle in which it was issued it is shown at the gate.
 */
static void put_job(struct trace_out *out, struct konata *k, const struct trace_job *job,
                    uint64_t t)
{
    static const char *const unpack[] = {"Ue", "Uw", "Un"};
    static const char *const pack[] = {"Pe", "Pw", "Pk"};
    const char *name = (job->unit == TX_UNIT_PACK ? pack : unpack)[job->phase];
    for (unsigned i = 0; i < k->count; i++) {
        struct live *l = &k->live[i];
        if (l->number != job->number || l->scheduled || l->waiting) {
            continue;
        }
        /* Already shown in this cycle, by another packer or at the gate. */
        const bool here = l->seen == t;
        if (!here || job->phase == TRACE_WORKS) {
            if (here && l->issued == t) {
                return;
            }
            change_stage(out, l, name);
            if (job->phase == TRACE_WAITS && job->changed) {
                fprintf(out->stream, "L\t%llu\t1\t; waits: %s\n", (unsigned long long)l->id,
                        job->cause);
            }
        }
        l->seen = t;
        return;
    }
}

/* Retires instructions that were not seen in this cycle. */
static void sweep(struct trace_out *out, struct konata *k, uint64_t t)
{
    for (unsigned i = 0; i < k->count;) {
        if (k->live[i].seen < t && k->live[i].stage != NULL) {
            retire(out, k, i);
        } else {
            i++;
        }
    }
}

static void cycle(struct trace_out *out, const struct trace_cycle *c)
{
    struct konata *k = out->own;
    if (k == NULL) {
        return;
    }
    /* Idle cycles: everything left in the first of them. */
    if (k->count != 0 && c->t > out->next + 1) {
        fprintf(out->stream, "C\t1\n");
        sweep(out, k, ++out->next);
    }
    if (c->t > out->next) {
        fprintf(out->stream, "C\t%llu\n", (unsigned long long)(c->t - out->next));
        out->next = c->t;
    }
    for (size_t i = 0; i < c->insn_count; i++) {
        put_stage(out, k, &c->insns[i], c->t);
    }
    for (size_t i = 0; i < c->job_count; i++) {
        if (c->jobs[i].phase != TRACE_ENDED) {
            put_job(out, k, &c->jobs[i], c->t);
        }
    }
    sweep(out, k, c->t);
}

static void trace_konata_end(struct trace_out *out, uint64_t cycles,
                             const struct tx_counters *counters)
{
    struct konata *k = out->own;
    (void)cycles;
    (void)counters;
    fprintf(out->stream, "C\t1\n");
    while (k != NULL && k->count > 0) {
        retire(out, k, 0);
    }
}

struct trace_out trace_konata(void)
{
    return (struct trace_out){.begin = trace_konata_begin, .cycle = cycle, .end = trace_konata_end};
}
