/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any lines as messages of an editor; or, behind a '!', any text as the file that it opens, about
 * which it then asks one thing: which one, and where, comes from a sum over the text. What comes
 * back is JSON; of a long answer, one in 64 is read.
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

static uint32_t hash; /* of the input */

static void check(void *user, const char *text, size_t length)
{
    require(user == NULL && length > 1 && text[0] == '{' && text[length - 1] == '}');
    if (length > 4096 && hash % 64 != 0) {
        return;
    }
    json_t *message = json_loadb(text, length, 0, NULL);
    require(json_is_object(message));
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
static void ask(txl_lsp *lsp, const char *text, size_t size)
{
    /* completion says much, and is asked for seldom */
    static const char *const methods[] = {"hover", "definition", "documentSymbol", "inlayHint"};
    json_t *document = json_stringn(text, size);
    if (document == NULL) {
        return;
    }
    say(lsp, json_pack("{s:s, s:{s:{s:s, s:o}}}", "method", "textDocument/didOpen", "params",
                       "textDocument", "uri", URI, "text", document));
    txl_lsp_idle(lsp);
    char method[64] = "textDocument/";
    strcat(method, hash % 64 == 0 ? "completion" : methods[hash % 4]);
    const int line = (int)(hash >> 8 & 3u);
    say(lsp, json_pack("{s:i, s:s, s:{s:{s:s}, s:{s:i, s:i}, s:{s:{s:i}, s:{s:i}}}}", "id", 1,
                       "method", method, "params", "textDocument", "uri", URI, "position", "line",
                       line, "character", (int)(hash >> 16 & 15u), "range", "start", "line", line,
                       "end", "line", 99));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct txl_lsp_options how = {.size = sizeof how, .send = check};
    const char *text = (const char *)data;
    txl_lsp *lsp;
    hash = 2166136261u;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ data[i]) * 16777619u;
    }
    hash ^= hash >> 15;
    require(txl_lsp_open(NULL, &how, &lsp) == TXL_OK);
    txl_lsp_message(lsp, hello, sizeof hello - 1);
    if (size > 0 && text[0] == '!') {
        ask(lsp, text + 1, size - 1);
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
