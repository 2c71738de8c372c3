/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a program's file. Every member is known, and every name that is used is defined before. */
#include "chiprun/plan.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"

enum { SCHEMA = 1, MOST_PAGE = 1 << 20 };

static json_t *parse(struct txl_error *err, const char *name, const char *text, size_t size)
{
    json_error_t where;
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &where);
    const struct txl_where at = {.file = name,
                                 .line = where.line > 0 ? (unsigned)where.line : 0,
                                 .column = where.column > 0 ? (unsigned)where.column : 0};
    if (root == NULL) {
        txl_fail_at(err, name != NULL ? &at : NULL, "%s", where.text);
    }
    return root;
}

/* Checks that a name can be used, and that it is new. */
static int new_name(const struct plan_at *at, const json_t *object, char name[PLAN_NAME],
                    bool needed)
{
    const int result = plan_text(at, object, "name", name, PLAN_NAME);
    return result == TXL_CONTINUE && needed && name[0] == '\0' ? plan_wrong(at, "has no name")
                                                               : result;
}

/* ---- what the chip is to be ---- */

static int read_chip(const struct plan_at *at, const json_t *chip, struct txl_chip_wants *wants)
{
    static const char *const names[] = {"product", "grid", NULL};
    const json_t *grid = json_object_get(chip, "grid");
    const struct plan_at here = plan_member(at, "grid");
    if (chip == NULL) {
        return TXL_CONTINUE;
    }
    int result = plan_known(at, chip, names);
    result = result == TXL_CONTINUE
                 ? plan_text(at, chip, "product", wants->product, sizeof wants->product)
                 : result;
    if (result != TXL_CONTINUE || grid == NULL) {
        return result;
    }
    unsigned side[2];
    for (size_t i = 0; i < 2; i++) {
        const json_int_t n = json_integer_value(json_array_get(grid, i));
        if (json_array_size(grid) != 2 || n < 1 || n > 32) {
            return plan_wrong(&here, "is not [columns, rows]");
        }
        side[i] = (unsigned)n;
    }
    wants->columns = side[0];
    wants->rows = side[1];
    return TXL_CONTINUE;
}

static int check_head(const struct plan_at *at, const json_t *root)
{
    static const char *const names[] = {"schema",     "chip",    "buffers", "circular_buffers",
                                        "semaphores", "kernels", NULL};
    uint64_t schema = 0;
    int result = plan_known(at, root, names);
    result =
        result == TXL_CONTINUE ? plan_number(at, root, "schema", 0, INT32_MAX, &schema) : result;
    if (result == TXL_CONTINUE && schema != SCHEMA) {
        const struct plan_at here = plan_member(at, "schema");
        return plan_wrong(&here, "is not %d, the version of the form that this program knows",
                          SCHEMA);
    }
    return result;
}

int txl_chip_wants(struct txl_error *err, const char *name, const char *text, size_t size,
                   struct txl_chip_wants *wants)
{
    struct txl_chip_wants own = {.size = wants->size};
    const struct plan_at at = {.err = err, .file = name};
    json_t *root = parse(err, name, text, size);
    const struct plan_at here = plan_member(&at, "chip");
    int result = root != NULL ? check_head(&at, root) : TXL_INPUT;
    result =
        result == TXL_CONTINUE ? read_chip(&here, json_object_get(root, "chip"), &own) : result;
    json_decref(root);
    if (result == TXL_CONTINUE) {
        options_give(wants, &own, sizeof own);
    }
    return result == TXL_CONTINUE ? TXL_OK : result;
}

/* ---- buffers ---- */

static int read_shape(const struct plan_at *at, const json_t *object, struct chiprun_buffer *b)
{
    const json_t *shape = json_object_get(object, "shape");
    const struct plan_at here = plan_member(at, "shape");
    if (shape == NULL) {
        return TXL_CONTINUE;
    }
    b->dimensions = (unsigned)json_array_size(shape);
    if (b->dimensions == 0 || b->dimensions > PLAN_SHAPE) {
        return plan_wrong(&here, "is no list of 1 to %d sizes", PLAN_SHAPE);
    }
    for (size_t i = 0; i < b->dimensions; i++) {
        const json_int_t n = json_integer_value(json_array_get(shape, i));
        if (n < 1 || n > INT32_MAX) {
            return plan_wrong(&here, "has something else than sizes");
        }
        b->shape[i] = (uint64_t)n;
    }
    return TXL_CONTINUE;
}

