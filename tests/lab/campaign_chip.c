/* SPDX-License-Identifier: Apache-2.0 */
/*
 * campaign_chip bh|wh POINTS [SEED]: programs of examples/chip, interrupted at so many random
 * cycles each, half of them while no tile may sleep. From a snapshot that was taken there the chip
 * comes to the same end as without it: L1, DRAM, registers, cycles, counters and instructions of
 * all tiles are compared.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tensix-lab/chip.h>

enum { LIMIT = 10000000, SKIPPED = 0 };

extern char **environ;

static uint64_t state;

static uint32_t draw(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33);
}

struct image {
    size_t size;
    uint8_t *bytes;
};

/* Ends the program: nothing below is expected to fail. */
static void need(int good, const char *what)
{
    if (!good) {
        fprintf(stderr, "campaign_chip: %s\n", what);
        exit(2);
    }
}

static struct image take(tx_chip *chip)
{
    struct image i = {.size = tx_chip_snapshot_size(chip)};
    i.bytes = malloc(i.size);
    need(i.bytes != NULL && tx_chip_snapshot(chip, i.bytes, i.size) == TX_OK, "no snapshot");
    return i;
}

static void give(tx_chip *chip, const struct image *i)
{
    need(tx_chip_restore(chip, i->bytes, i->size) == TX_OK, "a snapshot is refused");
}

struct visit {
    txl_chip *chip;
    bool sleeps; /* tiles that only wait may do so */
    unsigned points, wrong;
    uint64_t cycles; /* until it sleeps */
    uint64_t end;    /* until every core rests, at most STEP more */
};
enum { STEP = 16 };

static uint64_t mixed(uint64_t sum, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word = 0;
        memcpy(&word, (const uint8_t *)bytes + i, size - i < 8 ? size - i : 8);
        sum = (sum ^ word) * UINT64_C(0x100000001B3);
    }
    return sum;
}

/* A sum over what programs and reports can see of a tile. */
static uint64_t tile_sum(tx_chip *chip, size_t index, uint64_t sum)
{
    static uint8_t block[1 << 16];
    tx_tensix *tile = tx_chip_tensix(chip, index);
    const enum tx_arch arch = tx_machine_arch(tx_tensix_machine(tile));
    for (uint32_t at = 0; at < tx_l1_size(arch); at += sizeof block) {
        const uint32_t left = tx_l1_size(arch) - at;
        const uint32_t part = left < sizeof block ? left : (uint32_t)sizeof block;
        need(tx_tensix_read(tile, at, block, part) == TX_OK, "L1");
        sum = mixed(sum, block, part);
    }
    for (unsigned core = 0; core < TX_CORES; core++) {
        struct tx_core_state c;
        need(tx_tensix_core(tile, (enum tx_core)core, &c) == TX_OK, "a core");
        sum = mixed(sum, &c.pc, sizeof c.pc);
        sum = mixed(sum, &c.instructions, sizeof c.instructions);
        sum = mixed(sum, c.waited, sizeof c.waited);
        for (unsigned x = 0; x < 32; x++) {
            uint32_t value;
            need(tx_core_read(tile, (enum tx_core)core, x, &value) == TX_OK, "a register");
            sum = mixed(sum, &value, 4);
        }
    }
    for (unsigned i = 0; i < 124; i++) {
        uint32_t value;
        need(tx_chip_niu_read(chip, index, i % 2, 0x200 + i / 2 * 4, &value) == TX_OK, "NIU");
        sum = mixed(sum, &value, 4);
    }
    const uint64_t cycles = tx_tensix_cycles(tile);
    return mixed(sum, &cycles, sizeof cycles);
}

/* The result in DRAM, which both programs call by other names. */
static uint64_t result_sum(const struct visit *v, uint64_t sum)
{
    static uint8_t bytes[1 << 18];
    struct txl_error err = {.status = TXL_OK};
    struct txl_chip_buffer about;
    const char *name = "sum";
    if (txl_chip_buffer(&err, v->chip, name, &about) != TXL_OK) {
        name = "result";
        need(txl_chip_buffer(&err, v->chip, name, &about) == TXL_OK, "no result");
    }
    need(about.bytes <= sizeof bytes && about.bytes % 4 == 0, "a large result");
    need(txl_chip_buffer_read(&err, v->chip, name, bytes, about.bytes) == TXL_OK, err.message);
    return mixed(sum, bytes, about.bytes);
}

