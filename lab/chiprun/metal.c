/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels in tt-metal's headers. What tt-metal's host code generates for a compute kernel is a
 * header with the formats of its circular buffers: on which way through unpacker, Dst and packer
 * (tt-metal, jit_build/data_format.cpp and genfiles.cpp: the rules and the names).
 */
#include <tensix/facts.h>

#include "chiprun/metal.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = 255, TILE_BYTES_NONE = 1088 };

struct way {
    unsigned source, unpacked, packed;
    unsigned bytes; /* of a tile */
};

static bool wide(const struct tx_format_info *info)
{
    return info->exponent_bits == 8;
}

/* The float of so many bits whose exponent and mantissa are at most so wide. */
static unsigned a_float(bool block, unsigned bits, unsigned exponent, unsigned mantissa)
{
    for (unsigned f = 0; f < TX_FORMAT_LIMIT; f++) {
        const struct tx_format_info *info = tx_format_info((enum tx_format)f);
        if (info != NULL && !info->integer && info->block == block && info->bits == bits &&
            info->exponent_bits == exponent && info->mantissa_bits <= mantissa) {
            return f;
        }
    }
    return NONE;
}

static bool is_single(const struct tx_format_info *info)
{
    return info->exponent_bits == 8 && info->mantissa_bits == 23;
}

/* What a float of that format is in Dst for the packer, when Dst has 16 bits. */
static unsigned packed_format(enum tx_format f, const struct plan_options *o, bool all_b)
{
    const struct tx_format_info *info = tx_format_info(f);
    if (is_single(info) || (info->block && o->precise_bfp8)) {
        const bool b = is_single(info) ? all_b : wide(info);
        return o->fp32_dest ? a_float(false, 32, 8, 23) : a_float(false, 16, b ? 8 : 5, 10);
    }
    return info->block ? a_float(true, 8, info->exponent_bits, 7) : (unsigned)f;
}

/* Whether the formats of all circular buffers have 8 bits of exponent, or none. */
static bool all_wide(const struct plan *plan)
{
    for (unsigned i = 0; i < plan->circulars; i++) {
        const struct plan_circular *b = &plan->circular[i];
        const struct tx_format_info *info = tx_format_info(b->format);
        if (b->has_format && !info->integer && !wide(info)) {
            return false;
        }
    }
    return true;
}

/* The software's code of a format. */
static unsigned code(enum tx_format f)
{
    /* UINT16 is this project's own value: tt-metal's UInt16 is 9. */
    return f == TX_FORMAT_UINT16 ? TX_FORMAT_INT16 : (unsigned)f;
}

static void find_ways(const struct plan *plan, const struct plan_kernel *k,
                      struct way ways[TX_LAUNCH_CIRCULAR])
{
    const struct plan_options *o = &k->options;
    const bool all_b = all_wide(plan);
    const struct tx_tile square = {32, 32, false, false};
    for (unsigned i = 0; i < TX_LAUNCH_CIRCULAR; i++) {
        ways[i] = (struct way){NONE, NONE, NONE, TILE_BYTES_NONE};
    }
    for (unsigned i = 0; i < plan->circulars; i++) {
        const struct plan_circular *b = &plan->circular[i];
        struct tx_tile_layout layout;
        bool here = false;
        for (unsigned t = 0; t < CHIPRUN_TILES; t++) {
            here = here || (b->on[t] && k->on[t]);
        }
        for (unsigned n = 0; n < b->indices && here && b->has_format; n++) {
            const bool whole = (o->unpack_to_dest >> b->index[n] & 1) != 0;
            const unsigned unpacked = !is_single(tx_format_info(b->format)) ? code(b->format)
                                      : whole                               ? (unsigned)b->format
                                      : o->fp32_dest && all_b
                                          ? a_float(false, 32, 8, 10)
                                          : a_float(false, 16, all_b ? 8 : 5, 10);
            (void)tx_tile_layout(&square, b->format, &layout);
            ways[b->index[n]] = (struct way){
                code(b->format), unpacked, code(packed_format(b->format, o, all_b)), layout.bytes};
        }
    }
}

static void put_array(FILE *out, const char *type, const char *name, const struct way *ways,
                      unsigned count, size_t member)
{
    fprintf(out, "constexpr %s %s[%u] = {", type, name, count);
    for (unsigned i = 0; i < count; i++) {
        unsigned value;
        memcpy(&value, (const char *)&ways[i] + member, sizeof value);
        fprintf(out, "%s%u", i != 0 ? "," : "", value);
    }
    fprintf(out, "};\n");
}

static void put_same(FILE *out, const char *name, unsigned count, unsigned value)
{
    fprintf(out, "constexpr uint8_t %s[%u] = {", name, count);
    for (unsigned i = 0; i < count; i++) {
        fprintf(out, "%s%u", i != 0 ? "," : "", value);
    }
    fprintf(out, "};\n");
}

/* Tiles are 32x32, of four faces. */
static void put_dims(FILE *out, const char *side, const struct way *ways, unsigned count)
{
    static const struct {
        const char *name;
        unsigned value;
    } dims[] = {{"tile_num_faces", 4},  {"partial_face", 0},   {"tile_face_r_dim", 16},
                {"narrow_tile", 0},     {"tile_r_dim", 32},    {"tile_c_dim", 32},
                {"num_faces_r_dim", 2}, {"num_faces_c_dim", 2}};
    char name[64];
    for (unsigned i = 0; i < sizeof dims / sizeof dims[0]; i++) {
        snprintf(name, sizeof name, "%s_%s", side, dims[i].name);
        put_same(out, name, count, dims[i].value);
    }
    snprintf(name, sizeof name, "%s_tile_size", side);
    put_array(out, "uint16_t", name, ways, count, offsetof(struct way, bytes));
}

