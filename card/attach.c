/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A card in a process that already runs: where the library comes by dlopen it is behind libc in the
 * order of the dynamic linker, so that nobody finds its functions. They are put into the tables of
 * addresses of all libraries that are loaded, and of those that are loaded later.
 */
#include "card.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What a loaded library says of itself. */
struct object {
    uintptr_t base;
    const ElfW(Sym) * symbols;
    const char *strings;
    const ElfW(Rela) * tables[2]; /* of calls, and of other addresses */
    size_t counts[2];
    size_t symbol_count; /* 0: not known */
};

static pthread_mutex_t patching = PTHREAD_MUTEX_INITIALIZER;
static struct object own;
static bool attached;

/* Symbols of a library with a GNU hash table: the highest number in any chain. */
static size_t count_symbols(const uint32_t *hash)
{
    const uint32_t *buckets = hash + 4 + hash[2] * (sizeof(ElfW(Addr)) / 4);
    uint32_t last = 0;
    for (uint32_t i = 0; i < hash[0]; i++) {
        last = buckets[i] > last ? buckets[i] : last;
    }
    if (last < hash[1]) {
        return hash[1];
    }
    while ((buckets[hash[0] + last - hash[1]] & 1) == 0) {
        last++;
    }
    return last + 1;
}

static bool read_object(const struct dl_phdr_info *info, struct object *o)
{
    const ElfW(Dyn) *dynamic = NULL;
    size_t sizes[2] = {0, 0};
    memset(o, 0, sizeof *o);
    o->base = info->dlpi_addr;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC) {
            dynamic = (const void *)(o->base + info->dlpi_phdr[i].p_vaddr);
        }
    }
    for (; dynamic != NULL && dynamic->d_tag != DT_NULL; dynamic++) {
        const void *at = (const void *)dynamic->d_un.d_ptr;
        switch (dynamic->d_tag) {
        case DT_SYMTAB:
            o->symbols = at;
            break;
        case DT_STRTAB:
            o->strings = at;
            break;
        case DT_JMPREL:
            o->tables[0] = at;
            break;
        case DT_PLTRELSZ:
            sizes[0] = dynamic->d_un.d_val;
            break;
        case DT_RELA:
            o->tables[1] = at;
            break;
        case DT_RELASZ:
            sizes[1] = dynamic->d_un.d_val;
            break;
        case DT_GNU_HASH:
            o->symbol_count = count_symbols(at);
            break;
        default:
            break;
        }
    }
    for (unsigned i = 0; i < 2; i++) {
        o->counts[i] = o->tables[i] != NULL ? sizes[i] / sizeof(ElfW(Rela)) : 0;
    }
    return o->symbols != NULL && o->strings != NULL;
}

/* Returns the address of our function of that name, or 0. */
static uintptr_t ours(const char *name)
{
    for (size_t i = 1; i < own.symbol_count; i++) {
        const ElfW(Sym) *s = &own.symbols[i];
        if (s->st_shndx != SHN_UNDEF && ELF64_ST_TYPE(s->st_info) == STT_FUNC &&
            strcmp(own.strings + s->st_name, name) == 0) {
            return own.base + s->st_value;
        }
    }
    return 0;
}

static void attach_put(uintptr_t place, uintptr_t value)
{
    CARD_REAL(mprotect);
    const uintptr_t page = place & ~(uintptr_t)4095;
    uintptr_t before;
    memcpy(&before, (const void *)place, sizeof before);
    if (before == value) {
        return;
    }
    /* What the linker has closed after relocation stays open to reading alone afterwards. */
    if (real_mprotect((void *)page, 4096 + (place % 4096 > 4088 ? 4096 : 0),
                      PROT_READ | PROT_WRITE) == 0) {
        memcpy((void *)place, &value, sizeof value);
    }
}

