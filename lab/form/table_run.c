/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The row of a table as text, and on the machine with entries that are read from Dst together with
 * the input.
 */
#include "form/table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <tensix/fast.h>

#include "base/memory.h"

enum { TILE_ROWS = 32, SLOPES = 1, OFFSETS = 2, LANES = 32, BATCH = 64 * LANES };

struct table_run {
    tx_kernel *kernel;
    struct tx_program *program;
    bool wide;
    tx_fast *fast;
    tx_fast_worker *worker;
    uint32_t in[3][BATCH], out[BATCH];
};

/*
 * Returns the steps of a row after the look-up. Each uses L7 from the step before, two cycles after
 * that began.
 */
static unsigned steps(const struct table *t, const char *step[2], unsigned wait[3])
{
    unsigned count = 0;
    wait[0] = 1; /* cycles to wait before the step, after one of two cycles */
    if (t->shape != TABLE_ODD) {
        step[count++] = t->shape == TABLE_HALF ? "sfpaddi    L7, bf16(0.5), 0"
                                               : "sfpmad     L7, L3, L11, L7, 0";
        wait[count] = 1;
    }
    if (t->bf16) {
        step[count++] = "sfpstochrnd L7, L7, L7, 0, 1, 0";
        wait[count] = 0;
    }
    return count;
}

static const char *look_up(const struct table *t)
{
    const bool keep = t->shape != TABLE_HALF_LINE; /* keep the sign of x */
    if (t->wide) {
        return keep ? (t->four ? "sfplutfp32 L7, 7" : "sfplutfp32 L7, 6")
                    : (t->four ? "sfplutfp32 L7, 3" : "sfplutfp32 L7, 2");
    }
    return keep ? "sfplut     L7, 4" : "sfplut     L7, 0";
}

/*
 * Writes one row, whose L3 is loaded already; the next row's L3 is loaded in the first gap in which
 * it is free. Returns the number of issued words.
 */
static unsigned row(FILE *out, const struct table *t, bool next)
{
    const char *step[2];
    unsigned wait[3];
    const unsigned count = steps(t, step, wait);
    unsigned issued = 1;
    bool loaded = !next;
    if (out != NULL) {
        fprintf(out, "    %s\n", look_up(t));
    }
    for (unsigned i = 0; i <= count; i++) {
        const bool needs_x = t->shape == TABLE_HALF_LINE && i == 0;
        for (unsigned k = 0; k < wait[i]; k++, issued++) {
            const bool load = !loaded && !needs_x;
            if (out != NULL) {
                fprintf(out, "    %s\n", load ? "sfpload    L3, ROW + 2, 0, 3" : "sfpnop");
            }
            loaded = loaded || load;
        }
        issued++;
        if (out != NULL) {
            fprintf(out, "    %s\n", i < count ? step[i] : "sfpstore   L7, ROW, 0, 3");
        }
    }
    if (!loaded && out != NULL) {
        fputs("    sfpload    L3, ROW + 2, 0, 3\n", out);
    }
    return issued + !loaded;
}

unsigned table_row(const struct table *t)
{
    return row(NULL, t, true);
}

void table_write(FILE *out, const struct table *t, const struct form_head *head)
{
    static const char *const what[] = {
        "the sign of x put back",
        "the sign of x put back, and 1/2 added",
        "and x/2 added: what is left of it is even",
    };
    const char *const spelt = look_up(t);
    char insn[16];
    unsigned length = 0;
    for (; isalnum((unsigned char)spelt[length]) != 0 && length + 1 < sizeof insn; length++) {
        insn[length] = (char)toupper((unsigned char)spelt[length]);
    }
    insn[length] = '\0';
    fprintf(out, "# Written by tensix fit --form %s.\n#\n", head->form);
    fprintf(out,
            "# Method    %s: a |x| + c in %u pieces with %u-bit entries, %s.\n"
            "# Accuracy  largest absolute error %.4g; no other entries have a smaller one in any "
            "piece%s\n#           (on %llu inputs; infinities are not among them).\n"
            "# Cycles    %u per row of 32 elements.\n",
            insn, t->pieces, t->wide ? 16 : 8, what[t->shape], t->error,
            t->bf16 ? ",\n#           but for the rounding to BF16" : "",
            (unsigned long long)t->inputs, table_row(t));
    fprintf(out, ".arch      %s\n.title     \"%s by %s\"\n.dst       %s\n.reference %s\n",
            tx_arch_name(t->arch), head->reference, head->form, head->dst, head->reference);
    const enum tx_free_kind kind = t->wide ? TX_FREE_LUT16 : TX_FREE_LUT8;
    for (unsigned i = 0; i < t->pieces; i++) {
        for (unsigned k = 0; k < 2; k++) {
            char text[64];
            const uint32_t bits = tx_free_fp32(kind, k == 0 ? t->entry[i].a : t->entry[i].c);
            fprintf(out, ".free %c%u = float(%s) in %s\n", k == 0 ? 'a' : 'c', i,
                    txl_number_text(TX_DST_FORMAT_FP32, bits, text, sizeof text),
                    tx_free_kind_name(kind));
        }
    }
    fputs(".init\n", out);
    if (t->shape == TABLE_HALF_LINE) {
        fputs(".loadi L0, float(0.5)\n    sfpconfig  11, 0, 0\n", out);
    }
    for (unsigned i = 0; i < 3; i++) {
        if (t->wide) {
            fprintf(out, ".loadi L%u, a%u << 16 | a%u\n.loadi L%u, c%u << 16 | c%u\n", i, 2 * i + 1,
                    2 * i, i + 4, 2 * i + 1, 2 * i);
        } else {
            fprintf(out, ".loadi L%u, a%u << 8 | c%u\n", i, i, i);
        }
    }
    fprintf(out, ".tile\nROW = 0\n    sfpload    L3, 0, 0, 3\n.rept %u\n", TILE_ROWS - 1);
    (void)row(out, t, true);
    fputs("    ROW = ROW + 2\n.endr\n", out);
    (void)row(out, t, false);
}

