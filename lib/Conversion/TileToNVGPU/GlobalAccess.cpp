// GlobalAccess.cpp - boxes of arrays to and from registers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the whole box lies inside the array is one test for the block.
// Inside, accesses are as wide as layout and alignment allow and unguarded;
// else each element is tested. A load outside reads a valid address and selects
// the pad value, so that it needs no branch; an empty array has no valid
// address and is tested first.

#include "Addresses.h"
#include "Patterns.h"
#include "RegisterTiles.h"

#include "tile/Analysis/Alignment.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <map>

using namespace mlir;
using namespace tile;

namespace {

/// A tile's box in an array, and this thread's elements of it.
class BoxAccess {
public:
  BoxAccess(IndexBuilder &index, Value array, ArrayRef<Value> offsets,
            TileType tile, int64_t width)
      : index(index), array(array), offsets(offsets), tile(tile),
        coordinates(index, tile.getRegister().getRegisterLayout()) {
    auto type = cast<MemRefType>(array.getType());
    leading = type.getRank() - tile.getRank();
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      sizes.push_back(memref::DimOp::create(index.builder, index.loc, array,
                                            index.constant(dim)));
    contiguous = getContiguousDimension(type).value_or(-1);
    auto metadata = memref::ExtractStridedMetadataOp::create(index.builder,
                                                             index.loc, array);
    base = metadata.getBaseBuffer();
    arrayOffset = metadata.getOffset();
    strides.assign(metadata.getStrides().begin(), metadata.getStrides().end());
    vector = chooseVector(width);
    run =
        chooseVector(kMaxAccessBytes / getElementBytes(tile.getElementType()));
  }

  /// Elements of one unguarded access.
  int64_t getVector() const { return vector; }
  /// Elements of one guarded access: neighbours in the array, of any alignment.
  int64_t getRun() const { return run; }
  /// Whether there is a vector of such neighbours, be it of one element.
  bool hasRuns() const {
    return contiguous >= leading && isVectorElement(tile.getElementType());
  }
  int64_t getNumValues() const {
    return coordinates.getLayout().getNumValues();
  }
  ThreadCoordinates &getCoordinates() { return coordinates; }
  ArrayRef<Value> getOffsets() const { return offsets; }

  /// The whole box inside the array, for the block.
  Value isBoxInside() {
    auto type = cast<MemRefType>(array.getType());
    return tile::isBoxInside(index, offsets, sizes,
                             getBoxExtents(type, tile.getShape()));
  }

  Value isArrayEmpty() {
    Value empty;
    for (Value size : sizes) {
      Value none = index.builder.createOrFold<arith::CmpIOp>(
          index.loc, arith::CmpIPredicate::eq, size, index.constant(0));
      empty = empty ? index.builder.createOrFold<arith::OrIOp>(index.loc, empty,
                                                               none)
                    : none;
    }
    return empty;
  }

  /// The array's coordinate of a value.
  SmallVector<Value> at(int64_t value) {
    SmallVector<Value> result(offsets.begin(), offsets.end());
    for (int64_t dim = 0; dim < tile.getRank(); ++dim)
      result[leading + dim] =
          index.add(result[leading + dim], coordinates.get(value, dim));
    return result;
  }

  /// Whether a value is inside tile and array.
  Value isInside(int64_t value, ArrayRef<Value> coordinate) {
    Value inside = coordinates.isInside(value, tile.getShape());
    Value zero = index.constant(0);
    for (auto [dim, size] : llvm::enumerate(sizes)) {
      inside = index.both(inside, index.atMost(zero, coordinate[dim]));
      inside = index.both(inside, index.less(coordinate[dim], size));
    }
    return inside;
  }

  /// The box inside the array, for isInside of values in rows. What all values
  /// use is 32 bits wide and computed once.
  /// @pre hasRuns(). @p nonNegative of each offset, or empty for none.
  void findLimits(const llvm::SmallBitVector &nonNegative) {
    auto type = cast<MemRefType>(array.getType());
    SmallVector<int64_t> extents = getBoxExtents(type, tile.getShape());
    for (auto [dim, extent] : llvm::enumerate(extents))
      limits.push_back(getBoxLimits(index, offsets[dim], sizes[dim], extent,
                                    !nonNegative.empty() && nonNegative[dim]));
  }

