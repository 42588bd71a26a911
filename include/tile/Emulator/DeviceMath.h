// DeviceMath.h - arithmetic of a GPU on the host
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that a compiled kernel calls and that need only the values of one
// thread: those of libdevice (`__nv_expf`), the conversions to 16-bit floats
// that LLVM leaves to a library (`__truncsfbf2`) or would round twice, and
// instructions of one thread that the host does not have.

#ifndef TILE_EMULATOR_DEVICEMATH_H
#define TILE_EMULATOR_DEVICEMATH_H

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tile::emulator {

/// A function that compiled code calls, with its name and signature.
struct DeviceFunction {
  const char *name;
  void *address;
  /// The greatest error in ulp, units of the last digit of the exact result:
  /// 0.5 is correctly rounded, 0 exact. For f64, glibc's bounds (its manual,
  /// "Known Maximum Errors in Math Functions"); f32 functions are computed in
  /// f64.
  double ulp;
};

/// A list of device functions.
struct DeviceFunctions {
  const DeviceFunction *first;
  size_t count;
  const DeviceFunction *begin() const { return first; }
  const DeviceFunction *end() const { return first + count; }
};

/// The functions that only compiled kernels call.
DeviceFunctions getDeviceFunctions();

/// Returns the conversions of 16-bit floats that LLVM leaves to a library. Not
/// every host has them, so kernels on the CPU path call these, too.
DeviceFunctions getHalfConversions();

/// Returns the function of either list that has the name `name`, or null.
const DeviceFunction *findDeviceFunction(std::string_view name);

/// Round `value` to f16 and to bf16, to nearest, ties to even. A NaN keeps its
/// sign and becomes quiet.
uint16_t roundToHalf(double value);
uint16_t roundToBFloat(double value);
/// Convert the bits of an f16 and of a bf16 to f64; exact.
double widenHalf(uint16_t bits);
double widenBFloat(uint16_t bits);

} // namespace tile::emulator

#endif // TILE_EMULATOR_DEVICEMATH_H
