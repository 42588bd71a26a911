// Elementwise.cpp - operations without communication between threads
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A register tile becomes N values (RegisterTiles.h). An elementwise operation
// becomes the same operation on each value, or on each element if operands and
// results are packed differently.

#include "Float8.h"
#include "Memory/Addresses.h"
#include "Patterns.h"
#include "RegisterTiles.h"
#include "WidenBytes.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace tile;

namespace {

/// Converts any elementwise operation that takes scalars as well as tiles, like
/// those of arith and math, or that implements ElementOpInterface.
struct ConvertElementwise : ConversionPattern {
  ConvertElementwise(TypeConverter &types, MLIRContext *context)
      : ConversionPattern(types, MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<ValueRange> operands,
                  ConversionPatternRewriter &rewriter) const override {
    auto perElement = dyn_cast<ElementOpInterface>(op);
    if (!perElement && (!op->hasTrait<OpTrait::Elementwise>() ||
                        !op->hasTrait<OpTrait::Scalarizable>()))
      return failure();
    SmallVector<TileType> types;
    for (Type type : op->getResultTypes())
      if (auto tile = dyn_cast<TileType>(type))
        types.push_back(tile);
    if (types.empty() || types.size() != op->getNumResults())
      return failure();
    Location loc = op->getLoc();

    // The new operations are on packs if all operands and results have the same
    // pack width, otherwise on single elements.
    int64_t width = getPackWidth(types.front());
    bool isUniform = !perElement || perElement.takesVectors();
    for (TypeRange range :
         {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
      for (Type type : range)
        if (auto tile = dyn_cast<TileType>(type))
          isUniform &= getPackWidth(tile) == width;
    SmallVector<SmallVector<Value>> parts;
    for (auto [operand, values] : llvm::zip(op->getOperands(), operands)) {
      auto tile = dyn_cast<TileType>(operand.getType());
      parts.push_back(tile && !isUniform ? unpack(rewriter, loc, tile, values)
                                         : SmallVector<Value>(values));
    }
    SmallVector<Type> partTypes;
    for (TileType type : types)
      partTypes.push_back(isUniform ? getPackType(type)
                                    : type.getElementType());
    int64_t count = getNumValues(types.front()) / (isUniform ? width : 1);
    SmallVector<SmallVector<Value>> results(types.size());
    for (int64_t i = 0; i < count; ++i) {
      SmallVector<Value> inputs;
      for (auto [operand, values] : llvm::zip(op->getOperands(), parts))
        inputs.push_back(isa<TileType>(operand.getType()) ? values[i]
                                                          : values[0]);
      for (auto [result, value] :
           llvm::zip(results, createPart(rewriter, op, inputs, partTypes)))
        result.push_back(value);
    }
    if (!isUniform)
      for (auto [result, type] : llvm::zip(results, types))
        result = pack(rewriter, loc, type, result);
    replaceWithPacks(rewriter, op, results);
    return success();
  }

private:
  /// Creates the operation on scalars or vectors.
  static SmallVector<Value> createPart(OpBuilder &builder, Operation *op,
                                       ArrayRef<Value> inputs,
                                       ArrayRef<Type> types) {
    Location loc = op->getLoc();
    if (auto perElement = dyn_cast<ElementOpInterface>(op))
      return perElement.createElements(builder, inputs);
    // Upstream lowers math.sincos only for f32 and f64.
    if (isa<math::SincosOp>(op))
      return {math::SinOp::create(builder, loc, inputs[0]),
              math::CosOp::create(builder, loc, inputs[0])};
    OperationState state(loc, op->getName(), inputs, types, op->getAttrs());
    return SmallVector<Value>(builder.create(state)->getResults());
  }
};

struct ConvertRoundTF32 : OpConversionPattern<RoundTF32Op> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(RoundTF32Op op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<Value> rounded;
    for (Value value : adaptor.getSource()) {
      Value bits = NVVM::ConvertFloatToTF32Op::create(
          rewriter, loc, rewriter.getI32Type(), value, NVVM::FPRoundingMode::RN,
          NVVM::SaturationMode::NONE,
          /*relu=*/false);
      rounded.push_back(
          LLVM::BitcastOp::create(rewriter, loc, value.getType(), bits));
    }
    replaceWithPacks(rewriter, op, {rounded});
    return success();
  }
};

struct ConvertFill : OpConversionPattern<FillOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(FillOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    TileType type = op.getType();
    SmallVector<Value> elements(getNumValues(type), adaptor.getValue().front());
    replaceWithPacks(rewriter, op,
                     {pack(rewriter, op.getLoc(), type, elements)});
    return success();
  }
};

struct ConvertIota : OpConversionPattern<IotaOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IotaOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    TileType type = op.getType();
    Location loc = op.getLoc();
    IndexBuilder index(rewriter, loc);
    ThreadCoordinates coordinates(index,
                                  type.getRegister().getRegisterLayout());
    SmallVector<Value> elements;
    for (int64_t value = 0; value < getNumValues(type); ++value)
      elements.push_back(convert(rewriter, loc,
                                 coordinates.get(value, op.getAxis()),
                                 type.getElementType()));
    replaceWithPacks(rewriter, op, {pack(rewriter, loc, type, elements)});
    return success();
  }

