/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One packet: at the sender, at each receiver, and where the answer goes. Which counters move when:
 * spec/chip.md 2.4, 2.11; what is moved: 2.7, 2.9.
 */
#include "isa/chip.h"
#include "base/check.h"
#include "noc/noc.h"

#include <string.h>

#include <tensix/chip.h>

enum { WORD = 4, LINE = 16 };

static bool writes(const struct noc_request *p)
{
    return NOC_FLAG(p, KIND) >= NOC_WRITE;
}

static bool is_masked(const struct noc_request *p)
{
    return NOC_FLAG(p, MASK) != 0;
}

static bool is_inline(const struct noc_request *p)
{
    return NOC_FLAG(p, INLINE) != 0;
}

static bool is_answered(const struct noc_request *p)
{
    return NOC_FLAG(p, KIND) == NOC_READ || NOC_FLAG(p, ANSWER) != 0;
}

/*
 * Requests of the host count at the interface of the PCIe tile, not at those they reach: so the
 * vectors computed from spec/chip.md have it, where 2.11 would have them count like any other.
 */
static void count_at(const struct noc_world *w, const struct noc_request *p, uint32_t place,
                     unsigned counter, uint32_t by)
{
    struct noc_niu *niu = w->niu(w->user, p->noc, place);
    if (niu != NULL && (p->host == 0 || place == p->from)) {
        if (w->touch != NULL) {
            w->touch(w->user, place);
        }
        noc_count(niu, counter, by);
    }
}

/* Returns the counter of answered requests or, behind it, that of posted ones. */
static unsigned posted(const struct noc_request *p, unsigned counter)
{
    return counter + (NOC_FLAG(p, ANSWER) == 0);
}

/* Data flits of the packet. The address is the destination's for writes, else the source's. */
uint32_t noc_flits(const struct noc_world *w, const struct noc_request *p)
{
    const uint32_t flit = NOC_FACT_OF(w->arch, FLIT);
    const uint64_t at = (writes(p) ? p->back : p->target) % flit;
    const uint64_t bytes = is_masked(p) && writes(p) ? 1 : p->length;
    return (uint32_t)((at + bytes + flit - 1) / flit);
}

uint32_t noc_target_place(const struct noc_world *w, const struct noc_request *p)
{
    return noc_mirrored(w->arch, p->noc, p->target_at & 0xFFFu);
}

/* The coordinates that a packet goes to. */
uint32_t noc_goes_to(const struct noc_request *p)
{
    return writes(p) && !is_inline(p) ? p->back_at : p->target_at;
}

uint32_t noc_answer_place(const struct noc_world *w, const struct noc_request *p)
{
    if (p->host != 0 || (writes(p) && is_inline(p))) {
        return p->from;
    }
    return noc_mirrored(w->arch, p->noc, (writes(p) ? p->target_at : p->back_at) & 0xFFFu);
}

/* ---- bytes ---- */

static bool move(const struct noc_world *w, const struct noc_request *p, uint32_t place,
                 uint64_t address, uint8_t *to, const uint8_t *from, uint32_t size)
{
    const struct noc_bytes b = {.address = address,
                                .to = to,
                                .from = from,
                                .request = p,
                                .place = place,
                                .size = size,
                                .noc = p->noc};
    return w->bytes(w->user, &b);
}

/* Reads registers, each once, and takes the bytes that are wanted. */
static bool read_registers(const struct noc_world *w, const struct noc_request *p, uint32_t place,
                           uint64_t address, uint8_t *to, uint32_t size)
{
    uint8_t word[WORD];
    for (uint32_t done = 0; done < size;) {
        const uint32_t within = (uint32_t)((address + done) % WORD);
        const uint32_t n = size - done < WORD - within ? size - done : WORD - within;
        if (!move(w, p, place, address + done - within, word, NULL, WORD)) {
            return false;
        }
        memcpy(to + done, word + within, n);
        done += n;
    }
    return true;
}

bool noc_read(const struct noc_world *w, const struct noc_request *p, uint32_t place,
              uint64_t address, uint8_t *to, uint32_t size)
{
    switch (w->space(w->user, p->noc, place, address)) {
    case NOC_SPACE_REGISTERS:
        return read_registers(w, p, place, address, to, size);
    case NOC_SPACE_NONE:
        return false;
    default:
        return move(w, p, place, address, to, NULL, size);
    }
}

