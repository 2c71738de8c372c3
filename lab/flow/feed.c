/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arranges the words of a program as one stream, in which the instructions that a REPLAY repeats
 * stand in its place, runs the stream on a machine, and records every finding with its place in the
 * source.
 */
#include "flow/feed.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
    MOST_WORDS = 1 << 22,
    REPLAY_SLOTS = 32,
    /* Lint looks further back only at the values in registers, through their marks. */
    STEPS_KEPT = 512
};

/* ---- the stream ---- */

static bool push(struct feed *feed, const struct feed_word *word)
{
    feed->too_long = feed->count == MOST_WORDS;
    if (feed->too_long || !LIST_ROOM(feed->words, feed->count, feed->room, 1)) {
        return false;
    }
    feed->words[feed->count++] = *word;
    return true;
}

static bool add_site(struct feed *feed, const struct feed_site *site)
{
    if (!LIST_ROOM(feed->sites, feed->site_count, feed->site_room, 1)) {
        return false;
    }
    feed->sites[feed->site_count++] = *site;
    return true;
}

/*
 * Returns whether an instruction needs something that a feed does not have: memory, or another
 * thread that posts or releases. For bare words, which are not a whole program, this includes a
 * MopCfg written by a RISC-V core and register banks that another unit fills. Of such an
 * instruction the feed models only the cycle that it takes.
 */
static bool needs_others(const struct feed *feed, const struct tx_row *row)
{
    switch ((enum tx_insn_id)row->insn) {
    case TX_INSN_SEMWAIT:
    case TX_INSN_ATGETM:
    case TX_INSN_LOADIND:
    case TX_INSN_STOREIND:
    case TX_INSN_LOADREG:
    case TX_INSN_STOREREG:
    case TX_INSN_ATINCGET:
    case TX_INSN_ATINCGETPTR:
    case TX_INSN_ATSWAP:
    case TX_INSN_ATCAS:
        return true;
    case TX_INSN_SETRWC:
    case TX_INSN_INCRWC:
        return false;
    case TX_INSN_REG2FLOP:
    case TX_INSN_MOP:
        return feed->program == NULL;
    default:
        return row->unit == TX_UNIT_MATRIX && feed->program == NULL;
    }
}

static bool is_insn(const struct feed *feed, uint32_t word, enum tx_insn_id insn)
{
    return tx_insn_id_of(feed->arch, word) == insn;
}

/*
 * Makes the word of the stream for a word of the program. Where needs_others, it becomes a NOP that
 * takes the cycle.
 */
static struct feed_word word_at(struct feed *feed, uint32_t word, uint32_t site)
{
    struct tx_decoded d;
    struct feed_word w = {.word = word, .site = site, .mop = is_insn(feed, word, TX_INSN_MOP)};
    const bool known = tx_decode(feed->arch, word, &d) == TX_OK;
    const bool bare = feed->program == NULL && known && d.row == NULL;
    if (bare || (known && d.row != NULL && needs_others(feed, d.row))) {
        const struct tx_insn *insn = tx_insn_of(feed->arch, word);
        feed->skipped++;
        feed->sites[site].skipped = true;
        w.word = TX_INSN_WORD(TX_INSN_NOP);
        /* Which rows it writes is not known, so all count as written. */
        w.fpu = insn != NULL && tx_insn_fpu_writes(insn);
        w.mop = false;
    }
    return w;
}

/* Appends cycles of whose instructions nothing is known. */
static bool idle_cycles(struct feed *feed)
{
    enum { LONGEST = 4 }; /* cycles in which an instruction can still be seen */
    bool good = true;
    for (unsigned i = 0; feed->site_count != 0 && i < LONGEST && good; i++) {
        const struct feed_word idle = {.word = TX_INSN_WORD(TX_INSN_NOP),
                                       .site = (uint32_t)feed->site_count - 1,
                                       .idle = true};
        good = push(feed, &idle);
    }
    return good;
}

