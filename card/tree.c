/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of a card as programs see them. Which files and what is in them: what tt-umd reads
 * (pci_device.cpp) and what tt-kmd puts there (its attributes), spec/card.md 2.
 */
#define _GNU_SOURCE 1
#include "tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MAGIC = 0x74784344 };

/* Numbers of boards: spec/chip.md 7.2 (product). */
static const struct {
    const char *name, *settings;
    bool wormhole;
    unsigned subsystem;
} products[] = {
    {"p150a", "p150", false, 0x40}, {"p150b", "p150", false, 0x41}, {"p150c", "p150", false, 0x42},
    {"p150", "p150", false, 0x40},  {"p100a", "p100", false, 0x43}, {"p100", "p100", false, 0x36},
    {"n150", "n150", true, 0x18},   {"n300", "n300", true, 0x14},
};
enum { PRODUCTS = sizeof products / sizeof products[0] };

static size_t product_of(const char *name)
{
    size_t i = 0;
    while (i < PRODUCTS && strcmp(products[i].name, name) != 0) {
        i++;
    }
    return i;
}

bool card_product(const char *name, struct card_options *options)
{
    const size_t i = product_of(name);
    if (i < PRODUCTS) {
        snprintf(options->product, sizeof options->product, "%s", name);
    }
    return i < PRODUCTS;
}

bool card_is_wormhole(const struct card_options *options)
{
    const size_t i = product_of(options->product);
    return i < PRODUCTS && products[i].wormhole;
}

const char *card_settings_name(const struct card_options *options)
{
    const size_t i = product_of(options->product);
    return i < PRODUCTS ? products[i].settings : "";
}

void card_options_default(struct card_options *options)
{
    memset(options, 0, sizeof *options);
    (void)card_product("p150a", options);
    options->chips = 1;
    options->timed = true;
}

uint64_t tree_process_start(int32_t pid)
{
    char path[64];
    char text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    const int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return 0;
    }
    const long n = syscall(SYS_read, fd, text, sizeof text - 1);
    (void)syscall(SYS_close, fd);
    if (n <= 0) {
        return 0;
    }
    text[n] = '\0';
    const char *at = strrchr(text, ')'); /* the name may have spaces */
    for (int field = 2; at != NULL && field < 22; field++) {
        at = strchr(at + 1, ' ');
    }
    return at != NULL ? strtoull(at + 1, NULL, 10) + 1 : 0;
}

/* ---- making it ---- */

struct tree {
    char *root;
    bool failed;
};

/* Makes the folders on the way to a file of the tree. */
static void folders(struct tree *t, const char *path)
{
    char whole[CARD_TEXT];
    snprintf(whole, sizeof whole, "%s%s", t->root, path);
    for (char *at = whole + strlen(t->root) + 1; (at = strchr(at, '/')) != NULL; at++) {
        *at = '\0';
        if (mkdir(whole, 0700) != 0 && errno != EEXIST) {
            t->failed = true;
        }
        *at = '/';
    }
}

static void tree_put(struct tree *t, const char *path, const void *bytes, size_t size)
{
    char whole[CARD_TEXT];
    folders(t, path);
    snprintf(whole, sizeof whole, "%s%s", t->root, path);
    const int fd = open(whole, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, bytes, size) != (ssize_t)size) {
        t->failed = true;
    }
    if (fd >= 0) {
        close(fd);
    }
}

