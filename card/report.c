/* SPDX-License-Identifier: Apache-2.0 */
/* Findings of the chip and of its tiles as lines of the folder's log, and the session as JSON. */
#include "report.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void findings_open(const tx_chip *chip, struct card_findings *findings)
{
    struct tx_chip_tile tile;
    memset(findings, 0, sizeof *findings);
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

static void log_line(const char *where, const struct tx_finding *f)
{
    char path[CARD_PATH];
    char line[512];
    snprintf(path, sizeof path, "%s/log", card_root);
    int n = snprintf(line, sizeof line, "%scycle %" PRIu64 ": %s: %s (%s)\n", where, f->cycle,
                     tx_category_name(f->category), f->message, f->rule);
    n = n >= (int)sizeof line ? (int)sizeof line - 1 : n;
    CARD_REAL(open);
    CARD_REAL(close);
    const int fd = real_open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd >= 0) {
        (void)!write(fd, line, (size_t)n);
        (void)real_close(fd);
    }
}

void findings_look(const tx_chip *chip, struct card_findings *findings, struct card_counts *counts,
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
        const uint64_t issued = tx_machine_counters(machine).instructions;
        counts->instructions += issued;
        counts->active += issued != findings->tile[i].issued;
        findings->tile[i].issued = issued;
    }
    counts->cycles = tx_chip_cycles(chip);
    counts->findings = findings->count;
    *found = findings->count != before;
}

/* Puts a JSON string; what is no printable character becomes a space. */
static void put_text(FILE *out, const char *text)
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

static void put_finding(FILE *out, bool first, const struct tx_finding *f)
{
    fprintf(out, "%s\n    {\"cycle\": %" PRIu64 ", \"category\": \"%s\", ", first ? "" : ",",
            f->cycle, tx_category_name(f->category));
    fprintf(out, "\"rule\": \"%s\", \"count\": %" PRIu64 ", \"message\": ", f->rule, f->count);
    put_text(out, f->message);
    fputc('}', out);
}

static void put_tile(FILE *out, tx_chip *chip, const struct card_findings *findings, size_t i)
{
    const tx_machine *machine = findings->tile[i].machine;
    const tx_tensix *tile = tx_chip_tensix(chip, findings->tile[i].index);
    struct tx_chip_tile at;
    (void)tx_chip_tile_at(chip, findings->tile[i].index, &at);
    fprintf(out, "\n  {\"x\": %u, \"y\": %u, \"column\": %u, \"row\": %u, ", findings->tile[i].x,
            findings->tile[i].y, at.x[0], at.y[0]);
    fprintf(out, "\"cycles\": %" PRIu64 ", \"instructions\": %" PRIu64 ", \"findings\": [",
            tx_tensix_cycles(tile), tx_machine_counters(machine).instructions);
    for (size_t k = 0; k < tx_finding_count(machine); k++) {
        put_finding(out, k == 0, tx_finding_at(machine, k));
    }
    fputs("], \"fault\": ", out);
    put_text(out, tx_fault(machine) != NULL ? tx_fault(machine)->message : "");
    fputc('}', out);
}

void report_write(tx_chip *chip, const struct card_findings *findings, const char *path)
{
    CARD_REAL(fopen);
    FILE *out = real_fopen(path, "we");
    uint32_t width, height;
    if (out == NULL) {
        card_tell("the report cannot be written");
        return;
    }
    tx_chip_grid(chip, &width, &height);
    fprintf(out, "{\"schema\": 1, \"chip\": \"%s\", \"width\": %u, \"height\": %u, ",
            tx_arch_name(tx_chip_arch(chip)), width, height);
    fprintf(out, "\"pid\": %d, \"cycles\": %" PRIu64 ", \"findings\": [", (int)getpid(),
            tx_chip_cycles(chip));
    for (size_t i = 0; i < tx_chip_finding_count(chip); i++) {
        put_finding(out, i == 0, tx_chip_finding_at(chip, i));
    }
    fputs("], \"tiles\": [", out);
    for (size_t i = 0; i < findings->tiles; i++) {
        fputs(i == 0 ? "" : ",", out);
        put_tile(out, chip, findings, i);
    }
    fputs("\n]}\n", out);
    if (fclose(out) != 0) {
        card_tell("the report cannot be written");
    }
}
