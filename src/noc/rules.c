/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is wrong with a request, as far as it shows when it starts. It is executed all the same.
 * Source: spec/chip.md 2.7, 2.9, 2.10, 10 from isa NoC/Alignment 8d03853, NoC/Ordering 04e734b.
 */
#include "isa/chip.h"
#include "noc/noc.h"

#include <tensix/chip.h>

static void rules_tell(const struct noc_world *w, const struct noc_request *r,
                       enum finding_kind finding, uint64_t value)
{
    w->finding(w->user, r, finding, value);
}

static enum noc_space space_at(const struct noc_world *w, const struct noc_request *r,
                               uint32_t place, uint64_t address)
{
    return w->space(w->user, r->noc, place, address);
}

/* A source and a destination must agree in so many low bits, by what they are. */
static void check_alignment(const struct noc_world *w, const struct noc_request *r,
                            enum noc_space from, enum noc_space to)
{
    enum { IN_L1 = 16, WORD = 4 };
    const bool memory = from == NOC_SPACE_MEMORY;
    const uint32_t modulo = memory ? NOC_FACT_OF(w->arch, MEMORY_ALIGNMENT) : (uint32_t)IN_L1;
    bool good = r->target % modulo == r->back % modulo;
    if (from == NOC_SPACE_NONE || to == NOC_SPACE_NONE) {
        return;
    }
    if (to == NOC_SPACE_REGISTERS) {
        if (r->length != WORD) {
            rules_tell(w, r, NOC_FINDING_LENGTH, r->length);
        }
        good = r->back % WORD == 0 && r->target % IN_L1 == r->back % IN_L1;
    } else if (from == NOC_SPACE_REGISTERS) {
        const uint32_t within = (uint32_t)(r->target % WORD);
        if (r->length > WORD) {
            rules_tell(w, r, NOC_FINDING_LENGTH, r->length);
        }
        good = within + r->length <= WORD && within == r->back % WORD;
    }
    if (r->packets > 1) {
        good = good && r->target % NOC_FACT_OF(w->arch, FLIT) == 0 &&
               r->back % NOC_FACT_OF(w->arch, FLIT) == 0;
    }
    if (!good) {
        rules_tell(w, r, NOC_FINDING_MISALIGNED, r->target);
    }
}

/* Returns where a read or write takes its bytes from, and where it brings them to. */
static void ends_of(const struct noc_world *w, const struct noc_request *r, uint32_t *from,
                    uint32_t *to)
{
    const bool reads = NOC_FLAG(r, KIND) == NOC_READ;
    *from = reads ? noc_target_place(w, r) : r->from;
    *to = noc_mirrored(w->arch, r->noc, r->back_at & 0xFFFu);
}

bool noc_reaches_registers(const struct noc_world *w, const struct noc_request *r)
{
    uint32_t from;
    uint32_t to;
    if (r->host != 0 || NOC_FLAG(r, KIND) == NOC_ATOMIC || NOC_FLAG(r, INLINE) != 0 ||
        NOC_FLAG(r, MASK) != 0) {
        return false;
    }
    ends_of(w, r, &from, &to);
    return space_at(w, r, from, r->target) == NOC_SPACE_REGISTERS ||
           space_at(w, r, to, r->back) == NOC_SPACE_REGISTERS;
}

static void check_copy(const struct noc_world *w, const struct noc_request *r)
{
    const bool reads = NOC_FLAG(r, KIND) == NOC_READ;
    const uint64_t most = (uint64_t)NOC_MOST_PACKETS * NUMBER_OF(w->arch, NOC_PACKET);
    uint32_t from;
    uint32_t to;
    ends_of(w, r, &from, &to);
    const uint32_t mask = NOC_FACT_OF(w->arch, MASK_BYTES);
    if (NOC_FLAG(r, MASK) != 0 && !reads) {
        if (space_at(w, r, to, r->back) == NOC_SPACE_L1 &&
            (r->back % mask != 0 || r->target % mask != 0)) {
            rules_tell(w, r, NOC_FINDING_MISALIGNED, r->target);
        }
        return;
    }
    if (r->length == 0 || r->length > most) {
        rules_tell(w, r, NOC_FINDING_LENGTH, r->length);
    }
    check_alignment(w, r, space_at(w, r, from, r->target), space_at(w, r, to, r->back));
}

static void check_inline(const struct noc_world *w, const struct noc_request *r)
{
    const enum noc_space space = space_at(w, r, noc_target_place(w, r), r->target);
    if (space == NOC_SPACE_L1 && CHIP_HAS(w->arch, NOC_INLINE_L1_BAD)) {
        rules_tell(w, r, NOC_FINDING_INLINE_L1, r->target);
    } else if (space == NOC_SPACE_MEMORY) {
        rules_tell(w, r, NOC_FINDING_INLINE_TARGET, r->target);
    } else if (space == NOC_SPACE_REGISTERS && r->target % 4 != 0) {
        rules_tell(w, r, NOC_FINDING_MISALIGNED, r->target);
    }
}

