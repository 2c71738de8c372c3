/* SPDX-License-Identifier: Apache-2.0 */
/* Where the cycles of launches on an emulated card went: sums over launches of the same kernels. */
#include "page/card.h"

#include "base/error.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#include <tensix-lab/card.h>

enum { NAME = 2048 };

static json_int_t card_profile_number(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static void card_profile_add(json_t *to, const json_t *from, const char *key)
{
    json_object_set_new(
        to, key, json_integer(card_profile_number(to, key) + card_profile_number(from, key)));
}

/* Returns the element of an array whose member is that text; a new one where there is none. */
static json_t *element(json_t *array, const char *key, const char *text)
{
    size_t i;
    json_t *one;
    json_array_foreach(array, i, one)
    {
        const char *has = json_string_value(json_object_get(one, key));
        if (has != NULL && strcmp(has, text) == 0) {
            return one;
        }
    }
    one = json_object();
    json_object_set_new(one, key, json_string(text));
    json_array_append_new(array, one);
    return one;
}

static json_t *member(json_t *object, const char *key, json_t *fresh)
{
    json_t *has = json_object_get(object, key);
    if (has == NULL) {
        json_object_set(object, key, fresh);
        has = fresh;
    }
    json_decref(fresh);
    return has;
}

static int by_cycles(const void *a, const void *b)
{
    const json_int_t x = card_profile_number(*(json_t *const *)a, "cycles");
    const json_int_t y = card_profile_number(*(json_t *const *)b, "cycles");
    return x != y ? (x > y ? -1 : 1) : 0;
}

static void sort(json_t *array)
{
    const size_t count = json_array_size(array);
    json_t **list = calloc(count + 1, sizeof *list);
    for (size_t i = 0; list != NULL && i < count; i++) {
        list[i] = json_incref(json_array_get(array, i));
    }
    if (list != NULL) {
        qsort(list, count, sizeof *list, by_cycles);
        for (size_t i = 0; i < count; i++) {
            json_array_set_new(array, i, list[i]);
        }
    }
    free(list);
}

static void add_lanes(json_t *to, const json_t *from)
{
    static const char *const kinds[] = {"works", "waits", "idle"};
    size_t i, k;
    json_t *lane, *part;
    json_array_foreach(from, i, lane)
    {
        json_t *one = element(to, "lane", json_string_value(json_object_get(lane, "lane")));
        for (k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
            card_profile_add(one, lane, kinds[k]);
        }
        json_t *parts = member(one, "for", json_array());
        json_array_foreach(json_object_get(lane, "for"), k, part)
        {
            card_profile_add(
                element(parts, "text", json_string_value(json_object_get(part, "text"))), part,
                "cycles");
        }
        sort(parts);
    }
}

static void add_launch(json_t *to, const json_t *launch, const json_t *profile)
{
    static const char *const sums[] = {"cycles", "tile_cycles"};
    const json_int_t tiles = card_profile_number(profile, "tiles");
    const char *unit;
    json_t *value;
    json_object_set_new(to, "launches", json_integer(card_profile_number(to, "launches") + 1));
    if (tiles > card_profile_number(to, "tiles")) {
        json_object_set_new(to, "tiles", json_integer(tiles));
    }
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++) {
        card_profile_add(to, profile, sums[i]);
    }
    (void)member(to, "at_least", json_false());
    if (json_is_true(json_object_get(profile, "at_least"))) {
        json_object_set_new(to, "at_least", json_true());
    }
    (void)member(to, "cut", json_false());
    if (json_is_true(json_object_get(profile, "cut"))) {
        json_object_set_new(to, "cut", json_true());
    }
    (void)member(to, "kernels", json_incref(json_object_get(launch, "kernels")));
    json_t *busy = member(to, "busy", json_object());
    json_object_foreach(json_object_get(profile, "busy"), unit, value)
    {
        card_profile_add(busy, json_object_get(profile, "busy"), unit);
    }
    add_lanes(member(to, "lanes", json_array()), json_object_get(profile, "lanes"));
}

