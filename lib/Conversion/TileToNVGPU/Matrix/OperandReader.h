// OperandReader.h - operands of a matmul in shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operand is read fragment by fragment, or element by element, by the access
// plan for which the layout of its buffer was chosen.

#ifndef TILE_LIB_CONVERSION_OPERANDREADER_H
#define TILE_LIB_CONVERSION_OPERANDREADER_H

#include "../Memory/Addresses.h"
#include "../RegisterTiles.h"

#include "tile/Analysis/AccessPlans.h"
#include "tile/Analysis/SharedAccess.h"

#include "mlir/Transforms/DialectConversion.h"

namespace tile {

/// Operand of a matmul in a buffer, and how this thread reads it.
class OperandReader {
public:
  OperandReader(IndexBuilder &index, mlir::ConversionPatternRewriter &rewriter,
                MatmulOp op, int operand, const Tiling &tiling);

  const AccessPlan &getPlan() const { return plan; }
  ThreadCoordinates &getCoordinates() { return coordinates; }
  /// The dimension of K.
  int64_t getInnerDimension() const { return inner; }
  bool isAlongK() const { return plan.dim == inner; }

  /// Returns the element of `value`. Its vector is loaded when one of the
  /// vector's elements is requested for the first time.
  mlir::Value loadElement(int64_t value);

  /// Loads the matrices whose first value is `value` by ldmatrix. Returns a
  /// 32-bit register for each matrix, as a vector of two 16-bit elements.
  llvm::SmallVector<mlir::Value> loadMatrices(int64_t value);

private:
  mlir::Value load(int64_t value);
  AccessPlan makePlan(MatmulOp op, int operand, const Tiling &tiling);

  IndexBuilder &index;
  SharedAddress address;
  mlir::Type type;
  AccessPlan plan;
  int64_t width; ///< elements of a plain load
  int64_t inner;
  ThreadCoordinates coordinates;
  llvm::DenseMap<int64_t, mlir::Value> loaded, elements;
};

} // namespace tile

#endif // TILE_LIB_CONVERSION_OPERANDREADER_H
