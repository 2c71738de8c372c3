/* SPDX-License-Identifier: Apache-2.0 */
/* A front for people, as JSON, and as a page of sweeps. */
#include "front/front.h"

#include <stdlib.h>
#include <string.h>

#include "base/options.h"

static bool give(const struct txl_front *f, size_t index, struct txl_front_point *point)
{
    if (index >= f->kernels) {
        return false;
    }
    const struct front_kernel *k = &f->kernel[index];
    const struct txl_front_point own = {.size = sizeof own,
                                        .form = k->form,
                                        .pairs = k->pairs,
                                        .front = !k->beaten,
                                        .before = k->before,
                                        .after = k->after,
                                        .error = k->error,
                                        .bound = k->bound,
                                        .text = k->text};
    options_give(point, &own, sizeof own);
    return true;
}

bool txl_front_point(const txl_front *f, size_t index, struct txl_front_point *point)
{
    return give(f, index, point);
}

bool txl_front_best(const txl_front *f, struct txl_front_point *point)
{
    return give(f, front_best(f), point);
}

char *txl_front_report(const txl_front *f)
{
    struct memory_text text;
    if (memory_text_open(NULL, &text) != TXL_CONTINUE) {
        return NULL;
    }
    fprintf(text.stream, "front           %s on %s, %s; * nothing is as short and as exact\n",
            f->reference, tx_arch_name(f->arch), f->domain);
    fputs("  cycles  as written   max ULP  no coefficients are better\n", text.stream);
    for (size_t i = 0; i < f->kernels; i++) {
        const struct front_kernel *k = &f->kernel[i];
        char bound[16] = "-";
        if (k->bound > 0) {
            snprintf(bound, sizeof bound, "%.3f", k->bound);
        }
        fprintf(text.stream, "%c %6llu  %10llu  %8.3f  %-8s  %s, %s\n", k->beaten ? ' ' : '*',
                (unsigned long long)k->after, (unsigned long long)k->before, k->error, bound,
                k->form, k->pairs ? "Estrin's form" : "Horner's form");
    }
    for (size_t i = 0; i < f->lefts; i++) {
        fprintf(text.stream, "left out        %s: %s\n", f->left[i].form, f->left[i].why);
    }
    const size_t best = front_best(f);
    if (best < f->kernels) {
        fprintf(text.stream, "best            %s: %llu cycles, %.3f ULP\n", f->kernel[best].form,
                (unsigned long long)f->kernel[best].after, f->kernel[best].error);
    } else {
        fputs("best            none\n", text.stream);
    }
    return memory_text_take(&text);
}

txl_json *txl_front_json(struct txl_error *err, const txl_front *f)
{
    txl_json *root = txl_json_object();
    txl_json *points = txl_json_array();
    txl_json *left = txl_json_array();
    const size_t best = front_best(f);
    txl_json_set_text(root, "reference", f->reference);
    txl_json_set_text(root, "arch", tx_arch_name(f->arch));
    txl_json_set_text(root, "domain", f->domain);
    for (size_t i = 0; i < f->kernels; i++) {
        const struct front_kernel *k = &f->kernel[i];
        txl_json *one = txl_json_object();
        txl_json_set_text(one, "form", k->form);
        txl_json_set_text(one, "evaluation", k->pairs ? "estrin" : "horner");
        txl_json_set_int(one, "cycles_before", k->before);
        txl_json_set_int(one, "cycles", k->after);
        txl_json_set_real(one, "max_ulp_unrounded", k->error);
        txl_json_set(one, "bound", k->bound > 0 ? txl_json_real(k->bound) : txl_json_null());
        txl_json_set_bool(one, "front", !k->beaten);
        txl_json_set_bool(one, "best", i == best);
        txl_json_append(points, one);
    }
    for (size_t i = 0; i < f->lefts; i++) {
        txl_json *one = txl_json_object();
        txl_json_set_text(one, "form", f->left[i].form);
        txl_json_set_text(one, "reason", f->left[i].why);
        txl_json_append(left, one);
    }
    txl_json_set(root, "points", points);
    txl_json_set(root, "left_out", left);
    if (root == NULL) {
        (void)no_memory(err);
    }
    return root;
}
