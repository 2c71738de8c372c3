/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Access to L1 by the units and by the host, and the record of which bytes of it were ever written.
 */
#include "isa/chip.h"
#include "base/check.h"
#include "state/l1.h"

#include "state/order.h"

#include <stdlib.h>
#include <string.h>

#define ID(name) evidence_get(EVIDENCE_##name)->id

static bool in_range(struct tx_machine *m, const struct tx_op *op, uint32_t address, uint32_t size)
{
    const uint32_t end = l1_size(m->arch);
    if (address <= end && size <= end - address) {
        return true;
    }
    machine_finding(m, TX_UNDEFINED_BEHAVIOR, ID(E_L1), op, 0,
                    "%u byte%s at address %08x reach beyond L1; nothing was accessed",
                    (unsigned)size, size == 1 ? "" : "s", (unsigned)address);
    return false;
}

/*
 * Accesses memory through the host's function, which takes aligned accesses of 16 bytes or less.
 * What does not cover 16 bytes goes byte by byte, so that a write keeps what surrounds it. "to" is
 * for a read, "from" for a write, the other is NULL. Returns false if the host refuses.
 */
static bool through_handler(struct tx_machine *m, const struct tx_op *op, uint32_t address,
                            uint8_t *to, const uint8_t *from, uint32_t size)
{
    CHECK((to == NULL) != (from == NULL), "an access reads or writes");
    for (uint32_t done = 0; done < size;) {
        const uint32_t at = address + done;
        const uint32_t step = at % 16 == 0 && size - done >= 16 ? 16 : 1;
        struct tx_access a = {.struct_size = sizeof a,
                              .address = at,
                              .size = (uint8_t)step,
                              .write = from != NULL,
                              .thread = op->thread,
                              .cycle = m->state.cycle};
        for (unsigned i = 0; from != NULL && i < step; i++) {
            a.data[i / 4] |= (uint32_t)from[done + i] << 8 * (i & 3u);
        }
        if (!m->host.memory(m->host.user, &a)) {
            return false;
        }
        for (unsigned i = 0; to != NULL && i < step; i++) {
            to[done + i] = (uint8_t)(a.data[i / 4] >> 8 * (i & 3u));
        }
        done += step;
    }
    return true;
}

uint8_t *l1_at(const struct tx_machine *m, uint32_t address, uint32_t size)
{
    const struct tx_host *host = &m->host;
    uint8_t *memory = host->l1 != NULL ? host->l1 : m->own_l1;
    const uint32_t end = host->l1 != NULL ? host->l1_size : l1_size(m->arch);
    return memory != NULL && address <= end && size <= end - address ? memory + address : NULL;
}

/* ---- which bytes of the machine's own L1 were written ---- */

static bool is_own(const struct tx_machine *m)
{
    return m->own_l1 != NULL && m->host.l1 == NULL && m->host.memory == NULL;
}

size_t l1_own_size(const struct tx_machine *m)
{
    return m->own_l1 == NULL ? 0 : l1_size(m->arch) + l1_size(m->arch) / 8u;
}

void l1_mark(struct tx_machine *m, uint32_t address, uint32_t size)
{
    CHECK(address + size >= address, "bytes that were written do not wrap around");
    CHECK(!is_own(m) || address + size <= l1_size(m->arch), "bytes that were written lie in L1");
    if (!is_own(m)) {
        return;
    }
    uint8_t *written = m->own_l1 + l1_size(m->arch);
    const uint32_t end = address + size;
    if ((address | size) % 8 == 0) {
        memset(written + address / 8, 0xFF, size / 8);
        return;
    }
    for (uint32_t at = address; at < end;) {
        if (at % 8 == 0 && end - at >= 8) {
            const uint32_t whole = (end - at) / 8;
            memset(written + at / 8, 0xFF, whole);
            at += 8 * whole;
        } else {
            written[at / 8] |= (uint8_t)(1u << at % 8);
            at++;
        }
    }
}

