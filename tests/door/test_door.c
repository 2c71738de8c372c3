/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The door of host tools, opened as tt-umd opens it: loaded at run time, windows set up by hand,
 * register layouts as spec/tile.md 12.3 states them.
 */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <tensix/chip.h>

struct door {
    void *library;
    bool blackhole;
    void (*start)(void);
    void (*stop)(void);
    uint32_t (*config)(uint32_t function, uint32_t offset);
    void (*config_write)(uint32_t function, uint32_t offset, uint32_t value);
    void (*read)(uint64_t address, void *bytes, uint32_t size);
    void (*write)(uint64_t address, const void *bytes, uint32_t size);
    void (*tile_read)(uint32_t x, uint32_t y, uint64_t address, void *bytes, uint32_t size);
    void (*tile_write)(uint32_t x, uint32_t y, uint64_t address, const void *bytes, uint32_t size);
    void (*clock)(uint32_t clocks);
    uint64_t bar0, bar4;
};

static void find(struct door *d, const char *name, void *function)
{
    void *at = dlsym(d->library, name);
    assert_non_null(at);
    memcpy(function, &at, sizeof at);
}

static struct door door_load(const char *chip)
{
    struct door d = {.blackhole = strcmp(chip, "bh") == 0};
    char path[512];
    snprintf(path, sizeof path, TX_BINARY_DIR "/ttsim/%s/libtensix-ttsim-%s.so", chip, chip);
    d.library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (d.library == NULL) {
        fail_msg("%s", dlerror());
    }
    find(&d, "libttsim_init", &d.start);
    find(&d, "libttsim_exit", &d.stop);
    find(&d, "libttsim_pci_config_rd32", &d.config);
    find(&d, "libttsim_pci_config_wr32", &d.config_write);
    find(&d, "libttsim_pci_mem_rd_bytes", &d.read);
    find(&d, "libttsim_pci_mem_wr_bytes", &d.write);
    find(&d, "libttsim_tile_rd_bytes", &d.tile_read);
    find(&d, "libttsim_tile_wr_bytes", &d.tile_write);
    find(&d, "libttsim_clock", &d.clock);
    /* With these two tt-umd would ask for eight more. */
    assert_null(dlsym(d.library, "libttsim_create_device_by_id"));
    assert_null(dlsym(d.library, "libttsim_select_device_by_id"));
    return d;
}

static struct door door_begin(const char *chip)
{
    struct door d = door_load(chip);
    d.start();
    d.bar0 = (d.config(0, 0x10) & ~15u) | (uint64_t)d.config(0, 0x14) << 32;
    d.bar4 = (d.config(0, 0x20) & ~15u) | (uint64_t)d.config(0, 0x24) << 32;
    return d;
}

static void door_end(struct door *d)
{
    d->stop();
    dlclose(d->library);
}

/* One window, bit by bit: address, x, y, first x, first y, and whether it multicasts. */
struct window {
    uint64_t address;
    unsigned x, y, first_x, first_y;
    bool many;
};

static void put(uint8_t *bytes, unsigned from, unsigned width, uint64_t value)
{
    for (unsigned i = 0; i < width; i++) {
        const unsigned bit = from + i;
        bytes[bit / 8] =
            (uint8_t)((bytes[bit / 8] & ~(1u << bit % 8)) | (value >> i & 1u) << bit % 8);
    }
}

static void set_window(struct door *d, unsigned index, unsigned log, const struct window *w)
{
    uint8_t bytes[12] = {0};
    const unsigned size = d->blackhole ? 12 : 8;
    const unsigned n = (d->blackhole ? 64 : 36) - log;
    put(bytes, 0, n, w->address >> log);
    put(bytes, n, 6, w->x);
    put(bytes, n + 6, 6, w->y);
    put(bytes, n + 12, 6, w->first_x);
    put(bytes, n + 18, 6, w->first_y);
    put(bytes, n + 24 + (d->blackhole ? 2 : 1), 1, w->many);
    for (unsigned i = 0; i < size; i += 4) {
        d->write(d->bar0 + 0x1FC00000 + (uint64_t)size * index + i, bytes + i, 4);
    }
}

static uint32_t word(struct door *d, uint64_t address)
{
    uint32_t value = 0;
    d->read(address, &value, 4);
    return value;
}

