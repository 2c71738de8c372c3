/* SPDX-License-Identifier: Apache-2.0 */
/* The public face of lint: takes programs, runs and judges them, and keeps the results. */
#include <tensix/facts.h>

#include "lint/lint.h"

#include <stdlib.h>
#include <string.h>

#include <tensix-lab/elf.h>

#include "base/memory.h"
#include "base/options.h"
#include "flow/left.h"
#include "kernel/load.h"

/* A result together with the memory that it points to. */
struct kept {
    struct txl_lint_result seen; /* the first member, which the caller receives */
    char *file, *function;
    struct feed_found *found;
    struct lint_nop *texts;
    struct txl_lint_finding *findings;
    struct txl_lint_nop *nops;
};

struct txl_lint {
    struct txl_lint_options how;
    struct feed_watch watch;
    struct kept *results;
    size_t count, room;
    struct tx_program **programs; /* results point into them */
    size_t program_count, program_room;
};

/* The words to be judged. */
struct source {
    const char *file, *function;
    enum tx_arch arch;
    const struct tx_program *program; /* NULL: bare words */
    const uint32_t *words, *offsets;  /* offsets: of a function, else NULL */
    size_t count;
    const uint32_t *code; /* of a function: all of it, RISC-V instructions included */
};

int txl_lint_open(struct txl_error *err, const struct txl_lint_options *options, txl_lint **out)
{
    struct txl_lint_options how;
    *out = NULL;
    int result = options_take(err, &how, sizeof how, options);
    if (result != TXL_CONTINUE) {
        return result;
    }
    struct txl_lint *lint = zeroed(err, 1, sizeof *lint);
    if (lint == NULL) {
        return TXL_INPUT;
    }
    lint->how = how;
    lint->watch = (struct feed_watch){.progress = how.progress, .user = how.user};
    *out = lint;
    return TXL_OK;
}

static void free_kept(struct kept *k)
{
    free(k->file);
    free(k->function);
    free(k->found);
    free(k->texts);
    free(k->findings);
    free(k->nops);
}

void txl_lint_close(txl_lint *lint)
{
    if (lint == NULL) {
        return;
    }
    for (size_t i = 0; i < lint->count; i++) {
        free_kept(&lint->results[i]);
    }
    for (size_t i = 0; i < lint->program_count; i++) {
        tx_program_free(lint->programs[i]);
    }
    free(lint->results);
    free(lint->programs);
    free(lint);
}

size_t txl_lint_results(const txl_lint *lint)
{
    return lint->count;
}

const struct txl_lint_result *txl_lint_result(const txl_lint *lint, size_t index)
{
    return index < lint->count ? &lint->results[index].seen : NULL;
}

const struct txl_lint_finding *txl_lint_finding(const struct txl_lint_result *result, size_t index)
{
    const struct kept *k = (const struct kept *)result;
    return index < result->finding_count ? &k->findings[index] : NULL;
}

const struct txl_lint_nop *txl_lint_nop(const struct txl_lint_result *result, size_t index)
{
    const struct kept *k = (const struct kept *)result;
    return index < result->nop_count ? &k->nops[index] : NULL;
}

bool txl_lint_found(const txl_lint *lint)
{
    bool found = false;
    for (size_t i = 0; i < lint->count; i++) {
        const struct txl_lint_result *r = &lint->results[i].seen;
        /* The SFPNOPs of a compiled function are the compiler's. */
        const bool nops = r->superfluous > 0 && r->function == NULL;
        found = found || r->finding_count > 0 || nops || !r->complete;
    }
    return found;
}

/* ---- looking at one program ---- */

/*
 * Returns whether something may come between a word of a function and the word before it: a store
 * of the core, which may push a word, or a jump, behind which other words follow. *pushed is the
 * number of such stores.
 */
static bool apart(const struct source *s, size_t at, unsigned *pushed)
{
    enum { STACK = 2 }; /* the register that holds the stack pointer */
    bool jumps = false;
    *pushed = 0;
    for (uint32_t i = s->offsets[at - 1] / 4 + 1; i < s->offsets[at] / 4; i++) {
        struct tx_core_decoded d;
        tx_core_decode(s->arch, s->code[i], &d);
        jumps = jumps || d.kind == TX_CORE_KIND_JAL || d.kind == TX_CORE_KIND_JALR;
        *pushed += d.kind == TX_CORE_KIND_STORE && d.rs1 != STACK ? 1 : 0;
    }
    return jumps || *pushed != 0;
}

