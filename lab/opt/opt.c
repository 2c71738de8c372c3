/* SPDX-License-Identifier: Apache-2.0 */
/* Composes expand and schedule, and proves what comes out against the kernel as it was given. */
#include "opt/opt.h"

#include <stdlib.h>
#include <string.h>

#include <tensix-lab/expand.h>

#include "base/options.h"
#include "kernel/write.h"
#include "schedule/schedule.h"

struct opt_work {
    struct txl_opt_options how;
    const struct tx_program *given;
    struct tx_program *straight; /* what SFPLOADMACRO scheduled, written out; NULL: it has none */
    txl_schedule *schedule;
    char *reordered; /* text; NULL: not tried */
};

static int assemble(struct txl_error *err, enum tx_arch arch, const char *text,
                    struct tx_program **program)
{
    const struct tx_asm_options as = {.arch = arch};
    struct tx_diag diag = {0};
    const enum tx_status status = tx_assemble(text, strlen(text), &as, program, &diag);
    if (status == TX_ENOMEM) {
        return no_memory(err);
    }
    return status == TX_OK
               ? TXL_CONTINUE
               : txl_fail(err, "opt: line %u of what it wrote: %s", diag.line, diag.message);
}

static bool has_macros(const struct tx_program *p)
{
    bool any = false;
    for (unsigned section = 0; section < 2; section++) {
        const unsigned s = section == 0 ? TX_SECTION_INIT : TX_SECTION_TILE;
        for (size_t i = 0; i < tx_program_count(p, s); i++) {
            any = any || tx_insn_id_of(tx_program_arch(p), tx_program_words(p, s)[i]) ==
                             TX_INSN_SFPLOADMACRO;
        }
    }
    return any;
}

static struct tx_kernel_options kernel_options(const struct opt_work *w)
{
    struct tx_kernel_options options;
    tx_kernel_options_default(&options);
    options.dst = w->how.dst;
    options.out = w->how.out;
    return options;
}

/* Measures a tile of the kernel as it was given. */
static int measure(struct txl_error *err, const struct opt_work *w, uint64_t *cycles)
{
    const struct tx_kernel_options options = kernel_options(w);
    static const uint32_t zeros[TX_TILE_ELEMENTS];
    const uint32_t *inputs[16];
    struct tx_settings settings;
    tx_kernel *kernel = NULL;
    uint32_t *out = zeroed(err, TX_TILE_ELEMENTS, sizeof *out);
    for (unsigned i = 0; i < 16; i++) {
        inputs[i] = zeros;
    }
    tx_settings_default(&settings, tx_program_arch(w->given));
    enum tx_status status =
        out == NULL ? TX_ENOMEM : tx_kernel_open(&settings, w->given, &options, &kernel);
    if (status == TX_OK) {
        status = tx_kernel_start(kernel);
    }
    if (status == TX_OK) {
        const uint64_t before = tx_machine_counters(tx_kernel_machine(kernel)).cycles;
        status = tx_kernel_tile(kernel, 0, inputs, out);
        *cycles = tx_machine_counters(tx_kernel_machine(kernel)).cycles - before;
    }
    tx_kernel_close(kernel);
    free(out);
    return status == TX_OK       ? TXL_CONTINUE
           : status == TX_ENOMEM ? no_memory(err)
                                 : txl_refuse(err, TXL_NEGATIVE, "%s: the kernel stops: %s",
                                              w->how.name, tx_status_text(status));
}

/*
 * Takes a refusal of another room for the reason why the kernel stays; its name in front is left
 * out. Other results stay what they are.
 */
static int keep(struct txl_error *err, txl_opt *o, const struct opt_work *w, int result,
                const struct txl_error *why)
{
    const size_t length = strlen(w->how.name);
    const char *text = why->message;
    if (result != TXL_NEGATIVE) {
        if (err != NULL) {
            *err = *why;
        }
        return result;
    }
    if (strncmp(text, w->how.name, length) == 0 && strncmp(text + length, ": ", 2) == 0) {
        text += length + 2;
    }
    snprintf(o->kept, sizeof o->kept, "%s", text);
    o->result.kept = o->kept;
    return TXL_CONTINUE;
}

static int straighten(struct txl_error *err, txl_opt *o, struct opt_work *w)
{
    const struct txl_expand_options how = {.size = sizeof how,
                                           .name = w->how.name,
                                           .dst = w->how.dst,
                                           .out = w->how.out,
                                           .progress = w->how.progress,
                                           .user = w->how.user};
    struct txl_error why = {.status = TXL_OK};
    txl_expansion *made = NULL;
    if (!has_macros(w->given)) {
        return TXL_CONTINUE;
    }
    int result = txl_expand(&why, w->given, &how, &made);
    if (result != TXL_OK) {
        return keep(err, o, w, result, &why);
    }
    result = assemble(err, tx_program_arch(w->given), txl_expansion_text(made), &w->straight);
    o->result.expanded = result == TXL_CONTINUE;
    txl_expansion_close(made);
    return result;
}

