/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests of a tile over its NoC interfaces. Offsets of registers and counters as
 * spec/tile.md 10.1 and the ISA pages MemoryMap, Counters and Alignment state them, written out
 * here.
 */
#include "tile/code.h"

enum { NIU = 0xFFB20000, NIU_1 = 0xFFB30000 };

/* A request initiator of either chip. */
struct initiator {
    uint32_t data, command, counters, clear;
};
static const struct initiator initiators[2] = {{0x28, 0x40, 0x200, 0x60},
                                               {0x24, 0x28, 0x200, 0x50}};

static const struct initiator *of(enum tx_arch arch)
{
    return &initiators[arch == TX_WORMHOLE];
}

/* x, y, first x, first y. */
static uint32_t at(unsigned x, unsigned y, unsigned first_x, unsigned first_y)
{
    return x | y << 6 | first_x << 12 | first_y << 18;
}

static uint32_t own(enum tx_arch arch)
{
    return at(1, arch == TX_BLACKHOLE ? 2 : 1, 0, 0);
}

static void address(tx_tensix *tile, enum tx_arch arch, uint32_t base, uint64_t where,
                    uint32_t place)
{
    set(tile, base, (uint32_t)where);
    if (arch == TX_BLACKHOLE) {
        set(tile, base + 4, (uint32_t)(where >> 32));
        set(tile, base + 8, place);
    } else {
        set(tile, base + 4, (uint32_t)(where >> 32) | place << 4);
    }
}

static void request(tx_tensix *tile, enum tx_arch arch, uint32_t niu, uint32_t control,
                    uint32_t length)
{
    set(tile, niu + 0x1C, control);
    set(tile, niu + 0x20, length);
    set(tile, niu + of(arch)->command, 1);
    assert_int_equal(get(tile, niu + of(arch)->command), 0); /* accepted */
}

static uint32_t counter(tx_tensix *tile, uint32_t niu, unsigned index)
{
    return get(tile, niu + 0x200 + 4 * index);
}

static void fill(tx_tensix *tile, uint32_t where, unsigned words)
{
    for (unsigned i = 0; i < words; i++) {
        set(tile, where + 4 * i, 0xA0000000 + i);
    }
}

/* L1 to L1 of the tile itself: a read, a write that is acknowledged and one that is not. */
static void test_copies(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 2; a++) {
        const enum tx_arch arch = chips[a];
        tx_tensix *tile = open_tile(arch, false);
        fill(tile, 0x20000, 100);
        address(tile, arch, NIU, 0x20000, own(arch));
        address(tile, arch, NIU + 0xC, 0x30000, own(arch));
        request(tile, arch, NIU, 0, 400);
        assert_int_equal(get(tile, 0x30000), 0xA0000000);
        assert_int_equal(get(tile, 0x30000 + 396), 0xA0000063);
        assert_int_equal(get(tile, 0x30000 + 400), 0);
        assert_int_equal(counter(tile, NIU, 2), 1);                             /* answered */
        assert_int_equal(counter(tile, NIU, 5), 1);                             /* sent */
        assert_int_equal(counter(tile, NIU, 3), arch == TX_BLACKHOLE ? 7 : 13); /* flits */
        assert_int_equal(counter(tile, NIU, 16), 0);
        const uint32_t second = NIU + (arch == TX_BLACKHOLE ? 0x800 : 0x400);
        address(tile, arch, second, 0x20010, own(arch));
        address(tile, arch, second + 0xC, 0x31000, own(arch));
        request(tile, arch, second, 2 | 1 << 4, 16);
        assert_int_equal(get(tile, 0x31000), 0xA0000004);
        assert_int_equal(get(tile, 0x31010), 0);
        assert_int_equal(counter(tile, NIU, 1), 1);
        assert_int_equal(counter(tile, NIU, 10), 1);
        request(tile, arch, second, 2, 16);
        assert_int_equal(counter(tile, NIU, 1), 1);
        assert_int_equal(counter(tile, NIU, 11), 1);
        assert_int_equal(findings(tile, "E-NOC"), 0);
        request(tile, arch, second, 2, 0); /* no length */
        assert_int_equal(findings(tile, "E-NOC"), 1);
        /* The other interface counts coordinates from the opposite corner, and on its own. */
        const uint32_t mirrored = arch == TX_BLACKHOLE ? at(15, 9, 0, 0) : at(8, 10, 0, 0);
        assert_int_equal(get(tile, NIU_1 + (arch == TX_BLACKHOLE ? 0x44 : 0x2C)) & 0xFFF, mirrored);
        address(tile, arch, NIU_1, 0x20000, mirrored);
        address(tile, arch, NIU_1 + 0xC, 0x32000, mirrored);
        request(tile, arch, NIU_1, 0, 4);
        assert_int_equal(get(tile, 0x32000), 0xA0000000);
        assert_int_equal(counter(tile, NIU_1, 2), 1);
        assert_int_equal(counter(tile, NIU, 2), 1);
        assert_int_equal(findings(tile, "E-L1INIT"), 0);
        address(tile, arch, NIU, 0x60000, own(arch)); /* where nobody has written */
        request(tile, arch, NIU, 0, 400);
        assert_int_equal(findings(tile, "E-L1INIT"), 1);
        const unsigned before = findings(tile, "E-NOC");
        assert_int_equal(get(tile, NIU + 0xF4), 0); /* a register that no text describes */
        assert_int_equal(findings(tile, "E-NOC"), before + 1);
        tx_tensix_close(tile);
    }
}

