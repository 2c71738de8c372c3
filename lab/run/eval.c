/* SPDX-License-Identifier: Apache-2.0 */
/* Executes a few instructions from reset and compares all registers before and after. */
#include <tensix-lab/eval.h>

#include <stdlib.h>
#include <string.h>

#include "base/finding.h"
#include "base/memory.h"
#include "base/json.h"
#include "base/options.h"
#include "run/eval.h"
#include "run/run.h"

enum { CONFIG = 2048, MOST = 1024 * 16 };

/* The register files in the order in which they are printed; width as machine.h states it. */
static const struct {
    enum tx_file file;
    const char *name, *unit;
    unsigned width;
    unsigned each; /* for files that each thread has: entries per thread */
} files[] = {
    {TX_FILE_LREG, "L", "lane", TX_LANES, 0},
    {TX_FILE_LANE_FLAGS, "LaneFlags", NULL, 1, 0},
    {TX_FILE_USE_LANE_FLAGS, "UseLaneFlags", NULL, 1, 0},
    {TX_FILE_FLAG_STACK, "flag stack", "part", 2, 0},
    {TX_FILE_STACK_DEPTH, "stack depth", "lane", TX_LANES, 0},
    {TX_FILE_PRNG, "PRNG", "lane", TX_LANES, 0},
    {TX_FILE_LANE_CONFIG, "LaneConfig", "column", TX_COLUMNS, 0},
    {TX_FILE_MACRO_TEMPLATE, "macro template", "lane", TX_LANES, 0},
    {TX_FILE_MACRO_SEQUENCE, "macro sequence", "lane", TX_LANES, 0},
    {TX_FILE_MACRO_MISC, "macro misc", "lane", TX_LANES, 0},
    {TX_FILE_DST, "Dst row", "column", TX_DST_WIDTH, 0},
    {TX_FILE_DST_VALID, "Dst valid", NULL, 1, 0},
    {TX_FILE_RWC, "RWC of thread", "counter", TX_RWC_COUNT, 0},
    {TX_FILE_GPR, "GPR", NULL, 1, TX_GPRS},
    {TX_FILE_SHIFT_LATCH, "shift latch", "lane", TX_LANES, 0},
    {TX_FILE_REPLAY, "replay slot", NULL, 1, 32},
    {TX_FILE_SEMAPHORE, "semaphore", "part", 2, 0},
    {TX_FILE_MUTEX, "mutex", NULL, 1, 0},
    {TX_FILE_MOP_MASK, "MOP mask of thread", NULL, 1, 0},
    {TX_FILE_SRC_BANK, "Src bank", "part", 4, 0},
    {TX_FILE_SRC, "Src row", "column", 16, 0},
    {TX_FILE_SRC_FORMAT, "implied format of Src", "bank", 2, 0},
    {TX_FILE_ADC, "address counters of set", "counter", TX_ADC_VALUES, 0},
};

enum { FILES = sizeof files / sizeof files[0] };

/* Everything that can be reported, read from a machine. */
struct state {
    uint32_t *values[TX_FILE_COUNT]; /* index * width + i */
    unsigned count[TX_FILE_COUNT];   /* number of entries that could be read */
    uint32_t config[CONFIG];         /* by index of tx_config_field_at */
    size_t config_count;
};

struct txl_eval {
    struct txl_error *err;
    unsigned thread;
    struct tx_program *program;
    tx_machine *machine;
    struct state before, after;
    struct l1_job l1;
    struct txl_eval_change *changes;
    size_t change_count;
    struct txl_l1_change *l1_changes;
    size_t l1_change_count;
    struct run_totals totals;
    struct run_shown shown;
};

static int read_state(struct txl_eval *e, struct state *state)
{
    const tx_machine *m = e->machine;
    uint32_t *values = zeroed(e->err, MOST, sizeof *values);
    for (unsigned f = 0; f < FILES && values != NULL; f++) {
        const enum tx_file file = files[f].file;
        const unsigned width = files[f].width;
        unsigned count = 0;
        while ((count + 1) * width <= MOST &&
               tx_read(m, file, count, values + count * width, width) == TX_OK) {
            count++;
        }
        /* Copied to a smaller block, since most files are small and unused pages have a cost. */
        state->values[file] = zeroed(e->err, (size_t)count * width + 1, sizeof *values);
        if (state->values[file] == NULL) {
            free(values);
            return TXL_INPUT;
        }
        memcpy(state->values[file], values, (size_t)count * width * sizeof *values);
        state->count[file] = count;
    }
    if (values == NULL) {
        return TXL_INPUT;
    }
    free(values);
    const struct tx_config_field *field;
    while (state->config_count < CONFIG &&
           (field = tx_config_field_at(tx_machine_arch(m), state->config_count)) != NULL) {
        (void)tx_config_get(m, e->thread, field->name, &state->config[state->config_count++]);
    }
    return TXL_CONTINUE;
}

