/* SPDX-License-Identifier: Apache-2.0 */
/* Finds and reads the files that a kernel's .include names. */
#include "kernel/include.h"

#include "base/beneath.h"
#include "kernel/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Returns why a file must not be included, or NULL. A kernel file is data, perhaps somebody else's,
 * and error messages show lines of what it includes, so it may only reach its own folder.
 */
static const char *refusal(const char *name)
{
    if (name[0] == '/') {
        return "a file is included by its name from this file's folder, not from the root";
    }
    for (const char *p = name; p != NULL; p = strchr(p, '/')) {
        p += *p == '/';
        const size_t length = strcspn(p, "/");
        if (length == 0 || (length == 2 && p[0] == '.' && p[1] == '.')) {
            return "what is included lies in this file's folder or below, without '..'";
        }
    }
    return txl_has_controls(name) ? "the name has a control character" : NULL;
}

/* Reads a file that lies, links followed, in the folder of the kernel file or below. */
static char *read_in_root(struct txl_error *err, const char *root, const char *path, size_t *length)
{
    const char *slash = strrchr(root, '/');
    const size_t folder = slash != NULL ? (size_t)(slash - root) + 1 : 0;
    char name[TX_SOURCE_NAME];
    if (folder >= sizeof name) {
        txl_fail(err, "the path is too long");
        return NULL;
    }
    memcpy(name, root, folder);
    name[folder] = '\0';
    return read_beneath(err, name, path + folder, length);
}

static enum tx_status give(struct tx_include *asked, const struct included_file *file)
{
    asked->text = file->text;
    asked->length = file->length;
    memcpy(asked->path, file->path, sizeof asked->path);
    return TX_OK;
}

enum tx_status include_answer(void *user, struct tx_include *asked)
{
    struct includes *includes = user;
    const char *from = asked->from[0] != '\0' ? asked->from : includes->root;
    const char *slash = strrchr(from, '/');
    const int folder = slash != NULL ? (int)(slash - from) + 1 : 0;
    char path[TX_SOURCE_NAME];
    const char *why = refusal(asked->name);
    if (why == NULL &&
        (size_t)snprintf(path, sizeof path, "%.*s%s", folder, from, asked->name) >= sizeof path) {
        why = "the path of the file is too long";
    }
    if (why == NULL && strcmp(path, "-") == 0) {
        why = "'-' is no file";
    }
    if (why != NULL) {
        snprintf(asked->message, sizeof asked->message, "%s", why);
        return TX_EPARSE;
    }
    for (const struct included_file *f = includes->files; f != NULL; f = f->next) {
        if (strcmp(f->path, path) == 0) {
            return give(asked, f);
        }
    }
    struct txl_error err = {0};
    struct included_file *file = calloc(1, sizeof *file);
    char *text = file != NULL ? read_in_root(&err, includes->root, path, &file->length) : NULL;
    if (text == NULL) {
        const char *what = file != NULL ? err.message : "out of memory";
        const size_t length = strlen(path); /* the end of a long path says most */
        snprintf(asked->message, sizeof asked->message, "%.90s: %.60s",
                 path + (length > 90 ? length - 90 : 0), what);
        free(file);
        return file != NULL ? TX_ENOENT : TX_ENOMEM;
    }
    file->text = text;
    memcpy(file->path, path, sizeof path);
    file->next = includes->files;
    includes->files = file;
    return give(asked, file);
}

void include_free(struct includes *includes)
{
    while (includes->files != NULL) {
        struct included_file *file = includes->files;
        includes->files = file->next;
        free(file->text);
        free(file);
    }
}
