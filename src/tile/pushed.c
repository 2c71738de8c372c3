/* SPDX-License-Identifier: Apache-2.0 */
/* Which instruction of which core has pushed a word, for findings about the word. */
#include "tile/tile.h"
#include "base/check.h"

static unsigned pushed_place_of(uint32_t word)
{
    return word * UINT32_C(2654435761) >> 24; /* of TILE_PUSHED; Knuth's multiplicative hash */
}

void tile_pushed(struct tx_tensix *t, unsigned who, unsigned thread, uint32_t word)
{
    CHECK(who < TX_CORES && thread < TX_THREADS, "a core pushes words for a thread");
    const uint32_t by = who == RISCV_B ? TILE_PUSHED_B : TILE_PUSHED_T;
    t->s.pushed[thread][pushed_place_of(word)] =
        (struct tile_pushed){.word = word, .from = riscv_at(&t->core[who]) | by};
}

void tile_pusher(void *tile, struct tx_finding *f)
{
    const struct tx_tensix *t = tile;
    const struct tile_pushed *p = &t->s.pushed[f->thread % TX_THREADS][pushed_place_of(f->word)];
    if (p->word != f->word || p->from == 0) {
        return;
    }
    const unsigned who = (p->from & TILE_PUSHED_B) != 0 ? RISCV_B : RISCV_T0 + f->thread;
    f->pusher = (uint8_t)(1 + who);
    f->pusher_pc = p->from & ~UINT32_C(3);
}

bool tile_core_push(struct riscv *core, uint32_t word)
{
    struct tx_tensix *t = core->env.user;
    if (tx_push(t->m, tile_thread(core->who), &word, 1) != 1) {
        return false;
    }
    tile_pushed(t, core->who, tile_thread(core->who), word);
    return true;
}
