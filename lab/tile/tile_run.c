/* SPDX-License-Identifier: Apache-2.0 */
/* txl_tensix: runs programs on a tile's cores, from L1 to L1, and collects what each core did. */
#include <tensix/facts.h>
#include <tensix/finding.h>
#include <tensix-lab/tile.h>

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/json.h"
#include "base/options.h"
#include "base/pool.h"
#include "base/small.h"
#include "profile/profile.h"
#include "tile/tile_parts.h"

enum { DEFAULT_CYCLES = 10000000 };

/* ---- setting up ---- */

static bool put_word(tx_tensix *tile, uint32_t address, uint32_t value)
{
    uint8_t bytes[4];
    bytes_of_word(bytes, value);
    return tx_tensix_write(tile, address, bytes, sizeof bytes) == TX_OK;
}

static bool get_word(tx_tensix *tile, uint32_t address, uint32_t *value)
{
    uint8_t b[4];
    if (tx_tensix_read(tile, address, b, sizeof b) != TX_OK) {
        return false;
    }
    *value = word_of_bytes(b);
    return true;
}

static int load(struct txl_error *err, tx_tensix *tile, const struct tile_program *p, bool local)
{
    for (unsigned i = 0; i < p->count; i++) {
        const struct tile_segment *s = &p->segments[i];
        if (s->local != local) {
            continue;
        }
        const enum tx_status status =
            local ? tx_core_local_write(tile, p->core, s->address, s->bytes, s->room)
                  : tx_tensix_write(tile, s->address, s->bytes, s->room);
        if (status != TX_OK) {
            return txl_fail(err, "%s: %s", p->path, tx_status_text(status));
        }
    }
    return TXL_CONTINUE;
}

/*
 * Address in L1 at which Wormhole's B firmware reads the start addresses of T0 to T2: tt-llk
 * 36b092e, tests/helpers/include/boot.h, TRISC_START_BASE. Blackhole has registers for them.
 */
enum { FIRMWARE_STARTS = 0x16DFF0 };

/* Writes start addresses where tt-llk's loader (Blackhole) or that firmware finds them. */
static void set_starts(struct txl_tensix *t)
{
    const bool own = tx_arch_fact(t->how.arch, TX_FACT_RESET_PC_REGISTERS) != 0;
    const uint32_t all_three = 7;
    uint32_t first = FIRMWARE_STARTS;
    uint32_t override = 0;
    if (own && !(tx_tile_register("TRISC0_RESET_PC", &first) &&
                 tx_tile_register("TRISC_RESET_PC_OVERRIDE", &override))) {
        return; /* the chip has no such registers */
    }
    for (unsigned i = 0; i < t->count; i++) {
        const struct tile_program *p = &t->programs[i];
        if (p->core >= TX_CORE_T0 && p->core <= TX_CORE_T2) {
            const uint32_t n = (uint32_t)p->core - TX_CORE_T0;
            (void)put_word(t->tile, first + 4 * n, p->entry);
        }
    }
    if (own) {
        (void)put_word(t->tile, override, all_three);
    }
}

static int start(struct txl_error *err, struct txl_tensix *t)
{
    int result = TXL_CONTINUE;
    for (unsigned i = 0; i < t->count && result == TXL_CONTINUE; i++) {
        const struct tile_program *p = &t->programs[i];
        if (!t->how.boot_b || p->core == TX_CORE_B) {
            (void)tx_tensix_start(t->tile, p->core, p->entry);
        }
        /* Only now, because leaving reset clears local memory. */
        result = load(err, t->tile, p, true);
    }
    return result;
}

