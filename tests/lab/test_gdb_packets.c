/* SPDX-License-Identifier: Apache-2.0 */
/* Room "gdb", packets: registers, memory, monitor commands, and what is no packet at all. */
#include "gdb_session.h"

/* Every register of the description is there, and what has none says so. */
static void test_registers(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 2; a++) {
        struct session *s = open_session(a == 0 ? TX_WORMHOLE : TX_BLACKHOLE, false);
        char xml[1 << 15] = "";
        for (size_t at = 0;;) {
            say(s, "qXfer:features:read:target.xml:%zx,700", at);
            assert_true(at + s->length < sizeof xml);
            memcpy(xml + at, s->answer + 1, s->length);
            if (s->answer[0] == 'l') {
                break;
            }
            at += s->length - 1;
        }
        unsigned count = 0;
        const char *r = xml;
        for (; (r = strstr(r, "<reg name=\"")) != NULL; count++) {
            unsigned bits = 0;
            unsigned number = 0;
            r += strlen("<reg name=\"");
            assert_int_equal(sscanf(strstr(r, "bitsize="), "bitsize=\"%u\"", &bits), 1);
            assert_int_equal(sscanf(strstr(r, "regnum="), "regnum=\"%u\"", &number), 1);
            for (unsigned core = 1; core <= TX_CORES; core++) {
                SAYS(s, "OK", "Hg%x", core);
                say(s, "p%x", number);
                assert_int_equal(s->length, bits / 4);
                const bool thread = core >= 2 && core <= 4;
                const bool of_thread = strncmp(r, "gpr", 3) == 0 || strncmp(r, "rwc_", 4) == 0;
                const bool vector = r[0] == 'v' && r[1] != 'g' && core != 4; /* CSRs of T2 */
                assert_int_equal(s->answer[0] == 'x', (of_thread && !thread) || vector);
            }
        }
        assert_int_equal(count, 33 + 17 + 2 + 9 + 8 + 64 + (a == 0 ? 0 : 39));
        SAYS(s, "OK", "Hg3");
        SAYS(s, "OK", "P145=efbeadde"); /* gpr5 of T1 */
        SAYS(s, "efbeadde", "p145");
        uint32_t value = 0;
        (void)tx_read(tx_tensix_machine(s->tile), TX_FILE_GPR, 64 + 5, &value, 1);
        assert_int_equal(value, 0xDEADBEEF);
        char lreg[300] = "P102=";
        for (unsigned i = 0; i < 32; i++) {
            snprintf(lreg + 5 + 8 * (size_t)i, 9, "%02x000000", i);
        }
        SAYS(s, "OK", "%s", lreg);
        uint32_t lanes[32];
        (void)tx_read(tx_tensix_machine(s->tile), TX_FILE_LREG, 2, lanes, 32);
        for (unsigned i = 0; i < 32; i++) {
            assert_int_equal(lanes[i], i);
        }
        SAYS(s, "E16", "P108=00000000"); /* L8 is 32 lanes, and cannot be written */
        SAYS(s, "E16", "p8000");
        SAYS(s, "E16", "P1=00");
        SAYS(s, "OK", "Hg1");
        SAYS(s, "E16", "P145=efbeadde");
        close_session(s);
    }
}

static const char *monitor(struct session *s, const char *line, bool good)
{
    char hex[256] = "qRcmd,";
    for (size_t i = 0; line[i] != '\0'; i++) {
        snprintf(hex + 6 + 2 * i, 3, "%02x", (unsigned char)line[i]);
    }
    assert_string_equal(say(s, "%s", hex), good ? "OK" : "E16");
    return s->console;
}

#define TELLS(s, line, part) assert_non_null(strstr(monitor(s, line, true), part))

