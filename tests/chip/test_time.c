/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long requests take, with network interfaces that are stored to from outside at the distance
 * of a core's loop. What cards and documents have measured: tt-npe's latencies of reads, rows of
 * tt-metal's noc_latencies.yaml (spec/noc-open.tsv, named by their id), isa DRAMTile.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <tensix/chip.h>

#include <string.h>

enum {
    READ = 0x2090,
    WRITE = 0x2092,
    MANY = 0x8120 | WRITE,
    OWN = 1 << 17,
    LINKED = 0x40,
    WAY = 0x100
};
enum { ANSWERED_WRITES = 0x204, ANSWERED_READS = 0x208, ZONE = 23 };
struct layout {
    uint32_t high, control, length, command;
};
static const struct layout layouts[2] = {{4, 0x1C, 0x20, 0x28}, {8, 0x1C, 0x20, 0x40}};

struct bench {
    tx_chip *chip;
    enum tx_arch arch;
    uint32_t width, spent;
};

/* Columns and rows of the cards behind the rows: what is missing there is off here. */
static struct bench open_bench(const char *product)
{
    struct tx_chip_settings s;
    struct bench b;
    uint32_t height;
    memset(&b, 0, sizeof b);
    assert_int_equal(tx_chip_settings_default(&s, product), TX_OK);
    s.bad_tensix = s.arch == TX_BLACKHOLE ? 1u << 11 | 1u << 13 : 1u << 4 | 1u << 11;
    assert_int_equal(tx_chip_open(&s, &b.chip), TX_OK);
    b.arch = s.arch;
    tx_chip_grid(b.chip, &b.width, &height);
    return b;
}

static uint32_t name(const struct bench *b, uint32_t x, uint32_t y)
{
    struct tx_chip_tile t;
    assert_int_equal(tx_chip_tile_at(b->chip, x + y * b->width, &t), TX_OK);
    assert_false(t.off);
    return t.translated_x | t.translated_y << 6;
}

static void set(const struct bench *b, uint32_t index, uint32_t offset, uint32_t value)
{
    assert_int_equal(tx_chip_niu_write(b->chip, index, 0, offset, value), TX_OK);
}

static uint32_t get(const struct bench *b, uint32_t index, uint32_t offset)
{
    uint32_t value;
    assert_int_equal(tx_chip_niu_read(b->chip, index, 0, offset, &value), TX_OK);
    return value;
}

static void pair(const struct bench *b, uint32_t index, uint32_t field, uint32_t address,
                 uint32_t at)
{
    const bool bh = b->arch == TX_BLACKHOLE;
    set(b, index, field, address);
    set(b, index, field + 4, bh ? 0 : at << 4);
    if (bh) {
        set(b, index, field + 8, at);
    }
}

/*
 * Cycles of "count" requests of one tile, "apart" cycles apart or more, until all are answered, as
 * a zone would show them.
 */
static uint64_t take(const struct bench *b, uint32_t x, uint32_t y, uint32_t control, uint32_t to,
                     uint32_t bytes, unsigned count, unsigned apart, unsigned answers)
{
    const struct layout *l = &layouts[b->arch == TX_BLACKHOLE];
    const uint32_t index = x + y * b->width;
    const uint32_t counter = (control & 3u) == 0 ? ANSWERED_READS : ANSWERED_WRITES;
    const uint32_t before = get(b, index, counter);
    const uint64_t start = tx_chip_cycles(b->chip);
    const bool reads = (control & 3u) == 0;
    pair(b, index, 0, 0x20000, reads ? to : name(b, x, y));
    pair(b, index, 0xC, 0x30000, reads ? name(b, x, y) : to);
    set(b, index, l->length, bytes);
    for (unsigned i = 0; i < count; i++) {
        const uint64_t next = tx_chip_cycles(b->chip) + apart;
        set(b, index, l->control, i + 1 == count ? control & ~(uint32_t)LINKED : control);
        set(b, index, l->command, 1);
        while (get(b, index, l->command) != 0 || tx_chip_cycles(b->chip) < next) {
            assert_int_equal(tx_chip_cycle(b->chip, 1), TX_OK);
        }
    }
    while (get(b, index, counter) - before < count * answers) {
        assert_int_equal(tx_chip_cycle(b->chip, 1), TX_OK);
        assert_true(tx_chip_cycles(b->chip) - start < 3000000);
    }
    return tx_chip_cycles(b->chip) - start + ZONE;
}

