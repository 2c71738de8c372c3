/* SPDX-License-Identifier: Apache-2.0 */
/* Sets the initial state of a vector on a machine, runs its program, and compares. */
#include <tensix/facts.h>

#include "vectors/check.h"

#include <stdlib.h>
#include <string.h>

#include "vectors/vector_state.h"

tx_machine *check_machine(struct check_machines *machines, enum tx_arch arch, enum tx_mode mode)
{
    tx_machine **place = &machines->machine[arch][mode];
    if (*place == NULL) {
        struct tx_settings settings;
        tx_settings_default(&settings, arch);
        settings.mode = mode;
        if (tx_open(&settings, place) != TX_OK) {
            *place = NULL;
        }
    }
    return *place;
}

void check_machines_close(struct check_machines *machines)
{
    for (unsigned arch = 0; arch <= TX_ARCH_LAST; arch++) {
        for (unsigned mode = 0; mode < 2; mode++) {
            tx_close(machines->machine[arch][mode]);
            machines->machine[arch][mode] = NULL;
        }
    }
    check_chips_close(&machines->chips);
    free(machines->l1);
    machines->l1 = NULL;
}

/* L8 to L10 and L15 are constants, and a vector may name them with their own value. */
static bool apply_lreg(tx_machine *m, unsigned index, const uint32_t *lanes, struct txl_error *err)
{
    uint32_t there[TX_LANES];
    if (tx_write(m, TX_FILE_LREG, index, lanes, TX_LANES) == TX_OK) {
        return true;
    }
    if (tx_read(m, TX_FILE_LREG, index, there, TX_LANES) != TX_OK ||
        memcmp(there, lanes, sizeof there) != 0) {
        return fail_false(err, "initial: lreg %u cannot be set", index);
    }
    return true;
}

static bool apply_dst(tx_machine *m, const struct vec_state *s, struct txl_error *err)
{
    for (unsigned row = 0; row < TX_DST_ROWS && (s->keys & VEC_DST) != 0; row++) {
        uint32_t cells[TX_DST_WIDTH];
        for (unsigned c = 0; c < TX_DST_WIDTH; c++) {
            cells[c] = s->dst[row][c];
        }
        if (tx_write(m, TX_FILE_DST, row, cells, TX_DST_WIDTH) != TX_OK) {
            return fail_false(err, "initial: dst row %u cannot be set", row);
        }
    }
    for (unsigned row = 0; row < TX_DST_ROWS && (s->keys & VEC_DST_VALID) != 0; row++) {
        uint32_t valid = s->dst_valid[row];
        if (tx_write(m, TX_FILE_DST_VALID, row, &valid, 1) != TX_OK) {
            return fail_false(err, "initial: dst_valid of row %u cannot be set", row);
        }
    }
    return true;
}

static bool apply_stack(tx_machine *m, const struct vec_state *s)
{
    uint32_t depth[TX_LANES];
    for (unsigned i = 0; i < TX_LANES; i++) {
        depth[i] = s->stack_depth;
    }
    bool good = tx_write(m, TX_FILE_STACK_DEPTH, 0, depth, TX_LANES) == TX_OK;
    for (unsigned i = 0; i < s->stack_depth; i++) {
        good = good && tx_write(m, TX_FILE_FLAG_STACK, i, s->stack[i], 2) == TX_OK;
    }
    return good;
}

static bool apply_macro(tx_machine *m, const struct vec_state *s)
{
    bool good = true;
    for (unsigned i = 0; i < VEC_MACRO_WORDS; i++) {
        const struct vec_macro_word at = vec_macro_word(s, i);
        uint32_t lanes[TX_LANES];
        for (unsigned lane = 0; lane < TX_LANES; lane++) {
            lanes[lane] = at.word;
        }
        if (at.given) {
            good = good && tx_write(m, at.file, at.index, lanes, TX_LANES) == TX_OK;
        }
    }
    return good;
}

