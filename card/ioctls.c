/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ioctls of tt-kmd on an open file of the device: numbers, structures, checks and errors as in
 * its ioctl.h, memory.c, chardev.c and tlb.c (version 2.10).
 */
#include "card.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum {
    GET_DEVICE_INFO = 0, GET_HARVESTING, QUERY_MAPPINGS, ALLOCATE_DMA_BUF, FREE_DMA_BUF,
    GET_DRIVER_INFO, RESET_DEVICE, PIN_PAGES, LOCK_CTL, MAP_PEER_BAR, UNPIN_PAGES, ALLOCATE_TLB,
    FREE_TLB, CONFIGURE_TLB, SET_NOC_CLEANUP, SET_POWER_STATE, EXPORT_TLB_DMABUF
};
enum { PAGE = 4096, NOC_DMA = 2, TOP_DOWN = 4, READ_ONLY = 8, PIN_FLAGS = 15 };
#define DMA_START ((uint64_t)(PAGE - 255 - 1) << 32)
#define BAR0_SIZE (512ull << 20)

static int fails(int error)
{
    errno = error;
    return -1;
}

static uint32_t number_of(const struct card_object *o)
{
    return (uint32_t)(o - card_objects);
}

/* Copies an answer as the driver does: what the program made room for, the rest cleared. */
static void answer(void *to, uint32_t room, const void *from, uint32_t size)
{
    memset(to, 0, room);
    memcpy(to, from, room < size ? room : size);
}

/* ---- what the device is ---- */

static int device_info(const struct card_chip *c, void *argument)
{
    struct {
        uint32_t size;
        uint16_t vendor, device, subsystem_vendor, subsystem, bus, dma_log2, domain, reserved;
    } out = {.size = sizeof out, .vendor = 0x1e52, .subsystem_vendor = 0x1e52};
    static const struct {
        const char *name;
        uint16_t number;
    } boards[] = {{"p100a", 0x43}, {"p100", 0x36},  {"p150b", 0x41},
                  {"p150c", 0x42}, {"n150", 0x18}, {"n300", 0x14}};
    uint32_t room;
    memcpy(&room, argument, sizeof room);
    out.device = c->back.wormhole ? 0x401e : 0xb140;
    out.subsystem = 0x40;
    for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++) {
        if (strcmp(boards[i].name, card_options.product) == 0) {
            out.subsystem = boards[i].number;
        }
    }
    out.bus = (uint16_t)((0xaa + c->number) << 8);
    out.dma_log2 = 28;
    answer((uint8_t *)argument + 4, room, &out, sizeof out);
    return 0;
}

static int mappings(const struct card_chip *c, void *argument)
{
    uint32_t count;
    memcpy(&count, argument, sizeof count);
    uint8_t *to = (uint8_t *)argument + 8;
    for (uint32_t i = 0; i < count; i++) {
        struct {
            uint32_t id, reserved;
            uint64_t base, size;
        } one = {0};
        if (i < 6) {
            one.id = i + 1;
            one.base = (uint64_t)i << 36;
            one.size = c->back.bar[i / 2 * 2];
        }
        memcpy(to + i * sizeof one, &one, sizeof one);
    }
    return 0;
}

static int driver_info(void *argument)
{
    const struct {
        uint32_t size, version;
        uint8_t major, minor, patch, reserved;
    } out = {sizeof out, 2, 2, 6, 0, 0};
    uint32_t room;
    memcpy(&room, argument, sizeof room);
    answer((uint8_t *)argument + 4, room, &out, sizeof out);
    return 0;
}

/* ---- the host's memory ---- */

/* A region of the outbound iATU, as the driver programs it: spec/chip.md 8.5. */
static void iatu_write(struct card_chip *c, unsigned region, uint64_t base, uint64_t limit,
                       uint64_t target, bool on)
{
    const uint64_t at = (c->back.wormhole ? 0x1200u : 0x1000u) + 0x200u * region;
    const struct {
        uint32_t offset, value;
    } words[] = {{0x08, (uint32_t)base},         {0x0C, (uint32_t)(base >> 32)},
                 {0x14, (uint32_t)target},       {0x18, (uint32_t)(target >> 32)},
                 {0x10, (uint32_t)limit},        {0x20, (uint32_t)(limit >> 32)},
                 {0x00, c->back.wormhole ? 0 : 1u << 13},
                 {0x04, on ? 1u << 31 : 0},      {0x1C, 0}};
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

static int pin_pages(struct card_chip *c, uint32_t object, void *argument)
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

static int unpin_pages(struct card_chip *c, uint32_t object, const void *argument)
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

static int allocate_dma(struct card_chip *c, struct card_object *o, void *argument)
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
                           .object = number_of(o),
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

static int peer_bar(struct card_chip *c, uint32_t object, void *argument)
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
    const uint64_t address = (1ull << 52) + ((uint64_t)other->chip << 40) +
                             ((uint64_t)in[1] << 36) + in[2];
    *p = (struct card_pin){.address = address, .size = in[3], .object = object, .region = -1,
                           .peer = (int)other->chip, .bar = in[1], .base = in[2], .used = true};
    memcpy((uint8_t *)argument + sizeof in, &address, sizeof address);
    return 0;
}