static int prepare(struct txl_error *err, struct txl_tensix *t)
{
    int result = l1_place(&t->l1, tx_tensix_machine(t->tile));
    for (unsigned i = 0; i < t->count && result == TXL_CONTINUE; i++) {
        result = load(err, t->tile, &t->programs[i], false);
    }
    for (unsigned i = 0; i < t->how.poke_count && result == TXL_CONTINUE; i++) {
        const struct txl_tensix_word *w = &t->how.pokes[i];
        if (!put_word(t->tile, w->address, w->value)) {
            return txl_fail_option(err, NULL, "pokes", "there is nothing at %08x",
                                   (unsigned)w->address);
        }
    }
    for (size_t i = 0; i < t->how.late_count && result == TXL_CONTINUE; i++) {
        uint32_t value;
        if (!get_word(t->tile, t->how.late[i].address, &value)) {
            return txl_fail_option(err, NULL, "pokes", "there is nothing at %08x",
                                   (unsigned)t->how.late[i].address);
        }
    }
    for (unsigned i = 0; i < t->how.until_count && result == TXL_CONTINUE; i++) {
        uint32_t value;
        if (!get_word(t->tile, t->how.until[i].address, &value)) {
            return txl_fail_option(err, NULL, "until", "there is nothing at %08x",
                                   (unsigned)t->how.until[i].address);
        }
    }
    if (t->how.boot_b && result == TXL_CONTINUE) {
        set_starts(t);
    }
    return result == TXL_CONTINUE ? start(err, t) : result;
}

struct tile_program *tile_program_of(const txl_tensix *t, enum tx_core core)
{
    for (unsigned i = 0; i < t->count; i++) {
        if (t->programs[i].core == core) {
            return (struct tile_program *)&t->programs[i];
        }
    }
    return NULL;
}

static int check_options(struct txl_error *err, const struct txl_tensix_options *o)
{
    unsigned cores = 0;
    if (tx_l1_size(o->arch) == 0) {
        return txl_fail_option(err, NULL, "arch", "which chip? bh or wh");
    }
    if (o->program_count == 0) {
        return txl_fail_option(err, NULL, "programs", "no program is given");
    }
    for (unsigned i = 0; i < o->program_count; i++) {
        const enum tx_core core = o->programs[i].core;
        if ((unsigned)core >= TX_CORES) {
            return txl_fail(err, "there is no core %d", (int)core);
        }
        if ((cores >> core & 1U) != 0) {
            return txl_fail_option(err, NULL, "programs", "core %s has two programs",
                                   tx_core_name(core));
        }
        cores |= 1U << core;
    }
    return TXL_CONTINUE;
}

static int read_files(struct txl_error *err, struct txl_tensix *t)
{
    int result = TXL_CONTINUE;
    for (unsigned i = 0; i < t->how.l1_in_count && result == TXL_CONTINUE; i++) {
        result = l1_option(&t->l1, t->how.l1_in[i], false) == 0 ? TXL_CONTINUE : TXL_INPUT;
    }
    for (unsigned i = 0; i < t->how.l1_out_count && result == TXL_CONTINUE; i++) {
        result = l1_option(&t->l1, t->how.l1_out[i], true) == 0 ? TXL_CONTINUE : TXL_INPUT;
    }
    result = result == TXL_CONTINUE ? l1_settle(&t->l1) : result;
    for (unsigned i = 0; i < t->how.program_count && result == TXL_CONTINUE; i++) {
        struct tile_program *p = &t->programs[t->count++];
        p->path = t->how.programs[i].path;
        p->core = t->how.programs[i].core;
        result = tile_program_read(err, t->how.arch, p);
    }
    if (result == TXL_CONTINUE) {
        result = tile_programs_apart(err, t->programs, t->count);
    }
    if (result == TXL_CONTINUE && t->how.boot_b && tile_program_of(t, TX_CORE_B) == NULL) {
        result = txl_fail_option(err, NULL, "boot_b", "core b has no program");
    }
    return result;
}

/* Reports progress while the tile runs. Returns false if the caller cancels. */
static bool goes_on(void *user)
{
    struct txl_tensix *t = user;
    t->cancelled = t->ticker != NULL && !ticker_at(t->ticker, tx_tensix_cycles(t->tile));
    return !t->cancelled;
}

