/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes that have moved over the NoCs and at DRAM, by the counters that every tile's two network
 * interfaces keep. */
#include "report.h"

/* Offsets of status registers in an interface: NIU_MST_RD_DATA_WORD_RECEIVED, and of the others. */
enum {
    READ_RECEIVED = 0x200 + 4 * 3,
    WRITE_SENT = 0x200 + 4 * 8,      /* with an answer */
    POSTED_SENT = 0x200 + 4 * 9,     /* without */
    READ_SENT = 0x200 + 4 * 51,      /* the SLV side: what others load from here */
    WRITE_RECEIVED = 0x200 + 4 * 56, /* and store here, with an answer */
    POSTED_RECEIVED = 0x200 + 4 * 57 /* and without */
};

static uint64_t since(struct card_traffic *t, tx_chip *chip, size_t index, unsigned noc,
                      unsigned which, uint32_t offset)
{
    uint32_t value = 0;
    if (tx_chip_niu_read(chip, index, noc, offset, &value) != TX_OK) {
        return 0;
    }
    uint32_t *last = &t->at[index].last[which];
    const uint32_t more = value - *last;
    *last = value;
    return more;
}

void traffic_look(struct card_traffic *t, tx_chip *chip)
{
    /* A data word is a flit: 64 bytes on Blackhole, 32 on Wormhole. */
    const uint64_t flit = tx_chip_arch(chip) == TX_WORMHOLE ? 32 : 64;
    struct tx_chip_tile tile;
    for (size_t i = 0; i < CARD_TILES && tx_chip_tile_at(chip, i, &tile) == TX_OK; i++) {
        static const uint32_t sent[] = {READ_RECEIVED, WRITE_SENT, POSTED_SENT};
        static const uint32_t received[] = {READ_SENT, WRITE_RECEIVED, POSTED_RECEIVED};
        t->endpoints = i + 1;
        for (unsigned k = 0; k < 6; k++) {
            const uint64_t own = flit * since(t, chip, i, k / 3, k, sent[k % 3]);
            t->at[i].noc += own;
            t->noc += own;
        }
        if (tile.kind != TX_CHIP_DRAM) {
            continue;
        }
        for (unsigned k = 0; k < 6; k++) {
            const uint64_t here = flit * since(t, chip, i, k / 3, 6 + k, received[k % 3]);
            t->at[i].memory += here;
            t->dram += here;
        }
    }
}
