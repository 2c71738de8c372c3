/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The units beside the Vector Unit. An instruction takes effect at the end of the cycle in which it
 * passes its gate; what takes longer is state (struct units) that units_settle() advances.
 */
#ifndef TX_SCALAR_UNIT_H
#define TX_SCALAR_UNIT_H

#include "state/machine.h"

/* Executes an instruction of a unit other than the Vector Unit. */
void unit_execute(struct tx_machine *m, const struct tx_op *op);

/* Returns whether anything is under way that units_settle advances. */
static inline bool units_pending(const struct tx_machine *m)
{
    const struct units *u = &m->state.units;
    return (u->requests | u->config_writes | u->scalar.live | u->mover.live | u->unpack.jobs) != 0;
}
/*
 * To be called between two cycles: delivers results that the next cycle sees, and ends what is
 * over.
 */
void units_settle(struct tx_machine *m);
/* Returns whether anything is under way that ends by itself. */
bool units_busy(const struct tx_machine *m);

/*
 * Returns what keeps an instruction out of its unit, from the state at the start of the cycle, or
 * TX_HOLD_NONE. *other: the thread that is in its way, where there is one.
 */
enum tx_hold unit_hold(const struct tx_machine *m, const struct tx_op *op, uint8_t *other);
/*
 * The Matrix Unit (src/matrix): unit_hold for its instructions, and recording what an instruction
 * that has entered holds up.
 */
enum tx_hold unit_matrix_hold(const struct tx_machine *m, const struct tx_op *op);
/* Returns the text for TX_HOLD_BANK: which of the two banks is missing. */
const char *unit_matrix_missing(const struct tx_machine *m, const struct tx_op *op);
void unit_matrix_mark(struct tx_machine *m, const struct tx_op *op);
/*
 * For readers that do not wait for MOVx2D. unit_matrix_see_old restores, of the given rows (bit per
 * row of Dst), those that were moved to less than four cycles ago, with a finding; it returns false
 * if there are none. unit_matrix_see_new undoes it after the read.
 */
bool unit_matrix_see_old(struct tx_machine *m, const struct tx_op *op, const uint64_t rows[]);
void unit_matrix_see_new(struct tx_machine *m, const uint64_t rows[]);
/*
 * The unpackers (src/unpack): hold and mark likewise. unit_unpack_settle advances jobs between two
 * cycles; unit_unpack_busy returns whether a thread has one in the unpacker, unit_unpack_goes_on
 * whether one ends by itself. unit_unpack_configured reacts to SETC16.
 */
enum tx_hold unit_unpack_hold(const struct tx_machine *m, const struct tx_op *op, uint8_t *other);
void unit_unpack_mark(struct tx_machine *m, const struct tx_op *op);
void unit_unpack_settle(struct tx_machine *m);
bool unit_unpack_busy(const struct tx_machine *m, unsigned unpacker, unsigned thread);
bool unit_unpack_goes_on(const struct tx_machine *m);
void unit_unpack_configured(struct tx_machine *m, const struct tx_op *op, uint32_t word,
                            uint32_t value);
/*
 * Called before a configuration word is written: reports an unpack that has read it but not begun.
 */
void unit_unpack_config(struct tx_machine *m, const struct tx_op *op, unsigned bank, unsigned word,
                        uint32_t value);
void unit_unpack_make_safe(struct tx_state *s);
/*
 * For skipped cycles: returns the earliest time from "now" on at which an unpacker may do something
 * else, or "first" if that is earlier; accounts for what the skipped cycles fetch.
 */
uint64_t unit_unpack_next(const struct tx_machine *m, uint64_t now, uint64_t first);
void unit_unpack_pass(struct tx_machine *m, uint64_t cycles);
/*
 * The packers (src/pack): hold and mark likewise; returns whether a thread has instructions in one.
 */
enum tx_hold unit_pack_hold(const struct tx_machine *m, const struct tx_op *op);
/*
 * For who runs words one after the other with nothing under way but them: the first of these, as
 * many as are PACRs that take whole rows and have run before, in so many cycles at most; they
 * wait for the packer where they have to. Returns how many, and in *first the cycle of the first.
 */
size_t unit_pack_run(struct tx_machine *m, unsigned thread, const uint32_t *words, size_t most,
                     uint64_t cycles, uint64_t *first);
void unit_pack_mark(struct tx_machine *m, const struct tx_op *op);
bool unit_pack_busy(const struct tx_machine *m, unsigned thread, unsigned packer);
/*
 * Called before a physical row of Dst or a configuration word changes: reports it if a packer is
 * still reading it.
 */
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
/*
 * unit_pack_source reads the 128 bits that SETDMAREG takes from the packers. unit_pack_register
 * accesses one of their registers and returns false if there is none at the address.
 */
