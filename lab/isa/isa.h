/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "isa": the public tables of libtensix as text and as JSON: the whole of them, and the
 * place in Dst of each lane. It may use base.
 */
#ifndef LAB_ISA_H
#define LAB_ISA_H

#include "base/error.h"

#include <tensix-lab/isa.h>

/* Writes a set of modes as "0 1 2", "none" or "all". */
enum { MODES_TEXT = 64 };
const char *modes_text(unsigned set, char text[MODES_TEXT]);

/*
 * Print the fields of an instruction from bit 31 down, and a behaviour with the formulas of these
 * modes.
 */
void explain_picture(FILE *out, const struct tx_insn *insn);
void explain_row(FILE *out, const struct tx_row *row, unsigned modes);

#endif
