/* SPDX-License-Identifier: Apache-2.0 */
/* Creates a sweep from its options, or by combining the state files of its parts. */
#include "sweep/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/options.h"
#include "sweep/sweep_ranks.h"

int sweep_load(struct txl_error *err, const struct txl_sweep_options *o, struct sweep_kernel *k,
               struct tx_program **own)
{
    if (o->program == NULL) {
        const struct txl_kernel_options how = {
            .size = sizeof how, .arch = o->arch, .start = o->start};
        const int result = txl_kernel_load(err, &o->kernel, 1, &how, own);
        if (result != TXL_OK) {
            return result;
        }
    }
    k->program = o->program != NULL ? o->program : *own;
    k->compiler = o->compiler;
    tx_kernel_options_default(&k->options);
    k->options.dst = o->dst;
    k->options.out = o->out;
    k->options.seed = (uint32_t)o->seed;
    txl_formats(k->program, &k->options);
    tx_settings_default(&k->settings, tx_program_arch(k->program));
    for (unsigned i = 0; i < o->rule_count; i++) {
        if (tx_settings_rule(&k->settings, o->rules[i]) != TX_OK) {
            return txl_fail_option(err, NULL, "rules", "no such rule or value: '%s'", o->rules[i]);
        }
    }
    return TXL_CONTINUE;
}

unsigned sweep_jobs(unsigned jobs)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    jobs = jobs != 0 ? jobs : processors < 1 ? 1 : (unsigned)processors;
    return jobs < TXL_SWEEP_THREADS ? jobs : TXL_SWEEP_THREADS;
}

static const char *default_domain(enum tx_dst_format dst)
{
    const struct number_format *f = number_format(dst);
    return dst == TX_DST_FORMAT_INT8    ? "int8"
           : dst == TX_DST_FORMAT_UINT8 ? "uint8"
           : !f->integer                ? "bf16"
           : f->low == 0.0              ? "uint16"
                                        : "int16";
}

static int check_options(struct txl_error *err, const struct txl_sweep_options *o)
{
    if (o->kernel == NULL) {
        return txl_fail(err, "no kernel is given");
    }
    if (o->shards > TXL_SWEEP_SHARDS || o->ranks > TXL_SWEEP_SHARDS ||
        (o->shards != 0 && o->shard >= o->shards) || (o->ranks > 1 && o->rank >= o->ranks)) {
        return txl_fail(err, "a sweep has no such part: there are at most %d", TXL_SWEEP_SHARDS);
    }
    if (o->shards > 1 && o->state == NULL) {
        return txl_fail_option(err, NULL, "state",
                               "a part of a sweep needs a file, to be put together from");
    }
    if (o->engine < TXL_ENGINE_AUTO || o->engine > TXL_ENGINE_REFERENCE) {
        return txl_fail_option(err, NULL, "engine", "there is no such engine");
    }
    const double limits[] = {o->has_max_ulp ? o->max_ulp : 0.0, o->has_tolerance ? o->atol : 0.0,
                             o->has_tolerance ? o->rtol : 0.0};
    for (unsigned i = 0; i < 3; i++) {
        static const char *const names[] = {"max_ulp", "atol", "rtol"};
        if (!isfinite(limits[i]) || limits[i] < 0.0) {
            return txl_fail_option(err, NULL, names[i], "not a number from 0 on");
        }
    }
    return TXL_CONTINUE;
}

static int find_reference(struct txl_error *err, struct txl_sweep *s, unsigned inputs)
{
    const struct txl_sweep_options *o = &s->options;
    struct sweep_reference *r = &s->reference;
    r->path = o->path;
    r->environment = o->environment;
    r->helper = o->helper;
    if (o->function != NULL) {
        snprintf(r->name, sizeof r->name, "%s", o->reference != NULL ? o->reference : "function");
        r->function = o->function;
        r->user = o->function_user;
        r->inputs = inputs;
        r->hash = sweep_hash(SWEEP_HASH, r->name, strlen(r->name));
        return TXL_CONTINUE;
    }
    const char *name = o->reference;
    return sweep_reference_find(err, name != NULL ? name : tx_program_reference(s->kernel.program),
                                s->given, inputs, r);
}