static void test_configuration(void **state)
{
    (void)state;
    static const struct {
        const char *chip;
        uint32_t id;
    } rows[] = {{"bh", 0xB1401E52}, {"wh", 0x401E1E52}};
    for (unsigned i = 0; i < 2; i++) {
        struct door d = door_begin(rows[i].chip);
        assert_int_equal(d.config(0, 0), rows[i].id);
        assert_true(d.bar0 == 0x100000000 && d.bar4 == 0x800000000);
        assert_int_equal(d.config(1 << 3, 0), 0xFFFFFFFF); /* no second device */
        assert_int_equal(d.config(0, 2), 0xFFFFFFFF);
        assert_int_equal(d.config(0, 0x1000), 0xFFFFFFFF);
        d.config_write(0, 4, 0x12346);
        assert_int_equal(d.config(0, 4), 0x2346);
        d.config_write(0, 0x10, 0);
        assert_int_equal(d.config(0, 0x10), 4);
        door_end(&d);
    }
}

/* Check 14: 8 KiB through a window into L1, and the reset register. Each kind of window. */
static void test_windows(void **state)
{
    (void)state;
    static const struct {
        const char *chip;
        unsigned index, log, x, y;
        uint64_t at;
        bool bar4;
    } rows[] = {{"bh", 0, 21, 1, 2, 0, false},
                {"bh", 201, 21, 1, 2, 201ull << 21, false},
                {"bh", 203, 32, 1, 2, 1ull << 32, true},
                {"wh", 3, 20, 1, 1, 3 << 20, false},
                {"wh", 157, 21, 18, 18, 0x9C00000 + (1 << 21), false}, /* translated */
                {"wh", 166, 24, 1, 1, 0xB000000, false},
                {"wh", 185, 24, 1, 1, 0, true}};
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct door d = door_begin(rows[i].chip);
        uint8_t out[8192];
        uint8_t in[8192];
        for (unsigned k = 0; k < sizeof out; k++) {
            out[k] = (uint8_t)(k * 7 + k / 251);
        }
        const uint64_t mask = (1ull << rows[i].log) - 1;
        const uint64_t at = (rows[i].bar4 ? d.bar4 : d.bar0) + rows[i].at;
        set_window(&d, rows[i].index, rows[i].log,
                   &(struct window){.x = rows[i].x, .y = rows[i].y});
        d.write(at + 0x20003, out, sizeof out);
        d.read(at + 0x20003, in, sizeof in);
        assert_memory_equal(in, out, sizeof out);
        d.tile_read(1, d.blackhole ? 2 : 1, 0x20003, in, sizeof in);
        assert_memory_equal(in, out, sizeof out);
        set_window(&d, rows[i].index, rows[i].log,
                   &(struct window){.address = 0xFFB121B0 & ~mask, .x = rows[i].x, .y = rows[i].y});
        assert_int_equal(word(&d, at + (0xFFB121B0 & mask)), 0x47800);
        door_end(&d);
    }
}

/* The ports of a bank of DRAM are one memory; multicast reaches a rectangle. */
static void test_places(void **state)
{
    (void)state;
    struct door d = door_begin("bh");
    const uint32_t a = 0x11111111;
    const uint32_t b = 0x22222222;
    set_window(&d, 5, 21, &(struct window){.address = 0x12000000, .x = 0, .y = 0});
    d.write(d.bar0 + (5 << 21) + 0x3FFE, &a, 4);
    assert_int_equal(word(&d, d.bar0 + (5 << 21) + 0x3FFE), a);
    set_window(&d, 5, 21, &(struct window){.address = 0x12000000, .x = 0, .y = 11});
    assert_int_equal(word(&d, d.bar0 + (5 << 21) + 0x3FFE), a); /* another port of it */
    set_window(&d, 5, 21, &(struct window){.address = 0x12000000, .x = 0, .y = 2});
    assert_int_equal(word(&d, d.bar0 + (5 << 21) + 0x3FFE), 0); /* another bank */
    set_window(&d, 6, 21, &(struct window){.x = 2, .y = 3, .first_x = 1, .first_y = 2, .many = 1});
    d.write(d.bar0 + (6 << 21) + 0x100, &b, 4);
    for (unsigned x = 1; x < 4; x++) {
        for (unsigned y = 2; y < 5; y++) {
            uint32_t value = 0;
            d.tile_read(x, y, 0x100, &value, 4);
            assert_int_equal(value, x < 3 && y < 4 ? b : 0);
        }
    }
    /* A register takes whole words: what is less is dropped. */
    const uint8_t byte = 0x5A;
    uint32_t value = 0x01020304;
    d.tile_write(1, 2, 0xFFB12068, &value, 4);
    d.tile_write(1, 2, 0xFFB12069, &byte, 1);
    d.tile_read(1, 2, 0xFFB12068, &value, 4);
    assert_int_equal(value, 0x01020304);
    door_end(&d);
}

