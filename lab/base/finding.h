/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A machine's finding in the one form that all reports have: as a line, and as JSON. As a sentence:
 * tx_finding_text.
 */
#ifndef LAB_BASE_FINDING_H
#define LAB_BASE_FINDING_H

#include <stdio.h>

#include <tensix-lab/json.h>
#include <tensix/finding.h>

/* A finding, and what only the run knows that it comes from. */
struct finding {
    const struct tx_finding *what;
    const char *place;  /* such as "tile 1,2"; NULL: there is one only */
    const char *source; /* "file:line"; NULL: it is not known */
    unsigned tiles;     /* that have it, where more than one */
    bool dated;         /* its first cycle is of use */
};

/* The line of a report. */
void finding_print(FILE *out, const struct finding *finding);
/* What tx_finding_json gives. count is the number of occurrences, which the caller may have summed
 * over several runs. */
txl_json *finding_json(const struct tx_finding *finding, uint64_t count);

#endif