/* How large it is: "bytes", or the array in its file, or one of its shape. */
static int read_size(const struct plan_at *at, struct plan *plan, const json_t *object,
                     struct chiprun_buffer *b)
{
    char name[PLAN_PATH] = "";
    const struct plan_at file = plan_member(at, "file");
    const struct plan_at save = plan_member(at, "save");
    uint64_t bytes = 0;
    int result = plan_format(at, object, "format", &b->format, &b->has_format);
    result =
        result == TXL_CONTINUE ? plan_number(at, object, "bytes", 1, UINT32_MAX, &bytes) : result;
    result = result == TXL_CONTINUE ? plan_text(at, object, "file", name, sizeof name) : result;
    if (result == TXL_CONTINUE && name[0] != '\0') {
        result = plan_path(&file, plan, name, false, b->file);
    }
    name[0] = '\0';
    result = result == TXL_CONTINUE ? plan_text(at, object, "save", name, sizeof name) : result;
    if (result == TXL_CONTINUE && name[0] != '\0') {
        result = plan_path(&save, plan, name, true, b->save);
    }
    result = result == TXL_CONTINUE ? read_shape(at, object, b) : result;
    if (result != TXL_CONTINUE) {
        return result;
    }
    const bool array = b->file[0] != '\0' || b->dimensions != 0;
    if (array != b->has_format || array == (bytes != 0) || (b->save[0] != '\0' && !array) ||
        (b->file[0] != '\0' && b->dimensions != 0)) {
        return plan_wrong(at, "wants bytes, or format with either file or shape");
    }
    b->bytes = bytes;
    return array ? plan_file_size(at, b, plan->how.scratch) : TXL_CONTINUE;
}

/* Which tiles share a buffer in L1; those of "tiles", one after another, row by row. */
static int read_holders(const struct plan_at *at, const struct plan *plan, const json_t *object,
                        struct chiprun_buffer *b)
{
    bool on[CHIPRUN_TILES] = {false};
    const struct plan_at here = plan_member(at, "tiles");
    const json_t *tiles = json_object_get(object, "tiles");
    if (b->dram && tiles != NULL) {
        return plan_wrong(&here, "a buffer in dram lies in all banks");
    }
    const int result = plan_tiles(&here, tiles, plan->chip, on);
    for (unsigned i = 0; i < CHIPRUN_TILES && result == TXL_CONTINUE && !b->dram; i++) {
        if (on[i]) {
            b->holder[b->holders++] = (uint16_t)i;
        }
    }
    return result;
}

static int read_pages(const struct plan_at *at, const json_t *object, struct chiprun_buffer *b)
{
    uint64_t page = 0;
    uint64_t shard = 1;
    if (b->has_format && !b->rows) {
        struct tx_tile_layout layout;
        const struct tx_tile tile = {32, 32, false, false};
        (void)tx_tile_layout(&tile, b->format, &layout);
        page = layout.bytes;
    } else if (b->has_format) {
        page = b->shape[b->dimensions - 1] * tx_format_info(b->format)->bits / 8;
    }
    int result = plan_number(at, object, "page", 1, MOST_PAGE, &page);
    result =
        result == TXL_CONTINUE ? plan_number(at, object, "shard", 1, INT32_MAX, &shard) : result;
    if (result == TXL_CONTINUE && (page == 0 || page > MOST_PAGE)) {
        return plan_wrong(at, "has no page, the bytes that lie together");
    }
    if (result == TXL_CONTINUE) {
        const uint64_t pages = (b->bytes + page - 1) / page;
        b->page = (uint32_t)page;
        b->pages = (uint32_t)pages;
        b->shard = (uint32_t)shard;
        if (shard > pages) {
            return plan_wrong(at, "has %llu pages, fewer than a shard", (unsigned long long)pages);
        }
    }
    return result;
}

