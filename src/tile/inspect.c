/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a debugger on the host uses: the debug units of B, T0, T1 and T2, the debug bus, and
 * instructions pushed by hand. It is not known whether a watched load or store is executed before
 * the core pauses; here it is. Source: spec/tile.md 9.1, 9.2 from tt-exalens eb5fc96.
 */
#include "isa/chip.h"
#include "base/check.h"
#include "tile/tile.h"

enum dr { DR_STATUS, DR_COMMAND, DR_ARG0, DR_ARG1, DR_RESULT, DR_WATCH_ADDRESS = 10 };
enum command {
    COMMAND_HALT,
    COMMAND_STEP,
    COMMAND_CONTINUE,
    COMMAND_READ_REGISTER,
    COMMAND_WRITE_REGISTER,
    COMMAND_READ_MEMORY,
    COMMAND_WRITE_MEMORY,
    COMMAND_CLEAR_REGISTERS,
    COMMAND_FLUSH
};
enum { STEP_CYCLES = 1000, PC_INDEX = 32 };
/*
 * Bits of the status, where watchpoint i has bit HIT_FIRST + i; settings of a watchpoint, four
 * bits.
 */
enum { HIT_PC = 1 << 1, HIT_MEMORY = 1 << 2, HIT_BREAK = 1 << 3, HIT_FIRST = 8, WATCHPOINTS = 8 };
enum { WATCH_OFF = 0, WATCH_EXECUTE = 8, WATCH_READ, WATCH_WRITE, WATCH_ACCESS };

static uint32_t status(const struct tx_tensix *t, unsigned who)
{
    const struct riscv *core = &t->core[who];
    const uint32_t paused = core->s.phase == RISCV_PAUSED;
    return paused | (core->s.broke != 0 ? (uint32_t)HIT_BREAK : 0u) | t->s.watch_hit[who];
}

/* ---- watchpoints ---- */

static unsigned setting(const struct tx_tensix *t, unsigned who, unsigned i)
{
    return t->s.dr[who][DR_WATCH] >> 4 * i & 15u;
}

/*
 * Decodes the memory access of the next instruction. Returns its size in bytes, 0 if there is none.
 */
static unsigned accesses(const struct riscv *core, uint32_t word, uint32_t *address, bool *reads,
                         bool *writes)
{
    struct riscv_op op;
    riscv_decode(core->arch, word, &op);
    *reads = op.class == CLASS_LOAD || op.class == CLASS_AMO;
    *writes = op.class == CLASS_STORE || op.class == CLASS_AMO;
    *address = core->s.x[op.rs1] + (op.class == CLASS_AMO ? 0 : op.imm);
    switch ((enum riscv_id)op.id) {
    case RISCV_LB:
    case RISCV_LBU:
    case RISCV_SB:
        return 1;
    case RISCV_LH:
    case RISCV_LHU:
    case RISCV_SH:
        return 2;
    default:
        return *reads || *writes ? 4 : 0;
    }
}

/* Returns the watchpoints that the memory access of the next instruction hits, as status bits. */
static uint32_t watched(const struct tx_tensix *t, unsigned who, uint32_t word)
{
    uint32_t address;
    bool reads;
    bool writes;
    uint32_t hits = 0;
    const unsigned size = accesses(&t->core[who], word, &address, &reads, &writes);
    for (unsigned i = 0; i < WATCHPOINTS; i++) {
        const unsigned what = setting(t, who, i);
        const bool right = (reads && (what == WATCH_READ || what == WATCH_ACCESS)) ||
                           (writes && (what == WATCH_WRITE || what == WATCH_ACCESS));
        const uint32_t at = t->s.dr[who][DR_WATCH_ADDRESS + i];
        if (right && at - (address & ~(size - 1u)) < size) {
            hits |= HIT_MEMORY | 1u << (HIT_FIRST + i);
        }
    }
    return hits;
}

/* Returns the watchpoints for execution at the core's pc, as status bits. */
static uint32_t at_watchpoint(const struct tx_tensix *t, unsigned who)
{
    CHECK(who < DEBUG_CORES, "a watchpoint that is met is a debug unit's");
    uint32_t hits = 0;
    for (unsigned i = 0; i < WATCHPOINTS; i++) {
        if (setting(t, who, i) == WATCH_EXECUTE &&
            t->s.dr[who][DR_WATCH_ADDRESS + i] == t->core[who].s.pc) {
            hits |= HIT_PC | 1u << (HIT_FIRST + i);
        }
    }
    return hits;
}

