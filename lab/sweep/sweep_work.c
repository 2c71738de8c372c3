/* SPDX-License-Identifier: Apache-2.0 */
/* Runs chunks of a sweep on several threads, each with its own engine and reference. */
#include "sweep/sweep.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/pool.h"

enum { SAVE_SECONDS = 1 };

struct worker {
    struct txl_sweep *sweep;
    struct pool *pool; /* set while it runs */
    void *engine;
    bool elementwise; /* inputs need no order */
    struct sweep_oracle *oracle;
    struct sweep_stats *stats; /* of the current chunk */
    struct sweep_findings findings;
    struct sweep_judge *judge;
    struct order_unit *unit;
    struct sweep_block *blocks; /* of the current chunk */
    double *block_ulp;
    uint32_t *tiles[SWEEP_INPUTS],
        *out; /* as the kernel has them, words and got in the unit's order */
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
    const int result = order_open(err, &s->domain, domain_ordered(&s->domain), &s->order);
    if (result != TXL_CONTINUE) {
        return result;
    }
    s->chunks = s->order.chunks;
    s->block = power_above((count + SWEEP_BLOCKS - 1) / SWEEP_BLOCKS);
    s->done = calloc((size_t)s->chunks, 1);
    s->stats = calloc(1, sizeof *s->stats);
    s->blocks = malloc(SWEEP_BLOCKS * sizeof *s->blocks);
    if (s->done == NULL || s->stats == NULL || s->blocks == NULL) {
        return txl_fail(err, "out of memory");
    }
    memset(s->blocks, 0xFF, SWEEP_BLOCKS * sizeof *s->blocks);
    stats_clear(s->stats);
    return TXL_CONTINUE;
}

