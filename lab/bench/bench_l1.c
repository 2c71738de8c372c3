/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lines that begin or end in L1, on the reference engine: a tile through an unpacker, through a
 * packer, or through all three threads. For comparison also the conversion functions alone, as
 * tensix convert uses them.
 */
#include "base/memory.h"
#include "bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TILES = 16, L1_BYTES = 1 << 18 };

struct bench_l1 {
    tx_kernel *kernel; /* NULL: a conversion */
    bool threaded;
    unsigned thread;
    uint32_t *words[TX_THREADS];
    struct tx_stream streams[TX_THREADS]; /* for each thread its words of .tile, TILES times */
    bool cycles;                          /* count machine cycles, not data */
    /* Only of conversions: */
    bool pack;
    struct tx_codec codec;
    uint32_t data[TX_TILE_ELEMENTS];
    uint8_t bytes[2 * TX_TILE_ELEMENTS];
};

/* ---- kernels ---- */

#define UNPACK_INIT                                            \
    ".setcfg THCON_SEC0_REG0_TileDescriptor, 0x15\n"           \
    ".setcfg THCON_SEC0_REG0_TileDescriptor_1, 0x00040001\n"   \
    ".setcfg THCON_SEC0_REG2_Out_data_format, 5\n"             \
    ".setcfg THCON_SEC0_REG2_Throttle_mode, 2\n"               \
    ".setcfg THCON_SEC0_REG2_Disable_zero_compress_cntx0, 1\n" \
    ".setcfg THCON_SEC0_REG3_Base_address, 0x10000 / 16 - 1\n" \
    ".setcfg THCON_SEC0_REG5_Tile_x_dim_cntx0, 256\n"          \
    ".setcfg THCON_SEC0_REG5_Dest_cntx0_address, 64\n"         \
    ".setcfg UNP0_ADDR_CTRL_ZW_REG_1_Zstride, 512\n"           \
    ".setcfg SRCA_SET_SetOvrdWithAddr, 1\n"
#define PACK_INIT                                                                \
    ".setcfg THCON_SEC0_REG1_Disable_zero_compress, 1\n"                         \
    ".setcfg THCON_SEC0_REG1_In_data_format, 5\n"                                \
    ".setcfg THCON_SEC0_REG1_Out_data_format, 5\n"                               \
    ".setcfg THCON_SEC0_REG1_L1_Dest_addr, 0x80000000 | (0x20000 / 16 - 1)\n"    \
    ".setcfg ALU_FORMAT_SPEC_REG2_Dstacc, 5\n"                                   \
    ".setcfg PCK_EDGE_OFFSET_SEC0_mask, 0xFFFF\n"                                \
    ".setcfg PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 16\n"                   \
    ".setcfg PCK0_ADDR_CTRL_XY_REG_0_Ystride, 32\n"                              \
    ".setcfg PCK0_ADDR_CTRL_ZW_REG_0_Zstride, 512\n"                             \
    ".setcfg PCK0_ADDR_CTRL_ZW_REG_0_Wstride, 2048\n"                            \
    ".setcfg ADDR_MOD_PACK_SEC0_YsrcIncr, 4, ADDR_MOD_PACK_SEC0_YdstIncr, 4\n"   \
    ".setcfg ADDR_MOD_PACK_SEC1_YsrcClear, 1, ADDR_MOD_PACK_SEC1_YdstClear, 1, " \
    "ADDR_MOD_PACK_SEC1_ZsrcClear, 1\n"                                          \
    ".setcfg ADDR_MOD_PACK_SEC2_YsrcClear, 1, ADDR_MOD_PACK_SEC2_YdstIncr, 4, "  \
    "ADDR_MOD_PACK_SEC2_ZsrcIncr, 1\n"
/*
 * Each PACR packs four rows; the fourth goes on to the next face, and the last one closes the tile.
 */
#define FOUR_ROWS "ttpacr 0,0,0,0,0,0,0,0,0,0,0,0\n"
#define PACRS                                                                    \
    ".rept 3\n" FOUR_ROWS FOUR_ROWS FOUR_ROWS "ttpacr 0,0,0,2,0,0,0,0,0,0,0,0\n" \
    ".endr\n" FOUR_ROWS FOUR_ROWS FOUR_ROWS "ttpacr 0,0,0,1,0,0,0,0,0,0,0,1\n"
#define COUNTERS(unit, last)                                                                  \
    "ttsetadcxx " unit ", " last ", 0\nttsetadcxy " unit ", 0, 0, 0, 0, 11\nttsetadczw " unit \
    ", 0, 0, 0, 0, 15\n"

/* Unpacks a tile to SrcA with one UNPACR, which leaves the bank to the unpacker. */
const char bench_unpack_init[] = UNPACK_INIT COUNTERS("1", "1023");
const char bench_unpack[] = "ttunpacr 0,0,0,0,0,1,0,0,0,0,0,0,1\n";
/*
 * fill_machine makes the rows of Dst valid, though an invalid row, which reads as zero, would be as
 * much work.
 */
