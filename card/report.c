/* SPDX-License-Identifier: Apache-2.0 */
/* Findings of the chip and of its tiles as lines of the folder's log, and the session as JSON. */
#include "report.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SAMPLE_NS = 50000000 };

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void findings_open(const struct card_driven *driven, struct card_findings *findings,
                   const struct card_options *options)
{
    struct tx_chip_tile tile;
    tx_chip *chip = driven->chip;
    memset(findings, 0, sizeof *findings);
    findings->start = now_ns();
    findings->used = options->profile ? used_open(driven, options->events) : NULL;
    findings->launches = options->report ? launches_open(findings->used) : NULL;
    findings->places = findings->launches != NULL ? places_open() : NULL;
    for (size_t i = 0; tx_chip_tile_at(chip, i, &tile) == TX_OK; i++) {
        const tx_machine *machine = tx_chip_machine(chip, i);
        if (machine != NULL && findings->tiles < CARD_TILES) {
            findings->tile[findings->tiles].machine = machine;
            findings->tile[findings->tiles].index = i;
            findings->tile[findings->tiles].x = tile.translated_x;
            findings->tile[findings->tiles].y = tile.translated_y;
            findings->tiles++;
        }
    }
}

void findings_close(struct card_findings *findings)
{
    launches_close(findings->launches);
    used_close(findings->used);
    places_close(findings->places);
    findings->launches = NULL;
    findings->used = NULL;
    findings->places = NULL;
}

void findings_launches(tx_chip *chip, struct card_findings *findings)
{
    for (unsigned i = 0; findings->launches != NULL && i < findings->tiles; i++) {
        const struct card_tile *t = &findings->tile[i];
        launches_look(findings->launches, chip, t->index, i, t->x, t->y);
        places_look(findings->places, chip, t->index, i);
    }
    used_look(findings->used);
}

static void log_line(const char *where, const struct tx_finding *f)
{
    char path[CARD_PATH];
    char line[1024];
    snprintf(path, sizeof path, "%s/log", card_root);
    char said[TX_FINDING_TEXT];
    const struct tx_advice advice = tx_finding_advice(f);
    int n =
        snprintf(line, sizeof line, "%scycle %" PRIu64 ": %s; on a card: %s; change: %s\n", where,
                 f->cycle, tx_finding_text(f, said, sizeof said), advice.on_card, advice.change);
    n = n >= (int)sizeof line ? (int)sizeof line - 1 : n;
    CARD_REAL(open);
    CARD_REAL(close);
    const int fd = real_open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd >= 0) {
        (void)!write(fd, line, (size_t)n);
        (void)real_close(fd);
    }
}

/* Notes how it goes, for the report. */
static void sample(struct card_findings *f, const struct card_counts *counts)
{
    const double seconds = (double)(now_ns() - f->start) / 1e9;
    const double last = f->samples != 0 ? f->sample[f->samples - 1].seconds : -1;
    if (f->launches == NULL || seconds - last < SAMPLE_NS / 1e9 * (1 << f->halved)) {
        return;
    }
    if (f->samples == CARD_SAMPLES) {
        for (unsigned i = 0; i < CARD_SAMPLES / 2; i++) {
            f->sample[i] = f->sample[2 * i + 1];
        }
        f->samples = CARD_SAMPLES / 2;
        f->halved++;
    }
    f->sample[f->samples++] = (struct card_sample){seconds,     counts->cycles, counts->active,
                                                   counts->noc, counts->dram,   counts->findings};
}

void findings_look(tx_chip *chip, struct card_findings *findings, struct card_counts *counts,
                   bool *found)
{
    const uint64_t before = findings->count;
    for (; findings->chip < tx_chip_finding_count(chip); findings->chip++, findings->count++) {
        log_line("", tx_chip_finding_at(chip, findings->chip));
    }
    for (size_t i = 0; i < findings->tiles; i++) {
        const tx_machine *machine = findings->tile[i].machine;
        char where[48];
        snprintf(where, sizeof where, "Tensix tile (%u, %u), ", findings->tile[i].x,
                 findings->tile[i].y);
        for (; findings->tile[i].logged < tx_finding_count(machine);
             findings->tile[i].logged++, findings->count++) {
            log_line(where, tx_finding_at(machine, findings->tile[i].logged));
        }
        if (tx_fault(machine) != NULL && !findings->tile[i].stopped) { /* strict */
            findings->tile[i].stopped = true;
            findings->count++;
            log_line(where, tx_fault(machine));
        }
        const uint64_t issued = tx_machine_counters(machine).instructions;
        counts->instructions += issued;
        counts->active += issued != findings->tile[i].issued;
        findings->tile[i].issued = issued;
    }
    counts->cycles = tx_chip_cycles(chip);
    counts->findings = findings->count;
    traffic_look(&findings->traffic, chip);
    counts->noc = findings->traffic.noc;
    counts->dram = findings->traffic.dram;
    sample(findings, counts);
    *found = findings->count != before;
}

void report_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\') {
            fputc('\\', out);
        }
        fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
    }
    fputc('"', out);
}

