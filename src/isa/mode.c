/* SPDX-License-Identifier: Apache-2.0 */
/* The table of modes.def: what the values of modifiers and other selecting fields mean. */
#include "isa/row.h"

#include "base/bits.h"
#include "isa/chip.h"

#include <string.h>

/* The public part comes first, so that a pointer to it is a pointer to the whole. */
struct mode_entry {
    struct tx_insn_mode text;
    uint8_t insn; /* enum insn_id */
};

#define MODE(mnemonic_, chips, field_, bits_, value_, name_, constants_, meaning_, formula_) \
    MODE_WITH(mnemonic_, chips, 0xFFFF, field_, bits_, value_, name_, constants_, meaning_,  \
              formula_)
#define MODE_WITH(mnemonic_, chips, modes_, field_, bits_, value_, name_, constants_, meaning_, \
                  formula_)                                                                     \
    {.text = {.where = #field_,                                                                 \
              .name = name_,                                                                    \
              .constants = constants_,                                                          \
              .meaning = meaning_,                                                              \
              .formula = formula_,                                                              \
              .bits = bits_,                                                                    \
              .value = value_,                                                                  \
              .modes = modes_,                                                                  \
              .archs = CHIPS_##chips,                                                           \
              .field = TX_FLD_##field_},                                                        \
     .insn = INSN_##mnemonic_},
static const struct mode_entry entries[] = {
#include "isa/modes.def"
};

enum { ENTRIES = sizeof entries / sizeof entries[0] };

/* Returns the instruction whose modes this one has: another, or itself. */
static unsigned like(unsigned insn)
{
    switch (insn) {
#define MODES_LIKE(mnemonic, other) \
    case INSN_##mnemonic:           \
        return INSN_##other;
#include "isa/modes.def"
    default:
        return insn;
    }
}

const struct tx_insn_mode *tx_insn_mode_at(enum tx_arch arch, const struct tx_insn *insn,
                                           size_t index)
{
    const unsigned id = insn != NULL ? like(insn_form_of(insn)->id) : INSN_NONE;
    for (unsigned i = 0; i < ENTRIES; i++) {
        if (entries[i].insn == id && bits_has(entries[i].text.archs, arch) && index-- == 0) {
            return &entries[i].text;
        }
    }
    return NULL;
}

bool tx_insn_mode_holds(enum tx_arch arch, const struct tx_insn_mode *mode, uint32_t word)
{
    const struct mode_entry *entry = (const struct mode_entry *)(const void *)mode;
    const enum isa_row_id id = isa_row_of(arch, word);
    if (id == ROWID_NONE || like(isa_row(id)->insn) != entry->insn ||
        !bits_has(mode->archs, arch)) {
        return false;
    }
    const uint32_t modifier = isa_field(isa_row(id), FLD_MOD, word);
    return ((unsigned)mode->modes >> modifier & 1u) != 0 &&
           isa_layout(isa_row(id), (enum isa_field)mode->field).width != 0 &&
           (isa_field(isa_row(id), (enum isa_field)mode->field, word) & mode->bits) == mode->value;
}

struct joined {
    char *p;
    size_t room;
    bool any, full;
};

static void join(struct joined *j, const char *separator, const char *text)
{
    const char *before = j->any ? separator : "";
    const size_t length = strlen(before) + strlen(text);
    if (text[0] == '\0') {
        return;
    }
    j->any = true;
    if (length >= j->room) {
        j->full = true;
        return;
    }
    memcpy(j->p, before, strlen(before));
    memcpy(j->p + strlen(before), text, strlen(text) + 1);
    j->p += length;
    j->room -= length;
}

static const char *part_of(const struct tx_insn_mode *mode, enum tx_insn_mode_part part)
{
    return part == TX_INSN_MODE_NAME      ? mode->name
           : part == TX_INSN_MODE_MEANING ? mode->meaning
                                          : mode->formula;
}

enum tx_status tx_row_mode_text(enum tx_arch arch, const struct tx_row *row, unsigned mode,
                                enum tx_insn_mode_part part, char *text, size_t size)
{
    if (row == NULL || text == NULL || size == 0 || part < TX_INSN_MODE_NAME ||
        part > TX_INSN_MODE_FORMULA) {
        return TX_EINVAL;
    }
    /* Text is its first member. */
    const struct isa_row *whole = (const struct isa_row *)(const void *)row;
    struct joined j = {text, size, false, false};
    /* The name of a mode that always holds; used only if there is no other. */
    const char *always = "";
    text[0] = '\0';
    for (unsigned i = 0; i < ENTRIES; i++) {
        const struct tx_insn_mode *m = &entries[i].text;
        if (entries[i].insn != like(whole->insn) || m->field != TX_FLD_MOD ||
            !bits_has(m->archs, arch) || (mode & m->bits) != m->value) {
            continue;
        }
        if (m->bits == 0 && part == TX_INSN_MODE_NAME) {
            always = m->name;
            continue;
        }
        join(&j, part == TX_INSN_MODE_NAME ? "|" : "; ", part_of(m, part));
    }
    if (!j.any) {
        join(&j, "", always);
    }
    return j.full ? TX_EINVAL : j.any ? TX_OK : TX_ENOENT;
}
