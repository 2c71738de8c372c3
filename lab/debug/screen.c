/* SPDX-License-Identifier: Apache-2.0 */
/* The screen of txl_debug_screen: turns keys into commands and keeps their answers. */
#include "debug/screen.h"

#include <stdlib.h>
#include <string.h>

#include "debug/points.h"

/* The panes that Tab on an empty line cycles through. */
static const char *const panes[] = {"registers", "flags",           "dst", "stacks", "rwc",
                                    "macro",     "info breakpoints"};

/* ---- answers ---- */

static void log_line(struct txl_debug_screen *s, const char *text, size_t length,
                     enum txl_debug_look look)
{
    char *copy = strndup(text, length);
    if (copy == NULL) {
        return; /* without memory a line of the answer is lost */
    }
    if (s->log_count == LOG_LINES) {
        free(s->log[0].text);
        memmove(&s->log[0], &s->log[1], (LOG_LINES - 1) * sizeof s->log[0]);
        s->log_count--;
    }
    s->log[s->log_count++] = (struct log_line){copy, (unsigned char)look};
}

static void log_text(struct txl_debug_screen *s, const char *text, enum txl_debug_look look)
{
    while (text != NULL && *text != '\0') {
        const size_t length = strcspn(text, "\n");
        log_line(s, text, length, look);
        text += length + (text[length] == '\n' ? 1 : 0);
    }
}

/*
 * Executes a command for the screen itself and returns its answer, without changing d->last:
 * otherwise an empty line would repeat this command instead of the user's.
 */
char *screen_ask(struct txl_debug *d, const char *command)
{
    struct txl_error ignored = {.status = TXL_OK};
    char *text = NULL;
    char *last = d->last;
    const bool interrupted = d->interrupted;
    d->last = NULL;
    (void)txl_debug_do(&ignored, d, command, &text, NULL);
    free(d->last);
    d->last = last;
    d->interrupted = interrupted;
    return text;
}

static void ask_pane(struct txl_debug_screen *s)
{
    s->d->width = s->pane_width;
    s->seen = screen_ask(s->d, s->pane);
    s->d->width = 0;
}

void screen_stale(struct txl_debug_screen *s)
{
    free(s->source);
    free(s->pipeline);
    s->source = s->pipeline = NULL;
}

static void look_again(struct txl_debug_screen *s)
{
    screen_stale(s);
    free(s->before);
    s->before = s->seen;
    ask_pane(s);
}

void screen_resized(struct txl_debug_screen *s, unsigned width)
{
    if (width != s->pane_width) {
        s->pane_width = width;
        free(s->before);
        free(s->seen);
        s->before = NULL;
        ask_pane(s);
    }
}

/*
 * Handles "pane COMMAND", which makes the right pane show the answer of that command from now on.
 */
static bool take_pane(struct txl_debug_screen *s, const char *line)
{
    if (strncmp(line, "pane ", 5) != 0) {
        return false;
    }
    static const char *const moves[] = {
        "step",   "stepi",    "next", "issue",   "cycle",  "row",   "tile",
        "back",   "continue", "run",  "goto",    "break",  "watch", "reverse-continue",
        "tbreak", "delete",   "quit", "disable", "enable", "thread"};
    unsigned matches = 0;
    char word[32];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(line + 5, " /"), line + 5);
    const struct command *c = command_find(word, &matches);
    for (unsigned i = 0; c != NULL && i < sizeof moves / sizeof *moves; i++) {
        matches = strcmp(c->name, moves[i]) == 0 ? 0 : matches;
    }
    if (matches != 1) {
        log_text(s, "pane: a command that shows something is to follow, as in 'pane dst'",
                 TXL_LOOK_WRONG);
        return true;
    }
    snprintf(s->pane, sizeof s->pane, "%.299s", line + 5);
    free(s->seen);
    ask_pane(s);
    free(s->before);
    s->before = NULL;
    return true;
}

static void remember(struct txl_debug_screen *s, const char *line)
{
    char *copy = strdup(line);
    if (copy == NULL) {
        return;
    }
    if (s->history_count == HISTORY_LINES) {
        free(s->history[0]);
        memmove(&s->history[0], &s->history[1], (HISTORY_LINES - 1) * sizeof s->history[0]);
        s->history_count--;
    }
    s->history[s->history_count++] = copy;
}

static int enter(struct txl_error *err, struct txl_debug_screen *s, const char *line)
{
    char shown[INPUT + 16];
    struct txl_error own = {.status = TXL_OK};
    char *text = NULL;
    s->scroll = 0;
    snprintf(shown, sizeof shown, "(tensix) %s", line);
    log_text(s, shown, TXL_LOOK_COMMAND);
    if (take_pane(s, line)) {
        return TXL_OK;
    }
    const int result = txl_debug_do(&own, s->d, line, &text, NULL);
    if (result == TXL_INPUT) {
        log_text(s, own.message, TXL_LOOK_WRONG);
    }
    log_text(s, text, TXL_LOOK_PLAIN);
    free(text);
    look_again(s);
    (void)err;
    return TXL_OK;
}

/* ---- the command line ---- */

static void set_input(struct txl_debug_screen *s, const char *text)
{
    snprintf(s->input, sizeof s->input, "%s", text);
    s->length = s->cursor = (unsigned)strlen(s->input);
}

