/* SPDX-License-Identifier: Apache-2.0 */
/* The report of a session with an emulated card, with the source lines of what was found. */
#include "base/error.h"
#include "base/memory.h"
#include "tile/tile_program.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <tensix-lab/card.h>

#include "page/card.h"

/* ELF files of kernels that findings are about; those that cannot be read have no lines. */
enum { PROGRAMS = 256 };
struct programs {
    struct tile_program program[PROGRAMS];
    unsigned count;
};

static struct tile_program *program_of(struct programs *all, enum tx_arch arch, const char *path)
{
    for (unsigned i = 0; i < all->count; i++) {
        if (strcmp(all->program[i].path, path) == 0) {
            return &all->program[i];
        }
    }
    struct txl_error ignored = {.status = TXL_OK};
    struct tile_program *p = all->count < PROGRAMS ? &all->program[all->count] : NULL;
    if (p != NULL) {
        *p = (struct tile_program){.path = path};
        p = tile_program_read(&ignored, arch, p) == TXL_CONTINUE ? p : NULL;
        all->count += p != NULL ? 1 : 0;
    }
    return p;
}

/* Gives each finding of a tile whose place is known its "source" instead, if there are lines. */
static void find_sources(json_t *session, struct programs *all)
{
    enum tx_arch arch;
    size_t i, k;
    json_t *tile, *finding;
    const char *chip = json_string_value(json_object_get(session, "chip"));
    if (chip == NULL || tx_arch_parse(chip, &arch) != TX_OK) {
        return;
    }
    json_array_foreach(json_object_get(session, "tiles"), i, tile)
    {
        json_array_foreach(json_object_get(tile, "findings"), k, finding)
        {
            char text[512];
            const char *path = json_string_value(json_object_get(finding, "elf"));
            const uint32_t at = (uint32_t)json_integer_value(json_object_get(finding, "address"));
            struct tile_program *program = path != NULL ? program_of(all, arch, path) : NULL;
            const char *source =
                program != NULL ? tile_source(program, at, text, sizeof text) : NULL;
            if (source != NULL) {
                json_object_set_new(finding, "source", json_string(source));
            }
        }
    }
}

/* The words of the command, for people. */
static json_t *line_of(const char *const *words)
{
    char line[1024] = "";
    for (; *words != NULL && strlen(line) < sizeof line - 1; words++) {
        const size_t n = strlen(line);
        (void)snprintf(line + n, sizeof line - n, "%s%s", n != 0 ? " " : "", *words);
    }
    txl_mask_controls(line);
    return json_stringn_nocheck(line, strlen(line));
}

char *txl_card_report(struct txl_error *err, const struct txl_card_ended *ended)
{
    enum { SCHEMA = 1 };
    struct programs *programs = calloc(1, sizeof *programs);
    if (programs == NULL) {
        (void)no_memory(err);
        return NULL;
    }
    json_t *sessions = json_array();
    for (unsigned i = 0; i < ended->sessions; i++) {
        json_t *one = json_loads(ended->session[i], 0, NULL);
        card_fold(one);
        find_sources(one, programs);
        json_array_append_new(sessions, one);
    }
    for (unsigned i = 0; i < programs->count; i++) {
        tile_program_free(&programs->program[i]);
    }
    free(programs);
    json_t *all = json_pack("{s:i, s:o, s:i, s:f, s:i, s:o}", "schema", SCHEMA, "command",
                            line_of(ended->command), "status", ended->status, "seconds",
                            ended->seconds, "lost", (int)ended->lost, "sessions", sessions);
    if (ended->races != NULL) {
        json_object_set_new(all, "races", json_loads(ended->races, 0, NULL));
    }
    char *text = json_dumps(all, 0);
    json_decref(all);
    if (text == NULL) {
        (void)no_memory(err);
    }
    return text;
}
