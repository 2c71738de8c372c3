/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compiles the kernels of a program, and writes what they find in L1 of their tiles:
 * tensix/kernel/launch.h.
 */
#include <tensix/facts.h>

#include "chiprun/plan.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/abandon.h"
#include "base/options.h"
#include "chiprun/metal.h"

#include <tensix-lab/kernel.h>

#define DESCRIPTORS "chlkc_descriptors.h" /* what tt-metal's headers include */

/* ---- compiling ---- */

/* Also called by signal handlers, see base/abandon.h. */
static void remove_files(void *what)
{
    const txl_chip *c = what;
    char path[300];
    for (unsigned i = 0; i < c->files; i++) {
        char digits[12] = "";
        unsigned n = 11;
        unsigned left = i;
        do {
            digits[--n] = (char)('0' + left % 10);
            left /= 10;
        } while (left != 0);
        size_t length = strlen(c->folder);
        memcpy(path, c->folder, length);
        path[length++] = '/';
        memcpy(path + length, digits + n, strlen(digits + n));
        length += strlen(digits + n);
        memcpy(path + length, ".elf", 5);
        unlink(path);
    }
    const size_t length = strlen(c->folder);
    memcpy(path, c->folder, length);
    memcpy(path + length, "/" DESCRIPTORS, sizeof "/" DESCRIPTORS);
    unlink(path);
    rmdir(c->folder);
}

void chiprun_clean(txl_chip *c)
{
    if (c->folder[0] != '\0') {
        abandon_remove(remove_files, c);
        remove_files(c);
        c->folder[0] = '\0';
    }
}

static int open_folder(struct txl_error *err, struct plan *plan)
{
    txl_chip *c = plan->chip;
    const char *scratch = plan->how.scratch != NULL ? plan->how.scratch : "/tmp";
    if (c->folder[0] != '\0') {
        return TXL_CONTINUE;
    }
    char *whole = realpath(scratch, NULL);
    if (whole == NULL || strlen(whole) > 200) {
        const int error = whole == NULL ? errno : ENAMETOOLONG;
        free(whole);
        return txl_fail(err, "%s: %s", scratch, strerror(error));
    }
    snprintf(c->folder, sizeof c->folder, "%.200s/tensix-chip-XXXXXX", whole);
    free(whole);
    if (mkdtemp(c->folder) == NULL) {
        c->folder[0] = '\0';
        return txl_fail(err, "no folder for compiled kernels: %s", strerror(errno));
    }
    (void)abandon_add(remove_files, c);
    return TXL_CONTINUE;
}

static uint32_t value_of(const struct plan *plan, const struct plan_value *v)
{
    const txl_chip *c = plan->chip;
    const struct chiprun_tile *t =
        v->kind >= PLAN_X ? &c->tile[v->row * c->columns + v->number] : NULL;
    switch (v->kind) {
    case PLAN_BUFFER:
        return c->buffers[v->number].address;
    case PLAN_X:
        return t->x;
    case PLAN_Y:
        return t->y;
    case PLAN_NUMBER:
    case PLAN_SEMAPHORE:
    case PLAN_CIRCULAR:
        break;
    }
    return v->number;
}

/* "KERNEL_COMPILE_TIME_ARGS=1,2,3"; NULL without memory. */
static char *compile_args(const struct plan *plan, const struct plan_kernel *k)
{
    struct memory_text text;
    struct txl_error err = {.status = TXL_OK};
    if (memory_text_open(&err, &text) != TXL_CONTINUE) {
        return NULL;
    }
    fprintf(text.stream, "KERNEL_COMPILE_TIME_ARGS=");
    for (unsigned i = 0; i < k->compile.count; i++) {
        fprintf(text.stream, "%s%u", i != 0 ? "," : "",
                (unsigned)value_of(plan, &k->compile.list[i]));
    }
    return memory_text_take(&text);
}

