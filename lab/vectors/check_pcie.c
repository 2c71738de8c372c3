/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of a chip's vectors that need the host's side: BARs, configuration space, ARC, memory. */
#include <tensix/facts.h>
#include "base/memory.h"
#include "base/small.h"
#include "vectors/check_chip.h"

#include <stdlib.h>
#include <string.h>

enum {
    PAGE = 4096,
    MOST_PAGES = 4096,
    MOST_BYTES = 1 << 20,
    MOST_TRIES = 100000,
    TRY_CYCLES = 100
};

/* ---- the host's memory ---- */

struct check_page {
    uint64_t number;
    uint8_t bytes[PAGE];
};

/* Returns the page at an address, NULL if nothing was written to it. */
static struct check_page *page_at(struct check_memory *m, uint64_t address, bool make)
{
    for (size_t i = 0; i < m->count; i++) {
        if (m->pages[i].number == address / PAGE) {
            return &m->pages[i];
        }
    }
    if (!make || m->count == MOST_PAGES) {
        m->full = m->full || make;
        return NULL;
    }
    if (!LIST_ONE(m->pages, m->count, m->room, m->full)) {
        return NULL;
    }
    struct check_page *page = &m->pages[m->count++];
    memset(page, 0, sizeof *page);
    page->number = address / PAGE;
    return page;
}

static void memory_move(struct check_memory *m, uint64_t address, uint8_t *to, const uint8_t *from,
                        size_t size)
{
    for (size_t done = 0; done < size;) {
        const size_t in = (size_t)((address + done) % PAGE);
        const size_t n = size - done < PAGE - in ? size - done : PAGE - in;
        struct check_page *page = page_at(m, address + done, from != NULL);
        if (to != NULL && page != NULL) {
            memcpy(to + done, page->bytes + in, n);
        } else if (to != NULL) {
            memset(to + done, 0, n);
        } else if (page != NULL) {
            memcpy(page->bytes + in, from + done, n);
        }
        done += n;
    }
}

static void memory_read(void *user, uint64_t address, void *bytes, size_t size)
{
    memory_move(user, address, bytes, NULL, size);
}

static void memory_write(void *user, uint64_t address, const void *bytes, size_t size)
{
    memory_move(user, address, NULL, bytes, size);
}

bool check_memory_attach(struct check_player *p)
{
    const struct tx_pcie_memory memory = {.struct_size = sizeof memory,
                                          .read = memory_read,
                                          .write = memory_write,
                                          .user = &p->memory};
    return tx_pcie_memory(p->pcie, &memory) == TX_OK;
}

void check_memory_free(struct check_player *p)
{
    if (p->pcie != NULL) {
        (void)tx_pcie_memory(p->pcie, NULL);
    }
    free(p->memory.pages);
    memset(&p->memory, 0, sizeof p->memory);
}

/* ["H", address, bytes] */
static bool step_memory_set(struct check_player *p, json_t *step)
{
    uint64_t address;
    size_t size = 0;
    uint8_t *bytes =
        check_number(p, step, 1, INT64_MAX, &address) ? check_bytes(p, step, 2, &size) : NULL;
    if (bytes != NULL) {
        memory_move(&p->memory, address, NULL, bytes, size);
    }
    free(bytes);
    return bytes != NULL && (!p->memory.full || check_wrong(p, "too much of the host's memory"));
}

/* Reads "size" bytes by a function, and gives them as the result. */
static bool give(struct check_player *p, uint64_t size, uint64_t where, unsigned bar,
                 bool (*take)(struct check_player *p, unsigned bar, uint64_t where, uint8_t *bytes,
                              size_t size))
{
    uint8_t *bytes = calloc(1, (size_t)size + 1);
    const bool good = bytes != NULL ? take(p, bar, where, bytes, (size_t)size) &&
                                          check_result_bytes(p, bytes, (size_t)size)
                                    : check_wrong(p, "out of memory");
    free(bytes);
    return good;
}

