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
    GET_DEVICE_INFO = 0,
    GET_HARVESTING,
    QUERY_MAPPINGS,
    ALLOCATE_DMA_BUF,
    FREE_DMA_BUF,
    GET_DRIVER_INFO,
    RESET_DEVICE,
    PIN_PAGES,
    LOCK_CTL,
    MAP_PEER_BAR,
    UNPIN_PAGES,
    ALLOCATE_TLB,
    FREE_TLB,
    CONFIGURE_TLB,
    SET_NOC_CLEANUP,
    SET_POWER_STATE,
    EXPORT_TLB_DMABUF
};
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
    } boards[] = {{"p100a", 0x43}, {"p100", 0x36}, {"p150b", 0x41},
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
static void ioctls_put(uint32_t *words, unsigned from, unsigned width, uint64_t value)
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
    ioctls_put(word, 0, high, w->address >> bits);
    ioctls_put(word, high, 6, w->x_end);
    ioctls_put(word, high + 6, 6, w->y_end);
    ioctls_put(word, high + 12, 6, w->x_start);
    ioctls_put(word, high + 18, 6, w->y_start);
    ioctls_put(word, high + 24, 1, w->noc);
    ioctls_put(word, high + (c->back.wormhole ? 25 : 26), 1, w->many);
    ioctls_put(word, high + (c->back.wormhole ? 26 : 27), 2, w->ordering);
    ioctls_put(word, high + (c->back.wormhole ? 28 : 29), 1, w->linked);
    ioctls_put(word, high + (c->back.wormhole ? 29 : 30), 1, w->static_vc);
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

/* A holder that has ended holds nothing, nor does one that was killed while it took the lock. */
static bool is_held(struct card_holder *h)
{
    if (h->pid != 0 && (h->start == 0 || tree_process_start(h->pid) != h->start)) {
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
        h->start = tree_process_start((int32_t)getpid());
        h->object = object + 1;
        h->pid = (int32_t)getpid();
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
    pins_release(c, object);
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
    if (o->generation != c->generation || (c->needs_init && !asks && number != RESET_DEVICE)) {
        return fails(ENODEV);
    }
    bulk_close(c);
    switch (number) {
    case GET_DEVICE_INFO:
        return device_info(c, argument);
    case QUERY_MAPPINGS:
        return mappings(c, argument);
    case ALLOCATE_DMA_BUF:
        return allocate_dma(c, o, argument);
    case GET_DRIVER_INFO:
        return driver_info(argument);
    case RESET_DEVICE:
        return reset_device(c, o, argument);
    case PIN_PAGES:
        return pin_pages(c, object, argument);
    case MAP_PEER_BAR:
        return peer_bar(c, object, argument);
    case UNPIN_PAGES:
        return unpin_pages(c, object, argument);
    case ALLOCATE_TLB:
        return allocate_window(c, object, argument);
    case FREE_TLB:
        return free_window(c, object, argument);
    case CONFIGURE_TLB:
        return configure_window(c, object, argument);
    case SET_NOC_CLEANUP:
        return cleanup(o, argument);
    case SET_POWER_STATE:
        return power_state(argument);
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
