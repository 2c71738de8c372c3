/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names the assembler knows, in one hash table without regard to case; entries of different kinds
 * may share a name. It is filled per call because the library keeps no state of its own.
 */
#include "asm/state.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

char asm_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

uint32_t asm_hash(const char *text, size_t length)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)(text[i] | 0x20)) * 16777619u;
    }
    return hash;
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

/* Without TTI_, TT_OP_ or TT_; the length of the prefix. */
static size_t prefix_length(const char *text, size_t length)
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
        const size_t n = prefix_length(text, length);
        if (n == 0) {
            return NULL;
        }
        *prefixed = true;
        name = asm_find(a, text + n, length - n, NAME_INSN);
    }
    return name != NULL ? insn_form_at((size_t)name->value) : NULL;
}

enum { NEAR_MAX = 24 };

/*
 * Edit distance of short words, without regard to case; two letters in the wrong order are one
 * mistake, as fingers make it.
 */
static unsigned distance(const char *one, const char *text, size_t length)
{
    unsigned rows[3][NEAR_MAX + 1]; /* of this letter of one, and of the two before it */
    for (unsigned j = 0; j <= length; j++) {
        rows[0][j] = j;
    }
    unsigned i = 0;
    for (; one[i] != '\0'; i++) {
        unsigned *const row = rows[(i + 1) % 3];
        const unsigned *const above = rows[i % 3];
        const unsigned *const two_above = rows[(i + 2) % 3];
        row[0] = i + 1;
        for (unsigned j = 0; j < length; j++) {
            const bool same = asm_lower(one[i]) == asm_lower(text[j]);
            unsigned best = above[j] + !same;
            best = best < row[j] + 1 ? best : row[j] + 1;
            best = best < above[j + 1] + 1 ? best : above[j + 1] + 1;
            if (i > 0 && j > 0 && asm_lower(one[i]) == asm_lower(text[j - 1]) &&
                asm_lower(one[i - 1]) == asm_lower(text[j]) && two_above[j - 1] + 1 < best) {
                best = two_above[j - 1] + 1;
            }
            row[j + 1] = best;
        }
    }
    return rows[i % 3][length];
}

/* How much of a name the text begins with. */
static unsigned common_start(const char *one, const char *text, size_t length)
{
    unsigned n = 0;
    while (n < length && one[n] != '\0' && asm_lower(one[n]) == asm_lower(text[n])) {
        n++;
    }
    return n;
}

const char *asm_nearest_insn(enum tx_arch arch, const char *text, size_t length)
{
    const size_t skip = prefix_length(text, length);
    text += skip;
    length -= skip;
    if (length > NEAR_MAX) {
        return NULL;
    }
    const char *nearest = NULL;
    const unsigned limit = length < 5 ? 2 : 3; /* further away it is no help */
    unsigned least = UINT_MAX;
    const struct insn_form *form;
    for (size_t i = 0; (form = insn_form_at(i)) != NULL; i++) {
        if ((form->archs >> arch & 1) == 0) {
            continue;
        }
        const unsigned by_name = distance(form->pub.name, text, length);
        const unsigned by_macro = distance(form->pub.macro, text, length);
        const unsigned best = by_name < by_macro ? by_name : by_macro;
        /* Of names equally far, the one that begins alike: sfpmadd is sfpmad, not sfpiadd. */
        const unsigned score = (best + 1) * NEAR_MAX - common_start(form->pub.name, text, length);
        if (best < limit && score < least) {
            least = score;
            nearest = skip > 0 ? form->pub.macro : form->pub.name;
        }
    }
    return nearest;
}

/* ---- constants of the vendor's headers ---- */

enum {
    CHIPS_WH = 1 << TX_WORMHOLE,
    CHIPS_BH = 1 << TX_BLACKHOLE,
    CHIPS_BOTH = CHIPS_WH | CHIPS_BH
};

static const struct {
    const char *name;
    uint16_t value;
    uint8_t archs;
} constants[] = {
#define CONSTANT(chips, text, number) {.name = text, .value = number, .archs = CHIPS_##chips},
#include "isa/constants.def"
};

static bool load_constants(struct asm_state *a)
{
    a->constants_loaded = true;
    for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++) {
        const char *name = constants[i].name;
        if ((constants[i].archs >> a->arch & 1) == 0) {
            continue;
        }
        if (asm_add(a, name, strlen(name), NAME_CONSTANT, constants[i].value) == NULL) {
            return false;
        }
        /* Bare names would clash between the other classes (CLR_A, PACK, ...). */
        static const char sfpu[] = "p_sfpu::";
        if (strncmp(name, sfpu, sizeof sfpu - 1) == 0) {
            name += sizeof sfpu - 1;
            if (asm_add(a, name, strlen(name), NAME_CONSTANT, constants[i].value) == NULL) {
                return false;
            }
        }
    }
    return true;
}

/* FIELD and FIELD_ADDR32: its word; FIELD_SHAMT: its lowest bit; FIELD_MASK: its bits in place. */
static bool config_constant(const struct asm_state *a, const char *text, size_t length,
                            int64_t *value)
{
    static const char *const endings[] = {"", "_ADDR32", "_SHAMT", "_MASK"};
    char name[96];
    if (length >= sizeof name) {
        return false;
    }
    for (unsigned i = 4; i-- > 0;) {
        const size_t n = strlen(endings[i]);
        if (length <= n || memcmp(text + length - n, endings[i], n) != 0) {
            continue;
        }
        memcpy(name, text, length - n);
        name[length - n] = '\0';
        const struct tx_config_field *field = tx_config_field_find(a->arch, name);
        if (field != NULL) {
            const uint64_t mask = ((UINT64_C(1) << field->width) - 1) << field->lsb;
            *value = i == 2 ? field->lsb : i == 3 ? (int64_t)mask : field->word;
            return true;
        }
    }
    return false;
}

bool asm_find_constant(struct asm_state *a, const char *text, size_t length, int64_t *value)
{
    if (a->arch == TX_ARCH_NONE || (!a->constants_loaded && !load_constants(a))) {
        return false;
    }
    static const char *const spaces[] = {"ckernel::", "sfpi::"};
    for (size_t i = 0; i < 2; i++) {
        const size_t n = strlen(spaces[i]);
        if (length > n && memcmp(text, spaces[i], n) == 0) {
            text += n;
            length -= n;
        }
    }
    const struct asm_name *name = asm_find(a, text, length, NAME_CONSTANT);
    if (name == NULL) {
        return config_constant(a, text, length, value);
    }
    *value = name->value;
    return true;
}
