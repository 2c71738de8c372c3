/* SPDX-License-Identifier: Apache-2.0 */
/* Output files: splits the name, opens the file, and puts it into place at the end. */
#include "data/tensor_out.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "data/npz.h"

int tensor_out_failed(struct txl_error *err, const struct tensor_out *out, const char *why)
{
    struct txl_where where = {.file = out->text};
    return txl_fail_at(err, &where, "%s", why);
}

int tensor_out_name(struct txl_error *err, const char *text, struct tensor_out *out)
{
    *out = (struct tensor_out){.text = text};
    int result = tensor_name(err, text, true, &out->name);
    const char *member = out->name.member;
    if (result == TXL_CONTINUE && member != NULL && (member[0] == '\0' || strlen(member) > 200)) {
        return tensor_out_failed(err, out,
                                 member[0] == '\0' ? "the array has no name"
                                                   : "the name of the array is too long");
    }
    return result;
}

int tensor_out_open(struct txl_error *err, struct tensor_out *out, const struct npy_info *shape,
                    enum npy_dtype dtype)
{
    struct txl_error why = {0};
    int error = 0;
    if (out->name.is_npz) {
        if (!npz_able(&why)) {
            return tensor_out_failed(err, out, why.message);
        }
        out->array = outfile_scratch(out->scratch);
        out->file.fd = out->array != NULL ? dup(fileno(out->array)) : -1;
        error = out->file.fd < 0 ? errno : 0;
    } else {
        error = outfile_open(&out->file, out->name.path);
    }
    if (error != 0) {
        return tensor_out_failed(err, out, strerror(error));
    }
    out->open = true;
    if (shape == NULL) {
        return TXL_CONTINUE;
    }
    struct npy_info info = *shape;
    info.dtype = dtype;
    info.item_size = npy_dtype_size(dtype);
    uint8_t header[2048];
    out->header = npy_make_header(&info, header, sizeof header);
    out->size = out->header + info.count * info.item_size;
    outfile_expect(&out->file, out->size);
    error = outfile_write_at(&out->file, header, (size_t)out->header, 0);
    return error == 0 ? TXL_CONTINUE : tensor_out_failed(err, out, strerror(error));
}

/* Packs the array, which was written to a temporary file, into the archive. */
static int archive(struct txl_error *err, struct tensor_out *out)
{
    struct txl_error why = {0};
    outfile_discard(&out->file);
    int error = outfile_open(&out->file, out->name.path);
    if (error != 0) {
        out->open = false;
        return tensor_out_failed(err, out, strerror(error));
    }
    FILE *array = out->array;
    out->array = NULL;
    const char *member = out->name.member != NULL ? out->name.member : "arr_0";
    return npz_write(&out->file, member, array, out->size, &why)
               ? TXL_CONTINUE
               : tensor_out_failed(err, out, why.message);
}

int tensor_out_commit(struct txl_error *err, struct tensor_out *out)
{
    int result = out->name.is_npz ? archive(err, out) : TXL_CONTINUE;
    if (result == TXL_CONTINUE) {
        int error = outfile_commit(&out->file);
        out->open = false;
        result = error == 0 ? TXL_CONTINUE : tensor_out_failed(err, out, strerror(error));
    }
    tensor_out_discard(out);
    return result;
}

void tensor_out_discard(struct tensor_out *out)
{
    if (out->open) {
        outfile_discard(&out->file);
    }
    if (out->array != NULL) {
        fclose(out->array);
    }
    out->open = false;
    out->array = NULL;
}
