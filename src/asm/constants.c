/* SPDX-License-Identifier: Apache-2.0 */
/* Names for operands: the vendor's constants, instruction modes, fields of the configuration. */
#include "asm/state.h"
#include "isa/chip.h"

#include <string.h>

/* name: one name, or several separated by blanks. */
static const struct {
    const char *name;
    uint16_t value;
    uint8_t archs;
} constants[] = {
#define CONSTANT(chips, text, number) {.name = text, .value = number, .archs = CHIPS_##chips},
#include "isa/constants.def"
#define MODE(mnemonic, chips, field, bits, number, short_name, texts, meaning, formula) \
    {.name = texts, .value = number, .archs = CHIPS_##chips},
#include "isa/modes.def"
};

const char *tx_asm_constants_at(enum tx_arch arch, size_t index, uint32_t *value)
{
    for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++) {
        if ((constants[i].archs >> arch & 1) != 0 && constants[i].name[0] != '\0' && index-- == 0) {
            if (value != NULL) {
                *value = constants[i].value;
            }
            return constants[i].name;
        }
    }
    return NULL;
}

/*
 * Adds a constant unless it exists. Two instructions may name a mode alike; the value is then the
 * same (checked in tests/isa).
 */
static bool add_constant(struct asm_state *a, const char *name, size_t length, int64_t value)
{
    static const char sfpu[] = "p_sfpu::";
    if (asm_find(a, name, length, NAME_CONSTANT) == NULL &&
        asm_add(a, name, length, NAME_CONSTANT, value) == NULL) {
        return false;
    }
    /* Only this class: names of the others would clash without their prefix (CLR_A, PACK, ...). */
    if (length > sizeof sfpu && name[7] == ':' && strncmp(name, sfpu, sizeof sfpu - 1) == 0) {
        return add_constant(a, name + sizeof sfpu - 1, length - sizeof sfpu + 1, value);
    }
    return true;
}

/* Defines what a text for both chips may test: .if BLACKHOLE. */
static bool add_chips(struct asm_state *a)
{
    return true
#define CHIP(ID, name, short_name, column) \
    &&add_constant(a, #ID, sizeof #ID - 1, a->arch == TX_##ID)
#include "isa/chip.def"
        ;
}

static bool load_constants(struct asm_state *a)
{
    a->constants_loaded = true;
    if (!add_chips(a)) {
        return false;
    }
    for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++) {
        const char *name = constants[i].name;
        while ((constants[i].archs >> a->arch & 1) != 0 && *name != '\0') {
            const size_t length = strcspn(name, " ");
            if (!add_constant(a, name, length, constants[i].value)) {
                return false;
            }
            name += length + (name[length] == ' ');
        }
    }
    return true;
}

/*
 * Finds a constant that is derived from a configuration field: FIELD and FIELD_ADDR32 are its word,
 * FIELD_SHAMT its lowest bit, FIELD_MASK its bits in place.
 */
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

size_t asm_space_length(const char *text, size_t length)
{
    static const char *const spaces[] = {"ckernel::", "sfpi::"};
    size_t skipped = 0;
    for (size_t i = 0; i < 2; i++) {
        const size_t n = strlen(spaces[i]);
        if (length - skipped > n && memcmp(text + skipped, spaces[i], n) == 0) {
            skipped += n;
        }
    }
    return skipped;
}

bool asm_find_constant(struct asm_state *a, const char *text, size_t length, int64_t *value)
{
    if (a->arch == TX_ARCH_NONE || (!a->constants_loaded && !load_constants(a))) {
        return false;
    }
    const size_t space = asm_space_length(text, length);
    text += space;
    length -= space;
    const struct asm_name *name = asm_find(a, text, length, NAME_CONSTANT);
    if (name == NULL) {
        return config_constant(a, text, length, value);
    }
    *value = name->value;
    return true;
}

bool asm_find_mode(const struct asm_state *a, const char *text, size_t length, int64_t *value)
{
    const struct tx_insn_mode *mode;
    if (a->form == NULL) {
        return false;
    }
    for (size_t i = 0; (mode = tx_insn_mode_at(a->arch, &a->form->pub, i)) != NULL; i++) {
        if (strlen(mode->name) == length && memcmp(mode->name, text, length) == 0) {
            *value = mode->value;
            return true;
        }
    }
    return false;
}
