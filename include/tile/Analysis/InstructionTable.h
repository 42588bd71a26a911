// InstructionTable.h - which instruction multiplies which tiles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One table defines the choice of instructions. For an architecture and element
// types it has the instruction, how its operands are loaded, the section of the
// PTX ISA that defines it, and how it is emitted. docs/Instructions.md shows
// the table.

#ifndef TILE_ANALYSIS_INSTRUCTIONTABLE_H
#define TILE_ANALYSIS_INSTRUCTIONTABLE_H

#include "tile/Analysis/Architecture.h"
#include "tile/IR/Tile.h"

#include <limits>

namespace tile {

/// How the lanes of a warp share a sub-tile of a matmul (Fragments.h).
enum class FragmentKind {
  kNone,   ///< no matrix instruction
  kHalf,   ///< 16-bit operands: the fragments of m16n8k16
  kByte,   ///< 8-bit operands: those of two m16n8k32, columns in pairs
  kTF32,   ///< tf32 operands: those of two m16n8k8, columns in pairs
  kDouble, ///< f64 operands: those of m16n8k8
  /// operands that a warpgroup reads directly from shared memory, accumulators
  /// as in kHalf (WarpgroupMatmul.h)
  kWarpgroup
};

/// A row of the table: a matrix instruction that one or four warps issue, or
/// FMA in each thread.
struct MatrixInstruction {
  static constexpr int kNoLastArchitecture = std::numeric_limits<int>::max();

  /// The instruction's name in `#tile.tiling<atom>`: "m16n8k16", or "fma".
  llvm::StringRef name;
  /// Element types of lhs and rhs, and of the accumulator. "*" is any type,
  /// "tf32" is f32 with precision tf32.
  llvm::StringRef operandType, accType;
  FragmentKind fragment;
  /// Shape of the matmul of one instruction: m x k by k x n. All are one for
  /// "fma". For a warpgroup n is the minimum; multiples of it are possible.
  int64_t m, n, k;
  /// MxNxK of one step of a warp's sub-tile: one instruction, several, or a
  /// part of one.
  int64_t subM, subN, subK;
  /// The first architecture, as Architecture::number.
  int minArchitecture;
  /// How operands are loaded from shared memory if K is contiguous, and if it
  /// is not.
  llvm::StringRef load, transposedLoad;
  /// The operation that is emitted.
  llvm::StringRef emission;
  /// Section of the PTX ISA that defines it.
  llvm::StringRef section;
  /// The precision that a matmul must request for this row; ieee for any
  /// precision.
  Precision precision = Precision::ieee;
  /// The last architecture, as Architecture::number.
  int maxArchitecture = kNoLastArchitecture;

  bool isWarpgroup() const { return fragment == FragmentKind::kWarpgroup; }
  /// Returns the number of warps that issue the instruction together.
  int64_t getNumWarps() const { return isWarpgroup() ? 4 : 1; }
  bool isFma() const { return fragment == FragmentKind::kNone; }
};

/// Returns the table. The preferred rows of a type come first.
llvm::ArrayRef<MatrixInstruction> getMatrixInstructions();

/// Whether an architecture has the instruction.
bool isOn(const MatrixInstruction &row, const Architecture &architecture);

/// Returns the first row that supports the matmul on the architecture. A
/// warpgroup's row is chosen only if it can read the operands and
/// `mayBeWarpgroup` is true. FMA supports every type.
const MatrixInstruction &chooseInstruction(MatmulOpInterface op,
                                           const Architecture &architecture,
                                           bool mayBeWarpgroup = true);

/// Returns the row with the name `name` if it supports the matmul, else null.
const MatrixInstruction *findInstruction(llvm::StringRef name,
                                         MatmulOpInterface op,
                                         const Architecture &architecture);

/// Explains why no matrix instruction of the architecture supports the matmul,
/// and what would make one available; empty if one supports it. The text is for
/// users: "no matrix instruction of sm_80 takes f32 to its last bit; precision
/// tf32 would use tensor cores".
std::string explainFma(MatmulOpInterface op, const Architecture &architecture);

} // namespace tile

#endif // TILE_ANALYSIS_INSTRUCTIONTABLE_H
