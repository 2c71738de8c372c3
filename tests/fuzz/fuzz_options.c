/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any text as what options say in a language of their own, and any bytes as the file that they
 * name: what eval sets, gaps, files into L1, domains, lists of kernels, rules, numbers. The first
 * byte chooses; where a file is read, a zero byte stands before it.
 */
#include "base/options.h"
#include "input_file.h"
#include "kernel/record.h"
#include "run/eval.h"
#include "run/gaps.h"
#include "run/l1.h"
#include "sweep/sweep.h"

#include <tensix-lab/data.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static const char *const endings[] = {"npy", "npz", "txt", "tile"};
enum { ENDINGS = 4, TEXT = 256 };

static struct input_file input; /* under each of the endings */
static tx_machine *machines[2]; /* of each chip, for ever */

static void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void remove_input(void)
{
    input_file_remove(&input);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    for (unsigned i = 0; i < ENDINGS; i++) {
        char name[16];
        snprintf(name, sizeof name, "in.%s", endings[i]);
        input_file_name(&input, i, name);
    }
    atexit(remove_input);
    for (unsigned i = 0; i < 2; i++) {
        struct tx_settings s;
        tx_settings_default(&s, i == 0 ? TX_WORMHOLE : TX_BLACKHOLE);
        require(tx_open(&s, &machines[i]) == TX_OK);
    }
    return 0;
}

static void said(const struct txl_error *err, bool good)
{
    require(good == (err->status == TXL_OK) && good == (err->message[0] == '\0'));
}

static void settings(const char *text)
{
    struct tx_settings s;
    int64_t number = 0;
    tx_settings_default(&s, TX_BLACKHOLE);
    (void)tx_settings_rule(&s, text);
    if (txl_number(text, -5, 1000, &number)) {
        require(number >= -5 && number <= 1000);
    }
    struct txl_error err = {.status = TXL_OK};
    struct tx_tile tile;
    enum tx_format format;
    said(&err, txl_parse_tile(&err, "--tile", text, &tile) == TXL_OK);
    err = (struct txl_error){.status = TXL_OK};
    said(&err, txl_parse_format(&err, "--to", text, &format) == TXL_OK);
}

static void gaps(const char *text)
{
    uint32_t out[64];
    struct gaps g;
    if (gaps_parse(text, &g)) {
        require(g.kind != GAPS_NONE);
        gaps_fill(&g, 3, out, g.kind == GAPS_ALL ? 0 : 64);
    }
}

static void assign(unsigned chip, const char *text)
{
    struct txl_error err = {.status = TXL_OK};
    said(&err, eval_assign(&err, machines[chip], chip, text) == TXL_CONTINUE);
}

/* ADDRESS:FORMAT:SHAPE of the text, the name of the file behind it. */
static void l1_file(unsigned chip, unsigned ending, bool output, const char *text)
{
    char option[TEXT + 80];
    struct txl_error err = {.status = TXL_OK};
    struct l1_job job = {.err = &err, .arch = chip == 0 ? TX_WORMHOLE : TX_BLACKHOLE};
    snprintf(option, sizeof option, "%s=%s", text, output ? "/dev/null" : input.names[ending]);
    if (strpbrk(text, "/=") == NULL && l1_option(&job, option, output) == 0) {
        said(&err, l1_settle(&job) == TXL_CONTINUE);
    }
    l1_free(&job);
}

static void domain(unsigned ending, enum tx_dst_format dst, const char *text, bool is_file)
{
    static uint32_t words[SWEEP_INPUTS][64];
    uint32_t *const to[] = {words[0], words[1], words[2]};
    struct txl_error err = {.status = TXL_OK};
    struct sweep_domain d = {.count = 0};
    const char *name = is_file ? input.names[ending] : text;
    if (!is_file && strpbrk(text, "./") != NULL && strchr(text, ':') == NULL) {
        return; /* it would be a file's name */
    }
    const bool good = domain_parse(&err, name, dst, 1 + ending * 77u, 0, &d) == TXL_CONTINUE;
    said(&err, good);
    if (good) {
        require(d.count > 0 && d.operands > 0 && d.operands <= SWEEP_INPUTS);
        domain_fill(&d, 0, d.count < 64 ? (size_t)d.count : 64, to);
        domain_fill(&d, d.count - 1, 1, to);
        require(domain_bin(&d, d.count - 1) < SWEEP_BINS);
    }
    domain_free(&d);
}

static void list(void)
{
    struct txl_error err = {.status = TXL_OK};
    struct txl_record *r = calloc(1, sizeof *r);
    require(r != NULL);
    r->how.list = input.names[2];
    r->err = &err;
    said(&err, record_read_list(r) == TXL_OK);
    for (size_t i = 0; r->kernels != NULL && i < r->count; i++) {
        free(r->kernels[i].text);
    }
    free(r->kernels);
    free(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[TEXT];
    if (size < 2) {
        return 0;
    }
    const uint8_t first = data[0];
    const uint8_t second = data[1];
    data += 2;
    size -= 2;
    const uint8_t *zero = memchr(data, 0, size);
    const size_t all = zero != NULL ? (size_t)(zero - data) : size;
    const size_t length = all < TEXT - 1 ? all : TEXT - 1;
    memcpy(text, data, length);
    text[length] = '\0';
    if (first % 7 >= 3) {
        input_file_put(&input, zero != NULL ? zero + 1 : data, zero != NULL ? size - all - 1 : 0);
    }
    switch (first % 7) {
    case 0:
        settings(text);
        break;
    case 1:
        gaps(text);
        break;
    case 2:
        assign(second & 1u, text);
        break;
    case 3:
        l1_file(second & 1u, second >> 2 & 3u, (second & 2u) != 0, text);
        break;
    case 4:
        list();
        break;
    default:
        domain(second >> 1 & 3u,
               (enum tx_dst_format)(1 + (second >> 3) % (TX_DST_FORMAT_COUNT - 1)), text,
               (second & 1u) != 0);
        break;
    }
    return 0;
}