static int schedule(struct txl_error *err, txl_opt *o, struct opt_work *w)
{
    const struct txl_schedule_options how = {.size = sizeof how,
                                             .name = w->how.name,
                                             .dst = w->how.dst,
                                             .out = w->how.out,
                                             .seconds = w->how.seconds,
                                             .nodes = w->how.nodes,
                                             .domain = w->how.domain,
                                             .sample = w->how.sample,
                                             .progress = w->how.progress,
                                             .user = w->how.user};
    struct txl_error why = {.status = TXL_OK};
    const struct tx_program *from = w->straight != NULL ? w->straight : w->given;
    const int result = txl_schedule_find(&why, from, &how, &w->schedule);
    return result == TXL_OK ? TXL_CONTINUE : keep(err, o, w, result, &why);
}

/*
 * Proves the schedule against the kernel as it was given: schedule has proved it against the
 * straight line only.
 */
static int prove(struct txl_error *err, txl_opt *o, struct opt_work *w, uint64_t cycles)
{
    const char *text = txl_schedule_text(w->schedule);
    struct sched_why why = {.text = ""};
    struct sched_proof proof = {.straight = w->given,
                                .name = w->how.name,
                                .domain = w->how.domain,
                                .kernel = kernel_options(w),
                                .sample = w->how.sample,
                                .cycles = cycles,
                                .progress = w->how.progress,
                                .user = w->how.user};
    const int result = sched_prove(err, &proof, text, strlen(text), &why);
    o->result.compared = proof.compared;
    if (result == TXL_NEGATIVE && why.text[0] != '\0') {
        snprintf(o->kept, sizeof o->kept, "%s", why.text);
        o->result.kept = o->kept;
        return TXL_CONTINUE;
    }
    return result == TXL_OK ? TXL_CONTINUE : result;
}

/* Takes the schedule where it is shorter, and equal. */
static int choose(struct txl_error *err, txl_opt *o, struct opt_work *w)
{
    struct txl_schedule_result r = {.size = sizeof r};
    txl_schedule_result(w->schedule, &r);
    o->result.bound = r.bound;
    if (r.cycles >= o->result.before) {
        snprintf(o->kept, sizeof o->kept,
                 "what is found, a row every %u cycles%s, is not shorter: %llu cycles a tile", r.ii,
                 r.optimal ? " (optimal)" : "", (unsigned long long)r.cycles);
        o->result.kept = o->kept;
        return TXL_CONTINUE;
    }
    o->result.compared = r.compared;
    const int result = w->straight != NULL ? prove(err, o, w, r.cycles) : TXL_CONTINUE;
    if (result == TXL_CONTINUE && o->result.kept == NULL) {
        o->result.after = r.cycles;
        o->result.ii = r.ii;
        o->result.through_dst = r.through_dst;
        o->result.optimal = r.optimal;
    }
    return result;
}

/* The kernel as it was given, as text. */
static int write_given(struct txl_error *err, const struct tx_program *p, char **text)
{
    struct memory_text made;
    const int result = memory_text_open(err, &made);
    if (result != TXL_CONTINUE) {
        return result;
    }
    fputs("# Written by tensix opt, which has found nothing shorter.\n", made.stream);
    kernel_write_head(made.stream, p);
    fputs(".init\n", made.stream);
    kernel_write_section(made.stream, p, TX_SECTION_INIT);
    fputs(".tile\n", made.stream);
    kernel_write_section(made.stream, p, TX_SECTION_TILE);
    return memory_text_give(err, &made, TXL_OK, text) == TXL_OK ? TXL_CONTINUE : TXL_INPUT;
}

/*
 * Where SFPLOADMACRO makes nothing shorter: the instructions as they are in another order. The
 * reason why the kernel would stay remains where that is no shorter, either.
 */
