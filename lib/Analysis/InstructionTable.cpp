// InstructionTable.cpp - which instruction multiplies which tiles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/InstructionTable.h"

#include "tile/Analysis/WarpgroupMatmul.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tile;

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
static constexpr llvm::StringLiteral kFloat16 =
    "Matrix Fragments for mma.m16n8k16 with floating point type";
static constexpr llvm::StringLiteral kFloat32 =
    "Matrix Fragments for mma.m16n8k8";
static constexpr llvm::StringLiteral kInteger8 =
    "Matrix Fragments for mma.m16n8k32";

static constexpr llvm::StringLiteral kDescriptor = "by the instruction";
static constexpr llvm::StringLiteral kWgmma = "nvvm.wgmma.mma_async";

static constexpr llvm::StringLiteral kGroup8 =
    "Register Fragments for wgmma.mma_async.m64nNk8";
static constexpr llvm::StringLiteral kGroup16 =
    "Register Fragments for wgmma.mma_async.m64nNk16";
static constexpr llvm::StringLiteral kGroup32 =
    "Register Fragments for wgmma.mma_async.m64nNk32";

static const MatrixInstruction kTable[] = {
    {"m64nNk16", "f16", "f32", FragmentKind::kWarpgroup, 64, 8, 16, 16, 8, 16,
     90, kDescriptor, kDescriptor, kWgmma, kGroup16},
    {"m64nNk16", "bf16", "f32", FragmentKind::kWarpgroup, 64, 8, 16, 16, 8, 16,
     90, kDescriptor, kDescriptor, kWgmma, kGroup16},
    {"m64nNk32", "i8", "i32", FragmentKind::kWarpgroup, 64, 8, 32, 16, 8, 32,
     90, kDescriptor, "none", kWgmma, kGroup32},
    {"m64nNk32", "f8E4M3FN", "f32", FragmentKind::kWarpgroup, 64, 8, 32, 16, 8,
     32, 90, kDescriptor, "none", kWgmma, kGroup32,
     Precision::fast_accumulation},
    {"m64nNk32", "f8E5M2", "f32", FragmentKind::kWarpgroup, 64, 8, 32, 16, 8,
     32, 90, kDescriptor, "none", kWgmma, kGroup32,
     Precision::fast_accumulation},
    // The instruction cuts off bits that the matmul rounds (RoundOperands.h).
    {"m64nNk8", "tf32", "f32", FragmentKind::kWarpgroup, 64, 8, 8, 16, 8, 8, 90,
     "lhs: ldmatrix, cvt.rn.tf32; rhs: ld.global, cvt.rn.tf32, st.shared",
     "none", kWgmma, kGroup8},
    {"m16n8k16", "f16", "f32", FragmentKind::kHalf, 16, 8, 16, 16, 8, 16, 80,
     "ldmatrix", kTransposed, kMma, kFloat16},
    {"m16n8k16", "f16", "f16", FragmentKind::kHalf, 16, 8, 16, 16, 8, 16, 80,
     "ldmatrix", kTransposed, kMma, kFloat16},
    {"m16n8k16", "bf16", "f32", FragmentKind::kHalf, 16, 8, 16, 16, 8, 16, 80,
     "ldmatrix", kTransposed, kMma, kFloat16},
    {"m16n8k8", "tf32", "f32", FragmentKind::kTF32, 16, 8, 8, 16, 16, 8, 90,
     "ldmatrix, cvt.rn.tf32", "ld.shared of pairs, cvt.rn.tf32", kMma,
     kFloat32},
    {"m16n8k8", "tf32", "f32", FragmentKind::kTF32, 16, 8, 8, 16, 16, 8, 80,
     "ldmatrix, cvt.rna.tf32", "ld.shared of pairs, cvt.rna.tf32", kMma,
     kFloat32},
    {"m16n8k32", "i8", "i32", FragmentKind::kByte, 16, 8, 32, 16, 16, 32, 80,
     "ldmatrix", kPermuted, kMma, kInteger8},
    {"m16n8k16", "f8E4M3FN", "f32", FragmentKind::kByte, 16, 8, 16, 16, 16, 32,
     90, kHalves, kPermutedHalves, kMma, kFloat16, Precision::ieee,
     kLastWithoutFloat8},
    {"m16n8k16", "f8E5M2", "f32", FragmentKind::kByte, 16, 8, 16, 16, 16, 32,
     90, kHalves, kPermutedHalves, kMma, kFloat16, Precision::ieee,
     kLastWithoutFloat8},
    {"m16n8k32", "f8E4M3FN", "f32", FragmentKind::kByte, 16, 8, 32, 16, 16, 32,
     89, "ldmatrix", kPermuted, "llvm.nvvm.mma intrinsic", kInteger8},
    {"m16n8k32", "f8E5M2", "f32", FragmentKind::kByte, 16, 8, 32, 16, 16, 32,
     89, "ldmatrix", kPermuted, "llvm.nvvm.mma intrinsic", kInteger8},
    {"m16n8k8", "f64", "f64", FragmentKind::kDouble, 16, 8, 8, 16, 8, 8, 90,
     kLoads, kLoads, "llvm.nvvm.mma intrinsic", kFloat32},
    {"m8n8k4", "f64", "f64", FragmentKind::kDouble, 8, 8, 4, 16, 8, 8, 80,
     kLoads, kLoads, kMma, "Matrix Fragments for mma.m8n8k4 with .f64"},
    {"fma", "*", "*", FragmentKind::kNone, 1, 1, 1, 1, 1, 1, 80, "vector loads",
     "vector loads", "math.fma", "Floating Point Instructions: fma"},
};