static int read_buffer(const struct plan_at *at, struct plan *plan, const json_t *object)
{
    static const char *const names[] = {"name", "in",    "bytes", "page",   "shard",  "tiles",
                                        "file", "shape", "save",  "format", "layout", NULL};
    txl_chip *c = plan->chip;
    struct chiprun_buffer *b = &c->buffers[c->buffer_count];
    char in[8] = "dram";
    char layout[8] = "tiles";
    unsigned index;
    if (c->buffer_count == PLAN_BUFFERS) {
        return plan_wrong(at, "there are more than %d buffers on the chip", PLAN_BUFFERS);
    }
    *b = (struct chiprun_buffer){.page = 0};
    int result = plan_known(at, object, names);
    result = result == TXL_CONTINUE ? new_name(at, object, b->name, true) : result;
    result = result == TXL_CONTINUE ? plan_text(at, object, "in", in, sizeof in) : result;
    result =
        result == TXL_CONTINUE ? plan_text(at, object, "layout", layout, sizeof layout) : result;
    if (result != TXL_CONTINUE) {
        return result;
    }
    b->dram = strcmp(in, "dram") == 0;
    b->rows = strcmp(layout, "rows") == 0;
    if (!b->dram && strcmp(in, "l1") != 0) {
        return plan_wrong(at, "in is neither 'dram' nor 'l1'");
    }
    if (!b->rows && strcmp(layout, "tiles") != 0) {
        return plan_wrong(at, "layout is neither 'tiles' nor 'rows'");
    }
    if (plan_buffer_named(c, b->name, &index) != NULL) {
        return plan_wrong(at, "there is a buffer '%s' already", b->name);
    }
    result = read_size(at, plan, object, b);
    result = result == TXL_CONTINUE ? read_holders(at, plan, object, b) : result;
    result = result == TXL_CONTINUE ? read_pages(at, object, b) : result;
    result = result == TXL_CONTINUE ? plan_buffer_place(at, c, b) : result;
    c->buffer_count += result == TXL_CONTINUE;
    return result;
}

/* ---- semaphores and circular buffers ---- */

static int read_semaphore(const struct plan_at *at, struct plan *plan, const json_t *object)
{
    static const char *const names[] = {"name", "tiles", "value", NULL};
    struct plan_semaphore *s = &plan->semaphore[plan->semaphores];
    const struct plan_at here = plan_member(at, "tiles");
    uint64_t value = 0;
    if (plan->semaphores == TX_LAUNCH_SEMAPHORE_COUNT) {
        return plan_wrong(at, "there are more than %d semaphores", TX_LAUNCH_SEMAPHORE_COUNT);
    }
    int result = plan_known(at, object, names);
    result = result == TXL_CONTINUE ? new_name(at, object, s->name, true) : result;
    result =
        result == TXL_CONTINUE ? plan_number(at, object, "value", 0, UINT32_MAX, &value) : result;
    result = result == TXL_CONTINUE
                 ? plan_tiles(&here, json_object_get(object, "tiles"), plan->chip, s->on)
                 : result;
    for (unsigned i = 0; i < plan->semaphores && result == TXL_CONTINUE; i++) {
        if (strcmp(plan->semaphore[i].name, s->name) == 0) {
            return plan_wrong(at, "there is a semaphore '%s' already", s->name);
        }
    }
    s->value = (uint32_t)value;
    plan->semaphores += result == TXL_CONTINUE;
    return result;
}

/* The numbers of a circular buffer; several share its memory. */
static int read_indices(const struct plan_at *at, const struct plan *plan, const json_t *object,
                        struct plan_circular *b)
{
    const json_t *value = json_object_get(object, "index");
    const struct plan_at here = plan_member(at, "index");
    const size_t count = json_is_array(value) ? json_array_size(value) : 1;
    const unsigned most = plan->chip->arch == TX_WORMHOLE ? 32 : TX_LAUNCH_CIRCULAR;
    if (count == 0 || count > sizeof b->index / sizeof b->index[0]) {
        return plan_wrong(&here, "is neither a number nor a list of 1 to 4 numbers");
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *one = json_is_array(value) ? json_array_get(value, i) : value;
        const json_int_t number = json_integer_value(one);
        if (!json_is_integer(one) || number < 0 || number >= most) {
            return plan_wrong(&here, "is no number of a circular buffer, 0 to %u", most - 1);
        }
        b->index[b->indices++] = (unsigned)number;
    }
    return TXL_CONTINUE;
}

