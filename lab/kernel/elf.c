/* SPDX-License-Identifier: Apache-2.0 */
/* Extracts Tensix words from a RISC-V program: the rotated words in each function symbol. */
#include "base/small.h"
#include "kernel/elf.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <tensix-lab/base.h>
#include <tensix-lab/elf.h>

/* A function with the memory that its public description points to. */
struct function {
    struct txl_elf_function seen;
    char name[128];
    uint32_t *words, *offsets, *code;
};

struct txl_elf {
    enum tx_arch arch; /* TX_ARCH_NONE: the file does not say */
    struct function *functions;
    size_t count, room;
    uint64_t words; /* in all functions together */
};

bool txl_elf_is(const char *path)
{
    char head[4] = {0};
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode)) {
        return false; /* what is read from a pipe here would be missing later */
    }
    FILE *file = fopen(path, "rbe");
    if (file == NULL) {
        return false;
    }
    size_t got = fread(head, 1, sizeof head, file);
    fclose(file);
    return got == sizeof head && memcmp(head, "\177ELF", 4) == 0;
}

void txl_elf_close(txl_elf *elf)
{
    if (elf == NULL) {
        return;
    }
    for (size_t i = 0; i < elf->count; i++) {
        free(elf->functions[i].words);
        free(elf->functions[i].offsets);
        free(elf->functions[i].code);
    }
    free(elf->functions);
    free(elf);
}

enum tx_arch txl_elf_arch(const txl_elf *elf)
{
    return elf->arch;
}

size_t txl_elf_functions(const txl_elf *elf)
{
    return elf->count;
}

const struct txl_elf_function *txl_elf_function(const txl_elf *elf, size_t index)
{
    return index < elf->count ? &elf->functions[index].seen : NULL;
}

bool elf_names_chip(const char *section)
{
    return strcmp(section, ".riscv.attributes") == 0 || strcmp(section, ".tensix.chip") == 0 ||
           strcmp(section, ".debug_str") == 0;
}

static enum tx_arch chip_named(const char *two)
{
    return memcmp(two, "bh", 2) == 0   ? TX_BLACKHOLE
           : memcmp(two, "wh", 2) == 0 ? TX_WORMHOLE
                                       : TX_ARCH_NONE;
}

/* Looks in text for a word and the two letters of a chip behind it. */
static enum tx_arch chip_behind(const char *text, size_t size, const char *word)
{
    const size_t n = strlen(word);
    for (size_t i = 0; i + n + 2 <= size; i++) {
        if (memcmp(text + i, word, n) == 0) {
            return chip_named(text + i + n);
        }
    }
    return TX_ARCH_NONE;
}

/* Of the strings of debugging information only the compiler's own line counts: "GNU C++17 15.1.0
 * -mcpu=tt-bh". Programs of cores that push no instruction name the chip nowhere else. */
static enum tx_arch chip_of_producer(const char *text, size_t size)
{
    enum tx_arch found = TX_ARCH_NONE;
    for (size_t at = 0; at < size && found == TX_ARCH_NONE;) {
        const size_t length = strnlen(text + at, size - at);
        if (length > 4 && memcmp(text + at, "GNU ", 4) == 0) {
            found = chip_behind(text + at, length, " -mcpu=tt-");
        }
        at += length + 1;
    }
    return found;
}

/* Attributes are such as "rv32i2p1_m2p0_xtttensixbh1p0". */
enum tx_arch elf_chip(const void *bytes, size_t size)
{
    if (bytes == NULL) {
        return TX_ARCH_NONE;
    }
    const enum tx_arch named = chip_behind(bytes, size, "xtttensix");
    return named != TX_ARCH_NONE ? named : chip_of_producer(bytes, size);
}

#if defined(TENSIX_HAVE_LIBELF)

#include <gelf.h>

#include "base/memory.h"

/* Functions may share their bytes, so a small file could otherwise ask for any amount of memory. */
enum { MOST_WORDS = 1 << 24 };

/* Takes the rotated words from these bytes. Returns false when out of memory. */
static bool take_words(struct function *f, const uint8_t *bytes, size_t most)
{
    f->words = malloc((most + 1) * sizeof *f->words);
    f->offsets = malloc((most + 1) * sizeof *f->offsets);
    f->code = malloc((most + 1) * sizeof *f->code);
    const bool good = f->words != NULL && f->offsets != NULL && f->code != NULL;
    f->seen.code_count = most;
    for (size_t i = 0; good && i < most; i++) {
        const uint32_t raw = word_of_bytes(bytes + 4 * i);
        f->code[i] = raw;
        if ((raw & 3) != 3) { /* 11 marks an instruction of the RISC-V core itself */
            f->words[f->seen.count] = tx_ttinsn_undo(raw);
            f->offsets[f->seen.count++] = (uint32_t)(4 * i);
        }
    }
    return good;
}

static bool add_function(struct txl_elf *elf, const char *name, const GElf_Sym *symbol,
                         const uint8_t *bytes)
{
    elf->words += symbol->st_size / 4;
    if (elf->words > MOST_WORDS) {
        return true; /* reported at the end */
    }
    if (!LIST_ROOM(elf->functions, elf->count, elf->room, 1)) {
        return false;
    }
    struct function f = {.seen = {.address = symbol->st_value}};
    const bool good = take_words(&f, bytes, (size_t)symbol->st_size / 4);
    if (!good || f.seen.count == 0) {
        free(f.words);
        free(f.offsets);
        free(f.code);
        return good;
    }
    snprintf(f.name, sizeof f.name, "%s", name != NULL ? name : "?");
    txl_mask_controls(f.name);
    elf->functions[elf->count++] = f;
    return true;
}

