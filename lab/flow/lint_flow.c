/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Puts the words of a program into one stream, with each replay in place of the REPLAY that starts
 * it, runs the stream, and notes every finding with its place in the source.
 */
#include "flow/lint_flow.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_WORDS = 1 << 22,
    REPLAY_SLOTS = 32,
    STEPS_KEPT = 512 /* lint looks back to the values in registers, through their marks */
};

/* ---- the stream ---- */

static bool push(struct flow *flow, const struct flow_word *word)
{
    if (flow->count == flow->room) {
        size_t room = flow->room == 0 ? 1024 : flow->room * 2;
        struct flow_word *larger =
            room > MOST_WORDS ? NULL : realloc(flow->words, room * sizeof *larger);
        if (larger == NULL) {
            return false;
        }
        flow->words = larger;
        flow->room = room;
    }
    flow->words[flow->count++] = *word;
    return true;
}

static bool add_site(struct flow *flow, const struct flow_site *site)
{
    if (flow->site_count == flow->site_room) {
        size_t room = flow->site_room == 0 ? 256 : flow->site_room * 2;
        struct flow_site *larger = realloc(flow->sites, room * sizeof *larger);
        if (larger == NULL) {
            return false;
        }
        flow->sites = larger;
        flow->site_room = room;
    }
    flow->sites[flow->site_count++] = *site;
    return true;
}

/*
 * Needs what is not here: another thread that posts or releases, memory; of words that are no whole
 * program, also a MopCfg that a RISC-V core has written, and banks that somebody has filled. Only
 * its cycle passes.
 */
static bool needs_others(const struct flow *flow, const struct tx_row *row)
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
        return flow->program == NULL;
    default:
        return row->unit == TX_UNIT_MATRIX && flow->program == NULL;
    }
}

static bool is_insn(const struct flow *flow, uint32_t word, enum tx_insn_id insn)
{
    return tx_insn_id_of(flow->arch, word) == insn;
}

/* The word as it is run, at this site: of units that are not here only the cycle passes. */
static struct flow_word word_at(struct flow *flow, uint32_t word, uint32_t site)
{
    struct tx_decoded d;
    struct flow_word w = {.word = word, .site = site, .mop = is_insn(flow, word, TX_INSN_MOP)};
    const bool known = tx_decode(flow->arch, word, &d) == TX_OK;
    const bool bare = flow->program == NULL && known && d.row == NULL;
    if (bare || (known && d.row != NULL && needs_others(flow, d.row))) {
        const struct tx_insn *insn = tx_insn_of(flow->arch, word);
        flow->skipped++;
        w.word = TX_INSN_WORD(TX_INSN_NOP);
        w.fpu = insn != NULL && tx_insn_fpu_writes(insn); /* nobody says which rows: all count */
        w.mop = false;
    }
    return w;
}

/* The words that a REPLAY gives. Slots that nothing recorded hold 0, which is no instruction. */
static bool replay(struct flow *flow, unsigned index, unsigned count, uint32_t site)
{
    const struct flow_replay *r = &flow->replay;
    for (unsigned i = 0; i < count; i++) {
        const unsigned slot = (index + i) % REPLAY_SLOTS;
        const bool known = (r->recorded >> slot & 1) != 0;
        struct flow_word w = known ? r->slot[slot] : (struct flow_word){.word = 0, .site = site};
        /* The machine reports a REPLAY that was recorded; here it is a cycle. */
        w.idle = is_insn(flow, w.word, TX_INSN_REPLAY) || (!known && flow->part);
        flow->unrecorded += !known && flow->part ? 1 : 0;
        if (!push(flow, &w)) {
            return false;
        }
    }
    return true;
}

