/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a session with an emulated card. */
#include "base/error.h"
#include "base/memory.h"
#include "page/page.h"

#include <stdlib.h>

#include <tensix-lab/card.h>

int txl_card_page(struct txl_error *err, const char *path, const char *json)
{
    struct memory_text page;
    json_t *value = json_loads(json, 0, NULL);
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
