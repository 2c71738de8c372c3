/* SPDX-License-Identifier: Apache-2.0 */
/* txl_chip: opens a chip, places programs on cores of its tiles, and runs them to their end. */
#include "chiprun/chiprun.h"

#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "chiprun/profiled.h"
#include "tile/chip_times.h"
#include "base/pool.h"

enum {
    DEFAULT_CYCLES = 100000000,
    TURN = 65536,
    TURN_QUIET = 16384,
    TURN_FIRST = 1024,
    DRAM_FIRST = 0x10000
};

/* ---- opening ---- */

/* Lists the Tensix tiles that answer, row by row, as software numbers them. */
static int list_tiles(struct txl_error *err, txl_chip *c)
{
    uint32_t width;
    uint32_t height;
    uint64_t columns = 0; /* bits by translated coordinate */
    uint64_t rows = 0;
    unsigned count = 0;
    tx_chip_grid(c->chip, &width, &height);
    for (size_t i = 0; i < (size_t)width * height; i++) {
        struct tx_chip_tile t;
        (void)tx_chip_tile_at(c->chip, i, &t);
        if (t.kind == TX_CHIP_TENSIX && !t.off) {
            columns |= UINT64_C(1) << t.translated_x;
            rows |= UINT64_C(1) << t.translated_y;
            count++;
        }
    }
    c->columns = (unsigned)__builtin_popcountll(columns);
    c->rows = (unsigned)__builtin_popcountll(rows);
    if (count == 0 || count > CHIPRUN_TILES || count != c->columns * c->rows) {
        return txl_fail(err, "the chip has no grid of Tensix tiles");
    }
    for (size_t i = 0; i < (size_t)width * height; i++) {
        struct tx_chip_tile t;
        (void)tx_chip_tile_at(c->chip, i, &t);
        if (t.kind == TX_CHIP_TENSIX && !t.off) {
            const uint64_t left = columns & ((UINT64_C(1) << t.translated_x) - 1);
            const uint64_t above = rows & ((UINT64_C(1) << t.translated_y) - 1);
            const unsigned x = (unsigned)__builtin_popcountll(left);
            const unsigned y = (unsigned)__builtin_popcountll(above);
            c->tile[y * c->columns + x] = (struct chiprun_tile){
                .index = i, .column = x, .row = y, .x = t.translated_x, .y = t.translated_y};
        }
    }
    return TXL_CONTINUE;
}

static int open_chip(struct txl_error *err, txl_chip *c, const struct txl_chip_options *how)
{
    struct tx_chip_settings s;
    struct tx_tensix_settings tile;
    const char *product = how->product != NULL ? how->product : "p150";
    if (tx_chip_settings_default(&s, product) != TX_OK) {
        return txl_fail_option(err, NULL, "product",
                               "there is no '%s'; there are p100, p150, n150, n300", product);
    }
    tx_tensix_settings_default(&tile, s.arch);
    if (how->tile != NULL) {
        tile = *how->tile;
    }
    tile.untimed = tile.untimed || how->untimed;
    memcpy(tile.machine.pace, how->pace, TX_PACED_COUNT);
    memcpy(c->pace, how->pace, sizeof c->pace);
    for (unsigned i = 0; i < sizeof c->pace; i++) {
        c->paced = c->paced || c->pace[i] != TX_PACE_REAL;
    }
    tile.machine.mode = how->strict ? TX_MODE_STRICT : tile.machine.mode;
    if (tile.untimed && (how->profile || c->paced)) {
        return txl_fail_option(err, NULL, how->profile ? "profile" : "pace",
                               "it needs time, which the run does not have");
    }
    if (tile.untimed && how->times != NULL) {
        return txl_fail_option(err, NULL, "times", "a run without time has none to replace");
    }
    s.tile = &tile;
    s.policy = tile.untimed ? TX_CHIP_PROMPT : TX_CHIP_TIMED;
    s.columns = how->columns;
    s.rows = how->rows;
    const enum tx_status opened = tx_chip_open(&s, &c->chip);
    if (opened != TX_OK) {
        return txl_fail(err, "%s", tx_status_text(opened));
    }
    c->arch = s.arch;
    c->untimed = tile.untimed;
    int result =
        how->times != NULL ? chip_times(err, c->chip, how->times_name, how->times) : TXL_CONTINUE;
    if (result == TXL_CONTINUE && how->delays != NULL) {
        result = chip_delays(err, c->chip, how->delays);
    }
    c->settings = s;
    c->settings.tile = NULL;
    c->tile_settings = tile;
    result = result == TXL_CONTINUE ? chiprun_race_open(err, c, how) : result;
    return result == TXL_CONTINUE ? list_tiles(err, c) : result;
}

