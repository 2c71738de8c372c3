/* SPDX-License-Identifier: Apache-2.0 */
/* Findings, faults and events. Findings with the same rule and word are counted, not repeated. */
#include "state/machine.h"
#include "base/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void machine_event(const struct tx_machine *m, const struct tx_event *event)
{
    if (m->settings.sink.event != NULL) {
        m->settings.sink.event(m->settings.sink.user, event);
    }
}

static struct tx_operands operands_of(const struct tx_op *op)
{
    const struct tx_operands operands = {
        .imm = op->imm,
        .va = op->va,
        .vb = op->vb,
        .vc = op->vc,
        .vd = op->vd,
        .mode = op->mode,
        .rounding = op->rnd,
    };
    return operands;
}

/*
 * Returns an event with the fields that all events of an instruction have. It points to *operands,
 * which must outlive it.
 */
static struct tx_event event_of(const struct tx_machine *m, enum tx_event_kind kind,
                                const struct tx_op *op, const struct tx_operands *operands)
{
    const struct tx_event event = {
        .size = sizeof event,
        .kind = kind,
        .thread = op->thread,
        .unit = op->unit,
        .cycle = m->state.cycle,
        .word = op->word,
        .row = op->row == ROWID_NONE ? NULL : &isa_row((enum isa_row_id)op->row)->text,
        .number = op->number,
        .operands = operands,
    };
    return event;
}

void machine_op_event(const struct tx_machine *m, enum tx_event_kind kind, const struct tx_op *op,
                      uint32_t lanes, const char *text)
{
    const struct tx_operands operands = operands_of(op);
    struct tx_event event = event_of(m, kind, op, &operands);
    event.lanes = lanes;
    event.text = text;
    machine_event(m, &event);
}

void machine_compute_event(const struct tx_machine *m, const struct tx_op *op, uint32_t lanes,
                           const struct effect *e)
{
    const struct tx_operands operands = operands_of(op);
    struct tx_event event = event_of(m, TX_EVENT_COMPUTE, op, &operands);
    event.lanes = lanes;
    event.start = event.cycle;
    event.address = e->address;
    event.mode = e->mode;
    event.scheduled = op->scheduled;
    event.values = m->state.lreg[0];
    machine_event(m, &event);
}

void machine_stall_event(const struct tx_machine *m, const struct tx_op *op, const char *cause,
                         const struct tx_stall *by)
{
    const struct tx_operands operands = operands_of(op);
    struct tx_event event = event_of(m, TX_EVENT_STALL, op, &operands);
    event.text = cause;
    event.stall = by->row != NULL ? by : NULL;
    machine_event(m, &event);
}

void machine_bank_event(const struct tx_machine *m, const struct tx_op *op, unsigned src)
{
    CHECK(src < 2, "a bank that changes hands is one of SrcA or SrcB");
    const struct units *u = &m->state.units;
    const uint32_t values[4] = {u->matrix_bank[src], u->unpack_bank[src], u->bank_owner[src][0],
                                u->bank_owner[src][1]};
    if (m->settings.sink.event != NULL) {
        const struct tx_operands operands = operands_of(op);
        struct tx_event event = event_of(m, TX_EVENT_BANK, op, &operands);
        event.index = (uint16_t)src;
        event.values = values;
        machine_event(m, &event);
    }
}

static void report_fill(const struct tx_machine *m, struct tx_finding *f, enum tx_category category,
                        const char *rule, const struct tx_op *op, uint32_t lanes)
{
    memset(f, 0, sizeof *f);
    f->size = sizeof *f;
    f->category = category;
    f->arch = m->arch;
    f->rule = rule;
    f->cycle = m->state.cycle;
    f->index = op != NULL ? op->number : m->state.index;
    f->producer = UINT64_MAX;
    f->lanes = lanes;
    f->count = 1;
    if (op != NULL) {
        f->thread = op->thread;
        f->word = op->word;
    }
}

/* The same for what belongs to the instruction's word rather than to a place. */
static void fill_word(const struct tx_machine *m, struct tx_finding *f, enum tx_category category,
                      const char *rule, const struct tx_op *op, uint32_t lanes)
{
    report_fill(m, f, category, rule, op, lanes);
    if (op != NULL && m->pushed != NULL) {
        m->pushed(m->registers_user, f);
    }
}

static void report(const struct tx_machine *m, enum tx_event_kind kind, const struct tx_finding *f)
{
    const struct tx_event event = {.size = sizeof event,
                                   .kind = kind,
                                   .thread = f->thread,
                                   .cycle = f->cycle,
                                   .word = f->word,
                                   .lanes = f->lanes,
                                   .finding = f,
                                   .text = f->message};
    machine_event(m, &event);
}

