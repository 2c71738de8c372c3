/* SPDX-License-Identifier: Apache-2.0 */
/* tensix run --l1: a program that begins and ends in L1, once through. */
#include "cli.h"

#include "run/run.h"

#include "base/json.h"

static int stopped(struct run_job *job, const tx_machine *machine, bool init, enum tx_status status)
{
    run_stopped_text(machine, status, job->message);
    job->failure = RUN_FAULT;
    job->failed_init = init;
    return run_failed(job);
}

/* .init and .tile of the program, one after the other, on one machine. */
static int go(struct run_job *job, tx_kernel *kernel)
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
    if (status != TX_OK) {
        return stopped(job, m, false, status);
    }
    const struct tx_counters all = tx_machine_counters(m);
    t->tiles.cycles = all.cycles - t->init.cycles;
    t->tiles.issue_cycles = all.issue_cycles - t->init.issue_cycles;
    t->tiles.instructions = all.instructions - t->init.instructions;
    t->tiles.vector_instructions = all.vector_instructions - t->init.vector_instructions;
    t->tiles.stall_cycles = all.stall_cycles - t->init.stall_cycles;
    run_collect(&t->findings, m, false, NULL);
    for (size_t i = 0; i < RUN_NOTES && tx_evidence_at(i) != NULL; i++) {
        t->notes[i] = tx_note_count(m, i);
    }
    return TXL_CONTINUE;
}

static void print_json(const struct run_job *job, const struct l1_job *l1)
{
    const struct run_totals *t = &job->totals;
    json_t *root = json_object();
    jx_set_text(root, "kernel", job->kernel);
    jx_set_text(root, "title", tx_program_title(job->program));
    jx_set_text(root, "arch", tx_arch_name(job->settings.arch));
    jx_set_text(root, "start", txl_start_name(job->program));
    jx_set_text(root, "engine", "reference");
    json_object_set_new(root, "l1", l1_json(l1));
    json_object_set_new(root, "init", run_counters_json(&t->init));
    json_object_set_new(root, "tile_total", run_counters_json(&t->tiles));
    json_object_set_new(root, "findings", run_findings_json(&t->findings, job->program));
    jx_set_int(root, "findings_dropped", t->findings.dropped);
    json_object_set_new(root, "notes", run_notes_json(t->notes));
    jx_print(stdout, root);
    json_decref(root);
}

static void print(const struct run_job *job, const struct l1_job *l1)
{
    const struct run_totals *t = &job->totals;
    printf("kernel          %s%s%s%s on %s%s\n", txl_basename(job->kernel),
           tx_program_title(job->program)[0] != '\0' ? " (" : "", tx_program_title(job->program),
           tx_program_title(job->program)[0] != '\0' ? ")" : "", tx_arch_name(job->settings.arch),
           txl_start_text(job->program));
    l1_print(l1);
    run_print_count("instructions", t->tiles.instructions, t->init.instructions);
    run_print_count("cycles", t->tiles.cycles, t->init.cycles);
    run_print_count("issue cycles", t->tiles.issue_cycles, t->init.issue_cycles);
    run_print_count("stall cycles", t->tiles.stall_cycles, t->init.stall_cycles);
    run_print_findings(stdout, &t->findings, job->program);
    if (job->evidence) {
        run_print_notes(stdout, t->notes);
    }
}

int run_l1(struct run_job *job, struct l1_job *l1)
{
    tx_kernel *kernel = NULL;
    int result = l1_settle(l1);
    if (result != TXL_CONTINUE) {
        return result;
    }
    const enum tx_status status =
        tx_kernel_open(&job->settings, job->program, &job->options, &kernel);
    if (status != TX_OK) {
        return txl_fail(job->err, "%s: %s", job->kernel, tx_status_text(status));
    }
    tx_machine *machine = tx_kernel_machine(kernel);
    result = run_apply_sets(job->err, machine, job->options.thread, job->sets, job->set_count);
    if (result == TXL_CONTINUE) {
        result = l1_place(l1, machine);
    }
    if (result == TXL_CONTINUE) {
        result = go(job, kernel);
    }
    if (result == TXL_CONTINUE) {
        result = l1_take(l1, machine);
    }
    if (result == TXL_CONTINUE) {
        if (cli_of(job->err)->json) {
            print_json(job, l1);
        } else {
            print(job, l1);
        }
        result = TXL_OK;
    }
    tx_kernel_close(kernel);
    return result;
}