static bool one_word(struct flow *flow, uint32_t word, uint32_t site)
{
    struct flow_replay *r = &flow->replay;
    const bool is_replay = is_insn(flow, word, TX_INSN_REPLAY);
    struct flow_word w = word_at(flow, word, site);
    flow->replays |= is_replay;
    if (flow->straight) {
        return push(flow, &w);
    }
    if (r->left != 0) {
        r->slot[r->at] = w;
        r->recorded |= UINT32_C(1) << r->at;
        r->at = (r->at + 1) % REPLAY_SLOTS;
        r->left--;
        w.idle = !r->execute || is_replay;
        return push(flow, &w);
    }
    if (is_replay) {
        struct tx_decoded d;
        (void)tx_decode(flow->arch, word, &d);
        unsigned index = tx_row_field(d.row, TX_FLD_INDEX, word);
        unsigned count = tx_row_field(d.row, TX_FLD_COUNT, word);
        count = count == 0 ? REPLAY_SLOTS : count;
        if (tx_row_field(d.row, TX_FLD_LOAD, word) == 0) {
            return replay(flow, index, count, site);
        }
        r->at = index;
        r->left = count;
        r->execute = tx_row_field(d.row, TX_FLD_EXEC, word) != 0;
        w.idle = true;
    }
    return push(flow, &w);
}

bool flow_add_words(struct flow *flow, const uint32_t *words, const uint32_t *lines, size_t count,
                    unsigned section, uint32_t step)
{
    for (size_t i = 0; i < count; i++) {
        struct flow_site site = {.word = words[i],
                                 .line = lines != NULL ? lines[i] : 0,
                                 .offset = (uint32_t)i * step,
                                 .start = flow->count,
                                 .section = section};
        if (!add_site(flow, &site) || !one_word(flow, words[i], (uint32_t)flow->site_count - 1)) {
            return false;
        }
    }
    return true;
}

bool flow_build(struct flow *flow, const struct tx_program *program)
{
    flow->arch = tx_program_arch(program);
    flow->program = program;
    bool good = true;
    for (unsigned s = 0; s < TX_SECTIONS && good; s++) {
        flow->tile = s == TX_SECTION_TILE ? flow->count : 0;
        const size_t first = flow->site_count;
        good = flow_add_words(flow, tx_program_words(program, s), tx_program_lines(program, s),
                              tx_program_count(program, s), s, 1);
        for (size_t i = 0; i < tx_program_count(program, s) && good; i++) {
            flow->sites[first + i].file = txl_where_word(NULL, program, s, i).file;
        }
    }
    return good;
}

void flow_free(struct flow *flow)
{
    free(flow->words);
    free(flow->sites);
    free(flow->issued);
    *flow = (struct flow){.words = NULL};
}

/* ---- data ---- */

uint64_t flow_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

void flow_data(enum tx_dst_format format, uint64_t *state, uint32_t values[TX_TILE_ELEMENTS])
{
    static const uint32_t special[16] = {0,          0x80000000, 0x3F800000, 0xBF800000,
                                         0x7F800000, 0xFF800000, 0x7FC00000, 0x00000001,
                                         0x007FFFFF, 0x00800000, 0x7F7FFFFF, 0xFF7FFFFF,
                                         0x40490FDB, 0x42B17218, 0x4B000000, 0xC7FFF000};
    bool whole = format >= TX_DST_FORMAT_INT32;
    for (unsigned i = 0; i < TX_TILE_ELEMENTS; i++) {
        uint64_t r = flow_random(state);
        uint32_t value = (uint32_t)(r >> 32);
        if (whole) {
            value = (r & 3) == 0 ? value : (uint32_t)((int32_t)value >> 20);
        } else if ((r & 7) < 6) { /* of everyday size: 2^-8 .. 2^8 */
            value = (value & 0x807FFFFF) | (uint32_t)(119 + (r >> 3 & 15)) << 23;
        } else if ((r & 7) == 6) {
            value = special[r >> 3 & 15];
        }
        values[i] = tx_dst_encode(format, value, &(bool){false});
    }
}

/* ---- the run ---- */

static uint32_t *first_at(struct flow_run *run, uint32_t site)
{
    return &run->first[site < run->flow->site_count ? site : run->flow->site_count];
}

