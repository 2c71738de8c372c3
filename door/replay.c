/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a host does to the tile whose cores it starts, so that the report can name the command with
 * which tensix tile run does the same: L1 as it was when the cores left reset, where each began,
 * words that the host stored afterwards, and words that it looked at until they changed. Kept only
 * while TENSIX_REPORT asks for a report. Stores are found by comparing L1 before and after, since
 * they come through windows of every kind.
 */
#include <tensix/facts.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "door.h"

#define NO_TILE UINT32_MAX

static uint32_t register_at(const char *name)
{
    uint32_t address = 0;
    (void)tx_tile_register(name, &address);
    return address;
}

/* Returns the set of a tile's cores that are out of reset. */
static unsigned running(const struct door_replay *r, size_t number)
{
    unsigned set = 0;
    const tx_tensix *tile = tx_chip_tensix(r->chip, r->findings->tile[number].index);
    for (unsigned core = 0; core < TX_CORES; core++) {
        struct tx_core_state state;
        if (tx_tensix_core(tile, (enum tx_core)core, &state) == TX_OK &&
            state.phase != TX_CORE_HELD) {
            set |= 1u << core;
        }
    }
    return set;
}

static bool read_l1(const struct door_replay *r, uint8_t *to)
{
    tx_tensix *tile = tx_chip_tensix(r->chip, r->findings->tile[r->tile].index);
    return tx_tensix_read(tile, 0, to, r->size) == TX_OK;
}

void door_replay_open(struct door_replay *r, tx_chip *chip, const struct door_findings *findings)
{
    *r = (struct door_replay){.chip = chip, .findings = findings, .tile = NO_TILE};
    if (getenv("TENSIX_REPORT") != NULL) {
        r->size = tx_l1_size(tx_chip_arch(chip));
        r->first = malloc(r->size);
        r->before = malloc(r->size);
        r->after = malloc(r->size);
        r->on = r->first != NULL && r->before != NULL && r->after != NULL;
    }
}

void door_replay_close(struct door_replay *r)
{
    free(r->first);
    free(r->before);
    free(r->after);
    *r = (struct door_replay){.on = false};
}

/* The host is about to store something somewhere. */
void door_replay_write(struct door_replay *r)
{
    if (r->on && r->tile != NO_TILE && running(r, r->tile) == 0) {
        r->was[r->tile] = 0; /* the host has put them into reset; what it starts now is a new run */
    } else if (r->on && r->tile != NO_TILE && !r->pending) {
        r->pending = read_l1(r, r->before);
    }
}

void door_replay_read(struct door_replay *r, uint32_t x, uint32_t y, uint64_t address,
                      const void *bytes, uint32_t size)
{
    const struct tx_chip_place place = {.noc = 0, .x = x, .y = y};
    size_t index;
    if (!r->on || r->tile == NO_TILE || size != 4 || address % 4 != 0 || address >= r->size ||
        tx_chip_find(r->chip, place, &index) != TX_OK ||
        index != r->findings->tile[r->tile].index) {
        return;
    }
    struct door_word *word = NULL;
    for (unsigned i = 0; i < r->looks && word == NULL; i++) {
        word = r->look[i].address == address ? &r->look[i] : NULL;
    }
    if (word == NULL && r->looks < DOOR_WORDS) {
        word = &r->look[r->looks++];
        *word = (struct door_word){.address = (uint32_t)address};
        memcpy(&word->first, bytes, 4);
    }
    if (word != NULL) {
        memcpy(&word->value, bytes, 4);
    }
}

static void note_poke(struct door_replay *r, uint32_t address, uint32_t value)
{
    const uint64_t cycle = tx_chip_cycles(r->chip) - r->since;
    if (r->pokes == DOOR_WORDS) {
        r->why = "the host stored more words while the cores ran than --poke takes";
        return;
    }
    r->poke[r->pokes++] = (struct door_word){.address = address, .value = value, .cycle = cycle};
}

