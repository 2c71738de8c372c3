/* SPDX-License-Identifier: Apache-2.0 */
/* The inputs of a sweep: formats, ranges, files, pairs; all of them, strided or sampled. */
#include "sweep/sweep.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const struct {
    const char *name;
    enum sweep_axis_kind kind;
    unsigned bits; /* floats only */
    int64_t low, high;
} axis_kinds[] = {
    {"fp32", AXIS_FP32, 32, 0, 0},
    {"tf32", AXIS_TF32, 19, 0, 0},
    {"bf16", AXIS_BF16, 16, 0, 0},
    {"fp16", AXIS_FP16, 16, 0, 0},
    {"int32", AXIS_INTEGER, 0, INT32_MIN, INT32_MAX},
    {"int16", AXIS_INTEGER, 0, INT16_MIN, INT16_MAX},
    {"int8", AXIS_INTEGER, 0, INT8_MIN, INT8_MAX},
    {"uint32", AXIS_INTEGER, 0, 0, UINT32_MAX},
    {"uint16", AXIS_INTEGER, 0, 0, UINT16_MAX},
    {"uint8", AXIS_INTEGER, 0, 0, UINT8_MAX},
};

uint64_t sweep_hash(uint64_t hash, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

/* Converts Tensix's FP16, in which exponent 31 is an ordinary binade. */
static uint32_t fp16_word(uint32_t pattern)
{
    if ((pattern >> 10 & 31U) == 31) {
        return (pattern & 0x8000U) << 16 | (31U + 112U) << 23 | (pattern & 0x3ffU) << 13;
    }
    return npy_half_to_fp32((uint16_t)pattern);
}

/* Returns the position of a place of the axis among all values of its format. */
static uint64_t axis_order(const struct sweep_axis *axis, uint64_t place)
{
    uint64_t skipped = 0;
    for (unsigned i = 0; i < axis->gaps && axis->gap[i].place <= place; i++) {
        skipped = axis->gap[i].skipped;
    }
    return axis->first + place + skipped;
}

static uint32_t axis_word(const struct sweep_axis *axis, uint64_t place)
{
    const uint64_t order = axis_order(axis, place);
    switch (axis->kind) {
    case AXIS_FP32:
        return pattern_at(order, 32);
    case AXIS_TF32:
        return pattern_at(order, 19) << 13;
    case AXIS_BF16:
        return pattern_at(order, 16) << 16;
    case AXIS_FP16:
        return fp16_word(pattern_at(order, 16));
    case AXIS_INTEGER:
        return (uint32_t)((uint64_t)axis->least + order);
    case AXIS_LIST:
    default:
        return axis->words[order];
    }
}

/*
 * Returns the first position whose value is not below x (upper: is above x). NaNs lie outside all
 * values.
 */
static uint64_t bound(const struct sweep_axis *axis, double x, bool upper)
{
    uint64_t low = 0;
    uint64_t high = axis->size;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        uint32_t word = axis_word(axis, middle);
        double value = number_value(axis->format, word);
        bool below = isnan(value) ? word >> 31 != 0 : upper ? value <= x : value < x;
        low = below ? middle + 1 : low;
        high = below ? high : middle;
    }
    return low;
}

