/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of libc that take a path: those of the card's files are looked up in its folder. */
#include "card.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static bool under(const char *path, const char *folder)
{
    const size_t n = strlen(folder);
    return strncmp(path, folder, n) == 0 && (path[n] == '\0' || path[n] == '/');
}

static bool is_card(const char *path)
{
    static const char devices[] = "/sys/bus/pci/devices/0000:";
    static const char *const shared[] = {"/dev/shm/TT_", "/dev/shm/tt_"};
    static const char *const folders[] = {
        "/dev/tenstorrent",         "/sys/module/tenstorrent",       "/sys/class/tenstorrent",
        "/proc/driver/tenstorrent", "/sys/kernel/debug/tenstorrent", "/sys/bus/pci/slots"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        if (under(path, folders[i])) {
            return true;
        }
    }
    for (size_t i = 0; i < sizeof shared / sizeof shared[0]; i++) {
        if (strncmp(path, shared[i], strlen(shared[i])) == 0) {
            return true;
        }
    }
    if (strncmp(path, devices, sizeof devices - 1) == 0) {
        char *end = NULL;
        const unsigned long bus = strtoul(path + sizeof devices - 1, &end, 16);
        return bus >= 0xaa && bus < 0xaa + CARD_CHIPS && strncmp(end, ":00.0", 5) == 0;
    }
    return false;
}

const char *path_map(const char *path, char *to)
{
    /* Most paths are sorted out by their first letters. */
    if (path == NULL || path[0] != '/' ||
        (path[1] != 'd' && path[1] != 's' && path[1] != 'p' && path[1] != '/')) {
        return path;
    }
    while (path[1] == '/') {
        path++;
    }
    if (!is_card(path) || !card_start() ||
        snprintf(to, CARD_PATH, "%s%s", card_root, path) >= CARD_PATH) {
        return path;
    }
    if (card_verbose()) {
        card_tell("path %s", path);
    }
    return to;
}

/*
 * Shared memory by which tt-umd and tt-metal know of other users of a card: locks that are called
 * TT_UMD_LOCK.*, statistics. Cards of two sessions are different ones, so theirs must be, too.
 */
static bool is_shared(const char *name, char *path)
{
    name += name != NULL && name[0] == '/' ? 1 : 0;
    return name != NULL && strchr(name, '/') == NULL &&
           (strncmp(name, "TT_", 3) == 0 || strncmp(name, "tt_", 3) == 0) &&
           snprintf(path, CARD_PATH, "/dev/shm/%s", name) < CARD_PATH;
}

CARD_HOOK int shm_open(const char *name, int flags, mode_t mode)
{
    CARD_REAL(shm_open);
    CARD_REAL(open);
    char path[CARD_PATH];
    char to[CARD_PATH];
    const char *mapped = is_shared(name, path) ? path_map(path, to) : NULL;
    return mapped == to ? real_open(to, flags | O_NOFOLLOW | O_CLOEXEC, mode)
                        : real_shm_open(name, flags, mode);
}

CARD_HOOK int shm_unlink(const char *name)
{
    CARD_REAL(shm_unlink);
    CARD_REAL(unlink);
    char path[CARD_PATH];
    char to[CARD_PATH];
    const char *mapped = is_shared(name, path) ? path_map(path, to) : NULL;
    return mapped == to ? real_unlink(to) : real_shm_unlink(name);
}

int node_of(dev_t device, ino_t inode)
{
    static struct {
        dev_t device;
        ino_t inode;
        bool known;
    } node[CARD_CHIPS];
    if (card_shared == NULL) {
        return -1;
    }
    for (unsigned i = 0; i < card_options.chips; i++) {
        if (!node[i].known) {
            CARD_REAL(stat);
            char path[CARD_PATH];
            struct stat s;
            snprintf(path, sizeof path, "%s/dev/tenstorrent/%u", card_root, i);
            if (real_stat(path, &s) != 0) {
                continue;
            }
            node[i].device = s.st_dev;
            node[i].inode = s.st_ino;
            node[i].known = true;
        }
        if (node[i].device == device && node[i].inode == inode) {
            return (int)i;
        }
    }
    return -1;
}

/* ---- stat and its relatives: a device node is a character device ---- */

enum { NODE_MAJOR = 240 };

static int shown(int result, struct stat *s)
{
    const int chip = result == 0 ? node_of(s->st_dev, s->st_ino) : -1;
    if (chip >= 0) {
        s->st_mode = S_IFCHR | 0666;
        s->st_rdev = makedev(NODE_MAJOR, (unsigned)chip);
    }
    return result;
}

