/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles of launches in the forms of the vendor's tools. */
#include <tensix/facts.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/small.h"
#include "page/card.h"
#include "page/op_table.h"

#include <stdlib.h>
#include <string.h>

#include <tensix-lab/card.h>

static uint64_t card_forms_number(const json_t *object, const char *key)
{
    return (uint64_t)json_integer_value(json_object_get(object, key));
}

static void names_of(const json_t *launch, char *names, size_t size)
{
    size_t i;
    json_t *kernel;
    names[0] = '\0';
    json_array_foreach(json_object_get(launch, "kernels"), i, kernel)
    {
        const size_t n = strlen(names);
        (void)snprintf(names + n, size - n, "%s%s", n != 0 ? ", " : "", json_string_value(kernel));
    }
}

static enum tx_arch arch_of(const json_t *session)
{
    const char *chip = json_string_value(json_object_get(session, "chip"));
    return chip != NULL && strcmp(chip, tx_arch_name(TX_WORMHOLE)) == 0 ? TX_WORMHOLE
                                                                        : TX_BLACKHOLE;
}

/* A row for each launch; of one that was watched in part there is none. */
static void put_ops(FILE *out, const json_t *session, uint64_t *before, unsigned *call)
{
    static const char *const cores[PAGE_OP_CORES] = {"brisc", "ncrisc", "trisc0", "trisc1",
                                                     "trisc2"};
    const enum tx_arch arch = arch_of(session);
    size_t i;
    json_t *launch;
    json_array_foreach(json_object_get(session, "launches"), i, launch)
    {
        char names[2048];
        const json_t *op = json_object_get(launch, "op");
        if (op == NULL || json_is_true(json_object_get(op, "cut"))) {
            continue;
        }
        names_of(launch, names, sizeof names);
        struct page_op row = {.code = names,
                              .arch = tx_arch_name(arch),
                              .at_least = json_is_true(json_object_get(op, "at_least")),
                              .call = ++*call,
                              .cores = (unsigned)card_forms_number(launch, "tiles"),
                              .first = card_forms_number(launch, "first"),
                              .cycles = card_forms_number(op, "cycles"),
                              .mhz = tx_arch_fact(arch, TX_FACT_CLOCK_MHZ)};
        row.before = *before != 0 && row.first > *before ? row.first - *before : 0;
        *before = row.first + row.cycles;
        for (unsigned k = 0; k < PAGE_OP_CORES; k++) {
            row.of[k] = card_forms_number(json_object_get(op, "processors"), cores[k]);
        }
        page_op_row(out, &row);
    }
}

/* Requests of all launches, each with the launch's number and name; cycles are the chip's. */
static void put_events(FILE *out, const json_t *session, const char **between)
{
    size_t i, k;
    json_t *launch, *event;
    json_array_foreach(json_object_get(session, "launches"), i, launch)
    {
        char names[2048];
        names_of(launch, names, sizeof names);
        json_array_foreach(json_object_get(launch, "events"), k, event)
        {
            json_object_set_new(event, "run_host_id", json_integer((json_int_t)i + 1));
            json_object_set_new(event, "op_name", json_string(names));
            char *text = json_dumps(event, JSON_COMPACT);
            fprintf(out, "%s%s", *between, text != NULL ? text : "null");
            free(text);
            *between = ",\n";
        }
    }
}

static void put_form(FILE *out, const char *path, const json_t *report)
{
    const bool table = text_ends_in(path, ".ops.csv");
    const char *between = "[\n";
    uint64_t before = 0;
    unsigned call = 0;
    size_t i;
    json_t *session;
    if (table) {
        page_op_head(out);
    }
    json_array_foreach(json_object_get(report, "sessions"), i, session)
    {
        if (table) {
            before = 0;
            put_ops(out, session, &before, &call);
        } else {
            put_events(out, session, &between);
        }
    }
    if (!table) {
        fputs(*between == '[' ? "[\n]\n" : "\n]\n", out);
    }
}

int txl_card_profile_file(struct txl_error *err, const char *path, const char *report)
{
    struct memory_text text;
    if (!text_ends_in(path, ".ops.csv") && !text_ends_in(path, ".noc.json")) {
        char *lines = txl_card_profile_text(err, report);
        const int result =
            lines != NULL ? txl_write_file(err, path, lines, strlen(lines)) : TXL_INPUT;
        free(lines);
        return result;
    }
    json_t *all = json_loads(report, 0, NULL);
    int result = memory_text_open(err, &text);
    if (result == TXL_CONTINUE) {
        put_form(text.stream, path, all);
        result = memory_text_close(err, &text);
    }
    if (result == TXL_CONTINUE) {
        result = txl_write_file(err, path, text.text, text.size);
        free(text.text);
    }
    json_decref(all);
    return result;
}
