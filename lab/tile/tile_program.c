/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the cores' programs from files. The loaded segments of an ELF file go to their physical
 * addresses in L1; data for local memory go to section .loader_init if there is one, where tt-llk's
 * start-up code expects them, otherwise directly to local memory. Source: spec/tile.md 12.1.
 */
#include "tile/tile_program.h"

#include "base/memory.h"
#include "kernel/elf.h"

#include <stdlib.h>
#include <string.h>

#include <tensix-lab/base.h>

void tile_program_free(struct tile_program *program)
{
    for (unsigned i = 0; i < program->count; i++) {
        free(program->segments[i].bytes);
    }
    for (size_t i = 0; i < program->symbol_count; i++) {
        free(program->symbols[i].name);
    }
    free(program->symbols);
    free(program->objects);
    tile_lines_close(program);
    program->symbols = NULL;
    program->count = 0;
    program->symbol_count = 0;
    program->objects = NULL;
    program->object_count = program->object_room = 0;
}

const char *tile_function(const struct tile_program *program, uint32_t pc, char *text)
{
    for (size_t i = program->symbol_count; i-- > 0;) {
        const struct tile_symbol *s = &program->symbols[i];
        if (s->address <= pc && pc - s->address < s->size) {
            snprintf(text, 96, pc == s->address ? "%.64s" : "%.64s+0x%x", s->name,
                     (unsigned)(pc - s->address));
            return text;
        }
    }
    return NULL;
}

/* Programs hold bytes that no text has: already that of a register's number in most instructions.
 */
static bool is_text(const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = (unsigned char)bytes[i];
        if ((c < ' ' && strchr("\t\n\f\r", c) == NULL) || c == 0x7f || c == '\0') {
            return false;
        }
    }
    return true;
}

static int raw(struct txl_error *err, enum tx_arch arch, struct tile_program *p, const char *bytes,
               size_t size)
{
    struct txl_where where = {.file = p->path};
    p->entry = tx_core_start((enum tx_core)p->core);
    if (size == 0 || size > tx_l1_size(arch) - p->entry) {
        return txl_fail_at(err, &where, "%s",
                           size == 0 ? "is empty"
                                     : "is no ELF file, and as an image larger than what L1 has "
                                       "from the core's start address on");
    }
    if (is_text(bytes, size)) {
        return txl_fail_at(err, &where, "is a text, neither an ELF file nor an image of a program");
    }
    uint8_t *copy = malloc(size);
    if (copy == NULL) {
        return txl_fail_at(err, &where, "out of memory");
    }
    memcpy(copy, bytes, size);
    p->segments[p->count++] = (struct tile_segment){
        .address = p->entry, .size = (uint32_t)size, .room = (uint32_t)size, .bytes = copy};
    return TXL_CONTINUE;
}

int tile_programs_apart(struct txl_error *err, const struct tile_program *programs, unsigned count)
{
    for (unsigned a = 0; a < count; a++) {
        for (unsigned i = 0; i < programs[a].count; i++) {
            const struct tile_segment *s = &programs[a].segments[i];
            for (unsigned b = 0; b <= a; b++) {
                for (unsigned k = 0; k < (b == a ? i : programs[b].count); k++) {
                    const struct tile_segment *o = &programs[b].segments[k];
                    if (s->local == o->local && (!s->local || a == b) &&
                        s->address < o->address + o->room && o->address < s->address + s->room) {
                        struct txl_where where = {.file = programs[a].path};
                        return txl_fail_at(err, &where,
                                           "its segment of %u bytes at %08x overlaps that of %s "
                                           "at %08x",
                                           s->room, s->address, programs[b].path, o->address);
                    }
                }
            }
        }
    }
    return TXL_CONTINUE;
}

#if defined(TENSIX_HAVE_LIBELF)

#include <gelf.h>

struct file {
    struct txl_error *err;
    enum tx_arch arch;
    struct tile_program *program;
    Elf *elf;
    GElf_Ehdr head;
    const char *bytes;
    size_t size;
    uint32_t loader_init; /* address; 0: none */
    uint32_t loader_size;
};

