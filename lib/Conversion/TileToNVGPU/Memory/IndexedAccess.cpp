// IndexedAccess.cpp - tile.gather and tile.scatter
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Along some axes, coordinates are given by indices that the thread holds.
// Elements that are adjacent in the array and have equal indices are accessed
// by vectors, as the access plan specifies (AccessPlans.h). One test for the
// block checks whether the box is inside the array along all other dimensions.
// If it is, each access tests only its indices; otherwise all coordinates of
// each element are tested. A load outside the array reads from a valid address,
// and its result is replaced by the pad value.

#include "../Patterns.h"
#include "../RegisterTiles.h"
#include "BoxAccess.h"
#include "ElementUpdate.h"

#include "tile/Analysis/AccessPlans.h"
#include "tile/IR/SourceLine.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tile;

namespace {
/// Locations of a thread's elements in an array.
class IndexedAccess {
public:
  /// The coordinates of an access that are tested, since they are not known to
  /// be inside the array.
  enum class Test { kNone, kIndex, kAll };

  /// @p op is gather or scatter. @p width is the number of elements of an
  /// access.
  template <typename Op, typename Adaptor>
  IndexedAccess(IndexBuilder &index, Op op, Adaptor adaptor, Value array,
                TileType type, int64_t width)
      : index(index), array(array), type(type),
        box(index, array, adaptor.getOffsets(), type, width) {
    OpBuilder &builder = index.builder;
    for (auto [dim, tile, packs] : llvm::zip_equal(
             op.getArrayAxes(), op.getIndices(), adaptor.getIndices()))
      axes.push_back(
          {dim, repeatIndices(builder, index.loc,
                              cast<TileType>(tile.getType()), packs, type)});
    if (op.getMask())
      mask = unpack(builder, index.loc, cast<TileType>(op.getMask().getType()),
                    adaptor.getMask());
  }

  int64_t getWidth() const { return box.getVector(); }
  int64_t getNumValues() const { return box.getNumValues(); }
  BoxAccess &getBox() { return box; }

  SmallVector<Value> at(int64_t value) {
    SmallVector<Value> coordinates = box.at(value);
    for (const Axis &axis : axes)
      coordinates[axis.dim] =
          index.add(box.getOffsets()[axis.dim], axis.indices[value]);
    return coordinates;
  }

  /// Whether an access is allowed; null for always.
  Value isAllowed(int64_t value, ArrayRef<Value> coordinates, Test test) {
    Value allowed = box.getCoordinates().isInside(value, type.getShape());
    if (test == Test::kAll)
      allowed = box.isInside(value, coordinates);
    if (test == Test::kIndex)
      for (const Axis &axis : axes) {
        Value at = coordinates[axis.dim];
        allowed = index.both(allowed, index.atMost(index.constant(0), at));
        allowed = index.both(allowed, index.less(at, box.getSizes()[axis.dim]));
      }
    return mask.empty() ? allowed : index.both(allowed, mask[value]);
  }

  /// Whether the box is inside the array along all dimensions except those of
  /// the indices, along which the array must have an element.
  Value isRestInside() {
    auto memory = cast<MemRefType>(array.getType());
    SmallVector<int64_t> extents = getBoxExtents(memory, type.getShape());
    SmallVector<Value> offsets(box.getOffsets());
    for (const Axis &axis : axes) {
      offsets[axis.dim] = index.constant(0);
      extents[axis.dim] = 1;
    }
    return tile::isBoxInside(index, offsets, box.getSizes(), extents);
  }

private:
  /// A dimension of the array, and the index along it of each value.
  struct Axis {
    int64_t dim;
    SmallVector<Value> indices;
  };

