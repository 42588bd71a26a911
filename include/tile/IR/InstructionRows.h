// InstructionRows.h - the matrix instructions that exist
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row is an instruction with the architectures that have it, and with what
// docs/Instructions.md prints. Each family of lib/IR/Instructions has its rows.

#ifndef TILE_IR_INSTRUCTIONROWS_H
#define TILE_IR_INSTRUCTIONROWS_H

#include "tile/IR/Tile.h"

#include <limits>

namespace tile {

/// A matrix instruction on a range of architectures.
struct InstructionRow {
  static constexpr int kNoLastArchitecture = std::numeric_limits<int>::max();

  /// Extents of the instruction. An n that the tiling chooses is
  /// ShapedType::kDynamic.
  int64_t m, n, k;
  /// Element types of lhs and rhs, and of the accumulator; null for any.
  mlir::Type (*operand)(mlir::MLIRContext *);
  mlir::Type (*accumulator)(mlir::MLIRContext *);
  /// The first architecture, as Architecture::number.
  int minArchitecture;
  /// How operands are loaded from shared memory if K is contiguous, and if it
  /// is not.
  llvm::StringRef load, transposedLoad;
  /// The operation that is emitted.
  llvm::StringRef emission;
  /// Section of the PTX ISA that defines it.
  llvm::StringRef section;
  /// The last architecture, as Architecture::number.
  int maxArchitecture = kNoLastArchitecture;

  std::array<int64_t, 3> getShape() const { return {m, n, k}; }
};

/// A family of instructions: its attribute, and its rows by preference.
struct InstructionFamily {
  MatrixInstructionAttrInterface (*getAttr)(const InstructionRow &row,
                                            mlir::MLIRContext *context);
  llvm::ArrayRef<InstructionRow> rows;
};

/// Returns the families. The preferred instructions of a type come first; the
/// last family, fma, supports every type.
llvm::ArrayRef<InstructionFamily> getInstructionFamilies();

/// Return the families.
InstructionFamily getFmaFamily();
InstructionFamily getMmaFamily();
InstructionFamily getWgmmaFamily();

/// Returns the instruction of a row, of a family whose attribute has the shape
/// and the element types.
template <typename Attr>
MatrixInstructionAttrInterface makeInstruction(const InstructionRow &row,
                                               mlir::MLIRContext *context) {
  return Attr::get(context, row.getShape(), row.operand(context),
                   row.accumulator(context));
}

/// Functions that return element types, for InstructionRow.
namespace elements {
template <typename T>
mlir::Type get(mlir::MLIRContext *context) {
  return T::get(context);
}
template <unsigned bits>
mlir::Type getInteger(mlir::MLIRContext *context) {
  return mlir::IntegerType::get(context, bits);
}
inline constexpr auto kF16 = get<mlir::Float16Type>;
inline constexpr auto kBF16 = get<mlir::BFloat16Type>;
inline constexpr auto kF32 = get<mlir::Float32Type>;
inline constexpr auto kTF32 = get<mlir::FloatTF32Type>;
inline constexpr auto kF64 = get<mlir::Float64Type>;
inline constexpr auto kE4M3 = get<mlir::Float8E4M3FNType>;
inline constexpr auto kE5M2 = get<mlir::Float8E5M2Type>;
inline constexpr auto kI8 = getInteger<8>;
inline constexpr auto kI32 = getInteger<32>;
} // namespace elements

/// Whether an instruction has the element types of a matmul, and requires no
/// other precision.
bool canCompute(MatrixInstructionAttrInterface instruction,
                MatmulOpInterface op);

/// Emits an error at a matmul that has no instruction, with its types; the
/// caller adds the instruction that was found.
mlir::InFlightDiagnostic refuseInstruction(MatmulOpInterface op);

/// Emits an error if no row has the shape and the element types.
llvm::LogicalResult
verifyInstruction(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
                  llvm::ArrayRef<InstructionRow> rows,
                  llvm::ArrayRef<int64_t> shape, mlir::Type operand,
                  mlir::Type accumulator);

} // namespace tile

#endif // TILE_IR_INSTRUCTIONROWS_H
