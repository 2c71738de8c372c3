/* SPDX-License-Identifier: Apache-2.0 */
/* lint through its public face: what it finds in small programs, whose faults are written here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tensix-lab/elf.h>
#include <tensix-lab/lint.h>

static struct tx_program *program_of(const char *text)
{
    struct tx_program *program = NULL;
    struct tx_diag diag;
    const struct tx_asm_options how = {.arch = TX_BLACKHOLE};
    assert_int_equal(tx_assemble(text, strlen(text), &how, &program, &diag), TX_OK);
    return program;
}

static txl_lint *lint_of(const struct tx_program *program)
{
    const struct txl_lint_options how = {.size = sizeof how};
    struct txl_error err = {.status = TXL_OK};
    txl_lint *lint = NULL;
    assert_int_equal(txl_lint_open(&err, &how, &lint), TXL_OK);
    assert_int_equal(txl_lint_program(&err, lint, "here", program), TXL_OK);
    assert_int_equal(txl_lint_results(lint), 1);
    return lint;
}

/* One-cycle instructions, each reading what the one before it wrote. */
static void test_clean(void **state)
{
    (void)state;
    struct tx_program *p = program_of("sfpload L0,0,3,3\nsfpabs L1,L0,1\nsfpstore L1,0,3,3\n");
    txl_lint *lint = lint_of(p);
    const struct txl_lint_result *r = txl_lint_result(lint, 0);
    assert_false(txl_lint_found(lint));
    assert_string_equal(r->file, "here");
    assert_null(r->function);
    assert_int_equal(r->arch, TX_BLACKHOLE);
    assert_true(r->complete);
    assert_int_equal(r->hazards + r->others + r->superfluous, 0);
    assert_true(r->cycles >= 3);
    assert_null(txl_lint_result(lint, 1));
    txl_lint_close(lint);
    tx_program_free(p);
}

/* The same with an SFPNOP behind the load and one behind SFPABS, which no rule asks for. */
static void test_superfluous(void **state)
{
    (void)state;
    struct tx_program *p =
        program_of("sfpload L0,0,3,3\nsfpnop\nsfpabs L1,L0,1\nsfpnop\nsfpstore L1,0,3,3\n");
    txl_lint *lint = lint_of(p);
    const struct txl_lint_result *r = txl_lint_result(lint, 0);
    assert_true(txl_lint_found(lint));
    assert_int_equal(r->superfluous, 2);
    assert_int_equal(r->nop_count, 2);
    assert_int_equal(txl_lint_nop(r, 0)->place.line, 2);
    assert_int_equal(txl_lint_nop(r, 1)->place.line, 4);
    assert_int_equal(txl_lint_nop(r, 0)->place.section, TX_SECTION_TILE);
    assert_int_equal(txl_lint_nop(r, 0)->cycles, 1);
    assert_false(txl_lint_nop(r, 0)->repeated); /* another line */
    txl_lint_close(lint);
    tx_program_free(p);
}

/* A hazard that .rept plants three times at one line: told once. */
static void test_hazard(void **state)
{
    (void)state;
    static const char text[] = ".arch wormhole_b0\n"
                               ".rept 3\n"
                               "    sfpmad L2,L0,L1,L9,0\n"
                               "    sfpabs L3,L2,1\n"
                               ".endr\n";
    const struct tx_asm_options any = {.arch = TX_ARCH_NONE};
    struct tx_program *p = NULL;
    struct tx_diag diag;
    assert_int_equal(tx_assemble(text, strlen(text), &any, &p, &diag), TX_OK);
    txl_lint *lint = lint_of(p);
    const struct txl_lint_result *r = txl_lint_result(lint, 0);
    assert_int_equal(r->arch, TX_WORMHOLE);
    assert_int_equal(r->hazards, 3);
    unsigned told = 0;
    for (size_t i = 0; i < r->finding_count; i++) {
        const struct txl_lint_finding *f = txl_lint_finding(r, i);
        if (f->finding->category != TX_HAZARD) {
            continue;
        }
        assert_string_equal(f->finding->rule, "E-HAZ");
        assert_int_equal(f->place.line, 4);
        assert_int_equal(f->producer.line, 3);
        assert_int_equal(f->place.offset, f->producer.offset + 1);
        assert_int_equal(f->count, 1);
        assert_true(f->sfpnop_missing);
        told += f->repeated ? 0 : 1;
        assert_int_equal(f->more, f->repeated ? 0 : 2);
    }
    assert_int_equal(told, 1);
    char *json = txl_lint_json(lint);
    assert_non_null(strstr(json, "\"sfpnop_missing\": true"));
    assert_non_null(strstr(json, "\"hazards\": 3"));
    free(json);
    txl_lint_close(lint);
    tx_program_free(p);
}

