/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Points between two cycles: a snapshot in the middle of an expansion leads to the same end, and a
 * listener is told which banks the units use when a wait ends; what reaches beyond L1. Expected:
 * isa MOPExpander (template 0 emits A0 A1 A2 A3 B in each iteration), include/tensix/order.h.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "state/l1.h"
#include "state/machine.h"

#include <stdlib.h>
#include <string.h>

enum { MOP0 = 0x01000000, COUNT = 3 };

static tx_machine *opened(enum tx_arch arch)
{
    struct tx_settings settings;
    tx_machine *m;
    tx_settings_default(&settings, arch);
    assert_int_equal(tx_open(&settings, &m), TX_OK);
    return m;
}

/* Pushes an expansion of COUNT iterations of A0 to A3 and B, all SFPNOP. */
static void push(tx_machine *m)
{
    const uint32_t nop = (uint32_t)tx_insn_find(tx_machine_arch(m), "SFPNOP")->opcode << 24;
    const uint32_t word = MOP0 | (uint32_t)(COUNT - 1) << 16;
    assert_int_equal(tx_mop_config(m, 0, 1, 3), TX_OK); /* A1 to A3, and B */
    for (unsigned i = 2; i < 9; i++) {
        assert_int_equal(tx_mop_config(m, 0, i, nop), TX_OK);
    }
    assert_int_equal(tx_push(m, 0, &word, 1), 1);
}

static uint64_t finished(tx_machine *m)
{
    for (unsigned i = 0; i < 200; i++) {
        assert_int_equal(tx_step(m, 1), TX_OK);
    }
    assert_true(tx_idle(m));
    return m->state.units.gate[0].passed;
}

static void test_middle(void **state)
{
    (void)state;
    for (unsigned chip = 0; chip < 2; chip++) {
        const enum tx_arch arch = chip == 0 ? TX_BLACKHOLE : TX_WORMHOLE;
        for (unsigned cycle = 0; cycle < 30; cycle++) {
            tx_machine *m = opened(arch);
            tx_machine *other = opened(arch);
            const size_t size = tx_snapshot_size(m);
            void *buffer = malloc(size);
            push(m);
            assert_int_equal(tx_step(m, cycle), TX_OK);
            assert_int_equal(tx_snapshot(m, buffer, size), TX_OK);
            assert_int_equal(tx_restore(other, buffer, size), TX_OK);
            assert_memory_equal(&other->state.front, &m->state.front, sizeof m->state.front);
            assert_int_equal(finished(m), 5 * COUNT);
            assert_int_equal(finished(other), 5 * COUNT);
            free(buffer);
            tx_close(other);
            tx_close(m);
        }
    }
}

struct told {
    unsigned count;
    uint32_t mask;
};

static void listen(void *user, const struct tx_order *order)
{
    struct told *told = user;
    if (order->kind == TX_ORDER_WAITED) {
        told->count++;
        told->mask = order->mask;
    }
}

/* One bank at a time is the second one. */
static void test_banks(void **state)
{
    (void)state;
    for (unsigned bit = 0; bit < 4; bit++) {
        tx_machine *m = opened(TX_BLACKHOLE);
        struct told told = {0, 0};
        const uint32_t wait = (uint32_t)tx_insn_find(TX_BLACKHOLE, "STALLWAIT")->opcode << 24;
        const uint32_t nop = (uint32_t)tx_insn_find(TX_BLACKHOLE, "SFPNOP")->opcode << 24;
        const uint32_t words[3] = {wait | 0x1FFu << 15 | 1u, nop, nop};
        struct units *u = &m->state.units;
        m->order = (struct tx_order_sink){.order = listen, .user = &told};
        *(bit < 2 ? &u->unpack_bank[bit] : &u->matrix_bank[bit - 2]) = 1;
        assert_int_equal(tx_run(m, 0, words, 3), TX_OK);
        assert_int_equal(told.count, 1);
        assert_int_equal(told.mask, 1u << bit);
        tx_close(m);
    }
}

/* A store that begins in L1 and ends behind it changes nothing, and is reported (E-L1). */
static void test_edge(void **state)
{
    (void)state;
    for (unsigned chip = 0; chip < 2; chip++) {
        tx_machine *m = opened(chip == 0 ? TX_BLACKHOLE : TX_WORMHOLE);
        const uint32_t size = l1_size(m->arch);
        const uint8_t bytes[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
        const struct tx_op op = {.thread = 0};
        uint8_t now[8];
        assert_int_equal(tx_l1_allocate(m), TX_OK);
        assert_true(l1_write(m, &op, size - 16, bytes, 16));
        assert_int_equal(tx_finding_count(m), 0);
        assert_false(l1_write(m, &op, size - 8, bytes, 16));
        assert_int_equal(tx_finding_count(m), 1);
        assert_int_equal(tx_l1_read(m, size - 8, now, 8), TX_OK);
        assert_memory_equal(now, bytes + 8, 8);
        tx_close(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_middle), cmocka_unit_test(test_banks),
                                       cmocka_unit_test(test_edge)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
