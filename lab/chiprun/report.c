/* SPDX-License-Identifier: Apache-2.0 */
/* What a run on a chip did: findings with tile and source line, and which cores wait for what. */
#include "base/json.h"
#include "chiprun/chiprun.h"

#include <stdlib.h>
#include <string.h>

#include "base/finding.h"
#include "chiprun/profiled.h"

/*
 * Writes where a message's core was: "main+0x84, reader.cpp:20". Messages of cores begin with
 * "core b at 00001234".
 */
static void place_in(const struct chiprun_tile *t, const char *message, char text[256])
{
    char name[8];
    char function[96];
    char source[150];
    unsigned pc;
    enum tx_core core;
    text[0] = '\0';
    if (t == NULL || sscanf(message, "core %7s at %8x", name, &pc) != 2 ||
        tx_core_parse(name, &core) != TX_OK || t->ran[core] == NULL) {
        return;
    }
    struct tile_program *p = &t->ran[core]->program;
    const bool in = tile_function(p, pc, function) != NULL;
    const bool from = tile_source(p, pc, source, sizeof source) != NULL;
    snprintf(text, 256, "%.96s%s%.150s", in ? function : "", in && from ? ", " : "",
             from ? source : "");
}

/* The part of a message that does not depend on the tile and the moment: no digits. */
static bool alike(const struct tx_finding *a, const struct tx_finding *b)
{
    return a->category == b->category && a->word == b->word && a->thread == b->thread &&
           strcmp(a->rule != NULL ? a->rule : "", b->rule != NULL ? b->rule : "") == 0;
}

static void keep_finding(txl_chip *c, const struct tx_finding *f, const struct chiprun_tile *t)
{
    char source[256];
    place_in(t, f->message, source);
    for (size_t i = 0; i < c->result.findings; i++) {
        struct chiprun_finding *there = &c->findings[i];
        if (alike(&there->finding, f) && strcmp(there->source, source) == 0 &&
            (there->tile == NULL) == (t == NULL)) {
            there->finding.count += f->count;
            there->tiles++;
            return;
        }
    }
    if (c->result.findings < CHIPRUN_FINDINGS) {
        struct chiprun_finding *one = &c->findings[c->result.findings++];
        *one = (struct chiprun_finding){.finding = *f, .tile = t, .tiles = 1};
        memcpy(one->source, source, sizeof source);
    }
}

/* One line for each core that does not rest where it should: what it waits for, and where. */
static void keep_wait(txl_chip *c, const struct chiprun_tile *t, enum tx_core core)
{
    tx_tensix *tile = tx_chip_tensix(c->chip, t->index);
    struct tx_core_state s;
    char wait[256];
    char function[96];
    char source[200];
    char polls[160];
    char end[96];
    (void)tx_tensix_core(tile, core, &s);
    if (t->ran[core] == NULL ||
        (s.rests && s.phase != TX_CORE_HUNG && s.phase != TX_CORE_STOPPED) ||
        !tx_tensix_wait_text(tile, core, wait, sizeof wait)) {
        return;
    }
    char place[256];
    char of_tile[20];
    struct tile_program *p = &t->ran[core]->program;
    const bool in = tile_function(p, s.pc, function) != NULL;
    const bool from = tile_source(p, s.pc, source, sizeof source) != NULL;
    chiprun_polls(c, t, core, polls, end);
    snprintf(place, sizeof place, "%s%s%.150s", in ? function : "", in && from ? ", " : "",
             from ? source : "");
    snprintf(of_tile, sizeof of_tile, "tile %u,%u ", t->column, t->row);
    const unsigned before = c->stuck.count;
    waits_core(&c->stuck, tile, core, of_tile, in || from ? place : NULL,
               polls[0] != '\0' ? polls + strlen(", polls ") : NULL);
    if (c->stuck.count > before && end[0] != '\0') {
        snprintf(c->stuck.row[before].end, sizeof c->stuck.row[before].end, "%s", end);
    }
    if (c->wait_count < CHIPRUN_WAITS) {
        snprintf(c->waits[c->wait_count++], sizeof c->waits[0], "tile %u,%u: %s%s%s%s%s%s",
                 t->column, t->row, wait, polls, in ? " in " : "", in ? function : "",
                 from ? ", " : "", from ? source : "");
    }
    c->waiting++;
}

