/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of evidence.def, rules.def and errata.def. */
#include "isa/chip.h"
#include "isa/evidence.h"

#include <string.h>

#include "isa/insn.h"

/*
 * Ids and names are objects, so that the tables can refer to each other: an id or a rule that does
 * not exist is a missing object and stops the compiler.
 */
#define EVIDENCE(ID, id_, ...) static const char evidence_name_##ID[] = id_;
#include "isa/evidence.def"
#undef EVIDENCE

#define RULE(ID, name_, ...) static const char rule_name_##ID[] = name_;
#include "isa/rules.def"
#undef RULE
#define rule_name_NONE NULL

/* The evidence that a rule refers to must refer to this rule. Other entries may refer to it too. */
enum { RULE_NONE = RULE_COUNT };
#define EVIDENCE(ID, id_, rows_, switch_, ...) SWITCH_OF_##ID = (int)RULE_##switch_,
enum {
#include "isa/evidence.def"
};
#undef EVIDENCE
#define VALUES(...) (sizeof((const char *[]){__VA_ARGS__}) / sizeof(const char *))
#define RULE(ID, name_, evidence_, ...)                                    \
    _Static_assert((int)SWITCH_OF_##evidence_ == (int)RULE_##ID,           \
                   "evidence " #evidence_ " does not name the rule " #ID); \
    _Static_assert(VALUES(__VA_ARGS__) >= 2 && VALUES(__VA_ARGS__) <= 3,   \
                   "two or three values in " #ID);
#include "isa/rules.def"
#undef RULE

#define EVIDENCE(ID, id_, rows_, switch_, text_, source_) \
    {.id = evidence_name_##ID,                            \
     .rows = rows_,                                       \
     .text = text_,                                       \
     .source = source_,                                   \
     .rule = rule_name_##switch_},
static const struct tx_evidence evidence[EVIDENCE_COUNT] = {
#include "isa/evidence.def"
};
#undef EVIDENCE

#define RULE(ID, name_, evidence_, ...) \
    {.name = rule_name_##ID, .values = {__VA_ARGS__}, .evidence = evidence_name_##evidence_},
static const struct tx_rule rules[RULE_COUNT] = {
#include "isa/rules.def"
};
#undef RULE

#define WH CHIPS_WH
#define BH CHIPS_BH
#define BOTH (WH | BH)
#define ERRATUM(ID, id_, chips_, rows_, text_, evidence_) \
    {.id = id_, .archs = (uint8_t)(chips_), .rows = rows_, .text = text_, .evidence = evidence_},
static const struct tx_erratum errata[ERRATUM_COUNT] = {
#include "isa/errata.def"
};
#undef ERRATUM

const struct tx_evidence *evidence_get(enum evidence_id id)
{
    return &evidence[id];
}

const struct tx_evidence *tx_evidence_at(size_t index)
{
    return index < EVIDENCE_COUNT ? &evidence[index] : NULL;
}

const struct tx_rule *tx_rule_at(size_t index)
{
    return index < RULE_COUNT ? &rules[index] : NULL;
}

const struct tx_erratum *tx_erratum_at(size_t index)
{
    return index < ERRATUM_COUNT ? &errata[index] : NULL;
}

/* Returns whether an instruction, on any chip, is in a list of mnemonics. */
static bool list_names(const char *list, enum tx_insn_id insn)
{
    const struct insn_form *form;
    while (*list != '\0') {
        const size_t length = strcspn(list, " ");
        for (size_t i = 0; (form = insn_form_at(i)) != NULL; i++) {
            if (form->pub.opcode == insn && insn_name_is(form, list, length)) {
                return true;
            }
        }
        list += length;
        list += strspn(list, " ");
    }
    return false;
}

bool tx_erratum_names(const struct tx_erratum *erratum, enum tx_insn_id insn)
{
    return list_names(erratum->rows, insn);
}

bool tx_evidence_names(const struct tx_evidence *entry, enum tx_insn_id insn)
{
    return list_names(entry->rows, insn);
}
