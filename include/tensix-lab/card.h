/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What programs did on an emulated card (the command "tensix card"): the report and its page, and
 * where the cycles of what they launched went.
 */
#ifndef TENSIX_LAB_CARD_H
#define TENSIX_LAB_CARD_H

#include <tensix-lab/error.h>
#include <tensix/chip.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A command that has ended. */
struct txl_card_ended {
    size_t size;                /* sizeof(struct txl_card_ended) */
    const char *const *command; /* its words, then NULL */
    const char *const *session; /* what each chip of each process has reported, as JSON */
    unsigned sessions, lost;    /* lost: processes that were killed before they could report */
    int status;
    double seconds;
    const char *const *finding; /* sentences, for what is printed */
    unsigned findings;
    const char *races; /* what nothing orders, as txl_order_json_text has it; NULL: nobody looked */
};
/*
 * Returns the report as JSON: docs/card.md says what is in it. Profiles of launches are summed up
 * by the names of their kernels. NULL: err says why. The caller frees it.
 */
TXL_API char *txl_card_report(struct txl_error *err, const struct txl_card_ended *ended);
/* What the command prints of it, as lines and as JSON; to be freed, NULL without memory. */
TXL_API char *txl_card_text(const struct txl_card_ended *ended);
TXL_API char *txl_card_json(const struct txl_card_ended *ended);
/* Writes a report to a file: as a self-contained page where its name ends in .html, else as it is.
 * Returns TXL_OK or TXL_INPUT. */
TXL_API int txl_card_file(struct txl_error *err, const char *path, const char *report);
/* Writes a self-contained page to a file. Returns TXL_OK or TXL_INPUT. */
TXL_API int txl_card_page(struct txl_error *err, const char *path, const char *report);
/* Returns what a report says of profiles, for people. The caller frees it. */
TXL_API char *txl_card_profile_text(struct txl_error *err, const char *report);

/*
 * For whoever drives a chip: what the tiles do between the beginning and the end of launches there.
 * A launch is a number, from 0 on; several tiles may take part in one. The chip must run in time,
 * without an executor; nobody else may listen to it or its tiles.
 */
typedef struct txl_card_profile txl_card_profile;
TXL_API int txl_card_profile_open(struct txl_error *err, tx_chip *chip, txl_card_profile **profile);
/* A launch begins on the Tensix tile that is that endpoint. Returns TXL_OK or TXL_INPUT. */
TXL_API int txl_card_profile_begin(struct txl_error *err, txl_card_profile *profile, size_t index);
/* It has ended: what the tile has done is added to the launch. */
TXL_API int txl_card_profile_end(struct txl_error *err, txl_card_profile *profile, size_t index,
                                 unsigned launch);
/* Returns what is known of a launch, as JSON; NULL: nothing. The caller frees it. */
TXL_API char *txl_card_profile_json(struct txl_error *err, const txl_card_profile *profile,
                                    unsigned launch);
TXL_API void txl_card_profile_close(txl_card_profile *profile); /* NULL does nothing */

#ifdef __cplusplus
}
#endif

#endif
