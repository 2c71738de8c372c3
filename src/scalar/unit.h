/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The units beside the Vector Unit. Instructions take effect at the end of the cycle in which they
 * pass their gate; what takes longer is state (struct units) that units_settle() moves on.
 */
#ifndef TX_SCALAR_UNIT_H
#define TX_SCALAR_UNIT_H

#include "state/machine.h"

/* Executes an instruction of a unit other than the Vector Unit. */
void unit_execute(struct tx_machine *m, const struct tx_op *op);

/* Something is under way that units_settle moves on. */
static inline bool units_pending(const struct tx_machine *m)
{
    const struct units *u = &m->state.units;
    return (u->requests | u->config_writes | u->scalar.live | u->mover.live | u->unpack.jobs) != 0;
}
/* Between two cycles: what the next one sees of results and of the Scalar Unit's end. */
void units_settle(struct tx_machine *m);
/* Something is under way that ends by itself. */
bool units_busy(const struct tx_machine *m);

/* What keeps an instruction out of its unit, from start-of-cycle state; *other: by which thread. */
enum tx_hold unit_hold(const struct tx_machine *m, const struct tx_op *op, uint8_t *other);
/* The Matrix Unit's part of it, and what an instruction that has entered holds up: src/matrix. */
enum tx_hold unit_matrix_hold(const struct tx_machine *m, const struct tx_op *op);
/* TX_HOLD_BANK in words: which of the two. */
const char *unit_matrix_missing(const struct tx_machine *m, const struct tx_op *op);
void unit_matrix_mark(struct tx_machine *m, const struct tx_op *op);
/*
 * Readers that do not wait for MOVx2D: of the rows (a bit each of Dst's) those that were moved to
 * less than four cycles ago become what they were, with a finding; false: none. Then back again.
 */
bool unit_matrix_see_old(struct tx_machine *m, const struct tx_op *op, const uint64_t rows[]);
void unit_matrix_see_new(struct tx_machine *m, const uint64_t rows[]);
/*
 * The unpackers' part, src/unpack: hold and mark likewise; between two cycles, where jobs are under
 * way; is one of a thread in an unpacker; does one go on by itself; SETC16; state from outside.
 */
enum tx_hold unit_unpack_hold(const struct tx_machine *m, const struct tx_op *op, uint8_t *other);
void unit_unpack_mark(struct tx_machine *m, const struct tx_op *op);
void unit_unpack_settle(struct tx_machine *m);
bool unit_unpack_busy(const struct tx_machine *m, unsigned unpacker, unsigned thread);
bool unit_unpack_goes_on(const struct tx_machine *m);
void unit_unpack_configured(struct tx_machine *m, const struct tx_op *op, uint32_t word,
                            uint32_t value);
/* A word of configuration is about to be written: before an unpack that has read it has begun? */
void unit_unpack_config(struct tx_machine *m, const struct tx_op *op, unsigned bank, unsigned word,
                        uint32_t value);
void unit_unpack_make_safe(struct tx_state *s);
/*
 * For cycles that only pass: "first", or a time from the cycle "now" on at which an unpacker may do
 * something else; what so many cycles fetch.
 */
uint64_t unit_unpack_next(const struct tx_machine *m, uint64_t now, uint64_t first);
void unit_unpack_pass(struct tx_machine *m, uint64_t cycles);
/* The packers', in src/pack: the same, and whether a thread's instructions are in one. */
enum tx_hold unit_pack_hold(const struct tx_machine *m, const struct tx_op *op);
void unit_pack_mark(struct tx_machine *m, const struct tx_op *op);
bool unit_pack_busy(const struct tx_machine *m, unsigned thread, unsigned packer);
/* A physical row of Dst, or a word of configuration, is about to change: do packers mind? */
void unit_pack_overwritten(struct tx_machine *m, const struct tx_op *op, unsigned row, bool wide);
static inline void unit_pack_row(struct tx_machine *m, const struct tx_op *op, unsigned row,
                                 bool wide)
{
    if (m->state.units.pack.reading > m->state.cycle) {
        unit_pack_overwritten(m, op, row, wide);
    }
}
void unit_pack_config(struct tx_machine *m, const struct tx_op *op, unsigned bank, unsigned word,
                      uint32_t value);