static void put_text(struct tree *t, const char *folder, const char *name, const char *text)
{
    char path[CARD_TEXT];
    char line[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    snprintf(line, sizeof line, "%s\n", text);
    tree_put(t, path, line, strlen(line));
}

static void put_number(struct tree *t, const char *folder, const char *name, unsigned value)
{
    char text[32];
    snprintf(text, sizeof text, "0x%04x", value);
    put_text(t, folder, name, text);
}

/* The first 64 bytes of PCI configuration space: memory accesses and bus mastering are on. */
static void put_config(struct tree *t, const char *folder, bool wormhole, unsigned subsystem)
{
    char path[CARD_TEXT];
    uint8_t bytes[256] = {0x52, 0x1e, wormhole ? 0x1e : 0x40, wormhole ? 0x40 : 0xb1, 0x06,
                          0x00, 0x10};
    bytes[8] = wormhole ? 1 : 0;
    bytes[11] = 0x12;
    bytes[0x2c] = 0x52;
    bytes[0x2d] = 0x1e;
    bytes[0x2e] = (uint8_t)subsystem;
    if (wormhole) {
        bytes[2] = 0x1e;
        bytes[3] = 0x40;
    }
    snprintf(path, sizeof path, "%s/config", folder);
    tree_put(t, path, bytes, sizeof bytes);
}

static void put_device(struct tree *t, const char *folder, bool wormhole, unsigned subsystem)
{
    put_number(t, folder, "vendor", 0x1e52);
    put_number(t, folder, "device", wormhole ? 0x401e : 0xb140);
    put_number(t, folder, "subsystem_vendor", 0x1e52);
    put_number(t, folder, "subsystem_device", subsystem);
    put_text(t, folder, "revision", wormhole ? "0x01" : "0x00");
    put_text(t, folder, "class", "0x120000");
    put_text(t, folder, "numa_node", "-1");
    put_text(t, folder, "enable", "1");
    put_text(t, folder, "current_link_speed", wormhole ? "16.0 GT/s PCIe" : "32.0 GT/s PCIe");
    put_text(t, folder, "max_link_speed", wormhole ? "16.0 GT/s PCIe" : "32.0 GT/s PCIe");
    put_text(t, folder, "current_link_width", "16");
    put_text(t, folder, "max_link_width", "16");
    put_text(t, folder, "iommu_group/type", "DMA-FQ"); /* any page can be pinned */
    put_config(t, folder, wormhole, subsystem);
}

/* What tt-kmd takes from telemetry; values of spec/chip.md 7.2. */
static void put_attributes(struct tree *t, const char *folder, bool wormhole, unsigned subsystem,
                           const char *product)
{
    char serial[32];
    snprintf(serial, sizeof serial, "%08x%08x", subsystem << 4, 1u);
    put_text(t, folder, "tt_serial", serial);
    put_text(t, folder, "tt_card_type", product);
    put_text(t, folder, "tt_asic_id", "0000000000000001");
    put_text(t, folder, "tt_aiclk", wormhole ? "1000" : "1350");
    put_text(t, folder, "tt_axiclk", "900");
    put_text(t, folder, "tt_arcclk", "540");
    put_text(t, folder, "tt_heartbeat", "1");
    put_text(t, folder, "tt_fw_bundle_ver", wormhole ? "18.4.0.0" : "18.5.0.0");
    put_text(t, folder, "tt_m3app_fw_ver", wormhole ? "5.9.0.0" : "0.11.0.0");
    put_text(t, folder, wormhole ? "tt_arc_fw_ver" : "tt_therm_trip_count",
             wormhole ? "2.33.1.0" : "0");
}

static void put_card(struct tree *t, const struct card_options *options, unsigned chip)
{
    char path[128];
    const size_t p = product_of(options->product);
    const bool wormhole = products[p].wormhole;
    snprintf(path, sizeof path, "/dev/tenstorrent/%u", chip);
    tree_put(t, path, "", 0);
    snprintf(path, sizeof path, "/sys/bus/pci/devices/0000:%02x:00.0", 0xaa + chip);
    put_device(t, path, wormhole, products[p].subsystem);
    snprintf(path, sizeof path, "/sys/bus/pci/devices/0000:%02x:00.0/tenstorrent/tenstorrent!%u",
             0xaa + chip, chip); /* by which a reset's caller finds the card again */
    put_attributes(t, path, wormhole, products[p].subsystem, options->product);
    snprintf(path, sizeof path, "/sys/class/tenstorrent/tenstorrent!%u", chip);
    put_attributes(t, path, wormhole, products[p].subsystem, options->product);
    snprintf(path, sizeof path, "/sys/class/tenstorrent/tenstorrent!%u/device", chip);
    put_device(t, path, wormhole, products[p].subsystem);
    snprintf(path, sizeof path, "/proc/driver/tenstorrent/%u/pids", chip);
    tree_put(t, path, "", 0);
}

static void put_state(struct tree *t)
{
    pthread_mutexattr_t attributes;
    struct card_shared *state = calloc(1, sizeof *state);
    if (state == NULL) {
        t->failed = true;
        return;
    }
    state->magic = MAGIC;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&state->lock, &attributes);
    tree_put(t, "/state", state, sizeof *state);
    free(state);
}

/* ---- removing it ---- */

#define FOLDER "tensix-card."
enum { DEPTH = 16 };

static void remove_at(int folder, const char *name, unsigned depth)
{
    if (unlinkat(folder, name, 0) == 0 || depth == 0) {
        return;
    }
    const int fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    for (struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;) {
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) {
            remove_at(fd, e->d_name, depth - 1);
        }
    }
    if (dir != NULL) {
        closedir(dir);
    }
    (void)unlinkat(folder, name, AT_REMOVEDIR);
}

/* ---- keeping it ---- */

static const char *const places[] = {NULL, "/dev/shm", "/tmp"};

static const char *place_at(size_t i)
{
    const char *place = i == 0 ? getenv("XDG_RUNTIME_DIR") : places[i];
    return place != NULL && place[0] == '/' ? place : NULL;
}

enum { STALE_SECONDS = 60 /* a keeper has locked its folder long before that */ };

/*
 * Folders are locked by the process that keeps them. One of ours that is not has lost its keeper,
 * which only SIGKILL can do.
 */
