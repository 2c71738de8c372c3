/* SPDX-License-Identifier: Apache-2.0 */
/*
 * campaign_cores bh|wh COUNT [SEED]: COUNT random words as instructions of the five cores of a
 * tile, with random registers that point to everything there is, timed and untimed: pushes,
 * configuration, resets, the debug registers, requests to the NoC. Nothing may go out of bounds
 * (ASan, UBSan), every cycle comes to an end, and a tile whose coprocessor has a sink, so that each
 * cycle of it is run, ends as one without. The digest of all states tells two builds apart.
 */
#include <tensix/tensix.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CODE = 0x8000, SLICE = 128, SLICES = 256 };

static uint64_t seed;
static uint64_t digest = 0xCBF29CE484222325u;
static uint8_t *snapshot[2]; /* with a sink, without */

static uint32_t draw(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 32);
}

static uint32_t some_address(void)
{
    static const uint32_t bases[] = {0,          CODE - 8,   0x100000,   0xFFB00000, 0xFFB00800,
                                     0xFFB11000, 0xFFB12000, 0xFFB121B0, 0xFFB12080, 0xFFB13000,
                                     0xFFB14000, 0xFFB20000, 0xFFB30028, 0xFFB40000, 0xFFB80000,
                                     0xFFBD8000, 0xFFE00000, 0xFFE40000, 0xFFE80000, 0xFFE80020,
                                     0xFFE90000, 0xFFEC0000, 0xFFEC1004, 0xFFEF0000, 0xFFC00000};
    const uint32_t r = draw();
    return r % 8 == 0 ? r >> 8 : bases[r / 8 % 25] + (draw() & (draw() % 2 ? 0x3Fu : 0xFFFu));
}

static uint32_t some_word(void)
{
    static const uint32_t rows[][2] = {
#define RISCV(ID, name, match, mask, format, chips, class) {match, mask},
#include "isa/riscv.def"
    };
    const uint32_t r = draw() % 200;
    return r < sizeof rows / sizeof rows[0] ? rows[r][0] | (draw() & ~rows[r][1]) : draw();
}

/* All registers anew, and a place in the code. */
static void start(tx_tensix *t, enum tx_core core)
{
    (void)tx_tensix_start(t, core, draw() % CODE & ~3u);
    for (unsigned i = 1; i < 32; i++) {
        (void)tx_core_write(t, core, i, draw() % 4 != 0 ? some_address() : draw());
    }
}

static uint64_t executed(const tx_tensix *t)
{
    uint64_t sum = 0;
    for (unsigned c = 0; c < TX_CORES; c++) {
        struct tx_core_state s;
        (void)tx_tensix_core(t, (enum tx_core)c, &s);
        sum += s.instructions;
    }
    return sum;
}

static void take(const tx_tensix *t, uint8_t *to)
{
    if (tx_tensix_snapshot(t, to, tx_tensix_snapshot_size(t)) != TX_OK) {
        printf("no snapshot\n");
        exit(1);
    }
}

static void compare(size_t size, uint64_t began)
{
    if (memcmp(snapshot[0], snapshot[1], size) != 0) {
        printf("batch of seed %llu: with a sink it ends otherwise\n", (unsigned long long)began);
        exit(1);
    }
    for (size_t i = 0; i + 8 <= size; i += 8) {
        uint64_t word;
        memcpy(&word, snapshot[0] + i, 8);
        digest = (digest ^ word) * 0x100000001B3u;
    }
}

static void nothing(void *user, const struct tx_event *event)
{
    (void)user, (void)event;
}

/* Cores that stand, and now and then those that go on, begin somewhere else. */
static void restart(tx_tensix *t)
{
    for (unsigned c = 0; c < TX_CORES; c++) {
        struct tx_core_state s;
        char text[256];
        (void)tx_tensix_core(t, (enum tx_core)c, &s);
        (void)tx_tensix_wait_text(t, (enum tx_core)c, text, sizeof text);
        if (s.phase != TX_CORE_RUNS || s.rests || draw() % 4 == 0) {
            start(t, (enum tx_core)c);
        }
    }
}

static uint64_t batch(tx_tensix *t)
{
    uint32_t code[CODE / 4];
    tx_tensix_reset(t);
    for (unsigned i = 0; i < CODE / 4; i++) {
        code[i] = some_word();
    }
    (void)tx_tensix_write(t, 0, code, sizeof code);
    for (unsigned i = 0; i < SLICES; i++) {
        restart(t);
        const uint64_t before = tx_tensix_cycles(t);
        const enum tx_status status = tx_tensix_cycle(t, SLICE);
        if (status == TX_FAULT) {
            break;
        }
        if (status != TX_OK || tx_tensix_cycles(t) - before != SLICE) {
            printf("%u cycles, status %d\n", (unsigned)(tx_tensix_cycles(t) - before), status);
            exit(1);
        }
    }
    return executed(t);
}

int main(int argc, char **argv)
{
    struct tx_tensix_settings settings;
    tx_tensix *tile[4];
    enum tx_arch arch = TX_ARCH_NONE;
    if (argc < 3 || tx_arch_parse(argv[1], &arch) != TX_OK) {
        fprintf(stderr, "usage: campaign_cores bh|wh COUNT [SEED]\n");
        return 2;
    }
    const uint64_t count = strtoull(argv[2], NULL, 10);
    seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    tx_tensix_settings_default(&settings, arch);
    for (unsigned i = 0; i < 4; i++) {
        settings.untimed = i / 2 != 0;
        settings.machine.sink.event = i % 2 != 0 ? nothing : NULL;
        if (tx_tensix_open(&settings, &tile[i]) != TX_OK) {
            return 2;
        }
    }
    const size_t size = tx_tensix_snapshot_size(tile[0]);
    snapshot[0] = malloc(size);
    snapshot[1] = malloc(size);
    uint64_t done = 0;
    uint64_t cycles = 0;
    for (unsigned i = 0; snapshot[0] != NULL && snapshot[1] != NULL && done < count; i++) {
        const uint64_t began = seed;
        for (unsigned k = 0; k < 2; k++) {
            tx_tensix *t = tile[2 * (i % 2) + k];
            seed = began;
            done += batch(t);
            cycles += tx_tensix_cycles(t);
            take(t, snapshot[k]);
        }
        compare(size, began);
    }
    printf("%s: %llu instructions of five cores in %llu cycles, digest %016llx\n",
           tx_arch_short(arch), (unsigned long long)done, (unsigned long long)cycles,
           (unsigned long long)digest);
    for (unsigned i = 0; i < 4; i++) {
        tx_tensix_close(tile[i]);
    }
    free(snapshot[0]);
    free(snapshot[1]);
    return 0;
}
