/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any lines as messages of an editor; or, behind a '!', any text as the file that it opens, about
 * which it then asks one thing: which one, and where, comes from a sum over the text. What comes
 * back is JSON; one answer in eight is read, a long one more seldom. One session takes many inputs:
 * before each it is as after its first message, or, of one input in 64, as before that.
 */
#include "lsp/lsp.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char hello[] = "{\"id\":0,\"method\":\"initialize\",\"params\":{}}";
#define URI "file:///k.s"

enum { ANSWERS = 8, LONG = 1024, LONG_ANSWERS = 64, NEW = 64 };

static void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

static uint32_t hash; /* of the input */
static txl_lsp *lsp;

static void check(void *user, const char *text, size_t length)
{
    require(user == NULL && length > 1 && text[0] == '{' && text[length - 1] == '}');
    if ((hash >> 20) % (length > LONG ? LONG_ANSWERS : ANSWERS) != 0) {
        return;
    }
    json_t *message = json_loadb(text, length, 0, NULL);
    require(json_is_object(message));
    json_decref(message);
}

static void session(bool greeted)
{
    const struct txl_lsp_options how = {.size = sizeof how, .send = check};
    if (lsp == NULL) {
        require(txl_lsp_open(NULL, &how, &lsp) == TXL_OK);
    }
    while (lsp->documents != NULL) {
        document_close(lsp, lsp->documents->uri);
    }
    lsp->how.arch = TX_BLACKHOLE;
    lsp->utf8 = lsp->shutdown = lsp->ended = false;
    lsp->initialized = lsp->initialized && greeted;
    if (greeted && !lsp->initialized) {
        txl_lsp_message(lsp, hello, sizeof hello - 1);
        require(lsp->initialized);
    }
}

/* Writes the text as a string of JSON; returns its end. */
static char *quoted(char *to, const char *text, size_t size)
{
    *to++ = '"';
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (c < ' ' || c == '"' || c == '\\') {
            to += sprintf(to, "\\u%04x", c);
        } else {
            *to++ = (char)c;
        }
    }
    *to++ = '"';
    return to;
}

/* A text that is no UTF-8 is refused as a message. */
static void ask(const char *text, size_t size)
{
    /* completion says much, and is asked for seldom */
    static const char *const methods[] = {"hover", "definition", "documentSymbol", "inlayHint"};
    char *const message = malloc(6 * size + 256);
    require(message != NULL);
    char *at = stpcpy(message, "{\"method\":\"textDocument/didOpen\",\"params\":{\"textDocument\":"
                               "{\"uri\":\"" URI "\",\"text\":");
    at = stpcpy(quoted(at, text, size), "}}}");
    txl_lsp_message(lsp, message, (size_t)(at - message));
    free(message);
    if (lsp->documents == NULL) {
        return;
    }
    txl_lsp_idle(lsp);
    char question[320];
    const unsigned line = hash >> 8 & 3u;
    const int length = snprintf(
        question, sizeof question,
        "{\"id\":1,\"method\":\"textDocument/%s\",\"params\":{\"textDocument\":{\"uri\":\"" URI
        "\"},\"position\":{\"line\":%u,\"character\":%u},"
        "\"range\":{\"start\":{\"line\":%u},\"end\":{\"line\":99}}}}",
        hash % NEW == 1 ? "completion" : methods[hash >> 6 & 3u], line, hash >> 16 & 15u, line);
    require(length > 0 && (size_t)length < sizeof question);
    txl_lsp_message(lsp, question, (size_t)length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    hash = 2166136261u;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ data[i]) * 16777619u;
    }
    hash ^= hash >> 15;
    const bool asks = size > 0 && text[0] == '!';
    session(asks || hash % NEW != 2);
    if (asks) {
        ask(text + 1, size - 1);
        return 0;
    }
    while (size > 0) {
        const char *end = memchr(text, '\n', size);
        const size_t length = end != NULL ? (size_t)(end - text) : size;
        txl_lsp_message(lsp, text, length);
        txl_lsp_idle(lsp);
        text += length + (end != NULL);
        size -= length + (end != NULL);
    }
    return 0;
}
