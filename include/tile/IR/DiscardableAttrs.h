// DiscardableAttrs.h - attributes of the dialect on operations of any dialect
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The author of a program, or a phase, attaches these attributes to operations
// whose definitions do not declare them. The dialect's description lists the
// operations that carry each attribute, and its meaning; DiscardableAttrs.cpp
// verifies them.

#ifndef TILE_IR_DISCARDABLEATTRS_H
#define TILE_IR_DISCARDABLEATTRS_H

#include "llvm/ADT/StringRef.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace tile {

// Attributes of a module.
constexpr llvm::StringLiteral kTargetAttr = "tile.target";
constexpr llvm::StringLiteral kSitesAttr = "tile.sites";

// Attributes of a kernel.
constexpr llvm::StringLiteral kBlocksPerProcessorAttr =
    "tile.blocks_per_processor";
constexpr llvm::StringLiteral kCustomAdjointAttr = "tile.custom_adjoint";
constexpr llvm::StringLiteral kCustomTangentAttr = "tile.custom_tangent";
constexpr llvm::StringLiteral kExactAccessesAttr = "tile.exact_accesses";
constexpr llvm::StringLiteral kGeneralOfAttr = "tile.general_of";
constexpr llvm::StringLiteral kLevelAttr = "tile.level";
constexpr llvm::StringLiteral kSharedBytesAttr = "tile.shared_bytes";
constexpr llvm::StringLiteral kStorageAttr = "tile.storage";

/// Whether the author of a kernel, or of a function, states a derivative of it,
/// in any mode.
bool hasCustomDerivative(mlir::Operation *op);

// Attributes of a kernel's argument.
constexpr llvm::StringLiteral kAlignmentAttr = "tile.alignment";
constexpr llvm::StringLiteral kStrideAlignmentAttr = "tile.stride_alignment";
constexpr llvm::StringLiteral kAssumedAlignmentAttr = "tile.assumed_alignment";
constexpr llvm::StringLiteral kAssumedStrideAlignmentAttr =
    "tile.assumed_stride_alignment";
constexpr llvm::StringLiteral kArgumentNameAttr = "tile.name";
constexpr llvm::StringLiteral kWorkspaceAttr = "tile.workspace";

// An attribute of a function's result: the argument whose array the result
// uses.
constexpr llvm::StringLiteral kResultArrayAttr = "tile.result_array";

// An attribute of an operation in a group: the group's loop for each of the
// operation's loops.
constexpr llvm::StringLiteral kGroupLoopsAttr = "tile.loops";

// Attributes of an operation in a kernel.
constexpr llvm::StringLiteral kAccessAttr = "tile.access";
constexpr llvm::StringLiteral kLhsAccessAttr = "tile.lhs_access";
constexpr llvm::StringLiteral kRhsAccessAttr = "tile.rhs_access";
constexpr llvm::StringLiteral kCopyAttr = "tile.copy";
constexpr llvm::StringLiteral kInFlightAttr = "tile.in_flight";
constexpr llvm::StringLiteral kMaxTripsAttr = "tile.max_trips";
constexpr llvm::StringLiteral kNumStagesAttr = "tile.num_stages";
constexpr llvm::StringLiteral kNumThreadsAttr = "tile.threads";
constexpr llvm::StringLiteral kRereadAttr = "tile.reread";
constexpr llvm::StringLiteral kSharedOffsetAttr = "tile.shared_offset";

} // namespace tile

#endif // TILE_IR_DISCARDABLEATTRS_H
