/* SPDX-License-Identifier: Apache-2.0 */
/* Disassembles words given directly, in files, or in ELF files. */
#include <tensix-lab/dis.h>

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tensix-lab/elf.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/options.h"
#include "kernel/dis.h"
#include "kernel/words.h"

struct dis {
    struct txl_error *err;
    struct txl_dis_options how;
    enum tx_arch arch; /* from the options or the file */
    bool ttinsn;
    const char *function; /* function of the ELF file that is wanted, or NULL */
    struct tx_macro_reader reader;
    FILE *out; /* NULL: the output goes to list */
    txl_json *list;
};

/* Returns the number of characters that form a word, or 0 where there is none. */
static size_t word_length(const char *text, uint32_t *word)
{
    size_t start = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 2 : 0;
    size_t digits = 0;
    uint32_t value = 0;
    while (isxdigit((unsigned char)text[start + digits])) {
        char c = text[start + digits];
        uint32_t digit = (uint32_t)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
        value = value << 4 | digit;
        digits++;
        if (digits > 8) {
            return 0;
        }
    }
    *word = value;
    return digits == 0 ? 0 : start + digits;
}

static void print_word(struct dis *a, uint32_t raw)
{
    uint32_t word = a->ttinsn ? tx_ttinsn_undo(raw) : raw;
    char text[128] = "";
    enum tx_status status = tx_disassemble(a->arch, word, a->how.style, text, sizeof text);
    char macro[256] = "";
    bool told = a->how.style != TX_DIS_OBJDUMP &&
                tx_macro_follow(&a->reader, a->arch, word, macro, sizeof macro);
    if (a->out != NULL) {
        fprintf(a->out, "%-*s", a->how.words ? 40 : 0, text);
        if (a->how.words) {
            fprintf(a->out, " # %08x", raw);
        }
        fprintf(a->out, "%s%s\n", told ? "  # " : "", macro);
        return;
    }
    struct tx_decoded d;
    txl_json *item = txl_json_object();
    txl_json_set_word(item, "word", word);
    txl_json_set_text(item, "text", text);
    txl_json_set_bool(item, "known", status == TX_OK);
    if (a->function != NULL) {
        txl_json_set_text(item, "function", a->function);
    }
    if (told) {
        txl_json_set_text(item, "macro", macro);
    }
    if (tx_decode(a->arch, word, &d) == TX_OK) {
        txl_json_set_text(item, "mnemonic", d.insn->name);
        txl_json_set_text(item, "row", d.row != NULL ? d.row->id : NULL);
        txl_json_set_bool(item, "canonical", d.canonical);
        txl_json_set_word(item, "unused", d.unused);
        txl_json *fields = txl_json_object();
        for (unsigned i = 0; i < d.insn->field_count; i++) {
            txl_json_set_int(fields, d.insn->fields[i].name, d.fields[i]);
        }
        txl_json_set(item, "fields", fields);
    }
    txl_json_append(a->list, item);
}

static int print_elf(struct dis *a, const char *path)
{
    txl_elf *elf = NULL;
    struct txl_where where = {.file = path};
    int result = txl_elf_open(a->err, path, &elf);
    if (result != TXL_OK) {
        return result;
    }
    const enum tx_arch own = txl_elf_arch(elf);
    a->arch = a->how.arch != TX_ARCH_NONE ? a->how.arch : own;
    a->ttinsn = false; /* the ELF reader has rotated them back */
    result = TXL_CONTINUE;
    if (a->arch == TX_ARCH_NONE) {
        result = txl_fail_at(a->err, &where, "the file does not name its chip: give --arch");
    } else if (own != TX_ARCH_NONE && own != a->arch) {
        result = txl_fail_at(a->err, &where, "the file is of %s, --arch is %s", tx_arch_name(own),
                             tx_arch_name(a->arch));
    } else if (txl_elf_functions(elf) == 0) {
        result = txl_fail_at(a->err, &where, "no function of it holds a Tensix instruction");
    }
    for (size_t i = 0; i < txl_elf_functions(elf) && result == TXL_CONTINUE; i++) {
        const struct txl_elf_function *f = txl_elf_function(elf, i);
        a->function = f->name;
        if (a->out != NULL) {
            fprintf(a->out, "# %s\n", f->name);
        }
        if (a->how.riscv && a->out != NULL) {
            result =
                dis_function(a->out, a->arch, a->how.style, f) ? TXL_CONTINUE : no_memory(a->err);
            continue;
        }
        for (size_t k = 0; k < f->count; k++) {
            print_word(a, f->words[k]);
        }
    }
    a->function = NULL;
    txl_elf_close(elf);
    return result;
}

