/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes from gdb. Bit 0 of the first byte: the rest comes as it is, in two pieces. Otherwise
 * each of its lines is a packet with the right sum, and is answered; to go back, which takes as
 * long as all else in a thousand packets, one input in 64 may. One session takes a thousand inputs:
 * what fails only behind others is met again by -seed and -runs of the run that found it.
 */
#include <tensix-lab/gdb.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

enum { SESSION = 1024, CYCLES = 500, TEXT = 4096, HISTORY = 1 << 23 };

/* T0: counts, stores, pushes, and sends to T1, which is not there. */
static const uint32_t program[] = {0x00020537, 0xffec2637, 0x00158593, 0x00b52023,
                                   0x03f5f693, 0x08000000, 0x08000000, 0x08000000,
                                   0xfe0694e3, 0x00b62023, 0xfe1ff06f};

static char path[] = "/tmp/fuzz-gdb-XXXXXX";
static txl_tensix *tile;
static txl_gdb *gdb;
static size_t answers, inputs, start_size;
static void *start; /* the tile before anything */

static void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

static bool take(void *user, const void *bytes, size_t size)
{
    (void)user;
    answers += size > 1 && *(const char *)bytes == '$';
    require(size == 1 || ((const char *)bytes)[size - 3] == '#');
    return true;
}

static void open_tile(void)
{
    const struct txl_tensix_program programs[] = {{TX_CORE_T0, path}};
    struct txl_error err = {.status = TXL_OK};
    const struct txl_tensix_options o = {.size = sizeof o,
                                         .arch = TX_BLACKHOLE,
                                         .programs = programs,
                                         .program_count = 1,
                                         .max_cycles = CYCLES};
    require(txl_tensix_open(&err, &o, &tile) == TXL_OK);
    start_size = tx_tensix_checkpoint_size(txl_tensix_tile(tile));
    start = malloc(start_size);
    require(start != NULL);
    require(tx_tensix_checkpoint(txl_tensix_tile(tile), start, start_size) == TX_OK);
}

static void reopen(void)
{
    struct txl_error err = {.status = TXL_OK};
    const struct txl_gdb_options how = {.size = sizeof how, .history = HISTORY, .send = take};
    txl_gdb_close(gdb);
    require(tx_tensix_rollback(txl_tensix_tile(tile), start, start_size) == TX_OK);
    require(txl_gdb_open(&err, tile, &how, &gdb) == TXL_OK);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    const int fd = mkstemp(path);
    require(fd >= 0 && write(fd, program, sizeof program) == sizeof program && close(fd) == 0);
    open_tile();
    reopen();
    return unlink(path);
}

/* bs, bc */
static bool goes_back(const uint8_t *text, size_t size)
{
    return size >= 2 && text[0] == 'b' && (text[1] == 's' || text[1] == 'c');
}

static void packet(const uint8_t *text, size_t size)
{
    static char framed[2 * TEXT + 8];
    unsigned sum = 0;
    size_t n = 0;
    framed[n++] = '$';
    for (size_t i = 0; i < size && i < TEXT; i++) {
        const bool escape = text[i] == '#' || text[i] == '$' || text[i] == '}';
        if (escape) {
            framed[n++] = '}';
            sum += '}';
        }
        framed[n] = (char)(escape ? text[i] ^ 0x20 : text[i]);
        sum += (unsigned char)framed[n++];
    }
    static const char digits[] = "0123456789abcdef";
    framed[n++] = '#';
    framed[n++] = digits[sum >> 4 & 15u];
    framed[n++] = digits[sum & 15u];
    const size_t before = answers;
    const bool silent = size > 0 && text[0] == 'k';
    const enum txl_gdb_state state = txl_gdb_input(gdb, framed, n);
    require(silent || answers > before);
    require(state != TXL_GDB_LOST);
    if (state != TXL_GDB_CONNECTED) {
        txl_gdb_connect(gdb);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (++inputs % SESSION == 0) {
        reopen();
    }
    if (size < 2) {
        return 0;
    }
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ data[i]) * 16777619u;
    }
    txl_gdb_connect(gdb);
    if ((data[0] & 1u) != 0) {
        const size_t half = size / 2;
        (void)txl_gdb_input(gdb, data + 1, half - 1);
        (void)txl_gdb_input(gdb, data + half, size - half);
        return 0;
    }
    for (size_t at = 1; at < size;) {
        const uint8_t *line = memchr(data + at, '\n', size - at);
        const size_t n = (line != NULL ? (size_t)(line - data) : size) - at;
        if (!goes_back(data + at, n) || hash >> 26 == 0) {
            packet(data + at, n);
        }
        at += n + 1;
    }
    return 0;
}
