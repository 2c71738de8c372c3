/* SPDX-License-Identifier: Apache-2.0 */
/* Loads the lab library, lets it watch a chip, and writes what it has found. */
#define _GNU_SOURCE 1
#include "order.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tensix/base.h>

void *door_lab(void)
{
    static const char *const places[] = {"", "../", "../../", "../../../"};
    const char *named = getenv("TENSIX_LAB");
    Dl_info self;
    char path[PATH_MAX];
    if (named != NULL) {
        return dlopen(named, RTLD_NOW | RTLD_LOCAL);
    }
    const int known = dladdr(places, &self);
    const char *slash = known != 0 ? strrchr(self.dli_fname, '/') : NULL;
    const int folder = slash != NULL ? (int)(slash + 1 - self.dli_fname) : 0;
    for (size_t i = 0; known != 0 && i < sizeof places / sizeof places[0]; i++) {
        if (snprintf(path, sizeof path, "%.*s%slibtensix-lab.so", folder, self.dli_fname,
                     places[i]) < (int)sizeof path) {
            void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
            if (library != NULL) {
                return library;
            }
        }
    }
    return dlopen("libtensix-lab.so", RTLD_NOW | RTLD_LOCAL);
}

bool door_lab_find(void *library, const char *name, void *function)
{
    void *at = dlsym(library, name);
    memcpy(function, &at, sizeof at);
    return at != NULL;
}

/* Folders of ELF files: those that TENSIX_ELF_PATH names, or where tt-metal keeps what it builds.
 */
static const char *elf_folders(char *text, size_t size)
{
    const char *named = getenv("TENSIX_ELF_PATH");
    const char *cache = getenv("TT_METAL_CACHE");
    const char *root = getenv("TT_METAL_RUNTIME_ROOT");
    const char *home = getenv("HOME");
    snprintf(text, size, "%s%s%s/.cache:%s/tt_metal/pre-compiled", cache != NULL ? cache : "",
             cache != NULL ? ":" : "", home != NULL ? home : "/nowhere",
             root != NULL ? root : "/nowhere");
    return named != NULL ? named : text;
}

/* TENSIX_DELAYS=FILE: runs with delays, one a line. */
static const char *add_delays(tx_chip *chip)
{
    enum { LINE = 200 };
    const char *path = getenv("TENSIX_DELAYS");
    FILE *in = path != NULL ? fopen(path, "re") : NULL;
    const char *wrong = NULL;
    char line[LINE];
    if (path == NULL) {
        return NULL;
    }
    if (in == NULL) {
        return "TENSIX_DELAYS: the file cannot be read";
    }
    while (wrong == NULL && fgets(line, sizeof line, in) != NULL) {
        char *text = line + strspn(line, " \t");
        text[strcspn(text, " \t\r\n#")] = '\0';
        if (*text != '\0' && tx_chip_delay(chip, text) != TX_OK) {
            wrong = "TENSIX_DELAYS: the file has a line that is no delay of this chip";
        }
    }
    (void)fclose(in);
    return wrong;
}

/* What pytest tells the process of the test that runs. */
static const char *running_test(void *user)
{
    (void)user;
    return getenv("PYTEST_CURRENT_TEST");
}

const char *door_order_open(struct door_order *watch, tx_chip *chip)
{
    int (*open)(struct txl_error * err, tx_chip * chip, const struct txl_order_options *options,
                txl_order **order);
    const char *(*version)(void);
    char folders[3 * PATH_MAX];
    static char why[sizeof((struct txl_error *)0)->message + 16];
    *watch = (struct door_order){.library = NULL};
    const char *wrong = add_delays(chip);
    if (wrong != NULL || getenv("TENSIX_ORDER") == NULL) {
        return wrong;
    }
    watch->library = door_lab();
    if (watch->library == NULL) {
        return "TENSIX_ORDER: libtensix-lab.so is not found; TENSIX_LAB=FILE names it";
    }
    if (!door_lab_find(watch->library, "txl_order_watch", &open) ||
        !door_lab_find(watch->library, "txl_order_close", &watch->close) ||
        !door_lab_find(watch->library, "txl_order_end", &watch->end) ||
        !door_lab_find(watch->library, "txl_order_text", &watch->text) ||
        !door_lab_find(watch->library, "txl_order_json_text", &watch->json) ||
        !door_lab_find(watch->library, "txl_order_still", &watch->still) ||
        !door_lab_find(watch->library, "tx_version", &version) ||
        strcmp(version(), tx_version()) != 0) {
        return "TENSIX_ORDER: libtensix-lab.so is of another version";
    }
    const struct txl_order_options how = {.size = sizeof how,
                                          .elf_folders = elf_folders(folders, sizeof folders),
                                          .test = running_test};
    struct txl_error err = {.status = TXL_OK};
    if (open(&err, chip, &how, &watch->order) != TXL_OK) {
        snprintf(why, sizeof why, "TENSIX_ORDER: %s", err.message);
        return why;
    }
    return NULL;
}

static bool is_json(const char *path)
{
    const char *end = strrchr(path, '.');
    return end != NULL && strcmp(end, ".json") == 0;
}

/* Written at once: other processes report to that file, too. */
static bool append(const char *path, const char *text)
{
    FILE *out = text != NULL ? fopen(path, "ae") : NULL;
    if (out != NULL) {
        (void)setvbuf(out, NULL, _IOFBF, strlen(text) + 2);
    }
    const bool put = out != NULL && fprintf(out, "%s\n", text) >= 0;
    const bool closed = out != NULL && fclose(out) == 0;
    return put && closed;
}

bool door_order_still(struct door_order *watch)
{
    const char *path = getenv("TENSIX_ORDER");
    char *text =
        watch->order != NULL && path != NULL ? watch->still(watch->order, is_json(path)) : NULL;
    const bool any = text != NULL && append(path, text);
    free(text);
    return any;
}

const char *door_order_close(struct door_order *watch)
{
    const char *path = getenv("TENSIX_ORDER");
    if (watch->order == NULL || path == NULL) {
        return NULL;
    }
    watch->end(watch->order, false);
    char *text = is_json(path) ? watch->json(watch->order) : watch->text(watch->order);
    const bool put = append(path, text);
    free(text);
    watch->close(watch->order);
    watch->order = NULL;
    return put ? NULL : "TENSIX_ORDER: the findings cannot be written";
}