static int open_tile(struct txl_error *err, struct txl_tensix *t)
{
    struct tx_tensix_settings settings;
    tx_tensix_settings_default(&settings, t->how.arch);
    settings.machine.mode = t->how.strict ? TX_MODE_STRICT : TX_MODE_SILICON;
    settings.machine.sink = t->watch.sink;
    settings.machine.watch = (struct tx_watch){t->how.progress != NULL ? goes_on : NULL, t};
    settings.untimed = t->how.untimed;
    memcpy(settings.machine.pace, t->how.pace, sizeof settings.machine.pace);
    const enum tx_status opened = tx_tensix_open(&settings, &t->tile);
    if (opened == TX_OK && t->profile != NULL) {
        profile_attach(t->profile, tx_tensix_machine(t->tile), t->tile);
    }
    return opened == TX_OK ? prepare(err, t) : txl_fail(err, "%s", tx_status_text(opened));
}

/* Makes a profile the listener, unless the caller has one. */
static int open_profile(struct txl_error *err, struct txl_tensix *t)
{
    if (!t->how.profile || t->watch.cycle != NULL) {
        return TXL_CONTINUE;
    }
    t->profile = profile_open(err);
    t->watch = (struct tile_watch){{profile_event, t->profile}, profile_cycle, t->profile};
    return t->profile != NULL ? TXL_CONTINUE : TXL_INPUT;
}

int tile_open(struct txl_error *err, const struct txl_tensix_options *options,
              const struct tile_watch *watch, txl_tensix **tile)
{
    *tile = NULL;
    struct txl_tensix *t = zeroed(err, 1, sizeof *t);
    if (t == NULL) {
        return TXL_INPUT;
    }
    t->watch = watch != NULL ? *watch : (struct tile_watch){.cycle = NULL};
    int result = options_take(err, &t->how, sizeof t->how, options);
    t->how.max_cycles = t->how.max_cycles != 0 ? t->how.max_cycles : DEFAULT_CYCLES;
    t->l1.err = err;
    t->l1.arch = t->how.arch;
    t->l1.scratch = t->how.scratch;
    result = result == TXL_CONTINUE ? check_options(err, &t->how) : result;
    result = result == TXL_CONTINUE ? read_files(err, t) : result;
    result = result == TXL_CONTINUE ? open_profile(err, t) : result;
    result = result == TXL_CONTINUE ? open_tile(err, t) : result;
    if (result != TXL_CONTINUE) {
        txl_tensix_close(t);
        return result;
    }
    *tile = t;
    return TXL_OK;
}

int txl_tensix_open(struct txl_error *err, const struct txl_tensix_options *options,
                    txl_tensix **tile)
{
    return tile_open(err, options, NULL, tile);
}

void txl_tensix_close(txl_tensix *t)
{
    if (t == NULL) {
        return;
    }
    if (t->world.step == NULL) {
        tx_tensix_close(t->tile);
    }
    profile_close(t->profile);
    free(t->before);
    for (unsigned i = 0; i < t->count && t->world.step == NULL; i++) {
        tile_program_free(&t->programs[i]);
    }
    l1_free(&t->l1);
    run_hide(&t->shown);
    free(t);
}

/* ---- running ---- */

/* Returns the first word of until that does not have its value yet; NULL: all have. */
static const struct txl_tensix_word *missing(const struct txl_tensix *t)
{
    for (unsigned i = 0; i < t->how.until_count; i++) {
        uint32_t value = 0;
        (void)get_word(t->tile, t->how.until[i].address, &value);
        if (value != t->how.until[i].value) {
            return &t->how.until[i];
        }
    }
    return NULL;
}

bool tile_rests(const struct txl_tensix *t, uint64_t *sum)
{
    bool rest = tx_idle(tx_tensix_machine(t->tile));
    *sum = 0;
    for (unsigned c = 0; c < TX_CORES; c++) {
        struct tx_core_state s;
        (void)tx_tensix_core(t->tile, (enum tx_core)c, &s);
        *sum += s.instructions;
        rest = rest && s.rests;
    }
    return rest;
}

