/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out what a conversion did to the values: rounded, flushed, saturated and so on. */
#include "data/convert.h"

#include <math.h>

#include <tensix-lab/reference.h>

void loss_start(struct loss *loss, enum tx_format from, enum tx_format to, bool host)
{
    *loss = (struct loss){.integer = tx_format_info(to)->integer,
                          .is_unsigned = from == TX_FORMAT_UINT32,
                          .limit = tx_format_limit(to)};
    if (host && to == TX_FORMAT_FP8_E4M3) {
        loss->limit = 0x43700000; /* 240, because tt-metal takes the exponent above for NaN */
    }
}

static double loss_number(const struct loss *loss, uint32_t word)
{
    if (loss->integer) {
        return loss->is_unsigned ? (double)word : (double)(int32_t)word;
    }
    return txl_word_number(TX_DST_FORMAT_FP32, word, false);
}

static double measure(const struct loss *loss, enum tx_loss kind, uint32_t before, uint32_t after)
{
    double a = loss_number(loss, before);
    switch (kind) {
    case TX_LOSS_ROUNDED:
        return fabs((loss_number(loss, after) - a) / a);
    case TX_LOSS_FLUSHED:
    case TX_LOSS_SATURATED:
        return fabs(a);
    default:
        return 0.0; /* all are alike; the first one is shown */
    }
}

void loss_add(struct loss *loss, const struct region *region, const uint32_t *before,
              const uint32_t *after)
{
    size_t count = region->height * region->width;
    for (size_t i = 0; i < count; i++) {
        if (before[i] == after[i]) {
            loss->count[TX_LOSS_EXACT]++;
            continue;
        }
        enum tx_loss kind = tx_loss_of(loss->integer, before[i], after[i], loss->limit);
        struct loss_case one = {.element = region_element(region, i),
                                .before = before[i],
                                .after = after[i],
                                .measure = measure(loss, kind, before[i], after[i])};
        struct loss_case *worst = &loss->worst[kind];
        if (loss->count[kind]++ == 0 || one.measure > worst->measure ||
            (one.measure == worst->measure && one.element < worst->element)) {
            *worst = one;
        }
    }
}

const char *loss_text(const struct loss *loss, uint32_t word, char *text, size_t size)
{
    if (loss->integer && loss->is_unsigned) {
        snprintf(text, size, "%u", word);
        return text;
    }
    return txl_number_text(loss->integer ? TX_DST_FORMAT_INT32 : TX_DST_FORMAT_FP32, word, text,
                           size);
}