static int circular_apart(const struct plan_at *at, const struct plan *plan,
                          const struct plan_circular *b)
{
    for (unsigned i = 0; i < plan->circulars; i++) {
        const struct plan_circular *other = &plan->circular[i];
        bool both = false;
        for (unsigned t = 0; t < CHIPRUN_TILES; t++) {
            both = both || (b->on[t] && other->on[t]);
        }
        for (unsigned k = 0; k < b->indices * other->indices && both; k++) {
            if (b->index[k % b->indices] == other->index[k / b->indices]) {
                return plan_wrong(at, "a tile has two circular buffers %u",
                                  b->index[k % b->indices]);
            }
        }
        if (b->name[0] != '\0' && strcmp(b->name, other->name) == 0) {
            return plan_wrong(at, "there is a circular buffer '%s' already", b->name);
        }
    }
    return TXL_CONTINUE;
}

static int read_circular(const struct plan_at *at, struct plan *plan, const json_t *object)
{
    static const char *const names[] = {"name", "index",  "tiles",  "pages",
                                        "page", "format", "buffer", NULL};
    struct plan_circular *b = &plan->circular[plan->circulars];
    const struct plan_at here = plan_member(at, "tiles");
    char buffer[PLAN_NAME] = "";
    uint64_t pages = 0;
    uint64_t page = 0;
    unsigned index = 0;
    *b = (struct plan_circular){.buffer = -1};
    int result = plan_known(at, object, names);
    result = result == TXL_CONTINUE ? new_name(at, object, b->name, false) : result;
    result = result == TXL_CONTINUE ? read_indices(at, plan, object, b) : result;
    result = result == TXL_CONTINUE
                 ? plan_tiles(&here, json_object_get(object, "tiles"), plan->chip, b->on)
                 : result;
    result = result == TXL_CONTINUE ? plan_format(at, object, "format", &b->format, &b->has_format)
                                    : result;
    result = result == TXL_CONTINUE ? plan_number(at, object, "pages", 1, 65535, &pages) : result;
    result =
        result == TXL_CONTINUE ? plan_number(at, object, "page", 16, MOST_PAGE, &page) : result;
    result =
        result == TXL_CONTINUE ? plan_text(at, object, "buffer", buffer, sizeof buffer) : result;
    if (result != TXL_CONTINUE) {
        return result;
    }
    if (pages == 0 || page == 0 || page % 16 != 0) {
        return plan_wrong(at, "wants pages, and page in bytes, a multiple of 16");
    }
    b->pages = (uint32_t)pages;
    b->page = (uint32_t)page;
    if (buffer[0] != '\0') {
        const struct chiprun_buffer *memory = plan_buffer_named(plan->chip, buffer, &index);
        if (memory == NULL || memory->dram || pages * page > memory->span) {
            return plan_wrong(at, "'%s' is no buffer in l1 with that many bytes in a tile", buffer);
        }
        b->buffer = (int)index;
        b->address = memory->address;
    }
    result = circular_apart(at, plan, b);
    plan->circulars += result == TXL_CONTINUE;
    return result;
}

/* ---- kernels ---- */

/* {"buffer": "a"}: its address; {"semaphore": "s"}, {"circular_buffer": "c"}: their numbers. */
static int read_name(const struct plan_at *at, const struct plan *plan, const char *key,
                     const char *name, struct plan_value *value)
{
    unsigned x;
    unsigned y;
    int end = 0;
    unsigned index = 0;
    if (strcmp(key, "buffer") == 0 && plan_buffer_named(plan->chip, name, &index) != NULL) {
        *value = (struct plan_value){.kind = PLAN_BUFFER, .number = index};
        return TXL_CONTINUE;
    }
    for (unsigned i = 0; i < plan->semaphores && strcmp(key, "semaphore") == 0; i++) {
        if (strcmp(plan->semaphore[i].name, name) == 0) {
            *value = (struct plan_value){.kind = PLAN_SEMAPHORE, .number = i};
            return TXL_CONTINUE;
        }
    }
    for (unsigned i = 0; i < plan->circulars && strcmp(key, "circular_buffer") == 0; i++) {
        if (strcmp(plan->circular[i].name, name) == 0) {
            *value =
                (struct plan_value){.kind = PLAN_CIRCULAR, .number = plan->circular[i].index[0]};
            return TXL_CONTINUE;
        }
    }
    if ((strcmp(key, "x") == 0 || strcmp(key, "y") == 0) && strlen(name) < 12 &&
        sscanf(name, "%3u,%3u%n", &x, &y, &end) == 2 && name[end] == '\0' &&
        x < plan->chip->columns && y < plan->chip->rows) {
        *value =
            (struct plan_value){.kind = key[0] == 'x' ? PLAN_X : PLAN_Y, .number = x, .row = y};
        return TXL_CONTINUE;
    }
    return plan_wrong(at, "there is no %.20s '%.60s'", key, name);
}

