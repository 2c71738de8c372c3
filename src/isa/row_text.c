/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptions in words of what a behaviour reads and writes. */
#include "isa/row.h"

#include <string.h>

static const struct {
    uint64_t bit;
    const char *text;
} words[] = {
#define OPERAND(name, bit, text) {TX_SET(name), text},
#include "isa/operands.def"
#undef OPERAND
};

struct writer {
    char *p;
    size_t room;
    bool any, full;
};

static void row_text_put(struct writer *w, const char *text)
{
    const char *before = w->any ? ", " : "";
    const size_t length = strlen(before) + strlen(text);
    w->any = true;
    if (length >= w->room) {
        w->full = true;
        return;
    }
    memcpy(w->p, before, strlen(before));
    memcpy(w->p + strlen(before), text, strlen(text) + 1);
    w->p += length;
    w->room -= length;
}

/* Replaces VB and VC by the operands that the encoding implies for them. */
static uint64_t named_operands(const struct tx_row *row, uint64_t set)
{
    if ((set & TX_SET(VB)) != 0 && row->implied == TX_IMPLIED_VB_VD) {
        set = (set & ~TX_SET(VB)) | TX_SET(VD);
    }
    if ((set & TX_SET(VC)) != 0 && row->implied == TX_IMPLIED_VC_VD) {
        set = (set & ~TX_SET(VC)) | TX_SET(VD);
    }
    if ((set & TX_SET(VDX)) != 0) {
        set &= ~TX_SET(VD); /* VDX includes it */
    }
    return set;
}

/* Returns the place of a register number that has no field of its own, or NULL. */
static const char *place_text(const struct tx_row *row, uint64_t operand)
{
    if (operand == TX_SET(VB) && row->implied == TX_IMPLIED_VB_IMM) {
        return "L[imm & 15]";
    }
    if (operand == TX_SET(VB) && !tx_row_has_field(row, TX_FLD_VB)) {
        return "bits 15:12";
    }
    return operand == TX_SET(VC) && !tx_row_has_field(row, TX_FLD_VC) ? "bits 11:8" : NULL;
}

enum tx_status tx_row_text(const struct tx_row *row, enum tx_row_set which, char *text, size_t size)
{
    struct writer w = {text, size, false, false};
    if (row == NULL || text == NULL || size == 0) {
        return TX_EINVAL;
    }
    const uint64_t set = named_operands(row, which == TX_ROW_READS    ? row->reads
                                             : which == TX_ROW_WRITES ? row->writes
                                                                      : row->belief);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if ((set & words[i].bit) != 0) {
            const char *place = place_text(row, words[i].bit);
            row_text_put(&w, place != NULL ? place : words[i].text);
        }
    }
    if (!w.any) {
        row_text_put(&w, "nothing");
    }
    return w.full ? TX_EINVAL : TX_OK;
}