static bool lint_fill(struct feed *feed, const struct source *s, const struct txl_lint_options *how)
{
    feed->arch = s->arch;
    feed->most_cycles = how->max_cycles;
    feed->start = how->start;
    if (s->program != NULL || s->offsets == NULL) {
        feed->dst = how->dst;
        return s->program != NULL
                   ? feed_build(feed, s->program)
                   : feed_add_words(feed, s->words, NULL, s->count, TX_SECTION_TILE, 1);
    }
    feed->dst = TX_DST_FORMAT_UNSET;
    feed->part = !feed->straight;
    if (how->start == TX_START_UNSET) {
        feed->start = TX_START_VENDOR; /* a function does not begin at reset */
    }
    bool good = true;
    unsigned pushed;
    for (size_t i = 0; i < s->count && good; i++) {
        good = (i == 0 || !apart(s, i, &pushed) || feed_gap(feed, pushed)) &&
               feed_add_words(feed, &s->words[i], NULL, 1, TX_SECTION_TILE, 1);
        if (good) {
            feed->sites[i].offset = s->offsets[i];
        }
    }
    return good;
}

/*
 * Returns whether a finding in a function of an ELF file depends on what is not in the function:
 * configuration and Dst as other functions leave them, what follows its end, units of which it
 * shows a part of the words only.
 */
static bool depends(const struct source *s, const struct tx_finding *f)
{
    static const char *const others[] = {"E-VIEW",    "E-FPU",   "E-DST",   "R13",
                                         "L-PENDING", "L-ARMED", "E-REPLAY"};
    const struct tx_insn *insn = tx_insn_of(s->arch, f->word);
    const bool vector = insn == NULL || (insn->unit >= TX_UNIT_LOAD && insn->unit <= TX_UNIT_STORE);
    bool found = !vector && strcmp(f->rule, "E-UNUSED") != 0 && strcmp(f->rule, "E-MODE") != 0;
    for (size_t i = 0; i < sizeof others / sizeof others[0] && !found; i++) {
        found = strcmp(f->rule, others[i]) == 0;
    }
    return s->offsets != NULL && found;
}

/*
 * Adds what the machine finds wrong with the REPLAYs themselves. The feed expands them, so this is
 * a run in which they stay in the stream.
 */
static bool judge_replays(struct lint_work *work, const struct source *s,
                          const struct txl_lint_options *how)
{
    struct feed straight = {.straight = true, .watch = work->feed.watch};
    struct feed_run run = {.seed = work->run.seed};
    bool good = lint_fill(&straight, s, how) && feed_run(&straight, &run) == TX_OK;
    for (size_t i = 0; good && i < run.count; i++) {
        const struct tx_finding *f = &run.found[i].finding;
        if (tx_insn_id_of(work->arch, f->word) != TX_INSN_REPLAY) {
            continue;
        }
        uint32_t site = run.found[i].site;
        for (uint32_t k = 0; k < work->feed.site_count; k++) {
            if (site == FEED_NOWHERE || work->feed.sites[site].word != f->word) {
                site = k; /* one inside a recording has no number of its own */
            }
        }
        (void)feed_add(&work->run, f, site);
    }
    feed_run_free(&run);
    feed_free(&straight);
    return good && !work->run.memory;
}

static struct txl_lint_place lint_place_of(const struct feed *feed, uint32_t site)
{
    if (site == FEED_NOWHERE) {
        return (struct txl_lint_place){.known = false};
    }
    const struct feed_site *s = &feed->sites[site];
    return (struct txl_lint_place){.known = true,
                                   .section = s->section,
                                   .word = s->word,
                                   .offset = s->offset,
                                   .line = s->line,
                                   .source = s->file};
}

static bool copy_names(struct kept *k, const struct source *s)
{
    k->file = strdup(s->file);
    k->function = s->function != NULL ? strdup(s->function) : NULL;
    k->seen.file = k->file;
    k->seen.function = k->function;
    return k->file != NULL && (s->function == NULL || k->function != NULL);
}