static void expect(const char *what, double took, double measured, double percent)
{
    if (took < measured * (1 - percent / 100) || took > measured * (1 + percent / 100)) {
        print_error("%s: %.1f, cards %.1f\n", what, took, measured);
        fail();
    }
}

static const char *const products[2] = {"n150", "p150"};

/* tt-npe get_read_latency: small reads of an idle chip, by the axes that differ. */
static void test_documents(void **state)
{
    (void)state;
    static const double reads[2][4] = {{70, 154, 170, 270}, {65, 177, 217, 329}};
    for (unsigned i = 0; i < 2; i++) {
        const struct bench b = open_bench(products[i]);
        const uint32_t to[4] = {name(&b, 1, 3), name(&b, 2, 3), name(&b, 1, 5), name(&b, 2, 5)};
        for (unsigned k = 0; k < 4; k++) {
            /* the third is that of the column, the second of the row, on Wormhole */
            const unsigned by = i == 0 || k == 0 || k == 3 ? k : 3 - k;
            const double took = (double)take(&b, 1, 3, READ, to[k], 64, 1, 20, 1) - ZONE;
            if (took < reads[i][by] - 14 || took > reads[i][by] + 14) {
                print_error("read %u: %.1f, tt-npe %.1f\n", k, took, reads[i][by]);
                fail();
            }
        }
        tx_chip_close(b.chip);
    }
}

/* Reads of another row and column: a few, and rates by size; a core of Blackhole needs 34.3. */
static void test_rows(void **state)
{
    (void)state;
    static const struct {
        unsigned chip, count, apart;
        uint32_t control, bytes;
        double measured;
        const char *row;
    } rows[] = {
        {0, 1, 23, READ, 64, 293, "n725"},      {0, 1, 23, READ, 2048, 366, "n725"},
        {0, 64, 24, READ, 4096, 9474, "n728"},  {0, 256, 26, READ, 8192, 73634, "n729"},
        {0, 4, 22, READ, 8192, 1439, "n726"},   {1, 4, 35, READ, 64, 461, "n326"},
        {1, 256, 35, READ, 2048, 9312, "n329"}, {1, 256, 35, READ, 8192, 34473, "n329"},
        {1, 64, 35, READ, 4096, 4702, "n333"},
    };
    for (unsigned i = 0; i < 2; i++) {
        const struct bench b = open_bench(products[i]);
        const uint32_t to = name(&b, 2, 3);
        for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
            if (rows[k].chip == i) {
                const double took = (double)take(&b, 1, 2, rows[k].control, to, rows[k].bytes,
                                                 rows[k].count, rows[k].apart, 1);
                expect(rows[k].row, took, rows[k].measured, 6);
            }
        }
        tx_chip_close(b.chip);
    }
}

/* Broadcasts of 64 bytes: cycles from one to the next, with its reservation, and of one alone:
 * rows n180, n190, n175, n200 (its value at 128 bytes), n595, n600 and n615. */
