/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Converts values of constants between numbers, positions in the order of their format, and text.
 */
#include "fit/fit.h"
#include "base/small.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double fit_value(const struct tx_free_constant *f, int64_t order)
{
    const uint32_t bits = tx_free_fp32(f->kind, tx_free_bits(f->kind, order));
    return f->kind == TX_FREE_INT ? (double)order : (double)float_of_bits(bits);
}

int64_t fit_order_of(const struct tx_free_constant *f, double value)
{
    int64_t low;
    int64_t high;
    tx_free_limits(f->kind, &low, &high);
    while (low < high) { /* finds the first value that is not smaller */
        const int64_t middle = low + (high - low) / 2;
        if (fit_value(f, middle) < value) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const bool below = value - fit_value(f, low - 1) < fit_value(f, low) - value;
    return low - below;
}

void fit_value_text(const struct txl_fit *fit, unsigned k, int64_t order, char text[48])
{
    const struct tx_free_constant *f = &fit->free[k];
    if (fit->hexadecimal[k] && (f->kind != TX_FREE_INT || order >= 0)) {
        snprintf(text, 48, "0x%08x", (unsigned)tx_free_bits(f->kind, order));
        return;
    }
    if (f->kind == TX_FREE_INT) {
        snprintf(text, 48, "%lld", (long long)order);
        return;
    }
    /* Use as few digits as distinguish it safely from its neighbours. */
    const double value = fit_value(f, order);
    const double up = fabs(fit_value(f, order + 1) - value);
    const double down = fabs(value - fit_value(f, order - 1));
    const double gap = up == 0.0 ? down : down == 0.0 ? up : fmin(up, down);
    for (int digits = 1; digits <= 10; digits++) {
        snprintf(text, 48, "float(%.*g)", digits, value);
        if (fabs(strtod(text + 6, NULL) - value) <= 0.3 * gap) {
            return;
        }
    }
}