ArrayRef<MatrixInstruction> tile::getMatrixInstructions() { return kTable; }

static std::string nameOf(Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return name;
}

bool tile::isOn(const MatrixInstruction &row,
                const Architecture &architecture) {
  return row.minArchitecture <= architecture.number &&
         architecture.number <= row.maxArchitecture &&
         (!row.isWarpgroup() || architecture.hasWarpgroupMma);
}

static bool serves(const MatrixInstruction &row, MatmulOpInterface op,
                   const Architecture &architecture) {
  bool isTF32 = op.getPrecision() == Precision::tf32;
  if (row.isFma())
    return !isTF32;
  auto operand = cast<ShapedType>(op.getLhs().getType()).getElementType();
  return row.operandType == (isTF32 ? "tf32" : nameOf(operand)) &&
         row.accType == nameOf(op.getSumType().getElementType()) &&
         isOn(row, architecture) &&
         (row.precision == Precision::ieee ||
          row.precision == op.getPrecision());
}

const MatrixInstruction &
tile::chooseInstruction(MatmulOpInterface op, const Architecture &architecture,
                        bool mayBeWarpgroup) {
  for (const MatrixInstruction &row : kTable)
    if (serves(row, op, architecture) &&
        (!row.isWarpgroup() ||
         (mayBeWarpgroup && explainNoWarpgroup(op).empty())))
      return row;
  llvm_unreachable("the table ends with a row that serves every product");
}

/// Returns the first architecture with an instruction for operands of the type;
/// zero if there is none.
static int getFirstArchitecture(StringRef operandType) {
  int first = 0;
  for (const MatrixInstruction &row : kTable)
    if (row.operandType == operandType)
      first = first == 0 ? row.minArchitecture
                         : std::min(first, row.minArchitecture);
  return first;
}

/// Lists the operand types of an architecture's matrix instructions: "f16,
/// bf16, tf32".
static std::string listOperandTypes(const Architecture &architecture) {
  llvm::SmallSetVector<StringRef, 8> types;
  for (const MatrixInstruction &row : kTable)
    if (!row.isFma() && isOn(row, architecture))
      types.insert(row.operandType);
  return llvm::join(types, ", ");
}

std::string tile::explainFma(MatmulOpInterface op,
                             const Architecture &architecture) {
  if (!chooseInstruction(op, architecture).isFma())
    return {};
  std::string text = ("no matrix instruction of " + architecture.name).str();
  Type type = cast<ShapedType>(op.getLhs().getType()).getElementType();
  std::string operand = nameOf(type);
  if (type.isF32())
    return text + " takes f32 to its last bit; precision tf32 would use tensor "
                  "cores";
  text += " takes " + operand;
  if (int first = getFirstArchitecture(operand))
    return text + "; those of sm_" + std::to_string(first) + " do";
  return text + "; they take " + listOperandTypes(architecture);
}

const MatrixInstruction *
tile::findInstruction(StringRef name, MatmulOpInterface op,
                      const Architecture &architecture) {
  for (const MatrixInstruction &row : kTable)
    if (row.name == name && serves(row, op, architecture))
      return &row;
  return nullptr;
}
