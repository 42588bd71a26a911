// MemoryToLoops.cpp - loops over the part of a box that is inside its array
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements need no bounds test: along each dimension a loop runs over the part
// of the box that is inside the array, the interval [low, high) of the box:
//
//   low  = max(-offset, 0)
//   high = min(size - offset, extent)
//
// The offset is clamped to [-extent, size] before, so that neither overflows
// and both are in [0, extent]. If the part is smaller than the box, or there is
// a mask, a load first fills its buffer with the pad.

#include "Element.h"
#include "Patterns.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace tile;

/// Alignment of a cache line, and of the widest vector.
static constexpr int64_t kBufferAlignment = 64;

namespace {
/// The part of a box that lies inside an array. `offsets`, `lows` and `highs`
/// have one entry for each dimension of the array. The box has extent one along
/// dimensions that the tile lacks.
struct Box {
  /// The array's dimension for each dimension of the tile.
  SmallVector<int64_t> dims;
  SmallVector<Value> offsets;
  SmallVector<Value> lows;
  SmallVector<Value> highs;
  /// Whether the part is smaller than the box; null if it cannot be.
  Value isPartial;
};
} // namespace

static Value constantIndex(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

/// Sets the interval of `box` that is inside `array` along dimension `dim`,
/// where the box has extent `extent`.
static void clip(ImplicitLocOpBuilder &b, Value array, int64_t dim,
                 int64_t extent, Box &box) {
  Value zero = constantIndex(b, 0), whole = constantIndex(b, extent);
  Value size = memref::DimOp::create(b, array, dim);
  Value offset =
      arith::MaxSIOp::create(b, box.offsets[dim], constantIndex(b, -extent));
  offset = arith::MinSIOp::create(b, offset, size);
  Value before = arith::SubIOp::create(b, zero, offset);
  Value low = arith::MaxSIOp::create(b, before, zero);
  Value left = arith::SubIOp::create(b, size, offset);
  Value high = arith::MinSIOp::create(b, left, whole);
  Value part = arith::SubIOp::create(b, high, low);
  Value isPartial =
      arith::CmpIOp::create(b, arith::CmpIPredicate::slt, part, whole);
  box.lows.push_back(low);
  box.highs.push_back(high);
  box.isPartial = box.isPartial
                      ? arith::OrIOp::create(b, box.isPartial, isPartial)
                      : isPartial;
}

/// Returns the box of `shape` at `offsets` of `array`. It extends along the
/// array's dimensions `dims` or, if these are not given, along the last ones.
static Box buildBox(ImplicitLocOpBuilder &b, Value array, ValueRange offsets,
                    ArrayRef<int64_t> shape, bool inBounds,
                    std::optional<ArrayRef<int64_t>> dims = std::nullopt) {
  Box box;
  box.offsets.assign(offsets.begin(), offsets.end());
  int64_t rank = offsets.size(), leading = rank - shape.size();
  if (dims)
    box.dims.assign(dims->begin(), dims->end());
  else
    llvm::append_range(box.dims, llvm::seq(leading, rank));
  SmallVector<int64_t> extents(rank, 1);
  for (auto [dim, extent] : llvm::zip_equal(box.dims, shape))
    extents[dim] = extent;
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    if (!inBounds) {
      clip(b, array, dim, extent, box);
      continue;
    }
    box.lows.push_back(constantIndex(b, 0));
    box.highs.push_back(constantIndex(b, extent));
  }
  return box;
}

/// Builds loops over the part of a box that is inside the array. `body` gets
/// the coordinates of an element in the tile and in the array.
static void buildLoops(
    ImplicitLocOpBuilder &b, const Box &box,
    function_ref<void(OpBuilder &, Location, ValueRange, ValueRange)> body) {
  SmallVector<Value> steps(box.lows.size(), constantIndex(b, 1));
  scf::buildLoopNest(b, b.getLoc(), box.lows, box.highs, steps,
                     [&](OpBuilder &nested, Location loc, ValueRange indices) {
                       SmallVector<Value> positions;
                       for (auto [offset, index] :
                            llvm::zip_equal(box.offsets, indices))
                         positions.push_back(
                             arith::AddIOp::create(nested, loc, offset, index));
                       auto inTile = llvm::map_to_vector(
                           box.dims, [&](int64_t dim) { return indices[dim]; });
                       body(nested, loc, inTile, positions);
                     });
}

