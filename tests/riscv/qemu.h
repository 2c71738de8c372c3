/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program on qemu-riscv32, an independent implementation of the RISC-V manual. */
#ifndef TESTS_RISCV_QEMU_H
#define TESTS_RISCV_QEMU_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline bool qemu_is_there(void)
{
    return system("qemu-riscv32 --version >/dev/null 2>&1") == 0;
}

/*
 * The image, of a multiple of 4 bytes, goes to address base, where it starts; data is written to
 * standard output, of which "size" bytes are read. Returns whether the program ended well.
 */
static inline bool qemu_run(const char *cpu, uint32_t base, const void *image, uint32_t image_size,
                            void *out, uint32_t size)
{
    char path[] = "/tmp/tx-riscv-XXXXXX";
    const int fd = mkstemp(path);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "wb");
    if (f == NULL) {
        return false;
    }
    /* An ELF file header and one segment that holds code and data. */
    const uint32_t head[21] = {0x464C457F, 0x00010101, 0,    0,          0x00F30002, 1, base,
                               52,         0,          0,    0x00200034, 1,          0, 1,
                               4096,       base,       base, image_size, image_size, 7, 4096};
    static const uint8_t blank[4096 - sizeof head];
    bool good = fwrite(head, sizeof head, 1, f) == 1 && fwrite(blank, sizeof blank, 1, f) == 1 &&
                fwrite(image, image_size, 1, f) == 1;
    good = fclose(f) == 0 && good;
    char command[200];
    snprintf(command, sizeof command, "chmod +x %s && qemu-riscv32 -cpu %s %s", path, cpu, path);
    FILE *pipe = good ? popen(command, "r") : NULL;
    good = pipe != NULL && fread(out, size, 1, pipe) == 1;
    good = pipe != NULL && pclose(pipe) == 0 && good;
    unlink(path);
    return good;
}

#endif
