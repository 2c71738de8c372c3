/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Idle cycles before words of .tile, and the search for the smallest pattern of them that changes a
 * tile.
 */
#include "run/gaps.h"

#include <stdlib.h>
#include <string.h>

#include <tensix-lab/isa.h>

#include "base/json.h"
#include "base/memory.h"
#include "flow/feed.h"
#include "run/run.h"

enum { MOST_GAP = 10000, MOVED = 4 };

bool gaps_parse(const char *text, struct gaps *gaps)
{
    static const char *const names[] = {"", "seed=", "each=", "at=", "all="};
    int64_t a = 0;
    int64_t b = 0;
    char first[32];
    *gaps = (struct gaps){.kind = GAPS_NONE};
    for (unsigned k = GAPS_SEED; k <= GAPS_ALL; k++) {
        if (strncmp(text, names[k], strlen(names[k])) == 0) {
            gaps->kind = (enum gaps_kind)k;
            text += strlen(names[k]);
            break;
        }
    }
    if (gaps->kind == GAPS_NONE || gaps->kind == GAPS_SEED) {
        bool good = gaps->kind == GAPS_SEED && txl_number(text, 0, UINT32_MAX, &a);
        gaps->number = (uint64_t)a;
        return good;
    }
    const char *mark = gaps->kind == GAPS_AT ? ":" : "..";
    const char *middle = strstr(text, mark);
    if (middle == NULL || (size_t)(middle - text) >= sizeof first) {
        return false;
    }
    snprintf(first, sizeof first, "%.*s", (int)(middle - text), text);
    bool at = gaps->kind == GAPS_AT;
    if (!txl_number(first, gaps->kind == GAPS_EACH ? 1 : 0, at ? UINT32_MAX : MOST_GAP, &a) ||
        !txl_number(middle + strlen(mark), at ? 0 : a, MOST_GAP, &b)) {
        return false;
    }
    gaps->number = (uint64_t)a;
    gaps->low = at ? 0 : (uint32_t)a;
    gaps->high = (uint32_t)b;
    return true;
}

void gaps_fill(const struct gaps *gaps, uint64_t tile, uint32_t *out, size_t count)
{
    uint64_t random = gaps->number * UINT64_C(0x100000001B3) + tile;
    for (size_t i = 0; i < count; i++) {
        out[i] = 0;
        if (gaps->kind == GAPS_SEED) {
            out[i] = (uint32_t)(feed_random(&random) & 3);
        } else if (gaps->kind == GAPS_EACH) {
            out[i] = gaps->low + (uint32_t)(tile % (gaps->high - gaps->low + 1));
        } else if (gaps->kind == GAPS_AT && i == gaps->number) {
            out[i] = gaps->high;
        }
    }
}

/* ---- search ---- */

/* An executed instruction. */
struct done {
    uint64_t number, cycle; /* of the instruction, or of the SFPLOADMACRO that scheduled it */
    uint32_t word;
    uint8_t unit;
};

struct done_log {
    struct done *list;
    size_t count, room;
    uint64_t first_number, first_cycle;
    bool on, started, failed;
};

struct run_search {
    struct run_job *job;
    uint64_t budget;
    tx_kernel *kernel;
    struct done_log log;
    uint32_t *gaps;
    size_t count;
    uint32_t data[RUN_INPUTS][TX_TILE_ELEMENTS];
    const uint32_t *inputs[RUN_INPUTS];
    uint32_t want[TX_TILE_ELEMENTS], got[TX_TILE_ELEMENTS];
    uint64_t trials;
    struct ticker ticker;
    bool cancelled;
    size_t site[2];
    uint32_t gap[2];
    unsigned sites;
    unsigned changed;
    size_t also; /* number of other single words before which the same gap changes the tile */
    enum tx_status status;
    struct txl_gaps result;
    char texts[2][256], moved[MOVED][2][256];
};

static void on_event(void *user, const struct tx_event *event)
{
    struct done_log *log = user;
    bool front = event->row != NULL && event->row->insn == TX_INSN_REPLAY;
    if (!log->on || front || (event->kind != TX_EVENT_ISSUE && event->kind != TX_EVENT_EXECUTE)) {
        return;
    }
    if (event->kind == TX_EVENT_ISSUE) {
        if (!log->started) {
            log->started = true;
            log->first_number = event->number;
            log->first_cycle = event->cycle;
        }
        return;
    }
    if (!LIST_ONE(log->list, log->count, log->room, log->failed)) {
        return;
    }
    log->list[log->count++] =
        (struct done){event->number - log->first_number, event->cycle - log->first_cycle,
                      event->word, event->unit};
}

