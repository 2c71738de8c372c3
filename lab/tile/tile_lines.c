/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the source line of an instruction, using line tables and inlined calls through libdw. */
#include "tile/tile_program.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tensix-lab/base.h>

#include "base/beneath.h"

#if defined(TENSIX_LIBDW)

#include <fcntl.h>

#include "base/lazy.h"
#include "base/lazy_dw.h"

struct tile_lines {
    int fd;
    Dwarf *dwarf;
};

static struct tile_lines *open_lines(const struct tile_program *program)
{
    struct tile_lines *lines = calloc(1, sizeof *lines);
    if (lines == NULL) {
        return NULL;
    }
    lines->fd = open(program->path, O_RDONLY | O_CLOEXEC);
    if (lines->fd >= 0 && lazy_open(TENSIX_LIBDW, lazy_dw_names,
                                    sizeof lazy_dw_names / sizeof *lazy_dw_names, &lazy_dw, NULL)) {
        lines->dwarf = dwarf_begin(lines->fd, DWARF_C_READ);
    }
    return lines;
}

void tile_lines_close(struct tile_program *program)
{
    struct tile_lines *lines = program->lines;
    if (lines != NULL && lines->dwarf != NULL) {
        dwarf_end(lines->dwarf);
    }
    if (lines != NULL && lines->fd >= 0) {
        close(lines->fd);
    }
    free(lines);
    program->lines = NULL;
}

static bool tile_lines_number(Dwarf_Die *die, unsigned what, Dwarf_Word *value)
{
    Dwarf_Attribute attribute;
    return dwarf_attr(die, what, &attribute) != NULL && dwarf_formudata(&attribute, value) == 0;
}

/* Where a chain of inlined functions was called, from the outside in. */
struct chain {
    struct tile_place place[TILE_CALLS];
    unsigned count;
    Dwarf_Files *files;
    size_t file_count;
};

/* Adds the place where an inlined function was called. */
static void called(struct chain *c, Dwarf_Die *scope)
{
    Dwarf_Word file = 0;
    Dwarf_Word line = 0;
    const char *name = NULL;
    if (dwarf_tag(scope) == DW_TAG_inlined_subroutine && c->count < TILE_CALLS &&
        tile_lines_number(scope, DW_AT_call_file, &file) &&
        tile_lines_number(scope, DW_AT_call_line, &line) && file < c->file_count) {
        name = dwarf_filesrc(c->files, file, NULL, NULL);
    }
    if (name != NULL) {
        c->place[c->count++] = (struct tile_place){name, (unsigned)line};
    }
}

/*
 * Goes down through the scopes that have the instruction. dwarf_getscopes does it, too, but finds
 * none in units that were optimized as a whole, whose functions have their names in another unit.
 */
static void descend(struct chain *c, Dwarf_Die *unit, uint32_t pc)
{
    enum { DEEPEST = 64 };
    Dwarf_Die scope = *unit;
    for (unsigned depth = 0; depth < DEEPEST; depth++) {
        Dwarf_Die child;
        int more = dwarf_child(&scope, &child);
        while (more == 0 && dwarf_haspc(&child, pc) <= 0) {
            more = dwarf_siblingof(&child, &child);
        }
        if (more != 0) {
            return;
        }
        called(c, &child);
        scope = child;
    }
}

/* Lists where the inlined functions around an instruction were called, from the inside out. */
static unsigned calls(Dwarf_Die *unit, uint32_t pc, struct tile_place *places, unsigned most)
{
    struct chain c = {.count = 0};
    if (dwarf_getsrcfiles(unit, &c.files, &c.file_count) != 0) {
        return 0;
    }
    descend(&c, unit, pc);
    unsigned count = 0;
    while (count < c.count && count < most) {
        places[count] = c.place[c.count - 1 - count];
        count++;
    }
    return count;
}

unsigned tile_places(struct tile_program *program, uint32_t pc, struct tile_place *places,
                     unsigned most)
{
    if (!program->has_lines || most == 0) {
        return 0;
    }
    if (program->lines == NULL) {
        program->lines = open_lines(program);
    }
    Dwarf *dwarf = program->lines != NULL ? program->lines->dwarf : NULL;
    Dwarf_Off next = 0;
    size_t head = 0;
    for (Dwarf_Off at = 0;
         dwarf != NULL && dwarf_nextcu(dwarf, at, &next, &head, NULL, NULL, NULL) == 0; at = next) {
        Dwarf_Die unit;
        int line = 0;
        Dwarf_Line *found =
            dwarf_offdie(dwarf, at + head, &unit) != NULL ? dwarf_getsrc_die(&unit, pc) : NULL;
        if (found != NULL && dwarf_lineno(found, &line) == 0 && line > 0) {
            places[0].file = dwarf_linesrc(found, NULL, NULL);
            places[0].line = (unsigned)line;
            return places[0].file == NULL ? 0 : 1 + calls(&unit, pc, places + 1, most - 1);
        }
    }
    return 0;
}

