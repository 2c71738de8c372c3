/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel cycle by cycle is the kernel at once: state, result, counters and findings of example
 * kernels, forwards and after every way back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tensix/tensix.h>

enum { TILES = 2, MOST = 1 << 16 };

/* Three threads, a semaphore, REPLAY, and SFPLOADMACRO in another one. */
static const char threads[] = ".arch blackhole\n"
                              ".init\n"
                              ".thread 0\nseminit 1, 0, 4\n"
                              ".tile\n"
                              ".thread 1\n"
                              "sfploadi L0, 0x3f80, 0\nsfploadi L1, 0x4000, 0\n"
                              "replay 0, 2, 1, 1\nsfpmul L1, L0, L1, 0\nsfpnop\n"
                              "replay 0, 2, 0, 0\nreplay 0, 2, 0, 0\n"
                              "sempost 4\nsfpstore L1, 0, 3, 0\n"
                              ".thread 2\n"
                              "semwait 0x1ff, 4, 1\nsemget 4\nsetdmareg 0, 7, 0, 4\n";
static const char single[] =
    ".arch wormhole\n"
    ".inputs 1\n"
    ".init\nsfploadi L7, 0x3fc0, 0\n"
    ".tile\n"
    ".rept 8\nsfpload L0, 0, 3, 0\nsfpmad L1, L0, L7, L10, 0\nsfpnop\nsfpswap L1, L0, 1\nsfpnop\n"
    "sfpstore L1, 0, 3, 0\nincrwc 0, 2, 0, 0\n.endr\n";

static struct tx_program *assemble(const char *text)
{
    struct tx_asm_options options = {.arch = TX_ARCH_NONE};
    struct tx_program *program = NULL;
    struct tx_diag diag = {0};
    if (tx_assemble(text, strlen(text), &options, &program, &diag) != TX_OK) {
        fail_msg("%u: %s", diag.line, diag.message);
    }
    return program;
}

struct run {
    tx_kernel *kernel;
    const struct tx_program *program;
    uint32_t in[TX_TILE_ELEMENTS], out[TILES][TX_TILE_ELEMENTS];
};

static void open_run(struct run *r, const struct tx_program *program)
{
    struct tx_settings settings;
    struct tx_kernel_options options;
    tx_settings_default(&settings, tx_program_arch(program));
    tx_kernel_options_default(&options);
    memset(r, 0, sizeof *r);
    r->program = program;
    for (unsigned i = 0; i < TX_TILE_ELEMENTS; i++) {
        r->in[i] = 0x3F800000u + i * 4099u;
    }
    assert_int_equal(tx_kernel_open(&settings, program, &options, &r->kernel), TX_OK);
}

static void begin_tile(struct run *r, unsigned tile)
{
    assert_int_equal(tx_kernel_tile_begin(r->kernel, tile), TX_OK);
    for (unsigned i = 0; i < tx_program_inputs(r->program); i++) {
        assert_int_equal(
            tx_dst_load_tile(tx_kernel_machine(r->kernel), i, tx_kernel_dst(r->kernel), r->in),
            TX_OK);
    }
}

static void end_tile(struct run *r, unsigned tile)
{
    assert_int_equal(tx_dst_store_tile(tx_kernel_machine(r->kernel), tx_program_output(r->program),
                                       tx_kernel_out(r->kernel), r->out[tile]),
                     TX_OK);
}

static void whole(struct run *r)
{
    assert_int_equal(tx_kernel_start(r->kernel), TX_OK);
    for (unsigned tile = 0; tile < TILES; tile++) {
        begin_tile(r, tile);
        assert_int_equal(tx_kernel_tile_run(r->kernel, NULL), TX_OK);
        end_tile(r, tile);
    }
}

/* Backwards after every few cycles, and the same again. */
static void section(struct run *r, unsigned which)
{
    const size_t size = tx_kernel_checkpoint_size(r->kernel);
    void *point = malloc(size);
    bool over = false;
    assert_non_null(point);
    assert_int_equal(tx_kernel_enter(r->kernel, which), TX_OK);
    assert_int_equal(tx_kernel_enter(r->kernel, which), TX_EINVAL);
    for (unsigned i = 0; !over; i++) {
        assert_true(i < MOST);
        if (i % 3 == 0) {
            const uint64_t now = tx_kernel_now(r->kernel);
            bool then = false;
            assert_int_equal(tx_kernel_checkpoint(r->kernel, point, size), TX_OK);
            for (unsigned k = 0; k < 1 + i % 7 && !then; k++) {
                assert_int_equal(tx_kernel_cycle(r->kernel, &then), TX_OK);
            }
            assert_int_equal(tx_kernel_rollback(r->kernel, point, size), TX_OK);
            assert_int_equal(tx_kernel_now(r->kernel), now);
        }
        assert_int_equal(tx_kernel_cycle(r->kernel, &over), TX_OK);
    }
    assert_int_equal(tx_kernel_cycle(r->kernel, &over), TX_EINVAL);
    free(point);
}

