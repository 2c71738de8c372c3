/* SPDX-License-Identifier: Apache-2.0 */
/* The public functions of a machine. Arguments are checked here and nowhere further in. */
#include "front/check.h"
#include "base/sized.h"
#include "front/front.h"
#include "front/span.h"
#include "isa/chip.h"
#include "matrix/bulk.h"
#include "num/prng.h"
#include "pipe/macro.h"
#include "pipe/pipe.h"
#include "scalar/unit.h"
#include "state/l1.h"
#include "state/cfg.h"

#include <stdlib.h>
#include <string.h>

/* ---- settings and life ---- */

static struct tx_settings settings_default(enum tx_arch arch)
{
    const struct tx_settings settings = {.arch = arch, .max_cycles = TX_MAX_CYCLES};
    return settings;
}

void tx_settings_default_sized(struct tx_settings *settings, size_t size, enum tx_arch arch)
{
    struct tx_settings own = settings_default(arch);
    own.size = (uint32_t)size;
    sized_give(settings, size, &own, sizeof own);
}

enum tx_status tx_settings_rule(struct tx_settings *settings, const char *assignment)
{
    const char *equals = strchr(assignment, '=');
    const size_t length = equals == NULL ? strlen(assignment) : (size_t)(equals - assignment);
    for (size_t i = 0; i < RULE_COUNT; i++) {
        const struct tx_rule *rule = tx_rule_at(i);
        if (strlen(rule->name) != length || strncmp(rule->name, assignment, length) != 0) {
            continue;
        }
        for (uint8_t v = 0; equals != NULL && v < 4 && rule->values[v] != NULL; v++) {
            if (strcmp(rule->values[v], equals + 1) == 0) {
                settings->rules[i] = v;
                return TX_OK;
            }
        }
        return TX_EINVAL;
    }
    return TX_ENOENT;
}

enum tx_status tx_settings_pace(struct tx_settings *settings, const char *assignment)
{
    static const char *const units[TX_PACED_COUNT] = {[TX_PACED_UNPACK] = "unpack",
                                                      [TX_PACED_MATRIX] = "matrix",
                                                      [TX_PACED_VECTOR] = "vector",
                                                      [TX_PACED_PACK] = "pack",
                                                      [TX_PACED_CORES] = "cores"};
    static const char *const names[] = {"real", "half", "none"};
    const char *equals = strchr(assignment, '=');
    const size_t length = equals == NULL ? strlen(assignment) : (size_t)(equals - assignment);
    for (unsigned i = 0; i < TX_PACED_COUNT; i++) {
        if (strlen(units[i]) != length || strncmp(units[i], assignment, length) != 0) {
            continue;
        }
        for (uint8_t pace = 0; equals != NULL && pace <= TX_PACE_NONE; pace++) {
            if (strcmp(names[pace], equals + 1) == 0) {
                settings->pace[i] = pace;
                return TX_OK;
            }
        }
        return TX_EINVAL;
    }
    return TX_ENOENT;
}

/* Returns whether the paces are known ones. *paced: a unit of the coprocessor has another one. */
static bool paces(const struct tx_settings *own, bool *paced)
{
    bool known = true;
    *paced = false;
    for (unsigned i = 0; i < TX_PACED_COUNT; i++) {
        known = known && own->pace[i] <= TX_PACE_NONE;
        *paced = *paced || (i != TX_PACED_CORES && own->pace[i] != TX_PACE_REAL);
    }
    return known;
}