static int read_value(const struct plan_at *at, const struct plan *plan, const json_t *from,
                      struct plan_value *value)
{
    const char *key;
    json_t *name;
    if (json_is_integer(from)) {
        const json_int_t number = json_integer_value(from);
        if (number < INT32_MIN || number > UINT32_MAX) {
            return plan_wrong(at, "does not fit into 32 bits");
        }
        *value = (struct plan_value){.number = (uint32_t)number};
        return TXL_CONTINUE;
    }
    if (json_is_object(from) && json_object_size(from) == 1) {
        json_object_foreach((json_t *)from, key, name)
        {
            if (json_is_string(name)) {
                return read_name(at, plan, key, json_string_value(name), value);
            }
        }
    }
    return plan_wrong(at, "is neither a whole number nor an object with one of buffer, semaphore, "
                          "circular_buffer, x, y");
}

static int read_values(const struct plan_at *at, const struct plan *plan, const json_t *list,
                       unsigned most, struct plan_values *values)
{
    int result = TXL_CONTINUE;
    if (list == NULL) {
        return TXL_CONTINUE;
    }
    const size_t count = json_array_size(list);
    if (!json_is_array(list) || count > most) {
        return plan_wrong(at, "is no list of at most %u values", most);
    }
    values->list = zeroed(at->err, count + 1, sizeof *values->list);
    if (values->list == NULL) {
        return TXL_INPUT;
    }
    values->count = (unsigned)count;
    for (size_t i = 0; i < count && result == TXL_CONTINUE; i++) {
        const struct plan_at here = plan_element(at, i);
        result = read_value(&here, plan, json_array_get(list, i), &values->list[i]);
    }
    return result;
}

/* Arguments of single tiles: {"0,0": [...]}. */
static int read_own(const struct plan_at *at, const struct plan *plan, const json_t *object,
                    struct plan_kernel *k)
{
    const char *key;
    json_t *list;
    if (object != NULL && !json_is_object(object)) {
        return plan_wrong(at, "is no object of lists by tile");
    }
    json_object_foreach((json_t *)object, key, list)
    {
        const struct plan_at here = plan_member(at, key);
        unsigned x = 0;
        unsigned y = 0;
        int end = 0;
        if (strlen(key) > 8 || sscanf(key, "%3u,%3u%n", &x, &y, &end) != 2 || key[end] != '\0' ||
            x >= plan->chip->columns || y >= plan->chip->rows) {
            return plan_wrong(&here, "is no tile");
        }
        const unsigned tile = y * plan->chip->columns + x;
        if (!k->on[tile] || k->has_own[tile]) {
            return plan_wrong(&here, k->on[tile] ? "is there twice"
                                                 : "the kernel does not run on that tile");
        }
        k->has_own[tile] = true;
        const int result = read_values(&here, plan, list, TX_LAUNCH_WORDS, &k->own[tile]);
        if (result != TXL_CONTINUE) {
            return result;
        }
    }
    return TXL_CONTINUE;
}