static unsigned trial(struct run_search *s)
{
    unsigned changed = 0;
    if (!ticker_at(&s->ticker, s->trials)) {
        s->cancelled = true;
        s->budget = 0; /* ends all loops */
    }
    s->trials++;
    s->status = tx_kernel_tile_gaps(s->kernel, 0, s->inputs, s->gaps, s->got);
    for (unsigned i = 0; s->status == TX_OK && i < TX_TILE_ELEMENTS; i++) {
        changed += s->got[i] != s->want[i] ? 1 : 0;
    }
    return s->status == TX_OK ? changed : TX_TILE_ELEMENTS;
}

static bool try_pattern(struct run_search *s, const size_t site[2], const uint32_t gap[2],
                        unsigned sites)
{
    for (unsigned i = 0; i < sites; i++) {
        s->gaps[site[i]] = gap[i];
    }
    s->changed = trial(s);
    for (unsigned i = 0; i < sites; i++) {
        s->gaps[site[i]] = 0;
    }
    if (s->changed == 0) {
        return false;
    }
    memcpy(s->site, site, sizeof s->site);
    memcpy(s->gap, gap, sizeof s->gap);
    s->sites = sites;
    return true;
}

static void count_also(struct run_search *s, size_t first, uint32_t gap)
{
    for (size_t i = first; i < s->count && s->trials < s->budget; i++) {
        s->gaps[i] = gap;
        s->also += trial(s) != 0 ? 1 : 0;
        s->gaps[i] = 0;
    }
}

static bool find_pattern(struct run_search *s)
{
    const struct gaps *g = &s->job->gaps;
    uint32_t low = g->low > 1 ? g->low : 1;
    for (uint32_t n = low; n <= g->high; n++) {
        for (size_t i = 0; i < s->count && s->trials < s->budget; i++) {
            if (try_pattern(s, (size_t[2]){i, 0}, (uint32_t[2]){n, 0}, 1)) {
                count_also(s, i + 1, n);
                return true;
            }
        }
    }
    for (uint32_t sum = 2 * low; sum <= 2 * g->high; sum++) {
        for (uint32_t n = low; n <= g->high; n++) {
            if (sum - n < low || sum - n > g->high || n > sum) {
                continue;
            }
            for (size_t i = 0; i < s->count; i++) {
                for (size_t k = i + 1; k < s->count && s->trials < s->budget; k++) {
                    if (try_pattern(s, (size_t[2]){i, k}, (uint32_t[2]){n, sum - n}, 2)) {
                        return true;
                    }
                }
            }
        }
    }
    return false;
}

/* Describes a word; file NULL: it is in the kernel's own text. */
static const char *describe(const struct run_search *s, const char *file, uint32_t line,
                            uint32_t word, char text[256])
{
    char dis[128];
    (void)tx_disassemble(tx_program_arch(s->job->program), word, TX_DIS_NORMAL, dis, sizeof dis);
    if (file != NULL) {
        snprintf(text, 256, "%.100s:%u: %s", file, line, dis);
    } else {
        snprintf(text, 256, "line %u: %s", line, dis);
    }
    return text;
}

/* Returns the index in the feed of the n-th issued instruction of the tile, or the feed's end. */
static size_t position_of(const struct feed *feed, uint64_t n)
{
    size_t at = feed->tile;
    while (at < feed->count && (feed->words[at].idle || n-- != 0)) {
        at++;
    }
    return at;
}

/* Returns the index in the feed of the word after the first gap. */
static size_t gap_position(const struct run_search *s, const struct feed *feed)
{
    for (size_t i = 0; i < feed->site_count; i++) {
        if (feed->sites[i].section == TX_SECTION_TILE && feed->sites[i].offset == s->site[0]) {
            return feed->sites[i].start;
        }
    }
    return feed->count;
}

