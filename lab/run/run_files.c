/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the files of a run, and checks that they match the kernel's Dst format. */
#include "run/run.h"

#include <string.h>

/* Checks that an array of numbers has floats for a float format and integers for an integer one. */
static int check_numbers(struct run_job *job, const struct tensor *tensor,
                         enum tx_dst_format format)
{
    struct txl_where where = {.file = tensor->name};
    bool integer = number_format(format)->integer;
    const char *dtype = npy_dtype_name(tensor->info.dtype);
    if (job->raw_bf16) {
        if (tensor->info.item_size != 2 || integer) {
            return txl_fail_at(job->err, &where,
                               integer ? "raw BF16 patterns need a float Dst format, not %s's"
                                       : "raw BF16 patterns need 16-bit elements, not %s",
                               dtype);
        }
        return TXL_CONTINUE;
    }
    if (npy_is_float(tensor->info.dtype) == integer) {
        return txl_fail_at(job->err, &where,
                           "dtype %s does not go with Dst format %s, which takes %s", dtype,
                           tx_dst_format_name(format), integer ? "integers" : "floats");
    }
    return TXL_CONTINUE;
}

/* Opens an input. format is the Dst format that the unpacker must produce. */
static int open_one(struct run_job *job, const struct run_files *files, const char *name,
                    enum tx_dst_format format, struct run_array *array)
{
    struct tensor *tensor = &array->tensor;
    int result = tensor_open(job->err, name, &files->how, tensor);
    if (result != TXL_CONTINUE) {
        return result;
    }
    if (tensor->kind == TENSOR_VALUES) {
        return check_numbers(job, tensor, format);
    }
    const char *reason = NULL;
    array->unpack = (struct tx_unpack){
        .arch = job->settings.arch, .in = tensor->format, .dst = run_format(format)};
    if (!tensor_unpack_way(&array->unpack, &reason)) {
        struct txl_where where = {.file = name};
        return txl_fail_at(job->err, &where, "no route %s -> Dst %s on %s: %s",
                           tx_format_name(tensor->format), tx_dst_format_name(format),
                           tx_arch_name(job->settings.arch), reason);
    }
    return TXL_CONTINUE;
}

/* Opens the expected values. Data of a format are unpacked to the Dst format that loses nothing. */
static int open_compare(struct run_job *job, const struct run_files *files)
{
    struct tensor *tensor = &job->compare.tensor;
    int result = tensor_open(job->err, files->compare, &files->how, tensor);
    if (result != TXL_CONTINUE) {
        return result;
    }
    job->has_compare = true;
    if (tensor->kind == TENSOR_VALUES) {
        return check_numbers(job, tensor, job->out_dst);
    }
    struct txl_where where = {.file = files->compare};
    const char *reason = NULL;
    job->compare.unpack = (struct tx_unpack){
        .arch = job->settings.arch, .in = tensor->format, .dst = tx_format_in_dst(tensor->format)};
    if (tx_unpack_check(&job->compare.unpack, &reason) != TX_OK) {
        return txl_fail_at(job->err, &where, "%s", reason);
    }
    if (tx_format_info(tensor->format)->integer != number_format(job->out_dst)->integer) {
        return txl_fail_at(job->err, &where, "%s does not go with Dst format %s",
                           tx_format_name(tensor->format), tx_dst_format_name(job->out_dst));
    }
    return TXL_CONTINUE;
}

/*
 * Opens the arrays, or the files of tiles. Arrays come first, because they define the shape, which
 * tiles lack.
 */
static int open_kind(struct run_job *job, struct run_files *files, bool arrays)
{
    for (unsigned i = 0; i < files->in_count; i++) {
        struct tensor_name name;
        int result = tensor_name(job->err, files->ins[i], false, &name);
        bool is_array = name.is_array || files->how.values_only;
        tensor_name_free(&name);
        if (result == TXL_CONTINUE && is_array == arrays) {
            result = open_one(job, files, files->ins[i], job->dst, &job->inputs[i]);
            if (files->how.shape == NULL) {
                files->how.shape = job->inputs[i].tensor.info.shape;
                files->how.dimensions = job->inputs[i].tensor.info.dimensions;
            }
        }
        if (result != TXL_CONTINUE) {
            return result;
        }
    }
    return TXL_CONTINUE;
}

static bool any_tiles(const struct run_job *job)
{
    bool any = job->compare.tensor.kind == TENSOR_TILES;
    for (unsigned i = 0; i < job->input_count; i++) {
        any |= job->inputs[i].tensor.kind == TENSOR_TILES;
    }
    return any;
}

