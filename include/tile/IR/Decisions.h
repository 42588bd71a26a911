// Decisions.h - what the phases decided, and why, for the report
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reason is known where a decision is made, and nowhere else: the phase
// writes it down beside the decision, in the kernel. Nothing but the report
// reads it.

#ifndef TILE_IR_DECISIONS_H
#define TILE_IR_DECISIONS_H

#include "tile/IR/Tile.h"

namespace tile {

/// On a kernel: a list of dictionaries, in the order of the decisions. Each has
/// the strings `about`, `chosen` and `reason`, and what makeRecord adds.
constexpr llvm::StringLiteral kDecisionsAttr = "tile.decisions";

/// The fields, and what they are about: `operation`, its name, and `file` and
/// `line`, as far as there are an operation (which may be null) and a place.
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
