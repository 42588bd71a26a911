// PeakRates.h - what a GPU does at most, for the roofline
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_ANALYSIS_PEAKRATES_H
#define TILE_ANALYSIS_PEAKRATES_H

#include "tile/Analysis/Architecture.h"

namespace tile {

/// What NVIDIA says of one part of an architecture, without sparsity. Parts of
/// one architecture differ, in memory most of all.
struct PeakRates {
  /// The architecture's number.
  int number;
  /// The part that the numbers are of, and where they are from.
  llvm::StringRef part, source;
  /// 10^9 bytes a second of global memory.
  double gigabytes;
  /// 10^12 operations a second of tensor cores, an addition and a
  /// multiplication being two; zero for what a part's have not.
  double mmaF64, mmaTF32, mmaF16, mmaF8, mmaI8;
  /// The same of threads by FMA.
  double fmaF64, fmaF32, fmaF16;

  /// 10^12 operations a second of a unit (getUnit); zero where none is said.
  double getTeraflops(llvm::StringRef unit) const;
};

/// Those of an architecture; null where none are recorded.
const PeakRates *findPeakRates(const Architecture &architecture);

/// What computes with elements of a type: "mma f16", "fma f32". For tensor
/// cores `operandType` is that of the instruction table, such as "tf32".
std::string getUnit(bool isMma, llvm::StringRef operandType);

} // namespace tile

#endif // TILE_ANALYSIS_PEAKRATES_H