/* Puts a word into the replay buffer. */
static void record(struct feed_replay *r, struct feed_word w)
{
    w.gap = r->gap;
    r->gap = false;
    r->slot[r->at] = w;
    r->recorded |= UINT32_C(1) << r->at;
    r->at = (r->at + 1) % REPLAY_SLOTS;
    r->left--;
}

/*
 * Appends the words that a REPLAY repeats. Slots that nothing has recorded hold 0, which is not an
 * instruction.
 */
static bool replay(struct feed *feed, unsigned index, unsigned count, uint32_t site)
{
    const struct feed_replay *r = &feed->replay;
    for (unsigned i = 0; i < count; i++) {
        const unsigned slot = (index + i) % REPLAY_SLOTS;
        const bool known = (r->recorded >> slot & 1) != 0;
        struct feed_word w = known ? r->slot[slot] : (struct feed_word){.word = 0, .site = site};
        /* The machine reports a REPLAY in the replay buffer; here it only takes a cycle. */
        w.idle = w.idle || is_insn(feed, w.word, TX_INSN_REPLAY) || (!known && feed->part);
        feed->unrecorded += !known && feed->part ? 1 : 0;
        if ((w.gap && !idle_cycles(feed)) || !push(feed, &w)) {
            return false;
        }
    }
    return true;
}

static bool one_word(struct feed *feed, uint32_t word, uint32_t site)
{
    struct feed_replay *r = &feed->replay;
    const bool is_replay = is_insn(feed, word, TX_INSN_REPLAY);
    struct feed_word w = word_at(feed, word, site);
    feed->replays |= is_replay;
    if (feed->straight) {
        return push(feed, &w);
    }
    if (r->left != 0) {
        record(r, w);
        w.idle = !r->execute || is_replay;
        return push(feed, &w);
    }
    if (is_replay) {
        struct tx_decoded d;
        (void)tx_decode(feed->arch, word, &d);
        unsigned index = tx_row_field(d.row, TX_FLD_INDEX, word);
        unsigned count = tx_row_field(d.row, TX_FLD_COUNT, word);
        count = count == 0 ? REPLAY_SLOTS : count;
        if (tx_row_field(d.row, TX_FLD_LOAD, word) == 0) {
            return replay(feed, index, count, site);
        }
        r->at = index;
        r->left = count;
        r->execute = tx_row_field(d.row, TX_FLD_EXEC, word) != 0;
        w.idle = true;
    }
    return push(feed, &w);
}

bool feed_add_words(struct feed *feed, const uint32_t *words, const uint32_t *lines, size_t count,
                    unsigned section, uint32_t stride)
{
    for (size_t i = 0; i < count; i++) {
        struct feed_site site = {.word = words[i],
                                 .line = lines != NULL ? lines[i] : 0,
                                 .offset = (uint32_t)i * stride,
                                 .start = feed->count,
                                 .section = section};
        if (!add_site(feed, &site) || !one_word(feed, words[i], (uint32_t)feed->site_count - 1)) {
            return false;
        }
    }
    return true;
}

bool feed_gap(struct feed *feed, unsigned words)
{
    struct feed_replay *r = &feed->replay;
    r->gap = r->left != 0;
    for (unsigned i = 0; i < words && r->left != 0; i++) {
        record(r, (struct feed_word){.word = TX_INSN_WORD(TX_INSN_NOP),
                                     .site = (uint32_t)feed->site_count - 1,
                                     .idle = true});
        r->gap = r->left != 0;
    }
    return idle_cycles(feed);
}

bool feed_build(struct feed *feed, const struct tx_program *program)
{
    feed->arch = tx_program_arch(program);
    feed->program = program;
    bool good = true;
    for (unsigned s = 0; s < TX_SECTIONS && good; s++) {
        feed->tile = s == TX_SECTION_TILE ? feed->count : 0;
        const size_t first = feed->site_count;
        good = feed_add_words(feed, tx_program_words(program, s), tx_program_lines(program, s),
                              tx_program_count(program, s), s, 1);
        for (size_t i = 0; i < tx_program_count(program, s) && good; i++) {
            feed->sites[first + i].file = txl_where_word(NULL, program, s, i).file;
        }
    }
    return good;
}

