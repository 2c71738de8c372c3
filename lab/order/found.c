/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Places of programs that a host loads by itself. Nothing tells which file an instruction came
 * from, and loaders move programs and fit some of their addresses. So a site keeps the instructions
 * around it, and when a run has ended they are looked for in the ELF files of some folders.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "order/order.h"

#include <tensix-lab/base.h>

/* ---- the instructions around a site ---- */

void order_code_changed(struct txl_order *o, uint32_t tile, uint64_t address, uint64_t bytes)
{
    enum { SMALLEST = 32 };
    if (tile >= ORDER_TILES || bytes < SMALLEST || address >= ORDER_CODE_END) {
        return;
    }
    const uint64_t end = address + bytes < ORDER_CODE_END ? address + bytes : ORDER_CODE_END;
    for (uint64_t page = address / ORDER_CODE_PAGE; page * ORDER_CODE_PAGE < end; page++) {
        if ((o->code_page[tile][page / 32] >> page % 32 & 1u) != 0) {
            memset(o->code_page[tile], 0, sizeof o->code_page[tile]);
            o->code_epoch[tile]++;
            return;
        }
    }
}

void order_code_used(struct txl_order *o, uint32_t tile, uint32_t pc)
{
    if (pc < ORDER_CODE_END) {
        o->code_page[tile][pc / ORDER_CODE_PAGE / 32] |= 1u << pc / ORDER_CODE_PAGE % 32;
    }
}

uint32_t order_text_at(struct txl_order *o, uint32_t core, uint32_t pc)
{
    struct order_text t = {.path = 0};
    for (unsigned i = 0; i < ORDER_TEXT; i++) {
        t.word[i] =
            tx_core_word(o->tile[core / ORDER_CORES].tile, (enum tx_core)(core % ORDER_CORES),
                         pc + 4 * (i - ORDER_TEXT_BEFORE));
    }
    if (t.word[ORDER_TEXT_BEFORE] == 0) {
        return 0;
    }
    uint32_t *number = hash_at(&o->text_of, t.word, sizeof t.word);
    if (number == NULL || !LIST_ONE(o->text, o->texts, o->text_room, o->failed)) {
        o->failed = true;
        return 0;
    }
    if (*number == 0) {
        o->text[o->texts++] = t;
        *number = (uint32_t)o->texts;
    }
    return *number;
}

/* ---- looking for them ---- */

struct search {
    struct txl_order *o;
    uint32_t *first, *next; /* the texts by their own instruction; first has SLOTS */
    unsigned files;
    uint32_t program; /* of the file that is looked at: index + 1, or 0 */
};
enum { SLOTS = 4096, MOST_FILES = 20000, DEEPEST = 10 };

static uint32_t slot_of(uint32_t word)
{
    return (word * 2654435761u >> 16) % SLOTS;
}

static uint32_t little(const uint8_t *b, unsigned bytes)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < bytes; i++) {
        value |= (uint32_t)b[i] << 8 * i;
    }
    return value;
}

/* Whether a loader may have made one word from the other: the upper half of an address. */
static bool fitted(enum tx_arch arch, uint32_t file, uint32_t memory)
{
    struct tx_core_decoded a;
    struct tx_core_decoded b;
    tx_core_decode(arch, file, &a);
    tx_core_decode(arch, memory, &b);
    return a.id == TX_CORE_INSN_LUI && a.rd == b.rd &&
           (b.id == TX_CORE_INSN_AUIPC || b.id == TX_CORE_INSN_LUI);
}

/*
 * How many instructions around one of the file's are those of the text; 0: too few. What a loader
 * may have fitted to the place, the upper half of an address, counts as equal. What lies beyond the
 * file's code is other programs'.
 */
static unsigned alike(enum tx_arch arch, const struct order_text *t, const uint8_t *code,
                      uint32_t size, uint32_t at)
{
    enum { LEAST = ORDER_TEXT_BEFORE };
    unsigned count = 0;
    unsigned within = 0;
    for (unsigned i = 0; i < ORDER_TEXT; i++) {
        const uint32_t offset = at + 4 * (i - ORDER_TEXT_BEFORE);
        if (offset > size - 4) {
            continue;
        }
        const uint32_t word = little(code + offset, 4);
        within++;
        count += word == t->word[i] || fitted(arch, word, t->word[i]);
    }
    return count >= LEAST && 4 * count >= 3 * within ? count : 0;
}

/* A file becomes one of the programs when the first text is found in it. */
static uint32_t program_of(struct search *s, const char *path)
{
    struct txl_error ignored = {.status = TXL_OK};
    struct txl_order *o = s->o;
    if (s->program != 0 || o->programs == TXL_ORDER_PROGRAMS) {
        return s->program;
    }
    struct order_program *p = &o->program[o->programs];
    char *own = strdup(path);
    *p = (struct order_program){.p = {.path = own}, .path = own};
    if (own == NULL || tile_program_read(&ignored, o->arch, &p->p) != TXL_CONTINUE) {
        free(own);
        *p = (struct order_program){.path = NULL};
        return 0;
    }
    s->program = ++o->programs;
    return s->program;
}

