/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints all instructions of a function. For those of the RISC-V core it adds, as far as constants
 * tell, what they store to the places of the coprocessor: pushed instructions, the MOP Expander,
 * GPRs and configuration.
 */
#include "kernel/dis.h"

#include <stdlib.h>
#include <string.h>

#include <tensix/tile.h>

#include "base/memory.h"

/* The registers whose contents are constants of the function. */
struct constants {
    uint32_t known; /* bit n: register n is known */
    uint32_t value[32];
};

static uint32_t part(uint32_t word, unsigned low, unsigned count)
{
    return word >> low & ((1U << count) - 1);
}

static uint32_t extended(uint32_t value, unsigned bits)
{
    const uint32_t sign = 1U << (bits - 1);
    return (value ^ sign) - sign;
}

static bool holds(const struct constants *c, unsigned reg, uint32_t *value)
{
    *value = c->value[reg];
    return (c->known >> reg & 1U) != 0;
}

static void set(struct constants *c, unsigned reg, bool known, uint32_t value)
{
    if (reg != 0) {
        c->known = (c->known & ~(1U << reg)) | (uint32_t)known << reg;
        c->value[reg] = value;
    }
}

/* Returns the offset of a branch or jump; 0: the word is neither. */
static uint32_t jump(uint32_t word)
{
    if ((word & 0x7F) == 0x63) {
        return extended(part(word, 31, 1) << 12 | part(word, 7, 1) << 11 | part(word, 25, 6) << 5 |
                            part(word, 8, 4) << 1,
                        13);
    }
    return (word & 0x7F) == 0x6F ? extended(part(word, 31, 1) << 20 | part(word, 12, 8) << 12 |
                                                part(word, 20, 1) << 11 | part(word, 21, 10) << 1,
                                            21)
                                 : 0;
}

static void follow(struct constants *c, uint32_t word, uint32_t pc)
{
    const unsigned rd = part(word, 7, 5);
    const bool plain = part(word, 12, 3) == 0;
    uint32_t a;
    uint32_t b;
    const bool has_a = holds(c, part(word, 15, 5), &a);
    const bool has_b = holds(c, part(word, 20, 5), &b);
    switch (word & 0x7F) {
    case 0x37: /* lui */
        set(c, rd, true, word & 0xFFFFF000);
        break;
    case 0x17: /* auipc */
        set(c, rd, true, pc + (word & 0xFFFFF000));
        break;
    case 0x13: /* addi, which is also li and mv */
        set(c, rd, plain && has_a, a + extended(word >> 20, 12));
        break;
    case 0x33: /* add */
        set(c, rd, plain && word >> 25 == 0 && has_a && has_b, a + b);
        break;
    case 0x6F:
    case 0x67: /* after a call or the end nothing is known */
        c->known = 1;
        break;
    case 0x23:
    case 0x63:
    case 0x0F:
        break;
    default:
        set(c, rd, false, 0);
        break;
    }
}

static void put_word(FILE *out, enum tx_arch arch, enum tx_dis_style style, uint32_t word)
{
    char text[128];
    (void)tx_disassemble(arch, word, style, text, sizeof text);
    fputs(text, out);
}

/*
 * The code does not say which core runs it: that of a thread, or B, which also reaches the places
 * of all threads.
 */
static struct tx_tile_place place_of(enum tx_arch arch, uint32_t address)
{
    const struct tx_tile_place at = tx_tile_place(arch, TX_CORE_T0, address);
    return at.space != TX_SPACE_OTHER ? at : tx_tile_place(arch, TX_CORE_B, address);
}

/* Prints what a store of a constant or to a constant address does to the coprocessor. */
static void put_store(FILE *out, enum tx_arch arch, enum tx_dis_style style,
                      const struct constants *c, uint32_t word)
{
    enum { MOP_WORDS = 2 }; /* words of the template before its instructions, which are counts */
    uint32_t base;
    uint32_t value;
    const unsigned from = part(word, 20, 5);
    if ((word & 0x707F) != 0x2023 || !holds(c, part(word, 15, 5), &base)) {
        return;
    }
    const struct tx_tile_place at =
        place_of(arch, base + extended(part(word, 25, 7) << 5 | part(word, 7, 5), 12));
    bool insn = false;
    switch (at.space) {
    case TX_SPACE_PUSH:
        insn = true;
        fputs("  # pushes ", out);
        break;
    case TX_SPACE_MOP:
        insn = at.index >= MOP_WORDS && holds(c, from, &value) && value > 0xFFFFFF;
        fprintf(out, "  # MopCfg%u = ", at.index);
        break;
    case TX_SPACE_GPRS:
        fprintf(out, "  # GPR%u = ", at.index);
        break;
    case TX_SPACE_CONFIG:
        fprintf(out, "  # configuration word %u%s = ", at.index, at.part == 1 ? " of bank 1" : "");
        break;
    case TX_SPACE_CONFIG_BOTH:
        fprintf(out, "  # configuration word %u of both banks = ", at.index);
        break;
    default:
        return;
    }
    if (!holds(c, from, &value)) {
        fprintf(out, "what x%u holds", from);
    } else if (insn) {
        put_word(out, arch, style, value);
    } else {
        fprintf(out, "0x%x", (unsigned)value);
    }
}

bool dis_function(FILE *out, enum tx_arch arch, enum tx_dis_style style,
                  const struct txl_elf_function *f)
{
    struct constants c = {.known = 1};
    char text[96];
    bool *targets = calloc(f->code_count + 1, sizeof *targets);
    if (targets == NULL) {
        return false;
    }
    for (size_t i = 0; i < f->code_count; i++) {
        const uint64_t to = i + (uint64_t)((int64_t)(int32_t)jump(f->code[i]) / 4);
        if (jump(f->code[i]) != 0 && to < f->code_count) {
            targets[to] = true;
        }
    }
    for (size_t i = 0; i < f->code_count; i++) {
        const uint32_t word = f->code[i];
        const uint32_t pc = (uint32_t)f->address + (uint32_t)(4 * i);
        c.known = targets[i] ? 1 : c.known;
        fprintf(out, "%08x: ", (unsigned)pc);
        if ((word & 3) != 3) {
            put_word(out, arch, style, tx_ttinsn_undo(word));
        } else {
            tx_core_text(arch, word, pc, text, sizeof text);
            fputs(text, out);
            put_store(out, arch, style, &c, word);
            follow(&c, word, pc);
        }
        fputc('\n', out);
    }
    free(targets);
    return true;
}
