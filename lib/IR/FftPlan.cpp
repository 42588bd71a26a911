// FftPlan.cpp - by which passes a row is transformed, and by how many threads
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FftPlan.h"
#include "FourierConstants.h"

#include "tile/Layout/RegisterLayoutBuilder.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace tile;

/// More threads have fewer registers than the passes of a row of 16384 elements
/// need.
static constexpr int64_t kMaxThreads = 512;

int64_t tile::getMaxFftLength(Type part) { return part.isF64() ? 8192 : 16384; }

//===----------------------------------------------------------------------===//
// Radices
//===----------------------------------------------------------------------===//

static constexpr int64_t kMaxRadix = 31;

bool tile::isRadix(int64_t number) {
  return (2 <= number && number <= 16) ||
         llvm::is_contained({17, 19, 23, 29, 31}, number);
}

/// So many factors of a length, none above `most`, the greatest as small as can
/// be; none where there are no such.
static std::optional<SmallVector<int64_t>>
factorize(int64_t length, int64_t count, int64_t most, bool isCoprime) {
  if (count == 0)
    return length == 1 ? std::optional(SmallVector<int64_t>()) : std::nullopt;
  for (int64_t greatest = 2; greatest <= most; ++greatest) {
    if (length % greatest != 0 || !isRadix(greatest) ||
        (isCoprime && std::gcd(greatest, length / greatest) != 1))
      continue;
    std::optional<SmallVector<int64_t>> rest =
        factorize(length / greatest, count - 1, greatest, isCoprime);
    if (!rest)
      continue;
    rest->insert(rest->begin(), greatest);
    return rest;
  }
  return std::nullopt;
}

std::optional<SmallVector<int64_t>> tile::chooseRadices(int64_t length) {
  for (int64_t count = 0; int64_t(1) << count <= length; ++count)
    if (auto radices = factorize(length, count, kMaxRadix, /*isCoprime=*/false))
      return radices;
  return std::nullopt;
}

/// Coprime ones where they are as few: the passes of a convolution may be in
/// any order.
static SmallVector<int64_t> chooseUnorderedRadices(int64_t length) {
  SmallVector<int64_t> radices = *chooseRadices(length);
  auto count = static_cast<int64_t>(radices.size());
  return factorize(length, count, kMaxRadix, /*isCoprime=*/true)
      .value_or(radices);
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

/// Of a row of complex numbers: an even number of real ones is half as many.
static int64_t getComplexLength(const FourierTransform &transform) {
  bool isHalved = transform.isOfRealRows && transform.length % 2 == 0;
  return isHalved ? transform.length / 2 : transform.length;
}

bool tile::isPrime(int64_t number) {
  for (int64_t factor = 2; factor * factor <= number; ++factor)
    if (number % factor == 0)
      return false;
  return number > 1;
}

/// A power of two, so that no lane is idle.
static int64_t getChirpLength(int64_t length) {
  return llvm::PowerOf2Ceil(2 * length - 1);
}

static int64_t chooseThreads(int64_t length, ArrayRef<int64_t> radices) {
  int64_t most = radices.empty() ? 1 : *llvm::max_element(radices);
  return std::min<int64_t>(kMaxThreads, llvm::PowerOf2Ceil(length / most));
}

/// The plan for rows of complex numbers.
static FftPlan choosePlan(int64_t length) {
  FftPlan plan;
  plan.length = length;
  if (auto radices = chooseRadices(length)) {
    plan.radices = *radices;
  } else if (isPrime(length) && chooseRadices(length - 1)) {
    plan.algorithm = FftAlgorithm::prime;
    plan.length = length - 1;
    plan.radices = chooseUnorderedRadices(plan.length);
    plan.hasTwiddles = !areCoprime(plan.radices);
  } else {
    plan.algorithm = FftAlgorithm::chirp;
    plan.length = getChirpLength(length);
    plan.radices = *chooseRadices(plan.length);
  }
  plan.threads = chooseThreads(plan.length, plan.radices);
  return plan;
}

FftPlan tile::choosePlan(const FourierTransform &transform, FftPlanAttr given) {
  FftPlan plan = ::choosePlan(getComplexLength(transform));
  if (!given)
    return plan;
  plan.radices = SmallVector<int64_t>(given.getRadices().asArrayRef());
  int64_t length = getComplexLength(transform);
  plan.length = llvm::product_of(plan.radices);
  bool isConvolution = plan.length != length;
  plan.algorithm = isConvolution ? FftAlgorithm::prime : FftAlgorithm::passes;
  plan.hasTwiddles = !isConvolution || !areCoprime(plan.radices);
  plan.threads = given.getThreads() != 0
                     ? given.getThreads()
                     : chooseThreads(plan.length, plan.radices);
  return plan;
}

std::optional<std::pair<FourierTransform, FftPlan>>
tile::getFourierPlan(Operation *op) {
  return llvm::TypeSwitch<Operation *,
                          std::optional<std::pair<FourierTransform, FftPlan>>>(
             op)
      .Case<FftOp, IfftOp>([](auto op) {
        return std::pair(op.getTransform(),
                         choosePlan(op.getTransform(), op.getPlanAttr()));
      })
      .Case<RfftOp, IrfftOp>([](auto op) {
        return std::pair(op.getTransform(), choosePlan(op.getTransform(), {}));
      })
      .Default(std::nullopt);
}

//===----------------------------------------------------------------------===//
// Layouts of passes
//===----------------------------------------------------------------------===//

namespace {
/// Dimensions of a pass's tile.
enum PassDimension { kBatch, kRadix, kColumns };
} // namespace

/// Adjacent columns in adjacent lanes.
RegisterLayout tile::getPassLayout(ArrayRef<int64_t> shape, int64_t threads,
                                   int64_t numWarps) {
  int64_t most = llvm::PowerOf2Ceil(shape[kColumns]);
  int64_t lanes = std::min({threads, most, kWarpSize});
  int64_t warps =
      std::min({threads / kWarpSize, most / kWarpSize, numWarps & -numWarps});
  warps = std::max<int64_t>(warps, 1);
  RegisterLayoutBuilder builder(shape.size());
  builder.add(RegisterLayout::kValue, kRadix, shape[kRadix]);
  builder.add(RegisterLayout::kLane, kColumns, lanes);
  builder.add(RegisterLayout::kWarp, kColumns, warps);
  builder.spread({kBatch}, shape.vec(), kWarpSize / lanes, numWarps / warps);
  builder.fill(kColumns, shape[kColumns]);
  return builder.build();
}
