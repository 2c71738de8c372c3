/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accounts for every cycle of a run: what each core, thread and unit did or waited for, the
 * critical path (any shortening of which shortens the run), what limits the run, and what to change
 * first.
 *
 *     const txl_profile *profile = txl_tensix_profile(tile); (tile.h, with options.profile; run.h)
 *     char *text = txl_profile_text(profile, TXL_PROFILE_TEXT);
 *
 * A lane is one core, thread or unit; the cycles of its parts always add up to those of the run.
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
/* Returns "works", "waits" or "idle". */
TXL_API const char *txl_profile_kind_name(enum txl_profile_kind kind);

/* Structs returned by the library may grow at their end. */
struct txl_profile_result {
    uint64_t cycles;
    unsigned lanes; /* number of lanes with any activity */
    size_t steps;   /* of the critical path */
    /* what limits the run: "vector", "matrix", "unpack", "pack", "delivery", "wait" ... */
    const char *bound;
    uint64_t bound_cycles; /* cycles of the critical path that are due to it */
    const char *change;    /* advice on what to change first: a sentence */
    bool at_least;         /* cycles are only a lower bound */
    uint32_t bounds;       /* for these reasons, enum tx_bound */
    unsigned trials;       /* repetitions of the run without the time of a unit */
};

/*
 * What the run takes without a unit's time: it has been repeated with TX_PACE_HALF and
 * TX_PACE_NONE. The first one saves most.
 */
struct txl_profile_trial {
    const char *unit;    /* as in "bound" */
    uint64_t path;       /* cycles of the critical path that are due to it */
    uint64_t half, none; /* cycles of the repeated run; half: 0 except for the first one */
    bool differs;        /* memory is another at the end: results depend on time */
    bool stuck;          /* the repeated run did not end: something is ordered by time alone */
};

/* One cause of a lane's cycles; parts are sorted by falling cycles. */
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

/*
 * A step of the critical path: the cycles from from to before to. Steps follow each other without
 * gaps from cycle 0 to the last.
 */
struct txl_profile_step {
    uint64_t from, to;
    const char *lane; /* the lane that they belong to */
    const char *text, *bound;
    enum txl_profile_kind kind; /* for TXL_PROFILE_WAITS text says what it waits for */
};

TXL_API const struct txl_profile_result *txl_profile_result(const txl_profile *profile);
/* NULL past the end. */
TXL_API const struct txl_profile_lane *txl_profile_lane(const txl_profile *profile, unsigned index);
TXL_API const struct txl_profile_step *txl_profile_step(const txl_profile *profile, size_t index);

TXL_API const struct txl_profile_trial *txl_profile_trial(const txl_profile *profile,
                                                          unsigned index);

/*
 * Sets paces (tx_settings.pace) from UNIT=PACE texts, as tx_settings_pace takes them. False: err
 * says which is none.
 */
TXL_API bool txl_paces(struct txl_error *err, const char *const *texts, unsigned count,
                       uint8_t *pace);

enum txl_profile_form {
    TXL_PROFILE_TEXT,
    TXL_PROFILE_JSON,   /* an object, see docs/profile.md */
    TXL_PROFILE_CHROME, /* trace event JSON for ui.perfetto.dev, with a track for each lane */
    TXL_PROFILE_HTML,   /* one self-contained page */
    TXL_PROFILE_FORMS
};
/* Returns the report in a form; the caller frees it. NULL without memory. */
TXL_API char *txl_profile_text(const txl_profile *profile, enum txl_profile_form form);
/*
 * Writes the report to a file in the form that its name chooses: .html page, .json trace events,
 * else text. Returns TXL_OK or TXL_INPUT.
 */
TXL_API int txl_profile_file(struct txl_error *err, const txl_profile *profile, const char *path);

#ifdef __cplusplus
}
#endif

#endif
