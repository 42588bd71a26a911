// Wgmma.cpp - matrix instructions of a warpgroup (wgmma.mma_async)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/InstructionRows.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tile;
using namespace tile::elements;

static constexpr int64_t kN = ShapedType::kDynamic;
static constexpr llvm::StringLiteral kDescriptor = "by the instruction";
static constexpr llvm::StringLiteral kWgmma = "nvvm.wgmma.mma_async";
static constexpr llvm::StringLiteral kK8 =
    "Register Fragments for wgmma.mma_async.m64nNk8";
static constexpr llvm::StringLiteral kK16 =
    "Register Fragments for wgmma.mma_async.m64nNk16";
static constexpr llvm::StringLiteral kK32 =
    "Register Fragments for wgmma.mma_async.m64nNk32";

static constexpr InstructionRow kRows[] = {
    {64, kN, 16, kF16, kF32, 90, kDescriptor, kDescriptor, kWgmma, kK16},
    {64, kN, 16, kBF16, kF32, 90, kDescriptor, kDescriptor, kWgmma, kK16},
    {64, kN, 32, kI8, kI32, 90, kDescriptor, "none", kWgmma, kK32},
    {64, kN, 32, kE4M3, kF32, 90, kDescriptor, "none", kWgmma, kK32},
    {64, kN, 32, kE5M2, kF32, 90, kDescriptor, "none", kWgmma, kK32},
    {64, kN, 8, kTF32, kF32, 90,
     "lhs: ldmatrix, cvt.rn.tf32; rhs: ld.global, cvt.rn.tf32, st.shared",
     "none", kWgmma, kK8},
};

InstructionFamily tile::getWgmmaFamily() {
  return {makeInstruction<WgmmaAttr>, kRows};
}

LogicalResult WgmmaAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                ArrayRef<int64_t> shape, Type operand,
                                Type accumulator) {
  return verifyInstruction(emitError, kRows, shape, operand, accumulator);
}

std::string WgmmaAttr::getInstructionName() const {
  return llvm::formatv("m{0}nNk{1}", getShape()[0], getShape()[2]);
}

int64_t WgmmaAttr::getNumWarps() const { return 4; }

MatrixShape WgmmaAttr::getInstructionShape() const {
  constexpr int64_t kLeastColumns = 8;
  return {getShape()[0], kLeastColumns, getShape()[2]};
}

MatrixShape WgmmaAttr::getSubTile() const {
  auto [m, n, k] = getInstructionShape();
  return {m / getNumWarps(), n, k};
}

Type WgmmaAttr::getOperandType() const { return getOperand(); }

Type WgmmaAttr::getAccumulatorType() const { return getAccumulator(); }

Precision WgmmaAttr::getRequiredPrecision() const {
  return isa<Float8E4M3FNType, Float8E5M2Type>(getOperand())
             ? Precision::fast_accumulation
             : Precision::ieee;
}

/// Integer instructions of more than 32 columns have multiples of 16 (PTX ISA,
/// "wgmma.mma_async", shapes of .u8 and .s8).
bool WgmmaAttr::hasColumns(int64_t columns) const {
  constexpr int64_t kMostColumns = 256;
  return columns > 0 && columns % 8 == 0 && columns <= kMostColumns &&
         (!getAccumulator().isInteger() || columns <= 32 || columns % 16 == 0);
}

bool WgmmaAttr::isAsynchronous() const { return true; }

bool WgmmaAttr::readsDescriptors() const { return true; }

bool WgmmaAttr::truncatesOperands() const {
  return isa<FloatTF32Type>(getOperand());
}