static int patch(struct dl_phdr_info *info, size_t size, void *user)
{
    struct object o;
    (void)size;
    (void)user;
    const char *name = info->dlpi_name;
    const char *last = name != NULL ? strrchr(name, '/') : NULL;
    last = last != NULL ? last + 1 : name;
    if (info->dlpi_addr == own.base || last == NULL || strncmp(last, "libc.so", 7) == 0 ||
        strncmp(last, "ld-linux", 8) == 0 || strncmp(last, "linux-vdso", 10) == 0 ||
        strncmp(last, "libpthread", 10) == 0 || strncmp(last, "libdl.", 6) == 0 ||
        !read_object(info, &o)) {
        return 0;
    }
    for (unsigned t = 0; t < 2; t++) {
        for (size_t i = 0; i < o.counts[t]; i++) {
            const ElfW(Rela) *r = &o.tables[t][i];
            const unsigned type = (unsigned)ELF64_R_TYPE(r->r_info);
            if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT) {
                continue;
            }
            const ElfW(Sym) *s = &o.symbols[ELF64_R_SYM(r->r_info)];
            const uintptr_t to =
                s->st_shndx == SHN_UNDEF ? ours(o.strings + s->st_name) : (uintptr_t)0;
            if (to != 0) {
                attach_put(o.base + r->r_offset, to);
            }
        }
    }
    return 0;
}

static int find_own(struct dl_phdr_info *info, size_t size, void *user)
{
    (void)size;
    const uintptr_t here = (uintptr_t)user;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        const uintptr_t start = info->dlpi_addr + p->p_vaddr;
        if (p->p_type == PT_LOAD && here >= start && here < start + p->p_memsz) {
            return read_object(info, &own) ? 1 : 0;
        }
    }
    return 0;
}

static void patch_all(void)
{
    pthread_mutex_lock(&patching);
    (void)dl_iterate_phdr(patch, NULL);
    pthread_mutex_unlock(&patching);
}

/*
 * The dynamic linker looks for a name without a path where the library that asks wants it: that is
 * us now, so the folders of the caller are tried first.
 */
static void *open_for(const void *caller, const char *name, int flags)
{
    CARD_REAL(dlopen);
    Dl_info where;
    struct link_map *map = NULL;
    Dl_serinfo size;
    if (name == NULL || name[0] == '\0' || strchr(name, '/') != NULL ||
        dladdr1(caller, &where, (void **)&map, RTLD_DL_LINKMAP) == 0 || map == NULL ||
        dlinfo(map, RTLD_DI_SERINFOSIZE, &size) != 0) {
        return real_dlopen(name, flags);
    }
    Dl_serinfo *all = malloc(size.dls_size);
    void *handle = NULL;
    if (all != NULL && dlinfo(map, RTLD_DI_SERINFOSIZE, all) == 0 &&
        dlinfo(map, RTLD_DI_SERINFO, all) == 0) {
        char path[CARD_PATH];
        for (unsigned i = 0; i < all->dls_cnt && handle == NULL; i++) {
            CARD_REAL(access);
            if (snprintf(path, sizeof path, "%s/%s", all->dls_serpath[i].dls_name, name) <
                    (int)sizeof path &&
                real_access(path, R_OK) == 0) {
                handle = real_dlopen(path, flags);
            }
        }
    }
    free(all);
    return handle != NULL ? handle : real_dlopen(name, flags);
}

CARD_HOOK void *dlopen(const char *name, int flags)
{
    CARD_REAL(dlopen);
    if (!attached) { /* loaded before everything else: nothing needs a patch */
        return real_dlopen(name, flags);
    }
    void *handle = open_for(__builtin_return_address(0), name, flags);
    if (handle != NULL) {
        const int error = errno;
        patch_all();
        errno = error;
    }
    return handle;
}

CARD_HOOK int tensix_card_attach(void);
CARD_HOOK const char *tensix_card_folder(void);
CARD_HOOK void tensix_card_look(void);

/* Gives this process a card of $TENSIX_CARD or $TENSIX_PRODUCT. Returns 0, or -1: there is none. */
int tensix_card_attach(void)
{
    uintptr_t here;
    int (*self)(void) = tensix_card_attach;
    memcpy(&here, &self, sizeof here);
    if (!card_start() || dl_iterate_phdr(find_own, (void *)here) != 1 || own.symbol_count == 0) {
        return -1;
    }
    attached = true;
    patch_all();
    return 0;
}

const char *tensix_card_folder(void)
{
    return card_start() ? card_root : NULL;
}

/* Appends what the chips have found so far to the folder's log. */
void tensix_card_look(void)
{
    chips_look();
}