  /// Whether a value is inside tile and array: one comparison with what is left
  /// of its row.
  Value isInside(int64_t value) {
    std::vector<int64_t> offset = coordinates.getLayout().valueOffset(value);
    int64_t along = std::exchange(offset[contiguous - leading], 0);
    Value &left = lefts[offset];
    if (!left)
      left = getLeft(offset);
    Value inside = compare(arith::CmpIPredicate::sgt, left, number(along));
    if (Value low = limits[contiguous].low)
      inside = index.both(inside, compare(arith::CmpIPredicate::sge,
                                          getOwn(contiguous, along), low));
    return inside;
  }

  /// A place in memory: a row of the array's neighbours, and an index in it.
  struct Place {
    Value row;
    SmallVector<Value> at;
  };

  /// Where a value is. Values that differ only along the array's contiguous
  /// dimension share a row, so that one address serves them all, with constants
  /// in the instructions.
  Place place(int64_t value) {
    if (contiguous < leading)
      return {array, at(value)};
    std::vector<int64_t> offset = coordinates.getLayout().valueOffset(value);
    int64_t along = std::exchange(offset[contiguous - leading], 0);
    Value &row = rows[offset];
    if (!row)
      row = makeRow(offset);
    return {row, {index.constant(along)}};
  }

  /// Forgets rows: they were made in a branch that ends.
  void forgetRows() {
    rows.clear();
    lefts.clear();
  }

  Value clamp(Value condition, Value coordinate) {
    return index.select(condition, coordinate, index.constant(0));
  }

private:
  Value number(int64_t value) {
    return arith::ConstantIntOp::create(index.builder, index.loc, value, 32);
  }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return index.builder.createOrFold<arith::CmpIOp>(index.loc, predicate, a,
                                                     b);
  }
  /// The thread's coordinate in the box along one of the array's dimensions,
  /// with a static part.
  Value getOwn(int64_t dim, int64_t offset) {
    Value own = index.constant(offset);
    if (dim >= leading)
      own = index.add(coordinates.getBase(dim - leading), offset);
    return index.builder.createOrFold<arith::IndexCastOp>(
        index.loc, index.builder.getI32Type(), own);
  }

  /// The elements from the thread's first one on to the end of a row inside the
  /// array; none where the row is outside.
  Value getLeft(const std::vector<int64_t> &offset) {
    Value inside;
    for (auto [dim, of] : llvm::enumerate(limits)) {
      int64_t arrayDim = dim;
      if (arrayDim == contiguous)
        continue;
      Value own =
          getOwn(arrayDim, arrayDim < leading ? 0 : offset[arrayDim - leading]);
      inside =
          index.both(inside, compare(arith::CmpIPredicate::slt, own, of.high));
      if (of.low)
        inside =
            index.both(inside, compare(arith::CmpIPredicate::sge, own, of.low));
    }
    Value left = index.builder.createOrFold<arith::SubIOp>(
        index.loc, limits[contiguous].high, getOwn(contiguous, 0));
    return inside ? index.select(inside, left, number(0)) : left;
  }

  Value makeRow(const std::vector<int64_t> &offset) {
    Value linear = arrayOffset;
    for (auto [dim, coordinate] : llvm::enumerate(offsets)) {
      Value along = coordinate;
      int64_t tileDim = static_cast<int64_t>(dim) - leading;
      if (tileDim >= 0)
        along = index.add(index.add(along, coordinates.getBase(tileDim)),
                          offset[tileDim]);
      linear = index.add(linear, index.builder.createOrFold<arith::MulIOp>(
                                     index.loc, along, strides[dim]));
    }
    auto type = cast<MemRefType>(array.getType());
    int64_t extent = coordinates.getLayout().getBox()[contiguous - leading];
    auto row = MemRefType::get(
        {extent}, type.getElementType(),
        StridedLayoutAttr::get(type.getContext(), ShapedType::kDynamic, {1}),
        type.getMemorySpace());
    return memref::ReinterpretCastOp::create(
        index.builder, index.loc, row, base, OpFoldResult(linear),
        ArrayRef<OpFoldResult>{index.builder.getIndexAttr(extent)},
        ArrayRef<OpFoldResult>{index.builder.getIndexAttr(1)});
  }

  /// At most `width`: what layout and tile allow along the array's contiguous
  /// dimension.
  int64_t chooseVector(int64_t width) {
    auto type = cast<MemRefType>(array.getType());
    std::optional<int64_t> dim = getContiguousDimension(type);
    if (!dim || *dim < leading || !isVectorElement(tile.getElementType()))
      return 1;
    int64_t contiguity = coordinates.getLayout().getContiguity(*dim - leading);
    // A vector that crosses the tile's edge would need a guard an element.
    while (width > 1 && (contiguity % width != 0 ||
                         tile.getDimSize(*dim - leading) % width != 0))
      width /= 2;
    return std::max<int64_t>(width, 1);
  }

