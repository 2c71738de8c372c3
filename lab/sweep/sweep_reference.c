/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reference of a sweep: a named function, the caller's function, or a file in a child process.
 */
#include "sweep/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct sweep_oracle {
    const struct sweep_reference *reference;
    enum tx_dst_format dst, out; /* formats of inputs and of results */
    struct reference_work *work; /* for a named function */
    struct sweep_child *child;   /* for a file */
    double *numbers;             /* room for SWEEP_BATCH_ELEMENTS times the operands */
};

/* ---- finding it ---- */

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text);
    size_t tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

static int find_file(struct txl_error *err, const char *name, unsigned inputs,
                     struct sweep_reference *reference)
{
    size_t length = 0;
    char *data = txl_read_file(err, name, &length);
    if (data == NULL) {
        return TXL_INPUT;
    }
    reference->python = ends_with(name, ".py");
    reference->inputs = inputs;
    reference->hash = sweep_hash(SWEEP_HASH, data, length);
    free(data);
    return TXL_CONTINUE;
}

int sweep_reference_find(struct txl_error *err, const char *name, bool given, unsigned inputs,
                         struct sweep_reference *reference)
{
    const bool file = ends_with(name, ".py") || ends_with(name, ".so");
    if (file && !given) {
        return txl_fail_option(
            err, NULL, "reference",
            "the kernel names the program %s, which only the caller may name, if it trusts it",
            name);
    }
    if (name[0] == '\0') {
        return txl_fail_option(err, NULL, "reference",
                               "the kernel states no .reference, and none is given");
    }
    if (strlen(name) >= sizeof reference->name) {
        return txl_fail_option(err, NULL, "reference", "longer than %zu letters",
                               sizeof reference->name - 1);
    }
    snprintf(reference->name, sizeof reference->name, "%s", name);
    if (file) {
        return find_file(err, name, inputs, reference);
    }
    if (reference_named(err, name, &reference->named) != TXL_OK) {
        return TXL_INPUT;
    }
    reference->by_name = true;
    reference->inputs = reference->named.inputs;
    reference->hash = sweep_hash(SWEEP_HASH, name, strlen(name));
    return reference->inputs == inputs
               ? TXL_CONTINUE
               : txl_fail_option(err, NULL, "reference", "%s has %u inputs, the kernel %u", name,
                                 reference->inputs, inputs);
}

int sweep_direction(const struct sweep_reference *reference, bool negative)
{
    static const struct {
        const char *name;
        int below, above; /* on each side of zero */
    } known[] = {
        {"exp", 1, 1},        {"exp2", 1, 1},     {"expm1", 1, 1},       {"log", 1, 1},
        {"log2", 1, 1},       {"log10", 1, 1},    {"log1p", 1, 1},       {"sqrt", 1, 1},
        {"cbrt", 1, 1},       {"tanh", 1, 1},     {"sigmoid", 1, 1},     {"erf", 1, 1},
        {"erfc", -1, -1},     {"sinh", 1, 1},     {"cosh", -1, 1},       {"asin", 1, 1},
        {"acos", -1, -1},     {"atan", 1, 1},     {"asinh", 1, 1},       {"acosh", 1, 1},
        {"atanh", 1, 1},      {"recip", -1, -1},  {"rsqrt", -1, -1},     {"relu", 1, 1},
        {"square", -1, 1},    {"abs", -1, 1},     {"neg", -1, -1},       {"identity", 1, 1},
        {"floor", 1, 1},      {"ceil", 1, 1},     {"trunc", 1, 1},       {"round", 1, 1},
        {"sign", 1, 1},       {"softplus", 1, 1}, {"i0", -1, 1},         {"i1", 1, 1},
        {"erfinv", 1, 1},     {"lambertw", 1, 1}, {"softsign", 1, 1},    {"relu6", 1, 1},
        {"elu", 1, 1},        {"selu", 1, 1},     {"hardsigmoid", 1, 1}, {"logsigmoid", 1, 1},
        {"tanhshrink", 1, 1},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(known[i].name, reference->name) == 0) {
            return negative ? known[i].below : known[i].above;
        }
    }
    return 0;
}

/* ---- per thread ---- */

