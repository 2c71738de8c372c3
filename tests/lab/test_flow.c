/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The graph of values. Small programs have their graph written here; random ones are judged by the
 * machine itself: where another bit in one lane of one register changes a result, that lane must be
 * among what the result was made of.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tensix-lab/flow.h>
#include <tensix/tensix.h>

#include "flow/graph.h"

enum { INIT_REGS = 8, MOST_WORDS = 256 };

typedef uint32_t registers[INIT_REGS][TX_LANES];

static uint64_t seed = 1;

static uint32_t next_random(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33);
}

static size_t words_of(enum tx_arch arch, const char *text, uint32_t words[MOST_WORDS])
{
    struct tx_program *program = NULL;
    struct tx_diag diag = {0};
    const struct tx_asm_options how = {.arch = arch};
    if (tx_assemble(text, strlen(text), &how, &program, &diag) != TX_OK) {
        print_message("line %u: %s\n%s", diag.line, diag.message, text);
        fail();
    }
    const size_t count = tx_program_count(program, TX_SECTION_TILE);
    assert_true(count <= MOST_WORDS);
    memcpy(words, tx_program_words(program, TX_SECTION_TILE), count * sizeof *words);
    tx_program_free(program);
    return count;
}

/* Runs the words from these registers; the graph may be NULL. out: the registers afterwards. */
static void run(enum tx_arch arch, const uint32_t *words, size_t count, const registers in,
                txl_graph *graph, registers out)
{
    struct tx_settings settings;
    tx_machine *machine = NULL;
    tx_settings_default(&settings, arch);
    if (graph != NULL) {
        settings.sink = (struct tx_sink){.event = txl_graph_event, .user = graph};
    }
    assert_int_equal(tx_open(&settings, &machine), TX_OK);
    for (unsigned reg = 0; reg < INIT_REGS; reg++) {
        assert_int_equal(tx_write(machine, TX_FILE_LREG, reg, in[reg], TX_LANES), TX_OK);
    }
    assert_int_equal(tx_run(machine, 1, words, count), TX_OK);
    for (unsigned reg = 0; reg < INIT_REGS; reg++) {
        assert_int_equal(tx_read(machine, TX_FILE_LREG, reg, out[reg], TX_LANES), TX_OK);
    }
    tx_close(machine);
}

static void fill(registers in)
{
    for (unsigned reg = 0; reg < INIT_REGS; reg++) {
        for (unsigned lane = 0; lane < TX_LANES; lane++) {
            in[reg][lane] = (next_random() & 0x80FFFFFF) | UINT32_C(0x3F000000);
        }
    }
}

static txl_graph *graph_of(enum tx_arch arch, const char *text, registers out)
{
    uint32_t words[MOST_WORDS];
    registers in;
    txl_graph *graph = NULL;
    const size_t count = words_of(arch, text, words);
    fill(in);
    assert_int_equal(txl_graph_open(NULL, &graph), TXL_OK);
    run(arch, words, count, in, graph, out);
    assert_true(txl_graph_whole(graph));
    return graph;
}

static uint32_t step_number(const txl_graph *graph, uint32_t value)
{
    return txl_graph_value(graph, value)->step;
}

/* Steps 0..2: L2 = L0 * L1 + L9; nothing; L3 = |L2|. */
static void test_chain(void **state)
{
    (void)state;
    registers out;
    txl_graph *g =
        graph_of(TX_BLACKHOLE, "sfpmad L2,L0,L1,L9,0\nsfpnop\nsfpabs L3,L2,1\nsfpnop\n", out);
    struct txl_source list[TXL_MOST_SOURCES];
    const struct txl_source end = txl_graph_origin(g, txl_graph_register(g, 3), 7);
    assert_int_equal(txl_graph_steps(g), 4);
    assert_int_equal(step_number(g, end.value), 2);
    assert_int_equal(txl_graph_bits(g, end.value, 7), out[3][7]);
    assert_int_equal(txl_graph_value(g, end.value)->lanes, UINT32_MAX);
    assert_int_equal(txl_graph_sources(g, end, list, TXL_MOST_SOURCES), 1);
    assert_int_equal(step_number(g, list[0].value), 0);
    assert_int_equal(list[0].lane, 7);
    assert_int_equal(txl_graph_bits(g, list[0].value, 7), out[2][7]);
    assert_int_equal(txl_graph_sources(g, list[0], list, TXL_MOST_SOURCES), 3);
    const unsigned regs[] = {0, 1, 9};
    for (unsigned i = 0; i < 3; i++) {
        const struct txl_value *v = txl_graph_value(g, list[i].value);
        assert_int_equal(v->reg, regs[i]);
        assert_int_equal(v->step, TXL_NO_VALUE);
        assert_int_equal(txl_graph_sources(g, list[i], NULL, 0), 0);
    }
    const struct txl_step *mad = txl_graph_step(g, 0);
    assert_int_equal(mad->row->insn, TX_INSN_SFPMAD);
    assert_int_equal(mad->reads, 1U << 0 | 1U << 1 | 1U << 9);
    assert_int_equal(mad->writes, 1U << 2);
    assert_int_equal(txl_graph_step(g, 2)->cycle - mad->cycle, 2);
    assert_null(txl_graph_step(g, 4));
    txl_graph_close(g);
    txl_graph_close(NULL);
}

