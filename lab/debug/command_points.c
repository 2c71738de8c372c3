/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands for breakpoints and watchpoints: break, watch, delete, enable, disable, and their list.
 */
#include "base/json.h"
#include "debug/command.h"
#include "debug/points.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <tensix-lab/data.h>

/* A requested breakpoint, before it is created. */
struct wish {
    enum point_kind kind;
    unsigned section;
    uint64_t at;
    char name[POINT_TEXT];
    const struct tx_insn *insn;
    unsigned cores;
    uint32_t addresses[TX_CORES][POINT_ADDRESSES];
    unsigned counts[TX_CORES];
    int thread;
};

/* ---- places ---- */

static int kernel_word(struct txl_debug *d, const char *text, unsigned section, struct wish *w)
{
    int64_t number;
    if (d->program == NULL) {
        return txl_fail(d->err, "words are a kernel's; these programs have functions, lines, "
                                "addresses");
    }
    const size_t count = tx_program_count(d->program, section);
    if (!txl_number(text, 0, INT64_MAX, &number) || (uint64_t)number >= count) {
        return txl_fail(d->err, "%s has %zu words: no word '%.20s'",
                        section == TX_SECTION_INIT ? ".init" : ".tile", count, text);
    }
    w->kind = POINT_WORD;
    w->section = section;
    w->at = (uint64_t)number;
    return TXL_CONTINUE;
}

/* Parses a source line of a kernel, which must have instructions. */
static int kernel_line(struct txl_debug *d, const char *file, int64_t line, struct wish *w)
{
    const char *found = NULL;
    bool any = false;
    for (unsigned s = 0; s < TX_SECTIONS; s++) {
        for (size_t i = 0; i < tx_program_count(d->program, s) && !any; i++) {
            const unsigned at = debug_line(d, s, i, &found);
            any = at == line &&
                  (file[0] == '\0' ||
                   (found != NULL && strcmp(txl_basename(found), txl_basename(file)) == 0));
        }
    }
    if (!any) {
        return txl_fail(d->err, "no instruction is of %s%sline %lld", file,
                        file[0] != '\0' ? ", " : "", (long long)line);
    }
    w->kind = POINT_LINE;
    w->at = (uint64_t)line;
    snprintf(w->name, sizeof w->name, "%s", file);
    return TXL_CONTINUE;
}

static bool add_address(struct wish *w, unsigned core, uint32_t address)
{
    for (unsigned i = 0; i < w->counts[core]; i++) {
        if (w->addresses[core][i] == address) {
            return true;
        }
    }
    if (w->counts[core] == POINT_ADDRESSES) {
        return false;
    }
    w->addresses[core][w->counts[core]++] = address;
    w->cores |= 1u << core;
    return true;
}

/*
 * Returns the cores that a place refers to: the one named before a colon, which is skipped in
 * *text, else all.
 */
static unsigned cores_of(const char **text)
{
    char name[16];
    enum tx_core core;
    const char *colon = strchr(*text, ':');
    if (colon != NULL && (size_t)(colon - *text) < sizeof name) {
        snprintf(name, sizeof name, "%.*s", (int)(colon - *text), *text);
        if (tx_core_parse(name, &core) == TX_OK) {
            *text = colon + 1;
            return 1u << core;
        }
    }
    return (1u << TX_CORES) - 1;
}

/*
 * Parses a place in the cores' programs: "main", "t1:main", "tile.hpp:114", "t1:tile.hpp:114",
 * "*0x6118".
 */
static int core_place(struct txl_debug *d, const char *text, struct wish *w)
{
    const char *at = text;
    const unsigned cores = cores_of(&at);
    const char *colon = strrchr(at, ':');
    int64_t number;
    w->kind = POINT_CORE;
    for (unsigned c = 0; c < TX_CORES; c++) {
        uint32_t found[POINT_ADDRESSES];
        unsigned n = 0;
        if ((cores >> c & 1u) == 0) {
            continue;
        }
        if (at[0] == '*') {
            n = txl_number(at + 1, 0, UINT32_MAX, &number) ? 1 : 0;
            found[0] = n != 0 ? (uint32_t)number : 0;
        } else if (colon != NULL && txl_number(colon + 1, 1, INT32_MAX, &number)) {
            char file[POINT_TEXT];
            snprintf(file, sizeof file, "%.*s", (int)(colon - at), at);
            n = tile_line_addresses(d->tensix, (enum tx_core)c, file, (unsigned)number, found,
                                    POINT_ADDRESSES);
        } else {
            n = tile_symbol_address(d->tensix, (enum tx_core)c, at, &found[0]) ? 1 : 0;
        }
        for (unsigned i = 0; i < n; i++) {
            (void)add_address(w, c, found[i]);
        }
    }
    return w->cores != 0 ? TXL_CONTINUE
                         : txl_fail(d->err,
                                    "'%.60s' is no function, FILE:LINE, *ADDRESS, mnemonic "
                                    "or other place of these programs; see 'help break'",
                                    text);
}

