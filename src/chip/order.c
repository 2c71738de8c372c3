/* SPDX-License-Identifier: Apache-2.0 */
/* What listeners are told of cores' registers and of requests, and delays that the host asks for.
 */
#include "chip/chip.h"

enum { NO_CHANNEL = 255 };

static uint32_t index_of(const tx_chip *chip, uint32_t place)
{
    return (place & 63u) + (place >> 6 & 63u) * chip->width;
}

static struct tx_chip_transfer transfer_of(const tx_chip *chip, const struct noc_request *r)
{
    const struct noc_world *w = &chip->world;
    const uint32_t kind = NOC_FLAG(r, KIND);
    const bool many = NOC_FLAG(r, MANY) != 0 && kind != NOC_READ;
    const uint32_t goes = noc_goes_to(r);
    return (struct tx_chip_transfer){
        .target = r->target,
        .back = r->back,
        .length = kind == NOC_ATOMIC ? 4 : r->length,
        .mask = r->mask,
        .from = index_of(chip, r->from),
        .to = index_of(chip, noc_mirrored(chip->arch, r->noc, goes & 0xFFFu)),
        .answer = index_of(chip, noc_answer_place(w, r)),
        .rectangle = many ? goes | 1u << 31 : goes & 0xFFFu,
        .control = r->control,
        .tag = r->tag,
        .atomic = r->atomic,
        .data = r->data,
        .sequence = r->sequence,
        .packets = r->packets,
        .noc = r->noc,
        .initiator = r->initiator,
        .core = r->who < TX_CORES ? r->who : TX_CORES,
        .kind = (uint8_t)(kind < NOC_WRITE ? kind : NOC_WRITE),
        .channel = NOC_FLAG(r, STATIC) != 0 ? (uint8_t)NOC_FLAG(r, CHANNEL) : NO_CHANNEL,
        .answered = kind == NOC_READ || NOC_FLAG(r, ANSWER) != 0,
        .is_inline = kind >= NOC_WRITE && NOC_FLAG(r, INLINE) != 0,
        .masked = kind >= NOC_WRITE && NOC_FLAG(r, MASK) != 0,
        .many = many,
        .linked = NOC_FLAG(r, LINKED) != 0,
        .own_too = NOC_FLAG(r, OWN_TOO) != 0,
        .host = r->host != 0,
        .transaction = (uint8_t)NOC_TAG(r, TRANSACTION)};
}

/* Lists the endpoints that a request acts at. */
static uint32_t receivers_of(const tx_chip *chip, const struct noc_world *w,
                             const struct noc_request *r, uint32_t *list)
{
    const uint32_t at = noc_goes_to(r);
    uint32_t count = 0;
    if (NOC_FLAG(r, MANY) == 0 || NOC_FLAG(r, KIND) == NOC_READ) {
        list[0] = index_of(chip, noc_mirrored(chip->arch, r->noc, at & 0xFFFu));
        return 1;
    }
    for (uint32_t to = noc_receiver(w, r, at, NOC_NOWHERE); to != NOC_NOWHERE;
         to = noc_receiver(w, r, at, to)) {
        list[count++] = index_of(chip, to);
    }
    return count;
}

static void told(void *user, const struct noc_request *r, enum noc_step step, uint32_t place)
{
    static const uint8_t kinds[] = {TX_CHIP_ORDER_GO, TX_CHIP_ORDER_LEAVE, TX_CHIP_ORDER_ACT,
                                    TX_CHIP_ORDER_ANSWER};
    const struct chip_endpoint *self = user;
    tx_chip *chip = self->chip;
    const struct chip_endpoint *from = chip_at(chip, r->from);
    const struct tx_chip_transfer transfer = transfer_of(chip, r);
    uint32_t receivers[CHIP_PLACES];
    struct tx_chip_order o = {.size = sizeof o,
                              .kind = kinds[step],
                              .core = transfer.core,
                              .index = index_of(chip, place),
                              .cycle = chip->inside ? self->now : chip->s.cycle,
                              .transfer = &transfer,
                              .receivers = receivers};
    if (step == NOC_GOES) {
        o.receiver_count = receivers_of(chip, &self->world, r, receivers);
    }
    if (from->tensix != NULL && r->who < TX_CORES) {
        o.pc = riscv_at(&from->tensix->core[r->who]);
        o.number = from->tensix->core[r->who].s.instret;
    }
    chip->order.order(chip->order.user, &o);
}

static void accessed(void *user, unsigned who, const struct riscv_access *a, bool write)
{
    const struct chip_endpoint *e = user;
    const tx_chip *chip = e->chip;
    const bool core = who < TX_CORES;
    struct tx_chip_order o = {.size = sizeof o,
                              .kind = write ? TX_CHIP_ORDER_STORE : TX_CHIP_ORDER_LOAD,
                              .core = (uint8_t)who,
                              .bytes = a->size,
                              .index = e->index,
                              .value = a->value,
                              .address = a->address,
                              .cycle = e->tensix->s.cycle};
    if (core) {
        o.pc = riscv_at(&e->tensix->core[who]);
        o.number = e->tensix->core[who].s.instret;
    }
    chip->order.order(chip->order.user, &o);
}

void tx_chip_order_listen(tx_chip *chip, const struct tx_chip_order_sink *sink)
{
    chip->order = sink != NULL ? *sink : (struct tx_chip_order_sink){.order = NULL};
    const bool on = chip->order.order != NULL;
    chip->world.told = on ? told : NULL;
    for (uint32_t i = 0; i < chip->count; i++) {
        struct chip_endpoint *e = &chip->at[i];
        e->world.told = chip->world.told;
        if (e->tensix != NULL) {
            e->tensix->accessed = on ? accessed : NULL;
            e->tensix->accessed_user = e;
        }
    }
}
