/* SPDX-License-Identifier: Apache-2.0 */
/* A core's beginning and end, reset, interrupts, and what is kept when its state is replaced. */
#include "base/check.h"
#include "riscv/core.h"

void riscv_drop_cache(struct riscv *c)
{
    struct riscv_op ahead[RISCV_PIPELINE];
    for (uint32_t i = 0; i < RISCV_PIPELINE; i++) {
        ahead[i] = *core_place(c, c->s.pc + 4 * (i + 1));
    }
    memset(c->s.line, 0, sizeof c->s.line);
    memset(c->decoded, 0, sizeof c->decoded);
    c->decodes++;
    c->s.fetched = 0xFFFFFFFFu;
    c->drained = c->s.instret + RISCV_PIPELINE;
    for (uint32_t i = 0; i < RISCV_PIPELINE; i++) {
        const uint32_t pc = c->s.pc + 4 * (i + 1);
        if (ahead[i].live != RISCV_EMPTY && ahead[i].pc == pc) {
            *core_place(c, pc) = ahead[i];
            core_place(c, pc)->live = RISCV_IN_FLIGHT;
        }
    }
}

void riscv_open(struct riscv *c, enum tx_arch arch, enum riscv_core who)
{
    memset(c, 0, sizeof *c);
    riscv_begin(c, arch, who);
}

void riscv_begin(struct riscv *c, enum tx_arch arch, enum riscv_core who)
{
    CHECK(check_zero(c, sizeof *c), "a new core is zero");
    c->arch = arch;
    c->who = who;
    c->timed = true;
    c->predict = true;
    c->hot = RISCV_HOT;
    c->s.fetched = 0xFFFFFFFFu;
    if (who != RISCV_E) {
        memset(c->s.ram_bad, 0xFF, sizeof c->s.ram_bad);
    }
    csr_reset(c);
}

void riscv_hold(struct riscv *c)
{
    c->s.phase = RISCV_HELD;
    c->s.stores = 0;
    riscv_stir(c);
}

/* Counters are kept: cycles go on, and s.instret and s.waited cover the whole run. */
void riscv_release(struct riscv *c, uint32_t pc, bool keep_ram)
{
    struct riscv_state *s = &c->s;
    const struct riscv_state old = *s;
    riscv_stir(c);
    memset(s, 0, offsetof(struct riscv_state, ram));
    s->now = s->next = old.now;
    s->instret = old.instret;
    memcpy(s->waited, old.waited, sizeof s->waited);
    if (!keep_ram) {
        memset(s->ram, 0, sizeof s->ram);
        memset(s->ram_bad, 0, sizeof s->ram_bad);
    }
    s->phase = RISCV_RUNS;
    csr_reset(c);
    riscv_drop_cache(c);
    memset(c->decoded, 0, sizeof c->decoded);
    c->decodes++;
    s->pc = core_jump(c, pc);
}

void riscv_interrupt(struct riscv *c, uint32_t pc)
{
    c->s.csr[CSR_INTP_RESTORE_PC] = c->s.pc;
    c->s.handling = 1;
    riscv_stir(c);
    c->s.pc = core_jump(c, pc);
}

void riscv_restored(struct riscv *c)
{
    struct riscv_state *s = &c->s;
    memset(c->decoded, 0, sizeof c->decoded);
    c->decodes++;
    riscv_stir(c);
    s->phase = s->phase <= RISCV_STOPPED ? s->phase : RISCV_STOPPED;
    s->wait = s->wait < TX_CORE_WAITS ? s->wait : TX_CORE_WAIT_NONE;
    s->behind = s->behind < TX_CORE_WAITS ? s->behind : TX_CORE_WAIT_NONE;
    s->why = s->why < FINDING_KINDS ? s->why : 0;
    s->pc &= ~3u;
    s->x[0] = 0;
    s->retire_at %= 8;
    s->loads_at %= 4;
    s->store_head %= RISCV_STORES;
    s->stores = s->stores <= RISCV_STORES ? s->stores : 0;
    s->history &= 15u;
    s->handling = s->handling != 0;
    s->undefined = 0;
    for (unsigned i = 1; i < 32; i++) {
        s->undefined |= (uint32_t)(s->x_bad[i] != 0) << i;
    }
    s->x_bad[0] = 0;
    s->v_at %= 8 * RISCV_VECTOR_BYTES + 1;
    s->spilt_at %= RISCV_SPILT;
    for (unsigned i = 0; i < RISCV_STORES; i++) {
        const struct riscv_store *q = &s->store[(s->store_head + i) % RISCV_STORES];
        const bool line = q->region == REGION_L1 && q->size > 4; /* of a vector */
        const bool apart = line ? q->address % 16 + q->size > 16
                                : q->size > 4 || (q->size & (q->size - 1u)) != 0 || q->size == 0 ||
                                      q->address % q->size != 0;
        const bool bad = q->region > REGION_NONE || q->words > 4 || apart ||
                         (q->region == REGION_L1 && q->address >= c->env.l1_size);
        if (bad && i < s->stores) {
            s->stores = 0;
        }
    }
}
