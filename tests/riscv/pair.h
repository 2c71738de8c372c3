/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two untimed cores with the same random program, one of which may translate its loops: all that
 * can be seen of them has to be the same after every call, whatever happens between calls.
 */
#ifndef TESTS_RISCV_PAIR_H
#define TESTS_RISCV_PAIR_H

#include "riscv/riscv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAIR_L1 = 0x4000, PAIR_CODE = 0x1000, PAIR_WORDS = 0x200, PAIR_DATA = 0x2800 };

struct pair_half {
    struct riscv core;
    uint8_t l1[PAIR_L1], written[PAIR_L1 / 8];
    uint64_t seed;  /* of the answers from outside */
    uint64_t found; /* a sum of all findings, in their order */
    uint64_t findings;
};

struct pair {
    struct pair_half half[2]; /* [1] translates */
    uint64_t seed, compared, translated;
};

static inline uint32_t pair_next(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 32);
}

static inline uint32_t pair_draw(struct pair *p)
{
    return pair_next(&p->seed);
}

static inline enum riscv_answer pair_load(struct riscv *core, struct riscv_access *a)
{
    struct pair_half *h = core->env.user;
    const uint32_t r = pair_next(&h->seed);
    a->value = pair_next(&h->seed);
    a->bad = r % 32 == 0 ? 0xFF : 0;
    return r % 128 == 1 ? RISCV_WAIT : RISCV_DONE;
}

/* Now and then a store outside also changes code, as a request of the NoC may. */
static inline enum riscv_answer pair_store(struct riscv *core, const struct riscv_access *a)
{
    struct pair_half *h = core->env.user;
    const uint32_t r = pair_next(&h->seed);
    (void)a;
    if (r % 16 == 0) {
        const uint32_t at = PAIR_CODE + 4 * (pair_next(&h->seed) % PAIR_WORDS);
        const uint32_t word = 0x00128293 | (pair_next(&h->seed) & 7u) << 7; /* addi, of x5 to x7 */
        memcpy(h->l1 + at, &word, 4);
    }
    return r % 128 == 1 ? RISCV_WAIT : RISCV_DONE;
}

static inline void pair_finding(struct riscv *core, enum finding_kind f, uint32_t pc, uint32_t word,
                                uint32_t address)
{
    struct pair_half *h = core->env.user;
    const uint32_t what[] = {f, pc, word, address, (uint32_t)core->s.instret};
    for (unsigned i = 0; i < sizeof what / sizeof what[0]; i++) {
        h->found = (h->found ^ what[i]) * 0x100000001B3u;
    }
    h->findings++;
}

/* ---- random programs ---- */

/* Registers 1 to 4 point to local memory, L1 data, code and outside; others are anything. */
static inline uint32_t pair_base(struct pair *p, unsigned reg, uint32_t ram)
{
    const uint32_t bases[4] = {RISCV_RAM_BASE + ram / 2, PAIR_DATA, PAIR_CODE + 0x100, 0xFFB40000};
    (void)p;
    return bases[reg - 1];
}

static inline unsigned pair_rd(struct pair *p)
{
    const uint32_t r = pair_draw(p);
    return r % 64 == 0 ? r >> 8 & 3u : r % 16 == 1 ? 0u : 5 + (r >> 8) % 27;
}

static inline unsigned pair_pointer(struct pair *p)
{
    const uint32_t r = pair_draw(p) % 64;
    return r < 28 ? 1 : r < 58 ? 2 : r < 60 ? 3 : r < 62 ? 4 : pair_draw(p) % 32;
}

static inline uint32_t pair_jump_bits(uint32_t offset)
{
    return (offset >> 20 & 1u) << 31 | (offset >> 1 & 1023u) << 21 | (offset >> 11 & 1u) << 20 |
           (offset >> 12 & 255u) << 12;
}

static inline uint32_t pair_branch_bits(uint32_t offset)
{
    return (offset >> 12 & 1u) << 31 | (offset >> 5 & 63u) << 25 | (offset >> 1 & 15u) << 8 |
           (offset >> 11 & 1u) << 7;
}

