/* SPDX-License-Identifier: Apache-2.0 */
/* Handles packets by their names. Unknown packets get an empty answer, as gdb expects. */
#include "gdb/gdb.h"

#include <stdlib.h>
#include <string.h>

/* Errors are numbers only: 14 EFAULT, 22 EINVAL, 28 ENOSPC. */
#define BAD_ADDRESS "E0e"
#define BAD_PACKET "E16"
#define NO_ROOM "E1c"

static bool starts(const char *text, const char *with, const char **rest)
{
    const size_t n = strlen(with);
    *rest = text + n;
    return strncmp(text, with, n) == 0;
}

static void status(txl_gdb *g, bool good)
{
    packet_text(g, good ? "OK" : BAD_PACKET);
}

/* ---- threads ---- */

/* Parses a thread id; for -1 and 0, any thread, *core becomes TX_CORES. */
static bool thread(const char *text, enum tx_core *core)
{
    uint64_t n;
    *core = TX_CORES;
    if (strcmp(text, "-1") == 0) {
        return true;
    }
    if (!hex_number(&text, &n) || *text != '\0' || n > TX_CORES) {
        return false;
    }
    *core = n == 0 ? TX_CORES : (enum tx_core)(n - 1);
    return true;
}

static void select_thread(txl_gdb *g, const char *text)
{
    enum tx_core core;
    const bool good = (text[0] == 'g' || text[0] == 'c') && thread(text + 1, &core);
    if (good && text[0] == 'g') {
        g->general = core != TX_CORES ? core : g->current;
    } else if (good) {
        g->resumed = core;
    }
    status(g, good);
}

/* Writes "runs", or what the core waits for, into text of 256 bytes. */
static void thread_text(txl_gdb *g, enum tx_core core, char *text)
{
    char line[256];
    const char *behind;
    if (!tx_tensix_wait_text(g->tile, core, line, sizeof line)) {
        snprintf(text, 256, "in reset");
        return;
    }
    behind = strstr(line, ": ");
    snprintf(text, 256, "%s", behind != NULL ? behind + 2 : line);
}

static void thread_info(txl_gdb *g, const char *text)
{
    enum tx_core core;
    char line[256];
    char hex[2 * sizeof line + 1];
    if (!thread(text, &core) || core == TX_CORES) {
        packet_text(g, BAD_PACKET);
        return;
    }
    thread_text(g, core, line);
    hex_bytes(hex, line, strlen(line));
    packet_text(g, hex);
}

static void quote(FILE *f, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '&' || *text == '<' || *text == '>' || *text == '"') {
            fprintf(f, "&#%d;", *text);
        } else {
            fputc(*text, f);
        }
    }
}

static char *threads_xml(txl_gdb *g)
{
    struct memory_text text;
    if (memory_text_open(NULL, &text) != TXL_CONTINUE) {
        return NULL;
    }
    fputs("<?xml version=\"1.0\"?>\n<threads>\n", text.stream);
    for (unsigned c = 0; c < TX_CORES; c++) {
        char line[256];
        thread_text(g, (enum tx_core)c, line);
        fprintf(text.stream, "<thread id=\"%x\" core=\"%u\" name=\"%s\">", c + 1, c,
                tx_core_name((enum tx_core)c));
        quote(text.stream, line);
        fputs("</thread>\n", text.stream);
    }
    fputs("</threads>\n", text.stream);
    return memory_text_close(NULL, &text) == TXL_CONTINUE ? text.text : NULL;
}

/* ---- documents that gdb reads in pieces ---- */

/*
 * Returns the first ELF file, which gdb loads as the executable; the others are presented as its
 * libraries.
 */
static char *exec_file(const txl_gdb *g)
{
    const char *path;
    uint32_t first;
    return tile_elf(g->run, 0, &path, &first) ? realpath(path, NULL) : strdup("");
}

