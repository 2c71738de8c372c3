/* SPDX-License-Identifier: Apache-2.0 */
#include "cli.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tensix-lab/elf.h>
#include <tensix-lab/json.h>

enum { KEY_ARCH = CLI_KEY_FIRST, KEY_LIKE, KEY_MACROS, KEY_TTINSN };

struct dis_args {
    struct cli *cli;
    enum tx_arch arch;
    enum tx_arch given; /* --arch; arch may come from a file */
    enum tx_dis_style style;
    bool ttinsn, words;
    bool rotated;         /* --ttinsn */
    const char *function; /* of an ELF file, or NULL */
    struct tx_macro_reader reader;
    txl_json *list; /* --json */
    char **items;
    unsigned count;
};

static const struct argp_option options[] = {
    {"arch", KEY_ARCH, "CHIP", 0, "bh or wh in any spelling", 1},
    {"like", KEY_LIKE, "objdump", 0, "Print what the vendor's objdump prints, .insn included", 1},
    {"macros", KEY_MACROS, NULL, 0, "Print TTI_ macros", 1},
    {"ttinsn", KEY_TTINSN, NULL, 0, "The words are rotated as in a RISC-V instruction stream", 1},
    {"words", 'w', NULL, 0, "Each line with its word behind a #", 1},
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Disassembles words given on the command line, in files of hex words, or on standard input "
    "('-'), or of the functions of a RISC-V ELF file.\vThe head that 'tensix asm' writes names "
    "chip and encoding, an ELF file its chip; other words need --arch. Words are up to 8 hex "
    "digits with or without 0x; in files they are separated by blanks, commas or ends of line, # "
    "begins a comment. Plain and --macros output goes through 'tensix asm' and back unchanged. A "
    "word that the chip does not have is printed as .word. What words configure of SFPLOADMACRO "
    "stands behind them as .template, .sequence or .misc.";

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct dis_args *a = state->input;
    switch (key) {
    case KEY_ARCH:
        return cli_arch(a->cli, arg, &a->given);
    case KEY_LIKE:
        if (strcmp(arg, "objdump") != 0) {
            return cli_fail(a->cli, "--like: '%s' is not objdump", arg);
        }
        a->style = TX_DIS_OBJDUMP;
        return 0;
    case KEY_MACROS:
        a->style = TX_DIS_MACRO;
        return 0;
    case KEY_TTINSN:
        a->rotated = true;
        return 0;
    case 'w':
        a->words = true;
        return 0;
    case ARGP_KEY_ARGS:
        a->items = state->argv + state->next;
        a->count = (unsigned)(state->argc - state->next);
        return 0;
    default:
        return cli_common(a->cli, key);
    }
}

/* The number of characters that make a word, 0 where there is none. */
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

