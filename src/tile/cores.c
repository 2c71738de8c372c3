/* SPDX-License-Identifier: Apache-2.0 */
/* What the host sees of the cores of a tile: where they are, registers, local memory. */
#include "tile/tile.h"

#include "base/sized.h"

#include <stdio.h>
#include <string.h>

/* ---- names ---- */

static const char *const names[TX_CORES][3] = {{"b", "brisc", "brisc"},
                                               {"t0", "trisc0", "unpack"},
                                               {"t1", "trisc1", "math"},
                                               {"t2", "trisc2", "pack"},
                                               {"nc", "ncrisc", "ncrisc"}};

const char *tx_core_name(enum tx_core core)
{
    return (unsigned)core < TX_CORES ? names[core][0] : "?";
}

static bool same(const char *a, const char *b)
{
    for (; *a != '\0' && *b != '\0'; a++, b++) {
        const char lower = (char)(*a >= 'A' && *a <= 'Z' ? *a + ('a' - 'A') : *a);
        if (lower != *b) {
            return false;
        }
    }
    return *a == *b;
}

enum tx_status tx_core_parse(const char *text, enum tx_core *core)
{
    for (unsigned c = 0; c < TX_CORES; c++) {
        for (unsigned i = 0; i < 3; i++) {
            if (same(text, names[c][i])) {
                *core = (enum tx_core)c;
                return TX_OK;
            }
        }
    }
    return TX_ENOENT;
}

void tx_core_text(enum tx_arch arch, uint32_t word, uint32_t pc, char *text, size_t size)
{
    riscv_text(arch, word, pc, text, size);
}

const char *tx_core_wait_text(size_t index)
{
    return index < TX_CORE_WAITS ? riscv_wait_text((enum tx_core_wait)index) : NULL;
}

enum tx_status tx_tensix_core_sized(const tx_tensix *t, enum tx_core core,
                                    struct tx_core_state *state, size_t size)
{
    if ((unsigned)core >= TX_CORES) {
        return TX_EINVAL;
    }
    const struct riscv_state *s = &t->core[core].s;
    struct tx_core_state out = {.phase = (enum tx_core_phase)s->phase};
    out.pc = s->pc;
    out.word = tile_word_at(t, core, s->pc);
    out.address = s->at;
    out.rests = tile_core_rests(t, core);
    out.waits_for = (enum tx_core_wait)s->wait;
    out.wait = riscv_wait_text(out.waits_for);
    out.instructions = s->instret;
    memcpy(out.waited, s->waited, sizeof out.waited);
    sized_give(state, size, &out, sizeof out);
    return TX_OK;
}

uint64_t tx_core_last(const tx_tensix *t, enum tx_core core, uint64_t *instructions)
{
    const bool is = (unsigned)core < TX_CORES;
    if (instructions != NULL) {
        *instructions = is ? t->core[core].led_instret : 0;
    }
    return is ? t->core[core].led : 0;
}

void tx_tensix_core_marks(const tx_tensix *t, uint64_t marks[TX_CORES])
{
    for (unsigned c = 0; c < TX_CORES; c++) {
        const struct riscv_state *s = &t->core[c].s;
        marks[c] = (uint64_t)s->at << 32 | (uint64_t)s->wait << 16 | (uint64_t)s->phase << 8 |
                   (tile_core_rests(t, c) ? 1u : 0u);
    }
}
_Static_assert((int)TX_CORE_STOPPED == (int)RISCV_STOPPED && (int)TX_CORE_HUNG == (int)RISCV_HUNG,
               "phases are the same numbers");

uint32_t tx_core_word(const tx_tensix *t, enum tx_core core, uint32_t pc)
{
    return (unsigned)core < TX_CORES && pc % 4 == 0 ? tile_word_at(t, core, pc) : 0;
}

enum { PC_INDEX = 32 };

enum tx_status tx_core_read(const tx_tensix *t, enum tx_core core, unsigned index, uint32_t *value)
{
    if ((unsigned)core >= TX_CORES || index > PC_INDEX) {
        return TX_EINVAL;
    }
    *value = index == PC_INDEX ? t->core[core].s.pc : t->core[core].s.x[index];
    return TX_OK;
}

enum tx_status tx_core_write(tx_tensix *t, enum tx_core core, unsigned index, uint32_t value)
{
    if ((unsigned)core >= TX_CORES || index > PC_INDEX || (index == PC_INDEX && value % 4 != 0)) {
        return TX_EINVAL;
    }
    riscv_stir(&t->core[core]);
    if (index == PC_INDEX) {
        t->core[core].s.pc = value;
    } else if (index != 0) {
        t->core[core].s.x[index] = value;
        riscv_given(&t->core[core], index);
    }
    return TX_OK;
}

uint32_t tx_core_local_size(enum tx_arch arch, enum tx_core core)
{
    return (unsigned)core < TX_CORES ? riscv_ram_size(arch, (enum riscv_core)core) : 0;
}

