// RegisterTie.cpp - values that are not used before a point of the program
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Conversion/RegisterTie.h"

using namespace mlir;
using namespace tile;

/// The texts of the ties' inline assembly, which are comments in PTX.
static constexpr llvm::StringLiteral kWaitedFor = "// waited for";
static constexpr llvm::StringLiteral kComputedInLoop =
    "// computed in the loop";

/// Returns the constraint code of the registers for a type (LLVM, "Supported
/// Constraint Code List", NVPTX); empty if there is none.
static StringRef getConstraint(Type type) {
  if (type.isF32())
    return "f";
  if (type.isF64())
    return "d";
  auto vector = dyn_cast<VectorType>(type);
  if (!vector && !type.isIntOrFloat())
    return "";
  int64_t bits = vector
                     ? vector.getNumElements() * vector.getElementTypeBitWidth()
                     : type.getIntOrFloatBitWidth();
  return bits == 32 ? "r" : bits == 64 ? "l" : "";
}

bool tile::isTiedRegister(Type type) { return !getConstraint(type).empty(); }

SmallVector<Value> tile::tieRegisters(OpBuilder &builder, Location loc,
                                      ValueRange values, TieReason reason) {
  std::string constraints;
  for (Value value : values)
    constraints += "=" + getConstraint(value.getType()).str() + ",";
  for (size_t i = 0; i < values.size(); ++i)
    constraints += (i == 0 ? "" : ",") + std::to_string(i);
  MLIRContext *context = builder.getContext();
  bool isSingle = values.size() == 1;
  Type type = isSingle ? values.front().getType()
                       : LLVM::LLVMStructType::getLiteral(
                             context, llvm::to_vector(values.getTypes()));
  Value tied =
      LLVM::InlineAsmOp::create(
          builder, loc, type, values,
          reason == TieReason::kWaitedFor ? kWaitedFor : kComputedInLoop,
          constraints,
          /*has_side_effects=*/true, /*is_align_stack=*/false,
          LLVM::tailcallkind::TailCallKind::None,
          LLVM::AsmDialectAttr::get(context, LLVM::AsmDialect::AD_ATT),
          /*operand_attrs=*/ArrayAttr())
          .getRes();
  if (isSingle)
    return {tied};
  SmallVector<Value> results;
  for (size_t i = 0; i < values.size(); ++i)
    results.push_back(LLVM::ExtractValueOp::create(builder, loc, tied, i));
  return results;
}

bool tile::isRegisterTie(LLVM::InlineAsmOp op) {
  return op.getAsmString() == kWaitedFor ||
         op.getAsmString() == kComputedInLoop;
}
