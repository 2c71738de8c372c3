/* SPDX-License-Identifier: Apache-2.0 */
#include "print/run.h"

#include <math.h>
#include <string.h>

#include <tensix-lab/isa.h>
#include <tensix-lab/kernel.h>

typedef unsigned long long wide; /* for printf */

void print_finding(FILE *stream, const struct txl_run_finding *one)
{
    const struct tx_finding *f = one->finding;
    char text[128];
    const bool known = tx_disassemble(f->arch, f->word, TX_DIS_NORMAL, text, sizeof text) == TX_OK;
    fprintf(stream, "finding         %s [%s] x%llu: %s", tx_category_name(f->category),
            f->rule != NULL ? f->rule : "-", (wide)f->count, f->message);
    if (known || one->source != NULL) { /* else no instruction is meant */
        fprintf(stream, " (%s%s%s)", text, one->source != NULL ? "; " : "",
                one->source != NULL ? one->source : "");
    }
    fputc('\n', stream);
}

void print_findings_end(FILE *stream, size_t count, uint64_t dropped)
{
    if (count == 0) {
        fprintf(stream, "findings        none\n");
    } else if (dropped != 0) {
        fprintf(stream, "finding         %llu more of other kinds\n", (wide)dropped);
    }
}

void print_note(const struct txl_run_note *note)
{
    const struct tx_evidence *entry = note->evidence;
    printf("note            [%s] x%llu: %s (%s)", entry->id, (wide)note->count, entry->text,
           entry->source);
    if (entry->rule != NULL) {
        printf("; other reading: --rule %s", entry->rule);
    }
    putchar('\n');
}

/* "(1000, 1000)" */
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

void print_l1_file(const struct txl_l1_file *file, bool output)
{
    char shape[256];
    enum tx_format format = TX_FORMAT_FP32;
    printf("L1 %#-12x %s%s: ", (unsigned)file->address, output ? "to " : "", file->name);
    if (file->format == NULL || file->dimensions == 0) {
        printf("%u bytes\n", (unsigned)file->bytes);
        return;
    }
    (void)tx_format_parse(file->format, &format);
    printf("%s %s, %s%s\n", file->format,
           shape_text(file->shape, file->dimensions, shape, sizeof shape),
           file->rows ? "row by row" : "tiles of 32x32",
           !tx_format_info(format)->integer ? ""
           : file->magnitude                ? ", sign and magnitude"
                                            : ", two's complement");
}

/* ---- a run ---- */

static void print_head(const struct tx_program *program, const char *name)
{
    const char *title = tx_program_title(program);
    const char *slash = strrchr(name, '/');
    printf("kernel          %s%s%s%s on %s", slash != NULL ? slash + 1 : name,
           title[0] != '\0' ? " (" : "", title, title[0] != '\0' ? ")" : "",
           tx_arch_name(tx_program_arch(program)));
}

static void print_findings(const txl_run *run, bool evidence)
{
    const struct txl_run_result *r = txl_run_result(run);
    for (size_t i = 0; i < r->findings; i++) {
        print_finding(stdout, txl_run_finding(run, i));
    }
    print_findings_end(stdout, r->findings, r->findings_dropped);
    for (size_t i = 0; evidence && i < r->notes; i++) {
        print_note(txl_run_note(run, i));
    }
}

static void print_count(const char *name, uint64_t total, uint64_t init, uint64_t tiles)
{
    printf("%-15s %llu", name, (wide)(total + init));
    if (tiles > 0) {
        const double per = (double)total / (double)tiles;
        printf(" (init %llu, a tile %.6g, a row of 32 %.6g)", (wide)init, per, per / 32.0);
    }
    putchar('\n');
}

static void print_inputs(const txl_run *run)
{
    const struct txl_run_array *a;
    for (size_t i = 0; (a = txl_run_input(run, i)) != NULL; i++) {
        char shape[256];
        printf("input           %s: %s %s%s\n", a->name, a->kind,
               shape_text(a->shape, a->dimensions, shape, sizeof shape),
               a->through_src ? ", unpacked through SrcA" : "");
    }
}

