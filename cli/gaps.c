/* SPDX-License-Identifier: Apache-2.0 */
#include "cli.h"

#include "run/gaps.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "flow/lint_flow.h"
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
            out[i] = (uint32_t)(flow_random(&random) & 3);
        } else if (gaps->kind == GAPS_EACH) {
            out[i] = gaps->low + (uint32_t)(tile % (gaps->high - gaps->low + 1));
        } else if (gaps->kind == GAPS_AT && i == gaps->number) {
            out[i] = gaps->high;
        }
    }
}

/* ---- search ---- */

struct done {
    uint64_t number, cycle; /* of the instruction, or of the SFPLOADMACRO that scheduled it */
    uint32_t word;
    uint8_t unit;
};

struct log {
    struct done *list;
    size_t count, room;
    uint64_t first_number, first_cycle;
    bool on, started;
};

struct search {
    const struct gaps_job *job;
    tx_kernel *kernel;
    struct log log;
    uint32_t *gaps;
    size_t count;
    uint32_t want[TX_TILE_ELEMENTS], got[TX_TILE_ELEMENTS];
    uint64_t trials;
    size_t site[2];
    uint32_t gap[2];
    unsigned sites;
    unsigned changed;
    size_t also; /* further single words with the same gap */
    enum tx_status status;
};

static void on_event(void *user, const struct tx_event *event)
{
    struct log *log = user;
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
    if (log->count == log->room) {
        size_t room = log->room == 0 ? 1024 : log->room * 2;
        struct done *larger = realloc(log->list, room * sizeof *larger);
        if (larger == NULL) {
            return;
        }
        log->list = larger;
        log->room = room;
    }
    log->list[log->count++] =
        (struct done){event->number - log->first_number, event->cycle - log->first_cycle,
                      event->word, event->unit};
}

static unsigned trial(struct search *s)
{
    unsigned changed = 0;
    s->trials++;
    s->status = tx_kernel_tile_gaps(s->kernel, 0, s->job->inputs, s->gaps, s->got);
    for (unsigned i = 0; s->status == TX_OK && i < TX_TILE_ELEMENTS; i++) {
        changed += s->got[i] != s->want[i] ? 1 : 0;
    }
    return s->status == TX_OK ? changed : TX_TILE_ELEMENTS;
}

static bool try_pattern(struct search *s, const size_t site[2], const uint32_t gap[2],
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

static void count_also(struct search *s, size_t first, uint32_t gap)
{
    for (size_t i = first; i < s->count && s->trials < s->job->budget; i++) {
        s->gaps[i] = gap;
        s->also += trial(s) != 0 ? 1 : 0;
        s->gaps[i] = 0;
    }
}

static bool find_pattern(struct search *s)
{
    const struct gaps *g = &s->job->gaps;
    uint32_t low = g->low > 1 ? g->low : 1;
    for (uint32_t n = low; n <= g->high; n++) {
        for (size_t i = 0; i < s->count && s->trials < s->job->budget; i++) {
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
                for (size_t k = i + 1; k < s->count && s->trials < s->job->budget; k++) {
                    if (try_pattern(s, (size_t[2]){i, k}, (uint32_t[2]){n, sum - n}, 2)) {
                        return true;
                    }
                }
            }
        }
    }
    return false;
}

/* file NULL: the kernel itself */
static const char *describe(const struct search *s, const char *file, uint32_t line, uint32_t word,
                            char text[256])
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

/* Where in the stream the n-th instruction of the tile stands that was issued; none: its end. */
static size_t position_of(const struct flow *flow, uint64_t n)
{
    size_t at = flow->tile;
    while (at < flow->count && (flow->words[at].idle || n-- != 0)) {
        at++;
    }
    return at;
}

/* Where in the stream the first gap is. */
static size_t gap_position(const struct search *s, const struct flow *flow)
{
    for (size_t i = 0; i < flow->site_count; i++) {
        if (flow->sites[i].section == TX_SECTION_TILE && flow->sites[i].offset == s->site[0]) {
            return flow->sites[i].start;
        }
    }
    return flow->count;
}

static void tell_one(const struct search *s, json_t *list, const struct flow_site *site,
                     const struct done *a, const struct done *b)
{
    char launch[256];
    char dis[128];
    (void)tx_disassemble(tx_program_arch(s->job->program), a->word, TX_DIS_NORMAL, dis, sizeof dis);
    describe(s, site->file, site->line, site->word, launch);
    if (list != NULL) {
        json_t *object = json_object();
        jx_set_text(object, "scheduled", dis);
        jx_set_text(object, "unit", txl_unit_name(a->unit));
        jx_set_int(object, "launch_line", site->line);
        jx_set_int(object, "cycle", a->cycle);
        jx_set_int(object, "cycle_with_gap", b->cycle);
        json_array_append_new(list, object);
        return;
    }
    printf("moved           %s on %s, scheduled by %s: cycle %llu without the gap, %llu with it, "
           "while the stream waited %u\n",
           dis, txl_unit_name(a->unit), launch, (unsigned long long)a->cycle,
           (unsigned long long)b->cycle, s->gap[0] + (s->sites > 1 ? s->gap[1] : 0));
}

/*
 * Scheduled instructions that were launched before the gap, ran behind it and did not wait with the
 * stream. Matched by launch and sub-unit.
 */
