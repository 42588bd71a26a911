// Machine.h - rates of a GPU
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one table of rates: the roofline of the report and the estimates of times
// (LaunchTime.h) use it. Limits of an architecture, such as the bytes of shared
// memory, are in Architecture.h.

#ifndef TILE_ANALYSIS_MACHINE_H
#define TILE_ANALYSIS_MACHINE_H

#include "tile/Analysis/Architecture.h"

namespace tile {

/// Peak rates that NVIDIA states for one part of an architecture, without
/// sparsity. Parts of one architecture differ, mostly in memory.
struct PeakRates {
  /// Bandwidth of global memory, in 10^9 bytes per second.
  double gigabytes;
  /// Rates of tensor cores in 10^12 operations per second, where a multiply-add
  /// is two operations; zero for a type that the part's tensor cores lack.
  double mmaF64, mmaTF32, mmaF16, mmaF8, mmaI8;
  /// Rates of threads by FMA, in the same unit.
  double fmaF64, fmaF32, fmaF16;
};

/// Costs of kernels that the peak rates do not include, fitted to times that
/// were measured on one GPU. Cycles are those of a multiprocessor, and rates
/// are those of a multiprocessor for a cycle.
struct KernelCosts {
  /// Bandwidth of the memory of that GPU, in 10^9 bytes per second.
  double memoryGigabytes;
  /// The time from one launch to the next, if launches are queued.
  double launchCycles;
  /// The time of a multiprocessor to start a block, and each of its warps.
  double blockCycles, warpCycles;
  /// The time of the wait for copies, the barrier and the fences in an
  /// iteration of a loop whose copies run ahead.
  double stepCycles;
  /// Bytes that a multiprocessor copies from L2 to shared memory, loads to
  /// registers, stores to global memory, and moves for registers that do not
  /// fit.
  double copiedBytes, loadedBytes, storedBytes, spilledBytes;
  /// Bytes that all multiprocessors together copy from L2.
  double sharedCopiedBytes;
  /// Instructions that all warps issue, as InstructionEstimate.h counts them,
  /// and cycles from one instruction of a warp to the next.
  double issuedSlots, slotCycles;
  /// Cycles that a warp waits for a load from global memory, for an exchange
  /// between its lanes, and for one between the warps of the block.
  double loadCycles, shuffleCycles, barrierCycles;
  /// The time of a matmul by instructions of a warp, as a multiple of the time
  /// at the peak rate of the tensor cores.
  double warpMmaFactor;
};

/// A GPU, as one row for each architecture.
struct Machine {
  /// The architecture, as Architecture::number.
  int number;
  /// The part that the rates belong to, and their source.
  llvm::StringRef part, source;
  PeakRates peak;
  /// The clock for which the peak rates are stated, in 10^9 cycles per second.
  double gigahertz;
  KernelCosts costs;

  /// Returns the multiprocessors of the part, which is the largest of its
  /// architecture (Architecture::processors).
  int64_t getProcessors() const;

  /// Returns 10^12 operations per second of a unit (getUnit); zero if no rate
  /// is stated.
  double getTeraflops(llvm::StringRef unit) const;
  /// Returns the operations of a unit that a multiprocessor starts in a cycle.
  double getOperationsPerCycle(llvm::StringRef unit) const;
  /// Returns the cycles of the tensor cores of a multiprocessor for the
  /// multiply-adds of a matmul, by instructions of a warp or of a warpgroup.
  /// Tensor cores that lack the type have the rate of threads by FMA or, if
  /// these lack it too, as f8, that of f16.
  double getMmaCycles(llvm::StringRef unit, double multiplyAdds,
                      bool byWarp) const;
};

/// Returns the machine of an architecture; null if none is recorded.
const Machine *findMachine(const Architecture &architecture);

/// Returns the machine whose rates and costs estimates of an architecture use:
/// its own, or the one of the most similar architecture.
const Machine &getMachineOfEstimates(const Architecture &architecture);

/// Returns the unit that computes with elements of a type: "mma f16", "fma
/// f32". For tensor cores `operandType` is that of the instruction table, such
/// as "tf32".
std::string getUnit(bool isMma, llvm::StringRef operandType);

} // namespace tile

#endif // TILE_ANALYSIS_MACHINE_H