/* The 128 bits that SETDMAREG reads of them. A register of theirs; false: it is none. */
void unit_pack_source(struct tx_machine *m, const struct tx_op *op, uint32_t values[4]);
bool unit_pack_register(struct tx_machine *m, const struct tx_op *op, struct tx_access *access);
void unit_pack_make_safe(struct tx_state *s);
/* Bytes at tx_machine.pack_memo and unpack_memo, zero to begin with. */
size_t unit_pack_memory(void);
size_t unit_unpack_memory(void);
/* Which limit of one per cycle it falls under. */
enum group unit_group(const struct tx_machine *m, const struct tx_op *op);
/* Does the set B0..B8 catch the instruction? */
bool unit_blocked(const struct tx_machine *m, const struct tx_op *op, unsigned block);

/* The units count it as theirs from now on, in this cycle. */
void unit_mark(struct tx_machine *m, const struct tx_op *op);

/* The instruction, or a part of it, belongs to the host; then it is offered when nothing else
 * holds it. Its answer's values wait in m->offered. */
bool unit_is_port(const struct tx_machine *m, const struct tx_op *op);
enum tx_port_answer unit_offer(struct tx_machine *m, const struct tx_op *op);

/* A condition as it is during the current cycle, instructions that enter in it included. */
bool condition_busy(const struct tx_machine *m, unsigned thread, enum tx_condition condition);
/* The bits of a STALLWAIT's condition mask that are busy. */
uint32_t conditions_busy(const struct tx_machine *m, unsigned thread, uint32_t mask);
/* The bits of a latched wait that keep it; SEMWAIT: of its two conditions, over *semaphores. */
uint32_t wait_busy(const struct tx_machine *m, unsigned thread, uint8_t *semaphores);

/* ---- for the files of this folder ---- */

static inline uint32_t unit_field(const struct tx_op *op, enum isa_field f)
{
    return isa_field(isa_row((enum isa_row_id)op->row), f, op->word);
}

static inline unsigned unit_insn(const struct tx_op *op)
{
    return isa_row((enum isa_row_id)op->row)->insn;
}

/* One access to L1 or a register. False: it was outside (finding), or refused (the machine stops).
 */
bool memory_access(struct tx_machine *m, const struct tx_op *op, struct tx_access *access);
/* The same of a register, for an instruction that reads or writes no other memory. */
bool memory_register(struct tx_machine *m, const struct tx_op *op, struct tx_access *access);
/* One attempt of ATCAS or ATINCGETPTR: has it succeeded? */
bool memory_attempt(struct tx_machine *m, const struct tx_op *op);
/* The same of STOREIND to SrcA, SrcB: has it been written? */
bool memory_store_src(struct tx_machine *m, const struct tx_op *op);
/* What REG2FLOP does when its time has come. */
void scalar_write_config(struct tx_machine *m, const struct tx_op *op);
void mover_settle(struct tx_machine *m);
enum mover_direction { MOVER_CLEAR_L1, MOVER_L1_TO_L0, MOVER_CLEAR_L0, MOVER_L1_TO_L1 };
enum mover_end {
    MOVER_DONE,
    MOVER_PAST_END, /* of a region of L0; nothing was moved */
    MOVER_NOWHERE,  /* nothing is there in L0; nothing was moved */
    MOVER_NO_L1
};
/* One transfer, done at once. op NULL: no XMOV asks for it. iram: NC's, NULL where it has none. */
enum mover_end mover_move(struct tx_machine *m, const struct tx_op *op, const struct mover *v,
                          uint8_t *iram);
void scalar_write_adc(struct tx_machine *m, const struct tx_op *op);
/* The Scalar Unit is held by op: as long as its row says at least, and for extra cycles. */
void scalar_hold(struct tx_machine *m, const struct tx_op *op, unsigned extra,
                 enum scalar_kind kind);
/* What the row says. */
unsigned scalar_latency(const struct tx_op *op);

/* Bodies: UNIT(x) of isa.def is unit_x. */
#define LANE(body) unit_nop
#define WHOLE(body) unit_nop
#define UNIT(body) unit_##body
#define ROW(id_, mnemonic_, chips, format_, modes_, legal_, unit_, latency_, body_, ...) \
    void body_(struct tx_machine *m, const struct tx_op *op);
#include "isa/isa.def"
#undef ROW
#undef LANE
#undef WHOLE
#undef UNIT

#endif
