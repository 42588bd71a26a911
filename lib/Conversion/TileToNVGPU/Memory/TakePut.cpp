// TakePut.cpp - indexed reads and writes of a buffer in shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread reads or writes the elements that its indices select. If several
// threads hold an element that is written, only its owner writes it.

#include "../Patterns.h"
#include "../RegisterTiles.h"
#include "Addresses.h"
#include "ElementUpdate.h"
#include "PaddedValues.h"

#include "tile/IR/Gpu/TileGpu.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tile;

/// Returns the coordinates in a buffer that a value accesses: the index `along`
/// in the dimension `axis`, zero in other dimensions of extent one, and the
/// value's own coordinates in all others.
static SmallVector<Value> getBufferCoordinates(IndexBuilder &index,
                                               ThreadCoordinates &coordinates,
                                               ShapedType buffer, int64_t value,
                                               int64_t axis, Value along) {
  SmallVector<Value> inBuffer;
  for (auto [dim, extent] : llvm::enumerate(buffer.getShape())) {
    if (static_cast<int64_t>(dim) == axis)
      inBuffer.push_back(along);
    else if (extent == 1)
      inBuffer.push_back(index.constant(0));
    else
      inBuffer.push_back(
          index.add(coordinates.get(value, static_cast<int64_t>(dim)), 0));
  }
  return inBuffer;
}

namespace {
struct ConvertTake : OpConversionPattern<TakeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(TakeOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    TileType type = op.getType();
    IndexBuilder index(rewriter, loc);
    ThreadCoordinates coordinates(index,
                                  type.getRegister().getRegisterLayout());
    SharedAddress address(index, rewriter, op.getSource());
    SmallVector<Value> indices = repeatIndices(
        rewriter, loc, op.getIndices().getType(), adaptor.getIndices(), type);
    bool isConstant = op.getIndices().getDefiningOp<arith::ConstantOp>();
    SmallVector<Value> elements;
    PaddedValues values(index, coordinates, type.getShape());
    for (auto [value, along] : llvm::enumerate(indices)) {
      // A value of the layout's padding reads an element of the buffer.
      ThreadCoordinates *readable = values.getReadable(value);
      if (!readable) {
        elements.push_back(elements.front());
        continue;
      }
      // The padding of constant indices repeats one of them, so it is valid.
      if (Value inside = values.isInside(value); inside && !isConstant)
        along = index.select(inside, along, index.constant(0));
      Value element = address.getElement(
          getBufferCoordinates(index, *readable,
                               cast<ShapedType>(op.getSource().getType()),
                               value, op.getAxis(), along),
          op.getAxis());
      elements.push_back(
          memref::LoadOp::create(rewriter, loc, address.getMemory(), element));
    }
    replaceWithPacks(rewriter, op, {pack(rewriter, loc, type, elements)});
    return success();
  }
};

struct ConvertPutShared : OpConversionPattern<tile_gpu::PutSharedOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tile_gpu::PutSharedOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    TileType type = op.getValues().getType();
    IndexBuilder index(rewriter, loc);
    ThreadCoordinates coordinates(index,
                                  type.getRegister().getRegisterLayout());
    index.enterIf(coordinates.isOwner());
    SharedAddress address(index, rewriter, op.getDest());
    SmallVector<Value> indices = repeatIndices(
        rewriter, loc, op.getIndices().getType(), adaptor.getIndices(), type);
    SmallVector<Value> values =
        unpack(rewriter, loc, type, adaptor.getValues());
    SmallVector<Value> mask(values.size());
    if (op.getMask())
      mask = unpack(rewriter, loc, op.getMask().getType(), adaptor.getMask());
    Value extent =
        index.constant(op.getDest().getType().getDimSize(op.getAxis()));
    PaddedValues padded(index, coordinates, type.getShape());
    for (const PaddedValues::Group &group : padded.getGroups()) {
      OpBuilder::InsertionGuard guard(rewriter);
      index.enterIf(group.inside);
      for (int64_t value : group.values) {
        OpBuilder::InsertionGuard inner(rewriter);
        Value along = indices[value];
        Value element = address.getElement(
            getBufferCoordinates(index, coordinates, op.getDest().getType(),
                                 value, op.getAxis(), along),
            op.getAxis());
        index.enterIf(index.both(mask[value], index.isBelow(along, extent)));
        put(index, op, address, element, values[value]);
      }
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  static void put(IndexBuilder &index, tile_gpu::PutSharedOp op,
                  SharedAddress &address, Value element, Value value) {
    std::optional<AtomicKind> kind = op.getKind();
    if (!kind) {
      memref::StoreOp::create(index.builder, index.loc, value,
                              address.getMemory(), element);
      return;
    }
    Value pointer = getElementPointer(
        index, address.getPointer(), getElementBytes(value.getType()), element);
    ElementUpdate(index.builder, index.loc, *kind, AtomicScope::block)
        .emit(pointer, value, /*expected=*/Value());
  }
};
} // namespace

void tile::populateTakePutPatterns(TypeConverter &types,
                                   RewritePatternSet &patterns) {
  patterns.add<ConvertTake, ConvertPutShared>(types, patterns.getContext());
}
