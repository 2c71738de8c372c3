/* SPDX-License-Identifier: Apache-2.0 */
/* Opening and closing a chip, its grid as others see it, and how the host reaches into it. */
#include "chip/chip.h"
#include "base/check.h"

#include "base/sized.h"
#include "isa/chip.h"

#include <stdlib.h>
#include <string.h>

/* ---- life ---- */

static bool settings_take(tx_chip *chip, const struct tx_chip_settings *given)
{
    struct tx_chip_settings own = {.size = sizeof own};
    if (!sized_take(&own, sizeof own, given, given->size,
                    offsetof(struct tx_chip_settings, tile)) ||
        !sized_zero(own.reserved, sizeof own.reserved) || !chip_known(own.arch) || own.pcie > 1 ||
        (unsigned)own.policy > TX_CHIP_ADVERSE) {
        return false;
    }
    chip->settings = own;
    chip->settings.size = sizeof own;
    chip->settings.tile = NULL;
    chip->arch = own.arch;
    return true;
}

/* Makes what is behind an endpoint. */
static enum tx_status open_endpoint(tx_chip *chip, uint32_t i,
                                    const struct tx_tensix_settings *tile)
{
    CHECK(i < chip->count, "an endpoint that opens is on the grid");
    struct chip_endpoint *e = &chip->at[i];
    enum tx_status status = TX_OK;
    for (unsigned noc = 0; noc < 2; noc++) {
        e->niu[noc] = &chip->interfaces[i][noc];
    }
    if (e->kind == TX_CHIP_DRAM) {
        e->bank = &chip->bank[e->number];
    }
    if (e->kind == TX_CHIP_TENSIX && !e->off) {
        status = tx_tensix_open(tile, &e->tensix);
        if (status != TX_OK) {
            return status;
        }
        chip->tensix[chip->tensix_count++] = i;
        e->tensix->world = &e->world;
        e->tensix->start_delay = chip->settings.start_delay;
        e->tensix->start_seed = chip->settings.seed;
        if (!tile_doze_open(e->tensix)) {
            return TX_ENOMEM;
        }
        tile_doze_reset(e->tensix);
        e->tensix->may_rest = !chip->settings.sleepless;
    } else if (e->kind == TX_CHIP_ETHERNET) {
        e->eth = eth_open(chip, e->place);
        if (e->eth == NULL) {
            return TX_ENOMEM;
        }
        chip->eth[chip->eth_count++] = i;
    }
    for (unsigned noc = 0; noc < 2; noc++) {
        e->niu[noc] = e->tensix != NULL ? &e->tensix->s.niu[noc]
                      : e->eth != NULL  ? &e->eth->s.niu[noc]
                                        : e->niu[noc];
    }
    return TX_OK;
}

static enum tx_status open_banks(tx_chip *chip)
{
    chip->banks = (uint8_t)NUMBER_OF(chip->arch, DRAM_BANKS);
    for (unsigned i = 0; i < chip->banks; i++) {
        if (!dram_open(&chip->bank[i], (uint64_t)1 << NUMBER_OF(chip->arch, DRAM_BITS))) {
            return TX_ENOMEM;
        }
    }
    return TX_OK;
}

enum tx_status tx_chip_open(const struct tx_chip_settings *settings, tx_chip **out)
{
    *out = NULL;
    tx_chip *chip = calloc(1, sizeof *chip);
    if (chip == NULL) {
        return TX_ENOMEM;
    }
    if (!settings_take(chip, settings)) {
        free(chip);
        return TX_EINVAL;
    }
    tx_tensix_settings_default(&chip->tile, chip->arch);
    const struct tx_tensix_settings *tile = settings->tile != NULL ? settings->tile : &chip->tile;
    enum tx_status status = tile->machine.arch == chip->arch ? TX_OK : TX_EINVAL;
    chip->timed = chip->settings.policy != TX_CHIP_PROMPT && !tile->untimed;
    chip_grid(chip);
    status = status == TX_OK && !timed_open(chip) ? TX_ENOMEM : status;
    chip_world(chip);
    chip->interfaces = calloc(chip->count, sizeof *chip->interfaces);
    if (status == TX_OK) {
        status = chip->interfaces == NULL ? TX_ENOMEM : open_banks(chip);
    }
    for (uint32_t i = 0; i < chip->count && status == TX_OK; i++) {
        status = open_endpoint(chip, i, tile);
    }
    if (status != TX_OK) {
        tx_chip_close(chip);
        return status;
    }
    if (chip->tensix_count != 0) {
        chip->tile = chip->at[chip->tensix[0]].tensix->settings;
    }
    for (uint32_t i = 0; i < chip->eth_count; i++) {
        eth_begin(chip->at[chip->eth[i]].eth);
    }
    for (uint32_t i = 0; i < chip->count; i++) {
        chip_firmware(chip, i);
    }
    *out = chip;
    return TX_OK;
}