/* Four bytes out of the request itself, into a register and, on Wormhole, by mask into L1. */
static void test_inline(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 2; a++) {
        const enum tx_arch arch = chips[a];
        tx_tensix *tile = open_tile(arch, false);
        set(tile, NIU + of(arch)->data, 0x13344); /* the register has 17 bits */
        address(tile, arch, NIU, 0xFFB40020, own(arch));
        request(tile, arch, NIU, 2 | 1 << 3 | 1 << 4, 0xF);
        assert_int_equal(get(tile, 0xFFB40020), 0x13344);
        assert_int_equal(counter(tile, NIU, 1), 1);
        set(tile, NIU + of(arch)->data, 0x11223344);
        fill(tile, 0x20000, 8);
        address(tile, arch, NIU, 0x20004, own(arch));
        request(tile, arch, NIU, 2 | 1 << 3, 0x60);
        assert_int_equal(get(tile, 0x20004), 0xA0223301);
        assert_int_equal(findings(tile, "E-NOC"), arch == TX_WORMHOLE ? 0 : 1); /* not safe there */
        /* Bytes by mask out of L1. */
        fill(tile, 0x21000, 16);
        fill(tile, 0x22000, 16);
        set(tile, 0x21004, 0x55667788);
        address(tile, arch, NIU, 0x21000, own(arch));
        address(tile, arch, NIU + 0xC, 0x22000, own(arch));
        set(tile, NIU + 0x24, 0);
        set(tile, NIU + 0x1C, 2 | 1 << 2);
        set(tile, NIU + 0x20, 0x50);
        if (arch == TX_BLACKHOLE) {
            set(tile, NIU + 0x24, 0);
        }
        set(tile, NIU + of(arch)->command, 1);
        assert_int_equal(get(tile, 0x22004), 0xA0660088);
        assert_int_equal(get(tile, 0x22008), 0xA0000002);
        tx_tensix_close(tile);
    }
}

/* The increment, which wraps within its bits and answers with what was there. */
static void test_atomic(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 2; a++) {
        const enum tx_arch arch = chips[a];
        tx_tensix *tile = open_tile(arch, false);
        set(tile, 0x20008, 0x123456FE);
        set(tile, NIU + of(arch)->data, 5);
        address(tile, arch, NIU, 0x20008, own(arch));
        address(tile, arch, NIU + 0xC, 0x20040, own(arch));
        request(tile, arch, NIU, 1 | 1 << 4, 1 << 12 | 31 << 2 | 2);
        assert_int_equal(get(tile, 0x20008), 0x12345703);
        assert_int_equal(get(tile, 0x20040), 0x123456FE);
        assert_int_equal(counter(tile, NIU, 0), 1);
        request(tile, arch, NIU, 1, 1 << 12 | 7 << 2 | 2); /* eight bits, posted */
        assert_int_equal(get(tile, 0x20008), 0x12345708);
        set(tile, 0x20008, 0x123457FF);
        request(tile, arch, NIU, 1, 1 << 12 | 7 << 2 | 2);
        assert_int_equal(get(tile, 0x20008), 0x12345704);
        assert_int_equal(get(tile, 0x20040), 0x123456FE);
        assert_int_equal(counter(tile, NIU, 0), 1);
        assert_int_equal(counter(tile, NIU, 7), 2);
        /* Without an answer an atomic is not safe on Blackhole. */
        const unsigned before = findings(tile, "E-NOC");
        assert_int_equal(before, arch == TX_WORMHOLE ? 0 : 1);
        request(tile, arch, NIU, 1 | 1 << 4, 2 << 12);
        assert_int_equal(findings(tile, "E-NOC"), before + 1);
        tx_tensix_close(tile);
    }
}

/* The rest of the chip: a word each, by place. */
struct places {
    unsigned asked;
    uint32_t word[17][12];
};

