// LaunchArguments.h - arguments for one launch of any kernel
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TEST_LIB_LAUNCHARGUMENTS_H
#define TILE_TEST_LIB_LAUNCHARGUMENTS_H

#include "tile/Execution/EmulatorJit.h"
#include "tile/Runtime/KernelMetadata.h"

#include <memory>
#include <random>
#include <vector>

namespace tile::test {

/// Parameters of one launch.
struct LaunchShape {
  /// Extent of every dynamic dimension of the arrays.
  int64_t size;
  /// Value of every integer scalar.
  int64_t scalar;
  /// Offset of the arrays in elements from an address that is a multiple of
  /// 256.
  int64_t shift;
  uint64_t seed;
};

/// Arguments of one launch in memory, determined by the kernel and the launch
/// shape: arrays of random normally distributed values, or of small integers.
class LaunchArguments {
public:
  LaunchArguments(const runtime::KernelMetadata &kernel,
                  const LaunchShape &shape);

  EmulatorRun getRun(llvm::StringRef entry);
  /// Returns the current bytes of all arrays, concatenated.
  std::vector<char> getResult() const;

  std::vector<runtime::ArgumentFacts> facts;

private:
  void addArray(const runtime::Argument &argument, const LaunchShape &shape);
  void addMemory(size_t bytes, size_t shift);

  std::mt19937_64 random;
  std::vector<std::unique_ptr<char[]>> memory;
  std::vector<EmulatorArray> arrays;
  std::vector<uint64_t> cells;
  std::vector<void *> parameters;
};

} // namespace tile::test

#endif // TILE_TEST_LIB_LAUNCHARGUMENTS_H
