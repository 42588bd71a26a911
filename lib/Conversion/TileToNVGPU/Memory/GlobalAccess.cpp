// GlobalAccess.cpp - boxes of arrays to and from registers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If the access plan requires it, one test for the block decides how a box that
// may be partly outside the array is accessed. If the test holds, accesses are
// as wide as the plan specifies; otherwise each element is tested. The test is
// one of two:
//
// - whether the whole box is inside: then accesses are unguarded;
// - whether the part inside consists of whole accesses: then each access is
//   tested. Blocks at the edges of a matrix then take no longer than others,
//   which matters if all blocks run at once.
//
// The second is for tiles with several rows. A tile of one row often has all
// registers of a thread in use when it is stored, and tests between its
// accesses would cost up to 8 % of a softmax's time.
//
// ptxas turns tested accesses into predicated instructions. These need no
// branch, and their addresses need not be valid, so that all accesses of a row
// share one address register.

#include "../Patterns.h"
#include "../RegisterTiles.h"
#include "BoxAccess.h"
#include "PaddedValues.h"

#include "tile/Analysis/AccessPlans.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tile;

/// Returns whether the part of the box inside the array consists of whole
/// accesses; null if this is not tested: for a tile of one row, and for a
/// layout with padding, whose values are tested in groups (PaddedValues.h).
static Value findWholeVectors(BoxAccess &box, TileType type,
                              const llvm::SmallBitVector &nonNegative) {
  auto isLong = [](int64_t extent) { return extent > 1; };
  bool hasRows = llvm::count_if(type.getShape(), isLong) > 1;
  bool isPadded = ArrayRef(type.getRegister().getRegisterLayout().getBox()) !=
                  type.getShape();
  if (!box.hasRuns() || box.getVector() == 1 || !hasRows || isPadded)
    return Value();
  box.findLimits(nonNegative);
  return box.hasWholeVectors();
}

namespace {

struct ConvertLoad : LoweringPattern<LoadOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult
  matchAndRewrite(LoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    TileType type = op.getType();
    Location loc = op.getLoc();
    IndexBuilder index(rewriter, loc);
    Value array = adaptor.getSource().front();
    AccessAttr access = getAccess(op);
    BoxAccess box(index, array, adaptor.getOffsets(), type, access.getVector());
    Value pad = adaptor.getPad().empty()
                    ? createZero(rewriter, loc, type.getElementType())
                    : adaptor.getPad().front();
    auto load = [&]() -> SmallVector<Value> {
      switch (access.getGuard()) {
      case AccessGuard::none:
        return loadInside(index, box, array, type);
      case AccessGuard::element:
        return loadTested(op, index, box, array, pad);
      case AccessGuard::box:
        return loadBox(op, index, box, array, pad);
      }
      llvm_unreachable("all guards are listed");
    };
    replaceWithPacks(rewriter, op, {load()});
    return success();
  }

private:
  /// Loads without guards; a value of the layout's padding reads an element of
  /// the tile.
  static SmallVector<Value> loadInside(IndexBuilder &index, BoxAccess &box,
                                       Value array, TileType type) {
    int64_t width = box.getVector();
    SmallVector<Value> chunks;
    PaddedValues values(index, box.getCoordinates(), type.getShape(), width);
    for (int64_t value = 0; value < box.getNumValues(); value += width) {
      ThreadCoordinates *readable = values.getReadable(value);
      if (!readable) {
        chunks.push_back(chunks.front());
        continue;
      }
      BoxAccess::MemoryLocation location = box.getLocation(value, *readable);
      chunks.push_back(loadChunk(index, location.row, location.at, width));
    }
    box.forgetRows();
    return packChunks(index.builder, index.loc, type, chunks);
  }

  /// Loads a box of which a part may be outside the array.
  SmallVector<Value> loadBox(LoadOp op, IndexBuilder &index, BoxAccess &box,
                             Value array, Value pad) const {
    TileType type = op.getType();
    auto loadEach = [&] { return loadTested(op, index, box, array, pad); };
    if (Value areWhole =
            findWholeVectors(box, type, lowering.nonNegative.at(op)))
      return index.emitIfElse(
          areWhole, getPackTypes(type),
          [&] { return loadVectors(index, box, type, pad); }, loadEach);
    return index.emitIfElse(
        box.isBoxInside(), getPackTypes(type),
        [&] { return loadInside(index, box, array, type); }, loadEach);
  }

  /// Loads with a test of each element.
  SmallVector<Value> loadTested(LoadOp op, IndexBuilder &index, BoxAccess &box,
                                Value array, Value pad) const {
    TileType type = op.getType();
    if (!box.hasRuns())
      return loadElements(index, box, array, type, pad);
    box.findLimits(lowering.nonNegative.at(op));
    return loadRuns(index, box, type, pad);
  }

  /// Loads vectors that are inside the array as a whole or not at all.
  static SmallVector<Value> loadVectors(IndexBuilder &index, BoxAccess &box,
                                        TileType type, Value pad) {
    int64_t width = box.getVector();
    auto vector = VectorType::get({width}, type.getElementType());
    Value pads =
        vector::BroadcastOp::create(index.builder, index.loc, vector, pad);
    SmallVector<Value> chunks;
    for (int64_t value = 0; value < box.getNumValues(); value += width) {
      Value inside = box.isInside(value);
      BoxAccess::MemoryLocation location = box.getLocation(value);
      auto load = [&]() -> SmallVector<Value> {
        return {loadChunk(index, location.row, location.at, width)};
      };
      chunks.push_back(
          index
              .emitIfElse(inside, vector, load,
                          [&]() -> SmallVector<Value> { return {pads}; })
              .front());
    }
    box.forgetRows();
    return packChunks(index.builder, index.loc, type, chunks);
  }

