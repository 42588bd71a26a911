// CombiningLayouts.cpp - layouts in which reductions and scans combine
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If an operation is commutative, elements are combined in the layout that they
// have; otherwise a conversion first brings them into order along the axis.
// Each warp combines its own elements. If several warps have elements of a row
// along the axis, every thread that needs the row's result gets the partial
// results of all these warps and combines them.

#include "tile/IR/ConvertLayout.h"
#include "tile/Layout/Chunks.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Copies the region that combines the elements of `from`, if it has one, to
/// `to`, which was created with an empty region for it.
static void copyCombiner(CombiningOpInterface from, CombiningOpInterface to) {
  if (!from.getCombiner())
    return;
  IRMapping mapping;
  from.getCombiner()->cloneInto(to.getCombiner(), mapping);
}

/// Creates a reduction along an axis, or of all elements, that combines
/// elements as `like` does.
static ReduceOp createReduce(OpBuilder &builder, CombiningOpInterface like,
                             TypeRange types, ValueRange sources,
                             std::optional<int64_t> axis) {
  auto reduce = ReduceOp::create(
      builder, like.getLoc(), types, like.getKindAttr(), sources,
      like.getIdentitiesAttr(),
      axis ? builder.getI64IntegerAttr(*axis) : IntegerAttr(),
      /*keep=*/UnitAttr(),
      like.isCommutative() && !like.getKindAttr() ? builder.getUnitAttr()
                                                  : UnitAttr(),
      like->getNumRegions());
  copyCombiner(like, reduce);
  return reduce;
}

//===----------------------------------------------------------------------===//
// Simplification
//===----------------------------------------------------------------------===//

/// Returns the tile type with another shape, in registers of any layout.
static TileType withShape(Type type, ArrayRef<int64_t> shape) {
  return TileType::get(type.getContext(), shape,
                       cast<TileType>(type).getElementType(),
                       getAnyRegisters(type.getContext()));
}

/// Expands a reduction of all elements to reductions along each axis, the last
/// axis first.
static void expandFullReduction(ReduceOp op) {
  OpBuilder builder(op);
  SmallVector<Value> values(op.getSources());
  ArrayRef<int64_t> shape = cast<TileType>(values.front().getType()).getShape();
  for (int64_t axis = shape.size(); axis-- > 0;) {
    SmallVector<Type> types(op.getResultTypes());
    if (axis > 0)
      for (Type &type : types)
        type = withShape(type, shape.take_front(axis));
    values = llvm::to_vector_of<Value>(
        createReduce(builder, op, types, values, axis).getResults());
  }
  op->replaceAllUsesWith(values);
  op->erase();
}

/// Replaces a reduction that keeps its axes with one that drops them, and a
/// change of shape.
static ReduceOp dropAxes(ReduceOp op) {
  OpBuilder builder(op);
  SmallVector<int64_t> shape;
  if (op.getAxis()) {
    shape.assign(getTileShape(op.getResultTypes().front()));
    shape.erase(shape.begin() + *op.getAxis());
  }
  auto types = llvm::map_to_vector(op.getResultTypes(), [&](Type type) -> Type {
    return withShape(type, shape);
  });
  ReduceOp dropped =
      createReduce(builder, op, types, op.getSources(), op.getAxis());
  for (auto [kept, result] :
       llvm::zip_equal(op.getResults(), dropped.getResults()))
    kept.replaceAllUsesWith(
        ReshapeOp::create(builder, op.getLoc(), kept.getType(), result));
  op->erase();
  return dropped;
}

/// Replaces a scan of all elements by a scan of one row, to which tiles are
/// reshaped.
static void flattenScan(ScanOp op) {
  auto first = cast<TileType>(op.getSources().front().getType());
  if (first.getRank() == 1)
    return op.setAxis(0);
  OpBuilder builder(op);
  int64_t count = first.getNumElements();
  for (OpOperand &source : op->getOpOperands())
    source.set(ReshapeOp::create(builder, op.getLoc(),
                                 withShape(source.get().getType(), count),
                                 source.get()));
  op.setAxis(0);
  builder.setInsertionPointAfter(op);
  for (OpResult result : op->getResults()) {
    Type type = result.getType();
    result.setType(withShape(type, count));
    auto shaped = ReshapeOp::create(builder, op.getLoc(), type, result);
    result.replaceAllUsesExcept(shaped, shaped);
  }
}

