/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gdb, and the debugger of tensix debug, at one tile of a chip: it stops where another tile's write
 * lets the tile go on, goes back to the beginning with the whole chip, and comes to the same cycle
 * again; a run without gdb takes the same cycles. The words are RISC-V instructions as GNU as
 * writes them.
 */
#include "lab/gdb_session.h"

#include <tensix-lab/chip.h>
#include <tensix-lab/debug.h>

enum { WORD = 0x20008, WAITED = 0x600C };

/* After some time it writes 1 to WORD of the tile to its right, by the NoC. */
static const uint32_t writes[] = {
    0xFFB20537, 0x000205B7, /* lui a0, 0xffb20; lui a1, 0x20 */
    0x00858613, 0x00C52023, /* addi a2, a1, 8; sw a2, 0(a0): from here */
    0x00052223, 0x08100293, /* sw zero, 4(a0); li t0, 0x81 */
    0x00552423, 0x00C52623, /* sw t0, 8(a0); sw a2, 12(a0): to there */
    0x00052823, 0x08200293, /* sw zero, 16(a0); li t0, 0x82 */
    0x00552A23, 0x000022B7, /* sw t0, 20(a0); lui t0, 2 */
    0x09228293, 0x00552E23, /* addi t0, t0, 0x92; sw t0, 28(a0) */
    0x00400293, 0x02552023, /* li t0, 4; sw t0, 32(a0) */
    0x1F400313, 0xFFF30313, /* li t1, 500; 1: addi t1, t1, -1 */
    0xFE031EE3, 0x00100293, /* bnez t1, 1b; li t0, 1 */
    0x0055A423, 0x0FF0000F, /* sw t0, 8(a1); fence */
    0x04552023, 0x0000006F, /* sw t0, 64(a0): go; j . */
};
/* lui a0, 0x20; lw a1, 8(a0); beqz a1, -4; j . */
static const uint32_t waits[] = {0x00020537, 0x00852583, 0xFE058EE3, 0x0000006F};

struct visit {
    txl_chip *chip;
    uint64_t cycle; /* in which the word was seen; the debugger must not change it */
    bool kills;
};

static uint32_t word_of(txl_chip *chip)
{
    struct txl_error err = {.status = TXL_OK};
    uint32_t word = 0;
    assert_int_equal(txl_chip_read(&err, chip, 1, 0, WORD, &word, 4), TXL_OK);
    return word;
}

static int debug(void *user, struct txl_error *err, txl_tensix *tile)
{
    struct visit *v = user;
    struct session *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->run = tile;
    s->tile = txl_tensix_tile(tile);
    const struct txl_gdb_options o = {.size = sizeof o, .send = take, .user = s};
    assert_int_equal(txl_gdb_open(err, tile, &o, &s->gdb), TXL_OK);
    const uint64_t begin = tx_tensix_cycles(s->tile);
    SAYS(s, "OK", "Z0,%x,4", WAITED);
    assert_non_null(strstr(say(s, "vCont;c"), "thread:2;"));
    v->cycle = tx_tensix_cycles(s->tile);
    assert_int_equal(moment_of(s->tile).pc[0], WAITED);
    assert_int_equal(moment_of(s->tile).a1[0], 1);
    assert_int_equal(word_of(v->chip), 1);
    /* Back to the beginning of everything: the other tile has not written either. */
    assert_non_null(strstr(say(s, "bc"), "replaylog:begin"));
    assert_int_equal(tx_tensix_cycles(s->tile), begin);
    assert_int_equal(tx_chip_cycles(txl_chip_chip(v->chip)), begin);
    assert_int_equal(word_of(v->chip), 0);
    assert_int_equal(moment_of(s->tile).pc[0], 0x6000);
    /* One instruction, and the same end again. */
    say(s, "vCont;s:2;c");
    assert_int_equal(moment_of(s->tile).pc[0], 0x6004);
    assert_non_null(strstr(say(s, "vCont;c"), "thread:2;"));
    assert_int_equal(tx_tensix_cycles(s->tile), v->cycle);
    /* One step back is in the loop, before the branch. */
    say(s, "bs");
    assert_int_equal(moment_of(s->tile).pc[0], 0x6008);
    SAYS(s, "OK", "z0,%x,4", WAITED);
    if (!v->kills) {
        SAYS(s, "OK", "D");
    }
    txl_gdb_close(s->gdb);
    free(s);
    return v->kills ? TXL_CANCELLED : TXL_OK;
}

