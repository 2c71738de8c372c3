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

/* Returns the target of a branch or jump; the pc: the word is neither. */
static uint32_t target(enum tx_arch arch, uint32_t word, uint32_t pc)
{
    struct tx_core_decoded d;
    tx_core_decode(arch, word, &d);
    return d.kind == TX_CORE_KIND_BRANCH || d.kind == TX_CORE_KIND_JAL ? pc + d.imm : pc;
}

static void dis_riscv_follow(struct constants *c, const struct tx_core_decoded *d, uint32_t pc)
{
    uint32_t a;
    uint32_t b;
    uint32_t value = 0;
    const bool has_a = holds(c, d->rs1, &a);
    const bool has_b = holds(c, d->rs2, &b);
    if (d->kind == TX_CORE_KIND_JAL || d->kind == TX_CORE_KIND_JALR) {
        c->known = 1; /* after a call or the end nothing is known */
    } else {
        const bool known = d->kind == TX_CORE_KIND_COMPUTE && has_a && has_b &&
                           tx_core_compute(d, pc, a, b, &value);
        set(c, d->rd, known, value);
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
static struct tx_tile_place dis_riscv_place_of(enum tx_arch arch, uint32_t address)
{
    const struct tx_tile_place at = tx_tile_place(arch, TX_CORE_T0, address);
    return at.space != TX_SPACE_OTHER ? at : tx_tile_place(arch, TX_CORE_B, address);
}

/* Prints what a store of a constant or to a constant address does to the coprocessor. */
static void put_store(FILE *out, enum tx_arch arch, enum tx_dis_style style,
                      const struct constants *c, const struct tx_core_decoded *d)
{
    enum { MOP_WORDS = 2 }; /* words of the template before its instructions, which are counts */
    uint32_t base;
    uint32_t value;
    const unsigned from = d->rs2;
    if (d->kind != TX_CORE_KIND_STORE || d->size != 4 || !holds(c, d->rs1, &base)) {
        return;
    }
    const struct tx_tile_place at = dis_riscv_place_of(arch, base + d->imm);
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
        const uint32_t pc = (uint32_t)f->address + (uint32_t)(4 * i);
        const uint32_t to = target(arch, f->code[i], pc);
        const uint64_t at = (to - (uint32_t)f->address) / 4;
        if (to != pc && at < f->code_count) {
            targets[at] = true;
        }
    }
    for (size_t i = 0; i < f->code_count; i++) {
        const uint32_t word = f->code[i];
        const uint32_t pc = (uint32_t)f->address + (uint32_t)(4 * i);
        c.known = targets[i] ? 1 : c.known;
        fprintf(out, "%08x: ", (unsigned)pc);
        struct tx_core_decoded d;
        tx_core_decode(arch, word, &d);
        if (d.kind == TX_CORE_KIND_PUSH) {
            put_word(out, arch, style, d.imm);
        } else {
            tx_core_text(arch, word, pc, text, sizeof text);
            fputs(text, out);
            put_store(out, arch, style, &c, &d);
            dis_riscv_follow(&c, &d, pc);
        }
        fputc('\n', out);
    }
    free(targets);
    return true;
}