static void keep_threads(txl_chip *c, const struct chiprun_tile *t)
{
    const tx_machine *m = tx_chip_machine(c->chip, t->index);
    char text[256];
    char of_tile[20];
    snprintf(of_tile, sizeof of_tile, "tile %u,%u ", t->column, t->row);
    for (unsigned i = 0; i < TX_THREADS; i++) {
        waits_thread(&c->stuck, m, i, of_tile);
        if (c->wait_count < CHIPRUN_WAITS && tx_wait_text(m, i, text, sizeof text)) {
            snprintf(c->waits[c->wait_count++], sizeof c->waits[0], "tile %u,%u: coprocessor: %s",
                     t->column, t->row, text);
        }
    }
}

static void keep_tile(txl_chip *c, const struct chiprun_tile *t)
{
    tx_tensix *tile = tx_chip_tensix(c->chip, t->index);
    tx_machine *m = tx_tensix_machine(tile);
    bool used = false;
    for (unsigned core = 0; core < TX_CORES; core++) {
        struct tx_core_state s;
        (void)tx_tensix_core(tile, (enum tx_core)core, &s);
        used = used || t->ran[core] != NULL;
        /* Without the jumps to themselves of cores that rest, which end when somebody looks. */
        uint64_t until = 0;
        const uint64_t last = tx_core_last(tile, (enum tx_core)core, &until);
        const bool rests = c->ended == TX_OK && last != 0;
        c->result.instructions += t->ran[core] == NULL ? 0 : rests ? until : s.instructions;
    }
    for (size_t i = 0; i < tx_finding_count(m); i++) {
        keep_finding(c, tx_finding_at(m, i), t);
    }
    if (!used) {
        return;
    }
    c->result.tiles++;
    c->result.bounds |= tx_bounds(m);
    for (unsigned core = 0; core < TX_CORES && c->ended != TX_OK; core++) {
        keep_wait(c, t, (enum tx_core)core);
    }
    if (c->ended != TX_OK) {
        keep_threads(c, t);
    }
}

int chiprun_keep(struct txl_error *err, txl_chip *c)
{
    (void)err;
    c->result = (struct txl_chip_result){.cycles = c->result.cycles};
    c->wait_count = c->waiting = 0;
    c->stuck = (struct waits){.count = 0};
    for (unsigned i = 0; i < c->columns * c->rows; i++) {
        keep_tile(c, &c->tile[i]);
    }
    for (size_t i = 0; i < tx_chip_finding_count(c->chip); i++) {
        keep_finding(c, tx_chip_finding_at(c->chip, i), NULL);
    }
    c->result.bounds |= c->untimed ? TX_BOUND_UNTIMED : 0;
    return TXL_CONTINUE;
}

/* The fault of the first tile that has one. */
static const struct tx_finding *fault_of(const txl_chip *c, const struct chiprun_tile **tile)
{
    for (unsigned i = 0; i < c->columns * c->rows; i++) {
        const struct tx_finding *f = tx_fault(tx_chip_machine(c->chip, c->tile[i].index));
        if (f != NULL) {
            *tile = &c->tile[i];
            return f;
        }
    }
    return NULL;
}

int chiprun_failed(struct txl_error *err, txl_chip *c)
{
    const struct chiprun_tile *t = NULL;
    const struct tx_finding *fault = fault_of(c, &t);
    char line[900];
    char place[256];
    if (c->ended == TX_FAULT && fault != NULL) {
        place_in(t, fault->message, place);
        char said[TX_FINDING_TEXT];
        return txl_refuse(err, TXL_NEGATIVE, "fault in tile %u,%u, cycle %llu: %s%s%s", t->column,
                          t->row, (unsigned long long)fault->cycle,
                          tx_finding_text(fault, said, sizeof said),
                          place[0] != '\0' ? "; in " : "", place);
    }
    int n =
        snprintf(line, sizeof line, "%s after %s%llu cycles, %u cores wait",
                 c->ended == TX_EDEADLOCK ? "deadlock"
                 : c->ended == TX_ELIMIT  ? "not done"
                                          : tx_status_text(c->ended),
                 bound_prefix(c->result.bounds), (unsigned long long)c->result.cycles, c->waiting);
    if (c->ended == TX_EDEADLOCK) {
        waits_append(&c->stuck, line, sizeof line);
        return txl_refuse(err, TXL_NEGATIVE, "%s", line);
    }
    for (unsigned i = 0; i < c->wait_count && n < (int)sizeof line - 300; i++) {
        n += snprintf(line + n, sizeof line - (size_t)n, "; %s", c->waits[i]);
    }
    return txl_refuse(err, TXL_NEGATIVE, "%s", line);
}

