/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A machine is one Tensix coprocessor: its settings and constant tables, its flat state (struct
 * tx_state), and what it reports about the program (findings, notes, a fault, counters). The fields
 * behind "state" are not part of a snapshot.
 */
#ifndef TX_STATE_MACHINE_H
#define TX_STATE_MACHINE_H

#include <tensix/order.h>
#include <tensix/threads.h>

#include "isa/chip.h"
#include "isa/evidence.h"
#include "state/state.h"

enum { DECODED_LOG = 9, DECODED = 1 << DECODED_LOG };

/*
 * Reasons why registers, flags, generators or Dst change without a vector instruction: the argument
 * of on_change.
 */
enum machine_change {
    CHANGE_SEED, /* a write to configuration has seeded the generators with "value" */
    CHANGE_HOST, /* the host has written state */
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
    /* How the Matrix Unit computes: a speed override or the plain one. */
    const struct matrix_level *matrix_level;
    struct bulk_memo *matrix_memo; /* cache: SrcA as the Matrix Unit has converted it */
    /* Cache: what the packers have decoded from configuration. */
    struct pack_memo *pack_memo;
    struct unpack_memo *unpack_memo; /* the same for the unpackers */
    struct tx_state state;

    struct tx_finding findings[TX_MAX_FINDINGS];
    size_t finding_count;
    size_t finding_repeated; /* number of the one that was repeated last, or any other */
    uint64_t findings_dropped;
    uint64_t notes[EVIDENCE_COUNT];
    struct tx_finding fault;
    bool faulted;

    struct tx_host host;
    /* Accesses to the tile's registers (behind REGION_BASE_TDMA); NULL without a tile. */
    bool (*registers)(void *user, struct tx_access *access);
    void *registers_user;
    /* Fills in which core has pushed the finding's word; NULL without a tile. */
    void (*pushed)(void *registers_user, struct tx_finding *finding);
    /* L1 allocated by the machine, or NULL; behind it one bit per byte: it has been written. */
    uint8_t *own_l1;
    /* Data that the host supplied with this cycle's instruction, per thread. */
    uint32_t offered[TX_THREADS][4];
    /* Dst rows that the Matrix Unit writes in this cycle; rows is 0 if none. */
    struct fpu_write wrote;
    /* Something happened in this cycle, so that the next one may differ. */
    bool moved;
    /* No time is kept: a bank of Src that changes hands is seen at once. */
    bool hurries;
    bool paced;     /* a unit is quicker than on the chip: src/front/sooner.c */
    uint32_t quiet; /* cycles since the last one in which something happened */
    /* What the sink was told last of the word that a thread's gate holds. */
    struct {
        struct tx_op op;
        const char *text;
        struct tx_stall by;
    } stood[TX_THREADS];

    uint32_t bounds;  /* enum tx_bound: what of the time so far is only a lower bound */
    uint32_t l1_used; /* bit per user of L1 so far, enum l1_user */

    /* Cycles, and work worth so many of them (machine_work), since the host was last asked. */
    uint32_t watched;

    struct tx_counters counters;
    struct effect effects[MACRO_UNITS * 8 + 1]; /* effects of the instructions of this cycle */
    uint16_t load_address;                      /* the address of this cycle's SFPLOADMACRO */
    /*
     * Called for every execution of a vector instruction, before anything of its cycle is written;
     * the fast engine records with it.
     */
    void (*on_exec)(void *user, const struct tx_machine *m, const struct tx_op *op,
                    uint32_t allowed, const struct effect *e, uint32_t lanes);
    /*
     * Called for every other change (enum machine_change); a change by configuration is reported at
     * the end of its cycle.
     */
    void (*on_change)(void *user, const struct tx_machine *m, enum machine_change change,
                      uint32_t value);
    void *on_user;              /* passed to on_exec and on_change */
    struct tx_order_sink order; /* receives all accesses to shared state; see state/order.h */
    /* The bits of each configuration word that packers read; filled in once word 0 is not zero. */
    uint32_t order_pack[256];
    struct delays *delays; /* NULL: none, see state/delay.h */
    /* Decoded words, by a hash of the word; an entry with row 0 is empty. */
    struct tx_op decoded[DECODED];
    /* Enum isa_row_id by opcode and modifier; set when the machine is opened. */
    uint16_t row_cache[256][16];
    uint8_t mode_lsb[256]; /* bit at which the modifier of an opcode starts */
    uint64_t config_stamp; /* see machine_reconfigured */
#if defined(TX_CHECK)
    /* The other side of src/front/check.c takes no short way and has caches of its own. */
    bool plain;
    uint64_t plain_stamp;
    struct pack_memo *plain_pack;
    struct unpack_memo *plain_unpack;
    struct check *checks; /* memory of short ways that have been compared, for the next ones */
#endif
};

/* Returns whether the machine is to take no short way: in the build that checks itself. */
static inline bool machine_is_plain(const struct tx_machine *m)
{
#if defined(TX_CHECK)
    return m->plain;
#else
    (void)m;
    return false;
#endif
}

/* Returns whether a unit of the coprocessor is quicker than on the chip. */
static inline bool machine_is_paced(const struct tx_machine *m)
{
    return m->paced;
}

static inline bool machine_rule(const struct tx_machine *m, enum rule_id rule)
{
    return m->settings.rules[rule] != 0;
}

/* Returns the index of the chosen value of a rule that has more than two values. */
static inline unsigned machine_rule_value(const struct tx_machine *m, enum rule_id rule)
{
    return m->settings.rules[rule];
}

