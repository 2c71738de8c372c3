/* SPDX-License-Identifier: Apache-2.0 */
/* The places of the packers' configuration fields, per chip. */
#ifndef TX_PACK_PLACES_H
#define TX_PACK_PLACES_H

#include "isa/config.h"

enum { PACK_SECTIONS = 4 };

/* The fields of one packer on Wormhole, of one context of the only packer on Blackhole. */
struct pack_section {
    struct cfg_place exp_size, dest_addr, no_compress, add_offset, addr_context, out_format,
        in_format, no_assembler, out_fifo, sub_header, from_l1, add_header, l1_source, ds_mask,
        ds_rate, read_mode, accumulate, threshold_en, threshold;
    struct cfg_place by_plane;     /* Force_pack_per_max_xy_plane */
    struct cfg_place auto_select;  /* Auto_set_last_pacr_intf_sel */
    struct cfg_place start_select; /* pack_start_intf_pos */
    struct cfg_place e4m3;
    struct cfg_place per_plane, reads_per_plane, transposed, auto_context; /* PACK_COUNTERS */
    struct cfg_place concat_mask;
    struct cfg_place edge_mask; /* PCK_EDGE_OFFSET */
    struct cfg_place dst_offset, z_offset;
    struct cfg_place limit, fifo;
    struct cfg_place row_set, face_set; /* the first of sixteen fields that fill a word */
};

struct pack_places {
    struct pack_section section[PACK_SECTIONS];
    struct cfg_place x_stride, y_stride, z_stride, w_stride, base; /* input address */
    struct cfg_place out_y_stride, out_z_stride, out_w_stride, out_base;
    struct cfg_place wide, is_unsigned, raw, round10; /* PCK_DEST_RD_CTRL */
    struct cfg_place face_select, face_enable, row_select, edge_mode;
    struct cfg_place dstacc, dstacc_val, dstacc_override;
    struct cfg_place packer_stochastic, gasket_stochastic;
    struct cfg_place relu, relu_threshold;
    struct cfg_place descale, descale_mode, descale_value; /* the first of sixteen words */
    struct cfg_place all_no_compress, all_no_compress_ovrd;
    struct cfg_place reg_address[2]; /* Packer_Reg_Wr_Addr, Blackhole */
    /* Thread configuration from here on. */
    struct cfg_place statistics;
    /* ADDR_MOD_PACK_SEC0, of channel 0 and 1; the other sections follow, a word each */
    struct cfg_place y_incr[2], y_cr[2], y_clear[2], z_incr[2], z_clear[2];
};

const struct pack_places *pack_places(enum tx_arch arch);
/* Returns the bits of a banked word of configuration that packers read. */
uint32_t pack_places_mask(const struct pack_places *p, unsigned word);
/* Returns whether the word is an L1_Dest_addr. */
bool pack_places_address(const struct pack_places *p, unsigned word);
/* Returns the bits of the word that are added to the row of Dst at which a packer begins. */
uint32_t pack_places_row(const struct pack_places *p, unsigned word);

#endif
