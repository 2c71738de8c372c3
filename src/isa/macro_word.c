/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of SFPLOADMACRO's configuration: names of slots and sources, and its fields. */
#include "isa/macro_word.h"

#include <tensix/isa.h>

const char *const macro_slot_names[MACRO_UNITS] = {
#define MACRO_SLOT(name, slot, text) [slot] = text,
#include "isa/macro.def"
#undef MACRO_SLOT
};

const char *const macro_source_names[MACRO_SOURCE_TEMPLATE + 1] = {
#define MACRO_SOURCE(name, value, text) [value] = text,
#include "isa/macro.def"
#undef MACRO_SOURCE
};

static const struct tx_macro_field fields[] = {
#define MACRO_FIELD(name, word, lsb, width, text, meaning) {word, text, meaning, lsb, width},
#include "isa/macro.def"
#undef MACRO_FIELD
};

const struct tx_macro_field *tx_macro_field_at(size_t index)
{
    return index < sizeof fields / sizeof fields[0] ? &fields[index] : NULL;
}
