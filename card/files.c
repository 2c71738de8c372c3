/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Open files of the device and their mappings. A descriptor is a real one, of the node in the
 * card's folder, so that dup, fork, poll and close mean what they mean; what the driver would keep
 * for the open file is an object here. An object lives until its last descriptor and mapping are
 * gone, as in Linux.
 */
#include "card.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct card_object card_objects[CARD_OBJECTS];
static _Atomic uint16_t object_at[CARD_FDS]; /* number of the object + 1 */
static struct card_region regions[CARD_REGIONS];
static _Atomic unsigned region_end;  /* regions from there on were never used */
static _Atomic unsigned region_last; /* where the last access was */
static pthread_mutex_t region_lock = PTHREAD_MUTEX_INITIALIZER;

/* tt-kmd, memory.c: which mapping an offset of mmap means. */
enum { KIND_TLB = 6, KINDS = 8 };
#define KIND_SHIFT 36
#define DMA_START ((uint64_t)(4096 - 255 - 1) << 32)
#define BAR0_SIZE (512ull << 20)

/* ---- objects ---- */

static void drop(uint32_t number)
{
    struct card_object *o = &card_objects[number];
    if (atomic_load(&o->refs) != 1) {
        atomic_fetch_sub(&o->refs, 1);
        return;
    }
    struct card_chip *c = chip_get(o->chip);
    if (c != NULL) {
        chip_lock(c);
        chip_release(c, number);
        chip_unlock(c);
    }
    atomic_store(&o->refs, 0);
}

struct card_object *object_of(int fd)
{
    if (fd < 0 || fd >= CARD_FDS) {
        return NULL;
    }
    const uint16_t number = atomic_load(&object_at[fd]);
    return number != 0 ? &card_objects[number - 1] : NULL;
}

int object_attach(int fd, unsigned chip, int flags)
{
    struct card_chip *c = fd < CARD_FDS ? chip_get(chip) : NULL;
    uint32_t number = 0;
    uint32_t none = 0;
    while (c != NULL && number < CARD_OBJECTS &&
           !atomic_compare_exchange_strong(&card_objects[number].refs, &none, 1)) {
        none = 0;
        number++;
    }
    if (c == NULL || number == CARD_OBJECTS) {
        close(fd);
        errno = c == NULL ? ENODEV : ENOMEM;
        return -1;
    }
    struct card_object *o = &card_objects[number];
    o->chip = chip;
    o->append = (flags & O_APPEND) != 0;
    o->exclusive = (flags & O_EXCL) != 0;
    o->locks = 0;
    memset(o->dma, 0, sizeof o->dma);
    memset(&o->cleanup, 0, sizeof o->cleanup);
    chip_lock(c);
    o->generation = c->generation;
    chip_unlock(c);
    atomic_store(&object_at[fd], (uint16_t)(number + 1));
    return fd;
}

/* The descriptor is no longer the device's, or another one is the same file. */
static void forget(int fd)
{
    if (fd >= 0 && fd < CARD_FDS) {
        const uint16_t number = atomic_exchange(&object_at[fd], 0);
        if (number != 0) {
            drop(number - 1u);
        }
    }
}

static int share(int fd, int from)
{
    struct card_object *o = object_of(from);
    if (fd >= 0 && fd != from) {
        forget(fd);
        if (o != NULL && fd < CARD_FDS) {
            atomic_fetch_add(&o->refs, 1);
            atomic_store(&object_at[fd], (uint16_t)(o - card_objects + 1));
        }
    }
    return fd;
}

/* A descriptor that came by exec or from another process may be a node of ours, too. */
static struct card_object *adopted(int fd)
{
    struct stat s;
    struct card_object *o = object_of(fd);
    if (o != NULL || !card_start() || fstat(fd, &s) != 0) {
        return o;
    }
    const int chip = node_of(s.st_dev, s.st_ino);
    const int flags = chip >= 0 ? fcntl(fd, F_GETFL) : 0;
    return chip >= 0 && object_attach(fd, (unsigned)chip, flags) >= 0 ? object_of(fd) : NULL;
}

void objects_finish(void)
{
    for (int fd = 0; fd < CARD_FDS; fd++) {
        forget(fd);
    }
}

/* ---- open and close ---- */

static bool has_mode(int flags)
{
    return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
}

/* What has been opened: the device, if it is a node of the card. */
static int opened(int fd, const char *path, const char *mapped, int flags)
{
    struct stat s;
    /* Relative paths lead to a node where a folder of the card is open. */
    const bool maybe = mapped != path || (card_shared != NULL && path != NULL && path[0] != '/');
    if (fd < 0 || !maybe || fstat(fd, &s) != 0) {
        return fd;
    }
    const int chip = node_of(s.st_dev, s.st_ino);
    return chip >= 0 && (flags & O_PATH) == 0 ? object_attach(fd, (unsigned)chip, flags) : fd;
}

