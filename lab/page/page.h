/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "page": pages that need nothing but themselves: style and views of this folder, as the build
 * embeds them, and data that they show. The .js and .css files know no page, and serve any other.
 * It may use base.
 */
#ifndef LAB_PAGE_H
#define LAB_PAGE_H

#include <stddef.h>
#include <stdio.h>

enum page_kind { PAGE_TRACE, PAGE_PROFILE, PAGE_SWEEP };

/* A page, up to its data: one JSON value is to follow, strings by quote_json, and page_end. */
void page_begin(FILE *out, enum page_kind kind);
void page_end(FILE *out, enum page_kind kind);

/* Bytes deflated (RFC 1950), in base64, for free(); NULL without memory. tensixViews.inflate
 * unpacks. */
char *page_packed(const unsigned char *bytes, size_t size);

/* What the build embeds. */
extern const char page_tokens_css[], page_views_css[];
extern const char page_base_js[], page_trace_model_js[], page_pipeline_js[], page_registers_js[],
    page_source_js[], page_trace_view_js[], page_profile_js[], page_sweep_model_js[],
    page_accuracy_js[], page_histogram_js[], page_sweep_view_js[];

#endif