static int print_line(struct dis *a, const char *line, const struct txl_where *at)
{
    const char *p = line;
    for (;;) {
        p += strspn(p, " \t\r\n,");
        if (*p == '\0' || *p == '#') {
            return TXL_CONTINUE;
        }
        uint32_t word = 0;
        size_t length = word_length(p, &word);
        if (length == 0 || strchr(" \t\r\n,#", p[length]) == NULL) {
            struct txl_where where = *at;
            where.column = (unsigned)(p - line) + 1;
            where.length = (unsigned)strcspn(p, " \t\r\n,#");
            return txl_fail_at(a->err, &where, "'%.*s' is not a word of up to 8 hex digits",
                               (int)(where.length < 40 ? where.length : 40), p);
        }
        if (a->arch == TX_ARCH_NONE) {
            return txl_fail_at(a->err, at,
                               "words do not name their chip: give --arch bh or "
                               "--arch wh");
        }
        print_word(a, word);
        p += length;
    }
}

/* Prints a file of words that has been read completely. Cuts the text into lines. */
static int print_lines(struct dis *a, char *text, size_t size, const char *path)
{
    struct txl_where where = {.file = path};
    int result = TXL_CONTINUE;
    for (char *line = text; line != NULL && result == TXL_CONTINUE;) {
        char *end = memchr(line, '\n', (size_t)(text + size - line));
        if (end != NULL) {
            *end++ = '\0';
        }
        where.line++;
        where.source = line;
        result = where.line == 1
                     ? words_head(a->err, &where, line, strlen(line), &a->arch, &a->ttinsn)
                     : TXL_CONTINUE;
        if (result == TXL_CONTINUE) {
            result = print_line(a, line, &where);
        }
        line = end;
    }
    return result;
}

static int print_file(struct dis *a, const char *path)
{
    const struct txl_where where = {.file = path};
    const bool standard = strcmp(path, "-") == 0;
    a->arch = a->how.arch;
    a->ttinsn = a->how.ttinsn;
    if (!standard && txl_elf_is(path)) {
        return print_elf(a, path);
    }
    if (!standard && access(path, F_OK) != 0 && errno == ENOENT) {
        return txl_fail_at(a->err, &where, "no such file, nor a word of up to 8 hex digits");
    }
    size_t size = 0;
    char *text = txl_read_file(a->err, path, &size);
    const int result = text != NULL ? print_lines(a, text, size, path) : TXL_INPUT;
    free(text);
    return result;
}

static int print_item(struct dis *a, const char *item)
{
    uint32_t word = 0;
    const size_t length = word_length(item, &word);
    if (length == 0 || item[length] != '\0' || access(item, F_OK) == 0) {
        return print_file(a, item);
    }
    a->arch = a->how.arch;
    a->ttinsn = a->how.ttinsn;
    if (a->arch == TX_ARCH_NONE) {
        return txl_fail(a->err, "words do not name their chip: give --arch bh or --arch wh");
    }
    print_word(a, word);
    return TXL_CONTINUE;
}

static int print_items(struct dis *a, const char *const *items, size_t count,
                       const struct txl_dis_options *options)
{
    int result = options_take(a->err, &a->how, sizeof a->how, options);
    if (result == TXL_CONTINUE) {
        result = options_reserved(a->err, a->how.reserved, sizeof a->how.reserved);
    }
    if (result == TXL_CONTINUE && a->how.riscv && (a->out == NULL || a->how.words)) {
        result = txl_fail_option(a->err, NULL, "riscv", "is for text, without the words");
    }
    for (size_t i = 0; i < count && result == TXL_CONTINUE; i++) {
        result = print_item(a, items[i]);
    }
    return result == TXL_CONTINUE ? TXL_OK : result;
}

int txl_dis_text(struct txl_error *err, const char *const *items, size_t count,
                 const struct txl_dis_options *options, char **text)
{
    struct memory_text written;
    *text = NULL;
    if (memory_text_open(err, &written) != TXL_CONTINUE) {
        return TXL_INPUT;
    }
    struct dis a = {.err = err, .out = written.stream};
    const int result = print_items(&a, items, count, options);
    return memory_text_give(err, &written, result, text);
}

int txl_dis_json(struct txl_error *err, const char *const *items, size_t count,
                 const struct txl_dis_options *options, char **text)
{
    struct dis a = {.err = err, .list = txl_json_array()};
    const int result = print_items(&a, items, count, options);
    *text = json_text(a.list);
    if (result != TXL_OK) {
        free(*text);
        *text = NULL;
        return result;
    }
    return *text != NULL ? TXL_OK : no_memory(err);
}