/* A program at 0 that the host starts by SOFT_RESET_0 ends with its word in L1. */
static void test_program(void **state)
{
    (void)state;
    static const uint32_t program[] = {0x00021537,  /* lui a0, 0x21 */
                                       0x00052583,  /* lw a1, 0(a0) */
                                       0x02B58633,  /* mul a2, a1, a1 */
                                       0x00C52223,  /* sw a2, 4(a0) */
                                       0x0000006F}; /* j . */
    static const char *const chips[] = {"bh", "wh"};
    for (unsigned i = 0; i < 2; i++) {
        struct door d = door_begin(chips[i]);
        const unsigned y = d.blackhole ? 2 : 1;
        uint32_t value = 1234;
        d.tile_write(1, y, 0, program, sizeof program);
        d.tile_write(1, y, 0x21000, &value, 4);
        value = 0x47000;
        d.tile_write(1, y, 0xFFB121B0, &value, 4);
        d.tile_read(1, y, 0x21004, &value, 4);
        assert_int_equal(value, 0); /* time stands still but for the clock */
        for (unsigned k = 0; k < 10; k++) {
            d.clock(1);
            d.tile_read(1, y, 0x21004, &value, 4);
        }
        assert_int_equal(value, 1234 * 1234);
        door_end(&d);
    }
}

