/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "page": self-contained pages: style and views from this folder, embedded by the build, and
 * the data that they show. The .js and .css files do not depend on a particular page and can serve
 * any other. It may use base.
 */
#ifndef LAB_PAGE_H
#define LAB_PAGE_H

#include <stddef.h>
#include <stdio.h>

enum page_kind { PAGE_TRACE, PAGE_PROFILE, PAGE_SWEEP, PAGE_CARD };

/*
 * Writes a page up to its data. The caller then writes one JSON value, with strings written by
 * quote_json, and calls page_end.
 */
void page_begin(FILE *out, enum page_kind kind);
void page_end(FILE *out, enum page_kind kind);

/*
 * Returns bytes deflated (RFC 1950) and in base64, which the caller frees; NULL without memory.
 * tensixViews.inflate unpacks them.
 */
char *page_packed(const unsigned char *bytes, size_t size);

/* Files embedded by the build. */
extern const char page_tokens_css[], page_views_css[];
extern const char page_base_js[], page_trace_model_js[], page_pipeline_js[], page_registers_js[],
    page_source_js[], page_trace_view_js[], page_profile_js[], page_sweep_model_js[],
    page_accuracy_js[], page_histogram_js[], page_front_js[], page_sweep_view_js[],
    page_card_op_js[], page_card_view_js[];

#endif
