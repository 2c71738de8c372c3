/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Examines the instructions around a core's load. A loop that only loads a word until it changes
 * waits for its writer; and a load orders what follows only if something waits for its value.
 * Source: isa MemoryOrdering f7fda21, "Enforcing stronger ordering"; BabyRISCV/README 2c2c43b for
 * .ttinsn.
 */
#include <tensix-lab/tile.h>

#include "race/race.h"
#include "base/small.h"

bool race_insn_at(txl_tensix *tile, uint32_t pc, struct tx_core_decoded *i)
{
    const enum tx_arch arch = tx_machine_arch(tx_tensix_machine(txl_tensix_tile(tile)));
    uint8_t b[4];
    if (pc >= tx_l1_size(arch) || tx_tensix_read(txl_tensix_tile(tile), pc, b, sizeof b) != TX_OK) {
        return false;
    }
    tx_core_decode(arch, word_of_bytes(b), i);
    return true;
}

static bool reads(const struct tx_core_decoded *i, unsigned x)
{
    return (i->reads >> x & 1u) != 0;
}

static bool writes(const struct tx_core_decoded *i, unsigned x)
{
    return i->rd != 0 && i->rd == x;
}

static bool is_access(const struct tx_core_decoded *i)
{
    return i->kind == TX_CORE_KIND_PUSH || i->kind == TX_CORE_KIND_LOAD ||
           i->kind == TX_CORE_KIND_STORE || i->kind == TX_CORE_KIND_ATOMIC;
}

/* Returns the target of a backward branch or jump without link; 0 for all other instructions. */
static uint32_t back_to(const struct tx_core_decoded *i, uint32_t pc)
{
    const bool jumps =
        i->kind == TX_CORE_KIND_BRANCH || (i->kind == TX_CORE_KIND_JAL && i->rd == 0);
    return jumps && (int32_t)i->imm < 0 ? pc + i->imm : 0;
}

bool race_code_waits(txl_tensix *tile, uint32_t pc)
{
    enum { LONGEST = 64 };
    struct tx_core_decoded load;
    struct tx_core_decoded i;
    uint32_t first = 0;
    uint32_t last = pc;
    if (!race_insn_at(tile, pc, &load) || load.kind != TX_CORE_KIND_LOAD) {
        return false;
    }
    for (uint32_t at = pc; at < pc + LONGEST && first == 0 && race_insn_at(tile, at, &i); at += 4) {
        const uint32_t to = back_to(&i, at);
        first = to != 0 && to <= pc && to + LONGEST > pc ? to : 0;
        last = at;
    }
    for (uint32_t at = first; first != 0 && at <= last && race_insn_at(tile, at, &i); at += 4) {
        const bool leaves =
            i.kind == TX_CORE_KIND_JALR || (i.kind == TX_CORE_KIND_JAL && i.rd != 0);
        if (i.kind == TX_CORE_KIND_PUSH || i.kind == TX_CORE_KIND_STORE ||
            i.kind == TX_CORE_KIND_ATOMIC || leaves || writes(&i, load.rs1)) {
            return false;
        }
    }
    return first != 0;
}

bool race_code_guards(txl_tensix *tile, uint32_t pc)
{
    enum { NEAR = 16, LONGEST = 64 };
    struct tx_core_decoded load;
    struct tx_core_decoded i = {.kind = TX_CORE_KIND_NONE};
    uint32_t at = pc + 4;
    if (!race_insn_at(tile, pc, &load) || load.rd == 0) {
        return false;
    }
    while (at < pc + NEAR && race_insn_at(tile, at, &i) &&
           !(i.kind == TX_CORE_KIND_BRANCH && reads(&i, load.rd))) {
        at += 4;
    }
    if (at >= pc + NEAR || i.kind != TX_CORE_KIND_BRANCH) {
        return false;
    }
    for (at += 4; at < pc + LONGEST && race_insn_at(tile, at, &i); at += 4) {
        if (i.kind == TX_CORE_KIND_LOAD) {
            return i.id == load.id && i.imm == load.imm && race_code_waits(tile, at);
        }
        if (is_access(&i)) {
            return false;
        }
    }
    return false;
}

bool race_code_uses(txl_tensix *tile, uint32_t pc)
{
    enum { RETIRE_QUEUE = 8 }; /* seven instructions after a load its value has arrived */
    struct tx_core_decoded load;
    struct tx_core_decoded i;
    if (!race_insn_at(tile, pc, &load)) {
        return true;
    }
    bool dead = load.rd == 0;
    for (uint32_t at = pc + 4; at < pc + 4 * RETIRE_QUEUE && race_insn_at(tile, at, &i); at += 4) {
        if ((!dead && reads(&i, load.rd)) || i.kind == TX_CORE_KIND_FENCE ||
            i.kind == TX_CORE_KIND_ATOMIC || i.kind == TX_CORE_KIND_JALR ||
            i.kind == TX_CORE_KIND_JAL) {
            return true; /* jumps are not followed */
        }
        if (is_access(&i)) {
            return false;
        }
        dead = dead || writes(&i, load.rd);
    }
    return true;
}
