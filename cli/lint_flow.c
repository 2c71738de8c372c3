/* SPDX-License-Identifier: Apache-2.0 */
#include "lint_flow.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 1 << 22, REPLAY_SLOTS = 32, REPLAY_OPCODE = 0x04 };

/* ---- the stream ---- */

static bool push(struct flow *flow, uint32_t word, uint32_t site, bool idle)
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
    flow->words[flow->count++] = (struct flow_word){word, site, idle, false};
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

/* The last word writes Dst; which rows nobody says, so all of them count. */
static bool mark_fpu(struct flow *flow)
{
    flow->words[flow->count - 1].fpu = true;
    return true;
}

/*
 * Needs what is not here: another thread that posts or releases, memory, a MopCfg that a RISC-V
 * core has written. Only its cycle passes.
 */
static bool needs_others(const struct flow *flow, const struct tx_row *row)
{
    static const char *const names[] = {"SEMWAIT", "ATGETM",   "LOADIND",  "STOREIND",
                                        "LOADREG", "STOREREG", "ATINCGET", "ATINCGETPTR",
                                        "ATSWAP",  "ATCAS",    "REG2FLOP"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(row->mnemonic, names[i]) == 0) {
            return true;
        }
    }
    return strcmp(row->mnemonic, "MOP") == 0 &&
           (flow->program == NULL || flow->program->mop_given[TX_THREADS] == 0);
}