private:
  static Value convert(OpBuilder &builder, Location loc, Value value, Type to) {
    if (to.isIndex())
      return value;
    if (isa<IntegerType>(to))
      return arith::IndexCastOp::create(builder, loc, to, value);
    Value integer =
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), value);
    return arith::SIToFPOp::create(builder, loc, to, integer);
  }
};

/// Converts tile.cast, depending on the kinds of its two types.
struct ConvertCast : LoweringPattern<CastOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult
  matchAndRewrite(CastOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    TileType from = op.getSource().getType(), to = op.getType();
    Location loc = op.getLoc();
    SmallVector<Value> elements =
        unpack(rewriter, loc, from, adaptor.getSource());
    replaceWithPacks(
        rewriter, op,
        {pack(rewriter, loc, to,
              convertAll(rewriter, op, elements, to.getElementType()))});
    return success();
  }

private:
  /// Converts all values. Elements of 8 bits are converted several at a
  /// time, those of f8 through a wider type.
  SmallVector<Value> convertAll(OpBuilder &builder, CastOp op,
                                SmallVector<Value> values, Type to) const {
    Location loc = op.getLoc();
    Type from = values.front().getType();
    bool keepsBits = op.getBitcast() || from == to;
    if (canWidenBytes(from, to) && !keepsBits && values.size() > 1)
      return widenBytes(builder, loc, values, op.getUnsignedInteger(),
                        cast<FloatType>(to));
    if (isFloat8(from) && !keepsBits)
      values = widenFloat8(builder, loc, values, lowering.architecture);
    bool narrows = isFloat8(to) && !keepsBits;
    if (!narrows || !isa<FloatType>(from))
      // An integer that f32 cannot represent exactly is beyond the range of f8.
      for (Value &value : values)
        value =
            convert(builder, op, value, narrows ? builder.getF32Type() : to);
    if (narrows)
      values = narrowToFloat8(builder, loc, values, to, lowering.architecture);
    return values;
  }

  /// @pre no type is f8, unless the cast keeps the bits.
  static Value convert(OpBuilder &builder, CastOp op, Value value, Type to) {
    Location loc = op.getLoc();
    Type from = value.getType();
    if (from == to)
      return value;
    if (op.getBitcast())
      return arith::BitcastOp::create(builder, loc, to, value);
    if (isa<FloatType>(from))
      return isa<FloatType>(to) ? convertFloat(builder, loc, value, to)
                                : convertToInteger(builder, op, value, to);
    return convertInteger(builder, op, value, to);
  }

  /// Converts between f16 and bf16 through f32, which has all values of both.
  static Value convertFloat(OpBuilder &builder, Location loc, Value value,
                            Type to) {
    unsigned fromWidth = value.getType().getIntOrFloatBitWidth();
    unsigned toWidth = to.getIntOrFloatBitWidth();
    if (fromWidth == toWidth)
      value = arith::ExtFOp::create(builder, loc, builder.getF32Type(), value);
    if (value.getType().getIntOrFloatBitWidth() > toWidth)
      return arith::TruncFOp::create(builder, loc, to, value);
    return arith::ExtFOp::create(builder, loc, to, value);
  }

  static Value convertToInteger(OpBuilder &builder, CastOp op, Value value,
                                Type to) {
    Location loc = op.getLoc();
    if (to.isInteger(1)) {
      Value zero = createZero(builder, loc, value.getType());
      return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNE,
                                   value, zero);
    }
    Type integer = to.isIndex() ? builder.getI64Type() : to;
    // Rounds toward zero; DefineArithmetic.h defines values out of range.
    Value result =
        op.getUnsignedInteger()
            ? arith::FPToUIOp::create(builder, loc, integer, value).getResult()
            : arith::FPToSIOp::create(builder, loc, integer, value).getResult();
    return to.isIndex() ? arith::IndexCastOp::create(builder, loc, to, result)
                              .getResult()
                        : result;
  }

  static Value convertInteger(OpBuilder &builder, CastOp op, Value value,
                              Type to) {
    Location loc = op.getLoc();
    bool isUnsigned = op.getUnsignedInteger() || value.getType().isInteger(1);
    if (value.getType().isIndex())
      value =
          arith::IndexCastOp::create(builder, loc, builder.getI64Type(), value);
    if (isa<FloatType>(to))
      return isUnsigned
                 ? arith::UIToFPOp::create(builder, loc, to, value).getResult()
                 : arith::SIToFPOp::create(builder, loc, to, value).getResult();
    if (to.isInteger(1))
      return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                   value,
                                   createZero(builder, loc, value.getType()));
    Type integer = to.isIndex() ? builder.getI64Type() : to;
    unsigned fromWidth = value.getType().getIntOrFloatBitWidth();
    unsigned toWidth = integer.getIntOrFloatBitWidth();
    if (op.getSaturate() && fromWidth > toWidth)
      value = clampInteger(builder, op, value, toWidth);
    if (fromWidth > toWidth)
      value = arith::TruncIOp::create(builder, loc, integer, value);
    else if (fromWidth < toWidth)
      value =
          isUnsigned
              ? arith::ExtUIOp::create(builder, loc, integer, value).getResult()
              : arith::ExtSIOp::create(builder, loc, integer, value)
                    .getResult();
    return to.isIndex()
               ? arith::IndexCastOp::create(builder, loc, to, value).getResult()
               : value;
  }

  static Value clampInteger(OpBuilder &builder, CastOp op, Value value,
                            unsigned width) {
    Location loc = op.getLoc();
    Type type = value.getType();
    unsigned from = type.getIntOrFloatBitWidth();
    auto constant = [&](const APInt &limit) -> Value {
      return arith::ConstantOp::create(builder, loc,
                                       builder.getIntegerAttr(type, limit));
    };
    if (op.getUnsignedInteger())
      return arith::MinUIOp::create(
          builder, loc, value, constant(APInt::getMaxValue(width).zext(from)));
    value = arith::MinSIOp::create(
        builder, loc, value,
        constant(APInt::getSignedMaxValue(width).sext(from)));
    return arith::MaxSIOp::create(
        builder, loc, value,
        constant(APInt::getSignedMinValue(width).sext(from)));
  }
};

