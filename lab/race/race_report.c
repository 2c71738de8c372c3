/* SPDX-License-Identifier: Apache-2.0 */
/* The report of races: one line for each race followed by details, or JSON. */
#include <tensix/facts.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <tensix-lab/json.h>

#include "base/json.h"
#include "race/race.h"

/* Writes "T1", or "core t1" for a core. */
static const char *who_text(const struct txl_race_place *p, char text[16])
{
    if (p->core) {
        snprintf(text, 16, "core %s", tx_core_name((enum tx_core)p->thread));
    } else {
        snprintf(text, 16, "T%u", p->thread);
    }
    return text;
}

static void print_place(FILE *out, const struct txl_race_place *p, const char *which)
{
    char who[16];
    fprintf(out, "    %s %s %s: %s", which, who_text(p, who), p->source, p->text);
    fprintf(out, ", %s by the %s, pass %" PRIu64 "%s\n", p->writes ? "written" : "read", p->unit,
            p->pass, p->section == TX_SECTION_INIT ? " of .init" : "");
}

static void print_found(FILE *out, const struct txl_race_found *f)
{
    char who[2][16];
    fprintf(out, "race: %s: %s (%s) and %s (%s)\n", f->what, f->place[0].source,
            who_text(&f->place[0], who[0]), f->place[1].source, who_text(&f->place[1], who[1]));
    print_place(out, &f->place[0], "first ");
    print_place(out, &f->place[1], "second");
    fprintf(out, "    why    %s\n", f->why);
    fprintf(out, "    remedy %s\n", f->remedy);
    fprintf(out, "    here   %s, %" PRIu64 " cycle%s apart; %" PRIu64 " time%s\n",
            f->place[0].thread == f->place[1].thread && f->place[0].core == f->place[1].core &&
                    !f->program_order
                ? "the second came first: not as the program has it"
            : f->program_order ? "in the order of the program, by luck"
                               : "in this order, by luck",
            f->cycles, f->cycles == 1 ? "" : "s", f->count, f->count == 1 ? "" : "s");
    if (f->doubt != NULL) {
        fprintf(out, "    doubt  %s: %s %s\n", f->doubt->id, f->doubt->text, f->doubt->evidence);
    }
    if (f->delays != NULL) {
        fprintf(out, "    witness --delays %s: %s\n", f->delays, f->witness);
    } else if (f->trials != 0) {
        fprintf(out, "    witness none in %" PRIu64 " trials\n", f->trials);
    }
}

/* Tells whether this is the first open one of its doubt. */
static bool is_first(const txl_race *race, size_t i)
{
    const struct txl_race_found *f = txl_race_found_at(race, i);
    for (size_t k = 0; k < i; k++) {
        const struct txl_race_found *other = txl_race_found_at(race, k);
        if (other->open && strcmp(other->doubt->id, f->doubt->id) == 0) {
            return false;
        }
    }
    return true;
}

/* One line for each doubt whose open pairs are held back. */
static void print_open(FILE *out, const txl_race *race)
{
    const struct txl_race_found *f;
    for (size_t i = 0; (f = txl_race_found_at(race, i)) != NULL; i++) {
        if (!f->open || !is_first(race, i)) {
            continue;
        }
        size_t pairs = 0;
        uint64_t count = 0;
        const struct txl_race_found *other;
        for (size_t k = i; (other = txl_race_found_at(race, k)) != NULL; k++) {
            const bool same = other->open && strcmp(other->doubt->id, f->doubt->id) == 0;
            pairs += same ? 1 : 0;
            count += same ? other->count : 0;
        }
        fprintf(out, "doubt: %s: %zu pair%s of places, %" PRIu64 " time%s, the first %s and %s\n",
                f->doubt->id, pairs, pairs == 1 ? "" : "s", count, count == 1 ? "" : "s",
                f->place[0].source, f->place[1].source);
    }
}

static void print_idioms(FILE *out, const struct txl_race *race)
{
    const struct txl_race_idiom *i;
    for (size_t k = 0; (i = txl_race_idiom_at(race, k)) != NULL; k++) {
        fprintf(out, "note: %s, %" PRIu64 " time%s: %s\n    evidence %s\n", i->id, i->count,
                i->count == 1 ? "" : "s", i->text, i->evidence);
    }
}

/* Returns the i-th kind of access in this run that is not checked, or NULL past the end. */
static const char *not_looked_at(const struct txl_race *r, size_t i)
{
    static const struct {
        const char *what;
        bool cores, cache; /* only with programs of cores; only with a data cache */
    } all[] = {
        {"requests to the NoC that instructions make", false, false},
        {"commands that cores give to the mover", true, false},
        {"other tiles", true, false},
        {"loads that Blackhole's data cache answers with old data for want of a fence", true, true},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const bool here = (r->tile != NULL || !all[k].cores) &&
                          (!all[k].cache || tx_arch_fact(r->arch, TX_FACT_DATA_CACHE));
        if (here && i-- == 0) {
            return all[k].what;
        }
    }
    return NULL;
}