/* Stores the host's words that are due before the next check. Returns whether more come later. */
static bool store_late(struct txl_tensix *t, uint64_t now, unsigned look)
{
    bool more = false;
    for (size_t i = 0; i < t->how.late_count; i++) {
        const struct txl_tensix_late *w = &t->how.late[i];
        if (look == TILE_LOOK && w->cycle >= now && w->cycle - now < look) {
            (void)put_word(t->tile, w->address, w->value);
        }
        more = more || (w->cycle >= now && w->cycle - now >= look);
    }
    return more;
}

/* Runs some cycles, and calls the listener after each. */
static enum tx_status run_cycles(struct txl_tensix *t, unsigned cycles)
{
    enum tx_status status = TX_OK;
    if (t->watch.cycle == NULL) {
        return tx_tensix_cycle(t->tile, cycles);
    }
    for (unsigned i = 0; i < cycles && status == TX_OK; i++) {
        status = tx_tensix_cycle(t->tile, 1);
        t->watch.cycle(t->watch.user);
    }
    return status;
}

bool tile_has_words(const struct txl_tensix *t)
{
    return t->how.until_count != 0 && missing(t) == NULL;
}

bool tile_elf(const struct txl_tensix *t, unsigned index, const char **path, uint32_t *first)
{
    for (unsigned i = 0; i < t->count; i++) {
        const struct tile_program *p = &t->programs[i];
        if (p->is_elf && index-- == 0) {
            *path = p->path;
            *first = p->first;
            return true;
        }
    }
    return false;
}

/* Runs until the words of until have their values. *wanted becomes false if the caller cancels. */
static enum tx_status run_until(struct txl_tensix *t, struct ticker *ticker, bool *wanted)
{
    enum { TILE_PATIENCE = 10000 };
    const unsigned every = t->how.until_count + t->how.late_count != 0 ? TILE_LOOK : 1;
    const tx_machine *m = tx_tensix_machine(t->tile);
    uint64_t last = 0;
    uint64_t since = 0;
    while (*wanted && tx_tensix_cycles(t->tile) < t->how.max_cycles) {
        uint64_t sum;
        /* If a debugger has run the tile before, the checks are still at the same cycles. */
        const unsigned look = every - (unsigned)(tx_tensix_cycles(t->tile) % every);
        const bool more = store_late(t, tx_tensix_cycles(t->tile), look);
        const enum tx_status status = run_cycles(t, look);
        if (status != TX_OK || (t->how.until_count != 0 && missing(t) == NULL)) {
            return status;
        }
        const bool rest = tile_rests(t, &sum);
        const uint64_t now = tx_tensix_cycles(t->tile);
        if (sum != last) {
            last = sum;
            since = now;
        }
        if (!more && rest && t->how.until_count == 0) {
            return TX_OK;
        }
        if (!more && (rest || (now - since > TILE_PATIENCE && (tx_idle(m) || tx_stuck(m))))) {
            return TX_EDEADLOCK;
        }
        *wanted = ticker_at(ticker, now);
    }
    return TX_ELIMIT;
}

/*
 * Returns the number of instructions executed, except by cores that rest; *rest: all cores rest;
 * *hung: one of them hangs for ever.
 */
static uint64_t work_done(const struct txl_tensix *t, bool *rest, bool *hung)
{
    uint64_t sum = tx_machine_counters(tx_tensix_machine(t->tile)).instructions;
    *rest = true;
    *hung = false;
    for (unsigned c = 0; c < TX_CORES; c++) {
        struct tx_core_state s;
        (void)tx_tensix_core(t->tile, (enum tx_core)c, &s);
        *rest = *rest && s.rests;
        *hung = *hung || s.phase == TX_CORE_HUNG;
        sum += s.rests ? 0 : s.instructions;
    }
    return sum;
}