static void test_broadcasts(void **state)
{
    (void)state;
    static const struct {
        unsigned chip, x, y, to_x, to_y;
        bool own;
        double measured;
        double alone; /* 0: there is no such row */
    } grids[] = {
        {0, 1, 1, 2, 2, true, 40.0, 329},   {0, 1, 1, 3, 3, true, 72.0, 358},
        {0, 1, 1, 9, 9, true, 263.4, 0},    {0, 3, 1, 2, 2, false, 167.8, 450},
        {1, 1, 2, 2, 3, true, 39.0, 395},   {1, 1, 2, 5, 6, true, 135.0, 500},
        {1, 1, 2, 12, 9, true, 295.0, 0},   {1, 1, 2, 15, 11, true, 373.0, 779},
        {1, 3, 2, 2, 3, false, 276.9, 605},
    };
    for (unsigned i = 0; i < 2; i++) {
        const struct bench b = open_bench(products[i]);
        for (unsigned k = 0; k < sizeof grids / sizeof *grids; k++) {
            if (grids[k].chip != i) {
                continue;
            }
            const unsigned first_y = i == 0 ? 1 : 2;
            const uint32_t to = name(&b, grids[k].to_x, grids[k].to_y) | name(&b, 1, first_y) << 12;
            const uint32_t control = (uint32_t)MANY | (grids[k].own ? (uint32_t)OWN : 0u);
            unsigned answers = 0;
            for (uint32_t n = 0; n < b.width * 12; n++) {
                struct tx_chip_tile t;
                assert_int_equal(tx_chip_tile_at(b.chip, n, &t), TX_OK);
                answers += t.kind == TX_CHIP_TENSIX && !t.off && t.x[0] <= grids[k].to_x &&
                           t.y[0] >= first_y && t.y[0] <= grids[k].to_y;
            }
            const double one =
                (double)take(&b, grids[k].x, grids[k].y, control, to, 64, 1, 22, answers);
            const double many =
                (double)take(&b, grids[k].x, grids[k].y, control, to, 64, 33, 22, answers);
            const double period = (many - one) / 32;
            if (period < grids[k].measured - 2 || period > grids[k].measured + 2) {
                print_error("grid %u: %.1f, cards %.1f\n", k, period, grids[k].measured);
                fail();
            }
            /* Cards see the last answer when their loop looks again, up to 15 cycles later. */
            if (grids[k].alone > 0 && (one < grids[k].alone - 15 || one > grids[k].alone)) {
                print_error("grid %u, one: %.1f, cards %.1f\n", k, one, grids[k].alone);
                fail();
            }
            /* A way out and back of 7 a hop of the depth, for which 9 and 7 are in the period. */
            const double depth = (double)(int)((grids[k].measured - 6.4) / 16 + 0.5);
            const double plain = (double)take(&b, grids[k].x, grids[k].y, control & ~(uint32_t)WAY,
                                              to, 64, 1, 22, answers);
            const double wanted = one - (3.3 + 14 * depth);
            if (plain < wanted - 1.3 || plain > wanted + 1.3) {
                print_error("grid %u, not reserved: %.1f for %.1f\n", k, plain, wanted);
                fail();
            }
        }
        tx_chip_close(b.chip);
    }
}

/* isa DRAMTile: bytes a cycle of one channel, 22.2 read and 21.9 written; tt-npe 40. */
static void test_dram(void **state)
{
    (void)state;
    static const double rate[2][2] = {{22.2, 21.9}, {40.0, 40.0}};
    for (unsigned i = 0; i < 2; i++) {
        const struct bench b = open_bench(products[i]);
        const uint32_t to = i == 0 ? 16u | 16u << 6 : 17u | 12u << 6;
        for (unsigned k = 0; k < 2; k++) {
            const double one = (double)take(&b, 1, 2, k == 0 ? READ : WRITE, to, 8192, 8, 22, 1);
            const double many = (double)take(&b, 1, 2, k == 0 ? READ : WRITE, to, 8192, 40, 22, 1);
            expect("DRAM", 32 * 8192 / (many - one), rate[i][k], 1.5);
        }
        tx_chip_close(b.chip);
    }
}

static uint32_t time_of(const tx_chip *chip, const char *name)
{
    for (size_t i = 0; tx_chip_time_name(i) != NULL; i++) {
        if (strcmp(tx_chip_time_name(i), name) == 0) {
            return tx_chip_time(chip, i);
        }
    }
    print_error("there is no %s\n", name);
    fail();
    return 0;
}