void feed_free(struct feed *feed)
{
    free(feed->words);
    free(feed->sites);
    free(feed->issued);
    *feed = (struct feed){.words = NULL};
}

/* ---- data ---- */

uint64_t feed_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

void feed_data(enum tx_dst_format format, uint64_t *state, uint32_t values[TX_TILE_ELEMENTS])
{
    static const uint32_t special[16] = {0,          0x80000000, 0x3F800000, 0xBF800000,
                                         0x7F800000, 0xFF800000, 0x7FC00000, 0x00000001,
                                         0x007FFFFF, 0x00800000, 0x7F7FFFFF, 0xFF7FFFFF,
                                         0x40490FDB, 0x42B17218, 0x4B000000, 0xC7FFF000};
    bool whole = format >= TX_DST_FORMAT_INT32;
    for (unsigned i = 0; i < TX_TILE_ELEMENTS; i++) {
        uint64_t r = feed_random(state);
        uint32_t value = (uint32_t)(r >> 32);
        if (whole) {
            value = (r & 3) == 0 ? value : (uint32_t)((int32_t)value >> 20);
        } else if ((r & 7) < 6) { /* mostly ordinary magnitudes: 2^-8 .. 2^8 */
            value = (value & 0x807FFFFF) | (uint32_t)(119 + (r >> 3 & 15)) << 23;
        } else if ((r & 7) == 6) {
            value = special[r >> 3 & 15];
        }
        values[i] = tx_dst_encode(format, value, &(bool){false});
    }
}

/* ---- the run ---- */

static uint32_t *first_at(struct feed_run *run, uint32_t site)
{
    return &run->first[site < run->feed->site_count ? site : run->feed->site_count];
}

static struct feed_found *new_found(struct feed_run *run)
{
    if (!LIST_ONE(run->found, run->count, run->room, run->memory)) {
        return NULL;
    }
    return &run->found[run->count++];
}

struct feed_found *feed_add(struct feed_run *run, const struct tx_finding *finding, uint32_t site)
{
    uint32_t *first = first_at(run, site);
    for (uint32_t i = *first; i != FEED_NOWHERE; i = run->found[i].next) {
        struct feed_found *f = &run->found[i];
        if (f->finding.category != finding->category) {
            continue;
        }
        bool same = f->finding.rule == finding->rule;
        /* A stale read and a lost write between the same two instructions are one hazard. */
        bool pair = f->cycle == finding->cycle && f->producer != FEED_NOWHERE;
        if (same || pair) {
            f->count += same ? 1 : 0;
            f->cycle = finding->cycle;
            return NULL;
        }
    }
    struct feed_found *f = new_found(run);
    if (f == NULL) {
        return NULL;
    }
    *f = (struct feed_found){.finding = *finding,
                             .site = site,
                             .producer = FEED_NOWHERE,
                             .cycle = finding->cycle,
                             .count = 1,
                             .at = FEED_NOWHERE,
                             .next = *first};
    *first = (uint32_t)(run->count - 1);
    return f;
}

uint32_t feed_place(const struct feed *feed, uint64_t number)
{
    return number < feed->issued_count ? feed->issued[number] : FEED_NOWHERE;
}

static uint32_t site_at(const struct feed *feed, uint32_t at)
{
    return at < feed->count ? feed->words[at].site : FEED_NOWHERE;
}

/*
 * Returns whether the finding is between an instruction of .init and one of .tile. It is no hazard
 * then, because the machine finishes .init before .tile begins.
 */
static bool over_seam(const struct feed *feed, const struct tx_finding *finding)
{
    return feed->program != NULL && finding->producer != UINT64_MAX &&
           feed_place(feed, finding->producer) < feed->tile &&
           feed_place(feed, finding->index) >= feed->tile;
}

