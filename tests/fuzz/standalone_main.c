/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Drives a libFuzzer entry point where libFuzzer is absent.
 *
 *     fuzz_x FILE|DIRECTORY ...                     runs exactly these inputs
 *     fuzz_x -n COUNT [-s SEED] [-t SECONDS] [FILE|DIRECTORY ...]
 *                                                   runs them, then COUNT mutations of them
 *
 * The same seed and files give the same inputs. When the program dies, the input it had goes to
 * crash-<SEED>-<number> (crash-seed for a given file) in the working directory.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);

enum { INPUT_LIMIT = 1 << 16, MAX_GROWTH = 64, MAX_EDITS = 8 };

struct input {
    uint8_t *data;
    size_t size;
};

static struct input *seeds;
static size_t seed_count;

static uint8_t current[INPUT_LIMIT];
static size_t current_size;
static char crash_name[64] = "crash-seed";

static uint64_t random_state;

/* splitmix64 */
static uint64_t random_next(void)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static size_t random_below(size_t limit)
{
    return (size_t)(random_next() % limit);
}

static void *must(void *pointer)
{
    if (pointer == NULL) {
        fputs("out of memory\n", stderr);
        exit(2);
    }
    return pointer;
}

static void save_current(void)
{
    int fd = open(crash_name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0) {
        return;
    }
    if (write(fd, current, current_size) == (ssize_t)current_size) {
        static const char text[] = "input written to ";
        (void)!write(STDERR_FILENO, text, sizeof text - 1);
        (void)!write(STDERR_FILENO, crash_name, strlen(crash_name));
        (void)!write(STDERR_FILENO, "\n", 1);
    }
    close(fd);
}

static void on_death(int signal_number)
{
    save_current();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* The sanitizers end the program through exit or abort, depending on their options. */
static bool finished;

static void on_exit_early(void)
{
    if (!finished) {
        save_current();
    }
}

static void run(const uint8_t *data, size_t size)
{
    /* An exact heap copy, so that ASan sees a read past the end. */
    uint8_t *copy = must(malloc(size != 0 ? size : 1));
    memcpy(copy, data, size);
    memmove(current, data, size);
    current_size = size;
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static void add_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        exit(2);
    }
    struct input input = {must(malloc(INPUT_LIMIT)), 0};
    input.size = fread(input.data, 1, INPUT_LIMIT, file);
    fclose(file);
    seeds = must(realloc(seeds, (seed_count + 1) * sizeof *seeds));
    seeds[seed_count++] = input;
}

static void add_path(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) {
        add_file(path);
        return;
    }
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        if (entries[i]->d_name[0] != '.') {
            char *child;
            if (asprintf(&child, "%s/%s", path, entries[i]->d_name) < 0) {
                exit(2);
            }
            add_path(child);
            free(child);
        }
        free(entries[i]);
    }
    if (count >= 0) {
        free(entries);
    }
}

static size_t grow(uint8_t *data, size_t size)
{
    size_t length = 1 + random_below(MAX_GROWTH);
    if (size + length > INPUT_LIMIT) {
        return size;
    }
    size_t at = random_below(size + 1);
    memmove(data + at + length, data + at, size - at);
    bool copy = size != 0 && random_below(2) == 0;
    for (size_t i = 0; i < length; i++) {
        data[at + i] = copy ? data[random_below(size)] : (uint8_t)random_next();
    }
    return size + length;
}

static size_t erase(uint8_t *data, size_t size)
{
    size_t at = random_below(size);
    size_t length = 1 + random_below(size - at < MAX_GROWTH ? size - at : MAX_GROWTH);
    memmove(data + at, data + at + length, size - at - length);
    return size - length;
}

