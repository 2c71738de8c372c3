/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *txl_unit_name(unsigned unit)
{
    static const char *const names[TX_UNIT_COUNT] = {
        "none", "load",   "simple", "MAD",   "round",  "store", "scalar", "config",
        "sync", "matrix", "front",  "other", "unpack", "pack",  "mover",  "misc"};
    return unit < TX_UNIT_COUNT ? names[unit] : "?";
}

static bool ends_in(const char *text, const char *tail)
{
    size_t a = strlen(text);
    size_t b = strlen(tail);
    return a >= b && strcasecmp(text + a - b, tail) == 0;
}

int txl_load_program(struct txl_error *err, const char *path, const struct txl_load *how,
                     struct tx_program **out)
{
    *out = NULL;
    size_t length = 0;
    char *text = txl_read_file(err, path, &length);
    if (text == NULL) {
        return TXL_INPUT;
    }
    struct tx_asm_options options = {
        .arch = how->arch, .hex = how->hex || ends_in(path, ".hex"), .ttinsn = how->ttinsn};
    struct txl_where where = {.file = path};
    if (options.hex && options.arch == TX_ARCH_NONE) {
        free(text);
        return txl_fail_at(err, &where, "a list of hex words does not name its chip: give --arch");
    }
    struct tx_diag diag = {0};
    enum tx_status status = tx_assemble(text, length, &options, out, &diag);
    free(text);
    if (status != TX_OK) {
        where.line = diag.line;
        where.column = diag.column;
        where.length = diag.length;
        where.source = diag.source;
        return txl_fail_at(err, &where, "%s",
                           diag.message[0] != '\0' ? diag.message : tx_status_text(status));
    }
    if (how->start != TX_START_UNSET) {
        (*out)->start = how->start;
    }
    enum tx_arch stated = (*out)->arch;
    if (how->arch != TX_ARCH_NONE && stated != how->arch) {
        tx_program_free(*out);
        *out = NULL;
        return txl_fail_at(err, &where, "the file states .arch %s, --arch is %s",
                           tx_arch_name(stated), tx_arch_name(how->arch));
    }
    if ((*out)->threaded && !how->threads) {
        tx_program_free(*out);
        *out = NULL;
        return txl_fail_at(err, &where,
                           "a program of several threads (.thread): run and trace take it");
    }
    if ((*out)->section[0].count + (*out)->section[1].count == 0 && !how->empty) {
        tx_program_free(*out);
        *out = NULL;
        return txl_fail_at(err, &where, "there is no instruction in it");
    }
    return TXL_CONTINUE;
}

struct txl_where txl_where_word(const char *path, const struct tx_program *program,
                                unsigned section, size_t index)
{
    const uint32_t *lines = program->section[section].lines;
    const uint8_t *files = program->section[section].files;
    const unsigned file = files != NULL ? files[index] : 0;
    return (struct txl_where){.file = file != 0 ? program->source[file - 1] : path,
                              .line = lines != NULL ? lines[index] : 0};
}

const char *txl_source_of(const struct tx_program *program, uint32_t word, char text[256])
{
    struct txl_where first = {.file = NULL};
    for (unsigned s = 0; program != NULL && s < TX_SECTIONS; s++) {
        for (size_t i = 0; i < program->section[s].count; i++) {
            if (program->section[s].words[i] != word) {
                continue;
            }
            const struct txl_where where = txl_where_word(NULL, program, s, i);
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

int txl_check_words(struct txl_error *err, const char *path, const struct tx_program *program)
{
    enum tx_arch other = program->arch == TX_BLACKHOLE ? TX_WORMHOLE : TX_BLACKHOLE;
    for (unsigned s = 0; s < TX_SECTIONS; s++) {
        for (size_t i = 0; i < program->section[s].count; i++) {
            uint32_t word = program->section[s].words[i];
            if (tx_insn_of(program->arch, word) != NULL) {
                continue;
            }
            struct txl_where where = txl_where_word(path, program, s, i);
            const struct tx_insn *foreign = tx_insn_of(other, word);
            if (foreign != NULL) {
                return txl_fail_at(err, &where, "%08x is no instruction of %s; on %s it is %s",
                                   word, tx_arch_name(program->arch), tx_arch_name(other),
                                   foreign->name);
            }
            return txl_fail_at(err, &where, "%08x is no instruction of %s", word,
                               tx_arch_name(program->arch));
        }
    }
    return TXL_CONTINUE;
}

int txl_load_kernel(struct txl_error *err, const struct txl_files *files,
                    const struct txl_load *how, struct tx_program **out)
{
    struct tx_program *program[TX_THREADS] = {NULL};
    struct txl_load each = *how;
    int result = TXL_CONTINUE;
    *out = NULL;
    each.threads = files->count == 1;
    for (unsigned i = 0; i < files->count && result == TXL_CONTINUE; i++) {
        result = txl_load_program(err, files->path[i], &each, &program[i]);
        if (result == TXL_CONTINUE) {
            result = txl_check_words(err, files->path[i], program[i]);
        }
    }
    if (result == TXL_CONTINUE && files->count == 1) {
        *out = program[0];
        return TXL_CONTINUE;
    }
    if (result == TXL_CONTINUE) {
        const struct tx_program *const parts[] = {program[0], program[1], program[2]};
        enum tx_status status = tx_program_join(parts, files->count, out);
        if (status != TX_OK) {
            result = txl_fail(err, "%s: %s", files->path[0],
                              status == TX_EINVAL ? "the kernels of the threads are for two chips"
                                                  : tx_status_text(status));
        }
    }
    for (unsigned i = 0; i < files->count; i++) {
        tx_program_free(program[i]);
    }
    return result;
}

const char *txl_stuck_text(const tx_machine *machine, enum tx_status status, char *text,
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

const char *txl_dst_text(enum tx_dst_format format, char text[80])
{
    const char *encoding = tx_dst_encoding_name(format);
    snprintf(text, 80, "%s%s%s%s", tx_dst_format_name(format), encoding[0] != '\0' ? " (" : "",
             encoding, encoding[0] != '\0' ? ")" : "");
    return text;
}

const char *txl_start_name(const struct tx_program *program)
{
    return tx_start_name(program->start == TX_START_UNSET ? TX_START_RESET : program->start);
}

const char *txl_start_text(const struct tx_program *program)
{
    return program->start == TX_START_VENDOR ? ", start vendor" : "";
}

void txl_formats(const struct tx_program *program, struct tx_kernel_options *options)
{
    if (options->dst == TX_DST_UNSET) {
        options->dst = program->dst != TX_DST_UNSET ? program->dst : TX_DST_FP32;
    }
    if (options->out == TX_DST_UNSET) {
        options->out = program->out != TX_DST_UNSET ? program->out : options->dst;
    }
}
