/* SPDX-License-Identifier: Apache-2.0 */
#include "cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "outfile.h"

const char *cli_basename(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

const char *cli_unit_name(unsigned unit)
{
    static const char *const names[TX_UNIT_COUNT] = {
        "none", "load",   "simple", "MAD",   "round",  "store", "scalar", "config",
        "sync", "matrix", "front",  "other", "unpack", "pack",  "mover",  "misc"};
    return unit < TX_UNIT_COUNT ? names[unit] : "?";
}

/* More than any program; a device that never ends must not fill the memory. */
static const size_t most_bytes = (size_t)256 << 20;

char *cli_read_file(struct cli *cli, const char *path, size_t *length)
{
    struct cli_where where = {.file = path};
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "rbe");
    if (file == NULL) {
        cli_fail_at(cli, &where, "%s", strerror(errno));
        return NULL;
    }
    size_t size = 0;
    size_t room = 1 << 16;
    char *text = malloc(room + 1);
    while (text != NULL) {
        size += fread(text + size, 1, room - size, file);
        if (size < room || room > most_bytes) {
            break;
        }
        room *= 2;
        char *larger = realloc(text, room + 1);
        if (larger == NULL) {
            free(text);
        }
        text = larger;
    }
    int error = ferror(file) ? errno : 0;
    if (!standard) {
        fclose(file);
    }
    if (text == NULL || error != 0 || size > most_bytes) {
        cli_fail_at(cli, &where, "%s",
                    text == NULL ? "out of memory"
                    : error != 0 ? strerror(error)
                                 : "longer than 256 MiB");
        free(text);
        return NULL;
    }
    text[size] = '\0';
    *length = size;
    return text;
}

int cli_write_file(struct cli *cli, const char *path, const void *data, size_t size)
{
    struct outfile file;
    struct cli_where where = {.file = path};
    int error = outfile_open(&file, path);
    if (error == 0) {
        error = outfile_append(&file, data, size);
        if (error == 0) {
            error = outfile_commit(&file);
        } else {
            outfile_discard(&file);
        }
    }
    return error == 0 ? CLI_OK : cli_fail_at(cli, &where, "%s", strerror(error));
}

static bool ends_in(const char *text, const char *tail)
{
    size_t a = strlen(text);
    size_t b = strlen(tail);
    return a >= b && strcasecmp(text + a - b, tail) == 0;
}

int cli_load_program(struct cli *cli, const char *path, const struct cli_load *how,
                     struct tx_program **out)
{
    *out = NULL;
    size_t length = 0;
    char *text = cli_read_file(cli, path, &length);
    if (text == NULL) {
        return CLI_INPUT;
    }
    struct tx_asm_options options = {
        .arch = how->arch, .hex = how->hex || ends_in(path, ".hex"), .ttinsn = how->ttinsn};
    struct cli_where where = {.file = path};
    if (options.hex && options.arch == TX_ARCH_NONE) {
        free(text);
        return cli_fail_at(cli, &where, "a list of hex words does not name its chip: give --arch");
    }
    struct tx_diag diag = {0};
    enum tx_status status = tx_assemble(text, length, &options, out, &diag);
    free(text);
    if (status != TX_OK) {
        where.line = diag.line;
        where.column = diag.column;
        where.length = diag.length;
        where.source = diag.source;
        return cli_fail_at(cli, &where, "%s",
                           diag.message[0] != '\0' ? diag.message : tx_status_text(status));
    }
    if (how->start != TX_START_UNSET) {
        (*out)->start = how->start;
    }
    enum tx_arch stated = (*out)->arch;
    if (how->arch != TX_ARCH_NONE && stated != how->arch) {
        tx_program_free(*out);
        *out = NULL;
        return cli_fail_at(cli, &where, "the file states .arch %s, --arch is %s",
                           tx_arch_name(stated), tx_arch_name(how->arch));
    }
    if ((*out)->threaded && !how->threads) {
        tx_program_free(*out);
        *out = NULL;
        return cli_fail_at(cli, &where,
                           "a program of several threads (.thread): run and trace take it");
    }
    if ((*out)->section[0].count + (*out)->section[1].count == 0 && !how->empty) {
        tx_program_free(*out);
        *out = NULL;
        return cli_fail_at(cli, &where, "there is no instruction in it");
    }
    return CLI_CONTINUE;
}