/* Compiles a kernel for one core; thread is that of txl_cc. */
static int compile_for(struct txl_error *err, struct plan *plan, const struct plan_kernel *k,
                       unsigned thread, char elf[PLAN_PATH])
{
    txl_chip *c = plan->chip;
    const char *flags[2 * PLAN_DEFINES + 20];
    unsigned count = 0;
    char *args = k->compile.count != 0 ? compile_args(plan, k) : NULL;
    snprintf(elf, PLAN_PATH, "%s/%u.elf", c->folder, c->files);
    char header[300];
    c->files++;
    snprintf(header, sizeof header, "%s/" DESCRIPTORS, c->folder);
    for (unsigned i = 0; i < k->defines; i++) {
        flags[count++] = "-D";
        flags[count++] = k->define[i];
    }
    if (args != NULL) {
        flags[count++] = "-D";
        flags[count++] = args;
    }
    struct txl_cc_options how = {.size = sizeof how,
                                 .arch = c->arch,
                                 .thread = thread,
                                 .source = k->file,
                                 .out = elf,
                                 .include = plan->how.include,
                                 .scratch = plan->how.scratch,
                                 .flags = flags,
                                 .flag_count = count,
                                 .environment = plan->how.environment,
                                 .say = plan->how.say,
                                 .user = plan->how.user,
                                 .placed = true};
    const int result =
        k->metal ? metal_compile(err, plan, k, &how, header, flags) : txl_cc(err, &how);
    free(args);
    return result == TXL_OK ? TXL_CONTINUE : result;
}

static bool alike(const struct plan_kernel *a, const struct plan_kernel *b)
{
    bool same = strcmp(a->file, b->file) == 0 && a->metal == b->metal &&
                a->processor == b->processor && a->noc == b->noc && a->defines == b->defines &&
                a->compile.count == b->compile.count;
    for (unsigned i = 0; i < a->defines && same; i++) {
        same = strcmp(a->define[i], b->define[i]) == 0;
    }
    for (unsigned i = 0; i < a->compile.count && same; i++) {
        same = memcmp(&a->compile.list[i], &b->compile.list[i], sizeof a->compile.list[i]) == 0;
    }
    return same;
}

static int compile_kernel(struct txl_error *err, struct plan *plan, struct plan_kernel *k)
{
    if (k->is_elf) {
        snprintf(k->elf[0], sizeof k->elf[0], "%s", k->file);
        return TXL_CONTINUE;
    }
    for (const struct plan_kernel *o = plan->kernel; o < k; o++) {
        if (!o->is_elf && alike(o, k) && (!k->metal || k->processor != PLAN_COMPUTE)) {
            memcpy(k->elf, o->elf, sizeof k->elf);
            return TXL_CONTINUE;
        }
    }
    int result = open_folder(err, plan);
    const bool compute = k->processor == PLAN_COMPUTE;
    for (unsigned i = 0; i < (compute ? 3 : 1) && result == TXL_CONTINUE; i++) {
        result = compile_for(err, plan, k,
                             compute                    ? i
                             : k->processor == PLAN_DM0 ? 3
                                                        : 4,
                             k->elf[i]);
    }
    return result;
}

int plan_compile(struct txl_error *err, struct plan *plan)
{
    int result = TXL_CONTINUE;
    for (unsigned i = 0; i < plan->kernels && result == TXL_CONTINUE; i++) {
        result = compile_kernel(err, plan, &plan->kernel[i]);
    }
    return result;
}

/* ---- placing ---- */

/* Gives circular buffers their addresses: above all that their tiles have so far. */
static int place_circulars(struct txl_error *err, struct plan *plan)
{
    txl_chip *c = plan->chip;
    uint32_t next[CHIPRUN_TILES];
    for (unsigned t = 0; t < CHIPRUN_TILES; t++) {
        next[t] = TX_LAUNCH_FREE;
    }
    c->l1_low = TX_LAUNCH_FREE;
    for (unsigned i = 0; i < plan->circulars; i++) {
        struct plan_circular *b = &plan->circular[i];
        const uint64_t bytes = ((uint64_t)b->pages * b->page + 63) / 64 * 64;
        uint32_t address = TX_LAUNCH_FREE;
        for (unsigned t = 0; t < CHIPRUN_TILES && b->buffer < 0; t++) {
            address = b->on[t] && next[t] > address ? next[t] : address;
        }
        if (b->buffer >= 0) {
            continue;
        }
        if (bytes > c->l1_end - address) {
            return txl_fail(err, "circular buffer %u: %llu bytes, and %u are left in L1",
                            b->index[0], (unsigned long long)bytes,
                            (unsigned)(c->l1_end - address));
        }
        b->address = address;
        for (unsigned t = 0; t < CHIPRUN_TILES; t++) {
            next[t] = b->on[t] ? address + (uint32_t)bytes : next[t];
            c->l1_low = next[t] > c->l1_low ? next[t] : c->l1_low;
        }
    }
    return TXL_CONTINUE;
}

