/* SPDX-License-Identifier: Apache-2.0 */
/* Diagnostics: errors of the assembler, and findings of a run by lint, or by race for threads. */
#include "lsp/lsp.h"

#include <string.h>

#include <tensix-lab/kernel.h>
#include <tensix-lab/lint.h>
#include <tensix-lab/race.h>

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

/*
 * Makes a diagnostic of an assembler error. For an error in an included file its place is the
 * .include.
 */
static txl_json *refused(const txl_lsp *lsp, const struct document *d, const struct txl_error *err)
{
    char message[sizeof err->message + sizeof err->file + 32];
    if (strcmp(err->file, d->path) == 0) {
        txl_json *range = line_range(lsp, d, err->line);
        if (err->line != 0 && err->column != 0) {
            const size_t from = err->column - 1;
            txl_json_free(range);
            range = range_json(lsp, d, err->line - 1, from,
                               from + (err->length != 0 ? err->length : 1));
        }
        return diagnostic(range, SEVERITY_ERROR, NULL, err->message);
    }
    struct included i = {.path = err->file};
    names_in(d->text, d->length, ends_with_it, &i);
    snprintf(message, sizeof message, "%s:%u: %s", err->file, err->line, err->message);
    return diagnostic(line_range(lsp, d, i.line), SEVERITY_ERROR, NULL, message);
}

/*
 * Adds a finding. If its word is from another file (.loc, .include), the diagnostic is at the
 * .include or at the top, and names the place.
 */
static void add_finding(const txl_lsp *lsp, const struct document *d, txl_json *array,
                        const struct txl_lint_place *place, int severity, const char *code,
                        const char *text)
{
    char message[MESSAGE + 256];
    txl_json *one;
    if (place->source == NULL) {
        one = diagnostic(line_range(lsp, d, place->known ? place->line : 0), severity, code, text);
    } else {
        struct included i = {.path = place->source};
        names_in(d->text, d->length, ends_with_it, &i);
        snprintf(message, sizeof message, "%.200s:%u: %s", place->source, place->line, text);
        one = diagnostic(line_range(lsp, d, i.line), severity, code, message);
    }
    if (severity == SEVERITY_HINT) {
        txl_json *tags = txl_json_array();
        txl_json_append(tags, txl_json_int(TAG_UNNECESSARY));
        txl_json_set(one, "tags", tags);
    }
    txl_json_append(array, one);
}

static void add_result(const txl_lsp *lsp, const struct document *d, txl_json *array,
                       const struct txl_lint_result *result)
{
    const struct txl_lint_finding *f;
    const struct txl_lint_nop *nop;
    for (size_t i = 0; i < MOST_FINDINGS && (f = txl_lint_finding(result, i)) != NULL; i++) {
        const bool hazard = f->finding->category == TX_HAZARD;
        add_finding(lsp, d, array, &f->place, hazard ? SEVERITY_ERROR : SEVERITY_WARNING,
                    f->finding->rule, f->finding->message);
    }
    for (size_t i = 0; i < MOST_FINDINGS && (nop = txl_lint_nop(result, i)) != NULL; i++) {
        add_finding(lsp, d, array, &nop->place, SEVERITY_HINT, nop->rule, nop->text);
    }
    if (!result->complete) {
        char text[120];
        snprintf(text, sizeof text, "not looked at to its end: more than %d cycles", MOST_CYCLES);
        txl_json_append(array, diagnostic(line_range(lsp, d, 0), SEVERITY_INFORMATION, NULL, text));
    }
}

static void lint(const txl_lsp *lsp, const struct document *d, txl_json *array,
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
        txl_json_append(array,
                        diagnostic(line_range(lsp, d, 0), SEVERITY_INFORMATION, NULL, err.message));
    }
    for (size_t i = 0; status == TXL_OK && i < txl_lint_results(lint); i++) {
        add_result(lsp, d, array, txl_lint_result(lint, i));
    }
    txl_lint_close(lint);
}

/* Adds a race at the place of its second access; if that is in another file, as for findings. */
static void add_race(const txl_lsp *lsp, const struct document *d, txl_json *array,
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
    const struct txl_lint_place place = {
        .known = at->line != 0, .line = at->line, .source = here ? NULL : file};
    add_finding(lsp, d, array, &place, SEVERITY_WARNING, "race", text);
}

/* Adds the races of a program with threads. */
static void races(const txl_lsp *lsp, const struct document *d, txl_json *array,
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
        txl_json_append(array,
                        diagnostic(line_range(lsp, d, 0), SEVERITY_INFORMATION, NULL, err.message));
    }
    for (size_t i = 0; race != NULL && i < MOST_FINDINGS; i++) {
        found = txl_race_found_at(race, i);
        if (found == NULL) {
            break;
        }
        add_race(lsp, d, array, found);
    }
    txl_race_close(race);
}

txl_json *diagnostics_json(txl_lsp *lsp, const struct document *d)
{
    struct txl_error err = {0};
    struct tx_program *program;
    txl_json *array = txl_json_array();
    if (document_assemble(lsp, d, &err, &program) != TXL_OK) {
        txl_json_append(array, refused(lsp, d, &err));
        return array;
    }
    const size_t words =
        tx_program_count(program, TX_SECTION_INIT) + tx_program_count(program, TX_SECTION_TILE);
    if (words != 0 && tx_program_threaded(program)) {
        races(lsp, d, array, program);
    } else if (words != 0) {
        lint(lsp, d, array, program);
    }
    tx_program_free(program);
    return array;
}
