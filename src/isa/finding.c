/* SPDX-License-Identifier: Apache-2.0 */
#include "isa/finding.h"

#include <tensix/base.h>

#include "isa/evidence.h"

const struct finding_info *finding_info(enum finding_kind kind)
{
    static const struct finding_info findings[FINDING_KINDS] = {
#define FINDING(room, ID, evidence_, name_, category_, text_) \
    {EVIDENCE_##evidence_, TX_##category_, name_, text_},
#include "isa/findings.def"
    };
    return &findings[kind];
}
