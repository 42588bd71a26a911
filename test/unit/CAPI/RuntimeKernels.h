// RuntimeKernels.h - kernels of the fake driver, loaded by the C library
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TEST_UNIT_CAPI_RUNTIMEKERNELS_H
#define TILE_TEST_UNIT_CAPI_RUNTIMEKERNELS_H

#include "Fakes/FakeDriver.h"

#include "tile-c/Runtime.h"

/// The fake binary with the kernels of kMetadata.
inline constexpr char kImage[] = "fake cubin\naxpy\naxpy_promised\ncount\n";

/// axpy also has a variant for pointers aligned to 256 bytes; count has a
/// workspace and no grid. The function total counts all elements of x, and all
/// but the first one.
inline constexpr char kMetadata[] = R"({"schema": 1, "kernels": [
  {"name": "axpy", "arch": "sm_90", "block": [128, 1, 1],
   "cluster": [1, 1, 1], "grid": [["min", 1, ["size", 1, 0]], 1, 1],
   "sharedBytes": 64,
   "arguments": [
     {"name": "alpha", "kind": "scalar", "type": "f32", "access": "read"},
     {"name": "x", "kind": "array", "type": "f32", "access": "read",
      "shape": [null], "strides": [1]},
     {"name": "y", "kind": "array", "type": "f32", "access": "readwrite",
      "shape": [null], "strides": [1]}],
   "entries": [
     {"symbol": "axpy_promised",
      "requires": [{"argument": 1, "what": "pointer", "multipleOf": 256}],
      "registers": 32, "spillStoreBytes": 0, "spillLoadBytes": 8,
      "stackBytes": 16},
     {"symbol": "axpy", "requires": []}],
   "hiddenArguments": [], "tmaDescriptors": []},
  {"name": "count", "arch": "sm_90", "block": [1, 1, 1],
   "cluster": [1, 1, 1], "grid": null, "sharedBytes": 0,
   "arguments": [
     {"name": "x", "kind": "array", "type": "i32", "access": "read",
      "shape": [null], "strides": [1]},
     {"name": "out", "kind": "array", "type": "i64", "access": "write",
      "shape": [1], "strides": [1]}],
   "entries": [{"symbol": "count", "requires": []}],
   "hiddenArguments": [
     {"kind": "workspace", "bytes": ["*", 8, ["size", 0, 0]], "zero": true}],
   "tmaDescriptors": []}],
 "functions": [
  {"name": "total",
   "arguments": [
     {"name": "x", "kind": "array", "type": "i32", "access": "read",
      "shape": [null], "strides": [1]},
     {"name": "sums", "kind": "array", "type": "i64", "access": "write",
      "shape": [2], "strides": [1]}],
   "temporaries": [],
   "launches": [
     {"kernel": "count", "grid": [1, 1, 1], "arguments": [
       {"array": "argument", "index": 0, "offset": 0,
        "shape": [["size", 0, 0]], "strides": [1]},
       {"array": "argument", "index": 1, "offset": 0, "shape": [1],
        "strides": [1]}]},
     {"kernel": "count", "grid": [1, 1, 1], "arguments": [
       {"array": "argument", "index": 0, "offset": 1,
        "shape": [["-", ["size", 0, 0], 1]], "strides": [1]},
       {"array": "argument", "index": 1, "offset": 1, "shape": [1],
        "strides": [1]}]}]}]})";

#define EXPECT_GOOD(CALL)                                                      \
  EXPECT_EQ(CALL, TILE_STATUS_OK) << tile_runtime_last_error()
#define EXPECT_ERROR(CALL, STATUS, TEXT)                                       \
  EXPECT_EQ(CALL, STATUS);                                                     \
  EXPECT_STREQ(tile_runtime_last_error(), TEXT)

/// Fixture that loads the kernels; the memory of the fake device is the host's.
class RuntimeC : public ::testing::Test {
protected:
  void SetUp() override {
    EXPECT_GOOD(tile_device_open(TILE_API_VERSION, 0, &device));
    EXPECT_GOOD(
        tile_module_load(device, kImage, sizeof kImage, kMetadata, &module));
    EXPECT_GOOD(tile_module_get_kernel(module, "axpy", &axpy));
    EXPECT_GOOD(tile_module_get_kernel(module, "count", &count));
  }
  /// Destroys parents first: an object outlives the handle from which it was
  /// made.
  void TearDown() override {
    EXPECT_GOOD(tile_device_destroy(device));
    EXPECT_GOOD(tile_module_destroy(module));
    EXPECT_GOOD(tile_kernel_destroy(axpy));
    EXPECT_GOOD(tile_kernel_destroy(count));
  }

  FakeDriver driver;
  tile_device *device = nullptr;
  tile_module *module = nullptr;
  tile_kernel *axpy = nullptr, *count = nullptr;

  float alpha = 2;
  alignas(256) float x[3] = {1, 2, 3};
  alignas(256) float y[3] = {10, 20, 30};
  int64_t size = 3, one = 1, grid[3] = {1, 1, 1};
  tile_argument forAxpy[3] = {
      {sizeof(tile_argument), &alpha, TILE_SCALAR, nullptr, nullptr, "f32"},
      {sizeof(tile_argument), x, 1, &size, nullptr, "f32"},
      {sizeof(tile_argument), y, 1, &size, nullptr, nullptr}};

  alignas(256) int32_t counted[3] = {1, 2, 3};
  alignas(256) int64_t out = 0;
  tile_argument forCount[2] = {
      {sizeof(tile_argument), counted, 1, &size, nullptr, nullptr},
      {sizeof(tile_argument), &out, 1, &one, nullptr, nullptr}};
};

#endif // TILE_TEST_UNIT_CAPI_RUNTIMEKERNELS_H