static void insert(struct txl_debug_screen *s, char c)
{
    if (s->length == INPUT) {
        return;
    }
    memmove(s->input + s->cursor + 1, s->input + s->cursor, s->length - s->cursor + 1);
    s->input[s->cursor++] = c;
    s->length++;
}

static void erase(struct txl_debug_screen *s, unsigned at)
{
    if (at < s->length) {
        memmove(s->input + at, s->input + at + 1, s->length - at);
        s->length--;
    }
}

static void recall(struct txl_debug_screen *s, bool up)
{
    if (up && s->history_at > 0) {
        s->history_at--;
    } else if (!up && s->history_at < s->history_count) {
        s->history_at++;
    }
    set_input(s, s->history_at < s->history_count ? s->history[s->history_at] : "");
}

static void complete(struct txl_debug_screen *s)
{
    if (s->completion == 0) {
        snprintf(s->stem, sizeof s->stem, "%s", s->input);
    }
    const char *word = txl_debug_complete(s->d, s->stem, s->completion);
    if (word == NULL && s->completion != 0) { /* start again with the first */
        s->completion = 0;
        word = txl_debug_complete(s->d, s->stem, 0);
    }
    if (word == NULL) {
        return;
    }
    char line[INPUT + 1];
    const char *last = strrchr(s->stem, ' ');
    const int keep = last != NULL ? (int)(last + 1 - s->stem) : 0;
    snprintf(line, sizeof line, "%.*s%.90s", keep, s->stem, word);
    set_input(s, line);
    s->completion++;
}

static void next_pane(struct txl_debug_screen *s)
{
    const unsigned count = sizeof panes / sizeof *panes;
    unsigned at = 0;
    for (unsigned i = 0; i < count; i++) {
        at = strcmp(s->pane, panes[i]) == 0 ? i + 1 : at;
    }
    char line[64];
    snprintf(line, sizeof line, "pane %s", panes[at % count]);
    (void)take_pane(s, line);
}

static int enter_line(struct txl_error *err, struct txl_debug_screen *s)
{
    char line[INPUT + 1];
    snprintf(line, sizeof line, "%s", s->input);
    if (s->length != 0) {
        remember(s, line);
    }
    s->history_at = s->history_count;
    set_input(s, "");
    return enter(err, s, line);
}

/* Handles an arrow key or Tab on an empty line; returns true where it was one. */
static bool arrow(struct txl_error *err, struct txl_debug_screen *s, int key, int *result)
{
    if (s->length != 0 || (key != TXL_KEY_LEFT && key != TXL_KEY_RIGHT && key != TXL_KEY_TAB)) {
        return false;
    }
    if (key == TXL_KEY_TAB) {
        next_pane(s);
    } else {
        *result = enter(err, s, key == TXL_KEY_LEFT ? "back" : "stepi");
    }
    return true;
}

int txl_debug_screen_key(struct txl_error *err, txl_debug_screen *s, int key)
{
    int result = TXL_OK;
    if (key != TXL_KEY_TAB) {
        s->completion = 0;
    }
    if (arrow(err, s, key, &result)) {
        return result;
    }
    switch (key) {
    case TXL_KEY_ENTER:
        return enter_line(err, s);
    case TXL_KEY_BACKSPACE:
        if (s->cursor > 0) {
            erase(s, --s->cursor);
        }
        break;
    case TXL_KEY_DELETE:
        erase(s, s->cursor);
        break;
    case TXL_KEY_LEFT:
        s->cursor -= s->cursor > 0 ? 1 : 0;
        break;
    case TXL_KEY_RIGHT:
        s->cursor += s->cursor < s->length ? 1 : 0;
        break;
    case TXL_KEY_UP:
    case TXL_KEY_DOWN:
        recall(s, key == TXL_KEY_UP);
        break;
    case TXL_KEY_HOME:
        s->cursor = 0;
        break;
    case TXL_KEY_END:
        s->cursor = s->length;
        break;
    case TXL_KEY_PAGE_UP:
        s->scroll = s->scroll + 5 < s->log_count ? s->scroll + 5 : s->log_count;
        break;
    case TXL_KEY_PAGE_DOWN:
        s->scroll = s->scroll > 5 ? s->scroll - 5 : 0;
        break;
    case TXL_KEY_TAB:
        complete(s);
        break;
    case TXL_KEY_CLEAR:
        set_input(s, "");
        break;
    default:
        if (key >= ' ' && key < 0x7F) {
            insert(s, (char)key);
        }
        break;
    }
    return result;
}

/* ---- open and close ---- */

int txl_debug_screen_open(struct txl_error *err, txl_debug *debug, txl_debug_screen **screen)
{
    *screen = NULL;
    struct txl_debug_screen *s = zeroed(err, 1, sizeof *s);
    if (s == NULL) {
        return TXL_INPUT;
    }
    s->d = debug;
    snprintf(s->pane, sizeof s->pane, "registers");
    log_text(s, "help: the commands; right and left: an instruction on and back; Tab: another pane",
             TXL_LOOK_PLAIN);
    *screen = s;
    return TXL_OK;
}

void txl_debug_screen_close(txl_debug_screen *s)
{
    if (s == NULL) {
        return;
    }
    for (unsigned i = 0; i < s->log_count; i++) {
        free(s->log[i].text);
    }
    for (unsigned i = 0; i < s->history_count; i++) {
        free(s->history[i]);
    }
    screen_stale(s);
    free(s->seen);
    free(s->before);
    free(s);
}
