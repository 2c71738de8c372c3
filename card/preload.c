/* SPDX-License-Identifier: Apache-2.0 */
/* Start and end of the library in a process, and messages. */
#include "card.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct card_options card_options;
struct card_shared *card_shared;
char card_root[CARD_TEXT];

void *card_real(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

void card_tell(const char *format, ...)
{
    char line[512] = "tensix card: ";
    va_list args;
    va_start(args, format);
    int n = vsnprintf(line + 13, sizeof line - 14, format, args);
    va_end(args);
    n = n < 0 ? 13 : 13 + (n < (int)sizeof line - 14 ? n : (int)sizeof line - 15);
    line[n++] = '\n';
    (void)!write(STDERR_FILENO, line, (size_t)n);
}

bool card_verbose(void)
{
    static int verbose = -1;
    if (verbose < 0) {
        verbose = getenv("TENSIX_CARD_TRACE") != NULL;
    }
    return verbose != 0;
}

/* Loaded by hand, without the command: a folder of its own for this process and its children. */
static void by_hand(void)
{
    struct card_options options;
    const char *product = getenv("TENSIX_PRODUCT");
    card_options_default(&options);
    if (product != NULL && !card_product(product, &options)) {
        card_tell("TENSIX_PRODUCT names no card: it is a %s", options.product);
    }
    /* The pipe stays open until the process ends. */
    if (tree_make(&options, card_root, sizeof card_root) < 0) {
        card_tell("no folder for the card's files can be made: there is no card");
        card_root[0] = '\0';
        return;
    }
    setenv("TENSIX_CARD", card_root, 1);
}

static void preload_start(void)
{
    const char *root = getenv("TENSIX_CARD");
    if (root != NULL && root[0] == '/' && strlen(root) < sizeof card_root) {
        strcpy(card_root, root);
        card_shared = tree_open(card_root, &card_options);
    }
    if (card_shared == NULL) { /* none was made, or whoever made it has ended */
        by_hand();
        card_shared = card_root[0] != '\0' ? tree_open(card_root, &card_options) : NULL;
    }
    if (card_root[0] != '\0' && card_shared == NULL) {
        card_tell("%s is no folder of a card: there is none", card_root);
        card_root[0] = '\0';
    }
}

bool card_start(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, preload_start);
    return card_shared != NULL;
}

static void before_fork(void)
{
    chips_fork(0); /* in this order threads take them one inside the other */
    regions_fork(0);
    fault_fork(0);
    patch_fork(0);
    kernels_fork(0);
}

static void after_fork(void)
{
    kernels_fork(1);
    patch_fork(1);
    fault_fork(1);
    regions_fork(1);
    chips_fork(1);
}

static void in_child(void)
{
    kernels_fork(2);
    patch_fork(2);
    fault_fork(2);
    regions_fork(2);
    chips_fork(2);
}

__attribute__((constructor)) static void loaded(void)
{
    pthread_atfork(before_fork, after_fork, in_child);
}

__attribute__((destructor)) static void unloaded(void)
{
    objects_finish();
    chips_finish();
}
