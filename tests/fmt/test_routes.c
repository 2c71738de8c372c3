/* SPDX-License-Identifier: Apache-2.0 */
/*
 * L1 -> Dst -> L1 for every route that exists on each chip, value by value against the second
 * statement; and that exactly the routes of C.5 and C.8 exist, the others with a reason.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "second_groups.h"
#include "second_dst.h"

enum family { FLOAT8, FLOAT5, INTEGER };

static enum family family_of(enum tx_format f)
{
    const struct tx_format_info *info = tx_format_info(f);
    return info->integer ? INTEGER : info->exponent_bits == 8 ? FLOAT8 : FLOAT5;
}

static bool is(enum tx_format f, enum tx_format a, enum tx_format b, enum tx_format c)
{
    return f == a || f == b || f == c;
}

/* C.5, C.6: what may come into Dst in which format. */
static bool may_load(const struct tx_unpack *u)
{
    const bool from32 = is(u->in, TX_FORMAT_FP32, TX_FORMAT_TF32, TX_FORMAT_FP32);
    if (u->in == TX_FORMAT_FP8_E4M3 && u->arch == TX_WORMHOLE) {
        return false;
    }
    switch ((int)u->dst) {
    case TX_FORMAT_FP32:
    case TX_FORMAT_TF32: /* BF16 and BFP cells serve as TF32, but only by way of SrcA */
        return from32 || (u->through_src && family_of(u->in) == FLOAT8);
    case TX_FORMAT_BF16:
        return family_of(u->in) == FLOAT8;
    case TX_FORMAT_FP16:
        return from32 || family_of(u->in) == FLOAT5;
    case TX_FORMAT_INT32:
    case TX_FORMAT_UINT32:
        return is(u->in, TX_FORMAT_INT32, TX_FORMAT_UINT32, TX_FORMAT_INT32) && !u->through_src;
    case TX_FORMAT_INT16:
    case TX_FORMAT_UINT16:
        return is(u->in, TX_FORMAT_INT16, TX_FORMAT_UINT16, TX_FORMAT_INT16);
    case TX_FORMAT_INT8:
    case TX_FORMAT_UINT8:
        return u->in == u->dst;
    default:
        return false;
    }
}

/* C.8.1, C.8.2: kinds of intermediate data; 0: no defined result. */
enum kind { NO_KIND, K32, KTF32, KBF, KH, KFP8, KI32, KI16, KI8 };

/* C.8.2 and the ISA documentation's settings: TF32 on its way to FP16. */
static bool tf32_as_bf16(const struct tx_pack *p)
{
    return p->intermediate == TX_FORMAT_BF16 && p->round10 && !p->raw && p->out == TX_FORMAT_FP16;
}

static enum kind early_kind(const struct tx_pack *p)
{
    const int i = (int)p->intermediate;
    const bool plain = !p->round10;
    switch ((int)p->dst) {
    case TX_FORMAT_FP32:
    case TX_FORMAT_TF32:
        if (i == TX_FORMAT_FP32) {
            return K32;
        }
        if (i == TX_FORMAT_FP16) {
            return p->round10 && !p->raw ? KH : NO_KIND;
        }
        if (tf32_as_bf16(p)) {
            return KTF32;
        }
        return !plain                                       ? NO_KIND
               : i == TX_FORMAT_TF32                        ? (p->raw ? K32 : KTF32)
               : i == TX_FORMAT_BF16 || i == TX_FORMAT_BFP8 ? KBF
                                                            : NO_KIND;
    case TX_FORMAT_INT32:
    case TX_FORMAT_UINT32:
        if (!plain) {
            return NO_KIND;
        }
        return i % 16 == 8 ? KI32 : i % 16 == 9 ? KI16 : i == 14 ? KI8 : NO_KIND;
    case TX_FORMAT_BF16:
        if (plain && (i == TX_FORMAT_BF16 || i == TX_FORMAT_BFP8)) {
            return KBF;
        }
        if (p->raw) {
            return NO_KIND;
        }
        return (i == TX_FORMAT_TF32 && plain) || tf32_as_bf16(p)          ? KTF32
               : i == TX_FORMAT_FP32 && !plain                            ? K32
               : i == TX_FORMAT_FP16 && !plain && p->arch == TX_BLACKHOLE ? KH
                                                                          : NO_KIND;
    case TX_FORMAT_FP16:
        if (!plain) {
            return NO_KIND;
        }
        return i == TX_FORMAT_FP16 || i == TX_FORMAT_BFP8A ? KH
               : i == TX_FORMAT_FP8_E5M2 && p->raw         ? KFP8
                                                           : NO_KIND;
    case TX_FORMAT_INT16:
    case TX_FORMAT_UINT16:
        return i % 16 == 9 && plain ? KI16 : NO_KIND;
    case TX_FORMAT_INT8:
    case TX_FORMAT_UINT8:
        return i == TX_FORMAT_INT8 && plain && p->raw ? KI8 : NO_KIND;
    default:
        return NO_KIND;
    }
}

