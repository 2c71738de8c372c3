/* SPDX-License-Identifier: Apache-2.0 */
/* Diagnostics: errors of the assembler, and findings of a run by lint, or by race for threads. */
#include "lsp/lsp.h"

#include <string.h>

#include <tensix-lab/kernel.h>
#include <tensix-lab/lint.h>
#include <tensix-lab/race.h>
#include <tensix/finding.h>

enum {
    MOST_CYCLES = 300000, /* a run should take only milliseconds while the user types */
    MOST_FINDINGS = 200,
    MESSAGE = 640
};
/* Values defined by the protocol. */
enum { SEVERITY_ERROR = 1, SEVERITY_WARNING = 2, SEVERITY_INFORMATION = 3, SEVERITY_HINT = 4 };
enum { TAG_UNNECESSARY = 1 };

int document_assemble(const txl_lsp *lsp, const struct document *d, struct txl_error *err,
                      struct tx_program **program)
{
    const bool stated = stated_arch(d->text, d->length) != TX_ARCH_NONE;
    const struct txl_kernel_options how = {.size = sizeof how,
                                           .arch = stated ? TX_ARCH_NONE : lsp->how.arch,
                                           .threads = true,
                                           .empty = true};
    return txl_kernel_assemble(err, d->path, d->text, d->length, &how, program);
}

/* ---- what is to be said ---- */

struct reporter {
    void (*each)(void *user, const struct seen *seen);
    void *user;
};

static void look_say(const struct reporter *r, const struct seen *seen)
{
    r->each(r->user, seen);
}

static void note(const struct reporter *r, const char *text)
{
    look_say(r, &(struct seen){.kind = SEEN_NOTE, .text = text});
}

static struct seen seen_at(enum seen_kind kind, const struct txl_lint_place *place,
                           const char *code, const char *text)
{
    return (struct seen){.kind = kind,
                         .line = place->known ? place->line : 0,
                         .source = place->source,
                         .code = code,
                         .text = text};
}

static void say_result(const struct reporter *r, const struct txl_lint_result *result)
{
    const struct txl_lint_finding *f;
    const struct txl_lint_nop *nop;
    for (size_t i = 0; i < MOST_FINDINGS && (f = txl_lint_finding(result, i)) != NULL; i++) {
        const bool hazard = f->finding->category == TX_HAZARD;
        const struct tx_advice advice = tx_finding_advice(f->finding);
        char text[MESSAGE];
        snprintf(text, sizeof text, "%s\nOn a card: %s.\nChange: %s.", f->finding->message,
                 advice.on_card, advice.change);
        struct seen seen =
            seen_at(hazard ? SEEN_HAZARD : SEEN_FINDING, &f->place, f->finding->rule, text);
        seen.sfpnop_missing = f->sfpnop_missing;
        look_say(r, &seen);
    }
    for (size_t i = 0; i < MOST_FINDINGS && (nop = txl_lint_nop(result, i)) != NULL; i++) {
        const struct seen seen = seen_at(SEEN_NOP, &nop->place, nop->rule, nop->text);
        look_say(r, &seen);
    }
    if (!result->complete) {
        char text[120];
        snprintf(text, sizeof text, "not looked at to its end: more than %d cycles", MOST_CYCLES);
        note(r, text);
    }
}

static void lint(const struct document *d, const struct reporter *r,
                 const struct tx_program *program)
{
    const struct txl_lint_options how = {.size = sizeof how, .max_cycles = MOST_CYCLES};
    txl_lint *lint = NULL;
    struct txl_error err = {0};
    int status = txl_lint_open(&err, &how, &lint);
    if (status == TXL_OK) {
        status = txl_lint_program(&err, lint, d->path, program);
    }
    if (status != TXL_OK) {
        note(r, err.message);
    }
    for (size_t i = 0; status == TXL_OK && i < txl_lint_results(lint); i++) {
        say_result(r, txl_lint_result(lint, i));
    }
    txl_lint_close(lint);
}

/* A race stands at the place of its second access. */
static void say_race(const struct document *d, const struct reporter *r,
                     const struct txl_race_found *race)
{
    const struct txl_race_place *at = &race->place[1];
    const char *name = txl_basename(d->path);
    const size_t length = strcspn(at->source, ":");
    const bool here = strlen(name) == length && memcmp(name, at->source, length) == 0;
    char file[128];
    char text[MESSAGE];
    snprintf(file, sizeof file, "%.*s", (int)length, at->source);
    snprintf(text, sizeof text, "%.80s, with %.60s (T%u): %.120s; %.200s", race->what,
             race->place[0].source, race->place[0].thread, race->why, race->remedy);
    look_say(r, &(struct seen){.kind = SEEN_RACE,
                               .line = at->line,
                               .source = here ? NULL : file,
                               .code = "race",
                               .text = text,
                               .race = race});
}

