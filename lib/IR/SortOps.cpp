// SortOps.cpp - tile.sort, its steps, tile.top_k, tile.histogram
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SortOps.h"
#include "Verify.h"

using namespace mlir;
using namespace tile;

ParseResult tile::parseMoved(OpAsmParser &parser,
                             SmallVectorImpl<Type> &sources,
                             SmallVectorImpl<Type> &results) {
  if (parser.parseTypeList(sources))
    return failure();
  results.assign(sources.begin(), sources.end());
  return success();
}

void tile::printMoved(OpAsmPrinter &printer, Operation *, TypeRange sources,
                      TypeRange) {
  printer << sources;
}

/// Length of the longest row that is sorted, limited by the registers of a
/// block.
static constexpr int64_t kMaxSorted = 4096;

/// Verifies (C1) and (C2) of sort and top_k.
static LogicalResult verifyKeys(Operation *op, TileType keys, int64_t axis,
                                bool isUnsigned) {
  // C1
  if (failed(verifyAxis(op, axis, keys.getRank())))
    return failure();
  if (keys.getDimSize(axis) > kMaxSorted)
    return op->emitOpError()
           << "expected at most " << kMaxSorted << " elements along axis "
           << axis << ", got " << keys.getDimSize(axis);
  // C2
  Type element = keys.getElementType();
  if (isa<ComplexType>(element) || (isUnsigned && !element.isIntOrIndex()))
    return op->emitOpError()
           << "expected " << (isUnsigned ? "integer" : "ordered")
           << " keys, got " << element;
  return success();
}

LogicalResult SortOp::verify() {
  if (getSources().empty())
    return emitOpError("expected keys to sort");
  auto keys = cast<TileType>(getSources().front().getType());
  if (failed(verifyKeys(*this, keys, getAxis(), getUnsignedInteger())))
    return failure();
  // C3
  for (Type type : getSources().getTypes())
    if (cast<TileType>(type).getShape() != keys.getShape())
      return emitOpError() << "expected tiles of shape [" << keys.getShape()
                           << "] (the keys'), got " << type;
  // C4
  if (TypeRange(getResults()) == TypeRange(getSources()))
    return success();
  return emitOpError() << "expected results of the sources' types "
                       << getSources().getTypes() << ", got "
                       << getResultTypes();
}

LogicalResult TopKOp::verify() {
  TileType source = getSource().getType();
  TileType values = getValues().getType(), indices = getIndices().getType();
  if (failed(verifyKeys(*this, source, getAxis(), getUnsignedInteger())))
    return failure();
  // C3
  if (failed(verifyAlongAxis(*this, "values", values, "source", source,
                             getAxis())))
    return failure();
  if (values.getDimSize(getAxis()) > source.getDimSize(getAxis()))
    return emitOpError() << "expected at most " << source.getDimSize(getAxis())
                         << " elements along axis " << getAxis()
                         << " (the source's), got "
                         << values.getDimSize(getAxis());
  Type element = indices.getElementType();
  bool isIndex =
      element.isInteger(32) || element.isInteger(64) || element.isIndex();
  if (indices.getShape() == values.getShape() && isIndex)
    return success();
  return emitOpError() << "expected indices of shape [" << values.getShape()
                       << "] (the values') and element type i32, i64 or index, "
                          "got "
                       << indices;
}

LogicalResult HistogramOp::verify() {
  TileType source = getSource().getType(), result = getType();
  // C1
  Type element = source.getElementType();
  if (source.getRank() == 0 || !element.isIntOrIndex() || element.isInteger(1))
    return emitOpError() << "expected a source of at least one dimension and "
                            "elements of i8, i16, i32, i64 or index, got "
                         << source;
  // C2
  Type count = result.getElementType();
  if (result.getRank() != 1 || !(count.isInteger(32) || count.isInteger(64)))
    return emitOpError() << "expected a result of one dimension and elements "
                            "of i32 or i64, got "
                         << result;
  // C3
  return verifyMask(*this, getMask(), source);
}

//===----------------------------------------------------------------------===//
// PartialSortOp
//===----------------------------------------------------------------------===//

/// Verifies (C1) and (C2): tiles of one shape and layout, with a power of two
/// of elements.
static LogicalResult verifyNetwork(PartialSortOp op) {
  if (op.getSources().empty())
    return op.emitOpError("expected keys to sort");
  auto keys = cast<TileType>(op.getSources().front().getType());
  int64_t axis = op.getAxis();
  if (failed(verifyAxis(op, axis, keys.getRank())))
    return failure();
  if (!llvm::isPowerOf2_64(keys.getDimSize(axis)))
    return op.emitOpError() << "expected an extent along axis " << axis
                            << " that is a power of two, got " << keys;
  RegisterAttr registers = keys.getRegister();
  bool isWhole =
      registers && registers.isResolved() &&
      registers.getRegisterLayout().getBox()[axis] == keys.getDimSize(axis);
  if (!isWhole)
    return op.emitOpError() << "expected tiles in registers, of a layout "
                               "without padding along axis "
                            << axis << ", got " << keys;
  for (Type type : op.getSources().getTypes()) {
    auto tile = cast<TileType>(type);
    if (tile.getShape() != keys.getShape() ||
        tile.getStorage() != keys.getStorage() ||
        !isa<IntegerType>(tile.getElementType()))
      return op.emitOpError() << "expected tiles of integers of the shape and "
                                 "layout of "
                              << keys << ", got " << tile;
  }
  if (TypeRange(op.getResults()) == TypeRange(op.getSources()))
    return success();
  return op.emitOpError() << "expected results of the sources' types "
                          << op.getSources().getTypes() << ", got "
                          << op.getResultTypes();
}

LogicalResult PartialSortOp::verify() {
  if (failed(verifyNetwork(*this)))
    return failure();
  auto keys = cast<TileType>(getSources().front().getType());
  RegisterLayout layout = keys.getRegister().getRegisterLayout();
  int64_t axis = getAxis();
  ArrayRef<int64_t> steps = getSteps();
  // C3
  bool isPaired = steps.size() % 2 == 0;
  for (size_t step = 0; isPaired && step < steps.size(); step += 2)
    isPaired = steps[step] < 32 && steps[step + 1] < steps[step] &&
               steps[step + 1] >= 0 &&
               (int64_t(1) << steps[step + 1]) < keys.getDimSize(axis);
  if (!isPaired)
    return emitOpError() << "expected pairs [k, j] of steps, j less than k, k "
                            "below 32 and 2^j below the extent "
                         << keys.getDimSize(axis) << ", got [" << steps << "]";
  // C2: no step goes from warp to warp.
  for (size_t step = 0; step < steps.size(); step += 2) {
    int64_t distance = int64_t(1) << steps[step + 1];
    for (const RegisterMode &mode : layout.getModes(RegisterLayout::kWarp))
      if (mode.dim == axis && mode.step <= distance &&
          distance < mode.step * mode.extent)
        return emitOpError() << "expected a layout in which a warp holds "
                                "elements at distance "
                             << distance << ", got " << keys;
  }
  return success();
}
