/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parses --l1 and --l1-out, loads files into L1 before a program runs, and saves them afterwards.
 */
#include "base/json.h"
#include "run/l1.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/l1_data.h"

int l1_option(struct l1_job *job, const char *text, bool output)
{
    unsigned *count = output ? &job->out_count : &job->in_count;
    if (*count == L1_FILES) {
        return txl_fail_option(job->err, NULL, output ? "l1_out" : "l1_in", "more than %d files",
                               L1_FILES);
    }
    (output ? job->out : job->in)[(*count)++].text = text;
    return 0;
}

/* ---- options ---- */

static const char *option_of(bool output)
{
    return output ? "l1_out" : "l1_in";
}

static int wrong(const struct l1_job *job, const struct l1_file *file, bool output,
                 const char *what)
{
    return txl_fail_option(job->err, NULL, option_of(output), "%s: %s", file->text, what);
}

/* Parses an address such as "0x10000" and returns what follows; NULL where there is none. */
static const char *take_address(const char *text, uint32_t *address)
{
    char *end = NULL;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 0);
    if (text[0] < '0' || text[0] > '9' || errno != 0 || value > UINT32_MAX) {
        return NULL;
    }
    *address = (uint32_t)value;
    return end;
}

/* Cuts the suffixes ":rows" and ":sm" off a text and notes them. */
static void take_endings(struct l1_file *file, char *text)
{
    for (char *colon = strrchr(text, ':'); colon != NULL; colon = strrchr(text, ':')) {
        if (strcmp(colon, ":rows") == 0) {
            file->rows = true;
        } else if (strcmp(colon, ":sm") == 0) {
            file->magnitude = true;
        } else {
            return;
        }
        *colon = '\0';
    }
}

static int place_ok(const struct l1_job *job, const struct l1_file *file, bool output)
{
    const uint32_t end = tx_l1_size(job->arch);
    if (file->address % 16 != 0) {
        return wrong(job, file, output, "the address is not a multiple of 16 bytes");
    }
    if (file->address >= end || file->size > end - file->address) {
        return txl_fail_option(job->err, NULL, option_of(output),
                               "%s: %u bytes from %#x on reach beyond L1, which ends at %#x",
                               file->text, (unsigned)file->size, (unsigned)file->address,
                               (unsigned)end);
    }
    return TXL_CONTINUE;
}

static int settle_in(struct l1_job *job, struct l1_file *file)
{
    const char *rest = take_address(file->text, &file->address);
    if (rest == NULL || rest[0] != '=' || rest[1] == '\0') {
        return wrong(job, file, false, "is not ADDRESS=FILE");
    }
    file->name = strdup(rest + 1);
    if (file->name == NULL) {
        return txl_fail(job->err, "out of memory");
    }
    take_endings(file, file->name);
    const int result = l1_read_file(job, file);
    return result == TXL_CONTINUE ? place_ok(job, file, false) : result;
}

/* Parses format and shape of an output: "bf16:64x64" of "0x20000:bf16:64x64=y.npy". */
static int take_output(struct l1_job *job, struct l1_file *file, char *text)
{
    take_endings(file, text);
    char *shape = strchr(text, ':');
    if (shape == NULL) {
        return wrong(job, file, true, "is not ADDRESS:FORMAT:SHAPE=FILE");
    }
    *shape++ = '\0';
    file->has_format = true;
    int result = txl_parse_format(job->err, "a file out of L1", text, &file->format);
    if (result == 0) {
        result = txl_parse_shape(job->err, "a file out of L1", shape, file->info.shape,
                                 &file->info.dimensions);
    }
    return result != 0 ? result : l1_output_size(job->err, job->arch, file);
}

static int settle_out(struct l1_job *job, struct l1_file *file)
{
    const char *rest = take_address(file->text, &file->address);
    const char *equals = rest == NULL ? NULL : strchr(rest, '=');
    if (rest == NULL || rest[0] != ':' || equals == NULL || equals[1] == '\0') {
        return wrong(job, file, true, "is not ADDRESS:FORMAT:SHAPE=FILE");
    }
    file->name = strdup(equals + 1);
    char *middle = strndup(rest + 1, (size_t)(equals - rest - 1));
    int result = file->name == NULL || middle == NULL ? txl_fail(job->err, "out of memory")
                                                      : take_output(job, file, middle);
    free(middle);
    return result == TXL_CONTINUE ? place_ok(job, file, true) : result;
}