/* ---- windows ---- */

struct kind {
    unsigned count, bits, bar;
    uint64_t base;
};
static const struct kind kinds_bh[] = {{201, 21, 0, 0}, {1, 21, 0, 201ull << 21}, {8, 32, 4, 0}};
static const struct kind kinds_wh[] = {
    {156, 20, 0, 0}, {10, 21, 0, 156ull << 20}, {20, 24, 0, 0xB000000}};
enum { KINDS = 3 };

static const struct kind *kind_of(const struct card_chip *c, unsigned id, unsigned *first)
{
    const struct kind *kinds = c->back.wormhole ? kinds_wh : kinds_bh;
    *first = 0;
    for (unsigned k = 0; k < KINDS; k++) {
        if (id < *first + kinds[k].count) {
            return &kinds[k];
        }
        *first += kinds[k].count;
    }
    return NULL;
}

/* The last window of 2 MiB on Blackhole, and of 16 MiB on Wormhole, is the driver's own. */
static bool is_drivers(const struct card_chip *c, unsigned id)
{
    return id == (c->back.wormhole ? 185u : 201u);
}

static int allocate_window(struct card_chip *c, uint32_t object, void *argument)
{
    uint64_t size;
    struct {
        uint32_t id, reserved;
        uint64_t uc, wc, reserved1;
    } out = {0};
    bool known = false;
    memcpy(&size, argument, sizeof size);
    for (unsigned id = 0, first; kind_of(c, id, &first) != NULL; id++) {
        const struct kind *k = kind_of(c, id, &first);
        if (size != 1ull << k->bits) {
            continue;
        }
        known = true;
        if (c->window[id] != 0 || is_drivers(c, id)) {
            continue;
        }
        const uint64_t in = k->base + ((uint64_t)(id - first) << k->bits);
        c->window[id] = (uint16_t)(object + 1);
        out.id = id;
        out.uc = (6ull << 36) + in + (k->bar == 4 ? BAR0_SIZE : 0);
        out.wc = out.uc + (1ull << 36);
        memcpy((uint8_t *)argument + 16, &out, sizeof out);
        return 0;
    }
    return fails(known ? ENOMEM : EINVAL);
}

static int free_window(struct card_chip *c, uint32_t object, const void *argument)
{
    uint32_t id;
    memcpy(&id, argument, sizeof id);
    if (id >= CARD_WINDOWS) {
        return fails(EINVAL);
    }
    if (c->window[id] != object + 1) {
        return fails(EPERM);
    }
    c->window[id] = 0;
    return 0;
}

struct window {
    uint64_t address;
    uint16_t x_end, y_end, x_start, y_start;
    uint8_t noc, many, ordering, linked, static_vc, reserved[11];
};

/* Puts a field of the window's configuration: spec/chip.md 8.3. */
static void put(uint32_t *words, unsigned from, unsigned width, uint64_t value)
{
    for (unsigned i = 0; i < width; i++) {
        words[(from + i) / 32] |= (uint32_t)(value >> i & 1) << (from + i) % 32;
    }
}

