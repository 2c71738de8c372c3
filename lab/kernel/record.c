/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The public functions of recording. What the recording program writes is assembled, which checks
 * it, and returned with the disassembly of its words.
 */
#include "kernel/record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/options.h"

static const char spills[] = "# spills: "; /* as tensix/record.h writes it */

int record_head(struct txl_error *err, struct record_kernel *kernel, const char *directive,
                const char *value)
{
    const size_t used = strlen(kernel->head);
    const char *quote = strcmp(directive, ".title") == 0 ? "\"" : "";
    if (strpbrk(value, "\"\n\\") != NULL) {
        return txl_fail(err, "%s: '%s' has a quote, a backslash or an end of line", directive,
                        value);
    }
    const int length = snprintf(kernel->head + used, sizeof kernel->head - used, "%s %s%s%s\n",
                                directive, quote, value, quote);
    return length < (int)(sizeof kernel->head - used) ? TXL_OK
                                                      : txl_fail(err, "the head is too long");
}

/* Takes the kernel that the options describe. */
static int take_kernel(struct txl_record *r)
{
    struct txl_record_kernel k;
    int result = options_take(r->err, &k, sizeof k, r->how.kernel);
    if (result == TXL_CONTINUE) {
        result = options_reserved(r->err, &k.reserved, sizeof k.reserved);
    }
    if (result != TXL_CONTINUE) {
        return result;
    }
    r->one.init = k.init;
    r->one.tile = k.tile;
    result = TXL_OK;
    for (unsigned i = 0; i + 1 < k.head_count && result == TXL_OK; i += 2) {
        result = record_head(r->err, &r->one, k.head[i], k.head[i + 1]);
    }
    return result;
}

/* Reads the rest of the options and checks what they leave out. */
static int kernel_record_settle(struct txl_record *r)
{
    const struct txl_record_options *how = &r->how;
    const struct txl_where where = {.file = how->source};
    int result = take_kernel(r);
    if (result != TXL_OK) {
        return result;
    }
    if (how->source == NULL || how->arch == TX_ARCH_NONE ||
        (how->list == NULL && r->one.tile == NULL)) {
        return txl_fail(r->err, "%s is missing",
                        how->source == NULL         ? "the source"
                        : how->arch == TX_ARCH_NONE ? "the chip"
                                                    : "what to call for each tile");
    }
    result = record_check_flags(r->err, how->flags, how->flag_count);
    if (result != TXL_OK) {
        return result;
    }
    if (access(how->source, R_OK) != 0) {
        return txl_fail_at(r->err, &where, "%s", strerror(errno));
    }
    if (how->list != NULL) {
        return record_read_list(r);
    }
    r->kernels = &r->one;
    r->count = 1;
    return TXL_OK;
}

int txl_record_open(struct txl_error *err, const struct txl_record_options *options,
                    txl_record **record)
{
    struct txl_record *r = zeroed(err, 1, sizeof *r);
    *record = NULL;
    if (r == NULL) {
        return TXL_INPUT;
    }
    r->err = err;
    int result = options_take(err, &r->how, sizeof r->how, options);
    if (result == TXL_CONTINUE) {
        result = kernel_record_settle(r);
    }
    if (result == TXL_OK) {
        result = record_compile(r);
    }
    if (result != TXL_OK) {
        txl_record_close(r);
        return result;
    }
    *record = r;
    return TXL_OK;
}

void txl_record_close(txl_record *r)
{
    if (r == NULL) {
        return;
    }
    record_clean(r);
    for (size_t i = 0; r->kernels != &r->one && i < r->count; i++) {
        free(r->kernels[i].text);
    }
    if (r->kernels != &r->one) {
        free(r->kernels);
    }
    free(r);
}

size_t txl_record_count(const txl_record *r)
{
    return r->count;
}

const char *txl_record_name(const txl_record *r, size_t index)
{
    return index < r->count ? r->kernels[index].name : NULL;
}

/* Writes the lines of the recording, with the disassembly in place of .word lines. */
static void write_kernel(const struct txl_record *r, const struct record_kernel *kernel, char *text,
                         FILE *out)
{
    char *rest = text;
    for (char *line = strsep(&rest, "\n"); line != NULL; line = strsep(&rest, "\n")) {
        static const char word[] = "    .word ";
        char dis[128];
        if (strncmp(line, word, strlen(word)) == 0) {
            (void)tx_disassemble(r->how.arch, (uint32_t)strtoul(line + strlen(word), NULL, 0),
                                 TX_DIS_NORMAL, dis, sizeof dis);
            fprintf(out, "    %s\n", dis);
        } else if (strncmp(line, ".file ", 6) == 0 && strchr(line, '"') != NULL) {
            const char *name = strchr(line, '"') + 1;
            fprintf(out, "%.*s%s\n", (int)(name - line), line, record_plain(name));
        } else if (strncmp(line, spills, strlen(spills)) == 0) {
            fprintf(out, "%s%s\n", spills, record_plain(line + strlen(spills)));
        } else if (strncmp(line, ".start ", 7) == 0 && strstr(kernel->head, ".start ") != NULL) {
            continue; /* the options name another one */
        } else if (line[0] != '\0') {
            fprintf(out, "%s\n%s", line, strncmp(line, ".arch", 5) == 0 ? kernel->head : "");
        }
    }
}

static int check(const struct txl_record *r, const struct record_kernel *kernel, const char *text,
                 size_t size)
{
    struct tx_program *program = NULL;
    struct tx_diag diag = {0};
    const enum tx_status status = tx_assemble(text, size, NULL, &program, &diag);
    tx_program_free(program);
    if (status == TX_OK) {
        return TXL_OK;
    }
    const struct txl_where where = {.file = r->how.list, .line = kernel->line};
    const char *why = diag.message[0] != '\0' ? diag.message : tx_status_text(status);
    return kernel->line != 0
               ? txl_fail_at(r->err, &where, "%s: the recording is no kernel: %s (%s)",
                             kernel->name, why, diag.source)
               : txl_fail(r->err, "the recording is no kernel: %s (%s)", why, diag.source);
}

int txl_record_text(struct txl_error *err, txl_record *r, size_t index, char **text, size_t *size)
{
    char *raw = NULL;
    *text = NULL;
    *size = 0;
    if (index >= r->count) {
        return txl_fail(err, "there is no kernel %zu", index);
    }
    r->err = err;
    const struct record_kernel *kernel = &r->kernels[index];
    int result = record_run(r, kernel, &raw);
    struct memory_text memory = {0};
    if (result == TXL_OK) {
        result = memory_text_open(err, &memory);
    }
    if (result == TXL_CONTINUE) {
        write_kernel(r, kernel, raw, memory.stream);
        result = memory_text_close(err, &memory);
    }
    if (result == TXL_CONTINUE) {
        *text = memory.text;
        *size = memory.size;
        result = check(r, kernel, *text, *size);
    }
    if (result != TXL_OK) {
        free(*text);
        *text = NULL;
        *size = 0;
    }
    free(raw);
    return result;
}

const char *txl_record_spill(const char *text, const char *from, size_t *length)
{
    const char *found = strstr(from != NULL ? from : text, spills);
    if (found == NULL) {
        return NULL;
    }
    found += strlen(spills);
    *length = strcspn(found, "\n");
    return found;
}
