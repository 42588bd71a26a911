// ComputeToLinalg.cpp - tile.cast, tile.select, tile.reduce
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reduction is sequential, in the compute type of its elements: f16, bf16 and
// f8 are summed in f32 and rounded once, at the end.

#include "Element.h"
#include "Patterns.h"

#include "tile/Conversion/FloatBits.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Kinds of reduction
//===----------------------------------------------------------------------===//

/// The floating-point number that changes nothing; -0 is that of a sum.
static APFloat getFloatIdentity(ReduceKind kind,
                                const llvm::fltSemantics &semantics) {
  switch (kind) {
  case ReduceKind::add:
    return APFloat::getZero(semantics, /*Negative=*/true);
  case ReduceKind::mul:
    return APFloat(semantics, 1);
  case ReduceKind::min:
  case ReduceKind::umin:
    return APFloat::getInf(semantics);
  case ReduceKind::max:
  case ReduceKind::umax:
    return APFloat::getInf(semantics, /*Negative=*/true);
  }
  return APFloat::getZero(semantics);
}

static APInt getIntegerIdentity(ReduceKind kind, unsigned width) {
  switch (kind) {
  case ReduceKind::mul:
    return APInt(width, 1);
  case ReduceKind::min:
    return APInt::getSignedMaxValue(width);
  case ReduceKind::max:
    return APInt::getSignedMinValue(width);
  case ReduceKind::umin:
    return APInt::getMaxValue(width);
  case ReduceKind::add:
  case ReduceKind::umax:
    break;
  }
  return APInt::getZero(width);
}

/// The value of compute type `type` that changes nothing.
static Value buildIdentity(OpBuilder &b, Location loc, ReduceKind kind,
                           Type type) {
  if (auto number = dyn_cast<FloatType>(type)) {
    APFloat identity = getFloatIdentity(kind, number.getFloatSemantics());
    return arith::ConstantOp::create(b, loc, FloatAttr::get(type, identity));
  }
  if (auto complex = dyn_cast<ComplexType>(type)) {
    Type part = complex.getElementType();
    const auto &semantics = cast<FloatType>(part).getFloatSemantics();
    Attribute real = FloatAttr::get(part, getFloatIdentity(kind, semantics));
    Attribute imaginary = FloatAttr::get(
        part, APFloat::getZero(semantics, kind == ReduceKind::add));
    return complex::ConstantOp::create(b, loc, complex,
                                       b.getArrayAttr({real, imaginary}));
  }
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  return arith::ConstantOp::create(
      b, loc, b.getIntegerAttr(type, getIntegerIdentity(kind, width)));
}

static Value combineFloats(OpBuilder &b, Location loc, ReduceKind kind,
                           Value lhs, Value rhs) {
  switch (kind) {
  case ReduceKind::mul:
    return arith::MulFOp::create(b, loc, lhs, rhs);
  case ReduceKind::min:
  case ReduceKind::umin:
    return arith::MinimumFOp::create(b, loc, lhs, rhs);
  case ReduceKind::max:
  case ReduceKind::umax:
    return arith::MaximumFOp::create(b, loc, lhs, rhs);
  case ReduceKind::add:
    break;
  }
  return arith::AddFOp::create(b, loc, lhs, rhs);
}

static Value combineIntegers(OpBuilder &b, Location loc, ReduceKind kind,
                             Value lhs, Value rhs) {
  switch (kind) {
  case ReduceKind::mul:
    return arith::MulIOp::create(b, loc, lhs, rhs);
  case ReduceKind::min:
    return arith::MinSIOp::create(b, loc, lhs, rhs);
  case ReduceKind::max:
    return arith::MaxSIOp::create(b, loc, lhs, rhs);
  case ReduceKind::umin:
    return arith::MinUIOp::create(b, loc, lhs, rhs);
  case ReduceKind::umax:
    return arith::MaxUIOp::create(b, loc, lhs, rhs);
  case ReduceKind::add:
    break;
  }
  return arith::AddIOp::create(b, loc, lhs, rhs);
}