void tile_watched_issue(struct tx_tensix *t, unsigned who)
{
    CHECK(who < DEBUG_CORES, "a watched core has a debug unit");
    struct riscv *core = &t->core[who];
    const uint64_t before = core->s.instret;
    uint32_t hits = t->s.watch_passed[who] != 0 ? 0 : at_watchpoint(t, who);
    if (hits == 0) {
        hits = watched(t, who, tile_word_at(t, who, core->s.pc));
        core->single = true;
        riscv_issue(core);
        core->single = false;
        if (core->s.instret == before) {
            return;
        }
        t->s.watch_passed[who] = 0;
    }
    if (hits != 0 && core->s.phase == RISCV_RUNS) {
        core->s.phase = RISCV_PAUSED;
    }
    t->s.watch_hit[who] |= (uint16_t)hits;
}

static void set_watchpoints(struct tx_tensix *t, unsigned who)
{
    CHECK(who < DEBUG_CORES, "watchpoints are a debug unit's");
    for (unsigned i = 0; i < WATCHPOINTS; i++) {
        const unsigned what = setting(t, who, i);
        if (what != WATCH_OFF && (what < WATCH_EXECUTE || what > WATCH_ACCESS)) {
            tile_finding(t, who, TX_UNSUPPORTED, EVIDENCE_TILE_PART,
                         "watchpoint %u of the debug unit with setting %u: it never acts", i, what);
        }
    }
}

/* ---- commands ---- */

/*
 * Executes one instruction of a paused core. One that does not end within STEP_CYCLES is left as it
 * is.
 */
static void step(struct riscv *core)
{
    const uint64_t before = core->s.instret;
    const uint64_t now = core->s.now;
    const bool timed = core->timed;
    core->s.phase = RISCV_RUNS;
    core->timed = false;
    for (unsigned i = 0; i < STEP_CYCLES && core->s.instret == before; i++) {
        if (riscv_run(core, 1) == 0 && core->s.phase != RISCV_RUNS) {
            break;
        }
    }
    core->timed = timed;
    core->s.now = now; /* the tile's time does not advance */
    core->s.phase = core->s.phase == RISCV_RUNS ? RISCV_PAUSED : core->s.phase;
}

/* Accesses a word of L1; beyond L1, nothing happens. */
static void l1_word(struct tx_tensix *t, uint32_t address, uint32_t *word, bool write)
{
    uint8_t bytes[4];
    for (unsigned i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)(*word >> 8 * i);
    }
    if (write) {
        (void)tx_l1_write(t->m, address, bytes, sizeof bytes);
    } else if (tx_l1_read(t->m, address, bytes, sizeof bytes) == TX_OK) {
        *word = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                (uint32_t)bytes[3] << 24;
    }
}

static void memory(struct tx_tensix *t, unsigned who, uint32_t *dr, bool write)
{
    struct riscv *core = &t->core[who];
    const uint32_t address = dr[DR_ARG0] & ~3u;
    const uint32_t local = address - RISCV_RAM_BASE;
    if (local < riscv_ram_size(core->arch, core->who)) {
        for (unsigned i = 0; i < 4; i++) {
            if (write) {
                core->s.ram[local + i] = (uint8_t)(dr[DR_ARG1] >> 8 * i);
                core->s.ram_bad[local + i] = 0;
            } else {
                dr[DR_RESULT] =
                    (dr[DR_RESULT] & ~(0xFFu << 8 * i)) | (uint32_t)core->s.ram[local + i] << 8 * i;
            }
        }
        return;
    }
    /* As the core would access it: B's debug unit is how a host reaches the configuration. */
    const struct riscv_region *region = riscv_region(core->arch, core->who, address);
    if (region == NULL) {
        l1_word(t, address, &dr[write ? DR_ARG1 : DR_RESULT], write);
        return;
    }
    struct riscv_access a = {.address = address, .value = dr[DR_ARG1], .size = 4};
    a.region = (uint8_t)riscv_region_id(region);
    const struct tile_page *page = tile_page((enum riscv_region_id)a.region);
    if (write) {
        (void)page->store(t, who, &a);
    } else if (region->cycles[chip_column(t->m->arch)] != 0 &&
               page->load(t, who, &a) == RISCV_DONE) {
        dr[DR_RESULT] = a.value;
    }
}