bool noc_write(const struct noc_world *w, const struct noc_request *p, uint32_t place,
               uint64_t address, const uint8_t *from, uint32_t size)
{
    const enum noc_space space = w->space(w->user, p->noc, place, address);
    bool good = space != NOC_SPACE_NONE;
    if (space != NOC_SPACE_REGISTERS) {
        return good && move(w, p, place, address, NULL, from, size);
    }
    /* Registers take whole words; what is less is dropped. */
    for (uint32_t done = (uint32_t)(-address % WORD); good && done + WORD <= size; done += WORD) {
        good = move(w, p, place, address + done, NULL, from + done, WORD);
    }
    return good;
}

/* ---- the sender ---- */

/* Reads what a write sends. */
static void read_source(const struct noc_world *w, const struct noc_request *p, uint8_t *data)
{
    const bool masked = is_masked(p);
    const uint32_t size = masked ? NOC_FACT_OF(w->arch, MASK_BYTES) : (uint32_t)p->length;
    uint64_t at = p->target;
    if (masked) {
        const bool registers = w->space(w->user, p->noc, p->from, at) == NOC_SPACE_REGISTERS;
        at &= registers ? ~(uint64_t)(WORD - 1) : ~(uint64_t)(LINE - 1);
        memset(data, 0, size);
        if (registers) { /* one word, repeated */
            (void)noc_read(w, p, p->from, at, data, WORD);
            for (uint32_t i = WORD; i < size; i++) {
                data[i] = data[i % WORD];
            }
            return;
        }
    }
    if (size != 0 && !noc_read(w, p, p->from, at, data, size)) {
        w->finding(w->user, p, NOC_FINDING_NO_ANSWER, at);
        memset(data, 0, size);
    }
}

void noc_leave(const struct noc_world *w, const struct noc_request *p, uint8_t *data)
{
    CHECK(p->noc < 2, "a packet leaves on one of two networks");
    struct noc_niu *niu = w->niu(w->user, p->noc, p->from);
    const unsigned id = NOC_TAG(p, TRANSACTION);
    noc_count(niu, COUNT_MST_ACCEPTED, 1);
    if (NOC_FLAG(p, KIND) == NOC_READ) {
        noc_count(niu, COUNT_MST_READ_STARTED, 1);
        noc_count(niu, COUNT_MST_READ_SENT, 1);
    } else if (NOC_FLAG(p, KIND) == NOC_ATOMIC) {
        noc_count(niu, COUNT_MST_ATOMIC_STARTED, is_answered(p));
        noc_count(niu, posted(p, COUNT_MST_ATOMIC_SENT), 1);
    } else {
        noc_count(niu, posted(p, COUNT_MST_WRITE_STARTED), 1);
        noc_count(niu, posted(p, COUNT_MST_WRITE_SENT), 1);
        if (!is_inline(p)) {
            noc_count(niu, posted(p, COUNT_MST_WRITE_FLITS), noc_flits(w, p));
            if (p->host == 0) {
                read_source(w, p, data);
            }
            noc_count(niu, COUNT_MST_OUTGOING + id, UINT32_MAX);
        }
    }
    noc_tell(w, p, NOC_LEFT, p->from);
}

/* ---- a receiver ---- */

static bool act_inline(const struct noc_world *w, const struct noc_request *p, uint32_t place)
{
    const enum noc_space space = w->space(w->user, p->noc, place, p->target);
    uint8_t bytes[LINE];
    bool good = true;
    for (unsigned i = 0; i < LINE; i++) {
        bytes[i] = (uint8_t)(p->data >> 8 * (i % WORD));
    }
    if (space != NOC_SPACE_L1) {
        return noc_write(w, p, place, p->target & ~(uint64_t)(WORD - 1), bytes, WORD);
    }
    /* Both halves of the mask name the bytes of one line. */
    const uint32_t mask = ((uint32_t)p->mask | (uint32_t)p->mask >> LINE) & 0xFFFFu;
    for (unsigned i = 0; i < LINE; i++) {
        if (bits_has(mask, i)) {
            good = noc_write(w, p, place, (p->target & ~(uint64_t)(LINE - 1)) + i, bytes + i, 1);
        }
    }
    return good;
}

/* Writes the bytes that the mask names, as runs of neighbours. */
static bool act_masked(const struct noc_world *w, const struct noc_request *p, uint32_t place,
                       const uint8_t *data)
{
    const unsigned most = NOC_FACT_OF(w->arch, MASK_BYTES);
    const uint64_t line = p->back & ~(uint64_t)(LINE - 1);
    bool good = true;
    if (w->space(w->user, p->noc, place, p->back) == NOC_SPACE_REGISTERS) {
        return noc_write(w, p, place, p->back & ~(uint64_t)(WORD - 1), data, WORD);
    }
    for (unsigned i = 0; i < most; i++) {
        unsigned n = 0;
        while (i + n < most && (p->mask >> (i + n) & 1u) != 0) {
            n++;
        }
        if (n != 0) {
            good = noc_write(w, p, place, line + i, data + i, n) && good;
            i += n;
        }
    }
    return good;
}

