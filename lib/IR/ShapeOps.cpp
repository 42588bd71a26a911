// ShapeOps.cpp - tile.view, tile.transpose, tile.broadcast, tile.reshape
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/Tile.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace tile;

static LogicalResult verifySameElementType(Operation *op, TileType source,
                                           TileType result) {
  if (source.getElementType() != result.getElementType())
    return op->emitOpError()
           << "expected element type " << source.getElementType()
           << " (the source's), got " << result.getElementType();
  return success();
}

/// A splat of the result's type, when the operand is one; else the source when
/// nothing changes.
static OpFoldResult foldRearrangement(Attribute operand, Value source,
                                      TileType type) {
  if (source.getType() == type)
    return source;
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(operand))
    return splat.resizeSplat(cast<ShapedType>(Type(type)));
  return {};
}

//===----------------------------------------------------------------------===//
// ViewOp
//===----------------------------------------------------------------------===//

LogicalResult ViewOp::verify() {
  TileType source = getSource().getType(), result = getType();
  // C1
  if (static_cast<int64_t>(getOffsets().size()) != source.getRank())
    return emitOpError() << "expected " << source.getRank()
                         << " offsets (the source's rank), got "
                         << getOffsets().size();
  // C2
  if (source.getRank() != result.getRank())
    return emitOpError() << "expected a result of rank " << source.getRank()
                         << " (the source's), got rank " << result.getRank();
  if (failed(verifySameElementType(*this, source, result)))
    return failure();
  // C3
  for (int64_t dim = 0; dim < source.getRank(); ++dim) {
    int64_t available = source.getDimSize(dim), wanted = result.getDimSize(dim);
    APInt constant;
    int64_t offset = matchPattern(getOffsets()[dim], m_ConstantInt(&constant))
                         ? constant.getSExtValue()
                         : 0;
    if (offset < 0 || wanted > available || offset > available - wanted)
      return emitOpError() << "expected the box to lie inside the source's "
                              "extent "
                           << available << " of dimension " << dim
                           << ", got offset " << offset << " and extent "
                           << wanted;
  }
  return success();
}

OpFoldResult ViewOp::fold(FoldAdaptor adaptor) {
  return foldRearrangement(adaptor.getSource(), getSource(), getType());
}

//===----------------------------------------------------------------------===//
// TransposeOp
//===----------------------------------------------------------------------===//

LogicalResult TransposeOp::verify() {
  TileType source = getSource().getType(), result = getType();
  ArrayRef<int64_t> permutation = getPermutation();
  int64_t rank = source.getRank();
  // C1
  llvm::SmallBitVector seen(rank);
  bool isPermutation = static_cast<int64_t>(permutation.size()) == rank;
  for (int64_t dim : permutation) {
    if (!isPermutation || dim < 0 || dim >= rank || seen.test(dim)) {
      isPermutation = false;
      break;
    }
    seen.set(dim);
  }
  if (!isPermutation)
    return emitOpError() << "expected a permutation of the " << rank
                         << " dimensions of the source, got [" << permutation
                         << "]";
  // C2
  SmallVector<int64_t> expected;
  for (int64_t dim : permutation)
    expected.push_back(source.getDimSize(dim));
  if (result.getShape() != ArrayRef(expected))
    return emitOpError() << "expected a result of shape [" << ArrayRef(expected)
                         << "], got [" << result.getShape() << "]";
  return verifySameElementType(*this, source, result);
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  bool isIdentity =
      llvm::equal(getPermutation(), llvm::seq<int64_t>(0, getType().getRank()));
  if (!isIdentity && !isa_and_nonnull<SplatElementsAttr>(adaptor.getSource())) {
    // Two transposes that undo each other.
    auto inner = getSource().getDefiningOp<TransposeOp>();
    if (!inner || inner.getSource().getType() != getType())
      return {};
    for (auto [dim, from] : llvm::enumerate(getPermutation()))
      if (inner.getPermutation()[from] != static_cast<int64_t>(dim))
        return {};
    return inner.getSource();
  }
  if (isIdentity && getSource().getType() == getType())
    return getSource();
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getSource()))
    return splat.resizeSplat(cast<ShapedType>(Type(getType())));
  return {};
}

//===----------------------------------------------------------------------===//
// BroadcastOp
//===----------------------------------------------------------------------===//

LogicalResult BroadcastOp::verify() {
  TileType source = getSource().getType(), result = getType();
  // C1
  int64_t leading = result.getRank() - source.getRank();
  if (leading < 0)
    return emitOpError() << "expected a source of rank at most "
                         << result.getRank() << " (the result's), got rank "
                         << source.getRank();
  // C2
  for (int64_t dim = 0; dim < source.getRank(); ++dim) {
    int64_t from = source.getDimSize(dim);
    int64_t to = result.getDimSize(leading + dim);
    if (from != 1 && from != to)
      return emitOpError() << "expected extent 1 or " << to
                           << " of the source's dimension " << dim << ", got "
                           << from;
  }
  return verifySameElementType(*this, source, result);
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  return foldRearrangement(adaptor.getSource(), getSource(), getType());
}

//===----------------------------------------------------------------------===//
// ReshapeOp
//===----------------------------------------------------------------------===//

LogicalResult ReshapeOp::verify() {
  TileType source = getSource().getType(), result = getType();
  // C1
  if (source.getNumElements() != result.getNumElements())
    return emitOpError() << "expected a result of " << source.getNumElements()
                         << " elements (the source's), got "
                         << result.getNumElements();
  return verifySameElementType(*this, source, result);
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (auto inner = getSource().getDefiningOp<ReshapeOp>()) {
    getSourceMutable().assign(inner.getSource());
    return getResult();
  }
  return foldRearrangement(adaptor.getSource(), getSource(), getType());
}