static uint64_t chip_sum(const struct visit *v)
{
    tx_chip *chip = txl_chip_chip(v->chip);
    struct txl_error err = {.status = TXL_OK};
    uint64_t sum = tx_chip_cycles(chip);
    unsigned columns;
    unsigned rows;
    txl_chip_grid(v->chip, &columns, &rows);
    for (unsigned i = 0; i < columns * rows; i++) {
        size_t index;
        need(txl_chip_index(&err, v->chip, i % columns, i / columns, &index) == TXL_OK, "a tile");
        sum = tile_sum(chip, index, sum);
    }
    return result_sum(v, sum);
}

static void keep_awake(const struct visit *v, bool awake)
{
    struct txl_error err = {.status = TXL_OK};
    unsigned columns;
    unsigned rows;
    txl_chip_grid(v->chip, &columns, &rows);
    for (unsigned i = 0; i < columns * rows; i++) {
        size_t index;
        need(txl_chip_index(&err, v->chip, i % columns, i / columns, &index) == TXL_OK, "a tile");
        need(tx_chip_watch(txl_chip_chip(v->chip), index, awake) == TX_OK, "a tile");
    }
}

/*
 * Returns what can be seen of the end after a snapshot in cycle "at", from which the chip runs on
 * for a while before it is set back to it.
 */
static uint64_t end_from(const struct visit *v, const struct image *start, uint64_t at)
{
    tx_chip *chip = txl_chip_chip(v->chip);
    give(chip, start);
    need(tx_chip_cycle(chip, at) == TX_OK, "a cycle fails");
    struct image here = take(chip);
    need(tx_chip_cycle(chip, draw() % 1000) == TX_OK, "a cycle fails");
    give(chip, &here);
    free(here.bytes);
    need(tx_chip_cycle(chip, v->cycles - at) == TX_OK, "a cycle fails");
    return chip_sum(v);
}

/* Returns whether every core of the program has come to its end. */
static bool all_rest(const struct visit *v)
{
    struct txl_error err = {.status = TXL_OK};
    unsigned columns;
    unsigned rows;
    bool rest = true;
    txl_chip_grid(v->chip, &columns, &rows);
    for (unsigned i = 0; i < columns * rows && rest; i++) {
        size_t index;
        need(txl_chip_index(&err, v->chip, i % columns, i / columns, &index) == TXL_OK, "a tile");
        for (unsigned core = 0; core < TX_CORES; core++) {
            struct tx_core_state s;
            tx_tensix *tile = tx_chip_tensix(txl_chip_chip(v->chip), index);
            need(tx_tensix_core(tile, (enum tx_core)core, &s) == TX_OK, "a core");
            rest = rest && s.rests;
        }
    }
    return rest;
}

/* Before the first cycle: goes to the end and back, and from each point to the end and back. */
static int visit(void *user, struct txl_error *err, txl_tensix *tile)
{
    struct visit *v = user;
    tx_chip *chip = txl_chip_chip(v->chip);
    const struct image start = take(chip);
    const uint64_t begin = tx_chip_cycles(chip);
    (void)err;
    (void)tile;
    need(tx_chip_run(chip, LIMIT) == TX_OK, "the program does not end");
    v->cycles = tx_chip_cycles(chip) - begin;
    give(chip, &start);
    for (v->end = 0; !all_rest(v); v->end += STEP) {
        need(v->end < v->cycles && tx_chip_cycle(chip, STEP) == TX_OK, "its cores do not end");
    }
    give(chip, &start);
    keep_awake(v, !v->sleeps);
    need(tx_chip_cycle(chip, v->cycles) == TX_OK, "a cycle fails");
    const uint64_t sum = chip_sum(v);
    for (unsigned i = 0; i < v->points; i++) {
        const uint64_t at = draw() % v->cycles;
        if (end_from(v, &start, at) != sum) {
            printf("from a snapshot in cycle %llu of %llu another end\n", (unsigned long long)at,
                   (unsigned long long)v->cycles);
            v->wrong++;
        }
    }
    give(chip, &start);
    keep_awake(v, false);
    free(start.bytes);
    return TXL_OK;
}

