// DeviceMath.cpp - arithmetic of a GPU, computed on the host
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Emulator/DeviceMath.h"

#include <cmath>
#include <cstring>
#include <iterator>

using namespace tile::emulator;

//===----------------------------------------------------------------------===//
// Short floats
//===----------------------------------------------------------------------===//

namespace {
/// A binary format of at most 16 bits: sign, exponent, mantissa.
struct Format {
  int exponentBits;
  int mantissaBits;
  /// The code of values that are too large: infinity, or the largest finite
  /// value.
  uint16_t largest;
  /// The code of a quiet NaN.
  uint16_t nan;

  constexpr int bias() const { return (1 << (exponentBits - 1)) - 1; }
  constexpr uint16_t sign() const {
    return uint16_t(1 << (exponentBits + mantissaBits));
  }
};

constexpr Format kHalf = {5, 10, 0x7c00, 0x7e00};
constexpr Format kBFloat = {8, 7, 0x7f80, 0x7fc0};
// The formats of cvt.satfinite, in which large values become the largest finite
// one. E4M3FN has no infinities.
constexpr Format kE4M3 = {4, 3, 0x7e, 0x7f};
constexpr Format kE5M2 = {5, 2, 0x7b, 0x7f};
} // namespace

/// Returns the bits of `magnitude` > 0, rounded to the nearest value of the
/// format, ties to even, and limited to `largest`. Bits of a format, as
/// integers, are ordered like the values, so a mantissa that overflows to the
/// exponent gives the next value.
static uint16_t roundMagnitude(double magnitude, Format format) {
  int exponent;
  std::frexp(magnitude, &exponent); // magnitude is in [2^(e-1), 2^e)
  int field = exponent - 1 + format.bias();
  if (field >= 1 << format.exponentBits)
    return format.largest;
  // The last bit of a denormal has the same weight as the last bit of the
  // smallest normal value.
  int unit = (field < 1 ? 1 : field) - format.bias() - format.mantissaBits;
  // Exact by the choice of unit; nearbyint rounds to even by default.
  int code = int(std::nearbyint(std::ldexp(magnitude, -unit)));
  if (field >= 1)
    code += (field - 1) << format.mantissaBits;
  return code < format.largest ? uint16_t(code) : format.largest;
}

static uint16_t roundTo(double value, Format format) {
  uint16_t sign = std::signbit(value) ? format.sign() : 0;
  if (std::isnan(value))
    return sign | format.nan;
  if (std::isinf(value))
    return sign | format.largest;
  return value == 0 ? sign : sign | roundMagnitude(std::fabs(value), format);
}

/// Returns the value of a code that is neither an infinity nor a NaN.
static double widenFinite(uint16_t code, Format format) {
  int mantissa = code & ((1 << format.mantissaBits) - 1);
  int field = (code & (format.sign() - 1)) >> format.mantissaBits;
  int unit = (field < 1 ? 1 : field) - format.bias() - format.mantissaBits;
  if (field > 0)
    mantissa += 1 << format.mantissaBits;
  double value = std::ldexp(mantissa, unit);
  return code & format.sign() ? -value : value;
}

/// Returns the value of a code, which may be an infinity or a NaN. The format
/// has infinities.
static double widenWithInfinity(uint16_t code, Format format) {
  int magnitude = code & (format.sign() - 1);
  int infinity = ((1 << format.exponentBits) - 1) << format.mantissaBits;
  if (magnitude < infinity)
    return widenFinite(code, format);
  double value = magnitude == infinity ? INFINITY : std::nan("");
  return code & format.sign() ? -value : value;
}

uint16_t tile::emulator::roundToHalf(double value) {
  return roundTo(value, kHalf);
}
uint16_t tile::emulator::roundToBFloat(double value) {
  return roundTo(value, kBFloat);
}
double tile::emulator::widenHalf(uint16_t bits) {
  return widenWithInfinity(bits, kHalf);
}
double tile::emulator::widenBFloat(uint16_t bits) {
  return widenWithInfinity(bits, kBFloat);
}

