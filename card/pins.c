/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of the program that the device may reach: pinned pages, DMA buffers, BARs of other cards,
 * and the regions of the outbound iATU that lead there. As in tt-kmd's memory.c.
 */
#include "card.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, NOC_DMA = 2, TOP_DOWN = 4, READ_ONLY = 8, PIN_FLAGS = 15 };
#define DMA_START ((uint64_t)(PAGE - 255 - 1) << 32)

static int fails(int error)
{
    errno = error;
    return -1;
}

/* A region of the outbound iATU, as the driver programs it: spec/chip.md 8.5. */
static void iatu_write(struct card_chip *c, unsigned region, uint64_t base, uint64_t limit,
                       uint64_t target, bool on)
{
    const uint64_t at = (c->back.wormhole ? 0x1200u : 0x1000u) + 0x200u * region;
    const struct {
        uint32_t offset, value;
    } words[] = {{0x08, (uint32_t)base},
                 {0x0C, (uint32_t)(base >> 32)},
                 {0x14, (uint32_t)target},
                 {0x18, (uint32_t)(target >> 32)},
                 {0x10, (uint32_t)limit},
                 {0x20, (uint32_t)(limit >> 32)},
                 {0x00, c->back.wormhole ? 0 : 1u << 13},
                 {0x04, on ? 1u << 31 : 0},
                 {0x1C, 0}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (!c->back.wormhole || (words[i].offset != 0x20 && words[i].offset != 0x1C)) {
            chip_write(c, 2, at + words[i].offset, &words[i].value, 4);
        }
    }
}

/* Finds room for the NoC's addresses: the first gap from below, or from above. */
static uint64_t iatu_room(const struct card_chip *c, uint64_t size, bool down)
{
    const uint64_t most = c->back.wormhole ? 0xFFFE0000ull - 1 : (1ull << 58) - 1;
    if (size == 0 || size - 1 > most) {
        return UINT64_MAX;
    }
    uint64_t at = down ? most - size + 1 : 0;
    for (bool moved = true; moved;) {
        moved = false;
        for (unsigned i = 0; i < CARD_IATU; i++) {
            if (c->iatu[i].used && at <= c->iatu[i].limit && c->iatu[i].base <= at + size - 1) {
                if (down && c->iatu[i].base < size) {
                    return UINT64_MAX;
                }
                at = down ? c->iatu[i].base - size : c->iatu[i].limit + 1;
                moved = true;
            }
        }
        if (at > most - size + 1) {
            return UINT64_MAX;
        }
    }
    return at;
}

/* Returns the region, or a negative error. */
static int iatu_open(struct card_chip *c, uint32_t object, uint64_t size, uint64_t target,
                     bool down, uint64_t *noc)
{
    const uint64_t base = iatu_room(c, size, down);
    unsigned i = 0;
    if (base == UINT64_MAX) {
        return -ENOMEM;
    }
    while (i < CARD_IATU && c->iatu[i].used) {
        i++;
    }
    if (i == CARD_IATU) {
        return -ENOSPC;
    }
    c->iatu[i].used = true;
    c->iatu[i].object = object;
    c->iatu[i].base = base;
    c->iatu[i].limit = base + size - 1;
    iatu_write(c, i, base, base + size - 1, target, true);
    *noc = (c->back.wormhole ? 0x800000000ull : 4ull << 58) + base;
    return (int)i;
}

static void iatu_close(struct card_chip *c, int region)
{
    if (region >= 0 && c->iatu[region].used) {
        c->iatu[region].used = false;
        iatu_write(c, (unsigned)region, 0, 0, 0, false);
    }
}

static struct card_pin *pin_free(struct card_chip *c)
{
    for (unsigned i = 0; i < CARD_PINS; i++) {
        if (!c->pin[i].used) {
            return &c->pin[i];
        }
    }
    return NULL;
}

static void unpin(struct card_chip *c, struct card_pin *p)
{
    iatu_close(c, p->region);
    p->used = false;
}

static bool readable(const uint8_t *start, uint64_t size)
{
    for (uint64_t at = 0; at < size; at += 1u << 20) {
        unsigned char some;
        if (mincore((void *)(uintptr_t)(start + at), 1, &some) != 0) {
            return false;
        }
    }
    return true;
}

int pin_pages(struct card_chip *c, uint32_t object, void *argument)
{
    struct {
        uint32_t room, flags;
        uint64_t start, size;
    } in;
    uint64_t out[2] = {0, 0};
    memcpy(&in, argument, sizeof in);
    uint8_t *to = (uint8_t *)argument + sizeof in;
    memset(to, 0, in.room);
    if ((in.flags & ~(uint32_t)PIN_FLAGS) != 0 || in.start % PAGE != 0 || in.size % PAGE != 0 ||
        in.size == 0) {
        return fails(EINVAL);
    }
    for (unsigned i = 0; i < CARD_PINS; i++) {
        const struct card_pin *p = &c->pin[i];
        if (p->used && p->object == object && p->user == in.start && p->size == in.size) {
            return fails(EEXIST);
        }
    }
    struct card_pin *p = pin_free(c);
    if (!readable((const uint8_t *)(uintptr_t)in.start, in.size)) {
        return fails(EFAULT);
    }
    if (p == NULL) {
        return fails(ENOMEM);
    }
    *p = (struct card_pin){.address = in.start, /* the address behind the IOMMU */
                           .memory = (uint8_t *)(uintptr_t)in.start,
                           .size = in.size,
                           .user = in.start,
                           .object = object,
                           .region = -1,
                           .peer = -1,
                           .read_only = (in.flags & READ_ONLY) != 0,
                           .used = true};
    if ((in.flags & (NOC_DMA | TOP_DOWN)) != 0) {
        p->region = iatu_open(c, object, in.size, p->address, (in.flags & TOP_DOWN) != 0, &out[1]);
        if (p->region < 0) {
            p->used = false;
            return fails(-p->region);
        }
    }
    out[0] = p->address;
    memcpy(to, out, in.room < sizeof out ? in.room : sizeof out);
    return 0;
}