/* C.8.4 */
static bool may_pack(const struct tx_pack *p)
{
    const enum kind kind = early_kind(p);
    const bool wide_int = is(p->dst, TX_FORMAT_INT32, TX_FORMAT_UINT32, TX_FORMAT_INT32);
    switch ((int)p->out) {
    case TX_FORMAT_INT32:
    case TX_FORMAT_UINT32:
        return kind == KI32;
    case TX_FORMAT_INT16:
    case TX_FORMAT_UINT16:
        return kind == KI16;
    case TX_FORMAT_INT8:
        return kind == KI8;
    case TX_FORMAT_UINT8:
        return kind == KI8 && wide_int;
    case TX_FORMAT_FP8_E4M3:
        return kind == KH && p->intermediate == TX_FORMAT_FP16 && p->arch == TX_BLACKHOLE;
    case TX_FORMAT_FP8_E5M2:
        return kind != NO_KIND && kind <= KFP8;
    case TX_FORMAT_TF32:
        return kind == KTF32 || kind == KBF || kind == KH;
    default:
        return kind == K32 || kind == KTF32 || kind == KBF || kind == KH;
    }
}

static const enum tx_format all[] = {
    TX_FORMAT_FP32,  TX_FORMAT_FP16,   TX_FORMAT_BFP8A,    TX_FORMAT_BFP4A, TX_FORMAT_TF32,
    TX_FORMAT_BF16,  TX_FORMAT_BFP8,   TX_FORMAT_BFP4,     TX_FORMAT_INT32, TX_FORMAT_INT16,
    TX_FORMAT_INT8,  TX_FORMAT_BFP2,   TX_FORMAT_FP8_E5M2, TX_FORMAT_BFP2A, TX_FORMAT_UINT32,
    TX_FORMAT_UINT8, TX_FORMAT_UINT16, TX_FORMAT_FP8_E4M3};
#define ALL (sizeof all / sizeof all[0])

static void reason_is_a_sentence(const char *reason)
{
    assert_non_null(reason);
    assert_true(strlen(reason) > 20 && strlen(reason) < 110 && strchr(reason, '\n') == NULL);
}

static void load_routes(void **state)
{
    (void)state;
    for (size_t n = 0; n < 2 * 2 * ALL * ALL; n++) {
        const struct tx_unpack u = {.arch = n % 2 != 0 ? TX_BLACKHOLE : TX_WORMHOLE,
                                    .through_src = n / 2 % 2 != 0,
                                    .in = all[n / 4 % ALL],
                                    .dst = all[n / 4 / ALL]};
        const char *reason = NULL;
        const enum tx_status status = tx_unpack_check(&u, &reason);
        if ((status == TX_OK) != may_load(&u)) {
            fail_msg("%s: %s -> %s, through %d: %d", tx_arch_short(u.arch), tx_format_name(u.in),
                     tx_format_name(u.dst), u.through_src, status);
        }
        if (status == TX_OK) {
            assert_null(reason);
        } else {
            assert_int_equal(status, TX_EUNSUPPORTED);
            reason_is_a_sentence(reason);
        }
    }
}

static struct tx_pack pack_number(size_t n)
{
    const struct tx_pack p = {.arch = n % 2 != 0 ? TX_BLACKHOLE : TX_WORMHOLE,
                              .raw = n / 2 % 2 != 0,
                              .round10 = n / 4 % 2 != 0,
                              .dst = all[n / 8 % ALL],
                              .intermediate = all[n / 8 / ALL % ALL],
                              .out = all[n / 8 / ALL / ALL]};
    return p;
}
#define PACKS (8 * ALL * ALL * ALL)

