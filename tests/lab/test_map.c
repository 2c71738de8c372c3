/* SPDX-License-Identifier: Apache-2.0 */
/* What `map` says of an address, beside the machine: which element a load from there brings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tensix-lab/isa.h>
#include <tensix/facts.h>
#include <tensix/tensix.h>

enum { FMT_INT32 = 4, FMT_UINT16 = 6 };

/* Every element of every tile holds its own number. */
static tx_machine *numbered(enum tx_arch arch, enum tx_dst_format format, unsigned tiles)
{
    struct tx_settings settings;
    tx_machine *m = NULL;
    uint32_t values[TX_TILE_ELEMENTS];
    tx_settings_default(&settings, arch);
    assert_int_equal(tx_open(&settings, &m), TX_OK);
    for (unsigned tile = 0; tile < tiles; tile++) {
        for (unsigned i = 0; i < TX_TILE_ELEMENTS; i++) {
            values[i] = tile * TX_TILE_ELEMENTS + i;
        }
        assert_int_equal(tx_dst_load_tile(m, tile, format, values), TX_OK);
    }
    return m;
}

/* Takes the places of the lines "tile" out of the text, in the order of lanes. */
static void told(enum tx_arch arch, enum tx_dst_format format, unsigned address,
                 unsigned element[TX_LANES])
{
    struct txl_error err = {0};
    char *text = NULL;
    unsigned lane = 0;
    assert_int_equal(txl_map_text(&err, arch, format, address, &text), TXL_OK);
    for (const char *at = text; (at = strstr(at, "\n  tile ")) != NULL;) {
        at += strlen("\n  tile ");
        unsigned tile, row, column;
        int length;
        while (sscanf(at, " %u[%u][%u]%n", &tile, &row, &column, &length) == 3) {
            assert_true(lane < TX_LANES);
            element[lane++] = tile * TX_TILE_ELEMENTS + row * 32 + column;
            at += length;
        }
    }
    assert_int_equal(lane, TX_LANES);
    free(text);
}

static void every_address(enum tx_arch arch, enum tx_dst_format format, unsigned mode,
                          unsigned tiles)
{
    tx_machine *m = numbered(arch, format, tiles);
    for (unsigned address = 0; address < TX_DST_ROWS; address += 2) {
        char line[64];
        struct tx_program *program = NULL;
        struct tx_diag diag;
        const struct tx_asm_options how = {.arch = arch};
        unsigned want[TX_LANES];
        uint32_t lreg[TX_LANES];
        const int length =
            snprintf(line, sizeof line, ".tile\nsfpload L0, %u, %u, 3\n", address, mode);
        assert_int_equal(tx_assemble(line, (size_t)length, &how, &program, &diag), TX_OK);
        assert_int_equal(tx_program_count(program, TX_SECTION_TILE), 1);
        assert_int_equal(tx_run(m, 1, tx_program_words(program, TX_SECTION_TILE), 1), TX_OK);
        assert_int_equal(tx_read(m, TX_FILE_LREG, 0, lreg, TX_LANES), TX_OK);
        told(arch, format, address, want);
        for (unsigned lane = 0; lane < TX_LANES; lane++) {
            if (lreg[lane] != want[lane]) {
                fail_msg("%s, %s, address %u, lane %u: element %u, not %u", tx_arch_name(arch),
                         tx_dst_format_name(format), address, lane, lreg[lane], want[lane]);
            }
        }
        tx_program_free(program);
    }
    tx_close(m);
}

static void test_places(void **state)
{
    (void)state;
    for (enum tx_arch arch = TX_ARCH_FIRST; arch <= TX_ARCH_LAST; arch++) {
        every_address(arch, TX_DST_FORMAT_INT32, FMT_INT32, 8);
        every_address(arch, TX_DST_FORMAT_UINT32, FMT_INT32, 8);
        every_address(arch, TX_DST_FORMAT_UINT16, FMT_UINT16, 16);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