enum tx_status tx_open(const struct tx_settings *settings, tx_machine **out)
{
    struct tx_settings own = settings_default(TX_ARCH_NONE);
    bool paced;
    *out = NULL;
    if (!sized_take(&own, sizeof own, settings, settings->size,
                    offsetof(struct tx_settings, sink)) ||
        !sized_zero(own.reserved, sizeof own.reserved) || !paces(&own, &paced) ||
        !chip_known(own.arch) || (own.mode != TX_MODE_SILICON && own.mode != TX_MODE_STRICT)) {
        return TX_EINVAL;
    }
    tx_machine *m = calloc(1, sizeof *m);
    if (m == NULL) {
        return TX_ENOMEM;
    }
    m->pack_memo = calloc(1, unit_pack_memory());
    m->unpack_memo = calloc(1, unit_unpack_memory());
    m->matrix_memo = aligned_alloc(_Alignof(struct bulk_memo), sizeof(struct bulk_memo));
    if (m->pack_memo == NULL || m->unpack_memo == NULL || m->matrix_memo == NULL) {
        tx_close(m);
        return TX_ENOMEM;
    }
    m->matrix_memo->kind = 0;
    m->settings = own;
    m->paced = paced;
    m->arch = own.arch;
    m->places = cfg_places(m->arch);
    m->matrix_level = matrix_level(0);
    tx_host_default(&m->host);
    pipe_open(m);
    state_begin(&m->state, machine_rule(m, RULE_RESET_FLAGS)); /* what is not in it is zero */
    machine_reconfigured(m);
    machine_changed(m, CHANGE_HOST, 0);
    *out = m;
    return TX_OK;
}

void tx_close(tx_machine *machine)
{
    if (machine != NULL) {
        delay_free(machine);
        check_close(machine);
        free(machine->own_l1);
        free(machine->matrix_memo);
        free(machine->pack_memo);
        free(machine->unpack_memo);
    }
    free(machine);
}

void tx_findings_clear(tx_machine *m)
{
    m->finding_count = 0;
    m->findings_dropped = 0;
    memset(m->notes, 0, sizeof m->notes);
}

void tx_reset(tx_machine *m)
{
    m->bounds = m->l1_used = 0;
    state_reset(&m->state, machine_rule(m, RULE_RESET_FLAGS));
    machine_reconfigured(m);
    machine_changed(m, CHANGE_HOST, 0);
    tx_findings_clear(m);
    m->faulted = false;
    m->quiet = 0;
    memset(&m->counters, 0, sizeof m->counters);
}

enum tx_arch tx_machine_arch(const tx_machine *m)
{
    return m->arch;
}

/* ---- running ---- */

static inline enum tx_status one_cycle(tx_machine *m, unsigned thread, const uint32_t *word,
                                       bool *accepted)
{
    *accepted = false;
    if (m->faulted) {
        return TX_FAULT;
    }
    struct check *c = check_before(m, word, word != NULL ? 1 : 0);
    front_cycle(m, thread, word, accepted);
    check_after(m, c, "quick", thread, word, *accepted ? 1 : 0);
    if (!m->faulted && word != NULL && !*accepted && m->quiet != 0 && tx_stuck(m)) {
        return TX_EDEADLOCK;
    }
    return m->faulted ? TX_FAULT : TX_OK;
}

enum tx_status tx_cycle(tx_machine *m, unsigned thread, const uint32_t *word, bool *accepted)
{
    *accepted = false;
    return thread >= TX_THREADS  ? TX_EINVAL
           : machine_is_paced(m) ? TX_EUNSUPPORTED
                                 : one_cycle(m, thread, word, accepted);
}

/*
 * Runs a cycle of a run, whose first and last issue are noted for the counters. "left" is the
 * number of cycles still allowed.
 */
static enum tx_status run_cycle(tx_machine *m, unsigned thread, const uint32_t *word,
                                bool *accepted, struct span *run, uint64_t *left)
{
    if ((*left)-- == 0) {
        return TX_ELIMIT;
    }
    span_before(run, m);
    const enum tx_status status = one_cycle(m, thread, word, accepted);
    span_after(run, m);
    return status == TX_OK && !machine_goes_on(m) ? TX_ELIMIT : status;
}

/* ---- short ways, which the build that checks itself repeats the long way ---- */

static size_t straight(struct tx_machine *m, unsigned thread, const uint32_t *words, size_t count,
                       struct span *run, uint64_t *left)
{
    struct check *c = check_before(m, words, count);
    const size_t n = front_straight(m, thread, words, count, run, left);
    check_after(m, c, "straight", thread, words, n);
    return n;
}

