/* SPDX-License-Identifier: Apache-2.0 */
/* Translates words that configure SFPLOADMACRO to the directives that asm/macro_words.c reads. */
#include "asm/dis.h"

#include <tensix/lregs.h>

#include "asm/state.h"
#include "base/sized.h"
#include "isa/chip.h"
#include "isa/macro_word.h"
#include "isa/row.h"

#include <stdio.h>
#include <string.h>

struct writer {
    char *p;
    size_t room;
    bool full;
};

static void macro_text_put(struct writer *w, const char *text)
{
    const size_t length = strlen(text);
    if (length >= w->room) {
        w->full = true;
        return;
    }
    memcpy(w->p, text, length + 1);
    w->p += length;
    w->room -= length;
}

static void put_number(struct writer *w, const char *before, unsigned value)
{
    char digits[12];
    (void)snprintf(digits, sizeof digits, "%u", value);
    macro_text_put(w, before);
    macro_text_put(w, digits);
}

static void put_slot(struct writer *w, unsigned slot, uint8_t byte)
{
    const unsigned source = MACRO_GET(byte, SLOT_SOURCE);
    const bool store = slot == MACRO_STORE;
    macro_text_put(w, " ");
    macro_text_put(w, macro_slot_names[slot]);
    if (source >= MACRO_SOURCE_TEMPLATE) {
        macro_text_put(w, "=");
        put_number(w, macro_source_names[MACRO_SOURCE_TEMPLATE], source - MACRO_SOURCE_TEMPLATE);
    } else if (source != MACRO_SOURCE_STORE || !store) {
        macro_text_put(w, "=");
        macro_text_put(w, macro_source_names[source]);
    }
    if (MACRO_GET(byte, SLOT_OTHER) != 0) {
        macro_text_put(w, store ? ".vd" : ".vb");
    }
    put_number(w, "@", MACRO_GET(byte, SLOT_DELAY));
    if (MACRO_GET(byte, SLOT_L16) != 0) {
        macro_text_put(w, store ? "<L16" : ">L16");
    }
}

static void put_sequence(struct writer *w, unsigned number, uint32_t word)
{
    put_number(w, ".sequence ", number);
    macro_text_put(w, word != 0 ? "," : "");
    for (unsigned slot = 0; slot < MACRO_UNITS; slot++) {
        if (macro_slot_byte(word, slot) != 0) {
            put_slot(w, slot, macro_slot_byte(word, slot));
        }
    }
}

static void put_misc(struct writer *w, uint32_t word)
{
    const uint32_t load = MACRO_GET(word, MISC_LOAD_MOD0);
    const uint32_t instructions = MACRO_GET(word, MISC_INSTRUCTIONS);
    put_number(w, ".misc mod0=", MACRO_GET(word, MISC_MOD0));
    const char *before = " load_mod0=";
    for (unsigned i = 0; i < 4 && load != 15; i++) {
        if ((load >> i & 1u) != 0) {
            put_number(w, before, i);
            before = ",";
        }
    }
    macro_text_put(w, load == 15 ? " load_mod0=all" : "");
    before = " instructions=";
    for (unsigned i = 0; i < MACRO_UNITS && instructions != 15; i++) {
        if ((instructions >> i & 1u) != 0) {
            macro_text_put(w, before);
            macro_text_put(w, macro_slot_names[i]);
            before = ",";
        }
    }
    macro_text_put(w, instructions == 15 ? " instructions=all" : "");
}

enum tx_status tx_macro_text(enum tx_arch arch, unsigned vd, uint32_t value, char *text,
                             size_t size)
{
    struct writer w = {text, size, false};
    if (text == NULL || size == 0 || vd > MACRO_LAST_MISC || !chip_known(arch)) {
        return TX_EINVAL;
    }
    text[0] = '\0';
    if (vd < MACRO_VD_SEQUENCE) {
        char line[160];
        put_number(&w, ".template t", vd);
        macro_text_put(&w, ", ");
        if (dis_template(arch, value, vd, line, sizeof line) != TX_OK) {
            (void)snprintf(line, sizeof line, "0x%08x", (unsigned)value);
        }
        macro_text_put(&w, line);
    } else if (vd < MACRO_VD_MISC) {
        put_sequence(&w, vd - MACRO_VD_SEQUENCE, value);
    } else {
        put_misc(&w, value);
    }
    return w.full ? TX_EINVAL : TX_OK;
}

/* ---- a stream of words ---- */