/* Parses any place: "12", "init:12", "relu.cpp:30", ":30", a mnemonic, or a place of a core. */
static int command_points_place(struct answer *a, const char *text, struct wish *w)
{
    struct txl_debug *d = a->d;
    const char *colon = strrchr(text, ':');
    const struct tx_insn *insn = tx_insn_find(d->arch, text);
    int64_t line;
    if (insn != NULL) {
        w->kind = POINT_MNEMONIC;
        w->insn = insn;
        return TXL_CONTINUE;
    }
    if (d->tile != NULL) {
        return core_place(d, text, w);
    }
    if (strncmp(text, "init:", 5) == 0 && isdigit((unsigned char)text[5]) != 0) {
        return kernel_word(d, text + 5, TX_SECTION_INIT, w);
    }
    if (strncmp(text, "tile:", 5) == 0 && isdigit((unsigned char)text[5]) != 0) {
        return kernel_word(d, text + 5, TX_SECTION_TILE, w);
    }
    if (colon != NULL && txl_number(colon + 1, 1, INT32_MAX, &line)) {
        char file[POINT_TEXT];
        snprintf(file, sizeof file, "%.*s", (int)(colon - text), text);
        return kernel_line(d, file, line, w);
    }
    if (isdigit((unsigned char)text[0]) != 0) {
        return kernel_word(d, text, TX_SECTION_TILE, w);
    }
    return txl_fail(d->err, "'%.60s' is no word, FILE:LINE, or mnemonic of %s; see 'help break'",
                    text, tx_arch_name(d->arch));
}

/* Takes "thread N" from the end of the words; it can also stand alone. */
static int take_thread(struct answer *a, struct wish *w)
{
    int64_t thread;
    w->thread = -1;
    if (a->count < 3 || strcmp(a->word[a->count - 2], "thread") != 0) {
        return TXL_CONTINUE;
    }
    if (!txl_number(a->word[a->count - 1], 0, TX_THREADS - 1, &thread)) {
        return txl_fail(a->d->err, "threads are 0, 1, 2, not '%.20s'", a->word[a->count - 1]);
    }
    w->thread = (int)thread;
    a->count -= 2;
    return TXL_CONTINUE;
}

/* Tells whether a finding can have this rule; "" stands for any. */
static bool is_rule(const char *name)
{
    const struct tx_evidence *e;
    const struct tx_erratum *x;
    bool known = *name == '\0';
    for (size_t i = 0; !known && (e = tx_evidence_at(i)) != NULL; i++) {
        known = strcasecmp(e->id, name) == 0;
    }
    for (size_t i = 0; !known && (x = tx_erratum_at(i)) != NULL; i++) {
        known = strcasecmp(x->id, name) == 0;
    }
    return known;
}

static int wish_of(struct answer *a, struct wish *w)
{
    uint64_t cycle = 0;
    int result = take_thread(a, w);
    if (result != TXL_CONTINUE) {
        return result;
    }
    if (a->count == 1 && w->thread >= 0) {
        w->kind = POINT_THREAD;
        return TXL_CONTINUE;
    }
    if (a->count < 2) {
        return txl_fail(a->d->err, "%s: where? see 'help break'", a->name);
    }
    const char *first = a->word[1];
    if (strcmp(first, "cycle") == 0) {
        w->kind = POINT_CYCLE;
        result = a->count == 3 ? word_number(a, 2, INT64_MAX, 0, &cycle)
                               : txl_fail(a->d->err, "break cycle: which one?");
        w->at = cycle;
        return result;
    }
    if (strcmp(first, "race") == 0) {
        unsigned count;
        (void)debug_races(a->d, &count);
        w->kind = POINT_RACE;
        result = words_between(a, 1, 2);
        result = result == TXL_CONTINUE ? word_number(a, 2, count, 0, &cycle) : result;
        w->at = cycle;
        return result == TXL_CONTINUE && count == 0
                   ? txl_fail(a->d->err, "break race: no race is known; see 'races'")
                   : result;
    }
    if (strcmp(first, "finding") == 0 || strcmp(first, "stall") == 0) {
        w->kind = first[0] == 'f' ? POINT_FINDING : POINT_STALL;
        snprintf(w->name, sizeof w->name, "%s", a->count > 2 ? a->word[2] : "");
        if (w->kind == POINT_FINDING && !is_rule(w->name)) {
            return txl_fail(a->d->err, "break finding: there is no rule '%s'; see 'tensix isa'",
                            w->name);
        }
        return words_between(a, 1, 2);
    }
    result = words_between(a, 1, 1);
    return result == TXL_CONTINUE ? command_points_place(a, first, w) : result;
}