/* ---- for people and for programs ---- */

static void finding_of_chip(const void *user, size_t index, struct finding *to,
                            char text[FINDING_PLACE])
{
    const txl_chip *c = user;
    const struct chiprun_finding *one = &c->findings[index];
    snprintf(text, FINDING_PLACE, "the chip");
    if (one->tile != NULL) {
        snprintf(text, FINDING_PLACE, "tile %u,%u", one->tile->column, one->tile->row);
    }
    *to = (struct finding){.what = &one->finding,
                           .place = text,
                           .source = one->source[0] != '\0' ? one->source : NULL,
                           .tiles = one->tiles,
                           .dated = true};
}

char *txl_chip_text(const txl_chip *c)
{
    struct memory_text text;
    struct txl_error err = {.status = TXL_OK};
    const struct txl_chip_result *r = &c->result;
    if (memory_text_open(&err, &text) != TXL_CONTINUE) {
        return NULL;
    }
    fprintf(text.stream, "%s: %s%llu cycles, %u tiles, %llu instructions, %zu findings\n",
            !c->ran                    ? "nothing has run"
            : c->ended == TX_OK        ? "done"
            : c->ended == TX_EDEADLOCK ? "deadlock"
                                       : "not done",
            bound_prefix(r->bounds), (unsigned long long)r->cycles, r->tiles,
            (unsigned long long)r->instructions, r->findings);
    bound_print(text.stream, r->bounds);
    for (unsigned i = 0; i < c->wait_count; i++) {
        fprintf(text.stream, "%s\n", c->waits[i]);
    }
    if (c->waiting > c->wait_count) {
        fprintf(text.stream, "and %u more cores\n", c->waiting - c->wait_count);
    }
    findings_print(text.stream, finding_of_chip, c, c->result.findings);
    if (txl_chip_profile(c) != NULL) {
        fputc('\n', text.stream);
        profile_print(text.stream, txl_chip_profile(c));
        chiprun_profile_print(text.stream, c->profiled);
    }
    if (c->told) {
        char *races = txl_order_text(c->order);
        fputs(races != NULL ? races : "", text.stream);
        free(races);
    }
    return memory_text_take(&text);
}

static txl_json *finding_of(const struct chiprun_finding *one)
{
    txl_json *object = finding_json(&one->finding, one->finding.count);
    if (one->tile != NULL) {
        txl_json *tile = txl_json_array();
        txl_json_append(tile, txl_json_int(one->tile->column));
        txl_json_append(tile, txl_json_int(one->tile->row));
        txl_json_set(object, "tile", tile);
    }
    txl_json_set_int(object, "tiles", one->tiles);
    if (one->source[0] != '\0') {
        txl_json_set_text(object, "source", one->source);
    }
    return object;
}

char *txl_chip_json(const txl_chip *c)
{
    txl_json *root = txl_json_object();
    txl_json *waits = txl_json_array();
    txl_json *findings = txl_json_array();
    txl_json_set_text(root, "arch", tx_arch_name(c->arch));
    txl_json_set_text(root, "ended",
                      !c->ran                    ? "nothing has run"
                      : c->ended == TX_OK        ? "done"
                      : c->ended == TX_EDEADLOCK ? "deadlock"
                      : c->ended == TX_FAULT     ? "fault"
                                                 : "not done");
    txl_json_set_int(root, "cycles", c->result.cycles);
    bound_json(root, c->result.bounds);
    JSON_MEMBERS(root, &c->result, tiles, instructions);
    for (unsigned i = 0; i < c->wait_count; i++) {
        txl_json_append(waits, txl_json_string(c->waits[i]));
    }
    txl_json_set(root, "waits", waits);
    for (size_t i = 0; i < c->result.findings; i++) {
        txl_json_append(findings, finding_of(&c->findings[i]));
    }
    txl_json_set(root, "findings", findings);
    if (txl_chip_profile(c) != NULL) {
        txl_json_set(root, "profile", chiprun_profile_json(c->profiled));
    }
    if (c->told) {
        txl_json_set(root, "races", txl_order_json(c->order));
    }
    return json_text(root);
}
