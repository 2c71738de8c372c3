/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Scalar Unit's accesses to memory. L1 is read and written when the instruction is issued, in
 * program order; a load's result reaches the GPR later, and condition C0 is busy until then.
 * Source: isa LOADIND, STOREIND_*, LOADREG, STOREREG, ATINCGET, ATINCGETPTR, ATSWAP, ATCAS.
 */
#include "isa/chip.h"
#include "base/check.h"
#include "scalar/unit.h"
#include "state/banks.h"
#include "state/delay.h"
#include "state/l1.h"
#include "state/order.h"

#include <string.h>

#define ID(name) evidence_get(EVIDENCE_##name)->id

/* LOADREG and STOREREG can address the megabyte that contains the pages of registers. */
enum { FIRST_REGISTER = REGION_BASE_TDMA, REGISTERS = FIRST_REGISTER & ~0xFFFFFu };

static bool is_register(const struct tx_op *op)
{
    return op->row == ROWID_LOADREG || op->row == ROWID_STOREREG || op->row == ROWID_STOREIND_MMIO;
}

static bool in_range(struct tx_machine *m, const struct tx_op *op, bool reg, uint32_t address)
{
    if (reg ? address >= FIRST_REGISTER : address < l1_size(m->arch)) {
        return true;
    }
    machine_finding(m, TX_UNDEFINED_BEHAVIOR, ID(E_L1), op, 0,
                    "address %08x is %s; nothing was accessed", (unsigned)address,
                    reg ? "below the first register" : "beyond L1");
    return false;
}

static bool access_l1(struct tx_machine *m, const struct tx_op *op, struct tx_access *a)
{
    uint8_t *at = l1_at(m, a->address, a->size);
    if (at != NULL && a->write) {
        l1_mark(m, a->address, a->size);
    } else if (at != NULL) {
        l1_check(m, op, a->address, a->size);
    }
    for (unsigned i = 0; at != NULL && i < a->size; i++) {
        const unsigned shift = 8 * (i & 3u);
        if (a->write) {
            at[i] = (uint8_t)(a->data[i / 4] >> shift);
        } else {
            a->data[i / 4] |= (uint32_t)at[i] << shift;
        }
    }
    return at != NULL;
}

static bool access(struct tx_machine *m, const struct tx_op *op, bool reg, struct tx_access *a)
{
    const struct tx_host *host = &m->host;
    a->thread = op->thread;
    a->cycle = m->state.cycle;
    a->struct_size = sizeof *a;
    if (!a->write) {
        memset(a->data, 0, sizeof a->data);
    }
    if (!in_range(m, op, reg, a->address)) {
        return false;
    }
    if (!reg && order_wanted(m)) {
        order_tell(m, a->write ? TX_ORDER_WRITE : TX_ORDER_READ, op, TX_SHARED_L1, a->address,
                   a->size, 0);
    }
    if (reg && unit_pack_register(m, op, a)) {
        return true;
    }
    if (host->memory != NULL) {
        if (host->memory(host->user, a)) {
            return true;
        }
    } else if (reg ? m->registers != NULL && m->registers(m->registers_user, a)
                   : access_l1(m, op, a)) {
        return true;
    }
    machine_stop(m, TX_UNSUPPORTED, ID(E_MEMORY), op, "there is no %s at %08x",
                 reg ? "register" : "L1 memory", (unsigned)a->address);
    return false;
}

bool memory_access(struct tx_machine *m, const struct tx_op *op, struct tx_access *a)
{
    if (!is_register(op)) {
        machine_uses_l1(m, L1_SCALAR);
    }
    return access(m, op, is_register(op), a);
}

bool memory_register(struct tx_machine *m, const struct tx_op *op, struct tx_access *a)
{
    return access(m, op, true, a);
}

/* Delivers loaded data to a GPR after so many cycles. */
static void request(struct tx_machine *m, const struct tx_op *op, const struct tx_access *a,
                    unsigned reg, unsigned cycles)
{
    CHECK(reg < TX_GPRS, "what comes from memory goes to a GPR");
    struct units *u = &m->state.units;
    order_write(m, op, TX_SHARED_GPR, reg + 64u * op->thread, a->size == 16 ? 4 : 1, 0xFFFFFFFFu);
    for (unsigned i = 0; i < REQUESTS; i++) {
        struct request *r = &u->request[i];
        if (r->live == 0) {
            r->live = 1;
            r->thread = op->thread;
            r->reg = (uint8_t)reg;
            r->size = a->size;
            r->due = m->state.cycle + cycles + delay_extra(m, op);
            memcpy(r->data, a->data, sizeof r->data);
            u->requests++;
            return;
        }
    }
}

