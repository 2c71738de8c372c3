/* SPDX-License-Identifier: Apache-2.0 */
/* Tensix words out of a RISC-V program: the rotated ones of each function symbol. */
#include "lint/lint.h"
#include "base/quote.h"

#include <stdlib.h>
#include <string.h>

bool lint_is_elf(const char *path)
{
    char head[4] = {0};
    FILE *file = fopen(path, "rbe");
    if (file == NULL) {
        return false;
    }
    size_t got = fread(head, 1, sizeof head, file);
    fclose(file);
    return got == sizeof head && memcmp(head, "\177ELF", 4) == 0;
}

void lint_free_elf(struct lint_elf *elf)
{
    for (size_t i = 0; i < elf->count; i++) {
        free(elf->functions[i].words);
        free(elf->functions[i].offsets);
    }
    free(elf->functions);
    *elf = (struct lint_elf){.count = 0};
}

#if defined(TENSIX_HAVE_LIBELF)

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

/* "rv32i2p1_m2p0_xtttensixbh1p0" */
static enum tx_arch arch_of(const Elf_Data *data)
{
    const char *text = data->d_buf;
    for (size_t i = 0; text != NULL && i + 11 <= data->d_size; i++) {
        if (memcmp(text + i, "xtttensix", 9) == 0) {
            return memcmp(text + i + 9, "bh", 2) == 0   ? TX_BLACKHOLE
                   : memcmp(text + i + 9, "wh", 2) == 0 ? TX_WORMHOLE
                                                        : TX_ARCH_NONE;
        }
    }
    return TX_ARCH_NONE;
}

/* Functions may share their bytes, so that a small file could ask for any amount of them. */
enum { MOST_WORDS = 1 << 24 };

static bool add_function(struct lint_elf *elf, const char *name, const GElf_Sym *symbol,
                         const uint8_t *bytes)
{
    elf->words += symbol->st_size / 4;
    if (elf->words > MOST_WORDS) {
        return true; /* said at the end */
    }
    struct lint_function *larger =
        realloc(elf->functions, (elf->count + 1) * sizeof *elf->functions);
    if (larger == NULL) {
        return false;
    }
    elf->functions = larger;
    struct lint_function f = {.address = symbol->st_value};
    size_t most = (size_t)symbol->st_size / 4;
    f.words = malloc((most + 1) * sizeof *f.words);
    f.offsets = malloc((most + 1) * sizeof *f.offsets);
    if (f.words == NULL || f.offsets == NULL) {
        free(f.words);
        free(f.offsets);
        return false;
    }
    snprintf(f.name, sizeof f.name, "%s", name != NULL ? name : "?");
    quote_terminal(f.name);
    for (size_t i = 0; i < most; i++) {
        const uint8_t *p = bytes + 4 * i;
        uint32_t raw = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
        if ((raw & 3) != 3) {
            f.words[f.count] = tx_ttinsn_undo(raw);
            f.offsets[f.count++] = (uint32_t)(4 * i);
        }
    }
    if (f.count == 0) {
        free(f.words);
        free(f.offsets);
        return true;
    }
    elf->functions[elf->count++] = f;
    return true;
}

static bool read_symbol(struct lint_elf *out, Elf *elf, const GElf_Shdr *table,
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

static bool read_section(struct lint_elf *out, Elf *elf, Elf_Scn *section)
{
    GElf_Shdr head;
    Elf_Data *data = elf_getdata(section, NULL);
    if (gelf_getshdr(section, &head) == NULL || data == NULL) {
        return true;
    }
    if (head.sh_type == 0x70000003) { /* SHT_RISCV_ATTRIBUTES */
        out->arch = arch_of(data);
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
    const struct lint_function *x = a;
    const struct lint_function *y = b;
    return x->address < y->address ? -1 : x->address > y->address ? 1 : strcmp(x->name, y->name);
}

int lint_read_elf(struct txl_error *err, const char *path, struct lint_elf *out)
{
    struct txl_where where = {.file = path};
    *out = (struct lint_elf){.arch = TX_ARCH_NONE};
    (void)elf_version(EV_CURRENT);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return txl_fail_at(err, &where, "%s", strerror(errno));
    }
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    GElf_Ehdr head;
    bool good = elf != NULL && elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &head) != NULL;
    bool riscv = good && head.e_machine == EM_RISCV;
    bool memory = true;
    for (Elf_Scn *s = NULL; riscv && memory && (s = elf_nextscn(elf, s)) != NULL;) {
        memory = read_section(out, elf, s);
    }
    if (elf != NULL) {
        elf_end(elf);
    }
    close(fd);
    if (out->words > MOST_WORDS) {
        lint_free_elf(out);
        return txl_fail_at(err, &where, "its functions have more than %d words together",
                           MOST_WORDS);
    }
    if (!good || !riscv || !memory) {
        lint_free_elf(out);
        return txl_fail_at(err, &where, "%s",
                           !good    ? "is no readable ELF file"
                           : !riscv ? "is an ELF file, but not of RISC-V"
                                    : "out of memory");
    }
    if (out->count > 0) {
        qsort(out->functions, out->count, sizeof *out->functions, by_address);
    }
    return TXL_CONTINUE;
}

#else

int lint_read_elf(struct txl_error *err, const char *path, struct lint_elf *out)
{
    struct txl_where where = {.file = path};
    *out = (struct lint_elf){.arch = TX_ARCH_NONE};
    return txl_fail_at(err, &where, "is an ELF file, and this tensix was built without libelf");
}

#endif