static int read_defines(const struct plan_at *at, const json_t *object, struct plan_kernel *k)
{
    const char *key;
    json_t *value;
    if (object != NULL && !json_is_object(object)) {
        return plan_wrong(at, "is no object of names and values");
    }
    json_object_foreach((json_t *)object, key, value)
    {
        const struct plan_at here = plan_member(at, key);
        const char *text = json_string_value(value);
        bool good = text != NULL && !txl_has_controls(text) && strlen(text) < 1000 &&
                    strlen(key) < 100 && (isalpha((unsigned char)key[0]) || key[0] == '_');
        for (const char *p = key; *p != '\0'; p++) {
            good = good && (isalnum((unsigned char)*p) || *p == '_');
        }
        if (!good || k->defines == PLAN_DEFINES - 1) {
            return plan_wrong(&here, "is no name of a macro with a text, or there are too many");
        }
        const size_t room = strlen(key) + strlen(text) + 2;
        char *define = zeroed(at->err, room, 1);
        if (define == NULL) {
            return TXL_INPUT;
        }
        snprintf(define, room, "%s=%s", key, text);
        k->define[k->defines++] = define;
    }
    return TXL_CONTINUE;
}

static int read_processor(const struct plan_at *at, const char *text, struct plan_kernel *k)
{
    k->noc = 0;
    if (strcmp(text, "compute") == 0) {
        k->processor = PLAN_COMPUTE;
    } else if (strcmp(text, "data_movement_0") == 0 || strcmp(text, "data_movement_1") == 0) {
        k->processor = text[14] == '0' ? PLAN_DM0 : PLAN_DM1;
        k->core = text[14] == '0' ? TX_CORE_B : TX_CORE_NC;
        k->noc = text[14] == '0' ? 0 : 1;
    } else if (k->is_elf && tx_core_parse(text, &k->core) == TX_OK) {
        k->processor = PLAN_CORE;
    } else {
        return plan_wrong(at,
                          k->is_elf ? "'%s' is no core: b, t0, t1, t2, nc"
                                    : "'%s' is none of data_movement_0, data_movement_1, "
                                      "compute",
                          text);
    }
    if (k->is_elf && k->processor == PLAN_COMPUTE) {
        return plan_wrong(at, "an ELF file is for one core: t0, t1 or t2");
    }
    return TXL_CONTINUE;
}

static int read_flag(const struct plan_at *at, const json_t *object, const char *key, bool *flag)
{
    const json_t *value = json_object_get(object, key);
    const struct plan_at here = plan_member(at, key);
    if (value != NULL && !json_is_boolean(value)) {
        return plan_wrong(&here, "is neither true nor false");
    }
    *flag = value != NULL ? json_is_true(value) : *flag;
    return TXL_CONTINUE;
}

/* Options of compute kernels, in tt-metal's names. */
static int read_options(const struct plan_at *at, const json_t *object, struct plan_kernel *k)
{
    static const char *const names[] = {"math_fidelity",
                                        "math_approx_mode",
                                        "fp32_dest_acc_en",
                                        "dst_full_sync_en",
                                        "bfp8_pack_precise",
                                        "unpack_to_dest_fp32",
                                        NULL};
    static const char *const fidelities[] = {"LoFi", "", "HiFi2", "HiFi3", "HiFi4"};
    struct plan_options *o = &k->options;
    char fidelity[8] = "HiFi4";
    *o = (struct plan_options){.fidelity = 5};
    if (object != NULL && (!k->metal || k->processor != PLAN_COMPUTE)) {
        return plan_wrong(at, "is for compute kernels in tt-metal's headers");
    }
    int result = object != NULL ? plan_known(at, object, names) : TXL_CONTINUE;
    result = result == TXL_CONTINUE
                 ? plan_text(at, object, "math_fidelity", fidelity, sizeof fidelity)
                 : result;
    for (unsigned i = 0; i < 5; i++) {
        o->fidelity = strcmp(fidelity, fidelities[i]) == 0 ? i : o->fidelity;
    }
    if (result == TXL_CONTINUE && o->fidelity == 5) {
        return plan_wrong(at, "math_fidelity is none of LoFi, HiFi2, HiFi3, HiFi4");
    }
    result = result == TXL_CONTINUE ? read_flag(at, object, "math_approx_mode", &o->approximate)
                                    : result;
    result =
        result == TXL_CONTINUE ? read_flag(at, object, "fp32_dest_acc_en", &o->fp32_dest) : result;
    result =
        result == TXL_CONTINUE ? read_flag(at, object, "dst_full_sync_en", &o->full_sync) : result;
    result = result == TXL_CONTINUE ? read_flag(at, object, "bfp8_pack_precise", &o->precise_bfp8)
                                    : result;
    const json_t *list = json_object_get(object, "unpack_to_dest_fp32");
    for (size_t i = 0; i < json_array_size(list) && result == TXL_CONTINUE; i++) {
        const json_int_t n = json_integer_value(json_array_get(list, i));
        if (n < 0 || n >= TX_LAUNCH_CIRCULAR) {
            return plan_wrong(at, "unpack_to_dest_fp32 has no numbers of circular buffers");
        }
        o->unpack_to_dest |= UINT64_C(1) << n;
    }
    return result;
}

