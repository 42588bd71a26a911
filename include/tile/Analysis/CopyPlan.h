// CopyPlan.h - how a box of an array is copied to shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of the array's alignment decides between three methods. Where
// it says nothing, a thread copies words: 4 bytes of a row of the box, the
// least that cp.async copies. Every n-th row, n being the elements of a word,
// has the same alignment modulo a word, whatever the stride is. So a plan of
// words goes over the rows in n classes, and each class is tested at run time,
// once for the whole block:
//
//   f16, rows of 63:   0 2 4 6 ...   begin at multiples of a word: cp.async
//                      1 3 5 7 ...   do not: two loads and one store a word

#ifndef TILE_ANALYSIS_COPYPLAN_H
#define TILE_ANALYSIS_COPYPLAN_H

#include "tile/Analysis/SharedAccess.h"

namespace tile {

/// Bytes of a word: the least that cp.async copies (PTX ISA, "cp.async").
constexpr int64_t kCopyWordBytes = 4;

enum class CopyMethod {
  kVectors, ///< cp.async of vectors that are known to be aligned
  kWords,   ///< words, by cp.async in those classes of rows that are aligned
  kElements ///< one element after the other, through registers
};

struct CopyPlan : AccessPlan {
  CopyMethod method;
  /// Of kWords: the classes of rows. More than one are the last value mode of
  /// the layout.
  int64_t numClasses = 1;
};

/// The plan for a box of `array`, whose fastest dimension in the buffer is
/// `fastest`. An access of the array may take `arrayVector` elements
/// (Alignment.h), one of the buffer `bufferVector` (getMaxVector).
CopyPlan planCopy(mlir::MemRefType array, llvm::ArrayRef<int64_t> box,
                  int64_t fastest, int64_t arrayVector, int64_t bufferVector,
                  int64_t numWarps);

} // namespace tile

#endif // TILE_ANALYSIS_COPYPLAN_H
