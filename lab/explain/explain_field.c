/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Explains fields by the names that people write: those of registers without configuration words
 * (ROW_MASK, EnBFloatRTNE) or all of one (LaneConfig, cfg0), and those of configuration words
 * without the prefix of their register (Unp_LF8_4b_exp), or with an ending of the vendor's headers.
 */
#include <tensix/facts.h>

#include "base/json.h"
#include "explain/explain.h"

#include <string.h>

/* Returns whether words, joined by "_", are some of the words of a name, whatever their case. */
static bool part_of(const char *name, const char *words, size_t length)
{
    for (const char *at = name; length != 0 && *at != '\0'; at++) {
        const bool starts = at == name || at[-1] == '_';
        if (starts && strncasecmp(at, words, length) == 0 &&
            (at[length] == '_' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}

/* Returns the length of a name of the vendor's headers without their ending. */
static size_t without_ending(const char *name)
{
    static const char *const endings[] = {"_RMW", "_ADDR32", "_SHAMT", "_MASK"};
    const size_t length = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t end = strlen(endings[i]);
        if (length > end && strcasecmp(name + length - end, endings[i]) == 0) {
            return length - end;
        }
    }
    return length;
}

static void bits_text(unsigned lsb, unsigned width, char text[32])
{
    if (width == 1) {
        snprintf(text, 32, "bit %u", lsb);
    } else {
        snprintf(text, 32, "bits %u to %u", lsb, lsb + width - 1);
    }
}

static void show_register(struct explain *e, txl_json *list, const struct tx_register_field *field)
{
    char bits[32];
    if (e->out == NULL) {
        txl_json *one = txl_json_object();
        txl_json_set_text(one, "name", field->name);
        txl_json_set_text(one, "register", field->owner);
        JSON_MEMBERS(one, field, lsb, width);
        txl_json_set_text(one, "meaning", field->meaning[0] != '\0' ? field->meaning : NULL);
        txl_json_set_text(one, "source", field->source);
        txl_json_append(list, one);
        return;
    }
    bits_text(field->lsb, field->width, bits);
    fprintf(e->out, "%s: %s of %s%s\n    %s\n    %s\n", field->name, bits, field->owner,
            field->csr ? ", a CSR of Blackhole's cores" : ", of each column",
            field->meaning[0] != '\0' ? field->meaning : "its meaning is not known", field->source);
}

static void show_config(struct explain *e, txl_json *list, enum tx_arch arch,
                        const struct tx_config_field *field)
{
    char bits[32];
    if (e->out == NULL) {
        txl_json *one = txl_config_json(field);
        txl_json_set_text(one, "arch", tx_arch_name(arch));
        txl_json_append(list, one);
        return;
    }
    bits_text(field->lsb, field->width, bits);
    fprintf(e->out, "%s: %s of %s %u on %s\n", field->name, bits,
            field->thread ? "thread configuration" : "configuration word", field->word,
            tx_arch_name(arch));
}

static unsigned registers(struct explain *e, txl_json *list)
{
    unsigned count = 0;
    const struct tx_register_field *field;
    for (size_t i = 0; (field = tx_register_field_at(i)) != NULL; i++) {
        const bool here = !field->csr || explain_wants(e, TX_BLACKHOLE);
        if (here && (strcasecmp(field->name, e->subject) == 0 ||
                     strcasecmp(field->owner, e->subject) == 0)) {
            show_register(e, list, field);
            count++;
        }
    }
    return count;
}

static unsigned configuration(struct explain *e, txl_json *list, size_t length)
{
    unsigned count = 0;
    for (enum tx_arch arch = TX_ARCH_FIRST; arch <= TX_ARCH_LAST; arch++) {
        const struct tx_config_field *field;
        for (size_t i = 0; explain_wants(e, arch) && (field = tx_config_field_at(arch, i)) != NULL;
             i++) {
            if (part_of(field->name, e->subject, length)) {
                show_config(e, list, arch, field);
                count++;
            }
        }
    }
    return count;
}

bool explain_field(struct explain *e)
{
    txl_json *list = e->out == NULL ? txl_json_array() : NULL;
    const size_t length = strlen(e->subject);
    unsigned count = registers(e, list) + configuration(e, list, length);
    if (count == 0 && without_ending(e->subject) != length) {
        count = configuration(e, list, without_ending(e->subject));
    }
    if (e->out == NULL && count != 0) {
        e->json = txl_json_object();
        txl_json_set_text(e->json, "kind", "fields");
        txl_json_set(e->json, "fields", list);
    } else {
        txl_json_free(list);
    }
    return count != 0;
}
