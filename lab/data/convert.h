/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conversion from format to format by a named route, with a report of what was lost: txl_convert.
 */
#ifndef LAB_CONVERT_H
#define LAB_CONVERT_H

#include <tensix-lab/data.h>

#include "data/region.h"
#include "data/tensor_out.h"

enum convert_route {
    ROUTE_DEFAULT,
    ROUTE_HOST,
    ROUTE_PACK,        /* numbers into Dst, then through the packer */
    ROUTE_UNPACK,      /* through the unpacker, then numbers out of Dst */
    ROUTE_UNPACK_PACK, /* from L1 through Dst to L1 */
    ROUTE_SINGLE       /* a single conversion, chosen by its name */
};

struct loss_case {
    uint64_t element;
    uint32_t before, after;
    double measure; /* rounded: relative error; flushed and saturated: the magnitude before */
};

struct loss {
    bool integer, is_unsigned;
    uint32_t limit;
    uint64_t count[TX_LOSS_COUNT];
    struct loss_case worst[TX_LOSS_COUNT]; /* valid where the count is not 0 */
};

struct convert_job {
    struct txl_error *err;
    struct tensor in;
    struct tensor_out out;
    enum tx_arch arch;
    enum tx_format to, dst;
    bool has_to, has_dst;
    bool twos_complement;
    struct tx_tile tile; /* the unit of the work */
    bool flat;           /* no tiles are involved: the work goes in runs of elements */
    enum convert_route route;
    enum tx_conversion conversion; /* ROUTE_SINGLE */

    struct tx_codec before; /* reads the input, unless that holds numbers */
    struct tx_codec encode; /* writes the output; for UNPACK_PACK also its unpacker and packer */
    struct tx_codec after;  /* reads the output back */
    enum npy_dtype out_dtype;
    bool measured; /* the report tells losses */

    txl_progress progress;
    void *progress_user;
    struct tx_grid grid;
    struct loss loss;
    struct npy_narrowed narrowed;
    uint64_t odd; /* unusual exponents in the input's tiles, see tensor_odd_exponents */
    uint64_t odd_tile;
    unsigned odd_row;
};

/*
 * convert_route.c: decides on the route, the codecs and the output's type. TXL_CONTINUE or
 * TXL_INPUT.
 */
int convert_settle(struct convert_job *job);
/* Describes in one line what the data pass through. */
const char *convert_path(const struct convert_job *job, char *text, size_t size);
const char *convert_route_name(const struct convert_job *job);

/* convert_work.c: does the whole work except for putting the output into place. */
int convert_work(struct convert_job *job);

/* loss.c */
void loss_start(struct loss *loss, enum tx_format from, enum tx_format to, bool host);
void loss_add(struct loss *loss, const struct region *region, const uint32_t *before,
              const uint32_t *after);
/* Writes a number as the report shows it; 48 bytes are enough. */
const char *loss_text(const struct loss *loss, uint32_t word, char *text, size_t size);

#endif