  static SmallVector<Value> loadRuns(IndexBuilder &index, BoxAccess &box,
                                     TileType type, Value pad) {
    auto vector = VectorType::get({box.getRun()}, type.getElementType());
    Value pads =
        vector::BroadcastOp::create(index.builder, index.loc, vector, pad);
    SmallVector<Value> chunks;
    for (int64_t value = 0; value < box.getNumValues(); value += box.getRun()) {
      Value mask = box.getMask(value);
      BoxAccess::MemoryLocation location = box.getLocation(value);
      Value chunk =
          vector::MaskedLoadOp::create(index.builder, index.loc, vector,
                                       location.row, location.at, mask, pads);
      if (box.getRun() == 1)
        chunk = extractElement(index.builder, index.loc, chunk, 0);
      chunks.push_back(chunk);
    }
    box.forgetRows();
    return packChunks(index.builder, index.loc, type, chunks);
  }

  /// Loads elements of types without vectors, or of an array without a
  /// contiguous dimension. Elements outside are not read, and are the pad
  /// value.
  static SmallVector<Value> loadElements(IndexBuilder &index, BoxAccess &box,
                                         Value array, TileType type,
                                         Value pad) {
    SmallVector<Value> elements;
    for (int64_t value = 0; value < box.getNumValues(); ++value) {
      SmallVector<Value> at = box.at(value);
      auto load = [&]() -> SmallVector<Value> {
        return {memref::LoadOp::create(index.builder, index.loc, array, at)};
      };
      elements.push_back(
          index
              .emitIfElse(box.isInside(value, at), type.getElementType(), load,
                          [&]() -> SmallVector<Value> { return {pad}; })
              .front());
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
    AccessAttr access = getAccess(op);
    BoxAccess box(index, array, adaptor.getOffsets(), type, access.getVector());
    switch (access.getGuard()) {
    case AccessGuard::none:
      storeInside(index, box, array, type, adaptor.getValue());
      break;
    case AccessGuard::element:
      storeTested(op, index, box, array, adaptor.getValue());
      break;
    case AccessGuard::box:
      storeBox(op, index, box, array, adaptor.getValue());
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  static void storeInside(IndexBuilder &index, BoxAccess &box, Value array,
                          TileType type, ValueRange packs) {
    int64_t width = box.getVector();
    PaddedValues values(index, box.getCoordinates(), type.getShape(), width);
    for (const PaddedValues::Group &group : values.getGroups()) {
      OpBuilder::InsertionGuard guard(index.builder);
      index.enterIf(group.inside);
      for (int64_t value : group.values) {
        BoxAccess::MemoryLocation location = box.getLocation(value);
        storeChunk(
            index,
            getChunk(index.builder, index.loc, type, packs, value, width),
            location.row, location.at);
      }
      box.forgetRows();
    }
  }

  /// Stores a box of which a part may be outside the array.
  void storeBox(StoreOp op, IndexBuilder &index, BoxAccess &box, Value array,
                ValueRange packs) const {
    TileType type = op.getValue().getType();
    Value areWhole = findWholeVectors(box, type, lowering.nonNegative.at(op));
    auto branch = scf::IfOp::create(index.builder, index.loc,
                                    areWhole ? areWhole : box.isBoxInside(),
                                    /*withElseRegion=*/true);
    index.builder.setInsertionPointToStart(branch.thenBlock());
    if (areWhole)
      storeVectors(index, box, type, packs);
    else
      storeInside(index, box, array, type, packs);
    index.builder.setInsertionPointToStart(branch.elseBlock());
    storeTested(op, index, box, array, packs);
  }

  /// Stores with a test of each element.
  void storeTested(StoreOp op, IndexBuilder &index, BoxAccess &box, Value array,
                   ValueRange packs) const {
    TileType type = op.getValue().getType();
    if (!box.hasRuns())
      return storeElements(index, box, array, type, packs);
    box.findLimits(lowering.nonNegative.at(op));
    storeRuns(index, box, type, packs);
  }

  /// Stores vectors that are inside the array as a whole or not at all.
  static void storeVectors(IndexBuilder &index, BoxAccess &box, TileType type,
                           ValueRange packs) {
    int64_t width = box.getVector();
    for (int64_t value = 0; value < box.getNumValues(); value += width) {
      Value inside = box.isInside(value);
      BoxAccess::MemoryLocation location = box.getLocation(value);
      OpBuilder::InsertionGuard guard(index.builder);
      index.enterIf(inside);
      storeChunk(index,
                 getChunk(index.builder, index.loc, type, packs, value, width),
                 location.row, location.at);
    }
    box.forgetRows();
  }

  static void storeRuns(IndexBuilder &index, BoxAccess &box, TileType type,
                        ValueRange packs) {
    int64_t run = box.getRun();
    auto vector = VectorType::get({run}, type.getElementType());
    for (int64_t value = 0; value < box.getNumValues(); value += run) {
      SmallVector<Value> elements;
      for (int64_t i = 0; i < run; ++i)
        elements.push_back(
            getChunk(index.builder, index.loc, type, packs, value + i, 1));
      Value mask = box.getMask(value);
      BoxAccess::MemoryLocation location = box.getLocation(value);
      vector::MaskedStoreOp::create(
          index.builder, index.loc, location.row, location.at, mask,
          vector::FromElementsOp::create(index.builder, index.loc, vector,
                                         elements));
    }
    box.forgetRows();
  }

  /// Stores elements of types without vectors, or to an array without a
  /// contiguous dimension.
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
