/* SPDX-License-Identifier: Apache-2.0 */
/* The named bits of registers that no configuration word holds, for explanations. */
#include <tensix/isa.h>

static const struct tx_register_field fields[] = {
#define LANE_FIELD(name, lsb, width, meaning) \
    {"LaneConfig", #name, lsb, width, false, meaning, "isa SFPCONFIG 376743c"},
#define CSR_FIELD(csr, text, name, lsb, width, meaning) \
    {text, #name, lsb, width, true, meaning, "isa CSRs 585749d"},
#include "isa/register_fields.def"
};

const struct tx_register_field *tx_register_field_at(size_t index)
{
    return index < sizeof fields / sizeof fields[0] ? &fields[index] : NULL;
}
