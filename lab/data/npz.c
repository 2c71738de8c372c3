/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes arrays in .npz archives, with libzip. */
#include "data/npz.h"

#include <string.h>

#ifdef TENSIX_HAVE_LIBZIP

#include <errno.h>
#include <sys/stat.h>

#include "base/lazy.h"
#include "base/lazy_zip.h"

enum { MEMBERS_SHOWN = 3 };

/* Loads libzip. To be called before any archive is opened, by the thread that opens the files. */
bool npz_able(struct txl_error *err)
{
    return lazy_open(TENSIX_LIBZIP, lazy_zip_names,
                     sizeof lazy_zip_names / sizeof lazy_zip_names[0], &lazy_zip, err);
}

/* Lists the first members as "a, b, c, ...". */
static void list_members(zip_t *zip, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    zip_int64_t count = zip_get_num_entries(zip, 0);
    for (zip_int64_t i = 0; i < count && used < size; i++) {
        const char *name = zip_get_name(zip, (zip_uint64_t)i, ZIP_FL_ENC_RAW);
        int length = name != NULL ? (int)strcspn(name, ".") : 0;
        used += (size_t)snprintf(text + used, size - used, "%s%.*s", i == 0 ? "" : ", ",
                                 i < MEMBERS_SHOWN && length < 24 ? length : 0,
                                 name != NULL ? name : "");
        if (i == MEMBERS_SHOWN && used < size) {
            snprintf(text + used, size - used, "...");
            return;
        }
    }
}

/* Returns the index of the array in the archive, or -1. */
static zip_int64_t find_member(zip_t *zip, const char *member, struct txl_error *err)
{
    zip_int64_t count = zip_get_num_entries(zip, 0);
    if (member == NULL && count == 1) {
        return 0;
    }
    if (count <= 0) {
        fail_false(err, "the archive holds no array");
        return -1;
    }
    zip_int64_t found = -1;
    if (member != NULL) {
        char name[256];
        snprintf(name, sizeof name, "%s.npy", member);
        found = zip_name_locate(zip, name, ZIP_FL_ENC_RAW);
        if (found < 0) {
            found = zip_name_locate(zip, member, ZIP_FL_ENC_RAW);
        }
    }
    if (found < 0) {
        char names[96];
        list_members(zip, names, sizeof names);
        if (member == NULL) {
            fail_false(err, "holds %lld arrays, choose one as FILE:NAME: %s", (long long)count,
                       names);
        } else {
            fail_false(err, "holds no array '%.32s', but %s", member, names);
        }
    }
    return found;
}

/*
 * Limits what an archive may unpack to, so that a small file cannot fill a disk. Tensors of numbers
 * compress to a tenth at best, and zeros of useful sizes stay below the free amount.
 */
enum { RATIO = 100 };
static const uint64_t unpacked_free = UINT64_C(1) << 28;

static uint64_t unpacked_most(const struct npz_from *from)
{
    struct stat about;
    uint64_t size = from->size;
    if (from->path != NULL) {
        size = stat(from->path, &about) == 0 ? (uint64_t)about.st_size : 0;
    }
    const uint64_t most = size < UINT64_MAX / RATIO ? size * RATIO : UINT64_MAX;
    return most > unpacked_free ? most : unpacked_free;
}

static bool read_member(zip_t *zip, zip_uint64_t index, uint64_t most, const struct npz_take *take,
                        struct txl_error *err)
{
    char buffer[1 << 16];
    uint64_t size = 0;
    zip_file_t *file = zip_fopen_index(zip, index, 0);
    if (file == NULL) {
        return fail_false(err, "the archive cannot be read: %.100s", zip_strerror(zip));
    }
    bool good = true;
    zip_int64_t got = 0;
    while (good && (got = zip_fread(file, buffer, sizeof buffer)) > 0) {
        size += (uint64_t)got;
        if (size > most) {
            good = fail_false(err, "the array unpacks to more than 256 MiB and 100 times its file");
            break;
        }
        good = take->take(take->user, buffer, (size_t)got);
        if (!good) {
            fail_false(err, "the array cannot be unpacked: %.100s", strerror(errno));
        }
    }
    if (good && got < 0) {
        good = fail_false(err, "the archive cannot be read: %.100s", zip_file_strerror(file));
    }
    zip_fclose(file);
    return good;
}

bool npz_extract(const struct npz_from *from, const char *member, const struct npz_take *take,
                 struct txl_error *err)
{
    if (!npz_able(err)) {
        return false;
    }
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t *source = from->path != NULL
                               ? zip_source_file_create(from->path, 0, 0, &error)
                               : zip_source_buffer_create(from->bytes, from->size, 0, &error);
    zip_t *zip = source != NULL ? zip_open_from_source(source, ZIP_RDONLY, &error) : NULL;
    bool good = false;
    if (zip == NULL) {
        fail_false(err, "not an .npz file: %.100s", zip_error_strerror(&error));
        zip_source_free(source);
    } else {
        zip_int64_t index = find_member(zip, member, err);
        good = index >= 0 && read_member(zip, (zip_uint64_t)index, unpacked_most(from), take, err);
        zip_discard(zip);
    }
    zip_error_fini(&error);
    return good;
}

