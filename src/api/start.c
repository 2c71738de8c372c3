/* SPDX-License-Identifier: Apache-2.0 */
/* The machine state that kernels take for granted; isa/start.def has it, with sources. */
#include <tensix/kernel.h>

#include "state/machine.h"

#include "isa/tokens.h"

static void set_lanes(struct tx_state *s)
{
#define PREDICATION(flags, use, source) \
    s->lane_flags = (flags);            \
    s->use_flags = (use);
#define CONSTANT(number, bits, source)           \
    for (unsigned i = 0; i < TX_LANES; i++) {    \
        s->lreg[(number)][i] = (uint32_t)(bits); \
    }
#define LANES(config, source)                   \
    for (unsigned i = 0; i < 8; i++) {          \
        s->lane_config[i] = (uint32_t)(config); \
    }
#include "isa/start.def"
}

static void set_gprs(struct tx_state *s, unsigned thread)
{
#define GPRS(value, source)                    \
    for (unsigned i = 0; i < TX_GPRS; i++) {   \
        s->gpr[thread][i] = (uint32_t)(value); \
    }                                          \
    undefined_gpr_given(&s->undefined, thread, 0, TX_GPRS);
#include "isa/start.def"
}

enum tx_status tx_machine_start(tx_machine *m, unsigned thread, enum tx_start start)
{
    if (thread >= TX_THREADS || (unsigned)start > TX_START_VENDOR) {
        return TX_EINVAL;
    }
    if (start != TX_START_VENDOR) {
        return TX_OK;
    }
    set_lanes(&m->state);
    set_gprs(&m->state, thread);
    enum tx_status status = TX_OK;
#define FIELD(chips, name, value, source)                            \
    if (((chips) >> m->arch & 1) != 0 && status == TX_OK) {          \
        status = tx_config_set(m, thread, #name, (uint32_t)(value)); \
    }
#include "isa/start.def"
    return status;
}
