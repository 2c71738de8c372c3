/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds, in a run of a whole chip, accesses that its programs do not order: between cores, requests
 * to the NoC, tiles, DRAM and the host; and what is wrong with memory, circular buffers, and waits
 * that cannot end. A finding does not depend on what this run's timing happened to do. Rules,
 * kinds and both levels: spec/order-chip.md, docs/order.md.
 *
 *     struct txl_order_options how = {.size = sizeof how};
 *     txl_order *order;
 *     if (txl_order_watch(&err, chip, &how, &order) == TXL_OK) {
 *         ... load programs, start cores, tx_chip_run ...
 *         txl_order_end(order, stuck);
 *         puts(txl_order_text(order));
 *     }
 *     txl_order_close(order);
 */
#ifndef TENSIX_LAB_ORDER_H
#define TENSIX_LAB_ORDER_H

#include <tensix-lab/json.h>
#include <tensix/chip.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct txl_order txl_order;

enum { TXL_ORDER_SITES = 8, TXL_ORDER_PROGRAMS = 1024 };

enum txl_order_kind {
    TXL_ORDER_READ_BEFORE_ARRIVAL,
    TXL_ORDER_SOURCE_REUSE,
    TXL_ORDER_DATA_BEFORE_CREDIT,
    TXL_ORDER_STALE_CACHE,
    TXL_ORDER_STORE_THEN_NOC,
    TXL_ORDER_STORE_THEN_LETTER,
    TXL_ORDER_SEMAPHORE_RESET,
    TXL_ORDER_OVERSHOOT,
    TXL_ORDER_LOST_UPDATE,
    TXL_ORDER_CB_UNRESERVED,
    TXL_ORDER_CB_UNPUSHED,
    TXL_ORDER_CB_BOUNDS,
    TXL_ORDER_IN_FLIGHT_AT_EXIT,
    TXL_ORDER_UNORDERED,
    TXL_ORDER_DEADLOCK,
    TXL_ORDER_LINKED_OPEN,
    TXL_ORDER_COUNTER_MISMATCH,
    TXL_ORDER_UNINITIALISED,
    TXL_ORDER_OUT_OF_BOUNDS,
    TXL_ORDER_ILLEGAL_INLINE,
    TXL_ORDER_ILLEGAL_ATOMIC,
    TXL_ORDER_INITIATOR_BUSY,
    TXL_ORDER_COUNTER_OVERFLOW,
    TXL_ORDER_ALIGNMENT,
    TXL_ORDER_DRAM_ORDER,
    TXL_ORDER_KINDS
};
TXL_API const char *txl_order_kind_name(enum txl_order_kind kind); /* "source-reuse" ... */

struct txl_order_options {
    size_t size;
    /*
     * The letter of the documentation. Default: also what all programs of the vendor rely on
     * (docs/order.md lists it).
     */
    bool documented;
    uint8_t reserved[7]; /* zero */
    /*
     * Folders, with colons between them, that have the ELF files of programs that the host loads
     * by itself, at any place: where txl_order_program names none, source lines are those of the
     * file whose code is alike. NULL: none.
     */
    const char *elf_folders;
    /* Returns the name of the running test, which findings then state, or NULL. NULL: no tests. */
    const char *(*test)(void *user);
    void *user; /* of test */
};

/*
 * Bytes of a memory that were allocated; with any of a memory, others of that memory are outside,
 * and with one of no bytes all.
 */
struct txl_order_area {
    uint32_t endpoint;
    uint64_t address, bytes;
};
/* A circular buffer of a tile; id is the number of its stream. */
struct txl_order_buffer {
    uint32_t endpoint, id, base, pages, page_bytes;
};

