/* SPDX-License-Identifier: Apache-2.0 */
/* Tables from isa/riscv*.def (instructions, regions, times, findings), decoding and disassembly. */
#include "isa/chip.h"
#include "isa/evidence.h"
#include "riscv/core.h"

#include <stdio.h>

#define WH CHIPS_WH
#define BH CHIPS_BH
#define BOTH CHIPS_BOTH

enum format {
    R,
    I,
    SHIFT,
    S,
    B,
    U,
    J,
    CSR,
    CSRI,
    AMO,
    NONE,
    FLOADS,
    FSTORES,
    FF,
    FFF,
    FFFF,
    FX,
    XF,
    XFF,
    VECTOR
};

static const struct encoding {
    uint32_t match, mask;
    uint8_t format, chips, class;
    const char *name;
} encodings[RISCV_IDS] = {
#define RISCV(ID, name_, match_, mask_, format_, chips_, class_) \
    [RISCV_##ID] = {match_, mask_, format_, chips_, CLASS_##class_, name_},
#include "isa/riscv.def"
};

const char *riscv_name(enum riscv_id id)
{
    return id == RISCV_TTINSN ? ".ttinsn" : id == RISCV_NONE ? "?" : encodings[id].name;
}

enum riscv_id riscv_find(enum tx_arch arch, uint32_t word)
{
    if ((word & 3u) != 3u) {
        return RISCV_TTINSN;
    }
    for (unsigned id = RISCV_TTINSN + 1; id < RISCV_IDS; id++) {
        if ((word & encodings[id].mask) == encodings[id].match &&
            (encodings[id].chips >> arch & 1u) != 0) {
            return (enum riscv_id)id;
        }
    }
    return RISCV_NONE;
}

static uint32_t immediate(enum format format, uint32_t w)
{
    switch (format) {
    case I:
    case FLOADS:
        return (uint32_t)bits_sext(w >> 20, 12);
    case S:
    case FSTORES:
        return (uint32_t)bits_sext(bits_get(w, 25, 7) << 5 | bits_get(w, 7, 5), 12);
    case B:
        return (uint32_t)bits_sext(bits_get(w, 31, 1) << 12 | bits_get(w, 7, 1) << 11 |
                                       bits_get(w, 25, 6) << 5 | bits_get(w, 8, 4) << 1,
                                   13);
    case U:
        return w & 0xFFFFF000u;
    case J:
        return (uint32_t)bits_sext(bits_get(w, 31, 1) << 20 | bits_get(w, 12, 8) << 12 |
                                       bits_get(w, 20, 1) << 11 | bits_get(w, 21, 10) << 1,
                                   21);
    case SHIFT:
        return bits_get(w, 20, 5);
    case CSR:
    case CSRI:
        return bits_get(w, 20, 12);
    case VECTOR:
        return vector_find(w);
    default:
        break;
    }
    return 0;
}

/* Returns the registers x of a word: [0] rd, [1] rs1, [2] rs2; 32: it writes none, 0: reads none.
 */
static void registers(enum format format, uint32_t word, uint8_t x[3])
{
    const uint32_t rd = bits_get(word, 7, 5);
    bool writes = false, first = false, second = false;
    switch (format) {
    case R:
    case AMO:
        writes = first = second = true;
        break;
    case I:
    case SHIFT:
    case CSR:
    case CSRI:
        writes = first = true;
        break;
    case S:
    case B:
        first = second = true;
        break;
    case U:
    case J:
    case XF:
    case XFF:
        writes = true;
        break;
    case FLOADS:
    case FSTORES:
    case FX:
        first = true;
        break;
    case VECTOR:
        vector_registers(word, &writes, &first, &second);
        break;
    case NONE:
    case FF:
    case FFF:
    case FFFF:
        break;
    }
    x[0] = (uint8_t)(writes && rd != 0 ? rd : 32);
    x[1] = (uint8_t)(first ? bits_get(word, 15, 5) : 0);
    x[2] = (uint8_t)(second ? bits_get(word, 20, 5) : 0);
}

void riscv_decode(enum tx_arch arch, uint32_t word, struct riscv_op *op)
{
    const enum riscv_id id = riscv_find(arch, word);
    const struct encoding *encoding = &encodings[id];
    const enum format format = id <= RISCV_TTINSN ? NONE : (enum format)encoding->format;
    uint8_t reg[3];
    registers(format, word, reg);
    op->word = word;
    op->id = (uint8_t)id;
    op->class = id == RISCV_TTINSN ? CLASS_PUSH : encoding->class;
    op->imm = id == RISCV_TTINSN ? word >> 2 | word << 30 : immediate(format, word);
    op->rd = reg[0];
    op->rs1 = reg[1];
    op->rs2 = reg[2];
    op->live = 1;
    op->uses = (op->rd < 32 ? 1u << op->rd : 0) | 1u << op->rs1 | 1u << op->rs2;
}

uint32_t riscv_encode(enum riscv_id id, unsigned rd, unsigned rs1, unsigned rs2, uint32_t imm)
{
    const uint32_t d = (rd & 31u) << 7;
    const uint32_t a = (rs1 & 31u) << 15;
    const uint32_t b = (rs2 & 31u) << 20;
    const uint32_t match = encodings[id].match;
    switch ((enum format)encodings[id].format) {
    case R:
    case AMO:
    case FFF:
    case XFF:
        return match | d | a | b;
    case FFFF: /* the third source is the immediate */
        return match | d | a | b | (imm & 31u) << 27;
    case FF:
    case FX:
    case XF:
        return match | d | a;
    case I:
    case FLOADS:
    case CSR:
    case CSRI:
        return match | d | a | (imm & 0xFFFu) << 20;
    case SHIFT:
        return match | d | a | (imm & 31u) << 20;
    case S:
    case FSTORES:
        return match | a | b | bits_get(imm, 5, 7) << 25 | bits_get(imm, 0, 5) << 7;
    case B:
        return match | a | b | bits_get(imm, 12, 1) << 31 | bits_get(imm, 5, 6) << 25 |
               bits_get(imm, 1, 4) << 8 | bits_get(imm, 11, 1) << 7;
    case U:
        return match | d | (imm & 0xFFFFF000u);
    case J:
        return match | d | bits_get(imm, 20, 1) << 31 | bits_get(imm, 1, 10) << 21 |
               bits_get(imm, 11, 1) << 20 | bits_get(imm, 12, 8) << 12;
    case VECTOR:
    case NONE:
        break;
    }
    return match;
}

bool riscv_rs1_is_number(enum riscv_id id)
{
    return id > RISCV_TTINSN && encodings[id].format == CSRI;
}

/* ---- a line of assembly ---- */

const char *const riscv_f_names[32] = {"ft0", "ft1", "ft2",  "ft3",  "ft4", "ft5", "ft6",  "ft7",
                                       "fs0", "fs1", "fa0",  "fa1",  "fa2", "fa3", "fa4",  "fa5",
                                       "fa6", "fa7", "fs2",  "fs3",  "fs4", "fs5", "fs6",  "fs7",
                                       "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};

/* An instruction of F or Zfh. */
static void float_text(const struct riscv_op *op, enum format format, const char *const *x,
                       char *text, size_t size)
{
    const char *const *f = riscv_f_names;
    static const char *const modes[8] = {",rne", ",rtz", ",rdn", ",rup", ",rmm", ",5", ",6", ""};
    const uint32_t word = op->word;
    const char *name = riscv_name((enum riscv_id)op->id);
    const char *fd = f[bits_get(word, 7, 5)];
    const char *f1 = f[bits_get(word, 15, 5)];
    const char *f2 = f[bits_get(word, 20, 5)];
    const bool exact = op->id == RISCV_FCVT_S_H;
    const bool rounds = (encodings[op->id].mask >> 12 & 7u) == 0 && !exact;
    const char *mode = rounds ? modes[bits_get(word, 12, 3)] : "";
    switch (format) {
    case FLOADS:
        snprintf(text, size, "%s %s, %d(%s)", name, fd, (int)op->imm, x[op->rs1]);
        return;
    case FSTORES:
        snprintf(text, size, "%s %s, %d(%s)", name, f2, (int)op->imm, x[op->rs1]);
        return;
    case FF:
        snprintf(text, size, "%s %s, %s%s", name, fd, f1, mode);
        return;
    case FFF:
        snprintf(text, size, "%s %s, %s, %s%s", name, fd, f1, f2, mode);
        return;
    case FFFF:
        snprintf(text, size, "%s %s, %s, %s, %s%s", name, fd, f1, f2, f[word >> 27], mode);
        return;
    case FX:
        snprintf(text, size, "%s %s, %s%s", name, fd, x[op->rs1], mode);
        return;
    case XFF:
        snprintf(text, size, "%s %s, %s, %s", name, x[op->rd % 32], f1, f2);
        return;
    default: /* XF */
        snprintf(text, size, "%s %s, %s%s", name, x[op->rd % 32], f1, mode);
        return;
    }
}

void riscv_text(enum tx_arch arch, uint32_t word, uint32_t pc, char *text, size_t size)
{
    static const char *const x[32] = {"zero", "ra", "sp",  "gp",  "tp", "t0", "t1", "t2",
                                      "s0",   "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
                                      "a6",   "a7", "s2",  "s3",  "s4", "s5", "s6", "s7",
                                      "s8",   "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
    struct riscv_op op;
    riscv_decode(arch, word, &op);
    const char *name = riscv_name((enum riscv_id)op.id);
    const char *rd = x[op.rd % 32];
    const char *rs1 = x[op.rs1];
    const char *rs2 = x[op.rs2];
    if (op.id <= RISCV_TTINSN) {
        snprintf(text, size, "%s 0x%08x", op.id == RISCV_NONE ? ".word" : ".ttinsn",
                 (unsigned)(op.id == RISCV_NONE ? word : op.imm));
        return;
    }
    switch ((enum format)encodings[op.id].format) {
    case R:
        snprintf(text, size, "%s %s, %s, %s", name, rd, rs1, rs2);
        return;
    case AMO:
        snprintf(text, size, "%s %s, %s, (%s)", name, rd, rs2, rs1);
        return;
    case I:
    case SHIFT:
        if (op.class == CLASS_LOAD || op.class == CLASS_JALR) {
            snprintf(text, size, "%s %s, %d(%s)", name, rd, (int)op.imm, rs1);
        } else {
            snprintf(text, size, "%s %s, %s, %d", name, rd, rs1, (int)op.imm);
        }
        return;
    case S:
        snprintf(text, size, "%s %s, %d(%s)", name, rs2, (int)op.imm, rs1);
        return;
    case B:
        snprintf(text, size, "%s %s, %s, 0x%x", name, rs1, rs2, (unsigned)(pc + op.imm));
        return;
    case U:
        snprintf(text, size, "%s %s, 0x%x", name, rd, (unsigned)(op.imm >> 12));
        return;
    case J:
        snprintf(text, size, "%s %s, 0x%x", name, rd, (unsigned)(pc + op.imm));
        return;
    case CSR:
        snprintf(text, size, "%s %s, 0x%x, %s", name, rd, (unsigned)op.imm, rs1);
        return;
    case CSRI:
        snprintf(text, size, "%s %s, 0x%x, %u", name, rd, (unsigned)op.imm, (unsigned)op.rs1);
        return;
    case VECTOR:
        vector_text(word, x, text, size);
        return;
    case NONE:
        snprintf(text, size, "%s", name);
        return;
    default:
        float_text(&op, (enum format)encodings[op.id].format, x, text, size);
        return;
    }
}

/* ---- regions ---- */

enum { EVERY = 63, ALL = 31, T = 14, B_T = 15, B_ = 1, E = 32 };

#define B B_
static const struct riscv_region regions[REGION_NONE] = {
#define REGION(ID, what_, base_, size_, chips_, cores_, widths_, wh_, bh_) \
    [REGION_##ID] = {what_, base_, size_, chips_, cores_, WIDTH_##widths_, {wh_, bh_}},
#include "isa/riscv_regions.def"
};
#undef B

const struct riscv_region *riscv_region(enum tx_arch arch, enum riscv_core who, uint32_t address)
{
    for (unsigned i = 0; i < REGION_NONE; i++) {
        const struct riscv_region *r = &regions[i];
        if (address - r->base < r->size && (r->chips >> arch & 1u) != 0 &&
            (r->cores >> who & 1u) != 0) {
            return r;
        }
    }
    return NULL;
}

enum riscv_region_id riscv_region_id(const struct riscv_region *region)
{
    return (enum riscv_region_id)(region - regions);
}

uint32_t riscv_ram_size(enum tx_arch arch, enum riscv_core who)
{
    const bool small = riscv_is_t(who);
    return chip_column(arch) == CHIP_COLUMN_BH ? (small ? RISCV_BH_RAM_T : RISCV_BH_RAM)
                                               : (small ? RISCV_WH_RAM_T : RISCV_WH_RAM);
}

/* ---- times ---- */

const uint8_t riscv_times[2][TIME_COUNT] = {
#define TIME(ID, wh, bh, ...) wh,
    {
#include "isa/riscv_times.def"
    },
#define TIME(ID, wh, bh, ...) bh,
    {
#include "isa/riscv_times.def"
    }};
#define TIME(ID, wh, bh, least, most, ...)                                                       \
    _Static_assert((most) == 0 ||                                                                \
                       ((least) <= (wh) && (wh) <= (most) && (least) <= (bh) && (bh) <= (most)), \
                   #ID " is outside its range");
#include "isa/riscv_times.def"

const char *riscv_wait_text(enum tx_core_wait wait)
{
    static const char *const texts[TX_CORE_WAITS] = {
        [TX_CORE_WAIT_NONE] = "nothing",
        [TX_CORE_WAIT_OPERAND] = "a result",
        [TX_CORE_WAIT_FETCH] = "instructions out of L1",
        [TX_CORE_WAIT_BRANCH] = "a jump",
        [TX_CORE_WAIT_UNIT] = "instructions under way",
        [TX_CORE_WAIT_QUEUE] = "room in the store queue",
        [TX_CORE_WAIT_ORDER] = "older stores and loads",
        [TX_CORE_WAIT_ANSWER] = "an answer",
    };
    return (unsigned)wait < TX_CORE_WAITS ? texts[wait] : "?";
}
