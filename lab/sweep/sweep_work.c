/* SPDX-License-Identifier: Apache-2.0 */
/* Runs chunks of a sweep on several threads, each with its own engine and reference. */
#include "sweep/sweep.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/pool.h"

enum { SAVE_SECONDS = 1 };

struct worker {
    struct txl_sweep *sweep;
    struct pool *pool; /* set while it runs */
    void *engine;
    struct sweep_oracle *oracle;
    struct sweep_stats *stats; /* of the current chunk */
    struct sweep_findings findings;
    struct sweep_block blocks[SWEEP_CHUNK_BLOCKS];
    struct sweep_edge edges[2];
    uint32_t *words[SWEEP_INPUTS], *held[SWEEP_INPUTS], *expected, *got;
    uint8_t *below;
    double *value;
    struct sweep_times times;
};

static uint64_t power_above(uint64_t value)
{
    uint64_t power = 1;
    while (power < value) {
        power *= 2;
    }
    return power;
}

int sweep_allocate(struct txl_error *err, struct txl_sweep *s)
{
    uint64_t count = s->domain.count;
    s->kernel.tiles = count / TX_TILE_ELEMENTS / (s->shards != 0 ? s->shards : 1);
    s->chunk = power_above((count + SWEEP_CHUNKS - 1) / SWEEP_CHUNKS);
    if (s->chunk < TX_TILE_ELEMENTS) {
        s->chunk = TX_TILE_ELEMENTS;
    }
    s->chunks = (count + s->chunk - 1) / s->chunk;
    s->block = power_above((count + SWEEP_BLOCKS - 1) / SWEEP_BLOCKS);
    /* A block lies within one chunk; a chunk has SWEEP_CHUNK_BLOCKS of one input, or fewer. */
    s->done = calloc((size_t)s->chunks, 1);
    s->stats = calloc(1, sizeof *s->stats);
    s->blocks = calloc(SWEEP_BLOCKS, sizeof *s->blocks);
    s->edges = calloc((size_t)s->chunks * 2, sizeof *s->edges);
    if (s->done == NULL || s->stats == NULL || s->blocks == NULL || s->edges == NULL) {
        return txl_fail(err, "out of memory");
    }
    stats_clear(s->stats);
    return TXL_CONTINUE;
}

uint64_t sweep_chunk_end(const struct txl_sweep *s, uint64_t chunk)
{
    uint64_t end = (chunk + 1) * s->chunk;
    return end < s->domain.count ? end : s->domain.count;
}

uint64_t sweep_inputs(const struct txl_sweep *s)
{
    uint64_t inputs = 0;
    for (uint64_t i = 0; i < s->chunks; i++) {
        inputs += s->done[i] != 0 ? sweep_chunk_end(s, i) - i * s->chunk : 0;
    }
    return inputs;
}

bool sweep_whole(const struct txl_sweep *s)
{
    return sweep_inputs(s) == s->domain.count;
}

const char *sweep_covered_text(const struct txl_sweep *s, char *text, size_t size)
{
    char domain[256];
    uint64_t done = sweep_inputs(s);
    domain_count_text(&s->domain, domain, sizeof domain);
    if (done == s->domain.count) {
        snprintf(text, size, "%s", domain);
    } else {
        snprintf(text, size, "only %llu (%.2f%%) of %s", (unsigned long long)done,
                 100.0 * (double)done / (double)s->domain.count, domain);
    }
    return text;
}

/* ---- one chunk ---- */

/* Stops the work. The failure of the lowest chunk is the one that is reported. */
/* Without a message, the reference gave no answer when the sweep was to stop. */
static void fail(struct worker *w, uint64_t chunk, const char *message)
{
    struct txl_sweep *s = w->sweep;
    const bool hung = message[0] == '\0' && !pool_add(w->pool, 0);
    pthread_mutex_lock(&s->mutex);
    if (hung) {
        s->hung = true;
    } else if (!s->failed || chunk < s->failed_chunk) {
        s->failed = true;
        s->failed_chunk = chunk;
        snprintf(s->message, sizeof s->message, "%s", message);
    }
    pthread_mutex_unlock(&s->mutex);
    if (hung) {
        return;
    }
    pool_refuse(w->pool, memory_status(message, TXL_NEGATIVE), "%s", message);
}

