/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random words over three threads in silicon mode, twice: no crash, no hang, the same state after
 * every chunk. The host plays its part at random: units that take words or say busy, memory,
 * conditions, MopCfg, words from RISC-V B; where the machine is stuck it is released, at last by a
 * reset. Meant for a build with ASan and UBSan.
 *
 * With "l1" unpackers, Matrix Unit and packers are the many: L1 is random, or the machine's own and
 * not yet written, their configuration is drawn, and L1 is compared too.
 * campaign_threads ARCH COUNT [SEED [l1]]
 */
#include <tensix/tensix.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 16, MEMORY = 4096 };

/* Fields of what packers are about, of each of the four. */
enum {
    READ_32B,
    DSTACC,
    READS,
    COMPRESS = READS + 4,
    IN = COMPRESS + 4,
    OUT = IN + 4,
    FIELDS = OUT + 4
};

struct work {
    enum tx_arch arch;
    tx_machine *m;
    uint64_t seed, faults, stuck, resets, cycles, digest;
    uint8_t memory[MEMORY];
    bool units;
    uint8_t *l1;                                  /* units: as large as the chip's */
    const struct tx_config_field *fields[FIELDS]; /* NULL: the chip has no such */
};

static uint32_t next(uint64_t *s)
{
    *s += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t x = *s;
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)((x ^ (x >> 31)) >> 16);
}

static bool memory(void *user, struct tx_access *access)
{
    struct work *w = user;
    uint8_t *at = &w->memory[access->address % (MEMORY - 16)];
    memcpy(access->write ? (void *)at : (void *)access->data,
           access->write ? (void *)access->data : (void *)at, access->size);
    return next(&w->seed) % 1024 != 0;
}

static enum tx_port_answer port(void *user, struct tx_port *call)
{
    struct work *w = user;
    const uint32_t r = next(&w->seed);
    call->values[r & 3u] = r;
    return r % 4096 == 0 ? TX_PORT_REFUSE : r % 4 == 0 ? TX_PORT_BUSY : TX_PORT_TAKEN;
}

/* Matrix Unit, counters, unpackers, packers and what moves banks; fields small or of any size. */
static uint32_t unit_word(uint64_t *s)
{
    static const uint8_t opcodes[] = {
        0x08, 0x0A, 0x0B, 0x10, 0x11, 0x12, 0x13, 0x16, 0x17, 0x18, 0x21, 0x26, 0x26, 0x27, 0x28,
        0x29, 0x30, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x40, 0x41, 0x41, 0x42, 0x42, 0x42, 0x42,
        0x43, 0x43, 0x4A, 0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57, 0x5E, 0xB2, 0xB3};
    const uint32_t pick = next(s);
    const uint32_t w = next(s);
    const uint32_t opcode = opcodes[(pick >> 8) % sizeof opcodes];
    const uint32_t mask = pick & 1u ? 0xFFFFFFu : opcode == 0x42 ? 0x8181C1u : 0xCF0F3Fu;
    return opcode << 24 | (w & mask);
}

/* Of either bank, or of a thread; what unpackers and packers read is there in half of the draws. */
static void configure(struct work *w)
{
    const uint32_t r = next(&w->seed);
    uint32_t value = next(&w->seed);
    const unsigned at = r & 1u ? 48 + (r >> 4) % 80 : (r >> 4) % 256;
    value = r & 2u ? value & 0x00FF00FFu : r & 4u ? value & 0x10010011u : value;
    (void)tx_write(w->m, TX_FILE_CONFIG, at + (r & 8u ? 256u : 0), &value, 1);
    value &= 0xFFFFu;
    (void)tx_write(w->m, TX_FILE_THREAD_CONFIG, (r >> 16) % 60 + 128 * ((r >> 24) % 3), &value, 1);
}

/* To seek them by their names each time would take longer than what is tested. */
static void find_fields(struct work *w)
{
    static const char *const sections[] = {"THCON_SEC0_REG1", "THCON_SEC0_REG8", "THCON_SEC1_REG1",
                                           "THCON_SEC1_REG8"};
    static const char *const forms[] = {"%s_Disable_zero_compress", "%s_In_data_format",
                                        "%s_Out_data_format"};
    char name[64];
    w->fields[READ_32B] = tx_config_field_find(w->arch, "PCK_DEST_RD_CTRL_Read_32b_data");
    w->fields[DSTACC] = tx_config_field_find(w->arch, "ALU_FORMAT_SPEC_REG2_Dstacc");
    for (unsigned i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "PACK_COUNTERS_SEC%u_pack_reads_per_xy_plane", i);
        w->fields[READS + i] = tx_config_field_find(w->arch, name);
        for (unsigned k = 0; k < 3; k++) {
            snprintf(name, sizeof name, forms[k], sections[i]);
            w->fields[COMPRESS + 4 * k + i] = tx_config_field_find(w->arch, name);
        }
    }
}