/* SFPSETCC leaves lane 0 alone, whose L15 is zero: the other lanes keep the value of before. */
static void test_predicated(void **state)
{
    (void)state;
    registers out;
    txl_graph *g = graph_of(TX_BLACKHOLE,
                            "sfpencc 3,10\nsfpabs L1,L0,1\nsfpsetcc L15,0,6\nsfpnot L1,L2\n"
                            "sfpsetcc L9,0,2\nsfpnot L1,L3\nsfpabs L2,L1,1\nsfpencc 3,10\n",
                            out);
    const uint32_t now = txl_graph_register(g, 1);
    const uint32_t none = txl_graph_wrote(g, 5, 1); /* L9 is 0: no lane is left */
    assert_int_equal(step_number(g, txl_graph_origin(g, now, 0).value), 3);
    for (unsigned lane = 1; lane < TX_LANES; lane++) {
        assert_int_equal(step_number(g, txl_graph_origin(g, now, lane).value), 1);
    }
    assert_int_equal(txl_graph_value(g, txl_graph_wrote(g, 3, 1))->lanes, 1);
    assert_int_equal(txl_graph_value(g, none)->lanes, 0);
    assert_int_equal(txl_graph_read(g, 6, 1), none); /* the very next instruction */
    assert_int_equal(txl_graph_value(g, none)->before, txl_graph_wrote(g, 3, 1));
    txl_graph_close(g);
}

/* A value that goes through Dst into another lane's row and back. */
static void test_dst(void **state)
{
    (void)state;
    registers out;
    txl_graph *g = graph_of(TX_BLACKHOLE,
                            "sfpabs L1,L0,1\nsfpstore L1,0,4,3\nsfpnop\nsfpnop\nsfpnop\n"
                            "sfpload L2,0,4,3\nsfpload L3,8,4,3\nsfpnop\n",
                            out);
    const struct txl_source loaded = txl_graph_origin(g, txl_graph_register(g, 2), 13);
    const struct txl_source elsewhere = txl_graph_origin(g, txl_graph_register(g, 3), 13);
    struct txl_source from;
    assert_int_equal(txl_graph_step(g, step_number(g, loaded.value))->row->insn, TX_INSN_SFPLOAD);
    assert_int_equal(txl_graph_sources(g, loaded, &from, 1), 1);
    assert_int_equal(txl_graph_value(g, from.value)->reg, TXL_IN_DST);
    assert_int_equal(from.lane, 13);
    assert_int_equal(step_number(g, from.value), 1);
    assert_int_equal(txl_graph_bits(g, from.value, 13), out[1][13]);
    const struct tx_dst_place at = tx_dst_place(txl_graph_step(g, 1)->address, 13);
    assert_int_equal(txl_graph_cell(g, at.row, at.column).value, from.value);
    assert_int_equal(txl_graph_cell(g, at.row, at.column).lane, 13);
    assert_int_equal(txl_graph_sources(g, from, &from, 1), 1);
    assert_int_equal(step_number(g, from.value), 0);
    assert_int_equal(txl_graph_sources(g, elsewhere, &from, 1), 0); /* nothing was stored there */
    txl_graph_close(g);
}

/* ---- random programs ---- */

/* Whether a register and lane of the beginning are among what a source was made of. */
static void mark(const txl_graph *g, struct txl_source of, bool *seen,
                 bool from[INIT_REGS][TX_LANES])
{
    struct txl_source list[TXL_MOST_SOURCES];
    const struct txl_value *v = txl_graph_value(g, of.value);
    if (v == NULL || seen[of.value * TX_LANES + of.lane]) {
        return;
    }
    seen[of.value * TX_LANES + of.lane] = true;
    if (v->step == TXL_NO_VALUE && v->reg < INIT_REGS) {
        from[v->reg][of.lane] = true;
    }
    const size_t count = txl_graph_sources(g, of, list, TXL_MOST_SOURCES);
    assert_true(count <= TXL_MOST_SOURCES);
    for (size_t i = 0; i < count; i++) {
        mark(g, list[i], seen, from);
    }
}

