// SharedAccess.cpp - tiles to and from buffers in shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// copy_async is cp.async where array and buffer run along the same dimension
// and the alignment allows 4, 8 or 16 bytes (PTX ISA, "cp.async": cp-size);
// what lies outside the array is filled with zeros by its src-size. Else the
// elements pass through registers at once.

#include "Addresses.h"
#include "Patterns.h"
#include "RegisterTiles.h"

#include "tile/Analysis/Alignment.h"
#include "tile/Analysis/SharedAccess.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tile;

/// The least that cp.async copies.
static constexpr int64_t kMinAsyncBytes = 4;

/// Accesses of a thread in a row; more are a loop, so that code stays short.
/// Guarded ones are for the edges of arrays; those that are not asynchronous
/// wait for memory, a few at a time.
static constexpr int64_t kMaxUnrolledChunks = 8;
static constexpr int64_t kMaxUnrolledGuarded = 1;
static constexpr int64_t kMaxUnrolledGuardedElements = 4;

static void storeChunk(IndexBuilder &index, Value chunk, Value memory, Value at,
                       int64_t elementBytes) {
  auto type = dyn_cast<VectorType>(chunk.getType());
  if (!type) {
    memref::StoreOp::create(index.builder, index.loc, chunk, memory, at);
    return;
  }
  vector::StoreOp::create(
      index.builder, index.loc, chunk, memory, at, /*nontemporal=*/false,
      llvm::MaybeAlign(type.getNumElements() * elementBytes));
}

namespace {

//===----------------------------------------------------------------------===//
// copy_async
//===----------------------------------------------------------------------===//

/// One copy of a box of an array to a buffer.
class BoxCopy {
public:
  BoxCopy(CopyAsyncOp op, Value array, ArrayRef<Value> offsets, int64_t width,
          ConversionPatternRewriter &rewriter)
      : op(op), index(rewriter, op.getLoc()), width(width), array(array),
        offsets(offsets), address(index, rewriter, op.getDest()),
        plan(makePlan()), coordinates(index, plan.layout) {
    auto type = cast<MemRefType>(op.getSource().getType());
    leading = type.getRank() - rank();
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      sizes.push_back(memref::DimOp::create(rewriter, op.getLoc(), array,
                                            index.constant(dim)));
    auto metadata =
        memref::ExtractStridedMetadataOp::create(rewriter, op.getLoc(), array);
    base = metadata.getBaseBuffer();
    arrayOffset = metadata.getOffset();
    strides.assign(metadata.getStrides().begin(), metadata.getStrides().end());
  }

  void emit();

private:
  int64_t rank() { return getTileShape(op.getDest().getType()).size(); }
  int64_t elementBytes() {
    return getElementBytes(
        cast<ShapedType>(op.getDest().getType()).getElementType());
  }
  AccessPlan makePlan();
  bool canBeAsync(const AccessPlan &copy);
  bool isAsync() { return canBeAsync(plan); }
  bool isWholeBox() {
    return address.getBox() == getTileShape(op.getDest().getType());
  }
  Value isBoxInside();
  void emitChunks(bool isGuarded);
  void emitChunk(ThreadCoordinates &coordinates, int64_t value, bool isGuarded);
  Value getRow(ArrayRef<Value> at);
  void copyAsync(ArrayRef<Value> at, Value element, Value count);
  void copyElement(ArrayRef<Value> at, Value inside, Value element);
  Value atMost(Value a, Value b) {
    return index.builder.createOrFold<arith::CmpIOp>(
        index.loc, arith::CmpIPredicate::sle, a, b);
  }

  CopyAsyncOp op;
  IndexBuilder index;
  int64_t width; // the most elements of one access of the array
  Value array;
  SmallVector<Value> offsets;
  SharedAddress address;
  AccessPlan plan;
  ThreadCoordinates coordinates;
  int64_t leading;
  SmallVector<Value> sizes, strides;
  Value base, arrayOffset;
};

} // namespace

