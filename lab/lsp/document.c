/* SPDX-License-Identifier: Apache-2.0 */
/* The open documents of the language server, URIs of files, and positions in lines of text. */
#include "lsp/lsp.h"

#include <stdlib.h>
#include <string.h>

struct document *document_find(txl_lsp *lsp, const char *uri)
{
    struct document *d = lsp->documents;
    while (d != NULL && strcmp(d->uri, uri) != 0) {
        d = d->next;
    }
    return d;
}

static void document_free(struct document *d)
{
    if (d != NULL) {
        free(d->uri);
        free(d->path);
        free(d->text);
        free(d);
    }
}

struct document *document_put(txl_lsp *lsp, const char *uri, const char *text, size_t length)
{
    struct document *d = document_find(lsp, uri);
    char *copy = malloc(length + 1);
    if (copy == NULL) {
        return NULL;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    if (d == NULL) {
        d = calloc(1, sizeof *d);
        if (d != NULL) {
            d->uri = strdup(uri);
            d->path = path_of_uri(uri);
        }
        if (d == NULL || d->uri == NULL || d->path == NULL) {
            document_free(d);
            free(copy);
            return NULL;
        }
        d->next = lsp->documents;
        lsp->documents = d;
    }
    free(d->text);
    d->text = copy;
    d->length = length;
    d->changed = true;
    return d;
}

void document_close(txl_lsp *lsp, const char *uri)
{
    for (struct document **at = &lsp->documents; *at != NULL; at = &(*at)->next) {
        if (strcmp((*at)->uri, uri) == 0) {
            struct document *gone = *at;
            *at = gone->next;
            document_free(gone);
            return;
        }
    }
}

/* ---- URIs ---- */

static int digit(char c)
{
    const char *const digits = "0123456789abcdef";
    const char *at = c != '\0' ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;
    return at != NULL ? (int)(at - digits) : -1;
}

char *path_of_uri(const char *uri)
{
    static const char scheme[] = "file://";
    if (strncmp(uri, scheme, sizeof scheme - 1) != 0) {
        return strdup(uri);
    }
    const char *from = strchr(uri + sizeof scheme - 1, '/'); /* after the host, which is empty */
    char *path = strdup(from != NULL ? from : uri);
    char *to = path;
    for (const char *p = path; p != NULL && *p != '\0'; p++) {
        const int high = *p == '%' ? digit(p[1]) : -1;
        const int low = high >= 0 ? digit(p[2]) : -1;
        const bool escaped = low >= 0 && (high | low) != 0;
        *to++ = escaped ? (char)(high * 16 + low) : *p;
        p += escaped ? 2 : 0;
    }
    if (to != NULL) {
        *to = '\0';
    }
    return path;
}

char *uri_of_path(const char *path)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    static const char digits[] = "0123456789ABCDEF";
    const size_t length = strlen(path);
    char *uri = malloc(sizeof "file://" + 3 * length);
    if (uri == NULL) {
        return NULL;
    }
    char *to = stpcpy(uri, "file://");
    for (size_t i = 0; i < length; i++) {
        if (strchr(plain, path[i]) != NULL) {
            *to++ = path[i];
        } else {
            *to++ = '%';
            *to++ = digits[(unsigned char)path[i] >> 4];
            *to++ = digits[(unsigned char)path[i] & 15];
        }
    }
    *to = '\0';
    return uri;
}

/* ---- positions ---- */

const char *line_at(const char *text, size_t text_length, size_t line, size_t *length)
{
    const char *const end = text + text_length;
    const char *at = text;
    for (; line > 0 && at < end; line--) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        at = next != NULL ? next + 1 : end;
    }
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    stop = stop != NULL ? stop : end;
    *length = (size_t)(stop - at);
    if (*length > 0 && at[*length - 1] == '\r') {
        (*length)--;
    }
    return at;
}

/* Returns the length of the UTF-8 character that begins with this byte; 1 for invalid bytes. */
static size_t step_of(const char *at, size_t left)
{
    const unsigned char c = (unsigned char)*at;
    const size_t wanted = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC0 ? 2 : 1;
    return wanted < left ? wanted : left;
}

size_t byte_of(const txl_lsp *lsp, const char *line, size_t length, size_t character)
{
    size_t byte = 0;
    for (size_t units = 0; byte < length && units < character;) {
        const size_t step = lsp->utf8 ? 1 : step_of(line + byte, length - byte);
        units += step == 4 ? 2 : 1;
        byte += step;
    }
    return byte;
}

size_t character_of(const txl_lsp *lsp, const char *line, size_t bytes)
{
    size_t units = 0;
    for (size_t byte = 0; byte < bytes;) {
        const size_t step = lsp->utf8 ? 1 : step_of(line + byte, bytes - byte);
        units += step == 4 ? 2 : 1;
        byte += step;
    }
    return units;
}

static txl_json *position_json(size_t line, size_t character)
{
    txl_json *position = txl_json_object();
    txl_json_set_int(position, "line", line);
    txl_json_set_int(position, "character", character);
    return position;
}

txl_json *range_json(const txl_lsp *lsp, const struct document *d, size_t line, size_t from,
                     size_t to)
{
    size_t length;
    const char *at = line_at(d->text, d->length, line, &length);
    from = from < length ? from : length;
    to = to < length ? to : length;
    txl_json *range = txl_json_object();
    txl_json_set(range, "start", position_json(line, character_of(lsp, at, from)));
    txl_json_set(range, "end", position_json(line, character_of(lsp, at, to)));
    return range;
}
