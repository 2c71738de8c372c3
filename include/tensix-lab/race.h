/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Detects races: conflicting accesses to state that threads and units share, whose order the
 * program does not enforce. They are found on any run, whatever its timing happened to be, because
 * order is derived only from what the architecture guarantees: program order within a unit,
 * STALLWAIT and SEMWAIT with their actual masks, semaphores, mutexes, and the handing over of Src
 * banks.
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

/* Whatever it points to must stay valid until txl_race_close. */
struct txl_race_options {
    size_t size;                            /* of this struct */
    const char *name;                       /* of the kernel; NULL: "kernel" */
    const struct tx_settings *settings;     /* NULL: the defaults; sink and watch are not used */
    const struct tx_kernel_options *kernel; /* NULL: the defaults */
    size_t kernel_size;                     /* sizeof *kernel */
    const char *const *sets;                /* configuration, as "FIELD=VALUE" */
    unsigned set_count;
    /* Files loaded into L1, as in struct txl_run_options; the rest of L1 holds random bytes. */
    const char *const *l1_in;
    unsigned l1_in_count;
    const char *scratch; /* folder for members of .npz files; NULL: /tmp */
    /* Also report pairs that are known to be safe although nothing orders them. */
    bool no_idioms;
    /*
     * Report every pair of places, also those that the wait which an earlier race lacks would
     * order.
     */
    bool every;
    /*
     * Pairs with open set (struct txl_race_found) are counted, and are no failure: txl_race_run,
     * txl_race_end and txl_race_known then return TXL_NEGATIVE for other races only, and
     * txl_race_text has one line for each kind of them.
     */
    bool hold_open;
    char reserved[5]; /* zero */
};

/*
 * Reads the program. Returns TXL_OK with *race, which the caller closes; otherwise *race is NULL.
 */
TXL_API int txl_race_open(struct txl_error *err, const struct tx_program *program,
                          const struct txl_race_options *options, txl_race **race);
TXL_API void txl_race_close(txl_race *race); /* NULL is allowed */
/*
 * Runs .init and one .tile, once. Returns TXL_OK where there is no race, TXL_NEGATIVE where there
 * are races (err is then empty) or the program stopped (err says why), or TXL_INPUT.
 */
TXL_API int txl_race_run(struct txl_error *err, txl_race *race);

/*
 * Looks for proof that each race matters; to be called after txl_race_run. For each race it runs
 * the program again with one of the two instructions delayed, trying the shortest delays first,
 * until L1, Dst, registers or configuration end up different. budget is the number of trials per
 * race, 0: 200. Returns TXL_OK whatever is found, or TXL_INPUT.
 */
TXL_API int txl_race_witness(struct txl_error *err, txl_race *race, uint64_t budget);
/*
 * Runs the program once with given delays, such as "T1/5~3,T0/2+40": the effect of T1's instruction
 * 5 (counted from 0 in the order in which they pass the thread's gate) comes 3 cycles later, and
 * T0's instruction 2 reaches its gate 40 cycles later. Returns TXL_NEGATIVE where the run ends
 * differently from one without delays, with the first difference in what; else TXL_OK.
 */
TXL_API int txl_race_replay(struct txl_error *err, txl_race *race, const char *delays,
                            char what[256]);
/*
 * Sets such delays for a tile that has not run yet. Here and for txl_race_replay delays may also be
 * the name of a file that holds them, separated by commas or white space.
 */
TXL_API int txl_race_delay(struct txl_error *err, txl_tensix *tile, const char *delays);

/*
 * The same for a tile with its cores. txl_race_watch is called between txl_tensix_open and
 * txl_tensix_run; of its options only no_idioms and hold_open count, NULL means defaults.
 * txl_race_end is called after the run, before the tile is closed, and returns what txl_race_run
 * would. txl_race_witness and txl_race_replay then load the tile's files again. Their delays name
 * cores as tx_core_name does: "t0/261+7" stops core t0 for 7 cycles from cycle 261 on, "t0/0~4"
 * delays its store number 0 by 4 cycles.
 */
TXL_API int txl_race_watch(struct txl_error *err, txl_tensix *tile,
                           const struct txl_race_options *options, txl_race **race);