static void take_finding(struct feed_run *run, const struct tx_finding *finding)
{
    if (over_seam(run->feed, finding)) {
        return;
    }
    const uint32_t at = feed_place(run->feed, finding->index);
    const uint32_t site = site_at(run->feed, at);
    struct feed_found *f = feed_add(run, finding, site == FEED_NOWHERE ? run->site : site);
    if (f != NULL) {
        f->at = at;
    }
    if (f != NULL && finding->producer != UINT64_MAX) {
        f->producer = site_at(run->feed, feed_place(run->feed, finding->producer));
        f->producer_cycle = finding->producer_cycle;
    }
}

static void note_gap(struct feed_run *run, const struct tx_event *event)
{
    if (event->row->insn == TX_INSN_SFPCONFIG) {
        run->configured = true;
        run->gap_count = 0;
    } else if (event->row->insn == TX_INSN_SFPNOP) {
        if (run->configured && run->gap_count < 16 && run->site != FEED_NOWHERE) {
            run->gap_nops[run->gap_count++] = run->site;
        }
    } else if (event->row->insn == TX_INSN_SFPLOADMACRO) {
        for (unsigned i = 0; run->configured && i < run->gap_count; i++) {
            run->feed->sites[run->gap_nops[i]].near_macro = true;
        }
        run->configured = false;
        run->gap_count = 0;
        run->since_launch = 0;
    }
}

static void note_issue(struct feed_run *run, const struct tx_event *event)
{
    bool vector = event->unit >= TX_UNIT_LOAD && event->unit <= TX_UNIT_STORE;
    if (event->number < run->feed->issued_room) {
        run->feed->issued[event->number] = run->at;
        run->feed->issued_count = (size_t)event->number + 1;
    }
    if (run->site != FEED_NOWHERE) {
        if (!run->feed->sites[run->site].issued) {
            run->feed->sites[run->site].cycle = event->cycle;
        }
        run->feed->sites[run->site].issued = true;
        run->feed->sites[run->site].near_macro |= run->since_launch < 12;
    }
    if (!vector) {
        return;
    }
    run->since_launch++;
    if (event->row != NULL) {
        note_gap(run, event);
    }
}

static void on_event(void *user, const struct tx_event *event)
{
    struct feed_run *run = user;
    if (run->also != NULL) {
        run->also(run->user, event);
        return;
    }
    txl_graph_event(run->graph, event);
    if (!txl_graph_whole(run->graph)) {
        run->memory = true;
        return;
    }
    switch (event->kind) {
    case TX_EVENT_ISSUE:
        note_issue(run, event);
        break;
    case TX_EVENT_COMPUTE:
        live_check(run, event);
        break;
    case TX_EVENT_FINDING:
    case TX_EVENT_FAULT:
        take_finding(run, event->finding);
        break;
    default:
        break;
    }
}

uint64_t feed_fold(uint64_t digest, const tx_machine *machine, enum tx_file file, unsigned index,
                   unsigned count)
{
    uint32_t values[32] = {0};
    (void)tx_read(machine, file, index, values, count);
    for (unsigned i = 0; i < count; i++) {
        digest = (digest ^ values[i]) * UINT64_C(0x100000001B3);
    }
    return digest;
}

static uint64_t state_digest(const tx_machine *machine)
{
    uint64_t digest = UINT64_C(0xCBF29CE484222325);
    for (unsigned i = 0; i < 15; i++) {
        digest = feed_fold(digest, machine, TX_FILE_LREG, i, TX_LANES);
    }
    for (unsigned i = 0; i < TX_DST_ROWS; i++) {
        digest = feed_fold(digest, machine, TX_FILE_DST, i, TX_DST_WIDTH);
    }
    digest = feed_fold(digest, machine, TX_FILE_LANE_FLAGS, 0, 1);
    return feed_fold(digest, machine, TX_FILE_USE_LANE_FLAGS, 0, 1);
}

/*
 * Asks the progress function every few thousand cycles, that is every few milliseconds, whether to
 * go on. Returns false when it has cancelled.
 */
static bool goes_on(struct feed_watch *w)
{
    enum { CYCLES = 4096 };
    if (w != NULL && w->progress != NULL && w->cycles++ % CYCLES == 0 && !w->cancelled) {
        w->cancelled = !w->progress(w->user, w->cycles - 1, 0);
    }
    return w == NULL || !w->cancelled;
}

