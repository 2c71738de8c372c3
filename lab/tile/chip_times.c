/* SPDX-License-Identifier: Apache-2.0 */
/* Files of times, lines NAME=CYCLES, and of delays; with remarks behind '#'. */
#include "tile/chip_times.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#include <tensix-lab/base.h>

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Copies a line without the spaces at its ends and around '='. Returns whether it fits. */
static bool take_line(const char *from, size_t length, char *to, size_t room)
{
    size_t n = 0;
    for (size_t i = 0; i < length && from[i] != '#'; i++) {
        const bool beside = n == 0 || to[n - 1] == '=';
        if (is_space(from[i]) && beside) {
            continue;
        }
        while (from[i] == '=' && n != 0 && is_space(to[n - 1])) {
            n--;
        }
        if (n + 1 == room) {
            return false;
        }
        to[n++] = from[i];
    }
    while (n != 0 && is_space(to[n - 1])) {
        n--;
    }
    to[n] = '\0';
    return true;
}

int chip_times(struct txl_error *err, tx_chip *chip, const char *file, const char *text)
{
    enum { LINE = 200 };
    struct txl_where where = {.file = file != NULL ? file : "times"};
    char line[LINE];
    for (const char *at = text; *at != '\0';) {
        const size_t length = strcspn(at, "\n");
        where.line++;
        if (!take_line(at, length, line, sizeof line)) {
            return txl_fail_at(err, &where, "the line is too long");
        }
        const enum tx_status set = line[0] == '\0' ? TX_OK : tx_chip_set_time(chip, line);
        if (set == TX_ENOENT) {
            return txl_fail_at(err, &where, "there is no time of this name");
        }
        if (set != TX_OK) {
            return txl_fail_at(err, &where,
                               "not a number of cycles in the range that is known for this time, "
                               "or it cannot be changed");
        }
        at += length + (at[length] == '\n');
    }
    return TXL_CONTINUE;
}

int chip_delays(struct txl_error *err, tx_chip *chip, const char *path)
{
    enum { LINE = 200 };
    struct txl_where where = {.file = path};
    char line[LINE];
    size_t size = 0;
    int result = TXL_CONTINUE;
    char *text = txl_read_file(err, path, &size);
    for (const char *at = text; at != NULL && *at != '\0' && result == TXL_CONTINUE;) {
        const size_t length = strcspn(at, "\n");
        where.line++;
        const bool fits = take_line(at, length, line, sizeof line);
        const enum tx_status set = !fits             ? TX_EINVAL
                                   : line[0] == '\0' ? TX_OK
                                                     : tx_chip_delay(chip, line);
        if (set == TX_ENOENT) {
            result = txl_fail_at(err, &where, "a run without time has nothing to delay");
        } else if (set != TX_OK) {
            result = txl_fail_at(err, &where,
                                 "not a delay of this chip, such as 1,2/n0/3>src+64 or "
                                 "1,2/b@900+64, or more than 64");
        }
        at += length + (at[length] == '\n');
    }
    free(text);
    return text != NULL ? result : TXL_INPUT;
}
