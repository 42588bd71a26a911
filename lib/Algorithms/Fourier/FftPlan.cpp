// FftPlan.cpp - passes and threads that transform a row
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FftPlan.h"
#include "FourierConstants.h"

#include "tile/Analysis/LaunchTime.h"
#include "tile/Layout/RegisterLayoutBuilder.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tile;

/// More threads would leave each one fewer registers than the passes of a row
/// of 16384 elements need.
static constexpr int64_t kMaxThreads = 512;

int64_t tile::getMaxFftLength(Type part) { return part.isF64() ? 8192 : 16384; }

//===----------------------------------------------------------------------===//
// Radices
//===----------------------------------------------------------------------===//

static constexpr int64_t kMaxRadix = 31;

using Radices = SmallVector<int64_t>;

/// Lists the factorizations of a length into `count` radices, the greatest
/// first and none above `most`, ordered by the first radix.
static std::vector<Radices> factorize(int64_t length, int64_t count,
                                      int64_t most) {
  if (count == 0)
    return length == 1 ? std::vector<Radices>{{}} : std::vector<Radices>{};
  std::vector<Radices> all;
  for (int64_t greatest = 2; greatest <= std::min(most, length); ++greatest) {
    if (length % greatest != 0 || !isRadix(greatest))
      continue;
    for (Radices &rest : factorize(length / greatest, count - 1, greatest)) {
      rest.insert(rest.begin(), greatest);
      all.push_back(std::move(rest));
    }
  }
  return all;
}

