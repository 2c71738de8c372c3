/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tx_read and tx_write: register files as rows of 32-bit values, checked against one table of
 * shapes.
 */
#include "state/banks.h"
#include "state/cfg.h"
#include "state/dst.h"
#include "state/machine.h"

#include <string.h>

struct shape {
    uint16_t rows, values;
};

static const struct shape shapes[TX_FILE_COUNT] = {
    [TX_FILE_LREG] = {TX_LREGS, 32},
    [TX_FILE_LANE_FLAGS] = {1, 1},
    [TX_FILE_USE_LANE_FLAGS] = {1, 1},
    [TX_FILE_FLAG_STACK] = {8, 2},
    [TX_FILE_STACK_DEPTH] = {1, 32},
    [TX_FILE_PRNG] = {1, 32},
    [TX_FILE_LANE_CONFIG] = {1, 8},
    [TX_FILE_MACRO_TEMPLATE] = {4, 32},
    [TX_FILE_MACRO_SEQUENCE] = {4, 32},
    [TX_FILE_MACRO_MISC] = {1, 32},
    [TX_FILE_DST] = {TX_DST_ROWS, 16},
    [TX_FILE_DST_VALID] = {TX_DST_ROWS, 1},
    [TX_FILE_DST_KNOWN] = {TX_DST_ROWS, 1},
    [TX_FILE_RWC] = {TX_THREADS, TX_RWC_COUNT},
    [TX_FILE_CONFIG] = {512, 1},
    [TX_FILE_THREAD_CONFIG] = {128 * TX_THREADS, 1},
    [TX_FILE_GPR] = {TX_GPRS * TX_THREADS, 1},
    [TX_FILE_SHIFT_LATCH] = {1, 32},
    [TX_FILE_REPLAY] = {32 * TX_THREADS, 1},
    [TX_FILE_SEMAPHORE] = {8, 2},
    [TX_FILE_MUTEX] = {8, 1},
    [TX_FILE_MOP] = {9 * TX_THREADS, 1},
    [TX_FILE_MOP_MASK] = {TX_THREADS, 1},
    [TX_FILE_SRC_BANK] = {2, 4},
    [TX_FILE_SRC] = {2 * SRC_BANKS * TX_SRC_ROWS, 16},
    [TX_FILE_SRC_FORMAT] = {2, SRC_BANKS},
    [TX_FILE_ADC] = {TX_THREADS * ADC_UNITS, TX_ADC_VALUES},
};

static bool shape_ok(enum tx_file file, unsigned index, const uint32_t *values, size_t count)
{
    return (unsigned)file < TX_FILE_COUNT && index < shapes[file].rows && values != NULL &&
           count == shapes[file].values;
}

/*
 * Returns the place of a row in the state, for files that are plain arrays of 32-bit words there,
 * or NULL.
 */
static const uint32_t *plain(const struct tx_state *s, enum tx_file file, unsigned index)
{
    switch (file) {
    case TX_FILE_LREG:
        return s->lreg[index];
    case TX_FILE_LANE_FLAGS:
        return &s->lane_flags;
    case TX_FILE_USE_LANE_FLAGS:
        return &s->use_flags;
    case TX_FILE_PRNG:
        return s->prng;
    case TX_FILE_LANE_CONFIG:
        return s->lane_config;
    case TX_FILE_MACRO_TEMPLATE:
        return s->macro_template[index];
    case TX_FILE_MACRO_SEQUENCE:
        return s->macro_sequence[index];
    case TX_FILE_MACRO_MISC:
        return s->macro_misc;
    case TX_FILE_CONFIG:
        return &s->config[index / 256][index % 256];
    case TX_FILE_GPR:
        return &s->gpr[index / TX_GPRS][index % TX_GPRS];
    case TX_FILE_SHIFT_LATCH:
        return s->shift_latch;
    case TX_FILE_REPLAY:
        return &s->front.replay[index / 32].word[index % 32];
    case TX_FILE_MOP:
        return &s->front.mop[index / 9].config[index % 9];
    case TX_FILE_MOP_MASK:
        return &s->front.mop[index].mask_hi;
    case TX_FILE_SRC:
        return s->src[index / (SRC_BANKS * TX_SRC_ROWS)][index / TX_SRC_ROWS % SRC_BANKS]
                     [index % TX_SRC_ROWS];
    default:
        return NULL;
    }
}

/* Writes to the place from which it is read. */
static void write_plain(struct tx_state *s, enum tx_file file, unsigned index,
                        const uint32_t *values, size_t count)
{
    const size_t offset = (size_t)((const char *)plain(s, file, index) - (const char *)s);
    memcpy((char *)s + offset, values, count * sizeof *values);
}