/* ---- on the machine ---- */

/*
 * Writes the same row after loads of its entries; all pieces get the same entry, so that any input
 * may be tried.
 */
static void write_run(FILE *out, const struct table *t)
{
    fprintf(out,
            ".arch %s\n.dst uint32\n.inputs 3\n.init\n.loadi L0, float(0.5)\n"
            "    sfpconfig 11, 0, 0\n.tile\nROW = 0\n.rept %u\n",
            tx_arch_name(t->arch), TILE_ROWS);
    fputs("    sfpload L3, ROW, 4, 3\n    sfpload L0, ROW + 64, 4, 3\n    sfpmov L1, L0, 0\n"
          "    sfpmov L2, L0, 0\n",
          out);
    if (t->wide) {
        fputs("    sfpload L4, ROW + 128, 4, 3\n    sfpmov L5, L4, 0\n    sfpmov L6, L4, 0\n", out);
    }
    const char *step[2];
    unsigned wait[3];
    const unsigned count = steps(t, step, wait);
    fprintf(out, "    %s\n    sfpnop\n", look_up(t));
    for (unsigned i = 0; i < count; i++) {
        fprintf(out, "    %s\n    sfpnop\n", step[i]);
    }
    fputs("    sfpstore L7, ROW, 4, 3\n    ROW = ROW + 2\n.endr\n", out);
}

int table_run_open(struct txl_error *err, const struct table *t, struct table_run **out)
{
    struct memory_text text;
    struct tx_diag diag = {0};
    struct tx_settings settings;
    struct tx_kernel_options options;
    const struct tx_asm_options as = {0};
    struct table_run *run = zeroed(err, 1, sizeof *run);
    *out = NULL;
    if (run == NULL || memory_text_open(err, &text) != TXL_CONTINUE) {
        free(run);
        return TXL_INPUT;
    }
    run->wide = t->wide;
    write_run(text.stream, t);
    if (memory_text_close(err, &text) != TXL_CONTINUE) {
        free(run);
        return TXL_INPUT;
    }
    tx_settings_default(&settings, t->arch);
    tx_kernel_options_default(&options);
    const bool good = tx_assemble(text.text, text.size, &as, &run->program, &diag) == TX_OK &&
                      tx_kernel_open(&settings, run->program, &options, &run->kernel) == TX_OK &&
                      tx_kernel_start(run->kernel) == TX_OK &&
                      tx_fast_open(run->kernel, NULL, &run->fast, NULL) == TX_OK &&
                      tx_fast_worker_open(run->fast, &run->worker) == TX_OK;
    free(text.text);
    if (!good) {
        table_run_close(run);
        return txl_fail(err, "form: a table's row does not run: %s", diag.message);
    }
    *out = run;
    return TXL_CONTINUE;
}

void table_run_close(struct table_run *run)
{
    if (run != NULL) {
        tx_fast_worker_close(run->worker);
        tx_fast_close(run->fast);
        tx_kernel_close(run->kernel);
        tx_program_free(run->program);
        free(run);
    }
}

int table_run_do(struct txl_error *err, struct table_run *run, size_t count, const float *x,
                 const struct table_entry *const *entry, float *out)
{
    const uint32_t *const inputs[3] = {run->in[0], run->in[SLOPES], run->in[OFFSETS]};
    for (size_t first = 0; first < count; first += BATCH) {
        const size_t n = count - first < BATCH ? count - first : BATCH;
        for (size_t i = 0; i < n; i++) {
            const struct table_entry *e = entry[first + i];
            memcpy(&run->in[0][i], &x[first + i], sizeof(float));
            run->in[SLOPES][i] = run->wide ? e->a << 16 | e->a : e->a << 8 | e->c;
            run->in[OFFSETS][i] = e->c << 16 | e->c;
        }
        if (tx_fast_run_vectors(run->worker, (n + LANES - 1) / LANES, inputs, run->out) != TX_OK) {
            return txl_fail(err, "form: a table's row stops");
        }
        memcpy(out + first, run->out, n * sizeof(float));
    }
    return TXL_CONTINUE;
}