static bool parse_number(const char *text, size_t length, double *value)
{
    char copy[64];
    if (length == 0 || length >= sizeof copy) {
        return false;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    char *end = NULL;
    *value = strtod(copy, &end);
    return *end == '\0' && !isspace((unsigned char)copy[0]) && !isnan(*value);
}

/* A range of positions. */
struct range {
    uint64_t first, end;
};

static int by_first(const void *one, const void *two)
{
    const struct range *a = one;
    const struct range *b = two;
    return a->first != b->first ? (a->first < b->first ? -1 : 1) : 0;
}

/* Reads LOW:HIGH, both included. */
static int read_range(struct txl_error *err, const char *text, size_t length,
                      const struct sweep_axis *axis, struct range *range)
{
    double low = 0.0;
    double high = 0.0;
    const char *colon = memchr(text, ':', length);
    if (colon == NULL || !parse_number(text, (size_t)(colon - text), &low) ||
        !parse_number(colon + 1, (size_t)(text + length - colon - 1), &high)) {
        return txl_fail_option(err, NULL, "domain", "'%.*s' is not LOW:HIGH",
                               (int)(length < 100 ? length : 100), text);
    }
    *range = (struct range){bound(axis, low, false), bound(axis, high, true)};
    return range->end > range->first
               ? TXL_CONTINUE
               : txl_fail_option(err, NULL, "domain", "there is no value from %g to %g", low, high);
}

/* Restricts an axis to the union of ranges; those that overlap or touch become one. */
static void take_ranges(struct sweep_axis *axis, struct range *ranges, unsigned count)
{
    qsort(ranges, count, sizeof *ranges, by_first);
    uint64_t end = ranges[0].end;
    axis->first = ranges[0].first;
    axis->size = end - axis->first;
    axis->gaps = 0;
    for (unsigned i = 1; i < count; i++) {
        const uint64_t first = ranges[i].first > end ? ranges[i].first : end;
        if (first > end) {
            axis->gap[axis->gaps].place = axis->size;
            axis->gap[axis->gaps++].skipped = first - axis->first - axis->size;
        }
        if (ranges[i].end > end) {
            axis->size += ranges[i].end - first;
            end = ranges[i].end;
        }
    }
}

/* Restricts an axis to LOW:HIGH[,LOW:HIGH...]. */
static int cut_axis(struct txl_error *err, const char *text, struct sweep_axis *axis)
{
    struct range ranges[SWEEP_GAPS + 1];
    unsigned count = 0;
    int result = TXL_CONTINUE;
    for (const char *p = text; p != NULL && result == TXL_CONTINUE;) {
        const size_t length = strcspn(p, ",");
        if (count == SWEEP_GAPS + 1) {
            return txl_fail_option(err, NULL, "domain", "more than %d ranges", SWEEP_GAPS + 1);
        }
        result = read_range(err, p, length, axis, &ranges[count++]);
        p = p[length] == ',' ? p + length + 1 : NULL;
    }
    if (result == TXL_CONTINUE) {
        take_ranges(axis, ranges, count);
    }
    return result;
}

static bool parse_word(const char *text, bool integer, uint32_t *word)
{
    char *end = NULL;
    int64_t whole = 0;
    if (integer) {
        bool good = txl_number(text, INT32_MIN, UINT32_MAX, &whole);
        *word = (uint32_t)whole;
        return good;
    }
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X') && strpbrk(text, ".pP") == NULL) {
        errno = 0;
        unsigned long value = strtoul(text, &end, 16);
        *word = (uint32_t)value;
        return *end == '\0' && errno == 0 && value <= UINT32_MAX;
    }
    float value = strtof(text, &end);
    memcpy(word, &value, sizeof value);
    return *end == '\0' && end != text;
}

/*
 * Reads one number per line: decimal, or 0x and the bit pattern. Empty lines and # comments are
 * skipped.
 */
static int read_text(struct txl_error *err, const char *path, char *text, struct sweep_axis *axis)
{
    unsigned line = 0;
    size_t room = 0;
    char *rest = text;
    char *next;
    while ((next = strsep(&rest, "\n")) != NULL) {
        line++;
        next[strcspn(next, "#\r")] = '\0';
        char *word = strtok(next, " \t");
        if (word == NULL) {
            continue;
        }
        if (!LIST_ROOM(axis->words, axis->size, room, 1)) {
            return no_memory(err);
        }
        if (!parse_word(word, axis->format->integer, &axis->words[axis->size]) ||
            strtok(NULL, " \t") != NULL) {
            struct txl_where where = {.file = path, .line = line};
            return txl_fail_at(err, &where, "not a number: '%s'", word);
        }
        axis->size++;
    }
    return axis->size > 0 ? TXL_CONTINUE : txl_fail(err, "%s: no numbers", path);
}

static int read_npy(struct txl_error *err, const char *path, const char *data, size_t length,
                    struct sweep_axis *axis)
{
    struct txl_where where = {.file = path};
    struct npy_info info;
    struct npy_convert convert = {0};
    if (!npy_parse((const uint8_t *)data, length, length, &info, err)) {
        return fail_in(err, path);
    }
    if (npy_is_float(info.dtype) == axis->format->integer || info.count == 0) {
        return txl_fail_at(err, &where, "this domain needs %s, at least one; there is %s",
                           axis->format->integer ? "integers" : "floats",
                           npy_dtype_name(info.dtype));
    }
    axis->words = calloc((size_t)info.count, sizeof *axis->words);
    if (axis->words == NULL) {
        return txl_fail(err, "out of memory");
    }
    axis->size = info.count;
    npy_to_words(info.dtype, data + info.data_offset, (size_t)info.count, axis->words, &convert);
    return TXL_CONTINUE;
}