static void pack_routes(void **state)
{
    (void)state;
    for (size_t n = 0; n < PACKS; n++) {
        const struct tx_pack p = pack_number(n);
        const char *reason = NULL;
        const enum tx_status status = tx_pack_check(&p, &reason);
        if ((status == TX_OK) != may_pack(&p)) {
            fail_msg("%s: %s -> %s -> %s, raw %d, round10 %d: %d", tx_arch_short(p.arch),
                     tx_format_name(p.dst), tx_format_name(p.intermediate), tx_format_name(p.out),
                     p.raw, p.round10, status);
        }
        if (status != TX_OK) {
            assert_int_equal(status, TX_EUNSUPPORTED);
            reason_is_a_sentence(reason);
        }
    }
}

/* C.8.9: Read_32b_data, In_data_format, Out_data_format that ttsim executes, in hex. */
static void routes_of_ttsim(void **state)
{
    (void)state;
    static const uint16_t accepted[] = {0x010, 0x011, 0x015, 0x01A, 0x026, 0x050, 0x055,
                                        0x056, 0x057, 0x05F, 0x060, 0x065, 0x066, 0x067,
                                        0x099, 0x100, 0x101, 0x106, 0x107, 0x10F, 0x111,
                                        0x11A, 0x155, 0x166, 0x167, 0x188, 0x199, 0x1EE};
    for (size_t i = 0; i < sizeof accepted / sizeof accepted[0]; i++) {
        unsigned found = 0;
        for (size_t n = 0; n < PACKS; n++) {
            const struct tx_pack p = pack_number(n);
            const bool wide = is(p.dst, TX_FORMAT_FP32, TX_FORMAT_INT32, TX_FORMAT_FP32);
            const bool e4m3 = p.out == TX_FORMAT_FP8_E5M2 && accepted[i] % 256 == 0x1A;
            if (p.arch == TX_BLACKHOLE && wide == (accepted[i] >= 0x100) && !e4m3 &&
                p.intermediate % 16 == accepted[i] / 16 % 16 && p.out % 16 == accepted[i] % 16 &&
                !p.raw) {
                found += tx_pack_check(&p, NULL) == TX_OK;
            }
        }
        if (found == 0) {
            fail_msg("%03x", accepted[i]);
        }
    }
}

/* ---- values ---- */

/* C.5: x is exponent . datum for block formats. */
static uint32_t second_unpack(const struct tx_unpack *u, uint32_t x)
{
    const bool bh = u->arch == TX_BLACKHOLE;
    const bool from32 = is(u->in, TX_FORMAT_FP32, TX_FORMAT_TF32, TX_FORMAT_FP32);
    const bool to32 = is(u->dst, TX_FORMAT_FP32, TX_FORMAT_TF32, TX_FORMAT_FP32);
    const struct tx_format_info *in = tx_format_info(u->in);
    uint32_t y = x;
    if (in->block) {
        const unsigned w = in->mantissa_bits;
        y = bfp(x >> (w + 1), x % (2u << w), w, in->exponent_bits == 5);
    } else if (u->in == TX_FORMAT_FP8_E5M2) {
        y = e5m2(bh, x);
    } else if (u->in == TX_FORMAT_FP8_E4M3) {
        y = e4m3(x);
    } else if (u->in == TX_FORMAT_INT8) {
        y = overlay(x / 128, x % 128);
    } else if (u->in == TX_FORMAT_UINT8) {
        y = overlay(0, x);
    } else if (from32 && u->dst == TX_FORMAT_BF16) {
        y = flush_signed_bf16(x);
    } else if (from32 && u->dst == TX_FORMAT_FP16) {
        y = to_fp16(x);
    }
    if (!u->through_src) {
        return y;
    }
    uint32_t c = 0;
    if (u->in % 16 == 9) {
        c = sl(y, 15, 8) * 2048 + sl(y, 7, 0);
    } else if (from32 && to32) {
        c = cell(sl(x, 31, 13), 8, 10, 10, 8);
    } else {
        c = family_of(u->in) == FLOAT8 && u->dst != TX_FORMAT_FP16 ? cell(y, 8, 7, 10, 8)
                                                                   : cell(y, 5, 10, 10, 8);
    }
    c = u->zero_flag_disabled ? c : zeroed(c);
    if (to32) {
        return dst32_plain(s2d_32(c));
    }
    return u->in % 16 == 9            ? s2d_bf(c)
           : u->dst == TX_FORMAT_BF16 ? plain(s2d_bf(c), 8, 7, 7, 8)
                                      : plain(s2d_h(c), 5, 10, 10, 5);
}

