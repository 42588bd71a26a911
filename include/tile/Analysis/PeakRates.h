// PeakRates.h - peak rates of a GPU, for the roofline
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_ANALYSIS_PEAKRATES_H
#define TILE_ANALYSIS_PEAKRATES_H

#include "tile/Analysis/Architecture.h"

namespace tile {

/// Peak rates that NVIDIA states for one part of an architecture, without
/// sparsity. Parts of one architecture differ, mostly in memory.
struct PeakRates {
  /// The architecture, as Architecture::number.
  int number;
  /// The part that the rates belong to, and their source.
  llvm::StringRef part, source;
  /// Bandwidth of global memory, in 10^9 bytes per second.
  double gigabytes;
  /// Rates of tensor cores in 10^12 operations per second, where a multiply-add
  /// is two operations; zero for a type that the part's tensor cores lack.
  double mmaF64, mmaTF32, mmaF16, mmaF8, mmaI8;
  /// Rates of threads by FMA, in the same unit.
  double fmaF64, fmaF32, fmaF16;

  /// Returns 10^12 operations per second of a unit (getUnit); zero if no rate
  /// is stated.
  double getTeraflops(llvm::StringRef unit) const;
};

/// Returns the rates of an architecture; null if none are recorded.
const PeakRates *findPeakRates(const Architecture &architecture);

/// Returns the unit that computes with elements of a type: "mma f16", "fma
/// f32". For tensor cores `operandType` is that of the instruction table, such
/// as "tf32".
std::string getUnit(bool isMma, llvm::StringRef operandType);

} // namespace tile

#endif // TILE_ANALYSIS_PEAKRATES_H