static char *descriptors(const struct plan *plan, const struct plan_kernel *k)
{
    const struct plan_options *o = &k->options;
    const unsigned count = tx_arch_fact(plan->chip->arch, TX_FACT_CIRCULAR_BUFFERS);
    struct way ways[TX_LAUNCH_CIRCULAR];
    struct memory_text text;
    struct txl_error err = {.status = TXL_OK};
    if (memory_text_open(&err, &text) != TXL_CONTINUE) {
        return NULL;
    }
    FILE *out = text.stream;
    find_ways(plan, k, ways);
    fprintf(out,
            "#pragma once\n#if defined(UCK_CHLKC_MATH) || defined(UCK_CHLKC_PACK)\n"
            "#include \"llk_defs.h\"\n"
            "constexpr ckernel::MathFidelity MATH_FIDELITY = "
            "static_cast<ckernel::MathFidelity>(%u);\nconstexpr bool APPROX = %s;\n#endif\n",
            o->fidelity, o->approximate ? "true" : "false");
    put_array(out, "uint8_t", "unpack_src_format", ways, count, offsetof(struct way, source));
    fprintf(out, "#if !defined(UCK_CHLKC_PACK)\n");
    put_array(out, "uint8_t", "unpack_dst_format", ways, count, offsetof(struct way, unpacked));
    put_dims(out, "unpack", ways, count);
    fprintf(out, "#endif\n#if defined(UCK_CHLKC_PACK)\n");
    put_array(out, "unsigned char", "pack_src_format", ways, count, offsetof(struct way, packed));
    put_array(out, "unsigned char", "pack_dst_format", ways, count, offsetof(struct way, source));
    put_dims(out, "pack", ways, count);
    fprintf(out, "#endif\nconstexpr bool DST_ACCUM_MODE = %s;\n#define DST_SYNC_MODE %s\n",
            o->fp32_dest ? "true" : "false",
            o->full_sync ? "DstSync::SyncFull" : "DstSync::SyncHalf");
    return memory_text_take(&text);
}

static const char *metal_home(char *const *environment)
{
    for (; environment != NULL && *environment != NULL; environment++) {
        if (strncmp(*environment, "TT_METAL_HOME=", 14) == 0) {
            return *environment + 14;
        }
    }
    return NULL;
}

static void metal_add(const char **flags, unsigned *count, const char *define)
{
    flags[(*count)++] = "-D";
    flags[(*count)++] = define;
}

int metal_compile(struct txl_error *err, const struct plan *plan, const struct plan_kernel *k,
                  struct txl_cc_options *how, const char *header, const char **flags)
{
    char sfpi[4096];
    char noc[32];
    char dram[48];
    char l1[48];
    uint16_t xy[TX_LAUNCH_DRAM];
    uint32_t offset[TX_LAUNCH_DRAM];
    const char *home = metal_home(plan->how.environment);
    const unsigned banks = plan_banks(plan->chip, xy, offset, NULL);
    const unsigned tiles = plan->chip->columns * plan->chip->rows;
    unsigned count = how->flag_count;
    if (home == NULL || home[0] == '\0') {
        return txl_fail(err, "%s: TT_METAL_HOME is not set, where tt-metal's headers are", k->file);
    }
    if (txl_sfpi(err, plan->how.sfpi, plan->how.environment, sfpi) != TXL_OK) {
        return TXL_INPUT;
    }
    char *text = descriptors(plan, k);
    const int written = text != NULL ? txl_write_file(err, header, text, strlen(text)) : TXL_INPUT;
    free(text);
    if (written != TXL_OK) {
        return written;
    }
    snprintf(noc, sizeof noc, "NOC_INDEX=%u", k->noc);
    snprintf(dram, sizeof dram, "NUM_DRAM_BANKS=%u", banks);
    snprintf(l1, sizeof l1, "NUM_L1_BANKS=%u", tiles);
    char dram_log[48];
    char l1_log[48];
    const bool dram_power = (banks & (banks - 1)) == 0;
    const bool l1_power = (tiles & (tiles - 1)) == 0;
    snprintf(dram_log, sizeof dram_log,
             dram_power ? "LOG_BASE_2_OF_NUM_DRAM_BANKS=%u" : "IS_NOT_POW2_NUM_DRAM_BANKS=1",
             (unsigned)__builtin_ctz(banks));
    snprintf(l1_log, sizeof l1_log,
             l1_power ? "LOG_BASE_2_OF_NUM_L1_BANKS=%u" : "IS_NOT_POW2_NUM_L1_BANKS=1",
             (unsigned)__builtin_ctz(tiles));
    metal_add(flags, &count, noc);
    metal_add(flags, &count, dram);
    metal_add(flags, &count, l1);
    flags[count++] = "-I";
    flags[count++] = plan->chip->folder;
    metal_add(flags, &count, dram_log);
    metal_add(flags, &count, l1_log);
    metal_add(flags, &count, "PCIE_NOC_X=0");
    metal_add(flags, &count, "PCIE_NOC_Y=0");
    how->flags = flags;
    how->flag_count = count;
    how->sfpi = sfpi;
    how->metal = home;
    return txl_cc(err, how);
}
