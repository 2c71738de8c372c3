/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the kernels of a front: form, scheme of evaluation, constants and schedule. The constants
 * stand in registers, so that the cycles of a schedule do not depend on their values, but on the
 * form and its scheme: the scheme that is longer as written may be the shorter one as scheduled.
 */
#include "front/front.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tensix-lab/fit.h>
#include <tensix-lab/form.h>
#include <tensix-lab/opt.h>
#include <tensix-lab/reference.h>
#include <tensix-lab/sweep.h>

#include "base/options.h"

static const char usual[] = "poly:1 poly:2 poly:3 poly:4 poly:5 poly:7 poly:9 rational:2,2 "
                            "arecip+newton:0 arecip+newton:1";

enum { SECONDS = 15 };

struct front_work {
    struct txl_front_options how;
    struct txl_fit_options fit;
    struct txl_front *front;
    const char *form; /* that is under way */
};

static void front_say(const struct front_work *w, const char *format, ...) TXL_PRINTF(2, 3);
static void front_say(const struct front_work *w, const char *format, ...)
{
    char line[256];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (w->fit.better != NULL) {
        w->fit.better(w->fit.user, line);
    }
}

static void leave_out(struct front_work *w, const char *why)
{
    struct txl_front *f = w->front;
    if (f->lefts < FRONT_MOST) {
        snprintf(f->left[f->lefts].form, sizeof f->left[0].form, "%s", w->form);
        snprintf(f->left[f->lefts++].why, sizeof f->left[0].why, "%s", why);
    }
    front_say(w, "%s: %s", w->form, why);
}

int txl_front_one(struct txl_error *err, const struct txl_form_options *form_how,
                  const struct txl_fit_options *fit, txl_form **form, txl_fit **search)
{
    struct txl_form_result made = {.size = sizeof made};
    struct txl_form_options how;
    struct txl_fit_options of;
    *form = NULL;
    *search = NULL;
    int result = options_take(err, &how, sizeof how, form_how);
    if (result == TXL_CONTINUE) {
        result = options_take(err, &of, sizeof of, fit);
    }
    if (result != TXL_CONTINUE) {
        return result;
    }
    how.reference = of.reference;
    how.arch = of.arch;
    how.dst = of.dst;
    how.domain = of.domain;
    how.progress = of.progress;
    how.user = of.user;
    how.seconds = of.seconds / 2;
    result = txl_form_write(err, &how, form);
    if (result != TXL_OK) {
        return result;
    }
    txl_form_result(*form, &made);
    if (made.optimal || made.coefficients == 0) {
        return TXL_OK;
    }
    if (of.seconds > 0) { /* what the search has left; no time at all would be no limit */
        of.seconds = fmax(of.seconds - made.seconds, 1e-3);
    }
    of.text = txl_form_text(*form);
    of.kernel = how.form;
    result = txl_fit_find(err, &of, search);
    if (result != TXL_OK) {
        txl_form_close(*form);
        *form = NULL;
    }
    return result;
}

/* Writes a kernel and searches its constants. TXL_NEGATIVE: there is no such form, as err says. */
static int constants(struct txl_error *err, const struct front_work *w, unsigned scheme,
                     struct front_kernel *k)
{
    const struct txl_form_options how = {.size = sizeof how, .form = w->form, .scheme = scheme};
    struct txl_fit_options search = w->fit;
    struct txl_form_result made = {.size = sizeof made};
    struct txl_fit_result r = {.size = sizeof r};
    txl_form *form = NULL;
    txl_fit *fit = NULL;
    search.better = NULL;
    int result = txl_front_one(err, &how, &search, &form, &fit);
    if (result == TXL_OK) {
        txl_form_result(form, &made);
        k->pairs = made.pairs;
        k->text = strdup(fit != NULL ? txl_fit_text(fit) : txl_form_text(form));
        result = k->text != NULL ? TXL_OK : no_memory(err);
    }
    if (result == TXL_OK && fit != NULL) {
        txl_fit_result(fit, &r);
        k->bound = r.bound;
        result = r.cancelled ? txl_refuse(err, TXL_CANCELLED, "cancelled") : TXL_OK;
    }
    txl_fit_close(fit);
    txl_form_close(form);
    return result;
}

