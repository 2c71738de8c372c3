/* SPDX-License-Identifier: Apache-2.0 */
/* One core with an L1 of its own and surroundings that write down what they are asked. */
#ifndef TESTS_RISCV_RIG_H
#define TESTS_RISCV_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "riscv/riscv.h"

#include <string.h>

enum { RIG_CODE = 0x2000, RIG_DATA = 0x8000, RIG_L1 = 0x20000, RIG_LOG = 4096 };

struct rig {
    struct riscv core;
    uint8_t l1[RIG_L1], written[RIG_L1 / 8];
    struct riscv_access log[RIG_LOG];
    uint64_t at[RIG_LOG]; /* cycle of each */
    unsigned logged;
    unsigned findings[FINDING_KINDS], finding_count;
    uint32_t finding_pc, finding_word, finding_address;
    uint32_t answer;      /* of loads */
    unsigned load_waits;  /* loads to be answered with "wait" first */
    unsigned store_waits; /* the same for stores */
    bool hang;
};

static inline void rig_log(struct rig *r, const struct riscv_access *a)
{
    assert_true(r->logged < RIG_LOG);
    r->at[r->logged] = r->core.s.now;
    r->log[r->logged++] = *a;
}

static inline enum riscv_answer rig_load(struct riscv *core, struct riscv_access *a)
{
    struct rig *r = core->env.user;
    if (r->load_waits != 0) {
        r->load_waits--;
        return RISCV_WAIT;
    }
    a->value = r->answer;
    rig_log(r, a);
    return r->hang ? RISCV_HANG : RISCV_DONE;
}

static inline enum riscv_answer rig_store(struct riscv *core, const struct riscv_access *a)
{
    struct rig *r = core->env.user;
    if (r->store_waits != 0) {
        r->store_waits--;
        return RISCV_WAIT;
    }
    rig_log(r, a);
    return r->hang ? RISCV_HANG : RISCV_DONE;
}

static inline uint32_t rig_status(struct riscv *core, enum riscv_csr_id csr)
{
    (void)core;
    return csr == CSR_QSTATUS ? 0x11u : 0x22u;
}

static inline void rig_finding(struct riscv *core, enum finding_kind finding, uint32_t pc,
                               uint32_t word, uint32_t address)
{
    struct rig *r = core->env.user;
    r->findings[finding]++;
    r->finding_count++;
    r->finding_pc = pc;
    r->finding_word = word;
    r->finding_address = address;
}

/* Out of reset at RIG_CODE. */
static inline void rig_open(struct rig *r, enum tx_arch arch, enum riscv_core who, bool timed)
{
    memset(r, 0, sizeof *r);
    riscv_open(&r->core, arch, who);
    r->core.timed = timed;
    r->core.env = (struct riscv_env){.l1 = r->l1,
                                     .l1_size = RIG_L1,
                                     .written = r->written,
                                     .load = rig_load,
                                     .store = rig_store,
                                     .status = rig_status,
                                     .finding = rig_finding,
                                     .user = r};
    riscv_release(&r->core, RIG_CODE, false);
}

static inline void rig_put32(struct rig *r, uint32_t address, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++) {
        r->l1[address + i] = (uint8_t)(value >> 8 * i);
        r->written[(address + i) / 8] |= (uint8_t)(1u << (address + i) % 8);
    }
}

static inline uint32_t rig_get32(const struct rig *r, uint32_t address)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < 4; i++) {
        value |= (uint32_t)r->l1[address + i] << 8 * i;
    }
    return value;
}

enum { EBREAK = 0x00100073, NOP = 0x00000013 };

/* Puts the words and an ebreak at RIG_CODE and runs them to it; returns the cycles. */
static inline uint64_t rig_run(struct rig *r, const uint32_t *words, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        rig_put32(r, RIG_CODE + 4 * i, words[i]);
    }
    rig_put32(r, RIG_CODE + 4 * count, EBREAK);
    r->core.s.pc = RIG_CODE;
    r->core.s.phase = RISCV_RUNS;
    const uint64_t start = r->core.s.now;
    riscv_run(&r->core, 1000000);
    return r->core.s.now - start;
}
#define RIG_RUN(r, ...) \
    rig_run((r), (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

#endif