static bool read_symbol(struct txl_elf *out, Elf *elf, const GElf_Shdr *table,
                        const GElf_Sym *symbol)
{
    Elf_Scn *section = elf_getscn(elf, symbol->st_shndx);
    GElf_Shdr head;
    if (GELF_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_size < 4 || section == NULL ||
        gelf_getshdr(section, &head) == NULL || (head.sh_flags & SHF_EXECINSTR) == 0) {
        return true;
    }
    Elf_Data *data = elf_rawdata(section, NULL);
    GElf_Ehdr file;
    (void)gelf_getehdr(elf, &file);
    uint64_t at = symbol->st_value - (file.e_type == ET_REL ? 0 : head.sh_addr);
    if (data == NULL || data->d_buf == NULL || at > data->d_size ||
        symbol->st_size > data->d_size - at) {
        return true;
    }
    const char *name = elf_strptr(elf, table->sh_link, symbol->st_name);
    return add_function(out, name, symbol, (const uint8_t *)data->d_buf + at);
}

static bool read_section(struct txl_elf *out, Elf *elf, Elf_Scn *section)
{
    GElf_Shdr head;
    Elf_Data *data = elf_getdata(section, NULL);
    if (gelf_getshdr(section, &head) == NULL || data == NULL) {
        return true;
    }
    size_t names = 0;
    const char *name =
        elf_getshdrstrndx(elf, &names) == 0 ? elf_strptr(elf, names, head.sh_name) : NULL;
    if (name != NULL && elf_names_chip(name) && out->arch == TX_ARCH_NONE) {
        out->arch = elf_chip(data->d_buf, data->d_size);
    }
    if (head.sh_type != SHT_SYMTAB || head.sh_entsize == 0) {
        return true;
    }
    for (int i = 0; (uint64_t)i < head.sh_size / head.sh_entsize; i++) {
        GElf_Sym symbol;
        if (gelf_getsym(data, i, &symbol) != NULL && !read_symbol(out, elf, &head, &symbol)) {
            return false;
        }
    }
    return true;
}

static int by_address(const void *a, const void *b)
{
    const struct function *x = a;
    const struct function *y = b;
    return x->seen.address < y->seen.address   ? -1
           : x->seen.address > y->seen.address ? 1
                                               : strcmp(x->name, y->name);
}

/* Reads the file. Returns NULL, or what is wrong with it. */
static const char *read_file(struct txl_elf *out, Elf *elf)
{
    GElf_Ehdr head;
    if (elf == NULL || elf_kind(elf) != ELF_K_ELF || gelf_getehdr(elf, &head) == NULL) {
        return "is no readable ELF file";
    }
    if (head.e_machine != EM_RISCV) {
        return "is an ELF file, but not of RISC-V";
    }
    for (Elf_Scn *s = NULL; (s = elf_nextscn(elf, s)) != NULL;) {
        if (!read_section(out, elf, s)) {
            return "out of memory";
        }
    }
    return NULL;
}

/* Points the public descriptions at what the functions hold, when these no longer move. */
static void finish(struct txl_elf *elf)
{
    if (elf->count > 0) {
        qsort(elf->functions, elf->count, sizeof *elf->functions, by_address);
    }
    for (size_t i = 0; i < elf->count; i++) {
        struct function *f = &elf->functions[i];
        f->seen.name = f->name;
        f->seen.words = f->words;
        f->seen.offsets = f->offsets;
        f->seen.code = f->code;
    }
}

int elf_open_bytes(struct txl_error *err, const char *path, char *bytes, size_t size, txl_elf **out)
{
    struct txl_where where = {.file = path};
    *out = NULL;
    (void)elf_version(EV_CURRENT);
    struct txl_elf *made = calloc(1, sizeof *made);
    Elf *elf = made != NULL ? elf_memory(bytes, size) : NULL;
    const char *wrong = made != NULL ? read_file(made, elf) : "out of memory";
    if (elf != NULL) {
        elf_end(elf);
    }
    const bool long_one = made != NULL && made->words > MOST_WORDS;
    if (wrong != NULL || long_one) {
        txl_elf_close(made);
        return long_one ? txl_fail_at(err, &where, "its functions have more than %d words together",
                                      MOST_WORDS)
                        : txl_fail_at(err, &where, "%s", wrong);
    }
    finish(made);
    *out = made;
    return TXL_OK;
}

#else

int elf_open_bytes(struct txl_error *err, const char *path, char *bytes, size_t size, txl_elf **out)
{
    struct txl_where where = {.file = path};
    (void)bytes, (void)size;
    *out = NULL;
    return txl_fail_at(err, &where, "is an ELF file, and this library was built without libelf");
}

#endif

int txl_elf_open(struct txl_error *err, const char *path, txl_elf **out)
{
    size_t size = 0;
    *out = NULL;
    char *bytes = txl_read_file(err, path, &size);
    const int result = bytes != NULL ? elf_open_bytes(err, path, bytes, size, out) : TXL_INPUT;
    free(bytes);
    return result;
}