static int program_of(struct txl_error *err, const struct front_work *w, const char *text,
                      struct tx_program **program)
{
    const struct tx_asm_options as = {.arch = w->fit.arch};
    struct tx_diag diag = {0};
    const enum tx_status status = tx_assemble(text, strlen(text), &as, program, &diag);
    return status == TX_OK       ? TXL_OK
           : status == TX_ENOMEM ? no_memory(err)
                                 : txl_fail(err, "line %u: %s", diag.line, diag.message);
}

/* Makes the kernel as short as it goes. */
static int shorten(struct txl_error *err, const struct front_work *w, struct front_kernel *k)
{
    const struct txl_opt_options how = {.size = sizeof how,
                                        .name = w->form,
                                        .domain = "bf16",
                                        .seconds = w->how.seconds - w->how.seconds / 3,
                                        .progress = w->fit.progress,
                                        .user = w->fit.user};
    struct txl_opt_result r = {.size = sizeof r};
    struct tx_program *program = NULL;
    txl_opt *opt = NULL;
    int result = program_of(err, w, k->text, &program);
    if (result == TXL_OK) {
        result = txl_opt_find(err, program, &how, &opt);
    }
    if (result == TXL_OK) {
        txl_opt_result(opt, &r);
        k->before = r.before;
        k->after = r.after;
        free(k->text);
        k->text = strdup(txl_opt_text(opt));
        result = k->text != NULL ? TXL_OK : no_memory(err);
    }
    txl_opt_close(opt);
    tx_program_free(program);
    return result;
}

/* Sweeps the kernel as it has become. */
static int judge(struct txl_error *err, const struct front_work *w, struct front_kernel *k)
{
    struct txl_sweep_report shown = {.size = sizeof shown, .worst = TXL_SWEEP_WORST};
    struct txl_sweep_figures r = {.size = sizeof r};
    struct txl_sweep_about about = {.size = sizeof about};
    struct tx_program *program = NULL;
    txl_sweep *sweep = NULL;
    char name[64];
    snprintf(name, sizeof name, "%s, %s, %llu cycles", w->form, k->pairs ? "Estrin" : "Horner",
             (unsigned long long)k->after);
    int result = program_of(err, w, k->text, &program);
    const struct txl_sweep_options how = {.size = sizeof how,
                                          .kernel = name,
                                          .program = program,
                                          .arch = w->fit.arch,
                                          .domain = w->fit.domain,
                                          .reference = w->fit.reference,
                                          .jobs = w->fit.jobs,
                                          .compiler = w->fit.compiler,
                                          .progress = w->fit.progress,
                                          .user = w->fit.user};
    if (result == TXL_OK) {
        result = txl_sweep_open(err, &how, &sweep);
    }
    if (result == TXL_OK) {
        result = txl_sweep_run(err, sweep);
    }
    if (result == TXL_OK) {
        result = txl_sweep_finish(err, sweep);
    }
    if (result == TXL_OK) {
        txl_sweep_figures(sweep, &r);
        txl_sweep_about(sweep, &about);
        k->error = r.max_unrounded;
        txl_json *view = txl_sweep_view(err, sweep, &shown);
        txl_json_append(w->front->views, view);
        result = view == NULL ? TXL_INPUT
                 : about.findings != 0
                     ? txl_fail(err, "%s: a kernel of the front has findings", w->form)
                     : TXL_OK;
    }
    txl_sweep_close(sweep);
    tx_program_free(program);
    return result;
}

/* Whether a kernel of these cycles and this error is beaten by another one. */
static bool beats(const struct front_kernel *a, const struct front_kernel *b)
{
    return a->after <= b->after && a->error <= b->error &&
           (a->after < b->after || a->error < b->error);
}

