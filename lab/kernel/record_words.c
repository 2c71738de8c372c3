/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a compiler may be asked for, and what it has said: the caller's words for it, and its first
 * error as one line.
 */
#include "kernel/record.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- words for the compiler ---- */

/*
 * Beginnings of options that only say how to compile. Anything else is refused: options run
 * programs
 * (-fplugin, -B, -wrapper, -fuse-ld, -specs), write files (-o, -MF, -fdump, -fstack-usage,
 * -fprofile, -save-temps), or pass words on to other programs (-Wl, -Xlinker).
 */
static const char *const allowed[] = {"-D",
                                      "-I",
                                      "-U",
                                      "-O",
                                      "-W",
                                      "-g",
                                      "-m",
                                      "-std=",
                                      "-ansi",
                                      "-pedantic",
                                      "-w",
                                      "-iquote",
                                      "-isystem",
                                      "-idirafter",
                                      "-fno-",
                                      "-finline",
                                      "-funroll-",
                                      "-fconstexpr-",
                                      "-ftemplate-",
                                      "-ffp-contract=",
                                      "-fpermissive",
                                      "-fwrapv",
                                      "-fstrict-",
                                      "-fshort-",
                                      "-fsigned-",
                                      "-funsigned-",
                                      "-fomit-",
                                      "-fmerge-",
                                      "-fcommon",
                                      "-fdata-sections",
                                      "-ffunction-",
                                      "-fipa-",
                                      "-ftree-",
                                      "-fmax-errors=",
                                      "-fconcepts",
                                      "-ffast-math",
                                      "-ffile-prefix-map="};
static const char *const refused[] = {"-gsplit-dwarf", "-mwrapper", "-fno-plugin"};
/* Options whose value may be the next word. */
static const char *const pairs[] = {"-D", "-I", "-U", "-iquote", "-isystem", "-idirafter"};

static bool begins(const char *word, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strncmp(word, list[i], strlen(list[i])) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_pair(const char *word)
{
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        if (strcmp(word, pairs[i]) == 0) {
            return true;
        }
    }
    return false;
}

int record_check_flags(struct txl_error *err, const char *const *flags, unsigned count)
{
    if (count > RECORD_FLAGS) {
        return txl_fail(err, "more than %d words for the compiler", RECORD_FLAGS);
    }
    for (unsigned i = 0; i < count; i++) {
        const char *word = flags[i];
        const char *value = is_pair(word) ? ++i < count ? flags[i] : "" : NULL;
        if (value != NULL && (value[0] == '@' || value[0] == '-' || value[0] == '\0')) {
            return txl_fail(err, "%s '%s': the compiler would take that for options; write ./%s",
                            word, value, value);
        }
        /* A comma behind -W passes words on: -Wl,-plugin. */
        if (!begins(word, allowed, sizeof allowed / sizeof allowed[0]) ||
            begins(word, refused, sizeof refused / sizeof refused[0]) ||
            (word[1] == 'W' && strchr(word, ',') != NULL)) {
            return txl_fail(err, "'%s' is not an option that a compiler is given here", word);
        }
    }
    return TXL_OK;
}

/* ---- what it says ---- */

/* One message: its line, the place that it begins with, and what it says. */
struct message {
    const char *line;
    const char *place; /* "FILE:LINE" in it, of so many characters; 0: none */
    size_t place_length;
    const char *text;
    size_t length;
};

/* Finds the first "FILE:LINE:" in the message's line; behind ": " where the linker's name is first.
 */
static void find_place(struct message *m)
{
    const size_t end = strcspn(m->line, "\n");
    m->place = m->line;
    for (size_t i = 1; i + 1 < end && m->place_length == 0; i++) {
        size_t digits = 0;
        while (isdigit((unsigned char)m->line[i + 1 + digits])) {
            digits++;
        }
        if (m->line[i] == ':' && m->line[i + 1] == ' ') {
            m->place = &m->line[i + 2];
        } else if (m->line[i] == ':' && digits != 0 && m->line[i + 1 + digits] == ':') {
            m->place_length = (size_t)(&m->line[i + 1 + digits] - m->place);
        }
    }
}

/* Returns where a word begins in a line, or NULL. */
static const char *in_line(const char *line, const char *word)
{
    const char *found = strstr(line, word);
    return found != NULL && found < line + strcspn(line, "\n") ? found : NULL;
}

