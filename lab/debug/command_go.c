/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that move through time, and their report of the new position. */
#include "base/json.h"
#include "base/bound.h"
#include "debug/command.h"
#include "debug/points.h"

#include <string.h>

/* ---- position ---- */

static const char *const stop_names[] = {[STOP_STEP] = "step",
                                         [STOP_POINT] = "breakpoint",
                                         [STOP_END] = "end",
                                         [STOP_BEGIN] = "begin",
                                         [STOP_INTERRUPT] = "interrupted"};

static void say_time(struct answer *a)
{
    const struct txl_debug *d = a->d;
    const uint64_t cycle = debug_cycle(d);
    fprintf(a->out, "cycle %llu", (unsigned long long)cycle);
    txl_json_set_int(a->json, "cycle", cycle);
    if (d->kernel == NULL) {
        return;
    }
    const uint64_t in = d->now.tick - d->now.begin;
    if (d->now.where == IN_INIT) {
        fputs(d->now.section_over ? ", .init is done" : ", .init", a->out);
        txl_json_set_text(a->json, "section", "init");
    } else {
        fprintf(a->out,
                d->now.section_over ? ", tile %llu is done after %s%llu" : ", tile %llu + %s%llu",
                (unsigned long long)d->now.tile,
                d->now.section_over ? bound_prefix(tx_bounds(d->machine)) : "",
                (unsigned long long)in);
        txl_json_set_text(a->json, "section", "tile");
        txl_json_set_int(a->json, "tile", d->now.tile);
        txl_json_set_int(a->json, "tile_cycle", in);
    }
    txl_json_set_bool(a->json, "done", d->now.section_over);
}

/* Reports what each thread issues next. */
static void say_next(struct answer *a)
{
    struct fact_issue next[TX_THREADS];
    const unsigned there = travel_peek(a->d, next);
    txl_json *list = txl_json_array();
    for (unsigned t = 0; t < TX_THREADS; t++) {
        char text[256];
        if ((there >> t & 1u) == 0) {
            continue;
        }
        fprintf(a->out, "  T%u  %s\n", t, issue_text(a->d, &next[t], text, sizeof text));
        txl_json_append(list, issue_json(a->d, &next[t]));
    }
    txl_json_set(a->json, "next", list);
}

static void say_core(struct answer *a)
{
    struct txl_debug *d = a->d;
    char text[256];
    char name[96];
    char line[256];
    uint32_t pc = 0;
    enum { PC = 32 };
    if (d->core == TX_CORES || !tx_tensix_wait_text(d->tile, d->core, text, sizeof text)) {
        return;
    }
    (void)tx_core_read(d->tile, d->core, PC, &pc);
    const char *function = txl_tensix_function(d->tensix, d->core, pc, name);
    const char *source = txl_tensix_source(d->tensix, d->core, pc, line);
    fprintf(a->out, "  %s%s%s%s%s\n", text, function != NULL ? " in " : "",
            function != NULL ? function : "", source != NULL ? ", " : "",
            source != NULL ? source : "");
    txl_json *core = txl_json_object();
    txl_json_set_text(core, "core", tx_core_name(d->core));
    txl_json_set_word(core, "pc", pc);
    txl_json_set_text(core, "function", function);
    txl_json_set_text(core, "source", source);
    txl_json_set(a->json, "core", core);
}

void command_where(struct answer *a, const struct stop_at *at)
{
    char what[256] = "";
    say_time(a);
    if (at != NULL) {
        snprintf(what, sizeof what, "%s", at->what);
        txl_mask_controls(what);
        txl_json_set_text(a->json, "stop", stop_names[at->kind]);
    }
    if (at != NULL && at->kind == STOP_POINT) {
        fprintf(a->out, ": breakpoint %u, %s", at->point, what);
        txl_json_set_int(a->json, "breakpoint", at->point);
    } else if (at != NULL && at->kind == STOP_BEGIN) {
        fputs(": the beginning", a->out);
    } else if (at != NULL && at->kind == STOP_INTERRUPT) {
        fputs(": interrupted", a->out);
    } else if (what[0] != '\0') {
        fprintf(a->out, ": %s", what);
    }
    if (what[0] != '\0') {
        txl_json_set_text(a->json, "what", what);
    }
    fputc('\n', a->out);
    if (a->d->now.end == END_NOT) {
        say_next(a);
    }
    if (a->d->tile != NULL) {
        say_core(a);
    }
}