// Codes are passed in 32 bits, so that callers need not specify how they are
// extended.

static uint32_t floatToE4M3(float value) { return roundTo(value, kE4M3); }
static uint32_t floatToE5M2(float value) { return roundTo(value, kE5M2); }
static uint32_t e4m3ToHalf(uint32_t code) {
  if ((code & 0x7f) == 0x7f)
    return kHalf.nan | (code & 0x80) << 8;
  return roundToHalf(widenFinite(uint16_t(code), kE4M3));
}
/// Returns an f16 with the e5m2 code as its upper byte, since an e5m2 value is
/// an f16 without its lower byte.
static uint32_t e5m2ToHalf(uint32_t code) { return code << 8 & 0xffff; }

static uint32_t getBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// Adds `rounding` to the bits of an f32, below the last bit that tf32 has, and
/// clears the 13 bits that tf32 does not have. Infinities and NaNs are
/// unchanged.
static uint32_t clearForTF32(float value, uint32_t rounding) {
  constexpr uint32_t kKept = ~0x1fffu;
  uint32_t bits = getBits(value);
  if (std::isnan(value))
    return 0x7fffffff & kKept;
  return std::isinf(value) ? bits : (bits + rounding) & kKept;
}
/// These functions round to tf32: to nearest with ties away from zero, to
/// nearest with ties to even, and towards zero (PTX ISA, "cvt").
static uint32_t floatToTF32Away(float value) {
  return clearForTF32(value, 0x1000);
}
static uint32_t floatToTF32Even(float value) {
  return clearForTF32(value, 0xfff + (getBits(value) >> 13 & 1));
}
static uint32_t floatToTF32Zero(float value) { return clearForTF32(value, 0); }