/* Completes the preparation once kernel and domain are known. */
static int prepare_rest(struct txl_error *err, struct txl_sweep *s)
{
    const struct txl_sweep_options *o = &s->options;
    const unsigned stated = tx_program_inputs(s->kernel.program);
    const unsigned inputs = stated > 0 ? stated : 1;
    if (inputs != s->domain.operands) {
        return txl_fail_option(err, NULL, "domain",
                               "%s takes %u input%s, %s has %u; pairs are bf16xbf16", s->path,
                               inputs, inputs == 1 ? "" : "s", s->domain.text, s->domain.operands);
    }
    int result = find_reference(err, s, inputs);
    if (result == TXL_CONTINUE) {
        result = gate_prepare(err, s);
    }
    if (result == TXL_CONTINUE) {
        result = sweep_measure(err, s->path, &s->kernel, &s->cycles, &s->init);
    }
    const bool said =
        o->out != TX_DST_FORMAT_UNSET || tx_program_out(s->kernel.program) != TX_DST_FORMAT_UNSET;
    if (result == TXL_CONTINUE && !said) {
        result = sweep_check_formats(err, s->path, &s->kernel);
    }
    if (result != TXL_CONTINUE) {
        return result;
    }
    s->engine = sweep_engine_at(o->engine);
    s->key = sweep_key(s);
    s->jobs = sweep_jobs(o->jobs);
    s->shards = o->shards != 0 ? o->shards : 1;
    s->shard = o->shard;
    s->state_path = o->state;
    if (o->ranks > 1 && s->shards == 1) {
        result = ranks_open(err, o, s->key, &s->ranks);
        if (result != TXL_CONTINUE) {
            return result;
        }
        s->state_path = s->ranks->own;
        s->shard = o->rank;
        s->shards = o->ranks;
    }
    return sweep_allocate(err, s);
}

static int prepare(struct txl_error *err, struct txl_sweep *s)
{
    const struct txl_sweep_options *o = &s->options;
    int result = check_options(err, o);
    if (result == TXL_CONTINUE) {
        result = sweep_load(err, o, &s->kernel, &s->own);
    }
    if (result != TXL_CONTINUE) {
        return result;
    }
    s->path = o->kernel;
    s->dst = s->kernel.options.dst;
    s->out = s->kernel.options.out;
    s->gate = (struct sweep_gate){o->has_max_ulp, o->max_ulp, o->budget};
    const bool integer = number_format(s->dst)->integer;
    if (o->budget != NULL && (integer || number_format(s->out)->integer)) {
        return txl_fail_option(err, NULL, "budget",
                               "the accuracy budget has no rows for Dst format %s",
                               tx_dst_format_name(integer ? s->dst : s->out));
    }
    const char *text = o->domain != NULL ? o->domain : default_domain(s->dst);
    result = domain_parse(err, text, s->dst, o->stride, o->sample, &s->domain);
    return result == TXL_CONTINUE ? prepare_rest(err, s) : result;
}

static txl_sweep *new_sweep(struct txl_error *err, const struct txl_sweep_options *options)
{
    txl_sweep *s = zeroed(err, 1, sizeof *s);
    if (s != NULL) {
        pthread_mutex_init(&s->mutex, NULL);
        if (options_take(err, &s->options, sizeof s->options, options) == TXL_CONTINUE) {
            s->given = s->options.reference != NULL;
            return s;
        }
        txl_sweep_close(s);
    }
    return NULL;
}

int txl_sweep_open(struct txl_error *err, const struct txl_sweep_options *options,
                   txl_sweep **sweep)
{
    txl_sweep *s = new_sweep(err, options);
    int result = s != NULL ? prepare(err, s) : TXL_INPUT;
    if (s != NULL && result != TXL_CONTINUE) {
        txl_sweep_close(s);
        s = NULL;
    }
    *sweep = s;
    return result == TXL_CONTINUE ? TXL_OK : result;
}

void txl_sweep_close(txl_sweep *s)
{
    if (s == NULL) {
        return;
    }
    ranks_close(s->ranks, s->options.rank == 0 || s->cancelled);
    pthread_mutex_destroy(&s->mutex);
    domain_free(&s->domain);
    tx_program_free(s->own);
    json_decref(s->header);
    free(s->done);
    free(s->stats);
    free(s->blocks);
    order_close(&s->order);
    free(s);
}

/* Sets the date of the first part, which the YAML contains. */
static void set_date(struct txl_sweep *s)
{
    if (s->date[0] == '\0') {
        time_t now = time(NULL);
        struct tm tm;
        (void)gmtime_r(&now, &tm);
        (void)strftime(s->date, sizeof s->date, "%Y-%m-%d", &tm);
    }
}

