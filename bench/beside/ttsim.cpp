/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tile of the vendor's simulator behind functions in C, for beside.c and tests/cosim: compiled
 * against a checkout of tenstorrent/ttsim and linked with the objects of its own release build, so
 * that its decoder and executor are called directly. Only the object that reports errors is left
 * out: there an error ends the process, here it ends the call. scripts/ttsim_tile.sh builds it.
 */
#include "sim.h"

#include "beside.h"

#include <tensix/machine.h>

#include <csetjmp>
#include <cstdarg>
#include <cstring>

/* ---- errors ---- */

static jmp_buf way_back;
static bool guarded;
static char reason[256];

const char *ttsim_error_category_name(TTSimErrorCategory category)
{
    static const char *const names[] = {
        "undefined behaviour", "unpredictable value",   "non-contractual behaviour",
        "assertion",           "missing specification", "untested",
        "unimplemented",       "unsupported",           "system",
        "configuration"};
    return names[(unsigned)category];
}

void ttsim_printf(const char *, ...)
{
}

void ttsim_error(TTSimErrorCategory category, const char *func, const char *fmt, ...)
{
    size_t used = (size_t)snprintf(reason, sizeof reason,
                                   "%s: %s: ", ttsim_error_category_name(category), func);
    if (fmt != nullptr && used < sizeof reason) {
        va_list args;
        va_start(args, fmt);
        vsnprintf(reason + used, sizeof reason - used, fmt, args);
        va_end(args);
    }
    reason[strcspn(reason, "\n")] = '\0';
    if (guarded) {
        longjmp(way_back, 1);
    }
    fprintf(stderr, "ttsim: %s\n", reason);
    _Exit(1);
}

/* ---- words ---- */

static TensixState *tensix()
{
    return &g_t_tiles[0].tensix[0];
}

static void open_tile()
{
    static bool opened;
    if (!opened) {
        ttsim_init();
        opened = true;
    }
    t_tile_init(0);
}

/* Through its expanders, which are the only ones to take these. */
static bool expand(TensixState *t, uint32_t thread, uint32_t word)
{
    tensix_push_inst(t, thread, word, false);
    while (t->inst_rd_ptr[thread] != t->inst_wr_ptr[thread]) {
        if (!tensix_decode_and_execute(t, thread, t->inst[thread][t->inst_rd_ptr[thread]])) {
            return false;
        }
        t->inst_rd_ptr[thread] = (t->inst_rd_ptr[thread] + 1) % TENSIX_INST_FIFO_SIZE;
    }
    return true;
}

static uint32_t run(uint32_t thread, const uint32_t *words, uint32_t count)
{
    TensixState *const t = tensix();
    volatile uint32_t done = 0;
    reason[0] = '\0';
    if (setjmp(way_back) == 0) {
        guarded = true;
        while (done < count) {
            const uint32_t word = words[done];
            const bool expands = (word >> 24) - 1u < 4 || t->replay_left[thread] != 0;
            if (!(expands ? expand(t, thread, word) : tensix_decode_and_execute(t, thread, word))) {
                break;
            }
            done = done + 1;
        }
    }
    guarded = false;
    return done;
}

static bool core(unsigned which, uint32_t pc, uint32_t until, uint64_t most, uint32_t *at)
{
    Rv32HartState *const hart = &g_t_tiles[0].rv32[RV32_ID_TRISC0 + which];
    volatile uint64_t steps = 0;
    reason[0] = '\0';
    rv32_init(hart, 'T', 0, RV32_ID_TRISC0 + which);
    memset(hart->x_regs, 0, sizeof hart->x_regs);
    hart->pc = pc;
    *at = pc;
    if (setjmp(way_back) == 0) {
        guarded = true;
        while (hart->pc != until && steps < most) {
            *at = hart->pc;
            rv32_step(hart);
            steps = steps + 1;
        }
    }
    guarded = false;
    return reason[0] == '\0' && hart->pc == until;
}