static int read_file(struct txl_error *err, const char *path, struct sweep_axis *axis)
{
    size_t length = 0;
    char *data = txl_read_file(err, path, &length);
    if (data == NULL) {
        return TXL_INPUT;
    }
    axis->kind = AXIS_LIST;
    int result = npy_header_size((const uint8_t *)data, length < 12 ? 0 : length) != 0
                     ? read_npy(err, path, data, length, axis)
                     : read_text(err, path, data, axis);
    free(data);
    return result;
}

/*
 * Selects the integers from low to high that Dst can hold; sign and magnitude lacks the smallest.
 */
static void set_integers(struct sweep_axis *axis, int64_t low, int64_t high)
{
    const int64_t least = (int64_t)axis->format->low;
    const int64_t most = (int64_t)axis->format->most;
    axis->kind = AXIS_INTEGER;
    axis->least = low > least ? low : least;
    axis->size = (uint64_t)((high < most ? high : most) - axis->least) + 1;
}

/*
 * Parses the values of one operand: FORMAT, FORMAT:LOW:HIGH, LOW:HIGH (FP32, or integers of Dst),
 * either with more ranges behind commas, or a file.
 */
static int parse_axis(struct txl_error *err, const char *text, struct sweep_axis *axis)
{
    const bool integer = axis->format->integer;
    size_t length = strcspn(text, ":");
    for (size_t i = 0; i < sizeof axis_kinds / sizeof axis_kinds[0]; i++) {
        if (strlen(axis_kinds[i].name) == length &&
            strncmp(axis_kinds[i].name, text, length) == 0) {
            if ((axis_kinds[i].kind == AXIS_INTEGER) != integer) {
                return txl_fail_option(err, NULL, "domain", "the kernel works on %s, %s are not",
                                       integer ? "integers" : "floats", axis_kinds[i].name);
            }
            if (integer) {
                set_integers(axis, axis_kinds[i].low, axis_kinds[i].high);
            } else {
                axis->kind = axis_kinds[i].kind;
                axis->size = UINT64_C(1) << axis_kinds[i].bits;
            }
            axis->values = axis->size;
            return text[length] == ':' ? cut_axis(err, text + length + 1, axis) : TXL_CONTINUE;
        }
    }
    double low = 0.0;
    if (text[length] == ':' && parse_number(text, length, &low)) {
        axis->kind = AXIS_FP32;
        axis->size = UINT64_C(1) << 32;
        if (integer) {
            set_integers(axis, INT32_MIN, UINT32_MAX);
        }
        axis->values = axis->size;
        return cut_axis(err, text, axis);
    }
    if (strchr(text, '.') == NULL && strchr(text, '/') == NULL) {
        return txl_fail_option(
            err, NULL, "domain",
            "'%s' is none of fp32, tf32, bf16, fp16, int32, int16, int8, "
            "uint32, uint16, uint8, LOW:HIGH, FORMAT:LOW:HIGH[,LOW:HIGH...], a file; pairs are AxB",
            text);
    }
    return read_file(err, text, axis);
}

static int parse_axes(struct txl_error *err, const char *text, const struct number_format *format,
                      struct sweep_domain *domain)
{
    char copy[sizeof domain->text];
    snprintf(copy, sizeof copy, "%s", text);
    /* An x between two formats separates operands; one in a file name does not. */
    char *rest = copy;
    domain->total = 1;
    while (rest != NULL) {
        char *cross = NULL;
        for (char *p = strchr(rest, 'x'); p != NULL && cross == NULL; p = strchr(p + 1, 'x')) {
            bool after_number = p > rest && isdigit((unsigned char)p[-1]);
            cross =
                after_number && (strncmp(p + 1, "fp", 2) == 0 || strncmp(p + 1, "bf", 2) == 0 ||
                                 strncmp(p + 1, "tf", 2) == 0 || strncmp(p + 1, "int", 3) == 0 ||
                                 strncmp(p + 1, "uint", 4) == 0)
                    ? p
                    : NULL;
        }
        if (domain->operands == SWEEP_INPUTS) {
            return txl_fail_option(err, NULL, "domain", "more than %d operands", SWEEP_INPUTS);
        }
        if (cross != NULL) {
            *cross = '\0';
        }
        struct sweep_axis *axis = &domain->axis[domain->operands++];
        axis->format = format;
        int result = parse_axis(err, rest, axis);
        if (result != TXL_CONTINUE) {
            return result;
        }
        bool fits = axis->size > 0 && domain->total <= UINT64_MAX / axis->size;
        domain->total = fits ? domain->total * axis->size : UINT64_MAX;
        rest = cross != NULL ? cross + 1 : NULL;
    }
    return TXL_CONTINUE;
}