/* Where a finding is. */
struct txl_order_site {
    uint32_t tile_x, tile_y; /* coordinates on NoC 0 */
    const char *core;        /* "b" ...; "host" */
    uint32_t pc;
    char file[128]; /* of the outermost line in the program's own file; empty: unknown */
    unsigned line;
    char inner[128]; /* "chip.h:162", where that was inlined or called from the line above */
};
struct txl_order_found {
    enum txl_order_kind kind;
    const char *name, *why;
    unsigned sites;
    struct txl_order_site site[TXL_ORDER_SITES];
    uint64_t times;
    uint32_t memory_x, memory_y; /* the tile whose memory it is about */
    uint64_t address;
    bool dram;
    bool known; /* txl_order_known's file has it */
    /*
     * With witness: a delay (tx_chip_delay) that makes another legal run, and what ends differently
     * in it. NULL: none of so many was found.
     */
    const char *delays, *witness;
    unsigned tried;
    unsigned more;    /* other places of that core at which the same lack shows */
    const char *test; /* pytest's name of the test in which it was found; NULL: there was none */
    /* Of the chip, in which the last of its accesses was first made; 0: a report does not tell. */
    uint64_t cycle;
};

/* A core that waits for ever, after txl_order_end with stuck. */
struct txl_order_wait {
    struct txl_order_site site;
    /*
     * "word", "counter", "pages"; or the core does not poll: "letter", "gate" of the coprocessor's
     * thread that it feeds, "other"
     */
    const char *what;
    uint32_t memory_x, memory_y, address, value; /* of a polled word or register: what it has */
    uint32_t changes;                            /* how often this run has changed it */
    struct txl_order_site last;                  /* who did so last; core is NULL if nobody did */
    bool has_needs;                              /* needs is the next value that would end it */
    uint32_t needs;
    /* Who has to give it where that is no word: what a page, a letter, a gate, a core lacks. */
    char gives[320];
};

/*
 * Begins to watch a chip. Programs and data are to be loaded afterwards with tx_chip_write, as what
 * was there before counts as not initialised.
 */
TXL_API int txl_order_watch(struct txl_error *err, tx_chip *chip,
                            const struct txl_order_options *options, txl_order **order);
TXL_API void txl_order_close(txl_order *order); /* NULL is nothing */
/*
 * Names the program that a core runs from now on, for source lines. It is read once for each kind
 * of core: a path stands for the same bytes, and the text of it stays, until txl_order_close.
 */
TXL_API int txl_order_program(struct txl_error *err, txl_order *order, uint32_t endpoint,
                              enum tx_core core, const char *path);
TXL_API int txl_order_area(struct txl_error *err, txl_order *order,
                           const struct txl_order_area *area);
TXL_API int txl_order_buffer(struct txl_error *err, txl_order *order,
                             const struct txl_order_buffer *buffer);
/* Forgets all areas and circular buffers: the next program brings its own. */
TXL_API void txl_order_forget(txl_order *order);
/*
 * The host has seen that all cores have ended, at ebreak or in a jump to itself: kernels' ends are
 * looked at (in-flight-at-exit).
 */
TXL_API void txl_order_settle(txl_order *order);
/* Ends watching. stuck: cores wait and nothing will happen any more; who waits is reported. */
TXL_API void txl_order_end(txl_order *order, bool stuck);
/*
 * Where a host drives the chip, which could always act: tells of cores that wait for ever. To be
 * called again and again; two calls some ten thousand cycles apart with nothing done between them
 * tell, also by the host, which may look.
 * Returns a report of its own, once, as txl_order_text or as a line of JSON, to be freed; NULL:
 * something goes on, or what is waited for has to come from the host. The watch goes on.
 */
TXL_API char *txl_order_still(txl_order *order, bool json);
/* TXL_OK: nothing was found, TXL_NEGATIVE: something was; TXL_INPUT: memory was short. */
TXL_API int txl_order_result(struct txl_error *err, const txl_order *order);
/* Returns a finding, valid until the next call; NULL past the last. */
TXL_API const struct txl_order_found *txl_order_found_at(txl_order *order, size_t index);
/* Its kind and places as a line without an end, as txl_order_text has it first. */
TXL_API void txl_order_found_line(const struct txl_order_found *found, char *text, size_t size);
/*
 * Runs again what was watched, with a delay more (tx_chip_delay). TXL_OK: *chip, which the caller
 * closes, is as the run leaves it, and *ends whether it does; TXL_INPUT: an error.
 */
typedef int (*txl_order_rerun)(struct txl_error *err, void *user, const char *delay, tx_chip **chip,
                               bool *ends);
