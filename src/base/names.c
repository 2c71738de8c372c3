/* SPDX-License-Identifier: Apache-2.0 */
/* Version, texts of status and category, and the names of threads and chips. */
#include <tensix/base.h>

#include <ctype.h>
#include <string.h>

const char *tx_version(void)
{
    return TX_VERSION_STRING;
}

int tx_abi(void)
{
    return TX_ABI;
}

static const char *const status_texts[] = {
    [TX_OK] = "ok",
    [TX_FAULT] = "the machine stopped with a fault",
    [TX_EINVAL] = "invalid argument",
    [TX_ENOMEM] = "out of memory",
    [TX_EPARSE] = "the text could not be understood",
    [TX_ELIMIT] = "limit reached",
    [TX_ENOENT] = "no such name",
    [TX_EUNSUPPORTED] = "not modelled",
    [TX_EDEADLOCK] = "every thread waits for something that nobody is going to do",
};

const char *tx_status_text(enum tx_status status)
{
    const size_t i = (size_t)status;
    return i < sizeof status_texts / sizeof status_texts[0] ? status_texts[i] : "unknown status";
}

static const char *const category_names[TX_CATEGORY_COUNT] = {
    "None",
    "UndefinedBehavior",
    "UnpredictableValue",
    "NonContractualBehavior",
    "MissingSpecification",
    "Unsupported",
    "Hazard",
};

/* Compares letters and digits only, ignoring case: Wormhole_B0 equals wormhole-b0. */
static bool same_word(const char *a, const char *b)
{
    for (;;) {
        while (*a != '\0' && !isalnum((unsigned char)*a)) {
            a++;
        }
        while (*b != '\0' && !isalnum((unsigned char)*b)) {
            b++;
        }
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b)) {
            return false;
        }
        if (*a == '\0') {
            return true;
        }
        a++;
        b++;
    }
}

const char *tx_category_name(enum tx_category category)
{
    return (unsigned)category < TX_CATEGORY_COUNT ? category_names[category] : "?";
}

enum tx_status tx_category_parse(const char *text, enum tx_category *category)
{
    for (unsigned i = 1; i < TX_CATEGORY_COUNT; i++) {
        if (same_word(text, category_names[i])) {
            *category = (enum tx_category)i;
            return TX_OK;
        }
    }
    return TX_ENOENT;
}

static const char *const thread_names[] = {"unpack", "math", "pack"};

enum tx_status tx_thread_parse(const char *text, unsigned *thread)
{
    for (unsigned i = 0; i < 3; i++) {
        const char number[2] = {(char)('0' + i), '\0'};
        if (strcmp(text, number) == 0 || same_word(text, thread_names[i])) {
            *thread = i;
            return TX_OK;
        }
    }
    return TX_ENOENT;
}

const char *tx_thread_name(unsigned thread)
{
    return thread < 3 ? thread_names[thread] : "?";
}

struct arch_name {
    const char *name;
    enum tx_arch arch;
};

/* Spellings besides those of isa/chip.def. */
static const struct arch_name arch_names[] = {
    {"BlackholeA0", TX_BLACKHOLE}, {"tt-bh", TX_BLACKHOLE},       {"tt-bh-tensix", TX_BLACKHOLE},
    {"bh-a0", TX_BLACKHOLE},       {"xtttensixbh", TX_BLACKHOLE}, {"wormhole", TX_WORMHOLE},
    {"tt-wh", TX_WORMHOLE},        {"tt-wh-tensix", TX_WORMHOLE}, {"wh-b0", TX_WORMHOLE},
    {"xtttensixwh", TX_WORMHOLE},
};

enum tx_status tx_arch_parse(const char *text, enum tx_arch *arch)
{
    static const char *const unmodelled[] = {"quasar", "qsr", "tt-qsr", "grayskull", "gs"};
#define CHIP(ID, name, short_name, column)                      \
    if (same_word(text, name) || same_word(text, short_name)) { \
        *arch = TX_##ID;                                        \
        return TX_OK;                                           \
    }
#include "isa/chip.def"
    for (size_t i = 0; i < sizeof arch_names / sizeof arch_names[0]; i++) {
        if (same_word(text, arch_names[i].name)) {
            *arch = arch_names[i].arch;
            return TX_OK;
        }
    }
    for (size_t i = 0; i < sizeof unmodelled / sizeof unmodelled[0]; i++) {
        if (same_word(text, unmodelled[i])) {
            return TX_EUNSUPPORTED;
        }
    }
    return TX_ENOENT;
}

const char *tx_arch_name(enum tx_arch arch)
{
    switch ((int)arch) {
#define CHIP(ID, name, short_name, column) \
    case TX_##ID:                          \
        return name;
#include "isa/chip.def"
    default:
        return "none";
    }
}

const char *tx_arch_short(enum tx_arch arch)
{
    switch ((int)arch) {
#define CHIP(ID, name, short_name, column) \
    case TX_##ID:                          \
        return short_name;
#include "isa/chip.def"
    default:
        return "none";
    }
}