/* The same without a debugger. */
static int look(void *user, struct txl_error *err, txl_tensix *tile)
{
    struct visit *v = user;
    (void)err;
    while (moment_of(txl_tensix_tile(tile)).pc[0] != WAITED) {
        assert_int_equal(tx_chip_cycle(txl_chip_chip(v->chip), 1), TX_OK);
    }
    v->cycle = tx_tensix_cycles(txl_tensix_tile(tile));
    return TXL_OK;
}

static txl_chip *open_programs(const char *writer, const char *waiter, bool untimed)
{
    const struct txl_chip_options how = {
        .size = sizeof how, .columns = 2, .rows = 1, .untimed = untimed, .max_cycles = 100000};
    struct txl_error err = {.status = TXL_OK};
    const uint32_t zero[4] = {0};
    txl_chip *chip = NULL;
    assert_int_equal(txl_chip_open(&err, &how, &chip), TXL_OK);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(txl_chip_write(&err, chip, i, 0, 0x20000, zero, sizeof zero), TXL_OK);
    }
    assert_int_equal(txl_chip_elf(&err, chip, 0, 0, TX_CORE_T0, writer), TXL_OK);
    assert_int_equal(txl_chip_elf(&err, chip, 1, 0, TX_CORE_T0, waiter), TXL_OK);
    return chip;
}

static void tell(txl_debug *d, const char *line, const char *part)
{
    struct txl_error err = {.status = TXL_OK};
    char *answer = NULL;
    if (txl_debug_do(&err, d, line, &answer, NULL) != TXL_OK) {
        fail_msg("%s: %s", line, err.message);
    }
    if (strstr(answer, part) == NULL) {
        fail_msg("%s: '%s' is not in '%s'", line, part, answer);
    }
    free(answer);
}

static int step_through(void *user, struct txl_error *err, txl_tensix *tile)
{
    struct visit *v = user;
    tx_tensix *t = txl_tensix_tile(tile);
    const uint64_t begin = tx_tensix_cycles(t);
    char there[32];
    txl_debug *d = NULL;
    assert_int_equal(txl_debug_open_attached(err, tile, NULL, &d), TXL_OK);
    tell(d, "break *0x600c", "0 hits");
    tell(d, "continue", "breakpoint 1, core t0 at 0000600c");
    v->cycle = tx_tensix_cycles(t);
    assert_int_equal(moment_of(t).a1[0], 1);
    assert_int_equal(word_of(v->chip), 1);
    /* Everything goes back: the word of the other tile, and the whole chip's time. */
    tell(d, "reverse-continue", "the beginning");
    assert_int_equal(tx_chip_cycles(txl_chip_chip(v->chip)), begin);
    assert_int_equal(word_of(v->chip), 0);
    tell(d, "stepi", "00006004");
    tell(d, "continue", "breakpoint 1");
    assert_int_equal(tx_tensix_cycles(t), v->cycle);
    tell(d, "back", "00006008");
    snprintf(there, sizeof there, "goto %llu", (unsigned long long)begin + 100);
    tell(d, there, "0000600");
    assert_int_equal(tx_chip_cycles(txl_chip_chip(v->chip)), begin + 100);
    assert_int_equal(word_of(v->chip), 0);
    tell(d, "back cycle 200", "the beginning");
    /* Both cores end in a jump to themselves: no more happens. */
    tell(d, "delete 1", "");
    tell(d, "continue", "every core rests");
    assert_int_equal(word_of(v->chip), 1);
    txl_debug_close(d);
    return v->kills ? TXL_CANCELLED : TXL_OK;
}