const char bench_pack_init[] = PACK_INIT COUNTERS("4", "15");
const char bench_pack[] = PACRS;

/* On Wormhole one PACR packs a tile: each of the four packers takes a face. */
#define PACKER(section, dest)                              \
    ".setcfg THCON_" section "_Disable_zero_compress, 1\n" \
    ".setcfg THCON_" section "_In_data_format, 5\n"        \
    ".setcfg THCON_" section "_Out_data_format, 5\n"       \
    ".setcfg THCON_" section "_L1_Dest_addr, " dest "\n"
#define ROWS_OF_FACE(n) ".setcfg PACK_COUNTERS_SEC" n "_pack_reads_per_xy_plane, 16\n"
const char bench_pack_wh_init[] = PACKER("SEC0_REG1", "0x80000000 | (0x20000 / 16 - 1)")
    PACKER("SEC0_REG8", "32 - 1") PACKER("SEC1_REG1", "64 - 1") PACKER("SEC1_REG8", "96 - 1")
        ROWS_OF_FACE("0") ROWS_OF_FACE("1") ROWS_OF_FACE("2")
            ROWS_OF_FACE("3") ".setcfg DEST_TARGET_REG_CFG_PACK_SEC1_Offset, 16\n"
                              ".setcfg DEST_TARGET_REG_CFG_PACK_SEC2_Offset, 32\n"
                              ".setcfg DEST_TARGET_REG_CFG_PACK_SEC3_Offset, 48\n"
                              ".setcfg ALU_FORMAT_SPEC_REG2_Dstacc, 5\n"
                              ".setcfg PCK_EDGE_OFFSET_SEC0_mask, 0xFFFF\n"
                              ".setcfg PCK0_ADDR_CTRL_XY_REG_0_Xstride, 2\n"
                              ".setcfg PCK0_ADDR_CTRL_XY_REG_0_Ystride, 32\n" COUNTERS("4", "255");
const char bench_pack_wh[] = "ttpacr 1,0,15,0,0,0,1\n";

const char bench_datacopy_init[] = ".thread unpack\n" UNPACK_INIT ".thread math\n"
                                   ".setcfg ALU_FORMAT_SPEC_REG1_SrcB, 5\n"
                                   ".setcfg ALU_FORMAT_SPEC_REG0_SrcA, 5\n"
                                   ".thread pack\n" PACK_INIT "ttseminit 1, 0, 2\n";
const char bench_datacopy[] = ".thread unpack\n" COUNTERS(
    "1", "255") ".rept 4\n"
                /* A face to SrcA, and its bank to the Matrix Unit. */
                "ttunpacr 0,1,0,0,0,1,1,0,0,0,0,0,1\n"
                "ttunpacr_nop 1,0,0,1,0,0,0,0,1\n" /* zeros to SrcB, and its bank likewise */
                ".endr\n.thread math\n"
                "ttsemwait 64, 2, 2\n" /* until the tile before is in L1 */
                ".set face, 0\n.rept 4\n"
                "ttmova2d 0, 0, 0, 2, 16 * face\n"
                "ttmova2d 0, 8, 0, 2, 16 * face + 8\n"
                "ttsetrwc 3, 0, 0, 0, 0, 0\n"
                ".set face, face + 1\n.endr\n"
                "ttstallwait 2, 16\nttsempost 2\n"
                ".thread pack\n" COUNTERS("4", "15") "ttsemwait 4, 2, 1\n" PACRS
                                                     "ttstallwait 2, 8\nttsemget 2\n";

/* ---- preparation ---- */

static bool failed(char message[400], const char *what)
{
    snprintf(message, 400, "%s", what);
    return false;
}

static bool fill_machine(tx_machine *m, char message[400])
{
    uint8_t *bytes = malloc(L1_BYTES);
    const uint32_t valid = 1;
    if (bytes == NULL || tx_l1_allocate(m) != TX_OK) {
        free(bytes);
        return failed(message, "out of memory");
    }
    for (size_t i = 0; i < L1_BYTES; i++) { /* BF16 from 1 to 2 and their opposites */
        bytes[i] = (uint8_t)(i % 2 != 0 ? 0x3F | (i >> 3 & 0x80u) : (i * 37 & 0x7Fu) | 0x80u);
    }
    bool good = tx_l1_write(m, 0, bytes, L1_BYTES) == TX_OK;
    free(bytes);
    for (unsigned row = 0; row < 64 && good; row++) {
        uint32_t cells[16];
        for (unsigned j = 0; j < 16; j++) {
            cells[j] = (row * 16 + j) % 128 << 8 | 127u;
        }
        good = tx_write(m, TX_FILE_DST, row, cells, 16) == TX_OK &&
               tx_write(m, TX_FILE_DST_VALID, row, &valid, 1) == TX_OK;
    }
    return good || failed(message, "L1 or Dst cannot be filled");
}