/// Numbers of whole bytes, four of them and more.
bool BoxCopy::canBeAsync(const AccessPlan &copy) {
  Type type = cast<ShapedType>(op.getDest().getType()).getElementType();
  return type.isIntOrFloat() && !type.isInteger(1) &&
         copy.vector * elementBytes() >= kMinAsyncBytes;
}

/// Vectors along the buffer's fastest dimension if it is the array's too.
AccessPlan BoxCopy::makePlan() {
  auto type = cast<MemRefType>(op.getSource().getType());
  ArrayRef<int64_t> shape = getTileShape(op.getDest().getType());
  int64_t fastest = address.getFastestDimension();
  std::optional<int64_t> dim = getContiguousDimension(type);
  int64_t vector = 1;
  int64_t own = type.getRank() - static_cast<int64_t>(shape.size()) + fastest;
  if (dim && *dim == own)
    vector = std::min(width, address.getMaxVector());
  AccessPlan copy =
      getCopyPlan(address.getBox(), fastest, vector, getNumWarps(op));
  if (canBeAsync(copy))
    return copy;
  return getCopyPlan(address.getBox(), fastest, 1, getNumWarps(op));
}

Value BoxCopy::isBoxInside() {
  Value inside;
  ArrayRef<int64_t> shape = getTileShape(op.getDest().getType());
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    int64_t extent =
        static_cast<int64_t>(dim) < leading ? 1 : shape[dim - leading];
    Value end = index.builder.createOrFold<arith::SubIOp>(
        index.loc, size, index.constant(extent));
    inside = index.both(inside, atMost(index.constant(0), offsets[dim]));
    inside = index.both(inside, atMost(offsets[dim], end));
  }
  return inside;
}

/// The neighbours from a coordinate on, as a row: the instruction's source is
/// one address, whichever dimension of the array is contiguous.
Value BoxCopy::getRow(ArrayRef<Value> at) {
  Value linear = arrayOffset;
  for (auto [coordinate, stride] : llvm::zip(at, strides))
    linear = index.add(linear, index.builder.createOrFold<arith::MulIOp>(
                                   index.loc, coordinate, stride));
  auto type = cast<MemRefType>(array.getType());
  auto row = MemRefType::get(
      {plan.vector}, type.getElementType(),
      StridedLayoutAttr::get(type.getContext(), ShapedType::kDynamic, {1}),
      type.getMemorySpace());
  return memref::ReinterpretCastOp::create(
      index.builder, index.loc, row, base, OpFoldResult(linear),
      ArrayRef<OpFoldResult>{index.builder.getIndexAttr(plan.vector)},
      ArrayRef<OpFoldResult>{index.builder.getIndexAttr(1)});
}

void BoxCopy::copyAsync(ArrayRef<Value> at, Value element, Value count) {
  bool bypassesL1 = plan.vector * elementBytes() == kMaxAccessBytes;
  nvgpu::DeviceAsyncCopyOp::create(
      index.builder, index.loc,
      nvgpu::DeviceAsyncTokenType::get(op.getContext()), address.getMemory(),
      element, getRow(at), index.constant(0),
      index.builder.getIndexAttr(plan.vector), count,
      bypassesL1 ? index.builder.getUnitAttr() : UnitAttr());
}

/// One element through a register; zero where `inside` does not hold.
void BoxCopy::copyElement(ArrayRef<Value> at, Value inside, Value element) {
  Type type = cast<ShapedType>(op.getDest().getType()).getElementType();
  Value loaded;
  if (inside) {
    auto branch = scf::IfOp::create(index.builder, index.loc, TypeRange(type),
                                    inside, /*addThenBlock=*/true,
                                    /*addElseBlock=*/true);
    OpBuilder::InsertionGuard guard(index.builder);
    index.builder.setInsertionPointToStart(branch.thenBlock());
    Value value = memref::LoadOp::create(index.builder, index.loc, array, at);
    scf::YieldOp::create(index.builder, index.loc, value);
    index.builder.setInsertionPointToStart(branch.elseBlock());
    Value zero = createZero(index.builder, index.loc, type);
    scf::YieldOp::create(index.builder, index.loc, zero);
    loaded = branch.getResult(0);
  } else {
    loaded = memref::LoadOp::create(index.builder, index.loc, array, at);
  }
  memref::StoreOp::create(index.builder, index.loc, loaded, address.getMemory(),
                          element);
}

