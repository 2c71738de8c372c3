/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ARC as hosts and tiles see it: it has started, its memory holds telemetry and message queues, and
 * it answers messages at once. Source: spec/chip.md 7.
 */
#include "host/host.h"
#include "base/check.h"

#include <string.h>

#include "base/bits.h"
#include "isa/chip.h"

/* Offsets in ARC's memory, behind telemetry. */
enum { QUEUES = 0x600, QUEUE = 0x640 };
/* A message queue: a head, then the requests, then the answers. */
enum { QUEUE_COUNT = 4, ENTRIES = 8, ENTRY_BYTES = 32, HEAD_BYTES = 32 };
enum { REQUEST_WRITTEN = 0x00, REQUEST_READ = 0x10, ANSWER_WRITTEN = 0x14 };
enum { QUEUE_BYTES = HEAD_BYTES + 2 * ENTRIES * ENTRY_BYTES };
enum { CONTROL_MESSAGE = 1 << 16, STARTED = (int)0xC0DE0001, BOOTED = 5, UNKNOWN_BH = 0xFF };
enum { RAM_STATUS = 2, RAM_QUEUES = 11, RAM_VALUES = 12, RAM_TABLE = 13 };
enum { SCRATCH_ANSWER = 3, SCRATCH_ANSWER_2 = 4, SCRATCH_CODE = 5 };

enum arc_register {
#define ARC_REGISTER(ID, wh, bh) REGISTER_##ID,
#include "isa/arc.def"
    REGISTERS
};
static const uint16_t offsets[REGISTERS][2] = {
#define ARC_REGISTER(ID, wh, bh) {wh, bh},
#include "isa/arc.def"
};

enum answer {
    ANSWER_ZERO,
    ANSWER_ONE,
    ANSWER_TELEMETRY_AT,
    ANSWER_CLOCK,
    ANSWER_BUSY,
    ANSWER_IDLE,
    ANSWER_HARVESTING,
    ANSWER_TEST,
    ANSWER_RESET
};
static const struct {
    uint8_t code, chips, answer;
} messages[] = {
#define ARC_MESSAGE(code, name, chips, what) {code, CHIPS_##chips, ANSWER_##what},
#include "isa/arc.def"
};

/* Words of ARC's memory; addresses come from queues that anybody can write, and wrap. */
static uint32_t get(const tx_pcie *h, uint32_t at)
{
    CHECK(at % 4 == 0, "ARC's memory is read by words");
    return word_get(h->s.memory + at % (HOST_ARC_BYTES - 3));
}

static void arc_put(tx_pcie *h, uint32_t at, uint32_t value)
{
    CHECK(at % 4 == 0, "ARC's memory is written by words");
    word_put(h->s.memory + at % (HOST_ARC_BYTES - 3), value);
}

void arc_start(tx_pcie *h)
{
    const uint32_t memory = (uint32_t)HOST_OF(h, MEMORY);
    telemetry_fill(h);
    h->s.scratch[0] = (uint32_t)STARTED;
    if (CHIP_HAS(h->arch, ARC_QUEUES)) {
        arc_put(h, QUEUES, memory + QUEUE);
        arc_put(h, QUEUES + 4, ENTRIES | QUEUE_COUNT << 8);
        h->s.scratch_ram[RAM_STATUS] = h->product.raw ? 0 : BOOTED;
        h->s.scratch_ram[RAM_QUEUES] = memory + QUEUES;
        h->s.scratch_ram[RAM_VALUES] = memory + TELEMETRY_VALUES;
        h->s.scratch_ram[RAM_TABLE] = memory + TELEMETRY_TABLE;
    }
}

/* ---- messages ---- */

static void set_clock(tx_pcie *h, uint64_t mhz)
{
    h->s.clock = (uint32_t)mhz;
    telemetry_fill(h);
}