/*
 * Takes over the findings and lets the public result point to them. Returns false when out of
 * memory.
 */
static bool keep_result(struct kept *k, struct lint_work *work, const struct source *s)
{
    const struct feed *feed = &work->feed;
    size_t left = 0;
    for (size_t i = 0; i < work->run.count; i++) {
        if (!depends(s, &work->run.found[i].finding)) {
            work->run.found[left++] = work->run.found[i];
        }
    }
    work->run.count = left;
    k->seen = (struct txl_lint_result){.arch = work->arch,
                                       .complete = !work->run.ended,
                                       .cycles = work->run.cycles,
                                       .skipped = feed->skipped + work->run.waiting,
                                       .unrecorded = feed->unrecorded,
                                       .finding_count = work->run.count,
                                       .nop_count = work->nop_count};
    k->found = work->run.found;
    work->run.found = NULL;
    k->texts = work->nops;
    work->nops = NULL;
    k->findings = calloc(work->run.count + 1, sizeof *k->findings);
    k->nops = calloc(work->nop_count + 1, sizeof *k->nops);
    if (!copy_names(k, s) || k->findings == NULL || k->nops == NULL) {
        return false;
    }
    for (size_t i = 0; i < k->seen.finding_count; i++) {
        const struct feed_found *f = &k->found[i];
        k->findings[i] = (struct txl_lint_finding){.finding = &f->finding,
                                                   .place = lint_place_of(feed, f->site),
                                                   .producer = lint_place_of(feed, f->producer),
                                                   .producer_cycle = f->producer_cycle,
                                                   .cycle = f->cycle,
                                                   .count = f->count,
                                                   .sfpnop_missing = f->cured};
        k->seen.hazards += f->finding.category == TX_HAZARD ? 1 : 0;
    }
    for (size_t i = 0; i < k->seen.nop_count; i++) {
        const struct lint_nop *n = &k->texts[i];
        k->nops[i] = (struct txl_lint_nop){.place = lint_place_of(feed, n->site),
                                           .cycles = n->cycles,
                                           .rule = n->rule,
                                           .text = n->text};
        k->seen.superfluous += n->cycles != 0 ? 1 : 0;
    }
    k->seen.others = k->seen.finding_count - k->seen.hazards;
    return lint_same(k->findings, k->seen.finding_count, k->nops, k->seen.nop_count);
}

static struct kept *new_kept(txl_lint *lint)
{
    return LIST_ROOM(lint->results, lint->count, lint->room, 1) ? &lint->results[lint->count]
                                                                : NULL;
}

static int too_long(struct txl_error *err, const struct source *s)
{
    return s->function != NULL ? txl_fail(err, "%s: %s: too long to run", s->file, s->function)
                               : txl_fail(err, "%s: too long to run", s->file);
}

/*
 * Judges how the skipped words are written: each one is run alone on a machine without other work.
 */
static bool judge_skipped(struct lint_work *work)
{
    tx_machine *m = NULL;
    struct tx_settings settings;
    bool good = true;
    tx_settings_default(&settings, work->arch);
    settings.max_cycles = 16; /* it may wait for something that is not here */
    for (uint32_t site = 0; site < work->feed.site_count && good; site++) {
        const struct feed_site *s = &work->feed.sites[site];
        struct tx_decoded d;
        if (!s->skipped || tx_decode(work->arch, s->word, &d) != TX_OK || d.canonical) {
            continue;
        }
        good = m != NULL || tx_open(&settings, &m) == TX_OK;
        if (!good) {
            break;
        }
        tx_reset(m);
        (void)tx_run(m, 0, &s->word, 1);
        for (size_t i = 0; i < tx_finding_count(m); i++) {
            struct tx_finding f = *tx_finding_at(m, i);
            f.cycle = s->cycle;
            if (strcmp(f.rule, "E-UNUSED") == 0 || strcmp(f.rule, "E-MODE") == 0) {
                (void)feed_add(&work->run, &f, site);
            }
        }
    }
    tx_close(m);
    return good && !work->run.memory;
}