static char *libraries_xml(const txl_gdb *g)
{
    struct memory_text text;
    const char *path;
    uint32_t first;
    if (memory_text_open(NULL, &text) != TXL_CONTINUE) {
        return NULL;
    }
    fputs("<library-list>\n", text.stream);
    for (unsigned i = 1; tile_elf(g->run, i, &path, &first); i++) {
        char *whole = realpath(path, NULL);
        fputs("<library name=\"", text.stream);
        quote(text.stream, whole != NULL ? whole : path);
        fprintf(text.stream, "\"><segment address=\"0x%x\"/></library>\n", (unsigned)first);
        free(whole);
    }
    fputs("</library-list>\n", text.stream);
    return memory_text_close(NULL, &text) == TXL_CONTINUE ? text.text : NULL;
}

static char *memory_map(const txl_gdb *g)
{
    char text[256];
    snprintf(text, sizeof text,
             "<memory-map>\n<memory type=\"ram\" start=\"0x0\" length=\"0x%x\"/>\n"
             "<memory type=\"ram\" start=\"0x%x\" length=\"0x%x\"/>\n</memory-map>\n",
             (unsigned)tx_l1_size(g->arch), (unsigned)tx_core_local(), 0u - tx_core_local());
    return strdup(text);
}

/* Creates a document; it is created anew each time gdb reads from its beginning. */
static char *document(txl_gdb *g, const char *name)
{
    if (strcmp(name, "features:read:target.xml") == 0) {
        return registers_xml(g->arch);
    }
    if (strcmp(name, "threads:read:") == 0) {
        return threads_xml(g);
    }
    if (strcmp(name, "memory-map:read:") == 0) {
        return memory_map(g);
    }
    if (strncmp(name, "exec-file:read:", 15) == 0) {
        return exec_file(g);
    }
    return strcmp(name, "libraries:read:") == 0 ? libraries_xml(g) : NULL;
}

/* Handles a request for a part of a document: "features:read:target.xml:0,fff". */
static void transfer(txl_gdb *g, char *text)
{
    uint64_t offset;
    uint64_t length;
    char *last = strrchr(text, ':');
    const char *at = last != NULL ? last + 1 : "";
    if (last == NULL || !hex_number(&at, &offset) || *at++ != ',' || !hex_number(&at, &length) ||
        *at != '\0') {
        packet_text(g, BAD_PACKET);
        return;
    }
    *last = '\0';
    const bool same = g->document != NULL && strcmp(g->document_name, text) == 0;
    if (offset == 0 || !same) {
        free(g->document);
        g->document = document(g, text);
        snprintf(g->document_name, sizeof g->document_name, "%s", text);
    }
    if (g->document == NULL) {
        packet_text(g, "");
        return;
    }
    const size_t size = strlen(g->document);
    const size_t from = offset < size ? (size_t)offset : size;
    size_t n = size - from < length ? size - from : (size_t)length;
    n = n < PACKET / 2 ? n : PACKET / 2;
    char piece[PACKET / 2 + 1];
    piece[0] = from + n < size ? 'm' : 'l';
    memcpy(piece + 1, g->document + from, n);
    packet_send(g, piece, n + 1);
}

/* ---- registers and memory ---- */

static void general_read(txl_gdb *g)
{
    uint8_t bytes[GENERAL_BYTES];
    char hex[2 * GENERAL_BYTES + 1];
    bool known;
    for (unsigned i = 0; i < GENERAL_BYTES / 4; i++) {
        (void)register_read(g, g->general, i, bytes + (size_t)4 * i, &known);
    }
    hex_bytes(hex, bytes, sizeof bytes);
    packet_text(g, hex);
}

static void general_write(txl_gdb *g, const char *text)
{
    uint8_t bytes[GENERAL_BYTES];
    bool good = hex_read(text, strlen(text), bytes, sizeof bytes);
    for (unsigned i = 0; good && i < GENERAL_BYTES / 4; i++) {
        uint8_t now[REGISTER_BYTES_MOST];
        bool known;
        (void)register_read(g, g->general, i, now, &known);
        if (memcmp(now, bytes + (size_t)4 * i, 4) != 0) {
            good = register_write(g, g->general, i, bytes + (size_t)4 * i, 4);
        }
    }
    status(g, good);
}

