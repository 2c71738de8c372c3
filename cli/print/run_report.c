/* SPDX-License-Identifier: Apache-2.0 */
#include "cli.h"

#include "run/run.h"

#include <string.h>

#include "base/json.h"

static void add_finding(struct run_findings *findings, const struct run_finding *one)
{
    const struct tx_finding *f = &one->finding;
    for (size_t i = 0; i < findings->count; i++) {
        struct run_finding *there = &findings->list[i];
        if (there->finding.category == f->category && there->finding.word == f->word &&
            there->init == one->init && there->finding.thread == f->thread &&
            strcmp(there->finding.rule != NULL ? there->finding.rule : "",
                   f->rule != NULL ? f->rule : "") == 0) {
            uint64_t count = there->finding.count + f->count;
            if (one->tile < there->tile) {
                *there = *one;
            }
            there->finding.count = count;
            return;
        }
    }
    if (findings->count == RUN_FINDINGS) {
        findings->dropped += f->count;
        return;
    }
    /* In the order of tiles, then of the run: the same for any number of threads. */
    size_t place = findings->count++;
    while (place > 0) {
        const struct run_finding *before = &findings->list[place - 1];
        bool later = before->init == one->init
                         ? before->tile > one->tile ||
                               (before->tile == one->tile && before->finding.index > f->index)
                         : one->init;
        if (!later) {
            break;
        }
        findings->list[place] = *before;
        place--;
    }
    findings->list[place] = *one;
}

void run_collect(struct run_findings *findings, const tx_machine *machine, bool init,
                 const uint64_t *first_tile)
{
    size_t count = tx_finding_count(machine);
    for (size_t i = 0; i < count; i++) {
        struct run_finding one = {.finding = *tx_finding_at(machine, i), .init = init};
        one.tile = first_tile != NULL && i < TX_MAX_FINDINGS ? first_tile[i] : 0;
        add_finding(findings, &one);
    }
    findings->dropped += tx_finding_dropped(machine);
}

void run_findings_merge(struct run_findings *into, const struct run_findings *from)
{
    for (size_t i = 0; i < from->count; i++) {
        add_finding(into, &from->list[i]);
    }
    into->dropped += from->dropped;
}

static void add_counters(struct tx_counters *into, const struct tx_counters *from)
{
    into->cycles += from->cycles;
    into->issue_cycles += from->issue_cycles;
    into->instructions += from->instructions;
    into->vector_instructions += from->vector_instructions;
    into->stall_cycles += from->stall_cycles;
}

void run_merge(struct run_totals *into, const struct run_totals *from)
{
    add_counters(&into->init, &from->init);
    add_counters(&into->tiles, &from->tiles);
    run_findings_merge(&into->findings, &from->findings);
    for (size_t i = 0; i < RUN_NOTES; i++) {
        into->notes[i] += from->notes[i];
    }
    ulp_merge(&into->stats, &from->stats);
    npy_narrowed_add(&into->narrowed, &from->narrowed);
    into->changed += from->changed;
}

void run_print_findings(FILE *stream, const struct run_findings *findings,
                        const struct tx_program *program)
{
    if (findings->count == 0) {
        fprintf(stream, "findings        none\n");
        return;
    }
    for (size_t i = 0; i < findings->count; i++) {
        const struct tx_finding *f = &findings->list[i].finding;
        char text[128];
        const bool one =
            tx_disassemble(f->arch, f->word, TX_DIS_NORMAL, text, sizeof text) == TX_OK;
        char source[256];
        const bool placed = txl_source_of(program, f->word, source) != NULL;
        fprintf(stream, "finding         %s [%s] x%llu: %s", tx_category_name(f->category),
                f->rule != NULL ? f->rule : "-", (unsigned long long)f->count, f->message);
        if (one || placed) { /* else no instruction is meant */
            fprintf(stream, " (%s%s%s)", text, placed ? "; " : "", placed ? source : "");
        }
        fputc('\n', stream);
    }
    if (findings->dropped != 0) {
        fprintf(stream, "finding         %llu more of other kinds\n",
                (unsigned long long)findings->dropped);
    }
}

void run_print_notes(FILE *stream, const uint64_t *notes)
{
    const struct tx_evidence *entry;
    for (size_t i = 0; i < RUN_NOTES && (entry = tx_evidence_at(i)) != NULL; i++) {
        if (notes[i] == 0) {
            continue;
        }
        fprintf(stream, "note            [%s] x%llu: %s (%s)", entry->id,
                (unsigned long long)notes[i], entry->text, entry->source);
        if (entry->rule != NULL) {
            fprintf(stream, "; other reading: --rule %s", entry->rule);
        }
        fputc('\n', stream);
    }
}

