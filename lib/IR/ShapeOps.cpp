// ShapeOps.cpp - parts and rearrangements of a tile
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Verify.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
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

/// Folds to the source if its type is the result's, or to a splat of the
/// result's type if the operand is a splat.
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

/// Returns a constant, or zero for a value known only at run time.
static int64_t getConstantOrZero(Value index) {
  APInt constant;
  return matchPattern(index, m_ConstantInt(&constant)) ? constant.getSExtValue()
                                                       : 0;
}

/// Names of a tile and of a box in it, for messages.
struct BoxNames {
  StringRef whole, part;
};

/// Verifies that there is one offset for each dimension, and one element type.
static LogicalResult verifyOffsets(Operation *op, BoxNames names, TileType tile,
                                   TileType box, ValueRange offsets) {
  if (static_cast<int64_t>(offsets.size()) != tile.getRank())
    return op->emitOpError()
           << "expected " << tile.getRank() << " offsets (the " << names.whole
           << "'s rank), got " << offsets.size();
  if (tile.getElementType() != box.getElementType())
    return op->emitOpError()
           << "expected element type " << tile.getElementType() << " (the "
           << names.whole << "'s), got " << box.getElementType();
  return success();
}

/// Verifies that a box with these extents and steps is inside the tile, as far
/// as its offsets are constant.
static LogicalResult verifyInside(Operation *op, StringRef whole, TileType tile,
                                  ArrayRef<int64_t> extents, ValueRange offsets,
                                  ArrayRef<int64_t> steps) {
  for (int64_t dim = 0; dim < tile.getRank(); ++dim) {
    int64_t available = tile.getDimSize(dim), wanted = extents[dim];
    // The extents of a tile are below 2^31, so that a larger step is outside in
    // any case.
    int64_t step = std::clamp<int64_t>(steps[dim], -available, available);
    int64_t reach = (wanted - 1) * step;
    APInt constant;
    bool isConstant = matchPattern(offsets[dim], m_ConstantInt(&constant));
    int64_t first =
        isConstant ? constant.getSExtValue() : std::max<int64_t>(-reach, 0);
    int64_t low = std::min<int64_t>(reach, 0),
            high = std::max<int64_t>(reach, 0);
    if (wanted <= available && first >= -low && first < available - high)
      continue;
    InFlightDiagnostic error = op->emitOpError()
                               << "expected the box to lie inside the " << whole
                               << "'s extent " << available << " of dimension "
                               << dim << ", got offset " << first
                               << " and extent " << wanted;
    if (steps[dim] != 1)
      error << " at step " << steps[dim];
    return error;
  }
  return success();
}

/// Returns the offsets if all are constants.
static std::optional<SmallVector<int64_t>> getConstants(ValueRange offsets) {
  return getConstantIntValues(getAsOpFoldResult(offsets));
}

void ViewOp::build(OpBuilder &builder, OperationState &state, Type result,
                   Value source, ValueRange offsets) {
  build(builder, state, result, source, offsets, DenseI64ArrayAttr());
}

LogicalResult ViewOp::verify() {
  TileType source = getSource().getType(), result = getType();
  int64_t rank = source.getRank();
  // C1, C2
  if (failed(verifyOffsets(*this, {"source", "result"}, source, result,
                           getOffsets())))
    return failure();
  if (result.getRank() > rank)
    return emitOpError() << "expected a result of rank at most " << rank
                         << " (the source's), got rank " << result.getRank();
  // C4
  SmallVector<int64_t> steps(rank, 1);
  if (std::optional<ArrayRef<int64_t>> given = getSteps()) {
    if (static_cast<int64_t>(given->size()) != rank ||
        llvm::is_contained(*given, 0))
      return emitOpError() << "expected " << rank
                           << " steps (the source's rank), none zero, got ["
                           << *given << "]";
    steps.assign(given->begin(), given->end());
  }
  // C3
  SmallVector<int64_t> extents(rank - result.getRank(), 1);
  llvm::append_range(extents, result.getShape());
  return verifyInside(*this, "source", source, extents, getOffsets(), steps);
}