static size_t fetch(struct tx_machine *m, unsigned thread, const uint32_t *words, size_t count,
                    struct span *run, uint64_t *left)
{
    struct check *c = check_before(m, words, count);
    const size_t n = front_fetch(m, thread, words, count, run, left);
    check_after(m, c, "fetch", thread, words, n);
    return n;
}

static uint64_t skip(struct tx_machine *m, unsigned thread, const uint32_t *word, uint64_t left)
{
    struct check *c = check_before(m, NULL, 0);
    const uint64_t n = front_skip(m, left);
    check_after(m, c, "skip", thread, word, 0);
    return n;
}

/* Units that are quicker than on the chip take words out of the queues. */
static enum tx_status run_paced(struct tx_machine *m, unsigned thread, const uint32_t *words,
                                size_t count)
{
    struct tx_stream streams[TX_THREADS] = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
    const uint64_t most = m->settings.max_cycles;
    streams[thread] = (struct tx_stream){words, count};
    return tx_run_threads(m, streams, most != 0 ? most : UINT64_MAX);
}

enum tx_status tx_run_gaps(tx_machine *m, unsigned thread, const uint32_t *words, size_t count,
                           const uint32_t *gaps)
{
    struct span run = {.started = false};
    uint64_t left = m->settings.max_cycles != 0 ? m->settings.max_cycles : UINT64_MAX;
    enum tx_status status = m->faulted ? TX_FAULT : TX_OK;
    bool accepted;
    m->quiet = 0;
    if (thread >= TX_THREADS || (words == NULL && count != 0)) {
        return TX_EINVAL;
    }
    if (machine_is_paced(m)) {
        return gaps != NULL ? TX_EUNSUPPORTED : run_paced(m, thread, words, count);
    }
    for (size_t i = 0; i < count && status == TX_OK; i++) {
        for (uint32_t gap = gaps == NULL ? 0 : gaps[i]; gap != 0 && status == TX_OK; gap--) {
            status = run_cycle(m, thread, NULL, &accepted, &run, &left);
        }
        if (gaps == NULL && m->settings.sink.event == NULL) {
            i += straight(m, thread, words + i, count - i, &run, &left);
            i += i + 1 < count ? fetch(m, thread, words + i, count - i, &run, &left) : 0;
            status = m->faulted ? TX_FAULT : machine_asked(m) ? TX_OK : TX_ELIMIT;
        }
        accepted = false;
        while (!accepted && status == TX_OK) {
            status = run_cycle(m, thread, &words[i], &accepted, &run, &left);
            left -= status == TX_OK && !accepted ? skip(m, thread, &words[i], left) : 0;
        }
    }
    while (status == TX_OK && !tx_idle(m)) {
        status = tx_stuck(m) ? TX_EDEADLOCK : run_cycle(m, thread, NULL, &accepted, &run, &left);
        /* Must not skip cycles beyond the end of the run. */
        left -= status == TX_OK && !tx_idle(m) ? skip(m, thread, NULL, left) : 0;
    }
    span_count(&run, m);
    return status;
}

enum tx_status tx_run(tx_machine *m, unsigned thread, const uint32_t *words, size_t count)
{
    return tx_run_gaps(m, thread, words, count, NULL);
}

enum tx_status tx_finish(tx_machine *m)
{
    if (!m->faulted) {
        macro_finish(m);
    }
    return m->faulted ? TX_FAULT : TX_OK;
}

enum tx_status tx_fpu_wrote(tx_machine *m, unsigned first_row, unsigned rows)
{
    if (first_row >= TX_DST_ROWS || rows > TX_DST_ROWS - first_row) {
        return TX_EINVAL;
    }
    const struct fpu_write fpu = {
        .first = (uint16_t)first_row, .rows = (uint16_t)rows, .left = 3, .thread = TX_THREADS};
    m->state.fpu = fpu;
    return TX_OK;
}

void tx_machine_counters_sized(const tx_machine *m, struct tx_counters *counters, size_t size)
{
    sized_give(counters, size, &m->counters, sizeof m->counters);
}

