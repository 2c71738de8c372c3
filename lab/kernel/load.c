/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads and assembles kernel files, several into one program if wanted, and finds the source of
 * each word.
 */
#include <tensix/facts.h>

#include "base/small.h"
#include "kernel/load.h"

#include "base/options.h"
#include "base/waits.h"
#include "kernel/include.h"
#include "kernel/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int txl_refuse_text(struct txl_error *err, const char *name, enum tx_status status,
                    const struct tx_diag *diag)
{
    const bool form = diag->syntax[0] != '\0';
    const struct txl_where where = {.file = diag->file[0] != '\0' ? diag->file : name,
                                    .line = diag->line,
                                    .column = diag->column,
                                    .length = diag->length,
                                    .source = diag->source};
    return txl_fail_at(err, &where, "%s%s%s%s",
                       diag->message[0] != '\0' ? diag->message : tx_status_text(status),
                       form ? " (" : "", diag->syntax, form ? ")" : "");
}

static int check_words(struct txl_error *err, const char *path, const struct tx_program *program)
{
    for (unsigned s = 0; s < TX_SECTIONS; s++) {
        for (size_t i = 0; i < tx_program_count(program, s); i++) {
            uint32_t word = tx_program_words(program, s)[i];
            if (tx_insn_of(tx_program_arch(program), word) != NULL) {
                continue;
            }
            struct txl_where where = txl_where_word(path, program, s, i);
            const struct tx_insn *foreign = NULL;
            enum tx_arch other = TX_ARCH_FIRST;
            while (other <= TX_ARCH_LAST && (foreign = tx_insn_of(other, word)) == NULL) {
                other++;
            }
            if (foreign != NULL) {
                return txl_fail_at(err, &where, "%08x is no instruction of %s; on %s it is %s",
                                   word, tx_arch_name(tx_program_arch(program)),
                                   tx_arch_name(other), foreign->name);
            }
            return txl_fail_at(err, &where, "%08x is no instruction of %s", word,
                               tx_arch_name(tx_program_arch(program)));
        }
    }
    return TXL_OK;
}

static int check_program(struct txl_error *err, const char *name, const struct tx_program *program,
                         const struct txl_kernel_options *how)
{
    const struct txl_where where = {.file = name};
    const enum tx_arch stated = tx_program_arch(program);
    if (how->arch != TX_ARCH_NONE && stated != how->arch) {
        return txl_fail_at(err, &where, "the file states .arch %s, and %s is asked for",
                           tx_arch_name(stated), tx_arch_name(how->arch));
    }
    if (tx_program_threaded(program) && !how->threads) {
        return txl_fail_at(err, &where,
                           "a program of several threads (.thread): run and trace take it");
    }
    if (tx_program_count(program, 0) + tx_program_count(program, 1) == 0 && !how->empty) {
        return txl_fail_at(err, &where, "there is no instruction in it");
    }
    return how->any_word ? TXL_OK : check_words(err, name, program);
}

static int assemble(struct txl_error *err, const char *name, const char *text, size_t length,
                    const struct txl_kernel_options *how, struct tx_program **out)
{
    struct includes includes = {.root = name};
    struct tx_asm_options options = {.arch = how->arch,
                                     .hex = how->hex || words_only(text, length),
                                     .ttinsn = how->ttinsn,
                                     .include = include_answer,
                                     .include_user = &includes};
    struct txl_where where = {.file = name};
    if (options.hex) {
        const int result = words_head(err, &where, text, length, &options.arch, &options.ttinsn);
        if (result != TXL_CONTINUE) {
            return result;
        }
    }
    if (options.hex && options.arch == TX_ARCH_NONE) {
        return txl_fail_option(err, &where, "arch", "a list of hex words does not name its chip");
    }
    struct tx_diag diag = {0};
    enum tx_status status = tx_assemble(text, length, &options, out, &diag);
    include_free(&includes);
    if (status != TX_OK) {
        return txl_refuse_text(err, name, status, &diag);
    }
    if (how->start != TX_START_UNSET) {
        (void)tx_program_set_start(*out, how->start);
    }
    const int result = check_program(err, name, *out, how);
    if (result != TXL_OK) {
        tx_program_free(*out);
        *out = NULL;
    }
    return result;
}

static int load_take(struct txl_error *err, struct txl_kernel_options *how,
                     const struct txl_kernel_options *options)
{
    const int result = options_take(err, how, sizeof *how, options);
    return result == TXL_CONTINUE ? options_reserved(err, how->reserved, sizeof how->reserved)
                                  : result;
}

int txl_kernel_assemble(struct txl_error *err, const char *name, const char *text, size_t length,
                        const struct txl_kernel_options *options, struct tx_program **out)
{
    struct txl_kernel_options how;
    *out = NULL;
    int result = load_take(err, &how, options);
    return result == TXL_CONTINUE ? assemble(err, name, text, length, &how, out) : result;
}

