/* SPDX-License-Identifier: Apache-2.0 */
#include "cli.h"

#include "eval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "reference/ulp.h"

/* Files in the order of printing; width as machine.h states it. */
static const struct {
    enum tx_file file;
    const char *name, *unit;
    unsigned width;
    unsigned each; /* entries of one thread, where threads have their own */
} files[] = {
    {TX_FILE_LREG, "L", "lane", TX_LANES, 0},
    {TX_FILE_LANE_FLAGS, "LaneFlags", NULL, 1, 0},
    {TX_FILE_USE_LANE_FLAGS, "UseLaneFlags", NULL, 1, 0},
    {TX_FILE_FLAG_STACK, "flag stack", "part", 2, 0},
    {TX_FILE_STACK_DEPTH, "stack depth", "lane", TX_LANES, 0},
    {TX_FILE_PRNG, "PRNG", "lane", TX_LANES, 0},
    {TX_FILE_LANE_CONFIG, "LaneConfig", "column", TX_COLUMNS, 0},
    {TX_FILE_MACRO_TEMPLATE, "macro template", "lane", TX_LANES, 0},
    {TX_FILE_MACRO_SEQUENCE, "macro sequence", "lane", TX_LANES, 0},
    {TX_FILE_MACRO_MISC, "macro misc", "lane", TX_LANES, 0},
    {TX_FILE_DST, "Dst row", "column", TX_DST_WIDTH, 0},
    {TX_FILE_DST_VALID, "Dst valid", NULL, 1, 0},
    {TX_FILE_RWC, "RWC of thread", "counter", TX_RWC_COUNT, 0},
    {TX_FILE_GPR, "GPR", NULL, 1, TX_GPRS},
    {TX_FILE_SHIFT_LATCH, "shift latch", "lane", TX_LANES, 0},
    {TX_FILE_REPLAY, "replay slot", NULL, 1, 32},
    {TX_FILE_SEMAPHORE, "semaphore", "part", 2, 0},
    {TX_FILE_MUTEX, "mutex", NULL, 1, 0},
    {TX_FILE_MOP_MASK, "MOP mask of thread", NULL, 1, 0},
    {TX_FILE_SRC_BANK, "Src bank", "part", 4, 0},
    {TX_FILE_SRC, "Src row", "column", 16, 0},
    {TX_FILE_SRC_FORMAT, "implied format of Src", "bank", 2, 0},
    {TX_FILE_ADC, "address counters of set", "counter", TX_ADC_VALUES, 0},
};

enum { FILES = sizeof files / sizeof files[0] };

bool eval_state_read(struct eval_state *state, const tx_machine *m, unsigned thread)
{
    memset(state, 0, sizeof *state);
    for (unsigned f = 0; f < FILES; f++) {
        enum tx_file file = files[f].file;
        unsigned width = files[f].width;
        state->values[file] = calloc(EVAL_MOST, sizeof(uint32_t));
        if (state->values[file] == NULL) {
            return false;
        }
        unsigned index = 0;
        while ((index + 1) * width <= EVAL_MOST &&
               tx_read(m, file, index, state->values[file] + index * width, width) == TX_OK) {
            index++;
        }
        state->count[file] = index;
    }
    const struct tx_config_field *field;
    while (state->config_count < EVAL_CONFIG &&
           (field = tx_config_field_at(tx_machine_arch(m), state->config_count)) != NULL) {
        (void)tx_config_get(m, thread, field->name, &state->config[state->config_count++]);
    }
    return true;
}

void eval_state_free(struct eval_state *state)
{
    for (unsigned f = 0; f < TX_FILE_COUNT; f++) {
        free(state->values[f]);
        state->values[f] = NULL;
    }
}

static const char *fp32_text(uint32_t word, char *text, size_t size)
{
    return number_text(TX_DST_FP32, word, text, size);
}

/* FP32, two's complement, sign and magnitude, BF16 pair. */
static void print_readings(uint32_t word)
{
    char number[48];
    char high[48];
    char low[48];
    printf("%08x  fp32 %-14s int %-11d sm %c%-10u bf16 %s, %s", word,
           fp32_text(word, number, sizeof number), (int32_t)word, (word >> 31) != 0 ? '-' : '+',
           word & 0x7fffffffU, fp32_text(word & 0xffff0000U, high, sizeof high),
           fp32_text(word << 16, low, sizeof low));
}

static void print_lreg(unsigned index, const uint32_t *before, const uint32_t *after, int lanes)
{
    unsigned lane = 0;
    while (lane < TX_LANES) {
        unsigned end = lane + 1;
        bool changed = before[lane] != after[lane];
        while (lanes == EVAL_CHANGED && end < TX_LANES && after[end] == after[lane] &&
               before[end] == before[lane]) {
            end++;
        }
        bool wanted = lanes == EVAL_ALL || (lanes == EVAL_CHANGED ? changed : (int)lane == lanes);
        if (wanted) {
            char range[24];
            if (end - lane == TX_LANES) {
                snprintf(range, sizeof range, "all lanes");
            } else if (end - lane > 1) {
                snprintf(range, sizeof range, "lanes %u-%u", lane, end - 1);
            } else {
                snprintf(range, sizeof range, "lane %u", lane);
            }
            printf("L%-2u %-11s ", index, range);
            print_readings(after[lane]);
            printf(changed ? "  (was %08x)\n" : "  (unchanged)\n", before[lane]);
        }
        lane = end;
    }
}

