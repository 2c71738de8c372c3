/* SPDX-License-Identifier: Apache-2.0 */
/* Room "base": the pool with progress and cancel, option structs, JSON, what must not stay. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <tensix-lab/base.h>
#include <tensix-lab/json.h>

#include "base/abandon.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/outfile.h"
#include "base/pool.h"

/* ---- the pool ---- */

enum { PIECES = 20000 };

struct job {
    unsigned char seen[PIECES];
    uint64_t sum, fail_at;
    unsigned calls, cancel_at; /* progress calls; 0: never */
    uint64_t last_done, last_total;
    pthread_t caller;
    bool elsewhere;
};

static void work(struct pool *pool, void *user, unsigned worker)
{
    struct job *job = user;
    uint64_t piece = 0;
    uint64_t sum = 0;
    assert_true(worker < 4);
    while (pool_take(pool, &piece)) {
        job->seen[piece]++;
        sum += piece;
        if (job->cancel_at != 0) {
            usleep(100);
        }
        if (piece + 1 == job->fail_at) {
            pool_refuse(pool, TXL_NEGATIVE, "piece %u is bad", (unsigned)piece);
        }
    }
    pool_lock(pool);
    job->sum += sum;
    pool_unlock(pool);
}

static bool progress(void *user, uint64_t done, uint64_t total)
{
    struct job *job = user;
    job->elsewhere |= !pthread_equal(job->caller, pthread_self());
    job->last_done = done;
    job->last_total = total;
    return ++job->calls != job->cancel_at;
}

static void every_piece_once(void **state)
{
    (void)state;
    for (unsigned threads = 0; threads <= 4; threads++) {
        for (unsigned watched = 0; watched < 2; watched++) {
            static struct job job;
            memset(&job, 0, sizeof job);
            job.caller = pthread_self();
            struct pool_how how = {
                .threads = threads, .pieces = PIECES, .work = work, .user = &job};
            how.progress = watched != 0 ? progress : NULL;
            how.progress_user = &job;
            struct txl_error err = {0};
            assert_int_equal(pool_run(&err, &how), TXL_CONTINUE);
            assert_int_equal(err.status, TXL_OK);
            assert_int_equal(job.sum, (uint64_t)PIECES * (PIECES - 1) / 2);
            for (size_t i = 0; i < PIECES; i++) {
                assert_int_equal(job.seen[i], 1);
            }
            if (watched != 0) {
                assert_true(job.calls >= 2); /* before and after */
                assert_int_equal(job.last_done, PIECES);
                assert_int_equal(job.last_total, PIECES);
                assert_false(job.elsewhere);
            }
        }
    }
}

static void cancelled(void **state)
{
    (void)state;
    for (unsigned at = 1; at <= 2; at++) {
        static struct job job;
        memset(&job, 0, sizeof job);
        job.caller = pthread_self();
        job.cancel_at = at;
        const struct pool_how how = {.threads = 3,
                                     .pieces = PIECES,
                                     .work = work,
                                     .user = &job,
                                     .progress = progress,
                                     .progress_user = &job};
        struct txl_error err = {0};
        assert_int_equal(pool_run(&err, &how), TXL_CANCELLED);
        assert_int_equal(err.status, TXL_CANCELLED);
        assert_true(job.sum < (uint64_t)PIECES * (PIECES - 1) / 2);
        assert_true(at > 1 || job.sum == 0); /* before the work: nothing was done */
    }
}

static void refused(void **state)
{
    (void)state;
    static struct job job;
    memset(&job, 0, sizeof job);
    job.fail_at = 3;
    const struct pool_how how = {.threads = 2, .pieces = PIECES, .work = work, .user = &job};
    struct txl_error err = {0};
    assert_int_equal(pool_run(&err, &how), TXL_NEGATIVE);
    assert_string_equal(err.message, "piece 2 is bad");
    assert_int_equal(job.seen[PIECES - 1], 0);
}

static void ticker(void **state)
{
    (void)state;
    struct job job = {.caller = pthread_self(), .cancel_at = 2};
    struct ticker t;
    assert_true(ticker_start(&t, progress, &job, 10));
    t.last += 3600;                /* the time since then is not the machine's to decide */
    assert_true(ticker_at(&t, 1)); /* too soon to ask */
    assert_int_equal(job.calls, 1);
    t.last -= 7200;
    assert_false(ticker_at(&t, 2));
    assert_int_equal(job.last_done, 2);
    assert_true(ticker_start(&t, NULL, NULL, 10) && ticker_at(&t, 10));
}