/* The kernel of a form and scheme of evaluation. */
static int one(struct txl_error *err, struct front_work *w, unsigned scheme)
{
    struct txl_front *f = w->front;
    struct front_kernel k = {.text = NULL};
    struct txl_error why = {.status = TXL_OK};
    int result = constants(&why, w, scheme, &k);
    if (result == TXL_NEGATIVE && scheme == 1) {
        leave_out(w, why.message);
    }
    if (result != TXL_OK) {
        free(k.text);
        if (result != TXL_NEGATIVE) {
            *err = why;
        }
        return result == TXL_NEGATIVE ? TXL_OK : result;
    }
    if (w->how.error > 0 && k.bound > w->how.error) {
        char text[96];
        snprintf(text, sizeof text, "no coefficients are better than %.3f ULP", k.bound);
        leave_out(w, text);
        free(k.text);
        return TXL_OK;
    }
    result = shorten(err, w, &k);
    if (result == TXL_OK) {
        result = judge(err, w, &k);
    }
    if (result != TXL_OK || f->kernels == FRONT_MOST) {
        free(k.text);
        return result;
    }
    snprintf(k.form, sizeof k.form, "%s", w->form);
    front_say(w, "%s, %s: %llu cycles a tile, %.3f ULP", w->form, k.pairs ? "Estrin" : "Horner",
              (unsigned long long)k.after, k.error);
    f->kernel[f->kernels++] = k;
    return TXL_OK;
}

/* Whether two texts are equal but for their comments. */
static bool same_code(const char *a, const char *b)
{
    while (*a != '\0' && *b != '\0') {
        const size_t of_a = strcspn(a, "\n");
        const size_t of_b = strcspn(b, "\n");
        if (of_a == of_b ? memcmp(a, b, of_a) != 0 && (*a != '#' || *b != '#')
                         : *a != '#' || *b != '#') {
            return false;
        }
        a += of_a + (a[of_a] != '\0');
        b += of_b + (b[of_b] != '\0');
    }
    return *a == *b;
}

/* Whether Estrin's scheme makes another kernel of the form. */
static bool has_estrin(const struct front_work *w)
{
    txl_form *form[2] = {NULL, NULL};
    bool both = true;
    for (unsigned i = 0; i < 2 && both; i++) {
        const struct txl_form_options how = {.size = sizeof how,
                                             .form = w->form,
                                             .reference = w->fit.reference,
                                             .arch = w->fit.arch,
                                             .dst = w->fit.dst,
                                             .domain = w->fit.domain,
                                             .progress = w->fit.progress,
                                             .user = w->fit.user,
                                             .scheme = i + 1};
        both = txl_form_write(NULL, &how, &form[i]) == TXL_OK;
    }
    both = both && !same_code(txl_form_text(form[0]), txl_form_text(form[1]));
    txl_form_close(form[0]);
    txl_form_close(form[1]);
    return both;
}

static int front_order(const void *a, const void *b)
{
    const struct front_kernel *x = a;
    const struct front_kernel *y = b;
    return x->after != y->after   ? (x->after < y->after ? -1 : 1)
           : x->error != y->error ? (x->error < y->error ? -1 : 1)
                                  : strcmp(x->form, y->form);
}

static int each_form(struct txl_error *err, struct front_work *w)
{
    struct txl_front *f = w->front;
    char form[sizeof f->kernel[0].form];
    int result = TXL_OK;
    int length = 0;
    const char *at = w->how.forms;
    w->form = form;
    for (; result == TXL_OK && sscanf(at, "%31s%n", form, &length) == 1; at += length) {
        const size_t lefts = f->lefts;
        result = one(err, w, 1);
        if (result == TXL_OK && f->lefts == lefts && has_estrin(w)) {
            result = one(err, w, 2);
        }
    }
    qsort(f->kernel, f->kernels, sizeof f->kernel[0], front_order);
    for (size_t i = 0; i < f->kernels; i++) {
        for (size_t j = 0; j < f->kernels; j++) {
            f->kernel[i].beaten = f->kernel[i].beaten || beats(&f->kernel[j], &f->kernel[i]);
        }
    }
    return result;
}