/* Runs with a listener, and ends in the cycle in which tx_tensix_run would end. */
static enum tx_status run_profiled(struct txl_tensix *t, struct ticker *ticker, bool *wanted)
{
    const tx_machine *m = tx_tensix_machine(t->tile);
    uint64_t last = 0;
    uint64_t since = 0;
    for (uint64_t i = 0; *wanted && i < t->how.max_cycles; i++) {
        bool rest;
        bool hung;
        const enum tx_status status = run_cycles(t, 1);
        if (status != TX_OK) {
            return status;
        }
        if (i % TILE_LOOK != 0) {
            continue;
        }
        const uint64_t done = work_done(t, &rest, &hung);
        if (rest && (tx_idle(m) || tx_stuck(m))) {
            return tx_idle(m) && !hung ? TX_OK : TX_EDEADLOCK;
        }
        since = done != last ? i : since;
        last = done;
        if (i - since > TILE_PATIENCE) {
            return TX_EDEADLOCK;
        }
        *wanted = ticker_at(ticker, i);
    }
    return TX_ELIMIT;
}

static enum tx_status run_to_rest(struct txl_tensix *t)
{
    /* If a debugger has run it: align the checks. */
    const uint64_t odd = tx_tensix_cycles(t->tile) % TILE_LOOK;
    const enum tx_status status = tx_tensix_cycle(t->tile, odd != 0 ? TILE_LOOK - odd : 0);
    const uint64_t done = tx_tensix_cycles(t->tile);
    const uint64_t left = done < t->how.max_cycles ? t->how.max_cycles - done : 0;
    return status == TX_OK ? tx_tensix_run(t->tile, left) : status;
}

/* The run's own functions run the copy. */
enum tx_status tile_run_copy(struct txl_tensix *t, tx_tensix *copy)
{
    struct ticker ticker;
    tx_tensix *const tile = t->tile;
    const struct tile_watch watch = t->watch;
    bool wanted = ticker_start(&ticker, NULL, NULL, t->how.max_cycles);
    t->tile = copy;
    t->watch = (struct tile_watch){.cycle = NULL};
    const enum tx_status status = t->how.until_count + t->how.late_count != 0
                                      ? run_until(t, &ticker, &wanted)
                                      : run_to_rest(t);
    t->tile = tile;
    t->watch = watch;
    return status;
}

/* ---- results ---- */

const char *txl_tensix_function(const txl_tensix *t, enum tx_core core, uint32_t pc, char text[96])
{
    const struct tile_program *p = tile_program_of(t, core);
    return p == NULL ? NULL : tile_function(p, pc, text);
}

const char *txl_tensix_source(txl_tensix *t, enum tx_core core, uint32_t pc, char text[256])
{
    struct tile_program *p = tile_program_of(t, core);
    return p == NULL ? NULL : tile_source(p, pc, text, 256);
}

/*
 * Returns the place that a finding refers to: "main+0x84, ckernel.h:206 from trisc.cpp:99". Its
 * message begins with a core and its pc, or a core has pushed its word.
 */
static const char *place_of(txl_tensix *t, const struct tx_finding *f, char text[256])
{
    char name[8], function[96], source[256];
    unsigned pc;
    enum tx_core core;
    if (sscanf(f->message, "core %7s at %8x", name, &pc) != 2 ||
        tx_core_parse(name, &core) != TX_OK) {
        if (f->pusher == 0) {
            return NULL;
        }
        core = (enum tx_core)(f->pusher - 1);
        pc = f->pusher_pc;
    }
    const bool in = txl_tensix_function(t, core, pc, function) != NULL;
    const bool from = txl_tensix_source(t, core, pc, source) != NULL;
    snprintf(text, 256, "%s%s%.150s", in ? function : "", in && from ? ", " : "",
             from ? source : "");
    return in || from ? text : NULL;
}

