/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds timings in which a race changes the result: runs the program again with one of the two
 * instructions delayed, the shortest delay first, until its final state differs.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "race/race.h"

#include "run/run.h"
#include "tile/tile_program.h"

enum {
    BUDGET = 200,
    /*
     * Cycles that a unit may take longer: instructions of the Matrix Unit take five (isa
     * MatrixUnit), those of the Vector Unit two; for other units, and for whoever pushes words,
     * nothing is guaranteed.
     */
    MOST_MATRIX = 5,
    MOST_VECTOR = 2,
    MOST_MEMORY = 15, /* the longest duration of a request in isa ScalarUnit */
    MOST = 4096,
    CONFIG_WORDS = 256
};

/* The final state of a run that is compared. */
struct image {
    enum tx_status status;
    uint32_t dst[TX_DST_ROWS][16];
    uint32_t gpr[64 * TX_THREADS];
    uint32_t lreg[17][TX_LANES];
    uint32_t config[2][CONFIG_WORDS];
    uint32_t semaphore[SEMAPHORES][2];
    uint8_t *l1;
};

struct witness {
    struct txl_race *r;
    struct image base, now;
    uint64_t cycles; /* of the run without delays */
    uint64_t trials, budget;
};

static int take_image(struct witness *w, const tx_machine *m, struct image *image)
{
    for (unsigned i = 0; i < TX_DST_ROWS; i++) {
        (void)tx_read(m, TX_FILE_DST, i, image->dst[i], 16);
    }
    for (unsigned i = 0; i < 64 * TX_THREADS; i++) {
        (void)tx_read(m, TX_FILE_GPR, i, &image->gpr[i], 1);
    }
    for (unsigned i = 0; i < 17; i++) {
        (void)tx_read(m, TX_FILE_LREG, i, image->lreg[i], TX_LANES);
    }
    for (unsigned i = 0; i < 2 * CONFIG_WORDS; i++) {
        (void)tx_read(m, TX_FILE_CONFIG, i, &image->config[i / CONFIG_WORDS][i % CONFIG_WORDS], 1);
    }
    for (unsigned i = 0; i < SEMAPHORES; i++) {
        (void)tx_read(m, TX_FILE_SEMAPHORE, i, image->semaphore[i], 2);
    }
    return tx_l1_read(m, 0, image->l1, tx_l1_size(w->r->arch)) == TX_OK ? TXL_CONTINUE
                                                                        : no_memory(w->r->err);
}

/* Runs a kernel's words. */
static int run_words(struct witness *w, const struct tx_delay *delays, size_t count,
                     struct image *image)
{
    struct txl_race *r = w->r;
    struct tx_settings settings = r->settings;
    tx_kernel *kernel = NULL;
    settings.mode = TX_MODE_SILICON;
    settings.max_cycles = w->cycles != 0 ? 4 * w->cycles + 4 * MOST : settings.max_cycles;
    image->status = tx_kernel_open(&settings, r->program, &r->options, &kernel);
    if (image->status != TX_OK) {
        return txl_fail(r->err, "%s: %s", r->name, tx_status_text(image->status));
    }
    tx_machine *m = tx_kernel_machine(kernel);
    int result = race_prepare(r, m);
    if (result == TXL_CONTINUE && tx_order_delays(m, delays, count) != TX_OK) {
        result = no_memory(r->err);
    }
    if (result == TXL_CONTINUE) {
        image->status = tx_kernel_start(kernel);
    }
    if (result == TXL_CONTINUE && image->status == TX_OK) {
        image->status = tx_kernel_tile_begin(kernel, 0);
    }
    if (result == TXL_CONTINUE && image->status == TX_OK) {
        image->status = tx_kernel_tile_run(kernel, NULL);
    }
    if (result == TXL_CONTINUE) {
        result = take_image(w, m, image);
    }
    w->cycles = w->cycles != 0 ? w->cycles : tx_machine_counters(m).cycles + 1;
    tx_kernel_close(kernel);
    return result;
}