/* Reads a file whole into a text that the next call overwrites. */
static const char *text_of(const char *path)
{
    static char text[1 << 17];
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

/*
 * T0 pushes a SEMWAIT on a semaphore that nobody posts, and the host looks for its word in vain: it
 * is told once who waits for what, and the report says it too.
 */
static void test_waits(void **state)
{
    (void)state;
    static const uint32_t program[] = {0xFFE402B7,  /* lui t0, 0xffe40 */
                                       0xA6FF8337,  /* lui t1, 0xa6ff8 */
                                       0x00530313,  /* addi t1, t1, 5: SEMWAIT 511,1,1 */
                                       0x0062A023,  /* sw t1, 0(t0) */
                                       0x02000337,  /* lui t1, 0x2000: TTNOP */
                                       0x0062A023,  /* sw t1, 0(t0) */
                                       0x0000006F}; /* j . */
    char path[] = "/tmp/door-report-XXXXXX", said[] = "/tmp/door-said-XXXXXX";
    const int report = mkstemp(path), file = mkstemp(said), kept = dup(2);
    assert_true(report >= 0 && file >= 0);
    setenv("TENSIX_REPORT", path, 1);
    struct door d = door_begin("bh");
    uint32_t value = 0;
    d.tile_write(1, 2, 0x6000, program, sizeof program);
    value = 0x46800; /* T0 alone runs */
    d.tile_write(1, 2, 0xFFB121B0, &value, 4);
    dup2(file, 2);
    for (unsigned k = 0; k < 4 * 24; k++) {
        d.tile_read(1, 2, 0x21004, &value, 4);
        d.clock(1);
    }
    dup2(kept, 2);
    door_end(&d);
    unsetenv("TENSIX_REPORT");
    const char *text = text_of(said);
    assert_non_null(strstr(text, "Tensix tile (1, 2), cycle "));
    assert_non_null(strstr(text, "the host waits, and no Tensix instruction gets on:"));
    const char *wait = strstr(text, "tensix:   T0 waits since cycle");
    assert_non_null(wait);
    assert_non_null(strstr(wait, "for semaphore 0 (0 of 0) to be above 0"));
    assert_null(strstr(wait + 20, "T0 waits")); /* once */
    assert_non_null(strstr(text, "core t0 at 00006018, jal "));
    text = text_of(path);
    assert_non_null(strstr(text, "{\"version\": 1, \"chip\": \"blackhole\""));
    assert_non_null(strstr(text, "\"waits\": [\"T0 waits since cycle"));
    close(report);
    close(file);
    close(kept);
    unlink(path);
    unlink(said);
}

/* Takes the value of a key out of a report, with what JSON escapes. */
static void value_of(const char *report, const char *key, char *to, size_t size)
{
    const char *at = strstr(report, key);
    assert_non_null(at);
    size_t n = 0;
    for (at += strlen(key); *at != '"' && *at != '\0' && n + 1 < size; at++) {
        at += *at == '\\' ? 1 : 0;
        to[n++] = *at;
    }
    to[n] = '\0';
}

static const char *output_of(const char *command, int *status)
{
    static char text[8192];
    FILE *run = popen(command, "re");
    assert_non_null(run);
    text[fread(text, 1, sizeof text - 1, run)] = '\0';
    *status = pclose(run);
    return text;
}

/*
 * T0 pushes an instruction that is a finding, waits for a word that the host stores while it runs,
 * multiplies, and says so. The command in the report does all that again: with the word of the host
 * it ends as it did, and without it does not.
 */
static void test_replay(void **state)
{
    (void)state;
    static const uint32_t program[] = {0xFFE402B7,  /* lui t0, 0xffe40 */
                                       0x7C000337,  /* lui t1, 0x7c000 */
                                       0x04C30313,  /* addi t1, t1, 0x4c: SFPMOV of no mode */
                                       0x0062A023,  /* sw t1, 0(t0) */
                                       0x00021537,  /* lui a0, 0x21 */
                                       0x01052583,  /* lw a1, 16(a0) */
                                       0xFE058EE3,  /* beq a1, zero, .-4 */
                                       0x00052603,  /* lw a2, 0(a0) */
                                       0x02B60633,  /* mul a2, a2, a1 */
                                       0x00C52223,  /* sw a2, 4(a0) */
                                       0x0000006F}; /* j . */
    static const char *const chips[] = {"bh", "wh"};
    for (unsigned i = 0; i < 2; i++) {
        char folder[] = "/tmp/door it's-XXXXXX", path[64], command[9000], shorter[9000];
        assert_non_null(mkdtemp(folder));
        snprintf(path, sizeof path, "%s/report", folder);
        setenv("TENSIX_REPORT", path, 1);
        setenv("TENSIX_COMMAND", TX_BINARY_DIR "/tensix", 1);
        struct door d = door_begin(chips[i]);
        const unsigned y = d.blackhole ? 2 : 1;
        uint32_t value = 1234;
        d.tile_write(1, y, 0x6000, program, sizeof program);
        d.tile_write(1, y, 0x21000, &value, 4);
        value = 0x46800; /* T0 alone runs */
        d.tile_write(1, y, 0xFFB121B0, &value, 4);
        for (unsigned k = 0; k < 16; k++) {
            d.clock(1);
            d.tile_read(1, y, 0x21004, &value, 4);
            assert_int_equal(value, k < 8 ? 0 : value);
            if (k == 8) {
                value = 7;
                d.tile_write(1, y, 0x21010, &value, 4);
            }
        }
        assert_int_equal(value, 1234 * 7);
        door_end(&d);
        unsetenv("TENSIX_REPORT");
        unsetenv("TENSIX_COMMAND");
        assert_non_null(strstr(text_of(path), "\"core\": \"t0\", \"pc\": \"0x0000600c\""));
        value_of(text_of(path), "\"replay\": \"", command, sizeof command);
        assert_non_null(strstr(command, " --poke 0x21010=0x7@"));
        assert_non_null(strstr(command, " --until 0x21004=0x21BE")); /* 8638 */
        const char *run = strstr(text_of(path), "\"run\": {");
        assert_non_null(run); /* with the rule that the session found */
        assert_non_null(strstr(run, "SFPMOV"));
        int status;
        const char *text = output_of(command, &status);
        if (status != 0 || strstr(text, "SFPMOV") == NULL) {
            fail_msg("%s\n%s", command, text);
        }
        const char *poke = strstr(command, " --poke 0x21010");
        snprintf(shorter, sizeof shorter, "%.*s%s 2>&1", (int)(poke - command), command,
                 poke + 1 + strcspn(poke + 1, " ") + 1 + strcspn(poke + 8, " "));
        assert_non_null(strstr(output_of(shorter, &status), ""));
        assert_int_not_equal(status, 0);
        snprintf(command, sizeof command, "rm -r \"%s\"", folder);
        assert_int_equal(system(command), 0);
    }
}

/*
 * A host that looks at one place again and again waits, and so does one that looks at three in
 * turn: the chip runs further with each look.
 */
static void test_pace(void **state)
{
    (void)state;
    static const struct {
        bool writes;
        unsigned places;
        uint32_t cycles; /* of eight clocks */
    } rows[] = {{false, 1, 16 + 16 + 32 + 64 + 128 + 256 + 512 + 1024},
                {false, 3, 4 * 16 + 32 + 64 + 128 + 256},
                {true, 1, 8 * 16},
                {false, 8, 8 * 16}};
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct door d = door_begin("bh");
        uint32_t value = 0;
        for (unsigned k = 0; k < 8; k++) {
            d.clock(1);
            if (rows[i].writes) {
                d.tile_write(1, 2, 0x100, &value, 4);
            }
            d.tile_read(1, 2, 0x200 + 4 * (k % rows[i].places), &value, 4);
        }
        d.tile_read(1, 2, 0xFFB121F0, &value, 4);
        assert_int_equal(value, rows[i].cycles);
        door_end(&d);
    }
}

