/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any words for the unpackers, their counters and the banks, from three threads at once, over any
 * configuration and any L1: nothing may be read or written out of bounds, and two runs are the
 * same. The first byte chooses chip and rules, the next four seed configuration and L1, the rest
 * are words.
 */
#include <tensix/tensix.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* UNPACR, UNPACR_NOP and what they meet. */
static const uint8_t opcodes[16] = {0x42, 0x42, 0x42, 0x42, 0x42, 0x43, 0x43, 0x43,
                                    0x50, 0x51, 0x55, 0x5E, 0x57, 0x36, 0xB2, 0x12};

static uint32_t next(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* One of each kind, for ever: fresh is one that has not run anything. */
static tx_machine *machine(const uint8_t *data, uint32_t seed, bool fresh)
{
    static tx_machine *machines[4];
    tx_machine *own = NULL;
    tx_machine **kept = fresh ? &own : &machines[data[0] & 3u];
    uint8_t bytes[1024];
    const enum tx_arch arch = (data[0] & 1) != 0 ? TX_BLACKHOLE : TX_WORMHOLE;
    if (*kept == NULL) {
        struct tx_settings s;
        tx_settings_default(&s, arch);
        for (size_t i = 0; tx_rule_at(i) != NULL; i++) {
            s.rules[i] = (data[0] & 2) != 0 && strncmp(tx_rule_at(i)->name, "unpack-", 7) == 0;
        }
        if (tx_open(&s, kept) != TX_OK || tx_l1_allocate(*kept) != TX_OK) {
            abort();
        }
    }
    tx_machine *m = *kept;
    tx_reset(m);
    for (unsigned i = 0; i < sizeof bytes; i += 4) {
        const uint32_t word = next(&seed);
        memcpy(bytes + i, &word, sizeof word);
    }
    (void)tx_l1_write(m, tx_l1_size(arch) - sizeof bytes, bytes, sizeof bytes);
    (void)tx_l1_write(m, 0, bytes, sizeof bytes);
    uint32_t config[160 - 36];
    for (unsigned i = 0; i < sizeof config / sizeof *config; i++) {
        /* a half of the words with few bits set, so that more than refusals is reached */
        config[i] = next(&seed);
        config[i] &= i % 2 == 0 ? next(&seed) & next(&seed) : 0xFFFFFFFFu;
    }
    (void)tx_write(m, TX_FILE_CONFIG, 36, config, sizeof config / sizeof *config);
    return m;
}

static void run(tx_machine *m, const uint8_t *data, size_t size)
{
    const bool bh = (data[0] & 1) != 0;
    for (size_t i = 5; i + 4 <= size; i += 4) {
        uint32_t word;
        memcpy(&word, data + i, sizeof word);
        word = (word & 0xFFFFFFu) | (uint32_t)opcodes[word >> 24 & 15u] << 24;
        if (word >> 25 == 0x59) { /* SETC16: only what the unpackers read */
            word = (word & 0xFF00FFFFu) | (uint32_t)((bh ? 5 : 3) + (word >> 16 & 1u)) << 16;
        }
        (void)tx_push(m, (unsigned)(i / 4 % 3), &word, 1);
        if (tx_step(m, data[i] % 8u) == TX_FAULT) {
            return;
        }
    }
    (void)tx_run_idle(m, 500);
}

/* A sum over what the run leaves. */
static uint64_t sum_of(tx_machine *m)
{
    uint32_t src[16];
    uint64_t sum = 0;
    for (unsigned row = 0; row < 256; row += 3) {
        (void)tx_read(m, TX_FILE_SRC, row, src, 16);
        for (unsigned c = 0; c < 16; c++) {
            sum = sum * 31 + src[c];
        }
    }
    return sum * 31 + tx_machine_counters(m).instructions;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t seed;
    if (size < 9) {
        return 0;
    }
    memcpy(&seed, data + 1, sizeof seed);
    tx_machine *m = machine(data, seed | 1u, false);
    run(m, data, size);
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ data[i]) * 16777619u;
    }
    /* One in 64 again, on a new machine: the same, whatever ran before on the kept one. */
    if (hash >> 26 == 0) {
        tx_machine *fresh = machine(data, seed | 1u, true);
        run(fresh, data, size);
        if (sum_of(fresh) != sum_of(m)) {
            abort();
        }
        tx_close(fresh);
    }
    return 0;
}
