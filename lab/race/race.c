/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The public functions of the room: runs a program once with race_order listening to its accesses.
 */
#include <stdlib.h>
#include <string.h>

#include "race/race.h"

#include "base/options.h"
#include "run/run.h"

/* ---- options ---- */

static int open_l1(struct txl_race *r)
{
    int result = 0;
    r->l1.err = r->err;
    r->l1.arch = r->arch;
    r->l1.scratch = r->how.scratch;
    for (unsigned i = 0; i < r->how.l1_in_count && result == 0; i++) {
        result = l1_option(&r->l1, r->how.l1_in[i], false);
    }
    return result == 0 && l1_wanted(&r->l1) ? l1_settle(&r->l1)
           : result == 0                    ? TXL_CONTINUE
                                            : result;
}

static int race_settle(struct txl_race *r, const struct txl_race_options *given)
{
    struct txl_race_options *o = &r->how;
    int result = options_take(r->err, o, sizeof *o, given);
    if (result == TXL_CONTINUE) {
        result = options_reserved(r->err, o->reserved, sizeof o->reserved);
    }
    if (result != TXL_CONTINUE) {
        return result;
    }
    r->name = o->name != NULL ? o->name : "kernel";
    const struct run_machine machine = {o->settings, o->kernel, o->kernel_size};
    result = run_take_machine(r->err, &machine, r->arch, &r->settings, &r->options);
    r->idioms = zeroed(r->err, race_idiom_count(), sizeof *r->idioms);
    if (r->idioms == NULL) {
        return TXL_INPUT;
    }
    for (size_t i = 0; i < race_idiom_count(); i++) {
        r->idioms[i] = *txl_race_idiom_known(i);
    }
    if (r->tile != NULL) {
        return result == TXL_CONTINUE ? race_shadow_open(r) : result;
    }
    result = result == TXL_CONTINUE ? race_places_open(r) : result;
    result = result == TXL_CONTINUE ? race_shadow_open(r) : result;
    return result == TXL_CONTINUE ? open_l1(r) : result;
}

int race_settle_tile(struct txl_race *r, const struct txl_race_options *options)
{
    return race_settle(r, options);
}

int txl_race_open(struct txl_error *err, const struct tx_program *program,
                  const struct txl_race_options *options, txl_race **race)
{
    struct txl_race *r = zeroed(err, 1, sizeof *r);
    *race = NULL;
    if (r == NULL) {
        return TXL_INPUT;
    }
    r->err = err;
    r->program = program;
    r->arch = tx_program_arch(program);
    const int result = race_settle(r, options);
    if (result != TXL_CONTINUE) {
        txl_race_close(r);
        return result;
    }
    *race = r;
    return TXL_OK;
}

void txl_race_close(txl_race *r)
{
    if (r == NULL) {
        return;
    }
    race_places_close(r);
    race_shadow_close(r);
    race_tile_close(r);
    l1_free(&r->l1);
    free(r->idioms);
    free(r->pairs);
    free(r);
}

/* ---- the run ---- */

/* Fills L1 with a fixed pseudo-random series, so that everything the program reads is defined. */
static int fill_l1(struct txl_race *r, tx_machine *machine)
{
    enum { PIECE = 4096 };
    const uint32_t size = tx_l1_size(r->arch);
    uint64_t random = UINT64_C(0x9E3779B97F4A7C15);
    enum tx_status status = tx_l1_allocate(machine);
    for (uint32_t at = 0; at < size && status == TX_OK; at += PIECE) {
        uint8_t bytes[PIECE];
        const uint32_t count = size - at < PIECE ? size - at : PIECE;
        for (uint32_t i = 0; i < PIECE; i += 8) {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            for (unsigned k = 0; k < 8; k++) {
                bytes[i + k] = (uint8_t)(random >> 8 * k);
            }
        }
        status = tx_l1_write(machine, at, bytes, count);
    }
    return status == TX_OK ? TXL_CONTINUE : no_memory(r->err);
}

int race_prepare(struct txl_race *r, tx_machine *machine)
{
    const int result =
        run_apply_sets(r->err, machine, r->options.thread, r->how.sets, r->how.set_count);
    if (result != TXL_CONTINUE) {
        return result;
    }
    return l1_wanted(&r->l1) ? l1_place(&r->l1, machine) : fill_l1(r, machine);
}

static int stopped(struct txl_race *r, const tx_machine *machine, enum tx_status status)
{
    char message[RUN_STOPPED];
    run_stopped_text(machine, status, message);
    return txl_refuse(r->err, TXL_NEGATIVE, "%s: %s", r->name, message);
}

static int race_run(struct txl_race *r, tx_kernel *kernel)
{
    tx_machine *machine = tx_kernel_machine(kernel);
    const int result = race_prepare(r, machine);
    if (result != TXL_CONTINUE) {
        return result;
    }
    const struct tx_order_sink sink = {race_order, r};
    r->machine = machine;
    tx_order_listen(machine, &sink);
    race_section(r, TX_SECTION_INIT);
    enum tx_status status = tx_kernel_start(kernel);
    race_drained(r);
    race_section(r, TX_SECTION_TILE);
    if (status == TX_OK) {
        status = tx_kernel_tile_begin(kernel, 0);
    }
    if (status == TX_OK) {
        status = tx_kernel_tile_run(kernel, NULL);
    }
    return status == TX_OK ? TXL_CONTINUE : stopped(r, machine, status);
}

int race_finish(struct txl_race *r)
{
    r->result.open = 0;
    for (size_t i = 0; i < r->pair_count; i++) {
        struct race_pair *p = &r->pairs[i];
        r->result.open += p->found.open ? 1 : 0;
        p->found.what = p->what;
        p->found.why = p->why;
        p->found.remedy = p->remedy;
        for (unsigned k = 0; k < 2; k++) {
            p->found.place[k].source = p->source[k];
            p->found.place[k].text = p->text[k];
        }
    }
    r->result.found = r->pair_count;
    r->result.idioms = 0;
    for (size_t i = 0; i < race_idiom_count(); i++) {
        r->result.idioms += r->idioms[i].count != 0 ? 1 : 0;
    }
    if (r->failed) {
        return no_memory(r->err);
    }
    return r->pair_count > (r->how.hold_open ? r->result.open : 0) ? TXL_NEGATIVE : TXL_OK;
}

int txl_race_run(struct txl_error *err, txl_race *r)
{
    tx_kernel *kernel = NULL;
    r->err = r->l1.err = err;
    const enum tx_status status = tx_kernel_open(&r->settings, r->program, &r->options, &kernel);
    if (status != TX_OK) {
        return txl_fail(err, "%s: %s", r->name, tx_status_text(status));
    }
    const int result = race_run(r, kernel);
    tx_kernel_close(kernel);
    const int found = race_finish(r);
    return result != TXL_CONTINUE ? result : found;
}

/* ---- results ---- */

const struct txl_race_result *txl_race_result(const txl_race *race)
{
    return &race->result;
}

const struct txl_race_found *txl_race_found_at(const txl_race *race, size_t index)
{
    return index < race->pair_count ? &race->pairs[index].found : NULL;
}