/* A clock of the interface is as many cycles as the environment says. */
static void test_cycles(void **state)
{
    (void)state;
    setenv("TENSIX_CYCLES_PER_CLOCK", "250", 1);
    struct door d = door_begin("wh");
    unsetenv("TENSIX_CYCLES_PER_CLOCK");
    d.clock(3);
    uint32_t low = 0;
    d.tile_read(1, 1, 0xFFB121F0, &low, 4);
    assert_int_equal(low, 750);
    door_end(&d);
}

/* Without time a clock is 16 instructions: three divisions and a store are among them. */
static void test_untimed(void **state)
{
    (void)state;
    static const uint32_t program[] = {0x00021537,  /* lui a0, 0x21 */
                                       0x00200593,  /* li a1, 2 */
                                       0x02B545B3,  /* div a1, a0, a1 */
                                       0x02A5C5B3,  /* div a1, a1, a0 */
                                       0x02A5C5B3,  /* div a1, a1, a0 */
                                       0x00A52023,  /* sw a0, 0(a0) */
                                       0x0000006F}; /* j . */
    for (unsigned i = 0; i < 2; i++) {
        if (i != 0) {
            setenv("TENSIX_UNTIMED", "1", 1);
        }
        struct door d = door_begin("bh");
        unsetenv("TENSIX_UNTIMED");
        uint32_t value = 0;
        d.tile_write(1, 2, 0, program, sizeof program);
        d.tile_write(1, 2, 0x21000, &value, 4);
        value = 0x47000;
        d.tile_write(1, 2, 0xFFB121B0, &value, 4);
        d.clock(1);
        d.tile_read(1, 2, 0x21000, &value, 4);
        assert_int_equal(value, i == 0 ? 0 : 0x21000);
        door_end(&d);
    }
}

