/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The directory of compiled kernels: checks that nobody else can write there, names and seals the
 * files, and removes old ones.
 */
#include "engine/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"

enum { NAME_ROOM = 64 }; /* room for the name of a file in the cache */

/*
 * FNV-1a with 128 bits. It gives a name to what is compiled and how, and shows whether a file is
 * complete.
 */
static unsigned __int128 hash_bytes(unsigned __int128 hash, const char *bytes, size_t size)
{
    const unsigned __int128 prime = ((unsigned __int128)1 << 88) + 0x13B;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ (unsigned char)bytes[i]) * prime;
    }
    return hash;
}

unsigned __int128 cache_hash(unsigned __int128 hash, const char *text)
{
    return hash_bytes(hash, text, strlen(text) + 1);
}

const unsigned __int128 cache_hash_start = 0x6C62272E07BB0142;

/* ---- the directory ---- */

static bool make_directory(const char *path)
{
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* Only the user may own or write to it, because what it holds is executed. */
static bool only_mine(const struct stat *about, mode_t kind)
{
    return (about->st_mode & S_IFMT) == kind && about->st_uid == geteuid() &&
           (about->st_mode & 022u) == 0;
}

/* Returns whether nobody but the user and root can replace one of the directories above. */
static bool safe_above(const char *path)
{
    char above[CACHE_PATH_ROOM];
    struct stat about;
    snprintf(above, sizeof above, "%s", path);
    do {
        char *slash = strrchr(above, '/');
        slash[slash == above ? 1 : 0] = '\0';
        if (stat(above, &about) != 0 || (about.st_uid != geteuid() && about.st_uid != 0) ||
            ((about.st_mode & 022u) != 0 && (about.st_mode & S_ISVTX) == 0)) {
            return false;
        }
    } while (above[1] != '\0');
    return true;
}

/* Makes the directory and, if wanted, the one above it. Returns 0 or errno. */
static int make_both(const char *path, bool make_parent)
{
    char above[CACHE_PATH_ROOM];
    snprintf(above, sizeof above, "%s", path);
    char *slash = strrchr(above, '/');
    if (make_parent && slash != NULL && slash != above) {
        *slash = '\0';
        (void)make_directory(above);
    }
    return make_directory(path) ? 0 : errno;
}

bool cache_directory(const char *name, bool make_parent, char path[CACHE_PATH_ROOM], bool make,
                     struct txl_error *err)
{
    char *real = NULL;
    struct stat about;
    if (name == NULL || name[0] == '\0' || strlen(name) >= CACHE_PATH_ROOM - NAME_ROOM) {
        return fail_false(err, "no directory for compiled kernels; set TENSIX_CACHE");
    }
    snprintf(path, CACHE_PATH_ROOM, "%s", name);
    if ((make && make_both(path, make_parent) != 0) || stat(path, &about) != 0 ||
        (real = realpath(path, NULL)) == NULL) {
        return fail_false(err, "%s: %s", path, strerror(errno));
    }
    bool good = only_mine(&about, S_IFDIR) && safe_above(real);
    if (!S_ISDIR(about.st_mode)) {
        fail_false(err, "%s: %s", path, strerror(ENOTDIR));
    } else if (!good) {
        fail_false(err, "%s: others may write there; compiled kernels need a safe place", path);
    } else if (strlen(real) >= CACHE_PATH_ROOM - NAME_ROOM) {
        good = fail_false(err, "%s: %s", path, strerror(ENAMETOOLONG));
    } else {
        snprintf(path, CACHE_PATH_ROOM, "%s", real);
    }
    free(real);
    return good;
}

void cache_name(char path[CACHE_PATH_ROOM], unsigned __int128 key)
{
    const size_t length = strlen(path);
    snprintf(path + length, CACHE_PATH_ROOM - length, "/%016llx%016llx.so",
             (unsigned long long)(key >> 64), (unsigned long long)key);
}

/* ---- files ---- */

/* Calculates the sum of a file's first `size` bytes. */
static bool sum_file(int fd, size_t size, unsigned __int128 *sum)
{
    char bytes[8192];
    size_t done = 0;
    *sum = cache_hash_start;
    while (done < size) {
        const size_t want = size - done < sizeof bytes ? size - done : sizeof bytes;
        const ssize_t got = pread(fd, bytes, want, (off_t)done);
        if (got <= 0) {
            return false;
        }
        *sum = hash_bytes(*sum, bytes, (size_t)got);
        done += (size_t)got;
    }
    return true;
}

/*
 * Puts a sum at the end of the file, which loaders ignore. An incomplete library would crash the
 * process that loads it.
 */
bool cache_seal(const char *path)
{
    const int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    struct stat about;
    unsigned __int128 sum;
    const bool good = fd >= 0 && fchmod(fd, 0600) == 0 && fstat(fd, &about) == 0 &&
                      sum_file(fd, (size_t)about.st_size, &sum) &&
                      pwrite(fd, &sum, sizeof sum, about.st_size) == (ssize_t)sizeof sum;
    return fd >= 0 && close(fd) == 0 && good;
}

bool cache_is_whole(const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat about;
    unsigned __int128 sum;
    unsigned __int128 said;
    bool good = fd >= 0 && fstat(fd, &about) == 0 && only_mine(&about, S_IFREG) &&
                about.st_size > (off_t)sizeof sum;
    if (good) {
        const size_t size = (size_t)about.st_size - sizeof sum;
        good = sum_file(fd, size, &sum) &&
               pread(fd, &said, sizeof said, (off_t)size) == (ssize_t)sizeof said && said == sum;
    }
    if (good) {
        /* Marks it as used now, whatever the mount options say about access times. */
        (void)futimens(fd,
                       (const struct timespec[2]){{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_OMIT}});
    }
    if (fd >= 0) {
        close(fd);
    }
    return good;
}

/* ---- order ---- */

static const off_t most_bytes = (off_t)512 << 20; /* of all kernels; stated in docs/cli.md too */
/* After which a temporary file is left over: no compiler takes that long. */
static const time_t most_seconds = (time_t)60 * 60;

enum { KEY_DIGITS = 32 };

struct entry {
    char name[NAME_ROOM];
    off_t size;
    struct timespec used; /* the last use, or when it was made */
};

static int older(const void *a, const void *b)
{
    const struct timespec *one = &((const struct entry *)a)->used;
    const struct timespec *two = &((const struct entry *)b)->used;
    if (one->tv_sec != two->tv_sec) {
        return one->tv_sec < two->tv_sec ? -1 : 1;
    }
    return (one->tv_nsec > two->tv_nsec) - (one->tv_nsec < two->tv_nsec);
}

/* Returns what follows the key in the name of one of our files. NULL: it is not ours, and stays. */
static const char *after_key(const char *name)
{
    return strspn(name, "0123456789abcdef") == KEY_DIGITS &&
                   strncmp(name + KEY_DIGITS, ".so", 3) == 0 && strlen(name) < NAME_ROOM
               ? name + KEY_DIGITS + 3
               : NULL;
}

/*
 * Lists the kernels in *entries and removes what killed processes have left. False: out of memory.
 */
static bool list(DIR *directory, struct entry **entries, size_t *count)
{
    const time_t now = time(NULL);
    size_t room = 0;
    for (const struct dirent *file; (file = readdir(directory)) != NULL;) {
        const char *rest = after_key(file->d_name);
        struct stat about;
        if (rest == NULL ||
            fstatat(dirfd(directory), file->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0) {
            continue;
        }
        if (rest[0] != '\0') {
            if (about.st_mtime < now - most_seconds) {
                (void)unlinkat(dirfd(directory), file->d_name, 0);
            }
            continue;
        }
        if (!LIST_ROOM(*entries, *count, room, 1)) {
            return false;
        }
        struct entry *e = &(*entries)[(*count)++];
        const struct entry read = {.size = about.st_size, .used = about.st_atim};
        const struct entry made = {.size = about.st_size, .used = about.st_mtim};
        *e = older(&read, &made) < 0 ? made : read;
        snprintf(e->name, sizeof e->name, "%.*s", (int)(rest - file->d_name), file->d_name);
    }
    return true;
}

void cache_tidy(const char *keep)
{
    char path[CACHE_PATH_ROOM];
    snprintf(path, sizeof path, "%s", keep);
    char *slash = strrchr(path, '/');
    *slash = '\0';
    const char *kept = slash + 1;
    DIR *directory = opendir(path);
    struct entry *entries = NULL;
    size_t count = 0;
    off_t all = 0;
    if (directory != NULL && list(directory, &entries, &count)) {
        for (size_t i = 0; i < count; i++) {
            all += entries[i].size;
        }
        qsort(entries, count, sizeof *entries, older);
        for (size_t i = 0; i < count && all > most_bytes; i++) {
            if (strcmp(entries[i].name, kept) != 0 &&
                unlinkat(dirfd(directory), entries[i].name, 0) == 0) {
                all -= entries[i].size;
            }
        }
    }
    free(entries);
    if (directory != NULL) {
        closedir(directory);
    }
}