static void read_rwc(const struct rwc *r, uint32_t out[TX_RWC_COUNT])
{
    out[TX_RWC_DST] = r->dst;
    out[TX_RWC_DST_CR] = r->dst_cr;
    out[TX_RWC_SRCA] = r->srca;
    out[TX_RWC_SRCA_CR] = r->srca_cr;
    out[TX_RWC_SRCB] = r->srcb;
    out[TX_RWC_SRCB_CR] = r->srcb_cr;
    out[TX_RWC_FIDELITY] = r->fidelity;
    out[TX_RWC_SP] = r->sp;
    out[TX_RWC_BIAS] = r->bias;
}

static void read_adc(const struct adc *adc, uint32_t out[TX_ADC_VALUES])
{
    for (unsigned i = 0; i < TX_ADC_VALUES; i++) {
        const struct adc_counter *c = &adc->ch[i / 8][i % ADC_DIMENSIONS];
        out[i] = (i / ADC_DIMENSIONS & 1u) == 0 ? c->live : c->cr;
    }
}

enum tx_status tx_read(const tx_machine *m, enum tx_file file, unsigned index, uint32_t *values,
                       size_t count)
{
    const struct tx_state *s = &m->state;
    if (!shape_ok(file, index, values, count)) {
        return TX_EINVAL;
    }
    const uint32_t *from = plain(s, file, index);
    if (from != NULL) {
        memcpy(values, from, count * sizeof *values);
        return TX_OK;
    }
    switch (file) {
    case TX_FILE_FLAG_STACK:
        values[0] = s->stack_lf[index];
        values[1] = s->stack_use[index];
        break;
    case TX_FILE_STACK_DEPTH:
        for (unsigned lane = 0; lane < 32; lane++) {
            values[lane] = s->stack_ctr[lane];
        }
        break;
    case TX_FILE_DST:
        for (unsigned column = 0; column < 16; column++) {
            values[column] = s->dst[index][column];
        }
        break;
    case TX_FILE_DST_VALID:
        values[0] = dst_valid(s, index) ? 1 : 0;
        break;
    case TX_FILE_DST_KNOWN:
        values[0] = (uint16_t)~s->dst_unknown[index];
        break;
    case TX_FILE_RWC:
        read_rwc(&s->rwc[index], values);
        break;
    case TX_FILE_THREAD_CONFIG:
        values[0] = s->thread_config[index / 128][index % 128];
        break;
    case TX_FILE_MUTEX:
        values[0] = s->units.mutex[index];
        break;
    case TX_FILE_SRC_BANK:
        values[0] = s->units.matrix_bank[index];
        values[1] = s->units.unpack_bank[index];
        values[2] = s->units.bank_owner[index][0];
        values[3] = s->units.bank_owner[index][1];
        break;
    case TX_FILE_SRC_FORMAT:
        values[0] = s->units.implied_format[index][0];
        values[1] = s->units.implied_format[index][1];
        break;
    case TX_FILE_ADC:
        read_adc(&s->adc[index / ADC_UNITS][index % ADC_UNITS], values);
        break;
    default: /* TX_FILE_SEMAPHORE */
        values[0] = s->semaphore[index];
        values[1] = s->semaphore_max[index];
        break;
    }
    return TX_OK;
}

static enum tx_status write_rwc(struct rwc *r, const uint32_t in[TX_RWC_COUNT])
{
    static const uint32_t limits[TX_RWC_COUNT] = {1023, 1023, 63, 63, 63, 63, 3, 1023, 1};
    for (unsigned i = 0; i < TX_RWC_COUNT; i++) {
        if (in[i] > limits[i]) {
            return TX_EINVAL;
        }
    }
    r->dst = (uint16_t)in[TX_RWC_DST];
    r->dst_cr = (uint16_t)in[TX_RWC_DST_CR];
    r->srca = (uint8_t)in[TX_RWC_SRCA];
    r->srca_cr = (uint8_t)in[TX_RWC_SRCA_CR];
    r->srcb = (uint8_t)in[TX_RWC_SRCB];
    r->srcb_cr = (uint8_t)in[TX_RWC_SRCB_CR];
    r->fidelity = (uint8_t)in[TX_RWC_FIDELITY];
    r->sp = (uint16_t)in[TX_RWC_SP];
    r->bias = (uint8_t)in[TX_RWC_BIAS];
    return TX_OK;
}

static enum tx_status write_adc(struct adc *adc, enum tx_arch arch,
                                const uint32_t in[TX_ADC_VALUES])
{
    for (unsigned i = 0; i < TX_ADC_VALUES; i++) {
        if (in[i] > adc_mask(arch, i % ADC_DIMENSIONS)) {
            return TX_EINVAL;
        }
    }
    for (unsigned i = 0; i < TX_ADC_VALUES; i++) {
        struct adc_counter *c = &adc->ch[i / 8][i % ADC_DIMENSIONS];
        *((i / ADC_DIMENSIONS & 1u) == 0 ? &c->live : &c->cr) = in[i];
    }
    return TX_OK;
}