static bool place(void *user, const struct tx_noc_access *a)
{
    struct places *p = user;
    p->asked++;
    if (a->x >= 17 || a->y >= 12 || a->size != 4) {
        return false;
    }
    if (a->to != NULL) {
        memcpy(a->to, &p->word[a->x][a->y], 4);
    } else {
        memcpy(&p->word[a->x][a->y], a->from, 4);
    }
    return true;
}

static void test_places(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 2; a++) {
        const enum tx_arch arch = chips[a];
        static struct places p;
        memset(&p, 0, sizeof p);
        tx_tensix *tile = open_tile(arch, false);
        set(tile, 0x30000, 7);
        address(tile, arch, NIU, 0x1000, at(0, 5, 0, 0));
        address(tile, arch, NIU + 0xC, 0x30000, own(arch));
        request(tile, arch, NIU, 0, 4);
        assert_int_equal(findings(tile, "E-NOC"), 1); /* nobody answers */
        assert_int_equal(get(tile, 0x30000), 0);
        assert_int_equal(counter(tile, NIU, 2), 1); /* but nobody waits for ever */
        tx_tensix_noc(tile, place, &p);
        p.word[0][5] = 0xCAFE;
        request(tile, arch, NIU, 0, 4);
        assert_int_equal(get(tile, 0x30000), 0xCAFE);
        assert_int_equal(p.asked, 1);
        /* A rectangle around the edge with the tile in it, which takes part only if asked. */
        for (unsigned with = 0; with < 2; with++) {
            set(tile, 0x20000, 0xBEEF + with);
            set(tile, 0x31000, 0);
            address(tile, arch, NIU, 0x20000, own(arch));
            address(tile, arch, NIU + 0xC, 0x31000, at(1, 3, arch == TX_BLACKHOLE ? 16 : 9, 1));
            const uint32_t before = counter(tile, NIU, 1);
            request(tile, arch, NIU, 2 | 1 << 4 | 1 << 5 | 1 << 8 | with << 17, 4);
            const unsigned last = arch == TX_BLACKHOLE ? 16 : 9;
            for (unsigned x = 0; x < 17; x++) {
                for (unsigned y = 0; y < 12; y++) {
                    const bool in = (x == 0 || x == 1 || x == last) && y >= 1 && y <= 3;
                    const bool self = (x | y << 6) == own(arch);
                    assert_true(p.word[x][y] == (in && !self        ? 0xBEEF + with
                                                 : x == 0 && y == 5 ? 0xCAFEu
                                                                    : 0u));
                }
            }
            assert_int_equal(get(tile, 0x31000), with != 0 ? 0xBEF0 : 0);
            assert_int_equal(counter(tile, NIU, 1) - before, 8 + with);
            assert_int_equal(counter(tile, NIU, 16), 256 - (with == 0 ? 7 : 15)); /* 8 bits */
        }
        set(tile, NIU + of(arch)->clear, 1);
        assert_int_equal(counter(tile, NIU, 16), 0);
        assert_int_equal(findings(tile, "E-NOC"), 1);
        tx_tensix_close(tile);
    }
}

/*
 * A request of any length ends: at 255 packets, which the counter of eight bits can hold, and at
 * one word where it reaches registers. Packets: isa Counters, "automatic request splitting".
 */
static void test_lengths(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 2; a++) {
        const enum tx_arch arch = chips[a];
        const uint32_t packet = arch == TX_BLACKHOLE ? 16384 : 8192;
        const uint32_t flit = arch == TX_BLACKHOLE ? 64 : 32;
        const struct {
            uint32_t length, packets;
            unsigned findings; /* besides those of what reaches beyond L1 */
        } cases[] = {{1, 1, 0},
                     {packet, 1, 0},
                     {packet + 1, 2, 0},
                     {3 * packet, 3, 0},
                     {255 * packet, 255, 1},
                     {255 * packet + 1, 255, 1},
                     {0xFFFFFF01u, 255, 1},
                     {0xFFFFFFFFu, 255, 1}};
        for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            tx_tensix *tile = open_tile(arch, false);
            fill(tile, 0x20000, 3 * packet / 4 + 1);
            address(tile, arch, NIU, 0x20000, own(arch));
            address(tile, arch, NIU + 0xC, 0x40000, own(arch));
            request(tile, arch, NIU, 0, cases[i].length);
            const uint32_t moved = cases[i].length < 255 * packet ? cases[i].length : 255 * packet;
            /* What lies beyond L1 is never answered (spec/chip.md 2.7). */
            const uint32_t inside = (tx_l1_size(arch) - 0x20000) / packet;
            const bool all = cases[i].packets <= inside;
            assert_int_equal(counter(tile, NIU, 2), all ? cases[i].packets : inside);
            assert_int_equal(counter(tile, NIU, 5), cases[i].packets);
            assert_int_equal(counter(tile, NIU, 3),
                             ((all ? moved : inside * packet) + flit - 1) / flit);
            assert_int_equal(counter(tile, NIU, 16), all ? 0 : cases[i].packets - inside);
            assert_int_equal(get(tile, 0x40000) & 0xFF, 0);
            assert_int_equal(get(tile, 0x40000 + 3 * packet - 4),
                             cases[i].length < 3 * packet ? 0 : 0xA0000000 + 3 * packet / 4 - 1);
            assert_int_equal(findings(tile, "E-NOC") != 0, cases[i].findings);
            tx_tensix_close(tile);
        }
        tx_tensix *tile = open_tile(arch, false);
        fill(tile, 0x20000, 4);
        address(tile, arch, NIU, 0x20000, own(arch));
        address(tile, arch, NIU + 0xC, 0xFFB40320, own(arch));
        request(tile, arch, NIU, 2, 16);
        assert_int_equal(get(tile, 0xFFB40320), 0xA0000000);
        assert_int_equal(get(tile, 0xFFB40324), 0);
        assert_int_equal(findings(tile, "E-NOC"), 1);
        tx_tensix_close(tile);
    }
}