/* One random word for the place "index" of the code. */
static inline uint32_t pair_word(struct pair *p, unsigned index)
{
    static const uint32_t alu[][2] = {
#define RISCV(ID, name, match, mask, format, chips, class) {match, PAIR_##class ? mask : 0},
#define PAIR_ALU 1
#define PAIR_MUL 1
#define PAIR_DIV 1
#define PAIR_LOAD 0
#define PAIR_STORE 0
#define PAIR_AMO 0
#define PAIR_BRANCH 0
#define PAIR_JAL 0
#define PAIR_JALR 0
#define PAIR_CSR 0
#define PAIR_FENCE 1
#define PAIR_SYSTEM 0
#define PAIR_FLOAT 0
#define PAIR_FLOAD 0
#define PAIR_FSTORE 0
#define PAIR_VECTOR 0
#include "isa/riscv.def"
    };
    const uint32_t kind = pair_draw(p) % 64;
    const uint32_t rs1 = pair_draw(p) % 32 << 15;
    const uint32_t rs2 = pair_draw(p) % 32 << 20;
    const uint32_t rd = pair_rd(p) << 7;
    const uint32_t r = pair_draw(p);
    const uint32_t target = r >> 8 & (PAIR_WORDS - 1);
    const uint32_t ahead = r % 4 != 0 ? (r >> 4) % 14 + 1 : r % 16 == 0 ? 0u - (r >> 4) % 12 : 1;
    const uint32_t offset = 4 * (index + ahead < PAIR_WORDS ? ahead : 0u - index);
    const uint32_t at = (r & 0xFF) << 2 | (r % 64 == 0 ? r >> 16 & 3u : 0);
    const uint32_t low = at - 0x200;
    static const uint32_t sizes[5] = {0, 1, 2, 4, 5};
    const uint32_t size = sizes[r >> 12 & 3];
    if (kind < 26) {
        for (;;) {
            const uint32_t *row = alu[pair_draw(p) % (sizeof alu / sizeof alu[0])];
            if (row[1] != 0) {
                return row[0] | ((rd | rs1 | rs2 | (r & 0xFE000000u)) & ~row[1]);
            }
        }
    }
    if (kind < 36) {
        const uint32_t step = size % 4 == 2 ? 0 : r >> 24 & (size % 4 == 0 ? 3u : 2u);
        return 0x03 | rd | pair_pointer(p) << 15 | size << 12 | (low + step) << 20;
    }
    if (kind < 46) {
        const uint32_t narrow = r >> 12 & 3u;
        const uint32_t width = narrow == 3 ? 2 : narrow;
        return 0x23 | pair_pointer(p) << 15 | rs2 | width << 12 | (low & 31u) << 7 |
               (low >> 5 & 127u) << 25;
    }
    if (kind < 56) {
        static const uint32_t conditions[6] = {0, 1, 4, 5, 6, 7};
        return 0x63 | rs1 | rs2 | conditions[r % 6] << 12 | pair_branch_bits(offset);
    }
    if (kind < 58) {
        return 0x6F | rd | pair_jump_bits(4 * (target - index));
    }
    if (kind < 59) { /* back to a register that a jump has written, or anywhere */
        return 0x67 | rd | 3u << 15 | (4 * (r >> 8 & 127u)) << 20;
    }
    if (kind < 61) {
        return pair_draw(p) & ~1u; /* .ttinsn */
    }
    if (kind < 62) {
        return 0x2F | rd | 2u << 15 | rs2 | 2u << 12; /* amoadd.w */
    }
    return kind < 63 ? 0xB0002073u | rd /* csrr, minstret or mcycle */ : pair_draw(p);
}

static inline void pair_open(struct pair *p, enum tx_arch arch)
{
    const enum riscv_core who = (enum riscv_core)(pair_draw(p) % RISCV_CORES);
    const uint32_t answers = pair_draw(p);
    const bool all = pair_draw(p) % 2 != 0;
    const bool bits = pair_draw(p) % 4 != 0;
    const uint32_t pc = PAIR_CODE + 4 * (pair_draw(p) % 16);
    uint8_t *l1 = p->half[0].l1;
    for (uint32_t i = 0; i < PAIR_L1; i += 4) {
        const uint32_t in = (i - PAIR_CODE) / 4;
        uint32_t word = i >= PAIR_CODE && in < PAIR_WORDS ? pair_word(p, in) : pair_draw(p);
        if (in == PAIR_WORDS - 1) {
            word = 0x6F | pair_jump_bits(0u - 4 * in);
        }
        memcpy(l1 + i, &word, 4);
    }
    uint32_t x[32];
    for (unsigned i = 0; i < 32; i++) {
        x[i] = pair_draw(p) % 4 == 0 ? pair_draw(p) % 16 : pair_draw(p);
    }
    for (unsigned k = 0; k < 2; k++) {
        struct pair_half *h = &p->half[k];
        memcpy(h->l1, l1, PAIR_L1);
        memset(h->written, all ? 0xFF : 0xF7, sizeof h->written);
        riscv_close(&h->core);
        riscv_open(&h->core, arch, who);
        h->core.timed = false;
        h->core.translates = k != 0;
        h->core.compares = h->core.translates && pc % 8 == 0;
        h->core.hot = 3;
        h->core.env = (struct riscv_env){.l1 = h->l1,
                                         .l1_size = PAIR_L1,
                                         .written = bits ? h->written : NULL,
                                         .load = pair_load,
                                         .store = pair_store,
                                         .finding = pair_finding,
                                         .user = h};
        h->seed = answers;
        riscv_release(&h->core, pc, all);
        for (unsigned i = 1; i < 32; i++) {
            h->core.s.x[i] = i < 5 ? pair_base(p, i, riscv_ram_size(arch, who)) : x[i];
        }
    }
}

