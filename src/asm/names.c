/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The names that the assembler knows, in one hash table that ignores case; entries of different
 * kinds may share a name. The table is filled on each call because the library keeps no state of
 * its own.
 */
#include "asm/state.h"

#include <stdlib.h>
#include <string.h>

uint32_t asm_hash(const char *text, size_t length)
{
    /* Eight letters at once: a text of one line asks for the hashes of all names there are. */
    uint64_t hash = length;
    while (length > 0) {
        const size_t n = length < 8 ? length : 8;
        uint64_t letters = 0;
        if (n == 8) {
            memcpy(&letters, text, 8);
        } else {
            for (size_t i = 0; i < n; i++) {
                letters = letters << 8 | (unsigned char)text[i];
            }
        }
        hash = (hash ^ (letters | UINT64_C(0x2020202020202020))) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 29;
        text += n;
        length -= n;
    }
    return (uint32_t)(hash >> 16);
}

static bool same_name(const struct asm_name *name, const char *text, size_t length)
{
    if (name->length != length) {
        return false;
    }
    if ((name->kind & (NAME_INSN | NAME_DIRECTIVE)) == 0) {
        return memcmp(name->text, text, length) == 0;
    }
    for (size_t i = 0; i < length; i++) {
        if (asm_lower(name->text[i]) != asm_lower(text[i])) {
            return false;
        }
    }
    return true;
}

const struct asm_name *asm_find(struct asm_state *a, const char *text, size_t length,
                                unsigned kinds)
{
    if (a->slot_count == 0) {
        return NULL;
    }
    const uint32_t hash = asm_hash(text, length);
    for (uint32_t i = hash;; i++) {
        const uint32_t slot = a->slots[i & (a->slot_count - 1)];
        if (slot == 0) {
            return NULL;
        }
        const struct asm_name *name = &a->names[slot - 1];
        if (name->hash == hash && (name->kind & kinds) != 0 && same_name(name, text, length)) {
            return name;
        }
    }
}

static void insert(struct asm_state *a, uint32_t index)
{
    uint32_t i = a->names[index].hash;
    while (a->slots[i & (a->slot_count - 1)] != 0) {
        i++;
    }
    a->slots[i & (a->slot_count - 1)] = index + 1;
}

/* Doubles both arrays; the table is never more than half full. */
static bool grow(struct asm_state *a)
{
    const uint32_t count = a->name_capacity == 0 ? 512 : a->name_capacity * 2;
    struct asm_name *names = realloc(a->names, count * sizeof *names);
    if (names != NULL) {
        a->names = names;
    }
    uint32_t *slots = calloc((size_t)count * 2, sizeof *slots);
    if (names == NULL || slots == NULL) {
        free(slots);
        return asm_fail(a, TX_ENOMEM, NULL, 0, "out of memory");
    }
    free(a->slots);
    a->slots = slots;
    a->slot_count = count * 2;
    a->name_capacity = count;
    for (uint32_t i = 0; i < a->name_count; i++) {
        insert(a, i);
    }
    return true;
}

struct asm_name *asm_add(struct asm_state *a, const char *text, size_t length,
                         enum asm_name_kind kind, int64_t value)
{
    if (a->name_count == a->name_capacity && !grow(a)) {
        return NULL;
    }
    struct asm_name *name = &a->names[a->name_count];
    *name = (struct asm_name){.text = text,
                              .hash = asm_hash(text, length),
                              .length = (uint16_t)length,
                              .kind = (uint8_t)kind,
                              .value = value};
    insert(a, a->name_count++);
    return name;
}

const char *asm_keep(struct asm_state *a, const char *text, size_t length)
{
    struct asm_block *block = malloc(sizeof *block + length + 1);
    if (block == NULL) {
        asm_fail(a, TX_ENOMEM, NULL, 0, "out of memory");
        return NULL;
    }
    memcpy(block->data, text, length);
    block->data[length] = '\0';
    block->next = a->blocks;
    a->blocks = block;
    return block->data;
}

void asm_names_free(struct asm_state *a)
{
    for (uint32_t i = 0; i < a->name_count; i++) {
        free(a->names[i].macro);
    }
    free(a->names);
    free(a->slots);
    while (a->blocks != NULL) {
        struct asm_block *next = a->blocks->next;
        free(a->blocks);
        a->blocks = next;
    }
}

/* ---- instructions ---- */

static bool load_insns(struct asm_state *a)
{
    a->insns_loaded = a->arch;
    const struct insn_form *form;
    for (size_t i = 0; (form = insn_form_at(i)) != NULL; i++) {
        if ((form->archs >> a->arch & 1) == 0) {
            continue;
        }
        const char *const spellings[] = {form->pub.name, form->pub.macro, form->id_name};
        for (size_t s = 0; s < 3; s++) {
            const size_t length = strlen(spellings[s]);
            if (asm_find(a, spellings[s], length, NAME_INSN) == NULL &&
                asm_add(a, spellings[s], length, NAME_INSN, (int64_t)i) == NULL) {
                return false;
            }
        }
    }
    return true;
}

size_t asm_prefix_length(const char *text, size_t length)
{
    static const char *const prefixes[] = {"tti_", "tt_op_", "tt_"};
    for (size_t i = 0; i < 3; i++) {
        const size_t n = strlen(prefixes[i]);
        size_t k = 0;
        while (k < n && k < length && asm_lower(text[k]) == prefixes[i][k]) {
            k++;
        }
        if (k == n && length > n) {
            return n;
        }
    }
    return 0;
}

const struct insn_form *asm_find_insn(struct asm_state *a, const char *text, size_t length,
                                      bool *prefixed)
{
    if (a->arch == TX_ARCH_NONE || (a->insns_loaded != a->arch && !load_insns(a))) {
        return NULL;
    }
    *prefixed = false;
    const struct asm_name *name = asm_find(a, text, length, NAME_INSN);
    if (name == NULL) {
        const size_t n = asm_prefix_length(text, length);
        if (n == 0) {
            return NULL;
        }
        *prefixed = true;
        name = asm_find(a, text + n, length - n, NAME_INSN);
    }
    return name != NULL ? insn_form_at((size_t)name->value) : NULL;
}
