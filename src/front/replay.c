/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Replay Expander. REPLAY records the words that follow into a buffer of 32, executing them or
 * not, or emits recorded ones. A REPLAY is taken and its first word emitted in one cycle. Source:
 * isa REPLAY; spec/timing.md c.4 (count 0 means 32).
 */
#include "front/front.h"
#include "base/check.h"

#define ID(name) evidence_get(EVIDENCE_##name)->id

bool replay_is_replay(const struct tx_machine *m, uint32_t word)
{
    return m->row_cache[word >> 24][0] == ROWID_REPLAY;
}

void replay_start(struct tx_machine *m, unsigned thread, uint32_t word)
{
    CHECK(m->state.front.replay[thread].emitting == 0,
          "a REPLAY starts when the one before it is over");
    struct replay *r = &m->state.front.replay[thread];
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
        machine_finding(m, TX_UNDEFINED_BEHAVIOR, ID(E_REPLAY), &op, 0,
                        "REPLAY of %u words: the buffer holds 32", (unsigned)count);
    }
    if (isa_unused(row, word) != 0) {
        machine_finding(m, TX_UNDEFINED_BEHAVIOR, ID(E_UNUSED), &op, 0,
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

void replay_record(struct tx_machine *m, unsigned thread, uint32_t word)
{
    CHECK(m->state.front.replay[thread].remaining != 0,
          "a word is recorded while a recording is under way");
    CHECK(m->state.front.replay[thread].index < 32, "a recording has 32 slots");
    struct replay *r = &m->state.front.replay[thread];
    r->word[r->index & 31u] = word;
    r->index = (uint8_t)((r->index + 1u) & 31u);
    r->remaining--;
    if (r->execute == 0 && replay_is_replay(m, word)) {
        struct tx_op op;
        op_decode_row(ROWID_REPLAY, word, &op);
        op.thread = (uint8_t)thread;
        machine_finding(m, TX_UNDEFINED_BEHAVIOR, ID(E_REPLAY), &op, 0,
                        "REPLAY inside a recording");
    }
}

void replay_advance(struct tx_machine *m, unsigned thread)
{
    CHECK(m->state.front.replay[thread].emitting != 0, "a replay goes on while it is under way");
    struct replay *r = &m->state.front.replay[thread];
    r->emit = (uint8_t)((r->emit + 1u) & 31u);
    r->emitting--;
}