std::optional<SmallVector<int64_t>> ViewOp::getConstantOffsets() {
  return tile::isComposite(*this) ? std::nullopt : getConstants(getOffsets());
}

OpFoldResult ViewOp::fold(FoldAdaptor adaptor) {
  bool isStepped = getSteps() && llvm::any_of(*getSteps(), [](int64_t step) {
                     return step != 1;
                   });
  if (isStepped && !isa_and_nonnull<SplatElementsAttr>(adaptor.getSource()))
    return {};
  return foldRearrangement(adaptor.getSource(), getSource(), getType());
}

//===----------------------------------------------------------------------===//
// ExtractOp, InsertOp, JoinOp
//===----------------------------------------------------------------------===//

LogicalResult ExtractOp::verify() {
  TileType source = getSource().getType();
  // C1
  if (static_cast<int64_t>(getIndices().size()) != source.getRank())
    return emitOpError() << "expected " << source.getRank()
                         << " indices (the source's rank), got "
                         << getIndices().size();
  // C2
  for (auto [dim, index] : llvm::enumerate(getIndices())) {
    int64_t constant = getConstantOrZero(index);
    if (constant < 0 || constant >= source.getDimSize(dim))
      return emitOpError() << "expected an index below the source's extent "
                           << source.getDimSize(dim) << " of dimension " << dim
                           << ", got " << constant;
  }
  return success();
}

LogicalResult InsertOp::verify() {
  TileType tile = getType();
  auto part = dyn_cast<TileType>(getPart().getType());
  if (!part) // a scalar
    part = TileType::get(getBox(), getPart().getType());
  // C1, C2
  if (failed(verifyOffsets(*this, {"tile", "part"}, tile, part, getOffsets())))
    return failure();
  if (part.getRank() != tile.getRank())
    return emitOpError() << "expected a part of rank " << tile.getRank()
                         << " (the tile's), got rank " << part.getRank();
  // C3
  SmallVector<int64_t> steps(tile.getRank(), 1);
  return verifyInside(*this, "tile", tile, part.getShape(), getOffsets(),
                      steps);
}

SmallVector<int64_t> InsertOp::getBox() {
  if (auto part = dyn_cast<TileType>(getPart().getType()))
    return SmallVector<int64_t>(part.getShape());
  return SmallVector<int64_t>(getType().getRank(), 1);
}

std::optional<SmallVector<int64_t>> InsertOp::getConstantOffsets() {
  return tile::isComposite(*this) ? std::nullopt : getConstants(getOffsets());
}

SmallVector<int64_t> JoinOp::getBegins() {
  SmallVector<int64_t> begins = {0};
  for (Value part : getParts())
    begins.push_back(begins.back() + getTileShape(part.getType())[getAxis()]);
  return begins;
}

