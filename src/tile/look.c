/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The public functions for debuggers (tensix/tile_debug.h): reading and writing memory, CSRs and
 * pages as a core sees them, without the side effects of its accesses, and checkpoints.
 */
#include <tensix/tile_debug.h>

#include "isa/chip.h"
#include "state/l1.h"
#include "state/beside.h"
#include "tile/tile.h"

#include <string.h>

static bool is_core(enum tx_core core)
{
    return (unsigned)core < TX_CORES;
}

/* ---- memory ---- */

/*
 * Returns the L1 or local memory at an address of the core, or NULL if it is neither. *room: bytes
 * up to its end.
 */
static uint8_t *memory_at(tx_tensix *t, enum tx_core core, uint32_t address, size_t *room)
{
    const uint32_t local = address - RISCV_RAM_BASE;
    const uint32_t ram = riscv_ram_size(t->m->arch, (enum riscv_core)core);
    if (address < l1_size(t->m->arch)) {
        *room = l1_size(t->m->arch) - address;
        return t->m->own_l1 + address;
    }
    *room = ram - local;
    return local < ram ? t->core[core].s.ram + local : NULL;
}

/*
 * The core's queued stores are newer than memory: copies what they have of these bytes into
 * "bytes", or ("put") replaces it by "bytes".
 */
static void queued(struct riscv *core, uint32_t address, uint8_t *bytes, size_t size, bool put)
{
    for (unsigned i = 0; i < core->s.stores; i++) {
        struct riscv_store *q = &core->s.store[(core->s.store_head + i) % RISCV_STORES];
        const bool gprs = q->region == REGION_GPRS_T || q->region == REGION_GPRS_B;
        for (unsigned k = 0; (q->region == REGION_L1 || gprs) && k < q->size; k++) {
            const uint32_t at = q->address + k - address;
            if (at < size && put) {
                q->data[0] = (q->data[0] & ~(0xFFu << 8 * k)) | (uint32_t)bytes[at] << 8 * k;
            } else if (at < size) {
                bytes[at] = (uint8_t)(q->data[0] >> 8 * k);
            }
        }
    }
}

/* Reads the aligned word of a page. Returns false if none can be read there. */
static bool page_word(tx_tensix *t, enum tx_core core, uint32_t address, uint32_t *value)
{
    const struct riscv_region *region =
        riscv_region(t->m->arch, (enum riscv_core)core, address & ~3u);
    if (region == NULL || region->cycles[chip_column(t->m->arch)] == 0) {
        return false;
    }
    struct riscv_access a = {.address = address & ~3u, .size = 4};
    a.region = (uint8_t)riscv_region_id(region);
    const enum riscv_answer answer = tile_page((enum riscv_region_id)a.region)->load(t, core, &a);
    *value = answer == RISCV_DONE ? a.value : 0;
    return answer != RISCV_HANG;
}

size_t tx_core_peek(tx_tensix *t, enum tx_core core, uint32_t address, void *bytes, size_t size)
{
    uint8_t *to = bytes;
    size_t done = 0;
    t->looking = true;
    while (is_core(core) && done < size && (done == 0 || address + (uint32_t)done > address)) {
        const uint32_t at = address + (uint32_t)done;
        size_t room;
        const uint8_t *memory = memory_at(t, core, at, &room);
        uint32_t word = 0;
        if (memory != NULL) {
            room = room < size - done ? room : size - done;
            memcpy(to + done, memory, room);
            done += room;
        } else if (page_word(t, core, at, &word)) {
            to[done++] = (uint8_t)(word >> 8 * (at & 3u));
            for (uint32_t k = (at & 3u) + 1; k < 4 && done < size; k++) {
                to[done++] = (uint8_t)(word >> 8 * k);
            }
        } else {
            break;
        }
    }
    t->looking = false;
    if (is_core(core)) {
        queued(&t->core[core], address, to, done, false);
    }
    return done;
}

static bool page_store(tx_tensix *t, enum tx_core core, uint32_t address, uint32_t value)
{
    const struct riscv_region *region = riscv_region(t->m->arch, (enum riscv_core)core, address);
    if (region == NULL) {
        return false;
    }
    struct riscv_access a = {.address = address, .value = value, .size = 4};
    a.region = (uint8_t)riscv_region_id(region);
    return tile_page((enum riscv_region_id)a.region)->store(t, core, &a) == RISCV_DONE;
}

