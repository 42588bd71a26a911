// SharedAccess.cpp - tiles to and from buffers in shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements move between a tile in registers and a buffer by vectors along the
// buffer's contiguous dimension, or by ldmatrix, as the access plan specifies.
// See CopyAsync.cpp for copies from arrays to buffers.

#include "../Patterns.h"
#include "../RegisterTiles.h"
#include "Addresses.h"
#include "PaddedValues.h"

#include "tile/Analysis/AccessPlans.h"
#include "tile/Analysis/SharedAccess.h"
#include "tile/IR/Gpu/TileGpu.h"
#include "tile/IR/Participants.h"
#include "tile/IR/RowPitch.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tile;

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
// store_shared, load_shared
//===----------------------------------------------------------------------===//

struct ConvertStoreShared : OpConversionPattern<tile_gpu::StoreSharedOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tile_gpu::StoreSharedOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    TileType type = op.getValue().getType();
    RegisterLayout layout = type.getRegister().getRegisterLayout();
    IndexBuilder index(rewriter, loc);
    ThreadCoordinates coordinates(index, layout);
    SharedAddress address(index, rewriter, op.getDest());
    bool isCovered = covers(layout, address.getBox());
    if (op.getZeroPadding() && !isCovered)
      storeZeros(index, address, type.getShape(), getParticipants(op).numWarps);
    OpBuilder::InsertionGuard guard(rewriter);
    index.enterIf(coordinates.isOwner());
    bool isReshaped = type.getShape() != getTileShape(op.getDest().getType());
    int64_t pitch = isReshaped
                        ? *getRowPitch(cast<MemRefType>(op.getDest().getType()),
                                       type.getShape())
                        : 0;
    int64_t width = getAccess(op).getVector();
    bool fills = op.getZeroPadding() && isCovered;
    auto getStored = [&](int64_t value) {
      Value chunk =
          getChunk(rewriter, loc, type, adaptor.getValue(), value, width);
      Value inside =
          fills ? coordinates.isInside(value, type.getShape()) : Value();
      return inside ? index.select(inside, chunk,
                                   createZero(rewriter, loc, chunk.getType()))
                    : chunk;
    };
    PaddedValues values(index, coordinates,
                        fills ? address.getBox() : type.getShape(), width);
    for (const PaddedValues::Group &group : values.getGroups()) {
      OpBuilder::InsertionGuard inner(rewriter);
      index.enterIf(group.inside);
      for (int64_t value : group.values) {
        Value element =
            isReshaped ? getRowMajor(index, coordinates, value, type, pitch)
                       : address.getElement(coordinates, value);
        storeChunk(index, getStored(value), address.getMemory(), element,
                   getElementBytes(type.getElementType()));
      }
      address.forget(coordinates);
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

  /// Stores zeros in the part of the buffer's box beyond `shape`, for which the
  /// tile has no elements.
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
                           int64_t value, TileType type, int64_t pitch) {
    Value linear;
    int64_t stride = 1;
    for (int64_t dim = type.getRank(); dim-- > 0;) {
      linear =
          index.add(linear, index.mul(coordinates.get(value, dim), stride));
      stride *= dim + 1 == type.getRank() ? pitch : type.getDimSize(dim);
    }
    return index.add(linear, 0);
  }
};

struct ConvertLoadShared : OpConversionPattern<tile_gpu::LoadSharedOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tile_gpu::LoadSharedOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    TileType type = op.getType();
    RegisterLayout layout = type.getRegister().getRegisterLayout();
    IndexBuilder index(rewriter, loc);
    ThreadCoordinates coordinates(index, layout);
    SharedAddress address(index, rewriter, op.getSource());
    int64_t bytes = getElementBytes(type.getElementType());
    AccessAttr access = getAccess(op);
    if (access.isMatrix()) {
      AccessPlan plan = *getMatrixPlan(layout, address.getContiguousDimension(),
                                       type.getElementType());
      replaceWithPacks(rewriter, op,
                       {loadMatrices(index, address, plan, getPackType(type))});
      return success();
    }
    int64_t width = access.getVector();
    SmallVector<Value> chunks;
    PaddedValues values(index, coordinates, type.getShape(), width);
    for (int64_t value = 0; value < layout.getNumValues(); value += width) {
      // A value of the layout's padding reads an element of the tile.
      ThreadCoordinates *readable = values.getReadable(value);
      if (!readable) {
        chunks.push_back(chunks.front());
        continue;
      }
      Value element = address.getElement(*readable, value);
      if (width == 1)
        chunks.push_back(memref::LoadOp::create(rewriter, loc,
                                                address.getMemory(), element));
      else
        chunks.push_back(vector::LoadOp::create(
            rewriter, loc, VectorType::get({width}, type.getElementType()),
            address.getMemory(), element, /*nontemporal=*/false,
            llvm::MaybeAlign(width * bytes)));
    }
    replaceWithPacks(rewriter, op, {packChunks(rewriter, loc, type, chunks)});
    return success();
  }

private:
  /// Loads registers of 32 bits by ldmatrix, as values of type `pack`.
  static SmallVector<Value> loadMatrices(IndexBuilder &index,
                                         SharedAddress &address,
                                         const AccessPlan &plan, Type pack) {
    ThreadCoordinates coordinates(index, plan.layout);
    SmallVector<Value> registers;
    for (int64_t i = 0; i < plan.getNumAccesses(); ++i) {
      Value row = address.getMatrixRow(
          address.getElement(coordinates, i * plan.vector));
      auto type =
          VectorType::get({plan.matrices, 2}, index.builder.getF16Type());
      Value matrices = nvgpu::LdMatrixOp::create(
          index.builder, index.loc, type, row, index.constant(0),
          plan.kind == AccessKind::kLdmatrixTransposed,
          static_cast<uint32_t>(plan.matrices));
      for (int64_t j = 0; j < plan.matrices; ++j)
        registers.push_back(takeAs(
            index, pack,
            vector::ExtractOp::create(index.builder, index.loc, matrices, j)));
    }
    return registers;
  }

  /// Converts a register's two 16-bit values to a value of another type.
  static Value takeAs(IndexBuilder &index, Type type, Value halves) {
    auto vector = dyn_cast<VectorType>(type);
    Value value = vector::BitCastOp::create(
        index.builder, index.loc, vector ? vector : VectorType::get({1}, type),
        halves);
    return vector
               ? value
               : vector::ExtractOp::create(index.builder, index.loc, value, 0);
  }
};

} // namespace

void tile::populateSharedAccessPatterns(TypeConverter &types,
                                        RewritePatternSet &patterns) {
  patterns.add<ConvertStoreShared, ConvertLoadShared>(types,
                                                      patterns.getContext());
}