/* A request whose data start another one, and one that starts itself, which has an end. */
static void test_chain(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 2; a++) {
        const enum tx_arch arch = chips[a];
        const uint32_t second = NIU + (arch == TX_BLACKHOLE ? 0x800 : 0x400);
        tx_tensix *tile = open_tile(arch, false);
        fill(tile, 0x20000, 4);
        const uint32_t one = 0x21000 + of(arch)->command % 16; /* as registers need it */
        set(tile, one, 1);
        address(tile, arch, second, 0x20000, own(arch));
        address(tile, arch, second + 0xC, 0x30000, own(arch));
        set(tile, second + 0x1C, 2);
        set(tile, second + 0x20, 16);
        address(tile, arch, NIU, one, own(arch));
        address(tile, arch, NIU + 0xC, second + of(arch)->command, own(arch));
        request(tile, arch, NIU, 2, 4);
        assert_int_equal(get(tile, 0x3000C), 0xA0000003);
        assert_int_equal(counter(tile, NIU, 4), 2);
        assert_int_equal(findings(tile, "E-NOC"), 0);
        address(tile, arch, NIU + 0xC, NIU + of(arch)->command, own(arch));
        request(tile, arch, NIU, 2, 4);
        assert_int_equal(counter(tile, NIU, 4), 2 + 64);
        assert_int_equal(findings(tile, "E-NOC"), 1);
        assert_int_equal(tx_tensix_cycle(tile, 1), TX_OK); /* the rest goes on then */
        assert_int_equal(counter(tile, NIU, 4), 2 + 128);
        tx_tensix_close(tile);
        /* And inline. */
        tile = open_tile(arch, false);
        set(tile, NIU + of(arch)->data, 1);
        address(tile, arch, NIU, NIU + of(arch)->command, own(arch));
        request(tile, arch, NIU, 2 | 1 << 3, 0xF);
        assert_int_equal(counter(tile, NIU, 4), 64);
        assert_int_equal(findings(tile, "E-NOC"), 1);
        tx_tensix_close(tile);
    }
}

struct heard {
    uint64_t counters;
    unsigned empty;
};

static void hear(void *user, const struct tx_order *order)
{
    struct heard *heard = user;
    if (order->kind == TX_ORDER_NOC) {
        heard->counters |= UINT64_C(1) << order->index;
        heard->empty += order->mask == 0;
    }
}

/*
 * A listener hears of reads of those counters that tell what is over: NIU_MST_ATOMIC_RESP_RECEIVED,
 * NIU_MST_WR_ACK_RECEIVED and NIU_MST_RD_RESP_RECEIVED (0 to 2), the writes that were sent (0xA,
 * 0xB), and requests outstanding by number (0x10 to 0x1F); page Counters.
 */
static void test_told(void **state)
{
    (void)state;
    for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        struct heard heard = {0};
        const struct tx_order_sink sink = {hear, &heard};
        tx_tensix *tile = open_tile(arch, false);
        struct code c = code_at(tile, 0x1000);
        li(&c, T0, NIU + 0x200);
        for (int i = 0; i < 64; i++) {
            lw(&c, T1, T0, 4 * i);
        }
        ebreak(&c);
        tx_order_listen(tx_tensix_machine(tile), &sink);
        start(&c, TX_CORE_B);
        (void)tx_tensix_run(tile, 10000);
        assert_int_equal(heard.counters, 0xFFFF0C07u);
        assert_int_equal(heard.empty, 0);
        tx_tensix_close(tile);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lengths), cmocka_unit_test(test_chain),
        cmocka_unit_test(test_copies),  cmocka_unit_test(test_inline),
        cmocka_unit_test(test_atomic),  cmocka_unit_test(test_places),
        cmocka_unit_test(test_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