static void threads(const uint32_t *const words[3], const uint32_t count[3], uint32_t done[3])
{
    volatile bool moves = true;
    reason[0] = '\0';
    memset(done, 0, 3 * sizeof *done);
    if (setjmp(way_back) == 0) {
        guarded = true;
        while (moves) {
            moves = false;
            for (uint32_t t = 0; t < 3; t++) {
                const bool nop = done[t] < count[t] && words[t][done[t]] == 0x02000000u;
                if (done[t] < count[t] &&
                    (nop || tensix_decode_and_execute(tensix(), t, words[t][done[t]]))) {
                    done[t]++;
                    moves = true;
                }
            }
        }
    }
    guarded = false;
}

/* The oldest word that a core has pushed; false: it waits, or there is none. */
static bool pushed(uint32_t thread)
{
    TensixState *const t = tensix();
    const uint32_t at = t->inst_rd_ptr[thread];
    const bool goes =
        at != t->inst_wr_ptr[thread] && tensix_decode_and_execute(t, thread, t->inst[thread][at]);
    t->inst_rd_ptr[thread] = (at + goes) % TENSIX_INST_FIFO_SIZE;
    return goes;
}

static bool cores(const uint32_t pc[3], const uint32_t until[3])
{
    Rv32HartState *const hart = &g_t_tiles[0].rv32[RV32_ID_TRISC0];
    volatile bool moves = true;
    reason[0] = '\0';
    for (uint32_t t = 0; t < 3; t++) {
        rv32_init(&hart[t], 'T', 0, RV32_ID_TRISC0 + t);
        hart[t].pc = pc[t];
    }
    if (setjmp(way_back) == 0) {
        guarded = true;
        while (moves) {
            moves = false;
            for (uint32_t t = 0; t < 3; t++) {
                const uint32_t before = hart[t].pc;
                if (before != until[t]) {
                    rv32_step(&hart[t]);
                }
                moves = moves || hart[t].pc != before;
            }
            for (uint32_t t = 0; t < 3; t++) {
                moves = pushed(t) || moves;
            }
        }
    }
    guarded = false;
    bool there = reason[0] == '\0';
    for (uint32_t t = 0; t < 3; t++) {
        there =
            there && hart[t].pc == until[t] && tensix()->inst_rd_ptr[t] == tensix()->inst_wr_ptr[t];
    }
    return there;
}

/* ---- the chip ---- */

static bool memory(bool dram, unsigned number, uint32_t address, uint8_t *to, const uint8_t *from,
                   size_t size)
{
    uint8_t *const bytes = (dram ? g_dram[number].p_mem : g_t_tiles[number].sram) + address;
    memcpy(to != nullptr ? to : bytes, to != nullptr ? bytes : from, size);
    return true;
}

static bool store(unsigned tile, uint32_t address, uint32_t value)
{
    volatile bool done = false;
    reason[0] = '\0';
    if (setjmp(way_back) == 0) {
        guarded = true;
        done = tile_mmio_wr32('T', tile, RV32_ID_BRISC, address, value);
    }
    guarded = false;
    return done && reason[0] == '\0';
}

static bool load(unsigned tile, uint32_t address, uint32_t *value)
{
    volatile bool done = false;
    reason[0] = '\0';
    if (setjmp(way_back) == 0) {
        guarded = true;
        const auto got = tile_mmio_rd32('T', tile, RV32_ID_BRISC, address);
        done = got.first;
        *value = got.second;
    }
    guarded = false;
    return done && reason[0] == '\0';
}

static const char *refusal()
{
    return reason[0] == '\0' ? nullptr : reason;
}

/* ---- register files ---- */

static bool put_config(unsigned index, uint32_t value)
{
    if (setjmp(way_back) != 0) {
        guarded = false;
        return false;
    }
    guarded = true;
    tensix_cfg_wr32(tensix(), index >> 8, 4 * (index & 255u), value);
    guarded = false;
    return true;
}

