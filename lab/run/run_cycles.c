/* SPDX-License-Identifier: Apache-2.0 */
/* tensix run --cycles: where the cycles of a tile go, and what that makes per second. */
#include "run/run.h"

#include <string.h>

#include "base/json.h"
#include "flow/lint_flow.h"

enum { CAUSES = 8, TILE_ROWS = 32, FACES = 4 };

struct cycle_report {
    struct tx_counters init, tile;
    uint64_t vector, nops, other; /* issued: vector instructions without SFPNOP; SFPNOP; the rest */
    uint64_t scheduled;           /* executed on behalf of SFPLOADMACRO */
    char stuck[900];              /* why it did not go on */
    uint64_t unit[TX_UNIT_COUNT]; /* instructions a sub-unit executed */
    uint64_t waiting_nops;        /* SFPNOPs within the schedule of an SFPLOADMACRO */
    struct {
        const char *text;
        uint64_t count;
    } cause[CAUSES];
    uint64_t since_launch;
    bool on;
};

static void count_stall(struct cycle_report *r, const char *text)
{
    for (unsigned i = 0; i < CAUSES; i++) {
        if (r->cause[i].text == NULL || strcmp(r->cause[i].text, text) == 0) {
            r->cause[i].text = text;
            r->cause[i].count++;
            return;
        }
    }
}