/* ---- writing: libzip's output goes into the file that becomes visible at the end ---- */

struct target {
    struct outfile *file;
    uint64_t at, size;
    zip_error_t error;
};

static zip_int64_t target_fail(struct target *t, int zip, int system)
{
    zip_error_set(&t->error, zip, system);
    return -1;
}

static zip_int64_t target_write(struct target *t, const void *data, zip_uint64_t length)
{
    int error = outfile_write_at(t->file, data, (size_t)length, t->at);
    if (error != 0) {
        return target_fail(t, ZIP_ER_WRITE, error);
    }
    t->at += length;
    t->size = t->at > t->size ? t->at : t->size;
    return (zip_int64_t)length;
}

static zip_int64_t target_seek(struct target *t, void *data, zip_uint64_t length)
{
    zip_int64_t at = zip_source_seek_compute_offset(t->at, t->size, data, length, &t->error);
    if (at >= 0) {
        t->at = (uint64_t)at;
    }
    return at < 0 ? -1 : 0;
}

static zip_int64_t target_command(void *state, void *data, zip_uint64_t length,
                                  zip_source_cmd_t command)
{
    struct target *t = state;
    switch (command) {
    case ZIP_SOURCE_SUPPORTS:
        return ZIP_SOURCE_SUPPORTS_WRITABLE;
    case ZIP_SOURCE_STAT:
        return target_fail(t, ZIP_ER_READ, ENOENT); /* there is no archive yet */
    case ZIP_SOURCE_WRITE:
        return target_write(t, data, length);
    case ZIP_SOURCE_SEEK_WRITE:
        return target_seek(t, data, length);
    case ZIP_SOURCE_TELL_WRITE:
        return (zip_int64_t)t->at;
    case ZIP_SOURCE_ERROR:
        return zip_error_to_data(&t->error, data, length);
    case ZIP_SOURCE_BEGIN_WRITE:
    case ZIP_SOURCE_COMMIT_WRITE:
    case ZIP_SOURCE_ROLLBACK_WRITE:
    case ZIP_SOURCE_REMOVE:
    case ZIP_SOURCE_FREE:
        return 0;
    default:
        return target_fail(t, ZIP_ER_OPNOTSUPP, 0);
    }
}

bool npz_write(struct outfile *file, const char *member, FILE *array, uint64_t size,
               struct txl_error *err)
{
    struct target target = {.file = file};
    char name[256];
    if (!npz_able(err)) {
        fclose(array);
        return false;
    }
    zip_error_init(&target.error);
    snprintf(name, sizeof name, "%s.npy", member);
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t *to = zip_source_function_create(target_command, &target, &error);
    zip_t *zip = to != NULL ? zip_open_from_source(to, ZIP_CREATE | ZIP_TRUNCATE, &error) : NULL;
    if (zip == NULL) {
        fail_false(err, "the archive cannot be made: %.100s", zip_error_strerror(&error));
        zip_source_free(to);
        zip_error_fini(&error);
        fclose(array);
        return false;
    }
    zip_source_t *from = zip_source_filep(zip, array, 0, (zip_int64_t)size);
    zip_int64_t index = from != NULL ? zip_file_add(zip, name, from, ZIP_FL_ENC_UTF_8) : -1;
    if (from == NULL) {
        fclose(array);
    } else if (index < 0) {
        zip_source_free(from);
    }
    /* 1 January 1980, the date that numpy.savez writes. */
    bool good = index >= 0 &&
                zip_set_file_compression(zip, (zip_uint64_t)index, ZIP_CM_STORE, 0) == 0 &&
                zip_file_set_dostime(zip, (zip_uint64_t)index, 0, 1 << 5 | 1, 0) == 0;
    if (!good || zip_close(zip) != 0) {
        good = fail_false(err, "the archive cannot be written: %.100s", zip_strerror(zip));
        zip_discard(zip);
    }
    zip_error_fini(&error);
    zip_error_fini(&target.error);
    return good;
}

#else

bool npz_able(struct txl_error *err)
{
    return fail_false(err, "this build reads and writes no .npz: it was made without libzip");
}

bool npz_extract(const struct npz_from *from, const char *member, const struct npz_take *take,
                 struct txl_error *err)
{
    (void)from;
    (void)member;
    (void)take;
    return npz_able(err);
}

bool npz_write(struct outfile *file, const char *member, FILE *array, uint64_t size,
               struct txl_error *err)
{
    (void)file;
    (void)member;
    (void)size;
    fclose(array);
    return npz_able(err);
}

#endif