void tx_chip_close(tx_chip *chip)
{
    if (chip == NULL) {
        return;
    }
    for (uint32_t i = 0; i < chip->count; i++) {
        tx_tensix_close(chip->at[i].tensix);
        eth_close(chip->at[i].eth);
    }
    for (unsigned i = 0; i < chip->banks; i++) {
        dram_close(&chip->bank[i]);
    }
    timed_close(chip);
    free(chip->interfaces);
    free(chip);
}

void chip_reset_tile(tx_chip *chip, struct chip_endpoint *e)
{
    CHECK(e->index < chip->count, "a tile that is reset is on the grid");
    if (e->touched && e->tensix != NULL) {
        tx_tensix_reset(e->tensix);
    } else if (e->touched && e->eth != NULL) {
        eth_reset(e->eth);
    }
    e->touched = false;
    e->lost_count = 0;
    if (e->tensix != NULL) {
        tile_doze_reset(e->tensix);
        e->tensix->s.cycle = 0;
    }
    chip_firmware(chip, e->index);
}

void tx_chip_reset(tx_chip *chip)
{
    memset(&chip->s, 0, sizeof chip->s);
    memset(&chip->queue, 0, sizeof chip->queue);
    for (uint32_t i = 0; i < chip->count; i++) {
        chip_reset_tile(chip, &chip->at[i]);
    }
    memset(chip->awake, 0, sizeof chip->awake);
    timed_reset(chip);
    for (unsigned i = 0; i < chip->banks; i++) {
        dram_clear(&chip->bank[i]);
    }
}

enum tx_arch tx_chip_arch(const tx_chip *chip)
{
    return chip->arch;
}

void tx_chip_settings_of(const tx_chip *chip, struct tx_chip_settings *settings)
{
    *settings = chip->settings;
}

/* ---- the grid ---- */

void tx_chip_grid(const tx_chip *chip, uint32_t *width, uint32_t *height)
{
    *width = chip->width;
    *height = chip->height;
}

enum tx_status tx_chip_tile_at_sized(const tx_chip *chip, size_t index, struct tx_chip_tile *tile,
                                     size_t size)
{
    if (index >= chip->count) {
        return TX_ENOENT;
    }
    const struct chip_endpoint *e = &chip->at[index];
    const uint32_t mirrored = noc_mirrored(chip->arch, 1, e->place);
    const uint32_t logical = noc_config_get(chip->arch, e->niu[0], CONFIG_LOGICAL, 0);
    const struct tx_chip_tile own = {.kind = (enum tx_chip_kind)e->kind,
                                     .number = e->number,
                                     .port = e->port,
                                     .x = {e->place & 63u, mirrored & 63u},
                                     .y = {e->place >> 6, mirrored >> 6},
                                     .translated_x = logical & 63u,
                                     .translated_y = logical >> 6 & 63u,
                                     .off = e->off};
    sized_give(tile, size, &own, sizeof own);
    return TX_OK;
}

enum tx_status tx_chip_find(const tx_chip *chip, struct tx_chip_place place, size_t *index)
{
    if (place.noc > 1 || place.x > 63 || place.y > 63) {
        return TX_ENOENT;
    }
    const struct noc_niu *niu = chip->at[chip->pcie].niu[place.noc];
    const uint32_t raw = noc_translated(&chip->world, niu, place.x | place.y << 6);
    if (!noc_on_grid(chip->arch, raw)) {
        return TX_ENOENT;
    }
    const uint32_t at = noc_mirrored(chip->arch, place.noc, raw);
    *index = (at & 63u) + (at >> 6) * chip->width;
    return TX_OK;
}

tx_tensix *tx_chip_tensix(tx_chip *chip, size_t index)
{
    if (index >= chip->count || chip->at[index].tensix == NULL) {
        return NULL;
    }
    chip_wake(chip, &chip->at[index]);
    return chip->at[index].tensix;
}

enum tx_status tx_chip_watch(tx_chip *chip, size_t index, bool on)
{
    tx_tensix *tile = tx_chip_tensix(chip, index);
    if (tile == NULL) {
        return TX_ENOENT;
    }
    tile->sleepless = on;
    return TX_OK;
}

const tx_machine *tx_chip_machine(const tx_chip *chip, size_t index)
{
    return index < chip->count && chip->at[index].tensix != NULL ? chip->at[index].tensix->m : NULL;
}

/* ---- requests of the host ---- */

