/* SPDX-License-Identifier: Apache-2.0 */
#include "cli.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "json.h"

enum { KEY_ARCH = CLI_KEY_FIRST, KEY_LIKE, KEY_MACROS, KEY_TTINSN };

struct dis_args {
    struct cli *cli;
    enum tx_arch arch;
    enum tx_dis_style style;
    bool ttinsn, words;
    struct tx_macro_reader reader;
    json_t *list; /* --json */
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
    "('-').\vWords are up to 8 hex digits with or without 0x; in files they are separated by "
    "blanks, commas or ends of line, # begins a comment. Plain and --macros output goes through "
    "'tensix asm' and back unchanged. A word that the chip does not have is printed as .word. What "
    "words configure of SFPLOADMACRO stands behind them as .template, .sequence or .misc.";

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct dis_args *a = state->input;
    switch (key) {
    case KEY_ARCH:
        return cli_arch(a->cli, arg, &a->arch);
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
        a->ttinsn = true;
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
    json_t *item = json_object();
    jx_set_hex(item, "word", word);
    jx_set_text(item, "text", text);
    jx_set_bool(item, "known", status == TX_OK);
    if (told) {
        jx_set_text(item, "macro", macro);
    }
    if (tx_decode(a->arch, word, &d) == TX_OK) {
        jx_set_text(item, "mnemonic", d.insn->name);
        jx_set_text(item, "row", d.row != NULL ? d.row->id : NULL);
        jx_set_bool(item, "canonical", d.canonical);
        jx_set_hex(item, "unused", d.unused);
        json_t *fields = json_object();
        for (unsigned i = 0; i < d.insn->field_count; i++) {
            jx_set_int(fields, d.insn->fields[i].name, d.fields[i]);
        }
        json_object_set_new(item, "fields", fields);
    }
    json_array_append_new(a->list, item);
}

static int print_line(struct dis_args *a, const char *line, const struct cli_where *at)
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
            struct cli_where where = *at;
            where.column = (unsigned)(p - line) + 1;
            where.length = (unsigned)strcspn(p, " \t\r\n,#");
            return cli_fail_at(a->cli, &where, "'%.*s' is not a word of up to 8 hex digits",
                               (int)(where.length < 40 ? where.length : 40), p);
        }
        print_word(a, word);
        p += length;
    }
}

static int print_file(struct dis_args *a, const char *path)
{
    struct cli_where where = {.file = path};
    bool standard = strcmp(path, "-") == 0;
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
        result = print_line(a, line, &where);
    }
    if (result == CLI_CONTINUE && ferror(file)) {
        where = (struct cli_where){.file = path};
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
    if (a.arch == TX_ARCH_NONE) {
        return cli_fail(cli, "words do not name their chip: give --arch bh or --arch wh");
    }
    if (a.count == 0) {
        return cli_fail(cli, "no words given; '-' reads standard input");
    }
    a.list = json_array();
    for (unsigned i = 0; i < a.count && result == CLI_CONTINUE; i++) {
        uint32_t word = 0;
        size_t length = word_length(a.items[i], &word);
        bool whole = length > 0 && a.items[i][length] == '\0';
        if (whole && access(a.items[i], F_OK) != 0) {
            print_word(&a, word);
        } else {
            result = print_file(&a, a.items[i]);
        }
    }
    if (cli->json && result == CLI_CONTINUE) {
        jx_print(stdout, a.list);
    }
    json_decref(a.list);
    return result == CLI_CONTINUE ? CLI_OK : result;
}
