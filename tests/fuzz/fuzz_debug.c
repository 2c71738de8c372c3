/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands for the debugger, a line each: they are done or refused, and nothing else. One session
 * takes 512 inputs: what fails only behind others is met again by -seed and -runs of the run that
 * found it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <tensix-lab/debug.h>
#include <tensix-lab/kernel.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LINES = 2, MOST_CYCLES = 1000, SESSION = 512, JSONS = 8 };

static void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

static const char kernel[] = ".arch blackhole\n.dst fp32\n.init\nsfploadi L7, 0x4000, 0\n.tile\n"
                             "ttreplay 0, 4, 1, 1\nsfpload L0, 0, 3, 0\nsfpmad L1, L0, L7, L0, 0\n"
                             "sfpsetcc L1, 0, 0\nsfpstore L1, 0, 3, 0\n.rept 2\n"
                             "ttreplay 0, 4, 0, 0\n.endr\nsfppushc 0\nsfpencc 3, 10\n";

/* Runs are short: what is asked for is cut off after so many cycles. */
static bool goes_on(void *user, uint64_t done, uint64_t total)
{
    (void)user;
    (void)total;
    return done < MOST_CYCLES;
}

/* Of one answer in eight the JSON is written. */
static void say(txl_debug *on, const char *line)
{
    static unsigned answers;
    struct txl_error err = {.status = TXL_OK};
    char *text = NULL;
    txl_json *json = NULL;
    const int result = txl_debug_do(&err, on, line, &text, &json);
    require(result == TXL_OK || result == TXL_INPUT || result == TXL_CANCELLED);
    require((result == TXL_INPUT) == (err.status != TXL_OK) && (text != NULL) == (json != NULL));
    require(result != TXL_INPUT || (text == NULL && !txl_has_controls(err.message)));
    char *object = json != NULL && answers++ % JSONS == 0 ? txl_json_line(json) : NULL;
    require(object == NULL || object[0] == '{');
    for (const char *p = text; p != NULL && *p != '\0'; p++) {
        require(*p == '\n' || (unsigned char)*p >= ' ');
    }
    free(object);
    txl_json_free(json);
    free(text);
}

static txl_debug *debug;

static void reopen(void)
{
    static struct tx_program *program;
    const struct txl_run_options run = {.size = sizeof run};
    const struct txl_debug_options how = {
        .size = sizeof how, .tiles = 2, .history = 1 << 22, .progress = goes_on};
    if (program == NULL) {
        require(txl_kernel_assemble(NULL, "k.s", kernel, sizeof kernel - 1, NULL, &program) ==
                TXL_OK);
    }
    txl_debug_close(debug);
    require(txl_debug_open(NULL, program, NULL, &run, &how, &debug) == TXL_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static unsigned inputs;
    if (inputs++ % SESSION == 0 || txl_debug_ended(debug)) {
        reopen();
    }
    for (unsigned i = 0; size > 0 && i < LINES && !txl_debug_ended(debug); i++) {
        char line[500];
        const uint8_t *end = memchr(data, '\n', size);
        const size_t length = end != NULL ? (size_t)(end - data) : size;
        const size_t kept = length < sizeof line - 1 ? length : sizeof line - 1;
        memcpy(line, data, kept);
        line[kept] = '\0';
        if (strstr(line, "differs") == NULL) { /* reads files */
            say(debug, line);
        }
        data += length + (end != NULL);
        size -= length + (end != NULL);
    }
    return 0;
}
