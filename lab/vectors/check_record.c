/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors from programs: what the machine holds before and after, in the vectors' own format. */
#include "vectors/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/guard.h"
#include "base/json.h"

static void set_file(json_t *state, const tx_machine *m, enum tx_file file, const char *key,
                     size_t count)
{
    uint32_t values[TX_LANES];
    if (tx_read(m, file, 0, values, count) == TX_OK) {
        json_object_set_new(state, key, jx_hex_array(values, count, 8));
    }
}

static void set_lregs(json_t *state, const tx_machine *m)
{
    json_t *lregs = json_object();
    for (unsigned i = 0; i < TX_LREGS; i++) {
        char key[8];
        uint32_t lanes[TX_LANES];
        snprintf(key, sizeof key, "%u", i);
        if (tx_read(m, TX_FILE_LREG, i, lanes, TX_LANES) == TX_OK) {
            json_object_set_new(lregs, key, jx_hex_array(lanes, TX_LANES, 8));
        }
    }
    json_object_set_new(state, "lreg", lregs);
}

/* Left out where lanes differ in depth: the format has no word for that. */
static void set_stack(json_t *state, const tx_machine *m)
{
    uint32_t depth[TX_LANES];
    if (tx_read(m, TX_FILE_STACK_DEPTH, 0, depth, TX_LANES) != TX_OK || depth[0] > VEC_STACK) {
        return;
    }
    for (unsigned i = 1; i < TX_LANES; i++) {
        if (depth[i] != depth[0]) {
            return;
        }
    }
    json_t *list = json_array();
    for (unsigned i = 0; i < depth[0]; i++) {
        uint32_t pair[2] = {0};
        (void)tx_read(m, TX_FILE_FLAG_STACK, i, pair, 2);
        json_t *entry = json_array();
        json_array_append_new(entry, jx_hex_array(&pair[0], 1, 8));
        json_array_append_new(entry, jx_hex_array(&pair[1], 1, 8));
        json_array_append_new(list, entry);
    }
    json_object_set_new(state, "flag_stack", list);
}

/* False where the lanes differ. */
static bool one_word(const tx_machine *m, enum tx_file file, unsigned index, uint32_t *word)
{
    uint32_t lanes[TX_LANES];
    if (tx_read(m, file, index, lanes, TX_LANES) != TX_OK) {
        return false;
    }
    *word = lanes[0];
    for (unsigned i = 1; i < TX_LANES; i++) {
        if (lanes[i] != lanes[0]) {
            return false;
        }
    }
    return true;
}

static void set_macro(json_t *state, const tx_machine *m)
{
    json_t *macro = json_object();
    static const enum tx_file files[] = {TX_FILE_MACRO_TEMPLATE, TX_FILE_MACRO_SEQUENCE};
    static const char *const names[] = {"template", "sequence"};
    uint32_t word = 0;
    for (unsigned f = 0; f < 2; f++) {
        json_t *list = json_array();
        for (unsigned i = 0; i < 4 && one_word(m, files[f], i, &word); i++) {
            json_array_append_new(list, jx_hex_array(&word, 1, 8));
        }
        if (json_array_size(list) == 4) {
            json_object_set(macro, names[f], list);
        }
        json_decref(list);
    }
    if (one_word(m, TX_FILE_MACRO_MISC, 0, &word)) {
        json_object_set_new(macro, "misc", jx_hex_array(&word, 1, 8));
    }
    json_object_set_new(state, "macro", macro);
}

static void set_dst(json_t *state, const tx_machine *m)
{
    json_t *dst = json_object();
    uint32_t digits[TX_DST_ROWS / 4] = {0};
    bool all = true;
    for (unsigned row = 0; row < TX_DST_ROWS; row++) {
        uint32_t cells[TX_DST_WIDTH];
        uint32_t any = 0;
        uint32_t valid = 1;
        (void)tx_read(m, TX_FILE_DST_VALID, row, &valid, 1);
        all = all && valid != 0;
        digits[TX_DST_ROWS / 4 - 1 - row / 4] |= (valid != 0 ? 1U : 0U) << (row % 4);
        if (tx_read(m, TX_FILE_DST, row, cells, TX_DST_WIDTH) != TX_OK) {
            continue;
        }
        for (unsigned c = 0; c < TX_DST_WIDTH; c++) {
            any |= cells[c];
        }
        if (any != 0) {
            char key[8];
            snprintf(key, sizeof key, "%u", row);
            json_object_set_new(dst, key, jx_hex_array(cells, TX_DST_WIDTH, 4));
        }
    }
    json_object_set_new(state, "dst", dst);
    if (!all) {
        json_object_set_new(state, "dst_valid", jx_hex_array(digits, TX_DST_ROWS / 4, 1));
    }
}