LogicalResult JoinOp::verify() {
  TileType result = getType();
  int64_t axis = getAxis();
  // C1
  if (getParts().empty())
    return emitOpError("expected at least one part");
  if (failed(verifyAxis(*this, axis, result.getRank())))
    return failure();
  // C2
  int64_t sum = 0;
  for (Value part : getParts()) {
    auto type = cast<TileType>(part.getType());
    SmallVector<int64_t> shape(type.getShape());
    if (type.getRank() == result.getRank()) {
      sum += shape[axis];
      shape[axis] = result.getDimSize(axis);
    }
    if (ArrayRef(shape) != result.getShape() ||
        type.getElementType() != result.getElementType())
      return emitOpError() << "expected parts of the result's extents but "
                              "along axis "
                           << axis << ", and its element type, got " << type
                           << " and " << result;
  }
  if (sum != result.getDimSize(axis))
    return emitOpError() << "expected a result of extent " << sum
                         << " along axis " << axis
                         << " (that of the parts), got "
                         << result.getDimSize(axis);
  return success();
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
    // Removes two transposes that cancel.
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

bool tile::isRepeated(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  return from.size() <= to.size() &&
         llvm::all_of(llvm::zip_equal(from, to.take_back(from.size())),
                      [](auto pair) {
                        auto [extent, whole] = pair;
                        return extent == 1 || extent == whole;
                      });
}

/// Returns the dimension of the result for each dimension of the source.
static SmallVector<int64_t> getBroadcastDims(BroadcastOp op) {
  if (op.getDims())
    return SmallVector<int64_t>(*op.getDims());
  int64_t rank = op.getSource().getType().getRank();
  return llvm::to_vector(
      llvm::seq(op.getType().getRank() - rank, op.getType().getRank()));
}

LogicalResult BroadcastOp::verify() {
  TileType source = getSource().getType(), result = getType();
  // C1
  if (source.getRank() > result.getRank())
    return emitOpError() << "expected a source of rank at most "
                         << result.getRank() << " (the result's), got rank "
                         << source.getRank();
  // C3
  SmallVector<int64_t> dims = getBroadcastDims(*this);
  if (static_cast<int64_t>(dims.size()) != source.getRank() ||
      !llvm::is_sorted(dims, std::less_equal<int64_t>()) ||
      llvm::any_of(dims, [&](int64_t dim) {
        return dim < 0 || dim >= result.getRank();
      }))
    return emitOpError() << "expected 'dims' of " << source.getRank()
                         << " ascending dimensions of the result, from 0 to "
                         << result.getRank() - 1 << ", got [" << dims << "]";
  // C2
  for (int64_t dim = 0; dim < source.getRank(); ++dim) {
    int64_t from = source.getDimSize(dim);
    int64_t to = result.getDimSize(dims[dim]);
    if (from != 1 && from != to)
      return emitOpError() << "expected extent 1 or " << to
                           << " of the source's dimension " << dim << ", got "
                           << from;
  }
  return verifySameElementType(*this, source, result);
}

void BroadcastOp::build(OpBuilder &builder, OperationState &state, Type result,
                        Value source) {
  build(builder, state, result, source, /*dims=*/DenseI64ArrayAttr());
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

//===----------------------------------------------------------------------===//
// TakeOp, PutOp
//===----------------------------------------------------------------------===//

LogicalResult tile::verifyAlongAxis(Operation *op, StringRef what,
                                    ShapedType part, StringRef of,
                                    ShapedType whole, int64_t axis) {
  if (failed(verifyAxis(op, axis, whole.getRank())))
    return failure();
  SmallVector<int64_t> shape(whole.getShape());
  if (part.getRank() == whole.getRank())
    shape[axis] = part.getDimSize(axis);
  if (part.getShape() == ArrayRef(shape) &&
      part.getElementType() == whole.getElementType())
    return success();
  return op->emitOpError() << "expected " << what << " of the " << of
                           << "'s extents but along axis " << axis
                           << ", and its element type, got " << Type(part)
                           << " and " << Type(whole);
}

void TakeOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  if (isa<MemRefType>(getSource().getType()))
    effects.emplace_back(MemoryEffects::Read::get(), &getSourceMutable(),
                         SideEffects::DefaultResource::get());
}

LogicalResult TakeOp::verify() {
  // C1, C2
  auto source = cast<ShapedType>(getSource().getType());
  SmallVector<int64_t> repeated(source.getShape());
  if (source.getRank() == getType().getRank())
    for (auto [extent, result] :
         llvm::zip_equal(repeated, getType().getShape()))
      extent = extent == 1 ? result : extent;
  if (failed(verifyAlongAxis(*this, "a result", getType(), "source",
                             source.clone(repeated), getAxis())))
    return failure();
  // C3
  return verifyIndices(*this, "result's", getType(), getIndices().getType(),
                       getAxis(), /*mask=*/Value());
}

LogicalResult PutOp::verify() { return verifyPut(*this); }