/// `lhs` and `rhs`, of a compute type, combined.
static Value combine(OpBuilder &b, Location loc, ReduceKind kind, Value lhs,
                     Value rhs) {
  if (isa<FloatType>(lhs.getType()))
    return combineFloats(b, loc, kind, lhs, rhs);
  if (!isa<ComplexType>(lhs.getType()))
    return combineIntegers(b, loc, kind, lhs, rhs);
  if (kind == ReduceKind::mul)
    return complex::MulOp::create(b, loc, lhs, rhs);
  return complex::AddOp::create(b, loc, lhs, rhs);
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

namespace {
struct ConvertReduce : OpConversionPattern<ReduceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ReduceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    TileType source = op.getSource().getType();
    Type element = source.getElementType();
    Type compute = cpu::getComputeType(element);
    int64_t rank = source.getRank();

    SmallVector<utils::IteratorType> iterators;
    SmallVector<AffineExpr> kept;
    for (int64_t dim = 0; dim < rank; ++dim) {
      bool isReduced =
          !op.getAxis() || static_cast<int64_t>(*op.getAxis()) == dim;
      iterators.push_back(isReduced ? utils::IteratorType::reduction
                                    : utils::IteratorType::parallel);
      if (!isReduced)
        kept.push_back(rewriter.getAffineDimExpr(dim));
    }
    AffineMap maps[] = {rewriter.getMultiDimIdentityMap(rank),
                        AffineMap::get(rank, 0, kept, getContext())};
    auto type = RankedTensorType::get(op.getType().getShape(), compute);
    Value start =
        cpu::buildFill(rewriter, loc, type,
                       buildIdentity(rewriter, loc, op.getKind(), compute));
    auto generic = linalg::GenericOp::create(
        rewriter, loc, type, adaptor.getSource(), start, maps, iterators,
        [&](OpBuilder &b, Location nestedLoc, ValueRange elements) {
          Value next = cpu::widen(b, nestedLoc, elements[0], element);
          linalg::YieldOp::create(
              b, nestedLoc,
              combine(b, nestedLoc, op.getKind(), elements[1], next));
        });
    rewriter.replaceOp(op,
                       cpu::convertElements(rewriter, loc, generic.getResult(0),
                                            compute, element));
    return success();
  }
};

struct ConvertCast : OpConversionPattern<CastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(CastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    Type from = op.getSource().getType().getElementType();
    Type to = op.getType().getElementType();
    cpu::ConversionFlags flags;
    flags.isUnsigned = op.getUnsignedInteger();
    flags.isBitcast = op.getBitcast();
    if (op.getSaturate() || isFloat8(to))
      flags.outOfRange = cpu::OutOfRange::Saturate;
    rewriter.replaceOp(
        op, cpu::buildParallel(
                rewriter, op.getLoc(), type, adaptor.getSource(),
                [&](OpBuilder &b, Location loc, ValueRange elements) {
                  return cpu::convert(b, loc, elements[0], from, to, flags);
                }));
    return success();
  }
};

struct ConvertSelect : OpConversionPattern<SelectOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(SelectOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    SmallVector<Value> inputs = {adaptor.getTrueValue(),
                                 adaptor.getFalseValue()};
    Value condition = adaptor.getCondition();
    bool isTile = isa<RankedTensorType>(condition.getType());
    if (isTile)
      inputs.push_back(condition);
    rewriter.replaceOp(
        op, cpu::buildParallel(
                rewriter, op.getLoc(), type, inputs,
                [&](OpBuilder &b, Location loc, ValueRange elements) -> Value {
                  return arith::SelectOp::create(
                      b, loc, isTile ? elements[2] : condition, elements[0],
                      elements[1]);
                }));
    return success();
  }
};
} // namespace

void cpu::populateComputePatterns(const TypeConverter &converter,
                                  RewritePatternSet &patterns) {
  patterns.add<ConvertReduce, ConvertCast, ConvertSelect>(
      converter, patterns.getContext());
}
