/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Networks full of packets, of which what changes nothing has no events, and the same with an event
 * for each step: everything that is said about a packet is the same, in the same order. Few
 * receivers, so that packets wait for links, buffers and banks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "noc/net.h"

enum { ROUNDS = 64, MORE = 1200, HOT = 4, STEPS = 2000000 };

struct traffic {
    struct net *net;
    uint32_t places, left;
    unsigned mode;
    uint64_t random, said, sum;
};

static uint32_t draw(struct traffic *t)
{
    t->random = t->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(t->random >> 33);
}

static uint32_t draw_place(struct traffic *t, bool hot)
{
    const uint32_t some[HOT] = {3, 17, 40, t->places - 1};
    return hot ? some[draw(t) % HOT] : draw(t) % t->places;
}

static void send_one(struct traffic *t, uint64_t at)
{
    const uint32_t kind = draw(t) % 16;
    const bool many = (t->mode & 2u) != 0 && kind == 15;
    struct net_send s = {.at = at + (draw(t) % 4 != 0 ? 0 : draw(t) % 3000)};
    s.what = (uint8_t)(many       ? NET_MANY
                       : kind < 6 ? NET_READS
                       : kind < 9 ? NET_ATOMICS
                                  : NET_WRITES);
    s.from = draw_place(t, (t->mode & 4u) != 0);
    s.to = draw_place(t, (t->mode & 1u) != 0);
    s.back = s.from;
    s.user[0] = draw(t);
    s.user[1] = draw(t);
    s.bytes = 16u << draw(t) % 11;
    const uint16_t flits = (uint16_t)(1 + s.bytes / 64);
    s.flits = s.what == NET_READS || s.what == NET_ATOMICS ? 1 : flits;
    s.answer = s.what == NET_READS ? flits : draw(t) % 4 != 0;
    s.noc = (uint8_t)(draw(t) % 2);
    s.channel = (uint8_t)(draw(t) % 3 != 0 ? (uint32_t)NET_DYNAMIC : draw(t) % 4);
    s.bank = (uint8_t)((s.what == NET_READS || s.what == NET_WRITES) && draw(t) % 3 == 0
                           ? s.to % 8
                           : (uint32_t)NET_BANKS);
    s.depth = 10;
    s.reserves = draw(t) % 2 != 0;
    net_send(t->net, &s);
}

static void say(struct traffic *t, const struct net_send *s, uint32_t place, uint64_t at)
{
    const uint64_t words[] = {s->user[0], s->user[1], s->from, place, at, t->net->clock.now};
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
        t->sum = (t->sum ^ words[i]) * 0x100000001B3u;
        t->sum ^= t->sum >> 29;
    }
    t->said++;
}

static void granted(void *user, const struct net_send *s, uint64_t at)
{
    say(user, s, 1000, at);
}

static void arrived(void *user, const struct net_send *s, uint32_t place, uint64_t at)
{
    say(user, s, 2000 + place, at);
}

static void answered(void *user, const struct net_send *s, uint32_t place, uint64_t at)
{
    say(user, s, 3000 + place, at);
}

static void over(void *user, const struct net_send *s, uint64_t at)
{
    struct traffic *t = user;
    say(t, s, 4000, at);
    if (t->left != 0) {
        t->left--;
        send_one(t, t->net->clock.now);
    }
}

static void reminded(void *user, uint32_t what, uint64_t at)
{
    (void)user, (void)what, (void)at;
}

/* Six places from the one that the packet names on. */
static uint32_t receiver(void *user, const struct net_send *s, uint32_t after)
{
    const struct traffic *t = user;
    const uint32_t next = after == NET_NONE ? s->to : after + 1;
    return next < t->places && next < s->to + 6 ? next : NET_NONE;
}

static struct traffic run(unsigned round, bool whole, uint64_t *steps)
{
    struct traffic t = {.random = 77777u * round + 5, .mode = round % 8, .left = MORE};
    const struct net_calls calls = {&t, granted, arrived, answered, over, reminded, receiver};
    t.net = net_open((round & 8u) != 0 ? TX_WORMHOLE : TX_BLACKHOLE, &calls);
    assert_non_null(t.net);
    t.net->whole = whole;
    t.places = t.net->columns * t.net->rows;
    for (uint32_t i = 1u << draw(&t) % 9; i != 0; i--) {
        send_one(&t, 0);
    }
    for (uint64_t n = 0; net_next(t.net) != UINT64_MAX; n++) {
        assert_true(n < STEPS);
        net_step(t.net);
        ++*steps;
    }
    assert_int_equal(t.left, 0);
    for (unsigned i = 0; i < NET_ALL; i++) {
        t.sum = (t.sum ^ t.net->busy[i] ^ t.net->flits[i] << 40) * 0x100000001B3u;
    }
    net_close(t.net);
    return t;
}

static void test_whole(void **state)
{
    uint64_t quick = 0;
    uint64_t slow = 0;
    uint64_t said = 0;
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        const struct traffic a = run(round, false, &quick);
        const struct traffic b = run(round, true, &slow);
        assert_int_equal(a.said, b.said);
        assert_int_equal(a.sum, b.sum);
        said += a.said;
    }
    assert_true(said > (uint64_t)ROUNDS * MORE * 3);
    assert_true(quick < slow * 3 / 4);
}

/* ---- room in a buffer: N2 ---- */

static void count(void *user, const struct net_send *s, uint64_t at)
{
    (void)at;
    *(unsigned *)user += s->what == NET_WRITES;
}

static void ignore_place(void *user, const struct net_send *s, uint32_t place, uint64_t at)
{
    (void)user, (void)s, (void)place, (void)at;
}

static void ignore(void *user, const struct net_send *s, uint64_t at)
{
    (void)user, (void)s, (void)at;
}

/*
 * A read with an answer of 1000 flits keeps the last channel before its receiver. Writes from the
 * tile beside it stand in two buffers meanwhile, behind the first link and behind the second, and
 * as many of them have their first link as there is room for.
 */
static void test_room(void **state)
{
    (void)state;
    static const struct {
        uint16_t flits;
        unsigned stand; /* in both buffers, of 16 flits each; one of 40 stands in both */
    } row[] = {{1, 16}, {2, 8}, {3, 4}, {4, 4}, {5, 2}, {8, 2}, {9, 2}, {15, 2}, {16, 2}, {40, 1}};
    for (unsigned i = 0; i < 2 * sizeof row / sizeof *row; i++) {
        unsigned granted_writes = 0;
        const struct net_calls calls = {&granted_writes, count,    ignore_place, ignore_place,
                                        ignore,          reminded, NULL};
        struct net *net = net_open(i % 2 != 0 ? TX_WORMHOLE : TX_BLACKHOLE, &calls);
        assert_non_null(net);
        struct net_send s = {.what = NET_READS, .from = 9, .back = 9, .to = 5, .flits = 1};
        s.answer = 1000;
        s.bank = NET_BANKS;
        net_send(net, &s);
        s = (struct net_send){.what = NET_WRITES, .from = 4, .back = 4, .to = 5};
        s.flits = row[i / 2].flits;
        s.bank = NET_BANKS;
        for (s.at = 400 * NET_TICKS; s.at < 420 * NET_TICKS; s.at += NET_TICKS) {
            net_send(net, &s);
        }
        while (net_next(net) < 900 * (uint64_t)NET_TICKS) {
            net_step(net);
        }
        assert_int_equal(granted_writes, row[i / 2].stand);
        net_close(net);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_whole), cmocka_unit_test(test_room)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
