// LaunchFunction.h - the function that launches the kernels of a derivative
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A derivative that needs temporary arrays or several kernels is a function of
// the host. It is built next to a kernel whose arguments it has.

#ifndef TILE_LIB_GRADIENT_LAUNCHFUNCTION_H
#define TILE_LIB_GRADIENT_LAUNCHFUNCTION_H

#include "tile/IR/Tile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tile {

/// The least and the greatest value of an integer of a kernel, over all
/// programs and iterations, as values of the host function.
struct HostRange {
  mlir::Value low, high;
};

class LaunchFunction {
public:
  /// Creates the function `name` after `kernel`, with the kernel's arguments.
  /// If the kernel has no grid, it has three more, the extents of the grid:
  /// `grid_x`, `grid_y` and `grid_z`.
  LaunchFunction(KernelOp kernel, llvm::StringRef name);

  /// Returns the range of an integer in the kernel, or in a copy of it; nothing
  /// if it is not known from the arguments and the grid.
  std::optional<HostRange> getRange(mlir::Value value);

  /// Returns an integer of the kernel in the programs whose index along each of
  /// `axes` is the last one; null if it is not known, or differs among them.
  mlir::Value getInLastPrograms(mlir::Value value, llvm::ArrayRef<Axis> axes);

  /// Records that an argument of the kernel, which the function does not have,
  /// is `count`, a positive value of the function.
  void setCount(unsigned argument, mlir::Value count) {
    counts[argument] = count;
  }

  /// Returns the extents of the kernel's grid, along x, y and z.
  llvm::ArrayRef<mlir::Value> getGrid() const { return grid; }

  /// Allocates an array, and returns it. `sizes` are those of its dynamic
  /// dimensions.
  mlir::Value allocate(mlir::MemRefType type, mlir::ValueRange sizes);

  /// Whether the function has allocated an array.
  bool hasArrays() const { return allocates; }

  /// Returns the value that is passed for an argument of the kernel.
  mlir::Value getArgument(unsigned index) {
    return function.getArgument(index);
  }

  /// Launches a kernel, after all earlier launches.
  void launch(KernelOp kernel, mlir::ValueRange grid, mlir::ValueRange values);

  /// Removes those of the first `count` arguments that nothing uses, and
  /// returns the function.
  mlir::func::FuncOp finish(unsigned count);
  void erase() { function.erase(); }

  mlir::ImplicitLocOpBuilder &getBuilder() { return builder; }

private:
  void findGrid(KernelOp kernel);
  mlir::Value getSource(mlir::ArrayAttr source);
  std::optional<HostRange> computeRange(mlir::Value value);
  std::optional<HostRange> getRangeOfArgument(mlir::BlockArgument argument);
  std::optional<HostRange> combine(mlir::Operation *op);
  std::optional<HostRange> limit(mlir::Operation *op);
  bool isPositive(const HostRange &range);
  mlir::Value constant(mlir::Type type, int64_t value);
  mlir::Value index(int64_t value);

  mlir::func::FuncOp function;
  mlir::ImplicitLocOpBuilder builder;
  /// The number of arguments that the kernel has, too.
  unsigned numArguments;
  llvm::SmallVector<mlir::Value> grid;
  llvm::DenseMap<unsigned, mlir::Value> counts;
  /// Ranges are those of the last programs along these axes.
  llvm::ArrayRef<Axis> lastAxes;
  bool allocates = false;
};

} // namespace tile

#endif // TILE_LIB_GRADIENT_LAUNCHFUNCTION_H
