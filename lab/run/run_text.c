/* SPDX-License-Identifier: Apache-2.0 */
/* Writes as text what a run did, where its cycles went, and which gaps change it. */
#include "base/finding.h"
#include "run/run_text.h"

#include <math.h>

#include <tensix-lab/isa.h>
#include <tensix-lab/kernel.h>

#include "base/memory.h"
#include "run/run.h"

typedef unsigned long long wide; /* the type that printf's %llu needs */

struct from {
    run_finding_at *at;
    const void *from;
};

static void finding_of(const void *user, size_t index, struct finding *one,
                       char text[FINDING_PLACE])
{
    const struct from *f = user;
    const struct txl_run_finding found = f->at(f->from, index, text);
    *one = (struct finding){.what = found.finding, .source = found.source};
}

void run_findings_print(FILE *stream, run_finding_at *at, const void *from, size_t count,
                        uint64_t dropped)
{
    findings_print(stream, finding_of, &(struct from){.at = at, .from = from}, count);
    if (count == 0) {
        fprintf(stream, "findings        none\n");
    } else if (dropped != 0) {
        fprintf(stream, "finding         %llu more of other kinds\n", (wide)dropped);
    }
}

void run_note_print(FILE *out, const struct txl_run_note *note)
{
    const struct tx_evidence *entry = note->evidence;
    fprintf(out, "note            [%s] x%llu: %s (%s)", entry->id, (wide)note->count, entry->text,
            entry->source);
    if (entry->rule != NULL) {
        fprintf(out, "; other reading: --rule %s", entry->rule);
    }
    fputc('\n', out);
}

/* Writes a shape like "(1000, 1000)". */
static const char *shape_text(const uint64_t *shape, unsigned dimensions, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "(");
    for (unsigned i = 0; i < dimensions && used < size; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s%llu", i == 0 ? "" : ", ",
                                 (wide)shape[i]);
    }
    if (used < size) {
        snprintf(text + used, size - used, dimensions == 1 ? ",)" : ")");
    }
    return text;
}

void run_l1_file_print(FILE *out, const struct txl_l1_file *file, bool output)
{
    char shape[256];
    enum tx_format format = (enum tx_format)0;
    fprintf(out, "L1 %#-12x %s%s: ", (unsigned)file->address, output ? "to " : "", file->name);
    if (file->format == NULL || file->dimensions == 0) {
        fprintf(out, "%u bytes\n", (unsigned)file->bytes);
        return;
    }
    (void)tx_format_parse(file->format, &format);
    fprintf(out, "%s %s, %s%s\n", file->format,
            shape_text(file->shape, file->dimensions, shape, sizeof shape),
            file->rows ? "row by row" : "tiles of 32x32",
            !tx_format_info(format)->integer ? ""
            : file->magnitude                ? ", sign and magnitude"
                                             : ", two's complement");
}

/* ---- a run ---- */

static void print_head(FILE *out, const txl_run *run)
{
    const struct tx_program *program = run->job.program;
    const char *title = tx_program_title(program);
    fprintf(out, "kernel          %s%s%s%s on %s", txl_basename(run->job.kernel),
            title[0] != '\0' ? " (" : "", title, title[0] != '\0' ? ")" : "",
            tx_arch_name(tx_program_arch(program)));
}

static struct txl_run_finding finding_at_index(const void *from, size_t index,
                                               char text[FINDING_PLACE])
{
    (void)text;
    return *txl_run_finding(from, index);
}

static void print_findings(FILE *out, const txl_run *run, bool evidence)
{
    const struct txl_run_result *r = txl_run_result(run);
    run_findings_print(out, finding_at_index, run, r->findings, r->findings_dropped);
    for (size_t i = 0; evidence && i < r->notes; i++) {
        run_note_print(out, txl_run_note(run, i));
    }
}

static void print_count(FILE *out, const char *name, uint64_t total, uint64_t init, uint64_t tiles)
{
    fprintf(out, "%-15s %llu", name, (wide)(total + init));
    if (tiles > 0) {
        const double per = (double)total / (double)tiles;
        fprintf(out, " (init %llu, a tile %.6g, a row of 32 %.6g)", (wide)init, per, per / 32.0);
    }
    fputc('\n', out);
}

static void print_inputs(FILE *out, const txl_run *run)
{
    const struct txl_run_array *a;
    for (size_t i = 0; (a = txl_run_input(run, i)) != NULL; i++) {
        char shape[256];
        fprintf(out, "input           %s: %s %s%s\n", a->name, a->kind,
                shape_text(a->shape, a->dimensions, shape, sizeof shape),
                a->through_src ? ", unpacked through SrcA" : "");
    }
}