static int put_words(struct txl_error *err, txl_chip *c, const struct chiprun_tile *t,
                     uint32_t address, const void *words, size_t size)
{
    const int result = txl_chip_write(err, c, t->column, t->row, address, words, size);
    return result == TXL_OK ? TXL_CONTINUE : result;
}

static void fill_grid(const txl_chip *c, struct tx_launch *l)
{
    l->bytes = sizeof *l;
    l->columns = c->columns;
    l->rows = c->rows;
    l->dram_banks = plan_banks(c, l->dram_xy, l->dram_offset, NULL);
    l->l1_banks = c->columns * c->rows;
    for (unsigned i = 0; i < c->columns * c->rows && i < TX_LAUNCH_L1; i++) {
        l->l1_xy[i] = (uint16_t)(c->tile[i].x | c->tile[i].y << 6);
    }
    for (unsigned i = 0; i < c->columns && i < TX_LAUNCH_SIDE; i++) {
        l->column_x[i] = (uint8_t)c->tile[i].x;
    }
    for (unsigned i = 0; i < c->rows && i < TX_LAUNCH_SIDE; i++) {
        l->row_y[i] = (uint8_t)c->tile[i * c->columns].y;
    }
    for (unsigned i = 0; i < TX_LAUNCH_CORES; i++) {
        l->arguments[i] = TX_LAUNCH_ARGUMENTS + i * 4 * (TX_LAUNCH_WORDS + TX_LAUNCH_COMMON);
        l->common[i] = l->arguments[i] + 4 * TX_LAUNCH_WORDS;
    }
}

static int fill_circulars(struct txl_error *err, const struct plan *plan, unsigned tile,
                          struct tx_launch *l)
{
    txl_chip *c = plan->chip;
    const uint32_t zero = 0;
    int result = TXL_CONTINUE;
    for (unsigned i = 0; i < plan->circulars; i++) {
        const struct plan_circular *b = &plan->circular[i];
        for (unsigned k = 0; k < b->indices && b->on[tile] && result == TXL_CONTINUE; k++) {
            const uint32_t stream = circular_counters(c->arch, b->index[k]);
            l->circular[b->index[k]] =
                (struct tx_launch_circular){b->address, b->pages * b->page, b->pages, b->page};
            l->circular_mask[b->index[k] / 32] |= UINT32_C(1) << b->index[k] % 32;
            result = put_words(err, c, &c->tile[tile],
                               stream + tx_arch_fact(c->arch, TX_FACT_STREAM_DEST_SIZE), &zero, 4);
            result =
                result == TXL_CONTINUE
                    ? put_words(err, c, &c->tile[tile],
                                stream + tx_arch_fact(c->arch, TX_FACT_STREAM_DEST_START), &zero, 4)
                    : result;
        }
    }
    return result;
}

static int put_values(struct txl_error *err, const struct plan *plan, unsigned tile,
                      uint32_t address, const struct plan_values *values)
{
    uint32_t words[TX_LAUNCH_WORDS];
    for (unsigned i = 0; i < values->count; i++) {
        words[i] = value_of(plan, &values->list[i]);
    }
    return values->count == 0 ? TXL_CONTINUE
                              : put_words(err, plan->chip, &plan->chip->tile[tile], address, words,
                                          4 * (size_t)values->count);
}

static int place_kernel(struct txl_error *err, const struct plan *plan, unsigned tile,
                        const struct plan_kernel *k, struct tx_launch *l)
{
    txl_chip *c = plan->chip;
    struct chiprun_tile *t = &c->tile[tile];
    const bool compute = k->processor == PLAN_COMPUTE;
    int result = TXL_CONTINUE;
    for (unsigned i = 0; i < (compute ? 3 : 1) && result == TXL_CONTINUE; i++) {
        const enum tx_core core = compute ? (enum tx_core)(TX_CORE_T0 + i) : k->core;
        const int placed = txl_chip_elf(err, c, t->column, t->row, core, k->elf[i]);
        result = placed == TXL_OK ? TXL_CONTINUE : placed;
        l->noc[core] = k->noc;
        l->cores |= 1u << core;
        result = result == TXL_CONTINUE ? put_values(err, plan, tile, l->common[core], &k->common)
                                        : result;
        result = result == TXL_CONTINUE ? put_values(err, plan, tile, l->arguments[core],
                                                     k->has_own[tile] ? &k->own[tile] : &k->args)
                                        : result;
    }
    return result;
}

