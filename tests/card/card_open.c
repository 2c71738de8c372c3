/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that knows nothing of an emulator: it opens a card as tt-umd does (pci_device.cpp,
 * silicon_tlb_window.cpp), by the driver's ioctls and plain loads and stores, and checks what it
 * sees. Run under "tensix card". Numbers and structures: tt-kmd's ioctl.h.
 */
#define _GNU_SOURCE 1
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int failures;
#define CHECK(what)                                              \
    do {                                                         \
        if (!(what)) {                                           \
            fprintf(stderr, "%d: %s failed\n", __LINE__, #what); \
            failures++;                                          \
        }                                                        \
    } while (0)

#include "device.h"

struct tlb {
    uint32_t id;
    volatile uint8_t *at;
    uint64_t size;
};

static int wormhole;

static struct tlb window(int fd, uint64_t size)
{
    struct tlb w = {.size = size};
    void *at = window_map(fd, size, &w.id);
    CHECK(at != MAP_FAILED);
    w.at = at;
    return w;
}

static int configure(int fd, struct tlb w, unsigned x, unsigned y, uint64_t address)
{
    return window_turn(fd, w.id, w.size, x, y, address);
}

static void files(void)
{
    struct stat s;
    char text[64] = "";
    unsigned found = 0;
    DIR *dir = opendir("/dev/tenstorrent/");
    CHECK(dir != NULL);
    for (struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;) {
        found += e->d_name[0] == '0';
    }
    CHECK(found == 1);
    CHECK(stat("/dev/tenstorrent/0", &s) == 0 && S_ISCHR(s.st_mode));
    CHECK(access("/sys/module/tenstorrent/version", R_OK) == 0);
    FILE *f = fopen("/sys/bus/pci/devices/0000:aa:00.0/device", "r");
    CHECK(f != NULL && fgets(text, sizeof text, f) != NULL);
    wormhole = strcmp(text, "0x401e\n") == 0;
    CHECK(wormhole || strcmp(text, "0xb140\n") == 0);
    if (f != NULL) {
        fclose(f);
    }
    char *path = realpath("/sys/bus/pci/devices/0000:aa:00.0", NULL);
    CHECK(path != NULL && strcmp(path, "/sys/bus/pci/devices/0000:aa:00.0") == 0);
    free(path);
    CHECK(open("/dev/tenstorrent/7", O_RDWR) == -1 && errno == ENOENT);
}

static void information(int fd)
{
    struct {
        uint32_t room, size;
        uint16_t vendor, device, subsystem_vendor, subsystem, bus, log2, domain, reserved;
    } info = {.room = 20};
    struct {
        uint32_t room, size, version;
        uint8_t triple[4];
    } driver = {.room = 12};
    struct {
        uint32_t count, reserved;
        struct {
            uint32_t id, reserved;
            uint64_t base, size;
        } one[8];
    } maps = {.count = 8};
    CHECK(ioctl(fd, CALL(0), &info) == 0);
    CHECK(info.vendor == 0x1e52 && info.device == (wormhole ? 0x401e : 0xb140));
    CHECK(info.bus == 0xaa00 && info.size == 20);
    CHECK(ioctl(fd, CALL(5), &driver) == 0 && driver.version == 2 && driver.triple[0] == 2);
    CHECK(ioctl(fd, CALL(2), &maps) == 0);
    CHECK(maps.one[0].id == 1 && maps.one[0].size == 512u << 20 && maps.one[5].id == 6);
    CHECK(maps.one[6].id == 0);
    CHECK(ioctl(fd, CALL(99), &info) == -1 && errno == EINVAL);
}

static void locks(int fd)
{
    const int other = open("/dev/tenstorrent/0", O_RDWR | O_CLOEXEC);
    CHECK(other >= 0);
    CHECK(lock(fd, 0, 5) == 1 && lock(other, 0, 5) == 0);
    CHECK(lock(fd, 2, 5) == 3 && lock(other, 2, 5) == 2 && lock(other, 1, 5) == 0);
    CHECK(lock(fd, 1, 5) == 1 && lock(other, 0, 5) == 1);
    close(other); /* releases it */
    CHECK(lock(fd, 2, 5) == 0);
    CHECK(lock(fd, 0, 64) == -1 && errno == EINVAL);
    /* A process that is killed holds nothing. */
    const pid_t child = fork();
    if (child == 0) {
        const int own = open("/dev/tenstorrent/0", O_RDWR);
        _exit(lock(own, 0, 6) == 1 ? 0 : 1);
    }
    int status = 1;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(lock(fd, 2, 6) == 0);
}

static void memory(int fd, struct tlb w)
{
    static uint8_t bytes[200000];
    static uint8_t back[200000];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(i * 7 + i / 251);
    }
    CHECK(configure(fd, w, wormhole ? 1 : 1, wormhole ? 1 : 2, 0x20000) == 0);
    volatile uint8_t *at = w.at + 0x20000 % w.size;
    memcpy((void *)at, bytes, sizeof bytes);
    memcpy(back, (const void *)at, sizeof back);
    CHECK(memcmp(bytes, back, sizeof bytes) == 0);
    for (size_t i = 0; i < 65536; i += 4) { /* as a driver's loop */
        *(volatile uint32_t *)(at + i) = (uint32_t)i * 2654435761u;
    }
    for (size_t i = 0; i < 65536; i += 4) {
        CHECK(*(volatile uint32_t *)(at + i) == (uint32_t)i * 2654435761u || failures > 10);
    }
    CHECK(at[65536] == bytes[65536] &&
          *(volatile uint64_t *)(at + 65541) == *(const uint64_t *)(bytes + 65541));
    *(volatile uint16_t *)(at + 3) = 0xABCD;
    CHECK(at[3] == 0xCD && at[4] == 0xAB);
    CHECK(configure(fd, w, 1, 2, 4) == 0);
    struct tlb none = {.id = 77, .size = w.size};
    CHECK(configure(fd, none, 1, 2, 0) == -1 && errno == EPERM);
}

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

