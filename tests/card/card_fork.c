/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Children that map the card while threads of their parent do so all the time: whatever lock such a
 * thread holds at the fork, the child must not wait for it. card_fork [CHILDREN], by default 200.
 * Run under "tensix card".
 */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device.h"

enum { WINDOW = 2 << 20, THREADS = 3, SECONDS = 20 };
static int fd;
static uint64_t offset;
static _Atomic int stop;

static int map_once(void)
{
    void *at = mmap(NULL, WINDOW, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset);
    return at == MAP_FAILED ? -1 : munmap(at, WINDOW);
}

static void *maps(void *result)
{
    while (!atomic_load(&stop)) {
        if (map_once() != 0) {
            *(int *)result = 1;
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    const int children = argc > 1 ? atoi(argv[1]) : 200;
    pthread_t threads[THREADS];
    int failed[THREADS] = {0};
    int bad = 0;
    uint32_t id = 0;
    fd = open("/dev/tenstorrent/0", O_RDWR | O_CLOEXEC);
    offset = fd < 0 ? UINT64_MAX : window_offset(fd, WINDOW, &id);
    if (offset == UINT64_MAX) {
        perror("/dev/tenstorrent/0");
        return 1;
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, maps, &failed[i]);
    }
    for (int i = 0; i < children && bad == 0; i++) {
        int status = -1;
        const pid_t child = fork();
        if (child == 0) {
            alarm(SECONDS); /* a child that waits is ended by the signal */
            _exit(map_once() != 0);
        }
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
            printf("child %d: status %#x\n", i, (unsigned)status);
            bad = 1;
        }
    }
    atomic_store(&stop, 1);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        bad |= failed[i];
    }
    return bad;
}
