/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a file of words in hex: chip, style and form come from the first byte. What is
 * printed has printable lines; what is refused has a message and no text.
 */
#include "input_file.h"

#include <tensix-lab/base.h>
#include <tensix-lab/dis.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static struct input_file input;

static void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void done(void)
{
    input_file_remove(&input);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    input_file_name(&input, 0, "words.txt");
    return atexit(done);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    const unsigned first = data[0];
    const struct txl_dis_options how = {.size = sizeof how,
                                        .arch = (enum tx_arch)(first % 3),
                                        .style = (enum tx_dis_style)(first / 3 % 3),
                                        .ttinsn = first / 9 % 2 != 0,
                                        .words = first / 18 % 2 != 0};
    const bool json = first / 36 % 4 == 0;
    const char *const items[] = {input.names[0]};
    struct txl_error err = {.status = TXL_OK};
    char *text = NULL;
    input_file_put(&input, data + 1, size - 1);
    const int result = json ? txl_dis_json(&err, items, 1, &how, &text)
                            : txl_dis_text(&err, items, 1, &how, &text);
    require(result == TXL_OK || result == TXL_INPUT);
    require((result == TXL_OK) == (err.status == TXL_OK) && (result == TXL_OK) == (text != NULL));
    require(result == TXL_OK || err.message[0] != '\0');
    require(!txl_has_controls(err.message));
    for (const char *p = text; p != NULL && *p != '\0'; p++) {
        require(*p == '\n' || *p == '\t' || (*p >= ' ' && *p <= '~'));
    }
    free(text);
    return 0;
}
