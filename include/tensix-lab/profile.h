/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where every cycle of a run goes: for each core, thread and unit what it did or waited for, the
 * path from the first cycle to the last that nothing can be taken from without making the run
 * shorter, what bounds it and what to change first.
 *
 *     const txl_profile *profile = txl_tensix_profile(tile); (tile.h, with options.profile; run.h)
 *     char *text = txl_profile_text(profile, TXL_PROFILE_TEXT);
 *
 * The cycles of a lane's parts always sum to those of the run.
 */
#ifndef TENSIX_LAB_PROFILE_H
#define TENSIX_LAB_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tensix-lab/error.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct txl_profile txl_profile;

enum txl_profile_kind { TXL_PROFILE_WORKS, TXL_PROFILE_WAITS, TXL_PROFILE_IDLE };
/* "works" ... */
TXL_API const char *txl_profile_kind_name(enum txl_profile_kind kind);

/* Structs that the library hands out may grow at their end. */
struct txl_profile_result {
    uint64_t cycles;
    unsigned lanes;        /* those in which anything happened */
    size_t steps;          /* of the path */
    const char *bound;     /* "vector", "matrix", "unpack", "pack", "delivery", "wait" ... */
    uint64_t bound_cycles; /* of the path */
    const char *change;    /* what to change first: a sentence */
    bool at_least;         /* cycles are a lower bound: of unpackers and packers no more is known */
};

/* What a lane spends cycles with; the longest first. */
struct txl_profile_part {
    enum txl_profile_kind kind;
    const char *text; /* "Vector Unit", "semaphore 1 to be above 0" */
    uint64_t cycles;
};
struct txl_profile_lane {
    const char *name;   /* "core t1", "T1", "Unpack 0", "Matrix" ... */
    uint64_t cycles[3]; /* by enum txl_profile_kind */
    unsigned part_count;
    const struct txl_profile_part *parts;
};

/* Cycles of the path, from before to, all of them together from 0 to the last cycle. */
struct txl_profile_step {
    uint64_t from, to;
    const char *lane; /* whose they are */
    const char *text, *bound;
    enum txl_profile_kind kind; /* waits: text is what for */
};

TXL_API const struct txl_profile_result *txl_profile_result(const txl_profile *profile);
/* NULL past the end. */
TXL_API const struct txl_profile_lane *txl_profile_lane(const txl_profile *profile, unsigned index);
TXL_API const struct txl_profile_step *txl_profile_step(const txl_profile *profile, size_t index);

enum txl_profile_form {
    TXL_PROFILE_TEXT,
    TXL_PROFILE_JSON,   /* an object; docs/profile.md */
    TXL_PROFILE_CHROME, /* trace event JSON, for ui.perfetto.dev: a track for each lane */
    TXL_PROFILE_HTML,   /* one page that needs nothing else */
    TXL_PROFILE_FORMS
};
/* free() it; NULL without memory. */
TXL_API char *txl_profile_text(const txl_profile *profile, enum txl_profile_form form);
/* Into a file: .html the page, .json trace events, else text. TXL_OK or TXL_INPUT. */
TXL_API int txl_profile_file(struct txl_error *err, const txl_profile *profile, const char *path);

#ifdef __cplusplus
}
#endif

#endif