/* On 64-bit Linux both structures are one. */
static int shown64(int result, struct stat64 *s)
{
    _Static_assert(sizeof(struct stat) == sizeof(struct stat64), "one layout");
    return shown(result, (struct stat *)s);
}

#define HOOK_STAT(name, type, look)                         \
    CARD_HOOK int name(const char *path, type *s)           \
    {                                                       \
        CARD_REAL(name);                                    \
        char to[CARD_PATH];                                 \
        return look(real_##name(path_map(path, to), s), s); \
    }
HOOK_STAT(stat, struct stat, shown)
HOOK_STAT(lstat, struct stat, shown)
HOOK_STAT(stat64, struct stat64, shown64)
HOOK_STAT(lstat64, struct stat64, shown64)

#define HOOK_FSTAT(name, type, look)        \
    CARD_HOOK int name(int fd, type *s)     \
    {                                       \
        CARD_REAL(name);                    \
        return look(real_##name(fd, s), s); \
    }
HOOK_FSTAT(fstat, struct stat, shown)
HOOK_FSTAT(fstat64, struct stat64, shown64)

#define HOOK_STATAT(name, type, look)                                  \
    CARD_HOOK int name(int fd, const char *path, type *s, int flags)   \
    {                                                                  \
        CARD_REAL(name);                                               \
        char to[CARD_PATH];                                            \
        return look(real_##name(fd, path_map(path, to), s, flags), s); \
    }
HOOK_STATAT(fstatat, struct stat, shown)
HOOK_STATAT(fstatat64, struct stat64, shown64)

/* What programs call that were linked with a libc before 2.33. */
#define HOOK_XSTAT(name, type, now, look)                       \
    CARD_HOOK int name(int version, const char *path, type *s); \
    CARD_HOOK int name(int version, const char *path, type *s)  \
    {                                                           \
        (void)version;                                          \
        return now(path, s);                                    \
    }
HOOK_XSTAT(__xstat, struct stat, stat, shown)
HOOK_XSTAT(__lxstat, struct stat, lstat, shown)
HOOK_XSTAT(__xstat64, struct stat64, stat64, shown64)
HOOK_XSTAT(__lxstat64, struct stat64, lstat64, shown64)
CARD_HOOK int __fxstat(int version, int fd, struct stat *s);
CARD_HOOK int __fxstat(int version, int fd, struct stat *s)
{
    (void)version;
    return fstat(fd, s);
}
CARD_HOOK int __fxstat64(int version, int fd, struct stat64 *s);
CARD_HOOK int __fxstat64(int version, int fd, struct stat64 *s)
{
    (void)version;
    return fstat64(fd, s);
}
CARD_HOOK int __fxstatat(int version, int fd, const char *path, struct stat *s, int flags);
CARD_HOOK int __fxstatat(int version, int fd, const char *path, struct stat *s, int flags)
{
    (void)version;
    return fstatat(fd, path, s, flags);
}
CARD_HOOK int __fxstatat64(int version, int fd, const char *path, struct stat64 *s, int flags);
CARD_HOOK int __fxstatat64(int version, int fd, const char *path, struct stat64 *s, int flags)
{
    (void)version;
    return fstatat64(fd, path, s, flags);
}

CARD_HOOK int statx(int fd, const char *restrict path, int flags, unsigned mask,
                    struct statx *restrict s)
{
    CARD_REAL(statx);
    char to[CARD_PATH];
    const int result = real_statx(fd, path_map(path, to), flags, mask, s);
    const int chip =
        result == 0 ? node_of(makedev(s->stx_dev_major, s->stx_dev_minor), s->stx_ino) : -1;
    if (chip >= 0) {
        s->stx_mode = S_IFCHR | 0666;
        s->stx_rdev_major = NODE_MAJOR;
        s->stx_rdev_minor = (unsigned)chip;
    }
    return result;
}

/* ---- access, folders, links ---- */

CARD_HOOK int access(const char *path, int mode)
{
    CARD_REAL(access);
    char to[CARD_PATH];
    return real_access(path_map(path, to), mode);
}

CARD_HOOK int eaccess(const char *path, int mode)
{
    CARD_REAL(eaccess);
    char to[CARD_PATH];
    return real_eaccess(path_map(path, to), mode);
}

CARD_HOOK int euidaccess(const char *path, int mode)
{
    CARD_REAL(euidaccess);
    char to[CARD_PATH];
    return real_euidaccess(path_map(path, to), mode);
}

CARD_HOOK int faccessat(int fd, const char *path, int mode, int flags)
{
    CARD_REAL(faccessat);
    char to[CARD_PATH];
    return real_faccessat(fd, path_map(path, to), mode, flags);
}

CARD_HOOK DIR *opendir(const char *path)
{
    CARD_REAL(opendir);
    char to[CARD_PATH];
    return real_opendir(path_map(path, to));
}

/* Some programs take a node by its type, which the folder tells. */
static void show_type(DIR *folder, ino_t inode, const char *name, unsigned char *type)
{
    struct stat s;
    if (*type == DT_REG && card_shared != NULL && name[strspn(name, "0123456789")] == '\0' &&
        fstat(dirfd(folder), &s) == 0 && node_of(s.st_dev, inode) >= 0) {
        *type = DT_CHR;
    }
}

CARD_HOOK struct dirent *readdir(DIR *folder)
{
    CARD_REAL(readdir);
    struct dirent *e = real_readdir(folder);
    if (e != NULL) {
        show_type(folder, e->d_ino, e->d_name, &e->d_type);
    }
    return e;
}

CARD_HOOK struct dirent64 *readdir64(DIR *folder)
{
    CARD_REAL(readdir64);
    struct dirent64 *e = real_readdir64(folder);
    if (e != NULL) {
        show_type(folder, e->d_ino, e->d_name, &e->d_type);
    }
    return e;
}

CARD_HOOK int scandir(const char *restrict path, struct dirent ***restrict list,
                      int (*choose)(const struct dirent *),
                      int (*order)(const struct dirent **, const struct dirent **))
{
    CARD_REAL(scandir);
    char to[CARD_PATH];
    return real_scandir(path_map(path, to), list, choose, order);
}

CARD_HOOK int scandir64(const char *restrict path, struct dirent64 ***restrict list,
                        int (*choose)(const struct dirent64 *),
                        int (*order)(const struct dirent64 **, const struct dirent64 **))
{
    CARD_REAL(scandir64);
    char to[CARD_PATH];
    return real_scandir64(path_map(path, to), list, choose, order);
}

/* Takes the folder's own name off the front of a text with that length; returns the new length. */
static size_t strip(char *text, size_t length)
{
    const size_t n = strlen(card_root);
    if (n == 0 || length <= n || strncmp(text, card_root, n) != 0 || text[n] != '/') {
        return length;
    }
    memmove(text, text + n, length - n);
    return length - n;
}

CARD_HOOK ssize_t readlink(const char *restrict path, char *restrict buffer, size_t size)
{
    CARD_REAL(readlink);
    char to[CARD_PATH];
    const ssize_t n = real_readlink(path_map(path, to), buffer, size);
    return n > 0 ? (ssize_t)strip(buffer, (size_t)n) : n;
}

CARD_HOOK ssize_t readlinkat(int fd, const char *restrict path, char *restrict buffer, size_t size)
{
    CARD_REAL(readlinkat);
    char to[CARD_PATH];
    const ssize_t n = real_readlinkat(fd, path_map(path, to), buffer, size);
    return n > 0 ? (ssize_t)strip(buffer, (size_t)n) : n;
}

CARD_HOOK ssize_t __readlink_chk(const char *path, char *buffer, size_t size, size_t room);
CARD_HOOK ssize_t __readlink_chk(const char *path, char *buffer, size_t size, size_t room)
{
    if (size > room) {
        abort();
    }
    return readlink(path, buffer, size);
}

static char *stripped(char *text)
{
    if (text != NULL) {
        const size_t n = strip(text, strlen(text));
        text[n] = '\0';
    }
    return text;
}

CARD_HOOK char *realpath(const char *restrict path, char *restrict resolved)
{
    CARD_REAL(realpath);
    char to[CARD_PATH];
    return stripped(real_realpath(path_map(path, to), resolved));
}

CARD_HOOK char *__realpath_chk(const char *path, char *resolved, size_t room);
CARD_HOOK char *__realpath_chk(const char *path, char *resolved, size_t room)
{
    if (room < CARD_PATH) {
        abort();
    }
    return realpath(path, resolved);
}

CARD_HOOK char *canonicalize_file_name(const char *path)
{
    return realpath(path, NULL);
}

CARD_HOOK int glob(const char *restrict pattern, int flags, int (*failed)(const char *, int),
                   glob_t *restrict found)
{
    CARD_REAL(glob);
    char to[CARD_PATH];
    const char *mapped = path_map(pattern, to);
    const int result = real_glob(mapped, flags, failed, found);
    for (size_t i = 0; result == 0 && mapped != pattern && i < found->gl_pathc; i++) {
        (void)stripped(found->gl_pathv[i]);
    }
    return result;
}

CARD_HOOK int chdir(const char *path)
{
    CARD_REAL(chdir);
    char to[CARD_PATH];
    return real_chdir(path_map(path, to));
}
