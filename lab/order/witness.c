/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Witnesses (section 8 of spec/order-chip.md): for a finding, a legal other order of the same
 * programs that ends differently. One delay is tried after the other, the shortest first, so that
 * what is found is the least that shows it.
 */
#define _GNU_SOURCE 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/small.h"
#include "order/order.h"

#include "base/options.h"

enum { PAGE = 4096, USUAL_BUDGET = 64 };

/* ---- what ends differently ---- */

struct compare {
    const struct txl_order *o;
    tx_chip *a, *b;
    char *text;
};

static bool read_page(const struct txl_order *o, tx_chip *chip, uint32_t memory, uint64_t address,
                      uint8_t *to)
{
    if (memory < ORDER_TILES) {
        tx_tensix *tensix = tx_chip_tensix(chip, memory);
        return tensix != NULL && address + PAGE <= tx_l1_size(o->arch) &&
               tx_tensix_read(tensix, (uint32_t)address, to, PAGE) == TX_OK;
    }
    for (uint32_t i = 0; i < ORDER_TILES; i++) {
        struct tx_chip_tile tile;
        struct tx_chip_settings s = {.size = sizeof s};
        if (order_memory_of(o, i) != memory || tx_chip_tile_at(chip, i, &tile) != TX_OK) {
            continue;
        }
        tx_chip_settings_of(chip, &s);
        const struct tx_chip_place at = {.x = s.raw ? tile.x[0] : tile.translated_x,
                                         .y = s.raw ? tile.y[0] : tile.translated_y};
        return tx_chip_read(chip, at, address, to, PAGE) == TX_OK;
    }
    return false;
}

static void compare_page(void *user, uint32_t memory, uint64_t address)
{
    struct compare *c = user;
    uint8_t a[PAGE];
    uint8_t b[PAGE];
    if (c->text != NULL || !read_page(c->o, c->a, memory, address, a) ||
        !read_page(c->o, c->b, memory, address, b) || memcmp(a, b, sizeof a) == 0) {
        return;
    }
    uint32_t at = 0;
    while (memcmp(a + at, b + at, 4) == 0) {
        at += 4;
    }
    const uint32_t width = c->o->width;
    const unsigned long long where = address + at;
    const int n =
        order_is_dram(memory)
            ? asprintf(&c->text, "DRAM %llx of bank %u ends as %08x, not %08x", where,
                       memory - ORDER_DRAM, word_of_bytes(b + at), word_of_bytes(a + at))
            : asprintf(&c->text, "L1 %llx of (%u,%u) ends as %08x, not %08x", where, memory % width,
                       memory / width, word_of_bytes(b + at), word_of_bytes(a + at));
    c->text = n < 0 ? NULL : c->text;
}

char *order_difference(const struct txl_order *o, tx_chip *a, tx_chip *b, bool ends)
{
    struct compare c = {o, a, b, NULL};
    if (o->hung == ends) {
        return strdup(ends ? "the run ends" : "the run does not end");
    }
    if (ends) {
        order_shadow_pages(o, compare_page, &c);
    }
    return c.text;
}

/* ---- the search ---- */

enum { TEXT = 96 };

/* Writes the delay that makes an event come so many cycles later. Returns false: there is none. */
static bool delay_text(const struct txl_order *o, const struct order_ref *r, uint32_t ahead,
                       uint32_t cycles, char text[TEXT])
{
    const uint32_t tile = r->core / ORDER_CORES;
    const uint32_t x = tile % o->width;
    const uint32_t y = tile / o->width;
    const unsigned long long number = r->number;
    switch (r->step) {
    case ORDER_STANDS:
        snprintf(text, TEXT, "%u,%u/%s@%llu+%u", x, y,
                 tx_core_name((enum tx_core)(r->core % ORDER_CORES)),
                 number > ahead ? number - ahead : 0, cycles);
        return true;
    case ORDER_LEAVES_LATE:
    case ORDER_ACTS_LATE:
    case ORDER_ANSWERED:
        snprintf(text, TEXT, "%u,%u/n%u/%llu>%s+%u", x, y, r->noc, number,
                 r->step == ORDER_LEAVES_LATE ? "src"
                 : r->step == ORDER_ACTS_LATE ? "dst"
                                              : "ack",
                 cycles);
        return true;
    default:
        return false;
    }
}

/* Tries one delay. Returns TXL_OK, or TXL_INPUT. */
static int try_delay(struct txl_error *err, txl_order *o, tx_chip *chip,
                     const struct txl_order_again *again, struct order_found *f, const char *text)
{
    tx_chip *other = NULL;
    bool ends = false;
    const int result = again->run(err, again->user, text, &other, &ends);
    if (result == TXL_OK) {
        f->tried++;
        f->witness = order_difference(o, chip, other, ends);
        f->delays = f->witness != NULL ? strdup(text) : NULL;
        tx_chip_close(other);
    }
    return result;
}

static int search(struct txl_error *err, txl_order *o, tx_chip *chip,
                  const struct txl_order_again *again, struct order_found *f)
{
    /* Cycles that an instruction issues before it is known: at most, and between load and store. */
    enum { LONGEST = 1 << 16, ALL = 12, HALF = 3 };
    const unsigned budget = again->budget != 0 ? again->budget : USUAL_BUDGET;
    int result = TXL_OK;
    for (uint32_t cycles = 16; cycles <= LONGEST && f->witness == NULL; cycles *= 4) {
        for (unsigned i = 0; i < 4 && f->witness == NULL && result == TXL_OK; i++) {
            const struct order_ref *r = &f->ref[i % 2];
            char text[TEXT];
            if ((i < 2 || r->step == ORDER_STANDS) && f->tried < budget &&
                delay_text(o, r, i < 2 ? ALL : HALF, cycles, text)) {
                result = try_delay(err, o, chip, again, f, text);
            }
        }
    }
    return result;
}

int txl_order_witness(struct txl_error *err, txl_order *o, tx_chip *chip,
                      const struct txl_order_again *given)
{
    struct txl_order_again again;
    if (options_take(err, &again, sizeof again, given) != TXL_CONTINUE ||
        options_reserved(err, again.reserved, sizeof again.reserved) != TXL_CONTINUE) {
        return TXL_INPUT;
    }
    int result = TXL_OK;
    for (size_t i = 0; i < o->founds && result == TXL_OK; i++) {
        struct order_found *f = &o->found[i];
        if (!f->dropped) {
            result = search(err, o, chip, &again, f);
        }
    }
    return result;
}
