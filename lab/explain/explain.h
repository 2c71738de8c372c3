/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "explain": what is known of one thing that somebody asks for: a mnemonic, a word, a field,
 * an id of a finding, of a ruling, of an idiom or of a doubt. It may use base, isa and race.
 */
#ifndef LAB_EXPLAIN_H
#define LAB_EXPLAIN_H

#include "isa/isa.h"

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

#endif