int run_open_inputs(struct run_job *job, const struct run_files *wanted)
{
    struct run_files files = *wanted;
    unsigned inputs = tx_program_inputs(job->program) > 0 ? tx_program_inputs(job->program) : 1;
    if (files.in_count != inputs) {
        return txl_fail(job->err, "%s takes %u input%s, %u %s given", job->kernel, inputs,
                        inputs == 1 ? "" : "s", files.in_count,
                        files.in_count == 1 ? "was" : "were");
    }
    const bool shaped = wanted->how.shape != NULL;
    files.how.tile = run_tile;
    files.how.values_only = job->raw_bf16;
    job->input_count = files.in_count;
    int result = open_kind(job, &files, true);
    if (result == TXL_CONTINUE) {
        result = open_kind(job, &files, false);
    }
    for (unsigned i = 0; i < files.in_count && result == TXL_CONTINUE && shaped; i++) {
        const struct npy_info *info = &job->inputs[i].tensor.info;
        if (job->inputs[i].tensor.kind != TENSOR_TILES &&
            (info->dimensions != wanted->how.dimensions ||
             memcmp(info->shape, wanted->how.shape, info->dimensions * sizeof info->shape[0]) !=
                 0)) {
            return txl_fail_option(job->err, NULL, "shape",
                                   "%s says its shape itself, and it is another", files.ins[i]);
        }
    }
    const struct npy_info *shape = &job->inputs[0].tensor.info;
    for (unsigned i = 1; i < files.in_count && result == TXL_CONTINUE; i++) {
        if (!npy_same_shape(shape, &job->inputs[i].tensor.info)) {
            result =
                txl_fail(job->err, "%s and %s have different shapes", files.ins[0], files.ins[i]);
        }
    }
    if (result == TXL_CONTINUE && files.compare != NULL) {
        result = open_compare(job, &files);
        if (result == TXL_CONTINUE && !npy_same_shape(shape, &job->compare.tensor.info)) {
            result =
                txl_fail(job->err, "%s and %s have different shapes", files.ins[0], files.compare);
        }
    }
    if (result != TXL_CONTINUE) {
        return result;
    }
    bool tiles = any_tiles(job) || (job->output_packed && !job->output.name.is_array);
    if (tiles && files.flat) {
        return txl_fail_option(job->err, NULL, "layout", "files of tiles hold blocks of 32x32");
    }
    run_tiling_make(&job->tiling, shape, files.tiles || tiles);
    return TXL_CONTINUE;
}

/* Tells whether a file name promises text, which is not written. */
static bool names_text(const char *name)
{
    static const char *const endings[] = {".csv", ".tsv", ".txt", ".json"};
    const char *point = strrchr(name, '.');
    for (unsigned i = 0; point != NULL && i < sizeof endings / sizeof endings[0]; i++) {
        if (strcasecmp(point, endings[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Determines the packer's settings for an output with a format, before any file is opened. */
static int settle_output(struct run_job *job, const struct run_files *files)
{
    if (names_text(files->out)) {
        return txl_fail_option(job->err, NULL, "output",
                               "%s: results are arrays, Y.npy or Y.npz:NAME, or tiles, Y:FORMAT",
                               files->out);
    }
    int result = tensor_out_name(job->err, files->out, &job->output);
    job->output.scratch = files->how.scratch;
    const struct tensor_name *name = &job->output.name;
    if (result != TXL_CONTINUE) {
        return result;
    }
    struct txl_where where = {.file = files->out};
    job->output_dtype = run_output_dtype(job->out_dst);
    job->output_packed = name->has_format;
    if (!name->has_format) {
        bool other = !name->is_array && strrchr(name->path, '.') != NULL &&
                     strcasecmp(strrchr(name->path, '.'), ".tile") == 0;
        return other ? txl_fail_at(job->err, &where, "a file of tiles needs its format: %s:FORMAT",
                                   files->out)
                     : TXL_CONTINUE;
    }
    const char *reason = NULL;
    if (name->is_array && tx_format_info(name->format)->block) {
        return txl_fail_at(job->err, &where,
                           "an array cannot hold %s: only tiles have its exponents",
                           tx_format_name(name->format));
    }
    if (tx_pack_default(job->settings.arch, run_format(job->out_dst), name->format, &job->pack,
                        &reason) != TX_OK) {
        return txl_fail_at(job->err, &where, "no route Dst %s -> %s on %s: %s",
                           tx_dst_format_name(job->out_dst), tx_format_name(name->format),
                           tx_arch_name(job->settings.arch), reason);
    }
    if (name->is_array) {
        static const enum npy_dtype patterns[] = {NPY_UINT8, NPY_UINT16, NPY_UINT32};
        job->output_dtype = patterns[tx_format_info(name->format)->bits / 16];
    }
    return TXL_CONTINUE;
}

int run_settle_output(struct run_job *job, const struct run_files *files)
{
    return files->out != NULL ? settle_output(job, files) : TXL_CONTINUE;
}

int run_open_output(struct run_job *job, const struct run_files *files)
{
    if (files->out == NULL) {
        return TXL_CONTINUE;
    }
    /* A name without .npy and without a format is written as an array. */
    bool array = job->output.name.is_array || !job->output_packed;
    int result = tensor_out_open(job->err, &job->output, array ? &job->inputs[0].tensor.info : NULL,
                                 job->output_dtype);
    job->has_output = result == TXL_CONTINUE;
    return result;
}

void run_close_files(struct run_job *job)
{
    tensor_out_discard(&job->output);
    tensor_name_free(&job->output.name);
    for (unsigned i = 0; i < RUN_INPUTS; i++) {
        tensor_close(&job->inputs[i].tensor);
    }
    tensor_close(&job->compare.tensor);
}