static void print_changed(FILE *out, const struct txl_run_result *r)
{
    if (r->rounded != 0) {
        fprintf(out, "rounded         %llu float64 values to FP32\n", (wide)r->rounded);
    }
    if (r->overflowed != 0) {
        fprintf(out, "overflowed      %llu float64 values to infinity, beyond FP32\n",
                (wide)r->overflowed);
    }
    if (r->vanished != 0) {
        fprintf(out, "vanished        %llu float64 values to zero, too small for FP32\n",
                (wide)r->vanished);
    }
    if (r->rounded_to_dst != 0) {
        fprintf(out, "rounded         %llu values to the Dst format\n", (wide)r->rounded_to_dst);
    }
}

static void print_output(FILE *out, const txl_run *run)
{
    const struct txl_run_array *array = txl_run_output(run);
    if (array != NULL && array->intermediate_format == NULL) {
        fprintf(out, "output          %s: %s\n", array->name, array->kind);
    } else if (array != NULL) {
        fprintf(out, "output          %s: %s, packed from Dst %s with intermediate %s\n",
                array->name, array->format, tx_dst_format_name(txl_run_result(run)->out_dst),
                array->intermediate_format);
    }
}

static void print_number(FILE *out, enum tx_dst_format format, uint32_t word)
{
    char text[48];
    fprintf(out, "%15s %08x", txl_number_text(format, word, text, sizeof text), word);
}

static void print_accuracy(FILE *out, const struct txl_accuracy *a, const struct txl_run_result *r)
{
    const char *unit = txl_number_is_integer(r->out_dst) ? "" : " ULP";
    fprintf(out, "compared with   %s\n", a->reference);
    fprintf(out, "max error       %.6g%s\n", a->max, unit);
    fprintf(out, "mean error      %.6g%s\n", a->mean, unit);
    fprintf(out, "exact           %llu of %llu (%.3f%%)\n", (wide)a->exact, (wide)a->compared,
            a->compared == 0 ? 100.0 : 100.0 * (double)a->exact / (double)a->compared);
    if (a->mismatched != 0) {
        fprintf(out, "mismatched      %llu (NaN or infinity against something else)\n",
                (wide)a->mismatched);
    }
    for (unsigned i = 0; i < a->worst_count; i++) {
        fprintf(out, "%s element %llu:", i == 0 ? "worst" : "     ", (wide)a->worst[i].element);
        for (unsigned k = 0; k < a->inputs; k++) {
            fprintf(out, " x");
            if (a->inputs > 1) {
                fprintf(out, "%u", k);
            }
            print_number(out, r->dst, a->worst[i].inputs[k]);
        }
        fprintf(out, "  expected");
        print_number(out, r->out_dst, a->worst[i].expected);
        fprintf(out, "  got");
        print_number(out, r->out_dst, a->worst[i].got);
        if (isinf(a->worst[i].ulp)) {
            fprintf(out, "  mismatch\n");
        } else {
            fprintf(out, "  %.6g%s\n", a->worst[i].ulp, unit);
        }
    }
}

static void print_run(FILE *out, const txl_run *run)
{
    char dst[80];
    const struct txl_run_result *r = txl_run_result(run);
    print_head(out, run);
    fprintf(out, ", Dst %s%s\n", txl_dst_text(r->dst, dst), txl_start_text(run->job.program));
    print_inputs(out, run);
    print_changed(out, r);
    print_output(out, run);
    fprintf(out, "elements        %llu in %llu tiles (%s)\n", (wide)r->elements,
            (wide)r->tile_count, r->blocks ? "32x32 blocks" : "flat");
    print_count(out, "instructions", r->tiles->instructions, r->init->instructions, r->tile_count);
    print_count(out, "cycles", r->tiles->cycles, r->init->cycles, r->tile_count);
    print_count(out, "issue cycles", r->tiles->issue_cycles, r->init->issue_cycles, r->tile_count);
    print_count(out, "stall cycles", r->tiles->stall_cycles, r->init->stall_cycles, r->tile_count);
    bound_print(out, r->bounds);
    print_findings(out, run, run->job.evidence);
    if (txl_run_accuracy(run) != NULL) {
        print_accuracy(out, txl_run_accuracy(run), r);
    }
}

/* Writes "cycles   120 (init 20)". */
static void print_once(FILE *out, const char *name, uint64_t tile, uint64_t init)
{
    fprintf(out, "%-15s %llu (init %llu)\n", name, (wide)(tile + init), (wide)init);
}