static int take(struct txl_error *err, struct front_work *w,
                const struct txl_front_options *options)
{
    struct txl_front *f = w->front;
    int result = options_take(err, &w->how, sizeof w->how, options);
    if (result != TXL_CONTINUE) {
        return result;
    }
    if (w->how.fit == NULL) {
        return txl_fail(err, "a front needs options of its searches");
    }
    result = options_take(err, &w->fit, sizeof w->fit, w->how.fit);
    if (result != TXL_CONTINUE) {
        return result;
    }
    if (w->fit.reference == NULL || w->fit.arch == TX_ARCH_NONE) {
        return txl_fail(err, "a front needs a --reference and an --arch");
    }
    if (!(w->how.error >= 0)) {
        return txl_fail(err, "an error in ULP is not below 0");
    }
    if (w->how.page != NULL && (result = txl_sweep_check_file(err, w->how.page)) != TXL_OK) {
        return result;
    }
    w->how.forms = w->how.forms != NULL ? w->how.forms : usual;
    w->how.seconds = w->how.seconds != 0 ? w->how.seconds : SECONDS;
    w->fit.dst = w->fit.dst != TX_DST_FORMAT_UNSET ? w->fit.dst : TX_DST_FORMAT_BF16;
    w->fit.domain = w->fit.domain != NULL ? w->fit.domain : "bf16";
    w->fit.objective = TXL_FIT_UNROUNDED;
    w->fit.restarts = 1;
    w->fit.bound = true;
    w->fit.seconds = (double)w->how.seconds / 3;
    snprintf(f->reference, sizeof f->reference, "%s", w->fit.reference);
    snprintf(f->domain, sizeof f->domain, "%s", w->fit.domain);
    f->arch = w->fit.arch;
    f->dst = w->fit.dst;
    f->limit = w->how.error;
    f->cycles = w->how.cycles;
    f->views = txl_json_array();
    return f->views != NULL ? TXL_OK : no_memory(err);
}

/* A misspelt name is told before every form says that it cannot be written. */
static int is_function(struct txl_error *err, const char *name)
{
    txl_reference *reference = NULL;
    const char *end = name != NULL ? strrchr(name, '.') : NULL;
    if (name == NULL || (end != NULL && (strcmp(end, ".py") == 0 || strcmp(end, ".so") == 0))) {
        return TXL_OK;
    }
    const int result =
        txl_reference_open(err, name, TX_DST_FORMAT_UNSET, TX_DST_FORMAT_UNSET, &reference);
    txl_reference_close(reference);
    return result;
}

int txl_front_find(struct txl_error *err, const struct txl_front_options *options, txl_front **out)
{
    struct front_work w = {.front = zeroed(err, 1, sizeof *w.front)};
    struct txl_error own = {.status = TXL_OK};
    *out = NULL;
    if (w.front == NULL) {
        return TXL_INPUT;
    }
    err = err != NULL ? err : &own;
    int result = take(err, &w, options);
    if (result == TXL_OK) {
        result = is_function(err, w.fit.reference);
    }
    if (result == TXL_OK) {
        result = each_form(err, &w);
    }
    if (result == TXL_OK && w.front->kernels == 0) {
        result = txl_refuse(err, TXL_NEGATIVE, "%s: no kernel; %s: %s", w.front->reference,
                            w.front->lefts != 0 ? w.front->left[0].form : "forms",
                            w.front->lefts != 0 ? w.front->left[0].why : "none is given");
    }
    if (result == TXL_OK && w.how.page != NULL) {
        result = txl_sweep_html(err, w.front->views, w.how.page);
    }
    if (result != TXL_OK) {
        txl_front_close(w.front);
        return result;
    }
    *out = w.front;
    return TXL_OK;
}

void txl_front_close(txl_front *f)
{
    if (f != NULL) {
        for (size_t i = 0; i < f->kernels; i++) {
            free(f->kernel[i].text);
        }
        txl_json_free(f->views);
        free(f);
    }
}

size_t front_best(const struct txl_front *f)
{
    size_t best = f->kernels;
    for (size_t i = 0; i < f->kernels; i++) { /* the shortest first */
        const struct front_kernel *k = &f->kernel[i];
        const bool able =
            f->limit > 0 ? k->error <= f->limit : f->cycles == 0 || k->after <= f->cycles;
        if (able && (best == f->kernels || (f->limit <= 0 && k->error < f->kernel[best].error))) {
            best = i;
        }
    }
    return best;
}