static bool one_word(struct flow *flow, uint32_t word, uint32_t site)
{
    struct flow_replay *r = &flow->replay;
    struct tx_decoded d;
    if (r->left != 0) {
        r->slot[r->at] = (struct flow_word){word, site, false, false};
        r->recorded |= UINT32_C(1) << r->at;
        r->at = (r->at + 1) % REPLAY_SLOTS;
        r->left--;
        return push(flow, word, site, !r->execute);
    }
    if (word >> 24 == REPLAY_OPCODE) {
        unsigned index = word >> 14 & 31;
        unsigned count = word >> 4 & 63;
        count = count == 0 ? REPLAY_SLOTS : count;
        if ((word & 1) != 0) {
            r->at = index;
            r->left = count;
            r->execute = (word & 2) != 0;
            return push(flow, word, site, true);
        }
        for (unsigned i = 0; i < count; i++) {
            unsigned slot = (index + i) % REPLAY_SLOTS;
            const struct flow_word *w = &r->slot[slot];
            bool known = (r->recorded >> slot & 1) != 0; /* the buffer of a fresh machine: NOP */
            if (!push(flow, known ? w->word : 0, known ? w->site : FLOW_NOWHERE, !known)) {
                return false;
            }
        }
        return true;
    }
    bool known = tx_decode(flow->arch, word, &d) == TX_OK;
    bool bare = flow->program == NULL && (!known || d.row == NULL);
    if (bare || (known && d.row != NULL && needs_others(flow, d.row))) {
        const struct tx_insn *nop = tx_insn_find(flow->arch, "ttnop");
        const struct tx_insn *insn = tx_insn_of(flow->arch, word);
        flow->skipped++; /* of other units: their cycle passes */
        return push(flow, (uint32_t)nop->opcode << 24, site, false) &&
               (insn == NULL || !tx_insn_fpu_writes(insn) || mark_fpu(flow));
    }
    return push(flow, word, site, false);
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
    *flow = (struct flow){.arch = program->arch, .program = program};
    bool good = true;
    for (unsigned s = 0; s < TX_SECTIONS && good; s++) {
        flow->tile = s == TX_SECTION_TILE ? flow->count : 0;
        const size_t first = flow->site_count;
        good = flow_add_words(flow, program->section[s].words, program->section[s].lines,
                              program->section[s].count, s, 1);
        for (size_t i = 0; i < program->section[s].count && good; i++) {
            flow->sites[first + i].file = cli_where_word(NULL, program, s, i).file;
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
    bool whole = format == TX_DST_INT32 || format == TX_DST_INT16 || format == TX_DST_INT8;
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

uint32_t flow_nop(enum tx_arch arch)
{
    const struct tx_insn *insn = tx_insn_find(arch, "sfpnop");
    return insn != NULL ? (uint32_t)insn->opcode << 24 : 0;
}

struct flow_found *flow_add(struct flow_run *run, const struct tx_finding *finding, uint32_t site)
{
    for (size_t i = 0; i < run->count; i++) {
        struct flow_found *f = &run->found[i];
        if (f->site != site || f->finding.category != finding->category) {
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
    if (run->count == FLOW_FOUND) {
        return NULL;
    }
    struct flow_found *f = &run->found[run->count++];
    *f = (struct flow_found){.finding = *finding,
                             .site = site,
                             .producer = FLOW_NOWHERE,
                             .cycle = finding->cycle,
                             .count = 1};
    return f;
}

/* Where the instruction with this number stands. */
static uint32_t site_of(const struct flow *flow, uint64_t number)
{
    return number < flow->issued_count ? flow->issued[number] : FLOW_NOWHERE;
}

static void take_finding(struct flow_run *run, const struct tx_finding *finding)
{
    uint32_t site = site_of(run->flow, finding->index);
    struct flow_found *f = flow_add(run, finding, site == FLOW_NOWHERE ? run->site : site);
    if (f != NULL && finding->producer != UINT64_MAX) {
        f->producer = site_of(run->flow, finding->producer);
        f->producer_cycle = finding->producer_cycle;
    }
}

static void note_gap(struct flow_run *run, const struct tx_event *event)
{
    if (strcmp(event->row->mnemonic, "SFPCONFIG") == 0) {
        run->configured = true;
        run->gap_count = 0;
    } else if (strcmp(event->row->mnemonic, "SFPNOP") == 0) {
        if (run->configured && run->gap_count < 16 && run->site != FLOW_NOWHERE) {
            run->gap_nops[run->gap_count++] = run->site;
        }
    } else if (strcmp(event->row->mnemonic, "SFPLOADMACRO") == 0) {
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
        run->flow->issued[event->number] = run->site;
        run->flow->issued_count = event->number + 1;
    }
    if (run->site != FLOW_NOWHERE) {
        run->flow->sites[run->site].issued = true;
        run->flow->sites[run->site].near_macro |= run->since_launch < 12;
    }
    if (!vector) {
        return;
    }
    live_check(run, event);
    run->since_launch++;
    if (event->row != NULL) {
        note_gap(run, event);
    }
}

static void on_event(void *user, const struct tx_event *event)
{
    struct flow_run *run = user;
    switch (event->kind) {
    case TX_EVENT_ISSUE:
        note_issue(run, event);
        break;
    case TX_EVENT_FINDING:
    case TX_EVENT_FAULT:
        take_finding(run, event->finding);
        break;
    default:
        break;
    }
}

static uint64_t fold(uint64_t digest, const tx_machine *machine, enum tx_file file, unsigned index,
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
        digest = fold(digest, machine, TX_FILE_LREG, i, TX_LANES);
    }
    for (unsigned i = 0; i < TX_DST_ROWS; i++) {
        digest = fold(digest, machine, TX_FILE_DST, i, TX_DST_WIDTH);
    }
    digest = fold(digest, machine, TX_FILE_LANE_FLAGS, 0, 1);
    return fold(digest, machine, TX_FILE_USE_LANE_FLAGS, 0, 1);
}

static enum tx_status present(struct flow_run *run, uint32_t word, bool idle)
{
    bool accepted = idle;
    enum tx_status status = TX_OK;
    do {
        /* Findings are counted by place here, not by word. */
        tx_findings_clear(run->machine);
        bool taken = false;
        status = tx_cycle(run->machine, 1, idle ? NULL : &word, &taken);
        accepted |= taken;
        run->cycles++;
    } while (!accepted && status == TX_OK);
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
    (void)tx_fpu_wrote(run->machine, run->flow->program->fpu_first, run->flow->program->fpu_rows);
    for (unsigned i = 0; i < run->flow->program->inputs; i++) {
        flow_data(format, random, values);
        (void)tx_dst_load_tile(run->machine, i, format, values);
    }
}

static enum tx_status go(struct flow_run *run, enum tx_dst_format format)
{
    struct flow *flow = run->flow;
    uint64_t random = run->seed;
    enum tx_status status = TX_OK;
    if (flow->program == NULL) {
        fill_machine(run, &random);
    }
    for (size_t i = 0; i < flow->count && status == TX_OK; i++) {
        const struct flow_word *w = &flow->words[i];
        if (flow->program != NULL && i == flow->tile) {
            begin_tile(run, format, &random);
        }
        if (run->removed != NULL && w->site != FLOW_NOWHERE && run->removed[w->site]) {
            continue;
        }
        run->site = w->site;
        if (w->site == run->insert && !w->idle && w->site != FLOW_NOWHERE) {
            status = present(run, run->insert_word, false);
        }
        if (status == TX_OK) {
            status = present(run, w->word, w->idle);
        }
        if (w->fpu && status == TX_OK) {
            status = tx_fpu_wrote(run->machine, 0, TX_DST_ROWS);
        }
    }
    for (unsigned i = 0; i < 10 && status == TX_OK; i++) {
        tx_findings_clear(run->machine);
        status = tx_cycle(run->machine, 1, NULL, &(bool){false});
    }
    if (status == TX_OK) {
        run->digest = state_digest(run->machine);
        status = tx_finish(run->machine);
    }
    return status;
}

enum tx_status flow_run(struct flow *flow, struct flow_run *run)
{
    static const struct tx_program bare = {.inputs = 0};
    struct tx_settings settings;
    struct tx_kernel_options options;
    struct tx_program copy = flow->program != NULL ? *flow->program : bare;
    tx_kernel *kernel = NULL;
    const size_t most = 2 * flow->count + 16; /* an SFPNOP before each, at worst */
    if (flow->issued_room < most) {
        free(flow->issued);
        flow->issued = malloc(most * sizeof *flow->issued);
        flow->issued_room = flow->issued != NULL ? most : 0;
    }
    flow->issued_count = 0;
    if (flow->issued == NULL) {
        return TX_ENOMEM;
    }
    run->flow = flow;
    run->count = 0;
    run->cycles = run->digest = 0;
    run->site = FLOW_NOWHERE;
    run->configured = false;
    run->gap_count = 0;
    run->since_launch = UINT32_MAX;
    memset(run->defined, 0, sizeof run->defined);
    memset(run->turned, 0, sizeof run->turned);
    run->unread = run->lost = run->stray = 0;
    tx_settings_default(&settings, flow->arch);
    settings.sink = (struct tx_sink){on_event, run};
    tx_kernel_options_default(&options);
    options.dst = flow->dst;
    enum tx_status status = tx_kernel_open(&settings, &copy, &options, &kernel);
    if (status != TX_OK) {
        return status;
    }
    run->machine = tx_kernel_machine(kernel);
    tx_prng_seed(run->machine, 1);
    run->stopped = go(run, tx_kernel_dst(kernel)) != TX_OK;
    tx_kernel_close(kernel);
    return TX_OK;
}