static void on_event(void *user, const struct tx_event *event)
{
    struct cycle_report *r = user;
    if (!r->on || event->row == NULL) {
        if (r->on && event->kind == TX_EVENT_STALL) {
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
        r->unit[event->unit]++;
        break;
    case TX_EVENT_ISSUE:
        if (event->row->insn == TX_INSN_SFPNOP) {
            r->nops++;
            r->waiting_nops += r->since_launch < 12 ? 1 : 0;
        } else if (vector) {
            r->vector++;
            r->unit[event->unit]++;
        } else {
            r->other++;
        }
        r->since_launch = event->row->insn == TX_INSN_SFPLOADMACRO ? 0 : r->since_launch + 1;
        break;
    default:
        break;
    }
}

static enum tx_status measure(struct run_job *job, struct cycle_report *r)
{
    static uint32_t data[RUN_INPUTS][TX_TILE_ELEMENTS];
    static uint32_t out[TX_TILE_ELEMENTS];
    const uint32_t *inputs[RUN_INPUTS];
    struct tx_settings settings = job->settings;
    tx_kernel *kernel = NULL;
    uint64_t random = 1;
    settings.sink = (struct tx_sink){on_event, r};
    r->since_launch = UINT32_MAX;
    for (unsigned i = 0; i < RUN_INPUTS; i++) {
        flow_data(job->dst, &random, data[i]);
        inputs[i] = data[i];
    }
    enum tx_status status = tx_kernel_open(&settings, job->program, &job->options, &kernel);
    if (status != TX_OK) {
        return status;
    }
    (void)run_apply_sets(job->err, tx_kernel_machine(kernel), job->options.thread, job->sets,
                         job->set_count);
    status = tx_kernel_start(kernel);
    r->init = tx_machine_counters(tx_kernel_machine(kernel));
    r->on = true;
    if (status == TX_OK) {
        status = tx_kernel_tile(kernel, 0, inputs, out);
    }
    r->tile = tx_machine_counters(tx_kernel_machine(kernel));
    (void)txl_stuck_text(tx_kernel_machine(kernel), status, r->stuck, sizeof r->stuck);
    r->tile.cycles -= r->init.cycles;
    r->tile.issue_cycles -= r->init.issue_cycles;
    r->tile.stall_cycles -= r->init.stall_cycles;
    tx_kernel_close(kernel);
    return status;
}

/* What the tile waits for most. */
static const char *bound(const struct cycle_report *r)
{
    uint64_t idle = r->nops + r->tile.stall_cycles;
    if (10 * idle <= r->tile.cycles) {
        return "issue-bound";
    }
    if (r->waiting_nops > r->tile.stall_cycles && 2 * r->waiting_nops > r->nops) {
        return "macro-bound";
    }
    return r->nops > r->tile.stall_cycles ? "stall-bound (by SFPNOPs)" : "stall-bound";
}

static double clock_hz(const struct run_job *job)
{
    return job->settings.arch == TX_BLACKHOLE ? 1.35e9 : 1.0e9;
}

static void print_report(const struct run_job *job, const struct cycle_report *r)
{
    double tile = (double)r->tile.cycles;
    double rows = tile > 0 ? clock_hz(job) / tile * TILE_ROWS : 0;
    printf("cycles, tile    %llu, a face %.6g, a row of 32 datums %.6g; .init %llu\n",
           (unsigned long long)r->tile.cycles, tile / FACES, tile / TILE_ROWS,
           (unsigned long long)r->init.cycles);
    printf("bound           %s: %llu vector instructions, %llu SFPNOP, %llu others, %llu stalls, "
           "%llu scheduled by SFPLOADMACRO, %llu cycles to drain\n",
           bound(r), (unsigned long long)r->vector, (unsigned long long)r->nops,
           (unsigned long long)r->other, (unsigned long long)r->tile.stall_cycles,
           (unsigned long long)r->scheduled,
           (unsigned long long)(r->tile.cycles - r->tile.issue_cycles));
    for (unsigned i = 0; i < CAUSES && r->cause[i].text != NULL; i++) {
        printf("waits on        %s: %llu\n", r->cause[i].text,
               (unsigned long long)r->cause[i].count);
    }
    if (r->waiting_nops != 0) {
        printf("waits on        scheduled instructions, by SFPNOP: %llu\n",
               (unsigned long long)r->waiting_nops);
    }
    printf("sub-units       ");
    for (unsigned u = TX_UNIT_LOAD; u <= TX_UNIT_STORE; u++) {
        printf("%s%s %.3g%%", u == TX_UNIT_LOAD ? "" : ", ", txl_unit_name(u),
               tile > 0 ? 100.0 * (double)r->unit[u] / tile : 0.0);
    }
    printf("\nper second      %.6g rows, %.6g elements at %.2f GHz, .init not counted\n", rows,
           rows * 32, clock_hz(job) / 1e9);
}

static json_t *report_json(const struct run_job *job, const struct cycle_report *r)
{
    double tile = (double)r->tile.cycles;
    json_t *root = json_object();
    jx_set_int(root, "init_cycles", r->init.cycles);
    jx_set_int(root, "tile_cycles", r->tile.cycles);
    jx_set_real(root, "face_cycles", tile / FACES);
    jx_set_real(root, "row_cycles", tile / TILE_ROWS);
    jx_set_text(root, "bound", bound(r));
    jx_set_int(root, "vector", r->vector);
    jx_set_int(root, "sfpnop", r->nops);
    jx_set_int(root, "sfpnop_in_schedule", r->waiting_nops);
    jx_set_int(root, "other", r->other);
    jx_set_int(root, "stalls", r->tile.stall_cycles);
    jx_set_int(root, "scheduled", r->scheduled);
    jx_set_int(root, "drain", r->tile.cycles - r->tile.issue_cycles);
    json_t *causes = json_object();
    for (unsigned i = 0; i < CAUSES && r->cause[i].text != NULL; i++) {
        jx_set_int(causes, r->cause[i].text, r->cause[i].count);
    }
    json_object_set_new(root, "stall_causes", causes);
    json_t *units = json_object();
    for (unsigned u = TX_UNIT_LOAD; u <= TX_UNIT_STORE; u++) {
        jx_set_int(units, txl_unit_name(u), r->unit[u]);
    }
    json_object_set_new(root, "sub_units", units);
    jx_set_real(root, "clock_hz", clock_hz(job));
    jx_set_real(root, "rows_per_second", tile > 0 ? clock_hz(job) / tile * TILE_ROWS : 0);
    jx_set_real(root, "elements_per_second",
                tile > 0 ? clock_hz(job) / tile * TX_TILE_ELEMENTS : 0);
    return root;
}

int run_cycles(struct run_job *job, json_t **json)
{
    struct cycle_report report = {.vector = 0};
    enum tx_status status = measure(job, &report);
    if (status != TX_OK) {
        return txl_refuse(
            job->err, status == TX_FAULT || status == TX_EDEADLOCK ? TXL_NEGATIVE : TXL_INPUT,
            "%s: %s", job->kernel, report.stuck[0] != '\0' ? report.stuck : tx_status_text(status));
    }
    if (json != NULL) {
        *json = report_json(job, &report);
    } else {
        print_report(job, &report);
    }
    return TXL_OK;
}
