/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes the headers and elements of .npy files. */
#include "data/npy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *code;
    unsigned size;
} dtypes[NPY_DTYPES] = {
    [NPY_NONE] = {"?", "?", 0},           [NPY_FLOAT16] = {"float16", "f2", 2},
    [NPY_FLOAT32] = {"float32", "f4", 4}, [NPY_FLOAT64] = {"float64", "f8", 8},
    [NPY_INT8] = {"int8", "i1", 1},       [NPY_INT16] = {"int16", "i2", 2},
    [NPY_INT32] = {"int32", "i4", 4},     [NPY_INT64] = {"int64", "i8", 8},
    [NPY_UINT8] = {"uint8", "u1", 1},     [NPY_UINT16] = {"uint16", "u2", 2},
    [NPY_UINT32] = {"uint32", "u4", 4},   [NPY_UINT64] = {"uint64", "u8", 8},
    [NPY_RAW16] = {"V2", "V2", 2},        [NPY_RAW8] = {"V1", "V1", 1},
};

struct reader {
    const char *at, *end;
    struct txl_error *err;
};

uint64_t npy_header_size(const uint8_t *head, size_t length)
{
    static const uint8_t magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
    if (length < 10 || memcmp(head, magic, sizeof magic) != 0) {
        return 0;
    }
    if (head[6] == 1) {
        return 10U + (uint64_t)(head[8] | (unsigned)head[9] << 8);
    }
    if ((head[6] == 2 || head[6] == 3) && length >= 12) {
        return 12U + (head[8] | (uint64_t)head[9] << 8 | (uint64_t)head[10] << 16 |
                      (uint64_t)head[11] << 24);
    }
    return 0;
}

static void skip_blanks(struct reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\t')) {
        r->at++;
    }
}

static bool npy_take(struct reader *r, char c)
{
    skip_blanks(r);
    if (r->at < r->end && *r->at == c) {
        r->at++;
        return true;
    }
    return false;
}

/* Takes a quoted word without escapes. */
static bool take_word(struct reader *r, char *word, size_t size)
{
    skip_blanks(r);
    if (r->at == r->end || (*r->at != '\'' && *r->at != '"')) {
        return false;
    }
    char quote = *r->at++;
    size_t length = 0;
    while (r->at < r->end && *r->at != quote) {
        if (*r->at < ' ' || *r->at > '~' || length + 1 >= size) {
            return false;
        }
        word[length++] = *r->at++;
    }
    word[length] = '\0';
    return npy_take(r, quote);
}

static bool take_name(struct reader *r, const char *name)
{
    size_t length = strlen(name);
    skip_blanks(r);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, name, length) != 0) {
        return false;
    }
    r->at += length;
    return true;
}

static bool take_dtype(struct reader *r, struct npy_info *info)
{
    char text[32];
    skip_blanks(r);
    if (r->at < r->end && *r->at == '[') {
        return fail_false(r->err, "structured dtypes are not accepted");
    }
    if (!take_word(r, text, sizeof text)) {
        return fail_false(r->err, "the header's descr is not a dtype");
    }
    const char *code = text + (strchr("<>=|", text[0]) != NULL && text[0] != '\0' ? 1 : 0);
    for (unsigned d = NPY_FLOAT16; d < NPY_DTYPES; d++) {
        if (strcmp(code, dtypes[d].code) == 0) {
            if (text[0] == '>' && dtypes[d].size > 1) {
                return fail_false(r->err, "dtype %s is big-endian: convert it to little-endian",
                                  text);
            }
            info->dtype = (enum npy_dtype)d;
            info->item_size = dtypes[d].size;
            return true;
        }
    }
    return fail_false(r->err, "dtype %s is not accepted", text);
}

static bool take_shape(struct reader *r, struct npy_info *info)
{
    if (!npy_take(r, '(')) {
        return fail_false(r->err, "the header's shape is not a tuple");
    }
    info->dimensions = 0;
    while (!npy_take(r, ')')) {
        skip_blanks(r);
        uint64_t value = 0;
        const char *start = r->at;
        while (r->at < r->end && *r->at >= '0' && *r->at <= '9') {
            if (value > (UINT64_MAX - 9) / 10) {
                return fail_false(r->err, "a dimension is too large");
            }
            value = value * 10 + (uint64_t)(*r->at++ - '0');
        }
        if (r->at == start) {
            return fail_false(r->err, "the header's shape is not a tuple of numbers");
        }
        if (info->dimensions == NPY_MAX_DIMENSIONS) {
            return fail_false(r->err, "more than %d dimensions", NPY_MAX_DIMENSIONS);
        }
        info->shape[info->dimensions++] = value;
        if (!npy_take(r, ',')) {
            if (!npy_take(r, ')')) {
                return fail_false(r->err, "the header's shape does not end");
            }
            break;
        }
    }
    return true;
}