  IndexBuilder &index;
  Value array;
  TileType type;
  BoxAccess box;
  SmallVector<Axis> axes;
  SmallVector<Value> mask;
};

using Test = IndexedAccess::Test;

struct ConvertGather : OpConversionPattern<GatherOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(GatherOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    TileType type = op.getType();
    Location loc = op.getLoc();
    IndexBuilder index(rewriter, loc);
    Value array = adaptor.getSource().front();
    AccessAttr plan = getAccess(op);
    IndexedAccess access(index, op, adaptor, array, type, plan.getVector());
    Value pad = adaptor.getPad().empty()
                    ? createZero(rewriter, loc, type.getElementType())
                    : adaptor.getPad().front();
    bool isAtAddress = array.getDefiningOp<ArrayAtOp>() != nullptr;
    auto loadAll = [&](int64_t width, Test test) {
      return load(index, access, type, pad, width, test, isAtAddress);
    };
    auto loadNotEmpty = [&](int64_t width, Test test) {
      return loadUnlessEmpty(index, access.getBox(), type, pad,
                             [&] { return loadAll(width, test); });
    };
    if (plan.getGuard() == AccessGuard::none) {
      // All elements may be masked, and then the array may be empty.
      bool mayBeEmpty = op.getMask() && !isAtAddress;
      SmallVector<Value> result =
          mayBeEmpty ? loadNotEmpty(access.getWidth(), Test::kNone)
                     : loadAll(access.getWidth(), Test::kNone);
      replaceWithPacks(rewriter, op, {result});
      return success();
    }
    auto loadTested = [&] { return loadNotEmpty(1, Test::kAll); };
    SmallVector<Value> result =
        plan.getGuard() == AccessGuard::element
            ? loadTested()
            : index.emitIfElse(
                  access.isRestInside(), getPackTypes(type),
                  [&] { return loadAll(access.getWidth(), Test::kIndex); },
                  loadTested);
    replaceWithPacks(rewriter, op, {result});
    return success();
  }

private:
  /// Emits all loads. A load that is not allowed reads the array's first
  /// element instead, or nothing if `isAtAddress`: where such an array starts
  /// may be no memory.
  static SmallVector<Value> load(IndexBuilder &index, IndexedAccess &access,
                                 TileType type, Value pad, int64_t width,
                                 Test test, bool isAtAddress) {
    SmallVector<Value> chunks;
    for (int64_t value = 0; value < access.getNumValues(); value += width) {
      SmallVector<Value> coordinates = access.at(value);
      Value allowed = access.isAllowed(value, coordinates, test);
      if (allowed && !isAtAddress)
        for (Value &coordinate : coordinates)
          coordinate = access.getBox().clamp(allowed, coordinate);
      auto [memory, at] = access.getBox().getLocationAt(coordinates);
      auto loadOne = [&, memory = memory, at = at] {
        return SmallVector<Value>{loadChunk(index, memory, at, width)};
      };
      if (allowed && isAtAddress) {
        chunks.append(index.emitIfElse(allowed, pad.getType(), loadOne, [&] {
          return SmallVector<Value>{pad};
        }));
        continue;
      }
      Value chunk = loadOne().front();
      if (allowed)
        chunk = index.select(allowed, chunk, repeat(index, pad, chunk));
      chunks.push_back(chunk);
    }
    return packChunks(index.builder, index.loc, type, chunks);
  }

  /// Returns `scalar`, repeated to a vector if `like` is one.
  static Value repeat(IndexBuilder &index, Value scalar, Value like) {
    auto vector = dyn_cast<VectorType>(like.getType());
    if (!vector)
      return scalar;
    return vector::BroadcastOp::create(index.builder, index.loc, vector,
                                       scalar);
  }
};