static void window_write(struct card_chip *c, unsigned id, unsigned bits, const struct window *w)
{
    const unsigned high = (c->back.wormhole ? 36 : 64) - bits;
    const unsigned words = c->back.wormhole ? 2 : 3;
    uint32_t word[3] = {0};
    put(word, 0, high, w->address >> bits);
    put(word, high, 6, w->x_end);
    put(word, high + 6, 6, w->y_end);
    put(word, high + 12, 6, w->x_start);
    put(word, high + 18, 6, w->y_start);
    put(word, high + 24, 1, w->noc);
    put(word, high + (c->back.wormhole ? 25 : 26), 1, w->many);
    put(word, high + (c->back.wormhole ? 26 : 27), 2, w->ordering);
    put(word, high + (c->back.wormhole ? 28 : 29), 1, w->linked);
    put(word, high + (c->back.wormhole ? 29 : 30), 1, w->static_vc);
    for (unsigned i = 0; i < words; i++) {
        chip_write(c, 0, 0x1FC00000u + 4 * (id * words + i), &word[i], 4);
    }
    if (!c->back.wormhole && id < 32) {
        const uint32_t none = 0;
        chip_write(c, 0, 0x1FC00000u + 2520 + 4 * id, &none, 4);
    }
}

static int configure_window(struct card_chip *c, uint32_t object, const void *argument)
{
    struct {
        uint32_t id, reserved;
        struct window window;
    } in;
    unsigned first;
    memcpy(&in, argument, sizeof in);
    if (in.id >= CARD_WINDOWS) {
        return fails(EINVAL);
    }
    const struct kind *k = kind_of(c, in.id, &first);
    if (k == NULL || c->window[in.id] != object + 1) {
        return fails(EPERM);
    }
    if ((in.window.address & ((1ull << k->bits) - 1)) != 0) {
        return fails(EINVAL);
    }
    window_write(c, in.id, k->bits, &in.window);
    return 0;
}

/* ---- locks between processes ---- */

static void shared_lock(void)
{
    if (pthread_mutex_lock(&card_shared->lock) == EOWNERDEAD) {
        pthread_mutex_consistent(&card_shared->lock);
    }
}

static bool holds(const struct card_holder *h, uint32_t object)
{
    return h->pid == (int32_t)getpid() && h->object == object + 1;
}

/* A holder that has ended holds nothing. */
static bool is_held(struct card_holder *h)
{
    if (h->pid != 0 && tree_process_start(h->pid) != h->start) {
        memset(h, 0, sizeof *h);
    }
    return h->pid != 0;
}

/* With FLAGS of ioctl.h: 0 acquire, 1 release, 2 test. */
static uint8_t lock_once(unsigned chip, uint32_t object, uint32_t flags, unsigned index)
{
    struct card_holder *h = &card_shared->locks[chip][index];
    uint8_t value = 0;
    shared_lock();
    const bool held = is_held(h);
    if (flags == 0 && !held) {
        h->pid = (int32_t)getpid();
        h->object = object + 1;
        h->start = tree_process_start(h->pid);
        value = 1;
    } else if (flags == 1 && holds(h, object)) {
        memset(h, 0, sizeof *h);
        value = 1;
    } else if (flags == 2) {
        value = (uint8_t)(held << 1 | (held && holds(h, object)));
    }
    pthread_mutex_unlock(&card_shared->lock);
    return value;
}

static int lock_control(struct card_object *o, void *argument)
{
    uint32_t in[2];
    const uint8_t index = ((const uint8_t *)argument)[8];
    memcpy(in, argument, sizeof in);
    if (index >= CARD_LOCKS || in[1] > 3) {
        return fails(EINVAL);
    }
    uint8_t value = lock_once(o->chip, number_of(o), in[1] == 3 ? 0 : in[1], index);
    while (in[1] == 3 && value == 0) {
        const struct timespec pause = {.tv_nsec = 1000000};
        if (nanosleep(&pause, NULL) != 0) {
            return fails(EINTR);
        }
        value = lock_once(o->chip, number_of(o), 0, index);
    }
    const uint8_t out[4] = {value, 0, 0, 0};
    answer((uint8_t *)argument + 12, in[0] < 64 ? in[0] : 64, out, sizeof out);
    return 0;
}

/* ---- the rest ---- */

static int cleanup(struct card_object *o, const void *argument)
{
    struct {
        uint32_t size, flags;
        uint8_t enabled, x, y, noc;
        uint32_t reserved;
        uint64_t address, data;
    } in;
    memcpy(&in, argument, sizeof in);
    if (in.size != sizeof in || in.flags != 0 || in.enabled > 1 || in.address % 4 != 0 ||
        in.noc > 1 || in.x > 64 || in.y > 64) {
        return fails(EINVAL);
    }
    o->cleanup.enabled = in.enabled != 0;
    o->cleanup.x = in.x;
    o->cleanup.y = in.y;
    o->cleanup.noc = in.noc;
    o->cleanup.address = in.address;
    o->cleanup.value = (uint32_t)in.data;
    return 0;
}

