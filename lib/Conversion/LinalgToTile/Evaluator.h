// Evaluator.h - tiles of tensors, computed where they are needed
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel is built from its outputs backwards: the tile of a box of a tensor
// is loaded, if the tensor is in memory, or computed from the tiles of the
// boxes that its operation reads. Elements of a box that are outside the tensor
// are zero if they are loaded, and have any value if they are computed;
// combinations of elements therefore mask them.

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_EVALUATOR_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_EVALUATOR_H

#include "Groups.h"
#include "KernelBuilder.h"
#include "OnlineSoftmax.h"
#include "ScoreForm.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <map>

namespace tile::fromlinalg {

/// A dimension of a box: `size` elements, at offset, offset + step, ...
struct BoxDim {
  mlir::Value offset;
  int64_t size = 1;
  int64_t step = 1;

  auto asKey() const {
    return std::tuple(offset.getAsOpaquePointer(), size, step);
  }
  bool operator<(const BoxDim &other) const { return asKey() < other.asKey(); }
};

/// A BoxDim for each dimension of a tensor, or for each loop of an operation.
using Box = llvm::SmallVector<BoxDim, 4>;

/// Returns the dimensions of a box with more than one element, in order: the
/// dimensions of its tile.
llvm::SmallVector<unsigned> getSizedDims(const Box &box);

/// Returns the shape of a box's tile.
llvm::SmallVector<int64_t> getShape(const Box &box);

class Evaluator {
public:
  Evaluator(KernelBuilder &kernel, const Grouping &grouping, int64_t groupIndex)
      : kernel(kernel), builder(kernel.getBuilder()), grouping(grouping),
        groupIndex(groupIndex) {}

  const Group &getGroup() const { return grouping.groups[groupIndex]; }

  /// Returns the tile of a box of a tensor, of the shape that `getShape`
  /// returns.
  mlir::Value evaluate(mlir::Value tensor, const Box &box);

  /// Returns the box of an operand, indexed by `map`, that the iterations
  /// `loops` read.
  Box mapBox(mlir::AffineMap map, const Box &loops);
  /// Returns the extent of a dimension of a tensor, or of a loop.
  mlir::Value getExtent(mlir::Value tensor, unsigned dim);
  mlir::Value getLoopExtent(mlir::linalg::GenericOp op, unsigned loop);

  /// Returns `tile` with its dimensions permuted, as by tile.transpose.
  mlir::Value transpose(mlir::Location loc, mlir::Value tile,
                        llvm::ArrayRef<int64_t> permutation);
  mlir::Value reshape(mlir::Location loc, mlir::Value tile,
                      llvm::ArrayRef<int64_t> shape);
  /// Permutes the dimensions of a tile, which are in the order of `loops`, to
  /// the order of the results of `map`, each of which is a loop.
  mlir::Value permuteTo(mlir::Location loc, mlir::Value tile, const Box &loops,
                        mlir::AffineMap map);
  /// Returns a tile of `shape` whose dimensions `dims`, ascending, are those of
  /// `tile`; it is repeated along the others.
  mlir::Value broadcast(mlir::Location loc, mlir::Value tile,
                        llvm::ArrayRef<int64_t> shape,
                        llvm::ArrayRef<int64_t> dims);
  mlir::Value splat(mlir::Location loc, llvm::ArrayRef<int64_t> shape,
                    mlir::TypedAttr value);
  mlir::Value fill(mlir::Location loc, llvm::ArrayRef<int64_t> shape,
                   mlir::Value scalar);
  mlir::Value cast(mlir::Location loc, mlir::Value tile, mlir::Type element);

  /// Builds the test whether the coordinate of an element along dimension `dim`
  /// of a box is in [0, extent): a tile of i1, or one i1 if the box has one
  /// element along `dim`; null if it is known to hold for all elements.
  mlir::Value getInside(mlir::Location loc, const Box &box, unsigned dim,
                        mlir::Value extent);
  /// Returns `tile`, the tile of `box`, with elements replaced by `other` if
  /// their coordinate along `dim` is not in [0, extent).
  mlir::Value keepInside(mlir::Location loc, mlir::Value tile, const Box &box,
                         unsigned dim, mlir::Value extent, mlir::Value other);

