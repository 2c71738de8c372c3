/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random programs of variables, copies and nested conditions in SFPI's style. Each statement is
 * recorded, and done at once to 32 numbers with a mask; then the recorded words run. Registers,
 * constants, copies and predication are what this is about: the arithmetic is that of integers, and
 * of tests/oracle. sfpi_random FIRST COUNT: seeds.
 */
#include <tensix/sfpi.hpp>
#include <tensix/tensix.h>

extern "C" {
#include "oracle_num.h"
}

#include <algorithm>
#include <cstdlib>

using namespace sfpi;

namespace
{

constexpr int LANES = 32;
constexpr int VARIABLES = 4;
constexpr int IS_BH = TX_RECORD_BLACKHOLE;

using lanes = std::array<std::uint32_t, LANES>;
using mask = std::array<bool, LANES>;

std::uint64_t state;

std::uint32_t random_below(std::uint32_t limit)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return std::uint32_t(state >> 33) % limit;
}

std::uint32_t random_number()
{
    static const std::uint32_t numbers[] = {0,     1,          2,          3,          0xffffffff,
                                            100,   0x3f800000, 0x40000000, 0xbf800000, 0x3f56594b,
                                            0x7ff, 0xfffff800, 0x12345678, 0x3e800000, 0x80000000};
    return random_below(2) != 0 ? numbers[random_below(15)] : random_below(16) - 8;
}

struct program {
    vInt recorded[VARIABLES];
    lanes known[VARIABLES]{};
    mask enabled{};
    int budget = 0;

    void set(int v, const lanes &to)
    {
        for (unsigned n = 0; n < LANES; n++) {
            known[v][n] = enabled[n] ? to[n] : known[v][n];
        }
    }
};

template <typename F> lanes each(F f)
{
    lanes result{};
    for (unsigned n = 0; n < LANES; n++) {
        result[n] = f(n);
    }
    return result;
}

/* ---- conditions ---- */

struct test {
    vBool recorded;
    mask holds;
};

test random_test(program &p, int depth)
{
    if (depth > 0 && random_below(2) != 0) {
        test a = random_test(p, depth - 1);
        if (random_below(4) == 0) {
            mask holds{};
            for (unsigned n = 0; n < LANES; n++) {
                holds[n] = !a.holds[n];
            }
            return {!a.recorded, holds};
        }
        test b = random_test(p, depth - 1);
        const bool both = random_below(2) != 0;
        mask holds{};
        for (unsigned n = 0; n < LANES; n++) {
            holds[n] = both ? a.holds[n] && b.holds[n] : a.holds[n] || b.holds[n];
        }
        return {both ? a.recorded && b.recorded : a.recorded || b.recorded, holds};
    }
    const int v = int(random_below(VARIABLES));
    const int w = int(random_below(VARIABLES));
    const bool number = random_below(2) != 0;
    const std::uint32_t with = random_number();
    const lanes d =
        each([&](unsigned n) { return p.known[v][n] - (number ? with : p.known[w][n]); });
    vInt a = p.recorded[v];
    vInt b = number ? vInt(with) : p.recorded[w];
    const unsigned kind = random_below(6);
    mask holds{};
    for (unsigned n = 0; n < LANES; n++) {
        const bool negative = (d[n] >> 31) != 0;
        const bool zero = d[n] == 0;
        const bool all[] = {negative, !negative, zero, !zero, !negative && !zero, negative || zero};
        holds[n] = all[kind];
    }
    return {kind == 0   ? a < b
            : kind == 1 ? a >= b
            : kind == 2 ? a == b
            : kind == 3 ? a != b
            : kind == 4 ? a > b
                        : a <= b,
            holds};
}

/* ---- statements ---- */

void assign(program &p)
{
    const int v = int(random_below(VARIABLES));
    const int a = int(random_below(VARIABLES));
    const int b = int(random_below(VARIABLES));
    const std::uint32_t number = random_number();
    const lanes x = p.known[a];
    const lanes y = p.known[b];
    vInt *r = p.recorded;
    switch (random_below(12)) {
    case 0:
        r[v] = r[a] + r[b];
        return p.set(v, each([&](unsigned n) { return x[n] + y[n]; }));
    case 1:
        r[v] = r[a] - r[b];
        return p.set(v, each([&](unsigned n) { return x[n] - y[n]; }));
    case 2:
        r[v] = r[a] + number;
        return p.set(v, each([&](unsigned n) { return x[n] + number; }));
    case 3:
        r[v] = number - r[a];
        return p.set(v, each([&](unsigned n) { return number - x[n]; }));
    case 4:
        r[v] = r[a] ^ number;
        return p.set(v, each([&](unsigned n) { return x[n] ^ number; }));
    case 5:
        r[v] &= r[a];
        return p.set(v, each([&](unsigned n) { return p.known[v][n] & x[n]; }));
    case 6:
        r[v] = vInt(number);
        return p.set(v, each([&](unsigned) { return number; }));
    case 7:
        r[v] = ~(r[a] | r[b]);
        return p.set(v, each([&](unsigned n) { return ~(x[n] | y[n]); }));
    case 8:
        r[v] = as<vInt>(vUInt(r[a]) >> 3);
        return p.set(v, each([&](unsigned n) { return x[n] >> 3; }));
    case 9:
        r[v] = as<vInt>(as<vFloat>(r[a]) * as<vFloat>(r[b]));
        return p.set(v, each([&](unsigned n) { return orc_fma(IS_BH, x[n], y[n], 0); }));
    case 10:
        r[v] = as<vInt>(as<vFloat>(r[a]) + 0.5f);
        return p.set(
            v, each([&](unsigned n) { return orc_fma(IS_BH, 0x3f800000, x[n], 0x3f000000); }));
    default:
        r[v] = r[a];
        return p.set(v, x);
    }
}