TXL_API int txl_race_end(struct txl_error *err, txl_race *race);

/*
 * Compares the races with a file of known ones, to be called after txl_race_run. Where the file is
 * not there it is written, and holds all races of this run. Returns TXL_OK where there is no race
 * that the file did not already have, TXL_NEGATIVE where there is one, or TXL_INPUT.
 */
TXL_API int txl_race_known(struct txl_error *err, txl_race *race, const char *path);

/* ---- results of txl_race_run; structs may grow at their end ---- */

enum txl_race_known { TXL_RACE_KNOWN_NONE, TXL_RACE_KNOWN_READ, TXL_RACE_KNOWN_WRITTEN };
struct txl_race_result {
    size_t found;          /* pairs of places that race */
    size_t idioms;         /* kinds of safe pairs that occurred */
    uint64_t instructions; /* instructions that passed a gate */
    uint64_t accesses;     /* to shared state */
    /* Of txl_race_known: races that are in the file; lines of the file that did not occur. */
    size_t known, unseen;
    enum txl_race_known known_file;
    size_t open; /* of found, those with open set */
};
TXL_API const struct txl_race_result *txl_race_result(const txl_race *race);

/* One of the two accesses of a race. Does not grow. */
struct txl_race_place {
    unsigned thread;    /* 0 to 2 */
    unsigned section;   /* TX_SECTION_* */
    uint32_t word;      /* the instruction */
    uint32_t line;      /* of the source; 0: not known */
    const char *source; /* "add.s:12" */
    const char *text;   /* "ttsetc16 1, 0" */
    uint64_t pass;      /* how many times this line had passed the gate, counted from 1 */
    const char *unit;   /* the unit that makes the access: "matrix", "gate" */
    bool writes;
    bool core; /* made by a RISC-V core: thread is then an enum tx_core, line the pc */
};

/*
 * A kind of pair that nothing orders but that works correctly on silicon (an idiom), or one that is
 * known in public as a race (a doubt, with count 0).
 */
struct txl_race_idiom {
    const char *id, *text, *evidence;
    uint64_t count; /* number of pairs that were not reported because of it */
};
struct txl_race_found {
    struct txl_race_place place[2]; /* in the order of this run */
    enum tx_shared shared;
    const char *what;   /* the state, by name: "Dst row 4", "DEST_TARGET_REG_CFG_MATH_Offset" */
    const char *why;    /* which wait is missing or too weak */
    const char *remedy; /* the smallest change that would order the two */
    /*
     * Both accesses are of one thread, and the first is also the first in the program, so that this
     * run did what the program says. With two threads the program does not say which order is
     * meant.
     */
    bool program_order;
    /* How often the wait was missing; with options.every, how often the two places raced. */
    uint64_t count;
    /*
     * Set by txl_race_witness: delays that change the run's result, and what then differs. NULL:
     * none found in trials attempts.
     */
    const char *delays, *witness;
    uint64_t trials;
    uint64_t cycles;                    /* how many cycles the two were apart in this run */
    bool known;                         /* txl_race_known has found it in its file */
    const struct txl_race_idiom *doubt; /* NULL: none */
    /*
     * A doubt in the form in which shipping code has it that works on cards: nothing orders the two
     * accesses, and nothing public says that a card fails.
     */
    bool open;
};
/* Races in the order in which they were found; NULL past the end. */
TXL_API const struct txl_race_found *txl_race_found_at(const txl_race *race, size_t index);

/* The idioms that the run relied on; NULL past the end. */
TXL_API const struct txl_race_idiom *txl_race_idiom_at(const txl_race *race, size_t index);
/* All known idioms, with count 0; NULL past the end. */
TXL_API const struct txl_race_idiom *txl_race_idiom_known(size_t index);
/* All known doubts, which the report of a race may name, with count 0; NULL past the end. */
TXL_API const struct txl_race_idiom *txl_race_doubt_known(size_t index);

/* Return the report for people and as JSON; the caller frees it. NULL without memory. */
TXL_API char *txl_race_text(const txl_race *race, bool evidence);
TXL_API char *txl_race_json(const txl_race *race);

#ifdef __cplusplus
}
#endif

#endif
