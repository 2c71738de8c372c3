/* SPDX-License-Identifier: Apache-2.0 */
/* The fields of SFPLOADMACRO's configuration, as isa/macro.def places them. */
#ifndef TX_ISA_MACRO_WORD_H
#define TX_ISA_MACRO_WORD_H

#include <stdint.h>

/* The sub-units, by their byte of a sequence, and their number. */
enum macro_slot {
#define MACRO_SLOT(name, slot, text) MACRO_##name = slot,
#include "isa/macro.def"
#undef MACRO_SLOT
    MACRO_UNITS
};

enum macro_source {
#define MACRO_SOURCE(name, value, text) MACRO_SOURCE_##name = value,
#include "isa/macro.def"
#undef MACRO_SOURCE
};

enum {
#define MACRO_TARGET(name, first, count) \
    MACRO_VD_##name = first, MACRO_COUNT_##name = count, MACRO_LAST_##name = first + count - 1,
#include "isa/macro.def"
#undef MACRO_TARGET
#define MACRO_FIELD(name, word, lsb, width, text, meaning) \
    MACRO_##name##_LSB = lsb, MACRO_##name##_MASK = ((1 << width) - 1) << lsb,
#include "isa/macro.def"
#undef MACRO_FIELD
};

/* Returns a field of a byte of a sequence or of Misc, as in MACRO_GET(byte, SLOT_DELAY). */
#define MACRO_GET(word, name) \
    (((uint32_t)(word) & (uint32_t)MACRO_##name##_MASK) >> MACRO_##name##_LSB)

extern const char *const macro_slot_names[MACRO_UNITS];
extern const char *const macro_source_names[MACRO_SOURCE_TEMPLATE + 1];

static inline uint8_t macro_slot_byte(uint32_t sequence, unsigned slot)
{
    return (uint8_t)(sequence >> (8 * slot));
}

#endif
