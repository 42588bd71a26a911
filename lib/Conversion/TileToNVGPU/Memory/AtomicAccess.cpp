// AtomicAccess.cpp - atomic accesses to the elements of a box
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The owner of an element reads, writes or updates it by a relaxed access.
// Fences before and after the access give it its order (AtomicOrder.h).

#include "../Patterns.h"
#include "../RegisterTiles.h"
#include "AtomicOrder.h"
#include "BoxAccess.h"
#include "ElementUpdate.h"

#include "tile/Analysis/AccessPlans.h"
#include "tile/Conversion/AtomicUpdate.h"

using namespace mlir;
using namespace tile;

namespace {
/// A box whose elements are accessed one by one by their owners.
class OwnedBox {
public:
  OwnedBox(OpBuilder &builder, Location loc, Value array,
           ArrayRef<ValueRange> offsets, TileType type, AccessAttr access)
      : index(builder, loc),
        box(index, array, offsets, type, access.getVector()), type(type),
        isInside(access.getGuard() == AccessGuard::none) {}

  /// Calls `access` with a pointer to each of this thread's elements, and
  /// returns all results; those for one element have the types `types`. Results
  /// are zero for elements that another thread owns, that are outside the
  /// array, or whose element in `mask`, if not empty, is false.
  SmallVector<Value> access(
      TypeRange types, ArrayRef<Value> mask,
      function_ref<SmallVector<Value>(Value pointer, int64_t value)> access) {
    Value isOwner = box.getCoordinates().isOwner();
    SmallVector<Value> results;
    for (int64_t value = 0; value < box.getNumValues(); ++value) {
      SmallVector<Value> at = box.at(value);
      Value isAllowed =
          isInside ? box.getCoordinates().isInside(value, type.getShape())
                   : box.isInside(value, at);
      if (!mask.empty())
        isAllowed = index.both(isAllowed, mask[value]);
      results.append(index.emitIf(index.both(isOwner, isAllowed), types, [&] {
        return access(box.getPointer(at), value);
      }));
    }
    return results;
  }

private:
  IndexBuilder index;
  BoxAccess box;
  TileType type;
  bool isInside; ///< whether the whole box is known to be inside the array
};
} // namespace

static UpdateOrder getRelaxed(AtomicScope scope) {
  return {getScopeName(scope), LLVM::AtomicOrdering::monotonic};
}

namespace {

struct ConvertAtomicRMW : OpConversionPattern<AtomicRMWOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AtomicRMWOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    emitRelease(rewriter, op, op.getScope());
    SmallVector<Value> before = updateAll(op, adaptor, rewriter);
    emitAcquire(rewriter, op, op.getScope());
    if (op.use_empty())
      rewriter.eraseOp(op);
    else
      replaceWithPacks(rewriter, op,
                       {pack(rewriter, loc, op.getType(), before)});
    return success();
  }

private:
  static SmallVector<Value> updateAll(AtomicRMWOp op, OneToNOpAdaptor adaptor,
                                      OpBuilder &builder) {
    Location loc = op.getLoc();
    TileType type = op.getType();
    ElementUpdate update(builder, loc, op.getKind(), op.getScope());
    OwnedBox box(builder, loc, adaptor.getDest().front(), adaptor.getOffsets(),
                 type, getAccess(op));
    SmallVector<Value> values = unpack(builder, loc, type, adaptor.getValue());
    SmallVector<Value> expected(values.size());
    if (op.getExpected())
      expected = unpack(builder, loc, type, adaptor.getExpected());
    SmallVector<Value> mask;
    if (op.getMask())
      mask = unpack(builder, loc, cast<TileType>(op.getMask().getType()),
                    adaptor.getMask());
    return box.access(
        type.getElementType(), mask,
        [&](Value pointer, int64_t value) -> SmallVector<Value> {
          return {update.emit(pointer, values[value], expected[value])};
        });
  }
};

struct ConvertAtomicLoad : OpConversionPattern<AtomicLoadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AtomicLoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    TileType type = op.getType();
    OwnedBox box(rewriter, loc, adaptor.getSource().front(),
                 adaptor.getOffsets(), type, getAccess(op));
    SmallVector<Value> elements = box.access(
        type.getElementType(), /*mask=*/{},
        [&](Value pointer, int64_t) -> SmallVector<Value> {
          return {buildAtomicLoad(rewriter, loc, pointer, type.getElementType(),
                                  getRelaxed(op.getScope()))};
        });
    emitAcquire(rewriter, op, op.getScope());
    replaceWithPacks(rewriter, op, {pack(rewriter, loc, type, elements)});
    return success();
  }
};

struct ConvertAtomicStore : OpConversionPattern<AtomicStoreOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AtomicStoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    TileType type = op.getValue().getType();
    emitRelease(rewriter, op, op.getScope());
    OwnedBox box(rewriter, loc, adaptor.getDest().front(), adaptor.getOffsets(),
                 type, getAccess(op));
    SmallVector<Value> values = unpack(rewriter, loc, type, adaptor.getValue());
    box.access(TypeRange(), /*mask=*/{}, [&](Value pointer, int64_t value) {
      buildAtomicStore(rewriter, loc, values[value], pointer,
                       getRelaxed(op.getScope()));
      return SmallVector<Value>();
    });
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void tile::populateAtomicAccessPatterns(TypeConverter &types,
                                        RewritePatternSet &patterns) {
  patterns.add<ConvertAtomicRMW, ConvertAtomicLoad, ConvertAtomicStore>(
      types, patterns.getContext());
}
