/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of the comparison that only vectors of unpackers and packers need: address counters and
 * L1.
 */
#include "vectors/check.h"

#include <stdlib.h>
#include <string.h>

#include "vectors/vector_state.h"

static bool apply_adc(tx_machine *m, const struct vec_state *s)
{
    bool good = true;
    for (unsigned set = 0; set < VEC_ADC_SETS && (s->keys & VEC_ADC) != 0; set++) {
        good = good && tx_write(m, TX_FILE_ADC, set, s->adc[set], TX_ADC_VALUES) == TX_OK;
    }
    return good;
}

bool check_apply_tile(tx_machine *m, const struct vec_state *s, struct txl_error *err)
{
    if (!apply_adc(m, s)) {
        return fail_false(err, "initial: adc cannot be set");
    }
    for (size_t i = 0; i < s->l1_count; i++) {
        if (tx_l1_write(m, s->l1[i].address, s->l1[i].bytes, s->l1[i].size) != TX_OK) {
            return fail_false(err, "initial: l1 %x cannot be set", (unsigned)s->l1[i].address);
        }
    }
    for (unsigned row = 0; row < 4 * TX_SRC_ROWS && (s->keys & VEC_SRC_FILL) != 0; row++) {
        uint32_t cells[16];
        for (unsigned c = 0; c < 16; c++) {
            cells[c] = s->src_fill[row / (2 * TX_SRC_ROWS)];
        }
        if (tx_write(m, TX_FILE_SRC, row, cells, 16) != TX_OK) {
            return fail_false(err, "initial: src_fill cannot be set");
        }
    }
    return true;
}

static bool same_adc(const tx_machine *m, const struct vec_state *s, struct txl_error *err)
{
    static const char *const units[] = {"unp0", "unp1", "pack"};
    static const char *const names[] = {"X", "Y", "Z", "W", "X_Cr", "Y_Cr", "Z_Cr", "W_Cr"};
    for (unsigned i = 0; i < VEC_ADC_SETS * TX_ADC_VALUES; i++) {
        const unsigned set = i / TX_ADC_VALUES;
        const unsigned value = i % TX_ADC_VALUES;
        uint32_t got[TX_ADC_VALUES];
        if ((s->adcs >> (2 * set + value / 8) & 1U) == 0) {
            continue;
        }
        if (tx_read(m, TX_FILE_ADC, set, got, TX_ADC_VALUES) != TX_OK) {
            return fail_false(err, "adc cannot be read");
        }
        if (got[value] != s->adc[set][value]) {
            return fail_false(err, "adc of thread %u, %s channel %u %s: expected %u, got %u",
                              set / 3, units[set % 3], value / 8, names[value % 8],
                              (unsigned)s->adc[set][value], (unsigned)got[value]);
        }
    }
    return true;
}

/* Copies the regions of a state into an image of all of L1. */
static void draw(uint8_t *l1, const struct vec_state *s, uint32_t size)
{
    for (size_t i = 0; i < s->l1_count; i++) {
        const struct vec_l1 *r = &s->l1[i];
        const uint32_t fits = r->address >= size            ? 0
                              : r->size < size - r->address ? r->size
                                                            : size - r->address;
        memcpy(l1 + r->address, r->bytes, fits);
    }
}

static bool same_l1(const tx_machine *m, const struct vec_state *initial, const struct vec_state *s,
                    struct txl_error *err)
{
    const uint32_t size = tx_l1_size(tx_machine_arch(m));
    uint8_t *want = calloc(2, size);
    uint8_t *got = want == NULL ? NULL : want + size;
    bool good = got != NULL && tx_l1_read(m, 0, got, size) == TX_OK;
    if (!good) {
        free(want);
        return fail_false(err, "l1 cannot be read");
    }
    draw(want, initial, size);
    draw(want, s, size);
    for (uint32_t i = memcmp(want, got, size) == 0 ? size : 0; i < size && good; i++) {
        if (want[i] != got[i]) {
            good = fail_false(err, "l1 byte %x: expected %02x, got %02x", (unsigned)i, want[i],
                              got[i]);
        }
    }
    free(want);
    return good;
}

bool check_compare_tile(const tx_machine *m, const struct vec_state *initial,
                        const struct vec_state *s, struct txl_error *err)
{
    return same_adc(m, s, err) && ((s->keys & VEC_L1) == 0 || same_l1(m, initial, s, err));
}

/* Returns the number of words from the first one on that an unpacker has not finished. */
static size_t in_unpackers(const tx_machine *m, unsigned thread)
{
    size_t words = 0;
    for (unsigned u = 0; u < 2; u++) {
        struct tx_unpack_job job;
        for (unsigned i = 0; tx_unpacker_read(m, u, i, &job); i++) {
            if (job.thread == thread && job.passed > words) {
                words = (size_t)job.passed;
            }
        }
    }
    return words;
}

enum tx_status check_run_threads(tx_machine *m, const struct vector *v, size_t stalled[TX_THREADS])
{
    size_t next[TX_THREADS] = {0};
    enum tx_status status = TX_OK;
    for (bool more = true; status == TX_OK && more;) {
        more = false;
        for (unsigned t = 0; t < TX_THREADS; t++) {
            if (next[t] < v->count[t]) {
                next[t] += tx_push(m, t, &v->words[t][next[t]], 1);
            }
            more = more || next[t] < v->count[t];
        }
        more = (more || !tx_idle(m)) && !tx_stuck(m);
        status = more ? tx_step(m, 1) : TX_OK;
    }
    for (unsigned t = 0; t < TX_THREADS; t++) {
        stalled[t] = next[t];
        for (unsigned q = 0; q < TX_QUEUE_COUNT; q++) {
            stalled[t] -= tx_queue_words(m, t, (enum tx_queue)q, NULL, 0);
        }
        stalled[t] -= in_unpackers(m, t);
        const struct tx_gate gate = tx_gate_read(m, t);
        /* The wait in front of it is not done either. */
        stalled[t] -= gate.present && gate.hold == TX_HOLD_WAIT ? 1 : 0;
    }
    return status;
}
