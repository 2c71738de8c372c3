/* SPDX-License-Identifier: Apache-2.0 */
/* Reads one vector: name, program and expectations. The states are read in vector_state.c. */
#include "vectors/vector.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "vectors/vector_state.h"

static const size_t most_words = 1 << 22;

static json_t *vectors_vector_load(const char *text, size_t length, struct txl_error *err)
{
    json_error_t error;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL) {
        fail_false(err, "not JSON: %s (column %d)", error.text, error.column);
        return NULL;
    }
    if (!json_is_object(root)) {
        json_decref(root);
        fail_false(err, "not a JSON object");
        return NULL;
    }
    return root;
}

static bool parse_words(json_t *value, uint32_t **words, size_t *count, struct txl_error *err)
{
    size_t size = json_array_size(value);
    if (!json_is_array(value) || size > most_words) {
        return fail_false(err, "program is not a list of words");
    }
    *words = calloc(size + 1, sizeof **words);
    if (*words == NULL) {
        return fail_false(err, "out of memory");
    }
    for (size_t i = 0; i < size; i++) {
        json_t *word = json_array_get(value, i);
        if (!json_is_string(word) ||
            !jx_parse_hex(json_string_value(word), json_string_length(word), *words + i, 1, 8)) {
            return fail_false(err, "program: word %zu is not 8 hex digits", i);
        }
    }
    *count = size;
    return true;
}

static bool parse_programs(json_t *value, struct vector *v, struct txl_error *err)
{
    if (!json_is_object(value)) {
        return fail_false(err, "programs is not an object");
    }
    const char *key;
    json_t *list;
    json_object_foreach(value, key, list)
    {
        if (key[0] < '0' || key[0] > '2' || key[1] != '\0') {
            return fail_false(err, "programs: '%.20s' is no thread", key);
        }
        unsigned thread = (unsigned)(key[0] - '0');
        if (!parse_words(list, &v->words[thread], &v->count[thread], err)) {
            return false;
        }
    }
    v->has_programs = true;
    return true;
}

static bool parse_gaps(json_t *value, struct vector *v, struct txl_error *err)
{
    size_t size = json_array_size(value);
    if (!json_is_array(value) || v->has_programs || size != v->count[v->thread]) {
        return fail_false(err, "gaps is not a list as long as program");
    }
    v->gaps = calloc(size + 1, sizeof *v->gaps);
    if (v->gaps == NULL) {
        return fail_false(err, "out of memory");
    }
    for (size_t i = 0; i < size; i++) {
        json_t *gap = json_array_get(value, i);
        json_int_t number = json_integer_value(gap);
        if (!json_is_integer(gap) || number < 0 || number > 1000000) {
            return fail_false(err, "gaps: entry %zu is not a number from 0 to 1000000", i);
        }
        v->gaps[i] = (uint32_t)number;
    }
    return true;
}

static bool take_count(json_t *value, const char *key, uint64_t most, uint64_t *out,
                       struct txl_error *err)
{
    json_int_t number = json_integer_value(value);
    if (!json_is_integer(value) || number < 0 || (uint64_t)number > most) {
        return fail_false(err, "%s is not a number from 0 to %llu", key, (unsigned long long)most);
    }
    *out = (uint64_t)number;
    return true;
}

static bool parse_header(json_t *root, struct vector *v, struct txl_error *err)
{
    json_t *name = json_object_get(root, "name");
    if (!json_is_string(name)) {
        return fail_false(err, "name is missing");
    }
    json_t *arch = json_object_get(root, "arch");
    enum tx_status status =
        json_is_string(arch) ? tx_arch_parse(json_string_value(arch), &v->arch) : TX_ENOENT;
    if (status != TX_OK) {
        return fail_false(err, status == TX_EUNSUPPORTED ? "arch is not modelled"
                                                         : "arch is missing or unknown");
    }
    uint64_t number = 1;
    json_t *thread = json_object_get(root, "thread");
    if (thread != NULL && !take_count(thread, "thread", TX_THREADS - 1, &number, err)) {
        return false;
    }
    v->thread = (unsigned)number;
    json_t *format = json_object_get(root, "format");
    v->has_format = format != NULL;
    if (format != NULL && (!json_is_integer(format) || json_integer_value(format) != 1)) {
        return fail_false(err, "format is not 1");
    }
    json_t *fault = json_object_get(root, "fault");
    if (fault != NULL &&
        (!json_is_string(fault) ||
         tx_category_parse(json_string_value(fault), &v->fault) != TX_OK || v->fault == TX_NONE)) {
        return fail_false(err, "fault is no category");
    }
    json_t *source = json_object_get(root, "source");
    if (source != NULL && !json_is_string(source)) {
        return fail_false(err, "source is not text");
    }
    return true;
}