/* ---- addresses out of two GPRs ---- */

static const uint8_t sizes[4] = {16, 4, 2, 1};

/* Returns the offset in a half of a register, and increments it. */
static uint32_t take_offset(struct tx_machine *m, const struct tx_op *op)
{
    static const uint8_t increments[4] = {0, 2, 4, 16};
    const uint32_t half = unit_field(op, FLD_OFFSET);
    uint32_t *reg = &m->state.gpr[op->thread][half >> 1];
    const unsigned lsb = (half & 1u) * 16;
    const uint32_t offset = bits_get(*reg, lsb, 16);
    undefined_gpr_used(m, op, unit_field(op, FLD_ADDR), 0xFFFFFFFFu, "the address");
    undefined_gpr_used(m, op, half >> 1, 0xFFFFu << lsb, "the address");
    order_read(m, op, TX_SHARED_GPR, unit_field(op, FLD_ADDR) + 64u * op->thread, 1, 0xFFFFFFFFu);
    order_read(m, op, TX_SHARED_GPR, (half >> 1) + 64u * op->thread, 1, 0xFFFFu << lsb);
    if (increments[unit_field(op, FLD_INCR)] != 0) {
        order_write(m, op, TX_SHARED_GPR, (half >> 1) + 64u * op->thread, 1, 0xFFFFu << lsb);
    }
    *reg = bits_set(*reg, lsb, 16, offset + increments[unit_field(op, FLD_INCR)]);
    return offset;
}

static uint32_t l1_address(struct tx_machine *m, const struct tx_op *op)
{
    const uint32_t base = m->state.gpr[op->thread][unit_field(op, FLD_ADDR)] * 16;
    return base + take_offset(m, op);
}

void unit_loadind(struct tx_machine *m, const struct tx_op *op)
{
    const uint8_t size = sizes[unit_field(op, FLD_SIZE)];
    const unsigned reg = unit_field(op, FLD_RES) & (size == 16 ? 0x3Cu : 0x3Fu);
    struct tx_access a = {.address = l1_address(m, op), .size = size};
    scalar_hold(m, op, 0, SCALAR_TIMED);
    machine_note(m, EVIDENCE_E_LATENCY);
    a.address &= ~(size - 1u);
    if (memory_access(m, op, &a)) {
        request(m, op, &a, reg, m->host.load_cycles);
    }
}

/* Undefined bits of what has been stored from GPRs are undefined in L1. */
static void spoil(struct tx_machine *m, const struct tx_op *op, const struct tx_access *a,
                  unsigned reg)
{
    CHECK(a->size <= 16, "a store of the Scalar Unit has sixteen bytes at most");
    for (unsigned i = 0; i < (a->size + 3u) / 4; i++) {
        const struct word_undefined with = unit_gpr_undefined(m, op->thread, reg + i);
        const uint8_t size = a->size < 4 ? a->size : 4;
        const uint32_t bad = with.bad & bits_mask(8u * size);
        if (bad != 0) {
            l1_spoil(m, &(struct l1_spoilt){.address = a->address + 4 * i,
                                            .bad = bad,
                                            .size = size,
                                            .thread = with.from.thread,
                                            .gpr = with.from.gpr});
        }
    }
}

/* As the documentation orders it: the offset is incremented before the datum is read. */
void unit_storeind_l1(struct tx_machine *m, const struct tx_op *op)
{
    const uint8_t size =
        sizes[((op->mode - TX_MOD_STOREIND_L1) & 1u) << 1 | unit_field(op, FLD_WIDE)];
    const unsigned reg = unit_field(op, FLD_DATA) & (size == 16 ? 0x3Cu : 0x3Fu);
    struct tx_access a = {.address = l1_address(m, op), .size = size, .write = true};
    scalar_hold(m, op, 0, SCALAR_TIMED);
    a.address &= ~(size - 1u);
    memcpy(a.data, &m->state.gpr[op->thread][reg], size == 16 ? 16 : 4);
    order_read(m, op, TX_SHARED_GPR, reg + 64u * op->thread, size == 16 ? 4 : 1, 0xFFFFFFFFu);
    if (memory_access(m, op, &a)) {
        spoil(m, op, &a, reg);
    }
}

