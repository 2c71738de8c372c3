/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host's side of a chip: what recorded vectors leave out. Expectations are those of
 * spec/chip.md 7 and 8, with addresses and fields written out here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tensix/pcie.h>

#include "coverage/coverage.h"

struct side {
    tx_chip *chip;
    tx_pcie *pcie;
};

static struct side open_side(const char *product)
{
    struct tx_chip_settings settings;
    struct side s = {NULL, NULL};
    assert_int_equal(tx_chip_settings_default(&settings, product), TX_OK);
    assert_int_equal(tx_chip_open(&settings, &s.chip), TX_OK);
    assert_int_equal(tx_pcie_open(s.chip, &s.pcie), TX_OK);
    return s;
}

static void close_side(struct side s)
{
    for (size_t i = 0; i < tx_chip_finding_count(s.chip); i++) {
        const struct tx_finding *f = tx_chip_finding_at(s.chip, i);
        coverage_add(&coverage.findings[f->category], f->rule);
    }
    tx_pcie_close(s.pcie);
    tx_chip_close(s.chip);
}

static uint32_t bar_get(struct side s, unsigned bar, uint64_t offset)
{
    uint8_t b[4];
    (void)tx_pcie_read(s.pcie, bar, offset, b, sizeof b);
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void bar_set(struct side s, unsigned bar, uint64_t offset, uint32_t value)
{
    const uint8_t b[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                          (uint8_t)(value >> 24)};
    (void)tx_pcie_write(s.pcie, bar, offset, b, sizeof b);
}

static bool found(struct side s, const char *name)
{
    for (size_t i = 0; i < tx_chip_finding_count(s.chip); i++) {
        const char *at = strstr(tx_chip_finding_at(s.chip, i)->message, name);
        if (at != NULL && at[strlen(name)] == ')') {
            return true;
        }
    }
    return false;
}

static uint32_t telemetry(struct side s, unsigned tag)
{
    uint32_t value = 0;
    assert_int_equal(tx_pcie_telemetry(s.pcie, tag, &value), TX_OK);
    return value;
}

/* Configures Blackhole's window of 2 MiB, or Wormhole's of 1 MiB, with that number. */
static void window(struct side s, unsigned number, unsigned x, unsigned y, uint64_t high,
                   uint32_t flags)
{
    if (tx_chip_arch(s.chip) == TX_BLACKHOLE) {
        const uint64_t at = 0x1FC00000 + 12ull * number;
        const uint64_t low = (high & 0x7FFFFFFFFFF) | (uint64_t)x << 43 | (uint64_t)y << 49;
        bar_set(s, 0, at, (uint32_t)low);
        bar_set(s, 0, at + 4, (uint32_t)(low >> 32));
        bar_set(s, 0, at + 8, flags);
    } else {
        const uint64_t at = 0x1FC00000 + 8ull * number;
        const uint64_t low = (high & 0xFFFF) | (uint64_t)x << 16 | (uint64_t)y << 22;
        bar_set(s, 0, at, (uint32_t)low);
        bar_set(s, 0, at + 4, (uint32_t)(low >> 32) | flags);
    }
}

static void test_config(void **state)
{
    (void)state;
    const struct side s = open_side("p150");
    const struct side w = open_side("n150");
    assert_int_equal(tx_pcie_config_read(s.pcie, 0), 0xB1401E52);
    assert_int_equal(tx_pcie_config_read(w.pcie, 0), 0x401E1E52);
    assert_int_equal(tx_pcie_config_read(w.pcie, 8), 0x12000001);
    assert_int_equal(tx_pcie_config_read(s.pcie, 2), UINT32_MAX);
    assert_int_equal(tx_pcie_config_read(s.pcie, 0x40), 0); /* no capabilities */
    tx_pcie_config_write(s.pcie, 0, 0);
    assert_int_equal(tx_pcie_config_read(s.pcie, 0), 0xB1401E52);
    tx_pcie_config_write(s.pcie, 4, 0xFFFFFFFF);
    assert_int_equal(tx_pcie_config_read(s.pcie, 4), 0xFFFF);
    /* BAR 4: 32 GiB and 32 MiB; what was there comes back. */
    tx_pcie_config_write(s.pcie, 0x20, 0xFFFFFFFF);
    tx_pcie_config_write(s.pcie, 0x24, 0xFFFFFFFF);
    assert_int_equal(tx_pcie_config_read(s.pcie, 0x20), 4);
    assert_int_equal(tx_pcie_config_read(s.pcie, 0x24), 0xFFFFFFF8);
    tx_pcie_config_write(s.pcie, 0x24, 8);
    assert_int_equal(tx_pcie_config_read(s.pcie, 0x24), 8);
    tx_pcie_config_write(w.pcie, 0x20, 0xFFFFFFFF);
    assert_int_equal(tx_pcie_config_read(w.pcie, 0x20), 0xFE000004);
    close_side(s);
    close_side(w);
}

static void test_telemetry(void **state)
{
    (void)state;
    const struct side p150 = open_side("p150");
    const struct side p100 = open_side("p100");
    const struct side n150 = open_side("n150");
    uint32_t value;
    assert_int_equal(telemetry(p150, 1) >> 4 & 0xFFFF, 0x40);
    assert_int_equal(telemetry(n150, 1) >> 4 & 0xFFFF, 0x18);
    assert_int_equal(telemetry(p150, 34), 0x3FFF);
    assert_int_equal(telemetry(p150, 35), 0x0FFF);
    assert_int_equal(telemetry(p150, 36), 0xFF);
    assert_int_equal(telemetry(p150, 38), 1);
    assert_int_equal(telemetry(p150, 22), 0x5555);
    assert_int_equal(telemetry(n150, 22), 0x555);
    assert_int_equal(telemetry(n150, 21), 0xFFFF);
    assert_int_equal(telemetry(n150, 14), 1000);
    assert_int_equal(tx_pcie_telemetry(n150.pcie, 38, &value), TX_ENOENT);
    /* Two columns and one bank less, no Ethernet, and the other PCIe tile. */
    assert_int_equal(telemetry(p100, 34), 0x0FFF);
    assert_int_equal(telemetry(p100, 35), 0);
    assert_int_equal(telemetry(p100, 36), 0x7F);
    assert_int_equal(telemetry(p100, 22), 0x1555);
    assert_int_equal(telemetry(p100, 38), 4);
    close_side(p150);
    close_side(p100);
    close_side(n150);
}

/* The heartbeat moves with every look and with time. */
static void test_heartbeat(void **state)
{
    (void)state;
    const struct side s = open_side("n150");
    const uint32_t table = bar_get(s, 0, 0x1FF301D0) - 0x10000000;
    const uint32_t values = bar_get(s, 0, 0x1FF301D4) - 0x10000000;
    const uint32_t count = bar_get(s, 0, 0x1FE80000 + table + 4);
    uint32_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t entry = bar_get(s, 0, 0x1FE80000 + table + 8 + 4 * i);
        at = (entry & 0xFFFF) == 32 ? values + 4 * (entry >> 16) : at;
    }
    assert_int_not_equal(at, 0);
    const uint32_t first = bar_get(s, 0, 0x1FE80000 + at);
    assert_int_not_equal(bar_get(s, 0, 0x1FE80000 + at), first);
    /* That of an Ethernet tile, by which luwen sees that its firmware runs. */
    const struct tx_chip_place ethernet = {.x = 9, .y = 0};
    uint8_t beats[2][4] = {{0}};
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(tx_chip_read(s.chip, ethernet, 0x1C, beats[i], 4), TX_OK);
    }
    assert_memory_not_equal(beats[0], beats[1], 4);
    close_side(s);
}