static bool get_config(unsigned index, uint32_t *value)
{
    if (setjmp(way_back) != 0) {
        guarded = false;
        return false;
    }
    guarded = true;
    *value = tensix_cfg_rd32(tensix(), index >> 8, 4 * (index & 255u));
    guarded = false;
    return true;
}

static bool put_thread_config(unsigned index, uint32_t value)
{
    const uint32_t setc16 = 0xB2000000u | (index % 128) << 16 | (value & 0xFFFFu);
    return run(index / 128, &setc16, 1) == 1;
}

/* A register file of words that lie here as there, or NULL. */
static uint32_t *words_of(unsigned file, unsigned index, unsigned *count)
{
    TensixState *const t = tensix();
    *count = 1;
    switch (file) {
    case TX_FILE_LREG:
        *count = 32;
        return index < 16 ? t->l_regs[index] : nullptr;
    case TX_FILE_LANE_FLAGS:
        return &t->cc;
    case TX_FILE_PRNG:
        *count = 32;
        return t->prng_state;
    case TX_FILE_GPR:
        return &t->dma_regs[index / 64][index % 64];
    case TX_FILE_REPLAY:
        return &t->replay_buf[index / 32][index % 32];
    case TX_FILE_MOP:
        return &t->mop_cfg[index / 9][index % 9];
    default:
        return nullptr;
    }
}

/* One value that all lanes or columns share; NULL: the file is none of these. */
static uint32_t *shared(unsigned file, unsigned index, unsigned *count)
{
    TensixState *const t = tensix();
    *count = 32;
    switch (file) {
    case TX_FILE_STACK_DEPTH:
        return &t->cc_sp;
    case TX_FILE_LANE_CONFIG:
        *count = 8;
        return &t->lane_config;
    case TX_FILE_MACRO_TEMPLATE:
        return &t->load_macro_instruction_template[index & 3u];
    case TX_FILE_MACRO_SEQUENCE:
        return &t->load_macro_sequence[index & 3u];
    case TX_FILE_MACRO_MISC:
        return &t->load_macro_misc;
    default:
        return nullptr;
    }
}

static void counters(unsigned index, uint32_t *at[16])
{
    TensixAddrCtrl *a = &tensix()->addr_ctrl[index / 3][index % 3];
    uint32_t *const order[16] = {&a->ch0_x,    &a->ch0_y,    &a->ch0_z,    &a->ch0_w,
                                 &a->ch0_x_cr, &a->ch0_y_cr, &a->ch0_z_cr, &a->ch0_w_cr,
                                 &a->ch1_x,    &a->ch1_y,    &a->ch1_z,    &a->ch1_w,
                                 &a->ch1_x_cr, &a->ch1_y_cr, &a->ch1_z_cr, &a->ch1_w_cr};
    memcpy(at, order, sizeof order);
}

static void rwc(unsigned thread, uint32_t *at[TX_RWC_COUNT])
{
    TensixState *const t = tensix();
    static uint32_t sp; /* there is none */
    uint32_t *const order[TX_RWC_COUNT] = {&t->dst_rwc[thread],   &t->dst_rwc_cr[thread],
                                           &t->src_a_rwc[thread], &t->src_a_rwc_cr[thread],
                                           &t->src_b_rwc[thread], &t->src_b_rwc_cr[thread],
                                           &t->fidelity[thread],  &sp,
                                           &t->bias[thread]};
    sp = 0;
    memcpy(at, order, sizeof order);
}

/* Several words that lie apart there; the number of them, or 0. */
static unsigned scattered(unsigned file, unsigned index, uint32_t *at[16])
{
    if (file == TX_FILE_ADC) {
        counters(index, at);
        return 16;
    }
    if (file == TX_FILE_RWC) {
        rwc(index, at);
        return TX_RWC_COUNT;
    }
    return 0;
}