static void search_code(struct search *s, const char *path, const uint8_t *code, uint32_t size,
                        uint32_t address)
{
    struct txl_order *o = s->o;
    for (uint32_t at = 0; at + 4 <= size; at += 4) {
        const uint32_t word = little(code + at, 4);
        for (uint32_t i = s->first[slot_of(word)]; i != 0; i = s->next[i - 1]) {
            struct order_text *t = &o->text[i - 1];
            const bool same = t->word[ORDER_TEXT_BEFORE] == word && t->alike < ORDER_TEXT;
            const unsigned n = same ? alike(o->arch, t, code, size, at) : 0;
            if (n > t->alike) {
                const uint32_t program = program_of(s, path);
                t->alike = program != 0 ? (uint8_t)n : t->alike;
                t->path = program != 0 ? program : t->path;
                t->address = program != 0 ? address + at : t->address;
            }
        }
    }
}

/* The executable segments of an ELF file for RISC-V with 32 bits. */
static void search_elf(struct search *s, const char *path, const uint8_t *b, size_t size)
{
    enum { HEAD = 52, RISCV = 243, PROGRAM_HEAD = 32, LOADED = 1, EXECUTED = 1 };
    static const uint8_t magic[] = {0x7F, 'E', 'L', 'F', 1, 1};
    if (size < HEAD || memcmp(b, magic, sizeof magic) != 0 || little(b + 18, 2) != RISCV) {
        return;
    }
    const uint64_t table = little(b + 28, 4);
    const uint32_t count = little(b + 44, 2);
    s->program = 0;
    for (uint32_t i = 0; i < count && table + (i + 1) * (uint64_t)PROGRAM_HEAD <= size; i++) {
        const uint8_t *h = b + table + i * (uint64_t)PROGRAM_HEAD;
        const uint64_t offset = little(h + 4, 4);
        const uint64_t bytes = little(h + 16, 4);
        if (little(h, 4) == LOADED && (little(h + 24, 4) & EXECUTED) != 0 && bytes >= 4 &&
            offset + bytes <= size) {
            search_code(s, path, b + offset, (uint32_t)bytes, little(h + 8, 4));
        }
    }
}

static void search_file(struct search *s, const char *path)
{
    struct txl_error ignored = {.status = TXL_OK};
    char *bytes = NULL;
    size_t size = 0;
    bytes = txl_read_file(&ignored, path, &size);
    if (bytes != NULL) {
        search_elf(s, path, (const uint8_t *)bytes, size);
    }
    free(bytes);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Files beneath a folder in the order of their names, so that the first of several equal ones is
 * always the same. Links are not followed. */
static void search_folder(struct search *s, const char *folder, unsigned depth)
{
    struct dirent **names;
    const int count = depth < DEEPEST ? scandir(folder, &names, NULL, by_name) : -1;
    for (int i = 0; i < count; i++) {
        char path[4096];
        struct stat is;
        const char *name = names[i]->d_name;
        const int n = snprintf(path, sizeof path, "%s/%s", folder, name);
        const char *dot = strrchr(name, '.');
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || n >= (int)sizeof path ||
            lstat(path, &is) != 0) {
            free(names[i]);
            continue;
        }
        if (S_ISDIR(is.st_mode)) {
            search_folder(s, path, depth + 1);
        } else if (S_ISREG(is.st_mode) && dot != NULL && strcmp(dot, ".elf") == 0 &&
                   s->files < MOST_FILES) {
            s->files++;
            search_file(s, path);
        }
        free(names[i]);
    }
    if (count >= 0) {
        free(names);
    }
}

static void want(const struct search *s, uint32_t text)
{
    struct order_text *t = text != 0 ? &s->o->text[text - 1] : NULL;
    if (t != NULL && !t->wanted) {
        uint32_t *first = &s->first[slot_of(t->word[ORDER_TEXT_BEFORE])];
        t->wanted = true;
        s->next[text - 1] = *first;
        *first = text;
    }
}

static void want_site(const struct search *s, uint32_t site)
{
    if (site < s->o->site_count) {
        want(s, s->o->sites[site].text);
        want(s, s->o->sites[site].caller_text);
    }
}

static void want_all(const struct search *s)
{
    const struct txl_order *o = s->o;
    for (size_t i = 0; i < o->conflicts; i++) {
        want_site(s, o->conflict[i].site[0]);
        want_site(s, o->conflict[i].site[1]);
    }
    for (size_t i = 0; i < o->founds; i++) {
        for (unsigned k = 0; k < o->found[i].sites; k++) {
            want_site(s, o->found[i].site[k]);
        }
    }
    for (uint32_t i = 0; i < ORDER_TILES * ORDER_CORES; i++) {
        if (o->hung && o->core[i] != NULL && o->core[i]->wait.on) {
            want_site(s, o->core[i]->wait.site);
        }
    }
}

void order_find_files(struct txl_order *o)
{
    struct search s = {.o = o};
    o->ended = true;
    if (o->folders == NULL || o->texts == 0) {
        return;
    }
    s.first = calloc(SLOTS, sizeof *s.first);
    s.next = calloc(o->texts, sizeof *s.next);
    if (s.first != NULL && s.next != NULL) {
        want_all(&s);
        for (const char *at = o->folders; *at != '\0';) {
            char folder[4096];
            const size_t n = strcspn(at, ":");
            if (n != 0 && n < sizeof folder) {
                memcpy(folder, at, n);
                folder[n] = '\0';
                search_folder(&s, folder, 0);
            }
            at += n + (at[n] == ':');
        }
    } else {
        o->failed = true;
    }
    free(s.first);
    free(s.next);
}