/// Moves the insertion point into a branch that runs if the mask holds for the
/// element at `inTile`. Without a mask, does nothing.
static void enterMask(OpBuilder &builder, Location loc, Value mask,
                      ValueRange inTile) {
  if (!mask)
    return;
  Value holds = tensor::ExtractOp::create(builder, loc, mask, inTile);
  auto branch =
      scf::IfOp::create(builder, loc, holds, /*withElseRegion=*/false);
  builder.setInsertionPoint(branch.thenYield());
}

Value cpu::createBuffer(ImplicitLocOpBuilder &b, RankedTensorType type) {
  return memref::AllocOp::create(
      b, MemRefType::get(type.getShape(), type.getElementType()), ValueRange(),
      b.getI64IntegerAttr(kBufferAlignment));
}

namespace {
struct ConvertLoad : OpConversionPattern<LoadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(LoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    Box box = buildBox(b, adaptor.getSource(), adaptor.getOffsets(),
                       type.getShape(), op.getInBounds(), op.getDims());
    Value buffer = cpu::createBuffer(b, type);
    if (op.getMask())
      fill(b, adaptor.getPad(), buffer);
    else if (box.isPartial)
      fillWhere(b, box.isPartial, adaptor.getPad(), buffer);
    buildLoops(b, box,
               [&](OpBuilder &nested, Location loc, ValueRange inTile,
                   ValueRange inArray) {
                 OpBuilder::InsertionGuard guard(nested);
                 enterMask(nested, loc, adaptor.getMask(), inTile);
                 Value element = memref::LoadOp::create(
                     nested, loc, adaptor.getSource(), inArray);
                 memref::StoreOp::create(nested, loc, element, buffer, inTile);
               });
    rewriter.replaceOp(op, cpu::readBuffer(rewriter, op.getLoc(), buffer));
    return success();
  }

private:
  /// Fills `buffer` with `pad`, or with zeros if `pad` is null.
  static void fill(ImplicitLocOpBuilder &b, Value pad, Value buffer) {
    Type element = cast<MemRefType>(buffer.getType()).getElementType();
    if (!pad)
      pad = cpu::buildZero(b, b.getLoc(), element);
    linalg::FillOp::create(b, pad, buffer);
  }

  /// Fills `buffer` with `pad` if `condition` holds at run time.
  static void fillWhere(ImplicitLocOpBuilder &b, Value condition, Value pad,
                        Value buffer) {
    OpBuilder::InsertionGuard guard(b);
    auto branch = scf::IfOp::create(b, condition, /*withElseRegion=*/false);
    b.setInsertionPoint(branch.thenYield());
    fill(b, pad, buffer);
  }
};

struct ConvertStore : OpConversionPattern<StoreOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(StoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto type = cast<RankedTensorType>(adaptor.getValue().getType());
    Box box = buildBox(b, adaptor.getDest(), adaptor.getOffsets(),
                       type.getShape(), op.getInBounds(), op.getDims());
    buildLoops(b, box,
               [&](OpBuilder &nested, Location loc, ValueRange inTile,
                   ValueRange inArray) {
                 OpBuilder::InsertionGuard guard(nested);
                 enterMask(nested, loc, adaptor.getMask(), inTile);
                 Value element = tensor::ExtractOp::create(
                     nested, loc, adaptor.getValue(), inTile);
                 memref::StoreOp::create(nested, loc, element,
                                         adaptor.getDest(), inArray);
               });
    rewriter.eraseOp(op);
    return success();
  }
};

/// Converts an atomic update. An ordered update waits until all blocks that
/// were started before this one have made their updates; the runtime counts
/// these updates.
struct ConvertAtomicRMW : OpConversionPattern<AtomicRMWOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AtomicRMWOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto type = cast<RankedTensorType>(adaptor.getValue().getType());
    Box box = buildBox(b, adaptor.getDest(), adaptor.getOffsets(),
                       type.getShape(), op.getInBounds(), op.getDims());
    Value before = cpu::createBuffer(b, type);
    linalg::FillOp::create(
        b, cpu::buildZero(b, b.getLoc(), type.getElementType()), before);
    if (op.getOrdered())
      cpu::callRuntime(b, "begin_turn");
    buildLoops(b, box,
               [&](OpBuilder &nested, Location loc, ValueRange inTile,
                   ValueRange inArray) {
                 OpBuilder::InsertionGuard guard(nested);
                 enterMask(nested, loc, adaptor.getMask(), inTile);
                 ImplicitLocOpBuilder body(loc, nested);
                 Value old = update(body, op, adaptor, inTile, inArray);
                 memref::StoreOp::create(body, old, before, inTile);
               });
    if (op.getOrdered())
      cpu::callRuntime(b, "end_turn");
    rewriter.replaceOp(op, cpu::readBuffer(rewriter, op.getLoc(), before));
    return success();
  }