static int check_grid(struct txl_error *err, const txl_chip *c, const struct txl_chip_options *how)
{
    if (how->columns > c->columns || how->rows > c->rows) {
        return txl_fail_option(err, NULL, how->columns > c->columns ? "columns" : "rows",
                               "the product has %u columns and %u rows of Tensix tiles", c->columns,
                               c->rows);
    }
    return TXL_CONTINUE;
}

static void add_threads(txl_chip *c, unsigned threads)
{
    c->crew = threads > 1 && !c->untimed ? crew_open(threads) : NULL;
    if (c->crew != NULL) {
        const struct tx_chip_executor executor = {
            .struct_size = sizeof executor, .parts = threads, .run = crew_run, .user = c->crew};
        (void)tx_chip_execute(c->chip, &executor);
    }
}

int txl_chip_open(struct txl_error *err, const struct txl_chip_options *options, txl_chip **chip)
{
    struct txl_chip_options how;
    *chip = NULL;
    txl_chip *c = zeroed(err, 1, sizeof *c);
    if (c == NULL) {
        return TXL_INPUT;
    }
    int result = options_take(err, &how, sizeof how, options);
    result =
        result == TXL_CONTINUE ? options_reserved(err, how.reserved, sizeof how.reserved) : result;
    result = result == TXL_CONTINUE ? open_chip(err, c, &how) : result;
    result = result == TXL_CONTINUE ? check_grid(err, c, &how) : result;
    c->findings =
        result == TXL_CONTINUE ? zeroed(err, CHIPRUN_FINDINGS, sizeof *c->findings) : NULL;
    c->waits = c->findings != NULL ? zeroed(err, CHIPRUN_WAITS, sizeof *c->waits) : NULL;
    if (c->waits == NULL) {
        txl_chip_close(c);
        return TXL_INPUT;
    }
    c->max_cycles = how.max_cycles != 0 ? how.max_cycles : DEFAULT_CYCLES;
    c->progress = how.progress;
    c->user = how.user;
    c->profile = how.profile;
    c->dram_next = DRAM_FIRST;
    c->l1_low = TX_LAUNCH_FREE;
    c->l1_end = tx_l1_size(c->arch) & ~63u;
    add_threads(c, how.threads);
    *chip = c;
    return TXL_OK;
}

void txl_chip_close(txl_chip *c)
{
    if (c == NULL) {
        return;
    }
    txl_order_close(c->order);
    tx_chip_close(c->chip);
    crew_close(c->crew);
    while (c->images != NULL) {
        struct chiprun_image *image = c->images;
        c->images = image->next;
        tile_program_free(&image->program);
        free(image->path);
        free(image);
    }
    chiprun_clean(c);
    chiprun_profile_close(c);
    free(c->buffers);
    free(c->findings);
    free(c->waits);
    free(c->before);
    free(c);
}

tx_chip *txl_chip_chip(txl_chip *c)
{
    return c->chip;
}

void txl_chip_grid(const txl_chip *c, unsigned *columns, unsigned *rows)
{
    *columns = c->columns;
    *rows = c->rows;
}

struct chiprun_tile *chiprun_tile_at(struct txl_error *err, const txl_chip *c, unsigned column,
                                     unsigned row)
{
    if (column >= c->columns || row >= c->rows) {
        txl_fail(err, "there is no tile %u,%u: the grid has %u columns and %u rows", column, row,
                 c->columns, c->rows);
        return NULL;
    }
    return (struct chiprun_tile *)&c->tile[row * c->columns + column];
}

int txl_chip_index(struct txl_error *err, const txl_chip *c, unsigned column, unsigned row,
                   size_t *index)
{
    const struct chiprun_tile *t = chiprun_tile_at(err, c, column, row);
    *index = t != NULL ? t->index : 0;
    return t != NULL ? TXL_OK : TXL_INPUT;
}