static int assemble(struct txl_eval *e, const struct txl_eval_options *o)
{
    struct tx_asm_options how = {.arch = o->arch, .force_arch = true};
    struct tx_diag diag = {0};
    enum tx_status status = tx_assemble(o->text, strlen(o->text), &how, &e->program, &diag);
    if (status == TX_OK && tx_program_threaded(e->program)) {
        return txl_fail(e->err, "eval runs one thread, and the text has several");
    }
    if (status == TX_OK) {
        return txl_check_words(e->err, "instruction", e->program);
    }
    e->program = NULL;
    return txl_refuse_text(e->err, "instruction", status, &diag);
}

static int take_l1(struct txl_eval *e, const struct txl_eval_options *o)
{
    int result = 0;
    e->l1.scratch = o->scratch;
    for (unsigned i = 0; i < o->l1_in_count && result == 0; i++) {
        result = l1_option(&e->l1, o->l1_in[i], false);
    }
    for (unsigned i = 0; i < o->l1_out_count && result == 0; i++) {
        result = l1_option(&e->l1, o->l1_out[i], true);
    }
    if (result != 0 || !l1_wanted(&e->l1)) {
        return result != 0 ? result : TXL_CONTINUE;
    }
    e->l1.arch = tx_program_arch(e->program);
    result = l1_settle(&e->l1);
    return result == TXL_CONTINUE ? l1_place(&e->l1, e->machine) : result;
}

static int open_machine(struct txl_eval *e, const struct txl_eval_options *o)
{
    const struct tx_program *p = e->program;
    struct tx_settings settings;
    const struct run_machine given = {.settings = o->settings};
    int result = run_take_machine(e->err, &given, tx_program_arch(p), &settings, NULL);
    if (result != TXL_CONTINUE) {
        return result;
    }
    if (tx_open(&settings, &e->machine) != TX_OK) {
        return no_memory(e->err);
    }
    for (unsigned i = 0; i < tx_program_config_count(p); i++) {
        if (tx_config_set(e->machine, e->thread, tx_program_config_name(p, i),
                          tx_program_config_value(p, i)) != TX_OK) {
            return txl_fail(e->err, "configuration %s cannot be set", tx_program_config_name(p, i));
        }
    }
    result = take_l1(e, o);
    for (unsigned i = 0; i < o->set_count && result == TXL_CONTINUE; i++) {
        result = eval_assign(e->err, e->machine, e->thread, o->sets[i]);
    }
    return result;
}

static int go(struct txl_eval *e)
{
    tx_machine *m = e->machine;
    enum tx_status status = TX_OK;
    for (unsigned s = 0; s < TX_SECTIONS && status == TX_OK; s++) {
        if (tx_program_count(e->program, s) > 0) {
            status = tx_run(m, e->thread, tx_program_words(e->program, s),
                            tx_program_count(e->program, s));
        }
    }
    if (status == TX_OK) {
        return TXL_CONTINUE;
    }
    const struct tx_finding *f = tx_fault(m);
    char text[512];
    char said[TX_FINDING_TEXT];
    return f == NULL
               ? txl_refuse(e->err, TXL_NEGATIVE, "%s",
                            txl_stuck_text(m, status, text, sizeof text))
               : txl_refuse(e->err, TXL_NEGATIVE, "%s at instruction %llu",
                            tx_finding_text(f, said, sizeof said), (unsigned long long)f->index);
}

/* ---- changes ---- */

