/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "isa": the public tables of libtensix as text and as JSON: the whole of them, an explanation
 * of one thing in them, and the place in Dst of each lane. It may use base.
 */
#ifndef LAB_ISA_H
#define LAB_ISA_H

#include "base/error.h"

#include <tensix-lab/isa.h>

/* Writes a set of modes as "0 1 2", "none" or "all". */
enum { MODES_TEXT = 64 };
const char *modes_text(unsigned set, char text[MODES_TEXT]);

/* The question, and where the answer goes. */
struct explain {
    enum tx_arch arch; /* TX_ARCH_NONE: both */
    const char *subject, *value;
    FILE *out;      /* NULL: JSON is wanted */
    txl_json *json; /* the answer then */
};

bool explain_wants(const struct explain *e, enum tx_arch arch);
/* The kinds of subject, each in a file of its own. False: the subject is not of this kind. */
bool explain_mnemonic(struct explain *e);
bool explain_word(struct explain *e);
bool explain_id(struct explain *e);
bool explain_field(struct explain *e);
/* The configuration of SFPLOADMACRO. TXL_CONTINUE when the subject is not a part of it. */
int explain_macro(struct txl_error *err, struct explain *e);

/*
 * Print the fields of an instruction from bit 31 down, and a behaviour with the formulas of these
 * modes.
 */
void explain_picture(FILE *out, const struct tx_insn *insn);
void explain_row(FILE *out, const struct tx_row *row, unsigned modes);

#endif