int unpin_pages(struct card_chip *c, uint32_t object, const void *argument)
{
    uint64_t in[3];
    memcpy(in, argument, sizeof in);
    if (in[2] != 0 || in[1] < PAGE) {
        return fails(EINVAL);
    }
    for (unsigned i = 0; i < CARD_PINS; i++) {
        struct card_pin *p = &c->pin[i];
        if (p->used && p->object == object && p->user == in[0] && p->user != 0 &&
            (p->size == 0 || p->size == (in[1] & ~(uint64_t)(PAGE - 1)))) {
            unpin(c, p);
            return 0;
        }
    }
    return fails(EINVAL);
}

int allocate_dma(struct card_chip *c, struct card_object *o, void *argument)
{
    struct {
        uint32_t size;
        uint8_t index, flags, reserved[18];
    } in;
    struct {
        uint64_t address, offset;
        uint32_t size, reserved;
        uint64_t noc, reserved1;
    } out = {0};
    memcpy(&in, argument, 24);
    struct card_pin *p = pin_free(c);
    if (in.size % PAGE != 0 || in.size == 0 || in.size > 1u << 28 ||
        o->dma[in.index].memory != NULL) {
        return fails(EINVAL);
    }
    const int fd = p != NULL ? memfd_create("tensix-card-dma", MFD_CLOEXEC) : -1;
    CARD_REAL(mmap64);
    void *memory = fd >= 0 && ftruncate(fd, in.size) == 0
                       ? real_mmap64(NULL, in.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)
                       : MAP_FAILED;
    if (memory == MAP_FAILED) {
        CARD_REAL(close);
        (void)real_close(fd);
        return fails(ENOMEM);
    }
    *p = (struct card_pin){.address = (uint64_t)(uintptr_t)memory,
                           .memory = memory,
                           .size = in.size,
                           .object = (uint32_t)(o - card_objects),
                           .region = -1,
                           .peer = -1,
                           .used = true};
    if ((in.flags & NOC_DMA) != 0) {
        p->region = iatu_open(c, p->object, in.size, p->address, true, &out.noc);
    }
    o->dma[in.index].memory = memory;
    o->dma[in.index].size = in.size;
    o->dma[in.index].fd = fd;
    out.address = p->address;
    out.offset = DMA_START + ((uint64_t)in.index << 32);
    out.size = in.size;
    memcpy((uint8_t *)argument + 24, &out, sizeof out);
    return 0;
}

int peer_bar(struct card_chip *c, uint32_t object, void *argument)
{
    uint32_t in[6];
    memcpy(in, argument, sizeof in);
    const struct card_object *other = object_of((int)in[0]);
    struct card_pin *p = pin_free(c);
    if (in[4] != 0 || in[1] > 4 || in[1] % 2 != 0 || in[3] == 0) {
        return fails(EINVAL);
    }
    if (other == NULL) {
        return fails(fcntl((int)in[0], F_GETFD) < 0 ? EBADF : EINVAL);
    }
    if (other->chip == c->number || in[2] >= c->back.bar[in[1]] ||
        in[3] > c->back.bar[in[1]] - in[2]) {
        return fails(EINVAL);
    }
    if (p == NULL) {
        return fails(ENOMEM);
    }
    /* Above everything that a program can have mapped. */
    const uint64_t address =
        (1ull << 52) + ((uint64_t)other->chip << 40) + ((uint64_t)in[1] << 36) + in[2];
    *p = (struct card_pin){.address = address,
                           .size = in[3],
                           .object = object,
                           .region = -1,
                           .peer = (int)other->chip,
                           .bar = in[1],
                           .base = in[2],
                           .used = true};
    memcpy((uint8_t *)argument + sizeof in, &address, sizeof address);
    return 0;
}

void pins_release(struct card_chip *c, uint32_t object)
{
    struct card_object *o = &card_objects[object];
    for (unsigned i = 0; i < CARD_PINS; i++) {
        if (c->pin[i].used && c->pin[i].object == object) {
            unpin(c, &c->pin[i]);
        }
    }
    for (unsigned i = 0; i < CARD_DMA_BUFS; i++) {
        if (o->dma[i].memory != NULL) {
            CARD_REAL(munmap);
            CARD_REAL(close);
            (void)real_munmap(o->dma[i].memory, o->dma[i].size);
            (void)real_close(o->dma[i].fd);
            o->dma[i].memory = NULL;
        }
    }
}
