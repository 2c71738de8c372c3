/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file of known races, one a line: kind of state, first and second place, separated by tabs.
 * Places are those of the report, in either order, because a run decides which of two threads is
 * first.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "race/race.h"

static const char *const heading =
    "# Races that are known: kind of state, first and second place, separated by tabs.\n"
    "# Lines that begin with # and empty ones do not count.\n";

static const char *kind_text(enum tx_shared shared)
{
    static const char *const names[TX_SHARED_COUNT] = {[TX_SHARED_CONFIG] = "configuration",
                                                       [TX_SHARED_THREAD_CONFIG] =
                                                           "configuration of a thread",
                                                       [TX_SHARED_GPR] = "GPRs",
                                                       [TX_SHARED_ADC] = "address counters",
                                                       [TX_SHARED_RWC] = "counters",
                                                       [TX_SHARED_SRC] = "Src",
                                                       [TX_SHARED_DST] = "Dst",
                                                       [TX_SHARED_L1] = "L1",
                                                       [TX_SHARED_BANK] = "banks",
                                                       [TX_SHARED_LREG] = "Vector Unit",
                                                       [TX_SHARED_SEMAPHORE] = "semaphores",
                                                       [TX_SHARED_MOP] = "MopCfg",
                                                       [TX_SHARED_REPLAY] = "replay buffer"};
    return names[shared];
}

/* Writes "T2 ttpacr x.cpp:201 in cpack_common.h:691". */
static void place_text(const struct txl_race_place *p, char text[320])
{
    char who[16];
    snprintf(who, sizeof who, "T%u", p->thread);
    snprintf(text, 320, "%s %.*s %.250s", p->core ? tx_core_name((enum tx_core)p->thread) : who,
             (int)(p->core ? strlen(p->text) : strcspn(p->text, " ")), p->text, p->source);
    txl_mask_controls(text);
}

/* Tells whether a line of the file is this race. */
static bool is_it(char *const part[3], const struct txl_race_found *f)
{
    char place[2][320];
    place_text(&f->place[0], place[0]);
    place_text(&f->place[1], place[1]);
    const bool same = strcmp(part[1], place[0]) == 0 && strcmp(part[2], place[1]) == 0;
    const bool turned = strcmp(part[1], place[1]) == 0 && strcmp(part[2], place[0]) == 0;
    return strcmp(part[0], kind_text(f->shared)) == 0 && (same || turned);
}

static int take_line(struct txl_race *r, const char *path, unsigned number, char *line)
{
    char *part[3] = {line, NULL, NULL};
    bool seen = false;
    line[strcspn(line, "\r")] = '\0';
    if (line[0] == '#' || line[0] == '\0') {
        return TXL_CONTINUE;
    }
    for (unsigned i = 1; i < 3; i++) {
        char *tab = strchr(part[i - 1], '\t');
        if (tab == NULL) {
            return txl_fail_option(r->err, NULL, "known",
                                   "%s:%u: not a race: kind of state, first and second place, "
                                   "separated by tabs",
                                   txl_basename(path), number);
        }
        *tab = '\0';
        part[i] = tab + 1;
    }
    for (size_t i = 0; i < r->pair_count; i++) {
        struct txl_race_found *f = &r->pairs[i].found;
        if (is_it(part, f)) {
            r->result.known += f->known ? 0 : 1;
            f->known = seen = true;
        }
    }
    r->result.unseen += seen ? 0 : 1;
    return TXL_CONTINUE;
}

static int read_known(struct txl_race *r, const char *path)
{
    size_t size;
    char *text = txl_read_file(r->err, path, &size);
    int result = text != NULL ? TXL_CONTINUE : TXL_INPUT;
    unsigned number = 0;
    if (text != NULL && strlen(text) != size) {
        result = txl_fail_option(r->err, NULL, "known", "%s is not a text", txl_basename(path));
    }
    for (char *line = text; result == TXL_CONTINUE && line != NULL && *line != '\0';) {
        char *end = strchr(line, '\n');
        if (end != NULL) {
            *end++ = '\0';
        }
        result = take_line(r, path, ++number, line);
        line = end;
    }
    free(text);
    return result;
}

static int write_known(struct txl_race *r, const char *path)
{
    struct memory_text memory;
    if (memory_text_open(r->err, &memory) != TXL_CONTINUE) {
        return TXL_INPUT;
    }
    fputs(heading, memory.stream);
    for (size_t i = 0; i < r->pair_count; i++) {
        const struct txl_race_found *f = &r->pairs[i].found;
        char place[2][320];
        place_text(&f->place[0], place[0]);
        place_text(&f->place[1], place[1]);
        fprintf(memory.stream, "%s\t%s\t%s\n", kind_text(f->shared), place[0], place[1]);
    }
    char *text;
    int result = memory_text_give(r->err, &memory, TXL_OK, &text);
    if (result == TXL_OK) {
        result = txl_write_file(r->err, path, text, strlen(text));
        free(text);
    }
    return result == TXL_OK ? TXL_CONTINUE : result;
}

int txl_race_known(struct txl_error *err, txl_race *r, const char *path)
{
    enum { MOST = 16 << 20 };
    struct stat about;
    r->err = err;
    const bool there = stat(path, &about) == 0;
    if (!there && errno != ENOENT) {
        return txl_fail_option(err, NULL, "known", "%s: %s", path, strerror(errno));
    }
    if (there && (!S_ISREG(about.st_mode) || about.st_size > MOST)) {
        return txl_fail_option(err, NULL, "known", "%s is not a file of at most 16 MiB", path);
    }
    r->result.known_file = there ? TXL_RACE_KNOWN_READ : TXL_RACE_KNOWN_WRITTEN;
    const int result = there ? read_known(r, path) : write_known(r, path);
    if (result != TXL_CONTINUE) {
        return result;
    }
    bool fresh = false;
    for (size_t i = 0; i < r->pair_count; i++) {
        const struct txl_race_found *f = &r->pairs[i].found;
        fresh = fresh || !(f->known || (f->open && r->how.hold_open));
    }
    return fresh ? TXL_NEGATIVE : TXL_OK;
}