static struct flow_found *new_found(struct flow_run *run)
{
    if (run->count == run->room) {
        const size_t room = run->room == 0 ? 64 : 2 * run->room;
        struct flow_found *larger = realloc(run->found, room * sizeof *larger);
        if (larger == NULL) {
            run->memory = true;
            return NULL;
        }
        run->found = larger;
        run->room = room;
    }
    return &run->found[run->count++];
}

struct flow_found *flow_add(struct flow_run *run, const struct tx_finding *finding, uint32_t site)
{
    uint32_t *first = first_at(run, site);
    for (uint32_t i = *first; i != FLOW_NOWHERE; i = run->found[i].next) {
        struct flow_found *f = &run->found[i];
        if (f->finding.category != finding->category) {
            continue;
        }
        bool same = f->finding.rule == finding->rule;
        /* A stale read and a lost write of one pair are one hazard. */
        bool pair = f->cycle == finding->cycle && f->producer != FLOW_NOWHERE;
        if (same || pair) {
            f->count += same ? 1 : 0;
            f->cycle = finding->cycle;
            return NULL;
        }
    }
    struct flow_found *f = new_found(run);
    if (f == NULL) {
        return NULL;
    }
    *f = (struct flow_found){.finding = *finding,
                             .site = site,
                             .producer = FLOW_NOWHERE,
                             .cycle = finding->cycle,
                             .count = 1,
                             .at = FLOW_NOWHERE,
                             .next = *first};
    *first = (uint32_t)(run->count - 1);
    return f;
}

uint32_t flow_place(const struct flow *flow, uint64_t number)
{
    return number < flow->issued_count ? flow->issued[number] : FLOW_NOWHERE;
}

static uint32_t site_at(const struct flow *flow, uint32_t at)
{
    return at < flow->count ? flow->words[at].site : FLOW_NOWHERE;
}

/* Between an instruction of .init and one of .tile: .init has drained before .tile begins. */
static bool over_seam(const struct flow *flow, const struct tx_finding *finding)
{
    return flow->program != NULL && finding->producer != UINT64_MAX &&
           flow_place(flow, finding->producer) < flow->tile &&
           flow_place(flow, finding->index) >= flow->tile;
}

static void take_finding(struct flow_run *run, const struct tx_finding *finding)
{
    if (over_seam(run->flow, finding)) {
        return;
    }
    const uint32_t at = flow_place(run->flow, finding->index);
    const uint32_t site = site_at(run->flow, at);
    struct flow_found *f = flow_add(run, finding, site == FLOW_NOWHERE ? run->site : site);
    if (f != NULL) {
        f->at = at;
    }
    if (f != NULL && finding->producer != UINT64_MAX) {
        f->producer = site_at(run->flow, flow_place(run->flow, finding->producer));
        f->producer_cycle = finding->producer_cycle;
    }
}

static void note_gap(struct flow_run *run, const struct tx_event *event)
{
    if (event->row->insn == TX_INSN_SFPCONFIG) {
        run->configured = true;
        run->gap_count = 0;
    } else if (event->row->insn == TX_INSN_SFPNOP) {
        if (run->configured && run->gap_count < 16 && run->site != FLOW_NOWHERE) {
            run->gap_nops[run->gap_count++] = run->site;
        }
    } else if (event->row->insn == TX_INSN_SFPLOADMACRO) {
        for (unsigned i = 0; run->configured && i < run->gap_count; i++) {
            run->flow->sites[run->gap_nops[i]].near_macro = true;
        }
        run->configured = false;
        run->gap_count = 0;
        run->since_launch = 0;
    }
}

