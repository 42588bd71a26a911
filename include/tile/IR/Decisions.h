// Decisions.h - decisions of the phases and their reasons, for the report
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reason is known where a decision is made, and nowhere else: the phase
// records it with the decision, in the kernel. Nothing but the report reads it.

#ifndef TILE_IR_DECISIONS_H
#define TILE_IR_DECISIONS_H

#include "tile/IR/Tile.h"

namespace tile {

/// Attribute of a kernel: a list of dictionaries, in the order of the
/// decisions. Each has the strings `about`, `chosen` and `reason`, and what
/// makeRecord adds.
constexpr llvm::StringLiteral kDecisionsAttr = "tile.decisions";

/// Returns `fields` with their subject: `operation`, the name of `op`, if that
/// is not null, and `file` and `line`, if `loc` has them.
mlir::DictionaryAttr makeRecord(mlir::NamedAttrList fields, mlir::Operation *op,
                                mlir::Location loc);

/// Whether an attribute is a list of such dictionaries, each with these fields.
bool isListOfRecords(mlir::Attribute attr,
                     llvm::ArrayRef<llvm::StringRef> fields);

/// Adds a decision about an operation to its kernel's, or about the kernel;
/// `fields` are further ones.
void recordDecision(mlir::Operation *op, llvm::StringRef about,
                    const llvm::Twine &chosen, const llvm::Twine &reason,
                    mlir::NamedAttrList fields = {});

/// The decisions of a kernel; none before phase 2.
llvm::SmallVector<mlir::DictionaryAttr> getDecisions(KernelOp kernel);

} // namespace tile

#endif // TILE_IR_DECISIONS_H
