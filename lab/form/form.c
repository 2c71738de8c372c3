/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The public functions of form: tries variants, takes the cheapest, and checks it on the machine.
 */
#include "base/json.h"
#include "form/form.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tensix-lab/lint.h>

#include "base/memory.h"
#include "base/pool.h"
#include "base/options.h"
#include "form/table.h"

enum { ROWS = 2, REGISTERS = 5, MOST = 16 };

struct txl_form {
    struct txl_form_options how;
    struct form_how form;
    char name[48]; /* name of the form as written */
    struct memory_text text;
    struct txl_form_result result;
    double began, until; /* clock_seconds() at which the search began, and ends */
};

/* One degree: its code with coefficients, and the best schedule so far. */
struct attempt {
    struct form_code code[2]; /* Horner's and Estrin's scheme */
    struct form_code best_code;
    struct form_plan plan, best;
    double per_row[2]; /* cycles per row of each; 0: none was found */
    double until;      /* clock_seconds() at which the search ends */
    bool late;
};

/* ---- options ---- */

static bool form_number(const char **text, unsigned *value)
{
    char *end = NULL;
    if (!isdigit((unsigned char)**text)) {
        return false;
    }
    const unsigned long long n = strtoull(*text, &end, 10);
    *value = n > MOST ? MOST + 1 : (unsigned)n;
    *text = end;
    return true;
}

static int read_form(struct txl_error *err, const char *text, struct form_how *how)
{
    static const struct {
        const char *head;
        enum txl_form_kind kind;
    } forms[] = {{"poly:", TXL_FORM_POLY},
                 {"rational:", TXL_FORM_RATIONAL},
                 {"lut:", TXL_FORM_LUT},
                 {"arecip+newton:", TXL_FORM_ARECIP}};
    for (size_t i = 0; text != NULL && i < sizeof forms / sizeof *forms; i++) {
        const size_t length = strlen(forms[i].head);
        if (strncmp(text, forms[i].head, length) != 0) {
            continue;
        }
        const char *p = text + length;
        how->kind = forms[i].kind;
        bool good = how->kind != TXL_FORM_RATIONAL || (form_number(&p, &how->m) && *p++ == ',');
        good = good && form_number(&p, &how->n) && *p == '\0';
        const unsigned least = how->kind == TXL_FORM_ARECIP ? 0 : 1;
        const unsigned most = how->kind == TXL_FORM_ARECIP ? 3 : MOST;
        if (good && how->n >= least && how->n <= most && how->m <= MOST &&
            (how->kind != TXL_FORM_LUT || how->n == 3 || how->n == 6)) {
            return TXL_CONTINUE;
        }
    }
    return txl_fail(err,
                    "a form is poly:N, rational:M,N (1 to %d), lut:3, lut:6, arecip+newton:N (0 to "
                    "3), not '%s'",
                    MOST, text != NULL ? text : "");
}

/*
 * Parses a domain such as "fp32", "-1:1", "bf16:0:4". The code is made for all between the lowest
 * and the highest number of a union.
 */
static int read_domain(struct txl_error *err, const char *text, struct form_how *how)
{
    how->low = -INFINITY;
    how->high = INFINITY;
    how->whole = true;
    const char *p = text != NULL ? strchr(text, ':') : NULL;
    if (p == NULL) {
        return TXL_CONTINUE;
    }
    how->whole = false;
    how->low = INFINITY;
    how->high = -INFINITY;
    /* behind the format, or from the beginning where it is LOW:HIGH alone */
    bool good = true;
    for (p = strspn(text, "bftp0123456789") == (size_t)(p - text) && isalpha((unsigned char)text[0])
                 ? p + 1
                 : text;
         good && p != NULL;) {
        char *end = NULL;
        char *end_high = NULL;
        const double low = strtod(p, &end);
        const double high = *end == ':' ? strtod(end + 1, &end_high) : low;
        good = end != p && end_high != NULL && end_high != end + 1 && low < high &&
               (*end_high == '\0' || *end_high == ',');
        how->low = fmin(how->low, low);
        how->high = fmax(how->high, high);
        p = good && *end_high == ',' ? end_high + 1 : NULL;
    }
    return good ? TXL_CONTINUE
                : txl_fail(err, "a domain is fp32, bf16 or LOW:HIGH[,LOW:HIGH...], not '%s'", text);
}