static void print_count(const char *name, uint64_t total, uint64_t init, uint64_t tiles)
{
    printf("%-15s %llu", name, (unsigned long long)(total + init));
    if (tiles > 0) {
        double per = (double)total / (double)tiles;
        printf(" (init %llu, a tile %.6g, a row of 32 %.6g)", (unsigned long long)init, per,
               per / 32.0);
    }
    putchar('\n');
}

void run_print_count(const char *name, uint64_t tile, uint64_t init)
{
    printf("%-15s %llu (init %llu)\n", name, (unsigned long long)(tile + init),
           (unsigned long long)init);
}

static const char *output_what(const struct run_job *job, char *text, size_t size)
{
    if (!job->output_packed) {
        return npy_dtype_name(job->output_dtype);
    }
    snprintf(text, size, "%s, packed from Dst %s with intermediate %s",
             tx_format_name(job->pack.out), tx_dst_format_name(job->out_dst),
             tx_format_name(job->pack.intermediate));
    return text;
}

void run_print(const struct run_job *job)
{
    char what[128];
    char dst[80];
    const struct run_totals *t = &job->totals;
    uint64_t tiles = job->tiling.tiles;
    printf("kernel          %s%s%s%s on %s, Dst %s%s\n", txl_basename(job->kernel),
           tx_program_title(job->program)[0] != '\0' ? " (" : "", tx_program_title(job->program),
           tx_program_title(job->program)[0] != '\0' ? ")" : "", tx_arch_name(job->settings.arch),
           txl_dst_text(job->dst, dst), txl_start_text(job->program));
    for (unsigned i = 0; i < job->input_count; i++) {
        char shape[256];
        const struct tensor *tensor = &job->inputs[i].tensor;
        printf("input           %s: %s %s%s\n", tensor->name, tensor_kind_text(tensor),
               npy_shape_text(&tensor->info, shape, sizeof shape),
               job->inputs[i].unpack.through_src ? ", unpacked through SrcA" : "");
    }
    if (t->narrowed.rounded != 0) {
        printf("rounded         %llu float64 values to FP32\n",
               (unsigned long long)t->narrowed.rounded);
    }
    if (t->narrowed.overflowed != 0) {
        printf("overflowed      %llu float64 values to infinity, beyond FP32\n",
               (unsigned long long)t->narrowed.overflowed);
    }
    if (t->narrowed.vanished != 0) {
        printf("vanished        %llu float64 values to zero, too small for FP32\n",
               (unsigned long long)t->narrowed.vanished);
    }
    if (t->changed != 0) {
        printf("rounded         %llu values to the Dst format\n", (unsigned long long)t->changed);
    }
    if (job->has_output) {
        printf("output          %s: %s\n", job->output.text, output_what(job, what, sizeof what));
    }
    printf("elements        %llu in %llu tiles (%s)\n", (unsigned long long)job->tiling.count,
           (unsigned long long)tiles, job->tiling.blocks ? "32x32 blocks" : "flat");
    print_count("instructions", t->tiles.instructions, t->init.instructions, tiles);
    print_count("cycles", t->tiles.cycles, t->init.cycles, tiles);
    print_count("issue cycles", t->tiles.issue_cycles, t->init.issue_cycles, tiles);
    print_count("stall cycles", t->tiles.stall_cycles, t->init.stall_cycles, tiles);
    run_print_findings(stdout, &t->findings, job->program);
    if (job->evidence) {
        run_print_notes(stdout, t->notes);
    }
    if (job->reference != NULL || job->has_compare) {
        printf("compared with   %s\n",
               job->reference != NULL ? job->reference->name : job->compare.tensor.name);
        ulp_print(stdout, &t->stats, job->dst, job->out_dst,
                  job->input_count < REF_INPUTS ? job->input_count : REF_INPUTS);
    }
}

json_t *run_counters_json(const struct tx_counters *c)
{
    json_t *object = json_object();
    jx_set_int(object, "instructions", c->instructions);
    jx_set_int(object, "vector_instructions", c->vector_instructions);
    jx_set_int(object, "cycles", c->cycles);
    jx_set_int(object, "issue_cycles", c->issue_cycles);
    jx_set_int(object, "stall_cycles", c->stall_cycles);
    return object;
}

json_t *run_findings_json(const struct run_findings *findings, const struct tx_program *program)
{
    json_t *list = json_array();
    for (size_t i = 0; i < findings->count; i++) {
        const struct run_finding *one = &findings->list[i];
        json_t *object = jx_finding(&one->finding, one->finding.count);
        jx_set_text(object, "section", one->init ? "init" : "tile");
        jx_set_int(object, "tile", one->tile);
        char source[256];
        if (txl_source_of(program, one->finding.word, source) != NULL) {
            jx_set_text(object, "source", source);
        }
        json_array_append_new(list, object);
    }
    return list;
}