bool l1_unwritten(const struct tx_machine *m, uint32_t address, uint32_t size)
{
    CHECK(address + size >= address, "bytes of L1 do not wrap around");
    if (!is_own(m)) {
        return false;
    }
    const uint8_t *written = m->own_l1 + l1_size(m->arch);
    const uint32_t end = address + size;
    uint32_t at = address;
    if ((address | size) % 64 == 0) { /* most often all of them have been */
        uint64_t all = UINT64_MAX;
        for (; at < end; at += 64) {
            uint64_t bits;
            memcpy(&bits, written + at / 8, sizeof bits);
            all &= bits;
        }
        return all != UINT64_MAX;
    }
    if (address % 32 == 0 && size == 32) { /* a row of strided data */
        uint32_t bits;
        memcpy(&bits, written + at / 8, sizeof bits);
        return bits != UINT32_MAX;
    }
    while (at < end) {
        uint64_t bits = 0;
        if (at % 8 == 0 && end - at >= 64) {
            memcpy(&bits, written + at / 8, sizeof bits);
        }
        if (bits == UINT64_MAX) {
            at += 64;
        } else if (at % 8 == 0 && end - at >= 8 && written[at / 8] == 0xFF) {
            at += 8;
        } else if (!bits_has(written[at / 8], at % 8)) {
            return true;
        } else {
            at++;
        }
    }
    return false;
}

/* ---- undefined values that were stored to L1 ---- */

void l1_spoil(struct tx_machine *m, const struct l1_spoilt *what)
{
    CHECK(what->size != 0 && what->size <= L1_SPOILT_BYTES,
          "up to four bytes get an undefined value at a time");
    CHECK(what->thread <= TX_THREADS, "who stores an undefined value is a thread or a core");
    struct undefined_state *u = &m->state.undefined;
    unsigned at = u->next % L1_SPOILT;
    if (!is_own(m)) {
        return;
    }
    for (unsigned i = 0; i < L1_SPOILT; i++) {
        const struct l1_spoilt *old = &u->spoilt[i];
        at = old->size == what->size && old->address == what->address ? i : at;
    }
    if (at == u->next % L1_SPOILT) { /* what is forgotten counts as defined */
        l1_mark(m, u->spoilt[at].address, u->spoilt[at].size);
        u->next = (uint8_t)((at + 1) % L1_SPOILT);
    }
    u->spoilt[at] = *what;
    u->stored = 1;
    for (unsigned i = 0; i < what->size; i++) {
        const uint32_t byte = what->address + i;
        if ((what->bad >> 8 * i & 0xFFu) != 0) {
            m->own_l1[l1_size(m->arch) + byte / 8] &= (uint8_t) ~(1u << byte % 8);
        }
    }
}

uint32_t l1_spoilt(const struct tx_machine *m, uint32_t address, uint32_t size,
                   struct l1_spoilt *what)
{
    const struct undefined_state *u = &m->state.undefined;
    uint32_t bad = 0;
    for (uint32_t at = address; u->stored != 0 && at < address + size; at++) {
        unsigned i = 0;
        if (!l1_unwritten(m, at, 1)) {
            continue;
        }
        while (i < L1_SPOILT &&
               (at - u->spoilt[i].address >= u->spoilt[i].size ||
                (u->spoilt[i].bad >> 8 * (at - u->spoilt[i].address) & 0xFFu) == 0)) {
            i++;
        }
        if (i == L1_SPOILT) {
            return 0;
        }
        *what = u->spoilt[i];
        bad |= (what->bad >> 8 * (at - what->address) & 0xFFu) << 8 * ((at - address) & 3u);
    }
    return bad;
}

void l1_check(struct tx_machine *m, const struct tx_op *op, uint32_t address, uint32_t size)
{
    struct l1_spoilt what;
    if (!l1_unwritten(m, address, size)) {
        return;
    }
    const bool spoilt = l1_spoilt(m, address, size, &what) != 0;
    if (spoilt && what.thread < TX_THREADS) {
        machine_finding(m, TX_UNPREDICTABLE_VALUE, ID(E_UNDEF), op, 0,
                        "it reads bytes of L1 from %08x on, which come from GPR %u of thread %u, "
                        "which nobody has written",
                        (unsigned)address, what.gpr, what.thread);
    } else if (spoilt) {
        machine_finding(m, TX_UNPREDICTABLE_VALUE, ID(E_UNDEF), op, 0,
                        "it reads bytes of L1 from %08x on, to which core %u has stored what it "
                        "loaded at %08x from %08x, where nobody has written",
                        (unsigned)address, what.core, (unsigned)what.pc, (unsigned)what.from);
    } else {
        machine_finding(m, TX_UNPREDICTABLE_VALUE, ID(E_L1INIT), op, 0,
                        "it reads bytes of L1 from %08x on that nobody has written",
                        (unsigned)address);
    }
}

