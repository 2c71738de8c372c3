/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the kernels of a program's file, with their arguments. */
#include "chiprun/plan.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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

int plan_kernel(const struct plan_at *at, struct plan *plan, const json_t *object)
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
    result = result == TXL_CONTINUE ? plan_name(at, object, k->name, false) : result;
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