static void stop(struct tx_machine *m, const struct tx_finding *f)
{
    if (!m->faulted) {
        m->fault = *f;
        m->faulted = true;
        report(m, TX_EVENT_FAULT, &m->fault);
    }
}

/* Returns the recorded finding with this rule and word, or NULL. */
static struct tx_finding *known(struct tx_machine *m, const char *rule, uint32_t word)
{
    for (size_t i = 0; i < m->finding_count; i++) {
        if (m->findings[i].word == word && m->findings[i].rule == rule) {
            return &m->findings[i];
        }
    }
    return NULL;
}

/* Keeps a finding, or stops the machine in strict mode. */
static void record(struct tx_machine *m, const struct tx_finding *f)
{
    if (m->settings.mode == TX_MODE_STRICT) {
        stop(m, f);
        return;
    }
    if (m->finding_count == TX_MAX_FINDINGS) {
        m->findings_dropped++;
        return;
    }
    m->findings[m->finding_count] = *f;
    report(m, TX_EVENT_FINDING, &m->findings[m->finding_count]);
    m->finding_count++;
}

/*
 * Counts a finding that will not be kept, before time is spent on its text: there is room for no
 * more, and the machine does not stop at it.
 */
static bool dropped(struct tx_machine *m)
{
    const bool full = m->settings.mode == TX_MODE_SILICON && m->finding_count == TX_MAX_FINDINGS;
    m->findings_dropped += full ? 1 : 0;
    return full;
}

/*
 * Counts a finding with the same rule and word once more. Returns false if it must be recorded
 * anew: there is none yet, or the mode is not silicon.
 */
static bool state_report_again(struct tx_machine *m, const char *rule, const struct tx_op *op)
{
    struct tx_finding *old = known(m, rule, op != NULL ? op->word : 0);
    if (old == NULL || m->settings.mode != TX_MODE_SILICON) {
        return dropped(m);
    }
    old->count++;
    return true;
}

void machine_finding(struct tx_machine *m, enum tx_category category, const char *rule,
                     const struct tx_op *op, uint32_t lanes, const char *format, ...)
{
    struct tx_finding f;
    if (state_report_again(m, rule, op)) {
        return;
    }
    fill_word(m, &f, category, rule, op, lanes);
    va_list args;
    va_start(args, format);
    (void)vsnprintf(f.message, sizeof f.message, format, args);
    va_end(args);
    record(m, &f);
}

void machine_doubt(struct tx_machine *m, enum tx_category category, enum evidence_id id,
                   const struct tx_op *op, const char *message)
{
    machine_note(m, id);
    if (m->settings.mode == TX_MODE_STRICT) {
        machine_finding(m, category, evidence_get(id)->id, op, 0, "%s", message);
    }
}

bool machine_found_at(struct tx_machine *m, const char *rule, const char *place)
{
    const size_t size = strlen(place);
    for (size_t i = 0; m->settings.mode == TX_MODE_SILICON && i < m->finding_count; i++) {
        /* the one that was repeated last comes first */
        const size_t at = (m->finding_repeated + i) % m->finding_count;
        struct tx_finding *f = &m->findings[at];
        if (f->rule == rule && strncmp(f->message, place, size) == 0) {
            m->finding_repeated = at;
            f->count++;
            return true;
        }
    }
    return dropped(m);
}

void machine_finding_at(struct tx_machine *m, enum tx_category category, const char *rule,
                        const struct tx_op *op, const char *message)
{
    struct tx_finding f;
    report_fill(m, &f, category, rule, op, 0);
    (void)snprintf(f.message, sizeof f.message, "%s", message);
    record(m, &f);
}

void machine_hazard(struct tx_machine *m, const char *rule, const struct tx_op *op,
                    const struct tx_op *producer, uint64_t start, uint32_t lanes,
                    const char *format, ...)
{
    struct tx_finding f;
    if (state_report_again(m, rule, op)) {
        return;
    }
    fill_word(m, &f, TX_HAZARD, rule, op, lanes);
    f.producer = producer->number;
    f.producer_word = producer->word;
    f.producer_cycle = start;
    va_list args;
    va_start(args, format);
    (void)vsnprintf(f.message, sizeof f.message, format, args);
    va_end(args);
    record(m, &f);
}

void machine_stop(struct tx_machine *m, enum tx_category category, const char *rule,
                  const struct tx_op *op, const char *format, ...)
{
    struct tx_finding f;
    fill_word(m, &f, category, rule, op, 0);
    va_list args;
    va_start(args, format);
    (void)vsnprintf(f.message, sizeof f.message, format, args);
    va_end(args);
    stop(m, &f);
}
