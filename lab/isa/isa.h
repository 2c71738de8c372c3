/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "isa": the public tables of libtensix in words and as JSON: all of them, one thing of them
 * explained, and where in Dst a lane is. It may use base.
 */
#ifndef LAB_ISA_H
#define LAB_ISA_H

#include "base/error.h"

#include <tensix-lab/isa.h>

/* "0 1 2", "none", "all" */
enum { MODES_TEXT = 64 };
const char *modes_text(unsigned set, char text[MODES_TEXT]);

/* What is asked, and where the answer goes. */
struct explain {
    enum tx_arch arch; /* TX_ARCH_NONE: both */
    const char *subject, *value;
    FILE *out;      /* NULL: JSON is wanted */
    txl_json *json; /* made in its place */
};

bool explain_wants(const struct explain *e, enum tx_arch arch);
/* Three kinds of subject, each in a file of its own; false: the subject is none of its kind. */
bool explain_mnemonic(struct explain *e);
bool explain_word(struct explain *e);
bool explain_id(struct explain *e);
/* SFPLOADMACRO's configuration: TXL_CONTINUE where the subject is none of it. */
int explain_macro(struct txl_error *err, struct explain *e);

/* Fields of an instruction from bit 31 down; a behaviour with the formulas of some modes. */
void explain_picture(FILE *out, const struct tx_insn *insn);
void explain_row(FILE *out, const struct tx_row *row, unsigned modes);

#endif