/* A program that is not through within so many cycles is told as such. */
static void test_limit(void **state)
{
    (void)state;
    const struct txl_lint_options how = {.size = sizeof how, .max_cycles = 5};
    struct tx_program *p = program_of(".rept 20\nsfpabs L1,L0,1\n.endr\n");
    txl_lint *lint = NULL;
    assert_int_equal(txl_lint_open(NULL, &how, &lint), TXL_OK);
    assert_int_equal(txl_lint_program(NULL, lint, "here", p), TXL_OK);
    assert_false(txl_lint_result(lint, 0)->complete);
    assert_int_equal(txl_lint_result(lint, 0)->cycles, 5);
    assert_true(txl_lint_found(lint));
    txl_lint_close(lint);
    tx_program_free(p);
}

static bool until(void *user, uint64_t done, uint64_t total)
{
    uint64_t *const calls = user;
    assert_int_equal(total, 0);
    (*calls)++;
    return done < 10000;
}

/* Cancelled: no result is added, and the end comes within the next calls. */
static void test_cancel(void **state)
{
    (void)state;
    uint64_t calls = 0;
    const struct txl_lint_options how = {.size = sizeof how, .progress = until, .user = &calls};
    struct tx_program *p = program_of(".rept 20000\nsfpabs L1,L0,1\n.endr\n");
    struct txl_error err = {.status = TXL_OK};
    txl_lint *lint = NULL;
    assert_int_equal(txl_lint_open(&err, &how, &lint), TXL_OK);
    assert_int_equal(txl_lint_program(&err, lint, "here", p), TXL_CANCELLED);
    assert_int_equal(err.status, TXL_CANCELLED);
    assert_int_equal(txl_lint_results(lint), 0);
    assert_in_range(calls, 2, 4);
    txl_lint_close(lint);
    tx_program_free(p);
}

static void test_refusals(void **state)
{
    (void)state;
    const struct txl_lint_options bad = {.size = 3};
    const struct txl_lint_options good = {.size = sizeof good, .arch = TX_BLACKHOLE};
    struct txl_error err = {.status = TXL_OK};
    txl_lint *lint = NULL;
    txl_elf *elf = NULL;
    assert_int_equal(txl_lint_open(&err, &bad, &lint), TXL_INPUT);
    assert_null(lint);
    txl_error_clear(&err);
    assert_int_equal(txl_lint_open(&err, &good, &lint), TXL_OK);
    assert_int_equal(txl_lint_file(&err, lint, "/nonexistent/k.s"), TXL_INPUT);
    assert_string_equal(err.file, "/nonexistent/k.s");
    assert_int_equal(txl_lint_results(lint), 0);
    txl_error_clear(&err);
    assert_false(txl_elf_is(TX_SOURCE_DIR "/README.md"));
    assert_int_equal(txl_elf_open(&err, TX_SOURCE_DIR "/README.md", &elf), TXL_INPUT);
    assert_null(elf);
    txl_lint_close(lint);
    txl_lint_close(NULL);
    txl_elf_close(NULL);
}

/* What a tile leaves behind, and by which instruction the next one first differs. */
struct leaving {
    const char *init, *first, *last; /* of .tile */
    const char *what, *where;        /* NULL: nothing is left that matters */
};

