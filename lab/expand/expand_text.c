/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the straight-line form as a kernel file. */
#include "expand/expand.h"

#include "kernel/write.h"

/*
 * Returns how many words of .init from i on the straight-line form does not need: recordings, whose
 * replays are written out. When .init itself replays, all stay.
 */
static size_t recorded(const struct tx_program *p, size_t i)
{
    const uint32_t *words = tx_program_words(p, TX_SECTION_INIT);
    size_t left = tx_program_count(p, TX_SECTION_INIT) - i;
    struct tx_decoded d;
    for (size_t k = 0; k < tx_program_count(p, TX_SECTION_INIT); k++) {
        (void)tx_decode(tx_program_arch(p), words[k], &d);
        if (d.row != NULL && d.row->insn == TX_INSN_REPLAY &&
            tx_row_field(d.row, TX_FLD_LOAD, words[k]) == 0) {
            return 0;
        }
    }
    (void)tx_decode(tx_program_arch(p), words[i], &d);
    if (d.row != NULL && d.row->insn == TX_INSN_REPLAY) {
        const uint32_t count = tx_row_field(d.row, TX_FLD_COUNT, words[i]);
        const bool runs = tx_row_field(d.row, TX_FLD_EXEC, words[i]) != 0;
        size_t slots = runs ? 0 : count == 0 ? 32 : count;
        return slots + 1 < left ? slots + 1 : left;
    }
    return 0;
}

void expand_text(FILE *out, const struct expand *x)
{
    const struct tx_program *p = x->program;
    char text[128];
    fputs("# Straight-line form, written by tensix expand.\n", out);
    kernel_write_head(out, p);
    fprintf(out, ".init\n");
    struct tx_macro_reader macros = {.l0 = 0};
    for (size_t i = 0; i < tx_program_count(p, TX_SECTION_INIT); i++) {
        const uint32_t word = tx_program_words(p, TX_SECTION_INIT)[i];
        size_t skip = recorded(p, i);
        if (skip != 0) {
            i += skip - 1;
            continue;
        }
        /*
         * Nothing uses templates, sequences and Misc any more; delay kinds that stay armed are a
         * hazard, and templates are in the way of who schedules the kernel anew.
         */
        char meaning[256];
        if (tx_macro_follow(&macros, tx_program_arch(p), word, meaning, sizeof meaning)) {
            continue;
        }
        (void)tx_disassemble(tx_program_arch(p), word, TX_DIS_NORMAL, text, sizeof text);
        fprintf(out, "    %s\n", text);
    }
    fprintf(out, ".tile\n");
    for (size_t i = 0; i < x->out_count; i++) {
        (void)tx_disassemble(tx_program_arch(p), x->out[i], TX_DIS_NORMAL, text, sizeof text);
        fprintf(out, "    %s\n", text);
    }
}
