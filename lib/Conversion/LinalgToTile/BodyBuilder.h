// BodyBuilder.h - the body of a linalg.generic, on tiles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_BODYBUILDER_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_BODYBUILDER_H

#include "Evaluator.h"

namespace tile::fromlinalg {

/// Builds the computation of a body for a box of its loops. A value is a
/// scalar, or a tile over the loops that it depends on: a value that is
/// constant along a row is computed once for the row.
class BodyBuilder {
public:
  BodyBuilder(Evaluator &evaluator, mlir::linalg::GenericOp op,
              const Box &loops);

  /// Returns the tile of a value of the body. Its dimensions are all loops that
  /// have more than one iteration in the box, in order.
  mlir::Value build(mlir::Value value);
  /// Builds the assertions of the body for each iteration inside the tensors.
  void buildAssertions();

private:
  /// A value of the body, and the loops that are its dimensions. `axes`
  /// contains indices in the list of the box's loops with more than one
  /// iteration. The value is a scalar if `axes` is empty and `isTile` is false.
  struct Part {
    mlir::Value value;
    llvm::SmallVector<unsigned> axes;
    bool isTile = false;
  };

  /// The positions at which a body reads elements of an array, as operands of
  /// tile.gather.
  struct GatherOperands {
    llvm::SmallVector<mlir::Value> offsets, indices;
    /// `indexed` contains the array's dimensions that have a tile of indices,
    /// `dims` the array's dimension for each dimension of the gathered tile.
    llvm::SmallVector<int64_t> indexed, dims;
    llvm::SmallVector<unsigned> axes;
    /// Whether the elements are read as a box, not one by one.
    bool isBox = true;
  };

  Part getPart(mlir::Value value);
  Part makePart(mlir::Value value);
  Part makeOperand(mlir::OpOperand *operand);
  Part makeIndex(mlir::linalg::IndexOp op);
  Part makeGather(mlir::tensor::ExtractOp op);
  Part getIndexPart(mlir::Value index);
  mlir::Value takePad(mlir::tensor::ExtractOp op,
                      llvm::SmallVectorImpl<mlir::Value> &offsets);
  Part makeOperation(mlir::Operation *op, unsigned result);
  mlir::Value makeTile(mlir::Operation *op, unsigned result,
                       llvm::SmallVector<mlir::Value> &operands,
                       llvm::ArrayRef<int64_t> shape);
  GatherOperands findGatherOperands(mlir::tensor::ExtractOp op);
  GatherOperands findOperandsOfElements(mlir::tensor::ExtractOp op,
                                        GatherOperands operands);
  /// Returns `parts` as tiles of one shape, and the axes of this shape: all
  /// axes that at least one part has.
  llvm::SmallVector<mlir::Value> unify(llvm::ArrayRef<Part> parts,
                                       llvm::SmallVector<unsigned> &axes);
  mlir::Value spread(const Part &part, llvm::ArrayRef<unsigned> axes);
  llvm::SmallVector<int64_t> getShape(llvm::ArrayRef<unsigned> axes);

  Evaluator &evaluator;
  mlir::OpBuilder &builder;
  mlir::linalg::GenericOp op;
  mlir::Location loc;
  const Box &loops;
  llvm::SmallVector<unsigned> sized;
  llvm::DenseMap<mlir::Value, Part> parts;
  /// Further results of the operation that is being made, and their tiles.
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> others;
};

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_BODYBUILDER_H
