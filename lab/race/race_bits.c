/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds which bits of a word a core uses that it has loaded. Words of configuration have fields of
 * several threads, and code that looks at one field loads all of them.
 */
#include <string.h>

#include <tensix-lab/tile.h>

#include "race/race.h"

/*
 * How many instructions behind the load are followed, how many words that are pushed besides, which
 * use no register, and how many branches on one way.
 */
enum { REGISTERS = 32, LONGEST = 32, PUSHED = 1024, BRANCHES = 5 };

/* What a register holds of the loaded word: (word & mask) shifted right by shift, or left. */
struct part {
    uint32_t mask; /* bits of the loaded word; 0: none */
    int shift;
};

struct look {
    struct part of[REGISTERS];
    uint32_t constant[REGISTERS];
    bool known[REGISTERS]; /* constant is the register's value */
    uint32_t used;
};

/* Branches on the way to where one is, with what registers hold of the loaded word there. */
struct way {
    uint32_t pc[BRANCHES];
    struct part of[BRANCHES][REGISTERS];
    unsigned count;
};

static uint32_t shifted(uint32_t bits, int left)
{
    return left >= 32 || left <= -32 ? 0 : left >= 0 ? bits << left : bits >> -left;
}

/* Keeps of a part what a mask on the register leaves. */
static struct part masked(struct part p, uint32_t mask)
{
    p.mask &= shifted(mask, p.shift);
    return p;
}

/* Shifts the register right, or left where by is negative. */
static struct part moved(struct part p, int by)
{
    const uint32_t left = shifted(0xFFFFFFFFu, by < 0 ? -by : 0); /* bits that stay inside */
    p.shift += by;
    return masked(p, shifted(left, by > 0 ? -by : 0));
}

static void use(struct look *l, unsigned x)
{
    l->used |= l->of[x].mask;
}

static void forget(struct look *l, unsigned x)
{
    l->of[x] = (struct part){0, 0};
    l->known[x] = false;
}

static void race_bits_keep(struct look *l, unsigned rd, struct part p)
{
    forget(l, rd);
    if (rd != 0) {
        l->of[rd] = p;
    }
}

static void set(struct look *l, unsigned rd, uint32_t value)
{
    forget(l, rd);
    if (rd != 0) {
        l->known[rd] = true;
        l->constant[rd] = value;
    }
}

/*
 * The field is taken out, or all that is there is used. zext.h is pack with x0, and compilers make
 * moves of addi.
 */
static void compute(struct look *l, const struct tx_core_decoded *i)
{
    const struct part from = l->of[i->rs1];
    uint32_t value = 0;
    switch (i->id) {
    case TX_CORE_INSN_ANDI:
        race_bits_keep(l, i->rd, masked(from, i->imm));
        return;
    case TX_CORE_INSN_AND:
        if (l->known[i->rs2] || l->known[i->rs1]) {
            race_bits_keep(l, i->rd,
                           l->known[i->rs2] ? masked(from, l->constant[i->rs2])
                                            : masked(l->of[i->rs2], l->constant[i->rs1]));
            return;
        }
        break;
    case TX_CORE_INSN_SLLI:
        race_bits_keep(l, i->rd, moved(from, -(int)i->imm));
        return;
    case TX_CORE_INSN_SRLI:
        race_bits_keep(l, i->rd, moved(from, (int)i->imm));
        return;
    case TX_CORE_INSN_SEXT_B:
        race_bits_keep(l, i->rd, masked(from, 0xFFu));
        return;
    case TX_CORE_INSN_SEXT_H:
        race_bits_keep(l, i->rd, masked(from, 0xFFFFu));
        return;
    case TX_CORE_INSN_PACK:
        if (i->rs2 == 0) {
            race_bits_keep(l, i->rd, masked(from, 0xFFFFu));
            return;
        }
        break;
    case TX_CORE_INSN_ADDI:
        if (i->rs1 == 0 || l->known[i->rs1]) {
            (void)tx_core_compute(i, 0, i->rs1 == 0 ? 0 : l->constant[i->rs1], 0, &value);
            set(l, i->rd, value);
            return;
        }
        if (i->imm == 0) {
            race_bits_keep(l, i->rd, from);
            return;
        }
        break;
    case TX_CORE_INSN_LUI:
        set(l, i->rd, i->imm);
        return;
    default:
        break;
    }
    use(l, i->rs1);
    use(l, i->rs2);
    forget(l, i->rd);
}