static void name_of(const json_t *launch, char name[NAME])
{
    size_t i;
    json_t *kernel;
    name[0] = '\0';
    json_array_foreach(json_object_get(launch, "kernels"), i, kernel)
    {
        const size_t n = strlen(name);
        (void)snprintf(name + n, NAME - n, "%s%s", n != 0 ? ", " : "", json_string_value(kernel));
    }
}

/*
 * Of a launch's own profile its numbers stay there; what is long (tiles, links, the path, the
 * repetitions) is kept once for the launches of the same kernels, of the one that was run again, or
 * else of the longest.
 */
static void keep_op(json_t *sum, json_t *launch, json_t *op, size_t index)
{
    static const char *const shown[] = {"cut",        "cycles",       "at_least",
                                        "bound",      "bound_cycles", "roofline",
                                        "dram_bytes", "requests",     "processors"};
    json_t *brief = json_object();
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        json_object_set(brief, shown[i], json_object_get(op, shown[i]));
    }
    json_object_set_new(launch, "op", brief);
    const json_t *kept = json_object_get(sum, "op");
    const bool again = json_array_size(json_object_get(op, "again")) != 0;
    const bool had = json_array_size(json_object_get(kept, "again")) != 0;
    if (kept == NULL || (again && !had) ||
        (again == had && card_profile_number(op, "cycles") > card_profile_number(kept, "cycles"))) {
        json_object_set_new(op, "launch", json_integer((json_int_t)index));
        json_object_set(sum, "op", op);
    }
}

void card_fold(json_t *session)
{
    json_t *sums = json_array();
    json_t *launch;
    size_t i;
    json_array_foreach(json_object_get(session, "launches"), i, launch)
    {
        char name[NAME];
        const json_t *profile = json_object_get(launch, "profile");
        if (profile != NULL) {
            name_of(launch, name);
            json_t *sum = element(sums, "name", name);
            add_launch(sum, launch, profile);
            if (json_object_get(profile, "op") != NULL) {
                keep_op(sum, launch, json_object_get(profile, "op"), i);
            }
            if (json_object_get(profile, "events") != NULL) {
                json_object_set(launch, "events", json_object_get(profile, "events"));
            }
            json_object_del(launch, "profile");
        }
    }
    sort(sums);
    if (json_array_size(sums) != 0) {
        json_object_set(session, "profile", sums);
    }
    json_decref(sums);
}

/* ---- for people ---- */

static double share(json_int_t part, json_int_t whole)
{
    return whole != 0 ? 100.0 * (double)part / (double)whole : 0;
}

