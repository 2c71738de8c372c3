/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a jump of four bytes can lead to: pages near the program's code, each with some jumps of
 * full length to where the instruction is executed. All of it runs in a handler, with patch.c's
 * lock held, and asks the kernel directly.
 */
#include "patch.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MAPS = 8192, ISLANDS = 2048, TEXT = 65536, MARGIN = 1 << 28 };
static const uint64_t user_end = 0x7FFFFFFFF000, user_start = 0x10000;

static struct {
    uint64_t start, end;
    bool code, stack, heap;
} maps[MAPS];
static size_t map_count;

static struct {
    uint64_t page;
    uint8_t used[PAGE / 8]; /* a bit for each byte */
} islands[ISLANDS];
static size_t island_count;

/* ---- the program's mappings ---- */

static const char *island_number(const char *at, uint64_t *value)
{
    *value = 0;
    for (;; at++) {
        const char c = *at;
        const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (digit < 0) {
            return at;
        }
        *value = *value << 4 | (uint64_t)digit;
    }
}

/* start-end rwxp offset device inode path */
static void line(const char *at)
{
    uint64_t start, end;
    if (map_count == MAPS) {
        return;
    }
    at = island_number(at, &start);
    at = island_number(at + (*at == '-'), &end);
    const bool code = strncmp(at, " r-xp ", 6) == 0;
    unsigned fields = 0;
    bool file = false;
    for (; *at != '\0' && fields < 5; at++) {
        if (*at == ' ' && at[1] != ' ') {
            fields++;
            file = fields == 4 ? at[1] != '0' : file;
        }
    }
    maps[map_count].start = start;
    maps[map_count].end = end;
    maps[map_count].code = code && file;
    maps[map_count].stack = strstr(at, "[stack]") != NULL;
    maps[map_count].heap = strstr(at, "[heap]") != NULL;
    map_count++;
}

bool maps_read(void)
{
    static char text[TEXT];
    size_t have = 0;
    map_count = 0;
    const long fd = syscall(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    for (;;) {
        const long got = syscall(SYS_read, fd, text + have, TEXT - 1 - have);
        if (got <= 0) {
            break;
        }
        have += (size_t)got;
        text[have] = '\0';
        char *from = text;
        for (char *end; (end = strchr(from, '\n')) != NULL; from = end + 1) {
            *end = '\0';
            line(from);
        }
        have -= (size_t)(from - text);
        memmove(text, from, have);
    }
    (void)syscall(SYS_close, fd);
    return map_count != 0 && map_count < MAPS;
}

bool maps_code(uint64_t start, uint64_t end)
{
    for (size_t i = 0; i < map_count; i++) {
        if (maps[i].code && start >= maps[i].start && end <= maps[i].end) {
            return true;
        }
    }
    return false;
}

bool maps_free(uint64_t start, uint64_t end)
{
    if (start < user_start || end > user_end || start >= end) {
        return false;
    }
    for (size_t i = 0; i < map_count; i++) {
        const uint64_t low = maps[i].stack ? maps[i].start - MARGIN : maps[i].start;
        const uint64_t high = maps[i].heap ? maps[i].end + 4ull * MARGIN : maps[i].end;
        if (start < high && low < end) {
            return false;
        }
    }
    return true;
}

static bool protect(const void *at, size_t size, int how)
{
    const uintptr_t first = (uintptr_t)at & ~(uintptr_t)(PAGE - 1);
    const uintptr_t end = ((uintptr_t)at + size + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
    return syscall(SYS_mprotect, first, end - first, how) == 0;
}

bool code_open(void *at, size_t size)
{
    return protect(at, size, PROT_READ | PROT_WRITE | PROT_EXEC);
}

void code_close(void *at, size_t size)
{
    (void)protect(at, size, PROT_READ | PROT_EXEC);
}

void code_put(void *at, const void *bytes)
{
    uint16_t two;
    memcpy(&two, bytes, sizeof two);
    __asm__ volatile("movw %1, %0" : "=m"(*(uint16_t *)at) : "r"(two) : "memory");
}

/* ---- islands ---- */

/* Takes a free place of an island within the range. Returns its address, or 0. */
static uint64_t island_take(size_t number, uint64_t low, uint64_t high)
{
    const uint64_t page = islands[number].page;
    uint64_t at = low > page ? low : page;
    for (; at < high && at + STUB <= page + PAGE; at++) {
        unsigned n = 0;
        while (n < STUB &&
               (islands[number].used[(at - page + n) / 8] >> (at - page + n) % 8 & 1) == 0) {
            n++;
        }
        if (n == STUB) {
            for (n = 0; n < STUB; n++) {
                islands[number].used[(at - page + n) / 8] |= (uint8_t)(1 << (at - page + n) % 8);
            }
            return at;
        }
    }
    return 0;
}

static bool make(uint64_t page)
{
    if (island_count == ISLANDS || !maps_free(page, page + PAGE)) {
        return false;
    }
    const long at = syscall(SYS_mmap, page, PAGE, PROT_READ | PROT_EXEC,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (at == -1 || (uint64_t)at != page) {
        if (at != -1) { /* an old kernel, for which the flag is a wish */
            (void)syscall(SYS_munmap, at, PAGE);
        }
        return false;
    }
    islands[island_count].page = page;
    memset(islands[island_count].used, 0, sizeof islands[0].used);
    island_count++;
    return true;
}

static uint64_t write_stub(uint64_t at, const uint8_t *to)
{
    uint8_t stub[STUB] = {0xFF, 0x25, 0, 0, 0, 0}; /* jmp *0(%rip) */
    memcpy(stub + 6, &to, 8);
    void *place = (void *)(uintptr_t)at;
    if (at == 0 || !code_open(place, STUB)) {
        return 0;
    }
    memcpy(place, stub, STUB);
    code_close(place, STUB);
    return at;
}

uint64_t island_place(uint64_t low, uint64_t high, const uint8_t *to)
{
    enum { TRIES = 512 };
    for (size_t i = 0; i < island_count; i++) {
        const uint64_t page = islands[i].page;
        const uint64_t at = page < high && low < page + PAGE ? island_take(i, low, high) : 0;
        if (at != 0) {
            return write_stub(at, to);
        }
    }
    const uint64_t first = low & ~(uint64_t)(PAGE - 1);
    const uint64_t pages = (high - first + PAGE - 1) / PAGE;
    const uint64_t step = pages > TRIES ? pages / TRIES : 1;
    for (uint64_t n = 0; n < pages; n += step) {
        if (make(first + n * PAGE)) {
            const uint64_t at = island_take(island_count - 1, low, high);
            if (at != 0) {
                return write_stub(at, to);
            }
        }
    }
    return 0;
}