static bool parse_dict(struct reader *r, struct npy_info *info, bool *fortran)
{
    bool descr = false;
    bool order = false;
    bool shape = false;
    if (!npy_take(r, '{')) {
        return fail_false(r->err, "the header is not a dictionary");
    }
    while (!npy_take(r, '}')) {
        char key[32];
        if (!take_word(r, key, sizeof key) || !npy_take(r, ':')) {
            return fail_false(r->err, "the header is not a dictionary");
        }
        if (strcmp(key, "descr") == 0 && !descr) {
            descr = true;
            if (!take_dtype(r, info)) {
                return false;
            }
        } else if (strcmp(key, "fortran_order") == 0 && !order) {
            order = true;
            *fortran = take_name(r, "True");
            if (!*fortran && !take_name(r, "False")) {
                return fail_false(r->err, "the header's fortran_order is neither True nor False");
            }
        } else if (strcmp(key, "shape") == 0 && !shape) {
            shape = true;
            if (!take_shape(r, info)) {
                return false;
            }
        } else {
            return fail_false(r->err, "the header's key '%s' is unknown or there twice", key);
        }
        if (!npy_take(r, ',')) {
            if (!npy_take(r, '}')) {
                return fail_false(r->err, "the header's dictionary does not end");
            }
            break;
        }
    }
    if (!descr || !order || !shape) {
        return fail_false(r->err, "the header lacks descr, fortran_order or shape");
    }
    return true;
}

/* Sets the count from the shape and checks that the file is as long as the header says. */
static bool check_size(struct npy_info *info, uint64_t file_size, struct txl_error *err)
{
    uint64_t most = INT64_MAX / 8;
    uint64_t count = 1;
    bool empty = false;
    for (unsigned i = 0; i < info->dimensions; i++) {
        empty |= info->shape[i] == 0;
    }
    for (unsigned i = 0; i < info->dimensions && !empty; i++) {
        if (count > most / info->shape[i]) {
            return fail_false(err, "the shape is larger than any file");
        }
        count *= info->shape[i];
    }
    info->count = empty ? 0 : count;
    uint64_t need = info->count * info->item_size;
    uint64_t have = file_size - info->data_offset;
    if (have < need) {
        return fail_false(err, "truncated: the header states %llu bytes of data, there are %llu",
                          (unsigned long long)need, (unsigned long long)have);
    }
    if (have > need) {
        return fail_false(err, "%llu bytes follow the data that the header states",
                          (unsigned long long)(have - need));
    }
    return true;
}

bool npy_parse(const uint8_t *head, size_t length, uint64_t file_size, struct npy_info *info,
               struct txl_error *err)
{
    memset(info, 0, sizeof *info);
    uint64_t size = npy_header_size(head, length);
    if (size == 0) {
        return fail_false(err, "not an .npy file (versions 1 to 3)");
    }
    if (size > file_size) {
        return fail_false(err, "truncated: the header itself is cut off");
    }
    if (size > length) {
        return fail_false(err, "the header is longer than %d bytes", NPY_HEADER_MOST);
    }
    info->data_offset = size;
    size_t start = head[6] == 1 ? 10 : 12;
    struct reader r = {
        .at = (const char *)head + start, .end = (const char *)head + size, .err = err};
    bool fortran = false;
    if (!parse_dict(&r, info, &fortran)) {
        return false;
    }
    skip_blanks(&r);
    if (r.at != r.end) {
        return fail_false(err, "the header goes on behind its dictionary");
    }
    unsigned wide = 0;
    for (unsigned i = 0; i < info->dimensions; i++) {
        wide += info->shape[i] > 1 ? 1U : 0U;
    }
    if (fortran && wide > 1) {
        return fail_false(err, "Fortran order is not accepted: save numpy.ascontiguousarray(x)");
    }
    return check_size(info, file_size, err);
}

size_t npy_make_header(const struct npy_info *info, uint8_t *out, size_t room)
{
    char text[NPY_MAX_DIMENSIONS * 22 + 128];
    char shape[NPY_MAX_DIMENSIONS * 22 + 8];
    npy_shape_text(info, shape, sizeof shape);
    int length =
        snprintf(text, sizeof text, "{'descr': '%s%s', 'fortran_order': False, 'shape': %s, }",
                 info->item_size == 1 ? "|" : "<", dtypes[info->dtype].code, shape);
    /* The data start at a multiple of 64 bytes; blanks and a line end fill the header. */
    size_t size = (10 + (size_t)length + 1 + 63) / 64 * 64;
    if (size > room || size - 10 > UINT16_MAX) {
        return 0;
    }
    static const uint8_t magic[8] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
    memcpy(out, magic, sizeof magic);
    out[8] = (uint8_t)(size - 10);
    out[9] = (uint8_t)((size - 10) >> 8);
    memset(out + 10, ' ', size - 10);
    memcpy(out + 10, text, (size_t)length);
    out[size - 1] = '\n';
    return size;
}