static void test_monitor(void **state)
{
    (void)state;
    struct session *s = open_session(TX_BLACKHOLE, false);
    tx_machine *m = tx_tensix_machine(s->tile);
    uint32_t v[32];
    for (unsigned i = 0; i < 32; i++) {
        v[i] = i == 7 ? 0x3FC00000 : 0x40000000; /* 1.5 and 2 */
    }
    (void)tx_write(m, TX_FILE_LREG, 3, v, 32);
    assert_string_equal(monitor(s, "lreg 3 7", true), "L3[7] 3fc00000 1.5\n");
    TELLS(s, "lreg 3 6..7", "L3[6] 40000000 2\nL3[7]");
    /* 1.5 in BF16 is 3fc0; a cell of Dst has sign, mantissa, exponent. */
    for (unsigned i = 0; i < 16; i++) {
        v[i] = 0x407F;
    }
    (void)tx_write(m, TX_FILE_DST, 65, v, 16);
    v[0] = 0;
    (void)tx_write(m, TX_FILE_DST_VALID, 65, v, 1);
    TELLS(s, "dst 65", "dst 65 (invalid) 407f 407f");
    v[0] = 1;
    (void)tx_write(m, TX_FILE_DST_VALID, 65, v, 1);
    TELLS(s, "dst 65 bf16", "dst 65 1.5 1.5");
    (void)tx_tensix_write(s->tile, 0x21000, "\xc0\x3f\x00\xc0", 4);
    assert_string_equal(monitor(s, "l1 0x21000 2 bf16", true), "00021000 1.5 -2\n");
    assert_string_equal(monitor(s, "l1 0x21000 1", true), "00021000 c0003fc0\n");
    v[0] = 2, v[1] = 3;
    (void)tx_write(m, TX_FILE_SEMAPHORE, 4, v, 2);
    TELLS(s, "semaphores", "semaphore 4: 2 of 3\n");
    v[0] = 3;
    (void)tx_write(m, TX_FILE_MUTEX, 4, v, 1);
    TELLS(s, "semaphores", "semaphore 4: 2 of 3; mutex 4: T2\n");
    SAYS(s, "OK", "Hg3");
    v[0] = 0xABCD;
    (void)tx_write(m, TX_FILE_GPR, 64 + 9, v, 1);
    TELLS(s, "gpr", " 9 0000abcd");
    assert_null(strstr(monitor(s, "gpr t2", true), "0000abcd"));
    (void)tx_config_set(m, 1, "ALU_FORMAT_SPEC_REG1_SrcB", 5);
    assert_string_equal(monitor(s, "cfg ALU_FORMAT_SPEC_REG1_SrcB", true),
                        "ALU_FORMAT_SPEC_REG1_SrcB = 5 (0x5)\n");
    TELLS(s, "cfg SPEC_REG1", "ALU_FORMAT_SPEC_REG1_SrcB = 5");
    uint32_t rwc[TX_RWC_COUNT] = {0};
    rwc[TX_RWC_SRCB] = 12;
    (void)tx_write(m, TX_FILE_RWC, 2, rwc, TX_RWC_COUNT);
    TELLS(s, "rwc", "T2 Dst 0, Dst_Cr 0, SrcA 0, SrcA_Cr 0, SrcB 12,");
    uint32_t adc[TX_ADC_VALUES] = {0};
    adc[8 + 1] = 17; /* Y of channel 1 */
    (void)tx_write(m, TX_FILE_ADC, 3 + 2, adc, TX_ADC_VALUES);
    TELLS(s, "adc",
          "T1 packers: channel 0 X 0 (Cr 0) Y 0 (Cr 0) Z 0 (Cr 0) W 0 (Cr 0), channel 1 X "
          "0 (Cr 0) Y 17 (Cr 0)");
    TELLS(s, "srca 0", "bank 0 of the Matrix Unit; bank 0 is the unpacker's");
    TELLS(s, "queues", "T1, before the MOP Expander: nothing");
    TELLS(s, "waits", "t0 at 00006000, lui a0, 0x20");
    TELLS(s, "cycles", "cycle 0; back to cycle 0, 1 checkpoints");
    TELLS(s, "findings", "none");
    TELLS(s, "", "monitor help");
    static const char *const wrong[] = {
        "dance",       "lreg",          "lreg 17",        "lreg x",           "lreg 0 32",
        "lreg 0 7..6", "dst",           "dst 1024",       "dst 0 bf17",       "dst 600 fp32",
        "l1",          "l1 0x21000",    "l1 0x200000 1",  "l1 0 4097",        "l1 0 1 bfp8_b",
        "l1 0 1 fp99", "l1 0x17fffc 2", "gpr b",          "gpr t3",           "cfg",
        "cfg nosuch",  "srca 64",       "cfg ALU_ACC nc", "a b c d e f g h i"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_true(strlen(monitor(s, wrong[i], false)) > 10);
    }
    close_session(s);
}