private:
  static Value update(ImplicitLocOpBuilder &b, AtomicRMWOp op,
                      OpAdaptor adaptor, ValueRange inTile,
                      ValueRange inArray) {
    Value value = tensor::ExtractOp::create(b, adaptor.getValue(), inTile);
    Value expected;
    if (op.getExpected())
      expected = tensor::ExtractOp::create(b, adaptor.getExpected(), inTile);
    return cpu::updateElement(b, op.getKind(), op.getType().getElementType(),
                              adaptor.getDest(), inArray, value, expected);
  }
};

/// Converts an operation on an array to the same operation on the array of the
/// elements' storage type.
template <typename Op>
struct ConvertArrayOp : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(this->getTypeConverter()->convertTypes(op->getResultTypes(),
                                                      types)))
      return failure();
    rewriter.replaceOpWithNewOp<Op>(op, types, adaptor.getOperands());
    return success();
  }
};

struct ConvertTranspose : OpConversionPattern<memref::TransposeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(memref::TransposeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<memref::TransposeOp>(op, adaptor.getIn(),
                                                     op.getPermutationAttr());
    return success();
  }
};

struct ConvertArrayAt : OpConversionPattern<ArrayAtOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ArrayAtOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SmallVector<Value> open(adaptor.getSizes());
    llvm::append_range(open, adaptor.getStrides());
    auto next = open.begin();
    Value pointer = LLVM::IntToPtrOp::create(
        b, LLVM::LLVMPointerType::get(getContext()), adaptor.getAddress());
    Value descriptor = cpu::buildDescriptor(
        b, b.getLoc(), op.getResult().getType(), pointer,
        [&](int64_t extent) -> Value {
          if (!ShapedType::isDynamic(extent))
            return LLVM::ConstantOp::create(b, b.getI64Type(), extent);
          return arith::IndexCastOp::create(b, b.getI64Type(), *next++);
        });
    rewriter.replaceOpWithNewOp<UnrealizedConversionCastOp>(
        op, getTypeConverter()->convertType(op.getType()), descriptor);
    return success();
  }
};

struct ConvertAtomicLoad : OpConversionPattern<AtomicLoadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AtomicLoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    Box box = buildBox(b, adaptor.getSource(), adaptor.getOffsets(),
                       type.getShape(), op.getInBounds());
    Value buffer = cpu::createBuffer(b, type);
    linalg::FillOp::create(
        b, cpu::buildZero(b, b.getLoc(), type.getElementType()), buffer);
    buildLoops(b, box,
               [&](OpBuilder &nested, Location loc, ValueRange inTile,
                   ValueRange inArray) {
                 ImplicitLocOpBuilder body(loc, nested);
                 Value element =
                     cpu::loadElement(body, op.getType().getElementType(),
                                      adaptor.getSource(), inArray);
                 memref::StoreOp::create(nested, loc, element, buffer, inTile);
               });
    rewriter.replaceOp(op, cpu::readBuffer(rewriter, op.getLoc(), buffer));
    return success();
  }
};

struct ConvertAtomicStore : OpConversionPattern<AtomicStoreOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AtomicStoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto type = cast<RankedTensorType>(adaptor.getValue().getType());
    Box box = buildBox(b, adaptor.getDest(), adaptor.getOffsets(),
                       type.getShape(), op.getInBounds());
    buildLoops(
        b, box,
        [&](OpBuilder &nested, Location loc, ValueRange inTile,
            ValueRange inArray) {
          ImplicitLocOpBuilder body(loc, nested);
          Value element =
              tensor::ExtractOp::create(body, adaptor.getValue(), inTile);
          cpu::storeElement(body, op.getValue().getType().getElementType(),
                            adaptor.getDest(), inArray, element);
        });
    rewriter.eraseOp(op);
    return success();
  }
};

/// Converts a fence to a fence between CPU threads. A block runs in one thread,
/// so that only accesses of different blocks need to be ordered.
struct ConvertFence : OpConversionPattern<FenceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(FenceOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::FenceOp>(
        op, LLVM::AtomicOrdering::acq_rel, StringRef());
    return success();
  }
};

} // namespace

void cpu::populateMemoryPatterns(const TypeConverter &converter,
                                 RewritePatternSet &patterns) {
  patterns.add<ConvertLoad, ConvertStore, ConvertArrayAt, ConvertAtomicRMW,
               ConvertAtomicLoad, ConvertAtomicStore, ConvertFence,
               ConvertTranspose, ConvertArrayOp<memref::LoadOp>,
               ConvertArrayOp<memref::StoreOp>, ConvertArrayOp<memref::DimOp>>(
      converter, patterns.getContext());
}