  IndexBuilder &index;
  Value array;
  SmallVector<Value> offsets;
  TileType tile;
  ThreadCoordinates coordinates;
  int64_t leading;
  int64_t contiguous; // the array's contiguous dimension, -1 for none
  SmallVector<Value> sizes, strides;
  Value base, arrayOffset;
  std::map<std::vector<int64_t>, Value> rows, lefts;
  SmallVector<BoxLimits> limits; // of the array's dimensions
  int64_t vector, run;
};

/// The one value of each operand that is no tile.
SmallVector<Value> flatten(ArrayRef<ValueRange> ranges) {
  SmallVector<Value> values;
  for (ValueRange range : ranges)
    values.push_back(range.front());
  return values;
}

struct ConvertLoad : LoweringPattern<LoadOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult
  matchAndRewrite(LoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    TileType type = op.getType();
    Location loc = op.getLoc();
    IndexBuilder index(rewriter, loc);
    Value array = adaptor.getSource().front();
    BoxAccess box(index, array, flatten(adaptor.getOffsets()), type,
                  lowering.vectorWidth.lookup(op));
    if (op.getInBounds()) {
      rewriter.replaceOpWithMultiple(op, {loadInside(index, box, array, type)});
      return success();
    }
    Value pad = adaptor.getPad().empty()
                    ? createZero(rewriter, loc, type.getElementType())
                    : adaptor.getPad().front();
    SmallVector<Type> types(tile::getNumValues(type) / getPackWidth(type),
                            getPackType(type));
    auto inside = scf::IfOp::create(rewriter, loc, types, box.isBoxInside(),
                                    /*addThenBlock=*/true,
                                    /*addElseBlock=*/true);
    rewriter.setInsertionPointToStart(inside.thenBlock());
    scf::YieldOp::create(rewriter, loc, loadInside(index, box, array, type));
    rewriter.setInsertionPointToStart(inside.elseBlock());
    auto empty = scf::IfOp::create(rewriter, loc, types, box.isArrayEmpty(),
                                   /*addThenBlock=*/true,
                                   /*addElseBlock=*/true);
    scf::YieldOp::create(rewriter, loc, empty.getResults());
    rewriter.setInsertionPointToStart(empty.thenBlock());
    SmallVector<Value> pads(tile::getNumValues(type), pad);
    scf::YieldOp::create(rewriter, loc, pack(rewriter, loc, type, pads));
    rewriter.setInsertionPointToStart(empty.elseBlock());
    scf::YieldOp::create(rewriter, loc,
                         loadGuarded(index, box, array, type, pad));
    rewriter.setInsertionPointAfter(inside);
    rewriter.replaceOpWithMultiple(op,
                                   {SmallVector<Value>(inside.getResults())});
    return success();
  }

private:
  /// Padding of the layout reads the box's first element.
  static SmallVector<Value> loadInside(IndexBuilder &index, BoxAccess &box,
                                       Value array, TileType type) {
    int64_t width = box.getVector();
    SmallVector<Value> chunks;
    for (int64_t value = 0; value < box.getNumValues(); value += width) {
      Value inside = box.getCoordinates().isInside(value, type.getShape());
      BoxAccess::Place place =
          inside ? BoxAccess::Place{array, box.at(value)} : box.place(value);
      if (inside)
        for (auto [coordinate, offset] : llvm::zip(place.at, box.getOffsets()))
          coordinate = index.select(inside, coordinate, offset);
      chunks.push_back(loadChunk(index, place.row, place.at, width));
    }
    box.forgetRows();
    return packChunks(index.builder, index.loc, type, chunks);
  }

  static Value loadChunk(IndexBuilder &index, Value array, ArrayRef<Value> at,
                         int64_t width) {
    if (width == 1)
      return memref::LoadOp::create(index.builder, index.loc, array, at);
    auto type = cast<MemRefType>(array.getType());
    return vector::LoadOp::create(
        index.builder, index.loc,
        VectorType::get({width}, type.getElementType()), array, at,
        /*nontemporal=*/false,
        llvm::MaybeAlign(width * getElementBytes(type.getElementType())));
  }

  static SmallVector<Value> loadGuarded(IndexBuilder &index, BoxAccess &box,
                                        Value array, TileType type, Value pad) {
    SmallVector<Value> elements;
    for (int64_t value = 0; value < box.getNumValues(); ++value) {
      SmallVector<Value> at = box.at(value);
      Value inside = box.isInside(value, at);
      for (Value &coordinate : at)
        coordinate = box.clamp(inside, coordinate);
      Value element =
          memref::LoadOp::create(index.builder, index.loc, array, at);
      elements.push_back(index.select(inside, element, pad));
    }
    return pack(index.builder, index.loc, type, elements);
  }
};

