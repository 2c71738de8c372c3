/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the device is mapped when the program leaves that to the kernel: all mappings in one
 * stretch of closed addresses, so that a patched instruction sees by one comparison whether it
 * touches the device. Where there is no such stretch the kernel chooses, and nothing is patched.
 */
#include "card.h"

#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096 };
static const size_t arena_size = (size_t)256 << 30;
static uint8_t *arena;
static bool tried, taken;

struct card_gate card_gate;

static uint8_t *closed(void *at, size_t size, int fixed)
{
    CARD_REAL(mmap64);
    return real_mmap64(at, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1,
                       0);
}

/* With the lock of the mappings held. */
void *arena_place(size_t size)
{
    if (!tried) {
        tried = true;
        uint8_t *at = closed(NULL, arena_size, 0);
        if (at != MAP_FAILED) {
            (void)madvise(at, arena_size, MADV_DONTDUMP);
            arena = at;
            card_gate.start = (uint64_t)(uintptr_t)at;
            card_gate.size = arena_size;
        }
    }
    if (arena == NULL || taken) {
        return NULL;
    }
    /* A closed page on both sides, so that an access beyond the end is a fault as ever. */
    const size_t pages = (size + PAGE - 1) & ~(size_t)(PAGE - 1);
    uint8_t *at = arena + PAGE;
    for (const struct card_region *r; (r = region_over(at - PAGE, pages + 2 * PAGE)) != NULL;) {
        at = r->start + r->size + PAGE;
    }
    return pages <= arena_size && (size_t)(at - arena) + pages + PAGE <= arena_size ? at : NULL;
}

static bool inside(const void *address, size_t size)
{
    const uint64_t start = (uint64_t)(uintptr_t)address;
    return arena != NULL && start < card_gate.start + card_gate.size &&
           card_gate.start < start + size;
}

int arena_unmap(void *address, size_t size)
{
    CARD_REAL(munmap);
    if (size == 0 || (uintptr_t)address % PAGE != 0 || !inside(address, size)) {
        return real_munmap(address, size);
    }
    /* What is ours stays closed, for the next mapping. */
    return !taken || closed(address, size, MAP_FIXED) != MAP_FAILED ? 0 : -1;
}

void arena_taken(const void *address, size_t size)
{
    taken = taken || inside(address, size);
}