/* Clocks of the chip are not gated: the request is checked, and has no other effect. */
static int power_state(const void *argument)
{
    struct {
        uint32_t size, flags;
        uint8_t reserved, validity;
        uint16_t power, settings[14];
    } in;
    memcpy(&in, argument, sizeof in);
    return in.size != sizeof in || in.flags != 0 || in.reserved != 0 || in.validity > 0xEF
               ? fails(EINVAL)
               : 0;
}

static int reset_device(struct card_chip *c, struct card_object *o, void *argument)
{
    uint32_t in[2];
    memcpy(in, argument, sizeof in);
    if (in[1] > 6) {
        return fails(EINVAL);
    }
    if (in[1] >= 2 && in[1] <= 5) { /* other open files and mappings are of the time before */
        o->generation = ++c->generation;
        for (unsigned i = 0; i < CARD_WINDOWS; i++) {
            c->window[i] = c->window[i] == number_of(o) + 1 ? c->window[i] : 0;
        }
        (void)chip_reset(c);
        c->needs_init = in[1] >= 3;
    } else if (in[1] == 6) {
        c->needs_init = false;
    }
    const uint32_t out[2] = {8, 0};
    answer((uint8_t *)argument + 8, in[0] < 64 ? in[0] : 64, out, sizeof out);
    return 0;
}

void chip_release(struct card_chip *c, uint32_t object)
{
    struct card_object *o = &card_objects[object];
    bulk_close(c);
    if (o->cleanup.enabled && o->generation == c->generation) {
        (void)c->back.calls->noc_write(c->back.state, o->cleanup.noc, o->cleanup.x, o->cleanup.y,
                                       o->cleanup.address, o->cleanup.value);
    }
    o->cleanup.enabled = false;
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
    for (unsigned i = 0; i < CARD_LOCKS; i++) {
        (void)lock_once(c->number, object, 1, i);
    }
    for (unsigned i = 0; i < CARD_WINDOWS; i++) {
        c->window[i] = c->window[i] == object + 1 ? 0 : c->window[i];
    }
}

static int on_chip(struct card_chip *c, struct card_object *o, unsigned number, void *argument)
{
    const uint32_t object = number_of(o);
    const bool asks = number == GET_DEVICE_INFO || number == GET_DRIVER_INFO;
    if (o->generation != c->generation ||
        (c->needs_init && !asks && number != RESET_DEVICE)) {
        return fails(ENODEV);
    }
    bulk_close(c);
    switch (number) {
    case GET_DEVICE_INFO: return device_info(c, argument);
    case QUERY_MAPPINGS: return mappings(c, argument);
    case ALLOCATE_DMA_BUF: return allocate_dma(c, o, argument);
    case GET_DRIVER_INFO: return driver_info(argument);
    case RESET_DEVICE: return reset_device(c, o, argument);
    case PIN_PAGES: return pin_pages(c, object, argument);
    case MAP_PEER_BAR: return peer_bar(c, object, argument);
    case UNPIN_PAGES: return unpin_pages(c, object, argument);
    case ALLOCATE_TLB: return allocate_window(c, object, argument);
    case FREE_TLB: return free_window(c, object, argument);
    case CONFIGURE_TLB: return configure_window(c, object, argument);
    case SET_NOC_CLEANUP: return cleanup(o, argument);
    case SET_POWER_STATE: return power_state(argument);
    default: /* GET_HARVESTING and FREE_DMA_BUF are EINVAL in the driver, too */
        if (number > EXPORT_TLB_DMABUF || number == EXPORT_TLB_DMABUF) {
            card_tell("ioctl %u is not modelled: EINVAL", number);
        }
        return fails(EINVAL);
    }
}

int card_ioctl(struct card_object *o, unsigned long request, void *argument)
{
    const unsigned number = (unsigned)(request & 0xFF);
    struct card_chip *c = chip_get(o->chip);
    if (c == NULL) {
        return fails(ENODEV);
    }
    if (argument == NULL) {
        return fails(EFAULT);
    }
    if (number == LOCK_CTL) { /* may wait */
        return o->generation == c->generation ? lock_control(o, argument) : fails(ENODEV);
    }
    chip_lock(c);
    const int result = on_chip(c, o, number, argument);
    const int error = errno;
    chip_unlock(c);
    if (card_verbose()) {
        card_tell("ioctl %u: %d", number, result);
    }
    errno = error;
    return result;
}
