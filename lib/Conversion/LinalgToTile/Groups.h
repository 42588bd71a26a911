// Groups.h - which operations become one kernel
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every tensor of a function is one of
//
// - in memory: an argument, a reshape of what is in memory, or an output of a
//   group, which the group's kernel stores;
// - a value of a group: its kernel computes it of tiles, and it is in memory
// only
//   if it is an output;
// - of no group: elementwise operations and moves (slices, pads), whose
// elements
//   each kernel that reads them computes for itself.
//
// Groups are in order: one reads what it computes itself, what earlier groups
// have stored, and arguments. Each is grown from a product or a reduction.

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_GROUPS_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_GROUPS_H

#include "Structure.h"

#include "tile/Analysis/Architecture.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace tile::fromlinalg {

/// The loops of a group's operations that are one: their iterations meet in
/// the same elements.
struct GroupLoop {
  /// Iterations; mlir::ShapedType::kDynamic where not known.
  int64_t extent;
  /// An operation of the group reduces it.
  bool isReduced = false;
  /// It is part of an index beside another loop, as of a convolution's window.
  bool isPart = false;
  /// A product has it as its columns, or sums over it.
  bool isColumn = false, isSum = false;
  /// Iterations of it that a tile has.
  int64_t tile = 1;

  /// Whether one tile has all iterations.
  bool isWhole() const {
    return !mlir::ShapedType::isDynamic(extent) && extent <= tile;
  }
};

/// Columns of a product that one tile may have all of, in reductions of its
/// rows and as the columns of attention's values.
constexpr int64_t kMostWholeColumns = 256;

struct Group {
  llvm::SmallVector<mlir::linalg::GenericOp> ops;
  llvm::SmallVector<GroupLoop> loops;
  /// Of each operation, the group's loop that each of its own is.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<unsigned>> loopsOf;
  /// The group's loops that index each tensor that is read from elsewhere.
  llvm::MapVector<mlir::Value, llvm::SmallVector<unsigned>> inputs;
  /// What the kernel stores.
  llvm::SetVector<mlir::Value> outputs;

  bool contains(mlir::Value tensor) const {
    return loopsOf.contains(tensor.getDefiningOp());
  }
  /// The group's loops that index a result of one of its operations.
  llvm::SmallVector<unsigned> getLoops(mlir::OpResult result) const;
};

struct Grouping {
  llvm::SmallVector<Group> groups;
  /// The group that stores a tensor, by its number; -1 for arguments.
  llvm::DenseMap<mlir::Value, int64_t> inMemory;
  /// Tensors whose memory is that of a result of the function, by its number.
  llvm::DenseMap<mlir::Value, unsigned> results;

  /// Whether group `number` may load a tensor.
  bool isLoaded(mlir::Value tensor, int64_t number) const {
    auto place = inMemory.find(tensor);
    return place != inMemory.end() && place->second < number;
  }
};

/// Groups the operations of a function, of one block, whose operations were
/// verified. May add copies, of what is to be in memory and is of no group.
Grouping groupOperations(mlir::func::FuncOp function);

/// Chooses how many iterations of each loop a tile has.
void chooseTiles(Group &group, const Architecture &target);

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_GROUPS_H
