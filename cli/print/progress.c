/* SPDX-License-Identifier: Apache-2.0 */
#include "print/progress.h"

#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

volatile sig_atomic_t progress_interrupted;

void progress_on_interrupt(int number)
{
    progress_interrupted = 1;
    signal(number, SIG_DFL); /* a second interrupt ends the process at once */
}

static double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_start(struct progress *progress, bool wanted, uint64_t total, const char *unit)
{
    const char *terminal = getenv("TERM");
    bool able = isatty(STDERR_FILENO) && (terminal == NULL || strcmp(terminal, "dumb") != 0);
    *progress =
        (struct progress){.wanted = wanted && able && total > 0, .total = total, .unit = unit};
    progress->start = clock_seconds();
    progress->last = progress->start;
}

static int terminal_columns(void)
{
    struct winsize size;
    const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
    return known ? size.ws_col : 80;
}

static void update(struct progress *progress, uint64_t done)
{
    enum { WIDTH = 30, LEAST = 5 };
    double now = clock_seconds();
    double elapsed = now - progress->start;
    if (!progress->wanted || elapsed < 0.5 || now - progress->last < 0.1) {
        return;
    }
    progress->last = now;
    progress->shown = true;
    double part = (double)done / (double)progress->total;
    double rate = (double)done / elapsed;
    char text[128];
    int length =
        snprintf(text, sizeof text, "%3.0f%%  %.3g %s/s", 100.0 * part, rate, progress->unit);
    if (done > 0) {
        double left = ((double)progress->total - (double)done) / rate;
        length += snprintf(text + length, sizeof text - (size_t)length, "  %d:%02d left",
                           (int)left / 60, (int)left % 60);
    }
    /* The line must not wrap, or each update leaves one behind: the bar gives way, then the text.
     */
    const int columns = terminal_columns();
    int width = columns - length - 4; /* "[", "] " and the last column, which some terminals wrap */
    width = width > WIDTH ? WIDTH : width;
    char bar[WIDTH + 1] = "";
    const int filled = (int)(part * width);
    for (int i = 0; i < width; i++) {
        bar[i] = i < filled ? '#' : '.';
    }
    if (width >= LEAST) {
        bar[width] = '\0';
        fprintf(stderr, "\r[%s] %s\033[K", bar, text);
    } else {
        fprintf(stderr, "\r%.*s\033[K", columns - 1, text);
    }
    fflush(stderr);
}

bool progress_call(void *user, uint64_t done, uint64_t total)
{
    struct progress *progress = user;
    progress->total = total;
    if (total > 0) {
        update(progress, done);
    }
    return true;
}

void progress_end(struct progress *progress)
{
    if (progress->shown) {
        fprintf(stderr, "\r\033[K");
        fflush(stderr);
        progress->shown = false;
    }
}

void *cli_progress(const struct cli *cli, struct progress *progress, bool wanted, const char *unit)
{
    progress_start(progress, wanted && !cli->json, 1, unit); /* the total comes with the work */
    return progress;
}