/* Puts a finding; of the Tensix tile with that number with its place, or of the chip (NULL). */
static void put_finding(FILE *out, bool first, const struct tx_finding *f,
                        const struct card_places *places, unsigned number, size_t finding)
{
    char text[TX_FINDING_JSON];
    (void)tx_finding_json(f, text, sizeof text);
    text[strlen(text) - 1] = '\0'; /* its last brace */
    fprintf(out, "%s\n    %s", first ? "" : ",", text);
    places_put(places, number, finding, out);
    fputc('}', out);
}

/* Puts an endpoint of the grid; of a Tensix tile with what it has done. */
static void put_tile(FILE *out, tx_chip *chip, const struct card_findings *f, size_t index)
{
    struct tx_chip_tile at;
    (void)tx_chip_tile_at(chip, index, &at);
    fprintf(out, "\n  {\"kind\": \"%s\", \"column\": %u, \"row\": %u, ", tx_chip_kind_name(at.kind),
            at.x[0], at.y[0]);
    fprintf(out, "\"x\": %u, \"y\": %u, \"off\": %s, ", at.translated_x, at.translated_y,
            at.off ? "true" : "false");
    fprintf(out, "\"noc\": %" PRIu64 ", \"dram\": %" PRIu64, f->traffic.at[index].noc,
            f->traffic.at[index].memory);
    const tx_machine *machine = tx_chip_machine(chip, index);
    if (machine != NULL) {
        fprintf(out, ", \"cycles\": %" PRIu64 ", \"instructions\": %" PRIu64 ", \"findings\": [",
                tx_tensix_cycles(tx_chip_tensix(chip, index)),
                tx_machine_counters(machine).instructions);
        unsigned number = 0;
        while (number < f->tiles && f->tile[number].index != index) {
            number++;
        }
        for (size_t k = 0; k < tx_finding_count(machine); k++) {
            put_finding(out, k == 0, tx_finding_at(machine, k), f->places, number, k);
        }
        fputs("], \"fault\": ", out);
        report_text(out, tx_fault(machine) != NULL ? tx_fault(machine)->message : "");
    }
    fputc('}', out);
}

static void put_samples(FILE *out, const struct card_findings *f)
{
    fputs("\"samples\": [", out);
    for (unsigned i = 0; i < f->samples; i++) {
        const struct card_sample *s = &f->sample[i];
        fprintf(out,
                "%s\n  [%.3f, %" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64 "]",
                i == 0 ? "" : ",", s->seconds, s->cycles, s->active, s->noc, s->dram, s->findings);
    }
    fputs("],\n\"launches\": ", out);
    if (f->launches != NULL) {
        launches_put(f->launches, out);
    } else {
        fputs("[]", out);
    }
}

/* What the program is called, for people. */
static void put_program(FILE *out)
{
    char line[512];
    CARD_REAL(open);
    CARD_REAL(close);
    const int fd = real_open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, line, sizeof line - 1) : 0;
    if (fd >= 0) {
        (void)real_close(fd);
    }
    n = n < 0 ? 0 : n;
    while (n > 0 && line[n - 1] == '\0') {
        n--;
    }
    for (ssize_t i = 0; i < n; i++) {
        line[i] = line[i] == '\0' ? ' ' : line[i];
    }
    line[n] = '\0';
    fputs("\"program\": ", out);
    report_text(out, line);
}

void report_write(tx_chip *chip, const struct card_findings *findings, const char *path)
{
    CARD_REAL(fopen);
    FILE *out = real_fopen(path, "we");
    uint32_t width, height;
    for (unsigned i = 0; findings->launches != NULL && i < findings->tiles; i++) {
        launches_cut(findings->launches, findings->tile[i].index, i);
    }
    if (out == NULL) {
        card_tell("the report cannot be written");
        return;
    }
    tx_chip_grid(chip, &width, &height);
    fprintf(out, "{\"schema\": 1, \"chip\": \"%s\", \"product\": \"%s\", ",
            tx_arch_name(tx_chip_arch(chip)), card_options.product);
    fprintf(out, "\"width\": %u, \"height\": %u, \"pid\": %d, ", width, height, (int)getpid());
    put_program(out);
    fprintf(out, ", \"seconds\": %.3f, \"cycles\": %" PRIu64 ", ",
            (double)(now_ns() - findings->start) / 1e9, tx_chip_cycles(chip));
    fprintf(out, "\"noc\": %" PRIu64 ", \"dram\": %" PRIu64 ",\n\"findings\": [",
            findings->traffic.noc, findings->traffic.dram);
    for (size_t i = 0; i < tx_chip_finding_count(chip); i++) {
        put_finding(out, i == 0, tx_chip_finding_at(chip, i), NULL, 0, i);
    }
    fputs("],\n", out);
    put_samples(out, findings);
    fputs(",\n\"tiles\": [", out);
    for (size_t i = 0; i < (size_t)width * height && i < CARD_TILES; i++) {
        fputs(i == 0 ? "" : ",", out);
        put_tile(out, chip, findings, i);
    }
    fputs("\n]}\n", out);
    if (fclose(out) != 0) {
        card_tell("the report cannot be written");
    }
}