int domain_parse(struct txl_error *err, const char *text, enum tx_dst_format dst, uint64_t stride,
                 uint64_t sample, struct sweep_domain *domain)
{
    if (strlen(text) >= sizeof domain->text) {
        return txl_fail_option(err, NULL, "domain", "longer than %zu letters",
                               sizeof domain->text - 1);
    }
    snprintf(domain->text, sizeof domain->text, "%s", text);
    int result = parse_axes(err, text, number_format(dst), domain);
    if (result != TXL_CONTINUE) {
        return result;
    }
    domain->stride = stride > 0 ? stride : 1;
    domain->sample = sample;
    domain->count = sample > 0 ? sample : (domain->total - 1) / domain->stride + 1;
    if (domain->count > UINT64_C(1) << 32) {
        return txl_fail_option(
            err, NULL, "domain",
            "%s has more than 2^32 inputs: a sample or a stride makes them fewer", text);
    }
    return TXL_CONTINUE;
}

void domain_free(struct sweep_domain *domain)
{
    for (unsigned k = 0; k < domain->operands; k++) {
        free(domain->axis[k].words);
    }
}

/* The finalizer of SplitMix64: every bit of the input affects every bit of the output. */
static uint64_t mix(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/*
 * Computes the positions on the axes for an input; the last operand changes fastest. A sampled
 * input depends only on its index.
 */
static void places_of(const struct sweep_domain *d, uint64_t index, uint64_t *places)
{
    uint64_t place = index * d->stride;
    for (unsigned k = d->operands; k-- > 0;) {
        uint64_t size = d->axis[k].size;
        if (d->sample > 0) {
            uint64_t draw = mix((index * SWEEP_INPUTS + k + 1) * UINT64_C(0x9e3779b97f4a7c15));
            places[k] = (uint64_t)((unsigned __int128)draw * size >> 64);
        } else {
            places[k] = place % size;
            place /= size;
        }
    }
}

static void fill_from(const struct sweep_axis *axis, uint64_t place, uint64_t stride, size_t count,
                      uint32_t *words)
{
    if (axis->kind == AXIS_FP32 && axis->gaps == 0) {
        for (size_t i = 0; i < count; i++) {
            words[i] = pattern_at(axis->first + place + i * stride, 32);
        }
        return;
    }
    for (size_t i = 0; i < count; i++) {
        words[i] = axis_word(axis, place + i * stride);
    }
}

/* Advances to the next index, adding the stride digit by digit; equivalent to places_of. */
static void advance(const struct sweep_domain *d, const uint64_t *step, uint64_t *places)
{
    uint64_t carry = 0;
    for (unsigned k = d->operands; k-- > 0;) {
        places[k] += step[k] + carry;
        carry = places[k] >= d->axis[k].size ? 1 : 0;
        places[k] -= carry != 0 ? d->axis[k].size : 0;
    }
}

void domain_fill(const struct sweep_domain *d, uint64_t first, size_t count, uint32_t *const *words)
{
    uint64_t places[SWEEP_INPUTS];
    uint64_t step[SWEEP_INPUTS];
    if (d->operands == 1 && d->sample == 0) {
        fill_from(&d->axis[0], first * d->stride, d->stride, count, words[0]);
        return;
    }
    places_of(d, 1, step);
    places_of(d, first, places);
    for (size_t i = 0; i < count; i++) {
        for (unsigned k = 0; k < d->operands; k++) {
            words[k][i] = axis_word(&d->axis[k], places[k]);
        }
        if (d->sample > 0) {
            places_of(d, first + i + 1, places);
        } else {
            advance(d, step, places);
        }
    }
}

/* Returns the bit to flip so that a file's integers sort in numerical order. */
static uint32_t list_sign(const struct sweep_axis *axis)
{
    return axis->format->low < 0.0 ? 0x80000000U : 0;
}

static unsigned axis_bin(const struct sweep_axis *axis, uint64_t place, unsigned bins)
{
    if (axis->kind == AXIS_LIST) {
        uint32_t word = axis->words[place];
        uint64_t order = axis->format->integer ? word ^ list_sign(axis) : pattern_place(word, 32);
        return (unsigned)(order * bins >> 32);
    }
    return (unsigned)(place * bins / axis->size);
}

unsigned domain_bin(const struct sweep_domain *d, uint64_t index)
{
    uint64_t places[SWEEP_INPUTS];
    places_of(d, index, places);
    if (d->operands == 1) {
        return axis_bin(&d->axis[0], places[0], SWEEP_BINS);
    }
    return axis_bin(&d->axis[0], places[0], SWEEP_GRID) * SWEEP_GRID +
           axis_bin(&d->axis[1], places[1], SWEEP_GRID);
}

uint64_t domain_bin_end(const struct sweep_domain *d, uint64_t index)
{
    if (!domain_ordered(d)) {
        return index + 1;
    }
    uint64_t place = ((domain_bin(d, index) + 1) * d->axis[0].size + SWEEP_BINS - 1) / SWEEP_BINS;
    return (place + d->stride - 1) / d->stride;
}

uint32_t domain_bin_word(const struct sweep_axis *axis, unsigned bin, unsigned bins)
{
    if (axis->kind == AXIS_LIST) {
        uint64_t order = ((uint64_t)bin << 32) / bins;
        return axis->format->integer ? (uint32_t)order ^ list_sign(axis) : pattern_at(order, 32);
    }
    uint64_t place = (bin * axis->size + bins - 1) / bins;
    return axis_word(axis, place < axis->size ? place : axis->size - 1);
}

bool domain_ordered(const struct sweep_domain *d)
{
    return d->operands == 1 && d->sample == 0 && d->axis[0].kind != AXIS_LIST;
}

static bool axis_spans(const struct sweep_axis *axis, uint32_t word)
{
    const double x = number_value(axis->format, word);
    uint64_t low = 0;
    uint64_t high = axis->size;
    if (axis->kind == AXIS_LIST || isnan(x) || axis->size == axis->values) {
        return axis->size == axis->values;
    }
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        const bool below = number_value(axis->format, axis_word(axis, middle)) < x;
        low = below ? middle + 1 : low;
        high = below ? high : middle;
    }
    if (low == axis->size) {
        return false;
    }
    const bool next = low > 0 && axis_order(axis, low) == axis_order(axis, low - 1) + 1;
    return next || number_value(axis->format, axis_word(axis, low)) == x;
}

