/* SPDX-License-Identifier: Apache-2.0 */
/* Reports where the cycles of a tile go, and the rates per second that follow. */
#include <tensix/facts.h>

#include "run/run.h"

#include <stdlib.h>
#include <string.h>

#include <tensix-lab/isa.h>

#include "base/json.h"
#include "base/memory.h"
#include "flow/feed.h"

enum { TILE_ROWS = 32, FACES = 4 };

struct measure {
    struct txl_cycles *cycles;
    uint64_t *units;
    uint64_t since_launch;
    bool on;
};

static void count_stall(struct txl_cycles *r, const char *text)
{
    for (unsigned i = 0; i < TXL_CYCLE_CAUSES; i++) {
        if (r->cause[i].text == NULL || strcmp(r->cause[i].text, text) == 0) {
            r->cause[i].text = text;
            r->cause[i].count++;
            r->causes = r->causes > i ? r->causes : i + 1;
            return;
        }
    }
}

static void on_event(void *user, const struct tx_event *event)
{
    struct measure *m = user;
    struct txl_cycles *r = m->cycles;
    if (!m->on || event->row == NULL) {
        if (m->on && event->kind == TX_EVENT_STALL) {
            count_stall(r, event->text);
        }
        return;
    }
    bool vector = event->unit >= TX_UNIT_LOAD && event->unit <= TX_UNIT_STORE;
    switch (event->kind) {
    case TX_EVENT_STALL:
        count_stall(r, event->text);
        break;
    case TX_EVENT_EXECUTE:
        r->scheduled++;
        m->units[event->unit]++;
        break;
    case TX_EVENT_ISSUE:
        if (event->row->insn == TX_INSN_SFPNOP) {
            r->nops++;
            r->waiting_nops += m->since_launch < 12 ? 1 : 0;
        } else if (vector) {
            r->vector++;
            m->units[event->unit]++;
        } else {
            r->others++;
        }
        m->since_launch = event->row->insn == TX_INSN_SFPLOADMACRO ? 0 : m->since_launch + 1;
        break;
    default:
        break;
    }
}

/* Runs the tile. data has room for RUN_INPUTS input tiles and the result. */
static enum tx_status go(struct run_job *job, struct l1_job *l1, struct run_once *once,
                         uint32_t (*data)[TX_TILE_ELEMENTS])
{
    const uint32_t *inputs[RUN_INPUTS];
    struct tx_settings settings = job->settings;
    tx_kernel *kernel = NULL;
    uint64_t random = 1;
    tx_machine *machine;
    settings.sink = once->sink;
    for (unsigned i = 0; once->pace != NULL && i < TX_PACED_COUNT; i++) {
        settings.pace[i] = once->pace[i] != TX_PACE_REAL ? once->pace[i] : settings.pace[i];
    }
    for (unsigned i = 0; i < RUN_INPUTS; i++) {
        feed_data(job->dst, &random, data[i]);
        inputs[i] = data[i];
    }
    enum tx_status status = tx_kernel_open(&settings, job->program, &job->options, &kernel);
    if (status != TX_OK) {
        return status;
    }
    machine = tx_kernel_machine(kernel);
    (void)run_apply_sets(job->err, machine, job->options.thread, job->sets, job->set_count);
    if (l1 != NULL && l1_place(l1, machine) != TXL_CONTINUE) {
        tx_kernel_close(kernel);
        return TX_EINVAL;
    }
    status = tx_kernel_start(kernel);
    once->init = tx_machine_counters(machine);
    once->begin(once->sink.user, machine);
    if (status == TX_OK && l1 == NULL) {
        status = tx_kernel_tile(kernel, 0, inputs, data[RUN_INPUTS]);
    } else if (status == TX_OK) {
        status = tx_kernel_tile_begin(kernel, 0);
        status = status == TX_OK ? tx_kernel_tile_run(kernel, NULL) : status;
    }
    once->all = tx_machine_counters(machine);
    if (tx_fault(machine) != NULL) {
        run_stopped_text(machine, status, once->stuck);
    } else {
        (void)txl_stuck_text(machine, status, once->stuck, sizeof once->stuck);
    }
    once->bounds = tx_bounds(machine);
    if (once->end != NULL) {
        once->end(once->sink.user, machine);
    }
    tx_kernel_close(kernel);
    return status;
}