/* Some posted writes also leave their first bytes at a second place. */
static void store_header(const struct noc_world *w, const struct noc_request *p, uint32_t place,
                         const uint8_t *data)
{
    const struct noc_niu *niu = w->niu(w->user, p->noc, place);
    const bool tile = niu == NULL || niu->kind == TX_CHIP_TENSIX || niu->kind == TX_CHIP_ETHERNET;
    const bool takes = tile || !bits_has(noc_config_get(w->arch, niu, CONFIG_NIU, 0),
                                         NOC_FACT_OF(w->arch, NO_HEADER));
    if (NOC_TAG(p, HEADER) != 0 && !is_answered(p) && takes) {
        (void)noc_write(w, p, place, (uint64_t)p->data << 4, data,
                        p->length < LINE ? (uint32_t)p->length : (uint32_t)LINE);
    }
}

static bool act_write(const struct noc_world *w, const struct noc_request *p, uint32_t place,
                      const uint8_t *data)
{
    const uint32_t words = is_inline(p) ? 1 : noc_flits(w, p);
    bool good;
    count_at(w, p, place, COUNT_SLV_ACCEPTED, 1); /* C11: not said for writes */
    count_at(w, p, place, posted(p, COUNT_SLV_WRITE_STARTED), 1);
    count_at(w, p, place, posted(p, COUNT_SLV_WRITE_FLITS), words);
    count_at(w, p, place, posted(p, COUNT_SLV_WRITE_RECEIVED), 1);
    if (is_inline(p)) {
        good = act_inline(w, p, place);
    } else if (is_masked(p)) {
        good = act_masked(w, p, place, data);
    } else {
        good = p->length == 0 || noc_write(w, p, place, p->back, data, (uint32_t)p->length);
        store_header(w, p, place, data);
    }
    if (!good) {
        w->finding(w->user, p, NOC_FINDING_NO_ANSWER, is_inline(p) ? p->target : p->back);
    }
    if (is_answered(p)) {
        count_at(w, p, place, COUNT_SLV_WRITE_ANSWERED, 1);
    }
    return good;
}

static bool act_atomic(const struct noc_world *w, const struct noc_request *p, uint32_t place,
                       uint32_t *result)
{
    uint8_t line[LINE] = {0};
    const uint64_t at = p->target & ~(uint64_t)(LINE - 1);
    const unsigned first = (unsigned)(p->target & (LINE - WORD));
    const bool good = w->space(w->user, p->noc, place, p->target) == NOC_SPACE_L1;
    count_at(w, p, place, COUNT_SLV_ACCEPTED, 1);
    count_at(w, p, place, posted(p, COUNT_SLV_ATOMIC_RECEIVED), 1);
    *result = 0;
    if (good && noc_read(w, p, place, at, line, LINE)) {
        uint8_t before[LINE];
        memcpy(before, line, LINE);
        for (unsigned i = 0; i < WORD; i++) {
            *result |= (uint32_t)line[first + i] << 8 * i;
        }
        if (!noc_atomic(w->arch, p->atomic, p->data, line)) {
            w->finding(w->user, p, NOC_FINDING_ATOMIC_KIND, p->atomic);
        }
        for (unsigned i = 0; i < LINE; i += WORD) {
            if (memcmp(before + i, line + i, WORD) != 0 || i == 4 * (p->atomic & 3u)) {
                (void)noc_write(w, p, place, at + i, line + i, WORD);
            }
        }
    }
    if (is_answered(p)) {
        count_at(w, p, place, COUNT_SLV_ATOMIC_ANSWERED, 1);
    }
    return true;
}

static bool act(const struct noc_world *w, const struct noc_request *p, uint32_t place,
                uint8_t *data, uint32_t *result)
{
    const bool there = w->alone || w->niu(w->user, p->noc, place) != NULL;
    if (!there) {
        w->finding(w->user, p, NOC_FINDING_NO_ANSWER,
                   NOC_FLAG(p, KIND) == NOC_READ || is_inline(p) ? p->target : p->back);
        return false;
    }
    if (writes(p)) {
        (void)act_write(w, p, place, data);
        return is_answered(p);
    }
    if (NOC_FLAG(p, KIND) == NOC_ATOMIC) {
        return act_atomic(w, p, place, result) && is_answered(p);
    }
    count_at(w, p, place, COUNT_SLV_ACCEPTED, 1);
    count_at(w, p, place, COUNT_SLV_READ_RECEIVED, 1);
    if (p->length != 0 && !noc_read(w, p, place, p->target, data, (uint32_t)p->length)) {
        w->finding(w->user, p, NOC_FINDING_NO_ANSWER, p->target);
        return false;
    }
    count_at(w, p, place, COUNT_SLV_READ_ANSWERED, 1);
    count_at(w, p, place, COUNT_SLV_READ_FLITS, noc_flits(w, p));
    return true;
}

