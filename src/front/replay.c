/* SPDX-License-Identifier: Apache-2.0 */
/*
 * REPLAY: records the following words into a 32-entry buffer, with or without executing them, or
 * emits recorded ones. Taking a replay and emitting its first word happen in one cycle.
 * Source: isa REPLAY; spec/timing.md c.4 (count 0 is 32).
 */
#include "front/front.h"

#include "pipe/pipe.h"

bool front_busy(const struct tx_machine *m, unsigned thread)
{
    return m->state.replay[thread].emitting != 0;
}

static void emit(struct tx_machine *m, unsigned thread)
{
    struct replay *r = &m->state.replay[thread];
    bool accepted;
    pipe_cycle(m, thread, &r->word[r->emit & 31u], &accepted);
    if (accepted || m->faulted) { /* a word that stopped the machine is not met again */
        r->emit = (uint8_t)((r->emit + 1u) & 31u);
        r->emitting--;
    }
}

static void start(struct tx_machine *m, unsigned thread, uint32_t word)
{
    struct replay *r = &m->state.replay[thread];
    const struct isa_row *row = isa_row(ROWID_REPLAY);
    struct tx_op op;
    uint32_t count = isa_field(row, FLD_COUNT, word);
    op_decode_row(ROWID_REPLAY, word, &op);
    op.thread = (uint8_t)thread;
    op.number = m->state.index;
    if (m->settings.sink.event != NULL) {
        machine_op_event(m, TX_EVENT_ISSUE, &op, 0, NULL);
    }
    if (count > 32) {
        machine_finding(m, TX_UNDEFINED_BEHAVIOR, evidence_get(EVIDENCE_E_REPLAY)->id, &op, 0,
                        "REPLAY of %u words: the buffer holds 32", (unsigned)count);
    }
    if (isa_unused(row, word) != 0) {
        machine_finding(m, TX_UNDEFINED_BEHAVIOR, evidence_get(EVIDENCE_E_UNUSED)->id, &op, 0,
                        "REPLAY: bits %08x are not part of the encoding and are ignored",
                        (unsigned)isa_unused(row, word));
    }
    count = count == 0 ? 32 : count;
    if (isa_field(row, FLD_LOAD, word) != 0) {
        r->index = (uint8_t)isa_field(row, FLD_INDEX, word);
        r->remaining = (uint8_t)count;
        r->execute = isa_field(row, FLD_EXEC, word) != 0;
    } else {
        r->emit = (uint8_t)isa_field(row, FLD_INDEX, word);
        r->emitting = (uint8_t)count;
    }
}

static bool is_replay(const struct tx_machine *m, uint32_t word)
{
    return m->row_cache[word >> 24][0] == ROWID_REPLAY;
}

static void record(struct tx_machine *m, unsigned thread, uint32_t word, bool *accepted)
{
    struct replay *r = &m->state.replay[thread];
    bool idle;
    if (r->execute != 0) {
        pipe_cycle(m, thread, &word, accepted);
    } else {
        pipe_cycle(m, thread, NULL, &idle);
        *accepted = true;
        if (is_replay(m, word)) {
            struct tx_op op;
            op_decode_row(ROWID_REPLAY, word, &op);
            op.thread = (uint8_t)thread;
            machine_finding(m, TX_UNDEFINED_BEHAVIOR, evidence_get(EVIDENCE_E_REPLAY)->id, &op, 0,
                            "REPLAY inside a recording");
        }
    }
    if (*accepted) {
        r->word[r->index & 31u] = word;
        r->index = (uint8_t)((r->index + 1u) & 31u);
        r->remaining--;
    }
}

void front_cycle(struct tx_machine *m, unsigned thread, const uint32_t *word, bool *accepted)
{
    struct replay *r = &m->state.replay[thread];
    *accepted = false;
    if (r->emitting != 0) {
        emit(m, thread);
    } else if (word == NULL) {
        pipe_cycle(m, thread, NULL, accepted);
        *accepted = false;
    } else if (r->remaining != 0) {
        record(m, thread, *word, accepted);
    } else if (is_replay(m, *word)) {
        start(m, thread, *word);
        if (m->faulted) {
            return;
        }
        *accepted = true;
        if (r->emitting != 0) {
            emit(m, thread);
        } else {
            bool idle;
            pipe_cycle(m, thread, NULL, &idle);
        }
    } else {
        pipe_cycle(m, thread, word, accepted);
    }
}