static bool apply_thread(tx_machine *m, unsigned thread, const struct vec_state *s)
{
    bool good = true;
    for (unsigned i = 0; i < TX_GPRS && (s->keys & VEC_GPR) != 0; i++) {
        good = good && tx_write(m, TX_FILE_GPR, i + TX_GPRS * thread, &s->gpr[i], 1) == TX_OK;
    }
    for (unsigned i = 0; i < 32 && (s->keys & VEC_REPLAY) != 0; i++) {
        good = good && tx_write(m, TX_FILE_REPLAY, i + 32 * thread, &s->replay[i], 1) == TX_OK;
    }
    for (unsigned i = 0; i < s->semaphores; i++) {
        good = good && tx_write(m, TX_FILE_SEMAPHORE, i, s->semaphore[i], 2) == TX_OK;
    }
    if (s->rwcs != 0) {
        uint32_t rwc[TX_RWC_COUNT] = {0};
        good = good && tx_read(m, TX_FILE_RWC, thread, rwc, TX_RWC_COUNT) == TX_OK;
        for (unsigned i = 0; i < VEC_RWC; i++) {
            rwc[i] = (s->rwcs >> i & 1U) != 0 ? s->rwc[i] : rwc[i];
        }
        good = good && tx_write(m, TX_FILE_RWC, thread, rwc, TX_RWC_COUNT) == TX_OK;
    }
    return good;
}

/* Sets the owners and pointers of the Src banks, their cells and their formats. */
static bool apply_src(tx_machine *m, const struct vec_state *s)
{
    bool good = true;
    for (unsigned src = 0; src < 2; src++) {
        uint32_t control[4];
        good = good && tx_read(m, TX_FILE_SRC_BANK, src, control, 4) == TX_OK;
        for (unsigned i = 0; i < 2; i++) {
            control[i] = (s->keys & VEC_SRC_BANK) != 0 ? s->src_bank[src][i] : control[i];
            control[2 + i] = (s->keys & VEC_SRC_VALID) != 0 ? s->src_valid[src][i] : control[2 + i];
        }
        good = good && tx_write(m, TX_FILE_SRC_BANK, src, control, 4) == TX_OK;
        if ((s->keys & VEC_SRC_FORMAT) != 0) {
            good = good && tx_write(m, TX_FILE_SRC_FORMAT, src, s->src_format[src], 2) == TX_OK;
        }
        for (unsigned bank = 0; bank < 2; bank++) {
            for (unsigned row = 0;
                 row < TX_SRC_ROWS && (s->src_banks >> (2 * src + bank) & 1U) != 0; row++) {
                const unsigned index = row + TX_SRC_ROWS * (bank + 2 * src);
                good = good && tx_write(m, TX_FILE_SRC, index, s->src[src][bank][row], 16) == TX_OK;
            }
        }
    }
    return good;
}

static bool apply_plain(tx_machine *m, const struct vec_state *s, struct txl_error *err)
{
    const struct {
        uint32_t key;
        const char *name;
        enum tx_file file;
        const uint32_t *values;
        size_t count;
    } parts[] = {
        {VEC_LANE_FLAGS, "lane_flags", TX_FILE_LANE_FLAGS, &s->lane_flags, 1},
        {VEC_USE_LANE_FLAGS, "use_lane_flags", TX_FILE_USE_LANE_FLAGS, &s->use_lane_flags, 1},
        {VEC_PRNG, "prng", TX_FILE_PRNG, s->prng, TX_LANES},
        {VEC_LANE_CONFIG, "lane_config", TX_FILE_LANE_CONFIG, s->lane_config, TX_COLUMNS},
        {VEC_SHIFT_LATCH, "shift_latch", TX_FILE_SHIFT_LATCH, s->shift_latch, TX_LANES},
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if ((s->keys & parts[i].key) != 0 &&
            tx_write(m, parts[i].file, 0, parts[i].values, parts[i].count) != TX_OK) {
            return fail_false(err, "initial: %s cannot be set", parts[i].name);
        }
    }
    return true;
}

bool check_apply(tx_machine *m, unsigned thread, const struct vec_state *s, struct txl_error *err)
{
    /*
     * Configuration comes first, because seeding by configuration must not undo the state of prng.
     */
    for (size_t i = 0; i < s->config_count; i++) {
        enum tx_status status = tx_config_set(m, thread, s->config[i].name, s->config[i].value);
        if (status != TX_OK) {
            return fail_false(err, "initial: config %s: %s", s->config[i].name,
                              status == TX_ENOENT ? "no such field" : "the value does not fit");
        }
    }
    for (unsigned i = 0; i < TX_LREGS; i++) {
        if ((s->lregs >> i & 1U) != 0 && !apply_lreg(m, i, s->lreg[i], err)) {
            return false;
        }
    }
    if (!apply_plain(m, s, err) || !apply_dst(m, s, err)) {
        return false;
    }
    if ((s->keys & VEC_FLAG_STACK) != 0 && !apply_stack(m, s)) {
        return fail_false(err, "initial: flag_stack cannot be set");
    }
    if (!apply_macro(m, s)) {
        return fail_false(err, "initial: macro cannot be set");
    }
    if (!check_apply_tile(m, s, err)) {
        return false;
    }
    if (!apply_src(m, s)) {
        return fail_false(err, "initial: srca, srcb, src_valid, src_bank or src_fmt cannot "
                               "be set");
    }
    if (!apply_thread(m, thread, s)) {
        return fail_false(err, "initial: gpr, rwc, replay or sem cannot be set");
    }
    return true;
}