static void registers(struct tx_tensix *t, unsigned who, uint32_t *dr, bool write)
{
    uint32_t value = dr[DR_ARG1];
    if (write) {
        (void)tx_core_write(t, (enum tx_core)who, dr[DR_ARG0], value);
    } else if (tx_core_read(t, (enum tx_core)who, dr[DR_ARG0], &value) == TX_OK) {
        dr[DR_RESULT] = value;
    }
}

static void command(struct tx_tensix *t, unsigned who, uint32_t bits)
{
    CHECK(who < DEBUG_CORES, "a command is for a core with a debug unit");
    uint32_t *dr = t->s.dr[who];
    struct riscv *core = &t->core[who];
    const bool paused = core->s.phase == RISCV_PAUSED;
    if ((bits >> COMMAND_HALT & 1u) != 0 && core->s.phase == RISCV_RUNS) {
        core->s.phase = RISCV_PAUSED;
    }
    if (!paused) {
        return; /* all other commands need a core that is paused already */
    }
    if ((bits >> COMMAND_FLUSH & 1u) != 0) {
        (void)tx_core_write(t, (enum tx_core)who, PC_INDEX, dr[DR_ARG1]);
    }
    if ((bits >> COMMAND_STEP & 1u) != 0 || (bits >> COMMAND_CONTINUE & 1u) != 0) {
        core->s.broke = 0;
        t->s.watch_hit[who] = 0;
        t->s.watch_passed[who] = 1;
    }
    if ((bits >> COMMAND_STEP & 1u) != 0) {
        step(core);
        t->s.watch_passed[who] = 0;
    }
    if ((bits >> COMMAND_CONTINUE & 1u) != 0) {
        core->s.phase = RISCV_RUNS;
        t->progress = t->s.cycle;
    }
    if ((bits >> COMMAND_READ_REGISTER & 1u) != 0 || (bits >> COMMAND_WRITE_REGISTER & 1u) != 0) {
        registers(t, who, dr, (bits >> COMMAND_WRITE_REGISTER & 1u) != 0);
    }
    if ((bits >> COMMAND_READ_MEMORY & 1u) != 0 || (bits >> COMMAND_WRITE_MEMORY & 1u) != 0) {
        memory(t, who, dr, (bits >> COMMAND_WRITE_MEMORY & 1u) != 0);
    }
    for (unsigned i = 1; (bits >> COMMAND_CLEAR_REGISTERS & 1u) != 0 && i < 32; i++) {
        core->s.x[i] = 0;
    }
}

/*
 * Acts on a rise of bit 31 of RISC_DBG_CNTL_0. Bits 10:0 number the register, bit 16 says write,
 * bits 18:17 number the core.
 */
static void access(struct tx_tensix *t, uint32_t control)
{
    const unsigned who = bits_get(control, 17, 2);
    const unsigned number = bits_get(control, 0, 11);
    const uint32_t data = t->s.debug[TILE_RISC_DBG_CNTL_1 / 4];
    uint32_t *dr = t->s.dr[who];
    if (number >= DR_COUNT || (number > DR_WATCH && number < DR_WATCH_ADDRESS)) {
        tile_finding(t, TILE_OUTSIDE, TX_UNSUPPORTED, EVIDENCE_TILE_PART,
                     "register %u of core %s's debug unit is not modelled", number,
                     tx_core_name((enum tx_core)who));
        return;
    }
    if (bits_get(control, 16, 1) == 0) {
        t->s.debug[TILE_RISC_DBG_STATUS_1 / 4] = number == DR_STATUS ? status(t, who) : dr[number];
        t->s.debug[TILE_RISC_DBG_STATUS_0 / 4] = (control & 0x7FFFFFFFu) | 1u << 30;
        return;
    }
    t->s.debug[TILE_RISC_DBG_STATUS_0 / 4] = control & 0x3FFFFFFFu;
    dr[number] = data;
    if (number == DR_COMMAND) {
        command(t, who, data);
    } else if (number == DR_WATCH) {
        set_watchpoints(t, who);
    }
}

/*
 * Reads the debug bus. Only the program counters are known by name; other signals read as 0. Word 1
 * is that of the instruction being decoded; Wormhole's word 0 is that of the last one committed,
 * which is the same here. Source: tt-exalens 0.4.2, signals *_id_ex_pc and *_pc.
 */