/* Nothing of this ends anything or changes anything, and whatever is a packet is answered. */
static void test_nonsense(void **state)
{
    (void)state;
    static const char *const packets[] = {
        "",
        "p",
        "pzz",
        "P",
        "P1",
        "P1=",
        "P1=1",
        "P1=0000000",
        "Pzz=00000000",
        "G",
        "G00",
        "m",
        "m1",
        "m,4",
        "m1,",
        "mffffffffff,4",
        "M0",
        "M0,4",
        "M0,4:00",
        "M0,4:0000000g",
        "M0,ffffffffffffffff:",
        "X0,5:ab",
        "X0,ffffffff:",
        "Z",
        "Z0",
        "Z0,",
        "Z0,1",
        "Z2,0,ffffffff",
        "Z9,0,4",
        "Z4,fffffff0,20",
        "z7",
        "z2,0",
        "vCont",
        "vCont;",
        "vCont;x",
        "vCont;s:9",
        "vCont;r1",
        "vCont;r1,",
        "vCont;c:1:2",
        "vCont;c;",
        "H",
        "Hx1",
        "Hg",
        "Hgz",
        "Hg99",
        "T",
        "Tz",
        "b",
        "bx",
        "bss",
        "q",
        "qXfer",
        "qXfer:",
        "qXfer:features:read:x:0,10",
        "qXfer:features:read:target.xml",
        "qXfer:features:read:target.xml:0",
        "qXfer:features:write:target.xml:0,1",
        "qXfer:threads:read::ffffffffffffffff,ffffffffffffffff",
        "qRcmd,0",
        "qRcmd,zz",
        "qThreadExtraInfo",
        "qThreadExtraInfo,9",
        "Q",
        "QX",
        "v",
        "vRun;a",
        "vAttach;1",
        "!",
        "R00",
        "~",
        "\x80",
    };
    struct session *s = open_session(TX_BLACKHOLE, false);
    const struct moment before = moment_of(s->tile);
    for (size_t i = 0; i < sizeof packets / sizeof packets[0]; i++) {
        const char *answer = say(s, "%s", packets[i]);
        if (strcmp(answer, "(nothing)") == 0 || answer[0] == 'T' || strcmp(answer, "OK") == 0) {
            fail_msg("'%s' is answered '%s'", packets[i], answer);
        }
    }
    const struct moment after = moment_of(s->tile);
    assert_memory_equal(&before, &after, sizeof before);
    assert_int_equal(now_of(s), 0);
    /* Cut off, too long, with a wrong sum. */
    strcpy(s->answer, "(nothing)");
    assert_int_equal(txl_gdb_input(s->gdb, "$m0,4#00$m0,4#fz$m0,", 20), TXL_GDB_CONNECTED);
    assert_string_equal(s->answer, "(nothing)");
    assert_int_equal(txl_gdb_input(s->gdb, "$m6000,4#93", 11), TXL_GDB_CONNECTED);
    assert_string_equal(s->answer, "37050200");
    char *giant = malloc(100000);
    assert_non_null(giant);
    memset(giant, 'm', 100000);
    giant[0] = '$';
    strcpy(s->answer, "(nothing)");
    assert_int_equal(txl_gdb_input(s->gdb, giant, 100000), TXL_GDB_CONNECTED);
    free(giant);
    txl_gdb_connect(s->gdb);
    SAYS(s, "37050200", "m6000,4");
    close_session(s);
}

/* Bytes as X has them, and what may stand in answers only escaped. */
static void test_bytes(void **state)
{
    (void)state;
    struct session *s = open_session(TX_WORMHOLE, false);
    static const char packet[] = {'X', '2',  '0', '0',  '0', '0',  ',', '5',       ':',
                                  '}', 0x03, '}', 0x04, '}', 0x5D, 0,   (char)0xFF};
    SAYS(s, "OK", "%s", "M20000,5:0102030405");
    assert_string_equal(say_bytes(s, packet, sizeof packet), "OK");
    SAYS(s, "23247d00ff", "m20000,5");
    SAYS(s, "E0e", "m400000,4");
    SAYS(s, "E0e", "M400000,4:00000000");
    SAYS(s, "ff", "m20004,1");
    /* A write beyond the end: what was written is there the next time, too. */
    SAYS(s, "E0e", "M16dffe,4:01020304");
    SAYS(s, "0102", "m16dffe,2");
    (void)say(s, "vCont;s:2");
    (void)say(s, "bc");
    SAYS(s, "0102", "m16dffe,2");
    /* As much as there is. */
    say(s, "m%x,10", 1464 * 1024 - 2);
    assert_int_equal(s->length, 4);
    close_session(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_registers),
        cmocka_unit_test(test_monitor),
        cmocka_unit_test(test_nonsense),
        cmocka_unit_test(test_bytes),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
