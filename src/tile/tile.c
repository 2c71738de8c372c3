/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tile as a whole: opening and closing, running cycles, memory as the host and the NoC reach
 * it, and the public functions of tensix/tile.h.
 */
#include "tile/check.h"

#include "base/sized.h"
#include "front/front.h"
#include "state/l1.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- findings: one per instruction of a core; others are told apart by their text ---- */

uint32_t tile_word_at(const struct tx_tensix *t, unsigned who, uint32_t pc)
{
    const uint32_t iram = pc - RISCV_IRAM_BASE;
    const uint8_t *at = l1_at(t->m, pc, 4);
    if (who == RISCV_NC && iram < RISCV_IRAM_BYTES) {
        at = t->s.iram + iram;
    }
    return at == NULL ? 0
                      : (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
                            (uint32_t)at[3] << 24;
}

/* Returns whether the finding is not to be recorded: it is known already, or a debugger reads. */
static bool told(struct tx_tensix *t, const char *rule, const char *place)
{
    return t->looking || machine_found_at(t->m, rule, place);
}

/* "core t0 at 00006000, ": without printf, since a loop comes here for each of its findings. */
static void tile_place_of(unsigned who, uint32_t pc, char place[32])
{
    static const char digits[] = "0123456789abcdef";
    const char *name = tx_core_name((enum tx_core)who);
    char *to = place;
    for (const char *const *part = (const char *const[]){"core ", name, " at ", NULL};
         *part != NULL; part++) {
        const size_t length = strlen(*part);
        memcpy(to, *part, length);
        to += length;
    }
    for (unsigned shift = 32; shift != 0; shift -= 4) {
        *to++ = digits[pc >> (shift - 4) & 15u];
    }
    memcpy(to, ", ", 3);
}

static void core_says(struct tx_tensix *t, unsigned who, uint32_t pc, uint32_t word,
                      enum tx_category category, const char *rule, const char *text)
{
    struct tx_op op = {.row = ROWID_NONE, .word = word, .number = t->m->state.index};
    char message[TX_MESSAGE];
    char insn[64];
    if (who >= RISCV_T0 && who <= RISCV_T2) {
        op.thread = (uint8_t)tile_thread(who);
    }
    riscv_text(t->m->arch, op.word, pc, insn, sizeof insn);
    (void)snprintf(message, sizeof message, "core %s at %08x, %s: %s",
                   tx_core_name((enum tx_core)who), (unsigned)pc, insn, text);
    machine_finding_at(t->m, category, rule, &op, message);
}

void tile_finding(struct tx_tensix *t, unsigned who, enum tx_category category,
                  enum evidence_id evidence, const char *format, ...)
{
    const char *rule = evidence_get(evidence)->id;
    const struct tx_op op = {.row = ROWID_NONE, .number = t->m->state.index};
    char message[TX_MESSAGE];
    char place[32];
    if (who < TX_CORES) {
        tile_place_of(who, riscv_at(&t->core[who]), place);
        if (told(t, rule, place)) {
            return;
        }
    }
    va_list args;
    va_start(args, format);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (who < TX_CORES) {
        const uint32_t pc = riscv_at(&t->core[who]);
        core_says(t, who, pc, tile_word_at(t, who, pc), category, rule, message);
    } else if (!told(t, rule, message)) {
        machine_finding_at(t->m, category, rule, &op, message);
    }
}

static void core_found(struct riscv *core, enum finding_kind finding, uint32_t pc, uint32_t word,
                       uint32_t address)
{
    const struct finding_info *info = finding_info(finding);
    const char *rule = evidence_get((enum evidence_id)info->evidence)->id;
    struct tx_tensix *t = core->env.user;
    char place[32];
    char text[TX_MESSAGE];
    tile_place_of(core->who, pc, place);
    if (!told(t, rule, place)) {
        const int n = snprintf(text, sizeof text, "%08x: %s", (unsigned)address, info->text);
        if (info->evidence == EVIDENCE_E_UNDEF && core->blame.pc != 0) {
            (void)snprintf(text + n, sizeof text - (size_t)n, "; loaded at %08x",
                           (unsigned)core->blame.pc);
        }
        core_says(t, core->who, pc, word, (enum tx_category)info->category, rule, text);
    }
}

/* ---- what cores reach ---- */

const struct tile_page *tile_page(enum riscv_region_id region)
{
    static const struct tile_page *const pages[REGION_NONE] = {
        [REGION_TDMA] = &tile_tdma,       [REGION_TDMA_BH] = &tile_tdma,
        [REGION_DEBUG] = &tile_debug,     [REGION_PIC] = &tile_pic,
        [REGION_PCS] = &tile_pcs,         [REGION_SLOW] = &tile_slow,
        [REGION_NIU] = &tile_niu,         [REGION_OVERLAY] = &tile_overlay,
        [REGION_MOP] = &tile_mop,         [REGION_DST] = &tile_dst,
        [REGION_GPRS_T] = &tile_gprs,     [REGION_GPRS_B] = &tile_gprs,
        [REGION_PUSH_T] = &tile_push,     [REGION_PUSH_B] = &tile_push,
        [REGION_SYNC] = &tile_sync,       [REGION_PCBUF] = &tile_pcbuf,
        [REGION_MAILBOX] = &tile_mailbox, [REGION_CONFIG] = &tile_config,
    };
    return pages[region];
}

static inline bool held_by_ttsync(struct riscv *core, const struct riscv_access *a, bool write)
{
    const struct tx_tensix *t = core->env.user;
    if (core->who < RISCV_T0 || core->who > RISCV_T2 || !machine_has(t->m, TTSYNC)) {
        return false;
    }
    const unsigned thread = tile_thread(core->who);
    return (t->m->state.thread_config[thread][TILE_TTSYNC_WORD] & TILE_TTSYNC_ON) != 0 &&
           tile_ttsync_holds(t, thread, a, write);
}

/* Returns whether the access has to wait for a delayed store to the same region. */
static inline bool held_by_late(const struct riscv *core, const struct riscv_access *a)
{
    const struct tx_tensix *t = core->env.user;
    return t->m->delays != NULL && tile_late_holds(t, core->who, a);
}

/*
 * Returns whether a load changes nothing and gives the same value until something reaches the tile,
 * provided that its coprocessor is idle.
 */
static bool steady(const struct tx_tensix *t, const struct riscv_access *a)
{
    switch ((enum riscv_region_id)a->region) {
    case REGION_NIU:
        return !noc_changes(t->m->arch, a->address % NIU_BLOCK);
    case REGION_DEBUG:
        return a->address - REGION_BASE_DEBUG == TILE_SOFT_RESET_0;
    case REGION_SYNC:
        return a->address - REGION_BASE_SYNC >= TILE_SYNC_SEMAPHORES;
    case REGION_OVERLAY:
    case REGION_GPRS_T:
    case REGION_GPRS_B:
    case REGION_CONFIG:
        return true;
    default:
        return false;
    }
}

static inline void tell_access(struct tx_tensix *t, unsigned who, const struct riscv_access *a,
                               bool write)
{
    if (t->accessed != NULL && !t->looking) {
        t->accessed(t->accessed_user, who, a, write);
    }
}

/* A core that has napped loads the clock of a cycle that has passed. */
static void load_clock(struct riscv *core, uint32_t address)
{
    struct tx_tensix *t = core->env.user;
    core->clocks++;
    t->clock = core->timed ? core->s.now - t->s.ahead : t->s.cycle;
    if (address - REGION_BASE_DEBUG == TILE_WALL_CLOCK_LATCH && t->clock >> 32 != t->s.wall_latch) {
        tile_naps_end(t); /* others may have loaded the clock since then */
    }
}

static enum riscv_answer core_load(struct riscv *core, struct riscv_access *a)
{
    if (held_by_late(core, a) || held_by_ttsync(core, a, false)) {
        return RISCV_WAIT;
    }
    if (a->region == REGION_DEBUG && riscv_is_clock(a->address)) {
        load_clock(core, a->address);
    }
    const enum riscv_answer answer =
        tile_page((enum riscv_region_id)a->region)->load(core->env.user, core->who, a);
    if (answer == RISCV_DONE) {
        tell_access(core->env.user, core->who, a, false);
    }
    const bool waits = answer == RISCV_WAIT && a->region == REGION_MAILBOX;
    core->changes += waits || steady(core->env.user, a) ? 0 : 1;
    return answer;
}

static enum riscv_answer core_store(struct riscv *core, const struct riscv_access *a)
{
    struct tx_tensix *t = core->env.user;
    if (held_by_late(core, a) || held_by_ttsync(core, a, true)) {
        return RISCV_WAIT;
    }
    if (t->settings.untimed && machine_asks(t->m)) {
        return RISCV_WAIT; /* ends the core's turn, so that the host is asked */
    }
    if (t->m->delays != NULL && tile_late_takes(t, core->who, a)) {
        return RISCV_DONE;
    }
    t->reached++;
    tile_naps_register(t, a->region);
    const enum riscv_answer answer =
        tile_page((enum riscv_region_id)a->region)->store(t, core->who, a);
    if (answer == RISCV_DONE) {
        tell_access(t, core->who, a, true);
    }
    if (t->stores != NULL && answer == RISCV_DONE) {
        t->stores(t->stores_user,
                  &(struct tx_core_store){(enum tx_core)core->who, a->address, a->value, a->size});
    }
    return answer;
}

static void core_told(struct riscv *core, uint32_t address, unsigned size, bool write,
                      enum tx_order_l1 how)
{
    tile_tell_many(core->env.user, core->who, write ? TX_ORDER_WRITE : TX_ORDER_READ, TX_SHARED_L1,
                   address, size, (uint32_t)how);
}

/* ---- undefined values of cores in L1 ---- */

static void core_spoils(struct riscv *core, uint32_t address, unsigned size, uint32_t bad,
                        struct riscv_origin from)
{
    const struct tx_tensix *t = core->env.user;
    l1_spoil(t->m, &(struct l1_spoilt){.address = address,
                                       .bad = bad,
                                       .from = from.address,
                                       .pc = from.pc,
                                       .size = (uint8_t)size,
                                       .thread = TX_THREADS,
                                       .core = (uint8_t)core->who});
}

static uint32_t core_spoilt(struct riscv *core, uint32_t address, unsigned size,
                            struct riscv_origin *from)
{
    const struct tx_tensix *t = core->env.user;
    struct l1_spoilt what;
    const uint32_t bad = l1_spoilt(t->m, address, size, &what);
    if (bad != 0 && what.thread < TX_THREADS) {
        const uint32_t gpr = TX_GPRS * (uint32_t)what.thread + what.gpr;
        *from = (struct riscv_origin){REGION_BASE_GPRS_B + 4 * gpr, 0};
    } else if (bad != 0) {
        *from = (struct riscv_origin){what.from, what.pc};
    }
    return bad;
}

/*
 * Accesses a word as NC does, which sees exactly what the NoC sees. Returns false if nothing is
 * there.
 */
static bool outside(struct tx_tensix *t, uint32_t address, uint32_t *value, bool write)
{
    const struct riscv_region *region = riscv_region(t->m->arch, RISCV_NC, address);
    struct riscv_access a = {.address = address, .value = *value, .size = 4};
    if (region == NULL) {
        return false;
    }
    a.region = (uint8_t)riscv_region_id(region);
    const struct tile_page *page = tile_page((enum riscv_region_id)a.region);
    if (write) {
        return page->store(t, TILE_OUTSIDE, &a) == RISCV_DONE;
    }
    const bool there = page->load(t, TILE_OUTSIDE, &a) == RISCV_DONE;
    *value = a.value;
    return there;
}

/* Registers for LOADREG, STOREREG and the like: those that the NoC reaches, and TDMA-RISC. */
static bool machine_registers(void *user, struct tx_access *access)
{
    struct tx_tensix *t = user;
    if (riscv_region(t->m->arch, RISCV_NC, access->address) != NULL) {
        const bool there = outside(t, access->address, &access->data[0], access->write);
        const struct riscv_access a = {
            .address = access->address, .value = access->data[0], .size = 4};
        if (there) {
            tell_access(t, TX_CORES + access->thread, &a, access->write);
        }
        return there;
    }
    const struct riscv_region *region =
        riscv_region(t->m->arch, (enum riscv_core)(RISCV_T0 + access->thread), access->address);
    if (region == NULL || riscv_region_id(region) != REGION_TDMA_BH) {
        return false;
    }
    struct riscv_access a = {
        .address = access->address, .value = access->data[0], .size = 4, .region = REGION_TDMA_BH};
    if (access->write) {
        return tile_tdma.store(t, RISCV_T0 + access->thread, &a) == RISCV_DONE;
    }
    (void)tile_tdma.load(t, RISCV_T0 + access->thread, &a);
    access->data[0] = a.value;
    return true;
}

/* ---- life ---- */

void tx_tensix_settings_default_sized(struct tx_tensix_settings *settings, size_t size,
                                      size_t machine_size, enum tx_arch arch)
{
    memset(settings, 0, size);
    settings->size = (uint32_t)size;
    tx_settings_default_sized(&settings->machine, machine_size, arch);
}

/*
 * Copies the caller's settings. With another version of the library's headers, "machine" has
 * another size and the fields behind it another offset. Returns false if they are not understood.
 */
static bool settings_take(struct tx_tensix_settings *own, const struct tx_tensix_settings *given)
{
    const size_t behind = offsetof(struct tx_tensix_settings, untimed);
    const size_t theirs = offsetof(struct tx_tensix_settings, machine) + given->machine.size;
    tx_tensix_settings_default(own, TX_ARCH_NONE);
    if (given->size <= theirs) {
        return false;
    }
    return sized_take((char *)own + behind, sizeof *own - behind, (const char *)given + theirs,
                      given->size - theirs, 1) &&
           sized_zero(own->reserved, sizeof own->reserved);
}

/* Resets everything but the coprocessor. The state is all zero, and the cores where it is fresh. */
static void power_up(struct tx_tensix *t, bool fresh)
{
    enum { ALL_HELD = 0x00047800 };
    tile_noc_reset(t);
    t->s.debug[TILE_SOFT_RESET_0 / 4] = ALL_HELD;
    t->progress = 0;
    t->m->hurries = t->settings.untimed;
    for (unsigned c = 0; c < TX_CORES; c++) {
        struct riscv *core = &t->core[c];
        riscv_close(core);
        (fresh ? riscv_begin : riscv_open)(core, t->m->arch, (enum riscv_core)c);
        core->timed = !t->settings.untimed;
        core->translates = true;
        core->env = (struct riscv_env){
            .l1 = t->m->own_l1,
            .l1_size = l1_size(t->m->arch),
            .written = t->m->own_l1 + l1_size(t->m->arch),
            .iram = c == RISCV_NC && machine_has(t->m, NC_IRAM) ? t->s.iram : NULL,
            .load = core_load,
            .store = core_store,
            .push = c >= RISCV_T0 && c <= RISCV_T2 ? tile_core_push : NULL,
            .status = tile_status,
            .finding = core_found,
            .listener = &t->m->order,
            .told = core_told,
            .heard = tile_naps_filter(t, false),
            .hidden = tile_naps_filter(t, true),
            .stored = tile_naps_stored,
            .needed = tile_naps_needed,
            .spoil = core_spoils,
            .spoilt = core_spoilt,
            .user = t,
        };
    }
}

enum tx_status tx_tensix_open(const struct tx_tensix_settings *settings, tx_tensix **out)
{
    struct tx_tensix_settings own;
    *out = NULL;
    if (!settings_take(&own, settings)) {
        return TX_EINVAL;
    }
    tx_tensix *t = calloc(1, sizeof *t);
    if (t == NULL) {
        return TX_ENOMEM;
    }
    t->settings = own;
    enum tx_status status = tx_open(&settings->machine, &t->m);
    if (status == TX_OK) {
        t->settings.machine = t->m->settings;
        status = own.untimed && tile_paced(t) ? TX_EUNSUPPORTED : tx_l1_allocate(t->m);
    }
    if (status != TX_OK) {
        tx_tensix_close(t);
        return status;
    }
    t->m->registers = machine_registers;
    t->m->pushed = tile_pusher;
    t->m->registers_user = t;
    tile_config_places(t);
    tile_noc_open(t);
    power_up(t, true);
    *out = t;
    return TX_OK;
}

void tx_tensix_close(tx_tensix *t)
{
    if (t != NULL) {
        tile_doze_close(t);
        for (unsigned c = 0; c < TX_CORES; c++) {
            riscv_close(&t->core[c]);
        }
        tx_close(t->m);
    }
    free(t);
}

void tx_tensix_reset(tx_tensix *t)
{
    tx_reset(t->m);
    (void)tx_l1_allocate(t->m); /* it is allocated already and gets cleared */
    memset(&t->s, 0, sizeof t->s);
    power_up(t, false);
}

tx_machine *tx_tensix_machine(tx_tensix *t)
{
    return t->m;
}

uint64_t tx_tensix_cycles(const tx_tensix *t)
{
    return t->s.cycle;
}

/* ---- memory ---- */

static enum tx_status transfer(tx_tensix *t, uint32_t address, uint8_t *to, const uint8_t *from,
                               size_t size)
{
    if (address < l1_size(t->m->arch)) {
        return to != NULL ? tx_l1_read(t->m, address, to, size)
                          : tx_l1_write(t->m, address, from, size);
    }
    if (address % 4 != 0 || size % 4 != 0) {
        return TX_EINVAL;
    }
    for (size_t i = 0; i < size; i += 4) {
        const uint32_t at = address + (uint32_t)i;
        uint32_t word = 0;
        for (unsigned k = 0; from != NULL && k < 4; k++) {
            word |= (uint32_t)from[i + k] << 8 * k;
        }
        if (at < address || !outside(t, at, &word, from != NULL)) {
            return TX_EINVAL;
        }
        for (unsigned k = 0; to != NULL && k < 4; k++) {
            to[i + k] = (uint8_t)(word >> 8 * k);
        }
    }
    return TX_OK;
}

enum tx_status tx_tensix_read(tx_tensix *t, uint32_t address, void *bytes, size_t size)
{
    return bytes == NULL ? TX_EINVAL : transfer(t, address, bytes, NULL, size);
}

enum tx_status tx_tensix_write(tx_tensix *t, uint32_t address, const void *bytes, size_t size)
{
    t->progress = t->s.cycle;
    return bytes == NULL ? TX_EINVAL : transfer(t, address, NULL, bytes, size);
}

/* ---- running ---- */

/*
 * Runs one cycle of the cores. The queued stores of all cores are delivered before any core issues
 * (spec/tile.md 11.3).
 */
static void run_cores(tx_tensix *t)
{
    if (t->requests.count != 0) {
        noc_drain(t->world);
    }
    tile_deliver(t, 0);
    if ((t->s.pic[PIC_ENABLE_B] | t->s.pic[PIC_ENABLE_NC]) != 0) {
        tile_interrupt(t);
    }
    tile_issue(t, 0);
}

void tile_deliver(tx_tensix *t, unsigned first)
{
    const uint64_t now = t->s.cycle + t->s.ahead;
    for (unsigned c = first; c < TX_CORES; c++) {
        if (((unsigned)t->napping >> c & 1u) != 0) {
            continue; /* its time is made up for when it wakes, which may be now */
        }
        t->core[c].s.now = now;
        if (t->core[c].s.stores != 0) {
            t->turn = (uint8_t)c;
            riscv_deliver(&t->core[c]);
        }
    }
}

void tile_issue(tx_tensix *t, unsigned first)
{
    const uint64_t now = t->s.cycle + t->s.ahead;
    for (unsigned c = first; c < TX_CORES; c++) {
        if (((unsigned)t->napping >> c & 1u) != 0) {
            continue;
        }
        const bool runs = t->core[c].s.phase == RISCV_RUNS &&
                          ((uint32_t)t->frozen >> c & 1u) == 0 &&
                          (t->m->delays == NULL || !tile_late_frozen(t, c)) &&
                          (t->s.starts_late == 0 || !tile_late_starts(t, c));
        t->turn = (uint8_t)(TILE_TURN_ISSUE + c);
        if (runs && tile_watches(t, c)) {
            tile_watched_issue(t, c);
        } else if (runs && tile_core_waits(t, c)) {
            t->core[c].s.waited[t->core[c].s.wait]++;
        } else if (runs) {
            riscv_issue(&t->core[c]);
        }
        t->core[c].s.now = now + 1;
    }
    t->turn = 0;
}

/* Runs one cycle. Cores that are quicker than on the chip have more than one in it. */
enum tx_status tile_cycle(tx_tensix *t)
{
    if (t->naps_hear != 0 && t->m->quiet == 0) {
        tile_naps_end(t); /* the coprocessor has work */
    }
    const enum tx_status status = tile_units_cycle(t);
    if (status != TX_OK) {
        return status;
    }
    if (t->m->delays != NULL) {
        tile_late_cycle(t);
    }
    for (unsigned left = tile_core_rounds(t); left != 0; left--) {
        run_cores(t);
        t->s.ahead += left > 1 ? 1 : 0;
    }
    tile_sync_cycle(t);
    t->s.cycle++;
    return t->m->faulted ? TX_FAULT : TX_OK;
}

/* Returns whether only time goes on: all cores stand still, and the coprocessor is idle. */
static bool still(const tx_tensix *t)
{
    for (unsigned c = 0; c < TX_CORES; c++) {
        if (t->core[c].s.phase == RISCV_RUNS || t->core[c].s.stores != 0) {
            return false;
        }
    }
    return !t->held.live && tx_idle(t->m);
}

/*
 * Runs one cycle, or, in a tile without time, up to "most" until everything waits. *count: how
 * many.
 */
static enum tx_status some_cycles(tx_tensix *t, uint64_t most, uint64_t *count)
{
    *count = t->settings.untimed ? tile_untimed(t, most) : 0;
    if (*count == 0) {
        *count = 1;
        return tile_cycle(t);
    }
    if (t->m->faulted) {
        return TX_FAULT;
    }
    return machine_goes_on(t->m) ? TX_OK : TX_ELIMIT;
}

enum tx_status tx_tensix_cycle(tx_tensix *t, uint64_t cycles)
{
    enum tx_status status = t->m->faulted ? TX_FAULT : TX_OK;
    uint64_t count;
    tile_untimed_again(t);
    for (uint64_t i = 0; i < cycles && status == TX_OK; i += count) {
        status = some_cycles(t, cycles - i, &count);
        if (i + count < cycles && status == TX_OK && still(t)) {
            const uint64_t before = t->m->state.cycle;
            status = tx_step(t->m, cycles - i - count);
            t->s.cycle += t->m->state.cycle - before;
            break;
        }
    }
    return status;
}

enum { JUMP_TO_ITSELF = 0x0000006F, PATIENCE_CYCLES = 10000 };

bool tile_core_rests(const struct tx_tensix *t, unsigned c)
{
    const struct riscv *core = &t->core[c];
    return core->s.stores == 0 && !(t->held.live && t->held.who == c) &&
           (core->s.phase != RISCV_RUNS || tile_word_at(t, c, core->s.pc) == JUMP_TO_ITSELF);
}

/* Returns whether nothing will happen any more by itself. *waits: something waits in vain. */
static bool at_rest(const struct tx_tensix *t, bool *waits)
{
    *waits = false;
    for (unsigned c = 0; c < TX_CORES; c++) {
        if (!tile_core_rests(t, c)) {
            return false;
        }
        *waits = *waits || t->core[c].s.phase == RISCV_HUNG;
    }
    if (tx_idle(t->m)) {
        return true;
    }
    *waits = true;
    return tx_stuck(t->m);
}

/* Returns a number that changes whenever an instruction is executed. */
static uint64_t tile_work(const struct tx_tensix *t)
{
    uint64_t sum = t->m->state.index;
    for (unsigned c = 0; c < TX_CORES; c++) {
        sum += tile_core_rests(t, c) ? 0 : t->core[c].s.instret;
    }
    return sum;
}

enum tx_status tx_tensix_run(tx_tensix *t, uint64_t limit)
{
    enum { LOOK = 16 };
    uint64_t before = tile_work(t);
    uint64_t count;
    enum tx_status status = t->m->faulted ? TX_FAULT : TX_OK;
    t->progress = t->s.cycle;
    tile_untimed_again(t);
    for (uint64_t i = 0; i < limit && status == TX_OK; i += count) {
        bool waits;
        status = some_cycles(t, limit - i, &count);
        if (status != TX_OK) {
            return status;
        }
        if (i % LOOK != 0 && count < LOOK) {
            continue;
        }
        if (at_rest(t, &waits)) {
            return waits ? TX_EDEADLOCK : TX_OK;
        }
        if (tile_work(t) != before) {
            before = tile_work(t);
            t->progress = t->s.cycle;
        } else if (t->s.cycle - t->progress > PATIENCE_CYCLES) {
            return TX_EDEADLOCK;
        }
    }
    return status == TX_OK ? TX_ELIMIT : status;
}