/*
 * Runs one cycle. The findings are cleared first, so that the machine reports each occurrence
 * instead of only counting it.
 */
static enum tx_status cycle(struct feed_run *run, const uint32_t *word, bool *taken)
{
    const uint64_t most = run->feed->most_cycles != 0 ? run->feed->most_cycles : FEED_MOST_CYCLES;
    tx_findings_clear(run->machine);
    if (run->cycles >= most || !goes_on(run->feed->watch)) {
        run->ended = true;
        return TX_ELIMIT;
    }
    run->cycles++;
    return tx_cycle(run->machine, 1, word, taken);
}

enum tx_status feed_present(struct feed_run *run, uint32_t word, bool idle)
{
    bool accepted = idle;
    enum tx_status status = TX_OK;
    do {
        bool taken = false;
        status = cycle(run, idle ? NULL : &word, &taken);
        accepted |= taken;
    } while (!accepted && status == TX_OK);
    /* It waits for another thread, as those that needs_others names: go on without it. */
    if (status == TX_EDEADLOCK) {
        const struct tx_insn *insn = tx_insn_of(run->feed->arch, word);
        run->waiting++;
        status = insn != NULL && tx_insn_fpu_writes(insn)
                     ? tx_fpu_wrote(run->machine, 0, TX_DST_ROWS)
                     : TX_OK;
    }
    return status;
}

static void fill_machine(struct feed_run *run, uint64_t *random)
{
    uint32_t values[TX_LANES];
    for (unsigned i = 0; i < TX_DST_ROWS; i++) {
        for (unsigned k = 0; k < TX_DST_WIDTH; k++) {
            values[k] = (uint32_t)(feed_random(random) & 0xBFFF);
        }
        (void)tx_write(run->machine, TX_FILE_DST, i, values, TX_DST_WIDTH);
    }
    for (unsigned i = 0; i < 8; i++) {
        for (unsigned k = 0; k < TX_LANES; k++) {
            values[k] = (uint32_t)feed_random(random) & 0xBFFFFFFF;
        }
        (void)tx_write(run->machine, TX_FILE_LREG, i, values, TX_LANES);
    }
}

static void begin_tile(struct feed_run *run, enum tx_dst_format format, uint64_t *random)
{
    static const uint32_t zero[TX_RWC_COUNT] = {0};
    uint32_t values[TX_TILE_ELEMENTS];
    (void)tx_write(run->machine, TX_FILE_RWC, 1, zero, TX_RWC_COUNT);
    (void)tx_fpu_wrote(run->machine, tx_program_fpu_first(run->feed->program),
                       tx_program_fpu_rows(run->feed->program));
    for (unsigned i = 0; i < tx_program_inputs(run->feed->program); i++) {
        feed_data(format, random, values);
        (void)tx_dst_load_tile(run->machine, i, format, values);
    }
}

void feed_begin(struct feed_run *run, size_t at)
{
    if (run->feed->program != NULL && at == run->feed->tile && !run->begun) {
        begin_tile(run, tx_kernel_dst(run->kernel), &run->random);
        run->begun = true;
    }
}

enum tx_status feed_go(struct feed_run *run, size_t at)
{
    struct feed *feed = run->feed;
    const struct feed_word *w = &feed->words[at];
    feed_begin(run, at);
    if (run->removed != NULL && w->site != FEED_NOWHERE && run->removed[w->site]) {
        return TX_OK;
    }
    run->site = w->site;
    run->at = (uint32_t)at;
    enum tx_status status = feed_present(run, w->word, w->idle);
    if (w->fpu && status == TX_OK) {
        status = tx_fpu_wrote(run->machine, 0, TX_DST_ROWS);
    }
    return status;
}

/* Runs until the machine is idle. Stops also when what is left waits for further instructions. */
enum tx_status feed_drain(struct feed_run *run)
{
    enum tx_status status = TX_OK;
    for (unsigned i = 0; (i < 10 || !tx_idle(run->machine)) && status == TX_OK; i++) {
        status = cycle(run, NULL, &(bool){false});
        if (i >= 10 && tx_stuck(run->machine)) {
            break;
        }
    }
    return status;
}

