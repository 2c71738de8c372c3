/* SPDX-License-Identifier: Apache-2.0 */
#include "progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

double clock_seconds(void)
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

void progress_update(struct progress *progress, uint64_t done)
{
    enum { WIDTH = 30 };
    double now = clock_seconds();
    double elapsed = now - progress->start;
    if (!progress->wanted || elapsed < 0.5 || now - progress->last < 0.1) {
        return;
    }
    progress->last = now;
    progress->shown = true;
    double part = (double)done / (double)progress->total;
    double rate = (double)done / elapsed;
    char bar[WIDTH + 1];
    int filled = (int)(part * WIDTH);
    for (int i = 0; i < WIDTH; i++) {
        bar[i] = i < filled ? '#' : '.';
    }
    bar[WIDTH] = '\0';
    fprintf(stderr, "\r[%s] %3.0f%%  %.3g %s/s", bar, 100.0 * part, rate, progress->unit);
    if (done > 0) {
        double left = ((double)progress->total - (double)done) / rate;
        fprintf(stderr, "  %d:%02d left", (int)left / 60, (int)left % 60);
    }
    fprintf(stderr, "\033[K");
    fflush(stderr);
}

void progress_end(struct progress *progress)
{
    if (progress->shown) {
        fprintf(stderr, "\r\033[K");
        fflush(stderr);
        progress->shown = false;
    }
}
