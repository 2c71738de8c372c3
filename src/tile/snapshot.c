/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tile as bytes: a header, the tile's own state, the cores, then the snapshot of the coprocessor.
 */
#include "tile/tile.h"

#include <string.h>

struct header {
    uint32_t magic, size;
};

static struct header header(void)
{
    const struct header h = {
        0x454C4954u, (uint32_t)(sizeof(struct tile_state) + TX_CORES * sizeof(struct riscv_state))};
    return h;
}

size_t tx_tensix_snapshot_size(const tx_tensix *t)
{
    return sizeof(struct header) + header().size + tx_snapshot_size(t->m);
}

size_t tile_snapshot_size(const tx_tensix *t)
{
    (void)t;
    return sizeof(struct header) + header().size + tx_snapshot_size(NULL);
}

static bool snapshot_fits(const tx_tensix *t, size_t size)
{
    return size == tx_tensix_snapshot_size(t) || size == tile_snapshot_size(t);
}

enum tx_status tx_tensix_snapshot(const tx_tensix *t, void *buffer, size_t size)
{
    const struct header h = header();
    uint8_t *to = buffer;
    if (buffer == NULL || !snapshot_fits(t, size)) {
        return TX_EINVAL;
    }
    memcpy(to, &h, sizeof h);
    to += sizeof h;
    memcpy(to, &t->s, sizeof t->s);
    to += sizeof t->s;
    for (unsigned c = 0; c < TX_CORES; c++, to += sizeof(struct riscv_state)) {
        memcpy(to, &t->core[c].s, sizeof(struct riscv_state));
    }
    return tx_snapshot(t->m, to, size - sizeof h - h.size);
}

static void make_safe(struct fifo *f, unsigned capacity)
{
    f->head %= PCBUF_WORDS;
    f->count = f->count <= capacity ? f->count : 0;
}

enum tx_status tx_tensix_restore(tx_tensix *t, const void *buffer, size_t size)
{
    const struct header want = header();
    const uint8_t *from = buffer;
    if (buffer == NULL || !snapshot_fits(t, size) || memcmp(from, &want, sizeof want) != 0) {
        return TX_EINVAL;
    }
    const enum tx_status status =
        tx_restore(t->m, from + sizeof want + want.size, size - sizeof want - want.size);
    if (status != TX_OK) {
        return status;
    }
    from += sizeof want;
    const struct noc_niu niu[2] = {t->s.niu[0], t->s.niu[1]};
    memcpy(&t->s, from, sizeof t->s);
    noc_identify(&t->s.niu[0], &niu[0]);
    noc_identify(&t->s.niu[1], &niu[1]);
    t->requests.count = 0;
    from += sizeof t->s;
    for (unsigned c = 0; c < TX_CORES; c++, from += sizeof(struct riscv_state)) {
        memcpy(&t->core[c].s, from, sizeof(struct riscv_state));
        riscv_restored(&t->core[c]);
    }
    for (unsigned i = 0; i < MAILBOXES; i++) {
        for (unsigned k = 0; k < MAILBOXES; k++) {
            make_safe(&t->s.mailbox[i][k], MAILBOX_WORDS);
        }
    }
    for (unsigned i = 0; i < TX_THREADS; i++) {
        make_safe(&t->s.pcbuf[i], PCBUF_WORDS);
    }
    tile_config_restored(t);
    t->progress = t->s.cycle;
    return TX_OK;
}