static uint32_t second_early(const struct tx_pack *p, uint32_t x)
{
    const int i = (int)p->intermediate;
    switch ((int)p->dst) {
    case TX_FORMAT_FP32:
    case TX_FORMAT_TF32:
        switch (i) {
        case TX_FORMAT_FP32:
            return p->round10 && !p->raw ? rnd(x, 13) : x;
        case TX_FORMAT_TF32:
            return p->raw ? x : rnd(x, 13);
        case TX_FORMAT_FP16:
            return to_fp16(rnd(x, 13));
        case TX_FORMAT_BFP8:
            return p->raw ? x / 65536 : e8m6(x);
        default:
            return tf32_as_bf16(p) ? rnd(x, 13) : p->raw ? x / 65536 : rnd(x, 16) / 65536;
        }
    case TX_FORMAT_INT32:
    case TX_FORMAT_UINT32:
        if (i == TX_FORMAT_INT8) {
            return p->out == TX_FORMAT_UINT8 ? (p->raw ? x % 256 : to_uint8(x, p->shift))
                   : p->raw                  ? sl(x, 31, 31) * 128 + sl(x, 6, 0)
                                             : to_int8(x, p->shift);
        }
        return i % 16 == 9 ? dst32(x) / 65536 : x;
    case TX_FORMAT_BF16:
        if (p->raw) {
            return x;
        }
        return tf32_as_bf16(p)       ? early_bf(x) * 65536
               : i == TX_FORMAT_BF16 ? early_bf(x)
               : i == TX_FORMAT_BFP8 ? early_bf(x) + early_bf(x) % 2
               : i == TX_FORMAT_FP16 ? to_fp16(x * 65536)
                                     : early_bf(x) * 65536;
    case TX_FORMAT_FP16:
        return i == TX_FORMAT_FP8_E5M2 ? x / 256
               : i == TX_FORMAT_BFP8A  ? (p->raw ? x - x % 8 : e5m6(x))
               : p->raw                ? x
               : sl(x, 14, 10) == 0    ? 0
                                       : x;
    case TX_FORMAT_INT8:
    case TX_FORMAT_UINT8:
        return x / 32768 * 128;
    default:
        return x;
    }
}

static uint32_t second_late(const struct tx_pack *p, uint32_t x)
{
    const enum kind kind = early_kind(p);
    const struct tx_format_info *out = tx_format_info(p->out);
    const bool wide = kind == K32 || kind == KTF32;
    const uint32_t fp32 = kind == KBF ? x * 65536 : kind == KH ? fp16_fp32(x) : x;
    if (kind >= KFP8) {
        return x;
    }
    if (out->block && out->exponent_bits == 8) {
        return wide ? (sl(x, 30, 23) == 0 ? 0 : x / 65536) : kind == KH ? fp16_bf16(x) : x;
    }
    uint32_t fp16 = kind == KH ? x : to_fp16(fp32);
    if (kind == KH && sl(x, 14, 10) == 0 && (int)p->out != TX_FORMAT_FP16 &&
        ((int)p->out == TX_FORMAT_FP8_E5M2 || (int)p->intermediate != TX_FORMAT_BFP8A)) {
        fp16 = x / 32768 * 32768; /* pack.md 5.6: narrower mantissas have no denormals */
    }
    if (out->block) {
        return fp16 / 8 * 8;
    }
    switch ((int)p->out) {
    case TX_FORMAT_BF16:
        return wide ? (sl(x, 30, 23) == 0 ? 0 : x / 65536) : kind == KH ? fp16_bf16(x) : x;
    case TX_FORMAT_FP16:
        return fp16;
    case TX_FORMAT_FP8_E5M2:
        return fp16 / 256;
    case TX_FORMAT_FP8_E4M3:
        return fp16_e4m3(x);
    default:
        return fp32;
    }
}

/* A datum where C.4 says it lies. */
static uint32_t second_get(const uint8_t *bytes, uint32_t section, unsigned bits, uint32_t d)
{
    uint32_t x = 0;
    for (unsigned b = 0; b < bits; b++) {
        const uint64_t at = (uint64_t)section * 8 + (uint64_t)d * bits + b;
        x |= (uint32_t)(bytes[at / 8] >> at % 8 & 1) << b;
    }
    return x;
}

enum { DATA = 1024, LARGEST = 4096 };