/* Instructions whose results do not depend on flags of data: SFPSETCC looks at L15 and L9 only. */
static void write_program(char *text, size_t size)
{
    static const char *const forms[] = {
        "sfpmad L%u,L%u,L%u,L%u,0",
        "sfpmad L%u,L%u,L%u,L%u,0",
        "sfpadd L%u,L%u,L%u,0",
        "sfpsetsgn L%u,L%u,0,0",
        "sfpsetman L%u,L%u,0,0",
        "sfpiadd L%u,L%u,0,4",
        "sfpnot L%u,L%u",
        "sfpmov L%u,L%u,0",
        "sfpmov L%u,L%u,2",
        "sfpswap L%u,L%u,0",
        "sfptransp",
        "sfpshft2 L%u,L%u,0,3",
        "sfpshft2 L0,L0,0,1",
        "sfpshft2 L0,L%u,0,2",
        "sfpsetcc L15,0,6",
        "sfpsetcc L15,0,2",
        "sfpencc 3,10",
        "sfpstore L%u,0,4,3",
        "sfpload L%u,0,4,3",
        "sfpmuli L%u,0x3f80,0",
        "sfpsetexp L%u,L%u,0,0",
        "sfpshft L%u,L%u,0,0",
    };
    size_t used = 0;
    text[0] = '\0';
    for (unsigned i = 0; i < 14; i++) {
        char line[128];
        const char *form = forms[next_random() % (sizeof forms / sizeof forms[0])];
        snprintf(line, sizeof line, form, next_random() % 8, next_random() % 8, next_random() % 8,
                 next_random() % 8);
        used += (size_t)snprintf(text + used, size - used, "%s\nsfpnop\nsfpnop\nsfpnop\n", line);
    }
    (void)snprintf(text + used, size - used, "sfpencc 3,10\nsfpnop\n");
}

static void one_random(enum tx_arch arch)
{
    char text[4096];
    uint32_t words[MOST_WORDS];
    registers in;
    registers out;
    registers other;
    txl_graph *g = NULL;
    write_program(text, sizeof text);
    const size_t count = words_of(arch, text, words);
    fill(in);
    assert_int_equal(txl_graph_open(NULL, &g), TXL_OK);
    run(arch, words, count, in, g, out);
    for (unsigned change = 0; change < 12; change++) {
        const unsigned reg = next_random() % INIT_REGS;
        const unsigned lane = next_random() % TX_LANES;
        registers changed;
        memcpy(changed, in, sizeof changed);
        changed[reg][lane] ^= UINT32_C(1) << next_random() % 24;
        run(arch, words, count, changed, NULL, other);
        for (unsigned r = 0; r < INIT_REGS; r++) {
            for (unsigned l = 0; l < TX_LANES; l++) {
                bool from[INIT_REGS][TX_LANES] = {{false}};
                if (out[r][l] == other[r][l]) {
                    continue;
                }
                bool *seen = calloc(txl_graph_values(g) * TX_LANES, sizeof *seen);
                mark(g, txl_graph_origin(g, txl_graph_register(g, r), l), seen, from);
                free(seen);
                if (!from[reg][lane]) {
                    print_message("L%u[%u] depends on L%u[%u], which its graph does not say:\n%s",
                                  r, l, reg, lane, text);
                    fail();
                }
            }
        }
    }
    txl_graph_close(g);
}

static void test_random(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 150; i++) {
        one_random(i % 2 == 0 ? TX_BLACKHOLE : TX_WORMHOLE);
    }
}

/* What moves as it is has the bits of what it came from. */
static void test_moves(void **state)
{
    (void)state;
    static const char *const moves[] = {"sfptransp",          "sfpshft2 L0,L0,0,0",
                                        "sfpshft2 L0,L0,0,1", "sfpshft2 L0,L5,0,2",
                                        "sfpshft2 L4,L5,0,3", "sfpmov L3,L2,2"};
    for (unsigned i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        char text[96];
        registers out;
        unsigned moved = 0;
        snprintf(text, sizeof text, "%s\nsfpnop\nsfpnop\n", moves[i]);
        txl_graph *g = graph_of(TX_BLACKHOLE, text, out);
        for (unsigned reg = 0; reg < INIT_REGS; reg++) {
            for (unsigned lane = 0; lane < TX_LANES; lane++) {
                struct txl_source from;
                const struct txl_source at = txl_graph_origin(g, txl_graph_register(g, reg), lane);
                if (txl_graph_sources(g, at, &from, 1) == 1) {
                    assert_int_equal(txl_graph_bits(g, from.value, from.lane), out[reg][lane]);
                    moved++;
                } else {
                    const bool given = step_number(g, at.value) == TXL_NO_VALUE;
                    assert_true(given || out[reg][lane] == 0);
                }
            }
        }
        assert_true(moved >= TX_LANES);
        txl_graph_close(g);
    }
}