static void bh_arc(struct side s)
{
    window(s, 3, 8, 0, 0x80000000 >> 21, 1u << 6); /* ordering: strict */
    window(s, 4, 8, 0, 0x10000000 >> 21, 1u << 6);
}

enum { BH_UNIT = 3 * 0x200000 + 0x30000, BH_MEMORY = 4 * 0x200000 };

/* Pushes a message into queue 2 of Blackhole's ARC and returns the first two words of its answer.
 */
static void message(struct side s, uint32_t word, uint32_t argument, uint32_t answer[2])
{
    const uint32_t block = bar_get(s, 0, BH_UNIT + 0x42C) - 0x10000000;
    const uint32_t base = bar_get(s, 0, BH_MEMORY + block) - 0x10000000;
    const uint32_t sizes = bar_get(s, 0, BH_MEMORY + block + 4);
    assert_int_equal(sizes, 8 | 4 << 8);
    const uint64_t queue = BH_MEMORY + base + 2 * (32 + 64 * 8);
    const uint32_t written = bar_get(s, 0, queue);
    const uint32_t read = bar_get(s, 0, queue + 4);
    bar_set(s, 0, queue + 32 + 32ull * (written % 8), word);
    bar_set(s, 0, queue + 36 + 32ull * (written % 8), argument);
    bar_set(s, 0, queue, (written + 1) % 16);
    bar_set(s, 0, 3 * 0x200000 + 0xB0000, 1);
    assert_int_equal(bar_get(s, 0, queue + 0x10), (written + 1) % 16);
    assert_int_equal(bar_get(s, 0, queue + 0x14), (read + 1) % 16);
    answer[0] = bar_get(s, 0, queue + 32 + 256 + 32ull * (read % 8));
    answer[1] = bar_get(s, 0, queue + 36 + 256 + 32ull * (read % 8));
    bar_set(s, 0, queue + 4, (read + 1) % 16);
}

