/* SPDX-License-Identifier: Apache-2.0 */
/* Monitor commands that show registers and memory as bits and as numbers. */
#include "gdb/monitor.h"

#include <stdlib.h>
#include <string.h>

#include <tensix-lab/data.h>

enum { LANES = 32, LREGS = 17, COLUMNS = 16, DST_ROWS = 1024, SRC_ROWS = 64, L1_MOST = 4096 };

/* Writes a host word: an FP32 pattern, or two's complement. */
static void put_value(FILE *out, uint32_t word, bool integer)
{
    if (integer) {
        fprintf(out, " %d", (int)(int32_t)word);
        return;
    }
    float value;
    memcpy(&value, &word, sizeof value);
    fprintf(out, " %.9g", (double)value);
}

bool monitor_lreg(const struct monitor *m)
{
    int64_t index;
    int64_t first;
    int64_t last;
    uint32_t lanes[LANES] = {0};
    if (!monitor_number(m, 1, LREGS - 1, &index) ||
        !monitor_range(m, 2, LANES - 1, &first, &last)) {
        return false;
    }
    (void)tx_read(tx_tensix_machine(m->g->tile), TX_FILE_LREG, (unsigned)index, lanes, LANES);
    for (int64_t i = first; i <= last; i++) {
        fprintf(m->out, "L%d[%d] %08x", (int)index, (int)i, (unsigned)lanes[i]);
        put_value(m->out, lanes[i], false);
        fputc('\n', m->out);
    }
    return true;
}

static bool dst_values(const struct monitor *m, enum tx_dst_format format, int64_t first,
                       int64_t last)
{
    uint32_t values[TX_TILE_ELEMENTS];
    const bool integer = format >= TX_DST_FORMAT_INT32;
    for (int64_t row = first; row <= last; row++) {
        if (tx_dst_store_tile(tx_tensix_machine(m->g->tile), (unsigned)row / 64, format, values) !=
            TX_OK) {
            fprintf(m->out, "dst: with %s there is no row %d\n", tx_dst_format_name(format),
                    (int)row);
            return false;
        }
        fprintf(m->out, "dst %d", (int)row);
        for (unsigned c = 0; c < COLUMNS; c++) {
            put_value(m->out, values[tx_tile_element((unsigned)row % 64, c)], integer);
        }
        fputc('\n', m->out);
    }
    return true;
}

bool monitor_dst(const struct monitor *m)
{
    int64_t first;
    int64_t last;
    enum tx_dst_format format;
    if (!monitor_range(m, 1, DST_ROWS - 1, &first, &last)) {
        return false;
    }
    if (m->count < 2) {
        fputs("dst: which rows?\n", m->out);
        return false;
    }
    if (m->count > 2) {
        if (tx_dst_format_parse(m->word[2], &format) != TX_OK) {
            fprintf(m->out, "dst: no format '%s' of Dst\n", m->word[2]);
            return false;
        }
        return dst_values(m, format, first, last);
    }
    for (int64_t row = first; row <= last; row++) {
        uint32_t cells[COLUMNS] = {0};
        uint32_t valid = 0;
        const tx_machine *machine = tx_tensix_machine(m->g->tile);
        (void)tx_read(machine, TX_FILE_DST, (unsigned)row, cells, COLUMNS);
        (void)tx_read(machine, TX_FILE_DST_VALID, (unsigned)row, &valid, 1);
        fprintf(m->out, "dst %d%s", (int)row, valid != 0 ? "" : " (invalid)");
        for (unsigned c = 0; c < COLUMNS; c++) {
            fprintf(m->out, " %04x", (unsigned)cells[c]);
        }
        fputc('\n', m->out);
    }
    return true;
}