void BoxCopy::emitChunk(ThreadCoordinates &coordinates, int64_t value,
                        bool isGuarded) {
  ArrayRef<int64_t> shape = getTileShape(op.getDest().getType());
  OpBuilder::InsertionGuard guard(index.builder);
  // The plan may cover more than the box.
  index.enterIf(coordinates.isInside(value, address.getBox()));
  SmallVector<Value> at(offsets);
  SmallVector<Value> own;
  for (int64_t dim = 0; dim < rank(); ++dim) {
    own.push_back(index.add(coordinates.get(value, dim), 0));
    at[leading + dim] = index.add(at[leading + dim], own[dim]);
  }
  Value element = address.getElement(coordinates, value);
  if (!isGuarded) {
    if (isAsync())
      copyAsync(at, element, Value());
    else
      copyElement(at, Value(), element);
    return;
  }
  // Inside along every dimension but the vector's, where the number of
  // elements inside counts.
  Value inside, count;
  Value zero = index.constant(0);
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    int64_t tileDim = static_cast<int64_t>(dim) - leading;
    inside = index.both(inside, atMost(zero, at[dim]));
    if (isAsync() && tileDim == plan.dim) {
      Value left =
          index.builder.createOrFold<arith::SubIOp>(index.loc, size, at[dim]);
      Value ofTile = index.builder.createOrFold<arith::SubIOp>(
          index.loc, index.constant(shape[tileDim]), own[tileDim]);
      count =
          index.builder.createOrFold<arith::MinSIOp>(index.loc, left, ofTile);
      count = index.builder.createOrFold<arith::MinSIOp>(
          index.loc, count, index.constant(plan.vector));
      count =
          index.builder.createOrFold<arith::MaxSIOp>(index.loc, count, zero);
      continue;
    }
    inside = index.both(inside, index.less(at[dim], size));
    if (tileDim >= 0 && address.getBox()[tileDim] > shape[tileDim])
      inside = index.both(
          inside, index.less(own[tileDim], index.constant(shape[tileDim])));
  }
  if (!isAsync())
    return copyElement(at, inside, element);
  if (!count) // a tile of rank 0
    count = index.constant(plan.vector);
  count = index.select(inside, count, zero);
  // Nothing is read at an address outside the array.
  Value some = index.less(zero, count);
  for (Value &coordinate : at)
    coordinate = index.select(some, coordinate, zero);
  copyAsync(at, element, count);
}

/// What is not unrolled is a loop over the layout's last digit.
void BoxCopy::emitChunks(bool isGuarded) {
  int64_t limit = !isGuarded  ? kMaxUnrolledChunks
                  : isAsync() ? kMaxUnrolledGuarded
                              : kMaxUnrolledGuardedElements;
  int64_t values = plan.layout.getNumValues();
  const RegisterLayout::Modes &modes =
      plan.layout.getModes(RegisterLayout::kValue);
  RegisterMode last = modes.empty() ? RegisterMode{1, 0, 1} : modes.back();
  bool isVector = modes.size() == 1 && plan.vector > 1;
  int64_t inner = last.extent;
  while (values / plan.vector / last.extent * inner > limit && inner % 2 == 0 &&
         !isVector)
    inner /= 2;
  if (inner == last.extent) {
    for (int64_t value = 0; value < values; value += plan.vector)
      emitChunk(coordinates, value, isGuarded);
    return;
  }
  auto loop = scf::ForOp::create(index.builder, index.loc, index.constant(0),
                                 index.constant(last.extent * last.step),
                                 index.constant(inner * last.step));
  OpBuilder::InsertionGuard guard(index.builder);
  index.builder.setInsertionPointToStart(loop.getBody());
  ThreadCoordinates shifted = coordinates;
  shifted.shift(last.dim, loop.getInductionVar(), inner * last.step,
                last.extent * last.step);
  address.getElement(shifted, 0);
  for (int64_t value = 0; value < values / last.extent * inner;
       value += plan.vector)
    emitChunk(shifted, value, isGuarded);
  address.forget(shifted);
}

