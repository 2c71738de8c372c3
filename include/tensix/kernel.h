/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The execution model of kernels. A program has a section .init, which runs once; the state after
 * it has drained is S. Its section .tile runs once per tile from a copy of S, with the inputs in
 * Dst, the RWCs of the thread zero and a PRNG seed computed from seed and tile index. Tiles are
 * therefore independent. With carry set, state carries over from tile to tile instead.
 *
 * A program with .thread runs on all three threads at once; words without .thread run on the thread
 * from the options. Each section runs until everything is idle. TX_EDEADLOCK: see tx_wait_text.
 *
 * A 32x32 tile occupies 64 Dst rows: tile t starts at Dst row 64 t of the view that belongs to the
 * Dst format (32-bit formats: Dst32b, 8 tiles; 16-bit formats: Dst16b, 16 tiles). Face f (top left,
 * top right, bottom left, bottom right) is in rows 16 f .. 16 f + 15 of these.
 */
#ifndef TENSIX_KERNEL_H
#define TENSIX_KERNEL_H

#include <tensix/asm.h>
#include <tensix/machine.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tx_kernel tx_kernel;

struct tx_kernel_options {
    enum tx_dst_format dst; /* TX_DST_FORMAT_UNSET: as the program states, else FP32 */
    enum tx_dst_format
        out; /* of the result; TX_DST_FORMAT_UNSET: what the program says, else dst */
    uint32_t seed;
    unsigned thread; /* issuing thread, default 1 */
    bool carry;
    enum tx_start start; /* TX_START_UNSET: as the program states, else TX_START_RESET */
};

/*
 * Brings a machine that tx_open or tx_reset has just prepared into the state that a kernel expects
 * at its start, as seen from that thread. TX_START_VENDOR: as in isa/start.def; the other values
 * change nothing.
 */
TX_API enum tx_status tx_machine_start(tx_machine *machine, unsigned thread, enum tx_start start);

TX_API void tx_kernel_options_default_sized(struct tx_kernel_options *options, size_t size);
static inline void tx_kernel_options_default(struct tx_kernel_options *options)
{
    tx_kernel_options_default_sized(options, sizeof *options);
}
/*
 * Opens a machine, brings it into the start state, sets the format fields so that Mod0 0 (SRCB)
 * means the Dst format, and applies the program's .config. The caller can change further
 * configuration through tx_kernel_machine() before tx_kernel_start, which runs .init. The program
 * must outlive the kernel.
 */
TX_API enum tx_status tx_kernel_open_sized(const struct tx_settings *settings,
                                           const struct tx_program *program,
                                           const struct tx_kernel_options *options,
                                           size_t options_size, tx_kernel **out);
static inline enum tx_status tx_kernel_open(const struct tx_settings *settings,
                                            const struct tx_program *program,
                                            const struct tx_kernel_options *options,
                                            tx_kernel **out)
{
    return tx_kernel_open_sized(settings, program, options, sizeof *options, out);
}
TX_API void tx_kernel_close(tx_kernel *kernel);
TX_API tx_machine *tx_kernel_machine(tx_kernel *kernel);
TX_API enum tx_dst_format tx_kernel_dst(const tx_kernel *kernel);
TX_API enum tx_dst_format tx_kernel_out(const tx_kernel *kernel);
/* Runs .init once and saves the resulting state. Must precede tx_kernel_tile. */
TX_API enum tx_status tx_kernel_start(tx_kernel *kernel);
/*
 * Runs one tile. inputs[i] is a 32x32 tile, row major, as 32-bit patterns: FP32 for float formats,
 * two's complement for integer ones; output likewise in its own format. Float values are first
 * rounded to the Dst format as a host would, to nearest, ties to even; see tx_dst_encode. With
 * carry, tiles must be run in order.
 */
TX_API enum tx_status tx_kernel_tile(tx_kernel *kernel, uint64_t tile,
                                     const uint32_t *const *inputs, uint32_t *output);
/*
 * The same with idle cycles before each word of .tile: gaps has one number for each word; NULL:
 * none.
 */
TX_API enum tx_status tx_kernel_tile_gaps(tx_kernel *kernel, uint64_t tile,
                                          const uint32_t *const *inputs, const uint32_t *gaps,
                                          uint32_t *output);
/*
 * The same in two steps, for callers that fill and read Dst themselves (tx_dst_load_tile,
 * tx_machine_unpack): the first sets the state in which a tile begins, the second runs .tile. Input
 * i is tile i of Dst; the output is tile program->output. TX_EINVAL: before tx_kernel_start.
 */
TX_API enum tx_status tx_kernel_tile_begin(tx_kernel *kernel, uint64_t tile);
TX_API enum tx_status tx_kernel_tile_run(tx_kernel *kernel, const uint32_t *gaps);
/*
 * Adds a finding (E-VIEW) if rows of the output tile were written in another view of Dst than the
 * output's format is read in: their data are at other places. tx_kernel_tile_run does so itself; it
 * is for callers that issue a tile's words themselves.
 */
TX_API void tx_kernel_check_result(tx_kernel *kernel);
/*
 * Returns the PRNG seed of a tile: seed for tile 0, for others a fixed mixing function that never
 * gives the seed with which the PRNG is stuck.
 */
TX_API uint32_t tx_kernel_tile_seed(uint32_t seed, uint64_t tile);

/*
 * Converts a host value to the nearest one that the Dst format can represent, as a 32-bit pattern
 * (FP32 pattern, or two's complement): BF16 and FP16 round to nearest, ties to even, FP16 as Tensix
 * defines it (exponent 31 is an ordinary binade; larger values, Inf and NaN become +-131008);
 * integers are clamped to the format's range. *changed is set when the value was not representable.
 */
TX_API uint32_t tx_dst_encode(enum tx_dst_format format, uint32_t value, bool *changed);

/* Write a tile to Dst and read it back. tile < 8 for 32-bit formats, < 16 for 16-bit ones. */
TX_API enum tx_status tx_dst_load_tile(tx_machine *machine, unsigned tile,
                                       enum tx_dst_format format,
                                       const uint32_t values[TX_TILE_ELEMENTS]);
TX_API enum tx_status tx_dst_store_tile(const tx_machine *machine, unsigned tile,
                                        enum tx_dst_format format,
                                        uint32_t values[TX_TILE_ELEMENTS]);

/*
 * Returns the Dst row and column that a lane of SFPLOAD or SFPSTORE accesses with this resolved
 * 10-bit address.
 */
struct tx_dst_place {
    uint16_t row, column;
};
TX_API struct tx_dst_place tx_dst_place(uint32_t address, unsigned lane);
/* Converts Dst row (0..63 in the tile) and column to the row-major element of the 32x32 tile. */
TX_API unsigned tx_tile_element(unsigned row_in_tile, unsigned column);

#ifdef __cplusplus
}
#endif

#endif
