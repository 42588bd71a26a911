// IndexedToLoops.cpp - tile.gather and tile.scatter, element by element
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Element.h"
#include "Patterns.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace tile;

/// Returns the coordinates, in the array, of the tile's element at `inTile`. In
/// the array's dimensions `axes` they are given by `indices`.
static SmallVector<Value>
getCoordinates(ImplicitLocOpBuilder &b, ValueRange offsets,
               std::optional<ArrayRef<int64_t>> dims, ValueRange inTile,
               ArrayRef<int64_t> axes, ValueRange indices) {
  SmallVector<Value> coordinates(offsets);
  auto add = [&](int64_t dim, Value step) {
    coordinates[dim] = arith::AddIOp::create(b, coordinates[dim], step);
  };
  for (auto [axis, axisIndices] : llvm::zip_equal(axes, indices))
    add(axis, cpu::extractIndex(b, axisIndices, inTile));
  int64_t leading = offsets.size() - inTile.size();
  for (auto [dim, own] : llvm::enumerate(inTile)) {
    int64_t inArray = dims ? (*dims)[dim] : leading + dim;
    if (!llvm::is_contained(axes, inArray))
      add(inArray, own);
  }
  return coordinates;
}

/// Whether `coordinates` are inside the array and the mask, if there is one,
/// holds for the element at `inTile`.
static Value isAllowed(ImplicitLocOpBuilder &b, Value array,
                       ValueRange coordinates, Value mask, ValueRange inTile) {
  Value allowed = mask ? tensor::ExtractOp::create(b, mask, inTile).getResult()
                       : arith::ConstantIntOp::create(b, 1, 1).getResult();
  Value zero = arith::ConstantIndexOp::create(b, 0);
  for (auto [dim, at] : llvm::enumerate(coordinates)) {
    Value size = memref::DimOp::create(b, array, dim);
    Value isAbove =
        arith::CmpIOp::create(b, arith::CmpIPredicate::sge, at, zero);
    Value isBelow =
        arith::CmpIOp::create(b, arith::CmpIPredicate::slt, at, size);
    allowed = arith::AndIOp::create(b, allowed,
                                    arith::AndIOp::create(b, isAbove, isBelow));
  }
  return allowed;
}

/// Builds a loop nest over a gather's or scatter's tile. The body gets an
/// element's indices in the tile, its coordinates in the array, and whether it
/// may be accessed.
template <typename Op, typename Adaptor>
static void
forEachElement(ImplicitLocOpBuilder &b, ArrayRef<int64_t> shape, Value array,
               Op op, Adaptor adaptor,
               function_ref<void(ImplicitLocOpBuilder &, ValueRange inTile,
                                 ValueRange coordinates, Value allowed)>
                   body) {
  cpu::forEachCoordinate(
      b, shape, [&](ImplicitLocOpBuilder &inner, ValueRange inTile) {
        SmallVector<Value> coordinates =
            getCoordinates(inner, adaptor.getOffsets(), op.getDims(), inTile,
                           op.getArrayAxes(), adaptor.getIndices());
        Value allowed =
            isAllowed(inner, array, coordinates, adaptor.getMask(), inTile);
        body(inner, inTile, coordinates, allowed);
      });
}

namespace {
struct ConvertGather : OpConversionPattern<GatherOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(GatherOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    Value buffer = cpu::createBuffer(b, type);
    Value array = adaptor.getSource(), pad = adaptor.getPad();
    if (!pad)
      pad = cpu::buildZero(b, b.getLoc(), type.getElementType());
    forEachElement(
        b, type.getShape(), array, op, adaptor,
        [&](ImplicitLocOpBuilder &nested, ValueRange inTile,
            ValueRange coordinates, Value allowed) {
          auto branch = scf::IfOp::create(
              nested, allowed,
              [&](OpBuilder &then, Location loc) {
                Value element =
                    memref::LoadOp::create(then, loc, array, coordinates);
                scf::YieldOp::create(then, loc, element);
              },
              [&](OpBuilder &otherwise, Location loc) {
                scf::YieldOp::create(otherwise, loc, pad);
              });
          memref::StoreOp::create(nested, branch.getResult(0), buffer, inTile);
        });
    rewriter.replaceOp(op, cpu::readBuffer(rewriter, op.getLoc(), buffer));
    return success();
  }
};

struct ConvertScatter : OpConversionPattern<ScatterOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ScatterOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto type = cast<RankedTensorType>(adaptor.getValue().getType());
    Value before;
    if (op.getOld()) {
      before = cpu::createBuffer(b, type);
      linalg::FillOp::create(
          b, cpu::buildZero(b, b.getLoc(), type.getElementType()), before);
    }
    forEachElement(b, type.getShape(), adaptor.getDest(), op, adaptor,
                   [&](ImplicitLocOpBuilder &nested, ValueRange inTile,
                       ValueRange coordinates, Value allowed) {
                     scf::IfOp::create(nested, allowed,
                                       [&](OpBuilder &then, Location loc) {
                                         ImplicitLocOpBuilder inner(loc, then);
                                         write(inner, op, adaptor, coordinates,
                                               inTile, before);
                                         scf::YieldOp::create(inner);
                                       });
                   });
    if (before)
      rewriter.replaceOp(op, cpu::readBuffer(rewriter, op.getLoc(), before));
    else
      rewriter.eraseOp(op);
    return success();
  }

private:
  /// Writes one element. Stores the previous value of the array's element to
  /// the buffer `before`, if there is one.
  static void write(ImplicitLocOpBuilder &b, ScatterOp op, OpAdaptor adaptor,
                    ValueRange coordinates, ValueRange inTile, Value before) {
    Value value = tensor::ExtractOp::create(b, adaptor.getValue(), inTile);
    std::optional<AtomicKind> kind = op.getKind();
    if (!kind) {
      memref::StoreOp::create(b, value, adaptor.getDest(), coordinates);
      return;
    }
    Value old = cpu::updateElement(
        b, *kind, op.getValue().getType().getElementType(), adaptor.getDest(),
        coordinates, value, /*expected=*/Value());
    if (before)
      memref::StoreOp::create(b, old, before, inTile);
  }
};
} // namespace

void cpu::populateIndexedPatterns(const TypeConverter &converter,
                                  RewritePatternSet &patterns) {
  patterns.add<ConvertGather, ConvertScatter>(converter, patterns.getContext());
}
