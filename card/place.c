/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which instruction of a kernel a finding is about, as an address in the kernel's ELF file. Code in
 * L1 goes when the host sends the next program: it is looked at as soon as the chip has stopped
 * between two pieces of its time. Source lines are looked for when all has ended (lab/tile).
 */
#include "report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <tensix/tile.h>

enum { MEMO = 64 };

struct place {
    unsigned tile;
    size_t finding;
    const char *path;
    uint32_t address;
};

struct card_places {
    size_t seen[CARD_TILES];
    size_t count, room;
    struct place *place;
    /* Many tiles run one kernel. */
    struct {
        uint32_t window[CARD_WINDOW];
        const char *path;
        uint32_t address;
    } memo[MEMO];
    unsigned next;
};

struct card_places *places_open(void)
{
    return calloc(1, sizeof(struct card_places));
}

void places_close(struct card_places *places)
{
    if (places != NULL) {
        free(places->place);
        free(places);
    }
}

/* A core's own instruction is told in the sentence, one of the coprocessor has who pushed it. */
static bool instruction_of(const struct tx_finding *f, enum tx_core *core, uint32_t *pc)
{
    char name[8];
    unsigned at;
    if (f->pusher != 0) {
        *core = (enum tx_core)(f->pusher - 1);
        *pc = f->pusher_pc;
        return true;
    }
    *pc = 0;
    if (sscanf(f->message, "core %7s at %8x,", name, &at) != 2) {
        return false;
    }
    *pc = at;
    return tx_core_parse(name, core) == TX_OK;
}

static const char *look_up(struct card_places *p, const uint32_t window[CARD_WINDOW],
                           uint32_t *address)
{
    for (unsigned i = 0; i < MEMO; i++) {
        if (p->memo[i].path != NULL &&
            memcmp(p->memo[i].window, window, sizeof p->memo[i].window) == 0) {
            *address = p->memo[i].address;
            return p->memo[i].path;
        }
    }
    const char *path = kernel_line(window, address);
    if (path != NULL) {
        memcpy(p->memo[p->next].window, window, sizeof p->memo[p->next].window);
        p->memo[p->next].path = path;
        p->memo[p->next].address = *address;
        p->next = (p->next + 1) % MEMO;
    }
    return path;
}

static void enter(struct card_places *p, const struct place *place)
{
    if (p->count == p->room) {
        const size_t room = p->room == 0 ? 256 : 2 * p->room;
        struct place *more = realloc(p->place, room * sizeof *more);
        if (more == NULL) {
            return;
        }
        p->place = more;
        p->room = room;
    }
    p->place[p->count++] = *place;
}

void places_look(struct card_places *places, tx_chip *chip, size_t index, unsigned number)
{
    const tx_machine *machine = tx_chip_machine(chip, index);
    for (; places != NULL && places->seen[number] < tx_finding_count(machine);
         places->seen[number]++) {
        struct place place = {.tile = number, .finding = places->seen[number]};
        uint32_t window[CARD_WINDOW];
        enum tx_core core;
        uint32_t pc;
        if (!instruction_of(tx_finding_at(machine, place.finding), &core, &pc)) {
            continue;
        }
        tx_tensix *tile = tx_chip_tensix(chip, index);
        for (uint32_t i = 0; i < CARD_WINDOW; i++) {
            window[i] = tx_core_word(tile, core, pc + 4 * i - 4 * (CARD_WINDOW / 2));
        }
        place.path = look_up(places, window, &place.address);
        if (place.path != NULL) {
            enter(places, &place);
        }
    }
}

void places_put(const struct card_places *places, unsigned number, size_t finding, FILE *out)
{
    for (size_t i = 0; places != NULL && i < places->count; i++) {
        const struct place *place = &places->place[i];
        if (place->tile == number && place->finding == finding) {
            fputs(", \"elf\": ", out);
            report_text(out, place->path);
            fprintf(out, ", \"address\": %" PRIu32, place->address);
            return;
        }
    }
}
