/* SPDX-License-Identifier: Apache-2.0 */
/* A gdb in memory at two cores with a program each, for tests of the room "gdb". */
#ifndef TESTS_LAB_GDB_SESSION_H
#define TESTS_LAB_GDB_SESSION_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <tensix-lab/gdb.h>

enum { T0 = 0x6000, T1 = 0xA000, CYCLES = 40000, LIMIT = 600000 };

/* RISC-V, by hand: the manual's encodings. T0 counts in a1 and stores it to 0x20000; every 64th
 * time it sends it to T1, which adds it up in a2 and stores that to 0x20010. */
static const uint32_t counts[] = {
    0x00020537,             /* 6000 lui a0, 0x20 */
    0xffec2637,             /* 6004 lui a2, 0xffec2: T1's mailbox */
    0x00158593,             /* 6008 addi a1, a1, 1 */
    0x00b52023,             /* 600c sw a1, 0(a0) */
    0x03f5f693,             /* 6010 andi a3, a1, 63 */
    0x08000000,             /* 6014 .ttinsn: NOP */
    0x08000000, 0x08000000, /* 6018, 601c */
    0xfe0694e3,             /* 6020 bnez a3, 6008 */
    0x00b62023,             /* 6024 sw a1, 0(a2) */
    0xfe1ff06f,             /* 6028 j 6008 */
};
static const uint32_t adds[] = {
    0x00020537, /* a000 lui a0, 0x20 */
    0xffec16b7, /* a004 lui a3, 0xffec1: from T0 */
    0x0006a583, /* a008 lw a1, 0(a3) */
    0x00b60633, /* a00c add a2, a2, a1 */
    0x00c52823, /* a010 sw a2, 16(a0) */
    0xff5ff06f, /* a014 j a008 */
};
enum { LOOP = 0x6008, GROUP_END = 0x601C, SENDS = 0x6024, ADDS = 0xA00C };

static char paths[2][32];

static inline int begin(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t *words = i == 0 ? counts : adds;
        const size_t n = i == 0 ? sizeof counts / 4 : sizeof adds / 4;
        strcpy(paths[i], "/tmp/tensix-gdb-XXXXXX");
        const int fd = mkstemp(paths[i]);
        FILE *file = fd < 0 ? NULL : fdopen(fd, "wb");
        if (file == NULL) {
            return -1;
        }
        for (size_t k = 0; k < 4 * n; k++) {
            fputc((int)(words[k / 4] >> 8 * (k % 4) & 0xFFu), file);
        }
        if (fclose(file) != 0) {
            return -1;
        }
    }
    return 0;
}

static inline int end(void **state)
{
    (void)state;
    return unlink(paths[0]) | unlink(paths[1]);
}

struct session {
    txl_tensix *run;
    tx_tensix *tile;
    txl_gdb *gdb;
    char answer[1 << 16]; /* the last packet's text */
    size_t length;
    char console[4096]; /* what O packets have said */
    uint64_t patience;  /* cycles after which progress interrupts; 0: never */
};

static inline bool take(void *user, const void *bytes, size_t size)
{
    struct session *s = user;
    const char *text = bytes;
    if (size < 4 || text[0] != '$') {
        return true; /* an acknowledgement */
    }
    assert_true(size - 4 < sizeof s->answer);
    if (text[1] == 'O' && text[2] != 'K') {
        size_t n = strlen(s->console);
        for (size_t i = 2; i + 4 < size; i += 2) {
            char two[3] = {text[i], text[i + 1], 0};
            assert_true(n + 1 < sizeof s->console);
            s->console[n++] = (char)strtoul(two, NULL, 16);
        }
        s->console[n] = '\0';
        return true;
    }
    memcpy(s->answer, text + 1, size - 4);
    s->length = size - 4;
    s->answer[s->length] = '\0';
    return true;
}

static inline bool goes_on(void *user, uint64_t done, uint64_t total)
{
    const struct session *s = user;
    assert_true(done <= total);
    return s->patience == 0 || done < s->patience;
}

static inline txl_tensix *open_run(enum tx_arch arch, bool untimed)
{
    static struct txl_tensix_program programs[2] = {{TX_CORE_T0, NULL}, {TX_CORE_T1, NULL}};
    struct txl_error err = {0};
    txl_tensix *run = NULL;
    programs[0].path = paths[0];
    programs[1].path = paths[1];
    const struct txl_tensix_options o = {.size = sizeof o,
                                         .arch = arch,
                                         .programs = programs,
                                         .program_count = 2,
                                         .max_cycles = LIMIT,
                                         .untimed = untimed};
    assert_int_equal(txl_tensix_open(&err, &o, &run), TXL_OK);
    return run;
}

static inline struct session *open_session(enum tx_arch arch, bool untimed)
{
    struct txl_error err = {0};
    struct session *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->run = open_run(arch, untimed);
    s->tile = txl_tensix_tile(s->run);
    const struct txl_gdb_options o = {
        .size = sizeof o, .send = take, .user = s, .progress = goes_on, .progress_user = s};
    assert_int_equal(txl_gdb_open(&err, s->run, &o, &s->gdb), TXL_OK);
    return s;
}

static inline void close_session(struct session *s)
{
    txl_gdb_close(s->gdb);
    txl_tensix_close(s->run);
    free(s);
}

static inline const char *say_bytes(struct session *s, const char *text, size_t size)
{
    char packet[1 << 15];
    unsigned sum = 0;
    assert_true(size + 5 < sizeof packet);
    packet[0] = '$';
    memcpy(packet + 1, text, size);
    for (size_t i = 0; i < size; i++) {
        sum += (unsigned char)text[i];
    }
    snprintf(packet + 1 + size, 4, "#%02x", sum & 0xFFu);
    strcpy(s->answer, "(nothing)");
    s->console[0] = '\0';
    (void)txl_gdb_input(s->gdb, packet, size + 4);
    return s->answer;
}

static inline const char *say(struct session *s, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return say_bytes(s, text, strlen(text));
}

#define SAYS(s, want, ...) assert_string_equal(say(s, __VA_ARGS__), want)

struct moment {
    uint32_t pc[2], a1[2];
    uint64_t instructions[2];
};

static inline struct moment moment_of(tx_tensix *tile)
{
    struct moment m;
    for (unsigned i = 0; i < 2; i++) {
        struct tx_core_state state;
        const enum tx_core core = i == 0 ? TX_CORE_T0 : TX_CORE_T1;
        (void)tx_tensix_core(tile, core, &state);
        m.pc[i] = state.pc;
        m.instructions[i] = state.instructions;
        (void)tx_core_read(tile, core, 11, &m.a1[i]);
    }
    return m;
}

static inline uint64_t now_of(const struct session *s)
{
    return tx_tensix_cycles(s->tile);
}

static inline uint32_t word_at(struct session *s, uint32_t address)
{
    uint8_t b[4] = {0};
    const char *hex = say(s, "m%x,4", (unsigned)address);
    for (unsigned i = 0; i < 4; i++) {
        unsigned v = 0;
        assert_int_equal(sscanf(hex + 2 * i, "%2x", &v), 1);
        b[i] = (uint8_t)v;
    }
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

#endif