int command_status(struct answer *a)
{
    const struct txl_debug *d = a->d;
    command_where(a, NULL);
    fprintf(a->out, "  back to cycle %llu by %u checkpoints; %llu cycles were run again so far\n",
            (unsigned long long)history_begin(&d->past), d->past.count,
            (unsigned long long)d->again);
    bound_print(a->out, tx_bounds(d->machine));
    bound_json(a->json, tx_bounds(d->machine));
    txl_json_set_int(a->json, "checkpoints", d->past.count);
    txl_json_set_int(a->json, "again", d->again);
    return TXL_OK;
}

/* ---- steps ---- */

static bool step_kind(const char *word, enum step_kind *kind)
{
    static const struct {
        const char *word;
        enum step_kind kind;
    } kinds[] = {{"step", STEP_LINE},   {"stepi", STEP_INSTRUCTION},
                 {"issue", STEP_ISSUE}, {"cycle", STEP_CYCLE},
                 {"row", STEP_ROW},     {"tile", STEP_TILE},
                 {"line", STEP_LINE},   {"instruction", STEP_INSTRUCTION}};
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i].word, word) == 0) {
            *kind = kinds[i].kind;
            return true;
        }
    }
    return false;
}

static int checked_count(struct answer *a, unsigned index, uint64_t *count)
{
    const int result = word_number(a, index, INT32_MAX, 1, count);
    return result == TXL_CONTINUE && *count == 0 ? txl_fail(a->d->err, "%s: at least once", a->name)
                                                 : result;
}

static int tiles_only(struct answer *a, enum step_kind kind)
{
    return kind == STEP_TILE && a->d->kernel == NULL
               ? txl_fail(a->d->err, "%s: tiles are a kernel's, and these are programs of cores",
                          a->name)
               : TXL_CONTINUE;
}

int command_step(struct answer *a)
{
    enum step_kind kind = STEP_LINE;
    uint64_t count = 1;
    int result = words_between(a, 0, 1);
    result = result == TXL_CONTINUE ? checked_count(a, 1, &count) : result;
    (void)step_kind(a->name, &kind);
    result = result == TXL_CONTINUE ? tiles_only(a, kind) : result;
    if (result != TXL_CONTINUE) {
        return result;
    }
    const struct stop_at at = travel_step(a->d, kind, count);
    command_where(a, &at);
    return TXL_OK;
}

int command_back(struct answer *a)
{
    enum step_kind kind = STEP_INSTRUCTION;
    uint64_t count = 1;
    const bool unit = a->count > 1 && step_kind(a->word[1], &kind);
    int result = words_between(a, 0, unit ? 2 : 1);
    if (result == TXL_CONTINUE && a->count > 1 && !unit &&
        !txl_number(a->word[1], 0, INT32_MAX, &(int64_t){0})) {
        return txl_fail(a->d->err, "back: '%.20s' is none of stepi, step, issue, cycle, row, tile",
                        a->word[1]);
    }
    result = result == TXL_CONTINUE ? checked_count(a, unit ? 2 : 1, &count) : result;
    result = result == TXL_CONTINUE ? tiles_only(a, kind) : result;
    if (result != TXL_CONTINUE) {
        return result;
    }
    const struct stop_at at = travel_back(a->d, kind, count);
    command_where(a, &at);
    return TXL_OK;
}

/* ---- next ---- */

/* Returns a core's stack pointer: a call has returned when it is back at its value before. */
static uint32_t stack_of(const struct txl_debug *d)
{
    uint32_t sp = 0;
    enum { SP = 2 };
    (void)tx_core_read(d->tile, d->core, SP, &sp);
    return sp;
}

static struct stop_at next_line(struct txl_debug *d)
{
    const uint32_t sp = stack_of(d);
    struct stop_at at;
    do {
        at = travel_step(d, STEP_LINE, 1);
    } while (at.kind == STOP_STEP && stack_of(d) < sp);
    return at;
}

/* Runs until the next instruction lies behind the current one, or in another section. */
static struct stop_at next_word(struct txl_debug *d)
{
    struct fact_issue next[TX_THREADS];
    const unsigned there = travel_peek(d, next);
    const unsigned thread = debug_thread(d);
    const size_t from = (there >> thread & 1u) != 0 ? next[thread].place : NO_PLACE;
    const uint64_t section = d->now.begin;
    struct stop_at at;
    bool behind = false;
    do {
        at = travel_step(d, STEP_LINE, 1);
        const unsigned now = travel_peek(d, next);
        const size_t place = (now >> thread & 1u) != 0 ? next[thread].place : NO_PLACE;
        behind = from == NO_PLACE || d->now.begin != section || (place != NO_PLACE && place > from);
    } while (at.kind == STOP_STEP && !behind);
    return at;
}