size_t tx_core_poke(tx_tensix *t, enum tx_core core, uint32_t address, const void *bytes,
                    size_t size)
{
    const uint8_t *from = bytes;
    size_t done = 0;
    while (is_core(core) && done < size && (done == 0 || address + (uint32_t)done > address)) {
        const uint32_t at = address + (uint32_t)done;
        size_t room;
        uint8_t *memory = memory_at(t, core, at, &room);
        if (memory != NULL) {
            room = room < size - done ? room : size - done;
            if (at < l1_size(t->m->arch)) {
                (void)tx_l1_write(t->m, at, from + done, room); /* records that it was written */
            } else {
                memcpy(memory, from + done, room);
                riscv_local_given(&t->core[core], at - RISCV_RAM_BASE, room);
            }
            uint8_t copy[64];
            for (size_t i = 0; i < room; i += sizeof copy) {
                const size_t n = room - i < sizeof copy ? room - i : sizeof copy;
                memcpy(copy, from + done + i, n);
                queued(&t->core[core], at + (uint32_t)i, copy, n, true);
            }
            done += room;
            continue;
        }
        uint32_t word = 0;
        for (unsigned k = 0; at % 4 == 0 && size - done >= 4 && k < 4; k++) {
            word |= (uint32_t)from[done + k] << 8 * k;
        }
        if (at % 4 != 0 || size - done < 4 || !page_store(t, core, at, word)) {
            break;
        }
        done += 4;
    }
    t->progress = t->s.cycle;
    return done;
}

/* ---- the next instruction ---- */

enum tx_status tx_core_next(const tx_tensix *t, enum tx_core core, struct tx_core_access *access)
{
    struct tx_core_state s;
    struct riscv_op op = {.id = RISCV_NONE};
    memset(access, 0, sizeof *access);
    if (tx_tensix_core(t, core, &s) != TX_OK) {
        return TX_EINVAL;
    }
    riscv_decode(t->m->arch, s.word, &op);
    switch ((enum riscv_id)op.id) {
    case RISCV_LB:
    case RISCV_LBU:
    case RISCV_SB:
        access->size = 1;
        break;
    case RISCV_LH:
    case RISCV_LHU:
    case RISCV_SH:
        access->size = 2;
        break;
    case RISCV_LW:
    case RISCV_SW:
        access->size = 4;
        break;
    default:
        access->size = op.class == CLASS_AMO ? 4 : 0;
        op.imm = 0;
        break;
    }
    if (access->size != 0) {
        access->address = (t->core[core].s.x[op.rs1] + op.imm) & ~(access->size - 1u);
        access->load = op.class != CLASS_STORE;
        access->store = op.class != CLASS_LOAD;
    }
    return TX_OK;
}

unsigned tx_core_queued(const tx_tensix *t, enum tx_core core, uint32_t address, uint32_t size)
{
    unsigned n = 0;
    for (unsigned i = 0; is_core(core) && i < t->core[core].s.stores; i++) {
        const struct riscv_state *s = &t->core[core].s;
        const struct riscv_store *q = &s->store[(s->store_head + i) % RISCV_STORES];
        n += q->region == REGION_L1 && q->address < (uint64_t)address + size &&
             address < (uint64_t)q->address + q->size;
    }
    return n;
}

void tx_tensix_glance(const tx_tensix *t, struct tx_core_glance cores[TX_CORES])
{
    for (unsigned c = 0; c < TX_CORES; c++) {
        const struct riscv_state *s = &t->core[c].s;
        cores[c] = (struct tx_core_glance){s->instret, s->pc, (enum tx_core_phase)s->phase};
    }
}

/* ---- CSRs ---- */

enum tx_status tx_core_csr_at(enum tx_arch arch, unsigned index, struct tx_core_csr *csr)
{
    if (!chip_known(arch) || !CHIP_HAS(arch, CORES_HAVE_CSRS) || index >= CSR_COUNT) {
        return TX_ENOENT;
    }
    const struct riscv_csr_info *info = riscv_csr_info((enum riscv_csr_id)index);
    *csr = (struct tx_core_csr){info->name, info->number, info->vector};
    return TX_OK;
}

static bool has_csr(const tx_tensix *t, enum tx_core core, unsigned index)
{
    struct tx_core_csr csr;
    return is_core(core) && tx_core_csr_at(t->m->arch, index, &csr) == TX_OK &&
           (!csr.vector || core == TX_CORE_T2);
}

