/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the result of a run as JSON. */
#include "run/run.h"

#include <stdlib.h>

#include "base/json.h"

static txl_json *array_json(const struct txl_run_array *array)
{
    txl_json *object = txl_json_object();
    txl_json_set_text(object, "file", array->name);
    txl_json_set_text(object, "dtype", array->dtype);
    if (array->format != NULL) {
        txl_json_set_text(object, "format", array->format);
    }
    txl_json *shape = txl_json_array();
    for (unsigned i = 0; i < array->dimensions; i++) {
        txl_json_append(shape, txl_json_int((int64_t)array->shape[i]));
    }
    txl_json_set(object, "shape", shape);
    return object;
}

static txl_json *number_json(enum tx_dst_format format, uint32_t word)
{
    txl_json *object = txl_json_object();
    char text[48];
    txl_json_set_text(object, "text", txl_number_text(format, word, text, sizeof text));
    txl_json_set_word(object, "hex", word);
    return object;
}

static txl_json *accuracy_json(const struct txl_accuracy *a, const struct txl_run_result *r)
{
    txl_json *object = txl_json_object();
    JSON_MEMBERS(object, a, compared, exact, mismatched);
    txl_json_set_real(object, "max_ulp", a->max);
    txl_json_set_real(object, "mean_ulp", a->mean);
    txl_json *worst = txl_json_array();
    for (unsigned i = 0; i < a->worst_count; i++) {
        txl_json *one = txl_json_object();
        txl_json *inputs = txl_json_array();
        txl_json_set_int(one, "element", a->worst[i].element);
        for (unsigned k = 0; k < a->inputs; k++) {
            txl_json_append(inputs, number_json(r->dst, a->worst[i].inputs[k]));
        }
        txl_json_set(one, "inputs", inputs);
        txl_json_set(one, "expected", number_json(r->out_dst, a->worst[i].expected));
        txl_json_set(one, "got", number_json(r->out_dst, a->worst[i].got));
        txl_json_set_real(one, "ulp", a->worst[i].ulp);
        txl_json_append(worst, one);
    }
    txl_json_set(object, "worst", worst);
    txl_json_set_text(object, "reference", a->reference);
    return object;
}

static void put_arrays(txl_json *root, const txl_run *run)
{
    const struct run_job *job = &run->job;
    const struct txl_run_result *r = &run->result;
    txl_json_set_text(root, "dst", tx_dst_format_name(job->dst));
    txl_json_set_text(root, "dst_encoding", tx_dst_encoding_name(job->dst));
    txl_json_set_text(root, "out_dst", tx_dst_format_name(job->out_dst));
    txl_json_set_text(root, "out_dst_encoding", tx_dst_encoding_name(job->out_dst));
    txl_json_set_text(root, "engine", r->fast ? "fast" : "reference");
    txl_json_set_text(root, "layout", r->blocks ? "tiles" : "flat");
    txl_json *inputs = txl_json_array();
    for (size_t i = 0; i < r->inputs; i++) {
        txl_json_append(inputs, array_json(&run->arrays[i]));
    }
    txl_json_set(root, "inputs", inputs);
    if (txl_run_output(run) != NULL) {
        txl_json_set(root, "output", array_json(txl_run_output(run)));
    }
    txl_json_set_int(root, "rounded_float64", r->rounded);
    txl_json_set_int(root, "overflowed_float64", r->overflowed);
    txl_json_set_int(root, "vanished_float64", r->vanished);
    JSON_MEMBERS(root, r, rounded_to_dst, elements);
    txl_json_set_int(root, "tiles", r->tile_count);
}

/* Adds what only runs over arrays have. */
static void put_tiles(txl_json *root, const txl_run *run)
{
    if (run->has_accuracy) {
        txl_json_set(root, "accuracy", accuracy_json(&run->accuracy, &run->result));
    }
    if (run->has_cycles) {
        txl_json_set(root, "cycle_report", run_cycles_json(&run->cycles));
    }
    txl_json_set_real(root, "seconds", run->result.seconds);
}

char *txl_run_json(const txl_run *run)
{
    const struct txl_run_result *r = &run->result;
    const struct tx_program *program = run->job.program;
    txl_json *root = txl_json_object();
    txl_json_set_text(root, "kernel", run->job.kernel);
    txl_json_set_text(root, "title", tx_program_title(program));
    txl_json_set_text(root, "arch", tx_arch_name(run->job.settings.arch));
    txl_json_set_text(root, "start", txl_start_name(program));
    if (run->from_l1) {
        txl_json_set_text(root, "engine", "reference");
        txl_json_set(root, "l1", l1_json(&run->l1));
    } else {
        put_arrays(root, run);
    }
    txl_json_set(root, "init", run_counters_json(r->init));
    txl_json_set(root, "tile_total", run_counters_json(r->tiles));
    bound_json(root, r->bounds);
    if (!run->from_l1 && r->tile_count != 0) {
        const double per = (double)r->tiles->cycles / (double)r->tile_count;
        txl_json_set_real(root, "cycles_per_tile", per);
        txl_json_set_real(root, "cycles_per_row", per / 32.0);
    }
    txl_json_set(root, "findings", run_findings_json(&run->shown));
    txl_json_set_int(root, "findings_dropped", r->findings_dropped);
    txl_json_set(root, "notes", run_notes_json(&run->shown));
    if (!run->from_l1) {
        put_tiles(root, run);
    }
    return json_text(root);
}
