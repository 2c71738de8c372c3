/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records vectors from programs: what the machine holds before and after, in the format of vectors.
 */
#include "base/json.h"
#include "vectors/check.h"

#include <stdlib.h>
#include <string.h>

#include <tensix-lab/json.h>
#include <tensix-lab/vectors.h>

#include "base/memory.h"
#include "base/options.h"
#include "kernel/load.h"

static void set_file(txl_json *state, const tx_machine *m, enum tx_file file, const char *key,
                     size_t count)
{
    uint32_t values[TX_LANES];
    if (tx_read(m, file, 0, values, count) == TX_OK) {
        txl_json_set(state, key, txl_json_hex(values, count, 8));
    }
}

static void set_lregs(txl_json *state, const tx_machine *m)
{
    txl_json *lregs = txl_json_object();
    for (unsigned i = 0; i < TX_LREGS; i++) {
        char key[8];
        uint32_t lanes[TX_LANES];
        snprintf(key, sizeof key, "%u", i);
        if (tx_read(m, TX_FILE_LREG, i, lanes, TX_LANES) == TX_OK) {
            txl_json_set(lregs, key, txl_json_hex(lanes, TX_LANES, 8));
        }
    }
    txl_json_set(state, "lreg", lregs);
}

/* The flag stack is left out where lanes differ in depth, which the format cannot express. */
static void set_stack(txl_json *state, const tx_machine *m)
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
    txl_json *list = txl_json_array();
    for (unsigned i = 0; i < depth[0]; i++) {
        uint32_t pair[2] = {0};
        (void)tx_read(m, TX_FILE_FLAG_STACK, i, pair, 2);
        txl_json *entry = txl_json_array();
        txl_json_append(entry, txl_json_hex(&pair[0], 1, 8));
        txl_json_append(entry, txl_json_hex(&pair[1], 1, 8));
        txl_json_append(list, entry);
    }
    txl_json_set(state, "flag_stack", list);
}

/* Sets *word to the value of all lanes. Returns false when the lanes differ. */
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

static void set_macro(txl_json *state, const tx_machine *m)
{
    txl_json *macro = txl_json_object();
    static const enum tx_file files[] = {TX_FILE_MACRO_TEMPLATE, TX_FILE_MACRO_SEQUENCE};
    static const char *const names[] = {"template", "sequence"};
    uint32_t word = 0;
    for (unsigned f = 0; f < 2; f++) {
        txl_json *list = txl_json_array();
        for (unsigned i = 0; i < 4 && one_word(m, files[f], i, &word); i++) {
            txl_json_append(list, txl_json_hex(&word, 1, 8));
        }
        if (txl_json_count(list) == 4) {
            txl_json_set(macro, names[f], list);
        } else {
            txl_json_free(list);
        }
    }
    if (one_word(m, TX_FILE_MACRO_MISC, 0, &word)) {
        txl_json_set(macro, "misc", txl_json_hex(&word, 1, 8));
    }
    txl_json_set(state, "macro", macro);
}

static void set_dst(txl_json *state, const tx_machine *m)
{
    txl_json *dst = txl_json_object();
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
            txl_json_set(dst, key, txl_json_hex(cells, TX_DST_WIDTH, 4));
        }
    }
    txl_json_set(state, "dst", dst);
    if (!all) {
        txl_json_set(state, "dst_valid", txl_json_hex(digits, TX_DST_ROWS / 4, 1));
    }
}

static void set_thread(txl_json *state, const tx_machine *m, unsigned thread)
{
    uint32_t rwc[TX_RWC_COUNT];
    if (tx_read(m, TX_FILE_RWC, thread, rwc, TX_RWC_COUNT) == TX_OK) {
        txl_json *object = txl_json_object();
        for (unsigned i = 0; i < VEC_RWC; i++) {
            txl_json_set_int(object, vector_rwc_names[i], rwc[i]);
        }
        txl_json_set(state, "rwc", object);
    }
    uint32_t gpr[TX_GPRS] = {0};
    for (unsigned i = 0; i < TX_GPRS; i++) {
        (void)tx_read(m, TX_FILE_GPR, i + TX_GPRS * thread, &gpr[i], 1);
    }
    txl_json_set(state, "gpr", txl_json_hex(gpr, TX_GPRS, 8));
}