static bool repeat_words(struct bench_l1 *b, const struct tx_program *program, char message[400])
{
    const size_t count = tx_program_count(program, TX_SECTION_TILE);
    const uint32_t *words = tx_program_words(program, TX_SECTION_TILE);
    const uint8_t *threads = tx_program_threads(program, TX_SECTION_TILE);
    for (unsigned t = 0; t < TX_THREADS; t++) {
        size_t used = 0;
        b->words[t] = malloc((count * TILES + 1) * sizeof *b->words[t]);
        if (b->words[t] == NULL) {
            return failed(message, "out of memory");
        }
        for (size_t i = 0; i < count * TILES; i++) {
            const unsigned own = threads[i % count];
            if ((own < TX_THREADS ? own : b->thread) == t) {
                b->words[t][used++] = words[i % count];
            }
        }
        b->streams[t] = (struct tx_stream){b->words[t], used};
    }
    return true;
}

static bool open_kernel(struct bench_l1 *b, const struct tx_program *program, char message[400])
{
    struct tx_settings settings;
    struct tx_kernel_options how;
    tx_settings_default(&settings, tx_program_arch(program));
    tx_kernel_options_default(&how);
    how.thread = b->thread;
    if (tx_kernel_open(&settings, program, &how, &b->kernel) != TX_OK) {
        return failed(message, "the kernel cannot be opened");
    }
    return fill_machine(tx_kernel_machine(b->kernel), message) &&
           (tx_kernel_start(b->kernel) == TX_OK || failed(message, ".init stopped")) &&
           repeat_words(b, program, message);
}

static bool open_conversion(struct bench_l1 *b, char message[400])
{
    b->pack = b->thread == 2;
    if (tx_codec_default(TX_ROUTE_TENSIX, TX_BLACKHOLE, TX_FORMAT_BF16,
                         b->pack ? TX_FORMAT_FP32 : TX_FORMAT_BF16, &b->codec, NULL) != TX_OK) {
        return failed(message, "no such conversion");
    }
    b->codec.unpack.dst = b->pack ? b->codec.unpack.dst : tx_format_in_dst(TX_FORMAT_BF16);
    for (unsigned i = 0; i < TX_TILE_ELEMENTS; i++) {
        b->data[i] = 0x3F800000u | i << 16;
        b->bytes[2 * i] = (uint8_t)i;
        b->bytes[2 * i + 1] = 0x3F;
    }
    return true;
}

struct bench_l1 *bench_l1_open(const struct bench_line *line, const struct tx_program *program,
                               char message[400])
{
    struct txl_error error = {.status = TXL_OK};
    struct bench_l1 *b = zeroed(&error, 1, sizeof *b);
    if (b == NULL) {
        (void)failed(message, "out of memory");
        return NULL;
    }
    b->thread = line->op == bench_unpack                              ? 0
                : line->op == bench_pack || line->op == bench_pack_wh ? 2
                                                                      : 1;
    b->threaded = tx_program_threaded(program);
    b->cycles = line->count == 0;
    if (!(line->shape == SHAPE_CONVERT ? open_conversion(b, message)
                                       : open_kernel(b, program, message))) {
        bench_l1_close(b);
        return NULL;
    }
    return b;
}

void bench_l1_close(struct bench_l1 *b)
{
    if (b != NULL) {
        for (unsigned t = 0; t < TX_THREADS; t++) {
            free(b->words[t]);
        }
        tx_kernel_close(b->kernel);
        free(b);
    }
}

/* ---- running ---- */

static bool convert(struct bench_l1 *b)
{
    static const struct tx_tile tile = {.rows = 32, .columns = 32};
    bool good = true;
    for (unsigned i = 0; i < TILES && good; i++) {
        good = (b->pack ? tx_tiles_encode(&b->codec, &tile, b->data, 1, b->bytes)
                        : tx_tiles_decode(&b->codec, &tile, b->bytes, 1, b->data)) == TX_OK;
    }
    return good;
}

bool bench_l1_run(struct bench_l1 *b)
{
    if (b->kernel == NULL) {
        return convert(b);
    }
    tx_machine *m = tx_kernel_machine(b->kernel);
    const struct tx_stream *own = &b->streams[b->thread];
    return (b->threaded ? tx_run_threads(m, b->streams, UINT64_MAX)
                        : tx_run(m, b->thread, own->words, own->count)) == TX_OK;
}

double bench_l1_units(struct bench_l1 *b)
{
    if (!b->cycles) {
        return TILES * (TX_TILE_ELEMENTS / 32);
    }
    tx_machine *m = tx_kernel_machine(b->kernel);
    const uint64_t before = tx_machine_counters(m).cycles;
    (void)bench_l1_run(b);
    return (double)(tx_machine_counters(m).cycles - before);
}