/* ---- findings ---- */

const struct tx_finding *tx_fault(const tx_machine *m)
{
    return m->faulted ? &m->fault : NULL;
}

size_t tx_finding_count(const tx_machine *m)
{
    return m->finding_count;
}

const struct tx_finding *tx_finding_at(const tx_machine *m, size_t index)
{
    return index < m->finding_count ? &m->findings[index] : NULL;
}

uint64_t tx_finding_dropped(const tx_machine *m)
{
    return m->findings_dropped;
}

uint64_t tx_note_count(const tx_machine *m, size_t evidence_index)
{
    return evidence_index < EVIDENCE_COUNT ? m->notes[evidence_index] : 0;
}

/* ---- configuration by name ---- */

/* A register of the RISC-V cores' debug block; its bit 11 affects the Vector Unit. */
static const char feature_disable[] = "DBG_FEATURE_DISABLE";
enum { DST16_HIGH = 11 };

enum tx_status tx_config_get(const tx_machine *m, unsigned thread, const char *name,
                             uint32_t *value)
{
    const struct tx_config_field *f = tx_config_field_find(m->arch, name);
    if (thread >= TX_THREADS) {
        return TX_EINVAL;
    }
    if (strcmp(name, feature_disable) == 0) {
        *value = m->state.dst16_high != 0 ? 1u << DST16_HIGH : 0u;
        return TX_OK;
    }
    if (f == NULL) {
        return TX_ENOENT;
    }
    const unsigned bank = cfg_bank(&m->state, m->places, thread);
    *value = f->thread ? bits_get(m->state.thread_config[thread][f->word], f->lsb, f->width)
                       : bits_get(m->state.config[bank][f->word], f->lsb, f->width);
    return TX_OK;
}

enum tx_status tx_config_set(tx_machine *m, unsigned thread, const char *name, uint32_t value)
{
    const struct tx_config_field *f = tx_config_field_find(m->arch, name);
    if (thread >= TX_THREADS) {
        return TX_EINVAL;
    }
    if (strcmp(name, feature_disable) == 0) {
        if ((value & ~(1u << DST16_HIGH)) != 0) {
            return TX_EINVAL;
        }
        m->state.dst16_high = value != 0;
        machine_changed(m, CHANGE_HOST, 0);
        return TX_OK;
    }
    if (f == NULL) {
        return TX_ENOENT;
    }
    if ((value & ~bits_mask(f->width)) != 0) {
        return TX_EINVAL;
    }
    m->quiet = 0; /* a word may wait for it */
    if (f->thread) {
        const uint16_t old = m->state.thread_config[thread][f->word];
        cfg_write_thread(m, thread, f->word, (uint16_t)bits_set(old, f->lsb, f->width, value));
    } else {
        const unsigned bank = cfg_bank(&m->state, m->places, thread);
        const uint32_t old = m->state.config[bank][f->word];
        cfg_write(m, bank, f->word, bits_set(old, f->lsb, f->width, value), CFG_BY_BYTE);
    }
    return TX_OK;
}

void tx_prng_seed(tx_machine *m, uint32_t seed)
{
    prng_seed(seed, m->state.prng);
    machine_changed(m, CHANGE_HOST, 0);
    m->state.prng_seeded = 1;
    m->state.seed_pending = 0;
}

/* ---- snapshots ---- */

struct snapshot_header {
    uint32_t magic, version, arch, size;
};

static struct snapshot_header snapshot_header(enum tx_arch arch)
{
    const struct snapshot_header h = {
        0x54584D53u, TX_VERSION_MAJOR << 16 | TX_VERSION_MINOR << 8 | TX_VERSION_PATCH,
        (uint32_t)arch, (uint32_t)sizeof(struct tx_state)};
    return h;
}

size_t tx_snapshot_size(const tx_machine *m)
{
    return sizeof(struct snapshot_header) + sizeof(struct tx_state) +
           (m == NULL ? 0 : l1_own_size(m));
}