static void test_debug(void **state)
{
    (void)state;
    static const char writer[] = "/tmp/tensix-chip-debug-w.bin";
    static const char waiter[] = "/tmp/tensix-chip-debug-r.bin";
    struct txl_error err = {.status = TXL_OK};
    const struct txl_tensix_program programs[] = {{TX_CORE_T0, waiter}};
    const struct txl_tensix_options alone = {
        .size = sizeof alone, .arch = TX_BLACKHOLE, .programs = programs, .program_count = 1};
    txl_tensix *tile = NULL;
    txl_debug *d = NULL;
    assert_int_equal(txl_write_file(&err, writer, writes, sizeof writes), TXL_OK);
    assert_int_equal(txl_write_file(&err, waiter, waits, sizeof waits), TXL_OK);
    struct visit v = {.chip = open_programs(writer, waiter, false)};
    assert_int_equal(txl_chip_attach(&err, v.chip, 1, 0, look, &v), TXL_OK);
    assert_int_equal(txl_chip_run(&err, v.chip), TXL_OK);
    const uint64_t plain = v.cycle;
    txl_chip_close(v.chip);
    for (unsigned kills = 0; kills < 2; kills++) {
        v = (struct visit){.chip = open_programs(writer, waiter, false), .kills = kills != 0};
        assert_int_equal(txl_chip_attach(&err, v.chip, 1, 0, step_through, &v), TXL_OK);
        assert_int_equal(txl_chip_run(&err, v.chip), kills != 0 ? TXL_CANCELLED : TXL_OK);
        assert_int_equal(v.cycle, plain);
        assert_int_equal(word_of(v.chip), 1);
        txl_chip_close(v.chip);
    }
    /* A tile that no chip has lent is for txl_debug_open_tile. */
    assert_int_equal(txl_tensix_open(&err, &alone, &tile), TXL_OK);
    assert_int_equal(txl_debug_open_attached(&err, tile, NULL, &d), TXL_INPUT);
    assert_null(d);
    txl_tensix_close(tile);
    remove(writer);
    remove(waiter);
}

static void test_gdb(void **state)
{
    (void)state;
    static const char writer[] = "/tmp/tensix-chip-gdb-w.bin";
    static const char waiter[] = "/tmp/tensix-chip-gdb-r.bin";
    struct txl_error err = {.status = TXL_OK};
    assert_int_equal(txl_write_file(&err, writer, writes, sizeof writes), TXL_OK);
    assert_int_equal(txl_write_file(&err, waiter, waits, sizeof waits), TXL_OK);
    struct visit v = {.chip = open_programs(writer, waiter, false)};
    assert_int_equal(txl_chip_attach(&err, v.chip, 1, 0, look, &v), TXL_OK);
    assert_int_equal(txl_chip_run(&err, v.chip), TXL_OK);
    const uint64_t plain = v.cycle;
    txl_chip_close(v.chip);
    for (unsigned kills = 0; kills < 2; kills++) {
        v = (struct visit){.chip = open_programs(writer, waiter, false), .kills = kills != 0};
        assert_int_equal(txl_chip_attach(&err, v.chip, 2, 0, debug, &v), TXL_INPUT);
        txl_error_clear(&err);
        assert_int_equal(txl_chip_attach(&err, v.chip, 1, 0, debug, &v), TXL_OK);
        assert_int_equal(txl_chip_run(&err, v.chip), kills != 0 ? TXL_CANCELLED : TXL_OK);
        assert_in_range(plain, 500, 10000);
        assert_int_equal(v.cycle, plain);
        if (kills == 0) {
            assert_int_equal(word_of(v.chip), 1);
        }
        txl_chip_close(v.chip);
    }
    v.chip = open_programs(writer, waiter, true);
    assert_int_equal(txl_chip_attach(&err, v.chip, 1, 0, debug, &v), TXL_INPUT);
    txl_chip_close(v.chip);
    remove(writer);
    remove(waiter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_gdb), cmocka_unit_test(test_debug)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