/* ---- variants ---- */

static void start_code(const txl_form *f, struct form_code *c, bool pairs)
{
    memset(c, 0, sizeof *c);
    c->arch = f->how.arch;
    c->bf16 = f->how.dst == TX_DST_FORMAT_BF16;
    c->pairs = pairs;
}

/*
 * Makes the code of both schemes. Only Horner's is solved; Estrin's takes the coefficients over,
 * since both create them in the same order.
 */
static int make_codes(struct txl_error *err, const txl_form *f, struct attempt *a)
{
    int result = TXL_CONTINUE;
    for (unsigned i = 0; i < 2 && result == TXL_CONTINUE; i++) {
        start_code(f, &a->code[i], i != 0);
        result = form_function(err, &a->code[i], f->how.reference, &f->form);
        if (result == TXL_CONTINUE) {
            result = form_measure(err, &a->code[i]);
        }
    }
    if (result == TXL_CONTINUE) {
        result = form_solve(err, &a->code[0]);
    }
    for (unsigned i = 0; i < a->code[0].constants && result == TXL_CONTINUE; i++) {
        const bool used = a->code[1].constant[i].used;
        a->code[1].constant[i] = a->code[0].constant[i];
        a->code[1].constant[i].used = used;
    }
    memcpy(a->code[1].core, a->code[0].core, sizeof a->code[0].core);
    return result;
}

/*
 * Finds the plan with the fewest cycles per row; of equal ones Horner's scheme and fewer rows at
 * once.
 */
static int find_plan(struct txl_error *err, const txl_form *f, struct attempt *a)
{
    double best = INFINITY;
    unsigned done = 0;
    a->per_row[0] = a->per_row[1] = 0;
    for (unsigned pairs = f->how.scheme == 2; pairs < (f->how.scheme == 1 ? 1 : 2); pairs++) {
        for (unsigned rows = 1; rows <= ROWS; rows++) {
            for (unsigned registers = 0; registers <= REGISTERS; registers++) {
                struct form_code *c = &a->code[pairs];
                if (f->how.progress != NULL && !f->how.progress(f->how.user, done++, 0)) {
                    return txl_refuse(err, TXL_CANCELLED, "cancelled");
                }
                const struct form_patience patience = {a->until, isinf(best)};
                if (!isinf(best) && clock_seconds() >= a->until) {
                    a->late = true;
                    return TXL_CONTINUE;
                }
                if (!form_place(c, rows, registers, &patience, &a->plan)) {
                    continue;
                }
                const double per_row = (double)a->plan.length / rows;
                if (a->per_row[pairs] == 0 || per_row < a->per_row[pairs]) {
                    a->per_row[pairs] = per_row;
                }
                if (per_row < best) {
                    best = per_row;
                    a->best = a->plan;
                    a->best_code = *c;
                }
            }
        }
    }
    return isinf(best)
               ? txl_refuse(err, TXL_NEGATIVE, "%s as %s needs more registers than there are",
                            f->how.reference, f->how.form)
               : TXL_CONTINUE;
}

/* ---- the text, and its check on the machine ---- */

static int assemble(struct txl_error *err, const char *text, size_t size,
                    struct tx_program **program)
{
    const struct tx_asm_options as = {0};
    struct tx_diag diag = {0};
    const enum tx_status status = tx_assemble(text, size, &as, program, &diag);
    if (status == TX_ENOMEM) {
        return no_memory(err);
    }
    return status == TX_OK
               ? TXL_CONTINUE
               : txl_fail(err, "form: line %u of what it wrote: %s", diag.line, diag.message);
}

