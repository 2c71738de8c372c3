/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An emulated /dev/tenstorrent inside a process: what the files of this folder do for one another.
 * libtensix-card.so is loaded with LD_PRELOAD; it takes the place of libc's functions that open,
 * map and look at files, and answers for the card. Each process has its own chips; files, locks and
 * counters are in a folder that all processes of one `tensix card` share (tree.h).
 */
#ifndef TENSIX_CARD_CARD_H
#define TENSIX_CARD_CARD_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "tree.h"

#define CARD_HOOK __attribute__((visibility("default")))

enum {
    CARD_REGIONS = 2048, /* mappings of the device at one time */
    CARD_OBJECTS = 1024, /* open files of it */
    CARD_FDS = 65536,
    CARD_WINDOWS = 256,
    CARD_DMA_BUFS = 256,
    CARD_PINS = 1024,
    CARD_IATU = 16 /* outbound regions that the driver hands out */
};

/* ---- backend.c: the chip behind the card, ours or a libttsim ABI ---- */

struct card_backend {
    bool wormhole;
    uint64_t bar[5]; /* sizes of BARs 0, 2 and 4 */
    void *state;
    const struct card_backend_calls {
        bool (*read)(void *state, unsigned bar, uint64_t offset, void *bytes, size_t size);
        bool (*write)(void *state, unsigned bar, uint64_t offset, const void *bytes, size_t size);
        uint32_t (*config)(void *state, uint32_t offset);
        /* Returns how many bytes from there on are memory of one tile: reads change nothing. */
        uint64_t (*plain)(void *state, unsigned bar, uint64_t offset);
        /* Runs at most so many cycles. Returns whether everything rests. */
        bool (*run)(void *state, uint64_t cycles);
        /* Returns whether everything still rests, after stores to a chip that rested. */
        bool (*rests)(void *state);
        bool (*noc_write)(void *state, unsigned noc, unsigned x, unsigned y, uint64_t address,
                          uint32_t value);
        /* Fills in what the shared counters show, and appends new findings to the log. */
        void (*look)(void *state, struct card_counts *counts, bool *found);
        void (*close)(void *state, const char *report);
    } * calls;
};
/* The host's memory by the address that the device uses. */
bool card_dma(unsigned chip, uint64_t address, void *to, const void *from, size_t size);
/* Returns NULL, or what is wrong. */
const char *backend_open(struct card_backend *b, unsigned chip, const struct card_options *options);

/* ---- device.c: chips of this process and their time ---- */

struct card_pin {
    uint64_t address; /* as the device gives it */
    uint8_t *memory;
    uint64_t size;
    uint64_t user; /* virtual address that was pinned; 0: a DMA buffer */
    uint32_t object;
    int region; /* of the outbound iATU, or -1 */
    int peer;   /* chip whose BAR it is, or -1; then "bar" and "base" */
    unsigned bar;
    uint64_t base;
    bool read_only, used;
};

struct card_chip {
    unsigned number;
    bool open;
    struct card_backend back;
    pthread_mutex_t lock;   /* of everything below and of the chip */
    _Atomic int waiting;    /* threads of the program that want the lock */
    _Atomic uint32_t work;  /* changes when there is something to do; a futex */
    _Atomic uint64_t asked; /* time of the last access, ns */
    pthread_t thread;
    bool running, stop, rests;
    bool changed;        /* something was written since the lock was taken */
    uint64_t generation; /* of resets */
    unsigned ended;      /* chips before this one, which have reported */
    bool needs_init;
    uint16_t window[CARD_WINDOWS]; /* object that owns it + 1, or 0 */
    struct card_pin pin[CARD_PINS];
    struct {
        bool used;
        uint32_t object;
        uint64_t base, limit;
    } iatu[CARD_IATU];
    uint64_t requests, moved;
    uint64_t gated; /* by patched instructions */
};

/* Opens the chip of that number at the first call. NULL: it cannot be opened; said on stderr. */
struct card_chip *chip_get(unsigned number);
void chip_lock(struct card_chip *c);
/* Afterwards the chip's own time goes on. */
void chip_unlock(struct card_chip *c);
/* With the lock held. */
void chip_read(struct card_chip *c, unsigned bar, uint64_t offset, void *bytes, size_t size);
void chip_write(struct card_chip *c, unsigned bar, uint64_t offset, const void *bytes, size_t size);
bool chip_reset(struct card_chip *c);
/* Forgets pinned memory that the program unmaps. */
void chips_unmapped(const void *start, size_t size);
/* Releases what an open file of the device holds; with the lock held. */
void chip_release(struct card_chip *c, uint32_t object);
/* Appends to the log what was found. */
void chips_look(void);
void chips_finish(void);
void chips_fork(int stage); /* 0 before, 1 parent after, 2 child after */
/* Carries a lock over a fork: another thread may hold it, and does not come along. */
static inline void lock_fork(pthread_mutex_t *lock, int stage)
{
    if (stage == 0) {
        pthread_mutex_lock(lock);
    } else if (stage == 1) {
        pthread_mutex_unlock(lock);
    } else {
        pthread_mutex_init(lock, NULL);
    }
}
void regions_fork(int stage);
void kernels_fork(int stage);

/* ---- files.c: open files and mappings of the device ---- */

struct card_object {
    _Atomic uint32_t refs; /* descriptors and mappings; 0: unused */
    unsigned chip;
    bool append, exclusive;
    uint64_t generation;
    struct {
        uint8_t *memory;
        uint64_t size;
        int fd;
    } dma[CARD_DMA_BUFS];
    struct {
        bool enabled;
        uint8_t x, y, noc;
        uint64_t address;
        uint32_t value;
    } cleanup;
    uint64_t locks;
};
extern struct card_object card_objects[CARD_OBJECTS];
/* Returns the open file of the device with that descriptor, or NULL. */
struct card_object *object_of(int fd);
/* Makes a descriptor of a device node one of an open file; returns it, or -1 with errno. */
int object_attach(int fd, unsigned chip, int flags);
void objects_finish(void);