/* Returns the seconds of this thread since *from, and sets *from to now. */
static double taken(const struct txl_sweep *s, struct timespec *from)
{
    struct timespec now = {0};
    if (!s->options.timed) {
        return 0;
    }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    const double seconds =
        (double)(now.tv_sec - from->tv_sec) + 1e-9 * (double)(now.tv_nsec - from->tv_nsec);
    *from = now;
    return seconds;
}

/*
 * Runs a batch of inputs from index on through engine and reference. The last tile is padded with
 * the last input.
 */
static bool batch(struct worker *w, struct sweep_judge *judge, uint64_t index, size_t count,
                  char message[SWEEP_MESSAGE])
{
    struct txl_sweep *s = w->sweep;
    unsigned operands = s->domain.operands;
    size_t whole = (count + TX_TILE_ELEMENTS - 1) / TX_TILE_ELEMENTS * TX_TILE_ELEMENTS;
    domain_fill(&s->domain, index, count, w->words);
    for (unsigned k = 0; k < operands; k++) {
        const uint32_t *in = w->words[k];
        for (size_t i = count; i < whole; i++) {
            w->words[k][i] = in[count - 1];
        }
        if (s->dst == TX_DST_FORMAT_FP32) {
            memcpy(w->held[k], in, count * sizeof *in);
            continue;
        }
        for (size_t i = 0; i < count; i++) {
            w->held[k][i] = tx_dst_encode(s->dst, in[i], &(bool){false});
        }
    }
    struct timespec time = {0};
    (void)taken(s, &time);
    if (!s->engine->run(w->engine, index / TX_TILE_ELEMENTS, (unsigned)(whole / TX_TILE_ELEMENTS),
                        (const uint32_t *const *)w->words, w->got, message)) {
        return false;
    }
    w->times.kernel += taken(s, &time);
    if (!sweep_oracle_words(w->oracle, (const uint32_t *const *)w->held, count, w->expected,
                            w->below, w->value, message)) {
        return false;
    }
    w->times.reference += taken(s, &time);
    for (size_t i = 0; i < count && s->without_flushed && !judge->format->integer; i++) {
        w->got[i] = w->below[i] != 0 ? w->expected[i] : w->got[i];
    }
    sweep_judge_words(judge, w->stats, index, count, (const uint32_t *const *)w->held, w->expected,
                      w->below, w->value, w->got);
    w->times.judging += taken(s, &time);
    return true;
}

static void keep_edge(struct worker *w, unsigned place, size_t i)
{
    w->edges[place] =
        (struct sweep_edge){.x = w->held[0][i], .expected = w->expected[i], .got = w->got[i]};
}

/* Runs a chunk. Returns false where it was stopped or failed. */
static bool one_chunk(struct worker *w, uint64_t chunk, double far, double worst)
{
    struct txl_sweep *s = w->sweep;
    char message[SWEEP_MESSAGE] = "";
    struct sweep_judge judge = {
        .domain = &s->domain,
        .oracle = w->oracle,
        .format = number_format(s->out),
        .input = number_format(s->dst),
        .block = s->block,
        .blocks = w->blocks,
        .first_block = chunk * s->chunk / s->block,
        .direction = {sweep_direction(&s->reference, false), sweep_direction(&s->reference, true)},
        .far = far,
        .worst = worst,
        .ordered = domain_ordered(&s->domain)};
    uint64_t end = sweep_chunk_end(s, chunk);
    stats_clear(w->stats);
    memset(&w->findings, 0, sizeof w->findings);
    for (uint64_t index = chunk * s->chunk; index < end;) {
        size_t count =
            end - index < SWEEP_BATCH_ELEMENTS ? (size_t)(end - index) : SWEEP_BATCH_ELEMENTS;
        if (!batch(w, &judge, index, count, message)) {
            fail(w, chunk, message);
            return false;
        }
        if (index == chunk * s->chunk) {
            keep_edge(w, 0, 0);
        }
        index += count;
        if (!pool_add(w->pool, count) && index < end) {
            return false;
        }
        if (index == end) {
            keep_edge(w, 1, count - 1);
        }
    }
    s->engine->findings(w->engine, chunk * s->chunk / TX_TILE_ELEMENTS, &w->findings);
    return true;
}