struct cli_where cli_where_word(const char *path, const struct tx_program *program,
                                unsigned section, size_t index)
{
    const uint32_t *lines = program->section[section].lines;
    const uint8_t *files = program->section[section].files;
    const unsigned file = files != NULL ? files[index] : 0;
    return (struct cli_where){.file = file != 0 ? program->source[file - 1] : path,
                              .line = lines != NULL ? lines[index] : 0};
}

const char *cli_source_of(const struct tx_program *program, uint32_t word, char text[256])
{
    struct cli_where first = {.file = NULL};
    for (unsigned s = 0; program != NULL && s < TX_SECTIONS; s++) {
        for (size_t i = 0; i < program->section[s].count; i++) {
            if (program->section[s].words[i] != word) {
                continue;
            }
            const struct cli_where where = cli_where_word(NULL, program, s, i);
            if (where.file == NULL ||
                (first.file != NULL && (where.file != first.file || where.line != first.line))) {
                return NULL;
            }
            first = where;
        }
    }
    if (first.file == NULL) {
        return NULL;
    }
    snprintf(text, 256, "%.200s:%u", first.file, first.line);
    return text;
}

int cli_check_words(struct cli *cli, const char *path, const struct tx_program *program)
{
    enum tx_arch other = program->arch == TX_BLACKHOLE ? TX_WORMHOLE : TX_BLACKHOLE;
    for (unsigned s = 0; s < TX_SECTIONS; s++) {
        for (size_t i = 0; i < program->section[s].count; i++) {
            uint32_t word = program->section[s].words[i];
            if (tx_insn_of(program->arch, word) != NULL) {
                continue;
            }
            struct cli_where where = cli_where_word(path, program, s, i);
            const struct tx_insn *foreign = tx_insn_of(other, word);
            if (foreign != NULL) {
                return cli_fail_at(cli, &where, "%08x is no instruction of %s; on %s it is %s",
                                   word, tx_arch_name(program->arch), tx_arch_name(other),
                                   foreign->name);
            }
            return cli_fail_at(cli, &where, "%08x is no instruction of %s", word,
                               tx_arch_name(program->arch));
        }
    }
    return CLI_CONTINUE;
}

error_t cli_add_file(struct cli *cli, const char *path, struct cli_files *files)
{
    if (files->count == TX_THREADS) {
        return cli_fail(cli, "three threads take three kernels: '%s' is one more", path);
    }
    files->path[files->count++] = path;
    return 0;
}

int cli_load_kernel(struct cli *cli, const struct cli_files *files, const struct cli_load *how,
                    struct tx_program **out)
{
    struct tx_program *program[TX_THREADS] = {NULL};
    struct cli_load each = *how;
    int result = CLI_CONTINUE;
    *out = NULL;
    each.threads = files->count == 1;
    for (unsigned i = 0; i < files->count && result == CLI_CONTINUE; i++) {
        result = cli_load_program(cli, files->path[i], &each, &program[i]);
        if (result == CLI_CONTINUE) {
            result = cli_check_words(cli, files->path[i], program[i]);
        }
    }
    if (result == CLI_CONTINUE && files->count == 1) {
        *out = program[0];
        return CLI_CONTINUE;
    }
    if (result == CLI_CONTINUE) {
        const struct tx_program *const parts[] = {program[0], program[1], program[2]};
        enum tx_status status = tx_program_join(parts, files->count, out);
        if (status != TX_OK) {
            result = cli_fail(cli, "%s: %s", files->path[0],
                              status == TX_EINVAL ? "the kernels of the threads are for two chips"
                                                  : tx_status_text(status));
        }
    }
    for (unsigned i = 0; i < files->count; i++) {
        tx_program_free(program[i]);
    }
    return result;
}

const char *cli_stuck_text(const tx_machine *machine, enum tx_status status, char *text,
                           size_t size)
{
    size_t used =
        (size_t)snprintf(text, size, "%s",
                         status == TX_ELIMIT ? "it is not through after the cycles it may take: "
                                               "--max-cycles N allows more"
                                             : tx_status_text(status));
    for (unsigned t = 0; status == TX_EDEADLOCK && t < TX_THREADS && used < size; t++) {
        char line[256];
        if (tx_wait_text(machine, t, line, sizeof line)) {
            used += (size_t)snprintf(text + used, size - used, "; %s", line);
        }
    }
    return text;
}
