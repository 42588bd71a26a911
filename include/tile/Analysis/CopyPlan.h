// CopyPlan.h - how a box of an array is copied to shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of the array's alignment decides between two methods. Where
// too little is known for the first, a load is copied covering (RowCover.h) if
// it can be.

#ifndef TILE_ANALYSIS_COPYPLAN_H
#define TILE_ANALYSIS_COPYPLAN_H

#include "tile/Analysis/SharedAccess.h"

namespace tile {

/// The fewest bytes that cp.async copies (PTX ISA, "cp.async": cp-size).
constexpr int64_t kMinAsyncBytes = 4;

/// Whether cp.async copies elements of a type: numbers of whole bytes.
bool hasBytes(mlir::Type element);

enum class CopyMethod {
  kVectors, ///< cp.async of vectors that are known to be aligned
  kElements ///< one element after the other, through registers
};

struct CopyPlan : AccessPlan {
  CopyMethod method;
};

/// The plan for a box of `array`, whose contiguous dimension in the buffer is
/// `contiguous`. An access of the array may take `arrayVector` elements
/// (Alignment.h), one of the buffer `bufferVector` (getMaxVector). A covering
/// copy takes aligned chunks of 16 bytes, whatever the array's alignment is.
CopyPlan planCopy(mlir::MemRefType array, llvm::ArrayRef<int64_t> box,
                  int64_t contiguous, int64_t arrayVector, int64_t bufferVector,
                  int64_t numWarps, bool isCovering);

} // namespace tile

#endif // TILE_ANALYSIS_COPYPLAN_H