static void add_entry(struct txl_eval *e, unsigned f, unsigned index)
{
    const enum tx_file file = files[f].file;
    const unsigned width = files[f].width;
    const unsigned each = files[f].each;
    const uint32_t *before = e->before.values[file] + index * width;
    const uint32_t *after = e->after.values[file] + index * width;
    if (memcmp(before, after, width * sizeof *after) != 0) {
        e->changes[e->change_count++] =
            (struct txl_eval_change){.file = file,
                                     .name = files[f].name,
                                     .unit = files[f].unit,
                                     .index = each != 0 ? index % each : index,
                                     .thread = each != 0 ? index / each : TX_THREADS,
                                     .alone = e->after.count[file] == 1,
                                     .width = width,
                                     .before = before,
                                     .after = after};
    }
}

static int eval_compare(struct txl_eval *e)
{
    size_t room = e->after.config_count + 1;
    for (unsigned f = 0; f < FILES; f++) {
        room += e->after.count[files[f].file];
    }
    e->changes = zeroed(e->err, room, sizeof *e->changes);
    if (e->changes == NULL) {
        return TXL_INPUT;
    }
    for (unsigned f = 0; f < FILES; f++) {
        for (unsigned i = 0; i < e->after.count[files[f].file]; i++) {
            add_entry(e, f, i);
        }
    }
    for (size_t i = 0; i < e->after.config_count; i++) {
        if (e->before.config[i] != e->after.config[i]) {
            e->changes[e->change_count++] = (struct txl_eval_change){
                .file = TX_FILE_COUNT,
                .name = tx_config_field_at(tx_machine_arch(e->machine), i)->name,
                .index = (unsigned)i,
                .thread = e->thread,
                .alone = true,
                .width = 1,
                .before = &e->before.config[i],
                .after = &e->after.config[i]};
        }
    }
    return TXL_CONTINUE;
}

static int conclude(struct txl_eval *e)
{
    int result = read_state(e, &e->after);
    if (result == TXL_CONTINUE && l1_wanted(&e->l1)) {
        result = l1_take(&e->l1, e->machine);
    }
    if (result == TXL_CONTINUE) {
        result = eval_compare(e);
    }
    if (result == TXL_CONTINUE && l1_wanted(&e->l1)) {
        result = l1_changes(&e->l1, e->machine, &e->l1_changes, &e->l1_change_count);
    }
    run_take(&e->totals, e->machine);
    return result == TXL_CONTINUE
               ? run_show(e->err, &e->shown, &e->totals.findings, e->totals.notes, NULL, NULL)
               : result;
}

static int eval_work(struct txl_eval *e, const struct txl_eval_options *given)
{
    struct txl_eval_options o;
    int result = options_take(e->err, &o, sizeof o, given);
    if (result != TXL_CONTINUE) {
        return result;
    }
    e->thread = o.thread != NULL ? *o.thread : 1;
    if (o.arch == TX_ARCH_NONE || o.text == NULL || e->thread >= TX_THREADS) {
        return txl_fail(e->err, "%s",
                        o.arch == TX_ARCH_NONE ? "no chip given"
                        : o.text == NULL       ? "no instruction given"
                                               : "there are threads 0, 1 and 2");
    }
    result = assemble(e, &o);
    if (result == TXL_CONTINUE) {
        result = open_machine(e, &o);
    }
    if (result == TXL_CONTINUE) {
        result = read_state(e, &e->before);
    }
    if (result == TXL_CONTINUE) {
        result = go(e);
    }
    return result == TXL_CONTINUE ? conclude(e) : result;
}

int txl_eval_open(struct txl_error *err, const struct txl_eval_options *options, txl_eval **eval)
{
    struct txl_eval *e = zeroed(err, 1, sizeof *e);
    *eval = NULL;
    if (e == NULL) {
        return TXL_INPUT;
    }
    e->err = e->l1.err = err;
    const int result = eval_work(e, options);
    if (result != TXL_CONTINUE) {
        txl_eval_close(e);
        return result;
    }
    *eval = e;
    return TXL_OK;
}

void txl_eval_close(txl_eval *e)
{
    if (e == NULL) {
        return;
    }
    for (unsigned f = 0; f < TX_FILE_COUNT; f++) {
        free(e->before.values[f]);
        free(e->after.values[f]);
    }
    tx_close(e->machine);
    tx_program_free(e->program);
    l1_free(&e->l1);
    run_hide(&e->shown);
    free(e->changes);
    free(e->l1_changes);
    free(e);
}

const tx_machine *txl_eval_machine(const txl_eval *e)
{
    return e->machine;
}

