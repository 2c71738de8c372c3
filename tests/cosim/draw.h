/* SPDX-License-Identifier: Apache-2.0 */
/* Random legal words of a behaviour: its mode is permitted and no unused bit is set. */
#ifndef TESTS_COSIM_DRAW_H
#define TESTS_COSIM_DRAW_H

#include "oracle/bridge.h"

static inline uint32_t draw_below(struct bridge_rng *r, uint32_t n)
{
    return (uint32_t)((uint64_t)bridge_u32(r) * n >> 32);
}

static inline bool draw_one_in(struct bridge_rng *r, uint32_t n)
{
    return draw_below(r, n) == 0;
}

/* A behaviour's fields and permitted modes. */
struct draw_form {
    const struct tx_row *row;
    enum tx_arch arch;
    uint8_t modes[16];
    unsigned mode_count;
    uint32_t fields[TX_INSN_MAX_FIELDS]; /* bits of each */
    unsigned field_count;
};

static inline struct draw_form draw_form(enum tx_arch arch, const struct tx_row *row)
{
    struct draw_form f = {.row = row, .arch = arch};
    const struct tx_insn *insn = tx_insn_get(arch, (enum tx_insn_id)row->insn);
    for (unsigned i = 0; i < 16; i++) {
        if ((row->legal >> i & 1u) != 0 && (row->modes >> i & 1u) != 0) {
            f.modes[f.mode_count++] = (uint8_t)i;
        }
    }
    for (; f.field_count < insn->field_count; f.field_count++) {
        const struct tx_field *field = &insn->fields[f.field_count];
        f.fields[f.field_count] = ((1u << field->width) - 1) << field->lsb;
    }
    return f;
}

/* A field is zero in a third of the cases: most of what a simulator refuses is a field that is not.
 */
static inline uint32_t draw_word(struct bridge_rng *r, const struct draw_form *f)
{
    uint32_t word = (uint32_t)f->row->insn << 24 | (bridge_u32(r) & 0xFFFFFFu);
    for (unsigned i = 0; i < f->field_count; i++) {
        word &= draw_one_in(r, 3) ? ~f->fields[i] : ~0u;
    }
    word = tx_row_put(f->row, TX_FLD_MOD, word, f->modes[draw_below(r, f->mode_count)]);
    struct tx_decoded d;
    (void)tx_decode(f->arch, word, &d);
    return word & ~(d.other | d.unused);
}

/* The behaviours from which a class draws. */
struct draw_forms {
    struct draw_form form[512];
    unsigned count;
};

/* Adds those that a predicate takes and that have a permitted mode. */
static inline void draw_collect(struct draw_forms *set, enum tx_arch arch,
                                bool (*takes)(const struct tx_row *row))
{
    const struct tx_row *row;
    for (size_t i = 0; (row = tx_row_at(arch, i)) != NULL && set->count < 512; i++) {
        if ((row->legal & row->modes) != 0 && takes(row)) {
            set->form[set->count++] = draw_form(arch, row);
        }
    }
}

#endif