/* As the documentation orders it: the datum is read before the offset is incremented. */
void unit_storeind_mmio(struct tx_machine *m, const struct tx_op *op)
{
    const uint32_t *gpr = m->state.gpr[op->thread];
    const uint32_t base = gpr[unit_field(op, FLD_ADDR)];
    struct tx_access a = {.size = 4, .write = true, .data = {gpr[unit_field(op, FLD_DATA)]}};
    order_read(m, op, TX_SHARED_GPR, unit_field(op, FLD_DATA) + 64u * op->thread, 1, 0xFFFFFFFFu);
    undefined_gpr_used(m, op, unit_field(op, FLD_DATA), 0xFFFFFFFFu, "what a register gets");
    a.address = REGISTERS + ((base + (take_offset(m, op) >> 4)) & 0xFFFFCu);
    scalar_hold(m, op, 0, SCALAR_TIMED);
    (void)memory_access(m, op, &a);
}

/* Waits for its bank, and for the host, inside the Scalar Unit (isa STOREIND_Src). */
void unit_storeind_src(struct tx_machine *m, const struct tx_op *op)
{
    scalar_hold(m, op, 0, SCALAR_BANK);
}

bool memory_store_src(struct tx_machine *m, const struct tx_op *op)
{
    const struct units *u = &m->state.units;
    const unsigned src = unit_field(op, FLD_WIDE);
    if (!bank_with(m, src, u->unpack_bank[src], false) || unit_offer(m, op) != TX_PORT_TAKEN) {
        return false;
    }
    for (unsigned i = 0; i < 4; i++) {
        undefined_gpr_used(m, op, (unit_field(op, FLD_DATA) & 0x3Cu) + i, i < 2 ? 0xFFFFFFFFu : 0,
                           "what Src gets");
    }
    (void)take_offset(m, op);
    return true;
}

/* ---- registers ---- */

void unit_storereg(struct tx_machine *m, const struct tx_op *op)
{
    struct tx_access a = {.address = REGISTERS + (op->imm << 2),
                          .size = 4,
                          .write = true,
                          .data = {m->state.gpr[op->thread][unit_field(op, FLD_GPR)]}};
    order_read(m, op, TX_SHARED_GPR, unit_field(op, FLD_GPR) + 64u * op->thread, 1, 0xFFFFFFFFu);
    undefined_gpr_used(m, op, unit_field(op, FLD_GPR), 0xFFFFFFFFu, "what a register gets");
    scalar_hold(m, op, 0, SCALAR_TIMED);
    (void)memory_access(m, op, &a);
}

void unit_loadreg(struct tx_machine *m, const struct tx_op *op)
{
    struct tx_access a = {.address = REGISTERS + (op->imm << 2), .size = 4};
    scalar_hold(m, op, 0, SCALAR_TIMED);
    machine_note(m, EVIDENCE_E_LATENCY);
    if (memory_access(m, op, &a)) {
        request(m, op, &a, unit_field(op, FLD_GPR), m->host.load_cycles);
    }
}

/* ---- atomics ---- */

static uint32_t atomic_address(struct tx_machine *m, const struct tx_op *op)
{
    order_read(m, op, TX_SHARED_GPR, unit_field(op, FLD_ADDR) + 64u * op->thread, 1, 0xFFFFFFFFu);
    undefined_gpr_used(m, op, unit_field(op, FLD_ADDR), 0xFFFFFFFFu, "the address");
    return m->state.gpr[op->thread][unit_field(op, FLD_ADDR)] * 16;
}

static void hold_atomic(struct tx_machine *m, const struct tx_op *op)
{
    scalar_hold(m, op, 0, SCALAR_TIMED);
    m->state.units.scalar.atomic = m->state.cycle + NUMBER_OF(m->arch, ATOMIC_CYCLES);
    machine_note(m, EVIDENCE_E_LATENCY);
}

void unit_atincget(struct tx_machine *m, const struct tx_op *op)
{
    const unsigned reg = unit_field(op, FLD_RES);
    const uint32_t mask = bits_mask(unit_field(op, FLD_WIDTH) + 1);
    struct tx_access a = {.address = atomic_address(m, op) + 4 * unit_field(op, FLD_INDEX),
                          .size = 4};
    hold_atomic(m, op);
    if (!memory_access(m, op, &a)) {
        return;
    }
    order_read(m, op, TX_SHARED_GPR, reg + 64u * op->thread, 1, 0xFFFFFFFFu);
    undefined_gpr_used(m, op, reg, 0xFFFFFFFFu, "what is added in L1");
    request(m, op, &a, reg, m->host.atomic_cycles);
    const uint32_t sum = a.data[0] + m->state.gpr[op->thread][reg];
    a.data[0] = (sum & mask) | (a.data[0] & ~mask);
    a.write = true;
    (void)memory_access(m, op, &a);
}

