/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the kernel as text: head comment, constants, .init, rows. */
#include "form/form.h"

#include <string.h>

enum { WIDTH = 92, TILE_ROWS = 32, ROW_STEP = 2 };

static void form_comment(FILE *out, const char *label, const char *text)
{
    size_t used = 0;
    const char *p = text;
    while (*p == ' ') {
        p++;
    }
    fprintf(out, "# %-10s", label);
    while (*p != '\0') {
        const size_t word = strcspn(p, " ");
        if (used != 0 && used + word + 1 > WIDTH - 12) {
            fprintf(out, "\n#           ");
            used = 0;
        }
        fprintf(out, "%s%.*s", used == 0 ? "" : " ", (int)word, p);
        used += word + (used == 0 ? 0 : 1);
        p += word;
        while (*p == ' ') {
            p++;
        }
    }
    fputc('\n', out);
}

static const char *decimal(enum tx_dst_format format, double value, char text[64])
{
    return txl_number_text(format, txl_number_word(format, value), text, 64);
}

static void write_constant(FILE *out, const struct form_constant *k)
{
    static const char *const type[] = {"fp32", "bf16", "fp16", ""};
    static const char *const call[] = {"float", "bf16", "fp16", ""};
    const enum tx_dst_format format = k->type == FORM_BF16   ? TX_DST_FORMAT_BF16
                                      : k->type == FORM_FP16 ? TX_DST_FORMAT_FP16
                                                             : TX_DST_FORMAT_FP32;
    char text[64];
    if (k->type == FORM_BITS) {
        fprintf(out, "%s = 0x%08x\n", k->name, k->bits);
    } else if (k->free) {
        fprintf(out, ".free %s = float(%s) in %s\n", k->name, decimal(format, k->value, text),
                type[k->type]);
    } else {
        fprintf(out, "%s = %s(%s)\n", k->name, call[k->type], decimal(format, k->value, text));
    }
}

static void write_init(FILE *out, const struct form_code *c)
{
    fputs(".init\n", out);
    if (c->flags) {
        fputs("    sfpencc     3, 10\n", out);
    }
    for (unsigned i = 0; i < c->constants; i++) {
        if (c->constant[i].reg >= FORM_REGS) {
            fprintf(out, ".loadi L0, %s\n    sfpconfig   %d, 0, 0\n", c->constant[i].name,
                    c->constant[i].reg);
        }
    }
    for (unsigned i = 0; i < c->constants; i++) {
        if (c->constant[i].reg != FORM_NONE && c->constant[i].reg < FORM_REGS) {
            fprintf(out, ".loadi L%d, %s\n", c->constant[i].reg, c->constant[i].name);
        }
    }
}

static int reg_of(const struct form_plan *plan, int value)
{
    return value >= FORM_REGISTER ? value - FORM_REGISTER : plan->reg[value];
}

/* Writes an instruction, which can have several lines, with mnemonics padded to a column. */
static void write_op(FILE *out, const struct form_plan *plan, const struct form_op *op)
{
    for (const char *p = op->text; *p != '\0'; p += *p == '\n' ? 1 : 0) {
        const size_t name = strcspn(p, " \n");
        fprintf(out, "    %-11.*s", (int)name, p);
        for (p += name; *p != '\0' && *p != '\n'; p++) {
            if (*p != '%') {
                fputc(*p, out);
            } else if (*++p == 'i') {
                fprintf(out, op->row == 0 ? "ROW" : "ROW + %d", ROW_STEP * op->row);
            } else if (*p == 'B') {
                fprintf(out, "%d", reg_of(plan, op->in[1]));
            } else {
                fprintf(out, "L%d", reg_of(plan, *p == 'd' ? op->out : op->in[*p - 'a']));
            }
        }
        fputc('\n', out);
    }
}

static void write_rows(FILE *out, const struct form_plan *plan)
{
    unsigned now = 0;
    fprintf(out, ".tile\nROW = 0\n.rept %u\n", TILE_ROWS / plan->rows);
    for (unsigned i = 0; i < plan->ops; i++) {
        const struct form_op *op = &plan->op[plan->order[i]];
        for (; now < plan->time[i]; now++) {
            fputs("    sfpnop\n", out);
        }
        write_op(out, plan, op);
        now += op->cycles;
    }
    fprintf(out, "    ROW = ROW + %u\n.endr\n", ROW_STEP * plan->rows);
}

void form_write(FILE *out, const struct form_code *c, const struct form_plan *plan,
                const struct form_head *head)
{
    fprintf(out, "# Written by tensix fit --form %s.\n#\n", head->form);
    form_comment(out, "Method", c->method);
    fprintf(
        out,
        "# Cycles    %.5g per row of 32 elements, %u row%s at a time; %s form of polynomials.\n",
        (double)plan->length / plan->rows, plan->rows, plan->rows == 1 ? "" : "s",
        c->pairs ? "Estrin's" : "Horner's");
    fprintf(out, ".arch      %s\n.title     \"%s by %s\"\n.dst       %s\n.reference %s\n",
            tx_arch_name(c->arch), head->reference, head->form, head->dst, head->reference);
    for (unsigned i = 0; i < c->constants; i++) {
        if (c->constant[i].used) {
            write_constant(out, &c->constant[i]);
        }
    }
    write_init(out, c);
    write_rows(out, plan);
}