/* A whole word that is still in one of these registers may be used anywhere. */
static void use_whole(struct look *l, uint32_t registers)
{
    for (unsigned x = 0; x < REGISTERS; x++) {
        if ((registers >> x & 1) != 0 && l->of[x].mask == 0xFFFFFFFFu && l->of[x].shift == 0) {
            use(l, x);
        }
    }
}

/* A test of the sign uses one bit; other comparisons use what is there. */
static void race_bits_compare(struct look *l, const struct tx_core_decoded *i)
{
    const bool sign = (i->id == TX_CORE_INSN_BLT || i->id == TX_CORE_INSN_BGE) && i->rs2 == 0;
    l->used |= sign ? masked(l->of[i->rs1], 0x80000000u).mask : l->of[i->rs1].mask;
    use(l, i->rs2);
}

/*
 * Arguments go to the function that is called, results to the caller, and whole words may go
 * anywhere; when a function returns, only registers that it has to preserve still hold them.
 */
static void leave(struct look *l, const struct tx_core_decoded *i)
{
    static const uint32_t preserved = 0x0FFC0300; /* s0 to s11 */
    enum { RA = 1, FIRST = 10, LAST_RESULT = 11, LAST_ARGUMENT = 17 };
    const bool returns = i->kind == TX_CORE_KIND_JALR && i->rd == 0 && i->rs1 == RA;
    for (unsigned x = FIRST; x <= (returns ? LAST_RESULT : LAST_ARGUMENT); x++) {
        use(l, x);
    }
    use_whole(l, returns ? preserved : UINT32_MAX);
}

/* Follows one instruction that goes on to the next; false: it does not. */
static bool straight(struct look *l, const struct tx_core_decoded *i)
{
    switch (i->kind) {
    case TX_CORE_KIND_COMPUTE:
        compute(l, i);
        return true;
    case TX_CORE_KIND_LOAD:
        use(l, i->rs1);
        forget(l, i->rd);
        return true;
    case TX_CORE_KIND_STORE:
        use(l, i->rs1);
        use(l, i->rs2);
        return true;
    case TX_CORE_KIND_PUSH:
    case TX_CORE_KIND_FENCE:
        return true;
    default:
        return false;
    }
}

/* Tells whether the way has come by this branch before, and nothing is different: a loop. */
static bool been_at(const struct way *way, uint32_t pc, const struct look *l)
{
    for (unsigned k = 0; k < way->count; k++) {
        if (way->pc[k] == pc && memcmp(way->of[k], l->of, sizeof l->of) == 0) {
            return true;
        }
    }
    return false;
}

/* Follows all ways from an instruction on, each with what the registers hold there. */
static uint32_t race_bits_follow(txl_tensix *tile, uint32_t pc, struct look l, unsigned left,
                                 struct way way)
{
    struct tx_core_decoded i;
    for (unsigned pushed = 0; left > 0 && pushed < PUSHED && race_insn_at(tile, pc, &i);) {
        pushed += i.kind == TX_CORE_KIND_PUSH ? 1 : 0;
        left -= i.kind == TX_CORE_KIND_PUSH ? 0 : 1;
        if (straight(&l, &i)) {
            pc += 4;
        } else if (i.kind == TX_CORE_KIND_BRANCH && been_at(&way, pc, &l)) {
            return l.used; /* what comes behind it has been looked at */
        } else if (i.kind == TX_CORE_KIND_BRANCH && way.count < BRANCHES) {
            race_bits_compare(&l, &i);
            way.pc[way.count] = pc;
            memcpy(way.of[way.count++], l.of, sizeof l.of);
            l.used |= race_bits_follow(tile, pc + i.imm, l, left, way);
            pc += 4;
        } else if (i.kind == TX_CORE_KIND_JAL && i.rd == 0) {
            pc += i.imm;
        } else {
            if (i.id != TX_CORE_INSN_EBREAK) { /* where an assertion ends */
                leave(&l, &i);
            }
            return l.used;
        }
    }
    use_whole(&l, UINT32_MAX);
    return l.used;
}

uint32_t race_code_bits(txl_tensix *tile, uint32_t pc)
{
    struct look l = {.used = 0};
    struct tx_core_decoded i;
    if (!race_insn_at(tile, pc, &i) || i.kind != TX_CORE_KIND_LOAD || i.id != TX_CORE_INSN_LW) {
        return 0xFFFFFFFFu;
    }
    race_bits_keep(&l, i.rd, (struct part){0xFFFFFFFFu, 0});
    return race_bits_follow(tile, pc + 4, l, LONGEST, (struct way){.count = 0});
}