void unit_atswap(struct tx_machine *m, const struct tx_op *op)
{
    const uint32_t *gpr = m->state.gpr[op->thread];
    const uint32_t reg = unit_field(op, FLD_DATA);
    const uint32_t lanes = unit_field(op, FLD_MASK);
    uint32_t data[4] = {0};
    struct tx_access a = {.address = atomic_address(m, op), .size = 16};
    if (unit_field(op, FLD_CONST) != 0) {
        data[reg & 3u] = gpr[reg];
    } else {
        memcpy(data, &gpr[reg & 0x3Cu], sizeof data);
    }
    order_read(m, op, TX_SHARED_GPR, (reg & 0x3Cu) + 64u * op->thread, 4, 0xFFFFFFFFu);
    for (unsigned i = 0; i < 8; i++) {
        const bool mine = unit_field(op, FLD_CONST) == 0 || i / 2 == (reg & 3u);
        if (mine && (lanes >> i & 1u) != 0) {
            undefined_gpr_used(m, op, (reg & 0x3Cu) + i / 2, 0xFFFFu << (i & 1u) * 16,
                               "what is put into L1");
        }
    }
    hold_atomic(m, op);
    if (!memory_access(m, op, &a)) {
        return;
    }
    for (unsigned i = 0; i < 8; i++) {
        if ((lanes >> i & 1u) != 0) {
            a.data[i / 2] =
                bits_set(a.data[i / 2], (i & 1u) * 16, 16, data[i / 2] >> (i & 1u) * 16);
        }
    }
    a.write = true;
    (void)memory_access(m, op, &a);
}

void unit_at_retry(struct tx_machine *m, const struct tx_op *op)
{
    scalar_hold(m, op, 0, SCALAR_RETRY);
}

static bool compare_and_set(struct tx_machine *m, const struct tx_op *op)
{
    struct tx_access a = {.address = atomic_address(m, op) + 4 * unit_field(op, FLD_INDEX),
                          .size = 4};
    if (!memory_access(m, op, &a)) {
        return true; /* undefined: it counts as done */
    }
    if (a.data[0] != unit_field(op, FLD_COND)) {
        return false;
    }
    a.data[0] = op->imm;
    a.write = true;
    return memory_access(m, op, &a);
}

/*
 * Attempts ATINCGETPTR, whose first two words are the read and the write counter of a FIFO. Returns
 * false if the FIFO is full or empty, so that it has to be attempted again.
 */
static bool increment_pointer(struct tx_machine *m, const struct tx_op *op)
{
    const uint32_t index = unit_field(op, FLD_INDEX);
    const uint32_t width = unit_field(op, FLD_WIDTH);
    const uint32_t mask = bits_mask(width);
    const uint32_t capacity = width != 0 ? 1u << (width - 1) : 0x8000u;
    struct tx_access a = {.address = atomic_address(m, op), .size = 16};
    if (!memory_access(m, op, &a)) {
        return true;
    }
    const uint32_t filled = a.data[1] - a.data[0];
    if ((index & 1u) != 0 ? filled != 0 && filled % capacity == 0 : filled == 0) {
        return false;
    }
    const uint32_t original = a.data[index];
    const uint32_t step = unit_field(op, FLD_CONST) != 0 ? 0 : 1u << unit_field(op, FLD_SHIFT);
    struct tx_access w = {.address = a.address + 4 * index, .size = 4, .write = true};
    w.data[0] = ((original + step) & mask) | (original & ~mask);
    m->state.gpr[op->thread][unit_field(op, FLD_RES)] = original;
    undefined_gpr_given(&m->state.undefined, op->thread, unit_field(op, FLD_RES), 1);
    order_write(m, op, TX_SHARED_GPR, unit_field(op, FLD_RES) + 64u * op->thread, 1, 0xFFFFFFFFu);
    return memory_access(m, op, &w);
}

bool memory_attempt(struct tx_machine *m, const struct tx_op *op)
{
    return unit_insn(op) == INSN_ATCAS ? compare_and_set(m, op) : increment_pointer(m, op);
}
