// GroupOps.cpp - verification of fusion groups
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Verify.h"

using namespace mlir;
using namespace tile;

LogicalResult GroupOp::verify() {
  // C2
  for (int64_t tile : getTiles().value_or(ArrayRef<int64_t>()))
    if (tile < 1)
      return emitOpError() << "expected tiles of at least one iteration, got "
                           << tile;
  // C3
  return verifyOnHost(*this);
}

LogicalResult GroupOp::verifyRegions() {
  // C1
  Operation *end = getBody().front().getTerminator();
  if (end->getOperandTypes() == getResultTypes())
    return success();
  InFlightDiagnostic error = emitOpError() << "expected the region to yield (";
  llvm::interleaveComma(getResultTypes(), error);
  error << "), the results' types, got (";
  llvm::interleaveComma(end->getOperandTypes(), error);
  return error << ")";
}

LogicalResult OnlineSoftmaxOp::verify() {
  // C1
  for (RankedTensorType type : {getWeights().getType(), getScores().getType()})
    if (!isa<FloatType>(type.getElementType()))
      return emitOpError() << "expected floating-point elements, got " << type;
  // C2
  int64_t dim = getDim(), rank = getWeights().getType().getRank();
  if (dim < 0 || dim >= rank)
    return emitOpError() << "expected a dimension from 0 to " << rank - 1
                         << ", got " << dim;
  // C3
  return verifyOnHost(*this);
}