bool noc_act(const struct noc_world *w, const struct noc_request *p, uint32_t place, uint8_t *data,
             uint32_t *result)
{
    CHECK(p->noc < 2, "a packet acts on one of two networks");
    const bool answers = act(w, p, place, data, result);
    noc_tell(w, p, NOC_ACTED, place);
    return answers;
}

/* ---- the answer ---- */

/* Wormhole counts acknowledged writes to PCIe and ARC for transaction 0. */
static unsigned transaction(const struct noc_world *w, const struct noc_request *p)
{
    if (CHIP_HAS(w->arch, NOC_PLAIN_OUTSIDE) && writes(p) && NOC_FLAG(p, MANY) == 0) {
        const struct noc_niu *to =
            w->niu(w->user, p->noc, noc_mirrored(w->arch, p->noc, noc_goes_to(p) & 0xFFFu));
        if (to != NULL && (to->kind == TX_CHIP_PCIE || to->kind == TX_CHIP_ARC)) {
            return 0;
        }
    }
    return NOC_TAG(p, TRANSACTION);
}

void noc_answer(const struct noc_world *w, const struct noc_request *p, const uint8_t *data,
                uint32_t result)
{
    CHECK(p->noc < 2, "an answer comes back on one of two networks");
    const uint32_t to = noc_answer_place(w, p);
    const unsigned outstanding = COUNT_MST_OUTSTANDING + transaction(w, p);
    bool good = true;
    if (writes(p)) {
        count_at(w, p, to, COUNT_MST_WRITE_ANSWERED, 1);
    } else if (NOC_FLAG(p, KIND) == NOC_ATOMIC) {
        const uint8_t word[WORD] = {(uint8_t)result, (uint8_t)(result >> 8),
                                    (uint8_t)(result >> 16), (uint8_t)(result >> 24)};
        good = noc_write(w, p, to, p->back & ~(uint64_t)(WORD - 1), word, WORD);
        count_at(w, p, to, COUNT_MST_ATOMIC_ANSWERED, 1);
    } else {
        if (p->host == 0 && p->length != 0) {
            good = noc_write(w, p, to, p->back, data, (uint32_t)p->length);
        }
        count_at(w, p, to, COUNT_MST_READ_ANSWERED, 1);
        count_at(w, p, to, COUNT_MST_READ_FLITS, noc_flits(w, p));
    }
    if (!good) {
        w->finding(w->user, p, NOC_FINDING_NO_ANSWER, p->back);
    }
    count_at(w, p, to, outstanding, UINT32_MAX);
    noc_tell(w, p, NOC_ANSWERED, to);
}

/* ---- all at once ---- */

static bool to_many(const struct noc_world *w, const struct noc_request *p, uint8_t *data)
{
    const uint32_t at = noc_goes_to(p);
    uint32_t result = 0;
    bool any = false;
    for (uint32_t to = noc_receiver(w, p, at, NOC_NOWHERE); to != NOC_NOWHERE;
         to = noc_receiver(w, p, at, to)) {
        const struct noc_niu *niu = w->niu(w->user, p->noc, to);
        if (niu != NULL && niu->kind != TX_CHIP_TENSIX) {
            w->finding(w->user, p, NOC_FINDING_MCAST_RECEIVER, to);
        }
        if (noc_act(w, p, to, data, &result)) {
            noc_answer(w, p, data, result);
        }
        any = true;
    }
    if (!any) {
        w->finding(w->user, p, NOC_FINDING_MCAST_EMPTY, p->control);
    }
    return any;
}

bool noc_packet(const struct noc_world *w, const struct noc_request *p, uint8_t *data)
{
    const uint32_t to = noc_mirrored(w->arch, p->noc, noc_goes_to(p) & 0xFFFu);
    uint32_t result = 0;
    noc_leave(w, p, data);
    if (NOC_FLAG(p, MANY) != 0 && NOC_FLAG(p, KIND) != NOC_READ) {
        return to_many(w, p, data);
    }
    if (noc_act(w, p, to, data, &result)) {
        noc_answer(w, p, data, result);
        return true;
    }
    return !is_answered(p);
}
