// Mma.cpp - matrix instructions of a warp (mma.sync)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/InstructionRows.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tile;
using namespace tile::elements;

static constexpr llvm::StringLiteral kTransposed = "ldmatrix.trans";
static constexpr llvm::StringLiteral kPermuted = "ldmatrix.trans, prmt";
// From sm_90 to sm_103 the hardware has no mma.sync for f8: ptxas replaces it
// by conversions to f16, an mma.sync that starts from zero, and additions (18
// registers, where sm_89 and sm_120 take 12; ptxas 13.0).
static constexpr int kLastWithoutFloat8 = 119;
static constexpr llvm::StringLiteral kHalves = "ldmatrix, cvt.f16x2";
static constexpr llvm::StringLiteral kPermutedHalves =
    "ldmatrix.trans, prmt, cvt.f16x2";
static constexpr llvm::StringLiteral kLoads = "ld.shared";
static constexpr llvm::StringLiteral kMma = "nvvm.mma.sync";
static constexpr llvm::StringLiteral kIntrinsic = "llvm.nvvm.mma intrinsic";
static constexpr llvm::StringLiteral kFloat16 =
    "Matrix Fragments for mma.m16n8k16 with floating point type";
static constexpr llvm::StringLiteral kFloat32 =
    "Matrix Fragments for mma.m16n8k8";
static constexpr llvm::StringLiteral kInteger8 =
    "Matrix Fragments for mma.m16n8k32";

static constexpr InstructionRow kRows[] = {
    {16, 8, 16, kF16, kF32, 80, "ldmatrix", kTransposed, kMma, kFloat16},
    {16, 8, 16, kF16, kF16, 80, "ldmatrix", kTransposed, kMma, kFloat16},
    {16, 8, 16, kBF16, kF32, 80, "ldmatrix", kTransposed, kMma, kFloat16},
    {16, 8, 8, kTF32, kF32, 90, "ldmatrix, cvt.rn.tf32",
     "ld.shared of pairs, cvt.rn.tf32", kMma, kFloat32},
    {16, 8, 8, kTF32, kF32, 80, "ldmatrix, cvt.rna.tf32",
     "ld.shared of pairs, cvt.rna.tf32", kMma, kFloat32},
    {16, 8, 32, kI8, kI32, 80, "ldmatrix", kPermuted, kMma, kInteger8},
    {16, 8, 16, kE4M3, kF32, 90, kHalves, kPermutedHalves, kMma, kFloat16,
     kLastWithoutFloat8},
    {16, 8, 16, kE5M2, kF32, 90, kHalves, kPermutedHalves, kMma, kFloat16,
     kLastWithoutFloat8},
    {16, 8, 32, kE4M3, kF32, 89, "ldmatrix", kPermuted, kIntrinsic, kInteger8},
    {16, 8, 32, kE5M2, kF32, 89, "ldmatrix", kPermuted, kIntrinsic, kInteger8},
    {16, 8, 8, kF64, kF64, 90, kLoads, kLoads, kIntrinsic, kFloat32},
    {8, 8, 4, kF64, kF64, 80, kLoads, kLoads, kMma,
     "Matrix Fragments for mma.m8n8k4 with .f64"},
};

InstructionFamily tile::getMmaFamily() {
  return {makeInstruction<MmaAttr>, kRows};
}

LogicalResult MmaAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                              ArrayRef<int64_t> shape, Type operand,
                              Type accumulator) {
  return verifyInstruction(emitError, kRows, shape, operand, accumulator);
}

std::string MmaAttr::getInstructionName() const {
  auto [m, n, k] = getInstructionShape();
  return llvm::formatv("m{0}n{1}k{2}", m, n, k);
}

MatrixShape MmaAttr::getInstructionShape() const {
  return {getShape()[0], getShape()[1], getShape()[2]};
}

/// Whether the operands have elements of eight bits.
static bool hasBytes(Type operand) {
  return operand.getIntOrFloatBitWidth() == 8;
}

MatrixShape MmaAttr::getSubTile() const {
  int64_t n = hasAdjacentRows() ? 16 : 8;
  return {16, n,
          hasBytes(getOperand()) ? 32 : std::max<int64_t>(getShape()[2], 8)};
}

Type MmaAttr::getOperandType() const { return getOperand(); }

Type MmaAttr::getAccumulatorType() const { return getAccumulator(); }

bool MmaAttr::hasAdjacentRows() const {
  return hasBytes(getOperand()) || isa<FloatTF32Type>(getOperand());
}

bool MmaAttr::convertsToF16() const {
  return hasBytes(getOperand()) && getShape()[2] == 16;
}