static uint32_t (*src_row(unsigned index))[ROW_SIZE]
{
    TensixState *const t = tensix();
    return index < 128 ? &t->src_a[index / 64][index % 64] : &t->src_b[index / 64 % 2][index % 64];
}

/* Cells there are FP32 patterns of 19 bits; here sign, mantissa, exponent. */
static uint32_t cell_there(uint32_t v)
{
    return ((v & 0x40000u) | (v & 0xFFu) << 10 | (v >> 8 & 0x3FFu)) << 13;
}

static uint32_t cell_here(uint32_t there)
{
    const uint32_t v = there >> 13;
    return (v & 0x40000u) | (v & 0x3FFu) << 8 | (v >> 10 & 0xFFu);
}

static void put_bank(bool b, const uint32_t v[4])
{
    TensixState *t = tensix();
    (b ? t->src_b_matrix_bank : t->src_a_matrix_bank) = v[0];
    (b ? t->src_b_unpack_bank : t->src_a_unpack_bank) = v[1];
    (b ? t->src_b_valid : t->src_a_valid) = v[2] | v[3] << 1;
}

static void get_bank(bool b, uint32_t v[4])
{
    const TensixState *t = tensix();
    const uint32_t valid = b ? t->src_b_valid : t->src_a_valid;
    v[0] = b ? t->src_b_matrix_bank : t->src_a_matrix_bank;
    v[1] = b ? t->src_b_unpack_bank : t->src_a_unpack_bank;
    v[2] = valid & 1u;
    v[3] = valid >> 1 & 1u;
}

/* Only some chips have implied formats. */
template <class State> static uint32_t *formats(State *t, unsigned index)
{
    if constexpr (requires { t->src_a_format[0]; }) {
        return index == 0 ? t->src_a_format : t->src_b_format;
    } else {
        return nullptr;
    }
}

static bool put_other(unsigned file, unsigned index, const uint32_t *v)
{
    TensixState *const t = tensix();
    switch (file) {
    case TX_FILE_USE_LANE_FLAGS:
        t->cc_en = v[0] != 0;
        return v[0] == 0 || v[0] == ~0u;
    case TX_FILE_FLAG_STACK:
        t->cc_stack[index] = v[0];
        t->cc_en_stack[index] = v[1] != 0;
        return v[1] == 0 || v[1] == ~0u;
    case TX_FILE_DST:
        for (unsigned i = 0; i < ROW_SIZE; i++) {
            t->dst[index][i] = (uint16_t)v[i];
        }
        return true;
    case TX_FILE_DST_VALID:
        t->dst_row_valid[index] = v[0] != 0;
        return true;
    case TX_FILE_SRC:
        for (unsigned i = 0; i < ROW_SIZE; i++) {
            (*src_row(index))[i] = cell_there(v[i]);
        }
        return true;
    case TX_FILE_SRC_BANK:
        put_bank(index == 1, v);
        return true;
    case TX_FILE_SRC_FORMAT: {
        uint32_t *const at = formats(t, index);
        if (at != nullptr) {
            memcpy(at, v, 2 * sizeof *v);
        }
        return at != nullptr;
    }
    case TX_FILE_SEMAPHORE:
        t->sem[index] = (uint8_t)v[0];
        t->sem_max[index] = (uint8_t)v[1];
        return true;
    case TX_FILE_MUTEX:
        if (index < std::size(t->mutex)) {
            t->mutex[index] = (uint8_t)v[0];
        }
        return index < std::size(t->mutex);
    case TX_FILE_MOP_MASK:
        t->mop_zmask_hi16[index] = (uint16_t)v[0];
        return true;
    case TX_FILE_CONFIG:
        return put_config(index, v[0]);
    case TX_FILE_THREAD_CONFIG:
        return put_thread_config(index, v[0]);
    default:
        return false;
    }
}