static void write_banks(struct units *u, unsigned src, const uint32_t values[4])
{
    u->matrix_bank[src] = (uint8_t)values[0];
    u->unpack_bank[src] = (uint8_t)values[1];
    u->bank_owner[src][0] = (uint8_t)values[2];
    u->bank_owner[src][1] = (uint8_t)values[3];
    bank_forget(u);
}

/* Returns whether some value does not fit its register. */
static bool too_big(enum tx_file file, const uint32_t *values, size_t count)
{
    const uint32_t limit =
        file == TX_FILE_STACK_DEPTH || file == TX_FILE_SEMAPHORE ? 15
        : file == TX_FILE_DST || file == TX_FILE_THREAD_CONFIG || file == TX_FILE_DST_KNOWN
            ? 0xFFFFu
        : file == TX_FILE_MUTEX                                 ? TX_THREADS
        : file == TX_FILE_MOP_MASK                              ? 0xFFFFu
        : file == TX_FILE_DST_VALID || file == TX_FILE_SRC_BANK ? 1
        : file == TX_FILE_SRC                                   ? 0x7FFFFu
        : file == TX_FILE_SRC_FORMAT                            ? 15u
        : file == TX_FILE_MACRO_MISC                            ? 0xFFFu
        : file == TX_FILE_LANE_CONFIG                           ? LC_BITS
                                                                : 0xFFFFFFFFu;
    for (size_t i = 0; i < count; i++) {
        if (values[i] > limit) {
            return true;
        }
    }
    return false;
}

enum tx_status tx_write(tx_machine *m, enum tx_file file, unsigned index, const uint32_t *values,
                        size_t count)
{
    struct tx_state *s = &m->state;
    if (!shape_ok(file, index, values, count) || too_big(file, values, count)) {
        return TX_EINVAL;
    }
    machine_changed(m, CHANGE_HOST, 0);
    m->quiet = 0; /* a word may wait for it */
    switch (file) {
    case TX_FILE_LREG:
        if ((index >= 8 && index <= 10) || index == 15) {
            return TX_EINVAL; /* constants in silicon */
        }
        memcpy(s->lreg[index], values, sizeof s->lreg[index]);
        break;
    case TX_FILE_FLAG_STACK:
        s->stack_lf[index] = values[0];
        s->stack_use[index] = values[1];
        break;
    case TX_FILE_STACK_DEPTH:
        for (unsigned lane = 0; lane < 32; lane++) {
            s->stack_ctr[lane] = (uint8_t)values[lane];
        }
        break;
    case TX_FILE_PRNG:
        memcpy(s->prng, values, sizeof s->prng);
        s->prng_seeded = 1;
        s->seed_pending = 0;
        break;
    case TX_FILE_DST:
        for (unsigned column = 0; column < 16; column++) {
            dst_put(s, index, column, values[column]);
        }
        dst_forget(s, index, 0xFFFFu);
        break;
    case TX_FILE_DST_VALID:
        dst_set_valid(s, index, values[0] != 0);
        break;
    case TX_FILE_DST_KNOWN:
        s->dst_unknown[index] = (uint16_t)~values[0];
        s->dst_tainted[index] = 0;
        break;
    case TX_FILE_RWC:
        return write_rwc(&s->rwc[index], values);
    case TX_FILE_THREAD_CONFIG:
        cfg_write_thread(m, index / 128, index % 128, (uint16_t)values[0]);
        break;
    case TX_FILE_SEMAPHORE:
        s->semaphore[index] = (uint8_t)values[0];
        s->semaphore_max[index] = (uint8_t)values[1];
        break;
    case TX_FILE_MUTEX:
        s->units.mutex[index] = (uint8_t)values[0];
        break;
    case TX_FILE_SRC_BANK:
        write_banks(&s->units, index, values);
        break;
    case TX_FILE_ADC:
        return write_adc(&s->adc[index / ADC_UNITS][index % ADC_UNITS], m->arch, values);
    case TX_FILE_SRC_FORMAT:
        s->units.implied_format[index][0] = (uint8_t)values[0];
        s->units.implied_format[index][1] = (uint8_t)values[1];
        break;
    case TX_FILE_SRC:
        write_plain(s, file, index, values, count);
        known_row_given(
            &s->src_known[index / (SRC_BANKS * TX_SRC_ROWS)][index / TX_SRC_ROWS % SRC_BANKS],
            index % TX_SRC_ROWS);
        if (index < SRC_BANKS * TX_SRC_ROWS) {
            s->units.unpack.srca_unknown[index / TX_SRC_ROWS] &=
                ~(UINT64_C(1) << index % TX_SRC_ROWS);
        }
        break;
    default: {
        if (file == TX_FILE_GPR) {
            undefined_gpr_given(&s->undefined, index / TX_GPRS, index % TX_GPRS, 1);
        } else if (file == TX_FILE_CONFIG) {
            undefined_config_given(m, index / 256, index % 256, 1);
        }
        machine_reconfigured(m); /* it may be TX_FILE_CONFIG's */
        write_plain(s, file, index, values, count);
        break;
    }
    }
    return TX_OK;
}