static int place_tile(struct txl_error *err, const struct plan *plan, unsigned tile)
{
    txl_chip *c = plan->chip;
    const struct chiprun_tile *t = &c->tile[tile];
    struct tx_launch l = {.bytes = 0};
    fill_grid(c, &l);
    l.column = t->column;
    l.row = t->row;
    int result = fill_circulars(err, plan, tile, &l);
    for (unsigned i = 0; i < plan->kernels && result == TXL_CONTINUE; i++) {
        result =
            plan->kernel[i].on[tile] ? place_kernel(err, plan, tile, &plan->kernel[i], &l) : result;
    }
    for (unsigned i = 0; i < plan->semaphores && result == TXL_CONTINUE; i++) {
        const struct plan_semaphore *s = &plan->semaphore[i];
        const uint32_t words[TX_LAUNCH_APART / 4] = {s->value};
        result = s->on[tile] ? put_words(err, c, t, TX_LAUNCH_SEMAPHORES + TX_LAUNCH_APART * i,
                                         words, sizeof words)
                             : result;
    }
    return result == TXL_CONTINUE ? put_words(err, c, t, TX_LAUNCH, &l, sizeof l) : result;
}

int plan_place(struct txl_error *err, struct plan *plan)
{
    const txl_chip *c = plan->chip;
    int result = place_circulars(err, plan);
    for (unsigned tile = 0; tile < c->columns * c->rows && result == TXL_CONTINUE; tile++) {
        bool used = false;
        for (unsigned i = 0; i < plan->kernels; i++) {
            used = used || plan->kernel[i].on[tile];
        }
        for (unsigned i = 0; i < plan->semaphores; i++) {
            used = used || plan->semaphore[i].on[tile];
        }
        result = used ? place_tile(err, plan, tile) : result;
    }
    return result;
}

/* ---- the whole ---- */

static void forget_programs(txl_chip *c)
{
    for (unsigned i = 0; i < c->columns * c->rows; i++) {
        memset(c->tile[i].on, 0, sizeof c->tile[i].on);
    }
}

int txl_chip_program(struct txl_error *err, txl_chip *c, const char *text, size_t size,
                     const struct txl_chip_program_options *options)
{
    struct plan plan = {.chip = c, .first_buffer = c->buffer_count};
    const uint64_t dram_next = c->dram_next;
    const uint32_t l1_end = c->l1_end;
    c->buffers = c->buffers != NULL ? c->buffers : zeroed(err, PLAN_BUFFERS, sizeof *c->buffers);
    int result =
        c->buffers != NULL ? options_take(err, &plan.how, sizeof plan.how, options) : TXL_INPUT;
    result = result == TXL_CONTINUE ? plan_read(err, &plan, text, size) : result;
    result = result == TXL_CONTINUE ? plan_compile(err, &plan) : result;
    for (unsigned i = plan.first_buffer; i < c->buffer_count && result == TXL_CONTINUE; i++) {
        result = c->buffers[i].file[0] != '\0'
                     ? plan_file_load(err, c, &c->buffers[i], plan.how.scratch)
                     : result;
    }
    result = result == TXL_CONTINUE ? plan_place(err, &plan) : result;
    result = result == TXL_CONTINUE ? chiprun_race_plan(err, &plan) : result;
    for (unsigned i = 0; i < TX_LAUNCH_SEMAPHORE_COUNT; i++) {
        const char *name = i < plan.semaphores ? plan.semaphore[i].name : "";
        snprintf(c->semaphores[i], sizeof c->semaphores[i], "%s", name);
    }
    plan_free(&plan);
    c->saved_from = plan.first_buffer;
    if (result != TXL_CONTINUE) {
        c->buffer_count = plan.first_buffer;
        c->dram_next = dram_next;
        c->l1_end = l1_end;
        forget_programs(c);
        return result;
    }
    return TXL_OK;
}

int txl_chip_save(struct txl_error *err, txl_chip *c)
{
    int result = TXL_CONTINUE;
    for (unsigned i = c->saved_from; i < c->buffer_count && result == TXL_CONTINUE; i++) {
        result =
            c->buffers[i].save[0] != '\0' ? plan_file_save(err, c, &c->buffers[i], NULL) : result;
    }
    return result == TXL_CONTINUE ? TXL_OK : result;
}