/*
 * Reads a value such as {"0": 2}: at the end word 2 of thread 0 is not done, while all words of the
 * other threads are.
 */
static bool parse_stalled(json_t *value, struct vector *v, struct txl_error *err)
{
    const char *key;
    json_t *number;
    memcpy(v->stalled, v->count, sizeof v->stalled);
    v->has_stalled = true;
    json_object_foreach(value, key, number)
    {
        const unsigned thread = (unsigned)(key[0] - '0');
        const json_int_t index = json_integer_value(number);
        if (thread >= TX_THREADS || key[1] != '\0' || !json_is_integer(number) || index < 0 ||
            (size_t)index >= v->count[thread]) {
            return fail_false(err, "stalled: '%.20s' is no thread with a word of its own", key);
        }
        v->stalled[thread] = (size_t)index;
    }
    return json_is_object(value) || fail_false(err, "stalled is not an object");
}

/* Fills the rows of SrcA and SrcB in the final state with src_fill; named rows replace it later. */
static void fill_src(const struct vec_state *initial, struct vec_state *final)
{
    for (unsigned i = 0; i < 4 * TX_SRC_ROWS * 16; i++) {
        const unsigned src = i / (2 * TX_SRC_ROWS * 16);
        final->src[src][i / (TX_SRC_ROWS * 16) % 2][i / 16 % TX_SRC_ROWS][i % 16] =
            initial->src_fill[src];
    }
}

/*
 * With src_fill, naming one bank of a source in the final state names the other one too, whose
 * cells then hold src_fill. Returns true, for use in a return.
 */
static bool join_banks(const struct vec_state *initial, struct vec_state *final)
{
    for (unsigned src = 0; src < 2 && (initial->keys & VEC_SRC_FILL) != 0; src++) {
        const uint32_t banks = 3U << (2 * src);
        final->src_banks |= (final->src_banks & banks) != 0 ? banks : 0;
    }
    return true;
}

/*
 * A vector of the Matrix Unit that states no times comes from a functional model, in which each
 * instruction is done before the next begins. Hardware does not hold ELWADD and ELWSUB behind a
 * move (E-MOVEDST), so such a vector's words are presented when rows moved to are there.
 */
static bool settle_moves(struct vector *v, struct txl_error *err)
{
    enum { SETTLED = 3 };
    const bool matrix = (v->initial.keys & (VEC_SRC_VALID | VEC_SRC_BANK)) != 0;
    if (!matrix || v->has_unpacker || v->has_programs || v->gaps != NULL || v->has_cycles ||
        v->has_issue_cycles) {
        return true;
    }
    v->gaps = calloc(v->count[v->thread] + 1, sizeof *v->gaps);
    if (v->gaps == NULL) {
        return fail_false(err, "out of memory");
    }
    for (size_t i = 1; i < v->count[v->thread]; i++) {
        v->gaps[i] = SETTLED;
    }
    return true;
}

