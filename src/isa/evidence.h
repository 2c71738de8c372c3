/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of evidence, rule switches and errata. The public view is in tensix/isa.h. */
#ifndef TX_ISA_EVIDENCE_H
#define TX_ISA_EVIDENCE_H

#include <tensix/machine.h>

/* In the order of evidence.def; also the index of tx_evidence_at. */
enum evidence_id {
#define EVIDENCE(ID, ...) EVIDENCE_##ID,
#include "isa/evidence.def"
#undef EVIDENCE
    EVIDENCE_COUNT
};

/* In the order of rules.def; also the index into tx_settings.rules. Value 0 is the default. */
enum rule_id {
#define RULE(ID, ...) RULE_##ID,
#include "isa/rules.def"
#undef RULE
    RULE_COUNT
};
_Static_assert((int)RULE_COUNT <= (int)TX_MAX_RULES, "more rules than tx_settings has room for");

/* In the order of errata.def; also the index of tx_erratum_at. */
enum erratum_id {
#define ERRATUM(ID, ...) ERRATUM_##ID,
#include "isa/errata.def"
#undef ERRATUM
    ERRATUM_COUNT
};

const struct tx_evidence *evidence_get(enum evidence_id id);

#endif