static void set_thread(json_t *state, const tx_machine *m, unsigned thread)
{
    uint32_t rwc[TX_RWC_COUNT];
    if (tx_read(m, TX_FILE_RWC, thread, rwc, TX_RWC_COUNT) == TX_OK) {
        json_t *object = json_object();
        for (unsigned i = 0; i < VEC_RWC; i++) {
            jx_set_int(object, vector_rwc_names[i], rwc[i]);
        }
        json_object_set_new(state, "rwc", object);
    }
    uint32_t gpr[TX_GPRS] = {0};
    for (unsigned i = 0; i < TX_GPRS; i++) {
        (void)tx_read(m, TX_FILE_GPR, i + TX_GPRS * thread, &gpr[i], 1);
    }
    json_object_set_new(state, "gpr", jx_hex_array(gpr, TX_GPRS, 8));
}

/* The fields that are not zero. */
static void set_config(json_t *state, const tx_machine *m, unsigned thread)
{
    json_t *config = json_object();
    enum tx_arch arch = tx_machine_arch(m);
    const struct tx_config_field *field;
    for (size_t i = 0; (field = tx_config_field_at(arch, i)) != NULL; i++) {
        uint32_t value = 0;
        if (tx_config_get(m, thread, field->name, &value) == TX_OK && value != 0) {
            jx_set_int(config, field->name, value);
        }
    }
    json_object_set_new(state, "config", config);
}

static json_t *machine_json(const tx_machine *m, unsigned thread)
{
    json_t *state = json_object();
    set_lregs(state, m);
    set_file(state, m, TX_FILE_LANE_FLAGS, "lane_flags", 1);
    set_file(state, m, TX_FILE_USE_LANE_FLAGS, "use_lane_flags", 1);
    set_stack(state, m);
    set_file(state, m, TX_FILE_PRNG, "prng", TX_LANES);
    set_file(state, m, TX_FILE_LANE_CONFIG, "lane_config", TX_COLUMNS);
    set_macro(state, m);
    set_dst(state, m);
    set_thread(state, m, thread);
    set_config(state, m, thread);
    set_file(state, m, TX_FILE_SHIFT_LATCH, "shift_latch", TX_LANES);
    return state;
}

static json_t *vector_json(const struct check_record *r, const char *name, const uint32_t *words,
                           size_t count)
{
    json_t *root = json_object();
    jx_set_text(root, "name", name);
    jx_set_text(root, "arch", tx_arch_name(r->arch));
    jx_set_int(root, "format", 1);
    jx_set_int(root, "thread", r->thread);
    json_t *program = json_array();
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(program, jx_hex_array(&words[i], 1, 8));
    }
    json_object_set_new(root, "program", program);
    return root;
}

static uint32_t *all_words(const struct tx_program *p, size_t *count)
{
    *count = tx_program_count(p, TX_SECTION_INIT) + tx_program_count(p, TX_SECTION_TILE);
    uint32_t *words = calloc(*count + 1, sizeof *words);
    size_t at = 0;
    for (unsigned s = 0; s < TX_SECTIONS && words != NULL; s++) {
        for (size_t i = 0; i < tx_program_count(p, s); i++) {
            words[at++] = tx_program_words(p, s)[i];
        }
    }
    return words;
}

/* Resets the machine and sets what the state and the program's .config say. */
static bool prepare(tx_machine *m, const struct check_record *r, const struct vec_state *initial,
                    const struct tx_program *p, char message[VEC_MESSAGE])
{
    tx_reset(m);
    for (unsigned i = 0; i < tx_program_config_count(p); i++) {
        if (tx_config_set(m, r->thread, tx_program_config_name(p, i),
                          tx_program_config_value(p, i)) != TX_OK) {
            snprintf(message, VEC_MESSAGE, ".config %s cannot be set",
                     tx_program_config_name(p, i));
            return false;
        }
    }
    return check_apply(m, r->thread, initial, message);
}

/*
 * What was not stated stays unstated where naming it would make an unknown value a known one: cells
 * of Dst, and the PRNG before it is seeded.
 */
static json_t *initial_json(const tx_machine *m, const struct check_record *r,
                            const struct vec_state *initial)
{
    json_t *state = machine_json(m, r->thread);
    if ((initial->keys & (VEC_DST | VEC_DST_VALID)) == 0) {
        json_object_del(state, "dst");
        json_object_del(state, "dst_valid");
    }
    if ((initial->keys & VEC_PRNG) == 0) {
        json_object_del(state, "prng");
    }
    return state;
}

