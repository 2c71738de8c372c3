/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a sweep has done so far, in a file that is replaced as a whole. It holds the header (JSON:
 * the options that make the sweep), a byte for each chunk that is done, and the figures as this
 * build has them in memory; another build or another sweep is refused. Parts of one sweep can be
 * added up.
 */
#include "sweep/sweep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static const char magic[8] = "TXSWEEP";

struct preface {
    char magic[8];
    uint32_t order, version; /* byte order mark; sizes below belong to the build */
    uint64_t header, chunks, stats, findings, blocks;
    uint64_t key;
    uint64_t crc; /* of all that follows */
};

enum { STATE_VERSION = 1, ORDER_MARK = 0x01020304 };

static struct preface preface_of(const struct txl_sweep *s, size_t header)
{
    struct preface p;
    memset(&p, 0, sizeof p);
    memcpy(p.magic, magic, sizeof magic);
    p.order = ORDER_MARK;
    p.version = STATE_VERSION;
    p.header = header;
    p.chunks = s->chunks;
    p.stats = sizeof *s->stats;
    p.findings = sizeof s->findings;
    p.blocks = SWEEP_BLOCKS * sizeof *s->blocks;
    p.key = s->key;
    return p;
}

static size_t body_size(const struct preface *p)
{
    return (size_t)(p->header + p->chunks * (1 + 2 * sizeof(struct sweep_edge)) + p->stats +
                    p->findings + p->blocks);
}

static char *put(char *to, const void *data, size_t size)
{
    memcpy(to, data, size);
    return to + size;
}

static const char *get(const char *from, void *data, size_t size)
{
    memcpy(data, from, size);
    return from + size;
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
    return sweep_hash(hash, text, strlen(text) + 1);
}

/* All that a result depends on. Engines do not count: they agree. */
uint64_t sweep_key(const struct txl_sweep *s)
{
    const struct tx_program *p = s->kernel.program;
    uint32_t numbers[] = {tx_program_arch(p),
                          tx_program_inputs(p),
                          tx_program_output(p),
                          tx_program_fpu_first(p),
                          tx_program_fpu_rows(p),
                          s->dst,
                          s->out,
                          s->kernel.options.seed,
                          tx_program_config_count(p)};
    uint64_t hash = hash_text(SWEEP_HASH, tx_version());
    hash = sweep_hash(hash, numbers, sizeof numbers);
    for (unsigned i = 0; i < TX_SECTIONS; i++) {
        const size_t count = tx_program_count(p, i);
        hash = sweep_hash(hash, &count, sizeof count);
        hash = sweep_hash(hash, tx_program_words(p, i), count * sizeof(uint32_t));
    }
    for (unsigned i = 0; i < tx_program_config_count(p); i++) {
        const uint32_t value = tx_program_config_value(p, i);
        hash = hash_text(hash, tx_program_config_name(p, i));
        hash = sweep_hash(hash, &value, sizeof value);
    }
    hash = sweep_hash(hash, s->kernel.settings.rules, sizeof s->kernel.settings.rules);
    uint64_t parts[] = {domain_hash(&s->domain), s->reference.hash};
    return sweep_hash(hash, parts, sizeof parts);
}

char *sweep_header(struct txl_error *err, const struct txl_sweep *s)
{
    txl_json *header = txl_json_object();
    txl_json_set_text(header, "kernel", s->path);
    txl_json_set_text(header, "arch", tx_arch_name(tx_program_arch(s->kernel.program)));
    txl_json_set_text(header, "domain", s->domain.text);
    txl_json_set_int(header, "stride", s->domain.stride);
    txl_json_set_int(header, "sample", s->domain.sample);
    txl_json_set_text(header, "dst", tx_dst_format_name(s->dst));
    txl_json_set_text(header, "start", txl_start_name(s->kernel.program));
    txl_json_set_text(header, "out_dst", tx_dst_format_name(s->out));
    txl_json_set_int(header, "seed", s->options.seed);
    txl_json_set_text(header, "reference", s->reference.name);
    txl_json *rules = txl_json_array();
    for (unsigned i = 0; i < s->options.rule_count; i++) {
        txl_json_append(rules, txl_json_string(s->options.rules[i]));
    }
    txl_json_set(header, "rules", rules);
    txl_json_set_text(header, "date", s->date);
    char *text = txl_json_line(header);
    txl_json_free(header);
    if (text == NULL) {
        no_memory(err);
    }
    return text;
}