/* ---- programs and memory ---- */

struct chiprun_image *chiprun_image(struct txl_error *err, txl_chip *c, enum tx_core core,
                                    const char *path)
{
    for (struct chiprun_image *i = c->images; i != NULL; i = i->next) {
        if (i->program.core == core && strcmp(i->path, path) == 0) {
            return i;
        }
    }
    struct chiprun_image *image = zeroed(err, 1, sizeof *image);
    if (image == NULL) {
        return NULL;
    }
    image->path = strdup(path);
    image->program.path = image->path;
    image->program.core = core;
    if (image->path == NULL || tile_program_read(err, c->arch, &image->program) != TXL_CONTINUE) {
        if (image->path == NULL) {
            (void)no_memory(err);
        }
        tile_program_free(&image->program);
        free(image->path);
        free(image);
        return NULL;
    }
    image->next = c->images;
    c->images = image;
    return image;
}

int txl_chip_elf(struct txl_error *err, txl_chip *c, unsigned column, unsigned row,
                 enum tx_core core, const char *path)
{
    struct chiprun_tile *t = chiprun_tile_at(err, c, column, row);
    if (t == NULL || (unsigned)core >= TX_CORES) {
        return t == NULL ? TXL_INPUT : txl_fail(err, "there is no core %d", (int)core);
    }
    if (t->on[core] != NULL) {
        return txl_fail(err, "core %s of tile %u,%u has two programs: %s and %s",
                        tx_core_name(core), column, row, t->on[core]->path, path);
    }
    t->on[core] = chiprun_image(err, c, core, path);
    return t->on[core] != NULL ? TXL_OK : TXL_INPUT;
}

static int reached(struct txl_error *err, enum tx_status status, uint32_t address)
{
    return status == TX_OK ? TXL_OK
                           : txl_fail(err, "address %08x: %s", (unsigned)address,
                                      status == TX_EINVAL ? "nothing is there, or not whole words"
                                                          : tx_status_text(status));
}

/* Moves bytes as a host does, through the chip, where the watch for races sees it. */
enum tx_status chiprun_move(txl_chip *c, const struct chiprun_tile *t, uint32_t address,
                            void *bytes, size_t size, bool write)
{
    const struct tx_chip_place place = {.x = t->x, .y = t->y};
    return write ? tx_chip_write(c->chip, place, address, bytes, size)
                 : tx_chip_read(c->chip, place, address, bytes, size);
}

int txl_chip_read(struct txl_error *err, txl_chip *c, unsigned column, unsigned row,
                  uint32_t address, void *bytes, size_t size)
{
    const struct chiprun_tile *t = chiprun_tile_at(err, c, column, row);
    return t == NULL ? TXL_INPUT
                     : reached(err, chiprun_move(c, t, address, bytes, size, false), address);
}

int txl_chip_write(struct txl_error *err, txl_chip *c, unsigned column, unsigned row,
                   uint32_t address, const void *bytes, size_t size)
{
    const struct chiprun_tile *t = chiprun_tile_at(err, c, column, row);
    return t == NULL
               ? TXL_INPUT
               : reached(err, chiprun_move(c, t, address, (void *)(uintptr_t)bytes, size, true),
                         address);
}

/* ---- running ---- */

static int chiprun_load(struct txl_error *err, txl_chip *c, const struct chiprun_tile *t,
                        const struct tile_program *p, bool local)
{
    tx_tensix *tile = tx_chip_tensix(c->chip, t->index);
    for (unsigned i = 0; i < p->count; i++) {
        const struct tile_segment *s = &p->segments[i];
        if (s->local != local) {
            continue;
        }
        const enum tx_status status =
            local ? tx_core_local_write(tile, p->core, s->address, s->bytes, s->room)
                  : chiprun_move(c, t, s->address, s->bytes, s->room, true);
        if (status != TX_OK) {
            return txl_fail(err, "%s: %s", p->path, tx_status_text(status));
        }
    }
    return TXL_CONTINUE;
}

