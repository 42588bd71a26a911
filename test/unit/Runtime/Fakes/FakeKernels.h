// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===- FakeKernels.h - kernels that are functions of the host ---*- C++ -*-===//
//
// Kernels that the fake driver and the fake compiler run instead of compiled
// code. Each reads its parameters from the flat list of the ABI and does the
// work of the whole grid. Their metadata is in
// test/tools/tile-run/Inputs/fake.json.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TEST_UNIT_RUNTIME_FAKEKERNELS_H
#define TILE_TEST_UNIT_RUNTIME_FAKEKERNELS_H

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace fake {

/// The stream of the fake driver that is always being captured.
inline void *const kCapturingStream = reinterpret_cast<void *>(0x100);
/// A stream that belongs to no context of the device.
inline void *const kForeignStream = reinterpret_cast<void *>(0x200);

struct Dimensions {
  int64_t x, y, z;
};

/// Reads one parameter after the other.
class Parameters {
public:
  explicit Parameters(void **values) : values(values) {}

  template <typename T>
  T next() {
    T value;
    std::memcpy(&value, *values++, sizeof value);
    return value;
  }

private:
  void **values;
};

/// axpy(alpha: f32, x: f32[?], y: f32[?]): y += alpha * x
inline void axpy(Parameters parameters, Dimensions, Dimensions) {
  auto alpha = parameters.next<float>();
  auto *x = parameters.next<const float *>();
  auto n = parameters.next<int64_t>();
  auto *y = parameters.next<float *>();
  for (int64_t i = 0; i < n; ++i)
    y[i] += alpha * x[i];
}

/// probe(a: f16[?,?] strides [?,1], s: i8, flag: i1, c: complex<f32>, n: index,
/// h: bf16, out: i64[16]): out = everything that was passed
inline void probe(Parameters parameters, Dimensions grid, Dimensions block) {
  auto *a = parameters.next<const uint16_t *>();
  std::vector<int64_t> seen = {a[0]};
  for (int i = 0; i < 3; ++i) // Two sizes, one stride.
    seen.push_back(parameters.next<int64_t>());
  seen.push_back(parameters.next<int8_t>());
  seen.push_back(parameters.next<uint8_t>());
  struct {
    float real, imaginary;
  } c = parameters.next<decltype(c)>();
  seen.push_back(static_cast<int64_t>(c.real));
  seen.push_back(static_cast<int64_t>(c.imaginary));
  seen.push_back(parameters.next<int64_t>());
  seen.push_back(parameters.next<uint16_t>());
  for (int64_t extent : {grid.x, grid.y, grid.z, block.x, block.y, block.z})
    seen.push_back(extent);
  auto *out = parameters.next<int64_t *>();
  std::memcpy(out, seen.data(), seen.size() * sizeof(int64_t));
}

/// count(x: i32[?], out: i64[1]) with a workspace of n i64 that must be zero:
/// out = sum of x
inline void count(Parameters parameters, Dimensions, Dimensions) {
  auto *x = parameters.next<const int32_t *>();
  auto n = parameters.next<int64_t>();
  auto *out = parameters.next<int64_t *>();
  auto *workspace = parameters.next<int64_t *>();
  int64_t sum = 0;
  for (int64_t i = 0; i < n; ++i) {
    workspace[i] += x[i];
    sum += workspace[i];
  }
  *out = sum;
}

/// copy(a: f32[?,?] strides [?,?], out: f32[?,?] strides [?,?])
inline void copy(Parameters parameters, Dimensions, Dimensions) {
  auto *a = parameters.next<const float *>();
  auto rows = parameters.next<int64_t>(), columns = parameters.next<int64_t>();
  auto aRow = parameters.next<int64_t>(), aColumn = parameters.next<int64_t>();
  auto *out = parameters.next<float *>();
  parameters.next<int64_t>(), parameters.next<int64_t>();
  auto outRow = parameters.next<int64_t>(),
       outColumn = parameters.next<int64_t>();
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      out[i * outRow + j * outColumn] = a[i * aRow + j * aColumn];
}

/// columns(a: f32[4,3] strides [1,4], out: f32[4,3] strides [1,6]): out = a,
/// stored with gaps
inline void columns(Parameters parameters, Dimensions, Dimensions) {
  auto *a = parameters.next<const float *>();
  auto *out = parameters.next<float *>();
  for (int64_t i = 0; i < 4; ++i)
    for (int64_t j = 0; j < 3; ++j)
      out[i + 6 * j] = a[i + 4 * j];
}

/// negate(a: i1[?], out: i1[?])
inline void negate(Parameters parameters, Dimensions, Dimensions) {
  auto *a = parameters.next<const uint8_t *>();
  auto n = parameters.next<int64_t>();
  auto *out = parameters.next<uint8_t *>();
  for (int64_t i = 0; i < n; ++i)
    out[i] = !a[i];
}

/// nothing(out: f32[4]): writes nothing
inline void nothing(Parameters, Dimensions, Dimensions) {}

struct FakeKernel {
  const char *name;
  void (*run)(Parameters, Dimensions grid, Dimensions block);
  /// Sizes of the parameters in bytes.
  std::vector<size_t> parameterBytes;
};

/// Returns the kernel of an entry point, or null; "axpy_promised" is axpy.
inline const FakeKernel *findKernel(std::string name) {
  static const std::vector<FakeKernel> kernels = {
      {"axpy", axpy, {4, 8, 8, 8, 8}},
      {"probe", probe, {8, 8, 8, 8, 1, 1, 8, 8, 2, 8}},
      {"count", count, {8, 8, 8, 8}},
      {"copy", copy, {8, 8, 8, 8, 8, 8, 8, 8, 8, 8}},
      {"columns", columns, {8, 8}},
      {"negate", negate, {8, 8, 8, 8}},
      {"nothing", nothing, {8}},
      {"fail", nothing, {8}},
  };
  name = name.substr(0, name.find('_'));
  for (const FakeKernel &kernel : kernels)
    if (name == kernel.name)
      return &kernel;
  return nullptr;
}

} // namespace fake

#endif // TILE_TEST_UNIT_RUNTIME_FAKEKERNELS_H
