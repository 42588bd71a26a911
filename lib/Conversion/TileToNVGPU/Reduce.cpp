// Reduce.cpp - combine elements within a warp
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// First in each thread, in the order of its values, then over the lanes by
// butterflies: after the step of distance d each lane has combined with the
// lane whose number differs in bit d. The tree depends on the layout alone, so
// the bits are the same from run to run. Padding counts as the identity.

#include "Addresses.h"
#include "Patterns.h"
#include "RegisterTiles.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace tile;

/// The value that changes nothing.
static TypedAttr getIdentity(OpBuilder &builder, ReduceKind kind, Type type) {
  if (auto floating = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floating.getFloatSemantics();
    switch (kind) {
    case ReduceKind::mul:
      return builder.getFloatAttr(floating, 1.0);
    case ReduceKind::min:
      return builder.getFloatAttr(floating, APFloat::getInf(semantics));
    case ReduceKind::max:
      return builder.getFloatAttr(
          floating, APFloat::getInf(semantics, /*Negative=*/true));
    default:
      // -0.0 + x is x also for x = -0.0.
      return builder.getFloatAttr(
          floating, APFloat::getZero(semantics, /*Negative=*/true));
    }
  }
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  switch (kind) {
  case ReduceKind::mul:
    return builder.getIntegerAttr(type, 1);
  case ReduceKind::min:
    return builder.getIntegerAttr(type, APInt::getSignedMaxValue(width));
  case ReduceKind::max:
    return builder.getIntegerAttr(type, APInt::getSignedMinValue(width));
  case ReduceKind::umin:
    return builder.getIntegerAttr(type, APInt::getMaxValue(width));
  default:
    return builder.getIntegerAttr(type, 0);
  }
}

static Value createIdentity(OpBuilder &builder, Location loc, ReduceKind kind,
                            Type type) {
  auto complex = dyn_cast<ComplexType>(type);
  if (!complex)
    return arith::ConstantOp::create(builder, loc,
                                     getIdentity(builder, kind, type));
  Type part = complex.getElementType();
  Attribute imaginary = getIdentity(builder, ReduceKind::add, part);
  if (kind == ReduceKind::mul)
    imaginary = builder.getZeroAttr(part);
  return complex::ConstantOp::create(
      builder, loc, complex,
      builder.getArrayAttr({getIdentity(builder, kind, part), imaginary}));
}

/// @pre a sum or a product: complex numbers have no order.
static Value combineComplex(OpBuilder &builder, Location loc, ReduceKind kind,
                            Value a, Value b) {
  if (kind == ReduceKind::mul)
    return complex::MulOp::create(builder, loc, a, b);
  return complex::AddOp::create(builder, loc, a, b);
}

static Value combine(OpBuilder &builder, Location loc, ReduceKind kind, Value a,
                     Value b) {
  bool isFloat = isa<FloatType>(a.getType());
  if (isa<ComplexType>(a.getType()))
    return combineComplex(builder, loc, kind, a, b);
  switch (kind) {
  case ReduceKind::add:
    return isFloat ? arith::AddFOp::create(builder, loc, a, b).getResult()
                   : arith::AddIOp::create(builder, loc, a, b).getResult();
  case ReduceKind::mul:
    return isFloat ? arith::MulFOp::create(builder, loc, a, b).getResult()
                   : arith::MulIOp::create(builder, loc, a, b).getResult();
  case ReduceKind::min:
    return isFloat ? arith::MinimumFOp::create(builder, loc, a, b).getResult()
                   : arith::MinSIOp::create(builder, loc, a, b).getResult();
  case ReduceKind::max:
    return isFloat ? arith::MaximumFOp::create(builder, loc, a, b).getResult()
                   : arith::MaxSIOp::create(builder, loc, a, b).getResult();
  case ReduceKind::umin:
    return arith::MinUIOp::create(builder, loc, a, b);
  case ReduceKind::umax:
    return arith::MaxUIOp::create(builder, loc, a, b);
  }
  llvm_unreachable("all kinds are listed");
}

/// A shuffle of one 32-bit integer.
static Value shuffleRegister(OpBuilder &builder, Location loc, Value value,
                             int64_t distance) {
  return gpu::ShuffleOp::create(
             builder, loc, value, static_cast<int32_t>(distance),
             static_cast<int32_t>(kWarpSize), gpu::ShuffleMode::XOR)
      .getShuffleResult();
}

