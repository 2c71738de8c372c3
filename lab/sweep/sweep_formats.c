/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Detects kernels that store another kind of number than their formats state, if the user has not
 * stated the output's format.
 */
#include "sweep/sweep.h"

#include <string.h>

/* The modifiers (Mod0) of loads and stores that were executed: bit n for modifier n. */
struct modes {
    uint32_t loads, stores;
};

static void note(void *user, const struct tx_event *event)
{
    struct modes *m = user;
    if (event->kind == TX_EVENT_COMPUTE && event->unit == TX_UNIT_STORE) {
        m->stores |= 1U << (event->operands->mode & 15U);
    } else if (event->kind == TX_EVENT_COMPUTE && event->unit == TX_UNIT_LOAD &&
               event->row->insn == TX_INSN_SFPLOAD) {
        m->loads |= 1U << (event->operands->mode & 15U);
    }
}

/* Sets of modifiers: conversions from and to floats, and the format from the configuration. */
enum {
    FLOATS = 1U << TX_MOD_SFPLOAD_FMT_FP16A | 1U << TX_MOD_SFPLOAD_FMT_FP16B |
             1U << TX_MOD_SFPLOAD_FMT_FP32,
    CONFIGURED = 1U << TX_MOD_SFPLOAD_FMT_SRCB
};

int sweep_check_formats(struct txl_error *err, const char *path, const struct sweep_kernel *k)
{
    static const uint32_t zeros[TX_TILE_ELEMENTS];
    const uint32_t *inputs[RUN_INPUTS];
    uint32_t output[TX_TILE_ELEMENTS];
    struct tx_settings settings = k->settings;
    struct modes m = {0};
    tx_kernel *kernel = NULL;
    for (unsigned i = 0; i < RUN_INPUTS; i++) {
        inputs[i] = zeros;
    }
    settings.sink = (struct tx_sink){note, &m};
    if (tx_kernel_open(&settings, k->program, &k->options, &kernel) == TX_OK &&
        tx_kernel_start(kernel) == TX_OK) {
        m = (struct modes){0};
        (void)tx_kernel_tile(kernel, 0, inputs, output);
    }
    tx_kernel_close(kernel);
    const bool integer = number_format(k->options.dst)->integer;
    const bool to_floats = m.stores != 0 && (m.stores & ~(uint32_t)FLOATS) == 0;
    const bool to_integers = m.stores != 0 && (m.stores & (FLOATS | CONFIGURED)) == 0;
    const bool from_floats = m.loads != 0 && (m.loads & ~(uint32_t)FLOATS) == 0;
    if (!(integer ? to_floats : to_integers && from_floats)) {
        return TXL_CONTINUE;
    }
    return txl_fail_option(err, NULL, "out",
                           "%s takes %s and stores %s, and states no format of its results, .out",
                           path, integer ? "integers" : "floats", integer ? "floats" : "integers");
}
