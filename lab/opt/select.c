/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conditions become selections where these are fewer instructions and no flags: SFPSETCC by the top
 * bit of a register, one masked instruction, and what lets all lanes run again. What comes out is a
 * candidate; opt proves it against the kernel as it was given.
 */
#include "opt/opt.h"

#include <tensix/facts.h>

#include <stdlib.h>
#include <string.h>

#include "flow/operands.h"
#include "kernel/write.h"

enum { LINE = 128, LREGS = 8 };

struct lines {
    const struct tx_program *program;
    size_t count;
    char (*text)[LINE];
};

/* One condition: the register c that is tested, and what happens where it holds. */
struct condition {
    unsigned c, negative; /* negative: the top bit is set where it holds */
    unsigned d;           /* the register that changes */
    bool zero;            /* it becomes 0, else it changes its sign */
    size_t words;
};

static enum tx_insn_id insn_of(const struct tx_program *p, unsigned section, size_t i)
{
    return tx_insn_id_of(tx_program_arch(p), tx_program_words(p, section)[i]);
}

static bool read_lines(struct lines *l, const struct tx_program *p)
{
    l->program = p;
    l->count = tx_program_count(p, TX_SECTION_TILE);
    l->text = calloc(l->count + 1, sizeof *l->text);
    for (size_t i = 0; i < l->count && l->text != NULL; i++) {
        (void)tx_disassemble(tx_program_arch(p), tx_program_words(p, TX_SECTION_TILE)[i],
                             TX_DIS_NORMAL, l->text[i], LINE);
    }
    return l->text != NULL;
}

static bool is(const struct lines *l, size_t i, const char *text)
{
    return i < l->count && strcmp(l->text[i], text) == 0;
}

/* Reads what begins at a word of the tile. Returns whether it is such a condition. */
static bool read_condition(const struct lines *l, size_t first, struct condition *c)
{
    const bool pushed = is(l, first, "sfppushc 0");
    const size_t i = first + pushed;
    unsigned mode = 0;
    unsigned from = 0;
    int length = 0;
    if (i + 2 >= l->count || sscanf(l->text[i], "sfpsetcc L%u,0x000,%u", &c->c, &mode) != 2 ||
        (mode != TX_MOD_SFPSETCC_LREG_LT0 && mode != TX_MOD_SFPSETCC_LREG_GTE0)) {
        return false;
    }
    c->negative = mode == TX_MOD_SFPSETCC_LREG_LT0;
    c->words = 3 + pushed;
    c->zero = sscanf(l->text[i + 1], "sfploadi L%u,0,%u%n", &c->d, &mode, &length) == 2 &&
              l->text[i + 1][length] == '\0' && mode < TX_MOD_SFPLOADI_UPPER;
    return (c->zero || (sscanf(l->text[i + 1], "sfpmov L%u,L%u,%u", &c->d, &from, &mode) == 3 &&
                        mode == TX_MOD_SFPMOV_NEGATE && from == c->d)) &&
           is(l, i + 2, pushed ? "sfppopc 0" : "sfpencc 0x003,10");
}

/* A register that no word names, or LREGS. */
static unsigned spare(const struct lines *l)
{
    char text[LINE];
    char name[4];
    unsigned used = 0;
    const size_t init = tx_program_count(l->program, TX_SECTION_INIT);
    for (size_t i = 0; i < init + l->count; i++) {
        const char *line = i < init ? text : l->text[i - init];
        const uint32_t word = i < init ? tx_program_words(l->program, TX_SECTION_INIT)[i]
                                       : tx_program_words(l->program, TX_SECTION_TILE)[i - init];
        if (i < init) {
            (void)tx_disassemble(tx_program_arch(l->program), word, TX_DIS_NORMAL, text,
                                 sizeof text);
        }
        struct tx_decoded d = {.row = NULL};
        (void)tx_decode(tx_program_arch(l->program), word, &d);
        used |= d.row != NULL ? flow_fixed(d.row->reads | d.row->writes) : 0;
        for (unsigned r = 0; r < LREGS; r++) {
            snprintf(name, sizeof name, "L%u", r);
            used |= strstr(line, name) != NULL ? 1U << r : 0; /* L1 of L10, too: no harm */
        }
    }
    for (unsigned r = LREGS - 1; r-- > 0;) { /* L7 may name another one */
        if ((used >> r & 1) == 0) {
            return r;
        }
    }
    return LREGS;
}

/* Writes the selection that stands for a condition. Returns false where none is shorter. */
static bool write_selection(FILE *out, const struct lines *l, const struct condition *c,
                            unsigned free)
{
    const bool shifts =
        tx_arch_fact(tx_program_arch(l->program), TX_FACT_ARITHMETIC_BH) != 0 && free < LREGS;
    if (!c->zero && c->d == c->c) { /* the magnitude, or less than that */
        fprintf(out, "sfpsetsgn L%u,L%u,%u,1\n", c->d, c->d, c->negative ? 0 : 1);
        return true;
    }
    if (c->zero && c->negative && c->d == c->c) { /* the greater of it and 0 */
        fprintf(out, "sfpswap L%u,L9,9\nsfpnop\n", c->d);
        return true;
    }
    if (c->zero && !c->negative && shifts) {
        fprintf(out, "sfpshft L%u,L%u,-31,7\nsfpand L%u,L0,L%u,0\n", free, c->c, c->d, free);
        return true;
    }
    return false;
}

static bool has_replay(const struct lines *l)
{
    bool any = false;
    for (size_t i = 0; i < l->count; i++) {
        const enum tx_insn_id insn = insn_of(l->program, TX_SECTION_TILE, i);
        any = any || insn == TX_INSN_REPLAY || insn == TX_INSN_MOP;
    }
    return any;
}

static unsigned write_tile(FILE *out, const struct lines *l)
{
    const unsigned free = spare(l);
    unsigned made = 0;
    bool all = true; /* lanes run */
    for (size_t i = 0; i < l->count;) {
        struct condition c;
        if (all && read_condition(l, i, &c) && write_selection(out, l, &c, free)) {
            made++;
            i += c.words;
            continue;
        }
        fprintf(out, "%s\n", l->text[i]);
        all = is(l, i, "sfpencc 0x003,10") ||
              (all && !is(l, i, "sfppushc 0") &&
               insn_of(l->program, TX_SECTION_TILE, i) != TX_INSN_SFPSETCC);
        i++;
    }
    return made;
}

int opt_select(struct txl_error *err, const struct tx_program *program, char **text,
               unsigned *selections)
{
    struct lines l;
    struct memory_text made;
    *text = NULL;
    *selections = 0;
    if (!read_lines(&l, program)) {
        return no_memory(err);
    }
    int result = has_replay(&l) ? TXL_CONTINUE : memory_text_open(err, &made);
    if (result == TXL_CONTINUE && !has_replay(&l)) {
        kernel_write_head(made.stream, program);
        fputs(".init\n", made.stream);
        kernel_write_section(made.stream, program, TX_SECTION_INIT);
        fputs(".tile\n", made.stream);
        *selections = write_tile(made.stream, &l);
        result = memory_text_give(err, &made, TXL_OK, text) == TXL_OK ? TXL_CONTINUE : TXL_INPUT;
    }
    if (*selections == 0) {
        free(*text);
        *text = NULL;
    }
    free(l.text);
    return result;
}