/* The word in which a field stands; both banks. */
static void set_word(struct work *w, const struct tx_config_field *field, uint32_t value)
{
    for (unsigned bank = 0; field != NULL && bank < 2; bank++) {
        (void)tx_write(w->m, TX_FILE_CONFIG, field->word + 256 * bank, &value, 1);
    }
}

/* Most times what nobody has described is off, so that packers do not stop at once. */
static void allow_packing(struct work *w)
{
    static const uint8_t formats[] = {0, 1, 2, 5, 6, 8, 10, 14};
    const uint32_t r = next(&w->seed);
    const uint32_t format = formats[r >> 4 & 7u];
    if (r % 8 == 0) {
        return;
    }
    set_word(w, w->fields[READ_32B], format == 0 || format == 8);
    set_word(w, w->fields[DSTACC], r >> 8 & 0x1E000000u);
    for (unsigned i = 0; i < 4; i++) {
        set_word(w, w->fields[READS + i], (r >> 12 & 0x1Fu) << 8);
        set_word(w, w->fields[COMPRESS + i], 1 | (r >> 28 & 1u) << 1);
        for (unsigned t = 0; t < 2; t++) {
            const struct tx_config_field *field = w->fields[(t == 0 ? IN : OUT) + i];
            if (field != NULL) {
                (void)tx_config_set(w->m, 0, field->name, format);
            }
        }
    }
}

static void restart(struct work *w)
{
    tx_reset(w->m);
    for (unsigned i = 0; w->units && i < 100; i++) {
        configure(w);
    }
    if (w->units) {
        allow_packing(w);
    }
}

/* Front end, Scalar, Sync and Configuration words often, any word of the chip sometimes. */
static uint32_t random_word(uint64_t *s)
{
    static const uint8_t opcodes[] = {0x01, 0x02, 0x03, 0x04, 0x05, 0x37, 0x38, 0x45, 0x46, 0x48,
                                      0x49, 0x58, 0x59, 0x5A, 0x5B, 0x5C, 0x5D, 0x60, 0x61, 0x62,
                                      0x63, 0x64, 0x66, 0x67, 0x68, 0xA0, 0xA1, 0xA2, 0xA3, 0xA4,
                                      0xA5, 0xA6, 0xB0, 0xB1, 0xB2, 0xB3, 0xB6, 0xB8, 0x26, 0x41};
    const uint32_t pick = next(s);
    const uint32_t w = next(s);
    if (pick % 512 == 0) {
        return w;
    }
    const uint32_t opcode =
        pick & 1u ? opcodes[(pick >> 12) % sizeof opcodes] : 0x70u + (pick >> 12) % 0x26u;
    /* Small fields keep indices inside what exists. */
    return opcode << 24 | (w & (pick & 2u ? 0xFFFFFFu : 0x3F0F3Fu));
}

/* The host sets something. */
static void disturb(struct work *w)
{
    const uint32_t r = next(&w->seed);
    if (w->units && (r & 0x100u) != 0) {
        configure(w);
        allow_packing(w);
        return;
    }
    const uint32_t v[2] = {r >> 8 & 15u, r >> 12 & 15u};
    const uint32_t word = random_word(&w->seed);
    switch (r & 7u) {
    case 0:
        (void)tx_condition_set(w->m, (r >> 4) % 3, (enum tx_condition)(r >> 8 & 15u), r >> 12 & 1u);
        break;
    case 1:
        (void)tx_write(w->m, TX_FILE_SEMAPHORE, r >> 4 & 7u, v, 2);
        break;
    case 2:
        (void)tx_push_behind(w->m, (r >> 4) % 3, word);
        break;
    case 3:
        (void)tx_mop_config(w->m, (r >> 4) % 3, (r >> 8) % 9, (r & 64u) != 0 ? r >> 24 & 7u : word);
        break;
    default:
        break;
    }
}

/* again: the last release has not helped. */
static void release(struct work *w, bool again)
{
    const uint32_t semaphore[2] = {7, 8};
    const uint32_t banks[4] = {0, 0, next(&w->seed) & 1u, 0};
    w->stuck++;
    for (unsigned i = 0; i < 8; i++) {
        const uint32_t nobody = 0;
        (void)tx_write(w->m, TX_FILE_SEMAPHORE, i, semaphore, 2);
        (void)tx_write(w->m, TX_FILE_MUTEX, i, &nobody, 1);
    }
    for (unsigned t = 0; t < TX_THREADS; t++) {
        for (unsigned c = 0; c < TX_CONDITION_COUNT; c++) {
            (void)tx_condition_set(w->m, t, (enum tx_condition)c, false);
        }
    }
    (void)tx_write(w->m, TX_FILE_SRC_BANK, 0, banks, 4);
    (void)tx_write(w->m, TX_FILE_SRC_BANK, 1, banks, 4);
    if (again) {
        w->resets++; /* a mutex that does not exist, an ATCAS that never meets its value */
        restart(w);
    }
}