static void one_read(txl_gdb *g, const char *text)
{
    uint8_t bytes[REGISTER_BYTES_MOST];
    char hex[2 * REGISTER_BYTES_MOST + 1];
    uint64_t number;
    bool known;
    const size_t size = hex_number(&text, &number) && *text == '\0'
                            ? register_read(g, g->general, number, bytes, &known)
                            : 0;
    if (size == 0) {
        packet_text(g, BAD_PACKET);
        return;
    }
    hex_bytes(hex, bytes, size);
    if (!known) {
        memset(hex, 'x', 2 * size);
    }
    packet_text(g, hex);
}

static void one_write(txl_gdb *g, const char *text)
{
    uint8_t bytes[REGISTER_BYTES_MOST];
    uint64_t number;
    const bool good = hex_number(&text, &number) && *text++ == '=';
    const size_t size = good ? strlen(text) / 2 : 0;
    status(g, good && size <= sizeof bytes && hex_read(text, strlen(text), bytes, size) &&
                  register_write(g, g->general, number, bytes, size));
}

/* Parses "address,length". */
static bool range(const char **text, uint32_t *address, uint64_t *length)
{
    uint64_t a;
    if (!hex_number(text, &a) || a > UINT32_MAX || **text != ',') {
        return false;
    }
    ++*text;
    *address = (uint32_t)a;
    return hex_number(text, length);
}

static void memory_read(txl_gdb *g, const char *text)
{
    uint8_t bytes[PACKET / 2];
    char hex[PACKET + 1];
    uint32_t address;
    uint64_t length;
    if (!range(&text, &address, &length) || *text != '\0') {
        packet_text(g, BAD_PACKET);
        return;
    }
    length = length < sizeof bytes ? length : sizeof bytes;
    const size_t n = tx_core_peek(g->tile, g->general, address, bytes, (size_t)length);
    if (n == 0 && length != 0) {
        packet_text(g, BAD_ADDRESS);
        return;
    }
    hex_bytes(hex, bytes, n);
    packet_text(g, hex);
}

static void memory_write(txl_gdb *g, const char *text, const char *end, bool binary)
{
    uint8_t bytes[PACKET];
    uint32_t address;
    uint64_t length;
    if (!range(&text, &address, &length) || *text++ != ':' || length > sizeof bytes ||
        (binary && (size_t)(end - text) != length) ||
        (!binary && !hex_read(text, (size_t)(end - text), bytes, (size_t)length))) {
        packet_text(g, BAD_PACKET);
        return;
    }
    const struct change c = {
        .kind = CHANGE_MEMORY, .core = (int)g->general, .where = address, .size = (uint32_t)length};
    const bool done =
        length == 0 ||
        stops_change(&g->stops, &c, binary ? (const void *)text : (const void *)bytes);
    packet_text(g, done ? "OK" : BAD_ADDRESS);
}

/* ---- breakpoints and watchpoints ---- */

static void point(txl_gdb *g, const char *text, bool insert)
{
    const char kind = *text++;
    uint32_t address;
    uint64_t length;
    if (kind < '0' || kind > '4') {
        packet_text(g, "");
        return;
    }
    if (*text++ != ',' || !range(&text, &address, &length) || (*text != '\0' && *text != ';')) {
        packet_text(g, BAD_PACKET);
        return;
    }
    const enum stop_type type = (enum stop_type)(kind - '0');
    length = length > UINT32_MAX ? UINT32_MAX : length;
    if (insert && !stops_add(&g->stops, type, address, (uint32_t)length, g->general)) {
        packet_text(g, NO_ROOM);
        return;
    }
    if (!insert) {
        stops_remove(&g->stops, type, address, (uint32_t)length);
    }
    packet_text(g, "OK");
}

/* ---- queries ---- */

