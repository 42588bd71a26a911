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

static int64_t chooseThreads(int64_t length, ArrayRef<int64_t> radices) {
  int64_t most = radices.empty() ? 1 : *llvm::max_element(radices);
  return std::min<int64_t>(kMaxThreads, llvm::PowerOf2Ceil(length / most));
}

/// Issue slots of an element's way through shared memory, there and back, and
/// of one to or from random places: a wavefront takes the time of four
/// instructions.
static constexpr double kExchange = 20, kGather = 32;

/// Issue slots of passes over a row, with an exchange between two.
static double estimatePasses(int64_t length, ArrayRef<int64_t> radices,
                             int64_t threads) {
  constexpr double kTwiddle = 8, kStage = 4;
  double cost = 0;
  for (auto [pass, radix] : llvm::enumerate(radices)) {
    int64_t columns = llvm::alignTo(length / radix, threads);
    double sums = radix > 16 ? 2 * static_cast<double>(radix)
                             : kStage * llvm::Log2_64_Ceil(radix);
    double exchange = pass + 1 == radices.size() ? 0 : kExchange;
    cost += static_cast<double>(columns * radix) * (kTwiddle + sums + exchange);
  }
  return cost;
}

/// Rows of so many threads, with those whose threads are idle beside them.
static double countPadded(int64_t rows, int64_t threads) {
  int64_t slots = std::max<int64_t>(1, kMaxThreads / threads);
  return static_cast<double>(rows <= slots ? llvm::PowerOf2Ceil(rows)
                                           : llvm::alignTo(rows, slots));
}

/// Of radices that multiply to the length.
static FftPlan createPasses(int64_t length, ArrayRef<int64_t> radices) {
  FftPlan plan;
  plan.points = plan.length = plan.extent = length;
  plan.radices = SmallVector<int64_t>(radices);
  plan.threads = chooseThreads(length, radices);
  plan.cost = estimatePasses(length, radices, plan.threads);
  return plan;
}

/// A convolution for a row, by such a transform and its inverse.
static FftPlan createConvolution(FftAlgorithm algorithm, int64_t points,
                                 FftPlan transform) {
  FftPlan plan = transform;
  plan.algorithm = algorithm;
  plan.points = points;
  plan.length = transform.points;
  plan.extent = std::max(transform.extent, points);
  double trip = algorithm == FftAlgorithm::chirp ? kExchange : kGather;
  plan.cost = 2 * (transform.cost + trip * static_cast<double>(points));
  if (transform.algorithm != FftAlgorithm::passes)
    plan.parts = {std::move(transform)};
  return plan;
}

/// Whether a length is good for a convolution: a power of two and a small rest.
/// Passes of radix 9 round more than those of 8: of 4297 elements, by 8748 =
/// 12 9 9 9, the error was 1.13 u sqrt(log2 n), by 16384 0.83.
static bool isRound(int64_t length) {
  constexpr int64_t kMaxOdd = 63;
  int64_t odd = length >> llvm::countr_zero(static_cast<uint64_t>(length));
  if (odd > kMaxOdd)
    return false;
  for (int64_t factor : {3, 5, 7})
    while (odd % factor == 0)
      odd /= factor;
  return odd == 1;
}

/// One of as many elements as take the fewest instructions.
static FftPlan createChirp(int64_t points, int64_t most) {
  std::optional<FftPlan> best;
  int64_t least = 2 * points - 1;
  int64_t powerOfTwo = llvm::PowerOf2Ceil(least);
  for (int64_t length = least <= most ? least : powerOfTwo;
       length <= powerOfTwo; ++length) {
    if (!isRound(length))
      continue;
    FftPlan plan = createPasses(length, *chooseRadices(length));
    if (!best || plan.cost < best->cost)
      best = std::move(plan);
  }
  return createConvolution(FftAlgorithm::chirp, points, std::move(*best));
}