static int wrong(struct file *f, const char *format, unsigned long long a, unsigned long long b)
{
    struct txl_where where = {.file = f->program->path};
    char text[160];
    snprintf(text, sizeof text, format, a, b);
    return txl_fail_at(f->err, &where, "%s", text);
}

static int check_head(struct file *f)
{
    if (f->elf == NULL || elf_kind(f->elf) != ELF_K_ELF || gelf_getehdr(f->elf, &f->head) == NULL) {
        return wrong(f, "is no readable ELF file", 0, 0);
    }
    if (f->head.e_ident[EI_CLASS] != ELFCLASS32 || f->head.e_ident[EI_DATA] != ELFDATA2LSB) {
        return wrong(f, "is an ELF file, but not of 32 bits, low byte first", 0, 0);
    }
    if (f->head.e_machine != EM_RISCV) {
        return wrong(f, "is an ELF file, but not of RISC-V (machine %llu)", f->head.e_machine, 0);
    }
    if (f->head.e_type != ET_EXEC) {
        return wrong(f, "is an ELF file, but not a linked program (type %llu)", f->head.e_type, 0);
    }
    f->bytes = elf_rawfile(f->elf, &f->size);
    if (f->bytes == NULL || f->size > TILE_FILE) {
        return wrong(f, "has more than %llu bytes", TILE_FILE, 0);
    }
    f->program->entry = (uint32_t)f->head.e_entry;
    if (f->head.e_entry % 4 != 0 || f->head.e_entry >= tx_l1_size(f->arch)) {
        return wrong(f, "begins at %08llx, which is no instruction in L1", f->head.e_entry, 0);
    }
    return TXL_CONTINUE;
}

/* Determines where a segment goes. */
static int tile_program_place(struct file *f, const GElf_Phdr *p, struct tile_segment *s)
{
    const uint64_t local = p->p_vaddr - tx_core_local();
    const uint32_t l1 = tx_l1_size(f->arch);
    const uint32_t ram = tx_core_local_size(f->arch, f->program->core);
    s->size = (uint32_t)p->p_filesz;
    s->room = (uint32_t)p->p_memsz;
    if (p->p_vaddr >= tx_core_local() && p->p_paddr == p->p_vaddr) {
        if (local > ram || p->p_memsz > ram - local) {
            return wrong(f, "has a segment at %08llx, beyond the core's %llu bytes of local memory",
                         p->p_vaddr, ram);
        }
        s->local = f->loader_init == 0;
        s->address = s->local ? (uint32_t)local : f->loader_init;
        s->room = s->local ? s->room : s->size;
        if (!s->local && s->size > f->loader_size) {
            return wrong(f, "has %llu bytes for local memory and %llu in .loader_init", s->size,
                         f->loader_size);
        }
        return TXL_CONTINUE;
    }
    if (p->p_paddr > l1 || p->p_memsz > l1 - p->p_paddr) {
        return wrong(f, "has a segment of %llu bytes at %08llx, outside L1", p->p_memsz,
                     p->p_paddr);
    }
    s->address = (uint32_t)p->p_paddr;
    return TXL_CONTINUE;
}

static int read_segment(struct file *f, int number)
{
    struct tile_program *program = f->program;
    GElf_Phdr p;
    if (gelf_getphdr(f->elf, number, &p) == NULL) {
        return wrong(f, "has an unreadable program header %llu", (unsigned)number, 0);
    }
    if (p.p_type == PT_LOAD && !program->is_elf) {
        program->is_elf = true;
        program->first = (uint32_t)p.p_vaddr;
    }
    /*
     * A segment without bytes reserves room (tt-llk's arguments and stack). Its memory is left
     * alone, and several programs may reserve the same.
     */
    if (p.p_type != PT_LOAD || p.p_memsz == 0 || p.p_filesz == 0) {
        return TXL_CONTINUE;
    }
    if (p.p_filesz > p.p_memsz || p.p_offset > f->size || p.p_filesz > f->size - p.p_offset) {
        return wrong(f, "has a segment at %08llx whose bytes are not in the file", p.p_vaddr, 0);
    }
    if (program->count == TILE_SEGMENTS) {
        return wrong(f, "has more than %llu segments", TILE_SEGMENTS, 0);
    }
    struct tile_segment s = {.local = false};
    const int result = tile_program_place(f, &p, &s);
    if (result != TXL_CONTINUE) {
        return result;
    }
    s.bytes = calloc(1, s.room + 1u);
    if (s.bytes == NULL) {
        return wrong(f, "out of memory", 0, 0);
    }
    memcpy(s.bytes, f->bytes + p.p_offset, s.size);
    program->segments[program->count++] = s;
    return TXL_CONTINUE;
}

