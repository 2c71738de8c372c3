/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tensors by the megabyte: where the program moves bytes one after the other through a window onto
 * memory, a range of it is opened. Its pages are then a copy of the device's memory, which the
 * chip's thread does not touch, because the chip stands still until the range is closed: at the
 * program's next access to anything else of the device, or when it has been open for a while. Then
 * the whole range is written back, and counts as written by the host: definedness is known to the
 * range, not to the byte.
 */
#include "card.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BULK_LEAST = 16384, BULK_MOST = 1 << 20, PAGE = 4096 };

static struct bulk {
    int fd;        /* of the copy; 0: not made yet */
    uint8_t *copy; /* as we see it, always open */
    bool open, write;
    uint8_t *start; /* as the program sees it */
    size_t size;
    unsigned bar;
    uint64_t offset;
    uint8_t *next, *before; /* where a further range would go on */
    size_t unit;
} bulks[CARD_CHIPS];

static bool prepare(struct bulk *b)
{
    if (b->fd != 0) {
        return b->copy != NULL;
    }
    CARD_REAL(mmap64);
    b->fd = memfd_create("tensix-card", MFD_CLOEXEC);
    if (b->fd <= 0 || ftruncate(b->fd, BULK_MOST) != 0) {
        b->fd = -1;
        return false;
    }
    b->copy =
        real_mmap64(NULL, BULK_MOST, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, b->fd, 0);
    b->copy = b->copy == MAP_FAILED ? NULL : b->copy;
    return b->copy != NULL;
}

bool bulk_is_open(const struct card_chip *c)
{
    return bulks[c->number].open;
}

/* How much is opened at once: more where it goes on. */
static size_t unit_of(struct bulk *b, bool goes_on)
{
    b->unit = goes_on && b->unit < BULK_MOST ? 4 * b->unit : BULK_LEAST;
    b->unit = b->unit > BULK_MOST ? BULK_MOST : b->unit;
    return b->unit;
}

static bool open_range(struct card_chip *c, const struct card_region *r, uint8_t *start,
                       size_t size, bool write)
{
    CARD_REAL(mmap64);
    struct bulk *b = &bulks[c->number];
    const uint64_t in = r->offset + (uint64_t)(start - r->start);
    chip_read(c, r->bar, in, b->copy, size);
    if (real_mmap64(start, size, write ? PROT_READ | PROT_WRITE : PROT_READ,
                    MAP_SHARED | MAP_FIXED | MAP_POPULATE, b->fd, 0) == MAP_FAILED) {
        return false;
    }
    b->open = true;
    b->write = write;
    b->start = start;
    b->size = size;
    b->bar = r->bar;
    b->offset = in;
    b->next = start + size;
    b->before = start;
    card_gate.open_at = (uint64_t)(uintptr_t)start - card_gate.start;
    card_gate.open_size = size;
    return true;
}

bool bulk_open(struct card_chip *c, const struct card_region *r, uint8_t *address, bool write,
               size_t wanted)
{
    struct bulk *b = &bulks[c->number];
    uint8_t *start = (uint8_t *)((uintptr_t)address & ~(uintptr_t)(PAGE - 1));
    if (b->open || start < r->start || !prepare(b)) {
        return false;
    }
    const size_t unit = unit_of(b, b->next == start);
    const uint64_t in = r->offset + (uint64_t)(start - r->start);
    uint64_t room = c->back.calls->plain(c->back.state, r->bar, in);
    room = room < (uint64_t)(r->start + r->size - start) ? room
                                                         : (uint64_t)(r->start + r->size - start);
    size_t size = wanted > unit ? wanted : unit;
    size = size < room ? size : (size_t)room;
    size = (size > BULK_MOST ? BULK_MOST : size) & ~(size_t)(PAGE - 1);
    return size != 0 && open_range(c, r, start, size, write);
}

bool bulk_open_below(struct card_chip *c, const struct card_region *r, uint8_t *address, bool write)
{
    struct bulk *b = &bulks[c->number];
    uint8_t *end = (uint8_t *)(((uintptr_t)address + PAGE - 1) & ~(uintptr_t)(PAGE - 1));
    if (b->open || end > r->start + r->size || !prepare(b)) {
        return false;
    }
    size_t size = unit_of(b, b->before == end);
    size = size < (size_t)(end - r->start) ? size : (size_t)(end - r->start);
    const uint64_t in = r->offset + (uint64_t)(end - size - r->start);
    return size != 0 && c->back.calls->plain(c->back.state, r->bar, in) >= size &&
           open_range(c, r, end - size, size, write);
}

void bulk_close(struct card_chip *c)
{
    CARD_REAL(mmap64);
    struct bulk *b = &bulks[c->number];
    if (!b->open) {
        return;
    }
    b->open = false;
    card_gate.open_size = 0;
    /* From here on an access of another thread waits for the lock that we hold. */
    if (real_mmap64(b->start, b->size, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED) {
        card_tell("a window cannot be closed: out of mappings");
        return;
    }
    if (b->write) {
        chip_write(c, b->bar, b->offset, b->copy, b->size);
    }
}

bool bulk_has(const struct card_chip *c, const uint8_t *at, size_t size, bool write)
{
    const struct bulk *b = &bulks[c->number];
    return b->open && at >= b->start && at + size <= b->start + b->size && (b->write || !write);
}

void bulk_forget(struct card_chip *c)
{
    memset(&bulks[c->number], 0, sizeof bulks[0]);
}

uint8_t *bulk_start(const struct card_chip *c)
{
    const struct bulk *b = &bulks[c->number];
    return b->open ? b->start : NULL;
}

uint8_t *bulk_end(const struct card_chip *c)
{
    const struct bulk *b = &bulks[c->number];
    return b->open ? b->start + b->size : NULL;
}