static int open_any(int folder, const char *path, int flags, mode_t mode)
{
    CARD_REAL(openat);
    char to[CARD_PATH];
    const char *mapped = path_map(path, to);
    const int without = mapped != path ? flags & ~O_EXCL : flags; /* no file is made */
    if (card_shared != NULL && card_options.report && (flags & O_ACCMODE) == O_RDONLY) {
        kernel_opened(path);
    }
    return opened(real_openat(folder, mapped, without, mode), path, mapped, flags);
}

#define HOOK_OPEN(name)                                                 \
    CARD_HOOK int name(const char *path, int flags, ...)                \
    {                                                                   \
        va_list args;                                                   \
        va_start(args, flags);                                          \
        const mode_t mode = has_mode(flags) ? va_arg(args, mode_t) : 0; \
        va_end(args);                                                   \
        return open_any(AT_FDCWD, path, flags, mode);                   \
    }
HOOK_OPEN(open)
HOOK_OPEN(open64)

#define HOOK_OPENAT(name)                                               \
    CARD_HOOK int name(int folder, const char *path, int flags, ...)    \
    {                                                                   \
        va_list args;                                                   \
        va_start(args, flags);                                          \
        const mode_t mode = has_mode(flags) ? va_arg(args, mode_t) : 0; \
        va_end(args);                                                   \
        return open_any(folder, path, flags, mode);                     \
    }
HOOK_OPENAT(openat)
HOOK_OPENAT(openat64)

/* What fortified programs call. */
#define HOOK_OPEN_2(name)                            \
    CARD_HOOK int name(const char *path, int flags); \
    CARD_HOOK int name(const char *path, int flags)  \
    {                                                \
        return open_any(AT_FDCWD, path, flags, 0);   \
    }
HOOK_OPEN_2(__open_2)
HOOK_OPEN_2(__open64_2)

#define HOOK_OPENAT_2(name)                                      \
    CARD_HOOK int name(int folder, const char *path, int flags); \
    CARD_HOOK int name(int folder, const char *path, int flags)  \
    {                                                            \
        return open_any(folder, path, flags, 0);                 \
    }
HOOK_OPENAT_2(__openat_2)
HOOK_OPENAT_2(__openat64_2)

#define HOOK_FOPEN(name)                                                       \
    CARD_HOOK FILE *name(const char *restrict path, const char *restrict mode) \
    {                                                                          \
        CARD_REAL(name);                                                       \
        char to[CARD_PATH];                                                    \
        if (card_shared != NULL && card_options.report) {                      \
            kernel_opened(path);                                               \
        }                                                                      \
        return real_##name(path_map(path, to), mode);                          \
    }
HOOK_FOPEN(fopen)
HOOK_FOPEN(fopen64)

CARD_HOOK int close(int fd)
{
    CARD_REAL(close);
    forget(fd);
    return real_close(fd);
}

CARD_HOOK int close_range(unsigned first, unsigned last, int flags)
{
    CARD_REAL(close_range);
    for (unsigned fd = first;
         (flags & (int)CLOSE_RANGE_CLOEXEC) == 0 && fd <= last && fd < CARD_FDS; fd++) {
        forget((int)fd);
    }
    return real_close_range(first, last, flags);
}

CARD_HOOK void closefrom(int first)
{
    CARD_REAL(closefrom);
    for (int fd = first < 0 ? 0 : first; fd < CARD_FDS; fd++) {
        forget(fd);
    }
    real_closefrom(first);
}

CARD_HOOK int dup(int fd)
{
    CARD_REAL(dup);
    return share(real_dup(fd), fd);
}

CARD_HOOK int dup2(int fd, int to)
{
    CARD_REAL(dup2);
    return share(real_dup2(fd, to), fd);
}

CARD_HOOK int dup3(int fd, int to, int flags)
{
    CARD_REAL(dup3);
    return share(real_dup3(fd, to, flags), fd);
}

#define HOOK_FCNTL(name)                                                    \
    CARD_HOOK int name(int fd, int command, ...)                            \
    {                                                                       \
        CARD_REAL(name);                                                    \
        va_list args;                                                       \
        va_start(args, command);                                            \
        void *argument = va_arg(args, void *);                              \
        va_end(args);                                                       \
        const int result = real_##name(fd, command, argument);              \
        const bool copy = command == F_DUPFD || command == F_DUPFD_CLOEXEC; \
        return copy ? share(result, fd) : result;                           \
    }
