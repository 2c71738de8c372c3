/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a list of kernels that are compiled together. Each line has a name and the options of one
 * kernel as they would stand on the command line, which supplies what a line leaves out.
 */
#include "kernel/record.h"

#include <stdlib.h>
#include <string.h>

static int fail_line(const struct txl_record *r, unsigned line, const char *what, const char *word)
{
    const struct txl_where where = {.file = r->how.list, .line = line};
    return txl_fail_at(r->err, &where, "%s '%s'", what, word);
}

/*
 * Returns the next word of *rest, cut off in place. Blanks separate words, the quotes ' and " keep
 * them together, # begins a comment. NULL: there is none. *open: a quote is not closed.
 */
static char *next_word(char **rest, bool *open)
{
    char *in = *rest + strspn(*rest, " \t\r");
    char *word = in;
    char *to = in;
    char quote = '\0';
    if (*in == '\0' || *in == '#') {
        return NULL;
    }
    for (; *in != '\0' && (quote != '\0' || strchr(" \t\r", *in) == NULL); in++) {
        if (quote == '\0' && (*in == '\'' || *in == '"')) {
            quote = *in;
        } else if (*in == quote) {
            quote = '\0';
        } else {
            *to++ = *in;
        }
    }
    *open = quote != '\0';
    *rest = *in != '\0' ? in + 1 : in;
    *to = '\0';
    return word;
}

/* Takes one option of a line; value is the word that follows it, or NULL. */
static int take_option(struct txl_record *r, struct record_kernel *kernel, const char *option,
                       const char *value)
{
    static const char *const directives[][2] = {
        {"--title", ".title"},   {"--dst", ".dst"},       {"--start", ".start"},
        {"--inputs", ".inputs"}, {"--output", ".output"}, {"--reference", ".reference"}};
    if (value == NULL) {
        return fail_line(r, kernel->line, "there is no value after", option);
    }
    if (strcmp(option, "--init") == 0) {
        kernel->init = value;
        return 0;
    }
    if (strcmp(option, "--tile") == 0) {
        kernel->tile = value;
        return 0;
    }
    for (size_t i = 0; i < sizeof directives / sizeof directives[0]; i++) {
        if (strcmp(option, directives[i][0]) == 0) {
            return record_head(r->err, kernel, directives[i][1], value);
        }
    }
    return fail_line(r, kernel->line, "a line of a list takes no option", option);
}

static int take_line(struct txl_record *r, struct record_kernel *kernel, char *rest)
{
    bool open = false;
    char *word = next_word(&rest, &open);
    kernel->name = word;
    if (word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")] !=
            '\0' ||
        word[0] == '-' || word[0] == '.') {
        return fail_line(r, kernel->line, "a kernel's name has letters, digits, _ . and -, not",
                         word);
    }
    for (word = next_word(&rest, &open); word != NULL; word = next_word(&rest, &open)) {
        char *equal = strchr(word, '=');
        char *value = equal;
        if (strncmp(word, "--", 2) == 0 && equal != NULL) {
            *equal = '\0';
            value = equal + 1;
        } else {
            value = next_word(&rest, &open);
        }
        const int result = take_option(r, kernel, word, value);
        if (result != 0) {
            return result;
        }
    }
    if (open) {
        return fail_line(r, kernel->line, "a quote is not closed in the line of", kernel->name);
    }
    for (const struct record_kernel *k = r->kernels; k < kernel; k++) {
        if (strcmp(k->name, kernel->name) == 0) {
            return fail_line(r, kernel->line, "this name stands in the list twice:", k->name);
        }
    }
    return kernel->tile != NULL
               ? TXL_OK
               : fail_line(r, kernel->line, "no --tile FUNC is given for", kernel->name);
}

int record_read_list(struct txl_record *r)
{
    size_t length = 0;
    char *text = txl_read_file(r->err, r->how.list, &length);
    char *rest = text;
    unsigned line = 0;
    int result = text != NULL ? TXL_OK : TXL_INPUT;
    size_t most = 1; /* the number of lines */
    for (const char *p = text; p != NULL && (p = strchr(p, '\n')) != NULL && most < RECORD_KERNELS;
         p++) {
        most++;
    }
    r->kernels = calloc(most, sizeof *r->kernels);
    if (r->kernels == NULL) {
        result = txl_fail(r->err, "out of memory");
    }
    for (char *one = strsep(&rest, "\n"); one != NULL && result == TXL_OK;
         one = strsep(&rest, "\n")) {
        const char *start = one + strspn(one, " \t\r");
        line++;
        if (*start == '\0' || *start == '#') {
            continue;
        }
        if (r->count == RECORD_KERNELS) {
            result = txl_fail(r->err, "%s: more than %d kernels", r->how.list, RECORD_KERNELS);
            break;
        }
        struct record_kernel *kernel = &r->kernels[r->count++];
        *kernel = r->one;
        kernel->line = line;
        kernel->text = strdup(one);
        result = kernel->text != NULL ? take_line(r, kernel, kernel->text)
                                      : txl_fail(r->err, "out of memory");
    }
    free(text);
    if (result == TXL_OK && r->count == 0) {
        return txl_fail(r->err, "%s: there is no kernel in the list", r->how.list);
    }
    return result;
}
