/* SPDX-License-Identifier: Apache-2.0 */
/* The texts that a document is made of: its own, and those of the files that it includes. */
#include "lsp/lsp.h"

#include <stdlib.h>
#include <string.h>

#include "base/beneath.h"

enum { INCLUDED = 8 /* levels of .include that are followed */ };

struct walk {
    txl_lsp *lsp;
    const char *root; /* path of the document */
    const char *path; /* of the text that is being walked through */
    unsigned depth;
    bool (*each)(void *user, const struct document *there);
    void *user;
    bool ended;
};

char *included_path(const char *from, const char *name, size_t length)
{
    const char *slash = strrchr(from, '/');
    const size_t folder = slash != NULL ? (size_t)(slash - from) + 1 : 0;
    char *path = NULL;
    if (length != 0 && name[0] != '/' && memmem(name, length, "..", 2) == NULL) {
        path = malloc(folder + length + 1);
    }
    if (path != NULL) {
        memcpy(path, from, folder);
        memcpy(path + folder, name, length);
        path[folder + length] = '\0';
    }
    return path;
}

/* Reads a file in the folder of the document or below, as the assembler does. */
static char *read_included(const struct walk *walk, const char *path, size_t *length)
{
    struct txl_error ignored = {.status = TXL_OK};
    const char *slash = strrchr(walk->root, '/');
    const size_t folder = slash != NULL ? (size_t)(slash - walk->root) + 1 : 0;
    char *name = strndup(walk->root, folder);
    char *text = name != NULL ? read_beneath(&ignored, name, path + folder, length) : NULL;
    free(name);
    return text;
}

static void walk_text(struct walk *walk, const struct document *there);

static bool walk_included(void *user, const struct name *name)
{
    struct walk *walk = user;
    if (name->kind != NAME_INCLUDE || walk->depth == INCLUDED) {
        return true;
    }
    struct document there = {.path = included_path(walk->path, name->text, name->length)};
    if (there.path != NULL) {
        there.text = read_included(walk, there.path, &there.length);
    }
    if (there.text != NULL) {
        walk->depth++;
        walk_text(walk, &there);
        walk->depth--;
    }
    free(there.text);
    free(there.path);
    return !walk->ended;
}

static void walk_text(struct walk *walk, const struct document *there)
{
    const char *const before = walk->path;
    walk->path = there->path;
    walk->ended = !walk->each(walk->user, there);
    if (!walk->ended) {
        names_in(there->text, there->length, walk_included, walk);
    }
    walk->path = before;
}

void files_of(txl_lsp *lsp, const struct document *d,
              bool (*each)(void *user, const struct document *there), void *user)
{
    struct walk walk = {.lsp = lsp, .root = d->path, .each = each, .user = user};
    walk_text(&walk, d);
}
