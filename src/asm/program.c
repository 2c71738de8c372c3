/* SPDX-License-Identifier: Apache-2.0 */
/* Programs: the accessors that callers use, and joining the programs of several threads. */
#include "asm/program.h"

#include <stdlib.h>
#include <string.h>

/* ---- looking ---- */

enum tx_arch tx_program_arch(const tx_program *program)
{
    return program->arch;
}

enum tx_dst_format tx_program_dst(const tx_program *program)
{
    return program->dst;
}

enum tx_dst_format tx_program_out(const tx_program *program)
{
    return program->out;
}

enum tx_start tx_program_start(const tx_program *program)
{
    return program->start;
}

unsigned tx_program_inputs(const tx_program *program)
{
    return program->inputs;
}

unsigned tx_program_output(const tx_program *program)
{
    return program->output;
}

unsigned tx_program_fpu_first(const tx_program *program)
{
    return program->fpu_first;
}

unsigned tx_program_fpu_rows(const tx_program *program)
{
    return program->fpu_rows;
}

bool tx_program_carry(const tx_program *program)
{
    return program->carry;
}

const char *tx_program_reference(const tx_program *program)
{
    return program->reference;
}

const char *tx_program_title(const tx_program *program)
{
    return program->title;
}

bool tx_program_threaded(const tx_program *program)
{
    return program->threaded;
}

size_t tx_program_count(const tx_program *program, unsigned section)
{
    return section < TX_SECTIONS ? program->section[section].count : 0;
}

const uint32_t *tx_program_words(const tx_program *program, unsigned section)
{
    return section < TX_SECTIONS ? program->section[section].words : NULL;
}

const uint32_t *tx_program_lines(const tx_program *program, unsigned section)
{
    return section < TX_SECTIONS ? program->section[section].lines : NULL;
}

const uint8_t *tx_program_files(const tx_program *program, unsigned section)
{
    return section < TX_SECTIONS ? program->section[section].files : NULL;
}

const uint8_t *tx_program_threads(const tx_program *program, unsigned section)
{
    return section < TX_SECTIONS ? program->section[section].threads : NULL;
}

const char *tx_program_source(const tx_program *program, unsigned file)
{
    return file == 0 || file > TX_SOURCE_FILES ? NULL : program->source[file - 1];
}

const uint32_t *tx_program_mop(const tx_program *program, unsigned thread)
{
    return thread <= TX_THREADS ? program->mop[thread] : NULL;
}

unsigned tx_program_mop_given(const tx_program *program, unsigned thread)
{
    return thread <= TX_THREADS ? program->mop_given[thread] : 0;
}

unsigned tx_program_config_count(const tx_program *program)
{
    return program->config_count;
}

const char *tx_program_config_name(const tx_program *program, unsigned index)
{
    return index < program->config_count ? program->config[index].name : NULL;
}

uint32_t tx_program_config_value(const tx_program *program, unsigned index)
{
    return index < program->config_count ? program->config[index].value : 0;
}

unsigned tx_program_free_count(const tx_program *program)
{
    return program->free_count;
}

const struct tx_free_constant *tx_program_free_constant(const tx_program *program, unsigned index)
{
    return index < program->free_count ? &program->free[index] : NULL;
}

enum tx_status tx_program_set_start(tx_program *program, enum tx_start start)
{
    if (start != TX_START_UNSET && start != TX_START_RESET && start != TX_START_VENDOR) {
        return TX_EINVAL;
    }
    program->start = start;
    return TX_OK;
}

/* ---- life ---- */

void tx_program_free(struct tx_program *program)
{
    if (program == NULL) {
        return;
    }
    for (unsigned s = 0; s < TX_SECTIONS; s++) {
        free(program->section[s].words);
        free(program->section[s].lines);
        free(program->section[s].threads);
        free(program->section[s].files);
    }
    free(program);
}

/* Returns the number of a file in "out", adding it if it is new; 0 if there is no room. */
static uint8_t join_file(struct tx_program *out, const char *name)
{
    for (unsigned i = 0; i < TX_SOURCE_FILES; i++) {
        if (out->source[i][0] == '\0') {
            memcpy(out->source[i], name, TX_SOURCE_NAME);
        }
        if (strcmp(out->source[i], name) == 0) {
            return (uint8_t)(i + 1);
        }
    }
    return 0;
}

static bool join_section(struct tx_program *out, const struct tx_program *const programs[],
                         unsigned count, unsigned section)
{
    size_t total = 0;
    for (unsigned t = 0; t < count; t++) {
        total += programs[t]->section[section].count;
    }
    out->section[section].words = malloc((total + 1) * sizeof(uint32_t));
    out->section[section].lines = malloc((total + 1) * sizeof(uint32_t));
    out->section[section].threads = malloc(total + 1);
    out->section[section].files = calloc(total + 1, 1);
    if (out->section[section].words == NULL || out->section[section].lines == NULL ||
        out->section[section].threads == NULL || out->section[section].files == NULL) {
        return false;
    }
    for (unsigned t = 0; t < count; t++) {
        const size_t n = programs[t]->section[section].count;
        const size_t at = out->section[section].count;
        if (n != 0) {
            memcpy(&out->section[section].words[at], programs[t]->section[section].words,
                   n * sizeof(uint32_t));
            memcpy(&out->section[section].lines[at], programs[t]->section[section].lines,
                   n * sizeof(uint32_t));
            memset(&out->section[section].threads[at], (int)t, n);
        }
        for (size_t i = 0; i < n; i++) {
            const unsigned file = programs[t]->section[section].files[i];
            if (file != 0) {
                out->section[section].files[at + i] = join_file(out, programs[t]->source[file - 1]);
            }
        }
        out->section[section].count += n;
    }
    return true;
}

enum tx_status tx_program_join(const struct tx_program *const programs[], unsigned count,
                               struct tx_program **out)
{
    *out = NULL;
    if (count == 0 || count > TX_THREADS) {
        return TX_EINVAL;
    }
    for (unsigned t = 0; t < count; t++) {
        if (programs[t]->threaded || programs[t]->arch != programs[0]->arch) {
            return TX_EINVAL;
        }
    }
    struct tx_program *program = malloc(sizeof *program);
    if (program == NULL) {
        return TX_ENOMEM;
    }
    *program = *programs[0];
    memset(program->section, 0, sizeof program->section);
    program->threaded = true;
    for (unsigned t = 0; t < count; t++) {
        memcpy(program->mop[t], programs[t]->mop[TX_THREADS], sizeof program->mop[t]);
        program->mop_given[t] = programs[t]->mop_given[TX_THREADS];
    }
    program->mop_given[TX_THREADS] = 0;
    for (unsigned t = 0; t < count && program->start == TX_START_UNSET; t++) {
        program->start = programs[t]->start;
    }
    for (unsigned s = 0; s < TX_SECTIONS; s++) {
        if (!join_section(program, programs, count, s)) {
            tx_program_free(program);
            return TX_ENOMEM;
        }
    }
    *out = program;
    return TX_OK;
}