const char *npy_dtype_name(enum npy_dtype dtype)
{
    return dtypes[dtype].name;
}

unsigned npy_dtype_size(enum npy_dtype dtype)
{
    return dtypes[dtype].size;
}

bool npy_is_raw(enum npy_dtype dtype)
{
    return dtype == NPY_RAW16 || dtype == NPY_RAW8;
}

bool npy_is_float(enum npy_dtype dtype)
{
    return dtype == NPY_FLOAT16 || dtype == NPY_FLOAT32 || dtype == NPY_FLOAT64;
}

bool npy_same_shape(const struct npy_info *a, const struct npy_info *b)
{
    return a->dimensions == b->dimensions &&
           memcmp(a->shape, b->shape, a->dimensions * sizeof a->shape[0]) == 0;
}

const char *npy_shape_text(const struct npy_info *info, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "(");
    for (unsigned i = 0; i < info->dimensions && used < size; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s%llu", i == 0 ? "" : ", ",
                                 (unsigned long long)info->shape[i]);
    }
    if (used < size) {
        snprintf(text + used, size - used, info->dimensions == 1 ? ",)" : ")");
    }
    return text;
}

uint32_t npy_half_to_fp32(uint16_t half)
{
    uint32_t sign = (uint32_t)(half & 0x8000U) << 16;
    uint32_t exponent = half >> 10 & 31U;
    uint32_t mantissa = half & 0x3ffU;
    if (exponent == 31) {
        return sign | 0x7f800000U | mantissa << 13;
    }
    if (exponent == 0) {
        if (mantissa == 0) {
            return sign;
        }
        exponent = 1;
        while ((mantissa & 0x400U) == 0) {
            mantissa <<= 1;
            exponent--;
        }
        mantissa &= 0x3ffU;
    }
    return sign | (exponent + 112U) << 23 | mantissa << 13;
}

void npy_narrowed_add(struct npy_narrowed *into, const struct npy_narrowed *from)
{
    into->rounded += from->rounded;
    into->overflowed += from->overflowed;
    into->vanished += from->vanished;
}

static uint32_t from_double(const uint8_t *bytes, struct npy_convert *convert)
{
    double value;
    memcpy(&value, bytes, sizeof value);
    float narrow = (float)value;
    if ((double)narrow != value && value == value) {
        struct npy_narrowed *n = &convert->narrowed;
        uint64_t *count = narrow == 0.0F  ? &n->vanished
                          : isinf(narrow) ? &n->overflowed
                                          : &n->rounded;
        ++*count;
    }
    uint32_t word;
    memcpy(&word, &narrow, sizeof word);
    return word;
}

static uint32_t from_integer(int64_t value, bool huge, size_t index, struct npy_convert *convert)
{
    const int64_t least = convert->to_unsigned ? 0 : INT32_MIN;
    const int64_t most = convert->to_unsigned ? UINT32_MAX : INT32_MAX;
    if ((huge || value < least || value > most) && !convert->wide) {
        convert->wide = true;
        convert->first_wide = index;
    }
    return (uint32_t)value;
}

static uint32_t from_bytes(enum npy_dtype dtype, const uint8_t *bytes, size_t index,
                           struct npy_convert *convert)
{
    unsigned size = dtypes[dtype].size;
    uint64_t bits = 0;
    for (unsigned i = 0; i < size; i++) {
        bits |= (uint64_t)bytes[i] << (8U * i);
    }
    if (convert->raw_bf16 && size == 2) {
        return (uint32_t)bits << 16;
    }
    switch (dtype) {
    case NPY_FLOAT16:
        return npy_half_to_fp32((uint16_t)bits);
    case NPY_FLOAT32:
    case NPY_INT32:
        return (uint32_t)bits;
    case NPY_FLOAT64:
        return from_double(bytes, convert);
    case NPY_INT8:
        return (uint32_t)(int32_t)(int8_t)bits;
    case NPY_INT16:
        return (uint32_t)(int32_t)(int16_t)bits;
    case NPY_INT64:
        return from_integer((int64_t)bits, false, index, convert);
    case NPY_UINT32:
    case NPY_UINT64:
        return from_integer((int64_t)bits, bits > INT64_MAX, index, convert);
    case NPY_UINT8:
    case NPY_UINT16:
    case NPY_RAW16:
    case NPY_RAW8:
    case NPY_NONE:
    case NPY_DTYPES:
        break;
    }
    return (uint32_t)bits;
}

void npy_to_words(enum npy_dtype dtype, const void *data, size_t count, uint32_t *words,
                  struct npy_convert *convert)
{
    const uint8_t *bytes = data;
    if (dtype == NPY_FLOAT32) {
        memcpy(words, bytes, count * sizeof *words);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        words[i] = from_bytes(dtype, bytes + i * dtypes[dtype].size, i, convert);
    }
}