/*
 * Writes the names of a C++ symbol without arguments: "ckernel::mop_run" for
 * "_ZN7ckernel7mop_runEhh".
 */
static void plain_name(const char *name, char text[65])
{
    const char *p = strncmp(name, "_ZL", 3) == 0 ? name + 3 : name + 2;
    size_t n = 0;
    snprintf(text, 65, "%s", name);
    if (strncmp(name, "_Z", 2) != 0) {
        return;
    }
    p += strspn(p, "NKVr");
    while (*p >= '1' && *p <= '9') {
        char *end;
        const size_t length = strtoul(p, &end, 10);
        if (length > strlen(end)) {
            return; /* not a mangled name after all */
        }
        n += n < 65 ? (size_t)snprintf(text + n, 65 - n, "%s%.*s", n != 0 ? "::" : "",
                                       (int)(length < 65 ? length : 65), end)
                    : 0;
        p = end + length;
    }
}

static int add_object(struct file *f, const GElf_Sym *symbol)
{
    struct tile_program *p = f->program;
    const uint32_t l1 = tx_l1_size(f->arch);
    if (symbol->st_size == 0 || symbol->st_size > l1 || symbol->st_value > l1 - symbol->st_size ||
        p->object_count == TILE_OBJECTS) {
        return TXL_CONTINUE;
    }
    if (!LIST_ROOM(p->objects, p->object_count, p->object_room, 1)) {
        return wrong(f, "out of memory", 0, 0);
    }
    p->objects[p->object_count++] =
        (struct tile_object){(uint32_t)symbol->st_value, (uint32_t)symbol->st_size};
    return TXL_CONTINUE;
}

static int add_symbol(struct file *f, const GElf_Shdr *table, const GElf_Sym *symbol)
{
    struct tile_program *p = f->program;
    const char *name = elf_strptr(f->elf, table->sh_link, symbol->st_name);
    if (GELF_ST_TYPE(symbol->st_info) == STT_OBJECT) {
        return add_object(f, symbol);
    }
    if (GELF_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_size == 0 || name == NULL ||
        symbol->st_value > UINT32_MAX || symbol->st_size > UINT32_MAX ||
        p->symbol_count == TILE_SYMBOLS) {
        return TXL_CONTINUE;
    }
    if (!LIST_ROOM(p->symbols, p->symbol_count, p->symbol_room, 1)) {
        return wrong(f, "out of memory", 0, 0);
    }
    char plain[65];
    plain_name(name, plain);
    char *copy = strdup(plain);
    if (copy == NULL) {
        return wrong(f, "out of memory", 0, 0);
    }
    txl_mask_controls(copy);
    p->symbols[p->symbol_count++] =
        (struct tile_symbol){(uint32_t)symbol->st_value, (uint32_t)symbol->st_size, copy};
    return TXL_CONTINUE;
}