static FftPlan createFactors(FftPlan first, FftPlan second) {
  FftPlan plan;
  plan.algorithm = FftAlgorithm::factors;
  int64_t a = first.points, b = second.points;
  plan.points = plan.length = a * b;
  plan.extent = std::max(b * first.extent, a * second.extent);
  plan.threads = std::min<int64_t>(
      kMaxThreads,
      llvm::PowerOf2Ceil(std::max(b * first.threads, a * second.threads)));
  plan.cost = countPadded(b, first.threads) * first.cost +
              countPadded(a, second.threads) * second.cost +
              3 * kGather * static_cast<double>(plan.points);
  plan.parts = {std::move(first), std::move(second)};
  return plan;
}

/// The cheapest of the plans that fit, if one does.
static FftPlan chooseCheapest(std::vector<FftPlan> plans, int64_t most) {
  return *llvm::min_element(plans, [&](const FftPlan &a, const FftPlan &b) {
    return std::pair(a.extent > most, a.cost) <
           std::pair(b.extent > most, b.cost);
  });
}

static int64_t getGreatestPrimeFactor(int64_t number) {
  int64_t factor = 2;
  for (; factor * factor <= number; ++factor)
    while (number > factor && number % factor == 0)
      number /= factor;
  return number;
}

/// The plan for rows of complex numbers, of which a block has room for so many.
/// A convolution in a convolution rounds as both do, so it is for what no other
/// serves, and has none in it.
static FftPlan choosePlan(int64_t length, int64_t most, bool isInner) {
  if (auto radices = chooseRadices(length))
    return createPasses(length, *radices);
  int64_t prime = getGreatestPrimeFactor(length);
  if (prime == length && chooseRadices(length - 1)) {
    SmallVector<int64_t> radices = chooseUnorderedRadices(length - 1);
    FftPlan plan = createConvolution(FftAlgorithm::prime, length,
                                     createPasses(length - 1, radices));
    plan.hasTwiddles = !areCoprime(radices);
    return plan;
  }
  std::vector<FftPlan> plans = {createChirp(length, most)};
  if (prime != length) {
    int64_t rest = length / prime;
    plans.push_back(createFactors(choosePlan(prime, most / rest, isInner),
                                  choosePlan(rest, most / prime, isInner)));
  } else if (!isInner && plans.front().extent > most) {
    plans.push_back(
        createConvolution(FftAlgorithm::prime, length,
                          choosePlan(length - 1, most, /*isInner=*/true)));
  }
  return chooseCheapest(std::move(plans), most);
}

FftPlan tile::choosePlan(const FourierTransform &transform, FftPlanAttr given,
                         Type part) {
  int64_t length = getComplexLength(transform);
  if (!given)
    return ::choosePlan(length, getMaxFftLength(part), /*isInner=*/false);
  ArrayRef<int64_t> radices = given.getRadices().asArrayRef();
  FftPlan plan = createPasses(llvm::product_of(radices), radices);
  if (plan.length != length) {
    plan = createConvolution(FftAlgorithm::prime, length, std::move(plan));
    plan.hasTwiddles = !areCoprime(radices);
  }
  if (given.getThreads() != 0)
    plan.threads = given.getThreads();
  return plan;
}

static Type getPartType(Operation *op) {
  Type element = cast<TileType>(op->getOperand(0).getType()).getElementType();
  auto complex = dyn_cast<ComplexType>(element);
  return complex ? complex.getElementType() : element;
}

std::optional<std::pair<FourierTransform, FftPlan>>
tile::getFourierPlan(Operation *op) {
  return llvm::TypeSwitch<Operation *,
                          std::optional<std::pair<FourierTransform, FftPlan>>>(
             op)
      .Case<FftOp, IfftOp>([](auto op) {
        return std::pair(
            op.getTransform(),
            choosePlan(op.getTransform(), op.getPlanAttr(), getPartType(op)));
      })
      .Case<RfftOp, IrfftOp>([](auto op) {
        return std::pair(op.getTransform(),
                         choosePlan(op.getTransform(), {}, getPartType(op)));
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