/// Makes an addition or multiplication of floats narrower than f32 combine them
/// in f32 and round the result once.
static void widen(CombiningOpInterface op) {
  OpBuilder builder(op);
  OpOperand &source = op->getOpOperand(0);
  OpResult result = op->getResult(0);
  auto from = cast<TileType>(source.get().getType());
  auto to = cast<TileType>(result.getType());
  auto withF32 = [&](TileType type) {
    return TileType::get(op.getContext(), type.getShape(), builder.getF32Type(),
                         type.getStorage());
  };
  source.set(CastOp::create(builder, op.getLoc(), withF32(from), source.get()));
  result.setType(withF32(to));
  builder.setInsertionPointAfter(op);
  auto narrow = CastOp::create(builder, op.getLoc(), to, result);
  result.replaceAllUsesExcept(narrow, narrow);
}

static bool isWidened(CombiningOpInterface op) {
  auto type = cast<TileType>(op.getSources().front().getType());
  ReduceKindAttr kind = op.getKindAttr();
  return kind && isa<FloatType>(type.getElementType()) &&
         type.getElementType().getIntOrFloatBitWidth() < 32 &&
         (kind.getValue() == ReduceKind::add ||
          kind.getValue() == ReduceKind::mul);
}

void ReduceOp::simplifyForLayouts() {
  if (isWidened(*this))
    widen(*this);
  ReduceOp reduce = getKeep() ? dropAxes(*this) : *this;
  if (!reduce.getAxis())
    expandFullReduction(reduce);
}