static void test_messages(void **state)
{
    (void)state;
    const struct side s = open_side("p150");
    uint32_t answer[2];
    bh_arc(s);
    for (unsigned i = 0; i < 40; i++) { /* around the ring more than once */
        message(s, 0x90, i, answer);
        assert_int_equal(answer[0], 0);
        assert_int_equal(answer[1], i + 1);
    }
    message(s, 0x54, 0, answer);
    assert_int_equal(telemetry(s, 14), 800);
    message(s, 0x34, 0, answer);
    assert_int_equal(answer[1], 800);
    message(s, 0x52, 0, answer);
    assert_int_equal(telemetry(s, 14), 1350);
    assert_false(found(s, "arc-unknown"));
    message(s, 0xEE, 0, answer);
    assert_int_equal(answer[0] & 0xFF, 0xFF);
    assert_true(found(s, "arc-unknown"));
    close_side(s);
}

/* More messages than entries, and a reset of the whole chip. */
static void test_messages_edge(void **state)
{
    (void)state;
    const struct side s = open_side("p150");
    bh_arc(s);
    const uint32_t block = bar_get(s, 0, BH_UNIT + 0x42C) - 0x10000000;
    const uint32_t base = bar_get(s, 0, BH_MEMORY + block) - 0x10000000;
    bar_set(s, 0, BH_MEMORY + base, 11);
    bar_set(s, 0, BH_UNIT + 0x100, 1u << 16);
    assert_int_equal(bar_get(s, 0, BH_UNIT + 0x100), 0);
    assert_true(found(s, "arc-queue-full"));
    bar_set(s, 0, BH_UNIT + 0x60 + 4, 0x12345678);
    assert_int_equal(bar_get(s, 0, BH_UNIT + 0x64), 0x12345678);
    bar_set(s, 0, BH_MEMORY + base + 32, 0x56); /* the first entry is written anew */
    bar_set(s, 0, BH_MEMORY + base + 0x10, 0);
    bar_set(s, 0, BH_MEMORY + base, 1);
    bar_set(s, 0, BH_UNIT + 0x100, 1u << 16);
    bh_arc(s); /* windows point to (0, 0) again */
    assert_int_equal(bar_get(s, 0, BH_UNIT + 0x64), 0);
    assert_int_equal(bar_get(s, 0, BH_UNIT + 0x408), 5);
    close_side(s);
}

