// BuildMetadata.h - launch facts of a kernel
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the description of a kernel's interface that all targets have in
// common. A target adds the parts that it decides itself: entry points, shared
// memory, and the launch grid if it differs from the program's.

#ifndef TILE_TARGET_BUILDMETADATA_H
#define TILE_TARGET_BUILDMETADATA_H

#include "tile/IR/Tile.h"
#include "tile/Runtime/KernelMetadata.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"

namespace tile {

/// Describes the name, block, grid and arguments of `kernel`, compiled for
/// `arch`.
///
/// - block: [n, 1, 1] with the kernel's `block`; [1, 1, 1] if it has none yet.
/// - grid: the `#tile.grid` as prefix expressions, in which missing extents are
///   1; nothing if the kernel states none.
/// - arguments: in order. A dynamic size or stride is "run time". The access of
///   an array follows from the memory effects of its uses, through views. An
///   array that is not used counts as read.
///
/// @pre every call in the kernel is inlined: a call would count as a read and a
/// write.
/// @post entries, hidden arguments and shared bytes are empty.
runtime::KernelMetadata describeKernel(KernelOp kernel, llvm::StringRef arch);

/// Returns the kind, element type, shape and strides of an argument of type
/// `type`, an array or a scalar, without name and access. Returns nothing if
/// the runtime does not support the element type.
/// @pre an array has a strided layout.
std::optional<runtime::Argument> describeType(mlir::Type type);

/// Returns the metadata of all kernels of `module`, which are at level
/// buffered. A kernel and its generic variant are one kernel with two entry
/// points. A generic variant that belongs to no kernel is an error.
mlir::FailureOr<runtime::ModuleMetadata> describeModule(mlir::ModuleOp module,
                                                        llvm::StringRef arch);

} // namespace tile

#endif // TILE_TARGET_BUILDMETADATA_H