int command_next(struct answer *a)
{
    uint64_t count = 1;
    struct stop_at at = {.kind = STOP_STEP};
    int result = words_between(a, 0, 1);
    result = result == TXL_CONTINUE ? checked_count(a, 1, &count) : result;
    if (result != TXL_CONTINUE) {
        return result;
    }
    for (uint64_t i = 0; i < count && at.kind == STOP_STEP; i++) {
        at = a->d->core != TX_CORES ? next_line(a->d) : next_word(a->d);
    }
    command_where(a, &at);
    return TXL_OK;
}

/* ---- far moves ---- */

int command_continue(struct answer *a)
{
    const int result = words_between(a, 0, 0);
    if (result != TXL_CONTINUE) {
        return result;
    }
    const struct stop_at at = travel_run(a->d);
    command_where(a, &at);
    return TXL_OK;
}

int command_run(struct answer *a)
{
    const int result = words_between(a, 0, 0);
    if (result != TXL_CONTINUE) {
        return result;
    }
    travel_to(a->d, history_begin(&a->d->past));
    a->d->stood = false;
    const struct stop_at at = travel_run(a->d);
    command_where(a, &at);
    return TXL_OK;
}

int command_reverse(struct answer *a)
{
    const int result = words_between(a, 0, 0);
    if (result != TXL_CONTINUE) {
        return result;
    }
    const struct stop_at at = travel_run_back(a->d);
    command_where(a, &at);
    return TXL_OK;
}

/* Runs to the end, ignoring breakpoints. */
static struct stop_at to_end(struct txl_debug *d)
{
    while (d->now.end == END_NOT && !d->interrupted) {
        struct stop_at at = travel_to_cycle(d, debug_cycle(d) + 65536);
        if (at.kind != STOP_STEP) {
            break;
        }
    }
    struct stop_at at = {.kind = d->interrupted ? STOP_INTERRUPT : STOP_END};
    if (d->now.end != END_NOT) {
        snprintf(at.what, sizeof at.what, "%.255s",
                 d->now.end == END_OVER ? "the end" : d->message);
    }
    return at;
}

const struct tile_mark *debug_races(const struct txl_debug *d, unsigned *count)
{
    *count = 0;
    return d->tensix != NULL ? tile_marks(d->tensix, count) : NULL;
}

int command_races(struct answer *a)
{
    unsigned count;
    const struct tile_mark *mark = debug_races(a->d, &count);
    txl_json *list = txl_json_array();
    const int result = words_between(a, 0, 0);
    for (unsigned i = 0; i < count && result == TXL_CONTINUE; i++) {
        fprintf(a->out, "%-3u cycle %-8llu %s\n", i + 1, (unsigned long long)mark[i].cycle,
                mark[i].text);
        txl_json *one = txl_json_object();
        txl_json_set_int(one, "number", i + 1);
        JSON_MEMBERS(one, &mark[i], cycle, text);
        txl_json_append(list, one);
    }
    if (count == 0 && result == TXL_CONTINUE) {
        fputs("none, or none was looked for: tensix chip run --races --debug does\n", a->out);
    }
    txl_json_set(a->json, "races", list);
    return result == TXL_CONTINUE ? TXL_OK : result;
}

/* The cycle of the race whose number is the word at index. */
static int race_cycle(struct answer *a, unsigned index, uint64_t *cycle)
{
    unsigned count;
    const struct tile_mark *mark = debug_races(a->d, &count);
    int64_t number = 0;
    if (count == 0 || !txl_number(a->word[index], 1, count, &number)) {
        return txl_fail(a->d->err, "%s: there is no race '%.20s'; see 'races'", a->name,
                        a->word[index]);
    }
    *cycle = mark[number - 1].cycle;
    return TXL_CONTINUE;
}

int command_goto(struct answer *a)
{
    uint64_t cycle = 0;
    struct stop_at at = {.kind = STOP_STEP};
    const bool race = a->count > 1 && strcmp(a->word[1], "race") == 0;
    int result = race ? words_between(a, 2, 2) : words_between(a, 1, 1);
    if (result != TXL_CONTINUE) {
        return result;
    }
    a->d->stood = true;
    if (strcmp(a->word[1], "begin") == 0) {
        travel_to(a->d, history_begin(&a->d->past));
        points_anew(a->d);
    } else if (strcmp(a->word[1], "end") == 0) {
        at = to_end(a->d);
    } else {
        result = race ? race_cycle(a, 2, &cycle) : word_number(a, 1, INT64_MAX, 0, &cycle);
        if (result != TXL_CONTINUE) {
            return result;
        }
        at = travel_to_cycle(a->d, cycle);
    }
    command_where(a, &at);
    return TXL_OK;
}