/* Tracks what SFPLOADI leaves in L0. After FLOATA and undefined modes L0 counts as unknown. */
static void load_l0(struct tx_macro_reader *r, unsigned mode, uint32_t imm)
{
    switch (mode) {
    case TX_MOD_SFPLOADI_UPPER:
        r->l0 = (r->l0 & 0xffffu) | imm << 16;
        r->l0_known |= 0xffff0000u;
        break;
    case TX_MOD_SFPLOADI_LOWER:
        r->l0 = (r->l0 & 0xffff0000u) | imm;
        r->l0_known |= 0xffffu;
        break;
    case TX_MOD_SFPLOADI_FLOATB:
    case TX_MOD_SFPLOADI_USHORT:
    case TX_MOD_SFPLOADI_SHORT:
        r->l0 = mode == TX_MOD_SFPLOADI_FLOATB                   ? imm << 16
                : mode == TX_MOD_SFPLOADI_SHORT && imm >= 0x8000 ? imm | 0xffff0000u
                                                                 : imm;
        r->l0_known = UINT32_MAX;
        break;
    default:
        r->l0_known = 0;
        break;
    }
}

/* Returns whether the word may write L0. Words for the expanders may execute anything. */
static bool may_write_l0(const struct isa_row *row, uint32_t word)
{
    const uint64_t always = SET_L0_3 | TX_SET(IDX) | TX_SET(MACRO);
    const bool indirect = tx_indirect_vd(row->text.writes, isa_field(row, FLD_MOD, word));
    return row->insn == INSN_REPLAY || row->insn == INSN_MOP || (row->text.writes & always) != 0 ||
           indirect ||
           ((row->text.writes & (TX_SET(VD) | TX_SET(VDX))) != 0 &&
            isa_field(row, FLD_VD, word) == 0) ||
           ((row->text.writes & (TX_SET(VB) | TX_SET(VC))) != 0 &&
            (isa_field(row, FLD_VC, word) == 0 || isa_field(row, FLD_VD, word) == 0));
}

static bool configures(struct tx_macro_reader *r, enum tx_arch arch, uint32_t word, char *text,
                       size_t size)
{
    const struct isa_row *row = isa_row(ROWID_SFPCONFIG);
    const unsigned vd = isa_field(row, FLD_VD, word);
    const unsigned mode = isa_field(row, FLD_MOD, word);
    const bool immediate = (mode & TX_MOD_SFPCONFIG_IMM16_IS_VALUE) != 0 && vd >= MACRO_VD_SEQUENCE;
    if (vd == MACRO_VD_LANES) {
        /* LaneConfig: whichever of its bits is written, unless all become 0 */
        r->no_backdoor =
            mode != TX_MOD_SFPCONFIG_IMM16_IS_VALUE || isa_field(row, FLD_IMM, word) != 0;
    }
    if (vd > MACRO_LAST_MISC || (vd == MACRO_VD_MISC && mode > TX_MOD_SFPCONFIG_IMM16_IS_VALUE) ||
        (!immediate && r->l0_known != UINT32_MAX)) {
        return false; /* the value is unknown, or Misc is combined with its old value */
    }
    return tx_macro_text(arch, vd, immediate ? isa_field(row, FLD_IMM, word) : r->l0, text, size) ==
           TX_OK;
}

static bool macro_text_follow(struct tx_macro_reader *reader, enum tx_arch arch, uint32_t word,
                              char *text, size_t size)
{
    if (!chip_known(arch)) {
        return false;
    }
    const struct isa_row *row = isa_row(isa_row_of(arch, word));
    const unsigned vd = isa_layout(row, FLD_VD).width == 4 ? isa_field(row, FLD_VD, word) : 0;
    if (row->insn == INSN_NONE) {
        return false;
    }
    if (row->insn == INSN_SFPCONFIG) {
        return configures(reader, arch, word, text, size);
    }
    const bool vector = row->text.unit >= TX_UNIT_LOAD && row->text.unit <= TX_UNIT_STORE;
    if (vector && vd >= MACRO_VD_BACKDOOR && row->guard != GUARD_FREE && !reader->no_backdoor) {
        return tx_macro_text(arch, vd - MACRO_VD_BACKDOOR, word, text, size) == TX_OK;
    }
    if (row->insn == INSN_SFPLOADI && vd == 0) {
        load_l0(reader, isa_field(row, FLD_MOD, word), isa_field(row, FLD_IMM, word));
    } else if (may_write_l0(row, word)) {
        reader->l0_known = 0;
    }
    return false;
}

bool tx_macro_follow_sized(struct tx_macro_reader *reader, size_t reader_size, enum tx_arch arch,
                           uint32_t word, char *text, size_t size)
{
    struct tx_macro_reader own = {.l0 = 0};
    if (!sized_take(&own, sizeof own, reader, reader_size, sizeof own)) {
        return false;
    }
    const bool told = macro_text_follow(&own, arch, word, text, size);
    sized_give(reader, reader_size, &own, sizeof own);
    return told;
}