struct card_region {
    _Atomic bool used;
    uint8_t *start;
    size_t size;
    unsigned chip, bar;
    uint64_t offset;
    uint32_t object;
    uint64_t generation;
};
/* Returns the mapping of the device that has the address, or NULL. Async-signal-safe. */
struct card_region *region_at(const void *address);
bool region_overlaps(const void *start, size_t size);
/* Returns a mapping that has an address of the range, or NULL. */
const struct card_region *region_over(const void *start, size_t size);

/* ioctls.c; returns 0, or -1 with errno. */
int card_ioctl(struct card_object *object, unsigned long request, void *argument);

/* ---- pins.c: the host's memory as the device reaches it; 0, or -1 with errno ---- */

int pin_pages(struct card_chip *c, uint32_t object, void *argument);
int unpin_pages(struct card_chip *c, uint32_t object, const void *argument);
int allocate_dma(struct card_chip *c, struct card_object *o, void *argument);
int peer_bar(struct card_chip *c, uint32_t object, void *argument);
/* Takes all back that an open file has pinned or allocated. */
void pins_release(struct card_chip *c, uint32_t object);

/* ---- bulk.c: a range of memory that is open to the program while the chip stands still ---- */

/*
 * Opens bytes of the device's memory from the address on for plain loads, or for loads and stores.
 * With the lock held. Returns false where that is not possible.
 */
bool bulk_open(struct card_chip *c, const struct card_region *r, uint8_t *address, bool write,
               size_t wanted);
/* The same with the bytes below the address, for a program that goes downwards. */
bool bulk_open_below(struct card_chip *c, const struct card_region *r, uint8_t *address,
                     bool write);
/* Closes what is open, with the lock held: what the program stored is written to the device. */
void bulk_close(struct card_chip *c);
bool bulk_is_open(const struct card_chip *c);
/* Whether the program may touch these bytes itself. */
bool bulk_has(const struct card_chip *c, const uint8_t *at, size_t size, bool write);
/* Where the range that is open begins and ends, or NULL. */
uint8_t *bulk_start(const struct card_chip *c);
uint8_t *bulk_end(const struct card_chip *c);
/* In a child of fork: the copy is the parent's. */
void bulk_forget(struct card_chip *c);

/* ---- emulate.c: one instruction that touches the device ---- */

struct known; /* emulate.h */
struct card_step {
    const struct known *known; /* the instruction, where the caller knows it; afterwards always */
    bool gate;                 /* by a patched instruction: no fault has shown that it is ours */
    struct card_region *region;
    uint8_t *address;
    size_t size;
    bool write;
};
/*
 * Executes the instruction at the context's program counter, whose access is inside a region.
 * Returns false where it is none of ours or cannot be emulated.
 */
bool emulate(void *context, struct card_step *step);
/* The same on the stack that we are on, which must be a large one. */
bool emulate_here(void *context, struct card_step *step);

/* ---- patch.c: instructions that do not fault any more ---- */

/* What patched instructions compare their addresses with. */
extern struct card_gate {
    uint64_t start, size;        /* the device's mappings are there */
    uint64_t open_at, open_size; /* and that range, from "start" on, is open just now */
} card_gate;
/* Top of the stack that this thread emulates on, or NULL. */
extern __thread void *card_gate_stack __attribute__((tls_model("initial-exec")));
void patch_install(void);
/*
 * A fault: where it was in the copy of an instruction, the context says afterwards that it was at
 * the instruction itself. Returns false where the instruction is to be tried again.
 */
bool patch_origin(void *context, struct card_step *step);
/* Grows by one before the program's code changes, and afterwards: it is odd meanwhile. */
uint32_t patch_changes(void);
/* Whether the instruction at the context's program counter has been seen before. */
bool patch_knows(const void *context);
/* The instruction has faulted and was emulated: one that does so often is patched. */
void patch_seen(const struct known *k);
void patch_fork(int stage);

/* ---- arena.c: where the device is mapped ---- */

/* Returns a place for a mapping, closed, or NULL: the kernel is to choose one. */
void *arena_place(size_t size);
/* Takes a mapping away; returns as munmap. */
int arena_unmap(void *address, size_t size);
/* The program maps something of its own there. */
void arena_taken(const void *address, size_t size);

/* fault.c */
void fault_install(void);
void fault_fork(int stage);
/* An access is done, with the chip's lock held: where many follow each other, a range is opened. */
void step_done(struct card_chip *c, const struct card_step *step);

/* ---- preload.c ---- */

/* Returns the real function of libc that a hook hides. */
void *card_real(const char *name);
#define CARD_REAL(name)                                     \
    static __typeof__(name) *real_##name;                   \
    if (real_##name == NULL) {                              \
        real_##name = (__typeof__(name) *)card_real(#name); \
    }
/* The folder of this process and what it says; card_shared is NULL where there is none. */
extern struct card_options card_options;
extern struct card_shared *card_shared;
extern char card_root[];
/* Makes the folder if need be. Returns false where there is no card. */
bool card_start(void);
void card_tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
bool card_verbose(void);

/* launch.c: the program has opened a file, which may be a kernel. */
void kernel_opened(const char *path);

/* paths.c: puts the path to open instead into "to"; returns it, or the path itself. */
enum { CARD_PATH = 4096 };
const char *path_map(const char *path, char *to);
/* Returns the number of the card whose device node that is, or -1. */
int node_of(dev_t device, ino_t inode);

#endif