/* Judges what a kernel's tile leaves for the next one. */
static bool judge_left(struct lint_work *work, const struct source *s,
                       const struct txl_lint_options *how)
{
    struct tx_settings settings;
    struct tx_kernel_options options;
    struct left left = {.count = 0};
    bool hazards = false; /* an old value that is read is what was left: one report will do */
    for (size_t i = 0; i < work->run.count; i++) {
        hazards = hazards || work->run.found[i].finding.category == TX_HAZARD;
    }
    if (s->program == NULL || work->run.stopped || work->run.ended || hazards) {
        return true;
    }
    tx_settings_default(&settings, work->arch);
    tx_kernel_options_default(&options);
    options.dst = how->dst;
    options.start = how->start;
    if (!left_find(s->program, &settings, &options, NULL, &left)) {
        return false;
    }
    for (size_t i = 0; i < left.count; i++) {
        uint32_t site = FEED_NOWHERE;
        for (uint32_t k = 0; k < work->feed.site_count && site == FEED_NOWHERE; k++) {
            const struct feed_site *at = &work->feed.sites[k];
            site = at->section == TX_SECTION_TILE && at->word == left.list[i].word ? k : site;
        }
        (void)feed_add(&work->run, &left.list[i], site);
    }
    return !work->run.memory;
}

static enum tx_status run_and_judge(struct lint_work *work, const struct source *s,
                                    const struct txl_lint_options *how)
{
    const enum tx_status status = feed_run(&work->feed, &work->run);
    if (status != TX_OK) {
        return status;
    }
    const bool good = (!work->feed.replays || judge_replays(work, s, how)) && judge_skipped(work) &&
                      judge_left(work, s, how) && lint_nops(work);
    return good ? TX_OK : TX_ENOMEM;
}

static bool add_result(txl_lint *lint, struct lint_work *work, const struct source *s)
{
    struct kept *k = new_kept(lint);
    if (k == NULL) {
        return false;
    }
    *k = (struct kept){.file = NULL};
    if (!keep_result(k, work, s)) {
        free_kept(k);
        return false;
    }
    lint->count++;
    return true;
}

static int look_at(struct txl_error *err, txl_lint *lint, const struct source *s)
{
    struct lint_work *work = zeroed(err, 1, sizeof *work);
    if (work == NULL) {
        return TXL_INPUT;
    }
    work->arch = s->arch;
    work->run.seed = 1;
    work->feed.watch = &lint->watch;
    int result = TXL_OK;
    if (!lint_fill(&work->feed, s, &lint->how)) {
        result = too_long(err, s);
    } else {
        enum tx_status status = run_and_judge(work, s, &lint->how);
        struct feed_watch *w = &lint->watch;
        w->cancelled = w->cancelled || (w->progress != NULL && !w->progress(w->user, w->cycles, 0));
        const bool cancelled = w->cancelled;
        if (status == TX_OK && !cancelled && !add_result(lint, work, s)) {
            status = TX_ENOMEM;
        }
        result = cancelled             ? txl_refuse(err, TXL_CANCELLED, "%s: cancelled", s->file)
                 : status == TX_OK     ? TXL_OK
                 : status == TX_ENOMEM ? txl_fail(err, "%s: out of memory", s->file)
                                       : txl_fail(err, "%s: %s", s->file, tx_status_text(status));
    }
    feed_run_free(&work->run);
    feed_free(&work->feed);
    free(work->nops);
    free(work);
    return result;
}

/* ---- programs ---- */

static bool named_hex(const txl_lint *lint, const char *path)
{
    const size_t length = strlen(path);
    return lint->how.hex || (length > 4 && strcasecmp(path + length - 4, ".hex") == 0);
}

int txl_lint_program(struct txl_error *err, txl_lint *lint, const char *name,
                     const struct tx_program *program)
{
    const struct source s = {.file = name, .arch = tx_program_arch(program), .program = program};
    return look_at(err, lint, &s);
}

int txl_lint_words(struct txl_error *err, txl_lint *lint, const char *name, enum tx_arch arch,
                   const uint32_t *words, size_t count)
{
    const struct source s = {.file = name, .arch = arch, .words = words, .count = count};
    return look_at(err, lint, &s);
}

/* Keeps the program, because results point into it. */
static bool keep_program(txl_lint *lint, struct tx_program *program)
{
    if (!LIST_ROOM(lint->programs, lint->program_count, lint->program_room, 1)) {
        return false;
    }
    lint->programs[lint->program_count++] = program;
    return true;
}

