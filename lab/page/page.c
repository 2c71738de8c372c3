/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what comes before and after the data of a page. */
#include "page/page.h"

#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

#include <tensix/tensix.h>

static const struct {
    const char *name, *start; /* the function of tensixViews that shows the data */
    const char *scripts[8];
} pages[] = {
    [PAGE_TRACE] = {"trace",
                    "tracePage",
                    {page_base_js, page_trace_model_js, page_pipeline_js, page_registers_js,
                     page_source_js, page_trace_view_js}},
    [PAGE_PROFILE] = {"profile", "profilePage", {page_base_js, page_profile_js}},
    [PAGE_SWEEP] = {"sweep",
                    "sweepPage",
                    {page_base_js, page_sweep_model_js, page_accuracy_js, page_histogram_js,
                     page_front_js, page_sweep_view_js}},
    [PAGE_CARD] = {"card", "cardPage", {page_base_js, page_card_op_js, page_card_view_js}},
};

void page_begin(FILE *out, enum page_kind kind)
{
    fprintf(out,
            "<!DOCTYPE html>\n<html lang='en'>\n<!-- tensix %s %s -->\n<head>\n"
            "<meta charset='utf-8'>\n"
            "<meta name='viewport' content='width=device-width, initial-scale=1'>\n"
            "<meta name='color-scheme' content='light dark'>\n"
            "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; "
            "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
            "<title>tensix %s</title>\n<style>\n%s%s</style>\n</head>\n<body>\n"
            "<div id='view'></div>\n<script type='application/json' id='data'>\n",
            tx_version(), pages[kind].name, pages[kind].name, page_tokens_css, page_views_css);
}

void page_end(FILE *out, enum page_kind kind)
{
    fputs("</script>\n<script>\n", out);
    for (const char *const *script = pages[kind].scripts; *script != NULL; script++) {
        fputs(*script, out);
    }
    fprintf(out,
            "tensixViews.%s(document.getElementById('view'), tensixViews.data());\n</script>\n"
            "</body>\n</html>\n",
            pages[kind].start);
}

/* ---- packed data ---- */

static char *base64(const unsigned char *data, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *text = malloc((size + 2) / 3 * 4 + 1);
    char *to = text;
    for (size_t i = 0; i < size && text != NULL; i += 3) {
        const size_t left = size - i;
        const uint32_t three = (uint32_t)data[i] << 16 |
                               (left > 1 ? (uint32_t)data[i + 1] << 8 : 0U) |
                               (left > 2 ? (uint32_t)data[i + 2] : 0U);
        for (unsigned k = 0; k < 4; k++) {
            *to++ = k > left ? '=' : digits[three >> (18 - 6 * k) & 63];
        }
    }
    if (text != NULL) {
        *to = '\0';
    }
    return text;
}

char *page_packed(const unsigned char *bytes, size_t size)
{
    uLongf length = compressBound((uLong)size);
    unsigned char *small = malloc(length);
    char *text = NULL;
    /* Level 6 makes pages of a trace a sixth smaller, and takes more time than all the rest. */
    if (small != NULL && compress2(small, &length, bytes, (uLong)size, 4) == Z_OK) {
        text = base64(small, length);
    }
    free(small);
    return text;
}
