/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns a line of text into a command and collects its answer. Also has the commands about
 * commands, and the public entry points.
 */
#include "base/json.h"
#include "debug/command.h"

#include <stdlib.h>
#include <string.h>

/* In the order of help. */
const struct command command_list[] = {
    {"step", "s", "[N]", "to the next instruction of another line; a core: to another line",
     command_step},
    {"stepi", "si", "[N]", "to the next instruction of the selected thread or core", command_step},
    {"next", "n", "[N]", "to an instruction further on, over loops, REPLAY and calls",
     command_next},
    {"issue", NULL, "[N]", "to the next instruction that a unit is given, scheduled ones too",
     command_step},
    {"cycle", "cy", "[N]", "so many cycles", command_step},
    {"row", NULL, "[N]", "until rows of Dst have been written", command_step},
    {"tile", NULL, "[N]", "to the beginning of the next tile", command_step},
    {"back", "reverse-stepi", "[UNIT] [N]",
     "as much back: stepi (the default), step, issue, cycle, row, tile", command_back},
    {"continue", "c", "", "to a breakpoint, a watchpoint, the end", command_continue},
    {"reverse-continue", "rc", "", "the same backwards, to the beginning", command_reverse},
    {"run", "r", "", "from the beginning, as continue", command_run},
    {"goto", NULL, "CYCLE|begin|end|race N", "to that cycle, or to that of a race", command_goto},
    {"races", NULL, "", "what nothing orders in a chip's program (chip run --races), with cycles",
     command_races},
    {"break", "b", "WHERE [thread N]",
     "stop before an instruction: N or init:N (a word of .tile or .init), FILE:LINE or :LINE, a "
     "mnemonic, thread N, cycle N, a core's function, *ADDRESS; at finding [RULE], stall [CAUSE], "
     "race [N]",
     command_break},
    {"tbreak", "tb", "WHERE", "the same, once", command_break},
    {"watch", "wa", "WHAT [== VALUE|!= VALUE|nan|differs FILE.npy]",
     "stop where a value changes, becomes one, becomes NaN, is not that of an array",
     command_watch},
    {"delete", "d", "[N]", "a breakpoint, or all", command_delete},
    {"disable", NULL, "N", "a breakpoint for a while", command_enable},
    {"enable", NULL, "N", "and again", command_enable},
    {"info", "i", "[breakpoints|...]", "where it stands; breakpoints; any of what follows",
     command_info},
    {"print", "p", "[/FORMAT] WHAT",
     "L3, L3[7], L3[0:7], dst[5][3], srca[0], gpr4, l1[0x1000:64], flags, a configuration field; "
     "f fp32, h bf16, d int, u uint, s sign and magnitude, x hex",
     command_print},
    {"why", NULL, "L3[7]|dst[ROW][COLUMN]",
     "the instructions and values that made it, back to loads and constants", command_why},
    {"registers", "regs", "[/FORMAT]", "all LRegs, a line each", command_registers},
    {"flags", NULL, "", "lane flags, as a grid", command_flags},
    {"stacks", NULL, "", "the stacks of lane flags", command_stacks},
    {"dst", NULL, "[TILE [ROW [COLUMN]]|format NAME]", "a tile of Dst as 32x32 values",
     command_dst},
    {"src", NULL, "a|b", "the Matrix Unit's bank of SrcA, SrcB", command_src},
    {"l1", "x", "ADDRESS [COUNT] [/FORMAT]|ADDRESS tile FORMAT",
     "words of L1; a tile of 32x32 as bf16, bfp8_b, ...", command_l1},
    {"rwc", NULL, "", "the counters of each thread", command_rwc},
    {"macro", NULL, "", "what SFPLOADMACRO is configured to do", command_macro},
    {"cfg", NULL, "NAME", "a field of the configuration, or all with that in their names",
     command_cfg},
    {"gpr", NULL, "", "the selected thread's registers", command_gpr},
    {"pipeline", NULL, "[CYCLES]", "what each sub-unit did in the last cycles", command_pipeline},
    {"list", "l", "[LINE]", "the source around the next instruction", command_list_source},
    {"disasm", NULL, "[WORD]", "the words around the next instruction", command_disasm},
    {"threads", NULL, "", "where each thread and core stands, what it waits for", command_threads},
    {"thread", "t", "N|CORE|all", "whose instructions stepi and step mean", command_select},
    {"findings", NULL, "", "what is wrong with the program, so far", command_findings},
    {"help", "h", "[COMMAND]", "this", command_help},
    {"quit", "q", "", "the end", command_quit},
    {NULL, NULL, NULL, NULL, NULL},
};

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

const struct command *command_find(const char *word, unsigned *matches)
{
    const struct command *found = NULL;
    *matches = 0;
    for (const struct command *c = command_list; c->name != NULL; c++) {
        if (strcmp(c->name, word) == 0 || (c->alias != NULL && strcmp(c->alias, word) == 0)) {
            *matches = 1;
            return c;
        }
    }
    for (const struct command *c = command_list; c->name != NULL && word[0] != '\0'; c++) {
        if (begins(c->name, word)) {
            found = found == NULL ? c : found;
            ++*matches;
        }
    }
    return found;
}