/* Runs the programs of a tile's cores, from the same files; no output files are written. */
static int run_cores(struct witness *w, const struct tx_delay *delays, size_t count,
                     struct image *image)
{
    struct txl_race *r = w->r;
    struct txl_tensix_options how = *tile_options(race_tile_of(r));
    struct txl_error ended = {0};
    txl_tensix *tile = NULL;
    how.l1_out_count = 0;
    how.profile = how.strict = false;
    how.progress = NULL;
    how.max_cycles = w->cycles != 0 ? 4 * w->cycles + 4 * MOST : how.max_cycles;
    int result = txl_tensix_open(r->err, &how, &tile);
    if (result != TXL_OK) {
        return result;
    }
    tx_machine *m = tx_tensix_machine(txl_tensix_tile(tile));
    result = tx_order_delays(m, delays, count) == TX_OK ? TXL_CONTINUE : no_memory(r->err);
    if (result == TXL_CONTINUE) {
        image->status = txl_tensix_run(&ended, tile) == TXL_OK ? TX_OK : TX_EDEADLOCK;
        result = take_image(w, m, image);
    }
    w->cycles = w->cycles != 0 ? w->cycles : txl_tensix_result(tile)->cycles + 1;
    txl_tensix_close(tile);
    return result;
}

static int run_with(struct witness *w, const struct tx_delay *delays, size_t count,
                    struct image *image)
{
    memset(image->dst, 0, sizeof image->dst);
    return w->r->tile != NULL ? run_cores(w, delays, count, image)
                              : run_words(w, delays, count, image);
}

/* ---- what differs ---- */

static size_t first_difference(const void *a, const void *b, size_t size)
{
    const uint8_t *x = a;
    const uint8_t *y = b;
    for (size_t i = memcmp(a, b, size) == 0 ? size : 0; i < size; i++) {
        if (x[i] != y[i]) {
            return i;
        }
    }
    return size;
}

/* Describes the first difference in text; returns false where there is none. */
static bool differs(const struct witness *w, char *text, size_t size)
{
    const struct image *a = &w->base;
    const struct image *b = &w->now;
    const size_t l1 = tx_l1_size(w->r->arch);
    size_t at = first_difference(a->l1, b->l1, l1);
    if (a->status != b->status) {
        snprintf(text, size, "it does not end: %s", tx_status_text(b->status));
    } else if (at != l1) {
        snprintf(text, size, "L1 at 0x%zx is 0x%02x, not 0x%02x", at, b->l1[at], a->l1[at]);
    } else if ((at = first_difference(a->dst, b->dst, sizeof a->dst)) != sizeof a->dst) {
        snprintf(text, size, "Dst row %zu is different", at / sizeof a->dst[0]);
    } else if ((at = first_difference(a->gpr, b->gpr, sizeof a->gpr)) != sizeof a->gpr) {
        snprintf(text, size, "GPR %zu of T%zu is different", at / 4 % 64, at / 256);
    } else if ((at = first_difference(a->lreg, b->lreg, sizeof a->lreg)) != sizeof a->lreg) {
        snprintf(text, size, "L%zu is different", at / sizeof a->lreg[0]);
    } else if ((at = first_difference(a->config, b->config, sizeof a->config)) !=
               sizeof a->config) {
        snprintf(text, size, "configuration word %zu is different", at / 4 % CONFIG_WORDS);
    } else if ((at = first_difference(a->semaphore, b->semaphore, sizeof a->semaphore)) !=
               sizeof a->semaphore) {
        snprintf(text, size, "semaphore %zu is different", at / sizeof a->semaphore[0]);
    } else {
        return false;
    }
    return true;
}

/* ---- the search ---- */

static uint32_t most_late(const struct race_access *a)
{
    switch (race_kind(a->actor)) {
    case ACTOR_GATE:
    case ACTOR_CONFIG:
    case ACTOR_EXPAND:
    case ACTOR_CORE:
    case ACTOR_STORE_L1:
    case ACTOR_NOC_READ:
    case ACTOR_NOC_SOURCE:
    case ACTOR_NOC_WRITE:
        return 0; /* it completes at the gate, or cannot be delayed */
    case ACTOR_MATRIX:
        return MOST_MATRIX;
    case ACTOR_VECTOR:
        return MOST_VECTOR;
    case ACTOR_MEMORY:
        return MOST_MEMORY;
    default:
        return MOST;
    }
}

