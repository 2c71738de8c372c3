/* SPDX-License-Identifier: Apache-2.0 */
/* Findings of the chip and of its tiles, as lines on stderr. */
#include <stdarg.h>
#include <stdio.h>

#include "door.h"

enum { SHOWN_MOST = 32 };

void door_tell(enum door_kind kind, const char *format, ...)
{
    static bool told[DOOR_KINDS];
    va_list args;
    if (told[kind] && kind != DOOR_CALL) {
        return;
    }
    told[kind] = true;
    fputs("tensix: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}

static void show(struct door_findings *findings, const char *where, const struct tx_finding *f)
{
    char from[48] = "";
    if (f->pusher != 0) {
        snprintf(from, sizeof from, "; core %s pushed it at %08lx",
                 tx_core_name((enum tx_core)(f->pusher - 1)), (unsigned long)f->pusher_pc);
    }
    if (findings->shown++ < SHOWN_MOST) {
        char said[TX_FINDING_TEXT];
        fprintf(stderr, "tensix: %scycle %llu: %s%s\n", where, (unsigned long long)f->cycle,
                tx_finding_text(f, said, sizeof said), from);
        const struct tx_advice advice = tx_finding_advice(f);
        if (advice.on_card != findings->advised) { /* not again behind each finding of a cause */
            findings->advised = advice.on_card;
            fprintf(stderr, "tensix:   on a card: %s\ntensix:   change: %s\n", advice.on_card,
                    advice.change);
        }
    } else {
        door_tell(DOOR_MANY, "further findings are not shown");
    }
}

/* Returns whether another tile has shown this finding; the table forgets when it is full. */
static bool known(struct door_findings *findings, const struct tx_finding *f)
{
    uint64_t hash = 0xCBF29CE484222325u; /* FNV-1a, 64 bits */
    for (const char *s = f->rule; *s != '\0'; s++) {
        hash = (hash ^ (uint8_t)*s) * 0x100000001B3u;
    }
    for (const char *s = f->message; *s != '\0'; s++) {
        hash = (hash ^ (uint8_t)*s) * 0x100000001B3u;
    }
    uint64_t *at = &findings->known[hash % DOOR_KNOWN];
    const bool was = *at == hash;
    *at = hash;
    return was;
}

void door_findings_open(const tx_chip *chip, struct door_findings *findings)
{
    struct tx_chip_tile tile;
    *findings = (struct door_findings){.chip = 0};
    for (size_t i = 0; tx_chip_tile_at(chip, i, &tile) == TX_OK; i++) {
        const tx_machine *machine = tx_chip_machine(chip, i);
        if (machine != NULL && findings->tiles < DOOR_TILES) {
            findings->tile[findings->tiles].machine = machine;
            findings->tile[findings->tiles].index = i;
            findings->tile[findings->tiles].x = tile.translated_x;
            findings->tile[findings->tiles].y = tile.translated_y;
            findings->tiles++;
        }
    }
}

void door_findings_show(const tx_chip *chip, struct door_findings *findings)
{
    for (; findings->chip < tx_chip_finding_count(chip); findings->chip++) {
        show(findings, "", tx_chip_finding_at(chip, findings->chip));
    }
    for (size_t i = 0; i < findings->tiles; i++) {
        const tx_machine *machine = findings->tile[i].machine;
        char where[48];
        if (findings->tile[i].printed == tx_finding_count(machine) && tx_fault(machine) == NULL) {
            continue; /* nearly always, and a host's clock comes here very often */
        }
        snprintf(where, sizeof where, "Tensix tile (%u, %u), ", findings->tile[i].x,
                 findings->tile[i].y);
        for (; findings->tile[i].printed < tx_finding_count(machine); findings->tile[i].printed++) {
            const struct tx_finding *f = tx_finding_at(machine, findings->tile[i].printed);
            if (!known(findings, f)) {
                show(findings, where, f);
            }
        }
        if (tx_fault(machine) != NULL && !findings->tile[i].stopped) {
            findings->tile[i].stopped = true;
            char said[TX_FINDING_TEXT];
            fprintf(stderr, "tensix: %sit has stopped: %s\n", where,
                    tx_finding_text(tx_fault(machine), said, sizeof said));
        }
    }
}
