/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lines of tensix bench: single instructions among others, and whole kernels of a usual shape.
 */
#include "bench/bench.h"
#include "bench/bench_l1_text.h"

#include <stdarg.h>
#include <string.h>

enum {
    GROUPS = 8, /* a tile has 32 rows of 32 lanes; four of them are in registers at a time */
    RESULT_OPS = 24,
    CHAIN_OPS = 48
};

const char *const bench_data_names[BENCH_DATA] = {[DATA_MIXED] = "N(0,1)",
                                                  [DATA_NEAR_ONE] = "0.5..1.5",
                                                  [DATA_BITS] = "random bits",
                                                  [DATA_BF16] = "32 x BF16",
                                                  [DATA_CYCLES] = "cycles"};

/* load, approximate, three multiply-adds, min, multiply-add, store */
static const char recip24[] = "sfpload L0,R,3,3\n"
                              "sfparecip L1,L0,0\n"
                              "sfpmad L2,L0,L1,L10,1\n"
                              "sfpmad L3,L2,L2,L2,0\n"
                              "sfpmad L3,L3,L2,L2,0\n"
                              "sfpswap L3,L10,1\n"
                              "sfpmad L1,L1,L3,L1,0\n"
                              "sfpstore L1,R,3,3\n";

/* two Newton steps; the second one only where the first did not give a NaN or a negative number */
static const char recipn2[] = "sfpload L0,R,3,3\n"
                              "sfparecip L1,L0,0\n"
                              "sfpmad L2,L0,L1,L10,1\n"
                              "sfpmad L1,L1,L2,L1,0\n"
                              "sfpmad L2,L0,L1,L10,1\n"
                              "sfppushc 0\n"
                              "sfpsetcc L2,0,4\n"
                              "sfpmad L1,L1,L2,L1,0\n"
                              "sfppopc 0\n"
                              "sfpstore L1,R,3,3\n";

/* clamp, range reduction, a polynomial of degree 5, exponent, 1 for an argument of zero */
static const char exp22[] = "sfpload L0,R,3,3\n"
                            "sfpmov L6,L0,0\n"
                            "sfpswap L0,L14,9\n"
                            "sfpmad L1,L0,L11,L12,0\n"
                            "sfpmad L2,L1,L10,L13,0\n"
                            "sfpmad L0,L2,L4,L0,0\n"
                            "sfploadi L3,bf16(0.00830),0\n"
                            "sfploadi L2,bf16(0.0417),0\n"
                            "sfpmad L3,L3,L0,L2,0\n"
                            "sfploadi L2,bf16(0.1667),0\n"
                            "sfpmad L3,L3,L0,L2,0\n"
                            "sfploadi L2,bf16(0.5),0\n"
                            "sfpmad L3,L3,L0,L2,0\n"
                            "sfpmad L3,L3,L0,L10,0\n"
                            "sfpmad L3,L3,L0,L10,0\n"
                            "sfpshft L1,L0,23,1\n"
                            "sfpiadd L3,L1,0,4\n"
                            "sfppushc 0\n"
                            "sfpsetcc L6,0,6\n"
                            "sfploadi L3,bf16(1.0),0\n"
                            "sfppopc 0\n"
                            "sfpstore L3,R,3,3\n";
static const char exp_init[] = ".loadi L0, float(1.4426950408889634)\nsfpconfig 11,0,0\n"
                               ".loadi L0, float(12582912.0)\nsfpconfig 12,0,0\n"
                               ".loadi L0, float(-12582912.0)\nsfpconfig 13,0,0\n"
                               ".loadi L0, float(-88.0)\nsfpconfig 14,0,0\n"
                               ".loadi L4, float(-0.6931471805599453)\nsfpencc 3,10\n";

static const char int20[] = "sfpload L0,R,4,3\n"
                            "sfpmov L1,L0,0\n"
                            "sfpshft L1,L0,13,1\n"
                            "sfpxor L0,L1\n"
                            "sfpmov L1,L0,0\n"
                            "sfpshft L1,L0,-17,1\n"
                            "sfpxor L0,L1\n"
                            "sfpmov L1,L0,0\n"
                            "sfpshft L1,L0,5,1\n"
                            "sfpxor L0,L1\n"
                            "sfpiadd L0,L4,0,4\n"
                            "sfpmov L2,L0,0\n"
                            "sfpnot L2,L2\n"
                            "sfpor L2,L2,L1,1\n"
                            "sfpand L1,L1,L5,1\n"
                            "sfpiadd L1,L2,0,4\n"
                            "sfpxor L0,L1\n"
                            "sfpiadd L0,L0,77,5\n"
                            "sfpor L0,L0,L4,1\n"
                            "sfpstore L0,R,4,3\n";