const struct txl_eval_change *txl_eval_change(const txl_eval *e, size_t index)
{
    return index < e->change_count ? &e->changes[index] : NULL;
}

const struct txl_l1_change *txl_eval_l1_change(const txl_eval *e, size_t index)
{
    return index < e->l1_change_count ? &e->l1_changes[index] : NULL;
}

const struct txl_run_finding *txl_eval_finding(const txl_eval *e, size_t index)
{
    return index < e->shown.finding_count ? &e->shown.findings[index] : NULL;
}

uint64_t txl_eval_findings_dropped(const txl_eval *e)
{
    return e->totals.findings.dropped;
}

const struct txl_run_note *txl_eval_note(const txl_eval *e, size_t index)
{
    return index < e->shown.note_count ? &e->shown.notes[index] : NULL;
}

/* ---- JSON ---- */

static txl_json *readings_json(uint32_t word)
{
    char text[48];
    txl_json *object = txl_json_object();
    txl_json_set_word(object, "hex", word);
    txl_json_set_text(object, "fp32", txl_number_text(TX_DST_FORMAT_FP32, word, text, sizeof text));
    txl_json_set(object, "int", txl_json_int((int32_t)word));
    txl_json_set_text(object, "sign", (word >> 31) != 0 ? "-" : "+");
    txl_json_set_int(object, "magnitude", word & 0x7fffffffU);
    txl_json *pair = txl_json_array();
    txl_json_append(pair, txl_json_string(txl_number_text(TX_DST_FORMAT_FP32, word & 0xffff0000U,
                                                          text, sizeof text)));
    txl_json_append(
        pair, txl_json_string(txl_number_text(TX_DST_FORMAT_FP32, word << 16, text, sizeof text)));
    txl_json_set(object, "bf16", pair);
    return object;
}

static txl_json *change_json(const struct txl_eval_change *c)
{
    txl_json *object = txl_json_object();
    if (c->file == TX_FILE_COUNT) {
        txl_json_set_text(object, "file", "config");
        JSON_MEMBERS(object, c, name, thread);
        txl_json_set_int(object, "before", c->before[0]);
        txl_json_set_int(object, "after", c->after[0]);
        return object;
    }
    const unsigned digits = c->file == TX_FILE_DST ? 4 : 8;
    txl_json_set_text(object, "file", c->file == TX_FILE_LREG ? "LReg" : c->name);
    txl_json_set_int(object, "index", c->index);
    if (c->thread != TX_THREADS) {
        txl_json_set_int(object, "thread", c->thread);
    }
    txl_json_set(object, "before", txl_json_hex(c->before, c->width, digits));
    txl_json_set(object, "after", txl_json_hex(c->after, c->width, digits));
    if (c->file == TX_FILE_LREG) {
        txl_json *lanes = txl_json_array();
        for (unsigned lane = 0; lane < TX_LANES; lane++) {
            txl_json_append(lanes, readings_json(c->after[lane]));
        }
        txl_json_set(object, "lanes", lanes);
    }
    return object;
}

static txl_json *l1_changes_json(const txl_eval *e)
{
    txl_json *list = txl_json_array();
    for (size_t i = 0; i < e->l1_change_count; i++) {
        txl_json *object = txl_json_object();
        JSON_MEMBERS(object, &e->l1_changes[i], address, before, after);
        txl_json_append(list, object);
    }
    return list;
}

char *txl_eval_json(const txl_eval *e)
{
    const struct tx_counters c = tx_machine_counters(e->machine);
    txl_json *root = txl_json_object();
    txl_json *changed = txl_json_array();
    for (size_t i = 0; i < e->change_count; i++) {
        txl_json_append(changed, change_json(&e->changes[i]));
    }
    txl_json_set_text(root, "arch", tx_arch_name(tx_machine_arch(e->machine)));
    txl_json_set(root, "changed", changed);
    JSON_MEMBERS(root, &c, instructions, cycles, issue_cycles, stall_cycles);
    bound_json(root, tx_bounds(e->machine));
    txl_json_set(root, "findings", run_findings_json(&e->shown));
    txl_json_set(root, "notes", run_notes_json(&e->shown));
    if (l1_wanted(&e->l1)) {
        txl_json_set(root, "l1_changed", l1_changes_json(e));
    }
    return json_text(root);
}