HOOK_FCNTL(fcntl)
HOOK_FCNTL(fcntl64)

CARD_HOOK int ioctl(int fd, unsigned long request, ...)
{
    CARD_REAL(ioctl);
    va_list args;
    va_start(args, request);
    void *argument = va_arg(args, void *);
    va_end(args);
    if ((request >> 8 & 0xFF) == 0xFA) {
        struct card_object *o = adopted(fd);
        if (o != NULL) {
            return card_ioctl(o, request, argument);
        }
    }
    return real_ioctl(fd, request, argument);
}

/* ---- mappings ---- */

struct card_region *region_at(const void *address)
{
    const uint8_t *at = address;
    const unsigned end = atomic_load(&region_end);
    const unsigned last = atomic_load_explicit(&region_last, memory_order_relaxed);
    if (atomic_load_explicit(&regions[last].used, memory_order_acquire) &&
        at >= regions[last].start && at < regions[last].start + regions[last].size) {
        return &regions[last];
    }
    for (unsigned i = 0; i < end; i++) {
        struct card_region *r = &regions[i];
        if (atomic_load_explicit(&r->used, memory_order_acquire) && at >= r->start &&
            at < r->start + r->size) {
            atomic_store_explicit(&region_last, i, memory_order_relaxed);
            return r;
        }
    }
    return NULL;
}

const struct card_region *region_over(const void *start, size_t size)
{
    const uint8_t *at = start;
    const unsigned end = atomic_load(&region_end);
    for (unsigned i = 0; i < end; i++) {
        const struct card_region *r = &regions[i];
        if (atomic_load_explicit(&r->used, memory_order_acquire) && at < r->start + r->size &&
            r->start < at + size) {
            return r;
        }
    }
    return NULL;
}

bool region_overlaps(const void *start, size_t size)
{
    return region_over(start, size) != NULL;
}

/* Enters a mapping; with region_lock held. */
static bool enter(const struct card_region *what)
{
    unsigned i = 0;
    while (i < CARD_REGIONS && atomic_load(&regions[i].used)) {
        i++;
    }
    if (i == CARD_REGIONS) {
        return false;
    }
    struct card_region *r = &regions[i];
    r->start = what->start;
    r->size = what->size;
    r->chip = what->chip;
    r->bar = what->bar;
    r->offset = what->offset;
    r->object = what->object;
    r->generation = what->generation;
    atomic_fetch_add(&card_objects[r->object].refs, 1);
    atomic_store_explicit(&r->used, true, memory_order_release);
    if (i >= atomic_load(&region_end)) {
        atomic_store(&region_end, i + 1);
    }
    return true;
}

/* Takes a range out of all mappings; what is left of them on both sides stays. */
static void leave(uint8_t *start, size_t size)
{
    if (!region_overlaps(start, size)) {
        return;
    }
    for (unsigned i = 0; i < CARD_CHIPS; i++) {
        struct card_chip *c = i < card_options.chips ? chip_get(i) : NULL;
        if (c != NULL) {
            chip_lock(c);
            bulk_close(c);
            chip_unlock(c);
        }
    }
    uint8_t *end = start + size;
    pthread_mutex_lock(&region_lock);
    for (unsigned i = 0; i < atomic_load(&region_end); i++) {
        struct card_region *r = &regions[i];
        if (!atomic_load(&r->used) || start >= r->start + r->size || r->start >= end) {
            continue;
        }
        struct card_region low = *r;
        struct card_region high = *r;
        atomic_store(&r->used, false);
        if (low.start < start) {
            low.size = (size_t)(start - low.start);
            (void)enter(&low);
        }
        if (high.start + high.size > end) {
            high.offset += (uint64_t)(end - high.start);
            high.size -= (size_t)(end - high.start);
            high.start = end;
            (void)enter(&high);
        }
        drop(low.object);
    }
    pthread_mutex_unlock(&region_lock);
}

void regions_fork(int stage)
{
    lock_fork(&region_lock, stage);
}

/* Finds what an offset of mmap means. Returns false where nothing is. */
static bool target(const struct card_chip *c, const struct card_object *o, uint64_t offset,
                   size_t size, struct card_region *r)
{
    const uint64_t kind = offset >> KIND_SHIFT;
    uint64_t in = offset & ((1ull << KIND_SHIFT) - 1);
    if (kind >= KINDS) {
        return false;
    }
    r->bar = kind < KIND_TLB                        ? (unsigned)(kind / 2 * 2)
             : in >= BAR0_SIZE && !c->back.wormhole ? 4
                                                    : 0;
    in -= kind >= KIND_TLB && r->bar == 4 ? BAR0_SIZE : 0;
    r->offset = in;
    r->chip = c->number;
    r->object = (uint32_t)(o - card_objects);
    r->generation = o->generation;
    return in <= c->back.bar[r->bar] && size <= c->back.bar[r->bar] - in;
}

