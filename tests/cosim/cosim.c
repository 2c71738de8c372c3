/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cosim SIMULATOR.so COUNT [SEED [CLASS ...]]: COUNT random words of each class, or of those named,
 * on our machine and on another simulator's tile (engine.h). CLASS:NUMBER runs that program alone,
 * and prints it. Status 1: something differs that nothing explains.
 */
#include "cosim/float.h"
#include "cosim/noc.h"
#include "cosim/riscv.h"
#include "cosim/scalar.h"
#include "cosim/tile.h"
#include "cosim/unpack.h"

#include <dlfcn.h>
#include <time.h>

static const struct kind *const classes[] = {
    &vector_class, &matrix_class, &pack_class,        &unpack_class, &scalar_class,
    &riscv_class,  &float_class,  &vector_core_class, &noc_class,    &tile_class};
enum { CLASSES = sizeof classes / sizeof *classes };

static int more_often(const void *a, const void *b)
{
    const struct reason *x = a;
    const struct reason *y = b;
    return x->count < y->count ? 1 : x->count > y->count ? -1 : 0;
}

static void report_reasons(struct cosim *c)
{
    qsort(c->reasons, c->reason_count, sizeof *c->reasons, more_often);
    for (unsigned i = 0; i < c->reason_count && getenv("REASONS") != NULL; i++) {
        printf("  refused %" PRIu64 ": %s\n", c->reasons[i].count, c->reasons[i].text);
    }
    fflush(stdout);
}

static void report(struct cosim *c, double seconds)
{
    printf("%s %s, seed %" PRIu64 ": %" PRIu64 " %s in %" PRIu64 " programs, %" PRIu64
           " ended waiting, %" PRIu64 " states and %" PRIu64 " words refused, %" PRIu64
           " differ, %" PRIu64 " unexplained; %.0f s\n",
           tx_arch_short(c->arch), c->kind->name, c->seed, c->executed, c->kind->unit, c->programs,
           c->waiting, c->skipped, c->refusals, c->differ, c->unexplained, seconds);
    if (c->executed == 0) {
        printf("  the simulator refused every one of these %s\n", c->kind->unit);
    }
    for (unsigned i = 0; i < c->known_count; i++) {
        printf("  explained by %s: %" PRIu64 "\n", c->known[i].text, c->known[i].count);
    }
    for (unsigned i = 0; i < c->rules; i++) {
        printf("  %s: of %" PRIu64 " programs %" PRIu64 " with another result\n",
               c->kind->rules[c->arch == TX_BLACKHOLE][i], c->sampled, c->by_rule[i]);
    }
    if (c->by_rule[RULES] != 0) {
        printf("  several of these readings together: %" PRIu64 "\n", c->by_rule[RULES]);
    }
    report_reasons(c);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool run_class(struct cosim *c, uint64_t count)
{
    const double start = now();
    const bool absent = (c->kind->absent >> (c->arch == TX_BLACKHOLE) & 1u) != 0;
    const uint64_t most = absent ? count : UINT64_MAX; /* of refusals alone */
    for (uint64_t number = 0; c->executed < count && c->skipped <= c->programs + 1000 &&
                              (c->executed != 0 || c->refusals < most);
         number++) {
        (void)cosim_program(c, number);
    }
    report(c, now() - start);
    return c->unexplained == 0 && (c->executed >= count || (absent && c->executed == 0));
}

static bool replay(struct cosim *c, uint64_t number)
{
    struct difference d = {.count = 0};
    (void)cosim_program(c, number);
    memcpy(d.words, c->words, sizeof d.words);
    d.count = c->count;
    snprintf(d.text, sizeof d.text, "%s", c->differ == 0 ? "equal" : "differs; as it was drawn:");
    show(c, number, &d);
    return c->unexplained == 0;
}

/* Returns whether an argument is that class, or one program of it. */
static bool is_class(const char *argument, const char *name)
{
    const size_t n = strlen(name);
    return strncmp(argument, name, n) == 0 && (argument[n] == '\0' || argument[n] == ':');
}

/* Ends where an argument is no class. */
static void need_classes(int argc, char **argv)
{
    for (int k = 4; k < argc; k++) {
        bool known = false;
        for (unsigned i = 0; i < CLASSES; i++) {
            known = known || is_class(argv[k], classes[i]->name);
        }
        if (!known) {
            fprintf(stderr, "cosim: %s: no such class; there are", argv[k]);
            for (unsigned i = 0; i < CLASSES; i++) {
                fprintf(stderr, " %s", classes[i]->name);
            }
            fprintf(stderr, "\n");
            exit(2);
        }
    }
}

/* Is the class among the arguments, or are there none? alone: what stands behind its colon. */
static bool chosen(int argc, char **argv, const char *name, const char **alone)
{
    const size_t n = strlen(name);
    bool any = argc <= 4;
    for (int k = 4; k < argc; k++) {
        if (is_class(argv[k], name)) {
            any = true;
            *alone = argv[k][n] == ':' ? argv[k] + n + 1 : NULL;
        }
    }
    return any;
}

int main(int argc, char **argv)
{
    static struct cosim c;
    setvbuf(stdout, NULL, _IOLBF, 0);
    void *library = argc > 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    const struct beside *(*tile)(void);
    if (library == NULL) {
        cosim_fail(argc > 2 ? dlerror() : "cosim SIMULATOR.so COUNT [SEED [CLASS[:NUMBER] ...]]");
    }
    *(void **)&tile = dlsym(library, "beside_tile");
    if (tile == NULL) {
        cosim_fail("that is no simulator's tile");
    }
    const enum tx_arch arch = strcmp(tile()->chip, "bh") == 0 ? TX_BLACKHOLE : TX_WORMHOLE;
    const uint64_t count = strtoull(argv[2], NULL, 0);
    const uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 0) : 1;
    bool good = true;
    need_classes(argc, argv);
    for (unsigned i = 0; i < CLASSES; i++) {
        const char *alone = NULL;
        const char *name = classes[i]->name;
        if (!chosen(argc, argv, name, &alone)) {
            continue;
        }
        cosim_open(&c, classes[i], tile(), arch, seed);
        good =
            (alone != NULL ? replay(&c, strtoull(alone, NULL, 0)) : run_class(&c, count)) && good;
        cosim_close(&c);
    }
    return good ? 0 : 1;
}