static void keep_chunk(struct txl_sweep *s, const struct worker *w, uint64_t chunk)
{
    uint64_t first = chunk * s->chunk / s->block;
    uint64_t end = (sweep_chunk_end(s, chunk) + s->block - 1) / s->block;
    memcpy(&s->blocks[first], w->blocks, (size_t)(end - first) * sizeof *w->blocks);
    memcpy(&s->edges[2 * chunk], w->edges, sizeof w->edges);
}

static bool goes_on(void *user)
{
    const struct worker *w = user;
    return pool_add(w->pool, 0);
}

static void work(struct pool *pool, void *user, unsigned index)
{
    struct txl_sweep *s = user;
    struct worker *w = &s->workers[index];
    uint64_t place = 0;
    w->pool = pool;
    const struct sweep_patience patience = {.go_on = goes_on, .user = w};
    sweep_oracle_watch(w->oracle, &patience);
    while (pool_take(pool, &place)) {
        const uint64_t chunk = s->todo[place];
        pthread_mutex_lock(&s->mutex);
        const double far = s->stats->far.ulp; /* 0 while there is none */
        const double worst = s->stats->worst[SWEEP_WORST - 1].ulp;
        pthread_mutex_unlock(&s->mutex);
        if (!one_chunk(w, chunk, far, worst)) {
            break;
        }
        pthread_mutex_lock(&s->mutex);
        stats_merge(s->stats, w->stats);
        sweep_findings_merge(&s->findings, &w->findings);
        keep_chunk(s, w, chunk);
        s->done[chunk] = 1;
        pthread_mutex_unlock(&s->mutex);
    }
    sweep_oracle_close(w->oracle); /* its MPFR caches belong to this thread */
    w->oracle = NULL;
    pthread_mutex_lock(&s->mutex);
    s->times.kernel += w->times.kernel;
    s->times.reference += w->times.reference;
    s->times.judging += w->times.judging;
    pthread_mutex_unlock(&s->mutex);
}

/* ---- threads ---- */

static void close_worker(struct worker *w)
{
    if (w->engine != NULL) {
        w->sweep->engine->close(w->engine);
    }
    sweep_oracle_close(w->oracle);
    for (unsigned k = 0; k < SWEEP_INPUTS; k++) {
        free(w->words[k]);
        free(w->held[k]);
    }
    free(w->expected);
    free(w->got);
    free(w->below);
    free(w->value);
    free(w->stats);
}

static int open_worker(struct txl_error *err, struct txl_sweep *s, struct worker *w)
{
    char message[SWEEP_MESSAGE] = "";
    w->sweep = s;
    bool room = true;
    for (unsigned k = 0; k < SWEEP_INPUTS; k++) {
        w->words[k] = calloc(SWEEP_BATCH_ELEMENTS, sizeof **w->words);
        w->held[k] = calloc(SWEEP_BATCH_ELEMENTS, sizeof **w->held);
        room = room && w->words[k] != NULL && w->held[k] != NULL;
    }
    w->expected = calloc(SWEEP_BATCH_ELEMENTS, sizeof *w->expected);
    w->got = calloc(SWEEP_BATCH_ELEMENTS, sizeof *w->got);
    w->below = calloc(SWEEP_BATCH_ELEMENTS, sizeof *w->below);
    w->value = calloc(SWEEP_BATCH_ELEMENTS, sizeof *w->value);
    w->stats = calloc(1, sizeof *w->stats);
    if (!room || w->expected == NULL || w->got == NULL || w->below == NULL || w->value == NULL ||
        w->stats == NULL) {
        return txl_fail(err, "out of memory");
    }
    w->engine = s->engine->open(&s->kernel, message);
    if (w->engine == NULL) {
        return txl_refuse(err, TXL_INPUT, "%s: %s", s->path, message);
    }
    return sweep_oracle_open(err, &s->reference, s->dst, s->out, &w->oracle);
}

