/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds of findings about cores, the NoC and the host's side: isa/findings.def. */
#ifndef TX_ISA_FINDING_H
#define TX_ISA_FINDING_H

#include <stdint.h>

enum finding_kind {
#define FINDING(room, ID, ...) room##_FINDING_##ID,
#include "isa/findings.def"
    FINDING_KINDS
};

struct finding_info {
    uint16_t evidence;       /* enum evidence_id */
    uint8_t category;        /* enum tx_category */
    const char *name, *text; /* name: "" where the text needs no number */
};
const struct finding_info *finding_info(enum finding_kind kind);

#endif