void unit_pack_source(struct tx_machine *m, const struct tx_op *op, uint32_t values[4]);
bool unit_pack_register(struct tx_machine *m, const struct tx_op *op, struct tx_access *access);
void unit_pack_make_safe(struct tx_state *s);
/* Sizes in bytes of what tx_machine.pack_memo and unpack_memo point to; it must start zeroed. */
size_t unit_pack_memory(void);
size_t unit_unpack_memory(void);
/* Returns the entry point, and thereby the limit of one instruction per cycle, that applies. */
enum group unit_group(const struct tx_machine *m, const struct tx_op *op);
/* Returns whether a STALLWAIT with this set of block bits B0..B8 holds the instruction. */
bool unit_blocked(const struct tx_machine *m, const struct tx_op *op, unsigned block);

/* Records, in the cycle in which it passes, that the instruction occupies its unit. */
void unit_mark(struct tx_machine *m, const struct tx_op *op);

/*
 * Returns whether the instruction, or a part of it, is executed by the host. It is then offered to
 * the host once nothing else holds it; the values of the answer are put in m->offered.
 */
bool unit_is_port(const struct tx_machine *m, const struct tx_op *op);
enum tx_port_answer unit_offer(struct tx_machine *m, const struct tx_op *op);

/* Returns a condition as it is during the current cycle, including instructions that pass in it. */
bool condition_busy(const struct tx_machine *m, unsigned thread, enum tx_condition condition);
/* who ends a wait for it, in words */
const char *condition_end(enum tx_condition condition);
/* Returns the bits of a STALLWAIT's condition mask that are busy. */
uint32_t conditions_busy(const struct tx_machine *m, unsigned thread, uint32_t mask);
/*
 * Returns the bits that keep a latched wait from ending: for STALLWAIT conditions, for SEMWAIT its
 * two conditions. *semaphores: those that SEMWAIT still waits for.
 */
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

/*
 * Accesses L1 or a register. Returns false if the address is outside (a finding) or the access is
 * refused (the machine stops).
 */
bool memory_access(struct tx_machine *m, const struct tx_op *op, struct tx_access *access);
/* The same for a register, for an instruction that accesses no other memory. */
bool memory_register(struct tx_machine *m, const struct tx_op *op, struct tx_access *access);
/* Makes one attempt of ATCAS or ATINCGETPTR. Returns whether it has succeeded. */
bool memory_attempt(struct tx_machine *m, const struct tx_op *op);
/* Attempts STOREIND to SrcA or SrcB. Returns whether it has been written. */
bool memory_store_src(struct tx_machine *m, const struct tx_op *op);
/* Performs REG2FLOP once its time has come. */
void scalar_write_config(struct tx_machine *m, const struct tx_op *op);
/* Returns the undefined bits of a GPR. */
static inline struct word_undefined unit_gpr_undefined(const struct tx_machine *m, unsigned thread,
                                                       unsigned gpr)
{
    const struct undefined_state *u = &m->state.undefined;
    return (struct word_undefined){.bad = u->gpr[thread][gpr],
                                   .from = {(uint8_t)thread, u->gpr_from[thread][gpr]}};
}
void mover_settle(struct tx_machine *m);
enum mover_direction { MOVER_CLEAR_L1, MOVER_L1_TO_L0, MOVER_CLEAR_L0, MOVER_L1_TO_L1 };
enum mover_end {
    MOVER_DONE,
    MOVER_PAST_END, /* beyond the end of a region of L0; nothing was moved */
    MOVER_NOWHERE,  /* there is nothing at this address of L0; nothing was moved */
    MOVER_NO_L1
};
/* Executes a whole transfer at once. op is NULL if no XMOV asks for it; iram is NC's, or NULL. */
enum mover_end mover_move(struct tx_machine *m, const struct tx_op *op, const struct mover *v,
                          uint8_t *iram);
void scalar_write_adc(struct tx_machine *m, const struct tx_op *op);
/* Occupies the Scalar Unit with op, for the latency of its row plus "extra" cycles at least. */
void scalar_hold(struct tx_machine *m, const struct tx_op *op, unsigned extra,
                 enum scalar_kind kind);
/* Returns the latency of the row, in cycles. */
unsigned scalar_latency(const struct tx_op *op);

/* Declarations of the bodies: UNIT(x) of isa.def is unit_x. */
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
