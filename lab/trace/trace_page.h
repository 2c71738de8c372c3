/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parts of the page of a trace: page.css, page.html and page.js as the build embeds them. The data
 * stand between body and script.
 */
#ifndef LAB_TRACE_PAGE_H
#define LAB_TRACE_PAGE_H

extern const char trace_page_style[];
extern const char trace_page_body[];
extern const char trace_page_script[];

#endif
