/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "gdb": gdb's remote protocol for a tile's cores, with reverse execution. It may use base and
 * tile, and data to show what L1 and Dst hold.
 *
 * This header has what the room's files share: the connection and its packets.
 */
#ifndef LAB_GDB_GDB_H
#define LAB_GDB_GDB_H

#include <tensix-lab/gdb.h>

#include <stdio.h>

#include "base/bound.h"
#include "base/memory.h"
#include "gdb/stops.h"

/* PACKET: the longest packet in either direction. A longer packet from gdb is discarded. */
enum { PACKET = 0x4000, GENERAL_BYTES = 4 * 33 };

enum input_state { INPUT_IDLE, INPUT_DATA, INPUT_ESCAPE, INPUT_SUM1, INPUT_SUM2 };

struct txl_gdb {
    struct txl_gdb_options how;
    txl_tensix *run;
    tx_tensix *tile;
    enum tx_arch arch;
    struct stops stops;
    enum txl_gdb_state state;

    /* ---- received ---- */
    enum input_state input;
    char packet[PACKET + 1];
    size_t length;
    bool too_long, bad_sum;
    uint8_t sum, wanted_sum;
    const uint8_t *behind; /* bytes received after the packet being handled */
    size_t behind_size;

    /* ---- sent ---- */
    bool no_ack;
    char *sent; /* the last packet, for retransmission */
    size_t sent_length, sent_room;

    bool swbreak;         /* gdb wants to be told that a stop is a breakpoint */
    enum tx_core general; /* thread of Hg */
    enum tx_core resumed; /* thread of Hc; TX_CORES: all */
    enum tx_core current; /* thread of the last stop */
    char stopped[160];    /* the last stop reply */
    char *document;       /* document that gdb reads in pieces; its name follows */
    char document_name[64];
};

/* Hexadecimal digits and numbers of the protocol; *text is advanced past them. */
int hex_digit(char c);
bool hex_number(const char **text, uint64_t *value);
void hex_bytes(char *to, const void *bytes, size_t size); /* zero-terminated */
/* Returns false unless there are exactly 2 * size digits. */
bool hex_read(const char *text, size_t digits, void *bytes, size_t size);

/* packet.c: sends a packet; bytes are escaped where necessary. */
void packet_send(txl_gdb *g, const void *bytes, size_t size);
void packet_text(txl_gdb *g, const char *text);
/* Sends text for gdb's user, while cores run or during a monitor command. */
void packet_console(txl_gdb *g, const char *text, size_t size);

/* Tells whether an interrupt byte follows the packet being handled. */
bool packet_interrupted(const txl_gdb *g);

/* command.c: handles a whole packet, which has a zero byte after its length. */
void command_do(txl_gdb *g, char *packet, size_t length);
/* resume.c. The first one answers "?" before anything has run. */
void resume_first(txl_gdb *g);
void resume_vcont(txl_gdb *g, const char *text);
void resume_old(txl_gdb *g, bool step);
void resume_back(txl_gdb *g, bool step);

/* registers.c */
enum { REGISTER_BYTES_MOST = 128 };
char *registers_xml(enum tx_arch arch);
/*
 * Reads a register and returns its size in bytes; 0: no such register. *known becomes false where
 * this core does not have it.
 */
size_t register_read(txl_gdb *g, enum tx_core core, uint64_t number, void *bytes, bool *known);
bool register_write(txl_gdb *g, enum tx_core core, uint64_t number, const void *bytes, size_t size);

/* monitor.c */
bool monitor_do(txl_gdb *g, const char *line, FILE *out);
/* Writes a line for each core and thread that waits. */
void monitor_waits(txl_gdb *g, FILE *out);

#endif
