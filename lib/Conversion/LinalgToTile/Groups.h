// Groups.h - operations that become one kernel
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every tensor of a function belongs to one of these classes:
//
// - in memory: an argument, a constant of several values, a reshape of a tensor
//   in memory, or an output of a group, which the group's kernel stores;
// - a value of a group: its kernel computes it from tiles, and it is in memory
//   only if it is an output;
// - of no group: the result of an elementwise operation or of a move (a slice,
//   a pad); each kernel that reads its elements computes them.
//
// Groups are in order: a group reads values that it computes itself, values
// that earlier groups have stored, and arguments. In the IR each is a
// `tile.group`.

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_GROUPS_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_GROUPS_H

#include "OnlineSoftmax.h"
#include "Structure.h"

#include "tile/Analysis/Architecture.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace tile::fromlinalg {

/// A loop of a group. It stands for one loop of each of several operations:
/// equal iterations of these loops access the same elements of the tensors that
/// the operations share.
struct GroupLoop {
  /// The number of iterations; mlir::ShapedType::kDynamic if it is not known.
  int64_t extent;
  /// Whether an operation of the group other than a matmul reduces the loop.
  bool isReduced = false;
  /// Whether the loop is part of an index together with another loop, as in a
  /// convolution's window.
  bool isPart = false;
  /// Whether a matmul of the group has the loop as its columns, or sums over
  /// it.
  bool isColumn = false, isSum = false;
  /// The number of iterations that a tile has.
  int64_t tile = 1;

  /// Whether one tile has all iterations.
  bool isWhole() const {
    return !mlir::ShapedType::isDynamic(extent) && extent <= tile;
  }
};

/// Maximum number of columns of a matmul that one tile may contain as a whole:
/// if its rows are reduced, or if its weights are an online softmax.
constexpr int64_t kMostWholeColumns = 256;

/// Marks a loop of an operation that has no loop of the group yet.
constexpr int kNoLoop = -1;

struct Group {
  llvm::SmallVector<mlir::linalg::GenericOp> ops;
  llvm::SmallVector<GroupLoop> loops;
  /// The group's loop for each loop of each operation.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<unsigned>> loopsOf;
  /// The group's loops that index each tensor that is read from elsewhere.
  llvm::MapVector<mlir::Value, llvm::SmallVector<unsigned>> inputs;
  /// The tensors that the kernel stores.
  llvm::SetVector<mlir::Value> outputs;

  bool contains(mlir::Value tensor) const {
    return loopsOf.contains(tensor.getDefiningOp());
  }
  /// The group's loops that index a result of one of its operations.
  llvm::SmallVector<unsigned> getLoops(mlir::OpResult result) const;

  /// Makes an operation a member, whose attribute `tile.loops` has the group's
  /// loop for each of its own. Loops that are kNoLoop become new ones.
  void add(mlir::linalg::GenericOp op, llvm::ArrayRef<int> loops);

private:
  void addInput(mlir::Value tensor, llvm::ArrayRef<int> loops);
  void addInputs(mlir::linalg::GenericOp op, llvm::ArrayRef<int> loops);
  void markLoops(mlir::linalg::GenericOp op);
};

/// The argument whose array a result uses, for each result of a function; none
/// if the result has its own array.
using ResultArrays = llvm::SmallVector<std::optional<unsigned>>;

struct Grouping {
  llvm::SmallVector<Group> groups;
  /// The index of the group that stores a tensor; -1 for arguments and
  /// constants.
  llvm::DenseMap<mlir::Value, int64_t> inMemory;
  /// Tensors that are stored in the array of a result of the function, with the
  /// index of the result.
  llvm::DenseMap<mlir::Value, unsigned> results;
  /// The arguments whose arrays the results use.
  ResultArrays arrays;
  /// The softmax that each matmul computes as it goes, if the matmul is in the
  /// group of the softmax.
  Softmaxes softmaxes;

  /// Whether group `index` may load a tensor.
  bool isLoaded(mlir::Value tensor, int64_t index) const {
    auto found = inMemory.find(tensor);
    return found != inMemory.end() && found->second < index;
  }
};

/// Returns the source of a chain of reshapes.
mlir::Value skipReshapes(mlir::Value tensor);

/// Returns the arguments whose arrays the results of a function use, by
/// `tile.result_array`.
ResultArrays getResultArrays(mlir::func::FuncOp function);

/// Returns the group of a `tile.group`, with its tiles if it has any. Fails,
/// with an error at the operation, if the loops that its members list are
/// inconsistent.
mlir::FailureOr<Group> readGroup(GroupOp op);

/// Replaces each `tile.group` of a function by the operations of its region,
/// and returns the groups that have results. Fails, with an error at the
/// operation, if a group has no tiles, or a result of the function is not
/// stored by a group.
mlir::FailureOr<Grouping> takeGroups(mlir::func::FuncOp function);

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_GROUPS_H