/* Tile bytes in which every kind of datum is common. */
static void fill(const struct tx_tile *tile, enum tx_format format, uint8_t *bytes, uint64_t *seed)
{
    struct tx_tile_layout layout;
    const struct tx_format_info *info = tx_format_info(format);
    tx_tile_layout(tile, format, &layout);
    for (uint32_t i = 0; i < layout.bytes; i++) {
        bytes[i] = (uint8_t)next(seed);
    }
    for (uint32_t i = 0; i < layout.exponents; i++) {
        bytes[i] = info->exponent_bits == 5 ? bytes[i] % 32 : bytes[i];
    }
    for (uint32_t i = 0; i < layout.data && (info->bits == 32 || info->bits == 16); i++) {
        uint32_t x = group_word(i, 100 + i % 50, seed);
        if (format == TX_FORMAT_TF32) {
            x &= 0xFFFFE000u;
        } else if (info->bits == 16 && info->exponent_bits == 8) {
            x >>= 16;
        }
        memcpy(bytes + layout.exponent_bytes + (size_t)i * info->bits / 8, &x, info->bits / 8);
    }
}

static void expect_tile(const struct tx_pack *p, const struct tx_tile *tile, const uint32_t *data,
                        const uint8_t *got)
{
    const struct tx_format_info *out = tx_format_info(p->out);
    const uint32_t n = (uint32_t)tile->rows * tile->columns;
    const uint32_t section = out->block ? (n / 16 + 15) / 16 * 16 : 0;
    for (uint32_t g = 0; g < n; g += 16) {
        uint16_t half[16];
        uint8_t want[16], exponent = 0;
        uint32_t late[16];
        for (unsigned i = 0; i < 16; i++) {
            late[i] = second_late(p, second_early(p, data[g + i]));
            half[i] = (uint16_t)late[i];
        }
        if (out->block) {
            second_pack(half, out->exponent_bits == 5, out->mantissa_bits, &exponent, want);
            assert_int_equal(got[g / 16], exponent);
        }
        for (unsigned i = 0; i < 16; i++) {
            const uint32_t x = second_get(got, section, out->bits, g + i);
            if (x != (out->block ? want[i] : late[i])) {
                fail_msg("%s: %s -> %s -> %s, raw %d: %08x gives %08x", tx_arch_short(p->arch),
                         tx_format_name(p->dst), tx_format_name(p->intermediate),
                         tx_format_name(p->out), p->raw, data[g + i], x);
            }
        }
    }
    for (uint32_t i = n / 16; i < section; i++) {
        assert_int_equal(got[i], 0); /* padding */
    }
}

static void through_dst(const struct tx_unpack *u, const struct tx_pack *p,
                        const struct tx_tile *tile, uint64_t *seed)
{
    static struct second_dst dst;
    static uint8_t in[LARGEST], out[LARGEST];
    static uint32_t data[DATA];
    struct tx_tile_layout from, to;
    const struct tx_format_info *info = tx_format_info(u->in);
    tx_tile_layout(tile, u->in, &from);
    tx_tile_layout(tile, p->out, &to);
    fill(tile, u->in, in, seed);
    dst.remap = u->arch == TX_BLACKHOLE && next(seed) % 2 != 0;
    dst.swizzle = u->arch == TX_BLACKHOLE && next(seed) % 2 != 0;
    const unsigned row = next(seed) % 7 * 64;
    for (uint32_t i = 0; i < from.data; i++) {
        uint32_t x = second_get(in, from.exponent_bytes, info->bits, i);
        if (info->block) {
            x += (uint32_t)in[i / 16] << info->bits;
        }
        data[i] = second_unpack(u, x);
    }
    assert_int_equal(second_dst_unpack(&dst, u, tile, row, in, from.bytes), TX_OK);
    memset(out, 0xEE, sizeof out);
    assert_int_equal(second_dst_pack(&dst, p, tile, row, out, to.bytes), TX_OK);
    expect_tile(p, tile, data, out);
}

static void every_triple(void **state)
{
    (void)state;
    static const struct tx_tile tiles[] = {{.rows = 32, .columns = 32},
                                           {.rows = 16, .columns = 32},
                                           {.rows = 4, .columns = 16},
                                           {.rows = 1, .columns = 32}};
    uint64_t seed = 5;
    unsigned triples = 0;
    for (size_t n = 0; n < PACKS; n++) {
        const struct tx_pack p = pack_number(n);
        for (size_t k = 0; k < 4 * ALL && may_pack(&p); k++) {
            const struct tx_unpack u = {.arch = p.arch,
                                        .in = all[k / 4],
                                        .dst = p.dst,
                                        .through_src = k % 2 != 0,
                                        .zero_flag_disabled = k / 2 % 2 != 0};
            if (may_load(&u) && (u.through_src || !u.zero_flag_disabled)) {
                through_dst(&u, &p, &tiles[triples % 4], &seed);
                triples++;
            }
        }
    }
    assert_true(triples > 2000);
}