int state_save(struct txl_error *err, struct txl_sweep *s)
{
    char *header = sweep_header(err, s);
    if (header == NULL) {
        return TXL_INPUT;
    }
    struct preface p = preface_of(s, strlen(header));
    size_t size = sizeof p + body_size(&p);
    char *text = malloc(size);
    if (text == NULL) {
        free(header);
        return no_memory(err);
    }
    char *to = put(text + sizeof p, header, strlen(header));
    to = put(to, s->done, (size_t)s->chunks);
    to = put(to, s->edges, (size_t)s->chunks * 2 * sizeof *s->edges);
    to = put(to, s->stats, sizeof *s->stats);
    to = put(to, &s->findings, sizeof s->findings);
    (void)put(to, s->blocks, SWEEP_BLOCKS * sizeof *s->blocks);
    p.crc = crc32_z(0, (const Bytef *)text + sizeof p, size - sizeof p);
    memcpy(text, &p, sizeof p);
    int result = txl_write_file(err, s->state_path, text, size);
    free(text);
    free(header);
    return result == TXL_OK ? TXL_CONTINUE : result;
}

/* Checked but for key and sizes; NULL: err says why. */
static char *read_state(struct txl_error *err, const char *path, struct preface *p)
{
    struct txl_where where = {.file = path};
    size_t length = 0;
    char *text = txl_read_file(err, path, &length);
    if (text == NULL) {
        return NULL;
    }
    bool good = length >= sizeof *p;
    if (good) {
        memcpy(p, text, sizeof *p);
    }
    good = good && memcmp(p->magic, magic, sizeof magic) == 0;
    if (!good || p->order != ORDER_MARK || p->version != STATE_VERSION) {
        (void)txl_fail_at(err, &where,
                          good ? "the state of a sweep by another build"
                               : "not the state of a sweep");
        free(text);
        return NULL;
    }
    bool whole = p->header < length && p->chunks <= SWEEP_CHUNKS && p->stats < length &&
                 p->findings < length && p->blocks < length && length == sizeof *p + body_size(p) &&
                 p->crc == crc32_z(0, (const Bytef *)text + sizeof *p, length - sizeof *p);
    if (!whole) {
        (void)txl_fail_at(err, &where, "the state of a sweep, damaged");
        free(text);
        return NULL;
    }
    return text;
}

json_t *state_header(struct txl_error *err, const char *path)
{
    struct preface p;
    char *text = read_state(err, path, &p);
    if (text == NULL) {
        return NULL;
    }
    json_t *header = json_loadb(text + sizeof p, (size_t)p.header, 0, NULL);
    free(text);
    if (header == NULL) {
        struct txl_where where = {.file = path};
        (void)txl_fail_at(err, &where, "the state of a sweep, damaged");
    }
    return header;
}

static void merge_blocks(struct txl_sweep *s, const uint8_t *done, const struct sweep_block *blocks,
                         const struct sweep_edge *edges)
{
    uint64_t each = s->chunk / s->block; /* lines of the CSV in a chunk */
    for (uint64_t i = 0; i < s->chunks; i++) {
        if (done[i] == 0) {
            continue;
        }
        s->done[i] = 1;
        memcpy(&s->edges[2 * i], &edges[2 * i], 2 * sizeof *edges);
        uint64_t first = i * each;
        uint64_t end = first + each < SWEEP_BLOCKS ? first + each : SWEEP_BLOCKS;
        memcpy(&s->blocks[first], &blocks[first], (size_t)(end - first) * sizeof *blocks);
    }
}

