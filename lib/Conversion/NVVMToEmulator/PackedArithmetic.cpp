// PackedArithmetic.cpp - nvvm conversions and arithmetic on packed registers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM has no operation for these instructions of one thread. They become calls
// of functions of tile/Emulator/DeviceMath.h, element by element.

#include "Instructions.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;

namespace {
/// Converts one operation. The insertion point of the builder is before it.
struct PackedConverter {
  Operation *op;
  InstructionContext &context;
  OpBuilder builder;
  Location loc;

  PackedConverter(Operation *op, InstructionContext &context)
      : op(op), context(context), builder(op), loc(op->getLoc()) {}

  Type i32() { return builder.getI32Type(); }
  Value math(StringRef name, ValueRange arguments) {
    return context.calls.callMath(builder, loc, name, i32(), arguments);
  }
  Value truncate(Value code, unsigned bits) {
    return LLVM::TruncOp::create(builder, loc, builder.getIntegerType(bits),
                                 code);
  }
  Value element(Value vector, int64_t index) {
    return LLVM::ExtractElementOp::create(builder, loc, vector,
                                          createI32(builder, loc, index));
  }
  /// Returns a vector of the elements.
  Value pack(Type type, ArrayRef<Value> elements) {
    Value vector = LLVM::PoisonOp::create(builder, loc, type);
    for (auto [index, value] : llvm::enumerate(elements))
      vector = LLVM::InsertElementOp::create(builder, loc, vector, value,
                                             createI32(builder, loc, index));
    return vector;
  }
  LogicalResult replace(Value value) {
    replaceInstruction(op, value);
    return success();
  }
  LogicalResult refuse() {
    return emitError(loc) << "expected an instruction that the emulator has, "
                             "got '"
                          << op->getName() << "' with these attributes";
  }
  /// Returns max(value, 0), or NaN for NaN, as `.relu` specifies.
  Value rectify(Value value, bool isRectified) {
    if (!isRectified)
      return value;
    Value zero = LLVM::ZeroOp::create(builder, loc, value.getType());
    return LLVM::MaximumOp::create(builder, loc, value, zero);
  }

  LogicalResult convert();
  LogicalResult convertToTF32(NVVM::ConvertFloatToTF32Op convert);
  template <typename Convert>
  LogicalResult convertToHalves(Convert convert);
  LogicalResult convertToFloat8(Value high, Value low, bool isRectified,
                                Type format);
  LogicalResult convertFromFloat8(NVVM::ConvertF8x2ToF16x2Op convert);
  LogicalResult convertDot(NVVM::DotAccumulate4WayOp dot);
};
} // namespace

LogicalResult
PackedConverter::convertToTF32(NVVM::ConvertFloatToTF32Op convert) {
  StringRef name =
      llvm::StringSwitch<StringRef>(stringifyEnum(convert.getRnd()))
          .Case("rna", "tile_emulator_f32_to_tf32_rna")
          .Case("rn", "tile_emulator_f32_to_tf32_rn")
          .Case("rz", "tile_emulator_f32_to_tf32_rz")
          .Default("");
  if (name.empty() || convert.getSat() != NVVM::SaturationMode::NONE)
    return refuse();
  return replace(math(name, rectify(convert.getSrc(), convert.getRelu())));
}

/// Converts to f16x2 or bf16x2. The operand a of the instruction becomes the
/// upper half.
template <typename Convert>
LogicalResult PackedConverter::convertToHalves(Convert convert) {
  if (convert.getRnd() != NVVM::FPRoundingMode::RN ||
      convert.getSat() != NVVM::SaturationMode::NONE)
    return refuse();
  auto type = cast<VectorType>(convert.getType());
  auto narrow = [&](Value value) -> Value {
    return LLVM::FPTruncOp::create(builder, loc, type.getElementType(),
                                   rectify(value, convert.getRelu()));
  };
  return replace(
      pack(type, {narrow(convert.getSrcLo()), narrow(convert.getSrcHi())}));
}

