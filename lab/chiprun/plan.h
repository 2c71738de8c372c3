/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program for a chip as its file describes it: buffers, circular buffers, semaphores, kernels
 * with arguments. docs/chip.md describes the form.
 *
 * plan_read.c and plan_kernel.c read it (plan_json.c: values, with the place of an error);
 * plan_buffer.c has the buffers and plan_file.c their files; plan_place.c compiles the kernels and
 * writes what they find in L1.
 */
#ifndef LAB_CHIPRUN_PLAN_H
#define LAB_CHIPRUN_PLAN_H

#include "chiprun/chiprun.h"

#include <tensix/formats.h>
#include <tensix/kernel/launch.h>

enum {
    PLAN_KERNELS = 64,
    PLAN_BUFFERS = 64,
    PLAN_DEFINES = 20,
    PLAN_NAME = 64,
    PLAN_PATH = 1024,
    PLAN_SHAPE = 8
};

/* ---- the JSON that is read; a place such as "kernels[2].args[0]" belongs to every value ---- */

struct plan_at {
    struct txl_error *err;
    const char *file;
    char path[192];
};
/* Fails with the place and the file. Returns TXL_INPUT. */
int plan_wrong(const struct plan_at *at, const char *format, ...) TXL_PRINTF(2, 3);
/* The place of a member, or of an element. */
struct plan_at plan_member(const struct plan_at *at, const char *key);
struct plan_at plan_element(const struct plan_at *at, size_t index);
/* Refuses members that are not among the names, which NULL ends. */
int plan_known(const struct plan_at *at, const json_t *object, const char *const *names);
/* Read a member that need not be there; the value stays as it is then. */
int plan_number(const struct plan_at *at, const json_t *object, const char *key, uint64_t low,
                uint64_t high, uint64_t *value);
int plan_text(const struct plan_at *at, const json_t *object, const char *key, char *text,
              size_t size);
int plan_format(const struct plan_at *at, const json_t *object, const char *key,
                enum tx_format *format, bool *given);
/* A list of ranges of tiles, such as "0,0-3,3"; NULL is all tiles. */
int plan_tiles(const struct plan_at *at, const json_t *value, const txl_chip *chip,
               bool on[CHIPRUN_TILES]);

/* ---- the program ---- */

/* A buffer in DRAM or L1. It stays on the chip when the program has ended. */
struct chiprun_buffer {
    char name[PLAN_NAME];
    bool dram;
    uint64_t bytes;        /* that were asked for */
    uint32_t page, apart;  /* bytes of a page, and from page to page in a bank */
    uint32_t pages, shard; /* shard: pages that lie in one bank one after another */
    uint32_t address;      /* in every bank */
    uint32_t span;         /* bytes in every bank */
    unsigned holders;      /* banks of DRAM, or tiles */
    uint16_t holder[CHIPRUN_TILES];
    bool has_format, rows;
    enum tx_format format;
    unsigned dimensions;
    uint64_t shape[PLAN_SHAPE];
    char file[PLAN_PATH], save[PLAN_PATH]; /* "": none */
};

enum plan_kind { PLAN_NUMBER, PLAN_BUFFER, PLAN_SEMAPHORE, PLAN_CIRCULAR, PLAN_X, PLAN_Y };
struct plan_value {
    enum plan_kind kind;
    uint32_t number; /* or the index of what it names, or column and row */
    uint32_t row;
};
struct plan_values {
    struct plan_value *list;
    unsigned count;
};

struct plan_circular {
    char name[PLAN_NAME];
    unsigned index[4], indices;
    bool on[CHIPRUN_TILES];
    uint32_t pages, page, address;
    int buffer; /* whose memory it is, or -1 */
    bool has_format;
    enum tx_format format;
};

struct plan_semaphore {
    char name[PLAN_NAME];
    bool on[CHIPRUN_TILES];
    uint32_t value;
};

/* How a compute kernel in tt-metal's headers works. */
struct plan_options {
    unsigned fidelity; /* 0, 2, 3, 4: LoFi, HiFi2, HiFi3, HiFi4 */
    bool approximate, fp32_dest, full_sync, precise_bfp8;
    uint64_t unpack_to_dest; /* bit for each circular buffer that is unpacked to Dst as FP32 */
};

enum plan_processor { PLAN_DM0, PLAN_DM1, PLAN_COMPUTE, PLAN_CORE /* an ELF for one core */ };
struct plan_kernel {
    char name[PLAN_NAME];
    char file[PLAN_PATH];
    bool is_elf, metal;
    enum plan_processor processor;
    enum tx_core core;
    unsigned noc;
    bool on[CHIPRUN_TILES];
    char *define[PLAN_DEFINES]; /* NAME=VALUE */
    unsigned defines;
    struct plan_options options;
    struct plan_values compile, common, args;
    struct plan_values own[CHIPRUN_TILES]; /* instead of args */
    bool has_own[CHIPRUN_TILES];
    char elf[3][PLAN_PATH]; /* compiled: of the core, or of T0, T1, T2 */
};

struct plan {
    txl_chip *chip;
    struct txl_chip_program_options how;
    struct plan_circular *circular;
    unsigned circulars;
    struct plan_semaphore semaphore[TX_LAUNCH_SEMAPHORE_COUNT];
    unsigned semaphores;
    struct plan_kernel *kernel;
    unsigned kernels;
    unsigned first_buffer; /* of those that this program brings */
    char folder[320];      /* of what was compiled; "": none */
};

/* plan_read.c */
int plan_read(struct txl_error *err, struct plan *plan, const char *text, size_t size);
void plan_free(struct plan *plan);

/* Reads the member "name". */
int plan_name(const struct plan_at *at, const json_t *object, char name[PLAN_NAME], bool needed);
/* plan_kernel.c: reads a kernel, the next one of the program. */
int plan_kernel(const struct plan_at *at, struct plan *plan, const json_t *object);

/* plan_buffer.c */
struct chiprun_buffer *plan_buffer_named(const txl_chip *chip, const char *name, unsigned *index);
/* Gives a buffer its place; its other members are set. */
int plan_buffer_place(const struct plan_at *at, txl_chip *chip, struct chiprun_buffer *buffer);
int plan_buffer_move(struct txl_error *err, txl_chip *chip, const struct chiprun_buffer *buffer,
                     uint8_t *bytes, uint64_t size, bool write);
/*
 * Banks of DRAM as the chip has them: coordinates, what is added to addresses, and endpoints unless
 * NULL.
 */
unsigned plan_banks(const txl_chip *chip, uint16_t xy[TX_LAUNCH_DRAM],
                    uint32_t offset[TX_LAUNCH_DRAM], uint32_t endpoint[TX_LAUNCH_DRAM]);

/* plan_file.c: a file beneath the folder, whole name in path. */
int plan_path(const struct plan_at *at, const struct plan *plan, const char *name, bool output,
              char path[PLAN_PATH]);
/* Finds shape and size of what the buffer's file holds, or is to hold. */
int plan_file_size(const struct plan_at *at, struct chiprun_buffer *buffer, const char *scratch);
int plan_file_load(struct txl_error *err, txl_chip *chip, const struct chiprun_buffer *buffer,
                   const char *scratch);
int plan_file_save(struct txl_error *err, txl_chip *chip, const struct chiprun_buffer *buffer,
                   const char *scratch);

/* plan_place.c */
int plan_compile(struct txl_error *err, struct plan *plan);
int plan_place(struct txl_error *err, struct plan *plan);

#endif
