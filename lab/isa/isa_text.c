/* SPDX-License-Identifier: Apache-2.0 */
/* The tables as text: the whole list, and the parts of an explanation. */
#include <tensix/facts.h>

#include "isa/isa.h"

#include <string.h>

#include "base/memory.h"

const char *modes_text(unsigned set, char text[MODES_TEXT])
{
    const size_t size = MODES_TEXT;
    size_t used = 0;
    text[0] = '\0';
    if (set == 0xffffU) {
        snprintf(text, size, "all");
        return text;
    }
    for (unsigned mode = 0; mode < 16; mode++) {
        if ((set >> mode & 1U) != 0 && used < size) {
            used += (size_t)snprintf(text + used, size - used, "%s%u", used == 0 ? "" : " ", mode);
        }
    }
    if (used == 0) {
        snprintf(text, size, "none");
    }
    return text;
}

/* Prints the fields from bit 31 down and the bits between them as a table of two lines. */
void explain_picture(FILE *out, const struct tx_insn *insn)
{
    char lines[2][640] = {"    ", "    "};
    unsigned used[3] = {4, 4, 4};
    int bit = 31;
    while (bit >= 0) {
        const char *name = bit >= 24 ? "opcode" : "-";
        int low = bit >= 24 ? 24 : 0;
        for (unsigned i = 0; i < insn->field_count && bit < 24; i++) {
            const struct tx_field *f = &insn->fields[i];
            int top = f->lsb + f->width - 1;
            if (top == bit) {
                name = f->name;
                low = f->lsb;
                break;
            }
            if (top < bit && top + 1 > low) {
                low = top + 1;
            }
        }
        char range[16];
        snprintf(range, sizeof range, bit == low ? "%d" : "%d:%d", bit, low);
        const char *texts[2] = {range, name};
        int width = (int)(strlen(range) > strlen(name) ? strlen(range) : strlen(name));
        for (unsigned l = 0; l < 2; l++) {
            used[l] += (unsigned)snprintf(lines[l] + used[l], sizeof lines[l] - used[l], "| %-*s ",
                                          width, texts[l]);
        }
        bit = low - 1;
    }
    fprintf(out, "%s|\n%s|\n", lines[0], lines[1]);
}

static void print_mode(FILE *out, const struct tx_row *row, unsigned mode)
{
    char name[TXL_MODE_TEXT];
    char formula[TXL_MODE_TEXT];
    if (txl_row_mode_text(row, mode, TX_INSN_MODE_FORMULA, formula)[0] != '\0') {
        fprintf(out, "      %2u  %-22s  %s\n", mode,
                txl_row_mode_text(row, mode, TX_INSN_MODE_NAME, name), formula);
    }
}

void explain_row(FILE *out, const struct tx_row *row, unsigned modes_told)
{
    char modes[MODES_TEXT];
    char other[MODES_TEXT];
    unsigned beyond = row->modes & ~(unsigned)row->legal;
    fprintf(out, "\n%s  %s\n", row->id, row->summary);
    fprintf(out, "    modes     %s", modes_text(row->legal, modes));
    if (beyond != 0) {
        fprintf(out, "; outside the contract: %s", modes_text(beyond, other));
    }
    fputc('\n', out);
    for (unsigned mode = 0; mode < 16; mode++) {
        if ((modes_told >> mode & 1U) != 0) {
            print_mode(out, row, mode);
        }
    }
    fprintf(out, "    chips    ");
    for (enum tx_arch arch = TX_ARCH_FIRST; arch <= TX_ARCH_LAST; arch++) {
        if ((row->archs >> arch & 1) != 0) {
            fprintf(out, " %s", tx_arch_name(arch));
        }
    }
    fprintf(out, "\n    timing    %s sub-unit, result after %u cycle%s\n", txl_unit_name(row->unit),
            row->latency, row->latency == 1 ? "" : "s");
    char reads[TXL_SET_TEXT];
    char writes[TXL_SET_TEXT];
    char belief[TXL_SET_TEXT];
    fprintf(out, "    reads     %s\n", txl_row_set_text(row, TX_ROW_READS, reads));
    fprintf(out, "    writes    %s\n", txl_row_set_text(row, TX_ROW_WRITES, writes));
    if (strcmp(txl_row_set_text(row, TX_ROW_BELIEF, belief), reads) != 0) {
        fprintf(out, "    the interlock believes it reads %s\n", belief);
    }
    fprintf(out, "    source    %s\n", row->source != NULL ? row->source : "-");
}

static void print_rows(FILE *out, enum tx_arch arch, const struct tx_insn *insn)
{
    const struct tx_row *row;
    for (size_t i = 0; (row = tx_row_at(arch, i)) != NULL; i++) {
        if (row->insn != insn->opcode) {
            continue;
        }
        char modes[MODES_TEXT];
        fprintf(out, "       %-22s %-7s %u cycle%s  modes %-18s %s\n", row->id,
                txl_unit_name(row->unit), row->latency, row->latency == 1 ? " " : "s",
                modes_text(row->legal, modes), row->summary);
    }
}

static void print_arch(FILE *out, enum tx_arch arch)
{
    const struct tx_insn *insn;
    fprintf(out, "%s\n\n", tx_arch_name(arch));
    for (size_t i = 0; (insn = tx_insn_at(arch, i)) != NULL; i++) {
        fprintf(out, "  %02x   %-18s %-7s", insn->opcode, insn->name, txl_unit_name(insn->unit));
        for (unsigned f = 0; f < insn->field_count; f++) {
            fprintf(out, " %s[%u:%u]", insn->fields[f].name,
                    insn->fields[f].lsb + insn->fields[f].width - 1U, insn->fields[f].lsb);
        }
        fputc('\n', out);
        print_rows(out, arch, insn);
    }
    fputc('\n', out);
}

static void print_tables(FILE *out, enum tx_arch only)
{
    for (enum tx_arch arch = TX_ARCH_FIRST; arch <= TX_ARCH_LAST; arch++) {
        if (only == TX_ARCH_NONE || only == arch) {
            print_arch(out, arch);
        }
    }
    const struct tx_erratum *erratum;
    const struct tx_rule *rule;
    fprintf(out, "errata (tensix explain ID)\n\n");
    for (size_t i = 0; (erratum = tx_erratum_at(i)) != NULL; i++) {
        if (only == TX_ARCH_NONE || (erratum->archs >> only & 1) != 0) {
            fprintf(out, "  %-24s %s\n", erratum->id, erratum->rows);
        }
    }
    fprintf(out, "\nrule switches (--rule NAME=VALUE; the first value is the default)\n\n");
    for (size_t i = 0; (rule = tx_rule_at(i)) != NULL; i++) {
        fprintf(out, "  %-24s", rule->name);
        for (unsigned v = 0; v < 4 && rule->values[v] != NULL; v++) {
            fprintf(out, " %s", rule->values[v]);
        }
        fprintf(out, "  [%s]\n", rule->evidence != NULL ? rule->evidence : "-");
    }
}

char *txl_isa_text(enum tx_arch arch)
{
    struct memory_text text;
    if (memory_text_open(NULL, &text) != TXL_CONTINUE) {
        return NULL;
    }
    print_tables(text.stream, arch);
    return memory_text_take(&text);
}