/* Saves the state at intervals. */
static bool save_sometimes(void *user)
{
    struct txl_sweep *s = user;
    if (s->state_path == NULL || clock_seconds() - s->saved < SAVE_SECONDS) {
        return true;
    }
    pthread_mutex_lock(&s->mutex);
    const int result = state_save(s->err, s);
    pthread_mutex_unlock(&s->mutex);
    s->saved = clock_seconds();
    s->unsaved = result != TXL_CONTINUE;
    return !s->unsaved;
}

/* Lists the remaining chunks of this part, in order; returns how many inputs they have. */
static uint64_t list_chunks(struct txl_sweep *s, uint64_t *todo, uint64_t *count)
{
    uint64_t left = 0;
    *count = 0;
    for (uint64_t i = s->shard; i < s->chunks; i += s->shards) {
        if (s->done[i] == 0) {
            todo[(*count)++] = i;
            left += sweep_chunk_end(s, i) - i * s->chunk;
        }
    }
    return left;
}

static int run_workers(struct txl_error *err, struct txl_sweep *s, uint64_t chunks, uint64_t left)
{
    int result = TXL_CONTINUE;
    for (unsigned i = 0; i < s->threads && result == TXL_CONTINUE; i++) {
        result = open_worker(err, s, &s->workers[i]);
    }
    if (result != TXL_CONTINUE) {
        return result;
    }
    struct txl_error said = {.status = TXL_OK};
    const struct pool_how how = {.threads = s->threads,
                                 .pieces = chunks,
                                 .total = left,
                                 .work = work,
                                 .user = s,
                                 .progress = s->options.progress,
                                 .progress_user = s->options.user,
                                 .tick = save_sometimes};
    s->err = err;
    s->saved = clock_seconds();
    s->unsaved = false;
    result = pool_run(&said, &how);
    if (s->unsaved) {
        return TXL_INPUT;
    }
    return s->failed ? TXL_CONTINUE : result; /* the failure is reported after saving the state */
}

int sweep_work(struct txl_error *err, struct txl_sweep *s)
{
    const double start = clock_seconds();
    uint64_t chunks = 0;
    s->failed = false;
    s->cancelled = s->hung = false;
    s->todo = zeroed(err, (size_t)s->chunks, sizeof *s->todo);
    if (s->todo == NULL) {
        return TXL_INPUT;
    }
    const uint64_t left = list_chunks(s, s->todo, &chunks);
    s->threads = chunks < s->jobs ? (unsigned)chunks : s->jobs;
    s->workers = zeroed(err, s->threads, sizeof *s->workers);
    int result = s->workers == NULL ? TXL_INPUT : TXL_CONTINUE;
    if (result == TXL_CONTINUE && left > 0) {
        result = run_workers(err, s, chunks, left);
    }
    for (unsigned i = 0; s->workers != NULL && i < s->threads; i++) {
        close_worker(&s->workers[i]);
    }
    const bool unfinished = list_chunks(s, s->todo, &chunks) > 0;
    free(s->workers);
    free(s->todo);
    s->workers = NULL;
    s->todo = NULL;
    s->cancelled = result == TXL_CANCELLED && unfinished;
    result = result == TXL_CANCELLED ? TXL_CONTINUE : result;
    if (result == TXL_CONTINUE && s->state_path != NULL) {
        result = state_save(err, s); /* finished work is kept, even if a reference failed */
    }
    s->seconds = clock_seconds() - start;
    if (result != TXL_CONTINUE) {
        return result;
    }
    return s->failed ? txl_refuse(err, memory_status(s->message, TXL_NEGATIVE), "%s", s->message)
           : s->cancelled ? txl_refuse(err, TXL_CANCELLED, "cancelled")
                          : TXL_CONTINUE;
}

void sweep_join(struct txl_sweep *s)
{
    struct sweep_judge judge = {
        .format = number_format(s->out),
        .input = number_format(s->dst),
        .direction = {sweep_direction(&s->reference, false), sweep_direction(&s->reference, true)}};
    for (uint64_t i = 1; i < s->chunks && domain_ordered(&s->domain); i++) {
        const struct sweep_edge *a = &s->edges[2 * i - 1];
        const struct sweep_edge *b = &s->edges[2 * i];
        if (s->done[i - 1] == 0 || s->done[i] == 0 || !sweep_breaks(&judge, a, b)) {
            continue;
        }
        s->stats->breaks++;
        if (i * s->chunk < s->stats->first_break.index) {
            s->stats->first_break = (struct ulp_case){
                .index = i * s->chunk, .inputs = {b->x}, .expected = b->expected, .got = b->got};
        }
    }
}

