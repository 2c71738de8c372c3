/* SPDX-License-Identifier: Apache-2.0 */
/* tensix debug on a terminal: ncurses draws the lab library's screen. Without it there is none. */
#include "debug_screen.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

static volatile sig_atomic_t interrupted, ended;

bool debug_goes_on(void *user, uint64_t done, uint64_t total)
{
    (void)user;
    (void)done;
    (void)total;
    return interrupted == 0 && ended == 0;
}

#if defined(TENSIX_HAVE_NCURSES)

#include <curses.h>

enum { WAIT_MS = 200, CTRL_D = 4, CTRL_L = 12, CTRL_U = 21, ESCAPE = 27, DELETE = 127 };

static void on_signal(int number)
{
    if (number == SIGINT) {
        interrupted = 1;
    } else {
        ended = number;
    }
}

/* Readable on light and dark backgrounds: attributes carry the meaning, colours only add to it. */
static void settle_looks(attr_t looks[TXL_LOOK_COMMAND + 1])
{
    const char *plain = getenv("NO_COLOR");
    const attr_t own[] = {[TXL_LOOK_PLAIN] = A_NORMAL,          [TXL_LOOK_TITLE] = A_REVERSE,
                          [TXL_LOOK_NEXT] = A_BOLD | A_REVERSE, [TXL_LOOK_NEW] = A_BOLD,
                          [TXL_LOOK_WAIT] = A_NORMAL,           [TXL_LOOK_WRONG] = A_BOLD,
                          [TXL_LOOK_COMMAND] = A_BOLD};
    static const short colours[] = {[TXL_LOOK_NEXT] = COLOR_BLUE,
                                    [TXL_LOOK_NEW] = COLOR_MAGENTA,
                                    [TXL_LOOK_WAIT] = COLOR_MAGENTA,
                                    [TXL_LOOK_WRONG] = COLOR_RED,
                                    [TXL_LOOK_COMMAND] = COLOR_GREEN};
    const bool coloured = (plain == NULL || plain[0] == '\0') && has_colors() &&
                          start_color() == OK && use_default_colors() == OK;
    for (short i = 0; i <= TXL_LOOK_COMMAND; i++) {
        looks[i] = own[i];
        if (coloured && colours[i] != 0 && init_pair(i, colours[i], -1) == OK) {
            looks[i] |= (attr_t)COLOR_PAIR(i);
        }
    }
}

static int key_of(int key)
{
    static const int known[][2] = {
        {'\n', TXL_KEY_ENTER},          {'\r', TXL_KEY_ENTER},
        {KEY_ENTER, TXL_KEY_ENTER},     {KEY_BACKSPACE, TXL_KEY_BACKSPACE},
        {DELETE, TXL_KEY_BACKSPACE},    {'\b', TXL_KEY_BACKSPACE},
        {KEY_DC, TXL_KEY_DELETE},       {KEY_LEFT, TXL_KEY_LEFT},
        {KEY_RIGHT, TXL_KEY_RIGHT},     {KEY_UP, TXL_KEY_UP},
        {KEY_DOWN, TXL_KEY_DOWN},       {KEY_HOME, TXL_KEY_HOME},
        {KEY_END, TXL_KEY_END},         {KEY_PPAGE, TXL_KEY_PAGE_UP},
        {KEY_NPAGE, TXL_KEY_PAGE_DOWN}, {'\t', TXL_KEY_TAB},
        {CTRL_U, TXL_KEY_CLEAR}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (known[i][0] == key) {
            return known[i][1];
        }
    }
    return key >= ' ' && key < DELETE ? key : 0;
}

static int draw(struct cli *cli, txl_debug_screen *screen, const attr_t *looks)
{
    const unsigned rows = LINES > 0 ? (unsigned)LINES : 1;
    const unsigned columns = COLS > 0 ? (unsigned)COLS : 1;
    char *text = malloc((size_t)rows * columns);
    unsigned char *look = malloc((size_t)rows * columns);
    struct txl_error err = {.status = TXL_OK};
    unsigned row = 0;
    unsigned column = 0;
    erase();
    if (text == NULL || look == NULL) {
        free(text);
        free(look);
        return txl_fail(&cli->error, "out of memory");
    }
    if (txl_debug_screen_draw(&err, screen, rows, columns, text, look, &row, &column) == TXL_OK) {
        for (size_t i = 0; i < (size_t)rows * columns; i++) {
            (void)mvaddch((int)(i / columns), (int)(i % columns),
                          (chtype)(unsigned char)text[i] | (chtype)looks[look[i]]);
        }
    } else {
        (void)mvaddnstr(0, 0, err.message, (int)columns);
    }
    free(text);
    free(look);
    (void)move((int)row, (int)column);
    (void)refresh();
    return CLI_OK;
}

static int loop(struct cli *cli, txl_debug *debug, txl_debug_screen *screen)
{
    attr_t looks[TXL_LOOK_COMMAND + 1];
    int result = CLI_OK;
    settle_looks(looks);
    (void)(cbreak(), noecho(), keypad(stdscr, TRUE));
    timeout(WAIT_MS);
    while (result == CLI_OK && !txl_debug_ended(debug) && ended == 0) {
        result = draw(cli, screen, looks);
        int key = ERR;
        while (result == CLI_OK && key == ERR && interrupted == 0 && ended == 0) {
            key = getch();
        }
        if (interrupted != 0) {
            if (key != ERR) { /* typed behind Ctrl-C, which drops what was typed before it */
                (void)ungetch(key);
            }
            key = CTRL_U;
            interrupted = 0;
        }
        if (key == CTRL_D) {
            break;
        }
        if (key == CTRL_L) {
            (void)clearok(stdscr, TRUE);
        } else if (result == CLI_OK && key_of(key) != 0) {
            result = txl_debug_screen_key(&cli->error, screen, key_of(key));
        }
        interrupted = 0; /* it was for the command that it has ended */
    }
    return result;
}

int debug_screen(struct cli *cli, txl_debug *debug)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction mine = {.sa_handler = on_signal};
    struct sigaction before[3];
    txl_debug_screen *screen = NULL;
    const char *kind = getenv("TERM");
    const bool dumb = kind == NULL || strcmp(kind, "dumb") == 0;
    SCREEN *terminal = dumb ? NULL : newterm(NULL, stdout, stdin);
    if (terminal == NULL) {
        return CLI_CONTINUE;
    }
    for (size_t i = 0; i < 3; i++) {
        (void)sigaction(numbers[i], &mine, &before[i]);
    }
    int result = txl_debug_screen_open(&cli->error, debug, &screen);
    result = result == TXL_OK ? loop(cli, debug, screen) : result;
    txl_debug_screen_close(screen);
    (void)endwin();
    delscreen(terminal);
    for (size_t i = 0; i < 3; i++) {
        (void)sigaction(numbers[i], &before[i], NULL);
    }
    if (ended != 0) {
        (void)raise(ended);
    }
    return result;
}

#else

int debug_screen(struct cli *cli, txl_debug *debug)
{
    (void)cli;
    (void)debug;
    fputs("tensix debug: built without ncurses: no screen, commands a line each\n", stderr);
    return CLI_CONTINUE;
}

#endif
