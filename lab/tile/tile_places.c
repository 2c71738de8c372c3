/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the instructions that belong to names and lines of a core's program. */
#include "tile/tile_program.h"

#include <string.h>

bool tile_symbol_address(const txl_tensix *tile, enum tx_core core, const char *name,
                         uint32_t *address)
{
    const struct tile_program *p = tile_program_of(tile, core);
    for (size_t i = 0; p != NULL && i < p->symbol_count; i++) {
        if (strcmp(p->symbols[i].name, name) == 0) {
            *address = p->symbols[i].address;
            return true;
        }
    }
    return false;
}

static bool of_line(struct tile_program *p, uint32_t pc, const char *file, unsigned line)
{
    struct tile_place places[TILE_CALLS];
    const unsigned count = tile_places(p, pc, places, TILE_CALLS);
    for (unsigned i = 0; i < count; i++) {
        if (places[i].line == line &&
            (file[0] == '\0' || strcmp(txl_basename(places[i].file), txl_basename(file)) == 0)) {
            return true;
        }
    }
    return false;
}

unsigned tile_line_addresses(txl_tensix *tile, enum tx_core core, const char *file, unsigned line,
                             uint32_t *addresses, unsigned most)
{
    struct tile_program *p = tile_program_of(tile, core);
    unsigned count = 0;
    for (size_t i = 0; p != NULL && i < p->symbol_count; i++) {
        const struct tile_symbol *s = &p->symbols[i];
        bool before = false;
        for (uint32_t at = 0; at < s->size && count < most; at += 4) {
            const bool now = of_line(p, s->address + at, file, line);
            addresses[count] = s->address + at;
            count += now && !before ? 1 : 0;
            before = now;
        }
    }
    return count;
}