/* Executes a message. Returns false if its code is unknown. */
static bool message(tx_pcie *h, uint8_t code, uint32_t argument, uint32_t answer[2])
{
    answer[0] = 0;
    answer[1] = 0;
    for (size_t i = 0; i < sizeof messages / sizeof messages[0]; i++) {
        if (messages[i].code != code || !bits_has(messages[i].chips, h->arch)) {
            continue;
        }
        switch ((enum answer)messages[i].answer) {
        case ANSWER_ZERO:
            return true;
        case ANSWER_ONE:
            answer[0] = 1;
            return true;
        case ANSWER_TELEMETRY_AT:
            answer[0] = h->cards ? (uint32_t)(HOST_OF(h, MEMORY) + HOST_OF(h, TELEMETRY_ON_CARDS))
                                 : TELEMETRY_OLD;
            return true;
        case ANSWER_CLOCK:
            answer[CHIP_HAS(h->arch, ARC_ANSWERS_SECOND)] = h->s.clock;
            return true;
        case ANSWER_BUSY:
            set_clock(h, NUMBER_OF(h->arch, CLOCK_MHZ));
            return true;
        case ANSWER_IDLE:
            set_clock(h, HOST_OF(h, IDLE_MHZ));
            return true;
        case ANSWER_HARVESTING:
            answer[CHIP_HAS(h->arch, ARC_ANSWERS_SECOND)] = telemetry_harvested(h);
            return true;
        case ANSWER_TEST:
            answer[1] = CHIP_HAS(h->arch, ARC_ANSWERS_SECOND) ? argument + 1 : 0;
            return true;
        case ANSWER_RESET:
            h->s.reset_wanted = 1;
            return true;
        }
    }
    host_finding(h, HOST_FINDING_ARC_UNKNOWN, code);
    return false;
}

static void serve_queue(tx_pcie *h, uint32_t queue)
{
    const uint32_t written_by_host = get(h, queue + REQUEST_WRITTEN);
    uint32_t read = get(h, queue + REQUEST_READ);
    uint32_t written = get(h, queue + ANSWER_WRITTEN);
    const uint32_t waiting = (written_by_host - read) % (2 * ENTRIES);
    if (waiting > ENTRIES) {
        host_finding(h, HOST_FINDING_ARC_FULL, waiting);
    }
    for (uint32_t i = 0; i < waiting && i < ENTRIES; i++) {
        const uint32_t from = queue + HEAD_BYTES + read % ENTRIES * ENTRY_BYTES;
        const uint32_t to = queue + HEAD_BYTES + (ENTRIES + written % ENTRIES) * ENTRY_BYTES;
        uint32_t answer[2];
        const bool known = message(h, (uint8_t)get(h, from), get(h, from + 4), answer);
        for (unsigned k = 0; k < ENTRY_BYTES / 4; k++) {
            arc_put(h, to + 4 * k, k < 2 ? answer[k] : 0);
        }
        if (!known) {
            arc_put(h, to, UNKNOWN_BH);
        }
        read = (read + 1) % (2 * ENTRIES);
        written = (written + 1) % (2 * ENTRIES);
    }
    arc_put(h, queue + REQUEST_READ, read);
    arc_put(h, queue + ANSWER_WRITTEN, written);
}

static void serve(tx_pcie *h)
{
    uint32_t answer[2];
    if (CHIP_HAS(h->arch, ARC_QUEUES)) {
        for (uint32_t q = 0; q < QUEUE_COUNT; q++) {
            serve_queue(h, QUEUE + q * QUEUE_BYTES);
        }
        return;
    }
    const uint8_t code = (uint8_t)h->s.scratch[SCRATCH_CODE];
    const bool known = message(h, code, h->s.scratch[SCRATCH_ANSWER], answer);
    h->s.scratch[SCRATCH_ANSWER] = answer[0];
    h->s.scratch[SCRATCH_ANSWER_2] = answer[1];
    h->s.scratch[SCRATCH_CODE] = known ? code : UINT32_MAX; /* its high half: no error */
}

/* ---- registers ---- */

static bool is_register(const tx_pcie *h, uint32_t offset, enum arc_register which, uint32_t words)
{
    const uint32_t first = offsets[which][chip_column(h->arch)];
    return first != 0 && offset >= first && offset < first + 4 * words;
}

static uint64_t reference_clock(const tx_pcie *h)
{
    /* The tiles' clock is taken as that of a busy chip throughout. */
    return tx_chip_cycles(h->chip) * HOST_OF(h, REFERENCE_MHZ) / NUMBER_OF(h->arch, CLOCK_MHZ);
}

static uint32_t *stored(tx_pcie *h, uint32_t offset)
{
    if (is_register(h, offset, REGISTER_SCRATCH, HOST_SCRATCH)) {
        return &h->s.scratch[(offset - offsets[REGISTER_SCRATCH][chip_column(h->arch)]) / 4];
    }
    if (is_register(h, offset, REGISTER_SCRATCH_RAM, HOST_SCRATCH_RAM)) {
        return &h->s.scratch_ram[(offset - offsets[REGISTER_SCRATCH_RAM][chip_column(h->arch)]) /
                                 4];
    }
    return is_register(h, offset, REGISTER_CONTROL, 1) ? &h->s.control : NULL;
}