/// Converts operations whose result has the registers of the source, with other
/// coordinates.
/// @pre the layouts agree; -tile-assign-layouts and -tile-bufferize ensure
/// this.
template <typename OpTy>
struct ConvertRenaming : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;
  using typename OpConversionPattern<OpTy>::OneToNOpAdaptor;

  LogicalResult
  matchAndRewrite(OpTy op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto from = cast<TileType>(op.getSource().getType());
    auto to = cast<TileType>(op.getResult().getType());
    if (!from.getRegister() || !to.getRegister() ||
        getNumValues(from) != getNumValues(to))
      return op.emitError("expected tiles in registers of the same layout");
    replaceWithPacks(rewriter, op, {SmallVector<Value>(adaptor.getSource())});
    return success();
  }
};

/// Converts a broadcast. Each value of the result is the value of the source
/// that has the same digits along the source's dimensions.
struct ConvertBroadcast : OpConversionPattern<BroadcastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(BroadcastOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    TileType from = op.getSource().getType(), to = op.getType();
    Location loc = op.getLoc();
    SmallVector<Value> results = repeatElements(
        from, unpack(rewriter, loc, from, adaptor.getSource()), to);
    replaceWithPacks(rewriter, op, {pack(rewriter, loc, to, results)});
    return success();
  }
};

/// Converts an extraction from a tile of rank 0, whose element every thread
/// holds.
struct ConvertExtract : OpConversionPattern<ExtractOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ExtractOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (op.getSource().getType().getRank() != 0)
      return op.emitError("expected an element of a tile of rank 0 (run "
                          "-tile-decompose before)");
    rewriter.replaceOp(op, extractElement(rewriter, op.getLoc(),
                                          adaptor.getSource().front(), 0));
    return success();
  }
};

/// Reverses the order of programs. Blocks start in the order of their ids, and
/// the last programs have the ends of arrays, whose copies take longest. If
/// these programs ran in the last blocks, multiprocessors that have finished
/// would wait for them, so they run in the first ones. EmulatorJit.cpp uses the
/// same order for findings.
struct ConvertProgramId : OpConversionPattern<ProgramIdOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ProgramIdOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto axis = static_cast<gpu::Dimension>(op.getAxis());
    auto toInteger = [&](Value value) {
      return arith::IndexCastUIOp::create(rewriter, loc, rewriter.getI32Type(),
                                          value);
    };
    Value count = toInteger(gpu::GridDimOp::create(rewriter, loc, axis));
    Value block = toInteger(gpu::BlockIdOp::create(rewriter, loc, axis));
    Value one = arith::ConstantIntOp::create(rewriter, loc, 1, 32);
    Value last = arith::SubIOp::create(rewriter, loc, count, one);
    Value id = arith::SubIOp::create(rewriter, loc, last, block);
    // The id has 32 bits, so that LLVM knows the index to be neither negative
    // nor large, and leaves out tests of each access.
    rewriter.replaceOpWithNewOp<arith::IndexCastUIOp>(
        op, rewriter.getIndexType(), id);
    return success();
  }
};

struct ConvertNumPrograms : OpConversionPattern<NumProgramsOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(NumProgramsOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<gpu::GridDimOp>(
        op, static_cast<gpu::Dimension>(op.getAxis()));
    return success();
  }
};

} // namespace

void tile::populateElementwisePatterns(TypeConverter &types,
                                       RewritePatternSet &patterns,
                                       const LoweringContext &lowering) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ConvertElementwise>(types, context);
  patterns.add<ConvertCast>(types, context, lowering);
  patterns.add<ConvertRoundTF32, ConvertFill, ConvertIota, ConvertExtract,
               ConvertRenaming<TransposeOp>, ConvertRenaming<ReshapeOp>,
               ConvertBroadcast, ConvertProgramId, ConvertNumPrograms>(types,
                                                                       context);
}
