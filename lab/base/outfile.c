/* SPDX-License-Identifier: Apache-2.0 */
/* Writes output files without a name, or under a temporary one, and moves them into place. */
#include "base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/abandon.h"

static void abandon(void *temporary)
{
    (void)unlink(temporary);
}

enum { ATTEMPTS = 100, RESERVED = 1 << 20 };

/*
 * Returns the mode of the new file. A replacement must not be readable by others until it has the
 * old file's mode, hence 0600. For new files the kernel applies the process's umask to 0666;
 * reading the umask would require changing it.
 */
static mode_t first_mode(const struct outfile *file)
{
    return file->keeps_mode ? 0600 : 0666;
}

static int open_nameless(const struct outfile *file)
{
    const char *path = file->path;
    char *copy = strdup(path);
    if (copy == NULL) {
        return -1;
    }
    char *slash = strrchr(copy, '/');
    if (slash != NULL) {
        slash[slash == copy ? 1 : 0] = '\0';
    }
    int fd = open(slash != NULL ? copy : ".", O_TMPFILE | O_RDWR | O_CLOEXEC, first_mode(file));
    free(copy);
    return fd;
}

/* Makes a temporary name beside the target; attempt is 0 to ATTEMPTS - 1. */
static void make_name(struct outfile *file, unsigned attempt)
{
    sprintf(file->temporary, "%s.%06u", file->path,
            ((unsigned)getpid() * 100U + attempt) % 1000000U);
}

/* Opens a file under a temporary name, where the file system does not support O_TMPFILE. */
static int open_named(struct outfile *file)
{
    for (unsigned attempt = 0; attempt < ATTEMPTS; attempt++) {
        make_name(file, attempt);
        const int fd = open(file->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
                            first_mode(file));
        if (fd >= 0) {
            (void)abandon_add(abandon, file->temporary);
            return fd;
        }
        if (errno != EEXIST) {
            break;
        }
    }
    file->temporary[0] = '\0';
    return -1;
}

int outfile_open(struct outfile *file, const char *path)
{
    *file = (struct outfile){.fd = -1};
    struct stat status;
    bool exists = stat(path, &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) {
        return EISDIR;
    }
    file->keeps_mode = exists;
    file->mode = exists ? status.st_mode & 0777u : 0;
    file->path = strdup(path);
    file->temporary = calloc(strlen(path) + 16, 1);
    if (file->path == NULL || file->temporary == NULL) {
        outfile_discard(file);
        return ENOMEM;
    }
    if (exists && !S_ISREG(status.st_mode)) {
        file->direct = true;
        file->fd = open(path, O_WRONLY | O_CLOEXEC);
    } else if (exists && access(path, W_OK) != 0) {
        file->fd = -1;
    } else {
        file->fd = open_nameless(file);
        if (file->fd < 0) {
            file->fd = open_named(file);
        }
    }
    if (file->fd < 0) {
        int error = errno;
        outfile_discard(file);
        return error;
    }
    return 0;
}

void outfile_expect(struct outfile *file, uint64_t size)
{
#ifdef __linux__ /* other systems do not have fallocate */
    if (!file->direct && size >= RESERVED && size <= INT64_MAX) {
        /* A failure does not matter: a later write will report it. */
        (void)fallocate(file->fd, 0, 0, (off_t)size);
    }
#else
    (void)file;
    (void)size;
#endif
}

int outfile_write_at(struct outfile *file, const void *data, size_t size, uint64_t offset)
{
    const char *bytes = data;
    while (size > 0) {
        ssize_t done = pwrite(file->fd, bytes, size, (off_t)offset);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done <= 0) {
            return done < 0 ? errno : EIO;
        }
        bytes += done;
        size -= (size_t)done;
        offset += (uint64_t)done;
    }
    return 0;
}

int outfile_append(struct outfile *file, const void *data, size_t size)
{
    const char *bytes = data;
    while (size > 0) {
        ssize_t done = write(file->fd, bytes, size);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done <= 0) {
            return done < 0 ? errno : EIO;
        }
        bytes += done;
        size -= (size_t)done;
    }
    return 0;
}

/*
 * Links the nameless file to a temporary name beside the target, to be renamed: a link cannot
 * replace an existing file.
 */
static int give_name(struct outfile *file)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file->fd);
    (void)abandon_add(abandon, file->temporary);
    for (unsigned attempt = 0; attempt < ATTEMPTS; attempt++) {
        make_name(file, attempt);
        if (linkat(AT_FDCWD, link, AT_FDCWD, file->temporary, AT_SYMLINK_FOLLOW) == 0) {
            return 0;
        }
        if (errno != EEXIST) {
            break;
        }
    }
    int error = errno;
    file->temporary[0] = '\0';
    return error;
}

int outfile_commit(struct outfile *file)
{
    int error = 0;
    if (!file->direct) {
        if (file->temporary[0] == '\0') {
            error = give_name(file);
        }
        if (error == 0 && file->keeps_mode && fchmod(file->fd, file->mode) != 0) {
            error = errno;
        }
    }
    if (close(file->fd) != 0 && error == 0) {
        error = errno;
    }
    file->fd = -1;
    if (error == 0 && !file->direct && rename(file->temporary, file->path) != 0) {
        error = errno;
    }
    if (error == 0 && !file->direct) {
        file->temporary[0] = '\0';
    }
    outfile_discard(file);
    return error;
}

void outfile_discard(struct outfile *file)
{
    if (file->fd >= 0) {
        close(file->fd);
        file->fd = -1;
    }
    if (file->temporary != NULL && file->temporary[0] != '\0') {
        unlink(file->temporary);
    }
    abandon_remove(abandon, file->temporary);
    free(file->path);
    free(file->temporary);
    file->path = NULL;
    file->temporary = NULL;
}

FILE *outfile_scratch(const char *folder)
{
    char path[4096];
    const int length = snprintf(path, sizeof path, "%s/tensix-XXXXXX",
                                folder != NULL && folder[0] != '\0' ? folder : "/tmp");
    if (length >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    const int fd = mkostemp(path, O_CLOEXEC);
    if (fd < 0) {
        return NULL;
    }
    (void)unlink(path);
    FILE *stream = fdopen(fd, "w+");
    if (stream == NULL) {
        const int error = errno;
        close(fd);
        errno = error;
    }
    return stream;
}