/* Adds the configuration fields that are not zero. */
static void set_config(txl_json *state, const tx_machine *m, unsigned thread)
{
    txl_json *config = txl_json_object();
    enum tx_arch arch = tx_machine_arch(m);
    const struct tx_config_field *field;
    for (size_t i = 0; (field = tx_config_field_at(arch, i)) != NULL; i++) {
        uint32_t value = 0;
        if (tx_config_get(m, thread, field->name, &value) == TX_OK && value != 0) {
            txl_json_set_int(config, field->name, value);
        }
    }
    txl_json_set(state, "config", config);
}

/* What is left out where the vector leaves it open. */
struct unstated {
    bool dst, prng;
};

static txl_json *machine_json(const tx_machine *m, unsigned thread, struct unstated unstated)
{
    txl_json *state = txl_json_object();
    set_lregs(state, m);
    set_file(state, m, TX_FILE_LANE_FLAGS, "lane_flags", 1);
    set_file(state, m, TX_FILE_USE_LANE_FLAGS, "use_lane_flags", 1);
    set_stack(state, m);
    if (!unstated.prng) {
        set_file(state, m, TX_FILE_PRNG, "prng", TX_LANES);
    }
    set_file(state, m, TX_FILE_LANE_CONFIG, "lane_config", TX_COLUMNS);
    set_macro(state, m);
    if (!unstated.dst) {
        set_dst(state, m);
    }
    set_thread(state, m, thread);
    set_config(state, m, thread);
    set_file(state, m, TX_FILE_SHIFT_LATCH, "shift_latch", TX_LANES);
    return state;
}