/* An array of 32-bit values, all of them drawn from the few that BF16 holds. */
static void array(const char *folder, const char *name, const char *type, unsigned rows,
                  unsigned columns)
{
    char path[512];
    char head[129];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    need(f != NULL, path);
    const int n =
        snprintf(head, sizeof head, "{'descr': '%s', 'fortran_order': False, 'shape': (%u, %u), }",
                 type, rows, columns);
    memset(head + n, ' ', sizeof head - (size_t)n);
    head[117] = '\n';
    need(fwrite("\x93NUMPY\x01\x00\x76\x00", 1, 10, f) == 10 && fwrite(head, 1, 118, f) == 118,
         path);
    for (unsigned i = 0; i < rows * columns; i++) {
        const uint32_t value = 0x3F800000u + (draw() % 64 << 16);
        need(fwrite(&value, 4, 1, f) == 1, path);
    }
    need(fclose(f) == 0, path);
}

static unsigned program(const char *folder, const char *product, const char *name, unsigned points,
                        bool sleeps)
{
    const struct txl_chip_options how = {.size = sizeof how, .product = product};
    struct txl_chip_options own = how;
    struct txl_chip_wants wants = {.size = sizeof wants};
    struct txl_error err = {.status = TXL_OK};
    char path[512];
    char include[512];
    size_t size = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    snprintf(include, sizeof include, "%s/include", TX_SOURCE_DIR);
    char *text = txl_read_file(&err, path, &size);
    need(text != NULL && txl_chip_wants(&err, path, text, size, &wants) == TXL_OK, path);
    own.columns = wants.columns;
    own.rows = wants.rows;
    struct visit v = {.points = points, .sleeps = sleeps};
    const struct txl_chip_program_options options = {.size = sizeof options,
                                                     .name = path,
                                                     .folder = folder,
                                                     .include = include,
                                                     .environment = environ};
    need(txl_chip_open(&err, &own, &v.chip) == TXL_OK, err.message);
    need(txl_chip_program(&err, v.chip, text, size, &options) == TXL_OK, err.message);
    need(txl_chip_attach(&err, v.chip, 0, 0, visit, &v) == TXL_OK, err.message);
    need(txl_chip_run(&err, v.chip) == TXL_OK, err.message);
    /* A core rests when its last store has left, some cycles after its last instruction. */
    const uint64_t cycles = txl_chip_result(v.chip)->cycles;
    need(cycles <= v.end + 1 && cycles + 2 * STEP >= v.end, "the run has another length");
    printf("%s on %s, tiles that wait %s: %llu cycles, %u snapshots, %u lead elsewhere\n", name,
           product, sleeps ? "sleep" : "run", (unsigned long long)v.cycles, points, v.wrong);
    txl_chip_close(v.chip);
    free(text);
    return v.wrong;
}

int main(int argc, char **argv)
{
    char top[] = "/tmp/tensix-campaign-XXXXXX";
    char folder[64];
    if (argc < 3) {
        fprintf(stderr, "campaign_chip bh|wh POINTS [SEED]\n");
        return 2;
    }
    if (system("riscv64-unknown-elf-g++ --version >/dev/null 2>&1") != 0) {
        printf("skipped: no riscv64-unknown-elf-g++ (make deps)\n");
        return SKIPPED;
    }
    const unsigned points = (unsigned)strtoul(argv[2], NULL, 10);
    state = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    need(mkdtemp(top) != NULL, top);
    char command[1024];
    snprintf(command, sizeof command, "cp -r '%s/examples/chip' '%s/examples/llk_style' %s",
             TX_SOURCE_DIR, TX_SOURCE_DIR, top);
    need(system(command) == 0, "the examples cannot be copied");
    snprintf(folder, sizeof folder, "%s/chip", top);
    array(folder, "a.npy", "<f4", 256, 512);
    array(folder, "b.npy", "<f4", 256, 512);
    array(folder, "words.npy", "<u4", 8, 64);
    const char *product = strcmp(argv[1], "wh") == 0 ? "n150" : "p150";
    unsigned wrong = 0;
    for (unsigned i = 0; i < 4; i++) {
        const char *name = i < 2 ? "pipeline.json" : "vecadd.json";
        wrong += program(folder, product, name, points / 2, i % 2 != 0);
    }
    snprintf(command, sizeof command, "rm -r %s", top);
    need(system(command) == 0, "the copies cannot be removed");
    return wrong != 0;
}
