/* SPDX-License-Identifier: Apache-2.0 */
#include <tensix/facts.h>

#include "vectors/check_chip.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "vectors/vector_state.h"

enum { MOST_BYTES = 1 << 24, MOST_CYCLES = 10000000, MOST_STEPS = 100000 };

void check_chips_close(struct check_chips *chips)
{
    for (unsigned arch = 0; arch <= TX_ARCH_LAST; arch++) {
        tx_pcie_close(chips->pcie[arch]);
        chips->pcie[arch] = NULL;
        tx_chip_close(chips->chip[arch]);
        chips->chip[arch] = NULL;
    }
}

/* ---- the parts of a step ---- */

bool check_wrong(const struct check_player *p, const char *what)
{
    return fail_false(p->err, "step %zu: %s", p->step, what);
}

/* Reads element "index" of a step as a number up to "most". */
bool check_number(const struct check_player *p, json_t *step, size_t index, uint64_t most,
                  uint64_t *out)
{
    json_t *value = json_array_get(step, index);
    const json_int_t n = json_integer_value(value);
    char *end = NULL;
    *out = (uint64_t)n;
    if (json_is_integer(value) && n >= 0 && (uint64_t)n <= most) {
        return true;
    }
    if (json_is_string(value)) { /* a number that quote_long has put into quotes */
        errno = 0;
        *out = strtoull(json_string_value(value), &end, 10);
        if (*end == '\0' && errno == 0 && *out <= most) {
            return true;
        }
    }
    return check_wrong(p, "a number is missing or too large");
}

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads element "index" as bytes, which the caller frees; NULL: wrong. */
uint8_t *check_bytes(const struct check_player *p, json_t *step, size_t index, size_t *size)
{
    const char *text = json_string_value(json_array_get(step, index));
    const size_t digits = text == NULL ? 1 : strlen(text);
    if (digits % 2 != 0 || digits == 0 || digits / 2 > MOST_BYTES) {
        (void)check_wrong(p, "bytes are not an even number of hex digits");
        return NULL;
    }
    uint8_t *bytes = malloc(digits / 2);
    for (size_t i = 0; bytes != NULL && i < digits / 2; i++) {
        const int high = digit(text[2 * i]);
        const int low = digit(text[2 * i + 1]);
        if (high < 0 || low < 0) {
            (void)check_wrong(p, "bytes are not lower-case hex digits");
            free(bytes);
            return NULL;
        }
        bytes[i] = (uint8_t)(high << 4 | low);
    }
    *size = digits / 2;
    return bytes;
}

/* Compares one result with the one that is expected next. */
bool check_result(struct check_player *p, const char *got)
{
    const char *want = json_string_value(json_array_get(p->expect, p->results++));
    if (want == NULL) {
        return check_wrong(p, "there is no result to compare with");
    }
    if (strcmp(want, got) == 0) {
        return true;
    }
    size_t same = 0;
    while (want[same] == got[same]) {
        same++;
    }
    same -= same % 8;
    return fail_false(p->err, "step %zu, result %zu: expected %s%.40s, got %s%.40s", p->step,
                      p->results, same != 0 ? "..." : "", want + same, same != 0 ? "..." : "",
                      got + same);
}

bool check_result_bytes(struct check_player *p, const uint8_t *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    char *text = malloc(2 * size + 1);
    if (text == NULL) {
        return check_wrong(p, "out of memory");
    }
    for (size_t i = 0; i < size; i++) {
        text[2 * i] = digits[bytes[i] >> 4];
        text[2 * i + 1] = digits[bytes[i] & 15u];
    }
    text[2 * size] = '\0';
    const bool good = check_result(p, text);
    free(text);
    return good;
}

/* ---- steps ---- */

struct place {
    struct tx_chip_place at;
    uint64_t address;
};

static bool check_chip_place_of(const struct check_player *p, json_t *step, struct place *to)
{
    uint64_t x;
    uint64_t y;
    *to = (struct place){.at = {.noc = 0}};
    if (!check_number(p, step, 1, 63, &x) || !check_number(p, step, 2, 63, &y) ||
        !check_number(p, step, 3, UINT64_MAX, &to->address)) {
        return false;
    }
    to->at.x = (uint32_t)x;
    to->at.y = (uint32_t)y;
    return true;
}