json_t *run_notes_json(const uint64_t *notes)
{
    json_t *list = json_array();
    const struct tx_evidence *entry;
    for (size_t i = 0; i < RUN_NOTES && (entry = tx_evidence_at(i)) != NULL; i++) {
        if (notes[i] == 0) {
            continue;
        }
        json_t *object = json_object();
        jx_set_text(object, "id", entry->id);
        jx_set_text(object, "text", entry->text);
        jx_set_text(object, "source", entry->source);
        jx_set_text(object, "rule", entry->rule);
        jx_set_int(object, "count", notes[i]);
        json_array_append_new(list, object);
    }
    return list;
}

/* format: of data in tiles and patterns, else NULL. */
static json_t *array_json(const char *path, const struct npy_info *info, const char *dtype,
                          const char *format)
{
    json_t *object = json_object();
    jx_set_text(object, "file", path);
    jx_set_text(object, "dtype", dtype);
    if (format != NULL) {
        jx_set_text(object, "format", format);
    }
    json_t *shape = json_array();
    for (unsigned i = 0; i < info->dimensions; i++) {
        json_array_append_new(shape, json_integer((json_int_t)info->shape[i]));
    }
    json_object_set_new(object, "shape", shape);
    return object;
}

static json_t *output_json(const struct run_job *job)
{
    bool tiles = job->output_packed && !job->output.name.is_array;
    return array_json(job->output.text, &job->inputs[0].tensor.info,
                      tiles ? NULL : npy_dtype_name(job->output_dtype),
                      job->output_packed ? tx_format_name(job->pack.out) : NULL);
}

static void per_tile(json_t *root, const struct run_job *job)
{
    if (job->tiling.tiles == 0) {
        return;
    }
    double per = (double)job->totals.tiles.cycles / (double)job->tiling.tiles;
    jx_set_real(root, "cycles_per_tile", per);
    jx_set_real(root, "cycles_per_row", per / 32.0);
}

void run_print_json(const struct run_job *job)
{
    const struct run_totals *t = &job->totals;
    json_t *root = json_object();
    jx_set_text(root, "kernel", job->kernel);
    jx_set_text(root, "title", tx_program_title(job->program));
    jx_set_text(root, "arch", tx_arch_name(job->settings.arch));
    jx_set_text(root, "start", txl_start_name(job->program));
    jx_set_text(root, "dst", tx_dst_format_name(job->dst));
    jx_set_text(root, "dst_encoding", tx_dst_encoding_name(job->dst));
    jx_set_text(root, "out_dst", tx_dst_format_name(job->out_dst));
    jx_set_text(root, "out_dst_encoding", tx_dst_encoding_name(job->out_dst));
    jx_set_text(root, "engine", job->was_fast ? "fast" : "reference");
    jx_set_text(root, "layout", job->tiling.blocks ? "tiles" : "flat");
    json_t *inputs = json_array();
    for (unsigned i = 0; i < job->input_count; i++) {
        const struct tensor *a = &job->inputs[i].tensor;
        bool numbers = a->kind == TENSOR_VALUES;
        json_array_append_new(
            inputs, array_json(a->name, &a->info,
                               a->kind == TENSOR_TILES ? NULL : npy_dtype_name(a->info.dtype),
                               numbers ? NULL : tx_format_name(a->format)));
    }
    json_object_set_new(root, "inputs", inputs);
    if (job->has_output) {
        json_object_set_new(root, "output", output_json(job));
    }
    jx_set_int(root, "rounded_float64", t->narrowed.rounded);
    jx_set_int(root, "overflowed_float64", t->narrowed.overflowed);
    jx_set_int(root, "vanished_float64", t->narrowed.vanished);
    jx_set_int(root, "rounded_to_dst", t->changed);
    jx_set_int(root, "elements", job->tiling.count);
    jx_set_int(root, "tiles", job->tiling.tiles);
    json_object_set_new(root, "init", run_counters_json(&t->init));
    json_object_set_new(root, "tile_total", run_counters_json(&t->tiles));
    per_tile(root, job);
    json_object_set_new(root, "findings", run_findings_json(&t->findings, job->program));
    jx_set_int(root, "findings_dropped", t->findings.dropped);
    json_object_set_new(root, "notes", run_notes_json(t->notes));
    if (job->reference != NULL || job->has_compare) {
        json_t *accuracy = ulp_json(&t->stats, job->dst, job->out_dst,
                                    job->input_count < REF_INPUTS ? job->input_count : REF_INPUTS);
        jx_set_text(accuracy, "reference",
                    job->reference != NULL ? job->reference->name : job->compare.tensor.name);
        json_object_set_new(root, "accuracy", accuracy);
    }
    if (job->report != NULL) {
        json_object_set(root, "cycle_report", job->report);
    }
    jx_set_real(root, "seconds", job->seconds);
    jx_print(stdout, root);
    json_decref(root);
}
