/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What programs did on an emulated card (the command "tensix card"): the report and its page, and
 * where the cycles of what they launched went.
 */
#ifndef TENSIX_LAB_CARD_H
#define TENSIX_LAB_CARD_H

#include <tensix-lab/error.h>
#include <tensix/chip.h>
#include <tensix/pcie.h>

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
 * Writes the profiles of a report to a file: FILE.ops.csv is the table that tt-perf-report reads, a
 * row for each launch; FILE.noc.json has the requests over the NoC for tt-npe, where they have been
 * kept; any other has the lines for people. Returns TXL_OK or TXL_INPUT.
 */
TXL_API int txl_card_profile_file(struct txl_error *err, const char *path, const char *report);

/*
 * For whoever drives a chip: what the tiles do between the beginning and the end of launches there.
 * A launch is a number, from 0 on; several tiles may take part in one. The chip must run in time,
 * without an executor; nobody else may listen to it or its tiles. The first launch of each set of
 * kernels is run again on a copy of the chip, without the time of one part after another.
 */
struct txl_card_host {
    size_t size; /* sizeof(struct txl_card_host) */
    tx_chip *chip;
    /* With which the chip was opened; what they point to must stay. NULL: nothing is run again. */
    const struct tx_chip_settings *settings;
    const tx_pcie *pcie; /* the chip's host; NULL: nothing is run again */
    /* The host's memory, which a copy of the chip reads; "write" is not called. NULL: zeros. */
    const struct tx_pcie_memory *memory;
};
struct txl_card_launch {
    size_t size; /* sizeof(struct txl_card_launch) */
    unsigned number;
    unsigned x, y;    /* of the tile, as it is to be named */
    uint64_t kernels; /* equal where the kernels of launches are */
    /* Word of L1 in which the highest byte is 0x80 until core B writes it at the launch's end. */
    uint32_t go;
};
typedef struct txl_card_profile txl_card_profile;
/* "events": requests over the NoC are kept, for the form of tt-npe. */
TXL_API int txl_card_profile_open(struct txl_error *err, const struct txl_card_host *host,
                                  bool events, txl_card_profile **profile);
/* A launch begins on the Tensix tile that is that endpoint. Returns TXL_OK or TXL_INPUT. */
TXL_API int txl_card_profile_begin(struct txl_error *err, txl_card_profile *profile, size_t index,
                                   const struct txl_card_launch *launch);
/* It has ended there. After the last tile's end the launch may be run again. */
TXL_API int txl_card_profile_end(struct txl_error *err, txl_card_profile *profile, size_t index,
                                 unsigned launch);
/* The host has written to a BAR of the chip. */
TXL_API void txl_card_profile_write(txl_card_profile *profile, unsigned bar, uint64_t offset,
                                    const void *bytes, size_t size);
/* To be called now and then while the chip runs: what takes too much memory is watched no more. */
TXL_API int txl_card_profile_look(struct txl_error *err, txl_card_profile *profile);
/* Returns what is known of a launch, as JSON; NULL: nothing. The caller frees it. */
TXL_API char *txl_card_profile_json(struct txl_error *err, const txl_card_profile *profile,
                                    unsigned launch);
TXL_API void txl_card_profile_close(txl_card_profile *profile); /* NULL does nothing */

#ifdef __cplusplus
}
#endif

#endif
