/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program once from L1 to L1. */
#include "run/run.h"

static int stopped(struct run_job *job, const tx_machine *machine, bool init, enum tx_status status)
{
    run_stopped_text(machine, status, job->message);
    job->failure = RUN_FAULT;
    job->failed_init = init;
    return run_failed(job);
}

/* Runs .init and .tile of the program, one after the other, on one machine. */
static int go(struct run_job *job, const struct l1_job *l1, tx_kernel *kernel)
{
    struct run_totals *t = &job->totals;
    tx_machine *m = tx_kernel_machine(kernel);
    enum tx_status status = tx_kernel_start(kernel);
    if (status != TX_OK) {
        return stopped(job, m, true, status);
    }
    t->init = tx_machine_counters(m);
    run_collect(&t->findings, m, true, NULL);
    tx_findings_clear(m);
    status = tx_kernel_tile_begin(kernel, 0);
    if (status == TX_OK) {
        status = tx_kernel_tile_run(kernel, NULL);
    }
    status = status == TX_OK ? l1_check_files(l1, m) : status;
    if (status != TX_OK) {
        return stopped(job, m, false, status);
    }
    run_take(t, m);
    return TXL_CONTINUE;
}

int run_from_l1(struct run_job *job, struct l1_job *l1)
{
    tx_kernel *kernel = NULL;
    const enum tx_status status =
        tx_kernel_open(&job->settings, job->program, &job->options, &kernel);
    if (status != TX_OK) {
        return txl_fail(job->err, "%s: %s", job->kernel, tx_status_text(status));
    }
    tx_machine *machine = tx_kernel_machine(kernel);
    int result = run_apply_sets(job->err, machine, job->options.thread, job->sets, job->set_count);
    if (result == TXL_CONTINUE) {
        result = l1_place(l1, machine);
    }
    if (result == TXL_CONTINUE) {
        result = go(job, l1, kernel);
    }
    if (result == TXL_CONTINUE) {
        result = l1_take(l1, machine);
    }
    tx_kernel_close(kernel);
    return result;
}