void exchange(program &p)
{
    const int a = int(random_below(VARIABLES));
    const int b = (a + 1 + int(random_below(VARIABLES - 1))) % VARIABLES;
    const bool sorts = random_below(2) != 0;
    const lanes x = p.known[a];
    const lanes y = p.known[b];
    if (sorts) {
        vec_min_max(p.recorded[a], p.recorded[b]);
    } else {
        vec_swap(p.recorded[a], p.recorded[b]);
    }
    const auto turns = [&](unsigned n) { return !sorts || orc_sm_less(y[n], x[n]); };
    p.set(a, each([&](unsigned n) { return turns(n) ? y[n] : x[n]; }));
    p.set(b, each([&](unsigned n) { return turns(n) ? x[n] : y[n]; }));
}

/* Four rows of eight lanes: what comes from lanes that are not enabled counts too. */
void across(program &p)
{
    if (random_below(2) != 0) {
        const int v = int(random_below(VARIABLES));
        const lanes x = p.known[int(random_below(VARIABLES))];
        for (int a = 0; a < VARIABLES; a++) {
            if (x == p.known[a]) {
                p.recorded[v] = subvec_shflror1(p.recorded[a]);
                return p.set(v, each([&](unsigned n) { return x[(n & 24u) | ((n + 7u) & 7u)]; }));
            }
        }
    }
    lanes before[VARIABLES];
    std::copy(p.known, p.known + VARIABLES, before);
    subvec_transp(p.recorded[0], p.recorded[1], p.recorded[2], p.recorded[3]);
    for (int v = 0; v < VARIABLES; v++) {
        p.set(v, each([&](unsigned n) { return before[n / 8][8 * unsigned(v) + n % 8]; }));
    }
}

/* The larger one first in some of the rows of lanes. */
void sort_rows(program &p)
{
    const std::uint32_t rows = random_below(16);
    const lanes x = p.known[0];
    const lanes y = p.known[1];
    auto both = min_max(as<vSMag>(p.recorded[0]), as<vSMag>(p.recorded[1]), rows);
    p.recorded[0] = as<vInt>(std::move(both.first));
    p.recorded[1] = as<vInt>(std::move(both.second));
    const auto turns = [&](unsigned n) {
        return (rows >> (n / 8) & 1) != 0 ? orc_sm_less(x[n], y[n]) : orc_sm_less(y[n], x[n]);
    };
    p.set(0, each([&](unsigned n) { return turns(n) ? y[n] : x[n]; }));
    p.set(1, each([&](unsigned n) { return turns(n) ? x[n] : y[n]; }));
}

void statements(program &p, int depth);

void choose_lanes(program &p, impl_::CC &cc)
{
    const test t = random_test(p, 2);
    cc.cond(t.recorded);
    for (unsigned n = 0; n < LANES; n++) {
        p.enabled[n] = p.enabled[n] && t.holds[n];
    }
}

/* v_if, some v_elseif, perhaps v_else; or v_block. The macros' own class, as they use it. */
void branches(program &p, int depth)
{
    const mask outer = p.enabled;
    mask rest = outer;
    impl_::CC cc;
    const bool block = random_below(4) == 0;
    unsigned arms = block ? 1 : 1 + random_below(2);
    for (unsigned arm = 0; arm < arms; arm++) {
        if (arm > 0) {
            cc.else_(__FILE__, __LINE__);
        }
        cc.push(__FILE__, __LINE__);
        p.enabled = rest;
        const unsigned conditions = block ? 2 : 1;
        for (unsigned c = 0; c < conditions; c++) {
            choose_lanes(p, cc);
            statements(p, depth + int(arm) + 1);
        }
        for (unsigned n = 0; n < LANES; n++) {
            rest[n] = rest[n] && !p.enabled[n];
        }
    }
    if (!block && random_below(2) != 0) {
        cc.else_(__FILE__, __LINE__);
        p.enabled = rest;
        statements(p, depth + int(arms));
    }
    p.enabled = outer;
}

/* Conditions may need one entry of the flag stack for themselves. */
void statements(program &p, int depth)
{
    for (unsigned n = 1 + random_below(4); n > 0 && p.budget > 0; n--) {
        p.budget--;
        if (random_below(30) ==
            0) { /* as load_replay_buf does: the variables stay where they are */
            tx_record_settle(tx_recorder_current);
        }
        const unsigned what = random_below(8);
        if (what < 5 || depth > 4) {
            assign(p);
        } else if (what == 5) {
            const unsigned how = random_below(4);
            how == 0 ? across(p) : how == 1 ? sort_rows(p) : exchange(p);
        } else {
            branches(p, depth);
        }
    }
}

