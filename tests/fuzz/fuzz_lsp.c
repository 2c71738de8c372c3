/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any lines as messages of an editor; or, behind a '!', any text as the file that it opens, about
 * whose every line it then asks everything. What comes back is JSON.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include <tensix-lab/lsp.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char hello[] = "{\"id\":0,\"method\":\"initialize\",\"params\":{}}";
#define URI "file:///k.s"

static void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void check(void *user, const char *text, size_t length)
{
    json_t *message = json_loadb(text, length, 0, NULL);
    require(json_is_object(message) && user == NULL);
    json_decref(message);
}

static void say(txl_lsp *lsp, json_t *message)
{
    char *text = json_dumps(message, JSON_COMPACT);
    if (text != NULL) {
        txl_lsp_message(lsp, text, strlen(text));
    }
    free(text);
    json_decref(message);
}

/* A text that is no UTF-8 does not come over JSON. */
static void ask_all(txl_lsp *lsp, const char *text, size_t size)
{
    static const char *const methods[] = {"hover", "completion", "definition"};
    json_t *document = json_stringn(text, size);
    if (document == NULL) {
        return;
    }
    say(lsp, json_pack("{s:s, s:{s:{s:s, s:o}}}", "method", "textDocument/didOpen", "params",
                       "textDocument", "uri", URI, "text", document));
    txl_lsp_idle(lsp);
    for (int line = 0; line < 3; line++) {
        for (unsigned i = 0; i < (line == 0 ? 3u : 1u); i++) { /* completion says much */
            char method[64] = "textDocument/";
            strcat(method, methods[i]);
            say(lsp, json_pack("{s:i, s:s, s:{s:{s:s}, s:{s:i, s:i}}}", "id", 1, "method", method,
                               "params", "textDocument", "uri", URI, "position", "line", line,
                               "character", (int)size % 16));
        }
    }
    say(lsp, json_pack("{s:i, s:s, s:{s:{s:s}}}", "id", 2, "method", "textDocument/documentSymbol",
                       "params", "textDocument", "uri", URI));
    say(lsp, json_pack("{s:i, s:s, s:{s:{s:s}, s:{s:{s:i}, s:{s:i}}}}", "id", 3, "method",
                       "textDocument/inlayHint", "params", "textDocument", "uri", URI, "range",
                       "start", "line", 0, "end", "line", 99));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct txl_lsp_options how = {.size = sizeof how, .send = check};
    const char *text = (const char *)data;
    txl_lsp *lsp;
    require(txl_lsp_open(NULL, &how, &lsp) == TXL_OK);
    txl_lsp_message(lsp, hello, sizeof hello - 1);
    if (size > 0 && text[0] == '!') {
        ask_all(lsp, text + 1, size - 1);
        size = 0;
    }
    while (size > 0) {
        const char *end = memchr(text, '\n', size);
        const size_t length = end != NULL ? (size_t)(end - text) : size;
        txl_lsp_message(lsp, text, length);
        txl_lsp_idle(lsp);
        text += length + (end != NULL);
        size -= length + (end != NULL);
    }
    txl_lsp_close(lsp);
    return 0;
}
