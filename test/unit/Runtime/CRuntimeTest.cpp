// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches through the C interface, on the fake driver.

#include "tile/Runtime/CRuntime.h"

#include "Fakes/FakeDriver.h"

#include <string>

static const char kImage[] = "fake cubin\naxpy\ncount\n";

static const char kMetadata[] = R"({"schema": 1, "kernels": [
  {"name": "axpy", "arch": "sm_90", "block": [128, 1, 1],
   "cluster": [1, 1, 1], "grid": [1, 1, 1], "sharedBytes": 0,
   "arguments": [
     {"name": "alpha", "kind": "scalar", "type": "f32", "access": "read"},
     {"name": "x", "kind": "array", "type": "f32", "access": "read",
      "shape": [null], "strides": [1]},
     {"name": "y", "kind": "array", "type": "f32", "access": "readwrite",
      "shape": [null], "strides": [1]}],
   "entries": [{"symbol": "axpy", "requires": []}],
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
   "tmaDescriptors": []}]})";

/// Takes an error text.
static std::string take(char *error) {
  std::string text = error ? error : "no error";
  tile_free_error(error);
  return text;
}

static tile_kernel *load(const char *name) {
  useFakeDriver();
  char *error = nullptr;
  tile_kernel *kernel =
      tile_kernel_load_data(0, kImage, sizeof kImage, kMetadata, name, &error);
  EXPECT_NE(kernel, nullptr) << take(error);
  return kernel;
}

// The memory of the fake device is that of the host.
TEST(CRuntime, Launches) {
  tile_kernel *kernel = load("axpy");
  float alpha = 2;
  alignas(256) float x[] = {1, 2, 3}, y[] = {10, 20, 30};
  int64_t size = 3;
  const tile_argument arguments[] = {
      {&alpha, -1, nullptr, nullptr, "f32"},
      {x, 1, &size, nullptr, "f32"},
      {y, 1, &size, nullptr, nullptr},
  };
  char *error = nullptr;
  EXPECT_EQ(tile_kernel_launch(kernel, arguments, 3, nullptr, nullptr, nullptr,
                               &error),
            0)
      << take(error);
  EXPECT_EQ(y[0], 12);
  EXPECT_EQ(y[2], 36);

  EXPECT_NE(tile_kernel_launch(kernel, arguments, 2, nullptr, nullptr, nullptr,
                               &error),
            0);
  EXPECT_EQ(take(error),
            "kernel 'axpy': expected 3 arguments (alpha, x, y), found 2");
  const tile_argument wrong[] = {
      arguments[0], {x, 1, &size, nullptr, "f31"}, arguments[2]};
  EXPECT_NE(
      tile_kernel_launch(kernel, wrong, 3, nullptr, nullptr, nullptr, &error),
      0);
  EXPECT_EQ(take(error), "kernel 'axpy': argument 1: expected an element type, "
                         "found 'f31'");
  // The caller need not ask for the text.
  EXPECT_NE(
      tile_kernel_launch(kernel, wrong, 3, nullptr, nullptr, nullptr, nullptr),
      0);
  tile_kernel_free(kernel);
}

TEST(CRuntime, TellsWorkspaces) {
  tile_kernel *kernel = load("count");
  alignas(256) int32_t x[] = {1, 2, 3};
  alignas(256) int64_t out = 0;
  int64_t size = 3, one = 1, bytes = 0;
  const tile_argument arguments[] = {{x, 1, &size, nullptr, nullptr},
                                     {&out, 1, &one, nullptr, nullptr}};
  EXPECT_EQ(tile_kernel_workspaces(kernel, arguments, 2, &bytes, 1, nullptr),
            1);
  EXPECT_EQ(bytes, 24);
  EXPECT_EQ(tile_kernel_workspaces(kernel, arguments, 1, &bytes, 1, nullptr),
            -1);
  const int64_t grid[3] = {1, 1, 1};
  char *error = nullptr;
  EXPECT_EQ(
      tile_kernel_launch(kernel, arguments, 2, grid, nullptr, nullptr, &error),
      0)
      << take(error);
  EXPECT_EQ(out, 6);
  EXPECT_NE(tile_kernel_launch(kernel, arguments, 2, nullptr, nullptr, nullptr,
                               &error),
            0);
  EXPECT_EQ(take(error), "kernel 'count': expected a grid, as the kernel's "
                         "metadata states none");
  tile_kernel_free(kernel);
}

TEST(CRuntime, ReportsWhatCannotBeLoaded) {
  useFakeDriver();
  char *error = nullptr;
  EXPECT_EQ(
      tile_kernel_load_data(0, kImage, sizeof kImage, "{}", "axpy", &error),
      nullptr);
  EXPECT_EQ(take(error), "metadata: expected key 'schema', found none");
  EXPECT_EQ(tile_kernel_load(0, "no/such.cubin", nullptr, "axpy", &error),
            nullptr);
  EXPECT_EQ(take(error),
            "cannot read 'no/such.json': No such file or directory");
  EXPECT_EQ(tile_kernel_load(3, "no/such.cubin", nullptr, "axpy", nullptr),
            nullptr);
  tile_kernel_free(nullptr);
}
