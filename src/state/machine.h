/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A machine: settings and constant tables on one side, the flat state on the other, and what it has
 * to say about the program beside them.
 */
#ifndef TX_STATE_MACHINE_H
#define TX_STATE_MACHINE_H

#include <tensix/order.h>
#include <tensix/threads.h>

#include "isa/evidence.h"
#include "state/state.h"

enum { DECODED_LOG = 9, DECODED = 1 << DECODED_LOG };

/* What changes registers, flags, random state or Dst though no vector instruction does. */
enum machine_change {
    CHANGE_SEED, /* configuration has seeded the generators, with "value" */
    CHANGE_HOST, /* the host wrote state */
    CHANGE_UNIT, /* another unit has written Dst */
    CHANGE_PACK  /* a packer has sent data of Dst to L1 */
};

struct delays;
struct matrix_level;
struct bulk_memo;
struct pack_memo;
struct unpack_memo;

struct tx_machine {
    struct tx_settings settings;
    enum tx_arch arch;
    const struct cfg_places *places;
    const struct matrix_level *matrix_level; /* of the Matrix Unit's arithmetic */
    struct bulk_memo *matrix_memo;           /* what that has made of SrcA */
    struct pack_memo *pack_memo;             /* what the packers have made of configuration */
    struct unpack_memo *unpack_memo;         /* and the unpackers */
    struct tx_state state;

    struct tx_finding findings[TX_MAX_FINDINGS];
    size_t finding_count;
    uint64_t findings_dropped;
    uint64_t notes[EVIDENCE_COUNT];
    struct tx_finding fault;
    bool faulted;

    struct tx_host host;
    /* Registers of the tile, where it has the machine: accesses behind REGION_BASE_TDMA. */
    bool (*registers)(void *user, struct tx_access *access);
    void *registers_user;
    uint8_t *own_l1; /* L1 of the machine's own, or NULL; behind it bit per byte: it was written */
    uint32_t offered[TX_THREADS][4]; /* what the host gave with the instruction of this cycle */
    struct fpu_write wrote;          /* Dst rows that such an instruction writes; rows 0: none */
    bool moved;                      /* something happened in this cycle */
    uint32_t quiet;                  /* cycles since something happened */

    uint32_t watched; /* cycles of runs, for tx_watch */

    struct tx_counters counters;
    struct effect effects[MACRO_UNITS * 8 + 1]; /* of the instructions of the current cycle */
    uint16_t load_address;                      /* of the SFPLOADMACRO of the current cycle */
    /* Every execution, before anything of its cycle is written: the fast engine records them. */
    void (*on_exec)(void *user, const struct tx_machine *m, const struct tx_op *op,
                    uint32_t allowed, const struct effect *e, uint32_t lanes);
    /* And every change beside them; one of configuration comes at the end of its cycle. */
    void (*on_change)(void *user, const struct tx_machine *m, enum machine_change change,
                      uint32_t value);
    void *on_user;              /* of both */
    struct tx_order_sink order; /* of accesses to shared state */
    uint32_t order_pack[256]; /* bits of each configuration word that packers read; word 0: known */
    struct delays *delays;    /* NULL: none, see state/delay.h */
    struct tx_op decoded[DECODED]; /* by hash of the word; row 0: empty */
    uint16_t row_cache[256][16];   /* enum isa_row_id by opcode and modifier; settled at open */
    uint8_t mode_lsb[256];         /* place of the modifier of an opcode */
};

static inline bool machine_rule(const struct tx_machine *m, enum rule_id rule)
{
    return m->settings.rules[rule] != 0;
}

/* Index of the chosen value, for rules with more than two. */
static inline unsigned machine_rule_value(const struct tx_machine *m, enum rule_id rule)
{
    return m->settings.rules[rule];
}

/* After each cycle of a run. */
static inline bool machine_goes_on(struct tx_machine *m)
{
    const struct tx_watch *watch = &m->settings.watch;
    return watch->go_on == NULL || ++m->watched % TX_WATCH_CYCLES != 0 || watch->go_on(watch->user);
}

static inline bool machine_is_bh(const struct tx_machine *m)
{
    return m->arch == TX_BLACKHOLE;
}

/* Row and operands of a word; false where the chip has no modelled instruction of it. */
static inline bool machine_decode(struct tx_machine *m, uint32_t word, struct tx_op *op)
{
    struct tx_op *known = &m->decoded[word * 0x9E3779B1u >> (32 - DECODED_LOG)];
    if (known->word == word && known->row != ROWID_NONE) {
        *op = *known;
        return true;
    }
    const unsigned opcode = word >> 24;
    const unsigned mode = word >> m->mode_lsb[opcode] & 15u;
    const enum isa_row_id id = (enum isa_row_id)m->row_cache[opcode][mode];
    if (id != ROWID_NONE) {
        op_decode_row(id, word, op);
        *known = *op;
    }
    return id != ROWID_NONE;
}

static inline void machine_changed(const struct tx_machine *m, enum machine_change change,
                                   uint32_t value)
{
    if (m->on_change != NULL) {
        m->on_change(m->on_user, m, change, value);
    }
}

static inline void machine_note(struct tx_machine *m, enum evidence_id id)
{
    m->notes[id]++;
}

/*
 * A violation or the read of an unknown value. In strict mode, and for what cannot be executed at
 * all, it stops the machine. lanes: lanes concerned. The message is one sentence without full stop.
 */
void machine_finding(struct tx_machine *m, enum tx_category category, const char *rule,
                     const struct tx_op *op, uint32_t lanes, const char *format, ...);
/*
 * For what no word of a thread says: the message begins with the place that it is about. Is there
 * one of that rule and place already? It counts again. And a new one.
 */
bool machine_found_at(struct tx_machine *m, const char *rule, const char *place);
void machine_finding_at(struct tx_machine *m, enum tx_category category, const char *rule,
                        const struct tx_op *op, const char *message);
void machine_stop(struct tx_machine *m, enum tx_category category, const char *rule,
                  const struct tx_op *op, const char *format, ...);
/* A finding of kind Hazard about op and an earlier instruction, which started in cycle "start". */
void machine_hazard(struct tx_machine *m, const char *rule, const struct tx_op *op,
                    const struct tx_op *producer, uint64_t start, uint32_t lanes,
                    const char *format, ...);
void machine_event(const struct tx_machine *m, const struct tx_event *event);
/* An event of an instruction; to be called only where there is a sink. */
void machine_op_event(const struct tx_machine *m, enum tx_event_kind kind, const struct tx_op *op,
                      uint32_t lanes, const char *text);
/* TX_EVENT_COMPUTE, on the state that the instruction read; likewise. */
void machine_compute_event(const struct tx_machine *m, const struct tx_op *op, uint32_t lanes,
                           const struct effect *e);
/* TX_EVENT_STALL; by->row NULL: nothing in flight holds it. */
void machine_stall_event(const struct tx_machine *m, const struct tx_op *op, const char *cause,
                         const struct tx_stall *by);
/* TX_EVENT_BANK, once the instruction has changed it. */
void machine_bank_event(const struct tx_machine *m, const struct tx_op *op, unsigned src);

#endif