/* In each cycle one word is presented, by the threads in turn that still have one. */
static enum tx_status run_interleaved(tx_machine *m, const struct vector *v)
{
    size_t at[TX_THREADS] = {0};
    bool more = true;
    while (more) {
        more = false;
        for (unsigned t = 0; t < TX_THREADS; t++) {
            if (at[t] == v->count[t]) {
                continue;
            }
            bool accepted = false;
            enum tx_status status = tx_cycle(m, t, &v->words[t][at[t]], &accepted);
            if (status != TX_OK) {
                return status;
            }
            at[t] += accepted ? 1U : 0U;
            more = true;
        }
        if (more && tx_stuck(m)) {
            return TX_EDEADLOCK;
        }
    }
    return tx_run(m, v->thread, NULL, 0);
}

static enum tx_status run_words(tx_machine *m, const struct vector *v)
{
    unsigned busy = 0;
    unsigned thread = v->thread;
    for (unsigned t = 0; t < TX_THREADS; t++) {
        busy += v->count[t] > 0 ? 1U : 0U;
        thread = v->count[t] > 0 ? t : thread;
    }
    if (busy > 1) {
        return run_interleaved(m, v);
    }
    return tx_run_gaps(m, thread, v->words[thread], v->count[thread], v->gaps);
}

static bool check_fault(tx_machine *m, const struct vector *v, enum tx_status status,
                        struct txl_error *err)
{
    const struct tx_finding *fault = tx_fault(m);
    if (status != TX_FAULT || fault == NULL) {
        return fail_false(err, "fault: expected %s, got none", tx_category_name(v->fault));
    }
    if (fault->category != v->fault) {
        return fail_false(err, "fault: expected %s, got %s (%.90s)", tx_category_name(v->fault),
                          tx_category_name(fault->category), fault->message);
    }
    return true;
}

static bool check_time(const tx_machine *m, const struct vector *v, struct txl_error *err)
{
    struct tx_counters c = tx_machine_counters(m);
    if (v->has_cycles && c.cycles != v->cycles) {
        return fail_false(err, "cycles: expected %llu, got %llu", (unsigned long long)v->cycles,
                          (unsigned long long)c.cycles);
    }
    if (v->has_issue_cycles && c.issue_cycles != v->issue_cycles) {
        return fail_false(err, "issue_cycles: expected %llu, got %llu",
                          (unsigned long long)v->issue_cycles, (unsigned long long)c.issue_cycles);
    }
    return true;
}

/* Runs the vector on the other engine as well, if there is one that can. */
static enum tx_status run_again(tx_machine *m, const struct vector *v,
                                const struct check_engine *engine, const char **reason)
{
    tx_fast_again *again = NULL;
    if (engine != NULL && tx_fast_again_begin(m, &again) != TX_OK) {
        return TX_ENOMEM;
    }
    enum tx_status status = run_words(m, v);
    if (again != NULL) {
        tx_fast_steps *steps = engine->steps[v->arch];
        enum tx_status second = steps != NULL ? tx_fast_again_end_steps(again, steps, reason)
                                              : tx_fast_again_end(again, engine->level, reason);
        status = status == TX_OK && second != TX_EUNSUPPORTED ? second : status;
    }
    return status;
}

/* Returns whether the vector moves data from or to L1. */
static bool needs_l1(const struct vector *v)
{
    bool needs = ((v->initial.keys | v->final.keys) & VEC_L1) != 0;
    for (unsigned t = 0; t < TX_THREADS; t++) {
        for (size_t i = 0; i < v->count[t]; i++) {
            const struct tx_insn *insn = tx_insn_of(v->arch, v->words[t][i]);
            needs = needs ||
                    (insn != NULL && (insn->unit == TX_UNIT_UNPACK || insn->unit == TX_UNIT_PACK));
        }
    }
    return needs;
}

/*
 * Gives the machine an L1 of zeros when the vector needs one. It is the host's memory, because the
 * format says that it is zero, and reading it must not be a finding.
 */