static bool parse_body(json_t *root, struct vector *v, struct txl_error *err)
{
    json_t *program = json_object_get(root, "program");
    json_t *programs = json_object_get(root, "programs");
    if ((program == NULL) == (programs == NULL)) {
        return fail_false(err, "there must be either program or programs");
    }
    if (program != NULL && !parse_words(program, &v->words[v->thread], &v->count[v->thread], err)) {
        return false;
    }
    if (programs != NULL && !parse_programs(programs, v, err)) {
        return false;
    }
    json_t *gaps = json_object_get(root, "gaps");
    if (gaps != NULL && !parse_gaps(gaps, v, err)) {
        return false;
    }
    json_t *cycles = json_object_get(root, "cycles");
    v->has_cycles = cycles != NULL;
    if (cycles != NULL && !take_count(cycles, "cycles", INT64_MAX, &v->cycles, err)) {
        return false;
    }
    json_t *issue = json_object_get(root, "issue_cycles");
    v->has_issue_cycles = issue != NULL;
    if (issue != NULL && !take_count(issue, "issue_cycles", INT64_MAX, &v->issue_cycles, err)) {
        return false;
    }
    json_t *stall = json_object_get(root, "stall_at");
    v->has_stall = stall != NULL;
    if (stall != NULL && !take_count(stall, "stall_at", INT64_MAX, &v->stall_at, err)) {
        return false;
    }
    if (stall != NULL && v->stall_at + 1 != v->count[v->thread]) {
        return fail_false(err, "stall_at is not the last word");
    }
    json_t *stalled = json_object_get(root, "stalled");
    if (stalled != NULL && !parse_stalled(stalled, v, err)) {
        return false;
    }
    json_t *initial = json_object_get(root, "initial");
    v->has_unpacker = stalled != NULL || json_object_get(initial, "src_state") != NULL;
    json_t *final = json_object_get(root, "final");
    v->has_final = final != NULL;
    if (initial != NULL && !vector_take_state(initial, "initial", &v->initial, err)) {
        return false;
    }
    fill_src(&v->initial, &v->final);
    if (!settle_moves(v, err)) {
        return false;
    }
    return final == NULL || (vector_take_state(final, "final", &v->final, err) &&
                             join_banks(&v->initial, &v->final));
}

static bool check_keys(json_t *root, struct txl_error *err)
{
    static const char *const known[] = {"name",         "arch",  "thread",  "format",   "programs",
                                        "program",      "gaps",  "initial", "final",    "cycles",
                                        "issue_cycles", "fault", "source",  "stall_at", "stalled"};
    const char *key;
    json_t *value;
    json_object_foreach(root, key, value)
    {
        bool found = false;
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
            found |= strcmp(key, known[i]) == 0;
        }
        if (!found) {
            return fail_false(err, "unknown key '%.40s'", key);
        }
    }
    return true;
}

bool vector_parse(const char *line, size_t length, struct vector **out, struct txl_error *err)
{
    *out = NULL;
    json_t *root = vectors_vector_load(line, length, err);
    if (root == NULL) {
        return false;
    }
    struct vector *v = calloc(1, sizeof *v);
    if (v == NULL) {
        json_decref(root);
        return fail_false(err, "out of memory");
    }
    json_t *name = json_object_get(root, "name");
    snprintf(v->name, sizeof v->name, "%s", json_is_string(name) ? json_string_value(name) : "");
    bool good = check_keys(root, err) && parse_header(root, v, err) && parse_body(root, v, err);
    json_decref(root);
    if (!good) {
        vector_free(v);
        return false;
    }
    *out = v;
    return true;
}

bool vector_parse_state(const char *text, size_t length, struct vec_state *state,
                        struct txl_error *err)
{
    memset(state, 0, sizeof *state);
    json_t *root = vectors_vector_load(text, length, err);
    if (root == NULL) {
        return false;
    }
    bool good = vector_take_state(root, "state", state, err);
    json_decref(root);
    if (!good) {
        vector_state_clear(state);
    }
    return good;
}

void vector_name(const char *line, size_t length, char name[VEC_NAME])
{
    json_t *root = json_loadb(line, length, 0, NULL);
    json_t *text = json_object_get(root, "name");
    snprintf(name, VEC_NAME, "%s", json_is_string(text) ? json_string_value(text) : "");
    json_decref(root);
}

void vector_state_clear(struct vec_state *state)
{
    for (size_t i = 0; i < state->l1_count; i++) {
        free(state->l1[i].bytes);
    }
    free(state->l1);
    state->l1 = NULL;
    state->l1_count = 0;
    free(state->config);
    state->config = NULL;
    state->config_count = 0;
}

void vector_free(struct vector *vector)
{
    if (vector == NULL) {
        return;
    }
    for (unsigned t = 0; t < TX_THREADS; t++) {
        free(vector->words[t]);
    }
    free(vector->gaps);
    vector_state_clear(&vector->initial);
    vector_state_clear(&vector->final);
    free(vector);
}