static int count_cycles(struct txl_error *err, const struct tx_program *program, uint64_t *cycles)
{
    struct tx_settings settings;
    struct tx_kernel_options options;
    tx_kernel *kernel = NULL;
    static const uint32_t zeros[TX_TILE_ELEMENTS];
    const uint32_t *const inputs[] = {zeros};
    uint32_t *out = zeroed(err, TX_TILE_ELEMENTS, sizeof *out);
    tx_settings_default(&settings, tx_program_arch(program));
    tx_kernel_options_default(&options);
    bool good = out != NULL && tx_kernel_open(&settings, program, &options, &kernel) == TX_OK &&
                tx_kernel_start(kernel) == TX_OK;
    const uint64_t before = good ? tx_machine_counters(tx_kernel_machine(kernel)).cycles : 0;
    good = good && tx_kernel_tile(kernel, 0, inputs, out) == TX_OK;
    if (good) {
        *cycles = tx_machine_counters(tx_kernel_machine(kernel)).cycles - before;
    }
    tx_kernel_close(kernel);
    free(out);
    return good ? TXL_CONTINUE : out == NULL ? TXL_INPUT : txl_fail(err, "form: it does not run");
}

/* Runs lint on the kernel; one with findings is not handed out. */
static int check(struct txl_error *err, const char *name, const struct tx_program *program)
{
    const struct txl_lint_options options = {.size = sizeof options};
    txl_lint *lint = NULL;
    int result = txl_lint_open(err, &options, &lint);
    if (result == TXL_OK) {
        result = txl_lint_program(err, lint, name, program);
    }
    if (result == TXL_OK && txl_lint_found(lint)) {
        const struct txl_lint_result *one = txl_lint_result(lint, 0);
        const struct txl_lint_finding *found = txl_lint_finding(one, 0);
        result = txl_fail(err, "form: lint finds fault with what it wrote: %s",
                          found != NULL ? found->finding->message : "an SFPNOP too many");
    }
    txl_lint_close(lint);
    return result == TXL_OK ? TXL_CONTINUE : result;
}

static int measure(struct txl_error *err, txl_form *f)
{
    struct tx_program *program = NULL;
    int result = assemble(err, f->text.text, f->text.size, &program);
    if (result == TXL_CONTINUE) {
        result = check(err, f->name, program);
    }
    if (result == TXL_CONTINUE) {
        result = count_cycles(err, program, &f->result.cycles);
    }
    tx_program_free(program);
    return result;
}

static int write_text(struct txl_error *err, txl_form *f, const struct attempt *a)
{
    const struct form_head head = {
        .reference = f->how.reference, .form = f->name, .dst = a->best_code.bf16 ? "bf16" : "fp32"};
    free(f->text.text);
    f->text.text = NULL;
    int result = memory_text_open(err, &f->text);
    if (result == TXL_CONTINUE) {
        form_write(f->text.stream, &a->best_code, &a->best, &head);
        result = memory_text_close(err, &f->text);
    }
    return result;
}

static void fill_result(txl_form *f, const struct attempt *a)
{
    const struct form_code *c = &a->best_code;
    f->result.kind = f->form.kind;
    f->result.m = f->form.m;
    f->result.n = f->form.n;
    f->result.pairs = c->pairs;
    f->result.rows = a->best.rows;
    f->result.row_cycles = (double)a->best.length / a->best.rows;
    f->result.other_row = a->per_row[c->pairs ? 0 : 1];
    f->result.late = a->late;
    f->result.error = 0;
    f->result.coefficients = 0;
    for (unsigned i = 0; i < c->cores; i++) {
        f->result.error = fmax(f->result.error, c->core[i].remez.error);
    }
    for (unsigned i = 0; i < c->constants; i++) {
        f->result.coefficients += c->constant[i].free && c->constant[i].used;
    }
}

static void name_form(txl_form *f)
{
    if (f->form.kind == TXL_FORM_RATIONAL) {
        snprintf(f->name, sizeof f->name, "rational:%u,%u", f->form.m, f->form.n);
    } else {
        snprintf(f->name, sizeof f->name, "%.24s%u",
                 f->form.kind == TXL_FORM_POLY  ? "poly:"
                 : f->form.kind == TXL_FORM_LUT ? "lut:"
                                                : "arecip+newton:",
                 f->form.n);
    }
}

/* Reduces the degree by one step. Returns false where there is no smaller form. */
static bool reduce(struct form_how *how)
{
    const unsigned least = how->kind == TXL_FORM_ARECIP ? 0 : 1;
    if (how->kind == TXL_FORM_RATIONAL && how->m > how->n) {
        how->m--;
        return true;
    }
    if (how->n <= least) {
        return false;
    }
    how->n--;
    return true;
}