/* ---- one program ---- */

struct run {
    lanes out[VARIABLES];
    std::size_t findings;
};

bool execute(tx_recorder &recorder, const lanes in[2], run &result)
{
    char *text = nullptr;
    std::size_t size = 0;
    std::FILE *memory = open_memstream(&text, &size);
    const bool written = tx_recorder_write(&recorder, memory);
    std::fclose(memory);
    tx_program *assembled = nullptr;
    tx_diag diag;
    bool good = written && tx_assemble(text, size, nullptr, &assembled, &diag) == TX_OK;
    if (good) {
        tx_settings settings;
        tx_settings_default(&settings, IS_BH ? TX_BLACKHOLE : TX_WORMHOLE);
        tx_kernel_options options;
        tx_kernel_options_default(&options);
        options.dst = TX_DST_FORMAT_FP32;
        tx_kernel *kernel = nullptr;
        static std::uint32_t tiles[2][TX_TILE_ELEMENTS], out[TX_TILE_ELEMENTS];
        for (unsigned n = 0; n < LANES; n++) {
            const struct tx_dst_place at = tx_dst_place(0, n);
            tiles[0][tx_tile_element(at.row, at.column)] = in[0][n];
            tiles[1][tx_tile_element(at.row, at.column)] = in[1][n];
        }
        const std::uint32_t *inputs[] = {tiles[0], tiles[1]};
        good = tx_kernel_open(&settings, assembled, &options, &kernel) == TX_OK &&
               tx_kernel_start(kernel) == TX_OK && tx_kernel_tile(kernel, 0, inputs, out) == TX_OK;
        for (unsigned v = 0; good && v < VARIABLES; v++) {
            for (unsigned n = 0; n < LANES; n++) {
                const struct tx_dst_place at = tx_dst_place(2 * v, n);
                result.out[v][n] = out[tx_tile_element(at.row, at.column)];
            }
        }
        result.findings = good ? tx_finding_count(tx_kernel_machine(kernel)) : 0;
        tx_kernel_close(kernel);
        tx_program_free(assembled);
    }
    std::free(text);
    return good;
}

bool is_right(std::uint32_t seed, unsigned &refused)
{
    tx_recorder recorder;
    tx_recorder_open(&recorder, TX_RECORD_ARCH);
    tx_record_head(".inputs 2");
    fuse(Fuse::none);
    state = seed;
    program p;
    p.enabled.fill(true);
    p.budget = 40;
    lanes in[2];
    for (unsigned n = 0; n < LANES; n++) {
        in[0][n] = random_number();
        in[1][n] = random_number();
    }
    /* FP32 tiles, and 32 bits as they are from and to them. */
    for (int v = 0; v < VARIABLES; v++) {
        const int from = v % 2;
        p.recorded[v] = vInt(vUInt(dst_reg[32 * from])) + v;
        p.known[v] = each([&](unsigned n) { return in[from][n] + std::uint32_t(v); });
    }
    statements(p, 0);
    for (int v = 0; v < VARIABLES; v++) {
        dst_reg[v] = vUInt(p.recorded[v]);
    }
    run result{};
    bool good = true;
    if (!execute(recorder, in, result)) {
        /* Four variables and what a statement needs may be more than there is; what was settled
           stays in its register, also where SFPTRANSP needs that one. */
        refused++;
        good = std::strstr(recorder.error, "more values are live") != nullptr ||
               std::strstr(recorder.error, "is needed here") != nullptr;
        if (!good) {
            std::fprintf(stderr, "seed %u: %s\n", seed, recorder.error);
        }
    } else if (result.findings != 0) {
        std::fprintf(stderr, "seed %u: %zu findings\n", seed, result.findings);
        good = false;
    }
    for (unsigned v = 0; good && recorder.error[0] == '\0' && v < VARIABLES; v++) {
        for (unsigned n = 0; n < LANES; n++) {
            if (result.out[v][n] != p.known[v][n]) {
                std::fprintf(stderr, "seed %u: variable %u in lane %u is %08x, expected %08x\n",
                             seed, v, n, unsigned(result.out[v][n]), unsigned(p.known[v][n]));
                good = false;
                break;
            }
        }
    }
    tx_recorder_close(&recorder);
    return good;
}

} // namespace

int main(int argc, char **argv)
{
    const std::uint32_t first = argc > 1 ? std::uint32_t(std::strtoul(argv[1], nullptr, 0)) : 1;
    const std::uint32_t count = argc > 2 ? std::uint32_t(std::strtoul(argv[2], nullptr, 0)) : 1000;
    unsigned refused = 0;
    unsigned wrong = 0;
    for (std::uint32_t seed = first; seed < first + count; seed++) {
        wrong += is_right(seed, refused) ? 0 : 1;
    }
    std::printf("%u programs, %u wrong, %u too large\n", unsigned(count), wrong, refused);
    return wrong != 0 || refused > count / 10 ? 1 : 0;
}