/* ---- output ---- */

static void point_line(struct answer *a, const struct point *p)
{
    fprintf(a->out, "%-3u %-5s %-44s %s%s%llu hit%s\n", p->number,
            p->kind == POINT_WATCH ? "watch" : "break", p->text, p->disabled ? "disabled, " : "",
            p->once ? "once, " : "", (unsigned long long)p->hits, p->hits == 1 ? "" : "s");
}

static txl_json *point_json(const struct point *p)
{
    txl_json *o = txl_json_object();
    txl_json_set_int(o, "number", p->number);
    txl_json_set_text(o, "kind", p->kind == POINT_WATCH ? "watch" : "break");
    txl_json_set_text(o, "text", p->text);
    txl_json_set_bool(o, "enabled", !p->disabled);
    JSON_MEMBERS(o, p, once, hits);
    return o;
}

/* Joins the words after the command's name with single blanks. */
static void join(const struct answer *a, char *text, size_t size)
{
    size_t n = 0;
    text[0] = '\0';
    for (unsigned i = 1; i < a->count && n < size; i++) {
        n += (size_t)snprintf(text + n, size - n, "%s%s", i > 1 ? " " : "", a->word[i]);
    }
}

int command_break(struct answer *a)
{
    char text[POINT_TEXT];
    struct wish w = {.thread = -1};
    join(a, text, sizeof text);
    const int result = wish_of(a, &w);
    if (result != TXL_CONTINUE) {
        return result;
    }
    struct point *p = point_add(a->d, w.kind, text);
    if (p == NULL) {
        return TXL_INPUT;
    }
    p->once = a->name[0] == 't';
    p->thread = w.thread;
    p->section = w.section;
    p->at = w.at;
    snprintf(p->name, sizeof p->name, "%s", w.name);
    p->insn = w.insn;
    p->cores = w.cores;
    memcpy(p->addresses, w.addresses, sizeof p->addresses);
    memcpy(p->address_count, w.counts, sizeof p->address_count);
    point_line(a, p);
    txl_json_set(a->json, "breakpoint", point_json(p));
    return TXL_OK;
}

/* ---- watchpoints ---- */

static int read_reference(struct txl_debug *d, struct point *p, const char *name)
{
    txl_tensor *tensor = NULL;
    const struct txl_tensor_options how = {.size = sizeof how};
    int result = txl_tensor_open(d->err, name, &how, &tensor);
    if (result != TXL_OK) {
        return result;
    }
    const struct txl_tensor_info *info = txl_tensor_info(tensor);
    p->reference_count = info->elements;
    p->reference = info->elements != 0 && info->elements < SIZE_MAX / 8
                       ? zeroed(d->err, (size_t)info->elements, sizeof *p->reference)
                       : NULL;
    result = p->reference != NULL ? txl_tensor_words(d->err, tensor, p->reference) : TXL_INPUT;
    if (p->reference == NULL && d->err != NULL && d->err->status == TXL_OK) {
        (void)txl_fail(d->err, "%s has no elements", name);
    }
    txl_tensor_close(tensor);
    return result == TXL_OK ? TXL_CONTINUE : result;
}

/*
 * Checks the size of a reference array: a single value, as many as the watched target reaches, or
 * for Dst the whole result of the run.
 */
static int check_reference(struct txl_debug *d, const struct point *p)
{
    const struct target *t = &p->target;
    const uint64_t least = t->kind == TARGET_L1 ? t->count : t->first + t->count;
    if (t->kind == TARGET_DST && p->reference_count > 1) {
        if (d->run == NULL || !d->run->opened) {
            return txl_fail(d->err, "watch: rows of Dst are compared with an array for the whole "
                                    "result, of a kernel that was given arrays");
        }
        return p->reference_count == d->run->job.tiling.count
                   ? TXL_CONTINUE
                   : txl_fail(d->err, "watch: the array has %llu elements, the result has %llu",
                              (unsigned long long)p->reference_count,
                              (unsigned long long)d->run->job.tiling.count);
    }
    return p->reference_count == 1 || p->reference_count >= least
               ? TXL_CONTINUE
               : txl_fail(d->err, "watch: the array has %llu elements, %llu are watched",
                          (unsigned long long)p->reference_count, (unsigned long long)least);
}

