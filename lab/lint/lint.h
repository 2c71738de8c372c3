/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "lint": timing hazards, other findings, missing and superfluous SFPNOPs of programs that run
 * on random data. It may use base, kernel (to read programs) and flow (to run them).
 */
#ifndef LAB_LINT_H
#define LAB_LINT_H

#include <tensix-lab/lint.h>

#include "flow/feed.h"

struct lint_nop {
    uint32_t site;
    uint64_t cycles; /* saved in one run; 0: a note only */
    const char *rule;
    char text[160];
};

/* One program or function on one chip while it is looked at. */
struct lint_work {
    enum tx_arch arch;
    struct feed feed;
    struct feed_run run;
    struct lint_nop *nops;
    size_t nop_count, nop_room;
};

/* lint_nops.c: which SFPNOPs can go, which are missing. False: out of memory. */
bool lint_nops(struct lint_work *work);

/*
 * lint_same.c: marks what says the same as something earlier, so that a long program with one kind
 * of fault has one line. False: out of memory.
 */
bool lint_same(struct txl_lint_finding *findings, size_t finding_count, struct txl_lint_nop *nops,
               size_t nop_count);

#endif