static void note_moved(struct run_search *s, const struct feed_site *site, const struct done *a,
                       const struct done *b)
{
    struct txl_gaps *r = &s->result;
    char(*text)[256] = s->moved[r->moved_count];
    (void)tx_disassemble(tx_program_arch(s->job->program), a->word, TX_DIS_NORMAL, text[0],
                         sizeof text[0]);
    r->moved[r->moved_count++] =
        (struct txl_gap_moved){.scheduled = text[0],
                               .launch = describe(s, site->file, site->line, site->word, text[1]),
                               .unit = a->unit,
                               .launch_line = site->line,
                               .cycle = a->cycle,
                               .cycle_with_gap = b->cycle};
}

/*
 * Finds scheduled instructions that were launched before the gap, executed after it, and were not
 * delayed with the stream. They are matched by launch and sub-unit.
 */
static bool find_moved(struct run_search *s)
{
    struct feed feed = {.words = NULL};
    struct done_log logs[2] = {{.on = true}, {.on = true}};
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned k = 0; i == 1 && k < s->sites; k++) {
            s->gaps[s->site[k]] = s->gap[k];
        }
        s->log = logs[i];
        (void)tx_kernel_tile_gaps(s->kernel, 0, s->inputs, s->gaps, s->got);
        logs[i] = s->log;
        s->log.on = false;
    }
    bool good = !logs[0].failed && !logs[1].failed && feed_build(&feed, s->job->program);
    uint32_t total = s->gap[0] + (s->sites > 1 ? s->gap[1] : 0);
    size_t gap = gap_position(s, &feed);
    for (size_t i = 0; good && i < logs[0].count && s->result.moved_count < MOVED; i++) {
        const struct done *a = &logs[0].list[i];
        const struct done *b = NULL;
        for (size_t k = 0; k < logs[1].count && b == NULL; k++) {
            const struct done *c = &logs[1].list[k];
            b = c->number == a->number && c->unit == a->unit ? c : NULL;
        }
        size_t at = position_of(&feed, a->number);
        if (b != NULL && at < gap && feed.words[at].site != FEED_NOWHERE &&
            a->cycle >= gap - feed.tile && b->cycle < a->cycle + total) {
            note_moved(s, &feed.sites[feed.words[at].site], a, b);
        }
    }
    feed_free(&feed);
    free(logs[0].list);
    free(logs[1].list);
    return good;
}

/* Fills in the result. */
static int conclude(struct run_search *s, bool found)
{
    const struct tx_program *program = s->job->program;
    struct txl_gaps *r = &s->result;
    *r = (struct txl_gaps){.found = found, .trials = s->trials, .words = s->count};
    if (!found) {
        return TXL_OK;
    }
    r->count = s->sites;
    r->elements = s->changed;
    r->other_words = s->also;
    for (unsigned i = 0; i < s->sites; i++) {
        const struct txl_where where = txl_where_word(NULL, program, TX_SECTION_TILE, s->site[i]);
        const uint32_t word = tx_program_words(program, TX_SECTION_TILE)[s->site[i]];
        r->gap[i] =
            (struct txl_gap){.word = s->site[i],
                             .cycles = s->gap[i],
                             .line = where.line,
                             .text = describe(s, where.file, where.line, word, s->texts[i])};
    }
    return find_moved(s) ? TXL_NEGATIVE : no_memory(s->job->err);
}

/* Reads the first tile of the arrays, or makes one up. */
static int read_data(struct txl_run *run, struct run_search *s)
{
    struct run_job *job = &run->job;
    uint64_t random = job->options.seed;
    if (run->opened && job->tiling.tiles == 0) {
        return txl_fail_option(job->err, NULL, "gaps", "all: the arrays are empty");
    }
    for (unsigned i = 0; i < RUN_INPUTS; i++) {
        struct npy_narrowed narrowed = {0};
        s->inputs[i] = s->data[i];
        if (i >= job->input_count) {
            feed_data(job->dst, &random, s->data[i]);
        } else if (!run_read_tile(job, &job->inputs[i], 0, s->data[i], &narrowed, job->err)) {
            return TXL_INPUT;
        }
    }
    return TXL_CONTINUE;
}