static bool snapshot_fits(const tx_machine *m, size_t size)
{
    return size == tx_snapshot_size(NULL) || size == tx_snapshot_size(m);
}

enum tx_status tx_snapshot(const tx_machine *m, void *buffer, size_t size)
{
    const struct snapshot_header h = snapshot_header(m->arch);
    char *to = buffer;
    if (buffer == NULL || !snapshot_fits(m, size)) {
        return TX_EINVAL;
    }
    memcpy(to, &h, sizeof h);
    memcpy(to + sizeof h, &m->state, sizeof m->state);
    if (size != tx_snapshot_size(NULL)) {
        memcpy(to + tx_snapshot_size(NULL), m->own_l1, l1_own_size(m));
    }
    return TX_OK;
}

/*
 * Brings an instruction into range. A buffer that tx_snapshot did not write may hold anything;
 * whatever indexes an array must be valid.
 */
static void make_op_safe(struct tx_op *op, uint8_t *live)
{
    if (op->row >= ROWID_COUNT || op->row == ROWID_NONE) {
        *live = 0;
        op->row = ROWID_SFPNOP;
    }
    op->va &= 15u;
    op->vb &= 15u;
    op->vc &= 15u;
    op->vd = op->vd == LREG_L16 ? LREG_L16 : op->vd & 15u;
    op->mode &= 15u;
    op->amod &= 7u;
    op->thread = op->thread < TX_THREADS ? op->thread : 0;
}

static void make_safe(struct tx_state *s)
{
    s->flights = 0;
    make_op_safe(&s->fresh_op, &s->config_fresh);
    for (unsigned i = 0; i < FLIGHTS; i++) {
        struct effect *e = &s->flight[i].effect;
        s->flight[i].live = s->flight[i].live != 0;
        make_op_safe(&s->flight[i].op, &s->flight[i].live);
        e->template_mask = e->config_mask = e->store_mask = 0;
        e->rwc_set = 0;
        s->flights = (uint16_t)(s->flights | (s->flight[i].live != 0 ? 1u << i : 0u));
    }
    s->pending_count = 0;
    for (unsigned unit = 0; unit < MACRO_UNITS; unit++) {
        s->pending_end[unit] = 0;
        for (unsigned i = 0; i < MACRO_PENDING; i++) {
            struct pending *p = &s->pending[unit][i];
            p->live = p->live != 0;
            make_op_safe(&p->op, &p->live);
            s->pending_count = (uint16_t)(s->pending_count + p->live);
            s->pending_end[unit] = p->live != 0 ? (uint8_t)(i + 1) : s->pending_end[unit];
        }
    }
    make_op_safe(&s->units.mover.op, &s->units.mover.live);
    s->units.mover.live = s->units.mover.live != 0;
    s->units.mover.bytes &= 0xFFFF0u;
    s->units.mover.direction &= 3u;
    for (unsigned lane = 0; lane < 32; lane++) {
        s->stack_ctr[lane] &= 15u;
    }
    for (unsigned t = 0; t < TX_THREADS; t++) {
        struct rwc *r = &s->rwc[t];
        r->dst &= 1023u;
        r->dst_cr &= 1023u;
        r->sp &= 1023u;
    }
}

enum tx_status tx_restore(tx_machine *m, const void *buffer, size_t size)
{
    const struct snapshot_header want = snapshot_header(m->arch);
    const char *from = buffer;
    if (buffer == NULL || !snapshot_fits(m, size) || memcmp(buffer, &want, sizeof want) != 0) {
        return TX_EINVAL;
    }
    memcpy(&m->state, from + sizeof want, sizeof m->state);
    machine_reconfigured(m);
    if (size != tx_snapshot_size(NULL)) {
        memcpy(m->own_l1, from + tx_snapshot_size(NULL), l1_own_size(m));
    }
    make_safe(&m->state);
    front_make_safe(&m->state);
    machine_changed(m, CHANGE_HOST, 0);
    m->quiet = 0;
    m->faulted = false;
    return TX_OK;
}