enum tx_status tx_core_csr_read(tx_tensix *t, enum tx_core core, unsigned index, uint32_t *value)
{
    if (!has_csr(t, core, index)) {
        return TX_ENOENT;
    }
    t->looking = true;
    *value = riscv_csr_get(&t->core[core], (enum riscv_csr_id)index);
    t->looking = false;
    return TX_OK;
}

enum tx_status tx_core_csr_write(tx_tensix *t, enum tx_core core, unsigned index, uint32_t value)
{
    if (!has_csr(t, core, index)) {
        return TX_ENOENT;
    }
    if (riscv_csr_info((enum riscv_csr_id)index)->fixed) {
        return TX_EINVAL;
    }
    riscv_csr_set(&t->core[core], (enum riscv_csr_id)index, value);
    return TX_OK;
}

/* ---- going on and standing still ---- */

enum tx_status tx_core_wake(tx_tensix *t, enum tx_core core)
{
    if (!is_core(core) || t->core[core].s.phase == RISCV_HELD) {
        return TX_EINVAL;
    }
    t->core[core].s.phase = RISCV_RUNS;
    t->core[core].s.broke = 0;
    t->progress = t->s.cycle;
    return TX_OK;
}

void tx_tensix_freeze(tx_tensix *t, unsigned cores)
{
    t->frozen = (uint8_t)(cores & ((1u << TX_CORES) - 1u));
}

void tx_tensix_stores(tx_tensix *t, void (*store)(void *user, const struct tx_core_store *store),
                      void *user)
{
    t->stores = store;
    t->stores_user = user;
}

_Static_assert((int)TX_SPLITS == (int)RISCV_SPLITS, "as many in either");

enum tx_status tx_tensix_split(tx_tensix *t, const uint32_t *addresses, unsigned count)
{
    if (count > TX_SPLITS) {
        return TX_EINVAL;
    }
    for (unsigned c = 0; c < TX_CORES; c++) {
        t->core[c].splits = (uint8_t)count;
        for (unsigned i = 0; i < count; i++) {
            t->core[c].split[i] = addresses[i];
        }
    }
    return TX_OK;
}

/* ---- checkpoints ---- */

/* What a checkpoint has between the snapshot and the machine's beside_save. */
struct beside {
    const struct tx_tensix *tile;
    struct riscv core[TX_CORES];
    uint64_t progress;
    uint8_t frozen;
    bool sleeps;
};

size_t tx_tensix_checkpoint_size(const tx_tensix *t)
{
    return tx_tensix_snapshot_size(t) + sizeof(struct beside) + beside_size();
}

enum tx_status tx_tensix_checkpoint(const tx_tensix *t, void *buffer, size_t size)
{
    const size_t snapshot = tx_tensix_snapshot_size(t);
    if (size != tx_tensix_checkpoint_size(t) || tx_tensix_snapshot(t, buffer, snapshot) != TX_OK) {
        return TX_EINVAL;
    }
    uint8_t *to = (uint8_t *)buffer + snapshot;
#define PUT(member, from) \
    memcpy(to + offsetof(struct beside, member), &(from), sizeof((struct beside *)0)->member)
    PUT(tile, t);
    PUT(core, t->core);
    PUT(progress, t->progress);
    PUT(frozen, t->frozen);
    PUT(sleeps, t->sleeps);
#undef PUT
    beside_save(t->m, to + sizeof(struct beside));
    return TX_OK;
}

enum tx_status tx_tensix_rollback(tx_tensix *t, const void *buffer, size_t size)
{
    const size_t snapshot = tx_tensix_snapshot_size(t);
    const uint8_t *from = (const uint8_t *)buffer + snapshot;
    const struct tx_tensix *tile;
    if (buffer == NULL || size != tx_tensix_checkpoint_size(t)) {
        return TX_EINVAL;
    }
    memcpy(&tile, from + offsetof(struct beside, tile), sizeof tile);
    if (tile != t || tx_tensix_restore(t, buffer, snapshot) != TX_OK) {
        return TX_EINVAL;
    }
#define GET(member, to) \
    memcpy(&(to), from + offsetof(struct beside, member), sizeof((struct beside *)0)->member)
    GET(core, t->core);
    GET(progress, t->progress);
    GET(frozen, t->frozen);
    GET(sleeps, t->sleeps);
#undef GET
    beside_load(t->m, from + sizeof(struct beside));
    return TX_OK;
}
