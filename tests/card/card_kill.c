/* SPDX-License-Identifier: Apache-2.0 */
/*
 * card_kill work: does everything that leaves something to clear up, says "working" when it has
 * done so once, and goes on until it is killed: locks, a write for the driver to make at the end,
 * windows, stores into an open range, a pinned page, a DMA buffer, a core that runs, shared memory
 * of tt-umd, a child that does the same. card_kill check: opens the card, and says what a process
 * before it has left. Blackhole.
 */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device.h"

enum { WINDOW = 2 << 20, LOCKS = 64, PLACE = 0x30000, RESET = 0xFFB121B0u % WINDOW };

/* A write that the driver makes when the descriptor closes. */
static int at_end(int fd, uint32_t value)
{
    struct {
        uint32_t size, flags;
        uint8_t enabled, x, y, noc;
        uint32_t reserved;
        uint64_t address, data;
    } call = {.size = 32, .enabled = 1, .x = 1, .y = 2, .address = PLACE, .data = value};
    return ioctl(fd, CALL(14), &call);
}

static int shared(void)
{
    return shm_open("/TT_UMD_LOCK.card_kill", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
}

/* Stores many bytes in a row, so that a range is opened for the program. */
static void fill(volatile uint8_t *at, uint32_t seed)
{
    for (uint32_t i = 0; i < 1 << 16; i += 4) {
        *(volatile uint32_t *)(at + i) = i ^ seed;
    }
}

static void once(uint32_t seed)
{
    uint32_t id;
    struct {
        uint32_t room, flags;
        uint64_t start, size, address;
    } pin = {.room = 8, .size = 4096};
    uint64_t buffer[8] = {1 << 16}; /* a requested size, and which */
    const int fd = open("/dev/tenstorrent/0", O_RDWR | O_CLOEXEC | O_APPEND);
    const int name = shared();
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pin.start = (uint64_t)(uintptr_t)page;
    for (unsigned i = 0; i < LOCKS; i++) {
        (void)lock(fd, 0, (uint8_t)i);
    }
    (void)at_end(fd, 0xC0FFEE);
    volatile uint8_t *at = window_map(fd, WINDOW, &id);
    if (fd < 0 || name < 0 || at == MAP_FAILED || ioctl(fd, CALL(7), &pin) != 0) {
        fprintf(stderr, "work: %s\n", strerror(errno));
        _exit(1);
    }
    (void)ioctl(fd, CALL(3), buffer);
    (void)window_turn(fd, id, WINDOW, 1, 2, 0);
    *(volatile uint32_t *)at = 0x6f; /* j . */
    fill(at + PLACE, seed);
    (void)window_turn(fd, id, WINDOW, 1, 2, 0xFFB00000);
    *(volatile uint32_t *)(at + RESET) = 0x47000;
    for (unsigned i = 0; i < 200; i++) {
        (void)*(volatile uint32_t *)(at + RESET);
    }
    munmap((void *)at, WINDOW);
    munmap(page, 4096);
    close(name);
    close(fd);
}

static int check(void)
{
    uint32_t id;
    const int fd = open("/dev/tenstorrent/0", O_RDWR | O_CLOEXEC);
    const int other = open("/dev/tenstorrent/0", O_RDWR | O_CLOEXEC | O_APPEND);
    if (fd < 0 || other < 0 || shared() < 0) {
        perror("check");
        return 1;
    }
    unsigned tries = 100; /* a child of the one that was killed may be about to end */
    for (unsigned i = 0; i < LOCKS; i++) {
        while (lock(fd, 0, (uint8_t)i) != 1 && --tries != 0) {
            usleep(50000);
        }
        if (tries == 0) {
            fprintf(stderr, "lock %u is held\n", i);
            return 1;
        }
    }
    volatile uint8_t *at = window_map(fd, WINDOW, &id);
    if (at == MAP_FAILED || window_turn(fd, id, WINDOW, 1, 2, 0) != 0) {
        perror("window");
        return 1;
    }
    fill(at, 5);
    *(volatile uint32_t *)(at + PLACE) = 1;
    if (at_end(other, 0xBEEF) != 0 || close(other) != 0 ||
        *(volatile uint32_t *)(at + PLACE) != 0xBEEF ||
        *(volatile uint32_t *)(at + 400) != (400 ^ 5)) {
        fprintf(stderr, "what is written is not there\n");
        return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "work") != 0) {
        return check();
    }
    for (uint32_t i = 0;; i++) {
        once(i);
        if (i == 0) {
            (void)!write(STDOUT_FILENO, "working\n", 8);
        }
        if (i % 4 == 3) {
            const pid_t parent = getpid();
            const pid_t child = fork();
            if (child == 0) {
                if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) {
                    _exit(0);
                }
                once(i);
                _exit(0);
            }
            (void)waitpid(child, NULL, 0);
        }
    }
}