uint64_t sweep_inputs(const struct txl_sweep *s)
{
    uint64_t inputs = 0;
    for (uint64_t i = 0; i < s->chunks; i++) {
        inputs += s->done[i] != 0 ? s->order.inputs[i] : 0;
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

/*
 * Stops the work. The failure of the lowest chunk is the one that is reported. TXL_CANCELLED: the
 * reference gave no answer when the sweep was to stop.
 */
static void fail(struct worker *w, uint64_t chunk, int result, const struct txl_error *why)
{
    struct txl_sweep *s = w->sweep;
    const bool hung = result == TXL_CANCELLED;
    pthread_mutex_lock(&s->mutex);
    if (hung) {
        s->hung = true;
    } else if (s->failure.status == TXL_OK || chunk < s->failed_chunk) {
        s->failed_chunk = chunk;
        s->failure = *why;
    }
    pthread_mutex_unlock(&s->mutex);
    if (!hung) {
        pool_refuse(w->pool, result, "%s", why->message);
    }
}

/* Returns the seconds of this thread since *from, and sets *from to now. */
static double taken(const struct txl_sweep *s, double *from)
{
    const double now = s->options.timed ? thread_seconds() : 0;
    const double seconds = now - *from;
    *from = now;
    return seconds;
}

/* Runs a unit through engine and reference, from that tile on; its results are in the worker. */
static int run_unit(struct worker *w, uint64_t tile, struct txl_error *err)
{
    struct txl_sweep *s = w->sweep;
    const size_t count = w->unit->count;
    const unsigned tiles = (unsigned)order_tiles(w->unit);
    order_fill(&s->domain, w->unit, w->words);
    if (!w->elementwise) {
        order_settle(&s->order, w->unit);
    }
    for (unsigned k = 0; k < s->domain.operands; k++) {
        const uint32_t *in = w->words[k];
        order_lay(w->unit, w->elementwise, in, w->tiles[k]);
        if (s->dst == TX_DST_FORMAT_FP32) {
            memcpy(w->held[k], in, count * sizeof *in);
            continue;
        }
        for (size_t i = 0; i < count; i++) {
            w->held[k][i] = tx_dst_encode(s->dst, in[i], &(bool){false});
        }
    }
    double time = 0;
    (void)taken(s, &time);
    int result = s->engine->run(w->engine, tile, tiles, (const uint32_t *const *)w->tiles,
                                w->elementwise ? w->got : w->out, err);
    if (result != TXL_CONTINUE) {
        return result;
    }
    if (!w->elementwise) {
        order_gather(w->unit, w->out, w->got);
    }
    w->times.kernel += taken(s, &time);
    result = sweep_oracle_words(w->oracle, (const uint32_t *const *)w->held, count, w->expected,
                                w->below, w->value, err);
    w->times.reference += taken(s, &time);
    const bool flushed = s->without_flushed && !number_format(s->out)->integer;
    for (size_t i = 0; i < count && flushed && result == TXL_CONTINUE; i++) {
        w->got[i] = w->below[i] != 0 ? w->expected[i] : w->got[i];
    }
    return result;
}

static struct sweep_results results_of(const struct worker *w)
{
    return (struct sweep_results){.unit = w->unit,
                                  .held = (const uint32_t *const *)w->held,
                                  .expected = w->expected,
                                  .got = w->got,
                                  .below = w->below,
                                  .value = w->value};
}

/* The CSV lines that a piece of a chunk has inputs of: from *first to before the result. */
static uint64_t piece_blocks(const struct txl_sweep *s, uint64_t chunk, unsigned strand,
                             uint64_t *first)
{
    const struct order_piece piece = order_piece(&s->order, chunk, strand);
    *first = piece.first / s->block;
    return piece.count == 0 ? *first : (piece.first + piece.count - 1) / s->block + 1;
}

static void begin_chunk(struct worker *w, uint64_t chunk, double far, double worst)
{
    struct txl_sweep *s = w->sweep;
    *w->judge = (struct sweep_judge){
        .domain = &s->domain,
        .oracle = w->oracle,
        .format = number_format(s->out),
        .input = number_format(s->dst),
        .tolerances = s->tolerances,
        .block = s->block,
        .blocks = w->blocks,
        .block_ulp = w->block_ulp,
        .direction = {sweep_direction(&s->reference, false), sweep_direction(&s->reference, true)},
        .far = far,
        .worst = worst,
        .ordered = domain_ordered(&s->domain)};
    for (unsigned k = 0; k < ORDER_STRANDS; k++) {
        uint64_t first;
        const uint64_t end = piece_blocks(s, chunk, k, &first);
        memset(&w->blocks[first], 0xFF, (size_t)(end - first) * sizeof *w->blocks);
    }
    stats_clear(w->stats);
    memset(&w->findings, 0, sizeof w->findings);
}

/* Runs a chunk. Returns false where it was stopped or failed. */
static bool one_chunk(struct worker *w, uint64_t chunk, double far, double worst)
{
    struct txl_sweep *s = w->sweep;
    const struct sweep_order *order = &s->order;
    struct txl_error why = {.status = TXL_OK};
    uint64_t tile = order->tiles[chunk];
    begin_chunk(w, chunk, far, worst);
    if (order->seams) {
        order_seam(order, chunk, w->unit);
        const int result = run_unit(w, tile++, &why);
        if (result != TXL_CONTINUE) {
            fail(w, chunk, result, &why);
            return false;
        }
        const struct sweep_results results = results_of(w);
        sweep_judge_seam(w->judge, &results);
    }
    for (uint64_t n = 0; n < order->units; n++) {
        order_unit(order, chunk, n, w->unit);
        const int result = run_unit(w, tile, &why);
        if (result != TXL_CONTINUE) {
            fail(w, chunk, result, &why);
            return false;
        }
        double time = 0;
        (void)taken(s, &time);
        const struct sweep_results results = results_of(w);
        sweep_judge_unit(w->judge, w->stats, &results);
        w->times.judging += taken(s, &time);
        tile += order_tiles(w->unit);
        if (!pool_add(w->pool, w->unit->count) && n + 1 < order->units) {
            return false;
        }
    }
    s->engine->findings(w->engine, order->tiles[chunk], &w->findings);
    return true;
}

static void keep_chunk(struct txl_sweep *s, const struct worker *w, uint64_t chunk)
{
    for (unsigned k = 0; k < ORDER_STRANDS; k++) {
        uint64_t first;
        const uint64_t end = piece_blocks(s, chunk, k, &first);
        for (uint64_t i = first; i < end; i++) {
            sweep_block_merge(number_format(s->out), &s->blocks[i], &w->blocks[i]);
        }
    }
}

static bool goes_on(void *user)
{
    const struct worker *w = user;
    return pool_add(w->pool, 0);
}

static void sweep_work_work(struct pool *pool, void *user, unsigned index)
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
        free(w->tiles[k]);
    }
    free(w->judge);
    free(w->unit);
    free(w->blocks);
    free(w->block_ulp);
    free(w->out);
    free(w->expected);
    free(w->got);
    free(w->below);
    free(w->value);
    free(w->stats);
}

static int open_engine(struct txl_error *err, struct txl_sweep *s, struct worker *w)
{
    struct txl_error why = {.status = TXL_OK};
    w->sweep = s;
    w->engine = s->engine->open(&s->kernel, &why);
    if (w->engine == NULL) {
        return txl_fail(err, "%s: %s", s->path, why.message);
    }
    w->elementwise = s->engine->elementwise(w->engine);
    return TXL_CONTINUE;
}

