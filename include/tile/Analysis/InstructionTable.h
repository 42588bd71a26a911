// InstructionTable.h - which instruction multiplies which tiles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instruction choice is one table: architecture and element types to the
// instruction, how its operands are loaded, the section of the PTX ISA that
// defines it, and how it is emitted. docs/Instructions.md shows it.

#ifndef TILE_ANALYSIS_INSTRUCTIONTABLE_H
#define TILE_ANALYSIS_INSTRUCTIONTABLE_H

#include "tile/Analysis/Architecture.h"
#include "tile/IR/Tile.h"

#include <limits>

namespace tile {

/// How the lanes of a warp share a sub-tile of a product (Fragments.h).
enum class FragmentKind {
  kNone,   ///< no matrix instruction
  kHalf,   ///< 16-bit operands: the fragments of m16n8k16
  kByte,   ///< 8-bit operands: those of two m16n8k32, columns in pairs
  kTF32,   ///< tf32 operands: those of two m16n8k8, columns in pairs
  kDouble, ///< f64 operands: those of m16n8k8
  /// operands that a warpgroup reads from shared memory itself, accumulators as
  /// kHalf's (WarpgroupProduct.h)
  kWarpgroup
};

/// One row: a matrix instruction of a warp or of four, or FMA in each thread.
struct MatrixInstruction {
  static constexpr int kNoLastArchitecture = std::numeric_limits<int>::max();

  /// The name in `#tile.tiling<atom>`: "m16n8k16", or "fma".
  llvm::StringRef name;
  /// Element types of lhs and rhs, and of the accumulator; "*" is any, "tf32"
  /// f32 with precision tf32.
  llvm::StringRef operandType, accType;
  FragmentKind fragment;
  /// The product of one instruction: m x k by k x n. One each for "fma"; n is
  /// the least of a warpgroup's.
  int64_t m, n, k;
  /// MxNxK of one step of a warp's sub-tile: one instruction, several, or a
  /// part of one.
  int64_t subM, subN, subK;
  /// The first architecture, as Architecture::number.
  int minArchitecture;
  /// How operands come from shared memory, where K is contiguous and where it
  /// is not.
  llvm::StringRef load, transposedLoad;
  /// What is emitted.
  llvm::StringRef emission;
  /// Where the PTX ISA defines it.
  llvm::StringRef section;
  /// The least that a product must ask for.
  Precision precision = Precision::ieee;
  /// The last architecture, as Architecture::number.
  int maxArchitecture = kNoLastArchitecture;

  bool isWarpgroup() const { return fragment == FragmentKind::kWarpgroup; }
  /// Warps that issue it together.
  int64_t getNumWarps() const { return isWarpgroup() ? 4 : 1; }
  bool isFma() const { return fragment == FragmentKind::kNone; }
};

/// The table, the preferred rows of a type first.
llvm::ArrayRef<MatrixInstruction> getMatrixInstructions();

/// Whether an architecture has the instruction.
bool isOn(const MatrixInstruction &row, const Architecture &architecture);

/// The first row that serves the product on the architecture: one of a
/// warpgroup where it can read the operands and may be chosen. FMA takes every
/// type.
const MatrixInstruction &chooseInstruction(ProductOpInterface op,
                                           const Architecture &architecture,
                                           bool mayBeWarpgroup = true);

/// The row of that name that serves the product; null if none does.
const MatrixInstruction *findInstruction(llvm::StringRef name,
                                         ProductOpInterface op,
                                         const Architecture &architecture);

/// Why no matrix instruction of the architecture serves the product, and what
/// would; empty if one does. For people: "no matrix instruction of sm_80 takes
/// f32 to its last bit; precision tf32 would use tensor cores".
std::string explainFma(ProductOpInterface op, const Architecture &architecture);

} // namespace tile

#endif // TILE_ANALYSIS_INSTRUCTIONTABLE_H
