/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The address counters of the unpackers and packers (ADC): per thread and unit two channels of four
 * counters, each with a twin "cr" that the ADDRCR instructions add to. Channel 0 addresses what is
 * read, channel 1 what is written. Source: isa ADCs acaf010; spec/unpack.md 1 and ruling U1
 * (width).
 */
#ifndef TX_STATE_ADC_H
#define TX_STATE_ADC_H

#include <tensix/isa.h>

#include <stdint.h>

#include "isa/chip.h"

enum adc_unit { ADC_UNPACK0, ADC_UNPACK1, ADC_PACK, ADC_UNITS };
enum adc_dimension { ADC_X, ADC_Y, ADC_Z, ADC_W, ADC_DIMENSIONS };

struct adc_counter {
    uint32_t live, cr;
};

struct adc {
    struct adc_counter ch[2][ADC_DIMENSIONS];
};

/* Values a counter can hold: X 18 bits, Y 13, Z and W 8 on Wormhole and 13 on Blackhole (U1). */
static inline uint32_t adc_mask(enum tx_arch arch, unsigned dimension)
{
    switch (dimension) {
    case ADC_X:
        return 0x3FFFFu;
    case ADC_Y:
        return 0x1FFFu;
    default:
        return NUMBER_OF(arch, ADC_ZW_MOST);
    }
}

#endif
