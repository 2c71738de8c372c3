/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Examines the instructions around a core's load. A loop that only loads a word until it changes
 * waits for its writer; and a load orders what follows only if something waits for its value.
 * Source: isa MemoryOrdering f7fda21, "Enforcing stronger ordering"; BabyRISCV/README 2c2c43b for
 * .ttinsn.
 */
#include <tensix-lab/tile.h>

#include "race/race.h"

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
    case RACE_LOAD:
    case RACE_IMMEDIATE:
    case RACE_JALR:
        return one;
    case RACE_SYSTEM:
        return one && bits(word, 14, 1) == 0 && bits(word, 12, 2) != 0;
    case RACE_STORE:
    case RACE_ATOMIC:
    case RACE_REGISTER:
    case RACE_BRANCH:
        return one || two;
    default:
        return false;
    }
}

static bool writes(uint32_t word, unsigned x)
{
    const unsigned op = major(word);
    return op != 0 && op != RACE_STORE && op != RACE_BRANCH && op != RACE_FENCE && rd(word) == x;
}

static bool is_access(uint32_t word)
{
    const unsigned op = major(word);
    return op == 0 || op == RACE_LOAD || op == RACE_STORE || op == RACE_ATOMIC;
}

/* Returns how far a branch or JAL jumps. */
static int32_t distance(uint32_t word)
{
    const uint32_t branch = bits(word, 31, 1) << 12 | bits(word, 7, 1) << 11 |
                            bits(word, 25, 6) << 5 | bits(word, 8, 4) << 1;
    const uint32_t jump = bits(word, 31, 1) << 20 | bits(word, 12, 8) << 12 |
                          bits(word, 20, 1) << 11 | bits(word, 21, 10) << 1;
    const bool back = bits(word, 31, 1) != 0;
    return (int32_t)(major(word) == RACE_BRANCH ? branch | (back ? 0xFFFFE000u : 0)
                                                : jump | (back ? 0xFFE00000u : 0));
}

/* Returns the target of a backward branch or jump without link; 0 for all other instructions. */
static uint32_t back_to(uint32_t word, uint32_t pc)
{
    const bool jumps = major(word) == RACE_BRANCH || (major(word) == RACE_JAL && rd(word) == 0);
    return jumps && distance(word) < 0 ? pc + (uint32_t)distance(word) : 0;
}

bool race_insn_at(txl_tensix *tile, uint32_t pc, struct race_insn *i)
{
    uint32_t word;
    if (!word_at(tile, pc, &word)) {
        return false;
    }
    *i = (struct race_insn){
        .word = word,
        .major = (enum race_major)major(word),
        .rd = rd(word),
        .rs1 = bits(word, 15, 5),
        .rs2 = bits(word, 20, 5),
        .funct3 = bits(word, 12, 3),
        .to = distance(word),
        .imm = (int32_t)(bits(word, 20, 11) | (bits(word, 31, 1) != 0 ? 0xFFFFF800u : 0))};
    return true;
}

bool race_code_waits(txl_tensix *tile, uint32_t pc)
{
    enum { LONGEST = 64 };
    uint32_t load;
    uint32_t word;
    uint32_t first = 0;
    uint32_t last = pc;
    if (!word_at(tile, pc, &load) || major(load) != RACE_LOAD) {
        return false;
    }
    for (uint32_t at = pc; at < pc + LONGEST && first == 0 && word_at(tile, at, &word); at += 4) {
        const uint32_t to = back_to(word, at);
        first = to != 0 && to <= pc && to + LONGEST > pc ? to : 0;
        last = at;
    }
    for (uint32_t at = first; first != 0 && at <= last && word_at(tile, at, &word); at += 4) {
        const unsigned op = major(word);
        const bool leaves = op == RACE_JALR || (op == RACE_JAL && rd(word) != 0);
        if (op == 0 || op == RACE_STORE || op == RACE_ATOMIC || leaves ||
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
           !(major(word) == RACE_BRANCH && reads(word, rd(load)))) {
        at += 4;
    }
    if (at >= pc + NEAR || major(word) != RACE_BRANCH) {
        return false;
    }
    for (at += 4; at < pc + LONGEST && word_at(tile, at, &word); at += 4) {
        if (major(word) == RACE_LOAD) {
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
        if ((!dead && reads(word, rd(load))) || op == RACE_FENCE || op == RACE_ATOMIC ||
            op == RACE_JALR || op == RACE_JAL) {
            return true; /* jumps are not followed */
        }
        if (is_access(word)) {
            return false;
        }
        dead = dead || writes(word, rd(load));
    }
    return true;
}