/// Executes prmt.b32: each byte of the result is one of the eight bytes of
/// `low` and `high`, or consists of copies of its sign bit.
static uint32_t permuteBytes(uint32_t low, uint32_t high, uint32_t selector) {
  uint64_t bytes = uint64_t(high) << 32 | low;
  uint32_t result = 0;
  for (int i = 0; i < 4; ++i) {
    uint32_t select = selector >> (4 * i) & 0xf;
    uint32_t byte = bytes >> (8 * (select & 7)) & 0xff;
    if (select & 8)
      byte = byte & 0x80 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}

/// Returns a + b rounded to odd: if the sum is not exact, the result is the
/// adjacent value whose last bit is one. Rounding the result to a shorter
/// format is then the same as rounding the exact sum (Boldo and Melquiond,
/// "Emulation of FMA and correctly rounded sums", 2008).
static double addToOdd(double a, double b) {
  double sum = a + b;
  if (!std::isfinite(sum))
    return sum;
  double bPart = sum - a, aPart = sum - bPart;
  double error = (a - aPart) + (b - bPart); // Knuth's two-sum: exact
  uint64_t bits;
  std::memcpy(&bits, &sum, sizeof bits);
  if (error != 0 && bits % 2 == 0)
    sum = std::nextafter(sum, error > 0 ? INFINITY : -INFINITY);
  return sum;
}

/// Converts an integer to f64, rounded to odd like the result of addToOdd.
static double toOdd(uint64_t magnitude) {
  constexpr int kDropped = 64 - 53;
  if (magnitude >> 53) {
    uint64_t low = magnitude & ((1u << kDropped) - 1);
    magnitude = (magnitude - low) | uint64_t(low != 0) << kDropped;
  }
  return double(magnitude);
}

/// Returns a b + c, rounded once. The multiplication is exact in f64: its
/// result has at most 22 bits, and the mantissa of an f64 has 53.
static uint32_t fuseHalf(uint32_t a, uint32_t b, uint32_t c) {
  return roundToHalf(addToOdd(widenHalf(uint16_t(a)) * widenHalf(uint16_t(b)),
                              widenHalf(uint16_t(c))));
}
static uint32_t fuseBFloat(uint32_t a, uint32_t b, uint32_t c) {
  return roundToBFloat(
      addToOdd(widenBFloat(uint16_t(a)) * widenBFloat(uint16_t(b)),
               widenBFloat(uint16_t(c))));
}

static uint32_t signedToBFloat(int64_t value) {
  uint64_t magnitude = value < 0 ? 0 - uint64_t(value) : uint64_t(value);
  return roundToBFloat(value < 0 ? -toOdd(magnitude) : toOdd(magnitude));
}
static uint32_t unsignedToBFloat(uint64_t value) {
  return roundToBFloat(toOdd(value));
}

// LLVM passes and returns f16 and bf16 in the registers of a float (x86-64
// psABI: the low half of an SSE register). So the library functions take and
// return floats, of which only the low 16 bits are used.

static float toLowBits(uint16_t bits) {
  uint32_t whole = bits;
  float value;
  std::memcpy(&value, &whole, sizeof value);
  return value;
}
static uint16_t getLowBits(float value) { return uint16_t(getBits(value)); }

static float truncateFloatToHalf(float value) {
  return toLowBits(roundToHalf(value));
}
static float truncateDoubleToHalf(double value) {
  return toLowBits(roundToHalf(value));
}
/// Rounds to bf16. LLVM widens a bf16 that is carried over a branch, and calls
/// this function to convert it back: such a value, also a NaN, keeps its bits.
static float truncateFloatToBFloat(float value) {
  uint32_t bits = getBits(value);
  bool isWidened = (bits & 0xffff) == 0;
  return toLowBits(isWidened ? uint16_t(bits >> 16) : roundToBFloat(value));
}
static float truncateDoubleToBFloat(double value) {
  return toLowBits(roundToBFloat(value));
}
static float extendHalfToFloat(float value) {
  return float(widenHalf(getLowBits(value)));
}

//===----------------------------------------------------------------------===//
// Functions that glibc does not have, or that differ from glibc's
//===----------------------------------------------------------------------===//

static double rsqrt(double x) { return 1 / std::sqrt(x); }

/// Returns the larger value; -0 is less than +0, and of a NaN and another
/// value, the other value is returned (PTX ISA, "max").
static double greater(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? b : a;
  return a == b ? (std::signbit(a) ? b : a) : (a > b ? a : b);
}
static double lesser(double a, double b) { return -greater(-a, -b); }

static double power(double base, int exponent) {
  return std::pow(base, exponent);
}
static float powerF32(float base, int exponent) {
  return float(std::pow(double(base), exponent));
}

static void sineAndCosine(double x, double *sine, double *cosine) {
  *sine = std::sin(x);
  *cosine = std::cos(x);
}
static void sineAndCosineF32(float x, float *sine, float *cosine) {
  *sine = float(std::sin(double(x)));
  *cosine = float(std::cos(double(x)));
}

/// Returns 2^x, where subnormal arguments and results are zero (PTX ISA,
/// "ex2").
static float exp2Flushed(float x) {
  double result = std::exp2(double(x));
  return result < 0x1p-126 ? 0.0f : float(result);
}

/// Returns 1 / x, where subnormal arguments and results are zero (PTX ISA,
/// "rcp.approx").
static float reciprocalFlushed(float x) {
  auto flush = [](float value) {
    return std::fabs(value) < 0x1p-126f ? std::copysign(0.0f, value) : value;
  };
  return flush(1 / flush(x));
}

/// Returns the upper half of the reciprocal of the upper half of `x`, where
/// subnormal arguments and results are zero (PTX ISA, "rcp.approx.ftz.f64").
static double reciprocalOfUpperHalf(double x) {
  auto flush = [](double value) {
    if (std::fabs(value) < 0x1p-1022)
      return std::copysign(0.0, value);
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    bits &= ~uint64_t(0) << 32;
    std::memcpy(&value, &bits, sizeof(bits));
    return value;
  };
  return std::isnan(x) ? x : flush(1 / flush(x));
}

static int isNan(double x) { return std::isnan(x); }
static int isNanF32(float x) { return std::isnan(x); }
static int isInfinite(double x) { return std::isinf(x); }
static int isInfiniteF32(float x) { return std::isinf(x); }
static int isFinite(double x) { return std::isfinite(x); }
static int isFiniteF32(float x) { return std::isfinite(x); }
static int absolute(int x) { return x < 0 ? int(0u - unsigned(x)) : x; }

/// Computes a function of f32 by the function for f64.
template <double (*Function)(double)>
static float narrow(float x) {
  return float(Function(x));
}
template <double (*Function)(double, double)>
static float narrow(float x, float y) {
  return float(Function(x, y));
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

template <typename Result, typename... Arguments>
static void *addressOf(Result (*function)(Arguments...)) {
  return reinterpret_cast<void *>(function);
}

using Unary = double (*)(double);
using Binary = double (*)(double, double);

// An error of a few units in f64 is less than 2^-20 of a unit in f32.
#define TILE_UNARY(NAME, FUNCTION, ULP)                                        \
  {"__nv_" NAME, addressOf(Unary(FUNCTION)), ULP},                             \
      {"__nv_" NAME "f", addressOf<float, float>(narrow<FUNCTION>),            \
       (ULP) > 0 ? 0.51 : 0}
#define TILE_BINARY(NAME, FUNCTION, ULP)                                       \
  {"__nv_" NAME, addressOf(Binary(FUNCTION)), ULP},                            \
      {"__nv_" NAME "f", addressOf<float, float, float>(narrow<FUNCTION>),     \
       (ULP) > 0 ? 0.51 : 0}
#define TILE_FAST(NAME, FUNCTION)                                              \
  {"__nv_fast_" NAME "f", addressOf<float, float>(narrow<FUNCTION>), 0.51}

static const DeviceFunction kConversions[] = {
    {"__extendhfsf2", addressOf(extendHalfToFloat), 0},
    {"__truncdfbf2", addressOf(truncateDoubleToBFloat), 0.5},
    {"__truncdfhf2", addressOf(truncateDoubleToHalf), 0.5},
    {"__truncsfbf2", addressOf(truncateFloatToBFloat), 0.5},
    {"__truncsfhf2", addressOf(truncateFloatToHalf), 0.5},
};

static const DeviceFunction kFunctions[] = {
    // libdevice, in f64 and f32.
    TILE_UNARY("acos", ::acos, 1),
    TILE_UNARY("acosh", ::acosh, 2),
    TILE_UNARY("asin", ::asin, 1),
    TILE_UNARY("asinh", ::asinh, 2),
    TILE_UNARY("atan", ::atan, 1),
    TILE_BINARY("atan2", ::atan2, 1),
    TILE_UNARY("atanh", ::atanh, 2),
    TILE_UNARY("cbrt", ::cbrt, 4),
    TILE_UNARY("ceil", ::ceil, 0),
    TILE_BINARY("copysign", ::copysign, 0),
    TILE_UNARY("cos", ::cos, 1),
    TILE_UNARY("cosh", ::cosh, 2),
    TILE_UNARY("erf", ::erf, 1),
    TILE_UNARY("erfc", ::erfc, 5),
    TILE_UNARY("exp", ::exp, 1),
    TILE_UNARY("exp2", ::exp2, 1),
    TILE_UNARY("expm1", ::expm1, 1),
    TILE_UNARY("fabs", ::fabs, 0),
    TILE_UNARY("floor", ::floor, 0),
    TILE_BINARY("fmax", greater, 0),
    TILE_BINARY("fmin", lesser, 0),
    TILE_BINARY("fmod", ::fmod, 0),
    TILE_UNARY("log", ::log, 1),
    TILE_UNARY("log10", ::log10, 2),
    TILE_UNARY("log1p", ::log1p, 1),
    TILE_UNARY("log2", ::log2, 1),
    TILE_BINARY("pow", ::pow, 1),
    TILE_UNARY("rint", ::rint, 0),
    TILE_UNARY("round", ::round, 0),
    TILE_UNARY("rsqrt", rsqrt, 1.5),
    TILE_UNARY("sin", ::sin, 1),
    TILE_UNARY("sinh", ::sinh, 2),
    TILE_UNARY("sqrt", ::sqrt, 0.5),
    TILE_UNARY("tan", ::tan, 1),
    TILE_UNARY("tanh", ::tanh, 2),
    TILE_UNARY("trunc", ::trunc, 0),
    // Further functions of libdevice.
    {"__nv_abs", addressOf(absolute), 0},
    {"__nv_fma", addressOf<double, double, double, double>(::fma), 0.5},
    {"__nv_fmaf", addressOf<float, float, float, float>(::fmaf), 0.5},
    {"__nv_finitef", addressOf(isFiniteF32), 0},
    {"__nv_isfinited", addressOf(isFinite), 0},
    {"__nv_isinfd", addressOf(isInfinite), 0},
    {"__nv_isinff", addressOf(isInfiniteF32), 0},
    {"__nv_isnand", addressOf(isNan), 0},
    {"__nv_isnanf", addressOf(isNanF32), 0},
    {"__nv_powi", addressOf(power), 1},
    {"__nv_powif", addressOf(powerF32), 0.51},
    {"__nv_sincos", addressOf(sineAndCosine), 1},
    {"__nv_sincosf", addressOf(sineAndCosineF32), 0.51},
    // The fast functions of libdevice. The emulator computes them accurately.
    TILE_FAST("cos", ::cos),
    TILE_FAST("exp", ::exp),
    TILE_FAST("log", ::log),
    TILE_FAST("log10", ::log10),
    TILE_FAST("log2", ::log2),
    TILE_FAST("sin", ::sin),
    TILE_FAST("tan", ::tan),
    {"__nv_fast_powf", addressOf<float, float, float>(narrow<::pow>), 0.51},
    {"__nv_fast_sincosf", addressOf(sineAndCosineF32), 0.51},
    // Functions that -convert-nvvm-to-emulator calls for conversions and packed
    // registers.
    {"tile_emulator_e4m3_to_f16", addressOf(e4m3ToHalf), 0},
    {"tile_emulator_e5m2_to_f16", addressOf(e5m2ToHalf), 0},
    {"tile_emulator_f32_to_e4m3", addressOf(floatToE4M3), 0.5},
    {"tile_emulator_f32_to_e5m2", addressOf(floatToE5M2), 0.5},
    {"tile_emulator_f32_to_tf32_rn", addressOf(floatToTF32Even), 0.5},
    {"tile_emulator_f32_to_tf32_rna", addressOf(floatToTF32Away), 0.5},
    {"tile_emulator_f32_to_tf32_rz", addressOf(floatToTF32Zero), 1},
    {"tile_emulator_ex2_ftz", addressOf(exp2Flushed), 0.51},
    {"tile_emulator_rcp_ftz", addressOf(reciprocalFlushed), 0.5},
    {"tile_emulator_rcp_ftz_f64", addressOf(reciprocalOfUpperHalf), 0x1p34},
    {"tile_emulator_prmt", addressOf(permuteBytes), 0},
    {"tile_emulator_fma_f16", addressOf(fuseHalf), 0.5},
    {"tile_emulator_fma_bf16", addressOf(fuseBFloat), 0.5},
    {"tile_emulator_i64_to_bf16", addressOf(signedToBFloat), 0.5},
    {"tile_emulator_u64_to_bf16", addressOf(unsignedToBFloat), 0.5},
};

DeviceFunctions tile::emulator::getDeviceFunctions() {
  return {kFunctions, std::size(kFunctions)};
}

DeviceFunctions tile::emulator::getHalfConversions() {
  return {kConversions, std::size(kConversions)};
}

const DeviceFunction *
tile::emulator::findDeviceFunction(std::string_view name) {
  for (DeviceFunctions functions : {getDeviceFunctions(), getHalfConversions()})
    for (const DeviceFunction &function : functions)
      if (name == function.name)
        return &function;
  return nullptr;
}
