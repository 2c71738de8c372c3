/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE 1

#include "base/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__has_include)
#if __has_include(<linux/openat2.h>) && defined(SYS_openat2)
#include <linux/openat2.h>
#define HAVE_OPENAT2 1
#endif
#endif

enum { MOST = 64 << 20, FLAGS = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY };

static int open_folder(const char *folder)
{
    const int fd = open(folder[0] != '\0' ? folder : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    return fd >= 0 ? fd : -errno;
}

/* Goes down name by name. Takes over the descriptor of the folder. */
static int walk(int at, const char *name)
{
    char part[NAME_MAX + 1];
    while (at >= 0) {
        name += strspn(name, "/");
        const size_t length = strcspn(name, "/");
        const bool last = name[length + strspn(name + length, "/")] == '\0';
        if (length == 0 || length >= sizeof part) {
            (void)close(at);
            return length == 0 ? -ENOENT : -ENAMETOOLONG;
        }
        memcpy(part, name, length);
        part[length] = '\0';
        const bool up = strcmp(part, "..") == 0;
        const int flags = last ? FLAGS | O_NOFOLLOW : O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
        const int next = up ? -1 : openat(at, part, flags);
        const int error = up ? EXDEV : errno;
        (void)close(at);
        if (next < 0 || last) {
            return next < 0 ? -error : next;
        }
        at = next;
        name += length;
    }
    return at;
}

int open_beneath_plain(const char *folder, const char *name)
{
    return name[0] == '/' ? -EXDEV : walk(open_folder(folder), name);
}

#ifdef HAVE_OPENAT2

int open_beneath(const char *folder, const char *name)
{
    struct open_how how = {.flags = FLAGS, .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
    const int at = open_folder(folder);
    if (at < 0) {
        return at;
    }
    const long fd = syscall(SYS_openat2, at, name, &how, sizeof how);
    const int error = errno;
    (void)close(at);
    if (fd >= 0) {
        return (int)fd;
    }
    /* An older kernel, or a sandbox that does not know the call. */
    return error == ENOSYS || error == EPERM ? open_beneath_plain(folder, name) : -error;
}

#else

int open_beneath(const char *folder, const char *name)
{
    return open_beneath_plain(folder, name);
}

#endif

static const char *reason(int error)
{
    return error == EXDEV    ? "it leads out of the folder"
           : error == ELOOP  ? "a link that is not followed"
           : error == EISDIR ? "no regular file"
                             : strerror(error);
}

/* Reads a regular file of at most MOST bytes. Returns 0 or an errno; EISDIR: it is none. */
static int read_regular(int fd, char **text, size_t *length)
{
    struct stat about;
    if (fstat(fd, &about) != 0) {
        return errno;
    }
    if (!S_ISREG(about.st_mode)) {
        return EISDIR;
    }
    if (about.st_size > MOST) {
        return EFBIG;
    }
    const size_t size = (size_t)about.st_size;
    *text = malloc(size + 1);
    *length = 0;
    ssize_t got = *text != NULL ? 1 : -1;
    while (got > 0 && *length < size) {
        got = read(fd, *text + *length, size - *length);
        *length += got > 0 ? (size_t)got : 0;
    }
    if (*text == NULL || got < 0) {
        const int error = *text == NULL ? ENOMEM : errno;
        free(*text);
        *text = NULL;
        return error;
    }
    (*text)[*length] = '\0';
    return 0;
}

char *read_beneath(struct txl_error *err, const char *folder, const char *name, size_t *length)
{
    const struct txl_where where = {.file = name};
    char *text = NULL;
    const int fd = open_beneath(folder, name);
    const int error = fd >= 0 ? read_regular(fd, &text, length) : -fd;
    if (fd >= 0) {
        (void)close(fd);
    }
    if (error != 0) {
        txl_fail_at(err, &where, "%s", reason(error));
    }
    return text;
}