void ScanOp::simplifyForLayouts() {
  if (isWidened(*this))
    widen(*this);
  if (!getAxis())
    flattenScan(*this);
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

SmallVector<SmallVector<Value>> ReduceOp::getLayoutGroups() {
  return {SmallVector<Value>(getSources()), SmallVector<Value>(getResults())};
}

SmallVector<SmallVector<Value>> ScanOp::getLayoutGroups() {
  return {SmallVector<Value>(getSources()), SmallVector<Value>(getResults())};
}

/// Returns `source` if its elements are in order along the axis, otherwise a
/// layout in which they are.
static RegisterLayout order(const RegisterLayout &source, Value tile,
                            int64_t axis) {
  if (source.isOrdered(axis))
    return source;
  return RegisterLayout::ordered(getTileShape(tile.getType()).vec(), axis,
                                 source.getNumWarps());
}

/// Returns the layout in which elements are combined, for sources in the layout
/// `source`.
static RegisterLayout getCombiningLayout(ReduceOp op,
                                         const RegisterLayout &source) {
  return cast<CombiningOpInterface>(op.getOperation()).isCommutative()
             ? source
             : order(source, op.getSources().front(), *op.getAxis());
}

/// Maximum number of chunks of a row for which a scan with eleven shuffles for
/// each chunk takes less time than an exchange before and after the scan.
static constexpr int64_t kMaxChunks = 4;

static RegisterLayout getCombiningLayout(ScanOp op,
                                         const RegisterLayout &source) {
  int64_t chunks = getNumChunks(source, *op.getAxis());
  return 1 <= chunks && chunks <= kMaxChunks
             ? source
             : order(source, op.getSources().front(), *op.getAxis());
}

bool ReduceOp::followsSource() { return true; }
bool ScanOp::followsSource() { return true; }

std::optional<RegisterLayout>
ReduceOp::inferResultLayout(const RegisterLayout &source) {
  return getCombiningLayout(*this, source).dropDimension(*getAxis());
}

std::optional<RegisterLayout>
ScanOp::inferResultLayout(const RegisterLayout &source) {
  return getCombiningLayout(*this, source);
}

/// Returns the layout of the partial results of each warp and chunk. With n
/// warps, the partial result of warp w and chunk c has the index w + c n along
/// the axis.
static RegisterLayout partialLayout(const RegisterLayout &source, int64_t axis,
                                    int64_t chunks) {
  RegisterLayout::Modes warps = source.getModes(RegisterLayout::kWarp);
  SmallVector<RegisterMode *> along;
  for (RegisterMode &mode : warps)
    if (mode.dim == axis)
      along.push_back(&mode);
  llvm::sort(along, [](RegisterMode *a, RegisterMode *b) {
    return a->step < b->step;
  });
  int64_t count = 1;
  for (RegisterMode *mode : along) {
    mode->step = count;
    count *= mode->extent;
  }
  RegisterLayout squeezed = source.squeezeDimension(axis);
  std::vector<int64_t> box = squeezed.getBox();
  box[axis] = count * chunks;
  RegisterLayout::Modes values = squeezed.getModes(RegisterLayout::kValue);
  values.push_back({chunks, axis, count});
  return RegisterLayout::fromModes(squeezed.getModes(RegisterLayout::kLane),
                                   warps, values, box);
}

/// Returns the layout in which each thread holds the partial results of all
/// warps and chunks for the rows of which it has elements.
static RegisterLayout gatheredLayout(const RegisterLayout &partial,
                                     int64_t axis) {
  RegisterLayout squeezed = partial.squeezeDimension(axis);
  RegisterLayout::Modes values = squeezed.getModes(RegisterLayout::kValue);
  values.push_back({partial.getBox()[axis], axis, 1});
  return RegisterLayout::fromModes(squeezed.getModes(RegisterLayout::kLane),
                                   squeezed.getModes(RegisterLayout::kWarp),
                                   values, partial.getBox());
}

/// Combines the elements of each warp, separately for each chunk if `chunks` is
/// greater than one, and distributes the partial results to every thread that
/// holds elements of the same rows.
static SmallVector<Value> combineWarps(OpBuilder &builder,
                                       CombiningOpInterface op, int64_t axis,
                                       int64_t chunks) {
  Location loc = op.getLoc();
  RegisterLayout source = getRegisterLayout(op.getSources().front());
  RegisterLayout partial = partialLayout(source, axis, chunks);
  auto types =
      llvm::map_to_vector(op.getSources().getTypes(), [&](Type type) -> Type {
        auto tile = cast<TileType>(type);
        SmallVector<int64_t> shape(tile.getShape());
        shape[axis] = partial.getBox()[axis];
        return TileType::get(op.getContext(), shape, tile.getElementType(),
                             RegisterAttr::get(op.getContext(), partial));
      });
  auto combined = PartialReduceOp::create(
      builder, loc, types, op.getKindAttr(), op.getSources(),
      op.getIdentitiesAttr(), builder.getI64IntegerAttr(axis),
      op.isCommutative() && !op.getKindAttr() ? builder.getUnitAttr()
                                              : UnitAttr(),
      op->getNumRegions());
  copyCombiner(op, combined);
  return llvm::map_to_vector(combined.getResults(), [&](Value value) {
    return convertTo(builder, loc, value, gatheredLayout(partial, axis));
  });
}

static void convertSources(Operation *op, const RegisterLayout &layout) {
  OpBuilder builder(op);
  for (OpOperand &source : op->getOpOperands())
    source.set(convertTo(builder, op->getLoc(), source.get(), layout));
}

void ReduceOp::adaptToLayouts(ArrayRef<TileType> wanted, int64_t) {
  int64_t axis = *getAxis();
  RegisterLayout layout =
      getCombiningLayout(*this, getRegisterLayout(getSources().front()));
  convertSources(*this, layout);
  if (layout.getExtent(RegisterLayout::kWarp, axis) > 1) {
    OpBuilder builder(*this);
    getSourcesMutable().assign(
        combineWarps(builder, *this, axis, /*chunks=*/1));
    layout = getRegisterLayout(getSources().front());
  }
  setResults(*this, layout.dropDimension(axis), wanted);
}

/// Gives each source the notation that the wanted result has for the same
/// layout, since sources and results have equal types.
static void adoptNotation(ScanOp op, ArrayRef<TileType> wanted) {
  OpBuilder builder(op);
  for (auto [source, type] : llvm::zip_equal(op.getSourcesMutable(), wanted)) {
    if (source.get().getType() != type &&
        getRegisterLayout(source.get())
            .isEquivalent(type.getRegister().getRegisterLayout()))
      source.set(
          convertTo(builder, op.getLoc(), source.get(), type.getStorage()));
  }
}

void ScanOp::adaptToLayouts(ArrayRef<TileType> wanted, int64_t) {
  int64_t axis = *getAxis();
  RegisterLayout layout =
      getCombiningLayout(*this, getRegisterLayout(getSources().front()));
  convertSources(*this, layout);
  adoptNotation(*this, wanted);
  int64_t chunks = getNumChunks(layout, axis);
  if (chunks == 1 && layout.getExtent(RegisterLayout::kWarp, axis) == 1)
    return setResults(*this, layout, wanted);
  OpBuilder builder(*this);
  auto scan = PartialScanOp::create(
      builder, getLoc(), getSources().getTypes(), getKindAttr(), getSources(),
      combineWarps(builder, *this, axis, chunks), getIdentitiesAttr(),
      getAxisAttr(), getExclusiveAttr(), getReverseAttr(),
      getOperation()->getNumRegions());
  copyCombiner(*this, scan);
  getOperation()->replaceAllUsesWith(scan.getResults());
  erase();
  setResults(scan, layout, wanted);
}