/* ---- special values ---- */

/* Lists special integers that the format can hold: small ones, those around a byte, the largest. */
static unsigned special_integers(const struct number_format *format, uint32_t *words)
{
    const double most = format->most;
    const double integers[SWEEP_SPECIALS] = {0,    1,    -1,    2,           -2,      127,
                                             -127, 128,  -128,  255,         -255,    256,
                                             -256, most, -most, format->low, most - 1};
    unsigned kept = 0;
    for (unsigned i = 0; i < SWEEP_SPECIALS; i++) {
        if (integers[i] <= most && integers[i] >= format->low) {
            words[kept++] = (uint32_t)(int64_t)integers[i];
        }
    }
    return kept;
}

/*
 * Lists special patterns that the format can hold: zeros, denormals, smallest, ones, largest,
 * infinities, NaNs.
 */
static unsigned special_words(enum tx_dst_format dst, uint32_t *words)
{
    static const uint32_t fp32[SWEEP_SPECIALS] = {
        0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff,
        0x00800000, 0x80800000, 0x3f800000, 0xbf800000, 0x7f7fffff, 0xff7fffff,
        0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001};
    static const uint32_t bf16[SWEEP_SPECIALS] = {
        0x00000000, 0x80000000, 0x00010000, 0x80010000, 0x007f0000, 0x807f0000,
        0x00800000, 0x80800000, 0x3f800000, 0xbf800000, 0x7f7f0000, 0xff7f0000,
        0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f810000};
    /* 2^-24, 2^-14 - 2^-24, 2^-14, 1, 131008 */
    static const uint32_t fp16[] = {0x00000000, 0x80000000, 0x33800000, 0xb3800000,
                                    0x387fc000, 0xb87fc000, 0x38800000, 0xb8800000,
                                    0x3f800000, 0xbf800000, 0x47ffe000, 0xc7ffe000};
    if (number_format(dst)->integer) {
        return special_integers(number_format(dst), words);
    }
    const uint32_t *from = dst == TX_DST_FORMAT_FP16   ? fp16
                           : dst == TX_DST_FORMAT_BF16 ? bf16
                                                       : fp32;
    unsigned count = dst == TX_DST_FORMAT_FP16 ? sizeof fp16 / sizeof fp16[0] : SWEEP_SPECIALS;
    memcpy(words, from, count * sizeof *words);
    return count;
}

int sweep_specials(struct txl_error *err, struct txl_sweep *s)
{
    uint32_t words[SWEEP_SPECIALS];
    unsigned count = special_words(s->dst, words);
    if (s->domain.operands > 2) {
        return TXL_CONTINUE;
    }
    struct worker w = {0};
    char message[SWEEP_MESSAGE] = "";
    int result = open_worker(err, s, &w);
    s->special_count = s->domain.operands == 1 ? count : count * count;
    for (unsigned i = 0; i < TX_TILE_ELEMENTS && result == TXL_CONTINUE; i++) {
        unsigned place = i % s->special_count;
        w.words[0][i] = words[s->domain.operands == 1 ? place : place / count];
        w.words[1][i] = words[place % count];
    }
    const uint32_t *const inputs[] = {w.words[0], w.words[1], w.words[2]};
    if (result == TXL_CONTINUE && (!s->engine->run(w.engine, 0, 1, inputs, w.got, message) ||
                                   !sweep_oracle_words(w.oracle, inputs, s->special_count,
                                                       w.expected, w.below, w.value, message))) {
        result = txl_refuse(err, memory_status(message, TXL_NEGATIVE), "%s", message);
    }
    for (unsigned i = 0; i < s->special_count && result == TXL_CONTINUE; i++) {
        struct sweep_special *one = &s->special[i];
        *one = (struct sweep_special){
            .x = {w.words[0][i], w.words[1][i]}, .expected = w.expected[i], .got = w.got[i]};
        one->verdict =
            sweep_verdict_of(number_format(s->out), w.expected[i], w.below[i] != 0, w.got[i]);
    }
    close_worker(&w);
    return result;
}
