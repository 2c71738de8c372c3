/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who waits for what, told where a host waits and no Tensix tile gets on, and on request a report
 * of the whole session as JSON: TENSIX_REPORT=FILE.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "door.h"

/* Puts a JSON string; messages have no control characters but what a path may bring in. */
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

/*
 * Calls "told" with a line for each thread of a tile that waits, and, if there is any, for each of
 * its cores that is out of reset.
 */
static unsigned waits_of(tx_chip *chip, const struct door_findings *findings, size_t number,
                         void (*told)(FILE *out, const char *line), FILE *out)
{
    char text[256], line[384];
    unsigned count = 0;
    tx_tensix *tile = tx_chip_tensix(chip, findings->tile[number].index);
    for (unsigned thread = 0; thread < TX_THREADS; thread++) {
        if (tx_wait_text(findings->tile[number].machine, thread, text, sizeof text)) {
            told(out, text);
            count++;
        }
    }
    for (unsigned core = 0; count != 0 && core < TX_CORES; core++) {
        struct tx_core_state state;
        if (tx_tensix_core(tile, (enum tx_core)core, &state) != TX_OK ||
            state.phase == TX_CORE_HELD) {
            continue;
        }
        tx_core_text(tx_chip_arch(chip), state.word, state.pc, text, sizeof text);
        snprintf(line, sizeof line, "core %s at %08" PRIx32 ", %.200s: waits for %s",
                 tx_core_name((enum tx_core)core), state.pc, text, state.wait);
        told(out, line);
        count++;
    }
    return count;
}

static void report_say(FILE *out, const char *line)
{
    fprintf(out, "tensix:   %s\n", line);
}

static uint64_t issued(const struct door_findings *findings)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < findings->tiles; i++) {
        sum += tx_machine_counters(findings->tile[i].machine).instructions;
    }
    return sum;
}

static void nothing(FILE *out, const char *line)
{
    (void)out;
    (void)line;
}

void door_waits_show(tx_chip *chip, struct door_findings *findings, unsigned looks)
{
    if (looks < DOOR_LOOKS) {
        findings->issued = UINT64_MAX;
        return;
    }
    const uint64_t now = issued(findings);
    if (looks % DOOR_LOOKS != 0 || findings->issued == UINT64_MAX || findings->issued != now) {
        findings->issued = looks % DOOR_LOOKS == 0 ? now : findings->issued;
        return;
    }
    for (size_t i = 0; i < findings->tiles && !findings->waited; i++) {
        if (waits_of(chip, findings, i, nothing, NULL) == 0) {
            continue;
        }
        fprintf(stderr,
                "tensix: Tensix tile (%u, %u), cycle %" PRIu64
                ": the host waits, and no Tensix instruction gets on:\n",
                findings->tile[i].x, findings->tile[i].y, tx_chip_cycles(chip));
        (void)waits_of(chip, findings, i, report_say, stderr);
    }
    findings->waited = true; /* told once */
}

/* ---- the report ---- */

static void put_finding(FILE *out, const char *before, const struct tx_finding *f)
{
    char text[TX_FINDING_JSON];
    (void)tx_finding_json(f, text, sizeof text);
    fprintf(out, "%s\n    %s", before, text);
}

static bool put_wait_before;

static void put_wait(FILE *out, const char *line)
{
    fputs(put_wait_before ? ", " : "", out);
    put_text(out, line);
    put_wait_before = true;
}

static void put_tile(FILE *out, tx_chip *chip, const struct door_findings *findings, size_t i)
{
    const tx_machine *machine = findings->tile[i].machine;
    const tx_tensix *tile = tx_chip_tensix(chip, findings->tile[i].index);
    fprintf(out, "\n  {\"x\": %u, \"y\": %u, \"cycles\": %" PRIu64 ", \"instructions\": %" PRIu64,
            findings->tile[i].x, findings->tile[i].y, tx_tensix_cycles(tile),
            tx_machine_counters(machine).instructions);
    fputs(", \"findings\": [", out);
    for (size_t k = 0; k < tx_finding_count(machine); k++) {
        put_finding(out, k != 0 ? "," : "", tx_finding_at(machine, k));
    }
    fputs("], \"fault\": ", out);
    put_text(out, tx_fault(machine) != NULL ? tx_fault(machine)->message : "");
    fputs(", \"waits\": [", out);
    put_wait_before = false;
    (void)waits_of(chip, findings, i, put_wait, out);
    fputs("]}", out);
}

/*
 * Puts what the command says as JSON, with the lines of the source and, where TENSIX_RACES asks for
 * them, the races: TENSIX_COMMAND names the tensix command.
 */
static void put_run(FILE *out, const char *command)
{
    char line[16384];
    if (getenv("TENSIX_COMMAND") == NULL) {
        return;
    }
    snprintf(line, sizeof line, "%s --json%s 2>&1", command,
             getenv("TENSIX_RACES") != NULL ? " --races" : "");
    FILE *run = popen(line, "re");
    size_t count = run != NULL ? fread(line, 1, 1, run) : 0;
    if (count == 0 || line[0] != '{') {
        door_tell(DOOR_CALL, "TENSIX_COMMAND: '%s' does not run", getenv("TENSIX_COMMAND"));
        count = 0;
    }
    fputs(count != 0 ? ", \"run\": " : "", out);
    for (; count != 0; count = fread(line, 1, sizeof line, run)) {
        (void)fwrite(line, 1, count, out);
    }
    if (run != NULL) {
        (void)pclose(run);
    }
}

static void put_replay(FILE *out, struct door_replay *replay, const char *path)
{
    char *arguments = NULL;
    char command[15000];
    size_t length;
    FILE *words = open_memstream(&arguments, &length);
    const bool some = words != NULL && door_replay_command(replay, path, words);
    const bool whole = words != NULL && fclose(words) == 0 && length < sizeof command - 4096;
    if (some && whole) {
        const char *program = getenv("TENSIX_COMMAND");
        snprintf(command, sizeof command, "%s %s", program != NULL ? program : "tensix", arguments);
        fputs(", \"replay\": ", out);
        put_text(out, command);
        put_run(out, command);
    } else {
        fputs(", \"replay\": null, \"replay_why\": ", out);
        put_text(out, replay->why != NULL ? replay->why : "no core was started");
    }
    free(arguments);
}

void door_report(tx_chip *chip, const struct door_findings *findings, struct door_replay *replay)
{
    const char *path = getenv("TENSIX_REPORT");
    FILE *out = path != NULL ? fopen(path, "we") : NULL;
    if (out == NULL) {
        if (path != NULL) {
            door_tell(DOOR_CALL, "TENSIX_REPORT: %s cannot be written", path);
        }
        return;
    }
    fprintf(out, "{\"version\": 1, \"chip\": \"%s\", \"cycles\": %" PRIu64 ", \"tiles\": [",
            tx_arch_name(tx_chip_arch(chip)), tx_chip_cycles(chip));
    bool some = false;
    for (size_t i = 0; i < findings->tiles; i++) {
        const tx_machine *machine = findings->tile[i].machine;
        if (tx_machine_counters(machine).instructions != 0 || tx_finding_count(machine) != 0) {
            fputs(some ? "," : "", out);
            put_tile(out, chip, findings, i);
            some = true;
        }
    }
    fputs("\n]", out);
    put_replay(out, replay, path);
    fputs("}\n", out);
    if (fclose(out) != 0) {
        door_tell(DOOR_CALL, "TENSIX_REPORT: %s cannot be written", path);
    }
}