/* Notes the words of L1 that the host has changed since the cores last ran. */
static void note_stores(struct door_replay *r)
{
    r->pending = false;
    if (!read_l1(r, r->after)) {
        return;
    }
    for (uint32_t at = 0; at < r->size && r->why == NULL; at += 4) {
        uint32_t value;
        if (memcmp(r->before + at, r->after + at, 4) != 0) {
            memcpy(&value, r->after + at, 4);
            note_poke(r, at, value);
        }
    }
}

static void replay_begin(struct door_replay *r, size_t number, unsigned cores)
{
    tx_tensix *tile = tx_chip_tensix(r->chip, r->findings->tile[number].index);
    r->tile = (uint32_t)number;
    r->cores = cores;
    r->pending = false;
    r->looks = r->pokes = 0;
    r->since = tx_chip_cycles(r->chip);
    r->why = read_l1(r, r->first) ? NULL : "its L1 cannot be read";
    for (unsigned core = 0; core < TX_CORES; core++) {
        struct tx_core_state state;
        if (tx_tensix_core(tile, (enum tx_core)core, &state) == TX_OK) {
            r->pc[core] = state.pc;
        }
    }
    static const char *const starts[DOOR_STARTS] = {"TRISC0_RESET_PC", "TRISC1_RESET_PC",
                                                    "TRISC2_RESET_PC", "TRISC_RESET_PC_OVERRIDE",
                                                    "NCRISC_RESET_PC", "NCRISC_RESET_PC_OVERRIDE"};
    for (unsigned i = 0; i < DOOR_STARTS; i++) {
        r->start[i] = (struct door_word){.address = register_at(starts[i])};
        if (tx_arch_fact(tx_chip_arch(r->chip), TX_FACT_RESET_PC_REGISTERS) == 0 ||
            tx_tensix_read(tile, r->start[i].address, &r->start[i].value, 4) != TX_OK) {
            r->start[i].value = 0;
        }
    }
}

/* Time is about to go on: what has the host done? */
void door_replay_before(struct door_replay *r)
{
    for (size_t i = 0; r->on && i < r->findings->tiles; i++) {
        const unsigned now = running(r, i);
        if (r->was[i] == 0 && now != 0 && r->active != 0 && r->tile != i) {
            r->why = "cores of more than one tile ran";
        } else if (r->was[i] == 0 && now != 0) {
            replay_begin(r, i, now);
        } else if (r->tile == i && (now & ~r->was[i]) != 0) {
            uint32_t value = 0;
            tx_tensix *tile = tx_chip_tensix(r->chip, r->findings->tile[i].index);
            (void)tx_tensix_read(tile, register_at("SOFT_RESET_0"), &value, 4);
            note_poke(r, register_at("SOFT_RESET_0"), value);
        }
    }
    if (r->on && r->pending) {
        note_stores(r);
    }
}

/* Time has gone on: which cores run now is the programs' own doing. */
void door_replay_after(struct door_replay *r)
{
    r->active = 0;
    for (size_t i = 0; r->on && i < r->findings->tiles; i++) {
        r->was[i] = (uint8_t)running(r, i);
        r->active += r->was[i] != 0;
    }
    if (r->on && r->tile != NO_TILE && r->was[r->tile] != 0) {
        r->until = tx_chip_cycles(r->chip);
    }
}

/* ---- files, and the command ---- */

/* Writes a program of one word, so that the core begins where it began: an ELF file (System V ABI,
 * chapter 4: 32 bits, low byte first, RISC-V, linked). */
static bool write_program(const struct door_replay *r, const char *path, uint32_t pc)
{
    enum { HEAD = 52, SEGMENT = 32, RISCV = 243 };
    uint8_t bytes[HEAD + SEGMENT + 4] = {0x7F, 'E', 'L', 'F', 1, 1, 1};
    const uint32_t head[] = {2 | RISCV << 16, 1, pc, HEAD, 0, 0, HEAD | SEGMENT << 16, 1, 0};
    const uint32_t segment[] = {1, HEAD + SEGMENT, pc, pc, 4, 4, 5, 4};
    memcpy(bytes + 16, head, sizeof head);
    memcpy(bytes + HEAD, segment, sizeof segment);
    if (pc > r->size - 4) {
        return false;
    }
    memcpy(bytes + HEAD + SEGMENT, r->first + pc, 4);
    FILE *file = fopen(path, "wbe");
    const bool good = file != NULL && fwrite(bytes, sizeof bytes, 1, file) == 1;
    return file != NULL && fclose(file) == 0 && good;
}

