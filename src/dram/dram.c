/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/dram.h"
#include "base/check.h"

#include <stdlib.h>
#include <string.h>

bool dram_open(struct dram_bank *bank, uint64_t size)
{
    *bank = (struct dram_bank){.size = size};
    bank->page = calloc((size_t)(size / DRAM_PAGE), sizeof(struct dram_page *));
    return bank->page != NULL;
}

void dram_clear(struct dram_bank *bank)
{
    for (uint64_t i = 0; bank->pages != 0 && i < bank->size / DRAM_PAGE; i++) {
        if (bank->page[i] != NULL) {
            free(bank->page[i]);
            bank->page[i] = NULL;
            bank->pages--;
        }
    }
}

void dram_close(struct dram_bank *bank)
{
    dram_clear(bank);
    free(bank->page);
    bank->page = NULL;
}

/* Returns how many of the bytes are in the page of the address. */
static size_t in_page(uint64_t address, size_t size)
{
    CHECK(size != 0, "a part of a page has a byte at least");
    const size_t room = (size_t)(DRAM_PAGE - address % DRAM_PAGE);
    return size < room ? size : room;
}

void dram_read(const struct dram_bank *bank, uint64_t address, uint8_t *to, size_t size)
{
    while (size != 0) {
        const struct dram_page *p = bank->page[address / DRAM_PAGE];
        const size_t n = in_page(address, size);
        if (p != NULL) {
            memcpy(to, p->bytes + address % DRAM_PAGE, n);
        } else {
            memset(to, 0, n);
        }
        to += n;
        address += n;
        size -= n;
    }
}

static void mark(uint8_t *written, size_t at, size_t size)
{
    CHECK(at + size <= DRAM_PAGE, "bytes that were written lie in one page");
    for (size_t end = at + size; at < end;) {
        if (at % 8 == 0 && end - at >= 8) {
            const size_t whole = (end - at) / 8;
            memset(written + at / 8, 0xFF, whole);
            at += 8 * whole;
        } else {
            written[at / 8] |= (uint8_t)(1u << at % 8);
            at++;
        }
    }
}

bool dram_write(struct dram_bank *bank, uint64_t address, const uint8_t *from, size_t size)
{
    while (size != 0) {
        struct dram_page **p = &bank->page[address / DRAM_PAGE];
        const size_t n = in_page(address, size);
        if (*p == NULL) {
            *p = calloc(1, sizeof **p);
            if (*p == NULL) {
                return false;
            }
            bank->pages++;
        }
        memcpy((*p)->bytes + address % DRAM_PAGE, from, n);
        mark((*p)->written, (size_t)(address % DRAM_PAGE), n);
        from += n;
        address += n;
        size -= n;
    }
    return true;
}

bool dram_unwritten(const struct dram_bank *bank, uint64_t address, size_t size)
{
    for (size_t i = 0; i < size;) {
        const struct dram_page *p = bank->page[(address + i) / DRAM_PAGE];
        const size_t at = (size_t)((address + i) % DRAM_PAGE);
        if (p == NULL) {
            return true;
        }
        if (at % 8 == 0 && size - i >= 8) {
            if (p->written[at / 8] != 0xFF) {
                return true;
            }
            i += 8;
        } else {
            if ((p->written[at / 8] >> at % 8 & 1u) == 0) {
                return true;
            }
            i++;
        }
    }
    return false;
}