static bool get_other(unsigned file, unsigned index, uint32_t *v)
{
    TensixState *const t = tensix();
    switch (file) {
    case TX_FILE_USE_LANE_FLAGS:
        v[0] = t->cc_en ? ~0u : 0;
        return true;
    case TX_FILE_FLAG_STACK:
        v[0] = t->cc_stack[index];
        v[1] = t->cc_en_stack[index] ? ~0u : 0;
        return true;
    case TX_FILE_DST:
        for (unsigned i = 0; i < ROW_SIZE; i++) {
            v[i] = t->dst[index][i];
        }
        return true;
    case TX_FILE_DST_VALID:
        v[0] = t->dst_row_valid[index];
        return true;
    case TX_FILE_SRC:
        for (unsigned i = 0; i < ROW_SIZE; i++) {
            v[i] = cell_here((*src_row(index))[i]);
        }
        return true;
    case TX_FILE_SRC_BANK:
        get_bank(index == 1, v);
        return true;
    case TX_FILE_SRC_FORMAT: {
        const uint32_t *const at = formats(t, index);
        if (at != nullptr) {
            memcpy(v, at, 2 * sizeof *v);
        }
        return at != nullptr;
    }
    case TX_FILE_SEMAPHORE:
        v[0] = t->sem[index];
        v[1] = t->sem_max[index];
        return true;
    case TX_FILE_MUTEX:
        if (index < std::size(t->mutex)) {
            v[0] = t->mutex[index];
        }
        return index < std::size(t->mutex);
    case TX_FILE_MOP_MASK:
        v[0] = t->mop_zmask_hi16[index];
        return true;
    case TX_FILE_CONFIG:
        return get_config(index, v);
    default:
        return false; /* its thread configuration cannot be read */
    }
}

static bool put(unsigned file, unsigned index, const uint32_t *v)
{
    unsigned count;
    uint32_t *at[16];
    uint32_t *const words = words_of(file, index, &count);
    if (words != nullptr) {
        memcpy(words, v, count * sizeof *v);
        return true;
    }
    uint32_t *const one = shared(file, index, &count);
    if (one != nullptr) {
        *one = v[0];
        for (unsigned i = 1; i < count; i++) {
            if (v[i] != v[0]) {
                return false;
            }
        }
        return true;
    }
    count = scattered(file, index, at);
    for (unsigned i = 0; i < count; i++) {
        *at[i] = v[i];
    }
    return count != 0 || put_other(file, index, v);
}

static bool get(unsigned file, unsigned index, uint32_t *v)
{
    unsigned count;
    uint32_t *at[16];
    const uint32_t *const words = words_of(file, index, &count);
    if (words != nullptr) {
        memcpy(v, words, count * sizeof *v);
        return true;
    }
    const uint32_t *const one = shared(file, index, &count);
    for (unsigned i = 0; one != nullptr && i < count; i++) {
        v[i] = *one;
    }
    if (one != nullptr) {
        return true;
    }
    count = scattered(file, index, at);
    for (unsigned i = 0; i < count; i++) {
        v[i] = *at[i];
    }
    return count != 0 || get_other(file, index, v);
}

/* ---- the whole of it ---- */

static size_t state_size()
{
    return sizeof(TensixState);
}

static void save(void *state)
{
    memcpy(state, tensix(), sizeof(TensixState));
}

static void restore(const void *state)
{
    memcpy(tensix(), state, sizeof(TensixState));
}

static uint8_t *l1()
{
    return g_t_tiles[0].sram;
}

extern "C" __attribute__((visibility("default"))) const struct beside *beside_tile(void)
{
    static const struct beside tile = {TT_ARCH_VERSION == 0 ? "wh" : "bh",
                                       open_tile,
                                       run,
                                       core,
                                       refusal,
                                       put,
                                       get,
                                       state_size,
                                       save,
                                       restore,
                                       l1,
                                       memory,
                                       store,
                                       load,
                                       threads,
                                       cores};
    return &tile;
}
