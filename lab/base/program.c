/* SPDX-License-Identifier: Apache-2.0 */
/* Finds executables and chooses the environment of child processes. */
#include "base/program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int program_find(const char *folders, const char *word, char *path, size_t size)
{
    int error = ENOENT;
    if (strchr(word, '/') != NULL) {
        snprintf(path, size, "%s", word);
        return strlen(word) >= size ? ENAMETOOLONG : access(path, X_OK) == 0 ? 0 : errno;
    }
    folders = folders != NULL ? folders : "/usr/bin:/bin";
    while (folders[0] != '\0') {
        const size_t length = strcspn(folders, ":");
        const int all = snprintf(path, size, "%.*s/%s", (int)length, folders, word);
        if (all < (int)size && access(path, X_OK) == 0) {
            return 0;
        }
        error = all < (int)size && errno == EACCES ? EACCES : error;
        folders += length + (folders[length] == ':');
    }
    return error;
}

const char *program_word(const char *name, char *text, size_t size)
{
    if (name[0] != '-' && name[0] != '@') {
        return name;
    }
    snprintf(text, size, "./%s", name);
    return text;
}

/* Returns the value of a variable that names the folder for temporary files, or NULL. */
static const char *temp_of(const char *variable)
{
    static const char *const names[] = {"TMPDIR=", "TMP=", "TEMP="};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strncmp(variable, names[i], strlen(names[i])) == 0) {
            return variable + strlen(names[i]);
        }
    }
    return NULL;
}

char **program_compiler_environment(char *const *given, const char *temp)
{
    static const char locale[] = "LC_ALL=C";
    static const char folder[] = "PWD=" PROGRAM_WORKING_FOLDER;
    static const char tmpdir[] = "TMPDIR=";
    const size_t fixed = sizeof locale + sizeof folder;
    const size_t room = fixed + sizeof tmpdir + (temp != NULL ? strlen(temp) : 0) + 1;
    size_t count = 0;
    size_t to = 0;
    while (given != NULL && given[count] != NULL) {
        count++;
    }
    char **list = calloc(1, (count + 4) * sizeof *list + room);
    char *text = list != NULL ? (char *)&list[count + 4] : NULL;
    for (size_t i = 0; list != NULL && i < count; i++) {
        const char *temporary = temp_of(given[i]);
        if (strncmp(given[i], "LC_ALL=", 7) != 0 && strncmp(given[i], "PWD=", 4) != 0 &&
            (temporary == NULL || (temp == NULL && temporary[0] == '/'))) {
            list[to++] = given[i];
        }
    }
    if (list != NULL) {
        list[to++] = memcpy(text, locale, sizeof locale);
        text += sizeof locale;
        list[to++] = memcpy(text, folder, sizeof folder);
        text += sizeof folder;
    }
    if (list != NULL && temp != NULL) {
        list[to] = text;
        snprintf(text, room - fixed, "%s%s", tmpdir, temp);
    }
    return list;
}

char *const *program_environment(char *const *given)
{
    static const char *const bare[] = {"PATH=/usr/bin:/bin", NULL};
    const char *const *ours = bare;
    char *const *list = given;
    if (given == NULL) {
        memcpy(&list, &ours, sizeof list); /* the strings are never written to */
    }
    return list;
}