typedef uint32_t vector __attribute__((vector_size(16)));

/* Copies vectors one by one, upwards or downwards; returns the processor time. */
static double copy(volatile vector *to, const volatile vector *from, size_t count, int down)
{
    const double start = now(CLOCK_PROCESS_CPUTIME_ID);
    for (size_t i = 0; i < count; i++) {
        const size_t k = down ? count - 1 - i : i;
        to[k] = from[k];
    }
    return now(CLOCK_PROCESS_CPUTIME_ID) - start;
}

/* As memcpy does from the end where addresses are alike in their low bits: ranges are opened. */
static void directions(int fd, struct tlb w)
{
    enum { PLACE = 0x80000, VECTORS = 1 << 12, BYTES = VECTORS * 16 };
    static vector bytes[VECTORS];
    static vector back[VECTORS];
    volatile vector *at = (volatile vector *)(w.at + PLACE);
    CHECK(configure(fd, w, 1, wormhole ? 1 : 2, 0) == 0);
    double up = 0;
    for (int down = 0; down < 2; down++) {
        memset(bytes, 0x35 + down, sizeof bytes);
        bytes[0][1] = bytes[VECTORS - 1][2] = bytes[1000][3] = 77;
        memset(back, 0, sizeof back);
        const double took = copy(at, bytes, VECTORS, down) + copy(back, at, VECTORS, down);
        up = down ? up : took;
        CHECK(took < 4 * up + 0.01);
        CHECK(memcmp(bytes, back, BYTES) == 0);
        CHECK(w.at[PLACE - 1] == 0 && w.at[PLACE + BYTES] == 0);
    }
}

/* The device reads and writes pinned memory: here by Blackhole's DMA engine. */
static void pinned(int fd)
{
    const size_t size = 1 << 20;
    uint8_t *m = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct {
        uint32_t room, flags;
        uint64_t start, size, address, noc;
    } pin = {.room = 16, .flags = 2, .start = (uint64_t)(uintptr_t)m, .size = size};
    CHECK(ioctl(fd, CALL(7), &pin) == 0);
    CHECK(pin.noc == (wormhole ? 0x800000000ull : 4ull << 58));
    CHECK(ioctl(fd, CALL(7), &pin) == -1 && errno == EEXIST);
    pin.start += 1;
    CHECK(ioctl(fd, CALL(7), &pin) == -1 && errno == EINVAL);
    if (!wormhole) {
        struct tlb w = window(fd, 1ull << 32);
        CHECK(configure(fd, w, 19, 24, 4ull << 58) == 0); /* the PCIe tile, translated */
        memset(m, 0x5A, 64);
        CHECK(*(volatile uint32_t *)w.at == 0x5A5A5A5A);
        *(volatile uint32_t *)(w.at + 8) = 0x12345678;
        CHECK(*(uint32_t *)(m + 8) == 0x12345678);
        CHECK(munmap((void *)w.at, w.size) == 0);
    }
    uint64_t unpin[3] = {(uint64_t)(uintptr_t)m, size, 0};
    CHECK(ioctl(fd, CALL(10), unpin) == 0);
    CHECK(ioctl(fd, CALL(10), unpin) == -1 && errno == EINVAL);
    munmap(m, size);
}

/* A write that the driver makes when the descriptor closes. */
/* Huge pages, which tt-umd asks for, are as many as this machine has, with the card as without. */
static void huge_pages(void)
{
    enum { HUGE_SHIFT = 26 }; /* the size as a power of two */
    const size_t size = 1 << 30;
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | 30 << HUGE_SHIFT;
    const long without = syscall(SYS_mmap, NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (without != -1) {
        CHECK(syscall(SYS_munmap, without, size) == 0);
    }
    void *with = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);
    CHECK((with == MAP_FAILED) == (without == -1));
    CHECK(with == MAP_FAILED || munmap(with, size) == 0);
}