static void print_word(struct dis_args *a, uint32_t raw)
{
    uint32_t word = a->ttinsn ? tx_ttinsn_undo(raw) : raw;
    char text[128] = "";
    enum tx_status status = tx_disassemble(a->arch, word, a->style, text, sizeof text);
    char macro[256] = "";
    bool told = a->style != TX_DIS_OBJDUMP &&
                tx_macro_follow(&a->reader, a->arch, word, macro, sizeof macro);
    if (!a->cli->json) {
        printf("%-*s", a->words ? 40 : 0, text);
        if (a->words) {
            printf(" # %08x", raw);
        }
        printf("%s%s\n", told ? "  # " : "", macro);
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

/* "# blackhole, rotated (.ttinsn)", the first line that 'tensix asm' writes: what words are. */
static int read_head(struct dis_args *a, const char *line, const struct txl_where *at)
{
    static const char rotated[] = ", rotated (.ttinsn)";
    for (enum tx_arch k = TX_WORMHOLE; k <= TX_BLACKHOLE; k++) {
        const char *name = tx_arch_name(k);
        const size_t length = strlen(name);
        if (strncmp(line, "# ", 2) != 0 || strncmp(line + 2, name, length) != 0) {
            continue;
        }
        const char *rest = line + 2 + length;
        const bool turned = strncmp(rest, rotated, sizeof rotated - 1) == 0;
        rest += turned ? sizeof rotated - 1 : 0;
        if (rest[strspn(rest, "\r\n")] != '\0') {
            continue;
        }
        if (a->given != TX_ARCH_NONE && a->given != k) {
            return cli_fail_at(a->cli, at, "the words are of %s, --arch is %s", name,
                               tx_arch_name(a->given));
        }
        if (a->rotated && !turned) {
            return cli_fail_at(a->cli, at, "the words are not rotated, as --ttinsn says");
        }
        a->arch = k;
        a->ttinsn = turned;
    }
    return CLI_CONTINUE;
}

static int print_elf(struct dis_args *a, const char *path)
{
    txl_elf *elf = NULL;
    struct txl_where where = {.file = path};
    int result = txl_elf_open(&a->cli->error, path, &elf);
    if (result != CLI_OK) {
        return result;
    }
    const enum tx_arch own = txl_elf_arch(elf);
    a->arch = a->given != TX_ARCH_NONE ? a->given : own;
    a->ttinsn = false; /* the reader has turned them */
    result = CLI_CONTINUE;
    if (a->arch == TX_ARCH_NONE) {
        result = cli_fail_at(a->cli, &where, "the file does not name its chip: give --arch");
    } else if (own != TX_ARCH_NONE && own != a->arch) {
        result = cli_fail_at(a->cli, &where, "the file is of %s, --arch is %s", tx_arch_name(own),
                             tx_arch_name(a->arch));
    } else if (txl_elf_functions(elf) == 0) {
        result = cli_fail_at(a->cli, &where, "no function of it holds a Tensix instruction");
    }
    for (size_t i = 0; i < txl_elf_functions(elf) && result == CLI_CONTINUE; i++) {
        const struct txl_elf_function *f = txl_elf_function(elf, i);
        a->function = f->name;
        if (!a->cli->json) {
            printf("# %s\n", f->name);
        }
        for (size_t k = 0; k < f->count; k++) {
            print_word(a, f->words[k]);
        }
    }
    a->function = NULL;
    txl_elf_close(elf);
    return result;
}

static int print_line(struct dis_args *a, const char *line, const struct txl_where *at)
{
    const char *p = line;
    for (;;) {
        p += strspn(p, " \t\r\n,");
        if (*p == '\0' || *p == '#') {
            return CLI_CONTINUE;
        }
        uint32_t word = 0;
        size_t length = word_length(p, &word);
        if (length == 0 || strchr(" \t\r\n,#", p[length]) == NULL) {
            struct txl_where where = *at;
            where.column = (unsigned)(p - line) + 1;
            where.length = (unsigned)strcspn(p, " \t\r\n,#");
            return cli_fail_at(a->cli, &where, "'%.*s' is not a word of up to 8 hex digits",
                               (int)(where.length < 40 ? where.length : 40), p);
        }
        if (a->arch == TX_ARCH_NONE) {
            return cli_fail_at(a->cli, at,
                               "words do not name their chip: give --arch bh or "
                               "--arch wh");
        }
        print_word(a, word);
        p += length;
    }
}

static int print_file(struct dis_args *a, const char *path)
{
    struct txl_where where = {.file = path};
    bool standard = strcmp(path, "-") == 0;
    a->arch = a->given;
    a->ttinsn = a->rotated;
    if (!standard && txl_elf_is(path)) {
        return print_elf(a, path);
    }
    FILE *file = standard ? stdin : fopen(path, "re");
    if (file == NULL) {
        return cli_fail_at(a->cli, &where,
                           errno == ENOENT ? "no such file, nor a word of up to 8 hex digits"
                                           : "%s",
                           strerror(errno));
    }
    char *line = NULL;
    size_t room = 0;
    int result = CLI_CONTINUE;
    errno = 0;
    while (result == CLI_CONTINUE && getline(&line, &room, file) >= 0) {
        where.line++;
        where.source = line;
        result = where.line == 1 ? read_head(a, line, &where) : CLI_CONTINUE;
        if (result == CLI_CONTINUE) {
            result = print_line(a, line, &where);
        }
    }
    if (result == CLI_CONTINUE && ferror(file)) {
        where = (struct txl_where){.file = path};
        result = cli_fail_at(a->cli, &where, "%s", strerror(errno));
    }
    free(line);
    if (!standard) {
        fclose(file);
    }
    return result;
}

int cmd_dis(struct cli *cli, int argc, char **argv)
{
    struct dis_args a = {.cli = cli, .style = TX_DIS_NORMAL};
    static const struct argp argp = {options, parse, "FILE|WORD|-...", doc, NULL, NULL, NULL};
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (a.count == 0) {
        return cli_fail(cli, "no words given; '-' reads standard input");
    }
    a.list = txl_json_array();
    for (unsigned i = 0; i < a.count && result == CLI_CONTINUE; i++) {
        uint32_t word = 0;
        size_t length = word_length(a.items[i], &word);
        bool whole = length > 0 && a.items[i][length] == '\0';
        if (whole && access(a.items[i], F_OK) != 0) {
            a.arch = a.given;
            a.ttinsn = a.rotated;
            if (a.arch == TX_ARCH_NONE) {
                result = cli_fail(cli, "words do not name their chip: give --arch bh or --arch wh");
            } else {
                print_word(&a, word);
            }
        } else {
            result = print_file(&a, a.items[i]);
        }
    }
    if (cli->json && result == CLI_CONTINUE) {
        result = cli_put(cli, txl_json_indented(a.list));
    }
    txl_json_free(a.list);
    return result == CLI_CONTINUE ? CLI_OK : result;
}