/* What nobody answers is lost, or reads as ones, as a host sees it; the results tell. */
bool check_answer(const struct check_player *p, enum tx_status status, uint8_t *bytes, size_t size)
{
    if (status == TX_ENOENT && bytes != NULL) {
        memset(bytes, 0xFF, size);
    }
    return status == TX_OK || status == TX_ENOENT || check_wrong(p, tx_status_text(status));
}

static bool check_chip_put(const struct check_player *p, const struct place *to,
                           const uint8_t *bytes, size_t size)
{
    return check_answer(p, tx_chip_write(p->chip, to->at, to->address, bytes, size), NULL, 0);
}

static bool step_write(struct check_player *p, json_t *step)
{
    struct place to;
    size_t size = 0;
    uint8_t *bytes = check_chip_place_of(p, step, &to) ? check_bytes(p, step, 4, &size) : NULL;
    const bool good = bytes != NULL && check_chip_put(p, &to, bytes, size);
    free(bytes);
    return good;
}

/* The pattern of a step F: words of a generator, each with its high half folded in. */
static void pattern(uint64_t seed, uint8_t *bytes, size_t size)
{
    uint32_t v = (uint32_t)(seed * 2654435761u + 12345u);
    uint32_t word = 0;
    for (size_t i = 0; i < size; i++) {
        if (i % 4 == 0) {
            v = v * 1664525u + 1013904223u;
            word = v ^ v >> 16;
        }
        bytes[i] = (uint8_t)(word >> 8 * (i % 4));
    }
}

static bool step_fill(struct check_player *p, json_t *step)
{
    struct place to;
    uint64_t size;
    uint64_t seed;
    if (!check_chip_place_of(p, step, &to) || !check_number(p, step, 4, MOST_BYTES, &size) ||
        !check_number(p, step, 5, INT64_MAX, &seed)) {
        return false;
    }
    uint8_t *bytes = malloc((size_t)size + 1);
    if (bytes == NULL) {
        return check_wrong(p, "out of memory");
    }
    pattern(seed, bytes, (size_t)size);
    const bool good = check_chip_put(p, &to, bytes, (size_t)size);
    free(bytes);
    return good;
}

/* Reads bytes and gives them, or their check sum, as the result. */
static bool read_bytes(struct check_player *p, json_t *step, bool sum)
{
    struct place from;
    uint64_t size;
    char text[16];
    if (!check_chip_place_of(p, step, &from) || !check_number(p, step, 4, MOST_BYTES, &size)) {
        return false;
    }
    uint8_t *bytes = calloc(1, (size_t)size + 1);
    if (bytes == NULL) {
        return check_wrong(p, "out of memory");
    }
    bool good = check_answer(p, tx_chip_read(p->chip, from.at, from.address, bytes, (size_t)size),
                             bytes, (size_t)size);
    if (good && sum) {
        snprintf(text, sizeof text, "%08lx", crc32(0, bytes, (uInt)size));
        good = check_result(p, text);
    } else if (good) {
        good = check_result_bytes(p, bytes, (size_t)size);
    }
    free(bytes);
    return good;
}

static bool step_read(struct check_player *p, json_t *step)
{
    return read_bytes(p, step, false);
}

static bool step_sum(struct check_player *p, json_t *step)
{
    return read_bytes(p, step, true);
}

static bool step_cycles(struct check_player *p, json_t *step)
{
    uint64_t cycles;
    if (!check_number(p, step, 1, MOST_CYCLES, &cycles)) {
        return false;
    }
    const enum tx_status status = tx_chip_run(p->chip, cycles);
    return status == TX_OK || status == TX_ELIMIT || status == TX_EDEADLOCK ||
           check_wrong(p, tx_status_text(status));
}

