/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A launch run again with other paces: on a copy of the chip as it was when the launch began, with
 * a copy of its host, which writes what the real one wrote meanwhile, in the same cycles.
 */
#include "chiprun/used.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

bool used_keep(const struct txl_card_host *host, struct used_before *before)
{
    if (host->settings == NULL || host->pcie == NULL) {
        return false;
    }
    before->chip_size = tx_chip_snapshot_size(host->chip);
    before->host_size = tx_pcie_snapshot_size(host->pcie);
    before->chip = malloc(before->chip_size + 1);
    before->host = malloc(before->host_size + 1);
    if (before->chip == NULL || before->host == NULL ||
        tx_chip_snapshot(host->chip, before->chip, before->chip_size) != TX_OK ||
        tx_pcie_snapshot(host->pcie, before->host, before->host_size) != TX_OK) {
        used_forget(before);
        return false;
    }
    return true;
}

void used_forget(struct used_before *before)
{
    free(before->chip);
    free(before->host);
    free(before->write);
    free(before->bytes);
    memset(before, 0, sizeof *before);
}

void used_note(struct used_before *b, uint64_t cycle, unsigned bar, uint64_t offset,
               const void *bytes, size_t size)
{
    if (b->byte_count + size > UINT32_MAX || !LIST_ROOM(b->write, b->writes, b->room, 1) ||
        !LIST_ROOM(b->bytes, b->byte_count, b->byte_room, size)) {
        b->failed = true;
        return;
    }
    memcpy(b->bytes + b->byte_count, bytes, size);
    b->write[b->writes++] =
        (struct used_write){cycle, offset, (uint32_t)b->byte_count, (uint32_t)size, bar};
    b->byte_count += size;
}

/* What programs leave: L1 above what firmware and its messages occupy, and Dst. */
uint64_t used_memory(const struct used_now *now, const tx_chip *chip)
{
    enum { OF_PROGRAMS = 1 << 17 };
    uint64_t sum = 0;
    for (unsigned i = 0; i < now->record->parts; i++) {
        const tx_machine *machine = tx_chip_machine(chip, now->record->part[i].index);
        sum = sum * 31 + profile_memory(machine, OF_PROGRAMS);
    }
    return sum;
}

static void read_host(void *user, uint64_t address, void *bytes, size_t size)
{
    const struct txl_card_host *host = user;
    if (host->memory != NULL) {
        host->memory->read(host->memory->user, address, bytes, size);
    } else {
        memset(bytes, 0, size);
    }
}

static void write_host(void *user, uint64_t address, const void *bytes, size_t size)
{
    (void)user; /* the program has it from the first run */
    (void)address;
    (void)bytes;
    (void)size;
}

struct launch {
    const struct txl_card_host *host;
    const struct used_now *now;
};
struct copy {
    const struct used_now *now;
    tx_chip *chip;
    tx_pcie *pcie;
    bool went[CHIPRUN_TILES];
};

/* Returns whether every tile of the launch has begun and has come to its end. */
static bool all_ended(struct copy *c)
{
    bool all = true;
    for (unsigned i = 0; i < c->now->record->parts; i++) {
        uint8_t signal = 0;
        const size_t index = c->now->record->part[i].index;
        (void)tx_tensix_read(tx_chip_tensix(c->chip, index), c->now->go[i] + USED_GO_BYTE, &signal,
                             1);
        const bool runs = signal == USED_GO;
        all = all && c->went[i] && !runs;
        c->went[i] = c->went[i] || runs;
    }
    return all;
}

static enum tx_status to_end(struct copy *c, uint64_t most, const atomic_bool *over,
                             uint64_t *cycles)
{
    enum { STEP = 16 };
    const struct used_before *b = &c->now->before;
    const uint64_t first = c->now->record->first;
    enum tx_status status = TX_OK;
    size_t next = 0;
    *cycles = 0;
    while (status == TX_OK && !all_ended(c) && *cycles < most && !atomic_load(over)) {
        for (; next < b->writes && b->write[next].cycle - first <= *cycles; next++) {
            const struct used_write *w = &b->write[next];
            (void)tx_pcie_write(c->pcie, w->bar, w->offset, b->bytes + w->at, w->size);
        }
        status = tx_chip_cycle(c->chip, STEP);
        *cycles = tx_chip_cycles(c->chip) - first;
    }
    return status != TX_OK || (*cycles < most && !atomic_load(over)) ? status : TX_ELIMIT;
}

static int chiprun_again(void *user, struct txl_error *err, struct profile_rerun *rerun)
{
    const struct launch *l = user;
    const struct used_before *b = &l->now->before;
    const struct tx_pcie_memory memory = {.struct_size = sizeof memory,
                                          .read = read_host,
                                          .write = write_host,
                                          .user = (void *)(uintptr_t)l->host};
    struct copy c = {.now = l->now};
    c.chip = chiprun_copy(err, l->host->settings, rerun->pace, b->chip, b->chip_size);
    if (c.chip == NULL) {
        return TXL_INPUT;
    }
    enum tx_status status = tx_pcie_open(c.chip, &c.pcie);
    status = status == TX_OK ? tx_pcie_memory(c.pcie, &memory) : status;
    status = status == TX_OK ? tx_pcie_restore(c.pcie, b->host, b->host_size) : status;
    if (status == TX_OK) {
        const uint64_t most = CHIPRUN_LONGER * l->now->record->whole->total;
        rerun->ended = to_end(&c, most, rerun->over, &rerun->cycles) == TX_OK;
        rerun->same = used_memory(l->now, c.chip) == l->now->memory;
    }
    tx_pcie_close(c.pcie);
    tx_chip_close(c.chip);
    return status == TX_OK ? TXL_CONTINUE
                           : txl_fail(err, "the launch run again: %s", tx_status_text(status));
}

int used_again(struct txl_error *err, const struct txl_card_host *host, struct used_now *now)
{
    struct launch l = {.host = host, .now = now};
    if (now->before.chip == NULL || now->before.failed) {
        return TXL_CONTINUE;
    }
    return profile_try(err, now->record->whole,
                       &(struct profile_again){chiprun_again, &l, chiprun_copies()});
}
