/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "lint": finds timing hazards, other findings, and missing and superfluous SFPNOPs in
 * programs by running them on random data. It may use base, kernel (to read programs) and flow (to
 * run them).
 */
#ifndef LAB_LINT_H
#define LAB_LINT_H

#include <tensix-lab/lint.h>

#include "flow/feed.h"

struct lint_nop {
    uint32_t site;
    uint64_t cycles; /* saved in one run; 0: only a note */
    const char *rule;
    char text[160];
};

/* One program or function on one chip while it is being judged. */
struct lint_work {
    enum tx_arch arch;
    struct feed feed;
    struct feed_run run;
    struct lint_nop *nops;
    size_t nop_count, nop_room;
};

/* lint_nops.c: finds superfluous and missing SFPNOPs. Returns false when out of memory. */
bool lint_nops(struct lint_work *work);

/*
 * lint_same.c: marks entries that say the same as an earlier one, so that a long program with one
 * kind of fault is reported in one line. Returns false when out of memory.
 */
bool lint_same(struct txl_lint_finding *findings, size_t finding_count, struct txl_lint_nop *nops,
               size_t nop_count);

#endif