static void fill_result(struct txl_tensix *t)
{
    static const char *const phases[] = {"in reset", "runs", "paused", "hung", "stopped"};
    t->result.cycles = tx_tensix_cycles(t->tile);
    t->result.bounds = tx_bounds(tx_tensix_machine(t->tile));
    t->result.findings = t->shown.finding_count;
    t->result.findings_dropped = t->findings.dropped;
    for (unsigned c = 0; c < TX_CORES; c++) {
        struct tx_core_state s;
        struct txl_tensix_core *core = &t->core[c];
        (void)tx_tensix_core(t->tile, (enum tx_core)c, &s);
        core->core = (enum tx_core)c;
        core->state = s.phase == TX_CORE_RUNS && s.rests ? "loops for ever" : phases[s.phase];
        core->ran = s.phase != TX_CORE_HELD || s.instructions != 0;
        core->pc = s.pc;
        core->function = txl_tensix_function(t, (enum tx_core)c, s.pc, t->functions[c]);
        core->source = txl_tensix_source(t, (enum tx_core)c, s.pc, t->sources[c]);
        core->instructions = s.instructions;
        memcpy(t->waited[c], s.waited, sizeof t->waited[c]);
        core->waited = t->waited[c];
    }
    for (size_t i = 0; i < t->shown.finding_count; i++) {
        struct txl_run_finding *one = &t->shown.findings[i];
        one->source = place_of(t, one->finding, t->shown.sources[i]);
    }
    l1_show(t->in, t->l1.in, t->l1.in_count);
    l1_show(t->out, t->l1.out, t->l1.out_count);
}

/* The error says where each core and thread is; of a deadlock in a table. */
static int failed(struct txl_error *err, struct txl_tensix *t, enum tx_status status)
{
    char line[sizeof err->message];
    char text[256];
    tx_machine *m = tx_tensix_machine(t->tile);
    const unsigned long long cycles = (unsigned long long)t->result.cycles;
    const struct tx_finding *f = tx_fault(m);
    if (status == TX_FAULT && f != NULL) {
        const char *place = place_of(t, f, text);
        return txl_refuse(err, TXL_NEGATIVE, "fault in cycle %llu: %s%s%s",
                          (unsigned long long)f->cycle, tx_finding_text(f, line, sizeof line),
                          place != NULL ? "; in " : "", place != NULL ? place : "");
    }
    uint64_t sum;
    const struct txl_tensix_word *w = missing(t);
    if (w != NULL && tile_rests(t, &sum)) {
        uint32_t value = 0;
        (void)get_word(t->tile, w->address, &value);
        return txl_refuse(err, TXL_NEGATIVE,
                          "every core rests after %s%llu cycles, and %08x is %08x, not %08x",
                          bound_prefix(t->result.bounds), cycles, (unsigned)w->address,
                          (unsigned)value, (unsigned)w->value);
    }
    tile_stuck_text(t, status, line, sizeof err->message);
    return txl_refuse(err, TXL_NEGATIVE, "%s", line);
}

/* Tells whether a core cannot continue although the run waits for no words that excuse it. */
static bool stopped(const struct txl_tensix *t)
{
    bool found = false;
    for (unsigned c = 0; t->how.until_count == 0 && c < TX_CORES; c++) {
        struct tx_core_state s;
        found = found || (tx_tensix_core(t->tile, (enum tx_core)c, &s) == TX_OK &&
                          s.phase == TX_CORE_STOPPED);
    }
    return found;
}

const txl_profile *txl_tensix_profile(const txl_tensix *t)
{
    return t->profiled ? t->profile : NULL;
}

