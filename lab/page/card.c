/* SPDX-License-Identifier: Apache-2.0 */
/* The report of a session with an emulated card, and its page. */
#include "base/error.h"
#include "base/memory.h"
#include "page/page.h"

#include <stdlib.h>
#include <string.h>

#include <tensix-lab/card.h>

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

/* What a line says behind "Tensix tile (4, 2), cycle 438979: ": many tiles run one kernel. */
static const char *behind_place(const char *line)
{
    const char *cycle = strstr(line, ", cycle ");
    const char *end = cycle != NULL ? strstr(cycle, ": ") : NULL;
    return end != NULL ? end + 2 : line;
}

char *txl_card_text(const struct txl_card_ended *ended)
{
    enum { SHOWN_MOST = 32 };
    struct memory_text text;
    struct txl_error err = {.status = TXL_OK};
    if (memory_text_open(&err, &text) != TXL_CONTINUE) {
        return NULL;
    }
    unsigned shown = 0;
    unsigned told = 0;
    for (unsigned i = 0; i < ended->findings && shown < SHOWN_MOST; i++) {
        const char *what = behind_place(ended->finding[i]);
        unsigned places = 0;
        bool before = false;
        for (unsigned k = 0; k < ended->findings && !before; k++) {
            const bool same = strcmp(behind_place(ended->finding[k]), what) == 0;
            before = same && k < i;
            places += same ? 1 : 0;
        }
        if (!before) {
            fprintf(text.stream, "tensix: %s", ended->finding[i]);
            fprintf(text.stream, places > 1 ? "; and at %u other tiles\n" : "\n", places - 1);
            shown++;
            told += places;
        }
    }
    if (ended->findings > told) {
        fprintf(text.stream, "tensix: and %u more\n", ended->findings - told);
    }
    return memory_text_take(&text);
}

char *txl_card_json(const struct txl_card_ended *ended)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < ended->findings; i++) {
        json_array_append_new(list, json_string(ended->finding[i]));
    }
    json_t *all = json_pack("{s:i, s:o}", "status", ended->status, "findings", list);
    if (ended->races != NULL) {
        json_object_set_new(all, "races", json_loads(ended->races, 0, NULL));
    }
    char *text = json_dumps(all, 0);
    json_decref(all);
    return text;
}

int txl_card_file(struct txl_error *err, const char *path, const char *report)
{
    return ends_with(path, ".html") ? txl_card_page(err, path, report)
                                    : txl_write_file(err, path, report, strlen(report));
}

int txl_card_page(struct txl_error *err, const char *path, const char *report)
{
    struct memory_text page;
    json_t *value = json_loads(report, 0, NULL);
    char *text = value != NULL ? json_dumps(value, JSON_ENSURE_ASCII | JSON_COMPACT) : NULL;
    json_decref(value);
    if (text == NULL) {
        return txl_fail(err, "the report is no JSON");
    }
    int result = memory_text_open(err, &page);
    if (result == TXL_CONTINUE) {
        page_begin(page.stream, PAGE_CARD);
        for (const char *at = text; *at != '\0'; at++) {
            if (*at == '<') { /* only in strings; the end of a script would be one */
                fputs("\\u003c", page.stream);
            } else {
                fputc(*at, page.stream);
            }
        }
        fputc('\n', page.stream);
        page_end(page.stream, PAGE_CARD);
        result = memory_text_close(err, &page);
    }
    if (result == TXL_CONTINUE) {
        result = txl_write_file(err, path, page.text, page.size);
        free(page.text);
    }
    free(text);
    return result;
}