  KernelBuilder &getKernel() { return kernel; }
  mlir::OpBuilder &getBuilder() { return builder; }

private:
  friend class BodyBuilder;
  mlir::Value build(mlir::Value tensor, const Box &box);
  mlir::Value buildLoad(mlir::Value tensor, const Box &box, mlir::Value pad);
  mlir::Value buildSteppedLoad(mlir::Location loc, mlir::Value array,
                               const Box &box, mlir::Value pad);
  mlir::Value buildElementwise(mlir::OpResult result, const Box &box);
  mlir::Value buildCombination(mlir::OpResult result, const Box &box);
  mlir::Value buildMatmul(mlir::linalg::GenericOp op, const Matmul &matmul,
                          const Box &box);
  mlir::Value buildOnlineSoftmax(mlir::linalg::GenericOp op,
                                 const Matmul &matmul,
                                 const OnlineSoftmax &softmax, const Box &box);
  llvm::SmallVector<unsigned> getScoreLoops(mlir::linalg::GenericOp op,
                                            mlir::Value scores);
  mlir::Value evaluateScores(mlir::linalg::GenericOp op, mlir::Value scores,
                             llvm::ArrayRef<unsigned> loops, const Box &part,
                             unsigned row, unsigned sum);
  mlir::Value maskScores(mlir::Location loc, mlir::Value matrix,
                         const CausalMask &mask, const BoxDim &row,
                         const BoxDim &key);
  mlir::Value buildPad(mlir::tensor::PadOp op, const Box &box);
  mlir::Value buildSlice(mlir::tensor::ExtractSliceOp op, const Box &box);
  mlir::Value buildInsertion(mlir::tensor::InsertSliceOp op, const Box &box);
  mlir::Value buildUnitReshape(mlir::Operation *op, const Box &box);

  /// Returns, for each loop of the operation, the iterations that compute `box`
  /// of its result; for a reduction loop, iteration 0 only.
  Box getLoops(mlir::OpResult result, const Box &box);
  /// Returns the number of iterations of a loop in one tile.
  int64_t getTile(mlir::linalg::GenericOp op, unsigned loop);
  bool isWhole(mlir::linalg::GenericOp op, unsigned loop);
  /// Builds loops over the tiles of the loops `reduced`, the first one
  /// outermost, around `body`, which gets the box of all loops and the carried
  /// values, and returns the next ones. A loop that fits in one tile needs
  /// none.
  llvm::SmallVector<mlir::Value> buildReduction(
      mlir::linalg::GenericOp op, llvm::ArrayRef<unsigned> reduced, Box loops,
      mlir::ValueRange carried,
      llvm::function_ref<llvm::SmallVector<mlir::Value>(const Box &,
                                                        mlir::ValueRange)>
          body);
  /// Returns the tile of an operand as a matrix of loop `first` by loop
  /// `second`, with zeros outside of the extent of the loop `sum`.
  mlir::Value evaluateFactor(mlir::linalg::GenericOp op,
                             mlir::OpOperand *operand, const Box &loops,
                             unsigned first, unsigned second, unsigned sum);
  /// Converts a tile that `map` indexes to a matrix, of loop `first` by loop
  /// `second`, and back.
  mlir::Value toMatrix(mlir::Location loc, mlir::Value tile,
                       mlir::AffineMap map, const Box &loops, unsigned first,
                       unsigned second);
  mlir::Value fromMatrix(mlir::Location loc, mlir::Value matrix,
                         mlir::AffineMap map, const Box &loops, unsigned first,
                         unsigned second);
  /// Whether elements outside the tensor are read as zero.
  bool isZeroOutside(mlir::Value tensor);

  KernelBuilder &kernel;
  mlir::OpBuilder &builder;
  const Grouping &grouping;
  int64_t groupIndex;
  std::map<std::pair<void *, llvm::SmallVector<BoxDim, 4>>, mlir::Value> tiles;
};

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_EVALUATOR_H