/* Reads a word of the reset unit. Returns false if no register that is known is there. */
static bool reset_unit_read(tx_pcie *h, uint32_t offset, uint32_t *value)
{
    const uint32_t memory = (uint32_t)HOST_OF(h, MEMORY);
    const uint32_t *word = stored(h, offset);
    if (word != NULL) {
        *value = *word;
    } else if (is_register(h, offset, REGISTER_CLOCK_LOW, 1)) {
        *value = (uint32_t)reference_clock(h);
    } else if (is_register(h, offset, REGISTER_CLOCK_HIGH, 1)) {
        *value = (uint32_t)(reference_clock(h) >> 32);
    } else if (is_register(h, offset, REGISTER_TELEMETRY_TABLE, 1)) {
        *value = memory + TELEMETRY_TABLE;
    } else if (is_register(h, offset, REGISTER_TELEMETRY_VALUES, 1)) {
        *value = memory + TELEMETRY_VALUES;
    } else {
        *value = 0;
        return is_register(h, offset, REGISTER_QUEUES, 1);
    }
    return true;
}

static bool reset_unit_write(tx_pcie *h, uint32_t offset, uint32_t value)
{
    uint32_t *word = stored(h, offset);
    if (word == NULL) {
        return false;
    }
    *word = value;
    if (word == &h->s.control && (value & CONTROL_MESSAGE) != 0) {
        serve(h);
        h->s.control &= ~(uint32_t)CONTROL_MESSAGE;
    }
    return true;
}

/* Accesses one of ARC's registers. */
static bool apb(tx_pcie *h, uint32_t offset, const struct host_bytes *b)
{
    const uint32_t in_unit = offset - (uint32_t)HOST_OF(h, RESET_UNIT);
    uint32_t value = 0;
    bool known = true;
    if (in_unit < HOST_OF(h, RESET_UNIT_BYTES)) {
        known = b->to != NULL ? reset_unit_read(h, in_unit, &value)
                              : reset_unit_write(h, in_unit, word_get(b->from));
    } else if (offset >= HOST_OF(h, ARC_NIU_0) &&
               offset < 2 * HOST_OF(h, ARC_NIU_1) - HOST_OF(h, ARC_NIU_0)) {
        const unsigned noc = offset >= HOST_OF(h, ARC_NIU_1);
        const uint32_t in =
            offset - (uint32_t)(noc ? HOST_OF(h, ARC_NIU_1) : HOST_OF(h, ARC_NIU_0));
        known = b->to != NULL && tx_chip_niu_read(h->chip, h->arc, noc, in, &value) == TX_OK;
    } else if (HOST_OF(h, MSI_FIFO) != 0 && offset == HOST_OF(h, MSI_FIFO) && b->from != NULL) {
        serve(h);
    } else {
        known = false;
    }
    if (!known) {
        host_finding(h, HOST_FINDING_ARC_REGISTER, HOST_OF(h, APB) + offset);
    }
    if (b->to != NULL) {
        word_put(b->to, value);
    }
    return true;
}

bool arc_access(tx_pcie *h, uint64_t address, const struct host_bytes *b)
{
    const uint64_t in_memory = address - HOST_OF(h, MEMORY);
    const uint64_t in_apb = address - HOST_OF(h, APB);
    if (address >= HOST_OF(h, MEMORY) && in_memory < HOST_ARC_BYTES &&
        b->size <= HOST_ARC_BYTES - in_memory) {
        if (b->to != NULL) {
            telemetry_read(h, in_memory, b->size);
        }
        host_move(b, 0, h->s.memory + in_memory, b->size);
        return true;
    }
    if (address < HOST_OF(h, APB) || in_apb >= HOST_OF(h, APB_BYTES) ||
        b->size > HOST_OF(h, APB_BYTES) - in_apb) {
        return false;
    }
    if (in_apb % 4 != 0 || b->size != 4) {
        host_finding(h, HOST_FINDING_ARC_WIDTH, address);
    }
    if (in_apb % 4 != 0 || b->size % 4 != 0) {
        host_nothing(b);
        return true;
    }
    for (size_t done = 0; done < b->size; done += 4) {
        const struct host_bytes word = host_part(b, done, 4);
        (void)apb(h, (uint32_t)(in_apb + done), &word);
    }
    return true;
}