static struct tx_delay delay_for(const struct race_access *a, bool late, uint32_t cycles)
{
    /* A core must be stopped this long before the cycle in which its store leaves. */
    enum { LEAD = 16 };
    const bool stands = a->thread >= TX_ORDER_CORE && !late;
    const struct tx_delay delay = {.thread = a->thread,
                                   .late = late,
                                   .cycles = cycles,
                                   .index = !stands           ? a->sequence - 1
                                            : a->cycle > LEAD ? a->cycle - LEAD
                                                              : 0};
    return delay;
}

static int try_delay(struct witness *w, const struct tx_delay *delay, bool *found, char *text,
                     size_t size)
{
    w->trials++;
    const int result = run_with(w, delay, 1, &w->now);
    *found = result == TXL_CONTINUE && differs(w, text, size);
    return result;
}

/* Bisects between a delay that changes nothing (low) and one that does. */
static int shorten(struct witness *w, struct race_pair *p, struct tx_delay *delay, uint32_t low)
{
    int result = TXL_CONTINUE;
    while (delay->cycles - low > 1 && result == TXL_CONTINUE && w->trials < w->budget) {
        struct tx_delay middle = *delay;
        char text[sizeof p->witness];
        bool found;
        middle.cycles = low + (delay->cycles - low) / 2;
        result = try_delay(w, &middle, &found, text, sizeof text);
        if (found) {
            *delay = middle;
            memcpy(p->witness, text, sizeof text);
        } else {
            low = middle.cycles;
        }
    }
    return result;
}

/* Writes "T1/5~3", or "t1/5~3" for a core. */
static void delay_text(const struct tx_delay *d, char *text, size_t size)
{
    char who[8];
    snprintf(who, sizeof who, "T%u", d->thread);
    snprintf(text, size, "%s/%" PRIu64 "%s%u",
             d->thread >= TX_ORDER_CORE ? tx_core_name((enum tx_core)(d->thread - TX_ORDER_CORE))
                                        : who,
             d->index, d->late ? "~" : "+", (unsigned)d->cycles);
}

/* Tries all kinds of delays, with increasing length. */
static int search(struct witness *w, struct race_pair *p)
{
    const bool one = p->access[0].thread == p->access[1].thread;
    const bool words = p->access[0].thread < TX_THREADS && p->access[1].thread < TX_THREADS;
    uint32_t low = 0;
    for (uint32_t cycles = 1; cycles <= MOST; cycles += cycles < 8 ? 1 : cycles / 2) {
        for (unsigned way = 0; way < 4 && w->trials < w->budget; way++) {
            const struct race_access *a = &p->access[way / 2];
            const bool late = way % 2 == 0;
            struct tx_delay delay = delay_for(a, late, cycles);
            bool found;
            /*
             * Within one thread, delaying the effect of the second or holding the first cannot turn
             * the two around.
             */
            if ((late && cycles > most_late(a)) || (one && words && (way == 1 || way == 2)) ||
                (!late && a->sequence == 0)) {
                continue;
            }
            int result = try_delay(w, &delay, &found, p->witness, sizeof p->witness);
            if (found) {
                result = shorten(w, p, &delay, low);
                delay_text(&delay, p->delays, sizeof p->delays);
            }
            if (found || result != TXL_CONTINUE) {
                return result;
            }
        }
        low = cycles;
    }
    return TXL_CONTINUE;
}

static int open_witness(struct witness *w, struct txl_race *r, uint64_t budget)
{
    w->r = r;
    w->budget = budget != 0 ? budget : BUDGET;
    w->base.l1 = zeroed(r->err, 1, tx_l1_size(r->arch));
    w->now.l1 = zeroed(r->err, 1, tx_l1_size(r->arch));
    if (w->base.l1 == NULL || w->now.l1 == NULL) {
        return TXL_INPUT;
    }
    return run_with(w, NULL, 0, &w->base);
}

static void close_witness(struct witness *w)
{
    if (w != NULL) {
        free(w->base.l1);
        free(w->now.l1);
        free(w);
    }
}

int txl_race_witness(struct txl_error *err, txl_race *r, uint64_t budget)
{
    struct witness *w = zeroed(err, 1, sizeof *w);
    r->err = r->l1.err = err;
    int result = w != NULL ? open_witness(w, r, budget) : TXL_INPUT;
    for (size_t i = 0; i < r->pair_count && result == TXL_CONTINUE; i++) {
        struct race_pair *p = &r->pairs[i];
        w->trials = 0;
        result = search(w, p);
        p->found.trials = w->trials;
        p->found.delays = p->delays[0] != '\0' ? p->delays : NULL;
        p->found.witness = p->delays[0] != '\0' ? p->witness : NULL;
    }
    close_witness(w);
    return result == TXL_CONTINUE ? TXL_OK : result;
}