/* ---- words ---- */

int words_between(const struct answer *a, unsigned least, unsigned most)
{
    const unsigned given = a->count - 1;
    if (given < least) {
        return txl_fail(a->d->err, "%s: something is missing; see 'help %s'", a->name, a->name);
    }
    return given > most ? txl_fail(a->d->err, "%s: '%.40s' is too much; see 'help %s'", a->name,
                                   a->word[most + 1], a->name)
                        : TXL_CONTINUE;
}

int word_number(const struct answer *a, unsigned index, uint64_t most, uint64_t other,
                uint64_t *value)
{
    int64_t got = 0;
    *value = other;
    if (index >= a->count) {
        return TXL_CONTINUE;
    }
    if (!txl_number(a->word[index], 0, (int64_t)most, &got)) {
        return txl_fail(a->d->err, "%s: '%.40s' is no number from 0 to %llu", a->name,
                        a->word[index], (unsigned long long)most);
    }
    *value = (uint64_t)got;
    return TXL_CONTINUE;
}

/*
 * Takes formats such as "/x" out of the words and stores the reading; "print/x" and "print /x" both
 * work.
 */
static int take_format(struct answer *a)
{
    for (unsigned i = 1; i < a->count; i++) {
        if (a->word[i][0] != '/') {
            continue;
        }
        if (!reading_parse(a->word[i] + 1, &a->reading)) {
            return txl_fail(a->d->err, "%s: '%.20s' is no format; there are /f /h /d /u /s /x",
                            a->name, a->word[i]);
        }
        a->count--;
        memmove(&a->word[i], &a->word[i + 1], (a->count - i) * sizeof a->word[0]);
        i--;
    }
    return TXL_CONTINUE;
}

/*
 * Recognises "reverse-step", "rsi" and the like, and returns the unit to go back by; NULL for other
 * words.
 */
static const char *reverse_of(const char *word)
{
    static const char *const units[][2] = {{"rs", "step"}, {"rsi", "stepi"}, {"rn", "step"}};
    for (unsigned i = 0; i < 3; i++) {
        if (strcmp(word, units[i][0]) == 0) {
            return units[i][1];
        }
    }
    if (!begins(word, "reverse-") || strcmp(word, "reverse-continue") == 0) {
        return NULL;
    }
    return strcmp(word + 8, "next") == 0 ? "step" : word + 8;
}

static int debug_command_find(struct answer *a, const struct command **command)
{
    unsigned matches = 0;
    const char *unit = reverse_of(a->word[0]);
    if (unit != NULL && a->count < WORDS) {
        memmove(&a->word[2], &a->word[1], (a->count - 1) * sizeof a->word[0]);
        a->word[0] = "back";
        a->word[1] = unit;
        a->count++;
    }
    *command = command_find(a->word[0], &matches);
    if (matches == 1) {
        a->name = (*command)->name;
        return TXL_CONTINUE;
    }
    if (matches > 1) {
        char names[160] = "";
        size_t n = 0;
        for (const struct command *c = command_list; c->name != NULL; c++) {
            if (begins(c->name, a->word[0]) && n < sizeof names - 32) {
                n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", n != 0 ? ", " : "",
                                      c->name);
            }
        }
        return txl_fail(a->d->err, "'%s' may be any of %s", a->word[0], names);
    }
    return txl_fail(a->d->err, "no command '%.40s'; see help", a->word[0]);
}

