/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plots the ULP error over the input with gnuplot. The script goes to its standard input, and the
 * picture is read from its standard output, so that the file is written only when it is complete.
 * The input axis is that of the bit patterns: all binades of a format have equal width.
 */
#include "sweep/sweep.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/options.h"
#include "base/program.h"
#include "base/quote.h"

static bool is_png(const char *path)
{
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".png") == 0;
}

/* ---- ticks: round numbers, placed at the bins that begin with them ---- */

enum { MOST_TICKS = 16 };

/* Returns the number at the lower end of a bin. NaNs count as infinities of their sign. */
static double bin_number(const struct sweep_axis *axis, unsigned bin, unsigned bins)
{
    const uint32_t word = domain_bin_word(axis, bin, bins);
    if (!axis->format->integer && word_is_nan(word)) {
        return word >> 31 != 0 ? -(double)INFINITY : (double)INFINITY;
    }
    return number_value(axis->format, word);
}

static unsigned bin_of(const struct sweep_axis *axis, double number, unsigned bins)
{
    unsigned low = 0;
    unsigned high = bins;
    while (low < high) {
        const unsigned middle = (low + high) / 2;
        if (bin_number(axis, middle, bins) < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

struct ticks {
    double list[3 * MOST_TICKS];
    unsigned count;
};

static void add_tick(struct ticks *t, double number)
{
    if (t->count < sizeof t->list / sizeof t->list[0]) {
        t->list[t->count++] = number;
    }
}

/* Adds ticks at every each-th power of ten of one sign, from least to most. */
static void add_decades(struct ticks *t, double least, double most, int each, double sign)
{
    for (int k = -37; k <= 38; k++) {
        const double power = pow(10.0, k);
        if (k % each == 0 && power >= least && power <= most) {
            add_tick(t, sign * power);
        }
    }
}

static struct ticks decades_of(double low, double high)
{
    static const int steps[] = {1, 2, 5, 10, 20};
    struct ticks t = {.count = 0};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        t.count = 0;
        add_decades(&t, low > 0.0 ? low : 0.0, high, steps[i], 1.0);
        add_decades(&t, high < 0.0 ? -high : 0.0, -low, steps[i], -1.0);
        if (t.count <= MOST_TICKS - 1) {
            break;
        }
    }
    if (low <= 0.0 && high >= 0.0) {
        add_tick(&t, 0.0);
    }
    return t;
}

static struct ticks even_ticks(double low, double high)
{
    struct ticks t = {.count = 0};
    const double raw = (high - low) / (MOST_TICKS - 7);
    const double ten = pow(10.0, floor(log10(raw)));
    const double step = raw <= ten       ? ten
                        : raw <= 2 * ten ? 2 * ten
                        : raw <= 5 * ten ? 5 * ten
                                         : 10 * ten;
    const double first = ceil(low / step);
    for (int k = 0; k < MOST_TICKS && (first + k) * step <= high; k++) {
        add_tick(&t, (first + k) * step);
    }
    return t;
}

static void ticks(FILE *out, char name, const struct sweep_axis *axis, unsigned bins)
{
    const double most = 3.5e38;
    const double low = fmax(bin_number(axis, 0, bins), -most);
    const double high = fmin(bin_number(axis, bins - 1, bins), most);
    struct ticks t = {.count = 0};
    if (!axis->format->integer) {
        t = decades_of(low, high);
    }
    if (t.count < 4 && high > low) {
        t = even_ticks(low, high);
    }
    fprintf(out, "set %ctics (", name);
    for (unsigned i = 0; i < t.count; i++) {
        fprintf(out, "%s\"%.4g\" %u", i == 0 ? "" : ", ", t.list[i], bin_of(axis, t.list[i], bins));
    }
    fprintf(out, ")\n");
}

/* Smaller errors are drawn on the lowest line. */
static const double floor_ulp = 0.25;

static double drawn(double ulp)
{
    return ulp < floor_ulp ? floor_ulp : ulp;
}

static void head(FILE *out, const struct txl_sweep *s, bool png)
{
    char inputs[320];
    char title[1024];
    fprintf(out, "set terminal %s size 1100,560 font 'sans,11' %s\n", png ? "pngcairo" : "svg",
            png ? "" : "background rgb 'white'");
    fprintf(out, "set encoding utf8\nset termoption noenhanced\nset border 3 lc rgb '#777777'\n"
                 "set tics nomirror textcolor rgb '#333333'\nset key at screen 0.985,0.93 right "
                 "horizontal samplen 1.5 width -1.5\nset grid ytics xtics lt 1 lc rgb '#e6e6e6'\n"
                 "set lmargin 9\nset tmargin 4.5\n");
    snprintf(title, sizeof title, "%.300s on %s against %s, Dst %s, %s", txl_basename(s->path),
             tx_arch_name(tx_program_arch(s->kernel.program)), txl_basename(s->reference.name),
             tx_dst_format_name(s->dst), sweep_covered_text(s, inputs, sizeof inputs));
    fputs("set label 1 ", out); /* at the left, above the legend */
    quote_gnuplot(out, title);
    fputs(" at screen 0.02,0.965 left font 'sans,13'\n", out);
}

/*
 * Writes the plotted data: the largest error of each bin, the worst inputs, and mismatches above
 * all of them.
 */
static void curve_data(FILE *out, const struct txl_sweep *s, double *top)
{
    fprintf(out, "$bins << E\n");
    *top = 1.0;
    for (unsigned i = 0; i < SWEEP_BINS; i++) {
        const double most = s->stats->bins[i].max;
        *top = most > *top ? most : *top;
        if (most > 0.0) {
            fprintf(out, "%u %.9g\n", i, drawn(most));
        }
    }
    fprintf(out, "E\n$worst << E\n");
    for (uint64_t i = 0; i < s->stats->worst_count && i < 10; i++) {
        const struct ulp_case *one = &s->stats->worst[i];
        fprintf(out, "%u %.9g\n", domain_bin(&s->domain, one->index), drawn(one->ulp));
    }
    fprintf(out, "E\n$lost << E\n");
    *top *= 2.0;
    for (unsigned i = 0; i < SWEEP_BINS; i++) {
        if (s->stats->bins[i].mismatched != 0) {
            fprintf(out, "%u %.9g\n", i, *top);
        }
    }
    fprintf(out, "E\n");
}

static void curve(FILE *out, const struct txl_sweep *s)
{
    double top = 1.0;
    curve_data(out, s, &top);
    char label[sizeof s->domain.text + 40];
    snprintf(label, sizeof label, "input (%s, by bit pattern)", s->domain.text);
    fputs("set xlabel ", out);
    quote_gnuplot(out, label);
    fputc('\n', out);
    fprintf(out, "set ylabel \"ULP\"\nset logscale y 2\n");
    fprintf(out, "set xrange [0:%d]\nset yrange [%g:%g]\n", SWEEP_BINS, floor_ulp, top * 1.2);
    ticks(out, 'x', &s->domain.axis[0], SWEEP_BINS);
    fprintf(out,
            "plot $bins with impulses lc rgb '#c9dcf2' notitle, $bins with points pt 7 ps 0.35 "
            "lc rgb '#0b5fbf' title 'largest of a bin'");
    fprintf(out, ", $worst with points pt 6 ps 1.5 lw 2 lc rgb '#b3261e' title 'worst inputs'");
    fprintf(out, ", $lost with points pt 2 ps 0.9 lw 1.5 lc rgb '#b45309' title 'NaN, infinity'\n");
}

static void map(FILE *out, const struct txl_sweep *s)
{
    fprintf(out, "$map << E\n");
    for (unsigned y = 0; y < SWEEP_GRID; y++) {
        for (unsigned x = 0; x < SWEEP_GRID; x++) {
            const struct sweep_bin *bin = &s->stats->bins[x * SWEEP_GRID + y];
            if (bin->mismatched != 0) {
                fprintf(out, "nan ");
            } else {
                fprintf(out, "%.9g ", log2(drawn(bin->max)));
            }
        }
        fprintf(out, "\n");
    }
    fprintf(out, "E\n$worst << E\n");
    for (uint64_t i = 0; i < s->stats->worst_count && i < 10; i++) {
        unsigned bin = domain_bin(&s->domain, s->stats->worst[i].index);
        fprintf(out, "%u %u\n", bin / SWEEP_GRID, bin % SWEEP_GRID);
    }
    fprintf(out, "E\nset xlabel \"first input\"\nset ylabel \"second input\"\n");
    fprintf(out, "set cblabel \"log2 of the largest error, ULP; grey: mismatches\"\n");
    fprintf(out, "set xrange [-0.5:%g]\nset yrange [-0.5:%g]\n", SWEEP_GRID - 0.5,
            SWEEP_GRID - 0.5);
    fprintf(out, "set object rectangle from graph 0,0 to graph 1,1 behind fc rgb '#bbbbbb'\n");
    ticks(out, 'x', &s->domain.axis[0], SWEEP_GRID);
    ticks(out, 'y', &s->domain.axis[1], SWEEP_GRID);
    fprintf(out, "set palette defined (0 '#f4f7fb', 1 '#5c9bdc', 2 '#0b3f86', 3 '#b3261e')\n");
    fprintf(out, "set cbrange [%g:%g]\n", log2(floor_ulp),
            s->stats->worst_count > 0 ? fmax(0.0, log2(drawn(s->stats->worst[0].ulp))) : 0.0);
    fprintf(out, "plot $map matrix with image notitle, "
                 "$worst with points pt 6 ps 1.5 lw 2 lc rgb '#111111' title 'worst inputs'\n");
}

static int read_rest(struct txl_error *err, int fd, struct memory_text *picture)
{
    const int result = memory_text_open(err, picture);
    char part[65536];
    ssize_t got;
    if (result != TXL_CONTINUE) {
        return result;
    }
    while ((got = read(fd, part, sizeof part)) > 0 || (got < 0 && errno == EINTR)) {
        if (got > 0) {
            (void)fwrite(part, 1, (size_t)got, picture->stream);
        }
    }
    return memory_text_close(err, picture);
}

static int missing(struct txl_error *err, int error)
{
    return error == ENOENT
               ? txl_fail_option(err, NULL, "plot",
                                 "pictures need gnuplot (Debian: gnuplot-nox), which is not here")
               : txl_fail_option(err, NULL, "plot", "gnuplot: %s", strerror(error));
}

/* Starts gnuplot, with word as its argument or none. Returns 0 or an errno. */
static int sweep_plot_start(const struct txl_sweep_options *o, const char *word, int in, int out,
                            pid_t *child)
{
    char path[4096];
    char name[] = "gnuplot";
    char argument[32];
    snprintf(argument, sizeof argument, "%s", word != NULL ? word : "");
    char *const arguments[] = {name, word != NULL ? argument : NULL, NULL};
    const int missing = program_find(o->path, name, path, sizeof path);
    if (missing != 0) {
        return missing;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (in >= 0) {
        posix_spawn_file_actions_adddup2(&actions, in, 0);
    }
    if (out >= 0) {
        posix_spawn_file_actions_adddup2(&actions, out, 1);
    } else {
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    }
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    const int error =
        posix_spawn(child, path, &actions, NULL, arguments, program_environment(o->environment));
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int txl_sweep_check_plot(struct txl_error *err, const struct txl_sweep_options *options)
{
    struct txl_sweep_options o;
    pid_t child = 0;
    if (options_take(err, &o, sizeof o, options) != TXL_CONTINUE) {
        return TXL_INPUT;
    }
    const int error = sweep_plot_start(&o, "--version", -1, -1, &child);
    while (error == 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
    return error == 0 ? TXL_OK : missing(err, error);
}

/* Runs gnuplot on the script and collects the picture; its messages are discarded. */
static int run_gnuplot(struct txl_error *err, const struct txl_sweep_options *o, int script,
                       struct memory_text *picture)
{
    int pipes[2];
    pid_t child = 0;
    if (pipe2(pipes, O_CLOEXEC) != 0) {
        return txl_fail_option(err, NULL, "plot", "%s", strerror(errno));
    }
    const int error = sweep_plot_start(o, NULL, script, pipes[1], &child);
    close(pipes[1]);
    if (error != 0) {
        close(pipes[0]);
        return missing(err, error);
    }
    const int result = read_rest(err, pipes[0], picture);
    close(pipes[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (result != TXL_CONTINUE) {
        return result;
    }
    if (picture->size == 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        free(picture->text);
        picture->text = NULL;
        return txl_fail_option(err, NULL, "plot", "gnuplot could not draw the picture");
    }
    return TXL_CONTINUE;
}

int txl_sweep_plot(struct txl_error *err, const txl_sweep *s, const char *path)
{
    /* Holds the script that gnuplot reads. */
    const int fd = memfd_create("tensix-plot", MFD_CLOEXEC);
    FILE *script = fd >= 0 ? fdopen(fd, "w") : NULL;
    struct memory_text picture = {.text = NULL};
    if (script == NULL) {
        const int error = errno;
        if (fd >= 0) {
            close(fd);
        }
        return txl_fail_option(err, NULL, "plot", "%s", strerror(error));
    }
    head(script, s, is_png(path));
    if (s->domain.operands == 1) {
        curve(script, s);
    } else {
        map(script, s);
    }
    int result = TXL_CONTINUE;
    if (fflush(script) != 0 || ferror(script) || lseek(fd, 0, SEEK_SET) != 0) {
        result = txl_fail_option(err, NULL, "plot", "%s", strerror(errno));
    } else {
        result = run_gnuplot(err, &s->options, fd, &picture);
    }
    if (result == TXL_CONTINUE && picture.text != NULL) {
        result = txl_write_file(err, path, picture.text, picture.size);
        free(picture.text);
    }
    fclose(script);
    return result;
}
