/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the texts that say what a run has: programs, words, allocations, circular buffers. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "order/order.h"

/* Reads a number and the character behind it; 0 as the character: the end of the text. */
static bool order_args_number(const char **at, char end, uint64_t *value)
{
    char *rest;
    if (**at < '0' || **at > '9') {
        return false;
    }
    errno = 0;
    *value = strtoull(*at, &rest, 0);
    if (errno != 0 || rest == *at || *rest != end) {
        return false;
    }
    *at = rest + (end != '\0' ? 1 : 0);
    return true;
}

static bool small(const char **at, char end, uint32_t *value)
{
    uint64_t wide;
    if (!order_args_number(at, end, &wide) || wide > UINT32_MAX) {
        return false;
    }
    *value = (uint32_t)wide;
    return true;
}

int order_program_read(struct txl_error *err, const char *text, struct order_program_text *p)
{
    enum { LAUNCHES = 64 };
    const char *at = text;
    char core[8] = "";
    *p = (struct order_program_text){0};
    bool good = small(&at, ',', &p->x) && small(&at, '/', &p->y);
    const size_t n = good ? strcspn(at, ":=") : 0;
    good = good && n < sizeof core;
    if (good) {
        memcpy(core, at, n);
        at += n;
        good = tx_core_parse(core, &p->core) == TX_OK;
    }
    if (good && *at == ':') {
        at++;
        good = small(&at, '=', &p->launch) && p->launch < LAUNCHES;
    } else {
        good = good && *at++ == '=';
    }
    p->path = at;
    return good && *at != '\0'
               ? TXL_CONTINUE
               : txl_fail(err, "\"%.80s\" is not of the form X,Y/CORE=FILE, such as 1,2/b=a.elf",
                          text);
}

int order_words_read(struct txl_error *err, const char *text, struct order_words *w)
{
    const char *at = text;
    *w = (struct order_words){0};
    return small(&at, ',', &w->x) && small(&at, ':', &w->y) &&
                   order_args_number(&at, ':', &w->address) && small(&at, '=', &w->count) &&
                   small(&at, '\0', &w->value) && w->count <= 1u << 24
               ? TXL_CONTINUE
               : txl_fail(err, "\"%.80s\" is not of the form X,Y:ADDRESS:COUNT=VALUE", text);
}

int order_area_read(struct txl_error *err, const char *text, struct order_words *w)
{
    const char *at = text;
    *w = (struct order_words){0};
    return small(&at, ',', &w->x) && small(&at, ':', &w->y) &&
                   order_args_number(&at, ':', &w->address) && small(&at, '\0', &w->count)
               ? TXL_CONTINUE
               : txl_fail(err, "\"%.80s\" is not of the form X,Y:ADDRESS:BYTES", text);
}

int order_buffer_read(struct txl_error *err, const char *text, struct order_words *w,
                      struct txl_order_buffer *b)
{
    const char *at = text;
    *w = (struct order_words){0};
    *b = (struct txl_order_buffer){0};
    return small(&at, ',', &w->x) && small(&at, ':', &w->y) && small(&at, '=', &b->id) &&
                   small(&at, ',', &b->base) && small(&at, ',', &b->pages) &&
                   small(&at, '\0', &b->page_bytes)
               ? TXL_CONTINUE
               : txl_fail(err, "\"%.80s\" is not of the form X,Y:ID=BASE,PAGES,BYTES", text);
}