static void supported(txl_gdb *g, const char *text)
{
    char line[400];
    g->swbreak = strstr(text, "swbreak+") != NULL;
    snprintf(line, sizeof line,
             "PacketSize=%x;QStartNoAckMode+;vContSupported+;swbreak+;ReverseStep+;"
             "ReverseContinue+;qXfer:features:read+;qXfer:threads:read+;qXfer:memory-map:read+;"
             "qXfer:exec-file:read+;qXfer:libraries:read+",
             PACKET);
    packet_text(g, line);
}

static void monitor(txl_gdb *g, const char *text)
{
    char line[256];
    struct memory_text out;
    const size_t digits = strlen(text);
    if (digits / 2 >= sizeof line || !hex_read(text, digits, line, digits / 2) ||
        memory_text_open(NULL, &out) != TXL_CONTINUE) {
        packet_text(g, BAD_PACKET);
        return;
    }
    line[digits / 2] = '\0';
    const bool good = monitor_do(g, line, out.stream);
    if (memory_text_close(NULL, &out) == TXL_CONTINUE) {
        packet_console(g, out.text, out.size);
        free(out.text);
    }
    status(g, good);
}

static void query(txl_gdb *g, char *text)
{
    const char *rest;
    char line[16];
    if (starts(text, "qSupported", &rest)) {
        supported(g, rest);
    } else if (strcmp(text, "qC") == 0) {
        snprintf(line, sizeof line, "QC%x", (unsigned)g->current + 1);
        packet_text(g, line);
    } else if (strcmp(text, "qfThreadInfo") == 0) {
        packet_text(g, "m1,2,3,4,5");
    } else if (strcmp(text, "qsThreadInfo") == 0) {
        packet_text(g, "l");
    } else if (starts(text, "qThreadExtraInfo,", &rest)) {
        thread_info(g, rest);
    } else if (starts(text, "qAttached", &rest)) {
        packet_text(g, "1");
    } else if (starts(text, "qXfer:", &rest)) {
        transfer(g, text + 6);
    } else if (starts(text, "qRcmd,", &rest)) {
        monitor(g, rest);
    } else {
        packet_text(g, "");
    }
}

static void v_packet(txl_gdb *g, const char *text)
{
    const char *rest;
    if (strcmp(text, "vCont?") == 0) {
        packet_text(g, "vCont;c;C;s;S;r");
    } else if (starts(text, "vCont", &rest)) {
        resume_vcont(g, rest);
    } else if (starts(text, "vKill", &rest)) {
        packet_text(g, "OK");
        g->state = TXL_GDB_KILLED;
    } else {
        packet_text(g, "");
    }
}

void command_do(txl_gdb *g, char *packet, size_t length)
{
    const char *text = packet + 1;
    enum tx_core core;
    switch (packet[0]) {
    case '?':
        packet_text(g, g->stopped);
        break;
    case 'H':
        select_thread(g, text);
        break;
    case 'T':
        status(g, thread(text, &core));
        break;
    case 'g':
        general_read(g);
        break;
    case 'G':
        general_write(g, text);
        break;
    case 'p':
        one_read(g, text);
        break;
    case 'P':
        one_write(g, text);
        break;
    case 'm':
        memory_read(g, text);
        break;
    case 'M':
    case 'X':
        memory_write(g, text, packet + length, packet[0] == 'X');
        break;
    case 'Z':
    case 'z':
        point(g, text, packet[0] == 'Z');
        break;
    case 'c':
    case 's':
        resume_old(g, packet[0] == 's');
        break;
    case 'b':
        if (strcmp(text, "s") == 0 || strcmp(text, "c") == 0) {
            resume_back(g, *text == 's');
        } else {
            packet_text(g, "");
        }
        break;
    case 'q':
        query(g, packet);
        break;
    case 'Q':
        if (strcmp(text, "StartNoAckMode") == 0) {
            packet_text(g, "OK");
            g->no_ack = true;
        } else {
            packet_text(g, "");
        }
        break;
    case 'v':
        v_packet(g, packet);
        break;
    case 'D':
        packet_text(g, "OK");
        g->state = TXL_GDB_DETACHED;
        break;
    case 'k':
        g->state = TXL_GDB_KILLED;
        break;
    default:
        packet_text(g, "");
        break;
    }
}