struct txl_order_again {
    size_t size;
    txl_order_rerun run;
    void *user;      /* of run */
    uint32_t budget; /* runs for each finding; 0: 64 */
    uint8_t reserved[4];
};
/*
 * Searches for each finding, after txl_order_end, a delay with which memory that was touched ends
 * otherwise than in chip, which was watched, the shortest first. TXL_OK, or TXL_INPUT.
 */
TXL_API int txl_order_witness(struct txl_error *err, txl_order *order, tx_chip *chip,
                              const struct txl_order_again *again);

/* ---- a run from files ---- */

/*
 * What to run, as texts; numbers are decimal or 0x. X,Y is a tile on NoC 0.
 *   programs  X,Y/CORE=FILE     an ELF file; X,Y/CORE:N=FILE starts when those below N have ended
 *   fills     X,Y:ADDRESS:COUNT=VALUE    words that the host stores before
 *   late      X,Y:ADDRESS:COUNT=VALUE    and while the cores run
 *   areas     X,Y:ADDRESS:BYTES          an allocation; others of that memory are outside
 *   buffers   X,Y:ID=BASE,PAGES,BYTES    a circular buffer and the bytes of its pages
 */
struct txl_order_run {
    size_t size;
    const char *product; /* NULL: p150, n150 */
    enum tx_arch arch;
    const char *const *programs, *const *fills, *const *late, *const *areas, *const *buffers;
    unsigned program_count, fill_count, late_count, area_count, buffer_count;
    /* Another legal order of the same programs: cores start late, requests take longer. 0: none */
    uint64_t seed;
    uint64_t max_cycles; /* of each launch; 0: 10^6 */
    bool documented;
    /* Coordinates as firmware leaves them. Default: raw ones, each NoC from its own corner. */
    bool translated;
    /* For each finding search a delay with which the run ends differently, the shortest first. */
    bool witness;
    uint8_t reserved[5]; /* zero */
    uint32_t budget;     /* runs that witness may try for each finding; 0: 64 */
    /* A file of delays to run with, one a line (tx_chip_delay); the report says what they change.
     */
    const char *delays;
};
/*
 * Opens a chip, watches it, loads and runs the programs. TXL_OK and TXL_NEGATIVE as
 * txl_order_result; *order then has the findings, and is to be closed. TXL_INPUT: *order is NULL.
 */
TXL_API int txl_order_run(struct txl_error *err, const struct txl_order_run *run,
                          txl_order **order);

/* Returns who waits, valid until the next call; NULL past the last. */
TXL_API const struct txl_order_wait *txl_order_wait_at(txl_order *order, size_t index);
/*
 * Compares with a file of known findings, one a line: kind and sites, separated by tabs. Where it
 * is not there it is written and gets all of them. TXL_OK: it has all findings; TXL_NEGATIVE: it
 * has not, or was written.
 */
TXL_API int txl_order_known(struct txl_error *err, txl_order *order, const char *path);
/*
 * Reads reports, one a line as txl_order_json_text gives them, into one: findings of one kind at
 * the same places are one. name is the file's in errors. The order can be asked for its findings
 * and waits, be written in every form and compared with known ones; and is to be closed.
 */
TXL_API int txl_order_read(struct txl_error *err, const char *name, const char *text,
                           txl_order **order);
/* Texts to be freed; NULL without memory. SARIF 2.1.0 and JUnit are for CI services. */
TXL_API char *txl_order_sarif(txl_order *order);
TXL_API char *txl_order_junit(txl_order *order);
/* Files to be written; NULL: not. */
struct txl_order_wanted {
    size_t size;
    const char *known; /* see txl_order_known */
    const char *sarif, *junit;
};
/* TXL_OK: nothing was found, or what known has; TXL_NEGATIVE: other findings; TXL_INPUT. */
TXL_API int txl_order_give(struct txl_error *err, txl_order *order,
                           const struct txl_order_wanted *wanted);
TXL_API char *txl_order_text(txl_order *order);
/* txl_order_json as a text of one line. */
TXL_API char *txl_order_json_text(txl_order *order);
TXL_API txl_json *txl_order_json(txl_order *order);

#ifdef __cplusplus
}
#endif

#endif