/* ARC's telemetry table by its pointers, and a message, each as the chip has it. */
static void test_arc_blackhole(void **state)
{
    (void)state;
    struct door d = door_begin("bh");
    uint32_t at[2] = {0};
    uint32_t status = 0;
    d.tile_read(8, 0, 0x80030408, &status, 4);
    assert_int_equal(status, 5);
    d.tile_read(8, 0, 0x80030434, &at[0], 4);
    d.tile_read(8, 0, 0x80030430, &at[1], 4);
    uint32_t head[2];
    d.tile_read(8, 0, at[0], head, sizeof head);
    bool clock = false;
    for (uint32_t i = 0; i < head[1]; i++) {
        uint32_t row = 0;
        uint32_t value = 0;
        d.tile_read(8, 0, at[0] + 8 + 4 * i, &row, 4);
        d.tile_read(8, 0, at[1] + 4 * (row >> 16), &value, 4);
        clock = clock || ((row & 0xFFFF) == 14 && value == 1350);
    }
    assert_true(clock);
    /* The queue: head of 32 bytes, 8 requests, 8 answers. */
    uint32_t block = 0;
    uint32_t queue = 0;
    d.tile_read(8, 0, 0x8003042C, &block, 4);
    d.tile_read(8, 0, block, &queue, 4);
    const uint32_t request[8] = {0x34};
    const uint32_t one = 1;
    const uint32_t interrupt = 1 << 16;
    uint32_t answer[8] = {0};
    d.tile_write(8, 0, queue + 32, request, sizeof request);
    d.tile_write(8, 0, queue, &one, 4);
    d.tile_write(8, 0, 0x80030100, &interrupt, 4);
    uint32_t read = 0;
    uint32_t written = 0;
    d.tile_read(8, 0, queue + 0x10, &read, 4);
    d.tile_read(8, 0, queue + 0x14, &written, 4);
    assert_true(read == 1 && written == 1);
    d.tile_read(8, 0, queue + 32 + 8 * 32, answer, sizeof answer);
    assert_true(answer[0] == 0 && answer[1] == 1350);
    /* Its own interfaces to the NoC say that coordinates are translated. */
    assert_int_equal(word(&d, d.bar0 + 0x1FD04100) & 1u << 14, 1 << 14);
    door_end(&d);
}

static void test_arc_wormhole(void **state)
{
    (void)state;
    struct door d = door_begin("wh");
    assert_int_equal(word(&d, d.bar0 + 0x1FF30060), 0xC0DE0001);
    uint32_t value = 0;
    d.tile_read(0, 10, 0x880030060, &value, 4);
    assert_int_equal(value, 0xC0DE0001);
    value = 0xAA34; /* the clock, in MHz */
    d.write(d.bar0 + 0x1FF30074, &value, 4);
    value = 1 << 16;
    d.write(d.bar0 + 0x1FF30100, &value, 4);
    assert_int_equal(word(&d, d.bar0 + 0x1FF30074), 0x34);
    assert_int_equal(word(&d, d.bar0 + 0x1FF3006C), 1000);
    assert_int_equal(word(&d, d.bar0 + 0x1FF30100), 0);
    door_end(&d);
}

/* What is wrong is told on stderr and has no effect; the process goes on. */
static void test_wrong(void **state)
{
    (void)state;
    struct door d = door_load("bh");
    FILE *kept = freopen(TX_BINARY_DIR "/tests/door/stderr.txt", "w", stderr);
    assert_non_null(kept);
    uint32_t value = 0;
    d.read(0x100000000, &value, 4);
    assert_int_equal(value, 0xFFFFFFFF);
    d.clock(1);
    d.stop();
    setenv("TENSIX_CYCLES_PER_CLOCK", "many", 1);
    d.start();
    unsetenv("TENSIX_CYCLES_PER_CLOCK");
    d.start();
    assert_int_equal(word(&d, 0x42), 0xFFFFFFFF);
    assert_int_equal(word(&d, 0x100000000 + 0x1F000000), 0xFFFFFFFF);
    d.tile_read(1, 2, 0xFF000000, &value, 4);
    assert_int_equal(value, 0xFFFFFFFF);
    d.tile_read(1, 2, 0x123456789A, &value, 4);
    assert_int_equal(value, 0xFFFFFFFF);
    d.tile_write(1, 2, 0x180000 - 2, &value, 4); /* half in L1, half behind it: dropped */
    d.tile_read(1, 2, 0x180000 - 4, &value, 4);
    assert_int_equal(value, 0);
    d.stop();
    fflush(stderr);
    char text[4096] = "";
    FILE *f = fopen(TX_BINARY_DIR "/tests/door/stderr.txt", "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    static const char *const lines[] = {
        "before libttsim_init", "a second time", "TENSIX_CYCLES_PER_CLOCK is no number",
        "nothing is at PCI address 42", "nothing answers at ff000000 of (1, 2)"};
    for (unsigned i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        assert_non_null(strstr(text, lines[i]));
    }
    dlclose(d.library);
}