bool domain_spans(const struct sweep_domain *d, const uint32_t *words)
{
    bool all = true;
    for (unsigned k = 0; k < d->operands; k++) {
        all = all && axis_spans(&d->axis[k], words[k]);
    }
    return all;
}

bool domain_exhaustive(const struct sweep_domain *d)
{
    bool all = d->sample == 0 && d->stride == 1;
    for (unsigned k = 0; k < d->operands; k++) {
        all = all && d->axis[k].kind != AXIS_LIST && d->axis[k].size == d->axis[k].values;
    }
    return all;
}

const char *domain_count_text(const struct sweep_domain *d, char *text, size_t size)
{
    unsigned long long count = d->count;
    if (d->sample > 0) {
        snprintf(text, size, "%llu sampled of %s", count, d->text);
    } else if (d->stride > 1) {
        snprintf(text, size, "%llu, every %llu of %s", count, (unsigned long long)d->stride,
                 d->text);
    } else {
        snprintf(text, size, "all %llu of %s", count, d->text);
    }
    return text;
}

uint64_t domain_hash(const struct sweep_domain *d)
{
    uint64_t hash = sweep_hash(SWEEP_HASH, &d->count, sizeof d->count);
    hash = sweep_hash(hash, &d->stride, sizeof d->stride);
    hash = sweep_hash(hash, &d->sample, sizeof d->sample);
    for (unsigned k = 0; k < d->operands; k++) {
        const struct sweep_axis *axis = &d->axis[k];
        hash = sweep_hash(hash, &axis->kind, sizeof axis->kind);
        hash = sweep_hash(hash, &axis->least, sizeof axis->least);
        hash = sweep_hash(hash, &axis->first, sizeof axis->first);
        hash = sweep_hash(hash, &axis->size, sizeof axis->size);
        for (unsigned g = 0; g < axis->gaps; g++) {
            hash = sweep_hash(hash, &axis->gap[g], sizeof axis->gap[g]);
        }
        if (axis->words != NULL) {
            hash = sweep_hash(hash, axis->words, (size_t)axis->size * sizeof *axis->words);
        }
    }
    return hash;
}