/* The tables of spec/chip-time.md 1, 4 and 5, in thousandths: Wormhole, Blackhole. */
static void test_tables(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t value[2];
    } table[] = {
        {"noc.hop", {9000, 9000}},
        {"noc.niu", {5000, 5000}},
        {"noc.flit_time", {1030, 1030}},
        {"noc.read_time", {1115, 1040}},
        {"noc.vc_depth", {16000, 16000}},
        {"noc.vc_resp", {2000, 2000}},
        {"noc.ack_time", {1030, 1030}},
        {"noc.reserve", {3300, 3300}},
        {"noc.reserve, per hop", {7000, 7000}},
        {"noc.backoff", {64000, 64000}},
        {"noc.backoff, limit", {4096000, 4096000}},
        {"l1.atomic", {5000, 5000}},
        {"dram.read_latency", {105000, 125000}},
        {"dram.write_latency", {115000, 25000}},
        {"dram.small_write", {60000, 0}},
        {"dram.rate, reads", {1024 * 10000 / 222, 1024 * 1000 / 40}},
        {"dram.rate, writes", {1024 * 10000 / 219, 1024 * 1000 / 40}},
    };
    for (unsigned i = 0; i < 2; i++) {
        const struct bench b = open_bench(products[i]);
        for (unsigned k = 0; k < sizeof table / sizeof *table; k++) {
            const uint32_t value = time_of(b.chip, table[k].name);
            if (value < table[k].value[i] || value > table[k].value[i] + 1) {
                print_error("%s %s: %u\n", products[i], table[k].name, value);
                fail();
            }
        }
        const uint32_t turn = time_of(b.chip, "noc.turn, first part") +
                              time_of(b.chip, "noc.turn, second part") +
                              time_of(b.chip, "noc.turn, third part");
        assert_in_range(turn, 42000, 52000);
        tx_chip_close(b.chip);
    }
}

/* Another time of a hop: a read and its answer go once round both rings, 22 and 29 hops. */
static void test_set_time(void **state)
{
    (void)state;
    static const char *const refused[] = {
        "noc.hop=12",  "noc.hop=9.2001",   "noc.hop",
        "noc.hop=",    "noc.hop=9x",       "noc.turn, first part=12",
        "l1.atomic=0", "noc.vc_depth=9.5", "noc.hop=99999999999999"};
    for (unsigned i = 0; i < 2; i++) {
        const struct bench b = open_bench(products[i]);
        const uint64_t hops = i == 0 ? 22 : 29;
        const uint64_t before = take(&b, 1, 2, READ, name(&b, 2, 3), 64, 1, 20, 1);
        assert_int_equal(tx_chip_set_time(b.chip, "noc.hop=9.2"), TX_OK);
        const uint64_t more = take(&b, 1, 2, READ, name(&b, 2, 3), 64, 1, 20, 1) - before;
        assert_in_range(more, hops * 2 / 10, hops * 2 / 10 + 1);
        for (unsigned k = 0; k < sizeof refused / sizeof *refused; k++) {
            assert_int_equal(tx_chip_set_time(b.chip, refused[k]), TX_EINVAL);
        }
        assert_int_equal(tx_chip_set_time(b.chip, "noc.hops=9"), TX_ENOENT);
        assert_int_equal(time_of(b.chip, "noc.hop"), 9200);
        tx_chip_reset(b.chip);
        assert_int_equal(time_of(b.chip, "noc.hop"), 9200);

        const size_t size = tx_chip_snapshot_size(b.chip);
        void *kept = test_malloc(size);
        assert_int_equal(tx_chip_snapshot(b.chip, kept, size), TX_OK);
        assert_int_equal(tx_chip_set_time(b.chip, "noc.hop=8.6"), TX_OK);
        assert_int_equal(tx_chip_restore(b.chip, kept, size), TX_OK);
        assert_int_equal(time_of(b.chip, "noc.hop"), 9200);
        test_free(kept);
        tx_chip_close(b.chip);

        struct tx_chip_settings s;
        tx_chip *prompt = NULL;
        assert_int_equal(tx_chip_settings_default(&s, products[i]), TX_OK);
        s.policy = TX_CHIP_PROMPT;
        assert_int_equal(tx_chip_open(&s, &prompt), TX_OK);
        assert_int_equal(tx_chip_set_time(prompt, "noc.hop=9.2"), TX_ENOENT);
        tx_chip_close(prompt);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_documents),  cmocka_unit_test(test_rows),
        cmocka_unit_test(test_broadcasts), cmocka_unit_test(test_dram),
        cmocka_unit_test(test_tables),     cmocka_unit_test(test_set_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
