// PartialSums.h - sums of which several programs compute parts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_PARTIALSUMS_H
#define TILE_LIB_GRADIENT_PARTIALSUMS_H

#include "../LaunchFunction.h"

#include "tile/Gradient/ValueBuilder.h"

namespace tile {

/// Sums are divided for the multiprocessors of an H100, over all owners, on
/// every GPU, so that they have the same bits.
constexpr int64_t kPartialSumProcessors = 132;
/// The number of sums that a program adds up, at most: neighbouring elements,
/// of 128 bytes in f32.
constexpr int64_t kMostColumns = 32;
/// Returns the number of parts of a sum of `total` terms, a value of the host.
/// `owners` is the number of programs that own sums, and `blocks` the number of
/// programs for each multiprocessor.
mlir::Value createPartCount(LaunchFunction &host, mlir::Value total,
                            mlir::Value owners, int64_t blocks);

/// A kernel whose programs compute parts of sums. The programs along `owner`,
/// if there is one, own different sums; those along `part` compute parts of
/// them.
struct PartialKernel {
  KernelOp kernel;
  std::optional<Axis> owner;
  Axis part;
  /// Values of the host: the extents of the grid along x, y and z, and the
  /// arguments of the kernel.
  llvm::SmallVector<mlir::Value> extents, passed;
};

/// A kernel that adds up parts, with its grid. Its arguments are those of the
/// PartialKernel.
struct SumKernel {
  KernelOp kernel;
  llvm::SmallVector<mlir::Value> extents;
};

/// Returns the parts of a sum, added up in order. They are boxes of `array`
/// with different offsets along the dimension `part`; `offsets` are those of
/// the first. `dims` are `part` and the dimensions of a box, or null if these
/// are the last ones.
mlir::Value addParts(ValueBuilder &b, mlir::Value array, unsigned part,
                     llvm::ArrayRef<mlir::Value> offsets, TileType sum,
                     mlir::DenseI64ArrayAttr dims = {});

/// A sum in the type in which it is added up, and the operation that stores it,
/// converted to the elements of its array.
struct PartialSum {
  StoreOp store;
  mlir::Value sum;
};

/// Makes the kernel store the parts of sums to arrays that the host allocates,
/// and creates a kernel `name` that adds them up, in order, and stores the sums
/// as their operations would, which are erased.
SumKernel splitSums(PartialKernel &partial, llvm::ArrayRef<PartialSum> sums,
                    llvm::StringRef name, LaunchFunction &host);

} // namespace tile

#endif // TILE_LIB_GRADIENT_PARTIALSUMS_H
