/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state file of a sweep, which is always replaced as a whole. It has a header (JSON with the
 * options that define the sweep), a byte for each chunk that is done, and the figures as this build
 * has them in memory; files of another build or another sweep are refused. Parts of one sweep can
 * be combined.
 */
#include "base/json.h"
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
    uint32_t order, version; /* byte order mark; the sizes below depend on the build */
    uint64_t header, chunks, stats, findings, blocks;
    uint64_t key;
    uint64_t crc; /* of everything that follows */
};

enum { STATE_VERSION = 2, ORDER_MARK = 0x01020304 };

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
    return (size_t)(p->header + p->chunks + p->stats + p->findings + p->blocks);
}

static char *sweep_state_put(char *to, const void *data, size_t size)
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

/*
 * Hashes everything that a result depends on. The engine is not included, because all engines give
 * the same results.
 */
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
    for (unsigned i = 0; i < TOLERANCES; i++) {
        if (s->tolerances[i].is) {
            const double limits[] = {i, s->tolerances[i].atol, s->tolerances[i].rtol};
            hash = sweep_hash(hash, limits, sizeof limits);
        }
    }
    uint64_t parts[] = {domain_hash(&s->domain), s->reference.hash};
    return sweep_hash(hash, parts, sizeof parts);
}

char *sweep_header(struct txl_error *err, const struct txl_sweep *s)
{
    txl_json *header = txl_json_object();
    txl_json_set_text(header, "kernel", s->path);
    txl_json_set_text(header, "arch", tx_arch_name(tx_program_arch(s->kernel.program)));
    txl_json_set_text(header, "domain", s->domain.text);
    JSON_MEMBERS(header, &s->domain, stride, sample);
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
    char *to = sweep_state_put(text + sizeof p, header, strlen(header));
    to = sweep_state_put(to, s->done, (size_t)s->chunks);
    to = sweep_state_put(to, s->stats, sizeof *s->stats);
    to = sweep_state_put(to, &s->findings, sizeof s->findings);
    (void)sweep_state_put(to, s->blocks, SWEEP_BLOCKS * sizeof *s->blocks);
    p.crc = crc32_z(0, (const Bytef *)text + sizeof p, size - sizeof p);
    memcpy(text, &p, sizeof p);
    int result = txl_write_file(err, s->state_path, text, size);
    free(text);
    free(header);
    return result == TXL_OK ? TXL_CONTINUE : result;
}

static int damaged(struct txl_error *err, const char *path)
{
    const struct txl_where where = {.file = path};
    return txl_fail_at(err, &where, "the state of a sweep, damaged");
}

/* Checks the preface except for key and sizes. TXL_CONTINUE: *p describes the text. */
static int check_preface(struct txl_error *err, const char *path, const char *text, size_t length,
                         struct preface *p)
{
    const struct txl_where where = {.file = path};
    bool good = length >= sizeof *p;
    if (good) {
        memcpy(p, text, sizeof *p);
    }
    good = good && memcmp(p->magic, magic, sizeof magic) == 0;
    if (!good || p->order != ORDER_MARK || p->version != STATE_VERSION) {
        return txl_fail_at(err, &where,
                           good ? "the state of a sweep by another build"
                                : "not the state of a sweep");
    }
    bool whole = p->header < length && p->chunks <= SWEEP_CHUNKS && p->stats < length &&
                 p->findings < length && p->blocks < length && length == sizeof *p + body_size(p) &&
                 p->crc == crc32_z(0, (const Bytef *)text + sizeof *p, length - sizeof *p);
    return whole ? TXL_CONTINUE : damaged(err, path);
}

json_t *state_header_of(struct txl_error *err, const char *path, const char *text, size_t length)
{
    struct preface p;
    if (check_preface(err, path, text, length, &p) != TXL_CONTINUE) {
        return NULL;
    }
    json_t *header = json_loadb(text + sizeof p, (size_t)p.header, 0, NULL);
    if (!json_is_object(header)) {
        json_decref(header);
        header = NULL;
        (void)damaged(err, path);
    }
    return header;
}

json_t *state_header(struct txl_error *err, const char *path)
{
    size_t length = 0;
    char *text = txl_read_file(err, path, &length);
    json_t *header = text != NULL ? state_header_of(err, path, text, length) : NULL;
    free(text);
    return header;
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
    struct sweep_part part = {.done = malloc((size_t)p->chunks),
                              .stats = malloc(sizeof *part.stats),
                              .findings = malloc(sizeof *part.findings),
                              .blocks = calloc(SWEEP_BLOCKS, sizeof *part.blocks)};
    int result = TXL_CONTINUE;
    if (part.done == NULL || part.stats == NULL || part.findings == NULL || part.blocks == NULL) {
        result = no_memory(err);
    } else {
        const char *from = get(text + p->header, part.done, (size_t)p->chunks);
        from = get(from, part.stats, sizeof *part.stats);
        from = get(from, part.findings, sizeof *part.findings);
        (void)get(from, part.blocks, SWEEP_BLOCKS * sizeof *part.blocks);
        result = state_merge(err, s, path, &part);
    }
    free(part.done);
    free(part.stats);
    free(part.findings);
    free(part.blocks);
    return result;
}

int state_take(struct txl_error *err, struct txl_sweep *s, const char *path, const char *text,
               size_t length)
{
    struct preface p;
    json_t *header = state_header_of(err, path, text, length);
    int result = TXL_INPUT;
    if (header != NULL) {
        memcpy(&p, text, sizeof p);
        result = take_state(err, s, path, &p, text + sizeof p);
    }
    const char *date = json_string_value(json_object_get(header, "date"));
    if (result == TXL_CONTINUE && date != NULL && !state_date(date)) {
        result = damaged(err, path);
    } else if (result == TXL_CONTINUE && date != NULL &&
               (s->date[0] == '\0' || strcmp(date, s->date) < 0)) {
        snprintf(s->date, sizeof s->date, "%s", date); /* keep the date of the first part */
    }
    json_decref(header);
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
    size_t length = 0;
    char *text = txl_read_file(err, path, &length);
    const int result = text != NULL ? state_take(err, s, path, text, length) : TXL_INPUT;
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
