/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/write.h"

void kernel_write_head(FILE *out, const struct tx_program *p)
{
    fprintf(out, ".arch %s\n", tx_arch_name(tx_program_arch(p)));
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
}

void kernel_write_section(FILE *out, const struct tx_program *p, unsigned section)
{
    char text[128];
    for (size_t i = 0; i < tx_program_count(p, section); i++) {
        (void)tx_disassemble(tx_program_arch(p), tx_program_words(p, section)[i], TX_DIS_NORMAL,
                             text, sizeof text);
        fprintf(out, "    %s\n", text);
    }
}
