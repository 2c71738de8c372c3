/* SPDX-License-Identifier: Apache-2.0 */
/* A page that shows what programs did on an emulated card (the command "tensix card"). */
#ifndef TENSIX_LAB_CARD_H
#define TENSIX_LAB_CARD_H

#include <tensix-lab/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Writes a self-contained page to a file. The text is the
 * report as JSON: docs/card.md says what is in it. Returns TXL_OK or TXL_INPUT.
 */
TXL_API int txl_card_page(struct txl_error *err, const char *path, const char *json);

#ifdef __cplusplus
}
#endif

#endif