static uint64_t hash(uint64_t h, const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        h = (h ^ bytes[i]) * UINT64_C(0x100000001B3);
    }
    return h;
}

static uint64_t digest(struct work *w, bool own, unsigned char *buffer)
{
    uint64_t h = UINT64_C(0xCBF29CE484222325);
    (void)tx_snapshot(w->m, buffer, tx_snapshot_size(NULL));
    h = hash(h, buffer, tx_snapshot_size(NULL));
    if (own) {
        (void)tx_l1_read(w->m, 0, w->l1, tx_l1_size(w->arch));
    }
    return w->units ? hash(h, w->l1, tx_l1_size(w->arch)) : h;
}

/* Every fourth time L1 is the machine's own, of which nothing has been written. */
static bool give_memory(struct work *w, bool own)
{
    struct tx_host host;
    tx_host_default(&host);
    host.port = port;
    host.user = w;
    if (!w->units) {
        host.memory = memory;
    } else if (!own) {
        host.l1 = w->l1;
        host.l1_size = tx_l1_size(w->arch);
    }
    return tx_host_set(w->m, &host) == TX_OK && (!own || tx_l1_allocate(w->m) == TX_OK);
}

static void chunk(struct work *w, uint64_t seed, uint64_t count)
{
    uint32_t word[TX_THREADS] = {0};
    bool have[TX_THREADS] = {false};
    char text[256];
    unsigned starved = 0; /* cycles in which no word was taken */
    memset(w->memory, 0, sizeof w->memory);
    w->seed = seed;
    for (uint32_t i = 0; w->units && i < tx_l1_size(w->arch); i += 4) {
        const uint32_t r = next(&w->seed);
        memcpy(w->l1 + i, &r, sizeof r);
    }
    restart(w);
    for (uint64_t done = 0; done < count;) {
        for (unsigned t = 0; t < TX_THREADS; t++) {
            if (!have[t]) {
                word[t] = w->units && next(&w->seed) % 4 != 0 ? unit_word(&w->seed)
                                                              : random_word(&w->seed);
                have[t] = true;
            }
            if (tx_push(w->m, t, &word[t], 1) == 1) {
                have[t] = false;
                done++;
                starved = 0;
            }
        }
        if (next(&w->seed) % 64 == 0) {
            disturb(w);
        }
        w->cycles++;
        if (tx_step(w->m, 1) == TX_FAULT) {
            w->faults++;
            restart(w);
        }
        starved++;
        if (starved % 64 == 0 || (starved % 8 == 0 && tx_stuck(w->m))) {
            for (unsigned t = 0; t < TX_THREADS; t++) {
                (void)tx_wait_text(w->m, t, text, sizeof text);
            }
            release(w, starved > 8 && (starved > 64 || tx_stuck(w->m)));
        }
    }
}

int main(int argc, char **argv)
{
    struct work w = {.arch = TX_ARCH_NONE};
    if (argc < 3 || tx_arch_parse(argv[1], &w.arch) != TX_OK) {
        fprintf(stderr, "usage: campaign_threads ARCH COUNT [SEED]\n");
        return 2;
    }
    const uint64_t count = strtoull(argv[2], NULL, 0);
    const uint64_t first = argc > 3 ? strtoull(argv[3], NULL, 0) : 1;
    w.units = argc > 4 && strcmp(argv[4], "l1") == 0;
    w.l1 = malloc(tx_l1_size(w.arch));
    find_fields(&w);
    struct tx_settings settings;
    unsigned char *buffer = malloc(tx_snapshot_size(NULL));
    uint64_t failed = 0;
    tx_settings_default(&settings, w.arch);
    if (buffer == NULL || w.l1 == NULL || tx_open(&settings, &w.m) != TX_OK) {
        return 2;
    }
    for (uint64_t done = 0; done < count; done += CHUNK) {
        const uint64_t seed = first * UINT64_C(0x1000003) + done;
        const uint64_t now = count - done < CHUNK ? count - done : CHUNK;
        const bool own = w.units && done / CHUNK % 4 == 3;
        uint64_t twice[2];
        for (unsigned i = 0; i < 2; i++) {
            if (!give_memory(&w, own)) {
                return 2;
            }
            chunk(&w, seed, now);
            twice[i] = digest(&w, own, buffer);
        }
        failed += twice[0] != twice[1];
        w.digest = w.digest * 31 + twice[0];
    }
    tx_close(w.m);
    free(buffer);
    free(w.l1);
    printf("%" PRIu64 " words twice, %" PRIu64 " cycles, %" PRIu64 " faults, %" PRIu64
           " times stuck, %" PRIu64 " resets, state %016" PRIx64 "\n",
           count, w.cycles, w.faults, w.stuck, w.resets, w.digest);
    printf("%d passed, %" PRIu64 " failed\n", failed == 0, failed);
    return failed == 0 ? 0 : 1;
}