static void print_title(unsigned f, unsigned index, unsigned count)
{
    char title[40];
    if (files[f].each != 0) {
        snprintf(title, sizeof title, "%s %u of T%u", files[f].name, index % files[f].each,
                 index / files[f].each);
    } else if (count > 1) {
        snprintf(title, sizeof title, "%s %u", files[f].name, index);
    } else {
        snprintf(title, sizeof title, "%s", files[f].name);
    }
    printf("%-15s ", title);
}

static void print_dst_row(const uint32_t *before, const uint32_t *after)
{
    for (unsigned i = 0; i < TX_DST_WIDTH; i++) {
        printf("%s%04x%s", i == 0 ? "" : " ", after[i], before[i] != after[i] ? "*" : "");
    }
    putchar('\n');
}

static void print_entry(unsigned f, unsigned index, unsigned count, const uint32_t *before,
                        const uint32_t *after)
{
    unsigned width = files[f].width;
    print_title(f, index, count);
    if (files[f].file == TX_FILE_DST) {
        print_dst_row(before, after);
        return;
    }
    bool uniform = true;
    for (unsigned i = 1; i < width; i++) {
        uniform = uniform && before[i] == before[0] && after[i] == after[0];
    }
    if (uniform) {
        printf("%08x -> %08x%s\n", before[0], after[0], width > 1 ? " everywhere" : "");
        return;
    }
    const char *gap = "";
    for (unsigned i = 0; i < width; i++) {
        if (before[i] != after[i]) {
            printf("%s%s %u: %08x -> %08x", gap, files[f].unit, i, before[i], after[i]);
            gap = ", ";
        }
    }
    putchar('\n');
}

void eval_print(const struct eval_state *before, const struct eval_state *after, enum tx_arch arch,
                unsigned thread, int lanes)
{
    bool any = false;
    for (unsigned f = 0; f < FILES; f++) {
        enum tx_file file = files[f].file;
        unsigned width = files[f].width;
        for (unsigned i = 0; i < after->count[file]; i++) {
            const uint32_t *b = before->values[file] + i * width;
            const uint32_t *a = after->values[file] + i * width;
            if (memcmp(a, b, width * sizeof *a) == 0) {
                continue;
            }
            any = true;
            if (file == TX_FILE_LREG) {
                print_lreg(i, b, a, lanes);
            } else {
                print_entry(f, i, after->count[file], b, a);
            }
        }
    }
    for (size_t i = 0; i < after->config_count; i++) {
        if (before->config[i] != after->config[i]) {
            any = true;
            printf("%s %u -> %u (thread %u)\n", tx_config_field_at(arch, i)->name,
                   before->config[i], after->config[i], thread);
        }
    }
    if (!any) {
        printf("nothing changed\n");
    }
}

static json_t *readings_json(uint32_t word)
{
    char text[48];
    json_t *object = json_object();
    jx_set_hex(object, "hex", word);
    jx_set_text(object, "fp32", fp32_text(word, text, sizeof text));
    json_object_set_new(object, "int", json_integer((int32_t)word));
    json_int_t magnitude = word & 0x7fffffffU;
    json_object_set_new(object, "sign", json_string((word >> 31) != 0 ? "-" : "+"));
    json_object_set_new(object, "magnitude", json_integer(magnitude));
    json_t *pair = json_array();
    json_array_append_new(pair, jx_text(fp32_text(word & 0xffff0000U, text, sizeof text)));
    json_array_append_new(pair, jx_text(fp32_text(word << 16, text, sizeof text)));
    json_object_set_new(object, "bf16", pair);
    return object;
}

static json_t *entry_json(unsigned f, unsigned index, const uint32_t *before, const uint32_t *after)
{
    unsigned width = files[f].width;
    unsigned digits = files[f].file == TX_FILE_DST ? 4 : 8;
    json_t *object = json_object();
    jx_set_text(object, "file", files[f].file == TX_FILE_LREG ? "LReg" : files[f].name);
    jx_set_int(object, "index", files[f].each != 0 ? index % files[f].each : index);
    if (files[f].each != 0) {
        jx_set_int(object, "thread", index / files[f].each);
    }
    json_object_set_new(object, "before", jx_hex_array(before, width, digits));
    json_object_set_new(object, "after", jx_hex_array(after, width, digits));
    if (files[f].file == TX_FILE_LREG) {
        json_t *lanes = json_array();
        for (unsigned lane = 0; lane < TX_LANES; lane++) {
            json_array_append_new(lanes, readings_json(after[lane]));
        }
        json_object_set_new(object, "lanes", lanes);
    }
    return object;
}

json_t *eval_json(const struct eval_state *before, const struct eval_state *after,
                  enum tx_arch arch, unsigned thread)
{
    json_t *list = json_array();
    for (unsigned f = 0; f < FILES; f++) {
        enum tx_file file = files[f].file;
        unsigned width = files[f].width;
        for (unsigned i = 0; i < after->count[file]; i++) {
            const uint32_t *b = before->values[file] + i * width;
            const uint32_t *a = after->values[file] + i * width;
            if (memcmp(a, b, width * sizeof *a) != 0) {
                json_array_append_new(list, entry_json(f, i, b, a));
            }
        }
    }
    for (size_t i = 0; i < after->config_count; i++) {
        if (before->config[i] != after->config[i]) {
            json_t *object = json_object();
            jx_set_text(object, "file", "config");
            jx_set_text(object, "name", tx_config_field_at(arch, i)->name);
            jx_set_int(object, "thread", thread);
            jx_set_int(object, "before", before->config[i]);
            jx_set_int(object, "after", after->config[i]);
            json_array_append_new(list, object);
        }
    }
    return list;
}
