/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ARC, the chip's management processor, as drivers see it: it has started, accepts messages, and
 * its telemetry describes a board with nothing harvested. Temperatures and clocks are fixed.
 * Source: tenstorrent/tt-umd 3ed9cb6 (what it reads), tenstorrent/ttsim 56694c8 (what satisfies
 * it).
 */
#include "chip.h"

#include <string.h>

/* Addresses within ARC's memory. */
enum { OLD_TELEMETRY = 0x000, TABLE = 0x100, VALUES = 0x200, QUEUES = 0x300, QUEUE = 0x400 };
/* A message queue: a head, then the requests, then the answers. */
enum { QUEUE_COUNT = 4, ENTRIES = 8, ENTRY_BYTES = 32, HEAD_BYTES = 32 };
enum { REQUEST_WRITTEN = 0x00, REQUEST_READ = 0x10, ANSWER_WRITTEN = 0x14 };
/* Offsets of words of the reset unit. */
enum { SCRATCH = 0x60, CONTROL = 0x100, NODE_X = 0x1D0, NODE_Y = 0x1D4, SCRATCH_RAM = 0x400 };
enum { CONTROL_MESSAGE = 1 << 16, OLD_FIRMWARE_WORD = 49, STARTED = 0xC0DE0001 };
enum { RAM_STATUS = 2, RAM_QUEUES = 11, RAM_VALUES = 12, RAM_TABLE = 13, STATUS_READY = 5 };

static uint32_t get(const struct door_arc *arc, uint32_t at)
{
    const uint8_t *b = arc->memory + at % (sizeof arc->memory - 3);
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void put(struct door_arc *arc, uint32_t at, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++) {
        arc->memory[at % (sizeof arc->memory - 3) + i] = (uint8_t)(value >> 8 * i);
    }
}

/* Returns the clock of the tiles in MHz. */
static uint32_t clock_of(bool blackhole)
{
    return blackhole ? 1350 : 1000;
}

static void telemetry(struct door_arc *arc, const struct door_facts *facts, bool blackhole)
{
    const struct {
        uint16_t tag;
        bool blackhole;
        uint32_t value;
    } rows[] = {
        {1, false, facts->board},         /* board number, high word */
        {2, false, 1},                    /* board number, low word */
        {3, false, 1},                    /* ASIC */
        {4, false, 0},                    /* harvesting: none */
        {11, false, 40u << 16},           /* temperature of the ASIC */
        {13, false, 35u << 16},           /* temperature of the board */
        {14, false, clock_of(blackhole)}, /* clock of the tiles, in MHz */
        {15, false, 900},                 /* AXI clock */
        {16, false, 540},                 /* ARC clock */
        {21, false, 0},                   /* Ethernet ports that are up: none */
        {22, false, 0x5555},              /* DRAM: all trained */
        {28, false, facts->firmware},     /* firmware bundle */
        {32, false, 1},                   /* heartbeat */
        {52, false, 0},                   /* position on the board */
        {35, true, 0x0FFF},               /* Ethernet tiles: two are harvested, as drivers expect */
        {61, true, 0},                    /* ASIC, 64 bits */
        {62, true, 1},
    };
    uint32_t count = 0;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (blackhole || !rows[i].blackhole) {
            put(arc, TABLE + 8 + 4 * count, rows[i].tag | count << 16);
            put(arc, VALUES + 4 * count, rows[i].value);
            count++;
        }
    }
    put(arc, TABLE, 1);
    put(arc, TABLE + 4, count);
}

void arc_open(struct door_arc *arc, const struct door_facts *facts, bool blackhole)
{
    memset(arc, 0, sizeof *arc);
    telemetry(arc, facts, blackhole);
    if (blackhole) {
        put(arc, QUEUES, facts->arc_seen + QUEUE);
        put(arc, QUEUES + 4, ENTRIES | QUEUE_COUNT << 8);
        arc->scratch_ram[RAM_STATUS] = STATUS_READY;
        arc->scratch_ram[RAM_QUEUES] = facts->arc_seen + QUEUES;
        arc->scratch_ram[RAM_VALUES] = facts->arc_seen + VALUES;
        arc->scratch_ram[RAM_TABLE] = facts->arc_seen + TABLE;
    } else {
        arc->scratch[0] = STARTED;
        put(arc, OLD_TELEMETRY + 4 * OLD_FIRMWARE_WORD, facts->firmware);
    }
}