/* A core multiplies a word that nobody wrote: told with what it means and what to change. */
static void test_advice(void **state)
{
    (void)state;
    static const uint32_t program[] = {0x00021537,  /* lui a0, 0x21 */
                                       0x00052583,  /* lw a1, 0(a0) */
                                       0x02B58633,  /* mul a2, a1, a1 */
                                       0x0000006F}; /* j . */
    char said[] = "/tmp/door-said-XXXXXX";
    const int file = mkstemp(said);
    const int kept = dup(2);
    assert_true(file >= 0);
    struct door d = door_begin("bh");
    uint32_t value = 0x47000;
    d.tile_write(1, 2, 0, program, sizeof program);
    d.tile_write(1, 2, 0xFFB121B0, &value, 4);
    dup2(file, 2);
    for (unsigned k = 0; k < 10; k++) {
        d.clock(1);
    }
    dup2(kept, 2);
    door_end(&d);
    const char *first = strstr(text_of(said), "E-L1INIT");
    assert_non_null(first);
    const char *means = strstr(first, "\ntensix:   on a card: these bytes hold ");
    assert_non_null(means);
    assert_non_null(strstr(means, "\ntensix:   change: write the bytes before they are read"));
    close(file);
    close(kept);
    unlink(said);
}

/* The descriptions for tt-umd name the tiles of the products that the doors open. */
static void test_descriptor(void **state)
{
    (void)state;
    static const struct {
        const char *file, *product;
        unsigned workers;
    } rows[] = {{"door/bh/soc_descriptor.yaml", "p150", 140},
                {"door/wh/soc_descriptor.yaml", "n150", 80}};
    static const struct {
        const char *key;
        enum tx_chip_kind kind;
    } keys[] = {{"arc:", TX_CHIP_ARC},
                {"pcie:", TX_CHIP_PCIE},
                {"dram:", TX_CHIP_DRAM},
                {"eth:", TX_CHIP_ETHERNET},
                {"functional_workers:", TX_CHIP_TENSIX}};
    for (unsigned i = 0; i < 2; i++) {
        static char text[16384];
        struct tx_chip_settings settings;
        struct tx_chip_tile tile;
        tx_chip *chip;
        assert_int_equal(tx_chip_settings_default(&settings, rows[i].product), TX_OK);
        assert_int_equal(tx_chip_open(&settings, &chip), TX_OK);
        uint32_t width;
        uint32_t height;
        tx_chip_grid(chip, &width, &height);
        FILE *f = fopen(rows[i].file, "r");
        assert_non_null(f);
        text[fread(text, 1, sizeof text - 1, f)] = '\0';
        fclose(f);
        for (unsigned k = 0; k < sizeof keys / sizeof keys[0]; k++) {
            unsigned there = 0;
            unsigned named = 0;
            for (size_t n = 0; tx_chip_tile_at(chip, n, &tile) == TX_OK; n++) {
                there += tile.kind == keys[k].kind;
            }
            const char *at = strstr(text, keys[k].key);
            assert_non_null(at);
            /* Numbers with a dash between them, up to the next key. */
            for (at += strlen(keys[k].key); *at != '\0' && *at != ':' && *at != '#'; at++) {
                unsigned x;
                unsigned y;
                if (*at >= '0' && *at <= '9' && (at[-1] < '0' || at[-1] > '9') && at[-1] != '-' &&
                    sscanf(at, "%u-%u", &x, &y) == 2) {
                    assert_int_equal(tx_chip_tile_at(chip, x + (size_t)y * width, &tile), TX_OK);
                    assert_int_equal(tile.kind, keys[k].kind);
                    named++;
                }
            }
            assert_int_equal(named, there);
            assert_true(keys[k].kind != TX_CHIP_TENSIX || named == rows[i].workers);
        }
        tx_chip_close(chip);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_configuration), cmocka_unit_test(test_windows),
        cmocka_unit_test(test_places),        cmocka_unit_test(test_program),
        cmocka_unit_test(test_waits),         cmocka_unit_test(test_replay),
        cmocka_unit_test(test_pace),          cmocka_unit_test(test_cycles),
        cmocka_unit_test(test_untimed),       cmocka_unit_test(test_arc_blackhole),
        cmocka_unit_test(test_arc_wormhole),  cmocka_unit_test(test_advice),
        cmocka_unit_test(test_wrong),         cmocka_unit_test(test_descriptor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