int txl_tensix_run(struct txl_error *err, txl_tensix *t)
{
    static const uint64_t no_notes[RUN_NOTES];
    struct ticker ticker;
    bool wanted = ticker_start(&ticker, t->how.progress, t->how.progress_user, t->how.max_cycles);
    const bool words = t->how.until_count + t->how.late_count != 0;
    t->ticker = &ticker;
    t->cancelled = !wanted;
    if (t->profile != NULL && tile_keep_before(err, t) != TXL_CONTINUE) {
        return TXL_INPUT;
    }
    enum tx_status status = !wanted                           ? TX_ELIMIT
                            : !words && t->profile != NULL    ? run_profiled(t, &ticker, &wanted)
                            : words || t->watch.cycle != NULL ? run_until(t, &ticker, &wanted)
                                                              : run_to_rest(t);
    t->ticker = NULL;
    wanted = wanted && !t->cancelled;
    if (status == TX_OK && wanted && !stopped(t)) {
        status = l1_check_files(&t->l1, tx_tensix_machine(t->tile));
    }
    run_collect(&t->findings, tx_tensix_machine(t->tile), false, NULL);
    int result = run_show(err, &t->shown, &t->findings, no_notes, NULL, NULL);
    fill_result(t);
    if (result == TXL_CONTINUE && !wanted) {
        result = txl_refuse(err, TXL_CANCELLED, "cancelled");
    } else if (result == TXL_CONTINUE && (status != TX_OK || stopped(t))) {
        result = failed(err, t, status);
    } else if (result == TXL_CONTINUE) {
        t->l1.err = err;
        result = l1_take(&t->l1, tx_tensix_machine(t->tile));
        if (result == TXL_CONTINUE && t->profile != NULL) {
            result = tile_finish_profile(err, t);
        }
    }
    return result == TXL_CONTINUE ? TXL_OK : result;
}

tx_tensix *txl_tensix_tile(txl_tensix *t)
{
    return t->tile;
}

const struct txl_tensix_result *txl_tensix_result(const txl_tensix *t)
{
    return &t->result;
}

const struct txl_tensix_core *txl_tensix_core(const txl_tensix *t, enum tx_core core)
{
    return (unsigned)core < TX_CORES ? &t->core[core] : NULL;
}

const struct txl_run_finding *txl_tensix_finding(const txl_tensix *t, size_t index)
{
    return index < t->shown.finding_count ? &t->shown.findings[index] : NULL;
}

const struct txl_l1_file *txl_tensix_l1_file(const txl_tensix *t, bool output, size_t index)
{
    if (output) {
        return index < t->l1.out_count ? &t->out[index] : NULL;
    }
    return index < t->l1.in_count ? &t->in[index] : NULL;
}

const struct txl_tensix_options *tile_options(const txl_tensix *tile)
{
    return &tile->how;
}

char *txl_tensix_json(const txl_tensix *t)
{
    txl_json *root = txl_json_object();
    txl_json *cores = txl_json_array();
    txl_json_set_text(root, "arch", tx_arch_name(t->how.arch));
    txl_json_set_bool(root, "untimed", t->how.untimed);
    txl_json_set_int(root, "cycles", t->result.cycles);
    bound_json(root, t->result.bounds);
    txl_json_set(root, "l1", l1_json(&t->l1));
    for (unsigned c = 0; c < TX_CORES; c++) {
        const struct txl_tensix_core *core = &t->core[c];
        txl_json *object = txl_json_object();
        txl_json *waited = txl_json_object();
        txl_json_set_text(object, "core", tx_core_name(core->core));
        txl_json_set_text(object, "state", core->state);
        txl_json_set_word(object, "pc", core->pc);
        if (core->function != NULL) {
            txl_json_set_text(object, "function", core->function);
        }
        if (core->source != NULL) {
            txl_json_set_text(object, "source", core->source);
        }
        txl_json_set_int(object, "instructions", core->instructions);
        for (size_t i = 1; i < TX_CORE_WAITS; i++) {
            txl_json_set_int(waited, tx_core_wait_text(i), core->waited[i]);
        }
        txl_json_set(object, "waited", waited);
        txl_json_append(cores, object);
    }
    txl_json_set(root, "cores", cores);
    txl_json_set(root, "findings", run_findings_json(&t->shown));
    txl_json_set_int(root, "findings_dropped", t->findings.dropped);
    if (t->profiled) {
        txl_json_set(root, "profile", profile_json(t->profile));
    }
    return json_text(root);
}
