/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The place of every field of config.def as constants WH_name and BH_name, for tables of struct
 * cfg_place. To be included only by the sources with such tables.
 */
#ifndef TX_ISA_CONFIG_NAMES_H
#define TX_ISA_CONFIG_NAMES_H

#include "isa/config.h"

/* word.lsb.width */
#define PACK(word, lsb, width) ((word) << 16 | (lsb) << 8 | (width))
#define ENTRY_WH(name, word, lsb, width) WH_##name = PACK(word, lsb, width),
#define ENTRY_BH(name, word, lsb, width) BH_##name = PACK(word, lsb, width),
#define ENTRY_BOTH(name, word, lsb, width) \
    ENTRY_WH(name, word, lsb, width) ENTRY_BH(name, word, lsb, width)
#define CFG(chips, name, word, lsb, width) ENTRY_##chips(name, word, lsb, width)
#define THREAD_CFG(chips, name, word, lsb, width) ENTRY_##chips(name, word, lsb, width)
enum places {
#include "isa/config.def"
};
#undef CFG
#undef THREAD_CFG

#define AT(packed)                                          \
    {                                                       \
        (packed) >> 16, ((packed) >> 8) & 255, (packed)&255 \
    }

#endif