static int write_degree(struct txl_error *err, txl_form *f, struct attempt *a)
{
    name_form(f);
    int result = make_codes(err, f, a);
    if (result == TXL_CONTINUE) {
        result = find_plan(err, f, a);
    }
    if (result == TXL_CONTINUE && clock_seconds() < a->until) {
        /*
         * Solve again, because only now it is known which coefficients have few bits. If that
         * fails, or time is over, they are only rounded.
         */
        a->code[0] = a->best_code;
        result = form_solve(NULL, &a->code[0]);
        if (result == TXL_CONTINUE) {
            a->best_code = a->code[0];
        }
        result = result == TXL_INPUT ? no_memory(err) : TXL_CONTINUE;
    }
    if (result == TXL_CONTINUE) {
        result = write_text(err, f, a);
    }
    if (result == TXL_CONTINUE) {
        fill_result(f, a);
        result = measure(err, f);
    }
    return result;
}

static bool watch_table(void *user, uint64_t done, uint64_t total)
{
    const struct txl_form *f = user;
    return clock_seconds() < f->until &&
           (f->how.progress == NULL || f->how.progress(f->how.user, done, total));
}

static int write_table(struct txl_error *err, txl_form *f)
{
    struct table t = {.arch = f->how.arch,
                      .reference = f->how.reference,
                      .bf16 = f->how.dst == TX_DST_FORMAT_BF16,
                      .wide = f->form.n == 6,
                      .progress = watch_table,
                      .user = f};
    const struct form_head head = {
        .reference = f->how.reference, .form = f->name, .dst = t.bf16 ? "bf16" : "fp32"};
    name_form(f);
    int result = table_find(err, &t);
    if (result == TXL_CANCELLED && clock_seconds() >= f->until) {
        if (err != NULL) {
            *err = (struct txl_error){.status = TXL_OK};
        }
        result = txl_refuse(err, TXL_NEGATIVE, "%s of %s is not found in %g seconds", f->name,
                            f->how.reference, f->how.seconds);
    }
    if (result == TXL_CONTINUE) {
        result = memory_text_open(err, &f->text);
    }
    if (result == TXL_CONTINUE) {
        table_write(f->text.stream, &t, &head);
        result = memory_text_close(err, &f->text);
    }
    if (result == TXL_CONTINUE) {
        f->result = (struct txl_form_result){.size = f->result.size,
                                             .kind = TXL_FORM_LUT,
                                             .n = f->form.n,
                                             .optimal = true,
                                             .rows = 1,
                                             .coefficients = 2 * t.pieces,
                                             .row_cycles = table_row(&t),
                                             .error = t.error};
        for (unsigned i = 0; i < t.pieces; i++) {
            f->result.tried += t.entry[i].pairs;
        }
        result = measure(err, f);
    }
    if (result == TXL_CONTINUE && f->how.budget != 0 && f->result.cycles > f->how.budget) {
        result = txl_refuse(err, TXL_NEGATIVE, "%s takes %llu cycles a tile, more than the budget",
                            f->name, (unsigned long long)f->result.cycles);
    }
    return result;
}

static int write_form(struct txl_error *err, txl_form *f)
{
    if (f->form.kind == TXL_FORM_LUT) {
        return write_table(err, f);
    }
    struct attempt *a = zeroed(err, 1, sizeof *a);
    if (a != NULL) {
        a->until = f->until;
    }
    int result = a != NULL ? write_degree(err, f, a) : TXL_INPUT;
    while (result == TXL_CONTINUE && f->how.budget != 0 && f->result.cycles > f->how.budget) {
        if (!reduce(&f->form)) {
            result = txl_refuse(err, TXL_NEGATIVE,
                                "%s as %s, the least of its kind, takes %llu cycles a tile, more "
                                "than the budget of %llu",
                                f->how.reference, f->name, (unsigned long long)f->result.cycles,
                                (unsigned long long)f->how.budget);
        } else {
            f->result.reduced = true;
            result = write_degree(err, f, a);
        }
    }
    free(a);
    return result;
}

