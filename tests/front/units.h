/* SPDX-License-Identifier: Apache-2.0 */
/* A host that has the units which are not modelled: it takes every word and remembers it. */
#ifndef TESTS_FRONT_UNITS_H
#define TESTS_FRONT_UNITS_H

#include "rig.h"

enum { MAX_CALLS = 64 };
static struct {
    struct tx_port call[MAX_CALLS];
    unsigned count;
    unsigned busy; /* answers before a word is taken */
} unit;

static inline enum tx_port_answer take(void *user, struct tx_port *port)
{
    (void)user;
    if (unit.busy != 0) {
        unit.busy--;
        return TX_PORT_BUSY;
    }
    assert_true(unit.count < MAX_CALLS);
    unit.call[unit.count++] = *port;
    return TX_PORT_TAKEN;
}

static inline struct rig *open_with_units(enum tx_arch arch)
{
    struct rig *r = rig_open(arch);
    r->host.port = take;
    memset(&unit, 0, sizeof unit);
    assert_int_equal(tx_host_set(r->m, &r->host), TX_OK);
    return r;
}

#endif