static void stepped(struct run *r)
{
    assert_int_equal(tx_kernel_enter(r->kernel, TX_SECTION_TILE), TX_EINVAL);
    section(r, TX_SECTION_INIT);
    for (unsigned tile = 0; tile < TILES; tile++) {
        begin_tile(r, tile);
        section(r, TX_SECTION_TILE);
        end_tile(r, tile);
    }
}

static void same_machine(const tx_machine *a, const tx_machine *b)
{
    const struct tx_counters c = tx_machine_counters(a);
    const struct tx_counters d = tx_machine_counters(b);
    assert_int_equal(c.cycles, d.cycles);
    assert_int_equal(c.issue_cycles, d.issue_cycles);
    assert_int_equal(c.instructions, d.instructions);
    assert_int_equal(c.stall_cycles, d.stall_cycles);
    assert_int_equal(tx_finding_count(a), tx_finding_count(b));
    for (size_t i = 0; i < tx_finding_count(a); i++) {
        assert_int_equal(tx_finding_at(a, i)->cycle, tx_finding_at(b, i)->cycle);
        assert_int_equal(tx_finding_at(a, i)->count, tx_finding_at(b, i)->count);
    }
    for (unsigned reg = 0; reg < TX_LREGS; reg++) {
        uint32_t u[32];
        uint32_t v[32];
        assert_int_equal(tx_read(a, TX_FILE_LREG, reg, u, 32), TX_OK);
        assert_int_equal(tx_read(b, TX_FILE_LREG, reg, v, 32), TX_OK);
        assert_memory_equal(u, v, sizeof u);
    }
}

static void both(const char *text)
{
    struct tx_program *program = assemble(text);
    struct run *a = malloc(sizeof *a);
    struct run *b = malloc(sizeof *b);
    assert_true(a != NULL && b != NULL);
    open_run(a, program);
    open_run(b, program);
    whole(a);
    stepped(b);
    assert_memory_equal(a->out, b->out, sizeof a->out);
    same_machine(tx_kernel_machine(a->kernel), tx_kernel_machine(b->kernel));
    tx_kernel_close(a->kernel);
    tx_kernel_close(b->kernel);
    free(a);
    free(b);
    tx_program_free(program);
}

static void test_single(void **state)
{
    (void)state;
    both(single);
}

static void test_threads(void **state)
{
    (void)state;
    both(threads);
}

/* What stops a run at once stops it cycle by cycle, in the same cycle. */
static void test_stops(void **state)
{
    (void)state;
    static const char text[] = ".arch blackhole\n.thread 1\nsemwait 0x1ff, 4, 1\nsfpnop\n";
    struct tx_program *program = assemble(text);
    struct run r;
    bool over = false;
    enum tx_status status = TX_OK;
    open_run(&r, program);
    assert_int_equal(tx_kernel_start(r.kernel), TX_OK);
    begin_tile(&r, 0);
    assert_int_equal(tx_kernel_enter(r.kernel, TX_SECTION_TILE), TX_OK);
    for (unsigned i = 0; status == TX_OK && i < MOST; i++) {
        status = tx_kernel_cycle(r.kernel, &over);
    }
    assert_int_equal(status, TX_EDEADLOCK);
    const uint64_t now = tx_kernel_now(r.kernel);
    tx_kernel_close(r.kernel);
    open_run(&r, program);
    assert_int_equal(tx_kernel_start(r.kernel), TX_OK);
    begin_tile(&r, 0);
    assert_int_equal(tx_kernel_tile_run(r.kernel, NULL), TX_EDEADLOCK);
    assert_int_equal(tx_kernel_now(r.kernel), now);
    tx_kernel_close(r.kernel);
    tx_program_free(program);
}

static void test_checkpoints_of_others(void **state)
{
    (void)state;
    struct tx_program *program = assemble(single);
    struct run a;
    struct run b;
    open_run(&a, program);
    open_run(&b, program);
    const size_t size = tx_kernel_checkpoint_size(a.kernel);
    void *point = malloc(size);
    assert_int_equal(tx_kernel_checkpoint(a.kernel, point, size - 1), TX_EINVAL);
    assert_int_equal(tx_kernel_checkpoint(a.kernel, point, size), TX_OK);
    assert_int_equal(tx_kernel_rollback(b.kernel, point, size), TX_EINVAL);
    assert_int_equal(tx_kernel_rollback(a.kernel, NULL, size), TX_EINVAL);
    assert_int_equal(tx_kernel_rollback(a.kernel, point, size), TX_OK);
    free(point);
    tx_kernel_close(a.kernel);
    tx_kernel_close(b.kernel);
    tx_program_free(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_single),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_stops),
        cmocka_unit_test(test_checkpoints_of_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