char *txl_race_text(const txl_race *race, bool evidence)
{
    struct memory_text memory;
    if (memory_text_open(NULL, &memory) != TXL_CONTINUE) {
        return NULL;
    }
    const struct txl_race_result *result = txl_race_result(race);
    const bool held = race->how.hold_open;
    const size_t races = result->found - (held ? result->open : 0);
    for (size_t i = 0; i < result->found; i++) {
        const struct txl_race_found *found = txl_race_found_at(race, i);
        if (!found->known && !(held && found->open)) {
            print_found(memory.stream, found);
        }
    }
    if (held) {
        print_open(memory.stream, race);
    }
    if (evidence) {
        print_idioms(memory.stream, race);
        for (size_t i = 0; not_looked_at(race, i) != NULL; i++) {
            fprintf(memory.stream, "not looked at: %s\n", not_looked_at(race, i));
        }
    }
    fprintf(memory.stream, "%s: %zu race%s, ", race->name, races, races == 1 ? "" : "s");
    if (held && result->open != 0) {
        fprintf(memory.stream, "%zu in doubt, which --doubts reports, ", result->open);
    }
    fprintf(memory.stream, "%" PRIu64 " instructions, %" PRIu64 " accesses to shared state\n",
            result->instructions, result->accesses);
    if (result->known_file == TXL_RACE_KNOWN_READ) {
        fprintf(memory.stream, "%s: %zu known, %zu new, %zu known no longer found\n", race->name,
                result->known, result->found - result->known, result->unseen);
    } else if (result->known_file == TXL_RACE_KNOWN_WRITTEN) {
        fprintf(memory.stream, "%s: written as known: %zu\n", race->name, result->found);
    }
    return memory_text_close(NULL, &memory) == TXL_CONTINUE ? memory.text : NULL;
}

static txl_json *place_json(const struct txl_race_place *p)
{
    txl_json *o = txl_json_object();
    if (p->core) {
        txl_json_set_text(o, "core", tx_core_name((enum tx_core)p->thread));
    } else {
        txl_json_set_int(o, "thread", p->thread);
    }
    txl_json_set_text(o, "section", p->section == TX_SECTION_INIT ? ".init" : ".tile");
    JSON_MEMBERS(o, p, source, line);
    txl_json_set_text(o, "instruction", p->text);
    txl_json_set_word(o, "word", p->word);
    txl_json_set_text(o, "unit", p->unit);
    txl_json_set_text(o, "access", p->writes ? "write" : "read");
    txl_json_set_int(o, "pass", p->pass);
    return o;
}

static txl_json *found_json(const struct txl_race_found *f)
{
    txl_json *o = txl_json_object();
    txl_json *places = txl_json_array();
    txl_json_set_text(o, "state", f->what);
    txl_json_append(places, place_json(&f->place[0]));
    txl_json_append(places, place_json(&f->place[1]));
    txl_json_set(o, "places", places);
    JSON_MEMBERS(o, f, why, remedy, program_order, known);
    txl_json_set_text(o, "doubt", f->doubt != NULL ? f->doubt->id : NULL);
    JSON_MEMBERS(o, f, open, cycles, count);
    if (f->trials != 0) {
        JSON_MEMBERS(o, f, delays, witness, trials);
    }
    return o;
}

char *txl_race_json(const txl_race *race)
{
    const struct txl_race_result *result = txl_race_result(race);
    const struct txl_race_idiom *idiom;
    txl_json *o = txl_json_object();
    txl_json *races = txl_json_array();
    txl_json *idioms = txl_json_array();
    txl_json_set_text(o, "kernel", race->name);
    txl_json_set_text(o, "arch", tx_arch_name(race->arch));
    for (size_t i = 0; i < result->found; i++) {
        txl_json_append(races, found_json(txl_race_found_at(race, i)));
    }
    txl_json_set(o, "races", races);
    for (size_t k = 0; (idiom = txl_race_idiom_at(race, k)) != NULL; k++) {
        txl_json *one = txl_json_object();
        JSON_MEMBERS(one, idiom, id, text, evidence, count);
        txl_json_append(idioms, one);
    }
    txl_json_set(o, "idioms", idioms);
    txl_json *beyond = txl_json_array();
    for (size_t k = 0; not_looked_at(race, k) != NULL; k++) {
        txl_json_append(beyond, txl_json_string(not_looked_at(race, k)));
    }
    txl_json_set(o, "not_looked_at", beyond);
    if (result->known_file != TXL_RACE_KNOWN_NONE) {
        txl_json_set_int(o, "known", result->known);
        txl_json_set_int(o, "known_no_longer_found", result->unseen);
    }
    JSON_MEMBERS(o, result, open, instructions, accesses);
    char *text = txl_json_indented(o);
    txl_json_free(o);
    return text;
}