static int apart(const struct l1_job *job, const struct l1_file *files, unsigned count, bool output)
{
    for (unsigned i = 0; i < count; i++) {
        for (unsigned k = 0; k < i; k++) {
            const struct l1_file *a = &files[k];
            const struct l1_file *b = &files[i];
            const bool before = (uint64_t)a->address + a->size <= b->address;
            const bool behind = (uint64_t)b->address + b->size <= a->address;
            if (!before && !behind) {
                return txl_fail_option(job->err, NULL, output ? "l1_out" : "l1_in",
                                       "%s and %s overlap in L1", a->text, b->text);
            }
            if (output && strcmp(a->name, b->name) == 0) {
                return txl_fail_option(job->err, NULL, "l1_out", "%s is written twice", a->name);
            }
        }
    }
    return TXL_CONTINUE;
}

int l1_settle(struct l1_job *job)
{
    int result = TXL_CONTINUE;
    for (unsigned i = 0; i < job->in_count && result == TXL_CONTINUE; i++) {
        result = settle_in(job, &job->in[i]);
    }
    for (unsigned i = 0; i < job->out_count && result == TXL_CONTINUE; i++) {
        result = settle_out(job, &job->out[i]);
    }
    if (result == TXL_CONTINUE) {
        result = apart(job, job->in, job->in_count, false);
    }
    return result == TXL_CONTINUE ? apart(job, job->out, job->out_count, true) : result;
}

void l1_free(struct l1_job *job)
{
    for (unsigned i = 0; i < job->in_count; i++) {
        free(job->in[i].name);
        free(job->in[i].bytes);
    }
    for (unsigned i = 0; i < job->out_count; i++) {
        free(job->out[i].name);
    }
    job->in_count = job->out_count = 0;
}

/* ---- the machine ---- */

int l1_place(struct l1_job *job, tx_machine *machine)
{
    if (tx_l1_allocate(machine) != TX_OK) {
        return txl_fail(job->err, "out of memory");
    }
    for (unsigned i = 0; i < job->in_count; i++) {
        const struct l1_file *file = &job->in[i];
        if (tx_l1_write(machine, file->address, file->bytes, file->size) != TX_OK) {
            return wrong(job, file, false, "cannot be put there");
        }
    }
    return TXL_CONTINUE;
}

enum tx_status l1_check_files(const struct l1_job *job, tx_machine *machine)
{
    enum tx_status status = TX_OK;
    for (unsigned i = 0; i < job->out_count && status == TX_OK; i++) {
        status = tx_l1_check(machine, job->out[i].address, job->out[i].size);
    }
    return status == TX_FAULT ? status : TX_OK;
}

int l1_take(struct l1_job *job, const tx_machine *machine)
{
    struct tensor_out out[L1_FILES] = {{0}};
    int result = TXL_CONTINUE;
    for (unsigned i = 0; i < job->out_count && result == TXL_CONTINUE; i++) {
        out[i].scratch = job->scratch;
        result = l1_write_file(job->err, machine, &job->out[i], &out[i]);
    }
    for (unsigned i = 0; i < job->out_count && result == TXL_CONTINUE; i++) {
        result = tensor_out_commit(job->err, &out[i]);
    }
    for (unsigned i = 0; i < job->out_count; i++) {
        tensor_out_discard(&out[i]);
        tensor_name_free(&out[i].name);
    }
    return result;
}

/* ---- results ---- */

void l1_show(struct txl_l1_file *shown, const struct l1_file *files, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const struct l1_file *file = &files[i];
        shown[i] =
            (struct txl_l1_file){.name = file->name,
                                 .address = file->address,
                                 .bytes = file->size,
                                 .format = file->has_format ? tx_format_name(file->format) : NULL,
                                 .rows = file->rows,
                                 .magnitude = file->magnitude,
                                 .shape = file->info.shape,
                                 .dimensions = file->info.dimensions};
    }
}

static txl_json *files_json(const struct l1_file *from, unsigned count)
{
    struct txl_l1_file files[L1_FILES];
    l1_show(files, from, count);
    txl_json *list = txl_json_array();
    for (unsigned i = 0; i < count; i++) {
        txl_json *object = txl_json_object();
        txl_json_set_text(object, "file", files[i].name);
        JSON_MEMBERS(object, &files[i], address, bytes);
        if (files[i].format != NULL) {
            txl_json_set_text(object, "format", files[i].format);
            txl_json_set_text(object, "layout", files[i].rows ? "rows" : "tiles");
        }
        txl_json_append(list, object);
    }
    return list;
}

txl_json *l1_json(const struct l1_job *job)
{
    txl_json *object = txl_json_object();
    txl_json_set(object, "in", files_json(job->in, job->in_count));
    txl_json_set(object, "out", files_json(job->out, job->out_count));
    return object;
}