static void *map_dma(const struct card_object *o, void *address, size_t size, int protection,
                     int flags, uint64_t offset)
{
    CARD_REAL(mmap64);
    const uint64_t in = offset - DMA_START;
    const uint64_t index = in >> 32;
    if (offset < DMA_START || index >= CARD_DMA_BUFS || o->dma[index].memory == NULL ||
        (uint32_t)in + (uint64_t)size > o->dma[index].size) {
        errno = EINVAL;
        return MAP_FAILED;
    }
    return real_mmap64(address, size, protection, flags, o->dma[index].fd, (off64_t)(uint32_t)in);
}

static void *map_device(struct card_object *o, void *address, size_t size, int protection,
                        int flags, uint64_t offset)
{
    CARD_REAL(mmap64);
    struct card_region r = {.size = (size + 4095) & ~4095ull};
    struct card_chip *c = chip_get(o->chip);
    if (c == NULL || o->generation != c->generation) {
        errno = ENODEV;
        return MAP_FAILED;
    }
    if (!target(c, o, offset, size, &r)) {
        return map_dma(o, address, size, protection, flags, offset);
    }
    fault_install();
    const int fixed = flags & (MAP_FIXED | MAP_FIXED_NOREPLACE);
    pthread_mutex_lock(&region_lock);
    uint8_t *at = address == NULL && fixed == 0 ? arena_place(size) : NULL;
    if (at == NULL) {
        at = real_mmap64(address, size, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
    }
    if (at == MAP_FAILED) {
        pthread_mutex_unlock(&region_lock);
        return MAP_FAILED;
    }
    r.start = at;
    const bool entered = enter(&r);
    pthread_mutex_unlock(&region_lock);
    if (!entered) {
        (void)arena_unmap(at, size);
        errno = ENOMEM;
        return MAP_FAILED;
    }
    if (card_verbose()) {
        card_tell("mmap bar %u offset %llx size %zx at %p", r.bar, (unsigned long long)r.offset,
                  size, (void *)at);
    }
    return at;
}

enum { HUGE_MAPPING = 1 << 30 };

static void *map_any(void *address, size_t size, int protection, int flags, int fd, off64_t offset)
{
    CARD_REAL(mmap64);
    /*
     * DRAM of a simulator behind --door: counted in full, it keeps the program from forking. Huge
     * pages that are not there would be found missing at their first use only.
     */
    if ((flags & MAP_ANONYMOUS) != 0 && (flags & MAP_HUGETLB) == 0 && size >= HUGE_MAPPING) {
        flags |= MAP_NORESERVE;
    }
    if ((flags & MAP_FIXED) != 0 && card_shared != NULL) {
        leave(address, size);
        chips_unmapped(address, size);
        arena_taken(address, size);
    }
    struct card_object *o =
        fd >= 0 && (flags & MAP_ANONYMOUS) == 0 && card_shared != NULL ? adopted(fd) : NULL;
    return o != NULL ? map_device(o, address, size, protection, flags, (uint64_t)offset)
                     : real_mmap64(address, size, protection, flags, fd, offset);
}

CARD_HOOK void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    return map_any(address, size, protection, flags, fd, offset);
}

CARD_HOOK void *mmap64(void *address, size_t size, int protection, int flags, int fd,
                       off64_t offset)
{
    return map_any(address, size, protection, flags, fd, offset);
}

CARD_HOOK int munmap(void *address, size_t size)
{
    if (card_shared != NULL) {
        leave(address, size);
        chips_unmapped(address, size);
    }
    return arena_unmap(address, size);
}

CARD_HOOK int mprotect(void *address, size_t size, int protection)
{
    CARD_REAL(mprotect);
    /* The device's pages stay closed whatever the program may do with them. */
    return card_shared != NULL && region_overlaps(address, size)
               ? 0
               : real_mprotect(address, size, protection);
}

CARD_HOOK void *mremap(void *address, size_t size, size_t wanted, int flags, ...)
{
    CARD_REAL(mremap);
    va_list args;
    va_start(args, flags);
    void *to = va_arg(args, void *);
    va_end(args);
    if (card_shared != NULL && region_overlaps(address, size)) {
        errno = EFAULT; /* as for mappings of a device that must not grow */
        return MAP_FAILED;
    }
    if (card_shared != NULL) {
        chips_unmapped(address, size);
        if ((flags & MREMAP_FIXED) != 0) {
            arena_taken(to, wanted);
        }
    }
    return real_mremap(address, size, wanted, flags, to);
}
