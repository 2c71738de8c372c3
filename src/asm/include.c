/* SPDX-License-Identifier: Apache-2.0 */
/*
 * .include "NAME": continues with another text. The library opens no file: the caller supplies the
 * text (struct tx_include).
 */
#include "asm/state.h"

#include <string.h>

/*
 * Returns the number of a file by its path, or 0 if there are too many. New ones are numbered from
 * the highest down, since .file counts from 1 up.
 */
static unsigned number_of(struct asm_state *a, const char *path)
{
    for (unsigned i = TX_SOURCE_FILES; i-- > 0;) {
        if ((a->included >> i & 1) != 0 && strcmp(a->program->source[i], path) == 0) {
            return i + 1;
        }
    }
    for (unsigned i = TX_SOURCE_FILES; i-- > 0;) {
        if (a->program->source[i][0] == '\0') {
            memcpy(a->program->source[i], path, strlen(path) + 1);
            a->included |= UINT32_C(1) << i;
            return i + 1;
        }
    }
    return 0;
}

bool asm_include(struct asm_state *a)
{
    const struct asm_token token = a->token;
    const unsigned from = asm_file(a);
    char name[TX_SOURCE_NAME];
    if (token.kind != TOKEN_STRING) {
        return FAIL_TOKEN(a, "the name of a file in quotes is expected here");
    }
    const size_t length = token.length - 2;
    if (length == 0 || length >= sizeof name || memchr(token.text + 1, '\0', length) != NULL) {
        return FAIL_TOKEN(a, "the name of a file has 1 to %u characters", TX_SOURCE_NAME - 1);
    }
    memcpy(name, token.text + 1, length);
    name[length] = '\0';
    asm_next(a);
    if (!asm_expect_end(a)) {
        return false;
    }
    if (a->include == NULL) {
        return asm_fail(a, TX_EPARSE, token.text, token.length,
                        "there is nothing to include here: .include belongs into a file");
    }
    struct tx_include asked = {.name = name, .from = from != 0 ? a->program->source[from - 1] : ""};
    const enum tx_status status = a->include(a->include_user, &asked);
    asked.message[sizeof asked.message - 1] = '\0';
    if (status != TX_OK || asked.text == NULL) {
        return asm_fail(a, status != TX_OK ? status : TX_EINVAL, token.text, token.length, "%s",
                        asked.message[0] != '\0' ? asked.message : "the file cannot be had");
    }
    if (asked.path[0] == '\0' || memchr(asked.path, '\0', sizeof asked.path) == NULL) {
        memcpy(asked.path, name, sizeof name);
    }
    const unsigned number = number_of(a, asked.path);
    if (number == 0) {
        return asm_fail(a, TX_ELIMIT, token.text, token.length, "more than %d files",
                        TX_SOURCE_FILES);
    }
    asm_end_statement(a);
    const struct asm_frame frame = {.text = asked.text,
                                    .end = asked.text + asked.length,
                                    .line_start = asked.text,
                                    .first_line = 1,
                                    .file = number,
                                    .repeat = 1,
                                    .resume = a->p,
                                    .resume_line = a->line};
    return asm_push(a, &frame, &token);
}
