/* SPDX-License-Identifier: Apache-2.0 */
/* Why the cycles of a run are only a lower bound, as isa/bounds.def lists it. */
#include <tensix/machine.h>

#include "state/machine.h"

static const struct {
    const char *name, *text;
} bounds[] = {
#define BOUND(ID, name, text) {name, text},
#include "isa/bounds.def"
};

/* The public numbers are those of the table. */
enum {
#define BOUND(ID, ...) BOUND_BIT_##ID,
#include "isa/bounds.def"
    BOUND_COUNT
};
#define BOUND(ID, ...) \
    _Static_assert(TX_BOUND_##ID == 1 << BOUND_BIT_##ID, "in the order of bounds.def");
#include "isa/bounds.def"

uint32_t tx_bounds(const tx_machine *m)
{
    return m->bounds | (m->hurries ? TX_BOUND_UNTIMED : 0);
}

const char *tx_bound_name(unsigned bit)
{
    return bit < BOUND_COUNT ? bounds[bit].name : NULL;
}

const char *tx_bound_text(unsigned bit)
{
    return bit < BOUND_COUNT ? bounds[bit].text : NULL;
}
