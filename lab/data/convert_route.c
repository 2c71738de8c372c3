/* SPDX-License-Identifier: Apache-2.0 */
/* Decides which hardware or host path a conversion takes, and whether there is one. */
#include "data/convert.h"

#include <string.h>

static bool is_integer(enum tx_format format)
{
    return tx_format_info(format)->integer;
}

static bool from_l1(const struct convert_job *job)
{
    return job->in.kind != TENSOR_VALUES;
}

/* Whether the output is an array of the numbers themselves, as FP32 or an integer type. */
static bool to_numbers(const struct convert_job *job)
{
    return job->out.name.is_array && (job->to == TX_FORMAT_FP32 || is_integer(job->to));
}

/* Returns whether the output's format can hold every number of the input's. */
static bool holds_all(enum tx_format from, enum tx_format to)
{
    const struct tx_format_info *a = tx_format_info(from);
    const struct tx_format_info *b = tx_format_info(to);
    if (!b->integer) {
        return true;
    }
    return from == to || (a->mantissa_bits <= b->mantissa_bits && (b->has_sign || !a->has_sign));
}

static unsigned stored_bits(unsigned bits)
{
    return bits <= 8 ? 8 : bits <= 16 ? 16 : 32;
}

static int settle_single(struct convert_job *job)
{
    const struct tx_conversion_info *info = tx_conversion_info(job->conversion);
    struct txl_where where = {.file = job->in.name};
    unsigned in = stored_bits(info->in_bits);
    unsigned out = stored_bits(info->out_bits);
    if (job->in.kind == TENSOR_TILES || !job->out.name.is_array) {
        return txl_fail_option(job->err, NULL, "route",
                               "%s converts single data: arrays in, arrays out", info->name);
    }
    if (job->arch == TX_ARCH_NONE) {
        if (info->differs || (info->chips & 1U << TX_BLACKHOLE) == 0) {
            return txl_fail_option(job->err, NULL, "arch",
                                   "the route %s depends on the chip: bh or wh", info->name);
        }
        job->arch = TX_BLACKHOLE;
    }
    if ((info->chips >> job->arch & 1U) == 0) {
        return txl_fail_option(job->err, NULL, "route", "%s does not exist on %s", info->name,
                               tx_arch_name(job->arch));
    }
    if (job->in.info.item_size * 8 != in) {
        return txl_fail_at(job->err, &where, "the route %s takes elements of %u bits, not %s",
                           info->name, in, npy_dtype_name(job->in.info.dtype));
    }
    if (job->has_to && tx_format_info(job->to)->bits != out) {
        return txl_fail_option(job->err, NULL, "route",
                               "%s gives elements of %u bits, which are no %s", info->name, out,
                               tx_format_name(job->to));
    }
    static const enum npy_dtype raw[] = {NPY_UINT8, NPY_UINT16, NPY_UINT32};
    job->out_dtype = job->has_to ? tensor_dtype(job->to) : raw[out / 16];
    job->measured = job->has_to && tx_format_info(job->in.format)->bits == in &&
                    is_integer(job->to) == is_integer(job->in.format);
    job->before = (struct tx_codec){.format = job->in.format};
    job->after = (struct tx_codec){.format = job->to};
    return TXL_CONTINUE;
}

static enum convert_route default_route(const struct convert_job *job)
{
    if (!from_l1(job)) {
        return ROUTE_PACK;
    }
    return to_numbers(job) && holds_all(job->in.format, job->to) ? ROUTE_UNPACK : ROUTE_UNPACK_PACK;
}