#else

void tile_lines_close(struct tile_program *program)
{
    (void)program;
}

unsigned tile_places(struct tile_program *program, uint32_t pc, struct tile_place *places,
                     unsigned most)
{
    (void)program;
    (void)pc;
    (void)places;
    (void)most;
    return 0;
}

#endif

const char *tile_source(struct tile_program *program, uint32_t pc, char *text, size_t size)
{
    struct tile_place places[TILE_CALLS];
    const unsigned count = tile_places(program, pc, places, TILE_CALLS);
    size_t n = 0;
    text[0] = '\0';
    for (unsigned i = 0; i < count && n < size; i += i + 1 < count ? count - 1 - i : 1) {
        const char *slash = strrchr(places[i].file, '/');
        n += (size_t)snprintf(text + n, size - n, "%s%.60s:%u", i == 0 ? "" : " from ",
                              slash != NULL ? slash + 1 : places[i].file, places[i].line);
    }
    txl_mask_controls(text);
    return count != 0 ? text : NULL;
}

/* Returns whether the name is one of a source of a kernel. */
static bool is_source(const char *name)
{
    static const char *const ends[] = {".c",   ".cc",  ".cpp", ".cxx", ".h", ".hh",
                                       ".hpp", ".ipp", ".inc", ".s",   ".S"};
    const char *end = strrchr(name, '.');
    for (size_t i = 0; end != NULL && i < sizeof ends / sizeof ends[0]; i++) {
        if (strcmp(end, ends[i]) == 0) {
            return true;
        }
    }
    return false;
}

/*
 * Writes an absolute name without ".", ".." and doubled slashes. Links on the way are not looked
 * at: what the name then means is found out beneath a root only. Returns false if it is too long.
 */
static bool collapsed(const char *file, char plain[PATH_MAX])
{
    size_t n = 0;
    for (const char *at = file; *at != '\0';) {
        const size_t length = strcspn(at, "/");
        if (length == 2 && memcmp(at, "..", 2) == 0) {
            while (n > 0 && plain[--n] != '/') {}
        } else if (length != 0 && !(length == 1 && *at == '.')) {
            if (n + length + 2 > PATH_MAX) {
                return false;
            }
            plain[n++] = '/';
            memcpy(plain + n, at, length);
            n += length;
        }
        at += length + (at[length] == '/');
    }
    plain[n] = '\0';
    return true;
}

/* Reads a file whose absolute name lies beneath a folder, as it is written or without its links. */
static char *read_under(const char *folder, const char *file, size_t *size)
{
    struct txl_error ignored = {.status = TXL_OK};
    char root[2][PATH_MAX] = {"", ""};
    char *text = NULL;
    if (realpath(folder, root[0]) == NULL || (folder[0] == '/' && !collapsed(folder, root[1]))) {
        return NULL;
    }
    for (unsigned i = 0; i < 2 && text == NULL; i++) {
        const size_t length = strcmp(root[i], "/") == 0 ? 0 : strlen(root[i]);
        const bool some = root[i][0] == '/' || (i == 1 && folder[0] == '/');
        if (some && strncmp(file, root[i], length) == 0 && file[length] == '/') {
            text = read_beneath(&ignored, root[0], file + length + 1, size);
        }
    }
    return text;
}

struct tile_roots tile_roots_of(const txl_tensix *tile)
{
    const struct txl_tensix_options *o = tile != NULL ? tile_options(tile) : NULL;
    return o != NULL ? (struct tile_roots){o->sources, o->source_count, tile}
                     : (struct tile_roots){NULL, 0, NULL};
}

/* Reads it beneath the folder of one of the tile's programs. */
static char *read_beside(const txl_tensix *tile, const char *file, size_t *size)
{
    const struct txl_tensix_options *o = tile_options(tile);
    char *text = NULL;
    for (unsigned i = 0; i < o->program_count && text == NULL; i++) {
        char folder[PATH_MAX];
        const char *path = o->programs[i].path;
        const char *slash = path != NULL ? strrchr(path, '/') : NULL;
        const size_t length = slash != NULL ? (size_t)(slash - path) + 1 : 0;
        if (slash != NULL && length < sizeof folder) {
            memcpy(folder, path, length);
            folder[length] = '\0';
            text = read_under(folder, file, size);
        }
    }
    return text;
}

char *tile_source_text(const struct tile_roots *roots, const char *file, size_t *size)
{
    struct txl_error ignored = {.status = TXL_OK};
    char plain[PATH_MAX];
    if (file[0] != '/') {
        return read_beneath(&ignored, "", file, size);
    }
    if (!collapsed(file, plain)) {
        return NULL;
    }
    char *text = read_under(".", plain, size);
    const bool source = is_source(plain);
    for (size_t i = 0; source && i < roots->count && text == NULL; i++) {
        text = read_under(roots->folders[i], plain, size);
    }
    return text == NULL && source && roots->tile != NULL ? read_beside(roots->tile, plain, size)
                                                         : text;
}
