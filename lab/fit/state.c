/* SPDX-License-Identifier: Apache-2.0 */
/* Saves the best result so far to a JSON file, from which a later search continues. */
#include "fit/fit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/pool.h"

/*
 * Hashes everything that scores depend on: the file without the values of its constants, the
 * domain, the objective.
 */
static uint64_t key_of(const struct txl_fit *fit)
{
    uint64_t hash = SWEEP_HASH;
    size_t at = 0;
    for (unsigned k = 0; k < fit->count; k++) {
        hash = sweep_hash(hash, fit->source + at, fit->free[k].offset - at);
        at = fit->free[k].offset + fit->free[k].length;
    }
    hash = sweep_hash(hash, fit->source + at, fit->source_size - at);
    const uint64_t rest[] = {
        domain_hash(&fit->domain), fit->reference.hash, (uint64_t)fit->options.objective,
        (uint64_t)fit->dst,        (uint64_t)fit->out,  (uint64_t)tx_program_arch(fit->program)};
    hash = sweep_hash(hash, rest, sizeof rest);
    for (unsigned i = 0; i < fit->options.pin_count; i++) {
        hash = sweep_hash(hash, fit->options.pins[i], strlen(fit->options.pins[i]) + 1);
    }
    return hash & INT64_MAX;
}

char *fit_state_text(const struct txl_fit *fit)
{
    txl_json *root = txl_json_object();
    txl_json *best = txl_json_array();
    txl_json_set_int(root, "tensix_fit", 1);
    txl_json_set_int(root, "key", key_of(fit));
    JSON_MEMBERS(root, fit, starts, tried, refuted);
    txl_json_set_real(root, "seconds", clock_seconds() - fit->began + fit->spent);
    for (unsigned k = 0; k < fit->count; k++) {
        txl_json_append(best, txl_json_int(fit->best.at[k]));
    }
    txl_json_set(root, "best", best);
    char *text = txl_json_indented(root);
    txl_json_free(root);
    return text;
}

int fit_state_save(struct txl_error *err, const struct txl_fit *fit)
{
    char *text = fit_state_text(fit);
    if (text == NULL) {
        return no_memory(err);
    }
    const int result = txl_write_file(err, fit->options.state, text, strlen(text));
    free(text);
    return result == TXL_OK ? TXL_CONTINUE : result;
}

/* Adds what a member counts. Far from overflow, however many shards are added. */
static bool count(const json_t *root, const char *key, uint64_t *sum)
{
    const json_t *member = json_object_get(root, key);
    const json_int_t number = json_integer_value(member);
    *sum += (uint64_t)number;
    return json_is_integer(member) && number >= 0 && number >> 53 == 0;
}

/* The place, and what was done until then, which comes to what is there. */
static bool fit_take(struct txl_fit *fit, const json_t *root)
{
    const json_t *best = json_object_get(root, "best");
    const double seconds = json_number_value(json_object_get(root, "seconds"));
    bool good = json_integer_value(json_object_get(root, "tensix_fit")) == 1 &&
                json_array_size(best) == fit->count;
    for (unsigned k = 0; good && k < fit->count; k++) {
        const json_t *value = json_array_get(best, k);
        const int64_t order = json_integer_value(value);
        good = json_is_integer(value) && order >= fit->free[k].low && order <= fit->free[k].high;
        fit->best.at[k] = good ? order : fit->start.at[k];
    }
    fit->spent += seconds;
    return good && count(root, "starts", &fit->starts) && count(root, "tried", &fit->tried) &&
           count(root, "refuted", &fit->refuted) && seconds >= 0.0;
}

int fit_state_take(struct txl_error *err, struct txl_fit *fit, const char *path, const char *text,
                   size_t size)
{
    json_t *root = json_loadb(text, size, 0, NULL);
    const bool ours = (uint64_t)json_integer_value(json_object_get(root, "key")) == key_of(fit);
    const bool good = root != NULL && ours && fit_take(fit, root);
    json_decref(root);
    return good ? TXL_CONTINUE
                : txl_fail(err,
                           "%s: not the state of this fit: kernel, domain, formats, objective "
                           "and pins must be the same",
                           path);
}

static int fit_load(struct txl_error *err, struct txl_fit *fit, const char *path)
{
    size_t size = 0;
    char *text = txl_read_file(err, path, &size);
    const int result = text != NULL ? fit_state_take(err, fit, path, text, size) : TXL_INPUT;
    free(text);
    return result;
}

int fit_state_load(struct txl_error *err, struct txl_fit *fit)
{
    /* where there is no file it begins here */
    return access(fit->options.state, F_OK) == 0 ? fit_load(err, fit, fit->options.state)
                                                 : TXL_CONTINUE;
}

int fit_state_merge(struct txl_error *err, struct txl_fit *fit)
{
    struct fit_trial best = {.point = fit->best, .score = fit->best_score};
    int result = TXL_CONTINUE;
    for (unsigned i = 0; i < fit->options.merge_count && result == TXL_CONTINUE; i++) {
        result = fit_load(err, fit, fit->options.merge[i]);
        struct fit_trial one = {.point = fit->best};
        if (result == TXL_CONTINUE && !fit_try(fit, 0, &one, NULL)) {
            result = txl_refuse(err, TXL_NEGATIVE, "%s: the kernel stops", fit->options.kernel);
        }
        if (result == TXL_CONTINUE && fit_less(&one.score, &best.score)) {
            best = one;
        }
    }
    fit->best = best.point;
    fit->best_score = best.score;
    return result;
}