static void test_left(void **state)
{
    static const struct leaving all[] = {
        {"", "sfpload L0,0,0,3\nsfpmul L0,L0,L7,0\nsfpnop\n", "sfploadi L7,0,0\n",
         "L7: ", "sfpmul L0,L0,L7,0 writes L0"},
        {"", "sfpload L0,0,0,3\nsfpmul L0,L0,L7,0\nsfpnop\n", "", NULL, NULL},
        {"sfpencc 3,10\n", "sfpload L0,0,0,3\nsfpmul L0,L0,L7,0\nsfpnop\n", "sfpsetcc L0,0,0\n",
         "the lane flags: ", "sfpload L0,0,0,3 writes L0"},
        {"sfpencc 3,10\n", "sfpencc 3,10\nsfpload L0,0,0,3\n", "sfpsetcc L0,0,0\n", NULL, NULL},
        {"sfpencc 3,10\n", "sfpload L0,0,0,3\n", "sfppushc 0\n",
         "the depth of the flag stack: ", ""},
        {"sfploadi L0,16256,0\nsfpconfig 12,0,0\n",
         "sfpload L0,0,0,3\nsfpadd L0,L0,L12,0\nsfpnop\n",
         "sfploadi L1,16384,0\nsfpmov L0,L1,0\nsfpconfig 12,0,0\n",
         "L12: ", "sfpadd L0,L0,L12,0 writes L0"},
        {"", "sfpload L0,0,0,3\nsfploadi L1,16256,0\n", "sfploadi L2,16384,0\n", NULL, NULL},
        {"sfpencc 3,10\nsfpsetcc L7,0,6\nsfppushc 0\nsfpencc 3,10\nsfppushc 0\n",
         "sfppopc 0\nsfpload L0,0,0,3\n", "sfploadi L2,16384,0\n",
         "the depth of the flag stack: ", ""},
        /* The second tile pops the outer flags, which are false. L2 is left, too; L3 shows it, and
           nothing reads that. */
        {"sfpencc 3,10\nsfpsetcc L7,0,6\nsfppushc 0\nsfpencc 3,10\nsfppushc 0\n",
         "sfpmov L3,L2,0\nsfppopc 0\nsfpload L0,0,0,3\nsfpmul L0,L0,L7,0\nsfpnop\n",
         "sfploadi L2,16384,0\n",
         "the depth of the flag stack: what a tile leaves there gives the next one ",
         "sfppopc 0 writes flags"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        char text[512];
        struct tx_diag diag;
        struct tx_program *program = NULL;
        const struct tx_asm_options how = {.arch = TX_BLACKHOLE};
        snprintf(text, sizeof text,
                 ".dst fp32\n.init\nsfploadi L7,16384,0\n%s.tile\n%ssfpstore L0,0,0,3\n%s",
                 all[i].init, all[i].first, all[i].last);
        assert_int_equal(tx_assemble(text, strlen(text), &how, &program, &diag), TX_OK);
        struct txl_error err = {0};
        txl_lint *lint = NULL;
        const struct txl_lint_options options = {.size = sizeof options};
        assert_int_equal(txl_lint_open(&err, &options, &lint), TXL_OK);
        assert_int_equal(txl_lint_program(&err, lint, "k.s", program), TXL_OK);
        const struct txl_lint_result *r = txl_lint_result(lint, 0);
        const struct txl_lint_finding *f = txl_lint_finding(r, 0);
        if ((f != NULL) != (all[i].what != NULL)) {
            fail_msg("kernel %zu: %s", i, f != NULL ? f->finding->message : "nothing");
        }
        if (f != NULL) {
            assert_string_equal(f->finding->rule, "E-LEFT");
            assert_ptr_equal(strstr(f->finding->message, all[i].what), f->finding->message);
            assert_non_null(strstr(f->finding->message, all[i].where));
            assert_null(txl_lint_finding(r, 1)); /* of what it leaves nothing else matters */
        }
        txl_lint_close(lint);
        tx_program_free(program);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clean),  cmocka_unit_test(test_superfluous),
        cmocka_unit_test(test_hazard), cmocka_unit_test(test_limit),
        cmocka_unit_test(test_cancel), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