static void tell_moved(struct search *s, json_t *list)
{
    struct flow flow = {.words = NULL};
    struct log logs[2] = {{.on = true}, {.on = true}};
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned k = 0; i == 1 && k < s->sites; k++) {
            s->gaps[s->site[k]] = s->gap[k];
        }
        s->log = logs[i];
        (void)tx_kernel_tile_gaps(s->kernel, 0, s->job->inputs, s->gaps, s->got);
        logs[i] = s->log;
        s->log.on = false;
    }
    bool good = flow_build(&flow, s->job->program);
    uint32_t total = s->gap[0] + (s->sites > 1 ? s->gap[1] : 0);
    size_t gap = gap_position(s, &flow);
    unsigned told = 0;
    for (size_t i = 0; good && i < logs[0].count && told < MOVED; i++) {
        const struct done *a = &logs[0].list[i];
        const struct done *b = NULL;
        for (size_t k = 0; k < logs[1].count && b == NULL; k++) {
            const struct done *c = &logs[1].list[k];
            b = c->number == a->number && c->unit == a->unit ? c : NULL;
        }
        size_t at = position_of(&flow, a->number);
        if (b != NULL && at < gap && flow.words[at].site != FLOW_NOWHERE &&
            a->cycle >= gap - flow.tile && b->cycle < a->cycle + total) {
            tell_one(s, list, &flow.sites[flow.words[at].site], a, b);
            told++;
        }
    }
    flow_free(&flow);
    free(logs[0].list);
    free(logs[1].list);
}

static void tell(struct search *s, bool found)
{
    const struct gaps_job *job = s->job;
    char text[256];
    json_t *root = cli_of(job->err)->json ? json_object() : NULL;
    json_t *sites = json_array();
    for (unsigned i = 0; found && i < s->sites; i++) {
        const struct txl_where where =
            txl_where_word(NULL, job->program, TX_SECTION_TILE, s->site[i]);
        uint32_t line = where.line;
        uint32_t word = tx_program_words(job->program, TX_SECTION_TILE)[s->site[i]];
        describe(s, where.file, line, word, text);
        if (root == NULL) {
            printf("gap             %u idle cycle%s before word %zu of .tile (%s)\n", s->gap[i],
                   s->gap[i] == 1 ? "" : "s", s->site[i], text);
        }
        json_t *object = json_object();
        jx_set_int(object, "word", s->site[i]);
        jx_set_int(object, "gap", s->gap[i]);
        jx_set_int(object, "line", line);
        jx_set_text(object, "text", text);
        json_array_append_new(sites, object);
    }
    json_t *moved = json_array();
    if (root == NULL) {
        if (found) {
            printf("changes         %u of %u elements; %zu other words alone do with as much; %llu "
                   "patterns tried\n",
                   s->changed, TX_TILE_ELEMENTS, s->also, (unsigned long long)s->trials);
        } else {
            printf("gaps            no pattern changes the result: %llu tried over %zu words\n",
                   (unsigned long long)s->trials, s->count);
        }
    }
    if (found) {
        tell_moved(s, root != NULL ? moved : NULL);
    }
    if (root != NULL) {
        jx_set_text(root, "kernel", job->kernel);
        jx_set_bool(root, "found", found);
        jx_set_int(root, "trials", s->trials);
        jx_set_int(root, "other_words", s->also);
        jx_set_int(root, "elements_changed", found ? s->changed : 0);
        json_object_set(root, "gaps", sites);
        json_object_set(root, "moved", moved);
        jx_print(stdout, root);
        json_decref(root);
    }
    json_decref(sites);
    json_decref(moved);
}

int gaps_search(const struct gaps_job *job)
{
    static struct search search;
    struct search *s = &search;
    struct tx_settings settings = *job->settings;
    *s = (struct search){.job = job, .count = tx_program_count(job->program, TX_SECTION_TILE)};
    settings.sink = (struct tx_sink){on_event, &s->log};
    s->gaps = calloc(s->count + 1, sizeof *s->gaps);
    enum tx_status status = s->gaps == NULL
                                ? TX_ENOMEM
                                : tx_kernel_open(&settings, job->program, job->options, &s->kernel);
    int result = TXL_CONTINUE;
    if (status == TX_OK) {
        result = run_apply_sets(job->err, tx_kernel_machine(s->kernel), job->options->thread,
                                job->sets, job->set_count);
        status = result == TXL_CONTINUE ? tx_kernel_start(s->kernel) : TX_OK;
    }
    if (status == TX_OK && result == TXL_CONTINUE) {
        status = tx_kernel_tile(s->kernel, 0, job->inputs, s->want);
    }
    if (status == TX_OK && result == TXL_CONTINUE) {
        bool found = find_pattern(s);
        tell(s, found);
        result = found ? TXL_NEGATIVE : TXL_OK;
    } else if (result == TXL_CONTINUE) {
        const struct tx_finding *fault =
            s->kernel != NULL ? tx_fault(tx_kernel_machine(s->kernel)) : NULL;
        result = txl_refuse(job->err, fault != NULL ? TXL_NEGATIVE : TXL_INPUT, "%s: %s",
                            job->kernel, fault != NULL ? fault->message : tx_status_text(status));
    }
    if (s->kernel != NULL) {
        tx_kernel_close(s->kernel);
    }
    free(s->gaps);
    return result;
}
