/* SPDX-License-Identifier: Apache-2.0 */
/* Packets of the remote protocol: $text#sum, acknowledged by + or - until gdb turns that off. */
#include "gdb/gdb.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { INTERRUPT = 0x03, ESCAPED = 0x20 };

/* ---- numbers ---- */

int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

bool hex_number(const char **text, uint64_t *value)
{
    const char *at = *text;
    *value = 0;
    for (; hex_digit(*at) >= 0; at++) {
        if (at - *text == 16) {
            return false;
        }
        *value = *value << 4 | (uint64_t)hex_digit(*at);
    }
    const bool any = at != *text;
    *text = at;
    return any;
}

void hex_bytes(char *to, const void *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    const uint8_t *from = bytes;
    for (size_t i = 0; i < size; i++) {
        *to++ = digits[from[i] >> 4];
        *to++ = digits[from[i] & 15];
    }
    *to = '\0';
}

bool hex_read(const char *text, size_t digits, void *bytes, size_t size)
{
    uint8_t *to = bytes;
    if (digits != 2 * size) {
        return false;
    }
    for (size_t i = 0; i < size; i++) {
        const int high = hex_digit(text[2 * i]);
        const int low = hex_digit(text[2 * i + 1]);
        if (high < 0 || low < 0) {
            return false;
        }
        to[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

/* ---- out ---- */

static void out(txl_gdb *g, const void *bytes, size_t size)
{
    if (g->state == TXL_GDB_CONNECTED && !g->how.send(g->how.user, bytes, size)) {
        g->state = TXL_GDB_LOST;
    }
}

static char *packet_put(char *to, uint8_t byte, uint8_t *sum)
{
    *sum = (uint8_t)(*sum + byte);
    *to++ = (char)byte;
    return to;
}

void packet_send(txl_gdb *g, const void *bytes, size_t size)
{
    const uint8_t *from = bytes;
    uint8_t sum = 0;
    if (!LIST_ROOM(g->sent, 0, g->sent_room, 2 * size + 5)) {
        g->state = TXL_GDB_LOST; /* otherwise gdb would wait for an answer for ever */
        return;
    }
    char *to = g->sent;
    *to++ = '$';
    for (size_t i = 0; i < size; i++) {
        if (from[i] == '$' || from[i] == '#' || from[i] == '}' || from[i] == '*') {
            to = packet_put(to, '}', &sum);
            to = packet_put(to, from[i] ^ ESCAPED, &sum);
        } else {
            to = packet_put(to, from[i], &sum);
        }
    }
    *to++ = '#';
    char digits[3];
    hex_bytes(digits, &sum, 1);
    *to++ = digits[0];
    *to++ = digits[1];
    g->sent_length = (size_t)(to - g->sent);
    out(g, g->sent, g->sent_length);
}

void packet_text(txl_gdb *g, const char *text)
{
    packet_send(g, text, strlen(text));
}

void packet_console(txl_gdb *g, const char *text, size_t size)
{
    enum { PIECE = 1024 };
    char piece[2 * PIECE + 2];
    for (size_t i = 0; i < size; i += PIECE) {
        const size_t n = size - i < PIECE ? size - i : PIECE;
        piece[0] = 'O';
        hex_bytes(piece + 1, text + i, n);
        packet_send(g, piece, 2 * n + 1);
    }
}

/* ---- in ---- */

static void packet_done(txl_gdb *g)
{
    g->input = INPUT_IDLE;
    if (!g->no_ack && (g->sum != g->wanted_sum || g->bad_sum)) {
        out(g, "-", 1);
        return;
    }
    if (!g->no_ack) {
        out(g, "+", 1);
    }
    if (g->too_long) {
        packet_text(g, "E22");
        return;
    }
    g->packet[g->length] = '\0';
    command_do(g, g->packet, g->length);
}

static void packet_keep(txl_gdb *g, uint8_t byte)
{
    if (g->length == PACKET) {
        g->too_long = true;
    } else {
        g->packet[g->length++] = (char)byte;
    }
}

static void idle(txl_gdb *g, uint8_t byte)
{
    if (byte == '$') {
        g->input = INPUT_DATA;
        g->length = 0;
        g->too_long = false;
        g->sum = 0;
    } else if (byte == '-' && !g->no_ack && g->sent_length != 0) {
        out(g, g->sent, g->sent_length);
    } /* ignore +, and an interrupt while nothing runs */
}

static void packet_take(txl_gdb *g, uint8_t byte)
{
    switch (g->input) {
    case INPUT_IDLE:
        idle(g, byte);
        return;
    case INPUT_DATA:
    case INPUT_ESCAPE:
        if (byte == '#') {
            g->input = INPUT_SUM1;
            return;
        }
        if (byte == '$') { /* the previous packet was cut off */
            idle(g, byte);
            return;
        }
        g->sum = (uint8_t)(g->sum + byte);
        if (g->input == INPUT_DATA && byte == '}') {
            g->input = INPUT_ESCAPE;
            return;
        }
        packet_keep(g, g->input == INPUT_ESCAPE ? byte ^ ESCAPED : byte);
        g->input = INPUT_DATA;
        return;
    case INPUT_SUM1:
    case INPUT_SUM2: {
        const int digit = hex_digit((char)byte);
        g->bad_sum = digit < 0 || (g->input == INPUT_SUM2 && g->bad_sum);
        g->wanted_sum = (uint8_t)(g->wanted_sum << 4 | (digit & 15));
        if (g->input == INPUT_SUM1) {
            g->input = INPUT_SUM2;
        } else {
            packet_done(g);
        }
        return;
    }
    }
}

bool packet_interrupted(const txl_gdb *g)
{
    return memchr(g->behind, INTERRUPT, g->behind_size) != NULL;
}

enum txl_gdb_state txl_gdb_input(txl_gdb *g, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    for (size_t i = 0; i < size && g->state == TXL_GDB_CONNECTED; i++) {
        g->behind = at + i + 1;
        g->behind_size = size - i - 1;
        packet_take(g, at[i]);
    }
    return g->state;
}
