/* SPDX-License-Identifier: Apache-2.0 */
/* The loops that the engines' rates are compared with. Their arrays stay in the L1 cache. */
#include "bench/bench.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

enum { LANES = 256, REPEATS = 128, SCALAR_LANES = 64 };

static const char *const names[BENCH_LOOPS] = {
    [BENCH_FMA] = "fma", [BENCH_ADD] = "add", [BENCH_COPY] = "copy", [BENCH_SCALAR] = "scalar"};

/* One page, so that no two cache lines fall into the same set, wherever it lies. */
struct arrays {
    _Alignas(4096) float x[LANES];
    float y[LANES], z[LANES], out[LANES];
};

typedef void array_loop(struct arrays *a);

struct loops {
    const char *name;
    array_loop *fma, *add, *copy;
};

/*
 * Keeps the compiler from dropping a result that nobody reads and from turning a copy into memcpy.
 */
#define USED(a) __asm__ volatile("" : : "r"(a) : "memory")

#if defined(__x86_64__)

__attribute__((target("avx512f"))) static void fma_512(struct arrays *a)
{
    for (unsigned i = 0; i < LANES; i += 16) {
        _mm512_store_ps(a->out + i,
                        _mm512_fmadd_ps(_mm512_load_ps(a->x + i), _mm512_load_ps(a->y + i),
                                        _mm512_load_ps(a->z + i)));
    }
}

__attribute__((target("avx512f"))) static void add_512(struct arrays *a)
{
    for (unsigned i = 0; i < LANES; i += 16) {
        _mm512_store_ps(a->out + i,
                        _mm512_add_ps(_mm512_load_ps(a->x + i), _mm512_load_ps(a->y + i)));
    }
}

__attribute__((target("avx512f"))) static void copy_512(struct arrays *a)
{
    for (unsigned i = 0; i < LANES; i += 16) {
        _mm512_store_ps(a->out + i, _mm512_load_ps(a->x + i));
        USED(a);
    }
}

__attribute__((target("avx2,fma"))) static void fma_256(struct arrays *a)
{
    for (unsigned i = 0; i < LANES; i += 8) {
        _mm256_store_ps(a->out + i,
                        _mm256_fmadd_ps(_mm256_load_ps(a->x + i), _mm256_load_ps(a->y + i),
                                        _mm256_load_ps(a->z + i)));
    }
}

__attribute__((target("avx2"))) static void add_256(struct arrays *a)
{
    for (unsigned i = 0; i < LANES; i += 8) {
        _mm256_store_ps(a->out + i,
                        _mm256_add_ps(_mm256_load_ps(a->x + i), _mm256_load_ps(a->y + i)));
    }
}

__attribute__((target("avx2"))) static void copy_256(struct arrays *a)
{
    for (unsigned i = 0; i < LANES; i += 8) {
        _mm256_store_ps(a->out + i, _mm256_load_ps(a->x + i));
        USED(a);
    }
}

#endif

/* Four lanes, which the vectors of every 64-bit processor have. */
typedef float four __attribute__((vector_size(16)));

static void fma_128(struct arrays *a)
{
    for (unsigned i = 0; i < LANES; i += 4) {
#if defined(__aarch64__)
        vst1q_f32(a->out + i,
                  vfmaq_f32(vld1q_f32(a->z + i), vld1q_f32(a->x + i), vld1q_f32(a->y + i)));
#else
        *(four *)(a->out + i) =
            *(const four *)(a->x + i) * *(const four *)(a->y + i) + *(const four *)(a->z + i);
#endif
    }
}

static void add_128(struct arrays *a)
{
    for (unsigned i = 0; i < LANES; i += 4) {
        *(four *)(a->out + i) = *(const four *)(a->x + i) + *(const four *)(a->y + i);
    }
}

static void copy_128(struct arrays *a)
{
    for (unsigned i = 0; i < LANES; i += 4) {
        *(four *)(a->out + i) = *(const four *)(a->x + i);
        USED(a);
    }
}