/* ---- replay ---- */

/* Parses "T1", or the name of a core. */
static bool parse_who(const char *name, uint8_t *thread)
{
    enum tx_core core;
    if (name[0] == 'T' && name[1] >= '0' && name[1] < '0' + TX_THREADS && name[2] == '\0') {
        *thread = (uint8_t)(name[1] - '0');
        return true;
    }
    if (name[0] == 'T' || tx_core_parse(name, &core) != TX_OK) {
        return false;
    }
    *thread = (uint8_t)(TX_ORDER_CORE + (unsigned)core);
    return true;
}

/* Parses a list such as "T1/5~3,t0/2+40"; white space separates as well. */
static bool parse_delays(const char *text, struct tx_delay *delays, size_t most, size_t *count)
{
    static const char between[] = ", \t\r\n";
    text += strspn(text, between + 1);
    for (*count = 0; *count < most; (*count)++) {
        struct tx_delay *d = &delays[*count];
        char name[8];
        char how;
        unsigned cycles;
        uint64_t index;
        int used = 0;
        *d = (struct tx_delay){.zero = 0};
        if (sscanf(text, "%7[A-Za-z0-9]/%" SCNu64 "%c%u%n", name, &index, &how, &cycles, &used) !=
                4 ||
            !parse_who(name, &d->thread) || (how != '~' && how != '+') ||
            (text[used] != '\0' && strchr(between, text[used]) == NULL)) {
            return false;
        }
        d->late = how == '~';
        d->cycles = cycles;
        d->index = index;
        text += used;
        text += strspn(text, between);
        if (*text == '\0') {
            (*count)++;
            return true;
        }
    }
    return false;
}

enum { DELAYS = 16 };

/* Takes a list, or a file that holds one. */
static int take_delays(struct txl_error *err, const char *delays, struct tx_delay list[DELAYS],
                       size_t *count)
{
    enum { MOST = 4096 };
    struct stat about;
    if (parse_delays(delays, list, DELAYS, count)) {
        return TXL_CONTINUE;
    }
    const bool file = stat(delays, &about) == 0 && S_ISREG(about.st_mode);
    if (file && about.st_size <= MOST) {
        size_t size;
        char *text = txl_read_file(err, delays, &size);
        const bool good = text != NULL && parse_delays(text, list, DELAYS, count);
        const bool read = text != NULL;
        free(text);
        if (!read || good) {
            return read ? TXL_CONTINUE : TXL_INPUT;
        }
    }
    return txl_fail_option(err, NULL, "delays",
                           file ? "the file '%s' does not hold at most 16 delays such as T0/5~3"
                                : "'%s' is not T0/N~CYCLES or T0/N+CYCLES, comma separated, nor a "
                                  "file with such a list",
                           delays);
}

int txl_race_delay(struct txl_error *err, txl_tensix *tile, const char *delays)
{
    struct tx_delay list[DELAYS];
    size_t count;
    const int result = take_delays(err, delays, list, &count);
    if (result != TXL_CONTINUE) {
        return result;
    }
    tx_machine *m = tx_tensix_machine(txl_tensix_tile(tile));
    return tx_order_delays(m, list, count) == TX_OK ? TXL_OK : no_memory(err);
}

int txl_race_replay(struct txl_error *err, txl_race *r, const char *delays, char what[256])
{
    struct tx_delay list[DELAYS];
    size_t count;
    what[0] = '\0';
    if (take_delays(err, delays, list, &count) != TXL_CONTINUE) {
        return TXL_INPUT;
    }
    struct witness *w = zeroed(err, 1, sizeof *w);
    r->err = r->l1.err = err;
    int result = w != NULL ? open_witness(w, r, 0) : TXL_INPUT;
    if (result == TXL_CONTINUE) {
        result = run_with(w, list, count, &w->now);
    }
    const bool other = result == TXL_CONTINUE && differs(w, what, 256);
    close_witness(w);
    return result != TXL_CONTINUE ? result : other ? TXL_NEGATIVE : TXL_OK;
}
