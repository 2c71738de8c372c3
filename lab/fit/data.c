/* SPDX-License-Identifier: Apache-2.0 */
/* The inputs on which candidates are evaluated, with the reference's values for them. */
#include "fit/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

int fit_data_open(struct txl_error *err, struct fit_data *data, unsigned inputs, size_t room)
{
    room = (room + FIT_TILE - 1) / FIT_TILE * FIT_TILE;
    *data = (struct fit_data){.room = room};
    bool good = true;
    for (unsigned i = 0; i < inputs; i++) {
        data->in[i] = calloc(room, sizeof *data->in[i]);
        good = good && data->in[i] != NULL;
    }
    data->expected = calloc(room, sizeof *data->expected);
    data->below = calloc(room, sizeof *data->below);
    data->value = calloc(room, sizeof *data->value);
    good = good && data->expected != NULL && data->below != NULL && data->value != NULL;
    return good ? TXL_CONTINUE : no_memory(err);
}

void fit_data_free(struct fit_data *data)
{
    for (unsigned i = 0; i < FIT_INPUTS; i++) {
        free(data->in[i]);
    }
    free(data->expected);
    free(data->below);
    free(data->value);
    *data = (struct fit_data){.count = 0};
}

void fit_data_copy(const struct txl_fit *fit, struct fit_data *into, size_t to,
                   const struct fit_data *data, size_t from)
{
    for (unsigned i = 0; i < fit->inputs; i++) {
        into->in[i][to] = data->in[i][from];
    }
    into->expected[to] = data->expected[from];
    into->below[to] = data->below[from];
    into->value[to] = data->value[from];
}

void fit_data_pad(const struct txl_fit *fit, struct fit_data *data)
{
    for (size_t i = data->count; i % FIT_TILE != 0; i++) {
        fit_data_copy(fit, data, i, data, data->count - 1);
    }
}

/*
 * Asks the reference for the expected values of elements first .. first + count - 1, whose inputs
 * are already filled in.
 */
static int ask(struct txl_error *err, struct txl_fit *fit, struct fit_data *data, size_t first,
               size_t count)
{
    int result = TXL_CONTINUE;
    for (size_t done = 0; done < count && result == TXL_CONTINUE;) {
        const size_t at = first + done;
        const size_t n = count - done < SWEEP_BATCH_ELEMENTS ? count - done : SWEEP_BATCH_ELEMENTS;
        const uint32_t *in[FIT_INPUTS] = {NULL};
        for (unsigned i = 0; i < fit->inputs; i++) {
            in[i] = data->in[i] + at;
        }
        result = sweep_oracle_words(fit->oracle, in, n, data->expected + at, data->below + at,
                                    data->value + at, err);
        for (size_t e = at; e < at + n && result == TXL_CONTINUE; e++) {
            uint32_t x[FIT_INPUTS] = {0};
            for (unsigned i = 0; i < fit->inputs; i++) {
                x[i] = data->in[i][e];
            }
            if (isnan(data->value[e]) && !word_is_nan(data->expected[e])) {
                result = sweep_oracle_unrounded(fit->oracle, x, &data->value[e], err);
            }
        }
        done += n;
    }
    return result;
}

/* Returns a word as Dst can hold it. */
static uint32_t held(const struct txl_fit *fit, uint32_t word)
{
    bool changed;
    return tx_dst_encode(fit->dst, word, &changed);
}

static bool same_element(const struct txl_fit *fit, size_t a, const uint32_t *const *in, size_t b)
{
    bool same = true;
    for (unsigned i = 0; i < fit->inputs; i++) {
        same = same && fit->data.in[i][a] == in[i][b];
    }
    return same;
}

int fit_data_grow(struct txl_error *err, struct txl_fit *fit, const uint32_t *const *in,
                  size_t count, size_t *added)
{
    struct fit_data *d = &fit->data;
    const size_t first = d->count;
    *added = 0;
    for (size_t e = 0; e < count && d->count < d->room; e++) {
        bool there = false;
        for (size_t i = 0; !there && i < d->count; i++) {
            there = same_element(fit, i, in, e);
        }
        if (!there) {
            for (unsigned i = 0; i < fit->inputs; i++) {
                d->in[i][d->count] = in[i][e];
            }
            d->count++;
            ++*added;
        }
    }
    fit->grown += *added;
    const int result = ask(err, fit, d, first, *added);
    fit_data_pad(fit, d);
    return result;
}

/* ---- pins ---- */

static bool read_number(const char **text, enum tx_dst_format format, char end, uint32_t *word)
{
    char *stop = NULL;
    const double value = strtod(*text, &stop);
    if (stop == *text || *stop != end) {
        return false;
    }
    *text = stop + (end != '\0');
    *word = txl_number_word(format, value);
    *word |= !number_format(format)->integer && signbit(value) ? 0x80000000U : 0;
    return true;
}

static int read_pins(struct txl_error *err, struct txl_fit *fit)
{
    struct fit_data *p = &fit->pins;
    const unsigned count = fit->options.pin_count;
    if (count > 1024) {
        return txl_fail_option(err, NULL, "pin", "there are more than 1024");
    }
    int result = count != 0 ? fit_data_open(err, p, fit->inputs, count) : TXL_CONTINUE;
    for (unsigned e = 0; e < count && result == TXL_CONTINUE; e++) {
        const char *text = fit->options.pins[e];
        bool good = true;
        for (unsigned i = 0; good && i < fit->inputs; i++) {
            const char end = i + 1 == fit->inputs ? '=' : ',';
            good = read_number(&text, fit->dst, end, &p->in[i][e]);
            p->in[i][e] = held(fit, p->in[i][e]);
        }
        if (!good || !read_number(&text, fit->out, '\0', &p->expected[e])) {
            result = txl_fail_option(err, NULL, "pin", "'%s' is not X=Y", fit->options.pins[e]);
        }
        p->value[e] = number_of(fit->out, p->expected[e], false);
        p->count = e + 1;
    }
    if (result == TXL_CONTINUE && count != 0) {
        fit_data_pad(fit, p);
    }
    return result;
}

/* ---- the sample ---- */

int fit_data_first(struct txl_error *err, struct txl_fit *fit)
{
    const uint64_t all = fit->domain.count;
    fit->whole = all <= FIT_ALL;
    const size_t count = fit->whole ? (size_t)all : FIT_SAMPLE;
    struct fit_data *d = &fit->data;
    int result = fit_data_open(err, d, fit->inputs, fit->whole ? count : 2 * count);
    if (result == TXL_CONTINUE) {
        result = fit_data_open(err, &fit->active, fit->inputs, FIT_ACTIVE);
    }
    if (result != TXL_CONTINUE) {
        return result;
    }
    for (size_t e = 0; e < count; e++) {
        uint32_t *to[FIT_INPUTS] = {NULL};
        /* spread evenly, both ends included */
        const uint64_t index =
            fit->whole ? e : (uint64_t)((long double)(all - 1) * e / (count - 1));
        for (unsigned i = 0; i < fit->inputs; i++) {
            to[i] = d->in[i] + e;
        }
        domain_fill(&fit->domain, index, 1, to);
        for (unsigned i = 0; i < fit->inputs; i++) {
            *to[i] = held(fit, *to[i]);
        }
    }
    d->count = count;
    result = ask(err, fit, d, 0, count);
    fit_data_pad(fit, d);
    return result == TXL_CONTINUE ? read_pins(err, fit) : result;
}
