/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registers of idle overlay streams, which software uses as memory with counters. Source:
 * isa NoC/Overlay/AsGeneralUse 171c14a, spec/chip.md 4; isa/overlay.def.
 */
#include "isa/chip.h"
#include "noc/noc.h"

enum kind { STORE, CLEARS, BASED, SIZE, UPDATE, HEADER, FIXED, DRAM, MANY };
enum stream_register {
#define STREAM_REGISTER(ID, name, wh, bh, bits, kind) STREAM_##ID,
#include "isa/overlay.def"
    STREAM_REGISTERS
};
static const struct {
    uint16_t index[2];
    uint8_t bits, kind;
} registers[STREAM_REGISTERS] = {
#define STREAM_REGISTER(ID, name, wh, bh, bits, kind) {{wh, bh}, bits, kind},
#include "isa/overlay.def"
};

enum { COUNTERS = 32, COUNTER_BITS = 17, SENDERS = 4 /* streams 0 to 3 send to many places */ };

static const char *const names[STREAM_REGISTERS] = {
#define STREAM_REGISTER(ID, name, wh, bh, bits, kind) name,
#include "isa/overlay.def"
};

/* Returns the register at an index, or STREAM_REGISTERS. */
static unsigned overlay_find(enum tx_arch arch, uint32_t index)
{
    unsigned i = 0;
    while (i < STREAM_REGISTERS && registers[i].index[chip_column(arch)] != index) {
        i++;
    }
    return i;
}

static uint32_t *word(enum tx_arch arch, uint32_t *words, enum stream_register which)
{
    return &words[registers[which].index[chip_column(arch)]];
}

static bool is_counter(enum tx_arch arch, uint32_t index)
{
    return index - registers[STREAM_AVAILABLE].index[chip_column(arch)] < COUNTERS;
}

/* Returns whether a stream can send to DRAM buffers (0 to 3 and 8 to 11). */
static bool sends_to_dram(unsigned stream)
{
    return stream < SENDERS || (stream >= 8 && stream < 12);
}

const char *noc_stream_name(enum tx_arch arch, uint32_t offset)
{
    const uint32_t index = offset % NOC_STREAM_BYTES / 4;
    const unsigned which =
        is_counter(arch, index) ? (unsigned)STREAM_AVAILABLE : overlay_find(arch, index);
    return which < STREAM_REGISTERS ? names[which] : NULL;
}

uint32_t noc_stream_load(enum tx_arch arch, const uint32_t *words, uint32_t offset)
{
    const uint32_t index = offset % NOC_STREAM_BYTES / 4;
    const unsigned which = overlay_find(arch, index);
    return which < STREAM_REGISTERS && registers[which].kind == UPDATE ? 0 : words[index];
}

/* Adds to the counter that the low six bits name. */
static bool update(enum tx_arch arch, uint32_t *words, unsigned stream, uint32_t value)
{
    const uint32_t i = value & 63u;
    uint32_t *counter = word(arch, words, STREAM_AVAILABLE) + i;
    if (i >= (stream < SENDERS ? (uint32_t)COUNTERS : 1u)) {
        return false;
    }
    *counter = (*counter + (value >> 6)) & bits_mask(COUNTER_BITS);
    return true;
}

static void overlay_fill(enum tx_arch arch, uint32_t *words, unsigned stream, uint32_t value)
{
    for (unsigned i = 0; i < (stream < SENDERS ? (unsigned)COUNTERS : 1u); i++) {
        word(arch, words, STREAM_AVAILABLE)[i] = value & bits_mask(COUNTER_BITS);
    }
}

static void clear_pointers(enum tx_arch arch, uint32_t *words, unsigned which)
{
    if (which == STREAM_BUF_START) {
        *word(arch, words, STREAM_RD_PTR) = 0;
        *word(arch, words, STREAM_WR_PTR) = 0;
    } else {
        *word(arch, words, STREAM_DEST_WR_PTR) = 0;
    }
}

bool noc_stream_store(enum tx_arch arch, uint32_t *words, unsigned stream, uint32_t offset,
                      uint32_t value)
{
    enum { HEADER_STEP = 12, PHASE_BITS = 20 };
    const uint32_t index = offset % NOC_STREAM_BYTES / 4;
    const unsigned which = overlay_find(arch, index);
    if (which == STREAM_REGISTERS) {
        if (is_counter(arch, index)) {
            return false;
        }
        words[index] = value;
        return true;
    }
    const uint32_t cut = value & bits_mask(registers[which].bits);
    switch ((enum kind)registers[which].kind) {
    case UPDATE:
        return which == STREAM_UPDATE && update(arch, words, stream, value);
    case FIXED:
        return false;
    case DRAM:
        if (!sends_to_dram(stream)) {
            return false;
        }
        break;
    case MANY:
        if (stream >= SENDERS) {
            return false;
        }
        break;
    case SIZE:
        overlay_fill(arch, words, stream, value);
        break;
    case CLEARS:
        clear_pointers(arch, words, which);
        break;
    case HEADER: {
        uint32_t *phase = word(arch, words, STREAM_CURR_PHASE);
        *phase = (*phase + (value & bits_mask(HEADER_STEP))) & bits_mask(PHASE_BITS);
        words[index] = value & ~bits_mask(HEADER_STEP);
        return true;
    }
    default:
        break;
    }
    words[index] = cut;
    return true;
}

/*
 * A phase begins by a store to one register, or with a configuration that the stream loads from L1:
 * bit PHASE_AUTO_CONFIG, Wormhole's in MISC_CFG (isa Overlay/README), Blackhole's in a register of
 * its own (the vendor's noc_overlay_parameters.h).
 */
bool noc_stream_starts(enum tx_arch arch, uint32_t offset, uint32_t value)
{
    const uint32_t automatic = 1u << NUMBER_OF(arch, STREAM_AUTO);
    const unsigned which = overlay_find(arch, offset % NOC_STREAM_BYTES / 4);
    return which == STREAM_ADVANCE ||
           (which == (CHIP_HAS(arch, STREAM_ONETIME) ? STREAM_ONETIME_CFG : STREAM_MISC_CFG) &&
            (value & automatic) != 0);
}