static int read_kernel_file(const struct plan_at *at, struct plan *plan, const json_t *object,
                            struct plan_kernel *k)
{
    char name[PLAN_PATH] = "";
    char headers[16] = "tensix";
    k->is_elf = json_object_get(object, "elf") != NULL;
    if (k->is_elf == (json_object_get(object, "source") != NULL)) {
        return plan_wrong(at, "wants either source or elf");
    }
    const char *key = k->is_elf ? "elf" : "source";
    const struct plan_at here = plan_member(at, key);
    int result = plan_text(at, object, key, name, sizeof name);
    result = result == TXL_CONTINUE ? plan_path(&here, plan, name, false, k->file) : result;
    result =
        result == TXL_CONTINUE ? plan_text(at, object, "headers", headers, sizeof headers) : result;
    k->metal = strcmp(headers, "metal") == 0;
    if (result == TXL_CONTINUE && !k->metal && strcmp(headers, "tensix") != 0) {
        return plan_wrong(at, "headers is neither 'tensix' nor 'metal'");
    }
    return result;
}

/* Two data movement kernels of a tile use different NoCs, because they share no initiators. */
static int kernels_apart(const struct plan_at *at, const struct plan *plan,
                         const struct plan_kernel *k)
{
    for (unsigned i = 0; i < plan->kernels; i++) {
        const struct plan_kernel *o = &plan->kernel[i];
        const bool move =
            k->processor <= PLAN_DM1 && o->processor <= PLAN_DM1 && !k->is_elf && !o->is_elf;
        for (unsigned t = 0; t < CHIPRUN_TILES; t++) {
            if (k->on[t] && o->on[t] && k->processor == o->processor &&
                (k->processor != PLAN_CORE || k->core == o->core)) {
                return plan_wrong(at, "tile %u,%u has two kernels for one processor",
                                  t % plan->chip->columns, t / plan->chip->columns);
            }
            if (k->on[t] && o->on[t] && move && k->noc == o->noc) {
                return plan_wrong(at, "both data movement kernels of tile %u,%u use NoC %u",
                                  t % plan->chip->columns, t / plan->chip->columns, k->noc);
            }
        }
    }
    return TXL_CONTINUE;
}

static int read_kernel(const struct plan_at *at, struct plan *plan, const json_t *object)
{
    static const char *const names[] = {
        "name",      "source",  "elf",          "processor",   "tiles",   "noc",     "args",
        "tile_args", "defines", "compile_args", "common_args", "headers", "options", NULL};
    if (plan->kernels == PLAN_KERNELS) {
        return plan_wrong(at, "there are more than %d kernels", PLAN_KERNELS);
    }
    struct plan_kernel *k = &plan->kernel[plan->kernels];
    char processor[24] = "";
    uint64_t noc;
    const struct plan_at tiles = plan_member(at, "tiles");
    const struct plan_at args = plan_member(at, "args");
    const struct plan_at own = plan_member(at, "tile_args");
    const struct plan_at defines = plan_member(at, "defines");
    const struct plan_at compile = plan_member(at, "compile_args");
    const struct plan_at common = plan_member(at, "common_args");
    const struct plan_at options = plan_member(at, "options");
    int result = plan_known(at, object, names);
    result = result == TXL_CONTINUE ? new_name(at, object, k->name, false) : result;
    result = result == TXL_CONTINUE ? read_kernel_file(at, plan, object, k) : result;
    result = result == TXL_CONTINUE
                 ? plan_text(at, object, "processor", processor, sizeof processor)
                 : result;
    result = result == TXL_CONTINUE ? read_processor(at, processor, k) : result;
    result = result == TXL_CONTINUE ? read_options(&options, json_object_get(object, "options"), k)
                                    : result;
    noc = k->noc;
    result = result == TXL_CONTINUE ? plan_number(at, object, "noc", 0, 1, &noc) : result;
    k->noc = (unsigned)noc;
    const struct {
        const struct plan_at *at;
        const char *key;
        unsigned most;
        struct plan_values *values;
    } lists[] = {{&args, "args", TX_LAUNCH_WORDS, &k->args},
                 {&compile, "compile_args", TX_LAUNCH_WORDS, &k->compile},
                 {&common, "common_args", TX_LAUNCH_COMMON, &k->common}};
    result = result == TXL_CONTINUE
                 ? plan_tiles(&tiles, json_object_get(object, "tiles"), plan->chip, k->on)
                 : result;
    for (unsigned i = 0; i < 3 && result == TXL_CONTINUE; i++) {
        result = read_values(lists[i].at, plan, json_object_get(object, lists[i].key),
                             lists[i].most, lists[i].values);
    }
    result = result == TXL_CONTINUE ? read_own(&own, plan, json_object_get(object, "tile_args"), k)
                                    : result;
    result = result == TXL_CONTINUE ? read_defines(&defines, json_object_get(object, "defines"), k)
                                    : result;
    result = result == TXL_CONTINUE ? kernels_apart(at, plan, k) : result;
    plan->kernels++; /* also a wrong one has something to be freed */
    return result;
}