static int reorder(struct txl_error *err, txl_opt *o, struct opt_work *w)
{
    const struct tx_program *from = w->straight != NULL ? w->straight : w->given;
    const struct tx_kernel_options options = kernel_options(w);
    struct sched_reordered made = {.blocks = 0};
    struct sched_why why = {.text = ""};
    struct sched_proof proof = {.straight = w->given,
                                .name = w->how.name,
                                .domain = w->how.domain,
                                .kernel = options,
                                .sample = w->how.sample,
                                .progress = w->how.progress,
                                .user = w->how.user};
    struct memory_text text;
    int result = memory_text_open(err, &text);
    if (result != TXL_CONTINUE) {
        return result;
    }
    const bool good = sched_reorder(text.stream, from, &options, &made, &why);
    result = memory_text_give(err, &text, TXL_OK, &w->reordered);
    if (result != TXL_OK || why.memory) {
        return result != TXL_OK ? result : no_memory(err);
    }
    proof.cycles = made.cycles;
    proof.around = made.around;
    if (!good || made.cycles >= o->result.before) {
        return TXL_CONTINUE;
    }
    result = sched_prove(err, &proof, w->reordered, strlen(w->reordered), &why);
    if (result == TXL_OK && proof.cycles < o->result.before) {
        o->result.kept = NULL;
        o->result.reordered = true;
        o->result.after = proof.cycles;
        o->result.compared = proof.compared;
    }
    return result == TXL_OK || (result == TXL_NEGATIVE && why.text[0] != '\0') ? TXL_CONTINUE
                                                                               : result;
}

static int deliver(struct txl_error *err, txl_opt *o, const struct opt_work *w)
{
    int result = TXL_CONTINUE;
    if (o->result.kept != NULL) {
        o->result.after = o->result.before;
        result = write_given(err, w->given, &o->text);
    } else {
        o->text = strdup(o->result.reordered ? w->reordered : txl_schedule_text(w->schedule));
        result = o->text != NULL ? TXL_CONTINUE : no_memory(err);
    }
    return result == TXL_CONTINUE ? assemble(err, tx_program_arch(w->given), o->text, &o->program)
                                  : result;
}

static int find_schedule(struct txl_error *err, txl_opt *o, struct opt_work *w)
{
    int result = schedule(err, o, w);
    if (result == TXL_CONTINUE && o->result.kept == NULL) {
        result = choose(err, o, w);
    }
    return result;
}

/*
 * Schedules the rows with selections in place of conditions, where there are any. Where that gives
 * nothing that is shorter and equal, all is as before.
 */
static int try_selections(struct txl_error *err, txl_opt *o, struct opt_work *w)
{
    struct tx_program *straight = w->straight;
    struct tx_program *selected = NULL;
    const struct txl_opt_result before = o->result;
    char *text = NULL;
    unsigned selections = 0;
    int result = opt_select(err, straight != NULL ? straight : w->given, &text, &selections);
    if (result != TXL_CONTINUE || text == NULL) {
        return result;
    }
    result = assemble(err, tx_program_arch(w->given), text, &selected);
    free(text);
    if (result != TXL_CONTINUE) {
        return result;
    }
    w->straight = selected;
    result = find_schedule(err, o, w);
    w->straight = straight;
    tx_program_free(selected);
    if (result == TXL_CONTINUE && o->result.kept == NULL) {
        o->result.selected = true;
        return TXL_CONTINUE;
    }
    txl_schedule_close(w->schedule);
    w->schedule = NULL;
    o->result = before;
    return result;
}

static int find(struct txl_error *err, txl_opt *o, struct opt_work *w)
{
    int result = measure(err, w, &o->result.before);
    if (result == TXL_CONTINUE) {
        result = straighten(err, o, w);
    }
    if (result == TXL_CONTINUE && o->result.kept == NULL) {
        result = try_selections(err, o, w);
    }
    if (result == TXL_CONTINUE && o->result.kept == NULL && !o->result.selected) {
        result = find_schedule(err, o, w);
    }
    if (result == TXL_CONTINUE && o->result.kept != NULL) {
        result = reorder(err, o, w);
    }
    return result == TXL_CONTINUE ? deliver(err, o, w) : result;
}

int txl_opt_find(struct txl_error *err, const struct tx_program *program,
                 const struct txl_opt_options *options, txl_opt **out)
{
    struct opt_work w = {.given = program};
    *out = NULL;
    int result = options_take(err, &w.how, sizeof w.how, options);
    if (result != TXL_CONTINUE) {
        return result;
    }
    w.how.name = w.how.name != NULL ? w.how.name : "kernel";
    txl_opt *o = zeroed(err, 1, sizeof *o);
    if (o == NULL) {
        return TXL_INPUT;
    }
    o->name = strdup(w.how.name);
    result = o->name != NULL ? find(err, o, &w) : no_memory(err);
    txl_schedule_close(w.schedule);
    tx_program_free(w.straight);
    free(w.reordered);
    if (result != TXL_CONTINUE) {
        txl_opt_close(o);
        return result;
    }
    *out = o;
    return TXL_OK;
}

void txl_opt_close(txl_opt *o)
{
    if (o != NULL) {
        tx_program_free(o->program);
        free(o->text);
        free(o->name);
        free(o);
    }
}

void txl_opt_result(const txl_opt *o, struct txl_opt_result *result)
{
    options_give(result, &o->result, sizeof o->result);
}

const char *txl_opt_text(const txl_opt *o)
{
    return o->text;
}
