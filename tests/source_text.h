/* SPDX-License-Identifier: Apache-2.0 */
/* Text of a file of this project, for tests that compare a document or a table with the code. */
#ifndef TESTS_SOURCE_TEXT_H
#define TESTS_SOURCE_TEXT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

/* The file's bytes and a 0 behind them, for the caller to free. file counts from the project's
 * folder; a file that cannot be read whole fails the test. */
static char *source_text(const char *file, size_t *length)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", TX_SOURCE_DIR, file);
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        fail_msg("%s cannot be read", path);
    }
    assert_int_equal(fseek(stream, 0, SEEK_END), 0);
    const long size = ftell(stream);
    assert_true(size >= 0);
    rewind(stream);
    char *text = malloc((size_t)size + 1);
    assert_non_null(text);
    assert_true(fread(text, 1, (size_t)size, stream) == (size_t)size);
    text[size] = '\0';
    fclose(stream);
    if (length != NULL) {
        *length = (size_t)size;
    }
    return text;
}

#endif
