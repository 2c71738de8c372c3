/* SPDX-License-Identifier: Apache-2.0 */
/* Units that are the host's: what it is told, when it says busy, and what it writes to Dst. */
#include "units.h"

/* A host that has other units sees each word in order, with thread, cycle and operands. */
static void test_port(void **state)
{
    (void)state;
    RIG_EACH(arch)
    {
        struct rig *r = open_with_units(arch);
        const char *const text[TX_THREADS] = {
            "ttsetashrmh0 5,1\nttrareb\nttincrwc 0,0,0,0\nttsetashrmh0 6,1",
            "ttrareb\nttsetashrmh0 7,1\nttrareb", "sfpnop"};
        assert_int_equal(rig_run(r, text, 1000), TX_OK);
        assert_int_equal(unit.count, 6);
        unsigned by_thread[3] = {0};
        size_t k = 0;
        for (unsigned i = 0; i < unit.count; i++) {
            const struct tx_port *p = &unit.call[i];
            struct tx_decoded d;
            while (k < r->issues && r->issue[k].word != p->word) {
                k++; /* calls come in the order of issue */
            }
            assert_true(k < r->issues);
            assert_int_equal(r->issue[k].cycle, p->cycle);
            assert_int_equal(r->issue[k].number, p->number);
            assert_int_equal(r->issue[k].thread, p->thread);
            k++;
            assert_int_equal(tx_decode(arch, p->word, &d), TX_OK);
            assert_ptr_equal(d.insn, p->insn);
            assert_int_equal(p->unit, p->insn->unit);
            assert_memory_equal(d.fields, p->fields, sizeof d.fields);
            by_thread[p->thread]++;
        }
        assert_int_equal(by_thread[0], 3);
        assert_int_equal(by_thread[1], 3);
        const struct tx_port *first = NULL;
        for (unsigned i = 0; i < unit.count; i++) {
            if (strcmp(unit.call[i].insn->macro, "SETASHRMH0") == 0) {
                first = first == NULL ? &unit.call[i] : first;
            }
        }
        assert_int_equal(first->fields[0], 5);
        rig_close(r);
        /* without a handler, and with one that refuses: a fault */
        r = rig_open(arch);
        const char *const one[TX_THREADS] = {NULL, "ttsetashrmh0 5,1", NULL};
        assert_int_equal(rig_run(r, one, 1000), TX_FAULT);
        assert_int_equal(tx_fault(r->m)->category, TX_UNSUPPORTED);
        assert_int_equal(tx_fault(r->m)->thread, 1);
        rig_close(r);
    }
}

/* A unit that says busy is asked again; one that never ends that is a deadlock, after a while. */
static void test_port_busy(void **state)
{
    (void)state;
    RIG_EACH(arch)
    {
        struct rig *r = open_with_units(arch);
        const char *const one[TX_THREADS] = {NULL, "ttnop\nttsetashrmh0 5,1\nttnop", NULL};
        unit.busy = 17;
        assert_int_equal(rig_run(r, one, 1000), TX_OK);
        assert_int_equal(unit.count, 1);
        assert_int_equal(rig_cycle(r, 1, 1), rig_cycle(r, 1, 0) + 18);
        assert_int_equal(r->stalls[1], 17);
        assert_string_equal(r->cause[1], tx_hold_text(TX_HOLD_HOST));
        unit.busy = 100000;
        assert_int_equal(rig_run(r, one, 10000), TX_EDEADLOCK);
        assert_in_range(unit.busy, 100000 - 1100, 100000 - 900);
        rig_close(r);
    }
}

/* Says busy to the first thread's word until another's has been taken. */
static unsigned last_thread;

static enum tx_port_answer take_last(void *user, struct tx_port *port)
{
    return port->thread == last_thread && unit.count == 0 ? TX_PORT_BUSY : take(user, port);
}

/*
 * A word that its unit does not take stands at its gate (isa WaitGate): it does not use up the one
 * instruction a cycle, so that another thread's word, on which it may depend, enters instead.
 */
static void test_port_busy_shared(void **state)
{
    (void)state;
    RIG_EACH(arch)
    {
        for (unsigned t = 0; t < TX_THREADS; t++) {
            const unsigned other = (t + 1) % TX_THREADS;
            const unsigned third = (t + 2) % TX_THREADS;
            struct rig *r = open_with_units(arch);
            const char *text[TX_THREADS];
            last_thread = t;
            r->host.port = take_last;
            assert_int_equal(tx_host_set(r->m, &r->host), TX_OK);
            text[t] = "ttnop\nttsetashrmh0 5,1";
            text[other] = "ttnop\nttnop\nttsetashrmh0 6,1";
            text[third] = "ttnop\nsfpnop\nsfpnop";
            assert_int_equal(rig_run(r, text, 1000), TX_OK);
            assert_int_equal(rig_cycle(r, other, 1), rig_cycle(r, t, 0) + 1);
            assert_int_equal(rig_cycle(r, other, 2), rig_cycle(r, t, 0) + 2);
            assert_int_equal(rig_cycle(r, t, 1), rig_cycle(r, other, 2) + 1);
            assert_int_equal(rig_cycle(r, third, 2), rig_cycle(r, third, 0) + 2);
            assert_int_equal(unit.count, 2);
            uint64_t numbers = 0;
            for (size_t i = 0; i < r->issues; i++) {
                assert_int_equal(numbers >> r->issue[i].number % 64 & 1u, 0); /* each once */
                numbers |= UINT64_C(1) << r->issue[i].number;
            }
            assert_int_equal(numbers, (UINT64_C(1) << r->issues) - 1);
            rig_close(r);
        }
    }
}