struct ConvertStore : LoweringPattern<StoreOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult
  matchAndRewrite(StoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    TileType type = op.getValue().getType();
    IndexBuilder index(rewriter, loc);
    Value array = adaptor.getDest().front();
    // Only the owner of an element stores it.
    ThreadCoordinates owner(index, type.getRegister().getRegisterLayout());
    if (Value isOwner = owner.isOwner()) {
      auto guard = scf::IfOp::create(rewriter, loc, isOwner,
                                     /*withElseRegion=*/false);
      rewriter.setInsertionPointToStart(guard.thenBlock());
    }
    BoxAccess box(index, array, flatten(adaptor.getOffsets()), type,
                  lowering.vectorWidth.lookup(op));
    if (op.getInBounds()) {
      storeInside(index, box, array, type, adaptor.getValue());
    } else if (box.getVector() == 1) {
      // The box inside would be stored element by element too.
      storeGuarded(op, index, box, array, adaptor.getValue());
    } else {
      auto inside = scf::IfOp::create(rewriter, loc, box.isBoxInside(),
                                      /*withElseRegion=*/true);
      rewriter.setInsertionPointToStart(inside.thenBlock());
      storeInside(index, box, array, type, adaptor.getValue());
      rewriter.setInsertionPointToStart(inside.elseBlock());
      storeGuarded(op, index, box, array, adaptor.getValue());
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  static void storeInside(IndexBuilder &index, BoxAccess &box, Value array,
                          TileType type, ValueRange packs) {
    int64_t width = box.getVector();
    for (int64_t value = 0; value < box.getNumValues(); value += width) {
      OpBuilder::InsertionGuard guard(index.builder);
      BoxAccess::Place place = box.place(value);
      index.enterIf(box.getCoordinates().isInside(value, type.getShape()));
      Value chunk =
          getChunk(index.builder, index.loc, type, packs, value, width);
      if (width == 1)
        memref::StoreOp::create(index.builder, index.loc, chunk, place.row,
                                place.at);
      else
        vector::StoreOp::create(
            index.builder, index.loc, chunk, place.row, place.at,
            /*nontemporal=*/false,
            llvm::MaybeAlign(width * getElementBytes(type.getElementType())));
    }
    box.forgetRows();
  }

  /// Masked, not branched: a branch an element would be most of the kernel's
  /// code.
  void storeGuarded(StoreOp op, IndexBuilder &index, BoxAccess &box,
                    Value array, ValueRange packs) const {
    TileType type = op.getValue().getType();
    int64_t run = box.getRun();
    if (!box.hasRuns())
      return storeElements(index, box, array, type, packs);
    box.findLimits(lowering.nonNegative.at(op));
    auto vector = VectorType::get({run}, type.getElementType());
    auto mask = VectorType::get({run}, index.builder.getI1Type());
    for (int64_t value = 0; value < box.getNumValues(); value += run) {
      SmallVector<Value> elements, isStored;
      for (int64_t i = 0; i < run; ++i) {
        elements.push_back(
            getChunk(index.builder, index.loc, type, packs, value + i, 1));
        isStored.push_back(box.isInside(value + i));
      }
      BoxAccess::Place place = box.place(value);
      vector::MaskedStoreOp::create(
          index.builder, index.loc, place.row, place.at,
          vector::FromElementsOp::create(index.builder, index.loc, mask,
                                         isStored),
          vector::FromElementsOp::create(index.builder, index.loc, vector,
                                         elements));
    }
    box.forgetRows();
  }

  /// Elements of types that make no vector, or of an array without neighbours.
  static void storeElements(IndexBuilder &index, BoxAccess &box, Value array,
                            TileType type, ValueRange packs) {
    for (int64_t value = 0; value < box.getNumValues(); ++value) {
      OpBuilder::InsertionGuard guard(index.builder);
      SmallVector<Value> at = box.at(value);
      index.enterIf(box.isInside(value, at));
      memref::StoreOp::create(
          index.builder, index.loc,
          getChunk(index.builder, index.loc, type, packs, value, 1), array, at);
    }
  }
};

} // namespace

void tile::populateGlobalAccessPatterns(TypeConverter &types,
                                        RewritePatternSet &patterns,
                                        const LoweringContext &context) {
  patterns.add<ConvertLoad, ConvertStore>(types, patterns.getContext(),
                                          context);
}
