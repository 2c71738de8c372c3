/* SPDX-License-Identifier: Apache-2.0 */
#include "cli.h"

#include "print/tables.h"

const char *table_modes_text(unsigned set, char *text, size_t size)
{
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

bool table_row_of(const struct tx_row *row, const struct tx_insn *insn)
{
    return row->insn == insn->opcode;
}
