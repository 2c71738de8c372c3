/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the straight-line form as a kernel file. */
#include "expand/expand.h"

/*
 * Returns whether a word configures sequences or Misc. Nothing uses them any more, and delay kinds
 * that stay armed are a hazard.
 */
static bool is_setup(const struct tx_program *p, uint32_t word)
{
    struct tx_decoded d;
    if (tx_insn_id_of(tx_program_arch(p), word) != TX_INSN_SFPCONFIG) {
        return false;
    }
    (void)tx_decode(tx_program_arch(p), word, &d);
    const uint32_t to = tx_row_field(d.row, TX_FLD_VD, word);
    return to >= 4 && to <= 8;
}

/*
 * Returns how many words of .init from i on the straight-line form does not need: those that only
 * prepare SFPLOADMACRO, and recordings, whose replays are written out. When .init itself replays,
 * all stay.
 */
static size_t superfluous(const struct tx_program *p, size_t i)
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
        size_t recorded = runs ? 0 : count == 0 ? 32 : count;
        return recorded + 1 < left ? recorded + 1 : left;
    }
    return is_setup(p, words[i]) ? 1 : 0;
}

void expand_text(FILE *out, const struct expand *x)
{
    const struct tx_program *p = x->program;
    char text[128];
    fprintf(out, "# Straight-line form, written by tensix expand.\n.arch %s\n",
            tx_arch_name(tx_program_arch(p)));
    if (tx_program_title(p)[0] != '\0') {
        fprintf(out, ".title \"%s\"\n", tx_program_title(p));
    }
    if (tx_program_dst(p) != TX_DST_FORMAT_UNSET) {
        fprintf(out, ".dst %s\n", tx_dst_format_name(tx_program_dst(p)));
    }
    if (tx_program_start(p) != TX_START_UNSET) {
        fprintf(out, ".start %s\n", tx_start_name(tx_program_start(p)));
    }
    if (tx_program_out(p) != TX_DST_FORMAT_UNSET) {
        fprintf(out, ".out %s\n", tx_dst_format_name(tx_program_out(p)));
    }
    if (tx_program_reference(p)[0] != '\0') {
        fprintf(out, ".reference %s\n", tx_program_reference(p));
    }
    fprintf(out, ".inputs %u\n.output %u\n", tx_program_inputs(p), tx_program_output(p));
    for (unsigned i = 0; i < tx_program_config_count(p); i++) {
        fprintf(out, ".config %s, %u\n", tx_program_config_name(p, i),
                tx_program_config_value(p, i));
    }
    fprintf(out, ".init\n");
    for (size_t i = 0; i < tx_program_count(p, TX_SECTION_INIT); i++) {
        size_t skip = superfluous(p, i);
        if (skip != 0) {
            i += skip - 1;
            continue;
        }
        (void)tx_disassemble(tx_program_arch(p), tx_program_words(p, TX_SECTION_INIT)[i],
                             TX_DIS_NORMAL, text, sizeof text);
        fprintf(out, "    %s\n", text);
    }
    fprintf(out, ".tile\n");
    for (size_t i = 0; i < x->out_count; i++) {
        (void)tx_disassemble(tx_program_arch(p), x->out[i], TX_DIS_NORMAL, text, sizeof text);
        fprintf(out, "    %s\n", text);
    }
}