static uint32_t bus(struct tx_tensix *t, unsigned who)
{
    enum { BUS_ON = 29, BUS_WORD = 25, BUS_CORES = 7 << 16 };
    static const uint8_t signal[TX_CORES] = {10, 12, 14, 16, 24};
    const uint32_t control = t->s.debug[TILE_DBG_BUS_CTRL / 4];
    const uint32_t word = bits_get(control, BUS_WORD, 2);
    const uint32_t named = bits_get(control, 0, BUS_WORD);
    const bool of_cores = word == 1 || (word == 0 && machine_has(t->m, DEBUG_SHOWS_CORES_0));
    if ((control >> BUS_ON & 1u) == 0) {
        return 0;
    }
    for (unsigned core = 0; of_cores && core < TX_CORES; core++) {
        if (named == (BUS_CORES | (signal[core] + word))) {
            return t->core[core].s.pc & (word == 1 ? 0x3FFFFFFFu : 0x7FFFFFFFu);
        }
    }
    tile_finding(t, who, TX_UNSUPPORTED, EVIDENCE_TILE_PART,
                 "signal %08x of the debug bus is not modelled; it reads as 0", (unsigned)control);
    return 0;
}

/*
 * Reads two neighbouring cells of a row of Dst as stored, the left one in the low half, as the
 * device print of tt-llk's tests takes them apart (ttnn 0.81.1 test_device_print.py on Wormhole;
 * ttsim 1.10.0). Other arrays read as 0.
 */
static uint32_t array(struct tx_tensix *t, unsigned who)
{
    enum { ARRAY_DST = 2 };
    const uint32_t command = t->s.debug[TILE_DBG_ARRAY_RD_CMD / 4];
    const uint16_t *row = t->m->state.dst[bits_get(command, 0, 12) % TX_DST_ROWS];
    const unsigned column = 2 * bits_get(command, 12, 3);
    const bool on = (t->s.debug[TILE_DBG_ARRAY_RD_EN / 4] & 1u) != 0;
    if (on && command >> 16 != ARRAY_DST) {
        tile_finding(t, who, TX_UNSUPPORTED, EVIDENCE_TILE_PART,
                     "array %u of DBG_ARRAY_RD_CMD is not modelled; it reads as 0",
                     (unsigned)(command >> 16));
    }
    return on && command >> 16 == ARRAY_DST ? row[column] | (uint32_t)row[column + 1] << 16 : 0;
}

uint32_t tile_inspect_read(struct tx_tensix *t, unsigned who, uint32_t offset)
{
    uint32_t value = 0;
    switch (offset) {
    case TILE_DBG_BUS_DATA:
        return bus(t, who);
    case TILE_DBG_ARRAY_RD_DATA:
        return array(t, who);
    case TILE_INSTRN_BUF_STATUS:
        break;
    default:
        return t->s.debug[offset / 4];
    }
    for (unsigned thread = 0; thread < TX_THREADS; thread++) {
        const size_t count = tx_queue_words(t->m, thread, TX_QUEUE_MOP, NULL, 0);
        value |= count < tx_queue_capacity(t->m, thread, TX_QUEUE_MOP) ? 1u << thread : 0u;
        value |= count == 0 ? 1u << (4 + thread) : 0u;
    }
    return value;
}

void tile_inspect_write(struct tx_tensix *t, unsigned who, uint32_t offset, uint32_t old,
                        uint32_t value)
{
    const uint32_t *word = &t->s.debug[TILE_INSTRN_BUF_CTRL1 / 4];
    if (offset == TILE_RISC_DBG_CNTL_0 && (value & ~old) >> 31 != 0) {
        access(t, value);
    }
    for (unsigned thread = 0; offset == TILE_INSTRN_BUF_CTRL0 && thread < TX_THREADS; thread++) {
        const bool push = (value >> thread & 1u) != 0 && (value >> (4 + thread) & 1u) != 0;
        if (push && tx_push(t->m, thread, word, 1) != 1) {
            tile_finding(t, who, TX_UNDEFINED_BEHAVIOR, EVIDENCE_TILE_PART,
                         "INSTRN_BUF_CTRL0 pushes %08x while the queue of thread %u is full; it "
                         "is lost",
                         (unsigned)*word, thread);
        }
    }
}