/* The engine may be open. */
static int open_worker(struct txl_error *err, struct txl_sweep *s, struct worker *w)
{
    w->sweep = s;
    bool room = true;
    for (unsigned k = 0; k < SWEEP_INPUTS; k++) {
        w->words[k] = calloc(SWEEP_BATCH_ELEMENTS, sizeof **w->words);
        w->held[k] = calloc(SWEEP_BATCH_ELEMENTS, sizeof **w->held);
        w->tiles[k] = calloc(SWEEP_BATCH_ELEMENTS, sizeof **w->tiles);
        room = room && w->words[k] != NULL && w->held[k] != NULL && w->tiles[k] != NULL;
    }
    w->judge = calloc(1, sizeof *w->judge);
    w->unit = calloc(1, sizeof *w->unit);
    w->blocks = calloc(SWEEP_BLOCKS, sizeof *w->blocks);
    w->block_ulp = calloc(SWEEP_BLOCKS, sizeof *w->block_ulp);
    w->out = calloc(SWEEP_BATCH_ELEMENTS, sizeof *w->out);
    room = room && w->judge != NULL && w->unit != NULL && w->blocks != NULL &&
           w->block_ulp != NULL && w->out != NULL;
    w->expected = calloc(SWEEP_BATCH_ELEMENTS, sizeof *w->expected);
    w->got = calloc(SWEEP_BATCH_ELEMENTS, sizeof *w->got);
    w->below = calloc(SWEEP_BATCH_ELEMENTS, sizeof *w->below);
    w->value = calloc(SWEEP_BATCH_ELEMENTS, sizeof *w->value);
    w->stats = calloc(1, sizeof *w->stats);
    if (!room || w->expected == NULL || w->got == NULL || w->below == NULL || w->value == NULL ||
        w->stats == NULL) {
        return txl_fail(err, "out of memory");
    }
    const int result = w->engine == NULL ? open_engine(err, s, w) : TXL_CONTINUE;
    if (result != TXL_CONTINUE) {
        return result;
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
            left += s->order.inputs[i];
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
                                 .work = sweep_work_work,
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
    /* A failure is reported after saving the state. */
    return s->failure.status != TXL_OK ? TXL_CONTINUE : result;
}

int sweep_work(struct txl_error *err, struct txl_sweep *s)
{
    const double start = clock_seconds();
    uint64_t chunks = 0;
    txl_error_clear(&s->failure);
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
    return s->failure.status != TXL_OK
               ? txl_refuse(err, s->failure.status, "%s", s->failure.message)
           : s->cancelled ? txl_refuse(err, TXL_CANCELLED, "cancelled")
                          : TXL_CONTINUE;
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

/* Runs one tile of special values through the kernel. */
static int run_specials(struct txl_error *err, struct txl_sweep *s, struct worker *w)
{
    uint32_t words[SWEEP_SPECIALS];
    unsigned count = special_words(s->dst, words);
    if (s->domain.operands > 2) {
        return TXL_CONTINUE;
    }
    int result = open_worker(err, s, w);
    s->special_count = s->domain.operands == 1 ? count : count * count;
    for (unsigned i = 0; i < TX_TILE_ELEMENTS && result == TXL_CONTINUE; i++) {
        unsigned place = i % s->special_count;
        w->words[0][i] = words[s->domain.operands == 1 ? place : place / count];
        w->words[1][i] = words[place % count];
    }
    const uint32_t *const inputs[] = {w->words[0], w->words[1], w->words[2]};
    if (result == TXL_CONTINUE) {
        result = s->engine->run(w->engine, 0, 1, inputs, w->got, err);
    }
    if (result == TXL_CONTINUE) {
        result = sweep_oracle_words(w->oracle, inputs, s->special_count, w->expected, w->below,
                                    w->value, err);
    }
    for (unsigned i = 0; i < s->special_count && result == TXL_CONTINUE; i++) {
        struct sweep_special *one = &s->special[i];
        *one = (struct sweep_special){
            .x = {w->words[0][i], w->words[1][i]}, .expected = w->expected[i], .got = w->got[i]};
        one->verdict =
            sweep_verdict_of(number_format(s->out), w->expected[i], w->below[i] != 0, w->got[i]);
        bool numbers = !number_format(s->dst)->integer && !number_format(s->out)->integer;
        for (unsigned k = 0; k < s->domain.operands && numbers; k++) {
            numbers = !word_is_nan(one->x[k]);
        }
        one->verdict.nonfinite =
            one->verdict.nonfinite || (one->verdict.outcome == TXL_OUTCOME_UNDEFINED && numbers);
    }
    return result;
}

int sweep_last(struct txl_error *err, struct txl_sweep *s)
{
    struct worker w = {0};
    int result = open_engine(err, s, &w);
    if (result == TXL_CONTINUE) {
        result = sweep_again(err, s, w.engine);
    }
    if (result == TXL_CONTINUE && !s->hung) {
        result = run_specials(err, s, &w);
    }
    close_worker(&w);
    return result;
}
