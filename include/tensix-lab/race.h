/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Races: accesses to state that threads and units share which the program does not order, found on
 * any run, whatever its timing happened to do. Order comes from what the architecture promises
 * only: program order within a unit, STALLWAIT and SEMWAIT with their real masks, semaphores,
 * mutexes, banks of Src that are handed over.
 *
 *     struct txl_race_options how = {.size = sizeof how};
 *     txl_race *race;
 *     if (txl_race_open(&err, program, &how, &race) == TXL_OK &&
 *         txl_race_run(&err, race) == TXL_NEGATIVE && err.status == TXL_OK) {
 *         fputs(txl_race_found_at(race, 0)->remedy, stdout);
 *     }
 *     txl_race_close(race);
 */
#ifndef TENSIX_LAB_RACE_H
#define TENSIX_LAB_RACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tensix-lab/base.h>
#include <tensix-lab/tile.h>
#include <tensix/tensix.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct txl_race txl_race;

/* What it points to must stay until txl_race_close. */
struct txl_race_options {
    size_t size;                            /* of this struct */
    const char *name;                       /* of the kernel; NULL: "kernel" */
    const struct tx_settings *settings;     /* NULL: the defaults; sink and watch are not used */
    const struct tx_kernel_options *kernel; /* NULL: the defaults */
    size_t kernel_size;                     /* sizeof *kernel */
    const char *const *sets;                /* configuration, as "FIELD=VALUE" */
    unsigned set_count;
    /* Files into L1, as in struct txl_run_options; what none of them fills holds random bytes. */
    const char *const *l1_in;
    unsigned l1_in_count;
    const char *scratch; /* folder for arrays out of an .npz; NULL: /tmp */
    bool no_idioms;      /* report also what is known to be safe though nothing orders it */
    char reserved[7];    /* zero */
};

/* Reads the program. TXL_OK: *race is the caller's; else it is NULL. */
TXL_API int txl_race_open(struct txl_error *err, const struct tx_program *program,
                          const struct txl_race_options *options, txl_race **race);
TXL_API void txl_race_close(txl_race *race); /* NULL is allowed */
/*
 * .init and one .tile, once. TXL_OK: no race. TXL_NEGATIVE: there are, err is empty then; or the
 * program stopped, and err says why. TXL_INPUT.
 */
TXL_API int txl_race_run(struct txl_error *err, txl_race *race);

/*
 * After it: for each race runs the program again with one of the two instructions delayed, the
 * shortest delay first, until L1, Dst, registers or configuration end up different. budget: trials
 * for each race, 0: 200. TXL_OK, whatever was found; TXL_INPUT.
 */
TXL_API int txl_race_witness(struct txl_error *err, txl_race *race, uint64_t budget);
/*
 * One run with delays, "T1/5~3,T0/2+40": the effect of instruction 5 of T1, counted from 0 as they
 * pass their gate, comes 3 cycles later, instruction 2 of T0 comes to its gate 40 cycles later.
 * TXL_NEGATIVE: it ends differently from the run without, and what says where. TXL_OK: it does not.
 */
TXL_API int txl_race_replay(struct txl_error *err, txl_race *race, const char *delays,
                            char what[256]);

/*
 * The same of a tile with its cores: between txl_tensix_open and txl_tensix_run; options: only
 * no_idioms counts, NULL: none. Then, before the tile is closed, the end: as txl_race_run; and
 * txl_race_witness and txl_race_replay, which read the tile's files again, with cores named by
 * tx_core_name: "t0/261+7" stands still from that cycle on, "t0/0~4" is its store number 0.
 */
TXL_API int txl_race_watch(struct txl_error *err, txl_tensix *tile,
                           const struct txl_race_options *options, txl_race **race);
TXL_API int txl_race_end(struct txl_error *err, txl_race *race);

/* ---- after txl_race_run; structs may grow at their end ---- */

struct txl_race_result {
    size_t found;          /* pairs of places */
    size_t idioms;         /* kinds of safe pairs that were relied on */
    uint64_t instructions; /* that passed a gate */
    uint64_t accesses;     /* to shared state */
};
TXL_API const struct txl_race_result *txl_race_result(const txl_race *race);

/* One of the two instructions. Does not grow. */
struct txl_race_place {
    unsigned thread;    /* 0 to 2 */
    unsigned section;   /* TX_SECTION_* */
    uint32_t word;      /* the instruction */
    uint32_t line;      /* of the source; 0: not known */
    const char *source; /* "add.s:12" */
    const char *text;   /* "ttsetc16 1, 0" */
    uint64_t pass;      /* how often this line had passed, from 1 */
    const char *unit;   /* who does it: "matrix", "gate" */
    bool writes;
    bool core; /* a RISC-V core does it: thread is enum tx_core, line the pc */
};

struct txl_race_found {
    struct txl_race_place place[2]; /* in the order of this run */
    enum tx_shared shared;
    const char *what;   /* the state, by name: "Dst row 4", "DEST_TARGET_REG_CFG_MATH_Offset" */
    const char *why;    /* which wait is missing or too weak */
    const char *remedy; /* the smallest that would order them */
    /* Of one thread: the first is the first in the program, too, so that this run got what is
     * written. Of two threads the program does not say which is meant. */
    bool program_order;
    uint64_t count; /* occurrences of the same two places */
    /* After txl_race_witness: delays with which the run ends differently, and what is different;
     * NULL: none was found in so many trials. */
    const char *delays, *witness;
    uint64_t trials;
};
/* In the order in which they were found; NULL past the end. */
TXL_API const struct txl_race_found *txl_race_found_at(const txl_race *race, size_t index);

/* A kind of pair that nothing orders and silicon does right. */
struct txl_race_idiom {
    const char *id, *text, *evidence;
    uint64_t count; /* pairs that were not reported for it */
};
/* Those that the run relied on; NULL past the end. */
TXL_API const struct txl_race_idiom *txl_race_idiom_at(const txl_race *race, size_t index);
/* All of them; NULL past the end. count is 0. */
TXL_API const struct txl_race_idiom *txl_race_idiom_known(size_t index);

/* The report as people read it, and as JSON. free() it; NULL without memory. */
TXL_API char *txl_race_text(const txl_race *race, bool evidence);
TXL_API char *txl_race_json(const txl_race *race);

#ifdef __cplusplus
}
#endif

#endif