static const struct loops *widest(void)
{
    static const struct loops loops_128 = {"128 bits", fma_128, add_128, copy_128};
#if defined(__x86_64__)
    static const struct loops loops_256 = {"256 bits", fma_256, add_256, copy_256};
    static const struct loops loops_512 = {"512 bits", fma_512, add_512, copy_512};
    if (__builtin_cpu_supports("avx512f")) {
        return &loops_512;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return &loops_256;
    }
#endif
    return &loops_128;
}

const char *txl_bench_loop(size_t index)
{
    return index < BENCH_LOOPS ? names[index] : NULL;
}

const char *txl_bench_vectors(void)
{
    return widest()->name;
}

/*
 * The steps of the model of the multiply-add in integers: product, alignment with a sticky bit,
 * sum, normalisation, rounding. Its rate measures the machine, not the engines, so it must not
 * change when they do. The data have no infinities, NaNs or denormals.
 */
static uint32_t scalar_fma(uint32_t x, uint32_t y, uint32_t z)
{
    const uint64_t product =
        (uint64_t)((x & 0x7FFFFFu) | 0x800000u) * ((y & 0x7FFFFFu) | 0x800000u);
    int exponent = (int)(x >> 23 & 255u) + (int)(y >> 23 & 255u) - 127;
    const int other = (int)(z >> 23 & 255u);
    uint64_t p = product >> 20 | ((product & 0xFFFFFu) != 0 ? 1u : 0u);
    uint64_t q = (uint64_t)((z & 0x7FFFFFu) | 0x800000u) << 3;
    const int distance = exponent - other;
    if (distance > 0) {
        q = distance > 40 ? 0 : q >> distance | ((q & ((UINT64_C(1) << distance) - 1)) != 0);
    } else if (distance < 0) {
        const int d = distance < -40 ? 40 : -distance;
        p = p >> d | ((p & ((UINT64_C(1) << d) - 1)) != 0);
        exponent = other;
    }
    uint32_t sign = (x ^ y) & 0x80000000u;
    uint64_t sum;
    if (sign == (z & 0x80000000u)) {
        sum = p + q;
    } else if (p >= q) {
        sum = p - q;
    } else {
        sum = q - p;
        sign ^= 0x80000000u;
    }
    if (sum == 0) {
        return 0;
    }
    const int shift = __builtin_clzll(sum) - 37; /* 27 bits remain */
    sum = shift >= 0 ? sum << shift : sum >> -shift | ((sum & ((UINT64_C(1) << -shift) - 1)) != 0);
    exponent -= shift;
    const uint64_t rounded = (sum + 3 + (sum >> 3 & 1u)) >> 3;
    const uint32_t magnitude = ((uint32_t)exponent << 23) + ((uint32_t)rounded - 0x800000u);
    return exponent <= 0 ? sign : sign | magnitude;
}

static void scalar_loop(struct arrays *a)
{
    for (unsigned i = 0; i < SCALAR_LANES; i++) {
        uint32_t x;
        uint32_t y;
        uint32_t z;
        memcpy(&x, a->x + i, sizeof x);
        memcpy(&y, a->y + i, sizeof y);
        memcpy(&z, a->z + i, sizeof z);
        const uint32_t r = scalar_fma(x, y, z);
        memcpy(a->out + i, &r, sizeof r);
    }
}

double bench_loop_run(enum bench_loop loop)
{
    static _Thread_local struct arrays a;
    static _Thread_local bool filled;
    const struct loops *l = widest();
    uint32_t random = 1;
    for (unsigned i = 0; !filled && i < LANES; i++) {
        float *const to[] = {a.x + i, a.y + i, a.z + i};
        for (unsigned k = 0; k < 3; k++) {
            random = random * 1664525u + 1013904223u;
            const uint32_t word = (random & 0x807FFFFFu) | (125u + (random >> 24 & 3u)) << 23;
            memcpy(to[k], &word, sizeof word);
        }
    }
    filled = true;
    array_loop *const run = loop == BENCH_FMA    ? l->fma
                            : loop == BENCH_ADD  ? l->add
                            : loop == BENCH_COPY ? l->copy
                                                 : scalar_loop;
    for (unsigned i = 0; i < REPEATS; i++) {
        run(&a);
        USED(&a);
    }
    return (loop == BENCH_SCALAR ? SCALAR_LANES : LANES) / 32.0 * REPEATS;
}
