// LaunchValues.h - integers that are known for one launch
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sizes of a launch fix the bounds of a kernel's loops and the conditions
// of its branches, of which a kernel for any sizes knows neither.

#ifndef TILE_ANALYSIS_LAUNCHVALUES_H
#define TILE_ANALYSIS_LAUNCHVALUES_H

#include "tile/IR/Tile.h"

#include <array>
#include <optional>
#include <vector>

namespace tile {

/// An argument of a launch.
struct LaunchArgument {
  /// The sizes of an array; empty for a scalar.
  std::vector<int64_t> sizes;
  /// The value of an integer scalar.
  std::optional<int64_t> integer;
};

/// The arguments of a launch, and its grid: the number of blocks along x, y, z.
struct LaunchSizes {
  std::vector<LaunchArgument> arguments;
  std::array<int64_t, 3> grid = {1, 1, 1};

  int64_t getNumBlocks() const { return grid[0] * grid[1] * grid[2]; }
};

/// The integers that one block of a launch computes. They are evaluated by the
/// folds of the operations.
class LaunchValues {
public:
  /// @pre the launch has as many arguments as the kernel, of the same ranks.
  LaunchValues(KernelOp kernel, const LaunchSizes &launch)
      : kernel(kernel), launch(launch) {}

  /// Sets the block whose integers are evaluated, which is block (0, 0, 0) at
  /// first.
  void setBlock(std::array<int64_t, 3> block);

  /// Sets the value of an induction variable, or nothing if it is not known.
  void set(mlir::Value value, std::optional<int64_t> integer);

  /// Returns the value of an integer or an index; nothing if it does not follow
  /// from the launch, the block and the induction variables that are set.
  std::optional<int64_t> evaluate(mlir::Value value);

private:
  std::optional<int64_t> compute(mlir::Value value);
  std::optional<int64_t> computeSize(mlir::Value array, mlir::Value dimension);
  std::optional<int64_t> fold(mlir::OpResult value);

  KernelOp kernel;
  const LaunchSizes &launch;
  std::array<int64_t, 3> block = {0, 0, 0};
  llvm::DenseMap<mlir::Value, std::optional<int64_t>> variables, computed;
};

} // namespace tile

#endif // TILE_ANALYSIS_LAUNCHVALUES_H
