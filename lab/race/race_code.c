/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Examines the instructions around a core's load. A loop that only loads a word until it changes
 * waits for its writer; and a load orders what follows only if something waits for its value.
 * Source: isa MemoryOrdering f7fda21, "Enforcing stronger ordering"; BabyRISCV/README 2c2c43b for
 * .ttinsn.
 */
#include <tensix-lab/tile.h>

#include "race/race.h"

enum {
    MAJOR_LOAD = 0x03,
    MAJOR_FENCE = 0x0F,
    MAJOR_IMMEDIATE = 0x13,
    MAJOR_AUIPC = 0x17,
    MAJOR_STORE = 0x23,
    MAJOR_ATOMIC = 0x2F,
    MAJOR_REGISTER = 0x33,
    MAJOR_LUI = 0x37,
    MAJOR_BRANCH = 0x63,
    MAJOR_JALR = 0x67,
    MAJOR_JAL = 0x6F,
    MAJOR_SYSTEM = 0x73
};

static bool word_at(txl_tensix *tile, uint32_t pc, uint32_t *word)
{
    uint8_t b[4];
    if (pc >= tx_l1_size(tx_machine_arch(tx_tensix_machine(txl_tensix_tile(tile)))) ||
        tx_tensix_read(txl_tensix_tile(tile), pc, b, sizeof b) != TX_OK) {
        return false;
    }
    *word = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    return true;
}

static uint32_t bits(uint32_t word, unsigned first, unsigned count)
{
    return word >> first & ((1u << count) - 1u);
}

static unsigned major(uint32_t word)
{
    return (word & 3u) == 3u ? word & 127u : 0; /* 0 stands for .ttinsn */
}

static unsigned rd(uint32_t word)
{
    return bits(word, 7, 5);
}

static bool reads(uint32_t word, unsigned x)
{
    const bool one = bits(word, 15, 5) == x;
    const bool two = bits(word, 20, 5) == x;
    switch (major(word)) {
    case MAJOR_LOAD:
    case MAJOR_IMMEDIATE:
    case MAJOR_JALR:
        return one;
    case MAJOR_SYSTEM:
        return one && bits(word, 14, 1) == 0 && bits(word, 12, 2) != 0;
    case MAJOR_STORE:
    case MAJOR_ATOMIC:
    case MAJOR_REGISTER:
    case MAJOR_BRANCH:
        return one || two;
    default:
        return false;
    }
}

static bool writes(uint32_t word, unsigned x)
{
    const unsigned op = major(word);
    return op != 0 && op != MAJOR_STORE && op != MAJOR_BRANCH && op != MAJOR_FENCE && rd(word) == x;
}

static bool is_access(uint32_t word)
{
    const unsigned op = major(word);
    return op == 0 || op == MAJOR_LOAD || op == MAJOR_STORE || op == MAJOR_ATOMIC;
}

/* Returns the target of a backward branch or jump without link; 0 for all other instructions. */
static uint32_t back_to(uint32_t word, uint32_t pc)
{
    const uint32_t branch = bits(word, 31, 1) << 12 | bits(word, 7, 1) << 11 |
                            bits(word, 25, 6) << 5 | bits(word, 8, 4) << 1;
    const uint32_t jump = bits(word, 31, 1) << 20 | bits(word, 12, 8) << 12 |
                          bits(word, 20, 1) << 11 | bits(word, 21, 10) << 1;
    if (bits(word, 31, 1) == 0) {
        return 0;
    }
    return major(word) == MAJOR_BRANCH                 ? pc + (branch | 0xFFFFE000u)
           : major(word) == MAJOR_JAL && rd(word) == 0 ? pc + (jump | 0xFFE00000u)
                                                       : 0;
}

bool race_code_waits(txl_tensix *tile, uint32_t pc)
{
    enum { LONGEST = 64 };
    uint32_t load;
    uint32_t word;
    uint32_t first = 0;
    uint32_t last = pc;
    if (!word_at(tile, pc, &load) || major(load) != MAJOR_LOAD) {
        return false;
    }
    for (uint32_t at = pc; at < pc + LONGEST && first == 0 && word_at(tile, at, &word); at += 4) {
        const uint32_t to = back_to(word, at);
        first = to != 0 && to <= pc && to + LONGEST > pc ? to : 0;
        last = at;
    }
    for (uint32_t at = first; first != 0 && at <= last && word_at(tile, at, &word); at += 4) {
        const unsigned op = major(word);
        const bool leaves = op == MAJOR_JALR || (op == MAJOR_JAL && rd(word) != 0);
        if (op == 0 || op == MAJOR_STORE || op == MAJOR_ATOMIC || leaves ||
            writes(word, bits(load, 15, 5))) {
            return false;
        }
    }
    return first != 0;
}

bool race_code_guards(txl_tensix *tile, uint32_t pc)
{
    enum { NEAR = 16, LONGEST = 64 };
    const uint32_t same = 0xFFF07000u; /* offset and width */
    uint32_t load;
    uint32_t word = 0;
    uint32_t at = pc + 4;
    if (!word_at(tile, pc, &load) || rd(load) == 0) {
        return false;
    }
    while (at < pc + NEAR && word_at(tile, at, &word) &&
           !(major(word) == MAJOR_BRANCH && reads(word, rd(load)))) {
        at += 4;
    }
    if (at >= pc + NEAR || major(word) != MAJOR_BRANCH) {
        return false;
    }
    for (at += 4; at < pc + LONGEST && word_at(tile, at, &word); at += 4) {
        if (major(word) == MAJOR_LOAD) {
            return (word & same) == (load & same) && race_code_waits(tile, at);
        }
        if (is_access(word)) {
            return false;
        }
    }
    return false;
}

bool race_code_uses(txl_tensix *tile, uint32_t pc)
{
    enum { RETIRE_QUEUE = 8 }; /* seven instructions after a load its value has arrived */
    uint32_t load;
    uint32_t word;
    if (!word_at(tile, pc, &load)) {
        return true;
    }
    bool dead = rd(load) == 0;
    for (uint32_t at = pc + 4; at < pc + 4 * RETIRE_QUEUE && word_at(tile, at, &word); at += 4) {
        const unsigned op = major(word);
        if ((!dead && reads(word, rd(load))) || op == MAJOR_FENCE || op == MAJOR_ATOMIC ||
            op == MAJOR_JALR || op == MAJOR_JAL) {
            return true; /* jumps are not followed */
        }
        if (is_access(word)) {
            return false;
        }
        dead = dead || writes(word, rd(load));
    }
    return true;
}