/* ---- options ---- */

struct small {
    size_t size;
    int a;
};

struct large {
    size_t size;
    int a, b;
    char *c;
};

static void option_sizes(void **state)
{
    (void)state;
    struct txl_error err = {0};
    struct large own = {.b = 7};
    const struct small older = {.size = sizeof older, .a = 3};
    assert_int_equal(options_take(&err, &own, sizeof own, &older), TXL_CONTINUE);
    assert_int_equal(own.size, sizeof own);
    assert_int_equal(own.a, 3);
    assert_int_equal(own.b, 0);
    assert_int_equal(options_take(&err, &own, sizeof own, NULL), TXL_CONTINUE);
    assert_int_equal(own.a, 0);
    struct small few;
    struct large newer = {.size = sizeof newer, .a = 4};
    assert_int_equal(options_take(&err, &few, sizeof few, &newer), TXL_CONTINUE);
    assert_int_equal(few.a, 4);
    newer.c = err.message;
    assert_int_equal(options_take(&err, &few, sizeof few, &newer), TXL_INPUT);
    assert_non_null(strstr(err.message, "does not know"));
    txl_error_clear(&err);
    newer.size = sizeof newer.size - 1;
    assert_int_equal(options_take(&err, &few, sizeof few, &newer), TXL_INPUT);
    assert_non_null(strstr(err.message, "size"));
}

/* ---- JSON ---- */

static void same_text(char *text, const char *want)
{
    assert_non_null(text);
    assert_string_equal(text, want);
    free(text);
}

static void json_forms(void **state)
{
    (void)state;
    txl_json *root = txl_json_object();
    txl_json_set_int(root, "int", 12);
    txl_json_set(root, "list", txl_json_array());
    txl_json_set_real(root, "one", 1.0);
    txl_json_set_real(root, "large", 1e20);
    txl_json_set_real(root, "little", 1.5e-7);
    txl_json_set_real(root, "third", 0.1);
    txl_json_set_real(root, "nan", 0.0 / 0.0);
    txl_json_set_bool(root, "yes", true);
    txl_json_set_word(root, "word", 0xbeef);
    txl_json_set_text(root, "text", "a\"\\\n\x01\xc3\xa9\xf0\x9f\x98\x80/\x7f");
    txl_json_set_text(root, "bytes", "a\xff\xc3\xa9");
    txl_json_set_text(root, "none", NULL);
    txl_json_set_int(root, "int", 13); /* in the old place */
    assert_int_equal(txl_json_count(root), 12);
    same_text(txl_json_line(root),
              "{\"int\":13,\"list\":[],\"one\":1.0,\"large\":1e20,\"little\":1.4999999999999999e-7,"
              "\"third\":0.10000000000000001,\"nan\":null,\"yes\":true,\"word\":\"0x0000beef\","
              "\"text\":\"a\\\"\\\\\\n\\u0001\\u00E9\\uD83D\\uDE00/\x7f\",\"bytes\":\"a???\","
              "\"none\":null}");
    txl_json_free(root);
}

static void json_nested(void **state)
{
    (void)state;
    const uint32_t words[] = {0x12, 0xabcdef01};
    txl_json *root = txl_json_object();
    txl_json *list = txl_json_array();
    txl_json_append(list, txl_json_hex(words, 2, 8));
    txl_json_append(list, txl_json_object());
    txl_json_set(root, "list", list);
    txl_json *more = txl_json_object();
    txl_json_set_int(more, "a", 1);
    txl_json_set(more, "list", txl_json_null());
    same_text(txl_json_indented(root),
              "{\n  \"list\": [\n    \"00000012abcdef01\",\n    {}\n  ]\n}");
    txl_json_merge(root, more);
    same_text(txl_json_line(root), "{\"list\":null,\"a\":1}");
    const char *key = NULL;
    same_text(txl_json_line(txl_json_at(root, 1, &key)), "1");
    assert_string_equal(key, "a");
    assert_null(txl_json_at(root, 2, NULL));
    assert_null(txl_json_chars(root));
    txl_json_free(root);
}

