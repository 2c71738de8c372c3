/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as an .npy file: the header is read, its elements converted, the header made again. */
#include "data/npy.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct npy_info info;
    struct txl_error err = {0};
    if (!npy_parse(data, size, size, &info, &err)) {
        if (err.message[0] == '\0') {
            abort();
        }
        return 0;
    }
    if (info.data_offset + info.count * info.item_size != size) {
        abort();
    }
    uint32_t words[64];
    struct npy_convert convert = {0};
    size_t count = info.count < 64 ? (size_t)info.count : 64;
    npy_to_words(info.dtype, data + info.data_offset, count, words, &convert);
    convert.raw_bf16 = true;
    npy_to_words(info.dtype, data + info.data_offset, count, words, &convert);

    uint8_t header[2048];
    size_t length = npy_make_header(&info, header, sizeof header);
    struct npy_info again;
    uint64_t file = length + info.count * info.item_size;
    if (length == 0 || !npy_parse(header, length, file, &again, &err) ||
        again.dtype != info.dtype || !npy_same_shape(&info, &again)) {
        abort();
    }
    return 0;
}