/* Returns what a line says of an error, behind the word that tells that it is one, or NULL. */
static const char *error_in(const char *line, bool linker)
{
    if (linker) {
        const char *said = in_line(line, "ld: ");
        return said != NULL ? said + strlen("ld: ") : NULL;
    }
    const char *said = in_line(line, "undefined reference");
    const char *error = in_line(line, "error: ");
    error = error != NULL ? error : in_line(line, "Error: ");
    return said != NULL                                            ? said
           : error != NULL && in_line(line, "ld returned") == NULL ? error + strlen("error: ")
                                                                   : NULL;
}

/* Finds the first message of an error: of the compiler or the assembler, else of the linker. */
static struct message first_error(const char *text)
{
    struct message m = {.line = text, .text = text, .length = strcspn(text, "\n")};
    for (unsigned linker = 0; linker < 2; linker++) {
        for (const char *line = text; *line != '\0'; line += *line == '\n') {
            const char *said = error_in(line, linker != 0);
            if (said != NULL) {
                m.line = line;
                m.text = said;
                m.length = strcspn(said, "\n");
                find_place(&m);
                return m;
            }
            line += strcspn(line, "\n");
        }
    }
    return m;
}

/* Returns the line in the first message that begins with "FILE:LINE" of this file; 0: none. */
static unsigned line_of(const char *text, const char *file)
{
    const size_t length = strlen(record_plain(file));
    for (const char *p = text; p != NULL; p = strchr(p, '\n')) {
        p = record_plain(*p == '\n' ? p + 1 : p);
        if (strncmp(p, record_plain(file), length) == 0 && p[length] == ':' &&
            p[length + 1] >= '1' && p[length + 1] <= '9') {
            return (unsigned)strtoul(p + length + 1, NULL, 10);
        }
        if (*p == '\0') {
            break;
        }
    }
    return 0;
}

/* Tells why the compiler failed without a word: it had no room in the folder of its files, or not.
 */
static int tell_silent(const struct txl_record *r, const struct txl_where *where)
{
    char path[320];
    char bytes[4096] = {0};
    snprintf(path, sizeof path, "%s/out", r->folder);
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool good = fd >= 0 && write(fd, bytes, sizeof bytes) == (ssize_t)sizeof bytes;
    good = good && fsync(fd) == 0;
    const int error = errno != 0 ? errno : ENOSPC;
    if (fd >= 0) {
        (void)close(fd);
    }
    return good ? txl_fail_at(r->err, where, "the compiler failed without a word")
                : txl_fail_at(r->err, where, "the compiler had no room: %s: %s", r->folder,
                              strerror(error));
}

/*
 * gcc names the line that instantiates before the error in a header, and there are no warnings
 * (-w), so that the first line of the source or the list that any message names is the error's.
 * Where the message itself begins with another place, that is told too.
 */
int record_tell(const struct txl_record *r, const char *text)
{
    struct txl_where where = {.file = r->how.source, .line = line_of(text, r->how.source)};
    if (r->how.say != NULL) {
        r->how.say(r->how.user, text);
    }
    if (text[strspn(text, " \n")] == '\0') {
        return tell_silent(r, &where);
    }
    if (r->how.list != NULL && where.line == 0) {
        where = (struct txl_where){.file = r->how.list, .line = line_of(text, r->how.list)};
    }
    struct message m = first_error(text);
    const char *file = strrchr(r->how.source, '/');
    file = file != NULL ? file + 1 : r->how.source;
    const size_t name = strlen(file);
    const char *at = m.place_length != 0 ? in_line(m.line, file) : NULL;
    if (where.line == 0 && at != NULL && at[name] == ':' && isdigit((unsigned char)at[name + 1])) {
        where.line = (unsigned)strtoul(at + name + 1, NULL, 10); /* the linker's, a whole path */
    }
    const bool elsewhere = m.place_length != 0 && at == NULL && in_line(m.line, r->folder) == NULL;
    return elsewhere ? txl_fail_at(r->err, &where, "%.*s (%.*s)", (int)m.length, m.text,
                                   (int)m.place_length, record_plain(m.place))
                     : txl_fail_at(r->err, &where, "%.*s", (int)m.length, m.text);
}