static void print_lanes(FILE *out, const json_t *sum)
{
    enum { LANES = 6, LEAST = 5 };
    const json_int_t all = card_profile_number(sum, "tile_cycles");
    size_t i;
    json_t *lane;
    unsigned lines = 0;
    json_array_foreach(json_object_get(sum, "lanes"), i, lane)
    {
        const json_t *first = json_array_get(json_object_get(lane, "for"), 0);
        const double waits = share(card_profile_number(first, "cycles"), all);
        if (waits >= LEAST && lines < LANES) {
            lines++;
            fprintf(out, "    %-9s %5.1f %% works, %.1f %% waits for %s\n",
                    json_string_value(json_object_get(lane, "lane")),
                    share(card_profile_number(lane, "works"), all), waits,
                    json_string_value(json_object_get(first, "text")));
        }
    }
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

/* The path of one launch, what to change first, and what that would save. */
static void print_op(FILE *out, const json_t *op)
{
    enum { STEPS = 4 };
    const char *least = json_is_true(json_object_get(op, "at_least")) ? "at least " : "";
    const json_int_t cycles = card_profile_number(op, "cycles");
    const char *between = "";
    const char *unit;
    json_t *value;
    size_t i;
    if (op == NULL) {
        return;
    }
    fprintf(out, "    launch %lld: %s%lld cycles, bound by %s (%.0f %% of the path)\n",
            (long long)card_profile_number(op, "launch") + 1, least, (long long)cycles,
            text_of(op, "bound"), share(card_profile_number(op, "bound_cycles"), cycles));
    fprintf(out, "    change first  %s\n", text_of(op, "change"));
    if (json_array_size(json_object_get(op, "again")) == 0) {
        fprintf(out, "    run again     no: %s\n", text_of(op, "again_not"));
    }
    json_array_foreach(json_object_get(op, "path"), i, value)
    {
        if (i < STEPS) {
            const bool waits = strcmp(text_of(value, "kind"), "waits") == 0;
            fprintf(out, "    %-13s %s%lld %.1f %% %s: %s %s%s\n", i == 0 ? "path" : "", least,
                    (long long)card_profile_number(value, "cycles"),
                    share(card_profile_number(value, "cycles"), cycles), text_of(value, "bound"),
                    text_of(value, "lane"), waits ? "waits for " : "", text_of(value, "text"));
        }
    }
    fprintf(out, "    roofline      %sof the launch's time the busiest works: ", least);
    json_object_foreach(json_object_get(op, "roofline"), unit, value)
    {
        fprintf(out, "%s%s %.1f %%", between, unit, 100 * json_real_value(value));
        between = ", ";
    }
    fputc('\n', out);
}

static void print_session(FILE *out, const json_t *session)
{
    static const char *const units[] = {"unpack", "matrix", "vector", "pack", "cores"};
    enum { SHOWN = 16 };
    const json_t *sums = json_object_get(session, "profile");
    json_int_t all = 0;
    size_t i, k;
    json_t *sum;
    json_array_foreach(sums, i, sum)
    {
        all += card_profile_number(sum, "cycles");
    }
    fprintf(out,
            "profile of %s, %lld cycles of launches; the last columns: of their cycles the busiest "
            "works, in %%\n"
            "      cycles  share launches tiles unpack matrix vector   pack  cores  kernels\n",
            json_string_value(json_object_get(session, "product")), (long long)all);
    json_array_foreach(sums, i, sum)
    {
        if (i == SHOWN) {
            fprintf(out, "and %zu more (--report has all)\n", json_array_size(sums) - SHOWN);
            break;
        }
        fprintf(out, "%12lld %4.1f %% %8lld %5lld", (long long)card_profile_number(sum, "cycles"),
                share(card_profile_number(sum, "cycles"), all),
                (long long)card_profile_number(sum, "launches"),
                (long long)card_profile_number(sum, "tiles"));
        for (k = 0; k < sizeof units / sizeof units[0]; k++) {
            fprintf(out, " %6.1f",
                    share(card_profile_number(json_object_get(sum, "busy"), units[k]),
                          card_profile_number(sum, "cycles")));
        }
        fprintf(out, "  %s%s\n", json_string_value(json_object_get(sum, "name")),
                json_is_true(json_object_get(sum, "at_least")) ? " (at least)" : "");
        print_op(out, json_object_get(sum, "op"));
        print_lanes(out, sum);
    }
}

char *txl_card_profile_text(struct txl_error *err, const char *report)
{
    struct memory_text text;
    json_t *all = json_loads(report, 0, NULL);
    size_t i;
    json_t *session;
    if (memory_text_open(err, &text) != TXL_CONTINUE) {
        json_decref(all);
        return NULL;
    }
    unsigned shown = 0;
    json_array_foreach(json_object_get(all, "sessions"), i, session)
    {
        if (json_object_get(session, "profile") != NULL) {
            shown++;
            print_session(text.stream, session);
        }
    }
    if (shown == 0) {
        fputs("profile: no launch was seen; they are known by the ELF files that a host of "
              "tt-metal opens\n",
              text.stream);
    }
    json_decref(all);
    char *bytes = memory_text_take(&text);
    if (bytes == NULL) {
        (void)no_memory(err);
    }
    return bytes;
}
