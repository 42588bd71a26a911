// Derivatives.h - compares kernels of derivatives with dual numbers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For a kernel y = f(x), a random direction v and random weights w:
//
// - the tangent kernel computes J v: its result, evaluated without rounding,
//   equals the derivative that f has on dual numbers;
// - the adjoint kernel computes J^T w: <J v, w> = <v, J^T w>, where J v is that
//   of the dual numbers.
//
// Both kernels are then programs like any other, whose values all machines must
// compute (Trial.h). Programs that -tile-gradient refuses are counted by the
// reason.

#ifndef TILE_TOOLS_TILEFUZZ_DERIVATIVES_H
#define TILE_TOOLS_TILEFUZZ_DERIVATIVES_H

#include "Trial.h"

#include <array>
#include <map>

namespace tile::fuzz {

/// Whether a kernel of derivatives was built, as plain data.
enum class DerivativeOutcome : uint8_t {
  none,    ///< the program has failed before
  refused, ///< with an error
  built,
  atomic,  ///< built, with gradients that atomic operations add
  function ///< a function of the host that launches kernels
};

/// The outcomes of one program, as plain data.
struct DerivativeResult {
  DerivativeOutcome tangent = DerivativeOutcome::none,
                    adjoint = DerivativeOutcome::none;
  /// Elements of tangents that were compared, those of them that are not zero,
  /// and elements that were not compared because they are not finite.
  int64_t numCompared = 0, numNonzero = 0, numNotFinite = 0;
  /// Whether <J v, w> and <v, J^T w> were compared.
  bool hasInnerProduct = false;
  /// The errors of kernels that were refused, without names and digits.
  std::array<char, 160> whyNoTangent = {}, whyNoAdjoint = {};
};

/// The outcomes of many programs.
class DerivativeSummary {
public:
  void add(const DerivativeResult &result);

  /// Writes a line of counts, and a line for each reason of refusals with its
  /// share of the programs.
  void print(llvm::raw_ostream &os) const;

private:
  uint64_t numRun = 0, numTangents = 0, numAdjoints = 0, numAtomic = 0,
           numFunctions = 0, numInnerProducts = 0;
  int64_t numCompared = 0, numNonzero = 0, numNotFinite = 0;
  std::map<std::string, uint64_t> whyNoTangent, whyNoAdjoint;
};

/// Derives the kernel `f` of a program, and checks its derivatives.
class DerivativeTrial {
public:
  DerivativeTrial(mlir::MLIRContext &context, llvm::StringRef text,
                  uint64_t seed, const TrialOptions &options)
      : context(context), text(text), seed(seed), options(options) {}

  /// Returns an empty string if the derivatives are right or refused, else the
  /// reason.
  std::string run(DerivativeResult &result, Comparison &counts);

private:
  std::string runTangent(KernelOp kernel, DerivativeResult &result,
                         Comparison &counts);
  std::string runAdjoint(KernelOp kernel, DerivativeResult &result,
                         Comparison &counts);

  mlir::MLIRContext &context;
  llvm::StringRef text;
  uint64_t seed;
  const TrialOptions &options;
};

} // namespace tile::fuzz

#endif // TILE_TOOLS_TILEFUZZ_DERIVATIVES_H
