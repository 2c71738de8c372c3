/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as the state file of a sweep. Bit 0 of the first byte: the rest is the file. Otherwise
 * it changes the part of a real sweep, five bytes and the new ones for each change: which array,
 * where, how many; it is refused, or good, of which one in 64 is added, and now and then reported.
 */
#include "sweep/sweep.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static const char text[] = ".arch blackhole\n.dst fp32\n.reference identity\n.tile\n"
                           "    sfpload L0, 0, 3, 3\n    sfpstore L0, 0, 3, 3\n";

enum { ARRAYS = 4, CHANGES = 16, MERGED = 64, REPORTED = 1 << 15 };

struct array {
    uint8_t *now, *real;
    size_t size;
};

static txl_sweep *sweep;
static struct tx_program *program;
static struct sweep_part part;
static struct array arrays[ARRAYS];
static uint8_t *file; /* the state file of the real sweep */
static size_t file_size;

static void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void *twice(struct array *a, const void *real, size_t size)
{
    *a = (struct array){malloc(size), malloc(size), size};
    require(a->now != NULL && a->real != NULL);
    memcpy(a->now, real, size);
    memcpy(a->real, real, size);
    return a->now;
}

static void forget(void)
{
    memset(sweep->done, 0, (size_t)sweep->chunks);
    sweep->findings.count = 0;
    sweep->date[0] = '\0';
}

/* Half of the domain, the other half of which is another part. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    char scratch[] = "/tmp/fuzz-state-XXXXXX";
    struct txl_error err = {.status = TXL_OK};
    const struct txl_kernel_options how = {.size = sizeof how};
    (void)argc;
    (void)argv;
    const int fd = mkstemp(scratch);
    require(fd >= 0 && unlink(scratch) == 0 && close(fd) == 0);
    require(txl_kernel_assemble(&err, "k.s", text, strlen(text), &how, &program) == TXL_OK);
    const struct txl_sweep_options o = {.size = sizeof o,
                                        .kernel = "k.s",
                                        .program = program,
                                        .domain = "fp32",
                                        .stride = 1 << 19,
                                        .jobs = 1,
                                        .shards = 2,
                                        .state = scratch};
    require(txl_sweep_open(&err, &o, &sweep) == TXL_OK && txl_sweep_run(&err, sweep) == TXL_OK);
    file = (uint8_t *)txl_read_file(&err, scratch, &file_size);
    require(file != NULL && unlink(scratch) == 0 && sweep->chunks == 2);
    /* One finding, as no sweep of this kernel has. */
    struct sweep_finding *one = &sweep->findings.list[sweep->findings.count++];
    *one = (struct sweep_finding){
        .finding = {.size = sizeof one->finding, .category = TX_HAZARD, .arch = TX_BLACKHOLE}};
    const size_t chunks = (size_t)sweep->chunks;
    part.done = twice(&arrays[0], sweep->done, chunks);
    part.stats = twice(&arrays[1], sweep->stats, sizeof *sweep->stats);
    part.findings = twice(&arrays[2], &sweep->findings, sizeof sweep->findings);
    part.blocks = twice(&arrays[3], sweep->blocks, SWEEP_BLOCKS * sizeof *sweep->blocks);
    return 0;
}

static uint32_t hash_of(const uint8_t *data, size_t size)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ data[i]) * 16777619u;
    }
    return hash >> 8;
}

static void report(void)
{
    struct txl_error err = {.status = TXL_OK};
    const struct txl_sweep_report how = {.size = sizeof how, .worst = SWEEP_WORST};
    char *entry = NULL;
    size_t key = 0;
    require(txl_sweep_finish(&err, sweep) == TXL_OK);
    txl_json *json = txl_sweep_json(&err, sweep, &how);
    char *line = txl_json_line(json);
    require(line != NULL && sweep_yaml_entry(&err, sweep, &entry, &key) == TXL_CONTINUE);
    require(strchr(entry, '\n') == NULL);
    require(txl_sweep_points(&err, sweep, "/dev/null") == TXL_OK);
    free(entry);
    free(line);
    txl_json_free(json);
    sweep->special_count = 0;
}

/* A file as it is; or that of the sweep, some of its bytes others. */
static void whole(const uint8_t *data, size_t size)
{
    struct txl_error err = {.status = TXL_OK};
    json_t *header = state_header_of(&err, "state", (const char *)data, size);
    require((header == NULL) == (err.status != TXL_OK));
    json_decref(header);
    err = (struct txl_error){.status = TXL_OK};
    const int result = state_take(&err, sweep, "state", (const char *)data, size);
    require((result == TXL_CONTINUE) == (err.status == TXL_OK));
    forget();
}

static void changed(const uint8_t *data, size_t size)
{
    struct {
        struct array *array;
        size_t at, length;
    } done[CHANGES];
    size_t count = 0;
    const uint32_t hash = hash_of(data, size);
    while (size > 5 && count < CHANGES) {
        struct array *a = &arrays[data[0] % ARRAYS];
        const size_t at = ((size_t)data[1] << 16 | data[2] << 8 | data[3]) % a->size;
        size_t length = 1 + data[4] % 16u;
        length = length > size - 5 ? size - 5 : length;
        length = length > a->size - at ? a->size - at : length;
        memcpy(a->now + at, data + 5, length);
        done[count].array = a;
        done[count].at = at;
        done[count++].length = length;
        data += 5 + length;
        size -= 5 + length;
    }
    struct txl_error err = {.status = TXL_OK};
    const bool good = state_good(sweep, &part);
    if (hash % MERGED == 0) {
        const int result = state_merge(&err, sweep, "state", &part);
        require((result == TXL_CONTINUE) == (err.status == TXL_OK) &&
                (good || result != TXL_CONTINUE));
        static uint32_t since = REPORTED; /* the first is not too soon */
        since++;
        if (result == TXL_CONTINUE && hash % (16 * MERGED) == 0 && since > REPORTED / MERGED) {
            report(); /* takes a thousand times as long as all else */
            since = 0;
            stats_clear(sweep->stats);
        }
        forget();
    }
    while (count-- > 0) {
        struct array *a = done[count].array;
        memcpy(a->now + done[count].at, a->real + done[count].at, done[count].length);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 1 && (data[0] & 1) != 0) {
        whole(data + 1, size - 1);
    } else if (size > 1) {
        changed(data + 1, size - 1);
    } else {
        static bool once; /* it is long */
        if (!once) {
            whole(file, file_size);
        }
        once = true;
        changed(data, 0);
    }
    return 0;
}