static bool is_local(const tx_tensix *t, enum tx_core core, uint32_t offset, size_t size)
{
    const uint32_t end = tx_core_local_size(t->m->arch, core);
    return offset <= end && size <= end - offset;
}

enum tx_status tx_core_local_read(const tx_tensix *t, enum tx_core core, uint32_t offset,
                                  void *bytes, size_t size)
{
    if ((unsigned)core >= TX_CORES || bytes == NULL || !is_local(t, core, offset, size)) {
        return TX_EINVAL;
    }
    memcpy(bytes, t->core[core].s.ram + offset, size);
    return TX_OK;
}

enum tx_status tx_core_local_write(tx_tensix *t, enum tx_core core, uint32_t offset,
                                   const void *bytes, size_t size)
{
    if ((unsigned)core >= TX_CORES || bytes == NULL || !is_local(t, core, offset, size)) {
        return TX_EINVAL;
    }
    memcpy(t->core[core].s.ram + offset, bytes, size);
    riscv_local_given(&t->core[core], offset, size);
    return TX_OK;
}

bool tx_tensix_wait_text(const tx_tensix *t, enum tx_core core, char *text, size_t size)
{
    struct tx_core_state s;
    char insn[64];
    text[0] = '\0';
    if (tx_tensix_core(t, core, &s) != TX_OK || s.phase == TX_CORE_HELD) {
        return false;
    }
    riscv_text(t->m->arch, s.word, s.pc, insn, sizeof insn);
    const struct riscv_state *c = &t->core[core].s;
    int n = snprintf(text, size, "%s at %08x, %s: ", tx_core_name(core), (unsigned)s.pc, insn);
    char *rest = text + (n > 0 && (size_t)n < size ? n : 0);
    const size_t room = size - (size_t)(rest - text);
    if (s.phase == TX_CORE_HUNG || s.phase == TX_CORE_STOPPED) {
        snprintf(rest, room, "%s %08x",
                 s.phase == TX_CORE_HUNG ? "waits for ever for" : "stopped at",
                 (unsigned)s.address);
    } else if (s.phase == TX_CORE_PAUSED) {
        snprintf(rest, room, "paused%s", c->broke != 0 ? " by the ebreak before it" : "");
    } else if (s.rests) {
        snprintf(rest, room, "loops for ever");
    } else if (c->wait == TX_CORE_WAIT_ANSWER || c->stores == RISCV_STORES) {
        const bool queue = c->stores == RISCV_STORES;
        const uint32_t at = queue ? c->store[c->store_head].address : s.address;
        const struct riscv_region *r = riscv_region(t->m->arch, (enum riscv_core)core, at);
        snprintf(rest, room, "waits for %s of %08x%s%s%s",
                 queue ? "room behind a store" : "the answer", (unsigned)at, r != NULL ? " (" : "",
                 r != NULL ? r->what : "", r != NULL ? ")" : "");
    } else {
        snprintf(rest, room, "%s%s", c->wait != TX_CORE_WAIT_NONE ? "waits for " : "runs",
                 c->wait != TX_CORE_WAIT_NONE ? s.wait : "");
    }
    return true;
}

bool tx_tensix_wait_end(const tx_tensix *t, enum tx_core core, char *text, size_t size)
{
    static const struct {
        enum riscv_region_id region;
        const char *end;
    } ends[] = {
        {REGION_SYNC, "the thread, working off what the core has pushed"},
        {REGION_PCBUF, "the core whose PC buffer it is"},
        {REGION_MAILBOX, "the core at the other end of the mailbox"},
        {REGION_PUSH_T, "the thread, taking the words before"},
        {REGION_PUSH_B, "the thread, taking the words before"},
        {REGION_GPRS_T, "the Scalar Unit"},
        {REGION_GPRS_B, "the Scalar Unit"},
    };
    struct tx_core_state s;
    const char *end = NULL;
    if (tx_tensix_core(t, core, &s) == TX_OK && s.phase != TX_CORE_HELD) {
        const struct riscv_state *c = &t->core[core].s;
        const bool queue = c->stores == RISCV_STORES;
        const uint32_t at = queue ? c->store[c->store_head].address : s.address;
        const struct riscv_region *r = riscv_region(t->m->arch, (enum riscv_core)core, at);
        if (s.phase == TX_CORE_HUNG) {
            end = "nothing: the address never answers";
        } else if (s.phase == TX_CORE_STOPPED) {
            end = "nothing: there are no instructions";
        } else if (s.phase == TX_CORE_PAUSED) {
            end = "a debugger";
        }
        for (size_t i = 0;
             end == NULL && r != NULL && !s.rests && (c->wait == TX_CORE_WAIT_ANSWER || queue) &&
             i < sizeof ends / sizeof ends[0];
             i++) {
            end = riscv_region_id(r) == ends[i].region ? ends[i].end : NULL;
        }
    }
    (void)snprintf(text, size, "%s", end != NULL ? end : "");
    return end != NULL;
}