static void check_atomic(const struct noc_world *w, const struct noc_request *r)
{
    const enum noc_space space = space_at(w, r, noc_target_place(w, r), r->target);
    const bool answers = NOC_FLAG(r, ANSWER) != 0;
    if (!answers && CHIP_HAS(w->arch, NOC_POSTED_ATOMIC_BAD)) {
        rules_tell(w, r, NOC_FINDING_POSTED_ATOMIC, r->target);
    }
    if (space != NOC_SPACE_L1 && space != NOC_SPACE_NONE) {
        rules_tell(w, r, NOC_FINDING_ATOMIC_TARGET, r->target);
    }
    if (answers && space_at(w, r, noc_answer_place(w, r), r->back) != NOC_SPACE_L1) {
        rules_tell(w, r, NOC_FINDING_ATOMIC_TARGET, r->back);
    }
}

/* Where a request goes to, with a bit that tells rectangles from places; and on which channel. */
static uint32_t link_place(const struct noc_request *r)
{
    const bool many = NOC_FLAG(r, MANY) != 0 && NOC_FLAG(r, KIND) != NOC_READ;
    return many ? noc_goes_to(r) | 1u << 31 : noc_goes_to(r) & 0xFFFu;
}

static uint32_t link_channel(const struct noc_request *r)
{
    enum { ANY_CHANNEL = 8 };
    return NOC_FLAG(r, STATIC) != 0 ? NOC_FLAG(r, CHANNEL) : (uint32_t)ANY_CHANNEL;
}

bool noc_breaks_link(const struct noc_niu *niu, const struct noc_request *r)
{
    return niu->link_open != 0 &&
           (niu->link_at != link_place(r) || niu->link_next != link_channel(r));
}

/* A link lasts until a request without LINKED. */
void noc_link(struct noc_niu *niu, const struct noc_request *r)
{
    niu->link_open = NOC_FLAG(r, LINKED) != 0;
    niu->link_at = link_place(r);
    niu->link_next = link_channel(r);
}

static void check_channel(const struct noc_world *w, const struct noc_niu *niu,
                          const struct noc_request *r)
{
    enum { BROADCAST_CLASS = 2 };
    const bool many = NOC_FLAG(r, MANY) != 0;
    const uint32_t class = NOC_FLAG(r, CLASS);
    if (NOC_FLAG(r, STATIC) != 0 && (many ? class != BROADCAST_CLASS : class >= BROADCAST_CLASS)) {
        rules_tell(w, r, NOC_FINDING_VC_CLASS, r->control);
    }
    if (noc_breaks_link(niu, r)) {
        rules_tell(w, r, NOC_FINDING_LINKED, r->control);
    }
    if (many && NOC_FLAG(r, KIND) != NOC_READ && niu->link_open == 0 && NOC_FLAG(r, RESERVE) == 0) {
        rules_tell(w, r, NOC_FINDING_MCAST_RESERVE, r->control);
    }
}

static void check_features(const struct noc_world *w, const struct noc_request *r)
{
    if (NOC_FLAG(r, KIND) > NOC_WRITE) {
        rules_tell(w, r, NOC_FINDING_KIND, r->control);
    }
    if (NOC_FLAG(r, RESERVED) != 0) {
        rules_tell(w, r, NOC_FINDING_RESERVED, r->control);
    }
    if ((NOC_FLAG(r, ADD) != 0 && !CHIP_HAS(w->arch, NOC_ADDS)) || NOC_TAG(r, OVERLAY) != 0) {
        rules_tell(w, r, NOC_FINDING_FEATURE, r->control);
    }
    if (r->exclude != 0 && NOC_FLAG(r, MANY) != 0) {
        rules_tell(w, r, NOC_FINDING_EXCLUDE, r->exclude);
    }
    if (NOC_FLAG(r, MANY) != 0 && NOC_FLAG(r, KIND) == NOC_READ) {
        rules_tell(w, r, NOC_FINDING_MCAST_READ, r->control);
    }
}

/* Answers that other NIUs count, or count for another transaction. */
static void check_answer(const struct noc_world *w, const struct noc_request *r)
{
    const bool writes = NOC_FLAG(r, KIND) >= NOC_WRITE;
    const bool answers = NOC_FLAG(r, KIND) == NOC_READ || NOC_FLAG(r, ANSWER) != 0;
    if (answers && noc_answer_place(w, r) != r->from) {
        rules_tell(w, r, NOC_FINDING_FOREIGN, noc_answer_place(w, r));
    }
    if (writes && answers && CHIP_HAS(w->arch, NOC_PLAIN_OUTSIDE) && NOC_TAG(r, TRANSACTION) != 0 &&
        NOC_FLAG(r, MANY) == 0) {
        const uint32_t at = NOC_FLAG(r, INLINE) != 0 ? r->target_at : r->back_at;
        const struct noc_niu *to =
            w->niu(w->user, r->noc, noc_mirrored(w->arch, r->noc, at & 0xFFFu));
        if (to != NULL && (to->kind == TX_CHIP_PCIE || to->kind == TX_CHIP_ARC)) {
            rules_tell(w, r, NOC_FINDING_WH_ID, NOC_TAG(r, TRANSACTION));
        }
    }
}

void noc_check(const struct noc_world *w, const struct noc_niu *niu, const struct noc_request *r)
{
    check_features(w, r);
    if (r->host == 0) {
        check_channel(w, niu, r);
        check_answer(w, r);
        if (NOC_FLAG(r, KIND) == NOC_ATOMIC) {
            check_atomic(w, r);
        } else if (NOC_FLAG(r, KIND) >= NOC_WRITE && NOC_FLAG(r, INLINE) != 0) {
            check_inline(w, r);
        } else {
            check_copy(w, r);
        }
    }
}