static int search(struct run_search *s)
{
    struct run_job *job = s->job;
    struct tx_settings settings = job->settings;
    settings.sink = (struct tx_sink){on_event, &s->log};
    enum tx_status status = tx_kernel_open(&settings, job->program, &job->options, &s->kernel);
    int result = TXL_CONTINUE;
    if (status == TX_OK) {
        result = run_apply_sets(job->err, tx_kernel_machine(s->kernel), job->options.thread,
                                job->sets, job->set_count);
        status = result == TXL_CONTINUE ? tx_kernel_start(s->kernel) : TX_OK;
    }
    if (status == TX_OK && result == TXL_CONTINUE) {
        status = tx_kernel_tile(s->kernel, 0, s->inputs, s->want);
    }
    if (status == TX_OK && result == TXL_CONTINUE) {
        const uint64_t budget = s->budget;
        s->cancelled = !ticker_start(&s->ticker, job->progress, job->user, budget);
        const bool found = !s->cancelled && find_pattern(s);
        if (s->cancelled) {
            return txl_refuse(job->err, TXL_CANCELLED, "cancelled");
        }
        (void)ticker_at(&s->ticker, budget); /* report the end; it is too late to cancel */
        return conclude(s, found);
    }
    if (result == TXL_CONTINUE) {
        const struct tx_finding *fault =
            s->kernel != NULL ? tx_fault(tx_kernel_machine(s->kernel)) : NULL;
        result = txl_refuse(job->err, fault != NULL ? TXL_NEGATIVE : TXL_INPUT, "%s: %s",
                            job->kernel, fault != NULL ? fault->message : tx_status_text(status));
    }
    return result;
}

void run_search_free(struct run_search *s)
{
    if (s != NULL) {
        tx_kernel_close(s->kernel);
        free(s->gaps);
        free(s);
    }
}

int txl_run_gaps(struct txl_error *err, txl_run *run, uint64_t budget, const struct txl_gaps **gaps)
{
    run->job.err = err;
    run_search_free(run->search);
    run->search = zeroed(err, 1, sizeof *run->search);
    if (run->search == NULL) {
        return TXL_INPUT;
    }
    struct run_search *s = run->search;
    s->job = &run->job;
    s->budget = budget != 0 ? budget : 20000;
    s->count = tx_program_count(run->job.program, TX_SECTION_TILE);
    s->gaps = zeroed(err, s->count + 1, sizeof *s->gaps);
    int result = s->gaps == NULL                  ? TXL_INPUT
                 : run->job.gaps.kind != GAPS_ALL ? txl_fail(err, "the gaps are not all=0..K")
                                                  : read_data(run, s);
    result = result == TXL_CONTINUE ? search(s) : result;
    *gaps = &s->result;
    return result;
}

bool txl_gaps_valid(const char *text, bool *wanted)
{
    struct gaps gaps;
    const bool good = gaps_parse(text, &gaps);
    *wanted = good && gaps.kind == GAPS_ALL;
    return good;
}

const struct txl_gaps *run_gaps_found(const txl_run *run)
{
    return run->search != NULL ? &run->search->result : NULL;
}

char *txl_run_gaps_json(const txl_run *run)
{
    const struct txl_gaps *r = run_gaps_found(run);
    txl_json *root = r != NULL ? txl_json_object() : NULL;
    txl_json *sites = txl_json_array();
    txl_json *moved = txl_json_array();
    for (unsigned i = 0; r != NULL && i < r->count; i++) {
        txl_json *object = txl_json_object();
        txl_json_set_int(object, "word", r->gap[i].word);
        txl_json_set_int(object, "gap", r->gap[i].cycles);
        JSON_MEMBERS(object, &r->gap[i], line, text);
        txl_json_append(sites, object);
    }
    for (unsigned i = 0; r != NULL && i < r->moved_count; i++) {
        txl_json *object = txl_json_object();
        txl_json_set_text(object, "scheduled", r->moved[i].scheduled);
        txl_json_set_text(object, "unit", txl_unit_name(r->moved[i].unit));
        JSON_MEMBERS(object, &r->moved[i], launch_line, cycle, cycle_with_gap);
        txl_json_append(moved, object);
    }
    if (r != NULL) {
        txl_json_set_text(root, "kernel", run->job.kernel);
        JSON_MEMBERS(root, r, found, trials, other_words);
        txl_json_set_int(root, "elements_changed", r->elements);
    }
    txl_json_set(root, "gaps", sites);
    txl_json_set(root, "moved", moved);
    return json_text(root);
}