static bool make_room(struct feed *feed, struct feed_run *run)
{
    const size_t most = feed->count + 16;
    run->first = malloc((feed->site_count + 1) * sizeof *run->first);
    if (feed->issued_room < most) {
        free(feed->issued);
        feed->issued = malloc(most * sizeof *feed->issued);
        feed->issued_room = feed->issued != NULL ? most : 0;
    }
    feed->issued_count = 0;
    if (run->first != NULL) {
        memset(run->first, 0xFF, (feed->site_count + 1) * sizeof *run->first);
    }
    if (run->also == NULL && txl_graph_open(NULL, &run->graph) == TXL_OK) {
        graph_keep(run->graph, STEPS_KEPT);
    }
    return feed->issued != NULL && run->first != NULL && (run->graph != NULL || run->also != NULL);
}

enum tx_status feed_enter(struct feed *feed, struct feed_run *run)
{
    struct tx_settings settings;
    struct tx_kernel_options options;
    feed_run_free(run);
    *run = (struct feed_run){.removed = run->removed,
                             .seed = run->seed,
                             .also = run->also,
                             .user = run->user,
                             .feed = feed,
                             .random = run->seed,
                             .site = FEED_NOWHERE,
                             .at = FEED_NOWHERE,
                             .since_launch = UINT32_MAX};
    if (!make_room(feed, run)) {
        return TX_ENOMEM;
    }
    if (feed->program == NULL) {
        const struct tx_asm_options how = {.arch = feed->arch};
        enum tx_status status = tx_assemble("", 0, &how, &run->bare, NULL);
        if (status != TX_OK) {
            return status;
        }
    }
    tx_settings_default(&settings, feed->arch);
    settings.sink = (struct tx_sink){on_event, run};
    tx_kernel_options_default(&options);
    options.dst = feed->dst;
    options.start = feed->program == NULL ? feed->start : TX_START_UNSET;
    enum tx_status status = tx_kernel_open(&settings, run->bare != NULL ? run->bare : feed->program,
                                           &options, &run->kernel);
    if (status != TX_OK) {
        run->kernel = NULL;
        feed_leave(run);
        return status;
    }
    run->machine = tx_kernel_machine(run->kernel);
    tx_prng_seed(run->machine, 1);
    if (feed->program == NULL) {
        fill_machine(run, &run->random);
    }
    return TX_OK;
}

void feed_leave(struct feed_run *run)
{
    tx_kernel_close(run->kernel);
    tx_program_free(run->bare);
    run->kernel = NULL;
    run->machine = NULL;
    run->bare = NULL;
}

void feed_run_free(struct feed_run *run)
{
    free(run->found);
    free(run->first);
    txl_graph_close(run->graph);
    run->graph = NULL;
    run->found = NULL;
    run->first = NULL;
}

enum tx_status feed_run(struct feed *feed, struct feed_run *run)
{
    enum tx_status opened = feed_enter(feed, run);
    if (opened != TX_OK) {
        return opened;
    }
    enum tx_status status = TX_OK;
    for (size_t i = 0; i < feed->count && status == TX_OK; i++) {
        status = feed_go(run, i);
    }
    if (status == TX_OK) {
        status = feed_drain(run);
    }
    if (status == TX_OK) {
        run->digest = state_digest(run->machine);
        tx_findings_clear(run->machine);
        status = tx_finish(run->machine);
    }
    /* Where words were left out, what the result would have held is not known. */
    if (status == TX_OK && feed->program != NULL && feed->skipped == 0 && run->waiting == 0) {
        run->site = FEED_NOWHERE;
        tx_findings_clear(run->machine);
        tx_kernel_check_result(run->kernel);
    }
    run->stopped = status != TX_OK && !run->ended;
    feed_leave(run);
    return run->memory ? TX_ENOMEM : TX_OK;
}
