// RecordPlan.h - decisions about gradients, for the report
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_RECORDPLAN_H
#define TILE_LIB_GRADIENT_RECORDPLAN_H

#include "KernelPlan.h"

namespace tile {

/// Records in a kernel that still updates the arrays of its plan how it
/// computes each gradient, the reason, and the bytes that this takes besides
/// the array.
void recordPlan(KernelOp kernel, const KernelPlan &plan);

/// Records in a kernel that it adds to these arrays of gradients by atomic
/// operations, which the request allows.
void recordAtomics(KernelOp kernel, llvm::ArrayRef<unsigned> gradients);

/// Records which values of loops a kernel stores to or loads from its arguments
/// `first` to `end`, not included, and their bytes.
void recordKeptValues(KernelOp kernel, unsigned first, unsigned end);

} // namespace tile

#endif // TILE_LIB_GRADIENT_RECORDPLAN_H