/* Parses the condition of a watchpoint, which follows its target. */
static int watch_test(struct answer *a, struct point *p)
{
    struct txl_debug *d = a->d;
    const enum reading reading =
        a->reading != READ_DEFAULT ? a->reading : target_reading(d, &p->target);
    if (a->count == 2) {
        p->test = WATCH_CHANGE;
        return TXL_CONTINUE;
    }
    if (a->count == 3 && strcasecmp(a->word[2], "nan") == 0) {
        p->test = WATCH_NAN;
        return TXL_CONTINUE;
    }
    if (a->count == 4 && strcmp(a->word[2], "differs") == 0) {
        p->test = WATCH_DIFFERS;
        const int result = read_reference(d, p, a->word[3]);
        return result == TXL_CONTINUE ? check_reference(d, p) : result;
    }
    const bool equal = a->count == 4 && strcmp(a->word[2], "==") == 0;
    if (!equal && !(a->count == 4 && strcmp(a->word[2], "!=") == 0)) {
        return txl_fail(d->err,
                        "watch: behind %.40s stands nothing, or == VALUE, != VALUE, nan, "
                        "differs FILE.npy",
                        a->word[1]);
    }
    p->test = WATCH_VALUE;
    p->negated = !equal;
    return reading_value(reading, a->word[3], &p->wanted)
               ? TXL_CONTINUE
               : txl_fail(d->err, "watch: '%.40s' is no value of %s", a->word[3],
                          reading_name(reading));
}

int command_watch(struct answer *a)
{
    char text[POINT_TEXT];
    struct target target;
    join(a, text, sizeof text);
    int result = words_between(a, 1, 3);
    result = result == TXL_CONTINUE ? target_parse(a->d, a->word[1], &target) : result;
    if (result != TXL_CONTINUE) {
        return result;
    }
    struct point *p = point_add(a->d, POINT_WATCH, text);
    if (p == NULL) {
        return TXL_INPUT;
    }
    p->target = target;
    result = watch_test(a, p);
    if (result != TXL_CONTINUE) {
        a->d->point_next--;
        point_delete(a->d, p);
        return result;
    }
    points_anew(a->d);
    point_line(a, p);
    txl_json_set(a->json, "breakpoint", point_json(p));
    return TXL_OK;
}

/* ---- the list ---- */

int command_points(struct answer *a)
{
    txl_json *list = txl_json_array();
    for (unsigned i = 0; i < a->d->point_count; i++) {
        point_line(a, &a->d->points[i]);
        txl_json_append(list, point_json(&a->d->points[i]));
    }
    if (a->d->point_count == 0) {
        fputs("no breakpoints\n", a->out);
    }
    txl_json_set(a->json, "breakpoints", list);
    return TXL_OK;
}

static int named(struct answer *a, struct point **p)
{
    uint64_t number = 0;
    const int result = word_number(a, 1, INT32_MAX, 0, &number);
    *p = point_find(a->d, number);
    return result != TXL_CONTINUE ? result
           : *p != NULL
               ? TXL_CONTINUE
               : txl_fail(a->d->err, "%s: no breakpoint %llu", a->name, (unsigned long long)number);
}

int command_delete(struct answer *a)
{
    struct point *p;
    int result = words_between(a, 0, 1);
    if (result == TXL_CONTINUE && a->count == 1) {
        while (a->d->point_count > 0) {
            point_delete(a->d, &a->d->points[a->d->point_count - 1]);
        }
        return TXL_OK;
    }
    result = result == TXL_CONTINUE ? named(a, &p) : result;
    if (result == TXL_CONTINUE) {
        point_delete(a->d, p);
    }
    return result == TXL_CONTINUE ? TXL_OK : result;
}

int command_enable(struct answer *a)
{
    struct point *p;
    int result = words_between(a, 1, 1);
    result = result == TXL_CONTINUE ? named(a, &p) : result;
    if (result == TXL_CONTINUE) {
        p->disabled = a->name[0] == 'd';
        point_line(a, p);
    }
    return result == TXL_CONTINUE ? TXL_OK : result;
}
