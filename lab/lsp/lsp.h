/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "lsp": the language server. server.c speaks the protocol, document.c has the texts and their
 * positions, names.c finds what a text defines, words.c answers about the word under the cursor,
 * look.c and hints.c assemble and run. It may use the rooms before it, race the last of them.
 */
#ifndef LAB_LSP_LSP_H
#define LAB_LSP_LSP_H

#include "base/error.h"

#include <tensix-lab/json.h>
#include <tensix-lab/lsp.h>

/* A file that the client has open. */
struct document {
    struct document *next;
    char *uri, *path; /* path: of a file: URI; else the URI, for messages */
    char *text;       /* length bytes and a zero byte */
    size_t length;
    bool changed; /* since its diagnostics were sent */
};

struct txl_lsp {
    struct txl_lsp_options how;
    struct document *documents;
    bool utf8;        /* positions count bytes; else UTF-16 code units, the protocol's default */
    bool initialized; /* the client has said initialize */
    bool shutdown, ended;
};

/* ---- document.c ---- */

/* The open document; NULL: the client has not opened it. */
struct document *document_find(txl_lsp *lsp, const char *uri);
/* A new text for it, length bytes; opened where it was not. NULL: no memory. */
struct document *document_put(txl_lsp *lsp, const char *uri, const char *text, size_t length);
void document_close(txl_lsp *lsp, const char *uri);
/* "file:///a%20b.s" as a path, and back; for free(). NULL: no memory. */
char *path_of_uri(const char *uri);
char *uri_of_path(const char *path);

/* The line, counted from 0, without its end; past the end of the text: empty, at its end. */
const char *line_at(const char *text, size_t text_length, size_t line, size_t *length);
/* Bytes from the line's beginning to what the client calls character. */
size_t byte_of(const txl_lsp *lsp, const char *line, size_t length, size_t character);
/* What the client calls the character that so many bytes are before. */
size_t character_of(const txl_lsp *lsp, const char *line, size_t bytes);
/* {"start", "end"} in a line counted from 0, of bytes from its beginning. */
txl_json *range_json(const txl_lsp *lsp, const struct document *d, size_t line, size_t from,
                     size_t to);

/* ---- names.c ---- */

enum name_kind { NAME_SECTION, NAME_THREAD, NAME_MACRO, NAME_VALUE, NAME_INCLUDE };
struct name {
    enum name_kind kind;
    size_t line;     /* counted from 0 */
    size_t from, to; /* bytes of the name in its line */
    const char *text;
    size_t length;
};
/*
 * What a text defines, in its order; what stands twice comes twice. False from the function ends
 * it. The assembler would stop at the first error, which an editor's text mostly has.
 */
void names_in(const char *text, size_t length, bool (*each)(void *user, const struct name *name),
              void *user);
/* What .arch says, and the chip that is meant: without .arch what the server was told. */
enum tx_arch stated_arch(const char *text, size_t length);
enum tx_arch document_arch(const txl_lsp *lsp, const struct document *d);
/* The statement that byte of the line stands in: its first word, from the line's beginning. */
size_t first_word(const char *line, size_t length, size_t byte, size_t *word_length);
/* A character of a name: letters, digits, '_', '.', and the two colons of p_sfpu::LREG1. */
bool name_character(char c);

/* ---- words.c: results of requests, NULL: null ---- */

txl_json *hover_json(txl_lsp *lsp, struct document *d, size_t line, size_t byte);
txl_json *completion_json(txl_lsp *lsp, struct document *d, size_t line, size_t byte);
txl_json *definition_json(txl_lsp *lsp, struct document *d, size_t line, size_t byte);
txl_json *symbols_json(txl_lsp *lsp, struct document *d);

/* ---- look.c, hints.c ---- */

/* TXL_OK: *program is for tx_program_free. */
int document_assemble(const txl_lsp *lsp, const struct document *d, struct txl_error *err,
                      struct tx_program **program);
/* An array of diagnostics. */
txl_json *diagnostics_json(txl_lsp *lsp, const struct document *d);
/* An array of hints for lines from first to before end. */
txl_json *hints_json(txl_lsp *lsp, const struct document *d, size_t first, size_t end);

#endif