/* Checks that no two programs of a tile overlap. */
static int apart(struct txl_error *err, const struct chiprun_tile *t)
{
    struct tile_program *all = zeroed(err, TX_CORES, sizeof *all);
    unsigned count = 0;
    if (all == NULL) {
        return TXL_INPUT;
    }
    for (unsigned core = 0; core < TX_CORES; core++) {
        if (t->on[core] != NULL) {
            all[count++] = t->on[core]->program;
        }
    }
    const int result = tile_programs_apart(err, all, count);
    free(all);
    return result;
}

static int load_tile(struct txl_error *err, txl_chip *c, struct chiprun_tile *t)
{
    int result = apart(err, t);
    for (unsigned core = 0; core < TX_CORES && result == TXL_CONTINUE; core++) {
        if (t->on[core] != NULL) {
            result = chiprun_load(err, c, t, &t->on[core]->program, false);
        }
    }
    return result;
}

static int start_tile(struct txl_error *err, txl_chip *c, struct chiprun_tile *t)
{
    tx_tensix *tile = tx_chip_tensix(c->chip, t->index);
    int result = TXL_CONTINUE;
    for (unsigned core = 0; core < TX_CORES && result == TXL_CONTINUE; core++) {
        t->ran[core] = t->on[core];
        t->on[core] = NULL;
        if (t->ran[core] != NULL) {
            result = chiprun_race_program(err, c, t, (enum tx_core)core);
            (void)tx_tensix_start(tile, (enum tx_core)core, t->ran[core]->program.entry);
            /* Only now, because leaving reset clears local memory. */
            result = result == TXL_CONTINUE ? chiprun_load(err, c, t, &t->ran[core]->program, true)
                                            : result;
        }
    }
    return result;
}

/* Returns the cycle in which the last core of the program came to its end. */
static uint64_t ended_at(const txl_chip *c)
{
    uint64_t last = 0;
    for (unsigned i = 0; i < c->columns * c->rows; i++) {
        const tx_tensix *tile = tx_chip_tensix(c->chip, c->tile[i].index);
        for (unsigned core = 0; core < TX_CORES; core++) {
            const bool ran = c->tile[i].ran[core] != NULL;
            const uint64_t end = ran ? tx_core_last(tile, (enum tx_core)core, NULL) : 0;
            last = end > last ? end : last;
        }
    }
    return last;
}

/* Runs to the end, in turns between which the caller may cancel. */
static enum tx_status chiprun_run(txl_chip *c, bool *wanted)
{
    struct ticker ticker;
    const uint64_t first = tx_chip_cycles(c->chip);
    enum tx_status status = TX_ELIMIT;
    uint64_t done = 0;
    *wanted = ticker_start(&ticker, c->progress, c->user, c->max_cycles);
    for (uint64_t turn = TURN_FIRST; *wanted && status == TX_ELIMIT && done < c->max_cycles;
         turn = turn < TURN ? 2 * turn : turn) {
        const uint64_t left = c->max_cycles - done;
        status = tx_chip_run(c->chip, left < turn ? left : turn);
        if (status == TX_ELIMIT && turn >= TURN_QUIET && chiprun_stalled(c)) {
            status = TX_EDEADLOCK;
        }
        done = tx_chip_cycles(c->chip) - first;
        *wanted = ticker_at(&ticker, done);
    }
    const uint64_t last = status == TX_OK ? ended_at(c) : 0;
    /* That all cores rest is seen only when their tiles sleep; their first jump to itself counts.
     */
    c->result.cycles = last > first ? last - first + 1 : done;
    return status;
}

/* Returns whether every core of the program rests and its tiles' units have nothing to do. */
static bool all_rest(const txl_chip *c, tx_chip *on)
{
    for (unsigned i = 0; i < c->columns * c->rows; i++) {
        tx_tensix *tile = NULL;
        for (unsigned core = 0; core < TX_CORES; core++) {
            struct tx_core_state s;
            if (c->tile[i].ran[core] == NULL) {
                continue;
            }
            tile = tx_chip_tensix(on, c->tile[i].index);
            if (tx_tensix_core(tile, (enum tx_core)core, &s) != TX_OK || !s.rests) {
                return false;
            }
        }
        if (tile != NULL && !tx_idle(tx_tensix_machine(tile))) {
            return false;
        }
    }
    return true;
}

