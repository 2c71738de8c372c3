/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A machine's finding in the one form that all reports have: as lines, and as JSON. As a sentence:
 * tx_finding_text. What it means on a card, and what to change: tx_finding_advice.
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

/* Writes the finding with an index into one; text is room for what one points to. */
enum { FINDING_PLACE = 256 };
typedef void finding_at(const void *user, size_t index, struct finding *one,
                        char text[FINDING_PLACE]);
/*
 * The lines of a report: findings of one cause together, in the order of their first ones, each
 * with a line of its own up to FINDING_LINES of them; then how many more there are, what the cause
 * means on a card, and what to change.
 */
enum { FINDING_LINES = 12 };
void findings_print(FILE *out, finding_at *at, const void *user, size_t count);
/* A finding_at of a tx_machine. */
void finding_of_machine(const void *machine, size_t index, struct finding *one,
                        char text[FINDING_PLACE]);
/* What tx_finding_json gives, and its advice. count is the number of occurrences, which the caller
 * may have summed over several runs. */
txl_json *finding_json(const struct tx_finding *finding, uint64_t count);

#endif