static bool take_memory(struct check_player *p, unsigned bar, uint64_t where, uint8_t *bytes,
                        size_t size)
{
    (void)bar;
    memory_move(&p->memory, where, bytes, NULL, size);
    return true;
}

/* ["h", address, n] */
static bool step_memory_get(struct check_player *p, json_t *step)
{
    uint64_t address;
    uint64_t size;
    return check_number(p, step, 1, INT64_MAX, &address) &&
           check_number(p, step, 2, MOST_BYTES, &size) && give(p, size, address, 0, take_memory);
}

/* ---- BARs and configuration space ---- */

/* ["B", bar, offset, bytes] */
static bool step_bar_set(struct check_player *p, json_t *step)
{
    uint64_t bar;
    uint64_t offset;
    size_t size = 0;
    uint8_t *bytes =
        check_number(p, step, 1, 5, &bar) && check_number(p, step, 2, INT64_MAX, &offset)
            ? check_bytes(p, step, 3, &size)
            : NULL;
    const bool good =
        bytes != NULL &&
        check_answer(p, tx_pcie_write(p->pcie, (unsigned)bar, offset, bytes, size), NULL, 0);
    free(bytes);
    return good;
}

static bool take_bar(struct check_player *p, unsigned bar, uint64_t where, uint8_t *bytes,
                     size_t size)
{
    /* A gap has set the bytes that lie in it; others of the same read may be there. */
    const enum tx_status status = tx_pcie_read(p->pcie, bar, where, bytes, size);
    return check_answer(p, status, NULL, size);
}

/* ["b", bar, offset, n] */
static bool step_bar_get(struct check_player *p, json_t *step)
{
    uint64_t bar;
    uint64_t offset;
    uint64_t size;
    return check_number(p, step, 1, 5, &bar) && check_number(p, step, 2, INT64_MAX, &offset) &&
           check_number(p, step, 3, MOST_BYTES, &size) &&
           give(p, size, offset, (unsigned)bar, take_bar);
}

/* ["G", offset, value] */
static bool step_config_set(struct check_player *p, json_t *step)
{
    uint64_t offset;
    uint64_t value;
    if (!check_number(p, step, 1, 4095, &offset) || !check_number(p, step, 2, UINT32_MAX, &value)) {
        return false;
    }
    tx_pcie_config_write(p->pcie, (uint32_t)offset, (uint32_t)value);
    return true;
}

static bool result_word(struct check_player *p, uint32_t value)
{
    char text[16];
    snprintf(text, sizeof text, "%08x", (unsigned)value);
    return check_result(p, text);
}

/* ["g", offset] */
static bool step_config_get(struct check_player *p, json_t *step)
{
    uint64_t offset;
    return check_number(p, step, 1, 4095, &offset) &&
           result_word(p, tx_pcie_config_read(p->pcie, (uint32_t)offset));
}

/* ---- ARC, as a host finds its way ---- */

enum { ARC_MEMORY = 0x10000000, ARC_UNIT_BH = (int)0x80030000, WH_UNIT = 0x1FF30000 };
enum { WH_MEMORY = 0x1FE80000, RAM_QUEUES = 0x42C, RAM_VALUES = 0x430, RAM_TABLE = 0x434 };
enum { WH_TABLE = 0x1D0, WH_VALUES = 0x1D4 };

static bool has_queues(const struct check_player *p)
{
    return tx_arch_fact(tx_chip_arch(p->chip), TX_FACT_ARC_QUEUES) != 0;
}

/* Reads or writes a word of ARC's address space: Blackhole over the NoC, Wormhole by BAR 0. */
static uint32_t arc_get(struct check_player *p, uint32_t address)
{
    const struct tx_chip_place arc = {.noc = 0, .x = 8, .y = 0};
    uint8_t b[4] = {0};
    if (has_queues(p)) {
        (void)tx_chip_read(p->chip, arc, address, b, sizeof b);
    } else {
        (void)tx_pcie_read(p->pcie, 0, WH_MEMORY + (uint64_t)(address - ARC_MEMORY), b, sizeof b);
    }
    return word_of_bytes(b);
}

