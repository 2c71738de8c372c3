/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel model. A program has .init, which runs once; the state after draining is S. Its .tile
 * section runs once per tile from a copy of S, with the inputs in Dst, the RWCs of the thread zero
 * and the PRNG a function of seed and tile index. Tiles are therefore independent. With carry set,
 * state runs on from tile to tile instead.
 *
 * A program with .thread runs on all three threads at once, words without one on the options' own;
 * each section runs until everything is idle. TX_EDEADLOCK: see tx_wait_text.
 *
 * A 32x32 tile occupies 64 Dst rows: tile t starts at Dst row 64 t of the view that the Dst format
 * chooses (32-bit formats: Dst32b, 8 tiles; 16-bit formats: Dst16b, 16 tiles). Face f (top left,
 * top right, bottom left, bottom right) holds rows 16 f .. 16 f + 15 of it.
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
    enum tx_dst_format dst; /* TX_DST_FORMAT_UNSET: what the program says, else FP32 */
    enum tx_dst_format
        out; /* of the result; TX_DST_FORMAT_UNSET: what the program says, else dst */
    uint32_t seed;
    unsigned thread; /* issuing thread, default 1 */
    bool carry;
    enum tx_start start; /* TX_START_UNSET: what the program says, else TX_START_RESET */
};

/*
 * On a machine as tx_open or tx_reset leaves it: the state that a kernel takes for granted, seen
 * from that thread. TX_START_VENDOR: isa/start.def; the others change nothing.
 */
TX_API enum tx_status tx_machine_start(tx_machine *machine, unsigned thread, enum tx_start start);

TX_API void tx_kernel_options_default_sized(struct tx_kernel_options *options, size_t size);
static inline void tx_kernel_options_default(struct tx_kernel_options *options)
{
    tx_kernel_options_default_sized(options, sizeof *options);
}
/*
 * Opens a machine, brings it into the start state, sets the format fields so that Mod0 0 (SRCB)
 * means the Dst format, then what the program's .config says. The caller's own configuration goes
 * through tx_kernel_machine() before tx_kernel_start, which runs .init. The program must outlive
 * the kernel.
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
/* Runs .init once and keeps the state. Must precede tx_kernel_tile. */
TX_API enum tx_status tx_kernel_start(tx_kernel *kernel);
/*
 * One tile. inputs[i] is a 32x32 tile, row major, as 32-bit patterns: FP32 for float formats, two's
 * complement for integer ones. output the same in its own format. Float values are brought to the
 * Dst format as a host would, round to nearest even; see tx_dst_encode. carry: tiles must come in
 * order.
 */
TX_API enum tx_status tx_kernel_tile(tx_kernel *kernel, uint64_t tile,
                                     const uint32_t *const *inputs, uint32_t *output);
/* The same with idle cycles before each word of .tile, as many numbers as it has words; NULL: none.
 */
TX_API enum tx_status tx_kernel_tile_gaps(tx_kernel *kernel, uint64_t tile,
                                          const uint32_t *const *inputs, const uint32_t *gaps,
                                          uint32_t *output);
/*
 * The same in parts, for a caller who fills and reads Dst himself (tx_dst_load_tile,
 * tx_machine_unpack): the state a tile begins with, then .tile. Input i is tile i of Dst, the
 * output tile program->output. TX_EINVAL: before tx_kernel_start.
 */
TX_API enum tx_status tx_kernel_tile_begin(tx_kernel *kernel, uint64_t tile);
TX_API enum tx_status tx_kernel_tile_run(tx_kernel *kernel, const uint32_t *gaps);
/* The PRNG seed a tile gets: seed for tile 0, then a fixed mixing function, never the stuck one. */
TX_API uint32_t tx_kernel_tile_seed(uint32_t seed, uint64_t tile);

/*
 * Host value <-> 32-bit pattern that the Dst format can hold exactly (FP32 pattern, or two's
 * complement). encode: BF16 and FP16 to nearest even, FP16 in Tensix's reading (exponent 31 is an
 * ordinary binade; larger values, Inf and NaN become +-131008); integers are clamped to the
 * format's range. *changed is set when the value was not representable.
 */
TX_API uint32_t tx_dst_encode(enum tx_dst_format format, uint32_t value, bool *changed);

/* Puts a tile into Dst / takes it out. tile < 8 for 32-bit formats, < 16 for 16-bit ones. */
TX_API enum tx_status tx_dst_load_tile(tx_machine *machine, unsigned tile,
                                       enum tx_dst_format format,
                                       const uint32_t values[TX_TILE_ELEMENTS]);
TX_API enum tx_status tx_dst_store_tile(const tx_machine *machine, unsigned tile,
                                        enum tx_dst_format format,
                                        uint32_t values[TX_TILE_ELEMENTS]);

/* Where SFPLOAD/SFPSTORE with this resolved 10-bit address touch: lane -> Dst row and column. */
struct tx_dst_place {
    uint16_t row, column;
};
TX_API struct tx_dst_place tx_dst_place(uint32_t address, unsigned lane);
/* Dst row (0..63 in the tile) and column -> row-major element of the 32x32 tile. */
TX_API unsigned tx_tile_element(unsigned row_in_tile, unsigned column);

#ifdef __cplusplus
}
#endif

#endif
