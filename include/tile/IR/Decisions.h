// Decisions.h - decisions of the phases and their reasons, for the report
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only the phase that makes a decision knows its reason, so it records the
// reason with the decision, in the kernel. Only the report reads these records.

#ifndef TILE_IR_DECISIONS_H
#define TILE_IR_DECISIONS_H

#include "tile/IR/Tile.h"

namespace tile {

/// Attribute of a kernel: a list of dictionaries in the order of the decisions.
/// Each has the strings `about`, `chosen` and `reason`, and the fields that
/// makeRecord adds.
constexpr llvm::StringLiteral kDecisionsAttr = "tile.decisions";

/// Returns `fields` with the origin of a record: `operation`, the name of `op`,
/// unless `op` is null; `file` and `line`, if `loc` has them.
mlir::DictionaryAttr makeRecord(mlir::NamedAttrList fields, mlir::Operation *op,
                                mlir::Location loc);

/// Whether an attribute is a list of records of decisions: a value of
/// kDecisionsAttr.
bool isListOfDecisions(mlir::Attribute attr);

/// Whether an attribute is a list of records of the storage of tiles, each with
/// a `type`, and the strings `storage` and `reason`: a value of kStorageAttr.
bool isListOfStorages(mlir::Attribute attr);

/// Records a decision about `op`, an operation in a kernel or the kernel
/// itself, in the kernel. `fields` are additional fields of the record.
void recordDecision(mlir::Operation *op, llvm::StringRef about,
                    const llvm::Twine &chosen, const llvm::Twine &reason,
                    mlir::NamedAttrList fields = {});

/// kOfSourceField is a unit field of a record. It marks a decision that belongs
/// to the source of the kernel, as those about a derivative do.
constexpr llvm::StringLiteral kOfSourceField = "of_source";

/// Removes the records of decisions that phases have made.
void eraseDecisionsOfPhases(KernelOp kernel);

/// Returns the decisions that are recorded in a kernel: those of its source,
/// then those of the phases, of which phase 2 records the first.
llvm::SmallVector<mlir::DictionaryAttr> getDecisions(KernelOp kernel);

} // namespace tile

#endif // TILE_IR_DECISIONS_H