enum tx_status chiprun_to_end(txl_chip *c, tx_chip *on, uint64_t most, const atomic_bool *over,
                              uint64_t *cycles)
{
    enum { STEP = 16, UNDER_WAY = 8192 / STEP };
    const uint64_t first = tx_chip_cycles(on);
    enum tx_status status = TX_OK;
    bool rest = false;
    *cycles = 0;
    while (status == TX_OK && !rest && *cycles < most && (over == NULL || !atomic_load(over))) {
        status = tx_chip_cycle(on, STEP);
        *cycles = tx_chip_cycles(on) - first;
        rest = all_rest(c, on);
    }
    /* What has been sent arrives; it may still be on its way out of a tile. */
    for (unsigned i = 0; i < UNDER_WAY && rest && status == TX_OK; i++) {
        if (i != 0 && !tx_chip_under_way(on)) {
            break;
        }
        status = tx_chip_cycle(on, STEP);
    }
    return status != TX_OK || rest ? status : TX_ELIMIT;
}

static void hold_all(txl_chip *c)
{
    for (unsigned i = 0; i < c->columns * c->rows; i++) {
        for (unsigned core = 0; core < TX_CORES; core++) {
            c->tile[i].on[core] = NULL;
            if (c->tile[i].ran[core] != NULL) {
                (void)tx_tensix_hold(tx_chip_tensix(c->chip, c->tile[i].index), (enum tx_core)core);
            }
        }
    }
}

/* Units without time do not come to rest as tx_chip_run sees it. */
static enum tx_status run_paced(txl_chip *c)
{
    enum tx_status status = TX_OK;
    for (unsigned i = 0; i < TX_CHIP_PACED_COUNT && status == TX_OK; i++) {
        status =
            tx_chip_pace(c->chip, (enum tx_chip_paced)i, (enum tx_pace)c->pace[TX_PACED_COUNT + i]);
        c->pace[TX_PACED_COUNT + i] = TX_PACE_REAL; /* once */
    }
    return status != TX_OK ? status
                           : chiprun_to_end(c, c->chip, c->max_cycles, NULL, &c->result.cycles);
}

int txl_chip_run(struct txl_error *err, txl_chip *c)
{
    const unsigned tiles = c->columns * c->rows;
    int result = TXL_CONTINUE;
    bool wanted = true;
    unsigned programs = 0;
    for (unsigned i = 0; i < tiles; i++) {
        for (unsigned core = 0; core < TX_CORES; core++) {
            programs += c->tile[i].on[core] != NULL;
        }
    }
    if (programs == 0) {
        return txl_fail(err, "no core has a program");
    }
    for (unsigned i = 0; i < tiles && result == TXL_CONTINUE; i++) {
        result = load_tile(err, c, &c->tile[i]);
    }
    for (unsigned i = 0; i < tiles && result == TXL_CONTINUE; i++) {
        result = start_tile(err, c, &c->tile[i]);
    }
    const uint64_t first = tx_chip_cycles(c->chip);
    result = result == TXL_CONTINUE ? chiprun_visit(err, c) : result;
    const uint64_t visited = tx_chip_cycles(c->chip) - first;
    result = result == TXL_CONTINUE ? chiprun_race_begin(err, c) : result;
    if (c->profile && result == TXL_CONTINUE) {
        result = chiprun_profile_begin(err, c);
    }
    if (result == TXL_CONTINUE) {
        c->ended = c->paced ? run_paced(c) : chiprun_run(c, &wanted);
        c->result.cycles += c->profile ? 0 : visited;
        const uint64_t last = c->ended == TX_OK && !c->paced ? ended_at(c) : 0;
        /* That all rest is seen only when their tiles sleep. The first jump to itself counts. */
        c->result.cycles = last > first ? last - first + 1 : c->result.cycles;
        c->ran = true;
        chiprun_race_settle(c);
        result = chiprun_keep(err, c);
    }
    if (c->profiled != NULL && result == TXL_CONTINUE) {
        result = chiprun_profile_end(err, c);
    }
    hold_all(c);
    if (result != TXL_CONTINUE) {
        return result;
    }
    return !wanted             ? txl_refuse(err, TXL_CANCELLED, "cancelled")
           : c->ended != TX_OK ? chiprun_failed(err, c)
                               : TXL_OK;
}

const struct txl_chip_result *txl_chip_result(const txl_chip *c)
{
    return &c->result;
}