static int take_state(struct txl_error *err, struct txl_sweep *s, const char *path,
                      const struct preface *p, const char *text)
{
    struct txl_where where = {.file = path};
    struct preface mine = preface_of(s, (size_t)p->header);
    if (p->key != s->key || p->chunks != mine.chunks) {
        return txl_fail_at(err, &where,
                           "the state of another sweep (kernel, domain, reference or options)");
    }
    if (p->stats != mine.stats || p->findings != mine.findings || p->blocks != mine.blocks) {
        return txl_fail_at(err, &where, "the state of a sweep by another build");
    }
    uint8_t *done = malloc((size_t)p->chunks);
    struct sweep_edge *edges = calloc((size_t)p->chunks * 2, sizeof *edges);
    struct sweep_stats *stats = malloc(sizeof *stats);
    struct sweep_findings *findings = malloc(sizeof *findings);
    struct sweep_block *blocks = calloc(SWEEP_BLOCKS, sizeof *blocks);
    int result = TXL_CONTINUE;
    if (done == NULL || edges == NULL || stats == NULL || findings == NULL || blocks == NULL) {
        result = no_memory(err);
    } else {
        const char *from = get(text + p->header, done, (size_t)p->chunks);
        from = get(from, edges, (size_t)p->chunks * 2 * sizeof *edges);
        from = get(from, stats, sizeof *stats);
        from = get(from, findings, sizeof *findings);
        (void)get(from, blocks, SWEEP_BLOCKS * sizeof *blocks);
        for (uint64_t i = 0; i < s->chunks && result == TXL_CONTINUE; i++) {
            if (done[i] != 0 && s->done[i] != 0) {
                result = txl_fail_at(err, &where, "this part is there twice");
            }
        }
    }
    if (result == TXL_CONTINUE) {
        stats_merge(s->stats, stats);
        sweep_findings_merge(&s->findings, findings);
        merge_blocks(s, done, blocks, edges);
    }
    free(done);
    free(edges);
    free(stats);
    free(findings);
    free(blocks);
    return result;
}

int state_load(struct txl_error *err, struct txl_sweep *s, const char *path, bool must_exist)
{
    if (!must_exist && access(path, F_OK) != 0 && errno == ENOENT) {
        return TXL_CONTINUE;
    }
    struct stat about;
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode)) {
        struct txl_where where = {.file = path};
        return txl_fail_at(err, &where, "not a regular file, which the state of a sweep is");
    }
    struct preface p;
    char *text = read_state(err, path, &p);
    if (text == NULL) {
        return TXL_INPUT;
    }
    int result = take_state(err, s, path, &p, text + sizeof p);
    json_t *header = json_loadb(text + sizeof p, (size_t)p.header, 0, NULL);
    const char *date = json_string_value(json_object_get(header, "date"));
    if (date != NULL && (s->date[0] == '\0' || strcmp(date, s->date) < 0)) {
        snprintf(s->date, sizeof s->date, "%.10s", date); /* that of the first part */
    }
    json_decref(header);
    free(text);
    return result;
}

bool state_whole(const struct txl_sweep *s, const char *path, unsigned shard, unsigned shards)
{
    FILE *file = fopen(path, "rb");
    struct preface p;
    bool whole = file != NULL && fread(&p, sizeof p, 1, file) == 1 &&
                 memcmp(p.magic, magic, sizeof magic) == 0 && p.key == s->key &&
                 p.chunks == s->chunks && fseek(file, (long)p.header, SEEK_CUR) == 0;
    for (uint64_t i = 0; i < s->chunks && whole; i++) {
        int done = fgetc(file);
        whole = done != EOF && (done != 0 || i % shards != shard);
    }
    if (file != NULL) {
        fclose(file);
    }
    return whole;
}