static void test_wormhole_message(void **state)
{
    (void)state;
    const struct side s = open_side("n150");
    const struct {
        uint32_t code, answer, status;
    } cases[] = {{0x34, 1000, 0x34}, {0x58, 1, 0x58}, {0xEE, 0, 0xFFFFFFFF}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bar_set(s, 0, 0x1FF3006C, 0);
        bar_set(s, 0, 0x1FF30074, 0xAA00 | cases[i].code);
        bar_set(s, 0, 0x1FF30100, 1u << 16);
        assert_int_equal(bar_get(s, 0, 0x1FF30100), 0);
        assert_int_equal(bar_get(s, 0, 0x1FF3006C), cases[i].answer);
        assert_int_equal(bar_get(s, 0, 0x1FF30074), cases[i].status);
    }
    /*
     * The older table on cards: luwen takes what the message answers for an address of ARC and
     * looks in BAR 0, UMD adds 0x8_1000_0000 and asks over the NoC (it knows 0x8_2007_8D60 of
     * cards).
     */
    const struct tx_chip_place arc = {.x = 0, .y = 10};
    uint8_t mark[4] = {0};
    uint32_t answer = 0;
    for (unsigned cards = 0; cards < 2; cards++) {
        tx_pcie_firmware(s.pcie, cards != 0);
        bar_set(s, 0, 0x1FF3006C, 0);
        bar_set(s, 0, 0x1FF30074, 0xAA2C);
        bar_set(s, 0, 0x1FF30100, 1u << 16);
        assert_int_equal(bar_get(s, 0, 0x1FF30074), 0x2C);
        answer = bar_get(s, 0, 0x1FF3006C);
        assert_int_equal(answer >> 28, cards);
    }
    assert_int_equal(bar_get(s, 0, 0x1FE80000 + (answer - 0x10000000)), 0xBA5E0001);
    assert_int_equal(tx_chip_read(s.chip, arc, 0x810000000 + answer, mark, 4), TX_OK);
    assert_memory_equal(mark, "\x01\x00\x5E\xBA", 4);
    /* UMD 0.9.12 asks there without a message; word 49 is the version of the bundle, 18.4. */
    assert_int_equal(tx_chip_read(s.chip, arc, 0x820078D60 + 4 * 49, mark, 4), TX_OK);
    assert_memory_equal(mark, "\x00\x00\x04\x12", 4);
    assert_int_equal(tx_chip_read(s.chip, arc, 0x820080000, mark, 4), TX_ENOENT);
    close_side(s);
}

/* ---- the host's memory ---- */

static uint8_t memory[0x10000];
static uint64_t memory_first, memory_last;

static void read_memory(void *user, uint64_t address, void *bytes, size_t size)
{
    (void)user;
    memory_first = address;
    memory_last = address + size;
    memcpy(bytes, memory + address % 0x8000, size);
}

static void write_memory(void *user, uint64_t address, const void *bytes, size_t size)
{
    (void)user;
    memory_first = address;
    memory_last = address + size;
    memcpy(memory + address % 0x8000, bytes, size);
}

static void attach(struct side s)
{
    const struct tx_pcie_memory outside = {
        .struct_size = sizeof outside, .read = read_memory, .write = write_memory};
    memset(memory, 0, sizeof memory);
    assert_int_equal(tx_pcie_memory(s.pcie, &outside), TX_OK);
}

static void region(struct side s, uint64_t at, uint64_t base, uint64_t limit, uint64_t target)
{
    bar_set(s, 2, at + 0x08, (uint32_t)base);
    bar_set(s, 2, at + 0x0C, (uint32_t)(base >> 32));
    bar_set(s, 2, at + 0x10, (uint32_t)limit);
    bar_set(s, 2, at + 0x14, (uint32_t)target);
    bar_set(s, 2, at + 0x18, (uint32_t)(target >> 32));
    if (tx_chip_arch(s.chip) == TX_BLACKHOLE) {
        bar_set(s, 2, at + 0x20, (uint32_t)(limit >> 32));
        bar_set(s, 2, at, 1u << 13);
    }
    bar_set(s, 2, at + 4, 0x80000000);
}