/* The races of a program with threads. */
static void races(const struct document *d, const struct reporter *r,
                  const struct tx_program *program)
{
    struct tx_settings settings;
    struct txl_error err = {0};
    txl_race *race = NULL;
    const struct txl_race_found *found;
    tx_settings_default(&settings, tx_program_arch(program));
    settings.max_cycles = MOST_CYCLES;
    const struct txl_race_options how = {
        .size = sizeof how, .name = d->path, .settings = &settings};
    if (txl_race_open(&err, program, &how, &race) == TXL_OK) {
        (void)txl_race_run(&err, race);
    }
    if (err.status != TXL_OK) {
        note(r, err.message);
    }
    for (size_t i = 0; race != NULL && i < MOST_FINDINGS; i++) {
        found = txl_race_found_at(race, i);
        if (found == NULL) {
            break;
        }
        say_race(d, r, found);
    }
    txl_race_close(race);
}

void look(const txl_lsp *lsp, const struct document *d,
          void (*each)(void *user, const struct seen *seen), void *user)
{
    const struct reporter r = {each, user};
    struct txl_error err = {0};
    struct tx_program *program;
    if (document_assemble(lsp, d, &err, &program) != TXL_OK) {
        const bool here = strcmp(err.file, d->path) == 0;
        look_say(&r, &(struct seen){.kind = SEEN_ERROR,
                                    .line = err.line,
                                    .column = err.column,
                                    .length = err.length,
                                    .source = here ? NULL : err.file,
                                    .text = err.message});
        return;
    }
    const size_t words =
        tx_program_count(program, TX_SECTION_INIT) + tx_program_count(program, TX_SECTION_TILE);
    if (words != 0 && tx_program_threaded(program)) {
        races(d, &r, program);
    } else if (words != 0) {
        lint(d, &r, program);
    }
    tx_program_free(program);
}

/* ---- diagnostics ---- */

static txl_json *diagnostic(txl_json *range, int severity, const char *code, const char *message)
{
    txl_json *one = txl_json_object();
    txl_json_set(one, "range", range);
    txl_json_set_int(one, "severity", (uint64_t)severity);
    txl_json_set_text(one, "source", "tensix");
    if (code != NULL && code[0] != '\0') {
        txl_json_set_text(one, "code", code);
    }
    txl_json_set_text(one, "message", message);
    return one;
}

/*
 * Returns the range of a line (counted from 1, 0 if unknown), from its first non-blank character
 * on.
 */
static txl_json *line_range(const txl_lsp *lsp, const struct document *d, uint32_t line)
{
    size_t length;
    const size_t at = line != 0 ? line - 1 : 0;
    const char *text = line_at(d->text, d->length, at, &length);
    const size_t from = strspn(text, " \t");
    return range_json(lsp, d, at, from < length ? from : 0, SIZE_MAX);
}

struct included {
    const char *path;
    uint32_t line;
};

static bool ends_with_it(void *user, const struct name *name)
{
    struct included *i = user;
    const size_t length = strlen(i->path);
    if (name->kind == NAME_INCLUDE && name->length <= length &&
        memcmp(i->path + length - name->length, name->text, name->length) == 0) {
        i->line = (uint32_t)name->line + 1;
    }
    return i->line == 0;
}

/* What is refused has the range of its words; everything else that of its line. */
static txl_json *seen_range(const txl_lsp *lsp, const struct document *d, const struct seen *seen)
{
    if (seen->source != NULL) { /* in another file: at the .include, or at the top */
        struct included i = {.path = seen->source};
        names_in(d->text, d->length, ends_with_it, &i);
        return line_range(lsp, d, i.line);
    }
    if (seen->line != 0 && seen->column != 0) {
        const size_t from = seen->column - 1;
        return range_json(lsp, d, seen->line - 1, from,
                          from + (seen->length != 0 ? seen->length : 1));
    }
    return line_range(lsp, d, seen->line);
}

struct diagnostics {
    const txl_lsp *lsp;
    const struct document *d;
    txl_json *array;
};

static void add_seen(void *user, const struct seen *seen)
{
    static const int severity[] = {
        [SEEN_ERROR] = SEVERITY_ERROR,     [SEEN_HAZARD] = SEVERITY_ERROR,
        [SEEN_FINDING] = SEVERITY_WARNING, [SEEN_NOP] = SEVERITY_HINT,
        [SEEN_RACE] = SEVERITY_WARNING,    [SEEN_NOTE] = SEVERITY_INFORMATION};
    const struct diagnostics *to = user;
    char message[sizeof((struct txl_error){0}).message + sizeof((struct txl_error){0}).file + 32];
    snprintf(message, sizeof message, "%s", seen->text);
    if (seen->source != NULL) {
        snprintf(message, sizeof message, "%s:%u: %s", seen->source, (unsigned)seen->line,
                 seen->text);
    }
    txl_json *one =
        diagnostic(seen_range(to->lsp, to->d, seen), severity[seen->kind], seen->code, message);
    if (seen->kind == SEEN_NOP) {
        txl_json *tags = txl_json_array();
        txl_json_append(tags, txl_json_int(TAG_UNNECESSARY));
        txl_json_set(one, "tags", tags);
    }
    txl_json_append(to->array, one);
}

txl_json *diagnostics_json(txl_lsp *lsp, const struct document *d)
{
    struct diagnostics to = {lsp, d, txl_json_array()};
    look(lsp, d, add_seen, &to);
    return to.array;
}