static bool surround(struct check_machines *machines, tx_machine *m, const struct vector *v,
                     struct txl_error *err)
{
    struct tx_host host;
    tx_host_default(&host);
    if (needs_l1(v)) {
        const uint32_t size = tx_l1_size(v->arch);
        if (machines->l1 == NULL) {
            machines->l1 = malloc(tx_l1_size(TX_BLACKHOLE));
        }
        if (machines->l1 == NULL) {
            return fail_false(err, "out of memory");
        }
        memset(machines->l1, 0, size);
        host.l1 = machines->l1;
        host.l1_size = size;
    }
    return tx_host_set(m, &host) == TX_OK || fail_false(err, "L1 cannot be set");
}

/* In vectors of the unpackers, the configuration of a thread means that of every thread. */
static bool spread_config(tx_machine *m, const struct vector *v, struct txl_error *err)
{
    for (size_t i = 0; i < v->initial.config_count && v->has_unpacker; i++) {
        const struct vec_config *c = &v->initial.config[i];
        for (unsigned t = 0; t < TX_THREADS; t++) {
            if (tx_config_set(m, t, c->name, c->value) != TX_OK) {
                return fail_false(err, "initial: config %s cannot be set", c->name);
            }
        }
    }
    return true;
}

static bool check_final(const tx_machine *m, const struct vector *v, struct txl_error *err)
{
    return check_compare(m, v->thread, &v->final, err) &&
           check_compare_tile(m, &v->initial, &v->final, err);
}

static bool check_stalled(tx_machine *m, const struct vector *v, struct txl_error *err)
{
    size_t stalled[TX_THREADS];
    const enum tx_status status = check_run_threads(m, v, stalled);
    if (status != TX_OK) {
        return fail_false(err, "stopped: %s", tx_status_text(status));
    }
    for (unsigned t = 0; t < TX_THREADS; t++) {
        if (stalled[t] != v->stalled[t]) {
            return fail_false(err, "stalled: thread %u: expected word %zu of %zu, got word %zu", t,
                              v->stalled[t], v->count[t], stalled[t]);
        }
    }
    return true;
}

/* In programs of several threads, every thread begins with the stated GPRs. */
static bool spread_gpr(tx_machine *m, const struct vector *v, struct txl_error *err)
{
    for (unsigned i = 0;
         v->has_programs && (v->initial.keys & VEC_GPR) != 0 && i < TX_THREADS * TX_GPRS; i++) {
        if (tx_write(m, TX_FILE_GPR, i, &v->initial.gpr[i % TX_GPRS], 1) != TX_OK) {
            return fail_false(err, "initial: gpr cannot be set");
        }
    }
    return true;
}

bool check_run(struct check_machines *machines, const struct vector *v,
               const struct check_engine *engine, const char **reason, struct txl_error *err)
{
    enum tx_mode mode = v->fault != TX_NONE ? TX_MODE_STRICT : TX_MODE_SILICON;
    tx_machine *m = check_machine(machines, v->arch, mode);
    if (m == NULL) {
        return fail_false(err, "the machine cannot be opened");
    }
    tx_reset(m);
    if (!surround(machines, m, v, err) || !check_apply(m, v->thread, &v->initial, err) ||
        !spread_config(m, v, err) || !spread_gpr(m, v, err)) {
        return false;
    }
    if (v->has_stalled) {
        return check_stalled(m, v, err) && (!v->has_final || check_final(m, v, err));
    }
    enum tx_status status = run_again(m, v, engine, reason);
    if (v->fault != TX_NONE) {
        return check_fault(m, v, status, err);
    }
    if (v->has_stall) {
        const uint64_t passed = tx_machine_counters(m).instructions;
        if (status != TX_EDEADLOCK || passed != v->stall_at) {
            return fail_false(err,
                              "stall_at: expected word %llu to be held, got: %s after "
                              "%llu words",
                              (unsigned long long)v->stall_at, tx_status_text(status),
                              (unsigned long long)passed);
        }
        status = TX_OK;
    }
    if (status != TX_OK) {
        const struct tx_finding *fault = tx_fault(m);
        return fault == NULL ? fail_false(err, "stopped: %s", tx_status_text(status))
                             : fail_false(err, "stopped: %s: %.140s",
                                          tx_category_name(fault->category), fault->message);
    }
    return (!v->has_final || check_final(m, v, err)) && check_time(m, v, err);
}