static void print_changed(const struct txl_run_result *r)
{
    if (r->rounded != 0) {
        printf("rounded         %llu float64 values to FP32\n", (wide)r->rounded);
    }
    if (r->overflowed != 0) {
        printf("overflowed      %llu float64 values to infinity, beyond FP32\n",
               (wide)r->overflowed);
    }
    if (r->vanished != 0) {
        printf("vanished        %llu float64 values to zero, too small for FP32\n",
               (wide)r->vanished);
    }
    if (r->rounded_to_dst != 0) {
        printf("rounded         %llu values to the Dst format\n", (wide)r->rounded_to_dst);
    }
}

static void print_output(const txl_run *run)
{
    const struct txl_run_array *out = txl_run_output(run);
    if (out != NULL && out->intermediate_format == NULL) {
        printf("output          %s: %s\n", out->name, out->kind);
    } else if (out != NULL) {
        printf("output          %s: %s, packed from Dst %s with intermediate %s\n", out->name,
               out->format, tx_dst_format_name(txl_run_result(run)->out_dst),
               out->intermediate_format);
    }
}

static void print_number(enum tx_dst_format format, uint32_t word)
{
    char text[48];
    printf("%15s %08x", txl_number_text(format, word, text, sizeof text), word);
}

static void print_accuracy(const struct txl_accuracy *a, const struct txl_run_result *r)
{
    const char *unit = txl_number_is_integer(r->out_dst) ? "" : " ULP";
    printf("compared with   %s\n", a->reference);
    printf("max error       %.6g%s\n", a->max, unit);
    printf("mean error      %.6g%s\n", a->mean, unit);
    printf("exact           %llu of %llu (%.3f%%)\n", (wide)a->exact, (wide)a->compared,
           a->compared == 0 ? 100.0 : 100.0 * (double)a->exact / (double)a->compared);
    if (a->mismatched != 0) {
        printf("mismatched      %llu (NaN or infinity against something else)\n",
               (wide)a->mismatched);
    }
    for (unsigned i = 0; i < a->worst_count; i++) {
        printf("%s element %llu:", i == 0 ? "worst" : "     ", (wide)a->worst[i].element);
        for (unsigned k = 0; k < a->inputs; k++) {
            printf(" x");
            if (a->inputs > 1) {
                printf("%u", k);
            }
            print_number(r->dst, a->worst[i].inputs[k]);
        }
        printf("  expected");
        print_number(r->out_dst, a->worst[i].expected);
        printf("  got");
        print_number(r->out_dst, a->worst[i].got);
        if (isinf(a->worst[i].ulp)) {
            printf("  mismatch\n");
        } else {
            printf("  %.6g%s\n", a->worst[i].ulp, unit);
        }
    }
}

void run_print(const txl_run *run, const struct tx_program *program,
               const struct txl_run_options *how)
{
    char dst[80];
    const struct txl_run_result *r = txl_run_result(run);
    print_head(program, how->name);
    printf(", Dst %s%s\n", txl_dst_text(r->dst, dst), txl_start_text(program));
    print_inputs(run);
    print_changed(r);
    print_output(run);
    printf("elements        %llu in %llu tiles (%s)\n", (wide)r->elements, (wide)r->tile_count,
           r->blocks ? "32x32 blocks" : "flat");
    print_count("instructions", r->tiles->instructions, r->init->instructions, r->tile_count);
    print_count("cycles", r->tiles->cycles, r->init->cycles, r->tile_count);
    print_count("issue cycles", r->tiles->issue_cycles, r->init->issue_cycles, r->tile_count);
    print_count("stall cycles", r->tiles->stall_cycles, r->init->stall_cycles, r->tile_count);
    print_findings(run, how->evidence);
    if (txl_run_accuracy(run) != NULL) {
        print_accuracy(txl_run_accuracy(run), r);
    }
}