static int take_options(struct txl_error *err, txl_form *f, const struct txl_form_options *options)
{
    int result = options_take(err, &f->how, sizeof f->how, options);
    if (result == TXL_CONTINUE && (f->how.reference == NULL || f->how.form == NULL)) {
        result = txl_fail(err, "a form needs a --form and a --reference");
    }
    if (result == TXL_CONTINUE && f->how.scheme > 2) {
        result = txl_fail(err, "there are two schemes of evaluation");
    }
    if (result == TXL_CONTINUE && f->how.arch == TX_ARCH_NONE) {
        result = txl_fail(err, "a form needs an --arch: kernels of the two chips differ");
    }
    f->began = clock_seconds();
    f->until = f->how.seconds > 0 ? f->began + f->how.seconds : INFINITY;
    f->how.dst = f->how.dst == TX_DST_FORMAT_UNSET ? TX_DST_FORMAT_FP32 : f->how.dst;
    if (result == TXL_CONTINUE && f->how.dst != TX_DST_FORMAT_FP32 &&
        f->how.dst != TX_DST_FORMAT_BF16) {
        result = txl_fail(err, "forms are written for fp32 and bf16");
    }
    if (result == TXL_CONTINUE) {
        result = read_form(err, f->how.form, &f->form);
    }
    return result == TXL_CONTINUE ? read_domain(err, f->how.domain, &f->form) : result;
}

int txl_form_write(struct txl_error *err, const struct txl_form_options *options, txl_form **out)
{
    *out = NULL;
    txl_form *f = zeroed(err, 1, sizeof *f);
    int result = f == NULL ? TXL_INPUT : take_options(err, f, options);
    if (result == TXL_CONTINUE) {
        result = write_form(err, f);
    }
    if (result == TXL_CONTINUE) {
        f->result.seconds = clock_seconds() - f->began;
        *out = f;
        return TXL_OK;
    }
    txl_form_close(f);
    return result;
}

void txl_form_close(txl_form *form)
{
    if (form != NULL) {
        free(form->text.text);
        free(form);
    }
}

const char *txl_form_text(const txl_form *form)
{
    return form->text.text;
}

void txl_form_result(const txl_form *form, struct txl_form_result *result)
{
    options_give(result, &form->result, sizeof form->result);
}

char *txl_form_report(const txl_form *form)
{
    const struct txl_form_result *r = &form->result;
    struct memory_text text;
    if (memory_text_open(NULL, &text) != TXL_CONTINUE) {
        return NULL;
    }
    fprintf(text.stream, "form            %s of %s%s\n", form->name, form->how.reference,
            r->reduced ? ", reduced to the budget" : "");
    fprintf(text.stream, "cycles          %llu a tile, %.5g a row, %u row%s at a time%s\n",
            (unsigned long long)r->cycles, r->row_cycles, r->rows, r->rows == 1 ? "" : "s",
            r->late ? "; ended by its time: the shortest so far" : "");
    if (r->other_row != 0) {
        fprintf(text.stream, "evaluation      %s form; %s takes %.5g cycles a row\n",
                r->pairs ? "Estrin's" : "Horner's", r->pairs ? "Horner's" : "Estrin's",
                r->other_row);
    }
    if (r->optimal) {
        fprintf(text.stream,
                "table           %u entries, largest absolute error %.4g, optimal: of %llu pairs "
                "of entries no other is better\n",
                r->coefficients, r->error, (unsigned long long)r->tried);
    } else {
        fprintf(text.stream, "coefficients    %u free, error of the approximation %.3g\n",
                r->coefficients, r->error);
    }
    return memory_text_take(&text);
}

txl_json *txl_form_json(struct txl_error *err, const txl_form *form)
{
    const struct txl_form_result *r = &form->result;
    txl_json *root = txl_json_object();
    txl_json_set_text(root, "form", form->name);
    txl_json_set_text(root, "reference", form->how.reference);
    txl_json_set_text(root, "arch", tx_arch_name(form->how.arch));
    JSON_MEMBERS(root, r, reduced, optimal);
    txl_json_set_text(root, "evaluation", r->pairs ? "estrin" : "horner");
    JSON_MEMBERS(root, r, rows, coefficients, cycles, row_cycles);
    txl_json_set_real(root, "other_row_cycles", r->other_row);
    JSON_MEMBERS(root, r, error, tried, late);
    if (root == NULL) {
        (void)no_memory(err);
    }
    return root;
}