/*
 * Answers a message. Returns its code if it is unknown, else -1. The accepted ones want to change
 * clocks, power and the like, and have no effect.
 */
static int message(uint8_t code, bool blackhole, uint32_t *answer)
{
    enum { OLD_TELEMETRY_AT = 0x2C, CLOCK = 0x34, DRAM_TRAINED = 0x58 };
    static const uint8_t accepted[] = {0x11, 0x21, 0x51, 0x52, 0x53, 0x54, 0x56, 0x57, 0x90,
                                       0xA0, 0xA3, 0xB6, 0xB7, 0xBA, 0xBC, 0xC1, 0xC7};
    *answer = 0;
    switch (code) {
    case OLD_TELEMETRY_AT:
        *answer = OLD_TELEMETRY;
        return -1;
    case CLOCK:
        *answer = clock_of(blackhole);
        return -1;
    case DRAM_TRAINED:
        *answer = 1;
        return -1;
    default:
        return memchr(accepted, code, sizeof accepted) != NULL ? -1 : code;
    }
}

static int serve_queue(struct door_arc *arc, uint32_t queue)
{
    int unknown = -1;
    uint32_t read = get(arc, queue + REQUEST_READ);
    uint32_t written = get(arc, queue + ANSWER_WRITTEN);
    const uint32_t waiting = (get(arc, queue + REQUEST_WRITTEN) - read) % (2 * ENTRIES);
    for (uint32_t i = 0; i < waiting && i < ENTRIES; i++) {
        const uint32_t from = queue + HEAD_BYTES + read % ENTRIES * ENTRY_BYTES;
        const uint32_t to = queue + HEAD_BYTES + (ENTRIES + written % ENTRIES) * ENTRY_BYTES;
        uint32_t answer;
        const int code = message((uint8_t)get(arc, from), true, &answer);
        unknown = code >= 0 ? code : unknown;
        for (unsigned k = 0; k < ENTRY_BYTES / 4; k++) {
            put(arc, to + 4 * k, k == 0 ? answer : 0);
        }
        read = (read + 1) % (2 * ENTRIES);
        written = (written + 1) % (2 * ENTRIES);
    }
    put(arc, queue + REQUEST_READ, read);
    put(arc, queue + ANSWER_WRITTEN, written);
    return unknown;
}

uint32_t arc_read(const struct door_arc *arc, const struct door_facts *facts, bool blackhole,
                  uint32_t offset)
{
    if (offset - SCRATCH < sizeof arc->scratch) {
        return arc->scratch[(offset - SCRATCH) / 4];
    }
    if (blackhole && offset - SCRATCH_RAM < sizeof arc->scratch_ram) {
        return arc->scratch_ram[(offset - SCRATCH_RAM) / 4];
    }
    if (!blackhole && (offset == NODE_X || offset == NODE_Y)) {
        return facts->arc_seen + (offset == NODE_X ? TABLE : VALUES);
    }
    return offset == CONTROL ? arc->control : 0;
}

int arc_write(struct door_arc *arc, bool blackhole, uint32_t offset, uint32_t value)
{
    enum { CODE = 5, ANSWER = 3 };
    int unknown = -1;
    if (offset - SCRATCH < sizeof arc->scratch) {
        arc->scratch[(offset - SCRATCH) / 4] = value;
    } else if (blackhole && offset - SCRATCH_RAM < sizeof arc->scratch_ram) {
        arc->scratch_ram[(offset - SCRATCH_RAM) / 4] = value;
    } else if (offset == CONTROL) {
        arc->control = value & ~(uint32_t)CONTROL_MESSAGE;
        if ((value & CONTROL_MESSAGE) != 0 && blackhole) {
            for (uint32_t q = 0; q < QUEUE_COUNT; q++) {
                const int code =
                    serve_queue(arc, QUEUE + q * (HEAD_BYTES + 2 * ENTRIES * ENTRY_BYTES));
                unknown = code >= 0 ? code : unknown;
            }
        } else if ((value & CONTROL_MESSAGE) != 0) {
            unknown = message((uint8_t)arc->scratch[CODE], false, &arc->scratch[ANSWER]);
            arc->scratch[CODE] &= 0xFF; /* the high half would be an error code */
        }
    }
    return unknown;
}