/* "cycles   120 (init 20)" */
static void print_once(const char *name, uint64_t tile, uint64_t init)
{
    printf("%-15s %llu (init %llu)\n", name, (wide)(tile + init), (wide)init);
}

void run_print_l1(const txl_run *run, const struct tx_program *program,
                  const struct txl_run_options *how)
{
    const struct txl_run_result *r = txl_run_result(run);
    const struct txl_l1_file *file;
    print_head(program, how->name);
    printf("%s\n", txl_start_text(program));
    for (unsigned output = 0; output < 2; output++) {
        for (size_t i = 0; (file = txl_run_l1_file(run, output != 0, i)) != NULL; i++) {
            print_l1_file(file, output != 0);
        }
    }
    print_once("instructions", r->tiles->instructions, r->init->instructions);
    printf("%-15s %s%llu (init %llu)\n", "cycles", r->at_least ? "at least " : "",
           (wide)(r->tiles->cycles + r->init->cycles), (wide)r->init->cycles);
    print_once("issue cycles", r->tiles->issue_cycles, r->init->issue_cycles);
    print_once("stall cycles", r->tiles->stall_cycles, r->init->stall_cycles);
    print_findings(run, how->evidence);
}

/* ---- cycles and gaps ---- */

void run_print_cycles(const struct txl_cycles *r)
{
    const double tile = (double)r->tile;
    const double rows = tile > 0 ? r->clock_hz / tile * 32 : 0;
    printf("cycles, tile    %s%llu, a face %.6g, a row of 32 datums %.6g; .init %llu\n",
           r->at_least ? "at least " : "", (wide)r->tile, tile / 4, tile / 32, (wide)r->init);
    printf("bound           %s: %llu vector instructions, %llu SFPNOP, %llu others, %llu stalls, "
           "%llu scheduled by SFPLOADMACRO, %llu cycles to drain\n",
           r->bound, (wide)r->vector, (wide)r->nops, (wide)r->others, (wide)r->stalls,
           (wide)r->scheduled, (wide)r->drain);
    for (unsigned i = 0; i < r->causes; i++) {
        printf("waits on        %s: %llu\n", r->cause[i].text, (wide)r->cause[i].count);
    }
    if (r->waiting_nops != 0) {
        printf("waits on        scheduled instructions, by SFPNOP: %llu\n", (wide)r->waiting_nops);
    }
    printf("sub-units       ");
    for (unsigned u = TX_UNIT_LOAD; u <= TX_UNIT_STORE; u++) {
        printf("%s%s %.3g%%", u == TX_UNIT_LOAD ? "" : ", ", txl_unit_name(u),
               tile > 0 ? 100.0 * (double)r->unit[u] / tile : 0.0);
    }
    printf("\nper second      %.6g rows, %.6g elements at %.2f GHz, .init not counted\n", rows,
           rows * 32, r->clock_hz / 1e9);
}

void run_print_gaps(const struct txl_gaps *r)
{
    uint32_t waited = 0;
    for (unsigned i = 0; i < r->count; i++) {
        printf("gap             %u idle cycle%s before word %zu of .tile (%s)\n", r->gap[i].cycles,
               r->gap[i].cycles == 1 ? "" : "s", r->gap[i].word, r->gap[i].text);
        waited += r->gap[i].cycles;
    }
    if (!r->found) {
        printf("gaps            no pattern changes the result: %llu tried over %zu words\n",
               (wide)r->trials, r->words);
        return;
    }
    printf("changes         %u of %u elements; %zu other words alone do with as much; %llu "
           "patterns tried\n",
           r->elements, TX_TILE_ELEMENTS, r->other_words, (wide)r->trials);
    for (unsigned i = 0; i < r->moved_count; i++) {
        const struct txl_gap_moved *m = &r->moved[i];
        printf("moved           %s on %s, scheduled by %s: cycle %llu without the gap, %llu with "
               "it, while the stream waited %u\n",
               m->scheduled, txl_unit_name(m->unit), m->launch, (wide)m->cycle,
               (wide)m->cycle_with_gap, waited);
    }
}
