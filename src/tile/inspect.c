/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a debugger on the host uses: the debug units of B, T0, T1, T2 and words pushed by hand.
 * Watchpoints are not modelled. Source: spec/tile.md 9.1, 9.2 from tt-exalens eb5fc96.
 */
#include "tile/tile.h"

enum dr { DR_STATUS, DR_COMMAND, DR_ARG0, DR_ARG1, DR_RESULT, DR_WATCH };
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

static uint32_t status(const struct riscv *core)
{
    const uint32_t paused = core->s.phase == RISCV_PAUSED;
    return paused | (core->s.broke != 0 ? 1u << 3 : 0u);
}

/* Until one instruction has been executed; what does not come to an end stays as it is. */
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
    core->s.now = now; /* the tile's time stands still */
    core->s.phase = core->s.phase == RISCV_RUNS ? RISCV_PAUSED : core->s.phase;
}

/* A word of L1; elsewhere nothing happens. */
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
            } else {
                dr[DR_RESULT] =
                    (dr[DR_RESULT] & ~(0xFFu << 8 * i)) | (uint32_t)core->s.ram[local + i] << 8 * i;
            }
        }
        return;
    }
    /* As the core itself would: B's debug unit is how a host reaches the configuration. */
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
    } else if (region->cycles[machine_is_bh(t->m)] != 0 && page->load(t, who, &a) == RISCV_DONE) {
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
    uint32_t *dr = t->s.dr[who];
    struct riscv *core = &t->core[who];
    const bool paused = core->s.phase == RISCV_PAUSED;
    if ((bits >> COMMAND_HALT & 1u) != 0 && core->s.phase == RISCV_RUNS) {
        core->s.phase = RISCV_PAUSED;
    }
    if (!paused) {
        return; /* the others need a core that stands still */
    }
    if ((bits >> COMMAND_FLUSH & 1u) != 0) {
        (void)tx_core_write(t, (enum tx_core)who, PC_INDEX, dr[DR_ARG1]);
    }
    if ((bits >> COMMAND_STEP & 1u) != 0) {
        core->s.broke = 0;
        step(core);
    }
    if ((bits >> COMMAND_CONTINUE & 1u) != 0) {
        core->s.phase = RISCV_RUNS;
        core->s.broke = 0;
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

/* RISC_DBG_CNTL_0: register 10:0, 16 write, core 18:17, 31 acts on its rise. */
static void access(struct tx_tensix *t, uint32_t control)
{
    const unsigned who = bits_get(control, 17, 2);
    const unsigned number = bits_get(control, 0, 11);
    const uint32_t data = t->s.debug[TILE_RISC_DBG_CNTL_1 / 4];
    uint32_t *dr = t->s.dr[who];
    if (number >= DR_COUNT) {
        return;
    }
    if (bits_get(control, 16, 1) == 0) {
        t->s.debug[TILE_RISC_DBG_STATUS_1 / 4] =
            number == DR_STATUS ? status(&t->core[who]) : dr[number];
        t->s.debug[TILE_RISC_DBG_STATUS_0 / 4] = (control & 0x7FFFFFFFu) | 1u << 30;
        return;
    }
    t->s.debug[TILE_RISC_DBG_STATUS_0 / 4] = control & 0x3FFFFFFFu;
    dr[number] = data;
    if (number == DR_COMMAND) {
        command(t, who, data);
    } else if (number >= DR_WATCH && data != 0) {
        tile_finding(t, who, TX_UNSUPPORTED, EVIDENCE_TILE_PART,
                     "watchpoints of the debug unit are not modelled");
    }
}

/*
 * The debug bus: program counters, which is all that is known of it by name, other signals are 0.
 * Words 1 are of the instruction that decodes; Wormhole's words 0 of the last that was committed,
 * which is the same here. Source: tt-exalens 0.4.2, signals *_id_ex_pc and *_pc.
 */
static uint32_t bus(const struct tx_tensix *t)
{
    enum { BUS_ON = 29, BUS_WORD = 25, BUS_CORES = 7 << 16 };
    static const uint8_t signal[TX_CORES] = {10, 12, 14, 16, 24};
    const uint32_t control = t->s.debug[TILE_DBG_BUS_CTRL / 4];
    const uint32_t word = bits_get(control, BUS_WORD, 2);
    const uint32_t named = bits_get(control, 0, BUS_WORD);
    if ((control >> BUS_ON & 1u) == 0 || word > 1 || (word == 0 && machine_is_bh(t->m))) {
        return 0;
    }
    for (unsigned core = 0; core < TX_CORES; core++) {
        if (named == (BUS_CORES | (signal[core] + word))) {
            return t->core[core].s.pc & (word == 1 ? 0x3FFFFFFFu : 0x7FFFFFFFu);
        }
    }
    return 0;
}

/* Two neighbours of a row of Dst as stored, the one on the left in the high half (INF, as
 * tt-exalens takes them apart); other arrays are 0. */
static uint32_t array(const struct tx_tensix *t)
{
    enum { ARRAY_DST = 2 };
    const uint32_t command = t->s.debug[TILE_DBG_ARRAY_RD_CMD / 4];
    const uint16_t *row = t->m->state.dst[bits_get(command, 0, 12) % TX_DST_ROWS];
    const unsigned column = 2 * bits_get(command, 12, 3);
    const bool on = (t->s.debug[TILE_DBG_ARRAY_RD_EN / 4] & 1u) != 0;
    return on && command >> 16 == ARRAY_DST ? (uint32_t)row[column] << 16 | row[column + 1] : 0;
}

uint32_t tile_inspect_read(struct tx_tensix *t, uint32_t offset)
{
    uint32_t value = 0;
    switch (offset) {
    case TILE_DBG_BUS_DATA:
        return bus(t);
    case TILE_DBG_ARRAY_RD_DATA:
        return array(t);
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

void tile_inspect_write(struct tx_tensix *t, uint32_t offset, uint32_t old, uint32_t value)
{
    if (offset == TILE_RISC_DBG_CNTL_0 && (value & ~old) >> 31 != 0) {
        access(t, value);
    }
    for (unsigned thread = 0; offset == TILE_INSTRN_BUF_CTRL0 && thread < TX_THREADS; thread++) {
        if ((value >> thread & 1u) != 0 && (value >> (4 + thread) & 1u) != 0) {
            (void)tx_push(t->m, thread, &t->s.debug[TILE_INSTRN_BUF_CTRL1 / 4], 1);
        }
    }
}