int txl_sweep_run(struct txl_error *err, txl_sweep *s)
{
    int result = TXL_CONTINUE;
    if (s->state_path != NULL && sweep_inputs(s) == 0) {
        result = state_load(err, s, s->state_path, false);
    }
    if (result == TXL_CONTINUE) {
        set_date(s);
        result = sweep_work(err, s);
    }
    return result == TXL_CONTINUE ? TXL_OK : result;
}

int txl_sweep_collect(struct txl_error *err, txl_sweep *s)
{
    const bool first = s->ranks != NULL && s->ranks->rank == 0;
    const int result = first ? ranks_collect(err, s) : TXL_CONTINUE;
    return result == TXL_CONTINUE ? TXL_OK : result;
}

bool txl_sweep_reports(const txl_sweep *s)
{
    return s->ranks != NULL ? s->ranks->rank == 0 : s->shards == 1;
}

int txl_sweep_finish(struct txl_error *err, txl_sweep *s)
{
    sweep_findings_merge(&s->findings, &s->init);
    const int result = sweep_last(err, s);
    for (uint64_t i = 0; i < s->findings.count; i++) {
        s->findings.list[i].finding.rule = s->findings.list[i].rule;
    }
    (void)sweep_covered_text(s, s->covered, sizeof s->covered);
    gate_judge(s);
    return result == TXL_CONTINUE ? TXL_OK : result;
}

/* ---- combining parts ---- */

/*
 * Restores the options with which a part was made from its header. Returns false where the header
 * lacks some.
 */
static bool options_from(txl_sweep *s)
{
    struct txl_sweep_options *o = &s->options;
    const json_t *h = s->header;
    const json_t *list = json_object_get(h, "rules");
    o->kernel = json_string_value(json_object_get(h, "kernel"));
    o->domain = json_string_value(json_object_get(h, "domain"));
    o->reference = s->given ? o->reference : json_string_value(json_object_get(h, "reference"));
    o->stride = (uint64_t)json_integer_value(json_object_get(h, "stride"));
    o->sample = (uint64_t)json_integer_value(json_object_get(h, "sample"));
    o->seed = (uint64_t)json_integer_value(json_object_get(h, "seed"));
    const char *arch = json_string_value(json_object_get(h, "arch"));
    const char *start = json_string_value(json_object_get(h, "start"));
    const char *dst = json_string_value(json_object_get(h, "dst"));
    const char *out = json_string_value(json_object_get(h, "out_dst"));
    (void)tx_arch_parse(arch != NULL ? arch : "", &o->arch);
    (void)tx_start_parse(start != NULL ? start : "", &o->start);
    (void)tx_dst_format_parse(dst != NULL ? dst : "", &o->dst);
    (void)tx_dst_format_parse(out != NULL ? out : "", &o->out);
    o->rules = s->rules;
    o->rule_count = 0;
    for (size_t i = 0; i < json_array_size(list) && i < TX_MAX_RULES; i++) {
        const char *rule = json_string_value(json_array_get(list, i));
        s->rules[o->rule_count++] = rule != NULL ? rule : "";
    }
    o->program = NULL;
    o->state = NULL;
    o->shard = o->shards = o->rank = o->ranks = 0;
    return o->kernel != NULL && o->domain != NULL;
}

static int merge(struct txl_error *err, txl_sweep *s, const char *const *paths, size_t count)
{
    s->header = state_header(err, paths[0]);
    if (s->header == NULL) {
        return TXL_INPUT;
    }
    int result = options_from(s) ? prepare(err, s)
                                 : txl_fail(err, "%s: the state of a sweep, damaged", paths[0]);
    for (size_t i = 0; i < count && result == TXL_CONTINUE; i++) {
        result = state_load(err, s, paths[i], true);
    }
    if (result == TXL_CONTINUE && !sweep_whole(s)) {
        result = txl_fail(err, "sweep merge: parts are missing: %llu of %llu inputs are there",
                          (unsigned long long)sweep_inputs(s), (unsigned long long)s->domain.count);
    }
    return result;
}

int txl_sweep_merge(struct txl_error *err, const char *const *paths, size_t count,
                    const struct txl_sweep_options *options, txl_sweep **sweep)
{
    *sweep = NULL;
    if (count == 0) {
        return txl_fail(err, "sweep merge: no files given");
    }
    txl_sweep *s = new_sweep(err, options);
    if (s == NULL) {
        return TXL_INPUT;
    }
    const int result = merge(err, s, paths, count);
    if (result != TXL_CONTINUE) {
        txl_sweep_close(s);
        return result;
    }
    *sweep = s;
    return TXL_OK;
}