/// The conversions always saturate to finite values (PTX ISA, "cvt").
LogicalResult PackedConverter::convertToFloat8(Value high, Value low,
                                               bool isRectified, Type format) {
  StringRef name = isa<Float8E4M3FNType>(format) ? "tile_emulator_f32_to_e4m3"
                   : isa<Float8E5M2Type>(format) ? "tile_emulator_f32_to_e5m2"
                                                 : "";
  if (name.empty())
    return refuse();
  auto code = [&](Value value) -> Value {
    if (!value.getType().isF32())
      value = LLVM::FPExtOp::create(builder, loc, builder.getF32Type(), value);
    return math(name, rectify(value, isRectified));
  };
  Value lowCode = code(low), highCode = code(high);
  Type type = op->getResult(0).getType();
  if (isa<VectorType>(type))
    return replace(pack(type, {truncate(lowCode, 8), truncate(highCode, 8)}));
  Value shifted =
      LLVM::ShlOp::create(builder, loc, highCode, createI32(builder, loc, 8));
  return replace(
      truncate(LLVM::OrOp::create(builder, loc, shifted, lowCode), 16));
}

LogicalResult
PackedConverter::convertFromFloat8(NVVM::ConvertF8x2ToF16x2Op convert) {
  StringRef name = isa<Float8E4M3FNType>(convert.getSrcType())
                       ? "tile_emulator_e4m3_to_f16"
                       : "tile_emulator_e5m2_to_f16";
  SmallVector<Value> halves;
  for (int64_t i = 0; i < 2; ++i) {
    Value code =
        LLVM::ZExtOp::create(builder, loc, i32(), element(convert.getSrc(), i));
    Value half = LLVM::BitcastOp::create(builder, loc, builder.getF16Type(),
                                         truncate(math(name, code), 16));
    halves.push_back(rectify(half, convert.getRelu()));
  }
  return replace(pack(convert.getType(), halves));
}

LogicalResult PackedConverter::convertDot(NVVM::DotAccumulate4WayOp dot) {
  auto widen = [&](Value value, NVVM::DotAccumulateType type) -> Value {
    if (type == NVVM::DotAccumulateType::SIGNED)
      return LLVM::SExtOp::create(builder, loc, i32(), value);
    return LLVM::ZExtOp::create(builder, loc, i32(), value);
  };
  Value sum = dot.getC();
  for (int64_t i = 0; i < 4; ++i) {
    Value product = LLVM::MulOp::create(
        builder, loc, widen(element(dot.getA(), i), dot.getAType()),
        widen(element(dot.getB(), i), dot.getBType()));
    sum = LLVM::AddOp::create(builder, loc, sum, product);
  }
  return replace(sum);
}

LogicalResult PackedConverter::convert() {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](NVVM::ConvertFloatToTF32Op convert) {
        return convertToTF32(convert);
      })
      .Case<NVVM::ConvertF32x2ToF16x2Op, NVVM::ConvertF32x2ToBF16x2Op>(
          [&](auto convert) { return convertToHalves(convert); })
      .Case([&](NVVM::ConvertF32x2ToF8x2Op convert) {
        return convertToFloat8(convert.getA(), convert.getB(),
                               convert.getRelu(), convert.getDstTy());
      })
      .Case([&](NVVM::ConvertF16x2ToF8x2Op convert) {
        // The upper half of the source gives the upper byte of the result (PTX
        // ISA, "cvt"; the description in NVVMOps.td swaps the halves).
        return convertToFloat8(element(convert.getA(), 1),
                               element(convert.getA(), 0), convert.getRelu(),
                               convert.getDstTy());
      })
      .Case([&](NVVM::ConvertF8x2ToF16x2Op convert) {
        return convertFromFloat8(convert);
      })
      .Case([&](NVVM::DotAccumulate4WayOp dot) { return convertDot(dot); })
      .Case([&](NVVM::PermuteOp permute) -> LogicalResult {
        if (permute.getMode() != NVVM::PermuteMode::DEFAULT)
          return refuse();
        return replace(
            math("tile_emulator_prmt",
                 {permute.getLo(), permute.getHi(), permute.getSelector()}));
      })
      .Default([&](Operation *) { return refuse(); });
}

LogicalResult tile::convertPackedArithmetic(Operation *op,
                                            InstructionContext &context) {
  return PackedConverter(op, context).convert();
}
