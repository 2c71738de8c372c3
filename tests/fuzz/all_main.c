/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All fuzz targets as one program, which is linked once: the name by which it is called, such as
 * fuzz_asm, says which one runs. cmake/tests.cmake writes all_targets.h and gives each target's
 * functions a name of their own.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

#define TARGET(name)                                       \
    int fuzz_one_##name(const uint8_t *data, size_t size); \
    __attribute__((weak)) int begin_##name(int *argc, char ***argv);
#include "all_targets.h"
#undef TARGET

#define TARGET(name) {"fuzz_" #name, fuzz_one_##name, begin_##name},
static const struct {
    const char *name;
    int (*run)(const uint8_t *data, size_t size);
    int (*begin)(int *argc, char ***argv); /* or NULL */
} targets[] = {
#include "all_targets.h"
};

static int (*run)(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *slash = strrchr((*argv)[0], '/');
    const char *name = slash != NULL ? slash + 1 : (*argv)[0];
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        if (strcmp(name, targets[i].name) == 0) {
            run = targets[i].run;
            return targets[i].begin != NULL ? targets[i].begin(argc, argv) : 0;
        }
    }
    fprintf(stderr, "%s is called by the name of a target: a link to it\n", name);
    _Exit(2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return run(data, size);
}