/* ---- for the host ---- */

uint32_t tx_l1_size(enum tx_arch arch)
{
    return chip_known(arch) ? l1_size(arch) : 0;
}

enum tx_status tx_l1_allocate(tx_machine *m)
{
    if (m->own_l1 != NULL) {
        memset(m->own_l1, 0, l1_own_size(m));
        return TX_OK;
    }
    m->own_l1 = calloc(1, l1_size(m->arch) + l1_size(m->arch) / 8u);
    return m->own_l1 != NULL ? TX_OK : TX_ENOMEM;
}

static enum tx_status host_access(const struct tx_machine *m, uint32_t address, size_t size,
                                  uint8_t **at)
{
    *at = NULL;
    if (address > l1_size(m->arch) || size > l1_size(m->arch) - address) {
        return TX_EINVAL;
    }
    *at = l1_at(m, address, (uint32_t)size);
    return *at != NULL ? TX_OK : m->host.l1 != NULL ? TX_EINVAL : TX_ENOENT;
}

enum tx_status tx_l1_check(tx_machine *m, uint32_t address, size_t size)
{
    if (m->own_l1 == NULL || address > l1_size(m->arch) || size > l1_size(m->arch) - address) {
        return TX_EINVAL;
    }
    if (l1_unwritten(m, address, (uint32_t)size)) {
        machine_finding(m, TX_UNPREDICTABLE_VALUE, ID(E_L1INIT), NULL, 0,
                        "the result is read from L1 at %08x on, where nobody has written some of "
                        "its %u bytes",
                        (unsigned)address, (unsigned)size);
    }
    return m->faulted ? TX_FAULT : TX_OK;
}

enum tx_status tx_l1_read(const tx_machine *m, uint32_t address, void *bytes, size_t size)
{
    uint8_t *at;
    const enum tx_status status = host_access(m, address, size, &at);
    if (status == TX_OK) {
        memcpy(bytes, at, size);
    }
    return status;
}

enum tx_status tx_l1_write(tx_machine *m, uint32_t address, const void *bytes, size_t size)
{
    uint8_t *at;
    const enum tx_status status = host_access(m, address, size, &at);
    if (status == TX_OK) {
        memcpy(at, bytes, size);
        l1_mark(m, address, (uint32_t)size);
    }
    return status;
}

static bool access(struct tx_machine *m, const struct tx_op *op, uint32_t address, void *to,
                   const void *from, uint32_t size)
{
    const struct tx_host *host = &m->host;
    uint8_t *memory = l1_at(m, address, size);
    if (host->memory != NULL) {
        if (through_handler(m, op, address, to, from, size)) {
            return true;
        }
    } else if (memory != NULL) {
        if (from != NULL) {
            memcpy(memory, from, size);
            l1_mark(m, address, size);
        } else {
            memcpy(to, memory, size);
            l1_check(m, op, address, size);
        }
        return true;
    }
    machine_stop(m, TX_UNSUPPORTED, ID(E_MEMORY), op, "there is no L1 memory at %08x",
                 (unsigned)address);
    return false;
}

bool l1_read(struct tx_machine *m, const struct tx_op *op, uint32_t address, void *bytes,
             uint32_t size)
{
    memset(bytes, 0, size);
    order_read(m, op, TX_SHARED_L1, address, size, 0);
    return in_range(m, op, address, size) && access(m, op, address, bytes, NULL, size);
}

bool l1_write(struct tx_machine *m, const struct tx_op *op, uint32_t address, const void *bytes,
              uint32_t size)
{
    const uint32_t end = l1_size(m->arch);
    order_write(m, op, TX_SHARED_L1, address, size, 0);
    if (is_own(m) && address <= end && size <= end - address) { /* the usual case, at once */
        memcpy(m->own_l1 + address, bytes, size);
        l1_mark(m, address, size);
        return true;
    }
    return in_range(m, op, address, size) && access(m, op, address, NULL, bytes, size);
}