int sweep_oracle_open(struct txl_error *err, const struct sweep_reference *reference,
                      enum tx_dst_format dst, enum tx_dst_format out, struct sweep_oracle **opened)
{
    struct sweep_oracle *o = calloc(1, sizeof *o);
    if (o == NULL) {
        return txl_fail(err, "out of memory");
    }
    *opened = o;
    o->reference = reference;
    o->dst = dst;
    o->out = out;
    if (reference->by_name) {
        /* MPFR's variables belong to the thread, so it is opened at its first use. */
        return TXL_CONTINUE;
    }
    o->numbers = calloc((size_t)SWEEP_BATCH_ELEMENTS * reference->inputs, sizeof *o->numbers);
    if (o->numbers == NULL) {
        return txl_fail(err, "out of memory");
    }
    return reference->function != NULL ? TXL_CONTINUE : sweep_child_open(err, reference, &o->child);
}

void sweep_oracle_close(struct sweep_oracle *o)
{
    if (o == NULL) {
        return;
    }
    reference_close(o->work);
    sweep_child_close(o->child);
    free(o->numbers);
    free(o);
}

void sweep_oracle_watch(struct sweep_oracle *o, const struct sweep_patience *patience)
{
    if (o->child != NULL) {
        sweep_child_watch(o->child, patience);
    }
}

static int of_file(struct sweep_oracle *o, const uint32_t *const *inputs, size_t count,
                   uint32_t *expected, uint8_t *below, double *value, struct txl_error *err)
{
    unsigned operands = o->reference->inputs;
    for (size_t i = 0; i < count; i++) {
        for (unsigned k = 0; k < operands && k < SWEEP_INPUTS; k++) {
            o->numbers[i * operands + k] = number_of(o->dst, inputs[k][i], true);
        }
    }
    const struct sweep_reference *r = o->reference;
    for (size_t i = 0; i < count && r->function != NULL; i++) {
        value[i] = r->function(r->user, &o->numbers[i * operands]);
    }
    const int result = r->function == NULL
                           ? sweep_child_ask(o->child, o->numbers, count, value, err)
                           : TXL_CONTINUE;
    for (size_t i = 0; i < count && result == TXL_CONTINUE; i++) {
        expected[i] = reference_round(o->out, value[i], &below[i]);
    }
    return result;
}

/* Opens the named function at its first use. */
static int open_work(struct sweep_oracle *o, struct txl_error *err)
{
    if (o->work == NULL) {
        o->work = reference_open(&o->reference->named, o->out);
        if (o->work == NULL) {
            return no_memory(err);
        }
        reference_inputs(o->work, o->dst);
    }
    return TXL_CONTINUE;
}

int sweep_oracle_words(struct sweep_oracle *o, const uint32_t *const *inputs, size_t count,
                       uint32_t *expected, uint8_t *below, double *value, struct txl_error *err)
{
    if (!o->reference->by_name) {
        return of_file(o, inputs, count, expected, below, value, err);
    }
    const int result = open_work(o, err);
    if (result == TXL_CONTINUE) {
        reference_words(o->work, inputs, count, expected, below, value);
    }
    return result;
}

int sweep_oracle_unrounded(struct sweep_oracle *o, const uint32_t *x, double *value,
                           struct txl_error *err)
{
    const uint32_t *const inputs[SWEEP_INPUTS] = {&x[0], &x[1], &x[2]};
    double numbers[SWEEP_INPUTS];
    uint32_t expected = 0;
    uint8_t below = 0;
    if (!o->reference->by_name) {
        return of_file(o, inputs, 1, &expected, &below, value, err);
    }
    const int result = open_work(o, err);
    if (result != TXL_CONTINUE) {
        return result;
    }
    for (unsigned k = 0; k < o->reference->inputs; k++) {
        numbers[k] = number_of(o->dst, x[k], true);
    }
    *value = reference_unrounded(o->work, numbers);
    return TXL_CONTINUE;
}

double sweep_oracle_tolerance(const struct sweep_oracle *o)
{
    return o->work == NULL ? 0.0 : reference_tolerance(o->work);
}

double sweep_oracle_distance(struct sweep_oracle *o, const double *x, double value, double expected,
                             double got)
{
    if (o->work != NULL) {
        return reference_distance(o->work, x, expected, got);
    }
    const struct number_format *f = number_format(o->out);
    const double from = number_is_limit(f, expected) ? expected : value;
    const double exact = fabs(ulp_apart(f, expected, from, got));
    return floor(exact * 1024.0) / 1024.0;
}
