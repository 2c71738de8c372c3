/* SPDX-License-Identifier: Apache-2.0 */
/* The profile of a chip's run, and the run repeated without the time of its parts. */
#include "chiprun/profiled.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/outfile.h"

static int keep_before(struct txl_error *err, struct chiprun_profile *c)
{
    c->before_size = tx_chip_snapshot_size(c->on);
    c->before = malloc(c->before_size + 1);
    return c->before == NULL ? no_memory(err)
           : tx_chip_snapshot(c->on, c->before, c->before_size) == TX_OK
               ? TXL_CONTINUE
               : txl_fail(err, "the chip cannot be copied");
}

int chiprun_profile_begin(struct txl_error *err, txl_chip *chip)
{
    chiprun_profile_close(chip);
    struct chiprun_profile *c = chip->profiled = chiprun_record_open(err, chip->chip);
    int result = c != NULL ? keep_before(err, c) : TXL_INPUT;
    for (unsigned i = 0; i < chip->columns * chip->rows && result == TXL_CONTINUE; i++) {
        const struct chiprun_tile *t = &chip->tile[i];
        bool used = false;
        for (unsigned core = 0; core < TX_CORES; core++) {
            used = used || t->ran[core] != NULL;
        }
        result = used ? chiprun_record_tile(err, c, t->index, t->column, t->row) : result;
    }
    if (result == TXL_CONTINUE) {
        (void)tx_chip_execute(chip->chip, NULL); /* what is heard is kept in one place */
        tx_chip_order_listen(chip->chip, &(struct tx_chip_order_sink){chiprun_record_heard, c});
    }
    return result;
}

/* Sums over what the run has left in the tiles. */
static uint64_t memory(const struct chiprun_profile *c, const tx_chip *chip)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < c->parts; i++) {
        sum = sum * 31 + profile_memory(tx_chip_machine(chip, c->part[i].index), 0);
    }
    return sum;
}

tx_chip *chiprun_copy(struct txl_error *err, const struct tx_chip_settings *settings,
                      const uint8_t pace[PROFILE_PACED], const void *before, size_t size)
{
    struct tx_chip_settings s = *settings;
    struct tx_tensix_settings tile = *settings->tile;
    tx_chip *copy = NULL;
    for (unsigned i = 0; i < TX_PACED_COUNT; i++) {
        tile.machine.pace[i] = pace[i];
    }
    s.tile = &tile;
    enum tx_status status = tx_chip_open(&s, &copy);
    status = status == TX_OK ? tx_chip_restore(copy, before, size) : status;
    for (unsigned i = 0; i < TX_CHIP_PACED_COUNT && status == TX_OK; i++) {
        status = tx_chip_pace(copy, (enum tx_chip_paced)i, (enum tx_pace)pace[TX_PACED_COUNT + i]);
    }
    if (status != TX_OK) {
        (void)txl_fail(err, "the run with another pace: %s", tx_status_text(status));
        tx_chip_close(copy);
        return NULL;
    }
    return copy;
}

unsigned chiprun_copies(void)
{
    enum { MOST = 3 };
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 1 ? 1 : processors < MOST ? (unsigned)processors : MOST;
}

static int profiled_again(void *user, struct txl_error *err, struct profile_rerun *rerun)
{
    txl_chip *chip = user;
    const struct chiprun_profile *c = chip->profiled;
    struct tx_chip_settings s = chip->settings;
    s.tile = &chip->tile_settings;
    tx_chip *copy = chiprun_copy(err, &s, rerun->pace, c->before, c->before_size);
    if (copy == NULL) {
        return TXL_INPUT;
    }
    const uint64_t most = CHIPRUN_LONGER * c->whole->total;
    rerun->ended = chiprun_to_end(chip, copy, most, rerun->over, &rerun->cycles) == TX_OK;
    rerun->same = rerun->ended && memory(c, copy) == c->memory;
    tx_chip_close(copy);
    return TXL_CONTINUE;
}

/* The last cycle in which a core of the program does something. */
static uint64_t end_of(struct chiprun_profile *c, uint64_t ran)
{
    txl_profile *parts[CHIPRUN_TILES];
    for (unsigned i = 0; i < c->parts; i++) {
        parts[i] = c->part[i].p;
        profile_reached(parts[i], c->first + ran); /* it may have slept at the end */
    }
    return profile_last(parts, c->parts);
}

int chiprun_profile_end(struct txl_error *err, txl_chip *chip)
{
    struct chiprun_profile *c = chip->profiled;
    tx_chip_order_listen(chip->chip, NULL);
    for (unsigned i = 0; i < c->parts; i++) {
        chiprun_record_deaf(&c->part[i]);
    }
    const uint64_t last = end_of(c, chip->result.cycles);
    if (chip->ended == TX_OK) { /* until the last core rests */
        chip->result.cycles = last;
    }
    int result = chiprun_record_join(err, c, chip->result.cycles, chip->result.bounds);
    if (result == TXL_CONTINUE && chip->ended == TX_OK) {
        c->memory = memory(c, chip->chip);
        result = profile_try(err, c->whole,
                             &(struct profile_again){profiled_again, chip, chiprun_copies()});
    }
    free(c->before);
    c->before = NULL;
    return result;
}

void chiprun_profile_close(txl_chip *chip)
{
    chiprun_record_close(chip->profiled);
    chip->profiled = NULL;
}

const txl_profile *txl_chip_profile(const txl_chip *chip)
{
    return chip->profiled != NULL ? chip->profiled->whole : NULL;
}

int txl_chip_profile_file(struct txl_error *err, const txl_chip *chip, const char *path)
{
    const struct txl_where where = {.file = path};
    struct memory_text text;
    struct outfile file;
    if (txl_chip_profile(chip) == NULL) {
        return txl_fail(err, "the run has no profile");
    }
    if (memory_text_open(err, &text) != TXL_CONTINUE) {
        return TXL_INPUT;
    }
    const bool form = chiprun_profile_form(text.stream, chip->profiled, path);
    char *bytes = memory_text_take(&text);
    if (!form || bytes == NULL) {
        free(bytes);
        return form ? no_memory(err) : txl_profile_file(err, txl_chip_profile(chip), path);
    }
    int error = outfile_open(&file, path);
    if (error == 0) {
        error = outfile_append(&file, bytes, strlen(bytes));
        if (error == 0) {
            error = outfile_commit(&file);
        } else {
            outfile_discard(&file);
        }
    }
    free(bytes);
    return error == 0 ? TXL_OK : txl_fail_at(err, &where, "%s", strerror(error));
}

bool txl_chip_paces(struct txl_error *err, const char *const *texts, unsigned count, uint8_t *pace)
{
    static const char *const names[TX_CHIP_PACED_COUNT] = {"noc", "dram"};
    static const char *const paces[] = {"real", "half", "none"};
    for (unsigned i = 0; i < count; i++) {
        const char *equals = strchr(texts[i], '=');
        bool found = false;
        for (unsigned n = 0; n < TX_CHIP_PACED_COUNT && equals != NULL; n++) {
            const bool named = strlen(names[n]) == (size_t)(equals - texts[i]) &&
                               strncmp(names[n], texts[i], strlen(names[n])) == 0;
            for (unsigned k = 0; k < 3 && named; k++) {
                if (strcmp(paces[k], equals + 1) == 0) {
                    pace[TX_PACED_COUNT + n] = (uint8_t)k;
                    found = true;
                }
            }
        }
        if (!found && !txl_paces(err, &texts[i], 1, pace)) {
            return false;
        }
    }
    return true;
}
