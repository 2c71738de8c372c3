/* SPDX-License-Identifier: Apache-2.0 */
/* Room "vectors": lines that pass, fail and cannot be read; every engine; recording; cancel. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <tensix-lab/vectors.h>

/* sfploadi L0, 0, 0x3f80: L0 becomes 1.0 in all lanes. */
#define ONE "3f8000003f8000003f8000003f800000"
#define LANES ONE ONE ONE ONE ONE ONE ONE ONE
#define VECTOR(name, final)                                                           \
    "{\"name\": \"" name "\", \"arch\": \"blackhole\", \"program\": [\"71003f80\"], " \
    "\"final\": {\"lreg\": {\"0\": \"" final "\"}}}\n"

static const char good[] = VECTOR("good", LANES);
/* Two that pass, one with another last lane, one that is no JSON, one without a name. */
static const char mixed[] =
    VECTOR("first", LANES) "\n" VECTOR("wrong", ONE ONE ONE ONE ONE ONE ONE "3f8000003f8000003f800"
                                                                            "0003f800001")
        VECTOR("last", LANES) "nonsense\n{\"arch\": \"blackhole\"}\n";

struct heard {
    unsigned count;
    unsigned lines[4];
    char names[4][32];
};

static void hear(void *user, const struct txl_check_failure *f)
{
    struct heard *h = user;
    assert_true(h->count < 4);
    h->lines[h->count] = f->line;
    snprintf(h->names[h->count++], sizeof h->names[0], "%s", f->name);
}

static void every_engine(void **state)
{
    (void)state;
    for (enum txl_engine e = TXL_ENGINE_FAST; e <= TXL_ENGINE_REFERENCE; e++) {
        for (unsigned jobs = 0; jobs < 4; jobs++) {
            struct txl_error err = {0};
            struct txl_check *done = NULL;
            struct heard heard = {0};
            const struct txl_check_options o = {.size = sizeof o,
                                                .engine = e,
                                                .jobs = jobs,
                                                .failure = hear,
                                                .failure_user = &heard};
            assert_int_equal(txl_check_text(&err, mixed, sizeof mixed - 1, &o, &done), TXL_OK);
            assert_int_equal(done->passed, 2);
            assert_int_equal(done->failed, 3);
            assert_int_equal(heard.count, 3);
            assert_int_equal(heard.lines[0], 3); /* line 2 is empty */
            assert_string_equal(heard.names[0], "wrong");
            assert_int_equal(done->failures[1].line, 5);
            assert_non_null(strstr(done->failures[1].message, "not JSON"));
            assert_int_equal(done->failures[2].line, 6);
            assert_string_equal(done->failures[2].message, "name is missing");
            char *json = txl_check_json(done);
            assert_non_null(strstr(json, "\"failed\": 3"));
            free(json);
            txl_check_free(done);
        }
    }
}

enum { COPIES = 300 };
struct stop {
    uint64_t at;
    bool ended; /* told of all of them */
};

static bool stop_at(void *user, uint64_t done, uint64_t total)
{
    struct stop *stop = user;
    assert_int_equal(total, 0);
    assert_true(done % 128 == 0 || done == COPIES); /* a batch, or the end */
    stop->ended = done == COPIES;
    return done < stop->at;
}

static void cancelled(void **state)
{
    (void)state;
    char *text = malloc(COPIES * sizeof good);
    for (size_t i = 0; i < COPIES; i++) {
        memcpy(text + i * (sizeof good - 1), good, sizeof good);
    }
    for (uint64_t at = 0; at <= 1024; at += 128) {
        struct stop stop = {at, false};
        struct txl_error err = {0};
        struct txl_check *done = NULL;
        const struct txl_check_options o = {
            .size = sizeof o, .jobs = 2, .progress = stop_at, .progress_user = &stop};
        const int status = txl_check_text(&err, text, COPIES * (sizeof good - 1), &o, &done);
        assert_int_equal(status, at <= 256 ? TXL_CANCELLED : TXL_OK);
        assert_int_equal(err.status, status);
        assert_int_equal(stop.ended, status == TXL_OK);
        assert_true((done != NULL) == (status == TXL_OK));
        assert_true(done == NULL || done->passed == COPIES);
        txl_check_free(done);
    }
    free(text);
}