static void arc_set(struct check_player *p, uint32_t address, uint32_t value)
{
    const struct tx_chip_place arc = {.noc = 0, .x = 8, .y = 0};
    uint8_t b[4];
    bytes_of_word(b, value);
    (void)tx_chip_write(p->chip, arc, address, b, sizeof b);
}

static uint32_t unit_get(struct check_player *p, uint32_t bh, uint32_t wh)
{
    uint8_t b[4] = {0};
    if (has_queues(p)) {
        return arc_get(p, (uint32_t)ARC_UNIT_BH + bh);
    }
    (void)tx_pcie_read(p->pcie, 0, WH_UNIT + (uint64_t)wh, b, sizeof b);
    return word_of_bytes(b);
}

/* ["T", tag] */
static bool step_telemetry(struct check_player *p, json_t *step)
{
    enum { MOST_TAGS = 256 };
    uint64_t tag;
    if (!check_number(p, step, 1, UINT16_MAX, &tag)) {
        return false;
    }
    const uint32_t table = unit_get(p, RAM_TABLE, WH_TABLE);
    const uint32_t values = unit_get(p, RAM_VALUES, WH_VALUES);
    const uint32_t count = arc_get(p, table + 4);
    for (uint32_t i = 0; i < count && i < MOST_TAGS; i++) {
        const uint32_t entry = arc_get(p, table + 8 + 4 * i);
        if ((entry & 0xFFFFu) == tag) {
            return result_word(p, arc_get(p, values + 4 * (entry >> 16)));
        }
    }
    return check_result(p, "absent");
}

/* ["M", queue, [eight words], tries] */
static bool step_message(struct check_player *p, json_t *step)
{
    enum { WORDS = 8, HEAD = 32, MSI = 0xB0000, UNIT = 0x30000 };
    json_t *words = json_array_get(step, 2);
    uint64_t queue;
    uint64_t tries;
    char text[WORDS * 9 + 8];
    size_t used = 0;
    if (!has_queues(p) || json_array_size(words) != WORDS) {
        return check_wrong(p, "message queues take eight words, on Blackhole");
    }
    if (!check_number(p, step, 1, 3, &queue) || !check_number(p, step, 3, MOST_TRIES, &tries)) {
        return false;
    }
    const uint32_t block = unit_get(p, RAM_QUEUES, 0);
    const uint32_t entries = arc_get(p, block + 4) & 0xFFu;
    const uint32_t base = arc_get(p, block) + (uint32_t)queue * (HEAD + 2 * 4 * WORDS * entries);
    const uint32_t written = arc_get(p, base);
    const uint32_t read = arc_get(p, base + 4);
    if (entries == 0) {
        return check_wrong(p, "there is no message queue");
    }
    for (size_t i = 0; i < WORDS; i++) {
        const json_int_t word = json_integer_value(json_array_get(words, i));
        arc_set(p, base + HEAD + 4 * WORDS * (written % entries) + 4 * (uint32_t)i, (uint32_t)word);
    }
    const uint32_t after = (written + 1) % (2 * entries);
    arc_set(p, base, after);
    arc_set(p, (uint32_t)ARC_UNIT_BH - UNIT + MSI, 1);
    for (uint64_t i = 0; i < tries && arc_get(p, base + 20) == read; i++) {
        (void)tx_chip_cycle(p->chip, TRY_CYCLES);
    }
    for (uint32_t i = 0; i < WORDS; i++) {
        const uint32_t at = base + HEAD + 4 * WORDS * (entries + read % entries) + 4 * i;
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%08x ", (unsigned)arc_get(p, at));
    }
    arc_set(p, base + 4, (read + 1) % (2 * entries));
    snprintf(text + used, sizeof text - used, "rd%d", arc_get(p, base + 16) == after);
    return check_result(p, text);
}

const struct check_step check_pcie_steps[CHECK_PCIE_STEPS] = {
    {'B', step_bar_set},    {'b', step_bar_get},    {'G', step_config_set}, {'g', step_config_get},
    {'H', step_memory_set}, {'h', step_memory_get}, {'T', step_telemetry},  {'M', step_message},
};
