/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libzip's functions through lazy.h: after this header their names stand for entries of the table.
 */
#ifndef LAB_LAZY_ZIP_H
#define LAB_LAZY_ZIP_H

#include <zip.h>

#define LAZY_ZIP(F)                   \
    F(zip_close)                      \
    F(zip_discard)                    \
    F(zip_error_fini)                 \
    F(zip_error_init)                 \
    F(zip_error_set)                  \
    F(zip_error_strerror)             \
    F(zip_error_to_data)              \
    F(zip_fclose)                     \
    F(zip_file_add)                   \
    F(zip_file_set_dostime)           \
    F(zip_file_strerror)              \
    F(zip_fopen_index)                \
    F(zip_fread)                      \
    F(zip_get_name)                   \
    F(zip_get_num_entries)            \
    F(zip_name_locate)                \
    F(zip_open_from_source)           \
    F(zip_set_file_compression)       \
    F(zip_source_buffer_create)       \
    F(zip_source_file_create)         \
    F(zip_source_filep)               \
    F(zip_source_free)                \
    F(zip_source_function_create)     \
    F(zip_source_seek_compute_offset) \
    F(zip_strerror)

#define LAZY_FIELD(name) __typeof__(name) *name;
#define LAZY_NAME(name) #name,
static struct {
    LAZY_ZIP(LAZY_FIELD)
} lazy_zip;
static const char *const lazy_zip_names[] = {LAZY_ZIP(LAZY_NAME)};

#define zip_close lazy_zip.zip_close
#define zip_discard lazy_zip.zip_discard
#define zip_error_fini lazy_zip.zip_error_fini
#define zip_error_init lazy_zip.zip_error_init
#define zip_error_set lazy_zip.zip_error_set
#define zip_error_strerror lazy_zip.zip_error_strerror
#define zip_error_to_data lazy_zip.zip_error_to_data
#define zip_fclose lazy_zip.zip_fclose
#define zip_file_add lazy_zip.zip_file_add
#define zip_file_set_dostime lazy_zip.zip_file_set_dostime
#define zip_file_strerror lazy_zip.zip_file_strerror
#define zip_fopen_index lazy_zip.zip_fopen_index
#define zip_fread lazy_zip.zip_fread
#define zip_get_name lazy_zip.zip_get_name
#define zip_get_num_entries lazy_zip.zip_get_num_entries
#define zip_name_locate lazy_zip.zip_name_locate
#define zip_open_from_source lazy_zip.zip_open_from_source
#define zip_set_file_compression lazy_zip.zip_set_file_compression
#define zip_source_buffer_create lazy_zip.zip_source_buffer_create
#define zip_source_file_create lazy_zip.zip_source_file_create
#define zip_source_filep lazy_zip.zip_source_filep
#define zip_source_free lazy_zip.zip_source_free
#define zip_source_function_create lazy_zip.zip_source_function_create
#define zip_source_seek_compute_offset lazy_zip.zip_source_seek_compute_offset
#define zip_strerror lazy_zip.zip_strerror

#endif