/* Force_shared_exp: no exponents in L1, one for every group; other formats do not look at it. */
static void forced_exponents(void **state)
{
    (void)state;
    static const uint8_t exponents[] = {0, 1, 15, 31, 127, 254, 255};
    static const struct tx_tile tile = {.rows = 16, .columns = 32};
    static uint8_t in[LARGEST];
    static uint32_t data[DATA], words[DATA];
    uint64_t seed = 6;
    unsigned done = 0;
    for (size_t n = 0; n < 2 * ALL * ALL; n++) {
        struct tx_codec codec = {.route = TX_ROUTE_TENSIX, .format = all[n / 2 % ALL]};
        struct tx_unpack *const u = &codec.unpack;
        const struct tx_format_info *info = tx_format_info(codec.format);
        *u = (struct tx_unpack){.arch = n % 2 != 0 ? TX_BLACKHOLE : TX_WORMHOLE,
                                .in = codec.format,
                                .dst = all[n / 2 / ALL],
                                .through_src = n % 3 == 0,
                                .force_shared_exp = true};
        u->shared_exp = exponents[n % 7] & (info->exponent_bits == 5 ? 31 : 255);
        struct tx_tile_layout layout;
        assert_int_equal(tx_unpack_layout(u, &tile, &layout), TX_OK);
        assert_int_equal(layout.exponents + layout.exponent_bytes, 0);
        assert_int_equal(layout.bytes, 512 * info->bits / 8);
        if (!may_load(u)) {
            continue;
        }
        for (uint32_t i = 0; i < layout.bytes; i++) {
            in[i] = (uint8_t)next(&seed);
        }
        assert_int_equal(tx_unpack_tile(u, &tile, in, layout.bytes + 32, data), TX_EINVAL);
        assert_int_equal(tx_unpack_tile(u, &tile, in, layout.bytes, data), TX_OK);
        assert_int_equal(tx_tiles_decode(&codec, &tile, in, 1, words), TX_OK);
        for (uint32_t i = 0; i < layout.data; i++) {
            const uint32_t above = info->block ? (uint32_t)u->shared_exp << info->bits : 0;
            const uint32_t want = second_unpack(u, above + second_get(in, 0, info->bits, i));
            assert_int_equal(data[i], want);
            assert_int_equal(words[i], tx_dst_word(u->dst, want));
        }
        done += info->block ? 1 : 0;
    }
    assert_true(done > 15);
    const struct tx_pack none = {.arch = TX_BLACKHOLE,
                                 .dst = TX_FORMAT_BF16,
                                 .intermediate = TX_FORMAT_BF16,
                                 .out = TX_FORMAT_BFP8,
                                 .no_exponents = true};
    const char *reason = NULL;
    assert_int_equal(tx_pack_check(&none, &reason), TX_EUNSUPPORTED);
    assert_non_null(strstr(reason, "Dis_shared_exp_assembler"));
}

/* C.8.10: the usual configuration for each pair exists where the text says so. */
static void defaults(void **state)
{
    (void)state;
    for (size_t n = 0; n < 2 * ALL * ALL; n++) {
        const enum tx_arch arch = n % 2 != 0 ? TX_BLACKHOLE : TX_WORMHOLE;
        const enum tx_format dst = all[n / 2 % ALL];
        const enum tx_format out = all[n / 2 / ALL];
        struct tx_pack p;
        const char *reason = NULL;
        bool any = false;
        for (size_t k = 0; k < PACKS && !any; k++) {
            const struct tx_pack q = pack_number(k);
            any = q.arch == arch && q.dst == dst && q.out == out && may_pack(&q);
        }
        /* Two exist only by truncating an integer's high half, and are not usual. */
        const bool unusual = dst % 16 == 8 && out % 16 == 9;
        const enum tx_status status = tx_pack_default(arch, dst, out, &p, &reason);
        if (!unusual && (status == TX_OK) != any) {
            fail_msg("%s: %s -> %s: %d %s", tx_arch_short(arch), tx_format_name(dst),
                     tx_format_name(out), status, reason != NULL ? reason : "");
        }
        if (status != TX_OK) {
            reason_is_a_sentence(reason);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(load_routes),     cmocka_unit_test(pack_routes),
        cmocka_unit_test(routes_of_ttsim), cmocka_unit_test(forced_exponents),
        cmocka_unit_test(every_triple),    cmocka_unit_test(defaults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