/// The value of the lane at that distance, of any element type.
static Value shuffle(OpBuilder &builder, Location loc, Value value,
                     int64_t distance) {
  Type type = value.getType();
  if (type.isIndex()) {
    Value integer =
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), value);
    return arith::IndexCastOp::create(builder, loc, type,
                                      shuffle(builder, loc, integer, distance));
  }
  if (isa<ComplexType>(type)) {
    Value real = complex::ReOp::create(builder, loc, value);
    Value imaginary = complex::ImOp::create(builder, loc, value);
    real = shuffle(builder, loc, real, distance);
    imaginary = shuffle(builder, loc, imaginary, distance);
    return complex::CreateOp::create(builder, loc, type, real, imaginary);
  }
  Type i32 = builder.getI32Type();
  unsigned width = type.getIntOrFloatBitWidth();
  Type integer = builder.getIntegerType(width);
  if (isa<FloatType>(type)) {
    Value bits = arith::BitcastOp::create(builder, loc, integer, value);
    return arith::BitcastOp::create(builder, loc, type,
                                    shuffle(builder, loc, bits, distance));
  }
  if (width == 32)
    return shuffleRegister(builder, loc, value, distance);
  if (width < 32) {
    Value wide = arith::ExtUIOp::create(builder, loc, i32, value);
    wide = shuffleRegister(builder, loc, wide, distance);
    return arith::TruncIOp::create(builder, loc, type, wide);
  }
  Value half =
      arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, 32));
  Value low = arith::TruncIOp::create(builder, loc, i32, value);
  Value high = arith::TruncIOp::create(
      builder, loc, i32, arith::ShRUIOp::create(builder, loc, value, half));
  low = arith::ExtUIOp::create(builder, loc, type,
                               shuffleRegister(builder, loc, low, distance));
  high = arith::ExtUIOp::create(builder, loc, type,
                                shuffleRegister(builder, loc, high, distance));
  return arith::OrIOp::create(builder, loc, low,
                              arith::ShLIOp::create(builder, loc, high, half));
}

/// The number of each value among those that differ along other dimensions.
static SmallVector<int64_t> getGroups(const RegisterLayout &layout,
                                      int64_t axis) {
  SmallVector<int64_t> groups;
  for (int64_t value = 0; value < layout.getNumValues(); ++value) {
    int64_t number = value, group = 0, prefix = 1;
    for (const RegisterMode &mode : layout.getModes(RegisterLayout::kValue)) {
      if (mode.dim != axis) {
        group += number % mode.extent * prefix;
        prefix *= mode.extent;
      }
      number /= mode.extent;
    }
    groups.push_back(group);
  }
  return groups;
}

/// Combines a warp's elements along an axis; one element a group of values.
static SmallVector<Value> reduceWarp(OpBuilder &builder, Location loc,
                                     ReduceKind kind, TileType type,
                                     ValueRange packs, int64_t axis) {
  RegisterLayout layout = type.getRegister().getRegisterLayout();
  IndexBuilder index(builder, loc);
  ThreadCoordinates coordinates(index, layout);
  SmallVector<Value> elements = unpack(builder, loc, type, packs);
  SmallVector<int64_t> groups = getGroups(layout, axis);
  Value identity;
  if (layout.getBox()[axis] > type.getDimSize(axis))
    identity = createIdentity(builder, loc, kind, type.getElementType());
  SmallVector<int64_t> whole(ArrayRef<int64_t>(layout.getBox()));
  whole[axis] = type.getDimSize(axis);

  SmallVector<Value> results(*std::max_element(groups.begin(), groups.end()) +
                             1);
  for (auto [value, element] : llvm::enumerate(elements)) {
    if (identity)
      if (Value inside = coordinates.isInside(value, whole))
        element =
            arith::SelectOp::create(builder, loc, inside, element, identity);
    Value &result = results[groups[value]];
    result = result ? combine(builder, loc, kind, result, element) : element;
  }
  int64_t prefix = 1;
  for (const RegisterMode &mode : layout.getModes(RegisterLayout::kLane)) {
    if (mode.dim == axis)
      for (int64_t distance = prefix; distance < prefix * mode.extent;
           distance *= 2)
        for (Value &result : results)
          result = combine(builder, loc, kind, result,
                           shuffle(builder, loc, result, distance));
    prefix *= mode.extent;
  }
  return results;
}

namespace {

struct ConvertReduce : OpConversionPattern<ReduceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ReduceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    TileType type = op.getSource().getType();
    if (!op.getAxis() || type.getRegister().getRegisterLayout().getExtent(
                             RegisterLayout::kWarp, *op.getAxis()) != 1)
      return op.emitError("expected a reduction within warps (run "
                          "-tile-assign-layouts before)");
    SmallVector<Value> elements =
        reduceWarp(rewriter, op.getLoc(), op.getKind(), type,
                   adaptor.getSource(), *op.getAxis());
    rewriter.replaceOpWithMultiple(
        op, {pack(rewriter, op.getLoc(), op.getType(), elements)});
    return success();
  }
};

struct ConvertPartialReduce : OpConversionPattern<PartialReduceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PartialReduceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> elements =
        reduceWarp(rewriter, op.getLoc(), op.getKind(),
                   op.getSource().getType(), adaptor.getSource(), op.getAxis());
    rewriter.replaceOpWithMultiple(
        op, {pack(rewriter, op.getLoc(), op.getType(), elements)});
    return success();
  }
};

} // namespace

void tile::populateReducePatterns(TypeConverter &types,
                                  RewritePatternSet &patterns) {
  patterns.add<ConvertReduce, ConvertPartialReduce>(types,
                                                    patterns.getContext());
}