struct txl_where txl_where_word(const char *path, const struct tx_program *program,
                                unsigned section, size_t index)
{
    const uint32_t *lines = tx_program_lines(program, section);
    const uint8_t *files = tx_program_files(program, section);
    const unsigned file = files != NULL ? files[index] : 0;
    return (struct txl_where){.file = file != 0 ? tx_program_source(program, file) : path,
                              .line = lines != NULL ? lines[index] : 0};
}

const char *kernel_source_of(const char *path, const struct tx_program *program, uint32_t word,
                             char text[256])
{
    struct txl_where first = {.file = NULL};
    for (unsigned s = 0; program != NULL && s < TX_SECTIONS; s++) {
        const uint32_t *words = tx_program_words(program, s);
        const size_t count = tx_program_count(program, s);
        for (size_t i = 0; i < count; i++) {
            if (words[i] != word) {
                continue;
            }
            const struct txl_where where = txl_where_word(path, program, s, i);
            if (where.file == NULL || where.line == 0 ||
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

const char *txl_source_of(const struct tx_program *program, uint32_t word, char text[256])
{
    return kernel_source_of(NULL, program, word, text);
}

/* Loads one file. */
static int kernel_load(struct txl_error *err, const char *path,
                       const struct txl_kernel_options *options, struct tx_program **out)
{
    struct txl_kernel_options how = *options;
    size_t length = 0;
    char *text = txl_read_file(err, path, &length);
    how.hex = how.hex || text_ends_in_any_case(path, ".hex");
    int result = text == NULL ? TXL_INPUT : assemble(err, path, text, length, &how, out);
    free(text);
    return result;
}

int txl_kernel_load(struct txl_error *err, const char *const *paths, unsigned count,
                    const struct txl_kernel_options *options, struct tx_program **out)
{
    struct tx_program *program[TX_THREADS] = {NULL};
    struct txl_kernel_options how;
    *out = NULL;
    int result = load_take(err, &how, options);
    if (result != TXL_CONTINUE) {
        return result;
    }
    result = TXL_OK;
    if (count == 0 || count > TX_THREADS) {
        result = txl_fail(err, "a kernel has one to three files, not %u", count);
    }
    how.threads = how.threads && count == 1;
    for (unsigned i = 0; result == TXL_OK && i < count; i++) {
        result = kernel_load(err, paths[i], &how, &program[i]);
    }
    if (result == TXL_OK && count == 1) {
        *out = program[0];
        return TXL_OK;
    }
    if (result == TXL_OK) {
        const struct tx_program *const parts[] = {program[0], program[1], program[2]};
        enum tx_status status = tx_program_join(parts, count, out);
        if (status != TX_OK) {
            result = txl_fail(err, "%s: %s", paths[0],
                              status == TX_EINVAL ? "the kernels of the threads are for two chips"
                                                  : tx_status_text(status));
        }
    }
    for (unsigned i = 0; i < TX_THREADS; i++) {
        tx_program_free(program[i]);
    }
    return result;
}

const char *txl_stuck_text(const tx_machine *machine, enum tx_status status, char *text,
                           size_t size)
{
    snprintf(text, size, "%s",
             status == TX_ELIMIT ? "the program has not ended within max_cycles cycles; a larger "
                                   "max_cycles lets it go on"
                                 : tx_status_text(status));
    struct waits waits = {.count = 0};
    for (unsigned t = 0; status == TX_EDEADLOCK && t < TX_THREADS; t++) {
        waits_thread(&waits, machine, t, "");
    }
    waits_append(&waits, text, size);
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
    return tx_start_name(tx_program_start(program) == TX_START_UNSET ? TX_START_RESET
                                                                     : tx_program_start(program));
}

const char *txl_start_text(const struct tx_program *program)
{
    return tx_program_start(program) == TX_START_VENDOR ? ", start vendor" : "";
}

void txl_formats(const struct tx_program *program, struct tx_kernel_options *options)
{
    if (options->dst == TX_DST_FORMAT_UNSET) {
        options->dst = tx_program_dst(program) != TX_DST_FORMAT_UNSET ? tx_program_dst(program)
                                                                      : TX_DST_FORMAT_FP32;
    }
    if (options->out == TX_DST_FORMAT_UNSET) {
        options->out =
            tx_program_out(program) != TX_DST_FORMAT_UNSET ? tx_program_out(program) : options->dst;
    }
}

int txl_check_words(struct txl_error *err, const char *path, const struct tx_program *program)
{
    const int result = check_words(err, path, program);
    return result == TXL_OK ? TXL_CONTINUE : result;
}