/* A file's text. It is read once, so that a pipe will do. */
struct text {
    const char *path;
    char *bytes;
    size_t length;
};

static int kernel_on(struct txl_error *err, txl_lint *lint, const struct text *text,
                     enum tx_arch arch)
{
    const char *path = text->path;
    const struct txl_kernel_options how = {.size = sizeof how,
                                           .arch = arch,
                                           .hex = named_hex(lint, path),
                                           .ttinsn = lint->how.ttinsn,
                                           .start = lint->how.start};
    struct tx_program *program = NULL;
    int result = txl_kernel_assemble(err, path, text->bytes, text->length, &how, &program);
    if (result == TXL_OK && !keep_program(lint, program)) {
        tx_program_free(program);
        result = no_memory(err);
    }
    if (result != TXL_OK) {
        return result;
    }
    if (!named_hex(lint, path)) {
        return txl_lint_program(err, lint, path, program);
    }
    const struct source s = {.file = path,
                             .arch = tx_program_arch(program),
                             .words = tx_program_words(program, TX_SECTION_TILE),
                             .count = tx_program_count(program, TX_SECTION_TILE)};
    return look_at(err, lint, &s);
}

static bool states_arch(const txl_lint *lint, const struct text *text)
{
    struct tx_program *program = NULL;
    struct txl_error none = {0};
    const struct txl_kernel_options how = {
        .size = sizeof how, .hex = lint->how.hex, .threads = true, .empty = true, .any_word = true};
    const bool stated =
        txl_kernel_assemble(&none, text->path, text->bytes, text->length, &how, &program) == TXL_OK;
    tx_program_free(program);
    return stated;
}

static int lint_kernel(struct txl_error *err, txl_lint *lint, const char *path)
{
    struct text text = {.path = path};
    text.bytes = txl_read_file(err, path, &text.length);
    if (text.bytes == NULL) {
        return TXL_INPUT;
    }
    int result = TXL_OK;
    if (!lint->how.both &&
        (lint->how.arch != TX_ARCH_NONE || named_hex(lint, path) || states_arch(lint, &text))) {
        result = kernel_on(err, lint, &text, lint->how.arch);
    } else {
        for (enum tx_arch arch = TX_ARCH_FIRST; arch <= TX_ARCH_LAST && result == TXL_OK; arch++) {
            result = kernel_on(err, lint, &text, arch);
        }
    }
    free(text.bytes);
    return result;
}

static int lint_functions(struct txl_error *err, txl_lint *lint, const char *path)
{
    const struct txl_where where = {.file = path};
    txl_elf *elf = NULL;
    int result = txl_elf_open(err, path, &elf);
    if (result != TXL_OK) {
        return result;
    }
    const enum tx_arch arch = lint->how.arch != TX_ARCH_NONE ? lint->how.arch : txl_elf_arch(elf);
    if (arch == TX_ARCH_NONE && !lint->how.both) {
        result = txl_fail_option(err, &where, "arch", "the file does not name its chip");
    } else if (txl_elf_functions(elf) == 0) {
        result = txl_fail_at(err, &where, "no function of it holds a Tensix instruction");
    }
    for (size_t i = 0; i < txl_elf_functions(elf) && result == TXL_OK; i++) {
        const struct txl_elf_function *f = txl_elf_function(elf, i);
        for (enum tx_arch k = TX_ARCH_FIRST; k <= TX_ARCH_LAST && result == TXL_OK; k++) {
            const struct source s = {.file = path,
                                     .function = f->name,
                                     .arch = k,
                                     .words = f->words,
                                     .offsets = f->offsets,
                                     .count = f->count,
                                     .code = f->code};
            result = lint->how.both || k == arch ? look_at(err, lint, &s) : TXL_OK;
        }
    }
    txl_elf_close(elf);
    return result;
}

int txl_lint_file(struct txl_error *err, txl_lint *lint, const char *path)
{
    const size_t before = lint->count;
    const int result =
        txl_elf_is(path) ? lint_functions(err, lint, path) : lint_kernel(err, lint, path);
    while (result != TXL_OK && lint->count > before) {
        free_kept(&lint->results[--lint->count]);
    }
    return result;
}
