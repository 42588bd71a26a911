// InstructionTable.h - which instruction multiplies which tiles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One table defines the choice of instructions (InstructionRows.h): the first
// row that an architecture has and that can compute a matmul is chosen.
// docs/Instructions.md shows the table.

#ifndef TILE_ANALYSIS_INSTRUCTIONTABLE_H
#define TILE_ANALYSIS_INSTRUCTIONTABLE_H

#include "tile/Analysis/Architecture.h"
#include "tile/IR/InstructionRows.h"

namespace tile {

/// A row of the table, and its instruction.
struct TableEntry {
  MatrixInstructionAttrInterface instruction;
  const InstructionRow *row;
};

/// Returns the table. The preferred rows of a type come first.
llvm::SmallVector<TableEntry> getMatrixInstructions(mlir::MLIRContext *context);

/// Whether an architecture has the instruction of a row.
bool isOn(const TableEntry &entry, const Architecture &architecture);

/// Whether an architecture has the instruction, by any row.
bool isOn(MatrixInstructionAttrInterface instruction,
          const Architecture &architecture);

/// Returns the first instruction that supports the matmul on the architecture.
/// One that reads operands by descriptors is chosen only if it can
/// (InstructionEligibility.h), and `mayReadDescriptors` is true. FMA supports
/// every type.
MatrixInstructionAttrInterface
chooseInstruction(MatmulOpInterface op, const Architecture &architecture,
                  bool mayReadDescriptors = true);

/// Returns the instruction that `atom` of a tiling is or names if it supports
/// the matmul on the architecture, else null.
MatrixInstructionAttrInterface
findInstruction(mlir::Attribute atom, MatmulOpInterface op,
                const Architecture &architecture);

/// Returns the instruction of the matmul's tiling, or, if it has none, the one
/// of chooseInstruction. Null if the architecture does not support the former.
MatrixInstructionAttrInterface pickInstruction(MatmulOpInterface op,
                                               const Architecture &architecture,
                                               bool mayReadDescriptors = true);

/// Returns the instruction of the matmul's tiling on any architecture; null if
/// there is none.
MatrixInstructionAttrInterface getInstruction(MatmulOpInterface op);

/// Returns the name of an instruction, or the name that `atom` of a tiling is.
std::string getInstructionName(mlir::Attribute atom);

/// Explains why no matrix instruction of the architecture supports the matmul,
/// and what would make one available; empty if one supports it. The text is for
/// users: "no matrix instruction of sm_80 takes f32 to its last bit; precision
/// tf32 would use tensor cores".
std::string explainFma(MatmulOpInterface op, const Architecture &architecture);

} // namespace tile

#endif // TILE_ANALYSIS_INSTRUCTIONTABLE_H