/*
 * An instruction of the Matrix Unit that writes Dst, and a load: three others between, or a wait
 * (a.8, E-FPU).
 */
static void test_matrix_dst(void **state)
{
    (void)state;
    static const struct {
        const char *text, *beside; /* of the thread, of the two others */
        bool found;
    } rows[] = {
        {"ttmvmul 0,0,0,0\nsfpload L1,0,2,0", NULL, true},
        {"ttmvmul 0,0,0,0\nsfpload L1,60,2,0", NULL, false},
        {"ttmvmul 0,0,0,0\nsfpload L1,4,2,0", NULL, true},
        {"ttmvmul 0,0,0,0\nttnop\nttnop\nsfpload L1,0,2,0", NULL, true},
        {"ttmvmul 0,0,0,0\nttnop\nttnop\nttnop\nsfpload L1,0,2,0", NULL, false},
        {".word 0x10000004\nsfpload L1,4,2,0", NULL, true}, /* ZEROACC of row 4 */
        {".word 0x10000004\nsfpload L1,8,2,0", NULL, false},
        {"ttmvmul 0,0,0,0\nttincrwc 0,0,0,0\nttmvmul 0,0,0,0\nttnop\nttnop\nsfpload L1,0,2,0", NULL,
         true},
        {".word 0x08000000\nsfpload L1,0,2,0", NULL, false}, /* MOVD2A reads Dst */
        {"ttmvmul 0,0,0,0\nttstallwait 0x100,WAIT\nsfpload L1,0,2,0", NULL, false},
        /* what others issue in the same cycles is no time */
        {"ttmvmul 0,0,0,0\nttnop\nsfpload L1,0,2,0", "ttnop\nttnop\nttnop\nttnop", true},
        {"ttmvmul 0,0,0,0\nttnop\nttnop\nttnop\nsfpload L1,0,2,0",
         "ttnop\nttnop\nttnop\nttnop\nttnop", false},
        /* nor does a wait of another thread help */
        {"ttmvmul 0,0,0,0\nttnop\nsfpload L1,0,2,0", "ttnop\nttstallwait 0x100,WAIT", true},
    };
    RIG_EACH(arch)
    {
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            struct rig *r = rig_open(arch);
            char text[2][256] = {"", ""};
            for (unsigned k = 0; k < 2; k++) {
                const char *from = k == 0 ? rows[i].text : rows[i].beside;
                const char *wait = from == NULL ? NULL : strstr(from, "WAIT");
                if (wait == NULL) {
                    snprintf(text[k], sizeof text[k], "%s", from == NULL ? "" : from);
                } else {
                    snprintf(text[k], sizeof text[k], "%.*s%u%s", (int)(wait - from), from,
                             arch == TX_WORMHOLE ? 1u << 7 : 1u << 4, wait + 4);
                }
            }
            const char *const texts[TX_THREADS] = {text[1], text[0], text[1]};
            const uint32_t zero[16] = {0};
            const uint32_t owned[4] = {0, 0, 1, 1};
            for (unsigned row = 0; row < 128; row++) {
                assert_int_equal(tx_write(r->m, TX_FILE_DST, row, zero, 16), TX_OK);
            }
            for (unsigned src = 0; src < 2; src++) {
                assert_int_equal(tx_write(r->m, TX_FILE_SRC_BANK, src, owned, 4), TX_OK);
            }
            assert_int_equal(rig_run(r, texts, 1000), TX_OK);
            unsigned found = 0;
            for (size_t f = 0; f < tx_finding_count(r->m); f++) {
                found += strcmp(tx_finding_at(r->m, f)->rule, "E-FPU") == 0;
                assert_true(tx_finding_at(r->m, f)->category == TX_HAZARD ||
                            strcmp(tx_finding_at(r->m, f)->rule, "R13") == 0);
            }
            if (found != (rows[i].found ? 1 : 0)) {
                fail_msg("%s on %s: %u findings", rows[i].text, tx_arch_short(arch), found);
            }
            rig_close(r);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_port),
        cmocka_unit_test(test_port_busy),
        cmocka_unit_test(test_port_busy_shared),
        cmocka_unit_test(test_matrix_dst),
    };
    coverage_open("ports");
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return coverage_close() ? failed : 1;
}