static txl_json *vector_json(const struct txl_vectors_options *r, const char *name,
                             const uint32_t *words, size_t count)
{
    txl_json *root = txl_json_object();
    txl_json_set_text(root, "name", name);
    txl_json_set_text(root, "arch", tx_arch_name(r->arch));
    txl_json_set_int(root, "format", 1);
    txl_json_set_int(root, "thread", r->thread);
    txl_json *program = txl_json_array();
    for (size_t i = 0; i < count; i++) {
        txl_json_append(program, txl_json_hex(&words[i], 1, 8));
    }
    txl_json_set(root, "program", program);
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

/* Resets the machine, then sets the program's .config and the initial state. */
static bool prepare(tx_machine *m, const struct txl_vectors_options *r,
                    const struct vec_state *initial, const struct tx_program *p,
                    struct txl_error *err)
{
    tx_reset(m);
    for (unsigned i = 0; i < tx_program_config_count(p); i++) {
        if (tx_config_set(m, r->thread, tx_program_config_name(p, i),
                          tx_program_config_value(p, i)) != TX_OK) {
            return fail_false(err, ".config %s cannot be set", tx_program_config_name(p, i));
        }
    }
    return check_apply(m, r->thread, initial, err);
}

/*
 * What was not stated stays so where naming it would turn an unknown value into a known one: the
 * cells of Dst, and the PRNG before it is seeded.
 */
static txl_json *initial_json(const tx_machine *m, const struct txl_vectors_options *r,
                              const struct vec_state *initial)
{
    const struct unstated unstated = {.dst = (initial->keys & (VEC_DST | VEC_DST_VALID)) == 0,
                                      .prng = (initial->keys & VEC_PRNG) == 0};
    return machine_json(m, r->thread, unstated);
}

/* Returns false without memory. */
static bool write_line(FILE *out, const txl_json *vector, struct txl_error *err)
{
    char *line = txl_json_line(vector);
    if (line == NULL) {
        return no_memory(err), false;
    }
    fprintf(out, "%s\n", line);
    free(line);
    return true;
}

/*
 * Records the vector of silicon mode, and that of strict mode when it stops there. False: err says
 * why there is none.
 */
static bool record(struct check_machines *machines, const struct txl_vectors_options *r,
                   const struct vec_state *initial, const char *name, const struct tx_program *p,
                   FILE *out, struct txl_error *err)
{
    size_t count = 0;
    uint32_t *words = all_words(p, &count);
    tx_machine *m = check_machine(machines, r->arch, TX_MODE_SILICON);
    tx_machine *strict = check_machine(machines, r->arch, TX_MODE_STRICT);
    if (words == NULL || m == NULL || strict == NULL) {
        free(words);
        return no_memory(err), false;
    }
    bool good = prepare(m, r, initial, p, err) && prepare(strict, r, initial, p, err);
    if (!good) {
        free(words);
        return false;
    }
    txl_json *silicon = vector_json(r, name, words, count);
    txl_json_set(silicon, "initial", initial_json(m, r, initial));
    char strict_name[VEC_NAME];
    snprintf(strict_name, sizeof strict_name, "%.140s strict", name);
    txl_json *stopped = vector_json(r, strict_name, words, count);
    txl_json_set(stopped, "initial", initial_json(m, r, initial));
    bool any = false;
    if (tx_run(m, r->thread, words, count) == TX_OK) {
        const struct unstated none = {.dst = false};
        struct tx_counters c = tx_machine_counters(m);
        txl_json_set(silicon, "final", machine_json(m, r->thread, none));
        JSON_MEMBERS(silicon, &c, cycles, issue_cycles);
        txl_json_set_text(silicon, "source", "tensix " TX_VERSION_STRING);
        any = true;
        good = write_line(out, silicon, err);
    }
    if (tx_run(strict, r->thread, words, count) == TX_FAULT && tx_fault(strict) != NULL) {
        txl_json_set_text(stopped, "fault", tx_category_name(tx_fault(strict)->category));
        txl_json_set_text(stopped, "source", "tensix " TX_VERSION_STRING);
        any = true;
        good = good && write_line(out, stopped, err);
    }
    txl_json_free(silicon);
    txl_json_free(stopped);
    free(words);
    return any ? good : fail_false(err, "the program stops, and strict mode does not say why");
}

static int load_initial(struct txl_error *err, const char *path, struct vec_state *state)
{
    size_t length = 0;
    if (path == NULL) {
        return TXL_CONTINUE;
    }
    char *text = txl_read_file(err, path, &length);
    if (text == NULL) {
        return TXL_INPUT;
    }
    const bool good = vector_parse_state(text, length, state, err);
    free(text);
    return good ? TXL_CONTINUE : fail_in(err, path);
}

static int record_file(struct txl_error *err, const struct txl_vectors_options *r, const char *path,
                       const struct vec_state *initial, struct check_machines *machines, FILE *out)
{
    const struct txl_kernel_options how = {.size = sizeof how, .arch = r->arch};
    struct txl_vectors_options mine = *r;
    struct tx_program *program = NULL;
    int result = txl_kernel_load(err, &path, 1, &how, &program);
    if (result != TXL_OK) {
        return result;
    }
    mine.arch = tx_program_arch(program);
    if (!record(machines, &mine, initial, txl_basename(path), program, out, err)) {
        result = fail_in(err, path);
    }
    tx_program_free(program);
    return result;
}

int txl_vectors_record(struct txl_error *err, const char *const *programs, size_t count,
                       const struct txl_vectors_options *options, char **text, size_t *length)
{
    struct txl_vectors_options o;
    struct check_machines machines = {.l1 = NULL};
    struct memory_text memory;
    *text = NULL;
    *length = 0;
    int result = options_take(err, &o, sizeof o, options);
    if (result == TXL_CONTINUE && o.thread >= TX_THREADS) {
        return txl_fail(err, "there is no thread %u", o.thread);
    }
    struct vec_state *initial = result == TXL_CONTINUE ? zeroed(err, 1, sizeof *initial) : NULL;
    if (initial == NULL || memory_text_open(err, &memory) != TXL_CONTINUE) {
        free(initial);
        return TXL_INPUT;
    }
    result = load_initial(err, o.initial, initial);
    result = result == TXL_CONTINUE ? TXL_OK : result;
    for (size_t i = 0; i < count && result == TXL_OK; i++) {
        result = record_file(err, &o, programs[i], initial, &machines, memory.stream);
    }
    const int closed = memory_text_close(err, &memory);
    if (result == TXL_OK && closed == TXL_CONTINUE) {
        *text = memory.text;
        *length = memory.size;
    } else {
        free(memory.text);
        result = result == TXL_OK ? closed : result;
    }
    vector_state_clear(initial);
    free(initial);
    check_machines_close(&machines);
    return result;
}