static void cleanup(struct tlb w, int fd)
{
    const int other = open("/dev/tenstorrent/0", O_RDWR | O_CLOEXEC | O_APPEND);
    struct {
        uint32_t size, flags;
        uint8_t enabled, x, y, noc;
        uint32_t reserved;
        uint64_t address, data;
    } call = {.size = 32,
              .enabled = 1,
              .x = 1,
              .y = wormhole ? 1 : 2,
              .address = 0x30000,
              .data = 0xC0FFEE};
    CHECK(configure(fd, w, 1, wormhole ? 1 : 2, 0) == 0);
    *(volatile uint32_t *)(w.at + 0x30000) = 0;
    CHECK(ioctl(other, CALL(14), &call) == 0);
    const int copy = dup(other);
    close(other);
    CHECK(*(volatile uint32_t *)(w.at + 0x30000) == 0);
    close(copy);
    CHECK(*(volatile uint32_t *)(w.at + 0x30000) == 0xC0FFEE);
}

/* Begins or ends a measurement of time and of processor time, of all threads. */
static struct times {
    double wall, processor;
} measure(struct times since)
{
    const struct times t = {now(CLOCK_MONOTONIC) - since.wall,
                            now(CLOCK_PROCESS_CPUTIME_ID) - since.processor};
    return t;
}

static void speed(int fd, struct tlb w)
{
    enum { TURNS = 20000, BYTES = 64 << 20 };
    static const struct times zero;
    uint8_t *bytes = malloc(BYTES);
    /* Beside it: the same copy within the program's memory, and system calls. */
    uint8_t *own = malloc(BYTES);
    memset(bytes, 3, BYTES);
    memset(own, 4, BYTES);
    struct times plain = measure(zero);
    for (size_t at = 0; at < BYTES; at += w.size) {
        memcpy(own + at, bytes + at, w.size);
    }
    plain = measure(plain);
    const double calls = now(CLOCK_THREAD_CPUTIME_ID);
    for (unsigned i = 0; i < TURNS; i++) {
        (void)syscall(SYS_getppid);
    }
    const double call = (now(CLOCK_THREAD_CPUTIME_ID) - calls) / TURNS;
    struct tlb big = wormhole ? w : window(fd, 1ull << 32);
    CHECK(configure(fd, big, wormhole ? 0 : 17, wormhole ? 0 : 12, 0) == 0);
    for (unsigned turn = 0; turn < 4; turn++) {
        struct times t = measure(zero);
        for (size_t at = 0; at < BYTES; at += w.size) {
            const size_t room = big.size < BYTES ? big.size : BYTES;
            void *there = (void *)(big.at + at % room);
            memcpy(turn % 2 == 0 ? there : bytes + at, turn % 2 == 0 ? bytes + at : there, w.size);
        }
        t = measure(t);
        printf("%s %.0f MB/s, %.0f MB for a second of processor time, %.1f times a plain copy\n",
               turn % 2 == 0 ? "stores" : "loads", BYTES / 1e6 / t.wall, BYTES / 1e6 / t.processor,
               t.processor / plain.processor);
    }
    CHECK(configure(fd, w, 1, wormhole ? 1 : 2, 0xFFB00000) == 0);
    volatile uint32_t *reset = (volatile uint32_t *)(w.at + 0xFFB121B0 % w.size);
    uint32_t sum = 0; /* what it holds: no core is let loose */
    for (unsigned turn = 0; turn < 4; turn++) {
        struct times t = measure(zero);
        const double start = now(CLOCK_THREAD_CPUTIME_ID);
        for (unsigned i = 0; i < TURNS; i++) {
            if (turn % 2 == 0) {
                sum |= *reset;
            } else {
                *reset = sum;
            }
        }
        t = measure(t);
        const double each = (now(CLOCK_THREAD_CPUTIME_ID) - start) / TURNS;
        printf("register %s %.2f us, %.2f us of processor time, %.1f system calls\n",
               turn % 2 == 0 ? "load" : "store", t.wall * 1e6 / TURNS, each * 1e6, each / call);
    }
    free(own);
    free(bytes);
}

int main(int argc, char **argv)
{
    files();
    const int fd = open("/dev/tenstorrent/0", O_RDWR | O_CLOEXEC);
    CHECK(fd >= 0);
    if (fd < 0) {
        return 1;
    }
    information(fd);
    locks(fd);
    struct tlb w = window(fd, wormhole ? 16u << 20 : 2u << 20);
    memory(fd, w);
    directions(fd, w);
    pinned(fd);
    huge_pages();
    cleanup(w, fd);
    if (argc > 1 && strcmp(argv[1], "speed") == 0) {
        speed(fd, w);
    }
    printf("%d failed\n", failures);
    return failures != 0;
}