struct ConvertScatter : OpConversionPattern<ScatterOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ScatterOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    TileType type = op.getValue().getType();
    IndexBuilder index(rewriter, op.getLoc());
    if (op.getOld()) {
      replaceWithPacks(
          rewriter, op,
          {pack(rewriter, op.getLoc(), type, updateAll(index, op, adaptor))});
      return success();
    }
    IndexBuilder named(rewriter, nameScatter(op.getLoc()));
    // Only the owner of an element stores it.
    ThreadCoordinates owner(index, type.getRegister().getRegisterLayout());
    index.enterIf(owner.isOwner());
    AccessAttr plan = getAccess(op);
    IndexedAccess access(index, op, adaptor, adaptor.getDest().front(), type,
                         plan.getVector());
    auto storeAll = [&](int64_t width, Test test) {
      store(index, named, op, access, adaptor, width, test);
    };
    int64_t width = access.getWidth();
    switch (plan.getGuard()) {
    case AccessGuard::none:
      storeAll(width, Test::kNone);
      break;
    case AccessGuard::element:
      storeAll(1, Test::kAll);
      break;
    case AccessGuard::box:
      auto inside =
          scf::IfOp::create(rewriter, op.getLoc(), access.isRestInside(),
                            /*withElseRegion=*/true);
      rewriter.setInsertionPointToStart(inside.thenBlock());
      storeAll(width, Test::kIndex);
      rewriter.setInsertionPointToStart(inside.elseBlock());
      storeAll(1, Test::kAll);
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// Updates this thread's elements. Returns their values before the update;
  /// zero for an element that the thread does not update.
  static SmallVector<Value> updateAll(IndexBuilder &index, ScatterOp op,
                                      OneToNOpAdaptor adaptor) {
    TileType type = op.getValue().getType();
    IndexedAccess access(index, op, adaptor, adaptor.getDest().front(), type,
                         /*width=*/1);
    Value isOwner = access.getBox().getCoordinates().isOwner();
    SmallVector<Value> values =
        unpack(index.builder, index.loc, type, adaptor.getValue());
    ElementUpdate update(index.builder, index.loc, *op.getKind(),
                         AtomicScope::gpu);
    bool isInside = getAccess(op).getGuard() == AccessGuard::none;
    SmallVector<Value> before;
    for (int64_t value = 0; value < access.getNumValues(); ++value) {
      SmallVector<Value> coordinates = access.at(value);
      Value isAllowed = access.isAllowed(value, coordinates,
                                         isInside ? Test::kNone : Test::kAll);
      before.append(index.emitIf(
          index.both(isOwner, isAllowed), type.getElementType(),
          [&]() -> SmallVector<Value> {
            return {update.emit(access.getBox().getPointer(coordinates),
                                values[value], /*expected=*/Value())};
          }));
    }
    return before;
  }

  /// Stores the elements. `named` creates the stores, with the location that
  /// names the scatter.
  static void store(IndexBuilder &index, IndexBuilder &named, ScatterOp op,
                    IndexedAccess &access, OneToNOpAdaptor adaptor,
                    int64_t width, Test test) {
    TileType type = op.getValue().getType();
    for (int64_t value = 0; value < access.getNumValues(); value += width) {
      OpBuilder::InsertionGuard guard(index.builder);
      SmallVector<Value> coordinates = access.at(value);
      index.enterIf(access.isAllowed(value, coordinates, test));
      Value chunk = getChunk(index.builder, index.loc, type, adaptor.getValue(),
                             value, width);
      if (std::optional<AtomicKind> kind = op.getKind())
        ElementUpdate(index.builder, index.loc, *kind, AtomicScope::gpu)
            .emit(access.getBox().getPointer(coordinates), chunk,
                  /*expected=*/Value());
      else
        storeAt(named, access, chunk, coordinates);
    }
  }

  static void storeAt(IndexBuilder &index, IndexedAccess &access, Value chunk,
                      ArrayRef<Value> coordinates) {
    auto [memory, at] = access.getBox().getLocationAt(coordinates);
    storeChunk(index, chunk, memory, at);
  }
};
} // namespace

void tile::populateIndexedAccessPatterns(TypeConverter &types,
                                         RewritePatternSet &patterns) {
  patterns.add<ConvertGather, ConvertScatter>(types, patterns.getContext());
}
