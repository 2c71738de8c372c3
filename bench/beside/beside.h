/* SPDX-License-Identifier: Apache-2.0 */
/* What beside.c asks of another simulator's tile; ttsim.cpp answers. */
#ifndef BENCH_BESIDE_H
#define BENCH_BESIDE_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

struct beside {
    const char *chip; /* "wh" or "bh" */
    void (*open)(void);
    /* Returns how many words were executed; fewer where one would have to wait. */
    uint32_t (*run)(uint32_t thread, const uint32_t *words, uint32_t count);
    void (*put_config)(uint32_t word, uint32_t value); /* of bank 0 */
    void (*put_counters)(uint32_t thread, uint32_t unit, const uint32_t values[16]);
    void (*put_dst)(uint32_t row, const uint32_t cells[16], bool valid);
    void (*get_dst)(uint32_t row, uint32_t cells[16]);
    void (*get_src)(uint32_t unit, uint32_t bank, uint32_t row, uint32_t cells[16]);
    void (*put_banks)(const uint32_t a[4], const uint32_t b[4]);
    void (*put_formats)(const uint32_t a[2], const uint32_t b[2]);
    void (*put_lanes)(uint32_t index, const uint32_t lanes[32]);
    void (*get_lanes)(uint32_t index, uint32_t lanes[32]);
    void (*put_flags)(uint32_t flags, bool used);
    uint8_t *(*l1)(void);
};

const struct beside *beside_tile(void);

#if defined(__cplusplus)
}
#endif

#endif