/// Lists the factorizations into the fewest radices, and those with one radix
/// more; empty if the length has a prime factor above 31.
static std::vector<Radices> listRadices(int64_t length) {
  for (int64_t count = 0; int64_t(1) << count <= length; ++count) {
    std::vector<Radices> all = factorize(length, count, kMaxRadix);
    if (all.empty())
      continue;
    llvm::append_range(all, factorize(length, count + 1, kMaxRadix));
    return all;
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

/// Returns the number of threads for a row: one for each column of the pass
/// with the largest radix, rounded up to a power of two.
static int64_t countThreads(int64_t length, ArrayRef<int64_t> radices) {
  int64_t most = radices.empty() ? 1 : *llvm::max_element(radices);
  return std::min<int64_t>(kMaxThreads, llvm::PowerOf2Ceil(length / most));
}

/// Returns the number of threads for a row: that of countThreads, but eight
/// instead of four. Eight threads with at most one column each take less time
/// than four threads of which some have two (24 elements by radices 6 and 4:
/// 256 us instead of 364).
static int64_t chooseThreads(int64_t length, ArrayRef<int64_t> radices) {
  constexpr int64_t kFew = 8;
  int64_t threads = countThreads(length, radices);
  return threads == kFew / 2 ? kFew : threads;
}

/// Bytes that a warp reads from the L1 cache or shared memory in one wavefront.
static constexpr int64_t kWavefrontBytes = 128;

/// Counts the wavefronts in which the threads of a row access one element of
/// each column, if no other row of the warp shares them.
static int64_t countWavefronts(int64_t columns, int64_t threads,
                               int64_t elementBytes) {
  int64_t wavefronts = 0;
  for (int64_t first = 0; first < columns; first += threads)
    for (int64_t lane = 0; lane < threads; lane += kWarpSize) {
      int64_t lanes = std::min(columns - first, threads) - lane;
      wavefronts += llvm::divideCeil(std::clamp<int64_t>(lanes, 0, kWarpSize) *
                                         elementBytes,
                                     kWavefrontBytes);
    }
  return wavefronts;
}

/// Counts the wavefronts in which the threads of a row access one element of
/// each column in shared memory, where rows of one warp share wavefronts.
static double countExchanges(int64_t columns, int64_t threads,
                             int64_t elementBytes) {
  if (threads < kWarpSize)
    return static_cast<double>(columns * elementBytes) / kWavefrontBytes;
  return static_cast<double>(countWavefronts(columns, threads, elementBytes));
}

/// Counts the wavefronts in which the threads of a row access one element of
/// each column in an array. If they would access only parts of sectors, the
/// row passes through shared memory.
static double countAccesses(int64_t columns, int64_t threads,
                            int64_t elementBytes) {
  constexpr int64_t kSectorBytes = 32;
  if (std::min(columns, threads) * elementBytes < kSectorBytes)
    return 5 * countExchanges(columns, threads, elementBytes);
  return static_cast<double>(countWavefronts(columns, threads, elementBytes));
}

/// Estimates the number of instructions for one element of a column that is
/// transformed by the prime factors of the radix: for each factor f, the f
/// multiplications and f - 1 additions of a sum of f terms.
static int64_t countSums(int64_t radix) {
  int64_t sums = 0;
  for (int64_t factor = 2; radix > 1; ++factor)
    for (; radix % factor == 0; radix /= factor)
      sums += 2 * factor - 1;
  return sums;
}

/// Returns the machine by which plans are compared. A plan does not depend on
/// the architecture, since the verifier needs it before there is one.
static const Machine &getMachine() {
  return getMachineOfEstimates(*findArchitecture("sm_90"));
}

/// Estimates the cycles in which a multiprocessor full of blocks transforms a
/// row. On an H200 this chooses radices for 51 lengths that take 1.007 of the
/// time of the best ones found by timing, on average, and 1.04 at most
/// (docs/performance/fourier-plans.csv).
static double estimatePasses(int64_t length, ArrayRef<int64_t> radices,
                             int64_t elementBytes) {
  constexpr int64_t kTwiddle = 8, kAccess = 4;
  int64_t threads = chooseThreads(length, radices);
  double cycles = 0;
  for (auto [pass, radix] : llvm::enumerate(radices)) {
    int64_t columns = length / radix;
    int64_t instructions =
        kAccess + countSums(radix) + (pass == 0 ? 0 : kTwiddle);
    auto count = [&](bool isArray) {
      return isArray ? countAccesses(columns, threads, elementBytes)
                     : countExchanges(columns, threads, elementBytes);
    };
    // A pass computes after it has read, and writes after it has computed.
    Resources accesses, computation;
    accesses.wavefronts = static_cast<double>(radix) *
                          (count(/*isArray=*/pass == 0) +
                           count(/*isArray=*/pass + 1 == radices.size()));
    computation.slots =
        static_cast<double>(radix * llvm::alignTo(columns, threads) *
                            instructions) /
        kWarpSize;
    cycles += estimateBusyCycles(getMachine(), accesses) +
              estimateBusyCycles(getMachine(), computation);
  }
  return cycles;
}

/// Returns the cheapest of `all`; the first if several are equal.
static Radices chooseRadices(int64_t length, ArrayRef<Radices> all,
                             int64_t elementBytes) {
  auto getCost = [&](const Radices &radices) {
    return estimatePasses(length, radices, elementBytes);
  };
  return *llvm::min_element(all, [&](const Radices &a, const Radices &b) {
    return getCost(a) < getCost(b);
  });
}

/// Removes the factorizations with a radix of 14 or 15, if others remain: with
/// elements from arrays, passes of these radices need so many registers that
/// they are slower (900 elements by radices 15, 15 and 4: 289 us, by 10, 10 and
/// 9: 273 us).
static std::vector<Radices> dropLarge(std::vector<Radices> all) {
  std::vector<Radices> small = all;
  llvm::erase_if(small, [](const Radices &radices) {
    return llvm::is_contained(radices, 14) || llvm::is_contained(radices, 15);
  });
  return small.empty() ? all : small;
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

bool tile::isHalved(const FourierTransform &transform) {
  constexpr int64_t kMinHalved = 16;
  return transform.isOfRealRows && transform.length >= kMinHalved &&
         transform.length % 2 == 0;
}

/// Creates a plan by passes of radices that multiply to the length.
static FftPlan createPasses(int64_t length, ArrayRef<int64_t> radices) {
  FftPlan plan;
  plan.points = plan.length = plan.extent = length;
  plan.radices = Radices(radices);
  plan.threads = chooseThreads(length, radices);
  return plan;
}

/// Creates a plan that transforms a row by a convolution, which `transform` and
/// its inverse compute.
static FftPlan createConvolution(FftAlgorithm algorithm, int64_t points,
                                 FftPlan transform) {
  FftPlan plan = transform;
  plan.algorithm = algorithm;
  plan.points = points;
  plan.length = transform.points;
  plan.extent = std::max(transform.extent, points);
  if (transform.algorithm != FftAlgorithm::passes)
    plan.parts = {std::move(transform)};
  return plan;
}

/// Creates a plan that transforms rows of the length of `first`, then rows of
/// the length of `second`.
static FftPlan createFactors(FftPlan first, FftPlan second) {
  FftPlan plan;
  plan.algorithm = FftAlgorithm::factors;
  int64_t a = first.points, b = second.points;
  plan.points = plan.length = a * b;
  plan.extent = std::max(b * first.extent, a * second.extent);
  plan.threads = std::min<int64_t>(
      kMaxThreads,
      llvm::PowerOf2Ceil(std::max(b * first.threads, a * second.threads)));
  plan.parts = {std::move(first), std::move(second)};
  return plan;
}

/// Whether a length is good for a convolution: a power of two times an odd
/// factor of at most 63 with prime factors up to 7. Larger odd factors would
/// take more passes of radix 9, which round more than those of radix 8: for
/// 4297 elements the error was 1.13 u sqrt(log2 n) by a convolution of 8748 =
/// 12 * 9 * 9 * 9 elements, and 0.83 u sqrt(log2 n) by one of 16384.
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

static int64_t getGreatestPrimeFactor(int64_t value) {
  int64_t factor = 2;
  for (; factor * factor <= value; ++factor)
    while (value > factor && value % factor == 0)
      value /= factor;
  return value;
}

namespace {
/// Chooses plans for rows of complex elements of `elementBytes` bytes.
class PlanChooser {
public:
  explicit PlanChooser(int64_t elementBytes) : elementBytes(elementBytes) {}

  /// Chooses a plan for a row of `length` elements. The plan's extent is at
  /// most `most`, the number of elements for which a block has room, if there
  /// is such a plan.
  FftPlan choose(int64_t length, int64_t most, bool isInner = false) {
    if (std::vector<Radices> all = listRadices(length); !all.empty())
      return createPasses(length,
                          chooseRadices(length, dropLarge(all), elementBytes));
    bool isPrimeLength = isPrime(length);
    if (isPrimeLength && !listRadices(length - 1).empty())
      return chooseConvolution(length);
    FftPlan chirp = chooseChirp(length, most);
    if (chirp.extent <= most)
      return chirp;
    if (!isPrimeLength)
      return chooseFactors(length, most, isInner);
    // The rounding errors of nested convolutions add up, so a nested one is
    // used only if nothing else fits, and is not nested further.
    if (isInner)
      return chirp;
    FftPlan nested =
        createConvolution(FftAlgorithm::prime, length,
                          choose(length - 1, most, /*isInner=*/true));
    return nested.extent <= most ? nested : chirp;
  }

private:
  /// Chooses a plan for a row of prime length: a convolution of one element
  /// fewer, whose passes may be in any order. Coprime radices, which need no
  /// twiddle factors, are chosen if they do not take more passes than others.
  /// The largest radix is best in the middle, where the forward and the inverse
  /// transform meet (127 elements by radices 14 and 9: 371 us, by 9 and 14:
  /// 331).
  FftPlan chooseConvolution(int64_t prime) {
    std::vector<Radices> all = listRadices(prime - 1);
    auto coprime = llvm::find_if(all, [&](const Radices &radices) {
      return radices.size() == all.front().size() && areCoprime(radices);
    });
    Radices radices = chooseRadices(prime - 1, all, elementBytes);
    if (coprime != all.end()) {
      radices = *coprime;
      std::rotate(radices.begin(), radices.begin() + 1, radices.end());
    }
    FftPlan plan = createConvolution(FftAlgorithm::prime, prime,
                                     createPasses(prime - 1, radices));
    plan.threads = countThreads(prime - 1, radices);
    plan.hasTwiddles = !areCoprime(radices);
    return plan;
  }

  /// Chooses a plan by a chirp, whose convolution has the length that takes the
  /// fewest cycles.
  FftPlan chooseChirp(int64_t points, int64_t most) {
    int64_t least = 2 * points - 1;
    int64_t powerOfTwo = llvm::PowerOf2Ceil(least);
    std::optional<FftPlan> best;
    double bestCost = 0;
    for (int64_t length = least <= most ? least : powerOfTwo;
         length <= powerOfTwo; ++length) {
      if (!isRound(length))
        continue;
      Radices radices =
          chooseRadices(length, listRadices(length), elementBytes);
      double cost = estimatePasses(length, radices, elementBytes);
      if (best && cost >= bestCost)
        continue;
      best = createPasses(length, radices);
      bestCost = cost;
    }
    return createConvolution(FftAlgorithm::chirp, points, std::move(*best));
  }

  /// Creates a plan of two transforms: one of the length's greatest prime
  /// factor, and one of the length divided by that factor.
  FftPlan chooseFactors(int64_t length, int64_t most, bool isInner) {
    int64_t prime = getGreatestPrimeFactor(length), rest = length / prime;
    return createFactors(choose(prime, most / rest, isInner),
                         choose(rest, most / prime, isInner));
  }

  int64_t elementBytes;
};
} // namespace

FftPlan tile::choosePlan(const FourierTransform &transform, FftPlanAttr given,
                         Type part) {
  int64_t length =
      isHalved(transform) ? transform.length / 2 : transform.length;
  int64_t most = getMaxFftLength(part);
  if (!given && length > most)
    return createPasses(length, /*radices=*/{});
  if (!given)
    return PlanChooser(2 * getElementBytes(part)).choose(length, most);
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

/// The layout has adjacent columns in adjacent lanes.
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
