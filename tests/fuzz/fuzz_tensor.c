/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tensix convert, diff and tile over any options and any file. The first line of the input is a
 * list such as
 *
 *     c;i=tile:bfp8_b;o=npy;a=bh;s=64,128
 *
 * command c, d or t, then options by their letters, i and o (d: the second input) being the ending
 * and the rest of a name; the file is what follows. Output goes to /dev/null.
 */
#include "cli/cli.h"
#include "input_file.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

enum { WORDS = 24, WORD = 128, LINE = 1024 };

static const struct {
    char letter;
    const char *option;
} options[] = {{'a', "--arch="},
               {'f', "--from="},
               {'t', "--to="},
               {'r', "--route="},
               {'D', "--dst="},
               {'s', "--shape="},
               {'T', "--tile="},
               {'F', "--transpose-faces"},
               {'W', "--transpose-within-face"},
               {'2', "--twos-complement"},
               {'m', "--format="},
               {'u', "--max-ulp="},
               {'S', "--show="},
               {'x', "--index="},
               {'c', "--face="},
               {'R', "--rows="},
               {'C', "--columns="},
               {'b', "--bits"},
               {'j', "--json"}};

static const char *const endings[] = {"tile", "npy", "npz"};
static struct input_file input;
static char outputs[3][64]; /* of each ending, to /dev/null */

static void remove_files(void)
{
    for (unsigned i = 0; i < 3; i++) {
        unlink(outputs[i]);
    }
    input_file_remove(&input);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    for (unsigned i = 0; i < 3; i++) {
        char name[16];
        snprintf(name, sizeof name, "in.%s", endings[i]);
        input_file_name(&input, i, name);
        snprintf(outputs[i], sizeof outputs[i], "%s/out.%s", input.folder, endings[i]);
        if (symlink("/dev/null", outputs[i]) != 0) {
            abort();
        }
    }
    atexit(remove_files);
    return 0;
}

/* "npz:a" to folder/in.npz:a; no other file can be named. */
static bool set_name(char word[WORD], const char *stem, const char *text)
{
    for (unsigned i = 0; i < 3; i++) {
        size_t length = strlen(endings[i]);
        if (strncmp(text, endings[i], length) == 0) {
            const char *rest = text + length;
            bool clean = rest[0] == '\0' || rest[0] == ':';
            snprintf(word, WORD, "%s/%s.%s%s", input.folder, stem, endings[i], rest);
            return clean && strpbrk(rest, "/.") == NULL && strlen(rest) < 40;
        }
    }
    return false;
}

static int run_command(char command, int argc, char **argv, bool json)
{
    struct cli cli = {.json = json};
    int code;
    switch (command) {
    case 'c':
        cli.command = "convert";
        code = cli_run(&cli, cli_find("convert"), argc, argv);
        break;
    case 'd':
        cli.command = "diff";
        code = cli_run(&cli, cli_find("diff"), argc, argv);
        break;
    default:
        cli.command = "tile show";
        code = cli_run(&cli, cli_find("tile show"), argc - 1, argv + 1);
        break;
    }
    cli_report(&cli, code);
    if (code < CLI_OK || code > CLI_INPUT || cli.failed != (code == CLI_INPUT)) {
        abort();
    }
    return code;
}

/* The words of the command line. False: the line is none. */
static bool parse_line(char *line, char words[WORDS][WORD], int *count, bool *json)
{
    char *rest = NULL;
    char command = line[0];
    char first[WORD] = "";
    char second[WORD] = "";
    *count = 0;
    snprintf(words[(*count)++], WORD, "x");
    for (char *field = strtok_r(line, ";", &rest); field != NULL;
         field = strtok_r(NULL, ";", &rest)) {
        const char *value = field[1] == '=' ? field + 2 : "";
        if (field[0] == 'i' && !set_name(first, "in", value)) {
            return false;
        }
        if (field[0] == 'o' && !set_name(second, command == 'd' ? "in" : "out", value)) {
            return false;
        }
        for (size_t k = 0; k < sizeof options / sizeof options[0] && *count < WORDS - 4; k++) {
            if (field[0] == options[k].letter && field[1] != '\0') {
                snprintf(words[(*count)++], WORD, "%s%s", options[k].option,
                         strchr(options[k].option, '=') != NULL ? value : "");
                *json |= field[0] == 'j';
            }
        }
    }
    if (command == 't') {
        snprintf(words[(*count)++], WORD, "show");
    }
    snprintf(words[(*count)++], WORD, "%s", first);
    if (command != 't') {
        snprintf(words[(*count)++], WORD, "%s", second);
    }
    return first[0] != '\0' && (command == 't' || second[0] != '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *null;
    char line[LINE];
    char words[WORDS][WORD];
    char *argv[WORDS + 1] = {0};
    int count = 0;
    bool json = false;
    const uint8_t *end = memchr(data, '\n', size);
    size_t length = end != NULL ? (size_t)(end - data) : size;
    if (end == NULL || length == 0 || length >= LINE || strchr("cdt", data[0]) == NULL ||
        data[0] == '\0') {
        return 0;
    }
    memcpy(line, data, length);
    line[length] = '\0';
    if (!parse_line(line, words, &count, &json)) {
        return 0;
    }
    for (int i = 0; i < count; i++) {
        argv[i] = words[i];
    }
    input_file_put(&input, end + 1, size - length - 1);
    if (null == NULL && (null = fopen("/dev/null", "w")) == NULL) {
        abort();
    }
    FILE *out = stdout;
    FILE *err = stderr;
    stdout = null;
    stderr = null;
    run_command((char)data[0], count, argv, json);
    stdout = out;
    stderr = err;
    return 0;
}
