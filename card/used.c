/* SPDX-License-Identifier: Apache-2.0 */
/* --profile: the lab library, loaded where it is asked for, watches the tiles that run launches. */
#include "report.h"

#include <stdlib.h>
#include <string.h>

#include <tensix-lab/card.h>

#include "../door/order.h"

struct card_used {
    txl_card_profile *profile;
    int (*begin)(struct txl_error *err, txl_card_profile *profile, size_t index,
                 const struct txl_card_launch *launch);
    void (*write)(txl_card_profile *profile, unsigned bar, uint64_t offset, const void *bytes,
                  size_t size);
    int (*look)(struct txl_error *err, txl_card_profile *profile);
    int (*end)(struct txl_error *err, txl_card_profile *profile, size_t index, unsigned launch);
    char *(*json)(struct txl_error *err, const txl_card_profile *profile, unsigned launch);
    void (*close)(txl_card_profile *profile);
    bool told;
};

struct card_used *used_open(const struct card_driven *driven, bool events)
{
    int (*open)(struct txl_error * err, const struct txl_card_host *host, bool events,
                txl_card_profile **profile);
    const char *(*version)(void);
    const struct txl_card_host host = {.size = sizeof host,
                                       .chip = driven->chip,
                                       .settings = driven->settings,
                                       .pcie = driven->pcie,
                                       .memory = driven->memory};
    struct txl_error err = {.status = TXL_OK};
    struct card_used *u = calloc(1, sizeof *u);
    void *library = door_lab();
    if (u == NULL || library == NULL || !door_lab_find(library, "txl_card_profile_open", &open) ||
        !door_lab_find(library, "txl_card_profile_begin", &u->begin) ||
        !door_lab_find(library, "txl_card_profile_end", &u->end) ||
        !door_lab_find(library, "txl_card_profile_write", &u->write) ||
        !door_lab_find(library, "txl_card_profile_look", &u->look) ||
        !door_lab_find(library, "txl_card_profile_json", &u->json) ||
        !door_lab_find(library, "txl_card_profile_close", &u->close) ||
        !door_lab_find(library, "tx_version", &version) || strcmp(version(), tx_version()) != 0) {
        card_tell("--profile: libtensix-lab.so is not found, or is of another version; "
                  "TENSIX_LAB=FILE names it");
    } else if (open(&err, &host, events, &u->profile) == TXL_OK) {
        return u;
    } else {
        card_tell("--profile: %s", err.message);
    }
    free(u);
    return NULL;
}

static void used_tell(struct card_used *u, const struct txl_error *err)
{
    if (!u->told) {
        u->told = true;
        card_tell("--profile: %s", err->message);
    }
}

void used_begin(struct card_used *u, size_t index, const struct card_begun *begun)
{
    const struct txl_card_launch launch = {.size = sizeof launch,
                                           .number = begun->launch,
                                           .x = begun->x,
                                           .y = begun->y,
                                           .kernels = begun->kernels,
                                           .go = begun->go};
    struct txl_error err = {.status = TXL_OK};
    if (u != NULL && u->begin(&err, u->profile, index, &launch) != TXL_OK) {
        used_tell(u, &err);
    }
}

void used_write(struct card_used *u, unsigned bar, uint64_t offset, const void *bytes, size_t size)
{
    if (u != NULL) {
        u->write(u->profile, bar, offset, bytes, size);
    }
}

void used_look(struct card_used *u)
{
    struct txl_error err = {.status = TXL_OK};
    if (u != NULL && u->look(&err, u->profile) != TXL_OK) {
        used_tell(u, &err);
    }
}

void used_end(struct card_used *u, size_t index, unsigned launch)
{
    struct txl_error err = {.status = TXL_OK};
    if (u != NULL && u->end(&err, u->profile, index, launch) != TXL_OK) {
        used_tell(u, &err);
    }
}

void used_put(struct card_used *u, unsigned launch, FILE *out)
{
    struct txl_error err = {.status = TXL_OK};
    char *text = u != NULL ? u->json(&err, u->profile, launch) : NULL;
    if (text != NULL) {
        fprintf(out, ", \"profile\": %s", text);
    } else if (err.status != TXL_OK) {
        used_tell(u, &err);
    }
    free(text);
}

void used_close(struct card_used *u)
{
    if (u != NULL) {
        u->close(u->profile);
    }
    free(u);
}
