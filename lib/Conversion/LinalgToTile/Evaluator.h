// Evaluator.h - tiles of tensors, computed where they are needed
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel is built from its outputs backwards: the tile of a box of a tensor
// is loaded, where the tensor is in memory, or computed of the tiles of the
// boxes that its operation reads. What a box has outside the tensor is any
// number, but zero where it is loaded: what combines elements masks them.

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_EVALUATOR_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_EVALUATOR_H

#include "Groups.h"
#include "KernelBuilder.h"
#include "OnlineSoftmax.h"
#include "ScoreForm.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <map>

namespace tile::fromlinalg {

/// A dimension of a box: the elements offset, offset + step, ..., size of them.
struct BoxDim {
  mlir::Value offset;
  int64_t size = 1;
  int64_t step = 1;

  auto asKey() const {
    return std::tuple(offset.getAsOpaquePointer(), size, step);
  }
  bool operator<(const BoxDim &other) const { return asKey() < other.asKey(); }
};

/// A dimension for each of a tensor, or for each loop of an operation.
using Box = llvm::SmallVector<BoxDim, 4>;

/// Those of a box with more than one element, in order: the dimensions of its
/// tile.
llvm::SmallVector<unsigned> getSizedDims(const Box &box);

/// The shape of its tile.
llvm::SmallVector<int64_t> getShape(const Box &box);

class Evaluator {
public:
  Evaluator(KernelBuilder &kernel, const Grouping &grouping, int64_t number)
      : kernel(kernel), builder(kernel.getBuilder()), grouping(grouping),
        number(number) {}

  const Group &getGroup() const { return grouping.groups[number]; }

  /// The tile of a box of a tensor, of the shape that `getShape` says.
  mlir::Value evaluate(mlir::Value tensor, const Box &box);

  /// The box of an operand that iterations of loops read.
  Box mapBox(mlir::AffineMap map, const Box &loops);
  /// The extent of a dimension of a tensor, or of a loop.
  mlir::Value getExtent(mlir::Value tensor, unsigned dim);
  mlir::Value getLoopExtent(mlir::linalg::GenericOp op, unsigned loop);

  /// The same elements with dimensions in another order, as tile.transpose.
  mlir::Value transpose(mlir::Location loc, mlir::Value tile,
                        llvm::ArrayRef<int64_t> permutation);
  mlir::Value reshape(mlir::Location loc, mlir::Value tile,
                      llvm::ArrayRef<int64_t> shape);
  /// Of a tile of `loops`, the dimensions brought to the order in which `map`,
  /// of loops alone, has them.
  mlir::Value permuteTo(mlir::Location loc, mlir::Value tile, const Box &loops,
                        mlir::AffineMap map);
  /// A tile of `shape` whose dimensions `dims`, ascending, are the tile's;
  /// along others it is repeated.
  mlir::Value broadcast(mlir::Location loc, mlir::Value tile,
                        llvm::ArrayRef<int64_t> shape,
                        llvm::ArrayRef<int64_t> dims);
  mlir::Value splat(mlir::Location loc, llvm::ArrayRef<int64_t> shape,
                    mlir::TypedAttr number);
  mlir::Value fill(mlir::Location loc, llvm::ArrayRef<int64_t> shape,
                   mlir::Value scalar);
  mlir::Value cast(mlir::Location loc, mlir::Value tile, mlir::Type element);

  /// Where dimension `dim` of a box is from 0 to less than `extent`: a tile of
  /// i1, or one i1 of a dimension that the tile has not; null where all of it
  /// is.
  mlir::Value getInside(mlir::Location loc, const Box &box, unsigned dim,
                        mlir::Value extent);
  /// The tile with `other` where dimension `dim` of its box is not from 0 to
  /// less than `extent`.
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
  mlir::Value buildProduct(mlir::linalg::GenericOp op, const Product &product,
                           const Box &box);
  mlir::Value buildAttention(mlir::linalg::GenericOp op, const Product &product,
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

  /// The loops' box of an operation of which `box` is one of a result, with all
  /// iterations of reductions at zero.
  Box getLoops(mlir::OpResult result, const Box &box);
  /// Iterations of a loop that a tile has.
  int64_t getTile(mlir::linalg::GenericOp op, unsigned loop);
  bool isWhole(mlir::linalg::GenericOp op, unsigned loop);
  /// Builds `body` for each part of the loops `reduced`, the first outermost;
  /// it gets the loops' box and what is carried.
  llvm::SmallVector<mlir::Value> buildReduction(
      mlir::linalg::GenericOp op, llvm::ArrayRef<unsigned> reduced, Box loops,
      mlir::ValueRange carried,
      llvm::function_ref<llvm::SmallVector<mlir::Value>(const Box &,
                                                        mlir::ValueRange)>
          body);
  /// The matrix that is read of an operand, of loop `first` by loop `second`,
  /// with zero outside of the loop `sum`.
  mlir::Value evaluateFactor(mlir::linalg::GenericOp op,
                             mlir::OpOperand *operand, const Box &loops,
                             unsigned first, unsigned second, unsigned sum);
  /// A tile that `map` indexes as a matrix, of loop `first` by loop `second`,
  /// and back.
  mlir::Value toMatrix(mlir::Location loc, mlir::Value tile,
                       mlir::AffineMap map, const Box &loops, unsigned first,
                       unsigned second);
  mlir::Value fromMatrix(mlir::Location loc, mlir::Value matrix,
                         mlir::AffineMap map, const Box &loops, unsigned first,
                         unsigned second);
  /// Whether what is outside the tensor reads zero.
  bool isZeroOutside(mlir::Value tensor);

  KernelBuilder &kernel;
  mlir::OpBuilder &builder;
  const Grouping &grouping;
  int64_t number;
  std::map<std::pair<void *, llvm::SmallVector<BoxDim, 4>>, mlir::Value> tiles;
};

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_EVALUATOR_H
