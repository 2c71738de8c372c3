/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a program's file. Every member is known, and every name that is used is defined before. */
#include <tensix/facts.h>

#include "chiprun/plan.h"

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

int plan_name(const struct plan_at *at, const json_t *object, char name[PLAN_NAME], bool needed)
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
    result = result == TXL_CONTINUE ? plan_name(at, object, b->name, true) : result;
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
    result = result == TXL_CONTINUE ? plan_name(at, object, s->name, true) : result;
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
    const unsigned most = tx_arch_fact(plan->chip->arch, TX_FACT_CIRCULAR_BUFFERS);
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
    result = result == TXL_CONTINUE ? plan_name(at, object, b->name, false) : result;
    result = result == TXL_CONTINUE ? read_indices(at, plan, object, b) : result;
    result = result == TXL_CONTINUE
                 ? plan_tiles(&here, json_object_get(object, "tiles"), plan->chip, b->on)
                 : result;
    result = result == TXL_CONTINUE ? plan_format(at, object, "format", &b->format, &b->has_format)
                                    : result;
    result = result == TXL_CONTINUE ? plan_number(at, object, "pages", 1, 65535, &pages) : result;
    result = result == TXL_CONTINUE ? plan_number(at, object, "page", 4, MOST_PAGE, &page) : result;
    result =
        result == TXL_CONTINUE ? plan_text(at, object, "buffer", buffer, sizeof buffer) : result;
    if (result != TXL_CONTINUE) {
        return result;
    }
    if (pages == 0 || page == 0 || page % 4 != 0) {
        return plan_wrong(at, "wants pages, and page in bytes, a multiple of 4");
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
    result = result == TXL_CONTINUE ? each(&at, plan, root, "kernels", plan_kernel) : result;
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