int run_once(struct txl_error *err, txl_run *run, struct run_once *once)
{
    uint32_t(*data)[TX_TILE_ELEMENTS] = zeroed(err, RUN_INPUTS + 1, sizeof *data);
    if (data == NULL) {
        return TXL_INPUT;
    }
    run->job.err = run->l1.err = err;
    const enum tx_status status = go(&run->job, run->from_l1 ? &run->l1 : NULL, once, data);
    free(data);
    if (err->status != TXL_OK) {
        return err->status;
    }
    if (status == TX_ENOMEM) {
        return no_memory(err);
    }
    if (status != TX_OK) {
        return txl_refuse(
            err, status == TX_FAULT || status == TX_EDEADLOCK ? TXL_NEGATIVE : TXL_INPUT, "%s: %s",
            run->job.kernel, once->stuck[0] != '\0' ? once->stuck : tx_status_text(status));
    }
    return TXL_CONTINUE;
}

static void run_cycles_begin(void *user, const tx_machine *machine)
{
    struct measure *m = user;
    (void)machine;
    m->on = true;
}

/* Names what limits the tile. */
static const char *bound(const struct txl_cycles *r)
{
    uint64_t idle = r->nops + r->stalls;
    if (10 * idle <= r->tile) {
        return "issue-bound";
    }
    if (r->waiting_nops > r->stalls && 2 * r->waiting_nops > r->nops) {
        return "macro-bound";
    }
    return r->nops > r->stalls ? "stall-bound (by SFPNOPs)" : "stall-bound";
}

txl_json *run_cycles_json(const struct txl_cycles *r)
{
    double tile = (double)r->tile;
    txl_json *root = txl_json_object();
    txl_json_set_int(root, "init_cycles", r->init);
    txl_json_set_int(root, "tile_cycles", r->tile);
    txl_json_set_real(root, "face_cycles", tile / FACES);
    txl_json_set_real(root, "row_cycles", tile / TILE_ROWS);
    txl_json_set_text(root, "bound", r->bound);
    bound_json(root, r->bounds);
    txl_json_set_int(root, "vector", r->vector);
    txl_json_set_int(root, "sfpnop", r->nops);
    txl_json_set_int(root, "sfpnop_in_schedule", r->waiting_nops);
    txl_json_set_int(root, "other", r->others);
    JSON_MEMBERS(root, r, stalls, scheduled, drain);
    txl_json *causes = txl_json_object();
    for (unsigned i = 0; i < r->causes; i++) {
        txl_json_set_int(causes, r->cause[i].text, r->cause[i].count);
    }
    txl_json_set(root, "stall_causes", causes);
    txl_json *units = txl_json_object();
    for (unsigned u = TX_UNIT_LOAD; u <= TX_UNIT_STORE; u++) {
        txl_json_set_int(units, txl_unit_name(u), r->unit[u]);
    }
    txl_json_set(root, "sub_units", units);
    txl_json_set_real(root, "clock_hz", r->clock_hz);
    txl_json_set_real(root, "rows_per_second", tile > 0 ? r->clock_hz / tile * TILE_ROWS : 0);
    txl_json_set_real(root, "elements_per_second",
                      tile > 0 ? r->clock_hz / tile * TX_TILE_ELEMENTS : 0);
    return root;
}

int txl_run_cycles(struct txl_error *err, txl_run *run, const struct txl_cycles **cycles)
{
    struct txl_cycles *r = &run->cycles;
    struct measure m = {.cycles = r, .units = run->units, .since_launch = UINT32_MAX};
    struct run_once once = {.sink = {on_event, &m}, .begin = run_cycles_begin};
    run->has_cycles = false;
    *r = (struct txl_cycles){.unit = run->units};
    memset(run->units, 0, sizeof run->units);
    const int result = run_once(err, run, &once);
    if (result != TXL_CONTINUE) {
        return result;
    }
    r->bounds = once.bounds;
    r->at_least = once.bounds != 0;
    r->init = once.init.cycles;
    r->tile = once.all.cycles - once.init.cycles;
    r->drain = r->tile - (once.all.issue_cycles - once.init.issue_cycles);
    r->stalls = once.all.stall_cycles - once.init.stall_cycles;
    r->bound = bound(r);
    r->clock_hz = 1e6 * tx_arch_fact(run->job.settings.arch, TX_FACT_CLOCK_MHZ);
    run->has_cycles = true;
    *cycles = r;
    return TXL_OK;
}

char *txl_run_cycles_json(const txl_run *run)
{
    txl_json *root = run->has_cycles ? run_cycles_json(&run->cycles) : NULL;
    return json_text(root);
}