/* What is missing is remembered, however deep, also where it came after its parent was put away. */
static void json_sticky(void **state)
{
    (void)state;
    txl_json *root = txl_json_object();
    txl_json *inner = txl_json_array();
    txl_json_set(root, "inner", inner);
    char *text = txl_json_line(root);
    assert_non_null(text);
    free(text);
    txl_json_append(inner, NULL);
    assert_null(txl_json_line(root));
    assert_null(txl_json_indented(root));
    txl_json_free(root);
    root = txl_json_object();
    txl_json_set(root, "key", NULL);
    assert_null(txl_json_line(root));
    txl_json_free(root);
    assert_null(txl_json_line(NULL));
    txl_json_set(NULL, "key", txl_json_int(1)); /* frees it */
    txl_json_append(NULL, txl_json_int(1));
    txl_json_merge(NULL, txl_json_object());
}

/* ---- what must not stay ---- */

static bool exists(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0;
}

static void count_up(void *what)
{
    ++*(unsigned *)what;
}

static void abandoned(void **state)
{
    (void)state;
    unsigned count[2] = {0};
    assert_true(abandon_add(count_up, &count[0]));
    assert_true(abandon_add(count_up, &count[1]));
    abandon_remove(count_up, &count[1]);
    txl_abandon();
    txl_abandon();
    assert_int_equal(count[0], 1);
    assert_int_equal(count[1], 0);
}

static void whole_files_only(void **state)
{
    (void)state;
    char folder[] = "/tmp/tensix-base-XXXXXX";
    assert_non_null(mkdtemp(folder));
    char path[64];
    snprintf(path, sizeof path, "%s/out", folder);
    struct outfile file;
    assert_int_equal(outfile_open(&file, path), 0);
    assert_int_equal(outfile_append(&file, "text", 4), 0);
    assert_false(exists(path));
    outfile_discard(&file);
    assert_int_equal(rmdir(folder), 0); /* nothing is in it */
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_int_equal(outfile_open(&file, path), 0);
    assert_int_equal(outfile_commit(&file), 0);
    assert_true(exists(path));
    unlink(path);
    rmdir(folder);
}

static void texts(void **state)
{
    (void)state;
    struct memory_text text;
    assert_int_equal(memory_text_open(NULL, &text), TXL_CONTINUE);
    fputs("abc", text.stream);
    assert_int_equal(memory_text_close(NULL, &text), TXL_CONTINUE);
    assert_int_equal(text.size, 3);
    assert_string_equal(text.text, "abc");
    free(text.text);
    struct txl_error err = {0};
    assert_null(zeroed(&err, SIZE_MAX / 2, 4));
    assert_string_equal(err.message, "out of memory");
    assert_int_equal(err.status, TXL_INPUT);
}

/* An array that grows keeps what it holds, and stays as it is where there is no memory. */
static void lists(void **unused)
{
    (void)unused;
    enum { ENTRIES = 5000 };
    uint64_t *list = NULL;
    size_t room = 0, moves = 0;
    for (size_t i = 0; i < ENTRIES; i++) {
        const size_t before = room;
        assert_true(LIST_ROOM(list, i, room, 1));
        moves += room != before;
        list[i] = i;
    }
    assert_in_range(room, ENTRIES, 2 * ENTRIES);
    assert_in_range(moves, 1, 20); /* doubled */
    assert_true(LIST_ROOM(list, ENTRIES, room, 3 * ENTRIES));
    assert_in_range(room, 4 * ENTRIES, 8 * ENTRIES);
    const uint64_t *const was = list;
    const size_t had = room;
    bool failed = false;
    assert_false(LIST_ROOM(list, ENTRIES, room, SIZE_MAX / 8));
    assert_false(LIST_ROOM(list, ENTRIES, room, SIZE_MAX / 32));
    assert_true(LIST_ONE(list, ENTRIES, room, failed));
    assert_false(failed);
    assert_ptr_equal(list, was);
    assert_int_equal(room, had);
    for (size_t i = 0; i < ENTRIES; i++) {
        assert_int_equal(list[i], i);
    }
    free(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_piece_once),
        cmocka_unit_test(cancelled),
        cmocka_unit_test(refused),
        cmocka_unit_test(ticker),
        cmocka_unit_test(option_sizes),
        cmocka_unit_test(json_forms),
        cmocka_unit_test(json_nested),
        cmocka_unit_test(json_sticky),
        cmocka_unit_test(abandoned),
        cmocka_unit_test(whole_files_only),
        cmocka_unit_test(texts),
        cmocka_unit_test(lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