static void remove_stale(const char *place)
{
    const int fd = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    for (struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;) {
        struct stat s;
        if (strncmp(e->d_name, FOLDER, strlen(FOLDER)) != 0) {
            continue;
        }
        const int one = openat(fd, e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (one >= 0 && fstat(one, &s) == 0 && s.st_uid == geteuid() &&
            s.st_mtime + STALE_SECONDS < time(NULL) && flock(one, LOCK_EX | LOCK_NB) == 0) {
            remove_at(fd, e->d_name, DEPTH);
        }
        if (one >= 0) {
            close(one);
        }
    }
    if (dir != NULL) {
        closedir(dir);
    }
}

/* Makes a folder and locks it. Returns its descriptor, or -1. */
static int make_folder(char *root, size_t size)
{
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const char *place = place_at(i);
        if (place == NULL || snprintf(root, size, "%s/" FOLDER "XXXXXX", place) >= (int)size ||
            mkdtemp(root) == NULL) {
            continue;
        }
        const int fd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd >= 0) {
            (void)flock(fd, LOCK_EX | LOCK_NB);
            return fd;
        }
        (void)rmdir(root);
    }
    return -1;
}

/*
 * A process of its own that makes the folder, so that there is none without it, says where, and
 * waits until nobody holds the other end of the pipe. What still writes there meanwhile is about
 * to end.
 */
static void tree_keep(int wait, int tell)
{
    enum { LAST_TURNS = 100 };
    char root[CARD_TEXT];
    char byte;
    sigset_t all;
    (void)setsid();
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    prctl(PR_SET_NAME, "tensix-card");
    const int folder = make_folder(root, sizeof root);
    if (folder < 0) {
        _exit(1);
    }
    (void)!write(tell, root, strlen(root) + 1);
    /* Nothing of the caller's stays open: its pipes would never end. */
    if (dup2(wait, 0) != 0 || dup2(folder, 1) != 1) {
        remove_at(AT_FDCWD, root, DEPTH);
        _exit(1);
    }
    if (close_range(2, ~0u, 0) != 0) {
        for (int other = 2; other < 1024; other++) {
            close(other);
        }
    }
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (place_at(i) != NULL) {
            remove_stale(place_at(i));
        }
    }
    while (read(0, &byte, 1) < 0 && errno == EINTR) {}
    for (unsigned turn = 0; turn < LAST_TURNS && access(root, F_OK) == 0; turn++) {
        remove_at(AT_FDCWD, root, DEPTH);
        (void)usleep(turn != 0 ? 50000 : 0);
    }
    _exit(0);
}

/* Starts the keeper and learns the folder's name. Returns the end of its pipe, or -1. */
static int start_keeper(char *root, size_t size)
{
    int wait[2], tell[2];
    if (pipe2(wait, O_CLOEXEC) != 0) {
        return -1;
    }
    if (pipe2(tell, O_CLOEXEC) != 0) {
        close(wait[0]);
        close(wait[1]);
        return -1;
    }
    const pid_t child = fork(); /* twice, so that nobody waits for it */
    if (child == 0) {
        close(wait[1]);
        close(tell[0]);
        if (fork() == 0) {
            tree_keep(wait[0], tell[1]);
        }
        _exit(0);
    }
    close(wait[0]);
    close(tell[1]);
    while (child > 0 && syscall(SYS_wait4, child, NULL, 0, NULL) < 0 && errno == EINTR) {}
    ssize_t n = -1;
    while (child > 0 && (n = read(tell[0], root, size)) < 0 && errno == EINTR) {}
    close(tell[0]);
    if (n <= 0 || root[n - 1] != '\0') {
        close(wait[1]);
        errno = EIO;
        return -1;
    }
    return wait[1];
}

int tree_make(const struct card_options *options, char *root, size_t size)
{
    struct tree t = {.root = root};
    const int kept = start_keeper(root, size);
    if (kept < 0) {
        return -1;
    }
    tree_put(&t, "/options", options, sizeof *options);
    put_state(&t);
    put_text(&t, "/sys/module/tenstorrent", "version", "2.6.0");
    tree_put(&t, "/log", "", 0);
    folders(&t, "/sys/bus/pci/slots/");
    folders(&t, "/dev/tenstorrent/");
    folders(&t, "/dev/shm/");
    for (unsigned i = 0; i < options->chips; i++) {
        put_card(&t, options, i);
    }
    if (t.failed) {
        close(kept);
        errno = EIO;
        return -1;
    }
    return kept;
}

struct card_shared *tree_open(const char *root, struct card_options *options)
{
    char path[CARD_TEXT];
    snprintf(path, sizeof path, "%s/options", root);
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    const bool read_all = fd >= 0 && read(fd, options, sizeof *options) == sizeof *options;
    if (fd >= 0) {
        (void)syscall(SYS_close, fd);
    }
    if (!read_all || options->chips == 0 || options->chips > CARD_CHIPS ||
        product_of(options->product) == PRODUCTS) {
        return NULL;
    }
    options->door[sizeof options->door - 1] = '\0';
    snprintf(path, sizeof path, "%s/state", root);
    fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
    if (fd < 0) {
        return NULL;
    }
    void *at = (void *)syscall(SYS_mmap, NULL, sizeof(struct card_shared), PROT_READ | PROT_WRITE,
                               MAP_SHARED, fd, 0);
    (void)syscall(SYS_close, fd);
    struct card_shared *shared = at;
    return at != MAP_FAILED && shared->magic == MAGIC ? shared : NULL;
}
