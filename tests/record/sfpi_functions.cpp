/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of one or two inputs in SFPI's style, which test_sfpi.c states once more in C.
 * sfpi_functions FOLDER writes FOLDER/NAME-none.s and FOLDER/NAME-mad.s.
 */
#include <tensix/sfpi.hpp>

#include <limits>
#include <string>

using namespace sfpi;

namespace
{

vFloat in()
{
    return dst_reg[0];
}
vFloat other()
{
    return dst_reg[32];
}

void leaky()
{
    vFloat x = in();
    v_if(x < 0.0f)
    {
        x = x * 0.1f;
    }
    v_endif;
    dst_reg[0] = x;
}

void steps()
{
    vFloat x = in();
    vFloat r;
    v_if(x > 2.0f)
    {
        r = 1.0f;
    }
    v_elseif(x < -2.0f)
    {
        r = -1.0f;
    }
    v_elseif(x == 0.5f)
    {
        r = 7.0f;
    }
    v_else
    {
        r = 0.0f;
    }
    v_endif;
    dst_reg[0] = r;
}

void polynomial3()
{
    vFloat x = in();
    dst_reg[0] = polynomial(x, 0.3f, -1.7f, 2.3f, vConst0p8373);
}

void products()
{
    vFloat x = in();
    vFloat y = other();
    vFloat a = x * y - x;
    vFloat b = 1.5f - x * 0.3f;
    vFloat c = y - a * b;
    c -= x * y;
    c += b * b;
    dst_reg[0] = c;
}

/* Depth 8: every level halves the range. */
void deep()
{
    vFloat x = in();
    vFloat r = 0.0f;
    v_if(x > -128.0f)
    {
        r += 1.0f;
        v_if(x > -64.0f)
        {
            r += 1.0f;
            v_if(x >= -8.0f)
            {
                r += 1.0f;
                v_if(x < 100.0f)
                {
                    r += 1.0f;
                    v_if(x < 50.0f)
                    {
                        r += 1.0f;
                        v_if(x < 20.0f)
                        {
                            r += 1.0f;
                            v_if(x <= 8.0f)
                            {
                                r += 1.0f;
                                v_if(x > 1.0f)
                                {
                                    r = -r;
                                }
                                v_else
                                {
                                    r *= 3.0f;
                                }
                                v_endif;
                            }
                            v_endif;
                        }
                        v_else
                        {
                            r = 30.0f;
                        }
                        v_endif;
                    }
                    v_endif;
                }
                v_endif;
            }
            v_endif;
        }
        v_endif;
    }
    v_endif;
    dst_reg[0] = r;
}

void exponents()
{
    vFloat x = in();
    vInt e = exexp(x);
    vInt m = exman8(x);
    vFloat y = setexp(x, e + 127);
    y = setexp(y, exexp(y, ExponentMode::Biased) - 3);
    vFloat z = setman(y, vUInt(exman9(x)) ^ m);
    dst_reg[0] = copyexp(z, x) + setexp(y, 130);
}

void signs()
{
    vFloat x = in();
    vFloat y = other();
    vFloat a = abs(x);
    vFloat b = setsgn(y, 1);
    vFloat c = copysgn(a, y);
    v_if(b < a)
    {
        c = setsgn(c, x);
    }
    v_endif;
    dst_reg[0] = -c;
}

void integers()
{
    vInt i = reinterpret<vInt>(in());
    vInt j = as<vInt>(other());
    vInt k = (i + j) ^ 0x12345;
    k = k - 77;
    k = (k & 0x7fffffff) | (j - i);
    k += 5000;
    k = 9 - ~k;
    k = abs(vInt(-k)) + 1;
    dst_reg[0] = reinterpret<vFloat>(k);
}

void shifts()
{
    vUInt u = as<vUInt>(in());
    vInt e = exexp(other());
    vUInt a = (u >> 7) ^ (u << 3);
    vUInt b = shft(u, e);
    vUInt c = u >> vUInt(e & 15);
    a ^= b;
    a = (a ^ c) + shft(a, -9);
    dst_reg[0] = as<vFloat>(a);
}

void logic()
{
    vFloat x = in();
    vFloat r = 0.0f;
    v_if((x < 1.0f && x > -1.0f) || x == 4.0f)
    {
        r = 1.0f;
    }
    v_endif;
    v_if(!(x >= 2.0f || x <= -3.0f))
    {
        r += 2.0f;
    }
    v_else
    {
        r += 16.0f;
    }
    v_endif;
    v_if(x != 0.0f && (x <= 0.25f || x > 0.75f) && !(x < 0.0f && x > -5.0f))
    {
        r += 4.0f;
    }
    v_else
    {
        r += 8.0f;
    }
    v_endif;
    dst_reg[0] = r;
}

void integer_tests()
{
    vInt e = exexp(in());
    vInt f = exexp(other());
    vInt r = 0;
    v_if(e < 3)
    {
        r += 1;
    }
    v_endif;
    v_if(e >= -2 && f <= e)
    {
        r += 2;
    }
    v_endif;
    v_if(e == f || 5 < f)
    {
        r |= 4;
    }
    v_else
    {
        r |= 0x10000;
    }
    v_endif;
    v_if(e & 1)
    {
        r += 8;
    }
    v_endif;
    v_if(e != 7)
    {
        v_and(f > 0);
        r += 32;
        v_and(f <= 9 || e == 0);
        r += 64;
    }
    v_endif;
    dst_reg[0] = as<vFloat>(r + (1 << 23));
}

void extremes()
{
    vFloat x = in();
    vFloat y = other();
    vFloat low = min(x, y);
    vFloat high = max(x, 0.5f);
    vec_min_max(low, high);
    vFloat z = clamp(y, -2.0f, 3.0f);
    v_if(z > 0.0f)
    {
        vec_swap(low, high);
    }
    v_endif;
    dst_reg[0] = low;
    dst_reg[0] = (dst_reg[0] + z) - high;
}

void conversions()
{
    vFloat x = in();
    vFloat a = int32_to_float(float_to_int16(x, 0), 0);
    vFloat b = float_to_fp16b(x * 1.01f, 0);
    vFloat c = int32_to_float(vInt(float_to_uint8(x, RoundMode::Nearest)), 0);
    vFloat d = convert<vFloat>(exexp(x), RoundMode::Nearest);
    dst_reg[0] = (a + b) - (c + d);
}

void table8()
{
    vUInt l0 = 0x3dff;
    vUInt l1 = 0x21d8;
    vUInt l2 = 0xff10;
    vFloat x = in();
    dst_reg[0] = lut(x, l0, l1, l2) + lut_sign(other(), l0, l1, l2);
}

void table16()
{
    vUInt a01 = 0x32f433d9u, a23 = 0x300a318au, a45 = 0x7c002a35u;
    vUInt b01 = 0x23c89018u, b23 = 0x30272baau, b45 = 0x37ff34ccu;
    vFloat x = in();
    dst_reg[0] = lut2(x, a01, a23, a45, b01, b23, b45, 0) + 0.5f;
}

void table3()
{
    vFloat x = in();
    vFloat y = lut2_sign(x, 0x3c003800u, 0x34003555u, 0xb8003a00u);
    vFloat z = lut2(y, vFloat(0.5f), vFloat(0.3f), vFloat(-0.25f), vFloat(1.0f), vFloat(2.0f),
                    vFloat(0.1f));
    dst_reg[0] = y + z;
}

void fields()
{
    vFloat x = in();
    vFloat a = addexp(x, -3);
    vFloat b = setman(addexp(x, 2), 0x5a5);
    vInt z = lz(as<vUInt>(x) << 1);
    vInt n = lz_nosgn(as<vInt>(x));
    v_if(z == n)
    {
        a = b;
    }
    v_endif;
    dst_reg[0] = setexp(a, 127) + int32_to_float(z - 1, 0);
}

/* Copies of a variable keep what it had; variables that only branches assign to. */
void copies()
{
    vFloat x = in();
    vFloat y = x;
    vFloat half = 0.3f;
    vFloat third = half;
    vFloat branch;
    v_if(x < 1.0f)
    {
        y = y + x;
        half = y;
        branch = 2.0f;
        v_if(x < -1.0f)
        {
            x = third;
            third += 1.0f;
        }
        v_endif;
    }
    v_else
    {
        branch = half * y;
    }
    v_endif;
    dst_reg[0] = ((x + y) + half) + (third * branch);
}

void constants_init()
{
    vConstFloatPrgm0 = 0.7f;
    vConstFloatPrgm1 = vConst1;
    vConstIntPrgm2 = 0x4b400000;
    l_reg[LRegs::LReg5] = vFloat(1.25f);
}

void constants()
{
    vFloat five = l_reg[LRegs::LReg5];
    vFloat x = in();
    vFloat c = vConstFloatPrgm0;
    vFloat y = x * c + vConstFloatPrgm1;
    y = y * vConst0p8373 + vConstNeg1;
    y = y + as<vFloat>(vInt(vConstIntPrgm2)) * five;
    v_if(vInt(vConstTileId) >= 32)
    {
        y = five;
    }
    v_endif;
    dst_reg[0] = y;
}

void blocks()
{
    vFloat x = in();
    vInt flag = x > 0.0f;
    vFloat r = 1.0f;
    v_block
    {
        v_and(x >= -4.0f);
        r = 2.0f;
        v_and(flag);
        r = 3.0f;
        v_and(x <= 6.0f);
        r = x;
    }
    v_endblock;
    dst_reg[0] = r;
}

/* More constants than registers: they are loaded again where they are read. */
void many()
{
    vFloat a = 0.11f, b = 0.22f, c = 0.33f, d = 0.44f, e = 0.55f, f = 0.66f, g = 0.77f, h = 0.88f;
    vFloat x = in();
    vFloat s = x * a;
    s = s + b * x;
    s = s * c;
    s = s + d * x;
    s = s * e;
    s = s + f * x;
    s = s * g;
    s = s + h * x;
    s = s * a;
    s = s + b * x;
    s = s * c;
    s = s + d * x;
    dst_reg[0] = s;
}

void kinds()
{
    vFloat x = in();
    vFloat r = 0.0f;
    v_if(is_nan(x))
    {
        r = 1.0f;
    }
    v_elseif(is_inf(x))
    {
        r = 2.0f;
    }
    v_elseif(is_zero(x))
    {
        r = 3.0f;
    }
    v_elseif(is_neg(x))
    {
        r = 4.0f;
    }
    v_endif;
    v_if(is_finite(other()))
    {
        r++;
    }
    v_endif;
    dst_reg[0] = r;
}

/* Bits of several results, each at another place. */
vUInt mixed(vUInt r, vUInt next)
{
    return (r << 3) ^ (r >> 29) ^ next;
}

void more_kinds()
{
    vFloat x = in();
    vFloat y = other();
    vFloat r = 0.0f;
    v_if(is_normal(x))
    {
        r = 1.0f;
    }
    v_elseif(is_subnormal(x))
    {
        r = 2.0f;
    }
    v_endif;
    r = setsgn2(r, exman(y, MantissaMode::FractionOnly) >> 16);
    dst_reg[0] = r + symmetric_clamp(y, 3.0f) + rectified_linear_unit(x);
}

void limits()
{
    vUInt u = as<vUInt>(in());
    vUInt a = min(u, 0x3f900000u);
    vUInt b = max(u, 0x3f900000u);
    vUInt c = min(u, 0xc1230000u);
    vUInt d = max(u, 0xc1230000u);
    dst_reg[0] = as<vFloat>(mixed(mixed(a, b), mixed(mixed(c, d), clamp(u, 77u, 0x90000000u))));
}

void nearest()
{
    vFloat x = in();
    vFloat f = round(x);
    vInt n = round(x);
    dst_reg[0] = as<vFloat>(mixed(as<vUInt>(f), as<vUInt>(n)));
}

void draws()
{
    vUInt first = as<vUInt>(sfpi::rand());
    vUInt second = as<vUInt>(sfpi::rand());
    dst_reg[0] = as<vFloat>(mixed(mixed(first, second), as<vUInt>(in())));
}

void stochastic()
{
    vFloat x = in() * 1.01f;
    vUInt r = as<vUInt>(convert<vFloat16b>(x, RoundMode::NearestStochastic));
    r = mixed(r, as<vUInt>(convert<vFloat16a>(x, RoundMode::NearestStochastic)));
    r = mixed(r, float_to_uint8(x));
    r = mixed(r, as<vUInt>(float_to_int8(x)));
    r = mixed(r, float_to_uint16(x));
    r = mixed(r, as<vUInt>(float_to_int16(x)));
    r = mixed(r, as<vUInt>(int32_to_float(as<vInt>(x))));
    r = mixed(r, as<vUInt>(convert<vFloat16b>(x, RoundMode::Nearest)));
    dst_reg[0] = as<vFloat>(r);
}

void descaled()
{
    vInt v = as<vInt>(in());
    vUInt by = as<vUInt>(other()) >> 16;
    vUInt r = int32_to_uint8(v, by, RoundMode::Nearest);
    r = mixed(r, as<vUInt>(int32_to_int8(v, by)));
    r = mixed(r, int32_to_uint8(v, by));
    r = mixed(r, as<vUInt>(int32_to_int8(v, 23u, RoundMode::Nearest)));
    r = mixed(r, int32_to_uint8(v, 22u));
    dst_reg[0] = as<vFloat>(r);
}

void shuffles()
{
    vFloat x = in();
    vUInt turned = as<vUInt>(subvec_shflror1(x));
    dst_reg[0] = as<vFloat>(mixed(turned, as<vUInt>(subvec_shflshr1(x))));
}

void approximations()
{
    vFloat x = in();
    vUInt r = as<vUInt>(approx_recip(x));
    r = mixed(r, as<vUInt>(approx_exp(other())));
    r = mixed(r, as<vUInt>(approx_recip(x, RecipMode::IfNegative)));
    dst_reg[0] = as<vFloat>(mixed(r, as<vUInt>(approx_recip<true>(other()))));
}

void halves()
{
    vFloat x = in() * 1.7f;
    vInt y = as<vInt>(other()) - 12345;
    vUInt r = fractional_mul(x, as<vUInt>(y), FractionalHalf::High);
    r = mixed(r, fractional_mul(x, as<vUInt>(y)));
    dst_reg[0] = as<vFloat>(mixed(r, as<vUInt>(fractional_mul(y, y, FractionalHalf::High))));
}

void toward_zero()
{
    vFloat x = in() * 1.01f;
    vUInt r = as<vUInt>(convert<vFloat16b>(x, RoundMode::Zero));
    dst_reg[0] = as<vFloat>(mixed(r, as<vUInt>(convert<vSMag16>(x, RoundMode::Zero))));
}

struct function {
    const char *name;
    void (*row)();
    void (*init)();
    bool blackhole;
};
#define FUNCTION(name)              \
    {                               \
#name, name, nullptr, false \
    }
const function functions[] = {
    FUNCTION(leaky),
    FUNCTION(steps),
    FUNCTION(polynomial3),
    FUNCTION(products),
    FUNCTION(deep),
    FUNCTION(exponents),
    FUNCTION(signs),
    FUNCTION(integers),
    FUNCTION(shifts),
    FUNCTION(logic),
    FUNCTION(integer_tests),
    FUNCTION(extremes),
    FUNCTION(conversions),
    FUNCTION(table8),
    FUNCTION(table16),
    FUNCTION(table3),
    FUNCTION(fields),
    FUNCTION(copies),
    {"constants", constants, constants_init, false},
    FUNCTION(blocks),
    FUNCTION(many),
    FUNCTION(kinds),
    FUNCTION(more_kinds),
    FUNCTION(limits),
    FUNCTION(nearest),
    FUNCTION(draws),
    FUNCTION(stochastic),
    FUNCTION(descaled),
    FUNCTION(shuffles),
    {"approximations", approximations, nullptr, true},
    {"halves", halves, nullptr, true},
    {"toward_zero", toward_zero, nullptr, true},
};

bool write(const std::string &folder, const function &f, Fuse how)
{
    const std::string path = folder + "/" + f.name + (how == Fuse::mad ? "-mad.s" : "-none.s");
    std::FILE *out = std::fopen(path.c_str(), "w");
    tx_recorder recorder;
    tx_recorder_open(&recorder, TX_RECORD_ARCH);
    tx_record_head(".inputs 2");
    tx_record_into(TX_RECORD_INIT);
    fuse(how);
    if (f.init != nullptr) {
        f.init();
    }
    tx_record_into(TX_RECORD_TILE);
    for (int row = 0; row < 32; row++) {
        f.row();
        dst_reg++;
    }
    const bool good = out != nullptr && tx_recorder_write(&recorder, out);
    if (!good) {
        std::fprintf(stderr, "%s: %s\n", path.c_str(), recorder.error);
    }
    tx_recorder_close(&recorder);
    return out != nullptr && std::fclose(out) == 0 && good;
}

} // namespace

int main(int argc, char **argv)
{
    bool good = argc == 2;
    for (const function &f : functions) {
        if (f.blackhole && !trace::BLACKHOLE) {
            continue;
        }
        good = good && write(argv[1], f, Fuse::none) && write(argv[1], f, Fuse::mad);
    }
    return good ? 0 : 1;
}