static int check_route(struct convert_job *job)
{
    if (job->route == ROUTE_PACK && from_l1(job)) {
        return txl_fail_option(
            job->err, NULL, "route", "pack starts from numbers; from %s there are host, %s",
            tx_format_name(job->in.format), to_numbers(job) ? "unpack" : "unpack+pack");
    }
    if (job->route == ROUTE_UNPACK && (!to_numbers(job) || !holds_all(job->in.format, job->to))) {
        return txl_fail_option(job->err, NULL, "route",
                               "unpack ends in Dst: it gives an array of numbers that holds all "
                               "of %s",
                               tx_format_name(job->in.format));
    }
    if ((job->route == ROUTE_UNPACK || job->route == ROUTE_UNPACK_PACK) && !from_l1(job)) {
        return txl_fail_option(job->err, NULL, "route",
                               "%s starts from data of a format; from numbers there are host, "
                               "pack",
                               convert_route_name(job));
    }
    if (job->in.force_shared_exp && !tx_format_info(job->in.format)->block) {
        return txl_fail_option(job->err, NULL, "shared_exp",
                               "that is for block formats: %s has no shared exponents",
                               tx_format_name(job->in.format));
    }
    if (job->in.force_shared_exp && job->route == ROUTE_HOST) {
        return txl_fail_option(job->err, NULL, "shared_exp",
                               "that is a setting of the unpacker: no host code has it");
    }
    if (job->route == ROUTE_HOST && job->has_dst) {
        return txl_fail_option(job->err, NULL, "dst", "that says nothing where the route is host");
    }
    if (job->route != ROUTE_HOST && job->arch == TX_ARCH_NONE) {
        return txl_fail_option(job->err, NULL, "arch",
                               "no chip is given, which only the route host does without");
    }
    return TXL_CONTINUE;
}

/* The Dst format that a kernel would use. For jobs that name none. */
static enum tx_format default_dst(const struct convert_job *job)
{
    if (job->route != ROUTE_PACK) {
        return tx_format_in_dst(job->in.format);
    }
    if (!is_integer(job->to)) {
        return TX_FORMAT_FP32;
    }
    return tx_format_info(job->to)->bits == 8 ? TX_FORMAT_INT32 : tx_format_in_dst(job->to);
}

/*
 * Chooses what reads data of a format: the unpacker into the Dst format that loses nothing, or the
 * host where there is none.
 */
static void reader(const struct convert_job *job, enum tx_format format, bool twos,
                   struct tx_codec *codec)
{
    enum tx_route route = job->route == ROUTE_HOST ? TX_ROUTE_HOST : TX_ROUTE_TENSIX;
    if (tx_codec_default(route, job->arch, format, tx_format_in_dst(format), codec, NULL) !=
            TX_OK ||
        (twos && tx_format_info(format)->bits == 8)) {
        (void)tx_codec_default(TX_ROUTE_HOST, job->arch, format, format, codec, NULL);
    }
    codec->twos_complement = twos;
}

static int refuse(struct convert_job *job, const char *what, const char *reason)
{
    return txl_fail(job->err, "%s %s -> Dst %s -> %s on %s: %s", what,
                    job->route == ROUTE_PACK ? "numbers" : tx_format_name(job->in.format),
                    tx_format_name(job->dst), tx_format_name(job->to), tx_arch_name(job->arch),
                    reason);
}

/* Passes a forced shared exponent to a codec that reads the input. */
static void force_exponent(const struct convert_job *job, struct tx_unpack *unpack)
{
    unpack->force_shared_exp = job->in.force_shared_exp;
    unpack->shared_exp = job->in.shared_exp;
}

static int settle_hardware(struct convert_job *job)
{
    const char *reason = NULL;
    if (!job->has_dst) {
        job->dst = default_dst(job);
    }
    bool twos = job->twos_complement;
    if (twos && tx_format_info(job->to)->bits == 8 && is_integer(job->to) &&
        !job->out.name.is_array) {
        return txl_fail_option(job->err, NULL, "twos_complement",
                               "unpacker and packer read 8-bit integers as "
                               "sign and magnitude; the route host does not");
    }
    job->encode = (struct tx_codec){.route = TX_ROUTE_TENSIX, .format = job->to};
    if (job->route != ROUTE_PACK) {
        job->encode.unpack =
            (struct tx_unpack){.arch = job->arch, .in = job->in.format, .dst = job->dst};
        force_exponent(job, &job->encode.unpack);
        if (!tensor_unpack_way(&job->encode.unpack, &reason)) {
            return refuse(job, "no route", reason);
        }
    }
    if (job->route != ROUTE_UNPACK &&
        tx_pack_default(job->arch, job->dst, job->to, &job->encode.pack, &reason) != TX_OK) {
        return refuse(job, "no route", reason);
    }
    job->encode.twos_complement = twos && is_integer(job->to);
    return TXL_CONTINUE;
}

