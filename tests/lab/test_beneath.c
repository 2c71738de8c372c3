/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files whose names come from files: whatever the name and whatever lies there, only regular files
 * of the folder are read, and nothing waits. Both ways to open one, with and without openat2.
 */
#include "base/beneath.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/test-beneath-XXXXXX";

static void put(const char *name, const char *text)
{
    const int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    assert_int_equal(close(fd), 0);
}

static int prepare(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    put("outside", "secret");
    assert_int_equal(mkdir("in", 0700), 0);
    assert_int_equal(mkdir("in/sub", 0700), 0);
    put("in/file", "text");
    put("in/sub/file", "deeper");
    put("in/empty", "");
    assert_int_equal(mkfifo("in/fifo", 0600), 0);
    assert_int_equal(symlink("../outside", "in/out"), 0);
    assert_int_equal(symlink("..", "in/up"), 0);
    assert_int_equal(symlink("/etc", "in/etc"), 0);
    assert_int_equal(symlink("sub/file", "in/link"), 0);
    assert_int_equal(symlink("loop", "in/loop"), 0);
    assert_int_equal(symlink("/dev/zero", "in/zero"), 0);
    assert_int_equal(symlink("/dev/stdin", "in/stdin"), 0);
    assert_int_equal(symlink("/proc/self/cwd/outside", "in/magic"), 0);
    return 0;
}

static int clean(void **state)
{
    char command[64];
    (void)state;
    assert_int_equal(chdir("/"), 0);
    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static const struct {
    const char *name, *text; /* NULL: refused */
} names[] = {
    {"file", "text"},
    {"sub/file", "deeper"},
    {"./file", "text"},
    {"sub//file", "deeper"},
    {"empty", ""},
    {"out", NULL},
    {"up/outside", NULL},
    {"../outside", NULL},
    {"sub/../../outside", NULL},
    {"/etc/passwd", NULL},
    {"etc/passwd", NULL},
    {"fifo", NULL},
    {"loop", NULL},
    {"zero", NULL},
    {"stdin", NULL},
    {"magic", NULL},
    {"sub", NULL},
    {".", NULL},
    {"..", NULL},
    {"", NULL},
    {"file/", NULL},
    {"file/more", NULL},
    {"nothing", NULL},
};

static void test_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3 * sizeof names / sizeof names[0]; i++) {
        static const char *const folders[] = {"in", "in/", "./in"};
        const char *name = names[i / 3].name;
        struct txl_error err = {.status = TXL_OK};
        size_t length = 77;
        char *text = read_beneath(&err, folders[i % 3], name, &length);
        const char *want = names[i / 3].text;
        if (want == NULL) {
            assert_null(text);
            assert_true(err.message[0] != '\0');
        } else {
            assert_non_null(text);
            assert_string_equal(text, want);
            assert_int_equal(length, strlen(want));
        }
        free(text);
    }
    struct txl_error err = {.status = TXL_OK};
    size_t length = 0;
    char *text = read_beneath(&err, "in", "link", &length); /* by openat2; plainly no link is */
    assert_true(text == NULL || strcmp(text, "deeper") == 0);
    free(text);
    assert_null(read_beneath(&err, "nowhere", "file", &length));
    text = read_beneath(&err, "", "in/file", &length);
    assert_string_equal(text, "text");
    free(text);
}

static void test_plain(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct stat about;
        const int fd = open_beneath_plain("in", names[i].name);
        const bool regular = fd >= 0 && fstat(fd, &about) == 0 && S_ISREG(about.st_mode);
        if (regular != (names[i].text != NULL)) {
            /* A slash behind a file's name changes nothing here. */
            assert_string_equal(names[i].name, "file/");
        }
        if (fd >= 0) {
            (void)close(fd);
        }
    }
    assert_true(open_beneath_plain("in", "link") < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_plain),
    };
    return cmocka_run_group_tests(tests, prepare, clean);
}