static bool play(struct check_player *p, json_t *steps)
{
    static const struct check_step own[] = {
        {'W', step_write}, {'F', step_fill}, {'R', step_read}, {'S', step_sum}, {'C', step_cycles}};
    enum { OWN = sizeof own / sizeof own[0] };
    size_t index;
    json_t *step;
    json_array_foreach(steps, index, step)
    {
        const char *letter = json_string_value(json_array_get(step, 0));
        const struct check_step *kind = NULL;
        p->step = index + 1;
        for (size_t i = 0; letter != NULL && letter[0] != '\0' && letter[1] == '\0' &&
                           kind == NULL && i < OWN + CHECK_PCIE_STEPS;
             i++) {
            const struct check_step *one = i < OWN ? &own[i] : &check_pcie_steps[i - OWN];
            kind = one->letter == letter[0] ? one : NULL;
        }
        if (kind == NULL) {
            return fail_false(p->err, "step %zu: '%.8s' is no step", p->step,
                              letter != NULL ? letter : "");
        }
        if (!kind->play(p, step)) {
            return false;
        }
    }
    if (p->results != json_array_size(p->expect)) {
        return fail_false(p->err, "%zu results are expected, the steps give %zu",
                          json_array_size(p->expect), p->results);
    }
    return true;
}

/* ---- a vector ---- */

bool check_is_chip(const char *line, size_t length)
{
    static const char key[] = "\"steps\"";
    for (size_t i = 0; i + sizeof key - 1 <= length; i++) {
        if (line[i] == key[0] && memcmp(line + i, key, sizeof key - 1) == 0) {
            return true;
        }
    }
    return false;
}

/* Gives the player a chip as it opens, and the host's side of it. */
static bool chip_of(struct check_chips *chips, enum tx_arch arch, struct check_player *p)
{
    struct tx_chip_settings settings;
    tx_chip **chip = &chips->chip[arch];
    tx_pcie_close(chips->pcie[arch]);
    chips->pcie[arch] = NULL;
    if (*chip != NULL) {
        tx_chip_reset(*chip);
    } else {
        (void)tx_chip_settings_default(&settings, tx_arch_name((enum tx_arch)arch));
        if (tx_chip_open(&settings, chip) != TX_OK) {
            return false;
        }
    }
    if (tx_pcie_open(*chip, &chips->pcie[arch]) != TX_OK) {
        return false;
    }
    p->chip = *chip;
    p->pcie = chips->pcie[arch];
    return check_memory_attach(p);
}

/* JSON's reader takes 63 bits: longer numbers are put into quotes. The caller frees the text. */
static char *quote_long(const char *line, size_t *length)
{
    enum { LONG = 19 };
    char *text = malloc(*length + *length / LONG * 2 + 3);
    size_t used = 0;
    bool quoted = false;
    for (size_t i = 0; text != NULL && i < *length;) {
        size_t n = 0;
        while (!quoted && i + n < *length && digit(line[i + n]) >= 0 && digit(line[i + n]) <= 9) {
            n++;
        }
        if (n >= LONG) {
            text[used++] = '"';
        }
        if (n == 0) {
            quoted = line[i] == '"' ? !quoted : quoted;
            n = quoted && line[i] == '\\' && i + 1 < *length ? 2 : 1;
        }
        memcpy(text + used, line + i, n);
        used += n;
        i += n;
        if (n >= LONG) {
            text[used++] = '"';
        }
    }
    *length = used;
    return text;
}

bool check_chip(struct check_chips *chips, const char *line, size_t length, char name[VEC_NAME],
                struct txl_error *err)
{
    json_error_t error;
    char *quoted = quote_long(line, &length);
    json_t *root = json_loadb(quoted != NULL ? quoted : "", length, JSON_REJECT_DUPLICATES, &error);
    json_t *steps = json_object_get(root, "steps");
    const char *text = json_string_value(json_object_get(root, "name"));
    const char *which = json_string_value(json_object_get(root, "chip"));
    struct check_player p = {.expect = json_object_get(root, "expect"), .err = err};
    enum tx_arch arch = TX_ARCH_NONE;
    bool good = false;
    snprintf(name, VEC_NAME, "%s", text != NULL ? text : "");
    if (root == NULL) {
        (void)fail_false(err, "not JSON: %s (column %d)", error.text, error.column);
    } else if (text == NULL || !json_is_array(steps) || json_array_size(steps) > MOST_STEPS ||
               !json_is_array(p.expect)) {
        (void)fail_false(err, "name, steps or expect is missing");
    } else if (which == NULL || tx_arch_parse(which, &arch) != TX_OK) {
        (void)fail_false(err, "chip is missing or unknown");
    } else if (!chip_of(chips, arch, &p)) {
        (void)fail_false(err, "the chip cannot be opened");
    } else {
        good = play(&p, steps);
    }
    check_memory_free(&p);
    json_decref(root);
    free(quoted);
    return good;
}