static int read_section(struct file *f, Elf_Scn *section)
{
    GElf_Shdr head;
    size_t names = 0;
    if (gelf_getshdr(section, &head) == NULL || elf_getshdrstrndx(f->elf, &names) != 0) {
        return TXL_CONTINUE;
    }
    const char *name = elf_strptr(f->elf, names, head.sh_name);
    if (name != NULL && strcmp(name, ".loader_init") == 0) {
        const uint32_t l1 = tx_l1_size(f->arch);
        if (head.sh_addr >= l1 || head.sh_size > l1 - head.sh_addr) {
            return wrong(f, "has .loader_init at %08llx, outside L1", head.sh_addr, 0);
        }
        f->loader_init = (uint32_t)head.sh_addr;
        f->loader_size = (uint32_t)head.sh_size;
    }
    if (name != NULL && strcmp(name, ".debug_line") == 0) {
        f->program->has_lines = true;
    }
    Elf_Data *named = name != NULL && elf_names_chip(name) ? elf_getdata(section, NULL) : NULL;
    const enum tx_arch arch = named != NULL ? elf_chip(named->d_buf, named->d_size) : TX_ARCH_NONE;
    if (arch != TX_ARCH_NONE && arch != f->arch) {
        struct txl_where where = {.file = f->program->path};
        return txl_fail_at(f->err, &where, "is a program of %s, and the tile is one of %s",
                           tx_arch_name(arch), tx_arch_name(f->arch));
    }
    Elf_Data *data = head.sh_type == SHT_SYMTAB ? elf_getdata(section, NULL) : NULL;
    int result = TXL_CONTINUE;
    for (int i = 0; data != NULL && head.sh_entsize != 0 && result == TXL_CONTINUE &&
                    (uint64_t)i < head.sh_size / head.sh_entsize && i < TILE_SYMBOLS;
         i++) {
        GElf_Sym symbol;
        if (gelf_getsym(data, i, &symbol) != NULL) {
            result = add_symbol(f, &head, &symbol);
        }
    }
    return result;
}

static int by_address(const void *a, const void *b)
{
    const struct tile_symbol *x = a;
    const struct tile_symbol *y = b;
    return x->address < y->address ? -1 : x->address > y->address;
}

static int read_all(struct file *f)
{
    size_t segments = 0;
    int result = check_head(f);
    for (Elf_Scn *s = NULL; result == TXL_CONTINUE && (s = elf_nextscn(f->elf, s)) != NULL;) {
        result = read_section(f, s);
    }
    if (result == TXL_CONTINUE && elf_getphdrnum(f->elf, &segments) != 0) {
        return wrong(f, "has no readable program headers", 0, 0);
    }
    for (size_t i = 0; result == TXL_CONTINUE && i < segments && i <= INT16_MAX; i++) {
        result = read_segment(f, (int)i);
    }
    if (result == TXL_CONTINUE && f->program->count == 0) {
        return wrong(f, "has nothing to load", 0, 0);
    }
    return result;
}

static int elf(struct txl_error *err, enum tx_arch arch, struct tile_program *p, char *bytes,
               size_t size)
{
    (void)elf_version(EV_CURRENT);
    struct file f = {.err = err, .arch = arch, .program = p, .elf = elf_memory(bytes, size)};
    const int result = read_all(&f);
    if (f.elf != NULL) {
        elf_end(f.elf);
    }
    if (p->symbol_count > 1) {
        qsort(p->symbols, p->symbol_count, sizeof *p->symbols, by_address);
    }
    return result;
}

#else

static int elf(struct txl_error *err, enum tx_arch arch, struct tile_program *p, char *bytes,
               size_t size)
{
    struct txl_where where = {.file = p->path};
    (void)arch, (void)bytes, (void)size;
    return txl_fail_at(err, &where, "is an ELF file, and this tensix was built without libelf");
}

#endif

int tile_program_take(struct txl_error *err, enum tx_arch arch, struct tile_program *program,
                      char *bytes, size_t size)
{
    return size >= 4 && memcmp(bytes, "\177ELF", 4) == 0 ? elf(err, arch, program, bytes, size)
                                                         : raw(err, arch, program, bytes, size);
}

int tile_program_read(struct txl_error *err, enum tx_arch arch, struct tile_program *program)
{
    size_t size = 0;
    char *bytes = txl_read_file(err, program->path, &size);
    const int result =
        bytes != NULL ? tile_program_take(err, arch, program, bytes, size) : TXL_INPUT;
    free(bytes);
    return result;
}
