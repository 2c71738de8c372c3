/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TX_TEST_CARD_KERNEL_FILE_H
#define TX_TEST_CARD_KERNEL_FILE_H

#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KERNEL_WORDS = 64 };

/* A kernel's file as the build of tt-metal names it; opened as a host does. */
static inline int open_kernel(const char *folder, const char *name, const uint32_t *code)
{
    char path[512];
    struct {
        Elf32_Ehdr head;
        Elf32_Phdr part;
    } elf = {.head = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS32, ELFDATA2LSB, EV_CURRENT},
                      .e_type = ET_EXEC,
                      .e_machine = EM_RISCV,
                      .e_phoff = sizeof(Elf32_Ehdr),
                      .e_phentsize = sizeof(Elf32_Phdr),
                      .e_phnum = 1},
             .part = {.p_type = PT_LOAD,
                      .p_flags = PF_R | PF_X,
                      .p_offset = sizeof elf,
                      .p_filesz = 4 * KERNEL_WORDS}};
    int n = snprintf(path, sizeof path, "%s/kernels", folder);
    (void)mkdir(path, 0700);
    n += snprintf(path + n, sizeof path - (size_t)n, "/%s", name);
    (void)mkdir(path, 0700);
    snprintf(path + n, sizeof path - (size_t)n, "/brisc.elf");
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int good = fd >= 0 && write(fd, &elf, sizeof elf) == sizeof elf &&
                     write(fd, code, 4 * KERNEL_WORDS) == 4 * KERNEL_WORDS;
    close(fd);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    close(fd);
    return good && fd >= 0;
}

#endif