/* Splits a line into words, which point into copy. */
static int split(struct answer *a, char *copy)
{
    char *rest = NULL;
    for (char *p = copy; *p != '\0'; p++) {
        *p = *p == '\t' || *p == '\r' || *p == '\n' ? ' ' : *p;
    }
    txl_mask_controls(copy);
    for (char *word = strtok_r(copy, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        char *format = a->count == 0 ? strchr(word, '/') : NULL;
        if (a->count + 2 > WORDS) {
            return txl_fail(a->d->err, "too many words");
        }
        if (format != NULL && format != word && a->count == 0) { /* "print/x" */
            static const char *const letters[] = {"/f", "/h", "/d", "/u", "/s", "/x"};
            const char *given = NULL;
            for (unsigned i = 0; i < 6; i++) {
                given = strcmp(format, letters[i]) == 0 ? letters[i] : given;
            }
            if (given == NULL) {
                return txl_fail(a->d->err, "'%.20s' is no format; there are /f /h /d /u /s /x",
                                format);
            }
            *format = '\0';
            a->word[a->count++] = word;
            a->word[a->count++] = given;
            continue;
        }
        a->word[a->count++] = word;
    }
    return TXL_CONTINUE;
}

/* ---- commands about commands ---- */

int command_help(struct answer *a)
{
    txl_json *list = txl_json_array();
    unsigned matches = 0;
    const struct command *one = a->count > 1 ? command_find(a->word[1], &matches) : NULL;
    if (a->count > 1 && one == NULL) {
        txl_json_free(list);
        return txl_fail(a->d->err, "help: no command '%.40s'", a->word[1]);
    }
    for (const struct command *c = command_list; c->name != NULL; c++) {
        if (one != NULL && c != one) {
            continue;
        }
        char head[128];
        txl_json *o = txl_json_object();
        JSON_MEMBERS(o, c, name, alias, arguments, text);
        txl_json_append(list, o);
        snprintf(head, sizeof head, "%s%s%s%s%s", c->name, c->alias != NULL ? ", " : "",
                 c->alias != NULL ? c->alias : "", c->arguments[0] != '\0' ? " " : "",
                 c->arguments);
        fprintf(a->out, strlen(head) > 28 ? "%s\n%29s%s\n" : "%-28s %s%s\n", head,
                strlen(head) > 28 ? "" : c->text, strlen(head) > 28 ? c->text : "");
    }
    txl_json_set(a->json, "commands", list);
    return TXL_OK;
}

int command_quit(struct answer *a)
{
    a->d->ended = true;
    return TXL_OK;
}

int command_info(struct answer *a)
{
    unsigned matches = 0;
    if (a->count < 2) {
        return command_status(a);
    }
    if (begins("breakpoints", a->word[1]) || begins("watchpoints", a->word[1])) {
        return command_points(a);
    }
    const struct command *c = command_find(a->word[1], &matches);
    if (matches != 1 || c->work == command_info) {
        return txl_fail(a->d->err, "info: nothing is known of '%.40s'", a->word[1]);
    }
    a->name = c->name;
    a->count--;
    memmove(&a->word[0], &a->word[1], a->count * sizeof a->word[0]);
    return c->work(a);
}

/* ---- the public face ---- */

/* Returns the line to execute. An empty line repeats the last one that was not empty. */
static const char *line_of(struct txl_debug *d, const char *line)
{
    const size_t blank = strspn(line, " \t\r\n");
    if (line[blank] == '\0') {
        return d->last != NULL ? d->last : "";
    }
    char *copy = strdup(line);
    if (copy != NULL) {
        free(d->last);
        d->last = copy;
    }
    return line;
}

static int debug_command_work(struct txl_debug *d, const char *line, struct answer *a)
{
    char copy[LINE];
    const struct command *command = NULL;
    if (strlen(line) >= sizeof copy) {
        return txl_fail(d->err, "the line is too long");
    }
    snprintf(copy, sizeof copy, "%s", line);
    int result = split(a, copy);
    if (result == TXL_CONTINUE && (a->count == 0 || a->word[0][0] == '#')) {
        return TXL_OK;
    }
    result = result == TXL_CONTINUE ? debug_command_find(a, &command) : result;
    result = result == TXL_CONTINUE ? take_format(a) : result;
    if (result != TXL_CONTINUE) {
        return result;
    }
    d->interrupted = !ticker_start(&d->ticker, d->how.progress, d->how.user, UINT64_MAX);
    txl_json_set_text(a->json, "command", command->name);
    result = command->work(a);
    if (d->no_memory) { /* the run has stopped for want of memory: that is no answer */
        d->no_memory = false;
        return no_memory(d->err);
    }
    return result == TXL_OK && d->interrupted ? TXL_CANCELLED : result;
}

int txl_debug_do(struct txl_error *err, txl_debug *d, const char *line, char **text,
                 txl_json **json)
{
    struct memory_text out;
    struct answer a = {.d = d, .json = txl_json_object()};
    d->err = err;
    if (text != NULL) {
        *text = NULL;
    }
    if (json != NULL) {
        *json = NULL;
    }
    if (a.json == NULL || memory_text_open(err, &out) != TXL_CONTINUE) {
        txl_json_free(a.json);
        return no_memory(err);
    }
    a.out = out.stream;
    int result = debug_command_work(d, line_of(d, line), &a);
    const int closed = memory_text_close(err, &out);
    if (closed != TXL_CONTINUE) {
        txl_json_free(a.json);
        return closed;
    }
    const bool answered = result == TXL_OK || result == TXL_CANCELLED;
    if (answered && text != NULL) {
        *text = out.text;
    } else {
        free(out.text);
    }
    if (answered && json != NULL) {
        *json = a.json;
    } else {
        txl_json_free(a.json);
    }
    return result;
}

bool txl_debug_ended(const txl_debug *d)
{
    return d->ended;
}

const char *txl_debug_complete(txl_debug *d, const char *line, size_t index)
{
    const char *last = strrchr(line, ' ');
    last = last != NULL ? last + 1 : line;
    if (last == line) {
        for (const struct command *c = command_list; c->name != NULL; c++) {
            if (begins(c->name, last) && index-- == 0) {
                return c->name;
            }
        }
        return NULL;
    }
    const struct tx_config_field *f;
    for (size_t i = 0; last[0] != '\0' && (f = tx_config_field_at(d->arch, i)) != NULL; i++) {
        if (begins(f->name, last) && index-- == 0) {
            return f->name;
        }
    }
    const struct tx_insn *insn;
    for (size_t i = 0; last[0] != '\0' && (insn = tx_insn_at(d->arch, i)) != NULL; i++) {
        if (begins(insn->name, last) && index-- == 0) {
            return insn->name;
        }
    }
    return NULL;
}