/* The same run twice: once all of it is kept, once the last hundred steps. */
struct both {
    txl_graph *all, *few;
    uint64_t steps, lanes, older; /* compared; lanes whose step the smaller one has forgotten */
};

static void compare_lane(struct both *b, uint32_t a, uint32_t f, unsigned lane)
{
    const struct txl_source from_all = txl_graph_origin(b->all, a, lane);
    const struct txl_source from_few = txl_graph_origin(b->few, f, lane);
    const struct graph_mark mark = graph_mark_of(b->all, from_all.value);
    assert_int_equal(graph_mark_of(b->few, from_few.value).number, mark.number);
    assert_int_equal(txl_graph_bits(b->few, f, lane), txl_graph_bits(b->all, a, lane));
    b->lanes++;
    b->older += txl_graph_value(b->few, from_few.value)->step == TXL_NO_VALUE && mark.number != 0;
}

static void compare_event(void *user, const struct tx_event *event)
{
    struct both *b = user;
    txl_graph_event(b->all, event);
    txl_graph_event(b->few, event);
    assert_true(txl_graph_whole(b->all) && txl_graph_whole(b->few));
    assert_true(txl_graph_steps(b->few) <= 100);
    if (event->kind != TX_EVENT_COMPUTE) {
        return;
    }
    const uint32_t step = (uint32_t)txl_graph_steps(b->all) - 1;
    const uint32_t last = (uint32_t)txl_graph_steps(b->few) - 1;
    const uint32_t *found = NULL;
    assert_int_equal(txl_graph_step(b->few, last)->cycle, event->cycle);
    assert_int_equal(txl_graph_step(b->few, last)->reads, txl_graph_step(b->all, step)->reads);
    size_t count = graph_found(b->few, last, &found);
    for (unsigned reg = 0; reg < TX_LREGS; reg++) {
        const uint32_t a = txl_graph_read(b->all, step, reg);
        const uint32_t f = txl_graph_read(b->few, last, reg);
        assert_int_equal(a == TXL_NO_VALUE, f == TXL_NO_VALUE);
        for (unsigned lane = 0; lane < TX_LANES && a != TXL_NO_VALUE; lane++) {
            compare_lane(b, a, f, lane);
        }
        if (f != TXL_NO_VALUE) {
            assert_int_equal(*found++, f);
            count--;
        }
    }
    assert_int_equal(count, 0);
    b->steps++;
    const struct graph_mark mark = {.number = b->steps};
    graph_mark_step(b->all, step, &mark);
    graph_mark_step(b->few, last, &mark);
}

static void compare_both(enum tx_arch arch, bool dense)
{
    struct both b = {NULL, NULL, 0, 0, 0};
    struct tx_settings settings;
    tx_machine *machine = NULL;
    assert_int_equal(txl_graph_open(NULL, &b.all), TXL_OK);
    assert_int_equal(txl_graph_open(NULL, &b.few), TXL_OK);
    graph_keep(b.few, 100);
    tx_settings_default(&settings, arch);
    settings.sink = (struct tx_sink){.event = compare_event, .user = &b};
    assert_int_equal(tx_open(&settings, &machine), TX_OK);
    for (unsigned i = 0; i < 100; i++) {
        char text[4096];
        uint32_t words[MOST_WORDS];
        write_program(text, sizeof text);
        const size_t count = words_of(arch, text, words);
        size_t used = 0;
        for (size_t k = 0; k < count; k++) {
            words[used] = words[k];
            used += !dense || tx_insn_id_of(arch, words[k]) != TX_INSN_SFPNOP;
        }
        assert_int_equal(tx_run(machine, 1, words, used), TX_OK);
    }
    assert_true(b.steps > 1000 && b.lanes > 50000 && (dense || b.older > 1000));
    tx_close(machine);
    txl_graph_close(b.all);
    txl_graph_close(b.few);
}

static void test_forgetting(void **state)
{
    (void)state;
    compare_both(TX_BLACKHOLE, false);
    compare_both(TX_BLACKHOLE, true);
    compare_both(TX_WORMHOLE, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chain),  cmocka_unit_test(test_predicated),
        cmocka_unit_test(test_dst),    cmocka_unit_test(test_moves),
        cmocka_unit_test(test_random), cmocka_unit_test(test_forgetting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
