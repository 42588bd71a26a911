// CombinerRules.h - derivatives of reductions and scans by a region
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_RULES_COMBINERRULES_H
#define TILE_LIB_GRADIENT_RULES_COMBINERRULES_H

#include "Rules.h"

namespace tile {

/// Creates a tuple of scalars from two others.
using CombineTuples = llvm::function_ref<llvm::SmallVector<mlir::Value>(
    ValueBuilder &b, mlir::ValueRange first, mlir::ValueRange second)>;

/// How a scan goes along its sources.
struct ScanDirection {
  mlir::IntegerAttr axis;
  bool isExclusive, isReverse;
};

/// Creates a scan of tuples, one element of each source; returns its results.
llvm::SmallVector<mlir::Value>
scanTuples(ValueBuilder &b, mlir::ValueRange sources,
           llvm::ArrayRef<mlir::Attribute> identities, ScanDirection direction,
           CombineTuples combine);

/// Returns a real value as the identity of a source with elements of `type`,
/// which is a floating-point or complex type.
mlir::Attribute getRealIdentity(ValueBuilder &b, mlir::Type type, double value);

/// Creates the tangents of an operation with a region: the operation on tuples
/// of values and tangents, with the linearized region.
template <typename Op>
Derivatives buildTangentsByRegion(Op op, TangentBuilder &b,
                                  llvm::ArrayRef<mlir::Value> tangents);

/// Transposes a reduction or a scan that is linear in some sources.
/// `cotangents` have the shape of the sources: those of a reduction are those
/// of its results, repeated.
template <typename Op>
Derivatives transposeByRegion(Op op, TransposeBuilder &b,
                              llvm::ArrayRef<mlir::Value> cotangents);

} // namespace tile

#endif // TILE_LIB_GRADIENT_RULES_COMBINERRULES_H
