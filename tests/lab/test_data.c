/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "data": files written and read back, conversion and comparison with reports, refusals as
 * values, and nothing on disk after a cancel. Expected bits are the formats' own definitions.
 */
#include <dirent.h>
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

#include <tensix-lab/data.h>

static char folder[] = "/tmp/tensix-data-XXXXXX";

static const char *in_folder(const char *name)
{
    static char paths[8][320];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static unsigned files(void)
{
    unsigned count = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (const struct dirent *one; (one = readdir(dir)) != NULL;) {
        count += one->d_name[0] != '.';
    }
    closedir(dir);
    return count;
}

static int begin(void **state)
{
    (void)state;
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int clean(void **state)
{
    (void)state;
    DIR *dir = opendir(folder);
    for (const struct dirent *one; dir != NULL && (one = readdir(dir)) != NULL;) {
        (void)unlink(in_folder(one->d_name));
    }
    closedir(dir);
    return 0;
}

static int end(void **state)
{
    (void)state;
    return rmdir(folder);
}

static uint32_t word_of(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

enum { ROWS = 40, COLUMNS = 70 };

static const uint64_t shape[] = {ROWS, COLUMNS};

static void fill(uint32_t words[ROWS * COLUMNS])
{
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        words[i] = word_of((float)(i - 1000) * 0.25F); /* below 2^10: BF16 rounds some of them */
    }
}

static void write_file(const char *name, const uint32_t *words)
{
    struct txl_error err = {0};
    const struct txl_tensor_options o = {.size = sizeof o, .shape = shape, .dimensions = 2};
    assert_int_equal(txl_tensor_write(&err, name, &o, words), TXL_OK);
}

static void read_file(const char *name, const struct txl_tensor_options *o, uint32_t *words)
{
    struct txl_error err = {0};
    txl_tensor *t = NULL;
    assert_int_equal(txl_tensor_open(&err, name, o, &t), TXL_OK);
    assert_int_equal(txl_tensor_info(t)->elements, ROWS * COLUMNS);
    assert_int_equal(txl_tensor_words(&err, t, words), TXL_OK);
    txl_tensor_close(t);
}

/* To nearest even, by its definition: half of the unit is added, less what makes ties even. */
static uint32_t to_bf16(uint32_t word)
{
    return (word + 0x7fff + (word >> 16 & 1)) & 0xffff0000U;
}

static void written_and_read(void **state)
{
    (void)state;
    static uint32_t words[ROWS * COLUMNS];
    static uint32_t back[ROWS * COLUMNS];
    fill(words);
    write_file(in_folder("x.npy"), words);
    read_file(in_folder("x.npy"), NULL, back);
    assert_memory_equal(words, back, sizeof words);
    const struct txl_tensor_options o = {.size = sizeof o, .shape = shape, .dimensions = 2};
    static const char *const names[] = {"x.tiles:bfloat16", "x.npy:bfloat16"};
    for (unsigned n = 0; n < 2; n++) {
        write_file(in_folder(names[n]), words);
        read_file(in_folder(names[n]), n == 0 ? &o : NULL, back);
        for (size_t i = 0; i < ROWS * COLUMNS; i++) {
            assert_int_equal(back[i], to_bf16(words[i]));
        }
    }
    txl_tensor *t = NULL;
    struct txl_error err = {0};
    assert_int_equal(txl_tensor_open(&err, in_folder("x.tiles:bfloat16"), &o, &t), TXL_OK);
    const struct txl_tensor_info *info = txl_tensor_info(t);
    assert_true(info->tiles && !info->numbers);
    assert_int_equal(info->tile_count, 6); /* 2 by 3 of 32x32 */
    assert_int_equal(info->tile_bytes, 2048);
    assert_string_equal(info->type, "float16_b");
    txl_tensor_close(t);
}

static void one_tile(void **state)
{
    (void)state;
    static uint32_t words[ROWS * COLUMNS];
    struct txl_tile_data *tile = NULL;
    struct txl_error err = {0};
    fill(words);
    write_file(in_folder("x.tiles:bfloat16"), words);
    const char *name = in_folder("x.tiles:bfloat16");
    assert_int_equal(txl_tile_read(&err, name, NULL, TX_ARCH_NONE, 0, &tile), TXL_OK);
    assert_int_equal(tile->tiles, 6);
    assert_int_equal(tile->layout->bytes, 2048);
    /* Faces of 16x16 follow one another: datum 256 is row 0, column 16. */
    assert_int_equal(tile->words[0], to_bf16(words[0]));
    assert_int_equal(tile->words[256], to_bf16(words[16]));
    assert_int_equal(tile->words[512], to_bf16(words[16 * COLUMNS]));
    txl_tile_free(tile);
    assert_int_equal(txl_tile_read(&err, name, NULL, TX_ARCH_NONE, 6, &tile), TXL_INPUT);
    assert_null(tile);
    assert_string_equal(err.message, "has 6 tiles: no tile 6");
}

static void conversion(void **state)
{
    (void)state;
    static uint32_t words[ROWS * COLUMNS];
    uint64_t exact = 0;
    fill(words);
    for (size_t i = 0; i < ROWS * COLUMNS; i++) {
        exact += to_bf16(words[i]) == words[i];
    }
    write_file(in_folder("x.npy"), words);
    struct txl_error err = {0};
    struct txl_conversion *c = NULL;
    const struct txl_convert_options o = {.size = sizeof o, .route = "host"};
    assert_int_equal(txl_convert(&err, in_folder("x.npy"), in_folder("y.tiles:bfloat16"), &o, &c),
                     TXL_OK);
    assert_string_equal(c->from, "float32");
    assert_string_equal(c->to, "float16_b");
    assert_string_equal(c->shape, "(40, 70)");
    assert_int_equal(c->tiles, 6);
    assert_int_equal(c->out_tile_bytes, 2048);
    assert_int_equal(c->arch, TX_ARCH_NONE);
    assert_true(c->measured && exact > 0 && exact < ROWS * COLUMNS);
    assert_int_equal(c->loss[TX_LOSS_EXACT].count, exact);
    assert_int_equal(c->loss[TX_LOSS_ROUNDED].count, ROWS * COLUMNS - exact);
    assert_string_equal(c->loss[TX_LOSS_ROUNDED].name, "rounded");
    char *text = txl_conversion_json(c);
    assert_non_null(strstr(text, "\"route\": \"host\""));
    free(text);
    txl_conversion_free(c);
}

static void refusals(void **state)
{
    (void)state;
    static uint32_t words[ROWS * COLUMNS];
    fill(words);
    write_file(in_folder("x.npy"), words);
    const unsigned before = files();
    struct {
        struct txl_convert_options o;
        uint64_t unknown;
    } newer = {.o.size = sizeof newer, .o.route = "host", .unknown = 1};
    struct txl_error err = {0};
    struct txl_conversion *c = NULL;
    assert_int_equal(txl_convert(&err, in_folder("x.npy"), in_folder("y:bfp8_b"), &newer.o, &c),
                     TXL_INPUT);
    assert_non_null(strstr(err.message, "does not know"));
    txl_error_clear(&err);
    newer.unknown = 0; /* larger, but with nothing in it */
    assert_int_equal(txl_convert(&err, in_folder("x.npy"), in_folder("y:bfp8_b"), &newer.o, &c),
                     TXL_OK);
    txl_conversion_free(c);
    assert_int_equal(unlink(in_folder("y")), 0);
    newer.o.route = "hots";
    assert_int_equal(txl_convert(&err, in_folder("x.npy"), in_folder("y:bfp8_b"), &newer.o, &c),
                     TXL_INPUT);
    assert_non_null(strstr(err.message, "did you mean 'host'?"));
    assert_null(c);
    txl_error_clear(&err);
    assert_int_equal(txl_convert(NULL, in_folder("none.npy"), in_folder("y:bfp8_b"), NULL, &c),
                     TXL_INPUT); /* an error that nobody wants */
    txl_tensor *t = NULL;
    assert_int_equal(txl_tensor_open(&err, in_folder("none.npy"), NULL, &t), TXL_INPUT);
    assert_null(t);
    assert_string_equal(err.file, in_folder("none.npy"));
    txl_error_clear(&err);
    struct txl_tensor_options o = {.size = 1};
    assert_int_equal(txl_tensor_open(&err, in_folder("x.npy"), &o, &t), TXL_INPUT);
    assert_int_equal(files(), before);
}

static bool stop(void *user, uint64_t done, uint64_t total)
{
    assert_true(done <= total);
    return (*(unsigned *)user)-- != 0;
}

static void cancel(void **state)
{
    (void)state;
    static uint32_t words[ROWS * COLUMNS];
    fill(words);
    write_file(in_folder("x.npy"), words);
    const unsigned before = files();
    unsigned calls = 0; /* the first call, before the work */
    struct txl_error err = {0};
    struct txl_conversion *c = NULL;
    const struct txl_convert_options o = {
        .size = sizeof o, .route = "host", .progress = stop, .progress_user = &calls};
    static const char *const names[] = {"y.tiles:bfloat16", "y.npy:bfloat16", "y.npz:a:bfloat16"};
    for (unsigned n = 0; n < 3; n++) {
        calls = 0;
        txl_error_clear(&err);
        assert_int_equal(txl_convert(&err, in_folder("x.npy"), in_folder(names[n]), &o, &c),
                         TXL_CANCELLED);
        assert_int_equal(err.status, TXL_CANCELLED);
        assert_null(c);
        assert_int_equal(files(), before);
    }
    struct txl_diff *d = NULL;
    const struct txl_diff_options how = {
        .size = sizeof how, .progress = stop, .progress_user = &calls};
    calls = 0;
    txl_error_clear(&err);
    assert_int_equal(txl_diff(&err, in_folder("x.npy"), in_folder("x.npy"), &how, &d),
                     TXL_CANCELLED);
    assert_null(d);
}

static void comparison(void **state)
{
    (void)state;
    static uint32_t words[ROWS * COLUMNS];
    fill(words);
    write_file(in_folder("a.npy"), words);
    words[3 * COLUMNS + 5] += 2; /* 2 ULP of FP32 */
    words[9 * COLUMNS] += 7;     /* 7 */
    words[1] = 0x7fc00000;       /* NaN */
    words[1000] = 0x80000000;    /* -0 for +0: other bits, 0 ULP */
    write_file(in_folder("b.npy"), words);
    struct txl_error err = {0};
    struct txl_diff *d = NULL;
    struct txl_diff_options o = {.size = sizeof o, .show = 2};
    assert_int_equal(txl_diff(&err, in_folder("a.npy"), in_folder("b.npy"), &o, &d), TXL_OK);
    assert_true(d->different);
    assert_int_equal(d->elements, ROWS * COLUMNS);
    assert_int_equal(d->same, ROWS * COLUMNS - 4);
    assert_int_equal(d->other_bits, 1);
    assert_int_equal(d->differ, 2);
    assert_int_equal(d->mismatched, 1);
    assert_int_equal(d->max_ulp, 7);
    assert_int_equal(d->first_count, 2);
    assert_string_equal(d->first[0].index, "[0, 1]");
    assert_int_equal(d->first[1].ulp, 2);
    assert_int_equal(d->worst_count, 2);
    assert_true(d->worst[0].ulp == TXL_MISMATCH);
    assert_int_equal(d->worst[1].ulp, 7);
    char *text = txl_diff_json(d);
    assert_non_null(strstr(text, "\"max_ulp\": 7"));
    free(text);
    txl_diff_free(d);
    o.show = 1001;
    assert_int_equal(txl_diff(&err, in_folder("a.npy"), in_folder("b.npy"), &o, &d), TXL_INPUT);
    assert_null(d);
}

static void words_that_people_write(void **state)
{
    (void)state;
    struct txl_error err = {0};
    enum tx_format format;
    struct tx_tile tile = {.transpose_of_faces = true};
    uint64_t sizes[TXL_DIMENSIONS];
    unsigned dimensions = 0;
    assert_int_equal(txl_parse_format(&err, "--to", "bfloat16", &format), TXL_OK);
    assert_int_equal(format, TX_FORMAT_BF16);
    assert_int_equal(txl_parse_tile(&err, "--tile", "16x32", &tile), TXL_OK);
    assert_true(tile.rows == 16 && tile.columns == 32 && tile.transpose_of_faces);
    assert_int_equal(txl_parse_shape(&err, "--shape", "4,64x128", sizes, &dimensions), TXL_OK);
    assert_true(dimensions == 3 && sizes[0] == 4 && sizes[1] == 64 && sizes[2] == 128);
    assert_int_equal(txl_parse_tile(&err, "--tile", "33x32", &tile), TXL_INPUT);
    assert_int_equal(err.status, TXL_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(written_and_read, clean),
        cmocka_unit_test_teardown(one_tile, clean),
        cmocka_unit_test_teardown(conversion, clean),
        cmocka_unit_test_teardown(refusals, clean),
        cmocka_unit_test_teardown(cancel, clean),
        cmocka_unit_test_teardown(comparison, clean),
        cmocka_unit_test(words_that_people_write),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