static const char int_init[] = ".loadi L4, 0x12345678\n.loadi L5, 0x00FF0FF1\n";

/* 18 multiply-adds, each of which needs the result of the one before */
#define MADS "sfpmad L1,L1,L11,L0,0\nsfpmad L1,L1,L11,L12,0\n"
static const char mad20[] =
    "sfpload L0,R,3,3\nsfpmad L1,L0,L11,L12,0\nsfpmad L1,L1,L11,L12,0\n" MADS MADS MADS MADS MADS
        MADS MADS MADS "sfpstore L1,R,3,3\n";
static const char mad_init[] =
    ".loadi L0, float(-0.75)\nsfpconfig 11,0,0\n.loadi L0, float(-0.5)\nsfpconfig 12,0,0\n";

static const char mad[] = "sfpmad D,A,B,C,0\n";
static const char add[] = "sfpadd D,D,A,0\n";
static const char mul[] = "sfpmul D,D,A,0\n";
static const char flags[] = "sfpencc 3,10\n";

/*
 * Eight blocks of Dst in turn, so that none waits for the one before. Source banks without data
 * cost as much as others.
 */
/* All banks are cleared and belong to the Matrix Unit. */
#define CLEARED "ttzerosrc 0,0,1,3\nttsetdvalid 3\n"
static const char matrix_init[] = CLEARED;
static const char matrix_fp32_init[] = ".setcfg ALU_ACC_CTRL_Fp32_enabled, 1\n" CLEARED;
static const char matrix_int8_init[] = ".setcfg ALU_ACC_CTRL_INT8_math_enabled, 1\n" CLEARED;
static const char matrix_fp16_init[] = ".setcfg ALU_FORMAT_SPEC_REG0_SrcA, 1\n"
                                       ".setcfg ALU_FORMAT_SPEC_REG1_SrcB, 1\n" CLEARED;
static const char mvmul[] = "ttmvmul 0,0,0,0\nttmvmul 0,0,0,8\nttmvmul 0,0,0,16\nttmvmul 0,0,0,24\n"
                            "ttmvmul 0,0,0,32\nttmvmul 0,0,0,40\nttmvmul 0,0,0,48\n"
                            "ttmvmul 0,0,0,56\n";
static const char elwmul[] = "ttelwmul 0,0,0,0,0\nttelwmul 0,0,0,0,8\nttelwmul 0,0,0,0,16\n"
                             "ttelwmul 0,0,0,0,24\nttelwmul 0,0,0,0,32\nttelwmul 0,0,0,0,40\n"
                             "ttelwmul 0,0,0,0,48\nttelwmul 0,0,0,0,56\n";
static const char elwadd[] = "ttelwadd 0,1,0,0,0\nttelwadd 0,1,0,0,8\nttelwadd 0,1,0,0,16\n"
                             "ttelwadd 0,1,0,0,24\nttelwadd 0,1,0,0,32\nttelwadd 0,1,0,0,40\n"
                             "ttelwadd 0,1,0,0,48\nttelwadd 0,1,0,0,56\n";

static const char datacopy_init[] = ".thread unpack\n" UNPACK_INIT ".thread math\n"
                                    ".setcfg ALU_FORMAT_SPEC_REG1_SrcB, 5\n"
                                    ".setcfg ALU_FORMAT_SPEC_REG0_SrcA, 5\n"
                                    ".thread pack\n" PACK_INIT "ttseminit 1, 0, 2\n";
