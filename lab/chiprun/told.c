/* SPDX-License-Identifier: Apache-2.0 */
/* Options of a chip as text, for a program in Python that opens the chip itself. */
#include "base/json.h"
#include "chiprun/chiprun.h"

char *txl_chip_told(const struct txl_chip_options *options, const char *sfpi)
{
    txl_json *told = txl_json_object();
    txl_json *grid = txl_json_array();
    if (options->columns != 0) {
        txl_json_append(grid, txl_json_int(options->columns));
        txl_json_append(grid, txl_json_int(options->rows));
    }
    txl_json_set(told, "grid", grid);
    JSON_MEMBERS(told, options, untimed, strict, threads, races, documented, max_cycles);
    const struct {
        const char *key, *text;
    } texts[] = {{"product", options->product}, {"sfpi", sfpi}, {"delays", options->delays}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (texts[i].text != NULL) {
            txl_json_set_text(told, texts[i].key, texts[i].text);
        }
    }
    char *line = txl_json_line(told);
    txl_json_free(told);
    return line;
}