void BoxCopy::emit() {
  // What all branches use is computed before them.
  address.getElement(coordinates, 0);
  // Threads that have the same elements would copy them side by side.
  OpBuilder::InsertionGuard whole(index.builder);
  index.enterIf(coordinates.isOwner());
  // Padding beyond the tile is zero even where the array goes on.
  if (!isWholeBox())
    return emitChunks(/*isGuarded=*/true);
  if (op.getInBounds())
    return emitChunks(/*isGuarded=*/false);
  auto branch = scf::IfOp::create(index.builder, index.loc, isBoxInside(),
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(index.builder);
  index.builder.setInsertionPointToStart(branch.thenBlock());
  emitChunks(/*isGuarded=*/false);
  index.builder.setInsertionPointToStart(branch.elseBlock());
  emitChunks(/*isGuarded=*/true);
}

namespace {

struct ConvertCopyAsync : OpConversionPattern<CopyAsyncOp> {
  ConvertCopyAsync(TypeConverter &types, MLIRContext *context,
                   const LoweringContext &lowering)
      : OpConversionPattern(types, context), lowering(lowering) {}

  LogicalResult
  matchAndRewrite(CopyAsyncOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> offsets;
    for (ValueRange offset : adaptor.getOffsets())
      offsets.push_back(offset.front());
    BoxCopy(op, adaptor.getSource().front(), offsets,
            lowering.vectorWidth.lookup(op), rewriter)
        .emit();
    rewriter.eraseOp(op);
    return success();
  }

private:
  const LoweringContext &lowering;
};

//===----------------------------------------------------------------------===//
// store_shared, load_shared
//===----------------------------------------------------------------------===//

/// Elements of one access: along the buffer's fastest dimension, not across the
/// tile's edge.
int64_t chooseVector(const RegisterLayout &layout, TileType type,
                     const SharedAddress &address) {
  if (layout.getRank() == 0 || !isVectorElement(type.getElementType()))
    return 1;
  int64_t dim = address.getFastestDimension();
  int64_t width = address.getMaxVector();
  while (width > 1 && (layout.getContiguity(dim) % width != 0 ||
                       type.getDimSize(dim) % width != 0 ||
                       address.getBox()[dim] % width != 0))
    width /= 2;
  return std::max<int64_t>(width, 1);
}

struct ConvertStoreShared : OpConversionPattern<StoreSharedOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(StoreSharedOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    TileType type = op.getValue().getType();
    RegisterLayout layout = type.getRegister().getRegisterLayout();
    IndexBuilder index(rewriter, loc);
    ThreadCoordinates coordinates(index, layout);
    SharedAddress address(index, rewriter, op.getDest());
    bool isCovered = covers(layout, address.getBox());
    if (op.getZeroPadding() && !isCovered)
      storeZeros(index, address, type.getShape(), getNumWarps(op));
    OpBuilder::InsertionGuard guard(rewriter);
    index.enterIf(coordinates.isOwner());
    bool isReshaped = type.getShape() != getTileShape(op.getDest().getType());
    int64_t width = isReshaped ? 1 : chooseVector(layout, type, address);
    for (int64_t value = 0; value < layout.getNumValues(); value += width) {
      OpBuilder::InsertionGuard inner(rewriter);
      Value chunk =
          getChunk(rewriter, loc, type, adaptor.getValue(), value, width);
      Value inside = coordinates.isInside(value, type.getShape());
      if (op.getZeroPadding() && isCovered && inside) {
        Value zero = createZero(rewriter, loc, chunk.getType());
        chunk = arith::SelectOp::create(rewriter, loc, inside, chunk, zero);
        inside = coordinates.isInside(value, address.getBox());
      }
      Value element = isReshaped ? getRowMajor(index, coordinates, value, type)
                                 : address.getElement(coordinates, value);
      index.enterIf(inside);
      storeChunk(index, chunk, address.getMemory(), element,
                 getElementBytes(type.getElementType()));
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  static bool covers(const RegisterLayout &layout, ArrayRef<int64_t> box) {
    return layout.getRank() == static_cast<int64_t>(box.size()) &&
           llvm::all_of(llvm::zip(layout.getBox(), box), [](auto pair) {
             return std::get<0>(pair) >= std::get<1>(pair);
           });
  }

  /// Zeros in the buffer's box beyond `shape`, where the tile's registers do
  /// not reach.
  static void storeZeros(IndexBuilder &index, SharedAddress &address,
                         ArrayRef<int64_t> shape, int64_t numWarps) {
    ArrayRef<int64_t> box = address.getBox();
    auto layout =
        RegisterLayout::blocked({box.begin(), box.end()}, 1, numWarps);
    ThreadCoordinates coordinates(index, layout);
    OpBuilder::InsertionGuard guard(index.builder);
    index.enterIf(coordinates.isOwner());
    Type element =
        cast<MemRefType>(address.getMemory().getType()).getElementType();
    Value zero = createZero(index.builder, index.loc, element);
    for (int64_t value = 0; value < layout.getNumValues(); ++value) {
      Value element = address.getElement(coordinates, value);
      Value beyond = isBeyond(index, coordinates, value, shape, box);
      OpBuilder::InsertionGuard inner(index.builder);
      index.enterIf(index.both(coordinates.isInside(value, box), beyond));
      memref::StoreOp::create(index.builder, index.loc, zero,
                              address.getMemory(), element);
    }
    address.forget(coordinates);
  }

  /// Whether a value of a box lies outside `shape` along some dimension.
  static Value isBeyond(IndexBuilder &index, ThreadCoordinates &coordinates,
                        int64_t value, ArrayRef<int64_t> shape,
                        ArrayRef<int64_t> box) {
    Value beyond;
    for (auto [dim, extent] : llvm::enumerate(shape)) {
      if (box[dim] <= extent)
        continue;
      Value last = index.constant(extent - 1);
      Value is = index.less(last, coordinates.get(value, dim));
      beyond = beyond ? index.builder.createOrFold<arith::OrIOp>(index.loc,
                                                                 beyond, is)
                      : is;
    }
    return beyond;
  }

  static Value getRowMajor(IndexBuilder &index, ThreadCoordinates &coordinates,
                           int64_t value, TileType type) {
    Value linear;
    int64_t stride = type.getNumElements();
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      stride /= type.getDimSize(dim);
      linear =
          index.add(linear, index.mul(coordinates.get(value, dim), stride));
    }
    return index.add(linear, 0);
  }
};

struct ConvertLoadShared : OpConversionPattern<LoadSharedOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(LoadSharedOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    TileType type = op.getType();
    RegisterLayout layout = type.getRegister().getRegisterLayout();
    IndexBuilder index(rewriter, loc);
    ThreadCoordinates coordinates(index, layout);
    SharedAddress address(index, rewriter, op.getSource());
    int64_t width = chooseVector(layout, type, address);
    int64_t bytes = getElementBytes(type.getElementType());
    SmallVector<Value> chunks;
    for (int64_t value = 0; value < layout.getNumValues(); value += width) {
      Value element = address.getElement(coordinates, value);
      // Padding of the layout reads the buffer's first element.
      element = index.select(coordinates.isInside(value, type.getShape()),
                             element, index.constant(0));
      if (width == 1)
        chunks.push_back(memref::LoadOp::create(rewriter, loc,
                                                address.getMemory(), element));
      else
        chunks.push_back(vector::LoadOp::create(
            rewriter, loc, VectorType::get({width}, type.getElementType()),
            address.getMemory(), element, /*nontemporal=*/false,
            llvm::MaybeAlign(width * bytes)));
    }
    rewriter.replaceOpWithMultiple(op,
                                   {packChunks(rewriter, loc, type, chunks)});
    return success();
  }
};

} // namespace

void tile::populateSharedAccessPatterns(TypeConverter &types,
                                        RewritePatternSet &patterns,
                                        const LoweringContext &context) {
  patterns.add<ConvertCopyAsync>(types, patterns.getContext(), context);
  patterns.add<ConvertStoreShared, ConvertLoadShared>(types,
                                                      patterns.getContext());
}