/*
 * Counts work of the present cycle that takes the host as long as so many ordinary cycles, so that
 * tx_watch is asked sooner. Everything whose size an instruction, a register or memory gives says
 * so here; tests/security/test_work.c has the largest of each.
 */
static inline void machine_work(struct tx_machine *m, uint32_t cycles)
{
    const uint32_t most = 2u * TX_WATCH_CYCLES;
    m->watched = cycles < most - m->watched ? m->watched + cycles : most;
}

/*
 * Returns how many cycles may run before the host has to be asked; the last of them asks. Whether
 * there is a host to ask makes no difference, so that a run takes the same course with and without.
 */
static inline uint64_t machine_unasked(const struct tx_machine *m)
{
    return m->watched < TX_WATCH_CYCLES ? TX_WATCH_CYCLES - m->watched : 1;
}

/* Returns whether so much has been done that the host has to be asked before more is. */
static inline bool machine_asks(const struct tx_machine *m)
{
    return m->watched >= TX_WATCH_CYCLES;
}

/* Counts cycles that ran without asking. */
static inline void machine_ran(struct tx_machine *m, uint64_t cycles)
{
    machine_work(m, cycles < TX_WATCH_CYCLES ? (uint32_t)cycles : TX_WATCH_CYCLES);
}

/* Asks the host, if it is time to, whether the run goes on. */
static inline bool machine_asked(struct tx_machine *m)
{
    const struct tx_watch *watch = &m->settings.watch;
    if (!machine_asks(m)) {
        return true;
    }
    m->watched = 0;
    return watch->go_on == NULL || watch->go_on(watch->user);
}

/* Counts a cycle, and asks the host if it is time to. Called after each cycle of a run. */
static inline bool machine_goes_on(struct tx_machine *m)
{
    machine_work(m, 1);
    return machine_asked(m);
}

/* A trait or number of the machine's chip: see isa/chip.def. */
#define machine_has(m, ID) CHIP_HAS((m)->arch, ID)
#define machine_number(m, ID) NUMBER_OF((m)->arch, ID)

/*
 * Decodes a word into its row and operands. Returns false if the chip has no modelled instruction
 * with this encoding.
 */
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

/*
 * A word of configuration, banked or a thread's own, has been written, or the whole state replaced.
 * What the units keep of configuration is good as long as the stamp is the same: every place that
 * writes says so here. tests/front/test_fetch.c writes by all of them.
 */
static inline void machine_reconfigured(struct tx_machine *m)
{
    m->config_stamp++;
}

static inline void machine_note(struct tx_machine *m, enum evidence_id id)
{
    m->notes[id]++;
}

/* Users of L1; a tile's cores are before all others. */
enum l1_user { L1_CORE, L1_UNPACK = 8, L1_PACK, L1_SCALAR, L1_MOVER, L1_NOC };

/* States that the unit or core uses L1: from the second one on they could be in each other's way.
 */
static inline void machine_uses_l1(struct tx_machine *m, unsigned user)
{
    m->l1_used |= 1u << user;
    m->bounds |= (m->l1_used & (m->l1_used - 1u)) != 0 ? TX_BOUND_L1 : 0;
}

/*
 * Reports that the program breaks a rule or reads an unknown value. In strict mode the machine
 * stops. "lanes" is the set of lanes concerned. The message is one sentence without its full stop.
 * In silicon mode a repetition (same rule and word) is only counted.
 */
void machine_finding(struct tx_machine *m, enum tx_category category, const char *rule,
                     const struct tx_op *op, uint32_t lanes, const char *format, ...);
/*
 * Reports what the documentation excludes and kernels that pass on cards do: a note, but strict
 * mode, which goes by the letter, stops.
 */
void machine_doubt(struct tx_machine *m, enum tx_category category, enum evidence_id id,
                   const struct tx_op *op, const char *message);
/*
 * Findings that belong to a place rather than to an instruction word; their message begins with
 * that place. machine_found_at counts a repetition and returns true if there is a finding with this
 * rule and place already, or room for no more (in silicon mode); otherwise the caller adds one by
 * machine_finding_at.
 */
bool machine_found_at(struct tx_machine *m, const char *rule, const char *place);
void machine_finding_at(struct tx_machine *m, enum tx_category category, const char *rule,
                        const struct tx_op *op, const char *message);
/* Reports what cannot be executed at all, and stops the machine in every mode. */
void machine_stop(struct tx_machine *m, enum tx_category category, const char *rule,
                  const struct tx_op *op, const char *format, ...);
/* Reports a Hazard between op and an earlier instruction, which was issued in cycle "start". */
void machine_hazard(struct tx_machine *m, const char *rule, const struct tx_op *op,
                    const struct tx_op *producer, uint64_t start, uint32_t lanes,
                    const char *format, ...);
void machine_event(const struct tx_machine *m, const struct tx_event *event);
/* Sends an event about an instruction. To be called only if there is a sink. */
void machine_op_event(const struct tx_machine *m, enum tx_event_kind kind, const struct tx_op *op,
                      uint32_t lanes, const char *text);
/*
 * Sends TX_EVENT_COMPUTE, with the registers as the instruction read them. Only if there is a sink.
 */
void machine_compute_event(const struct tx_machine *m, const struct tx_op *op, uint32_t lanes,
                           const struct effect *e);
/* Sends TX_EVENT_STALL. by->row is NULL unless an instruction in flight is what holds this one. */
void machine_stall_event(const struct tx_machine *m, const struct tx_op *op, const char *cause,
                         const struct tx_stall *by);
/* Sends TX_EVENT_BANK, after the instruction has changed the banks of this Src. */
void machine_bank_event(const struct tx_machine *m, const struct tx_op *op, unsigned src);

#endif