int convert_settle(struct convert_job *job)
{
    if (job->route == ROUTE_SINGLE) {
        return settle_single(job);
    }
    if (!job->has_to) {
        if (!job->out.name.is_array) {
            return txl_fail_option(job->err, NULL, "to", "no format for %s", job->out.name.path);
        }
        job->to = is_integer(job->in.format) ? job->in.format : TX_FORMAT_FP32;
    }
    if (job->out.name.is_array && tx_format_info(job->to)->block) {
        return txl_fail(job->err, "an array cannot hold %s: only tiles have its exponents",
                        tx_format_name(job->to));
    }
    if (is_integer(job->in.format) != is_integer(job->to)) {
        return txl_fail(job->err, "%s to %s: between integers and floats only the SFPU converts",
                        tx_format_name(job->in.format), tx_format_name(job->to));
    }
    if (job->route == ROUTE_DEFAULT) {
        job->route = default_route(job);
    }
    int result = check_route(job);
    if (result == TXL_CONTINUE && job->route != ROUTE_HOST) {
        result = settle_hardware(job);
    }
    if (result != TXL_CONTINUE) {
        return result;
    }
    bool twos_in = job->in.twos_complement && is_integer(job->in.format);
    bool twos_out = job->twos_complement && is_integer(job->to);
    reader(job, job->in.format, twos_in, &job->before);
    reader(job, job->to, twos_out, &job->after);
    if (job->route == ROUTE_HOST) {
        job->encode = job->after;
    }
    if (job->route == ROUTE_UNPACK) {
        /* Here the loss is where the unpacker reads other numbers than host code. */
        job->after = job->encode;
        job->after.format = job->in.format;
        job->after.twos_complement = twos_in;
        (void)tx_codec_default(TX_ROUTE_HOST, job->arch, job->in.format, job->dst, &job->before,
                               NULL);
        job->before.twos_complement = twos_in;
    }
    force_exponent(job, &job->before.unpack);
    if (job->out.name.is_array) {
        job->out_dtype = tensor_dtype(job->to);
    }
    job->measured = true;
    return TXL_CONTINUE;
}

const char *convert_route_name(const struct convert_job *job)
{
    static const char *const names[] = {[ROUTE_DEFAULT] = "default",
                                        [ROUTE_HOST] = "host",
                                        [ROUTE_PACK] = "pack",
                                        [ROUTE_UNPACK] = "unpack",
                                        [ROUTE_UNPACK_PACK] = "unpack+pack"};
    return job->route == ROUTE_SINGLE ? tx_conversion_info(job->conversion)->name
                                      : names[job->route];
}

const char *convert_path(const struct convert_job *job, char *text, size_t size)
{
    const struct tx_pack *pack = &job->encode.pack;
    if (job->route == ROUTE_HOST) {
        snprintf(text, size, "host code, no hardware: to nearest even, as tt-metal and numpy do");
        return text;
    }
    if (job->route == ROUTE_SINGLE) {
        snprintf(text, size, "%s, on %s", tx_conversion_info(job->conversion)->rule,
                 tx_arch_name(job->arch));
        return text;
    }
    size_t used = 0;
    if (job->route != ROUTE_PACK) {
        char forced[32] = "";
        if (job->in.force_shared_exp) {
            snprintf(forced, sizeof forced, " (shared exponent %u)", job->in.shared_exp);
        }
        used += (size_t)snprintf(text, size, "%s in L1 -> unpacker%s -> %s",
                                 tx_format_name(job->in.format), forced,
                                 job->encode.unpack.through_src ? "SrcA -> MOVA2D -> " : "");
    } else {
        used += (size_t)snprintf(text, size, "numbers -> ");
    }
    used += (size_t)snprintf(text + used, size - used, "Dst %s", tx_format_name(job->dst));
    if (job->route == ROUTE_UNPACK) {
        used += (size_t)snprintf(text + used, size - used, ", read as it stands");
    } else {
        used += (size_t)snprintf(
            text + used, size - used, " -> packer (intermediate %s%s%s) -> %s in L1",
            tx_format_name(pack->intermediate), pack->round10 ? ", Round_10b_mant" : "",
            pack->raw ? ", Read_int8" : "", tx_format_name(job->to));
    }
    snprintf(text + used, size - used, ", on %s", tx_arch_name(job->arch));
    return text;
}