static void refused(void **state)
{
    (void)state;
    struct txl_error err = {0};
    struct txl_check *done = NULL;
    static const char *const none[] = {"/tmp/tensix-there-is-no-such-file.jsonl"};
    assert_int_equal(txl_check_files(&err, none, 1, NULL, &done), TXL_INPUT);
    assert_null(done);
    assert_string_equal(err.file, none[0]);
    txl_error_clear(&err);
    struct txl_check_options o = {.size = sizeof o, .jobs = 65};
    assert_int_equal(txl_check_text(&err, good, sizeof good - 1, &o, &done), TXL_INPUT);
    txl_error_clear(&err);
    o = (struct txl_check_options){.size = sizeof o, .strict_version = true};
    assert_int_equal(txl_check_text(&err, good, sizeof good - 1, &o, &done), TXL_OK);
    assert_int_equal(done->failed, 1); /* it states no format */
    assert_string_equal(done->failures[0].message, "format is missing");
    txl_check_free(done);
    o = (struct txl_check_options){.size = sizeof o, .engine = TXL_ENGINE_COMPILED};
    assert_int_equal(txl_check_text(&err, good, sizeof good - 1, &o, &done), TXL_INPUT);
    assert_non_null(strstr(err.message, "compiled")); /* there is no compiler */
    assert_null(done);
}

static void recorded(void **state)
{
    (void)state;
    char path[] = "/tmp/tensix-vectors-XXXXXX.s";
    const int fd = mkstemps(path, 2);
    static const char kernel[] = ".arch blackhole\n.tile\n    sfploadi L0, 0x3f80, 0\n";
    assert_true(fd >= 0 && write(fd, kernel, sizeof kernel - 1) == sizeof kernel - 1);
    close(fd);
    struct txl_error err = {0};
    const struct txl_vectors_options o = {.size = sizeof o, .thread = 1};
    const char *const paths[] = {path};
    char *text = NULL;
    size_t length = 0;
    assert_int_equal(txl_vectors_record(&err, paths, 1, &o, &text, &length), TXL_OK);
    unlink(path);
    assert_int_equal(length, strlen(text));
    assert_non_null(strstr(text, "\"" LANES "\"")); /* L0 in the final state */
    struct txl_check *done = NULL;
    assert_int_equal(txl_check_text(&err, text, length, NULL, &done), TXL_OK);
    assert_int_equal(done->passed, 1);
    assert_int_equal(done->failed, 0);
    txl_check_free(done);
    free(text);
    const struct txl_vectors_options wrong = {.size = sizeof wrong, .thread = 3};
    assert_int_equal(txl_vectors_record(&err, paths, 1, &wrong, &text, &length), TXL_INPUT);
    assert_null(text);
}

/*
 * MOVA2D of 2^-11, then ELWADD adds 2^-11 + 2^-11 to the same rows, which held 2^-10. Without
 * times the new rows are added to, 1.5 * 2^-10; as soon as it can be the old ones, 2^-9.
 */
#define CELLS(c) "\"0\": \"" c c c c c c c c c c c c c c c c "\""
#define MOVED(more, dst)                                                                          \
    "{\"name\": \"moved\", \"arch\": \"wormhole\", " more                                         \
    "\"program\": [\"12000000\", \"28200000\"], \"initial\": {"                                   \
    "\"config\": {\"ALU_FORMAT_SPEC_REG0_SrcA\": 5, \"ALU_FORMAT_SPEC_REG1_SrcB\": 5}, "          \
    "\"srca\": {\"0\": {" CELLS("00074") "}}, \"srcb\": {\"0\": {" CELLS(                         \
        "00074") "}}, "                                                                           \
                 "\"dst\": {" CELLS("0075") "}, \"src_valid\": {\"a\": [1, 0], \"b\": [1, 0]}}, " \
                                            "\"final\": {\"dst\": {" CELLS(dst) "}}}\n"

static void functional(void **state)
{
    (void)state;
    static const char vectors[] = MOVED("", "4075") MOVED("\"gaps\": [0, 0], ", "0076")
        MOVED("\"gaps\": [0, 3], ", "4075") MOVED("\"issue_cycles\": 2, ", "0076");
    struct txl_error err = {0};
    struct txl_check *done = NULL;
    const struct txl_check_options o = {.size = sizeof o, .engine = TXL_ENGINE_REFERENCE};
    assert_int_equal(txl_check_text(&err, vectors, sizeof vectors - 1, &o, &done), TXL_OK);
    for (size_t i = 0; i < done->failed; i++) {
        print_message("%s\n", done->failures[i].message);
    }
    assert_int_equal(done->passed, 4);
    txl_check_free(done);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_engine), cmocka_unit_test(cancelled),  cmocka_unit_test(refused),
        cmocka_unit_test(recorded),     cmocka_unit_test(functional),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