/* What may happen to a core between two calls. */
static inline void pair_event(struct pair *p)
{
    const uint32_t what = pair_draw(p) % 64;
    const uint32_t r = pair_draw(p);
    const uint32_t at = 4 * (r % PAIR_WORDS);
    const uint32_t word = pair_word(p, r % PAIR_WORDS);
    for (unsigned k = 0; k < 2; k++) {
        struct pair_half *h = &p->half[k];
        struct riscv *c = &h->core;
        if (c->s.phase != RISCV_RUNS || what == 0) {
            c->s.phase = RISCV_RUNS;
            c->s.pc = PAIR_CODE + at;
        }
        if (what == 1) {
            memcpy(h->l1 + PAIR_CODE + at, &word, 4);
        } else if (what == 2) {
            riscv_drop_cache(c);
        } else if (what == 3) {
            riscv_restored(c);
        } else if (what == 4) {
            riscv_interrupt(c, PAIR_CODE + at);
        } else if (what == 5) {
            c->s.ram_bad[r % 256] = (uint8_t)(r >> 8);
        } else if (what == 6) {
            h->written[r % sizeof h->written] = (uint8_t)(r >> 16);
        } else if (what < 10) {
            for (unsigned i = 1; i < 5; i++) { /* what an instruction may have overwritten */
                riscv_given(c, i);
                c->s.x[i] = pair_base(p, i, riscv_ram_size(c->arch, c->who));
            }
        }
    }
}

/* Returns what differs between the two, or NULL. */
static inline const char *pair_differs(const struct pair *p)
{
    const struct pair_half *a = &p->half[0];
    const struct pair_half *b = &p->half[1];
    if (b->core.differs != 0) {
        return "a block and the interpreter";
    }
    if (memcmp(&a->core.s, &b->core.s, offsetof(struct riscv_state, ready)) != 0) {
        return a->core.s.pc != b->core.s.pc ? "pc" : "registers or counts";
    }
    if (memcmp(&a->core.s, &b->core.s, sizeof a->core.s) != 0) {
        return "the rest of the core's state";
    }
    if (memcmp(a->l1, b->l1, PAIR_L1) != 0 ||
        memcmp(a->written, b->written, sizeof a->written) != 0) {
        return "L1";
    }
    if (a->core.writes != b->core.writes || a->core.changes != b->core.changes) {
        return "what tells whether the core only waits";
    }
    return a->findings != b->findings || a->found != b->found ? "findings" : NULL;
}

/*
 * Runs random programs until so many instructions have been executed by each core. Returns what
 * differs first, or NULL.
 */
static inline const char *pair_run(struct pair *p, enum tx_arch arch, uint64_t count)
{
    uint64_t done = 0;
    while (done < count) {
        pair_open(p, arch);
        for (unsigned i = 0; i < 64; i++) {
            const uint32_t r = pair_draw(p);
            const uint64_t most = r % 4 != 0 ? 1 + r % 64 : 1 + (r >> 8) % 4096;
            const uint64_t first = riscv_run(&p->half[0].core, most);
            if (riscv_run(&p->half[1].core, most) != first) {
                return "the number of instructions";
            }
            done += first;
            const char *differs = pair_differs(p);
            if (differs != NULL) {
                return differs;
            }
            pair_event(p);
        }
        p->compared += p->half[1].core.compared;
        p->translated += p->half[1].core.ran;
    }
    riscv_close(&p->half[1].core);
    return NULL;
}

#endif