bool monitor_src(const struct monitor *m)
{
    enum { TF32_SHIFT = 13 };
    const unsigned src = strcmp(m->word[0], "srcb") == 0 ? 1 : 0;
    const tx_machine *machine = tx_tensix_machine(m->g->tile);
    uint32_t banks[4] = {0};
    int64_t first;
    int64_t last;
    if (!monitor_range(m, 1, SRC_ROWS - 1, &first, &last)) {
        return false;
    }
    (void)tx_read(machine, TX_FILE_SRC_BANK, src, banks, 4);
    fprintf(m->out, "bank %u of the Matrix Unit; bank 0 is %s, bank 1 %s\n", (unsigned)banks[0],
            banks[2] != 0 ? "the Matrix Unit's" : "the unpacker's",
            banks[3] != 0 ? "the Matrix Unit's" : "the unpacker's");
    for (int64_t row = first; row <= last; row++) {
        uint32_t cells[COLUMNS] = {0};
        (void)tx_read(machine, TX_FILE_SRC, (unsigned)row + 64 * banks[0] + 128 * src, cells,
                      COLUMNS);
        fprintf(m->out, "%s %d", m->word[0], (int)row);
        for (unsigned c = 0; c < COLUMNS; c++) {
            const uint32_t plain = tx_convert(TX_CELL_SRC_TF32_PLAIN, m->g->arch, cells[c]);
            fprintf(m->out, " %05x", (unsigned)cells[c]);
            put_value(m->out, plain << TF32_SHIFT, false);
        }
        fputc('\n', m->out);
    }
    return true;
}

static bool l1_format(const struct monitor *m, uint32_t address, size_t count)
{
    enum tx_format format;
    struct tx_codec codec;
    struct txl_error err = {.status = TXL_OK};
    const char *reason = "";
    const struct tx_tile tile = {1, COLUMNS, false, false};
    if (txl_parse_format(&err, "l1:", m->word[3], &format) != TXL_OK) {
        fprintf(m->out, "%s\n", err.message);
        return false;
    }
    if (tx_format_info(format)->block) {
        fprintf(m->out, "l1: %s has blocks; write it out, and see tensix tile show\n",
                tx_format_name(format));
        return false;
    }
    if (tx_codec_default(TX_ROUTE_HOST, m->g->arch, format, format, &codec, &reason) != TX_OK) {
        fprintf(m->out, "l1: %s: %s\n", tx_format_name(format), reason);
        return false;
    }
    const unsigned size = tx_format_info(format)->bits / 8;
    for (size_t i = 0; i < count; i += COLUMNS) {
        uint8_t bytes[4 * COLUMNS] = {0};
        uint32_t words[COLUMNS] = {0};
        const size_t n = count - i < COLUMNS ? count - i : COLUMNS;
        const uint32_t at = address + (uint32_t)(i * size);
        if (tx_core_peek(m->g->tile, m->g->general, at, bytes, n * size) != n * size ||
            tx_tiles_decode(&codec, &tile, bytes, 1, words) != TX_OK) {
            fprintf(m->out, "l1: nothing to be had at %08x\n", (unsigned)at);
            return false;
        }
        fprintf(m->out, "%08x", (unsigned)at);
        for (size_t k = 0; k < n; k++) {
            put_value(m->out, words[k], tx_format_info(format)->integer);
        }
        fputc('\n', m->out);
    }
    return true;
}

bool monitor_l1(const struct monitor *m)
{
    int64_t address;
    int64_t count;
    const uint32_t size = tx_l1_size(m->g->arch);
    if (!monitor_number(m, 1, size - 1, &address) || !monitor_number(m, 2, L1_MOST, &count)) {
        return false;
    }
    if (m->count > 3) {
        return l1_format(m, (uint32_t)address, (size_t)count);
    }
    for (int64_t i = 0; i < count; i++) {
        uint8_t b[4];
        const uint32_t at = (uint32_t)(address + 4 * i);
        if (tx_core_peek(m->g->tile, m->g->general, at, b, 4) != 4) {
            fprintf(m->out, "\nl1: nothing is at %08x\n", (unsigned)at);
            return false;
        }
        if (i % 8 == 0) {
            fprintf(m->out, "%08x", (unsigned)at);
        }
        fprintf(m->out, " %02x%02x%02x%02x%s", b[3], b[2], b[1], b[0],
                i % 8 == 7 || i + 1 == count ? "\n" : "");
    }
    return true;
}