static void test_regions(void **state)
{
    (void)state;
    const struct side s = open_side("p150");
    uint8_t bytes[16];
    attach(s);
    /* PCIe 0 by its translated coordinates; bit 60: through the regions. */
    const struct tx_chip_place pcie = {.noc = 0, .x = 19, .y = 24};
    const uint64_t at = 1ull << 60;
    assert_int_equal(tx_chip_read(s.chip, pcie, at + 0x5000, bytes, 16), TX_OK);
    assert_true(memory_first == 0x5000); /* identity */
    region(s, 0x1000 + 0x200 * 2, 0x4000, 0x4FFF, 0xAB00000000);
    assert_int_equal(tx_chip_read(s.chip, pcie, at + 0x4010, bytes, 16), TX_OK);
    assert_true(memory_first == 0xAB00000010);
    /* Across its end: each part by its own. */
    assert_int_equal(tx_chip_read(s.chip, pcie, at + 0x4FF8, bytes, 16), TX_OK);
    assert_true(memory_first == 0x5000 && memory_last == 0x5008);
    assert_false(found(s, "iatu-overlap"));
    region(s, 0x1000 + 0x200 * 1, 0x4800, 0x48FF, 0xCD00000000);
    assert_int_equal(tx_chip_read(s.chip, pcie, at + 0x4810, bytes, 16), TX_OK);
    assert_true(memory_first == 0xCD00000010); /* the lower number */
    assert_true(found(s, "iatu-overlap"));
    /* Windows 0 to 3 do not pass the regions; others do not lead to the host. */
    assert_int_equal(tx_chip_read(s.chip, pcie, 0x4010, bytes, 16), TX_OK);
    assert_true(memory_first == 0x4010);
    assert_int_equal(tx_chip_read(s.chip, pcie, 9ull << 58, bytes, 16), TX_ENOENT);
    close_side(s);
}

static void test_no_memory(void **state)
{
    (void)state;
    const struct side s = open_side("n150");
    uint8_t bytes[16];
    memset(bytes, 7, sizeof bytes);
    const struct tx_chip_place pcie = {.noc = 0, .x = 0, .y = 3};
    assert_int_equal(tx_chip_read(s.chip, pcie, 0x800000000 + 64, bytes, 16), TX_OK);
    assert_int_equal(bytes[3], 0);
    assert_true(found(s, "host-memory"));
    close_side(s);
}

static void test_transfers(void **state)
{
    (void)state;
    const struct side s = open_side("n150");
    uint8_t bytes[64];
    attach(s);
    for (unsigned i = 0; i < sizeof bytes; i++) {
        memory[0x100 + i] = (uint8_t)(3 * i + 1);
    }
    window(s, 5, 1, 1, 0, 1u << 10); /* to the first worker's L1 */
    bar_set(s, 2, 0x02C, 1);
    bar_set(s, 2, 0x308, sizeof bytes);
    bar_set(s, 2, 0x30C, 0x100);
    bar_set(s, 2, 0x310, 0);
    bar_set(s, 2, 0x314, 0x500000 + 0x2000);
    bar_set(s, 2, 0x318, 0);
    bar_set(s, 2, 0x0CC, 0x700);
    bar_set(s, 2, 0x0D0, 0);
    bar_set(s, 2, 0x0DC, 0x5A5A1234);
    bar_set(s, 2, 0x030, 0);
    const struct tx_chip_place worker = {.noc = 0, .x = 1, .y = 1};
    assert_int_equal(tx_chip_read(s.chip, worker, 0x2000, bytes, sizeof bytes), TX_OK);
    assert_memory_equal(bytes, memory + 0x100, sizeof bytes);
    assert_int_equal(memory[0x700], 0x34);
    assert_int_equal(memory[0x703], 0x5A);
    assert_false(found(s, "dma-transfer"));
    bar_set(s, 2, 0x308, 6); /* no whole words */
    bar_set(s, 2, 0x030, 0);
    assert_true(found(s, "dma-transfer"));
    close_side(s);
}