static void note_issue(struct flow_run *run, const struct tx_event *event)
{
    bool vector = event->unit >= TX_UNIT_LOAD && event->unit <= TX_UNIT_STORE;
    if (event->number < run->flow->issued_room) {
        run->flow->issued[event->number] = run->at;
        run->flow->issued_count = event->number + 1;
    }
    if (run->site != FLOW_NOWHERE) {
        run->flow->sites[run->site].issued = true;
        run->flow->sites[run->site].near_macro |= run->since_launch < 12;
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
    struct flow_run *run = user;
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

uint64_t flow_fold(uint64_t digest, const tx_machine *machine, enum tx_file file, unsigned index,
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
        digest = flow_fold(digest, machine, TX_FILE_LREG, i, TX_LANES);
    }
    for (unsigned i = 0; i < TX_DST_ROWS; i++) {
        digest = flow_fold(digest, machine, TX_FILE_DST, i, TX_DST_WIDTH);
    }
    digest = flow_fold(digest, machine, TX_FILE_LANE_FLAGS, 0, 1);
    return flow_fold(digest, machine, TX_FILE_USE_LANE_FLAGS, 0, 1);
}

/* A call for some milliseconds of work. */
static bool goes_on(struct flow_watch *w)
{
    enum { CYCLES = 4096 };
    if (w != NULL && w->progress != NULL && w->cycles++ % CYCLES == 0 && !w->cancelled) {
        w->cancelled = !w->progress(w->user, w->cycles - 1, 0);
    }
    return w == NULL || !w->cancelled;
}

/* One cycle, in which nothing may be left to the machine's own counting of findings. */
static enum tx_status cycle(struct flow_run *run, const uint32_t *word, bool *taken)
{
    const uint64_t most = run->flow->most_cycles != 0 ? run->flow->most_cycles : FLOW_MOST_CYCLES;
    tx_findings_clear(run->machine);
    if (run->cycles >= most || !goes_on(run->flow->watch)) {
        run->ended = true;
        return TX_ELIMIT;
    }
    run->cycles++;
    return tx_cycle(run->machine, 1, word, taken);
}

enum tx_status flow_present(struct flow_run *run, uint32_t word, bool idle)
{
    bool accepted = idle;
    enum tx_status status = TX_OK;
    do {
        bool taken = false;
        status = cycle(run, idle ? NULL : &word, &taken);
        accepted |= taken;
    } while (!accepted && status == TX_OK);
    if (status == TX_EDEADLOCK) { /* it waits for another thread: as what needs_others names */
        const struct tx_insn *insn = tx_insn_of(run->flow->arch, word);
        run->waiting++;
        status = insn != NULL && tx_insn_fpu_writes(insn)
                     ? tx_fpu_wrote(run->machine, 0, TX_DST_ROWS)
                     : TX_OK;
    }
    return status;
}

static void fill_machine(struct flow_run *run, uint64_t *random)
{
    uint32_t values[TX_LANES];
    for (unsigned i = 0; i < TX_DST_ROWS; i++) {
        for (unsigned k = 0; k < TX_DST_WIDTH; k++) {
            values[k] = (uint32_t)(flow_random(random) & 0xBFFF);
        }
        (void)tx_write(run->machine, TX_FILE_DST, i, values, TX_DST_WIDTH);
    }
    for (unsigned i = 0; i < 8; i++) {
        for (unsigned k = 0; k < TX_LANES; k++) {
            values[k] = (uint32_t)flow_random(random) & 0xBFFFFFFF;
        }
        (void)tx_write(run->machine, TX_FILE_LREG, i, values, TX_LANES);
    }
}

static void begin_tile(struct flow_run *run, enum tx_dst_format format, uint64_t *random)
{
    static const uint32_t zero[TX_RWC_COUNT] = {0};
    uint32_t values[TX_TILE_ELEMENTS];
    (void)tx_write(run->machine, TX_FILE_RWC, 1, zero, TX_RWC_COUNT);
    (void)tx_fpu_wrote(run->machine, tx_program_fpu_first(run->flow->program),
                       tx_program_fpu_rows(run->flow->program));
    for (unsigned i = 0; i < tx_program_inputs(run->flow->program); i++) {
        flow_data(format, random, values);
        (void)tx_dst_load_tile(run->machine, i, format, values);
    }
}

void flow_begin(struct flow_run *run, size_t at)
{
    if (run->flow->program != NULL && at == run->flow->tile && !run->begun) {
        begin_tile(run, tx_kernel_dst(run->kernel), &run->random);
        run->begun = true;
    }
}

enum tx_status flow_go(struct flow_run *run, size_t at)
{
    struct flow *flow = run->flow;
    const struct flow_word *w = &flow->words[at];
    flow_begin(run, at);
    if (run->removed != NULL && w->site != FLOW_NOWHERE && run->removed[w->site]) {
        return TX_OK;
    }
    run->site = w->site;
    run->at = (uint32_t)at;
    enum tx_status status = flow_present(run, w->word, w->idle);
    if (w->fpu && status == TX_OK) {
        status = tx_fpu_wrote(run->machine, 0, TX_DST_ROWS);
    }
    return status;
}

/* Until nothing moves; what waits for further instructions goes on waiting. */
enum tx_status flow_drain(struct flow_run *run)
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

static bool make_room(struct flow *flow, struct flow_run *run)
{
    const size_t most = flow->count + 16;
    run->first = malloc((flow->site_count + 1) * sizeof *run->first);
    if (flow->issued_room < most) {
        free(flow->issued);
        flow->issued = malloc(most * sizeof *flow->issued);
        flow->issued_room = flow->issued != NULL ? most : 0;
    }
    flow->issued_count = 0;
    if (run->first != NULL) {
        memset(run->first, 0xFF, (flow->site_count + 1) * sizeof *run->first);
    }
    if (run->also == NULL && txl_graph_open(NULL, &run->graph) == TXL_OK) {
        graph_keep(run->graph, STEPS_KEPT);
    }
    return flow->issued != NULL && run->first != NULL && (run->graph != NULL || run->also != NULL);
}

enum tx_status flow_enter(struct flow *flow, struct flow_run *run)
{
    struct tx_settings settings;
    struct tx_kernel_options options;
    flow_run_free(run);
    *run = (struct flow_run){.removed = run->removed,
                             .seed = run->seed,
                             .also = run->also,
                             .user = run->user,
                             .flow = flow,
                             .random = run->seed,
                             .site = FLOW_NOWHERE,
                             .at = FLOW_NOWHERE,
                             .since_launch = UINT32_MAX};
    if (!make_room(flow, run)) {
        return TX_ENOMEM;
    }
    if (flow->program == NULL) {
        const struct tx_asm_options how = {.arch = flow->arch};
        enum tx_status status = tx_assemble("", 0, &how, &run->bare, NULL);
        if (status != TX_OK) {
            return status;
        }
    }
    tx_settings_default(&settings, flow->arch);
    settings.sink = (struct tx_sink){on_event, run};
    tx_kernel_options_default(&options);
    options.dst = flow->dst;
    enum tx_status status = tx_kernel_open(&settings, run->bare != NULL ? run->bare : flow->program,
                                           &options, &run->kernel);
    if (status != TX_OK) {
        run->kernel = NULL;
        flow_leave(run);
        return status;
    }
    run->machine = tx_kernel_machine(run->kernel);
    tx_prng_seed(run->machine, 1);
    if (flow->program == NULL) {
        fill_machine(run, &run->random);
    }
    return TX_OK;
}

void flow_leave(struct flow_run *run)
{
    tx_kernel_close(run->kernel);
    tx_program_free(run->bare);
    run->kernel = NULL;
    run->machine = NULL;
    run->bare = NULL;
}

void flow_run_free(struct flow_run *run)
{
    free(run->found);
    free(run->first);
    txl_graph_close(run->graph);
    run->graph = NULL;
    run->found = NULL;
    run->first = NULL;
}

enum tx_status flow_run(struct flow *flow, struct flow_run *run)
{
    enum tx_status opened = flow_enter(flow, run);
    if (opened != TX_OK) {
        return opened;
    }
    enum tx_status status = TX_OK;
    for (size_t i = 0; i < flow->count && status == TX_OK; i++) {
        status = flow_go(run, i);
    }
    if (status == TX_OK) {
        status = flow_drain(run);
    }
    if (status == TX_OK) {
        run->digest = state_digest(run->machine);
        tx_findings_clear(run->machine);
        status = tx_finish(run->machine);
    }
    run->stopped = status != TX_OK && !run->ended;
    flow_leave(run);
    return run->memory ? TX_ENOMEM : TX_OK;
}