static void print_l1(FILE *out, const txl_run *run)
{
    const struct txl_run_result *r = txl_run_result(run);
    const struct txl_l1_file *file;
    print_head(out, run);
    fprintf(out, "%s\n", txl_start_text(run->job.program));
    for (unsigned output = 0; output < 2; output++) {
        for (size_t i = 0; (file = txl_run_l1_file(run, output != 0, i)) != NULL; i++) {
            run_l1_file_print(out, file, output != 0);
        }
    }
    print_once(out, "instructions", r->tiles->instructions, r->init->instructions);
    fprintf(out, "%-15s %s%llu (init %llu)\n", "cycles", bound_prefix(r->bounds),
            (wide)(r->tiles->cycles + r->init->cycles), (wide)r->init->cycles);
    print_once(out, "issue cycles", r->tiles->issue_cycles, r->init->issue_cycles);
    print_once(out, "stall cycles", r->tiles->stall_cycles, r->init->stall_cycles);
    bound_print(out, r->bounds);
    print_findings(out, run, run->job.evidence);
}

/* ---- cycles and gaps ---- */

static void print_cycles(FILE *out, const struct txl_cycles *r)
{
    const double tile = (double)r->tile;
    const double rows = tile > 0 ? r->clock_hz / tile * 32 : 0;
    fprintf(out, "cycles, tile    %s%llu, a face %.6g, a row of 32 datums %.6g; .init %llu\n",
            bound_prefix(r->bounds), (wide)r->tile, tile / 4, tile / 32, (wide)r->init);
    bound_print(out, r->bounds);
    fprintf(out,
            "bound           %s: %llu vector instructions, %llu SFPNOP, %llu others, %llu stalls, "
            "%llu scheduled by SFPLOADMACRO, %llu cycles to drain\n",
            r->bound, (wide)r->vector, (wide)r->nops, (wide)r->others, (wide)r->stalls,
            (wide)r->scheduled, (wide)r->drain);
    for (unsigned i = 0; i < r->causes; i++) {
        fprintf(out, "waits on        %s: %llu\n", r->cause[i].text, (wide)r->cause[i].count);
    }
    if (r->waiting_nops != 0) {
        fprintf(out, "waits on        scheduled instructions, by SFPNOP: %llu\n",
                (wide)r->waiting_nops);
    }
    fprintf(out, "sub-units       ");
    for (unsigned u = TX_UNIT_LOAD; u <= TX_UNIT_STORE; u++) {
        fprintf(out, "%s%s %.3g%%", u == TX_UNIT_LOAD ? "" : ", ", txl_unit_name(u),
                tile > 0 ? 100.0 * (double)r->unit[u] / tile : 0.0);
    }
    fprintf(out, "\nper second      %.6g rows, %.6g elements at %.2f GHz, .init not counted\n",
            rows, rows * 32, r->clock_hz / 1e9);
}

static void print_gaps(FILE *out, const struct txl_gaps *r)
{
    uint32_t waited = 0;
    for (unsigned i = 0; i < r->count; i++) {
        fprintf(out, "gap             %u idle cycle%s before word %zu of .tile (%s)\n",
                r->gap[i].cycles, r->gap[i].cycles == 1 ? "" : "s", r->gap[i].word, r->gap[i].text);
        waited += r->gap[i].cycles;
    }
    if (!r->found) {
        fprintf(out, "gaps            no pattern changes the result: %llu tried over %zu words\n",
                (wide)r->trials, r->words);
        return;
    }
    fprintf(out,
            "changes         %u of %u elements; %zu other words alone do with as much; %llu "
            "patterns tried\n",
            r->elements, TX_TILE_ELEMENTS, r->other_words, (wide)r->trials);
    for (unsigned i = 0; i < r->moved_count; i++) {
        const struct txl_gap_moved *m = &r->moved[i];
        fprintf(out,
                "moved           %s on %s, scheduled by %s: cycle %llu without the gap, %llu with "
                "it, while the stream waited %u\n",
                m->scheduled, txl_unit_name(m->unit), m->launch, (wide)m->cycle,
                (wide)m->cycle_with_gap, waited);
    }
}

char *txl_run_text(const txl_run *run)
{
    struct memory_text text;
    if (memory_text_open(NULL, &text) != TXL_CONTINUE) {
        return NULL;
    }
    if (run->from_l1) {
        print_l1(text.stream, run);
    } else {
        print_run(text.stream, run);
        if (run->has_cycles) {
            print_cycles(text.stream, &run->cycles);
        }
    }
    return memory_text_take(&text);
}

char *txl_run_cycles_text(const txl_run *run)
{
    struct memory_text text;
    if (!run->has_cycles || memory_text_open(NULL, &text) != TXL_CONTINUE) {
        return NULL;
    }
    print_cycles(text.stream, &run->cycles);
    return memory_text_take(&text);
}

char *txl_run_gaps_text(const txl_run *run)
{
    struct memory_text text;
    if (run->search == NULL || memory_text_open(NULL, &text) != TXL_CONTINUE) {
        return NULL;
    }
    print_gaps(text.stream, run_gaps_found(run));
    return memory_text_take(&text);
}