static const char datacopy[] = ".thread unpack\n" COUNTERS(
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

#define ROW(name, arch, data, shape, count, op, init, goal, against)        \
    {                                                                       \
        name, arch, data, shape, WAY_ENGINE, count, op, init, goal, against \
    }
#define COMPILED(name, data, count, op, init, goal, against)                                   \
    {                                                                                          \
        "compiled/" name, BH, data, SHAPE_KERNEL, WAY_COMPILED, count, op, init, goal, against \
    }
#define MATRIX(name, op, init)                                                          \
    {                                                                                   \
        name, WH, DATA_MIXED, SHAPE_KERNEL, WAY_REFERENCE, 8, op, init, 0, BENCH_SCALAR \
    }
#define L1(name, arch, data, shape, count, op, init)                             \
    {                                                                            \
        name, arch, data, shape, WAY_REFERENCE, count, op, init, 0, BENCH_SCALAR \
    }
#define UNPACK_ON(name, arch, init) \
    L1(name, arch, DATA_BF16, SHAPE_L1, 32, UNPACK_TILE, UNPACK_INIT init COUNTERS("1", "1023"))
#define UNPACK(name, init) \
    UNPACK_ON("l1/unpack" name, BH, init), UNPACK_ON("l1/unpack" name "/wh", WH, init)
#define PACK_BH(name, init) \
    L1("l1/pack" name, BH, DATA_BF16, SHAPE_L1, 32, PACRS, PACK_INIT init COUNTERS("4", "15"))
#define PACK_WH(name, init)                                             \
    L1("l1/pack" name "/wh", WH, DATA_BF16, SHAPE_L1, 32, PACK_WH_TILE, \
       PACK_WH_INIT init COUNTERS("4", "255"))
#define BH TX_BLACKHOLE
#define WH TX_WORMHOLE

const struct bench_line bench_lines[] = {
    ROW("mad/mixed", BH, DATA_MIXED, SHAPE_RESULTS, 1, mad, "", 0.14, BENCH_FMA),
    ROW("mad/near-one", BH, DATA_NEAR_ONE, SHAPE_RESULTS, 1, mad, "", 0.35, BENCH_FMA),
    ROW("mad/bits", BH, DATA_BITS, SHAPE_RESULTS, 1, mad, "", 0.046, BENCH_FMA),
    ROW("mad/mixed/wh", WH, DATA_MIXED, SHAPE_RESULTS, 1, mad, "", 0.10, BENCH_FMA),
    ROW("mad/near-one/wh", WH, DATA_NEAR_ONE, SHAPE_RESULTS, 1, mad, "", 0.20, BENCH_FMA),
    ROW("mad/bits/wh", WH, DATA_BITS, SHAPE_RESULTS, 1, mad, "", 0.03, BENCH_FMA),
    ROW("add", BH, DATA_MIXED, SHAPE_CHAIN, 1, add, "", 0.70, BENCH_ADD),
    ROW("mul", BH, DATA_MIXED, SHAPE_CHAIN, 1, mul, "", 0.56, BENCH_FMA),
    ROW("add/wh", WH, DATA_MIXED, SHAPE_CHAIN, 1, add, "", 0, BENCH_ADD),
    ROW("mul/wh", WH, DATA_MIXED, SHAPE_CHAIN, 1, mul, "", 0, BENCH_FMA),
    ROW("xor", BH, DATA_BITS, SHAPE_CHAIN, 1, "sfpxor D,A\n", "", 1.13, BENCH_COPY),
    ROW("and", BH, DATA_BITS, SHAPE_CHAIN, 1, "sfpand D,D,A,1\n", "", 1.13, BENCH_COPY),
    ROW("iadd", BH, DATA_BITS, SHAPE_CHAIN, 1, "sfpiadd D,A,0,4\n", "", 1.12, BENCH_COPY),
    ROW("iadd/cc", BH, DATA_BITS, SHAPE_CHAIN, 1, "sfpiadd D,A,0,0\n", flags, 0.47, BENCH_COPY),
    ROW("shft", BH, DATA_BITS, SHAPE_CHAIN, 1, "sfpshft D,D,5,5\n", "", 1.13, BENCH_COPY),
    ROW("mov", BH, DATA_BITS, SHAPE_CHAIN, 1, "sfpmov D,D,1\n", "", 1.13, BENCH_COPY),
    ROW("v_if", BH, DATA_MIXED, SHAPE_CHAIN, 4,
        "sfppushc 0\nsfpsetcc A,0,0\nsfpmov D,B,0\nsfppopc 0\n", flags, 0, BENCH_COPY),
    ROW("load-store/fp32", BH, DATA_MIXED, SHAPE_KERNEL, 2, "sfpload L0,R,3,3\nsfpstore L0,R,3,3\n",
        "", 0.40, BENCH_COPY),
    ROW("swap", BH, DATA_MIXED, SHAPE_CHAIN, 1, "sfpswap A,B,1\n", "", 0.48, BENCH_COPY),
    ROW("cast", BH, DATA_BITS, SHAPE_CHAIN, 1, "sfpcast D,D,0\n", "", 1.12, BENCH_COPY),
    ROW("stochrnd/nearest", BH, DATA_MIXED, SHAPE_CHAIN, 1, "sfpstochrnd D,D,D,0,1,0\n", "", 0.64,
        BENCH_COPY),
    ROW("stochrnd", BH, DATA_MIXED, SHAPE_CHAIN, 1, "sfpstochrnd D,D,D,0,1,1\n", "", 0.26,
        BENCH_COPY),
    ROW("shft2/ror1", BH, DATA_BITS, SHAPE_CHAIN, 1, "sfpshft2 D,D,0,3\n", "", 1.23, BENCH_COPY),
    ROW("shft2/variable", BH, DATA_BITS, SHAPE_CHAIN, 1, "sfpshft2 D,D,B,5\n", "", 0.63,
        BENCH_COPY),
    ROW("transp", BH, DATA_BITS, SHAPE_CHAIN, 1, "sfptransp\n", "", 0.157, BENCH_COPY),
    ROW("arecip", BH, DATA_MIXED, SHAPE_CHAIN, 1, "sfparecip D,D,0\n", "", 0, BENCH_COPY),
    ROW("recip24", BH, DATA_MIXED, SHAPE_KERNEL, 8, recip24, "", 0.27, BENCH_FMA),
    ROW("recipn2", BH, DATA_MIXED, SHAPE_KERNEL, 10, recipn2, flags, 0.35, BENCH_FMA),
    ROW("exp22", BH, DATA_MIXED, SHAPE_KERNEL, 22, exp22, exp_init, 0.49, BENCH_FMA),
    ROW("int20", BH, DATA_BITS, SHAPE_KERNEL, 20, int20, int_init, 1.0, BENCH_COPY),
    ROW("mad20", BH, DATA_MIXED, SHAPE_KERNEL, 20, mad20, mad_init, 0.127, BENCH_FMA),
    ROW("threads/exp22", BH, DATA_MIXED, SHAPE_THREADS, 22, exp22, exp_init, 1.9, BENCH_FMA),
    COMPILED("recip24", DATA_MIXED, 8, recip24, "", 0, BENCH_FMA),
    COMPILED("recipn2", DATA_MIXED, 10, recipn2, flags, 0, BENCH_FMA),
    COMPILED("exp22", DATA_MIXED, 22, exp22, exp_init, 0.85, BENCH_FMA),
    COMPILED("int20", DATA_BITS, 20, int20, int_init, 4, BENCH_COPY),
    COMPILED("mad20", DATA_MIXED, 20, mad20, mad_init, 0, BENCH_FMA),
    {"single/exp22", BH, DATA_MIXED, SHAPE_KERNEL, WAY_VECTORS, 22, exp22, exp_init, 0.16,
     BENCH_FMA},
    {"single/mad20", BH, DATA_MIXED, SHAPE_KERNEL, WAY_VECTORS, 20, mad20, mad_init, 0, BENCH_FMA},
    {"single/tile/exp22", BH, DATA_MIXED, SHAPE_KERNEL, WAY_TILES, 22, exp22, exp_init, 0,
     BENCH_FMA},
    {"reference/exp22", BH, DATA_MIXED, SHAPE_KERNEL, WAY_REFERENCE, 22, exp22, exp_init, 0,
     BENCH_SCALAR},
    {"reference/int20", BH, DATA_BITS, SHAPE_KERNEL, WAY_REFERENCE, 20, int20, int_init, 0,
     BENCH_SCALAR},
    {"reference/single", BH, DATA_MIXED, SHAPE_KERNEL, WAY_WORDS, 22, exp22, exp_init, 0,
     BENCH_SCALAR},
    {"reference/watched", BH, DATA_MIXED, SHAPE_KERNEL, WAY_WATCHED, 22, exp22, exp_init, 0,
     BENCH_SCALAR},
    MATRIX("matrix/mvmul", mvmul, matrix_init),
    MATRIX("matrix/mvmul/fp16", mvmul, matrix_fp16_init),
    MATRIX("matrix/mvmul/fp32", mvmul, matrix_fp32_init),
    MATRIX("matrix/mvmul/int8", mvmul, matrix_int8_init),
    MATRIX("matrix/elwmul", elwmul, matrix_init),
    MATRIX("matrix/elwadd", elwadd, matrix_init),
    UNPACK("", ""),
    UNPACK("/fp16", UNPACK_FORMAT("1", "1")),
    UNPACK("/fp32", UNPACK_FORMAT("0", "4")),
    UNPACK("/fp32/bf16", UNPACK_FORMAT("0", "5")),
    UNPACK("/fp32/dst", UNPACK_DST("0")),
    UNPACK("/int32/dst", UNPACK_DST("8")),
    UNPACK("/bfp8", UNPACK_FORMAT("6", "6")),
    UNPACK("/bfp4", UNPACK_FORMAT("7", "7")),
    UNPACK("/bfp2", UNPACK_FORMAT("f", "15")),
    UNPACK("/int8", UNPACK_FORMAT("e", "14")),
    UNPACK("/uint16", UNPACK_FORMAT("9", "9")),
    UNPACK("/tilize", UNPACK_TILIZE),
    UNPACK("/tilize/fp32", UNPACK_FORMAT("0", "4") UNPACK_TILIZE),
    L1("l1/unpack/convert", BH, DATA_BF16, SHAPE_CONVERT, 32, UNPACK_TILE,
       UNPACK_INIT COUNTERS("1", "1023")),
    PACK_BH("", ""),
    PACK_BH("/fp16", PACK_FORMAT("1", "2", "1")),
    PACK_BH("/fp32", PACK_FORMAT("0", "4", "0") PACK_WIDE),
    PACK_BH("/fp32/bf16", PACK_FORMAT("5", "2", "5") PACK_WIDE),
    PACK_BH("/fp32/bfp8", PACK_FORMAT("0", "4", "6") PACK_WIDE PACK_EXPONENTS_OF_TILE),
    PACK_BH("/int32", PACK_FORMAT("8", "4", "8") PACK_WIDE),
    PACK_BH("/bfp8", PACK_FORMAT("6", "1", "6") PACK_EXPONENTS_OF_TILE),
    PACK_BH("/bfp4", PACK_FORMAT("6", "1", "7") PACK_EXPONENTS_OF_TILE),
    PACK_BH("/bfp2", PACK_FORMAT("5", "2", "15") PACK_EXPONENTS_OF_TILE),
    PACK_BH("/int8", PACK_FORMAT("14", "1", "14") PACK_WIDE),
    PACK_BH("/uint16", PACK_FORMAT("9", "2", "9")),
    PACK_BH("/relu", PACK_RELU),
    PACK_BH("/relu/fp32", PACK_FORMAT("0", "4", "0") PACK_WIDE PACK_RELU),
    PACK_BH("/mask", PACK_MASK),
    PACK_BH("/add", PACK_ADD),
    PACK_BH("/add/fp32", PACK_FORMAT("0", "4", "0") PACK_WIDE PACK_ADD),
    L1("l1/pack/untilize", BH, DATA_BF16, SHAPE_L1, 32, UNTILIZED,
       PACK_INIT PACK_UNTILIZE COUNTERS("4", "15")),
    PACK_WH("", ""),
    PACK_WH("/fp16", PACK_WH_FORMAT("1", "2", "1")),
    PACK_WH("/fp32", PACK_WH_FORMAT("0", "4", "0") FACES("64", "0", "0", "0", "0") PACK_WIDE),
    PACK_WH("/fp32/bf16", PACK_WIDE),
    PACK_WH("/int32", PACK_WH_FORMAT("8", "4", "8") FACES("64", "0", "0", "0", "0") PACK_WIDE),
    PACK_WH("/bfp8", PACK_WH_FORMAT("6", "1", "6") FACES("1", "4", "19", "34", "49")),
    PACK_WH("/bfp4", PACK_WH_FORMAT("6", "1", "7") FACES("1", "4", "11", "18", "25")),
    PACK_WH("/bfp2", PACK_WH_FORMAT("5", "2", "15") FACES("1", "4", "7", "10", "13")),
    PACK_WH("/int8", PACK_WH_FORMAT("14", "1", "14") FACES("16", "0", "0", "0", "0") PACK_WIDE),
    PACK_WH("/uint16", PACK_WH_FORMAT("9", "2", "9")),
    PACK_WH("/relu", PACK_RELU),
    PACK_WH("/mask", PACK_MASK),
    PACK_WH("/add", PACK_WH_ADD),
    PACK_WH("/add/fp32",
            PACK_WH_FORMAT("0", "4", "0") FACES("64", "0", "0", "0", "0") PACK_WIDE PACK_WH_ADD),
    L1("l1/pack/convert", BH, DATA_BF16, SHAPE_CONVERT, 32, PACRS, PACK_INIT COUNTERS("4", "15")),
    L1("l1/datacopy", BH, DATA_CYCLES, SHAPE_L1, 0, datacopy, datacopy_init),
};

const size_t bench_line_count = sizeof bench_lines / sizeof bench_lines[0];

struct writer {
    char *text;
    size_t size, length;
};

static void bench_lines_put(struct writer *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void bench_lines_put(struct writer *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(w->text + w->length, w->size - w->length, format, arguments);
    va_end(arguments);
    w->length += n > 0 ? (size_t)n : 0;
    w->length = w->length < w->size ? w->length : w->size - 1;
}

/* Writes op with these registers for D, A, B and C and the address of the row for R. */
static void put_op(struct writer *w, const char *op, const unsigned reg[4], unsigned row)
{
    for (const char *c = op; *c != '\0'; c++) {
        const char *place = strchr("DABC", *c);
        if (place != NULL) {
            bench_lines_put(w, "L%u", reg[place - "DABC"]);
        } else if (*c == 'R') {
            bench_lines_put(w, "%u", 2 * row);
        } else {
            bench_lines_put(w, "%c", *c);
        }
    }
}

/* Writes the k-th op of a group; the registers change from one to the next. */
static void put_one(struct writer *w, const struct bench_line *line, unsigned k)
{
    const unsigned a = k % 4;
    const unsigned b = (a + 1 + k / 4 % 3) % 4;
    const unsigned c = (b + 1) % 4;
    const unsigned reg[4] = {4 + k % 3, a, b, c != a ? c : (b + 2) % 4};
    put_op(w, line->op, reg, 0);
}

/*
 * Writes the code for four rows of data: they are loaded into L0..L3, and all results are combined
 * in L7.
 */
static void put_group(struct writer *w, const struct bench_line *line, bool with, unsigned group)
{
    for (unsigned i = 0; i < 4; i++) {
        bench_lines_put(w, "sfpload L%u,%u,4,3\n", i, 2 * (4 * group + i));
    }
    for (unsigned i = 4; i < 8; i++) {
        bench_lines_put(w, "sfpmov L%u,L%u,0\n", i, (i + group) % 4);
    }
    if (line->shape == SHAPE_CHAIN) {
        for (unsigned k = 0; with && k < CHAIN_OPS; k++) {
            put_one(w, line, k);
        }
        bench_lines_put(w, "sfpnop\n");
        for (unsigned i = 0; i < 7; i++) {
            bench_lines_put(w, "sfpxor L7,L%u\n", i);
        }
    }
    for (unsigned k = 0; line->shape == SHAPE_RESULTS && k < RESULT_OPS; k++) {
        if (with) {
            put_one(w, line, k);
        }
        bench_lines_put(w, "sfpxor L7,L%u\n",
                        4 + (k + 2) %
                                3); /* the result of the op before; this op's takes two cycles */
    }
    bench_lines_put(w, "sfpstore L7,%u,4,3\n", 2 * 4 * group);
}

void bench_text(const struct bench_line *line, bool with, char *text, size_t size, unsigned *ops)
{
    static const unsigned none[4];
    struct writer w = {text, size, 0};
    if (line->shape == SHAPE_L1 || line->shape == SHAPE_CONVERT) {
        bench_lines_put(&w, ".arch %s\n.init\n%s.tile\n%s", tx_arch_name(line->arch), line->init,
                        line->op);
        *ops = line->count;
        return;
    }
    bench_lines_put(&w, ".arch %s\n.dst %s\n.init\n%s.tile\n", tx_arch_name(line->arch),
                    line->op == int20 ? "int32" : "fp32", line->init);
    switch (line->shape) {
    case SHAPE_RESULTS:
    case SHAPE_CHAIN:
        *ops = GROUPS * line->count * (line->shape == SHAPE_CHAIN ? CHAIN_OPS : RESULT_OPS);
        for (unsigned group = 0; group < GROUPS; group++) {
            put_group(&w, line, with, group);
        }
        break;
    case SHAPE_KERNEL:
    case SHAPE_THREADS:
    case SHAPE_L1:
    case SHAPE_CONVERT:
        *ops = 32 * line->count;
        for (unsigned i = 0; i < 32; i++) {
            put_op(&w, line->op, none, i);
        }
        break;
    }
}
