// VerifySupported.cpp - errors at operations that the GPU path lacks
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On the GPU path, values of f8 can be loaded, stored, moved, converted,
// reinterpreted as bits, and multiplied as matrices. Only the CPU path has
// other arithmetic on them.

#include "Patterns.h"

#include "tile/Analysis/RowCover.h"
#include "tile/Conversion/FloatBits.h"
#include "tile/IR/ConvertLayout.h"
#include "tile/IR/Gpu/TileGpu.h"
#include "tile/IR/Participants.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tile;

/// Whether an operation computes with its elements and is no matmul.
static bool computes(Operation *op) {
  if (isa<arith::ConstantOp, arith::SelectOp>(op))
    return false;
  return isa_and_present<arith::ArithDialect, math::MathDialect>(
             op->getDialect()) ||
         isa<CombiningOpInterface>(op);
}

/// Verifies C3 and C4 of tile_gpu.align_rows.
template <typename Op>
static LogicalResult verifyCover(Op op, Value ends) {
  auto array = cast<MemRefType>(op.getSource().getType());
  if (canCover(array, op.getDest(), ends))
    return success();
  InFlightDiagnostic error =
      op.emitOpError()
      << "expected rows of 8- or 16-bit elements along the array's contiguous "
         "dimension, up to 32 chunks of 16 bytes, from a buffer's begin on, "
         "and "
         "a chunk for the end of each, got "
      << array << " and " << op.getDest().getType();
  if (ends)
    error << " with ends " << ends.getType();
  return error;
}

/// Verifies that no elements move through shared memory, which requires
/// buffers.
static LogicalResult verifyInWarp(ConvertLayoutOp op) {
  if (isInRegisters(op.getSource()) && isInRegisters(op) &&
      getRegisterMove(op.getSource().getType(), op.getType()) !=
          RegisterMove::exchange)
    return success();
  return op.emitOpError("expected elements that stay in their threads, or are "
                        "cheap to shuffle (run -tile-bufferize before)");
}

/// Verifies that tiles for which an operation requires one layout have it.
static LogicalResult verifyRequiredLayouts(LayoutOpInterface op) {
  for (ValueRange tiles :
       {ValueRange(op->getOperands()), ValueRange(op->getResults())})
    for (Value tile : llvm::make_filter_range(tiles, isInRegisters)) {
      std::optional<RegisterLayout> required =
          op.getRequiredLayout(tile, getParticipants(op).numWarps);
      RegisterAttr found = cast<TileType>(tile.getType()).getRegister();
      if (required && !(found.isResolved() &&
                        found.getRegisterLayout().isEquivalent(*required)))
        return op->emitOpError("expected tiles in the layouts that it requires "
                               "(run -tile-assign-layouts before), got ")
               << tile.getType();
    }
  return success();
}

/// Whether a pattern converts an operation on tiles. There are patterns for the
/// tile dialect and upstream's dialects; other operations implement an
/// interface for this.
static bool isLowered(Operation *op) {
  return isTileOperation(op) || handsTilesOn(op) ||
         isa<ElementOpInterface, ThreadOpInterface>(op) ||
         op->hasTrait<OpTrait::Scalarizable>();
}

LogicalResult tile::verifySupported(Operation *op) {
  if (hasTiles(op) && !isLowered(op))
    return op->emitError("expected an operation with ")
           << (op->hasTrait<OpTrait::Elementwise>() ? "ElementOpInterface"
                                                    : "ThreadOpInterface")
           << ", got '" << op->getName() << "'";
  if (auto layouts = dyn_cast<LayoutOpInterface>(op);
      layouts && failed(verifyRequiredLayouts(layouts)))
    return failure();
  if (auto convert = dyn_cast<ConvertLayoutOp>(op))
    return verifyInWarp(convert);
  if (auto align = dyn_cast<tile_gpu::AlignRowsOp>(op))
    return verifyCover(align, align.getEnds());
  if (auto copy = dyn_cast<tile_gpu::CopyAsyncOp>(op);
      copy && copy.getCopyMechanism().coversRows())
    return verifyCover(copy, copy.getExtra());
  if (!computes(op))
    return success();
  for (TypeRange types :
       {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types) {
      Type element = getElementTypeOrSelf(type);
      if (isFloat8(element))
        return op->emitError("expected elements of f64, f32, f16 or bf16 (the "
                             "GPU path has no arithmetic and no order of f8 "
                             "but in sums, products and sorts), got ")
               << element;
    }
  return success();
}