/* A piece of another seed over or behind this one. */
static size_t overlay(uint8_t *data, size_t size)
{
    const struct input *other = &seeds[random_below(seed_count)];
    if (other->size == 0) {
        return size;
    }
    size_t from = random_below(other->size);
    size_t length = 1 + random_below(other->size - from);
    size_t at = random_below(size + 1);
    if (at + length > INPUT_LIMIT) {
        length = INPUT_LIMIT - at;
    }
    memcpy(data + at, other->data + from, length);
    return at + length > size ? at + length : size;
}

static size_t mutate(uint8_t *data, size_t size)
{
    /* Bytes on which text and number readers turn. */
    static const uint8_t telling[] = {0,   1,   0x7f, 0x80, 0xff, ' ', '\n', '\t', ',',
                                      '.', ';', '#',  '/',  '"',  '(', ')',  '-',  '0',
                                      '9', 'x', 'L',  '{',  '}',  '[', ']',  ':',  '\\'};
    switch (random_below(7)) {
    case 0:
        return grow(data, size);
    case 1:
        return size != 0 ? erase(data, size) : size;
    case 2:
        return seed_count != 0 ? overlay(data, size) : grow(data, size);
    default:
        break;
    }
    if (size == 0) {
        return grow(data, size);
    }
    size_t at = random_below(size);
    switch (random_below(4)) {
    case 0:
        data[at] ^= (uint8_t)(1u << random_below(8));
        break;
    case 1:
        data[at] = telling[random_below(sizeof telling)];
        break;
    case 2:
        data[at] = (uint8_t)(data[at] + random_below(16) - 8);
        break;
    default:
        data[at] = (uint8_t)random_next();
        break;
    }
    return size;
}

static uint64_t run_mutations(uint64_t count, uint64_t seed, double limit)
{
    static uint8_t work[INPUT_LIMIT];
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (uint64_t i = 0; i < count; i++) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        if ((double)(now.tv_sec - start.tv_sec) + 1e-9 * (double)(now.tv_nsec - start.tv_nsec) >
            limit) {
            return i;
        }
        random_state = seed + i * 0x2545f4914f6cdd1du;
        size_t size = 0;
        if (seed_count != 0) {
            const struct input *from = &seeds[random_below(seed_count)];
            memcpy(work, from->data, from->size);
            size = from->size;
        }
        for (size_t edits = 1 + random_below(MAX_EDITS); edits != 0; edits--) {
            size = mutate(work, size);
        }
        snprintf(crash_name, sizeof crash_name, "crash-%llu-%llu", (unsigned long long)seed,
                 (unsigned long long)i);
        run(work, size);
    }
    return count;
}

int main(int argc, char **argv)
{
    uint64_t count = 0, seed = 1;
    double limit = 1e9;
    if (LLVMFuzzerInitialize != NULL) {
        LLVMFuzzerInitialize(&argc, &argv);
    }
    for (int option; (option = getopt(argc, argv, "n:s:t:")) != -1;) {
        switch (option) {
        case 'n':
            count = strtoull(optarg, NULL, 10);
            break;
        case 's':
            seed = strtoull(optarg, NULL, 10);
            break;
        case 't':
            limit = strtod(optarg, NULL);
            break;
        default:
            fprintf(stderr, "usage: %s [-n COUNT [-s SEED] [-t SECONDS]] [FILE|DIRECTORY ...]\n",
                    argv[0]);
            return 2;
        }
    }
    static const int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++) {
        signal(deadly[i], on_death);
    }
    atexit(on_exit_early);

    for (int i = optind; i < argc; i++) {
        add_path(argv[i]);
    }
    for (size_t i = 0; i < seed_count; i++) {
        run(seeds[i].data, seeds[i].size);
    }
    uint64_t done = run_mutations(count, seed, limit);
    finished = true;
    printf("%zu given, %llu of %llu mutated inputs ran (seed %llu)\n", seed_count,
           (unsigned long long)done, (unsigned long long)count, (unsigned long long)seed);
    for (size_t i = 0; i < seed_count; i++) {
        free(seeds[i].data);
    }
    free(seeds);
    return 0;
}