/* The vector of silicon mode, and that of strict mode where it stops. False: message says why. */
static bool record(struct check_machines *machines, const struct check_record *r,
                   const struct vec_state *initial, const char *name, const struct tx_program *p,
                   json_t *vectors, char message[VEC_MESSAGE])
{
    size_t count = 0;
    uint32_t *words = all_words(p, &count);
    tx_machine *m = check_machine(machines, r->arch, TX_MODE_SILICON);
    tx_machine *strict = check_machine(machines, r->arch, TX_MODE_STRICT);
    if (words == NULL || m == NULL || strict == NULL) {
        free(words);
        snprintf(message, VEC_MESSAGE, "out of memory");
        return false;
    }
    bool good = prepare(m, r, initial, p, message) && prepare(strict, r, initial, p, message);
    if (!good) {
        free(words);
        return false;
    }
    json_t *silicon = vector_json(r, name, words, count);
    json_object_set_new(silicon, "initial", initial_json(m, r, initial));
    char strict_name[VEC_NAME];
    snprintf(strict_name, sizeof strict_name, "%.140s strict", name);
    json_t *stopped = vector_json(r, strict_name, words, count);
    json_object_set(stopped, "initial", json_object_get(silicon, "initial"));
    if (tx_run(m, r->thread, words, count) == TX_OK) {
        struct tx_counters c = tx_machine_counters(m);
        json_object_set_new(silicon, "final", machine_json(m, r->thread));
        jx_set_int(silicon, "cycles", c.cycles);
        jx_set_int(silicon, "issue_cycles", c.issue_cycles);
        jx_set_text(silicon, "source", "tensix " TX_VERSION_STRING);
        json_array_append(vectors, silicon);
    }
    if (tx_run(strict, r->thread, words, count) == TX_FAULT && tx_fault(strict) != NULL) {
        jx_set_text(stopped, "fault", tx_category_name(tx_fault(strict)->category));
        jx_set_text(stopped, "source", "tensix " TX_VERSION_STRING);
        json_array_append(vectors, stopped);
    }
    json_decref(silicon);
    json_decref(stopped);
    free(words);
    if (json_array_size(vectors) == 0) {
        snprintf(message, VEC_MESSAGE, "the program stops, and strict mode does not say why");
    }
    return json_array_size(vectors) != 0;
}

static int load_initial(struct txl_error *err, const char *path, struct vec_state *state)
{
    size_t length = 0;
    memset(state, 0, sizeof *state);
    if (path == NULL) {
        return TXL_CONTINUE;
    }
    char *text = txl_read_file(err, path, &length);
    if (text == NULL) {
        return TXL_INPUT;
    }
    char message[VEC_MESSAGE];
    bool good = vector_parse_state(text, length, state, message);
    free(text);
    struct txl_where where = {.file = path};
    return good ? TXL_CONTINUE : txl_fail_at(err, &where, "%s", message);
}

static int record_file(struct txl_error *err, const struct check_record *r, const char *path,
                       const struct vec_state *initial, struct check_machines *machines, FILE *out)
{
    struct txl_load how = {.arch = r->arch};
    struct check_record mine = *r;
    struct tx_program *program = NULL;
    int result = txl_load_program(err, path, &how, &program);
    if (result == TXL_CONTINUE) {
        result = txl_check_words(err, path, program);
    }
    if (result == TXL_CONTINUE) {
        char message[VEC_MESSAGE];
        mine.arch = tx_program_arch(program);
        json_t *vectors = json_array();
        if (!record(machines, &mine, initial, txl_basename(path), program, vectors, message)) {
            struct txl_where where = {.file = path};
            result = txl_fail_at(err, &where, "%s", message);
        }
        for (size_t i = 0; i < json_array_size(vectors) && result == TXL_CONTINUE; i++) {
            jx_print_line(out, json_array_get(vectors, i));
        }
        json_decref(vectors);
    }
    tx_program_free(program);
    return result;
}

static int deliver(struct txl_error *err, const char *path, const char *text, size_t size)
{
    if (path == NULL) {
        fwrite(text, 1, size, stdout);
        return TXL_OK;
    }
    return txl_write_file(err, path, text, size);
}

int check_record_all(struct txl_error *err, const struct check_record *r)
{
    static struct vec_state initial;
    struct check_machines machines = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *memory = guard_text(&text, &size);
    int result = load_initial(err, r->initial, &initial);
    for (unsigned i = 0; i < r->count && result == TXL_CONTINUE; i++) {
        result = record_file(err, r, r->files[i], &initial, &machines, memory);
    }
    guard_text_end(memory, &text);
    if (result == TXL_CONTINUE) {
        result = deliver(err, r->out, text, size);
    }
    free(text);
    vector_state_clear(&initial);
    check_machines_close(&machines);
    return result;
}