/* ---- the whole ---- */

static int each(const struct plan_at *at, struct plan *plan, const json_t *root, const char *key,
                int (*read)(const struct plan_at *at, struct plan *plan, const json_t *object))
{
    const json_t *list = json_object_get(root, key);
    const struct plan_at here = plan_member(at, key);
    int result = TXL_CONTINUE;
    if (list != NULL && !json_is_array(list)) {
        return plan_wrong(&here, "is no list");
    }
    for (size_t i = 0; i < json_array_size(list) && result == TXL_CONTINUE; i++) {
        const struct plan_at one = plan_element(&here, i);
        result = read(&one, plan, json_array_get(list, i));
    }
    return result;
}

int plan_read(struct txl_error *err, struct plan *plan, const char *text, size_t size)
{
    struct txl_chip_wants unused = {.size = sizeof unused};
    const struct plan_at at = {.err = err, .file = plan->how.name};
    const struct plan_at chip = plan_member(&at, "chip");
    json_t *root = parse(err, plan->how.name, text, size);
    const size_t circulars = json_array_size(json_object_get(root, "circular_buffers"));
    plan->circular = zeroed(err, (circulars < 1024 ? circulars : 1024) + 1, sizeof *plan->circular);
    plan->kernel = zeroed(err, PLAN_KERNELS, sizeof *plan->kernel);
    int result = root == NULL || plan->circular == NULL || plan->kernel == NULL
                     ? TXL_INPUT
                     : check_head(&at, root);
    if (result == TXL_CONTINUE && circulars > 1024) {
        result = plan_wrong(&at, "more than 1024 circular buffers");
    }
    result =
        result == TXL_CONTINUE ? read_chip(&chip, json_object_get(root, "chip"), &unused) : result;
    result = result == TXL_CONTINUE ? each(&at, plan, root, "buffers", read_buffer) : result;
    result = result == TXL_CONTINUE ? each(&at, plan, root, "semaphores", read_semaphore) : result;
    result =
        result == TXL_CONTINUE ? each(&at, plan, root, "circular_buffers", read_circular) : result;
    result = result == TXL_CONTINUE ? each(&at, plan, root, "kernels", read_kernel) : result;
    /* Buffers alone are a program that only places them. */
    if (result == TXL_CONTINUE && plan->kernels == 0 &&
        plan->chip->buffer_count == plan->first_buffer) {
        result = plan_wrong(&at, "has no kernels");
    }
    json_decref(root);
    return result;
}

void plan_free(struct plan *plan)
{
    for (unsigned i = 0; i < plan->kernels; i++) {
        struct plan_kernel *k = &plan->kernel[i];
        for (unsigned d = 0; d < k->defines; d++) {
            free(k->define[d]);
        }
        free(k->compile.list);
        free(k->common.list);
        free(k->args.list);
        for (unsigned t = 0; t < CHIPRUN_TILES; t++) {
            free(k->own[t].list);
        }
    }
    free(plan->kernel);
    free(plan->circular);
}