static bool write_l1(const struct door_replay *r, const char *path)
{
    FILE *file = fopen(path, "wbe");
    const bool good = file != NULL && fwrite(r->first, r->size, 1, file) == 1;
    return file != NULL && fclose(file) == 0 && good;
}

/* Adds a word of the command, in quotes where a shell would read it otherwise. */
static void replay_add(FILE *out, const char *before, const char *word)
{
    fprintf(out, "%s'", before);
    for (; *word != '\0'; word++) {
        if (*word == '\'') {
            fputs("'\\'", out);
        }
        fputc(*word, out);
    }
    fputc('\'', out);
}

/*
 * Adds the programs: those that TENSIX_ELF names, "b=FILE t0=FILE" with a space between them, whose
 * lines the findings then have, and for other cores that the host started one of a word.
 */
static bool add_programs(const struct door_replay *r, const char *report, FILE *out)
{
    const char *named = getenv("TENSIX_ELF");
    unsigned have = 0;
    for (const char *at = named != NULL ? named : ""; *at != '\0';) {
        const size_t length = strcspn(at, " ");
        char word[1024];
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        for (unsigned core = 0; core < TX_CORES; core++) {
            const char *name = tx_core_name((enum tx_core)core);
            have |= strncmp(word, name, strlen(name)) == 0 && word[strlen(name)] == '=' ? 1u << core
                                                                                        : 0;
        }
        if (length != 0) {
            replay_add(out, " --elf ", word);
        }
        at += length + (at[length] == ' ');
    }
    if ((have & ~r->cores) != 0) {
        fputs(" --boot b", out);
    }
    for (unsigned core = 0; core < TX_CORES; core++) {
        char path[4096], word[4200];
        const char *name = tx_core_name((enum tx_core)core);
        if ((r->cores & ~have) >> core & 1) {
            snprintf(path, sizeof path, "%s.%s.elf", report, name);
            snprintf(word, sizeof word, "%s=%s", name, path);
            if (!write_program(r, path, r->pc[core])) {
                return false;
            }
            replay_add(out, " --elf ", word);
        }
    }
    return true;
}

bool door_replay_command(struct door_replay *r, const char *report, FILE *out)
{
    char path[4096], word[4200];
    if (!r->on || r->tile == NO_TILE || r->why != NULL) {
        return false;
    }
    snprintf(path, sizeof path, "%s.l1", report);
    snprintf(word, sizeof word, "0=%s", path);
    fprintf(out, "tile run --arch %s", tx_arch_short(tx_chip_arch(r->chip)));
    replay_add(out, " --l1 ", word);
    if (!write_l1(r, path) || !add_programs(r, report, out)) {
        r->why = "the files beside the report cannot be written, or a core began outside L1";
        return false;
    }
    for (unsigned i = 0; i < DOOR_STARTS; i++) {
        if (r->start[i].value != 0) {
            fprintf(out, " --poke 0x%08" PRIX32 "=0x%" PRIX32, r->start[i].address,
                    r->start[i].value);
        }
    }
    for (unsigned i = 0; i < r->pokes; i++) {
        fprintf(out, " --poke 0x%" PRIX32 "=0x%" PRIX32 "@%" PRIu64, r->poke[i].address,
                r->poke[i].value, r->poke[i].cycle);
    }
    for (unsigned i = 0; i < r->looks; i++) {
        if (r->look[i].value != r->look[i].first) {
            fprintf(out, " --until 0x%" PRIX32 "=0x%" PRIX32, r->look[i].address, r->look[i].value);
        }
    }
    fprintf(out, " --max-cycles %" PRIu64, r->until - r->since + 1000);
    return true;
}