/* One packet of a request of the host. Returns whether it was answered, or needs no answer. */
static bool ask(tx_chip *chip, const struct tx_chip_request *q, uint64_t address, uint8_t *to,
                const uint8_t *from, uint32_t size)
{
    const struct noc_world *w = &chip->world;
    struct noc_niu *niu = chip->at[chip->pcie].niu[q->noc];
    uint8_t data[NOC_PACKET_BYTES];
    const uint32_t end = noc_translated(w, niu, (q->x & 63u) | (q->y & 63u) << 6);
    const uint32_t start = noc_translated(w, niu, (q->start_x & 63u) | (q->start_y & 63u) << 6);
    const bool reads = to != NULL;
    struct noc_request r = {.target = address,
                            .back = address,
                            .length = size,
                            .target_at = end | start << 12,
                            .back_at = end | start << 12,
                            .from = niu->place,
                            .packets = 1,
                            .noc = (uint8_t)q->noc,
                            .who = CHIP_OUTSIDE,
                            .host = 1,
                            .stride = q->exclude ? q->stride : 0};
    r.control = (reads ? NOC_READ : (uint32_t)NOC_WRITE) << CONTROL_FIRST_KIND |
                (q->posted ? 0u : 1u) << CONTROL_FIRST_ANSWER |
                (q->broadcast ? 1u : 0u) << CONTROL_FIRST_MANY;
    if (from != NULL) {
        memcpy(data, from, size);
        noc_count(niu, COUNT_MST_OUTGOING, 1);
    }
    if (reads || !q->posted) {
        noc_count(niu, COUNT_MST_OUTSTANDING, 1);
    }
    const bool was = chip->queue.acts != 0;
    chip->queue.acts = 1; /* what it starts comes after it */
    const bool answered = noc_packet(w, &r, data);
    chip->queue.acts = was;
    noc_drain(w);
    if (reads && answered) {
        memcpy(to, data, size);
    }
    return answered;
}

enum tx_status tx_chip_ask(tx_chip *chip, const struct tx_chip_request *q)
{
    const bool reads = q->to != NULL;
    bool good = true;
    if (q->struct_size < sizeof *q || q->noc > 1 || (reads && (q->from != NULL || q->broadcast)) ||
        (!reads && q->from == NULL && q->bytes != 0)) {
        return TX_EINVAL;
    }
    for (uint32_t done = 0; done < q->bytes && good;) {
        const uint32_t most = NUMBER_OF(chip->arch, NOC_PACKET);
        const uint32_t n = q->bytes - done < most ? q->bytes - done : most;
        good = ask(chip, q, q->address + done, reads ? q->to + done : NULL,
                   reads ? NULL : q->from + done, n);
        done += n;
    }
    return good ? TX_OK : TX_ENOENT;
}

static enum tx_status transfer(tx_chip *chip, struct tx_chip_place place, uint64_t address,
                               uint8_t *to, const uint8_t *from, size_t size)
{
    enum { STEP = 1 << 20 };
    enum tx_status status = size != 0 && to == NULL && from == NULL ? TX_EINVAL : TX_OK;
    for (size_t done = 0; done < size && status == TX_OK; done += STEP) {
        const struct tx_chip_request q = {.struct_size = sizeof q,
                                          .noc = place.noc,
                                          .x = place.x,
                                          .y = place.y,
                                          .address = address + done,
                                          .to = to != NULL ? to + done : NULL,
                                          .from = from != NULL ? from + done : NULL,
                                          .bytes = size - done < STEP ? (uint32_t)(size - done)
                                                                      : (uint32_t)STEP};
        status = tx_chip_ask(chip, &q);
    }
    return status;
}

enum tx_status tx_chip_read(tx_chip *chip, struct tx_chip_place place, uint64_t address,
                            void *bytes, size_t size)
{
    return transfer(chip, place, address, bytes, NULL, size);
}

enum tx_status tx_chip_write(tx_chip *chip, struct tx_chip_place place, uint64_t address,
                             const void *bytes, size_t size)
{
    return transfer(chip, place, address, NULL, bytes, size);
}

enum tx_status tx_chip_niu_read(tx_chip *chip, size_t index, unsigned noc, uint32_t offset,
                                uint32_t *value)
{
    if (index >= chip->count || noc > 1 || offset % 4 != 0) {
        return TX_EINVAL;
    }
    *value =
        noc_load(&chip->at[index].world, chip->at[index].niu[noc], CHIP_OUTSIDE, offset, false);
    return TX_OK;
}

enum tx_status tx_chip_niu_write(tx_chip *chip, size_t index, unsigned noc, uint32_t offset,
                                 uint32_t value)
{
    if (index >= chip->count || noc > 1 || offset % 4 != 0) {
        return TX_EINVAL;
    }
    chip_wake(chip, &chip->at[index]);
    noc_store(&chip->at[index].world, chip->at[index].niu[noc], CHIP_OUTSIDE, offset, value);
    return TX_OK;
}

enum tx_status tx_chip_device(tx_chip *chip, enum tx_chip_kind kind,
                              bool (*answer)(void *user, const struct tx_chip_access *access),
                              void *user)
{
    if (kind != TX_CHIP_ARC && kind != TX_CHIP_PCIE) {
        return TX_EINVAL;
    }
    for (uint32_t i = 0; i < chip->tensix_count && kind == TX_CHIP_PCIE; i++) {
        struct chip_endpoint *e = &chip->at[chip->tensix[i]];
        if (e->touched && e->tensix->may_nap && answer == NULL) {
            chip_wake(chip, e); /* cores that nap would not be asked when they end */
        }
        e->tensix->may_nap = answer != NULL;
    }
    chip->device[kind].answer = answer;
    chip->device[kind].user = user;
    return TX_OK;
}

/* ---- findings ---- */

size_t tx_chip_finding_count(const tx_chip *chip)
{
    return chip->findings;
}

const struct tx_finding *tx_chip_finding_at(const tx_chip *chip, size_t index)
{
    return index < chip->findings ? &chip->finding[index] : NULL;
}