static void test_windows(void **state)
{
    (void)state;
    const struct side s = open_side("p150");
    uint8_t bytes[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    uint8_t got[16];
    window(s, 7, 0, 0, 0, 1u << 6);
    /* A row of bits that no field has reads 0. */
    bar_set(s, 0, 0x1FC00000 + 12 * 9 + 8, 0xFFFFFFFF);
    assert_int_equal(bar_get(s, 0, 0x1FC00000 + 12 * 9 + 8), 0x3FEF);
    /* Across the end: the first part goes to one bank of DRAM, the rest to another one. */
    window(s, 8, 0, 2, 0, 1u << 6);
    assert_false(found(s, "tlb-cross"));
    assert_int_equal(tx_pcie_write(s.pcie, 0, 8 * 0x200000 - 8, bytes, 16), TX_OK);
    const struct tx_chip_place first = {.x = 0, .y = 0};
    const struct tx_chip_place second = {.x = 0, .y = 2};
    assert_int_equal(tx_chip_read(s.chip, first, 0x1FFFF8, got, 8), TX_OK);
    assert_int_equal(tx_chip_read(s.chip, second, 0, got + 8, 8), TX_OK);
    assert_memory_equal(got, bytes, 16);
    assert_true(found(s, "tlb-cross"));
    /* Broadcasts: reads give all ones. */
    window(s, 10, 3, 3, 0, 1u << 5);
    memset(bytes, 0, sizeof bytes);
    (void)tx_pcie_read(s.pcie, 0, 10 * 0x200000, bytes, 4);
    assert_int_equal(bytes[0], 0xFF);
    assert_true(found(s, "tlb-mcast-read"));
    window(s, 11, 3, 3, 0, 1u << 8);
    (void)tx_pcie_read(s.pcie, 0, 11 * 0x200000, bytes, 4);
    assert_true(found(s, "tlb-linked"));
    window(s, 12, 3, 3, 0, 3u << 6);
    (void)tx_pcie_read(s.pcie, 0, 12 * 0x200000, bytes, 4);
    assert_true(found(s, "tlb-ordering3"));
    /* Behind the windows there is nothing but what is known. */
    assert_int_equal(tx_pcie_read(s.pcie, 0, 0x1FD80000, bytes, 4), TX_ENOENT);
    assert_int_equal(bytes[0], 0xFF);
    assert_true(found(s, "pci-gap"));
    assert_int_equal(tx_pcie_read(s.pcie, 0, 0x1FFFFFFF, bytes, 4), TX_EINVAL);
    assert_int_equal(tx_pcie_read(s.pcie, 1, 0, bytes, 4), TX_EINVAL);
    (void)tx_pcie_read(s.pcie, 2, 0x1001, bytes, 2);
    assert_true(found(s, "pci-width"));
    close_side(s);
}

static void test_arc_registers(void **state)
{
    (void)state;
    const struct side s = open_side("p150");
    uint8_t bytes[8];
    bh_arc(s);
    assert_false(found(s, "arc-width"));
    (void)tx_pcie_read(s.pcie, 0, BH_UNIT + 0x61, bytes, 2);
    assert_true(found(s, "arc-width"));
    assert_false(found(s, "arc-register"));
    assert_int_equal(bar_get(s, 0, BH_UNIT + 0x800), 0);
    assert_true(found(s, "arc-register"));
    /* The reference clock follows the chip's: 50 MHz beside 1350. */
    assert_int_equal(bar_get(s, 0, BH_UNIT + 0xE0), tx_chip_cycles(s.chip) * 50 / 1350);
    (void)tx_chip_cycle(s.chip, 2700000);
    assert_in_range(bar_get(s, 0, BH_UNIT + 0xE0), 100000, 100001);
    close_side(s);
}

static void test_snapshot(void **state)
{
    (void)state;
    const struct side s = open_side("p150");
    const size_t size = tx_pcie_snapshot_size(s.pcie);
    uint8_t *bytes = malloc(size);
    assert_non_null(bytes);
    window(s, 7, 1, 2, 0x123, 1u << 6);
    assert_int_equal(tx_pcie_snapshot(s.pcie, bytes, size), TX_OK);
    assert_int_equal(tx_pcie_snapshot(s.pcie, bytes, size - 1), TX_EINVAL);
    window(s, 7, 4, 4, 0, 0);
    assert_int_equal(tx_pcie_restore(s.pcie, bytes, size), TX_OK);
    assert_int_equal(bar_get(s, 0, 0x1FC00000 + 12 * 7), 0x123);
    bytes[0] ^= 1;
    assert_int_equal(tx_pcie_restore(s.pcie, bytes, size), TX_EINVAL);
    free(bytes);
    close_side(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_config),        cmocka_unit_test(test_telemetry),
        cmocka_unit_test(test_heartbeat),     cmocka_unit_test(test_messages),
        cmocka_unit_test(test_messages_edge), cmocka_unit_test(test_wormhole_message),
        cmocka_unit_test(test_regions),       cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_transfers),     cmocka_unit_test(test_windows),
        cmocka_unit_test(test_arc_registers), cmocka_unit_test(test_snapshot),
    };
    coverage_open("pcie");
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return coverage_close() && failed == 0 ? 0 : 1;
}
